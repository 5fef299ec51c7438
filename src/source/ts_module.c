/* SPDX-License-Identifier: MIT */
/*
 * ts_module.c -- import and export of types, and the forms that would need
 * code.
 */
#include "ts.h"

/* a, { b as c }, * as d, in any order: up to from or the end. */
static void
skip_clause(parser *p)
{
	while (!at(p, T_STRING) && !at(p, T_SEMICOLON) && !at(p, T_EOF) &&
	       !(at(p, T_FROM) && lex_peek(&p->l).kind == T_STRING)) {
		if (at(p, T_RBRACE)) {
			next(p);
			if (line_before(p))
				return;
			continue;
		}
		next(p);
	}
}

static void
skip_from(parser *p)
{
	if (eat(p, T_FROM) || at(p, T_STRING))
		js_string_leaf(p);
	if (at(p, T_WITH)) {
		next(p);
		js_object(p);
	}
	js_semicolon(p);
}

/* At "type" behind import: is it the modifier, not the name? */
static bool
at_type_import(parser *p)
{
	mark m = js_mark(p);
	bool yes;

	if (!at(p, T_TYPE))
		return false;
	next(p);
	yes = at(p, T_LBRACE) || at(p, T_MUL) || is_name(p->l.tok.kind);
	if (at(p, T_FROM)) {
		next(p);
		yes = at(p, T_FROM) || at(p, T_SET);
	}
	js_rewind(p, &m);
	return yes;
}

/* = require("x"), = a.b.c */
static void
skip_equals(parser *p)
{
	next(p);
	js_left_hand_side(p);
	js_semicolon(p);
}

bool
ts_import(parser *p, uint32_t start)
{
	bool open = p->open;
	js_token name = p->l.tok;

	if (is_name(name.kind) && lex_peek(&p->l).kind == T_SET) {
		lex_fault(&p->l, JS_E_TS_IMPORT_EQUALS, start, name.end,
		    p->l.base + name.start, name.end - name.start);
		return true;
	}
	if (!at_type_import(p))
		return false;
	next(p);
	if (is_name(p->l.tok.kind) && lex_peek(&p->l).kind == T_SET) {
		next(p);
		skip_equals(p);
	} else {
		skip_clause(p);
		skip_from(p);
	}
	ts_erase(p, start, open);
	return true;
}

/* export type { A } from "x", export type * from "x" */
static bool
type_list(parser *p)
{
	unsigned after;

	if (!at(p, T_TYPE))
		return false;
	after = lex_peek(&p->l).kind;
	if (after != T_LBRACE && after != T_MUL)
		return false;
	next(p);
	skip_clause(p);
	skip_from(p);
	return true;
}

static bool
as_namespace(parser *p)
{
	if (!at(p, T_AS) || lex_peek(&p->l).kind != T_NAMESPACE)
		return false;
	next(p);
	next(p);
	next(p);
	js_semicolon(p);
	return true;
}

bool
ts_export(parser *p, uint32_t start)
{
	bool open = p->open;

	if (at(p, T_SET))
		js_fault(p, JS_E_TS_EXPORT_EQUALS, start, p->l.tok.end);
	if (at(p, T_IMPORT)) {
		next(p);
		lex_fault(&p->l, JS_E_TS_IMPORT_EQUALS, start, p->l.tok.end,
		    p->l.base + here(p), p->l.tok.end - here(p));
	}
	if (!type_list(p) && !as_namespace(p) && !ts_statement(p))
		return false;
	if (!p->l.dead)
		ts_erase(p, start, open);
	return true;
}

bool
ts_export_default(parser *p, uint32_t start)
{
	bool open = p->open;

	if (at(p, T_INTERFACE) && is_name(lex_peek(&p->l).kind)) {
		ts_statement(p);
		ts_erase(p, start, open);
		return true;
	}
	if (at(p, T_ABSTRACT) && lex_peek(&p->l).kind == T_CLASS)
		ts_mark(p, T_ABSTRACT);
	return false;
}

bool
ts_type_specifier(parser *p)
{
	uint32_t start = here(p);
	unsigned after;

	if (!at(p, T_TYPE))
		return false;
	after = lex_peek(&p->l).kind;
	if (after != T_STRING && (!is_word(after) || after == T_AS))
		return false;
	next(p);
	next(p);
	if (eat(p, T_AS))
		next(p);
	if (!at(p, T_RBRACE))
		js_need(p, T_COMMA);
	ts_blank(p, start, p->l.prev_end);
	return true;
}
