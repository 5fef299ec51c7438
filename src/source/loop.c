/* SPDX-License-Identifier: MIT */
/*
 * loop.c -- while, do, and the five forms of for.
 */
#include "parse.h"
#include "ts.h"

js_node *
js_while(parser *p)
{
	js_node *n = js_new(p, JS_WHILE, here(p));
	kids k = kids_of(n);

	next(p);
	js_need(p, T_LPAREN);
	add(&k, js_expression_in(p));
	js_need(p, T_RPAREN);
	add(&k, js_statement(p));
	return done(p, n);
}

js_node *
js_do(parser *p)
{
	js_node *n = js_new(p, JS_DO, here(p));
	kids k = kids_of(n);

	next(p);
	add(&k, js_statement(p));
	js_need(p, T_WHILE);
	js_need(p, T_LPAREN);
	add(&k, js_expression_in(p));
	js_need(p, T_RPAREN);
	eat(p, T_SEMICOLON); /* it may always be left out here */
	return done(p, n);
}

/* ----------------------------------------------------------------- heads */

static js_node *
optional_expression(parser *p, unsigned close)
{
	return at(p, close) ? js_none(p) : js_expression_in(p);
}

/* for (init; test; update) body; init is read. */
static js_node *
plain_for(parser *p, js_node *n, js_node *init)
{
	kids k = kids_of(n);

	add(&k, init);
	js_need(p, T_SEMICOLON);
	add(&k, optional_expression(p, T_SEMICOLON));
	js_need(p, T_SEMICOLON);
	add(&k, optional_expression(p, T_RPAREN));
	js_need(p, T_RPAREN);
	add(&k, js_statement(p));
	return done(p, n);
}

/* for (left of right) body and for (left in right) body; at of or in. */
static js_node *
each_for(parser *p, js_node *n, js_node *left)
{
	kids k = kids_of(n);

	n->kind = at(p, T_OF) ? JS_FOR_OF : JS_FOR_IN;
	next(p);
	add(&k, left);
	add(&k, n->kind == JS_FOR_OF ? js_assign_in(p) : js_expression_in(p));
	js_need(p, T_RPAREN);
	add(&k, js_statement(p));
	return done(p, n);
}

static bool
at_each(const parser *p)
{
	return at(p, T_OF) || at(p, T_IN);
}

/* An expression in the head. */
static js_node *
expression_head(parser *p, js_node *n)
{
	unsigned ctx = p->ctx;
	js_node *left;

	p->ctx |= CTX_NO_IN;
	left = js_expression(p);
	p->ctx = ctx;
	if (!at_each(p))
		return plain_for(p, n, left);
	js_to_target(p, left);
	return each_for(p, n, left);
}

/* "using of" is a name and "of"; so is "using in". */
static unsigned
at_head_var(parser *p)
{
	unsigned op = js_at_var(p);

	if (op == T_USING && lex_peek(&p->l).kind == T_OF)
		return T_EOF;
	return op;
}

static js_node *
var_head(parser *p, js_node *n, unsigned op)
{
	unsigned ctx = p->ctx;
	js_node *left;

	p->ctx |= CTX_NO_IN;
	left = js_var(p, op);
	p->ctx = ctx;
	return at_each(p) ? each_for(p, n, left) : plain_for(p, n, left);
}

js_node *
js_for(parser *p)
{
	js_node *n = js_new(p, JS_FOR, here(p));
	unsigned op;

	next(p);
	if (at(p, T_AWAIT)) {
		if (!(p->ctx & CTX_ASYNC))
			js_fault(p, JS_E_AWAIT_PLACE, here(p), p->l.tok.end);
		n->flags |= JS_ASYNC;
		next(p);
	}
	js_need(p, T_LPAREN);
	op = at_head_var(p);
	if (op != T_EOF)
		return var_head(p, n, op);
	if (at(p, T_SEMICOLON))
		return plain_for(p, n, js_none(p));
	return expression_head(p, n);
}
