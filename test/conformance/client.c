/* SPDX-License-Identifier: MIT */
/*
 * client.c URL -- the client that the conformance suite drives: the machine of
 * src/mcp and the link over HTTP, with a script for each scenario.
 *
 * The suite names the scenario in MCP_CONFORMANCE_SCENARIO and gives what it
 * needs in MCP_CONFORMANCE_CONTEXT, a JSON object. Questions of the server are
 * answered with the defaults of their schema.
 */
#include "common/monotonic.h"
#include "http_link.h"
#include "person.h"

#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>

enum { ARGS_MAX = 1 << 20 };

typedef struct call {
	const char *scenario;
	const char *tool; /* NULL: every tool of the list */
	const char *args;
} call;

static const call script[] = {
    {"tools_call", "add_numbers", "{\"a\":5,\"b\":3}"},
    {"elicitation-sep1034-client-defaults", "test_client_elicitation_defaults",
	"{}"},
    {"sse-retry", "test_reconnection", "{}"},
    {"http-standard-headers", NULL, "{}"},
    {"http-invalid-tool-headers", NULL, "{\"region\":\"x\"}"},
    {"sep-2322-client-request-state", "test_mrtr_echo_state", "{}"},
    {"sep-2322-client-request-state", "test_mrtr_unrelated", "{}"},
    {"sep-2322-client-request-state", "test_mrtr_no_state", "{}"},
    {"sep-2322-client-request-state", "test_mrtr_no_result_type", "{}"},
};

typedef struct driver {
	uv_loop_t loop;
	uv_timer_t timer;
	server_link *link;
	mcp_client *client;
	uint32_t calls;
	uint32_t answers;
	bool turning;
	bool down;
	bool ended;
} driver;

static text
scenario(void)
{
	const char *name = getenv("MCP_CONFORMANCE_SCENARIO");

	return text_of(name ? name : "");
}

/* ------------------------------------------------------------------- calls */

static void
start_call(driver *d, text tool, json args)
{
	must(mcp_client_call(d->client, ++d->calls, tool, args, 0) == CM_OK);
}

/* But the one that the machine makes of the server's resources. */
static void
call_every_tool(driver *d, json args)
{
	size_t n, i;
	const mcp_tool *tool = mcp_client_tools(d->client, &n);

	for (i = 0; i < n; i++)
		if (!text_eq(tool[i].name, TEXT("readResource")))
			start_call(d, tool[i].name, args);
}

/* What the suite wants to be called. */
static void
call_from_context(driver *d)
{
	const char *given = getenv("MCP_CONFORMANCE_CONTEXT");
	json context = text_of(given ? given : "{}"), entry;
	json_iter it = json_each(json_get(context, TEXT("toolCalls")));
	buf name = BUF_INIT(NULL, ARGS_MAX);

	while (json_next(&it, NULL, &entry)) {
		buf_clear(&name);
		json_unescape(json_get(entry, TEXT("name")), &name);
		start_call(
		    d, buf_view(&name), json_get(entry, TEXT("arguments")));
	}
	buf_fini(&name);
}

/* The schema of the first tool, sent back as it came. */
static void
echo_schema(driver *d)
{
	const mcp_tool *tool = mcp_client_tools(d->client, NULL);
	buf args = BUF_INIT(NULL, ARGS_MAX);

	if (text_eq(scenario(), TEXT("json-schema-2020-12-preservation"))) {
		buf_str(&args, "{\"schema\":");
		buf_text(&args, tool[0].input_schema);
		buf_str(&args, "}");
		start_call(d, TEXT("json_schema_echo"), buf_view(&args));
	}
	buf_fini(&args);
}

static void
play_scenario(driver *d)
{
	size_t i;

	for (i = 0; i < sizeof(script) / sizeof(script[0]); i++) {
		const call *c = &script[i];

		if (!text_eq(scenario(), text_of(c->scenario)))
			continue;
		if (c->tool)
			start_call(d, text_of(c->tool), text_of(c->args));
		else
			call_every_tool(d, text_of(c->args));
	}
	if (text_starts(scenario(), TEXT("auth/")))
		call_every_tool(d, TEXT("{}"));
	if (text_eq(scenario(), TEXT("http-standard-headers")) &&
	    mcp_client_read(d->client, ++d->calls,
		TEXT("file:///path/to/file%20name.txt"), 0) != CM_OK)
		d->calls--;
	call_from_context(d);
	echo_schema(d);
}

/* --------------------------------------------------------------- questions */

static bool
wants_answers(void)
{
	return text_eq(
		   scenario(), TEXT("elicitation-sep1034-client-defaults")) ||
	       text_eq(scenario(), TEXT("sep-2322-client-request-state"));
}

/* A value for a member of a form: its default, or one of its type. */
static void
put_value(buf *out, json schema)
{
	json preset = json_get(schema, TEXT("default"));
	json type = json_get(schema, TEXT("type"));

	if (json_kind_of(preset) != JSON_MISSING)
		buf_text(out, preset);
	else if (json_is(type, TEXT("boolean")))
		buf_str(out, "true");
	else if (json_is(type, TEXT("string")))
		buf_str(out, "\"x\"");
	else
		buf_str(out, "1");
}

static void
answer_question(driver *d, const mcp_event *e)
{
	json form = json_get(
	    json_get(e->params, TEXT("requestedSchema")), TEXT("properties"));
	json_iter it = json_each(form);
	json key, value;
	buf out = BUF_INIT(NULL, ARGS_MAX);
	size_t n = 0;

	buf_str(&out, "{\"action\":\"accept\",\"content\":{");
	while (json_next(&it, &key, &value)) {
		buf_printf(&out, "%s%.*s:", n++ ? "," : "", TEXT_ARG(key));
		put_value(&out, value);
	}
	buf_str(&out, "}}");
	mcp_client_answer(d->client, e->asked, buf_view(&out), TEXT_NONE);
	buf_fini(&out);
}

/* ------------------------------------------------------------------- turns */

static void
handle_mcp_event(driver *d, const mcp_event *e)
{
	switch (e->kind) {
	case MCP_UP:
		play_scenario(d);
		break;
	case MCP_ANSWER:
		d->answers++;
		fprintf(stderr, "%u: %.*s\n", e->call,
		    TEXT_ARG(
			e->answer.ok ? e->answer.value : e->answer.message));
		break;
	case MCP_ASKED:
		answer_question(d, e);
		break;
	case MCP_WARNING:
	case MCP_LOG:
		fprintf(stderr, "%.*s\n", TEXT_ARG(e->message));
		break;
	case MCP_DOWN:
		fprintf(stderr, "down: %.*s\n", TEXT_ARG(e->message));
		d->down = true;
		break;
	case MCP_PROGRESS:
	case MCP_CHANGED:
		break;
	}
}

static bool
is_up(const driver *d)
{
	return mcp_client_era(d->client) != ERA_FIND_OUT;
}

static void on_driver_timer(uv_timer_t *timer);

static void
turn_driver(driver *d)
{
	uint64_t due, now;
	mcp_event e;

	if (d->turning || d->ended)
		return;
	d->turning = true;
	mcp_client_tick(d->client, monotonic_ms());
	while (mcp_client_next(d->client, &e))
		handle_mcp_event(d, &e);
	mcp_client_sent(
	    d->client, link_write(d->link, mcp_client_out(d->client)));
	if (d->down || (is_up(d) && d->answers == d->calls))
		link_hang_up(d->link);
	due = mcp_client_deadline(d->client);
	now = monotonic_ms();
	if (due != UINT64_MAX)
		uv_timer_start(
		    &d->timer, on_driver_timer, due > now ? due - now : 0, 0);
	d->turning = false;
}

static void
on_driver_timer(uv_timer_t *timer)
{
	turn_driver(timer->data);
}

/* --------------------------------------------------------- hooks of the link */

static void
on_message(void *ctx, char *message, size_t len)
{
	driver *d = ctx;

	mcp_client_line(d->client, message, len);
	turn_driver(d);
}

static void
on_failed(void *ctx, uint64_t id, const mcp_failure *why)
{
	driver *d = ctx;

	mcp_client_failed(d->client, id, why);
	turn_driver(d);
}

static void
on_lost(void *ctx)
{
	driver *d = ctx;

	mcp_client_again(d->client);
	turn_driver(d);
}

static void
on_writable(void *ctx)
{
	turn_driver(ctx);
}

static void
on_ended(void *ctx)
{
	driver *d = ctx;

	d->ended = true;
	link_close(d->link);
	uv_close((uv_handle_t *)&d->timer, NULL);
}

static void
on_closed(void *ctx)
{
	driver *d = ctx;

	link_free(d->link);
	d->link = NULL;
	person_end();
}

static const link_hooks driver_hooks = {
    .writable = on_writable,
    .ended = on_ended,
    .closed = on_closed,
    .message = on_message,
    .request_failed = on_failed,
    .session_lost = on_lost,
};

int
main(int argc, char **argv)
{
	server_config config = {
	    .name = "suite", .reach = REACH_HTTP, .url = argv[argc - 1]};
	const mcp_client_options options = {.now_ms = monotonic_ms(),
	    .over_http = true,
	    .offers = wants_answers() ? MCP_OFFERS_ELICITATION : 0};
	driver d = {.client = mcp_client_new(&options)};

	must(d.client && uv_loop_init(&d.loop) == 0);
	uv_timer_init(&d.loop, &d.timer);
	d.timer.data = &d;
	person_begin(&d.loop, &config);
	d.link = http_link(&d.loop, &driver_hooks, &d, &config, d.client);
	must(d.link);
	turn_driver(&d);
	uv_run(&d.loop, UV_RUN_DEFAULT);
	must(!d.link && uv_loop_close(&d.loop) == 0);
	mcp_client_free(d.client);
	return d.down ? 1 : 0;
}
