/* SPDX-License-Identifier: MIT */
/*
 * mcp_serve.c -- an MCP server: its outside.
 */
#include "rpc.h"
#include "serve_machine.h"

enum {
	OUT_MAX = 256 << 20, /* bytes waiting to be written */
	OFFER_MAX = 16 << 20
};

mcp_server *
mcp_server_new(const mcp_server_options *opts)
{
	mcp_server *s = mem_new(opts->alloc, sizeof(*s));

	if (!s)
		return NULL;
	s->alloc = opts->alloc;
	s->tool = opts->tool;
	s->capabilities = opts->capabilities.len > 0 ? opts->capabilities
						     : TEXT(MCP_CAPABILITIES);
	s->topics = opts->topics != 0 ? opts->topics : MCP_TOOLS;
	s->level = opts->level;
	s->others = opts->others;
	s->shared = opts->shared;
	s->random = opts->random;
	s->can = BUF_INIT(s->alloc, MCP_ASKED_MAX);
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
	mem_free(s->alloc, s->mark, s->mark_cap * sizeof(*s->mark));
	buf_fini(&s->can);
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

void
mcp_server_post(mcp_server *s, text message, uint32_t channel)
{
	must(channel != 0);
	s->posted = message;
	s->posted_channel = channel;
}

void
mcp_server_hang_up(mcp_server *s, uint32_t channel)
{
	for (size_t i = 0; i < s->len; i++) {
		if (s->open[i].from.channel != channel)
			continue;
		s->open[i].gone = true;
		s->some_gone = true;
	}
}

text
mcp_server_out(const mcp_server *s)
{
	return outbox_waiting(&s->out);
}

cm_status
serve_mark(mcp_server *s, size_t opened, uint32_t channel, bool answer)
{
	void *array = s->mark;
	size_t len = s->out.bytes.len - opened;

	if (len == 0)
		return CM_OK;
	if (!mem_grow(
		s->alloc, &array, &s->mark_cap, s->marks, sizeof(*s->mark))) {
		s->out.bytes.len = opened;
		return CM_ENOMEM;
	}
	s->mark = array;
	s->mark[s->marks++] = (line_mark){channel, answer, s->error, len};
	return CM_OK;
}

static void
unmark(mcp_server *s, size_t n)
{
	while (n > 0) {
		line_mark *m = &s->mark[s->marks_done];
		size_t part = n < m->len ? n : m->len;

		m->len -= part;
		n -= part;
		s->marks_done += m->len == 0;
	}
	if (s->marks_done == s->marks)
		s->marks = s->marks_done = 0;
}

void
mcp_server_sent(mcp_server *s, size_t n)
{
	outbox_sent(&s->out, n);
	unmark(s, n);
}

bool
mcp_server_line(const mcp_server *s, mcp_said *out)
{
	const line_mark *m = &s->mark[s->marks_done];

	if (s->marks_done == s->marks)
		return false;
	*out = (mcp_said){text_sub(outbox_waiting(&s->out), 0, m->len - 1),
	    m->channel, m->answer, m->error};
	return true;
}

/* -------------------------------------------------------- what was asked */

static bool
hear_text(mcp_server *s, text line, mcp_asked *out)
{
	json message;

	if (!json_check(line, JSON_DEPTH, &message, NULL)) {
		serve_hear_noise(s, TEXT_NONE,
		    frame_is_header(line)
			? "Parse error: MCP has one message a line, and no "
			  "Content-Length headers"
			: "Parse error: this is not JSON");
		return false;
	}
	if (json_kind_of(message) == JSON_ARRAY && s->batches &&
	    json_len(message) > 0) {
		serve_batch_begin(s, message);
		return false;
	}
	return serve_hear(s, message, out);
}

/* The next thing that was sent, whole; its kind is FRAME_NONE: nothing more. */
static frame_line
next_line(mcp_server *s)
{
	frame_line line = {.kind = FRAME_LINE, .line = s->posted};

	if (s->posted.len == 0)
		line = frame_next(&s->frame);
	s->posted = TEXT_NONE;
	s->to = (serve_where){s->posted_channel, 0};
	return line;
}

/* A request whose channel was closed is dropped; true: it becomes *out. */
static bool
drop_gone(mcp_server *s, mcp_asked *out)
{
	size_t i = 0;
	bool tell;

	while (i < s->len && !s->open[i].gone)
		i++;
	if (i == s->len) {
		s->some_gone = false;
		return false;
	}
	*out =
	    (mcp_asked){.kind = MCP_ASKED_STOP, .request = s->open[i].number};
	tell =
	    s->open[i].kind == REQUEST_CALL || s->open[i].kind == REQUEST_OTHER;
	serve_drop(s, &s->open[i]);
	return tell;
}

bool
mcp_server_next(mcp_server *s, mcp_asked *out)
{
	while (s->some_gone)
		if (drop_gone(s, out))
			return true;
	for (;;) {
		frame_line line;
		json message;

		if (serve_round_next(s, out))
			return true;
		if (serve_batch_next(s, &message)) {
			if (serve_hear(s, message, out))
				return true;
			continue;
		}
		line = next_line(s);
		if (line.kind == FRAME_NONE)
			break;
		if (line.kind == FRAME_TOO_LONG)
			serve_hear_noise(s,
			    rpc_id_in_ends(line.head, line.tail),
			    "Parse error: the request is larger than 16 MiB");
		else if (hear_text(s, line.line, out))
			return true;
	}
	s->posted_channel = 0;
	s->to = (serve_where){0, 0};
	return false;
}

/* A token may be a string or a number. */
static json
progress_token(const asking *a)
{
	json token = json_get(a->meta, TEXT("progressToken"));
	json_kind kind = json_kind_of(token);

	return kind == JSON_STRING || kind == JSON_NUMBER ? token : TEXT_NONE;
}

request *
serve_open(mcp_server *s, const asking *a, request_kind kind)
{
	json level =
	    json_get(a->meta, TEXT("io.modelcontextprotocol/logLevel"));
	json token = progress_token(a);
	size_t words_len = a->id.len + token.len;
	void *array = s->open;
	request *r;
	char *words;

	if (s->len == SERVE_OPEN_MAX) {
		serve_say_error(s, a->id, SERVE_BUSY,
		    TEXT("Too many requests wait for an answer"));
		return NULL;
	}
	words = mem_new(s->alloc, words_len);
	if (!words ||
	    !mem_grow(s->alloc, &array, &s->cap, s->len, sizeof(*s->open))) {
		mem_free(s->alloc, words, words_len);
		serve_say_error(s, a->id, SERVE_BROKEN, TEXT("Out of memory"));
		return NULL;
	}
	memcpy(words, a->id.ptr, a->id.len);
	if (token.len > 0)
		memcpy(words + a->id.len, token.ptr, token.len);
	s->open = array;
	r = &s->open[s->len++];
	*r = (request){.number = ++s->last,
	    .from = s->to,
	    .kind = kind,
	    .modern = a->modern,
	    .level = serve_level(level),
	    .progress = -1,
	    .words = words,
	    .id_len = a->id.len,
	    .token_len = token.len};
	serve_batch_opened(s, r->from.batch);
	return r;
}

void
serve_drop(mcp_server *s, request *r)
{
	uint32_t from = r->from.batch;

	mem_free(s->alloc, r->words, r->id_len + r->token_len);
	serve_round_free(s, r->round);
	s->len--;
	memmove(r, r + 1, (size_t)(s->open + s->len - r) * sizeof(*r));
	serve_batch_closed(s, from);
}

json
serve_id(const request *r)
{
	return (json){r->words, r->id_len};
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
		if (is_same_id(s, id, serve_id(&s->open[i])))
			return &s->open[i];
	return NULL;
}

request *
serve_numbered(mcp_server *s, uint32_t number)
{
	for (size_t i = 0; i < s->len; i++)
		if (s->open[i].number == number)
			return &s->open[i];
	return NULL;
}

/* ---------------------------------------------------------------- answers */

static void
answer_lists(mcp_server *s)
{
	for (size_t i = 0; i < s->len;) {
		request *r = &s->open[i];

		if (r->kind != REQUEST_LIST) {
			i++;
			continue;
		}
		s->to = r->from;
		serve_say_tools(s, serve_id(r), r->modern);
		serve_drop(s, r);
	}
	s->to = (serve_where){0, 0};
}

cm_status
mcp_server_offer(mcp_server *s, json tool)
{
	buf copy = BUF_INIT(s->alloc, OFFER_MAX);
	bool changed = s->offer.len > 0 && !text_eq(buf_view(&s->offer), tool);

	buf_text(&copy, tool);
	if (copy.bad != CM_OK) {
		cm_status bad = copy.bad;

		buf_fini(&copy);
		return bad;
	}
	buf_fini(&s->offer);
	s->offer = copy;
	answer_lists(s);
	if (changed)
		mcp_server_changed(s, MCP_TOOLS);
	return CM_OK;
}

/* Finds a request that is to be answered now; NULL: it is not waited for. */
static request *
begin_answer(mcp_server *s, uint32_t number)
{
	request *r = serve_numbered(s, number);

	if (r == NULL || r->gone || r->kind == REQUEST_LIST)
		return NULL;
	s->to = r->from;
	return r;
}

static cm_status
end_answer(mcp_server *s, request *r, cm_status said)
{
	if (said != CM_OK)
		serve_say_error(s, serve_id(r), SERVE_BROKEN,
		    TEXT("There is no room for the answer"));
	s->to = (serve_where){0, 0};
	serve_drop(s, r);
	return said;
}

/* more: further members, or missing. */
static cm_status
answer_content(mcp_server *s, uint32_t number, json content, text more)
{
	request *r = begin_answer(s, number);
	buf members = BUF_INIT(s->alloc, OUT_MAX);
	cm_status said;

	if (r == NULL)
		return CM_ENOCALL;
	if (!serve_is_parked(r))
		return end_answer(s, r,
		    serve_say_content(
			s, serve_id(r), r->modern, content, more));
	buf_str(&members, "\"content\":");
	buf_text(&members, content);
	buf_str(&members, more.len > 0 ? "," : "");
	buf_text(&members, more);
	said = serve_round_keep(s, r, buf_view(&members));
	buf_fini(&members);
	return said;
}

cm_status
mcp_server_answer(mcp_server *s, uint32_t number, json content, bool failed)
{
	return answer_content(
	    s, number, content, failed ? TEXT("\"isError\":true") : TEXT_NONE);
}

cm_status
mcp_server_answer_object(
    mcp_server *s, uint32_t number, json content, json object)
{
	buf more = BUF_INIT(s->alloc, OUT_MAX);
	cm_status said;

	buf_str(&more, "\"structuredContent\":");
	buf_text(&more, object);
	said = more.bad;
	if (said == CM_OK)
		said = answer_content(s, number, content, buf_view(&more));
	else if (begin_answer(s, number) != NULL)
		end_answer(s, serve_numbered(s, number), said);
	buf_fini(&more);
	return said;
}

cm_status
mcp_server_reply(mcp_server *s, uint32_t number, text members)
{
	request *r = begin_answer(s, number);

	if (r == NULL)
		return CM_ENOCALL;
	if (serve_is_parked(r))
		return serve_round_keep(s, r, members);
	return end_answer(
	    s, r, serve_say_members(s, serve_id(r), r->modern, members));
}

cm_status
mcp_server_refuse(
    mcp_server *s, uint32_t number, int code, text message, json data)
{
	request *r = begin_answer(s, number);

	if (r == NULL)
		return CM_ENOCALL;
	if (serve_is_parked(r)) { /* it has its answer; the next is an error */
		serve_drop(s, r);
		return CM_ENOCALL;
	}
	return end_answer(
	    s, r, serve_say_refusal(s, serve_id(r), code, message, data));
}

mcp_lacks
mcp_server_lacks(const mcp_server *s)
{
	return (mcp_lacks){s->no_audio, s->no_links};
}

size_t
mcp_server_pending(const mcp_server *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->len; i++)
		n += s->open[i].kind != REQUEST_LISTEN &&
		     !serve_is_parked(&s->open[i]);
	return n;
}

size_t
mcp_server_waits(const mcp_server *s, uint32_t channel)
{
	size_t n = 0;

	for (size_t i = 0; i < s->len; i++)
		n += s->open[i].from.channel == channel && !s->open[i].gone;
	return n;
}
