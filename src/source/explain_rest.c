/* SPDX-License-Identifier: MIT */
/*
 * explain_rest.c -- names, JSON, operators, and what built-ins complain about.
 */
#include "explain_parts.h"

/* ------------------------------------------------------------------- names */

/* The word in front of the rest: "x is not defined". */
static text
first_word(text words)
{
	return text_sub(words, 0, text_find(words, TEXT(" "), 0));
}

bool
rule_not_defined(explainer *x, text words)
{
	const js_node *n = find_name(x, first_word(words));

	if (!n)
		return false;
	x->fault = n;
	names_tell(&x->a, n, x->out);
	return true;
}

bool
rule_not_initialized(explainer *x, text words)
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
bool
rule_read_only(explainer *x, text words)
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
	    TEXT_ARG(explain_shown(x, n)),
	    TEXT_ARG(explain_shown(x, n->child)));
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

bool
rule_bad_json(explainer *x, text words)
{
	const js_node *call = find_call(x), *first;
	thing t;

	if (!is_of(call, "JSON", "parse") || !(first = call_argument(call, 0)))
		return false;
	x->fault = first;
	t = shape_of(&x->shaper, first);
	buf_printf(
	    x->out, "JSON.parse(%.*s): ", TEXT_ARG(explain_shown(x, first)));
	if (explain_is_promise(x, first)) {
		buf_printf(x->out, "it is a promise: write await in front of "
				   "it");
	} else if (t.kind == THING_UNDEFINED ||
		   text_starts(words, TEXT("unexpected token: 'undefined'"))) {
		buf_str(x->out, "it is undefined");
		explain_why(x, first);
	} else if (t.kind == THING_OBJECT || t.kind == THING_ARRAY ||
		   text_starts(words, TEXT("unexpected token: 'object'"))) {
		buf_str(x->out, "it is a value already: drop JSON.parse");
		if (t.kind != THING_UNKNOWN)
			explain_what(x, first);
	} else {
		buf_printf(
		    x->out, "the text is not JSON (%.*s)", TEXT_ARG(words));
		if (t.value.len > 0)
			explain_what(x, first);
	}
	return true;
}

bool
rule_circular(explainer *x, text words)
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
	    TEXT_ARG(explain_shown(x, first)));
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

bool
rule_built_in(explainer *x, text words)
{
	const js_node *call = find_call(x);

	if (!call)
		return false;
	for (size_t i = 0; i < sizeof(complaints) / sizeof(*complaints); i++) {
		if (!text_eq(words, text_of(complaints[i].words)))
			continue;
		x->fault = call;
		buf_printf(x->out, "%.*s: %s", TEXT_ARG(explain_shown(x, call)),
		    complaints[i].means);
		return true;
	}
	return false;
}

bool
rule_bad_regex(explainer *x, text words)
{
	const js_node *call = find_call(x);

	if (!call || !node_is(call->child, "RegExp"))
		return false;
	x->fault = call;
	buf_printf(x->out, "%.*s is no valid regular expression: %.*s",
	    TEXT_ARG(explain_shown(x, call)), TEXT_ARG(words));
	return true;
}

/* The function around the place calls itself. */
bool
rule_too_deep(explainer *x, text words)
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

bool
rule_operation(explainer *x, text words)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		const js_node *n;

		if (!text_starts(words, text_of(operations[i].words)) ||
		    !(n = operation_at(x, operations[i].op)))
			continue;
		x->fault = n;
		buf_printf(x->out, "%.*s: %s", TEXT_ARG(explain_shown(x, n)),
		    operations[i].means);
		return true;
	}
	return false;
}
