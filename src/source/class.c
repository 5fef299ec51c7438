/* SPDX-License-Identifier: MIT */
/*
 * class.c -- classes and their members.
 */
#include "parse.h"
#include "ts.h"

/* Is the member's name this word, written as a word or as a string? */
static bool
key_is(const parser *p, const js_node *n, text word)
{
	const js_node *key = n->child;

	if (n->flags & JS_COMPUTED)
		return false;
	if (key->kind == JS_KEY)
		return key->name && text_eq(key->name->text, word);
	return key->kind == JS_STRING &&
	       key->end - key->start == word.len + 2 &&
	       !memcmp(p->l.base + key->start + 1, word.ptr, word.len);
}

static bool
is_constructor(const parser *p, const js_node *n)
{
	return !(n->flags & JS_STATIC) && n->child->kind != JS_PRIVATE &&
	       key_is(p, n, TEXT("constructor"));
}

/* -------------------------------------------------------------- members */

static js_node *
static_block(parser *p, uint32_t start)
{
	unsigned ctx = p->ctx;
	js_node *body = js_new(p, JS_BODY, here(p));
	kids k = kids_of(body);

	p->ctx = CTX_STRICT;
	next(p);
	js_statements(p, &k, T_RBRACE);
	body->flags |= JS_STRICT;
	p->ctx = ctx;
	js_need(p, T_RBRACE);
	done(p, body);
	return js_node1(p, JS_STATIC_BLOCK, start, body);
}

static js_node *
field_value(parser *p)
{
	unsigned ctx = p->ctx;
	js_node *n;

	p->ctx = CTX_STRICT;
	n = js_assign(p);
	p->ctx = ctx;
	return n;
}

static js_node *
class_field(parser *p, uint32_t start, js_node *key)
{
	js_node *n = js_new(p, JS_FIELD, start);
	kids k = kids_of(n);

	add(&k, key);
	if (p->ts)
		ts_annotation(p);
	if (eat(p, T_SET))
		add(&k, field_value(p));
	done(p, n);
	js_semicolon(p);
	return n;
}

/* NULL: an overload or an abstract method. */
static js_node *
class_method(parser *p, const js_head *h, js_node *key, unsigned flags)
{
	js_node *n = js_new(p, JS_METHOD, h->start), *function;
	kids k = kids_of(n);

	n->flags |= flags | h->flags;
	add(&k, key);
	n->op = (uint8_t)(is_constructor(p, n) ? T_CONSTRUCTOR : h->op);
	function = js_method_function(p, h->flags, p->ts);
	if (!function)
		return NULL;
	add(&k, function);
	return done(p, n);
}

/* Is "static" at the token a modifier, or a member of that name? */
static bool
is_static(parser *p)
{
	unsigned after = lex_peek(&p->l).kind;

	if (after == T_QUESTION || after == T_NOT || after == T_COLON)
		return false;
	return at(p, T_STATIC) && after != T_LPAREN && after != T_SET &&
	       after != T_SEMICOLON && after != T_RBRACE && after != T_EOF &&
	       after != T_LT;
}

/* From the name on; what stood before it is in h and flags. */
static js_node *
named_member(parser *p, const js_head *h, unsigned flags)
{
	unsigned key_flags;
	js_node *key = js_key(p, &key_flags), *n;

	flags |= key_flags;
	if (p->ts)
		ts_member_mark(p);
	if (at(p, T_LPAREN) || h->method || (p->ts && at(p, T_LT)))
		n = class_method(p, h, key, flags);
	else
		n = class_field(p, h->start, key);
	if (!n)
		return NULL;
	n->flags |= flags;
	return n;
}

/* NULL: it was all types. */
static js_node *
class_member(parser *p)
{
	ts_member ts = {.start = here(p)};
	unsigned flags = 0;
	bool fixed = false;
	js_node *n;
	js_head h;

	if (p->ts)
		ts = ts_modifiers(p, &fixed);
	if (!fixed && at(p, T_STATIC) && is_static(p)) {
		next(p);
		fixed = true;
	}
	if (fixed)
		flags |= JS_STATIC;
	if (fixed && at(p, T_LBRACE))
		return static_block(p, ts.start);
	if (p->ts && ts_index_signature(p, &ts))
		return NULL;
	h = js_member_head(p);
	h.start = ts.start;
	n = named_member(p, &h, flags);
	if (!p->ts)
		return n;
	if (ts.erased || !n)
		ts_erase(p, ts.start, ts.open);
	return ts.erased ? NULL : n;
}

static void
class_members(parser *p, kids *k)
{
	while (!at(p, T_RBRACE) && !at(p, T_EOF)) {
		js_node *n;

		if (eat(p, T_SEMICOLON))
			continue;
		if (at(p, T_AT) && p->ts)
			js_fault(p, JS_E_TS_DECORATOR, here(p), p->l.tok.end);
		n = class_member(p);
		if (n)
			add(k, n);
	}
}

/* -------------------------------------------------------------- classes */

static js_node *
class_name(parser *p)
{
	if (!is_name(p->l.tok.kind))
		return js_none(p);
	if (p->ts && at(p, T_IMPLEMENTS))
		return js_none(p);
	return js_binding_name(p);
}

static js_node *
heritage(parser *p)
{
	js_node *n = &p->spare;

	if (!eat(p, T_EXTENDS))
		return js_none(p);
	if (js_enter(p))
		n = js_left_hand_side(p);
	js_leave(p);
	if (n->kind == JS_COVER)
		js_unexpected(p);
	if (p->ts)
		ts_opt_arguments(p);
	return n;
}

js_node *
js_class(parser *p, js_kind kind, uint32_t start)
{
	unsigned ctx = p->ctx;
	js_node *n = js_new(p, kind, start);
	kids k = kids_of(n);

	p->ctx |= CTX_STRICT;
	p->ctx &= ~(unsigned)(CTX_NO_IN | CTX_THEN);
	n->flags |= JS_STRICT;
	js_need(p, T_CLASS);
	add(&k, class_name(p));
	if (p->ts)
		ts_opt_parameters(p);
	add(&k, heritage(p));
	if (p->ts)
		ts_implements(p);
	js_need(p, T_LBRACE);
	class_members(p, &k);
	p->ctx = ctx;
	js_need(p, T_RBRACE);
	return done(p, n);
}
