/* SPDX-License-Identifier: MIT */
/*
 * func.c -- functions of every form: parameters, bodies, directives, arrows.
 */
#include "parse.h"
#include "ts.h"

static unsigned
kind_context(unsigned flags)
{
	return (flags & JS_ASYNC ? CTX_ASYNC : 0u) |
	       (flags & JS_GENERATOR ? CTX_GENERATOR : 0u);
}

/* --------------------------------------------------------------- bodies */

static bool
is_directive(const js_node *n)
{
	return n->kind == JS_EXPR && n->child->kind == JS_STRING &&
	       !(n->child->flags & JS_PAREN);
}

static bool
is_use_strict(const parser *p, const js_node *string)
{
	return string->end - string->start == 12 &&
	       !memcmp(p->l.base + string->start + 1, "use strict", 10);
}

/* A directive at the beginning of a body; false: it is none. */
static bool
read_directive(parser *p, js_node *n)
{
	if (!n || !is_directive(n))
		return false;
	n->flags |= JS_DIRECTIVE;
	if (is_use_strict(p, n->child))
		p->ctx |= CTX_STRICT;
	return true;
}

void
js_body(parser *p, js_node *body, unsigned close)
{
	kids k = kids_of(body);
	bool prologue = true;

	while (!at(p, close) && !at(p, T_EOF)) {
		js_node *n = js_statement_or_declaration(p);

		if (!n)
			continue;
		add(&k, n);
		prologue = prologue && read_directive(p, n);
	}
	if (p->ctx & CTX_STRICT)
		body->flags |= JS_STRICT;
}

static js_node *
braced_body(parser *p)
{
	js_node *n = js_new(p, JS_BODY, here(p));

	js_need(p, T_LBRACE);
	js_body(p, n, T_RBRACE);
	done(p, n);
	js_need(p, T_RBRACE);
	return done(p, n);
}

/* ----------------------------------------------------------- parameters */

static js_node *
read_parameter(parser *p)
{
	uint32_t start = here(p);
	js_node *n;

	if (p->ts)
		ts_parameter_modifiers(p);
	n = js_binding(p);
	if (p->ts) {
		ts_mark(p, T_QUESTION);
		ts_annotation(p);
	}
	if (!eat(p, T_SET))
		return n;
	return js_node2(p, JS_DEFAULT, start, n, js_assign_in(p));
}

js_node *
js_params(parser *p)
{
	js_node *n = js_new(p, JS_PARAMS, here(p));
	kids k = kids_of(n);

	js_need(p, T_LPAREN);
	if (p->ts)
		ts_this_parameter(p);
	while (!at(p, T_RPAREN) && !at(p, T_EOF)) {
		if (at(p, T_ELLIPSIS)) {
			add(&k, js_binding_rest(p));
			break;
		}
		add(&k, read_parameter(p));
		if (!eat(p, T_COMMA))
			break;
	}
	js_need(p, T_RPAREN);
	return done(p, n);
}

/* From the parameters on. False: an overload, which has no body. */
static bool
rest_of_function(parser *p, js_node *n, kids *k, uint32_t start)
{
	js_node *params, *body;
	bool overload = p->ctx & CTX_OVERLOAD;

	p->ctx &= ~(unsigned)CTX_OVERLOAD;
	if (p->ts)
		ts_opt_parameters(p);
	params = js_params(p);
	if (p->ts && at(p, T_COLON))
		ts_return_annotation(p);
	if (overload && ts_overload(p, start))
		return false;
	body = braced_body(p);
	add(k, params);
	add(k, body);
	n->flags |= body->flags & JS_STRICT;
	done(p, n);
	return true;
}

/* ------------------------------------------------------------ functions */

js_node *
js_function(parser *p, js_kind kind, uint32_t start, unsigned flags)
{
	js_node *n = js_new(p, kind, start);
	kids k = kids_of(n);
	unsigned ctx = p->ctx;
	bool whole;

	js_need(p, T_FUNCTION);
	if (eat(p, T_MUL))
		flags |= JS_GENERATOR;
	n->flags |= flags;
	add(&k, is_word(p->l.tok.kind) ? js_binding_name(p) : js_none(p));
	p->ctx = kind_context(flags) |
		 (ctx & (CTX_STRICT | CTX_DECLARE | CTX_OVERLOAD));
	whole = rest_of_function(p, n, &k, start);
	p->ctx = ctx;
	return whole ? n : NULL;
}

js_node *
js_function_declaration(parser *p, uint32_t start, unsigned flags)
{
	unsigned ctx = p->ctx;
	js_node *n;

	if (p->ts)
		p->ctx |= CTX_OVERLOAD;
	n = js_function(p, JS_FUNCTION_DECL, start, flags);
	p->ctx = ctx;
	return n;
}

js_node *
js_method_function(parser *p, unsigned flags, bool overload)
{
	js_node *n = js_new(p, JS_FUNCTION, here(p));
	kids k = kids_of(n);
	unsigned ctx = p->ctx;
	bool whole;

	n->flags |= flags;
	add(&k, js_none(p));
	p->ctx = kind_context(flags) | (ctx & (CTX_STRICT | CTX_DECLARE)) |
		 (overload ? CTX_OVERLOAD : 0u);
	whole = rest_of_function(p, n, &k, n->start);
	p->ctx = ctx;
	return whole ? n : NULL;
}

/* --------------------------------------------------------------- arrows */

static js_node *
concise_body(parser *p, js_node *arrow)
{
	js_node *n = js_assign(p);

	arrow->flags |= JS_CONCISE | (p->ctx & CTX_STRICT ? JS_STRICT : 0);
	return n;
}

js_node *
js_arrow(parser *p, uint32_t start, js_node *cover)
{
	js_node *n = js_new(p, JS_ARROW, start), *body;
	kids k = kids_of(n);
	unsigned around = p->ctx;
	unsigned ctx = (around & CTX_ARROW) | kind_context(cover->flags);

	if (line_before(p))
		js_fault(p, JS_E_ARROW_LINE, here(p), p->l.tok.end);
	n->flags |= cover->flags & JS_ASYNC;
	cover->flags = 0;
	js_to_parameters(p, cover);
	js_need(p, T_ARROW);
	add(&k, cover);
	if (at(p, T_LBRACE)) {
		p->ctx = ctx & ~(unsigned)(CTX_NO_IN | CTX_THEN);
		body = braced_body(p);
		add(&k, body);
		n->flags |= body->flags & JS_STRICT;
	} else {
		p->ctx = ctx;
		add(&k, concise_body(p, n));
	}
	p->ctx = around;
	return done(p, n);
}
