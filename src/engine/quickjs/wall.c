/* SPDX-License-Identifier: MIT */
/*
 * wall.c -- linear memories: reserved, mapped from the image, grown, closed.
 *
 *	function table | linear memory, up to 4 GiB | no access, 4 GiB
 *	               ^ base
 *	linear memory: no access, 1 MiB | image | guard, stack | what it grows
 *
 * The image sits in a file (image_file.c), so that each wall maps it private: a
 * run pays for the pages that it writes. Where there is no file the image is
 * copied instead. Traps and stacks are in trap.c, memories that are used again
 * in shelf.c.
 */
#define _GNU_SOURCE
#include "wall_parts.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE  65536u
#define TABLE PAGE /* below base, where no address of the script reaches */
/* 32-bit address + 32-bit offset + the widest access. */
#define RESERVE   (TABLE + (2ull << 32) + PAGE)
#define HUGE_PAGE (2u << 20)
#define LARGE     ((4u << 20) + WALL_SHADOW)
#define MAX_PAGES 65535u /* 65,536 pages do not fit the module's 32-bit size */

/* Mapped by wall_prepare, for the first wall_open. */
static _Atomic(uint8_t *) prepared;

static bool
map_image(uint8_t *base, const wall_image *image)
{
	size_t len = image->to - image->from;
	uint8_t *at = base + image->from;
	off_t offset;
	int fd = image_file(image, &offset);

	if (mprotect(base + image->to + PAGE, WALL_SHADOW - PAGE,
		PROT_READ | PROT_WRITE) != 0)
		return false;
	if (fd >= 0)
		return mmap(at, len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_FIXED, fd, offset) != MAP_FAILED;
	if (mprotect(at, len, PROT_READ | PROT_WRITE) != 0)
		return false;
	memcpy(at, image->bytes, len);
	return true;
}

/* The linear memory's base; NULL: the system refused. */
static uint8_t *
map_memory(const wall_image *image)
{
	size_t first = TABLE + (image ? 0 : 18 * PAGE);
	uint8_t *p = mmap(NULL, RESERVE, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	if (mprotect(p, first, PROT_READ | PROT_WRITE) == 0 &&
	    (image == NULL || map_image(p + TABLE, image)))
		return p + TABLE;
	munmap(p, RESERVE);
	return NULL;
}

void
wall_unmap(uint8_t *base)
{
	munmap(base - TABLE, RESERVE);
}

static uint32_t
pages_of(uint64_t bytes)
{
	uint64_t pages = (bytes + PAGE - 1) / PAGE;

	return pages < MAX_PAGES ? (uint32_t)pages : MAX_PAGES;
}

static pthread_once_t module_once = PTHREAD_ONCE_INIT;

void
wall_prepare(const wall_image *image)
{
	pthread_once(&module_once, module_init);
	wall_claim_signals();
	atomic_store(&prepared, map_memory(image));
	image_file_forget();
}

/* A memory that holds the image. */
static uint8_t *
take_memory(const wall_image *image)
{
	uint8_t *base = shelf_take(wall_thread_shelf());

	if (base == NULL)
		base = atomic_exchange(&prepared, NULL);
	return base != NULL ? base : map_memory(image);
}

bool
wall_open(wall *w, const wall_image *image, uint64_t max_bytes)
{
	uint32_t pages = image ? wall_stack_top(image) / PAGE : 18;
	uint32_t max = pages_of(max_bytes);

	memset(w, 0, sizeof(*w));
	pthread_once(&module_once, module_init);
	wall_claim_signals();
	w->image = image;
	w->base = image ? take_memory(image) : map_memory(NULL);
	if (w->base == NULL)
		return false;
	w->deadline_ns = WALL_NEVER;
	w->wasm.w2c_memory = (wasm_rt_memory_t){
	    w->base, pages, max > pages ? max : pages, pages * PAGE};
	module_globals(&w->wasm);
	module_table(&w->wasm);
	return true;
}

void
wall_close(wall *w)
{
	if (w->base == NULL)
		return;
	wall_leave_thread(w);
	if (w->image == NULL || !shelf_put(wall_thread_shelf(), w->base,
				    w->image, w->wasm.w2c_memory.size))
		wall_unmap(w->base);
	w->base = NULL;
}

/* Large memories are opened in huge pages, a fault for each of which costs as
 * much as one for a small page; what is open beyond the size is never used. */
size_t
wall_opened(const uint8_t *base, size_t size)
{
	uintptr_t end = (uintptr_t)base + size;

	if (size <= LARGE)
		return size;
	return ((end + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1)) -
	       (uintptr_t)base;
}

uint8_t *
wall_bytes(wall *w, uint32_t at, uint32_t len)
{
	uint32_t size = w->wasm.w2c_memory.size;

	return at <= size && len <= size - at ? w->base + at : NULL;
}

uint64_t
wall_size(const wall *w)
{
	return w->wasm.w2c_memory.size - (w->image ? WALL_SHADOW : 0);
}

/* ------------------------------------ what the generated code calls here */

/* Opens [from, to) of the reservation. */
static bool
open_up(uint8_t *base, size_t from, size_t to)
{
	if (from == to)
		return true;
	if (mprotect(base + from, to - from, PROT_READ | PROT_WRITE) != 0)
		return false;
	if (to > LARGE) /* a wish: refused, it is only slower */
		madvise(base + from, to - from, MADV_HUGEPAGE);
	return true;
}

uint32_t
wasm_rt_grow_memory(wasm_rt_memory_t *m, uint32_t delta)
{
	uint32_t old = m->pages;

	if (delta == 0)
		return old;
	if (delta > m->max_pages - old)
		return UINT32_MAX;
	if (!open_up(m->data, wall_opened(m->data, (size_t)old * PAGE),
		wall_opened(m->data, (size_t)(old + delta) * PAGE)))
		return UINT32_MAX;
	m->pages = old + delta;
	m->size = m->pages * PAGE;
	return old;
}

/* The table has room for our own functions behind the module's. It sits below
 * the linear memory of its wall. */
void
wasm_rt_allocate_funcref_table(
    wasm_rt_funcref_table_t *t, uint32_t elements, uint32_t max)
{
	wall *w =
	    (wall *)(void *)((char *)t - offsetof(wasm_instance,
					     w2c___indirect_function_table));

	(void)max;
	t->size = elements + MODULE_HOST_SLOTS;
	t->max_size = t->size;
	if (t->size > TABLE / sizeof(*t->data))
		abort();
	t->data = (wasm_rt_funcref_t *)(void *)(w->base - TABLE);
}

void
wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *t)
{
	(void)t;
}

/* Function types are compared by number: equal signatures, equal numbers.
 * Filled by module_init, once per process, and by the first registration of
 * our own signature, which the module has too; so it is constant afterwards. */
#define MAX_TYPES     128
#define MAX_SIGNATURE 24
static struct {
	uint8_t params, results;
	uint8_t type[MAX_SIGNATURE];
} signature[MAX_TYPES];
static uint32_t signatures;

uint32_t
wasm_rt_register_func_type(uint32_t params, uint32_t results, ...)
{
	uint8_t type[MAX_SIGNATURE] = {0};
	va_list ap;
	uint32_t i;

	if (params + results > MAX_SIGNATURE)
		abort();
	va_start(ap, results);
	for (i = 0; i < params + results; i++)
		type[i] = (uint8_t)va_arg(ap, wasm_rt_type_t);
	va_end(ap);
	for (i = 0; i < signatures; i++)
		if (signature[i].params == params &&
		    signature[i].results == results &&
		    memcmp(signature[i].type, type, sizeof(type)) == 0)
			return i + 1;
	if (signatures == MAX_TYPES)
		abort();
	signature[i].params = (uint8_t)params;
	signature[i].results = (uint8_t)results;
	memcpy(signature[i].type, type, sizeof(type));
	signatures++;
	return signatures;
}

bool
wasm_rt_is_initialized(void)
{
	return true;
}

/* wall_open maps memories itself, from the image. Only the bake lets the module
 * fill one (bake.c). */
void
wasm_rt_allocate_memory(wasm_rt_memory_t *m, uint32_t pages, uint32_t max)
{
	(void)m;
	(void)pages;
	(void)max;
}
void
wasm_rt_free_memory(wasm_rt_memory_t *m)
{
	(void)m;
}
