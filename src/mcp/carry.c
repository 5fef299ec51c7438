/* SPDX-License-Identifier: MIT */
/*
 * carry.c -- what a transport over HTTP must know of the machine's lines, and
 * what it tells when a request fails.
 *
 * A request that fails for HTTP's reasons is answered by an error as if the
 * server had sent one; when the body of the response is such an error, by that.
 * So a failure ends the call that it belongs to, and no other.
 */
#include "machine.h"
#include "param.h"

#include <inttypes.h>

enum { FAILED_CODE = -32000 };

/* -------------------------------------------------------------- the lines */

static text
inside(json string)
{
	return text_sub(string, 1, string.len - 1);
}

mcp_line
mcp_client_line_kind(const mcp_client *c, text line)
{
	rpc_message m = rpc_read(json_trim(line));
	mcp_line l = {MCP_LINE_RESPONSE, 0, TEXT_NONE};

	if (m.kind == RPC_REPLY || m.kind == RPC_NONE)
		return l;
	l.method = inside(m.method);
	l.id = rpc_number(m.id);
	l.kind = m.kind == RPC_REQUEST ? MCP_LINE_REQUEST : MCP_LINE_NOTICE;
	if (c->era == ERA_MODERN &&
	    json_is(m.method, TEXT("notifications/cancelled"))) {
		l.kind = MCP_LINE_CANCEL;
		l.id = rpc_number(json_get(m.params, TEXT("requestId")));
	}
	return l;
}

bool
mcp_client_waits(const mcp_client *c, uint64_t id)
{
	const waiting *entry = waitlist_by_id((waitlist *)&c->waits, id);

	return entry && entry->end == WAIT_OPEN && !entry->asleep;
}

/* What the request is about: a tool, a resource, a task. */
static json
subject_of_request(text method, json params)
{
	if (text_eq(method, TEXT("resources/read")))
		return json_get(params, TEXT("uri"));
	if (text_starts(method, TEXT("tasks/")))
		return json_get(params, TEXT("taskId"));
	return json_get(params, TEXT("name"));
}

static void
modern_headers(const mcp_client *c, const rpc_message *m, buf *out)
{
	text method = inside(m->method);
	json subject = subject_of_request(method, m->params);
	buf name = BUF_INIT(c->alloc, 64 << 10);
	uint32_t tool = MAP_NONE;

	param_header(out, TEXT("Mcp-Method"), method);
	if (json_unescape(subject, &name) && name.bad == CM_OK) {
		param_header(out, TEXT("Mcp-Name"), buf_view(&name));
		tool = tools_find(&c->tools, buf_view(&name));
	}
	if (tool != MAP_NONE && text_eq(method, TEXT("tools/call")))
		param_headers(c->tools.tool[tool].input_schema,
		    json_get(m->params, TEXT("arguments")), out);
	buf_fini(&name);
}

void
mcp_client_headers(const mcp_client *c, text line, buf *out)
{
	rpc_message m = rpc_read(json_trim(line));
	bool greets = json_is(m.method, TEXT("initialize"));
	text revision = c->revision;

	if (c->era == ERA_MODERN)
		revision = MACHINE_MODERN;
	if (revision.len && !greets)
		param_header(out, TEXT("MCP-Protocol-Version"), revision);
	if (c->era == ERA_MODERN && m.method.len)
		modern_headers(c, &m, out);
}

/* ------------------------------------------------------------- failures */

/* The error of JSON-RPC that a body is; missing: it is none. */
static json
error_in(text body)
{
	json v;

	if (!json_check(body, MACHINE_DEPTH, &v, NULL))
		return TEXT_NONE;
	v = rpc_read(v).error;
	return json_kind_of(v) == JSON_OBJECT ? v : TEXT_NONE;
}

/* Puts the reply that the server should have sent where its lines come in. */
static void
put_reply(mcp_client *c, uint64_t id, const mcp_failure *why, json error)
{
	buf line = BUF_INIT(c->alloc, MCP_FRAME_MAX);

	buf_printf(
	    &line, "{\"jsonrpc\":\"2.0\",\"id\":%" PRIu64 ",\"error\":", id);
	if (error.len) {
		json_compact(&line, error);
	} else {
		buf_printf(&line, "{\"code\":%d,\"message\":", FAILED_CODE);
		json_string(&line, why->message);
		if (why->status)
			buf_printf(
			    &line, ",\"data\":{\"status\":%d}", why->status);
		buf_byte(&line, '}');
	}
	buf_str(&line, "}\n");
	if (line.bad || !frame_put(&c->frame, buf_view(&line)))
		machine_down(c, "out of memory");
	buf_fini(&line);
}

/* The probe failed. A server that cannot be reached, is broken or wants
 * a token is so for initialize too. */
static void
probe_failed(mcp_client *c, const mcp_failure *why, json error)
{
	const incoming m = {.rpc = {.kind = RPC_REPLY, .error = error}};
	bool refused = why->status >= 400 && why->status < 500 &&
		       why->status != 401 && why->status != 407 &&
		       why->status != 429;

	waitlist_drop(&c->waits, waitlist_by_kind(&c->waits, WAIT_DISCOVER));
	if (refused)
		handshake_discovered(c, &m);
	else
		machine_down(c, "%.*s", TEXT_ARG(why->message));
}

void
mcp_client_failed(mcp_client *c, uint64_t id, const mcp_failure *why)
{
	waiting *entry = waitlist_by_id(&c->waits, id);
	json error = error_in(why->body);

	if (!entry || entry->end != WAIT_OPEN || entry->asleep)
		return;
	if (entry->kind == WAIT_DISCOVER)
		probe_failed(c, why, error);
	else if (entry->kind == WAIT_LISTEN)
		list_listen_ended(c, entry,
		    why->status < 400 || why->status >= 500 ||
			why->status == 408 || why->status == 429);
	else
		put_reply(c, id, why, error);
}

void
mcp_client_again(mcp_client *c)
{
	if (c->era == ERA_LEGACY && c->phase == PHASE_UP)
		handshake_greet_again(c);
	else if (c->phase != PHASE_CLOSED && c->phase != PHASE_UP)
		machine_down(c, "it lost its session while it started");
}
