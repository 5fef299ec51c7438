/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_notice.c -- the server machine with messages that are posted one by
 * one, each to a channel: which channel an answer goes to, and what goes out
 * that is no answer.
 */
#include "unit.h"

#include "mcp/mcp_serve.h"

#define META(more)                                                           \
	"\"_meta\":{\"io.modelcontextprotocol/"                              \
	"protocolVersion\":\"2026-07-28\","                                  \
	"\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}}" more \
	"}"

static mcp_server *
born_with(mcp_server_options o)
{
	return mcp_server_new(&o);
}

static mcp_server *
born_plain(void)
{
	return born_with(
	    (mcp_server_options){.tool = TEXT("t"), .level = MCP_LOG_SILENT});
}

/* What the post leads to, in the words of the test. */
static void
asked_are(mcp_server *s, const char *wanted)
{
	static const char *const kinds[] = {"call", "stop", "other", "reply"};
	buf log = BUF_INIT(NULL, 4096);
	mcp_asked a;

	while (mcp_server_next(s, &a))
		buf_printf(&log, "%s %u %.*s;", kinds[a.kind], a.request,
		    TEXT_ARG(a.kind == MCP_ASKED_REPLY ? a.result : a.can));
	assert_str(buf_view(&log), wanted);
	buf_fini(&log);
}

static void
post(mcp_server *s, uint32_t channel, const char *message, const char *wanted)
{
	mcp_server_post(s, text_of(message), channel);
	asked_are(s, wanted);
}

/* The next line, and its channel. */
static void
says(mcp_server *s, uint32_t channel, const char *wanted)
{
	mcp_said said;

	assert_true(mcp_server_line(s, &said));
	assert_text(said.line, text_of(wanted));
	assert_int_equal(said.channel, channel);
	mcp_server_sent(s, said.line.len + 1);
}

static void
says_nothing(mcp_server *s)
{
	mcp_said said;

	assert_false(mcp_server_line(s, &said));
	assert_int_equal(mcp_server_out(s).len, 0);
}

static void
greet(mcp_server *s, const char *version)
{
	char hello[200];
	mcp_said said;

	snprintf(hello, sizeof(hello),
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
	    "\"params\":{\"protocolVersion\":\"%s\",\"capabilities\":{"
	    "\"sampling\":{}}}}",
	    version);
	post(s, 9, hello, "");
	assert_true(mcp_server_line(s, &said));
	assert_int_equal(said.channel, 9);
	mcp_server_sent(s, said.line.len + 1);
}

static void
answers_go_where_the_question_came_from(void **state)
{
	mcp_server *s = born_plain();
	mcp_said said;

	(void)state;
	greet(s, "2025-11-25");
	post(s, 1,
	    "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"t\"}}",
	    "call 1 {\"sampling\":{}};");
	post(s, 2, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
	    "");
	post(s, 3, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x/y\"}", "");
	post(s, 4, "{\"jsonrpc\":\"2.0\",\"method\":\"x/y\"}", "");
	assert_int_equal(mcp_server_waits(s, 1), 1);
	assert_int_equal(mcp_server_waits(s, 2), 1);
	assert_int_equal(mcp_server_waits(s, 3), 0);
	assert_int_equal(mcp_server_waits(s, 4), 0);
	assert_true(mcp_server_line(s, &said));
	assert_int_equal(said.error, -32601);
	says(s, 3,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32601,"
	    "\"message\":\"Method not found: x/y\"}}");
	mcp_server_answer(s, 1, TEXT("[]"), false);
	mcp_server_offer(s, TEXT("{}"));
	assert_true(mcp_server_line(s, &said));
	assert_int_equal(said.error, 0);
	says(
	    s, 1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}");
	says(
	    s, 2, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{}]}}");
	says_nothing(s);
	/* A line may be taken in parts. */
	post(s, 5, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}", "");
	mcp_server_sent(s, 10);
	says(s, 5,
	    text_of("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}").ptr + 10);
	says_nothing(s);
	mcp_server_free(s);
}

static void
a_batch_is_answered_as_one_where_it_came_from(void **state)
{
	mcp_server *s = born_plain();

	(void)state;
	greet(s, "2025-03-26");
	post(s, 1,
	    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"t\",\"_meta\":{\"progressToken\":\"p\"}}},"
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]",
	    "call 1 {\"sampling\":{}};");
	post(s, 2, "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]", "");
	says_nothing(s);
	mcp_server_progress(s, 1, 1, 0, TEXT_NONE);
	says(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
	    "\"params\":{\"progressToken\":\"p\",\"progress\":1}}");
	mcp_server_answer(s, 1, TEXT("[]"), false);
	says(s, 1,
	    "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}},"
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}]");
	says_nothing(s);
	mcp_server_free(s);
}

static void
progress_only_grows_and_only_for_a_token(void **state)
{
	mcp_server *s = born_plain();

	(void)state;
	greet(s, "2025-11-25");
	post(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"t\",\"_meta\":{\"progressToken\":7}}}",
	    "call 1 {\"sampling\":{}};");
	post(s, 2,
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"t\"}}",
	    "call 2 {\"sampling\":{}};");
	mcp_server_progress(s, 1, 0, 2.5, TEXT("none"));
	mcp_server_progress(s, 1, 0, 2.5, TEXT("none"));
	mcp_server_progress(s, 1, 0.5, 0, TEXT_NONE);
	mcp_server_progress(s, 1, 0.25, 0, TEXT_NONE);
	mcp_server_progress(s, 2, 1, 0, TEXT_NONE);
	mcp_server_progress(s, 3, 1, 0, TEXT_NONE);
	says(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
	    "\"params\":{\"progressToken\":7,\"progress\":0,\"total\":2.5,"
	    "\"message\":\"none\"}}");
	says(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
	    "\"params\":{\"progressToken\":7,\"progress\":0.5}}");
	mcp_server_answer(s, 1, TEXT("[]"), false);
	mcp_server_progress(s, 1, 3, 0, TEXT_NONE);
	says(
	    s, 1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}");
	says_nothing(s);
	mcp_server_free(s);
}

static void
the_log_is_what_the_client_asked_for(void **state)
{
	mcp_server *s = born_plain();

	(void)state;
	mcp_server_log(s, 0, MCP_LOG_ERROR, TEXT_NONE, TEXT("1"));
	greet(s, "2025-11-25");
	mcp_server_log(s, 0, MCP_LOG_ERROR, TEXT_NONE, TEXT("1"));
	says_nothing(s);
	post(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\","
	    "\"params\":{\"level\":\"warn\"}}",
	    "");
	says(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,"
	    "\"message\":\"Invalid params: level must be one of debug, info, "
	    "notice, warning, error, critical, alert and emergency\"}}");
	post(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\","
	    "\"params\":{\"level\":\"warning\"}}",
	    "");
	says(s, 1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	mcp_server_log(s, 0, MCP_LOG_NOTICE, TEXT_NONE, TEXT("1"));
	mcp_server_log(s, 0, MCP_LOG_WARNING, TEXT("a"), TEXT("{}"));
	says(s, 0,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
	    "\"params\":{\"level\":\"warning\",\"logger\":\"a\",\"data\":\"{}"
	    "\"}}");
	/* In the era without greeting, each request says what it wants. */
	post(s, 2,
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"t\"," META(
		",\"io.modelcontextprotocol/logLevel\":\"info\"") "}}",
	    "call 1 {\"roots\":{}};");
	post(s, 3,
	    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"t\"," META("") "}}",
	    "call 2 {\"roots\":{}};");
	mcp_server_log(s, 1, MCP_LOG_DEBUG, TEXT_NONE, TEXT("1"));
	mcp_server_log(s, 1, MCP_LOG_INFO, TEXT_NONE, TEXT("2"));
	mcp_server_log(s, 2, MCP_LOG_EMERGENCY, TEXT_NONE, TEXT("3"));
	says(s, 2,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
	    "\"params\":{\"level\":\"info\",\"data\":\"2\"}}");
	says_nothing(s);
	mcp_server_free(s);
}

static void
changes_are_told_to_those_who_want_to_know(void **state)
{
	mcp_server *s = born_with((mcp_server_options){.tool = TEXT("t"),
	    .topics = MCP_TOOLS | MCP_PROMPTS,
	    .shared = true});

	(void)state;
	mcp_server_offer(s, TEXT("{}"));
	post(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":"
	    "\"subscriptions/listen\",\"params\":{\"notifications\":{"
	    "\"toolsListChanged\":true,\"resourcesListChanged\":true}," META(
		"") "}}",
	    "");
	post(s, 2,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":"
	    "\"subscriptions/listen\",\"params\":{\"notifications\":{"
	    "\"toolsListChanged\":false}," META("") "}}",
	    "");
	says(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/"
	    "acknowledged\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/"
	    "subscriptionId\":\"a\"},\"notifications\":{\"toolsListChanged\":"
	    "true}}}");
	says(s, 2,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/"
	    "acknowledged\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/"
	    "subscriptionId\":\"a\"},\"notifications\":{}}}");
	assert_int_equal(mcp_server_pending(s), 0);
	assert_int_equal(mcp_server_waits(s, 1), 1);
	mcp_server_offer(s, TEXT("{}"));
	says_nothing(s);
	mcp_server_offer(s, TEXT("{\"a\":1}"));
	mcp_server_changed(s, MCP_PROMPTS);
	says(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
	    "list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/"
	    "subscriptionId\":\"a\"}}}");
	says_nothing(s);
	mcp_server_hang_up(s, 1);
	asked_are(s, "");
	mcp_server_offer(s, TEXT("{\"a\":2}"));
	says_nothing(s);
	mcp_server_free(s);
	/* Those who greet hear of all. */
	s = born_plain();
	mcp_server_offer(s, TEXT("{}"));
	greet(s, "2025-06-18");
	mcp_server_offer(s, TEXT("{\"a\":1}"));
	says(s, 0,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
	    "list_changed\",\"params\":{}}");
	says_nothing(s);
	mcp_server_free(s);
}

static void
a_channel_that_is_closed_stops_what_was_asked_there(void **state)
{
	mcp_server *s =
	    born_with((mcp_server_options){.tool = TEXT("t"), .shared = true});

	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		char wanted[40];

		snprintf(wanted, sizeof(wanted), "call %u {\"roots\":{}};", i);
		post(s, i,
		    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
		    "\"params\":{\"name\":\"t\"," META("") "}}",
		    wanted);
	}
	/* Of many clients, none can cancel for another. */
	post(s, 4,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
	    "\"params\":{\"requestId\":1}}",
	    "");
	mcp_server_hang_up(s, 2);
	assert_int_equal(
	    mcp_server_answer(s, 2, TEXT("[]"), false), CM_ENOCALL);
	asked_are(s, "stop 2 ;");
	asked_are(s, "");
	mcp_server_answer(s, 2, TEXT("[]"), false);
	says_nothing(s);
	assert_int_equal(mcp_server_pending(s), 2);
	mcp_server_free(s);
}

static void
other_methods_and_questions_are_the_owners(void **state)
{
	mcp_server *s = born_with((mcp_server_options){.others = true});
	uint32_t asked;

	(void)state;
	greet(s, "2025-11-25");
	post(s, 1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x/y\"}",
	    "other 1 {\"sampling\":{}};");
	asked = mcp_server_ask(s, 1, "sampling/createMessage", TEXT("{}"));
	assert_int_equal(asked, 1);
	says(s, 1,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sampling/"
	    "createMessage\",\"params\":{}}");
	post(s, 2, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}", "");
	post(s, 2, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}",
	    "reply 1 {\"a\":1};");
	mcp_server_reply(s, 1, TEXT("\"c\":3"));
	says(s, 1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"c\":3}}");
	post(s, 3, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x/y\"}",
	    "other 2 {\"sampling\":{}};");
	mcp_server_refuse(s, 2, -5, TEXT("no"), TEXT("[1]"));
	says(s, 3,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-5,"
	    "\"message\":\"no\",\"data\":[1]}}");
	post(s, 4,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"x/"
	    "y\",\"params\":{" META("") "}}",
	    "other 3 {\"roots\":{}};");
	assert_int_equal(mcp_server_ask(s, 3, "a", TEXT("{}")), 0);
	mcp_server_reply(s, 3, TEXT("\"resultType\":\"input_required\""));
	says(s, 4,
	    "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"resultType\":"
	    "\"input_required\"}}");
	says_nothing(s);
	mcp_server_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(answers_go_where_the_question_came_from),
	    cmocka_unit_test(a_batch_is_answered_as_one_where_it_came_from),
	    cmocka_unit_test(progress_only_grows_and_only_for_a_token),
	    cmocka_unit_test(the_log_is_what_the_client_asked_for),
	    cmocka_unit_test(changes_are_told_to_those_who_want_to_know),
	    cmocka_unit_test(
		a_channel_that_is_closed_stops_what_was_asked_there),
	    cmocka_unit_test(other_methods_and_questions_are_the_owners),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
