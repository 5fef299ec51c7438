/* SPDX-License-Identifier: MIT */
/*
 * ts_object.c -- { } of types: members, signatures, mapped types; and the
 * elements of ( ) and [ ], which may have names.
 */
#include "ts.h"

static bool
ends_name(unsigned kind)
{
	return kind == T_COLON || kind == T_QUESTION || kind == T_COMMA ||
	       kind == T_RPAREN || kind == T_RBRACKET || kind == T_SET;
}

ts_role
ts_element(parser *p)
{
	unsigned ctx = p->ctx;
	ts_role role =
	    at(p, T_LBRACE) || at(p, T_LBRACKET) ? TS_EITHER : TS_TYPE;

	p->ctx &= ~(unsigned)CTX_NO_CONDITIONAL;
	if (eat(p, T_ELLIPSIS))
		role = TS_PARAMETER;
	if (is_word(p->l.tok.kind) && ends_name(lex_peek(&p->l).kind)) {
		next(p);
		role = role == TS_TYPE ? TS_EITHER : role;
	} else {
		ts_type(p);
	}
	if (eat(p, T_QUESTION))
		role = TS_PARAMETER;
	if (eat(p, T_COLON)) {
		role = TS_PARAMETER;
		ts_type(p);
	}
	p->ctx = ctx;
	return role;
}

/* <T>(a: A): B */
static void
call_signature(parser *p)
{
	if (at(p, T_LT))
		ts_parameters(p);
	js_need(p, T_LPAREN);
	while (!at(p, T_RPAREN) && !at(p, T_EOF)) {
		ts_element(p);
		if (!eat(p, T_COMMA))
			break;
	}
	js_need(p, T_RPAREN);
	if (eat(p, T_COLON))
		ts_return_type(p);
}

/* +readonly, -readonly, readonly, get, set before a member's name. */
static void
type_member_modifiers(parser *p)
{
	unsigned after;

	if (at(p, T_PLUS) || at(p, T_MINUS))
		next(p);
	if (!at(p, T_READONLY) && !at(p, T_GET) && !at(p, T_SET_WORD))
		return;
	after = lex_peek(&p->l).kind;
	if (is_word(after) || after == T_STRING || after == T_NUMBER ||
	    after == T_LBRACKET)
		next(p);
}

/* [key: T], [K in T as U], [expression]. */
static void
bracketed_name(parser *p)
{
	unsigned after;

	next(p);
	after = lex_peek(&p->l).kind;
	if (is_name(p->l.tok.kind) && (after == T_COLON || after == T_IN)) {
		next(p);
		next(p);
		ts_type(p);
		if (eat(p, T_AS))
			ts_type(p);
	} else {
		js_expression_in(p);
	}
	js_need(p, T_RBRACKET);
}

/* ?, +?, -? behind a name. */
static void
optional_marks(parser *p)
{
	if (at(p, T_PLUS) || at(p, T_MINUS))
		next(p);
	eat(p, T_QUESTION);
}

static void
named_type_member(parser *p)
{
	if (at(p, T_LBRACKET))
		bracketed_name(p);
	else if (is_word(p->l.tok.kind) || at(p, T_STRING) || at(p, T_NUMBER) ||
		 at(p, T_BIGINT) || at(p, T_PRIVATE))
		next(p);
	else
		js_unexpected(p);
	optional_marks(p);
	if (at(p, T_LPAREN) || at(p, T_LT))
		call_signature(p);
	else if (eat(p, T_COLON))
		ts_type(p);
}

static void
type_member(parser *p)
{
	if (at(p, T_NEW)) {
		unsigned after = lex_peek(&p->l).kind;

		if (after == T_LPAREN || after == T_LT)
			next(p);
	}
	if (at(p, T_LPAREN) || at(p, T_LT)) {
		call_signature(p);
		return;
	}
	eat(p, T_ELLIPSIS); /* when it is a parameter's pattern */
	type_member_modifiers(p);
	named_type_member(p);
}

void
ts_object(parser *p)
{
	unsigned ctx = p->ctx;

	p->ctx &= ~(unsigned)CTX_NO_CONDITIONAL;
	js_need(p, T_LBRACE);
	while (!at(p, T_RBRACE) && !at(p, T_EOF)) {
		type_member(p);
		if (!eat(p, T_SEMICOLON) && !eat(p, T_COMMA) &&
		    !at(p, T_RBRACE) && !line_before(p))
			js_unexpected(p);
	}
	js_need(p, T_RBRACE);
	p->ctx = ctx;
}
