/* SPDX-License-Identifier: MIT */
/*
 * vm_loop.c -- the interpreter: one case for each line of code.def.
 *
 * An instruction does what is quick itself: numbers, ordinary properties that
 * its cache knows, plain arrays. The rest is in vm_prop.c and vm_ops.c, and
 * what has to call a script is a frame of a function of lib/slow.js, whose
 * value goes where the instruction wanted it.
 *
 * 'op' is at the instruction; .pc of the frame is set to it before anything
 * that may throw, call or look at the stack. Behind that, 'r' is read again:
 * the stack may have moved.
 */
#include "vm.h"

#include <math.h>

#define A r[op[1]]
#define B r[op[2]]
#define C r[op[3]]

static int32_t
jump_of(const uint16_t *at)
{
	return (int32_t)(at[0] | (uint32_t)at[1] << 16);
}

/* ----------------------------------------------------------------- constants */

static value
make_constant(vm *m, const code *c, uint32_t k)
{
	const constant *from = &m->unit[c->unit].unit->constant[k];
	value v;

	switch (from->kind) {
	case CONSTANT_NUMBER:
		v = v_of_number(from->number);
		break;
	case CONSTANT_BIGINT:
		v = bigint_of_literal(m, from->text);
		break;
	default:
		v = vm_string(m, from->text);
		if (v == V_THROWN)
			return v;
		m->temp[4] = v;
		v = v_of_string(atom_of(H(m), &m->atoms, &m->temp[4]));
		m->temp[4] = V_UNDEFINED;
		if (v_ref(v) == 0)
			return vm_throw_memory(m);
	}
	if (v != V_THROWN)
		m->unit[c->unit].constant[k] = v;
	return v;
}

static inline value
constant_of(vm *m, const code *c, uint32_t k)
{
	value v = m->unit[c->unit].constant[k];

	return v != V_HOLE ? v : make_constant(m, c, k);
}

/* A constant as the key of a property, in temp[4]. */
static value *
key_of_constant(vm *m, const code *c, uint32_t k)
{
	value v = constant_of(m, c, k);

	if (v == V_THROWN)
		return NULL;
	m->temp[4] = v;
	v = vm_key(m, &m->temp[4]);
	if (v == V_THROWN)
		return NULL;
	m->temp[4] = v;
	return &m->temp[4];
}

/* --------------------------------------------------------------- properties */

static inline value *
cached(vm *m, const cache *c, value on)
{
	const cell_object *o = OBJ(m, on);

	if (c->shape != o->shape)
		return NULL;
	if (c->holder == 0)
		return object_slot(H(m), v_ref(on), c->index);
	if (c->changes != m->shapes_changed)
		return NULL;
	return object_slot(H(m), c->holder, c->index);
}

static called
throw_of_nothing(vm *m, value on, value *key, const char *what)
{
	vm_throw(m, ERROR_TYPE, "cannot %s property '%V' of %s", what, key,
	    on == V_NULL ? "null" : "undefined");
	return CALLED_THROWN;
}

/* Calls a getter, a setter: f on `on`, with n arguments. */
static called
call_accessor(vm *m, value f, value on, unsigned n, value arg, frame_end end,
    uint16_t dst, value *out)
{
	uint32_t at = m->stack_top;

	m->temp[13] = f;
	m->temp[14] = on;
	m->temp[15] = arg;
	if (!vm_stack_room(m, at + 4 + NATIVE_ROOM)) {
		return CALLED_THROWN;
	}
	m->stack[at] = f;
	m->stack[at + 1] = on;
	m->stack[at + 2] = arg;
	m->stack[at + 3] = V_UNDEFINED;
	m->stack_top = at + 4;
	return vm_call(m, at, n, end, dst, out);
}

/* on[key], into register dst. Both are roots. */
static called
run_get(vm *m, value *on, value *key, uint16_t dst, cache *c, value *out)
{
	value args[3];

	if (v_is_nullish(*on))
		return throw_of_nothing(m, *on, key, "read");
	if (!v_is_key(m, *key)) {
		value k;

		if (v_is_object(*key))
			goto slow;
		k = vm_key(m, key);
		if (k == V_THROWN)
			return CALLED_THROWN;
		m->temp[4] = k;
		key = &m->temp[4];
	}
	switch (prop_get(m, on, key, out, c)) {
	case PROP_DONE:
	case PROP_ABSENT:
		return CALLED_VALUE;
	case PROP_CALL:
		return call_accessor(
		    m, *out, *on, 0, V_UNDEFINED, END_REGISTER, dst, out);
	case PROP_SLOW:
		break;
	default:
		return CALLED_THROWN;
	}
slow:
	args[0] = args[2] = *on;
	args[1] = *key;
	return vm_helper(m, R_slow_get, END_REGISTER, dst, 3, args, out);
}

static called
run_set(vm *m, const code *by, value *on, value *key, value *v, value *receiver,
    cache *c)
{
	value args[5], out;

	if (v_is_nullish(*on))
		return throw_of_nothing(m, *on, key, "set");
	if (!v_is_key(m, *key)) {
		value k;

		if (v_is_object(*key))
			goto slow;
		k = vm_key(m, key);
		if (k == V_THROWN)
			return CALLED_THROWN;
		m->temp[4] = k;
		key = &m->temp[4];
	}
	switch (prop_set(m, on, key, v, receiver, &out, c)) {
	case PROP_DONE:
	case PROP_ABSENT:
		return CALLED_VALUE;
	case PROP_CALL:
		return call_accessor(
		    m, out, *receiver, 1, *v, END_STEP, 0, &out);
	case PROP_SLOW:
		break;
	case PROP_REFUSED:
		if (!(by->flags & CODE_STRICT))
			return CALLED_VALUE;
		prop_refused(m, on, key);
		return CALLED_THROWN;
	default:
		return CALLED_THROWN;
	}
slow:
	args[0] = *on;
	args[1] = *key;
	args[2] = *v;
	args[3] = *receiver;
	args[4] = v_of_bool(by->flags & CODE_STRICT);
	return vm_helper(m, R_slow_set, END_STEP, 0, 5, args, &out);
}

/* ----------------------------------------------------------------- iteration */

static bool
iterates_plainly(vm *m, value *v)
{
	value next;

	if (!array_is_plain(m, *v))
		return false;
	m->temp[4] = m->realm[R_symbol_iterator];
	if (prop_get(m, v, &m->temp[4], &next, NULL) != PROP_DONE ||
	    next != m->realm[R_array_values])
		return false;
	m->temp[4] = vm_key_text(m, "next");
	return m->temp[4] != V_THROWN &&
	       prop_get(m, &m->realm[R_array_iterator], &m->temp[4], &next,
		   NULL) == PROP_DONE &&
	       next == m->realm[R_array_next];
}

/* Can the generator it[0] be resumed by this instruction itself? it[1]: next. */
static bool
is_plain_generator(const vm *m, const value *it)
{
	const value *co;
	unsigned flags;

	if (it[1] != m->realm[R_generator_next] ||
	    !v_is_class(m, it[0], CLASS_COROUTINE))
		return false;
	co = OBJ(m, it[0])->v;
	flags = function_code_of(m, co[CO_FUNCTION])->flags;
	return flags & CODE_GENERATOR && !(flags & CODE_ASYNC) &&
	       v_int(co[CO_STATE]) != CO_RUNS && v_int(co[CO_STATE]) != CO_OVER;
}

/* The next element of an array, or of the names of for-in: r[1] counts. False:
 * there is none. */
static bool
next_element(vm *m, value *it, value *out)
{
	uint32_t i = (uint32_t)v_int(it[1]);
	const value *e;

	while (i < OBJ(m, it[0])->extra) {
		e = element_at(H(m), v_ref(it[0]), i);
		*out = e ? *e : V_UNDEFINED;
		it[1] = v_of_int((int32_t)++i);
		if (!v_is_object(it[2]))
			return true;
		/* for-in: a name that was deleted since is left out. */
		m->temp[4] = *out;
		m->temp[4] = vm_key(m, &m->temp[4]);
		m->temp[5] = it[2];
		if (prop_has(m, &m->temp[5], &m->temp[4]) != PROP_ABSENT)
			return true;
	}
	it[2] = V_TRUE;
	return false;
}

/* --------------------------------------------------------------------- scopes */

static value
scope_make(vm *m, value *outer, uint32_t n)
{
	cell_values *s;
	ref r;

	if (!heap_reserve(H(m), 16 + (size_t)(n + 1) * 8))
		return vm_throw_memory(m);
	r = heap_new(H(m), CELL_VALUES, 16 + (size_t)(n + 1) * 8);
	s = CELL(H(m), r, cell_values);
	s->len = n + 1;
	s->start = 0;
	s->v[0] = *outer;
	for (uint32_t i = 0; i < n; i++)
		s->v[i + 1] = V_HOLE;
	return v_of_ref(TAG_CELL, r);
}

static inline cell_values *
scope_at(vm *m, value scope, unsigned hops)
{
	cell_values *s = CELL(H(m), v_ref(scope), cell_values);

	for (; hops > 0; hops--)
		s = CELL(H(m), v_ref(s->v[0]), cell_values);
	return s;
}

static value
copy_scope(vm *m, value *scope)
{
	uint32_t n = CELL(H(m), v_ref(*scope), cell_values)->len;
	value copy = scope_make(m, scope, n - 1);

	if (copy != V_THROWN)
		memcpy(CELL(H(m), v_ref(copy), cell_values)->v,
		    CELL(H(m), v_ref(*scope), cell_values)->v, n * 8);
	return copy;
}

/* ------------------------------------------------------------------- literals */

static value
template_object(vm *m, const code *c, uint32_t n)
{
	loaded_unit *u = &m->unit[c->unit];
	const template_strings *t = &u->unit->template[n];
	value list, v, key;

	if (u->template[n] != V_HOLE)
		return u->template[n];
	m->temp[5] = array_make(m, 0, t->len);
	if (m->temp[5] == V_THROWN)
		return V_THROWN;
	m->temp[6] = array_make(m, 0, t->len);
	if (m->temp[6] == V_THROWN)
		return V_THROWN;
	for (uint32_t i = 0; i < t->len; i++) {
		m->temp[7] = t->cooked[i] == UINT32_MAX
				 ? V_UNDEFINED
				 : constant_of(m, c, t->cooked[i]);
		if (m->temp[7] == V_THROWN ||
		    !array_push_value(m, &m->temp[5], &m->temp[7]))
			return V_THROWN;
		m->temp[7] = constant_of(m, c, t->raw[i]);
		if (m->temp[7] == V_THROWN ||
		    !array_push_value(m, &m->temp[6], &m->temp[7]))
			return V_THROWN;
	}
	key = m->temp[4] = vm_key_text(m, "raw");
	v = m->temp[6];
	if (key == V_THROWN ||
	    !prop_put(m, &m->temp[5], &m->temp[4], &m->temp[6], 0))
		return V_THROWN;
	(void)v;
	OBJ(m, m->temp[5])->head.flags |=
	    CELL_FROZEN | CELL_CLOSED | CELL_FIXED;
	OBJ(m, m->temp[6])->head.flags |=
	    CELL_FROZEN | CELL_CLOSED | CELL_FIXED;
	list = m->temp[5];
	u->template[n] = list;
	return list;
}

static value
arguments_list(vm *m, const frame *f, uint32_t from)
{
	uint32_t n = f->argc > from ? f->argc - from : 0;
	uint32_t at = f->extra + from;
	value list = array_make(m, n, n);

	if (list == V_THROWN || n == 0)
		return list;
	memcpy(array_values(m, list, &n), m->stack + at, n * sizeof(value));
	return list;
}

/* The properties of a function of the script: attributes by code.def. */
static called
run_define(vm *m, value *o, value *key, value *v, unsigned how)
{
	unsigned attr = how & 2 ? P_ENUM | P_CONFIG : P_CONFIG, old;
	value was, pair;

	if (how == 128) {
		if (v_is_object(*v) || *v == V_NULL)
			return object_set_proto(H(m), o, v) ? CALLED_VALUE
							    : CALLED_THROWN;
		return CALLED_VALUE;
	}
	if (!v_is_key(m, *key)) {
		m->temp[4] = vm_key(m, key);
		if (m->temp[4] == V_THROWN)
			return CALLED_THROWN;
		key = &m->temp[4];
	}
	if (*key == m->realm[R_key_prototype] && v_is_function(m, *o) &&
	    v_is_class(m, *o, CLASS_FUNCTION) &&
	    function_code_of(m, *o)->flags & CODE_CLASS) {
		vm_throw(m, ERROR_TYPE, "property is not configurable");
		return CALLED_THROWN;
	}
	if (how & 48) {
		m->temp[5] = how & 16 ? *v : V_UNDEFINED;
		m->temp[6] = how & 32 ? *v : V_UNDEFINED;
		if (prop_own(m, o, *key, &was, &old) == PROP_DONE &&
		    old & P_ACCESSOR) {
			const cell_values *p =
			    CELL(H(m), v_ref(was), cell_values);

			if (how & 16)
				m->temp[6] = p->v[1];
			else
				m->temp[5] = p->v[0];
		}
		pair = prop_pair(m, &m->temp[5], &m->temp[6]);
		if (pair == V_THROWN)
			return CALLED_THROWN;
		m->temp[7] = pair;
		return prop_put(m, o, key, &m->temp[7], attr | P_ACCESSOR)
			   ? CALLED_VALUE
			   : CALLED_THROWN;
	}
	if (how & 64)
		attr = how & 2 ? P_PLAIN : P_WRITE | P_CONFIG;
	else
		attr = how & 7;
	return prop_put(m, o, key, v, attr) ? CALLED_VALUE : CALLED_THROWN;
}

/* Names of properties as functions have them: "[symbol]", "get x". */
static bool
name_function(vm *m, value *f, value *key, unsigned prefix)
{
	buf b = BUF_INIT(m->alloc, 1 << 20);
	value v;

	if (!v_is_object(*f) || prefix == 0) {
		v = vm_key_string(m, *key);
		if (v != V_THROWN && v_tag(v) != TAG_SYMBOL) {
			m->temp[5] = v;
			goto put;
		}
		if (v == V_THROWN)
			return false;
	}
	if (prefix != 0)
		buf_text(&b, prefix == 1 ? TEXT("get ") : TEXT("set "));
	v = vm_key_string(m, *key);
	if (v == V_THROWN) {
		buf_fini(&b);
		return false;
	}
	if (v_tag(v) == TAG_SYMBOL) {
		ref d = CELL(H(m), v_ref(v), cell_symbol)->description;

		if (d != 0) {
			buf_byte(&b, '[');
			str_put(CELL(H(m), d, cell_string), true, &b);
			buf_byte(&b, ']');
		}
	} else {
		m->temp[5] = v;
		if (!str_flatten(H(m), &m->temp[5])) {
			buf_fini(&b);
			vm_throw_memory(m);
			return false;
		}
		str_put(STR(m, m->temp[5]), true, &b);
	}
	m->temp[5] = vm_string(m, buf_view(&b));
	buf_fini(&b);
	if (m->temp[5] == V_THROWN)
		return false;
put:
	m->temp[4] = vm_key_text(m, "name");
	return m->temp[4] != V_THROWN &&
	       prop_put(m, f, &m->temp[4], &m->temp[5], P_CONFIG);
}

/* --------------------------------------------------------------------- classes */

static bool
class_make(vm *m, uint32_t at, const value *parent, value *scope, const code *c,
    uint32_t n)
{
	bool extends = parent[0] != V_HOLE;
	value proto_parent = !extends ? m->realm[R_object] : parent[1];
	value f;

	if (!v_is_object(proto_parent) && proto_parent != V_NULL) {
		vm_throw(m, ERROR_TYPE,
		    "parent prototype must be an object or null");
		return false;
	}
	m->temp[5] =
	    extends && parent[0] != V_NULL ? parent[0] : m->realm[R_function];
	m->temp[6] = proto_parent;
	f = function_make(m, c->unit, n, scope);
	if (f == V_THROWN)
		return false;
	m->stack[at] = f;
	if (!object_set_proto(H(m), &m->stack[at], &m->temp[5])) {
		vm_throw_memory(m);
		return false;
	}
	f = object_make(m, &m->temp[6], CLASS_OBJECT, 4);
	if (f == V_THROWN)
		return false;
	m->stack[at + 1] = f;
	OBJ(m, m->stack[at])->v[FN_HOME] = f;
	m->temp[4] = vm_key_text(m, "prototype");
	if (m->temp[4] == V_THROWN ||
	    !prop_put(m, &m->stack[at], &m->temp[4], &m->stack[at + 1], 0))
		return false;
	m->temp[4] = vm_key_text(m, "constructor");
	return m->temp[4] != V_THROWN &&
	       prop_put(m, &m->stack[at + 1], &m->temp[4], &m->stack[at],
		   P_WRITE | P_CONFIG);
}

static value
closure_make(vm *m, const frame *f, uint32_t n, value *scope)
{
	value v = function_make(m, f->code->unit, n, scope);
	const code *c = m->unit[f->code->unit].unit->function[n];

	if (v == V_THROWN || !(c->flags & CODE_ARROW))
		return v;
	f = &m->frames[m->depth - 1];
	OBJ(m, v)->v[FN_THIS] = f->this;
	OBJ(m, v)->v[FN_FIELDS] = f->new_target;
	if (v_is_object(f->function))
		OBJ(m, v)->v[FN_HOME] = OBJ(m, f->function)->v[FN_HOME];
	return v;
}

/* The prototype of the home of the function that runs. */
static value
super_of(vm *m, const frame *f)
{
	value home = v_is_object(f->function) ? OBJ(m, f->function)->v[FN_HOME]
					      : V_UNDEFINED;
	ref p = v_is_object(home) ? object_proto(H(m), v_ref(home)) : 0;

	return p ? v_of_object(p) : V_NULL;
}

/* --------------------------------------------------------------------- private */

static called
private_get(vm *m, value *on, value *key, uint16_t dst, value *out)
{
	unsigned attr;

	if (!v_is_object(*on) ||
	    prop_own(m, on, *key, out, &attr) != PROP_DONE) {
		vm_throw(m, ERROR_TYPE,
		    "private class field '%V' does not exist", key);
		return CALLED_THROWN;
	}
	if (!(attr & P_ACCESSOR))
		return CALLED_VALUE;
	*out = CELL(H(m), v_ref(*out), cell_values)->v[0];
	if (!v_is_function(m, *out)) {
		vm_throw(
		    m, ERROR_TYPE, "'%V' was defined without a getter", key);
		return CALLED_THROWN;
	}
	return call_accessor(
	    m, *out, *on, 0, V_UNDEFINED, END_REGISTER, dst, out);
}

static called
private_set(vm *m, value *on, value *key, value *v)
{
	value was, out;
	unsigned attr;

	if (!v_is_object(*on) ||
	    prop_own(m, on, *key, &was, &attr) != PROP_DONE) {
		vm_throw(m, ERROR_TYPE,
		    "private class field '%V' does not exist", key);
		return CALLED_THROWN;
	}
	if (attr & P_ACCESSOR) {
		was = CELL(H(m), v_ref(was), cell_values)->v[1];
		if (v_is_function(m, was))
			return call_accessor(
			    m, was, *on, 1, *v, END_STEP, 0, &out);
	}
	if (!(attr & P_WRITE)) {
		vm_throw(m, ERROR_TYPE, "'%V' is read-only", key);
		return CALLED_THROWN;
	}
	return prop_put(m, on, key, v, attr) ? CALLED_VALUE : CALLED_THROWN;
}

static called
private_add(vm *m, value *on, value *key, value *v, unsigned how)
{
	value was;
	unsigned attr;

	if (prop_own(m, on, *key, &was, &attr) == PROP_DONE &&
	    !(how & 48 && attr & P_ACCESSOR)) {
		vm_throw(m, ERROR_TYPE,
		    "private class field '%V' already exists", key);
		return CALLED_THROWN;
	}
	/* Methods cannot be written. */
	return run_define(m, on, key, v, how & 64 ? P_CONFIG : how);
}

/* ------------------------------------------------------------------- operators */

static called
binary_slow(vm *m, op_code op, value *a, value *b, uint16_t dst, value *out)
{
	value args[3];

	if (!v_is_object(*a) && !v_is_object(*b)) {
		*out = vm_binary(m, op, a, b);
		return *out == V_THROWN ? CALLED_THROWN : CALLED_VALUE;
	}
	args[0] = *a;
	args[1] = *b;
	args[2] = v_of_int(op);
	return vm_helper(m, R_slow_binary, END_REGISTER, dst, 3, args, out);
}

static called
unary_slow(vm *m, op_code op, value *a, uint16_t dst, value *out)
{
	value args[2];

	if (!v_is_object(*a)) {
		*out = vm_unary(m, op, a);
		return *out == V_THROWN ? CALLED_THROWN : CALLED_VALUE;
	}
	args[0] = *a;
	args[1] = v_of_int(op);
	return vm_helper(m, R_slow_unary, END_REGISTER, dst, 2, args, out);
}

/* a op b: *out is true or false. */
static called
compare_slow(vm *m, op_code op, value *a, value *b, frame_end end, uint16_t dst,
    value *out)
{
	value args[3];
	int less;

	if (op == OP_EQ && v_is_object(*a) && v_is_object(*b)) {
		*out = v_of_bool(*a == *b);
		return CALLED_VALUE;
	}
	if (op == OP_EQ && ((v_is_object(*a) && v_is_nullish(*b)) ||
			       (v_is_object(*b) && v_is_nullish(*a)))) {
		*out = V_FALSE;
		return CALLED_VALUE;
	}
	if (v_is_object(*a) || v_is_object(*b)) {
		args[0] = *a;
		args[1] = *b;
		args[2] = v_of_int(op);
		return vm_helper(m, R_slow_compare, end, dst, 3, args, out);
	}
	if (op == OP_EQ) {
		*out = v_of_bool(vm_equal(m, a, b));
		return CALLED_VALUE;
	}
	less = op == OP_LT || op == OP_GE ? vm_less(m, a, b) : vm_less(m, b, a);
	if (less < 0)
		return CALLED_THROWN;
	*out = v_of_bool(op == OP_LT || op == OP_GT ? less == 1 : less == 0);
	return CALLED_VALUE;
}

static inline bool
add_ints(value a, value b, value *out)
{
	int32_t n;

	if (!v_is_int(a) || !v_is_int(b) ||
	    __builtin_add_overflow(v_int(a), v_int(b), &n))
		return false;
	*out = v_of_int(n);
	return true;
}

/* -------------------------------------------------------------------- globals */

static called
get_global(vm *m, const code *c, uint32_t k, bool must, uint16_t dst,
    cache *known, value *out)
{
	value *key, *at;
	prop_end end;

	at = known ? cached(m, known, m->global) : NULL;
	if (at != NULL) {
		*out = *at;
		return CALLED_VALUE;
	}
	key = key_of_constant(m, c, k);
	if (key == NULL)
		return CALLED_THROWN;
	end = prop_get(m, &m->global, key, out, known);
	if (end == PROP_ABSENT && must) {
		vm_throw(m, ERROR_REFERENCE, "%V is not defined", key);
		return CALLED_THROWN;
	}
	if (end == PROP_CALL)
		return call_accessor(
		    m, *out, m->global, 0, V_UNDEFINED, END_REGISTER, dst, out);
	return end == PROP_THROWN ? CALLED_THROWN : CALLED_VALUE;
}

static called
set_global(vm *m, const code *c, uint32_t k, value *v)
{
	value *key = key_of_constant(m, c, k);

	if (key == NULL)
		return CALLED_THROWN;
	if (c->flags & CODE_STRICT &&
	    prop_has(m, &m->global, key) == PROP_ABSENT) {
		vm_throw(m, ERROR_REFERENCE, "%V is not defined", key);
		return CALLED_THROWN;
	}
	return run_set(m, c, &m->global, key, v, &m->global, NULL);
}

/* ---------------------------------------------------------------------- spread */

/* As the other engine has it. */
enum { ARGUMENTS_MOST = 65535 };

/* Room for the elements of the list behind the window at `at`. */
static bool
spread_list(vm *m, uint32_t at, uint32_t *argc)
{
	value *from;
	uint32_t n = 0;

	array_values(m, m->stack[at + 2], &n);
	if (n > ARGUMENTS_MOST) {
		vm_throw(m, ERROR_RANGE,
		    "too many arguments in function call (only %u allowed)",
		    ARGUMENTS_MOST);
		return false;
	}
	if (!vm_stack_room(m, at + 2 + n + NATIVE_ROOM + 1))
		return false;
	from = array_values(m, m->stack[at + 2], &n);
	for (uint32_t i = m->stack_top; i < at + 2 + n; i++)
		m->stack[i] = V_UNDEFINED;
	for (uint32_t i = 0; i < n; i++)
		m->stack[at + 2 + i] =
		    from[i] == V_HOLE ? V_UNDEFINED : from[i];
	if (m->stack_top < at + 2 + n)
		m->stack_top = at + 2 + n;
	*argc = n;
	return true;
}

/* --------------------------------------------------------------------- waiting */

static called
await_slow(vm *m, value *v)
{
	value args[1] = {*v}, found, out;
	prop_end end;

	m->temp[10] = *v;
	if (!v_is_object(*v))
		return vm_await_value(m, &m->temp[10]) ? CALLED_FRAME
						       : CALLED_THROWN;
	m->temp[4] = vm_key_text(
	    m, v_is_class(m, *v, CLASS_PROMISE) ? "constructor" : "then");
	if (m->temp[4] == V_THROWN)
		return CALLED_THROWN;
	end = prop_get(m, &m->temp[10], &m->temp[4], &found, NULL);
	if (end == PROP_THROWN)
		return CALLED_THROWN;
	if (v_is_class(m, m->temp[10], CLASS_PROMISE)) {
		if (end == PROP_DONE &&
		    found == m->realm[R_promise_constructor])
			return vm_await(m, &m->temp[10]) ? CALLED_FRAME
							 : CALLED_THROWN;
	} else if (end == PROP_ABSENT ||
		   (end == PROP_DONE && !v_is_function(m, found))) {
		return vm_await_value(m, &m->temp[10]) ? CALLED_FRAME
						       : CALLED_THROWN;
	}
	args[0] = m->temp[10];
	return vm_helper(m, R_slow_await, END_AWAIT, 0, 1, args, &out);
}

/* ------------------------------------------------------------------------ loop */

/* How an instruction ends that may have called: the value into register 1; or
 * what the call left. */
#define SAVE (f->pc = (uint32_t)(op - f->code->op))
#define NEXT(n)                         \
	do {                            \
		op += n;                \
		goto *instruction[*op]; \
	} while (0)
/* Each instruction goes to the next one by itself, so that the processor learns
 * what follows what. (Labels as values are GNU C; clang has them, too.) */
#define CASE(name) at_##name
#define FINISH(call, n)                  \
	do {                             \
		SAVE;                    \
		how = (call);            \
		if (how != CALLED_VALUE) \
			goto called;     \
		r = m->stack + f->base;  \
		m->stack_top = f->top;   \
		A = out;                 \
		NEXT(n);                 \
	} while (0)
/* The same without a value. */
#define FINISH_NONE(call, n)             \
	do {                             \
		SAVE;                    \
		how = (call);            \
		if (how != CALLED_VALUE) \
			goto called;     \
		r = m->stack + f->base;  \
		m->stack_top = f->top;   \
		NEXT(n);                 \
	} while (0)
#define MAKE(expression, n)          \
	do {                         \
		SAVE;                \
		out = (expression);  \
		if (out == V_THROWN) \
			goto thrown; \
		A = out;             \
		NEXT(n);             \
	} while (0)
#define CHECKED(expression, n)          \
	do {                            \
		SAVE;                   \
		if (!(expression))      \
			goto thrown;    \
		r = m->stack + f->base; \
		NEXT(n);                \
	} while (0)
#define STEP                                  \
	do {                                  \
		m->steps--;                   \
		if (--m->until_poll <= 0) {   \
			SAVE;                 \
			if (!vm_steps(m, 0))  \
				return false; \
		}                             \
	} while (0)
#define KEY(k)                                        \
	do {                                          \
		SAVE;                                 \
		key = key_of_constant(m, f->code, k); \
		if (key == NULL)                      \
			goto thrown;                  \
	} while (0)
#define CACHE(n) (&m->unit[f->code->unit].cache[f->code->first_cache + (n)])

#define ARITHMETIC(name, on_ints, symbol)                               \
	CASE(OP_##name) : if (on_ints) A = out;                         \
	else if (v_is_number(B) && v_is_number(C)) A =                  \
	    v_of_number(v_number(B) symbol v_number(C));                \
	else FINISH(binary_slow(m, OP_##name, &B, &C, op[1], &out), 4); \
	NEXT(4)

#define BITS(name, expression)                            \
	CASE(OP_##name) : if (v_is_int(B) && v_is_int(C)) \
	{                                                 \
		int32_t x = v_int(B), y = v_int(C);       \
                                                          \
		A = v_of_number(expression);              \
		NEXT(4);                                  \
	}                                                 \
	FINISH(binary_slow(m, OP_##name, &B, &C, op[1], &out), 4)

#define COMPARE(name, symbol)                                   \
	CASE(OP_##name) : if (v_is_number(B) && v_is_number(C)) \
	{                                                       \
		A = v_of_bool(v_number(B) symbol v_number(C));  \
		NEXT(4);                                        \
	}                                                       \
	FINISH(compare_slow(m, OP_##name, &B, &C, END_REGISTER, op[1], &out), 4)

#define COMPARE_JUMP(name, compares, symbol, wanted)                \
	CASE(OP_##name) : if (v_is_int(A) && v_is_int(B))           \
	{                                                           \
		if ((v_int(A) symbol v_int(B)) == wanted)           \
			NEXT(3 + jump_of(op + 3));                  \
		NEXT(5);                                            \
	}                                                           \
	if (v_is_number(A) && v_is_number(B)) {                     \
		if ((v_number(A) symbol v_number(B)) == wanted)     \
			NEXT(3 + jump_of(op + 3));                  \
		NEXT(5);                                            \
	}                                                           \
	SAVE;                                                       \
	m->call_target = f->pc + 3 + (uint32_t)jump_of(op + 3);     \
	m->call_expects = wanted;                                   \
	how = compare_slow(m, compares, &A, &B, END_JUMP, 0, &out); \
	if (how != CALLED_VALUE)                                    \
		goto called;                                        \
	r = m->stack + f->base;                                     \
	if ((out == V_TRUE) == wanted)                              \
		NEXT(3 + jump_of(op + 3));                          \
	NEXT(5)

static inline int
same_fast(value a, value b)
{
	if (v_is_int(a) && v_is_int(b))
		return a == b;
	if (v_is_number(a) && v_is_number(b))
		return v_number(a) == v_number(b);
	if (a == b)
		return 1;
	if ((v_is_string(a) && v_is_string(b)) ||
	    (v_tag(a) == TAG_BIGINT && v_tag(b) == TAG_BIGINT))
		return -1;
	return 0;
}

static bool
is_identical(vm *m, value a, value b)
{
	int same = same_fast(a, b);

	return same < 0 ? vm_same(m, a, b) : same != 0;
}

bool
vm_loop(vm *m)
{
	frame *f;
	const uint16_t *op;
	value *r, out, *key, *at, args[4];
	called how;
	uint32_t n;
	cell_values *s;
	static const void *const instruction[OPS] = {
#define OP(name, operands, does) &&at_OP_##name,
#include "code.def"
#undef OP
	};

reload:
	if (m->depth == 0)
		return true;
	f = &m->frames[m->depth - 1];
	op = f->code->op + f->pc;
	r = m->stack + f->base;
	m->stack_top = f->top;
	goto *instruction[*op];
	{
		CASE(OP_LOAD_CONST)
		    : out = m->unit[f->code->unit].constant[op[2]];
		if (out == V_HOLE)
			MAKE(make_constant(m, f->code, op[2]), 3);
		A = out;
		NEXT(3);
		CASE(OP_LOAD_INT) : A = v_of_int((int16_t)op[2]);
		NEXT(3);
		CASE(OP_LOAD_MISC) : A = V_UNDEFINED + op[2];
		NEXT(3);
		CASE(OP_MOVE) : A = B;
		NEXT(3);

		CASE(OP_SCOPE_NEW) : MAKE(scope_make(m, &B, op[3]), 4);
		CASE(OP_SCOPE_COPY) : MAKE(copy_scope(m, &B), 3);
		CASE(OP_VAR_GET) : A = scope_at(m, B, op[3])->v[op[4] + 1];
		NEXT(5);
		CASE(OP_VAR_TAKE) : out = scope_at(m, B, op[3])->v[op[4] + 1];
		if (out != V_HOLE) {
			A = out;
			NEXT(6);
		}
		KEY(op[5]);
		goto unset;
		CASE(OP_VAR_SET)
		    : scope_at(m, A, op[2])->v[op[3] + 1] = r[op[4]];
		NEXT(5);
		CASE(OP_VAR_PUT) : s = scope_at(m, A, op[2]);
		if (s->v[op[3] + 1] != V_HOLE) {
			s->v[op[3] + 1] = r[op[4]];
			NEXT(6);
		}
		KEY(op[5]);
		goto unset;
		CASE(OP_CHECK) : if (A != V_HOLE) NEXT(3);
		KEY(op[2]);
	unset:
		vm_throw(m, ERROR_REFERENCE, "%V is not initialized", key);
		goto thrown;
		CASE(OP_CONST_SET) : KEY(op[1]);
		vm_throw(m, ERROR_TYPE, "'%V' is read-only", key);
		goto thrown;
		CASE(OP_GLOBAL_GET)
		    : FINISH(get_global(m, f->code, op[2], true, op[1],
				 CACHE(op[3]), &out),
			  4);
		CASE(OP_GLOBAL_TYPEOF) : SAVE;
		how = get_global(m, f->code, op[2], false, op[1], NULL, &out);
		if (how != CALLED_VALUE)
			goto called;
		MAKE(out, 3);
		CASE(OP_GLOBAL_SET)
		    : FINISH_NONE(set_global(m, f->code, op[1], &B), 4);

		CASE(OP_GET) : out = v_is_object(B) ? B : prop_home(m, B);
		if (v_is_object(out) &&
		    (at = cached(m, CACHE(op[4]), out)) != NULL) {
			A = *at;
			NEXT(5);
		}
		KEY(op[3]);
		FINISH(run_get(m, &B, key, op[1], CACHE(op[4]), &out), 5);
		CASE(OP_SET)
		    : if (v_is_object(A) && cache_set(m, A, C, CACHE(op[4])))
			  NEXT(5);
		KEY(op[2]);
		FINISH_NONE(
		    run_set(m, f->code, &A, key, &C, &A, CACHE(op[4])), 5);
		CASE(OP_GET_AT)
		    : if (v_is_object(B) && v_is_int(C) && v_int(C) >= 0 &&
			  OBJ(m, B)->head.flags & CELL_ARRAY &&
			  (at = element_at(
			       H(m), v_ref(B), (uint32_t)v_int(C))) != NULL)
		{
			A = *at;
			NEXT(4);
		}
		FINISH(run_get(m, &B, &C, op[1], NULL, &out), 4);
		CASE(OP_SET_AT)
		    : if (v_is_object(A) && v_is_int(B) && v_int(B) >= 0 &&
			  (OBJ(m, A)->head.flags &
			      (CELL_ARRAY | CELL_FROZEN)) == CELL_ARRAY &&
			  (at = element_at(
			       H(m), v_ref(A), (uint32_t)v_int(B))) != NULL)
		{
			*at = C;
			NEXT(4);
		}
		FINISH_NONE(run_set(m, f->code, &A, &B, &C, &A, NULL), 4);
		CASE(OP_DELETE_AT) : SAVE;
		if (v_is_nullish(B)) {
			throw_of_nothing(m, B, &C, "delete");
			goto thrown;
		}
		m->temp[4] = C;
		if (!v_is_object(C) && !v_is_key(m, C)) {
			m->temp[4] = vm_key(m, &C);
			if (m->temp[4] == V_THROWN)
				goto thrown;
		}
		m->temp[5] = v_is_object(B) ? B : prop_home(m, B);
		switch (v_is_object(C) ? PROP_SLOW
			: v_is_object(B)
			    ? prop_delete(m, &m->temp[5], &m->temp[4])
			    : PROP_DONE) {
		case PROP_SLOW:
			args[0] = B;
			args[1] = m->temp[4];
			args[2] = v_of_bool(f->code->flags & CODE_STRICT);
			how = vm_helper(m, R_slow_delete, END_REGISTER, op[1],
			    3, args, &out);
			goto called;
		case PROP_REFUSED:
			if (f->code->flags & CODE_STRICT) {
				vm_throw(
				    m, ERROR_TYPE, "could not delete property");
				goto thrown;
			}
			A = V_FALSE;
			break;
		case PROP_THROWN:
			goto thrown;
		default:
			A = V_TRUE;
			break;
		}
		NEXT(4);
		CASE(OP_GET_SUPER) : SAVE;
		args[0] = super_of(m, f);
		args[1] = C;
		args[2] = B;
		if (!v_is_object(args[0])) {
			throw_of_nothing(m, args[0], &C, "read");
			goto thrown;
		}
		if (!v_is_object(C)) {
			m->temp[5] = args[0];
			m->temp[4] = vm_key(m, &C);
			if (m->temp[4] == V_THROWN)
				goto thrown;
			switch (
			    prop_get(m, &m->temp[5], &m->temp[4], &out, NULL)) {
			case PROP_DONE:
			case PROP_ABSENT:
				A = out;
				NEXT(4);
			case PROP_CALL:
				FINISH(call_accessor(m, out, B, 0, V_UNDEFINED,
					   END_REGISTER, op[1], &out),
				    4);
			case PROP_THROWN:
				goto thrown;
			default:
				args[0] = m->temp[5];
				args[1] = m->temp[4];
				break;
			}
		}
		FINISH(vm_helper(
			   m, R_slow_get, END_REGISTER, op[1], 3, args, &out),
		    4);
		CASE(OP_SET_SUPER) : m->temp[5] = super_of(m, f);
		FINISH_NONE(
		    run_set(m, f->code, &m->temp[5], &B, &C, &A, NULL), 4);
		CASE(OP_DEFINE) : KEY(op[2]);
		CHECKED(prop_put(m, &A, key, &C, P_PLAIN), 4);
		CASE(OP_DEFINE_AT)
		    : FINISH_NONE(run_define(m, &A, &B, &C, op[4]), 5);
		CASE(OP_COPY_MEMBERS) : args[0] = A;
		args[1] = B;
		args[2] = C;
		if (v_is_nullish(B))
			NEXT(4);
		FINISH_NONE(vm_helper(m, R_slow_copy_members, END_STEP, 0, 3,
				args, &out),
		    4);
		CASE(OP_PRIVATE_GET)
		    : FINISH(private_get(m, &B, &C, op[1], &out), 4);
		CASE(OP_PRIVATE_SET)
		    : FINISH_NONE(private_set(m, &A, &B, &C), 4);
		CASE(OP_PRIVATE_ADD)
		    : FINISH_NONE(private_add(m, &A, &B, &C, op[4]), 5);
		CASE(OP_PRIVATE_HAS) : SAVE;
		if (!v_is_object(B)) {
			vm_throw(m, ERROR_TYPE, "invalid 'in' operand");
			goto thrown;
		}
		A = v_of_bool(prop_own(m, &B, C, &out, &n) == PROP_DONE);
		NEXT(4);
		CASE(OP_KEY_OF) : SAVE;
		if (v_is_key(m, B)) {
			A = B;
			NEXT(3);
		}
		if (v_is_object(B)) {
			args[0] = B;
			FINISH(vm_helper(m, R_slow_key, END_REGISTER, op[1], 1,
				   args, &out),
			    3);
		}
		MAKE(vm_key(m, &B), 3);

		CASE(OP_OBJECT_NEW)
		    : MAKE(object_make(
			       m, &m->realm[R_object], CLASS_OBJECT, op[2]),
			  3);
		CASE(OP_ARRAY_NEW) : MAKE(array_make(m, 0, op[2]), 3);
		CASE(OP_ARRAY_PUSH)
		    : if (B == V_HOLE) CHECKED(
			  array_set_length(H(m), &A, OBJ(m, A)->extra + 1), 3);
		CHECKED(array_push_value(m, &A, &B), 3);
		CASE(OP_ARRAY_SPREAD) : SAVE;
		if (iterates_plainly(m, &B)) {
			value it[3] = {B, v_of_int(0), V_HOLE};

			m->temp[6] = B;
			while (it[0] = m->temp[6],
			    next_element(m, it, &m->temp[7]))
				if (!array_push_value(m, &A, &m->temp[7]))
					goto thrown;
			NEXT(3);
		}
		args[0] = A;
		args[1] = B;
		FINISH_NONE(
		    vm_helper(m, R_slow_spread, END_STEP, 0, 2, args, &out), 3);
		CASE(OP_REGEXP_NEW) : SAVE;
		m->temp[6] = constant_of(m, f->code, op[2]);
		if (m->temp[6] == V_THROWN)
			goto thrown;
		m->temp[7] = constant_of(m, f->code, op[3]);
		if (m->temp[7] == V_THROWN)
			goto thrown;
		MAKE(regexp_make(m, &m->temp[6], &m->temp[7]), 4);
		CASE(OP_TEMPLATE) : MAKE(template_object(m, f->code, op[2]), 3);
		CASE(OP_CLOSURE) : MAKE(closure_make(m, f, op[2], &C), 4);
		CASE(OP_METHOD_OF) : OBJ(m, A)->v[FN_HOME] = B;
		NEXT(3);
		CASE(OP_NAME_OF) : CHECKED(name_function(m, &A, &B, op[3]), 4);
		CASE(OP_CLASS_NEW) : SAVE;
		args[0] = B;
		args[1] = r[op[2] + 1];
		if (!class_make(m, f->base + op[1], args, &C, f->code, op[4]))
			goto thrown;
		NEXT(5);
		CASE(OP_CHECK_PARENT) : if (A == V_NULL)
		{
			r[op[1] + 1] = V_NULL;
			NEXT(2 + jump_of(op + 2));
		}
		SAVE;
		if (!vm_is_constructor(m, A)) {
			vm_throw(
			    m, ERROR_TYPE, "parent class must be constructor");
			goto thrown;
		}
		NEXT(4);
		CASE(OP_CLASS_FIELDS) : OBJ(m, A)->v[FN_FIELDS] = B;
		NEXT(3);
		CASE(OP_SYMBOL_NEW) : SAVE;
		m->temp[5] = constant_of(m, f->code, op[2]);
		if (m->temp[5] == V_THROWN)
			goto thrown;
		MAKE(symbol_make(m, &m->temp[5], true), 3);

		CASE(OP_ADD) : if (add_ints(B, C, &out)) A = out;
		else if (v_is_number(B) && v_is_number(C)) A =
		    v_of_number(v_number(B) + v_number(C));
		else FINISH(binary_slow(m, OP_ADD, &B, &C, op[1], &out), 4);
		NEXT(4);
		ARITHMETIC(SUB, false, -);
		ARITHMETIC(MUL, false, *);
		ARITHMETIC(DIV, false, /);
		CASE(OP_MOD)
		    : if (v_is_int(B) && v_is_int(C) && v_int(B) >= 0 &&
			  v_int(C) > 0)
		{
			A = v_of_int(v_int(B) % v_int(C));
			NEXT(4);
		}
		FINISH(binary_slow(m, OP_MOD, &B, &C, op[1], &out), 4);
		CASE(OP_POW)
		    : FINISH(binary_slow(m, OP_POW, &B, &C, op[1], &out), 4);
		BITS(BIT_AND, x & y);
		BITS(BIT_OR, x | y);
		BITS(BIT_XOR, x ^ y);
		BITS(SHL, (int32_t)((uint32_t)x << (y & 31)));
		BITS(SHR, x >> (y & 31));
		BITS(USHR, (uint32_t)x >> (y & 31));
		CASE(OP_EQ)
		    : CASE(OP_NE) : if (v_is_number(B) && v_is_number(C))
		{
			A = v_of_bool(
			    (v_number(B) == v_number(C)) == (*op == OP_EQ));
			NEXT(4);
		}
		SAVE;
		how = *op == OP_NE && (v_is_object(B) != v_is_object(C)) &&
			      !v_is_nullish(B) && !v_is_nullish(C)
			  ? compare_slow(
				m, OP_NE, &B, &C, END_REGISTER, op[1], &out)
			  : compare_slow(
				m, OP_EQ, &B, &C, END_REGISTER, op[1], &out);
		if (how != CALLED_VALUE)
			goto called;
		A = v_of_bool((out == V_TRUE) == (*op == OP_EQ));
		NEXT(4);
		CASE(OP_SAME) : A = v_of_bool(is_identical(m, B, C));
		NEXT(4);
		CASE(OP_NOT_SAME) : A = v_of_bool(!is_identical(m, B, C));
		NEXT(4);
		COMPARE(LT, <);
		COMPARE(LE, <=);
		COMPARE(GT, >);
		COMPARE(GE, >=);
		CASE(OP_IN) : SAVE;
		if (!v_is_object(C)) {
			vm_throw(m, ERROR_TYPE, "invalid 'in' operand");
			goto thrown;
		}
		if (!v_is_object(B)) {
			m->temp[4] = vm_key(m, &B);
			if (m->temp[4] == V_THROWN)
				goto thrown;
			switch (prop_has(m, &C, &m->temp[4])) {
			case PROP_DONE:
				A = V_TRUE;
				NEXT(4);
			case PROP_ABSENT:
				A = V_FALSE;
				NEXT(4);
			case PROP_THROWN:
				goto thrown;
			default:
				break;
			}
		}
		args[0] = B;
		args[1] = C;
		FINISH(
		    vm_helper(m, R_slow_in, END_REGISTER, op[1], 2, args, &out),
		    4);
		CASE(OP_INSTANCEOF) : args[0] = B;
		args[1] = C;
		FINISH(vm_helper(m, R_slow_instanceof, END_REGISTER, op[1], 2,
			   args, &out),
		    4);
		CASE(OP_NEGATE)
		    : if (v_is_int(B) && v_int(B) != 0 && v_int(B) != INT32_MIN)
		{
			A = v_of_int(-v_int(B));
			NEXT(3);
		}
		if (v_is_number(B)) {
			A = v_of_number(-v_number(B));
			NEXT(3);
		}
		FINISH(unary_slow(m, OP_NEGATE, &B, op[1], &out), 3);
		CASE(OP_TO_NUMBER) : CASE(OP_TO_NUMERIC) : if (v_is_number(B))
		{
			A = B;
			NEXT(3);
		}
		FINISH(unary_slow(m, (op_code)*op, &B, op[1], &out), 3);
		CASE(OP_INCREMENT)
		    : CASE(OP_DECREMENT)
		    : if (add_ints(
			      B, v_of_int(*op == OP_INCREMENT ? 1 : -1), &out))
		{
			A = out;
			NEXT(3);
		}
		if (v_is_number(B)) {
			A = v_of_number(
			    v_number(B) + (*op == OP_INCREMENT ? 1 : -1));
			NEXT(3);
		}
		FINISH(unary_slow(m, (op_code)*op, &B, op[1], &out), 3);
		CASE(OP_BIT_NOT) : if (v_is_int(B))
		{
			A = v_of_int(~v_int(B));
			NEXT(3);
		}
		FINISH(unary_slow(m, OP_BIT_NOT, &B, op[1], &out), 3);
		CASE(OP_NOT) : A = v_of_bool(!vm_truthy(m, B));
		NEXT(3);
		CASE(OP_TYPEOF) : MAKE(vm_typeof(m, B), 3);
		CASE(OP_TO_STRING) : if (v_is_string(B))
		{
			A = B;
			NEXT(3);
		}
		SAVE;
		if (v_is_object(B)) {
			args[0] = B;
			FINISH(vm_helper(m, R_slow_string, END_REGISTER, op[1],
				   1, args, &out),
			    3);
		}
		MAKE(vm_to_string(m, B), 3);

		CASE(OP_LOOP) : STEP;
		NEXT(1 + jump_of(op + 1));
		CASE(OP_JUMP) : NEXT(1 + jump_of(op + 1));
		CASE(OP_JUMP_TRUE)
		    : if (A == V_TRUE || (A != V_FALSE && vm_truthy(m, A)))
			  NEXT(2 + jump_of(op + 2));
		NEXT(4);
		CASE(OP_JUMP_FALSE)
		    : if (A == V_FALSE || (A != V_TRUE && !vm_truthy(m, A)))
			  NEXT(2 + jump_of(op + 2));
		NEXT(4);
		CASE(OP_JUMP_NULLISH)
		    : if (v_is_nullish(A)) NEXT(2 + jump_of(op + 2));
		NEXT(4);
		CASE(OP_JUMP_SET)
		    : if (A != V_UNDEFINED) NEXT(2 + jump_of(op + 2));
		NEXT(4);
		COMPARE_JUMP(JUMP_LT, OP_LT, <, true);
		COMPARE_JUMP(JUMP_NOT_LT, OP_LT, <, false);
		COMPARE_JUMP(JUMP_LE, OP_LE, <=, true);
		COMPARE_JUMP(JUMP_NOT_LE, OP_LE, <=, false);
		CASE(OP_JUMP_SAME)
		    : if (is_identical(m, A, B)) NEXT(3 + jump_of(op + 3));
		NEXT(5);
		CASE(OP_JUMP_NOT_SAME)
		    : if (!is_identical(m, A, B)) NEXT(3 + jump_of(op + 3));
		NEXT(5);
		CASE(OP_SWITCH) : n = 3 + 2 * (uint32_t)v_int(A);
		NEXT((int32_t)n + jump_of(op + n));

		CASE(OP_CALL) : STEP;
		FINISH(vm_call(m, f->base + op[2], op[3], END_REGISTER, op[1],
			   &out),
		    4);
		CASE(OP_CALL_LIST) : SAVE;
		if (!spread_list(m, f->base + op[2], &n))
			goto thrown;
		r = m->stack + f->base;
		STEP;
		FINISH(
		    vm_call(m, f->base + op[2], n, END_REGISTER, op[1], &out),
		    3);
		CASE(OP_NEW) : STEP;
		args[0] = B;
		FINISH(vm_construct(m, f->base + op[2], op[3], &args[0],
			   END_NEW, op[1], &out),
		    4);
		CASE(OP_NEW_LIST) : SAVE;
		if (!spread_list(m, f->base + op[2], &n))
			goto thrown;
		r = m->stack + f->base;
		STEP;
		args[0] = B;
		FINISH(vm_construct(m, f->base + op[2], n, &args[0], END_NEW,
			   op[1], &out),
		    3);
		CASE(OP_CONSTRUCT) : SAVE;
		if (!spread_list(m, f->base + op[2], &n))
			goto thrown;
		r = m->stack + f->base;
		STEP;
		args[0] = r[op[2] + 1];
		FINISH(vm_construct(m, f->base + op[2], n, &args[0], END_NEW,
			   op[1], &out),
		    3);
		CASE(OP_CALL_NATIVE)
		    : FINISH(vm_call_native(m, f->base + op[2],
				 (native_number)op[3], op[4], op[1], &out),
			  5);
		CASE(OP_NATIVE_FUNCTION) : SAVE;
		m->temp[5] = vm_key_text(m, native_names[op[2]]);
		if (m->temp[5] == V_THROWN)
			goto thrown;
		m->temp[6] = V_UNDEFINED;
		MAKE(function_native(
			 m, (native_number)op[2], &m->temp[6], &m->temp[5], 0),
		    3);
		CASE(OP_REALM_GET) : A = m->realm[op[2]];
		NEXT(3);
		CASE(OP_SUPER_CLASS) : n = object_proto(H(m), v_ref(B));
		A = n ? v_of_object(n) : V_NULL;
		NEXT(3);
		CASE(OP_SET_THIS) : SAVE;
		if (f->this != V_HOLE) {
			vm_throw(m, ERROR_REFERENCE,
			    "'this' can be initialized only once");
			goto thrown;
		}
		f->this = A;
		NEXT(2);
		CASE(OP_CHECK_UNSET) : if (A == V_HOLE) NEXT(2);
		SAVE;
		vm_throw(
		    m, ERROR_REFERENCE, "'this' can be initialized only once");
		goto thrown;
		CASE(OP_FIELDS_OF) : A = OBJ(m, B)->v[FN_FIELDS];
		NEXT(3);

		CASE(OP_RETURN) : out = A;
		if (f->plain && m->depth > 1) {
			n = f->dst;
			m->depth--;
			f = &m->frames[m->depth - 1];
			r = m->stack + f->base;
			m->stack_top = f->top;
			r[n] = out;
			op = f->code->op + f->pc;
			NEXT(op_lengths[*op]);
		}
		SAVE;
		if (!vm_return(m, A))
			goto thrown;
		goto reload;
		CASE(OP_THROW) : SAVE;
		m->thrown = A;
		vm_place_error(m, &m->thrown);
		goto thrown;
		CASE(OP_THROW_NEW) : KEY(op[2]);
		vm_throw(m, (error_kind)op[1], "%V", key);
		goto thrown;
		CASE(OP_THIS) : if (f->this == V_HOLE)
		{
			SAVE;
			vm_throw(m, ERROR_REFERENCE, "this is not initialized");
			goto thrown;
		}
		A = f->this;
		NEXT(2);
		CASE(OP_FUNCTION_SELF) : A = f->function;
		NEXT(2);
		CASE(OP_NEW_TARGET) : A = f->new_target;
		NEXT(2);
		CASE(OP_ARGUMENTS)
		    : if ((int16_t)op[2] < 0) MAKE(arguments_make(m, f), 3);
		MAKE(arguments_list(m, f, op[2]), 3);

		CASE(OP_ITERATE) : SAVE;
		if (iterates_plainly(m, &B)) {
			out = B;
			A = out;
			r[op[1] + 1] = v_of_int(0);
			r[op[1] + 2] = V_HOLE;
			NEXT(3);
		}
		goto iterate;
		CASE(OP_ITERATE_PLAIN)
		    : CASE(OP_ITERATE_ASYNC) : iterate : SAVE;
		args[0] = B;
		args[1] = v_of_bool(*op == OP_ITERATE_ASYNC);
		r[op[1] + 1] = V_UNDEFINED;
		r[op[1] + 2] = V_HOLE;
		how = vm_helper(
		    m, R_slow_iterate, END_ITERATE, op[1], 2, args, &out);
		goto called;
		CASE(OP_NEXT) : if (v_is_int(r[op[2] + 1]))
		{
			at = &r[op[2]];
			if (!next_element(m, at, &out))
				NEXT(3 + jump_of(op + 3));
			A = out;
			NEXT(5);
		}
		SAVE;
		if (r[op[2] + 2] == V_TRUE)
			NEXT(3 + jump_of(op + 3));
		STEP;
		/* When next() throws, the iterator is not closed. */
		r[op[2] + 2] = V_TRUE;
		at = &r[op[2]];
		if (is_plain_generator(m, at)) {
			m->call_end = END_NEXT;
			m->call_dst = op[1];
			m->call_target = op[2];
			if (!vm_resume(m, at[0], V_UNDEFINED, 0))
				goto thrown;
			goto reload;
		}
		out = iterator_step(m, &at[0], &at[1]);
		if (out == V_THROWN)
			goto thrown;
		if (out == V_DONE)
			NEXT(3 + jump_of(op + 3));
		if (out != V_FALLBACK) {
			r[op[2] + 2] = V_HOLE;
			A = out;
			NEXT(5);
		}
		args[0] = r[op[2]];
		args[1] = r[op[2] + 1];
		m->call_target = op[2];
		how = vm_helper(m, R_slow_next, END_NEXT, op[1], 2, args, &out);
		goto called;
		CASE(OP_CLOSE)
		    : if (v_is_int(r[op[1] + 1]) || r[op[1] + 2] == V_TRUE)
			  NEXT(3);
		args[0] = A;
		r[op[1] + 2] = V_TRUE;
		FINISH_NONE(
		    vm_helper(m, op[2] ? R_slow_close_quiet : R_slow_close,
			END_STEP, 0, 1, args, &out),
		    3);
		CASE(OP_KEYS) : SAVE;
		args[0] = B;
		r[op[1] + 1] = v_of_int(0);
		if (v_is_nullish(B)) {
			r[op[1] + 2] = V_HOLE;
			MAKE(array_make(m, 0, 0), 3);
		}
		r[op[1] + 2] = v_is_object(B) ? B : V_HOLE;
		how = vm_helper(
		    m, R_slow_keys, END_REGISTER, op[1], 1, args, &out);
		goto called;
		CASE(OP_REST_OF) : SAVE;
		at = &r[op[2]];
		if (v_is_int(at[1])) {
			m->temp[6] = array_make(m, 0, 4);
			if (m->temp[6] == V_THROWN)
				goto thrown;
			while (next_element(m, at, &m->temp[7]))
				if (!array_push_value(
					m, &m->temp[6], &m->temp[7]))
					goto thrown;
			A = m->temp[6];
			NEXT(3);
		}
		if (at[2] == V_TRUE)
			MAKE(array_make(m, 0, 0), 3);
		at[2] = V_TRUE;
		args[0] = at[0];
		args[1] = at[1];
		FINISH(vm_helper(
			   m, R_slow_rest, END_REGISTER, op[1], 2, args, &out),
		    3);
		CASE(OP_CHECK_OBJECT) : if (v_is_object(A)) NEXT(3);
		KEY(op[2]);
		vm_throw(m, ERROR_TYPE, "%V", key);
		goto thrown;
		CASE(OP_CHECK_TAKEN) : if (!v_is_nullish(A)) NEXT(2);
		SAVE;
		vm_throw(m, ERROR_TYPE,
		    "cannot convert to object: %s is not one",
		    A == V_NULL ? "null" : "undefined");
		goto thrown;

		CASE(OP_GENERATE) : SAVE;
		if (!vm_generate(m))
			goto thrown;
		goto reload;
		CASE(OP_YIELD) : CASE(OP_YIELD_RESULT) : SAVE;
		m->temp[10] = B;
		if (!vm_yield(m, &m->temp[10], *op == OP_YIELD_RESULT))
			goto thrown;
		goto reload;
		CASE(OP_AWAIT) : SAVE;
		STEP;
		how = await_slow(m, &B);
		goto called;
		CASE(OP_RESUMED) : switch (v_int(r[op[2] + 1]))
		{
		case 1:
			SAVE;
			m->thrown = B;
			goto thrown;
		case 2:
			A = B;
			NEXT(3 + jump_of(op + 3));
		default:
			A = B;
			NEXT(5);
		}
	}
called:
	if (how == CALLED_FRAME)
		goto reload;
	if (how == CALLED_VALUE) { /* of a helper: never */
		frame ended = {.end = END_REGISTER, .dst = op[1]};

		if (!vm_deliver(m, &ended, out))
			goto thrown;
		goto reload;
	}
thrown:
	if (m->stop != VM_GOES_ON || !vm_unwind(m))
		return false;
	goto reload;
}
