/* SPDX-License-Identifier: MIT */
/*
 * fuzz.h -- what the fuzz targets share: input that is eaten from the front,
 * and a word for what must hold.
 */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* Called by libFuzzer, which declares it nowhere. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define HOLDS(x)                                                            \
	do {                                                                \
		if (!(x)) {                                                 \
			fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, \
			    __LINE__, #x);                                  \
			abort();                                            \
		}                                                           \
	} while (0)

/* A byte off the front; 0 behind the end. */
static inline unsigned
fuzz_byte(text *in)
{
	unsigned b = 0;

	if (in->len > 0) {
		b = (unsigned char)in->ptr[0];
		*in = text_sub(*in, 1, in->len);
	}
	return b;
}

/* A number that is small, or at some edge. */
static inline uint64_t
fuzz_number(text *in)
{
	static const uint64_t edges[] = {UINT32_MAX, (uint64_t)UINT32_MAX + 1,
	    INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX};
	unsigned b = fuzz_byte(in);

	return b < 250 ? b : edges[b - 250];
}

/* At most 255 bytes off the front, or all of the rest. */
static inline text
fuzz_text(text *in)
{
	unsigned n = fuzz_byte(in);
	text t = text_sub(*in, 0, n == 255 ? in->len : n);

	*in = text_sub(*in, t.len, in->len);
	return t;
}

#endif
