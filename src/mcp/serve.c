/* SPDX-License-Identifier: MIT */
/*
 * serve.c -- an MCP server of one tool: its outside.
 */
#include "serve_machine.h"

enum {
	OUT_MAX = 256 << 20, /* bytes waiting to be written */
	OFFER_MAX = 1 << 20
};

mcp_server *
mcp_server_new(const mcp_server_options *opts)
{
	mcp_server *s = mem_new(opts->alloc, sizeof(*s));

	if (!s)
		return NULL;
	s->alloc = opts->alloc;
	s->tool = opts->tool;
	s->offer = BUF_INIT(s->alloc, OFFER_MAX);
	s->out = BUF_INIT(s->alloc, OUT_MAX);
	frame_init(&s->frame, s->alloc, MCP_ASKED_MAX);
	return s;
}

void
mcp_server_free(mcp_server *s)
{
	if (!s)
		return;
	while (s->len > 0)
		serve_drop(s, &s->open[s->len - 1]);
	mem_free(s->alloc, s->open, s->cap * sizeof(*s->open));
	frame_fini(&s->frame);
	buf_fini(&s->out);
	buf_fini(&s->offer);
	mem_free(s->alloc, s, sizeof(*s));
}

/* ------------------------------------------------------- bytes in and out */

char *
mcp_server_room(mcp_server *s, size_t *len)
{
	return frame_room(&s->frame, len);
}

void
mcp_server_fed(mcp_server *s, size_t n)
{
	frame_fed(&s->frame, n);
}

void
mcp_server_end(mcp_server *s)
{
	frame_end(&s->frame);
}

text
mcp_server_out(const mcp_server *s)
{
	return text_sub(buf_view(&s->out), s->out_at, s->out.len);
}

void
mcp_server_sent(mcp_server *s, size_t n)
{
	s->out_at += n;
	must(s->out_at <= s->out.len);
	if (s->out_at < s->out.len)
		return;
	buf_clear(&s->out);
	s->out_at = 0;
}

/* -------------------------------------------------------- what was asked */

static bool
hear_line(mcp_server *s, const frame_line *line, mcp_asked *out)
{
	json message;

	if (line->kind == FRAME_TOO_LONG) {
		serve_hear_noise(s, "Parse error: the line is too long");
		return false;
	}
	if (!json_check(line->line, JSON_DEPTH, &message, NULL)) {
		serve_hear_noise(s, "Parse error: the line is not JSON");
		return false;
	}
	if (json_kind_of(message) == JSON_ARRAY && s->batches &&
	    json_len(message) > 0) {
		s->batch = json_each(message);
		return false;
	}
	return serve_hear(s, message, out);
}

bool
mcp_server_next(mcp_server *s, mcp_asked *out)
{
	for (;;) {
		frame_line line;
		json message;

		if (json_next(&s->batch, NULL, &message)) {
			if (serve_hear(s, message, out))
				return true;
			continue;
		}
		line = frame_next(&s->frame);
		if (line.kind == FRAME_NONE)
			return false;
		if (hear_line(s, &line, out))
			return true;
	}
}

request *
serve_open(mcp_server *s, json id, bool listing, bool modern)
{
	void *array = s->open;
	request *r;
	char *copy;

	if (s->len == SERVE_OPEN_MAX) {
		serve_say_error(s, id, SERVE_BUSY,
		    TEXT("Too many requests wait for an answer"));
		return NULL;
	}
	copy = mem_new(s->alloc, id.len);
	if (!copy ||
	    !mem_grow(s->alloc, &array, &s->cap, s->len, sizeof(*s->open))) {
		mem_free(s->alloc, copy, id.len);
		serve_say_error(s, id, SERVE_BROKEN, TEXT("Out of memory"));
		return NULL;
	}
	memcpy(copy, id.ptr, id.len);
	s->open = array;
	r = &s->open[s->len++];
	*r = (request){++s->last, listing, modern, copy, id.len};
	return r;
}

void
serve_drop(mcp_server *s, request *r)
{
	mem_free(s->alloc, r->id, r->id_len);
	s->len--;
	memmove(r, r + 1, (size_t)(s->open + s->len - r) * sizeof(*r));
}

static json
id_of(const request *r)
{
	return (json){r->id, r->id_len};
}

/* "1" and 1 are two ids; "a" and "\u0061" are one. */
static bool
same_id(mcp_server *s, json a, json b)
{
	buf plain = BUF_INIT(s->alloc, MCP_ASKED_MAX);
	bool same = text_eq(a, b);

	if (!same && json_unescape(a, &plain))
		same = json_is(b, buf_view(&plain));
	buf_fini(&plain);
	return same;
}

request *
serve_called(mcp_server *s, json id)
{
	for (size_t i = 0; i < s->len; i++)
		if (same_id(s, id, id_of(&s->open[i])))
			return &s->open[i];
	return NULL;
}

/* ---------------------------------------------------------------- answers */

cm_status
mcp_server_offer(mcp_server *s, json tool)
{
	buf copy = BUF_INIT(s->alloc, OFFER_MAX);

	buf_text(&copy, tool);
	if (copy.bad != CM_OK) {
		cm_status bad = copy.bad;

		buf_fini(&copy);
		return bad;
	}
	buf_fini(&s->offer);
	s->offer = copy;
	for (size_t i = 0; i < s->len;) {
		request *r = &s->open[i];

		if (!r->listing) {
			i++;
			continue;
		}
		serve_say_tools(s, id_of(r), r->modern);
		serve_drop(s, r);
	}
	return CM_OK;
}

static request *
numbered(mcp_server *s, uint32_t number)
{
	for (size_t i = 0; i < s->len; i++)
		if (s->open[i].number == number)
			return &s->open[i];
	return NULL;
}

cm_status
mcp_server_answer(mcp_server *s, uint32_t number, json content, bool failed)
{
	request *r = numbered(s, number);
	cm_status status;

	if (!r || r->listing)
		return CM_ENOCALL;
	status = serve_say_content(s, id_of(r), r->modern, content, failed);
	if (status != CM_OK)
		serve_say_error(s, id_of(r), SERVE_BROKEN,
		    TEXT("There is no room for the answer"));
	serve_drop(s, r);
	return status;
}

size_t
mcp_server_pending(const mcp_server *s)
{
	return s->len;
}
