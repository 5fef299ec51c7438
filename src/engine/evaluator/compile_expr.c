/* SPDX-License-Identifier: MIT */
/*
 * compile_expr.c -- expressions: see compile.h.
 *
 * A register that is asked for is written last, so that an expression may read
 * the variable that it is assigned to. What is made bit by bit (an array, a
 * conditional) is made in a register of its own.
 */
#include "compile.h"
#include "regexp.h"

#include "object.h"

enum { ARGUMENTS_INLINE = 256 }; /* more of them are passed as a list */

static uint16_t
into(compiler *c, uint16_t dst)
{
	return dst == REG_ANY ? reg_new(c) : dst;
}

/* Moves what is in from to where it was wanted. */
static uint16_t
result(compiler *c, uint16_t from, uint16_t dst)
{
	if (dst == REG_ANY || dst == from)
		return from;
	emit_op(c, OP_MOVE, dst, from);
	return dst;
}

/* ------------------------------------------------------------------- names */

uint16_t
scope_reg(const compiler *c)
{
	const scope *s = c->f->scope;

	return s != NULL && s->mine == c->f ? s->reg : c->f->outer_scope;
}

/* Where a captured variable's scope is: a register, and how far outside. */
static uint16_t
find_scope(const compiler *c, const variable *v, int *hops)
{
	const scope *s = c->f->scope;

	*hops = 0;
	if (v->scope->mine == c->f)
		return v->scope->reg;
	while (s->mine == c->f)
		s = s->outer;
	for (; s != v->scope; s = s->outer)
		*hops += s->captured > 0;
	return c->f->outer_scope;
}

static bool
is_let(const variable *v)
{
	return v->kind == VARIABLE_LET || v->kind == VARIABLE_CONST ||
	       v->kind == VARIABLE_CLASS || v->kind == VARIABLE_PARAMETER ||
	       v->kind == VARIABLE_THIS;
}

bool
may_be_unset(const js_node *at, const variable *v)
{
	return is_let(v) && v->made != NULL && v->early &&
	       may_come_before(at, v);
}

void
load_name(compiler *c, const js_node *at, js_name *name, uint16_t dst)
{
	variable *v = variable_find(name);
	int hops;
	uint16_t in;

	if (v == NULL) {
		if (at->kind == JS_NAME && lib_name(c, at, dst))
			return;
		if (text_eq(name->text, TEXT("undefined")))
			emit_op(c, OP_LOAD_MISC, dst, 0);
		else
			emit_op(
			    c, OP_GLOBAL_GET, dst, constant_of_name(c, name));
	} else if (v->captured) {
		in = find_scope(c, v, &hops);
		if (is_let(v))
			emit_op(c, OP_VAR_TAKE, dst, in, hops, v->at,
			    constant_of_name(c, name));
		else
			emit_op(c, OP_VAR_GET, dst, in, hops, v->at);
	} else {
		if (may_be_unset(at, v))
			emit_op(c, OP_CHECK, v->at, constant_of_name(c, name));
		if (dst != v->at)
			emit_op(c, OP_MOVE, dst, v->at);
	}
}

void
load_variable(compiler *c, const variable *v, uint16_t dst)
{
	int hops;
	uint16_t in;

	if (v->captured) {
		in = find_scope(c, v, &hops);
		emit_op(c, OP_VAR_GET, dst, in, hops, v->at);
	} else if (dst != v->at) {
		emit_op(c, OP_MOVE, dst, v->at);
	}
}

void
store_variable(compiler *c, const variable *v, uint16_t from)
{
	int hops;
	uint16_t in;

	if (v->captured) {
		in = find_scope(c, v, &hops);
		emit_op(c, OP_VAR_SET, in, hops, v->at, from);
	} else if (from != v->at) {
		emit_op(c, OP_MOVE, v->at, from);
	}
}

void
load_private(compiler *c, const js_node *n, uint16_t dst)
{
	const variable *v = private_variable(n);

	if (v == NULL)
		refuse_node(c, n, "no class around has this private member");
	else
		load_variable(c, v, dst);
}

static uint16_t
name_expr(compiler *c, const js_node *n, uint16_t dst)
{
	variable *v = variable_find(n->name);

	if (dst == REG_ANY && v != NULL && !v->captured) {
		if (may_be_unset(n, v)) {
			emit_at(c, n);
			emit_op(
			    c, OP_CHECK, v->at, constant_of_name(c, n->name));
		}
		return v->at;
	}
	emit_at(c, n);
	dst = into(c, dst);
	load_name(c, n, n->name, dst);
	return dst;
}

void
set_name(
    compiler *c, const js_node *at, js_name *name, uint16_t from, bool declares)
{
	variable *v = variable_find(name);
	bool fixed = v && !declares && v->kind == VARIABLE_CONST;
	int hops;
	uint16_t in;

	emit_at(c, at);
	if (v == NULL) {
		emit_op(c, OP_GLOBAL_SET, constant_of_name(c, name), from,
		    function_is_strict(at));
		return;
	}
	if (v->kind == VARIABLE_SELF && !declares) {
		if (function_is_strict(at))
			emit_op(c, OP_CONST_SET, constant_of_name(c, name));
		return;
	}
	if (v->captured) {
		in = find_scope(c, v, &hops);
		if (fixed) {
			uint16_t old = reg_new(c);

			emit_op(c, OP_VAR_TAKE, old, in, hops, v->at,
			    constant_of_name(c, name));
			regs_free(c, old);
		} else if (!declares && is_let(v)) {
			emit_op(c, OP_VAR_PUT, in, hops, v->at, from,
			    constant_of_name(c, name));
		} else {
			emit_op(c, OP_VAR_SET, in, hops, v->at, from);
		}
	} else {
		if (!declares && may_be_unset(at, v))
			emit_op(c, OP_CHECK, v->at, constant_of_name(c, name));
		if (!fixed && v->at != from)
			emit_op(c, OP_MOVE, v->at, from);
	}
	if (fixed)
		emit_op(c, OP_CONST_SET, constant_of_name(c, name));
}

/* ---------------------------------------------------------------- literals */

static uint16_t
number_expr(compiler *c, const js_node *n, uint16_t dst)
{
	double d = js_number(c->tree, n);
	int32_t i = d >= -32768 && d <= 32767 ? (int32_t)d : 0;

	dst = into(c, dst);
	if ((double)i == d && !(i == 0 && 1 / d < 0))
		emit_op(c, OP_LOAD_INT, dst, i);
	else
		emit_op(c, OP_LOAD_CONST, dst, constant_number(c, d));
	return dst;
}

uint32_t
string_constant(compiler *c, const js_node *n)
{
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);
	uint32_t k;

	js_string(c->tree, n, &b);
	k = constant_text(c, buf_view(&b));
	if (b.bad != CM_OK)
		c->bad = b.bad;
	buf_fini(&b);
	return k;
}

static uint16_t
string_expr(compiler *c, const js_node *n, uint16_t dst)
{
	dst = into(c, dst);
	emit_op(c, OP_LOAD_CONST, dst, string_constant(c, n));
	return dst;
}

static uint16_t
misc_expr(compiler *c, int what, uint16_t dst)
{
	dst = into(c, dst);
	emit_op(c, OP_LOAD_MISC, dst, what);
	return dst;
}

static uint16_t
bigint_expr(compiler *c, const js_node *n, uint16_t dst)
{
	text t = js_text(c->tree, n);

	dst = into(c, dst);
	emit_op(c, OP_LOAD_CONST, dst,
	    constant_bigint(c, text_sub(t, 0, t.len - 1)));
	return dst;
}

/* /pattern/flags: the last / ends the pattern. */
static uint16_t
regex_expr(compiler *c, const js_node *n, uint16_t dst)
{
	text t = js_text(c->tree, n);
	size_t end = t.len;
	text pattern, flags;
	const char *error;

	while (end > 1 && t.ptr[end - 1] != '/')
		end--;
	pattern = text_sub(t, 1, end - 1);
	flags = text_sub(t, end, t.len);
	error = rx_check(c->work.alloc, pattern, flags);
	if (error != NULL)
		refuse_node(c, n, error);
	dst = into(c, dst);
	emit_at(c, n);
	emit_op(c, OP_REGEXP_NEW, dst, constant_text(c, pattern),
	    constant_text(c, flags));
	return dst;
}

static uint16_t
template_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t all = reg_new(c), mark = c->f->top;
	bool first = true;

	for (const js_node *p = n->child; p != NULL; p = p->next) {
		uint16_t part;

		if (p->kind == JS_CHUNK && p->start == p->end && !first)
			continue;
		part = expr(c, p, first ? all : reg_new(c));
		if (p->kind != JS_CHUNK) {
			emit_at(c, p);
			emit_op(c, OP_TO_STRING, part, part);
		}
		if (!first)
			emit_op(c, OP_ADD, all, all, part);
		first = false;
		regs_free(c, mark);
	}
	return result(c, all, dst);
}

static uint16_t
array_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t all = reg_new(c), mark = c->f->top;
	unsigned count = 0;

	for (const js_node *p = n->child; p != NULL; p = p->next)
		count++;
	emit_op(c, OP_ARRAY_NEW, all, count < 1000 ? count : 1000);
	for (const js_node *p = n->child; p != NULL; p = p->next) {
		if (p->kind == JS_SPREAD) {
			uint16_t r = expr(c, p->child, REG_ANY);

			emit_at(c, p->child);
			emit_op(c, OP_ARRAY_SPREAD, all, r);
		} else if (p->kind == JS_NONE) {
			uint16_t r = misc_expr(c, 4, REG_ANY);

			emit_op(c, OP_ARRAY_PUSH, all, r);
		} else {
			emit_op(c, OP_ARRAY_PUSH, all, expr(c, p, REG_ANY));
		}
		regs_free(c, mark);
	}
	return result(c, all, dst);
}

uint16_t
key_reg(compiler *c, const js_node *key, bool computed)
{
	uint16_t r = reg_new(c), from;

	if (computed) {
		from = expr(c, key, REG_ANY);
		emit_at(c, key);
		emit_op(c, OP_KEY_OF, r, from);
	} else if (key->kind == JS_NUMBER) {
		number_expr(c, key, r);
		emit_op(c, OP_KEY_OF, r, r);
	} else if (key->kind == JS_BIGINT) {
		bigint_expr(c, key, r);
		emit_op(c, OP_KEY_OF, r, r);
	} else {
		emit_op(c, OP_LOAD_CONST, r, string_constant(c, key));
	}
	return r;
}

bool
is_proto_member(const compiler *c, const js_node *p)
{
	buf b = BUF_INIT(NULL, 1024);
	bool is;

	if (p->kind != JS_PROPERTY || p->flags & (JS_COMPUTED | JS_SHORTHAND) ||
	    (p->child->kind != JS_KEY && p->child->kind != JS_STRING))
		return false;
	js_string(c->tree, p->child, &b);
	is = text_eq(buf_view(&b), TEXT("__proto__"));
	buf_fini(&b);
	return is;
}

static void
compile_object_method(compiler *c, const js_node *p, uint16_t o)
{
	uint16_t k = key_reg(c, p->child, p->flags & JS_COMPUTED);
	uint16_t r = reg_new(c);

	method_expr(c, p, o, k, r);
	emit_op(c, OP_DEFINE_AT, o, k, r,
	    P_ENUM | (p->op == T_GET           ? DEFINE_GETTER
			 : p->op == T_SET_WORD ? DEFINE_SETTER
					       : DEFINE_METHOD));
}

static void
object_member(compiler *c, const js_node *p, uint16_t o)
{
	const js_node *key = p->child, *v = key->next;
	uint16_t r, k;

	if (p->kind == JS_SPREAD) {
		r = expr(c, p->child, REG_ANY);
		k = misc_expr(c, 0, REG_ANY);
		emit_at(c, p);
		emit_op(c, OP_COPY_MEMBERS, o, r, k);
	} else if (p->kind == JS_METHOD) {
		compile_object_method(c, p, o);
	} else if (is_proto_member(c, p)) {
		r = expr(c, v, REG_ANY);
		k = reg_new(c);
		emit_op(
		    c, OP_LOAD_CONST, k, constant_text(c, TEXT("__proto__")));
		emit_op(c, OP_DEFINE_AT, o, k, r, DEFINE_PROTO);
	} else if (p->flags & JS_COMPUTED || key->kind == JS_NUMBER ||
		   key->kind == JS_BIGINT) {
		k = key_reg(c, key, p->flags & JS_COMPUTED);
		r = expr_keyed(c, v, k, REG_ANY);
		emit_op(c, OP_DEFINE_AT, o, k, r, P_PLAIN);
	} else {
		r = expr_named_text(c, v, string_constant(c, key), REG_ANY);
		emit_op(c, OP_DEFINE, o, string_constant(c, key), r);
	}
}

static uint16_t
object_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t o = reg_new(c), mark = c->f->top;
	unsigned count = 0;

	for (const js_node *p = n->child; p != NULL; p = p->next)
		count++;
	emit_op(c, OP_OBJECT_NEW, o, count < 64 ? count : 64);
	for (const js_node *p = n->child; p != NULL; p = p->next) {
		object_member(c, p, o);
		regs_free(c, mark);
	}
	return result(c, o, dst);
}

/* --------------------------------------------------------------- operators */

static op_code
op_of_token(unsigned token)
{
	static const uint8_t ops[T_COUNT] = {
	    [T_BIT_OR] = OP_BIT_OR,
	    [T_BIT_XOR] = OP_BIT_XOR,
	    [T_BIT_AND] = OP_BIT_AND,
	    [T_EQ] = OP_EQ,
	    [T_NE] = OP_NE,
	    [T_SAME] = OP_SAME,
	    [T_NOT_SAME] = OP_NOT_SAME,
	    [T_LT] = OP_LT,
	    [T_GT] = OP_GT,
	    [T_LE] = OP_LE,
	    [T_GE] = OP_GE,
	    [T_SHL] = OP_SHL,
	    [T_SHR] = OP_SHR,
	    [T_USHR] = OP_USHR,
	    [T_PLUS] = OP_ADD,
	    [T_MINUS] = OP_SUB,
	    [T_MUL] = OP_MUL,
	    [T_DIV] = OP_DIV,
	    [T_MOD] = OP_MOD,
	    [T_POW] = OP_POW,
	    [T_IN] = OP_IN,
	    [T_INSTANCEOF] = OP_INSTANCEOF,
	};

	return (op_code)ops[token];
}

/* Can evaluating it change no variable? */
static bool
is_quiet(const js_node *n)
{
	return n->kind == JS_NAME || n->kind == JS_NUMBER ||
	       n->kind == JS_STRING || n->kind == JS_THIS ||
	       n->kind == JS_TRUE || n->kind == JS_FALSE || n->kind == JS_NULL;
}

/* Can its value be in the register of a variable that is set elsewhere, too? */
static bool
may_be_variable(const js_node *n)
{
	variable *v;

	if (n->kind == JS_SEQUENCE || n->kind == JS_ASSIGN)
		return true;
	v = n->kind == JS_NAME ? variable_find(n->name) : NULL;
	return v != NULL && v->set && !v->captured;
}

/* The left operand, where what follows cannot change it. */
uint16_t
left_expr(compiler *c, const js_node *n, const js_node *right)
{
	if (may_be_variable(n) && !is_quiet(right))
		return expr(c, n, reg_new(c));
	return expr(c, n, REG_ANY);
}

static uint16_t
logical_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t r = reg_new(c), mark = c->f->top;
	uint32_t end = NO_PC, other;

	expr(c, n->child, r);
	regs_free(c, mark);
	if (n->op == T_COALESCE) {
		other = emit_jump(c, OP_JUMP_NULLISH, r);
		jump_join(c, &end, emit_jump(c, OP_JUMP));
		jump_here(c, other);
	} else {
		jump_join(c, &end,
		    emit_jump(
			c, n->op == T_OR ? OP_JUMP_TRUE : OP_JUMP_FALSE, r));
	}
	expr(c, n->child->next, r);
	regs_free(c, mark);
	jump_here(c, end);
	return result(c, r, dst);
}

static uint16_t
private_in_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t mark = c->f->top, a = reg_new(c), b;

	load_private(c, n->child, a);
	b = expr(c, n->child->next, REG_ANY);
	emit_at(c, n);
	regs_free(c, mark);
	dst = into(c, dst);
	emit_op(c, OP_PRIVATE_HAS, dst, b, a);
	return dst;
}

static bool
is_eager_binary(const js_node *n)
{
	return n->kind == JS_BINARY && n->op != T_AND && n->op != T_OR &&
	       n->op != T_COALESCE && n->child->kind != JS_PRIVATE;
}

/* A chain of operators is nested on its left, as deep as it is long. */
static uint16_t
binary_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t mark = c->f->top, a, b;
	const js_node *p = n;

	if (n->op == T_AND || n->op == T_OR || n->op == T_COALESCE)
		return logical_expr(c, n, dst);
	if (n->child->kind == JS_PRIVATE)
		return private_in_expr(c, n, dst);
	while (is_eager_binary(p->child))
		p = p->child;
	a = left_expr(c, p->child, p->child->next);
	for (;; p = p->parent) {
		b = expr(c, p->child->next, REG_ANY);
		regs_free(c, mark);
		emit_at(c, p);
		if (p == n)
			break;
		emit_op(c, op_of_token(p->op), reg_new(c), a, b);
		a = mark;
	}
	dst = into(c, dst);
	emit_op(c, op_of_token(n->op), dst, a, b);
	return dst;
}

static void
skip_when_nullish(compiler *c, const js_node *n, uint16_t r)
{
	if (n->flags & JS_OPTIONAL)
		jump_join(c, c->f->chain, emit_jump(c, OP_JUMP_NULLISH, r));
}

/* delete super.x throws, after super's parts. */
static uint16_t
delete_super(compiler *c, const js_node *m, uint16_t dst)
{
	uint16_t mark = c->f->top;

	load_this(c, reg_new(c));
	if (m->kind == JS_INDEX)
		expr(c, m->child->next, REG_ANY);
	emit_op(c, OP_THROW_NEW, 3,
	    constant_text(c, TEXT("unsupported reference to 'super'")));
	regs_free(c, mark);
	return misc_expr(c, 3, dst);
}

static uint16_t
delete_expr(compiler *c, const js_node *n, uint16_t dst)
{
	const js_node *m = js_unchained(n->child);
	uint16_t r = reg_new(c), mark = c->f->top, o, k;
	uint32_t chain = NO_PC, end, *outer = c->f->chain;

	if (m->kind == JS_NAME) {
		emit_op(
		    c, OP_LOAD_MISC, r, variable_find(m->name) != NULL ? 2 : 3);
		return result(c, r, dst);
	}
	if (m->kind != JS_MEMBER && m->kind != JS_INDEX) {
		expr_drop(c, n->child);
		return misc_expr(c, 3, dst);
	}
	if (m->child->kind == JS_SUPER)
		return delete_super(c, m, dst);
	c->f->chain = &chain;
	o = left_expr(c, m->child, m->child->next);
	skip_when_nullish(c, m, o);
	k = m->kind == JS_INDEX ? expr(c, m->child->next, REG_ANY)
				: key_reg(c, m->child->next, false);
	regs_free(c, mark);
	emit_at(c, n);
	emit_op(c, OP_DELETE_AT, r, o, k);
	c->f->chain = outer;
	if (chain != NO_PC) {
		end = emit_jump(c, OP_JUMP);
		jump_here(c, chain);
		emit_op(c, OP_LOAD_MISC, r, 3);
		jump_here(c, end);
	}
	return result(c, r, dst);
}

static uint16_t
unary_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t mark = c->f->top, r;
	op_code op = n->op == T_MINUS   ? OP_NEGATE
		     : n->op == T_PLUS  ? OP_TO_NUMBER
		     : n->op == T_TILDE ? OP_BIT_NOT
		     : n->op == T_NOT   ? OP_NOT
					: OP_TYPEOF;

	if (n->op == T_VOID) {
		expr_drop(c, n->child);
		return misc_expr(c, 0, dst);
	}
	if (n->op == T_DELETE)
		return delete_expr(c, n, dst);
	if (n->op == T_TYPEOF && n->child->kind == JS_NAME && !c->lib &&
	    variable_find(n->child->name) == NULL) {
		dst = into(c, dst);
		emit_op(c, OP_GLOBAL_TYPEOF, dst,
		    constant_of_name(c, n->child->name));
		emit_op(c, OP_TYPEOF, dst, dst);
		return dst;
	}
	r = expr(c, n->child, REG_ANY);
	regs_free(c, mark);
	dst = into(c, dst);
	emit_at(c, n);
	emit_op(c, op, dst, r);
	return dst;
}

static uint16_t
conditional_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t r = reg_new(c), mark = c->f->top;
	uint32_t other = NO_PC, end = NO_PC;

	expr_jump(c, n->child, false, &other);
	expr(c, n->child->next, r);
	regs_free(c, mark);
	jump_join(c, &end, emit_jump(c, OP_JUMP));
	jump_here(c, other);
	expr(c, n->child->next->next, r);
	regs_free(c, mark);
	jump_here(c, end);
	return result(c, r, dst);
}

static const struct {
	uint8_t token, when_true, when_false;
	bool swapped; /* a > b is b < a */
} compares[] = {
    {T_LT, OP_JUMP_LT, OP_JUMP_NOT_LT, false},
    {T_GT, OP_JUMP_LT, OP_JUMP_NOT_LT, true},
    {T_LE, OP_JUMP_LE, OP_JUMP_NOT_LE, false},
    {T_GE, OP_JUMP_LE, OP_JUMP_NOT_LE, true},
    {T_SAME, OP_JUMP_SAME, OP_JUMP_NOT_SAME, false},
    {T_NOT_SAME, OP_JUMP_NOT_SAME, OP_JUMP_SAME, false},
};

/* A comparison and a jump in one. False: n is none. */
static bool
compare_jump(compiler *c, const js_node *n, bool when, uint32_t *list)
{
	uint16_t mark = c->f->top, a, b;

	for (size_t i = 0; i < sizeof(compares) / sizeof(*compares); i++) {
		if (n->kind != JS_BINARY || n->op != compares[i].token ||
		    n->child->kind == JS_PRIVATE)
			continue;
		a = left_expr(c, n->child, n->child->next);
		b = expr(c, n->child->next, REG_ANY);
		regs_free(c, mark);
		emit_at(c, n);
		jump_join(c, list,
		    emit_jump(c,
			(op_code)(when ? compares[i].when_true
				       : compares[i].when_false),
			compares[i].swapped ? b : a,
			compares[i].swapped ? a : b));
		return true;
	}
	return false;
}

void
expr_jump(compiler *c, const js_node *n, bool when, uint32_t *list)
{
	uint16_t mark = c->f->top, r;

	if (n->kind == JS_UNARY && n->op == T_NOT) {
		expr_jump(c, n->child, !when, list);
	} else if (n->kind == JS_BINARY && (n->op == T_AND || n->op == T_OR)) {
		if ((n->op == T_OR) == when) {
			expr_jump(c, n->child, when, list);
			expr_jump(c, n->child->next, when, list);
		} else {
			uint32_t over = NO_PC;

			expr_jump(c, n->child, !when, &over);
			expr_jump(c, n->child->next, when, list);
			jump_here(c, over);
		}
	} else if (!compare_jump(c, n, when, list)) {
		r = expr(c, n, REG_ANY);
		regs_free(c, mark);
		jump_join(c, list,
		    emit_jump(c, when ? OP_JUMP_TRUE : OP_JUMP_FALSE, r));
	}
}

/* ----------------------------------------------------------------- members */

/* d = o.key, o[key], o.#key */
static void
load_member(compiler *c, const js_node *n, uint16_t o, uint16_t dst)
{
	const js_node *key = n->child->next;
	uint16_t mark = c->f->top, k;

	if (n->kind == JS_INDEX) {
		k = expr(c, key, REG_ANY);
		emit_at(c, n);
		emit_op(c, OP_GET_AT, dst, o, k);
	} else if (key->kind == JS_PRIVATE) {
		k = reg_new(c);
		load_private(c, key, k);
		emit_at(c, n);
		emit_op(c, OP_PRIVATE_GET, dst, o, k);
	} else {
		emit_at(c, n);
		emit_op(c, OP_GET, dst, o, string_constant(c, key));
	}
	regs_free(c, mark);
}

static void
get_super(compiler *c, const js_node *n, uint16_t this, uint16_t dst)
{
	uint16_t k = key_reg(c, n->child->next, n->kind == JS_INDEX);

	emit_at(c, n);
	emit_op(c, OP_GET_SUPER, dst, this, k);
}

static uint16_t
member_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t mark = c->f->top, o;

	if (n->child->kind == JS_SUPER) {
		o = reg_new(c);
		load_this(c, o);
		get_super(c, n, o, o);
		regs_free(c, (uint16_t)(o + 1));
		return result(c, o, dst);
	}
	o = left_expr(c, n->child, n->child->next);
	skip_when_nullish(c, n, o);
	if (dst == REG_ANY) {
		/* The key may be computed behind the object's register. */
		dst = o >= mark ? o : reg_new(c);
		load_member(c, n, o, dst);
		regs_free(c, (uint16_t)(dst >= mark ? dst + 1 : mark));
		return dst;
	}
	load_member(c, n, o, dst);
	regs_free(c, mark);
	return dst;
}

static uint16_t
chain_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint32_t chain = NO_PC, end, *outer = c->f->chain;
	uint16_t r = reg_new(c), mark = c->f->top;

	c->f->chain = &chain;
	expr(c, n->child, r);
	regs_free(c, mark);
	c->f->chain = outer;
	end = emit_jump(c, OP_JUMP);
	jump_here(c, chain);
	emit_op(c, OP_LOAD_MISC, r, 0);
	jump_here(c, end);
	return result(c, r, dst);
}

/* ------------------------------------------------------------------- calls */

bool
has_spread(const js_node *arg)
{
	for (unsigned n = 0; arg != NULL; arg = arg->next)
		if (arg->kind == JS_SPREAD || ++n > ARGUMENTS_INLINE)
			return true;
	return false;
}

static void
member_callee(compiler *c, const js_node *f, uint16_t base)
{
	uint16_t this = (uint16_t)(base + 1);

	if (f->child->kind == JS_SUPER) {
		load_this(c, this);
		get_super(c, f, this, base);
		return;
	}
	expr(c, f->child, this);
	skip_when_nullish(c, f, this);
	load_member(c, f, this, base);
}

static bool
is_member(const js_node *n)
{
	return n->kind == JS_MEMBER || n->kind == JS_INDEX;
}

/* The function into base, what it is called on into base + 1. */
static void
callee(compiler *c, const js_node *n, uint16_t base)
{
	const js_node *f = n->child;
	uint32_t chain = NO_PC, end, *outer = c->f->chain;
	uint16_t mark = c->f->top;

	if (f->kind == JS_CHAIN && is_member(f->child)) {
		c->f->chain = &chain;
		member_callee(c, f->child, base);
		c->f->chain = outer;
		end = emit_jump(c, OP_JUMP);
		jump_here(c, chain);
		emit_op(c, OP_LOAD_MISC, base, 0);
		emit_op(c, OP_LOAD_MISC, base + 1, 0);
		jump_here(c, end);
	} else if (is_member(f)) {
		member_callee(c, f, base);
	} else {
		expr(c, f, base);
		emit_op(c, OP_LOAD_MISC, base + 1, 0);
	}
	if (n->kind == JS_CALL)
		skip_when_nullish(c, n, base);
	/* The arguments come right behind. */
	regs_free(c, mark);
}

void
argument_list(compiler *c, const js_node *arg, uint16_t all)
{
	uint16_t mark = c->f->top;

	emit_op(c, OP_ARRAY_NEW, all, 4);
	for (; arg != NULL; arg = arg->next) {
		bool spread = arg->kind == JS_SPREAD;

		emit_op(c, spread ? OP_ARRAY_SPREAD : OP_ARRAY_PUSH, all,
		    expr(c, spread ? arg->child : arg, REG_ANY));
		regs_free(c, mark);
	}
}

unsigned
arguments(compiler *c, const js_node *arg)
{
	unsigned n = 0;

	for (; arg != NULL; arg = arg->next, n++) {
		uint16_t r = reg_new(c);

		expr(c, arg, r);
		regs_free(c, (uint16_t)(r + 1));
	}
	return n;
}

/* A hidden variable of the function around the arrow functions here; NULL: what
 * it holds is in the frame, or in the closure. */
static variable *
find_hidden(const compiler *c, const js_name *name)
{
	variable *v = variable_find(name);
	const function_state *f = c->f;

	while (f != NULL && f->out->flags & CODE_ARROW)
		f = f->outer;
	return v != NULL && v->scope->mine == f ? v : NULL;
}

variable *
this_variable(const compiler *c)
{
	return find_hidden(c, &c->this_name);
}

void
load_this(compiler *c, uint16_t dst)
{
	if (this_variable(c) != NULL)
		load_name(c, c->f->node, &c->this_name, dst);
	else
		emit_op(c, OP_THIS, dst);
}

static void
load_target(compiler *c, uint16_t dst)
{
	if (c->f->out->flags & CODE_ARROW &&
	    find_hidden(c, &c->target_name) != NULL)
		load_name(c, c->f->node, &c->target_name, dst);
	else
		emit_op(c, OP_NEW_TARGET, dst);
}

void
load_callee(compiler *c, uint16_t dst)
{
	if (c->f->out->flags & CODE_ARROW &&
	    find_hidden(c, &c->callee_name) != NULL)
		load_name(c, c->f->node, &c->callee_name, dst);
	else
		emit_op(c, OP_FUNCTION_SELF, dst);
}

/* this = what super() made: it is only set once. */
static void
set_this(compiler *c, uint16_t from)
{
	variable *v = this_variable(c);
	uint16_t old, in;
	int hops;

	if (v == NULL) {
		emit_op(c, OP_SET_THIS, from);
		return;
	}
	old = reg_new(c);
	in = find_scope(c, v, &hops);
	emit_op(c, OP_VAR_GET, old, in, hops, v->at);
	emit_op(c, OP_CHECK_UNSET, old);
	regs_free(c, old);
	set_name(c, c->f->node, &c->this_name, from, true);
}

void
construct_super(compiler *c, uint16_t base)
{
	uint16_t r;
	uint32_t none;

	load_target(c, (uint16_t)(base + 1));
	emit_op(c, OP_CONSTRUCT, base, base);
	regs_free(c, (uint16_t)(base + 1));
	set_this(c, base);
	r = regs_new(c, 2);
	load_callee(c, r);
	emit_op(c, OP_FIELDS_OF, r, r);
	none = emit_jump(c, OP_JUMP_NULLISH, r);
	emit_op(c, OP_MOVE, r + 1, base);
	emit_op(c, OP_CALL, r, r, 0);
	jump_here(c, none);
	regs_free(c, r);
}

static uint16_t
super_call(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t base = regs_new(c, 3);

	load_callee(c, base);
	emit_op(c, OP_SUPER_CLASS, base, base);
	argument_list(c, n->child->next, (uint16_t)(base + 2));
	emit_at(c, n);
	construct_super(c, base);
	return result(c, base, dst);
}

static uint16_t
call_expr(compiler *c, const js_node *n, uint16_t dst)
{
	bool new = n->kind == JS_NEW;
	const js_node *arg = n->child->next;
	uint16_t base;
	unsigned argc;

	if (n->child->kind == JS_SUPER)
		return super_call(c, n, dst);
	base = regs_new(c, 2);
	if (lib_call(c, n, base)) {
		regs_free(c, (uint16_t)(base + (dst == REG_ANY)));
		return result(c, base, dst);
	}
	if (new)
		expr(c, n->child, base);
	else
		callee(c, n, base);
	regs_free(c, (uint16_t)(base + 2));
	if (has_spread(arg)) {
		argument_list(c, arg, reg_new(c));
		regs_free(c, base);
		dst = into(c, dst);
		emit_at(c, n);
		emit_op(c, new ? OP_NEW_LIST : OP_CALL_LIST, dst, base);
		return dst;
	}
	argc = arguments(c, arg);
	regs_free(c, base);
	dst = into(c, dst);
	emit_at(c, n);
	emit_op(c, new ? OP_NEW : OP_CALL, dst, base, argc);
	return dst;
}

/* How many hexadecimal digits stand there; *value: the number. */
static size_t
count_hex(text t, size_t at, uint32_t *given)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	size_t n = 0;

	for (*given = 0; at + n < t.len && t.ptr[at + n] != '\0'; n++) {
		const char *d = strchr(digits, t.ptr[at + n]);
		uint32_t i = d ? (uint32_t)(d - digits) : 0;

		if (d == NULL)
			break;
		if (*given <= 0x10ffff)
			*given = *given * 16 + (i < 16 ? i : i - 6);
	}
	return n;
}

/* An escape sequence without a meaning; at: behind its backslash. */
static bool
is_bad_escape(text t, size_t at)
{
	uint32_t given;
	size_t n;

	if (t.ptr[at] == 'x')
		return count_hex(t, at + 1, &given) < 2;
	if (t.ptr[at] == '0')
		return at + 1 < t.len && t.ptr[at + 1] >= '0' &&
		       t.ptr[at + 1] <= '9';
	if (t.ptr[at] != 'u')
		return t.ptr[at] >= '1' && t.ptr[at] <= '9';
	if (at + 1 == t.len || t.ptr[at + 1] != '{')
		return count_hex(t, at + 1, &given) < 4;
	n = count_hex(t, at + 2, &given);
	return n == 0 || given > 0x10ffff || at + 2 + n == t.len ||
	       t.ptr[at + 2 + n] != '}';
}

/* A chunk with such an escape is undefined for its tag. */
static bool
is_uncooked(text t)
{
	for (size_t i = 0; i + 1 < t.len; i++) {
		if (t.ptr[i] != '\\')
			continue;
		if (is_bad_escape(t, i + 1))
			return true;
		i++;
	}
	return false;
}

/* The text as it is written, with line feeds. */
static uint32_t
raw_constant(compiler *c, text t)
{
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);
	uint32_t k;

	for (size_t i = 0; i < t.len; i++) {
		if (t.ptr[i] != '\r')
			buf_byte(&b, t.ptr[i]);
		else if (i + 1 == t.len || t.ptr[i + 1] != '\n')
			buf_byte(&b, '\n');
	}
	k = constant_text(c, buf_view(&b));
	if (b.bad != CM_OK)
		c->bad = b.bad;
	buf_fini(&b);
	return k;
}

static uint32_t
add_template(compiler *c, const js_node *n)
{
	unit *u = c->unit;
	template_strings *list, t = {.len = 0};

	for (const js_node *p = n->child; p != NULL; p = p->next)
		t.len += p->kind == JS_CHUNK;
	t.cooked = arena_take(c->arena, t.len * sizeof(*t.cooked));
	t.raw = arena_take(c->arena, t.len * sizeof(*t.raw));
	list = arena_grow(c->arena, u->template, &c->template_cap, u->templates,
	    sizeof(*list));
	if (list == NULL || t.cooked == NULL || t.raw == NULL)
		return 0;
	u->template = list;
	t.len = 0;
	for (const js_node *p = n->child; p != NULL; p = p->next) {
		text raw = js_text(c->tree, p);

		if (p->kind != JS_CHUNK)
			continue;
		t.cooked[t.len] =
		    is_uncooked(raw) ? UINT32_MAX : string_constant(c, p);
		t.raw[t.len++] = raw_constant(c, raw);
	}
	u->template[u->templates] = t;
	return u->templates++;
}

static uint16_t
tagged_expr(compiler *c, const js_node *n, uint16_t dst)
{
	const js_node *template = n->child->next;
	uint16_t base = regs_new(c, 3);
	unsigned argc = 1;

	callee(c, n, base);
	regs_free(c, (uint16_t)(base + 3));
	emit_op(c, OP_TEMPLATE, base + 2, add_template(c, template));
	for (const js_node *p = template->child; p != NULL; p = p->next)
		if (p->kind != JS_CHUNK) {
			uint16_t r = reg_new(c);

			expr(c, p, r);
			regs_free(c, (uint16_t)(r + 1));
			argc++;
		}
	regs_free(c, base);
	dst = into(c, dst);
	emit_at(c, n);
	emit_op(c, OP_CALL, dst, base, argc);
	return dst;
}

/* --------------------------------------------------------------------- door */

/* A function or class without a name, as it is written. */
static bool
is_anonymous(const js_node *n)
{
	return n->kind == JS_ARROW ||
	       ((n->kind == JS_FUNCTION || n->kind == JS_CLASS) &&
		   n->child->kind != JS_BIND);
}

uint16_t
expr_named_text(compiler *c, const js_node *n, uint32_t name, uint16_t dst)
{
	if (!is_anonymous(n))
		return expr(c, n, dst);
	dst = into(c, dst);
	if (n->kind == JS_CLASS)
		class_expr(c, n, name, REG_ANY, dst);
	else
		function_expr(c, n, name, dst);
	return dst;
}

uint16_t
expr_named(compiler *c, const js_node *n, js_name *name, uint16_t dst)
{
	if (name == NULL || !is_anonymous(n))
		return expr(c, n, dst);
	return expr_named_text(c, n, constant_of_name(c, name), dst);
}

uint16_t
expr_keyed(compiler *c, const js_node *n, uint16_t key, uint16_t dst)
{
	if (!is_anonymous(n) || key == REG_ANY)
		return expr(c, n, dst);
	dst = into(c, dst);
	if (n->kind == JS_CLASS) {
		class_expr(c, n, UINT32_MAX, key, dst);
	} else {
		function_expr(c, n, UINT32_MAX, dst);
		emit_op(c, OP_NAME_OF, dst, key, 0);
	}
	return dst;
}

void
get_named(compiler *c, uint16_t dst, uint16_t o, const char *name)
{
	emit_op(c, OP_GET, dst, o, constant_text(c, text_of(name)));
}

/* What import() says: there is no module. */
static uint32_t
module_message(compiler *c, const js_node *from)
{
	buf b = BUF_INIT(c->work.alloc, 1 << 16);
	uint32_t k;

	buf_str(&b, "could not load module");
	if (from->kind == JS_STRING)
		buf_printf(&b, " '%.*s'",
		    TEXT_ARG(c->unit->constant[string_constant(c, from)].text));
	k = constant_text(c, buf_view(&b));
	buf_fini(&b);
	return k;
}

static uint16_t
made_expr(compiler *c, const js_node *n, uint16_t dst)
{
	dst = into(c, dst);
	switch (n->kind) {
	case JS_THIS:
		emit_at(c, n);
		load_this(c, dst);
		break;
	case JS_META:
		if (n->op == T_IMPORT)
			refuse_node(c, n, "import.meta is of modules");
		load_target(c, dst);
		break;
	case JS_FUNCTION:
	case JS_ARROW:
		function_expr(c, n, UINT32_MAX, dst);
		break;
	case JS_CLASS:
		class_expr(c, n, UINT32_MAX, REG_ANY, dst);
		break;
	case JS_UPDATE:
		update_expr(c, n, dst, true);
		break;
	case JS_IMPORT_CALL:
		expr_drop(c, n->child);
		emit_at(c, n);
		emit_op(c, OP_THROW_NEW, 3, module_message(c, n->child));
		break;
	default:
		refuse_node(c, n,
		    n->parent->kind == JS_PROPERTY
			? "Unexpected token '='" /* { name = value } */
			: "this cannot be run here");
		break;
	}
	return dst;
}

static uint16_t
sequence_expr(compiler *c, const js_node *n, uint16_t dst)
{
	const js_node *p = n->child;

	for (; p->next != NULL; p = p->next)
		expr_drop(c, p);
	return expr(c, p, dst);
}

uint16_t
expr(compiler *c, const js_node *n, uint16_t dst)
{
	if (!compile_has_room(c, n))
		return into(c, dst);
	switch (n->kind) {
	case JS_NAME:
		return name_expr(c, n, dst);
	case JS_NUMBER:
		return number_expr(c, n, dst);
	case JS_STRING:
	case JS_CHUNK:
		return string_expr(c, n, dst);
	case JS_NULL:
		return misc_expr(c, 1, dst);
	case JS_FALSE:
		return misc_expr(c, 2, dst);
	case JS_TRUE:
		return misc_expr(c, 3, dst);
	case JS_BIGINT:
		return bigint_expr(c, n, dst);
	case JS_REGEX:
		return regex_expr(c, n, dst);
	case JS_TEMPLATE:
		return template_expr(c, n, dst);
	case JS_ARRAY:
		return array_expr(c, n, dst);
	case JS_OBJECT:
		return object_expr(c, n, dst);
	case JS_SEQUENCE:
		return sequence_expr(c, n, dst);
	case JS_CONDITIONAL:
		return conditional_expr(c, n, dst);
	case JS_BINARY:
		return binary_expr(c, n, dst);
	case JS_UNARY:
		return unary_expr(c, n, dst);
	case JS_AWAIT:
		return await_expr(c, n, dst);
	case JS_YIELD:
		return yield_expr(c, n, dst);
	case JS_CALL:
	case JS_NEW:
		return call_expr(c, n, dst);
	case JS_MEMBER:
	case JS_INDEX:
		return member_expr(c, n, dst);
	case JS_CHAIN:
		return chain_expr(c, n, dst);
	case JS_TAGGED:
		return tagged_expr(c, n, dst);
	case JS_ASSIGN:
		return assign_expr(c, n, dst);
	default:
		return made_expr(c, n, dst);
	}
}

void
expr_drop(compiler *c, const js_node *n)
{
	uint16_t mark = c->f->top;

	if (n->kind == JS_UPDATE)
		update_expr(c, n, reg_new(c), false);
	else
		expr(c, n, REG_ANY);
	regs_free(c, mark);
}
