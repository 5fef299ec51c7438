/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_carry.c -- what a transport over HTTP asks of the machine and tells
 * it, and the headers that arguments become.
 */
#include "mcp_fixture.h"

#include "mcp/machine.h"
#include "mcp/param.h"

#define DISCOVERED                                                      \
	"{\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"]," \
	"\"capabilities\":{\"tools\":{\"listChanged\":true}}}}\n"

/* The lines that wait to be sent, each with its headers, go to s->log. */
static void
carry_lines(stage *s)
{
	buf headers = BUF_INIT(NULL, 1 << 20);
	text said = buf_view(&s->said), line;

	while (text_line(&said, &line)) {
		mcp_line what = mcp_client_line_kind(s->c, line);

		buf_clear(&headers);
		mcp_client_headers(s->c, line, &headers);
		buf_printf(&s->log, "%d %d %.*s\n%.*s", (int)what.kind,
		    (int)what.id, TEXT_ARG(what.method),
		    TEXT_ARG(buf_view(&headers)));
	}
	buf_clear(&s->said);
	buf_fini(&headers);
}

static void
fail_request(stage *s, uint64_t id, int status, const char *body)
{
	char words[50];
	mcp_failure why = {status, text_of(body), {words, 0}};

	why.message.len =
	    (size_t)snprintf(words, sizeof(words), "HTTP %d", status);
	mcp_client_failed(s->c, id, &why);
	stage_turn(s);
}

static void
open_http(stage *s, mcp_era era)
{
	const mcp_client_options opts = {.era = era, .over_http = true};

	stage_open(s, &opts);
}

/* ---------------------------------------------------------------- headers */

static void
each_request_of_the_modern_era_has_its_headers(void **state)
{
	stage s;

	(void)state;
	open_http(&s, ERA_FIND_OUT);
	carry_lines(&s);
	stage_expect(&s, "0 1 server/discover\n"
			 "MCP-Protocol-Version: 2026-07-28\n"
			 "Mcp-Method: server/discover\n");
	stage_hear(&s, DISCOVERED);
	buf_clear(&s.said);
	stage_hear(&s,
	    "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"caf\xC3\xA9\","
	    "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"region\":{"
	    "\"type\":\"string\",\"x-mcp-header\":\"Region\"},\"n\":{\"type\":"
	    "\"object\",\"properties\":{\"deep\":{\"type\":\"integer\","
	    "\"x-mcp-header\":\"Deep\"}}},\"on\":{\"type\":\"boolean\","
	    "\"x-mcp-header\":\"On\"},\"off\":{\"type\":\"string\","
	    "\"x-mcp-header\":\"Off\"}}}}]}}\n");
	stage_expect(&s, "up\n");
	carry_lines(&s);
	stage_expect(&s, "0 3 subscriptions/listen\n"
			 "MCP-Protocol-Version: 2026-07-28\n"
			 "Mcp-Method: subscriptions/listen\n");
	stage_call(&s, 1, "caf\xC3\xA9",
	    "{\"region\":\" "
	    "eu\",\"n\":{\"deep\":4e1},\"on\":true,\"off\":null}",
	    0);
	carry_lines(&s);
	stage_expect(&s, "0 4 tools/call\n"
			 "MCP-Protocol-Version: 2026-07-28\n"
			 "Mcp-Method: tools/call\n"
			 "Mcp-Name: =?base64?Y2Fmw6k=?=\n"
			 "Mcp-Param-Region: =?base64?IGV1?=\n"
			 "Mcp-Param-Deep: 40\n"
			 "Mcp-Param-On: true\n");
	mcp_client_read(s.c, 2, TEXT("file:///x"), 0);
	stage_turn(&s);
	carry_lines(&s);
	stage_expect(&s, "0 5 resources/read\n"
			 "MCP-Protocol-Version: 2026-07-28\n"
			 "Mcp-Method: resources/read\n"
			 "Mcp-Name: file:///x\n");
	/* what is cancelled is not told: its stream is closed */
	assert_true(mcp_client_waits(s.c, 4));
	mcp_client_cancel(s.c, 1, TEXT(""));
	assert_false(mcp_client_waits(s.c, 4));
	stage_turn(&s);
	carry_lines(&s);
	stage_expect(&s, "3 4 notifications/cancelled\n"
			 "MCP-Protocol-Version: 2026-07-28\n"
			 "Mcp-Method: notifications/cancelled\n");
	stage_close(&s);
}

static void
legacy_requests_name_the_revision_that_was_agreed_on(void **state)
{
	stage s;

	(void)state;
	open_http(&s, ERA_LEGACY);
	carry_lines(&s);
	stage_expect(&s, "0 1 initialize\n");
	stage_hear(&s, GREETING);
	carry_lines(&s);
	stage_expect(&s, "1 0 notifications/initialized\n"
			 "MCP-Protocol-Version: 2025-06-18\n"
			 "0 2 tools/list\n"
			 "MCP-Protocol-Version: 2025-06-18\n");
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[]}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\n");
	buf_clear(&s.log);
	carry_lines(&s);
	stage_expect(&s, "2 0 \nMCP-Protocol-Version: 2025-06-18\n");
	stage_call(&s, 1, "a", "", 10);
	stage_tick(&s, 10);
	carry_lines(&s);
	stage_close(&s);
}

/* A tool whose arguments cannot be made headers is not offered over HTTP. */
static void
headers_that_are_not_valid_cost_the_tool(void **state)
{
	static const char *const bad[] = {
	    "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}"
	    "}}",
	    "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a "
	    "b\"}}}",
	    "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":7}}}",
	    "{\"properties\":{\"a\":{\"type\":\"number\",\"x-mcp-header\":"
	    "\"A\"}}}",
	    "{\"properties\":{\"a\":{\"type\":\"object\",\"x-mcp-header\":"
	    "\"A\"}}}",
	    "{\"properties\":{\"a\":{\"x-mcp-header\":\"A\"}}}",
	    "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":"
	    "\"A\"},"
	    "\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}}",
	    "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":"
	    "\"string\",\"x-mcp-header\":\"A\"}}}}",
	    "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\","
	    "\"x-mcp-header\":\"A\"}}}]}",
	};
	stage s;
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(param_headers_valid(text_of(bad[i])));
	assert_true(param_headers_valid(TEXT("{\"properties\":{}}")));
	assert_true(param_headers_valid(TEXT_NONE));
	open_http(&s, ERA_MODERN);
	stage_hear(&s, DISCOVERED);
	stage_hear(&s,
	    "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"good\"},{\"name\":"
	    "\"bad\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
	    "\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}}}]}}\n");
	stage_expect(&s, "up\n?tool \"bad\" is skipped: its x-mcp-header is "
			 "not valid\n");
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 1);
	stage_close(&s);
}

static void
values_of_headers_are_plain_or_base64(void **state)
{
	static const struct {
		const char *value, *header;
	} cases[] = {
	    {"", "N: \n"},
	    {"us-west 1", "N: us-west 1\n"},
	    {" x", "N: =?base64?IHg=?=\n"},
	    {"a\nb", "N: =?base64?YQpi?=\n"},
	    {"=?base64?YQ==?=", "N: =?base64?PT9iYXNlNjQ/WVE9PT89?=\n"},
	    {"\xE6\xBC\xA2", "N: =?base64?5ryi?=\n"},
	    {"~~~\x7F", "N: =?base64?fn5+fw==?=\n"},
	};
	buf out = BUF_INIT(NULL, 1 << 20);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_clear(&out);
		param_header(&out, TEXT("N"), text_of(cases[i].value));
		buf_byte(&out, '\0');
		assert_string_equal(out.ptr, cases[i].header);
	}
	buf_fini(&out);
}

/* --------------------------------------------------------------- failures */

/* Section 1.3 of what is known of servers: which refusals mean legacy. */
static void
a_refused_probe_is_an_answer(void **state)
{
	static const struct {
		int status;
		const char *body;
		const char *next; /* what is asked next; NULL: it is down */
	} cases[] = {
	    {400, "", "initialize"},
	    {404, "<html>", "initialize"},
	    {405, "", "initialize"},
	    {400,
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,"
		"\"message\":\"not initialized\"}}",
		"initialize"},
	    {400,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,"
		"\"message\":\"v\",\"data\":{\"supported\":[\"2026-07-28\"]}}}",
		"tools/list"},
	    {401, "", NULL},
	    {429, "", NULL},
	    {500, "", NULL},
	    {0, "", NULL},
	};
	size_t i;
	stage s;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char want[100];

		open_http(&s, ERA_FIND_OUT);
		buf_clear(&s.said);
		fail_request(&s, 1, cases[i].status, cases[i].body);
		snprintf(want, sizeof(want), "\"method\":\"%s\"",
		    cases[i].next ? cases[i].next : "");
		assert_int_equal(cases[i].next == NULL, s.log.len > 0);
		if (cases[i].next)
			assert_true(text_find(buf_view(&s.said), text_of(want),
					0) != SIZE_MAX);
		stage_close(&s);
	}
}

static void
a_failed_request_ends_its_call_only(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "", 0);
	stage_call(&s, 2, "echo", "", 0);
	stage_call(&s, 3, "echo", "", 0);
	fail_request(&s, 3, 502, "<html>");
	stage_expect(
	    &s, "1!HTTP 502 {\"code\":-32000,\"data\":{\"status\":502}}\n");
	fail_request(&s, 5, 400,
	    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32602,\n"
	    "\"message\":\"bad\"}}");
	stage_expect(&s, "3!bad {\"code\":-32602}\n");
	fail_request(&s, 5, 0, "");
	fail_request(&s, 99, 0, "");
	stage_expect(&s, "");
	stage_hear(&s, "{\"id\":4,\"result\":{\"content\":[]}}\n");
	stage_expect(&s, "2=null\n");
	stage_close(&s);
}

static void
a_start_that_fails_says_why(void **state)
{
	stage s;

	(void)state;
	open_http(&s, ERA_LEGACY);
	fail_request(&s, 1, 503, "");
	stage_expect(&s, "down it refused initialize: HTTP 503\n");
	stage_close(&s);
	open_http(&s, ERA_LEGACY);
	stage_hear(&s, GREETING);
	fail_request(&s, 2, 503, "");
	stage_expect(&s, "down it refused tools/list: HTTP 503\n");
	stage_close(&s);
}

/* Row 18 of the known faults: a server that was restarted has forgotten the
 * session. Calls stay; its list may be another one. */
static void
a_lost_session_is_begun_again(void **state)
{
	stage s;

	(void)state;
	open_http(&s, ERA_LEGACY);
	stage_hear(&s, GREETING);
	stage_hear(
	    &s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_call(&s, 1, "a", "", 0);
	buf_clear(&s.log);
	buf_clear(&s.said);
	mcp_client_again(s.c);
	stage_turn(&s);
	carry_lines(&s);
	stage_expect(&s, "0 4 initialize\n");
	stage_hear(&s, "{\"id\":4,\"result\":{\"protocolVersion\":"
		       "\"2025-11-25\"}}\n");
	carry_lines(&s);
	stage_expect(&s, "1 0 notifications/initialized\n"
			 "MCP-Protocol-Version: 2025-11-25\n"
			 "0 5 tools/list\n"
			 "MCP-Protocol-Version: 2025-11-25\n");
	stage_hear(&s,
	    "{\"id\":3,\"result\":{\"content\":[]}}\n"
	    "{\"id\":5,\"result\":{\"tools\":[{\"name\":\"b\"}]}}\n");
	stage_expect(&s, "1=null\nchanged\n");
	mcp_client_again(s.c);
	stage_tick(&s, 30000);
	stage_expect(&s, "down it lost its session, and does not answer "
			 "initialize\n");
	stage_close(&s);
}

/* -32020: the list of tools is read again, then the call is sent again, once. */
static void
a_header_mismatch_leads_to_a_new_list(void **state)
{
	stage s;

	(void)state;
	open_http(&s, ERA_MODERN);
	stage_hear(&s, DISCOVERED);
	stage_hear(
	    &s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_call(&s, 1, "a", "", 0);
	buf_clear(&s.log);
	buf_clear(&s.said);
	fail_request(&s, 4, 400,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32020,"
	    "\"message\":\"header\"}}");
	stage_expect(&s, "");
	stage_hear(
	    &s, "{\"id\":5,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_expect(&s, "");
	carry_lines(&s);
	stage_expect(&s, "0 5 tools/list\n"
			 "MCP-Protocol-Version: 2026-07-28\n"
			 "Mcp-Method: tools/list\n"
			 "0 6 tools/call\n"
			 "MCP-Protocol-Version: 2026-07-28\n"
			 "Mcp-Method: tools/call\n"
			 "Mcp-Name: a\n");
	stage_hear(&s, "{\"id\":6,\"error\":{\"code\":-32020,\"message\":"
		       "\"header\"}}\n");
	stage_expect(&s, "1!header {\"code\":-32020}\n");
	stage_close(&s);
}

static void
listening_over_http_is_begun_anew_when_it_may_be(void **state)
{
	stage s;

	(void)state;
	open_http(&s, ERA_MODERN);
	stage_hear(&s, DISCOVERED);
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[]}}\n");
	fail_request(&s, 3, 0, "");
	assert_int_equal(mcp_client_deadline(s.c), 1000);
	stage_tick(&s, 1000);
	fail_request(&s, 4, 404, "");
	stage_tick(&s, 100000);
	assert_int_equal(mcp_client_deadline(s.c), UINT64_MAX);
	stage_close(&s);
}

/* Whole messages come in the caller's own memory. */
static void
lines_may_stand_in_the_callers_memory(void **state)
{
	char line[] = " {\"id\":3,\"result\":{\"content\":[{\"type\":\"text\","
		      "\"text\":\"caf\xE9\"}]}}\r\n";
	char two[] = "[{\"id\":4,\"result\":{\"content\":[]}},{\"id\":5,"
		     "\"result\":{\"content\":[]}}]";
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "", 0);
	stage_call(&s, 2, "echo", "", 0);
	stage_call(&s, 3, "echo", "", 0);
	mcp_client_line(s.c, line, strlen(line));
	stage_turn(&s);
	stage_expect(&s,
	    "1!The server's reply is broken: it is not valid UTF-8 "
	    "{\"code\":-32000}\n");
	mcp_client_line(s.c, two, strlen(two));
	stage_turn(&s);
	stage_expect(&s, "2=null\n3=null\n");
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_request_of_the_modern_era_has_its_headers),
	    cmocka_unit_test(
		legacy_requests_name_the_revision_that_was_agreed_on),
	    cmocka_unit_test(headers_that_are_not_valid_cost_the_tool),
	    cmocka_unit_test(values_of_headers_are_plain_or_base64),
	    cmocka_unit_test(a_refused_probe_is_an_answer),
	    cmocka_unit_test(a_failed_request_ends_its_call_only),
	    cmocka_unit_test(a_start_that_fails_says_why),
	    cmocka_unit_test(a_lost_session_is_begun_again),
	    cmocka_unit_test(a_header_mismatch_leads_to_a_new_list),
	    cmocka_unit_test(listening_over_http_is_begun_anew_when_it_may_be),
	    cmocka_unit_test(lines_may_stand_in_the_callers_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
