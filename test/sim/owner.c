/* SPDX-License-Identifier: MIT */
/* owner.c -- see owner.h. */
#include "owner.h"

#include "base/json.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS_MAX = 20000 };

typedef enum fate { UNSEEN, STARTED, ANSWERED, ABORTED } fate;

typedef struct errand {
	owner *owner;
	owner_end *end;
	cm_run *run;
	unsigned char *fate; /* fate[id] */
	cm_call_id last;     /* started; ids rise */
	cm_call_id waiting[64];
	char *args[64]; /* what "echo" gives back, NULL: it is not echo */
	unsigned waits;
	bool done;
	cm_status refused; /* an answer found no memory */
} errand;

static unsigned long
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long)t.tv_sec * 1000 +
	       (unsigned long)t.tv_nsec / 1000000;
}

static unsigned
chance(owner *o, unsigned below)
{
	o->seed = o->seed * 1103515245u + 12345u;
	return (o->seed >> 16) % below;
}

static void
expect(errand *e, bool holds, const char *promise)
{
	if (!holds && e->end->broken == NULL)
		e->end->broken = promise;
}

static void
copy(char *to, size_t size, cm_text t)
{
	snprintf(to, size, "%.*s", (int)(t.len < size ? t.len : size),
	    t.ptr ? t.ptr : "");
}

/* ------------------------------------------------------------ answering */

static cm_text
text_of_size(size_t n, char **own)
{
	char *p = malloc(n + 2);

	*own = p;
	if (p == NULL)
		return (cm_text){NULL, 0};
	memset(p, 'x', n + 2);
	p[0] = p[n + 1] = '"';
	return (cm_text){p, n + 2};
}

static void
forget(errand *e, unsigned i)
{
	free(e->args[i]);
	e->waits--;
	e->waiting[i] = e->waiting[e->waits];
	e->args[i] = e->args[e->waits];
}

static void
answer(errand *e, unsigned i)
{
	cm_call_id id = e->waiting[i];
	char *own = e->args[i], *big = NULL;
	cm_text given = {own, own ? strlen(own) : 0};
	cm_failure failure = {{NULL, 0}, {"boom", 4}, {NULL, 0}};
	cm_status s;

	if (own == NULL) {
		s = cm_run_reject(e->run, id, &failure);
	} else if (own[0] == '*') {
		s = cm_run_resolve(
		    e->run, id, text_of_size(e->owner->big, &big));
		free(big);
	} else {
		s = cm_run_resolve(e->run, id, given);
	}
	expect(
	    e, s == CM_OK || s == CM_ENOMEM, "an answer that is owed is taken");
	if (s == CM_ENOMEM)
		e->refused = s;
	e->fate[id] = ANSWERED;
	e->end->answered++;
	forget(e, i);
}

static char *
to_answer(const cm_call *call)
{
	char *p;

	if (call->name.len == 3)
		return strdup("*");
	if ((p = malloc(call->args.len + 1)) != NULL) {
		if (call->args.len > 0)
			memcpy(p, call->args.ptr, call->args.len);
		p[call->args.len] = 0;
	}
	return p;
}

static void
on_call(errand *e, const cm_call *call, bool fails)
{
	expect(e, call->id > e->last && call->id < CALLS_MAX, "ids rise");
	if (call->id <= e->last || call->id >= CALLS_MAX)
		return;
	e->last = call->id;
	e->fate[call->id] = STARTED;
	if (call->name.ptr[0] == 'h')
		return; /* hang */
	expect(e, e->waits < 64, "no more calls at once than allowed");
	if (e->waits == 64)
		return;
	e->args[e->waits] = fails ? NULL : to_answer(call);
	e->waiting[e->waits++] = call->id;
}

static void
on_abort(errand *e, cm_call_id id)
{
	unsigned i;

	e->end->aborted++;
	expect(e, id < CALLS_MAX && e->fate[id] == STARTED,
	    "only a call in flight is aborted, once");
	if (id < CALLS_MAX)
		e->fate[id] = ABORTED;
	cm_run_stopped(e->run, id);
	for (i = 0; i < e->waits; i++)
		if (e->waiting[i] == id) {
			forget(e, i);
			return;
		}
}

static void
on_wait(errand *e, const cm_wait *w)
{
	struct pollfd fd = {w->handle, POLLIN, 0};
	uint64_t now = now_ms();
	int ms = w->until_ms <= now ? 0
		 : w->until_ms - now > (unsigned)INT_MAX
		     ? -1
		     : (int)(w->until_ms - now);

	if (w->writable)
		fd.events |= POLLOUT;
	if (e->waits > 0 && (w->handle < 0 || chance(e->owner, 2) == 0)) {
		answer(e, chance(e->owner, e->waits));
		return;
	}
	poll(&fd, 1, e->waits > 0 && (ms < 0 || ms > 1) ? 1 : ms);
}

/* -------------------------------------------------------------- turning */

static void
on_done(errand *e, const cm_done *d)
{
	e->done = true;
	e->end->end = d->end;
	copy(e->end->value, sizeof(e->end->value), d->value);
	copy(e->end->message, sizeof(e->end->message), d->fault.message);
	copy(e->end->code, sizeof(e->end->code), d->fault.code);
}

static cm_status
turn(errand *e)
{
	cm_step step;
	cm_status s;

	if (e->owner->before != NULL)
		e->owner->before(e->owner, e->end->steps);
	e->end->steps++;
	s = cm_run_next(e->run, now_ms(), &step);
	if (s != CM_OK)
		return s;
	expect(e, !e->done || step.kind == CM_STEP_DONE, "done stays done");
	switch (step.kind) {
	case CM_STEP_CALL:
		e->end->calls++;
		on_call(e, &step.u.call, step.u.call.name.ptr[0] == 'f');
		break;
	case CM_STEP_ABORT:
		on_abort(e, step.u.abort);
		break;
	case CM_STEP_ASK:
		e->end->asked++;
		on_call(e, &step.u.call, true);
		break;
	case CM_STEP_PRINT:
		break;
	case CM_STEP_WAIT:
		on_wait(e, &step.u.wait);
		break;
	case CM_STEP_DONE:
		on_done(e, &step.u.done);
		break;
	}
	return e->refused;
}

static void
look_at_calls(errand *e, json calls)
{
	json_iter it = json_each(calls);
	json call, status;
	int64_t id;

	while (json_next(&it, NULL, &call)) {
		status = json_get(call, TEXT("status"));
		if (!json_int(json_get(call, TEXT("id")), &id) || id < 1 ||
		    id >= CALLS_MAX)
			continue;
		if (e->fate[id] == UNSEEN)
			expect(e, json_is(status, TEXT("unstarted")),
			    "a call that never began is told so");
		else if (e->fate[id] == ABORTED)
			expect(e,
			    json_is(status, TEXT("cancelled")) ||
				json_is(status, TEXT("error")),
			    "a call that was stopped is told so");
		else
			expect(e,
			    json_is(status, TEXT("ok")) ||
				json_is(status, TEXT("error")) ||
				json_is(status, TEXT("cancelled")),
			    "a call that ran is told with its end");
	}
}

static cm_status
look_at_result(errand *e)
{
	cm_call_id id;
	json all;
	cm_text result;
	cm_status s = cm_run_result(e->run, &result);

	if (s != CM_OK)
		return s;
	expect(e, json_check(result, 100000, &all, NULL), "a result is JSON");
	if (e->end->broken != NULL)
		return CM_OK;
	look_at_calls(e, json_get(all, TEXT("calls")));
	for (id = 1; id <= e->last; id++)
		expect(e, e->fate[id] != STARTED, "no call is left running");
	turn(e);
	return CM_OK;
}

void
owner_run(owner *o, const char *script, owner_end *end)
{
	cm_run_options opts = CM_RUN_OPTIONS_INIT;
	errand e = {.owner = o, .end = end};
	unsigned long began = now_ms();

	*end = (owner_end){0};
	opts.place = o->place;
	opts.limits = o->limits;
	opts.start = o->start;
	opts.flags = o->approves != NULL ? CM_RUN_ASK | CM_RUN_SITES : 0;
	e.fate = calloc(CALLS_MAX, 1);
	end->status = e.fate == NULL ? CM_ENOMEM
				     : cm_run_new(o->catalog,
					   (cm_text){script, strlen(script)},
					   &opts, &e.run);
	if (end->status == CM_OK && o->approves != NULL)
		end->status = cm_run_approve(e.run, o->approves);
	while (end->status == CM_OK && !e.done)
		end->status = turn(&e);
	if (end->status == CM_OK)
		end->status = look_at_result(&e);
	end->ms = now_ms() - began;
	while (e.waits > 0)
		forget(&e, 0);
	cm_run_free(e.run);
	free(e.fate);
}

/* ---------------------------------------------------------------- tools */

cm_status
owner_init(owner *o, const cm_alloc *alloc)
{
	static const char *const names[] = {"echo", "fail", "hang", "big"};
	cm_status s;

	*o = (owner){.seed = 1, .big = 100};
	if ((s = cm_catalog_new(alloc, &o->catalog)) != CM_OK)
		return s;
	for (size_t i = 0; i < 4 && s == CM_OK; i++)
		s = cm_catalog_add(o->catalog,
		    &(cm_tool){.name = {names[i], strlen(names[i])}});
	return s;
}

void
owner_fini(owner *o)
{
	cm_catalog_free(o->catalog);
	*o = (owner){0};
}
