/* SPDX-License-Identifier: MIT */
/*
 * compile_leave.c -- how statements are left: see compile.h.
 *
 * A finally block stands in the code once. Each way into it writes its number
 * into a register: 0 goes on behind it, 1 throws, others go on leaving. What
 * closes an iterator stands behind its loop, once for each way out, so that
 * what it throws is caught around the loop and not by a try inside.
 */
#include "compile.h"
#include "vm.h"

void
open_target(compiler *c, target *t, const js_node *n)
{
	*t = (target){.outer = c->f->target,
	    .node = n,
	    .breaks = NO_PC,
	    .continues = NO_PC};
	c->f->target = t;
}

static void
take_way(compiler *c, target *t, target *to, bool continues)
{
	unsigned i = 0;
	way *list;

	while (i < t->ways &&
	       (t->way[i].to != to || t->way[i].continues != continues))
		i++;
	if (i == t->ways) {
		list = arena_grow(
		    &c->work, t->way, &t->way_cap, t->ways, sizeof(*list));
		if (list == NULL)
			return;
		t->way = list;
		t->way[t->ways++] = (way){to, continues, NO_PC};
	}
	if (t->finally)
		emit_op(c, OP_LOAD_INT, t->how, i + 2);
	jump_join(c, &t->way[i].list, emit_jump(c, OP_JUMP));
}

/* Leaves what is around, from the inside, until `to` (NULL: everything). False:
 * a statement on the way does something first, and knows how to go on. */
static bool
leave_until(compiler *c, target *to, bool continues, uint16_t what)
{
	for (target *t = c->f->target; t != NULL; t = t->outer) {
		if (t == to && continues)
			return true;
		if (t->finally || t->closes) {
			if (what != REG_ANY)
				emit_op(c, OP_MOVE, t->what, what);
			take_way(c, t, to, continues);
			return false;
		}
		if (t == to)
			return true;
	}
	return true;
}

static void
go_to(compiler *c, target *to, bool continues)
{
	if (!leave_until(c, to, continues, REG_ANY))
		return;
	jump_join(
	    c, continues ? &to->continues : &to->breaks, emit_jump(c, OP_JUMP));
}

void
emit_return(compiler *c, uint16_t from)
{
	uint16_t r;
	uint32_t set;

	if (this_variable(c) == NULL || c->f->out->flags & CODE_ARROW) {
		emit_op(c, OP_RETURN, from);
		return;
	}
	r = reg_new(c);
	emit_op(c, OP_MOVE, r, from);
	set = emit_jump(c, OP_JUMP_SET, r);
	load_this(c, r);
	jump_here(c, set);
	emit_op(c, OP_RETURN, r);
	regs_free(c, r);
}

void
return_value(compiler *c, uint16_t from)
{
	if (leave_until(c, NULL, false, from))
		emit_return(c, from);
}

static bool
has_label(const target *t, const js_name *label)
{
	const js_node *n = t->node;

	while ((n = n->parent) != NULL && n->kind == JS_LABEL)
		if (n->child->name == label)
			return true;
	return false;
}

static target *
target_of_jump(compiler *c, const js_node *n)
{
	js_name *label = n->child ? n->child->name : NULL;

	for (target *t = c->f->target; t != NULL; t = t->outer)
		if (!t->finally && (n->kind == JS_BREAK || t->loop) &&
		    (label ? has_label(t, label) : !t->plain))
			return t;
	refuse_node(c, n,
	    n->kind == JS_BREAK ? "break must be inside loop or switch"
				: "continue must be inside loop");
	return NULL;
}

void
compile_jump(compiler *c, const js_node *n)
{
	target *t = target_of_jump(c, n);

	if (t != NULL)
		go_to(c, t, n->kind == JS_CONTINUE);
}

/* A way goes on outside of t, which is no longer open. */
static void
follow_way(compiler *c, const target *t, const way *w)
{
	if (w->to == NULL)
		return_value(c, t->what);
	else
		go_to(c, w->to, w->continues);
}

/* --------------------------------------------------------------- iterators */

static void
close_iterator(compiler *c, uint16_t it, bool later, bool quiet)
{
	if (later)
		close_later(c, it, quiet);
	else
		emit_op(c, OP_CLOSE, it, quiet);
}

void
end_closing(compiler *c, target *t, uint32_t begin, uint16_t it, bool later)
{
	uint32_t end = c->f->out->len, over;

	c->f->target = t->outer;
	over = emit_jump(c, OP_JUMP);
	add_handler(c, begin, end, c->f->out->len, t->what);
	close_iterator(c, it, later, true);
	emit_op(c, OP_THROW, t->what);
	for (unsigned i = 0; i < t->ways; i++) {
		const way *w = &t->way[i];

		jump_here(c, w->list);
		close_iterator(c, it, later, false);
		if (w->to == t)
			jump_join(c, &t->breaks, emit_jump(c, OP_JUMP));
		else
			follow_way(c, t, w);
	}
	jump_here(c, over);
}

/* ------------------------------------------------------------------ finally */

void
open_finally(compiler *c, target *t, const js_node *n, uint16_t what)
{
	open_target(c, t, n);
	t->finally = t->plain = true;
	t->how = reg_new(c);
	t->what = what;
}

void
begin_finally(compiler *c, target *t, uint32_t begin)
{
	uint32_t end, over;

	emit_op(c, OP_LOAD_INT, t->how, 0);
	end = c->f->out->len;
	c->f->target = t->outer;
	over = emit_jump(c, OP_JUMP);
	add_handler(c, begin, end, c->f->out->len, t->what);
	emit_op(c, OP_LOAD_INT, t->how, 1);
	jump_here(c, over);
	for (unsigned i = 0; i < t->ways; i++)
		jump_here(c, t->way[i].list);
}

void
end_finally(compiler *c, target *t)
{
	uint32_t first, over = NO_PC;

	emit_op(c, OP_SWITCH, t->how, t->ways + 2);
	first = c->f->out->len;
	for (unsigned i = 0; i < t->ways + 2; i++)
		emit_place(c);
	jump_join(c, &over, first);
	jump_here(c, first + 2);
	emit_op(c, OP_THROW, t->what);
	for (unsigned i = 0; i < t->ways; i++) {
		jump_here(c, first + 4 + 2 * i);
		follow_way(c, t, &t->way[i]);
	}
	jump_here(c, over);
}

/* -------------------------------------------------------------------- using */

bool
declares_using(const js_node *n)
{
	return n->kind == JS_VAR && (n->op == T_USING || n->op == T_AWAIT);
}

static void
call_realm(compiler *c, uint16_t base, int which, unsigned argc)
{
	emit_op(c, OP_REALM_GET, base, which);
	emit_op(c, OP_LOAD_MISC, base + 1, 0);
	emit_op(c, OP_CALL, base, base, argc);
}

void
use_resource(compiler *c, const js_node *n, uint16_t given, bool later)
{
	uint16_t base = regs_new(c, 5);

	emit_op(c, OP_MOVE, base + 2, c->f->resources);
	emit_op(c, OP_MOVE, base + 3, given);
	emit_op(c, OP_LOAD_MISC, base + 4, later ? 3 : 2);
	emit_at(c, n);
	call_realm(c, base, R_slow_using, 3);
	regs_free(c, base);
}

/* The list, how the block ended (1: thrown) and what was thrown; it throws what
 * the block then throws. */
static void
dispose_resources(compiler *c, const target *t, uint16_t list, bool later)
{
	uint16_t base = regs_new(c, 5);

	emit_op(c, OP_MOVE, base + 2, list);
	emit_op(c, OP_MOVE, base + 3, t->how);
	emit_op(c, OP_MOVE, base + 4, t->what);
	call_realm(c, base, later ? R_slow_dispose_later : R_slow_dispose, 3);
	if (later)
		emit_await(c, base);
	regs_free(c, base);
}

void
open_using(compiler *c, using_block *u, const js_node *n, bool later)
{
	u->mark = c->f->top;
	u->outer = c->f->resources;
	u->list = regs_new(c, 2);
	u->later = later;
	emit_op(c, OP_ARRAY_NEW, u->list, 0);
	open_finally(c, &u->target, n, (uint16_t)(u->list + 1));
	c->f->resources = u->list;
	u->begin = c->f->out->len;
}

void
close_using(compiler *c, using_block *u)
{
	c->f->resources = u->outer;
	begin_finally(c, &u->target, u->begin);
	dispose_resources(c, &u->target, u->list, u->later);
	end_finally(c, &u->target);
	regs_free(c, u->mark);
}

void
statements_using(compiler *c, const js_node *n, const js_node *first)
{
	bool any = false, later = false;
	using_block u;

	for (const js_node *s = first; s != NULL; s = s->next) {
		any = any || declares_using(s);
		later = later || (declares_using(s) && s->op == T_AWAIT);
	}
	if (!any) {
		statements(c, first);
		return;
	}
	open_using(c, &u, n, later);
	statements(c, first);
	close_using(c, &u);
}
