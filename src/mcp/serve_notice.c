/* SPDX-License-Identifier: MIT */
/*
 * serve_notice.c -- what a client is sent without having asked for just that:
 * notifications, and requests of our own.
 *
 * What belongs to a request goes to the request's channel, beside the answers
 * of its batch. There is one that listens for each subscription of the era
 * without greeting; a client that has greeted hears of all changes.
 */
#include "serve_machine.h"

static const text level_names[MCP_LOG_SILENT] = {TEXT_INIT("debug"),
    TEXT_INIT("info"), TEXT_INIT("notice"), TEXT_INIT("warning"),
    TEXT_INIT("error"), TEXT_INIT("critical"), TEXT_INIT("alert"),
    TEXT_INIT("emergency")};

static const struct {
	mcp_topic topic;
	const char *filter; /* its name in subscriptions/listen */
	const char *method;
} topics[] = {
    {MCP_TOOLS, "toolsListChanged", "notifications/tools/list_changed"},
    {MCP_PROMPTS, "promptsListChanged", "notifications/prompts/list_changed"},
    {MCP_RESOURCES, "resourcesListChanged",
	"notifications/resources/list_changed"},
};

enum { TOPICS = sizeof(topics) / sizeof(*topics) };

mcp_level
mcp_level_named(text name)
{
	mcp_level level = MCP_LOG_DEBUG;

	while (level < MCP_LOG_SILENT && !text_eq(name, level_names[level]))
		level++;
	return level;
}

mcp_level
serve_level(json name)
{
	return mcp_level_named(text_sub(name, 1, name.len - 1));
}

unsigned
serve_topics(const mcp_server *s, json params)
{
	json filter = json_get(params, TEXT("notifications"));
	unsigned found = 0;

	for (size_t i = 0; i < TOPICS; i++)
		if (json_bool(
			json_get(filter, text_of(topics[i].filter)), false))
			found |= topics[i].topic;
	return found & s->topics;
}

/* ---------------------------------------------------------------- writing */

/* Opens a message with an object of parameters in it. */
static size_t
start_notice(mcp_server *s, const char *method)
{
	size_t opened = outbox_open(&s->out);

	json_member_text(&s->out.bytes, "method", text_of(method));
	json_member(&s->out.bytes, "params");
	buf_byte(&s->out.bytes, '{');
	return opened;
}

/* A message for which there is no room is lost: none of them is waited for. */
static bool
finish_notice(mcp_server *s, size_t opened, uint32_t channel)
{
	buf_byte(&s->out.bytes, '}');
	return outbox_close(&s->out, opened) == CM_OK &&
	       serve_mark(s, opened, channel, false) == CM_OK;
}

static void
write_subscription(mcp_server *s, const request *r)
{
	json_member(&s->out.bytes, "_meta");
	buf_str(&s->out.bytes, "{\"io.modelcontextprotocol/subscriptionId\":");
	buf_text(&s->out.bytes, serve_id(r));
	buf_byte(&s->out.bytes, '}');
}

/* ---------------------------------------------------------------- changes */

void
serve_acknowledge(mcp_server *s, const request *r)
{
	size_t opened =
	    start_notice(s, "notifications/subscriptions/acknowledged");

	write_subscription(s, r);
	json_member(&s->out.bytes, "notifications");
	buf_byte(&s->out.bytes, '{');
	for (size_t i = 0; i < TOPICS; i++)
		if (r->topics & topics[i].topic)
			json_member_bool(&s->out.bytes, topics[i].filter, true);
	buf_byte(&s->out.bytes, '}');
	finish_notice(s, opened, r->from.channel);
}

static void
tell_listener(mcp_server *s, const request *r, const char *method)
{
	size_t opened = start_notice(s, method);

	write_subscription(s, r);
	finish_notice(s, opened, r->from.channel);
}

void
mcp_server_changed(mcp_server *s, mcp_topic topic)
{
	size_t i = 0;

	while (topics[i].topic != topic)
		i++;
	if (s->greeted)
		finish_notice(s, start_notice(s, topics[i].method), 0);
	for (size_t k = 0; k < s->len; k++)
		if (s->open[k].topics & topic)
			tell_listener(s, &s->open[k], topics[i].method);
}

/* --------------------------------------------------------- of one request */

static const request *
live_request(mcp_server *s, uint32_t number)
{
	const request *r = serve_numbered(s, number);

	return r != NULL && !r->gone && !serve_is_parked(r) ? r : NULL;
}

void
mcp_server_progress(
    mcp_server *s, uint32_t number, double progress, double total, text message)
{
	request *r = serve_numbered(s, number);
	buf *out = &s->out.bytes;
	size_t opened;

	if (r == NULL || r->gone || serve_is_parked(r) || r->token_len == 0 ||
	    !(progress > r->progress))
		return;
	opened = start_notice(s, "notifications/progress");
	json_member_json(
	    out, "progressToken", (json){r->words + r->id_len, r->token_len});
	buf_printf(out, ",\"progress\":%.15g", progress);
	if (total > 0)
		buf_printf(out, ",\"total\":%.15g", total);
	if (message.len > 0)
		json_member_text(out, "message", message);
	if (finish_notice(s, opened, r->from.channel))
		r->progress = progress;
}

void
mcp_server_log(
    mcp_server *s, uint32_t number, mcp_level level, text logger, text words)
{
	const request *r = live_request(s, number);
	mcp_level wanted = r != NULL && r->modern ? r->level : s->level;
	size_t opened;

	if (level < wanted || level == MCP_LOG_SILENT ||
	    (r == NULL && (number != 0 || !s->greeted)))
		return;
	opened = start_notice(s, "notifications/message");
	json_member_text(&s->out.bytes, "level", level_names[level]);
	if (logger.len > 0)
		json_member_text(&s->out.bytes, "logger", logger);
	json_member_text(&s->out.bytes, "data", words);
	finish_notice(s, opened, r != NULL ? r->from.channel : 0);
}

uint32_t
mcp_server_ask(mcp_server *s, uint32_t number, const char *method, json params)
{
	request *r = serve_numbered(s, number);
	size_t opened;

	if (r != NULL && r->modern && !r->gone)
		return serve_round_ask(s, r, method, params);
	if (r != NULL && r->gone)
		r = NULL;
	if (!s->greeted || (r == NULL && number != 0) ||
	    (r != NULL && r->modern))
		return 0;
	opened = outbox_open(&s->out);
	json_member_uint(&s->out.bytes, "id", s->last_asked + 1);
	json_member_text(&s->out.bytes, "method", text_of(method));
	json_member_json(&s->out.bytes, "params", params);
	if (outbox_close(&s->out, opened) != CM_OK ||
	    serve_mark(s, opened, r != NULL ? r->from.channel : 0, false) !=
		CM_OK)
		return 0;
	return ++s->last_asked;
}
