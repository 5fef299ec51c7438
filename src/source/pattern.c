/* SPDX-License-Identifier: MIT */
/*
 * pattern.c -- what can stand left of =, and what can be declared.
 *
 * Assignments and arrow functions are read as expressions, so here an array
 * becomes an array pattern in place, and so on down. Declarations read their
 * patterns as such.
 */
#include "parse.h"
#include "ts.h"

/* What an expression is to become. */
typedef enum pattern_goal {
	TO_TARGET, /* something that can be assigned to */
	TO_BINDING /* something that can be declared */
} pattern_goal;

static void convert(parser *p, js_node *n, pattern_goal goal);

static js_code
not_a_pattern(pattern_goal goal)
{
	return goal == TO_TARGET ? JS_E_PATTERN : JS_E_PARAMETER;
}

/* ... must be the last and without a comma. */
static void
convert_rest(parser *p, js_node *n, pattern_goal goal)
{
	if (n->next || (n->flags & JS_COMMA))
		js_err(p, JS_E_REST_LAST, n);
	n->kind = JS_REST;
	convert(p, n->child, goal);
}

/* A target, or a target with its default. */
static void
convert_element(parser *p, js_node *n, pattern_goal goal)
{
	bool plain = !(n->flags & JS_PAREN);

	if (n->kind == JS_ASSIGN && n->op == T_SET && plain) {
		n->kind = JS_DEFAULT;
		n->op = 0;
	}
	convert(p, n->kind == JS_DEFAULT && plain ? n->child : n, goal);
}

static void
convert_array(parser *p, js_node *n, pattern_goal goal)
{
	n->kind = JS_ARRAY_PATTERN;
	for (js_node *c = n->child; c && !p->l.dead; c = c->next) {
		if (c->kind == JS_SPREAD || c->kind == JS_REST)
			convert_rest(p, c, goal);
		else if (c->kind != JS_NONE)
			convert_element(p, c, goal);
	}
}

/* The rest of an object is no pattern. */
static void
convert_object_rest(parser *p, js_node *n, pattern_goal goal)
{
	unsigned kind = n->child->kind;

	convert_rest(p, n, goal);
	if (kind == JS_ARRAY || kind == JS_OBJECT || kind == JS_ARRAY_PATTERN ||
	    kind == JS_OBJECT_PATTERN)
		js_err(p, not_a_pattern(goal), n->child);
}

static void
convert_object(parser *p, js_node *n, pattern_goal goal)
{
	n->kind = JS_OBJECT_PATTERN;
	for (js_node *c = n->child; c && !p->l.dead; c = c->next) {
		if (c->kind == JS_SPREAD || c->kind == JS_REST)
			convert_object_rest(p, c, goal);
		else if (c->kind == JS_PROPERTY)
			convert_element(p, c->child->next, goal);
		else
			js_err(p, not_a_pattern(goal), c);
	}
}

void
js_to_simple_target(parser *p, js_node *n)
{
	switch (n->kind) {
	case JS_NAME:
		n->flags |= JS_TARGET;
		break;
	case JS_MEMBER:
	case JS_INDEX:
		break;
	default:
		js_err(p, JS_E_TARGET, n);
	}
}

static void
convert_name(parser *p, js_node *n, pattern_goal goal)
{
	if (goal == TO_TARGET) {
		js_to_simple_target(p, n);
	} else if (n->kind == JS_NAME) {
		n->kind = JS_BIND;
		n->flags &= ~(uint32_t)JS_TARGET;
	} else if (n->kind != JS_BIND) {
		js_err(p, JS_E_PARAMETER, n);
	}
}

static void
convert_whole(parser *p, js_node *n, pattern_goal goal)
{
	switch (n->kind) {
	case JS_ARRAY:
		convert_array(p, n, goal);
		break;
	case JS_OBJECT:
		convert_object(p, n, goal);
		break;
	/* Its parts are targets already; bindings they are not yet. */
	case JS_ARRAY_PATTERN:
		if (goal == TO_BINDING)
			convert_array(p, n, goal);
		break;
	case JS_OBJECT_PATTERN:
		if (goal == TO_BINDING)
			convert_object(p, n, goal);
		break;
	default:
		convert_name(p, n, goal);
	}
}

static void
convert(parser *p, js_node *n, pattern_goal goal)
{
	if (!js_enter(p) || p->l.dead)
		;
	else if (goal == TO_TARGET && (n->flags & JS_PAREN))
		js_to_simple_target(p, n);
	else if (goal == TO_BINDING && (n->flags & (JS_PAREN | JS_TYPED)))
		js_err(p, JS_E_PARAMETER, n);
	else
		convert_whole(p, n, goal);
	js_leave(p);
}

void
js_to_target(parser *p, js_node *n)
{
	convert(p, n, TO_TARGET);
}

void
js_to_parameters(parser *p, js_node *cover)
{
	cover->kind = JS_PARAMS;
	for (js_node *c = cover->child; c && !p->l.dead; c = c->next) {
		c->parent = cover;
		if (c->kind == JS_SPREAD || c->kind == JS_REST)
			convert_rest(p, c, TO_BINDING);
		else
			convert_element(p, c, TO_BINDING);
	}
}

/* --------------------------------------------------------- declarations */

js_node *
js_binding_name(parser *p)
{
	if (is_word(p->l.tok.kind) && !is_name(p->l.tok.kind))
		js_fault(p, JS_E_RESERVED, here(p), p->l.tok.end);
	else if (!is_name(p->l.tok.kind))
		js_unexpected(p);
	return js_leaf(p, JS_BIND);
}

js_node *
js_binding_element(parser *p)
{
	uint32_t start = here(p);
	js_node *n = js_binding(p);

	if (!eat(p, T_SET))
		return n;
	return js_node2(p, JS_DEFAULT, start, n, js_assign_in(p));
}

js_node *
js_binding_rest(parser *p)
{
	uint32_t start = here(p);
	js_node *n;

	js_need(p, T_ELLIPSIS);
	n = js_node1(p, JS_REST, start, js_binding(p));
	if (p->ts && ts_annotation(p))
		done(p, n);
	if (at(p, T_COMMA))
		js_fault(p, JS_E_REST_LAST, start, p->l.prev_end);
	return n;
}

static js_node *
array_binding(parser *p)
{
	js_node *n = js_new(p, JS_ARRAY_PATTERN, here(p));
	kids k = kids_of(n);

	next(p);
	while (!at(p, T_RBRACKET) && !at(p, T_EOF)) {
		if (eat(p, T_COMMA)) {
			add(&k, js_none(p));
			continue;
		}
		if (at(p, T_ELLIPSIS)) {
			add(&k, js_binding_rest(p));
			break;
		}
		add(&k, js_binding_element(p));
		if (!eat(p, T_COMMA))
			break;
	}
	js_need(p, T_RBRACKET);
	return done(p, n);
}

/* { name } or { name = value }. */
static js_node *
shorthand_binding(parser *p)
{
	js_node *bind = js_binding_name(p);
	js_node *key = js_new(p, JS_KEY, bind->start), *n;

	key->end = bind->end;
	key->name = bind->name;
	key->flags = bind->flags;
	if (eat(p, T_SET))
		bind =
		    js_node2(p, JS_DEFAULT, key->start, bind, js_assign_in(p));
	n = js_node2(p, JS_PROPERTY, key->start, key, bind);
	n->flags |= JS_SHORTHAND;
	return n;
}

static js_node *
property_binding(parser *p)
{
	uint32_t start = here(p);
	unsigned flags;
	js_node *key, *n;

	if (is_name(p->l.tok.kind)) {
		js_token after = lex_peek(&p->l);

		if (after.kind != T_COLON)
			return shorthand_binding(p);
	}
	if (at(p, T_PRIVATE))
		js_unexpected(p);
	key = js_key(p, &flags);
	js_need(p, T_COLON);
	n = js_node2(p, JS_PROPERTY, start, key, js_binding_element(p));
	n->flags |= flags;
	return n;
}

static js_node *
object_binding(parser *p)
{
	js_node *n = js_new(p, JS_OBJECT_PATTERN, here(p));
	kids k = kids_of(n);

	next(p);
	while (!at(p, T_RBRACE) && !at(p, T_EOF)) {
		if (at(p, T_ELLIPSIS)) {
			uint32_t start = here(p);

			next(p);
			add(&k,
			    js_node1(p, JS_REST, start, js_binding_name(p)));
			break;
		}
		add(&k, property_binding(p));
		if (!eat(p, T_COMMA))
			break;
	}
	js_need(p, T_RBRACE);
	return done(p, n);
}

js_node *
js_binding(parser *p)
{
	js_node *n = &p->spare;

	if (!js_enter(p))
		;
	else if (at(p, T_LBRACKET))
		n = array_binding(p);
	else if (at(p, T_LBRACE))
		n = object_binding(p);
	else
		n = js_binding_name(p);
	js_leave(p);
	return n;
}
