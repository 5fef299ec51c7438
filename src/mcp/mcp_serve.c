/* SPDX-License-Identifier: MIT */
/*
 * mcp_serve.c -- an MCP server of one tool: its outside.
 */
#include "rpc.h"
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
	s->out = OUTBOX_INIT(s->alloc, OUT_MAX);
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
	serve_batch_fini(s);
	outbox_fini(&s->out);
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
	return outbox_waiting(&s->out);
}

void
mcp_server_sent(mcp_server *s, size_t n)
{
	outbox_sent(&s->out, n);
}

/* -------------------------------------------------------- what was asked */

static bool
hear_line(mcp_server *s, const frame_line *f, mcp_asked *out)
{
	json message;

	if (f->kind == FRAME_TOO_LONG) {
		serve_hear_noise(s, rpc_id_in_ends(f->head, f->tail),
		    "Parse error: the request is larger than 16 MiB");
		return false;
	}
	if (!json_check(f->line, JSON_DEPTH, &message, NULL)) {
		serve_hear_noise(s, TEXT_NONE,
		    frame_is_header(f->line)
			? "Parse error: MCP has one message a line, and no "
			  "Content-Length headers"
			: "Parse error: the line is not JSON");
		return false;
	}
	if (json_kind_of(message) == JSON_ARRAY && s->batches &&
	    json_len(message) > 0) {
		serve_batch_begin(s, message);
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

		if (serve_batch_next(s, &message)) {
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
	*r = (request){++s->last, s->speaking, listing, modern, copy, id.len};
	serve_batch_opened(s, r->batch);
	return r;
}

void
serve_drop(mcp_server *s, request *r)
{
	uint32_t from = r->batch;

	mem_free(s->alloc, r->id, r->id_len);
	s->len--;
	memmove(r, r + 1, (size_t)(s->open + s->len - r) * sizeof(*r));
	serve_batch_closed(s, from);
}

static json
request_id(const request *r)
{
	return (json){r->id, r->id_len};
}

/* "1" and 1 are two ids; "a" and "\u0061" are one. */
static bool
is_same_id(mcp_server *s, json a, json b)
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
		if (is_same_id(s, id, request_id(&s->open[i])))
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
		s->speaking = r->batch;
		serve_say_tools(s, request_id(r), r->modern);
		serve_drop(s, r);
	}
	s->speaking = 0;
	return CM_OK;
}

static request *
request_numbered(mcp_server *s, uint32_t number)
{
	for (size_t i = 0; i < s->len; i++)
		if (s->open[i].number == number)
			return &s->open[i];
	return NULL;
}

cm_status
mcp_server_answer(mcp_server *s, uint32_t number, json content, bool failed)
{
	request *r = request_numbered(s, number);
	cm_status status;

	if (!r || r->listing)
		return CM_ENOCALL;
	s->speaking = r->batch;
	status =
	    serve_say_content(s, request_id(r), r->modern, content, failed);
	if (status != CM_OK)
		serve_say_error(s, request_id(r), SERVE_BROKEN,
		    TEXT("There is no room for the answer"));
	s->speaking = 0;
	serve_drop(s, r);
	return status;
}

mcp_lacks
mcp_server_lacks(const mcp_server *s)
{
	return (mcp_lacks){s->no_audio, s->no_links};
}

size_t
mcp_server_pending(const mcp_server *s)
{
	return s->len;
}
