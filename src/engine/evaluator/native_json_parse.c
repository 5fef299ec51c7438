/* SPDX-License-Identifier: MIT */
/*
 * native_json_parse.c -- JSON.parse.
 *
 * Values wait in m->work until what is around them closes: an array or an
 * object is then made at once in its size. An opened container is a number
 * there: twice the place of the one around it, and 1 for an object.
 *
 * Objects of the same members in the same order get their shape from the last
 * of them: the first SHAPES entries of m->work keep some.
 */
#include <string.h>

#include "builder.h"
#include "numbers.h"

#include "source/lex.h"

enum { SHAPES = 16, NOT_OPEN = 0, MEMBERS_MOST = 255 };

enum { TEXT, SOURCES, VALUE, SPARE }; /* of a[] */

typedef struct parser {
	vm *m;
	value *a;
	uint32_t at, len; /* units of the text */
	uint32_t open;    /* where the innermost container is; NOT_OPEN */
} parser;

/* The unit at p->at; 0 behind the end, which no JSON has outside of strings. */
static uint16_t
unit_here(const parser *p)
{
	return p->at < p->len ? str_unit(STR(p->m, p->a[TEXT]), p->at) : 0;
}

static uint16_t
skip_white(parser *p)
{
	const cell_string *s = STR(p->m, p->a[TEXT]);

	for (; p->at < p->len; p->at++) {
		uint16_t c = str_unit(s, p->at);

		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return c;
	}
	return 0;
}

/* ---------------------------------------------------------------------- errors */

static bool
refuse_at(parser *p, uint32_t at, const char *why)
{
	const cell_string *s = STR(p->m, p->a[TEXT]);
	unsigned line = 1, column = 1;

	for (uint32_t i = 0; i < at && i < p->len; i++) {
		column++;
		if (str_unit(s, i) == '\n') {
			line++;
			column = 1;
		}
	}
	vm_throw(p->m, ERROR_SYNTAX,
	    "%s in JSON at position %u (line %u column %u)", why, at, line,
	    column);
	return false;
}

static bool
refuse_end(parser *p)
{
	vm_throw(p->m, ERROR_SYNTAX, "Unexpected end of JSON input");
	return false;
}

/* What begins no value. */
static bool
refuse_json_token(parser *p)
{
	uint32_t to = p->at;
	value token;

	if (p->at == p->len)
		return refuse_end(p);
	while (to < p->len && to - p->at < 20 &&
	       is_ascii_word(str_unit(STR(p->m, p->a[TEXT]), to)))
		to++;
	if (to == p->at)
		to++;
	token = v_of_string(str_sub(H(p->m), &p->a[TEXT], p->at, to));
	if (v_ref(token) == 0) {
		vm_throw_memory(p->m);
		return false;
	}
	p->a[SPARE] = token;
	vm_throw(p->m, ERROR_SYNTAX, "unexpected token: '%V'", &p->a[SPARE]);
	return false;
}

/* --------------------------------------------------------------------- strings */

static int
hex_unit(const cell_string *s, uint32_t at, uint32_t len)
{
	int code_unit = 0;

	for (uint32_t i = at; i < at + 4; i++) {
		uint16_t c = i < len ? str_unit(s, i) : 0;
		int digit = c < 0x80 ? js_hex_digit((char)c) : -1;

		if (digit < 0)
			return -1;
		code_unit = code_unit << 4 | digit;
	}
	return code_unit;
}

/* What stands behind a backslash at *at, which moves behind it. */
static bool
parse_json_escape(parser *p, builder *b, const cell_string *s, uint32_t *at)
{
	static const char plain[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	uint16_t c = *at < p->len ? str_unit(s, *at) : 0;
	const char *found = c > 0 && c < 0x80 ? strchr(plain, c) : NULL;
	int code_unit;

	if (*at >= p->len)
		return refuse_end(p);
	++*at;
	if (found != NULL) {
		builder_unit(b, (uint8_t)means[found - plain]);
		return true;
	}
	if (c != 'u')
		return refuse_at(p, *at - 1, "Bad escaped character");
	code_unit = hex_unit(s, *at, p->len);
	if (code_unit < 0)
		return refuse_at(p, *at, "Bad Unicode escape");
	builder_unit(b, (uint16_t)code_unit);
	*at += 4;
	return true;
}

static value
read_escaped(parser *p, uint32_t from)
{
	const cell_string *s = STR(p->m, p->a[TEXT]);
	builder b = BUILDER_INIT(p->m);

	while (p->at < p->len) {
		uint16_t c = str_unit(s, p->at);

		if (c == '"') {
			builder_part(&b, s, from, p->at++);
			return builder_end(&b);
		}
		if (c < ' ') {
			refuse_at(p, p->at,
			    "Bad control character in string literal");
			break;
		}
		p->at++;
		if (c != '\\')
			continue;
		builder_part(&b, s, from, p->at - 1);
		from = p->at;
		if (!parse_json_escape(p, &b, s, &from))
			break;
		p->at = from;
	}
	if (p->at >= p->len && p->m->thrown == V_HOLE)
		refuse_end(p);
	builder_fini(&b);
	return V_THROWN;
}

/* Behind its quote. To what the next quote is, *to, nothing is escaped. */
static bool
find_quote(parser *p, uint32_t *to)
{
	const cell_string *s = STR(p->m, p->a[TEXT]);
	uint32_t i = p->at;

	if (s->head.flags & CELL_WIDE) {
		while (i < p->len && s->u.wide[i] != '"' &&
		       s->u.wide[i] != '\\' && s->u.wide[i] >= ' ')
			i++;
	} else {
		while (i < p->len && s->u.narrow[i] != '"' &&
		       s->u.narrow[i] != '\\' && s->u.narrow[i] >= ' ')
			i++;
	}
	*to = i;
	return i < p->len && str_unit(s, i) == '"';
}

static value
parse_json_string(parser *p)
{
	uint32_t from = p->at + 1, to;
	ref r;

	p->at = from;
	if (!find_quote(p, &to)) {
		p->at = to;
		return read_escaped(p, from);
	}
	p->at = to + 1;
	r = str_sub(H(p->m), &p->a[TEXT], from, to);
	return r ? v_of_string(r) : vm_throw_memory(p->m);
}

/* A name that is known needs no string of its own. */
static value
known_key(parser *p)
{
	const cell_string *s = STR(p->m, p->a[TEXT]);
	uint32_t from = p->at + 1, to;
	ref r;

	if (s->head.flags & CELL_WIDE)
		return V_UNDEFINED;
	p->at = from;
	if (!find_quote(p, &to) || to - from < 1 ||
	    (s->u.narrow[from] >= '0' && s->u.narrow[from] <= '9')) {
		p->at = from - 1;
		return V_UNDEFINED;
	}
	r = atom_known(H(p->m), &p->m->atoms, s->u.narrow + from, to - from);
	if (r == 0) {
		p->at = from - 1;
		return V_UNDEFINED;
	}
	p->at = to + 1;
	return v_of_string(r);
}

/* A member's name and its colon. */
static bool
read_member_key(parser *p)
{
	value key;

	if (skip_white(p) != '"')
		return p->at == p->len && p->open == NOT_OPEN
			   ? refuse_end(p)
			   : refuse_at(
				 p, p->at, "Expected property name or '}'");
	key = known_key(p);
	if (key == V_UNDEFINED) {
		key = p->a[VALUE] = parse_json_string(p);
		if (key != V_THROWN)
			key = vm_key(p->m, &p->a[VALUE]);
	}
	if (key == V_THROWN || !vm_work_push(p->m, key))
		return false;
	if (skip_white(p) != ':')
		return refuse_at(p, p->at, "Expected ':' after property name");
	p->at++;
	return true;
}

/* --------------------------------------------------------------------- numbers */

static bool
is_digit_at(const parser *p, uint32_t at)
{
	uint16_t c = at < p->len ? str_unit(STR(p->m, p->a[TEXT]), at) : 0;

	return c >= '0' && c <= '9';
}

/* Moves *at over digits; false: there are none. */
static bool
skip_digits(const parser *p, uint32_t *at)
{
	uint32_t from = *at;

	while (is_digit_at(p, *at))
		++*at;
	return *at > from;
}

/* Checks the grammar of JSON; number_read then makes the number. */
static bool
parse_number(parser *p)
{
	uint32_t from = p->at, at = from, whole;
	int32_t small = 0;
	double d;

	at += unit_here(p) == '-';
	whole = at;
	if (!skip_digits(p, &at))
		return refuse_at(p, from, "No number after minus sign");
	if (at - whole > 1 && str_unit(STR(p->m, p->a[TEXT]), whole) == '0')
		return refuse_at(p, from, "Unexpected number");
	p->at = at;
	if (unit_here(p) != '.' && (unit_here(p) | 0x20) != 'e' &&
	    at - whole <= 9 && whole == from) {
		for (uint32_t i = whole; i < at; i++)
			small = small * 10 +
				(str_unit(STR(p->m, p->a[TEXT]), i) - '0');
		p->a[VALUE] = v_of_int(small);
		return true;
	}
	if (unit_here(p) == '.') {
		p->at++;
		if (!skip_digits(p, &p->at))
			return refuse_at(
			    p, p->at, "Unterminated fractional number");
	}
	if ((unit_here(p) | 0x20) == 'e') {
		p->at++;
		p->at += unit_here(p) == '+' || unit_here(p) == '-';
		if (!skip_digits(p, &p->at))
			return refuse_at(
			    p, p->at, "Exponent part is missing a number");
	}
	number_read(STR(p->m, p->a[TEXT]), &from, &d);
	p->a[VALUE] = v_of_number(d);
	return true;
}

/* ------------------------------------------------------------------ containers */

static bool
push_container(parser *p, bool object)
{
	uint32_t spot = p->m->work_len;

	if (!vm_work_push(p->m, v_of_number(2.0 * p->open + object)))
		return false;
	p->open = spot;
	p->at++;
	return true;
}

static bool
is_in_object(const parser *p)
{
	return (uint64_t)v_number(p->m->work[p->open]) & 1;
}

/* Drops what the container's values are made of; p->a[VALUE] is the container. */
static void
drop_container(parser *p)
{
	uint32_t spot = p->open;

	p->open = (uint32_t)(v_number(p->m->work[spot]) / 2);
	p->m->work_len = spot;
}

static bool
close_array(parser *p)
{
	vm *m = p->m;
	uint32_t n = m->work_len - p->open - 1, len;
	value array = array_make(m, n, n);

	if (array == V_THROWN)
		return false;
	if (n > 0)
		memcpy(array_values(m, array, &len), m->work + p->open + 1,
		    (size_t)n * sizeof(value));
	p->a[VALUE] = array;
	drop_container(p);
	return true;
}

/* Where the shape of objects with these members is kept. */
static value *
shape_place(const parser *p, const value *pairs, uint32_t n)
{
	return &p->m->work[(v_ref(pairs[0]) + n * 5) % SHAPES];
}

/* An object of a shape that is kept; false: there is none that fits. */
static bool
make_like_last(parser *p, uint32_t n)
{
	vm *m = p->m;
	const value *pairs = m->work + p->open + 1;
	value *kept;
	cell_object *o;
	ref r;

	if (n == 0 || n > MEMBERS_MOST ||
	    !heap_reserve(H(m), sizeof(cell_object) + n * sizeof(value)))
		return false;
	kept = shape_place(p, pairs, n);
	if (*kept == V_UNDEFINED || !shape_fits(H(m), v_ref(*kept), pairs, n))
		return false;
	r = object_new(H(m), CLASS_OBJECT, v_ref(*kept), n);
	o = CELL(H(m), r, cell_object);
	for (uint32_t i = 0; i < n; i++)
		o->v[i] = pairs[2 * i + 1];
	p->a[VALUE] = v_of_object(r);
	return true;
}

static bool
make_json_object(parser *p, uint32_t n)
{
	vm *m = p->m;
	uint32_t first = p->open + 1;
	unsigned room = n < MEMBERS_MOST ? n : MEMBERS_MOST;

	p->a[VALUE] = object_make(m, &m->realm[R_object], CLASS_OBJECT, room);
	if (p->a[VALUE] == V_THROWN)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!prop_put(m, &p->a[VALUE], &m->work[first + 2 * i],
			&m->work[first + 2 * i + 1], P_PLAIN))
			return false;
	if (n > 0 && n <= MEMBERS_MOST &&
	    shape_fits(H(m), OBJ(m, p->a[VALUE])->shape, m->work + first, n))
		*shape_place(p, m->work + first, n) =
		    v_of_ref(TAG_CELL, OBJ(m, p->a[VALUE])->shape);
	return true;
}

static bool
close_object(parser *p)
{
	uint32_t n = (p->m->work_len - p->open - 1) / 2;

	if (!make_like_last(p, n) && !make_json_object(p, n))
		return false;
	drop_container(p);
	return true;
}

/* ---------------------------------------------------------------------- values */

static bool
parse_word(parser *p, const char *word, value v)
{
	const cell_string *s = STR(p->m, p->a[TEXT]);
	uint32_t n = (uint32_t)strlen(word);

	for (uint32_t i = 0; i < n; i++)
		if (p->at + i >= p->len ||
		    str_unit(s, p->at + i) != (uint8_t)word[i])
			return refuse_json_token(p);
	p->at += n;
	p->a[VALUE] = v;
	return true;
}

/* a[VALUE] becomes [value, its source]; of a container the source is missing. */
static bool
add_source(parser *p, bool primitive, uint32_t from)
{
	vm *m = p->m;
	ref source;

	p->a[SPARE] = V_UNDEFINED;
	if (primitive) {
		source = str_sub(H(m), &p->a[TEXT], from, p->at);
		if (source == 0)
			return vm_throw_memory(m), false;
		p->a[SPARE] = v_of_string(source);
	}
	p->a[SPARE + 1] = array_make(m, 0, 2);
	if (p->a[SPARE + 1] == V_THROWN ||
	    !array_push_value(m, &p->a[SPARE + 1], &p->a[VALUE]) ||
	    !array_push_value(m, &p->a[SPARE + 1], &p->a[SPARE]))
		return false;
	p->a[VALUE] = p->a[SPARE + 1];
	return true;
}

static bool
parse_primitive(parser *p, uint16_t c)
{
	switch (c) {
	case '"':
		p->a[VALUE] = parse_json_string(p);
		return p->a[VALUE] != V_THROWN;
	case 't':
		return parse_word(p, "true", V_TRUE);
	case 'f':
		return parse_word(p, "false", V_FALSE);
	case 'n':
		return parse_word(p, "null", V_NULL);
	default:
		if (c != '-' && !(c >= '0' && c <= '9'))
			return refuse_json_token(p);
		return parse_number(p);
	}
}

/* Reads to the end of a value that is whole, into a[VALUE]: a primitive, or an
 * empty container. */
static bool
parse_value(parser *p)
{
	for (;;) {
		uint16_t c = skip_white(p);
		uint32_t from = p->at;
		bool primitive = c != '{' && c != '[';

		if (primitive)
			return parse_primitive(p, c) &&
			       (p->a[SOURCES] != V_TRUE ||
				   add_source(p, true, from));
		if (!push_container(p, c == '{'))
			return false;
		if (skip_white(p) == (c == '{' ? '}' : ']')) {
			p->at++;
			return (c == '{' ? close_object(p) : close_array(p)) &&
			       (p->a[SOURCES] != V_TRUE ||
				   add_source(p, false, from));
		}
		if (c == '{' && !read_member_key(p))
			return false;
	}
}

/* Behind a value in a container. *more: another value follows; else a[VALUE] is
 * the container, closed. */
static bool
parse_behind(parser *p, bool *more)
{
	bool object = is_in_object(p);
	uint16_t c;

	if (!vm_work_push(p->m, p->a[VALUE]))
		return false;
	c = skip_white(p);
	*more = c == ',';
	if (*more) {
		p->at++;
		return !object || read_member_key(p);
	}
	if (c != (object ? '}' : ']'))
		return refuse_at(p, p->at,
		    object ? "Expected ',' or '}' after property value"
			   : "Expected ',' or ']' after array element");
	p->at++;
	return (object ? close_object(p) : close_array(p)) &&
	       (p->a[SOURCES] != V_TRUE || add_source(p, false, 0));
}

static bool
parse_whole(parser *p)
{
	bool more;

	for (int i = 0; i < SHAPES; i++)
		if (!vm_work_push(p->m, V_UNDEFINED))
			return false;
	if (!vm_steps(p->m, p->len / 64))
		return false;
	do {
		if (!parse_value(p))
			return false;
		more = false;
		while (!more && p->open != NOT_OPEN)
			if (!parse_behind(p, &more))
				return false;
	} while (more);
	if (skip_white(p) == 0 && p->at == p->len)
		return true;
	vm_throw(p->m, ERROR_SYNTAX, "unexpected data at the end");
	return false;
}

value
native_json_parse(vm *m, value *a, uint32_t argc)
{
	parser p = {.m = m, .a = a, .open = NOT_OPEN};
	value end;
	bool ok;

	(void)argc;
	if (!arg_string(m, a, 0, &end))
		return end;
	p.len = STR(m, a[0])->len;
	ok = parse_whole(&p);
	vm_work_drop(m);
	return ok ? a[VALUE] : V_THROWN;
}
