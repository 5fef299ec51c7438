/* SPDX-License-Identifier: MIT */
/*
 * ts_type.c -- the grammar of types, read and forgotten.
 *
 * It is more generous than TypeScript's own: whether a type makes sense is not
 * asked here, only where it ends.
 */
#include "ts.h"

static void
type_list_end(parser *p, unsigned close)
{
	if (close == T_GT)
		lex_split(&p->l, T_GT);
	js_need(p, close);
}

/* ------------------------------------------------------ < ... > lists */

static bool
at_type_list_end(parser *p)
{
	unsigned kind = p->l.tok.kind;

	return kind == T_GT || kind == T_SHR || kind == T_USHR ||
	       kind == T_GE || kind == T_SET_SHR || kind == T_SET_USHR ||
	       kind == T_EOF;
}

void
ts_arguments(parser *p)
{
	unsigned ctx = p->ctx;

	p->ctx &= ~(unsigned)CTX_NO_CONDITIONAL;
	lex_split(&p->l, T_LT);
	js_need(p, T_LT);
	do {
		if (at_type_list_end(p))
			break;
		ts_type(p);
	} while (eat(p, T_COMMA));
	p->ctx = ctx;
	type_list_end(p, T_GT);
}

/* const, in and out before a parameter's name. */
static void
type_variance(parser *p)
{
	for (;;) {
		if (!at(p, T_CONST) && !at(p, T_IN) &&
		    !(at(p, T_OUT) && is_word(lex_peek(&p->l).kind)))
			return;
		next(p);
	}
}

void
ts_parameters(parser *p)
{
	lex_split(&p->l, T_LT);
	js_need(p, T_LT);
	do {
		if (at_type_list_end(p))
			break;
		type_variance(p);
		if (!is_name(p->l.tok.kind))
			js_unexpected(p);
		next(p);
		if (eat(p, T_EXTENDS))
			ts_type(p);
		if (eat(p, T_SET))
			ts_type(p);
	} while (eat(p, T_COMMA));
	type_list_end(p, T_GT);
}

/* ----------------------------------------------------------- functions */

/* => and what a function gives, which is a type of its own. */
static void
function_type_result(parser *p)
{
	unsigned ctx = p->ctx;

	p->ctx &= ~(unsigned)CTX_NO_CONDITIONAL;
	js_need(p, T_ARROW);
	ts_return_type(p);
	p->ctx = ctx;
}

/* ( ) of a type: one in parentheses, or the parameters of a function. They are
 * read alike; what follows decides. */
static void
type_parentheses(parser *p, bool function)
{
	ts_role role = TS_PARAMETER;

	js_need(p, T_LPAREN);
	while (!at(p, T_RPAREN) && !at(p, T_EOF)) {
		role = ts_element(p);
		if (!eat(p, T_COMMA))
			break;
		function = true;
	}
	js_need(p, T_RPAREN);
	if (function || role == TS_PARAMETER ||
	    (role == TS_EITHER && at(p, T_ARROW)))
		function_type_result(p);
}

static void
constructor_type(parser *p)
{
	eat(p, T_ABSTRACT);
	js_need(p, T_NEW);
	if (at(p, T_LT))
		ts_parameters(p);
	type_parentheses(p, true);
}

/* ------------------------------------------------------------- operands */

static bool
is_keyword_type(const parser *p)
{
	static const char *const names[] = {"any", "unknown", "string",
	    "number", "bigint", "symbol", "boolean", "undefined", "never",
	    "object"};
	const js_name *name = p->l.tok.name;

	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (text_eq(name->text, text_of(names[i])))
			return true;
	return at(p, T_VOID) || at(p, T_NULL) || at(p, T_TRUE) ||
	       at(p, T_FALSE) || at(p, T_THIS);
}

static void
optional_type_arguments(parser *p)
{
	if ((at(p, T_LT) || at(p, T_SHL)) && !line_before(p))
		ts_arguments(p);
}

/* a.b.c<T> */
static void
type_reference(parser *p)
{
	bool keyword = is_keyword_type(p);

	if (!is_word(p->l.tok.kind)) {
		js_fault(p, JS_E_TYPE, here(p), p->l.tok.end);
		return;
	}
	next(p);
	if (keyword && !at(p, T_DOT))
		return;
	while (at(p, T_DOT) && !p->l.dead) {
		next(p);
		if (!is_word(p->l.tok.kind) && !at(p, T_PRIVATE))
			js_unexpected(p);
		next(p);
	}
	optional_type_arguments(p);
}

/* import_type("x", { with: {} }).a.b<T> */
static void
import_type(parser *p)
{
	next(p);
	js_need(p, T_LPAREN);
	ts_type(p);
	if (eat(p, T_COMMA) && !at(p, T_RPAREN)) {
		js_assign_in(p);
		eat(p, T_COMMA);
	}
	js_need(p, T_RPAREN);
	while (at(p, T_DOT) && !p->l.dead) {
		next(p);
		if (!is_word(p->l.tok.kind))
			js_unexpected(p);
		next(p);
	}
	optional_type_arguments(p);
}

static void
typeof_type(parser *p)
{
	next(p);
	if (at(p, T_IMPORT))
		import_type(p);
	else
		type_reference(p);
}

/* `a${T}b` */
static void
template_type(parser *p)
{
	while (!(p->l.tok.flags & TOK_TAIL) && !p->l.dead) {
		next(p);
		ts_type(p);
		if (!at(p, T_RBRACE)) {
			js_need(p, T_RBRACE);
			return;
		}
		lex_template(&p->l);
	}
	next(p);
}

static void
tuple_type(parser *p)
{
	next(p);
	while (!at(p, T_RBRACKET) && !at(p, T_EOF)) {
		if (eat(p, T_COMMA))
			continue;
		ts_element(p);
		if (!at(p, T_RBRACKET))
			js_need(p, T_COMMA);
	}
	js_need(p, T_RBRACKET);
}

static void
type_operand(parser *p)
{
	switch (p->l.tok.kind) {
	case T_STRING:
	case T_NUMBER:
	case T_BIGINT:
		next(p);
		break;
	case T_MINUS:
		next(p);
		if (!at(p, T_NUMBER) && !at(p, T_BIGINT))
			js_fault(p, JS_E_TYPE, here(p), p->l.tok.end);
		next(p);
		break;
	case T_TEMPLATE:
		template_type(p);
		break;
	case T_LBRACE:
		ts_object(p);
		break;
	case T_LBRACKET:
		tuple_type(p);
		break;
	case T_LPAREN:
		type_parentheses(p, false);
		break;
	case T_TYPEOF:
		typeof_type(p);
		break;
	case T_IMPORT:
		import_type(p);
		break;
	default:
		type_reference(p);
	}
}

/* T[], T[K]; not on a new line. */
static void
postfix_type(parser *p)
{
	type_operand(p);
	while (at(p, T_LBRACKET) && !line_before(p)) {
		next(p);
		if (!at(p, T_RBRACKET))
			ts_type(p);
		js_need(p, T_RBRACKET);
	}
}

/* ------------------------------------------------------------ operators */

static bool
begins_type(unsigned kind)
{
	return is_word(kind) || kind == T_STRING || kind == T_NUMBER ||
	       kind == T_BIGINT || kind == T_MINUS || kind == T_TEMPLATE ||
	       kind == T_LBRACE || kind == T_LBRACKET || kind == T_LPAREN;
}

/* keyof, unique, readonly before a type; else they are names. */
static bool
at_type_prefix(parser *p)
{
	js_token after;

	if (!at(p, T_KEYOF) && !at(p, T_UNIQUE) && !at(p, T_READONLY))
		return false;
	after = lex_peek(&p->l);
	return begins_type(after.kind) && after.kind != T_EXTENDS &&
	       after.kind != T_IS;
}

static void
without_conditional(parser *p)
{
	unsigned ctx = p->ctx;

	p->ctx |= CTX_NO_CONDITIONAL;
	ts_type(p);
	p->ctx = ctx;
}

/* infer X, infer X extends T. The T belongs to X unless a ? follows, which
 * makes it a condition. */
static void
infer_type(parser *p)
{
	mark m;

	next(p);
	if (!is_name(p->l.tok.kind))
		js_unexpected(p);
	next(p);
	if (!at(p, T_EXTENDS))
		return;
	m = js_mark(p);
	next(p);
	without_conditional(p);
	if (!(p->ctx & CTX_NO_CONDITIONAL) && at(p, T_QUESTION))
		ts_give_up(p, &m);
}

static void
prefixed_type(parser *p)
{
	unsigned prefixes = 0;

	for (; at_type_prefix(p); prefixes++)
		next(p);
	if (at(p, T_INFER) && is_name(lex_peek(&p->l).kind))
		infer_type(p);
	else
		postfix_type(p);
}

static void
intersection_type(parser *p)
{
	eat(p, T_BIT_AND);
	do
		prefixed_type(p);
	while (eat(p, T_BIT_AND));
}

static void
union_type(parser *p)
{
	eat(p, T_BIT_OR);
	do
		intersection_type(p);
	while (eat(p, T_BIT_OR));
}

static bool
at_constructor(parser *p)
{
	return at(p, T_NEW) ||
	       (at(p, T_ABSTRACT) && lex_peek(&p->l).kind == T_NEW);
}

/* A extends B ? C : D, and D may be the next one. */
static void
conditional_type(parser *p)
{
	unsigned ctx = p->ctx;

	union_type(p);
	while (at(p, T_EXTENDS) && !line_before(p) &&
	       !(ctx & CTX_NO_CONDITIONAL)) {
		next(p);
		without_conditional(p);
		js_need(p, T_QUESTION);
		ts_type(p);
		js_need(p, T_COLON);
		if (at(p, T_LT) || at_constructor(p)) {
			ts_type(p);
			return;
		}
		union_type(p);
	}
}

void
ts_type(parser *p)
{
	if (!js_enter(p)) {
		js_leave(p);
		return;
	}
	if (at_constructor(p)) {
		constructor_type(p);
	} else if (at(p, T_LT)) {
		ts_parameters(p);
		type_parentheses(p, true);
	} else {
		conditional_type(p);
	}
	js_leave(p);
}

/* x is T, asserts x, asserts x is T, or a type. */
void
ts_return_type(parser *p)
{
	js_token after = lex_peek(&p->l);
	bool same_line = !(after.flags & TOK_LINE);

	if (at(p, T_ASSERTS) && same_line &&
	    (after.kind == T_THIS ||
		(is_name(after.kind) && after.kind != T_IS))) {
		next(p);
		next(p);
		if (at(p, T_IS) && !line_before(p)) {
			next(p);
			ts_type(p);
		}
		return;
	}
	if ((is_name(p->l.tok.kind) || at(p, T_THIS)) && after.kind == T_IS &&
	    same_line) {
		next(p);
		next(p);
	}
	ts_type(p);
}
