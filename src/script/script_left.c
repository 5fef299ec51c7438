/* SPDX-License-Identifier: MIT */
/*
 * script_left.c -- calls that were not answered when the script ended.
 *
 * The engine names each of them with the place where it was made. The check
 * knows the places where a promise is dropped. Here the two come together: one
 * warning for each place, with the numbers of its calls. The run knows whether
 * those were running, and puts that in front of the message.
 */
#include "script_parts.h"

enum { PLACES_MAX = 10 };

void
script_note_left(engine *e, json left)
{
	left_call c = {
	    .awaited = json_bool(json_get(left, TEXT("awaited")), false)};
	uint32_t column;
	int64_t id = 0;

	e->undone = true;
	e->exited = json_bool(json_get(left, TEXT("exited")), false);
	json_int(json_get(left, TEXT("left")), &id);
	c.id = (uint32_t)id;
	if (id <= 0 || !mem_grow(e->start.alloc, (void **)&e->left,
			   &e->lefts_cap, e->lefts, sizeof(c)))
		return;
	script_place(e, json_get(left, TEXT("stack")), &c.line, &column);
	e->left[e->lefts++] = c;
}

static void
put_left(left_call *c, buf *calls)
{
	c->told = true;
	buf_printf(calls, "%c%u", calls->len == 0 ? '[' : ',', c->id);
}

void
script_take_left(engine *e, const source_problem *p, bool only, buf *calls)
{
	for (size_t i = 0; i < e->lefts; i++) {
		left_call *c = &e->left[i];

		if (!c->told &&
		    (only || (c->line >= p->line && c->line <= p->end_line)))
			put_left(c, calls);
	}
	if (calls->len > 0)
		buf_byte(calls, ']');
}

/* The first call left that no warning names, and all of its place; all others
 * when enough places are told. */
static void
say_place(engine *e, const left_call *first, bool all, const char *advice)
{
	buf calls = BUF_INIT(e->start.alloc, 4096);
	bool awaited = first->awaited;
	source_problem p = {
	    .code = "LostCall", .promise = true, .line = all ? 0 : first->line};

	for (size_t i = 0; i < e->lefts; i++) {
		left_call *c = &e->left[i];

		if (!c->told &&
		    (all || (c->line == p.line && c->awaited == awaited)))
			put_left(c, &calls);
	}
	buf_byte(&calls, ']');
	p.message = text_of(
	    all ? "the script ended first"
	    : awaited
		? advice
		: "nothing waits for it: write await in front of the call, or "
		  "await Promise.all([...]) around several");
	if (calls.bad == CM_OK)
		script_warn(e, &p, buf_view(&calls));
	buf_fini(&calls);
}

void
script_say_left(engine *e, const char *advice)
{
	size_t places = 0;

	for (size_t i = 0; i < e->lefts; i++)
		if (!e->left[i].told)
			say_place(
			    e, &e->left[i], ++places == PLACES_MAX, advice);
}
