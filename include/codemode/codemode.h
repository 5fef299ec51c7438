/* SPDX-License-Identifier: MIT */
/*
 * codemode.h -- run a model's JavaScript; tools are its only reach.
 *
 * A run is a machine that you turn by hand: ask it what comes next, do that,
 * tell it what happened. It has no event loop and starts no thread; what it
 * needs comes in as an argument, what it wants leaves as a cm_step.
 *
 *	cm_run_next(run, now_ms, &step);
 *	switch (step.kind) {
 *	case CM_STEP_CALL:  start step.u.call, answer later with cm_run_resolve
 *	case CM_STEP_ASK:   may step.u.call be made? With CM_RUN_ASK only
 *	case CM_STEP_ABORT: stop that call; when it is over, cm_run_stopped
 *	case CM_STEP_PRINT: show step.u.print
 *	case CM_STEP_WAIT:  sleep until an answer comes, or step.u.wait.until_ms
 *	case CM_STEP_DONE:  read step.u.done, free the run
 *	}
 *
 * Refusing a call, delaying it or answering it with something else is simply
 * what you do with the step.
 *
 * Four promises hold for every function here.
 *
 *  1. Who owns it. What a *_new function stores through its last argument is
 *     yours; give it back with the matching *_free. Every *_free takes NULL.
 *     What you pass in is copied, unless the comment says that it is borrowed.
 *  2. How long it lives. A cm_text handed to you is borrowed; the comment
 *     names the call that ends it.
 *  3. What failed. Fallible functions return cm_status. On failure the object
 *     is as it was before the call and out-arguments are not written; where
 *     that is not so, the comment says it.
 *  4. Whose fault. A script that throws, runs too long or asks for too much is
 *     an *outcome* (cm_done). A cm_status is about the library or its host.
 *
 * One run, one thread at a time. A catalog is read-only once a run uses it and
 * may then be shared by runs in many threads. The one function that may be
 * called at any time, from any thread and from a signal handler is
 * cm_run_interrupt.
 *
 * What touches the system, all of it behind cm_run_next: memory for the
 * script's heap is mapped and unmapped, SIGSEGV has a handler that claims
 * faults inside that memory and passes all others on to the handler that was
 * there, and a timer of the thread stops built-in functions that never look
 * at the clock. With a cm_host of your own, clocks and randomness are yours.
 */
#ifndef CODEMODE_CODEMODE_H
#define CODEMODE_CODEMODE_H

#include <codemode/words.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------ 1. Words */

/* Static strings: never NULL, never freed. */
CM_API const char *cm_status_name(cm_status s); /* "CM_ENOMEM"     */
CM_API const char *cm_status_text(cm_status s); /* "out of memory" */
CM_API const char *cm_version(void);            /* CM_VERSION      */

/* ---------------------------------------------------------- 2. Catalog */

/* The tools that a script may call. One thread at a time may add to it; once
 * that is done, threads may share it. */
typedef struct cm_catalog cm_catalog;

enum {
	CM_TOOL_READS = 1 << 0,      /* changes nothing: safe to run again   */
	CM_TOOL_REPEATABLE = 1 << 1, /* twice is the same as once            */
	CM_TOOL_DESTROYS = 1 << 2,   /* may overwrite or delete              */
	CM_TOOL_UNCHECKED = 1 << 3,  /* nothing is held against its schemas  */
	CM_TOOL_GLOBAL = 1 << 4,     /* a global, too: see below             */
	CM_TOOL_SPREAD = 1 << 5,     /* args is the array of all arguments   */
	CM_TOOL_OBSERVED = 1 << 6    /* output_schema is no promise          */
};

/*
 * A script calls it by its path: tools.NAME, or tools.SPACE.NAME when it has a
 * space (for MCP: the server). In a path, characters that JavaScript does not
 * allow in an identifier are _, and a digit at the beginning gets one before
 * it. If two paths come out the same, a space keeps it before a tool that has
 * none, and a name that is an identifier already keeps it before one that is
 * not; each other one gets a suffix made from its name, whatever order the
 * tools were added in.
 *
 * tools["SPACE.NAME"] and tools.SPACE["NAME"] with the names as they stand here
 * work too, unless the path of another tool or a space is written so.
 *
 * A tool or a space named "then" always gets a suffix and is found by its path
 * only: 'await tools.SPACE' would call a member of that name.
 */
/*
 * With CM_TOOL_GLOBAL scripts call it as NAME(...), or SPACE.NAME(...) if it has
 * a space, all tools of which are reached so then. What stands in front has to
 * be an identifier that is free: no reserved word, nothing that the language or
 * the environment has, no tool without a space beside a space of that name.
 * A script's own variable of that name hides it; it cannot be assigned. It is a
 * member of `tools` all the same, and its calls are calls of that path.
 */
/*
 * Arguments are held against input_schema before the call: what does not fit is
 * never offered to you, and the script gets an error that says where and why.
 * A result that does not fit output_schema is a warning. A schema that is none
 * checks nothing, with one warning a run. See doc/guide/schemas.md.
 *
 * With CM_TOOL_OBSERVED output_schema describes results that were seen: models
 * are told so, and results are not checked against it.
 */
typedef struct cm_tool {
	cm_text space;         /* may be empty                             */
	cm_text name;          /* not empty                                */
	cm_text description;   /* may be empty                             */
	cm_text input_schema;  /* JSON Schema; empty: takes anything       */
	cm_text output_schema; /* JSON Schema; empty: gives anything       */
	unsigned flags;        /* CM_TOOL_* or-ed together                 */
	cm_text signature;     /* TypeScript behind its name, in the place of
	                          what the schemas give, or empty:
	                          "(id: string): Promise<Row>"               */
} cm_tool;

/* alloc may be NULL for malloc. The catalog keeps a copy of *alloc, and every
 * run made from the catalog uses the same one. */
CM_API cm_status cm_catalog_new(const cm_alloc *alloc, cm_catalog **out);

/* Drops your hold; runs that use the catalog keep it alive until they end. */
CM_API void cm_catalog_free(cm_catalog *cat);

/* CM_EEXISTS: space and name are there already. CM_EINPUT: the name is empty,
 * a text is not UTF-8 or a schema is not JSON. CM_ELIMIT: the space or the name
 * is longer than 1,024 bytes, the description or a schema is longer than 1 MiB,
 * or there are 100,000 tools. CM_EMISUSE: a run uses it. */
CM_API cm_status cm_catalog_add(cm_catalog *cat, const cm_tool *tool);

/* Why the last cm_catalog_add refused the name of a global, or a name that is
 * taken: a static sentence, or "". */
CM_API const char *cm_catalog_why(const cm_catalog *cat);

/* How many tools there are. */
CM_API size_t cm_catalog_len(const cm_catalog *cat);

/* Tool i (0 ... len-1, in the order of their paths); its texts live as long
 * as the catalog. *path gets what a script writes behind "tools.", e.g.
 * "github.create_issue"; it lives until the next cm_catalog_add that succeeds,
 * or until cm_catalog_free. tool and path may be NULL. CM_EMISUSE: there is no
 * tool i. */
CM_API cm_status cm_catalog_get(
    cm_catalog *cat, size_t i, cm_tool *tool, cm_text *path);

/* What stands behind the path of tool i in TypeScript, on one line without
 * descriptions: "(args: { title: string; }): Promise<unknown>". Large types
 * are cut: fewer values of enums, fewer levels, fewer members. The text lives as
 * long as *path of cm_catalog_get. */
CM_API cm_status cm_catalog_signature(cm_catalog *cat, size_t i, cm_text *out);

/* TypeScript declaration of all tools, or of one space (by its name or its
 * identifier) when space is not empty: what a model is shown. Types that
 * contain themselves or that several members share are declared once, as
 * tools.NAME. Empty when there are none. The text lives until the next
 * cm_catalog_add that succeeds, or until cm_catalog_free: the catalog keeps one
 * for each space that was asked for. */
CM_API cm_status cm_catalog_declare(
    cm_catalog *cat, cm_text space, cm_text *out);

/* A tool that fits a question. */
typedef struct cm_hit {
	uint32_t tool;  /* its number, as cm_catalog_get has it */
	uint32_t score; /* higher is better, within one answer  */
} cm_hit;

/*
 * The tools that fit a question in words ("open a bug report"), best first, at
 * most limit of them, in out; how many there are in *found. Names are split
 * into words; forms of a word, words of like meaning and, for words that occur
 * nowhere, mistyped ones are found. 0 tools: none has enough of what the
 * question asks for. Only of one space (its name or its identifier) when space
 * is not empty. The same catalog and question give the same answer on every
 * machine. The first search makes an index of the catalog, which is kept until
 * the next cm_catalog_add that succeeds. Several threads may search a catalog
 * at the same time. CM_EINPUT: there is no such space, or query is not UTF-8. */
CM_API cm_status cm_catalog_search(cm_catalog *cat, cm_text query,
    cm_text space, size_t limit, cm_hit *out, size_t *found);

/* For a question that found nothing: the words of the catalog that are nearest
 * to those of the question which the catalog does not have, separated by ", ",
 * in out, which has size bytes (cut to fit, with a 0 at the end); "" when none
 * is near. Threads as above. CM_EINPUT: query is not UTF-8. */
CM_API cm_status cm_catalog_nearest(
    cm_catalog *cat, cm_text query, char *out, size_t size);

/* ------------------------------------------------------------- 3. Host */

/*
 * Where a run gets time and chance from. A pointer left NULL means the
 * machine's own. With a clock of your own the run never arms a timer: a
 * built-in function that does not poll is then bounded by nothing, and
 * limits.polls bounds the rest.
 */
typedef struct cm_host {
	void *ctx;
	/* Milliseconds that never go back; the deadline is read on it. */
	uint64_t (*now_ms)(void *ctx);
	/* Microseconds since 1970 (UTC): Date.now() of the script, which has
	 * the nearest time between 1970 and 2554. */
	int64_t (*epoch_us)(void *ctx);
	/* len random bytes. Each run asks once: its Math.random and crypto are
	 * made of them alone, in the same way in every place. */
	void (*random)(void *ctx, void *bytes, size_t len);
	/* Seconds east of UTC at that moment (seconds since 1970). */
	int32_t (*zone)(void *ctx, int64_t epoch_s);
} cm_host;

/* ------------------------------------------------------------- 4. Runs */

typedef struct cm_run cm_run;
typedef struct cm_place cm_place; /* <codemode/place.h> */
typedef uint32_t cm_call_id;      /* 1, 2, 3 ... in the order of the script */

#define CM_NO_LIMIT UINT64_MAX /* must be asked for */

/* 0 means the default beside it. Of value and result more than 1 GiB is 1 GiB. */
typedef struct cm_limits {
	uint64_t wall_ms;       /* from first next to done          300 000 */
	uint64_t heap;          /* bytes the script's values take   256 MiB */
	uint64_t calls;         /* tool calls in all                 10 000 */
	uint64_t calls_at_once; /* tool calls in flight                  16,
	                           each until it is answered or
	                           cm_run_stopped says that it is over      */
	uint64_t space_calls_at_once; /* those, in one namespace       none */
	uint64_t tool_calls_at_once;  /* those, of one tool            none */
	uint64_t output; /* UTF-16 units printed               16 Mi */
	uint64_t items;  /* texts and media printed          100 000 */
	uint64_t value;  /* bytes of JSON returned            16 MiB */
	uint64_t source; /* bytes of source                    1 MiB */
	uint64_t result; /* bytes of one tool's answer        64 MiB,
	                           and of one call's arguments; four times
	                           that of those of all calls that wait     */
	uint64_t polls;  /* interrupt polls (about 10 000
	                           operations each)                    none */
} cm_limits;

enum {
	/* The script is run as it stands: no fences are taken off, no types
	 * blanked, no function called, no last expression returned. */
	CM_RUN_RAW = 1 << 0,
	/* The last expression is not the value, and neither a lone function nor
	 * an `export default` is called: only `return` gives one. */
	CM_RUN_RETURN_ONLY = 1 << 1,
	/* Each call says its line (cm_call.line). */
	CM_RUN_CALL_LINES = 1 << 2,
	/* A call that cm_run_approve does not cover comes as CM_STEP_ASK. */
	CM_RUN_ASK = 1 << 3,
	/* cm_run_sites lists the calls that the script can make. */
	CM_RUN_SITES = 1 << 4,
	/* The evaluator runs the script, an engine of our own inside of the
	 * place, and not QuickJS behind its wall. */
	CM_RUN_EVALUATOR = 1 << 5
};

/*
 * A run with a start can be made again. Given the same start, script, catalog,
 * store, data, limits and flags, and the same answers at the same times, it
 * makes the same calls, output and result in every place: its clock stands
 * still while the script computes and shows epoch_ms plus the time of what the
 * script got last, in UTC; all its randomness comes from the seed; the script
 * has neither WeakRef nor FinalizationRegistry. See doc/guide/replay.md.
 *
 * What the owner says (cm_run_resolve, _reject, _stopped, _warn) waits for the
 * next cm_run_next, whose now_ms is its time, and reaches the script one by one
 * in the order in which it was said, timers in between. An answer that cannot
 * be used is then CM_OK: only the script is told.
 */
typedef struct cm_start {
	/* Milliseconds since 1970 at the first cm_run_next, up to the year
	 * 2540. */
	int64_t epoch_ms;
	unsigned char seed[32];
	/* Gets the lines of a record (doc/format/record.md), each a JSON
	 * object, from within cm_run_next. NULL: none. It must not call
	 * functions of the run. */
	void (*log)(void *ctx, cm_text line);
	void *ctx;
} cm_start;

/* Grows at its end: a program that was built with a shorter one gets the
 * defaults of what that lacks; a longer one is CM_EMISUSE only if a member is
 * set that this library does not know. */
typedef struct cm_run_options {
	size_t size;         /* sizeof(cm_run_options)                     */
	cm_text store;       /* JSON object: what load() finds; empty: {}  */
	const cm_host *host; /* NULL: the machine's. Borrowed until free   */
	cm_place *place;     /* NULL: inline. Borrowed until free          */
	unsigned flags;      /* CM_RUN_* or-ed together                    */
	cm_limits limits;
	cm_text data; /* JSON: the global `data`; empty: there is none */
	const cm_start *start; /* copied; NULL: a run that is not made again */
} cm_run_options;

#define CM_RUN_OPTIONS_INIT                                               \
	{                                                                 \
		sizeof(cm_run_options), {NULL, 0}, NULL, NULL, 0,         \
		    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {NULL, 0}, NULL \
	}

typedef enum cm_step_kind {
	CM_STEP_CALL,
	CM_STEP_ASK,
	CM_STEP_ABORT,
	CM_STEP_PRINT,
	CM_STEP_WAIT,
	CM_STEP_DONE
} cm_step_kind;

typedef struct cm_call {
	cm_call_id id;
	cm_text space; /* as in cm_tool */
	cm_text name;
	cm_text path;  /* as cm_catalog_get gives it                      */
	cm_text args;  /* JSON; empty: the script passed nothing          */
	uint32_t line; /* of the script, from 1; 0 without CM_RUN_CALL_LINES
	                  or a start, and where it is not known          */
	uint64_t issued_ms; /* on your clock: when the script made it     */
} cm_call;

typedef enum cm_print_kind {
	CM_PRINT_TEXT,    /* text()             */
	CM_PRINT_CONSOLE, /* console.*()        */
	CM_PRINT_IMAGE,   /* image()            */
	CM_PRINT_AUDIO,   /* audio()            */
	CM_PRINT_RESOURCE /* file(), resource() */
} cm_print_kind;

/* What a script hands on of media is in the form of MCP's content blocks. */
typedef struct cm_print {
	cm_print_kind kind;
	cm_text text;      /* of images and audio: base64; of resources: JSON of
	                      a block, `resource` or `resource_link` */
	cm_text mime_type; /* of images and audio */
	cm_text extra;     /* of images and audio that came with them: JSON
	                      object of `annotations` and `_meta`; else empty */
} cm_print;

typedef enum cm_end {
	CM_END_OK,      /* value is the JSON it returned                   */
	CM_END_SCRIPT,  /* it threw, did not parse, or broke a limit       */
	CM_END_TIMEOUT, /* limits.wall_ms or limits.polls                  */
	CM_END_ABORTED, /* cm_run_cancel or cm_run_interrupt               */
	CM_END_SANDBOX  /* the engine broke: never the script's own doing  */
} cm_end;

/* What went wrong, and where. Texts may be empty. */
typedef struct cm_fault {
	cm_text code;    /* "SyntaxError", "CallLimit", "UnknownTool" ...  */
	cm_text name;    /* "TypeError"                                    */
	cm_text message; /* a tool's own words, when a tool failed         */
	cm_text tool;    /* path of the tool whose call failed             */
	cm_text stack;
	cm_text excerpt; /* the line of source, and a caret under the place */
	cm_text fields;  /* JSON object: the error's own members           */
	cm_text cause;   /* JSON: its cause, as doc/result.md says         */
	cm_text errors;  /* JSON array: those of an AggregateError         */
	uint32_t line;   /* from 1; 0 when there is no place               */
	uint32_t column; /* from 1, in UTF-16 units                        */
} cm_fault;

typedef struct cm_done {
	cm_end end;
	cm_text value; /* JSON; empty: undefined */
	cm_fault fault;
} cm_done;

/* Call next when one of your calls was answered, when handle has something to
 * read (or room to write), and at until_ms at the latest. */
typedef struct cm_wait {
	uint64_t until_ms; /* on your clock; UINT64_MAX: no matter when       */
	int handle;        /* a descriptor to poll, -1: none                  */
	int writable;      /* not 0: poll it for writing, too                 */
	uint32_t calls;   /* of yours, in flight: those told to stop included */
	int busy;         /* not 0: the script computes, in another process  */
	uint32_t issued;  /* calls that the script has made so far           */
	uint32_t applied; /* of a run with a start: answers it has got       */
} cm_wait;

typedef struct cm_step {
	cm_step_kind kind;
	union {
		cm_call call;
		cm_call_id abort;
		cm_print print;
		cm_wait wait;
		cm_done done;
	} u;
} cm_step;

/*
 * The script is the body of an async function: await and return at the top.
 * What models write around that is understood: Markdown fences, TypeScript
 * that only needs erasing, `export default`, a lone function (it is called), a
 * last expression (it is returned), a script quoted as one JSON string. Lines
 * keep their numbers.
 *
 * A bad script is the run's outcome, not an error here. cat and opts may be
 * NULL: no tools; the defaults. CM_EINPUT: opts->store is not a JSON object,
 * opts->data is not JSON, or the epoch_ms of opts->start is out of range.
 * CM_EMISUSE: a place together with a host that has clocks of its own, or a
 * start together with a host.
 * CM_ELIMIT: script, store or data has more than 1 GiB. */
CM_API cm_status cm_run_new(
    cm_catalog *cat, cm_text script, const cm_run_options *opts, cm_run **out);

/* At any moment, also halfway: calls in flight are forgotten, not awaited. In a
 * process place it waits until the template has made the next spare process: 5 s
 * where the template is stopped. */
CM_API void cm_run_free(cm_run *run);

/*
 * The one function that makes the script advance.
 *
 * now_ms is any clock that never goes back; when opts->host has a now_ms, the
 * same one. Texts in *step live until the next cm_ call on this run. After
 * CM_STEP_DONE it keeps answering CM_STEP_DONE. CM_ENOMEM: the run cannot go
 * on, and each later cm_run_next says so, too.
 */
CM_API cm_status cm_run_next(cm_run *run, uint64_t now_ms, cm_step *step);

/*
 * The call gave this JSON (empty: undefined). In any order, each call once;
 * the script moves at the next cm_run_next. CM_ENOCALL: the script does not
 * wait for this answer (the run ended, or the call was told to stop): it is
 * not delivered, and the call is over.
 * CM_ENOMEM: nothing happened, say it again or cancel the run.
 * CM_EINPUT, CM_ELIMIT: json is not JSON in UTF-8, or is over limits.result;
 * the call is settled all the same: the script gets an error that says so.
 */
CM_API cm_status cm_run_resolve(cm_run *run, cm_call_id id, cm_text json);

/* A failed call. The script's await throws an Error with this message. */
typedef struct cm_failure {
	cm_text name;    /* empty: "Error" */
	cm_text message; /* one that is not UTF-8 is replaced by a text */
	cm_text members; /* JSON object: further members of the Error, or empty;
	                    what is no JSON object is left out */
} cm_failure;
/* CM_ENOCALL as for cm_run_resolve. CM_EINPUT: the name is not UTF-8; the call
 * is settled all the same. */
CM_API cm_status cm_run_reject(
    cm_run *run, cm_call_id id, const cm_failure *failure);

/* Calls that may be made. */
typedef struct cm_approval {
	cm_text path; /* as in cm_call; or "github.*", "*", as in cm_site */
	cm_text args; /* JSON: only with these arguments; empty: with any */
} cm_approval;

/*
 * A run with CM_RUN_ASK gives you CM_STEP_CALL only for calls that you have
 * approved, whatever the script, its list of calls or a compromised worker
 * sends. Any other call comes as CM_STEP_ASK first. From then on it is in
 * flight, and its timeoutMs runs: approve it, and it comes as CM_STEP_CALL; or
 * reject it, or answer it without making it. The order of members in arguments
 * does not matter, and no arguments count as {}.
 *
 * Approves the calls that approval covers; those that wait follow as
 * CM_STEP_CALL. NULL: for calls to come, no approval holds any more.
 * CM_EMISUSE: the run has no CM_RUN_ASK. CM_EINPUT: the path is empty, or args
 * are not JSON. CM_ELIMIT: one of them has more than 64 KiB, or there are
 * 10,000 approvals.
 */
CM_API cm_status cm_run_approve(cm_run *run, const cm_approval *approval);

/* Approves one call that came as CM_STEP_ASK. CM_ENOCALL: it does not wait for
 * approval (any more). */
CM_API cm_status cm_run_approve_call(cm_run *run, cm_call_id id);

/* With CM_RUN_SITES: the calls that the script can make, in the form of `calls`
 * in codemode-check(1); the place of the script makes the list, before the
 * first call. A JSON array; empty: not known yet. Lives until cm_run_free. A
 * compromised worker may send a wrong list: approve only calls that you have
 * shown or decided on yourself. */
CM_API cm_text cm_run_sites(const cm_run *run);

/* A call that CM_STEP_ABORT told you to stop is over without an answer. Until
 * you say so, or answer it, it counts against the limits of calls at once; the
 * end of the run does not wait for it. If you cannot know when it is over, say
 * so at once. CM_ENOCALL: that call was not told to stop, or it is over. */
CM_API cm_status cm_run_stopped(cm_run *run, cm_call_id id);

/* Ends the run with CM_END_ABORTED at the next cm_run_next, with this reason
 * as the message (empty: "Execution aborted"). A script that has ended already
 * keeps its end. Bytes that are not UTF-8 become U+FFFD, and what is longer
 * than 64 KiB is cut at a character. CM_ENOMEM: the run goes on; try again. */
CM_API cm_status cm_run_cancel(cm_run *run, cm_text reason);

/* Adds a warning to the result: something that the reader of the result
 * should know and the script could not see, such as an answer that had to be
 * mended. At most 100 are kept; the message is cut and mended as a reason of
 * cm_run_cancel is. CM_EMISUSE: the owner has had CM_STEP_DONE. */
CM_API cm_status cm_run_warn(cm_run *run, cm_text message);

/* Like cm_run_cancel, from another thread or a signal handler, also while the
 * script computes. The run must not be freed meanwhile. */
CM_API void cm_run_interrupt(cm_run *run);

/*
 * The whole result as one JSON object: ok, value, output, calls, storeWrites,
 * warnings, error, stats (doc/result.md). After CM_STEP_DONE only; lives until
 * cm_run_free. CM_EMISUSE before that.
 */
CM_API cm_status cm_run_result(cm_run *run, cm_text *json);

/* What the options line of the script asks for as max_output_tokens: the owner
 * cuts what it shows. UINT64_MAX: it does not ask, or was not read so far. */
CM_API uint64_t cm_run_output_tokens(const cm_run *run);

/* Names the engine, its wasm's hash, the environment, all limits, and the flags
 * that a script can notice: a script does the same in two runs with equal
 * fingerprints when tools, store, answers and host are the same. Lives as long
 * as the run. */
CM_API cm_text cm_run_fingerprint(cm_run *run);

/* ---------------------------------------------------- 5. A small driver */

/* For hosts that want one blocking function. Written with the functions above
 * and nothing else (src/api/drive.c). All members may be NULL. */
typedef struct cm_driver {
	/* Answer with cm_run_resolve or cm_run_reject, now or from a later
	 * call or wait. NULL: every call is refused. One that is not approved
	 * (CM_RUN_ASK) is rejected with the code NotAllowed. */
	void (*call)(void *ctx, cm_run *run, const cm_call *call);
	/* Stop it, and say cm_run_stopped now or later. NULL: cm_run_drive
	 * says it at once. */
	void (*abort)(void *ctx, cm_run *run, cm_call_id id);
	void (*print)(void *ctx, const cm_print *print);
	/* Block until something was answered, wait->handle has news or
	 * until_ms has come. NULL: the handle and the time are waited for;
	 * while a call is unanswered the run is cancelled. */
	void (*wait)(void *ctx, cm_run *run, const cm_wait *wait);
	uint64_t (*now_ms)(void *ctx); /* NULL: the machine's */
	void *ctx;
} cm_driver;

/* Texts in *done live until cm_run_free. */
CM_API cm_status cm_run_drive(
    cm_run *run, const cm_driver *driver, cm_done *done);

#ifdef __cplusplus
}
#endif
#endif
