/* SPDX-License-Identifier: MIT */
/* native_unicode.c -- what strings do by tables of Unicode: case (unicode_cases.def, made by engine-quickjs) and
 * normal forms (utf8proc). */
#include <stdlib.h>

#include <utf8proc.h>

#include "builder.h"

static bool
this_text(vm *m, value *a, value *end)
{
	if (v_is_nullish(a[-1])) {
		*end =
		    vm_throw(m, ERROR_TYPE, "null or undefined are forbidden");
		return false;
	}
	return arg_string(m, a, -1, end);
}

/* ------------------------------------------------------------------------ case */

typedef struct case_row {
	uint32_t first, last;
	uint32_t step;
	int32_t distance;
} case_row;

typedef struct case_several {
	uint16_t from, to[3];
} case_several;

typedef struct point_range {
	uint32_t first, last;
} point_range;

static const case_row lower_row[] = {
#define LOWER(first, last, step, distance) {first, last, step, distance},
#define LOWERS(from, a, b, c)
#define UPPER(first, last, step, distance)
#define UPPERS(from, a, b, c)
#define CASED(first, last)
#define IGNORABLE(first, last)
#include "unicode_cases.def"
};
#undef LOWER
#undef LOWERS
#define LOWER(first, last, step, distance)
static const case_several lower_several[] = {
#define LOWERS(from, a, b, c) {from, {a, b, c}},
#include "unicode_cases.def"
};
#undef LOWERS
#undef UPPER
#define LOWERS(from, a, b, c)
static const case_row upper_row[] = {
#define UPPER(first, last, step, distance) {first, last, step, distance},
#include "unicode_cases.def"
};
#undef UPPER
#undef UPPERS
#define UPPER(first, last, step, distance)
static const case_several upper_several[] = {
#define UPPERS(from, a, b, c) {from, {a, b, c}},
#include "unicode_cases.def"
};
#undef UPPERS
#undef CASED
#define UPPERS(from, a, b, c)
static const point_range cased[] = {
#define CASED(first, last) {first, last},
#include "unicode_cases.def"
};
#undef CASED
#undef IGNORABLE
#define CASED(first, last)
static const point_range ignorable[] = {
#define IGNORABLE(first, last) {first, last},
#include "unicode_cases.def"
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool
is_in_points(const point_range *r, size_t n, uint32_t c)
{
	size_t low = 0;

	while (n > low) {
		size_t i = low + (n - low) / 2;

		if (c > r[i].last)
			low = i + 1;
		else if (c < r[i].first)
			n = i;
		else
			return true;
	}
	return false;
}

static const case_row *
find_row(const case_row *r, size_t n, uint32_t c)
{
	size_t low = 0;

	while (n > low) {
		size_t i = low + (n - low) / 2;

		if (c > r[i].last)
			low = i + 1;
		else if (c < r[i].first)
			n = i;
		else
			return (c - r[i].first) % r[i].step == 0 ? &r[i] : NULL;
	}
	return NULL;
}

static int
compare_several(const void *key, const void *entry)
{
	uint32_t c = *(const uint32_t *)key;
	uint32_t from = ((const case_several *)entry)->from;

	return c < from ? -1 : c > from;
}

static void
put_case(builder *b, uint32_t c, bool upper)
{
	const case_several *several;
	const case_row *row;

	if (c < 0x80) {
		if (c - (upper ? 'a' : 'A') < 26)
			c ^= 0x20;
		builder_unit(b, (uint16_t)c);
		return;
	}
	several = upper ? bsearch(&c, upper_several, COUNT(upper_several),
			      sizeof(*upper_several), compare_several)
			: bsearch(&c, lower_several, COUNT(lower_several),
			      sizeof(*lower_several), compare_several);
	if (several != NULL) {
		for (int i = 0; i < 3 && several->to[i] != 0; i++)
			builder_unit(b, several->to[i]);
		return;
	}
	row = upper ? find_row(upper_row, COUNT(upper_row), c)
		    : find_row(lower_row, COUNT(lower_row), c);
	builder_point(b, row ? (uint32_t)((int32_t)c + row->distance) : c);
}

/* The code point before i, which moves to it. */
static uint32_t
point_before(const cell_string *s, uint32_t *i)
{
	uint32_t at = --*i;

	if (at > 0 && (str_unit(s, at) & 0xfc00) == 0xdc00 &&
	    (str_unit(s, at - 1) & 0xfc00) == 0xd800)
		at = --*i;
	return str_point(s, &at);
}

/* A sigma at [from, to): does a cased letter stand before it, and none behind,
 * when those that do not count are passed over? */
static bool
is_final_sigma(const cell_string *s, uint32_t from, uint32_t to)
{
	uint32_t c = 0;
	bool counts = false;

	while (from > 0 && !counts) {
		c = point_before(s, &from);
		counts = !is_in_points(ignorable, COUNT(ignorable), c);
	}
	if (!counts || !is_in_points(cased, COUNT(cased), c))
		return false;
	for (counts = false; to < s->len && !counts;) {
		c = str_point(s, &to);
		counts = !is_in_points(ignorable, COUNT(ignorable), c);
	}
	return !counts || !is_in_points(cased, COUNT(cased), c);
}

static value
changed_case(vm *m, value *a, bool upper)
{
	enum { SIGMA = 0x3a3, FINAL_SIGMA = 0x3c2 };
	builder b = BUILDER_INIT(m);
	const cell_string *s;
	uint32_t i = 0;
	value end;

	if (!this_text(m, a, &end))
		return end;
	s = STR(m, a[-1]);
	if (!vm_steps(m, s->len / 64))
		return V_THROWN;
	builder_room(&b, s->len, s->head.flags & CELL_WIDE);
	while (i < s->len) {
		uint32_t at = i, c = str_point(s, &i);

		if (c == SIGMA && !upper && is_final_sigma(s, at, i))
			builder_unit(&b, FINAL_SIGMA);
		else
			put_case(&b, c, upper);
	}
	return builder_end(&b);
}

value
native_string_lower(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return changed_case(m, a, false);
}

value
native_string_upper(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return changed_case(m, a, true);
}

/* ---------------------------------------------------------------- normal forms */

/* Is the text its own normal form, of all kinds (or, of Latin-1, of NFC)? */
static bool
is_normal(const cell_string *s, int options)
{
	if (s->head.flags & CELL_WIDE)
		return false;
	if (options == (UTF8PROC_STABLE | UTF8PROC_COMPOSE))
		return true;
	for (uint32_t i = 0; i < s->len; i++)
		if (s->u.narrow[i] >= 0x80)
			return false;
	return true;
}

/* Decomposes; returns the count, which may pass the room. */
static size_t
decompose(const cell_string *s, int options, utf8proc_int32_t *to, size_t room)
{
	size_t n = 0;

	for (uint32_t i = 0; i < s->len;) {
		utf8proc_ssize_t more = utf8proc_decompose_char(
		    (utf8proc_int32_t)str_point(s, &i), to ? to + n : NULL,
		    (utf8proc_ssize_t)(room - n),
		    (utf8proc_option_t)(options | UTF8PROC_DECOMPOSE), NULL);

		n += more > 0 ? (size_t)more : 0;
	}
	return n;
}

/* Marks behind a character in the order of their classes; equal ones stay. */
static void
order_marks(utf8proc_int32_t *c, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		int class = utf8proc_get_property(c[i])->combining_class;
		utf8proc_int32_t mark = c[i];
		size_t k = i;

		for (; class > 0 && k > 0 &&
		       utf8proc_get_property(c[k - 1])->combining_class > class;
		     k--)
			c[k] = c[k - 1];
		c[k] = mark;
	}
}

/* *v: flat; may become another string. False: thrown. */
static bool
normalize(vm *m, value *v, int options)
{
	builder b = BUILDER_INIT(m);
	size_t n, bytes;
	utf8proc_int32_t *c;

	if (is_normal(STR(m, *v), options))
		return true;
	if (!vm_steps(m, STR(m, *v)->len / 16))
		return false;
	n = decompose(STR(m, *v), options, NULL, 0);
	bytes = (n + 1) * sizeof(*c);
	c = mem_new(m->alloc, bytes);
	if (c == NULL) {
		vm_throw_memory(m);
		return false;
	}
	decompose(STR(m, *v), options, c, n);
	order_marks(c, n);
	if (options & UTF8PROC_COMPOSE)
		n = (size_t)utf8proc_normalize_utf32(
		    c, (utf8proc_ssize_t)n, (utf8proc_option_t)options);
	for (size_t i = 0; i < n; i++)
		builder_point(&b, (uint32_t)c[i]);
	mem_free(m->alloc, c, bytes);
	*v = builder_end(&b);
	return *v != V_THROWN;
}

/* The options of a form's name; -1: there is no such form. */
static int
form_options(const cell_string *name)
{
	static const struct {
		char name[5];
		int options;
	} form[] = {{"NFC", UTF8PROC_STABLE | UTF8PROC_COMPOSE},
	    {"NFD", UTF8PROC_STABLE},
	    {"NFKC", UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT},
	    {"NFKD", UTF8PROC_STABLE | UTF8PROC_COMPAT}};

	for (size_t i = 0; i < COUNT(form); i++)
		if (!(name->head.flags & CELL_WIDE) &&
		    name->len == strlen(form[i].name) &&
		    memcmp(name->u.narrow, form[i].name, name->len) == 0)
			return form[i].options;
	return -1;
}

value
native_string_normalize(vm *m, value *a, uint32_t argc)
{
	int options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
	value end;

	(void)argc;
	if (!this_text(m, a, &end))
		return end;
	if (a[0] != V_UNDEFINED) {
		if (!arg_string(m, a, 0, &end))
			return end;
		options = form_options(STR(m, a[0]));
	}
	if (options < 0)
		return vm_throw(m, ERROR_RANGE, "bad normalization form");
	return normalize(m, &a[-1], options) ? a[-1] : V_THROWN;
}

value
native_string_compare(vm *m, value *a, uint32_t argc)
{
	value end;

	(void)argc;
	if (!this_text(m, a, &end) || !arg_string(m, a, 0, &end))
		return end;
	if (!normalize(m, &a[-1], UTF8PROC_STABLE | UTF8PROC_COMPOSE) ||
	    !normalize(m, &a[0], UTF8PROC_STABLE | UTF8PROC_COMPOSE))
		return V_THROWN;
	return v_of_int(str_compare(STR(m, a[-1]), STR(m, a[0])));
}
