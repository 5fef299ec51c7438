/* SPDX-License-Identifier: MIT */
/*
 * early.c -- the walk over the finished tree, and the rules that need no list
 * of names: reserved words, strict mode, places of await, yield, arguments.
 */
#include "early.h"

/* -------------------------------------------------------------- frames */

static bool
opens_frame(const js_node *n)
{
	return js_is_function(n) || n->kind == JS_CLASS ||
	       n->kind == JS_CLASS_DECL || n->kind == JS_STATIC_BLOCK;
}

static void
push_frame(checker *c, const js_node *n)
{
	frame *f = arena_take(c->p->arena, sizeof(*f));
	bool arrow = n->kind == JS_ARROW;
	bool function = js_is_function(n);

	if (!f)
		return;
	if (n->kind == JS_CLASS || n->kind == JS_CLASS_DECL || arrow)
		*f = *c->frame;
	else
		*f = (frame){.strict = c->frame->strict};
	f->outer = c->frame;
	f->node = n;
	f->strict |= (n->flags & JS_STRICT) != 0;
	if (function) {
		f->params = false;
		f->generator = n->flags & JS_GENERATOR;
		f->async = n->flags & JS_ASYNC;
	}
	if (n->kind == JS_FIELD || n->kind == JS_STATIC_BLOCK)
		f->no_arguments = true;
	if (n->kind == JS_STATIC_BLOCK)
		f->no_await = true;
	c->frame = f;
}

/* --------------------------------------------------------------- names */

static bool
is_strict_word(unsigned word)
{
	switch (word) {
	case T_IMPLEMENTS:
	case T_INTERFACE:
	case T_LET:
	case T_PACKAGE:
	case T_PRIVATE_WORD:
	case T_PROTECTED:
	case T_PUBLIC:
	case T_STATIC:
	case T_YIELD:
		return true;
	default:
		return false;
	}
}

/* Parameters of an arrow function belong to what is around it too. */
static bool
reserves_yield(const frame *f)
{
	while (!f->generator && f->params && f->node->kind == JS_ARROW)
		f = f->outer;
	return f->generator;
}

static bool
reserves_await(const frame *f)
{
	while (!f->async && f->params && f->node->kind == JS_ARROW)
		f = f->outer;
	return f->async || f->no_await;
}

/* A word as the name of a variable or a label. */
static void
check_word(checker *c, const js_node *n, const frame *f)
{
	unsigned word = n->name ? n->name->word : T_NAME;

	if (word == T_NAME)
		return;
	if (word > T_ESCAPED)
		js_err(c->p, JS_E_RESERVED, n);
	else if (word == T_YIELD && reserves_yield(f))
		js_err(c->p, JS_E_YIELD_NAME, n);
	else if (word == T_AWAIT && reserves_await(f))
		js_err(c->p, JS_E_AWAIT_NAME, n);
	else if (f->strict && is_strict_word(word))
		js_err(c->p, JS_E_STRICT_RESERVED, n);
}

static void
check_set(checker *c, const js_node *n, const frame *f)
{
	unsigned word = n->name ? n->name->word : T_NAME;

	if (f->strict && (word == T_EVAL || word == T_ARGUMENTS))
		js_err(c->p, JS_E_STRICT_EVAL, n);
}

/* A function's own name is judged by what the function is; in a declaration
 * yield and await are judged by what is around it. */
static frame
frame_of_name(const checker *c, const js_node *n)
{
	const js_node *parent = n->parent;
	frame f = *c->frame;

	if (parent->kind == JS_FUNCTION_DECL && parent->child == n) {
		f.generator = f.outer->generator;
		f.async = f.outer->async;
		f.no_await = f.outer->no_await;
	}
	return f;
}

static bool
is_lexical_var(const js_node *n)
{
	const js_node *up = n->parent;

	while (up->kind == JS_PROPERTY || up->kind == JS_DEFAULT ||
	       up->kind == JS_REST || up->kind == JS_ARRAY_PATTERN ||
	       up->kind == JS_OBJECT_PATTERN)
		up = up->parent;
	return up->kind == JS_DECLARATOR && up->parent->op != T_VAR;
}

static void
check_bind(checker *c, const js_node *n)
{
	frame f = frame_of_name(c, n);
	bool let = n->name && n->name->word == T_LET;

	check_word(c, n, &f);
	check_set(c, n, &f);
	if (let && !f.strict && is_lexical_var(n))
		js_err(c->p, JS_E_LET_NAME, n);
}

static void
check_name(checker *c, const js_node *n)
{
	const frame *f = c->frame;

	if (!n->name || n->name->word == T_NAME)
		return;
	check_word(c, n, f);
	if (n->flags & JS_TARGET)
		check_set(c, n, f);
	if (f->no_arguments && n->name->word == T_ARGUMENTS)
		js_err(c->p, JS_E_ARGUMENTS_FIELD, n);
}

/* --------------------------------------------------------- expressions */

static void
check_await(checker *c, const js_node *n)
{
	if (c->frame->params)
		js_err(c->p, JS_E_AWAIT_PARAMETER, n);
}

static void
check_yield(checker *c, const js_node *n)
{
	if (c->frame->params)
		js_err(c->p, JS_E_YIELD_PARAMETER, n);
}

static void
check_octal(checker *c, const js_node *n)
{
	if (c->frame->strict && (n->flags & JS_OCTAL))
		js_err(c->p, JS_E_OCTAL, n);
}

/* delete x, delete a.#b, also through ?. */
static void
check_delete(checker *c, const js_node *n)
{
	const js_node *what = n->child;

	if (n->op != T_DELETE)
		return;
	if (what->kind == JS_NAME && c->frame->strict)
		js_err(c->p, JS_E_DELETE_NAME, n);
	if (what->kind == JS_CHAIN)
		what = what->child;
	if (what->kind == JS_MEMBER && what->child->next->kind == JS_PRIVATE)
		js_err(c->p, JS_E_DELETE_PRIVATE, n);
}

static bool
is_proto(const checker *c, const js_node *property)
{
	const js_node *key = property->child;

	if (property->kind != JS_PROPERTY ||
	    (property->flags & (JS_COMPUTED | JS_SHORTHAND)))
		return false;
	if (key->kind == JS_KEY)
		return key->name && text_eq(key->name->text, TEXT("__proto__"));
	return key->kind == JS_STRING && key->end - key->start == 11 &&
	       !memcmp(c->p->l.base + key->start + 1, "__proto__", 9);
}

static void
check_object(checker *c, const js_node *n)
{
	bool proto = false;

	for (const js_node *m = n->child; m; m = m->next) {
		if ((m->flags & JS_SHORTHAND) &&
		    m->child->next->kind == JS_DEFAULT)
			js_err(c->p, JS_E_COVER_INIT, m);
		if (!is_proto(c, m))
			continue;
		if (proto)
			js_err(c->p, JS_E_PROTO_TWICE, m);
		proto = true;
	}
}

/* ---------------------------------------------------------------- walk */

static void
check_node(checker *c, const js_node *n)
{
	switch (n->kind) {
	case JS_NAME:
		check_name(c, n);
		break;
	case JS_BIND:
		check_bind(c, n);
		break;
	case JS_NUMBER:
	case JS_STRING:
		check_octal(c, n);
		break;
	case JS_AWAIT:
		check_await(c, n);
		break;
	case JS_YIELD:
		check_yield(c, n);
		break;
	case JS_UNARY:
		check_delete(c, n);
		break;
	case JS_OBJECT:
		check_object(c, n);
		break;
	case JS_PARAMS:
		c->frame->params = true;
		break;
	default:
		break;
	}
}

/* The key of a field is outside of what the field's value is inside of. */
static bool
enters_field_value(const js_node *n)
{
	return n->parent && n->parent->kind == JS_FIELD &&
	       n->parent->child != n;
}

static void
check_and_enter(checker *c, const js_node *n)
{
	if (opens_frame(n))
		push_frame(c, n);
	if (enters_field_value(n))
		push_frame(c, n->parent);
	private_enter(c, n);
	scope_enter(c, n);
	check_node(c, n);
}

static void
check_and_leave(checker *c, const js_node *n)
{
	scope_leave(c, n);
	private_leave(c, n);
	if (n->kind == JS_PARAMS)
		c->frame->params = false;
	if (n == c->frame->node && c->frame->outer)
		c->frame = c->frame->outer;
}

void
js_check(parser *p, js_tree *t)
{
	bool async = p->options->goal == JS_ASYNC_BODY;
	frame top = {.strict = t->root->flags & JS_STRICT, .async = async};
	checker c = {.p = p, .frame = &top};
	const js_node *n = t->root;

	while (n && p->arena->bad == CM_OK) {
		check_and_enter(&c, n);
		if (n->child) {
			n = n->child;
			continue;
		}
		check_and_leave(&c, n);
		while (n != t->root && !n->next) {
			n = n->parent;
			check_and_leave(&c, n);
		}
		n = n == t->root ? NULL : n->next;
	}
}
