/* SPDX-License-Identifier: MIT */
/*
 * maker.h -- random values of a script, made by values.js inside an engine.
 *
 * CODEMODE_VALUES in the environment says how many values the tests try; see
 * `make values`. Everything here runs under wall_enter, except random_values.
 */
#ifndef TEST_ENGINE_MAKER_H
#define TEST_ENGINE_MAKER_H

#include "engine/quickjs/qjs.h"

#include <stdio.h>
#include <stdlib.h>

/* Values for one wall_enter. */
#define MAKE_BATCH 100u

static inline uint64_t
random_values(uint64_t otherwise)
{
	const char *wanted = getenv("CODEMODE_VALUES");

	return wanted != NULL ? strtoull(wanted, NULL, 10) : otherwise;
}

static inline js
evaluate(engine *e, text code)
{
	uint32_t at = qjs_copy(e, code), name = qjs_copy(e, TEXT("test"));
	js v = CALL(e, JS_Eval, e->ctx, at, (uint32_t)code.len, name, 0);

	CALL(e, js_free, e->ctx, at);
	CALL(e, js_free, e->ctx, name);
	return v;
}

/* The function of values.js. */
static inline js
maker_load(engine *e)
{
	static char code[1 << 16];
	FILE *f = fopen(VALUES_JS, "r");
	size_t len = f != NULL ? fread(code, 1, sizeof(code) - 1, f) : 0;

	if (f != NULL)
		fclose(f);
	return evaluate(e, (text){code, len});
}

/* An array of values, *len of them; JS_EXCEPTION: it threw. */
static inline js
maker_values(engine *e, js maker, uint64_t seed, uint32_t *len)
{
	js values;

	qjs_write64(e, e->scratch + 16,
	    JS_INT((uint32_t)(seed * UINT64_C(0x9e3779b97f4a7c15) >> 32)));
	values =
	    CALL(e, JS_Call, e->ctx, maker, JS_UNDEFINED, 1, e->scratch + 16);
	*len = 0;
	if (values != JS_EXCEPTION &&
	    CALL(e, JS_GetLength, e->ctx, values, e->scratch) == 0)
		*len = qjs_read32(e, e->scratch);
	return values;
}

#endif
