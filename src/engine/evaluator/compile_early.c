/* SPDX-License-Identifier: MIT */
/*
 * compile_early.c -- what the grammar allows and the standard forbids all the
 * same ("early errors"): one walk over the tree. Names declared twice are found
 * by compile_scope.c, labels by compile_leave.c.
 */
#include "compile.h"

typedef struct early {
	compiler *c;
	const js_tree *tree;
} early;

static void
refuse_early(early *e, const js_node *n, bool wrong, const char *why)
{
	if (wrong)
		refuse_node(e->c, n, why);
}

static bool
is_named(const js_node *n, text name)
{
	return n->name != NULL && text_eq(n->name->text, name);
}

/* The function around n, arrow or not; NULL: the script. A static block and the
 * value of a field count as one. */
static const js_node *
function_around(const js_node *n)
{
	for (; n->parent != NULL; n = n->parent)
		if (js_is_function(n->parent) ||
		    n->parent->kind == JS_STATIC_BLOCK ||
		    (n->parent->kind == JS_FIELD && n->parent->child != n))
			return n->parent;
	return NULL;
}

/* The same through arrow functions. */
static const js_node *
plain_function_around(const js_node *n)
{
	do {
		n = function_around(n);
	} while (n != NULL && n->kind == JS_ARROW);
	return n;
}

/* ------------------------------------------------------------------- names */

static bool
is_strict_word(unsigned word)
{
	return word == T_IMPLEMENTS || word == T_INTERFACE || word == T_LET ||
	       word == T_PACKAGE || word == T_PRIVATE_WORD ||
	       word == T_PROTECTED || word == T_PUBLIC || word == T_STATIC ||
	       word == T_YIELD;
}

/* The function whose kind decides what await and yield are at that name: a
 * declaration's own name belongs to what is around. */
static const js_node *
function_of_name(const js_node *n)
{
	if (n->parent->kind == JS_FUNCTION_DECL && n->parent->child == n)
		n = n->parent;
	return function_around(n);
}

static void
check_name(early *e, const js_node *n)
{
	const js_node *f;
	unsigned word = n->name->word;
	bool sets = n->kind == JS_BIND || n->flags & JS_TARGET;

	if (word == T_NAME)
		return;
	if (function_is_strict(n)) {
		refuse_early(e, n, is_strict_word(word),
		    "this word is reserved in strict mode");
		refuse_early(e, n,
		    sets && (word == T_EVAL || word == T_ARGUMENTS),
		    "invalid variable name in strict mode");
	}
	f = function_of_name(n);
	refuse_early(e, n,
	    word == T_YIELD && f != NULL && f->flags & JS_GENERATOR,
	    "yield is a reserved word in a generator");
	while (f != NULL && f->kind == JS_ARROW && !(f->flags & JS_ASYNC))
		f = function_around(f);
	refuse_early(e, n,
	    word == T_AWAIT && f != NULL &&
		(f->flags & JS_ASYNC || f->kind == JS_STATIC_BLOCK),
	    "await is a reserved word here");
	f = plain_function_around(n);
	refuse_early(e, n,
	    word == T_ARGUMENTS && n->kind == JS_NAME && f != NULL &&
		(f->kind == JS_FIELD || f->kind == JS_STATIC_BLOCK),
	    "arguments does not exist in a field or static block");
}

static void
check_bind(early *e, const js_node *n)
{
	const js_node *by = js_declared_by(n);

	check_name(e, n);
	if (by->kind == JS_DECLARATOR)
		refuse_early(e, n,
		    n->name->word == T_LET && by->parent->op != T_VAR,
		    "let cannot be the name of a let, const or class");
}

/* ---------------------------------------------------------------- literals */

static void
check_octal(early *e, const js_node *n)
{
	text t = js_text(e->tree, n);

	refuse_early(e, n,
	    t.len > 1 && t.ptr[0] == '0' && t.ptr[1] >= '0' &&
		t.ptr[1] <= '9' && function_is_strict(n),
	    "octal literals are not allowed in strict mode");
}

static void
check_octal_escape(early *e, const js_node *n)
{
	text t = js_text(e->tree, n);

	if (!(n->flags & JS_ESCAPED) || !function_is_strict(n))
		return;
	for (size_t i = 0; i + 1 < t.len; i++) {
		char c = t.ptr[i + 1];

		if (t.ptr[i] != '\\')
			continue;
		refuse_early(e, n,
		    (c >= '1' && c <= '9') ||
			(c == '0' && i + 2 < t.len && t.ptr[i + 2] >= '0' &&
			    t.ptr[i + 2] <= '9'),
		    "octal escape sequences are not allowed in strict mode");
		i++;
	}
}

static void
check_object(early *e, const js_node *n)
{
	const js_node *first = NULL;

	for (const js_node *p = n->child; p != NULL; p = p->next) {
		if (!is_proto_member(e->c, p))
			continue;
		refuse_early(
		    e, p, first != NULL, "the object has __proto__ twice");
		first = p;
	}
}

/* --------------------------------------------------------------- functions */

static bool
is_simple_list(const js_node *params)
{
	for (const js_node *p = params->child; p != NULL; p = p->next)
		if (p->kind != JS_BIND)
			return false;
	return true;
}

static bool
has_directive(const js_tree *t, const js_node *body)
{
	const js_node *s = body->kind == JS_BODY ? body->child : NULL;

	for (; s != NULL && s->kind == JS_EXPR && s->flags & JS_DIRECTIVE;
	     s = s->next) {
		text w = js_text(t, s->child);

		if (w.len == 12 &&
		    text_eq(text_sub(w, 1, 11), TEXT("use strict")))
			return true;
	}
	return false;
}

/* Names of parameters that are there twice: scratch[2] counts them. */
static void
check_parameter_names(early *e, const js_node *params)
{
	for (const js_node *n = params; n != NULL; n = js_next(n, params)) {
		if (n->kind != JS_BIND)
			continue;
		refuse_early(e, n, n->name->scratch[2] == params,
		    "duplicate argument names not allowed in this context");
		n->name->scratch[2] = (void *)(uintptr_t)params;
	}
	for (const js_node *n = params; n != NULL; n = js_next(n, params))
		if (n->kind == JS_BIND)
			n->name->scratch[2] = NULL;
}

static unsigned
count_parameters(const js_node *params)
{
	unsigned n = 0;

	for (const js_node *p = params->child; p != NULL; p = p->next)
		n++;
	return n;
}

static void
check_accessor(early *e, const js_node *m, const js_node *params)
{
	refuse_early(e, m, m->op == T_GET && params->child != NULL,
	    "a getter has no parameters");
	refuse_early(e, m,
	    m->op == T_SET_WORD && (count_parameters(params) != 1 ||
				       params->child->kind == JS_REST),
	    "a setter has one parameter");
}

static void
check_parameters(early *e, const js_node *f)
{
	const js_node *params = f->child, *up = f->parent;
	bool simple;

	while (params->kind != JS_PARAMS)
		params = params->next;
	simple = is_simple_list(params);
	refuse_early(e, f, !simple && has_directive(e->tree, params->next),
	    "\"use strict\" not allowed in function with default or "
	    "destructuring parameter");
	if (!simple || f->kind == JS_ARROW || is_method_function(f) ||
	    function_is_strict(f))
		check_parameter_names(e, params);
	if (is_method_function(f))
		check_accessor(e, up, params);
	refuse_early(e, f,
	    f->kind == JS_FUNCTION_DECL && function_is_strict(up) &&
		(up->kind == JS_IF || up->kind == JS_LABEL),
	    "a function declaration stands in a block in strict mode");
	refuse_early(e, f,
	    f->kind == JS_FUNCTION_DECL && up->kind == JS_LABEL &&
		f->flags & (JS_ASYNC | JS_GENERATOR),
	    "only a plain function can have a label");
}

/* await or yield where parameters are being computed. */
static void
check_pause(early *e, const js_node *n)
{
	const js_node *p = n, *f;

	while (p != NULL && !js_is_function(p) && p->kind != JS_PARAMS &&
	       p->kind != JS_STATIC_BLOCK)
		p = p->parent;
	refuse_early(e, n, p != NULL && p->kind == JS_PARAMS,
	    "await and yield cannot stand among parameters");
	f = function_around(n);
	refuse_early(e, n, f != NULL && f->kind == JS_STATIC_BLOCK,
	    "a static block does not wait");
}

/* ----------------------------------------------------------- this and super */

static bool
is_in_member(const js_node *f)
{
	return f != NULL &&
	       (f->kind == JS_FIELD || f->kind == JS_STATIC_BLOCK ||
		   is_method_function(f));
}

static void
check_super(early *e, const js_node *n)
{
	const js_node *f = plain_function_around(n), *up = n->parent;

	refuse_early(e, n, up->kind == JS_MEMBER && n->next->kind == JS_PRIVATE,
	    "super has no private members");
	if (up->kind == JS_CALL && up->child == n)
		refuse_early(e, n,
		    f == NULL || !js_is_function(f) ||
			!is_derived_constructor(f),
		    "super() is only valid in a derived class constructor");
	else
		refuse_early(e, n, !is_in_member(f),
		    "'super' is only valid in a method");
}

/* a?.b`c` */
static void
check_tagged(early *e, const js_node *n)
{
	const js_node *m = n->child;
	bool chains = n->flags & JS_OPTIONAL ||
		      (m->kind == JS_CHAIN && !(m->flags & JS_PAREN));

	for (; !(m->flags & JS_PAREN) &&
	       (m->kind == JS_MEMBER || m->kind == JS_INDEX ||
		   m->kind == JS_CALL);
	     m = m->child)
		chains = chains || m->flags & JS_OPTIONAL;
	refuse_early(
	    e, n, chains, "a template cannot be tagged by an optional chain");
}

static void
check_meta(early *e, const js_node *n)
{
	refuse_early(e, n, n->op == T_NEW && plain_function_around(n) == NULL,
	    "new.target only allowed within functions");
}

static void
check_delete(early *e, const js_node *n)
{
	const js_node *m = js_unchained(n->child);

	if (n->op != T_DELETE)
		return;
	refuse_early(e, n, m->kind == JS_NAME && function_is_strict(n),
	    "cannot delete a direct reference in strict mode");
	refuse_early(e, n,
	    m->kind == JS_MEMBER && m->child->next->kind == JS_PRIVATE,
	    "cannot delete a private class field");
}

/* ----------------------------------------------------------------- classes */

static bool
is_keyed(const early *e, const js_node *m, const char *name)
{
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);
	bool is;

	if (m->flags & JS_COMPUTED ||
	    (m->child->kind != JS_KEY && m->child->kind != JS_STRING))
		return false;
	js_string(e->tree, m->child, &b);
	is = text_eq(buf_view(&b), text_of(name));
	buf_fini(&b);
	return is;
}

static void
check_key(early *e, const js_node *m)
{
	bool is_static = m->flags & JS_STATIC;

	refuse_early(e, m, is_static && is_keyed(e, m, "prototype"),
	    "a static member cannot be called prototype");
	refuse_early(e, m,
	    m->child->kind == JS_PRIVATE &&
		is_named(m->child, TEXT("constructor")),
	    "a private member cannot be called #constructor");
	if (!is_keyed(e, m, "constructor"))
		return;
	refuse_early(
	    e, m, m->kind == JS_FIELD, "a field cannot be called constructor");
	refuse_early(e, m,
	    m->kind == JS_METHOD && !is_static && m->start != m->child->start,
	    "a constructor is a plain method");
}

static bool
is_accessor(const js_node *m)
{
	return m->kind == JS_METHOD && (m->op == T_GET || m->op == T_SET_WORD);
}

/* A private name twice, but for a getter and its setter. */
static void
check_private_twice(early *e, const js_node *m)
{
	const js_node *p = m->parent->child;

	if (m->child->kind != JS_PRIVATE)
		return;
	for (; p != m; p = p->next)
		refuse_early(e, m,
		    (p->kind == JS_METHOD || p->kind == JS_FIELD) &&
			p->child->kind == JS_PRIVATE &&
			p->child->name == m->child->name &&
			(!is_accessor(p) || !is_accessor(m) || p->op == m->op ||
			    ((p->flags ^ m->flags) & JS_STATIC) != 0),
		    "private class field is already defined");
}

static void
check_class(early *e, const js_node *n)
{
	bool constructed = false;
	const js_node *m = n->child->next ? n->child->next->next : NULL;

	for (; m != NULL; m = m->next) {
		if (m->kind != JS_METHOD && m->kind != JS_FIELD)
			continue;
		check_key(e, m);
		check_private_twice(e, m);
		if (m->kind != JS_METHOD || m->op != T_CONSTRUCTOR)
			continue;
		refuse_early(e, m, constructed,
		    "property constructor appears more than once");
		constructed = true;
	}
}

/* -------------------------------------------------------------- statements */

static bool
is_each_head(const js_node *var)
{
	const js_node *up = var->parent;

	return (up->kind == JS_FOR_IN || up->kind == JS_FOR_OF) &&
	       up->child == var;
}

static void
check_var(early *e, const js_node *n)
{
	bool head = is_each_head(n);

	for (const js_node *d = n->child; d != NULL; d = d->next) {
		bool pattern = d->child->kind != JS_BIND;
		bool init = d->child->next != NULL;

		refuse_early(e, d, !head && !init && pattern,
		    "missing initializer for a pattern");
		refuse_early(e, d,
		    !head && !init && n->op != T_VAR && n->op != T_LET,
		    "missing initializer for const variable");
		refuse_early(e, d,
		    head && init &&
			(n->parent->kind == JS_FOR_OF || pattern ||
			    n->op != T_VAR || function_is_strict(n)),
		    "a declaration in the head of for-in or for-of has no "
		    "initializer");
		refuse_early(e, d, head && d->next != NULL,
		    "for-in and for-of declare one name");
		refuse_early(e, d,
		    declares_using(n) && (n->parent->kind == JS_FOR_IN ||
					     n->parent->kind == JS_CASE),
		    "using cannot stand here: put it in a block");
		refuse_early(e, d, pattern && declares_using(n),
		    "using declares names, no patterns");
	}
}

static void
check_label(early *e, const js_node *n)
{
	for (const js_node *up = n->parent;
	     up != NULL && !js_opens_function(up); up = up->parent)
		refuse_early(e, n,
		    up->kind == JS_LABEL && up->child->name == n->child->name,
		    "duplicate label name");
	check_name(e, n->child);
}

static void
check_return(early *e, const js_node *n)
{
	const js_node *f = function_around(n);

	refuse_early(e, n, f != NULL && f->kind == JS_STATIC_BLOCK,
	    "return is not allowed in a static block");
}

static void
check_node(early *e, const js_node *n)
{
	switch (n->kind) {
	case JS_NAME:
		check_name(e, n);
		break;
	case JS_BIND:
		check_bind(e, n);
		break;
	case JS_NUMBER:
		check_octal(e, n);
		break;
	case JS_STRING:
		check_octal_escape(e, n);
		break;
	case JS_OBJECT:
		check_object(e, n);
		break;
	case JS_FUNCTION:
	case JS_FUNCTION_DECL:
	case JS_ARROW:
		check_parameters(e, n);
		break;
	case JS_AWAIT:
	case JS_YIELD:
		check_pause(e, n);
		break;
	case JS_SUPER:
		check_super(e, n);
		break;
	case JS_META:
		check_meta(e, n);
		break;
	case JS_TAGGED:
		check_tagged(e, n);
		break;
	case JS_UNARY:
		check_delete(e, n);
		break;
	case JS_CLASS:
	case JS_CLASS_DECL:
		check_class(e, n);
		break;
	case JS_VAR:
		check_var(e, n);
		break;
	case JS_LABEL:
		check_label(e, n);
		break;
	case JS_RETURN:
		check_return(e, n);
		break;
	default:
		break;
	}
}

void
check_early(compiler *c)
{
	early e = {c, c->tree};
	const js_node *root = c->tree->root;

	for (const js_node *n = root; n != NULL && c->fault->why == NULL;
	     n = js_next(n, root))
		check_node(&e, n);
}
