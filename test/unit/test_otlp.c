/* SPDX-License-Identifier: MIT */
/* test_otlp.c -- spans as OTLP's JSON, and traceparent. */
#include "unit.h"

#include "base/json.h"
#include "otlp/otlp.h"

#define TRACE  "0af7651916cd43dd8448eb211c80319c"
#define SPAN   "b7ad6b7169203331"
#define PARENT "00-" TRACE "-" SPAN "-01"

static void
a_parent_is_read_and_written(void **state)
{
	otlp_context c;
	char out[OTLP_PARENT_LEN + 1];

	(void)state;
	assert_true(otlp_parent_read(TEXT(PARENT), &c));
	assert_true(c.sampled);
	otlp_parent_write(&c, out);
	assert_string_equal(out, PARENT);
	assert_true(
	    otlp_parent_read(TEXT("cc-" TRACE "-" SPAN "-02-later"), &c));
	assert_false(c.sampled);
	otlp_parent_write(&c, out);
	assert_string_equal(out, "00-" TRACE "-" SPAN "-00");
}

static void
what_is_no_parent_is_refused(void **state)
{
	static const char *const bad[] = {
	    "",
	    "00-" TRACE "-" SPAN "-0",
	    "00-" TRACE "-" SPAN "-01-later",
	    "cc-" TRACE "-" SPAN "-01.later",
	    "ff-" TRACE "-" SPAN "-01",
	    "00-00000000000000000000000000000000-" SPAN "-01",
	    "00-" TRACE "-0000000000000000-01",
	    "00-0AF7651916cd43dd8448eb211c80319c-" SPAN "-01",
	    "00 " TRACE "-" SPAN "-01",
	    "00-" TRACE "." SPAN "-01",
	    "00-" TRACE "-" SPAN "-0g",
	};
	otlp_context c = {.sampled = true};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (otlp_parent_read(text_of(bad[i]), &c))
			fail_msg("%s was read", bad[i]);
	assert_true(c.sampled);
}

static void
a_request_is_as_otlp_has_it(void **state)
{
	const otlp_attribute about[] = {
	    {"gen_ai.tool.name", TEXT_INIT("say \"hi\""), 0},
	    {"codemode.call.id", TEXT_INIT(""), 18446744073709551615u}};
	buf out = BUF_INIT(NULL, 4096);
	otlp_span s = {.name = TEXT("tools/call x"),
	    .kind = OTLP_CLIENT,
	    .began_ns = 1700000000000000001,
	    .ended_ns = 1700000000000000002,
	    .attribute = about,
	    .attributes = 2,
	    .failed = true,
	    .message = TEXT("no")};
	otlp_context parent;

	(void)state;
	assert_true(otlp_parent_read(TEXT(PARENT), &parent));
	s.id = parent;
	s.id.span[0] = 0;
	s.parent = parent.span;
	otlp_open(&out, TEXT("codemode"), TEXT("1"));
	otlp_put(&out, &s);
	otlp_put(&out,
	    &(otlp_span){.id = parent, .name = TEXT("y"), .kind = OTLP_SERVER});
	otlp_close(&out);
	assert_true(json_check(buf_view(&out), JSON_DEPTH, &(json){0}, NULL));
	buf_byte(&out, '\0');
	assert_string_equal(out.ptr,
	    "{\"resourceSpans\":[{\"resource\":{\"attributes\":["
	    "{\"key\":\"service.name\",\"value\":{\"stringValue\":\"codemode\"}"
	    "},"
	    "{\"key\":\"service.version\",\"value\":{\"stringValue\":\"1\"}}]},"
	    "\"scopeSpans\":[{\"scope\":{\"name\":\"codemode\"},\"spans\":["
	    "{\"traceId\":\"" TRACE "\",\"spanId\":\"00ad6b7169203331\","
	    "\"parentSpanId\":\"" SPAN "\",\"name\":\"tools/call x\","
	    "\"kind\":3,\"startTimeUnixNano\":\"1700000000000000001\","
	    "\"endTimeUnixNano\":\"1700000000000000002\",\"attributes\":["
	    "{\"key\":\"gen_ai.tool.name\",\"value\":{\"stringValue\":"
	    "\"say \\\"hi\\\"\"}},{\"key\":\"codemode.call.id\",\"value\":"
	    "{\"intValue\":\"18446744073709551615\"}}],"
	    "\"status\":{\"code\":2,\"message\":\"no\"}},"
	    "{\"traceId\":\"" TRACE "\",\"spanId\":\"" SPAN "\","
	    "\"name\":\"y\",\"kind\":2,\"startTimeUnixNano\":\"0\","
	    "\"endTimeUnixNano\":\"0\",\"attributes\":[]}]}]}]}");
	buf_fini(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_parent_is_read_and_written),
	    cmocka_unit_test(what_is_no_parent_is_refused),
	    cmocka_unit_test(a_request_is_as_otlp_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
