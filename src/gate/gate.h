/* SPDX-License-Identifier: MIT */
/*
 * gate.h -- checks every message of an engine before the run sees it.
 *
 * A script may have taken the engine over, so no message is believed. Each
 * message must come in its place (G1), be well formed (G2) and keep within the
 * run's limits (G3). An honest engine never violates G1 or G2, so a violation
 * ends the run as a broken sandbox. A script can violate G3, so the message is
 * refused, with a reason for the script.
 */
#ifndef GATE_GATE_H
#define GATE_GATE_H

#include "said.h"

typedef struct gate_limits {
	uint32_t tools;  /* how many there are                 */
	uint64_t calls;  /* issued in all                      */
	uint64_t output; /* UTF-16 units of texts and images   */
	uint64_t items;  /* texts and images                   */
	uint64_t value;  /* bytes of JSON returned             */
	uint64_t args;   /* bytes of JSON of one call          */
} gate_limits;

typedef struct gate {
	gate_limits limits;
	uint64_t calls, output, items, warnings;
	uint64_t args;    /* bytes of the calls that were not answered yet */
	uint64_t grouped; /* calls in groups */
	uint64_t timers, timers_over; /* set in all; fired or cleared */
	bool prepared; /* PREPARED was said */
	bool ended;
} gate;

typedef enum gate_answer {
	GATE_PASS,
	GATE_DROP,    /* an honest engine's, but there are enough (warnings) */
	GATE_REFUSED, /* over a limit; the verdict says which */
	GATE_BROKEN   /* the verdict says how                 */
} gate_answer;

#define GATE_TEXT_MAX   (1u << 30) /* bytes of one text, whatever is allowed */
#define GATE_DEPTH      65536      /* nesting of JSON that an engine may say */
#define GATE_WARNINGS   100        /* kept of one run                        */
#define GATE_TIMERS     1000       /* pending at once                        */
#define GATE_ARGS       4 /* calls with the largest arguments that may wait */
#define GATE_FAULT_MAX  (32u << 20)
#define GATE_WARN_MAX   (512u << 10)
#define GATE_WRITES_MAX (32u << 20)

/* Bytes of the longest text that one PRINT may have. */
uint64_t gate_print_max(const gate_limits *l);

void gate_init(gate *g, const gate_limits *limits);
/* What always holds of the counters. The run asserts it with each message, the
 * explorer (test/sim/shell.c) asks it after each event. */
bool gate_ok(const gate *g);
gate_answer gate_check(gate *g, const said *m, verdict *v);
/* A call with arguments of so many bytes was answered, or given up. */
void gate_call_over(gate *g, uint64_t args);

#endif
