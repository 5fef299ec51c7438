/* SPDX-License-Identifier: MIT */
/* regexp_set.c -- sets of characters: see regexp.h. */
#include "regexp.h"

#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 16
#include <pcre2.h>

/* -------------------------------------------------------------------- rows */

void
rx_add(arena *a, rx_set *s, uint32_t low, uint32_t high)
{
	size_t i = s->len, end;
	rx_range *grown;

	if (low > high)
		return;
	while (i > 0 && s->r[i - 1].high + 1 >= low)
		i--;
	for (end = i; end < s->len && s->r[end].low <= high + 1; end++) {
		low = s->r[end].low < low ? s->r[end].low : low;
		high = s->r[end].high > high ? s->r[end].high : high;
	}
	if (end == i) {
		grown = arena_grow(a, s->r, &s->cap, s->len, sizeof(*s->r));
		if (grown == NULL)
			return;
		s->r = grown;
		memmove(&s->r[i + 1], &s->r[i], (s->len - i) * sizeof(*s->r));
		s->len++;
	} else {
		memmove(
		    &s->r[i + 1], &s->r[end], (s->len - end) * sizeof(*s->r));
		s->len -= end - i - 1;
	}
	s->r[i] = (rx_range){low, high};
}

void
rx_add_set(arena *a, rx_set *s, const rx_set *more)
{
	for (size_t i = 0; i < more->len; i++)
		rx_add(a, s, more->r[i].low, more->r[i].high);
}

bool
rx_has(const rx_set *s, uint32_t c)
{
	size_t low = 0, high = s->len;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (s->r[mid].high < c)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->len && s->r[low].low <= c;
}

bool
rx_same(const rx_set *s, const rx_set *t)
{
	return s->len == t->len &&
	       (s->len == 0 || memcmp(s->r, t->r, s->len * sizeof(*s->r)) == 0);
}

rx_set
rx_complement(arena *a, const rx_set *s, uint32_t max)
{
	rx_set out = {NULL, 0, 0};
	uint32_t next = 0;

	for (size_t i = 0; i < s->len && s->r[i].low <= max; i++) {
		if (s->r[i].low > next)
			rx_add(a, &out, next, s->r[i].low - 1);
		next = s->r[i].high + 1;
	}
	if (next <= max)
		rx_add(a, &out, next, max);
	return out;
}

rx_set
rx_intersect(arena *a, const rx_set *s, const rx_set *t)
{
	rx_set out = {NULL, 0, 0};

	for (size_t i = 0, k = 0; i < s->len && k < t->len;) {
		rx_range x = s->r[i], y = t->r[k];

		if (x.high < y.high)
			i++;
		else
			k++;
		rx_add(a, &out, x.low > y.low ? x.low : y.low,
		    x.high < y.high ? x.high : y.high);
	}
	return out;
}

/* ----------------------------------------------------------------- folding */

typedef struct fold_row {
	uint32_t low, high;
	int32_t step, by;
} fold_row;

static const fold_row upper_rows[] = {
#define UPPER(low, high, step, by) {low, high, step, by},
#define FOLD(low, high, step, by)
#include "unicode_fold.def"
#undef UPPER
#undef FOLD
};

static const fold_row fold_rows[] = {
#define UPPER(low, high, step, by)
#define FOLD(low, high, step, by) {low, high, step, by},
#include "unicode_fold.def"
#undef UPPER
#undef FOLD
};

static const fold_row *
rows_of(bool unicode, size_t *len)
{
	*len = unicode ? sizeof(fold_rows) / sizeof(*fold_rows)
		       : sizeof(upper_rows) / sizeof(*upper_rows);
	return unicode ? fold_rows : upper_rows;
}

uint32_t
rx_canonical(uint32_t c, bool unicode)
{
	size_t rows, low = 0, high;
	const fold_row *row = rows_of(unicode, &rows);

	for (high = rows; low < high;) {
		size_t mid = (low + high) / 2;

		if (row[mid].high < c)
			low = mid + 1;
		else
			high = mid;
	}
	row += low;
	if (low == rows || c < row->low ||
	    (c - row->low) % (uint32_t)row->step != 0)
		return c;
	return (uint32_t)((int32_t)c + row->by);
}

rx_set
rx_fold(arena *a, const rx_set *s, bool unicode)
{
	size_t rows;
	const fold_row *row = rows_of(unicode, &rows);
	rx_set all = {NULL, 0, 0}, canonical = {NULL, 0, 0};

	rx_add_set(a, &all, s);
	rx_add_set(a, &canonical, s);
	for (size_t i = 0; i < rows; i++)
		for (uint32_t c = row[i].low; c <= row[i].high;
		     c += (uint32_t)row[i].step)
			if (rx_has(s, c)) {
				uint32_t d = (uint32_t)((int32_t)c + row[i].by);

				rx_add(a, &canonical, d, d);
				rx_add(a, &all, d, d);
			}
	for (size_t i = 0; i < rows; i++)
		for (uint32_t c = row[i].low; c <= row[i].high;
		     c += (uint32_t)row[i].step)
			if (rx_has(
				&canonical, (uint32_t)((int32_t)c + row[i].by)))
				rx_add(a, &all, c, c);
	return all;
}

/* ------------------------------------------------------------------ memory */

/* PCRE2 does not say how large a block is that it frees: the size stands before
 * it. */
void *
rx_memory(size_t size, void *pool)
{
	rx_pool *from = pool;
	size_t *p = mem_resize(from->alloc, NULL, 0, size + 16);

	if (p == NULL)
		return NULL;
	*p = size + 16;
	from->used += *p;
	return p + 2;
}

void
rx_memory_free(void *block, void *pool)
{
	rx_pool *from = pool;
	size_t *p = block;

	if (p == NULL)
		return;
	from->used -= p[-2];
	mem_resize(from->alloc, p - 2, p[-2], 0);
}

/* -------------------------------------------------------------- properties */

enum { PROPERTY_STEP = 2048 }; /* so many code points are looked at at once */

/* Units of the code points from..., and how many; without surrogates. */
static size_t
points_units(uint32_t from, uint32_t to, uint16_t *out)
{
	size_t n = 0;

	for (uint32_t c = from; c < to; c++)
		if (c >= 0x10000) {
			out[n++] = (uint16_t)(0xd7c0 + (c >> 10));
			out[n++] = (uint16_t)(0xdc00 + (c & 0x3ff));
		} else if (c < 0xd800 || c > 0xdfff) {
			out[n++] = (uint16_t)c;
		}
	return n;
}

static uint32_t
unit_point(uint32_t from, size_t at)
{
	return from + (uint32_t)(from >= 0x10000 ? at / 2 : at);
}

static void
add_matches(arena *a, const pcre2_code *code, pcre2_match_data *data,
    uint32_t from, uint32_t to, rx_set *s)
{
	uint16_t units[2 * PROPERTY_STEP];
	size_t n = points_units(from, to, units), at = 0;
	const size_t *at_of = pcre2_get_ovector_pointer(data);

	while (at < n && pcre2_match(code, units, n, at, PCRE2_NO_UTF_CHECK,
			     data, NULL) > 0) {
		rx_add(a, s, unit_point(from, at_of[0]),
		    unit_point(from, at_of[1]) - 1);
		at = at_of[1];
	}
}

bool
rx_property_set(arena *a, const char *property, uint32_t max, rx_set *s)
{
	uint16_t chars[80];
	size_t len = 0, where;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_compile_context *context;
	rx_pool pool = {a->alloc, 0};
	pcre2_general_context *memory =
	    pcre2_general_context_create(rx_memory, rx_memory_free, &pool);
	int error;

	context = memory ? pcre2_compile_context_create(memory) : NULL;
	if (context == NULL) {
		pcre2_general_context_free(memory);
		return false;
	}
	for (; property[len] != '\0' && len < 78; len++)
		chars[len] = (uint8_t)property[len];
	chars[len++] = '+';
	code = pcre2_compile(chars, len, PCRE2_UTF | PCRE2_NO_UTF_CHECK, &error,
	    &where, context);
	data = code ? pcre2_match_data_create(1, memory) : NULL;
	for (uint32_t c = 0; data != NULL && c <= max; c += PROPERTY_STEP)
		add_matches(a, code, data, c,
		    max - c < PROPERTY_STEP ? max + 1 : c + PROPERTY_STEP, s);
	pcre2_match_data_free(data);
	pcre2_code_free(code);
	pcre2_compile_context_free(context);
	pcre2_general_context_free(memory);
	return data != NULL;
}
