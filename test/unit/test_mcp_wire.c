/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_wire.c -- what our client and our server send fits the schemas of
 * the protocol, each kind of message in each revision that has it.
 *
 * MCP_SCHEMAS names a folder with the schema of each revision, REVISION.json,
 * as the protocol's repository has them. Without it these tests are skipped.
 */
#include "mcp_fixture.h"

#include "mcp/mcp_serve.h"
#include "mcp/serve_tool.h"
#include "schema/schema.h"

#define MODERN "2026-07-28"

static const char *const legacy[] = {
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

enum { REVISIONS = sizeof(legacy) / sizeof(*legacy) };

/* Messages with a method, of both sides; seen: how many were checked. */
static struct {
	const char *method;
	const char *definition;
	unsigned seen;
} messages[] = {
    {"server/discover", "DiscoverRequest", 0},
    {"initialize", "InitializeRequest", 0},
    {"notifications/initialized", "InitializedNotification", 0},
    {"ping", "PingRequest", 0},
    {"logging/setLevel", "SetLevelRequest", 0},
    {"tools/list", "ListToolsRequest", 0},
    {"tools/call", "CallToolRequest", 0},
    {"resources/read", "ReadResourceRequest", 0},
    {"subscriptions/listen", "SubscriptionsListenRequest", 0},
    {"notifications/cancelled", "CancelledNotification", 0},
    {"tasks/get", "GetTaskRequest", 0},
    {"tasks/result", "GetTaskPayloadRequest", 0},
    {"tasks/cancel", "CancelTaskRequest", 0},
    {"tasks/update", "an extension", 0},
    {"notifications/tools/list_changed", "ToolListChangedNotification", 0},
    {"notifications/prompts/list_changed", "PromptListChangedNotification", 0},
    {"notifications/resources/list_changed", "ResourceListChangedNotification",
	0},
    {"notifications/progress", "ProgressNotification", 0},
    {"notifications/message", "LoggingMessageNotification", 0},
    {"notifications/subscriptions/acknowledged",
	"SubscriptionsAcknowledgedNotification", 0},
    {"elicitation/create", "ElicitRequest", 0},
};

enum { MESSAGES = sizeof(messages) / sizeof(*messages) };

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

/* The definitions refer to each other by one of two names. */
static void
write_schema(const wire *w, const char *name, buf *out)
{
	buf_printf(out,
	    "{\"$ref\":\"#/$defs/%s\",\"$defs\":%.*s,\"definitions\":%.*s}",
	    name, TEXT_ARG(w->definitions), TEXT_ARG(w->definitions));
}

static void
check_definition(wire *w, const char *name, json line)
{
	buf source = BUF_INIT(NULL, 32 << 20), why = BUF_INIT(NULL, 10000);
	schema_program *schema;

	write_schema(w, name, &source);
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

static bool
defines(const wire *w, const char *name)
{
	return json_get(w->definitions, text_of(name)).len > 0;
}

/* Requests and notifications. Tasks were part of one revision, and are an
 * extension of the next, which has no schema here. */
static void
check_message(wire *w, json line)
{
	json method = json_get(line, TEXT("method"));
	size_t i = 0;

	check_definition(w, "JSONRPCMessage", line);
	if (method.len == 0)
		return;
	while (!json_is(method, text_of(messages[i].method)))
		assert_true(++i < MESSAGES);
	if (text_starts(method, TEXT("\"tasks/")) && !defines(w, "Task"))
		assert_false(defines(w, messages[i].definition));
	else
		check_definition(w, messages[i].definition, line);
	messages[i].seen++;
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
	buf source = BUF_INIT(NULL, 32 << 20);
	schema_program *schema;
	wire w;

	(void)state;
	wire_open(&w, "2025-11-25");
	write_schema(&w, "CallToolRequest", &source);
	assert_int_equal(
	    schema_compile(NULL, buf_view(&source), &schema), CM_OK);
	assert_int_equal(schema_check(schema, text_of(line)), SCHEMA_MISFIT);
	schema_free(schema);
	buf_fini(&source);
	buf_fini(&w.source);
}

/* ----------------------------------------------------------------- our client */

static const mcp_client_options all_offers = {.log_level = TEXT_INIT("info"),
    .offers = MCP_OFFERS_ELICITATION | MCP_OFFERS_ELICIT_URL |
	      MCP_OFFERS_SAMPLING | MCP_OFFERS_ROOTS};

/* Only a server of the last of these revisions has tasks. */
static void
greet_stage(stage *s, const char *revision)
{
	char line[400];

	snprintf(line, sizeof(line),
	    "{\"id\":1,\"result\":{\"protocolVersion\":\"%s\","
	    "\"capabilities\":{\"logging\":{},\"tasks\":{\"requests\":{"
	    "\"tools\":{\"call\":{}}}}}}}\n",
	    revision);
	stage_hear(s, line);
	stage_hear(s, "{\"id\":3,\"result\":{\"tools\":[{\"name\":\"a\","
		      "\"execution\":{\"taskSupport\":\"required\"}}],"
		      "\"nextCursor\":\"c\"}}\n"
		      "{\"id\":4,\"result\":{\"tools\":[]}}\n");
}

static void
client_of(const char *revision)
{
	mcp_client_options opts = all_offers;
	stage s;
	wire w;

	wire_open(&w, revision);
	opts.era = ERA_LEGACY;
	stage_open(&s, &opts);
	greet_stage(&s, revision);
	wire_check(&w, &s);
	stage_call(&s, 1, "a", "{\"x\":[1]}", CM_NO_LIMIT);
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
	if (defines(&w, "Task"))
		stage_hear(
		    &s, "{\"id\":8,\"result\":{\"status\":\"completed\"}}\n");
	mcp_client_cancel(s.c, 2, TEXT("enough"));
	mcp_client_cancel(s.c, 1, TEXT("enough"));
	stage_call(&s, 4, "b", "", CM_NO_LIMIT);
	stage_tick(&s, 100000);
	wire_check(&w, &s);
	assert_true(w.checked > 20);
	stage_close(&s);
	buf_fini(&w.source);
}

static void
what_the_client_sends_fits_each_revision(void **state)
{
	(void)state;
	for (size_t i = 0; i < REVISIONS; i++)
		client_of(legacy[i]);
}

/* One call becomes a task that asks something, and is given up. */
static void
modern_task(stage *s)
{
	stage_call(s, 4, "a", "", CM_NO_LIMIT);
	stage_hear(s,
	    "{\"id\":9,\"result\":{\"resultType\":\"task\",\"taskId\":\"t\","
	    "\"pollIntervalMs\":20}}\n");
	stage_tick(s, 20);
	stage_hear(s,
	    "{\"id\":10,\"result\":{\"status\":\"input_required\","
	    "\"inputRequests\":{\"k\":{\"method\":\"roots/list\"}}}}\n");
	mcp_client_answer(s->c, 2, TEXT("{\"roots\":[]}"), TEXT_NONE);
	stage_turn(s);
	mcp_client_cancel(s->c, 4, TEXT("enough"));
	stage_turn(s);
}

static void
what_the_client_sends_fits_the_revision_without_greeting(void **state)
{
	mcp_client_options opts = all_offers;
	stage s;
	wire w;

	(void)state;
	wire_open(&w, MODERN);
	opts.era = ERA_MODERN;
	stage_open(&s, &opts);
	stage_hear(&s, "{\"id\":1,\"result\":{\"supportedVersions\":"
		       "[\"" MODERN "\"],\"capabilities\":{\"tools\":{"
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
	modern_task(&s);
	wire_check(&w, &s);
	stage_close(&s);
	buf_fini(&w.source);
}

/* ----------------------------------------------------------------- our server */

typedef struct server_stage {
	wire w;
	mcp_server *s;
	const char *meta; /* what each request has, with a comma before it */
	unsigned id;
	uint32_t request; /* the call that waits for its answer */
} server_stage;

/* What was said: notifications and requests by their method; the one answer as
 * this definition (NULL: there must be no result). */
static void
server_check(server_stage *st, const char *result)
{
	mcp_said said;
	json answer;

	for (; mcp_server_line(st->s, &said);
	     mcp_server_sent(st->s, said.line.len + 1)) {
		check_message(&st->w, said.line);
		answer = json_get(said.line, TEXT("result"));
		if (said.error != 0 && result != NULL)
			answer = said.line;
		if (answer.len == 0)
			continue;
		assert_non_null(result);
		check_definition(&st->w, result, answer);
		result = NULL;
	}
	assert_null(result);
}

static void
server_post(server_stage *st, const char *method, const char *params)
{
	buf message = BUF_INIT(NULL, 4096);
	mcp_asked asked;

	buf_printf(&message,
	    "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":{%s%s"
	    "}}",
	    ++st->id, method, params, st->meta + (*params ? 0 : 1));
	mcp_server_post(st->s, buf_view(&message), st->id);
	while (mcp_server_next(st->s, &asked))
		st->request = asked.request;
	buf_fini(&message);
}

static void
server_asked(server_stage *st, const char *method, const char *params,
    const char *result)
{
	server_post(st, method, params);
	server_check(st, result);
}

/* A call: what is said of it meanwhile, and how it ends. */
static void
server_called(server_stage *st, const char *more, bool failed)
{
	buf content = BUF_INIT(NULL, 4096);

	server_post(st, "tools/call", more);
	mcp_server_progress(st->s, st->request, 1, 2, TEXT("half"));
	mcp_server_log(st->s, st->request, MCP_LOG_ERROR, TEXT("a"), TEXT("b"));
	server_check(st, NULL);
	serve_words(&content, TEXT("done"));
	mcp_server_answer(st->s, st->request, buf_view(&content), failed);
	server_check(st, "CallToolResult");
	buf_fini(&content);
}

static void
offer_tool(server_stage *st, const char *menu)
{
	buf tool = BUF_INIT(NULL, 1 << 20);

	serve_tool(
	    &tool, &(serve_about){.catalog = text_of(menu)}, CM_NO_LIMIT);
	assert_int_equal(mcp_server_offer(st->s, buf_view(&tool)), CM_OK);
	buf_fini(&tool);
}

static server_stage
server_open(const char *revision, const char *meta)
{
	const mcp_server_options opts = {.tool = TEXT(SERVE_TOOL),
	    .topics = MCP_TOOLS | MCP_PROMPTS | MCP_RESOURCES};
	server_stage st = {.s = mcp_server_new(&opts), .meta = meta};

	assert_non_null(st.s);
	wire_open(&st.w, revision);
	offer_tool(&st, "tools");
	return st;
}

/* All lists have changed, and the tool is another one. */
static void
change_all(server_stage *st)
{
	offer_tool(st, "other tools");
	mcp_server_changed(st->s, MCP_PROMPTS);
	mcp_server_changed(st->s, MCP_RESOURCES);
	server_check(st, NULL);
}

static void
server_close(server_stage *st)
{
	assert_true(st->w.checked > 20);
	mcp_server_free(st->s);
	buf_fini(&st->w.source);
}

#define CALLED                                                        \
	"\"name\":\"" SERVE_TOOL "\",\"arguments\":{\"code\":\"1\"}," \
	"\"_meta\":{\"progressToken\":\"p\""

static void
server_of(const char *revision)
{
	server_stage st = server_open(revision, ",\"x\":1");
	char hello[300];

	snprintf(hello, sizeof(hello),
	    "\"protocolVersion\":\"%s\",\"capabilities\":{\"elicitation\":{}},"
	    "\"clientInfo\":{\"name\":\"n\",\"version\":\"1\"}",
	    revision);
	server_asked(&st, "initialize", hello, "InitializeResult");
	server_asked(&st, "ping", "", "EmptyResult");
	server_asked(
	    &st, "logging/setLevel", "\"level\":\"info\"", "EmptyResult");
	server_asked(&st, "tools/list", "", "ListToolsResult");
	server_called(&st, CALLED "}", false);
	server_called(&st, CALLED "}", true);
	server_asked(&st, "x/y", "", NULL);
	server_asked(&st, "tools/call", "\"name\":\"other\"", NULL);
	change_all(&st);
	if (defines(&st.w, "ElicitRequest")) {
		mcp_server_ask(st.s, 0, "elicitation/create",
		    TEXT("{\"message\":\"m\",\"requestedSchema\":{\"type\":"
			 "\"object\",\"properties\":{}}}"));
		server_check(&st, NULL);
	}
	server_close(&st);
}

static void
what_the_server_sends_fits_each_revision(void **state)
{
	(void)state;
	for (size_t i = 0; i < REVISIONS; i++)
		server_of(legacy[i]);
}

#define WITHOUT_GREETING                                              \
	"\"io.modelcontextprotocol/protocolVersion\":\"" MODERN "\"," \
	"\"io.modelcontextprotocol/clientCapabilities\":{},"          \
	"\"io.modelcontextprotocol/logLevel\":\"info\""

static void
what_the_server_sends_fits_the_revision_without_greeting(void **state)
{
	server_stage st =
	    server_open(MODERN, ",\"_meta\":{" WITHOUT_GREETING "}");

	(void)state;
	server_asked(&st, "server/discover", "", "DiscoverResult");
	server_asked(&st, "tools/list", "", "ListToolsResult");
	server_asked(&st, "x/y", "", NULL);
	server_asked(&st, "subscriptions/listen",
	    "\"notifications\":{\"toolsListChanged\":true,"
	    "\"promptsListChanged\":true,\"resourcesListChanged\":true}",
	    NULL);
	change_all(&st);
	st.meta = ",\"y\":1";
	server_called(&st, CALLED "," WITHOUT_GREETING "}", false);
	server_called(&st, CALLED "," WITHOUT_GREETING "}", true);
	st.meta = ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
		  "\"2099-01-01\"}";
	server_asked(&st, "tools/list", "", "UnsupportedProtocolVersionError");
	server_close(&st);
}

/* The last test: none of the kinds was left out. */
static void
each_kind_of_message_was_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < MESSAGES; i++)
		if (messages[i].seen == 0)
			fail_msg("%s was never sent", messages[i].method);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_schemas_refuse_what_is_wrong),
	    cmocka_unit_test(what_the_client_sends_fits_each_revision),
	    cmocka_unit_test(
		what_the_client_sends_fits_the_revision_without_greeting),
	    cmocka_unit_test(what_the_server_sends_fits_each_revision),
	    cmocka_unit_test(
		what_the_server_sends_fits_the_revision_without_greeting),
	    cmocka_unit_test(each_kind_of_message_was_checked),
	};

	if (!getenv("MCP_SCHEMAS")) {
		puts("skipped: MCP_SCHEMAS does not name the folder of MCP's "
		     "schemas");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
