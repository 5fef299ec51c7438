/* SPDX-License-Identifier: MIT */
/*
 * stmt.c -- statements and declarations, but for loops (loop.c).
 */
#include "parse.h"
#include "ts.h"

/* --------------------------------------------------------------- var */

/* Behind "using" on the same line: a name that it declares? */
static bool
names_follow(parser *p)
{
	js_token after = lex_peek(&p->l);

	return is_name(after.kind) && !(after.flags & TOK_LINE);
}

static bool
at_await_using(parser *p)
{
	mark m = js_mark(p);
	bool yes;

	next(p);
	yes = at(p, T_USING) && !line_before(p) && names_follow(p);
	js_rewind(p, &m);
	return yes;
}

unsigned
js_at_var(parser *p)
{
	unsigned kind = p->l.tok.kind, after;

	switch (kind) {
	case T_VAR:
	case T_CONST:
		return kind;
	case T_LET:
		after = lex_peek(&p->l).kind;
		return is_name(after) || after == T_LBRACKET ||
			       after == T_LBRACE || after == T_ESCAPED
			   ? T_LET
			   : T_EOF;
	case T_USING:
		return names_follow(p) ? T_USING : T_EOF;
	case T_AWAIT:
		return (p->ctx & CTX_ASYNC) && at_await_using(p) ? T_AWAIT
								 : T_EOF;
	default:
		return T_EOF;
	}
}

static js_node *
read_declarator(parser *p)
{
	uint32_t start = here(p);
	js_node *n = js_new(p, JS_DECLARATOR, start);
	kids k = kids_of(n);

	add(&k, js_binding(p));
	if (p->ts) {
		if (!line_before(p))
			ts_mark(p, T_NOT);
		ts_annotation(p);
	}
	if (eat(p, T_SET))
		add(&k, js_assign(p));
	return done(p, n);
}

js_node *
js_var(parser *p, unsigned op)
{
	js_node *n = js_new(p, JS_VAR, here(p));
	kids k = kids_of(n);

	n->op = (uint8_t)op;
	next(p);
	if (op == T_AWAIT)
		next(p);
	do
		add(&k, read_declarator(p));
	while (eat(p, T_COMMA));
	return done(p, n);
}

static js_node *
var_statement(parser *p, unsigned op)
{
	js_node *n = js_var(p, op);

	js_semicolon(p);
	return done(p, n);
}

/* A declaration must have a name. export default, where it may be missing,
 * calls js_function and js_class itself. */
static void
need_name(parser *p, const js_node *n)
{
	if (n->child && n->child->kind == JS_NONE && !p->l.dead &&
	    (n->kind == JS_FUNCTION_DECL || n->kind == JS_CLASS_DECL))
		js_fault(p, JS_E_NAME_MISSING, n->start, n->start + 5);
}

/* ------------------------------------------------------------- simple */

js_node *
js_block(parser *p)
{
	unsigned ctx = p->ctx;
	js_node *n = js_new(p, JS_BLOCK, here(p));
	kids k = kids_of(n);

	js_need(p, T_LBRACE);
	p->ctx &= ~(unsigned)CTX_TOP;
	js_statements(p, &k, T_RBRACE);
	p->ctx = ctx;
	js_need(p, T_RBRACE);
	return done(p, n);
}

/* Behind a label, and in the branches of an if, old code may have a function
 * where only a statement can stand. */
static js_node *
statement_or_function(parser *p)
{
	js_node *n;

	if (!at(p, T_FUNCTION))
		return js_statement(p);
	n = js_function(p, JS_FUNCTION_DECL, here(p), 0);
	need_name(p, n);
	return n;
}

static js_node *
if_statement(parser *p)
{
	js_node *n = js_new(p, JS_IF, here(p));
	kids k = kids_of(n);

	next(p);
	js_need(p, T_LPAREN);
	add(&k, js_expression_in(p));
	js_need(p, T_RPAREN);
	add(&k, statement_or_function(p));
	if (eat(p, T_ELSE))
		add(&k, statement_or_function(p));
	return done(p, n);
}

static js_node *
return_statement(parser *p)
{
	js_node *n = js_new(p, JS_RETURN, here(p));
	kids k = kids_of(n);

	next(p);
	if (!at(p, T_SEMICOLON) && !at(p, T_RBRACE) && !at(p, T_EOF) &&
	    !line_before(p))
		add(&k, js_expression_in(p));
	js_semicolon(p);
	return done(p, n);
}

static js_node *
throw_statement(parser *p)
{
	js_node *n = js_new(p, JS_THROW, here(p));
	kids k = kids_of(n);

	next(p);
	if (line_before(p))
		js_fault(p, JS_E_THROW_LINE, n->start, n->start + 5);
	add(&k, js_expression_in(p));
	js_semicolon(p);
	return done(p, n);
}

static js_node *
catch_clause(parser *p)
{
	js_node *n = js_new(p, JS_CATCH, here(p));
	kids k = kids_of(n);

	next(p);
	if (eat(p, T_LPAREN)) {
		add(&k, js_binding(p));
		if (p->ts)
			ts_annotation(p);
		js_need(p, T_RPAREN);
	} else {
		add(&k, js_none(p));
	}
	add(&k, js_block(p));
	return done(p, n);
}

static js_node *
try_statement(parser *p)
{
	js_node *n = js_new(p, JS_TRY, here(p));
	kids k = kids_of(n);

	next(p);
	add(&k, js_block(p));
	if (!at(p, T_CATCH) && !at(p, T_FINALLY))
		js_fault(p, JS_E_CATCH_MISSING, here(p), p->l.tok.end);
	add(&k, at(p, T_CATCH) ? catch_clause(p) : js_none(p));
	if (eat(p, T_FINALLY))
		add(&k, js_block(p));
	return done(p, n);
}

static js_node *
with_statement(parser *p)
{
	js_node *n = js_new(p, JS_WITH, here(p));
	kids k = kids_of(n);

	next(p);
	js_need(p, T_LPAREN);
	add(&k, js_expression_in(p));
	js_need(p, T_RPAREN);
	add(&k, js_statement(p));
	return done(p, n);
}

/* -------------------------------------------------------------- switch */

static void
case_statements(parser *p, kids *k)
{
	while (!at(p, T_CASE) && !at(p, T_DEFAULT) && !at(p, T_RBRACE) &&
	       !at(p, T_EOF)) {
		js_node *n = js_statement_or_declaration(p);

		if (n)
			add(k, n);
	}
}

static js_node *
case_clause(parser *p)
{
	js_node *n = js_new(p, JS_CASE, here(p));
	kids k = kids_of(n);

	if (eat(p, T_CASE)) {
		add(&k, js_expression_in(p));
	} else {
		js_need(p, T_DEFAULT);
		add(&k, js_none(p));
	}
	js_need(p, T_COLON);
	case_statements(p, &k);
	return done(p, n);
}

static js_node *
switch_statement(parser *p)
{
	unsigned ctx = p->ctx;
	js_node *n = js_new(p, JS_SWITCH, here(p));
	kids k = kids_of(n);

	next(p);
	js_need(p, T_LPAREN);
	add(&k, js_expression_in(p));
	js_need(p, T_RPAREN);
	js_need(p, T_LBRACE);
	p->ctx &= ~(unsigned)CTX_TOP;
	while (!at(p, T_RBRACE) && !at(p, T_EOF))
		add(&k, case_clause(p));
	p->ctx = ctx;
	js_need(p, T_RBRACE);
	return done(p, n);
}

/* ----------------------------------------------------- labels and jumps */

static js_node *
jump_statement(parser *p, js_kind kind)
{
	js_node *n = js_new(p, kind, here(p));
	kids k = kids_of(n);

	next(p);
	if (is_name(p->l.tok.kind) && !line_before(p))
		add(&k, js_leaf(p, JS_NAME));
	js_semicolon(p);
	return done(p, n);
}

/* name is read, and the token is its colon. */
static js_node *
labelled_statement(parser *p, js_node *name)
{
	js_node *n = js_new(p, JS_LABEL, name->start);
	kids k = kids_of(n);

	next(p);
	add(&k, name);
	add(&k, statement_or_function(p));
	return done(p, n);
}

static js_node *
expression_statement(parser *p)
{
	uint32_t start = here(p);
	js_node *n = js_expression_in(p);

	if (at(p, T_COLON) && n->kind == JS_NAME && n->start == start &&
	    !(n->flags & (JS_PAREN | JS_TYPED)))
		return labelled_statement(p, n);
	n = js_node1(p, JS_EXPR, start, n);
	js_semicolon(p);
	return done(p, n);
}

/* ------------------------------------------------------------- dispatch */

static js_node *
lone_statement(parser *p, js_kind kind)
{
	js_node *n = js_leaf(p, kind);

	if (kind == JS_DEBUGGER)
		js_semicolon(p);
	return done(p, n);
}

/* What begins with a word that nothing but a statement begins with. */
static js_node *
word_statement(parser *p)
{
	switch (p->l.tok.kind) {
	case T_IF:
		return if_statement(p);
	case T_FOR:
		return js_for(p);
	case T_WHILE:
		return js_while(p);
	case T_DO:
		return js_do(p);
	case T_RETURN:
		return return_statement(p);
	case T_BREAK:
		return jump_statement(p, JS_BREAK);
	case T_CONTINUE:
		return jump_statement(p, JS_CONTINUE);
	case T_THROW:
		return throw_statement(p);
	case T_TRY:
		return try_statement(p);
	case T_SWITCH:
		return switch_statement(p);
	case T_WITH:
		return with_statement(p);
	case T_DEBUGGER:
		return lone_statement(p, JS_DEBUGGER);
	default:
		return expression_statement(p);
	}
}

static js_node *
plain_statement(parser *p)
{
	unsigned op;

	if (at(p, T_LBRACE))
		return js_block(p);
	if (at(p, T_SEMICOLON))
		return lone_statement(p, JS_EMPTY);
	op = js_at_var(p);
	if (op == T_VAR)
		return var_statement(p, op);
	return word_statement(p);
}

static bool
at_async_function(parser *p)
{
	js_token after;

	if (!at(p, T_ASYNC))
		return false;
	after = lex_peek(&p->l);
	return after.kind == T_FUNCTION && !(after.flags & TOK_LINE);
}

/* NULL: no declaration begins here, or it was all types (then the token has
 * moved). */
static js_node *
read_declaration(parser *p)
{
	uint32_t start = here(p);
	unsigned op;

	if (at(p, T_FUNCTION))
		return js_function_declaration(p, start, 0);
	if (at(p, T_CLASS))
		return js_class(p, JS_CLASS_DECL, start);
	if (at_async_function(p)) {
		next(p);
		return js_function_declaration(p, start, JS_ASYNC);
	}
	op = js_at_var(p);
	if (op != T_EOF)
		return var_statement(p, op);
	if (at(p, T_IMPORT)) {
		unsigned after = lex_peek(&p->l).kind;

		return after == T_LPAREN || after == T_DOT ? NULL
							   : js_import(p);
	}
	return at(p, T_EXPORT) ? js_export(p) : NULL;
}

/* declarations: they may stand here. */
static js_node *
any_statement(parser *p, bool declarations)
{
	uint32_t start = here(p);
	js_node *n = NULL;

	if (declarations)
		n = read_declaration(p);
	if (n)
		need_name(p, n);
	else if (here(p) == start || !declarations)
		n = plain_statement(p);
	return n;
}

js_node *
js_statement_or_declaration(parser *p)
{
	js_node *n = &p->spare;

	if (!js_enter(p))
		;
	else if (p->ts && ts_statement(p))
		n = NULL;
	else
		n = any_statement(p, true);
	js_leave(p);
	return n;
}

js_node *
js_statement(parser *p)
{
	unsigned ctx = p->ctx, op;
	js_node *n;

	if (at(p, T_FUNCTION) || at_async_function(p))
		js_fault(p, JS_E_FUNCTION_STATEMENT, here(p), p->l.tok.end);
	op = js_at_var(p);
	if (at(p, T_CLASS) || op == T_CONST || op == T_AWAIT || op == T_USING ||
	    (op == T_LET && (lex_peek(&p->l).kind == T_LBRACKET ||
				!(lex_peek(&p->l).flags & TOK_LINE))))
		js_fault(p, JS_E_STATEMENT_DECLARATION, here(p), p->l.tok.end);
	p->ctx &= ~(unsigned)CTX_TOP;
	n = js_enter(p) ? any_statement(p, false) : &p->spare;
	js_leave(p);
	p->ctx = ctx;
	return n;
}

void
js_statements(parser *p, kids *k, unsigned close)
{
	while (!at(p, close) && !at(p, T_EOF)) {
		js_node *n = js_statement_or_declaration(p);

		if (n)
			add(k, n);
	}
}
