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

/*
 * w2c_f330 is the engine's js_atof, the one reader of numbers: of literals,
 * Number(text), parseFloat(text) and parseInt(text). It drops the digits behind
 * an exact tie of two doubles, so calls of it go to 'read_number_text', below. The
 * first argument tells a call, (instance, ...), from the function itself.
 */
static uint64_t read_number_text(
    wasm_instance *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
#define w2c_f330(self, ...)       ATOF_##self, __VA_ARGS__)
#define ATOF_instance             read_number_text(instance
#define ATOF_Z_quickjs_instance_t engine_atof(Z_quickjs_instance_t

#define memmove module_move
#include "quickjs_wasm.c" /* generated */
#undef memmove
#undef w2c_f330

enum {
	ATOF_INT_ONLY = 1,    /* flag: BigInt(text) and parseInt(text)       */
	ATOF_SURE_DIGITS = 30 /* so many digits are read right in any case */
};
/* Tags of values: these two, or none, which is a double whose upper half has
 * DOUBLE_ADDEND less (value_layout.h). */
enum { TAG_FIRST = -9, TAG_INT = 0, TAG_LAST = 7 };
#define DOUBLE_ADDEND ((uint64_t)0x7ff8000a << 32)

/* Does the text begin with a decimal number of many digits? One with _ between
 * them is not looked at. */
static bool
is_long_number(const char *s, const char *end)
{
	size_t digits = 0;

	if (s < end && (*s == '-' || *s == '+'))
		s++;
	if (end - s > 1 && *s == '0' && s[1] != '.')
		return false;
	for (; s < end && ((*s >= '0' && *s <= '9') || *s == '.'); s++)
		digits += *s != '.';
	return digits > ATOF_SURE_DIGITS && s < end && *s != '_';
}

/* js_atof, right in the last digit: 'strtod' of the module, which is musl's,
 * looks at all digits. */
static uint64_t
read_number_text(wasm_instance *instance, uint32_t ctx, uint32_t at,
    uint32_t next, uint32_t radix, uint32_t flags)
{
	uint64_t v = engine_atof(instance, ctx, at, next, radix, flags), bits;
	const char *memory = (const char *)instance->w2c_memory.data;
	int32_t tag = (int32_t)(v >> 32);
	double rough, exact;

	if ((flags & ATOF_INT_ONLY) || (radix != 0 && radix != 10) ||
	    (tag != TAG_INT && tag >= TAG_FIRST && tag <= TAG_LAST) ||
	    !is_long_number(memory + at, memory + instance->w2c_memory.size))
		return v;
	bits = v + DOUBLE_ADDEND;
	memcpy(&rough, &bits, sizeof(rough));
	if (tag == TAG_INT)
		rough = (int32_t)v;
	exact = w2c_strtod(instance, at, 0);
	if (exact == rough)
		return v;
	memcpy(&bits, &exact, sizeof(bits));
	return bits - DOUBLE_ADDEND;
}

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
