/* SPDX-License-Identifier: MIT */
/*
 * test_schema_sample.c -- the sample of each kind of schema, that it fits, and
 * that hostile schemas end.
 */
#include "unit.h"

#include "schema/schema.h"
#include "schema/schema_sample.h"

static const struct {
	const char *schema, *want;
} cases[] = {
    {"", "null"},
    {"true", "null"},
    {"{}", "null"},
    {"{\"const\":[1]}", "[1]"},
    {"{\"enum\":[\"a\",\"b\"]}", "\"a\""},
    {"{\"type\":\"integer\",\"default\":7,\"enum\":[6,7]}", "7"},
    {"{\"type\":\"string\",\"examples\":[\"x\"]}", "\"x\""},
    {"{\"type\":\"string\",\"minLength\":3}", "\"xxx\""},
    {"{\"type\":\"string\",\"format\":\"date\"}", "\"1970-01-01\""},
    {"{\"type\":\"number\",\"minimum\":1.5}", "1.5"},
    {"{\"type\":\"integer\",\"exclusiveMinimum\":4}", "5"},
    {"{\"type\":[\"null\",\"boolean\"]}", "false"},
    {"{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "[]"},
    {"{\"type\":\"array\",\"minItems\":2,\"items\":{\"type\":\"null\"}}",
	"[null,null]"},
    {"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},"
     "\"b\":{}},\"required\":[\"a\"]}",
	"{\"a\":0}"},
    {"{\"properties\":{\"a\":{\"$ref\":\"#/$defs/t\"}},\"required\":[\"a\"],"
     "\"$defs\":{\"t\":{\"type\":\"string\"}}}",
	"{\"a\":\"\"}"},
    {"{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]}", "\"\""},
    {"{\"$ref\":\"https://example.com/s\"}", "null"},
};

static void
each_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		text source = text_of(cases[i].schema);
		buf out = BUF_INIT(NULL, 4096);
		schema_program *p;

		schema_sample(source, &out);
		assert_str(buf_view(&out), cases[i].want);
		if (source.len > 0) {
			assert_int_equal(
			    schema_compile(NULL, source, &p), CM_OK);
			assert_int_equal(
			    schema_check(p, buf_view(&out)), SCHEMA_FITS);
			schema_free(p);
		}
		buf_fini(&out);
	}
}

static void
hostile_schemas_end(void **state)
{
	static const char *const hostile[] = {
	    "{\"$ref\":\"#\"}",
	    "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"},"
	    "\"b\":{\"$ref\":\"#\"}},\"required\":[\"a\",\"b\"]}",
	    "{\"type\":\"array\",\"minItems\":1000000000,"
	    "\"items\":{\"$ref\":\"#\"}}",
	    "{\"type\":\"string\",\"minLength\":1000000000}",
	    "{\"$ref\":\"#/\"}",
	    "{\"$ref\":\"#//a\"}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		buf out = BUF_INIT(NULL, 1 << 20);
		json v;

		schema_sample(text_of(hostile[i]), &out);
		assert_int_equal(out.bad, CM_OK);
		assert_true(json_check(buf_view(&out), JSON_DEPTH, &v, NULL));
		buf_fini(&out);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_kind),
	    cmocka_unit_test(hostile_schemas_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
