/* SPDX-License-Identifier: MIT */
/*
 * compile_scope.c -- two walks over the tree: the first makes the scopes and
 * what is declared in each, the second looks for uses in functions inside.
 *
 * While a walk is inside a scope, scratch[0] of a name is the innermost variable
 * of it, scratch[1] the innermost private member.
 */
#include "compile.h"

typedef struct scope_walk {
	compiler *c;
	scope *scope;
	bool resolve;
} scope_walk;

/* ------------------------------------------------------------------ scopes */

static size_t
scope_slot_of(const compiler *c, const js_node *node)
{
	size_t i = ((uintptr_t)node >> 3) * 0x9e3779b97f4a7c15u >> 20;

	for (i &= c->scope_places - 1;
	     c->scope_of[i].node != NULL && c->scope_of[i].node != node;
	     i = (i + 1) & (c->scope_places - 1))
		;
	return i;
}

scope *
scope_opened(const compiler *c, const js_node *node)
{
	return c->scope_of[scope_slot_of(c, node)].scope;
}

static bool
opens_scope(const js_node *n)
{
	switch (n->kind) {
	case JS_BLOCK:
	case JS_FOR:
	case JS_FOR_IN:
	case JS_FOR_OF:
	case JS_CATCH:
	case JS_SWITCH:
	case JS_CLASS:
	case JS_CLASS_DECL:
	case JS_STATIC_BLOCK:
	case JS_BODY:
	case JS_FUNCTION:
	case JS_ARROW:
	case JS_FUNCTION_DECL:
		return true;
	default:
		return false;
	}
}

static bool
grow_scopes(compiler *c)
{
	size_t old = c->scope_places, places = old ? old * 2 : 64;
	struct scope_slot *before = c->scope_of;

	c->scope_of = arena_take(&c->work, places * sizeof(*before));
	if (c->scope_of == NULL)
		return false;
	memset(c->scope_of, 0, places * sizeof(*before));
	c->scope_places = places;
	for (size_t i = 0; i < old; i++)
		if (before[i].node != NULL)
			c->scope_of[scope_slot_of(c, before[i].node)] =
			    before[i];
	return true;
}

static scope *
new_scope(scope_walk *w, const js_node *n)
{
	compiler *c = w->c;
	scope *s = arena_take(&c->work, sizeof(*s));

	if (s == NULL || (c->scopes * 2 >= c->scope_places && !grow_scopes(c)))
		return NULL;
	*s = (scope){.node = n, .outer = w->scope};
	s->function = js_is_function(n) || n->kind == JS_BODY ||
		      n->kind == JS_STATIC_BLOCK;
	c->scope_of[scope_slot_of(c, n)] = (struct scope_slot){n, s};
	c->scopes++;
	return s;
}

/* ------------------------------------------------------------ declarations */

static variable *
find_in(const scope *s, const js_name *name, bool is_private)
{
	variable *v = s->first;

	while (v != NULL &&
	       (v->name != name || (v->kind == VARIABLE_PRIVATE) != is_private))
		v = v->next;
	return v;
}

static variable *
add_variable(scope_walk *w, scope *s, const js_node *made, js_name *name,
    variable_kind kind)
{
	variable *v = arena_take(&w->c->work, sizeof(*v));

	if (v == NULL)
		return NULL;
	*v = (variable){.name = name, .scope = s, .made = made, .kind = kind};
	if (s->last != NULL)
		s->last->next = v;
	else
		s->first = v;
	s->last = v;
	return v;
}

static variable *
declare(scope_walk *w, scope *s, const js_node *bind, js_name *name,
    variable_kind kind)
{
	variable *v = find_in(s, name, kind == VARIABLE_PRIVATE);

	if (v != NULL) {
		if (kind == VARIABLE_FUNCTION && v->kind == VARIABLE_VAR)
			v->kind = VARIABLE_FUNCTION;
		if (v->kind == VARIABLE_SELF) {
			v->kind = kind; /* hidden by what is inside */
			v->made = bind;
		}
		return v;
	}
	return add_variable(w, s, bind, name, kind);
}

/* Where a var of this scope belongs. */
static scope *
var_scope(scope *s)
{
	while (!s->function)
		s = s->outer;
	return s;
}

/* Do the parameters have defaults or computed keys? */
static bool
has_expressions(const js_node *params)
{
	for (const js_node *n = params->child; n != NULL;) {
		if (n->kind == JS_DEFAULT || n->flags & JS_COMPUTED)
			return true;
		n = js_next(n, params);
	}
	return false;
}

/* The variable around the body of a function that a var of that name is, too:
 * a parameter, or arguments. */
static variable *
parameter_named(scope_walk *w, const scope *s, js_name *name)
{
	variable *v;

	if (s->node->kind != JS_BODY || s->outer == NULL ||
	    !js_is_function(s->outer->node))
		return NULL;
	if (text_eq(name->text, TEXT("arguments")) &&
	    s->outer->node->kind != JS_ARROW)
		return declare(w, s->outer, NULL, name, VARIABLE_ARGUMENTS);
	v = find_in(s->outer, name, false);
	return v != NULL && v->kind == VARIABLE_PARAMETER ? v : NULL;
}

static bool
is_lexical(variable_kind kind)
{
	return kind == VARIABLE_LET || kind == VARIABLE_CONST ||
	       kind == VARIABLE_CLASS;
}

static void
refuse_twice(scope_walk *w, const js_node *bind)
{
	refuse_node(w->c, bind,
	    "invalid redefinition of a name: it is "
	    "declared twice in the same place");
}

/* Functions of the same name are allowed in sloppy code. */
static bool
may_stand_twice(const scope *s, const variable *v, variable_kind kind,
    const js_node *function)
{
	unsigned special = JS_STRICT | JS_ASYNC | JS_GENERATOR;

	if (kind != VARIABLE_FUNCTION)
		return v->hoisted;
	if (s->function)
		return v->kind == VARIABLE_VAR || v->kind == VARIABLE_FUNCTION;
	return v->function != NULL &&
	       ((v->function->flags | function->flags) & special) == 0;
}

/* What let, const, class or a function in a block declares. */
static void
check_twice(scope_walk *w, scope *s, const js_node *bind, variable_kind kind,
    const js_node *function)
{
	variable *v = find_in(s, bind->name, false);
	const scope *outer = s->outer;

	if (v != NULL && !may_stand_twice(s, v, kind, function))
		refuse_twice(w, bind);
	if (v != NULL && v->hoisted && kind != VARIABLE_FUNCTION)
		v->kind = kind;
	for (const struct passed *p = s->passed; p != NULL; p = p->next)
		if (p->name == bind->name)
			refuse_twice(w, bind);
	if (outer == NULL || (kind == VARIABLE_FUNCTION && s->function))
		return;
	v = find_in(outer, bind->name, false);
	if (v != NULL &&
	    ((s->node->kind == JS_BODY && v->kind == VARIABLE_PARAMETER) ||
		(outer->node->kind == JS_CATCH && v->kind == VARIABLE_CAUGHT &&
		    s->node->parent == outer->node)))
		refuse_twice(w, bind);
}

/* A var goes through the blocks between it and its function. */
static void
pass_var(scope_walk *w, const js_node *bind)
{
	scope *s = w->scope;

	for (;; s = s->outer) {
		variable *v = find_in(s, bind->name, false);
		struct passed *p;

		if (v != NULL &&
		    (is_lexical(v->kind) ||
			(v->kind == VARIABLE_FUNCTION && !s->function) ||
			(v->kind == VARIABLE_CAUGHT &&
			    (v->made->parent != s->node ||
				bind->parent->parent->parent->kind ==
				    JS_FOR_OF))))
			refuse_twice(w, bind);
		if (s->function)
			return;
		p = arena_take(&w->c->work, sizeof(*p));
		if (p == NULL)
			return;
		*p = (struct passed){s->passed, bind->name};
		s->passed = p;
	}
}

/* A var of a parameter's name is that parameter, unless expressions among the
 * parameters may see another value of it. */
static void
declare_var(scope_walk *w, const js_node *bind)
{
	scope *s = var_scope(w->scope);
	variable *p = parameter_named(w, s, bind->name), *v;

	pass_var(w, bind);
	if (p != NULL && !s->outer->expressions)
		return;
	v = declare(w, s, bind, bind->name, VARIABLE_VAR);
	if (v != NULL && p != NULL && v->kind == VARIABLE_VAR)
		v->copied = true;
}

/* A function in a block is also a var, in sloppy code, unless a let between
 * them would be in the way. */
static void
declare_function(scope_walk *w, const js_node *f)
{
	const js_node *bind = f->child;
	scope *s = w->scope, *var = var_scope(s), *between;
	variable *v;

	if (bind->kind != JS_BIND)
		return;
	check_twice(w, s, bind, VARIABLE_FUNCTION, f);
	v = declare(w, s, bind, bind->name, VARIABLE_FUNCTION);
	if (v != NULL)
		v->function = f;
	if (s == var || f->flags & (JS_STRICT | JS_ASYNC | JS_GENERATOR))
		return;
	for (between = s->outer; between != var; between = between->outer)
		if (find_in(between, bind->name, false) != NULL)
			return;
	v = find_in(var, bind->name, false);
	if (v == NULL && parameter_named(w, var, bind->name) == NULL) {
		v = declare(w, var, bind, bind->name, VARIABLE_VAR);
		if (v != NULL)
			v->hoisted = true;
	}
}

static void
declare_lexical(
    scope_walk *w, scope *s, const js_node *bind, variable_kind kind)
{
	check_twice(w, s, bind, kind, NULL);
	declare(w, s, bind, bind->name, kind);
}

static void
declare_bind(scope_walk *w, const js_node *n)
{
	const js_node *by = js_declared_by(n);

	switch (by->kind) {
	case JS_DECLARATOR:
		if (by->parent->op == T_VAR)
			declare_var(w, n);
		else
			declare_lexical(w, w->scope, n,
			    by->parent->op == T_LET ? VARIABLE_LET
						    : VARIABLE_CONST);
		break;
	case JS_PARAMS:
		declare(w, w->scope, n, n->name, VARIABLE_PARAMETER);
		break;
	case JS_CATCH:
		if (find_in(w->scope, n->name, false) != NULL)
			refuse_twice(w, n);
		declare(w, w->scope, n, n->name, VARIABLE_CAUGHT);
		break;
	case JS_CLASS_DECL:
		declare_lexical(w, w->scope->outer, n, VARIABLE_CLASS);
		declare(w, w->scope, n, n->name, VARIABLE_CONST);
		break;
	case JS_CLASS:
		declare(w, w->scope, n, n->name, VARIABLE_CONST);
		break;
	case JS_FUNCTION:
		declare(w, w->scope, n, n->name, VARIABLE_SELF);
		break;
	default:
		break;
	}
}

/* A key that is computed once, and used for each object; a private method. */
static void
declare_member(scope_walk *w, const js_node *m)
{
	bool is_private = m->child->kind == JS_PRIVATE;
	bool is_class = m->parent->kind != JS_OBJECT;
	variable *v;

	if (!is_class || (m->kind == JS_FIELD && !(m->flags & JS_COMPUTED)) ||
	    (m->kind == JS_METHOD && (!is_private || m->flags & JS_STATIC)))
		return;
	v = add_variable(w, w->scope, m, &w->c->member_name, VARIABLE_MEMBER);
	if (v != NULL)
		v->captured = true;
}

/* Of the function around that is no arrow. */
static void
declare_arguments(scope_walk *w, js_name *name)
{
	scope *s = w->scope;

	while (s != NULL && s->node->kind != JS_FUNCTION &&
	       s->node->kind != JS_FUNCTION_DECL)
		s = s->outer;
	if (s != NULL)
		declare(w, s, NULL, name, VARIABLE_ARGUMENTS);
}

const js_node *
function_of_this(const js_node *n)
{
	for (; n->parent != NULL; n = n->parent) {
		if ((n->kind == JS_FUNCTION || n->kind == JS_FUNCTION_DECL))
			return n;
		if (n->kind == JS_STATIC_BLOCK ||
		    (n->parent->kind == JS_FIELD && n->parent->child != n))
			return NULL;
	}
	return NULL;
}

bool
is_derived_constructor(const js_node *f)
{
	const js_node *class, *extends;

	if (f == NULL || !is_method_function(f) ||
	    f->parent->op != T_CONSTRUCTOR)
		return false;
	class = f->parent->parent;
	extends = class->child->next;
	return extends != NULL && extends->kind != JS_NONE;
}

bool
is_method_function(const js_node *f)
{
	return f->parent != NULL && f->parent->kind == JS_METHOD &&
	       f->parent->child->next == f;
}

/* Is there an arrow function between n and that function? */
static bool
is_in_arrow(const js_node *n, const js_node *function)
{
	while (n != function && n->kind != JS_ARROW)
		n = n->parent;
	return n != function;
}

static void
declare_hidden(scope_walk *w, scope *s, js_name *name, variable_kind kind)
{
	variable *v = declare(w, s, NULL, name, kind);

	if (v != NULL)
		v->captured = true;
}

/* What an arrow function cannot take from the closure is a variable of the
 * function around it. */
static void
declare_this(scope_walk *w, const js_node *n)
{
	const js_node *f = function_of_this(n);
	bool calls = n->kind == JS_SUPER && n->parent->kind == JS_CALL &&
		     n->parent->child == n;
	scope *s;

	if (f == NULL || !is_in_arrow(n, f))
		return;
	s = scope_opened(w->c, f);
	if (n->kind != JS_META && is_derived_constructor(f))
		declare_hidden(w, s, &w->c->this_name, VARIABLE_THIS);
	if (n->kind == JS_META || calls)
		declare_hidden(w, s, &w->c->target_name, VARIABLE_TARGET);
	if (calls)
		declare_hidden(w, s, &w->c->callee_name, VARIABLE_CALLEE);
}

/* -------------------------------------------------------------------- uses */

/* The function in whose registers what is in this scope would be. */
static const scope *
frame_of(const scope *s)
{
	while (!s->function || (s->node->kind == JS_BODY && s->outer != NULL &&
				   js_is_function(s->outer->node)))
		s = s->outer;
	return s;
}

/* A field of a class is computed in a function of its own. */
static bool
is_in_field(const js_node *n, const scope *from, const scope *to)
{
	while (from != to && from->node->kind != JS_CLASS &&
	       from->node->kind != JS_CLASS_DECL)
		from = from->outer;
	if (from->node->kind != JS_CLASS && from->node->kind != JS_CLASS_DECL)
		return false;
	for (; n != NULL && n != to->node; n = n->parent)
		if (n->parent != NULL && n->parent->kind == JS_FIELD &&
		    n->parent->child != n)
			return true;
	return false;
}

/* for (let x of ...x...): x is not set yet on the right. */
static bool
is_on_right(const js_node *n, const scope *s)
{
	const js_node *right;

	if (s->node->kind != JS_FOR_OF && s->node->kind != JS_FOR_IN)
		return false;
	right = s->node->child->next;
	return n->start >= right->start && n->end <= right->end;
}

/* Where a variable is set at the latest: of a parameter, its own end. */
static uint32_t
end_of_declaration(const variable *v)
{
	const js_node *by = js_declared_by(v->made), *n = v->made;

	if (by->kind != JS_PARAMS)
		return by->end;
	while (n->parent != by)
		n = n->parent;
	return n->end;
}

bool
may_come_before(const js_node *n, const variable *v)
{
	return v->scope->node->kind == JS_SWITCH ||
	       n->start < end_of_declaration(v) || is_on_right(n, v->scope);
}

/* What a class extends does not see the private names of that class. */
variable *
private_variable(const js_node *n)
{
	variable *v = n->name->scratch[1];
	const js_node *extends;

	for (; v != NULL; v = v->outer) {
		extends = v->scope->node->child->next;
		if (n->start < extends->start || n->end > extends->end)
			break;
	}
	return v;
}

static void
use(scope_walk *w, const js_node *n)
{
	variable *v = n->kind == JS_PRIVATE ? private_variable(n)
					    : variable_find(n->name);

	if (v == NULL)
		return;
	v->set = v->set || n->flags & JS_TARGET;
	if (v->made != NULL && n->kind == JS_NAME && may_come_before(n, v))
		v->early = true;
	if (frame_of(v->scope) != frame_of(w->scope) ||
	    is_in_field(n, w->scope, v->scope))
		v->captured = true;
}

static bool
is_plain_label(const js_node *n)
{
	const js_node *up = n->parent;

	return up->kind == JS_BREAK || up->kind == JS_CONTINUE ||
	       (up->kind == JS_LABEL && up->child == n);
}

static void
open_names(scope *s)
{
	for (variable *v = s->first; v != NULL; v = v->next) {
		v->outer = v->name->scratch[v->kind == VARIABLE_PRIVATE];
		v->name->scratch[v->kind == VARIABLE_PRIVATE] = v;
	}
}

static void
close_names(scope *s)
{
	for (variable *v = s->first; v != NULL; v = v->next)
		v->name->scratch[v->kind == VARIABLE_PRIVATE] = v->outer;
}

/* ------------------------------------------------------------------- walks */

static void
enter_scope_node(scope_walk *w, const js_node *n)
{
	scope *s;

	if (w->resolve) {
		if ((n->kind == JS_NAME && !is_plain_label(n)) ||
		    n->kind == JS_PRIVATE)
			use(w, n);
		if (!opens_scope(n))
			return;
		w->scope = scope_opened(w->c, n);
		open_names(w->scope);
		return;
	}
	if (n->kind == JS_FUNCTION_DECL)
		declare_function(w, n);
	if (opens_scope(n) && (s = new_scope(w, n)) != NULL)
		w->scope = s;
	if (n->kind == JS_PARAMS)
		w->scope->expressions = has_expressions(n);
	if (n->kind == JS_FIELD || n->kind == JS_METHOD)
		declare_member(w, n);
	if (n->kind == JS_BIND && n->parent->kind != JS_FUNCTION_DECL)
		declare_bind(w, n);
	if (n->kind == JS_PRIVATE && n->parent->child == n &&
	    (n->parent->kind == JS_FIELD || n->parent->kind == JS_METHOD))
		declare_hidden(w, w->scope, n->name, VARIABLE_PRIVATE);
	if (n->kind == JS_THIS || n->kind == JS_SUPER || n->kind == JS_META)
		declare_this(w, n);
	if (n->kind == JS_NAME && text_eq(n->name->text, TEXT("arguments")))
		declare_arguments(w, n->name);
}

static void
leave_node(scope_walk *w, const js_node *n)
{
	if (w->scope == NULL || w->scope->node != n)
		return;
	if (w->resolve)
		close_names(w->scope);
	w->scope = w->scope->outer;
}

static void
walk_scopes(scope_walk *w, const js_node *root)
{
	const js_node *n = root;

	while (n != NULL && w->c->work.bad == CM_OK) {
		enter_scope_node(w, n);
		if (n->child != NULL) {
			n = n->child;
			continue;
		}
		for (; n != NULL; n = n->parent) {
			leave_node(w, n);
			if (n == root)
				return;
			if (n->next != NULL)
				break;
		}
		n = n->next;
	}
}

cm_status
scopes_read(compiler *c)
{
	scope_walk w = {.c = c};

	if (!grow_scopes(c))
		return c->work.bad;
	walk_scopes(&w, c->tree->root);
	w = (scope_walk){.c = c, .resolve = true};
	if (c->work.bad == CM_OK)
		walk_scopes(&w, c->tree->root);
	return c->work.bad;
}

void
scope_open_names(scope *s)
{
	open_names(s);
}

void
scope_close_names(scope *s)
{
	close_names(s);
}
