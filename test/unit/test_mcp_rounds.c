/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_rounds.c -- calls of more than one request: what the server asks
 * meanwhile, tasks, and time that progress adds.
 */
#include "mcp_fixture.h"

#include "mcp/machine.h"

/* A modern server with the tool "a". */
static void
stage_modern(stage *s, unsigned offers)
{
	const mcp_client_options opts = {
	    .era = ERA_MODERN, .offers = offers, .call_ms = 1000};

	stage_open(s, &opts);
	stage_hear(s, "{\"id\":1,\"result\":{\"supportedVersions\":"
		      "[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}}\n");
	stage_hear(s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_expect(s, "up\n");
	stage_call(s, 7, "a", "{\"x\":1}", 0);
	buf_clear(&s->said);
}

/* What was said holds this part. */
static void
stage_said_part(stage *s, const char *part)
{
	if (text_find(buf_view(&s->said), text_of(part), 0) == SIZE_MAX)
		fail_msg(
		    "%s is not in %.*s", part, TEXT_ARG(buf_view(&s->said)));
	buf_clear(&s->said);
}

#define ELICIT                       \
	"{\"method\":\"elicitation/" \
	"create\",\"params\":{\"message\":\"who?\"}}"
#define REQUIRED(id, members)                                            \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{\"resultType\":" \
	"\"input_required\"" members "}}\n"

/* ---------------------------------------------------------- input_required */

static void
a_call_is_sent_again_with_what_was_asked_for(void **state)
{
	stage s;

	(void)state;
	stage_modern(&s, MCP_OFFERS_ELICITATION | MCP_OFFERS_ROOTS);
	stage_hear(&s,
	    REQUIRED("3", ",\"requestState\":\"s\\u0031\",\"inputRequests\":{"
			  "\"k1\":" ELICIT ",\"k2\":{\"method\":\"roots/list\""
			  "}}"));
	stage_expect(&s, "asked 7 elicitation/create {\"message\":\"who?\"}\n"
			 "asked 7 roots/list \n");
	mcp_client_answer(s.c, 2, TEXT("{\"roots\":[]}"), TEXT_NONE);
	stage_turn(&s);
	assert_int_equal(s.said.len, 0);
	mcp_client_answer(s.c, 1, TEXT("{\"action\":\"decline\"}"), TEXT_NONE);
	mcp_client_answer(s.c, 1, TEXT("{\"twice\":1}"), TEXT_NONE);
	stage_turn(&s);
	stage_said_part(&s,
	    "\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"a\","
	    "\"arguments\":{\"x\":1},\"inputResponses\":{\"k2\":{\"roots\":[]},"
	    "\"k1\":{\"action\":\"decline\"}},\"requestState\":\"s\\u0031\","
	    "\"_meta\":{\"progressToken\":4,");
	/* the state of one round is not that of the next */
	stage_hear(&s, REQUIRED("4", ",\"requestState\":\"t\""));
	stage_said_part(
	    &s, "\"arguments\":{\"x\":1},\"requestState\":\"t\",\"_meta\"");
	stage_hear(&s, REQUIRED("5", ",\"inputRequests\":{}"));
	stage_said_part(&s, "\"arguments\":{\"x\":1},\"_meta\"");
	stage_hear(&s, "{\"id\":6,\"result\":{\"content\":[]}}\n");
	stage_expect(&s, "7=null\n");
	assert_int_equal(s.c->waits.len, 0);
	stage_close(&s);
}

static void
what_is_not_offered_ends_the_call(void **state)
{
	stage s;

	(void)state;
	stage_modern(&s, MCP_OFFERS_ROOTS);
	stage_hear(&s, REQUIRED("3", ",\"inputRequests\":{\"k\":" ELICIT "}"));
	stage_expect(&s,
	    "7!The tool asks for \"elicitation/create\", which is not offered "
	    "to it here {\"code\":-32000}\n");
	stage_close(&s);
	stage_modern(&s, MCP_OFFERS_ELICITATION);
	stage_hear(&s, REQUIRED("3", ",\"inputRequests\":{\"k\":" ELICIT "}"));
	mcp_client_answer(s.c, 1, TEXT_NONE,
	    TEXT("{\"code\":-1,\"message\":\"nobody there\"}"));
	buf_clear(&s.log);
	stage_turn(&s);
	stage_expect(&s,
	    "7!The tool asks for elicitation/create, which failed: {\"code\":"
	    "-1,\"message\":\"nobody there\"} {\"code\":-32000}\n");
	stage_close(&s);
}

static void
rounds_come_to_an_end(void **state)
{
	char line[200];
	stage s;
	int i;

	(void)state;
	stage_modern(&s, 0);
	for (i = 0; i < 17; i++) {
		snprintf(line, sizeof(line), REQUIRED("%d", ""), 3 + i);
		stage_hear(&s, line);
	}
	stage_expect(&s, "7!The tool asked for more input 16 times, without an "
			 "end {\"code\":-32000}\n");
	stage_close(&s);
	stage_modern(&s, 0);
	stage_hear(&s, "{\"id\":3,\"result\":{\"resultType\":\"riddle\"}}\n");
	stage_expect(&s,
	    "7!The server's reply is broken: its resultType \"riddle\" is not "
	    "known here {\"code\":-32000}\n");
	stage_close(&s);
}

/* A person may take longer than the call has, up to four times as long. */
static void
time_waits_for_the_answer_of_a_person(void **state)
{
	stage s;

	(void)state;
	stage_modern(&s, MCP_OFFERS_ELICITATION);
	stage_hear(&s, REQUIRED("3", ",\"inputRequests\":{\"k\":" ELICIT "}"));
	buf_clear(&s.log);
	stage_tick(&s, 1000);
	stage_tick(&s, 2000);
	stage_tick(&s, 3999);
	stage_expect(&s, "");
	stage_tick(&s, 4000);
	stage_expect(&s, "7!The tool did not answer within 4000 ms; a "
			 "question of its server is open {\"code\":-32001}\n");
	mcp_client_answer(s.c, 1, TEXT("{}"), TEXT_NONE);
	stage_turn(&s);
	stage_expect(&s, "");
	stage_close(&s);
}

/* ------------------------------------------------ requests of the legacy era */

/* A list that is asked for at the same time needs to ask nothing. */
static void
a_list_asks_nothing(void **state)
{
	const mcp_client_options opts = {
	    .era = ERA_LEGACY, .offers = MCP_OFFERS_SAMPLING};
	stage s;

	(void)state;
	stage_open(&s, &opts);
	stage_hear(&s, GREETING);
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[]}}\n");
	stage_call(&s, 7, "a", "", 0);
	buf_clear(&s.said);
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
		       "list_changed\"}\n");
	stage_tick(&s, 200);
	stage_said_part(&s, "\"method\":\"tools/list\"");
	buf_clear(&s.log);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"sampling/"
	    "createMessage\",\"params\":{}}\n");
	stage_expect(&s, "asked 7 sampling/createMessage {}\n");
	stage_close(&s);
}

static void
requests_are_handed_to_the_owner(void **state)
{
	const mcp_client_options opts = {
	    .era = ERA_LEGACY, .offers = MCP_OFFERS_SAMPLING};
	stage s;

	(void)state;
	stage_open(&s, &opts);
	stage_said_part(&s, "\"capabilities\":{\"sampling\":{}}");
	stage_hear(&s, GREETING);
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[]}}\n");
	buf_clear(&s.said);
	buf_clear(&s.log);
	stage_call(&s, 7, "a", "", 0);
	buf_clear(&s.said);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"sampling/"
	    "createMessage\",\"params\":{\"maxTokens\":1}}\n");
	stage_expect(&s, "asked 7 sampling/createMessage {\"maxTokens\":1}\n");
	mcp_client_answer(s.c, 1, TEXT("{\"role\":\"assistant\"}"), TEXT_NONE);
	stage_turn(&s);
	stage_said(&s, "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"role\":"
		       "\"assistant\"}}\n");
	/* what the server takes back needs no answer */
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"sampling/"
	    "createMessage\"}\n"
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
	    "\"params\":{\"requestId\":9}}\n");
	stage_expect(&s, "asked 7 sampling/createMessage \n");
	mcp_client_answer(s.c, 2, TEXT("{}"), TEXT_NONE);
	stage_turn(&s);
	stage_said(&s, "");
	/* a question of a call that is over has an answer of ours */
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"sampling/"
		       "createMessage\"}\n"
		       "{\"id\":3,\"result\":{\"content\":[]}}\n");
	stage_expect(&s, "asked 7 sampling/createMessage \n7=null\n");
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":11,\"error\":{\"code\":-32000,"
	    "\"message\":\"The call that it was for is over\"}}\n");
	mcp_client_answer(s.c, 3, TEXT("{}"), TEXT_NONE);
	stage_turn(&s);
	stage_said(&s, "");
	/* what was not offered is refused */
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":"
		       "\"elicitation/create\"}\n");
	stage_said_part(&s, "\"id\":10,\"error\":{\"code\":-32601,");
	stage_close(&s);
}

/* ----------------------------------------------------------------- progress */

#define PROGRESS(token, members)                                      \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"," \
	"\"params\":{\"progressToken\":" token members "}}\n"

/* Row 23 of the known faults of clients: a limit that no progress moves. */
static void
progress_gives_a_call_more_time(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_call(&s, 7, "echo", "", 1000);
	stage_tick(&s, 900);
	stage_hear(&s, PROGRESS("3", ",\"progress\":1,\"total\":4,\"message\":"
				     "\"one\\u0021\""));
	stage_hear(&s, PROGRESS("3", ",\"progress\":2"));
	stage_hear(&s, PROGRESS("99", ",\"progress\":2"));
	stage_hear(&s, PROGRESS("\"x\"", ""));
	stage_expect(&s, "7 1/4 one!\n");
	stage_tick(&s, 1800);
	stage_hear(&s, PROGRESS("3", ",\"progress\":3"));
	stage_tick(&s, 2700);
	stage_hear(&s, PROGRESS("3", ",\"progress\":4"));
	stage_tick(&s, 3600);
	stage_hear(&s, PROGRESS("3", ",\"progress\":5,\"total\":8"));
	stage_expect(&s, "7 3/0 \n7 4/0 \n7 5/8 \n");
	stage_tick(&s, 3999);
	stage_expect(&s, "");
	stage_tick(&s, 4000);
	stage_expect(&s, "7!The tool did not answer within 4000 ms; its "
			 "progress was 5 of 8 {\"code\":-32001}\n");
	stage_hear(&s, PROGRESS("3", ",\"progress\":6"));
	stage_expect(&s, "");
	stage_close(&s);
}

static void
logs_are_handed_on(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
	    "\"params\":{\"level\":\"warning\",\"data\":\"row \\u0037\"}}\n"
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
	    "\"params\":{\"level\":\"info\",\"data\":{\"a\":1}}}\n"
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n");
	stage_expect(&s, "log warning: row 7\nlog info: {\"a\":1}\n");
	stage_close(&s);
}

/* -------------------------------------------------------------------- tasks */

#define TASK(id, members) \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{" members "}}\n"

static void
a_task_is_awaited_below_the_call(void **state)
{
	stage s;

	(void)state;
	stage_modern(&s, 0);
	stage_hear(&s, TASK("3", "\"resultType\":\"task\",\"taskId\":\"t1\","
				 "\"status\":\"working\",\"pollIntervalMs\":"
				 "500"));
	stage_expect(&s, "");
	assert_int_equal(mcp_client_deadline(s.c), 500);
	stage_tick(&s, 500);
	stage_said_part(&s,
	    "\"id\":4,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t1\","
	    "\"_meta\"");
	stage_hear(&s, TASK("4", "\"taskId\":\"t1\",\"status\":\"working\","
				 "\"statusMessage\":\"half\","
				 "\"pollIntervalMs\":700"));
	stage_expect(&s, "7 1/0 half\n");
	stage_tick(&s, 1200);
	buf_clear(&s.said);
	stage_hear(&s, TASK("5", "\"status\":\"completed\",\"result\":{"
				 "\"content\":[{\"type\":\"text\",\"text\":"
				 "\"done\"}]}"));
	stage_expect(&s, "7=\"done\"\n");
	stage_said(&s, "");
	assert_int_equal(s.c->waits.len, 0);
	stage_close(&s);
}

static void
a_task_that_fails_fails_the_call(void **state)
{
	stage s;

	(void)state;
	stage_modern(&s, 0);
	stage_hear(&s, TASK("3", "\"resultType\":\"task\",\"taskId\":\"t1\""));
	stage_tick(&s, 999);
	stage_tick(&s, 1000);
	stage_expect(&s, "7!The tool did not answer within 1000 ms "
			 "{\"code\":-32001}\n");
	stage_said_part(&s, "\"method\":\"tasks/cancel\",\"params\":{\"taskId\""
			    ":\"t1\"");
	stage_close(&s);
	stage_modern(&s, 0);
	stage_hear(&s, TASK("3", "\"resultType\":\"task\",\"taskId\":\"t1\","
				 "\"pollIntervalMs\":100"));
	stage_tick(&s, 100);
	stage_hear(&s, TASK("4", "\"status\":\"failed\",\"error\":{\"code\":-7,"
				 "\"message\":\"broke\"}"));
	stage_expect(&s, "7!broke {\"code\":-7}\n");
	stage_call(&s, 8, "a", "", 0);
	stage_hear(&s, TASK("5", "\"resultType\":\"task\",\"taskId\":\"t2\","
				 "\"pollIntervalMs\":100"));
	stage_tick(&s, 200);
	stage_hear(&s, TASK("6", "\"status\":\"cancelled\",\"statusMessage\":"
				 "\"enough\""));
	stage_expect(&s, "8!The server cancelled the call: \"enough\" "
			 "{\"code\":-32000}\n");
	stage_call(&s, 9, "a", "", 0);
	stage_hear(&s, TASK("7", "\"resultType\":\"task\""));
	stage_expect(&s, "9!The server's reply is broken: it promises a task "
			 "without an id {\"code\":-32000}\n");
	stage_close(&s);
}

/* One question is asked once, however often its task is looked at. */
static void
a_task_may_ask_too(void **state)
{
	stage s;

	(void)state;
	stage_modern(&s, MCP_OFFERS_ELICITATION);
	stage_hear(&s, TASK("3", "\"resultType\":\"task\",\"taskId\":\"t1\","
				 "\"pollIntervalMs\":100"));
	stage_tick(&s, 100);
	stage_hear(&s, TASK("4", "\"status\":\"input_required\","
				 "\"pollIntervalMs\":100,"
				 "\"inputRequests\":{\"k\":" ELICIT "}"));
	stage_tick(&s, 200);
	stage_hear(&s, TASK("5", "\"status\":\"input_required\","
				 "\"pollIntervalMs\":100,"
				 "\"inputRequests\":{\"k\":" ELICIT "}"));
	stage_expect(&s, "asked 7 elicitation/create {\"message\":\"who?\"}\n");
	buf_clear(&s.said);
	mcp_client_answer(s.c, 1, TEXT("{\"action\":\"accept\"}"), TEXT_NONE);
	stage_turn(&s);
	stage_said_part(&s,
	    "\"id\":6,\"method\":\"tasks/update\",\"params\":{\"taskId\":"
	    "\"t1\",\"inputResponses\":{\"k\":{\"action\":\"accept\"}},");
	stage_hear(&s, TASK("6", ""));
	stage_tick(&s, 300);
	stage_said_part(&s, "\"id\":7,\"method\":\"tasks/get\",\"params\":{"
			    "\"taskId\":\"t1\",\"_meta\"");
	stage_hear(&s, TASK("7", "\"status\":\"completed\",\"result\":{"
				 "\"structuredContent\":1}"));
	stage_expect(&s, "7=1\n");
	stage_close(&s);
}

/* The tasks of 2025-11-25: the client asks for one when the tool wants it. */
static void
a_tool_that_needs_a_task_is_called_as_one(void **state)
{
	const mcp_client_options opts = {.era = ERA_LEGACY, .call_ms = 10000};
	stage s;

	(void)state;
	stage_open(&s, &opts);
	stage_hear(&s,
	    "{\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
	    "\"capabilities\":{\"tools\":{},\"tasks\":{\"requests\":{\"tools\":"
	    "{\"call\":{}}}}}}}\n");
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"long\","
		       "\"execution\":{\"taskSupport\":\"required\"}},"
		       "{\"name\":\"short\",\"execution\":{\"taskSupport\":"
		       "\"optional\"}}]}}\n");
	stage_expect(&s, "up\n");
	buf_clear(&s.said);
	stage_call(&s, 1, "short", "", 0);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"short\",\"arguments\":{},\"_meta\":{"
	    "\"progressToken\":3}}}\n");
	stage_call(&s, 2, "long", "", 0);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"long\",\"arguments\":{},\"task\":{\"ttl\":"
	    "40000},\"_meta\":{\"progressToken\":4}}}\n");
	stage_hear(&s, TASK("4", "\"task\":{\"taskId\":\"t\",\"status\":"
				 "\"working\",\"pollInterval\":300}"));
	stage_tick(&s, 300);
	stage_said(&s, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tasks/get\","
		       "\"params\":{\"taskId\":\"t\"}}\n");
	/* progress still goes by the token of the call */
	stage_hear(&s, PROGRESS("4", ",\"progress\":1"));
	stage_expect(&s, "2 1/0 \n");
	stage_hear(&s, TASK("5", "\"taskId\":\"t\",\"status\":\"completed\""));
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tasks/result\","
	    "\"params\":{\"taskId\":\"t\"}}\n");
	stage_hear(&s, TASK("6", "\"content\":[{\"type\":\"text\",\"text\":"
				 "\"long ago\"}]"));
	stage_expect(&s, "2=\"long ago\"\n");
	stage_close(&s);
}

static void
cancelling_a_task_names_the_task(void **state)
{
	stage s;

	(void)state;
	stage_modern(&s, 0);
	stage_hear(&s, TASK("3", "\"resultType\":\"task\",\"taskId\":\"t1\""));
	mcp_client_cancel(s.c, 7, TEXT("not needed"));
	stage_turn(&s);
	stage_said_part(&s, "\"method\":\"tasks/cancel\",\"params\":{\"taskId\""
			    ":\"t1\"");
	stage_hear(&s, TASK("4", ""));
	stage_expect(&s, "");
	assert_int_equal(s.c->waits.len, 0);
	stage_close(&s);
}

/* ---------------------------------------------------------------- resources */

static void
a_resource_is_read_like_a_call(void **state)
{
	stage s;

	(void)state;
	stage_up(&s);
	assert_int_equal(
	    mcp_client_read(s.c, 1, TEXT("file:///a\"b"), 0), CM_OK);
	assert_int_equal(mcp_client_read(s.c, 1, TEXT("x:"), 0), CM_EMISUSE);
	stage_turn(&s);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\","
	    "\"params\":{\"uri\":\"file:///a\\\"b\",\"_meta\":{"
	    "\"progressToken\":3}}}\n");
	stage_hear(&s, "{\"id\":3,\"result\":{\"contents\":[{\"uri\":\"x:\","
		       "\"text\":\"{\\\"a\\\":1}\"}]}}\n");
	stage_expect(&s, "1=\"{\\\"a\\\":1}\"\n");
	mcp_client_read(s.c, 2, TEXT("x:"), 0);
	stage_turn(&s);
	stage_hear(&s, "{\"id\":4,\"result\":{\"contents\":[{\"uri\":\"x:\","
		       "\"blob\":\"aGk=\"}]}}\n");
	stage_expect(
	    &s, "2={\"contents\":[{\"uri\":\"x:\",\"blob\":\"aGk=\"}]}\n");
	mcp_client_read(s.c, 3, TEXT("x:"), 0);
	stage_turn(&s);
	stage_hear(&s, "{\"id\":5,\"error\":{\"code\":-32002,\"message\":"
		       "\"Resource not found\"}}\n");
	stage_expect(&s, "3!Resource not found {\"code\":-32002}\n");
	stage_close(&s);
}

/* Scripts reach resources by a tool of ours, unless the server has its own. */
static void
a_server_with_resources_has_a_tool_that_reads_them(void **state)
{
	const mcp_tool *tool;
	stage s;
	size_t n;

	(void)state;
	stage_open(&s, NULL);
	stage_hear(&s,
	    "{\"id\":1,\"result\":{\"protocolVersion\":"
	    "\"2025-06-18\",\"capabilities\":{\"resources\":{}}}}\n");
	stage_hear(
	    &s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_expect(&s, "up\n");
	tool = mcp_client_tools(s.c, &n);
	assert_int_equal(n, 2);
	assert_true(text_eq(tool[1].name, TEXT("readResource")));
	assert_int_equal(tool[1].flags, CM_TOOL_READS);
	buf_clear(&s.said);
	stage_call(&s, 1, "readResource", "{\"uri\":\"x:\\u0031\"}", 0);
	stage_said_part(&s, "\"method\":\"resources/read\",\"params\":{"
			    "\"uri\":\"x:1\",");
	stage_hear(
	    &s, "{\"id\":3,\"result\":{\"contents\":[{\"text\":\"t\"}]}}\n");
	stage_expect(&s, "1=\"t\"\n");
	stage_call(&s, 1, "readResource", "", 0);
	stage_expect(&s, "1!readResource takes { uri } {\"code\":-32000}\n");
	stage_close(&s);
	stage_open(&s, NULL);
	stage_hear(&s,
	    "{\"id\":1,\"result\":{\"protocolVersion\":"
	    "\"2025-06-18\",\"capabilities\":{\"resources\":{}}}}\n");
	stage_hear(&s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":"
		       "\"readResource\"}]}}\n");
	stage_expect(&s, "up\n");
	buf_clear(&s.said);
	stage_call(&s, 1, "readResource", "{}", 0);
	stage_said_part(&s, "\"method\":\"tools/call\"");
	stage_close(&s);
}

/* ------------------------------------------------------------------ memory */

typedef struct meter {
	long until; /* allocations that still succeed */
	long live;  /* bytes */
} meter;

static void *
metered(void *ctx, void *block, size_t old_size, size_t new_size)
{
	meter *m = ctx;

	if (new_size > old_size && m->until == 0)
		return NULL;
	if (new_size > old_size)
		m->until--;
	m->live += (long)new_size - (long)old_size;
	return mem_resize(NULL, block, old_size, new_size);
}

/* Takes all events, answers each question, and says what is sent. */
static unsigned
turn_short_of_memory(mcp_client *c)
{
	unsigned answers = 0;
	text said, line;
	mcp_event e;

	while (mcp_client_next(c, &e)) {
		answers += e.kind == MCP_ANSWER;
		if (e.kind == MCP_ASKED)
			mcp_client_answer(c, e.asked, TEXT("{}"), TEXT_NONE);
	}
	said = mcp_client_out(c);
	while (text_line(&said, &line))
		assert_true(json_check(line, JSON_DEPTH, &(json){0}, NULL));
	mcp_client_sent(c, mcp_client_out(c).len);
	return answers;
}

/* A start, a call that is asked twice, one that becomes a task, a new list. */
static void
play_short_of_memory(meter *m)
{
	static const char *const lines[] = {
	    "{\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],"
	    "\"capabilities\":{\"tools\":{\"listChanged\":true},"
	    "\"resources\":{}}}}\n",
	    "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n",
	    REQUIRED("4", ",\"requestState\":\"s\",\"inputRequests\":{\"k\":"
			  "" ELICIT ",\"l\":" ELICIT "}"),
	    TASK("5", "\"resultType\":\"task\",\"taskId\":\"t\""),
	    REQUIRED("6", ",\"inputRequests\":{\"m\":" ELICIT "}"),
	    TASK("7", "\"content\":[]"),
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
	    "list_changed\"}\n",
	    TASK("8", "\"status\":\"completed\",\"result\":{\"content\":[]}"),
	    TASK("9", "\"tools\":[{\"name\":\"b\"}]")};
	const cm_alloc alloc = {metered, m};
	const mcp_client_options opts = {.alloc = &alloc,
	    .era = ERA_MODERN,
	    .offers = MCP_OFFERS_ELICITATION};
	mcp_client *c = mcp_client_new(&opts);
	unsigned made = 0, answered = 0;
	size_t i;

	if (!c)
		return;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (!client_feed(c, lines[i], strlen(lines[i])))
			break;
		answered += turn_short_of_memory(c);
		if (i == 1) {
			made += mcp_client_call(
				    c, 1, TEXT("a"), TEXT("{}"), 0) == CM_OK;
			made += mcp_client_call(
				    c, 2, TEXT("a"), TEXT("{}"), 0) == CM_OK;
		}
		mcp_client_tick(c, 2000 * i);
		answered += turn_short_of_memory(c);
	}
	mcp_client_close(c, TEXT("end"));
	answered += turn_short_of_memory(c);
	assert_int_equal(made, answered);
	mcp_client_free(c);
}

static void
every_allocation_may_fail_in_a_round(void **state)
{
	long n;

	(void)state;
	for (n = 0; n < 300; n++) {
		meter m = {.until = n};

		play_short_of_memory(&m);
		assert_int_equal(m.live, 0);
		if (m.until > 0)
			return;
	}
	fail_msg("it never had enough");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_call_is_sent_again_with_what_was_asked_for),
	    cmocka_unit_test(what_is_not_offered_ends_the_call),
	    cmocka_unit_test(rounds_come_to_an_end),
	    cmocka_unit_test(time_waits_for_the_answer_of_a_person),
	    cmocka_unit_test(a_list_asks_nothing),
	    cmocka_unit_test(requests_are_handed_to_the_owner),
	    cmocka_unit_test(progress_gives_a_call_more_time),
	    cmocka_unit_test(logs_are_handed_on),
	    cmocka_unit_test(a_task_is_awaited_below_the_call),
	    cmocka_unit_test(a_task_that_fails_fails_the_call),
	    cmocka_unit_test(a_task_may_ask_too),
	    cmocka_unit_test(a_tool_that_needs_a_task_is_called_as_one),
	    cmocka_unit_test(cancelling_a_task_names_the_task),
	    cmocka_unit_test(a_resource_is_read_like_a_call),
	    cmocka_unit_test(
		a_server_with_resources_has_a_tool_that_reads_them),
	    cmocka_unit_test(every_allocation_may_fail_in_a_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
