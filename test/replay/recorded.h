/* SPDX-License-Identifier: MIT */
/*
 * recorded.h -- a run recorded in memory, with an owner that answers as a
 * generator of random numbers says.
 */
#ifndef TEST_REPLAY_RECORDED_H
#define TEST_REPLAY_RECORDED_H

#include "scripts/recording.h"
#include "scripts/replaying.h"

#include "host/system.h"

#include <codemode/place.h>

#include <stdio.h>
#include <stdlib.h>

enum { CALLS_MAX = 200 };

static uint64_t chance_state;

static inline unsigned
chance(unsigned n)
{
	chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(chance_state >> 33) % n;
}

/* The calls that the owner has, and those it was told to stop. */
typedef struct owner {
	cm_run *run;
	uint64_t now_ms;
	cm_call_id call[CALLS_MAX], stop[CALLS_MAX];
	unsigned calls, stops;
} owner;

static inline cm_call_id
take_id(cm_call_id *id, unsigned *n)
{
	unsigned i = chance(*n);
	cm_call_id taken = id[i];

	id[i] = id[--*n];
	return taken;
}

static inline void
forget_call(owner *o, cm_call_id id)
{
	for (unsigned i = 0; i < o->calls; i++)
		if (o->call[i] == id)
			o->call[i--] = o->call[--o->calls];
}

static inline void
answer_one(owner *o)
{
	cm_call_id id = take_id(o->call, &o->calls);
	char value[64];

	snprintf(value, sizeof(value), "{\n\"id\": %u, \"r\": %u}", id,
	    chance(1000));
	switch (chance(60)) {
	case 0:
	case 1:
		cm_run_reject(o->run, id,
		    &(cm_failure){{"ToolError", 9}, {"it \xc3\xa9 failed", 12},
			{"{\"why\": [1]}", 12}});
		break;
	case 2:
		cm_run_resolve(o->run, id, (text){"{\"a\":", 5});
		break;
	case 3:
		cm_run_resolve(o->run, id, (text){"\xff\xfe", 2});
		break;
	case 4:
		cm_run_resolve(o->run, id, (text){"", 1u << 20});
		break;
	case 5:
		cm_run_reject(o->run, id,
		    &(cm_failure){TEXT_NONE, {"\xff", 1}, TEXT_NONE});
		break;
	case 6:
		cm_run_resolve(o->run, id, TEXT_NONE);
		break;
	default:
		cm_run_resolve(o->run, id, text_of(value));
	}
}

/* One thing that an owner does while the script waits or computes. */
static inline void
act(owner *o, const cm_wait *w)
{
	unsigned what = chance(8);

	if (what < 4 && o->calls > 0)
		answer_one(o);
	else if (what == 4 && o->stops > 0)
		cm_run_stopped(o->run, take_id(o->stop, &o->stops));
	else if (what == 5 && chance(20) == 0)
		cm_run_warn(o->run, TEXT("a word of the owner"));
	else if (!w->busy && o->calls == 0 && o->stops == 0 &&
		 w->until_ms != UINT64_MAX)
		o->now_ms = w->until_ms + chance(3);
	else
		o->now_ms += chance(4);
}

static inline void
wait_as_owner(owner *o, const cm_wait *w)
{
	if (!w->busy || chance(3) == 0)
		act(o, w);
	if (w->busy)
		system_wait(w->handle, w->writable, 1000);
}

static inline void
note_stop(owner *o, cm_call_id id)
{
	forget_call(o, id);
	if (chance(3) == 0)
		o->call[o->calls++] = id; /* answers all the same, later */
	else
		o->stop[o->stops++] = id;
}

/* Turns the run to its end. */
static inline void
own_run(owner *o, cm_run *run)
{
	cm_step step;

	*o = (owner){.run = run, .now_ms = 7 + chance(100)};
	for (;;) {
		must(cm_run_next(run, o->now_ms, &step) == CM_OK);
		switch (step.kind) {
		case CM_STEP_CALL:
			must(o->calls < CALLS_MAX);
			o->call[o->calls++] = step.u.call.id;
			break;
		case CM_STEP_ABORT:
			note_stop(o, step.u.abort);
			break;
		case CM_STEP_ASK: /* only with CM_RUN_ASK */
		case CM_STEP_PRINT:
			break;
		case CM_STEP_WAIT:
			wait_as_owner(o, &step.u.wait);
			break;
		case CM_STEP_DONE:
			return;
		}
	}
}

/* The bytes of a record. */
typedef struct recorded {
	char *bytes;
	size_t len;
} recorded;

static inline text
recorded_text(const recorded *r)
{
	return (text){r->bytes, r->len};
}

/* Records the script in that place (NULL: inline); chance decides the rest. */
static inline recorded
record_script(cm_catalog *cat, text script, cm_place *place)
{
	recorder rec = {0};
	recorded r = {NULL, 0};
	cm_start start = {.epoch_ms = 1700000000000 + chance(100000),
	    .log = recorder_line,
	    .ctx = &rec};
	cm_run_options opts = CM_RUN_OPTIONS_INIT;
	cm_run *run;
	owner o;

	for (size_t i = 0; i < sizeof(start.seed); i++)
		start.seed[i] = (unsigned char)chance(256);
	opts.start = &start;
	opts.place = place;
	opts.store = TEXT("{\"n\": 1}");
	opts.data = TEXT("[1,\n2]");
	opts.limits.calls_at_once = 4;
	opts.limits.tool_calls_at_once = 2;
	opts.limits.calls = 60;
	opts.limits.result = 4096;
	opts.limits.wall_ms = 3600000;
	rec.to = open_memstream(&r.bytes, &r.len);
	must(cm_run_new(cat, script, &opts, &run) == CM_OK);
	must(recorder_begin(&rec, run, cat, script, &opts) == NULL);
	own_run(&o, run);
	must(recorder_close(&rec, true) == NULL);
	cm_run_free(run);
	return r;
}

#endif
