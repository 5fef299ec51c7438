/* SPDX-License-Identifier: MIT */
/*
 * serve_say.c -- what is sent: one function a message.
 *
 * A message is queued whole or not at all, and is one line. Ids are put back
 * as they came: 1.0 stays 1.0, and "\u0061" is not made shorter.
 */
#include "serve_machine.h"

#define SERVER_INFO                                                  \
	"{\"name\":\"codemode\",\"title\":\"codemode\",\"version\":" \
	"\"" CM_VERSION "\"}"

/* The tools stay what they are as long as this process lives. */
#define CACHE "\"ttlMs\":300000,\"cacheScope\":\"private\""

enum { LAZY = 64 << 10 }; /* bytes sent that are worth moving the rest for */

/* Opens a message; what it returns goes to finish. */
static size_t
start(mcp_server *s, json id, const char *what)
{
	size_t before;

	if (s->out_at > LAZY && s->out_at > s->out.len / 2) {
		buf_drop(&s->out, s->out_at);
		s->out_at = 0;
	}
	before = s->out.len;
	buf_str(&s->out, "{\"jsonrpc\":\"2.0\",\"id\":");
	buf_text(&s->out, id.len ? id : TEXT("null"));
	buf_printf(&s->out, ",\"%s\":{", what);
	return before;
}

static cm_status
finish(mcp_server *s, size_t before)
{
	cm_status r;

	buf_str(&s->out, "}}\n");
	r = s->out.bad;
	if (r != CM_OK) {
		s->out.len = before;
		s->out.bad = CM_OK;
	}
	return r;
}

/* What stands in each result of the era without greetings. */
static size_t
start_result(mcp_server *s, json id, bool modern)
{
	size_t before = start(s, id, "result");

	if (modern)
		buf_str(&s->out,
		    "\"resultType\":\"complete\",\"_meta\":{"
		    "\"io.modelcontextprotocol/serverInfo\":" SERVER_INFO "},");
	return before;
}

cm_status
serve_say_greeting(mcp_server *s, json id, text version)
{
	size_t before = start_result(s, id, false);

	buf_printf(&s->out,
	    "\"protocolVersion\":\"%.*s\",\"capabilities\":{\"tools\":{}},"
	    "\"serverInfo\":" SERVER_INFO,
	    TEXT_ARG(version));
	return finish(s, before);
}

cm_status
serve_say_discovery(mcp_server *s, json id)
{
	size_t before = start_result(s, id, true);

	buf_str(&s->out, "\"supportedVersions\":[\"" SERVE_MODERN "\"],"
			 "\"capabilities\":{\"tools\":{}}," CACHE);
	return finish(s, before);
}

cm_status
serve_say_nothing(mcp_server *s, json id)
{
	return finish(s, start_result(s, id, false));
}

cm_status
serve_say_tools(mcp_server *s, json id, bool modern)
{
	size_t before = start_result(s, id, modern);

	buf_str(&s->out, "\"tools\":[");
	buf_text(&s->out, buf_view(&s->offer));
	buf_byte(&s->out, ']');
	if (modern)
		buf_str(&s->out, "," CACHE);
	return finish(s, before);
}

cm_status
serve_say_content(
    mcp_server *s, json id, bool modern, json content, bool failed)
{
	size_t before = start_result(s, id, modern);

	buf_str(&s->out, "\"content\":");
	buf_text(&s->out, content);
	if (failed)
		buf_str(&s->out, ",\"isError\":true");
	return finish(s, before);
}

static size_t
start_error(mcp_server *s, json id, int code, text message)
{
	size_t before = start(s, id, "error");

	buf_printf(&s->out, "\"code\":%d,\"message\":", code);
	json_string(&s->out, message);
	return before;
}

cm_status
serve_say_error(mcp_server *s, json id, int code, text message)
{
	return finish(s, start_error(s, id, code, message));
}

cm_status
serve_say_versions(mcp_server *s, json id, json requested)
{
	size_t before = start_error(
	    s, id, SERVE_VERSION, TEXT("Unsupported protocol version"));

	buf_str(&s->out, ",\"data\":{\"supported\":[\"" SERVE_MODERN "\"],"
			 "\"requested\":");
	buf_text(&s->out, requested);
	buf_byte(&s->out, '}');
	return finish(s, before);
}
