/* SPDX-License-Identifier: MIT */
/*
 * hear.c -- what a line of the server is, and what it leads to.
 *
 * Lines that are no message are counted and skipped: banners and logs on
 * stdout are common and no reason to lose a server. A message that is nearly
 * one (text that is not UTF-8, nesting that is too deep, a line too long to be
 * kept) still ends the call that it answers, with an error that says so.
 * Requests to us are all answered: ping by {}, everything else by a refusal.
 */
#include "machine.h"

#include <limits.h>

enum {
	CALM_MS =
	    200, /* a storm of list_changed is one event each this often */
	SAMPLE_LEN = 120
};

/* ----------------------------------------------------- a line is a message */

/* The start of what a line says, fit for a warning. */
static text
sample(text line, char *out)
{
	size_t i, len = line.len < SAMPLE_LEN ? line.len : SAMPLE_LEN;

	for (i = 0; i < len; i++)
		out[i] =
		    line.ptr[i] < ' ' || line.ptr[i] > '~' ? '?' : line.ptr[i];
	return (text){out, len};
}

static void
note_noise(mcp_client *c, text line)
{
	char clean[SAMPLE_LEN];

	/* Framed like a language server: it waits for such a header, too. */
	if (c->counts.noise++ == 0)
		machine_warn(c, "it writes to stdout what is no message: %.*s",
		    TEXT_ARG(sample(line, clean)));
}

/*
 * The JSON of a line. One that is JSON but for its UTF-8, or but for its
 * depth, is read all the same, so that the call that it answers can be told.
 */
static bool
read_json(mcp_client *c, text line, json *v)
{
	c->spoilt = NULL;
	if (json_check(line, MACHINE_DEPTH, v, NULL))
		return true;
	if (line.ptr[0] != '{' && line.ptr[0] != '[')
		return false;
	if (utf8_bad(line) != SIZE_MAX) {
		c->spoilt = "it is not valid UTF-8";
		frame_mend(&c->frame, line);
	} else {
		c->spoilt = "it is nested too deep";
	}
	return json_check(line, UINT_MAX, v, NULL);
}

/* Ends what waits for a line of which only the id can be read; false: it
 * cannot. */
static bool
end_named(mcp_client *c, text head, text tail, wait_end end)
{
	uint64_t id = rpc_number(rpc_id_in_ends(head, tail));
	waiting *entry = id ? waitlist_by_id(&c->waits, id) : NULL;

	if (id == 0 || id > c->waits.last_id)
		return false;
	if (!entry || entry->end != WAIT_OPEN)
		c->counts.late++;
	else if (entry->kind == WAIT_CALL)
		waitlist_end(&c->waits, entry, end);
	else
		machine_down(c, "its answer to %s is not JSON",
		    entry->kind == WAIT_LIST ? "tools/list" : "initialize");
	return true;
}

/* The one call that it answered fails; if that cannot be seen, any may be it. */
static void
drop_long_line(mcp_client *c, const frame_line *f)
{
	if (c->phase < PHASE_UP)
		machine_down(c, "it sent a message larger than %zu MiB",
		    c->frame.max >> 20);
	else if (!end_named(c, f->head, f->tail, WAIT_TOO_LONG))
		call_end_all(c, WAIT_TOO_LONG);
}

/* A line that is not JSON. */
static void
drop_bad_line(mcp_client *c, text line)
{
	text head = text_sub(line, 0, FRAME_EDGE);
	text tail = text_sub(
	    line, line.len > FRAME_EDGE ? line.len - FRAME_EDGE : 0, line.len);

	if (c->phase < PHASE_UP && frame_is_header(line))
		machine_down(c, "it frames its messages by Content-Length "
				"headers; MCP has one message a line");
	else if (line.ptr[0] != '{' || !end_named(c, head, tail, WAIT_BROKEN))
		note_noise(c, line);
}

/* Makes what is left of a list of messages the next one of them. */
static bool
from_batch(mcp_client *c, incoming *m)
{
	json v;

	if (!json_next(&c->batch, NULL, &v))
		return false;
	*m = (incoming){rpc_read(v), v.len, c->spoilt};
	if (m->rpc.kind == RPC_NONE)
		note_noise(c, v);
	return true;
}

static void
from_line(mcp_client *c, text line, incoming *m)
{
	json v;

	if (!read_json(c, line, &v)) {
		drop_bad_line(c, line);
		return;
	}
	if (json_kind_of(v) == JSON_ARRAY) {
		c->batch = json_each(v);
		return;
	}
	*m = (incoming){rpc_read(v), line.len, c->spoilt};
	if (m->rpc.kind == RPC_NONE)
		note_noise(c, line);
}

bool
hear_next(mcp_client *c, incoming *m)
{
	frame_line f;

	*m = (incoming){.rpc = {.kind = RPC_NONE}};
	if (from_batch(c, m))
		return true;
	if (c->handed.len) {
		const text line = c->handed;

		c->handed = TEXT_NONE;
		from_line(c, line, m);
		return true;
	}
	f = frame_next(&c->frame);
	if (f.kind == FRAME_TOO_LONG)
		drop_long_line(c, &f);
	else if (f.kind == FRAME_LINE)
		from_line(c, f.line, m);
	return f.kind != FRAME_NONE;
}

/* ------------------------------------------------- what a message leads to */

static void
deal_request(mcp_client *c, const rpc_message *m)
{
	bool ping = json_is(m->method, TEXT("ping"));
	cm_status r =
	    ping ? talk_pong(c, m->id) : talk_refuse(c, m->id, m->method);

	if (r != CM_OK)
		c->counts.unsent++;
	if (!ping && c->counts.requests++ == 0)
		machine_warn(c, "it asks for %.*s, which is not offered",
		    TEXT_ARG(text_sub(m->method, 0, 100)));
}

static void
deal_notification(mcp_client *c, const rpc_message *m)
{
	if (c->phase != PHASE_UP || c->changed_at != UINT64_MAX)
		return;
	if (json_is(m->method, TEXT("notifications/tools/list_changed")))
		c->changed_at = c->now_ms > UINT64_MAX - CALM_MS
				    ? UINT64_MAX - 1
				    : c->now_ms + CALM_MS;
}

/* A reply that no call waits for. */
static void
drop_reply(mcp_client *c, const rpc_message *m, uint64_t id)
{
	char clean[SAMPLE_LEN];

	if (id && id <= c->waits.last_id) {
		if (c->counts.late++ == 0)
			machine_warn(c, "it answered a call that was over "
					"already; the answer is dropped");
		return;
	}
	if (c->counts.stray++ == 0)
		machine_warn(c,
		    "it answered id %.*s, which was never asked: "
		    "%.*s",
		    TEXT_ARG(
			m->id.len ? text_sub(m->id, 0, 50) : TEXT("(none)")),
		    TEXT_ARG(
			sample(m->error.len ? m->error : m->result, clean)));
}

static bool
deal_reply(mcp_client *c, const incoming *m, mcp_event *out)
{
	uint64_t id = rpc_number(m->rpc.id);
	waiting *entry = id ? waitlist_by_id(&c->waits, id) : NULL;
	wait_kind kind;

	if (!entry || entry->end != WAIT_OPEN) {
		drop_reply(c, &m->rpc, id);
		return false;
	}
	kind = entry->kind;
	if (kind == WAIT_CALL) {
		call_reply(c, entry, m, out);
		return true;
	}
	waitlist_drop(&c->waits, entry);
	if (kind == WAIT_LIST)
		return handshake_list(c, m, out);
	handshake_greeting(c, m);
	return false;
}

bool
hear_deal(mcp_client *c, const incoming *m, mcp_event *out)
{
	switch (m->rpc.kind) {
	case RPC_REQUEST:
		deal_request(c, &m->rpc);
		return false;
	case RPC_NOTIFICATION:
		deal_notification(c, &m->rpc);
		return false;
	case RPC_REPLY:
		return deal_reply(c, m, out);
	case RPC_NONE:
		break;
	}
	return false;
}
