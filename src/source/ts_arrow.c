/* SPDX-License-Identifier: MIT */
/*
 * ts_arrow.c -- types of arrow functions, whose parameters are expressions
 * until => is seen; and what only parameters have.
 */
#include "ts.h"

static bool
has_line_break(const parser *p, uint32_t from, uint32_t to)
{
	for (const char *c = p->l.base + from; c < p->l.base + to; c++)
		if (*c == '\n' || *c == '\r' || js_is_separator(c))
			return true;
	return false;
}

/* ----------------------------------------------------------- parameters */

bool
ts_at_optional_mark(parser *p)
{
	unsigned after = lex_peek(&p->l).kind;

	return after == T_COLON || after == T_COMMA || after == T_RPAREN ||
	       after == T_SET;
}

bool
ts_parameter_tail(parser *p)
{
	bool marked = at(p, T_QUESTION) && ts_at_optional_mark(p) &&
		      ts_mark(p, T_QUESTION);

	return ts_annotation(p) || marked;
}

void
ts_this_parameter(parser *p)
{
	uint32_t start = here(p);

	if (!eat(p, T_THIS))
		return;
	ts_annotation(p);
	eat(p, T_COMMA);
	ts_blank(p, start, p->l.prev_end);
}

static bool
at_parameter_modifier(parser *p)
{
	unsigned after;

	switch (p->l.tok.kind) {
	case T_PUBLIC:
	case T_PRIVATE_WORD:
	case T_PROTECTED:
	case T_READONLY:
	case T_OVERRIDE:
		after = lex_peek(&p->l).kind;
		return is_name(after) || after == T_LBRACE ||
		       after == T_LBRACKET;
	default:
		return false;
	}
}

void
ts_parameter_modifiers(parser *p)
{
	bool any = false;

	if (at(p, T_AT))
		js_fault(p, JS_E_TS_DECORATOR, here(p), p->l.tok.end);
	for (; at_parameter_modifier(p); any = true)
		next(p);
	if (any)
		js_err_at(p, JS_E_TS_PARAMETER_PROPERTY, here(p), p->l.tok.end);
}

/* ---------------------------------------------------------- return types */

/* : T before =>. JavaScript allows no line break between ) and =>; if the type
 * has one, the ) moves to its end. */
static void
blank_arrow_type(parser *p, uint32_t start, uint32_t close)
{
	uint32_t end = p->l.prev_end;

	if (has_line_break(p, close, end))
		ts_blank(p, close, end)->last = ')';
	else
		ts_blank(p, start, end);
}

/* Between ? and : the arrow function needs a : behind it, or the first : was
 * the conditional's. Reads the body to see; then it is read again. Decisions
 * are remembered, so that what nests is not read again and again. */
static bool
colon_follows_body(parser *p)
{
	uint32_t arrow = here(p);
	ts_decision *d = &p->decisions[arrow % TS_DECISIONS];
	mark m = js_mark(p);
	js_node *cover;

	if (d->arrow == arrow && d->known)
		return d->yes;
	cover = js_new(p, JS_COVER, arrow);
	js_arrow(p, arrow, cover);
	*d = (ts_decision){arrow, true, !p->l.dead && at(p, T_COLON)};
	ts_give_up(p, &m);
	return d->yes;
}

bool
ts_try_arrow_type(parser *p, uint32_t close)
{
	mark m = js_mark(p);

	next(p);
	ts_return_type(p);
	if (!p->l.dead && at(p, T_ARROW) && !line_before(p) &&
	    (!(p->ctx & CTX_THEN) || colon_follows_body(p))) {
		blank_arrow_type(p, m.tok.start, close);
		return true;
	}
	ts_give_up(p, &m);
	return false;
}

/* -------------------------------------------------------------- generic */

/* <T> before (. A line break in it must not stand between, say, return and
 * the function: then the ( moves to its start. */
static void
blank_type_parameters(parser *p, uint32_t start)
{
	if (has_line_break(p, start, here(p)))
		ts_blank(p, start, p->l.tok.end)->first = '(';
	else
		ts_blank(p, start, p->l.prev_end);
}

/* From < to =>; false: it is no arrow function. */
static bool
generic_arrow_head(parser *p, js_node **params)
{
	uint32_t start = here(p), close, colon;

	ts_parameters(p);
	if (p->l.dead || !at(p, T_LPAREN))
		return false;
	blank_type_parameters(p, start);
	*params = js_params(p);
	close = p->l.prev_end - 1;
	colon = here(p);
	if (eat(p, T_COLON)) {
		ts_return_type(p);
		blank_arrow_type(p, colon, close);
	}
	return !p->l.dead && at(p, T_ARROW);
}

js_node *
ts_generic_arrow(parser *p)
{
	mark m = js_mark(p);
	uint32_t start = here(p);
	bool async = at(p, T_ASYNC);
	js_node *params;

	if (async ? lex_peek(&p->l).kind != T_LT : !at(p, T_LT))
		return NULL;
	if (async)
		next(p);
	if (line_before(p) && async) {
		js_rewind(p, &m);
		return NULL;
	}
	if (!generic_arrow_head(p, &params)) {
		ts_give_up(p, &m);
		return NULL;
	}
	if (async)
		params->flags |= JS_ASYNC;
	return js_arrow(p, start, params);
}
