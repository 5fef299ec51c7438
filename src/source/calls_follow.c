/* SPDX-License-Identifier: MIT */
/*
 * calls_follow.c -- which tools can a script reach, and where?
 *
 * The list must hold every tool that a run can call, so the default is "*".
 * Each place where tools itself, or a part of it, is a value is followed: up
 * its members to a call, and into the variable or parameter that it is bound
 * to, whose uses are followed in turn. A use that is none of these, and none
 * that cannot call anything (typeof, a comparison), may hand the value on to
 * any code: it "escapes". Of a tool its path is added then; of a namespace
 * "space.*"; of tools itself "*". What code could get at tools without saying
 * so is added by calls_code.c.
 *
 * A path is "", "space.*", "*", or the names behind "tools." joined by dots.
 */
#include "calls_parts.h"

enum { PATH_MAX_BYTES = 300 };

/* ------------------------------------------------------------------ paths */

static bool
ends_in_star(text path)
{
	return text_ends(path, TEXT("*"));
}

/* A name behind a path; an empty one is not known. */
static text
join_tool_path(analysis *a, text path, text key)
{
	char *joined;

	if (ends_in_star(path))
		return path;
	if (path.len + key.len > PATH_MAX_BYTES)
		return TEXT("*");
	if (key.len == 0)
		key = TEXT("*");
	if (path.len == 0)
		return key;
	joined = arena_take(a->arena, path.len + 1 + key.len);
	if (joined == NULL)
		return TEXT_NONE;
	memcpy(joined, path.ptr, path.len);
	joined[path.len] = '.';
	memcpy(joined + path.len + 1, key.ptr, key.len);
	return (text){joined, path.len + 1 + key.len};
}

/* Without a catalog: tools stand in a namespace, and nothing stands in them. */
static bool
is_tool(const analysis *a, text path)
{
	if (a->tools && a->tools->find)
		return path.len > 0 && analysis_tool(a, path) == SOURCE_TOOL;
	return text_find(path, TEXT("."), 0) != SIZE_MAX && !ends_in_star(path);
}

text
calls_key(analysis *a, const js_node *key)
{
	const binding *b;

	switch (key->kind) {
	case JS_KEY:
		return key->name->text;
	case JS_STRING:
		return calls_string(a, key);
	case JS_TEMPLATE:
		return key->child && !key->child->next
			   ? calls_string(a, key->child)
			   : TEXT_NONE;
	case JS_NAME:
		b = names_find(&a->names, key);
		return b && b->sets == 0 && b->init &&
			       b->init->kind == JS_STRING
			   ? calls_string(a, b->init)
			   : TEXT_NONE;
	default:
		return TEXT_NONE;
	}
}

text
calls_member_key(analysis *a, const js_node *member)
{
	return calls_key(a, member->child->next);
}

/* --------------------------------------------------------------- the list */

void
calls_add(analysis *a, const js_node *n, text path, unsigned flags)
{
	reach *list = arena_grow(
	    a->arena, a->reach, &a->reaches_cap, a->reaches, sizeof(*list));

	if (!list)
		return;
	a->reach = list;
	if (ends_in_star(path))
		flags |= SOURCE_CALL_COMPUTED;
	a->reach[a->reaches++] = (reach){n, path, flags};
}

/* The value may be called by code that is not followed. */
static void
add_escape(analysis *a, const js_node *n, text path)
{
	bool whole = a->tools && a->tools->find
			 ? analysis_tool(a, path) == SOURCE_SPACE
			 : !is_tool(a, path);

	if (path.len == 0 || (whole && !ends_in_star(path)))
		path = join_tool_path(a, path, TEXT_NONE);
	calls_add(a, n, path, SOURCE_CALL_NAMED);
}

/* A namespace may have a tool that the language itself calls. */
static void
add_implicit(analysis *a, const js_node *n, text path)
{
	static const char *const names_of[] = {
	    "then", "toString", "valueOf", "toJSON", NULL};

	if (!a->tools || !a->tools->find || ends_in_star(path))
		return;
	for (const char *const *name = names_of; *name; name++) {
		text longer = join_tool_path(a, path, text_of(*name));

		if (analysis_tool(a, longer) == SOURCE_TOOL)
			calls_add(a, n, longer, SOURCE_CALL_NAMED);
	}
}

/* ---------------------------------------------------------------- bindings */

typedef struct follower {
	analysis *a;
	binding **queue; /* follows, and its uses were not looked at */
	size_t len, cap;
} follower;

static void
queue_binding(follower *f, binding *b, text path)
{
	binding **queue = arena_grow(
	    f->a->arena, f->queue, &f->cap, f->len, sizeof(binding *));

	if (!queue)
		return;
	f->queue = queue;
	b->follows = true;
	b->path = path;
	f->queue[f->len++] = b;
}

/* n, whose value has this path, is bound to a name. */
static void
bind_name(follower *f, const js_node *bind, const js_node *n, text path)
{
	binding *b = names_made(&f->a->names, bind);

	if (b && b->sets == 0 && !b->follows)
		queue_binding(f, b, path);
	else if (!b || b->sets > 0 || !text_eq(b->path, path))
		add_escape(f->a, n, path);
}

static void bind_pattern(follower *f, const js_node *target, const js_node *n,
    text path, unsigned left);

static void
bind_members(follower *f, const js_node *pattern, const js_node *n, text path,
    unsigned left)
{
	for (const js_node *m = pattern->child; m; m = m->next) {
		text key;

		if (m->kind != JS_PROPERTY || is_tool(f->a, path)) {
			add_escape(f->a, n, path);
			continue;
		}
		key = calls_key(f->a, m->child);
		bind_pattern(f, m->child->next, n,
		    join_tool_path(f->a, path, key), left);
	}
}

static void
bind_pattern(follower *f, const js_node *target, const js_node *n, text path,
    unsigned left)
{
	if (!analysis_spend(f->a, 1))
		return;
	if (target->kind == JS_DEFAULT)
		target = target->child;
	if (target->kind == JS_BIND)
		bind_name(f, target, n, path);
	else if (target->kind == JS_OBJECT_PATTERN && left-- > 0)
		bind_members(f, target, n, path, left);
	else
		add_escape(f->a, n, path);
}

/* --------------------------------------------------------------- arguments */

/* What the argument n of a call is bound to in the function f; NULL: that is
 * not certain, or (with *unused) nothing. */
static const js_node *
parameter_of(analysis *a, const js_node *f, const js_node *call,
    const js_node *n, bool *unused)
{
	const js_node *param = js_is_function(f) && f->kind == JS_ARROW
				   ? f->child->child
				   : f->child->next->child;
	const js_node *arg = call->child->next;

	*unused = false;
	if (f->kind != JS_ARROW && a->has_arguments)
		return NULL;
	for (; param && arg != n; arg = arg->next, param = param->next)
		if (!analysis_spend(a, 1) || arg->kind == JS_SPREAD ||
		    param->kind == JS_REST)
			return NULL;
	*unused = param == NULL;
	return param && param->kind != JS_REST ? param : NULL;
}

bool
calls_is_built_in(const analysis *a, const js_node *name)
{
	return !name->name->scratch[ANALYSIS_SET] &&
	       !names_find(&a->names, name);
}

/* Functions that show their arguments, or what keys they have, and no more. */
static bool
only_shows(const analysis *a, const js_node *call)
{
	static const char *const shows[] = {"text", "String", "Boolean", NULL};
	static const char *const of_object[] = {
	    "keys", "getOwnPropertyNames", "isFrozen", NULL};
	const js_node *callee = call->child, *object;

	if (callee->kind == JS_NAME)
		return is_one_of(callee->name->text, shows) &&
		       calls_is_built_in(a, callee);
	object = callee->child;
	if (callee->kind != JS_MEMBER || object->kind != JS_NAME ||
	    !calls_is_built_in(a, object))
		return false;
	return node_is(object, "console") ||
	       (node_is(object, "Object") &&
		   is_one_of(call_method(call), of_object)) ||
	       (node_is(object, "JSON") && node_is(object->next, "stringify") &&
		   !call->child->next->next);
}

static void
follow_argument(follower *f, const js_node *call, const js_node *n, text path)
{
	const js_node *function = function_of(f->a, call->child), *param;
	bool unused = only_shows(f->a, call);

	if (unused) {
		add_implicit(f->a, n, path);
		return;
	}
	param =
	    function ? parameter_of(f->a, function, call, n, &unused) : NULL;
	if (param)
		bind_pattern(f, param, n, path, PATTERNS_DEEP);
	else if (!unused)
		add_escape(f->a, n, path);
}

/* f({ key: n }), where f takes its parameter apart. */
static void
follow_property(
    follower *f, const js_node *property, const js_node *n, text path)
{
	const js_node *object = property->parent, *call = object->parent;
	const js_node *function = NULL, *param = NULL, *m;
	text key = calls_key(f->a, property->child);
	bool unused;

	if (call->kind == JS_CALL && call->child != object)
		function = function_of(f->a, call->child);
	if (function)
		param = parameter_of(f->a, function, call, object, &unused);
	if (param && param->kind == JS_DEFAULT)
		param = param->child;
	m = param && param->kind == JS_OBJECT_PATTERN && key.len > 0
		? param->child
		: NULL;
	while (m && m->kind == JS_PROPERTY && analysis_spend(f->a, 1) &&
	       !text_eq(calls_key(f->a, m->child), key))
		m = m->next;
	if (m && m->kind == JS_PROPERTY)
		bind_pattern(f, m->child->next, n, path, PATTERNS_DEEP);
	else
		add_escape(f->a, n, path);
}

/* ------------------------------------------------------------------ values */

/* The value n is an operand: does the result hold it? */
static bool
operator_passes(const js_node *up, const js_node *n)
{
	bool left = up->child == n;

	return up->op == T_OR || up->op == T_COALESCE ||
	       (up->op == T_AND && !left);
}

/* Can the place do no more than look whether there is a value, or turn it into
 * a string or a boolean? */
bool
calls_place_is_harmless(const js_node *n)
{
	const js_node *up = n->parent;

	switch (up->kind) {
	case JS_EXPR:
	case JS_UNARY:
	case JS_IF:
	case JS_WHILE:
	case JS_DO:
	case JS_FOR:
	case JS_SWITCH:
	case JS_CASE:
	case JS_FOR_IN:
		return true;
	case JS_SEQUENCE:
		return n->next != NULL;
	case JS_CONDITIONAL:
		return up->child == n;
	case JS_TEMPLATE:
		return up->parent->kind != JS_TAGGED;
	case JS_BINARY:
		return !operator_passes(up, n) && up->op != T_INSTANCEOF;
	case JS_INDEX:
		return up->child != n;
	case JS_ASSIGN:
		return up->child == n && up->op == T_SET;
	default:
		return false;
	}
}

/* Members of every object that lead to no tool. */
static const char *const ordinary[] = {"then", "catch", "finally", "name",
    "length", "toString", "valueOf", "hasOwnProperty", "constructor", "toJSON",
    "propertyIsEnumerable", NULL};
/* Members of a function that call it. */
static const char *const callers[] = {"call", "apply", "bind", NULL};

/* One member further up; false: what is there is no part of tools. */
static bool
climb_member(analysis *a, const js_node *up, text *path)
{
	bool catalog = a->tools && a->tools->find;
	text key = calls_member_key(a, up), longer;

	if (is_tool(a, *path)) {
		if (key.len == 0 || is_one_of(key, callers))
			add_escape(a, up, *path);
		return false;
	}
	longer = join_tool_path(a, *path, key);
	if (catalog && is_one_of(key, ordinary) && !is_tool(a, longer))
		return false;
	if (!catalog && path->len > 0 && is_one_of(key, callers)) {
		add_escape(a, up, *path);
		return false;
	}
	*path = longer;
	return true;
}

/* Where the value goes that n gives; false: it was followed to its end. */
static bool
follow_up(follower *f, const js_node **n, text *path)
{
	const js_node *up = (*n)->parent;

	if ((up->kind == JS_MEMBER || up->kind == JS_INDEX) &&
	    up->child == *n) {
		*n = up;
		return climb_member(f->a, up, path);
	}
	if (calls_place_is_harmless(*n)) {
		add_implicit(f->a, *n, *path);
		return false;
	}
	switch (up->kind) {
	case JS_AWAIT:
		add_implicit(f->a, *n, *path);
		*n = up;
		return true;
	case JS_CHAIN:
	case JS_SEQUENCE:
	case JS_CONDITIONAL:
		*n = up;
		return true;
	case JS_BINARY:
		if (up->op == T_INSTANCEOF) /* calls [Symbol.hasInstance] */
			add_escape(f->a, *n, *path);
		*n = up;
		return true;
	case JS_CALL:
	case JS_TAGGED:
		if (up->child == *n)
			calls_add(f->a, up, *path, 0);
		else if (up->kind == JS_CALL)
			follow_argument(f, up, *n, *path);
		else
			add_escape(f->a, *n, *path);
		return false;
	case JS_DECLARATOR:
	case JS_DEFAULT:
		bind_pattern(f, up->child, *n, *path, PATTERNS_DEEP);
		return false;
	case JS_PROPERTY:
		follow_property(f, up, *n, *path);
		return false;
	default:
		add_escape(f->a, *n, *path);
		return false;
	}
}

static void
follow_value(follower *f, const js_node *n, text path)
{
	while (analysis_spend(f->a, 1) && follow_up(f, &n, &path))
		;
}

/* n is the global object, or (this) perhaps. */
static void
follow_global(follower *f, const js_node *n)
{
	static const char *const leads_on[] = {
	    "globalThis", "eval", "Function", "constructor", NULL};
	const js_node *up = n->parent;
	text key;

	while (up->kind == JS_CHAIN)
		n = up, up = up->parent;
	if (up->kind != JS_MEMBER && up->kind != JS_INDEX) {
		if (!calls_place_is_harmless(n)) {
			f->a->open_world = true;
			add_escape(f->a, n, TEXT_NONE);
		}
		return;
	}
	key = up->child == n ? calls_member_key(f->a, up) : TEXT("index");
	if (text_eq(key, TEXT("tools")))
		follow_value(f, up, TEXT_NONE);
	else if (f->a->tools && f->a->tools->global &&
		 f->a->tools->global(f->a->tools->ctx, key))
		follow_value(f, up, key);
	else if (key.len == 0 || is_one_of(key, leads_on)) {
		f->a->open_world = true;
		add_escape(f->a, n, TEXT_NONE);
	}
}

/* -------------------------------------------------------------------- uses */

/* x ||= 1 gives x. */
static bool
is_set_only(const js_node *name)
{
	return (name->flags & JS_TARGET) &&
	       (name->parent->kind != JS_ASSIGN || name->parent->op == T_SET);
}

static void
follow_name(follower *f, const name_use *use)
{
	const js_node *n = use->node;
	const binding *b = use->binding;
	text path = TEXT_NONE;

	if ((b && !b->maybe_global) || is_set_only(n))
		return;
	if (node_is(n, "globalThis")) {
		follow_global(f, n);
		return;
	}
	if (!node_is(n, "tools")) {
		if (!analysis_global(f->a, n))
			return;
		path = n->name->text;
	}
	if (n->flags & JS_TARGET)
		add_escape(f->a, n->parent, path);
	else
		follow_value(f, n, path);
}

/* In sloppy code "this" of a plain call is the global object. */
static bool
is_global_this(analysis *a, const js_node *n)
{
	const js_node *up = n->parent;

	for (; up; n = up, up = up->parent) {
		if (!analysis_spend(a, 1) || up->kind == JS_STATIC_BLOCK ||
		    (up->kind == JS_FIELD && up->child != n))
			return false;
		if (up->kind == JS_FUNCTION || up->kind == JS_FUNCTION_DECL)
			return !(up->flags & JS_STRICT);
	}
	return true;
}

static void
follow_sources(follower *f)
{
	const names *ns = &f->a->names;
	const js_node *root = f->a->tree.root, *n;

	/* A parameter that is called tools is what it says. */
	for (size_t i = 0; i < ns->bindings; i++)
		if (ns->all[i]->kind == BINDING_PARAMETER &&
		    !ns->all[i]->follows && ns->all[i]->sets == 0 &&
		    text_eq(ns->all[i]->name->text, TEXT("tools")))
			queue_binding(f, ns->all[i], TEXT_NONE);
	for (size_t i = 0; i < ns->uses; i++)
		follow_name(f, &ns->use[i]);
	for (n = root; n; n = js_next(n, root))
		if (n->kind == JS_THIS && is_global_this(f->a, n))
			follow_global(f, n);
}

static bool
encloses(const js_node *outer, const js_node *inner)
{
	for (; inner && inner->end <= outer->end; inner = inner->parent)
		if (inner == outer)
			return true;
	return false;
}

/* In the order of the text, outer nodes first, as a walk meets them. */
static int
compare_reaches(const void *x, const void *y)
{
	const reach *r = x, *s = y;

	if (r->node->start != s->node->start)
		return r->node->start < s->node->start ? -1 : 1;
	if (r->node->end != s->node->end)
		return r->node->end > s->node->end ? -1 : 1;
	if (r->node != s->node)
		return encloses(r->node, s->node) ? -1 : 1;
	return text_cmp(r->path, s->path);
}

/* Mostly it is in order: the uses of names are. */
void
calls_sort(analysis *a)
{
	for (size_t i = 1; i < a->reaches; i++)
		if (compare_reaches(&a->reach[i - 1], &a->reach[i]) > 0) {
			sort(a->reach, a->reaches, sizeof(*a->reach),
			    compare_reaches);
			return;
		}
}

/* The same place is told once for each path. */
static void
drop_repeats(analysis *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->reaches; i++) {
		const reach *r = &a->reach[i], *last = &a->reach[kept - 1];

		if (kept > 0 && last->node == r->node &&
		    text_eq(last->path, r->path))
			continue;
		a->reach[kept++] = *r;
	}
	a->reaches = kept;
}

void
calls_find(analysis *a)
{
	follower f = {.a = a};

	follow_sources(&f);
	for (size_t i = 0; i < f.len; i++) {
		const binding *b = f.queue[i];
		uint32_t next = b->first;

		for (; next > 0; next = a->names.use[next - 1].next)
			follow_value(&f, a->names.use[next - 1].node, b->path);
	}
	calls_of_code(a);
	if (a->steps == 0)
		calls_add(a, a->tree.root, TEXT("*"), SOURCE_CALL_NAMED);
	calls_sort(a);
	drop_repeats(a);
	calls_repeated(a);
}

const reach *
calls_at(const analysis *a, const js_node *call)
{
	return js_find(a->reach, a->reaches, sizeof(*a->reach), call);
}

/* ------------------------------------------------------------------ report */

void
calls_report(analysis *a)
{
	source_call *list =
	    arena_take(a->arena, (a->reaches + 1) * sizeof(*list));

	if (!list)
		return;
	for (size_t i = 0; i < a->reaches; i++) {
		const reach *r = &a->reach[i];
		source_call *c = &list[i];

		*c = (source_call){.path = r->path,
		    .flags = r->flags,
		    .start = source_offset(a->p, r->node->start),
		    .end = source_offset(a->p, r->node->end)};
		if (!(r->flags & SOURCE_CALL_NAMED) && r->node->kind == JS_CALL)
			c->args = calls_arguments(a, r->node, &c->flags);
		if (analysis_tool(a, r->path) == SOURCE_TOOL)
			c->flags |= SOURCE_CALL_KNOWN;
	}
	a->out->call = list;
	a->out->calls = a->reaches;
}
