/* SPDX-License-Identifier: MIT */
/* compile.c -- registers, instructions, jumps, constants: see compile.h. */
#include "compile.h"

#include "base/stack.h"

#include <stdarg.h>

const char *const op_names[OPS] = {
#define OP(name, operands, does) #name,
#include "code.def"
#undef OP
};

const char *const op_operands[OPS] = {
#define OP(name, operands, does) operands,
#include "code.def"
#undef OP
};

enum {
	REGISTERS_MAX = 60000,
	OPERAND_MAX = 0xffff,
	UNIT_MAX = 256 << 20,
	STACK_RESERVE = 32 << 10 /* bytes, enough between two looks at it */
};

void
refuse_node(compiler *c, const js_node *n, const char *why)
{
	if (c->fault->why == NULL)
		*c->fault = (compile_fault){why, n->start, n->end};
}

bool
compile_has_room(compiler *c, const js_node *n)
{
	if (stack_here() > c->stack_floor)
		return true;
	refuse_node(c, n, "the script is nested too deeply here");
	return false;
}

/* --------------------------------------------------------------- registers */

uint16_t
regs_new(compiler *c, unsigned n)
{
	function_state *f = c->f;
	uint16_t first = f->top;

	if (f->top + n > REGISTERS_MAX) {
		refuse_node(c, f->node, "the function has too many variables");
		return 0;
	}
	f->top = (uint16_t)(f->top + n);
	if (f->top > f->out->registers)
		f->out->registers = f->top;
	return first;
}

uint16_t
reg_new(compiler *c)
{
	return regs_new(c, 1);
}

void
regs_free(compiler *c, uint16_t from)
{
	c->f->top = from;
}

/* ------------------------------------------------------------ instructions */

static void
put_op_unit(compiler *c, uint32_t u)
{
	code *out = c->f->out;
	uint16_t *op;

	if (u > OPERAND_MAX && u < UINT32_MAX - INT16_MAX)
		refuse_node(c, c->f->node, "the script is too large");
	op = arena_grow(
	    c->arena, out->op, &c->f->op_cap, out->len, sizeof(*out->op));
	if (op == NULL)
		return;
	out->op = op;
	out->op[out->len++] = (uint16_t)u;
}

static void
put_operands(compiler *c, op_code op, va_list args)
{
	put_op_unit(c, op);
	for (const char *p = op_operands[op]; *p != '\0'; p++)
		if (*p == 'c')
			put_op_unit(c, c->f->out->caches++);
		else if (*p != 'j')
			put_op_unit(c, (uint32_t)va_arg(args, int));
}

void
emit_op(compiler *c, op_code op, ...)
{
	va_list args;

	va_start(args, op);
	put_operands(c, op, args);
	va_end(args);
}

/* Which byte of the source an error of this node is about, as the other engine
 * has it: of a call the name of the method, of `new` the class, of an operator
 * its right side. */
static uint32_t
jump_place(const js_node *n)
{
	const js_node *f = n->child;

	if (n->kind == JS_AWAIT)
		return f != NULL ? jump_place(f) : n->start;
	if ((n->kind != JS_CALL && n->kind != JS_NEW && n->kind != JS_BINARY) ||
	    f == NULL)
		return n->start;
	if (n->kind == JS_BINARY)
		return f->next->start;
	if (n->kind == JS_NEW)
		return f->start;
	f = js_unchained(f);
	if (f->kind == JS_MEMBER ||
	    (f->kind == JS_INDEX && f->child->next->kind == JS_NAME))
		return f->child->next->start;
	return n->start;
}

void
emit_at(compiler *c, const js_node *n)
{
	code *out = c->f->out;
	uint32_t at = jump_place(n);
	code_line *line;

	if (at == c->f->latest_at)
		return;
	c->f->latest_at = at;
	line = arena_grow(
	    c->arena, out->line, &c->f->line_cap, out->lines, sizeof(*line));
	if (line == NULL)
		return;
	out->line = line;
	out->line[out->lines++] = (code_line){out->len, at};
}

/* ------------------------------------------------------------------- jumps */

/* The place of a jump is two units. Until it is known they hold the next jump
 * of the list, NO_PC at its end. */
static void
set_place(compiler *c, uint32_t at, uint32_t to)
{
	uint16_t *op = c->f->out->op;

	if (op == NULL || at + 1 >= c->f->out->len)
		return;
	op[at] = (uint16_t)to;
	op[at + 1] = (uint16_t)(to >> 16);
}

static uint32_t
get_place(const compiler *c, uint32_t at)
{
	const uint16_t *op = c->f->out->op;

	if (op == NULL || at + 1 >= c->f->out->len)
		return NO_PC;
	return op[at] | (uint32_t)op[at + 1] << 16;
}

uint32_t
emit_place(compiler *c)
{
	uint32_t at = c->f->out->len;

	put_op_unit(c, NO_PC & 0xffff);
	put_op_unit(c, NO_PC >> 16);
	return at;
}

uint32_t
emit_jump(compiler *c, op_code op, ...)
{
	va_list args;

	va_start(args, op);
	put_operands(c, op, args);
	va_end(args);
	return emit_place(c);
}

void
jump_join(compiler *c, uint32_t *list, uint32_t jump)
{
	set_place(c, jump, *list);
	*list = jump;
}

void
jump_here(compiler *c, uint32_t list)
{
	while (list != NO_PC && c->arena->bad == CM_OK) {
		uint32_t next = get_place(c, list);

		set_place(c, list, c->f->out->len - list);
		list = next;
	}
}

void
jump_back(compiler *c, op_code op, uint32_t to)
{
	uint32_t at = emit_jump(c, op);

	set_place(c, at, to - at);
}

void
add_handler(compiler *c, uint32_t from, uint32_t to, uint32_t pc, uint16_t reg)
{
	code *out = c->f->out;
	handler *h = arena_grow(c->arena, out->handler, &c->f->handler_cap,
	    out->handlers, sizeof(*h));

	if (h == NULL)
		return;
	out->handler = h;
	out->handler[out->handlers++] = (handler){from, to, pc, reg};
}

/* --------------------------------------------------------------- constants */

static uint32_t
add_constant(compiler *c, constant k)
{
	unit *u = c->unit;
	constant *list = arena_grow(c->arena, u->constant, &c->constant_cap,
	    u->constants, sizeof(*list));

	if (list == NULL)
		return 0;
	u->constant = list;
	u->constant[u->constants] = k;
	return u->constants++;
}

static text
keep_constant_text(compiler *c, text t)
{
	char *copy = arena_take(c->arena, t.len + 1);

	if (copy == NULL)
		return TEXT_NONE;
	if (t.len > 0)
		memcpy(copy, t.ptr, t.len);
	return (text){copy, t.len};
}

uint32_t
constant_text(compiler *c, text t)
{
	uint32_t k = map_get(&c->texts, t);

	if (k != MAP_NONE)
		return k;
	t = keep_constant_text(c, t); /* the map borrows it */
	k = add_constant(c, (constant){.kind = CONSTANT_STRING, .text = t});
	if (map_set(&c->texts, t, k) != CM_OK)
		c->bad = CM_ENOMEM;
	return k;
}

uint32_t
constant_of_name(compiler *c, const js_name *n)
{
	return constant_text(c, n->text);
}

uint32_t
constant_number(compiler *c, double d)
{
	return add_constant(
	    c, (constant){.kind = CONSTANT_NUMBER, .number = d});
}

uint32_t
constant_bigint(compiler *c, text t)
{
	return add_constant(c, (constant){.kind = CONSTANT_BIGINT,
				   .text = keep_constant_text(c, t)});
}

/* -------------------------------------------------------------------- door */

static cm_status
compile_all(compiler *c)
{
	cm_status r;

	check_early(c);
	if (c->fault->why != NULL)
		return CM_OK;
	r = scopes_read(c);
	if (r != CM_OK || c->fault->why != NULL)
		return r;
	c->unit->source = keep_constant_text(c, c->tree->text);
	function_code(c, c->tree->root, UINT32_MAX,
	    CODE_ARROW | (c->lib ? 0u : (unsigned)CODE_ASYNC), NULL);
	if (c->arena->bad != CM_OK || c->work.bad != CM_OK)
		return c->arena->bad ? c->arena->bad : c->work.bad;
	return c->bad;
}

cm_status
unit_compile(const js_tree *t, bool lib, const cm_alloc *alloc, unit **out,
    compile_fault *fault)
{
	arena a = ARENA_INIT(alloc, UNIT_MAX);
	compiler c = {.tree = t,
	    .arena = &a,
	    .work = ARENA_INIT(alloc, UNIT_MAX),
	    .texts = MAP_INIT(alloc),
	    .this_name = {.text = TEXT("this")},
	    .callee_name = {.text = TEXT("function")},
	    .target_name = {.text = TEXT("new.target")},
	    .lib = lib,
	    .stack_floor = stack_floor() + STACK_RESERVE,
	    .fault = fault};
	cm_status r;

	*out = NULL;
	*fault = (compile_fault){NULL, 0, 0};
	c.unit = arena_take(&a, sizeof(*c.unit));
	if (c.unit == NULL)
		return a.bad;
	*c.unit = (unit){0};
	r = compile_all(&c);
	arena_fini(&c.work);
	map_fini(&c.texts);
	if (r != CM_OK || fault->why != NULL) {
		arena_fini(&a);
		return r;
	}
	c.unit->arena = a;
	*out = c.unit;
	return CM_OK;
}

void
unit_free(unit *u)
{
	arena a;

	if (u == NULL)
		return;
	a = u->arena; /* it holds the unit, too */
	arena_fini(&a);
}

/* ---------------------------------------------------------------- printing */

static uint32_t
print_instruction(const unit *u, const code *f, uint32_t pc, buf *out)
{
	const uint16_t *op = f->op + pc;
	const char *p = op_operands[*op];
	uint32_t at = pc + 1;

	buf_printf(out, "%5u  %-14s", pc, op_names[*op]);
	for (; *p != '\0'; p++) {
		uint32_t n = f->op[at++];

		if (*p == 'j') {
			n |= (uint32_t)f->op[at++] << 16;
			buf_printf(out, " ->%u", at - 2 + n);
		} else if (*p == 'k' && n < u->constants &&
			   u->constant[n].kind != CONSTANT_NUMBER) {
			buf_printf(
			    out, " '%.*s'", TEXT_ARG(u->constant[n].text));
		} else if (*p == 'k' && n < u->constants) {
			buf_printf(out, " %.17g", u->constant[n].number);
		} else {
			buf_printf(out, " %s%d",
			    *p == 'n'   ? ""
			    : *p == 'f' ? "f"
			    : *p == 'c' ? "c"
					: "r",
			    *p == 'n' ? (int16_t)n : (int)n);
		}
	}
	if (*op == OP_SWITCH)
		for (uint32_t n = f->op[pc + 2]; n > 0; n--, at += 2)
			buf_printf(out, " ->%u",
			    at + (f->op[at] | (uint32_t)f->op[at + 1] << 16));
	buf_byte(out, '\n');
	return at;
}

void
unit_print(const unit *u, buf *out)
{
	for (uint32_t i = 0; i < u->functions; i++) {
		const code *f = u->function[i];

		buf_printf(out, "function %u: %u registers, flags %x\n", i,
		    f->registers, f->flags);
		for (uint32_t pc = 0; pc < f->len;)
			pc = print_instruction(u, f, pc, out);
		for (uint32_t k = 0; k < f->handlers; k++)
			buf_printf(out, "       %u to %u: r%u, ->%u\n",
			    f->handler[k].from, f->handler[k].to,
			    f->handler[k].reg, f->handler[k].pc);
	}
}
