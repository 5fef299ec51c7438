/* SPDX-License-Identifier: MIT */
/*
 * calls.c -- which tools can a script reach, and where?
 *
 * Followed are: tools itself, names that were bound to it or to a part of it,
 * also by taking it apart, and parameters of functions that are called in one
 * place. From such a name the path is read upwards, member by member. A name
 * in brackets that is no literal is computed: then any tool of that namespace
 * can be meant, which is said as "*".
 */
#include "check_parts.h"

enum { ALIASES = 12, REPEATS = 4, USES_LOOKED_AT = 16 };

/* ------------------------------------------------------------------ paths */

static text
join(analysis *a, text path, text key)
{
	if (path.len == 0)
		return key;
	return analysis_printf(a, "%.*s.%.*s", TEXT_ARG(path), TEXT_ARG(key));
}

/* The key of obj[index] when it stands in the script; empty: it is computed. */
static text
index_key(analysis *a, const js_node *index)
{
	const binding *b;

	if (index->kind == JS_STRING)
		return calls_string(a, index);
	if (index->kind == JS_TEMPLATE && index->child && !index->child->next)
		return calls_string(a, index->child);
	if (index->kind != JS_NAME)
		return TEXT_NONE;
	b = names_find(&a->names, index);
	return b && b->sets == 0 && b->init && b->init->kind == JS_STRING
		   ? calls_string(a, b->init)
		   : TEXT_NONE;
}

static text
key_of(analysis *a, const js_node *key)
{
	if (key->kind == JS_KEY)
		return key->name->text;
	return key->kind == JS_STRING ? calls_string(a, key) : TEXT_NONE;
}

static bool path_of(analysis *a, const js_node *n, text *path, unsigned left);

/* The only call of a function; NULL: there are more, or it is passed on. */
static const js_node *
only_call(const analysis *a, const js_node *f)
{
	const js_node *up = f->parent, *used;
	const binding *b = NULL;

	if (up->kind == JS_CALL && up->child == f)
		return up;
	if (f->kind == JS_FUNCTION_DECL && f->child->kind == JS_BIND)
		b = names_made(&a->names, f->child);
	else if (up->kind == JS_DECLARATOR && up->child->kind == JS_BIND)
		b = names_made(&a->names, up->child);
	if (!b || b->uses != 1 || b->sets > 0)
		return NULL;
	used = a->names.use[b->first - 1].node;
	up = used->parent;
	return up->kind == JS_CALL && up->child == used ? up : NULL;
}

/* What a parameter (a child of JS_PARAMS) is called with. */
static const js_node *
passed(const analysis *a, const js_node *param)
{
	const js_node *call = only_call(a, param->parent->parent), *p;
	unsigned i = 0;

	for (p = param->parent->child; p != param; p = p->next)
		i++;
	return call ? call_argument(call, i) : NULL;
}

/* The path of the value that a pattern takes apart. */
static bool
pattern_path(analysis *a, const js_node *pattern, text *path, unsigned left)
{
	const js_node *up = pattern->parent, *value;

	if (left == 0)
		return false;
	if (up->kind == JS_DEFAULT)
		return pattern_path(a, up, path, left - 1);
	if (up->kind == JS_DECLARATOR)
		return pattern->next &&
		       path_of(a, pattern->next, path, left - 1);
	if (up->kind == JS_PARAMS) {
		value = passed(a, pattern);
		return value && path_of(a, value, path, left - 1);
	}
	if (up->kind != JS_PROPERTY ||
	    !pattern_path(a, up->parent, path, left - 1))
		return false;
	*path = join(a, *path, key_of(a, up->child));
	return true;
}

static bool
binding_path(analysis *a, const binding *b, text *path, unsigned left)
{
	const js_node *up = b->node->parent;

	if (b->sets > 0 || left == 0)
		return false;
	/* A parameter that is called tools is what it says. */
	*path = TEXT_NONE;
	if (b->kind == BINDING_PARAMETER &&
	    text_eq(b->name->text, TEXT("tools")))
		return true;
	if (b->init)
		return path_of(a, b->init, path, left - 1);
	if (up->kind == JS_PROPERTY || up->kind == JS_PARAMS ||
	    up->kind == JS_DEFAULT)
		return pattern_path(a, b->node, path, left - 1);
	return false;
}

/* Is this expression tools, or a part of it? */
static bool
path_of(analysis *a, const js_node *n, text *path, unsigned left)
{
	const binding *b;
	text key;

	if (left == 0)
		return false;
	switch (n->kind) {
	case JS_NAME:
		b = names_find(&a->names, n);
		if (b)
			return binding_path(a, b, path, left);
		*path = TEXT_NONE;
		return node_is(n, "tools");
	case JS_CHAIN:
		return path_of(a, n->child, path, left - 1);
	case JS_MEMBER:
	case JS_INDEX:
		key = n->kind == JS_MEMBER ? key_of(a, n->child->next)
					   : index_key(a, n->child->next);
		if (n->kind == JS_MEMBER && n->child->kind == JS_NAME &&
		    node_is(n->child, "globalThis") &&
		    text_eq(key, TEXT("tools"))) {
			*path = TEXT_NONE;
			return true;
		}
		if (!path_of(a, n->child, path, left - 1))
			return false;
		*path = join(a, *path, key.len > 0 ? key : TEXT("*"));
		return true;
	default:
		return false;
	}
}

/* ------------------------------------------------------------ how often */

static bool
runs_callbacks(text method)
{
	static const char *const runners[] = {"map", "forEach", "filter",
	    "flatMap", "reduce", "reduceRight", "some", "every", "find",
	    "findIndex", "findLast", "findLastIndex", "from", "sort",
	    "toSorted", "replace", "replaceAll", "groupBy", NULL};

	for (const char *const *m = runners; *m; m++)
		if (text_eq(method, text_of(*m)))
			return true;
	return false;
}

static bool
is_loop(const js_node *n)
{
	return n->kind == JS_FOR || n->kind == JS_FOR_IN ||
	       n->kind == JS_FOR_OF || n->kind == JS_WHILE || n->kind == JS_DO;
}

/* Is n what is walked, once, at the head of its loop? */
static bool
is_head(const js_node *loop, const js_node *n)
{
	if (loop->kind == JS_FOR)
		return loop->child == n;
	return (loop->kind == JS_FOR_IN || loop->kind == JS_FOR_OF) &&
	       loop->child->next == n;
}

static unsigned repeated(const analysis *a, const js_node *n, unsigned left);

/* A function that is not called where it stands: how often it is called. */
static unsigned
function_repeated(const analysis *a, const js_node *f, unsigned left)
{
	const js_node *bind = NULL;
	const binding *b;
	unsigned flags = 0;
	uint32_t next;

	if (f->kind == JS_FUNCTION_DECL)
		bind = f->child;
	else if (f->parent->kind == JS_DECLARATOR)
		bind = f->parent->child;
	if (!bind || bind->kind != JS_BIND || left == 0)
		return 0;
	b = names_made(&a->names, bind);
	next = b ? b->first : 0;
	for (unsigned i = 0; next > 0 && i < USES_LOOKED_AT; i++) {
		flags |= repeated(a, a->names.use[next - 1].node, left - 1);
		next = a->names.use[next - 1].next;
	}
	return flags;
}

static unsigned
repeated(const analysis *a, const js_node *n, unsigned left)
{
	unsigned flags = 0;

	for (; n->parent; n = n->parent) {
		const js_node *up = n->parent;

		if (is_loop(up) && !is_head(up, n))
			flags |= SOURCE_CALL_LOOP;
		if (up->kind == JS_CALL && up->child != n &&
		    (js_is_function(n) || n->kind == JS_NAME ||
			n->kind == JS_MEMBER) &&
		    runs_callbacks(call_method(up)))
			flags |= SOURCE_CALL_MAP;
		if (js_is_function(n))
			flags |= function_repeated(a, n, left);
	}
	return flags;
}

/* Does somebody wait for what this call gives? */
static bool
is_awaited(const js_node *call)
{
	const js_node *n = call;

	for (; n->parent; n = n->parent) {
		const js_node *up = n->parent;

		if (up->kind == JS_AWAIT)
			return true;
		if (up->kind == JS_FOR_OF)
			return up->flags & JS_ASYNC;
		if (up->kind == JS_RETURN)
			return up->parent->parent == NULL;
		if (js_is_function(up) || up->kind == JS_EXPR ||
		    up->kind == JS_VAR || up->kind == JS_IF)
			break;
	}
	return false;
}

/* ---------------------------------------------------------------- the list */

static void
add(analysis *a, const js_node *n, text path, unsigned flags)
{
	if (a->reaches == a->reaches_cap) {
		size_t cap = a->reaches_cap ? a->reaches_cap * 2 : 16;
		reach *larger = arena_take(a->arena, cap * sizeof(*larger));

		if (!larger)
			return;
		if (a->reaches)
			memcpy(larger, a->reach, a->reaches * sizeof(*larger));
		a->reach = larger;
		a->reaches_cap = cap;
	}
	if (memchr(path.ptr, '*', path.len))
		flags |= SOURCE_CALL_COMPUTED;
	a->reach[a->reaches++] =
	    (reach){n, path, flags | repeated(a, n, REPEATS)};
}

/* Members that lead to no tool. */
static bool
is_ordinary(text key)
{
	static const char *const keys[] = {"then", "catch", "finally", "call",
	    "apply", "bind", "name", "length", "toString", "valueOf",
	    "hasOwnProperty", "constructor", "toJSON", "propertyIsEnumerable",
	    NULL};

	for (const char *const *m = keys; *m; m++)
		if (text_eq(key, text_of(*m)))
			return true;
	return false;
}

static source_found
found(const analysis *a, text path)
{
	buf ignored = BUF_INIT(a->arena->alloc, 4096);
	source_found f = SOURCE_NOTHING;

	if (a->tools && a->tools->find)
		f = a->tools->find(a->tools->ctx, path, &ignored);
	buf_fini(&ignored);
	return f;
}

/* Upwards from a name, as long as it is a path. */
static const js_node *
climb(analysis *a, const js_node *n, text *path)
{
	for (;;) {
		const js_node *up = n->parent;
		text key;

		if (up->kind == JS_CHAIN) {
			n = up;
			continue;
		}
		if ((up->kind != JS_MEMBER && up->kind != JS_INDEX) ||
		    up->child != n)
			return n;
		if (path->len > 0 && found(a, *path) == SOURCE_TOOL)
			return n;
		key = up->kind == JS_MEMBER ? key_of(a, n->next)
					    : index_key(a, n->next);
		if (is_ordinary(key))
			return n;
		*path = join(a, *path, key.len > 0 ? key : TEXT("*"));
		n = up;
	}
}

/* tools or a namespace is only looked at: Object.keys(tools), "x" in tools,
 * typeof, a condition; or it gets another name, which is followed. */
static bool
is_only_read(const analysis *a, const js_node *n)
{
	const js_node *up = n->parent, *callee;

	if (up->kind == JS_DECLARATOR || up->kind == JS_MEMBER ||
	    up->kind == JS_UNARY || up->kind == JS_IF ||
	    up->kind == JS_BINARY || up->kind == JS_FOR_IN ||
	    up->kind == JS_EXPR || up->kind == JS_CONDITIONAL)
		return true;
	if (up->kind == JS_PROPERTY && up->parent->parent->kind == JS_CALL)
		up = up->parent->parent;
	if (up->kind != JS_CALL)
		return false;
	callee = up->child;
	if (js_is_function(callee))
		return true;
	if (callee->kind == JS_NAME) {
		const binding *b = names_find(&a->names, callee);

		return !b || (b->init && only_call(a, b->init) == up) ||
		       (b->kind == BINDING_FUNCTION);
	}
	return callee->kind == JS_MEMBER && callee->child->kind == JS_NAME &&
	       (node_is(callee->child, "Object") ||
		   node_is(callee->child, "Reflect") ||
		   node_is(callee->child, "console") ||
		   node_is(callee->child, "JSON"));
}

static bool
is_called(const js_node *n)
{
	const js_node *up = n->parent;

	return (up->kind == JS_CALL || up->kind == JS_TAGGED) && up->child == n;
}

static void
look_at(analysis *a, const js_node *name)
{
	const js_node *top;
	text path;
	unsigned flags = SOURCE_CALL_NAMED;

	if ((name->flags & JS_TARGET) || !path_of(a, name, &path, ALIASES))
		return;
	top = climb(a, name, &path);
	if (is_called(top)) {
		flags = is_awaited(top->parent) ? SOURCE_CALL_AWAITED : 0;
		add(a, top->parent, path, flags);
	} else if (path.len == 0 || found(a, path) == SOURCE_SPACE) {
		if (!is_only_read(a, top))
			add(a, top, join(a, path, TEXT("*")), flags);
	} else if (top->parent->kind != JS_DECLARATOR || !a->tools) {
		/* Bound to a name: the uses of that name are looked at. */
		if (top->parent->kind != JS_DECLARATOR &&
		    top->parent->kind != JS_MEMBER)
			add(a, top, path, flags);
	}
}

void
calls_find(analysis *a)
{
	for (size_t i = 0; i < a->names.uses; i++) {
		const js_node *n = a->names.use[i].node;

		/* globalThis.tools begins at the member. */
		if (node_is(n, "globalThis") && !a->names.use[i].binding &&
		    n->parent->kind == JS_MEMBER)
			n = n->parent;
		look_at(a, n);
	}
}

const reach *
calls_at(const analysis *a, const js_node *call)
{
	size_t low = 0, high = a->reaches;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (a->reach[middle].node->start < call->start)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < a->reaches && a->reach[low].node->start == call->start;
	     low++)
		if (a->reach[low].node == call)
			return &a->reach[low];
	return NULL;
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
		if (found(a, r->path) == SOURCE_TOOL)
			c->flags |= SOURCE_CALL_KNOWN;
	}
	a->out->call = list;
	a->out->calls = a->reaches;
}
