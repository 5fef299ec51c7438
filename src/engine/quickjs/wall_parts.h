/* SPDX-License-Identifier: MIT */
/*
 * wall_parts.h -- what wall.c, image_file.c, trap.c and shelf.c tell each other.
 */
#ifndef QUICKJS_WALL_PARTS_H
#define QUICKJS_WALL_PARTS_H

#include "wall.h"

#include <sys/types.h>

/* Memories that a thread keeps. */
#define WALL_SHELF 4
typedef struct wall_shelf {
	uint8_t *base[WALL_SHELF];
	unsigned len;
} wall_shelf;

/* ------------------------------------------------------------- shelf.c */

/* Takes a closed memory of that image, cleaned; false: unmap it. s may be
 * NULL. */
bool shelf_put(
    wall_shelf *s, uint8_t *base, const wall_image *image, size_t size);
/* One to use again; NULL: there is none. */
uint8_t *shelf_take(wall_shelf *s);
void shelf_clear(wall_shelf *s);

/* -------------------------------------------------------------- trap.c */

/* The wall is closed: this thread may be as it was before. */
void wall_leave_thread(wall *w);
/* This thread's shelf; NULL when it has not run a script. */
wall_shelf *wall_thread_shelf(void);

/* -------------------------------------------------------- image_file.c */

/* A file that holds the image, from *at on, as long as the process lives; -1:
 * there is none. There is one image in a process. */
int image_file(const wall_image *image, off_t *at);
/* Opens nothing from now on: later memories are copies, and none is used
 * twice. One thread only. */
void image_file_forget(void);
/* /proc/self/pagemap of this very process, or -1. */
int image_pagemap(void);

/* -------------------------------------------------------------- wall.c */

void wall_unmap(uint8_t *base);
/* Bytes that can be accessed when the linear memory has that size. */
size_t wall_opened(const uint8_t *base, size_t size);

#endif
