/* SPDX-License-Identifier: MIT */
/*
 * parse.c -- js_parse, and the parser's tools: tokens that must come, errors,
 * nodes. See parse.h for how it fails and how deep it goes.
 */
#include "parse.h"

#include <stdio.h>

/* ---------------------------------------------------------------- errors */

void
js_err_at(parser *p, js_code code, uint32_t start, uint32_t end)
{
	lex_error(&p->l, code, start, end, p->l.base + start, end - start);
}

void
js_err(parser *p, js_code code, const js_node *n)
{
	js_err_at(p, code, n->start, n->end);
}

void
js_fault(parser *p, js_code code, uint32_t start, uint32_t end)
{
	lex_fault(&p->l, code, start, end, p->l.base + start, end - start);
}

/* How a message calls the token. */
static int
call_token(const parser *p, char *out, size_t size)
{
	const js_token *tok = &p->l.tok;
	const char *at = p->l.base + tok->start;
	text whole = {at, tok->end - tok->start}, shown = text_head(whole, 40);

	if (tok->kind == T_EOF)
		return snprintf(out, size, "the end of the script");
	if (tok->kind == T_TEMPLATE)
		return snprintf(out, size, "template literal");
	return snprintf(out, size, "%.*s%s", TEXT_ARG(shown),
	    shown.len < whole.len ? "..." : "");
}

/* Is the token before this one the word await, where it is only a name? */
static bool
after_plain_await(const parser *p)
{
	return p->plain_await && p->plain_await == p->l.prev_end;
}

void
js_unexpected(parser *p)
{
	char found[64];
	int len = call_token(p, found, sizeof(found));

	if (after_plain_await(p))
		js_fault(p, JS_E_AWAIT_PLACE, p->l.prev_end - 5, p->l.prev_end);
	else
		lex_fault(&p->l, JS_E_UNEXPECTED, here(p), p->l.tok.end, found,
		    (size_t)len);
}

void
js_need(parser *p, unsigned kind)
{
	char found[64], what[96];
	int len;

	if (eat(p, kind))
		return;
	if (after_plain_await(p)) {
		js_unexpected(p);
		return;
	}
	call_token(p, found, sizeof(found));
	len = snprintf(
	    what, sizeof(what), "%s before %s", js_token_text(kind), found);
	lex_fault(
	    &p->l, JS_E_EXPECTED, here(p), p->l.tok.end, what, (size_t)len);
}

/* A line break ends the statement only here; if what stands before it is a
 * type that will be blanked, the blank must end the statement itself. */
static void
note_line_end(parser *p)
{
	js_span *last = p->span_count ? &p->spans[p->span_count - 1] : NULL;

	p->asi = p->l.prev_end;
	if (last && last->end == p->l.prev_end && !last->first)
		last->first = ';';
}

void
js_semicolon(parser *p)
{
	if (eat(p, T_SEMICOLON))
		return;
	if (!line_before(p) && !at(p, T_RBRACE) && !at(p, T_EOF))
		js_unexpected(p);
	else if (line_before(p))
		note_line_end(p);
}

/* That ends the parse also where it only tries one of two readings. */
static bool
too_deep(parser *p)
{
	js_fault(p, JS_E_DEPTH, here(p), p->l.tok.end);
	p->too_deep = true;
	return false;
}

bool
js_room(parser *p)
{
	if (lex_has_room(&p->l))
		return true;
	return too_deep(p);
}

bool
js_enter(parser *p)
{
	if (++p->depth <= JS_DEPTH)
		return js_room(p);
	return too_deep(p);
}

mark
js_mark(const parser *p)
{
	return (mark){p->l.tok, p->l.prev_end, p->l.at, p->l.open,
	    p->l.error_count, p->span_count, p->ctx, p->depth, p->asi};
}

void
js_rewind(parser *p, const mark *m)
{
	/* There is no way back from these. */
	if (p->arena->bad != CM_OK || p->too_deep) {
		js_fault(p, JS_E_UNEXPECTED, here(p), here(p));
		return;
	}
	p->l.tok = m->tok;
	p->l.prev_end = m->prev_end;
	p->l.at = m->at;
	p->l.open = m->open;
	p->l.error_count = m->errors;
	p->l.dead = false;
	p->span_count = m->spans;
	p->ctx = m->ctx;
	p->depth = m->depth;
	p->asi = m->asi;
}

/* ----------------------------------------------------------------- nodes */

js_node *
js_new(parser *p, js_kind kind, uint32_t start)
{
	js_node *n = arena_take(p->arena, sizeof(*n));

	if (!n) {
		n = &p->spare;
		js_fault(p, JS_E_UNEXPECTED, here(p), here(p));
	}
	*n = (js_node){.kind = (uint8_t)kind, .start = start, .end = start};
	return n;
}

js_node *
js_leaf(parser *p, js_kind kind)
{
	js_node *n = js_new(p, kind, here(p));
	unsigned flags = p->l.tok.flags;

	n->end = p->l.tok.end;
	n->name = p->l.tok.name;
	if (flags & TOK_ESCAPED)
		n->flags |= JS_ESCAPED;
	next(p);
	return n;
}

js_node *
js_none(parser *p)
{
	return js_new(p, JS_NONE, p->l.prev_end);
}

js_node *
js_node1(parser *p, js_kind kind, uint32_t start, js_node *a)
{
	js_node *n = js_new(p, kind, start);

	n->child = a;
	a->parent = n;
	a->next = NULL;
	return done(p, n);
}

js_node *
js_node2(parser *p, js_kind kind, uint32_t start, js_node *a, js_node *b)
{
	js_node *n = js_node1(p, kind, start, a);

	a->next = b;
	b->parent = n;
	b->next = NULL;
	return n;
}

/* ------------------------------------------------------------------ js_parse */

static bool
take_copy(text source, arena *a, text *copy)
{
	enum { ZEROS = 8 };
	char *p = arena_take(a, source.len + ZEROS);

	if (!p)
		return false;
	if (source.len)
		memcpy(p, source.ptr, source.len);
	memset(p + source.len, 0, ZEROS);
	*copy = (text){p, source.len};
	return true;
}

/* #! and the rest of the first line. */
static uint32_t
skip_hashbang(parser *p)
{
	const char *c = p->l.at;

	if (c[0] != '#' || c[1] != '!')
		return 0;
	while (c < p->l.end && *c != '\n' && *c != '\r' && !js_is_separator(c))
		c++;
	p->l.at = c;
	return lex_offset(&p->l, c);
}

static void
parse_all(parser *p, js_tree *t)
{
	js_node *root;

	t->hashbang = skip_hashbang(p);
	next(p);
	root = js_new(p, JS_BODY, 0);
	if (p->options->goal == JS_ASYNC_BODY)
		root->flags |= JS_ASYNC;
	js_body(p, root, T_EOF);
	root->end = (uint32_t)t->text.len;
	if (p->l.dead)
		return;
	t->root = root;
}

static int
compare_places(const js_error *a, const js_error *b)
{
	return (a->start > b->start) - (a->start < b->start);
}

/* Few, and nearly in order: checks find what stands further up. */
static void
sort_errors(js_error *e, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		js_error moved = e[i];
		size_t to = i;

		for (; to && compare_places(&e[to - 1], &moved) > 0; to--)
			e[to] = e[to - 1];
		e[to] = moved;
	}
}

cm_status
js_parse(text source, const js_options *options, arena *a, js_tree *t)
{
	parser p = {0};

	*t = (js_tree){.arena = a};
	if (source.len > INT32_MAX)
		return CM_ELIMIT;
	if (utf8_bad(source) != SIZE_MAX)
		return CM_EINPUT;
	if (!take_copy(source, a, &t->text) || !lex_init(&p.l, t->text, a))
		goto out;
	p.arena = a;
	p.options = options;
	p.ts = options->typescript;
	p.ctx = CTX_TOP | (options->goal == JS_ASYNC_BODY ? CTX_ASYNC : 0u);
	p.asi = UINT32_MAX;
	p.l.steps = options->steps;
	p.l.html = options->goal == JS_SCRIPT;
	parse_all(&p, t);
	t->errors = p.l.errors;
	t->error_count = p.l.error_count;
	t->spans = p.spans;
	t->span_count = p.span_count;
	sort_errors(t->errors, t->error_count);
out:
	if (a->bad == CM_OK)
		return CM_OK;
	*t = (js_tree){.arena = a};
	return a->bad;
}
