/* SPDX-License-Identifier: MIT */
/*
 * literal.c -- arrays, objects, property names, template literals.
 */
#include "parse.h"
#include "ts.h"

/* -------------------------------------------------------------- arrays */

static js_node *
spread_element(parser *p)
{
	uint32_t start = here(p);

	next(p);
	return js_node1(p, JS_SPREAD, start, js_assign(p));
}

js_node *
js_array(parser *p)
{
	unsigned ctx = p->ctx;
	js_node *n = js_new(p, JS_ARRAY, here(p)), *item;
	kids k = kids_of(n);

	next(p);
	p->ctx &= ~(unsigned)(CTX_NO_IN | CTX_THEN);
	while (!at(p, T_RBRACKET) && !at(p, T_EOF)) {
		if (at(p, T_COMMA)) {
			next(p);
			add(&k, js_none(p));
			continue;
		}
		item = at(p, T_ELLIPSIS) ? spread_element(p) : js_assign(p);
		add(&k, item);
		if (!at(p, T_COMMA))
			break;
		if (item->kind == JS_SPREAD)
			item->flags |= JS_COMMA;
		next(p);
	}
	p->ctx = ctx;
	js_need(p, T_RBRACKET);
	return done(p, n);
}

/* ------------------------------------------------------ property names */

static js_node *
computed_key(parser *p)
{
	js_node *n;

	next(p);
	n = js_assign_in(p);
	js_need(p, T_RBRACKET);
	return n;
}

js_node *
js_key(parser *p, unsigned *flags)
{
	*flags = 0;
	switch (p->l.tok.kind) {
	case T_STRING:
		return js_leaf(p, JS_STRING);
	case T_NUMBER:
		return js_leaf(p, JS_NUMBER);
	case T_BIGINT:
		return js_leaf(p, JS_BIGINT);
	case T_PRIVATE:
		return js_leaf(p, JS_PRIVATE);
	case T_LBRACKET:
		*flags = JS_COMPUTED;
		return computed_key(p);
	default:
		if (!is_word(p->l.tok.kind))
			js_unexpected(p);
		return js_leaf(p, JS_KEY);
	}
}

/* ------------------------------------------------------------- objects */

/* Is the word at the token a name here, or does it say of what kind the
 * member is? */
static bool
says_kind_of_member(parser *p)
{
	js_token after = lex_peek(&p->l);

	if (at(p, T_ASYNC))
		return !(after.flags & TOK_LINE) &&
		       (is_word(after.kind) || after.kind == T_STRING ||
			   after.kind == T_NUMBER || after.kind == T_BIGINT ||
			   after.kind == T_LBRACKET || after.kind == T_MUL ||
			   after.kind == T_PRIVATE);
	return is_word(after.kind) || after.kind == T_STRING ||
	       after.kind == T_NUMBER || after.kind == T_BIGINT ||
	       after.kind == T_LBRACKET || after.kind == T_PRIVATE;
}

js_head
js_member_head(parser *p)
{
	js_head h = {here(p), T_FUNCTION, 0, false};

	if ((at(p, T_GET) || at(p, T_SET_WORD)) && says_kind_of_member(p)) {
		h.op = p->l.tok.kind;
		h.method = true;
		next(p);
		return h;
	}
	if (at(p, T_ASYNC) && says_kind_of_member(p)) {
		h.flags |= JS_ASYNC;
		h.method = true;
		next(p);
	}
	if (eat(p, T_MUL)) {
		h.flags |= JS_GENERATOR;
		h.method = true;
	}
	return h;
}

static js_node *
object_method(parser *p, const js_head *h, js_node *key, unsigned key_flags)
{
	js_node *n = js_node2(p, JS_METHOD, h->start, key,
	    js_method_function(p, h->flags, false));

	n->op = (uint8_t)h->op;
	n->flags |= key_flags | h->flags;
	return done(p, n);
}

/* name, or name = value, which only a pattern may have. */
static js_node *
shorthand_property(parser *p, js_node *key)
{
	js_node *value = js_new(p, JS_NAME, key->start), *n;

	value->name = key->name;
	value->end = key->end;
	value->flags |= key->flags & JS_ESCAPED;
	if (at(p, T_SET)) {
		next(p);
		value =
		    js_node2(p, JS_DEFAULT, key->start, value, js_assign(p));
	}
	n = js_node2(p, JS_PROPERTY, key->start, key, value);
	n->flags |= JS_SHORTHAND;
	return n;
}

static js_node *
object_property(parser *p)
{
	js_head h;
	unsigned kind, flags;
	js_node *key, *n;

	if (at(p, T_ELLIPSIS))
		return spread_element(p);
	h = js_member_head(p);
	kind = p->l.tok.kind;
	if (kind == T_PRIVATE)
		js_unexpected(p);
	key = js_key(p, &flags);
	if (at(p, T_LPAREN) || h.method || (p->ts && at(p, T_LT)))
		return object_method(p, &h, key, flags);
	if (eat(p, T_COLON)) {
		n = js_node2(p, JS_PROPERTY, h.start, key, js_assign(p));
		n->flags |= flags;
		return n;
	}
	if (!is_name(kind))
		js_unexpected(p);
	return shorthand_property(p, key);
}

js_node *
js_object(parser *p)
{
	unsigned ctx = p->ctx;
	js_node *n = js_new(p, JS_OBJECT, here(p)), *item;
	kids k = kids_of(n);

	next(p);
	p->ctx &= ~(unsigned)(CTX_NO_IN | CTX_THEN);
	while (!at(p, T_RBRACE) && !at(p, T_EOF)) {
		item = object_property(p);
		add(&k, item);
		if (!at(p, T_COMMA))
			break;
		if (item->kind == JS_SPREAD)
			item->flags |= JS_COMMA;
		next(p);
	}
	p->ctx = ctx;
	js_need(p, T_RBRACE);
	return done(p, n);
}

/* ----------------------------------------------------------- templates */

/* The part of a template that the token is; true: the last one. */
static bool
template_chunk(parser *p, kids *k, bool tagged)
{
	js_token tok = p->l.tok;
	bool tail = tok.flags & TOK_TAIL;
	js_node *n = js_new(p, JS_CHUNK, tok.start + 1);

	n->end = tok.end - (tail ? 1 : 2);
	if (tok.flags & TOK_ESCAPED)
		n->flags |= JS_ESCAPED;
	if ((tok.flags & TOK_BAD_ESCAPE) && !tagged)
		js_fault(p, JS_E_ESCAPE, n->start, n->end);
	add(k, n);
	next(p);
	return tail;
}

js_node *
js_template(parser *p, bool tagged)
{
	js_node *n = js_new(p, JS_TEMPLATE, here(p));
	kids k = kids_of(n);

	while (!template_chunk(p, &k, tagged) && !p->l.dead) {
		add(&k, js_expression_in(p));
		if (!at(p, T_RBRACE)) {
			js_need(p, T_RBRACE);
			break;
		}
		lex_template(&p->l);
		if (!at(p, T_TEMPLATE))
			break;
	}
	return done(p, n);
}
