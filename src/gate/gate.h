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
	uint32_t tools;  /* in the catalog                     */
	uint64_t calls;  /* issued in one run                  */
	uint64_t output; /* UTF-16 units printed               */
	uint64_t items;  /* texts and media printed            */
	uint64_t value;  /* bytes of JSON returned             */
	uint64_t args;   /* bytes of JSON of one call          */
} gate_limits;

typedef struct gate {
	gate_limits limits;
	uint64_t calls, output, items, warnings; /* passed so far */
	uint64_t args;    /* bytes of the calls without an answer so far */
	uint64_t grouped; /* calls that are in groups */
	uint64_t timers, timers_over; /* set so far; of them fired or cleared */
	bool prepared;                /* since PREPARED */
	bool sited;                   /* since SITES */
	bool ended;                   /* since DONE or FAIL */
} gate;

typedef enum gate_answer {
	GATE_PASS,
	GATE_DROP,    /* ignore it: the run has GATE_WARNINGS warnings    */
	GATE_REFUSED, /* it is over a limit; the verdict says which      */
	GATE_BROKEN   /* no honest engine sends it; the verdict says why */
} gate_answer;

#define GATE_TEXT_MAX   (1u << 30)   /* bytes of one text, under any limits */
#define GATE_DEPTH      65536        /* nesting of JSON in a message        */
#define GATE_WARNINGS   100          /* kept of one run                     */
#define GATE_TIMERS     1000         /* pending at once                     */
#define GATE_ARGS       4            /* limits.args of all pending calls    */
#define GATE_FAULT_MAX  (32u << 20)  /* bytes of FAIL's JSON                */
#define GATE_WARN_MAX   (512u << 10) /* bytes of WARN's JSON, of a stack    */
#define GATE_MIME_MAX   255          /* bytes of a type of audio            */
#define GATE_SITES_MAX  (16u << 20)  /* bytes of SITES' JSON                */
#define GATE_WRITES_MAX (32u << 20)  /* bytes of DONE's store writes        */

/* Bytes of the longest text that one PRINT may have. */
uint64_t gate_print_max(const gate_limits *l);

void gate_init(gate *g, const gate_limits *limits);
/* The invariant of the counters. The run asserts it with each message, the
 * explorer (test/sim/shell.c) checks it after each event. */
bool gate_ok(const gate *g);
gate_answer gate_check(gate *g, const said *m, verdict *v);
/* A call whose arguments have args bytes was answered, or given up. */
void gate_call_over(gate *g, uint64_t args);

#endif
