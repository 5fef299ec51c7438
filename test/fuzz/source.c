/* SPDX-License-Identifier: MIT */
/*
 * source.c -- fuzz target: what a model wrote, on its way to the engine: the
 * options line, fences, quotes, types and all. The first byte chooses options,
 * the rest is the text.
 *
 * Whatever it is, it is refused with a message and a place inside it, or
 * becomes a text with as many lines, in which every place has its origin.
 */
#include "fuzz.h"

#include "source/prepare.h"
#include "source/source.h"

enum { LIMIT = 1 << 16 };

static size_t
lines(text t)
{
	size_t i, n = 1;

	for (i = 0; i < t.len; i++)
		n += t.ptr[i] == '\n';
	return n;
}

static void
read_head(text in)
{
	source_fault why = {0};
	source s;

	source_read(in, LIMIT, &s, &why);
	if (why.code != NULL) {
		HOLDS(why.message[0] != 0);
		return;
	}
	HOLDS(utf8_bad(in) == SIZE_MAX);
	HOLDS(
	    s.code.len == 0 || (s.code.ptr >= in.ptr &&
				   s.code.ptr + s.code.len <= in.ptr + in.len));
}

static void
look_at_refusal(const source_prepared *p)
{
	HOLDS(p->fault.message[0] != 0);
	HOLDS(utf8_bad(text_of(p->fault.message)) == SIZE_MAX);
	HOLDS(p->fault.line <= lines(p->text) + 1);
}

static void
look_at_text(const source_prepared *p)
{
	uint32_t line = 1, column;
	size_t at;

	HOLDS(utf8_bad(p->code) == SIZE_MAX);
	for (at = 0; at <= p->code.len; at++) {
		HOLDS(source_offset(p, (uint32_t)at) <= p->text.len ||
		      p->text.len == 0);
		column = 1;
		source_origin(p, line, &column);
		if (at < p->code.len && p->code.ptr[at] == '\n')
			line++;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	unsigned choice = fuzz_byte(&in);
	source_options o = {
	    .limit = LIMIT, .raw = choice & 1, .plain_last = choice & 2};
	source_prepared p;

	read_head(in);
	HOLDS(source_prepare(in, &o, NULL, &p) == CM_OK);
	if (p.fault.code != NULL)
		look_at_refusal(&p);
	else
		look_at_text(&p);
	source_prepared_fini(&p);
	return 0;
}
