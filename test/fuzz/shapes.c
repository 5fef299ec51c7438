/* SPDX-License-Identifier: MIT */
/*
 * shapes.c -- fuzz target: the file of what was learned, which any program may
 * have written. What is read of it is written and read again, and stays; its
 * shapes are schemas, and take a value that then fits.
 */
#include "fuzz.h"

#include "schema/schema.h"
#include "shapes/learned.h"
#include "shapes/shapes.h"

enum { MOST = 1 << 26, TODAY = 20000 };

static void
add_and_check(json shape, json value)
{
	buf more = BUF_INIT(NULL, MOST);
	schema_program *s;
	json checked;

	if (shapes_add(shape, value, &more) == CM_OK) {
		HOLDS(json_check(buf_view(&more), JSON_DEPTH, &checked, NULL));
		HOLDS(schema_compile(NULL, checked, &s) == CM_OK);
		HOLDS(schema_why(s).len == 0);
		HOLDS(schema_check(s, value) != SCHEMA_MISFIT);
		schema_free(s);
	}
	buf_fini(&more);
}

/* What was read is written, and read again. */
static void
write_and_read(const learned *l)
{
	learned again = LEARNED_INIT(NULL);
	buf once = BUF_INIT(NULL, MOST), twice = BUF_INIT(NULL, MOST);

	HOLDS(learned_write(l, &once) == CM_OK);
	HOLDS(learned_read(&again, buf_view(&once), TODAY) == CM_OK);
	HOLDS(learned_write(&again, &twice) == CM_OK);
	HOLDS(text_eq(buf_view(&once), buf_view(&twice)));
	learned_fini(&again);
	buf_fini(&once);
	buf_fini(&twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	learned l = LEARNED_INIT(NULL);
	json value;

	if (learned_read(&l, in, TODAY) == CM_OK)
		write_and_read(&l);
	if (json_check(in, 100, &value, NULL)) {
		add_and_check(TEXT_NONE, value);
		add_and_check(value, value);
		for (size_t i = 0; i < l.len; i++)
			add_and_check(buf_view(&l.tool[i].shape), value);
	}
	learned_fini(&l);
	return 0;
}
