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

#include <inttypes.h>
#include <limits.h>

enum {
	SAMPLE_LEN = 120,
	NEAR_LEN = 30,  /* of a broken line, shown in the error of its call */
	SALVAGE_MAX = 8 /* places of a line at which a message is looked for */
};

static const char no_message[] = "what is no message";

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

/* One notice for the first line, and with their number when they are many. */
static void
note_noise(mcp_client *c, text line, const char *what)
{
	uint64_t n = ++c->counts.noise;
	char clean[SAMPLE_LEN];

	if (n == 1)
		machine_warn(c, "it writes to stdout %s: %.*s", what,
		    TEXT_ARG(sample(line, clean)));
	else if (n == 1000 || n == 1000000)
		machine_warn(c,
		    "it wrote %" PRIu64 " lines to stdout that are no message",
		    n);
}

/* Makes a line valid UTF-8, ? for each byte that is not. */
static void
mend_line(mcp_client *c, text line)
{
	char *p = c->base + (line.ptr - c->base);
	size_t bad;

	while ((bad = utf8_bad(line)) != SIZE_MAX) {
		p[bad] = '?';
		p += bad + 1;
		line = text_sub(line, bad + 1, line.len);
	}
}

/*
 * The JSON of a line. One that is JSON but for its UTF-8, or but for its
 * depth, is read all the same, so that the call that it answers can be told.
 */
static bool
read_json(mcp_client *c, text line, json *v, json_fault *fault)
{
	c->spoilt = NULL;
	if (json_check(line, MACHINE_DEPTH, v, fault))
		return true;
	if (line.ptr[0] != '{' && line.ptr[0] != '[')
		return false;
	if (utf8_bad(line) != SIZE_MAX) {
		c->spoilt = "it is not valid UTF-8";
		mend_line(c, line);
	} else {
		c->spoilt = "it is nested too deep";
	}
	return json_check(line, UINT_MAX, v, NULL);
}

/* ------------------------------------------------------ lines that are none */

/* What is wrong with the text of a line, for the error of its call. */
typedef struct broken_line {
	text line; /* or its head */
	text tail; /* when the line is not there whole */
	bool too_long;
	json_fault fault;
} broken_line;

static void
refuse_broken(mcp_client *c, waiting *entry, const broken_line *b)
{
	char clean[SAMPLE_LEN];
	size_t at = b->fault.at;
	text near = text_sub(b->line, at, at + NEAR_LEN);

	if (b->too_long)
		waitlist_end(&c->waits, entry, WAIT_TOO_LONG);
	else
		call_refuse(c, entry,
		    "The server's reply is broken: it is not JSON: %s (byte "
		    "%zu: %.*s)",
		    b->fault.why, at, TEXT_ARG(sample(near, clean)));
}

/* Ends the request that a broken line answers. */
static void
end_by_broken_line(mcp_client *c, waiting *entry, const broken_line *b)
{
	switch (entry->kind) {
	case WAIT_CALL:
		refuse_broken(c, entry, b);
		break;
	case WAIT_DISCOVER:
		waitlist_drop(&c->waits, entry);
		handshake_discovered(c, NULL);
		break;
	case WAIT_GREETING:
		machine_down(c, "its answer to initialize is not JSON");
		break;
	case WAIT_LIST:
		list_cut(c, "an answer to tools/list is not JSON");
		break;
	case WAIT_LISTEN:
		list_listen_ended(c, entry, false);
		break;
	case WAIT_PING:
	case WAIT_IGNORED:
		waitlist_drop(&c->waits, entry);
		break;
	}
}

/* The one call that waits for a reply; NULL: there is none, or several, or, if
 * `alone` is asked for, another request that waits for one. */
static waiting *
only_call(mcp_client *c, bool alone)
{
	waiting *only = NULL;
	size_t i;

	for (i = 0; i < c->waits.len; i++) {
		waiting *entry = &c->waits.at[i];

		if (entry->kind == WAIT_IGNORED || entry->kind == WAIT_PING ||
		    entry->asleep || entry->end != WAIT_OPEN)
			continue;
		if (entry->kind != WAIT_CALL && !alone)
			continue;
		if (only || entry->kind != WAIT_CALL)
			return NULL;
		only = entry;
	}
	return only;
}

/* Ends what waits for a line of which only the id can be read, or that no
 * other call can wait for; false: it may be any. */
static bool
end_named(mcp_client *c, const broken_line *b)
{
	text head = text_sub(b->line, 0, FRAME_EDGE);
	uint64_t id = rpc_number(rpc_id_in_ends(head, b->tail));
	waiting *entry = id ? waitlist_by_id(&c->waits, id) : NULL;

	if (id == 0 && text_find(head, TEXT("jsonrpc"), 0) != SIZE_MAX)
		entry = only_call(c, true);
	if (entry && entry->end == WAIT_OPEN && !entry->asleep)
		end_by_broken_line(c, entry, b);
	else if (id == 0 || id > c->waits.last_id)
		return false;
	else
		c->counts.late++;
	return true;
}

/* The one call that it answered fails; if that cannot be seen, any may be it. */
static void
drop_long_line(mcp_client *c, const frame_line *f)
{
	const broken_line b = {f->head, f->tail, true, {0, ""}};

	if (c->phase < PHASE_UP)
		machine_down(c, "it sent a message larger than %zu MiB",
		    c->frame.max >> 20);
	else if (!end_named(c, &b))
		call_end_all(c, WAIT_TOO_LONG);
}

/* A line that holds no message. */
static void
drop_bad_line(mcp_client *c, text line, const json_fault *fault)
{
	const broken_line b = {line,
	    text_sub(line, line.len > FRAME_EDGE ? line.len - FRAME_EDGE : 0,
		line.len),
	    false, *fault};

	/* Framed like a language server: it waits for such a header, too. */
	if (c->phase < PHASE_UP && frame_is_header(line))
		machine_down(c, "it frames its messages by Content-Length "
				"headers; MCP has one message a line");
	else if (!end_named(c, &b))
		note_noise(c, line, no_message);
}

/* Is this, at the start of its line or not, a message to us? Behind other text
 * only a reply: that may be a log of what was sent. */
static bool
is_message(json v, bool first)
{
	rpc_kind kind = rpc_read(v).kind;

	return kind == RPC_REPLY || (first && kind != RPC_NONE);
}

/* A message in a line that holds other text too, before it or behind it. What
 * is behind it is read next. */
static bool
salvage(mcp_client *c, text line, json *v)
{
	size_t at = text_find(line, TEXT("{\"jsonrpc\""), 0);
	int tries = 0;

	for (; at != SIZE_MAX && tries < SALVAGE_MAX; tries++) {
		text t = text_sub(line, at, line.len);
		json_fault fault = {t.len, ""};

		if ((json_check(t, MACHINE_DEPTH, v, &fault) ||
			json_check(text_sub(t, 0, fault.at), MACHINE_DEPTH, v,
			    NULL)) &&
		    is_message(*v, at == 0)) {
			t = text_trim(text_sub(t, fault.at, t.len));
			c->handed =
			    text_find(t, TEXT("{\"jsonrpc\""), 0) == SIZE_MAX
				? TEXT_NONE
				: t;
			return true;
		}
		at = text_find(line, TEXT("{\"jsonrpc\""), at + 1);
	}
	return false;
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
		note_noise(c, v, no_message);
	return true;
}

static void
from_line(mcp_client *c, text line, incoming *m)
{
	json_fault fault = {0, ""};
	json v;

	if (!read_json(c, line, &v, &fault)) {
		c->spoilt = NULL;
		if (!salvage(c, line, &v)) {
			drop_bad_line(c, line, &fault);
			return;
		}
		note_noise(c, line, "other text on the line of a message");
	}
	if (json_kind_of(v) == JSON_ARRAY) {
		c->batch = json_each(v);
		return;
	}
	*m = (incoming){rpc_read(v), line.len, c->spoilt};
	if (m->rpc.kind == RPC_NONE)
		note_noise(c, line, no_message);
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
	c->base = c->frame.in.ptr;
	if (f.kind == FRAME_TOO_LONG)
		drop_long_line(c, &f);
	else if (f.kind == FRAME_LINE)
		from_line(c, f.line, m);
	return f.kind != FRAME_NONE;
}

/* ------------------------------------------------- what a message leads to */

/* The call that a request of the server belongs to, if that is sure: no list
 * needs to ask anything. */
static uint32_t
call_of_request(mcp_client *c)
{
	waiting *entry = only_call(c, false);

	return entry ? entry->call : MCP_NO_CALL;
}

static void
deal_request(mcp_client *c, const rpc_message *m)
{
	if (json_is(m->method, TEXT("ping"))) {
		machine_sent(c, talk_answer(c, m->id, TEXT("{}"), TEXT_NONE));
		return;
	}
	if (asked_offered(c, m->method, m->params) &&
	    asked_add(
		c, call_of_request(c), false, m->id, m->method, m->params))
		return;
	machine_sent(c, talk_refuse(c, m->id, m->method));
	if (c->counts.requests++ == 0)
		machine_warn(c, "it asks for %.*s, which is not offered",
		    TEXT_ARG(text_sub(m->method, 0, 100)));
}

static bool
deal_log(mcp_client *c, json params, mcp_event *out)
{
	json level = json_get(params, TEXT("level"));
	json data = json_get(params, TEXT("data"));

	if (json_kind_of(level) != JSON_STRING)
		return false;
	buf_clear(&c->words);
	if (!json_unescape(data, &c->words))
		buf_text(&c->words, data);
	*out = (mcp_event){.kind = MCP_LOG,
	    .call = MCP_NO_CALL,
	    .level = text_sub(level, 1, level.len - 1),
	    .message = buf_view(&c->words)};
	return true;
}

/* The server takes back a request, or ends our listening. */
static void
deal_cancelled(mcp_client *c, json params)
{
	json id = json_get(params, TEXT("requestId"));
	waiting *entry = waitlist_by_kind(&c->waits, WAIT_LISTEN);

	if (entry && entry->id == rpc_number(id))
		list_listen_ended(c, entry, true);
	else
		asked_drop_id(c, id);
}

static bool
deal_notification(mcp_client *c, const rpc_message *m, mcp_event *out)
{
	if (json_is(m->method, TEXT("notifications/tools/list_changed")))
		list_changed(c);
	else if (json_is(m->method, TEXT("notifications/progress")))
		return call_progress(c, m->params, out);
	else if (json_is(m->method, TEXT("notifications/message")))
		return deal_log(c, m->params, out);
	else if (json_is(m->method, TEXT("notifications/cancelled")))
		deal_cancelled(c, m->params);
	else if (json_is(m->method,
		     TEXT("notifications/subscriptions/acknowledged")))
		list_heard(c);
	return false;
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

	if (!entry || entry->end != WAIT_OPEN || entry->asleep) {
		drop_reply(c, &m->rpc, id);
		return false;
	}
	kind = entry->kind;
	if (kind == WAIT_CALL)
		return call_reply(c, entry, m, out);
	if (kind == WAIT_LISTEN) {
		list_listen_ended(c, entry, m->rpc.error.len == 0);
		return false;
	}
	waitlist_drop(&c->waits, entry);
	if (kind == WAIT_LIST)
		list_page(c, m);
	else if (kind == WAIT_GREETING)
		handshake_greeting(c, m);
	else if (kind == WAIT_DISCOVER)
		handshake_discovered(c, m);
	return false;
}

bool
hear_deal(mcp_client *c, const incoming *m, mcp_event *out)
{
	if (m->rpc.kind != RPC_NONE)
		ping_heard(c);
	switch (m->rpc.kind) {
	case RPC_REQUEST:
		deal_request(c, &m->rpc);
		return false;
	case RPC_NOTIFICATION:
		return deal_notification(c, &m->rpc, out);
	case RPC_REPLY:
		return deal_reply(c, m, out);
	case RPC_NONE:
		break;
	}
	return false;
}
