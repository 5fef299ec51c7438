/* SPDX-License-Identifier: MIT */
/*
 * heap.h -- the memory of one run: one block, cells one behind the other.
 *
 * A cell is named by its place in the block (ref), so the block can grow, be
 * compacted, and be written to a file. 'heap_reserve' is the only function that
 * moves cells: before it, whatever must live is in the roots; after it, until
 * the next one, pointers to cells stay good and 'heap_new' cannot fail.
 *
 * Collection marks from the roots, with a stack of its own, and slides what is
 * left together. Cells keep their order.
 */
#ifndef EVALUATOR_HEAP_H
#define EVALUATOR_HEAP_H

#include "js_value.h"

#include "base/mem.h"

typedef enum cell_kind {
	CELL_STRING,  /* len units, of a byte or (CELL_WIDE) of two */
	CELL_ROPE,    /* two strings one behind the other; or one, made flat */
	CELL_SYMBOL,
	CELL_BIGINT,
	CELL_OBJECT,
	CELL_VALUES,  /* slots of an object, variables of a scope, elements */
	CELL_BYTES,   /* of an ArrayBuffer, a table, a saved frame's numbers */
	CELL_SHAPE
} cell_kind;

enum { /* cell.flags */
	CELL_WIDE = 1 << 0,   /* string: UTF-16 */
	CELL_ATOM = 1 << 1,   /* string: the only one of its text */
	CELL_INDEX = 1 << 2,  /* atom: no key, but an int32 is the key */
	CELL_CLOSED = 1 << 2, /* object: no properties are added */
	CELL_ARRAY = 1 << 0,  /* object: .extra is its length */
	CELL_FROZEN = 1 << 3, /* object: its elements do not change */
	CELL_FUNCTION = 1 << 4, /* object: can be called */
	CELL_LAZY = 1 << 5,   /* function: its length, name and prototype have
			       * yet to become properties */
	CELL_FIXED = 1 << 5,  /* array: its length does not change */
	CELL_SPARSE = 1 << 1, /* object: has named properties that are indices */
	CELL_PRIVATE = 1 << 0, /* symbol: a private name */
	VALUES_HOLES = 1 << 0, /* elements: V_HOLE may be among them */
	VALUES_WEAK = 1 << 1,  /* entries of .start values each, the key first,
				* which live as long as the key does */
	CELL_EXOTIC = 1 << 6, /* object: get and set are not the ordinary ones */
	CELL_MARKED = 1 << 7
};

typedef struct cell {
	uint8_t kind, flags;
	uint16_t aux; /* object: its class, and 256 * room for properties */
	uint32_t size; /* in units; while cells move: where this one goes */
} cell;

typedef struct cell_string {
	cell head;
	uint32_t len; /* code units */
	uint32_t hash; /* 0: not computed */
	union {
		uint8_t narrow[8]; /* Latin-1 */
		uint16_t wide[4];
		struct {
			ref left, right; /* CELL_ROPE; right 0: left is all */
		} rope;
	} u;
} cell_string;

typedef struct cell_symbol {
	cell head;
	ref description; /* a string; 0: undefined */
	uint32_t hash;
} cell_symbol;

typedef struct cell_values {
	cell head;
	uint32_t len;   /* values that count; those behind are V_HOLE */
	uint32_t start; /* elements: where the first one is */
	value v[];
} cell_values;

typedef struct cell_bytes {
	cell head;
	uint64_t len;
	uint8_t b[];
} cell_bytes;

/* The properties of objects that were made alike. */
typedef struct cell_shape {
	cell head;
	ref proto;  /* an object; 0: null */
	ref keys;   /* shared with shapes that have more of them: object.c */
	uint32_t count; /* the first so many of .keys are this shape's */
	ref child, next; /* made from this one; made from the same one */
	uint32_t own; /* one object has it, and it changes with that: 1, and
		       * how many keys were deleted and are left in .keys */
} cell_shape;

typedef struct cell_object {
	cell head;
	ref shape;
	ref elements;  /* CELL_VALUES; 0: none */
	ref slots;     /* CELL_VALUES: properties without room in .v; or 0 */
	uint32_t extra; /* of an array: its length; of another object: the shape
			 * of objects that have it as prototype, or 0 */
	value v[];     /* internal values of its class, then properties */
} cell_object;

struct heap;
/* Calls visit for every value, and visit_ref for every ref, that must live. */
typedef struct heap_roots {
	void (*visit)(void *ctx, struct heap *h);
	/* The strings that are atoms are only known weakly: those that die are
	 * dropped here, the others are followed. */
	void (*sweep)(void *ctx, struct heap *h);
	void *ctx;
} heap_roots;

typedef struct heap {
	char *base;
	uint32_t top;      /* units in use */
	uint32_t floor;    /* cells below are of the image: they stay */
	uint32_t cap;      /* units of the block */
	uint32_t limit;    /* .top goes no further without heap_reserve_slow */
	uint32_t next;     /* collect when .top would pass it */
	uint32_t max;      /* units that the block may have */
	ref *stack;        /* of the mark phase */
	size_t stack_len, stack_cap;
	ref *weak;         /* marked cells that are VALUES_WEAK */
	size_t weak_len, weak_cap;
	bool moving;       /* visits follow cells to where they went */
	bool every;        /* collect at each reserve: for tests */
	bool failed;       /* the stack had no memory: nothing is collected */
	uint64_t collections;
	const cm_alloc *alloc;
	heap_roots roots;
} heap;

#define CELL(h, r, type) ((type *)(void *)((h)->base + (size_t)(r)*8))

/* max: bytes. */
void heap_init(heap *h, const cm_alloc *alloc, uint64_t max, heap_roots roots);
void heap_fini(heap *h);
/* The cells of an image, of which none is ever moved or freed. False: no
 * memory. */
bool heap_begin_with(heap *h, const uint64_t *image, uint32_t top);

/* Room for cells of so many bytes in all. False: there is no memory, or max is
 * passed. Moves cells. */
bool heap_reserve_slow(heap *h, size_t bytes);

static inline bool
heap_reserve(heap *h, size_t bytes)
{
	if (h->top + bytes / 8 + 2 <= h->limit)
		return true;
	return heap_reserve_slow(h, bytes);
}

/* A cell of so many bytes, head included, for which room was reserved. What
 * follows the head is not set. */
static inline ref
heap_new(heap *h, cell_kind kind, size_t bytes)
{
	ref r = h->top;
	cell *c = CELL(h, r, cell);
	uint32_t units = (uint32_t)((bytes + 7) / 8);

	*c = (cell){.kind = (uint8_t)kind, .size = units};
	h->top += units;
	return r;
}

/* For the roots' functions. */
void heap_visit(heap *h, value *v);
void heap_visit_ref(heap *h, ref *r);
/* In sweep: is that cell dead? */
bool heap_is_dead(const heap *h, ref r);
void heap_collect(heap *h);

#endif
