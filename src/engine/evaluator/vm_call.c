/* SPDX-License-Identifier: MIT */
/*
 * vm_call.c -- frames: functions are called and constructed, give their value to
 * what is below, and are left by exceptions. See vm.h.
 *
 * A call's registers stand one behind the other: the function, `this`, the
 * arguments. The callee's own registers begin at the arguments, so nothing is
 * copied, and may lie over registers of the caller that are free.
 */
#include "vm.h"

#include <stdarg.h>

/* --------------------------------------------------------------------- stack */

static bool
grow_stack(vm *m, uint32_t top)
{
	uint64_t cap = m->stack_cap ? m->stack_cap : 256;
	value *stack;

	if (top > m->stack_max) {
		vm_throw(m, ERROR_RANGE, "Maximum call stack size exceeded");
		return false;
	}
	while (cap < top)
		cap *= 2;
	stack = mem_resize(m->alloc, m->stack, m->stack_cap * sizeof(*stack),
	    (size_t)cap * sizeof(*stack));
	if (stack == NULL) {
		m->stop = VM_NO_MEMORY;
		return false;
	}
	m->stack = stack;
	m->stack_cap = (uint32_t)cap;
	return true;
}

bool
vm_stack_room(vm *m, uint32_t top)
{
	return top <= m->stack_cap || grow_stack(m, top);
}

/* Makes registers from the old top to the new one live. */
static bool
raise_top(vm *m, uint32_t top)
{
	if (!vm_stack_room(m, top))
		return false;
	for (uint32_t i = m->stack_top; i < top; i++)
		m->stack[i] = V_UNDEFINED;
	if (top > m->stack_top)
		m->stack_top = top;
	return true;
}

/* A new frame on top; its values are not set. NULL: thrown. */
static frame *
push_frame(vm *m)
{
	if (m->depth >= m->depth_max) {
		vm_throw(m, ERROR_RANGE, "Maximum call stack size exceeded");
		return NULL;
	}
	if (m->depth == m->frame_cap) {
		uint32_t cap = m->frame_cap ? m->frame_cap * 2 : 16;
		frame *f = mem_resize(m->alloc, m->frames,
		    m->frame_cap * sizeof(*f), cap * sizeof(*f));

		if (f == NULL) {
			m->stop = VM_NO_MEMORY;
			return NULL;
		}
		m->frames = f;
		m->frame_cap = cap;
	}
	return &m->frames[m->depth++];
}

static void
pop_frame(vm *m)
{
	m->depth--;
	m->stack_top = m->depth ? m->frames[m->depth - 1].top : 0;
}

/* ----------------------------------------------------------------- functions */

const code *
function_code_of(const vm *m, value f)
{
	int32_t n = v_int(*object_internal(&m->heap, v_ref(f), FN_CODE));

	return m->unit[n & (UNITS - 1)].unit->function[n >> UNIT_BITS];
}

value
function_make(vm *m, unsigned which, uint32_t n, value *scope)
{
	const code *c = m->unit[which].unit->function[n];
	realm_value proto = R_function;
	value f;

	if (c->flags & CODE_GENERATOR)
		proto = c->flags & CODE_ASYNC ? R_async_generator_function
					      : R_generator_function;
	else if (c->flags & CODE_ASYNC)
		proto = R_async_function;
	m->temp[12] = *scope;
	f = object_make(m, &m->realm[proto], CLASS_FUNCTION, 0);
	if (f == V_THROWN)
		return f;
	OBJ(m, f)->head.flags |= CELL_FUNCTION | CELL_LAZY;
	OBJ(m, f)->v[FN_CODE] = v_of_int((int32_t)(n << UNIT_BITS | which));
	OBJ(m, f)->v[FN_SCOPE] = m->temp[12];
	m->temp[12] = V_UNDEFINED;
	return f;
}

value
function_native(
    vm *m, native_number n, value *fallback, value *name, uint32_t length)
{
	value key, v;

	m->temp[12] = object_make(m, &m->realm[R_function], CLASS_NATIVE, 2);
	if (m->temp[12] == V_THROWN)
		return V_THROWN;
	OBJ(m, m->temp[12])->head.flags |= CELL_FUNCTION;
	OBJ(m, m->temp[12])->v[0] = v_of_int((int32_t)n);
	OBJ(m, m->temp[12])->v[1] = *fallback;
	key = m->temp[13] = vm_key_text(m, "length");
	v = m->temp[14] = v_of_int((int32_t)length);
	if (key == V_THROWN ||
	    !prop_put(m, &m->temp[12], &m->temp[13], &m->temp[14], P_CONFIG))
		return V_THROWN;
	m->temp[13] = vm_key_text(m, "name");
	if (m->temp[13] == V_THROWN ||
	    !prop_put(m, &m->temp[12], &m->temp[13], name, P_CONFIG))
		return V_THROWN;
	v = m->temp[12];
	m->temp[12] = m->temp[13] = V_UNDEFINED;
	return v;
}

/* -------------------------------------------------------------- native calls */

value
vm_need(vm *m, int slot, hint h)
{
	m->need_slot = slot;
	m->need_hint = h;
	return V_NEED;
}

value
vm_tail(vm *m, uint32_t argc)
{
	m->tail_argc = argc;
	return V_TAIL;
}

value *
vm_arguments(vm *m, value *a, uint32_t argc)
{
	uint32_t at = (uint32_t)(a - m->stack);

	if (!raise_top(m, at + argc + NATIVE_ROOM))
		return NULL;
	return m->stack + at;
}

/* Calls the native in stack[at], a function or its number; it may be called
 * again. */
static value
run_native(vm *m, uint32_t at, uint32_t argc, value *new_target)
{
	value f = m->stack[at], v, saved = m->new_target;
	native_number n = (native_number)v_int(
	    v_is_int(f) ? f : *object_internal(H(m), v_ref(f), 0));

	if (!raise_top(m, at + 2 + argc + NATIVE_ROOM))
		return V_THROWN;
	for (uint32_t i = 0; i < NATIVE_ROOM; i++)
		m->stack[at + 2 + argc + i] = V_UNDEFINED;
	m->new_target = *new_target;
	v = native_functions[n](m, m->stack + at + 2, argc);
	m->new_target = saved;
	return v;
}

/* A frame for the native, which needs a primitive in one of its slots. */
static called
push_need(vm *m, uint32_t at, uint32_t argc, value new_target, frame_end end,
    uint16_t dst)
{
	uint32_t slot = (uint32_t)((int)at + 2 + m->need_slot);
	value args[2] = {m->stack[slot], v_of_int((int)m->need_hint)}, out;
	frame *f = push_frame(m);
	called r;

	if (f == NULL)
		return CALLED_THROWN;
	*f = (frame){.code = NULL,
	    .pc = m->need_hint,
	    .base = at + 2,
	    .function = m->stack[at],
	    .this = V_UNDEFINED,
	    .new_target = new_target,
	    .coroutine = V_UNDEFINED,
	    .argc = argc,
	    .top = m->stack_top,
	    .dst = dst,
	    .end = (uint8_t)end,
	    .target = m->call_target,
	    .expects = m->call_expects};
	m->call_target = slot;
	r = vm_helper(m, R_slow_primitive, END_SLOT, 0, 2, args, &out);
	return r;
}

/* ------------------------------------------------------------- bound, proxies */

/* A list of what is in so many registers, as an array. */
static value
list_of_registers(vm *m, uint32_t from, uint32_t n)
{
	value list = array_make(m, n, n);

	if (list == V_THROWN)
		return list;
	for (uint32_t i = 0; i < n; i++) {
		cell_values *e =
		    CELL(H(m), OBJ(m, list)->elements, cell_values);

		e->v[e->start + i] = m->stack[from + i];
	}
	return list;
}

enum { BOUND_TARGET, BOUND_THIS, BOUND_LIST };

/* The bound function's target takes its place, with more arguments. */
static bool
unbind(vm *m, uint32_t at, uint32_t *argc)
{
	value bound = m->stack[at], *list;
	uint32_t n = 0;

	list = array_values(m, OBJ(m, bound)->v[BOUND_LIST], &n);
	if (!raise_top(m, at + 2 + *argc + n + NATIVE_ROOM))
		return false;
	for (uint32_t i = *argc; i-- > 0;)
		m->stack[at + 2 + n + i] = m->stack[at + 2 + i];
	for (uint32_t i = 0; i < n; i++)
		m->stack[at + 2 + i] = list[i];
	m->stack[at] = OBJ(m, bound)->v[BOUND_TARGET];
	m->stack[at + 1] = OBJ(m, bound)->v[BOUND_THIS];
	*argc += n;
	return true;
}

static called
call_proxy(vm *m, uint32_t at, uint32_t argc, value *new_target, frame_end end,
    uint16_t dst, value *out)
{
	value list, args[3];
	bool makes = *new_target != V_UNDEFINED;

	m->temp[11] = *new_target;
	list = list_of_registers(m, at + 2, argc);
	if (list == V_THROWN)
		return CALLED_THROWN;
	args[0] = m->stack[at];
	args[1] = makes ? list : m->stack[at + 1];
	args[2] = makes ? m->temp[11] : list;
	m->temp[11] = V_UNDEFINED;
	return vm_helper(
	    m, makes ? R_slow_construct : R_slow_call, end, dst, 3, args, out);
}

/* --------------------------------------------------------------------- calls */

/* The frame of a function whose arguments stand at base. */
static frame *
enter_code(vm *m, value function, const code *c, uint32_t base, uint32_t argc)
{
	uint32_t top = base + c->registers, extra = 0, first = argc;
	frame *f;
	value *r;

	if (c->flags & CODE_EXTRA && argc > 0) {
		extra = top > base + argc ? top : base + argc;
		top = extra + argc;
	}
	if (!vm_stack_room(m, top) || (f = push_frame(m)) == NULL)
		return NULL;
	r = m->stack + base;
	if (extra != 0)
		memcpy(m->stack + extra, r, argc * sizeof(*r));
	if (top > m->stack_top)
		m->stack_top = top;
	if (first > c->params)
		first = c->params;
	for (uint32_t i = first; i < c->registers; i++)
		r[i] = V_UNDEFINED;
	r[c->scope_reg] = *object_internal(H(m), v_ref(function), FN_SCOPE);
	*f = (frame){.code = c,
	    .base = base,
	    .function = function,
	    .this = V_UNDEFINED,
	    .new_target = V_UNDEFINED,
	    .coroutine = V_UNDEFINED,
	    .argc = argc,
	    .extra = extra,
	    .top = m->stack_top};
	return f;
}

static void
set_end(const vm *m, frame *f, frame_end end, uint16_t dst)
{
	f->end = (uint8_t)end;
	f->dst = dst;
	f->target = m->call_target;
	f->expects = m->call_expects;
}

static called
call_code(vm *m, uint32_t at, uint32_t argc, frame_end end, uint16_t dst)
{
	value function = m->stack[at], this = m->stack[at + 1];
	const code *c = function_code_of(m, function);
	frame *f;

	if (c->flags & CODE_CLASS) {
		vm_throw(m, ERROR_TYPE,
		    "class constructors must be invoked with 'new'");
		return CALLED_THROWN;
	}
	f = enter_code(m, function, c, at + 2, argc);
	if (f == NULL)
		return CALLED_THROWN;
	set_end(m, f, end, dst);
	if (c->flags & CODE_ARROW) {
		const cell_object *o = OBJ(m, function);

		f->this = o->v[FN_THIS];
		f->new_target = o->v[FN_FIELDS];
	} else {
		f->this = this;
		if (v_is_nullish(this) && !(c->flags & CODE_STRICT))
			f->this = m->global;
	}
	f->plain =
	    end == END_REGISTER && !(c->flags & (CODE_ASYNC | CODE_GENERATOR));
	return CALLED_FRAME;
}

static called
not_a_function(vm *m)
{
	vm_throw(m, ERROR_TYPE, "not a function");
	return CALLED_THROWN;
}

static called
call_native(vm *m, uint32_t at, uint32_t *argc, value *new_target,
    frame_end end, uint16_t dst, value *out, bool *again)
{
	uint32_t target = m->call_target;
	bool expects = m->call_expects;

	m->call_end = end;
	m->call_dst = dst;
	*out = run_native(m, at, *argc, new_target);
	m->call_target = target;
	m->call_expects = expects;
	*again = false;
	switch (*out) {
	case V_THROWN:
		return CALLED_THROWN;
	case V_PUSHED:
		return CALLED_FRAME;
	case V_NEED:
		return push_need(m, at, *argc, *new_target, end, dst);
	case V_TAIL:
		*argc = m->tail_argc;
		*again = true;
		return CALLED_FRAME;
	case V_FALLBACK:
		m->stack[at] = *object_internal(H(m), v_ref(m->stack[at]), 1);
		*again = true;
		return CALLED_FRAME;
	default:
		return CALLED_VALUE;
	}
}

called
vm_call(
    vm *m, uint32_t at, uint32_t argc, frame_end end, uint16_t dst, value *out)
{
	value none = V_UNDEFINED;
	bool again;

	for (;;) {
		value f = m->stack[at];
		called r;

		if (!v_is_function(m, f))
			return not_a_function(m);
		switch (object_class_of(H(m), v_ref(f))) {
		case CLASS_FUNCTION:
			return call_code(m, at, argc, end, dst);
		case CLASS_NATIVE:
			r = call_native(
			    m, at, &argc, &none, end, dst, out, &again);
			if (!again)
				return r;
			break;
		case CLASS_BOUND:
			if (!unbind(m, at, &argc))
				return CALLED_THROWN;
			break;
		default:
			return call_proxy(m, at, argc, &none, end, dst, out);
		}
	}
}

called
vm_call_native(vm *m, uint32_t at, native_number n, uint32_t argc, uint16_t dst,
    value *out)
{
	value none = V_UNDEFINED;
	bool again;
	called r;

	m->stack[at] = v_of_int((int32_t)n);
	m->stack[at + 1] = V_UNDEFINED;
	r = call_native(m, at, &argc, &none, END_REGISTER, dst, out, &again);
	return again ? vm_call(m, at, argc, END_REGISTER, dst, out) : r;
}

called
vm_helper(vm *m, realm_value which, frame_end end, uint16_t dst, unsigned n,
    const value *args, value *out)
{
	uint32_t at = m->stack_top;
	value saved[8];

	memcpy(saved, args, n * sizeof(*saved));
	if (!raise_top(m, at + 2 + n + NATIVE_ROOM))
		return CALLED_THROWN;
	m->stack[at] = m->realm[which];
	m->stack[at + 1] = V_UNDEFINED;
	memcpy(m->stack + at + 2, saved, n * sizeof(*saved));
	return vm_call(m, at, n, end, dst, out);
}

/* -------------------------------------------------------------- construction */

static bool
begin_fields(vm *m, value class, value this)
{
	value fields = *object_internal(H(m), v_ref(class), FN_FIELDS), out;
	uint32_t at = m->stack_top;

	if (fields == V_UNDEFINED)
		return true;
	if (!raise_top(m, at + 2 + NATIVE_ROOM))
		return false;
	m->stack[at] = fields;
	m->stack[at + 1] = this;
	return vm_call(m, at, 0, END_DROP, 0, &out) == CALLED_FRAME;
}

/* `this` of a base class: its prototype is new_target's. */
static prop_end
make_this(vm *m, value *new_target, value *this)
{
	prop_end r;

	r = prop_get(
	    m, new_target, &m->realm[R_key_prototype], &m->temp[14], NULL);
	if (r == PROP_CALL || r == PROP_SLOW || r == PROP_THROWN)
		return r;
	if (!v_is_object(m->temp[14]))
		m->temp[14] = m->realm[R_object];
	*this = object_make(m, &m->temp[14], CLASS_OBJECT, 4);
	m->temp[14] = V_UNDEFINED;
	return *this == V_THROWN ? PROP_THROWN : PROP_DONE;
}

static called
construct_code(vm *m, uint32_t at, uint32_t argc, value *new_target,
    frame_end end, uint16_t dst, value this)
{
	value function = m->stack[at];
	const code *c = function_code_of(m, function);
	bool base = !(c->flags & (CODE_DERIVED | CODE_MAKES));
	frame *f;

	m->temp[11] = this;
	f = enter_code(m, function, c, at + 2, argc);
	this = m->temp[11];
	m->temp[11] = V_UNDEFINED;
	if (f == NULL)
		return CALLED_THROWN;
	/* END_NEW is for what is below; what it would have been for a call is
	 * kept beside it. */
	set_end(m, f, end, dst);
	f->this = base ? this : V_HOLE;
	f->new_target = *new_target;
	if (base && !begin_fields(m, function, this)) {
		if (m->thrown != V_HOLE)
			return CALLED_FRAME; /* thrown inside of the frame */
		return CALLED_THROWN;
	}
	return CALLED_FRAME;
}

bool
vm_is_constructor(const vm *m, value f)
{
	const code *c;

	if (!v_is_function(m, f))
		return false;
	switch (object_class_of(H(m), v_ref(f))) {
	case CLASS_FUNCTION:
		c = function_code_of(m, f);
		if (c->flags & CODE_CLASS)
			return true;
		return !(c->flags & (CODE_ARROW | CODE_METHOD | CODE_ASYNC |
					CODE_GENERATOR));
	case CLASS_BOUND:
		return vm_is_constructor(m, OBJ(m, f)->v[BOUND_TARGET]);
	case CLASS_NATIVE:
		return false;
	default:
		return vm_is_constructor(m, OBJ(m, f)->v[0]); /* a proxy */
	}
}

called
vm_construct(vm *m, uint32_t at, uint32_t argc, value *new_target,
    frame_end end, uint16_t dst, value *out)
{
	value args[3], this = V_UNDEFINED;
	const code *c;

	if (!vm_is_constructor(m, m->stack[at])) {
		vm_throw(m, ERROR_TYPE, "not a constructor");
		return CALLED_THROWN;
	}
	while (v_is_class(m, m->stack[at], CLASS_BOUND)) {
		if (*new_target == m->stack[at])
			*new_target = OBJ(m, m->stack[at])->v[BOUND_TARGET];
		if (!unbind(m, at, &argc))
			return CALLED_THROWN;
	}
	if (v_is_class(m, m->stack[at], CLASS_PROXY))
		return call_proxy(m, at, argc, new_target, end, dst, out);
	c = function_code_of(m, m->stack[at]);
	if (!(c->flags & (CODE_DERIVED | CODE_MAKES)))
		switch (make_this(m, new_target, &this)) {
		case PROP_DONE:
			break;
		case PROP_THROWN:
			return CALLED_THROWN;
		default:
			m->temp[11] = *new_target;
			args[1] = list_of_registers(m, at + 2, argc);
			if (args[1] == V_THROWN)
				return CALLED_THROWN;
			args[0] = m->stack[at];
			args[2] = m->temp[11];
			m->temp[11] = V_UNDEFINED;
			return vm_helper(
			    m, R_slow_construct, end, dst, 3, args, out);
		}
	return construct_code(m, at, argc, new_target, end, dst, this);
}

/* The same with the prototype known: for lib/. a: f, list, new target, proto. */
value
native_construct_with(vm *m, value *a, uint32_t argc)
{
	uint32_t n = 0, at = m->stack_top;
	value *list, nt;

	(void)argc;
	array_values(m, a[1], &n);
	a[4] = object_make(m, &a[3], CLASS_OBJECT, 4);
	if (a[4] == V_THROWN)
		return V_THROWN;
	{
		uint32_t self = (uint32_t)(a - m->stack);

		if (!raise_top(m, at + 2 + n + NATIVE_ROOM))
			return V_THROWN;
		a = m->stack + self;
	}
	list = array_values(m, a[1], &n);
	m->stack[at] = a[0];
	m->stack[at + 1] = V_UNDEFINED;
	for (uint32_t i = 0; i < n; i++)
		m->stack[at + 2 + i] = list[i];
	nt = a[2];
	if (construct_code(m, at, n, &nt, m->call_end, m->call_dst, a[4]) ==
	    CALLED_THROWN)
		return V_THROWN;
	return V_PUSHED;
}

/* ------------------------------------------------------------------ delivery */

const uint8_t op_lengths[OPS] = {
#define OP(name, operands, does)                                              \
	[OP_##name] =                                                         \
	    sizeof(operands) +                                                \
	    (OP_##name == OP_JUMP || OP_##name == OP_LOOP ||                  \
		OP_##name == OP_JUMP_TRUE || OP_##name == OP_JUMP_FALSE ||    \
		OP_##name == OP_JUMP_NULLISH || OP_##name == OP_JUMP_SET ||   \
		OP_##name == OP_JUMP_LT || OP_##name == OP_JUMP_NOT_LT ||     \
		OP_##name == OP_JUMP_LE || OP_##name == OP_JUMP_NOT_LE ||     \
		OP_##name == OP_JUMP_SAME || OP_##name == OP_JUMP_NOT_SAME || \
		OP_##name == OP_NEXT || OP_##name == OP_RESUMED ||            \
		OP_##name == OP_CHECK_PARENT),
#include "code.def"
#undef OP
};

static void
step_over(frame *f)
{
	f->pc += op_lengths[f->code->op[f->pc]];
}

/* An argument that was given as an object, but is undefined as a primitive, is no
 * missing one. */
static value
needed_primitive(vm *m, value v, hint h)
{
	if (v != V_UNDEFINED || h == HINT_DEFAULT)
		return v;
	return h == HINT_NUMBER ? V_NAN : vm_to_string(m, v);
}

/* A native below gets the primitive that it needed, and runs again. */
static bool
native_again(vm *m, const frame *ended, value v)
{
	frame f = m->frames[m->depth - 1];
	value out, nt;
	bool again;
	called r;
	uint32_t at = f.base - 2, argc = f.argc;

	v = needed_primitive(m, v, (hint)f.pc);
	if (v == V_THROWN)
		return false;
	m->stack[ended->target] = v;
	m->depth--;
	m->stack_top = f.top; /* its arguments are live */
	m->call_target = f.target;
	m->call_expects = f.expects;
	nt = f.new_target;
	r = call_native(
	    m, at, &argc, &nt, (frame_end)f.end, f.dst, &out, &again);
	if (again)
		r = vm_call(m, at, argc, (frame_end)f.end, f.dst, &out);
	if (r == CALLED_VALUE)
		return vm_deliver(m, &f, out);
	return r == CALLED_FRAME;
}

bool
vm_deliver(vm *m, const frame *ended, value v)
{
	frame *f = m->depth ? &m->frames[m->depth - 1] : NULL;
	const uint16_t *op;
	bool is;

	if (f != NULL && ended->end != END_TURN)
		m->stack_top = f->top;
	switch ((frame_end)ended->end) {
	case END_TURN:
		m->temp[11] = v;
		return vm_finish_job(m, false, &m->temp[11]);
	case END_DROP:
		return true;
	case END_STEP:
		break;
	case END_ITERATE:
		m->stack[f->base + ended->dst] = *element_at(H(m), v_ref(v), 0);
		m->stack[f->base + ended->dst + 1] =
		    *element_at(H(m), v_ref(v), 1);
		m->stack[f->base + ended->dst + 2] = V_HOLE;
		break;
	case END_SLOT:
		return native_again(m, ended, v);
	case END_AWAIT:
		m->temp[10] = v;
		return vm_await(m, &m->temp[10]);
	case END_NEXT:
		op = f->code->op + f->pc;
		if (v == V_DONE) {
			m->stack[f->base + ended->target + 2] = V_TRUE;
			f->pc += 3 + (op[3] | (uint32_t)op[4] << 16);
			return true;
		}
		m->stack[f->base + ended->target + 2] = V_HOLE;
		m->stack[f->base + ended->dst] = v;
		break;
	case END_JUMP:
		op = f->code->op + f->pc;
		is = vm_truthy(m, v);
		if (is == ended->expects) {
			f->pc = ended->target;
			return true;
		}
		break;
	case END_NEW:
	case END_REGISTER:
		m->stack[f->base + ended->dst] = v;
		break;
	}
	step_over(f);
	return true;
}

/* --------------------------------------------------------------- exceptions */

static const handler *
find_handler(const frame *f)
{
	for (uint32_t i = 0; i < f->code->handlers; i++) {
		const handler *h = &f->code->handler[i];

		if (h->from <= f->pc && f->pc < h->to)
			return h;
	}
	return NULL;
}

/* The frame on top ends with the exception: of an async function, its promise
 * is rejected. True: nothing is thrown any more. */
static bool
end_thrown(vm *m)
{
	frame f = m->frames[m->depth - 1];
	unsigned flags = f.code ? f.code->flags : 0;
	value thrown, args[3], out;

	if (!(flags & CODE_ASYNC)) {
		if (v_is_object(f.coroutine))
			*object_internal(H(m), v_ref(f.coroutine), CO_STATE) =
			    v_of_int(CO_OVER);
		pop_frame(m);
		return false;
	}
	thrown = m->thrown;
	m->thrown = V_HOLE;
	if (flags & CODE_GENERATOR) {
		if (!v_is_object(f.coroutine)) { /* a parameter's default */
			m->thrown = thrown;
			pop_frame(m);
			return false;
		}
		*object_internal(H(m), v_ref(f.coroutine), CO_STATE) =
		    v_of_int(CO_OVER);
		pop_frame(m);
		args[0] = f.coroutine;
		args[1] = thrown;
		args[2] = V_TRUE;
		if (!vm_deliver(m, &f, V_UNDEFINED))
			return false;
		return vm_helper(m, R_slow_async_end, END_DROP, 0, 3, args,
			   &out) != CALLED_THROWN;
	}
	m->temp[9] = thrown;
	if (v_is_object(f.coroutine)) {
		pop_frame(m);
		m->temp[8] =
		    *object_internal(H(m), v_ref(f.coroutine), CO_PROMISE);
		return promise_settle(m, &m->temp[8], true, &m->temp[9]);
	}
	m->temp[8] = promise_make(m);
	if (m->temp[8] == V_THROWN)
		return false;
	if (!promise_settle(m, &m->temp[8], true, &m->temp[9]))
		return false;
	f = m->frames[m->depth - 1];
	pop_frame(m);
	return vm_deliver(m, &f, m->temp[8]);
}

bool
vm_unwind(vm *m)
{
	while (m->depth > 0 && m->stop == VM_GOES_ON) {
		frame *f = &m->frames[m->depth - 1];
		const handler *h = f->code ? find_handler(f) : NULL;

		if (h != NULL) {
			m->stack_top = f->top;
			m->stack[f->base + h->reg] = m->thrown;
			m->thrown = V_HOLE;
			f->pc = h->pc;
			return true;
		}
		if (end_thrown(m))
			return true;
	}
	return false;
}

/* -------------------------------------------------------------------- errors */

static void
append_error(vm *m, const char *format, va_list args, buf *out)
{
	for (const char *p = format; *p != '\0'; p++) {
		if (*p != '%') {
			buf_byte(out, *p);
			continue;
		}
		p++;
		if (*p == 's')
			buf_str(out, va_arg(args, const char *));
		else if (*p == 'd')
			buf_printf(out, "%d", va_arg(args, int));
		else if (*p == 'u')
			buf_printf(out, "%u", va_arg(args, unsigned));
		else if (*p == 'V')
			vm_show(m, *va_arg(args, value *), out);
		else if (*p == '%')
			buf_byte(out, '%');
	}
}

/* Where the frame is, as line and column of its unit's source. */
static void
append_place(const vm *m, const frame *f, buf *out)
{
	text source = m->unit[f->code->unit].unit->source;
	uint32_t at = 0, line = 1, column = 1;

	for (uint32_t i = 0; i < f->code->lines; i++)
		if (f->code->line[i].pc <= f->pc)
			at = f->code->line[i].at;
	for (uint32_t i = 0; i < at && i < source.len; i++) {
		if (source.ptr[i] == '\n') {
			line++;
			column = 1;
		} else if (((unsigned char)source.ptr[i] & 0xc0) != 0x80) {
			column += (unsigned char)source.ptr[i] >= 0xf0 ? 2 : 1;
		}
	}
	buf_printf(out, "(codemode.js:%u:%u)", line, column);
}

/* Is it a function of lib/ that the script called, and not of the environment? */
static bool
is_builtin_called(const vm *m, uint32_t i)
{
	const frame *f = &m->frames[i], *below = f - 1;

	return i > 0 && !m->memory_thrown && f->code->unit == UNIT_LIB &&
	       below->code != NULL && f->code->name != UINT32_MAX &&
	       !(f->code->flags & (CODE_MAKES | CODE_ARROW)) &&
	       !(below->code->flags & CODE_LIB) &&
	       (f->code->start < m->quiet_start ||
		   f->code->start >= m->quiet_end);
}

/* Its name as it is now, if that is a plain value; or as it is written. */
static void
append_name(vm *m, const frame *f, buf *out)
{
	const unit *u = m->unit[f->code->unit].unit;
	place p = {.found = false};
	value *name;

	if (v_is_object(f->function))
		p = object_find(
		    H(m), v_ref(f->function), v_ref(m->realm[R_key_name]));
	name = p.found && !(p.attr & P_ACCESSOR)
		   ? object_slot(H(m), v_ref(f->function), p.index)
		   : NULL;
	if (name != NULL && v_is_string(*name) &&
	    STR(m, *name)->head.kind == CELL_STRING)
		str_put(STR(m, *name), false, out);
	else if (f->code->name != UINT32_MAX)
		buf_text(out, u->constant[f->code->name].text);
	else
		buf_text(out, TEXT("<anonymous>"));
}

void
vm_stack_text(vm *m, buf *out)
{
	unsigned shown = 0;

	for (uint32_t i = m->depth; i-- > 0 && shown < 10;) {
		const frame *f = &m->frames[i];
		bool hidden;

		if (f->code == NULL)
			continue;
		hidden = f->code->flags & CODE_LIB && !m->lib_frames;
		if (hidden && !is_builtin_called(m, i))
			continue;
		buf_text(out, TEXT("    at "));
		append_name(m, f, out);
		buf_byte(out, ' ');
		if (hidden)
			buf_text(out, TEXT("(native)"));
		else
			append_place(m, f, out);
		buf_byte(out, '\n');
		shown++;
	}
}

value
vm_throw_value(vm *m, value thrown)
{
	m->thrown = thrown;
	return V_THROWN;
}

/* The Error, and what a script does that catches it, need some memory. */
enum { MEMORY_LENT = 128 << 10 }; /* units */

void
vm_memory_back(vm *m)
{
	if (!m->memory_lent ||
	    m->heap.top + 2 * MEMORY_LENT > m->heap.max - MEMORY_LENT)
		return;
	m->memory_lent = false;
	m->heap.max -= MEMORY_LENT;
	if (m->heap.next > m->heap.max)
		m->heap.next = m->heap.max;
	if (m->heap.limit > m->heap.max)
		m->heap.limit = m->heap.max;
}

value
vm_throw_memory(vm *m)
{
	if (m->stop != VM_GOES_ON || m->memory_thrown ||
	    m->realm[R_internal_error] == V_UNDEFINED) {
		m->stop = VM_NO_MEMORY;
		return V_THROWN;
	}
	if (!m->memory_lent) {
		m->memory_lent = true;
		m->heap.max += MEMORY_LENT;
	}
	m->memory_thrown = true;
	vm_throw(m, ERROR_INTERNAL, "out of memory");
	m->memory_thrown = false;
	return V_THROWN;
}

static bool
put_error_text(vm *m, value *o, const char *name, text t)
{
	m->temp[6] = vm_key_text(m, name);
	if (m->temp[6] == V_THROWN)
		return false;
	m->temp[7] = vm_string(m, t);
	return m->temp[7] != V_THROWN &&
	       prop_put(m, o, &m->temp[6], &m->temp[7], P_WRITE | P_CONFIG);
}

static bool
put_stack(vm *m, value *error, text t)
{
	value stack = vm_string(m, t);

	if (stack == V_THROWN)
		return false;
	*object_internal(H(m), v_ref(*error), 0) = stack;
	return true;
}

void
vm_place_error(vm *m, value *thrown)
{
	buf b = BUF_INIT(m->alloc, 1 << 16);

	if (!v_is_class(m, *thrown, CLASS_ERROR) ||
	    *object_internal(H(m), v_ref(*thrown), 0) != V_UNDEFINED)
		return;
	vm_stack_text(m, &b);
	put_stack(m, thrown, buf_view(&b));
	buf_fini(&b);
}

value
vm_throw(vm *m, error_kind kind, const char *format, ...)
{
	buf b = BUF_INIT(m->alloc, 1 << 16);
	size_t stack_at;
	va_list args;
	bool ok;

	va_start(args, format);
	append_error(m, format, args, &b);
	va_end(args);
	stack_at = b.len;
	vm_stack_text(m, &b);
	m->temp[5] = object_make(m, &m->realm[R_error + kind], CLASS_ERROR, 4);
	ok = m->temp[5] != V_THROWN && b.bad == CM_OK &&
	     put_error_text(m, &m->temp[5], "message",
		 (text){(const char *)b.ptr, stack_at}) &&
	     put_stack(m, &m->temp[5],
		 (text){(const char *)b.ptr + stack_at, b.len - stack_at});
	buf_fini(&b);
	if (!ok) {
		m->stop = VM_NO_MEMORY;
		return V_THROWN;
	}
	m->thrown = m->temp[5];
	m->temp[5] = V_UNDEFINED;
	return V_THROWN;
}

/* ----------------------------------------------------------------- arguments */

static bool
put_hidden(vm *m, value *o, value *key, value v)
{
	m->temp[7] = v;
	return prop_put(m, o, key, &m->temp[7], P_WRITE | P_CONFIG);
}

/* An unmapped one: ECMA-262 §10.4.4.6. */
value
arguments_make(vm *m, const frame *f)
{
	uint32_t n = f->extra ? f->argc : 0, at = f->extra;
	value list = array_make(m, n, n);

	if (list == V_THROWN)
		return list;
	if (n > 0)
		memcpy(array_values(m, list, &n), m->stack + at,
		    n * sizeof(value));
	m->temp[5] = list;
	m->temp[6] = object_make(m, &m->realm[R_object], CLASS_ARGUMENTS, 4);
	if (m->temp[6] == V_THROWN)
		return V_THROWN;
	OBJ(m, m->temp[6])->elements = OBJ(m, m->temp[5])->elements;
	m->temp[5] = vm_key_text(m, "length");
	if (m->temp[5] == V_THROWN ||
	    !put_hidden(m, &m->temp[6], &m->temp[5], v_of_int((int32_t)n)) ||
	    !put_hidden(m, &m->temp[6], &m->realm[R_symbol_iterator],
		m->realm[R_array_values]))
		return V_THROWN;
	m->temp[5] = vm_key_text(m, "callee");
	if (m->temp[5] == V_THROWN)
		return V_THROWN;
	if (!(m->frames[m->depth - 1].code->flags & CODE_STRICT))
		return put_hidden(m, &m->temp[6], &m->temp[5],
			   m->frames[m->depth - 1].function)
			   ? m->temp[6]
			   : V_THROWN;
	m->temp[7] = prop_pair(m, &m->realm[R_thrower], &m->realm[R_thrower]);
	if (m->temp[7] == V_THROWN ||
	    !prop_put(m, &m->temp[6], &m->temp[5], &m->temp[7], P_ACCESSOR))
		return V_THROWN;
	return m->temp[6];
}
