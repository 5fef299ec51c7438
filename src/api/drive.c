/* SPDX-License-Identifier: MIT */
/*
 * drive.c -- one blocking function over the public crank.
 *
 * Uses the public header only, so that it is also the example of how to turn
 * a run.
 */
#include <codemode/codemode.h>

#include "host/system.h"

static uint64_t
machine_ms(void *ctx)
{
	engine_host host = system_host();

	(void)ctx;
	return host.now_ms(host.ctx);
}

static void
refuse(cm_run *run, const cm_call *call)
{
	static const cm_failure none = {
	    {"TypeError", 9}, {"this host answers no tool calls", 31}, {"", 0}};

	cm_run_reject(run, call->id, &none);
}

/* Nobody can answer what is pending: waiting would be for ever. */
static void
wait_for_answers(
    cm_run *run, const cm_driver *d, const cm_wait *w, uint64_t now)
{
	static const cm_text reason = {
	    "a tool call was left unanswered and the host cannot wait", 56};

	if (d->wait != NULL)
		d->wait(d->ctx, run, w);
	else if (w->calls > 0 && w->handle < 0)
		cm_run_cancel(run, reason);
	else
		system_wait(w->handle, w->writable,
		    w->until_ms > now ? w->until_ms - now : 0);
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
				refuse(run, &step.u.call);
			break;
		case CM_STEP_ABORT:
			if (d->abort != NULL)
				d->abort(d->ctx, run, step.u.abort);
			break;
		case CM_STEP_PRINT:
			if (d->print != NULL)
				d->print(d->ctx, &step.u.print);
			break;
		case CM_STEP_WAIT:
			wait_for_answers(run, d, &step.u.wait, now);
			break;
		case CM_STEP_DONE:
			*done = step.u.done;
			return CM_OK;
		}
	}
}
