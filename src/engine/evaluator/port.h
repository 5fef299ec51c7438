/* SPDX-License-Identifier: MIT */
/*
 * port.h -- the evaluator as an engine of the port (engine/engine.h).
 *
 *	evaluator.c     opened, turned, closed; what it says
 *	port_json.c     JSON becomes values, plain values become JSON
 *	native_port.c   what lib/port.js and the environment ask of the host
 *
 * C never waits for a script: a turn puts jobs into the machine's queue
 * (functions of lib/port.js) and runs it until nothing is left. What those have
 * to say or to know, they ask of natives.
 */
#ifndef EVALUATOR_PORT_H
#define EVALUATOR_PORT_H

#include "vm.h"

#include "base/json.h"
#include "engine/answers.h"
#include "engine/engine.h"
#include "engine/random.h"
#include "engine/store.h"

/* A call of a tool, number i + 1. Its promise is lib/port.js's. */
typedef struct port_call {
	uint32_t tool;
	bool open; /* no answer was delivered */
	bool grouped;
	bool exact; /* integers of its result become BigInts */
} port_call;

/* A promise that was rejected and has no handler. */
typedef struct port_rejection {
	value promise;
	uint32_t call; /* whose it is, or 0 */
} port_rejection;

struct engine {
	vm *m;
	engine_start start;
	store store;
	unit *script;
	port_call *call;
	size_t calls, calls_cap;
	size_t pending;  /* calls that are open */
	uint32_t timers; /* set so far */
	size_t ticking;  /* and not over */
	answers answers;
	const engine_answer *current; /* that one is being delivered */
	uint32_t failing; /* the call whose promise is being rejected, or 0 */
	bool unseen;      /* and it has no handler */
	port_rejection *rejection;
	size_t rejections, rejections_cap;
	bool started;
	bool ended;     /* the end is known: .end and .last */
	bool reported;  /* and was said */
	bool finishing; /* warnings are being written */
	said_kind end;
	buf last;
	int cut;              /* engine_state: why the turn must stop, or 0 */
	volatile int stopped; /* by engine_stop */
	uint64_t polls;
	random_source random;
	int64_t epoch_us; /* when the script began */
	double last_ms;   /* performance.now() never goes back */
	engine_state state;
	const char *why;
	text rounded; /* the first integer that the latest result rounded */
	uint32_t rounded_tool; /* the one warned of last, from 1; 0: none */
	buf text;              /* for texts on their way in or out */
};

#define PORT_REJECTIONS_MAX 1000

/* The engine's own buffer, emptied. */
buf *port_buf(engine *e);
void port_say(engine *e, const said *m, verdict *v);
/* The script's end; the first one counts. The machine stops. */
void port_done(engine *e, text value);
void port_fail(engine *e, text fault);

/* What becomes of an integer that a double does not hold. */
typedef enum port_integers {
	PORT_ROUND, /* a number; *rounded is the first that was changed */
	PORT_KEEP,  /* a BigInt, where a number would show other digits */
	PORT_EXACT  /* a BigInt, where it is beyond 2^53 */
} port_integers;

/* The value of checked JSON; empty: undefined. Uses a[0 .. 5], which are roots.
 * V_THROWN. rounded may be NULL. */
value port_parse(
    vm *m, value *a, json t, port_integers integers, text *rounded);
/* Appends the JSON of a plain value, a root; may move cells. False: it is not
 * plain, *out is as it was, and environment/convert.js must write it. */
bool port_write(vm *m, value *v, buf *out);

#endif
