/* SPDX-License-Identifier: MIT */
/*
 * ts_span.c -- the list of what is blanked, and the blanking.
 *
 * A blank is as wide as what it covers, in bytes and in UTF-16 units: letters
 * beyond ASCII are covered by white space of their own length.
 */
#include "ts.h"

enum { REREAD_FACTOR = 2, REREAD_FREE = 1 << 16 };

static js_span *
new_span(parser *p)
{
	js_span *list = arena_grow(
	    p->arena, p->spans, &p->span_cap, p->span_count, sizeof(*list));

	if (!list) {
		js_fault(p, JS_E_UNEXPECTED, here(p), here(p));
		return &p->spare_span;
	}
	p->spans = list;
	return &p->spans[p->span_count++];
}

js_span *
ts_blank(parser *p, uint32_t start, uint32_t end)
{
	js_span *s;

	while (p->span_count && p->spans[p->span_count - 1].start >= start)
		p->span_count--;
	s = new_span(p);
	*s = (js_span){start, end, 0, 0};
	return s;
}

bool
ts_open(const parser *p)
{
	return p->asi == p->l.prev_end;
}

void
ts_erase(parser *p, uint32_t start, bool open)
{
	js_span *s = ts_blank(p, start, p->l.prev_end);

	if (open)
		s->first = ';';
}

void
ts_give_up(parser *p, const mark *m)
{
	uint32_t from = m->tok.start;

	if (!p->l.dead)
		p->reread += here(p) - from;
	else if (p->l.error_count)
		p->reread += p->l.errors[p->l.error_count - 1].end - from;
	js_rewind(p, m);
	if (p->reread >
	    REREAD_FREE + REREAD_FACTOR * (size_t)(p->l.end - p->l.base))
		js_fault(p, JS_E_AMBIGUOUS, from, from + 1);
}

/* ------------------------------------------------------------- blanking */

static bool
is_line_break_at(text t, size_t at)
{
	return t.ptr[at] == '\n' || t.ptr[at] == '\r' ||
	       (t.len - at >= 3 && js_is_separator(t.ptr + at));
}

/* White space instead of the character at [at]; its length. */
static size_t
blank_character(text t, size_t at, buf *out)
{
	size_t len = utf8_one(t, at);

	if (is_line_break_at(t, at))
		buf_add(out, t.ptr + at, len);
	else if (len == 2)
		buf_str(out, "\xc2\xa0");
	else if (len == 3)
		buf_str(out, "\xe3\x80\x80");
	else if (len == 4)
		buf_str(out, "\xc2\xa0\xc2\xa0");
	else
		buf_byte(out, ' ');
	return len ? len : 1;
}

/* Where .last goes: the last ASCII character of the span's last line, so that
 * no width changes. */
static size_t
last_place(text t, const js_span *s)
{
	size_t at = s->end - 1;

	while (at > s->start && ((unsigned char)t.ptr[at] & 0x80) &&
	       !is_line_break_at(t, at - 1))
		at--;
	return at;
}

static void
blank_span(text t, const js_span *s, buf *out)
{
	size_t last = s->last ? last_place(t, s) : SIZE_MAX;
	size_t at = s->start;

	while (at < s->end) {
		if (at == last) {
			buf_byte(out, s->last);
			at++;
		} else if (at == s->start && s->first) {
			buf_byte(out, s->first);
			at++;
		} else {
			at += blank_character(t, at, out);
		}
	}
}

void
js_blank_types(const js_tree *t, buf *out)
{
	js_span hashbang = {0, t->hashbang, 0, 0};
	size_t at = t->hashbang;

	blank_span(t->text, &hashbang, out);
	for (size_t i = 0; i < t->span_count; i++) {
		buf_add(out, t->text.ptr + at, t->spans[i].start - at);
		blank_span(t->text, &t->spans[i], out);
		at = t->spans[i].end;
	}
	buf_add(out, t->text.ptr + at, t->text.len - at);
}
