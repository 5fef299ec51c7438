/* SPDX-License-Identifier: MIT */
/*
 * explain_rules.c -- see explain.h: one rule for each thing an engine says.
 *
 * A rule finds the expression, names it, and adds what it is as far as that is
 * known, and what to write. A rule that finds nothing says nothing: then the
 * engine's words stay.
 */
#include "explain_parts.h"

enum { MESSAGE_MAX = 1000 };

/* Rules that need a place find nothing there. */
#define NO_PLACE UINT32_MAX

typedef struct rule {
	const char *begins, *ends; /* of the engine's words */
	bool (*tell)(explainer *x, text words);
} rule;

static const rule rules[] = {
#define RULE(begins, ends, name) {begins, ends, rule_##name},
#include "explain.def"
#undef RULE
};

static bool
applies(const rule *r, text words)
{
	return text_starts(words, text_of(r->begins)) &&
	       text_ends(words, text_of(r->ends));
}

/* ----------------------------------------------- what many rules say */

/* ": x is an object with keys a, b". */
bool
explain_what(explainer *x, const js_node *n)
{
	shape t = shape_of(&x->shaper, n);

	if (!t.known)
		return false;
	buf_printf(x->out, ": %.*s is ", TEXT_ARG(analysis_text(&x->a, n)));
	shape_tell(t.value, x->out);
	return true;
}

bool
explain_is_promise(explainer *x, const js_node *n)
{
	return promise_of(&x->a, n) == PROMISE_ONE;
}

/* An await is missing in front of n, whose member was wanted. */
void
explain_await(explainer *x, const js_node *n)
{
	buf_printf(x->out, ": %.*s is a promise; write (await %.*s)",
	    TEXT_ARG(analysis_text(&x->a, n)),
	    TEXT_ARG(analysis_text(&x->a, n)));
}

/* ------------------------------------------------------------ places */

text
source_native(text stack)
{
	text line, rest = stack;

	while (text_line(&rest, &line)) {
		line = text_trim(line);
		if (!text_starts(line, TEXT("at ")))
			continue;
		if (text_ends(line, TEXT(" (native)")))
			return text_sub(line, 3, line.len - 9);
		if (text_find(line, TEXT("<input>"), 0) == SIZE_MAX)
			return TEXT_NONE;
	}
	return TEXT_NONE;
}

/* From a place of the text to the engine's text. */
static uint32_t
place_in_code(const source_prepared *p, uint32_t line, uint32_t column)
{
	size_t at = analysis_offset(p->text, line, column);

	for (size_t i = 0; i < p->shifts; i++)
		if (p->shift[i].at <= at)
			at += p->shift[i].len;
	return (uint32_t)at;
}

static void
move_place(const explainer *x, source_error *e)
{
	const js_node *n = x->fault;

	if (!n)
		return;
	/* Of a member its own name: that is where one looks. */
	if (n->kind == JS_MEMBER)
		n = n->child->next;
	e->line = analysis_line(&x->a, n, &e->column);
}

void
source_explain(const source_prepared *p, const source_tools *tools,
    const source_seen *seen, source_error *e, buf *out)
{
	arena memory = ARENA_INIT(out->alloc, p->code.len * 400 + (1 << 20));
	buf mended = BUF_INIT(out->alloc, 1 << 16);
	buf message = BUF_INIT(out->alloc, MESSAGE_MAX * 4);
	explainer x = {.e = e, .out = &message};

	if (p->fault.code != NULL || !analysis_init(&x.a, p, tools, &memory))
		goto out;
	x.shaper = (shaper){&x.a, seen, &mended};
	x.at = e->line > 0 ? place_in_code(p, e->line, e->column) : NO_PLACE;
	calls_find(&x.a);
	if (find_made(&x))
		goto out;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (applies(&rules[i], e->message) &&
		    rules[i].tell(&x, e->message))
			break;
	if (message.len == 0)
		x.fault = find_making(&x);
	if (message.bad == CM_OK) {
		buf_text(out, buf_view(&message));
		move_place(&x, e);
	}
out:
	buf_fini(&message);
	buf_fini(&mended);
	arena_fini(&memory);
}
