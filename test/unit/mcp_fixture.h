/* SPDX-License-Identifier: MIT */
/*
 * mcp_fixture.h -- a client machine on a table: what it says is collected, what
 * it is told is a string, and the clock stands still until it is moved.
 */
#ifndef MCP_FIXTURE_H
#define MCP_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mcp/client.h"

#define GREETING                                                               \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"       \
	"\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{"      \
	"\"name\":\"fake\",\"version\":\"1\"}}}\n"

/* What happened, one line an event, in the words of the tests. */
typedef struct stage {
	mcp_client *c;
	buf said; /* everything that the machine ever sent */
	buf log;  /* "up", "3=VALUE", "3!MESSAGE MEMBERS", "?warning", ... */
} stage;

/* Copies bytes into the client; false: no memory. */
static inline bool
client_feed(mcp_client *c, const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len) {
		size_t n;
		char *room = mcp_client_room(c, &n);

		if (!room)
			return false;
		n = n < len ? n : len;
		memcpy(room, from, n);
		mcp_client_fed(c, n);
		from += n;
		len -= n;
	}
	return true;
}

static inline void
stage_turn(stage *s)
{
	mcp_event e;
	text out;

	while (mcp_client_next(s->c, &e)) {
		switch (e.kind) {
		case MCP_UP:
			buf_str(&s->log, "up\n");
			break;
		case MCP_CHANGED:
			buf_str(&s->log, "changed\n");
			break;
		case MCP_WARNING:
			buf_printf(&s->log, "?%.*s\n", TEXT_ARG(e.message));
			break;
		case MCP_DOWN:
			buf_printf(&s->log, "down %.*s\n", TEXT_ARG(e.message));
			break;
		case MCP_PROGRESS:
			buf_printf(&s->log, "%u %g/%g %.*s\n", e.call,
			    e.progress, e.total, TEXT_ARG(e.message));
			break;
		case MCP_LOG:
			buf_printf(&s->log, "log %.*s: %.*s\n",
			    TEXT_ARG(e.level), TEXT_ARG(e.message));
			break;
		case MCP_ASKED:
			buf_printf(&s->log, "asked %d %.*s %.*s\n",
			    (int)e.call, TEXT_ARG(e.method),
			    TEXT_ARG(e.params));
			break;
		case MCP_ANSWER:
			buf_printf(&s->log, "%u%s", e.call,
			    e.answer.ok ? "=" : "!");
			buf_text(&s->log,
			    e.answer.ok ? e.answer.value : e.answer.message);
			if (e.answer.members.len)
				buf_printf(&s->log, " %.*s",
				    TEXT_ARG(e.answer.members));
			buf_byte(&s->log, '\n');
			break;
		}
	}
	out = mcp_client_out(s->c);
	buf_text(&s->said, out);
	mcp_client_sent(s->c, out.len);
}

static inline void
stage_open(stage *s, const mcp_client_options *opts)
{
	static const mcp_client_options legacy = {.era = ERA_LEGACY};

	s->c = mcp_client_new(opts ? opts : &legacy);
	s->said = BUF_INIT(NULL, SIZE_MAX / 2);
	s->log = BUF_INIT(NULL, SIZE_MAX / 2);
	assert_non_null(s->c);
	stage_turn(s);
}

static inline void
stage_close(stage *s)
{
	mcp_client_free(s->c);
	buf_fini(&s->said);
	buf_fini(&s->log);
}

static inline void
stage_hear(stage *s, const char *bytes)
{
	assert_true(client_feed(s->c, bytes, strlen(bytes)));
	stage_turn(s);
}

static inline void
stage_tick(stage *s, uint64_t now)
{
	mcp_client_tick(s->c, now);
	stage_turn(s);
}

/* Up, with the tools "echo", and "shaped" which has an output schema. */
static inline void
stage_up(stage *s)
{
	stage_open(s, NULL);
	stage_hear(s, GREETING);
	stage_hear(s, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":["
		      "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}},"
		      "{\"name\":\"shaped\",\"inputSchema\":{\"type\":\"object\"},"
		      "\"outputSchema\":{\"type\":\"object\"}}]}}\n");
	assert_true(text_eq(buf_view(&s->log), TEXT("up\n")));
	buf_clear(&s->log);
	buf_clear(&s->said);
}

static inline void
stage_call(stage *s, uint32_t call, const char *tool, const char *args,
    uint64_t timeout)
{
	assert_int_equal(mcp_client_call(s->c, call, text_of(tool),
			     text_of(args), timeout),
	    CM_OK);
	stage_turn(s);
}

/* The log is exactly this; it is forgotten afterwards. */
static inline void
stage_expect(stage *s, const char *log)
{
	buf_byte(&s->log, '\0');
	assert_string_equal(s->log.ptr, log);
	buf_clear(&s->log);
}

static inline void
stage_said(stage *s, const char *bytes)
{
	buf_byte(&s->said, '\0');
	assert_string_equal(s->said.ptr, bytes);
	buf_clear(&s->said);
}

#endif
