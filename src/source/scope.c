/* SPDX-License-Identifier: MIT */
/*
 * scope.c -- names that are declared twice.
 *
 * Each name carries what it means where the walk is: in scratch[0] its
 * innermost let, const, class or the like, in scratch[1] its latest var in the
 * innermost function. So a declaration costs one look. A var escapes from its
 * blocks, also from those that declare the name later; so a block is judged
 * when it is left: was the latest var of one of its names seen inside it?
 */
#include "early.h"

typedef enum binding_kind {
	LEXICAL,
	FUNCTION, /* a plain function in a block: sloppy code may repeat it */
	CAUGHT    /* catch (e): var e may stand inside */
} binding_kind;

typedef struct binding {
	struct binding *outer; /* of the same name */
	struct binding *next;  /* of the same scope */
	js_name *name;
	const scope *scope;
	const js_node *node;
	binding_kind kind;
} binding;

typedef struct variable {
	struct variable *outer; /* of the same name, in an outer function */
	struct variable *next;  /* of the same function */
	js_name *name;
	const scope *function;
	const js_node *node; /* the latest; NULL: bound around the script */
	bool parameter;
} variable;

/* --------------------------------------------------------------- scopes */

static scope *
push_scope(checker *c, const js_node *n)
{
	scope *s = arena_take(c->p->arena, sizeof(*s));

	if (!s)
		return NULL;
	*s = (scope){.outer = c->scope, .node = n};
	s->function = js_opens_function(n) ? s : c->scope->function;
	c->scope = s;
	return s;
}

/* -------------------------------------------------------- declarations */

static void
report_twice(checker *c, const js_node *n)
{
	js_err_name(c->p, JS_E_REDECLARED, n);
}

static void
declare_lexical(checker *c, const js_node *n, binding_kind kind)
{
	js_name *name = n->name;
	binding *old = name ? name->scratch[0] : NULL, *b;

	if (old && old->scope == c->scope) {
		if (kind != FUNCTION || old->kind != FUNCTION ||
		    c->frame->strict)
			report_twice(c, n);
		return;
	}
	b = name ? arena_take(c->p->arena, sizeof(*b)) : NULL;
	if (!b)
		return;
	*b = (binding){old, c->scope->names, name, c->scope, n, kind};
	c->scope->names = b;
	name->scratch[0] = b;
}

static variable *
declare_var(checker *c, js_name *name, const js_node *n)
{
	scope *s = c->scope->function;
	variable *v = name ? name->scratch[1] : NULL;

	if (!name)
		return NULL;
	if (!v || v->function != s) {
		variable *inner = arena_take(c->p->arena, sizeof(*inner));

		if (!inner)
			return NULL;
		*inner = (variable){v, s->vars, name, s, n, false};
		s->vars = inner;
		name->scratch[1] = inner;
		return inner;
	}
	v->node = n;
	return v;
}

/* May the parameters of the function repeat a name? */
static bool
may_repeat(const js_node *function, const js_node *params)
{
	if (function->kind == JS_ARROW ||
	    (function->flags & (JS_STRICT | JS_METHOD_VALUE)))
		return false;
	for (const js_node *p = params->child; p; p = p->next)
		if (p->kind != JS_BIND)
			return false;
	return true;
}

static void
declare_parameter(checker *c, const js_node *n, const js_node *params)
{
	variable *old = n->name ? n->name->scratch[1] : NULL;
	bool seen = old && old->function == c->scope && old->parameter;

	if (seen && c->scope->repeats == UNKNOWN)
		c->scope->repeats =
		    may_repeat(c->scope->node, params) ? ALLOWED : FORBIDDEN;
	if (seen && c->scope->repeats == FORBIDDEN)
		js_err_name(c->p, JS_E_PARAMETER_TWICE, n);
	old = declare_var(c, n->name, n);
	if (old)
		old->parameter = true;
}

static void
declare_function(checker *c, const js_node *n, const js_node *function)
{
	const js_node *up = function->parent;
	bool plain = !(function->flags & (JS_ASYNC | JS_GENERATOR));

	while (up->kind == JS_LABEL)
		up = up->parent;
	if (up->kind == JS_IF)
		return; /* as if a block were around it */
	if (c->scope->function == c->scope)
		declare_var(c, n->name, n);
	else
		declare_lexical(c, n, plain ? FUNCTION : LEXICAL);
}

static void
declare_bind(checker *c, const js_node *n)
{
	const js_node *by = js_declared_by(n);

	switch (by->kind) {
	case JS_DECLARATOR:
		if (by->parent->op == T_VAR)
			declare_var(c, n->name, n);
		else
			declare_lexical(c, n, LEXICAL);
		break;
	case JS_PARAMS:
		declare_parameter(c, n, by);
		break;
	case JS_CATCH:
		declare_lexical(c, n, n->parent == by ? CAUGHT : LEXICAL);
		break;
	case JS_CLASS_DECL:
	case JS_IMPORT_NAME:
		declare_lexical(c, n, LEXICAL);
		break;
	default: /* the name of an expression is seen only inside it */
		break;
	}
}

/* ---------------------------------------------------------------- walk */

static void
declare_outside(checker *c)
{
	const js_options *o = c->p->options;

	for (size_t i = 0; i < o->param_count; i++)
		declare_var(c, lex_name(&c->p->l, o->params[i]), NULL);
}

void
scope_enter(checker *c, const js_node *n)
{
	if (n->kind == JS_FUNCTION_DECL && n->child->kind == JS_BIND)
		declare_function(c, n->child, n);
	if (n->kind == JS_BIND)
		declare_bind(c, n);
	else if ((n->kind == JS_SWITCH || js_opens_scope(n)) &&
		 push_scope(c, n) && !n->parent)
		declare_outside(c);
}

/* The var that collides with a name of this scope, if there is one. */
static const variable *
colliding(const scope *s, const binding *b)
{
	const variable *v = b->name->scratch[1];

	if (b->kind == CAUGHT || !v)
		return NULL;
	if (v->function != s->function)
		return NULL;
	if (v->node && v->node->start < b->scope->node->start)
		return NULL;
	return v->node || b->scope == s ? v : NULL;
}

static void
report_collisions(checker *c, const scope *s)
{
	for (binding *b = s->names; b; b = b->next) {
		const variable *v = colliding(s, b);

		if (v)
			report_twice(
			    c, v->node && v->node->start > b->node->start
				   ? v->node
				   : b->node);
		b->name->scratch[0] = b->outer;
	}
}

void
scope_leave(checker *c, const js_node *n)
{
	scope *s = c->scope;

	if (!s || s->node != n)
		return;
	report_collisions(c, s);
	for (variable *v = s->vars; v; v = v->next)
		v->name->scratch[1] = v->outer;
	c->scope = s->outer;
}
