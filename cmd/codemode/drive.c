/* SPDX-License-Identifier: MIT */
/*
 * drive.c -- the loop around cm_run_next.
 *
 * The run says what comes next until it has to wait; then the event loop runs
 * until something happens, and the run is asked again. Answers that come in
 * meanwhile only tell the run what happened. So nothing here ever happens
 * inside of something else.
 */
#include "drive.h"

#include "signals.h"

#include <fcntl.h>
#include <unistd.h>

enum { TICK_MS = 100 };

typedef struct drive {
	cm_run *run;
	upstream *upstream;
	show *show;
	drive_counts *counts;
	uv_timer_t alarm; /* when the run wants to be asked again */
	uv_poll_t news;   /* of the script's process              */
	int handle;       /* what news watches, our own; -1: nothing yet */
	uint64_t began_ms;
} drive;

static uint64_t
now_ms(void)
{
	return uv_hrtime() / 1000000;
}

/* A call may be over for the run already: that answer is ENOCALL and fine. An
 * answer that the run cannot take has become the script's error. */
static void
answered(void *ctx, uint32_t call, const mcp_answer *a)
{
	drive *d = ctx;
	cm_failure failure = {TEXT_NONE, a->message, a->members};

	d->counts->running -= d->counts->running > 0;
	d->counts->received += a->bytes;
	if (a->ok)
		cm_run_resolve(d->run, call, a->value);
	else
		cm_run_reject(d->run, call, &failure);
}

void
drive_warn(void *ctx, text message)
{
	cm_run_warn(ctx, message);
}

static void
warned(void *ctx, text message)
{
	const drive *d = ctx;

	drive_warn(d->run, message);
}

static void
rang(uv_timer_t *alarm)
{
	uv_stop(alarm->loop);
}

static void
progress(drive *d)
{
	const drive_counts *c = d->counts;

	if (c->calls == 0)
		return;
	say_live(d->show->say, "calls: %u running, %u done, %s received",
	    c->running, c->calls - c->running, show_bytes(c->received).text);
}

static void
came(uv_poll_t *news, int status, int events)
{
	(void)status, (void)events;
	uv_stop(news->loop);
}

/* The run closes its descriptor when it likes; the loop gets one of its own. */
static void
watch(drive *d, const cm_wait *w)
{
	if (d->handle < 0 && w->handle >= 0) {
		d->handle = fcntl(w->handle, F_DUPFD_CLOEXEC, 3);
		if (d->handle >= 0)
			uv_poll_init(&d->upstream->loop, &d->news, d->handle);
	}
	if (d->handle >= 0 && w->handle >= 0)
		uv_poll_start(&d->news,
		    UV_READABLE | (w->writable ? UV_WRITABLE : 0), came);
}

static void
unwatch(drive *d)
{
	if (d->handle < 0)
		return;
	uv_close((uv_handle_t *)&d->news, NULL);
	uv_run(&d->upstream->loop, UV_RUN_NOWAIT);
	close(d->handle);
}

/* Sleeps until an answer, news or a signal comes, at most until then. */
static void
sleep_until(drive *d, const cm_wait *w)
{
	uint64_t now = now_ms(), until_ms = w->until_ms;
	uint64_t ms = until_ms > now ? until_ms - now : 0;
	bool ticks = d->show->say->terminal && ms > TICK_MS;

	show_flush(d->show);
	progress(d);
	if (ticks)
		ms = TICK_MS;
	uv_update_time(&d->upstream->loop);
	if (until_ms != UINT64_MAX || ticks)
		uv_timer_start(&d->alarm, rang, ms, 0);
	watch(d, w);
	uv_run(&d->upstream->loop, UV_RUN_ONCE);
	uv_timer_stop(&d->alarm);
	if (d->handle >= 0)
		uv_poll_stop(&d->news);
}

static void
act(drive *d, const cm_step *step)
{
	switch (step->kind) {
	case CM_STEP_CALL:
		d->counts->calls++;
		d->counts->running++;
		upstream_call(d->upstream, &step->u.call);
		break;
	case CM_STEP_ABORT:
		d->counts->running -= d->counts->running > 0;
		upstream_cancel(d->upstream, step->u.abort);
		break;
	case CM_STEP_PRINT:
		show_print(d->show, &step->u.print);
		break;
	case CM_STEP_WAIT:
		sleep_until(d, &step->u.wait);
		break;
	case CM_STEP_DONE:
		break;
	}
}

/* Nobody reads stdout any more: there is no point in going on. */
static void
stop_unheard(drive *d, bool *told)
{
	if (*told || d->show->failed == 0)
		return;
	*told = true;
	cm_run_cancel(d->run, TEXT("stdout cannot be written"));
}

cm_status
drive_run(
    cm_run *run, upstream *u, show *s, cm_done *done, drive_counts *counts)
{
	drive d = {.run = run,
	    .upstream = u,
	    .show = s,
	    .counts = counts,
	    .handle = -1};
	cm_step step;
	bool unheard = false;
	cm_status r;

	u->hooks = (upstream_hooks){&d, answered, warned};
	uv_timer_init(&u->loop, &d.alarm);
	d.began_ms = now_ms();
	signals_target(run);
	do {
		stop_unheard(&d, &unheard);
		r = cm_run_next(run, now_ms(), &step);
		if (r == CM_OK)
			act(&d, &step);
	} while (r == CM_OK && step.kind != CM_STEP_DONE);
	signals_target(NULL);
	counts->ms = now_ms() - d.began_ms;
	say_clear(s->say);
	if (r == CM_OK)
		*done = step.u.done;
	u->hooks = (upstream_hooks){NULL, NULL, NULL};
	unwatch(&d);
	uv_close((uv_handle_t *)&d.alarm, NULL);
	uv_run(&u->loop, UV_RUN_NOWAIT);
	return r;
}
