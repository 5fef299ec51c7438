/* SPDX-License-Identifier: MIT */
/*
 * qjs.h -- one QuickJS behind the wall; shared by the files of this folder.
 *
 * A value of the engine is a 64-bit word: a tag in the upper half, a number or
 * an address in the linear memory in the lower one (QuickJS's NaN boxing on
 * 32-bit machines). A tag of -9 to -1 says that it is counted: JS_FreeValue.
 */
#ifndef QUICKJS_QJS_H
#define QUICKJS_QJS_H

#include "engine/answers.h"
#include "engine/engine.h"
#include "engine/random.h"
#include "engine/store.h"
#include "wall.h"

typedef uint64_t js; /* a JSValue; ours to free unless said otherwise */

#define JS_TAGGED(tag, low) ((js)(uint32_t)(tag) << 32 | (uint32_t)(low))
#define JS_INT(n)           JS_TAGGED(0, n)
#define JS_FALSE            JS_TAGGED(1, 0)
#define JS_TRUE             JS_TAGGED(1, 1)
#define JS_NULL             JS_TAGGED(2, 0)
#define JS_UNDEFINED        JS_TAGGED(3, 0)
#define JS_EXCEPTION        JS_TAGGED(6, 0)
#define JS_CLASS_ERROR      3
/* JS_DefinePropertyValue's flags. */
#define JS_CONFIGURABLE 1u
#define JS_WRITABLE     2u
#define JS_ENUMERABLE   4u
#define JS_THROW        (1u << 14)

static inline int32_t
js_tag(js v)
{
	return (int32_t)(v >> 32);
}

/* Calls an export of the module: CALL(e, JS_NewObject, e->ctx). See W2 for what
 * may be held meanwhile. */
#define CALL(e, name, ...) Z_quickjsZ_##name(&(e)->wall.wasm, __VA_ARGS__)

enum {
#define ENV(name, about) ENV_##name,
#include "engine/env.def"
#undef ENV
	ENV_LEN
};

enum {
#define OP(name, about) OP_##name,
#include "engine/ops.def"
#undef OP
	OP_LEN
};

/* One file of engine/library, compiled: len bytes of libraries_code from at. */
typedef struct qjs_library {
	const char *name;
	uint32_t at, len;
} qjs_library;

/* What the bake found out: where things are in the image (image.c). */
typedef struct qjs_image {
	wall_image memory;
	uint32_t rt, ctx;
	uint32_t scratch;     /* QJS_SCRATCH bytes of ours               */
	uint32_t random_at;   /* the 8 bytes of Math.random's state     */
	uint32_t array_shape; /* value/'s: the shape of new arrays      */
	uint32_t object_prototype;
	uint32_t constructor_atom, species_atom;
	js array_class; /* the function Array */
	uint32_t used;  /* bytes that the environment's values take */
	js env[ENV_LEN];
	const char *fingerprint;
	const uint8_t *libraries_code; /* not in the image */
	const qjs_library *libraries;
	size_t libraries_len;
} qjs_image;

/* Bytes of the module's stack that its check allows: deeper is a RangeError. The
 * rest is for recursion that is not checked. */
#define QJS_STACK_MOST (WALL_SHADOW - (576u << 10))
#define QJS_SCRATCH    64u
extern const qjs_image qjs_image_baked;

/* A call that the script waits for: the promise's functions. 0: over. */
typedef struct qjs_call {
	js resolve, reject;
	js promise; /* not counted: alive as long as its functions are */
	js site;    /* an Error made where it was called: for its stack */
	uint32_t tool;
	bool grouped; /* in a race, or among calls that are waited for */
	bool exact;   /* its result is read by QJS_EXACT */
	uint64_t timeout_ms;
} qjs_call;

/* The place of the latest call: its frames, and the Error that was made there
 * (value_site.c). */
#define QJS_FRAMES 8
typedef struct qjs_frame {
	js function;
	uint32_t pc;
} qjs_frame;
typedef struct qjs_site {
	qjs_frame frame[QJS_FRAMES];
	unsigned frames; /* 0: none */
	js error;
} qjs_site;

/* A promise that was rejected without a handler (boxes of the engine). */
typedef struct qjs_rejection {
	uint32_t promise, reason;
	uint32_t call; /* the call that failed so, or 0 */
} qjs_rejection;

struct engine {
	wall wall; /* first: imports and host functions get its address */
	engine_start start;
	uint32_t rt, ctx, scratch, array_shape, object_prototype;
	uint32_t constructor_atom, species_atom;
	js array_class;
	const js *env;
	store store;

	qjs_call *call; /* call[id - 1] */
	size_t calls, calls_cap;
	size_t pending;
	uint32_t timers; /* set so far     */
	size_t ticking;  /* and not over   */
	answers answers;
	uint32_t failing; /* the call whose promise is being rejected, or 0 */
	bool unseen;      /* and it has no handler so far     */
	qjs_rejection *rejection;
	size_t rejections, rejections_cap;

	bool started;
	bool ended;     /* the script's end is known, in end, last  */
	bool reported;  /* and was said                             */
	bool finishing; /* warnings are being written               */
	said_kind end;
	buf last;         /* the value, or the fault                  */
	volatile int cut; /* engine_state why it must stop, or 0      */
	uint64_t polls;
	random_source random;
	int64_t epoch_us; /* when the script began                    */
	double last_ms;   /* performance.now() never goes back        */
	engine_state state;
	const char *why;
	uint32_t stack_most;   /* bytes of the module's stack           */
	uint64_t heap_most;    /* bytes of the module's blocks          */
	uint64_t reserve_to;   /* the same for an Error; 0: not open    */
	bool refused;          /* some memory, in this run              */
	struct parser *parser; /* value_read.c's */
	qjs_site site;
	js held;      /* a large result; 0: none */
	text rounded; /* the first integer that the latest qjs_parse rounded, in
			 its text; empty: none */
	uint32_t rounded_tool; /* the one warned of last, from 1; 0: none */
	bool mended; /* the text of the latest qjs_text had a lone surrogate */
	buf text;    /* for texts on their way in or out; see qjs_buf */
};

#define QJS_REJECTIONS_MAX 1000
#define QJS_LEFT_MAX       64 /* calls without an answer that are told at the end */

/* ------------------------------------------------------------- values.c */

/* The UTF-8 of a string value, in linear memory; lone surrogates become
 * U+FFFD. Give it back with qjs_text_free. ptr NULL: out of memory. */
text qjs_text(engine *e, js string);
void qjs_text_free(engine *e, text t);
js qjs_string(engine *e, text t);
void qjs_free(engine *e, js v);
js qjs_dup(engine *e, js v);
/* A copy in linear memory with a NUL behind it; 0: out of memory. */
uint32_t qjs_copy(engine *e, text t);
uint64_t qjs_read64(engine *e, uint32_t at);
void qjs_write64(engine *e, uint32_t at, uint64_t v);
uint32_t qjs_read32(engine *e, uint32_t at);
/* The engine's own buffer, emptied: what is held in it outlives a trap. */
buf *qjs_buf(engine *e);
/* Calls a function of the environment. */
js qjs_env(engine *e, unsigned which, unsigned argc, const js *argv);
/* Throws an Error of ours with this code; class 0 Error, 1 TypeError,
 * 2 RangeError. Returns JS_EXCEPTION. */
js qjs_throw(engine *e, const char *code, int class, text message);

/* What the module's JSON.parse makes of it; JS_EXCEPTION: it threw. */
js qjs_module_parse(engine *e, text t);

/* ------------------------------------- value/, or value_off/ in its place */

/* For the bake: finds in a new VM what the functions below need of it. */
void qjs_value_boot(engine *e);

/* What becomes of an integer that a double does not hold. */
typedef enum qjs_integers {
	QJS_ROUND, /* a number; e->rounded is the first that was changed */
	QJS_KEEP,  /* a BigInt, where a number would show other digits */
	QJS_EXACT  /* a BigInt, where it is beyond 2^53 */
} qjs_integers;

/* What JSON.parse makes of checked text; empty: undefined. JS_EXCEPTION: out of
 * memory. */
js qjs_parse(engine *e, json t, qjs_integers integers);
/* Frees what qjs_parse keeps for the next text. 'fini' leaves the values in the
 * engine's heap, for an engine that is closed. */
void qjs_parse_forget(engine *e);
void qjs_parse_fini(engine *e);

/* The JSON of a plain value, in the engine's own buffer (see qjs_buf). False: it
 * is not plain, and ENV_argument or convert.js must write it. */
bool qjs_write(engine *e, js v, text *out);

/* What Array.prototype.unshift and splice do to this array, and what they
 * return or throw. False: nothing was done, and the module's own must do it. */
bool qjs_unshift(engine *e, js this, uint32_t argc, uint32_t argv, js *result);
bool qjs_splice(engine *e, js this, uint32_t argc, uint32_t argv, js *result);

/* An Error whose stack says where the running host function was called. */
js qjs_site_here(engine *e);

/* ----------------------------------------------------------- imports.c */

/* Must it stop? Asks stop, polls and the clock; not 0: e->cut says why. */
int qjs_poll(engine *e);

/* --------------------------------------------------------- tool_call.c */

/* tools.x(value, options): a promise. */
js qjs_call_tool(engine *e, uint32_t tool, js value, js options);

/* --------------------------------------------------------------- ops.c */

/* Puts the host functions into the instance's table. */
void qjs_host_functions(engine *e);
/* The index in the instance's table of host slot i: 0 has the host functions, 1
 * to 3 those of qjs_heap.c. */
uint32_t qjs_host_slot(engine *e, unsigned i);
/* The object with one function for each line of ops.def (bake.c). */
js qjs_host_object(engine *e);

/* -------------------------------------------------------------- qjs_heap.c */

/* Puts the functions that take memory into the instance's table. */
void qjs_heap_functions(engine *e);
/* For the bake: makes a new VM take its memory with them. False: the module's
 * own are not where qjs_heap.c says. */
bool qjs_heap_boot(engine *e);

/* ----------------------------------------------------------- library.c */

/* The function of a library: see environment/library.js. Undefined: there is
 * none of this name. JS_EXCEPTION: no memory. */
js qjs_load_library(engine *e, text name);

/* ------------------------------------------------------------- bytes.c */

/* A Uint8Array: the UTF-8 of a string, lone surrogates as U+FFFD. */
js qjs_encode(engine *e, js string);
/* A Uint8Array of the run's randomness. */
js qjs_random_array(engine *e, uint32_t len);
/* The text that a Uint8Array holds. Undefined: not valid, which only
 * QJS_UTF8_FATAL says. QJS_UTF16 is little-endian. */
typedef enum qjs_encoding { QJS_UTF8, QJS_UTF8_FATAL, QJS_UTF16 } qjs_encoding;
js qjs_decode(engine *e, qjs_encoding encoding, js bytes);

/* ----------------------------------------------------------------- qjs.c */

/* Calls a promise's resolve or reject with this value. failing: the call that
 * is rejected so, or 0. Then e->unseen says that the promise has no handler,
 * and the engine's tracker keeps it (imports.c). */
void qjs_settle(engine *e, uint32_t failing, js settle, js value);

/* ---------------------------------------------------------------- say.c */

/* Says m to the sink; the verdict is the sink's. */
void qjs_say(engine *e, const said *m, verdict *v);
/* The script looks at the failure of this call. */
void qjs_say_observed(engine *e, uint32_t id);
/* The script's end: it returned this JSON (empty: undefined), or failed so
 * (see SAID_FAIL). The first one counts. */
void qjs_done(engine *e, text value);
void qjs_fail(engine *e, text fault);
/* The end: out of memory. Takes none, and leaves qjs_buf as it is. */
void qjs_fail_memory(engine *e);
/* The end: this was thrown (borrowed). */
void qjs_fail_thrown(engine *e, js thrown);
void qjs_fail_with(
    engine *e, const char *code, const char *name, const char *message);
/* Says the end, once it is known, once. */
void qjs_report(engine *e);

#endif
