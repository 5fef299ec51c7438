/* SPDX-License-Identifier: MIT */
/*
 * talk.c -- what is sent to a server: one function a message.
 *
 * Calls are refused once MCP_OUT_MAX bytes wait, which is how a server that
 * does not read shows; the short messages of the protocol have a reserve beyond
 * that, so that a full queue does not keep us from cancelling what filled it.
 *
 * In the modern era each request says in _meta what the greeting said before:
 * the revision, the client's name, and what it offers.
 */
#include "machine.h"

#include <inttypes.h>

#define CLIENT_INFO "{\"name\":\"codemode\",\"version\":\"" CM_VERSION "\"}"
#define META        "io.modelcontextprotocol/"

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

/* ------------------------------------------------- requests and their _meta */

static void
put_offers(const mcp_client *c, buf *out)
{
	const bool form = c->offers & MCP_OFFERS_ELICITATION;
	const bool url = c->offers & MCP_OFFERS_ELICIT_URL;

	buf_byte(out, '{');
	if (c->offers & MCP_OFFERS_SAMPLING)
		json_member_json(out, "sampling", TEXT("{}"));
	if (form || url) {
		json_member(out, "elicitation");
		buf_byte(out, '{');
		if (form)
			json_member_json(out, "form", TEXT("{}"));
		if (url)
			json_member_json(out, "url", TEXT("{}"));
		buf_byte(out, '}');
	}
	if (c->offers & MCP_OFFERS_ROOTS)
		json_member_json(out, "roots", TEXT("{}"));
	if (c->era == ERA_MODERN)
		json_member_json(
		    out, "extensions", TEXT("{\"" META "tasks\":{}}"));
	buf_byte(out, '}');
}

static void
put_modern_meta(const mcp_client *c, buf *out)
{
	json_member_text(out, META "protocolVersion", MACHINE_MODERN);
	json_member_json(out, META "clientInfo", TEXT(CLIENT_INFO));
	json_member(out, META "clientCapabilities");
	put_offers(c, out);
	if (c->log_level.len)
		json_member_text(out, META "logLevel", c->log_level);
}

/* Up to the bracket that opens params. */
static size_t
open_request(mcp_client *c, uint64_t id, const char *method)
{
	size_t opened = outbox_open(&c->out);

	buf_printf(&c->out.bytes,
	    ",\"id\":%" PRIu64 ",\"method\":\"%s\",\"params\":{", id, method);
	return opened;
}

/* token: under which the server tells progress; 0: not wanted. parent: the
 * traceparent; empty: none. */
static cm_status
close_with_meta(mcp_client *c, size_t opened, uint64_t token, text parent)
{
	buf *out = &c->out.bytes;

	if (c->era == ERA_MODERN || token) {
		json_member(out, "_meta");
		buf_byte(out, '{');
		if (token)
			json_member_uint(out, "progressToken", token);
		if (parent.len)
			json_member_text(out, "traceparent", parent);
		if (c->era == ERA_MODERN)
			put_modern_meta(c, out);
		buf_byte(out, '}');
	}
	buf_byte(out, '}');
	return outbox_close(&c->out, opened);
}

static cm_status
close_request(mcp_client *c, size_t opened, uint64_t token)
{
	return close_with_meta(c, opened, token, TEXT_NONE);
}

static cm_status
close_call_request(mcp_client *c, size_t opened, const waiting *entry)
{
	char parent[MCP_PARENT_MAX];
	bool known = c->parent && c->parent(c->parent_ctx, entry->call, parent);

	return close_with_meta(
	    c, opened, entry->id, known ? text_of(parent) : TEXT_NONE);
}

/* ---------------------------------------------------------- the beginning */

cm_status
talk_discover(mcp_client *c, uint64_t id)
{
	return close_request(c, open_request(c, id, "server/discover"), 0);
}

cm_status
talk_initialize(mcp_client *c, uint64_t id)
{
	size_t opened = open_request(c, id, "initialize");

	buf_str(&c->out.bytes,
	    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":");
	put_offers(c, &c->out.bytes);
	buf_str(&c->out.bytes, ",\"clientInfo\":" CLIENT_INFO);
	return close_request(c, opened, 0);
}

cm_status
talk_initialized(mcp_client *c)
{
	size_t opened = outbox_open(&c->out);

	buf_str(&c->out.bytes, ",\"method\":\"notifications/initialized\"");
	return outbox_close(&c->out, opened);
}

cm_status
talk_ping(mcp_client *c, uint64_t id)
{
	return close_request(c, open_request(c, id, "ping"), 0);
}

cm_status
talk_set_level(mcp_client *c, uint64_t id)
{
	size_t opened = open_request(c, id, "logging/setLevel");

	json_member_text(&c->out.bytes, "level", c->log_level);
	return close_request(c, opened, 0);
}

cm_status
talk_list(mcp_client *c, uint64_t id, json cursor)
{
	size_t opened = open_request(c, id, "tools/list");

	if (cursor.len) {
		json_member(&c->out.bytes, "cursor");
		put_one_line(&c->out.bytes, cursor);
	}
	return close_request(c, opened, 0);
}

cm_status
talk_listen(mcp_client *c, uint64_t id)
{
	size_t opened = open_request(c, id, "subscriptions/listen");

	json_member_json(&c->out.bytes, "notifications",
	    TEXT("{\"toolsListChanged\":true}"));
	return close_request(c, opened, 0);
}

/* ------------------------------------------------------------------ calls */

void
talk_tool_params(buf *out, text tool, json args)
{
	json_member_text(out, "name", tool);
	json_member(out, "arguments");
	put_one_line(out, args.len ? args : TEXT("{}"));
}

static void
put_responses(buf *out, const wait_more *more)
{
	if (more->responses.len) {
		json_member(out, "inputResponses");
		buf_byte(out, '{');
		buf_text(out, buf_view(&more->responses));
		buf_byte(out, '}');
	}
}

/* Is there room for a call of this many bytes? */
static bool
has_room(const mcp_client *c, size_t len)
{
	return len <= MCP_OUT_MAX && bytes_queued(c) <= MCP_OUT_MAX - len;
}

cm_status
talk_call(
    mcp_client *c, const waiting *entry, text tool, json args, uint64_t task_ms)
{
	size_t opened;

	if (!has_room(c, args.len))
		return CM_ELIMIT;
	opened = open_request(c, entry->id, "tools/call");
	talk_tool_params(&c->out.bytes, tool, args);
	if (task_ms) {
		json_member(&c->out.bytes, "task");
		buf_byte(&c->out.bytes, '{');
		if (task_ms != UINT64_MAX)
			json_member_uint(&c->out.bytes, "ttl", task_ms);
		buf_byte(&c->out.bytes, '}');
	}
	return close_call_request(c, opened, entry);
}

cm_status
talk_read(mcp_client *c, const waiting *entry, text uri)
{
	size_t opened;

	if (!has_room(c, uri.len))
		return CM_ELIMIT;
	opened = open_request(c, entry->id, "resources/read");
	json_member_text(&c->out.bytes, "uri", uri);
	return close_call_request(c, opened, entry);
}

cm_status
talk_call_again(mcp_client *c, const waiting *entry)
{
	const wait_more *more = entry->more;
	text params = buf_view(&more->params);
	size_t opened;

	if (!has_room(c, params.len + more->responses.len))
		return CM_ELIMIT;
	opened = open_request(
	    c, entry->id, entry->reads ? "resources/read" : "tools/call");
	buf_text(&c->out.bytes, params);
	put_responses(&c->out.bytes, more);
	json_member_json(&c->out.bytes, "requestState", buf_view(&more->state));
	return close_call_request(c, opened, entry);
}

cm_status
talk_task(mcp_client *c, uint64_t id, const char *method, const wait_more *more)
{
	size_t opened = open_request(c, id, method);

	json_member_json(&c->out.bytes, "taskId", buf_view(&more->task));
	put_responses(&c->out.bytes, more);
	return close_request(c, opened, 0);
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

/* ------------------------------------------- answers to the server's requests */

cm_status
talk_answer(mcp_client *c, json id, json result, json error)
{
	size_t opened = outbox_open(&c->out);

	json_member(&c->out.bytes, "id");
	put_one_line(&c->out.bytes, id);
	json_member(&c->out.bytes, error.len ? "error" : "result");
	put_one_line(&c->out.bytes, error.len ? error : result);
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
