/* SPDX-License-Identifier: MIT */
/*
 * serve_say.c -- what a client is answered: one function a message.
 *
 * A message is queued whole or not at all, and is one line. Ids are put back
 * as they came: 1.0 stays 1.0, and "\u0061" is not made shorter.
 */
#include "serve_machine.h"

#define SERVER_INFO                                                  \
	"{\"name\":\"codemode\",\"title\":\"codemode\",\"version\":" \
	"\"" CM_VERSION "\"}"

/* Clients that listen are told of a change; others see it after a minute. */
#define CACHE "\"ttlMs\":60000,\"cacheScope\":\"private\""

/* Opens a message with an object in it; what it returns goes to finish_say. */
static size_t
start_say(mcp_server *s, json id, const char *what)
{
	size_t opened = outbox_open(&s->out);

	json_member_json(&s->out.bytes, "id", id.len ? id : TEXT("null"));
	json_member(&s->out.bytes, what);
	buf_byte(&s->out.bytes, '{');
	return opened;
}

static cm_status
finish_say(mcp_server *s, size_t opened)
{
	cm_status r;

	buf_byte(&s->out.bytes, '}');
	r = outbox_close(&s->out, opened);
	if (r == CM_OK)
		r = serve_batch_take(s, opened);
	if (r == CM_OK)
		r = serve_mark(s, opened, s->to.channel, true);
	s->error = 0;
	return r;
}

/* What stands in each result of the era without greetings. */
static size_t
start_result(mcp_server *s, json id, bool modern)
{
	size_t opened = start_say(s, id, "result");

	if (modern)
		buf_str(&s->out.bytes,
		    "\"resultType\":\"complete\",\"_meta\":{"
		    "\"io.modelcontextprotocol/serverInfo\":" SERVER_INFO "},");
	return opened;
}

cm_status
serve_say_greeting(mcp_server *s, json id, text version)
{
	size_t opened = start_result(s, id, false);

	buf_printf(&s->out.bytes,
	    "\"protocolVersion\":\"%.*s\",\"capabilities\":%.*s,"
	    "\"serverInfo\":" SERVER_INFO,
	    TEXT_ARG(version), TEXT_ARG(s->capabilities));
	return finish_say(s, opened);
}

cm_status
serve_say_discovery(mcp_server *s, json id)
{
	size_t opened = start_result(s, id, true);

	buf_printf(&s->out.bytes,
	    "\"supportedVersions\":[\"" MCP_MODERN "\"],"
	    "\"capabilities\":%.*s," CACHE,
	    TEXT_ARG(s->capabilities));
	return finish_say(s, opened);
}

cm_status
serve_say_nothing(mcp_server *s, json id)
{
	return finish_say(s, start_result(s, id, false));
}

cm_status
serve_say_tools(mcp_server *s, json id, bool modern)
{
	size_t opened = start_result(s, id, modern);

	buf_str(&s->out.bytes, "\"tools\":[");
	buf_text(&s->out.bytes, buf_view(&s->offer));
	buf_byte(&s->out.bytes, ']');
	if (modern)
		buf_str(&s->out.bytes, "," CACHE);
	return finish_say(s, opened);
}

cm_status
serve_say_content(mcp_server *s, json id, bool modern, json content, text more)
{
	size_t opened = start_result(s, id, modern);

	buf_str(&s->out.bytes, "\"content\":");
	buf_text(&s->out.bytes, content);
	if (more.len > 0)
		buf_byte(&s->out.bytes, ',');
	buf_text(&s->out.bytes, more);
	return finish_say(s, opened);
}

cm_status
serve_say_members(mcp_server *s, json id, bool modern, text members)
{
	bool all = text_starts(members, TEXT("\"resultType\""));
	size_t opened = start_result(s, id, modern && !all);

	if (modern && !all && members.len == 0)
		s->out.bytes.len--; /* the comma */
	buf_text(&s->out.bytes, members);
	return finish_say(s, opened);
}

static size_t
start_error(mcp_server *s, json id, int code, text message)
{
	size_t opened = start_say(s, id, "error");

	s->error = code;
	buf_printf(&s->out.bytes, "\"code\":%d,\"message\":", code);
	json_string(&s->out.bytes, message);
	return opened;
}

cm_status
serve_say_error(mcp_server *s, json id, int code, text message)
{
	return finish_say(s, start_error(s, id, code, message));
}

cm_status
serve_say_refusal(mcp_server *s, json id, int code, text message, json data)
{
	size_t opened = start_error(s, id, code, message);

	json_member_json(&s->out.bytes, "data", data);
	return finish_say(s, opened);
}

cm_status
serve_say_versions(mcp_server *s, json id, json requested)
{
	size_t opened = start_error(
	    s, id, SERVE_VERSION, TEXT("Unsupported protocol version"));

	buf_str(&s->out.bytes, ",\"data\":{\"supported\":[\"" MCP_MODERN "\"],"
			       "\"requested\":");
	buf_text(&s->out.bytes, requested);
	buf_byte(&s->out.bytes, '}');
	return finish_say(s, opened);
}
