/* SPDX-License-Identifier: MIT */
/*
 * native_json_write.c -- JSON.stringify of plain data. Whatever a script could
 * see happen (toJSON, a getter, a proxy), or that needs a closer look (a cycle),
 * is done by lib/json.js from the beginning.
 *
 * The objects that are being written are in m->work: the object, the number of
 * its next element or property, and how many were written.
 */
#include <math.h>
#include <stdio.h>

#include "builder.h"
#include "numbers.h"

enum { OBJECT, NEXT, WRITTEN, ENTRY };

enum { SPACE = 2, VALUE, KEY, FOUND }; /* of a[] */

typedef enum written {
	DONE,     /* or an entry in m->work, whose bracket is written */
	LEFT_OUT, /* undefined, a function, a symbol */
	NOT_PLAIN,
	FAILED
} written;

typedef struct writer {
	vm *m;
	value *a;
	builder out;
	value *gap; /* a flat string that indents one level; NULL: none */
	ref plain;  /* objects of this shape have no toJSON */
} writer;

/* --------------------------------------------------------------------- strings */

static void
escape_unit(builder *b, uint16_t c)
{
	static const char short_form[] = "\bb\tt\nn\ff\rr\"\"\\\\";
	char chars[8];

	for (int i = 0; short_form[i]; i += 2)
		if (c == (uint8_t)short_form[i]) {
			builder_unit(b, '\\');
			builder_unit(b, (uint8_t)short_form[i + 1]);
			return;
		}
	builder_latin1(
	    b, chars, (size_t)snprintf(chars, sizeof(chars), "\\u%04x", c));
}

static bool
is_escaped(const cell_string *s, uint32_t i)
{
	uint16_t c = str_unit(s, i);

	if (c < ' ' || c == '"' || c == '\\')
		return true;
	if ((c & 0xf800) != 0xd800)
		return false;
	if (c < 0xdc00)
		return i + 1 == s->len ||
		       (str_unit(s, i + 1) & 0xfc00) != 0xdc00;
	return i == 0 || (str_unit(s, i - 1) & 0xfc00) != 0xd800;
}

static void
quote_string(builder *b, const cell_string *s)
{
	uint32_t from = 0;

	builder_unit(b, '"');
	for (uint32_t i = 0; i < s->len; i++) {
		if (!is_escaped(s, i))
			continue;
		builder_part(b, s, from, i);
		escape_unit(b, str_unit(s, i));
		from = i + 1;
	}
	builder_part(b, s, from, s->len);
	builder_unit(b, '"');
}

value
native_json_quote(vm *m, value *a, uint32_t argc)
{
	builder b = BUILDER_INIT(m);
	value end;

	(void)argc;
	if (!arg_string(m, a, 0, &end))
		return end;
	quote_string(&b, STR(m, a[0]));
	return builder_end(&b);
}

/* ---------------------------------------------------------------------- values */

static void
put_indent(writer *w)
{
	uint32_t depth = w->m->work_len / ENTRY;

	if (w->gap == NULL)
		return;
	builder_unit(&w->out, '\n');
	while (depth-- > 0)
		builder_part(
		    &w->out, STR(w->m, *w->gap), 0, STR(w->m, *w->gap)->len);
}

/* Can the object be read without running anything? */
static bool
is_plain_object(writer *w, value v)
{
	vm *m = w->m;
	const cell_object *o = OBJ(m, v);
	object_class class = object_class_of(H(m), v_ref(v));

	if (o->head.flags & CELL_EXOTIC || class == CLASS_PROXY ||
	    class == CLASS_VIEW || class == CLASS_NUMBER ||
	    class == CLASS_STRING || class == CLASS_BOOLEAN ||
	    class == CLASS_BIGINT || class == CLASS_ITERATOR ||
	    class == CLASS_ARGUMENTS)
		return false;
	if (o->head.flags & CELL_SPARSE ||
	    (o->head.flags & CELL_ARRAY && !array_is_plain(m, v)))
		return false;
	if (o->shape == w->plain)
		return true;
	w->a[VALUE] = v;
	if (prop_get(m, &w->a[VALUE], &w->a[KEY], &w->a[FOUND], NULL) !=
	    PROP_ABSENT)
		return false;
	w->plain = OBJ(m, w->a[VALUE])->shape;
	return true;
}

/* Is it open already? Looked at only at some depths: a cycle comes by again. */
static bool
is_cycle(const writer *w, value v)
{
	const vm *m = w->m;
	uint32_t depth = m->work_len / ENTRY;

	if (depth < 64 || (depth & (depth - 1)) != 0)
		return false;
	for (uint32_t i = 0; i < depth; i++)
		if (m->work[i * ENTRY + OBJECT] == v)
			return true;
	return false;
}

static written
open_object(writer *w, value v)
{
	vm *m = w->m;

	w->a[VALUE] = v;
	if (!is_plain_object(w, v) || is_cycle(w, w->a[VALUE]))
		return NOT_PLAIN;
	v = w->a[VALUE];
	if (v_is_function(m, v))
		return LEFT_OUT;
	if (!vm_steps(m, 1))
		return FAILED;
	if (!vm_work_push(m, v) || !vm_work_push(m, v_of_int(0)) ||
	    !vm_work_push(m, v_of_int(0)))
		return FAILED;
	builder_unit(&w->out, OBJ(m, v)->head.flags & CELL_ARRAY ? '[' : '{');
	return DONE;
}

static bool
is_left_out(const vm *m, value v)
{
	return v == V_UNDEFINED || v_tag(v) == TAG_SYMBOL ||
	       v_is_function(m, v);
}

/* Of what is not left out. */
static written
stringify_value(writer *w, value v)
{
	vm *m = w->m;
	char number[32];

	if (v_is_number(v)) {
		if (!isfinite(v_number(v)))
			builder_latin1(&w->out, "null", 4);
		else
			builder_latin1(&w->out, number,
			    vm_number_text(v_number(v), number));
		return DONE;
	}
	if (v_is_string(v)) {
		w->a[VALUE] = v;
		if (CELL(H(m), v_ref(v), cell)->kind != CELL_STRING &&
		    !str_flatten(H(m), &w->a[VALUE])) {
			vm_throw_memory(m);
			return FAILED;
		}
		w->plain = 0; /* cells may have moved */
		quote_string(&w->out, STR(m, w->a[VALUE]));
		return DONE;
	}
	if (v_is_object(v))
		return open_object(w, v);
	if (v_is_bigint(v))
		return NOT_PLAIN;
	if (v == V_TRUE)
		builder_latin1(&w->out, "true", 4);
	else if (v == V_FALSE)
		builder_latin1(&w->out, "false", 5);
	else
		builder_latin1(&w->out, "null", 4);
	return DONE;
}

/* ------------------------------------------------------------------ containers */

static value *
entry_of(const writer *w)
{
	return w->m->work + w->m->work_len - ENTRY;
}

/* The next member of the object on top that has a text, its key in a[KEY + 2];
 * V_HOLE: there is none, or (*plain false) it is an accessor. */
static value
next_member(writer *w, value *key, bool *plain)
{
	vm *m = w->m;
	value *entry = entry_of(w);
	ref o = v_ref(entry[OBJECT]);
	uint32_t i = (uint32_t)v_int(entry[NEXT]), elements = 0;
	unsigned attr;

	*plain = true;
	if (OBJ(m, entry[OBJECT])->elements != 0)
		array_values(m, entry[OBJECT], &elements);
	for (;; i++) {
		value v;

		if (i < elements) {
			const value *at = element_at(H(m), o, i);

			*key = v_of_int((int32_t)i);
			v = at ? *at : V_UNDEFINED;
		} else if (i - elements < object_count(H(m), o)) {
			*key = object_key(H(m), o, i - elements, &attr);
			if (!v_is_string(*key) || !(attr & P_ENUM))
				continue;
			v = *object_slot(H(m), o, i - elements);
			*plain = !(attr & P_ACCESSOR);
			if (!*plain)
				return V_HOLE;
		} else {
			return V_HOLE;
		}
		if (v_is_function(m, v) && !is_plain_object(w, v)) {
			*plain = false;
			return V_HOLE;
		}
		if (!is_left_out(m, v)) {
			entry_of(w)[NEXT] = v_of_int((int32_t)i + 1);
			return v;
		}
	}
}

static void
begin_json_item(writer *w)
{
	value *entry = entry_of(w);

	if (entry[WRITTEN] != v_of_int(0))
		builder_unit(&w->out, ',');
	entry[WRITTEN] = v_of_int(1);
	put_indent(w);
}

static void
put_json_key(writer *w, value key)
{
	char number[32];

	if (v_is_int(key)) {
		builder_unit(&w->out, '"');
		builder_latin1(
		    &w->out, number, vm_number_text(v_int(key), number));
		builder_unit(&w->out, '"');
	} else {
		quote_string(&w->out, STR(w->m, key));
	}
	builder_unit(&w->out, ':');
	if (w->gap != NULL)
		builder_unit(&w->out, ' ');
}

static written
close_entry(writer *w, char bracket)
{
	bool any = entry_of(w)[WRITTEN] != v_of_int(0);

	w->m->work_len -= ENTRY;
	if (any)
		put_indent(w);
	builder_unit(&w->out, (uint8_t)bracket);
	return DONE;
}

static written
stringify_element(writer *w)
{
	vm *m = w->m;
	value *entry = entry_of(w), v;
	uint32_t i = (uint32_t)v_int(entry[NEXT]), len;
	const value *elements = array_values(m, entry[OBJECT], &len);

	if (i == len)
		return close_entry(w, ']');
	entry[NEXT] = v_of_int((int32_t)i + 1);
	v = elements[i];
	begin_json_item(w);
	if (v_is_function(m, v) && !is_plain_object(w, v))
		return NOT_PLAIN;
	if (is_left_out(m, v))
		v = V_NULL;
	return stringify_value(w, v);
}

static written
stringify_member(writer *w)
{
	bool plain;
	value key, v = next_member(w, &key, &plain);

	if (!plain)
		return NOT_PLAIN;
	if (v == V_HOLE)
		return close_entry(w, '}');
	begin_json_item(w);
	put_json_key(w, key);
	return stringify_value(w, v);
}

static written
stringify_whole(writer *w, value v)
{
	vm *m = w->m;
	written r = stringify_value(w, v);

	while (m->work_len > 0 && r == DONE && !w->out.bad)
		r = OBJ(m, entry_of(w)[OBJECT])->head.flags & CELL_ARRAY
			? stringify_element(w)
			: stringify_member(w);
	return r;
}

/* The third argument as a string that indents, in a[SPACE]; no object. */
static bool
read_space(vm *m, value *a)
{
	ref r;

	if (v_is_number(a[SPACE])) {
		double n = vm_integer(v_number(a[SPACE]));

		n = n < 0 ? 0 : n > 10 ? 10 : n;
		r = str_of_latin1(H(m), "          ", (uint32_t)n);
	} else if (v_is_string(a[SPACE])) {
		uint32_t len = str_len(H(m), v_ref(a[SPACE]));

		if (!str_flatten(H(m), &a[SPACE]))
			return vm_throw_memory(m), false;
		r = str_sub(H(m), &a[SPACE], 0, len < 10 ? len : 10);
	} else {
		a[SPACE] = V_UNDEFINED;
		return true;
	}
	a[SPACE] = v_of_string(r);
	if (r != 0 && str_len(H(m), r) == 0)
		a[SPACE] = V_UNDEFINED;
	return r != 0 || (vm_throw_memory(m), false);
}

value
native_json_stringify(vm *m, value *a, uint32_t argc)
{
	writer w = {.m = m, .a = a, .out = BUILDER_INIT(m)};
	written r;

	(void)argc;
	if (v_is_object(a[1]) || v_is_object(a[SPACE]))
		return V_FALLBACK;
	a[KEY] = vm_key_text(m, "toJSON");
	if (a[KEY] == V_THROWN || !read_space(m, a))
		return V_THROWN;
	if (a[SPACE] != V_UNDEFINED)
		w.gap = &a[SPACE];
	if (is_left_out(m, a[0]) && !v_is_object(a[0]))
		return V_UNDEFINED;
	r = stringify_whole(&w, a[0]);
	vm_work_drop(m);
	if (r == DONE && !w.out.bad)
		return builder_end(&w.out);
	builder_fini(&w.out);
	if (r == FAILED)
		return V_THROWN;
	if (w.out.bad)
		return w.out.len >= STR_MAX / 2
			   ? vm_throw(m, ERROR_RANGE, "invalid string length")
			   : vm_throw_memory(m);
	return r == LEFT_OUT ? V_UNDEFINED : V_FALLBACK;
}
