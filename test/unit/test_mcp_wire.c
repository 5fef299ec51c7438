/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_wire.c -- what we send to servers fits the schemas of the protocol.
 *
 * MCP_SCHEMAS names a folder with the schema of each revision, REVISION.json,
 * as the protocol's repository has them. Without it these tests are skipped.
 */
#include "mcp_fixture.h"

#include "schema/schema.h"

/* The definition of each message; NULL: the schema of the core has none. */
static const struct {
	const char *method;
	const char *definition;
} messages[] = {
    {"server/discover", "DiscoverRequest"},
    {"initialize", "InitializeRequest"},
    {"notifications/initialized", "InitializedNotification"},
    {"logging/setLevel", "SetLevelRequest"},
    {"tools/list", "ListToolsRequest"},
    {"tools/call", "CallToolRequest"},
    {"resources/read", "ReadResourceRequest"},
    {"subscriptions/listen", "SubscriptionsListenRequest"},
    {"notifications/cancelled", "CancelledNotification"},
    {"tasks/get", "GetTaskRequest"},
    {"tasks/result", "GetTaskPayloadRequest"},
    {"tasks/cancel", "CancelTaskRequest"},
    {"tasks/update", NULL},
};

/* A revision's definitions, and how many messages were held against them. */
typedef struct wire {
	buf source;
	json definitions;
	unsigned checked;
} wire;

static void
wire_open(wire *w, const char *revision)
{
	const char *folder = getenv("MCP_SCHEMAS");
	char path[4096];
	char part[4096];
	size_t n;
	FILE *f;
	json all;

	*w = (wire){.source = BUF_INIT(NULL, 16 << 20)};
	snprintf(path, sizeof(path), "%s/%s.json", folder, revision);
	f = fopen(path, "r");
	assert_non_null(f);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&w->source, part, n);
	fclose(f);
	assert_true(json_check(buf_view(&w->source), JSON_DEPTH, &all, NULL));
	w->definitions = json_get(all, TEXT("$defs"));
	if (w->definitions.len == 0)
		w->definitions = json_get(all, TEXT("definitions"));
	assert_true(w->definitions.len > 0);
}

static void
check_definition(wire *w, const char *name, json line)
{
	buf source = BUF_INIT(NULL, 16 << 20), why = BUF_INIT(NULL, 10000);
	schema_program *schema;

	buf_printf(&source, "{\"$ref\":\"#/$defs/%s\",\"$defs\":%.*s}", name,
	    TEXT_ARG(w->definitions));
	assert_int_equal(
	    schema_compile(NULL, buf_view(&source), &schema), CM_OK);
	assert_int_equal(schema_why(schema).len, 0);
	schema_explain(schema, line, &why);
	if (schema_check(schema, line) != SCHEMA_FITS)
		fail_msg("%.*s is no %s: %.*s", TEXT_ARG(line), name,
		    TEXT_ARG(buf_view(&why)));
	schema_free(schema);
	buf_fini(&source);
	buf_fini(&why);
	w->checked++;
}

static void
check_message(wire *w, json line)
{
	json method = json_get(line, TEXT("method"));
	size_t i;

	check_definition(w, "JSONRPCMessage", line);
	if (method.len == 0)
		return;
	for (i = 0; !json_is(method, text_of(messages[i].method)); i++)
		assert_true(i + 1 < sizeof(messages) / sizeof(messages[0]));
	if (messages[i].definition)
		check_definition(w, messages[i].definition, line);
}

/* All that was said so far, each message with a name of its own among them. */
static void
wire_check(wire *w, stage *s)
{
	text said = buf_view(&s->said), line;

	while (text_line(&said, &line))
		check_message(w, json_trim(line));
	buf_clear(&s->said);
	buf_clear(&s->log);
}

/* A schema that fits all would make these tests worth nothing. */
static void
the_schemas_refuse_what_is_wrong(void **state)
{
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
				   "\"tools/call\",\"params\":{\"name\":7}}";
	buf source = BUF_INIT(NULL, 16 << 20);
	schema_program *schema;
	wire w;

	(void)state;
	wire_open(&w, "2025-11-25");
	buf_printf(&source,
	    "{\"$ref\":\"#/$defs/CallToolRequest\",\"$defs\":%.*s}",
	    TEXT_ARG(w.definitions));
	assert_int_equal(
	    schema_compile(NULL, buf_view(&source), &schema), CM_OK);
	assert_int_equal(schema_check(schema, text_of(line)), SCHEMA_MISFIT);
	schema_free(schema);
	buf_fini(&source);
	buf_fini(&w.source);
}

static void
legacy_messages_fit(void **state)
{
	const mcp_client_options opts = {.era = ERA_LEGACY,
	    .log_level = TEXT("info"),
	    .offers = MCP_OFFERS_ELICITATION | MCP_OFFERS_ELICIT_URL |
		      MCP_OFFERS_SAMPLING | MCP_OFFERS_ROOTS};
	stage s;
	wire w;

	(void)state;
	wire_open(&w, "2025-11-25");
	stage_open(&s, &opts);
	stage_hear(&s,
	    "{\"id\":1,\"result\":{\"protocolVersion\":"
	    "\"2025-11-25\",\"capabilities\":{\"logging\":{},"
	    "\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}}}\n");
	stage_hear(&s, "{\"id\":3,\"result\":{\"tools\":[{\"name\":\"a\","
		       "\"execution\":{\"taskSupport\":\"required\"}}],"
		       "\"nextCursor\":\"c\"}}\n"
		       "{\"id\":4,\"result\":{\"tools\":[]}}\n");
	wire_check(&w, &s);
	stage_call(&s, 1, "a", "{\"x\":[1]}", 100);
	stage_call(&s, 2, "b", "", CM_NO_LIMIT);
	mcp_client_read(s.c, 3, TEXT("file:///x"), 0);
	stage_hear(&s, "{\"id\":5,\"result\":{\"task\":{\"taskId\":\"t\","
		       "\"pollInterval\":20}}}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x/y\"}\n"
		       "{\"jsonrpc\":\"2.0\",\"id\":\"3\",\"method\":"
		       "\"roots/list\"}\n");
	mcp_client_answer(s.c, 1, TEXT("{\"roots\":[]}"), TEXT_NONE);
	stage_tick(&s, 20);
	stage_hear(&s, "{\"id\":8,\"result\":{\"status\":\"completed\"}}\n");
	mcp_client_cancel(s.c, 2, TEXT("enough"));
	stage_tick(&s, 1000);
	wire_check(&w, &s);
	assert_true(w.checked > 20);
	stage_close(&s);
	buf_fini(&w.source);
}

static void
modern_messages_fit(void **state)
{
	const mcp_client_options opts = {.era = ERA_MODERN,
	    .log_level = TEXT("info"),
	    .offers = MCP_OFFERS_ELICITATION | MCP_OFFERS_ELICIT_URL |
		      MCP_OFFERS_SAMPLING | MCP_OFFERS_ROOTS};
	stage s;
	wire w;

	(void)state;
	wire_open(&w, "2026-07-28");
	stage_open(&s, &opts);
	stage_hear(&s, "{\"id\":1,\"result\":{\"supportedVersions\":"
		       "[\"2026-07-28\"],\"capabilities\":{\"tools\":{"
		       "\"listChanged\":true}}}}\n"
		       "{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}],"
		       "\"nextCursor\":\"c\"}}\n"
		       "{\"id\":3,\"result\":{\"tools\":[]}}\n");
	stage_call(&s, 1, "a", "{\"x\":[1]}", 100);
	stage_call(&s, 2, "b", "", 0);
	mcp_client_read(s.c, 3, TEXT("file:///x"), 0);
	stage_hear(&s,
	    "{\"id\":5,\"result\":{\"resultType\":\"input_required\","
	    "\"requestState\":\"s\",\"inputRequests\":{\"k\":{\"method\":"
	    "\"roots/list\"}}}}\n");
	mcp_client_answer(s.c, 1, TEXT("{\"roots\":[]}"), TEXT_NONE);
	stage_turn(&s);
	mcp_client_cancel(s.c, 2, TEXT("enough"));
	stage_turn(&s);
	wire_check(&w, &s);
	assert_true(w.checked > 16);
	stage_close(&s);
	buf_fini(&w.source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_schemas_refuse_what_is_wrong),
	    cmocka_unit_test(legacy_messages_fit),
	    cmocka_unit_test(modern_messages_fit),
	};

	if (!getenv("MCP_SCHEMAS")) {
		puts("skipped: MCP_SCHEMAS does not name the folder of MCP's "
		     "schemas");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
