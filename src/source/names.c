/* SPDX-License-Identifier: MIT */
/* names.c -- see names.h. */
#include "names.h"

typedef struct scope {
	struct scope *outer;
	const js_node *node;
	bool function; /* var stops here */
	binding *first;
} scope;

typedef struct item_list {
	void **item;
	size_t len, cap;
} item_list;

typedef struct reader {
	arena *arena;
	scope *scope;
	item_list scopes; /* in the order of the walk */
	item_list bindings;
	size_t at; /* the scope that the second walk enters next */
	name_use *use;
	size_t uses, uses_cap;
} reader;

static void
append_item(reader *r, item_list *l, void *item)
{
	void **list =
	    arena_grow(r->arena, l->item, &l->cap, l->len, sizeof(void *));

	if (!list)
		return;
	l->item = list;
	l->item[l->len++] = item;
}

/* ----------------------------------------------------------------- scopes */

static bool
begins_scope(const js_node *n)
{
	switch (n->kind) {
	case JS_CLASS: /* the name of a class expression */
	case JS_BODY:  /* parameters do not see what it declares */
		return true;
	case JS_CASE: /* the first opens that of all: the value is outside */
		return n->parent->child->next == n;
	default:
		return js_opens_scope(n);
	}
}

/* The node with which a scope ends. */
static const js_node *
scope_node(const js_node *opens)
{
	return opens->kind == JS_CASE ? opens->parent : opens;
}

static bool
is_body_of_function(const scope *s)
{
	return s->node->kind == JS_BODY && s->node->parent;
}

const js_node *
names_function(const js_node *n)
{
	for (n = n->parent; n && n->parent && !js_opens_function(n);
	     n = n->parent)
		;
	return n;
}

static scope *
function_scope(scope *s)
{
	while (!s->function)
		s = s->outer;
	return s;
}

/* ------------------------------------------------------------ declarations */

/* scratch[1] of a name is the latest binding of it, so that what is declared
 * twice in one scope is mostly seen without a search. */
static void
add_binding(reader *r, scope *s, const js_node *bind, binding_kind kind,
    const js_node *init)
{
	binding *b = bind->name->scratch[1];
	const scope *function;

	if (b && b->scope == s) {
		b->sets += init != NULL || kind == BINDING_PARAMETER;
		return;
	}
	b = arena_take(r->arena, sizeof(*b));
	if (!b)
		return;
	function = function_scope(s);
	*b = (binding){.next = s->first,
	    .scope = s,
	    .name = bind->name,
	    .node = bind,
	    .init = init,
	    .function = is_body_of_function(function) ? function->node->parent
						      : function->node,
	    .kind = kind,
	    .maybe_global = kind == BINDING_VAR && !function->node->parent};
	s->first = b;
	bind->name->scratch[1] = b;
	append_item(r, &r->bindings, b);
}

static void
bind_variable(reader *r, const js_node *bind, const js_node *declarator)
{
	const js_node *var = declarator->parent;
	const js_node *init = declarator->child == bind ? bind->next : NULL;
	bool plain = var->op == T_VAR;

	add_binding(r, plain ? function_scope(r->scope) : r->scope, bind,
	    plain              ? BINDING_VAR
	    : var->op == T_LET ? BINDING_LET
			       : BINDING_CONST,
	    init);
}

static void
bind_function(reader *r, const js_node *bind, const js_node *f)
{
	if (f->kind == JS_FUNCTION_DECL) {
		add_binding(r, r->scope, bind, BINDING_FUNCTION, f);
		if (!r->scope->function)
			add_binding(
			    r, function_scope(r->scope), bind, BINDING_VAR, f);
		return;
	}
	add_binding(r, r->scope, bind, BINDING_VAR, f); /* known inside it */
}

static void
bind_declared(reader *r, const js_node *n)
{
	const js_node *by = js_declared_by(n);

	switch (by->kind) {
	case JS_DECLARATOR:
		bind_variable(r, n, by);
		break;
	case JS_PARAMS:
		add_binding(r, r->scope, n, BINDING_PARAMETER, NULL);
		break;
	case JS_CATCH:
		add_binding(r, r->scope, n, BINDING_CAUGHT, NULL);
		break;
	case JS_CLASS:
	case JS_CLASS_DECL:
		add_binding(r, r->scope, n, BINDING_CLASS, by);
		break;
	case JS_FUNCTION:
	default:
		bind_function(r, n, by);
		break;
	}
}

static void
first_enter(reader *r, const js_node *n)
{
	scope *s;

	/* A declaration's name belongs to the scope around it. */
	if (n->kind == JS_FUNCTION_DECL && n->child->kind == JS_BIND)
		bind_function(r, n->child, n);
	if (n->kind == JS_BIND && n->parent->kind != JS_FUNCTION_DECL)
		bind_declared(r, n);
	if (!begins_scope(n) || !(s = arena_take(r->arena, sizeof(*s))))
		return;
	*s = (scope){r->scope, scope_node(n),
	    js_opens_function(n) || n->kind == JS_BODY, NULL};
	r->scope = s;
	append_item(r, &r->scopes, s);
}

static void
first_leave(reader *r, const js_node *n)
{
	if (r->scope && r->scope->node == n)
		r->scope = r->scope->outer;
}

/* --------------------------------------------------------------------- uses */

static void
note_use(reader *r, const js_node *n)
{
	binding *b = n->name->scratch[2];
	name_use *list =
	    arena_grow(r->arena, r->use, &r->uses_cap, r->uses, sizeof(*list));

	if (!list)
		return;
	r->use = list;
	r->use[r->uses++] = (name_use){n, b, 0};
	if (!b)
		return;
	if (b->first == 0)
		b->first = (uint32_t)r->uses;
	else
		r->use[b->last - 1].next = (uint32_t)r->uses;
	b->last = (uint32_t)r->uses;
	if (n->flags & JS_TARGET)
		b->sets++;
	else
		b->uses++;
}

static bool
is_label(const js_node *n)
{
	const js_node *up = n->parent;

	return up->kind == JS_BREAK || up->kind == JS_CONTINUE ||
	       (up->kind == JS_LABEL && up->child == n);
}

/* A var of a parameter's name is that parameter. */
static bool
is_parameter_again(const binding *b, const binding *before)
{
	return before->kind == BINDING_PARAMETER &&
	       before->scope == b->scope->outer &&
	       is_body_of_function(b->scope) &&
	       (b->kind == BINDING_VAR || b->kind == BINDING_FUNCTION);
}

/* A function in a block, which may or may not be a var outside of it. */
static bool
is_maybe_var(const binding *b)
{
	return b->kind == BINDING_VAR && b->init &&
	       b->init->kind == JS_FUNCTION_DECL;
}

/* One binding stands for both: two declarations of one scope, a parameter that
 * is declared again, what a function in a block may hide. */
static bool
is_same(const binding *b, const binding *before)
{
	return before && (before->scope == b->scope ||
			     is_parameter_again(b, before) || is_maybe_var(b));
}

static void
open_binding(binding *b)
{
	binding *before = b->name->scratch[2];

	if (is_same(b, before)) {
		b->same = before;
		before->sets++;
		return;
	}
	b->maybe_global |= is_maybe_var(b);
	b->outer = before;
	b->name->scratch[2] = b;
}

/* catch (e) { var e = 1 } sets the e of the catch, and declares another. */
static void
note_caught(const js_node *bind)
{
	binding *b = bind->name->scratch[2];

	for (; b && b->kind == BINDING_CAUGHT && b->node != bind; b = b->outer)
		b->sets++;
	if (b && b != bind->name->scratch[2])
		b->sets++;
}

static void
second_enter(reader *r, const js_node *n)
{
	if (n->kind == JS_NAME && !is_label(n))
		note_use(r, n);
	if (n->kind == JS_BIND)
		note_caught(n);
	if (!begins_scope(n) || r->at == r->scopes.len)
		return;
	r->scope = r->scopes.item[r->at++];
	for (binding *b = r->scope->first; b; b = b->next)
		open_binding(b);
}

static void
second_leave(reader *r, const js_node *n)
{
	scope *s = r->scope;

	if (!s || s->node != n)
		return;
	for (binding *b = s->first; b; b = b->next) {
		b->name->scratch[1] = NULL;
		if (!b->same)
			b->name->scratch[2] = b->outer;
	}
	r->scope = s->outer;
}

static void
walk_names(reader *r, const js_node *root,
    void (*enter)(reader *, const js_node *),
    void (*leave)(reader *, const js_node *))
{
	const js_node *n = root;

	while (n) {
		enter(r, n);
		if (n->child) {
			n = n->child;
			continue;
		}
		for (; n; n = n->parent) {
			leave(r, n);
			if (n == root)
				return;
			if (n->next)
				break;
		}
		n = n->next;
	}
}

cm_status
names_read(const js_tree *t, names *out)
{
	reader r = {.arena = t->arena};

	*out = (names){0};
	walk_names(&r, t->root, first_enter, first_leave);
	r.scope = NULL;
	if (t->arena->bad == CM_OK)
		walk_names(&r, t->root, second_enter, second_leave);
	if (t->arena->bad != CM_OK)
		return t->arena->bad;
	*out =
	    (names){r.use, r.uses, (binding **)r.bindings.item, r.bindings.len};
	return CM_OK;
}

binding *
names_find(const names *ns, const js_node *name)
{
	const name_use *use = js_find(ns->use, ns->uses, sizeof(*use), name);

	return use ? use->binding : NULL;
}

binding *
names_made(const names *ns, const js_node *bind)
{
	size_t low = 0, high = ns->bindings;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ns->all[middle]->node->start < bind->start)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == ns->bindings || ns->all[low]->node != bind)
		return NULL;
	return ns->all[low]->same ? ns->all[low]->same : ns->all[low];
}
