/* SPDX-License-Identifier: MIT */
/*
 * drive.c -- cm_run_drive: turns a run until it is done.
 *
 * Uses the public header only, so it is also an example of turning a run.
 */
#define _GNU_SOURCE
#include <codemode/codemode.h>

#include <limits.h>
#include <poll.h>
#include <time.h>

static uint64_t
machine_ms(void *ctx)
{
	struct timespec t;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Waits until the handle is ready or w->until_ms has come. */
static void
wait_for_handle(const cm_wait *w, uint64_t now)
{
	struct pollfd fd = {w->handle, POLLIN, 0};
	uint64_t ms = w->until_ms > now ? w->until_ms - now : 0;

	if (w->writable)
		fd.events |= POLLOUT;
	poll(&fd, 1, ms > INT_MAX ? -1 : (int)ms);
}

static void
refuse_call(cm_run *run, const cm_call *call)
{
	static const cm_failure none = {
	    {"TypeError", 9}, {"this host answers no tool calls", 31}, {"", 0}};

	cm_run_reject(run, call->id, &none);
}

static void
refuse_asked(cm_run *run, const cm_call *call)
{
	static const cm_failure unapproved = {{"", 0},
	    {"the call was not approved", 25},
	    {"{\"code\":\"NotAllowed\"}", 21}};

	cm_run_reject(run, call->id, &unapproved);
}

/* A host without 'wait' cannot answer a pending call later: the run would wait
 * for its deadline. Cancel it. */
static void
drive_wait(cm_run *run, const cm_driver *d, const cm_wait *w, uint64_t now)
{
	static const cm_text reason = {
	    "a tool call was left unanswered and the host cannot wait", 56};

	if (d->wait != NULL)
		d->wait(d->ctx, run, w);
	else if (w->calls == 0 || cm_run_cancel(run, reason) != CM_OK)
		wait_for_handle(w, now);
}

cm_status
cm_run_drive(cm_run *run, const cm_driver *d, cm_done *done)
{
	uint64_t (*now_ms)(void *) = d->now_ms ? d->now_ms : machine_ms;
	cm_step step;
	cm_status r;
	uint64_t now;

	for (;;) {
		now = now_ms(d->ctx);
		if ((r = cm_run_next(run, now, &step)) != CM_OK)
			return r;
		switch (step.kind) {
		case CM_STEP_CALL:
			if (d->call != NULL)
				d->call(d->ctx, run, &step.u.call);
			else
				refuse_call(run, &step.u.call);
			break;
		case CM_STEP_ASK:
			refuse_asked(run, &step.u.call);
			break;
		case CM_STEP_ABORT:
			if (d->abort != NULL)
				d->abort(d->ctx, run, step.u.abort);
			else
				cm_run_stopped(run, step.u.abort);
			break;
		case CM_STEP_PRINT:
			if (d->print != NULL)
				d->print(d->ctx, &step.u.print);
			break;
		case CM_STEP_WAIT:
			drive_wait(run, d, &step.u.wait, now);
			break;
		case CM_STEP_DONE:
			*done = step.u.done;
			return CM_OK;
		}
	}
}
