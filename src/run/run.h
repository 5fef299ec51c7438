/* SPDX-License-Identifier: MIT */
/*
 * run.h -- the shell of one script: turns what the engine says and the
 * scheduler decides into steps, and keeps the record for the result.
 *
 * Each file of this room owns one part of struct cm_run: the part stands here
 * with the functions of its file, and cm_run, at the end, joins them.
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

static inline uint32_t
at_most(uint32_t max, uint64_t n)
{
	return n < max ? (uint32_t)n : max;
}

/* --------------------------------------------------------------- run.c */

/* A block of memory of the run's, freed with the run at the latest. */
typedef struct block {
	char *ptr; /* NULL: there is none */
	size_t len;
} block;

/* What 'run_new' was given; read only from then on. */
typedef struct run_given {
	block script, store;
	block data;       /* JSON, or empty */
	cm_limits limits; /* with the defaults filled in */
	engine_host host; /* with the machine's functions filled in */
	cm_place *place;  /* NULL: inline; the owner's, outlives the run */
	unsigned flags;   /* CM_RUN_... */
	bool fixed;       /* there is a start */
	cm_start start;   /* zeroed without one */
	char fingerprint[512];
} run_given;

/* All on the owner's clock, that of cm_run_next, except step_ms. With a start
 * now_ms follows what happens to the script: it moves on from one event to the
 * next, and only while the script waits. */
typedef struct run_clock {
	uint64_t wall_ms;     /* given.limits.wall_ms, or less by the options
	                         line */
	uint64_t first_ms;    /* of the first run_next */
	uint64_t owner_ms;    /* of the last run_next; never goes back */
	uint64_t now_ms;      /* owner_ms; with a start at most that */
	uint64_t deadline_ms; /* first_ms + wall_ms; UINT64_MAX: none */
	uint64_t end_ms;      /* since run_is_over: when that came */
	uint64_t step_ms;     /* given.host's clock when run_next began */
} run_clock;

typedef struct run_turns {
	_Atomic(engine *) running; /* for run_interrupt, from any thread; NULL
	                              before the first turn and when it is over */
	bool begun;     /* since the first turn: the engine was asked for */
	bool due;       /* the engine has an answer to take, or is to begin */
	uint32_t ready; /* calls below were made in turns that are over */
} run_turns;

/* What the owner asked for from outside; none is taken back. */
typedef struct run_stop {
	atomic_bool interrupted; /* by run_interrupt, from any thread */
	bool cancelled;          /* by run_cancel */
	block reason;            /* of run_cancel */
} run_stop;

cm_status run_new(const cm_alloc *alloc, catalog *c, text script,
    const cm_run_options *opts, cm_run **out);
void run_free(cm_run *r);
/* The script was read; its options line allows timeout_ms. */
void run_prepared(cm_run *r, uint64_t timeout_ms);
cm_status run_next(cm_run *r, uint64_t now_ms, cm_step *step);
cm_status run_cancel(cm_run *r, text reason);
void run_interrupt(cm_run *r);
cm_status run_warn(cm_run *r, text message);

/* -------------------------------------------------------------- fixed.c */

/* Can a clock begin at this moment? */
bool fixed_epoch_fits(int64_t epoch_ms);
/* What a run with a start gets time and randomness from. */
engine_host fixed_host(cm_run *r);
/* Of all that the run was given besides limits and flags. */
uint64_t fixed_inputs_hash(const cm_run *r);

/* ------------------------------------------------------------- events.c */

typedef enum run_event_kind {
	EVENT_RESOLVE,
	EVENT_REJECT,
	EVENT_STOPPED,
	EVENT_WARN
} run_event_kind;

/* What the owner said of a run with a start, and the script has not got. */
typedef struct run_event {
	run_event_kind kind;
	cm_call_id call;
	uint64_t at_ms;    /* on the owner's clock, once it is stamped */
	uint64_t too_long; /* bytes of an answer over limits.result, of which
	                      nothing is kept; else 0 */
	block text[3];     /* value; name, message and members; warning */
} run_event;

typedef struct run_events {
	run_event *event;
	size_t first, len, cap; /* below 'first' they have been applied */
	size_t stamped;         /* from here on they wait for a run_next */
	uint32_t answers;       /* applied so far that the script waited for */
} run_events;

/* For runs with a start: what run_resolve, run_reject, run_stopped and run_warn
 * do for others, put off. */
cm_status events_resolve(cm_run *r, cm_call_id id, text value);
cm_status events_reject(cm_run *r, cm_call_id id, const cm_failure *f);
cm_status events_stopped(cm_run *r, cm_call_id id);
cm_status events_warn(cm_run *r, text message);
/* Those that were said since the last run_next were said now. */
void events_stamp(cm_run *r);
/* When the next one was said; UINT64_MAX: there is none. */
uint64_t events_next_ms(const cm_run *r);
/* Applies the next one, if its time has come. False: it has not. */
bool events_apply(cm_run *r);
void events_free(cm_run *r);

/* ---------------------------------------------------------------- log.c */

/* Lines of the record, for start.log; without one they do nothing. */
void log_call(cm_run *r, cm_call_id id, const said *m);
void log_print(cm_run *r, const said *m);
void log_event(cm_run *r, const run_event *e);
void log_cancel(cm_run *r, text reason);
void log_result(cm_run *r);

/* -------------------------------------------------------------- lanes.c */

/* The limits of calls at a time: a call takes a place in each of its lanes from
 * its start until the owner says that it is over. */
typedef struct run_lanes {
	sched_lane all;   /* when only all calls together are limited */
	sched_lane *lane; /* &all, or a table that lanes.c owns */
	uint32_t len;
	uint32_t shares; /* of the tools, and as many of the namespaces; 0: lane
	                    is &all */
} run_lanes;

/* Sets the scheduler up, with lanes as wide as the limits allow. */
void lanes_init(cm_run *r);
void lanes_free(cm_run *r);
/* The script calls the tool of this number. Returns the call's number. */
uint32_t lanes_issue(cm_run *r, uint32_t number);

/* ------------------------------------------------------------- groups.c */

/* Calls of one codemode.race or codemode.all. */
typedef struct run_group {
	group g;
	uint8_t *member; /* the table of g; g.members long */
	uint32_t *call;  /* the call of each member        */
} run_group;

typedef struct run_groups {
	run_group *group;
	size_t len, cap;
} run_groups;

/* The script waits for the first of these calls, or for all of them. calls is a
 * JSON array of numbers of calls. */
void groups_add(cm_run *r, bool all, json calls);
/* The call was settled: stops the calls of its group that lose by that. */
void groups_settled(cm_run *r, uint32_t call, bool failed);
/* The run is over: groups stop no call from here on. */
void groups_over(cm_run *r);
void groups_free(cm_run *r);

/* -------------------------------------------------------------- calls.c */

typedef enum call_status {
	CALL_UNSTARTED,
	CALL_RUNNING,
	CALL_OK,
	CALL_ERROR,
	CALL_CANCELLED
} call_status;

/* One call, from its issue to the result's calls[]. Times are on the owner's
 * clock. */
typedef struct call_record {
	uint32_t tool;   /* its number in the catalog */
	uint32_t group;  /* 0: none; groups.group[group - 1] */
	uint32_t member; /* its number in the group */
	call_status status;
	bool given_up; /* the script was told that it will not begin */
	bool answered; /* the owner's answer waits to be passed to the script */
	bool asked;    /* since CM_STEP_ASK, until it is approved */
	bool approved; /* since then, until CM_STEP_CALL */
	uint64_t issued_ms; /* when the script made it */
	uint64_t start_ms;  /* since it is CALL_RUNNING */
	uint64_t end_ms;    /* since it is settled */
	bool unstamped;     /* end_ms is set at the next run_next */
	uint64_t arg_bytes, result_bytes;
	uint64_t timeout_ms; /* from start_ms on; UINT64_MAX: none */
	char *args;          /* JSON; NULL since the call is settled */
	uint32_t line;       /* of the script, where it was made; 0: unknown */
	char *error;         /* message of its failure, or NULL */
	size_t error_len;
} call_record;

#define RESULT_DEPTH 20000 /* nesting of a tool's JSON */

typedef struct run_calls {
	call_record *record; /* sched.issued of them, by number */
	size_t cap;
	sched_call *table; /* the table of sched; sched.cap long */
	uint32_t unstamped_from, unstamped_to; /* calls; equal: none is */
	uint64_t next_timeout_ms; /* no call times out before; UINT64_MAX */
} run_calls;

/* The sink of the engine: one thing that it says. */
void run_said(void *run, const said *m, verdict *v);
/* See cm_run_resolve, cm_run_reject and cm_run_stopped. */
cm_status run_resolve(cm_run *r, cm_call_id id, text value);
cm_status run_reject(cm_run *r, cm_call_id id, const cm_failure *f);
cm_status run_stopped(cm_run *r, cm_call_id id);
/* Sets end_ms of the calls that were answered since the last run_next. */
void run_stamp_answers(cm_run *r);
/* Ends the calls whose own time is over; the script gets an error for each. */
void run_time_out_calls(cm_run *r);
/* Stops a call that lost in its group; the script gets an error that says
 * why. */
void run_lose(cm_run *r, uint32_t call, const char *why);
/* Warns of a call whose failure the script did not handle. */
void run_report(cm_run *r, uint32_t call);
/* The call is not offered to the owner: the script gets a TypeError with that
 * code. */
void run_refuse_call(cm_run *r, uint32_t call, const char *code, text message);
/* The call has started: its timeout may be the next one. */
void run_note_timeout(cm_run *r, const call_record *c);

/* --------------------------------------------------------- run_checks.c */

typedef struct run_checks {
	uint32_t *told; /* schemas that a warning was about: twice the number of
	                   the tool, and 1 more for that of its results */
	size_t len, cap;
} run_checks;

/* Checks the arguments of the calls from that number on; refuses those that do
 * not fit. */
void run_check_arguments(cm_run *r, uint32_t from);
/* Warns of the tool if the result does not fit. */
void run_check_result(cm_run *r, uint32_t call, json value);
void run_checks_free(cm_run *r);

/* --------------------------------------------------------- approvals.c */

enum {
	APPROVALS_MAX = 10000,
	APPROVAL_MAX = 64 << 10 /* bytes of a path, and of arguments */
};

typedef struct run_approval {
	block path; /* as cm_approval */
	block args; /* JSON; empty: any */
} run_approval;

typedef struct run_approvals {
	run_approval *list;
	size_t len, cap;
	uint32_t from; /* no call below this index is .approved */
} run_approvals;

/* Is call i covered by an approval? */
bool approvals_cover(const cm_run *r, uint32_t i);
/* The next call that CM_STEP_ASK was about and that is now approved; false:
 * none. */
bool approvals_next(cm_run *r, uint32_t *call);
void approvals_free(cm_run *r);
/* See cm_run_approve and cm_run_approve_call. */
cm_status run_approve(cm_run *r, const cm_approval *given);
cm_status run_approve_call(cm_run *r, cm_call_id id);

/* ------------------------------------------------------------- timers.c */

/* A timer of the script that has neither fired nor been cleared. */
typedef struct run_timer {
	uint64_t due_ms; /* on the owner's clock */
	uint32_t id;     /* the gate's number */
} run_timer;

typedef struct run_timers {
	run_timer *timer; /* in any order */
	size_t len, cap;
	uint64_t next_ms; /* the least due_ms; UINT64_MAX: there is none */
} run_timers;

void timers_set(cm_run *r, uint64_t ms);
void timers_clear(cm_run *r, uint32_t id);
/* Fires those whose time has come, the earliest first. */
void timers_fire(cm_run *r);

/* ------------------------------------------------------------- record.c */

/* What the result will repeat. */
typedef struct run_record {
	cm_print *item; /* the texts of each are one block, at its text.ptr */
	size_t items, items_cap;
	size_t items_shown; /* the owner has had CM_STEP_PRINT for these */
	block *warning;     /* JSON objects */
	size_t warnings, warnings_cap;
} run_record;

/* A copy of t in a block of the run's; ptr NULL: no memory. */
block block_copy(const cm_run *r, text t);
/* The same; without memory r->status is CM_ENOMEM, which ends the run. */
block run_copy(cm_run *r, text t);
void run_drop(cm_run *r, block *b);
/* Without memory the text in b is not complete: r->status is CM_ENOMEM. */
void run_keep_status(cm_run *r, const buf *b);
text block_text(block b);
void record_item(cm_run *r, const said *m);
/* CM_ENOMEM: the warning is not recorded, and r->status stays. */
cm_status record_warning(cm_run *r, text warning);
/* Records the warning {"message": …}; the message may be any bytes. */
cm_status record_words(cm_run *r, text message);
void record_free(cm_run *r);

/* -------------------------------------------------------------- tools.c */

/* Where the engine's questions about the catalog are. */
typedef struct run_view {
	uint32_t member_at;   /* a cursor: the next member of `tools` ...     */
	uint32_t member_tool; /* ... is looked for from this tool on          */
	uint32_t near_asked;  /* how often tools.c looked for what was meant  */
	uint32_t searches;    /* how often the script has searched            */
} run_view;

/* A script may ask for any number of names that do not exist, and a look for what
 * was meant takes milliseconds in a large catalog: after NEAR_MAX of them none is
 * suggested. */
enum { NEAR_MAX = 100 };

engine_tools run_tools(cm_run *r);

/* -------------------------------------------------------- tool_search.c */

/* See engine_tools; ctx is the run. */
void run_search_tools(
    void *ctx, text question, text space, uint32_t limit, buf *out);
void run_describe_tool(void *ctx, text written, buf *out);

/* -------------------------------------------------------------- fault.c */

/* What ended a run that failed. */
typedef struct run_fault {
	block json;    /* as the engine or 'run_fail' said it; ptr NULL: none */
	cm_fault read; /* since SCHED_ENDED: read from json */
	buf texts;     /* holds the texts of read */
} run_fault;

/* Bytes of a reason, a warning or a failure's message that are kept. */
#define WORDS_MAX (64u << 10)

/* Ends the run with a fault of its own; message may be any bytes. */
void run_fail(
    cm_run *r, cm_end end, const char *code, const char *name, text message);
/* Fills fault.read from fault.json. */
void run_read_fault(cm_run *r);

/* ------------------------------------------------------------- result.c */

typedef struct run_outcome {
	cm_end end;          /* since run_is_over */
	block value, writes; /* JSON as the engine said it, with CM_END_OK */
	buf json;            /* since 'run_result': its text */
} run_outcome;

cm_status run_result(cm_run *r, text *out);
/* Appends the members of the result before stats; of_place: with warnings about
 * the place. */
void result_members(buf *b, const cm_run *r, bool of_place);
cm_done run_done(const cm_run *r);

/* ---------------------------------------------------------- all together */

struct cm_run {
	const cm_alloc *alloc; /* the catalog's, or NULL: malloc */
	catalog *catalog;      /* held; NULL: no tools */
	cm_status status;      /* CM_ENOMEM since memory was refused */

	const engine_port *port;
	engine *engine;          /* ours; since the first turn */
	sched sched;             /* its tables are those of calls and lanes */
	gate_limits gate_limits; /* borrowed by gate */
	gate gate;
	verdict broken; /* code set: the engine sent what the gate refuses */

	uint64_t output_tokens;  /* that the options line allows; UINT64_MAX: it
	                           says nothing, or was not read so far */
	run_given given;         /* run.c    */
	run_clock clock;         /* run.c    */
	run_turns turns;         /* run.c    */
	run_stop stop;           /* run.c    */
	run_events events;       /* events.c */
	run_lanes lanes;         /* lanes.c  */
	run_groups groups;       /* groups.c */
	run_calls calls;         /* calls.c  */
	run_approvals approvals; /* approvals.c */
	block sites;       /* JSON of SAID_SITES; ptr NULL: not received yet */
	run_checks checks; /* run_checks.c */
	run_timers timers; /* timers.c */
	run_record record; /* record.c */
	run_view view;     /* tools.c  */
	run_fault fault;   /* fault.c  */
	run_outcome outcome; /* result.c */
};

/* The script has ended, or is to end: nothing more is delivered to it. */
static inline bool
run_is_over(const cm_run *r)
{
	return r->sched.phase != SCHED_OPEN;
}

/* The script has ended, and every call is closed: CM_STEP_DONE is next. */
static inline bool
run_has_ended(const cm_run *r)
{
	return r->sched.phase == SCHED_ENDED;
}

#endif
