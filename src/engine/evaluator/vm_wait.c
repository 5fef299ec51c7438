/* SPDX-License-Identifier: MIT */
/*
 * vm_wait.c -- frames that wait, promises, jobs: see vm.h.
 *
 * A frame that waits is copied into its coroutine: the registers into a list,
 * the number of the instruction beside it. That instruction (AWAIT, YIELD) is
 * done when the frame goes on.
 */
#include "vm.h"

/* ---------------------------------------------------------------------- jobs */

static bool
push_job(vm *m, job j)
{
	void *array;

	if (m->job_first == m->jobs)
		m->job_first = m->jobs = 0;
	if (m->job_first > 64 && m->job_first > m->jobs / 2) {
		memmove(m->job, m->job + m->job_first,
		    (m->jobs - m->job_first) * sizeof(*m->job));
		m->jobs -= m->job_first;
		m->job_first = 0;
	}
	array = m->job;
	if (!mem_grow(
		m->alloc, &array, &m->job_cap, m->jobs, sizeof(*m->job))) {
		m->stop = VM_NO_MEMORY;
		return false;
	}
	m->job = array;
	m->job[m->jobs++] = j;
	return true;
}

bool
vm_enqueue(vm *m, value f, value a, value b, value c)
{
	return push_job(m, (job){.kind = JOB_CALL,
			       .function = f,
			       .argument = a,
			       .second = b,
			       .third = c});
}

void
vm_forget_jobs(vm *m)
{
	m->jobs = m->job_first = 0;
	m->depth = 0;
	m->stack_top = 0;
	m->thrown = V_HOLE;
}

/* ------------------------------------------------------------------ promises */

value
promise_make(vm *m)
{
	value p = object_make(m, &m->realm[R_promise], CLASS_PROMISE, 0);

	if (p == V_THROWN)
		return p;
	OBJ(m, p)->v[PROMISE_STATE] = v_of_int(PROMISE_PENDING);
	OBJ(m, p)->v[PROMISE_FLAGS] = v_of_int(0);
	return p;
}

/* on_fulfilled: a function, a coroutine, or undefined. */
static bool
push_reaction(vm *m, value on_fulfilled, value on_rejected, value next,
    bool rejected, value v)
{
	value f = on_fulfilled;

	if (rejected && !v_is_class(m, f, CLASS_COROUTINE))
		f = on_rejected;
	return push_job(m, (job){.kind = JOB_REACTION,
			       .function = f,
			       .argument = v,
			       .second = V_UNDEFINED,
			       .third = next,
			       .rejected = rejected});
}

bool
promise_settle(vm *m, value *promise, bool rejected, value *v)
{
	cell_object *p = OBJ(m, *promise);
	value waiting = p->v[PROMISE_WAITING];
	bool handled = v_int(p->v[PROMISE_FLAGS]) != 0;
	const cell_values *list;

	p->v[PROMISE_STATE] =
	    v_of_int(rejected ? PROMISE_REJECTED : PROMISE_FULFILLED);
	p->v[PROMISE_VALUE] = *v;
	p->v[PROMISE_WAITING] = V_UNDEFINED;
	if (rejected && !handled && m->unhandled != NULL)
		m->unhandled(m, *promise, false);
	if (waiting == V_UNDEFINED)
		return true;
	list = CELL(H(m), v_ref(waiting), cell_values);
	for (uint32_t i = 0; i + 2 < list->len; i += 3)
		if (!push_reaction(m, list->v[i], list->v[i + 1],
			list->v[i + 2], rejected, *v))
			return false;
	return true;
}

/* One more reaction of a pending promise. Its parts are in temp[0 .. 2]. */
static bool
add_waiting(vm *m, value *promise)
{
	value waiting = OBJ(m, *promise)->v[PROMISE_WAITING];
	uint32_t len = 0, room;
	cell_values *list, *old;
	ref r;

	if (waiting != V_UNDEFINED)
		len = CELL(H(m), v_ref(waiting), cell_values)->len;
	room = len < 3 ? 3 : 2 * len;
	if (waiting == V_UNDEFINED ||
	    CELL(H(m), v_ref(waiting), cell)->size - 2 < len + 3) {
		if (!heap_reserve(H(m), 16 + (room + 3) * 8)) {
			vm_throw_memory(m);
			return false;
		}
		r = heap_new(H(m), CELL_VALUES, 16 + (room + 3) * 8);
		list = CELL(H(m), r, cell_values);
		list->len = len;
		list->start = 0;
		for (uint32_t i = 0; i < room + 3; i++)
			list->v[i] = V_HOLE;
		waiting = OBJ(m, *promise)->v[PROMISE_WAITING];
		if (len > 0) {
			old = CELL(H(m), v_ref(waiting), cell_values);
			memcpy(list->v, old->v, len * sizeof(value));
		}
		OBJ(m, *promise)->v[PROMISE_WAITING] = v_of_ref(TAG_CELL, r);
	} else {
		list = CELL(H(m), v_ref(waiting), cell_values);
	}
	memcpy(list->v + list->len, m->temp, 3 * sizeof(value));
	list->len += 3;
	return true;
}

bool
promise_then(
    vm *m, value *promise, value *on_fulfilled, value *on_rejected, value *next)
{
	cell_object *p = OBJ(m, *promise);
	int state = v_int(p->v[PROMISE_STATE]);
	bool handled = v_int(p->v[PROMISE_FLAGS]) != 0;

	p->v[PROMISE_FLAGS] = v_of_int(1);
	if (state == PROMISE_REJECTED && !handled && m->unhandled != NULL)
		m->unhandled(m, *promise, true);
	if (state != PROMISE_PENDING)
		return push_reaction(m, *on_fulfilled, *on_rejected, *next,
		    state == PROMISE_REJECTED,
		    OBJ(m, *promise)->v[PROMISE_VALUE]);
	m->temp[0] = *on_fulfilled;
	m->temp[1] = *on_rejected;
	m->temp[2] = *next;
	return add_waiting(m, promise);
}

/* What `then` of an object is, where no script has to be asked. */
static prop_end
find_then(vm *m, value *v, value *then)
{
	m->temp[3] = vm_key_text(m, "then");
	if (m->temp[3] == V_THROWN)
		return PROP_THROWN;
	return prop_get(m, v, &m->temp[3], then, NULL);
}

bool
vm_resolve(vm *m, value *promise, value *v)
{
	value args[2], then, out;

	if (v_is_object(*v) && *v != *promise)
		switch (find_then(m, v, &then)) {
		case PROP_THROWN:
			return false;
		case PROP_ABSENT:
			return promise_settle(m, promise, false, v);
		case PROP_DONE:
			if (!v_is_function(m, then))
				return promise_settle(m, promise, false, v);
			break;
		default:
			break;
		}
	else if (!v_is_object(*v))
		return promise_settle(m, promise, false, v);
	args[0] = *promise;
	args[1] = *v;
	return vm_helper(m, R_slow_resolve, END_DROP, 0, 2, args, &out) !=
	       CALLED_THROWN;
}

/* ---------------------------------------------------------------- coroutines */

/* An object without a prototype that matters, for an async function. */
static bool
make_coroutine(vm *m)
{
	value co = object_make(m, &m->realm[R_object], CLASS_COROUTINE, 0);
	frame *f = &m->frames[m->depth - 1];

	if (co == V_THROWN)
		return false;
	f->coroutine = co;
	OBJ(m, co)->v[CO_FUNCTION] = f->function;
	OBJ(m, co)->v[CO_REGISTERS] = V_UNDEFINED;
	OBJ(m, co)->v[CO_PROMISE] = V_UNDEFINED;
	return true;
}

/* The frame on top into its coroutine. */
static bool
save_frame(vm *m, co_state state)
{
	frame *f = &m->frames[m->depth - 1];
	uint32_t n = f->code->registers, extra = f->extra ? f->argc : 0;
	cell_object *co;
	cell_values *list;
	value old;

	if (!v_is_object(f->coroutine) && !make_coroutine(m))
		return false;
	if (!heap_reserve(H(m), 16 + (size_t)(n + extra) * 8)) {
		vm_throw_memory(m);
		return false;
	}
	f = &m->frames[m->depth - 1];
	co = OBJ(m, f->coroutine);
	old = co->v[CO_REGISTERS];
	if (old == V_UNDEFINED) {
		ref r =
		    heap_new(H(m), CELL_VALUES, 16 + (size_t)(n + extra) * 8);

		co = OBJ(m, f->coroutine);
		old = co->v[CO_REGISTERS] = v_of_ref(TAG_CELL, r);
	}
	list = CELL(H(m), v_ref(old), cell_values);
	list->len = n + extra;
	list->start = 0;
	memcpy(list->v, m->stack + f->base, n * sizeof(value));
	if (extra > 0)
		memcpy(list->v + n, m->stack + f->extra, extra * sizeof(value));
	co->v[CO_FUNCTION] = f->function;
	co->v[CO_THIS] = f->this;
	co->v[CO_NEW_TARGET] = f->new_target;
	co->v[CO_PC] = v_of_int((int32_t)f->pc);
	co->v[CO_STATE] = v_of_int(state);
	co->v[CO_ARGC] = v_of_int(f->extra ? (int32_t)f->argc : -1);
	return true;
}

static frame
pop_saved(vm *m)
{
	frame f = m->frames[--m->depth];

	m->stack_top = m->depth ? m->frames[m->depth - 1].top : 0;
	return f;
}

/* The frame waits; *first: an async function waits for the first time, and its
 * promise is in temp[8]. */
static bool
begin_wait(vm *m, bool *first)
{
	frame *f = &m->frames[m->depth - 1];

	*first = !v_is_object(f->coroutine);
	if (!save_frame(m, CO_AWAITS))
		return false;
	if (!*first)
		return true;
	m->temp[8] = promise_make(m);
	if (m->temp[8] == V_THROWN)
		return false;
	f = &m->frames[m->depth - 1];
	OBJ(m, f->coroutine)->v[CO_PROMISE] = m->temp[8];
	return true;
}

static bool
end_wait(vm *m, bool first)
{
	frame f = pop_saved(m);

	if (first)
		return vm_deliver(m, &f, m->temp[8]);
	if (f.end != END_TURN)
		return vm_deliver(m, &f, V_UNDEFINED);
	return true;
}

bool
vm_await(vm *m, value *promise)
{
	value none = V_UNDEFINED;
	bool first;

	if (!begin_wait(m, &first) ||
	    !promise_then(
		m, promise, &m->frames[m->depth - 1].coroutine, &none, &none))
		return false;
	return end_wait(m, first);
}

bool
vm_await_value(vm *m, value *v)
{
	bool first;

	if (!begin_wait(m, &first) ||
	    !push_reaction(m, m->frames[m->depth - 1].coroutine, V_UNDEFINED,
		V_UNDEFINED, false, *v))
		return false;
	return end_wait(m, first);
}

bool
vm_generate(vm *m)
{
	frame *f = &m->frames[m->depth - 1];
	bool later = f->code->flags & CODE_ASYNC;
	value co;
	prop_end r;

	m->temp[4] = vm_key_text(m, "prototype");
	if (m->temp[4] == V_THROWN)
		return false;
	r = prop_get(m, &f->function, &m->temp[4], &m->temp[5], NULL);
	if (r == PROP_THROWN)
		return false;
	if (!v_is_object(m->temp[5]))
		m->temp[5] = m->realm[later ? R_async_generator : R_generator];
	co = object_make(m, &m->temp[5], CLASS_COROUTINE, 0);
	if (co == V_THROWN)
		return false;
	f = &m->frames[m->depth - 1];
	f->coroutine = co;
	f->pc++; /* behind GENERATE */
	OBJ(m, co)->v[CO_REGISTERS] = V_UNDEFINED;
	OBJ(m, co)->v[CO_PROMISE] = V_UNDEFINED;
	if (!save_frame(m, CO_NEW))
		return false;
	m->temp[5] = m->frames[m->depth - 1].coroutine;
	{
		frame ended = pop_saved(m);

		return vm_deliver(m, &ended, m->temp[5]);
	}
}

bool
vm_yield(vm *m, value *v, bool is_result)
{
	frame f;
	value args[2], out;

	if (!save_frame(m, is_result ? CO_DELEGATES : CO_YIELDED))
		return false;
	f = pop_saved(m);
	if (is_result && f.end == END_NEXT) {
		m->call_target = f.target;
		return vm_helper(m, R_slow_result, END_NEXT, f.dst, 1, v,
			   &out) != CALLED_THROWN;
	}
	if (!(f.code->flags & CODE_ASYNC))
		return vm_deliver(m, &f, *v);
	args[0] = f.coroutine;
	args[1] = *v;
	if (!vm_deliver(m, &f, V_UNDEFINED))
		return false;
	return vm_helper(m, R_slow_async_yield, END_DROP, 0, 2, args, &out) !=
	       CALLED_THROWN;
}

/* What the instruction at which the frame waited gives. False: thrown. */
static bool
finish_instruction(vm *m, frame *f, co_state was, value v, int how)
{
	const uint16_t *op = f->code->op + f->pc;

	if (was == CO_YIELDED || was == CO_DELEGATES) {
		m->stack[f->base + op[1]] = v;
		m->stack[f->base + op[1] + 1] = v_of_int(how);
		f->pc += 3;
		return true;
	}
	if (how == 1) {
		m->thrown = v;
		vm_place_error(m, &m->thrown);
		return false;
	}
	if (was == CO_AWAITS) {
		m->stack[f->base + op[1]] = v;
		f->pc += 3;
	}
	return true;
}

bool
vm_resume(vm *m, value co, value v, int how)
{
	cell_object *o = OBJ(m, co);
	value function = o->v[CO_FUNCTION];
	const code *c = function_code_of(m, function);
	int argc = v_int(o->v[CO_ARGC]);
	uint32_t base = m->stack_top, extra = argc > 0 ? (uint32_t)argc : 0;
	uint32_t top = base + c->registers + extra;
	co_state was = (co_state)v_int(o->v[CO_STATE]);
	const cell_values *list;
	frame *f;
	void *array;

	if (m->depth >= m->depth_max || !vm_stack_room(m, top + NATIVE_ROOM)) {
		if (m->thrown == V_HOLE && m->stop == VM_GOES_ON)
			vm_throw(
			    m, ERROR_RANGE, "Maximum call stack size exceeded");
		return false;
	}
	if (m->depth == m->frame_cap) {
		size_t cap = m->frame_cap;

		array = m->frames;
		if (!mem_grow(
			m->alloc, &array, &cap, m->depth, sizeof(*m->frames))) {
			m->stop = VM_NO_MEMORY;
			return false;
		}
		m->frames = array;
		m->frame_cap = (uint32_t)cap;
	}
	list = CELL(H(m), v_ref(o->v[CO_REGISTERS]), cell_values);
	memcpy(
	    m->stack + base, list->v, (c->registers + extra) * sizeof(value));
	m->stack_top = top;
	f = &m->frames[m->depth++];
	*f = (frame){.code = c,
	    .pc = (uint32_t)v_int(o->v[CO_PC]),
	    .base = base,
	    .function = function,
	    .this = o->v[CO_THIS],
	    .new_target = o->v[CO_NEW_TARGET],
	    .coroutine = co,
	    .argc = extra,
	    .extra = extra ? base + c->registers : 0,
	    .top = top,
	    .dst = m->call_dst,
	    .end = (uint8_t)m->call_end,
	    .expects = m->call_expects,
	    .target = m->call_target};
	o->v[CO_STATE] = v_of_int(CO_RUNS);
	return finish_instruction(m, f, was, v, how);
}

/* -------------------------------------------------------------------- return */

/* What `new` gives. False: thrown, inside of the frame. */
static bool
constructed(vm *m, const frame *f, value *v)
{
	if (v_is_object(*v))
		return true;
	if (f->code->flags & CODE_DERIVED && *v != V_UNDEFINED) {
		vm_throw(m, ERROR_TYPE,
		    "derived class constructor must return an object or "
		    "undefined");
		return false;
	}
	if (f->this == V_HOLE) {
		vm_throw(m, ERROR_REFERENCE, "this is not initialized");
		return false;
	}
	*v = f->this;
	return true;
}

static bool
return_async(vm *m, value v)
{
	frame f = m->frames[m->depth - 1];
	value args[3], out;

	if (f.code->flags & CODE_GENERATOR) {
		pop_saved(m);
		args[0] = f.coroutine;
		args[1] = v;
		args[2] = V_FALSE;
		if (!vm_deliver(m, &f, V_UNDEFINED))
			return false;
		return vm_helper(m, R_slow_async_end, END_DROP, 0, 3, args,
			   &out) != CALLED_THROWN;
	}
	m->temp[9] = v;
	if (v_is_object(f.coroutine)) {
		pop_saved(m);
		m->temp[8] = OBJ(m, f.coroutine)->v[CO_PROMISE];
		return vm_resolve(m, &m->temp[8], &m->temp[9]);
	}
	m->temp[8] = promise_make(m);
	if (m->temp[8] == V_THROWN)
		return false;
	f = pop_saved(m);
	/* The promise is given first: what resolves it is a frame above. */
	if (!vm_deliver(m, &f, m->temp[8]))
		return false;
	return vm_resolve(m, &m->temp[8], &m->temp[9]);
}

bool
vm_return(vm *m, value v)
{
	frame f = m->frames[m->depth - 1];
	unsigned flags = f.code->flags;

	if (v_is_object(f.coroutine))
		OBJ(m, f.coroutine)->v[CO_STATE] = v_of_int(CO_OVER);
	if (flags & CODE_ASYNC)
		return return_async(m, v);
	if (f.new_target != V_UNDEFINED && !(flags & CODE_ARROW) &&
	    !constructed(m, &f, &v))
		return false;
	if (flags & CODE_GENERATOR && f.end == END_NEXT)
		v = V_DONE;
	pop_saved(m);
	return vm_deliver(m, &f, v);
}

/* --------------------------------------------------------------------- turns */

bool
vm_finish_job(vm *m, bool rejected, value *v)
{
	value next = m->job_next, out;
	uint32_t at = 0;

	if (next == V_UNDEFINED) {
		if (rejected && m->uncaught != NULL)
			m->uncaught(m, *v);
		return true;
	}
	if (v_is_class(m, next, CLASS_PROMISE)) {
		m->temp[7] = next;
		m->job_next = V_UNDEFINED;
		return rejected ? promise_settle(m, &m->temp[7], true, v)
				: vm_resolve(m, &m->temp[7], v);
	}
	/* {promise, resolve, reject} of another constructor. */
	m->temp[7] = *v;
	m->temp[6] = vm_key_text(m, rejected ? "reject" : "resolve");
	if (m->temp[6] == V_THROWN || !vm_stack_room(m, at + 8))
		return false;
	for (uint32_t i = m->stack_top; i < at + 8; i++)
		m->stack[i] = V_UNDEFINED;
	if (m->stack_top < at + 8)
		m->stack_top = at + 8;
	next = m->job_next;
	m->job_next = V_UNDEFINED;
	m->temp[5] = next;
	if (prop_get(m, &m->temp[5], &m->temp[6], &m->stack[at], NULL) !=
	    PROP_DONE)
		return false;
	m->stack[at + 1] = V_UNDEFINED;
	m->stack[at + 2] = m->temp[7];
	return vm_call(m, at, 1, END_TURN, 0, &out) != CALLED_THROWN;
}

/* Calls f with n arguments as the first frame. */
static bool
begin_call(vm *m, value f, unsigned n, const value *args)
{
	value out = V_UNDEFINED;

	m->stack_top = 0;
	if (!vm_stack_room(m, 16))
		return false;
	m->stack[0] = f;
	m->stack[1] = V_UNDEFINED;
	memcpy(m->stack + 2, args, n * sizeof(value));
	m->stack_top = 2 + n;
	switch (vm_call(m, 0, n, END_TURN, 0, &out)) {
	case CALLED_VALUE:
		m->temp[9] = out;
		return vm_finish_job(m, false, &m->temp[9]);
	case CALLED_FRAME:
		return true;
	case CALLED_THROWN:
		break;
	}
	return false;
}

static bool
begin_job(vm *m)
{
	job j = m->job[m->job_first++];
	value args[3] = {j.argument, j.second, j.third};

	m->stack_top = 0;
	m->job_next = V_UNDEFINED;
	m->call_end = END_TURN;
	m->call_target = 0;
	if (j.kind == JOB_CALL)
		return begin_call(m, j.function, 3, args);
	if (v_is_class(m, j.function, CLASS_COROUTINE))
		return vm_resume(m, j.function, j.argument, j.rejected);
	m->job_next = j.third;
	if (v_is_function(m, j.function))
		return begin_call(m, j.function, 1, args);
	m->temp[9] = j.argument;
	return vm_finish_job(m, j.rejected, &m->temp[9]);
}

/* An exception that left all frames. */
static bool
job_thrown(vm *m)
{
	m->temp[9] = m->thrown;
	m->thrown = V_HOLE;
	return vm_finish_job(m, true, &m->temp[9]);
}

vm_stop
vm_turn(vm *m)
{
	while (
	    m->stop == VM_GOES_ON && (m->depth > 0 || m->job_first < m->jobs)) {
		bool good = m->depth > 0 || begin_job(m);

		if (!good && m->thrown != V_HOLE && m->depth > 0)
			good = vm_unwind(m);
		if (good && m->depth > 0)
			good = vm_loop(m);
		if (!good && m->stop == VM_GOES_ON && m->thrown != V_HOLE &&
		    !job_thrown(m))
			break;
	}
	return m->stop;
}
