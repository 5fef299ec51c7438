/* SPDX-License-Identifier: MIT */
/*
 * random.h -- the randomness of one run: ChaCha20 (RFC 8439) with the run's
 * seed for its key. So the same seed gives the same bytes in every place.
 */
#ifndef ENGINE_RANDOM_H
#define ENGINE_RANDOM_H

#include "engine/engine.h"

/* All zeros but for the seed, it is at the start. */
typedef struct random_source {
	uint8_t seed[ENGINE_SEED];
	uint64_t blocks; /* made so far */
	uint8_t block[64];
	size_t left; /* bytes at the end of block that are not used */
} random_source;

/* The next bytes. */
void random_bytes(random_source *r, uint8_t *bytes, size_t len);

#endif
