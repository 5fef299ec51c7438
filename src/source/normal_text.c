/* SPDX-License-Identifier: MIT */
/*
 * normal_text.c -- which of several readings of a text is the script?
 *
 * As JavaScript, as it stands, if that has no error and compares nothing in a
 * way that only type arguments explain. Otherwise with types; otherwise
 * without what is around it. The first reading without an error is taken. If
 * there is none, the one whose first error comes last is reported.
 *
 * f<T>(x) is JavaScript, too: (f < T) > (x). TypeScript is meant where
 *
 *	- what a comparison gave is compared again, a < b > (c), or joined by bits,
 *	  a < b | c > (d), because JavaScript has no use for either;
 *	- new f stands left of <, without arguments of its own;
 *	- the name of a basic type is compared, and nothing declares it;
 *
 * and the text then has no error when it is read with types. Everything else
 * that both can read means what it means in JavaScript: f(a < b, c > (d)).
 */
#include "normal.h"

enum { ROUNDS = 4 };

/* ------------------------------------------------- JavaScript or TypeScript */

static cm_status
parse_as(normal *n, bool typescript, js_tree *out)
{
	js_options o = {.goal = JS_ASYNC_BODY,
	    .typescript = typescript,
	    .steps = n->steps,
	    .modules = !n->options->raw};

	return js_parse(n->base, &o, n->arena, out);
}

static const char *const basic_types[] = {"any", "unknown", "string", "number",
    "boolean", "bigint", "symbol", "object", "never"};
enum { BASIC_TYPES = sizeof(basic_types) / sizeof(*basic_types) };

/* The basic type that the name is, as a bit; 0: none. */
static unsigned
basic_type_bit(const js_node *n)
{
	for (unsigned i = 0; n->name && i < BASIC_TYPES; i++)
		if (text_eq(n->name->text, text_of(basic_types[i])))
			return 1u << i;
	return 0;
}

static bool
is_plain_binary(const js_node *n)
{
	return n->kind == JS_BINARY && !(n->flags & JS_PAREN);
}

static bool
compares(const js_node *n)
{
	return is_plain_binary(n) && (n->op == T_LT || n->op == T_GT);
}

/* Is it compared, or, as in A<B<number>>(c), shifted? */
static bool
stands_among_angles(const js_node *n)
{
	return n->parent && n->parent->kind == JS_BINARY &&
	       (n->parent->op == T_LT || n->parent->op == T_GT ||
		   n->parent->op == T_SHR || n->parent->op == T_USHR);
}

/* new f, without parentheses behind it. */
static bool
is_new_without_arguments(const js_tree *t, const js_node *n)
{
	return n->kind == JS_NEW && !(n->flags & JS_PAREN) &&
	       t->text.ptr[n->end - 1] != ')';
}

/* a < b | c > d, and the same with &. */
static bool
joins_comparisons(const js_node *n)
{
	const js_node *left = n->child;

	return is_plain_binary(n) &&
	       (n->op == T_BIT_OR || n->op == T_BIT_AND) && compares(left) &&
	       left->op == T_LT && compares(left->next);
}

static bool
compares_like_types(const js_tree *t, const js_node *n)
{
	return compares(n) &&
	       (compares(n->child) ||
		   (n->op == T_LT && is_new_without_arguments(t, n->child)));
}

/* The rule above, of a tree without errors. */
static bool
means_types(const js_tree *t)
{
	unsigned declared = 0, compared = 0;

	if (text_find(t->text, TEXT("<"), 0) == SIZE_MAX)
		return false;
	for (const js_node *n = t->root; n; n = js_next(n, t->root)) {
		if (compares_like_types(t, n) || joins_comparisons(n))
			return true;
		if (n->kind == JS_BIND)
			declared |= basic_type_bit(n);
		else if (n->kind == JS_NAME && stands_among_angles(n))
			compared |= basic_type_bit(n);
	}
	return (compared & ~declared) != 0;
}

static bool
is_about_types(js_code code)
{
	return code >= JS_E_TYPE;
}

/* Does the error of JavaScript stand in what the other one covers, or directly
 * behind it? The other one then knows what was meant. */
static bool
covers(text t, const js_error *typed, const js_error *plain)
{
	return typed->start <= plain->start &&
	       (plain->start <= typed->end ||
		   text_trim(text_sub(t, typed->end, plain->start)).len == 0);
}

/* Of two readings with errors, whose first error says more? */
static bool
typed_is_better(const js_tree *plain, const js_tree *typed)
{
	const js_error *p = &plain->errors[0], *t = &typed->errors[0];

	if (is_about_types(t->code) && covers(plain->text, t, p))
		return true;
	return t->start > p->start;
}

cm_status
normal_parse(normal *n)
{
	bool plain_is_script;
	js_tree typed;
	cm_status r;

	arena_fini(n->arena);
	r = parse_as(n, false, &n->tree);
	if (r != CM_OK || n->options->raw)
		return r;
	plain_is_script = n->tree.error_count == 0;
	if (plain_is_script && !means_types(&n->tree))
		return CM_OK;
	r = parse_as(n, true, &typed);
	if (r == CM_OK &&
	    (typed.error_count == 0 ||
		(!plain_is_script && typed_is_better(&n->tree, &typed))))
		n->tree = typed;
	return r;
}

/* --------------------------------------------------------- what is around it */

/* A text in the place of the one before; b's bytes live as long as n. */
static void
take_over(buf *own, buf *b, text *out)
{
	buf_fini(own);
	*own = *b;
	*b = BUF_INIT(own->alloc, own->max);
	*out = buf_view(own);
}

static bool
take_fence_off(normal *n, buf *b)
{
	buf_clear(b);
	if (!fence_open(n->base, b) || b->bad != CM_OK)
		return false;
	take_over(n->own_base, b, &n->base);
	n->changed = true;
	return true;
}

static bool
take_quotes_off(normal *n, bool parses, buf *b)
{
	buf_clear(b);
	if (!quote_open(n, !parses, b) && (parses || !escapes_open(n, b))) {
		if (parses || !entities_open(n, b))
			return false;
		n->unescaped = true;
	}
	if (b->bad != CM_OK)
		return false;
	take_over(n->own_text, b, &n->text);
	n->base = n->text;
	n->changed = true;
	return true;
}

/* Three backticks in code are an empty template and the beginning of another.
 * That is no error, but it is never meant. */
static bool
has_fence(const normal *n)
{
	const js_node *node = n->tree.root;

	if (text_find(n->base, TEXT("```"), 0) == SIZE_MAX)
		return false;
	for (; node; node = js_next(node, n->tree.root))
		if (node->kind == JS_TEMPLATE && node->end - node->start == 2 &&
		    node->end < n->base.len && n->base.ptr[node->end] == '`')
			return true;
	return false;
}

/* One round: true when something was taken off and is to be parsed. */
static bool
take_off(normal *n, buf *b)
{
	bool parses = n->tree.error_count == 0;

	n->fenced = parses && has_fence(n);
	parses = parses && !n->fenced;
	return take_quotes_off(n, parses, b) ||
	       (!parses && take_fence_off(n, b));
}

cm_status
normal_unwrap(normal *n)
{
	buf b = BUF_INIT(n->own_base->alloc, n->own_base->max);
	cm_status r = CM_OK;

	for (int round = 0; round < ROUNDS && r == CM_OK; round++) {
		if (fence_first(n->base) && take_fence_off(n, &b))
			continue;
		r = normal_parse(n);
		if (r == CM_OK && !take_off(n, &b))
			goto out;
	}
	if (r == CM_OK)
		r = normal_parse(n);
out:
	if (r == CM_OK)
		r = b.bad;
	buf_fini(&b);
	return r;
}
