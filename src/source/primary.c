/* SPDX-License-Identifier: MIT */
/*
 * primary.c -- names, parentheses, new, calls and members: everything that
 * may stand left of an operator.
 */
#include "parse.h"
#include "ts.h"

/* --------------------------------------------------------- parentheses */

/* What is known about ( ... ) before => is seen. */
typedef struct parens {
	uint32_t start;
	uint32_t close; /* where ) stands */
	js_node *list;  /* JS_COVER while it is read */
	unsigned count;
	bool only_arrow; /* nothing, a rest, a comma at the end, a type */
	uint32_t why;    /* where that is seen */
} parens;

static void
only_arrow(parser *p, parens *s)
{
	if (!s->only_arrow)
		s->why = here(p);
	s->only_arrow = true;
}

/* An element of ( ): an expression, or a parameter with its type. */
static js_node *
paren_element(parser *p, bool *typed)
{
	uint32_t start = here(p);
	js_node *n = js_assign(p);

	*typed = p->ts && ts_parameter_tail(p);
	if (!*typed || !eat(p, T_SET))
		return n;
	n = js_node2(p, JS_ASSIGN, start, n, js_assign(p));
	n->op = T_SET;
	return n;
}

static void
read_parens(parser *p, parens *s)
{
	kids k = kids_of(s->list);
	bool typed;

	while (!at(p, T_RPAREN) && !at(p, T_EOF)) {
		if (at(p, T_ELLIPSIS)) {
			only_arrow(p, s);
			add(&k, js_binding_rest(p));
			break;
		}
		add(&k, paren_element(p, &typed));
		s->count++;
		if (typed)
			only_arrow(p, s);
		if (!at(p, T_COMMA))
			break;
		next(p);
		if (at(p, T_RPAREN))
			only_arrow(p, s);
	}
	if (s->count == 0)
		only_arrow(p, s);
	s->close = here(p);
	js_need(p, T_RPAREN);
	done(p, s->list);
}

/* One expression stays itself; several are a sequence. */
static js_node *
parens_value(parser *p, parens *s)
{
	js_node *n = s->list;

	if (s->only_arrow) {
		js_fault(p,
		    s->list->child ? JS_E_UNEXPECTED : JS_E_EMPTY_PARENS,
		    s->why, s->why + 1);
		return n;
	}
	if (s->count == 1) {
		n = n->child;
	} else {
		n->kind = JS_SEQUENCE;
		n->start = n->child->start;
		n->end = p->l.prev_end - 1;
	}
	n->flags |= JS_PAREN;
	return n;
}

static js_node *
parenthesized(parser *p)
{
	unsigned ctx = p->ctx;
	parens s = {.start = here(p)};

	s.list = js_new(p, JS_COVER, s.start);
	next(p);
	p->ctx &= ~(unsigned)(CTX_NO_IN | CTX_THEN);
	read_parens(p, &s);
	p->ctx = ctx;
	if (p->l.dead)
		return s.list;
	if (at(p, T_COLON) && p->ts && ts_try_arrow_type(p, s.close))
		return s.list;
	if (at(p, T_ARROW))
		return s.list;
	return parens_value(p, &s);
}

/* --------------------------------------------------------------- words */

js_node *
js_string_leaf(parser *p)
{
	if (!at(p, T_STRING))
		js_unexpected(p);
	return js_leaf(p, JS_STRING);
}

/* import_expression( ) and import.meta. */
static js_node *
import_expression(parser *p)
{
	js_node *n = js_new(p, JS_IMPORT_CALL, here(p));
	kids k = kids_of(n);

	next(p);
	if (eat(p, T_DOT)) {
		n->kind = JS_META;
		n->op = T_IMPORT;
		js_need(p, T_META);
		return done(p, n);
	}
	if (!at(p, T_LPAREN)) {
		js_fault(p, JS_E_MODULE_IMPORT, n->start, n->start + 6);
		return n;
	}
	js_arguments(p, &k);
	return done(p, n);
}

static js_node *
new_target(parser *p, uint32_t start)
{
	js_node *n = js_new(p, JS_META, start);

	n->op = T_NEW;
	next(p);
	js_need(p, T_TARGET);
	return done(p, n);
}

static js_node *member_tail(parser *p, uint32_t start, js_node *n, bool calls);

static js_node *
new_expression(parser *p)
{
	uint32_t start = here(p), callee_start;
	js_node *n = &p->spare, *callee;

	if (!js_enter(p))
		goto out;
	next(p);
	if (at(p, T_DOT)) {
		n = new_target(p, start);
		goto out;
	}
	callee_start = here(p);
	callee = at(p, T_NEW) ? new_expression(p) : js_primary(p);
	callee = member_tail(p, callee_start, callee, false);
	n = js_new(p, JS_NEW, start);
	kids k = kids_of(n);
	add(&k, callee);
	if (at(p, T_LPAREN))
		js_arguments(p, &k);
	done(p, n);
out:
	js_leave(p);
	return n;
}

static js_node *
async_or_name(parser *p)
{
	uint32_t start = here(p);
	js_token after = lex_peek(&p->l);

	if (after.kind != T_FUNCTION || (after.flags & TOK_LINE))
		return js_leaf(p, JS_NAME);
	next(p);
	return js_function(p, JS_FUNCTION, start, JS_ASYNC);
}

/* A word that begins an expression; the grammar's other reserved words do
 * not. */
static js_node *
word_expression(parser *p)
{
	switch (p->l.tok.kind) {
	case T_ASYNC:
		return async_or_name(p);
	case T_THIS:
		return js_leaf(p, JS_THIS);
	case T_NULL:
		return js_leaf(p, JS_NULL);
	case T_TRUE:
		return js_leaf(p, JS_TRUE);
	case T_FALSE:
		return js_leaf(p, JS_FALSE);
	case T_FUNCTION:
		return js_function(p, JS_FUNCTION, here(p), 0);
	case T_CLASS:
		return js_class(p, JS_CLASS, here(p));
	case T_SUPER:
		return js_leaf(p, JS_SUPER);
	case T_NEW:
		return new_expression(p);
	case T_IMPORT:
		return import_expression(p);
	case T_EXPORT:
		js_fault(p, JS_E_MODULE_EXPORT, here(p), p->l.tok.end);
		return &p->spare;
	case T_AWAIT:
		p->plain_await = p->l.tok.end;
		return js_leaf(p, JS_NAME);
	default:
		if (!is_name(p->l.tok.kind))
			js_unexpected(p);
		return js_leaf(p, JS_NAME);
	}
}

js_node *
js_primary(parser *p)
{
	switch (p->l.tok.kind) {
	case T_NAME:
		return js_leaf(p, JS_NAME);
	case T_NUMBER:
		return js_leaf(p, JS_NUMBER);
	case T_BIGINT:
		return js_leaf(p, JS_BIGINT);
	case T_STRING:
		return js_leaf(p, JS_STRING);
	case T_TEMPLATE:
		return js_template(p, false);
	case T_LPAREN:
		return parenthesized(p);
	case T_LBRACKET:
		return js_array(p);
	case T_LBRACE:
		return js_object(p);
	case T_DIV:
	case T_SET_DIV:
		lex_regex(&p->l);
		return js_leaf(p, JS_REGEX);
	case T_AT:
		if (p->ts)
			js_fault(p, JS_E_TS_DECORATOR, here(p), p->l.tok.end);
		js_unexpected(p);
		return &p->spare;
	default:
		if (is_word(p->l.tok.kind))
			return word_expression(p);
		js_unexpected(p);
		return &p->spare;
	}
}

/* -------------------------------------------------- members and calls */

/* True: an argument has a type, so that these are parameters. */
static bool
read_arguments(parser *p, kids *k, bool async)
{
	unsigned ctx = p->ctx;
	bool any = false, typed = false;

	js_need(p, T_LPAREN);
	p->ctx &= ~(unsigned)(CTX_NO_IN | CTX_THEN);
	while (!at(p, T_RPAREN) && !at(p, T_EOF)) {
		uint32_t start = here(p);
		bool spread = eat(p, T_ELLIPSIS);
		js_node *n = async ? paren_element(p, &typed) : js_assign(p);

		any |= typed;
		if (spread)
			n = js_node1(p, JS_SPREAD, start, n);
		add(k, n);
		if (!at(p, T_COMMA))
			break;
		if (spread)
			n->flags |= JS_COMMA;
		next(p);
	}
	p->ctx = ctx;
	js_need(p, T_RPAREN);
	return any;
}

void
js_arguments(parser *p, kids *k)
{
	read_arguments(p, k, false);
}

static js_node *
member_name(parser *p)
{
	if (at(p, T_PRIVATE))
		return js_leaf(p, JS_PRIVATE);
	if (!is_word(p->l.tok.kind))
		js_unexpected(p);
	return js_leaf(p, JS_KEY);
}

static js_node *
subscript(parser *p, uint32_t start, js_node *object)
{
	js_node *key;

	next(p);
	key = js_expression_in(p);
	js_need(p, T_RBRACKET);
	return js_node2(p, JS_INDEX, start, object, key);
}

/* async ( ... ) before =>: the call is an arrow function's parameters. */
static js_node *
async_cover(js_node *call)
{
	call->kind = JS_COVER;
	call->flags |= JS_ASYNC;
	call->child = call->child->next;
	return call;
}

static bool
is_plain_async(const parser *p, const js_node *n)
{
	return n->kind == JS_NAME && n->name && n->name->word == T_ASYNC &&
	       !(n->flags & (JS_PAREN | JS_ESCAPED | JS_TYPED)) &&
	       n->end == p->l.prev_end && !line_before(p);
}

static js_node *
call_expression(parser *p, uint32_t start, js_node *callee)
{
	bool async = is_plain_async(p, callee), typed;
	js_node *n = js_new(p, JS_CALL, start);
	kids k = kids_of(n);
	uint32_t close;

	add(&k, callee);
	typed = read_arguments(p, &k, async);
	close = p->l.prev_end - 1;
	done(p, n);
	if (!async || p->l.dead)
		return n;
	if (at(p, T_COLON) && p->ts && ts_try_arrow_type(p, close))
		return async_cover(n);
	if (at(p, T_ARROW) && !line_before(p))
		return async_cover(n);
	if (typed)
		js_unexpected(p);
	return n;
}

static js_node *
tagged_template(parser *p, uint32_t start, js_node *tag)
{
	return js_node2(p, JS_TAGGED, start, tag, js_template(p, true));
}

/* ?. and what stands behind it. */
static js_node *
optional_chain(parser *p, uint32_t start, js_node *n)
{
	next(p);
	if (p->ts)
		ts_try_arguments(p);
	if (at(p, T_LPAREN))
		n = call_expression(p, start, n);
	else if (at(p, T_LBRACKET))
		n = subscript(p, start, n);
	else if (at(p, T_TEMPLATE))
		n = tagged_template(p, start, n);
	else
		n = js_node2(p, JS_MEMBER, start, n, member_name(p));
	n->flags |= JS_OPTIONAL;
	return n;
}

/* calls: ( ) and ?. belong to it too. */
static js_node *
member_tail(parser *p, uint32_t start, js_node *n, bool calls)
{
	bool in_chain = false;

	for (;;) {
		if (n->kind == JS_COVER)
			return n;
		if (at(p, T_DOT)) {
			next(p);
			n = js_node2(p, JS_MEMBER, start, n, member_name(p));
		} else if (at(p, T_LPAREN) && calls) {
			n = call_expression(p, start, n);
		} else if (at(p, T_LBRACKET)) {
			n = subscript(p, start, n);
		} else if (at(p, T_CHAIN) && calls) {
			n = optional_chain(p, start, n);
			in_chain = true;
		} else if (at(p, T_TEMPLATE)) {
			n = tagged_template(p, start, n);
		} else if (!p->ts || !ts_member_tail(p)) {
			break;
		}
	}
	return in_chain ? js_node1(p, JS_CHAIN, start, n) : n;
}

js_node *
js_left_hand_side(parser *p)
{
	uint32_t start = here(p);

	return member_tail(p, start, js_primary(p), true);
}
