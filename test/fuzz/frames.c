/* SPDX-License-Identifier: MIT */
/*
 * frames.c -- fuzz target: the frame reader. Whatever is read is written again
 * and must be the same bytes; what is wrong says why.
 */
#include "fuzz.h"

#include "wire/wire.h"

#define FRAME_MAX (1u << 20)

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	wire_direction d = fuzz_byte(&in) & 1 ? WIRE_UP : WIRE_DOWN;
	buf again = BUF_INIT(NULL, FRAME_MAX + 4);
	const char *why = NULL;
	wire_msg m;
	size_t used = 0;
	wire_got got;

	while (
	    (got = wire_get(in, d, FRAME_MAX, &m, &used, &why)) == WIRE_READ) {
		HOLDS(used >= 5 && used <= in.len);
		buf_clear(&again);
		wire_put(&again, &m);
		HOLDS(again.bad == CM_OK);
		HOLDS(text_eq(buf_view(&again), text_sub(in, 0, used)));
		in = text_sub(in, used, in.len);
	}
	HOLDS(got != WIRE_WRONG || why != NULL);
	buf_fini(&again);
	return 0;
}
