/* SPDX-License-Identifier: MIT */
/*
 * code_check.c -- is a unit what the machine may run without looking? Every
 * operand is in its range, every jump leads to an instruction, no function runs
 * over its end. For units that were read from somewhere, and for tests.
 */
#include "vm.h"

typedef struct code_check {
	const unit *unit;
	const code *f;
	uint8_t *starts; /* by pc: an instruction begins there */
	const char *why;
} code_check;

static void
check(code_check *c, bool is, const char *why)
{
	if (!is && c->why == NULL)
		c->why = why;
}

/* ------------------------------------------------------------ instructions */

/* Units of the instruction at pc, of which at least one is there. */
static uint32_t
length_at(const code *f, uint32_t pc)
{
	op_code op = (op_code)f->op[pc];
	uint32_t n = 1;

	for (const char *p = op_operands[op]; *p != '\0'; p++)
		n += *p == 'j' ? 2 : 1;
	if (op == OP_SWITCH && pc + 2 < f->len)
		n += 2 * (uint32_t)f->op[pc + 2];
	return n;
}

static bool
ends_code(op_code op)
{
	return op == OP_RETURN || op == OP_THROW || op == OP_THROW_NEW ||
	       op == OP_JUMP || op == OP_LOOP || op == OP_SWITCH;
}

/* First walk: where instructions begin. */
static void
find_starts(code_check *c)
{
	const code *f = c->f;
	uint32_t pc = 0, n;
	op_code last = OP_MOVE;

	while (pc < f->len && c->why == NULL) {
		check(c, f->op[pc] < OPS, "no such instruction");
		if (c->why != NULL)
			return;
		n = length_at(f, pc);
		check(c, n <= f->len - pc, "an instruction is cut off");
		c->starts[pc] = 1;
		last = (op_code)f->op[pc];
		pc += n;
	}
	check(c, ends_code(last), "a function runs over its end");
}

static void
check_jump(code_check *c, uint32_t at)
{
	const uint16_t *op = c->f->op;
	uint32_t to = at + (op[at] | (uint32_t)op[at + 1] << 16);

	check(c, to < c->f->len && c->starts[to], "a jump leads nowhere");
}

static void
check_register(code_check *c, uint32_t first, uint32_t more)
{
	check(c, first + more < c->f->registers, "no such register");
}

/* Registers behind the one that is named, and numbers. */
static void
check_special(code_check *c, const uint16_t *op)
{
	switch ((op_code)*op) {
	case OP_CALL:
	case OP_NEW:
		check_register(c, op[2], 1u + op[3]);
		break;
	case OP_CALL_NATIVE:
		check_register(c, op[2], 1u + op[4]);
		check(c, op[3] < NATIVES, "no such native");
		check(c, c->f->flags & CODE_LIB, "a native is named");
		break;
	case OP_NATIVE_FUNCTION:
		check(c, op[2] < NATIVES, "no such native");
		check(c, c->f->flags & CODE_LIB, "a native is named");
		break;
	case OP_CALL_LIST:
	case OP_NEW_LIST:
	case OP_CONSTRUCT:
	case OP_NEXT:
	case OP_REST_OF:
		check_register(c, op[2], 2);
		break;
	case OP_ITERATE:
	case OP_ITERATE_PLAIN:
	case OP_ITERATE_ASYNC:
	case OP_KEYS:
	case OP_CLOSE:
		check_register(c, op[1], 2);
		break;
	case OP_CLASS_NEW:
		check_register(c, op[1], 1);
		check_register(c, op[2], 1);
		break;
	case OP_YIELD:
	case OP_YIELD_RESULT:
	case OP_CHECK_PARENT:
		check_register(c, op[1], 1);
		break;
	case OP_RESUMED:
		check_register(c, op[2], 1);
		break;
	case OP_LOAD_MISC:
		check(c, op[2] <= 4, "no such value");
		break;
	case OP_REALM_GET:
		check(c, op[2] < REALM_VALUES, "no such value");
		break;
	case OP_TEMPLATE:
		check(c, op[2] < c->unit->templates, "no such template");
		break;
	case OP_THROW_NEW:
		check(c, op[1] < ERROR_KINDS, "no such error");
		break;
	default:
		break;
	}
}

static void
check_instruction(code_check *c, uint32_t pc)
{
	const uint16_t *op = c->f->op + pc;
	uint32_t at = pc + 1, end = pc + length_at(c->f, pc);

	for (const char *p = op_operands[*op]; *p != '\0'; p++) {
		uint32_t n = c->f->op[at++];

		if (*p == 'd' || *p == 'r')
			check_register(c, n, 0);
		else if (*p == 'k')
			check(c, n < c->unit->constants, "no such constant");
		else if (*p == 'f')
			check(c, n < c->unit->functions, "no such function");
		else if (*p == 'c')
			check(c, n < c->f->caches, "no such cache");
		else if (*p == 'j')
			check_jump(c, at++ - 1);
	}
	check_special(c, op);
	for (; at < end; at += 2) /* of a SWITCH */
		check_jump(c, at);
}

/* --------------------------------------------------------------- functions */

static void
check_handlers(code_check *c)
{
	const code *f = c->f;

	for (uint32_t i = 0; i < f->handlers; i++) {
		const handler *h = &f->handler[i];

		check(c, h->from <= h->to && h->to <= f->len,
		    "a handler is of nothing");
		check(c, h->pc < f->len && c->starts[h->pc],
		    "a handler leads nowhere");
		check_register(c, h->reg, 0);
	}
}

static void
check_code_head(code_check *c)
{
	const code *f = c->f;

	check(c, f->len > 0, "a function is empty");
	check_register(c, f->scope_reg, 0);
	check(c, f->params <= f->scope_reg, "no room for the parameters");
	check(c, f->name == UINT32_MAX || f->name < c->unit->constants,
	    "no such name");
	check(c,
	    f->first_cache <= c->unit->caches &&
		f->caches <= c->unit->caches - f->first_cache,
	    "no such caches");
	check(c, f->start <= f->end && f->end <= c->unit->source.len,
	    "no such source");
	for (uint32_t i = 1; i < f->lines; i++)
		check(c, f->line[i - 1].pc <= f->line[i].pc,
		    "lines out of order");
}

static void
check_code(code_check *c)
{
	check_code_head(c);
	if (c->why == NULL)
		find_starts(c);
	for (uint32_t pc = 0; pc < c->f->len && c->why == NULL;
	     pc += length_at(c->f, pc))
		check_instruction(c, pc);
	if (c->why == NULL)
		check_handlers(c);
}

static void
check_templates(code_check *c)
{
	const unit *u = c->unit;

	for (uint32_t i = 0; i < u->templates; i++)
		for (uint32_t k = 0; k < u->template[i].len; k++) {
			uint32_t cooked = u->template[i].cooked[k];

			check(c, cooked == UINT32_MAX || cooked < u->constants,
			    "no such text");
			check(c, u->template[i].raw[k] < u->constants,
			    "no such text");
		}
}

const char *
unit_check(const unit *u, const cm_alloc *alloc)
{
	code_check c = {.unit = u};
	size_t most = 1;

	for (uint32_t i = 0; i < u->functions; i++)
		if (u->function[i]->len > most)
			most = u->function[i]->len;
	c.starts = mem_new(alloc, most);
	if (c.starts == NULL)
		return "no memory to check";
	check(&c, u->functions > 0, "there is no function");
	check_templates(&c);
	for (uint32_t i = 0; i < u->functions && c.why == NULL; i++) {
		memset(c.starts, 0, most);
		c.f = u->function[i];
		check_code(&c);
	}
	mem_free(alloc, c.starts, most);
	return c.why;
}
