/* SPDX-License-Identifier: MIT */
/*
 * sched.h -- decides which call starts, waits, stops and ends.
 *
 * The caller reports events (sched_issued, _finished, _cancelled, _unseen,
 * _observed, _over) and does what it is told: an event answers with at most one thing to
 * do, sched_next with one at a time until there is none. The machine allocates
 * nothing, reads no clock and has no pointer but to its arguments; the tables
 * are the caller's. Calls are numbered 0, 1, 2 ... in the order in which they
 * were issued, so a queue is a cursor.
 *
 *   QUEUED ──start──► RUNNING ─────────────────finished──► CLOSED
 *     │                  └─cancelled─► STOPPING ─finished───►│
 *     │                  └─interrupt─►    │ interrupt        │
 *     └─cancelled, close─► DROPPED        └────► STOPPED ─finished
 *
 * A call that was told to stop still runs at the owner, and keeps its places
 * in the lanes, until sched_finished says that it is over. The end of the run
 * does not wait for that.
 *
 * The laws, proved for every input (proof/README.md says by what):
 *
 *  L1  No lane has more calls with the owner than its limit says.
 *  L2  Each call is settled exactly once: by DELIVER, or by CLOSE at the end.
 *  L3  Among calls that may start, they start in the order issued.
 *  L4  A call is interrupted at most once, while it runs; each call that was
 *      cancelled while it ran is, unless it finished first (see group.h).
 *  L5  codemode.all stops its members when one has failed: see group.h.
 *  L6  After sched_over nothing starts and nothing is delivered. The end is
 *      told when each call is settled and none runs that was not told to stop.
 *  L7  Each failure that was delivered and that the script does not look at
 *      when it ends, as the engine tells, is reported once; no other is.
 *  L8  The budget counts issued calls, queued ones included.
 *  L9  The end is told once, and only the first sched_over counts.
 */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#define SCHED_CALLS_MAX 0x1000000u /* of one run, whatever the budget says */
#define SCHED_LANES_MAX 0x10000u
#define SCHED_NO_CALL   UINT32_MAX

/* What the owner has to do with a call. */
enum {
	SCHED_QUEUED,
	SCHED_RUNNING,
	SCHED_STOPPING, /* runs; the owner is to be told to stop it   */
	SCHED_STOPPED,  /* runs; the owner was told to stop it        */
	SCHED_CLOSED,   /* ran, and is over                           */
	SCHED_DROPPED   /* never ran                                  */
};

/* The script's promise of a call. */
enum { SCHED_WAITS, SCHED_SETTLED };

/* What became of a call's failure. */
enum {
	SCHED_FINE,   /* there is none                                */
	SCHED_FAILED, /* it was delivered                             */
	SCHED_UNSEEN, /* the script has no handler for it             */
	SCHED_REPORTED
};

/* Each member has an integer type of its own: a write through one type cannot
 * change a member of another, which is most of what there is to prove. */
typedef struct sched_call {
	uint8_t state;  /* SCHED_QUEUED ... */
	int8_t promise; /* SCHED_WAITS ...  */
	int16_t failure; /* SCHED_FINE ... */
	uint16_t tool, server; /* lanes; 0: none of its own */
} sched_call;

/* Calls that share a limit. Lane 0 is the run's: every call takes a place in
 * it. The caller decides what the others stand for. */
typedef struct sched_lane {
	int64_t limit; /* calls that may be with the owner at once */
	int32_t used;  /* calls that are                           */
} sched_lane;

enum { SCHED_OPEN, SCHED_CLOSING, SCHED_ENDED };

typedef struct sched {
	sched_call *call; /* the caller's tables */
	sched_lane *lane;
	uint32_t cap, lanes;
	uint32_t budget; /* calls that may be issued       */
	uint32_t issued;
	uint32_t queue;  /* no call below is queued        */
	uint32_t scan;   /* no call below may start        */
	uint32_t stop;   /* no call below must be stopped  */
	uint32_t closed; /* after sched_over: the calls below are settled,
	                    told to stop and reported      */
	uint32_t phase;  /* SCHED_OPEN ...                 */
} sched;

typedef enum sched_what {
	SCHED_NOTHING,
	SCHED_START,
	SCHED_INTERRUPT, /* tell the owner to stop it                 */
	SCHED_DELIVER,   /* this event settles the script's promise   */
	SCHED_CLOSE,     /* the run ended before it was settled       */
	SCHED_REPORT,    /* it failed, and the script did not look    */
	SCHED_END        /* nothing more will come; call is 0         */
} sched_what;

typedef struct sched_todo {
	sched_what what;
	uint32_t call;
} sched_todo;

/* What was returned so far, for each call; these exist in the proof only. That
 * each todo is told at most once, and when, is a statement about them, for
 * every sequence of events. */
/*@ ghost extern uint64_t starts[SCHED_CALLS_MAX];     */
/*@ ghost extern uint64_t interrupts[SCHED_CALLS_MAX]; */
/*@ ghost extern uint64_t settles[SCHED_CALLS_MAX];    */
/*@ ghost extern uint64_t reports[SCHED_CALLS_MAX];    */
/*@ ghost extern uint64_t ends;                        */

/* Terms of the contracts. They are macros, not predicates: a prover finds an
 * instance below a quantifier by its text. */
#define SCHED_WITH_OWNER(h) (SCHED_RUNNING <= (h) <= SCHED_STOPPED)
#define SCHED_HAS_ROOM(s, l) ((s)->lane[l].used < (s)->lane[l].limit)
#define SCHED_MAY_START(s, i)                                                  \
	((s)->call[i].state == SCHED_QUEUED && SCHED_HAS_ROOM(s, 0) &&         \
	    SCHED_HAS_ROOM(s, (s)->call[i].tool) &&                            \
	    SCHED_HAS_ROOM(s, (s)->call[i].server))
#define SCHED_MUST_STOP(s, i)                                                  \
	((s)->call[i].state == SCHED_STOPPING ||                               \
	    ((s)->call[i].state == SCHED_RUNNING && (s)->phase != SCHED_OPEN))
#define SCHED_ALL_TOLD(s, i)                                                   \
	((s)->call[i].state >= SCHED_STOPPED &&                                \
	    (s)->call[i].promise == SCHED_SETTLED &&                           \
	    (s)->call[i].failure != SCHED_UNSEEN)

/*@
  // Does this call take a place in lane l?
  logic integer takes{L}(sched_call *c, integer l) =
    ((l == 0 || c->tool == l || c->server == l) &&
     SCHED_RUNNING <= c->state <= SCHED_STOPPED) ? 1 : 0;

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
      s->call[i].state <= SCHED_DROPPED &&
      SCHED_WAITS <= s->call[i].promise <= SCHED_SETTLED &&
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
    \forall integer i; 0 <= i < s->queue ==> s->call[i].state != SCHED_QUEUED;
  predicate Scan{L}(sched *s) =
    \forall integer i; 0 <= i < s->scan ==> !SCHED_MAY_START(s, i);
  predicate Stop{L}(sched *s) =
    \forall integer i; 0 <= i < s->stop ==> !SCHED_MUST_STOP(s, i);
  predicate Waits{L}(sched *s) =
    \forall integer i; 0 <= i < s->issued ==>
      (s->call[i].state <= SCHED_RUNNING ==> s->call[i].promise == SCHED_WAITS) &&
      (s->phase == SCHED_OPEN && s->call[i].promise == SCHED_WAITS ==>
        s->call[i].state <= SCHED_RUNNING);
  predicate Closed{L}(sched *s) =
    \forall integer i; 0 <= i < s->closed ==> SCHED_ALL_TOLD(s, i);
  predicate Shut{L}(sched *s) =
    (s->phase == SCHED_OPEN ==> s->closed == 0) &&
    (s->phase == SCHED_ENDED ==> s->closed == s->issued) &&
    (\forall integer i; 0 <= i < s->closed ==> SCHED_ALL_TOLD(s, i));

  // ------------------------------------- what was told, for each call
  predicate Starts{L}(sched *s) =
    (\forall integer i; 0 <= i < s->issued ==> starts[i] ==
      ((s->call[i].state == SCHED_QUEUED ||
        s->call[i].state == SCHED_DROPPED) ? 0 : 1)) &&
    (\forall integer i; s->issued <= i < SCHED_CALLS_MAX ==> starts[i] == 0);
  predicate Interrupts{L}(sched *s) =
    (\forall integer i; 0 <= i < s->issued ==> interrupts[i] <= starts[i] <= 1 &&
      (s->call[i].state == SCHED_STOPPED ==> interrupts[i] == 1) &&
      (SCHED_RUNNING <= s->call[i].state <= SCHED_STOPPING ==>
        interrupts[i] == 0)) &&
    (\forall integer i; s->issued <= i < SCHED_CALLS_MAX ==>
      interrupts[i] == 0);
  predicate Settles{L}(sched *s) =
    (\forall integer i; 0 <= i < s->issued ==>
      settles[i] == (s->call[i].promise == SCHED_SETTLED ? 1 : 0)) &&
    (\forall integer i; s->issued <= i < SCHED_CALLS_MAX ==> settles[i] == 0);
  predicate Reports{L}(sched *s) =
    (\forall integer i; 0 <= i < s->issued ==>
      reports[i] == (s->call[i].failure == SCHED_REPORTED ? 1 : 0) &&
      (s->call[i].failure == SCHED_REPORTED ==> s->phase != SCHED_OPEN &&
        s->call[i].state >= SCHED_STOPPED)) &&
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
    ensures s->call == \null;
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
      call[i].state == s->call[i].state &&
      call[i].promise == s->call[i].promise &&
      call[i].failure == s->call[i].failure &&
      call[i].tool == s->call[i].tool && call[i].server == s->call[i].server;
    assigns s->call \from call;
    assigns s->cap;
    SCHED_HOLDS(ensures);
    ensures s->call == call && s->cap == cap;
*/
/* A larger table, with a copy of what the old one, still there, holds. */
void sched_table(sched *s, sched_call *call, uint32_t cap);

/* What always holds, as one predicate. The quick half takes the same time for
 * any number of calls: the shell asserts it at each of its entries. The whole
 * looks at every call in every lane: the explorer and the tests ask it. */
#define SCHED_QUICK(s)                                                         \
	(Cursors(s) && Budget(s) &&                                            \
	    0 <= (s)->lane[0].used <= (s)->lane[0].limit <= INT32_MAX &&       \
	    ((s)->phase == SCHED_OPEN ==> (s)->closed == 0) &&                 \
	    ((s)->phase == SCHED_ENDED ==> (s)->closed == (s)->issued))
#define SCHED_CALL_OK(s, i)                                                    \
	((s)->call[i].state <= SCHED_DROPPED &&                                \
	    SCHED_WAITS <= (s)->call[i].promise <= SCHED_SETTLED &&            \
	    SCHED_FINE <= (s)->call[i].failure <= SCHED_REPORTED &&            \
	    (s)->call[i].tool < (s)->lanes &&                                  \
	    (s)->call[i].server < (s)->lanes &&                                \
	    ((s)->call[i].tool == 0 ||                                         \
	      (s)->call[i].tool != (s)->call[i].server) &&                     \
	    ((s)->call[i].state <= SCHED_RUNNING ==>                           \
	      (s)->call[i].promise == SCHED_WAITS) &&                          \
	    ((s)->phase == SCHED_OPEN &&                                       \
	      (s)->call[i].promise == SCHED_WAITS ==>                          \
	      (s)->call[i].state <= SCHED_RUNNING))
#define SCHED_CURSORS_OK(s, i)                                                 \
	((i < (s)->queue ==> (s)->call[i].state != SCHED_QUEUED) &&            \
	    (i < (s)->scan ==> !SCHED_MAY_START(s, i)) &&                      \
	    (i < (s)->stop ==> !SCHED_MUST_STOP(s, i)) &&                      \
	    (i < (s)->closed ==> SCHED_ALL_TOLD(s, i)))
#define SCHED_WHOLE(s)                                                         \
	(SCHED_QUICK(s) && Calls(s) && Places(s) && Waits(s) && Queue(s) &&    \
	    Scan(s) && Stop(s) && Closed(s) && Limits(s) && Count(s))

/*@ requires Mem: Mem(s);
    assigns \nothing;
    ensures \result <==> SCHED_QUICK(s);
*/
bool sched_ok(const sched *s);

/*@ requires Mem: Mem(s);
    assigns \nothing;
    ensures \result <==> SCHED_WHOLE(s);
*/
bool sched_ok_whole(const sched *s);

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
/* How many calls are with the owner: those told to stop included, until
 * sched_finished. */
uint32_t sched_running(const sched *s);

/*@ SCHED_HOLDS(requires);
    requires tool < s->lanes && server < s->lanes;
    requires tool == 0 || tool != server;
    assigns s->issued, s->call[s->issued].state, s->call[s->issued].promise,
      s->call[s->issued].failure, s->call[s->issued].tool,
      s->call[s->issued].server;
    SCHED_HOLDS(ensures);
    ensures L8_refused: \result == SCHED_NO_CALL <==>
      \old(s->phase != SCHED_OPEN || s->issued >= s->budget ||
        s->issued >= s->cap);
    ensures L8_counted: s->issued == \old(s->issued) +
      (\result == SCHED_NO_CALL ? 0 : 1);
    ensures \result != SCHED_NO_CALL ==> \result == \old(s->issued) &&
      s->call[\result].state == SCHED_QUEUED &&
      s->call[\result].promise == SCHED_WAITS &&
      s->call[\result].failure == SCHED_FINE &&
      s->call[\result].tool == tool && s->call[\result].server == server;
*/
/* The script issued a call that takes places in lane 0 and in these two (0:
 * none; else they differ). Its number, or SCHED_NO_CALL: not allowed, no room. */
uint32_t sched_issued(sched *s, uint16_t tool, uint16_t server);

/*@ requires Mem: Mem(s);
    requires Cursors: Cursors(s);
    assigns \nothing;
    ensures \result <==> i < s->issued && s->phase == SCHED_OPEN &&
      s->call[i].state == SCHED_RUNNING;
*/
/* Would sched_finished deliver the answer to this call? */
bool sched_delivers(const sched *s, uint32_t i);

/*@ SCHED_HOLDS(requires);
    assigns s->queue, s->scan, s->lane[0 .. s->lanes - 1].used,
      s->call[i].state, s->call[i].promise, s->call[i].failure, settles[i];
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures \result.what == SCHED_NOTHING || \result.what == SCHED_DELIVER;
    ensures L2_delivered: \result.what == SCHED_DELIVER <==>
      i < s->issued && \old(s->phase == SCHED_OPEN &&
        s->call[i].state == SCHED_RUNNING);
    ensures L6_late: \old(s->phase) != SCHED_OPEN ==>
      \result.what == SCHED_NOTHING;
    ensures \result.what == SCHED_DELIVER ==> \result.call == i;
    ensures L1_over: i < s->issued &&
      \old(SCHED_WITH_OWNER(s->call[i].state)) ==>
      s->call[i].state == SCHED_CLOSED;
    ensures L7_failed: i < s->issued ==> s->call[i].failure ==
      (\result.what == SCHED_DELIVER && failed ? SCHED_FAILED :
        \old(s->call[i].failure));
*/
/* The call is over at its owner: it was answered, or it has stopped. DELIVER:
 * the script gets the answer. NOTHING: the script has one already, the run is
 * over, or this call does not run. */
sched_todo sched_finished(sched *s, uint32_t i, bool failed);

/*@ SCHED_HOLDS(requires);
    assigns s->stop, s->call[i].state, s->call[i].promise, s->call[i].failure,
      settles[i];
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures \result.what == SCHED_NOTHING || \result.what == SCHED_DELIVER;
    ensures L2_delivered: \result.what == SCHED_DELIVER <==>
      i < s->issued && \old(s->phase == SCHED_OPEN &&
        s->call[i].promise == SCHED_WAITS);
    ensures L6_late: \old(s->phase) != SCHED_OPEN ==>
      \result.what == SCHED_NOTHING;
    ensures \result.what == SCHED_DELIVER ==> \result.call == i;
    ensures L4_stopped: \result.what == SCHED_DELIVER ==>
      s->call[i].state == (\old(s->call[i].state) == SCHED_QUEUED ?
        SCHED_DROPPED : SCHED_STOPPING);
    ensures L7_failed: i < s->issued ==> s->call[i].failure ==
      (\result.what == SCHED_DELIVER && failed ? SCHED_FAILED :
        \old(s->call[i].failure));
    ensures nothing: i < s->issued && \result.what == SCHED_NOTHING ==>
      s->call[i].state == \old(s->call[i].state) &&
      s->call[i].promise == \old(s->call[i].promise);
*/
/* The script does not want this call any more, or its own time is over
 * (failed: that is a failure which the script has to look at). DELIVER: the
 * script gets that as the answer. If the call runs, sched_next interrupts it. */
sched_todo sched_cancelled(sched *s, uint32_t i, bool failed);

/*@ SCHED_HOLDS(requires);
    assigns s->call[i].failure;
    SCHED_HOLDS(ensures);
    ensures L7_unseen: i < s->issued ==> s->call[i].failure ==
      (s->phase == SCHED_OPEN && \old(s->call[i].failure) == SCHED_FAILED ?
       SCHED_UNSEEN : \old(s->call[i].failure));
*/
/* The failure has reached the script, which has no handler for it so far. */
void sched_unseen(sched *s, uint32_t i);

/*@ SCHED_HOLDS(requires);
    assigns s->call[i].failure;
    SCHED_HOLDS(ensures);
    ensures L7_seen: i < s->issued ==> s->call[i].failure ==
      (\old(s->call[i].failure) == SCHED_UNSEEN ? SCHED_FAILED :
       \old(s->call[i].failure));
*/
/* The script looks at it after all. */
void sched_observed(sched *s, uint32_t i);

/*@ SCHED_HOLDS(requires);
    assigns s->phase, s->stop;
    SCHED_HOLDS(ensures);
    ensures L6_final: s->phase != SCHED_OPEN;
    ensures L9_first: \result <==> \old(s->phase) == SCHED_OPEN;
    ensures !\result ==> s->phase == \old(s->phase);
*/
/* The script has ended, or is to end. False: it had already. */
bool sched_over(sched *s);

/*@ SCHED_HOLDS(requires);
    assigns s->stop, s->scan, s->closed, s->phase,
      s->lane[0 .. s->lanes - 1].used, s->call[0 .. s->issued - 1].state,
      s->call[0 .. s->issued - 1].promise, s->call[0 .. s->issued - 1].failure,
      starts[0 .. SCHED_CALLS_MAX - 1], interrupts[0 .. SCHED_CALLS_MAX - 1],
      settles[0 .. SCHED_CALLS_MAX - 1], reports[0 .. SCHED_CALLS_MAX - 1],
      ends;
    SCHED_HOLDS(ensures);
    SCHED_TOLD;
    ensures L2_not_here: \result.what != SCHED_DELIVER;
    ensures call: \result.what != SCHED_NOTHING && \result.what != SCHED_END ==>
      \result.call < s->issued;
    ensures L3_order: \result.what == SCHED_START ==>
      \result.call < ready &&
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
      \forall integer k; 0 <= k < s->issued ==> SCHED_ALL_TOLD(s, k);
    ensures L6_never_waits: \result.what == SCHED_NOTHING ==>
      s->phase != SCHED_CLOSING;
    ensures L2_settled: \result.what == SCHED_END ==>
      \forall integer k; 0 <= k < s->issued ==> settles[k] == 1;
    ensures L7_report: \result.what == SCHED_REPORT ==>
      \old(s->call[\at(\result.call, Post)].failure) == SCHED_UNSEEN;
    ensures busy: \result.what == SCHED_NOTHING && s->phase == SCHED_OPEN ==>
      \forall integer k; 0 <= k < s->issued && k < ready ==>
        !SCHED_MAY_START(s, k);
    ensures stopped: \result.what == SCHED_NOTHING ==>
      \forall integer k; 0 <= k < s->issued ==> !SCHED_MUST_STOP(s, k);
*/
/* What is to be done next; it is not said twice. NOTHING: until an event, or
 * a larger `ready`: calls from that number on are not to start yet. */
sched_todo sched_next(sched *s, uint32_t ready);

#endif
