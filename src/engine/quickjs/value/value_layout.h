/* SPDX-License-Identifier: MIT */
/*
 * value_layout.h -- where the pinned module keeps its values.
 *
 * Offsets of QuickJS-ng 0.17 as it is compiled for wasm32; the names in
 * comments are those of its quickjs.c. They hold for the module with the hash
 * in engine-quickjs/quickjs.sha256. The build checks each of them before it
 * bakes the image (bake_layout.c), so another module stops the build.
 *
 * All addresses are in the linear memory. Each access is the base of the wall
 * plus 32 bits plus a small constant, so it stays inside the reservation
 * whatever a script has done to that memory.
 */
#ifndef VALUE_LAYOUT_H
#define VALUE_LAYOUT_H

#include "engine/quickjs/qjs.h"

/* struct list_head */
#define LIST_PREV 0u
#define LIST_NEXT 4u

/* JSRuntime: five functions (mf), malloc_state, arena_state, atoms, classes,
 * lists. */
#define RT_MALLOC_COUNT 20u
#define RT_MALLOC_SIZE  24u
#define RT_MALLOC_LIMIT 28u
#define RT_FREE_ARENAS  288u /* arena_state.free_arena_list: 31 list_heads */
#define RT_ATOMS        568u /* atom_array: the strings of atoms */
#define RT_GC_OBJECTS   596u /* gc_obj_list */
#define RT_GC_THRESHOLD 624u /* malloc_gc_threshold */
#define RT_STRINGS      628u /* string_list: the module has JS_DUMP_LEAKS */
#define RT_FRAME        660u /* current_stack_frame */

/* JSStackFrame: prev_frame, cur_func, ..., cur_pc (of functions of the script;
 * otherwise it is not set). */
#define FRAME_PREVIOUS 0u
#define FRAME_FUNCTION 8u
#define FRAME_PC       28u

/* JSArena: blocks of one size; free_link, its first member, is in the list. */
#define ARENA_USED   18u /* n_used_blocks, 16 bits */
#define ARENA_LEN    20u /* n_blocks */
#define ARENA_FREE   22u /* first_free_block */
#define ARENA_BLOCKS 24u

/* JSMallocBlockHeader, before every block: its number in the arena or that of
 * the next free one (16 bits), the arena's size class, kind and mark for the
 * collector (8 bits each), references (32 bits). */
#define BLOCK_HEADER 8u
#define BLOCK_MOST   512u /* larger ones have no arena */
#define BLOCK_NUMBER 0u
#define BLOCK_KIND   3u
#define BLOCK_REFS   4u

/* JSString: length and the bit for 16-bit units; hash (28 bits), kind (2) and
 * atom type (2); hash_next; first_weak_ref; link in string_list. Of the kind 0
 * (JS_STRING_NORMAL) the units follow, 8-bit ones with a NUL behind. Slices and
 * indirect strings have a pointer there. A rope is no JSString; it has a tag of
 * its own. */
#define STRING_HASH  4u
#define STRING_KIND  28u /* in the word at STRING_HASH, as is the next one */
#define STRING_ATOM  30u
#define STRING_LINK  16u
#define STRING_UNITS 24u
#define STRING_WIDE  0x80000000u

/* JSObject: link in gc_obj_list; flags and class_id; shape; prop;
 * first_weak_ref; a union, for arrays: size, values, count. */
#define OBJECT_SIZE  40u
#define OBJECT_HEAD  8u
#define OBJECT_SHAPE 12u
#define OBJECT_PROPS 16u
#define ARRAY_SIZE   24u
#define ARRAY_VALUES 28u
#define ARRAY_COUNT  32u
/* class_id and nine flags: extensible; for arrays is_exotic and fast_array,
 * too. The other seven bits are not used and may have any value. */
#define HEAD_BITS   0xffff01ffu
#define HEAD_OBJECT 0x00010002u
#define HEAD_ARRAY  0x0002001au

/* JSShape: the names of properties, shared by objects. The module never
 * changes a hashed shape that more than one object has. */
#define SHAPE_HASHED    8u
#define SHAPE_MASK      16u /* prop_hash_mask: entries of hash_table less one */
#define SHAPE_SIZE      20u /* prop_size: entries that prop has room for */
#define SHAPE_COUNT     24u /* prop_count */
#define SHAPE_PROTOTYPE 36u
#define SHAPE_PROPS     40u /* hash_table, and behind it prop */

/* JSShapeProperty: six bits of flags on top of hash_next; the name, 0 when it
 * was deleted. The flags are configurable, writable, enumerable, length, and
 * two bits for an accessor, a variable's reference or a value that is made when
 * it is first read. */
#define PROP_FLAGS  26u
#define PROP_ATOM   4u
#define ATOM_INDEX  0x80000000u
#define ATOM_STRING 1u

/* Tags of values that are read here. A value without any tag is a double. */
#define TAG_FIRST         (-9)
#define TAG_BIG_INT       (-9)
#define TAG_STRING        (-7)
#define TAG_ROPE          (-6)
#define TAG_OBJECT        (-1)
#define TAG_INT           0
#define TAG_BOOL          1
#define TAG_NULL          2
#define TAG_SHORT_BIG_INT 7
#define TAG_DOUBLE        8

/* What is added to a double's upper half: JS_FLOAT64_TAG_ADDEND. */
#define DOUBLE_ADDEND 0x7ff8000au

static inline uint32_t
get32(const engine *e, uint32_t at)
{
	uint32_t v;

	memcpy(&v, e->wall.base + at, sizeof(v));
	return v;
}

static inline void
set32(engine *e, uint32_t at, uint32_t v)
{
	memcpy(e->wall.base + at, &v, sizeof(v));
}

static inline uint16_t
get16(const engine *e, uint32_t at)
{
	uint16_t v;

	memcpy(&v, e->wall.base + at, sizeof(v));
	return v;
}

static inline void
set16(engine *e, uint32_t at, uint32_t v)
{
	uint16_t low = (uint16_t)v;

	memcpy(e->wall.base + at, &low, sizeof(low));
}

/* The number of references to a block. */
static inline uint32_t
get_refs(const engine *e, uint32_t at)
{
	return get32(e, at - BLOCK_HEADER + BLOCK_REFS);
}

static inline void
set_refs(engine *e, uint32_t at, uint32_t refs)
{
	set32(e, at - BLOCK_HEADER + BLOCK_REFS, refs);
}

#endif
