/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_era.c -- which era a server is of, and the modern one: what each
 * request says, and listening for changes.
 */
#include "mcp_fixture.h"

#include "mcp/machine.h"

#define META(capabilities)                                               \
	"\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","    \
	"\"io.modelcontextprotocol/clientInfo\":{\"name\":\"codemode\"," \
	"\"version\":\"" CM_VERSION "\"},"                               \
	"\"io.modelcontextprotocol/clientCapabilities\":{" capabilities  \
	"\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}"
#define DISCOVER                                                        \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"," \
	"\"params\":{\"_meta\":{" META("") "}}}\n"
#define INITIALIZE(id)                                                        \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"initialize\","       \
	"\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}," \
	"\"clientInfo\":{\"name\":\"codemode\",\"version\":\"" CM_VERSION     \
	"\"}}}\n"
#define LIST(id)                                                        \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/list\"," \
	"\"params\":{\"_meta\":{" META("") "}}}\n"
#define DISCOVERED(id, capabilities)                                     \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{\"resultType\":" \
	"\"complete\",\"supportedVersions\":[\"2026-07-28\"],"           \
	"\"instructions\":"                                              \
	"\"Log in first.\",\"capabilities\":{" capabilities "}}}\n"
#define ERROR(id, code)                                                \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":" code \
	",\"message\":\"no\"}}\n"

static const mcp_client_options find_out = {.now_ms = 0};

/* ---------------------------------------------------------- finding it out */

static void
a_modern_server_is_not_greeted(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, &find_out);
	assert_int_equal(mcp_client_era(s.c), ERA_FIND_OUT);
	stage_said(&s, DISCOVER);
	stage_hear(&s, DISCOVERED("1", "\"tools\":{},\"resources\":{}"));
	stage_said(&s, LIST("2"));
	stage_hear(
	    &s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_expect(&s, "up\n");
	assert_int_equal(mcp_client_era(s.c), ERA_MODERN);
	assert_true(
	    text_eq(mcp_client_instructions(s.c), TEXT("Log in first.")));
	stage_call(&s, 7, "a", "{\"x\":1}", 0);
	stage_said(&s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\","
	    "\"params\":{\"name\":\"a\",\"arguments\":{\"x\":1},\"_meta\":{"
	    "\"progressToken\":3," META("") "}}}\n");
	stage_hear(&s, "{\"id\":3,\"result\":{\"resultType\":\"complete\","
		       "\"content\":[]}}\n");
	stage_expect(&s, "7=null\n");
	stage_close(&s);
}

/* Old servers refuse what they do not know in ways of their own. */
static void
any_other_answer_means_legacy(void **state)
{
	static const char *const answers[] = {
	    ERROR("1", "-32601"),
	    ERROR("1", "-32602"),
	    ERROR("1", "-32000"),
	    "{\"id\":1,\"result\":{}}\n",
	    "{\"id\":1,\"result\":null}\n",
	    "{\"id\":1,\"result\":{\"supportedVersions\":\"2026-07-28\"}}\n",
	    "{\"jsonrpc\":\"2.0\",\"id\":1}\n",
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{oops\n",
	    "{\"id\":1,\"result\":{\"supportedVersions\":[\"2025-06-18\"]}}\n",
	};
	size_t i;
	stage s;

	(void)state;
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		stage_open(&s, &find_out);
		buf_clear(&s.said);
		stage_hear(&s, answers[i]);
		stage_said(&s, INITIALIZE("2"));
		stage_hear(&s, "{\"id\":2,\"result\":{\"protocolVersion\":"
			       "\"2024-11-05\"}}\n");
		stage_hear(&s, "{\"id\":3,\"result\":{\"tools\":[]}}\n");
		stage_expect(&s, "up\n");
		assert_int_equal(mcp_client_era(s.c), ERA_LEGACY);
		stage_close(&s);
	}
}

static void
a_server_that_ignores_the_probe_is_greeted(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, &find_out);
	buf_clear(&s.said);
	assert_int_equal(mcp_client_deadline(s.c), 1000);
	stage_tick(&s, 1000);
	stage_said(&s, INITIALIZE("2"));
	assert_int_equal(mcp_client_deadline(s.c), 30000);
	stage_hear(&s, "{\"id\":2,\"result\":{\"protocolVersion\":"
		       "\"2025-06-18\"}}\n");
	/* what it says of the probe now is of no use */
	stage_hear(&s, ERROR("1", "-32601"));
	stage_hear(&s, "{\"id\":3,\"result\":{\"tools\":[]}}\n");
	stage_expect(&s, "up\n");
	assert_int_equal(mcp_client_era(s.c), ERA_LEGACY);
	stage_close(&s);
}

/* Both questions wait in the pipe of a server that starts slowly. */
static void
the_first_good_answer_decides(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, &find_out);
	stage_tick(&s, 1000);
	buf_clear(&s.said);
	stage_hear(&s, DISCOVERED("1", "\"tools\":{}") ERROR("2", "-32601"));
	stage_said(&s, LIST("3"));
	stage_hear(&s, "{\"id\":3,\"result\":{\"tools\":[]}}\n");
	stage_expect(&s, "up\n");
	assert_int_equal(mcp_client_era(s.c), ERA_MODERN);
	stage_close(&s);
}

static void
versions_are_chosen_from_what_the_server_names(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, &find_out);
	stage_hear(&s, "{\"id\":1,\"error\":{\"code\":-32022,\"message\":"
		       "\"version\",\"data\":{\"supported\":[\"2030-01-01\"],"
		       "\"requested\":\"2026-07-28\"}}}\n");
	stage_expect(&s,
	    "down it speaks MCP revisions [\"2030-01-01\"], which are not "
	    "known here (known: 2024-10-07 to 2026-07-28)\n");
	stage_close(&s);
	stage_open(&s, &find_out);
	buf_clear(&s.said);
	stage_hear(&s, "{\"id\":1,\"error\":{\"code\":-32022,\"message\":"
		       "\"version\",\"data\":{\"supported\":[\"2026-07-28\"]}}}"
		       "\n");
	stage_said(&s, LIST("2"));
	stage_close(&s);
}

/* What was known of it may have changed since. */
static void
what_is_known_of_a_server_may_be_wrong(void **state)
{
	const mcp_client_options modern = {.era = ERA_MODERN};
	const mcp_client_options legacy = {.era = ERA_LEGACY};
	stage s;

	(void)state;
	stage_open(&s, &modern);
	stage_said(&s, DISCOVER);
	assert_int_equal(mcp_client_deadline(s.c), 30000);
	stage_hear(&s, ERROR("1", "-32601"));
	stage_said(&s, INITIALIZE("2"));
	stage_close(&s);
	stage_open(&s, &legacy);
	stage_said(&s, INITIALIZE("1"));
	stage_hear(&s, ERROR("1", "-32601"));
	stage_hear(&s, DISCOVERED("2", "\"tools\":{}"));
	stage_hear(&s, "{\"id\":3,\"result\":{\"tools\":[]}}\n");
	stage_expect(&s, "up\n");
	assert_int_equal(mcp_client_era(s.c), ERA_MODERN);
	stage_close(&s);
}

static void
a_server_that_ends_by_the_probe_is_not_probed_again(void **state)
{
	stage s;

	(void)state;
	stage_open(&s, &find_out);
	mcp_client_close(s.c, TEXT("it exited with code 1"));
	stage_turn(&s);
	stage_expect(&s, "down it exited with code 1\n");
	assert_int_equal(mcp_client_era(s.c), ERA_LEGACY);
	stage_close(&s);
}

/* --------------------------------------------------------------- listening */

static void
open_listening(stage *s)
{
	stage_open(s, &find_out);
	stage_hear(s, DISCOVERED("1", "\"tools\":{\"listChanged\":true}"));
	buf_clear(&s->said);
	stage_hear(s, "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n");
	stage_expect(s, "up\n");
	stage_said(s,
	    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"subscriptions/listen\","
	    "\"params\":{\"notifications\":{\"toolsListChanged\":true},"
	    "\"_meta\":{" META("") "}}}\n");
	stage_hear(s, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		      "subscriptions/acknowledged\",\"params\":{}}\n");
	stage_expect(s, "");
}

static void
changes_are_listened_for(void **state)
{
	stage s;

	(void)state;
	open_listening(&s);
	stage_hear(&s,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
	    "list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/"
	    "subscriptionId\":3}}}\n");
	stage_tick(&s, 200);
	stage_said(&s, LIST("4"));
	stage_hear(&s, "{\"id\":4,\"result\":{\"tools\":[]}}\n");
	stage_expect(&s, "changed\n");
	stage_close(&s);
}

/* Ever more slowly; once it listens again, the list may be another one. */
static void
listening_that_ends_is_begun_anew(void **state)
{
	stage s;

	(void)state;
	open_listening(&s);
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		       "cancelled\",\"params\":{\"requestId\":3}}\n");
	assert_int_equal(mcp_client_deadline(s.c), 1000);
	stage_tick(&s, 1000);
	assert_non_null(s.said.ptr);
	assert_true(
	    text_find(buf_view(&s.said), TEXT("\"id\":4,"), 0) != SIZE_MAX);
	stage_hear(&s, "{\"id\":4,\"result\":{}}\n");
	assert_int_equal(mcp_client_deadline(s.c), 3000);
	stage_tick(&s, 3000);
	buf_clear(&s.said);
	stage_hear(&s, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		       "subscriptions/acknowledged\",\"params\":{}}\n");
	assert_int_equal(mcp_client_deadline(s.c), 3200);
	stage_tick(&s, 3200);
	stage_said(&s, LIST("6"));
	stage_close(&s);
}

static void
listening_that_is_refused_is_given_up(void **state)
{
	stage s;

	(void)state;
	open_listening(&s);
	stage_hear(&s, ERROR("3", "-32601"));
	stage_tick(&s, 2000);
	stage_expect(&s, "");
	assert_int_equal(mcp_client_deadline(s.c), UINT64_MAX);
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_modern_server_is_not_greeted),
	    cmocka_unit_test(any_other_answer_means_legacy),
	    cmocka_unit_test(a_server_that_ignores_the_probe_is_greeted),
	    cmocka_unit_test(the_first_good_answer_decides),
	    cmocka_unit_test(versions_are_chosen_from_what_the_server_names),
	    cmocka_unit_test(what_is_known_of_a_server_may_be_wrong),
	    cmocka_unit_test(
		a_server_that_ends_by_the_probe_is_not_probed_again),
	    cmocka_unit_test(changes_are_listened_for),
	    cmocka_unit_test(listening_that_ends_is_begun_anew),
	    cmocka_unit_test(listening_that_is_refused_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
