/* SPDX-License-Identifier: MIT */
/*
 * remote_ask.c -- the questions of a worker, about tools and time zones, and
 * what it is answered.
 *
 * wire.def says how often each may come. What a worker asks about is checked
 * here: numbers out of range and text that is not UTF-8 find nothing.
 */
#include "place/remote_parts.h"

#define ANSWER_MAX (64u << 20) /* bytes of an answer */

static int32_t
space_of(const wire_msg *m)
{
	int64_t space = (int64_t)m->n[0];

	return space >= ENGINE_GLOBALS && space <= INT32_MAX ? (int32_t)space
							     : INT32_MAX;
}

bool
remote_may_ask(engine *e)
{
	if (e->sent >= e->owed)
		return true;
	remote_fail(e, "the sandbox asked on without reading the answers");
	return false;
}

/* An answer that did not fit whole ends the run: a part of it would be
 * wrong. */
static void
answer_question(engine *e, const wire_msg *m, const buf *b)
{
	if (b != NULL && b->bad != CM_OK)
		remote_fail(
		    e, b->bad == CM_ENOMEM
			   ? "out of memory"
			   : "what the script asked of its tools is too large");
	else
		remote_queue(e, m);
	e->owed = e->out.len;
}

void
remote_got_find(engine *e, const wire_msg *m)
{
	const engine_tools *t = &e->start.tools;
	buf ident = BUF_INIT(e->start.alloc, 64u << 10);
	uint32_t index = 0;
	engine_found found = FOUND_NOTHING;

	if (utf8_bad(m->t[0]) == SIZE_MAX)
		found = t->find(t->ctx, space_of(m), m->t[0], &index, &ident);
	answer_question(e,
	    &(wire_msg){WIRE_FOUND, {found, index}, {buf_view(&ident)}},
	    &ident);
	buf_fini(&ident);
}

static void
answer_with_text(engine *e, buf *b)
{
	answer_question(e, &(wire_msg){WIRE_TEXT, {0}, {buf_view(b)}}, b);
	buf_fini(b);
}

void
remote_got_names(engine *e, const wire_msg *m)
{
	buf b = BUF_INIT(e->start.alloc, ANSWER_MAX);

	e->start.tools.names(e->start.tools.ctx, space_of(m), &b);
	answer_with_text(e, &b);
}

void
remote_got_list(engine *e, const wire_msg *m)
{
	buf b = BUF_INIT(e->start.alloc, ANSWER_MAX);

	(void)m;
	e->start.tools.list(e->start.tools.ctx, &b);
	answer_with_text(e, &b);
}

void
remote_got_unknown(engine *e, const wire_msg *m)
{
	buf b = BUF_INIT(e->start.alloc, ANSWER_MAX);

	if (utf8_bad(m->t[0]) == SIZE_MAX)
		e->start.tools.unknown(
		    e->start.tools.ctx, space_of(m), m->t[0], &b);
	answer_with_text(e, &b);
}

void
remote_got_schema(engine *e, const wire_msg *m)
{
	buf b = BUF_INIT(e->start.alloc, ANSWER_MAX);

	e->start.tools.schema(e->start.tools.ctx, (uint32_t)m->n[0], &b);
	answer_with_text(e, &b);
}

void
remote_got_search(engine *e, const wire_msg *m)
{
	const engine_tools *t = &e->start.tools;
	buf b = BUF_INIT(e->start.alloc, ANSWER_MAX);

	if (utf8_bad(m->t[0]) == SIZE_MAX && utf8_bad(m->t[1]) == SIZE_MAX)
		t->search(t->ctx, m->t[0], m->t[1], (uint32_t)m->n[0], &b);
	answer_with_text(e, &b);
}

void
remote_got_about(engine *e, const wire_msg *m)
{
	buf b = BUF_INIT(e->start.alloc, ANSWER_MAX);

	if (utf8_bad(m->t[0]) == SIZE_MAX)
		e->start.tools.describe(e->start.tools.ctx, m->t[0], &b);
	answer_with_text(e, &b);
}

/* The offset at a moment, and from when to when it holds: searched day by day,
 * at most 200 days each way, then hour by hour. */
void
remote_got_zone(engine *e, const wire_msg *m)
{
	enum { DAY = 86400, DAYS = 200, HOUR = 3600 };
	const engine_host *h = &e->start.host;
	int64_t at = (int64_t)m->n[0], from = at, before = at;
	int32_t offset = h->zone(h->ctx, at);
	int i;

	if (at > INT64_MAX / 4 || at < INT64_MIN / 4)
		at = from = before = 0;
	for (i = 0; i < DAYS && h->zone(h->ctx, from - DAY) == offset; i++)
		from -= DAY;
	while (from > at - DAYS * (int64_t)DAY &&
	       h->zone(h->ctx, from - HOUR) == offset)
		from -= HOUR;
	for (i = 0; i < DAYS && h->zone(h->ctx, before + DAY) == offset; i++)
		before += DAY;
	while (before < at + DAYS * (int64_t)DAY &&
	       h->zone(h->ctx, before + HOUR) == offset)
		before += HOUR;
	answer_question(e,
	    &(wire_msg){WIRE_OFFSET,
		{(uint64_t)(int64_t)offset, (uint64_t)from,
		    (uint64_t)before + 1},
		{TEXT_NONE}},
	    NULL);
}

void
remote_got_tzdata(engine *e, const wire_msg *m)
{
	buf b = BUF_INIT(e->start.alloc, ANSWER_MAX);

	e->start.host.zone_file(e->start.host.ctx, m->t[0], &b);
	answer_with_text(e, &b);
}
