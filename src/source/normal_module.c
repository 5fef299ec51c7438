/* SPDX-License-Identifier: MIT */
/*
 * normal_module.c -- a script written as a module.
 *
 * `export` in front of a declaration is blanked; what is exported as default,
 * or given to module.exports, is what the script is for. `import` of what a
 * script has anyway is blanked; any other import cannot be had here.
 */
#include "known.h"
#include "normal.h"

#include <stdio.h>

/* ----------------------------------------------------------------- import */

static void
refuse_statement(normal *n, const js_node *at, const char *format, text what)
{
	source_refusal *f = n->fault;

	f->code = "SyntaxError";
	snprintf(f->message, sizeof(f->message), format,
	    (int)(what.len < 80 ? what.len : 80), what.ptr);
	text_position(n->text, at->start, &f->line, &f->column);
}

/* import { tools, text } from "anywhere": there is such a thing. */
static bool
is_harmless(const js_node *import)
{
	const js_node *name = import->child->next;

	if (!name)
		return false;
	for (; name; name = name->next) {
		const js_node *imported = name->child, *local = imported->next;

		if (!known_ours(local->name->text) ||
		    (imported->kind == JS_KEY && imported->name != local->name))
			return false;
	}
	return true;
}

static bool
edit_import(normal *n, edits *e, const js_node *import)
{
	if (is_harmless(import)) {
		edits_add(e, import->start, import->end, TEXT(";"));
		return true;
	}
	refuse_statement(
	    n, import, NORMAL_NO_MODULE, js_text(&n->tree, import->child));
	return false;
}

/* ----------------------------------------------------------------- export */

/* The function that is declared under that name in the script itself. */
static const js_node *
function_named(const js_tree *t, const js_name *name)
{
	const js_node *s, *d;

	for (s = t->root->child; s; s = s->next) {
		d = s->kind == JS_EXPORT ? s->child : s;
		if (d->kind == JS_FUNCTION_DECL && d->child->name == name)
			return d;
		if (d->kind != JS_VAR)
			continue;
		for (d = d->child; d; d = d->next)
			if (d->child->kind == JS_BIND && d->child->name == name)
				return d->child->next;
	}
	return NULL;
}

static bool
edit_export(normal *n, edits *e, const js_node *s)
{
	if (s->child->kind == JS_EXPR) {
		refuse_statement(n, s,
		    "export needs a declaration behind it, not %.*s: give the "
		    "result with return",
		    js_text(&n->tree, s->child));
		return false;
	}
	edits_add(e, s->start, s->start + 6, TEXT_NONE);
	return true;
}

/* A script is there for one thing. */
static bool
is_second(normal *n, const js_node *s, const exported *x)
{
	if (x->name.len == 0)
		return false;
	refuse_statement(n, s,
	    "a second %.*s does not work: give one result with return",
	    TEXT("export default"));
	return true;
}

static bool
edit_names(normal *n, edits *e, const js_node *s, exported *x)
{
	if (s->child->kind == JS_STRING) {
		refuse_statement(n, s,
		    "export ... from %.*s does not work here: there are no "
		    "modules. Give the result with return",
		    js_text(&n->tree, s->child));
		return false;
	}
	for (const js_node *one = s->child->next; one; one = one->next) {
		const js_node *as = one->child->next;

		if (as && as->kind == JS_KEY &&
		    text_eq(as->name->text, TEXT("default")) &&
		    one->child->kind == JS_KEY) {
			if (is_second(n, s, x))
				return false;
			*x = (exported){
			    function_named(&n->tree, one->child->name),
			    one->child->name->text};
		}
	}
	edits_add(e, s->start, s->end, TEXT(";"));
	return true;
}

/* Where "export default" ends. */
static uint32_t
behind_default(const normal *n, const js_node *s)
{
	return (uint32_t)text_find(n->base, TEXT("default"), s->start) + 7;
}

/* The value gets a name, by which it is called or returned at the end. */
static bool
hold_value(normal *n, edits *e, const js_node *s, uint32_t to,
    const js_node *value, exported *x)
{
	static const text holder = TEXT_INIT("$default");
	uint32_t end = normal_end(n, s);

	if (text_find(n->base, holder, 0) != SIZE_MAX) {
		refuse_statement(n, s,
		    "%.*s does not work here: give the result with return",
		    TEXT("export default"));
		return false;
	}
	edits_add(e, s->start, to, TEXT("var $default=("));
	edits_add(e, end, end, TEXT(");"));
	*x = (exported){value, holder};
	return true;
}

static bool
edit_default(normal *n, edits *e, const js_node *s, exported *x)
{
	const js_node *v = s->child;
	uint32_t from = behind_default(n, s);

	if (is_second(n, s, x))
		return false;
	if ((v->kind == JS_FUNCTION_DECL || v->kind == JS_CLASS_DECL) &&
	    v->child->kind == JS_BIND) {
		edits_add(e, s->start, from, TEXT_NONE);
		if (v->kind == JS_FUNCTION_DECL)
			*x = (exported){v, v->child->name->text};
		return true;
	}
	if (v->kind != JS_NAME)
		return hold_value(n, e, s, from, v, x);
	*x = (exported){function_named(&n->tree, v->name), v->name->text};
	if (!x->value)
		x->value = v;
	edits_add(e, s->start, s->end, TEXT(";"));
	return true;
}

/* module.exports = x, exports.default = x as the last statement. */
static bool
edit_commonjs(normal *n, edits *e, const js_node *s, exported *x)
{
	const js_node *set = s->child, *target = set->child;
	text left;

	if (s->next || set->kind != JS_ASSIGN || set->op != T_SET ||
	    target->kind != JS_MEMBER || (set->flags & JS_PAREN))
		return true;
	left = js_text(&n->tree, target);
	if (!text_eq(left, TEXT("module.exports")) &&
	    !text_eq(left, TEXT("exports.default")))
		return true;
	return !is_second(n, s, x) &&
	       hold_value(n, e, s,
		   (uint32_t)text_find(n->base, TEXT("="), target->end) + 1,
		   target->next, x);
}

bool
module_edit(normal *n, edits *e, exported *out)
{
	*out = (exported){NULL, TEXT_NONE};
	for (const js_node *s = n->tree.root->child; s; s = s->next) {
		bool fine = true;

		if (s->kind == JS_IMPORT)
			fine = edit_import(n, e, s);
		else if (s->kind == JS_EXPORT)
			fine = edit_export(n, e, s);
		else if (s->kind == JS_EXPORT_NAMES)
			fine = edit_names(n, e, s, out);
		else if (s->kind == JS_EXPORT_DEFAULT)
			fine = edit_default(n, e, s, out);
		else if (s->kind == JS_EXPR)
			fine = edit_commonjs(n, e, s, out);
		else if (s->kind == JS_EXPORT_ALL) {
			refuse_statement(n, s,
			    "export ... from %.*s does not work here: there "
			    "are no modules. Give the result with return",
			    js_text(&n->tree, s->child));
			fine = false;
		}
		if (!fine)
			return false;
	}
	return true;
}
