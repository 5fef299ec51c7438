/* SPDX-License-Identifier: MIT */
/*
 * scripts.c -- many runs on one loop.
 *
 * What the loop brings (an answer of a server, a message of the script's
 * process, an alarm) only marks the script that it is for. scripts_turn asks
 * each marked run what comes next until it has to wait. So nothing happens
 * inside of something else here either.
 *
 * Runs number their calls from 1; the servers need numbers that no two calls
 * in flight share. Those are places in a table, and are used again.
 */
#include "scripts.h"

#include <fcntl.h>
#include <unistd.h>

typedef struct script {
	scripts *all;
	struct script *next;
	uint32_t number;
	cm_run *run;
	uv_timer_t alarm; /* when the run wants to be asked again */
	uv_poll_t news;   /* of its process */
	int handle;       /* what news watches, our own; -1: nothing yet */
	unsigned open;    /* handles that the loop knows */
	bool due;
} script;

static uint64_t
now_ms(void)
{
	return uv_hrtime() / 1000000;
}

/* ------------------------------------------------------------------ calls */

/* A place for a call; UINT32_MAX: there is no memory. */
static uint32_t
enter_call(script *s, cm_call_id id)
{
	scripts *all = s->all;
	void *array = all->call;
	uint32_t at = all->free_call;

	if (at < all->calls) {
		all->free_call = all->call[at].next_free;
	} else {
		if (!mem_grow(NULL, &array, &all->cap, all->calls,
			sizeof(*all->call)))
			return UINT32_MAX;
		all->call = array;
		at = (uint32_t)all->calls++;
		all->free_call = at + 1;
	}
	all->call[at] = (scripts_call){.of = s, .id = id};
	return at;
}

static void
leave_call(scripts *all, uint32_t at)
{
	all->call[at] = (scripts_call){.next_free = all->free_call};
	all->free_call = at;
}

static void
begin_call(script *s, const cm_call *call)
{
	cm_failure failure = {.message = TEXT("out of memory")};
	cm_call numbered = *call;

	numbered.id = enter_call(s, call->id);
	if (numbered.id == UINT32_MAX)
		cm_run_reject(s->run, call->id, &failure);
	else
		upstream_call(s->all->upstream, &numbered);
}

/* id 0: all of its calls. */
static void
end_calls(script *s, cm_call_id id)
{
	scripts *all = s->all;

	for (uint32_t at = 0; at < all->calls; at++) {
		scripts_call *c = &all->call[at];

		if (c->of != s || (id != 0 && c->id != id))
			continue;
		upstream_cancel(all->upstream, at);
		leave_call(all, at);
	}
}

/* A call may be over for the run already: that answer is ENOCALL and fine. An
 * answer that the run cannot take has become the script's error. */
static void
answered(void *ctx, uint32_t at, const mcp_answer *a)
{
	scripts *all = ctx;
	scripts_call c = all->call[at];
	cm_failure failure = {TEXT_NONE, a->message, a->members};

	must(c.of != NULL);
	leave_call(all, at);
	c.of->due = true;
	if (a->ok)
		cm_run_resolve(c.of->run, c.id, a->value);
	else
		cm_run_reject(c.of->run, c.id, &failure);
}

/* ---------------------------------------------------------------- waiting */

static void
rang(uv_timer_t *alarm)
{
	script *s = alarm->data;

	s->due = true;
	uv_stop(alarm->loop);
}

static void
came(uv_poll_t *news, int status, int events)
{
	script *s = news->data;

	(void)status, (void)events;
	s->due = true;
	uv_poll_stop(news);
	uv_stop(news->loop);
}

/* The run closes its descriptor when it likes; the loop gets one of its own. */
static void
watch(script *s, const cm_wait *w)
{
	int events = UV_READABLE | (w->writable ? UV_WRITABLE : 0);

	if (w->handle < 0)
		return;
	if (s->handle < 0) {
		s->handle = fcntl(w->handle, F_DUPFD_CLOEXEC, 3);
		if (s->handle < 0)
			return;
		uv_poll_init(&s->all->upstream->loop, &s->news, s->handle);
		s->news.data = s;
		s->open++;
	}
	uv_poll_start(&s->news, events, came);
}

static void
wait_for(script *s, const cm_wait *w)
{
	uint64_t now = now_ms();

	watch(s, w);
	if (w->until_ms == UINT64_MAX) {
		uv_timer_stop(&s->alarm);
		return;
	}
	uv_update_time(&s->all->upstream->loop);
	uv_timer_start(
	    &s->alarm, rang, w->until_ms > now ? w->until_ms - now : 0, 0);
}

/* ----------------------------------------------------------------- ending */

static void
closed(uv_handle_t *handle)
{
	script *s = handle->data;

	s->all->closing--;
	if (--s->open == 0)
		mem_free(NULL, s, sizeof(*s));
}

static void
let_go(script *s)
{
	scripts *all = s->all;
	script **at = &all->first;

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	all->len--;
	end_calls(s, 0);
	cm_run_free(s->run);
	all->closing += s->open;
	if (s->handle >= 0) {
		uv_close((uv_handle_t *)&s->news, closed);
		close(s->handle);
	}
	uv_close((uv_handle_t *)&s->alarm, closed);
}

/* ------------------------------------------------------------------- turns */

/* False: the run is over. */
static bool
act(script *s, const cm_step *step)
{
	switch (step->kind) {
	case CM_STEP_CALL:
		begin_call(s, &step->u.call);
		return true;
	case CM_STEP_ABORT:
		end_calls(s, step->u.abort);
		return true;
	case CM_STEP_PRINT: /* stands in the result, too */
		return true;
	case CM_STEP_WAIT:
		wait_for(s, &step->u.wait);
		return true;
	case CM_STEP_DONE:
		break;
	}
	return false;
}

/* Until it waits. False: it is no more. */
static bool
turn(script *s)
{
	scripts *all = s->all;
	cm_step step;
	cm_status r;
	bool on;

	s->due = false;
	do {
		r = cm_run_next(s->run, now_ms(), &step);
		on = r == CM_OK && act(s, &step);
	} while (on && step.kind != CM_STEP_WAIT);
	if (on)
		return true;
	all->over(
	    all->ctx, s->number, s->run, r == CM_OK ? &step.u.done : NULL, r);
	let_go(s);
	return false;
}

void
scripts_turn(scripts *all)
{
	script *s = all->first;

	while (s != NULL) {
		script *next = s->next;

		while (s->due && turn(s))
			;
		s = next;
	}
}

bool
scripts_due(const scripts *all)
{
	for (const script *s = all->first; s != NULL; s = s->next)
		if (s->due)
			return true;
	return false;
}

/* ----------------------------------------------------------------- outside */

void
scripts_init(scripts *all, upstream *u, scripts_over *over, void *ctx)
{
	*all = (scripts){.upstream = u, .over = over, .ctx = ctx};
	u->hooks = (upstream_hooks){.ctx = all, .answer = answered};
}

void
scripts_fini(scripts *all)
{
	while (all->first != NULL)
		let_go(all->first);
	while (all->closing > 0)
		uv_run(&all->upstream->loop, UV_RUN_NOWAIT);
	all->upstream->hooks = (upstream_hooks){.ctx = NULL};
	mem_free(NULL, all->call, all->cap * sizeof(*all->call));
}

bool
scripts_start(scripts *all, uint32_t number, cm_run *run)
{
	script *s = mem_new(NULL, sizeof(*s));

	if (s == NULL)
		return false;
	*s = (script){.all = all,
	    .next = all->first,
	    .number = number,
	    .run = run,
	    .handle = -1,
	    .open = 1,
	    .due = true};
	uv_timer_init(&all->upstream->loop, &s->alarm);
	s->alarm.data = s;
	all->first = s;
	all->len++;
	return true;
}

void
scripts_cancel(scripts *all, uint32_t number, text reason)
{
	for (script *s = all->first; s != NULL; s = s->next) {
		if (s->number != number)
			continue;
		cm_run_cancel(s->run, reason);
		s->due = true;
	}
}
