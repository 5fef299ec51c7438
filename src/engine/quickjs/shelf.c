/* SPDX-License-Identifier: MIT */
/*
 * shelf.c -- closed linear memories, cleaned, for this thread's next runs.
 *
 * Most of what a short run costs is the system's work: mapping, a fault for
 * each page that it writes, unmapping. So a thread keeps a few closed memories
 * and cleans them itself. The kernel lists the pages that are no longer the
 * image's (/proc/self/pagemap). Exactly these get the image's bytes back, or
 * zeros on the stack behind it. The pages beyond are given back to the system.
 * Without that list no memory is kept.
 */
#define _GNU_SOURCE
#include "wall_parts.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OS_PAGE 4096u
/* Pages written once stay private to the memory, and so count again in later
 * runs; to clean more than these costs more than a new memory. */
#define MAX_WRITTEN 128u
/* The image and the stack behind it must fit: they are 900 pages. */
#define MAX_PAGES 1280u

/* Documentation/admin-guide/mm/pagemap.rst of the kernel. */
#define PRESENT ((uint64_t)1 << 63)
#define SWAPPED ((uint64_t)1 << 62)
#define OF_FILE ((uint64_t)1 << 61)

static bool
is_written(uint64_t page)
{
	return (page & (PRESENT | SWAPPED)) != 0 && (page & OF_FILE) == 0;
}

/* The bits of the pages of [base, base + len). */
static bool
look_at_pages(const uint8_t *base, size_t len, uint64_t *page)
{
	size_t bytes = len / OS_PAGE * sizeof(*page);
	off_t at = (off_t)((uintptr_t)base / OS_PAGE * sizeof(*page));
	int fd = image_pagemap();

	return fd >= 0 && sysconf(_SC_PAGESIZE) == OS_PAGE &&
	       len <= (size_t)MAX_PAGES * OS_PAGE &&
	       pread(fd, page, bytes, at) == (ssize_t)bytes;
}

static void
restore(uint8_t *base, const wall_image *image, size_t at)
{
	if (at < image->to)
		memcpy(base + at, image->bytes + (at - image->from), OS_PAGE);
	else
		memset(base + at, 0, OS_PAGE);
}

/* Makes [base, base + size) what wall_open would map. */
static bool
clean(uint8_t *base, const wall_image *image, size_t size)
{
	size_t opened = wall_opened(base, size), end = wall_stack_top(image);
	uint64_t page[MAX_PAGES];
	size_t i, pages = (end - image->from) / OS_PAGE, written = 0;

	if (!look_at_pages(base + image->from, end - image->from, page))
		return false;
	for (i = 0; i < pages; i++)
		written += is_written(page[i]);
	if (written > MAX_WRITTEN)
		return false;
	for (i = 0; i < pages; i++)
		if (is_written(page[i]))
			restore(base, image, image->from + i * OS_PAGE);
	return opened == end ||
	       mmap(base + end, opened - end, PROT_NONE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		   0) != MAP_FAILED;
}

bool
shelf_put(wall_shelf *s, uint8_t *base, const wall_image *image, size_t size)
{
	if (s == NULL || s->len == WALL_SHELF || !clean(base, image, size))
		return false;
	s->base[s->len++] = base;
	return true;
}

uint8_t *
shelf_take(wall_shelf *s)
{
	return s != NULL && s->len > 0 ? s->base[--s->len] : NULL;
}

void
shelf_clear(wall_shelf *s)
{
	while (s->len > 0)
		wall_unmap(s->base[--s->len]);
}
