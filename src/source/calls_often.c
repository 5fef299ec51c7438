/* SPDX-License-Identifier: MIT */
/*
 * calls_often.c -- is a call made more than once, and is it awaited?
 *
 * One walk carries down what holds where it is: inside a loop, inside a
 * callback, under an await, each as far as the function around it. It notes
 * for each function what holds where it stands and where its name is used.
 * Then what holds for a function is passed on to those that stand or are used
 * in it, a few times: calls through more functions than that are not followed.
 */
#include "calls_parts.h"

enum { ROUNDS = 4, ALWAYS = SOURCE_CALL_LOOP | SOURCE_CALL_MAP };

/* The function target, when it is one of the tree, runs inside the function
 * from, under flags. */
typedef struct edge {
	const js_node *target;
	uint32_t from;
	unsigned flags;
} edge;

typedef struct place {
	uint32_t function; /* number of the function around it; 0: the script */
	unsigned flags;
} place;

typedef struct often {
	analysis *a;
	const js_node **function; /* in the order of the text */
	unsigned *flags;          /* of each function */
	uint32_t functions;
	edge *edge;
	size_t edges;
	place *around; /* of the nodes from the root to here */
	size_t deep;
	size_t reach, use; /* the next of a list that the walk will meet */
	uint32_t *in;      /* the function that each reach stands in */
} often;

bool
calls_runs_callbacks(text method)
{
	static const char *const runners[] = {"map", "forEach", "filter",
	    "flatMap", "reduce", "reduceRight", "some", "every", "find",
	    "findIndex", "findLast", "findLastIndex", "from", "sort",
	    "toSorted", "replace", "replaceAll", "groupBy", NULL};

	return is_one_of(method, runners);
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

static bool
is_callback(const js_node *call, const js_node *n)
{
	return call->kind == JS_CALL && call->child != n &&
	       (js_is_function(n) || n->kind == JS_NAME ||
		   n->kind == JS_MEMBER) &&
	       calls_runs_callbacks(call_method(call));
}

static bool
is_awaited(const js_node *up, bool around)
{
	switch (up->kind) {
	case JS_AWAIT:
		return true;
	case JS_FOR_OF:
		return up->flags & JS_ASYNC;
	case JS_RETURN:
		return up->parent->parent == NULL;
	case JS_EXPR:
	case JS_VAR:
	case JS_IF:
		return false;
	default:
		return around && !js_is_function(up);
	}
}

static place
place_of(const js_node *n, place around)
{
	const js_node *up = n->parent;

	if (is_loop(up) && !is_head(up, n))
		around.flags |= SOURCE_CALL_LOOP;
	if (is_callback(up, n))
		around.flags |= SOURCE_CALL_MAP;
	if (is_awaited(up, around.flags & SOURCE_CALL_AWAITED))
		around.flags |= SOURCE_CALL_AWAITED;
	else
		around.flags &= ~(unsigned)SOURCE_CALL_AWAITED;
	return around;
}

static void
add_edge(often *o, place p, const js_node *function)
{
	o->edge[o->edges++] = (edge){function, p.function, p.flags & ALWAYS};
}

/* The uses of names are in the order of the walk. */
static void
note_name(often *o, const js_node *n, place p)
{
	const names *ns = &o->a->names;
	const binding *b;

	if (o->use == ns->uses || ns->use[o->use].node != n)
		return;
	b = ns->use[o->use++].binding;
	if (b && b->init && js_is_function(b->init))
		add_edge(o, p, b->init);
}

static void
enter_node(often *o, const js_node *n)
{
	place p = n->parent ? place_of(n, o->around[o->deep - 1]) : (place){0};

	for (; o->reach < o->a->reaches && o->a->reach[o->reach].node == n;
	     o->reach++) {
		reach *r = &o->a->reach[o->reach];

		r->flags |= p.flags & ALWAYS;
		if (!(r->flags & SOURCE_CALL_NAMED))
			r->flags |= p.flags & SOURCE_CALL_AWAITED;
		o->in[o->reach] = p.function;
	}
	if (n->kind == JS_NAME)
		note_name(o, n, p);
	if (js_is_function(n)) {
		add_edge(o, p, n);
		o->function[o->functions] = n;
		p = (place){o->functions++, 0};
	}
	o->around[o->deep] = p;
}

/* The number of a function; o->functions: it has none. */
static uint32_t
number_of(const often *o, const js_node *function)
{
	const js_node *const *found =
	    js_find(o->function, o->functions, sizeof(*o->function), function);

	return found ? (uint32_t)(found - (const js_node *const *)o->function)
		     : o->functions;
}

static void
walk_tree(often *o)
{
	const js_node *root = o->a->tree.root, *n = root;

	o->function[o->functions++] = root;
	while (n) {
		enter_node(o, n);
		if (n->child) {
			n = n->child;
			o->deep++;
			continue;
		}
		for (; n != root && !n->next; n = n->parent)
			o->deep--;
		n = n == root ? NULL : n->next;
	}
}

static void
spread_flags(often *o)
{
	for (unsigned round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < o->edges; i++) {
			const edge *e = &o->edge[i];
			uint32_t to = number_of(o, e->target);

			if (to < o->functions)
				o->flags[to] |= e->flags | o->flags[e->from];
		}
	for (size_t i = 0; i < o->a->reaches; i++)
		o->a->reach[i].flags |= o->flags[o->in[i]];
}

/* What the walk will need at most. */
static bool
make_room(often *o)
{
	const js_node *root = o->a->tree.root, *n = root;
	size_t functions = 1, deep = 1, deepest = 1, edges;
	arena *memory = o->a->arena;

	while (n) {
		functions += js_is_function(n);
		if (n->child) {
			n = n->child;
			deepest = ++deep > deepest ? deep : deepest;
			continue;
		}
		for (; n != root && !n->next; n = n->parent)
			deep--;
		n = n == root ? NULL : n->next;
	}
	edges = functions + o->a->names.uses;
	o->function = arena_take(memory, functions * sizeof(*o->function));
	o->flags = arena_take(memory, functions * sizeof(*o->flags));
	o->edge = arena_take(memory, edges * sizeof(*o->edge));
	o->around = arena_take(memory, deepest * sizeof(*o->around));
	o->in = arena_take(memory, (o->a->reaches + 1) * sizeof(*o->in));
	if (memory->bad != CM_OK)
		return false;
	memset(o->flags, 0, functions * sizeof(*o->flags));
	memset(o->in, 0, (o->a->reaches + 1) * sizeof(*o->in));
	return true;
}

void
calls_repeated(analysis *a)
{
	often o = {.a = a};

	if (a->reaches == 0 || !make_room(&o))
		return;
	walk_tree(&o);
	spread_flags(&o);
}
