/* SPDX-License-Identifier: MIT */
/*
 * explain_find.c -- from the place that an engine gives to the expression.
 *
 * The engine notes a place where it reads a name or a member or calls; an error
 * gets the last one noted before it. For a member that is the beginning of its
 * chain or the name of a member further in; for a call it is the callee's last
 * name. Patterns and for-of note nothing: they are looked for from there
 * onwards, in the same function.
 */
#include "explain_parts.h"

static bool
covers_place(const js_node *n, uint32_t at)
{
	return n->start <= at && at <= n->end;
}

/* Is n around the place, and nearer to it than best, which may be NULL? */
static bool
is_nearer(const explainer *x, const js_node *n, const js_node *best)
{
	return covers_place(n, x->at) &&
	       (!best || n->end - n->start < best->end - best->start);
}

static bool
has_key(const explainer *x, const js_node *n, text key)
{
	const js_node *k = n->child->next;
	text written;

	if (n->kind == JS_MEMBER)
		return k->name && text_eq(k->name->text, key);
	written = js_text(&x->a.tree, k);
	if (k->kind == JS_STRING)
		written = text_sub(written, 1, written.len - 1);
	else if (k->kind != JS_NUMBER)
		return false;
	return text_eq(written, key);
}

/* The innermost member of that key around the place; else the only one there
 * is; else the innermost whose key is computed. */
const js_node *
find_member(const explainer *x, text key)
{
	const js_node *root = x->a.tree.root, *n;
	const js_node *around = NULL, *computed = NULL, *only = NULL;
	size_t count = 0;

	for (n = root; n; n = js_next(n, root)) {
		if (n->kind != JS_MEMBER && n->kind != JS_INDEX)
			continue;
		if (has_key(x, n, key)) {
			count++;
			only = n;
			if (is_nearer(x, n, around))
				around = n;
		}
		if (n->kind == JS_INDEX && n->child->next->kind != JS_STRING &&
		    is_nearer(x, n, computed))
			computed = n;
	}
	return around ? around : count == 1 ? only : computed;
}

/* Where an engine places a call of this callee. */
static uint32_t
anchor(const js_node *callee)
{
	callee = js_unchained(callee);
	return callee->kind == JS_MEMBER ? callee->child->next->start
					 : callee->start;
}

/* Is it a call of the built-in that the error comes from? */
static bool
is_native(const explainer *x, const js_node *call)
{
	const js_node *callee = call->child;
	text native = x->e->native;

	if (callee->kind == JS_NAME)
		return text_eq(callee->name->text, native);
	return text_eq(call_method(call), native);
}

const js_node *
find_call(const explainer *x)
{
	const js_node *root = x->a.tree.root, *n, *near = NULL;
	bool native = x->e->native.len > 0;

	for (n = root; n; n = js_next(n, root)) {
		if (n->kind != JS_CALL && n->kind != JS_NEW &&
		    n->kind != JS_TAGGED)
			continue;
		if (native && !is_native(x, n))
			continue;
		if (x->at == anchor(n->child))
			return n;
		if (is_nearer(x, n, near))
			near = n;
	}
	return near;
}

const js_node *
find_name(const explainer *x, text name)
{
	const js_node *first = NULL, *n;

	for (size_t i = 0; i < x->a.names.uses; i++) {
		n = x->a.names.use[i].node;
		if (!text_eq(n->name->text, name))
			continue;
		if (n->start == x->at)
			return n;
		if (!first || (first->start < x->at && n->start <= x->at))
			first = n;
	}
	return first;
}

/* ------------------------------------------------------------ what is walked */

static unsigned
index_of(const js_node *n)
{
	unsigned i = 0;

	for (const js_node *s = n->parent->child; s != n; s = s->next)
		i++;
	return i;
}

static text
subject_part(explainer *x, const js_node *n, unsigned left)
{
	const js_node *up = n->parent, *loop;

	if (left-- == 0 || !js_is_pattern(n))
		return analysis_text(&x->a, n);
	switch (up->kind) {
	case JS_DEFAULT:
		return subject_part(x, up, left);
	case JS_PROPERTY:
		return analysis_printf(&x->a, "%.*s.%.*s",
		    TEXT_ARG(subject_part(x, up->parent, left)),
		    TEXT_ARG(js_text(&x->a.tree, up->child)));
	case JS_ARRAY_PATTERN:
		return analysis_printf(&x->a, "%.*s[%u]",
		    TEXT_ARG(subject_part(x, up, left)), index_of(n));
	case JS_DECLARATOR:
		loop = up->parent->parent;
		if (!n->next && loop->kind == JS_FOR_OF)
			return analysis_printf(&x->a, "an element of %.*s",
			    TEXT_ARG(analysis_text(&x->a, loop->child->next)));
		return n->next ? analysis_text(&x->a, n->next)
			       : analysis_text(&x->a, n);
	case JS_ASSIGN:
		return analysis_text(&x->a, n->next);
	case JS_PARAMS:
		return analysis_printf(&x->a, "parameter %u", index_of(n) + 1);
	default:
		return analysis_text(&x->a, n);
	}
}

text
subject_text(explainer *x, const js_node *n)
{
	return subject_part(x, n, PATTERNS_DEEP);
}

static const js_node *
subject_of(const js_node *n, bool walked)
{
	if (!walked)
		return n->kind == JS_OBJECT_PATTERN ? n : NULL;
	switch (n->kind) {
	case JS_FOR_OF:
		return js_field(n, 1);
	case JS_SPREAD:
		return n->parent->kind == JS_OBJECT ? NULL : n->child;
	case JS_ARRAY_PATTERN:
		return n;
	default:
		return NULL;
	}
}

const js_node *
find_origin(const js_node *n)
{
	const js_node *up = n->parent;

	while (up->kind == JS_PROPERTY || up->kind == JS_DEFAULT ||
	       js_is_pattern(up))
		n = up, up = up->parent;
	return js_is_pattern(n) && n->next ? n->next : n;
}

/* Is it certain that this cannot be walked, or taken apart? */
static bool
is_culprit(explainer *x, const js_node *n, const shape *t, bool walked)
{
	json_kind kind = json_kind_of(t->value);

	if (t->known && (!walked || kind <= JSON_NULL))
		return kind <= JSON_NULL;
	return walked &&
	       (explain_is_promise(x, find_origin(n)) ||
		   (t->known && kind != JSON_STRING && kind != JSON_ARRAY));
}

/* Is it a list, whatever the tools answer? */
static bool
is_list(const explainer *x, const js_node *n)
{
	static const char *const lists[] = {"keys", "values", "entries", "map",
	    "filter", "flatMap", "slice", "sort", "split", "from", "all", NULL};
	const binding *b =
	    n->kind == JS_NAME ? names_find(&x->a.names, n) : NULL;

	if (b && b->sets == 0 && b->init)
		n = b->init;
	if (n->kind == JS_AWAIT)
		n = n->child;
	return n->kind == JS_ARRAY ||
	       (n->kind == JS_CALL && is_one_of(call_method(n), lists));
}

static const js_node *
function_at(const explainer *x)
{
	const js_node *root = x->a.tree.root, *n, *best = root;

	for (n = root; n; n = js_next(n, root))
		if (js_is_function(n) && covers_place(n, x->at))
			best = n;
	return best;
}

/* What follows n in the walk of f, without the functions in it. */
static const js_node *
next_in_function(const js_node *n, const js_node *f)
{
	bool inner =
	    n != f && (js_is_function(n) || n->kind == JS_STATIC_BLOCK);

	return inner ? js_over(n, f) : js_next(n, f);
}

static const js_node *
search_function(explainer *x, const js_node *f, uint32_t at, bool walked)
{
	const js_node *n, *s;
	const js_node *maybe = NULL, *earlier = NULL;

	for (n = f; n && analysis_spend(&x->a, 1); n = next_in_function(n, f)) {
		shape t;

		if (!(s = subject_of(n, walked)))
			continue;
		t = shape_of(&x->shaper, s);
		if (n->end < at) {
			if (is_culprit(x, s, &t, walked))
				earlier = s;
			continue;
		}
		if (is_culprit(x, s, &t, walked))
			return s;
		if (!maybe && (!t.known || t.one_of_many) && !is_list(x, s))
			maybe = s;
	}
	return maybe ? maybe : earlier;
}

/* A function that has noted nothing yet gets the place before it. */
static const js_node *
function_behind(const explainer *x)
{
	const js_node *root = x->a.tree.root, *n;

	for (n = root; n; n = js_next(n, root))
		if (js_is_function(n) && n->start >= x->at)
			return n;
	return NULL;
}

const js_node *
find_subject(explainer *x, bool walked)
{
	const js_node *f = function_at(x),
		      *n = search_function(x, f, x->at, walked);

	if (!n && (f = function_behind(x)) != NULL)
		n = search_function(x, f, f->start, walked);
	return n;
}

bool
find_made(const explainer *x)
{
	const js_node *call = find_call(x);

	return call && call->child->kind == JS_NAME &&
	       x->at == anchor(call->child) &&
	       text_ends(call->child->name->text, TEXT("Error"));
}

const js_node *
find_making(const explainer *x)
{
	const js_node *root = x->a.tree.root, *n, *near = NULL;

	for (n = root; n; n = js_next(n, root))
		if (n->kind == JS_NEW && n->child->name &&
		    text_eq(n->child->name->text, x->e->name) &&
		    is_nearer(x, n, near))
			near = n;
	return near ? near->child : NULL;
}
