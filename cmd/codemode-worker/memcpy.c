/* SPDX-License-Identifier: MIT */
/*
 * memcpy.c -- for musl, whose own begins with `rep movs` whatever the length.
 *
 * A script's strings are short, and the engine copies them all the time: one
 * that builds JSON took a tenth longer. `rep movs` is no faster with long ones
 * either, and fifteen times as slow where the two areas lie close, as when a list
 * is taken apart from the front. So all is copied in words of 16 bytes.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define STEP 16u

typedef uint64_t word16
    __attribute__((vector_size(STEP), aligned(1), may_alias));
typedef uint64_t word8 __attribute__((aligned(1), may_alias));
typedef uint32_t word4 __attribute__((aligned(1), may_alias));

/* Both words are read before one is written: the two may overlap. */
#define ENDS(type, to, from, n)                                           \
	do {                                                              \
		type first = *(const type *)(from);                       \
		type last = *(const type *)((from) + (n) - sizeof(type)); \
		*(type *)(to) = first;                                    \
		*(type *)((to) + (n) - sizeof(type)) = last;              \
	} while (0)

static void
move_few(char *to, const char *from, size_t n)
{
	if (n >= sizeof(word8)) {
		ENDS(word8, to, from, n);
	} else if (n >= sizeof(word4)) {
		ENDS(word4, to, from, n);
	} else if (n > 0) {
		char first = from[0], middle = from[n / 2], last = from[n - 1];

		to[0] = first;
		to[n / 2] = middle;
		to[n - 1] = last;
	}
}

/* From the first byte on; what overlaps lies further on in from. The last word
 * may overlap the one before, and so is read first. */
static void
move_down(char *to, const char *from, size_t n)
{
	const char *end = from + n;
	char *last_to = to + n - STEP;
	word16 last = *(const word16 *)(end - STEP);

	for (; from + STEP < end; from += STEP, to += STEP)
		*(word16 *)to = *(const word16 *)from;
	*(word16 *)last_to = last;
}

/* From the last byte on. */
static void
move_up(char *to, const char *from, size_t n)
{
	word16 first = *(const word16 *)from;

	for (; n > STEP; n -= STEP)
		*(word16 *)(to + n - STEP) = *(const word16 *)(from + n - STEP);
	*(word16 *)to = first;
}

void *
memcpy(void *restrict dest, const void *restrict src, size_t n)
{
	if (n < STEP)
		move_few(dest, src, n);
	else
		move_down(dest, src, n);
	return dest;
}

void *
memmove(void *dest, const void *src, size_t n)
{
	if (n < STEP)
		move_few(dest, src, n);
	else if ((uintptr_t)dest - (uintptr_t)src >= n)
		move_down(dest, src, n);
	else
		move_up(dest, src, n);
	return dest;
}
