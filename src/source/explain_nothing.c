/* SPDX-License-Identifier: MIT */
/*
 * explain_nothing.c -- members of undefined and null; what cannot be iterated
 * or taken apart.
 */
#include "dialect.h"
#include "explain_parts.h"

/* obj.key is undefined: what is obj? */
static void
tell_owner(explainer *x, const js_node *n)
{
	const js_node *object = n->child;
	shape t;

	if (explain_is_promise(x, object)) {
		explain_await(x, object);
		return;
	}
	t = shape_of(&x->shaper, object);
	if (t.value.len == 0)
		return;
	if (t.one_of_many && shape_of(&x->shaper, n).value.len > 0)
		buf_str(x->out, ": the first one has it, another has not");
	else
		explain_what(x, object);
}

/* What made it undefined: a key that the object does not have, a variable that
 * was never set. */
void
explain_why(explainer *x, const js_node *n)
{
	const binding *b;

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
	if (n->child->kind == JS_MEMBER && n->child->child->kind == JS_NAME &&
	    node_is(n->child->child, "codemode") &&
	    dialect_tell(&x->a, n->child->child, x->out))
		return true;
	buf_printf(x->out,
	    "Cannot %s property \"%.*s\" of %.*s: ", set ? "set" : "read",
	    TEXT_ARG(key), TEXT_ARG(of));
	if (text_eq(analysis_text(&x->a, n->child), of)) {
		buf_printf(x->out, "it stands there as %.*s",
		    TEXT_ARG(analysis_text(&x->a, n)));
		return true;
	}
	buf_printf(x->out, "%.*s is %.*s",
	    TEXT_ARG(analysis_text(&x->a, n->child)), TEXT_ARG(of));
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
	    TEXT_ARG(analysis_text(&x->a, call->child)), takes);
	if (explain_is_promise(x, first))
		buf_printf(x->out,
		    ": %.*s is a promise; write await in front of it",
		    TEXT_ARG(analysis_text(&x->a, first)));
	else if (!explain_what(x, first))
		buf_printf(x->out, ", and %.*s is not one",
		    TEXT_ARG(analysis_text(&x->a, first)));
	return true;
}

static bool
tell_promise(explainer *x, const js_node *n)
{
	const js_node *from = find_origin(n);

	if (!explain_is_promise(x, from))
		return false;
	if (from == n || from == n->next)
		buf_str(x->out, "a promise");
	else
		buf_printf(x->out, "undefined, for %.*s is a promise",
		    TEXT_ARG(analysis_text(&x->a, from)));
	buf_printf(
	    x->out, "; write await %.*s", TEXT_ARG(analysis_text(&x->a, from)));
	return true;
}

bool
rule_not_iterable(explainer *x, text of)
{
	const js_node *n;
	shape t;
	buf way = BUF_INIT(x->out->alloc, SOURCE_MESSAGE);
	text name;

	if (x->e->native.len > 0)
		return explain_argument(x,
		    "something that can be iterated, such "
		    "as an array");
	n = find_subject(x, true);
	if (!n)
		return false;
	x->fault = n;
	name = subject_text(x, n);
	t = shape_of(&x->shaper, n);
	buf_printf(x->out, "%.*s cannot be iterated: it is ", TEXT_ARG(name));
	if (tell_promise(x, n))
		return true;
	if (text_eq(of, TEXT("undefined")) || text_eq(of, TEXT("null"))) {
		buf_text(x->out, of);
		explain_why(
		    x, n->next && find_origin(n) == n->next ? n->next : n);
		return true;
	}
	if (t.known)
		shape_tell(t.value, x->out);
	else
		buf_str(x->out, "no array");
	if (shape_to_list(t.value, &way))
		buf_printf(x->out, ". Did you mean %.*s%.*s?", TEXT_ARG(name),
		    TEXT_ARG(buf_view(&way)));
	else if (!t.known || json_kind_of(t.value) == JSON_OBJECT)
		buf_printf(x->out, "; of an object write Object.entries(%.*s)",
		    TEXT_ARG(name));
	buf_fini(&way);
	return true;
}

bool
rule_nothing_to_object(explainer *x, text words)
{
	const js_node *n;
	shape t;

	(void)words;
	if (x->e->native.len > 0)
		return explain_argument(x, "an object");
	n = find_subject(x, false);
	if (!n)
		return false;
	x->fault = n;
	t = shape_of(&x->shaper, n);
	buf_printf(x->out, "%.*s cannot be taken apart: it ",
	    TEXT_ARG(subject_text(x, n)));
	if (t.known && json_kind_of(t.value) <= JSON_NULL)
		buf_printf(
		    x->out, "is %s", t.value.len > 0 ? "null" : "undefined");
	else
		buf_str(x->out, "or a part of it is undefined or null");
	return true;
}
