/* SPDX-License-Identifier: MIT */
/*
 * compile_lib.c -- what only files of lib/ can say: names with $ are natives,
 * and calls of $call, $apply and $construct are instructions, so that nothing
 * that a script changes can be in the way.
 */
#include "compile.h"

static const char *const lib_natives[] = {
#define NATIVE(name) #name,
#include "natives.def"
#undef NATIVE
};

enum { LIB_NATIVES = sizeof(lib_natives) / sizeof(*lib_natives) };

/* The native that a name with $ means; -1: it is another name. */
static int
native_number_of(const compiler *c, const js_node *n)
{
	if (!c->lib || n->kind != JS_NAME || n->name->text.ptr[0] != '$' ||
	    variable_find(n->name) != NULL)
		return -1;
	for (int i = 0; i < LIB_NATIVES; i++)
		if (text_eq(text_of(lib_natives[i]),
			text_sub(n->name->text, 1, SIZE_MAX)))
			return i;
	return -1;
}

bool
lib_name(compiler *c, const js_node *n, uint16_t dst)
{
	int native = native_number_of(c, n);

	if (native < 0)
		return false;
	emit_op(c, OP_NATIVE_FUNCTION, dst, native);
	return true;
}

static bool
is_call_of(const compiler *c, const js_node *n, text name)
{
	return c->lib && n->child->kind == JS_NAME &&
	       variable_find(n->child->name) == NULL &&
	       text_eq(n->child->name->text, name);
}

/* $apply(f, this, list) */
static void
apply_call(compiler *c, const js_node *arg, uint16_t base)
{
	for (uint16_t i = 0; i < 3 && arg != NULL; i++, arg = arg->next)
		expr(c, arg, (uint16_t)(base + i));
	emit_op(c, OP_CALL_LIST, base, base);
}

/* $construct(class, list, new target) */
static void
construct_call(compiler *c, const js_node *arg, uint16_t base)
{
	expr(c, arg, base);
	if (arg->next != NULL)
		expr(c, arg->next, (uint16_t)(base + 2));
	else
		emit_op(c, OP_ARRAY_NEW, base + 2, 0);
	if (arg->next != NULL && arg->next->next != NULL)
		expr(c, arg->next->next, (uint16_t)(base + 1));
	else
		emit_op(c, OP_MOVE, base + 1, base);
	emit_op(c, OP_CONSTRUCT, base, base);
}

/* $call(f, this, ...): two arguments at least. */
static void
plain_call(compiler *c, const js_node *arg, uint16_t base)
{
	unsigned argc;

	expr(c, arg, base);
	if (arg->next != NULL)
		expr(c, arg->next, (uint16_t)(base + 1));
	else
		emit_op(c, OP_LOAD_MISC, base + 1, 0);
	regs_free(c, (uint16_t)(base + 2));
	arg = arg->next ? arg->next->next : NULL;
	if (has_spread(arg)) {
		argument_list(c, arg, reg_new(c));
		emit_op(c, OP_CALL_LIST, base, base);
	} else {
		argc = arguments(c, arg);
		emit_op(c, OP_CALL, base, base, argc);
	}
}

static bool
special_call(compiler *c, const js_node *n, uint16_t base)
{
	const js_node *arg = n->child->next;

	if (arg == NULL)
		return false;
	if (is_call_of(c, n, TEXT("$call"))) {
		plain_call(c, arg, base);
	} else if (is_call_of(c, n, TEXT("$apply"))) {
		reg_new(c);
		apply_call(c, arg, base);
	} else if (is_call_of(c, n, TEXT("$construct"))) {
		reg_new(c);
		construct_call(c, arg, base);
	} else {
		return false;
	}
	return true;
}

bool
lib_call(compiler *c, const js_node *n, uint16_t base)
{
	int native = native_number_of(c, n->child);
	unsigned argc;

	if (!c->lib || n->kind != JS_CALL)
		return false;
	emit_at(c, n);
	if (special_call(c, n, base))
		return true;
	if (native < 0)
		return false;
	if (has_spread(n->child->next))
		refuse_node(c, n, "a native is called without ...");
	argc = arguments(c, n->child->next);
	emit_op(c, OP_CALL_NATIVE, base, base, native, argc);
	return true;
}
