/* SPDX-License-Identifier: MIT */
/*
 * qjs_heap.c -- the limit on the memory of a script.
 *
 * The module checks its own limit (JS_SetMemoryLimit) also while it makes the
 * Error that reports it, so a script that filled its memory with small objects
 * would catch null. Here the module's limit is off, and three of the functions
 * that it takes memory with are ours. They grant what the module needs for that
 * Error. After the first small request that was refused, they keep a reserve for
 * other Errors; when it is used up too, the run ends.
 *
 *   limit holds ──small request refused──► reserve open ──used up──► MemoryLimit
 *        ▲                                      │
 *        └─────── the script freed memory ──────┘
 *
 * The module asks for arenas of 4 KiB, from which it takes its small blocks,
 * and for each larger block. The linear memory has a maximum of its own.
 */
#include "qjs.h"

#define RESERVE (64u << 10)
#define SMALL   (8u << 10) /* bytes of the largest request for an Error */

/* JSRuntime: JSMallocFunctions, JSMallocState, and in_out_of_memory, a byte that
 * is 1 while the Error is made. The bake checks them. */
#define RT_CALLOC  0u
#define RT_MALLOC  4u
#define RT_FREE    8u
#define RT_REALLOC 12u
#define RT_SIZE    24u
#define RT_FAILING 656u
/* The module puts this many bytes before a block that is not in an arena. */
#define HEADER 8u

static uint64_t
heap_used(engine *e)
{
	return qjs_read32(e, e->rt + RT_SIZE);
}

static bool
makes_error(engine *e)
{
	return (qjs_read32(e, e->rt + RT_FAILING) & 0xff) != 0;
}

static bool
allows_memory(engine *e, uint32_t size, uint32_t old)
{
	uint64_t most = e->heap_most;

	if (size <= SMALL && makes_error(e))
		return true;
	if (size <= SMALL && e->reserve_to > most)
		most = e->reserve_to;
	return heap_used(e) + size <= most + old;
}

static uint32_t
refuse_memory(engine *e, uint32_t size)
{
	uint64_t used = heap_used(e);

	e->refused = true;
	if (size > SMALL)
		return 0;
	if (e->reserve_to != 0 || makes_error(e))
		qjs_fail_memory(e);
	else
		e->reserve_to =
		    (used > e->heap_most ? used : e->heap_most) + RESERVE;
	return 0;
}

/* The block at `at`, or 0: the linear memory is full. */
static uint32_t
granted(engine *e, uint32_t at, uint32_t size)
{
	if (at == 0)
		return refuse_memory(e, size);
	if (heap_used(e) + RESERVE <= e->heap_most)
		e->reserve_to = 0;
	return at;
}

static uint32_t
heap_malloc(void *instance, uint32_t opaque, uint32_t size)
{
	engine *e = instance;

	(void)opaque;
	if (!allows_memory(e, size, 0))
		return refuse_memory(e, size);
	return granted(e, CALL(e, malloc, size), size);
}

/* The module calls it for one object only. */
static uint32_t
heap_calloc(void *instance, uint32_t opaque, uint32_t count, uint32_t size)
{
	engine *e = instance;

	(void)opaque;
	if (count != 1 || !allows_memory(e, size, 0))
		return refuse_memory(e, size);
	return granted(e, CALL(e, calloc, 1, size), size);
}

static uint32_t
heap_realloc(void *instance, uint32_t opaque, uint32_t block, uint32_t size)
{
	engine *e = instance;
	uint32_t old = CALL(e, js_malloc_usable_size_rt, e->rt, block + HEADER);

	(void)opaque;
	if (!allows_memory(e, size, old))
		return refuse_memory(e, size);
	return granted(e, CALL(e, realloc, block, size), size);
}

static void
set_entry(engine *e, unsigned slot, uint32_t type, wasm_rt_function_ptr_t fn)
{
	e->wall.wasm.w2c___indirect_function_table
	    .data[qjs_host_slot(e, slot)] =
	    (wasm_rt_funcref_t){type, fn, &e->wall.wasm};
}

void
qjs_heap_functions(engine *e)
{
	uint32_t two = wasm_rt_register_func_type(
		     2, 1, WASM_RT_I32, WASM_RT_I32, WASM_RT_I32),
		 three = wasm_rt_register_func_type(
		     3, 1, WASM_RT_I32, WASM_RT_I32, WASM_RT_I32, WASM_RT_I32);

	set_entry(e, 1, three, (wasm_rt_function_ptr_t)heap_calloc);
	set_entry(e, 2, two, (wasm_rt_function_ptr_t)heap_malloc);
	set_entry(e, 3, three, (wasm_rt_function_ptr_t)heap_realloc);
}

/* Does the module's function here have the type of ours in this slot? */
static bool
has_type(engine *e, uint32_t at, unsigned slot)
{
	const wasm_rt_funcref_table_t *t =
	    &e->wall.wasm.w2c___indirect_function_table;
	uint32_t index = qjs_read32(e, e->rt + at);

	return index < t->size && t->data[index].func_type ==
				      t->data[qjs_host_slot(e, slot)].func_type;
}

/* With the byte set, the module takes the Error to be in the making. */
static bool
finds_failing(engine *e)
{
	uint8_t *failing = wall_bytes(&e->wall, e->rt + RT_FAILING, 1);

	*failing = 1;
	CALL(e, JS_ThrowOutOfMemory, e->ctx);
	*failing = 0;
	if (CALL(e, JS_HasException, e->ctx))
		return false;
	CALL(e, JS_ThrowOutOfMemory, e->ctx);
	qjs_free(e, CALL(e, JS_GetException, e->ctx));
	return *failing == 0;
}

static bool
finds_size(engine *e)
{
	uint64_t before = heap_used(e), with;
	uint32_t block = CALL(e, js_malloc, e->ctx, SMALL);

	with = heap_used(e);
	CALL(e, js_free, e->ctx, block);
	return heap_used(e) == before && with >= before + SMALL &&
	       with <= before + SMALL + 2 * HEADER;
}

bool
qjs_heap_boot(engine *e)
{
	if (!has_type(e, RT_CALLOC, 1) || !has_type(e, RT_MALLOC, 2) ||
	    !has_type(e, RT_REALLOC, 3) || !finds_size(e) || !finds_failing(e))
		return false;
	qjs_write64(e, e->rt + RT_CALLOC,
	    (uint64_t)qjs_host_slot(e, 2) << 32 | qjs_host_slot(e, 1));
	qjs_write64(e, e->rt + RT_FREE,
	    (uint64_t)qjs_host_slot(e, 3) << 32 |
		qjs_read32(e, e->rt + RT_FREE));
	CALL(e, JS_SetMemoryLimit, e->rt, UINT32_MAX);
	return true;
}
