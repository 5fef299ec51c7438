/* SPDX-License-Identifier: MIT */
/*
 * evaluator.c -- the evaluator as an engine of the port: see port.h.
 *
 *   turn ─► the script is started, or each answer is delivered, as a job of
 *           lib/port.js; jobs run until none is left ─► the end, once it is
 *           known, is said
 *
 * Between turns the machine's stack is empty: a suspended run is its heap and
 * these structures.
 */
#include "port.h"

#define OUT_OF_MEMORY                                           \
	"{\"code\":\"MemoryLimit\",\"name\":\"InternalError\"," \
	"\"message\":\"out of memory\"}"
/* Bytes above the script's limit: the image, and describing an error. */
#define HEAP_BESIDE (4u << 20)
#define TREE_MAX    (512u << 20) /* bytes of the script's tree */

/* ---------------------------------------------------------------------- saying */

buf *
port_buf(engine *e)
{
	buf_clear(&e->text);
	return &e->text;
}

void
port_say(engine *e, const said *m, verdict *v)
{
	v->code = NULL;
	e->start.sink.say(e->start.sink.ctx, m, v);
}

static void
keep_end(engine *e, said_kind kind, text t)
{
	if (e->ended)
		return;
	e->ended = true;
	e->end = kind;
	buf_clear(&e->last);
	buf_text(&e->last, t);
	if (e->m != NULL && e->m->stop == VM_GOES_ON)
		e->m->stop = VM_EXIT;
}

void
port_done(engine *e, text given)
{
	keep_end(e, SAID_DONE, given);
}

void
port_fail(engine *e, text fault)
{
	keep_end(e, SAID_FAIL, fault);
}

/* {"code":…,"name":…,"message":…} */
static text
fault_text(
    engine *e, const char *error_code, const char *name, const char *message)
{
	buf *b = port_buf(e);

	buf_byte(b, '{');
	if (error_code != NULL)
		json_member_text(b, "code", text_of(error_code));
	json_member_text(b, "name", text_of(name));
	json_member_text(b, "message", text_of(message));
	buf_byte(b, '}');
	return b->bad == CM_OK ? buf_view(b) : TEXT(OUT_OF_MEMORY);
}

static void
tell_fault(engine *e, text fault)
{
	said m = {.kind = SAID_FAIL};
	verdict v;

	m.u.fail.json = fault;
	port_say(e, &m, &v);
	if (v.code == NULL)
		return;
	m.u.fail.json = fault_text(e, v.code, "RangeError", v.why);
	port_say(e, &m, &v);
}

static void
say_returned(engine *e)
{
	said m = {.kind = SAID_DONE};
	buf *writes = port_buf(e);
	verdict v;

	store_writes(&e->store, writes);
	if (writes->bad != CM_OK) {
		tell_fault(e, TEXT(OUT_OF_MEMORY));
		return;
	}
	m.u.done.value = buf_view(&e->last);
	m.u.done.writes = buf_view(writes);
	port_say(e, &m, &v);
	if (v.code != NULL)
		tell_fault(e, fault_text(e, v.code, "RangeError", v.why));
}

static void
say_end(engine *e)
{
	if (!e->ended || e->reported)
		return;
	e->reported = true;
	if (e->last.bad != CM_OK)
		tell_fault(e, TEXT(OUT_OF_MEMORY));
	else if (e->end == SAID_DONE)
		say_returned(e);
	else
		tell_fault(e, buf_view(&e->last));
}

/* ------------------------------------------------------------ hooks of the VM */

static vm_stop
poll_engine(void *ctx)
{
	engine *e = ctx;
	const engine_host *host = &e->start.host;

	if (e->cut == 0) {
		e->polls++;
		if (e->polls > e->start.polls ||
		    (e->start.deadline_ms != UINT64_MAX &&
			host->now_ms(host->ctx) >= e->start.deadline_ms))
			e->cut = ENGINE_TIMEOUT;
	}
	return e->cut != 0 ? VM_INTERRUPTED : VM_GOES_ON;
}

static void
keep_rejection(engine *e, value promise)
{
	if ((e->failing == 0 && e->rejections >= PORT_REJECTIONS_MAX) ||
	    !mem_grow(e->start.alloc, (void **)&e->rejection,
		&e->rejections_cap, e->rejections, sizeof(*e->rejection)))
		return;
	e->rejection[e->rejections++] = (port_rejection){promise, e->failing};
	e->unseen = true;
}

static void
forget_rejection(engine *e, value promise)
{
	said m = {.kind = SAID_OBSERVED};
	verdict v;
	size_t i = 0;

	while (i < e->rejections && e->rejection[i].promise != promise)
		i++;
	if (i == e->rejections)
		return;
	m.u.observed.id = e->rejection[i].call;
	memmove(&e->rejection[i], &e->rejection[i + 1],
	    (e->rejections - i - 1) * sizeof(*e->rejection));
	e->rejections--;
	if (m.u.observed.id != 0)
		port_say(e, &m, &v);
}

static void
on_unhandled(vm *m, value promise, bool handled)
{
	if (handled)
		forget_rejection(m->ctx, promise);
	else
		keep_rejection(m->ctx, promise);
}

static void
visit_engine(vm *m, heap *h)
{
	engine *e = m->ctx;

	for (size_t i = 0; i < e->rejections; i++)
		heap_visit(h, &e->rejection[i].promise);
}

static int64_t
epoch_of_run(void *ctx)
{
	engine *e = ctx;

	return e->start.host.epoch_us(e->start.host.ctx);
}

static int32_t
zone_of_run(void *ctx, int64_t epoch_s)
{
	engine *e = ctx;

	return e->start.host.zone(e->start.host.ctx, epoch_s);
}

static void
set_hooks(engine *e)
{
	e->m->ctx = e;
	e->m->poll = poll_engine;
	e->m->interrupt = &e->stopped;
	e->m->unhandled = on_unhandled;
	e->m->visit = visit_engine;
	e->m->epoch_us = epoch_of_run;
	e->m->zone = zone_of_run;
}

/* -------------------------------------------------------------------- starting */

/* A script that does not compile: mostly the owner was told before. The place is
 * behind what is wrong, as the other engine has it; a regular expression has
 * none. */
static void
fail_syntax(engine *e, const char *why, size_t start, size_t end)
{
	unsigned line, column;
	buf *b;
	buf stack = BUF_INIT(e->start.alloc, 200);

	text_position(e->start.code, end, &line, &column);
	buf_printf(&stack, "SyntaxError: %.100s\n    at codemode.js:%u:%u", why,
	    line, column);
	b = port_buf(e);
	buf_byte(b, '{');
	json_member_text(b, "name", TEXT("SyntaxError"));
	json_member_text(b, "message", text_of(why));
	if (start >= e->start.code.len || e->start.code.ptr[start] != '/')
		json_member_text(b, "stack", buf_view(&stack));
	buf_byte(b, '}');
	port_fail(e, b->bad == CM_OK ? buf_view(b) : TEXT(OUT_OF_MEMORY));
	buf_fini(&stack);
}

static cm_status
compile_main(engine *e, compile_fault *fault)
{
	arena a = ARENA_INIT(e->start.alloc, TREE_MAX);
	js_tree t;
	cm_status r = js_parse(
	    e->start.code, &(js_options){.goal = JS_ASYNC_BODY}, &a, &t);

	if (r == CM_OK && t.error_count > 0)
		fail_syntax(e, "Unexpected token", t.errors[0].start,
		    t.errors[0].start);
	else if (r == CM_OK)
		r = unit_compile(&t, false, e->start.alloc, &e->script, fault);
	arena_fini(&a);
	return r;
}

/* The script's function as a job, which calls it. */
static void
start_main(engine *e)
{
	compile_fault fault = {NULL, 0, 0};
	cm_status r = compile_main(e, &fault);
	value *main = &e->m->temp[10];
	int flags;

	e->started = true;
	e->start.host.random(e->start.host.ctx, e->random.seed, ENGINE_SEED);
	random_bytes(&e->random, (uint8_t *)e->m->random, sizeof(e->m->random));
	e->m->random[0] |= 1; /* 0 would stick */
	e->epoch_us = e->start.host.epoch_us(e->start.host.ctx);
	if (r != CM_OK ||
	    (e->script != NULL && e->script->arena.used > e->start.heap))
		port_fail(e, TEXT(OUT_OF_MEMORY));
	else if (fault.why != NULL)
		fail_syntax(e, fault.why, fault.start, fault.end);
	if (e->ended)
		return;
	*main = vm_load(e->m, UNIT_SCRIPT, e->script);
	if (*main != V_THROWN)
		*object_internal(H(e->m), v_ref(*main), FN_THIS) = e->m->global;
	flags = (e->start.globals ? 1 : 0) | (e->start.host.fixed ? 2 : 0);
	if (*main == V_THROWN || !vm_enqueue(e->m, e->m->realm[R_port_start],
				     *main, v_of_int(flags), V_UNDEFINED))
		port_fail(e, TEXT(OUT_OF_MEMORY));
}

/* --------------------------------------------------------------------- turning */

static void
run_machine_jobs(engine *e)
{
	switch (vm_turn(e->m)) {
	case VM_NO_MEMORY:
		port_fail(e, TEXT(OUT_OF_MEMORY));
		break;
	case VM_INTERRUPTED:
	case VM_OUT_OF_STEPS:
		if (e->cut == 0)
			e->cut = e->stopped ? ENGINE_STOPPED : ENGINE_TIMEOUT;
		break;
	case VM_GOES_ON:
	case VM_EXIT:
		break;
	}
}

static void
deliver_to_lib(engine *e, const engine_answer *a)
{
	value f = e->m->realm[R_port_deliver], failed = V_FALSE;

	if (a->kind == ANSWER_FIRE) {
		f = e->m->realm[R_port_fire];
	} else {
		port_call *c = &e->call[a->id - 1];

		if (!c->open)
			return;
		c->open = false;
		e->pending--;
		failed = v_of_bool(a->kind == ANSWER_REJECT);
	}
	e->current = a;
	if (!vm_enqueue(e->m, f, v_of_number(a->id), failed, V_UNDEFINED))
		port_fail(e, TEXT(OUT_OF_MEMORY));
	run_machine_jobs(e);
	e->current = NULL;
}

/* Warns of what the script left undone, by lib/port.js, without its jobs. */
static void
warn_at_end(engine *e)
{
	vm *m = e->m;
	bool busy = m->job_first < m->jobs;

	e->finishing = true;
	if (m->stop == VM_NO_MEMORY || e->cut != 0)
		return;
	vm_forget_jobs(m);
	m->stop = VM_GOES_ON;
	if (vm_enqueue(m, m->realm[R_port_finish],
		v_of_bool(e->end == SAID_DONE), v_of_bool(busy), V_UNDEFINED))
		vm_turn(m);
}

static engine_state
state_of_turn(const engine *e)
{
	if (e->ended)
		return ENGINE_ENDED;
	return e->cut != 0 ? (engine_state)e->cut : ENGINE_WAITS;
}

static engine_state
turn_evaluator(engine *e)
{
	if (e->state != ENGINE_WAITS)
		return e->state;
	if (!e->started) {
		start_main(e);
		run_machine_jobs(e);
	}
	/* The owner may answer a call at once: the list grows meanwhile. */
	for (size_t i = 0; i < e->answers.len && !e->ended && e->cut == 0;
	     i++) {
		engine_answer a = e->answers.at[i];

		deliver_to_lib(e, &a);
	}
	/* A full heap may have kept the script from going on. */
	if (!e->ended && e->cut == 0 && e->pending == 0 && e->ticking == 0)
		port_fail(e,
		    e->m->memory_lent
			? TEXT(OUT_OF_MEMORY)
			: fault_text(e, "Stalled", "Error",
			      "the script waits for a promise that nothing can "
			      "settle: no tool call and no timer is pending"));
	if (e->ended)
		warn_at_end(e);
	answers_drop(&e->answers, e->start.alloc);
	e->state = state_of_turn(e);
	say_end(e);
	return e->state;
}

/* -------------------------------------------------------------- open and close */

static void
close_evaluator(engine *e)
{
	const cm_alloc *a;

	if (e == NULL)
		return;
	a = e->start.alloc;
	vm_free(e->m);
	unit_free(e->script);
	store_fini(&e->store);
	answers_fini(&e->answers, a);
	buf_fini(&e->text);
	buf_fini(&e->last);
	mem_free(a, e->call, e->calls_cap * sizeof(*e->call));
	mem_free(a, e->rejection, e->rejections_cap * sizeof(*e->rejection));
	mem_free(a, e, sizeof(*e));
}

static cm_status
open_evaluator(const engine_start *start, engine **out)
{
	engine *e = mem_new(start->alloc, sizeof(*e));
	cm_status r;

	if (e == NULL)
		return CM_ENOMEM;
	e->start = *start;
	e->text = BUF_INIT(start->alloc, 256u << 20);
	e->last = BUF_INIT(start->alloc, SIZE_MAX / 2);
	r = store_init(&e->store, start->alloc, start->store);
	if (r == CM_OK) {
		uint64_t most = start->heap < UINT64_MAX - HEAP_BESIDE
				    ? start->heap + HEAP_BESIDE
				    : start->heap;

		e->m = vm_open(start->alloc, most);
		if (e->m == NULL)
			r = CM_ENOMEM;
	}
	if (r != CM_OK) {
		close_evaluator(e);
		return r;
	}
	set_hooks(e);
	*out = e;
	return CM_OK;
}

/* ------------------------------------------------------------------- answering */

static cm_status
queue_result(engine *e, engine_answer a)
{
	if (a.id == 0 || a.id > e->calls || !e->call[a.id - 1].open)
		return CM_ENOCALL;
	return answers_add(&e->answers, e->start.alloc, a);
}

static cm_status
resolve_call(engine *e, uint32_t id, text given)
{
	return queue_result(e,
	    (engine_answer){.kind = ANSWER_RESOLVE, .id = id, .json = given});
}

static cm_status
reject_call(engine *e, uint32_t id, text name, text message, text members)
{
	return queue_result(e, (engine_answer){.kind = ANSWER_REJECT,
				   .id = id,
				   .name = name,
				   .message = message,
				   .members = members});
}

static cm_status
queue_timer(engine *e, uint32_t timer)
{
	return answers_add(&e->answers, e->start.alloc,
	    (engine_answer){.kind = ANSWER_FIRE, .id = timer});
}

/* ---------------------------------------------------------------------- others */

static void
stop_evaluator(engine *e)
{
	e->stopped = 1;
}

/* It computes only inside of turn, and takes every answer there. */
static uint64_t
wait_for_nothing(const engine *e, int *handle, int *writable)
{
	(void)e;
	*handle = -1;
	*writable = 0;
	return UINT64_MAX;
}

static bool
never_busy(const engine *e)
{
	(void)e;
	return false;
}

static uint64_t
nothing_behind(const engine *e)
{
	(void)e;
	return 0;
}

static const char *
why_broken(const engine *e)
{
	return e->why;
}

static uint64_t
memory_of_run(const engine *e)
{
	return (uint64_t)e->m->heap.cap * 8;
}

static const char *
evaluator_fingerprint(void)
{
	return "evaluator 1";
}

const engine_port engine_evaluator = {
    .name = "evaluator",
    .open = open_evaluator,
    .resolve = resolve_call,
    .reject = reject_call,
    .fire = queue_timer,
    .turn = turn_evaluator,
    .stop = stop_evaluator,
    .wait = wait_for_nothing,
    .busy = never_busy,
    .behind = nothing_behind,
    .why = why_broken,
    .memory = memory_of_run,
    .close = close_evaluator,
    .fingerprint = evaluator_fingerprint,
};
