/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_client.c -- the machine against a server that behaves, and against
 * servers that do not.
 */
#include "mcp_fixture.h"

#include "mcp/machine.h"

/* ----------------------------------------------------------- handshake */

static void
greets_lists_and_is_up(void **state)
{
	stage s;
	size_t n;
	const mcp_tool *tool;

	(void)state;
	stage_open(&s, NULL);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
	    "\"params\":"
	    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
	    "\"clientInfo\":{\"name\":\"codemode\",\"version\":\"" CM_VERSION
	    "\"}}}\n");
	stage_hear(&s, GREETING);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/"
	    "list\",\"params\":"
	    "{}}\n");
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"a"
	    "\\u0062\",\"title\":\"T\",\"inputSchema\": { \"$x\" : 1.00 },"
	    "\"outputSchema\":{\"a\":[ ]},\"annotations\":{\"readOnlyHint\":"
	    "true,\"idempotentHint\":true,\"destructiveHint\":true}},"
	    "{\"name\":\"b\",\"description\":\"D\",\"title\":\"T\","
	    "\"annotations\":{\"destructiveHint\":true}}]}}\n");
	stage_expect(&s, "up\n");
	tool = mcp_client_tools(s.c, &n);
	assert_int_equal(n, 2);
	assert_true(text_eq(tool[0].name, TEXT("ab")));
	assert_true(text_eq(tool[0].description, TEXT("T")));
	assert_true(text_eq(tool[0].input_schema, TEXT("{ \"$x\" : 1.00 }")));
	assert_true(text_eq(tool[0].output_schema, TEXT("{\"a\":[ ]}")));
	assert_int_equal(tool[0].flags, CM_TOOL_READS | CM_TOOL_REPEATABLE);
	assert_true(text_eq(tool[1].description, TEXT("D")));
	assert_int_equal(tool[1].input_schema.len, 0);
	assert_int_equal(tool[1].flags, CM_TOOL_DESTROYS);
	stage_close(&s);
}

static void
takes_every_known_revision_and_no_other(void **state)
{
	static const char *const known[] = {"2024-10-07", "2024-11-05",
	    "2025-03-26", "2025-06-18", "2025-11-25"};
	char line[200];
	size_t i;
	stage s;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		stage_open(&s, NULL);
		snprintf(line, sizeof(line),
		    "{\"id\":1,\"result\":{\"protocolVersion\":\"%s\"}}\n",
		    known[i]);
		stage_hear(&s, line);
		stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[]}}\n");
		stage_expect(&s, "up\n");
		stage_close(&s);
	}
	stage_open(&s, NULL);
	stage_hear(&s,
	    "{\"id\":1,\"result\":{\"protocolVersion\":\"2031-01-01\"}}"
	    "\n");
	stage_expect(&s, "down it speaks MCP revision \"2031-01-01\", which is "
			 "not known here (known: 2024-10-07 to 2026-07-28)\n");
	stage_close(&s);
	stage_open(&s, NULL);
	stage_hear(&s, "{\"id\":1,\"result\":{}}\n");
	stage_expect(&s,
	    "down its answer to initialize names no protocol version"
	    "\n");
	stage_close(&s);
}

static void
says_why_a_greeting_failed(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,"
	    "\"message\":\"too new\"}}\n");
	stage_expect(&s, "down it refused initialize: too new\n");
	stage_close(&s);
}

static void
gives_up_at_the_deadline(void **state)
{
	const mcp_client_options opts = {
	    .now_ms = 1000, .startup_ms = 500, .era = ERA_LEGACY};
	stage s;

	(void)state;
	stage_open(&s, &opts);
	assert_int_equal(mcp_client_deadline(s.c), 1500);
	stage_tick(&s, 1499);
	stage_expect(&s, "");
	stage_tick(&s, 1500);
	stage_expect(&s, "down no answer to initialize within 500 ms\n");
	assert_int_equal(mcp_client_deadline(s.c), UINT64_MAX);
	stage_close(&s);
	stage_open(&s, &opts);
	stage_hear(&s, GREETING);
	stage_tick(&s, 1500);
	stage_expect(&s, "down no answer to tools/list within 500 ms\n");
	stage_close(&s);
}

/* ------------------------------------------------------------- the list */

static void
open_listing(stage *s)
{
	stage_open(s, NULL);
	stage_hear(s, GREETING);
	buf_clear(&s->said);
}

static void
follows_pages_to_their_end(void **state)
{
	stage s;
	size_t n;

	(void)state;
	open_listing(&s);
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}],"
		       "\"nextCursor\":\"\"}}\n");
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\","
	    "\"params\":{\"cursor\":\"\"}}\n");
	stage_hear(&s, "{\"id\":3,\"result\":{\"tools\":[{\"name\":\"b\"}],"
		       "\"nextCursor\":\"\\u0031/\"}}\n");
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\","
	    "\"params\":{\"cursor\":\"\\u0031/\"}}\n");
	stage_expect(&s, "");
	stage_hear(&s, "{\"id\":4,\"result\":{\"tools\":[{\"name\":\"c\"}],"
		       "\"nextCursor\":null}}\n");
	stage_expect(&s, "up\n");
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 3);
	stage_close(&s);
}

static void
stops_at_a_cursor_that_comes_again(void **state)
{
	stage s;
	size_t n;

	(void)state;
	open_listing(&s);
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}],"
		       "\"nextCursor\":\"x\"}}\n");
	stage_hear(&s, "{\"id\":3,\"result\":{\"tools\":[{\"name\":\"a\"},"
		       "{\"name\":\"b\"}],\"nextCursor\":\"x\"}}\n");
	stage_expect(&s, "up\n"
			 "?tool \"a\" is named twice; the first one counts\n"
			 "?its list of tools does not end: cursor \"x\" leads "
			 "nowhere new\n");
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 2);
	stage_close(&s);
}

static void
stops_after_pages_without_a_new_tool(void **state)
{
	char line[200];
	int page = 0;
	stage s;

	(void)state;
	open_listing(&s);
	for (;;) {
		snprintf(line, sizeof(line),
		    "{\"id\":%d,\"result\":{\"tools\":[],\"nextCursor\":\"%d\"}"
		    "}"
		    "\n",
		    page + 2, page);
		stage_hear(&s, line);
		page++;
		if (s.log.len)
			break;
		assert_true(page < 2000);
	}
	assert_int_equal(page, 20);
	stage_expect(&s, "up\n?its list of tools does not end: cursor \"19\" "
			 "leads nowhere new\n");
	stage_close(&s);
}

static void
one_bad_tool_costs_no_other(void **state)
{
	stage s;
	size_t n;
	const mcp_tool *tool;

	(void)state;
	open_listing(&s);
	stage_hear(&s,
	    "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\",\"inputSchema\":"
	    "{\"type\":\"object\"}},7,{\"name\":\"\"},{\"name\":5},null,"
	    "{\"name\":\"b\",\"inputSchema\":\"string\"},{\"name\":\"c\","
	    "\"inputSchema\":{\"type\":\"array\"}},{\"name\":\"d\","
	    "\"inputSchema"
	    "\":{\"$ref\":\"#/x\",\"x\":{\"$ref\":\"#/x\"}},\"outputSchema\":3}"
	    "]}}\n");
	stage_expect(&s,
	    "up\n"
	    "?tool 2 of a list is skipped: it has no name\n"
	    "?tool 3 of a list is skipped: it has no name\n"
	    "?tool 4 of a list is skipped: it has no name\n"
	    "?tool 5 of a list is skipped: it has no name\n"
	    "?tool \"b\" takes anything: its inputSchema describes no object\n"
	    "?tool \"c\" takes anything: its inputSchema describes no "
	    "object\n");
	tool = mcp_client_tools(s.c, &n);
	assert_int_equal(n, 4);
	assert_int_equal(tool[2].input_schema.len, 0);
	assert_true(text_eq(tool[3].input_schema,
	    TEXT("{\"$ref\":\"#/x\",\"x\":{\"$ref\":\"#/x\"}}")));
	assert_int_equal(tool[3].output_schema.len, 0);
	stage_close(&s);
}

/* The part of its own page may call them; a model is not told of them. */
static void
tools_of_apps_alone_are_not_offered(void **state)
{
	stage s;
	size_t n;
	const mcp_tool *tool;

	(void)state;
	open_listing(&s);
	stage_hear(&s,
	    "{\"id\":2,\"result\":{\"tools\":["
	    "{\"name\":\"page\",\"inputSchema\":{\"type\":\"object\"},"
	    "\"_meta\":{\"ui\":{\"visibility\":[\"app\"]}}},"
	    "{\"name\":\"both\",\"inputSchema\":{\"type\":\"object\"},"
	    "\"_meta\":{\"ui\":{\"visibility\":[\"app\",\"model\"]}}},"
	    "{\"name\":\"said_nothing\",\"inputSchema\":{\"type\":\"object\"},"
	    "\"_meta\":{\"ui\":{\"visibility\":[]}}}]}}\n");
	stage_expect(&s, "up\n");
	tool = mcp_client_tools(s.c, &n);
	assert_int_equal(n, 2);
	assert_true(text_eq(tool[0].name, TEXT("both")));
	assert_true(text_eq(tool[1].name, TEXT("said_nothing")));
	stage_close(&s);
}

static void
a_server_without_tools_is_up(void **state)
{
	stage s;

	(void)state;
	open_listing(&s);
	stage_hear(&s,
	    "{\"id\":2,\"error\":{\"code\":-32601,\"message\":\"nope\"}"
	    "}\n");
	stage_expect(&s, "up\n?it has no tools: nope\n");
	stage_close(&s);
	open_listing(&s);
	stage_hear(&s,
	    "{\"id\":2,\"error\":{\"code\":-32000,\"message\":\"db\"}}"
	    "\n");
	stage_expect(&s, "down it refused tools/list: db\n");
	stage_close(&s);
}

static void
keeps_the_pages_before_a_failed_one(void **state)
{
	stage s;

	(void)state;
	open_listing(&s);
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}],"
		       "\"nextCursor\":\"x\"}}\n");
	stage_hear(
	    &s, "{\"id\":3,\"error\":{\"code\":1,\"message\":\"lost\"}}\n");
	stage_expect(
	    &s, "up\n?the rest of its list of tools is missing: lost\n");
	stage_close(&s);
}

/* ---------------------------------------------------------------- calls */

static void
a_call_is_asked_and_answered(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 7, "echo", "{\"a\":\n 1}", 0);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"echo\",\"arguments\":{\"a\":1},"
	    "\"_meta\":{\"progressToken\":3}}}\n");
	stage_call(&s, 8, "odd \"name\"", "", 0);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"odd \\\"name\\\"\",\"arguments\":"
	    "{},\"_meta\":{\"progressToken\":4}}}\n");
	assert_int_equal(s.c->waits.len, 2);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[]}}"
	    "\n{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":"
	    "[{\"type\":\"text\",\"text\":\"hi\"}]}}\n");
	stage_expect(&s, "8=null\n7=\"hi\"\n");
	assert_int_equal(s.c->waits.len, 0);
	stage_close(&s);
}

static void
replies_find_their_call_or_nobody(void **state)
{
	const mcp_counts *n;
	stage s;

	(void)state;
	stage_up(&s);
	n = &s.c->counts;
	stage_call(&s, 1, "echo", "{}", 1000);
	stage_call(&s, 2, "echo", "{}", 1000);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"3\",\"result\":{\"content\":"
	    "[]}}\n");
	stage_expect(&s, "1=null\n");
	/* doubled, zero, null, foreign, too large, a fraction, none at all */
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
	stage_expect(&s,
	    "?it answered a call that was over already; the answer "
	    "is dropped\n");
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,"
		       "\"message\":\"could not read\"}}\n");
	stage_expect(&s, "?it answered id null, which was never asked: "
			 "{\"code\":1,\"message\":\"could not read\"}\n");
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":\"x-1\",\"result\":{}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":4.5,\"result\":{}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":\"04\",\"result\":{}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":-4,\"result\":{}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,"
		       "\"result\":{}}\n"
		       "{\"jsonrpc\":\"2.0\",\"result\":{}}\n");
	stage_expect(&s, "");
	assert_int_equal(n->late, 1);
	assert_int_equal(n->stray, 9);
	assert_int_equal(s.c->waits.len, 1);
	stage_close(&s);
}

static void
time_runs_out_for_each_call_alone(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 3000);
	stage_call(&s, 2, "echo", "{}", 1000);
	stage_call(&s, 3, "echo", "{}", CM_NO_LIMIT);
	stage_call(&s, 4, "echo", "{}", 0);
	buf_clear(&s.said);
	assert_int_equal(mcp_client_deadline(s.c), 1000);
	stage_tick(&s, 1000);
	stage_expect(&s, "2!The tool did not answer within 1000 ms "
			 "{\"code\":-32001}\n");
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled"
	    "\",\"params\":{\"requestId\":4,\"reason\":\"timeout\"}}"
	    "\n");
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[]}}"
	    "\n");
	stage_expect(&s,
	    "?it answered a call that was over already; the answer "
	    "is dropped\n");
	assert_int_equal(mcp_client_deadline(s.c), 3000);
	stage_tick(&s, 299999);
	stage_expect(&s, "1!The tool did not answer within 3000 ms "
			 "{\"code\":-32001}\n");
	stage_tick(&s, 300000);
	stage_expect(&s, "4!The tool did not answer within 300000 ms "
			 "{\"code\":-32001}\n");
	/* The one without a limit is open still: the next ping is due. */
	stage_tick(&s, 310000);
	assert_int_equal(mcp_client_deadline(s.c), 329999);
	assert_int_equal(s.c->waits.len, 1);
	stage_close(&s);
}

static void
a_cancelled_call_gets_no_answer(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 1000);
	buf_clear(&s.said);
	mcp_client_cancel(s.c, 1, TEXT("not needed"));
	mcp_client_cancel(s.c, 9, TEXT("never was"));
	stage_turn(&s);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled"
	    "\",\"params\":{\"requestId\":3,\"reason\":\"not needed\""
	    "}}\n");
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
	stage_tick(&s, 5000);
	stage_expect(&s,
	    "?it answered a call that was over already; the answer "
	    "is dropped\n");
	/* the number is free again */
	stage_call(&s, 1, "echo", "{}", 1000);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[]}}"
	    "\n");
	stage_expect(&s, "1=null\n");
	stage_close(&s);
}

static void
impossible_calls_are_failed_answers(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, NULL);
	stage_call(&s, 1, "echo", "{}", 0);
	stage_expect(&s, "1!The server is not up yet {\"code\":-32000}\n");
	stage_close(&s);
	stage_up(&s);
	stage_call(&s, 2, "echo", "[1]", 0);
	stage_expect(&s, "2!A tool of an MCP server takes one object as its "
			 "argument {\"code\":-32602}\n");
	assert_int_equal(s.said.len, 0);
	stage_call(&s, 3, "echo", "{}", 0);
	assert_int_equal(
	    mcp_client_call(s.c, 3, TEXT("echo"), TEXT("{}"), 0), CM_EMISUSE);
	mcp_client_close(s.c, TEXT("it exited with code 3"));
	stage_turn(&s);
	stage_call(&s, 4, "echo", "{}", 0);
	stage_expect(&s,
	    "3!The server is gone: it exited with code 3 {\"code\":-32000}\n"
	    "down it exited with code 3\n"
	    "4!The server is gone: it exited with code 3 {\"code\":-32000}\n");
	stage_close(&s);
}

static void
a_server_that_does_not_read_is_noticed(void **state)
{
	size_t len = (size_t)20 << 20, sent;
	char *args = malloc(len + 1);
	stage s;
	mcp_event e;

	(void)state;
	stage_up(&s);
	memset(args, ' ', len);
	args[0] = '{';
	args[len - 1] = '}';
	for (uint32_t i = 1; i <= 4; i++)
		assert_int_equal(mcp_client_call(s.c, i, TEXT("echo"),
				     (text){args, len}, 1000),
		    CM_OK);
	assert_true(mcp_client_next(s.c, &e));
	assert_int_equal(e.call, 4);
	assert_true(text_eq(e.answer.message,
	    TEXT("The server does not read what it is sent; too much waits for "
		 "it already")));
	sent = mcp_client_out(s.c).len;
	assert_true(sent > 3 * len && sent < 3 * len + 1000);
	/* the limit holds to the byte, and a little less is let through */
	assert_int_equal(mcp_client_call(s.c, 5, TEXT("echo"),
			     (text){args, MCP_OUT_MAX - sent + 1}, 1000),
	    CM_OK);
	assert_true(mcp_client_next(s.c, &e));
	assert_int_equal(e.call, 5);
	/* words of the protocol still go */
	mcp_client_cancel(s.c, 1, TEXT(""));
	assert_true(mcp_client_out(s.c).len > sent);
	/* once it reads, calls go again, whole and in order */
	mcp_client_sent(s.c, sent);
	assert_true(text_starts(
	    mcp_client_out(s.c), TEXT("{\"jsonrpc\":\"2.0\",\"method\":"
				      "\"notifications/cancelled\"")));
	assert_int_equal(
	    mcp_client_call(s.c, 6, TEXT("echo"), TEXT("{}"), 0), CM_OK);
	assert_false(mcp_client_next(s.c, &e));
	free(args);
	stage_close(&s);
}

static void
broken_replies_are_errors(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	for (uint32_t i = 3; i <= 8; i++)
		stage_call(&s, i, "echo", "{}", 0);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{},\"error\":{}}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":4}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":5,\"error\":{\"code\":-7,"
	    "\"message\":\"m\",\"data\":[1]}}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":6,\"error\":\"words\"}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{}}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":null,\"result\":"
	    "{\"content\":[]}}\n");
	stage_expect(&s,
	    "3!The server's reply is broken: it holds both a result and an "
	    "error"
	    " {\"code\":-32000}\n"
	    "4!The server's reply is broken: it holds neither a result nor an "
	    "error {\"code\":-32000}\n"
	    "5!m {\"code\":-7,\"data\":[1]}\n"
	    "6!words {}\n"
	    "7!Tool call failed {}\n"
	    "8=null\n");
	stage_close(&s);
}

/* --------------------------------------------------- the server's own words */

static void
the_servers_requests_are_answered(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"roots/list\"}\n"
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
	    "\"params\":{}}\n"
	    "{\"jsonrpc\":\"2.0\",\"method\":\"what/ever\"}\n");
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32601,"
	    "\"message\":\"Method not found\",\"data\":{\"method\":"
	    "\"roots/list\"}}}\n");
	stage_expect(&s, "?it asks for \"roots/list\", which is not offered\n");
	stage_close(&s);
}

static void
a_storm_of_changes_is_one_reading(void **state)
{
	const mcp_tool *tool;
	stage s;
	size_t n;
	int i;

	(void)state;
	stage_up(&s);
	for (i = 0; i < 1000; i++) {
		stage_hear(&s,
		    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		    "tools/list_changed\"}\n");
		stage_tick(&s, (uint64_t)i / 10);
	}
	stage_expect(&s, "");
	stage_said(&s, "");
	assert_int_equal(mcp_client_deadline(s.c), 200);
	stage_tick(&s, 200);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\","
	    "\"params\":{}}\n");
	/* the old list is in use until the new one is whole */
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 2);
	stage_hear(
	    &s, "{\"id\":3,\"result\":{\"tools\":[{\"name\":\"new\"}]}}\n");
	stage_expect(&s, "changed\n");
	tool = mcp_client_tools(s.c, &n);
	assert_int_equal(n, 1);
	assert_true(text_eq(tool[0].name, TEXT("new")));
	stage_tick(&s, 10000);
	stage_expect(&s, "");
	stage_said(&s, "");
	stage_close(&s);
}

/* A change that is told while the list is read leads to one more reading; one
 * that finds the same list is no event, and the next waits longer. */
static void
changes_while_the_list_is_read(void **state)
{
	static const char change[] =
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
	    "list_changed\"}\n";
	stage s;
	int i;

	(void)state;
	stage_up(&s);
	stage_hear(&s, change);
	stage_tick(&s, 200);
	for (i = 0; i < 10000; i++)
		stage_hear(&s, change);
	stage_hear(
	    &s, "{\"id\":3,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_expect(&s, "changed\n");
	assert_int_equal(mcp_client_deadline(s.c), 400);
	buf_clear(&s.said);
	stage_tick(&s, 400);
	stage_hear(&s, change);
	stage_hear(
	    &s, "{\"id\":4,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_expect(&s, "");
	assert_int_equal(mcp_client_deadline(s.c), 800);
	stage_tick(&s, 800);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\","
	    "\"params\":{}}\n"
	    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\","
	    "\"params\":{}}\n");
	stage_close(&s);
}

static void
a_list_that_cannot_be_read_again_leaves_the_old(void **state)
{
	static const char change[] =
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
	    "list_changed\"}\n";
	stage s;
	size_t n;

	(void)state;
	stage_up(&s);
	stage_hear(&s, change);
	stage_tick(&s, 200);
	stage_hear(
	    &s, "{\"id\":3,\"error\":{\"code\":1,\"message\":\"db\"}}\n");
	stage_expect(&s, "?its list of tools changed, but cannot be read: db; "
			 "the old list stays in use\n");
	stage_hear(&s, change);
	stage_tick(&s, 400);
	stage_hear(&s, "{\"id\":4,\"result\":{\"tools\":[{\"name\":\"x\"}],"
		       "\"nextCursor\":\"c\"}}\n");
	stage_tick(&s, 10400);
	stage_expect(&s, "?its list of tools changed, but cannot be read: no "
			 "answer came in time; the old list stays in use\n");
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 2);
	stage_hear(&s, "{\"id\":5,\"result\":{\"tools\":[]}}\n");
	stage_expect(&s, "");
	assert_int_equal(s.c->waits.len, 0);
	/* a server that never answers leaves nothing behind, either */
	stage_hear(&s, change);
	stage_tick(&s, 10600);
	stage_tick(&s, 20600);
	buf_clear(&s.log);
	assert_int_equal(s.c->waits.len, 1);
	stage_tick(&s, 80600);
	assert_int_equal(s.c->waits.len, 0);
	stage_close(&s);
}

static void
lists_of_messages_are_taken_apart(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 0);
	stage_call(&s, 2, "echo", "{}", 0);
	stage_hear(&s,
	    "[{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[]}},"
	    "{\"jsonrpc\":\"2.0\",\"method\":\"x\"},"
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"structuredContent\":1}"
	    "}"
	    "]\n[]\n");
	stage_expect(&s, "2=null\n1=1\n");
	stage_close(&s);
}

/* --------------------------------------------------------------- framing */

static void
bytes_may_come_one_by_one(void **state)
{
	static const char all[] =
	    "\xEF\xBB\xBF{\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-"
	    "18\""
	    "}}\r\n\r\n \n{\"id\":2,\"result\":{\"tools\":[{\"name\":"
	    "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"}]}}\r\n";
	const mcp_tool *tool;
	size_t i, n;
	stage s;

	(void)state;
	stage_open(&s, NULL);
	for (i = 0; i < sizeof(all) - 1; i++) {
		assert_true(client_feed(s.c, &all[i], 1));
		stage_turn(&s);
	}
	stage_expect(&s, "up\n");
	tool = mcp_client_tools(s.c, &n);
	assert_true(text_eq(
	    tool[0].name, TEXT("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")));
	stage_close(&s);
}

static void
noise_is_skipped_and_counted(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, "Server running on stdio \x1b[32m\xE2\x9C\x93\n42\n"
		       "{\"level\":\"info\",\"id\":1}\n{\"broken\n");
	stage_hear(&s, GREETING "null\n\"id\"\n");
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[]}}\n");
	stage_expect(&s,
	    "?it writes to stdout what is no message: Server running "
	    "on stdio ?[32m???\nup\n");
	assert_int_equal(s.c->counts.noise, 6);
	stage_close(&s);
}

/* Not JSON, but a reply whose id can be read: its call ends with an error. */
static void
a_reply_that_is_nearly_json_ends_its_call(void **state)
{
	static const char *const whys[] = {
	    "a value must start here (byte 38: NaN}})",
	    "a string has a control character that is not escaped "
	    "(byte 40: ?b\"}})",
	    "a value must start here (byte 22: "
	    "Infinity},\"jsonrpc\":\"2.0\",\"id\")"};
	static const char *const replies[] = {
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"n\":NaN}}\n",
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"t\":\"a\tb\"}}\n",
	    "{\"result\":{\"id\":3,\"n\":Infinity},\"jsonrpc\":\"2.0\","
	    "\"id\":\"5\"}\n"};
	buf deep = BUF_INIT(NULL, 1 << 20);
	stage s;

	(void)state;
	stage_up(&s);
	for (uint32_t i = 0; i < 4; i++)
		stage_call(&s, i, "echo", "{}", 0);
	for (uint32_t i = 0; i < 3; i++) {
		char want[200];

		stage_hear(&s, replies[i]);
		snprintf(want, sizeof(want),
		    "%u!The server's reply is broken: it is not JSON: %s "
		    "{\"code\":-32000}\n",
		    i, whys[i]);
		stage_expect(&s, want);
	}
	buf_str(&deep, "{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":");
	for (int i = 0; i < 70000; i++)
		buf_byte(&deep, '[');
	for (int i = 0; i < 70000; i++)
		buf_byte(&deep, ']');
	buf_str(&deep, "}\n");
	buf_byte(&deep, '\0');
	stage_hear(&s, deep.ptr);
	stage_expect(&s, "3!The server's reply is broken: it is not JSON: "
			 "it is nested too deeply (byte 1072: "
			 "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[) "
			 "{\"code\":-32000}\n");
	/* A log line that names an id is no reply. */
	stage_call(&s, 9, "echo", "{}", 0);
	stage_hear(&s, "{\"level\":\"info\",\"id\":7,oops}\n");
	assert_int_equal(s.c->counts.noise, 1);
	assert_int_equal(s.c->waits.len, 1);
	buf_fini(&deep);
	stage_close(&s);
}

static void
content_length_headers_are_named(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, "Content-Length: 120\r\n\r\n{\"jsonrpc\":\"2.0\"");
	stage_expect(&s,
	    "down it frames its messages by Content-Length headers; MCP has "
	    "one message a line\n");
	stage_close(&s);
}

static void
more_tools_than_are_taken(void **state)
{
	buf list = BUF_INIT(NULL, 4 << 20);
	stage s;
	size_t n;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, GREETING);
	buf_str(&list, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[");
	for (int i = 0; i < 10321; i++)
		buf_printf(&list, "%s{\"name\":\"t%d\"}", i ? "," : "", i);
	buf_str(&list, "]}}\n");
	buf_byte(&list, '\0');
	stage_hear(&s, list.ptr);
	stage_expect(&s, "up\n?it has 321 tools more than the 10000 that "
			 "are taken\n");
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 10000);
	buf_fini(&list);
	stage_close(&s);
}

static void
names_and_schemas_have_a_length(void **state)
{
	buf list = BUF_INIT(NULL, 8 << 20);
	const mcp_tool *tool;
	stage s;
	size_t n;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, GREETING);
	buf_str(&list, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":["
		       "{\"name\":\"");
	for (int i = 0; i < 1 << 20; i++)
		buf_byte(&list, 'n');
	buf_str(&list, "\"},{\"name\":\"b\",\"inputSchema\":{\"title\":\"");
	for (int i = 0; i < 1 << 20; i++)
		buf_byte(&list, 's');
	buf_str(&list, "\"}}]}}\n");
	buf_byte(&list, '\0');
	stage_hear(&s, list.ptr);
	assert_true(text_find(buf_view(&s.log),
			TEXT("n is skipped: its name is longer than 1,024 "
			     "bytes\n"),
			0) != SIZE_MAX);
	assert_true(text_find(buf_view(&s.log),
			TEXT("?tool \"b\" takes anything: its schema is larger "
			     "than 1 MiB\n"),
			0) != SIZE_MAX);
	tool = mcp_client_tools(s.c, &n);
	assert_int_equal(n, 1);
	assert_int_equal(tool[0].input_schema.len, 0);
	buf_clear(&s.log);
	buf_fini(&list);
	stage_close(&s);
}

static void
only_a_line_feed_ends_a_line(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 0);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\r\"id\":3,\"result\":{\"content\":[{"
	    "\"type\":\"text\",\"text\":\"a\xE2\x80\xA8"
	    "b\xE2\x80\xA9"
	    "c\xC2\x85\"}]}}\n");
	stage_expect(&s, "1=\"a\xE2\x80\xA8"
			 "b\xE2\x80\xA9"
			 "c\xC2\x85\"\n");
	stage_close(&s);
}

static void
text_that_is_not_utf8_ends_its_call(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 0);
	stage_call(&s, 2, "echo", "{}", 0);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{"
	    "\"type\":\"text\",\"text\":\"\xFF\xC3(\xED\xA0\x80\"}]}}"
	    "\n");
	stage_expect(&s,
	    "1!The server's reply is broken: it is not valid UTF-8 "
	    "{\"code\":-32000}\n");
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[]}}"
	    "\n");
	stage_expect(&s, "2=null\n");
	stage_close(&s);
}

static void
nesting_that_is_too_deep_ends_its_call(void **state)
{
	buf b = BUF_INIT(NULL, 1 << 20);
	stage s;
	int i;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 0);
	buf_str(&b, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{"
		    "\"structuredContent\":");
	for (i = 0; i < 5000; i++)
		buf_byte(&b, '[');
	for (i = 0; i < 5000; i++)
		buf_byte(&b, ']');
	buf_str(&b, "}}\n");
	buf_byte(&b, '\0');
	stage_hear(&s, b.ptr);
	stage_expect(&s,
	    "1!The server's reply is broken: it is nested too deep "
	    "{\"code\":-32000}\n");
	buf_fini(&b);
	stage_close(&s);
}

/* One text of n bytes around which a reply with this head and tail stands. */
static void
hear_long(stage *s, const char *head, size_t n, const char *tail)
{
	size_t chunk = (size_t)1 << 20;
	char *filler = malloc(chunk);

	memset(filler, 'x', chunk);
	stage_hear(s, head);
	for (; n; n -= n < chunk ? n : chunk) {
		assert_true(client_feed(s->c, filler, n < chunk ? n : chunk));
		stage_turn(s);
	}
	free(filler);
	stage_hear(s, tail);
}

static void
twenty_mebibytes_are_one_message(void **state)
{
	size_t n = (size_t)20 << 20;
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 0);
	hear_long(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{"
	    "\"type\":\"text\",\"text\":\"",
	    n, "\"}]}}\n");
	assert_int_equal(s.log.len, n + 5);
	assert_memory_equal(s.log.ptr, "1=\"xxx", 6);
	stage_close(&s);
}

static void
a_line_over_the_maximum_ends_its_call_only(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 0);
	stage_call(&s, 2, "echo", "{}", 0);
	stage_call(&s, 3, "echo", "{}", 0);
	hear_long(&s, "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":\"",
	    MCP_FRAME_MAX, "\"}\n");
	stage_expect(&s, "2!The tool's answer is larger than 80 MiB "
			 "{\"code\":-32000}\n");
	hear_long(&s, "{\"result\":\"", MCP_FRAME_MAX,
	    "\",\"jsonrpc\":\"2.0\",\"id\":\"3\"}\n");
	stage_expect(&s, "1!The tool's answer is larger than 80 MiB "
			 "{\"code\":-32000}\n");
	/* the id cannot be seen: it may be any call's */
	hear_long(&s, "{\"result\":{\"id\":", MCP_FRAME_MAX, "}}\n");
	stage_expect(&s, "3!The tool's answer is larger than 80 MiB "
			 "{\"code\":-32000}\n");
	stage_call(&s, 4, "echo", "{}", 0);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{\"content\":[]}}"
	    "\n");
	stage_expect(&s, "4=null\n");
	stage_close(&s);
}

/* ------------------------------------------------------------------ the end */

static void
what_was_said_before_the_end_counts(void **state)
{
	static const char last[] =
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[]}}";
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{}", 0);
	stage_call(&s, 2, "echo", "{}", 0);
	/* the last line has no end, and is whole all the same */
	assert_true(client_feed(s.c, last, strlen(last)));
	mcp_client_close(s.c, TEXT("it was killed by signal 9"));
	stage_turn(&s);
	stage_expect(&s, "2=null\n"
			 "1!The server is gone: it was killed by signal 9 "
			 "{\"code\":-32000}\n"
			 "down it was killed by signal 9\n");
	stage_turn(&s);
	stage_expect(&s, "");
	stage_close(&s);
}

/* Each allocation fails once: no crash, no leak, and never a wrong answer. */
typedef struct meter {
	long until; /* allocations that still succeed; <0: all */
	long live;
} meter;

static void *
metered(void *ctx, void *block, size_t old_size, size_t new_size)
{
	meter *m = ctx;

	if (new_size > old_size && m->until == 0)
		return NULL;
	if (new_size > old_size && m->until > 0)
		m->until--;
	m->live += (long)new_size - (long)old_size;
	return mem_resize(NULL, block, old_size, new_size);
}

static void
said_whole_lines(text out)
{
	text line;

	assert_true(out.len == 0 || text_ends(out, TEXT("}\n")));
	while (text_line(&out, &line))
		assert_true(json_check(line, JSON_DEPTH, &(json){0}, NULL));
}

static void
play_short_of_memory(meter *m)
{
	const cm_alloc alloc = {metered, m};
	const mcp_client_options opts = {.alloc = &alloc, .era = ERA_LEGACY};
	static const char script[] =
	    "noise\n" GREETING "{\"id\":2,\"result\":{\"tools\":[{\"name\":"
	    "\"echo\"},{\"name\":1}],"
	    "\"nextCursor\":\"c\"}}\n{\"id\":3,\"result\":{\"tools\":[]}}\n";
	static const char reply[] =
	    "{\"id\":4,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
	    "\"[1,\\n2]\"}]}}\n";
	mcp_client *c = mcp_client_new(&opts);
	mcp_event e;
	bool up = false;

	if (!c)
		return;
	if (client_feed(c, script, sizeof(script) - 1)) {
		while (mcp_client_next(c, &e))
			up |= e.kind == MCP_UP;
	}
	if (up && mcp_client_call(c, 1, TEXT("echo"), TEXT("{}"), 0) == CM_OK &&
	    client_feed(c, reply, strlen(reply))) {
		while (mcp_client_next(c, &e)) {
			if (e.kind == MCP_ANSWER && e.answer.ok)
				assert_true(
				    text_eq(e.answer.value, TEXT("[1,\n2]")));
		}
	}
	mcp_client_close(c, TEXT("end"));
	while (mcp_client_next(c, &e))
		;
	said_whole_lines(mcp_client_out(c));
	mcp_client_free(c);
}

static void
every_allocation_may_fail(void **state)
{
	long n;

	(void)state;
	for (n = 0; n < 100; n++) {
		meter m = {.until = n};

		play_short_of_memory(&m);
		assert_int_equal(m.live, 0);
		if (m.until > 0)
			return;
	}
	fail_msg("it never had enough");
}

/* A server that is silent during a call is asked whether it is still there. */
static void
silence_during_a_call_is_followed_by_a_ping(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_tick(&s, 100000);
	assert_int_equal(s.said.len, 0); /* no call, no ping */
	stage_call(&s, 1, "echo", "{}", 100000);
	stage_call(&s, 2, "echo", "{}", 200000);
	buf_clear(&s.said);
	stage_tick(&s, 129999);
	assert_int_equal(s.said.len, 0);
	stage_tick(&s, 130000);
	assert_true(text_eq(
	    buf_view(&s.said), TEXT("{\"jsonrpc\":\"2.0\",\"id\":5,"
				    "\"method\":\"ping\",\"params\":{}}\n")));
	buf_clear(&s.said);
	/* An answer, even a refusal: it is there. */
	stage_hear(&s, "{\"id\":5,\"error\":{\"code\":-32601}}\n");
	stage_tick(&s, 160000);
	assert_true(
	    text_find(buf_view(&s.said), TEXT("\"id\":6"), 0) < s.said.len);
	stage_tick(&s, 200000);
	stage_expect(&s, "1!The tool did not answer within 100000 ms; its "
			 "server does not answer a ping either "
			 "{\"code\":-32001}\n");
	/* It comes back, and is asked no more when nothing is open. */
	stage_hear(&s, "{\"id\":4,\"result\":{\"content\":[]}}\n");
	stage_expect(&s, "2=null\n");
	buf_clear(&s.said);
	stage_tick(&s, 900000);
	assert_int_equal(s.said.len, 0);
	assert_true(mcp_client_deadline(s.c) == UINT64_MAX);
	stage_close(&s);
}

/* What a later program knows of a server that it has not started yet. */
static void
lists_are_written_and_recalled(void **state)
{
	static const char *const none[] = {
	    "", "[]", "{}", "{\"tools\":{}}", "{\"tools\":[]", "nonsense"};
	buf written = BUF_INIT(NULL, 1 << 20), again = written;
	stage s;
	mcp_client *c;
	const mcp_tool *t;
	size_t n;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, GREETING);
	stage_hear(&s,
	    "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\\\"b\","
	    "\"description\":\"two\\nlines\",\"inputSchema\":{ \"type\" : "
	    "\"object\"},\"outputSchema\":{\"type\":\"object\"},"
	    "\"annotations\":{\"destructiveHint\":true}},{\"name\":\"c\","
	    "\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":"
	    "true}}]}}\n");
	mcp_client_write_lists(s.c, &written);
	c = mcp_client_recall(buf_view(&written));
	assert_non_null(c);
	t = mcp_client_tools(c, &n);
	assert_int_equal(n, 2);
	assert_true(text_eq(t[0].name, TEXT("a\"b")));
	assert_true(text_eq(t[0].description, TEXT("two\nlines")));
	assert_true(
	    text_eq(t[0].input_schema, TEXT("{ \"type\" : \"object\"}")));
	assert_int_equal(t[0].flags, CM_TOOL_DESTROYS);
	assert_int_equal(t[1].flags, CM_TOOL_READS | CM_TOOL_REPEATABLE);
	/* It says nothing and takes no call. */
	assert_int_equal(mcp_client_out(c).len, 0);
	assert_true(mcp_client_deadline(c) == UINT64_MAX);
	mcp_client_write_lists(c, &again);
	assert_true(text_eq(buf_view(&written), buf_view(&again)));
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_null(mcp_client_recall(text_of(none[i])));
	mcp_client_free(c);
	buf_fini(&written);
	buf_fini(&again);
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lists_are_written_and_recalled),
	    cmocka_unit_test(greets_lists_and_is_up),
	    cmocka_unit_test(takes_every_known_revision_and_no_other),
	    cmocka_unit_test(says_why_a_greeting_failed),
	    cmocka_unit_test(gives_up_at_the_deadline),
	    cmocka_unit_test(follows_pages_to_their_end),
	    cmocka_unit_test(stops_at_a_cursor_that_comes_again),
	    cmocka_unit_test(stops_after_pages_without_a_new_tool),
	    cmocka_unit_test(one_bad_tool_costs_no_other),
	    cmocka_unit_test(tools_of_apps_alone_are_not_offered),
	    cmocka_unit_test(a_server_without_tools_is_up),
	    cmocka_unit_test(keeps_the_pages_before_a_failed_one),
	    cmocka_unit_test(a_call_is_asked_and_answered),
	    cmocka_unit_test(replies_find_their_call_or_nobody),
	    cmocka_unit_test(time_runs_out_for_each_call_alone),
	    cmocka_unit_test(a_cancelled_call_gets_no_answer),
	    cmocka_unit_test(impossible_calls_are_failed_answers),
	    cmocka_unit_test(a_server_that_does_not_read_is_noticed),
	    cmocka_unit_test(broken_replies_are_errors),
	    cmocka_unit_test(the_servers_requests_are_answered),
	    cmocka_unit_test(a_storm_of_changes_is_one_reading),
	    cmocka_unit_test(changes_while_the_list_is_read),
	    cmocka_unit_test(a_list_that_cannot_be_read_again_leaves_the_old),
	    cmocka_unit_test(lists_of_messages_are_taken_apart),
	    cmocka_unit_test(bytes_may_come_one_by_one),
	    cmocka_unit_test(noise_is_skipped_and_counted),
	    cmocka_unit_test(only_a_line_feed_ends_a_line),
	    cmocka_unit_test(a_reply_that_is_nearly_json_ends_its_call),
	    cmocka_unit_test(content_length_headers_are_named),
	    cmocka_unit_test(more_tools_than_are_taken),
	    cmocka_unit_test(names_and_schemas_have_a_length),
	    cmocka_unit_test(text_that_is_not_utf8_ends_its_call),
	    cmocka_unit_test(nesting_that_is_too_deep_ends_its_call),
	    cmocka_unit_test(twenty_mebibytes_are_one_message),
	    cmocka_unit_test(a_line_over_the_maximum_ends_its_call_only),
	    cmocka_unit_test(what_was_said_before_the_end_counts),
	    cmocka_unit_test(every_allocation_may_fail),
	    cmocka_unit_test(silence_during_a_call_is_followed_by_a_ping),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
