/* SPDX-License-Identifier: MIT */
/*
 * script_parts.h -- what the files of this room share.
 */
#ifndef SCRIPT_SCRIPT_PARTS_H
#define SCRIPT_SCRIPT_PARTS_H

#include "script.h"

#include "source/check.h"
#include "source/explain.h"

#include <stdatomic.h>

enum { SEEN_BYTES = 2048, SEEN_TOOLS = 16 };

/* The beginning of the last answer of a tool. */
typedef struct seen_result {
	uint32_t tool; /* its number in the catalog */
	uint32_t len;  /* bytes of text */
	char text[SEEN_BYTES];
} seen_result;

/* A call without an answer when the script ended. */
typedef struct left_call {
	uint32_t id;
	uint32_t line; /* where it was made; 0: not known */
	bool awaited;  /* something waits for its promise */
	bool told;     /* since a warning names it */
} left_call;

struct engine {
	engine_start start;
	struct engine *inner; /* ours; NULL until the script was prepared */
	_Atomic(struct engine *) running; /* inner, for 'stop' of any thread */
	atomic_bool stopped;              /* since 'stop' */
	engine_state state;               /* of the last turn */
	const char *why; /* of ENGINE_BROKEN, unless inner tells it */
	source_prepared source;
	bool prepared;  /* source is set, and ours */
	bool printed;   /* since the first print */
	bool checked;   /* since 'script_check' */
	bool no_memory; /* the allocator refused: ENGINE_NO_MEMORY follows */
	uint32_t *tool; /* of each call, by its number - 1 */
	size_t calls, calls_cap;
	seen_result *seen;
	size_t seens, seen_cap;
	left_call *left;
	size_t lefts, lefts_cap;
	bool exited; /* it ended by exit(), with something undone */
	bool undone; /* calls, timers or promise jobs were pending at the end */
	unsigned questions; /* asked about tools by checks and explanations */
};

/* How a script ended: what decides which warnings it gets. */
typedef struct script_end {
	bool failed;   /* it threw, or was refused */
	bool value;    /* it returned something    */
	uint32_t line; /* of the error; 0: none    */
} script_end;

/* ----------------------------------------------------------- script_say.c */

/* The sink of the inner engine; ctx is ours. */
void script_say(void *ctx, const said *m, verdict *v);
/* Gives the message to the run. */
void script_pass(engine *e, const said *m, verdict *v);
/* A failure of our own, before the engine ran. line 0: no place. */
void script_refuse(engine *e, const char *code, const char *name, text message,
    uint32_t line, uint32_t column);

/* --------------------------------------------------------- script_fault.c */

/* Line and column (in bytes) of a stack's first frame in the script; 0: none.
 * Both are those of the script as given. */
void script_place(
    const engine *e, text stack, uint32_t *line, uint32_t *column);
/* The script's line n (from 1), without its end. */
text script_line(const engine *e, uint32_t n);
/* Appends the engine's error with its place, excerpt and a better message.
 * *line is the error's line; 0: none. */
void script_explain(engine *e, json fault, buf *out, uint32_t *line);

/* --------------------------------------------------------- script_check.c */

/* Keeps the beginning of a tool's answer for explanations. */
void script_note_result(engine *e, uint32_t call, text value);
source_tools script_tools_of(engine *e);
source_seen script_seen_of(engine *e);
/* Says WARN at a line; 0: none. calls: a JSON array, or empty. */
void script_warn(engine *e, const source_problem *p, json calls);
/* Says SITES: which calls of tools the script can make. */
void script_list_calls(engine *e);
/* The script is over: says WARN for each probable mistake. */
void script_check(engine *e, const script_end *end);

/* ---------------------------------------------------------- script_left.c */

/* Keeps what the engine says of one thing that the script left undone. */
void script_note_left(engine *e, json left);
/* Appends, as a JSON array, the calls left that the problem accounts for: those
 * made in its lines, or all when it is the only one. */
void script_take_left(
    engine *e, const source_problem *p, bool only, buf *calls);
/* Says WARN for the places of all other calls left. advice: what to write, if
 * no problem has said it. */
void script_say_left(engine *e, const char *advice);

#endif
