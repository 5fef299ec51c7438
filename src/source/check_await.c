/* SPDX-License-Identifier: MIT */
/*
 * check_await.c -- promises that are used as if they were what they will give.
 *
 * The commonest mistake of all: a call without await. What gives a promise is
 * seen from its form: a call of a tool, of an async function, of Promise.all;
 * a const that holds one; an array made by map with an async callback. Where
 * that is not certain nothing is said.
 */
#include "check_parts.h"

enum { STEPS = 10 };

static const char *const chained[] = {"then", "catch", "finally", NULL};

/* ------------------------------------------------------- what is a promise */

static promise_kind kind_of(const analysis *a, const js_node *n, unsigned left);

bool
is_async(const js_node *f)
{
	return js_is_function(f) && (f->flags & JS_ASYNC) &&
	       !(f->flags & JS_GENERATOR);
}

const js_node *
function_of(const analysis *a, const js_node *n)
{
	const binding *b;

	if (js_is_function(n))
		return n;
	if (n->kind != JS_NAME)
		return NULL;
	b = names_find(&a->names, n);
	return b && b->sets == 0 && b->init && js_is_function(b->init) ? b->init
								       : NULL;
}

/* Does calling it give a promise? */
static bool
gives_promise(const analysis *a, const js_node *f, unsigned left)
{
	if (f->flags & JS_GENERATOR)
		return false;
	return is_async(f) ||
	       ((f->flags & JS_CONCISE) &&
		   kind_of(a, f->child->next, left) == PROMISE_ONE);
}

static bool
is_promise_maker(const js_node *callee)
{
	static const char *const of_promise[] = {"all", "allSettled", "race",
	    "any", "resolve", "reject", "try", NULL};
	static const char *const of_codemode[] = {
	    "sleep", "map", "race", "all", NULL};
	const js_node *object = callee->child, *key = object->next;

	if (object->kind != JS_NAME || !key->name)
		return false;
	return (node_is(object, "Promise") &&
		   is_one_of(key->name->text, of_promise)) ||
	       (node_is(object, "codemode") &&
		   is_one_of(key->name->text, of_codemode));
}

/* x.map(callback), Array.from(x, callback). */
static bool
maps_to_promises(const analysis *a, const js_node *call, unsigned left)
{
	text method = call_method(call);
	const js_node *callback = NULL, *f;

	if (text_eq(method, TEXT("map")) || text_eq(method, TEXT("flatMap")))
		callback = call_argument(call, 0);
	else if (text_eq(method, TEXT("from")) &&
		 call->child->child->kind == JS_NAME &&
		 node_is(call->child->child, "Array"))
		callback = call_argument(call, 1);
	if (!callback)
		return false;
	if (calls_at(a, callback))
		return true; /* a tool itself: ids.map(tools.x.get) */
	f = function_of(a, callback);
	return f && gives_promise(a, f, left);
}

/* x.reduce(async ...). */
static bool
reduces_to_promise(const analysis *a, const js_node *call)
{
	static const char *const reducers[] = {"reduce", "reduceRight", NULL};
	const js_node *callback = is_one_of(call_method(call), reducers)
				      ? call_argument(call, 0)
				      : NULL;
	const js_node *f = callback ? function_of(a, callback) : NULL;

	return f && is_async(f);
}

/* The object literal or class that an expression is, or is the name of; for new
 * X() the class X. NULL: none of these. */
static const js_node *
members_of(const analysis *a, const js_node *n)
{
	const binding *b;

	for (int i = 0; i < 3; i++) {
		if (n->kind == JS_OBJECT || n->kind == JS_CLASS ||
		    n->kind == JS_CLASS_DECL)
			return n;
		if (n->kind == JS_NEW)
			n = n->child;
		b = n->kind == JS_NAME ? names_find(&a->names, n) : NULL;
		if (!b || b->sets > 0)
			return NULL;
		if (b->kind == BINDING_CLASS)
			return b->node->parent;
		if (!b->init)
			return NULL;
		n = b->init;
	}
	return NULL;
}

/* The function that x.key calls, where x shows its members. */
static const js_node *
method_of(const analysis *a, const js_node *callee)
{
	const js_node *key = callee->child->next, *m;
	const js_node *owner =
	    callee->kind == JS_MEMBER ? members_of(a, callee->child) : NULL;

	for (m = owner ? owner->child : NULL; m && analysis_spend(a, 1);
	     m = m->next)
		if ((m->kind == JS_METHOD || m->kind == JS_PROPERTY ||
			m->kind == JS_FIELD) &&
		    m->child->kind == JS_KEY && m->child->name == key->name &&
		    m->child->next && js_is_function(m->child->next))
			return m->child->next;
	return NULL;
}

static promise_kind
kind_of_call(const analysis *a, const js_node *call, unsigned left)
{
	static const char *const same[] = {
	    "filter", "slice", "concat", "reverse", "flat", NULL};
	const js_node *callee = call->child, *f;
	const reach *r = calls_at(a, call);

	if (r)
		return PROMISE_ONE;
	f = function_of(a, callee);
	if (!f && (callee->kind == JS_MEMBER || callee->kind == JS_INDEX))
		f = method_of(a, callee);
	if (f)
		return gives_promise(a, f, left) ? PROMISE_ONE : PROMISE_NOT;
	if (callee->kind != JS_MEMBER)
		return PROMISE_NOT;
	if (is_promise_maker(callee))
		return PROMISE_ONE;
	if (is_one_of(call_method(call), chained))
		return kind_of(a, callee->child, left) == PROMISE_ONE
			   ? PROMISE_ONE
			   : PROMISE_NOT;
	if (maps_to_promises(a, call, left))
		return PROMISE_MANY;
	if (reduces_to_promise(a, call))
		return PROMISE_ONE;
	return is_one_of(call_method(call), same) &&
		       kind_of(a, callee->child, left) == PROMISE_MANY
		   ? PROMISE_MANY
		   : PROMISE_NOT;
}

static promise_kind
kind_of_name(const analysis *a, const js_node *n, unsigned left)
{
	const binding *b = names_find(&a->names, n);

	if (!b || b->sets > 0 || !b->init || js_is_function(b->init) ||
	    b->kind == BINDING_CLASS)
		return PROMISE_NOT;
	return kind_of(a, b->init, left);
}

static promise_kind
kind_of(const analysis *a, const js_node *n, unsigned left)
{
	if (left-- == 0 || !analysis_spend(a, 1))
		return PROMISE_NOT;
	switch (n->kind) {
	case JS_CALL:
		return kind_of_call(a, n, left);
	case JS_NAME:
		return kind_of_name(a, n, left);
	case JS_NEW:
		return node_is(n->child, "Promise") ? PROMISE_ONE : PROMISE_NOT;
	case JS_IMPORT_CALL:
		return PROMISE_ONE;
	case JS_AWAIT:
		return kind_of(a, n->child, left) == PROMISE_MANY
			   ? PROMISE_MANY
			   : PROMISE_RESULT;
	case JS_CHAIN:
		return kind_of(a, n->child, left);
	case JS_INDEX:
		return kind_of(a, n->child, left) == PROMISE_MANY ? PROMISE_ONE
								  : PROMISE_NOT;
	case JS_ARRAY:
		for (const js_node *e = n->child; e; e = e->next)
			if (kind_of(a, e, left) == PROMISE_ONE)
				return PROMISE_MANY;
		return PROMISE_NOT;
	default:
		return PROMISE_NOT;
	}
}

promise_kind
promise_of(const analysis *a, const js_node *n)
{
	return kind_of(a, n, STEPS);
}

text
promise_name(analysis *a, const js_node *n)
{
	if (n->kind != JS_CALL || js_is_function(n->child))
		return analysis_text(a, n);
	return analysis_printf(a, "%.*s%s",
	    TEXT_ARG(analysis_text(a, n->child)),
	    n->child->next ? "(...)" : "()");
}

/* ----------------------------------------------------------- where it is used */

static const js_node *
above_chain(const js_node *n)
{
	while (n->parent->kind == JS_CHAIN)
		n = n->parent;
	return n;
}

/* Functions that look at what they are given at once. */
static bool
looks_at_arguments(const analysis *a, const js_node *call)
{
	static const char *const plain[] = {"text", "image", "audio", "file",
	    "resource", "String", "Number", "Boolean", "parseInt", "parseFloat",
	    "isNaN", NULL};
	static const char *const of_object[] = {
	    "keys", "values", "entries", "fromEntries", "assign", NULL};
	const js_node *callee = call->child, *object;
	const reach *r = calls_at(a, call);

	if (r)
		return true;
	if (callee->kind == JS_NAME)
		return !names_find(&a->names, callee) &&
		       is_one_of(callee->name->text, plain);
	if (callee->kind != JS_MEMBER || callee->child->kind != JS_NAME ||
	    names_find(&a->names, callee->child))
		return false;
	object = callee->child;
	return node_is(object, "console") || node_is(object, "Math") ||
	       (node_is(object, "JSON") &&
		   text_eq(call_method(call), TEXT("stringify"))) ||
	       (node_is(object, "Object") &&
		   is_one_of(call_method(call), of_object));
}

/* Is it the value of the whole script? */
static bool
is_script_result(const js_node *n)
{
	const js_node *up = n->parent, *f;

	if (up->kind != JS_RETURN)
		return false;
	f = names_function(up);
	return !f->parent ||
	       (f->parent->kind == JS_CALL && f->parent->child == f);
}

/* Literals around it that are returned, printed or sent as they are. */
static bool
ends_in_data(const analysis *a, const js_node *n)
{
	const js_node *up = n->parent;

	if (up->kind != JS_PROPERTY && up->kind != JS_ARRAY)
		return false;
	while (up->parent && (up->kind == JS_PROPERTY || up->kind == JS_ARRAY ||
				 up->kind == JS_OBJECT))
		n = up, up = up->parent;
	return is_script_result(n) || (up->kind == JS_CALL && up->child != n &&
					  looks_at_arguments(a, up));
}

/* The form to write instead, around what stands there. */
static void
missing(analysis *a, const js_node *n, const char *why)
{
	text name = promise_name(a, n);

	if (n->kind == JS_NAME)
		analysis_add(a, CHECK_MISSING_AWAIT, n,
		    "%.*s is a promise%s: write await where %.*s is set",
		    TEXT_ARG(name), why, TEXT_ARG(name));
	else
		analysis_add(a, CHECK_MISSING_AWAIT, n,
		    "%.*s gives a promise%s: write await in front of it",
		    TEXT_ARG(name), why);
}

static void
missing_all(analysis *a, const js_node *n, const char *why)
{
	analysis_add(a, CHECK_MISSING_AWAIT, n,
	    "%.*s is an array of promises%s: write await Promise.all(%.*s)",
	    TEXT_ARG(promise_name(a, n)), why, TEXT_ARG(promise_name(a, n)));
}

static void
check_promise_member(analysis *a, const js_node *n, const js_node *member)
{
	text key = js_text(&a->tree, n->next), name = promise_name(a, n);
	bool index = member->kind == JS_INDEX;

	if (is_one_of(key, chained))
		return;
	analysis_add(a, CHECK_MISSING_AWAIT, member,
	    "%.*s %s a promise, which has no %.*s: write (await "
	    "%.*s)%s%.*s%s",
	    TEXT_ARG(name), n->kind == JS_NAME ? "is" : "gives", TEXT_ARG(key),
	    TEXT_ARG(name), index ? "[" : ".", TEXT_ARG(key), index ? "]" : "");
}

/* Operators that want a value; false: they take anything. */
static const char *
operator_says(const js_node *up, const js_node *n)
{
	if (up->kind == JS_UNARY)
		return up->op == T_TYPEOF || up->op == T_VOID
			   ? NULL
			   : ", and a promise is always true";
	switch (up->op) {
	case T_AND:
	case T_OR:
	case T_COALESCE:
		return up->child == n ? ", and a promise is always true" : NULL;
	case T_INSTANCEOF:
		return NULL;
	default:
		return "";
	}
}

/* What the place makes of a promise; NULL: nothing wrong. */
static const char *
place_says(const analysis *a, const js_node *n)
{
	const js_node *up = n->parent;

	switch (up->kind) {
	case JS_BINARY:
	case JS_UNARY:
		return operator_says(up, n);
	case JS_TEMPLATE:
		return ", which a template shows as [object Promise]";
	case JS_IF:
	case JS_WHILE:
	case JS_DO:
	case JS_CONDITIONAL:
		return up->child == n ? ", and a promise is always true" : NULL;
	case JS_SWITCH:
		return up->child == n ? "" : NULL;
	case JS_FOR_OF:
		return up->child->next == n && !(up->flags & JS_ASYNC)
			   ? ", which cannot be iterated"
			   : NULL;
	case JS_FOR_IN:
		return up->child->next == n ? "" : NULL;
	case JS_SPREAD:
		return ", which cannot be spread";
	case JS_DECLARATOR:
	case JS_ASSIGN:
		return up->child != n && js_is_pattern(up->child)
			   ? ", which cannot be taken apart"
			   : NULL;
	case JS_CALL:
		return up->child != n && looks_at_arguments(a, up) ? "" : NULL;
	case JS_PROPERTY:
	case JS_ARRAY:
		return ends_in_data(a, n) ? ", which as data is {}" : NULL;
	default:
		return NULL;
	}
}

/* ------------------------------------------------------- nothing waits for it */

/* Does the value of n go nowhere? It is a statement, or a part of one that only
 * decides whether it is evaluated. */
static bool
is_dropped(const js_node *n)
{
	const js_node *up = n->parent;

	for (; up; n = up, up = up->parent) {
		switch (up->kind) {
		case JS_EXPR:
			return !(up->flags & JS_DIRECTIVE);
		case JS_CHAIN:
			continue;
		case JS_UNARY:
			if (up->op != T_VOID && up->op != T_NOT)
				return false;
			continue;
		case JS_BINARY:
			if (up->child == n ||
			    !(up->op == T_AND || up->op == T_OR ||
				up->op == T_COALESCE))
				return false;
			continue;
		case JS_CONDITIONAL:
			if (up->child == n)
				return false;
			continue;
		case JS_SEQUENCE:
			if (n->next)
				return true;
			continue;
		default:
			return false;
		}
	}
	return false;
}

/* Can await stand at n? If not: *call is where the function around it is a
 * callback, or NULL. */
static bool
can_await(const js_node *n, const js_node **call)
{
	const js_node *f = names_function(n);

	*call = f->parent && f->parent->kind == JS_CALL && f->parent->child != f
		    ? f->parent
		    : NULL;
	return !f->parent || is_async(f);
}

/* What to write where the promises of a callback's calls are lost. */
static text
wait_for_all(analysis *a, const js_node *call)
{
	const js_node *callee = call->child;
	text list = callee->kind == JS_MEMBER ? analysis_text(a, callee->child)
					      : TEXT("xs");

	return analysis_printf(a,
	    "write for (const x of %.*s) { await ... }, or await "
	    "Promise.all(%.*s.map(async (x) => ...))",
	    TEXT_ARG(list), TEXT_ARG(list));
}

static void
add_dropped(analysis *a, const js_node *n)
{
	text name = promise_name(a, n);
	const js_node *call;

	if (can_await(n, &call))
		analysis_add(a, CHECK_UNAWAITED_CALL, n,
		    "nothing waits for %.*s: write await in front of it",
		    TEXT_ARG(name));
	else if (call)
		analysis_add(a, CHECK_UNAWAITED_CALL, n,
		    "nothing waits for %.*s: %.*s", TEXT_ARG(name),
		    TEXT_ARG(wait_for_all(a, call)));
	else
		analysis_add(a, CHECK_UNAWAITED_CALL, n,
		    "nothing waits for %.*s: make the function around it "
		    "async, write await in front of it, and await the function "
		    "where it is called",
		    TEXT_ARG(name));
}

static void
check_one(analysis *a, const js_node *n)
{
	const js_node *at = above_chain(n), *up = at->parent;
	const char *why;

	if ((up->kind == JS_MEMBER || up->kind == JS_INDEX) &&
	    up->child == at) {
		check_promise_member(a, n, up);
	} else if (is_dropped(at)) {
		if (n->kind != JS_NAME)
			add_dropped(a, n);
	} else if ((why = place_says(a, at)) != NULL) {
		missing(a, n, why);
	}
}

static void
check_many(analysis *a, const js_node *n)
{
	static const char *const lookers[] = {"filter", "find", "findIndex",
	    "some", "every", "join", "sort", "toSorted", "includes", "indexOf",
	    "reduce", NULL};
	const js_node *at = above_chain(n), *up = at->parent;
	const char *why;

	if (up->kind == JS_AWAIT)
		missing_all(a, n, ", which await does not wait for");
	else if (up->kind == JS_MEMBER && up->child == at) {
		if (is_one_of(js_text(&a->tree, at->next), lookers) &&
		    up->parent->kind == JS_CALL)
			missing_all(a, n, "");
	} else if (is_script_result(at))
		missing_all(a, n, ", which as data are {}");
	else if (is_dropped(at) && n->kind != JS_NAME)
		analysis_add(a, CHECK_UNAWAITED_CALL, n,
		    "nothing waits for these calls: write await "
		    "Promise.all(%.*s)",
		    TEXT_ARG(promise_name(a, n)));
	else if (up->kind != JS_SPREAD && up->kind != JS_FOR_OF &&
		 up->kind != JS_DECLARATOR && up->kind != JS_ASSIGN &&
		 n->kind != JS_ARRAY && (why = place_says(a, at)) != NULL)
		missing_all(a, n, "");
}

/* Is the array only filled: is each use of the name xs.push(...) or xs.length? */
static bool
is_only_filled(const analysis *a, const binding *b)
{
	for (uint32_t i = b->first; i > 0; i = a->names.use[i - 1].next) {
		const js_node *n = a->names.use[i - 1].node, *up = n->parent;
		text key = up->kind == JS_MEMBER && up->child == n
			       ? js_text(&a->tree, n->next)
			       : TEXT_NONE;

		if (!analysis_spend(a, 1) || (!text_eq(key, TEXT("push")) &&
						 !text_eq(key, TEXT("length"))))
			return false;
	}
	return true;
}

/* xs.push(promise), and nothing looks at xs. */
static void
check_filled(analysis *a, const js_node *call)
{
	const js_node *first = call_argument(call, 0), *list;
	const binding *b;

	if (!first || !text_eq(call_method(call), TEXT("push")) ||
	    promise_of(a, first) != PROMISE_ONE)
		return;
	list = js_unchained(call->child)->child;
	b = list->kind == JS_NAME ? names_find(&a->names, list) : NULL;
	if (b && b->kind != BINDING_PARAMETER && is_only_filled(a, b))
		analysis_add(a, CHECK_UNAWAITED_CALL, call,
		    "nothing waits for the promises in %.*s: write await "
		    "Promise.all(%.*s)",
		    TEXT_ARG(b->name->text), TEXT_ARG(b->name->text));
}

/* Names that hold promises and are not used. */
static void
check_unused(analysis *a)
{
	for (size_t i = 0; i < a->names.bindings; i++) {
		const binding *b = a->names.all[i];
		promise_kind kind;

		if (!b->init || js_is_function(b->init) ||
		    b->kind == BINDING_CLASS || !is_only_filled(a, b))
			continue;
		kind = promise_of(a, b->init);
		if (kind == PROMISE_ONE && b->uses == 0)
			analysis_add(a, CHECK_UNAWAITED_CALL, b->init,
			    "nothing waits for %.*s: write await in front of "
			    "%.*s",
			    TEXT_ARG(b->name->text),
			    TEXT_ARG(promise_name(a, b->init)));
		else if (kind == PROMISE_MANY)
			analysis_add(a, CHECK_UNAWAITED_CALL, b->init,
			    "nothing waits for the promises in %.*s: write "
			    "await Promise.all(%.*s)",
			    TEXT_ARG(b->name->text), TEXT_ARG(b->name->text));
	}
}

/* ---------------------------------------------------------------- callbacks */

/* Does the function call tools, or is its promise worth waiting for? */
static bool
makes_calls(const analysis *a, const js_node *f)
{
	if (gives_promise(a, f, STEPS))
		return true;
	for (size_t i = 0; i < a->reaches && analysis_spend(a, 1); i++)
		if (a->reach[i].node->start >= f->start &&
		    a->reach[i].node->end <= f->end)
			return true;
	return false;
}

/* setTimeout(() => tools.x(), 10): the script ends before the callback runs. In
 * the function that new Promise calls something may wait for it. */
static void
check_later(analysis *a, const js_node *call, const js_node *f)
{
	const js_node *up = names_function(call);

	if (names_find(&a->names, call->child) || !f || !makes_calls(a, f) ||
	    (up->parent && up->parent->kind == JS_NEW))
		return;
	analysis_add(a, CHECK_UNAWAITED_CALL, call,
	    node_is(call->child, "setTimeout")
		? "nothing waits for what setTimeout calls: write await "
		  "codemode.sleep(ms), and then await the call itself"
		: "nothing waits for what queueMicrotask calls: write await "
		  "and the call itself");
}

static void
check_callback(analysis *a, const js_node *call)
{
	static const char *const askers[] = {"filter", "some", "every", "find",
	    "findIndex", "findLast", "findLastIndex", "sort", "toSorted", NULL};
	text method = call_method(call);
	const js_node *callback = call_argument(call, 0), *f;

	if (!callback)
		return;
	f = function_of(a, callback);
	if (node_is(call->child, "setTimeout") ||
	    node_is(call->child, "queueMicrotask"))
		check_later(a, call, f);
	if ((!text_eq(method, TEXT("forEach")) && !is_one_of(method, askers)) ||
	    !f || !gives_promise(a, f, STEPS))
		return;
	if (text_eq(method, TEXT("forEach")))
		analysis_add(a, CHECK_ASYNC_CALLBACK, callback,
		    "forEach does not wait for an async callback: %.*s",
		    TEXT_ARG(wait_for_all(a, call)));
	else
		analysis_add(a, CHECK_ASYNC_CALLBACK, callback,
		    "%.*s takes the promise of an async callback for its "
		    "answer: first const answers = await "
		    "Promise.all(xs.map(async (x) => ...)), then "
		    "xs.%.*s((x, i) => answers[i])",
		    TEXT_ARG(method), TEXT_ARG(method));
}

void
check_promises(analysis *a)
{
	const js_node *root = a->tree.root, *n;

	for (n = root; n && !analysis_is_full(a); n = js_next(n, root)) {
		if (n->kind == JS_CALL) {
			check_callback(a, n);
			check_filled(a, n);
		}
		if ((n->kind != JS_CALL && n->kind != JS_NAME &&
			n->kind != JS_NEW && n->kind != JS_INDEX) ||
		    (n->flags & JS_TARGET))
			continue;
		switch (promise_of(a, n)) {
		case PROMISE_ONE:
			check_one(a, n);
			break;
		case PROMISE_MANY:
			check_many(a, n);
			break;
		case PROMISE_NOT:
		case PROMISE_RESULT:
			break;
		}
	}
	check_unused(a);
}
