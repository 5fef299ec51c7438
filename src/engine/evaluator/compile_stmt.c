/* SPDX-License-Identifier: MIT */
/* compile_stmt.c -- statements: see compile.h. */
#include "compile.h"

/* ------------------------------------------------------------------ scopes */

static void
place_variables(compiler *c, scope *s)
{
	for (variable *v = s->first; v != NULL; v = v->next) {
		if (v->kind == VARIABLE_PARAMETER)
			continue; /* function_code has placed it */
		if (v->captured)
			v->at = s->captured++;
		else
			v->at = reg_new(c);
	}
}

/* A var is undefined at first, or the parameter of its name. */
static void
begin_var(compiler *c, const variable *v)
{
	uint16_t r = v->captured ? reg_new(c) : v->at;

	if (v->copied)
		load_variable(c, v->outer, r);
	else
		emit_op(c, OP_LOAD_MISC, r, 0);
	if (v->captured) {
		store_variable(c, v, r);
		regs_free(c, r);
	}
}

static void
begin_variables(compiler *c, scope *s)
{
	for (variable *v = s->first; v != NULL; v = v->next) {
		bool let = v->kind == VARIABLE_LET ||
			   v->kind == VARIABLE_CONST ||
			   v->kind == VARIABLE_CLASS;
		uint16_t r;

		if (let && v->early && !v->captured)
			emit_op(c, OP_LOAD_MISC, v->at, 4);
		else if (v->kind == VARIABLE_VAR)
			begin_var(c, v);
		if (v->function == NULL)
			continue;
		r = v->captured ? reg_new(c) : v->at;
		function_expr(c, v->function, UINT32_MAX, r);
		store_variable(c, v, r);
		if (v->captured)
			regs_free(c, r);
	}
}

void
renew_scope(compiler *c, scope *s)
{
	if (s->captured > 0)
		emit_op(c, OP_SCOPE_NEW, s->reg, s->outer_reg, s->captured);
	begin_variables(c, s);
}

/* Scopes at run time that hold variables of s: places, a new scope. */
void
open_scope(compiler *c, scope *s)
{
	scope *outer = c->f->scope;

	s->mark = c->f->top;
	s->outer = outer;
	s->outer_reg = outer != NULL && outer->mine == c->f ? outer->reg
							    : c->f->outer_scope;
	s->reg = s->outer_reg;
	s->mine = c->f;
	c->f->scope = s;
	scope_open_names(s);
	place_variables(c, s);
	if (s->captured > 0) {
		s->reg = reg_new(c);
		emit_op(c, OP_SCOPE_NEW, s->reg, s->outer_reg, s->captured);
	}
}

scope *
enter_scope(compiler *c, const js_node *node)
{
	scope *s = scope_opened(c, node);

	open_scope(c, s);
	begin_variables(c, s);
	return s;
}

void
leave_scope(compiler *c, scope *s)
{
	scope_close_names(s);
	c->f->scope = s->outer;
	regs_free(c, s->mark);
}

/* -------------------------------------------------------------------- loops */

static void
loop_body(compiler *c, target *t, const js_node *body)
{
	t->loop = true;
	statement(c, body);
	jump_here(c, t->continues);
}

static void
while_statement(compiler *c, const js_node *n)
{
	uint32_t top = c->f->out->len;
	target t;

	open_target(c, &t, n);
	expr_jump(c, n->child, false, &t.breaks);
	loop_body(c, &t, n->child->next);
	jump_back(c, OP_LOOP, top);
	c->f->target = t.outer;
	jump_here(c, t.breaks);
}

static void
do_statement(compiler *c, const js_node *n)
{
	uint32_t top = c->f->out->len;
	target t;

	open_target(c, &t, n);
	loop_body(c, &t, n->child);
	expr_jump(c, n->child->next, false, &t.breaks);
	jump_back(c, OP_LOOP, top);
	c->f->target = t.outer;
	jump_here(c, t.breaks);
}

static void
for_init(compiler *c, const js_node *init)
{
	if (init != NULL && init->kind == JS_VAR)
		statement(c, init);
	else if (init != NULL)
		expr_drop(c, init);
}

static void
for_loop(compiler *c, const js_node *n, const scope *s)
{
	const js_node *test = js_field(n, 1), *update = js_field(n, 2);
	uint32_t top;
	target t;

	for_init(c, js_field(n, 0));
	if (s->captured > 0)
		emit_op(c, OP_SCOPE_COPY, s->reg, s->reg);
	top = c->f->out->len;
	open_target(c, &t, n);
	if (test != NULL)
		expr_jump(c, test, false, &t.breaks);
	loop_body(c, &t, js_field(n, 3));
	if (s->captured > 0)
		emit_op(c, OP_SCOPE_COPY, s->reg, s->reg);
	if (update != NULL)
		expr_drop(c, update);
	jump_back(c, OP_LOOP, top);
	c->f->target = t.outer;
	jump_here(c, t.breaks);
}

static void
for_statement(compiler *c, const js_node *n)
{
	const js_node *init = js_field(n, 0);
	scope *s = enter_scope(c, n);
	using_block u;

	if (init != NULL && declares_using(init)) {
		open_using(c, &u, init, init->op == T_AWAIT);
		for_loop(c, n, s);
		close_using(c, &u);
	} else {
		for_loop(c, n, s);
	}
	leave_scope(c, s);
}

/* for (left of value): what each turn does with the value. */
static void
set_left(compiler *c, const js_node *left, uint16_t from)
{
	if (declares_using(left))
		use_resource(c, left, from, left->op == T_AWAIT);
	if (left->kind == JS_VAR)
		take_apart(c, left->child->child, from, true);
	else
		take_apart(c, left, from, false);
}

static void
each_turn(compiler *c, target *t, const js_node *left, uint16_t item)
{
	const js_node *body = left->next->next;
	using_block u;

	t->loop = true;
	if (declares_using(left)) {
		open_using(c, &u, left, left->op == T_AWAIT);
		set_left(c, left, item);
		statement(c, body);
		close_using(c, &u);
	} else {
		set_left(c, left, item);
		statement(c, body);
	}
	jump_here(c, t->continues);
}

/* for (var x = 1 in o), of sloppy code. */
static void
set_var_before(compiler *c, const js_node *left)
{
	const js_node *d = left->child;
	uint16_t r;

	if (left->kind != JS_VAR || left->op != T_VAR ||
	    d->child->next == NULL || d->child->kind != JS_BIND)
		return;
	r = expr_named(c, d->child->next, d->child->name, reg_new(c));
	set_name(c, d->child, d->child->name, r, true);
	regs_free(c, r);
}

static void
for_each_statement(compiler *c, const js_node *n)
{
	const js_node *left = n->child, *right = left->next;
	uint16_t it = regs_new(c, 3), item = reg_new(c), what = reg_new(c);
	bool of = n->kind == JS_FOR_OF, later = n->flags & JS_ASYNC;
	uint32_t top, begin, end = NO_PC;
	scope *s = enter_scope(c, n);
	uint16_t mark = c->f->top;
	target t;

	set_var_before(c, left);
	emit_at(c, right);
	emit_op(c,
	    later ? OP_ITERATE_ASYNC
	    : of  ? OP_ITERATE
		  : OP_KEYS,
	    it, expr(c, right, REG_ANY));
	regs_free(c, mark);
	top = c->f->out->len;
	open_target(c, &t, n);
	t.closes = of;
	t.what = what;
	emit_at(c, right);
	if (later)
		next_later(c, item, it, &end);
	else
		jump_join(c, &end, emit_jump(c, OP_NEXT, item, it));
	begin = c->f->out->len;
	renew_scope(c, s);
	each_turn(c, &t, left, item);
	jump_back(c, OP_LOOP, top);
	c->f->target = t.outer;
	if (of)
		end_closing(c, &t, begin, it, later);
	jump_here(c, t.breaks);
	jump_here(c, end);
	leave_scope(c, s);
	regs_free(c, it);
}

/* --------------------------------------------------------- switch, try, var */

/* Jumps to the cases: the first of each case is in to. */
static void
switch_tests(compiler *c, const js_node *cases, uint16_t v, uint32_t *to)
{
	uint16_t mark = c->f->top;

	for (const js_node *k = cases; k != NULL; k = k->next, to++) {
		*to = NO_PC;
		if (k->child == NULL || k->child->kind == JS_NONE)
			continue;
		emit_at(c, k->child);
		jump_join(c, to,
		    emit_jump(c, OP_JUMP_SAME, v, expr(c, k->child, REG_ANY)));
		regs_free(c, mark);
	}
}

static void
switch_bodies(compiler *c, const js_node *cases, const uint32_t *to)
{
	uint32_t others = emit_jump(c, OP_JUMP);
	bool found = false;

	for (const js_node *k = cases; k != NULL; k = k->next, to++) {
		jump_here(c, *to);
		if (k->child == NULL || k->child->kind == JS_NONE) {
			jump_here(c, others);
			found = true;
		}
		if (k->child != NULL)
			statements(c, k->child->next);
	}
	if (!found)
		jump_here(c, others);
}

static void
compile_switch(compiler *c, const js_node *n)
{
	uint16_t mark = c->f->top, v = reg_new(c);
	const js_node *cases = n->child->next;
	uint32_t *to;
	size_t count = 0;
	scope *s;
	target t;

	for (const js_node *k = cases; k != NULL; k = k->next)
		count++;
	to = arena_take(&c->work, (count + 1) * sizeof(*to));
	if (to == NULL)
		return;
	expr(c, n->child, v);
	regs_free(c, (uint16_t)(v + 1));
	s = enter_scope(c, n);
	open_target(c, &t, n);
	switch_tests(c, cases, v, to);
	switch_bodies(c, cases, to);
	c->f->target = t.outer;
	jump_here(c, t.breaks);
	leave_scope(c, s);
	regs_free(c, mark);
}

static void
compile_catch(compiler *c, const js_node *n, uint16_t error)
{
	scope *s = enter_scope(c, n);
	const js_node *binding = js_field(n, 0);

	if (binding != NULL)
		take_apart(c, binding, error, true);
	statement(c, js_field(n, 1));
	leave_scope(c, s);
}

static void
try_catch(compiler *c, const js_node *n, uint16_t error)
{
	uint32_t begin = c->f->out->len, end, over;

	statement(c, n->child);
	end = c->f->out->len;
	over = emit_jump(c, OP_JUMP);
	add_handler(c, begin, end, c->f->out->len, error);
	compile_catch(c, js_field(n, 1), error);
	jump_here(c, over);
}

static void
compile_try(compiler *c, const js_node *n)
{
	const js_node *finally = js_field(n, 2);
	uint16_t error = reg_new(c);
	uint32_t begin;
	target t;

	if (finally == NULL) {
		try_catch(c, n, error);
		regs_free(c, error);
		return;
	}
	open_finally(c, &t, n, error);
	begin = c->f->out->len;
	if (js_field(n, 1) != NULL)
		try_catch(c, n, reg_new(c));
	else
		statement(c, n->child);
	begin_finally(c, &t, begin);
	statement(c, finally);
	end_finally(c, &t);
	regs_free(c, error);
}

/* The first value of a variable, in a register; its own where that can be. */
static uint16_t
initial_value(compiler *c, const js_node *binding, const js_node *init)
{
	variable *v;
	uint16_t r;

	if (init == NULL) {
		r = reg_new(c);
		emit_op(c, OP_LOAD_MISC, r, 0);
		return r;
	}
	if (binding->kind != JS_BIND)
		return expr(c, init, REG_ANY);
	v = variable_find(binding->name);
	return expr_named(c, init, binding->name,
	    v != NULL && !v->captured && !v->early ? v->at : REG_ANY);
}

static void
compile_var(compiler *c, const js_node *n)
{
	for (const js_node *d = n->child; d != NULL; d = d->next) {
		const js_node *binding = d->child, *init = binding->next;
		uint16_t mark = c->f->top, r;

		if (init == NULL && n->op == T_VAR)
			continue;
		r = initial_value(c, binding, init);
		if (declares_using(n))
			use_resource(c, d, r, n->op == T_AWAIT);
		take_apart(c, binding, r, true);
		regs_free(c, mark);
	}
}

/* In a block of sloppy code: the var of its name gets it, too. */
static void
function_statement(compiler *c, const js_node *n)
{
	variable *v = variable_find(n->child->name);
	variable *var = v ? v->outer : NULL;
	uint16_t r;

	if (v == NULL || c->f->scope->function || var == NULL ||
	    !var->scope->function || var->kind != VARIABLE_VAR ||
	    var->scope->mine != c->f || function_is_strict(n))
		return;
	r = reg_new(c);
	load_name(c, n, n->child->name, r);
	n->child->name->scratch[0] = var;
	set_name(c, n, n->child->name, r, true);
	n->child->name->scratch[0] = v;
	regs_free(c, r);
}

static void
compile_if(compiler *c, const js_node *n)
{
	uint32_t other = NO_PC, end;

	expr_jump(c, n->child, false, &other);
	statement(c, n->child->next);
	if (js_field(n, 2) != NULL) {
		end = emit_jump(c, OP_JUMP);
		jump_here(c, other);
		statement(c, js_field(n, 2));
		other = end;
	}
	jump_here(c, other);
}

static void
compile_return(compiler *c, const js_node *n)
{
	unsigned both = CODE_ASYNC | CODE_GENERATOR;
	bool awaits = (c->f->out->flags & both) == both;
	uint16_t mark = c->f->top, r;

	if (js_field(n, 0) != NULL) {
		r = expr(c, n->child, awaits ? reg_new(c) : REG_ANY);
		if (awaits)
			emit_await(c, r);
	} else {
		r = reg_new(c);
		emit_op(c, OP_LOAD_MISC, r, 0);
	}
	emit_at(c, n);
	return_value(c, r);
	regs_free(c, mark);
}

static void
label_statement(compiler *c, const js_node *n)
{
	const js_node *body = n->child->next;
	target t;

	if (body->kind == JS_FOR || body->kind == JS_FOR_IN ||
	    body->kind == JS_FOR_OF || body->kind == JS_WHILE ||
	    body->kind == JS_DO || body->kind == JS_SWITCH ||
	    body->kind == JS_LABEL) {
		statement(c, body);
		return;
	}
	open_target(c, &t, body);
	t.plain = true;
	statement(c, body);
	c->f->target = t.outer;
	jump_here(c, t.breaks);
}

/* --------------------------------------------------------------------- door */

void
statements(compiler *c, const js_node *n)
{
	for (; n != NULL; n = n->next)
		statement(c, n);
}

static void
block_statement(compiler *c, const js_node *n)
{
	scope *s = enter_scope(c, n);

	statements_using(c, n, n->child);
	leave_scope(c, s);
}

static void
class_statement(compiler *c, const js_node *n)
{
	uint16_t r = reg_new(c);

	class_expr(c, n, UINT32_MAX, REG_ANY, r);
	set_name(c, n, n->child->name, r, true);
	regs_free(c, r);
}

static void
compile_throw(compiler *c, const js_node *n)
{
	uint16_t mark = c->f->top, r = expr(c, n->child, REG_ANY);

	emit_at(c, n);
	emit_op(c, OP_THROW, r);
	regs_free(c, mark);
}

void
statement(compiler *c, const js_node *n)
{
	if (!compile_has_room(c, n))
		return;
	switch (n->kind) {
	case JS_EXPR:
		expr_drop(c, n->child);
		break;
	case JS_VAR:
		compile_var(c, n);
		break;
	case JS_BLOCK:
		block_statement(c, n);
		break;
	case JS_IF:
		compile_if(c, n);
		break;
	case JS_FOR:
		for_statement(c, n);
		break;
	case JS_FOR_IN:
	case JS_FOR_OF:
		for_each_statement(c, n);
		break;
	case JS_WHILE:
		while_statement(c, n);
		break;
	case JS_DO:
		do_statement(c, n);
		break;
	case JS_BREAK:
	case JS_CONTINUE:
		compile_jump(c, n);
		break;
	case JS_RETURN:
		compile_return(c, n);
		break;
	case JS_THROW:
		compile_throw(c, n);
		break;
	case JS_TRY:
		compile_try(c, n);
		break;
	case JS_SWITCH:
		compile_switch(c, n);
		break;
	case JS_LABEL:
		label_statement(c, n);
		break;
	case JS_FUNCTION_DECL:
		function_statement(c, n);
		break;
	case JS_CLASS_DECL:
		class_statement(c, n);
		break;
	case JS_EMPTY:
	case JS_DEBUGGER:
		break;
	case JS_WITH:
		refuse_node(c, n, "'with' is left out: name the object");
		break;
	default:
		refuse_node(c, n, "this statement cannot be run here");
		break;
	}
}
