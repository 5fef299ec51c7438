/* SPDX-License-Identifier: MIT */
/*
 * shell.c -- the run itself (src/run) between a fake engine and a fake owner:
 * every sequence of events, for small bounds.
 *
 *   shell CALLS AT_ONCE DEPTH [FLAGS]
 *
 * The engine says whatever the gate lets pass, the owner answers in any order,
 * too late or twice. The watchers know which events there were and which steps
 * and answers came of them, and hold the laws of sched.h and group.h against
 * that; after each event the predicates of both machines are asked whole.
 *
 * States are told apart by a hash, and each is reached again by repeating the
 * events that led to it. FLAGS: g groups, t calls with a time of their own,
 * u failures that nothing looks at. Prints the events that broke a law.
 */
#include "place/place_port.h"
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CALLS = 4, MAX_DEPTH = 40, TIMEOUT_MS = 10, WALL_MS = 1000 };

typedef enum event_kind {
	NEXT, /* the engine, if it turns, says nothing */
	/* The engine says this when it turns next. */
	SAY_CALL,
	SAY_CANCEL,
	SAY_UNSEEN,
	SAY_OBSERVED,
	SAY_RACE,
	SAY_ALL,
	SAY_IDLE,
	SAY_DONE,
	SAY_FAIL,
	SAY_NONSENSE,
	ENGINE_LOST,
	/* The owner. */
	RESOLVE,
	REJECT,
	STOPPED,
	CANCEL,
	INTERRUPT,
	PASS_TIMEOUT,
	PASS_DEADLINE
} event_kind;

static const char *const event_name[] = {"next", "call", "cancel", "unseen",
    "observed", "race", "all", "idle", "done", "fail", "nonsense", "lost",
    "resolve", "reject", "stopped", "cancel run", "interrupt", "timeout passes",
    "deadline passes"};

typedef struct event {
	uint8_t kind, i; /* call from 1; of a group a mask of calls */
} event;

/* What was seen of one call. */
typedef struct seen {
	bool started, over; /* at the owner */
	bool aborted;
	bool answered, cancelled; /* for the script: by us, by itself */
	bool failed;              /* what it got was a failure        */
	bool unseen;
	bool ready; /* made in a turn that is over */
	uint8_t group;
	uint64_t start_ms;
} seen;

typedef struct watch {
	seen call[MAX_CALLS + 1]; /* from 1 */
	uint8_t issued;
	uint8_t groups, all[2], mask[2], decided[2];
	bool over, done, busy;
	bool prepared;        /* the engine has said that the script begins */
	bool cancelled, late; /* the next step ends the run */
	int why;              /* expected cm_end */
} watch;

typedef struct options {
	uint32_t calls, at_once, depth;
	bool groups, timeouts, unseen;
} options;

/* The fake engine and the world around it; one at a time. */
struct engine {
	engine_start start;
};

static options opt;
static watch w;
static struct engine fake;
static event plan;
static uint64_t now;
static cm_run *run;
static catalog *tools;
static const char *broken;

#define LAW(holds, name)              \
	do {                          \
		if (!(holds))         \
			law_of(name); \
	} while (0)

static void
law_of(const char *name)
{
	if (broken == NULL)
		broken = name;
}

/* ------------------------------------------------------------ the engine */

static bool
settled(const seen *c)
{
	return c->answered || c->cancelled;
}

/* A member of a group is settled: does that decide? */
static void
note_settled(uint32_t id, bool failed)
{
	uint32_t g = w.call[id].group;

	if (g > 0 && w.decided[g - 1] == 0 && (!w.all[g - 1] || failed))
		w.decided[g - 1] = (uint8_t)id;
}

static void
take_answer(uint32_t id, bool failed)
{
	seen *c = id <= w.issued ? &w.call[id] : NULL;

	LAW(c != NULL && !settled(c), "L2: settled twice");
	LAW(!w.over, "L6: an answer after the end");
	if (c == NULL)
		return;
	c->answered = true;
	/* A member that loses has not failed: the script need not look at it. */
	c->failed = failed && (c->group == 0 || w.decided[c->group - 1] == 0);
	w.busy = true;
	note_settled(id, failed);
}

static cm_status
fake_open(const engine_start *start, engine **out)
{
	fake.start = *start;
	w.busy = true;
	*out = &fake;
	return CM_OK;
}

static cm_status
fake_resolve(engine *e, uint32_t id, text value)
{
	(void)e, (void)value;
	take_answer(id, false);
	return CM_OK;
}

static cm_status
fake_reject(engine *e, uint32_t id, text name, text message, text members)
{
	(void)e, (void)name, (void)message, (void)members;
	take_answer(id, true);
	return CM_OK;
}

static cm_status
fake_fire(engine *e, uint32_t timer)
{
	(void)e, (void)timer;
	return CM_OK;
}

static void
say(const said *m, verdict *v)
{
	fake.start.sink.say(fake.start.sink.ctx, m, v);
}

static void
say_call(verdict *v)
{
	said m = {.kind = SAID_CALL};

	m.u.call.id = w.issued + 1u;
	m.u.call.timeout_ms = opt.timeouts ? TIMEOUT_MS : UINT64_MAX;
	say(&m, v);
	LAW((v->code == NULL) == (w.issued < opt.calls), "L8: the budget");
	if (v->code == NULL)
		w.call[++w.issued] = (seen){0};
}

static void
say_cancel(uint32_t id, verdict *v)
{
	said m = {.kind = SAID_CANCEL};

	m.u.cancel.id = id;
	if (!settled(&w.call[id])) {
		w.call[id].cancelled = true;
		note_settled(id, true);
	}
	say(&m, v);
}

static void
say_unseen(uint32_t id, verdict *v)
{
	said m = {.kind = SAID_UNSEEN};
	seen *c = &w.call[id];

	m.u.unseen.id = id;
	m.u.unseen.stack = TEXT("at codemode.js:1:1");
	/* One that lost, or was cancelled, is no failure of a call. */
	c->unseen |= c->failed;
	say(&m, v);
}

static void
say_observed(uint32_t id, verdict *v)
{
	said m = {.kind = SAID_OBSERVED};

	m.u.observed.id = id;
	w.call[id].unseen = false;
	say(&m, v);
}

static void
say_group(bool all, uint32_t mask, verdict *v)
{
	said m = {.kind = SAID_GROUP};
	uint32_t id, g = w.groups++;
	char list[32] = "[";

	w.all[g] = all;
	w.mask[g] = (uint8_t)mask;
	for (id = 1; id <= w.issued; id++) {
		if (!(mask >> id & 1))
			continue;
		snprintf(
		    list + strlen(list), 8, "%s%u", list[1] ? "," : "", id);
		w.call[id].group = (uint8_t)(g + 1);
		if (settled(&w.call[id]))
			note_settled(
			    id, w.call[id].cancelled || w.call[id].failed);
	}
	strcat(list, "]");
	m.u.group.all = all;
	m.u.group.calls = text_of(list);
	say(&m, v);
}

/* The first of these ends counts. */
static void
note_end(int why)
{
	if (!w.over)
		w.why = why;
	w.over = true;
}

static engine_state
say_end(const said *m, int why)
{
	verdict v;

	say(m, &v);
	note_end(why);
	return ENGINE_ENDED;
}

static void
note_idle(void)
{
	uint32_t id;

	w.busy = false;
	for (id = 1; id <= w.issued; id++)
		w.call[id].ready = true;
}

static void
say_prepared(void)
{
	said m = {.kind = SAID_PREPARED};
	verdict v;

	m.u.prepared.timeout_ms = UINT64_MAX;
	m.u.prepared.output_tokens = UINT64_MAX;
	say(&m, &v);
	w.prepared = true;
}

static engine_state
fake_turn(engine *e)
{
	said m = {.kind = SAID_DONE};
	event p = plan;
	verdict v = {0};

	(void)e;
	if (!w.prepared)
		say_prepared();
	plan = (event){NEXT, 0};
	switch (p.kind) {
	case SAY_CALL:
		say_call(&v);
		break;
	case SAY_CANCEL:
		say_cancel(p.i, &v);
		break;
	case SAY_UNSEEN:
		say_unseen(p.i, &v);
		break;
	case SAY_OBSERVED:
		say_observed(p.i, &v);
		break;
	case SAY_RACE:
	case SAY_ALL:
		say_group(p.kind == SAY_ALL, p.i, &v);
		break;
	case SAY_IDLE:
		note_idle();
		break;
	case SAY_DONE:
		m.u.done.writes = TEXT("[]");
		return say_end(&m, CM_END_OK);
	case SAY_FAIL:
		m.kind = SAID_FAIL;
		m.u.fail.json = TEXT("{\"message\":\"m\"}");
		return say_end(&m, CM_END_SCRIPT);
	case SAY_NONSENSE:
		m.kind = SAID_CANCEL;
		m.u.cancel.id = 99;
		say(&m, &v);
		note_end(CM_END_SANDBOX);
		break;
	case ENGINE_LOST:
		note_end(CM_END_SANDBOX);
		return ENGINE_BROKEN;
	default:
		break;
	}
	return ENGINE_WAITS;
}

static void
fake_stop(engine *e)
{
	(void)e;
}

static const char *
fake_why(const engine *e)
{
	(void)e;
	return "lost";
}

static uint64_t
fake_wait(const engine *e, int *handle, int *writable)
{
	(void)e;
	*handle = -1;
	*writable = 0;
	return UINT64_MAX;
}

static bool
fake_busy(const engine *e)
{
	(void)e;
	return w.busy;
}

static uint64_t
fake_zero(const engine *e)
{
	(void)e;
	return 0;
}

static const char *
fake_fingerprint(void)
{
	return "fake";
}

static const engine_port fake_port = {
    .name = "fake",
    .open = fake_open,
    .resolve = fake_resolve,
    .reject = fake_reject,
    .fire = fake_fire,
    .turn = fake_turn,
    .stop = fake_stop,
    .why = fake_why,
    .wait = fake_wait,
    .busy = fake_busy,
    .behind = fake_zero,
    .grace = fake_zero,
    .memory = fake_zero,
    .close = fake_stop,
    .fingerprint = fake_fingerprint,
};

/* ------------------------------------------------------------- the owner */

static uint32_t
running(void)
{
	uint32_t id, n = 0;

	for (id = 1; id <= w.issued; id++)
		n += w.call[id].started && !w.call[id].over;
	return n;
}

static bool
may_start(uint32_t id)
{
	const seen *c = &w.call[id];

	return c->ready && !c->started && !settled(c) &&
	       running() < opt.at_once;
}

static bool
must_abort(uint32_t id)
{
	const seen *c = &w.call[id];

	return c->started && !c->over && !c->aborted && (settled(c) || w.over);
}

static void
saw_call(uint32_t id)
{
	uint32_t k;

	LAW(!w.over, "L6: a start after the end");
	LAW(may_start(id), "L1, L3: a start that may not be");
	for (k = 1; k < id; k++)
		LAW(!may_start(k), "L3: an earlier call may start");
	w.call[id].started = true;
	w.call[id].start_ms = now;
}

static void
saw_abort(uint32_t id)
{
	LAW(must_abort(id), "L4: an abort that is not due");
	w.call[id].aborted = true;
}

/* Each other member of a group that was decided has lost. */
static void
look_at_groups(void)
{
	uint32_t id, g;

	for (id = 1; id <= w.issued; id++) {
		g = w.call[id].group;
		LAW(g == 0 || w.decided[g - 1] == 0 || settled(&w.call[id]),
		    "L4, L5: a member of a decided group waits on");
	}
}

static void
saw_wait(const cm_wait *wait)
{
	uint32_t id;

	LAW(!w.over, "L9: the end does not come");
	LAW(wait->calls == running(), "L1: how many run");
	for (id = 1; id <= w.issued; id++) {
		LAW(!may_start(id), "L3: a call that may start does not");
		LAW(!must_abort(id), "L4: a call that must stop is not told");
	}
	look_at_groups();
}

static uint32_t
count_of(text t, text what)
{
	uint32_t n = 0;
	size_t at = 0;

	while ((at = text_find(t, what, at)) != SIZE_MAX) {
		at += what.len;
		n++;
	}
	return n;
}

static void
look_at_record(void)
{
	uint32_t id, unseen = 0, unstarted = 0;
	text result;

	for (id = 1; id <= w.issued; id++) {
		unseen += w.call[id].unseen;
		unstarted += !w.call[id].started;
	}
	if (run_result(run, &result) != CM_OK) {
		law_of("the result");
		return;
	}
	LAW(count_of(result, TEXT("nothing awaited")) == unseen,
	    "L7: what is reported");
	LAW(count_of(result, TEXT("\"unstarted\"")) == unstarted,
	    "L2: calls that never ran");
	LAW(count_of(result, TEXT("\"status\"")) == w.issued,
	    "L2: each call has an end");
}

static void
saw_done(const cm_done *done)
{
	uint32_t id;

	LAW(w.over, "L9: the end before the end");
	LAW((int)done->end == w.why, "L9: the first end counts");
	for (id = 1; id <= w.issued; id++)
		LAW(!must_abort(id), "L6: the end before a call was told");
	if (!w.done)
		look_at_record();
	w.done = true;
}

static void
crank(void)
{
	cm_step step;

	if (w.cancelled || w.late)
		note_end(w.cancelled ? CM_END_ABORTED : CM_END_TIMEOUT);
	if (run_next(run, now, &step) != CM_OK) {
		law_of("run_next");
		return;
	}
	LAW(!w.done || step.kind == CM_STEP_DONE, "L9: done stays done");
	switch (step.kind) {
	case CM_STEP_CALL:
		saw_call(step.u.call.id);
		break;
	case CM_STEP_ABORT:
		saw_abort(step.u.abort);
		break;
	case CM_STEP_WAIT:
		saw_wait(&step.u.wait);
		break;
	case CM_STEP_DONE:
		saw_done(&step.u.done);
		break;
	case CM_STEP_ASK:
	case CM_STEP_PRINT:
		law_of("nothing was printed, and all is approved");
		break;
	}
}

/* An answer is taken once, from a call that runs and that the script wants. */
static void
answer_call(uint32_t id, bool fails)
{
	static const cm_failure failure = {
	    TEXT_INIT(""), TEXT_INIT("m"), TEXT_INIT("")};
	seen *c = id <= w.issued ? &w.call[id] : NULL;
	bool due =
	    c != NULL && c->started && !c->over && !settled(c) && !w.over;
	cm_status s;

	s = fails ? run_reject(run, id, &failure)
		  : run_resolve(run, id, TEXT("1"));
	LAW(s == (due ? CM_OK : CM_ENOCALL), "what an answer returns");
	LAW(!due || c->answered, "L2: an answer is not delivered");
	if (c != NULL && c->started)
		c->over = true;
}

static void
say_stopped(uint32_t id)
{
	seen *c = id <= w.issued ? &w.call[id] : NULL;
	bool due = c != NULL && c->aborted && !c->over;

	LAW(run_stopped(run, id) == (due ? CM_OK : CM_ENOCALL),
	    "what run_stopped returns");
	if (due)
		c->over = true;
}

/* ------------------------------------------------------------- one event */

static void
do_event(event e)
{
	switch (e.kind) {
	case RESOLVE:
	case REJECT:
		answer_call(e.i, e.kind == REJECT);
		break;
	case STOPPED:
		say_stopped(e.i);
		break;
	case CANCEL:
		w.cancelled = true;
		run_cancel(run, TEXT_NONE);
		break;
	case INTERRUPT:
		w.cancelled = true;
		run_interrupt(run);
		break;
	case PASS_TIMEOUT:
		now += TIMEOUT_MS;
		break;
	case PASS_DEADLINE:
		now += 2 * WALL_MS;
		w.late = true;
		break;
	default:
		plan = e;
		crank();
	}
	LAW(sched_ok_whole(&run->sched), "sched_ok_whole");
	LAW(gate_ok(&run->gate), "gate_ok");
	for (size_t g = 0; g < run->groups.len; g++)
		LAW(group_ok_whole(&run->groups.group[g].g), "group_ok_whole");
}

static uint64_t
tell_now(void *ctx)
{
	(void)ctx;
	return now;
}

/* A new run, with nothing said and nothing done. */
static void
begin_world(void)
{
	static const cm_host host = {.now_ms = tell_now};
	static const place_port kind = {.name = "fake"};
	static cm_place nowhere = {.port = &kind};
	cm_run_options o = CM_RUN_OPTIONS_INIT;

	memset(&w, 0, sizeof(w));
	plan = (event){NEXT, 0};
	now = 1;
	o.host = &host;
	o.flags = CM_RUN_RAW;
	o.limits.calls = opt.calls;
	o.limits.calls_at_once = opt.at_once;
	o.limits.wall_ms = WALL_MS;
	if (run_new(NULL, tools, TEXT("1"), &o, &run) != CM_OK)
		abort();
	/* Before its first turn a run has asked nothing of its port. */
	run->port = &fake_port;
	run->given.place = &nowhere;
}

/* ---------------------------------------------------- the events to try */

typedef struct event_list {
	event e[200];
	uint32_t len;
} event_list;

static void
add(event_list *all, event_kind kind, uint32_t i)
{
	all->e[all->len++] = (event){(uint8_t)kind, (uint8_t)i};
}

/* Groups of calls that are in none yet, of two members or more. */
static void
add_groups(event_list *all)
{
	uint32_t mask, id, n;

	if (!opt.groups || w.groups == 2)
		return;
	for (mask = 2; mask < 2u << w.issued; mask++) {
		n = 0;
		for (id = 1; id <= w.issued; id++) {
			if (!(mask >> id & 1))
				continue;
			n += w.call[id].group == 0 ? 1 : 100;
		}
		if (n < 2 || n > MAX_CALLS || (mask & 1))
			continue;
		add(all, SAY_RACE, mask);
		add(all, SAY_ALL, mask);
	}
}

static void
add_engine(event_list *all)
{
	uint32_t id;

	/* Between turns an engine says nothing (place/remote.c). */
	if (w.over || (run->turns.begun && !w.busy))
		return;
	add(all, SAY_CALL, 0);
	add(all, SAY_IDLE, 0);
	add(all, SAY_DONE, 0);
	add(all, SAY_FAIL, 0);
	add(all, SAY_NONSENSE, 0);
	add(all, ENGINE_LOST, 0);
	for (id = 1; id <= w.issued; id++) {
		add(all, SAY_CANCEL, id);
		if (!opt.unseen)
			continue;
		add(all, SAY_UNSEEN, id);
		add(all, SAY_OBSERVED, id);
	}
	add_groups(all);
}

static void
all_events(event_list *all)
{
	uint32_t id;

	all->len = 0;
	add(all, NEXT, 0);
	/* A plan stays until the engine turns. */
	if (plan.kind == NEXT)
		add_engine(all);
	for (id = 1; id <= w.issued + 1u; id++) {
		add(all, RESOLVE, id);
		add(all, REJECT, id);
		add(all, STOPPED, id);
	}
	if (run->turns.begun && !w.done) {
		add(all, CANCEL, 0);
		add(all, INTERRUPT, 0);
		add(all, PASS_DEADLINE, 0);
	}
	if (opt.timeouts && now < 4 * TIMEOUT_MS)
		add(all, PASS_TIMEOUT, 0);
}

/* ----------------------------------------------------------- the search */

typedef struct state {
	uint64_t hash[2];
	uint32_t parent;
	event by;
	uint8_t depth;
} state;

static state *states;
static uint32_t len, cap;
static uint32_t *slot; /* number of a state + 1 */

static void
mix(uint64_t h[2], const void *p, size_t bytes)
{
	const unsigned char *b = p;

	while (bytes-- > 0) {
		h[0] = (h[0] ^ *b) * UINT64_C(0x100000001b3);
		h[1] = (h[1] + *b++ + 1) * UINT64_C(0x9e3779b97f4a7c15);
		h[1] ^= h[1] >> 29;
	}
}

#define MIX(h, x) mix(h, &(x), sizeof(x))

/* All that decides what can happen next. */
static void
hash_world(uint64_t h[2])
{
	const sched *s = &run->sched;
	uint32_t i;

	h[0] = UINT64_C(0xcbf29ce484222325);
	h[1] = 1;
	MIX(h, w);
	MIX(h, plan);
	MIX(h, now);
	MIX(h, s->issued);
	MIX(h, s->queue);
	MIX(h, s->scan);
	MIX(h, s->stop);
	MIX(h, s->closed);
	MIX(h, s->phase);
	mix(h, s->call, s->issued * sizeof(*s->call));
	for (i = 0; i < s->issued; i++) {
		MIX(h, run->calls.record[i].status);
		MIX(h, run->calls.record[i].given_up);
		MIX(h, run->calls.record[i].start_ms);
		MIX(h, run->calls.record[i].line);
	}
	for (i = 0; i < run->groups.len; i++) {
		const group *g = &run->groups.group[i].g;

		MIX(h, g->decider);
		MIX(h, g->next);
		mix(h, g->member, g->members);
	}
	MIX(h, run->turns.ready);
	MIX(h, run->turns.begun);
	MIX(h, run->turns.due);
	MIX(h, run->stop.cancelled);
	MIX(h, run->outcome.end);
}

static uint32_t *
slot_of(const uint64_t h[2])
{
	uint32_t i = (uint32_t)h[1] & (2 * cap - 1);

	while (slot[i] != 0 && memcmp(states[slot[i] - 1].hash, h, 16) != 0)
		i = (i + 1) & (2 * cap - 1);
	return &slot[i];
}

static void
grow(void)
{
	uint32_t i;

	cap = cap ? 2 * cap : 1u << 12;
	states = realloc(states, cap * sizeof(*states));
	free(slot);
	slot = calloc(2 * (size_t)cap, sizeof(*slot));
	if (states == NULL || slot == NULL)
		abort();
	for (i = 0; i < len; i++)
		*slot_of(states[i].hash) = i + 1;
}

static void
add_state(uint32_t parent, event by, uint8_t depth)
{
	state new = {.parent = parent, .by = by, .depth = depth};
	uint32_t *at;

	hash_world(new.hash);
	if (len == cap)
		grow();
	at = slot_of(new.hash);
	if (*at != 0)
		return;
	states[len] = new;
	*at = ++len;
}

/* The events that lead to a state, the first first; how many. */
static uint32_t
path_of(uint32_t at, event *path)
{
	uint32_t n = states[at].depth, i;

	for (i = n; i > 0; i--) {
		path[i - 1] = states[at].by;
		at = states[at].parent;
	}
	return n;
}

static void
show(const event *path, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		printf("  %s %u\n", event_name[path[i].kind], path[i].i);
	printf("breaks %s\n", broken);
}

static uint64_t
explore_state(uint32_t from)
{
	event path[MAX_DEPTH + 1];
	uint32_t n = path_of(from, path), i, k;
	event_list events = {.len = 1};
	uint64_t steps = 0;

	for (i = 0; i < events.len && broken == NULL; i++) {
		begin_world();
		for (k = 0; k < n; k++)
			do_event(path[k]);
		if (i == 0)
			all_events(&events);
		path[n] = events.e[i];
		do_event(events.e[i]);
		steps++;
		if (broken == NULL)
			add_state(from, events.e[i], (uint8_t)(n + 1));
		else
			show(path, n + 1);
		run_free(run);
	}
	return steps;
}

static int
explore(void)
{
	uint64_t steps = 0;
	uint32_t from;

	begin_world();
	add_state(0, (event){NEXT, 0}, 0);
	run_free(run);
	for (from = 0; from < len && broken == NULL; from++)
		if (states[from].depth < opt.depth)
			steps += explore_state(from);
	if (broken == NULL)
		printf("%u states, %llu steps: every law holds\n", len,
		    (unsigned long long)steps);
	free(states);
	free(slot);
	return broken != NULL;
}

int
main(int argc, char **argv)
{
	const char *flags = argc > 4 ? argv[4] : "";
	int failed;

	if (argc < 4) {
		fputs("usage: shell CALLS AT_ONCE DEPTH [gtu]\n", stderr);
		return 2;
	}
	opt = (options){(uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]),
	    (uint32_t)atoi(argv[3]), strchr(flags, 'g') != NULL,
	    strchr(flags, 't') != NULL, strchr(flags, 'u') != NULL};
	if (opt.calls > MAX_CALLS || opt.depth > MAX_DEPTH)
		return 2;
	if (catalog_new(NULL, &tools) != CM_OK ||
	    catalog_add(tools, &(tool_given){.name = TEXT("f")}) != CM_OK ||
	    catalog_seal(tools) != CM_OK)
		return 2;
	printf("%s calls, %s at once, %s events %s: ", argv[1], argv[2],
	    argv[3], flags);
	fflush(stdout);
	failed = explore();
	catalog_drop(tools);
	return failed;
}
