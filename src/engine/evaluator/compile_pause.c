/* SPDX-License-Identifier: MIT */
/*
 * compile_pause.c -- where a function waits: await, yield, and the iterators of
 * for await, whose steps are awaited.
 */
#include "compile.h"

void
emit_await(compiler *c, uint16_t r)
{
	emit_op(c, OP_AWAIT, r, r);
}

uint16_t
await_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t mark = c->f->top, r = expr(c, n->child, REG_ANY);

	regs_free(c, mark);
	dst = dst == REG_ANY ? reg_new(c) : dst;
	emit_at(c, n);
	emit_op(c, OP_AWAIT, dst, r);
	return dst;
}

static bool
compiles_async(const compiler *c)
{
	return c->f->out->flags & CODE_ASYNC;
}

static void
check_result(compiler *c, uint16_t r)
{
	emit_op(c, OP_CHECK_OBJECT, r,
	    constant_text(c, TEXT("iterator must return an object")));
}

/* --------------------------------------------------------------- for await */

void
next_later(compiler *c, uint16_t item, uint16_t it, uint32_t *end)
{
	uint16_t base = regs_new(c, 2);
	uint32_t more;

	/* What next() throws does not close the iterator. */
	emit_op(c, OP_LOAD_MISC, it + 2, 3);
	emit_op(c, OP_MOVE, base, it + 1);
	emit_op(c, OP_MOVE, base + 1, it);
	emit_op(c, OP_CALL, base, base, 0);
	emit_await(c, base);
	check_result(c, base);
	get_named(c, (uint16_t)(base + 1), base, "done");
	more = emit_jump(c, OP_JUMP_FALSE, base + 1);
	jump_join(c, end, emit_jump(c, OP_JUMP));
	jump_here(c, more);
	get_named(c, item, base, "value");
	emit_op(c, OP_LOAD_MISC, it + 2, 2);
	regs_free(c, base);
}

void
close_later(compiler *c, uint16_t it, bool quiet)
{
	uint16_t base = regs_new(c, 2);
	uint32_t begin, end = NO_PC;

	jump_join(c, &end, emit_jump(c, OP_JUMP_TRUE, it + 2));
	emit_op(c, OP_LOAD_MISC, it + 2, 3);
	begin = c->f->out->len;
	get_named(c, base, it, "return");
	jump_join(c, &end, emit_jump(c, OP_JUMP_NULLISH, base));
	emit_op(c, OP_MOVE, base + 1, it);
	emit_op(c, OP_CALL, base, base, 0);
	emit_await(c, base);
	if (quiet)
		add_handler(c, begin, c->f->out->len, c->f->out->len, base);
	else
		check_result(c, base);
	jump_here(c, end);
	regs_free(c, base);
}

/* ------------------------------------------------------------------- yield */

/* yield of what is in r; r and r + 1 are how the function goes on. */
static void
emit_yield(compiler *c, const js_node *n, uint16_t r)
{
	uint32_t returned, over;

	if (compiles_async(c))
		emit_await(c, r);
	emit_at(c, n);
	emit_op(c, OP_YIELD, r, r);
	returned = emit_jump(c, OP_RESUMED, r, r);
	over = emit_jump(c, OP_JUMP);
	jump_here(c, returned);
	if (compiles_async(c))
		emit_await(c, r);
	return_value(c, r);
	jump_here(c, over);
}

/* yield*: r and r + 1 are what the inner iterator gets: a value, and 0 next(),
 * 1 throw(), 2 return(). */
typedef struct delegation {
	uint16_t it, r, call;
	uint32_t yields; /* jumps to where the result in .call is yielded */
	uint32_t done;   /* jumps to the end, its value in .call */
} delegation;

/* Calls the method in .call on the iterator with .r. */
static void
call_inner(compiler *c, const delegation *d)
{
	uint16_t call = d->call;

	emit_op(c, OP_MOVE, call + 1, d->it);
	emit_op(c, OP_MOVE, call + 2, d->r);
	emit_op(c, OP_CALL, call, call, 1);
	if (compiles_async(c))
		emit_await(c, call);
	check_result(c, call);
}

static void
pass_next(compiler *c, delegation *d)
{
	uint16_t done = (uint16_t)(d->call + 1);

	call_inner(c, d);
	get_named(c, done, d->call, "done");
	jump_join(c, &d->yields, emit_jump(c, OP_JUMP_FALSE, done));
	get_named(c, d->call, d->call, "value");
	jump_join(c, &d->done, emit_jump(c, OP_JUMP));
}

static void
pass_throw(compiler *c, delegation *d)
{
	uint32_t none;

	get_named(c, d->call, d->it, "throw");
	none = emit_jump(c, OP_JUMP_NULLISH, d->call);
	pass_next(c, d);
	jump_here(c, none);
	if (compiles_async(c))
		close_later(c, d->it, false);
	else
		emit_op(c, OP_CLOSE, d->it, 0);
	emit_op(c, OP_THROW_NEW, 1,
	    constant_text(c, TEXT("iterator does not have a throw method")));
}

static void
pass_return(compiler *c, delegation *d)
{
	uint16_t done = (uint16_t)(d->call + 1);
	uint32_t none;

	get_named(c, d->call, d->it, "return");
	none = emit_jump(c, OP_JUMP_NULLISH, d->call);
	call_inner(c, d);
	get_named(c, done, d->call, "done");
	jump_join(c, &d->yields, emit_jump(c, OP_JUMP_FALSE, done));
	get_named(c, d->r, d->call, "value");
	return_value(c, d->r);
	jump_here(c, none);
	if (compiles_async(c))
		emit_await(c, d->r);
	return_value(c, d->r);
}

/* Yields, and goes on at top. An async generator awaits what return() gave; when
 * that throws it is as if throw() had been called. */
static void
pass_yield(compiler *c, const delegation *d, uint32_t top)
{
	uint32_t begin, other;

	if (!compiles_async(c)) {
		emit_op(c, OP_YIELD_RESULT, d->r, d->call);
		jump_back(c, OP_LOOP, top);
		return;
	}
	get_named(c, d->r, d->call, "value");
	emit_op(c, OP_YIELD, d->r, d->r);
	emit_op(c, OP_LOAD_INT, d->call, 2);
	other = emit_jump(c, OP_JUMP_NOT_SAME, d->r + 1, d->call);
	begin = c->f->out->len;
	emit_await(c, d->r);
	add_handler(c, begin, c->f->out->len, c->f->out->len + 3, d->r);
	jump_back(c, OP_LOOP, top);
	emit_op(c, OP_LOAD_INT, d->r + 1, 1);
	jump_here(c, other);
	jump_back(c, OP_LOOP, top);
}

static void
delegate_expr(compiler *c, const js_node *n, uint16_t r)
{
	delegation d = {.r = r, .yields = NO_PC, .done = NO_PC};
	uint32_t top, first;

	d.it = regs_new(c, 3);
	d.call = regs_new(c, 3);
	expr(c, n->child, d.call);
	emit_at(c, n);
	emit_op(c, compiles_async(c) ? OP_ITERATE_ASYNC : OP_ITERATE_PLAIN,
	    d.it, d.call);
	emit_op(c, OP_LOAD_MISC, d.it + 2, 2);
	emit_op(c, OP_LOAD_MISC, r, 0);
	emit_op(c, OP_LOAD_INT, r + 1, 0);
	top = c->f->out->len;
	emit_op(c, OP_SWITCH, r + 1, 3);
	first = c->f->out->len;
	for (int i = 0; i < 3; i++)
		emit_place(c);
	jump_here(c, first);
	emit_op(c, OP_MOVE, d.call, d.it + 1);
	pass_next(c, &d);
	jump_here(c, first + 2);
	pass_throw(c, &d);
	jump_here(c, first + 4);
	pass_return(c, &d);
	jump_here(c, d.yields);
	pass_yield(c, &d, top);
	jump_here(c, d.done);
	emit_op(c, OP_MOVE, r, d.call);
}

uint16_t
yield_expr(compiler *c, const js_node *n, uint16_t dst)
{
	uint16_t r = regs_new(c, 2);

	if (n->flags & JS_GENERATOR) {
		delegate_expr(c, n, r);
	} else {
		if (n->child != NULL && n->child->kind != JS_NONE)
			expr(c, n->child, r);
		else
			emit_op(c, OP_LOAD_MISC, r, 0);
		emit_yield(c, n, r);
	}
	regs_free(c, (uint16_t)(r + 1));
	if (dst == REG_ANY || dst == r)
		return r;
	emit_op(c, OP_MOVE, dst, r);
	return dst;
}
