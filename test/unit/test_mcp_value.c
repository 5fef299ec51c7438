/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_value.c -- results as values: one line of the table a shape.
 */
#include "mcp_fixture.h"

#include "mcp/value.h"

typedef struct shape {
	const char *result;
	const char *value;   /* or the message, when it fails */
	const char *members; /* NULL: it does not fail */
	bool odd;
} shape;

#define T(words)      "{\"type\":\"text\",\"text\":" words "}"
#define IMAGE         "{\"type\":\"image\",\"data\":\"aGk=\"}"
#define TEXTS(blocks) "{\"content\":[" blocks "]}"

static const shape shapes[] = {
    /* texts */
    {TEXTS(T("\"hi\"")), "\"hi\"", NULL, false},
    {TEXTS(T("\"\"")), "\"\"", NULL, false},
    {TEXTS(T("\"a\\u0041\\n\"") "," T("\"b\"")), "\"a\\u0041\\n\\nb\"", NULL,
	false},
    {"{\"content\":[]}", "null", NULL, false},
    /* texts that are JSON, and texts that only look like it */
    {TEXTS(T("\"{\\\"a\\\": 1.0}\"")), "{\"a\": 1.0}", NULL, false},
    {TEXTS(T("\" \\n\\t[9007199254740993]\\n\"")), "[9007199254740993]", NULL,
	false},
    {TEXTS(T("\"[1,\"") "," T("\"2]\"")), "[1,\n2]", NULL, false},
    {TEXTS(T("\"42\"")), "\"42\"", NULL, false},
    {TEXTS(T("\"null\"")), "\"null\"", NULL, false},
    {TEXTS(T("\"\\\"x\\\"\"")), "\"\\\"x\\\"\"", NULL, false},
    {TEXTS(T("\"[INFO] ready\"")), "\"[INFO] ready\"", NULL, false},
    {TEXTS(T("\"{\\\"a\\\":1} {\\\"b\\\":2}\"")),
	"\"{\\\"a\\\":1} {\\\"b\\\":2}\"", NULL, false},
    {TEXTS(T("\"[1,\"") "," T("\"b\"")), "\"[1,\\nb\"", NULL, false},
    {TEXTS(T("\"{\\\"a\\\":\\\"\\\\ud83d\\\\ude00\\\"}\"")),
	"{\"a\":\"\\ud83d\\ude00\"}", NULL, false},
    {TEXTS(T("\"Error: is the title of this ticket\"")),
	"\"Error: is the title of this ticket\"", NULL, false},
    /* a list of texts that are JSON has one shape, however long */
    {TEXTS(T("\"{\\\"id\\\":1}\"") "," T("\" [2] \"")), "[{\"id\":1}, [2] ]",
	NULL, false},
    {TEXTS(T("\"{}\"") "," T("\"{}\"") "," T("\"{}\"")), "[{},{},{}]", NULL,
	false},
    {TEXTS(T("\"{\\\"m\\\":1}\"") "," T("\"## body\"")),
	"\"{\\\"m\\\":1}\\n## body\"", NULL, false},
    /* structured, and blocks beside it */
    {"{\"content\":[" T("\"x\"") "," IMAGE
				 "],\"structuredContent\":{\"n\":3 }}",
	"{\"n\":3 ,\"content\":[" T("\"x\"") "," IMAGE "]}", NULL, false},
    {"{\"content\":[" IMAGE "],\"structuredContent\":{ }}",
	"{\"content\":[" IMAGE "]}", NULL, false},
    {"{\"content\":[" IMAGE "],\"structuredContent\":{\"content\":1}}",
	"{\"structuredContent\":{\"content\":1},\"content\":[" IMAGE "]}", NULL,
	false},
    {"{\"content\":[" IMAGE "],\"structuredContent\":[1]}",
	"{\"structuredContent\":[1],\"content\":[" IMAGE "]}", NULL, false},
    /* structured, by presence */
    {"{\"content\":[" T("\"x\"") "],\"structuredContent\":null}", "null", NULL,
	false},
    {"{\"content\":[],\"structuredContent\":[]}", "[]", NULL, false},
    {"{\"structuredContent\":false}", "false", NULL, false},
    {"{\"content\":[],\"structuredContent\":{\"total\":36},\"_meta\":{}}",
	"{\"total\":36}", NULL, false},
    /* blocks that no text can stand for */
    {TEXTS("{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"}"),
	"{\"content\":[{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":"
	"\"image/png\"}]}",
	NULL, false},
    {TEXTS("{\"type\":\"hologram\",\"data\":\"?\"}," T("\"y\"") "," T("\"z\"")),
	"{\"text\":\"y\\nz\",\"content\":[{\"type\":\"hologram\",\"data\":\"?"
	"\"}," T("\"y\"") "," T("\"z\"") "]}",
	NULL, false},
    {TEXTS("{\"type\":\"text\"}"), "{\"content\":[{\"type\":\"text\"}]}", NULL,
	false},
    {TEXTS("5"), "{\"content\":[5]}", NULL, false},
    /* no list of blocks */
    {"{\"task\":\"t\",\"items\":[1,2]}", "{\"task\":\"t\",\"items\":[1,2]}",
	NULL, true},
    {"{\"_meta\":{\"x\":1},\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2}", NULL, true},
    {"{\"_meta\":{}}", "{}", NULL, true},
    {"{}", "{}", NULL, true},
    {"{\"content\":null}", "{\"content\":null}", NULL, true},
    {"{\"content\":\"plain words\"}", "{\"content\":\"plain words\"}", NULL,
	true},
    {"{\"content\":" T("\"no list\"") "}", "{\"content\":" T("\"no list\"") "}",
	NULL, true},
    {"[1,2]", "[1,2]", NULL, true},
    {"null", "null", NULL, true},
    {"\"x\"", "\"x\"", NULL, true},
    /* the wrapping of old servers */
    {"{\"toolResult\":{\"content\":[" T("\"{\\\"a\\\":1}\"") "]}}", "{\"a\":1}",
	NULL, true},
    {"{\"toolResult\":[1]}", "[1]", NULL, true},
    {"{\"toolResult\":null}", "null", NULL, true},
    {"{\"toolResult\":{\"content\":[" T("\"no\"") "],\"isError\":true}}", "no",
	"{\"content\":[" T("\"no\"") "]}", true},
    {"{\"content\":[],\"toolResult\":1}", "null", NULL, false},
    /* failures */
    {"{\"isError\":true,\"content\":[" T("\"a\\u00e9\"") "," T("\"b\"") "]}",
	"a\xC3\xA9\nb", "{\"content\":[" T("\"a\\u00e9\"") "," T("\"b\"") "]}",
	false},
    {"{\"isError\":true,\"content\":[" T(
	 "\"conflict\"") "],"
			 "\"structuredContent\":{\"code\":\"E_BUSY\"}}",
	"conflict",
	"{\"structuredContent\":{\"code\":\"E_BUSY\"},\"content\":[" T(
	    "\"conflict\"") "]}",
	false},
    {"{\"isError\":true,\"content\":[{\"type\":\"resource\",\"resource\":{"
     "\"uri\":\"x:\",\"text\":\"too large\"}}]}",
	"too large",
	"{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"x:\","
	"\"text\":\"too large\"}}]}",
	false},
    {"{\"isError\":true,\"content\":[],\"structuredContent\":{\"message\":"
     "\"quota\"}}",
	"quota",
	"{\"structuredContent\":{\"message\":\"quota\"},\"content\":[]}",
	false},
    {"{\"isError\":true,\"content\":[]}", "Tool call failed",
	"{\"content\":[]}", false},
    {"{\"isError\":true}", "Tool call failed", "{}", false},
    {"{\"isError\":true,\"content\":[" T("\" \"") "]}", "Tool call failed",
	"{\"content\":[" T("\" \"") "]}", false},
    {"{\"isError\":true,\"content\":\"words\"}", "words",
	"{\"content\":\"words\"}", false},
    {"{\"isError\":\"true\",\"content\":[]}", "null", NULL, false},
    {"{\"isError\":false,\"content\":[" T("\"x\"") "]}", "\"x\"", NULL, false},
};

static void
same(text got, const char *want, const char *result)
{
	if (!text_eq(got, text_of(want)))
		fail_msg(
		    "%s\n gave %.*s\n not  %s", result, TEXT_ARG(got), want);
}

static void
every_shape_has_its_value(void **state)
{
	buf scratch = BUF_INIT(NULL, 1 << 20);
	value_verdict v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const shape *s = &shapes[i];

		assert_true(json_check(
		    text_of(s->result), JSON_DEPTH, &(json){0}, NULL));
		assert_int_equal(
		    value_of_result(text_of(s->result), false, &scratch, &v),
		    CM_OK);
		assert_int_equal(v.odd != NULL, s->odd);
		assert_int_equal(v.answer.ok, s->members == NULL);
		same(v.answer.ok ? v.answer.value : v.answer.message, s->value,
		    s->result);
		if (s->members)
			same(v.answer.members, s->members, s->result);
		else
			assert_true(json_check(
			    v.answer.value, JSON_DEPTH, &(json){0}, NULL));
	}
	buf_fini(&scratch);
}

/* Many servers send as text what their output schema declares. */
static void
what_an_output_schema_declares_is_parsed_or_missed(void **state)
{
	static const char json_text[] = TEXTS(T("\"[1]\""));
	static const char words[] = TEXTS(T("\"plain\""));
	buf scratch = BUF_INIT(NULL, 1 << 20);
	value_verdict v;

	(void)state;
	assert_int_equal(
	    value_of_result(text_of(json_text), true, &scratch, &v), CM_OK);
	same(v.answer.value, "[1]", json_text);
	assert_null(v.odd);
	assert_int_equal(
	    value_of_result(text_of(words), true, &scratch, &v), CM_OK);
	same(v.answer.value, "\"plain\"", words);
	assert_non_null(v.odd);
	buf_fini(&scratch);
}

/* Deep text is no JSON that anybody can use: it stays what it is. */
static void
deep_text_stays_text(void **state)
{
	buf b = BUF_INIT(NULL, 1 << 20), scratch = BUF_INIT(NULL, 1 << 20);
	value_verdict v;
	int i;

	(void)state;
	buf_str(&b, "{\"content\":[{\"type\":\"text\",\"text\":\"");
	for (i = 0; i < 50000; i++)
		buf_byte(&b, '[');
	for (i = 0; i < 50000; i++)
		buf_byte(&b, ']');
	buf_str(&b, "\"}]}");
	assert_int_equal(
	    value_of_result(buf_view(&b), false, &scratch, &v), CM_OK);
	assert_int_equal(v.answer.value.len, 100002);
	assert_int_equal(v.answer.value.ptr[0], '"');
	buf_fini(&b);
	buf_fini(&scratch);
}

/* What is large is handed on where it stands. */
static void
payloads_are_not_copied(void **state)
{
	static const char text_result[] = TEXTS(T("\"long words\""));
	static const char data_result[] = "{\"structuredContent\":{\"a\":1}}";
	buf scratch = BUF_INIT(NULL, 1 << 20);
	value_verdict v;

	(void)state;
	value_of_result(text_of(text_result), false, &scratch, &v);
	assert_ptr_equal(v.answer.value.ptr, strstr(text_result, "\"long"));
	value_of_result(text_of(data_result), false, &scratch, &v);
	assert_ptr_equal(v.answer.value.ptr, strstr(data_result, "{\"a\""));
	assert_int_equal(scratch.cap, 0);
	buf_fini(&scratch);
}

/* Each tool is warned about once, however often it is called. */
static void
odd_results_warn_once_a_tool(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 0);
	stage_call(&s, 2, "echo", "{}", 0);
	stage_call(&s, 3, "shaped", "{}", 0);
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":[]}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"a\":1}}\n");
	stage_expect(&s,
	    "1={}\n?tool echo: its result has no list of content blocks\n2=[]\n"
	    "3={\"a\":1}\n"
	    "?tool shaped: its result has no list of content blocks\n");
	stage_call(&s, 4, "shaped", "{}", 0);
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":" TEXTS(
			   T("\"[1]\"")) "}\n");
	stage_expect(&s, "4=[1]\n");
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_shape_has_its_value),
	    cmocka_unit_test(
		what_an_output_schema_declares_is_parsed_or_missed),
	    cmocka_unit_test(deep_text_stays_text),
	    cmocka_unit_test(payloads_are_not_copied),
	    cmocka_unit_test(odd_results_warn_once_a_tool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
