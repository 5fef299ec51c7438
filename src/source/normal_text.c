/* SPDX-License-Identifier: MIT */
/*
 * normal_text.c -- which of several readings of a text is the script?
 *
 * As JavaScript, as it stands: that is nearly always so, and costs one parse.
 * Otherwise with types; otherwise without what is around it. The first reading
 * without an error is taken. If there is none, the one whose first error comes
 * last is what the model is told about.
 */
#include "normal.h"

enum { ROUNDS = 4 };

static cm_status
parse_as(normal *n, bool typescript, js_tree *out)
{
	js_options o = {.goal = JS_ASYNC_BODY,
	    .typescript = typescript,
	    .modules = !n->options->raw};

	return js_parse(n->base, &o, n->arena, out);
}

static bool
is_about_types(js_code code)
{
	return code >= JS_E_TYPE && code != JS_E_TS_BODY;
}

/* Of two readings with errors: did the one with types come further? */
static bool
typed_is_better(const js_tree *plain, const js_tree *typed)
{
	const js_error *p = &plain->errors[0], *t = &typed->errors[0];

	if (t->code == JS_E_AMBIGUOUS)
		return false;
	if (t->start != p->start)
		return t->start > p->start;
	return is_about_types(t->code);
}

cm_status
normal_parse(normal *n)
{
	js_tree typed;
	cm_status r;

	arena_fini(n->arena);
	r = parse_as(n, false, &n->tree);
	if (r != CM_OK || n->tree.error_count == 0 || n->options->raw)
		return r;
	r = parse_as(n, true, &typed);
	if (r == CM_OK &&
	    (typed.error_count == 0 || typed_is_better(&n->tree, &typed)))
		n->tree = typed;
	return r;
}

/* A text in the place of the one before; b's bytes live as long as n. */
static void
take(buf *own, buf *b, text *out)
{
	buf_fini(own);
	*own = *b;
	*b = BUF_INIT(own->alloc, own->max);
	*out = buf_view(own);
}

static bool
unfence(normal *n, buf *b)
{
	buf_clear(b);
	if (!fence_open(n->base, b) || b->bad != CM_OK)
		return false;
	take(n->own_base, b, &n->base);
	n->changed = true;
	return true;
}

static bool
unquote(normal *n, bool parses, buf *b)
{
	buf_clear(b);
	if (!quote_open(n->base, !parses, b) &&
	    (parses || !escapes_open(n->base, b)))
		return false;
	if (b->bad != CM_OK)
		return false;
	take(n->own_text, b, &n->text);
	n->base = n->text;
	n->changed = true;
	return true;
}

/* Three backticks in code are an empty template and the begin of another: no
 * error, but nobody means that. */
static bool
has_fence(const normal *n)
{
	const js_node *node = n->tree.root;

	if (text_find(n->base, TEXT("```"), 0) == SIZE_MAX)
		return false;
	for (; node; node = js_next(node, n->tree.root))
		if (node->kind == JS_TEMPLATE && node->end - node->start == 2 &&
		    node->end < n->base.len && n->base.ptr[node->end] == '`')
			return true;
	return false;
}

/* One round: true when something was taken off and is to be parsed. */
static bool
take_off(normal *n, buf *b)
{
	bool parses = n->tree.error_count == 0;

	n->fenced = parses && has_fence(n);
	parses = parses && !n->fenced;
	return unquote(n, parses, b) || (!parses && unfence(n, b));
}

cm_status
normal_unwrap(normal *n)
{
	buf b = BUF_INIT(n->own_base->alloc, n->own_base->max);
	cm_status r = CM_OK;

	for (int round = 0; round < ROUNDS && r == CM_OK; round++) {
		if (fence_first(n->base) && unfence(n, &b))
			continue;
		r = normal_parse(n);
		if (r == CM_OK && !take_off(n, &b))
			goto out;
	}
	if (r == CM_OK)
		r = normal_parse(n);
out:
	if (r == CM_OK)
		r = b.bad;
	buf_fini(&b);
	return r;
}
