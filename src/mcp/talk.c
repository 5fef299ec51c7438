/* SPDX-License-Identifier: MIT */
/*
 * talk.c -- what is sent: one function a message.
 *
 * A message is queued whole or not at all. Calls are refused once MCP_OUT_MAX
 * bytes wait, which is how a server that does not read shows; the short words
 * of the protocol have a reserve beyond that, so that a full queue does not
 * keep us from cancelling what filled it.
 */
#include "machine.h"

#include <inttypes.h>

enum { LAZY = 64 << 10 }; /* bytes sent that are worth moving the rest for */

size_t
talk_queued(const mcp_client *c)
{
	return c->out.len - c->out_at;
}

/* Opens a message; what it returns goes to finish. */
static size_t
start(mcp_client *c)
{
	size_t before;

	if (c->out_at > LAZY && c->out_at > c->out.len / 2) {
		buf_drop(&c->out, c->out_at);
		c->out_at = 0;
	}
	before = c->out.len;
	buf_str(&c->out, "{\"jsonrpc\":\"2.0\",");
	return before;
}

static cm_status
finish(mcp_client *c, size_t before)
{
	cm_status r;

	buf_str(&c->out, "}\n");
	r = c->out.bad;
	if (r != CM_OK) {
		c->out.len = before;
		c->out.bad = CM_OK;
	}
	return r;
}

/* A line break between tokens would end the frame. */
static void
add_json(buf *out, json v)
{
	if (v.len && (memchr(v.ptr, '\n', v.len) || memchr(v.ptr, '\r', v.len)))
		json_compact(out, v);
	else
		buf_text(out, v);
}

cm_status
talk_initialize(mcp_client *c, uint64_t id)
{
	size_t before = start(c);

	buf_printf(&c->out,
	    "\"id\":%" PRIu64 ",\"method\":\"initialize\",\"params\":{"
	    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
	    "\"clientInfo\":{\"name\":\"codemode\",\"version\":\"%s\"}}",
	    id, CM_VERSION);
	return finish(c, before);
}

cm_status
talk_initialized(mcp_client *c)
{
	size_t before = start(c);

	buf_str(&c->out, "\"method\":\"notifications/initialized\"");
	return finish(c, before);
}

cm_status
talk_list(mcp_client *c, uint64_t id, json cursor)
{
	size_t before = start(c);

	buf_printf(&c->out,
	    "\"id\":%" PRIu64 ",\"method\":\"tools/list\",\"params\":{", id);
	if (cursor.len) {
		buf_str(&c->out, "\"cursor\":");
		add_json(&c->out, cursor);
	}
	buf_byte(&c->out, '}');
	return finish(c, before);
}

cm_status
talk_call(mcp_client *c, uint64_t id, text tool, json args)
{
	size_t before;

	if (args.len > MCP_OUT_MAX || talk_queued(c) > MCP_OUT_MAX - args.len)
		return CM_ELIMIT;
	before = start(c);
	buf_printf(&c->out,
	    "\"id\":%" PRIu64
	    ",\"method\":\"tools/call\",\"params\":{\"name\":",
	    id);
	json_string(&c->out, tool);
	buf_str(&c->out, ",\"arguments\":");
	add_json(&c->out, args.len ? args : TEXT("{}"));
	buf_byte(&c->out, '}');
	return finish(c, before);
}

cm_status
talk_cancelled(mcp_client *c, uint64_t id, text reason)
{
	size_t before = start(c);

	buf_printf(&c->out,
	    "\"method\":\"notifications/cancelled\",\"params\":{"
	    "\"requestId\":%" PRIu64,
	    id);
	if (reason.len && utf8_bad(reason) == SIZE_MAX) {
		buf_str(&c->out, ",\"reason\":");
		json_string(&c->out, reason);
	}
	buf_byte(&c->out, '}');
	return finish(c, before);
}

cm_status
talk_pong(mcp_client *c, json id)
{
	size_t before = start(c);

	buf_str(&c->out, "\"id\":");
	add_json(&c->out, id);
	buf_str(&c->out, ",\"result\":{}");
	return finish(c, before);
}

cm_status
talk_refuse(mcp_client *c, json id, json method)
{
	size_t before = start(c);

	buf_str(&c->out, "\"id\":");
	add_json(&c->out, id);
	buf_str(&c->out, ",\"error\":{\"code\":-32601,\"message\":"
			 "\"Method not found\",\"data\":{\"method\":");
	add_json(&c->out, method);
	buf_str(&c->out, "}}");
	return finish(c, before);
}
