/* SPDX-License-Identifier: MIT */
/*
 * normal.c -- the edits of a script, made all at once.
 *
 * What is put in uses the room of what is blanked there; what does not fit
 * moves the rest of its line, and that is noted (source_shift).
 */
#include "normal.h"

/* Kept in the order of the text; those at one place in the order they came. */
void
edits_add(edits *e, uint32_t at, uint32_t end, text put)
{
	edit *list =
	    arena_grow(e->arena, e->item, &e->cap, e->len, sizeof(*list));
	size_t to;

	if (!list)
		return;
	e->item = list;
	for (to = e->len; to > 0 && e->item[to - 1].at > at; to--)
		e->item[to] = e->item[to - 1];
	e->item[to] = (edit){at, end, put};
	e->len++;
}

static void
note_shift(source_prepared *out, size_t at, size_t len)
{
	source_shift *last;

	if (len == 0)
		return;
	/* Exports beyond the last place share it: their columns are less sure,
	 * their lines are right. */
	if (out->shifts == SOURCE_SHIFTS)
		return;
	last = &out->shift[out->shifts++];
	*last = (source_shift){(uint32_t)at, (uint32_t)len};
}

static bool
is_line_break(char c)
{
	return c == '\n' || c == '\r';
}

static void
write_edit(text base, const edit *x, source_prepared *out)
{
	buf *b = &out->own_code;
	size_t room = 0, at = x->at;

	while (at + room < x->end && room < x->put.len &&
	       !is_line_break(base.ptr[at + room]))
		room++;
	note_shift(out, b->len + room, x->put.len - room);
	buf_text(b, x->put);
	for (at += room; at < x->end; at++)
		buf_byte(b, is_line_break(base.ptr[at]) ? base.ptr[at] : ' ');
}

void
normal_write(normal *n, const edits *e, source_prepared *out)
{
	bool typed = n->tree.span_count > 0 || n->tree.hashbang > 0;
	buf blanked = BUF_INIT(out->own_code.alloc, out->own_code.max);
	text base = n->base;
	size_t at = 0;

	out->changed = n->changed || typed || e->len > 0;
	if (typed) {
		js_blank_types(&n->tree, &blanked);
		base = buf_view(&blanked);
	}
	for (size_t i = 0; i < e->len; i++) {
		if (e->item[i].at < at)
			continue;
		buf_text(&out->own_code, text_sub(base, at, e->item[i].at));
		write_edit(base, &e->item[i], out);
		at = e->item[i].end;
	}
	buf_text(&out->own_code, text_sub(base, at, base.len));
	if (out->own_code.bad == CM_OK)
		out->own_code.bad = blanked.bad;
	buf_fini(&blanked);
	out->code = buf_view(&out->own_code);
}

uint32_t
normal_end(const normal *n, const js_node *s)
{
	uint32_t end = s->end;

	if (end > s->start && n->base.ptr[end - 1] == ';')
		return end - 1;
	for (size_t i = n->tree.span_count; i-- > 0;) {
		const js_span *span = &n->tree.spans[i];

		if (span->end == end && span->first == ';')
			return span->start;
		if (span->end < end)
			break;
	}
	return end;
}
