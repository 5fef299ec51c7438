/* SPDX-License-Identifier: MIT */
/*
 * engine.h -- the port: what an engine is asked, and what it says.
 *
 * An engine runs one script. It is asked to start, to take answers and to
 * turn; it speaks only through engine_sink, in the messages of `said`. What it
 * says has yet to pass the gate (place/gate.h): an engine is not believed.
 * Values never cross, only their JSON.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "base/buf.h"

typedef enum said_kind {
	SAID_CALL,  /* a tool is called                     */
	SAID_PRINT, /* text(), console.*(), image()         */
	SAID_WARN,  /* something the model should know      */
	SAID_DONE,  /* the script returned or called exit() */
	SAID_FAIL   /* the script threw, or broke a limit   */
} said_kind;

typedef enum print_kind { PRINT_TEXT, PRINT_CONSOLE, PRINT_IMAGE } print_kind;

/* One message; its texts live until the sink returns. */
typedef struct said {
	said_kind kind;
	union {
		struct {
			uint32_t id;   /* 1, 2, 3 ...                        */
			uint32_t tool; /* index in engine_tools              */
			text args;     /* JSON; empty: nothing was passed    */
			uint64_t timeout_ms; /* UINT64_MAX: none      */
		} call;
		struct {
			print_kind kind;
			text text; /* base64 for images */
			text mime; /* of images         */
		} print;
		text warn; /* JSON {message, stack?, tool?} */
		struct {
			text value;  /* JSON; empty: undefined                  */
			text writes; /* JSON array of [key, value] and [key]    */
		} done;
		text fail; /* JSON {message, name?, stack?, code?, tool?, …} */
	} u;
} said;

/* Whether the message was taken. A refusal names the limit: the environment
 * tells the script, and the run ends or goes on as the engine's text says. */
typedef struct verdict {
	const char *code; /* NULL: taken; else "OutputLimit", "CallLimit" … */
	char why[160];
} verdict;

typedef struct engine_sink {
	void *ctx;
	void (*say)(void *ctx, const said *m, verdict *v);
} engine_sink;

typedef struct engine_tool {
	text name; /* what the script writes in its namespace */
	text path; /* with the namespace: "github.create_issue" */
	text description;
} engine_tool;

/* The tools a script can call, asked for as it looks at them. Spaces and tools
 * are numbered; space -1 is `tools` itself. */
typedef struct engine_tools {
	void *ctx;
	uint32_t len;
	/* 1: *index is a tool; 2: *index is a space; 0: there is neither. */
	int (*find)(void *ctx, int32_t space, text name, uint32_t *index);
	void (*get)(void *ctx, uint32_t tool, engine_tool *out);
	/* Names of the members of a space, one after the other; false behind
	 * the last. */
	bool (*member)(void *ctx, int32_t space, uint32_t i, text *name);
	/* "tools.x does not exist. Did you mean …" */
	void (*unknown)(void *ctx, int32_t space, text name, buf *message);
} engine_tools;

/* Time and chance of one run; all of these are set. */
typedef struct engine_host {
	void *ctx;
	uint64_t (*now_ms)(void *ctx);
	int64_t (*epoch_us)(void *ctx);
	void (*random)(void *ctx, void *bytes, size_t len);
	int32_t (*zone)(void *ctx, int64_t epoch_s);
	bool real; /* now_ms is the machine's own clock: timers may help */
} engine_host;

typedef struct engine_start {
	const cm_alloc *alloc;
	text code; /* valid UTF-8 without NUL */
	engine_tools tools;
	engine_host host;
	engine_sink sink;
	text store;          /* checked JSON object, or empty */
	uint64_t heap;       /* bytes of values               */
	uint64_t polls;      /* interrupt polls; UINT64_MAX: none */
	uint64_t deadline_ms; /* on host.now_ms; UINT64_MAX: none */
} engine_start;

typedef enum engine_state {
	ENGINE_WAITS,   /* for answers; or for ever, when none is due  */
	ENGINE_ENDED,   /* it said SAID_DONE or SAID_FAIL              */
	ENGINE_TIMEOUT, /* the deadline or the polls ran out           */
	ENGINE_STOPPED, /* engine_stop                                 */
	ENGINE_BROKEN   /* engine_why says how; never the script's doing */
} engine_state;

/* One line per engine, so that a run need not know which it has. */
typedef struct engine engine;
typedef struct engine_port {
	const char *name;
	/* Borrows everything in *start until close. CM_EENGINE, CM_ENOMEM. */
	cm_status (*open)(const engine_start *start, engine **out);
	/* Answers a call: JSON, or a failure {message, name, members}. Taken
	 * at the next turn. */
	cm_status (*resolve)(engine *e, uint32_t id, text json);
	cm_status (*reject)(engine *e, uint32_t id, text name, text message,
	    text members);
	/* Starts the script, later delivers answers; runs until it waits. */
	engine_state (*turn)(engine *e);
	/* From any thread or signal handler, while open. */
	void (*stop)(engine *e);
	const char *(*why)(const engine *e);
	/* Bytes of memory of the script's values. */
	uint64_t (*memory)(const engine *e);
	void (*close)(engine *e);
	/* Names version, hash of the module, hash of the environment. */
	const char *(*fingerprint)(void);
} engine_port;

extern const engine_port engine_quickjs;

#endif
