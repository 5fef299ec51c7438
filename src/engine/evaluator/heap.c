/* SPDX-License-Identifier: MIT */
/* heap.c -- see heap.h. */
#include "heap.h"

enum {
	FIRST_UNITS = 512,    /* 4 KiB: most scripts need little more */
	NEXT_MIN = 32 * 1024, /* collect no sooner than at 256 KiB */
	PLACE_NONE = 1        /* the first cell is at 1, so that 0 is none */
};

void
heap_init(heap *h, const cm_alloc *alloc, uint64_t max, heap_roots roots)
{
	uint64_t units = max / 8;

	*h = (heap){.alloc = alloc,
	    .roots = roots,
	    .top = PLACE_NONE,
	    .floor = PLACE_NONE,
	    .max = units < UINT32_MAX / 2 ? (uint32_t)units : UINT32_MAX / 2};
}

void
heap_fini(heap *h)
{
	mem_free(h->alloc, h->base, (size_t)h->cap * 8);
	mem_free(h->alloc, h->stack, h->stack_cap * sizeof(*h->stack));
	mem_free(h->alloc, h->weak, h->weak_cap * sizeof(*h->weak));
	h->base = NULL;
}

/* ----------------------------------------------------------------- marking */

static void
push_marked(heap *h, ref r)
{
	void *array = h->stack;
	cell *c = CELL(h, r, cell);

	if (c->flags & CELL_MARKED)
		return;
	c->flags |= CELL_MARKED;
	if (c->kind == CELL_STRING || c->kind == CELL_BIGINT ||
	    c->kind == CELL_BYTES)
		return;
	if (!mem_grow(h->alloc, &array, &h->stack_cap, h->stack_len,
		sizeof(*h->stack))) {
		h->failed = true;
		return;
	}
	h->stack = array;
	h->stack[h->stack_len++] = r;
}

static void
push_weak(heap *h, ref r)
{
	void *array = h->weak;

	if (!mem_grow(h->alloc, &array, &h->weak_cap, h->weak_len,
		sizeof(*h->weak))) {
		h->failed = true;
		return;
	}
	h->weak = array;
	h->weak[h->weak_len++] = r;
}

void
heap_visit_ref(heap *h, ref *r)
{
	if (*r < h->floor)
		return;
	if (h->moving)
		*r = CELL(h, *r, cell)->size;
	else
		push_marked(h, *r);
}

void
heap_visit(heap *h, value *v)
{
	if (!v_has_cell(*v) || v_ref(*v) < h->floor)
		return;
	if (h->moving)
		*v = (*v & ~(value)UINT32_MAX) | CELL(h, v_ref(*v), cell)->size;
	else
		push_marked(h, v_ref(*v));
}

/* Of a cell whose size is that many units. */
static void
visit_inside(heap *h, ref r, uint32_t size)
{
	cell *c = CELL(h, r, cell);
	value *v = NULL, *end = (value *)(void *)c + size;

	switch ((cell_kind)c->kind) {
	case CELL_ROPE:
		heap_visit_ref(h, &((cell_string *)c)->u.rope.left);
		heap_visit_ref(h, &((cell_string *)c)->u.rope.right);
		break;
	case CELL_SYMBOL:
		heap_visit_ref(h, &((cell_symbol *)c)->description);
		break;
	case CELL_OBJECT:
		heap_visit_ref(h, &((cell_object *)c)->shape);
		heap_visit_ref(h, &((cell_object *)c)->elements);
		heap_visit_ref(h, &((cell_object *)c)->slots);
		if (!(c->flags & CELL_ARRAY))
			heap_visit_ref(h, &((cell_object *)c)->extra);
		v = ((cell_object *)c)->v;
		break;
	case CELL_VALUES:
		v = ((cell_values *)c)->v;
		if (c->flags & VALUES_WEAK && !h->moving) {
			push_weak(h, r);
			return;
		}
		break;
	case CELL_SHAPE: {
		cell_shape *s = (cell_shape *)c;

		heap_visit_ref(h, &s->proto);
		heap_visit_ref(h, &s->keys);
		heap_visit_ref(h, &s->child);
		heap_visit_ref(h, &s->next);
		break;
	}
	case CELL_STRING:
	case CELL_BIGINT:
	case CELL_BYTES:
		break;
	}
	for (; v != NULL && v < end; v++)
		heap_visit(h, v);
}

static void
mark_pushed(heap *h)
{
	while (h->stack_len > 0) {
		ref r = h->stack[--h->stack_len];

		visit_inside(h, r, CELL(h, r, cell)->size);
	}
}

static bool
is_dead_key(const heap *h, value key)
{
	return v_has_cell(key) && heap_is_dead(h, v_ref(key));
}

/* Marks what the living keys of weak tables stand for. */
static void
visit_weak(heap *h)
{
	for (size_t i = 0; i < h->weak_len; i++) {
		cell_values *c = CELL(h, h->weak[i], cell_values);

		for (uint32_t k = 0; k < c->len; k += c->start)
			for (uint32_t n = 1;
			     n < c->start && !is_dead_key(h, c->v[k]); n++)
				heap_visit(h, &c->v[k + n]);
	}
}

static void
drop_dead_keys(heap *h)
{
	for (size_t i = 0; i < h->weak_len; i++) {
		cell_values *c = CELL(h, h->weak[i], cell_values);

		for (uint32_t k = 0; k < c->len; k += c->start) {
			if (!is_dead_key(h, c->v[k]))
				continue;
			c->v[k] = V_HOLE;
			if (c->start == 3)
				c->v[k + 1] = V_UNDEFINED;
		}
	}
}

/* All cells of the image live, and may lead to others. */
static void
visit_image(heap *h)
{
	for (ref r = PLACE_NONE; r < h->floor; r += CELL(h, r, cell)->size)
		visit_inside(h, r, CELL(h, r, cell)->size);
}

static void
mark_all(heap *h)
{
	h->weak_len = 0;
	h->roots.visit(h->roots.ctx, h);
	visit_image(h);
	mark_pushed(h);
	for (visit_weak(h); h->stack_len > 0; visit_weak(h))
		mark_pushed(h);
	if (!h->failed)
		drop_dead_keys(h);
}

bool
heap_is_dead(const heap *h, ref r)
{
	return r >= h->floor && (CELL(h, r, cell)->flags & CELL_MARKED) == 0;
}

/* ------------------------------------------------------------------ moving */

/*
 * Three walks over the block. Sizes are needed to walk, and places to go to are
 * kept where the sizes are, so the first walk writes the size of a run of dead
 * cells into its first, and each live cell's size into the list 'sizes' of the
 * mark stack, which is free again.
 */
static bool
plan_moves(heap *h, size_t *count)
{
	uint32_t to = h->floor;
	void *array;

	*count = 0;
	for (ref r = h->floor; r < h->top;) {
		cell *c = CELL(h, r, cell);
		uint32_t size = c->size;

		if (c->flags & CELL_MARKED) {
			array = h->stack;
			if (!mem_grow(h->alloc, &array, &h->stack_cap, *count,
				sizeof(*h->stack)))
				return false;
			h->stack = array;
			h->stack[(*count)++] = size;
			c->size = to;
			to += size;
		}
		r += size;
	}
	return true;
}

/* Takes the plan back: every size is as it was. */
static void
undo_plan(heap *h, size_t count)
{
	size_t i = 0;

	for (ref r = h->floor; i < count;) {
		cell *c = CELL(h, r, cell);

		if (c->flags & CELL_MARKED)
			c->size = h->stack[i++];
		r += c->size;
	}
}

static void
follow_moves(heap *h)
{
	size_t i = 0;

	h->moving = true;
	h->roots.visit(h->roots.ctx, h);
	visit_image(h);
	for (ref r = h->floor; r < h->top;) {
		const cell *c = CELL(h, r, cell);
		uint32_t size = c->size;

		if (c->flags & CELL_MARKED) {
			size = h->stack[i++];
			visit_inside(h, r, size);
		}
		r += size;
	}
	h->moving = false;
}

static void
move_cells(heap *h)
{
	size_t i = 0;
	uint32_t to = h->floor;

	for (ref r = h->floor; r < h->top;) {
		cell *c = CELL(h, r, cell);
		uint32_t size = c->size;

		if (c->flags & CELL_MARKED) {
			size = h->stack[i++];
			c->flags &= (uint8_t)~CELL_MARKED;
			c->size = size;
			memmove(CELL(h, to, cell), c, (size_t)size * 8);
			to += size;
		}
		r += size;
	}
	h->top = to;
}

static void
clear_marks(heap *h)
{
	for (ref r = h->floor; r < h->top; r += CELL(h, r, cell)->size)
		CELL(h, r, cell)->flags &= (uint8_t)~CELL_MARKED;
}

void
heap_collect(heap *h)
{
	size_t count;

	h->failed = false;
	h->stack_len = 0;
	h->collections++;
	if (h->base == NULL)
		return;
	mark_all(h);
	if (h->failed || !plan_moves(h, &count)) {
		if (!h->failed)
			undo_plan(h, count);
		clear_marks(h);
		return;
	}
	/* Atoms that die are told by their marks, before anything moves. */
	h->moving = true;
	h->roots.sweep(h->roots.ctx, h);
	h->moving = false;
	follow_moves(h);
	move_cells(h);
}

/* ------------------------------------------------------------------- room */

static bool
grow_block(heap *h, uint64_t units)
{
	uint64_t cap = h->cap ? h->cap : FIRST_UNITS;
	char *base;

	while (cap < units)
		cap *= 2;
	if (cap > h->max)
		cap = h->max;
	if (cap < units)
		return false;
	if (cap == h->cap)
		return true;
	base =
	    mem_resize(h->alloc, h->base, (size_t)h->cap * 8, (size_t)cap * 8);
	if (base == NULL)
		return false;
	h->base = base;
	h->cap = (uint32_t)cap;
	return true;
}

bool
heap_begin_with(heap *h, const uint64_t *image, uint32_t top)
{
	if (!grow_block(h, (uint64_t)top + FIRST_UNITS))
		return false;
	memcpy(h->base, image, (size_t)top * 8);
	h->top = h->floor = top;
	h->next = top + NEXT_MIN < h->max ? top + NEXT_MIN : h->max;
	return true;
}

bool
heap_reserve_slow(heap *h, size_t bytes)
{
	uint64_t need = bytes / 8 + 2, limit;

	if (need > h->max)
		return false;
	if (h->every || h->top + need > h->next) {
		if (h->every || h->top - h->floor >= NEXT_MIN)
			heap_collect(h);
		limit = 2 * ((uint64_t)h->top - h->floor + need);
		if (limit < NEXT_MIN)
			limit = NEXT_MIN;
		limit += h->floor;
		h->next = limit < h->max ? (uint32_t)limit : h->max;
		if (h->top + need > h->next)
			return false;
	}
	if (h->top + need > h->cap && !grow_block(h, h->top + need))
		return false;
	h->limit = h->every ? 0 : h->cap < h->next ? h->cap : h->next;
	return true;
}
