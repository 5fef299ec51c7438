/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_serve_http.c -- what HTTP adds to a message, without HTTP: headers
 * that must say what the message says, hosts and types.
 */
#include "unit.h"

#include "mcp/serve_http.h"

#define META                                    \
	"\"_meta\":{\"io.modelcontextprotocol/" \
	"protocolVersion\":\"2026-07-28\","     \
	"\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define CALL(name)                                                             \
	"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{" \
	"\"name\":" name "," META "}}"

/* The code of the refusal; 0: it passes. */
static int
check(serve_headers h, const char *message, serve_post *post)
{
	buf refusal = BUF_INIT(NULL, 1 << 20);
	unsigned status =
	    serve_http_check(&h, text_of(message), post, &refusal);
	int64_t code = 0;

	if (status != 0) {
		assert_int_equal(status, 400);
		assert_true(json_int(
		    json_path(buf_view(&refusal), "error", "code", NULL),
		    &code));
	}
	assert_int_equal(status == 0, refusal.len == 0);
	buf_fini(&refusal);
	return (int)code;
}

static void
headers_say_what_the_message_says(void **state)
{
	const serve_headers good = {"2026-07-28", "tools/call", "a"};
	serve_post post;
	static const struct {
		const char *header, *name;
		int code;
	} names[] = {
	    {"a", "\"a\"", 0},
	    {"  a ", "\"\\u0061\"", 0},
	    {"A", "\"a\"", -32020},
	    {NULL, "\"a\"", -32020},
	    {"=?base64?YQ==?=", "\"a\"", 0},
	    {"=?base64?YQ?=", "\"a\"", -32020},
	    {"=?base64?!!?=", "\"a\"", -32020},
	    {"=?base64?", "\"=?base64?\"", -32020},
	    {"=?base64?PT9iYXNlNjQ/?=", "\"=?base64?\"", 0},
	    {"=?base64?w7w=?=", "\"\\u00fc\"", 0},
	    {"7", "7", -32020},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		serve_headers h = good;
		char message[512];

		h.name = names[i].header;
		snprintf(message, sizeof(message), CALL("%s"), names[i].name);
		assert_int_equal(check(h, message, &post), names[i].code);
		assert_true(post.modern);
	}
	assert_int_equal(check((serve_headers){NULL, "tools/call", "a"},
			     CALL("\"a\""), &post),
	    -32020);
	assert_int_equal(check((serve_headers){"2025-11-25", "tools/call", "a"},
			     CALL("\"a\""), &post),
	    -32020);
	assert_int_equal(check((serve_headers){"2026-07-28", NULL, "a"},
			     CALL("\"a\""), &post),
	    -32020);
	/* A list has no name. */
	assert_int_equal(
	    check((serve_headers){"2026-07-28", "tools/list", NULL},
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
		"\"tools/list\",\"params\":{" META "}}",
		&post),
	    0);
	assert_int_equal(
	    check(
		good, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}", &post),
	    -32602);
	assert_true(post.modern);
}

static void
older_revisions_have_sessions(void **state)
{
	static const char hello[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
				    "\"initialize\"}";
	serve_post post;

	(void)state;
	assert_int_equal(check((serve_headers){0}, hello, &post), 0);
	assert_true(post.initialize && !post.modern);
	assert_int_equal(
	    check((serve_headers){"2025-06-18", NULL, NULL}, hello, &post), 0);
	assert_int_equal(
	    check((serve_headers){"2024-01-01", NULL, NULL}, hello, &post),
	    -32000);
	assert_int_equal(check((serve_headers){0}, "[1]", &post), 0);
	assert_false(post.initialize || post.modern);
	/* The machine answers what is no JSON. */
	assert_int_equal(check((serve_headers){0}, "{", &post), 0);
	assert_int_equal(serve_http_status(-32700, false), 400);
	assert_int_equal(serve_http_status(-32601, false), 0);
	assert_int_equal(serve_http_status(-32601, true), 404);
	assert_int_equal(serve_http_status(-32602, true), 0);
	assert_int_equal(serve_http_status(-32021, true), 400);
	assert_int_equal(serve_http_status(0, true), 0);
}

static void
hosts_and_types(void **state)
{
	static const text names[] = {
	    TEXT_INIT("me.example"), TEXT_INIT("[fe80::1]")};
	static const char *const own[] = {"localhost", "LocalHost:1",
	    "127.0.0.1:65535", "[::1]", "[::1]:80", "me.example:8",
	    "[fe80::1]:9"};
	static const char *const others[] = {"", "localhost.",
	    "localhost:", "localhost:8x", "localhost.evil", "evil.localhost",
	    "127.0.0.2", "me.example.evil:1", "localhost:1:2", "[::1",
	    "localhost/x"};

	(void)state;
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		assert_true(serve_http_is_host(text_of(own[i]), names, 2));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(serve_http_is_host(text_of(others[i]), names, 2));
	assert_false(serve_http_is_host(TEXT("me.example"), names, 0));
	assert_true(serve_http_accepts(NULL, TEXT("application/json")));
	assert_true(serve_http_accepts(" ", TEXT("application/json")));
	assert_true(
	    serve_http_accepts("text/event-stream, Application/JSON;q=0.1",
		TEXT("application/json")));
	assert_true(
	    serve_http_accepts("a/b,text/*", TEXT("text/event-stream")));
	assert_true(serve_http_accepts("*/*;q=0.1", TEXT("text/event-stream")));
	assert_false(
	    serve_http_accepts("application/json", TEXT("text/event-stream")));
	assert_false(
	    serve_http_accepts("text/plain", TEXT("application/json")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(headers_say_what_the_message_says),
	    cmocka_unit_test(older_revisions_have_sessions),
	    cmocka_unit_test(hosts_and_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
