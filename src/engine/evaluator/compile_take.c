/* SPDX-License-Identifier: MIT */
/*
 * compile_take.c -- assignments: names, members and patterns that are set.
 */
#include "compile.h"

static void
store_member(
    compiler *c, const js_node *n, uint16_t o, uint16_t k, uint16_t from)
{
	const js_node *key = n->child->next;

	emit_at(c, n);
	if (n->child->kind == JS_SUPER)
		emit_op(c, OP_SET_SUPER, o, k, from);
	else if (n->kind == JS_INDEX)
		emit_op(c, OP_SET_AT, o, k, from);
	else if (key->kind == JS_PRIVATE)
		emit_op(c, OP_PRIVATE_SET, o, k, from);
	else
		emit_op(c, OP_SET, o, constant_of_name(c, key->name), from);
}

static void
fetch_member(
    compiler *c, const js_node *n, uint16_t o, uint16_t k, uint16_t dst)
{
	const js_node *key = n->child->next;

	emit_at(c, n);
	if (n->child->kind == JS_SUPER)
		emit_op(c, OP_GET_SUPER, dst, o, k);
	else if (n->kind == JS_INDEX)
		emit_op(c, OP_GET_AT, dst, o, k);
	else if (key->kind == JS_PRIVATE)
		emit_op(c, OP_PRIVATE_GET, dst, o, k);
	else
		emit_op(c, OP_GET, dst, o, constant_of_name(c, key->name));
}

/* The object of a member into *o, and its key into *k where it needs one. */
static void
member_parts(compiler *c, const js_node *n, uint16_t *o, uint16_t *k)
{
	const js_node *key = n->child->next;

	*o = reg_new(c);
	*k = 0;
	if (n->child->kind == JS_SUPER) {
		load_this(c, *o);
		*k = key_reg(c, key, n->kind == JS_INDEX);
		return;
	}
	expr(c, n->child, *o);
	regs_free(c, (uint16_t)(*o + 1));
	if (n->kind == JS_INDEX) {
		*k = reg_new(c);
		expr(c, key, *k);
		regs_free(c, (uint16_t)(*k + 1));
	} else if (key->kind == JS_PRIVATE) {
		*k = reg_new(c);
		load_private(c, key, *k);
	}
}

/* ---------------------------------------------------------------- patterns */

static js_name *
name_of_target(const js_node *n)
{
	return n->kind == JS_NAME || n->kind == JS_BIND ? n->name : NULL;
}

/* A target that is a member: its parts are evaluated before the value is. */
typedef struct place_of_target {
	const js_node *member; /* NULL: it is another target */
	uint16_t o, k;
} place_of_target;

static place_of_target
target_place(compiler *c, const js_node *n)
{
	place_of_target p = {.member = NULL};

	if (n->kind == JS_DEFAULT || n->kind == JS_REST)
		n = n->child;
	if (n->kind != JS_MEMBER && n->kind != JS_INDEX)
		return p;
	p.member = n;
	member_parts(c, n, &p.o, &p.k);
	return p;
}

/* Puts what is in r where n says; p is n's place. r may change. */
static void
take_value(compiler *c, const js_node *n, const place_of_target *p, uint16_t r,
    bool declares)
{
	uint16_t mark = c->f->top;
	uint32_t set;

	if (n->kind == JS_DEFAULT) {
		set = emit_jump(c, OP_JUMP_SET, r);
		expr_named(c, n->child->next, name_of_target(n->child), r);
		regs_free(c, mark);
		jump_here(c, set);
		n = n->child;
	}
	if (p->member != NULL)
		store_member(c, p->member, p->o, p->k, r);
	else
		take_apart(c, n, r, declares);
}

void
take_parameter(compiler *c, const js_node *n, uint16_t r)
{
	take_value(c, n, &(place_of_target){.member = NULL}, r, true);
}

static void
take_default(compiler *c, const js_node *n, uint16_t from, bool declares)
{
	place_of_target p = target_place(c, n);
	uint16_t r = reg_new(c);

	emit_op(c, OP_MOVE, r, from);
	take_value(c, n, &p, r, declares);
}

static void
take_element(compiler *c, const js_node *n, uint16_t it, bool declares)
{
	uint16_t mark = c->f->top;
	place_of_target p = target_place(c, n);
	uint16_t r = reg_new(c);
	uint32_t end;

	emit_at(c, n);
	if (n->kind == JS_REST) {
		emit_op(c, OP_REST_OF, r, it);
		take_value(c, n->child, &p, r, declares);
	} else {
		emit_op(c, OP_LOAD_MISC, r, 0);
		end = emit_jump(c, OP_NEXT, r, it);
		jump_here(c, end);
		if (n->kind != JS_NONE)
			take_value(c, n, &p, r, declares);
	}
	regs_free(c, mark);
}

static void
take_array(compiler *c, const js_node *n, uint16_t from, bool declares)
{
	uint16_t it = regs_new(c, 3), what = reg_new(c);
	uint32_t begin;
	target t;

	emit_at(c, n);
	emit_op(c, OP_ITERATE, it, from);
	/* A yield inside may return: that closes the iterator, too. */
	open_target(c, &t, n);
	t.closes = t.plain = true;
	t.what = what;
	begin = c->f->out->len;
	for (const js_node *p = n->child; p != NULL; p = p->next)
		take_element(c, p, it, declares);
	c->f->target = t.outer;
	end_closing(c, &t, begin, it, false);
	emit_op(c, OP_CLOSE, it, 0);
	regs_free(c, it);
}

static void
take_rest_members(
    compiler *c, const js_node *n, uint16_t from, uint16_t keys, bool declares)
{
	uint16_t mark = c->f->top;
	place_of_target p = target_place(c, n);
	uint16_t r = reg_new(c);

	emit_op(c, OP_OBJECT_NEW, r, 4);
	emit_at(c, n);
	emit_op(c, OP_COPY_MEMBERS, r, from, keys);
	take_value(c, n->child, &p, r, declares);
	regs_free(c, mark);
}

static void
take_member(compiler *c, const js_node *n, uint16_t from, uint16_t keys,
    bool rest, bool declares)
{
	uint16_t mark = c->f->top, r, k = 0;
	bool computed = n->flags & JS_COMPUTED;
	bool plain = !computed && n->child->kind == JS_KEY;
	const js_node *to = n->child->next ? n->child->next : n->child;
	place_of_target p;

	if (!plain || rest)
		k = key_reg(c, n->child, computed);
	if (rest)
		emit_op(c, OP_ARRAY_PUSH, keys, k);
	p = target_place(c, to);
	r = reg_new(c);
	emit_at(c, n->child);
	if (plain)
		emit_op(
		    c, OP_GET, r, from, constant_of_name(c, n->child->name));
	else
		emit_op(c, OP_GET_AT, r, from, k);
	take_value(c, to, &p, r, declares);
	regs_free(c, mark);
}

static void
take_object(compiler *c, const js_node *n, uint16_t from, bool declares)
{
	uint16_t mark = c->f->top, keys = reg_new(c);
	const js_node *last = n->child;

	while (last != NULL && last->next != NULL)
		last = last->next;
	emit_at(c, n);
	emit_op(c, OP_CHECK_TAKEN, from);
	if (last != NULL && last->kind == JS_REST)
		emit_op(c, OP_ARRAY_NEW, keys, 4);
	for (const js_node *p = n->child; p != NULL; p = p->next)
		if (p->kind == JS_REST)
			take_rest_members(c, p, from, keys, declares);
		else
			take_member(
			    c, p, from, keys, last->kind == JS_REST, declares);
	regs_free(c, mark);
}

void
take_apart(compiler *c, const js_node *n, uint16_t from, bool declares)
{
	uint16_t mark = c->f->top, o, k;

	switch (n->kind) {
	case JS_NAME:
	case JS_BIND:
	case JS_KEY: /* { name } */
		set_name(c, n, n->name, from, declares);
		break;
	case JS_DEFAULT:
		take_default(c, n, from, declares);
		break;
	case JS_ARRAY_PATTERN:
		take_array(c, n, from, declares);
		break;
	case JS_OBJECT_PATTERN:
		take_object(c, n, from, declares);
		break;
	case JS_MEMBER:
	case JS_INDEX:
		member_parts(c, n, &o, &k);
		store_member(c, n, o, k, from);
		break;
	default:
		refuse_node(c, n, "this cannot be assigned to");
		break;
	}
	regs_free(c, mark);
}

/* ------------------------------------------------------------- assignments */

static op_code
op_of_assign(unsigned token)
{
	static const uint8_t ops[T_COUNT] = {
	    [T_SET_PLUS] = OP_ADD,
	    [T_SET_MINUS] = OP_SUB,
	    [T_SET_MUL] = OP_MUL,
	    [T_SET_DIV] = OP_DIV,
	    [T_SET_MOD] = OP_MOD,
	    [T_SET_POW] = OP_POW,
	    [T_SET_SHL] = OP_SHL,
	    [T_SET_SHR] = OP_SHR,
	    [T_SET_USHR] = OP_USHR,
	    [T_SET_BIT_AND] = OP_BIT_AND,
	    [T_SET_BIT_XOR] = OP_BIT_XOR,
	    [T_SET_BIT_OR] = OP_BIT_OR,
	};

	return (op_code)ops[token];
}

/* The jump that skips &&=, ||= and ??=; NO_PC: n is another assignment. */
static uint32_t
skip_assign(compiler *c, const js_node *n, uint16_t was)
{
	uint32_t list = NO_PC, other;

	if (n->op == T_SET_AND)
		jump_join(c, &list, emit_jump(c, OP_JUMP_FALSE, was));
	else if (n->op == T_SET_OR)
		jump_join(c, &list, emit_jump(c, OP_JUMP_TRUE, was));
	else if (n->op == T_SET_COALESCE) {
		other = NO_PC;
		jump_join(c, &other, emit_jump(c, OP_JUMP_NULLISH, was));
		jump_join(c, &list, emit_jump(c, OP_JUMP));
		jump_here(c, other);
	}
	return list;
}

static bool
is_logical_assign(const js_node *n)
{
	return n->op == T_SET_AND || n->op == T_SET_OR ||
	       n->op == T_SET_COALESCE;
}

/* The key of o[k] that is read and then set is converted once, after o was found
 * to be an object. */
static void
convert_key(compiler *c, const js_node *m, uint16_t o, uint16_t k)
{
	uint32_t none;

	if (m->kind != JS_INDEX || m->child->kind == JS_SUPER ||
	    m->child->next->kind == JS_NUMBER)
		return;
	none = emit_jump(c, OP_JUMP_NULLISH, o);
	emit_op(c, OP_KEY_OF, k, k);
	jump_here(c, none);
}

/* What n assigns, into r, which holds what the target was. */
static void
new_value(compiler *c, const js_node *n, uint16_t r)
{
	uint16_t mark = c->f->top, b;
	js_name *name =
	    n->child->flags & JS_PAREN ? NULL : name_of_target(n->child);

	if (n->op == T_SET || is_logical_assign(n)) {
		expr_named(c, n->child->next, name, r);
	} else {
		b = expr(c, n->child->next, REG_ANY);
		emit_at(c, n);
		emit_op(c, op_of_assign(n->op), r, r, b);
	}
	regs_free(c, mark);
}

static void
assign_to_member(compiler *c, const js_node *n, uint16_t r)
{
	const js_node *m = n->child;
	uint32_t skip = NO_PC;
	uint16_t o, k;

	member_parts(c, m, &o, &k);
	if (n->op == T_SET) {
		expr(c, n->child->next, r);
	} else {
		convert_key(c, m, o, k);
		fetch_member(c, m, o, k, r);
		skip = skip_assign(c, n, r);
		new_value(c, n, r);
	}
	store_member(c, m, o, k, r);
	jump_here(c, skip);
}

static void
assign_to_name(compiler *c, const js_node *n, uint16_t r)
{
	uint32_t skip = NO_PC;

	if (n->op != T_SET) {
		load_name(c, n->child, n->child->name, r);
		skip = skip_assign(c, n, r);
	}
	new_value(c, n, r);
	set_name(c, n->child, n->child->name, r, false);
	jump_here(c, skip);
}

/* The variable that n is, when it can be set in its register; or NULL. */
static variable *
plain_variable(const js_node *n)
{
	variable *v = n->kind == JS_NAME ? variable_find(n->name) : NULL;

	if (v == NULL || v->captured || v->early || v->kind == VARIABLE_CONST ||
	    v->kind == VARIABLE_SELF)
		return NULL;
	return v;
}

/* x = value, x += value: in the register of x. */
static uint16_t
assign_to_variable(
    compiler *c, const js_node *n, const variable *v, uint16_t dst)
{
	uint16_t mark = c->f->top, a, b;

	if (n->op == T_SET) {
		new_value(c, n, v->at);
	} else {
		a = left_expr(c, n->child, n->child->next);
		b = expr(c, n->child->next, REG_ANY);
		emit_at(c, n);
		emit_op(c, op_of_assign(n->op), v->at, a, b);
	}
	regs_free(c, mark);
	if (dst == REG_ANY || dst == v->at)
		return v->at;
	emit_op(c, OP_MOVE, dst, v->at);
	return dst;
}

uint16_t
assign_expr(compiler *c, const js_node *n, uint16_t dst)
{
	variable *v = plain_variable(n->child);
	uint16_t r;

	if (v != NULL && !is_logical_assign(n))
		return assign_to_variable(c, n, v, dst);
	r = reg_new(c);
	if (n->child->kind == JS_NAME) {
		assign_to_name(c, n, r);
	} else if (js_is_pattern(n->child)) {
		expr(c, n->child->next, r);
		regs_free(c, (uint16_t)(r + 1));
		take_apart(c, n->child, r, false);
	} else {
		assign_to_member(c, n, r);
	}
	regs_free(c, (uint16_t)(r + 1));
	if (dst == REG_ANY)
		return r;
	emit_op(c, OP_MOVE, dst, r);
	return dst;
}

void
update_expr(compiler *c, const js_node *n, uint16_t dst, bool used)
{
	uint16_t r = reg_new(c), old, o = 0, k = 0;
	const js_node *m = n->child;
	op_code op = n->op == T_INC ? OP_INCREMENT : OP_DECREMENT;
	variable *v = plain_variable(m);

	/* i++ of a variable in a register, whose value is not used. */
	if (v != NULL && !used) {
		emit_at(c, n);
		emit_op(c, OP_TO_NUMERIC, v->at, v->at);
		emit_op(c, op, v->at, v->at);
		regs_free(c, r);
		return;
	}
	old = reg_new(c);
	if (m->kind == JS_NAME) {
		load_name(c, m, m->name, old);
	} else {
		member_parts(c, m, &o, &k);
		convert_key(c, m, o, k);
		fetch_member(c, m, o, k, old);
	}
	emit_at(c, n);
	emit_op(c, OP_TO_NUMERIC, old, old);
	emit_op(c, op, r, old);
	if (m->kind == JS_NAME)
		set_name(c, m, m->name, r, false);
	else
		store_member(c, m, o, k, r);
	emit_op(c, OP_MOVE, dst, n->flags & JS_PREFIX ? r : old);
	regs_free(c, r);
}
