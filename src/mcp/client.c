/* SPDX-License-Identifier: MIT */
/*
 * client.c -- the outside of the machine: bytes, time and events.
 *
 * Nothing is decided while bytes come in. mcp_client_next takes one line after
 * the other and stops at the first that is an event, so that its texts may be
 * spans of the buffer that the line stands in: the buffer does not move before
 * more bytes are let in.
 */
#include "machine.h"

#include <stdarg.h>
#include <stdio.h>

enum {
	STARTUP_MS = 30000,
	CALL_MS = 300000,
	OUT_RESERVE = 1 << 20,
	WHY_MAX = 64 << 10,
	LINE_LEN = 500 /* of a warning */
};

/* ------------------------------------------------------- birth and death */

static uint64_t
or_default(uint64_t value, uint64_t otherwise)
{
	return value ? value : otherwise;
}

mcp_client *
mcp_client_new(const mcp_client_options *opts)
{
	static const mcp_client_options defaults;
	const mcp_client_options *o = opts ? opts : &defaults;
	mcp_client *c = mem_new(o->alloc, sizeof(*c));

	if (!c)
		return NULL;
	c->alloc = o->alloc;
	c->now_ms = o->now_ms;
	c->startup_ms = or_default(o->startup_ms, STARTUP_MS);
	c->start_by = c->startup_ms > UINT64_MAX - c->now_ms
			  ? UINT64_MAX
			  : c->now_ms + c->startup_ms;
	c->call_ms = or_default(o->call_ms, CALL_MS);
	c->changed_at = UINT64_MAX;
	frame_init(&c->frame, c->alloc, MCP_FRAME_MAX);
	waitlist_init(&c->waits, c->alloc);
	tools_init(&c->tools, c->alloc);
	c->out = OUTBOX_INIT(c->alloc, MCP_OUT_MAX + OUT_RESERVE);
	c->scratch = BUF_INIT(c->alloc, 2 * MCP_FRAME_MAX);
	c->words = BUF_INIT(c->alloc, 2 * (size_t)WHY_MAX);
	c->why = BUF_INIT(c->alloc, WHY_MAX);
	c->notes = BUF_INIT(c->alloc, MACHINE_NOTES_MAX);
	handshake_begin(c);
	return c;
}

void
mcp_client_free(mcp_client *c)
{
	if (!c)
		return;
	frame_fini(&c->frame);
	waitlist_fini(&c->waits);
	tools_fini(&c->tools);
	outbox_fini(&c->out);
	buf_fini(&c->scratch);
	buf_fini(&c->words);
	buf_fini(&c->why);
	buf_fini(&c->notes);
	mem_free(c->alloc, c, sizeof(*c));
}

/* ------------------------------------------------- warnings and the end */

/* One line of valid text, whatever the arguments hold. */
static text
print_line(char *line, size_t size, const char *format, va_list args)
{
	int n = vsnprintf(line, size, format, args);
	size_t len = n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
	size_t i;

	for (i = 0; i < len; i++) {
		if ((unsigned char)line[i] < ' ')
			line[i] = ' ';
	}
	i = utf8_bad((text){line, len});
	return (text){line, i < len ? i : len};
}

void
machine_warn(mcp_client *c, const char *format, ...)
{
	char line[LINE_LEN];
	va_list args;
	text t;

	va_start(args, format);
	t = print_line(line, sizeof(line), format, args);
	va_end(args);
	if (t.len >= c->notes.max - c->notes.len)
		return;
	buf_text(&c->notes, t);
	buf_byte(&c->notes, '\n');
	c->notes.bad = CM_OK;
}

/* Everything is over now, for the reason in c->why. */
static void
end_now(mcp_client *c)
{
	c->phase = PHASE_CLOSED;
	c->changed_at = UINT64_MAX;
	c->batch = (json_iter){0};
	call_end_all(c, WAIT_CLOSED);
}

void
machine_down(mcp_client *c, const char *format, ...)
{
	char line[LINE_LEN];
	va_list args;

	if (c->phase == PHASE_CLOSED)
		return;
	va_start(args, format);
	buf_clear(&c->why);
	buf_text(&c->why, print_line(line, sizeof(line), format, args));
	va_end(args);
	end_now(c);
}

/* ----------------------------------------------------------- bytes in, out */

char *
mcp_client_room(mcp_client *c, size_t *len)
{
	must(c->batch.rest.len == 0);
	return frame_room(&c->frame, len);
}

void
mcp_client_fed(mcp_client *c, size_t n)
{
	frame_fed(&c->frame, n);
	if (c->phase == PHASE_CLOSED)
		frame_forget(&c->frame);
}

void
mcp_client_line(mcp_client *c, char *line, size_t len)
{
	must(c->handed.len == 0 && c->batch.rest.len == 0);
	c->handed = text_trim((text){line, len});
}

void
mcp_client_close(mcp_client *c, text why)
{
	if (c->phase == PHASE_CLOSED || c->ending)
		return;
	buf_clear(&c->why);
	buf_text(&c->why, text_sub(why, 0, WHY_MAX));
	c->ending = true;
	frame_end(&c->frame);
}

text
mcp_client_out(const mcp_client *c)
{
	return outbox_waiting(&c->out);
}

void
mcp_client_sent(mcp_client *c, size_t n)
{
	outbox_sent(&c->out, n);
}

/* ------------------------------------------------------------------ time */

void
mcp_client_tick(mcp_client *c, uint64_t now_ms)
{
	if (now_ms > c->now_ms)
		c->now_ms = now_ms;
	call_expire(c);
	if (c->phase < PHASE_UP && c->now_ms >= c->start_by)
		handshake_late(c);
}

uint64_t
mcp_client_deadline(const mcp_client *c)
{
	uint64_t first = c->waits.deadline;

	if (c->waits.over || c->notes.len ||
	    (c->phase == PHASE_CLOSED && !c->told))
		return c->now_ms;
	if (c->phase < PHASE_UP && c->start_by < first)
		first = c->start_by;
	return c->changed_at < first ? c->changed_at : first;
}

/* ---------------------------------------------------------------- events */

static bool
take_note(mcp_client *c, mcp_event *out)
{
	text all = buf_view(&c->notes), line;

	if (!text_line(&all, &line))
		return false;
	buf_clear(&c->words);
	buf_text(&c->words, line);
	buf_drop(&c->notes, line.len + 1);
	*out = (mcp_event){.kind = MCP_WARNING, .message = buf_view(&c->words)};
	return true;
}

static bool
take_change(mcp_client *c, mcp_event *out)
{
	if (c->now_ms < c->changed_at)
		return false;
	c->changed_at = UINT64_MAX;
	*out = (mcp_event){.kind = MCP_CHANGED};
	return true;
}

static bool
take_end(mcp_client *c, mcp_event *out)
{
	if (c->told)
		return false;
	c->told = true;
	*out = (mcp_event){.kind = MCP_DOWN, .message = buf_view(&c->why)};
	return true;
}

bool
mcp_client_next(mcp_client *c, mcp_event *out)
{
	incoming m;

	for (;;) {
		*out = (mcp_event){.kind = MCP_WARNING};
		if (take_note(c, out) || call_next_over(c, out))
			return true;
		if (c->phase == PHASE_CLOSED)
			return take_end(c, out);
		if (take_change(c, out))
			return true;
		if (hear_next(c, &m)) {
			if (hear_deal(c, &m, out))
				return true;
		} else if (c->ending) {
			end_now(c);
		} else {
			return false;
		}
	}
}

/* --------------------------------------------------------------- looking */

const mcp_tool *
mcp_client_tools(const mcp_client *c, size_t *n)
{
	if (n)
		*n = c->tools.len;
	return c->tools.tool;
}

mcp_era
mcp_client_era(const mcp_client *c)
{
	return c->phase == PHASE_UP ? ERA_LEGACY : ERA_FIND_OUT;
}

bool
mcp_client_has_resources(const mcp_client *c)
{
	(void)c;
	return false;
}

cm_status
mcp_client_read(mcp_client *c, uint32_t call, text uri, uint64_t timeout_ms)
{
	(void)uri;
	return mcp_client_call(
	    c, call, TEXT("readResource"), TEXT_NONE, timeout_ms);
}

void
mcp_client_answer(mcp_client *c, uint64_t asked, json result, json error)
{
	(void)c, (void)asked, (void)result, (void)error;
}

mcp_line
mcp_client_line_kind(const mcp_client *c, text line)
{
	mcp_line l = {MCP_LINE_RESPONSE, 0, TEXT_NONE};
	rpc_message m = rpc_read(json_trim(line));

	(void)c;
	if (m.kind != RPC_REPLY) {
		l.kind =
		    m.kind == RPC_REQUEST ? MCP_LINE_REQUEST : MCP_LINE_NOTICE;
		l.id = rpc_number(m.id);
		l.method = text_sub(m.method, 1, m.method.len - 1);
	}
	return l;
}

bool
mcp_client_waits(const mcp_client *c, uint64_t id)
{
	const waiting *entry = waitlist_by_id((waitlist *)&c->waits, id);

	return entry && entry->end == WAIT_OPEN;
}

void
mcp_client_headers(const mcp_client *c, text line, buf *out)
{
	(void)line;
	if (c->phase != PHASE_GREETING)
		buf_str(out, "MCP-Protocol-Version: 2025-06-18\n");
}

void
mcp_client_failed(mcp_client *c, uint64_t id, const mcp_failure *why)
{
	(void)id;
	machine_down(c, "%.*s", TEXT_ARG(why->message));
}

void
mcp_client_again(mcp_client *c)
{
	machine_down(c, "its session was lost");
}
