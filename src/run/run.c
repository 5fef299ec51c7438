/* SPDX-License-Identifier: MIT */
/*
 * run.c -- makes, turns and ends a run.
 *
 * 'run_next' returns the first step that is due, in this order: the end of a
 * run whose time is over; a print that the owner has not had; a call that the
 * scheduler starts or stops; CM_STEP_DONE; whatever a turn of the engine
 * leads to. When none is due, the run waits.
 */
#include "run.h"

#include "engine/store.h"
#include "host/system.h"
#include "place/remote.h"
#include "script/script.h"

#include <stdio.h>

static const cm_limits defaults = {
    .wall_ms = 300000,
    .heap = 256u << 20,
    .calls = 10000,
    .calls_at_once = 16,
    .space_calls_at_once = CM_NO_LIMIT,
    .tool_calls_at_once = CM_NO_LIMIT,
    .output = 16u << 20,
    .items = 100000,
    .value = 16u << 20,
    .source = 1u << 20,
    .result = 64u << 20,
    .polls = CM_NO_LIMIT,
};

#define OR_DEFAULT(member) (l->member != 0 ? l->member : defaults.member)

static cm_limits
with_defaults(const cm_limits *l)
{
	return (cm_limits){
	    .wall_ms = OR_DEFAULT(wall_ms),
	    .heap = OR_DEFAULT(heap),
	    .calls = OR_DEFAULT(calls),
	    .calls_at_once = OR_DEFAULT(calls_at_once),
	    .space_calls_at_once = OR_DEFAULT(space_calls_at_once),
	    .tool_calls_at_once = OR_DEFAULT(tool_calls_at_once),
	    .output = OR_DEFAULT(output),
	    .items = OR_DEFAULT(items),
	    .value = at_most(GATE_TEXT_MAX, OR_DEFAULT(value)),
	    .source = OR_DEFAULT(source),
	    .result = at_most(GATE_TEXT_MAX, OR_DEFAULT(result)),
	    .polls = OR_DEFAULT(polls),
	};
}

/* With the owner's own offsets, the local zone has no name that we know. */
static void
named_zone_file(void *ctx, text name, buf *out)
{
	if (name.len > 0)
		system_zone_file(ctx, name, out);
}

/* The owner's functions; the machine's where the owner gave NULL. */
static engine_host
host_of(const cm_host *h)
{
	engine_host host = system_host();

	if (h == NULL)
		return host;
	host.ctx = h->ctx;
	if (h->now_ms != NULL) {
		host.now_ms = h->now_ms;
		host.real = false;
	}
	if (h->epoch_us != NULL)
		host.epoch_us = h->epoch_us;
	if (h->random != NULL)
		host.random = h->random;
	if (h->zone != NULL) {
		host.zone = h->zone;
		host.zone_file = named_zone_file;
	}
	return host;
}

/* Names the engine and all that the owner set for the script: its flags, and the
 * limits in the order of cm_limits (none: -). */
static void
write_fingerprint(cm_run *r)
{
	uint64_t limit[sizeof(cm_limits) / sizeof(uint64_t)];
	size_t size = sizeof(r->given.fingerprint), n;

	memcpy(limit, &r->given.limits, sizeof(limit));
	n = (size_t)snprintf(r->given.fingerprint, size, "%s, flags %u, limits",
	    r->port->fingerprint(),
	    r->given.flags & (CM_RUN_RAW | CM_RUN_RETURN_ONLY));
	for (size_t i = 0; i < sizeof(limit) / sizeof(*limit) && n < size; i++)
		n += (size_t)(limit[i] == CM_NO_LIMIT
				  ? snprintf(r->given.fingerprint + n, size - n,
					" -")
				  : snprintf(r->given.fingerprint + n, size - n,
					" %llu", (unsigned long long)limit[i]));
	if (r->given.fixed && n < size)
		snprintf(r->given.fingerprint + n, size - n, ", inputs %016llx",
		    (unsigned long long)fixed_inputs_hash(r));
}

static void
set_up_run(cm_run *r, const cm_run_options *opts)
{
	r->given.limits = with_defaults(&opts->limits);
	r->given.fixed = opts->start != NULL;
	if (r->given.fixed)
		r->given.start = *opts->start;
	r->given.host = r->given.fixed ? fixed_host(r) : host_of(opts->host);
	r->given.place = opts->place;
	r->given.flags = opts->flags;
	r->port = r->given.place ? &engine_remote : &engine_script;
	r->gate_limits =
	    (gate_limits){.tools = r->catalog ? (uint32_t)r->catalog->len : 0,
		.calls = at_most(SCHED_CALLS_MAX, r->given.limits.calls),
		.output = r->given.limits.output,
		.items = r->given.limits.items,
		.value = r->given.limits.value,
		.args = r->given.limits.result};
	gate_init(&r->gate, &r->gate_limits);
	lanes_init(r);
	r->fault.texts = BUF_INIT(r->alloc, SIZE_MAX / 2);
	r->outcome.json = BUF_INIT(r->alloc, SIZE_MAX / 2);
	r->clock.end_ms = 0;
	r->turns.due = true;
	r->output_tokens = UINT64_MAX;
	r->calls.next_timeout_ms = r->timers.next_ms = UINT64_MAX;
	r->approvals.from = UINT32_MAX;
}

cm_status
run_new(const cm_alloc *alloc, catalog *c, text script,
    const cm_run_options *opts, cm_run **out)
{
	json kept = TEXT_NONE, data = TEXT_NONE;
	cm_run *r;

	if (opts->store.len > 0 &&
	    (!json_check(opts->store, STORE_DEPTH, &kept, NULL) ||
		json_kind_of(kept) != JSON_OBJECT))
		return CM_EINPUT;
	if (opts->data.len > 0 &&
	    !json_check(opts->data, STORE_DEPTH, &data, NULL))
		return CM_EINPUT;
	if (opts->start != NULL && !fixed_epoch_fits(opts->start->epoch_ms))
		return CM_EINPUT;
	if (opts->start != NULL && opts->host != NULL)
		return CM_EMISUSE;
	if (opts->place != NULL && opts->host != NULL &&
	    (opts->host->now_ms != NULL || opts->host->epoch_us != NULL))
		return CM_EMISUSE;
	if (script.len > GATE_TEXT_MAX || kept.len > GATE_TEXT_MAX ||
	    data.len > GATE_TEXT_MAX)
		return CM_ELIMIT;
	if ((r = mem_new(alloc, sizeof(*r))) == NULL)
		return CM_ENOMEM;
	r->alloc = alloc;
	r->catalog = c;
	set_up_run(r, opts);
	r->given.script = run_copy(r, script);
	r->given.store = run_copy(r, kept);
	r->given.data = run_copy(r, data);
	write_fingerprint(r);
	if (c != NULL)
		catalog_hold(c);
	if (r->status != CM_OK) {
		run_free(r);
		return CM_ENOMEM;
	}
	*out = r;
	return CM_OK;
}

void
run_free(cm_run *r)
{
	block *own[] = {&r->given.script, &r->given.store, &r->given.data,
	    &r->stop.reason, &r->outcome.value, &r->outcome.writes,
	    &r->fault.json, &r->sites};
	catalog *c;
	size_t i;

	atomic_store(&r->turns.running, NULL);
	if (r->engine != NULL)
		r->port->close(r->engine);
	groups_free(r);
	events_free(r);
	record_free(r);
	run_checks_free(r);
	approvals_free(r);
	lanes_free(r);
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		run_drop(r, own[i]);
	buf_fini(&r->fault.texts);
	buf_fini(&r->outcome.json);
	/* The catalog owns the allocator, so it is dropped last. */
	c = r->catalog;
	mem_free(r->alloc, r, sizeof(*r));
	if (c != NULL)
		catalog_drop(c);
}

/* --------------------------------------------------------------- the end */

/* From here on the scheduler starts and delivers nothing; it says SCHED_END
 * when every call is closed. The engine stays until the run is freed, because
 * the result tells its memory. */
static void
finish_run(cm_run *r)
{
	must(sched_over(&r->sched));
	r->clock.end_ms = r->clock.now_ms;
	atomic_store(&r->turns.running, NULL);
	if (r->engine != NULL && r->given.place != NULL)
		r->port->stop(r->engine);
	groups_over(r);
}

/* why: what the engine says of its interrupt budget; NULL or empty: nothing. */
static void
end_timeout(cm_run *r, const char *why)
{
	char message[160];

	if (why != NULL && why[0] != 0)
		snprintf(message, sizeof(message), "%s", why);
	else if (r->clock.now_ms >= r->clock.deadline_ms)
		snprintf(message, sizeof(message),
		    "Execution timed out after %llu ms",
		    (unsigned long long)r->clock.wall_ms);
	else
		snprintf(message, sizeof(message),
		    "Execution exceeded its interrupt budget of %llu",
		    (unsigned long long)r->given.limits.polls);
	run_fail(r, CM_END_TIMEOUT, "Timeout", "", text_of(message));
}

static void
end_aborted(cm_run *r)
{
	log_cancel(r, block_text(r->stop.reason));
	run_fail(r, CM_END_ABORTED, "Aborted", "",
	    r->stop.reason.len > 0 ? block_text(r->stop.reason)
				   : TEXT("Execution aborted"));
}

static void
end_broken(cm_run *r, const char *why)
{
	run_fail(r, CM_END_SANDBOX, "SandboxBroken", "", text_of(why));
}

/* ----------------------------------------------------------- the engine */

/* UINT64_MAX means never; so does a sum that overflows. */
static uint64_t
time_after(uint64_t ms, uint64_t more)
{
	return more < UINT64_MAX - ms ? ms + more : UINT64_MAX;
}

/* From here on 'run_interrupt' reaches the engine; an interrupt that came
 * before is passed on here. */
static void
publish_engine(cm_run *r)
{
	atomic_store(&r->turns.running, r->engine);
	if (atomic_load(&r->stop.interrupted))
		r->port->stop(r->engine);
}

/* The run ends wall_ms after a moment; UINT64_MAX: never. */
static void
set_deadline(cm_run *r, uint64_t from_ms, uint64_t wall_ms)
{
	r->clock.wall_ms = wall_ms;
	r->clock.deadline_ms = time_after(from_ms, wall_ms);
}

/* Where the engine is elsewhere, the script begins later than the run. */
void
run_prepared(cm_run *r, uint64_t timeout_ms)
{
	if (timeout_ms < r->clock.wall_ms &&
	    time_after(r->clock.now_ms, timeout_ms) < r->clock.deadline_ms)
		set_deadline(r, r->clock.now_ms, timeout_ms);
}

static bool
open_engine(cm_run *r)
{
	remote_start where = {r->given.place, &r->gate_limits};
	engine_start start = {
	    .alloc = r->alloc,
	    .code = block_text(r->given.script),
	    .tools = run_tools(r),
	    .host = r->given.host,
	    .sink = {r, run_said},
	    .store = block_text(r->given.store),
	    .data = block_text(r->given.data),
	    .heap = r->given.limits.heap,
	    .polls = r->given.limits.polls,
	    .deadline_ms = UINT64_MAX,
	    .source_max = r->given.limits.source,
	    .raw = (r->given.flags & CM_RUN_RAW) != 0,
	    .plain_last = (r->given.flags & CM_RUN_RETURN_ONLY) != 0,
	    .sites = (r->given.flags & CM_RUN_SITES) != 0,
	    .evaluator = (r->given.flags & CM_RUN_EVALUATOR) != 0,
	    .globals = r->catalog != NULL && r->catalog->globals > 0,
	    .call_lines = (r->given.flags & CM_RUN_CALL_LINES) != 0,
	    .where = &where,
	};
	uint64_t now = r->given.host.now_ms(r->given.host.ctx);
	cm_status s;

	/* The clock counts whole milliseconds, so the run may have begun up to
	 * 1 ms later than 'now': round the deadline up. */
	if (r->clock.wall_ms != CM_NO_LIMIT)
		start.deadline_ms = time_after(
		    time_after(now, r->clock.wall_ms), r->given.host.real);
	s = r->port->open(&start, &r->engine);
	if (s == CM_ENOMEM)
		r->status = s;
	else if (s != CM_OK)
		end_broken(r, "the engine could not be set up");
	else
		publish_engine(r);
	return s == CM_OK;
}

/* The turn is over. Returns true if it ended the run. */
static bool
end_of_turn(cm_run *r, engine_state state)
{
	if (r->broken.code != NULL) {
		end_broken(r, r->broken.why);
		return true;
	}
	switch (state) {
	case ENGINE_WAITS:
		return false;
	case ENGINE_ENDED:
		return true; /* 'run_said' kept the end */
	case ENGINE_TIMEOUT:
		/* The engine's clock may be ahead of the owner's. */
		if (r->given.limits.polls == CM_NO_LIMIT &&
		    r->clock.now_ms < r->clock.deadline_ms)
			r->clock.now_ms = r->clock.deadline_ms;
		end_timeout(r, r->port->why(r->engine));
		return true;
	case ENGINE_STOPPED:
		end_aborted(r);
		return true;
	case ENGINE_NO_MEMORY:
		r->status = CM_ENOMEM;
		return false;
	case ENGINE_BROKEN:
		end_broken(r, r->port->why(r->engine));
		return true;
	}
	return false;
}

/* Is a turn of the script still going on, in another process? The calls of a
 * turn start, and timers fire, when the turn is over: so the speed of the
 * script does not decide whether a call begins. */
static bool
is_mid_turn(const cm_run *r)
{
	return r->engine != NULL && r->port->busy(r->engine);
}

static void
turn_engine(cm_run *r)
{
	engine_state state;
	uint32_t from;

	r->turns.due = false;
	if (!r->turns.begun) {
		r->turns.begun = true;
		set_deadline(r, r->clock.first_ms, r->given.limits.wall_ms);
		if (!open_engine(r)) {
			if (r->status == CM_OK)
				finish_run(r);
			return;
		}
	}
	state = r->port->turn(r->engine);
	from = r->turns.ready;
	if (!is_mid_turn(r))
		r->turns.ready = r->sched.issued;
	if (end_of_turn(r, state))
		finish_run(r);
	else if (r->status == CM_OK && r->turns.ready > from)
		run_check_arguments(r, from);
}

/* ----------------------------------------------------------------- steps */

static void
show_item(cm_run *r, cm_step *step)
{
	step->kind = CM_STEP_PRINT;
	step->u.print = r->record.item[r->record.items_shown++];
}

static void
call_step(const cm_run *r, uint32_t i, cm_step_kind kind, cm_step *step)
{
	const call_record *c = &r->calls.record[i];
	const tool *t = catalog_at(r->catalog, c->tool);

	step->kind = kind;
	step->u.call = (cm_call){i + 1, t->space, t->name, t->path,
	    {c->args, c->arg_bytes}, c->line, c->issued_ms};
}

static void
start_call(cm_run *r, uint32_t i, cm_step *step)
{
	call_record *c = &r->calls.record[i];

	c->status = CALL_RUNNING;
	c->start_ms = c->end_ms = r->clock.now_ms;
	run_note_timeout(r, c);
	c->asked = !approvals_cover(r, i);
	call_step(r, i, c->asked ? CM_STEP_ASK : CM_STEP_CALL, step);
}

static void
stop_call(uint32_t i, cm_step *step)
{
	step->kind = CM_STEP_ABORT;
	step->u.abort = i + 1;
}

static void
close_record(cm_run *r, uint32_t i)
{
	call_record *c = &r->calls.record[i];

	if (c->status != CALL_RUNNING)
		return;
	c->status = CALL_CANCELLED;
	c->end_ms = r->clock.end_ms;
}

/* Calls below this number may start. None starts while more than limits.result
 * bytes of answers wait for the engine: more answers would wait in the owner's
 * memory, without a bound. With a start they wait in events.c, and the speed of
 * the engine may not decide. */
static uint32_t
ready_calls(const cm_run *r)
{
	bool behind = r->engine != NULL && !r->given.fixed &&
		      r->port->behind(r->engine) > r->given.limits.result;

	return behind ? 0 : r->turns.ready;
}

/* False: nothing is to be started or stopped, and the run has not ended. */
static bool
schedule_step(cm_run *r, cm_step *step)
{
	uint32_t approved;

	if (!run_is_over(r) && approvals_next(r, &approved)) {
		call_step(r, approved, CM_STEP_CALL, step);
		return true;
	}
	for (;;) {
		sched_todo todo = sched_next(&r->sched, ready_calls(r));

		switch (todo.what) {
		case SCHED_START:
			start_call(r, todo.call, step);
			return true;
		case SCHED_INTERRUPT:
			stop_call(todo.call, step);
			return true;
		case SCHED_CLOSE:
			close_record(r, todo.call);
			break;
		case SCHED_REPORT:
			run_report(r, todo.call);
			break;
		case SCHED_END:
			run_read_fault(r);
			log_result(r);
			break;
		case SCHED_DELIVER: /* answers an event only */
		case SCHED_NOTHING:
			return false;
		}
	}
}

/* An engine that computes in another process gets some time past its deadline,
 * in which it says that its time is over, and what it printed until then. */
static uint64_t
last_moment(const cm_run *r)
{
	return r->engine == NULL ? r->clock.deadline_ms
				 : time_after(r->clock.deadline_ms,
				       r->port->grace(r->engine));
}

/* The time that the deadline is held against: while the script computes, that
 * of the owner. */
static uint64_t
clock_of_end(cm_run *r)
{
	if (is_mid_turn(r) && r->clock.owner_ms >= last_moment(r))
		r->clock.now_ms = r->clock.owner_ms;
	return r->clock.now_ms;
}

/* Ends the run at its deadline, or when the owner has cancelled it. */
static void
end_by_clock(cm_run *r)
{
	if (run_is_over(r))
		return;
	if (r->stop.cancelled || atomic_load(&r->stop.interrupted))
		end_aborted(r);
	else if (r->turns.begun && clock_of_end(r) >= last_moment(r))
		end_timeout(r, NULL);
	else
		return;
	finish_run(r);
}

static void
note_time(cm_run *r, uint64_t now_ms)
{
	if (r->clock.first_ms == 0 && !r->turns.begun) {
		r->clock.first_ms = now_ms;
		r->clock.deadline_ms = UINT64_MAX;
	}
	if (now_ms > r->clock.owner_ms)
		r->clock.owner_ms = now_ms;
	if (!r->given.fixed || !r->turns.begun)
		r->clock.now_ms = r->clock.owner_ms;
	events_stamp(r);
	run_stamp_answers(r);
}

static uint64_t
earlier_ms(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void
wait_step(cm_run *r, cm_step *step)
{
	cm_wait *w = &step->u.wait;
	uint64_t engine_ms = r->port->wait(r->engine, &w->handle, &w->writable);
	uint64_t now = r->given.host.now_ms(r->given.host.ctx);

	step->kind = CM_STEP_WAIT;
	w->busy = is_mid_turn(r);
	w->until_ms = last_moment(r);
	if (!w->busy || !r->given.fixed)
		w->until_ms = earlier_ms(w->until_ms, r->calls.next_timeout_ms);
	if (!w->busy)
		w->until_ms = earlier_ms(w->until_ms, r->timers.next_ms);
	if (engine_ms != UINT64_MAX)
		w->until_ms = earlier_ms(
		    w->until_ms, r->clock.owner_ms +
				     (engine_ms > now ? engine_ms - now : 0));
	w->calls = sched_running(&r->sched);
	w->issued = r->sched.issued;
	w->applied = r->events.answers;
}

/* With a start: the clock moves on to what comes next to the script, which
 * waits. False: that is yet to come. */
static bool
move_clock_on(cm_run *r)
{
	uint64_t next = earlier_ms(r->timers.next_ms, r->calls.next_timeout_ms);

	if (!r->given.fixed || is_mid_turn(r))
		return false;
	next = earlier_ms(next, events_next_ms(r));
	next = earlier_ms(next, r->clock.deadline_ms);
	if (next > r->clock.owner_ms)
		return false;
	if (next > r->clock.now_ms)
		r->clock.now_ms = next;
	return true;
}

/* Fires timers. With a start, true: what the owner said was applied, so calls
 * may start before the script's turn. */
static bool
let_script_have_next(cm_run *r)
{
	if (is_mid_turn(r) || (r->given.fixed && r->turns.due))
		return false;
	timers_fire(r);
	return r->given.fixed && !r->turns.due && events_apply(r);
}

cm_status
run_next(cm_run *r, uint64_t now_ms, cm_step *step)
{
	/* An engine in another process may have sent something: turn once. */
	bool look = r->given.place != NULL;

	must(sched_ok(&r->sched));
	note_time(r, now_ms);
	r->clock.step_ms = r->given.host.now_ms(r->given.host.ctx);
	for (;;) {
		if (r->status != CM_OK)
			return r->status;
		end_by_clock(r);
		if (!run_is_over(r))
			run_time_out_calls(r);
		if (r->record.items_shown < r->record.items) {
			show_item(r, step);
			return CM_OK;
		}
		if (schedule_step(r, step))
			return CM_OK;
		if (run_has_ended(r)) {
			if (r->status != CM_OK)
				return r->status;
			step->kind = CM_STEP_DONE;
			step->u.done = run_done(r);
			return CM_OK;
		}
		if (let_script_have_next(r))
			continue;
		if (r->status != CM_OK)
			return r->status;
		if (!r->turns.due && !look) {
			if (move_clock_on(r))
				continue;
			wait_step(r, step);
			return CM_OK;
		}
		look = false;
		turn_engine(r);
	}
}

cm_status
run_cancel(cm_run *r, text reason)
{
	block b;

	if (run_is_over(r) || r->stop.cancelled)
		return CM_OK;
	if ((b = block_copy(r, reason)).ptr == NULL)
		return CM_ENOMEM;
	r->stop.cancelled = true;
	r->stop.reason = b;
	return CM_OK;
}

/* Sets the flag first: 'publish_engine' reads it after it has set 'running', so
 * that one of the two functions sees what the other set. */
void
run_interrupt(cm_run *r)
{
	engine *e;

	atomic_store(&r->stop.interrupted, true);
	if ((e = atomic_load(&r->turns.running)) != NULL)
		r->port->stop(e);
}

cm_status
run_warn(cm_run *r, text message)
{
	cm_status s;

	if (run_has_ended(r))
		return CM_EMISUSE;
	if (r->gate.warnings >= GATE_WARNINGS)
		return CM_OK;
	if ((s = record_words(r, message)) == CM_OK)
		r->gate.warnings++;
	return s;
}
