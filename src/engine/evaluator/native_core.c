/* SPDX-License-Identifier: MIT */
/* native_core.c -- what lib/ is written with: see natives_core.def. */
#include "vm.h"

native_function *const native_functions[NATIVES] = {
#define NATIVE(name) native_##name,
#include "natives.def"
#undef NATIVE
};

const char *const native_names[NATIVES] = {
#define NATIVE(name) #name,
#include "natives.def"
#undef NATIVE
};

/* ---------------------------------------------------------------------- realm */

static const char *const realm_names[REALM_VALUES] = {
#define REALM(name) #name,
#include "realm.def"
#undef REALM
};

static bool
string_is(vm *m, value v, const char *s)
{
	value t;

	if (!v_is_string(v))
		return false;
	m->temp[0] = v;
	if (!str_flatten(H(m), &m->temp[0]))
		return false;
	t = m->temp[0];
	for (uint32_t i = 0; i < STR(m, t)->len; i++)
		if (s[i] == '\0' ||
		    str_unit(STR(m, t), i) != (unsigned char)s[i])
			return false;
	return s[STR(m, t)->len] == '\0';
}

value
native_realm(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	for (unsigned i = 0; i < REALM_VALUES; i++)
		if (string_is(m, a[0], realm_names[i])) {
			m->realm[i] = a[1];
			if (i == R_global)
				m->global = a[1];
			return V_UNDEFINED;
		}
	return vm_throw(m, ERROR_TYPE, "no value %V in realm.def", &a[0]);
}

/* --------------------------------------------------------------------- objects */

value
native_is_object(vm *m, value *a, uint32_t argc)
{
	(void)m, (void)argc;
	return v_of_bool(v_is_object(a[0]));
}

value
native_is_callable(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return v_of_bool(v_is_function(m, a[0]));
}

value
native_is_constructor(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return v_of_bool(vm_is_constructor(m, a[0]));
}

value
native_class_of(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return v_of_int(
	    v_is_object(a[0]) ? (int)object_class_of(H(m), v_ref(a[0])) : -1);
}

value
native_create(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return object_make(m, &a[0], (object_class)v_int(a[1]), 0);
}

value
native_inner(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return *object_internal(H(m), v_ref(a[0]), (unsigned)v_int(a[1]));
}

value
native_set_inner(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	*object_internal(H(m), v_ref(a[0]), (unsigned)v_int(a[1])) = a[2];
	return V_UNDEFINED;
}

value
native_native(vm *m, value *a, uint32_t argc)
{
	native_number n =
	    (native_number)v_int(*object_internal(H(m), v_ref(a[0]), 0));

	(void)argc;
	return function_native(
	    m, n, &a[3], &a[1], (uint32_t)(v_is_int(a[2]) ? v_int(a[2]) : 0));
}

/* a[1] becomes a key. */
static bool
key_of_second(vm *m, value *a)
{
	value k = vm_key(m, &a[1]);

	if (k == V_THROWN)
		return false;
	a[1] = k;
	return true;
}

value
native_define(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!key_of_second(m, a) ||
	    !prop_put(m, &a[0], &a[1], &a[2], (unsigned)v_int(a[3])))
		return V_THROWN;
	return a[0];
}

value
native_accessor(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (!key_of_second(m, a))
		return V_THROWN;
	a[5] = prop_pair(m, &a[2], &a[3]);
	if (a[5] == V_THROWN ||
	    !prop_put(m, &a[0], &a[1], &a[5],
		((unsigned)v_int(a[4]) & ~(unsigned)P_WRITE) | P_ACCESSOR))
		return V_THROWN;
	return a[0];
}

value
native_methods(vm *m, value *a, uint32_t argc)
{
	uint32_t n = 0;

	(void)argc;
	a[2] = prop_keys(m, &a[1], KEYS_STRINGS | KEYS_SYMBOLS);
	if (a[2] == V_THROWN)
		return V_THROWN;
	array_values(m, a[2], &n);
	for (uint32_t i = 0; i < n; i++) {
		unsigned attr;

		a[3] = array_values(m, a[2], &n)[i];
		a[3] = vm_key(m, &a[3]);
		if (a[3] == V_THROWN ||
		    prop_own(m, &a[1], a[3], &a[4], &attr) != PROP_DONE)
			return V_THROWN;
		attr &= ~(unsigned)P_ENUM;
		if (!prop_put(m, &a[0], &a[3], &a[4], attr))
			return V_THROWN;
	}
	return a[0];
}

value
native_constructor(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	a[2] = vm_key_text(m, "prototype");
	if (a[2] == V_THROWN || !prop_put(m, &a[0], &a[2], &a[1], 0))
		return V_THROWN;
	a[2] = vm_key_text(m, "constructor");
	if (a[2] == V_THROWN ||
	    !prop_put(m, &a[1], &a[2], &a[0], P_WRITE | P_CONFIG))
		return V_THROWN;
	return a[0];
}

value
native_proto_of(vm *m, value *a, uint32_t argc)
{
	ref p = object_proto(H(m), v_ref(a[0]));

	(void)argc;
	return p ? v_of_object(p) : V_NULL;
}

value
native_new_list(vm *m, value *a, uint32_t argc)
{
	uint32_t n = v_is_int(a[0]) ? (uint32_t)v_int(a[0]) : 0;

	(void)argc;
	return array_make(m, n, n);
}

/* ---------------------------------------------------------------------- errors */

static value
throw_with(vm *m, error_kind kind, value *a)
{
	value end;

	if (!arg_string(m, a, 0, &end))
		return end;
	return vm_throw(m, kind, "%V", &a[0]);
}

value
native_throw_type(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return throw_with(m, ERROR_TYPE, a);
}

value
native_throw_range(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return throw_with(m, ERROR_RANGE, a);
}

value
native_throw_syntax(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return throw_with(m, ERROR_SYNTAX, a);
}

value
native_stack_text(vm *m, value *a, uint32_t argc)
{
	buf b = BUF_INIT(m->alloc, 1 << 16);
	value v;

	(void)a, (void)argc;
	vm_stack_text(m, &b);
	v = b.bad == CM_OK ? vm_string(m, buf_view(&b)) : vm_throw_memory(m);
	buf_fini(&b);
	return v;
}

value
native_steps(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return vm_steps(m, (uint64_t)v_number(a[0])) ? V_UNDEFINED : V_THROWN;
}

/* -------------------------------------------------------------------- promises */

value
native_promise_make(vm *m, value *a, uint32_t argc)
{
	(void)a, (void)argc;
	return promise_make(m);
}

value
native_promise_state(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return OBJ(m, a[0])->v[PROMISE_STATE];
}

value
native_promise_value(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return OBJ(m, a[0])->v[PROMISE_VALUE];
}

value
native_promise_settle(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	if (v_int(OBJ(m, a[0])->v[PROMISE_STATE]) != PROMISE_PENDING)
		return V_UNDEFINED;
	return promise_settle(m, &a[0], vm_truthy(m, a[1]), &a[2]) ? V_UNDEFINED
								   : V_THROWN;
}

value
native_promise_then(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return promise_then(m, &a[0], &a[1], &a[2], &a[3]) ? V_UNDEFINED
							   : V_THROWN;
}

value
native_promise_handled(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	OBJ(m, a[0])->v[PROMISE_FLAGS] = v_of_int(1);
	return V_UNDEFINED;
}

value
native_enqueue(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return vm_enqueue(m, a[0], a[1], a[2], a[3]) ? V_UNDEFINED : V_THROWN;
}

/* ------------------------------------------------------------------ generators */

value
native_generator_state(vm *m, value *a, uint32_t argc)
{
	value state = OBJ(m, a[0])->v[CO_STATE];

	(void)argc;
	return v_int(state) == CO_AWAITS ? v_of_int(CO_RUNS) : state;
}

value
native_generator_kind(vm *m, value *a, uint32_t argc)
{
	unsigned flags;

	(void)argc;
	if (!v_is_class(m, a[0], CLASS_COROUTINE))
		return v_of_int(0);
	flags = function_code_of(m, OBJ(m, a[0])->v[CO_FUNCTION])->flags;
	if (!(flags & CODE_GENERATOR))
		return v_of_int(0);
	return v_of_int(flags & CODE_ASYNC ? 2 : 1);
}

value
native_generator_resume(vm *m, value *a, uint32_t argc)
{
	value *state = &OBJ(m, a[0])->v[CO_STATE];
	int how = v_int(a[2]);

	(void)argc;
	if (v_int(*state) == CO_NEW && how == 2) {
		*state = v_of_int(CO_OVER);
		return a[1];
	}
	if (vm_resume(m, a[0], a[1], how))
		return V_PUSHED;
	/* Thrown into it: a frame stands for it, and handles it or ends. */
	return V_THROWN;
}

value
native_done(vm *m, value *a, uint32_t argc)
{
	(void)m, (void)a, (void)argc;
	return V_DONE;
}

/* ----------------------------------------------------------------------- tests */

value
native_print(vm *m, value *a, uint32_t argc)
{
	buf b = BUF_INIT(NULL, 1 << 26);
	value end;

	(void)argc;
	if (v_tag(a[0]) == TAG_SYMBOL) {
		vm_show(m, a[0], &b);
	} else {
		if (!arg_string(m, a, 0, &end))
			return end;
		str_put(STR(m, a[0]), false, &b);
	}
	if (m->print != NULL)
		m->print(buf_view(&b));
	buf_fini(&b);
	return V_UNDEFINED;
}

value
native_collect(vm *m, value *a, uint32_t argc)
{
	(void)a, (void)argc;
	heap_collect(H(m));
	return V_UNDEFINED;
}
