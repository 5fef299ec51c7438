/* SPDX-License-Identifier: MIT */
/*
 * run.h -- the shell of one script: turns what the engine says and the
 * scheduler decides into steps, and keeps the record for the result.
 *
 *   owner ── run_next ──► engine.turn ── said ──► gate ──► record, sched
 *     ▲                                                        │
 *     └────────────────────── steps ◄──────────────────────────┘
 *
 * Shared by the files of this room and by src/api, which shows it as cm_run.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include <codemode/codemode.h>

#include "base/json.h"
#include "catalog/catalog.h"
#include "engine/engine.h"
#include "gate/gate.h"
#include "sched/group.h"
#include "sched/sched.h"

typedef enum call_status {
	CALL_UNSTARTED,
	CALL_RUNNING,
	CALL_OK,
	CALL_ERROR,
	CALL_CANCELLED
} call_status;

/* A block of memory that lives until a turn is over, or to the end. */
typedef struct block {
	char *ptr;
	size_t len;
} block;

/* One call, from its issue to the result's calls[]. */
typedef struct call_record {
	uint32_t tool;
	uint32_t group;  /* 0: none; r->group[group - 1] */
	uint32_t member; /* its number in the group */
	call_status status;
	bool given_up; /* the script was told that it will not begin */
	uint64_t start_ms, end_ms; /* on the owner's clock */
	bool unstamped; /* end_ms is set at the next cm_run_next */
	uint64_t arg_bytes, result_bytes;
	uint64_t timeout_ms; /* UINT64_MAX: none */
	char *args;          /* until it is settled */
	uint32_t line; /* of the script, where it was made; 0: not known */
	char *error;   /* message of its failure, or NULL */
	size_t error_len;
} call_record;

/* Calls of one codemode.race or codemode.all. */
typedef struct run_group {
	group g;
	uint8_t *member; /* the machine's table     */
	uint32_t *call;  /* the call of each member */
} run_group;

/* Something printed; text and mime type in one block. */
typedef struct output_item {
	cm_print_kind kind;
	char *text;
	size_t text_len, mime_len;
} output_item;

/* A timer of the script that has neither fired nor been cleared. */
typedef struct run_timer {
	uint64_t due_ms; /* on the owner's clock */
	uint32_t id;
} run_timer;

struct cm_run {
	const cm_alloc *alloc;
	catalog *catalog; /* NULL: no tools */
	cm_limits limits; /* defaults filled in */
	uint64_t wall_ms; /* limits.wall_ms, or less by the options line */
	engine_host host;
	block script, store;
	unsigned flags;

	const engine_port *port;
	engine *engine;
	_Atomic(engine *) running; /* for interrupts */
	atomic_bool interrupted;
	cm_place *place; /* NULL: inline */
	gate_limits gate_limits;
	gate gate;
	sched sched;
	sched_call *sched_table;
	sched_lane all;   /* places for calls when only they are limited */
	sched_lane *lane; /* see lanes.c; &all, or lanes of our own */
	uint32_t lanes;
	uint32_t shares; /* tools that have a lane of their own */
	uint32_t member_at, member_tool; /* cursor of tools.c */
	uint32_t near_asked; /* how often tools.c looked for what was meant */

	call_record *call;
	size_t calls_cap;
	run_group *group;
	size_t groups, groups_cap;
	output_item *item;
	size_t items, items_cap, items_shown;
	block *warning;
	size_t warnings, warnings_cap;

	uint32_t unstamped_from, unstamped_to; /* calls; equal: none is */
	uint64_t next_timeout_ms; /* of a call that runs; UINT64_MAX */

	run_timer *timer; /* the pending ones, in any order */
	size_t timers, timers_cap;
	uint64_t next_timer_ms; /* UINT64_MAX: none is pending */
	uint64_t step_ms;       /* host.now_ms when run_next began */

	uint32_t ready; /* calls below were made in turns that are over */
	bool begun;
	bool turn_due; /* the engine has an answer to take, or is to begin */
	bool told; /* the owner has had CM_STEP_DONE */
	bool cancelled;
	block reason; /* of cm_run_cancel */
	uint64_t first_ms, now_ms, deadline_ms, end_ms;
	cm_status status; /* CM_ENOMEM once memory was refused */
	verdict broken;   /* code set: the gate refused to believe */

	cm_end end;
	block value, writes, fault; /* JSON as said */
	cm_fault error;             /* read from fault */
	buf error_text;             /* holds the texts of error */
	buf result;
	char fingerprint[512];
};

static inline uint32_t
at_most(uint32_t max, uint64_t n)
{
	return n < max ? (uint32_t)n : max;
}

/* The script has ended, or is to end: nothing more is delivered to it. */
static inline bool
run_is_over(const cm_run *r)
{
	return r->sched.phase != SCHED_OPEN;
}

/* And every call is closed: CM_STEP_DONE. */
static inline bool
run_has_ended(const cm_run *r)
{
	return r->sched.phase == SCHED_ENDED;
}

/* --------------------------------------------------------------- run.c */

cm_status run_new(const cm_alloc *alloc, catalog *c, text script,
    const cm_run_options *opts, cm_run **out);
void run_free(cm_run *r);
/* The script was read; its options line allows so many ms. */
void run_prepared(cm_run *r, uint64_t timeout_ms);
cm_status run_next(cm_run *r, uint64_t now_ms, cm_step *step);
cm_status run_cancel(cm_run *r, text reason);
void run_interrupt(cm_run *r);
cm_status run_warn(cm_run *r, text message);

/* -------------------------------------------------------------- lanes.c */

/* Sets the scheduler up, with the places that the limits allow. */
void lanes_init(cm_run *r);
void lanes_free(cm_run *r);
/* The script calls the tool of this number. Returns the call's number. */
uint32_t lanes_issue(cm_run *r, uint32_t number);

/* ------------------------------------------------------------- groups.c */

/* The script races these calls, or waits for all of them: a JSON array. */
void groups_add(cm_run *r, bool all, json calls);
/* That call was settled: calls that lose by it are stopped. */
void groups_settled(cm_run *r, uint32_t call, bool failed);
/* The run is over. */
void groups_over(cm_run *r);
void groups_free(cm_run *r);

/* -------------------------------------------------------------- calls.c */

/* What the engine says, from the sink. */
void run_said(void *run, const said *m, verdict *v);
/* See cm_run_resolve, cm_run_reject and cm_run_stopped. */
cm_status run_resolve(cm_run *r, cm_call_id id, text value);
cm_status run_reject(cm_run *r, cm_call_id id, const cm_failure *f);
cm_status run_stopped(cm_run *r, cm_call_id id);
/* It is now the time at which the last answers came. */
void run_stamp_answers(cm_run *r);
/* Ends the calls whose own time is over; the script gets an error for each. */
void run_time_out_calls(cm_run *r);
/* Stops a call that lost in its group; the script gets an error that says
 * why. */
void run_lose(cm_run *r, uint32_t call, const char *why);
/* The call failed and the script did not look: a warning in the result. */
void run_report(cm_run *r, uint32_t call);
/* A call with a timeout has started. */
void run_note_timeout(cm_run *r, const call_record *c);

/* ------------------------------------------------------------- timers.c */

void timers_set(cm_run *r, uint64_t ms);
void timers_clear(cm_run *r, uint32_t id);
/* Fires those whose time has come, the earliest first. */
void timers_fire(cm_run *r);

/* ------------------------------------------------------------- record.c */

/* A copy of t in a block of the run's; ptr NULL: no memory. */
block block_copy(const cm_run *r, text t);
/* The same; CM_ENOMEM is kept in r->status, and so ends the run. */
block run_copy(cm_run *r, text t);
void run_drop(cm_run *r, block *b);
/* A text that was written into b lacks something when there was no memory. */
void run_keep_status(cm_run *r, const buf *b);
text block_text(block b);
void record_item(cm_run *r, const said *m);
/* CM_ENOMEM: it is not recorded. */
cm_status record_warning(cm_run *r, text warning);
/* A warning {"message": …} of ours, from any bytes. */
cm_status record_words(cm_run *r, text message);
void record_free(cm_run *r);

/* -------------------------------------------------------------- tools.c */

engine_tools run_tools(cm_run *r);

/* -------------------------------------------------------------- fault.c */

/* Bytes of a reason, a warning or a failure's message that are kept. */
#define WORDS_MAX (64u << 10)

/* Ends the run with a fault of ours; message may be any bytes. */
void run_fail(
    cm_run *r, cm_end end, const char *code, const char *name, text message);
/* Fills r->error from r->fault. */
void run_read_fault(cm_run *r);
/* ------------------------------------------------------------- result.c */

cm_status run_result(cm_run *r, text *out);
cm_done run_done(const cm_run *r);

#endif
