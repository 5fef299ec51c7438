/* SPDX-License-Identifier: MIT */
/*
 * shrink.c -- see shrink.h. Each list that is too long gets a level: parts that
 * are longer are cut down to it, the others stay whole. Where the level would
 * cut most of the parts, they are kept whole as far as they fit, and the rest is
 * left out.
 */
#include "shrink.h"

enum {
	DEEP_MAX = 64,  /* levels that are cut into */
	LEVEL_MIN = 24, /* bytes: less of a part says nothing */
	NAME_SHOWN = 60
};

/* The way to the value, for the notes. */
typedef struct place {
	const struct place *up;
	json key; /* missing: .index counts */
	size_t index;
	unsigned depth;
} place;

typedef struct shrinking {
	buf *out, *notes;
	unsigned noted;
} shrinking;

/* ------------------------------------------------------------------- notes */

static void
note_place(buf *b, const place *p)
{
	if (p->up == NULL)
		return;
	note_place(b, p->up); /* at most DEEP_MAX deep */
	if (p->key.len == 0)
		buf_printf(b, "[%zu]", p->index);
	else
		buf_printf(b, "%s%.*s", p->up->up != NULL ? "." : "",
		    TEXT_ARG(text_head(
			text_sub(p->key, 1, p->key.len - 1), NAME_SHOWN)));
}

static void
note_cut(
    shrinking *s, const place *p, size_t left, size_t all, const char *what)
{
	if (s->noted++ >= SHRINK_NOTES) {
		if (s->noted == SHRINK_NOTES + 1)
			buf_str(s->notes, "; and more");
		return;
	}
	buf_str(s->notes, s->noted > 1 ? "; " : "");
	note_place(s->notes, p);
	buf_printf(s->notes, "%s%zu of %zu %s", p->up != NULL ? ": " : "", left,
	    all, what);
}

/* ----------------------------------------------------------------- strings */

/* The least that is left of a value: scalars are not cut. */
static size_t
least_of(json v)
{
	json_kind kind = json_kind_of(v);

	return kind == JSON_STRING || kind == JSON_ARRAY || kind == JSON_OBJECT
		   ? 2
		   : v.len;
}

/* The beginning of a string, without half an escape or pair of escapes. */
static void
shrink_string(shrinking *s, const place *p, json v, size_t max)
{
	text raw = text_sub(v, 1, v.len - 1);
	size_t at = 0, next = 0;

	while (next + 2 <= max && next < raw.len) {
		at = next;
		json_code_point(raw, &next);
	}
	buf_byte(s->out, '"');
	buf_text(s->out, text_sub(raw, 0, at));
	buf_byte(s->out, '"');
	note_cut(s, p, raw.len - at, raw.len, "bytes");
}

/* ------------------------------------------------------------------- lists */

typedef struct part_size {
	size_t whole, least;
} part_size;

typedef struct parts {
	part_size *size;
	size_t n;
	size_t head;  /* bytes of all keys, colons, commas and brackets */
	size_t level; /* parts that are longer are cut down to it */
} parts;

static bool
measure_parts(parts *p, json v)
{
	json_iter it = json_each(v);
	json key, value;

	*p = (parts){.n = json_len(v)};
	p->head = 2 + (p->n > 0 ? p->n - 1 : 0);
	p->size = mem_new(NULL, (p->n + 1) * sizeof(*p->size));
	for (size_t i = 0; p->size && json_next(&it, &key, &value); i++) {
		p->size[i] = (part_size){value.len, least_of(value)};
		p->head += key.len > 0 ? key.len + 1 : 0;
	}
	return p->size != NULL;
}

static size_t
total_at(const parts *p, size_t level)
{
	size_t sum = p->head;

	for (size_t i = 0; i < p->n; i++) {
		part_size part = p->size[i];
		size_t some = part.whole < level ? part.whole : level;

		sum += part.least > some ? part.least : some;
	}
	return sum;
}

/* The highest level at which all parts fit. False: there is none that leaves
 * anything to see, or it would cut most of the items of an array. */
static bool
find_level(parts *p, size_t max, bool array)
{
	size_t low = 0, high = max, cut = 0;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		if (total_at(p, middle) <= max)
			low = middle;
		else
			high = middle - 1;
	}
	p->level = low;
	for (size_t i = 0; i < p->n; i++)
		cut += p->size[i].whole > low;
	return low >= LEVEL_MIN && (!array || cut == 1 || cut <= p->n / 2);
}

static void shrink_value(shrinking *s, const place *p, json v, size_t max);

static void
shrink_part(
    shrinking *s, const place *up, json key, size_t i, json v, size_t max)
{
	place here = {up, key, i, up->depth + 1};

	if (i > 0)
		buf_byte(s->out, ',');
	buf_text(s->out, key);
	if (key.len > 0)
		buf_byte(s->out, ':');
	shrink_value(s, &here, v, max);
}

/* All parts, the longest of them cut. */
static void
shrink_longest(shrinking *s, const place *p, json v, const parts *all)
{
	json_iter it = json_each(v);
	json key, value;

	for (size_t i = 0; json_next(&it, &key, &value); i++)
		shrink_part(s, p, key, i, value,
		    least_of(value) > all->level ? least_of(value)
						 : all->level);
}

/* The first parts: whole ones as far as they fit. A first one that is too long
 * alone is cut, so that its shape can be seen. */
static void
shrink_tail(shrinking *s, const place *p, json v, size_t max, size_t n)
{
	size_t end = s->out->len - 1 + max - 1, i = 0;
	json_iter it = json_each(v);
	json key, value;

	for (; json_next(&it, &key, &value); i++) {
		size_t head = (i > 0) + (key.len > 0 ? key.len + 1 : 0);
		size_t room = end - s->out->len;
		bool whole = i > 0 || p->depth >= DEEP_MAX;

		if (head + (whole ? value.len : least_of(value)) > room)
			break;
		shrink_part(s, p, key, i, value, room - head);
	}
	if (i < n)
		note_cut(s, p, n - i, n, it.object ? "members" : "items");
}

static void
shrink_list(shrinking *s, const place *p, json v, size_t max)
{
	bool array = v.ptr[0] == '[';
	parts all;

	if (!measure_parts(&all, v)) {
		s->out->bad = CM_ENOMEM;
		return;
	}
	buf_byte(s->out, v.ptr[0]);
	if (p->depth < DEEP_MAX && find_level(&all, max, array))
		shrink_longest(s, p, v, &all);
	else
		shrink_tail(s, p, v, max, all.n);
	buf_byte(s->out, array ? ']' : '}');
	mem_free(NULL, all.size, (all.n + 1) * sizeof(*all.size));
}

static void
shrink_value(shrinking *s, const place *p, json v, size_t max)
{
	if (v.len <= max)
		buf_text(s->out, v);
	else if (json_kind_of(v) == JSON_STRING)
		shrink_string(s, p, v, max);
	else
		shrink_list(s, p, v, max);
}

size_t
json_shrink(buf *out, json v, size_t max, buf *notes)
{
	shrinking s = {out, notes, 0};
	place root = {NULL, TEXT_NONE, 0, 0};
	size_t from = out->len;

	if (v.len <= max || least_of(v) <= max)
		shrink_value(&s, &root, v, max);
	return v.len - (out->len - from);
}

/* The beginning of a text: of one with lines whole ones, unless that would
 * leave less than half of what there is room for. */
static text
text_beginning(text t, size_t max)
{
	text head = text_head(t, max);
	size_t end = head.len;

	if (head.len == t.len || t.ptr[head.len] == '\n')
		return head;
	while (end > head.len / 2 && head.ptr[end - 1] != '\n')
		end--;
	return end > head.len / 2 ? text_sub(head, 0, end - 1) : head;
}

size_t
text_shrink(buf *out, text t, size_t max, buf *notes)
{
	text inner = text_trim(t), head;
	json v;

	if (t.len > max && inner.len > 0 &&
	    (inner.ptr[0] == '{' || inner.ptr[0] == '[') &&
	    json_check(inner, JSON_DEPTH, &v, NULL))
		return t.len - v.len + json_shrink(out, v, max, notes);
	head = text_beginning(t, max);
	buf_text(out, head);
	if (head.len < t.len && notes->len == 0)
		buf_printf(notes, "%zu of %zu bytes", t.len - head.len, t.len);
	return t.len - head.len;
}
