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
#include "value.h"

#include <stdarg.h>
#include <stdio.h>

enum {
	STARTUP_MS = 30000,
	CALL_MS = 300000,
	OUT_RESERVE = 1 << 20,
	WHY_MAX = 64 << 10,
	LISTEN_MS = 1000,  /* until the first try to listen again */
	IGNORE_MS = 60000, /* for replies that are of no use */
	LINE_LEN = 500     /* of a warning */
};

/* -------------------------------------------------- making and freeing */

static uint64_t
or_default(uint64_t value, uint64_t otherwise)
{
	return value ? value : otherwise;
}

uint64_t
machine_later(const mcp_client *c, uint64_t ms)
{
	return ms > UINT64_MAX - c->now_ms ? UINT64_MAX : c->now_ms + ms;
}

static void
take_options(mcp_client *c, const mcp_client_options *o)
{
	c->now_ms = o->now_ms;
	c->startup_ms = or_default(o->startup_ms, STARTUP_MS);
	c->call_ms = or_default(o->call_ms, CALL_MS);
	c->call_max_ms = o->call_max_ms;
	c->known = o->era;
	c->over_http = o->over_http;
	c->offers = o->offers;
	c->log_level = o->log_level;
	c->parent = o->parent;
	c->parent_ctx = o->parent_ctx;
	/* Numbers of questions are those of this client alone. */
	c->last_asked = o->now_ms << 16;
}

/* A life of the server begins. */
static void
begin_life(mcp_client *c)
{
	c->start_by = machine_later(c, c->startup_ms);
	c->changed_at = UINT64_MAX;
	c->ping_at = UINT64_MAX;
	c->silent = false;
	c->listen_ms = LISTEN_MS;
	c->revision = TEXT_NONE;
	handshake_begin(c);
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
	take_options(c, o);
	frame_init(&c->frame, c->alloc, MCP_FRAME_MAX);
	waitlist_init(&c->waits, c->alloc);
	tools_init(&c->tools, c->alloc);
	tools_init(&c->fetched, c->alloc);
	c->out = OUTBOX_INIT(c->alloc, MCP_OUT_MAX + OUT_RESERVE);
	c->scratch = BUF_INIT(c->alloc, 2 * MCP_FRAME_MAX);
	c->words = BUF_INIT(c->alloc, 2 * (size_t)WHY_MAX);
	c->why = BUF_INIT(c->alloc, WHY_MAX);
	c->notes = BUF_INIT(c->alloc, MACHINE_NOTES_MAX);
	c->about = BUF_INIT(c->alloc, MCP_FRAME_MAX);
	c->program = BUF_INIT(c->alloc, MCP_FRAME_MAX);
	begin_life(c);
	return c;
}

void
mcp_client_free(mcp_client *c)
{
	if (!c)
		return;
	frame_fini(&c->frame);
	waitlist_fini(&c->waits);
	asked_drop_all(c);
	tools_fini(&c->tools);
	tools_fini(&c->fetched);
	outbox_fini(&c->out);
	buf_fini(&c->scratch);
	buf_fini(&c->words);
	buf_fini(&c->why);
	buf_fini(&c->notes);
	buf_fini(&c->about);
	buf_fini(&c->program);
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
	/* A server that ends by the probe is not asked by it again. */
	if (c->phase == PHASE_PROBING && !c->over_http)
		c->known = ERA_LEGACY;
	c->phase = PHASE_CLOSED;
	c->changed_at = UINT64_MAX;
	c->ping_at = UINT64_MAX;
	c->silent = false;
	c->batch = (json_iter){0};
	c->handed = TEXT_NONE;
	asked_drop_all(c);
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

uint64_t
machine_expect(mcp_client *c, wait_kind kind, uint64_t deadline)
{
	const waiting w = {
	    .kind = kind, .tool = MAP_NONE, .deadline = deadline};
	waiting *entry = waitlist_add(&c->waits, &w);

	return entry ? entry->id : 0;
}

uint64_t
machine_expect_nothing(mcp_client *c)
{
	return machine_expect(c, WAIT_IGNORED, machine_later(c, IGNORE_MS));
}

void
machine_ignore(mcp_client *c, waiting *entry)
{
	entry->kind = WAIT_IGNORED;
	entry->deadline = machine_later(c, IGNORE_MS);
	if (entry->deadline < c->waits.deadline)
		c->waits.deadline = entry->deadline;
}

text
machine_complaint(mcp_client *c, const incoming *m)
{
	mcp_answer a;

	if (m->rpc.broken)
		return text_of(m->rpc.broken);
	if (value_of_error(m->rpc.error, &c->scratch, &a) != CM_OK)
		return TEXT("out of memory");
	return a.message;
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
	c->base = line;
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

static void
listen_again(mcp_client *c, waiting *entry)
{
	entry = waitlist_renew(&c->waits, entry);
	machine_sent(c, talk_listen(c, entry->id));
}

/* Its deadline, or its time to wake, came. */
static void
on_waiting_due(mcp_client *c, waiting *entry)
{
	switch (entry->kind) {
	case WAIT_CALL:
		call_due(c, entry);
		break;
	case WAIT_LISTEN:
		listen_again(c, entry);
		break;
	case WAIT_LIST:
		list_cut(c, "no answer came in time");
		break;
	case WAIT_DISCOVER: /* its answer still counts when it comes */
		entry->deadline = UINT64_MAX;
		handshake_discovered(c, NULL);
		break;
	case WAIT_GREETING:
		machine_down(c, "it lost its session, and does not answer "
				"initialize");
		break;
	case WAIT_PING:
		ping_unanswered(c, entry);
		break;
	case WAIT_IGNORED:
		waitlist_drop(&c->waits, entry);
		break;
	}
}

void
mcp_client_tick(mcp_client *c, uint64_t now_ms)
{
	waiting *entry;

	if (now_ms > c->now_ms)
		c->now_ms = now_ms;
	while (c->phase != PHASE_CLOSED &&
	       (entry = waitlist_due(&c->waits, c->now_ms)) != NULL)
		on_waiting_due(c, entry);
	if (c->phase < PHASE_UP && !c->list_ready && c->now_ms >= c->start_by)
		handshake_late(c);
	if (c->phase == PHASE_UP && c->now_ms >= c->changed_at)
		list_begin(c);
	if (c->phase == PHASE_UP && c->now_ms >= c->ping_at)
		ping_due(c);
}

static uint64_t
sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t
mcp_client_deadline(const mcp_client *c)
{
	uint64_t first = sooner(c->waits.deadline, c->changed_at);

	if (c->phase == PHASE_CLOSED)
		return c->told && !c->waits.over ? UINT64_MAX : c->now_ms;
	if (c->waits.over || c->notes.len || c->list_ready)
		return c->now_ms;
	if (c->phase < PHASE_UP)
		return sooner(first, c->start_by);
	return c->waits.len ? sooner(first, c->ping_at) : first;
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
		if (list_take(c, out) || take_note(c, out) ||
		    call_next_over(c, out))
			return true;
		if (c->phase == PHASE_CLOSED)
			return take_end(c, out);
		if (asked_take(c, out))
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
	return c->known;
}

text
mcp_client_program(const mcp_client *c)
{
	return buf_view(&c->program);
}

text
mcp_client_revision(const mcp_client *c)
{
	return c->revision;
}

text
mcp_client_instructions(const mcp_client *c)
{
	return buf_view(&c->about);
}

void
mcp_client_offer(mcp_client *c, unsigned offers)
{
	c->offers = offers;
}
