/* SPDX-License-Identifier: MIT */
/*
 * normal_main.c -- what a script is there for: its value.
 *
 * A script gives its value with return. Where none stands in the script
 * itself, it is put there: what is exported as default is called or returned;
 * so is the last expression; and a script that only declares calls the one
 * function that nothing in it calls. What a function is called with is known
 * when it wants nothing, or things by the names they have here.
 */
#include "known.h"
#include "normal.h"

static bool
is_function_value(const js_node *n)
{
	return (n->kind == JS_ARROW || n->kind == JS_FUNCTION ||
		   n->kind == JS_FUNCTION_DECL) &&
	       !(n->flags & JS_GENERATOR);
}

/* What cannot have a return of the script itself inside. */
static bool
is_closed(const js_node *n)
{
	return js_is_function(n) || n->kind == JS_STATIC_BLOCK;
}

bool
main_returns(const js_node *root)
{
	const js_node *n = root;

	while (n) {
		if (n->kind == JS_RETURN)
			return true;
		n = is_closed(n) ? js_over(n, root) : js_next(n, root);
	}
	return false;
}

/* -------------------------------------------------------------- arguments */

/* { tools, text }: all of them, or none of them, are known here. */
static bool
known_pattern(const js_node *pattern, bool *all, bool *none)
{
	*all = *none = true;
	for (const js_node *p = pattern->child; p; p = p->next) {
		if (p->kind != JS_PROPERTY || p->child->kind != JS_KEY)
			return false;
		if (known_ours(p->child->name->text))
			*none = false;
		else
			*all = false;
	}
	return true;
}

/* The text of one argument; empty: it is not known. */
static text
argument_for(const js_node *param)
{
	bool all, none;

	if (param->kind == JS_DEFAULT) {
		param = param->child;
		if (param->kind != JS_OBJECT_PATTERN)
			return TEXT("undefined");
	}
	if (param->kind == JS_BIND)
		return known_ours(param->name->text) ? param->name->text
						     : TEXT_NONE;
	if (param->kind != JS_OBJECT_PATTERN ||
	    !known_pattern(param, &all, &none))
		return TEXT_NONE;
	if (all)
		return TEXT("{tools,text,image,audio,file,resource,console,"
			    "store,load,exit,codemode}");
	return none ? TEXT("tools") : TEXT_NONE;
}

bool
main_arguments(const js_tree *t, const js_node *function, text *out)
{
	const js_node *params = function->kind == JS_ARROW
				    ? function->child
				    : function->child->next;
	buf b = BUF_INIT(t->arena->alloc, 4096);
	char *kept;

	buf_byte(&b, '(');
	for (const js_node *p = params->child; p; p = p->next) {
		text one = argument_for(p);

		if (p->kind == JS_REST)
			break;
		if (one.len == 0)
			goto unknown;
		buf_str(&b, b.len > 1 ? "," : "");
		buf_text(&b, one);
	}
	buf_byte(&b, ')');
	if (b.bad == CM_OK && (kept = arena_take(t->arena, b.len)) != NULL) {
		memcpy(kept, b.ptr, b.len);
		*out = (text){kept, b.len};
		buf_fini(&b);
		return true;
	}
unknown:
	buf_fini(&b);
	return false;
}

/* ------------------------------------------------------------ at the end */

static const js_node *
last_statement(const js_node *root)
{
	const js_node *s, *last = NULL;

	for (s = root->child; s; s = s->next)
		if (s->kind != JS_EMPTY)
			last = s;
	return last;
}

static text
join_texts(arena *a, text x, text y, text z)
{
	char *p = arena_take(a, x.len + y.len + z.len + 1);

	if (!p)
		return TEXT_NONE;
	memcpy(p, x.ptr, x.len);
	if (y.len)
		memcpy(p + x.len, y.ptr, y.len);
	if (z.len)
		memcpy(p + x.len + y.len, z.ptr, z.len);
	return (text){p, x.len + y.len + z.len};
}

/* ;return name(arguments) behind everything; without arguments: the value. */
static void
return_name(normal *n, edits *e, text name, text arguments)
{
	const js_node *last = last_statement(n->tree.root);
	uint32_t at = last ? last->end : (uint32_t)n->base.len;

	edits_add(
	    e, at, at, join_texts(n->arena, TEXT(";return "), name, arguments));
}

static void
return_exported(normal *n, edits *e, const exported *x)
{
	const js_node *v = x->value;
	text arguments = TEXT_NONE;

	if (is_function_value(v) && !main_arguments(&n->tree, v, &arguments))
		return;
	return_name(n, e, x->name, arguments);
}

/* ------------------------------------------------------ the last expression */

/* A declaration without the export in front of it. */
static const js_node *
unexported(const js_node *s)
{
	return s->kind == JS_EXPORT ? s->child : s;
}

/* Done for what it does, not for its value. */
static bool
is_deed(const js_tree *t, const js_node *n)
{
	if (n->kind == JS_STRING)
		return text_eq(
		    text_sub(js_text(t, n), 1, 11), TEXT("use strict"));
	return n->kind == JS_ASSIGN || n->kind == JS_UPDATE ||
	       (n->kind == JS_UNARY && n->op == T_DELETE);
}

/* Does the statement declare an async function of this name? */
static bool
declares_async(const js_node *s, const js_name *name)
{
	const js_node *d = unexported(s), *f;

	if (d->kind == JS_FUNCTION_DECL)
		return d->child->name == name && (d->flags & JS_ASYNC);
	if (d->kind != JS_VAR)
		return false;
	for (d = d->child; d; d = d->next) {
		f = d->child->next;
		if (d->child->name == name && f && is_function_value(f) &&
		    (f->flags & JS_ASYNC))
			return true;
	}
	return false;
}

/* main(), run().then(...): a call of an async function that the script
 * declares, or what is chained to it. */
static bool
is_own_main(const js_node *root, const js_node *v)
{
	while (v->kind == JS_CALL && v->child->kind == JS_MEMBER)
		v = v->child->child;
	if (v->kind != JS_CALL || v->child->kind != JS_NAME)
		return false;
	for (const js_node *s = root->child; s; s = s->next)
		if (declares_async(s, v->child->name))
			return true;
	return false;
}

/* void (async () => {...})(), !function () {...}(), void main(). */
static bool
is_called_in_place(const js_node *root, const js_node *n)
{
	return n->kind == JS_UNARY && n->child->kind == JS_CALL &&
	       (is_function_value(n->child->child) ||
		   (n->op == T_VOID && is_own_main(root, n->child)));
}

/* Where "return (" goes: to the end of the line before, so that the line of
 * the expression stays; in front of it when they share a line. */
static uint32_t
return_place(const normal *n, const js_node *s)
{
	const js_node *before = NULL, *c;
	uint32_t from;

	for (c = n->tree.root->child; c != s; c = c->next)
		before = c;
	from = before ? before->end : 0;
	if (!before && text_starts(n->base, TEXT("\xef\xbb\xbf")))
		from = 3;
	/* Blanked types may end a statement that has no semicolon. */
	for (size_t i = 0; i < n->tree.span_count; i++)
		if (n->tree.spans[i].start >= from &&
		    n->tree.spans[i].end <= s->start)
			from = n->tree.spans[i].end;
	if (memchr(n->base.ptr + from, '\n', s->start - from))
		return from;
	return s->start;
}

static void
return_expression(normal *n, edits *e, const js_node *s)
{
	const js_node *v = s->child;
	uint32_t from = return_place(n, s), to = normal_end(n, s);
	text arguments = TEXT_NONE;

	if (is_deed(&n->tree, v))
		return;
	if (is_function_value(v) && !main_arguments(&n->tree, v, &arguments))
		return;
	edits_add(e, from, from,
	    from == s->start ? TEXT("return (") : TEXT(";return ("));
	if (is_called_in_place(n->tree.root, v)) {
		uint32_t op = v->op == T_VOID ? 4 : 1;

		edits_add(e, s->start, s->start + op, TEXT_NONE);
	}
	edits_add(
	    e, to, to, join_texts(n->arena, TEXT(")"), arguments, TEXT_NONE));
}

/* -------------------------------------------------- a script that only declares */

static bool
is_inert(const js_node *n)
{
	return is_function_value(n) || n->kind == JS_CLASS ||
	       n->kind == JS_STRING || n->kind == JS_NUMBER ||
	       n->kind == JS_TRUE || n->kind == JS_FALSE ||
	       n->kind == JS_NULL || n->kind == JS_REGEX;
}

/* { }, [ ] and what they hold, as deep as a walk goes. */
static bool
is_inert_value(const js_node *v)
{
	const js_node *n = v;

	while (n) {
		bool whole = is_inert(n);

		if (!whole && n->kind != JS_ARRAY && n->kind != JS_OBJECT &&
		    n->kind != JS_PROPERTY && n->kind != JS_KEY)
			return false;
		n = whole ? js_over(n, v) : js_next(n, v);
	}
	return true;
}

static bool
is_declaration(const js_node *s)
{
	switch (s->kind) {
	case JS_VAR:
		for (const js_node *d = s->child; d; d = d->next)
			if (d->child->next && !is_inert_value(d->child->next))
				return false;
		return true;
	case JS_FUNCTION_DECL:
	case JS_CLASS_DECL:
	case JS_EMPTY:
	case JS_IMPORT:
	case JS_EXPORT_NAMES:
		return true;
	default:
		return s->flags & JS_DIRECTIVE;
	}
}

static bool
only_declares(const js_node *root)
{
	for (const js_node *s = root->child; s; s = s->next)
		if (!is_declaration(unexported(s)))
			return false;
	return true;
}

/* A function that a script declares at its top. */
typedef struct candidate {
	const js_node *function;
	js_name *name; /* its scratch[0] is the candidate */
	bool used;     /* outside of itself, or declared twice */
	struct candidate *next;
} candidate;

static void
add_candidate(
    normal *n, candidate **list, const js_node *bind, const js_node *function)
{
	candidate *c;

	if (bind->kind != JS_BIND || !function || !is_function_value(function))
		return;
	if ((c = bind->name->scratch[0]) != NULL) {
		c->used = true;
		return;
	}
	c = arena_take(n->arena, sizeof(*c));
	if (!c)
		return;
	*c = (candidate){function, bind->name, false, *list};
	bind->name->scratch[0] = c;
	*list = c;
}

/* Marks the candidates whose names stand below [top], which declares own. */
static void
mark_used(const js_node *top, const js_name *own)
{
	for (const js_node *n = top; n; n = js_next(n, top)) {
		candidate *c = n->kind == JS_NAME ? n->name->scratch[0] : NULL;

		if (c && n->name != own)
			c->used = true;
	}
}

/* The functions of a script that only declares; what is used is marked. */
static candidate *
list_candidates(normal *n)
{
	candidate *list = NULL;
	const js_node *s, *d;

	for (s = n->tree.root->child; s; s = s->next) {
		d = unexported(s);
		if (d->kind == JS_FUNCTION_DECL)
			add_candidate(n, &list, d->child, d);
		else if (d->kind == JS_VAR)
			for (d = d->child; d; d = d->next)
				add_candidate(
				    n, &list, d->child, d->child->next);
	}
	for (s = n->tree.root->child; s; s = s->next) {
		d = unexported(s);
		if (d->kind != JS_VAR)
			mark_used(d, d->child ? d->child->name : NULL);
		else
			for (d = d->child; d; d = d->next)
				mark_used(d, d->child->name);
	}
	return list;
}

static bool
is_main_name(text name)
{
	static const char *const names[] = {
	    "main", "run", "script", "execute", "task", "handler", NULL};

	for (const char *const *w = names; *w; w++)
		if (text_eq(name, text_of(*w)))
			return true;
	return false;
}

/* Calls the one function that nothing calls, or the one of these that is
 * called main, run or the like. */
static void
call_lone_function(normal *n, edits *e)
{
	const candidate *lone = NULL, *main = NULL;
	size_t count = 0, mains = 0;
	text arguments;

	for (candidate *c = list_candidates(n); c; c = c->next) {
		c->name->scratch[0] = NULL;
		if (c->used)
			continue;
		lone = c;
		count++;
		if (is_main_name(c->name->text)) {
			main = c;
			mains++;
		}
	}
	if (mains == 1)
		lone = main;
	else if (count != 1)
		return;
	if (main_arguments(&n->tree, lone->function, &arguments))
		return_name(n, e, lone->name->text, arguments);
}

void
main_edit(normal *n, edits *e, const exported *x)
{
	const js_node *root = n->tree.root, *last = last_statement(root);

	if (!last)
		return;
	/* main() is awaited also where a return stands further up. */
	if (main_returns(root)) {
		if (last->kind == JS_EXPR &&
		    (is_own_main(root, last->child) ||
			is_called_in_place(root, last->child)))
			return_expression(n, e, last);
		return;
	}
	if (x->value)
		return_exported(n, e, x);
	else if (last->kind == JS_EXPR)
		return_expression(n, e, last);
	else if (only_declares(root))
		call_lone_function(n, e);
}

/* ---------------------------------------------------- a function without name */

/* Where a function without a name begins, when the text begins with one. */
static size_t
unnamed_start(text t)
{
	text rest = text_trim(t);
	size_t at = (size_t)(rest.ptr - t.ptr);

	if (text_starts(rest, TEXT("async ")))
		rest = text_trim(text_sub(rest, 6, rest.len));
	if (!text_starts(rest, TEXT("function")))
		return SIZE_MAX;
	rest = text_trim(text_sub(rest, 8, rest.len));
	return text_starts(rest, TEXT("(")) ? at : SIZE_MAX;
}

/* Reads the text as `return (` text `)`; the tree is of that. */
static const js_node *
read_unnamed(normal *n, size_t at, js_tree *t)
{
	const js_options o = {
	    .goal = JS_ASYNC_BODY, .typescript = true, .steps = n->steps};
	buf b = BUF_INIT(n->arena->alloc, n->base.len + 32);
	const js_node *s = NULL;

	buf_text(&b, text_sub(n->base, 0, at));
	buf_str(&b, "return (");
	buf_text(&b, text_sub(n->base, at, n->base.len));
	buf_str(&b, "\n)");
	if (b.bad == CM_OK &&
	    js_parse(buf_view(&b), &o, n->arena, t) == CM_OK &&
	    t->error_count == 0)
		s = t->root->child;
	buf_fini(&b);
	return s && !s->next && s->child->kind == JS_FUNCTION ? s->child : NULL;
}

bool
main_unnamed(normal *n, edits *e)
{
	static const text opened = TEXT_INIT("return (");
	size_t at = unnamed_start(n->base);
	const js_node *f;
	text arguments;
	js_tree t;
	uint32_t end;

	if (at == SIZE_MAX || !(f = read_unnamed(n, at, &t)) ||
	    !main_arguments(&t, f, &arguments))
		return false;
	/* The same tree, without what was put in front of it. */
	end = f->end - (uint32_t)opened.len;
	for (size_t i = 0; i < t.span_count; i++) {
		t.spans[i].start -= (uint32_t)opened.len;
		t.spans[i].end -= (uint32_t)opened.len;
	}
	t.text = text_sub(n->base, 0, n->base.len);
	n->tree = t;
	edits_add(e, (uint32_t)at, (uint32_t)at, opened);
	edits_add(
	    e, end, end, join_texts(n->arena, TEXT(")"), arguments, TEXT_NONE));
	return true;
}
