/* SPDX-License-Identifier: MIT */
/*
 * sched.h -- which call starts, waits, stops, ends. Decides, and does nothing.
 *
 * Events go in (sched_issued, sched_finished, sched_over), todos come out
 * (sched_todo), one at a time, until there is none. No allocation, no clock,
 * no pointer but to its arguments; the table is the caller's. Calls are
 * numbered 0, 1, 2 … in the order in which they were issued, so the queue is a
 * cursor over the table.
 *
 *   QUEUED ──start──► RUNNING ──finished──► SETTLED
 *     │                  └──over──► STOPPING ──interrupt──► CLOSED
 *     └──over──► CLOSED
 *
 *  L1  At most `at_once` calls are RUNNING.
 *  L2  Each issued call becomes SETTLED or CLOSED, once.
 *  L3  Calls start in the order issued.
 *  L6  After sched_over nothing starts, and each call that runs is
 *      interrupted, once.
 *  L8  At most `budget` calls are issued, waiting ones included.
 */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

typedef enum sched_state {
	SCHED_QUEUED,
	SCHED_RUNNING,
	SCHED_STOPPING, /* it runs, the run is over, nobody told it yet */
	SCHED_SETTLED,  /* it finished                                  */
	SCHED_CLOSED    /* it was interrupted, or never began           */
} sched_state;

typedef struct sched {
	uint8_t *state; /* a sched_state for each call issued */
	uint32_t cap;   /* calls that state has room for      */
	uint32_t issued;
	uint32_t next;    /* calls below have left QUEUED      */
	uint32_t told;    /* when over: calls below are told   */
	uint32_t running; /* calls in RUNNING                  */
	uint32_t at_once;
	uint32_t budget;
	bool over;
} sched;

typedef enum sched_what {
	SCHED_NOTHING,
	SCHED_START,
	SCHED_INTERRUPT
} sched_what;

typedef struct sched_todo {
	sched_what what;
	uint32_t call;
} sched_todo;

void sched_init(sched *s, uint32_t at_once, uint32_t budget);

/* The caller's table, grown: holds what the old one held. */
void sched_table(sched *s, uint8_t *state, uint32_t cap);

/* May another call be issued (L8)? And is there room in the table? */
bool sched_allows(const sched *s);
bool sched_has_room(const sched *s);
/* A call was issued; its number. Asks for sched_allows and sched_has_room. */
uint32_t sched_issued(sched *s);

/* The host has an answer. False: nobody waits for it (any more). */
bool sched_finished(sched *s, uint32_t call);

/* Nobody wants that call any more: if it waits for its turn, it never starts. */
void sched_drop(sched *s, uint32_t call);

/* The script has ended, by whatever route. */
void sched_over(sched *s);

/* What is to be done next. Doing it is the caller's; it is not said twice. */
sched_todo sched_next(sched *s);

/* Did this call start? For the record of calls. */
bool sched_started(const sched *s, uint32_t call);

#endif
