/* SPDX-License-Identifier: MIT */
/*
 * scripts.c -- any number of runs on one loop.
 *
 * What the loop brings (a server's answer, a message of the script's process,
 * a timer) only marks the script as due. 'scripts_turn' asks each script that
 * is due for its next step until it has to wait. So no step is done from
 * inside a callback of the loop.
 */
#include "scripts_parts.h"

#include "common/monotonic.h"

#include <fcntl.h>
#include <unistd.h>

/* ----------------------------------------------------------------- waiting */

static void
on_script_timer(uv_timer_t *wake)
{
	script *s = wake->data;

	s->due = true;
	main_loop_due(wake->loop);
}

static void
on_script_readable(uv_poll_t *poll, int status, int events)
{
	script *s = poll->data;

	(void)status, (void)events;
	s->due = true;
	uv_poll_stop(poll);
	main_loop_due(poll->loop);
}

/* The run closes its descriptor whenever it likes, so the loop gets a copy. */
static bool
copy_handle(script *s, int handle)
{
	if (s->handle >= 0)
		return true;
	s->handle = fcntl(handle, F_DUPFD_CLOEXEC, 3);
	if (s->handle < 0)
		return false;
	uv_poll_init(&s->all->upstream->loop->uv, &s->poll, s->handle);
	s->poll.data = s;
	s->open++;
	return true;
}

static void
watch_process(script *s, const cm_wait *w)
{
	int events = UV_READABLE | (w->writable ? UV_WRITABLE : 0);

	if (w->handle < 0)
		return;
	if (copy_handle(s, w->handle)) {
		uv_poll_start(&s->poll, events, on_script_readable);
		return;
	}
	cm_run_cancel(s->run, TEXT("too many open files: the script's process "
				   "cannot be watched"));
	s->due = true;
}

static void
wait_for_events(script *s, const cm_wait *w)
{
	uint64_t now = monotonic_ms();

	watch_process(s, w);
	if (w->until_ms == UINT64_MAX) {
		uv_timer_stop(&s->wake);
		return;
	}
	uv_update_time(&s->all->upstream->loop->uv);
	uv_timer_start(&s->wake, on_script_timer,
	    w->until_ms > now ? w->until_ms - now : 0, 0);
}

/* ------------------------------------------------------------------ ending */

static void
on_script_closed(uv_handle_t *handle)
{
	script *s = handle->data;

	s->all->closing--;
	if (--s->open == 0)
		mem_free(NULL, s, sizeof(*s));
}

static void
unlink_script(script *s)
{
	scripts *all = s->all;
	script *before = NULL, **at = &all->first;

	while (*at != s) {
		before = *at;
		at = &before->next;
	}
	*at = s->next;
	if (all->last == s)
		all->last = before;
	all->len--;
}

static void
free_script(script *s)
{
	unlink_script(s);
	while (s->held != NULL)
		script_drop_held(s, s->held);
	script_drop_prints(s);
	buf_fini(&s->given_args);
	outgoing_remove(&s->all->outgoing, s, 0);
	cm_run_free(s->run);
	s->all->closing += s->open;
	if (s->handle >= 0) {
		uv_close((uv_handle_t *)&s->poll, on_script_closed);
		close(s->handle);
	}
	uv_close((uv_handle_t *)&s->wake, on_script_closed);
}

script *
scripts_link(scripts *all, uint32_t number, cm_run *run, text code, text parent,
    const saved_call *of)
{
	script *s = mem_new(NULL, sizeof(*s));
	watch_event e = {.kind = WATCH_SCRIPT, .code = code};

	if (s == NULL)
		return NULL;
	*s = (script){.all = all,
	    .number = number,
	    .run = run,
	    .handle = -1,
	    .lists_version = upstream_version(all->upstream),
	    .whole = all->upstream->permit.each ? WHOLE_OVER : WHOLE_DUE,
	    .said = PERMIT_YES,
	    .given_args = BUF_INIT(NULL, SIZE_MAX / 2),
	    .open = 1,
	    .due = true};
	uv_timer_init(&all->upstream->loop->uv, &s->wake);
	s->wake.data = s;
	if (all->last != NULL)
		all->last->next = s;
	else
		all->first = s;
	all->last = s;
	all->len++;
	watch_parent_read(parent, s->parent);
	e.parent = text_of(s->parent);
	if (of != NULL) {
		s->caller = of->caller;
		s->call = of->number;
		s->depth = of->caller->depth + 1;
		e.caller = of->caller->number;
		e.caller_call = of->id;
	}
	script_tell(s, e);
	return s;
}

/* ------------------------------------------------------------------- turns */

/* The call of a step, with the arguments that were given for it. */
static cm_call
call_of_step(const script *s, const cm_step *step)
{
	cm_call call = step->u.call;

	if (s->given_args.len > 0)
		call.args = buf_view(&s->given_args);
	return call;
}

/* False: the run is over. */
static bool
do_step(script *s, const cm_step *step)
{
	cm_call call;

	switch (step->kind) {
	case CM_STEP_CALL:
		call = call_of_step(s, step);
		script_begin_call(s, &call);
		return true;
	case CM_STEP_ASK:
		call = call_of_step(s, step);
		script_ask_about(s, &call);
		return true;
	case CM_STEP_ABORT:
		script_stop_call(s, step->u.abort);
		return true;
	case CM_STEP_PRINT:
		script_print(s, &step->u.print);
		return true;
	case CM_STEP_WAIT:
		script_decide_rest(s);
		if (!step->u.wait.busy)
			script_tell_awake(s, false);
		wait_for_events(s, &step->u.wait);
		return true;
	case CM_STEP_DONE:
		break;
	}
	return false;
}

/* done NULL: the run could not go on; status says why. */
static void
end_script(script *s, const cm_done *done, cm_status status)
{
	const scripts_hooks *hooks = &s->all->hooks;
	const cm_end end = done != NULL ? done->end : CM_END_SANDBOX;
	const size_t value_bytes = done != NULL ? done->value.len : 0;
	cm_done shown = done != NULL ? *done : (cm_done){0};
	buf plain;

	script_tell_awake(s, false);
	script_end_prints(s, &shown.value, &plain);
	if (s->depth > 0)
		script_answer_caller(s, done, status);
	else
		hooks->over(hooks->ctx, s->number, s->run,
		    done != NULL ? &shown : NULL, status);
	script_tell_end(s, end, value_bytes);
	buf_fini(&plain);
	free_script(s);
}

/* Does steps until the script waits. False: it has ended and is freed. */
static bool
turn_script(script *s)
{
	cm_step step;
	cm_status r;
	bool on;

	s->due = false;
	script_tell_awake(s, true);
	do {
		r = cm_run_next(s->run, monotonic_ms(), &step);
		on = r == CM_OK && do_step(s, &step);
	} while (on && step.kind != CM_STEP_WAIT);
	if (on)
		return true;
	end_script(s, r == CM_OK ? &step.u.done : NULL, r);
	return false;
}

void
scripts_turn(scripts *all)
{
	script *s = all->first;

	scripts_withdraw_approvals(all);
	while (s != NULL) {
		script *next = s->next;

		while (s->due && turn_script(s))
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

/* ----------------------------------------------------------- for the owner */

void
scripts_init(scripts *all, upstream *u, const cm_limits *limits,
    cm_place *place, scripts_hooks hooks)
{
	*all = (scripts){
	    .upstream = u, .hooks = hooks, .limits = *limits, .place = place};
	outgoing_init(&all->outgoing, u, limits->space_calls_at_once,
	    limits->tool_calls_at_once, script_tell_sent);
	u->caller = (upstream_caller){all, scripts_answered, scripts_progressed,
	    scripts_asked, scripts_begin_saved, scripts_end_saved,
	    scripts_parent_of};
}

void
scripts_fini(scripts *all)
{
	/* Cancel all calls first: otherwise the queued ones would still be
	 * sent. */
	outgoing_remove(&all->outgoing, NULL, 0);
	while (all->first != NULL)
		free_script(all->first);
	while (all->closing > 0)
		uv_run(&all->upstream->loop->uv, UV_RUN_NOWAIT);
	all->upstream->caller = (upstream_caller){0};
	outgoing_fini(&all->outgoing);
}

bool
scripts_start(
    scripts *all, uint32_t number, cm_run *run, text code, text parent)
{
	return scripts_link(all, number, run, code, parent, NULL) != NULL;
}

void
scripts_give_args(scripts *all, uint32_t number, buf *args)
{
	script *s = all->last;

	must(s != NULL && s->number == number);
	s->given_args = *args;
	*args = BUF_INIT(NULL, args->max);
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

cm_run_options
scripts_run_options(const scripts *all)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;

	o.flags = CM_RUN_ASK | watch_flags(all->watch) | all->flags;
	if (upstream_asks(all->upstream))
		o.flags |= CM_RUN_SITES;
	o.limits = all->limits;
	o.place = all->place;
	return o;
}
