/* SPDX-License-Identifier: MIT */
/*
 * explain.c -- see explain.h: one rule for each thing an engine says.
 *
 * A rule finds the expression, names it, and adds what it is as far as that is
 * known, and what to write. A rule that finds nothing says nothing: then the
 * engine's words stay.
 */
#include "explain_parts.h"
#include "known.h"

enum { MESSAGE_MAX = 1000 };

static text
shown(explainer *x, const js_node *n)
{
	return analysis_text(&x->a, n);
}

/* ": x is an object with keys a, b". */
static bool
tell_what(explainer *x, const js_node *n)
{
	thing t = shape_of(&x->shaper, n);

	if (t.kind == THING_UNKNOWN)
		return false;
	if (t.kind == THING_NULL || t.kind == THING_UNDEFINED) {
		buf_printf(x->out, ": %.*s", TEXT_ARG(shown(x, n)));
		if (n->kind != JS_NULL && !node_is(n, "undefined"))
			buf_printf(x->out, " is %s",
			    t.kind == THING_NULL ? "null" : "undefined");
		else
			buf_str(x->out, " was given");
		return true;
	}
	buf_printf(x->out, ": %.*s is ", TEXT_ARG(shown(x, n)));
	shape_tell(&x->shaper, &t, x->out);
	return true;
}

/* A hint, with the thing itself in the place of @. */
static void
tell_hint(explainer *x, const char *hint, const js_node *n)
{
	buf_str(x->out, "; write ");
	for (; *hint; hint++)
		if (*hint == '@')
			buf_text(x->out, shown(x, n));
		else
			buf_byte(x->out, *hint);
}

static bool
is_promise(explainer *x, const js_node *n)
{
	return promise_of(&x->a, n) == PROMISE_ONE;
}

/* An await is missing in front of n, whose member was wanted. */
static void
tell_await(explainer *x, const js_node *n, text key)
{
	buf_printf(x->out, ": %.*s is a promise: write (await %.*s).%.*s",
	    TEXT_ARG(shown(x, n)), TEXT_ARG(shown(x, n)), TEXT_ARG(key));
}

/* ---------------------------------------------------------- not a function */

/* Namespaces, and objects of ours that have only these methods. */
static bool
tell_known(explainer *x, const js_node *callee)
{
	const reach *r = calls_at(&x->a, callee->parent);
	const js_node *object = callee->child;
	buf path = BUF_INIT(x->out->alloc, 4096);
	const source_tools *tools = x->a.tools;
	bool space = r && tools && tools->find &&
		     tools->find(tools->ctx, r->path, &path) == SOURCE_SPACE;

	buf_fini(&path);
	if (space) {
		buf_printf(x->out,
		    ": it is a namespace: write "
		    "tools.%.*s.name({ ... })",
		    TEXT_ARG(r->path));
		return true;
	}
	if (object->kind != JS_NAME || !object->next->name ||
	    !known_lacks(object->name->text, object->next->name->text))
		return false;
	buf_printf(x->out, ": %.*s has %s", TEXT_ARG(object->name->text),
	    known_methods(object->name->text));
	return true;
}

static void
tell_method(explainer *x, const js_node *callee)
{
	const js_node *object = callee->child;
	text key = js_text(&x->a.tree, object->next), list;
	thing t = shape_of(&x->shaper, object);
	const char *hint;

	if (t.kind == THING_PROMISE || is_promise(x, object)) {
		tell_await(x, object, key);
		return;
	}
	if (tell_known(x, callee))
		return;
	tell_what(x, object);
	list = shape_list_key(&x->shaper, &t);
	hint = hint_for_method(t.kind, key);
	if (list.len > 0 && hint_for_method(THING_ARRAY, key) == NULL &&
	    !text_eq(key, TEXT("get")))
		buf_printf(x->out, ". Did you mean %.*s.%.*s.%.*s?",
		    TEXT_ARG(shown(x, object)), TEXT_ARG(list), TEXT_ARG(key));
	else if (hint)
		tell_hint(x, hint, object);
}

/* A built-in that was given no function: xs.map(5). */
static bool
tell_callback(explainer *x, const js_node *call)
{
	const js_node *first = call_argument(call, 0);

	if (x->e->native.len == 0)
		return false;
	buf_printf(x->out, "%.*s takes a function", TEXT_ARG(x->e->native));
	if (call->child->kind == JS_MEMBER)
		buf_printf(x->out, " (%.*s)", TEXT_ARG(shown(x, call->child)));
	if (first && !tell_what(x, first))
		buf_printf(x->out, ": %.*s is none", TEXT_ARG(shown(x, first)));
	else if (!first)
		buf_str(x->out, ", and was given nothing");
	x->fault = first ? first : call;
	return true;
}

static bool
not_a_function(explainer *x, text words)
{
	const js_node *call = find_call(x), *callee;

	(void)words;
	if (!call)
		return false;
	if (x->e->native.len > 0)
		return tell_callback(x, call);
	callee = call->child;
	while (callee->kind == JS_CHAIN)
		callee = callee->child;
	x->fault = callee;
	buf_printf(x->out, "%.*s is not a %s", TEXT_ARG(shown(x, callee)),
	    call->kind == JS_NEW ? "class or constructor" : "function");
	if (callee->kind == JS_MEMBER)
		tell_method(x, callee);
	else if (callee->kind == JS_CALL)
		buf_str(x->out, ": what it gives is none; one () is too many");
	else
		tell_what(x, callee);
	return true;
}

static bool
not_a_constructor(explainer *x, text words)
{
	const js_node *call = find_call(x);

	(void)words;
	if (!call)
		return false;
	x->fault = call;
	buf_printf(x->out, "%.*s cannot be called with new: drop new",
	    TEXT_ARG(shown(x, call->child)));
	return true;
}

/* The place is that of the class: the first call of its name is meant. */
static const js_node *
call_of_class(const explainer *x)
{
	for (size_t i = 0; i < x->a.names.uses; i++) {
		const name_use *u = &x->a.names.use[i];
		const js_node *up = u->node->parent;

		if (u->binding && u->binding->kind == BINDING_CLASS &&
		    up->kind == JS_CALL && up->child == u->node)
			return up;
	}
	return NULL;
}

static bool
class_without_new(explainer *x, text words)
{
	const js_node *call = call_of_class(x);

	(void)words;
	if (!call)
		return false;
	x->fault = call;
	buf_printf(x->out, "%.*s is a class: write new %.*s",
	    TEXT_ARG(shown(x, call->child)),
	    TEXT_ARG(promise_name(&x->a, call)));
	return true;
}

/* --------------------------------------------------------- of undefined, null */

/* The call whose result n is, or that n was set to. */
static const js_node *
source_call_of(const explainer *x, const js_node *n)
{
	const binding *b;

	if (n->kind == JS_NAME) {
		b = names_find(&x->a.names, n);
		n = b && b->sets == 0 && b->init ? b->init : n;
	}
	return n->kind == JS_AWAIT ? n->child : n;
}

/* users.find(...) found nothing. */
static bool
tell_nothing_found(explainer *x, const js_node *n, const char *lead)
{
	const js_node *call = source_call_of(x, n), *of;
	const char *why = hint_for_nothing(call, &of);

	if (why)
		buf_printf(x->out, "%s%.*s %s", lead,
		    TEXT_ARG(
			of == call ? promise_name(&x->a, call) : shown(x, of)),
		    why);
	return why != NULL;
}

/* obj.key is undefined: what is obj? */
static void
tell_owner(explainer *x, const js_node *n)
{
	const js_node *object = n->child;
	thing t = shape_of(&x->shaper, object), inner;

	if (is_promise(x, object)) {
		tell_await(x, object, js_text(&x->a.tree, object->next));
		return;
	}
	if (t.kind == THING_UNKNOWN || t.kind == THING_UNDEFINED)
		return;
	inner = shape_of(&x->shaper, n);
	if (t.one_of_many && inner.kind != THING_UNDEFINED &&
	    inner.kind != THING_UNKNOWN) {
		buf_printf(x->out,
		    ": the first one has it, another has not; "
		    "write %.*s%s",
		    TEXT_ARG(shown(x, n)), x->walked ? " ?? []" : "?.");
		return;
	}
	buf_printf(x->out, ": %.*s is ", TEXT_ARG(shown(x, object)));
	shape_tell(&x->shaper, &t, x->out);
}

/* What made it undefined: a key that the object does not have, a variable that
 * was never set. */
static void
tell_why(explainer *x, const js_node *n)
{
	const binding *b;

	if (tell_nothing_found(x, n, ": "))
		return;
	if (n->kind == JS_MEMBER || n->kind == JS_INDEX) {
		tell_owner(x, n);
		return;
	}
	b = n->kind == JS_NAME ? names_find(&x->a.names, n) : NULL;
	if (!b || b->init || b->node->parent->kind != JS_DECLARATOR ||
	    (b->kind != BINDING_LET && b->kind != BINDING_VAR))
		return;
	buf_str(x->out, b->sets == 0 ? ": nothing gives it a value"
				     : ": it has no value yet here");
}

/* 'login' of undefined: key and value of "cannot read property ..." */
static bool
split_of(text words, text *key, text *of)
{
	size_t quote = text_find(words, TEXT("'"), 0), end;

	if (quote == SIZE_MAX)
		return false;
	end = text_find(words, TEXT("' of "), quote + 1);
	if (end == SIZE_MAX)
		return false;
	*key = text_sub(words, quote + 1, end);
	*of = text_sub(words, end + 5, words.len);
	return true;
}

static bool not_iterable(explainer *x, text words);

static bool
read_of_nothing(explainer *x, text words)
{
	const js_node *n;
	text key, of;
	bool set = text_starts(words, TEXT("cannot set"));

	if (!split_of(words, &key, &of))
		return false;
	if (text_eq(key, TEXT("Symbol.iterator")))
		return not_iterable(x, of);
	n = find_member(x, key);
	if (!n)
		return false;
	x->fault = n;
	buf_printf(x->out,
	    "Cannot %s property \"%.*s\" of %.*s: ", set ? "set" : "read",
	    TEXT_ARG(key), TEXT_ARG(of));
	if (n->child->kind == JS_CALL && tell_nothing_found(x, n->child, ""))
		return true;
	if (text_eq(shown(x, n->child), of)) {
		buf_printf(
		    x->out, "it stands there as %.*s", TEXT_ARG(shown(x, n)));
		return true;
	}
	buf_printf(
	    x->out, "%.*s is %.*s", TEXT_ARG(shown(x, n->child)), TEXT_ARG(of));
	tell_why(x, n->child);
	return true;
}

/* ------------------------------------------------------- not iterable, apart */

/* The argument of a built-in that was given the wrong thing. */
static bool
tell_argument(explainer *x, const char *takes)
{
	const js_node *call = find_call(x), *first;

	if (!call || !(first = call_argument(call, 0)))
		return false;
	x->fault = first;
	buf_printf(
	    x->out, "%.*s takes %s", TEXT_ARG(shown(x, call->child)), takes);
	if (is_promise(x, first))
		buf_printf(x->out,
		    ": %.*s is a promise: write await in front "
		    "of it",
		    TEXT_ARG(shown(x, first)));
	else if (!tell_what(x, first))
		buf_printf(
		    x->out, ", and %.*s is none", TEXT_ARG(shown(x, first)));
	return true;
}

/* The expression that a subject comes from, when it is not one itself. */
static const js_node *
origin_of(const js_node *n)
{
	const js_node *up = n->parent;

	while (up->kind == JS_PROPERTY || up->kind == JS_OBJECT_PATTERN ||
	       up->kind == JS_ARRAY_PATTERN || up->kind == JS_DEFAULT)
		n = up, up = up->parent;
	if ((n->kind == JS_OBJECT_PATTERN || n->kind == JS_ARRAY_PATTERN) &&
	    n->next)
		return n->next;
	return n;
}

/* [a, b] = n->next: what it is applied to. */
static bool
is_pattern_of(const js_node *n)
{
	return (n->kind == JS_ARRAY_PATTERN || n->kind == JS_OBJECT_PATTERN) &&
	       n->next &&
	       (n->parent->kind == JS_DECLARATOR ||
		   n->parent->kind == JS_ASSIGN);
}

static bool
tell_promise(explainer *x, const js_node *n)
{
	const js_node *from = origin_of(n);

	if (!is_promise(x, from))
		return false;
	if (from == n || from == n->next)
		buf_str(x->out, "a promise");
	else
		buf_printf(x->out, "undefined, for %.*s is a promise",
		    TEXT_ARG(shown(x, from)));
	buf_printf(x->out, ": write await %.*s", TEXT_ARG(shown(x, from)));
	return true;
}

static bool
not_iterable(explainer *x, text of)
{
	const js_node *n;
	thing t;
	text list, name;

	if (x->e->native.len > 0)
		return tell_argument(x, "something that can be iterated, such "
					"as an array");
	n = find_subject(x, true);
	if (!n)
		return false;
	x->fault = n;
	x->walked = true;
	name = subject_text(x, n);
	t = subject_shape(x, n);
	buf_printf(x->out, "%.*s cannot be iterated: it is ", TEXT_ARG(name));
	if (tell_promise(x, n))
		return true;
	if (text_eq(of, TEXT("undefined")) || text_eq(of, TEXT("null"))) {
		buf_text(x->out, of);
		tell_why(x, is_pattern_of(n) ? n->next : n);
		return true;
	}
	if (!shape_tell(&x->shaper, &t, x->out))
		buf_str(x->out, "no array");
	list = shape_list_key(&x->shaper, &t);
	if (list.len > 0)
		buf_printf(x->out, ". Did you mean %.*s.%.*s?", TEXT_ARG(name),
		    TEXT_ARG(list));
	else if (t.kind == THING_OBJECT || t.kind == THING_UNKNOWN)
		buf_printf(x->out, "; of an object write Object.entries(%.*s)",
		    TEXT_ARG(name));
	return true;
}

/* Patterns inside of it. */
static bool
takes_further(const js_node *pattern)
{
	const js_node *n = pattern->child;

	for (; n; n = js_next(n, pattern))
		if (n->kind == JS_OBJECT_PATTERN)
			return true;
	return false;
}

static bool
nothing_to_object(explainer *x, text words)
{
	const js_node *n;
	thing t;

	(void)words;
	if (x->e->native.len > 0)
		return tell_argument(x, "an object");
	n = find_subject(x, false);
	if (!n)
		return false;
	x->fault = n;
	t = subject_shape(x, n);
	buf_printf(x->out, "%.*s cannot be taken apart: it ",
	    TEXT_ARG(subject_text(x, n)));
	if (t.kind != THING_UNDEFINED && t.kind != THING_NULL) {
		buf_str(x->out, "is undefined or null");
		if (takes_further(n))
			buf_str(x->out, ", or a part of it that is "
					"taken apart is");
	} else {
		buf_str(x->out, "is ");
		shape_tell(&x->shaper, &t, x->out);
	}
	return true;
}

/* ------------------------------------------------------------------- names */

/* The word in front of the rest: "x is not defined". */
static text
first_word(text words)
{
	return text_sub(words, 0, text_find(words, TEXT(" "), 0));
}

static bool
not_defined(explainer *x, text words)
{
	const js_node *n = find_name(x, first_word(words));

	if (!n)
		return false;
	x->fault = n;
	names_tell(&x->a, n, x->out);
	return true;
}

static bool
not_initialized(explainer *x, text words)
{
	text name = first_word(words);
	const js_node *n = find_name(x, name);
	const binding *b = n ? names_find(&x->a.names, n) : NULL;
	unsigned line, column;

	if (!b)
		return false;
	x->fault = n;
	text_position(x->a.p->text, source_offset(x->a.p, b->node->start),
	    &line, &column);
	if (n->start > b->node->start)
		buf_printf(x->out,
		    "%.*s is used in its own value, before it "
		    "has one",
		    TEXT_ARG(name));
	else
		buf_printf(x->out,
		    "%.*s is used above its declaration in line "
		    "%u: move the declaration up",
		    TEXT_ARG(name), line);
	return true;
}

/* 'c' is read-only: a const, or a member of something frozen. */
static bool
read_only(explainer *x, text words)
{
	size_t end = text_find(words, TEXT("'"), 1);
	text name = text_sub(words, 1, end);
	const js_node *n = find_name(x, name);
	const binding *b = n ? names_find(&x->a.names, n) : NULL;

	if (b && b->kind == BINDING_CONST) {
		x->fault = n;
		buf_printf(x->out,
		    "%.*s is a const and cannot be changed: "
		    "declare it with let",
		    TEXT_ARG(name));
		return true;
	}
	n = find_member(x, name);
	if (!n)
		return false;
	x->fault = n;
	buf_printf(x->out, "%.*s cannot be changed: %.*s is frozen",
	    TEXT_ARG(shown(x, n)), TEXT_ARG(shown(x, n->child)));
	return true;
}

/* --------------------------------------------------------------------- JSON */

static bool
is_of(const js_node *call, const char *object, const char *method)
{
	return call && call->kind == JS_CALL &&
	       call->child->kind == JS_MEMBER &&
	       node_is(call->child->child, object) &&
	       text_eq(call_method(call), text_of(method));
}

static bool
bad_json(explainer *x, text words)
{
	const js_node *call = find_call(x), *first;
	thing t;

	if (!is_of(call, "JSON", "parse") || !(first = call_argument(call, 0)))
		return false;
	x->fault = first;
	t = shape_of(&x->shaper, first);
	buf_printf(x->out, "JSON.parse(%.*s): ", TEXT_ARG(shown(x, first)));
	if (is_promise(x, first)) {
		buf_printf(x->out, "it is a promise: write await in front of "
				   "it");
	} else if (t.kind == THING_UNDEFINED ||
		   text_starts(words, TEXT("unexpected token: 'undefined'"))) {
		buf_str(x->out, "it is undefined");
		tell_why(x, first);
	} else if (t.kind == THING_OBJECT || t.kind == THING_ARRAY ||
		   text_starts(words, TEXT("unexpected token: 'object'"))) {
		buf_str(x->out, "it is a value already: drop JSON.parse");
		if (t.kind != THING_UNKNOWN)
			tell_what(x, first);
	} else {
		buf_printf(
		    x->out, "the text is not JSON (%.*s)", TEXT_ARG(words));
		if (t.value.len > 0)
			tell_what(x, first);
	}
	return true;
}

static bool
circular(explainer *x, text words)
{
	const js_node *call = find_call(x), *first;

	(void)words;
	if (!is_of(call, "JSON", "stringify") ||
	    !(first = call_argument(call, 0)))
		return false;
	x->fault = first;
	buf_printf(x->out,
	    "%.*s contains itself and cannot be JSON: build an "
	    "object of what you need from it",
	    TEXT_ARG(shown(x, first)));
	return true;
}

/* ------------------------------------------------------------------ calls of built-ins */

/* What else a built-in can complain about, and what that means. */
static const struct {
	const char *words, *means;
} complaints[] = {
    {"empty array", "the array is empty and no first value is given: write "
		    "reduce(callback, first)"},
    {"invalid number of digits", "the number of digits must be 0 to 100"},
    {"invalid repeat count", "the count must be 0 or more"},
    {"invalid array length", "the length must be a whole number from 0"},
    {"Date value is NaN", "it is no valid date"},
    {"regexp must have the 'g' flag", "write the regular expression with g: "
				      "/.../g"},
    {"expecting hex digit", "the text has a % that begins no escape"},
    {"object is not extensible", "the object is frozen: copy it first, [...x] "
				 "or { ...x }"},
    {"radix must be between 2 and 36", "the base must be 2 to 36"},
    {"toString() radix must be between 2 and 36", "the base must be 2 to 36"},
};

static bool
built_in(explainer *x, text words)
{
	const js_node *call = find_call(x);

	if (!call)
		return false;
	for (size_t i = 0; i < sizeof(complaints) / sizeof(*complaints); i++) {
		if (!text_eq(words, text_of(complaints[i].words)))
			continue;
		x->fault = call;
		buf_printf(x->out, "%.*s: %s", TEXT_ARG(shown(x, call)),
		    complaints[i].means);
		return true;
	}
	return false;
}

static bool
bad_regex(explainer *x, text words)
{
	const js_node *call = find_call(x);

	if (!call || !node_is(call->child, "RegExp"))
		return false;
	x->fault = call;
	buf_printf(x->out, "%.*s is no valid regular expression: %.*s",
	    TEXT_ARG(shown(x, call)), TEXT_ARG(words));
	return true;
}

/* The function around the place calls itself. */
static bool
too_deep(explainer *x, text words)
{
	const js_node *call = find_call(x);

	(void)words;
	if (!call)
		return false;
	x->fault = call;
	buf_printf(x->out,
	    "%.*s goes too deep: it calls itself again and "
	    "again until the call stack is full",
	    TEXT_ARG(promise_name(&x->a, call)));
	return true;
}

/* ---------------------------------------------------------------- operators */

static const struct {
	const char *words;
	unsigned op; /* T_EOF: any */
	const char *means;
} operations[] = {
    {"cannot convert BigInt to number", T_EOF,
	"a BigInt and a number do not mix: write Number(x) or BigInt(x)"},
    {"cannot mix BigInt", T_EOF,
	"a BigInt and a number do not mix: write Number(x) or BigInt(x)"},
    {"invalid 'in' operand", T_IN,
	"in wants an object on its right: for texts and arrays write "
	"includes"},
    {"invalid 'instanceof' right operand", T_INSTANCEOF,
	"instanceof wants a class on its right"},
    {"cannot convert symbol to string", T_EOF,
	"a symbol is no text: write String(x)"},
};

static const js_node *
operation_at(const explainer *x, unsigned op)
{
	const js_node *root = x->a.tree.root, *n, *best = NULL;

	for (n = root; n; n = js_next(n, root)) {
		if ((n->kind != JS_BINARY && n->kind != JS_TEMPLATE) ||
		    n->start > x->at || n->end < x->at ||
		    (op != T_EOF && n->op != op))
			continue;
		if (!best || n->end - n->start < best->end - best->start)
			best = n;
	}
	return best;
}

static bool
operation(explainer *x, text words)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		const js_node *n;

		if (!text_starts(words, text_of(operations[i].words)) ||
		    !(n = operation_at(x, operations[i].op)))
			continue;
		x->fault = n;
		buf_printf(x->out, "%.*s: %s", TEXT_ARG(shown(x, n)),
		    operations[i].means);
		return true;
	}
	return false;
}

/* ------------------------------------------------------------------- rules */

typedef struct rule {
	const char *begins, *ends; /* of the engine's words */
	bool (*tell)(explainer *x, text words);
} rule;

static const rule rules[] = {
    {"not a function", "", not_a_function},
    {"not a constructor", "", not_a_constructor},
    {"class constructors must be invoked", "", class_without_new},
    {"cannot read property", "", read_of_nothing},
    {"cannot set property", "", read_of_nothing},
    {"value is not iterable", "", not_iterable},
    {"Cannot convert undefined or null", "", nothing_to_object},
    {"", "is not defined", not_defined},
    {"", "is not initialized", not_initialized},
    {"'", "is read-only", read_only},
    {"circular reference", "", circular},
    {"Maximum call stack", "", too_deep},
    {"", "", operation},
    {"", "", built_in},
    {"", "", bad_json},
    {"", "", bad_regex},
};

static bool
applies(const rule *r, text words)
{
	return text_starts(words, text_of(r->begins)) &&
	       text_ends(words, text_of(r->ends));
}

text
source_native(text stack)
{
	text line, rest = stack;

	while (text_line(&rest, &line)) {
		line = text_trim(line);
		if (!text_starts(line, TEXT("at ")))
			continue;
		if (text_ends(line, TEXT(" (native)")))
			return text_sub(line, 3, line.len - 9);
		if (text_find(line, TEXT("<input>"), 0) == SIZE_MAX)
			return TEXT_NONE;
	}
	return TEXT_NONE;
}

/* From a place of the text to the engine's text. */
static uint32_t
place_in_code(const source_prepared *p, uint32_t line, uint32_t column)
{
	size_t at = 0;

	for (; line > 1 && at < p->text.len; line--) {
		size_t end = text_find(p->text, TEXT("\n"), at);

		if (end == SIZE_MAX)
			break;
		at = end + 1;
	}
	at += column > 0 ? column - 1 : 0;
	for (size_t i = 0; i < p->shifts; i++)
		if (p->shift[i].at <= at)
			at += p->shift[i].len;
	return (uint32_t)at;
}

static void
move_place(const explainer *x, source_error *e)
{
	const js_node *n = x->fault;
	unsigned line, column;

	if (!n)
		return;
	/* Of a member its own name: that is where one looks. */
	if (n->kind == JS_MEMBER)
		n = n->child->next;
	text_position(
	    x->a.p->text, source_offset(x->a.p, n->start), &line, &column);
	e->line = line;
	e->column = column;
}

void
source_explain(const source_prepared *p, const source_tools *tools,
    const source_seen *seen, source_error *e, buf *out)
{
	arena memory = ARENA_INIT(out->alloc, p->code.len * 400 + (1 << 20));
	buf mended = BUF_INIT(out->alloc, 1 << 16);
	buf message = BUF_INIT(out->alloc, MESSAGE_MAX * 4);
	explainer x = {.e = e, .out = &message};

	if (p->fault.code != NULL || e->line == 0 ||
	    !analysis_init(&x.a, p, tools, &memory))
		goto out;
	x.shaper = (shaper){&x.a, seen, &mended};
	x.at = place_in_code(p, e->line, e->column);
	calls_find(&x.a);
	if (find_made(&x))
		goto out;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (applies(&rules[i], e->message) &&
		    rules[i].tell(&x, e->message))
			break;
	if (message.bad == CM_OK && message.len > 0) {
		buf_text(out, buf_view(&message));
		move_place(&x, e);
	}
out:
	buf_fini(&message);
	buf_fini(&mended);
	arena_fini(&memory);
}
