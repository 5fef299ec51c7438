/* SPDX-License-Identifier: MIT */
/*
 * private.c -- private names: each is declared once in its class (or twice, as
 * getter and setter), and only used where a class around declares it.
 *
 * A name's innermost declaration is in its scratch[2]. Members may use names
 * that are declared further down, so a class tells all of its names when its
 * first member is entered; what it extends is still outside.
 */
#include "early.h"

typedef struct private_name {
	struct private_name *outer; /* of the same name */
	struct private_name *next;  /* of the same class */
	js_name *name;
	const private_scope *scope;
	const js_node *member;
	bool pair; /* getter and setter are both there */
} private_name;

static bool
is_member(const js_node *n)
{
	return n->parent &&
	       (n->parent->kind == JS_CLASS ||
		   n->parent->kind == JS_CLASS_DECL) &&
	       (n->kind == JS_METHOD || n->kind == JS_FIELD ||
		   n->kind == JS_STATIC_BLOCK);
}

/* Are they the getter and the setter of one thing? */
static bool
is_pair(const js_node *a, const js_node *b)
{
	return a->kind == JS_METHOD && b->kind == JS_METHOD &&
	       ((a->op == T_GET && b->op == T_SET_WORD) ||
		   (a->op == T_SET_WORD && b->op == T_GET)) &&
	       (a->flags & JS_STATIC) == (b->flags & JS_STATIC);
}

static void
declare_private(checker *c, const js_node *member)
{
	js_node *key = member->child;
	private_name *old = key->name ? key->name->scratch[2] : NULL, *n;

	if (!key->name)
		return;
	if (old && old->scope == c->private) {
		if (old->pair || !is_pair(old->member, member))
			js_err_name(c->p, JS_E_PRIVATE_TWICE, key);
		old->pair = true;
		return;
	}
	n = arena_take(c->p->arena, sizeof(*n));
	if (!n)
		return;
	*n = (private_name){
	    old, c->private->names, key->name, c->private, member, false};
	c->private->names = n;
	key->name->scratch[2] = n;
}

static void
open_private_scope(checker *c, const js_node *class)
{
	private_scope *s = arena_take(c->p->arena, sizeof(*s));

	if (!s)
		return;
	*s = (private_scope){c->private, class, NULL};
	c->private = s;
	for (const js_node *m = class->child; m; m = m->next)
		if ((m->kind == JS_METHOD || m->kind == JS_FIELD) &&
		    m->child->kind == JS_PRIVATE)
			declare_private(c, m);
}

void
private_enter(checker *c, const js_node *n)
{
	if (is_member(n) && (!c->private || c->private->class != n->parent))
		open_private_scope(c, n->parent);
	if (n->kind == JS_PRIVATE && n->name && !n->name->scratch[2])
		js_err_name(c->p, JS_E_PRIVATE_UNKNOWN, n);
}

void
private_leave(checker *c, const js_node *n)
{
	private_scope *s = c->private;

	if (!s || s->class != n)
		return;
	for (private_name *p = s->names; p; p = p->next)
		p->name->scratch[2] = p->outer;
	c->private = s->outer;
}
