/* SPDX-License-Identifier: MIT */
/*
 * revival.c -- when a server that ended by itself may be started again.
 */
#include "revival.h"

#include <string.h>

/* After so many ends within the window. */
static const uint64_t pause_ms[REVIVALS_MAX + 1] = {
    0, 0, 1000, 2000, 4000, 8000};

void
revival_note_end(revival *r, uint64_t now_ms)
{
	if (r->ends > REVIVALS_MAX)
		memmove(r->ended_ms, r->ended_ms + 1,
		    --r->ends * sizeof(*r->ended_ms));
	r->ended_ms[r->ends++] = now_ms;
}

static size_t
count_ends(const revival *r, uint64_t now_ms)
{
	size_t n = 0;

	while (n < r->ends &&
	       now_ms - r->ended_ms[r->ends - 1 - n] < REVIVAL_WINDOW_MS)
		n++;
	return n;
}

bool
revival_is_spent(const revival *r, uint64_t now_ms)
{
	return count_ends(r, now_ms) > REVIVALS_MAX;
}

uint64_t
revival_due(const revival *r, uint64_t now_ms)
{
	size_t n = count_ends(r, now_ms);

	if (n > REVIVALS_MAX)
		return r->ended_ms[0] + REVIVAL_WINDOW_MS;
	return n > 0 ? r->ended_ms[r->ends - 1] + pause_ms[n] : 0;
}
