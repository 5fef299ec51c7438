/* SPDX-License-Identifier: MIT */
/*
 * import_export.c -- import and export. A script has neither, but models
 * write them: with js_options.modules they become nodes, so that the script can
 * be put right; without it they are errors.
 */
#include "parse.h"
#include "ts.h"

static void
check_allowed(parser *p, uint32_t start, js_code code)
{
	if (p->ctx & (CTX_NAMESPACE | CTX_DECLARE))
		return;
	if (!p->options->modules || !(p->ctx & CTX_TOP))
		js_fault(p, code, start, start + 6);
}

/* A name in { }: any word, or a string. */
static js_node *
module_name(parser *p)
{
	if (at(p, T_STRING))
		return js_leaf(p, JS_STRING);
	if (!is_word(p->l.tok.kind))
		js_unexpected(p);
	return js_leaf(p, JS_KEY);
}

static js_node *
as_bind(parser *p, js_node *key)
{
	js_node *n = js_new(p, JS_BIND, key->start);

	if (key->kind != JS_KEY || (key->name && !is_name(key->name->word)))
		js_unexpected(p);
	n->end = key->end;
	n->name = key->name;
	return n;
}

static js_node *
import_name(parser *p)
{
	uint32_t start = here(p);
	js_node *key = module_name(p);
	js_node *local = eat(p, T_AS) ? js_binding_name(p) : as_bind(p, key);

	return js_node2(p, JS_IMPORT_NAME, start, key, local);
}

static js_node *
export_name(parser *p)
{
	uint32_t start = here(p);
	js_node *local = module_name(p);

	if (eat(p, T_AS))
		return js_node2(
		    p, JS_EXPORT_NAME, start, local, module_name(p));
	return js_node1(p, JS_EXPORT_NAME, start, local);
}

/* { a, b as c } of an import or an export. */
static void
module_names(parser *p, kids *k, bool import)
{
	js_need(p, T_LBRACE);
	while (!at(p, T_RBRACE) && !at(p, T_EOF)) {
		if (p->ts && ts_type_specifier(p))
			continue;
		add(k, import ? import_name(p) : export_name(p));
		if (!eat(p, T_COMMA))
			break;
	}
	js_need(p, T_RBRACE);
}

/* with { type: "json" } changes nothing here. */
static void
import_attributes(parser *p)
{
	if (!at(p, T_WITH))
		return;
	next(p);
	js_object(p);
}

static js_node *
from_clause(parser *p)
{
	js_node *n;

	js_need(p, T_FROM);
	n = js_string_leaf(p);
	import_attributes(p);
	return n;
}

/* default and * have no name of their own: NONE with the word's text. */
static js_node *
import_whole(parser *p, bool star)
{
	uint32_t start = here(p);
	js_node *none = js_none(p);

	if (star) {
		next(p);
		js_need(p, T_AS);
		none->op = T_MUL;
	}
	return js_node2(p, JS_IMPORT_NAME, start, none, js_binding_name(p));
}

static void
import_clause(parser *p, kids *k)
{
	if (is_name(p->l.tok.kind)) {
		add(k, import_whole(p, false));
		if (!eat(p, T_COMMA))
			return;
	}
	if (at(p, T_MUL))
		add(k, import_whole(p, true));
	else
		module_names(p, k, true);
}

js_node *
js_import(parser *p)
{
	uint32_t start = here(p);
	js_node *n = js_new(p, JS_IMPORT, start), *source, *list;
	kids k;

	next(p);
	if (p->ts && ts_import(p, start))
		return NULL;
	check_allowed(p, start, JS_E_MODULE_IMPORT);
	list = js_new(p, JS_IMPORT, start);
	k = kids_of(list);
	if (at(p, T_STRING)) {
		source = js_string_leaf(p);
		import_attributes(p);
	} else {
		import_clause(p, &k);
		source = from_clause(p);
	}
	js_semicolon(p);
	if (p->l.dead)
		return n;
	n->child = source;
	source->parent = n;
	source->next = list->child;
	for (js_node *c = list->child; c; c = c->next)
		c->parent = n;
	return done(p, n);
}

/* -------------------------------------------------------------- export */

static js_node *
export_default(parser *p, js_node *n)
{
	kids k = kids_of(n);
	bool open = p->open;
	uint32_t start;
	js_token after;
	js_node *what;

	n->kind = JS_EXPORT_DEFAULT;
	next(p);
	if (p->ts && ts_export_default(p, n->start))
		return NULL;
	start = here(p);
	after = lex_peek(&p->l);
	if (at(p, T_FUNCTION)) {
		what = js_function_declaration(p, start, 0);
	} else if (at(p, T_CLASS)) {
		what = js_class(p, JS_CLASS_DECL, start);
	} else if (at(p, T_ASYNC) && after.kind == T_FUNCTION &&
		   !(after.flags & TOK_LINE)) {
		next(p);
		what = js_function_declaration(p, start, JS_ASYNC);
	} else {
		what = js_assign_in(p);
		js_semicolon(p);
	}
	if (!what) {
		ts_erase(p, n->start, open);
		return NULL;
	}
	add(&k, what);
	return done(p, n);
}

static js_node *
export_all(parser *p, js_node *n)
{
	kids k = kids_of(n);
	js_node *exported = NULL;

	n->kind = JS_EXPORT_ALL;
	next(p);
	if (eat(p, T_AS))
		exported = module_name(p);
	add(&k, from_clause(p));
	if (exported)
		add(&k, exported);
	js_semicolon(p);
	return done(p, n);
}

static js_node *
export_names(parser *p, js_node *n)
{
	js_node *source;
	kids k;

	n->kind = JS_EXPORT_NAMES;
	k = kids_of(n);
	module_names(p, &k, false);
	source = at(p, T_FROM) ? from_clause(p) : js_none(p);
	source->parent = n;
	source->next = n->child;
	n->child = source;
	js_semicolon(p);
	return done(p, n);
}

js_node *
js_export(parser *p)
{
	uint32_t start = here(p);
	js_node *n = js_new(p, JS_EXPORT, start), *what;
	kids k = kids_of(n);
	bool open = p->open;

	next(p);
	if (p->ts && ts_export(p, start))
		return NULL;
	check_allowed(p, start, JS_E_MODULE_EXPORT);
	if (at(p, T_DEFAULT))
		return export_default(p, n);
	if (at(p, T_MUL))
		return export_all(p, n);
	if (at(p, T_LBRACE))
		return export_names(p, n);
	if (!at(p, T_FUNCTION) && !at(p, T_CLASS) && !at(p, T_ASYNC) &&
	    js_at_var(p) == T_EOF)
		js_unexpected(p);
	what = js_statement_or_declaration(p);
	if (!what) {
		ts_erase(p, start, open);
		return NULL;
	}
	add(&k, what);
	return done(p, n);
}
