/* SPDX-License-Identifier: MIT */
/*
 * random.h -- the randomness of one run: ChaCha20 (RFC 8439) with the run's
 * seed for its key. So the same seed gives the same bytes in every place.
 */
#ifndef QUICKJS_RANDOM_H
#define QUICKJS_RANDOM_H

#include "engine/engine.h"

/* All zeros but for the seed, it is at the start. */
typedef struct vm_random {
	uint8_t seed[ENGINE_SEED];
	uint64_t blocks; /* made so far */
	uint8_t block[64];
	size_t left; /* bytes at the end of block that are not used */
} vm_random;

/* The next bytes. */
void vm_random_bytes(vm_random *r, uint8_t *bytes, size_t len);

#endif
