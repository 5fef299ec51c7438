/* SPDX-License-Identifier: MIT */
/*
 * sched.h -- which call starts, waits, stops, ends. Decides, and does nothing.
 *
 * Events go in (sched_issued, _finished, _cancelled, _observed, _over), things
 * to do come out: an event answers with at most one, sched_next with one at a
 * time until there is none. No allocation, no clock, no recursion, no pointer
 * but to its arguments; the tables are the caller's. Calls are numbered 0, 1,
 * 2 ... in the order in which they were issued, so a queue is a cursor.
 *
 *   QUEUED ──start──► RUNNING ─────────────────finished──► CLOSED
 *     │                  └─cancelled─► STOPPING ─finished───►│
 *     │                  └─interrupt─►    │ interrupt        │
 *     └─cancelled, close─► DROPPED        └────► STOPPED ─finished
 *
 * A call that was told to stop is with the owner until he says that it is
 * closed, and takes its place until then: the limits bound what really runs.
 *
 * The laws, proved for every input (proof/README.md says by what):
 *
 *  L1  No lane has more calls running than its limit says.
 *  L2  Each call is settled exactly once: by DELIVER, or by CLOSE at the end.
 *  L3  Among calls that may start, they start in the order issued.
 *  L4  A call is interrupted at most once, while it runs; each call that was
 *      cancelled while it ran is, unless it finished first (see group.h).
 *  L5  "all" delivers in call order: see group.h.
 *  L6  After the end, by any route, nothing starts and nothing is delivered,
 *      and the end is told only when every call is closed.
 *  L7  Each failure that nobody observed is reported once.
 *  L8  The budget counts issued calls, queued ones included.
 *  L9  The end is told once.
 */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#define SCHED_CALLS_MAX 0x1000000u /* of one run, whatever the budget says */
#define SCHED_LANES_MAX 0x10000u
#define SCHED_NO_CALL	UINT32_MAX

/* Where a call is, for its owner. */
enum {
	SCHED_QUEUED,
	SCHED_RUNNING,
	SCHED_STOPPING, /* runs; to be interrupted                    */
	SCHED_STOPPED,  /* runs; was interrupted                      */
	SCHED_CLOSED,   /* ran                                        */
	SCHED_DROPPED   /* never ran                                  */
};

/* And for the script. */
enum { SCHED_WAITS, SCHED_SETTLED };

/* What became of its failure. */
enum {
	SCHED_FINE,    /* it did not fail                              */
	SCHED_WATCHED, /* the script looks, or has looked, at how it ends */
	SCHED_UNSEEN,  /* the script was told, and has not looked      */
	SCHED_LOST,    /* it came when nobody could be told any more   */
	SCHED_REPORTED
};

/* Each member has an integer type of its own: what is written through one can
 * then not have changed another, which is most of what there is to prove. */
typedef struct sched_call {
	uint8_t host;
	int8_t script;
	int16_t failure;
	uint16_t tool, server; /* lanes; 0: none of its own */
} sched_call;

/* A limit and what it counts. Lane 0 is the run's: every call takes a place
 * in it; the others are what the caller makes of them. */
typedef struct sched_lane {
	int64_t limit;
	int32_t used;
} sched_lane;

enum { SCHED_OPEN, SCHED_CLOSING, SCHED_ENDED };

/* The routes to the end. */
typedef enum sched_why {
	SCHED_DONE,     /* the script came to its end            */
	SCHED_DEADLINE, /* its time is over                      */
	SCHED_ABORTED,  /* its owner does not want it any more   */
	SCHED_LOST_ENGINE
} sched_why;

typedef struct sched {
	sched_call *call; /* the caller's tables */
	sched_lane *lane;
	uint32_t cap, lanes;
	uint32_t budget; /* calls that may be issued       */
	uint32_t issued;
	uint32_t queue;  /* no call below is queued        */
	uint32_t scan;   /* no call below may start        */
	uint32_t stop;   /* no call below must be stopped  */
	uint32_t closed; /* at the end: all below is told  */
	uint32_t phase;
	sched_why why;
} sched;

typedef enum sched_what {
	SCHED_NOTHING,
	SCHED_START,
	SCHED_INTERRUPT, /* tell the owner; finished comes later      */
	SCHED_DELIVER,   /* this event settles the script's promise   */
	SCHED_CLOSE,     /* it ends unsettled: close its record       */
	SCHED_REPORT,    /* it failed and nobody looked               */
	SCHED_END        /* that was all; call is the sched_why       */
} sched_what;

typedef struct sched_todo {
	sched_what what;
	uint32_t call;
} sched_todo;

/* What a run of events has told so far, for each call; exists in the proof
 * only. That each todo is told at most once, and when, is a statement about
 * these, for every sequence of events. */
/*@ ghost extern uint64_t starts[SCHED_CALLS_MAX];     */
/*@ ghost extern uint64_t interrupts[SCHED_CALLS_MAX]; */
/*@ ghost extern uint64_t settles[SCHED_CALLS_MAX];    */
/*@ ghost extern uint64_t reports[SCHED_CALLS_MAX];    */
/*@ ghost extern uint64_t ends;                        */

/* Words of the contracts. They are macros, not predicates: a prover finds what
 * it needs below a quantifier when it is written out. */
#define SCHED_WITH_HOST(h) (SCHED_RUNNING <= (h) <= SCHED_STOPPED)
#define SCHED_HAS_ROOM(s, l) ((s)->lane[l].used < (s)->lane[l].limit)
#define SCHED_MAY_START(s, i)                                                  \
	((s)->call[i].host == SCHED_QUEUED && SCHED_HAS_ROOM(s, 0) &&          \
	    SCHED_HAS_ROOM(s, (s)->call[i].tool) &&                            \
	    SCHED_HAS_ROOM(s, (s)->call[i].server))
#define SCHED_MUST_STOP(s, i)                                                  \
	((s)->call[i].host == SCHED_STOPPING ||                                \
	    ((s)->call[i].host == SCHED_RUNNING && (s)->phase != SCHED_OPEN))
#define SCHED_UNHEARD(f) ((f) == SCHED_UNSEEN || (f) == SCHED_LOST)
#define SCHED_ALL_TOLD(s, i)                                                   \
	((s)->call[i].host >= SCHED_CLOSED &&                                  \
	    (s)->call[i].script == SCHED_SETTLED &&                            \
	    !SCHED_UNHEARD((s)->call[i].failure))

/*@
  // Does this call take a place in lane l?
  logic integer takes{L}(sched_call *c, integer l) =
    ((l == 0 || c->tool == l || c->server == l) &&
     SCHED_RUNNING <= c->host <= SCHED_STOPPED) ? 1 : 0;

  // How many of the first n calls do.
  logic integer running{L}(sched_call *c, integer n, integer l) =
    n <= 0 ? 0 : running{L}(c, n - 1, l) + takes{L}(&c[n - 1], l);

  // ------------------------------------------------- what always holds
  predicate Mem{L}(sched *s) =
    \valid(s) && s->cap <= SCHED_CALLS_MAX &&
    1 <= s->lanes <= SCHED_LANES_MAX &&
    \valid(s->call + (0 .. s->cap - 1)) &&
    \valid(s->lane + (0 .. s->lanes - 1)) &&
    \separated(s, s->call + (0 .. s->cap - 1),
      s->lane + (0 .. s->lanes - 1));
  predicate Cursors{L}(sched *s) =
    s->queue <= s->scan <= s->issued <= s->cap && s->stop <= s->issued &&
    s->closed <= s->issued && s->phase <= SCHED_ENDED;
  predicate Calls{L}(sched *s) =
    \forall integer i; 0 <= i < s->issued ==>
      s->call[i].host <= SCHED_DROPPED &&
      SCHED_WAITS <= s->call[i].script <= SCHED_SETTLED &&
      SCHED_FINE <= s->call[i].failure <= SCHED_REPORTED;
  predicate Places{L}(sched *s) =
    \forall integer i; 0 <= i < s->issued ==>
      s->call[i].tool < s->lanes && s->call[i].server < s->lanes &&
      (s->call[i].tool == 0 || s->call[i].tool != s->call[i].server);
  predicate Limits{L}(sched *s) =
    \forall integer l; 0 <= l < s->lanes ==>
      0 <= s->lane[l].used <= s->lane[l].limit <= INT32_MAX;
  predicate Count{L}(sched *s) =
    \forall integer l; 0 <= l < s->lanes ==>
      s->lane[l].used == running{L}(s->call, s->issued, l);
  predicate Budget{L}(sched *s) = s->issued <= s->budget;
  predicate Queue{L}(sched *s) =
    \forall integer i; 0 <= i < s->queue ==> s->call[i].host != SCHED_QUEUED;
  predicate Scan{L}(sched *s) =
    \forall integer i; 0 <= i < s->scan ==> !SCHED_MAY_START(s, i);
  predicate Stop{L}(sched *s) =
    \forall integer i; 0 <= i < s->stop ==> !SCHED_MUST_STOP(s, i);
  predicate Waits{L}(sched *s) =
    \forall integer i; 0 <= i < s->issued ==>
      (s->call[i].host <= SCHED_RUNNING ==> s->call[i].script == SCHED_WAITS) &&
      (s->phase == SCHED_OPEN && s->call[i].script == SCHED_WAITS ==>
        s->call[i].host <= SCHED_RUNNING);
  predicate Shut{L}(sched *s) =
    (s->phase == SCHED_OPEN ==> s->closed == 0) &&
    (s->phase == SCHED_ENDED ==> s->closed == s->issued) &&
    (\forall integer i; 0 <= i < s->closed ==> SCHED_ALL_TOLD(s, i));

  // ------------------------------------- what was told, for each call
  predicate Starts{L}(sched *s) =
    (\forall integer i; 0 <= i < s->issued ==> starts[i] ==
      ((s->call[i].host == SCHED_QUEUED ||
        s->call[i].host == SCHED_DROPPED) ? 0 : 1)) &&
    (\forall integer i; s->issued <= i < SCHED_CALLS_MAX ==> starts[i] == 0);
  predicate Interrupts{L}(sched *s) =
    (\forall integer i; 0 <= i < s->issued ==> interrupts[i] <= starts[i] <= 1 &&
      (s->call[i].host == SCHED_STOPPED ==> interrupts[i] == 1) &&
      (SCHED_RUNNING <= s->call[i].host <= SCHED_STOPPING ==>
        interrupts[i] == 0)) &&
    (\forall integer i; s->issued <= i < SCHED_CALLS_MAX ==>
      interrupts[i] == 0);
  predicate Settles{L}(sched *s) =
    (\forall integer i; 0 <= i < s->issued ==>
      settles[i] == (s->call[i].script == SCHED_SETTLED ? 1 : 0)) &&
    (\forall integer i; s->issued <= i < SCHED_CALLS_MAX ==> settles[i] == 0);
  predicate Reports{L}(sched *s) =
    (\forall integer i; 0 <= i < s->issued ==>
      reports[i] == (s->call[i].failure == SCHED_REPORTED ? 1 : 0) &&
      (s->call[i].failure == SCHED_REPORTED ==> s->phase != SCHED_OPEN &&
        s->call[i].host >= SCHED_CLOSED)) &&
    (\forall integer i; s->issued <= i < SCHED_CALLS_MAX ==> reports[i] == 0);
  predicate Ends{L}(sched *s) = ends == (s->phase == SCHED_ENDED ? 1 : 0);
*/

/* Clauses for each of them: short goals are proved, long ones are not. */
#define SCHED_BASE(kw)                                                         \
	kw Mem: Mem(s);                                                        \
	kw Cursors: Cursors(s);                                                \
	kw Calls: Calls(s);                                                    \
	kw Places: Places(s);                                                  \
	kw L1_Limits: Limits(s);                                               \
	kw L1_Count: Count(s);                                                 \
	kw L8_Budget: Budget(s);                                               \
	kw Queue: Queue(s);                                                    \
	kw Scan: Scan(s);                                                      \
	kw Stop: Stop(s);                                                      \
	kw Shut: Shut(s)
#define SCHED_HISTORY(kw)                                                      \
	kw L3_Starts: Starts(s);                                               \
	kw L4_Interrupts: Interrupts(s);                                       \
	kw L2_Settles: Settles(s);                                             \
	kw L7_Reports: Reports(s);                                             \
	kw L9_Ends: Ends(s)
#define SCHED_HOLDS(kw)                                                        \
	SCHED_BASE(kw);                                                        \
	kw Waits: Waits(s);                                                    \
	SCHED_HISTORY(kw)
/* The history grew by what is returned, and by nothing else. */
#define SCHED_TOLD                                                             \
	ensures Told_starts: \forall integer i; 0 <= i < SCHED_CALLS_MAX ==>   \
	    starts[i] == \old(starts[i]) +                                     \
	    (\result.what == SCHED_START && \result.call == i ? 1 : 0);        \
	ensures Told_interrupts: \forall integer i;                            \
	    0 <= i < SCHED_CALLS_MAX ==>                                       \
	    interrupts[i] == \old(interrupts[i]) +                             \
	    (\result.what == SCHED_INTERRUPT && \result.call == i ? 1 : 0);    \
	ensures Told_settles: \forall integer i; 0 <= i < SCHED_CALLS_MAX ==>  \
	    settles[i] == \old(settles[i]) +                                   \
	    ((\result.what == SCHED_DELIVER || \result.what == SCHED_CLOSE) && \
	      \result.call == i ? 1 : 0);                                      \
	ensures Told_reports: \forall integer i; 0 <= i < SCHED_CALLS_MAX ==>  \
	    reports[i] == \old(reports[i]) +                                   \
	    (\result.what == SCHED_REPORT && \result.call == i ? 1 : 0);       \
	ensures Told_ends: ends == \old(ends) +                                \
	    (\result.what == SCHED_END ? 1 : 0)
#define SCHED_NOTHING_YET                                                      \
	(\forall integer i; 0 <= i < SCHED_CALLS_MAX ==> starts[i] == 0 &&     \
	    interrupts[i] == 0 && settles[i] == 0 && reports[i] == 0) &&       \
	    ends == 0

/*@ requires \valid(s) && 1 <= lanes <= SCHED_LANES_MAX;
    requires \valid(lane + (0 .. lanes - 1));
    requires \separated(s, lane + (0 .. lanes - 1));
    requires \forall integer l; 0 <= l < lanes ==>
      0 <= lane[l].limit <= INT32_MAX;
    requires SCHED_NOTHING_YET;
    assigns *s, lane[0 .. lanes - 1].used;
    SCHED_HOLDS(ensures);
    ensures s->phase == SCHED_OPEN && s->issued == 0 && s->cap == 0;
    ensures s->call == \null && s->why == SCHED_DONE;
    ensures s->budget == budget && s->lane == lane && s->lanes == lanes;
*/
/* lane[] with its limits set, at least one; the caller's until the end. */
void sched_init(sched *s, sched_lane *lane, uint32_t lanes, uint32_t budget);

/*@ SCHED_HOLDS(requires);
    requires s->issued <= cap <= SCHED_CALLS_MAX;
    requires \valid(call + (0 .. cap - 1));
    requires \separated(s, call + (0 .. cap - 1),
      s->lane + (0 .. s->lanes - 1));
    requires \forall integer i; 0 <= i < s->issued ==>
      call[i].host == s->call[i].host &&
      call[i].script == s->call[i].script &&
      call[i].failure == s->call[i].failure &&
      call[i].tool == s->call[i].tool && call[i].server == s->call[i].server;
    assigns s->call \from call;
    assigns s->cap;
    SCHED_HOLDS(ensures);
    ensures s->call == call && s->cap == cap;
*/
/* A larger table, with a copy of what the old one, still there, holds. */
void sched_table(sched *s, sched_call *call, uint32_t cap);

/*@ requires \valid_read(s);
    assigns \nothing;
    ensures \result <==> s->phase == SCHED_OPEN && s->issued < s->budget;
*/
/* May another call be issued? */
bool sched_allows(const sched *s);

/*@ requires \valid_read(s);
    assigns \nothing;
    ensures \result <==> s->issued < s->cap;
*/
/* Is there room for it in the table? */
bool sched_has_room(const sched *s);

/*@ requires Mem: Mem(s);
    requires L1_Limits: Limits(s);
    assigns \nothing;
    ensures \result == s->lane[0].used;
*/
/* How many calls are with the owner. */
uint32_t sched_running(const sched *s);

/*@ SCHED_HOLDS(requires);
    requires tool < s->lanes && server < s->lanes;
    requires tool == 0 || tool != server;
    assigns s->issued, s->call[s->issued].host, s->call[s->issued].script,
      s->call[s->issued].failure, s->call[s->issued].tool,
      s->call[s->issued].server;
    SCHED_HOLDS(ensures);
    ensures L8_refused: \result == SCHED_NO_CALL <==>
      \old(s->phase != SCHED_OPEN || s->issued >= s->budget ||
        s->issued >= s->cap);
    ensures L8_counted: s->issued == \old(s->issued) +
      (\result == SCHED_NO_CALL ? 0 : 1);
    ensures \result != SCHED_NO_CALL ==> \result == \old(s->issued) &&
      s->call[\result].host == SCHED_QUEUED &&
      s->call[\result].script == SCHED_WAITS &&
      s->call[\result].failure == SCHED_FINE &&
      s->call[\result].tool == tool && s->call[\result].server == server;
*/
/* The script issued a call that takes places in lane 0 and in these two (0:
 * none; never the same). Its number, or SCHED_NO_CALL: not allowed, no room. */
uint32_t sched_issued(sched *s, uint16_t tool, uint16_t server);

/*@ SCHED_HOLDS(requires);
    assigns s->queue, s->scan, s->lane[0 .. s->lanes - 1].used,
      s->call[i].host, s->call[i].script, s->call[i].failure, settles[i];
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures \result.what == SCHED_NOTHING || \result.what == SCHED_DELIVER;
    ensures L2_delivered: \result.what == SCHED_DELIVER <==>
      i < s->issued && \old(s->phase == SCHED_OPEN &&
        s->call[i].host == SCHED_RUNNING);
    ensures L6_late: \old(s->phase) != SCHED_OPEN ==>
      \result.what == SCHED_NOTHING;
    ensures \result.what == SCHED_DELIVER ==> \result.call == i;
    ensures i < s->issued && \old(SCHED_WITH_HOST(s->call[i].host)) ==>
      s->call[i].host == SCHED_CLOSED;
    ensures L7_failed: i < s->issued && \old(SCHED_WITH_HOST(s->call[i].host)) ==>
      (SCHED_UNHEARD(s->call[i].failure) <==>
        (failed && (\result.what == SCHED_DELIVER ==>
            \old(s->call[i].failure) != SCHED_WATCHED)) ||
        \old(SCHED_UNHEARD(s->call[i].failure)));
*/
/* The owner is through with a call: it has an answer, or was stopped. DELIVER:
 * the script gets it. NOTHING: it is late, or about no call that runs. */
sched_todo sched_finished(sched *s, uint32_t i, bool failed);

/*@ SCHED_HOLDS(requires);
    assigns s->stop, s->call[i].host, s->call[i].script, s->call[i].failure,
      settles[i];
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures \result.what == SCHED_NOTHING || \result.what == SCHED_DELIVER;
    ensures L2_delivered: \result.what == SCHED_DELIVER <==>
      i < s->issued && \old(s->phase == SCHED_OPEN &&
        s->call[i].script == SCHED_WAITS);
    ensures L6_late: \old(s->phase) != SCHED_OPEN ==>
      \result.what == SCHED_NOTHING;
    ensures \result.what == SCHED_DELIVER ==> \result.call == i;
    ensures L4_stopped: \result.what == SCHED_DELIVER ==>
      s->call[i].host == (\old(s->call[i].host) == SCHED_QUEUED ?
        SCHED_DROPPED : SCHED_STOPPING);
    ensures L7_failed: \result.what == SCHED_DELIVER ==>
      (SCHED_UNHEARD(s->call[i].failure) <==>
        (failed && \old(s->call[i].failure) != SCHED_WATCHED) ||
        \old(SCHED_UNHEARD(s->call[i].failure)));
    ensures nothing: i < s->issued && \result.what == SCHED_NOTHING ==>
      s->call[i].host == \old(s->call[i].host) &&
      s->call[i].script == \old(s->call[i].script) &&
      s->call[i].failure == \old(s->call[i].failure);
*/
/* A call is not wanted any more: by the script's signal, because of its own
 * timeout (failed: one that must not go unseen), or by its owner. DELIVER: the
 * script gets that as the answer. If it runs, sched_next interrupts it. */
sched_todo sched_cancelled(sched *s, uint32_t i, bool failed);

/*@ SCHED_HOLDS(requires);
    assigns s->call[i].failure;
    SCHED_HOLDS(ensures);
    ensures L7_seen: i < s->issued ==> s->call[i].failure ==
      (\old(s->call[i].failure) == SCHED_FINE ||
       \old(s->call[i].failure) == SCHED_UNSEEN ? SCHED_WATCHED :
       \old(s->call[i].failure));
*/
/* The script looks at how this call ends, or has looked. */
void sched_observed(sched *s, uint32_t i);

/*@ SCHED_HOLDS(requires);
    assigns s->phase, s->why, s->stop;
    SCHED_HOLDS(ensures);
    ensures L6_final: s->phase != SCHED_OPEN;
    ensures L9_first: \result <==> \old(s->phase) == SCHED_OPEN;
    ensures s->why == (\result ? why : \old(s->why));
    ensures !\result ==> s->phase == \old(s->phase);
*/
/* The script has ended. False: it had already, and that was why. */
bool sched_over(sched *s, sched_why why);

/*@ SCHED_HOLDS(requires);
    assigns s->stop, s->scan, s->closed, s->phase,
      s->lane[0 .. s->lanes - 1].used, s->call[0 .. s->issued - 1].host,
      s->call[0 .. s->issued - 1].script, s->call[0 .. s->issued - 1].failure,
      starts[0 .. SCHED_CALLS_MAX - 1], interrupts[0 .. SCHED_CALLS_MAX - 1],
      settles[0 .. SCHED_CALLS_MAX - 1], reports[0 .. SCHED_CALLS_MAX - 1],
      ends;
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures L2_not_here: \result.what != SCHED_DELIVER;
    ensures call: \result.what != SCHED_NOTHING && \result.what != SCHED_END ==>
      \result.call < s->issued;
    ensures L3_order: \result.what == SCHED_START ==>
      \old(SCHED_MAY_START(s, \at(\result.call, Post))) &&
      \forall integer k; 0 <= k < \result.call ==> !\old(SCHED_MAY_START(s, k));
    ensures L6_open: \result.what == SCHED_START ==>
      \old(s->phase) == SCHED_OPEN;
    ensures L6_closing: \result.what == SCHED_CLOSE ||
      \result.what == SCHED_REPORT || \result.what == SCHED_END ==>
      \old(s->phase) == SCHED_CLOSING;
    ensures L6_phase: s->phase ==
      (\result.what == SCHED_END ? SCHED_ENDED : \old(s->phase));
    ensures L6_closed: \result.what == SCHED_END ==>
      \result.call == s->why &&
      \forall integer k; 0 <= k < s->issued ==> SCHED_ALL_TOLD(s, k);
    ensures L2_settled: \result.what == SCHED_END ==>
      \forall integer k; 0 <= k < s->issued ==> settles[k] == 1;
    ensures L7_report: \result.what == SCHED_REPORT ==>
      \old(SCHED_UNHEARD(s->call[\at(\result.call, Post)].failure));
    ensures busy: \result.what == SCHED_NOTHING && s->phase == SCHED_OPEN ==>
      \forall integer k; 0 <= k < s->issued ==> !SCHED_MAY_START(s, k);
    ensures stopped: \result.what == SCHED_NOTHING ==>
      \forall integer k; 0 <= k < s->issued ==> !SCHED_MUST_STOP(s, k);
    ensures waits: \result.what == SCHED_NOTHING &&
      s->phase == SCHED_CLOSING ==> s->closed < s->issued &&
      SCHED_WITH_HOST(s->call[s->closed].host);
*/
/* What is to be done next; it is not said twice. NOTHING: until an event. */
sched_todo sched_next(sched *s);

#endif
