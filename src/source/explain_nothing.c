/* SPDX-License-Identifier: MIT */
/*
 * explain_nothing.c -- members of undefined and null; what cannot be iterated
 * or taken apart.
 */
#include "explain_parts.h"

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
		    TEXT_ARG(of == call ? promise_name(&x->a, call)
					: explain_shown(x, of)),
		    why);
	return why != NULL;
}

/* The member of n that was read, with ?. in it: "u.name?.length". */
static void
put_optional(explainer *x, const js_node *n)
{
	const js_node *member = n->parent;

	if ((member->kind != JS_MEMBER && member->kind != JS_INDEX) ||
	    member->child != n)
		member = NULL;
	buf_printf(x->out, "%.*s?.", TEXT_ARG(js_text(&x->a.tree, n)));
	if (!member)
		return;
	if (member->kind == JS_INDEX)
		buf_byte(x->out, '[');
	buf_text(x->out, js_text(&x->a.tree, n->next));
	if (member->kind == JS_INDEX)
		buf_byte(x->out, ']');
}

/* obj.key is undefined: what is obj? */
static void
tell_owner(explainer *x, const js_node *n)
{
	const js_node *object = n->child;
	thing t = shape_of(&x->shaper, object), inner;

	if (explain_is_promise(x, object)) {
		explain_await(x, object);
		return;
	}
	if (t.kind == THING_UNKNOWN || t.kind == THING_UNDEFINED)
		return;
	inner = shape_of(&x->shaper, n);
	if (t.one_of_many && inner.kind != THING_UNDEFINED &&
	    inner.kind != THING_UNKNOWN) {
		buf_str(
		    x->out, ": the first one has it, another has not; write ");
		if (x->walked)
			buf_printf(x->out, "%.*s ?? []",
			    TEXT_ARG(explain_shown(x, n)));
		else
			put_optional(x, n);
		return;
	}
	buf_printf(x->out, ": %.*s is ", TEXT_ARG(explain_shown(x, object)));
	shape_tell(&x->shaper, &t, x->out);
}

/* What made it undefined: a key that the object does not have, a variable that
 * was never set. */
void
explain_why(explainer *x, const js_node *n)
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

bool
rule_read_of_nothing(explainer *x, text words)
{
	const js_node *n;
	text key, of;
	bool set = text_starts(words, TEXT("cannot set"));

	if (!split_of(words, &key, &of))
		return false;
	if (text_eq(key, TEXT("Symbol.iterator")))
		return rule_not_iterable(x, of);
	n = find_member(x, key);
	if (!n)
		return false;
	x->fault = n;
	buf_printf(x->out,
	    "Cannot %s property \"%.*s\" of %.*s: ", set ? "set" : "read",
	    TEXT_ARG(key), TEXT_ARG(of));
	if (n->child->kind == JS_CALL && tell_nothing_found(x, n->child, ""))
		return true;
	if (text_eq(explain_shown(x, n->child), of)) {
		buf_printf(x->out, "it stands there as %.*s",
		    TEXT_ARG(explain_shown(x, n)));
		return true;
	}
	buf_printf(x->out, "%.*s is %.*s", TEXT_ARG(explain_shown(x, n->child)),
	    TEXT_ARG(of));
	explain_why(x, n->child);
	return true;
}

/* ------------------------------------------------------- not iterable, apart */

/* The argument of a built-in that was given the wrong thing. */
bool
explain_argument(explainer *x, const char *takes)
{
	const js_node *call = find_call(x), *first;

	if (!call || !(first = call_argument(call, 0)))
		return false;
	x->fault = first;
	buf_printf(x->out, "%.*s takes %s",
	    TEXT_ARG(explain_shown(x, call->child)), takes);
	if (explain_is_promise(x, first))
		buf_printf(x->out,
		    ": %.*s is a promise; write await in front of it",
		    TEXT_ARG(explain_shown(x, first)));
	else if (!explain_what(x, first))
		buf_printf(x->out, ", and %.*s is not one",
		    TEXT_ARG(explain_shown(x, first)));
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

	if (!explain_is_promise(x, from))
		return false;
	if (from == n || from == n->next)
		buf_str(x->out, "a promise");
	else
		buf_printf(x->out, "undefined, for %.*s is a promise",
		    TEXT_ARG(explain_shown(x, from)));
	buf_printf(
	    x->out, "; write await %.*s", TEXT_ARG(explain_shown(x, from)));
	return true;
}

bool
rule_not_iterable(explainer *x, text of)
{
	const js_node *n;
	thing t;
	text list, name;

	if (x->e->native.len > 0)
		return explain_argument(x,
		    "something that can be iterated, such "
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
		explain_why(x, is_pattern_of(n) ? n->next : n);
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

bool
rule_nothing_to_object(explainer *x, text words)
{
	const js_node *n;
	thing t;

	(void)words;
	if (x->e->native.len > 0)
		return explain_argument(x, "an object");
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
