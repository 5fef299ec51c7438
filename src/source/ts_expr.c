/* SPDX-License-Identifier: MIT */
/*
 * ts_expr.c -- types among expressions: annotations, arguments, as, !.
 */
#include "ts.h"

bool
ts_annotation(parser *p)
{
	uint32_t start = here(p);

	if (!eat(p, T_COLON))
		return false;
	ts_type(p);
	ts_blank(p, start, p->l.prev_end);
	return true;
}

void
ts_return_annotation(parser *p)
{
	uint32_t start = here(p);

	if (!eat(p, T_COLON))
		return;
	ts_return_type(p);
	ts_blank(p, start, p->l.prev_end);
}

void
ts_opt_parameters(parser *p)
{
	uint32_t start = here(p);

	if (!at(p, T_LT))
		return;
	ts_parameters(p);
	ts_blank(p, start, p->l.prev_end);
}

void
ts_opt_arguments(parser *p)
{
	uint32_t start = here(p);

	if (!at(p, T_LT) && !at(p, T_SHL))
		return;
	ts_arguments(p);
	ts_blank(p, start, p->l.prev_end);
}

bool
ts_mark(parser *p, unsigned kind)
{
	uint32_t start = here(p);

	if (!eat(p, kind))
		return false;
	ts_blank(p, start, p->l.prev_end);
	return true;
}

/* ------------------------------------------------------ type arguments */

static bool
begins_expression(unsigned kind)
{
	switch (kind) {
	case T_NUMBER:
	case T_BIGINT:
	case T_STRING:
	case T_TEMPLATE:
	case T_PRIVATE:
	case T_LBRACE:
	case T_LPAREN:
	case T_LBRACKET:
	case T_SET_DIV:
	case T_NOT:
	case T_TILDE:
	case T_INC:
	case T_DEC:
	case T_AT:
	case T_CLASS:
	case T_DELETE:
	case T_FALSE:
	case T_FUNCTION:
	case T_IMPORT:
	case T_NEW:
	case T_NULL:
	case T_SUPER:
	case T_THIS:
	case T_TRUE:
	case T_TYPEOF:
	case T_VOID:
		return true;
	default:
		return is_name(kind) && kind != T_AS && kind != T_SATISFIES;
	}
}

/* Behind <...>: were these arguments, or did < and > compare? The rule is
 * TypeScript's. */
static bool
can_follow_arguments(const parser *p)
{
	switch (p->l.tok.kind) {
	case T_LPAREN:
	case T_TEMPLATE:
		return true;
	case T_LT:
	case T_GT:
	case T_PLUS:
	case T_MINUS:
		return false;
	default:
		return line_before(p) || !begins_expression(p->l.tok.kind);
	}
}

/* All but the last >, which must stand alone: >= and >> are operators. */
static bool
arguments_but_last(parser *p)
{
	lex_split(&p->l, T_LT);
	next(p);
	do
		ts_type(p);
	while (eat(p, T_COMMA));
	return !p->l.dead && at(p, T_GT);
}

bool
ts_try_arguments(parser *p)
{
	mark m;

	if (!at(p, T_LT) && !at(p, T_SHL))
		return false;
	m = js_mark(p);
	if (arguments_but_last(p)) {
		next(p);
		if (can_follow_arguments(p)) {
			ts_blank(p, m.tok.start, p->l.prev_end);
			return true;
		}
	}
	ts_give_up(p, &m);
	return false;
}

bool
ts_member_tail(parser *p)
{
	if (at(p, T_NOT) && !line_before(p))
		return ts_mark(p, T_NOT);
	return ts_try_arguments(p);
}

/* ------------------------------------------------------------------- as */

bool
ts_as(parser *p, js_node *left, bool allowed)
{
	uint32_t start = here(p);

	if (!allowed || line_before(p) || (!at(p, T_AS) && !at(p, T_SATISFIES)))
		return false;
	next(p);
	ts_type(p);
	ts_blank(p, start, p->l.prev_end);
	if (js_binds_tighter(p, left))
		js_err_at(p, JS_E_TS_PRECEDENCE, left->start, left->end);
	left->flags |= JS_TYPED;
	return !p->l.dead;
}
