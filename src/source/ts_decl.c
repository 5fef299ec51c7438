/* SPDX-License-Identifier: MIT */
/*
 * ts_decl.c -- statements that are types only, and those that would need code:
 * for them there is an error that says what to write instead.
 */
#include "ts.h"

/* At a name: an error that has it, e.g. "write const Color = ...". */
static void
needs_code(parser *p, js_code code, uint32_t start)
{
	const js_token *tok = &p->l.tok;

	lex_fault(&p->l, code, start, tok->end, p->l.base + tok->start,
	    tok->end - tok->start);
}

/* The token after this one stands on the same line and is a name. */
static bool
name_follows(parser *p)
{
	js_token after = lex_peek(&p->l);

	return is_name(after.kind) && !(after.flags & TOK_LINE);
}

/* ------------------------------------------------- interface and type */

static void
heritage_types(parser *p)
{
	do
		ts_type(p);
	while (eat(p, T_COMMA));
}

static void
interface_statement(parser *p)
{
	next(p);
	next(p);
	if (at(p, T_LT))
		ts_parameters(p);
	if (eat(p, T_EXTENDS))
		heritage_types(p);
	ts_object(p);
}

static void
type_alias(parser *p)
{
	next(p);
	next(p);
	if (at(p, T_LT))
		ts_parameters(p);
	js_need(p, T_SET);
	ts_type(p);
	js_semicolon(p);
}

/* ------------------------------------------------------------------ enum */

static void
skip_enum(parser *p)
{
	unsigned flags;

	eat(p, T_CONST);
	js_need(p, T_ENUM);
	next(p);
	js_need(p, T_LBRACE);
	while (!at(p, T_RBRACE) && !at(p, T_EOF)) {
		js_key(p, &flags);
		if (eat(p, T_SET))
			js_assign_in(p);
		if (!eat(p, T_COMMA))
			break;
	}
	js_need(p, T_RBRACE);
}

static void
enum_statement(parser *p)
{
	uint32_t start = here(p);

	if (p->ctx & CTX_DECLARE) {
		skip_enum(p);
		return;
	}
	eat(p, T_CONST);
	next(p);
	needs_code(p, JS_E_TS_ENUM, start);
}

/* ------------------------------------------------------------ namespace */

/* a.b.c or "module" */
static void
space_name(parser *p)
{
	if (at(p, T_STRING)) {
		next(p);
		return;
	}
	do {
		if (!is_word(p->l.tok.kind))
			js_unexpected(p);
		next(p);
	} while (eat(p, T_DOT));
}

static bool
is_empty_block(const js_node *block)
{
	const js_node *n = block->child;

	while (n && n->kind == JS_EMPTY)
		n = n->next;
	return !n;
}

static void
namespace_statement(parser *p)
{
	uint32_t start = here(p);
	unsigned ctx = p->ctx;
	js_token name;
	js_node *body;

	next(p);
	name = p->l.tok;
	space_name(p);
	if ((ctx & CTX_DECLARE) && !at(p, T_LBRACE)) {
		js_semicolon(p); /* declare module "x"; */
		return;
	}
	p->ctx |= CTX_NAMESPACE;
	body = js_block(p);
	p->ctx = ctx;
	if (!(ctx & CTX_DECLARE) && !p->l.dead && !is_empty_block(body))
		lex_fault(&p->l, JS_E_TS_NAMESPACE, start, name.end,
		    p->l.base + name.start, name.end - name.start);
}

static bool
at_namespace(parser *p)
{
	js_token after;

	if (!at(p, T_NAMESPACE) && !at(p, T_MODULE))
		return false;
	after = lex_peek(&p->l);
	return !(after.flags & TOK_LINE) &&
	       (is_name(after.kind) ||
		   (after.kind == T_STRING && at(p, T_MODULE)));
}

/* --------------------------------------------------------------- declare */

static bool
at_declare(parser *p)
{
	js_token after;

	if (!at(p, T_DECLARE))
		return false;
	after = lex_peek(&p->l);
	if (after.flags & TOK_LINE)
		return false;
	switch (after.kind) {
	case T_FUNCTION:
	case T_CLASS:
	case T_VAR:
	case T_LET:
	case T_CONST:
	case T_ENUM:
	case T_ABSTRACT:
	case T_INTERFACE:
	case T_TYPE:
	case T_NAMESPACE:
	case T_MODULE:
	case T_GLOBAL:
	case T_ASYNC:
	case T_USING:
		return true;
	default:
		return false;
	}
}

static void
declare_statement(parser *p)
{
	unsigned ctx = p->ctx;

	next(p);
	p->ctx |= CTX_DECLARE;
	if (eat(p, T_GLOBAL))
		js_block(p);
	else
		js_statement_or_declaration(p);
	p->ctx = ctx;
}

/* -------------------------------------------------------------- dispatch */

static bool
at_enum(parser *p)
{
	return at(p, T_ENUM) ||
	       (at(p, T_CONST) && lex_peek(&p->l).kind == T_ENUM);
}

/* The whole statement, when it is one of types; false: it is none. */
static bool
type_statement(parser *p)
{
	switch (p->l.tok.kind) {
	case T_INTERFACE:
		if (!name_follows(p))
			return false;
		interface_statement(p);
		return true;
	case T_TYPE:
		if (!name_follows(p))
			return false;
		type_alias(p);
		return true;
	case T_DECLARE:
		if (!at_declare(p))
			return false;
		declare_statement(p);
		return true;
	case T_NAMESPACE:
	case T_MODULE:
		if (!at_namespace(p))
			return false;
		namespace_statement(p);
		return true;
	case T_ENUM:
	case T_CONST:
		if (!at_enum(p))
			return false;
		enum_statement(p);
		return true;
	default:
		return false;
	}
}

bool
ts_statement(parser *p)
{
	uint32_t start = here(p);
	bool open = ts_open(p);

	p->open = open;
	if (type_statement(p)) {
		if (!p->l.dead)
			ts_erase(p, start, open);
		return true;
	}
	if (at(p, T_AT))
		js_fault(p, JS_E_TS_DECORATOR, start, p->l.tok.end);
	if (at(p, T_ABSTRACT)) {
		js_token after = lex_peek(&p->l);

		if (after.kind == T_CLASS && !(after.flags & TOK_LINE))
			ts_mark(p, T_ABSTRACT);
	}
	return false;
}

bool
ts_overload(parser *p, uint32_t start)
{
	if (!at(p, T_SEMICOLON) && !at(p, T_RBRACE) && !at(p, T_EOF) &&
	    (!line_before(p) || at(p, T_LBRACE)))
		return false;
	js_semicolon(p);
	ts_erase(p, start, p->open);
	return true;
}

void
ts_implements(parser *p)
{
	uint32_t start = here(p);

	if (!eat(p, T_IMPLEMENTS))
		return;
	heritage_types(p);
	ts_blank(p, start, p->l.prev_end);
}
