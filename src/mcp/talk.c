/* SPDX-License-Identifier: MIT */
/*
 * talk.c -- what is sent to a server: one function a message.
 *
 * Calls are refused once MCP_OUT_MAX bytes wait, which is how a server that
 * does not read shows; the short messages of the protocol have a reserve beyond
 * that, so that a full queue does not keep us from cancelling what filled it.
 */
#include "machine.h"

#include <inttypes.h>

static size_t
bytes_queued(const mcp_client *c)
{
	return outbox_waiting(&c->out).len;
}

/* A line break between tokens would end the frame. */
static void
put_one_line(buf *out, json v)
{
	if (v.len && (memchr(v.ptr, '\n', v.len) || memchr(v.ptr, '\r', v.len)))
		json_compact(out, v);
	else
		buf_text(out, v);
}

cm_status
talk_initialize(mcp_client *c, uint64_t id)
{
	size_t opened = outbox_open(&c->out);

	buf_printf(&c->out.bytes,
	    ",\"id\":%" PRIu64 ",\"method\":\"initialize\",\"params\":{"
	    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
	    "\"clientInfo\":{\"name\":\"codemode\",\"version\":\"%s\"}}",
	    id, CM_VERSION);
	return outbox_close(&c->out, opened);
}

cm_status
talk_initialized(mcp_client *c)
{
	size_t opened = outbox_open(&c->out);

	buf_str(&c->out.bytes, ",\"method\":\"notifications/initialized\"");
	return outbox_close(&c->out, opened);
}

cm_status
talk_list(mcp_client *c, uint64_t id, json cursor)
{
	size_t opened = outbox_open(&c->out);

	buf_printf(&c->out.bytes,
	    ",\"id\":%" PRIu64 ",\"method\":\"tools/list\",\"params\":{", id);
	if (cursor.len) {
		buf_str(&c->out.bytes, "\"cursor\":");
		put_one_line(&c->out.bytes, cursor);
	}
	buf_byte(&c->out.bytes, '}');
	return outbox_close(&c->out, opened);
}

cm_status
talk_call(mcp_client *c, uint64_t id, text tool, json args)
{
	size_t opened;

	if (args.len > MCP_OUT_MAX || bytes_queued(c) > MCP_OUT_MAX - args.len)
		return CM_ELIMIT;
	opened = outbox_open(&c->out);
	buf_printf(&c->out.bytes,
	    ",\"id\":%" PRIu64
	    ",\"method\":\"tools/call\",\"params\":{\"name\":",
	    id);
	json_string(&c->out.bytes, tool);
	buf_str(&c->out.bytes, ",\"arguments\":");
	put_one_line(&c->out.bytes, args.len ? args : TEXT("{}"));
	buf_byte(&c->out.bytes, '}');
	return outbox_close(&c->out, opened);
}

cm_status
talk_cancelled(mcp_client *c, uint64_t id, text reason)
{
	size_t opened = outbox_open(&c->out);

	buf_printf(&c->out.bytes,
	    ",\"method\":\"notifications/cancelled\",\"params\":{"
	    "\"requestId\":%" PRIu64,
	    id);
	if (reason.len && utf8_bad(reason) == SIZE_MAX) {
		buf_str(&c->out.bytes, ",\"reason\":");
		json_string(&c->out.bytes, reason);
	}
	buf_byte(&c->out.bytes, '}');
	return outbox_close(&c->out, opened);
}

cm_status
talk_pong(mcp_client *c, json id)
{
	size_t opened = outbox_open(&c->out);

	json_member(&c->out.bytes, "id");
	put_one_line(&c->out.bytes, id);
	buf_str(&c->out.bytes, ",\"result\":{}");
	return outbox_close(&c->out, opened);
}

cm_status
talk_refuse(mcp_client *c, json id, json method)
{
	size_t opened = outbox_open(&c->out);

	json_member(&c->out.bytes, "id");
	put_one_line(&c->out.bytes, id);
	buf_str(&c->out.bytes, ",\"error\":{\"code\":-32601,\"message\":"
			       "\"Method not found\",\"data\":{\"method\":");
	put_one_line(&c->out.bytes, method);
	buf_str(&c->out.bytes, "}}");
	return outbox_close(&c->out, opened);
}
