/* SPDX-License-Identifier: MIT */
/*
 * calls_code.c -- code that is not in the tree, for it is made of strings.
 *
 * eval and Function make it, and so does the constructor of any function. Their
 * names, and "constructor" as a key, are seen. A key can be computed, though:
 *
 *	const make = (() => 1)["constr" + "uctor"]; make("...")()
 *
 * So what is read by a computed key (a "find") may be such a constructor, and
 * is dangerous when the script also has a call whose callee is not certain. To
 * have one without the other is common and harmless. A key that must be a
 * number, and an object that was written as { } or came from a tool, are no
 * find: the first constructor must be read from a function. Such a value can be
 * called under the name of a known method only after it was written there; so
 * the keys are noted that values of unknown kind are written to.
 */
#include "calls_parts.h"

typedef struct suspicion {
	analysis *a;
	const js_node *find;
	bool calls;  /* a call whose callee is not certain */
	bool chains; /* the prototype of an object may be set */
} suspicion;

static const char *const constructor_key[] = {"constructor", NULL};

static void
add_any(suspicion *s, const js_node *n)
{
	calls_add(s->a, n, TEXT("*"), SOURCE_CALL_NAMED);
}

static void
note_find(suspicion *s, const js_node *n)
{
	if (!s->find)
		s->find = n;
}

/* ------------------------------------------------------------------- keys */

static bool is_number(const analysis *a, const js_node *n);

/* A name that starts as a number, and is only counted up and down. */
static bool
is_counter(const analysis *a, const js_node *name)
{
	const binding *b = names_find(&a->names, name);
	uint32_t next;

	if (!b || !b->init || b->init->kind != JS_NUMBER)
		return false;
	for (next = b->first; next > 0; next = a->names.use[next - 1].next) {
		const js_node *n = a->names.use[next - 1].node;

		if (!(n->flags & JS_TARGET) || n->parent->kind == JS_UPDATE)
			continue;
		if (n->parent->kind != JS_ASSIGN ||
		    (n->parent->op != T_SET_PLUS &&
			n->parent->op != T_SET_MINUS))
			return false;
	}
	return true;
}

/* Surely no name that a function has. */
static bool
is_number(const analysis *a, const js_node *n)
{
	switch (n->kind) {
	case JS_NUMBER:
	case JS_UPDATE:
		return true;
	case JS_NAME:
		return is_counter(a, n);
	case JS_UNARY:
		return n->op == T_MINUS || n->op == T_PLUS;
	case JS_BINARY:
		switch (n->op) {
		case T_MINUS:
		case T_MUL:
		case T_DIV:
		case T_MOD:
			return true;
		case T_PLUS: /* with a number, texts have a digit in them */
			return n->child->kind == JS_NUMBER ||
			       n->child->next->kind == JS_NUMBER;
		default:
			return false;
		}
	default:
		return false;
	}
}

/* ----------------------------------------------------------------- objects */

/* A value that can be no function, whatever it was made of. */
static bool
is_data(const analysis *a, const js_node *n)
{
	const binding *b = n->kind == JS_NAME ? names_find(&a->names, n) : NULL;

	if (b && b->sets == 0 && b->init)
		n = b->init;
	n = js_unchained(n);
	switch (n->kind) {
	case JS_OBJECT:
	case JS_ARRAY:
	case JS_STRING:
	case JS_TEMPLATE:
		return true;
	case JS_AWAIT:
		return calls_at(a, n->child) != NULL;
	default:
		return false;
	}
}

/* Can it be a function that no function literal made? */
static bool
may_hold_code(const analysis *a, const js_node *n)
{
	switch (n->kind) {
	case JS_NAME:
		return function_of(a, n) == NULL;
	case JS_MEMBER:
	case JS_INDEX:
	case JS_CHAIN:
	case JS_CALL:
	case JS_TAGGED:
	case JS_NEW:
	case JS_CONDITIONAL:
	case JS_SEQUENCE:
	case JS_ASSIGN:
	case JS_YIELD:
	case JS_THIS:
		return true;
	case JS_AWAIT:
		return !is_data(a, n);
	case JS_BINARY:
		return n->op == T_AND || n->op == T_OR || n->op == T_COALESCE;
	default:
		return false;
	}
}

/* ------------------------------------------------------------------- reads */

/* x.constructor.name, and comparisons of it. */
static bool
only_asks(const js_node *n)
{
	const js_node *up = n->parent;

	return calls_place_is_harmless(n) ||
	       (up->kind == JS_MEMBER && up->child == n &&
		   node_is(n->next, "name")) ||
	       (up->kind == JS_BINARY && up->child != n &&
		   up->op == T_INSTANCEOF);
}

/* object[key]: is it read, and goes on to where it could be called? */
static bool
leads_on(const js_node *n)
{
	const js_node *up = n->parent;

	if (calls_place_is_harmless(n) || up->kind == JS_UPDATE)
		return false;
	if (up->kind == JS_ASSIGN && up->child == n)
		return up->op == T_SET_AND || up->op == T_SET_OR ||
		       up->op == T_SET_COALESCE;
	return up->kind != JS_MEMBER || up->child != n;
}

static void
look_at_member(suspicion *s, const js_node *n)
{
	static const char *const telling[] = {"getOwnPropertyDescriptor",
	    "getOwnPropertyDescriptors", "__lookupGetter__", NULL};
	text key = calls_member_key(s->a, n);

	if (is_one_of(key, constructor_key)) {
		if (!only_asks(n))
			add_any(s, n);
	} else if (is_one_of(key, telling)) {
		note_find(s, n);
	} else if (key.len == 0 && n->kind == JS_INDEX &&
		   !calls_at(s->a, n->parent) &&
		   !is_number(s->a, n->child->next) && leads_on(n) &&
		   (s->chains || !is_data(s->a, n->child))) {
		note_find(s, n);
	}
}

static void
look_at_property(suspicion *s, const js_node *n)
{
	text key;

	if (n->parent->kind != JS_OBJECT_PATTERN)
		return;
	key = calls_key(s->a, n->child);
	if (is_one_of(key, constructor_key))
		add_any(s, n);
	else if (key.len == 0 && !is_number(s->a, n->child))
		note_find(s, n);
}

static void
look_at_name(suspicion *s, const js_node *n)
{
	static const char *const makers[] = {"eval", "Function", NULL};
	static const char *const reflects[] = {"ownKeys", "has", NULL};
	const binding *b = names_find(&s->a->names, n);
	const js_node *up = n->parent;

	if (b && !b->maybe_global)
		return;
	if (is_one_of(n->name->text, makers)) {
		if (!calls_place_is_harmless(n) &&
		    !(up->kind == JS_BINARY && up->child != n)) {
			s->a->open_world = true;
			add_any(s, n);
		}
	} else if (node_is(n, "Reflect")) {
		if (up->kind != JS_MEMBER ||
		    !is_one_of(calls_member_key(s->a, up), reflects))
			note_find(s, n);
	} else if (node_is(n, "Proxy")) {
		s->calls = true;
	}
}

/* ------------------------------------------------------------------ writes */

static void
note_write(suspicion *s, const js_node *key, bool computed)
{
	if (!computed && key->name)
		key->name->scratch[ANALYSIS_WRITTEN] = key->name;
	else
		s->calls = s->chains = true;
}

/* globalThis.x = 1 makes a name. */
static void
note_global(const js_node *target)
{
	const js_node *object = target->child;

	if (target->kind == JS_MEMBER &&
	    (object->kind == JS_THIS || node_is(object, "globalThis")))
		target->child->next->name->scratch[ANALYSIS_SET] =
		    target->child->next->name;
}

/* A target that is set to a value of unknown kind. */
static void
note_target(suspicion *s, const js_node *target)
{
	if (target->kind == JS_DEFAULT || target->kind == JS_REST)
		target = target->child;
	if (target->kind == JS_MEMBER)
		note_write(s, target->child->next, false);
	else if (target->kind == JS_INDEX &&
		 !is_number(s->a, target->child->next))
		note_write(s, target->child->next, true);
}

static void
look_at_writes(suspicion *s, const js_node *n)
{
	const js_node *value;

	switch (n->kind) {
	case JS_ASSIGN:
		value = n->child->next;
		note_global(n->child);
		if (may_hold_code(s->a, value) ||
		    (n->child->kind == JS_INDEX && js_is_function(value)))
			note_target(s, n->child);
		break;
	case JS_ARRAY_PATTERN:
		for (value = n->child; value; value = value->next)
			note_target(s, value);
		break;
	case JS_FOR_IN:
	case JS_FOR_OF:
		note_target(s, n->child);
		break;
	case JS_FIELD:
	case JS_PROPERTY:
		value = n->child->next;
		if (n->parent->kind == JS_OBJECT_PATTERN)
			note_target(s, value);
		else if (value && (may_hold_code(s->a, value) ||
				      (n->flags & JS_COMPUTED)))
			note_write(s, n->child, n->flags & JS_COMPUTED);
		break;
	case JS_METHOD:
		if (n->op == T_GET || (n->flags & JS_COMPUTED))
			note_write(s, n->child, n->flags & JS_COMPUTED);
		break;
	default:
		break;
	}
}

/* Does the script use a key that sets prototypes, or any key at all? */
static void
look_at_key(suspicion *s, const js_node *n)
{
	static const char *const setters[] = {"__proto__", "setPrototypeOf",
	    "create", "__defineGetter__", "defineProperty", "defineProperties",
	    "fromEntries", NULL};
	text key = n->kind == JS_KEY ? n->name->text : calls_key(s->a, n);

	if (is_one_of(key, setters))
		s->calls = s->chains = true;
}

/* ------------------------------------------------------------------- calls */

static bool
is_certain_name(const analysis *a, const js_node *n)
{
	const binding *b = names_find(&a->names, n);

	if (!b || b->maybe_global)
		return !n->name->scratch[ANALYSIS_SET] && (!b || b->init);
	return b->sets == 0 && (b->follows || b->kind == BINDING_CLASS ||
				   (b->init && js_is_function(b->init)));
}

static bool
is_certain(const analysis *a, const js_node *callee)
{
	static const char *const uncertain[] = {"call", "apply", "bind",
	    "construct", "value", "reason", "cause", "error", "suppressed",
	    "callee", NULL};
	const js_node *key;

	callee = js_unchained(callee);
	switch (callee->kind) {
	case JS_NAME:
		return is_certain_name(a, callee);
	case JS_MEMBER:
		key = callee->child->next;
		return !key->name->scratch[ANALYSIS_WRITTEN] &&
		       !is_one_of(key->name->text, uncertain);
	case JS_SUPER:
	case JS_CLASS:
		return true;
	default:
		return js_is_function(callee);
	}
}

/* Built-ins that call what they are given with values of the script. */
static bool
calls_arguments_of(const js_node *call)
{
	static const char *const functions[] = {
	    "setTimeout", "FinalizationRegistry", NULL};
	static const char *const methods[] = {"then", "catch", "finally",
	    "parse", "stringify", "try", "fromAsync", "adopt", "use",
	    "getOrInsertComputed", NULL};
	text method = call_method(call);

	if (call->child->kind == JS_NAME)
		return is_one_of(call->child->name->text, functions);
	return calls_runs_callbacks(method) || is_one_of(method, methods);
}

static void
look_at_call(suspicion *s, const js_node *n)
{
	const js_node *arg = n->child->next;

	if (calls_at(s->a, n))
		return;
	if (!is_certain(s->a, n->child))
		s->calls = true;
	if (n->kind == JS_TAGGED || !calls_arguments_of(n))
		return;
	for (; arg; arg = arg->next)
		if (may_hold_code(s->a, arg) &&
		    !(arg->kind == JS_NAME && is_certain_name(s->a, arg)) &&
		    !calls_at(s->a, arg))
			s->calls = true;
}

/* -------------------------------------------------------------------- walk */

static void
look_at_node(suspicion *s, const js_node *n)
{
	switch (n->kind) {
	case JS_WITH:
		s->a->open_world = true;
		add_any(s, n);
		break;
	case JS_NAME:
		look_at_name(s, n);
		break;
	case JS_MEMBER:
	case JS_INDEX:
		look_at_member(s, n);
		break;
	case JS_PROPERTY:
		look_at_property(s, n);
		break;
	case JS_CALL:
	case JS_NEW:
	case JS_TAGGED:
		look_at_call(s, n);
		break;
	case JS_CLASS:
	case JS_CLASS_DECL:
		if (js_field(n, 1) && !is_certain(s->a, js_field(n, 1)))
			s->calls = true;
		break;
	default:
		break;
	}
}

void
calls_of_code(analysis *a)
{
	suspicion s = {.a = a};
	const js_node *root = a->tree.root, *n;

	calls_sort(a);
	for (n = root; n && analysis_spend(a, 1); n = js_next(n, root)) {
		look_at_writes(&s, n);
		if (n->kind == JS_KEY || n->kind == JS_STRING)
			look_at_key(&s, n);
	}
	for (n = root; n && analysis_spend(a, 1); n = js_next(n, root))
		look_at_node(&s, n);
	if (s.find && s.calls)
		add_any(&s, s.find);
}
