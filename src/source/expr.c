/* SPDX-License-Identifier: MIT */
/*
 * expr.c -- expressions from the comma down to the operand of a unary
 * operator; what stands below is in primary.c.
 *
 * Parameters of an arrow function are read as an expression first and become
 * patterns when => is seen: so nothing is read twice.
 */
#include "parse.h"
#include "ts.h"

static const uint8_t precedence[T_COUNT] = {
#define TOKEN(kind, spelling)
#define BINARY(kind, spelling, level) [T_##kind] = (level),
#define ASSIGN(kind, spelling)
#define WORD(kind, spelling)
#define RESERVED(kind, spelling)
#include "token.def"
#undef TOKEN
#undef BINARY
#undef ASSIGN
#undef WORD
#undef RESERVED
    [T_IN] = 8,
    [T_INSTANCEOF] = 8,
};

enum { RELATIONAL = 8, POWER = 12 };

static js_node *unary_expression(parser *p);

static bool
is_assign_op(unsigned kind)
{
	return kind >= T_SET && kind <= T_SET_COALESCE;
}

/* -------------------------------------------------------------- binary */

static unsigned
binary_level(const parser *p)
{
	if (at(p, T_IN) && (p->ctx & CTX_NO_IN))
		return 0;
	return precedence[p->l.tok.kind];
}

static bool
is_logical(const js_node *n)
{
	return n->kind == JS_BINARY && !(n->flags & JS_PAREN) &&
	       (n->op == T_AND || n->op == T_OR);
}

static bool
is_coalesce(const js_node *n)
{
	return n->kind == JS_BINARY && !(n->flags & JS_PAREN) &&
	       n->op == T_COALESCE;
}

static void
check_mixed(parser *p, unsigned op, const js_node *left, const js_node *right)
{
	bool mixed = false;

	if (op == T_COALESCE)
		mixed = is_logical(left) || is_logical(right);
	else if (op == T_AND || op == T_OR)
		mixed = is_coalesce(left) || is_coalesce(right);
	if (mixed)
		js_err_at(p, JS_E_MIXED_COALESCE, left->start, right->end);
}

static void
check_power(parser *p, const js_node *left)
{
	if (left->flags & JS_PAREN)
		return;
	if (left->kind == JS_UNARY || left->kind == JS_AWAIT) {
		const char *op =
		    left->kind == JS_AWAIT ? "await" : js_token_text(left->op);

		lex_fault(&p->l, JS_E_POW_UNARY, left->start, left->end, op,
		    strlen(op));
	}
}

bool
js_binds_tighter(const parser *p, const js_node *n)
{
	unsigned level = binary_level(p);

	if (level == 0 || (n->flags & JS_PAREN))
		return false;
	if (n->kind == JS_UNARY || n->kind == JS_AWAIT)
		return level == POWER;
	return n->kind == JS_BINARY && level > precedence[n->op];
}

/* #name in object: the only place where a private name is an operand. */
static js_node *
private_in(parser *p, unsigned least)
{
	js_node *n = js_leaf(p, JS_PRIVATE);

	if (!at(p, T_IN) || (p->ctx & CTX_NO_IN) || least > RELATIONAL)
		js_unexpected(p);
	return n;
}

static js_node *binary_expression(parser *p, unsigned least);

/* Right of **, which is the only operator that nests to the right. */
static js_node *
power_operand(parser *p)
{
	js_node *n = &p->spare;

	if (js_enter(p))
		n = binary_expression(p, POWER);
	js_leave(p);
	return n;
}

/* Operators of at least this level, and their operands. */
static js_node *
binary_expression(parser *p, unsigned least)
{
	uint32_t start = here(p);
	js_node *left;
	unsigned level;

	if (!js_room(p))
		return &p->spare;
	left = at(p, T_PRIVATE) ? private_in(p, least) : unary_expression(p);
	for (;;) {
		unsigned op = p->l.tok.kind;
		js_node *right;

		if (p->ts && ts_as(p, left, least <= RELATIONAL))
			continue;
		level = binary_level(p);
		if (level == 0 || level < least)
			return left;
		if (op == T_POW)
			check_power(p, left);
		next(p);
		right = op == T_POW ? power_operand(p)
				    : binary_expression(p, level + 1);
		check_mixed(p, op, left, right);
		left = js_node2(p, JS_BINARY, start, left, right);
		left->op = (uint8_t)op;
	}
}

/* --------------------------------------------------------------- unary */

static js_node *
unary_operator(parser *p)
{
	uint32_t start = here(p);
	unsigned op = p->l.tok.kind;
	js_node *n = &p->spare;

	if (js_enter(p)) {
		next(p);
		n = js_node1(p, JS_UNARY, start, unary_expression(p));
		n->op = (uint8_t)op;
	}
	js_leave(p);
	return n;
}

static js_node *
prefix_update(parser *p)
{
	uint32_t start = here(p);
	unsigned op = p->l.tok.kind;
	js_node *n = &p->spare, *operand;

	if (js_enter(p)) {
		next(p);
		operand = unary_expression(p);
		js_to_simple_target(p, operand);
		n = js_node1(p, JS_UPDATE, start, operand);
		n->op = (uint8_t)op;
		n->flags |= JS_PREFIX;
	}
	js_leave(p);
	return n;
}

static js_node *
await_operator(parser *p)
{
	uint32_t start = here(p);
	js_node *n = &p->spare;

	if (js_enter(p)) {
		next(p);
		n = js_node1(p, JS_AWAIT, start, unary_expression(p));
	}
	js_leave(p);
	return n;
}

static js_node *
postfix_expression(parser *p)
{
	uint32_t start = here(p);
	js_node *n = js_left_hand_side(p);
	unsigned op = p->l.tok.kind;

	if ((op != T_INC && op != T_DEC) || line_before(p))
		return n;
	js_to_simple_target(p, n);
	next(p);
	n = js_node1(p, JS_UPDATE, start, n);
	n->op = (uint8_t)op;
	return n;
}

/* At <: does it begin an element of JSX, which ends with </ or />? */
static bool
at_element(const parser *p)
{
	const char *behind = p->l.base + p->l.tok.end;
	text rest = {behind, (size_t)(p->l.end - behind)};

	if (rest.len == 0 ||
	    (*behind != '>' && !starts_name((unsigned char)*behind)))
		return false;
	return text_find(rest, TEXT("</"), 0) != SIZE_MAX ||
	       text_find(rest, TEXT("/>"), 0) != SIZE_MAX;
}

static js_node *
unary_expression(parser *p)
{
	switch (p->l.tok.kind) {
	case T_NOT:
	case T_TILDE:
	case T_PLUS:
	case T_MINUS:
	case T_TYPEOF:
	case T_VOID:
	case T_DELETE:
		return unary_operator(p);
	case T_INC:
	case T_DEC:
		return prefix_update(p);
	case T_AWAIT:
		if (p->ctx & CTX_ASYNC)
			return await_operator(p);
		return postfix_expression(p);
	case T_LT:
		if (p->ts)
			js_fault(p, at_element(p) ? JS_E_TS_JSX : JS_E_TS_CAST,
			    here(p), p->l.tok.end);
		return postfix_expression(p);
	default:
		return postfix_expression(p);
	}
}

/* -------------------------------------------------------- conditional */

static js_node *
conditional_expression(parser *p)
{
	uint32_t start = here(p);
	js_node *test = binary_expression(p, 1), *n;
	unsigned ctx = p->ctx;

	if (!at(p, T_QUESTION) || (p->ts && ts_at_optional_mark(p)))
		return test;
	next(p);
	n = js_new(p, JS_CONDITIONAL, start);
	p->ctx = (ctx & ~(unsigned)CTX_NO_IN) | CTX_THEN;
	kids k = kids_of(n);
	add(&k, test);
	add(&k, js_assign(p));
	js_need(p, T_COLON);
	p->ctx = ctx;
	add(&k, js_assign(p));
	return done(p, n);
}

/* ---------------------------------------------------------- assignment */

static js_node *
yield_expression(parser *p)
{
	uint32_t start = here(p);
	js_node *n = js_new(p, JS_YIELD, start);
	kids k = kids_of(n);

	next(p);
	if (!line_before(p) && at(p, T_MUL)) {
		next(p);
		n->flags |= JS_GENERATOR;
		add(&k, js_assign(p));
		return done(p, n);
	}
	switch (p->l.tok.kind) {
	case T_RPAREN:
	case T_RBRACKET:
	case T_RBRACE:
	case T_COMMA:
	case T_SEMICOLON:
	case T_COLON:
	case T_EOF:
	case T_IN:
	case T_OF:
		break;
	default:
		if (!line_before(p))
			add(&k, js_assign(p));
	}
	return done(p, n);
}

/* async x => ...; NULL: it is something else, nothing is eaten. */
static js_node *
async_name_arrow(parser *p)
{
	mark m = js_mark(p);
	uint32_t start = here(p);
	js_node *cover, *name;

	next(p);
	if (line_before(p) || !is_name(p->l.tok.kind))
		goto no;
	name = js_leaf(p, JS_NAME);
	if (!at(p, T_ARROW))
		goto no;
	cover = js_node1(p, JS_COVER, start, name);
	cover->flags |= JS_ASYNC;
	return js_arrow(p, start, cover);
no:
	js_rewind(p, &m);
	return NULL;
}

static js_node *
arrow_function(parser *p, uint32_t start, js_node *left)
{
	if (left->kind == JS_NAME && !(left->flags & (JS_PAREN | JS_TYPED)))
		left = js_node1(p, JS_COVER, start, left);
	if (left->kind != JS_COVER) {
		js_unexpected(p);
		return left;
	}
	return js_arrow(p, start, left);
}

static js_node *
assignment_expression(parser *p, uint32_t start, js_node *left)
{
	unsigned op = p->l.tok.kind;

	if (op == T_SET)
		js_to_target(p, left);
	else
		js_to_simple_target(p, left);
	next(p);
	left = js_node2(p, JS_ASSIGN, start, left, js_assign(p));
	left->op = (uint8_t)op;
	return left;
}

static js_node *
assign_expression(parser *p)
{
	uint32_t start = here(p);
	js_node *n;

	if (at(p, T_YIELD) && (p->ctx & CTX_GENERATOR))
		return yield_expression(p);
	if (at(p, T_ASYNC) && (n = async_name_arrow(p)))
		return n;
	if (p->ts && (n = ts_generic_arrow(p)))
		return n;
	n = conditional_expression(p);
	if (at(p, T_ARROW) || n->kind == JS_COVER)
		return arrow_function(p, start, n);
	if (is_assign_op(p->l.tok.kind))
		return assignment_expression(p, start, n);
	return n;
}

js_node *
js_assign(parser *p)
{
	js_node *n = &p->spare;

	if (js_enter(p))
		n = assign_expression(p);
	js_leave(p);
	return n;
}

js_node *
js_assign_in(parser *p)
{
	unsigned ctx = p->ctx;
	js_node *n;

	p->ctx &= ~(unsigned)(CTX_NO_IN | CTX_THEN);
	n = js_assign(p);
	p->ctx = ctx;
	return n;
}

js_node *
js_expression(parser *p)
{
	uint32_t start = here(p);
	js_node *n = js_assign(p), *sequence;

	if (!at(p, T_COMMA))
		return n;
	sequence = js_new(p, JS_SEQUENCE, start);
	kids k = kids_of(sequence);
	add(&k, n);
	while (eat(p, T_COMMA))
		add(&k, js_assign(p));
	return done(p, sequence);
}

js_node *
js_expression_in(parser *p)
{
	unsigned ctx = p->ctx;
	js_node *n;

	p->ctx &= ~(unsigned)(CTX_NO_IN | CTX_THEN);
	n = js_expression(p);
	p->ctx = ctx;
	return n;
}
