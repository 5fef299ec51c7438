/* SPDX-License-Identifier: MIT */
/*
 * engine.h -- the port: what an engine is asked, and what it says.
 *
 * An engine runs one script. It is asked to start, to take answers and to
 * turn; it speaks only through engine_sink, in the messages of `said`. What it
 * says has yet to pass the gate (gate/gate.h): an engine is not believed.
 * Values never cross, only their JSON.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/buf.h"
#include "gate/said.h"

typedef enum engine_found {
	FOUND_NOTHING,
	FOUND_TOOL,
	FOUND_SPACE,
	FOUND_SPREAD /* a tool whose argument is the array of all arguments */
} engine_found;

enum {
	ENGINE_TOOLS = -1,  /* the space that is `tools` itself */
	ENGINE_GLOBALS = -2 /* those of its members that are globals, too */
};

typedef struct engine_sink {
	void *ctx;
	void (*say)(void *ctx, const said *m, verdict *v);
} engine_sink;

/*
 * The tools a script can call, asked for as it looks at them. Tools and spaces
 * are numbered; ENGINE_TOOLS and ENGINE_GLOBALS are spaces, too. The answers are text, so that an
 * engine in another process can ask the same questions.
 */
typedef struct engine_tools {
	void *ctx;
	/* What a name stands for in a space: FOUND_TOOL (or FOUND_SPREAD) and its number, with
	 * its path ("ident" or "space.ident") appended to *path; FOUND_SPACE
	 * and its number. */
	engine_found (*find)(
	    void *ctx, int32_t space, text name, uint32_t *index, buf *path);
	/* Appends a JSON array: the names of the members of a space. */
	void (*names)(void *ctx, int32_t space, buf *out);
	/* Appends a JSON array: {name, description} of all tools. */
	void (*list)(void *ctx, buf *out);
	/* Appends "tools.x does not exist. Did you mean …" */
	void (*unknown)(void *ctx, int32_t space, text name, buf *out);
	/* Appends the input schema of a tool; nothing: it has none. */
	void (*schema)(void *ctx, uint32_t tool, buf *out);
	/* Appends what codemode.search gives: {hits}, or {error}, a message;
	 * {hits, note} when there are none. space: empty for all. */
	void (*search)(
	    void *ctx, text question, text space, uint32_t limit, buf *out);
	/* Appends what codemode.describe gives; nothing: no tool is written
	 * so. */
	void (*describe)(void *ctx, text written, buf *out);
} engine_tools;

/* All randomness of a script comes from so many bytes. */
#define ENGINE_SEED 32u

/* Time and randomness of one run; all of these are set. */
typedef struct engine_host {
	void *ctx;
	uint64_t (*now_ms)(void *ctx);
	int64_t (*epoch_us)(void *ctx);
	/* The engine asks once, for ENGINE_SEED bytes. */
	void (*random)(void *ctx, void *bytes, size_t len);
	int32_t (*zone)(void *ctx, int64_t epoch_s);
	/* Appends the tzdata file (TZif) of the time zone of that name, a
	 * character for each byte; for the empty name, the name of the zone
	 * that `zone` is about. Nothing: there is none, or it is not known. */
	void (*zone_file)(void *ctx, text name, buf *out);
	bool real; /* now_ms is the machine's own clock: timers may help */
	/* The run can be made again (cm_start): epoch_us stands still between
	 * deliveries, each call says its line, and the script has nothing that
	 * tells when memory is collected. */
	bool fixed;
} engine_host;

typedef struct engine_start {
	const cm_alloc *alloc;
	text code; /* valid UTF-8 without NUL; for script.h any bytes */
	engine_tools tools;
	engine_host host;
	engine_sink sink;
	text store;           /* checked JSON object, or empty */
	text data;            /* checked JSON, or empty: no global of it */
	uint64_t heap;        /* bytes of values               */
	uint64_t polls;       /* interrupt polls; UINT64_MAX: none */
	uint64_t deadline_ms; /* on host.now_ms; UINT64_MAX: none */
	/* For script.h: how the text is to be read (source/prepare.h). */
	uint64_t source_max; /* bytes */
	bool raw, plain_last;
	bool call_lines;   /* each call says its line, as with host.fixed */
	bool globals;      /* there are members of ENGINE_GLOBALS */
	bool sites;        /* for script.h: SAID_SITES is wanted */
	bool evaluator; /* for script.h: that engine runs it, not QuickJS */
	const void *where; /* what the port needs besides; NULL: nothing */
} engine_start;

typedef enum engine_state {
	ENGINE_WAITS,    /* for answers; or for ever, when none is due  */
	ENGINE_ENDED,    /* it said SAID_DONE or SAID_FAIL              */
	ENGINE_TIMEOUT,  /* the deadline or the polls ran out           */
	ENGINE_STOPPED,  /* engine_stop                                 */
	ENGINE_BROKEN,   /* engine_why says how; never the script's doing */
	ENGINE_NO_MEMORY /* start.alloc refused */
} engine_state;

/* One line per engine, so that a run need not know which it has. */
typedef struct engine engine;
typedef struct engine_port {
	const char *name;
	/* What a process can do beforehand that will be forked for scripts:
	 * each child's first open is quick then. NULL: nothing. */
	void (*prepare)(void);
	/* Borrows everything in *start until close. CM_EENGINE, CM_ENOMEM. */
	cm_status (*open)(const engine_start *start, engine **out);
	/* Answers a call: JSON, or a failure {message, name, members}. Where
	 * `code` is the last member, the script ends with that code unless it
	 * catches the failure. The texts are copied; the script gets the
	 * answer in the next turn. On CM_ENOMEM nothing was taken. */
	cm_status (*resolve)(engine *e, uint32_t id, text json);
	cm_status (*reject)(
	    engine *e, uint32_t id, text name, text message, text members);
	/* The timer is due; its function runs in the next turn. */
	cm_status (*fire)(engine *e, uint32_t timer);
	/* Starts the script, later delivers answers; runs until it waits. */
	engine_state (*turn)(engine *e);
	/* From any thread or signal handler, while open. */
	void (*stop)(engine *e);
	const char *(*why)(const engine *e);
	/* What there is to wait for between turns: *handle is a descriptor or
	 * -1; the next turn is due by then (on host.now_ms) at the latest. */
	uint64_t (*wait)(const engine *e, int *handle, int *writable);
	/* After turn: is the script's turn still going on elsewhere? */
	bool (*busy)(const engine *e);
	/* Bytes of answers that wait for an engine elsewhere. */
	uint64_t (*behind)(const engine *e);
	/* Milliseconds past its deadline in which it may still say that its time
	 * is over, and what the script printed until then. */
	uint64_t (*grace)(const engine *e);
	/* Bytes of memory of the script's values. */
	uint64_t (*memory)(const engine *e);
	void (*close)(engine *e);
	/* Names version, hash of the module, hash of the environment. */
	const char *(*fingerprint)(void);
} engine_port;

extern const engine_port engine_quickjs;   /* quickjs/qjs.c */
extern const engine_port engine_evaluator; /* evaluator/evaluator.c */

#endif
