/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_known_faults.c -- what goes wrong again and again between clients
 * and servers, as public bug reports have it, and that it does not here. The
 * numbers are those of our list of such faults; rows that are not here are
 * faults of processes, of HTTP or of the catalog, and are tested there.
 */
#include "mcp_fixture.h"

#include "mcp/machine.h"

#define REPLY(id, result) \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":" result "}\n"
#define NOTICE(method) \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" method "\"}\n"
#define CONTENT(words) \
	"{\"content\":[{\"type\":\"text\",\"text\":\"" words "\"}]}"

static void
row_3_a_banner_on_stdout_does_no_harm(void **state)
{
	stage s;
	int i;

	(void)state;
	stage_open(&s, NULL);
	for (i = 0; i < 2000; i++)
		stage_hear(&s, "  > server ready\n");
	stage_hear(&s, GREETING REPLY("2", "{\"tools\":[]}"));
	stage_expect(&s,
	    "?it writes to stdout what is no message: > server ready\n"
	    "?it wrote 1000 lines to stdout that are no message\n"
	    "up\n");
	stage_close(&s);
}

/* Text without a line break before the reply, or behind it. */
static void
row_3_log_text_on_the_line_of_a_reply_does_not_hide_it(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "", 0);
	stage_call(&s, 2, "echo", "", 0);
	stage_call(&s, 3, "echo", "", 0);
	stage_hear(&s, "INFO done " REPLY("3", CONTENT("a")));
	stage_expect(&s,
	    "1=\"a\"\n?it writes to stdout other text on the line of a "
	    "message: INFO done {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{"
	    "\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}\n");
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"
		       "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":"
		       "[]}} \x1b[0m {\"jsonrpc\":\"2.0\",\"id\":5,\"result\":"
		       "{\"content\":[]}} bye\n");
	stage_expect(&s, "2=null\n3=null\n");
	/* a log of what we asked is no request of the server */
	buf_clear(&s.said);
	stage_hear(&s, "DEBUG got {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":"
		       "\"tools/call\"}\n");
	stage_expect(&s, "");
	stage_said(&s, "");
	stage_close(&s);
}

/* Of a line without any order at all; one call can be meant. */
static void
row_3_a_reply_in_ruins_ends_the_only_call(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "", 0);
	stage_hear(&s, "{'jsonrpc': '2.0', 'id': 3, 'result': {}}\n");
	stage_expect(&s,
	    "1!The server's reply is broken: it is not JSON: a key in double "
	    "quotes must start here (byte 1: 'jsonrpc': '2.0', 'id': 3, 're) "
	    "{\"code\":-32000}\n");
	stage_close(&s);
}

static void
row_5_line_separators_of_unicode_are_text(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "{\"t\":\"\xE2\x80\xA8\"}", 0);
	stage_hear(&s, REPLY("3", CONTENT("a\xE2\x80\xA8"
					  "b\xE2\x80\xA9"
					  "c\xC2\x85"
					  "d")));
	stage_expect(&s, "1=\"a\xE2\x80\xA8"
			 "b\xE2\x80\xA9"
			 "c\xC2\x85"
			 "d\"\n");
	stage_close(&s);
}

static void
row_6_all_pages_of_a_list_are_read(void **state)
{
	char line[200];
	stage s;
	size_t n;
	int i;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, GREETING);
	for (i = 0; i < 50; i++) {
		snprintf(line, sizeof(line),
		    REPLY("%d", "{\"tools\":[{\"name\":\"t%d\"}],"
				"\"nextCursor\":\"%d\"}"),
		    i + 2, i, i);
		stage_hear(&s, line);
	}
	stage_hear(&s, REPLY("52", "{\"tools\":[{\"name\":\"last\"}]}"));
	stage_expect(&s, "up\n");
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 51);
	stage_close(&s);
}

static void
row_7_a_cursor_that_does_not_advance_ends_the_list(void **state)
{
	stage s;
	size_t n;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, GREETING);
	stage_hear(&s, REPLY("2", "{\"tools\":[{\"name\":\"a\"}],"
				  "\"nextCursor\":\"x\"}"));
	stage_hear(&s, REPLY("3", "{\"tools\":[{\"name\":\"a\"}],"
				  "\"nextCursor\":\"x\"}"));
	stage_expect(&s,
	    "up\n?tool \"a\" is named twice; the first one counts\n"
	    "?its list of tools does not end: cursor \"x\" leads nowhere "
	    "new\n");
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 1);
	stage_close(&s);
}

/* Each page has cursors and tools that were there before: what is told of it
 * stays short. */
static void
row_7_pages_without_end_are_told_of_once(void **state)
{
	char line[200];
	stage s;
	int i;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, GREETING);
	for (i = 0; i < 21; i++) {
		snprintf(line, sizeof(line),
		    REPLY("%d", "{\"tools\":[{\"name\":\"a\"}],"
				"\"nextCursor\":\"%d\"}"),
		    i + 2, i);
		assert_true(client_feed(s.c, line, strlen(line)));
	}
	stage_turn(&s);
	stage_expect(&s,
	    "?tool \"a\" is named twice; the first one counts\n"
	    "?tool \"a\" is named twice; the first one counts\n"
	    "?tool \"a\" is named twice; the first one counts\n"
	    "?tool \"a\" is named twice; the first one counts\n"
	    "?tool \"a\" is named twice; the first one counts\n"
	    "up\n"
	    "?its list of tools does not end: cursor \"20\" leads nowhere new\n"
	    "?so it is with 15 tools more: it is named twice; the first one "
	    "counts\n");
	stage_close(&s);
}

/* The second page never comes. */
static void
row_7_a_page_that_hangs_costs_only_what_follows_it(void **state)
{
	stage s;
	size_t n;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, GREETING);
	stage_hear(&s, REPLY("2", "{\"tools\":[{\"name\":\"a\"}],"
				  "\"nextCursor\":\"x\"}"));
	stage_tick(&s, 9999);
	stage_expect(&s, "");
	stage_tick(&s, 10000);
	stage_expect(&s, "up\n?the rest of its list of tools is missing: no "
			 "answer came in time\n");
	mcp_client_tools(s.c, &n);
	assert_int_equal(n, 1);
	stage_hear(&s, REPLY("3", "{\"tools\":[{\"name\":\"b\"}]}"));
	stage_expect(&s, "");
	stage_close(&s);
}

static void
row_8_ten_thousand_changes_in_a_second_are_few_readings(void **state)
{
	unsigned readings = 0;
	char line[100];
	stage s;
	int i;

	(void)state;
	stage_up(&s);
	for (i = 0; i < 10000; i++) {
		stage_hear(&s, NOTICE("tools/list_changed"));
		stage_tick(&s, (uint64_t)i / 10);
		if (s.said.len == 0)
			continue;
		snprintf(line, sizeof(line),
		    REPLY("%u", "{\"tools\":[{\"name\":\"t%u\"}]}"),
		    3 + readings, readings);
		stage_hear(&s, line);
		readings++;
		buf_clear(&s.said);
	}
	assert_int_equal(readings, 4);
	stage_expect(&s, "changed\nchanged\nchanged\nchanged\n");
	stage_tick(&s, 1200);
	assert_true(s.said.len > 0);
	stage_close(&s);
}

static void
row_10_and_11_one_bad_schema_costs_no_other_tool(void **state)
{
	const mcp_tool *tool;
	stage s;
	size_t n;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s, GREETING);
	stage_hear(&s,
	    REPLY("2", "{\"tools\":[{\"name\":\"bad\",\"inputSchema\":[1]},"
		       "{\"name\":\"ref\",\"inputSchema\":{\"type\":\"object\","
		       "\"properties\":{\"x\":{\"$ref\":\"#/$defs/X\"}},"
		       "\"$defs\":{\"X\":{\"$ref\":\"#/$defs/X\"}}}}]}"));
	stage_expect(&s, "up\n?tool \"bad\" takes anything: its inputSchema "
			 "describes no object\n");
	tool = mcp_client_tools(s.c, &n);
	assert_int_equal(n, 2);
	assert_true(
	    text_find(tool[1].input_schema, TEXT("$defs"), 0) != SIZE_MAX);
	stage_close(&s);
}

static void
row_13_a_server_that_never_answers_has_a_deadline(void **state)
{
	const mcp_client_options opts = {.startup_ms = 5000};
	stage s;

	(void)state;
	stage_open(&s, &opts);
	stage_tick(&s, 1000);
	stage_tick(&s, 4999);
	stage_expect(&s, "");
	stage_tick(&s, 5000);
	stage_expect(&s, "down no answer to initialize within 5000 ms\n");
	stage_close(&s);
}

static void
row_17_the_wrapping_of_content_is_not_the_value(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "", 0);
	stage_hear(&s, REPLY("3", CONTENT("{\\\"a\\\":1}")));
	stage_expect(&s, "1={\"a\":1}\n");
	stage_close(&s);
}

static void
row_21_what_is_cancelled_is_named_by_the_id_of_its_server(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1000, "echo", "", 0);
	stage_call(&s, 2000, "echo", "", 0);
	buf_clear(&s.said);
	mcp_client_cancel(s.c, 2000, TEXT_NONE);
	stage_turn(&s);
	stage_said(&s, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		       "cancelled\",\"params\":{\"requestId\":4}}\n");
	stage_close(&s);
}

static void
row_32_notifications_that_are_not_known_are_ignored(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_hear(&s, NOTICE("x") NOTICE("resources/list_changed") NOTICE(
			   "progress") NOTICE("message") NOTICE("cancelled"));
	stage_expect(&s, "");
	stage_said(&s, "");
	stage_close(&s);
}

static void
row_33_progress_and_its_reply_may_come_at_once(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 1, "echo", "", 0);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
	    "\"params\":{\"progressToken\":3,\"progress\":1,\"total\":1}}"
	    "\n" REPLY("3", CONTENT("x")));
	stage_expect(&s, "1 1/1 \n1=\"x\"\n");
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(row_3_a_banner_on_stdout_does_no_harm),
	    cmocka_unit_test(
		row_3_log_text_on_the_line_of_a_reply_does_not_hide_it),
	    cmocka_unit_test(row_3_a_reply_in_ruins_ends_the_only_call),
	    cmocka_unit_test(row_5_line_separators_of_unicode_are_text),
	    cmocka_unit_test(row_6_all_pages_of_a_list_are_read),
	    cmocka_unit_test(
		row_7_a_cursor_that_does_not_advance_ends_the_list),
	    cmocka_unit_test(row_7_pages_without_end_are_told_of_once),
	    cmocka_unit_test(
		row_7_a_page_that_hangs_costs_only_what_follows_it),
	    cmocka_unit_test(
		row_8_ten_thousand_changes_in_a_second_are_few_readings),
	    cmocka_unit_test(row_10_and_11_one_bad_schema_costs_no_other_tool),
	    cmocka_unit_test(row_13_a_server_that_never_answers_has_a_deadline),
	    cmocka_unit_test(row_17_the_wrapping_of_content_is_not_the_value),
	    cmocka_unit_test(
		row_21_what_is_cancelled_is_named_by_the_id_of_its_server),
	    cmocka_unit_test(
		row_32_notifications_that_are_not_known_are_ignored),
	    cmocka_unit_test(row_33_progress_and_its_reply_may_come_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
