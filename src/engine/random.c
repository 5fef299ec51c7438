/* SPDX-License-Identifier: MIT */
/* random.c -- see random.h. */
#include "engine/random.h"

#include <string.h>

static uint32_t
rotated(uint32_t v, unsigned by)
{
	return v << by | v >> (32 - by);
}

static void
quarter_round(uint32_t *w, unsigned a, unsigned b, unsigned c, unsigned d)
{
	w[a] += w[b];
	w[d] = rotated(w[d] ^ w[a], 16);
	w[c] += w[d];
	w[b] = rotated(w[b] ^ w[c], 12);
	w[a] += w[b];
	w[d] = rotated(w[d] ^ w[a], 8);
	w[c] += w[d];
	w[b] = rotated(w[b] ^ w[c], 7);
}

static void
next_block(random_source *r)
{
	uint32_t in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
	uint32_t w[16];
	unsigned i;

	memcpy(in + 4, r->seed, sizeof(r->seed));
	in[12] = (uint32_t)r->blocks;
	in[13] = (uint32_t)(r->blocks++ >> 32);
	memcpy(w, in, sizeof(w));
	for (i = 0; i < 10; i++) {
		quarter_round(w, 0, 4, 8, 12);
		quarter_round(w, 1, 5, 9, 13);
		quarter_round(w, 2, 6, 10, 14);
		quarter_round(w, 3, 7, 11, 15);
		quarter_round(w, 0, 5, 10, 15);
		quarter_round(w, 1, 6, 11, 12);
		quarter_round(w, 2, 7, 8, 13);
		quarter_round(w, 3, 4, 9, 14);
	}
	for (i = 0; i < 16; i++)
		w[i] += in[i];
	memcpy(r->block, w, sizeof(w));
	r->left = sizeof(r->block);
}

void
random_bytes(random_source *r, uint8_t *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (r->left == 0)
			next_block(r);
		bytes[i] = r->block[sizeof(r->block) - r->left--];
	}
}
