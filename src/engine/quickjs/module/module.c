/* SPDX-License-Identifier: MIT */
/*
 * module.c -- compiles the generated C. See module.h.
 *
 * This file is built without our warnings and without sanitizers: 260,000
 * lines of generated code are the object of neither. It takes a while, so the
 * build keeps the result under the hash of everything that goes into it.
 */
#include "module.h"

#include <string.h>

/* 64 bytes at once, by registers. */
typedef uint64_t lane __attribute__((vector_size(16), aligned(1), may_alias));
#define BLOCK (4 * sizeof(lane))

static inline void
move_block(uint8_t *to, const uint8_t *from)
{
	const lane *f = (const void *)from;
	lane a = f[0], b = f[1], c = f[2], d = f[3], *t = (void *)to;

	t[0] = a, t[1] = b, t[2] = c, t[3] = d;
}

void
module_move(void *to, const void *from, size_t len)
{
	const uint8_t *f = from;
	uint8_t *t = to;
	size_t far = t < f ? (size_t)(f - t) : (size_t)(t - f);

	if (far >= BLOCK || len < BLOCK) {
		memmove(to, from, len);
		return;
	}
	if (t < f) {
		for (; len >= BLOCK; len -= BLOCK, t += BLOCK, f += BLOCK)
			move_block(t, f);
		memmove(t, f, len);
		return;
	}
	for (; len >= BLOCK; len -= BLOCK)
		move_block(t + len - BLOCK, f + len - BLOCK);
	memmove(t, f, len);
}

#define memmove module_move
#include "quickjs_wasm.c" /* generated */
#undef memmove

void
module_init(void)
{
	Z_quickjs_init_module();
}

void
module_globals(wasm_instance *instance)
{
	init_globals(instance);
}

void
module_table(wasm_instance *instance)
{
	init_tables(instance);
}

uint32_t
module_host_function(wasm_instance *instance, unsigned i, module_host_fn *fn)
{
	wasm_rt_funcref_table_t *table =
	    &instance->w2c___indirect_function_table;
	uint32_t at = table->size - MODULE_HOST_SLOTS + i;

	table->data[at] =
	    (wasm_rt_funcref_t){wasm_rt_register_func_type(6, 1, WASM_RT_I32,
				    WASM_RT_I64, WASM_RT_I32, WASM_RT_I32,
				    WASM_RT_I32, WASM_RT_I32, WASM_RT_I64),
		(wasm_rt_function_ptr_t)fn, instance};
	return at;
}

/* Fills the linear memory with the module's data segments (bake.c). */
void
module_data(wasm_instance *instance)
{
	init_memories(instance);
	init_data_instances(instance);
}
