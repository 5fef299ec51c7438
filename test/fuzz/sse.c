/* SPDX-License-Identifier: MIT */
/*
 * sse.c -- fuzz target: a stream of events in pieces, and the same in one.
 * Both give the same events, within the maximum.
 */
#include "fuzz.h"

#include "mcp/sse.h"

enum { MOST = 100 };

static void
read_events(sse *s, text in, buf *out)
{
	sse_event e;

	while (sse_next(s, &in, &e)) {
		HOLDS(e.type.len > 0 && e.type.len <= SSE_NAME_MAX);
		HOLDS(e.bad ? e.len == 0 : e.len > 0 && e.len <= MOST);
		buf_printf(out, "%d:%zu:", (int)e.bad, e.type.len);
		buf_text(out, e.type);
		buf_add(out, e.data, e.len);
		buf_byte(out, '\n');
	}
	HOLDS(in.len == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len}, stream;
	size_t piece = fuzz_byte(&in) % 16 + 1, i;
	buf one = BUF_INIT(NULL, 1 << 26), cut = BUF_INIT(NULL, 1 << 26);
	sse a, b;

	stream = in;
	sse_init(&a, NULL, MOST);
	sse_init(&b, NULL, MOST);
	read_events(&a, stream, &one);
	for (i = 0; i < stream.len; i += piece)
		read_events(&b, text_sub(stream, i, i + piece), &cut);
	HOLDS(text_eq(buf_view(&one), buf_view(&cut)));
	HOLDS(text_eq(buf_view(&a.last_id), buf_view(&b.last_id)));
	HOLDS(a.retry_ms == b.retry_ms);
	sse_fini(&a);
	sse_fini(&b);
	buf_fini(&one);
	buf_fini(&cut);
	return 0;
}
