/* SPDX-License-Identifier: MIT */
/* native_regexp.c -- RegExp objects and the arrays that tell a match: see
 * natives_regexp.def. */
#include "native_regexp.h"

#define NEW   (&m->temp[28]) /* the object that is made */
#define PART  (&m->temp[29])
#define KEY   (&m->temp[30])
#define OTHER (&m->temp[31])

/* ------------------------------------------------------------------ objects */

static value *
regexp_key(vm *m, realm_value which, const char *name)
{
	if (!v_is_string(m->realm[which]))
		m->realm[which] = vm_key_text(m, name);
	return m->realm[which] == V_THROWN ? NULL : &m->realm[which];
}

/* A RegExp with lastIndex 0; its prototype is a root. */
static bool
make_regexp(vm *m, value *proto, unsigned flags)
{
	value *key = regexp_key(m, R_key_last_index, "lastIndex");
	value zero = v_of_int(0);
	bool first = *proto == m->realm[R_regexp];

	if (key == NULL)
		return false;
	if (first && v_tag(m->realm[R_regexp_shape]) == TAG_CELL) {
		if (!heap_reserve(H(m), sizeof(cell_object) + 8 * 8))
			return vm_throw_memory(m), false;
		*NEW = v_of_object(object_new(
		    H(m), CLASS_REGEXP, v_ref(m->realm[R_regexp_shape]), 1));
		*object_slot(H(m), v_ref(*NEW), 0) = zero;
	} else {
		*NEW = object_make(m, proto, CLASS_REGEXP, 1);
		if (*NEW == V_THROWN)
			return false;
		if (!object_add(H(m), NEW, key, &zero, P_WRITE))
			return vm_throw_memory(m), false;
		if (first)
			m->realm[R_regexp_shape] =
			    v_of_ref(TAG_CELL, OBJ(m, *NEW)->shape);
	}
	*object_internal(H(m), v_ref(*NEW), REGEXP_FLAGS) =
	    v_of_int((int32_t)flags);
	return true;
}

/* Of flat strings that are roots. */
static value
new_object(vm *m, value *source, value *flags, value *proto)
{
	const cell_string *s = STR(m, *flags);
	uint16_t units[9];
	int bits = -1;

	for (uint32_t i = 0; s->len < 9 && i < s->len; i++)
		units[i] = str_unit(s, i);
	if (s->len < 9)
		bits = rx_flags((rx_units){units, s->len});
	if (bits < 0)
		return vm_throw(
		    m, ERROR_SYNTAX, "invalid regular expression flags");
	if (regexp_find(m, source, (unsigned)bits) == NULL ||
	    !make_regexp(m, proto, (unsigned)bits))
		return V_THROWN;
	*object_internal(H(m), v_ref(*NEW), REGEXP_SOURCE) = *source;
	return *NEW;
}

value
regexp_make(vm *m, value *pattern, value *flags)
{
	if (!str_flatten(H(m), pattern) || !str_flatten(H(m), flags))
		return vm_throw_memory(m);
	return new_object(m, pattern, flags, &m->realm[R_regexp]);
}

value
native_regexp_new(vm *m, value *a, uint32_t argc)
{
	value end;

	(void)argc;
	if (!arg_string(m, a, 0, &end) || !arg_string(m, a, 1, &end))
		return end;
	return new_object(m, &a[0], &a[1], &a[2]);
}

unsigned
regexp_flags(const vm *m, value rx)
{
	return (unsigned)v_int(
	    *object_internal(&m->heap, v_ref(rx), REGEXP_FLAGS));
}

regexp *
regexp_of(vm *m, value rx)
{
	m->temp[32] = *object_internal(H(m), v_ref(rx), REGEXP_SOURCE);
	return regexp_find(m, &m->temp[32], regexp_flags(m, rx));
}

/* -------------------------------------------------------------------- plain */

value
native_regexp_pristine(vm *m, value *a, uint32_t argc)
{
	uint32_t n = object_count(H(m), v_ref(a[0]));

	(void)argc;
	*NEW = array_make(m, n, n);
	if (*NEW == V_THROWN)
		return V_THROWN;
	for (uint32_t i = 0; i < n; i++)
		if (!element_put(
			H(m), NEW, i, object_slot(H(m), v_ref(a[0]), i)))
			return vm_throw_memory(m);
	m->realm[R_regexp_slots] = *NEW;
	m->realm[R_regexp_constructor] = a[1];
	return V_UNDEFINED;
}

/* RegExp[Symbol.species] is the last of them: see lib/regexp.js. */
bool
regexp_is_plain(const vm *m, value v)
{
	const heap *h = &m->heap;
	value proto = m->realm[R_regexp], slots = m->realm[R_regexp_slots];
	uint32_t n;

	if (!v_is_class(m, v, CLASS_REGEXP) || !v_is_object(slots) ||
	    v_tag(m->realm[R_regexp_shape]) != TAG_CELL ||
	    OBJ(m, v)->shape != v_ref(m->realm[R_regexp_shape]) ||
	    !v_is_int(*object_slot(h, v_ref(v), 0)) ||
	    v_int(*object_slot(h, v_ref(v), 0)) < 0)
		return false;
	n = object_count(h, v_ref(proto));
	if (n != OBJ(m, slots)->extra)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (*object_slot(h, v_ref(proto), i) !=
		    *element_at(h, v_ref(slots), i))
			return false;
	return true;
}

value
native_regexp_plain(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return v_of_bool(regexp_is_plain(m, a[0]));
}

/* ------------------------------------------------------------------ results */

/* A string of units that are not in the heap. V_THROWN. */
static value
regexp_units_string(vm *m, rx_units u)
{
	bool wide = false;
	cell_string *s;
	ref r;

	for (size_t i = 0; i < u.len; i++)
		wide |= u.at[i] > 0xff;
	if (!heap_reserve(H(m), str_bytes((uint32_t)u.len, wide)))
		return vm_throw_memory(m);
	r = str_raw(H(m), (uint32_t)u.len, wide);
	s = CELL(H(m), r, cell_string);
	for (size_t i = 0; i < u.len; i++)
		if (wide)
			s->u.wide[i] = u.at[i];
		else
			s->u.narrow[i] = (uint8_t)u.at[i];
	return v_of_string(r);
}

value
regexp_part(vm *m, value *subject, uint32_t from, uint32_t to)
{
	ref r = str_sub(H(m), subject, from, to);

	return r ? v_of_string(r) : vm_throw_memory(m);
}

static bool
add_hidden(vm *m, value *o, realm_value which, const char *name, value *v)
{
	value *key = regexp_key(m, which, name);

	if (key == NULL)
		return false;
	if (!object_add(H(m), o, key, v, P_PLAIN))
		return vm_throw_memory(m), false;
	return true;
}

/* An object with the elements of that array under the names of their groups: to
 * *out, a root; undefined without names. */
static bool
make_groups(vm *m, const regexp *e, const value *array, value *out)
{
	value null = V_NULL;

	*out = V_UNDEFINED;
	if (e->names == NULL)
		return true;
	*OTHER = null;
	*out = object_make(m, OTHER, CLASS_OBJECT, 4);
	if (*out == V_THROWN)
		return false;
	for (const rx_name *n = e->names; n != NULL; n = n->next) {
		value *v = element_at(H(m), v_ref(*array), n->group);
		place p;

		*PART = v ? *v : V_UNDEFINED;
		*KEY = regexp_units_string(m, n->name);
		if (*KEY == V_THROWN)
			return false;
		*KEY = vm_key(m, KEY);
		if (*KEY == V_THROWN)
			return false;
		p = object_find(H(m), v_ref(*out), v_ref(*KEY));
		if (p.found) {
			if (*PART != V_UNDEFINED)
				*object_slot(H(m), v_ref(*out), p.index) =
				    *PART;
		} else if (!object_add(H(m), out, KEY, PART, P_PLAIN)) {
			return vm_throw_memory(m), false;
		}
	}
	return true;
}

/* Of the match that e->found tells. *out is a root. */
static bool
make_indices(vm *m, const regexp *e, value *out)
{
	*out = array_make(m, e->groups, e->groups);
	if (*out == V_THROWN)
		return false;
	for (uint32_t g = 0; g < e->groups; g++) {
		*PART = V_UNDEFINED;
		if (e->found[2 * g] != REGEXP_UNSET) {
			value from = v_of_int((int32_t)e->found[2 * g]);
			value to = v_of_int((int32_t)e->found[2 * g + 1]);

			*PART = array_make(m, 2, 2);
			if (*PART == V_THROWN)
				return false;
			element_put(H(m), PART, 0, &from);
			element_put(H(m), PART, 1, &to);
		}
		if (!element_put(H(m), out, g, PART))
			return vm_throw_memory(m), false;
	}
	if (!make_groups(m, e, out, &m->temp[33]))
		return false;
	return add_hidden(m, out, R_key_groups, "groups", &m->temp[33]);
}

/* *NEW: an array of the match and its groups, with room for more. */
static bool
make_captures(vm *m, const regexp *e, value *subject, uint32_t more)
{
	*NEW = array_make(m, e->groups, e->groups + more);
	if (*NEW == V_THROWN)
		return false;
	for (uint32_t g = 0; g < e->groups; g++) {
		*PART = V_UNDEFINED;
		if (e->found[2 * g] != REGEXP_UNSET)
			*PART = regexp_part(
			    m, subject, e->found[2 * g], e->found[2 * g + 1]);
		if (*PART == V_THROWN)
			return false;
		if (!element_put(H(m), NEW, g, PART))
			return vm_throw_memory(m), false;
	}
	return true;
}

value
regexp_arguments(vm *m, const regexp *e, value *subject)
{
	value at = v_of_int((int32_t)e->found[0]);

	if (!make_captures(m, e, subject, 3) ||
	    !make_groups(m, e, NEW, &m->temp[32]) ||
	    !array_push_value(m, NEW, &at) ||
	    !array_push_value(m, NEW, subject) ||
	    (e->names != NULL && !array_push_value(m, NEW, &m->temp[32])))
		return V_THROWN;
	return *NEW;
}

value
regexp_result(vm *m, const regexp *e, value *subject)
{
	value index = v_of_int((int32_t)e->found[0]);

	if (!make_captures(m, e, subject, 0))
		return V_THROWN;
	if (!add_hidden(m, NEW, R_key_index, "index", &index) ||
	    !add_hidden(m, NEW, R_key_input, "input", subject) ||
	    !make_groups(m, e, NEW, &m->temp[32]) ||
	    !add_hidden(m, NEW, R_key_groups, "groups", &m->temp[32]))
		return V_THROWN;
	if (e->flags & RX_INDICES &&
	    (!make_indices(m, e, &m->temp[32]) ||
		!add_hidden(m, NEW, R_key_indices, "indices", &m->temp[32])))
		return V_THROWN;
	return *NEW;
}

/* ------------------------------------------------------------------ matching */

value
native_regexp_match(vm *m, value *a, uint32_t argc)
{
	regexp *e = regexp_of(m, a[0]);
	int found;

	(void)argc;
	if (e == NULL)
		return V_THROWN;
	found = regexp_run(
	    m, e, &a[1], (uint32_t)v_number(a[2]), e->flags & RX_STICKY);
	if (found <= 0)
		return found < 0 ? V_THROWN : V_NULL;
	return regexp_result(m, e, &a[1]);
}

value
native_regexp_search(vm *m, value *a, uint32_t argc)
{
	regexp *e = regexp_of(m, a[0]);
	int found;

	(void)argc;
	if (e == NULL)
		return V_THROWN;
	found = regexp_run(m, e, &a[1], 0, e->flags & RX_STICKY);
	if (found <= 0)
		return found < 0 ? V_THROWN : v_of_int(-1);
	return v_of_int((int32_t)e->found[0]);
}

/* RegExpBuiltinExec of a regexp whose lastIndex is an int and, if it matters,
 * may be written. 1: *out tells a match; 0; -1: thrown. */
int
regexp_step(vm *m, value *rx, value *subject, regexp **out)
{
	regexp *e = regexp_of(m, *rx);
	bool moves;
	value *last;
	uint32_t start;
	int found = 0;

	if (e == NULL)
		return -1;
	moves = e->flags & (RX_GLOBAL | RX_STICKY);
	start = moves ? (uint32_t)v_int(*object_slot(H(m), v_ref(*rx), 0)) : 0;
	if (start <= str_len(H(m), v_ref(*subject)))
		found = regexp_run(m, e, subject, start, e->flags & RX_STICKY);
	if (found < 0)
		return -1;
	last = object_slot(H(m), v_ref(*rx), 0);
	if (moves)
		*last = v_of_int(found ? (int32_t)e->found[1] : 0);
	*out = e;
	return found;
}

/* Can regexp_step be used? */
static bool
can_step(const vm *m, value rx)
{
	unsigned attr;
	value last;

	if (!v_is_class(m, rx, CLASS_REGEXP))
		return false;
	last = *object_slot(&m->heap, v_ref(rx), 0);
	object_key(&m->heap, v_ref(rx), 0, &attr);
	return v_is_int(last) && v_int(last) >= 0 && attr & P_WRITE;
}

value
native_regexp_exec(vm *m, value *a, uint32_t argc)
{
	regexp *e;
	value end;
	int found;

	(void)argc;
	if (!can_step(m, a[-1]))
		return V_FALLBACK;
	if (!arg_string(m, a, 0, &end))
		return end;
	found = regexp_step(m, &a[-1], &a[0], &e);
	if (found <= 0)
		return found < 0 ? V_THROWN : V_NULL;
	return regexp_result(m, e, &a[0]);
}

value
native_regexp_test(vm *m, value *a, uint32_t argc)
{
	regexp *e;
	int found;

	(void)argc;
	if (!regexp_is_plain(m, a[-1]) || !v_is_string(a[0]))
		return V_FALLBACK;
	found = regexp_step(m, &a[-1], &a[0], &e);
	return found < 0 ? V_THROWN : v_of_bool(found);
}

/* ------------------------------------------------------------------- sources */

static void
buf_unit(buf *b, unsigned u)
{
	uint16_t code_unit = (uint16_t)u;

	buf_add(b, &code_unit, 2);
}

static void
buf_ascii(buf *b, const char *s)
{
	for (; *s != '\0'; s++)
		buf_unit(b, (uint8_t)*s);
}

static value
string_of_buf(vm *m, buf *b)
{
	value v =
	    b->bad == CM_OK
		? regexp_units_string(m,
		      (rx_units){(const uint16_t *)(void *)b->ptr, b->len / 2})
		: vm_throw_memory(m);

	buf_fini(b);
	return v;
}

/* / and ends of lines are escaped; the empty one is (?:). */
value
native_regexp_source(vm *m, value *a, uint32_t argc)
{
	buf b = BUF_INIT(m->alloc, (size_t)STR_MAX * 2);
	const cell_string *s;
	bool class = false;
	value end;

	(void)argc;
	if (!arg_string(m, a, 0, &end))
		return end;
	s = STR(m, a[0]);
	if (s->len == 0)
		buf_ascii(&b, "(?:)");
	for (uint32_t i = 0; i < s->len; i++) {
		unsigned u = str_unit(s, i);
		const char *line = u == '\n'     ? "n"
				   : u == '\r'   ? "r"
				   : u == 0x2028 ? "u2028"
				   : u == 0x2029 ? "u2029"
						 : NULL;
		bool escaped = u == '\\' && i + 1 < s->len;

		if (line != NULL || (u == '/' && !class))
			buf_unit(&b, '\\');
		if (line != NULL) {
			buf_ascii(&b, line);
			continue;
		}
		buf_unit(&b, u);
		if (escaped && str_unit(s, i + 1) != '\n' &&
		    str_unit(s, i + 1) != '\r' &&
		    (str_unit(s, i + 1) & 0xfffe) != 0x2028)
			buf_unit(&b, str_unit(s, ++i));
		else if (escaped)
			b.len -= 2; /* the escape of the line end has one */
		class = class ? u != ']' : u == '[';
	}
	return string_of_buf(m, &b);
}

static bool
is_space_unit(unsigned u)
{
	return u == ' ' || u == 0xa0 || u == 0x1680 ||
	       (u >= 0x2000 && u <= 0x200a) || u == 0x2028 || u == 0x2029 ||
	       u == 0x202f || u == 0x205f || u == 0x3000 || u == 0xfeff;
}

static void
put_escaped(buf *b, unsigned u, bool first)
{
	static const char controls[] = "\tt\nn\vv\ff\rr";
	const char *hit = u > 0 && u < 32 ? strchr(controls, (int)u) : NULL;
	char chars[8];

	if (hit != NULL) {
		buf_unit(b, '\\');
		buf_unit(b, (uint8_t)hit[1]);
		return;
	}
	if (u < 128 && u > 0 && strchr("^$\\.*+?()[]{}|/", (int)u)) {
		buf_unit(b, '\\');
		buf_unit(b, u);
		return;
	}
	if ((u < 128 && u > 0 && strchr(",-=<>#&!%:;@~'`\"", (int)u)) ||
	    is_space_unit(u) || (u & 0xf800) == 0xd800 ||
	    (first && ((u >= '0' && u <= '9') ||
			  ((u | 32) >= 'a' && (u | 32) <= 'z'))))
		snprintf(
		    chars, sizeof(chars), u < 256 ? "\\x%02x" : "\\u%04x", u);
	else {
		buf_unit(b, u);
		return;
	}
	buf_ascii(b, chars);
}

value
native_regexp_escape(vm *m, value *a, uint32_t argc)
{
	buf b = BUF_INIT(m->alloc, (size_t)STR_MAX * 2);
	const cell_string *s;

	(void)argc;
	if (!v_is_string(a[0]))
		return vm_throw(m, ERROR_TYPE, "not a string");
	if (!str_flatten(H(m), &a[0]))
		return vm_throw_memory(m);
	s = STR(m, a[0]);
	for (uint32_t i = 0; i < s->len; i++) {
		unsigned u = str_unit(s, i);

		if ((u & 0xfc00) == 0xd800 && i + 1 < s->len &&
		    (str_unit(s, i + 1) & 0xfc00) == 0xdc00) {
			buf_unit(&b, u);
			buf_unit(&b, str_unit(s, ++i));
		} else {
			put_escaped(&b, u, i == 0);
		}
	}
	return string_of_buf(m, &b);
}
