/* SPDX-License-Identifier: MIT */
/*
 * schema.c -- fuzz target: a schema and a value, with a NUL between them.
 * Whatever they are: a schema compiles, a check ends, words are said of what
 * does not fit and of nothing else, and the opposite of a schema fits the
 * opposite values.
 */
#include "fuzz.h"

#include "schema/schema.h"

static schema_program *
compile(json source)
{
	schema_program *s;

	HOLDS(schema_compile(NULL, source, &s) == CM_OK);
	return s;
}

/* {"not": source} */
static void
check_opposite(json source, json value, schema_verdict verdict)
{
	buf b = BUF_INIT(NULL, 1 << 20);
	schema_program *s;
	schema_verdict opposite;

	buf_str(&b, "{\"not\":");
	buf_text(&b, source);
	buf_byte(&b, '}');
	s = compile(buf_view(&b));
	opposite = schema_check(s, value);
	if (schema_why(s).len == 0 && schema_gap(s).len == 0 &&
	    opposite != SCHEMA_UNKNOWN && verdict != SCHEMA_UNKNOWN)
		HOLDS((opposite == SCHEMA_FITS) == (verdict == SCHEMA_MISFIT));
	schema_free(s);
	buf_fini(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	size_t nul = text_find(in, (text){"", 1}, 0);
	buf words = BUF_INIT(NULL, 1 << 20);
	schema_verdict verdict;
	schema_program *s;
	json source, value;

	if (nul == SIZE_MAX ||
	    !json_check(text_sub(in, 0, nul), JSON_DEPTH, &source, NULL) ||
	    !json_check(text_sub(in, nul + 1, len), JSON_DEPTH, &value, NULL))
		return 0;
	s = compile(source);
	verdict = schema_check(s, value);
	schema_explain(s, value, &words);
	HOLDS((words.len > 0) == (verdict == SCHEMA_MISFIT));
	HOLDS(utf8_bad(buf_view(&words)) == SIZE_MAX);
	HOLDS(schema_why(s).len == 0 || verdict == SCHEMA_FITS);
	/* An $id or a reference means something else one level down. */
	if (text_find(source, TEXT("$"), 0) == SIZE_MAX &&
	    text_find(source, TEXT("\\"), 0) == SIZE_MAX)
		check_opposite(source, value, verdict);
	schema_free(s);
	buf_fini(&words);
	return 0;
}
