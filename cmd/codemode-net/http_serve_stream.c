/* SPDX-License-Identifier: MIT */
/* http_serve_stream.c -- see http_serve_stream.h. */
#include "http_serve_stream.h"

#include "common/monotonic.h"

#include "mcp/serve_http.h"

enum {
	UNREAD_MAX = 8 << 20,  /* no notifications beyond it */
	REPLAY_MAX = 4 << 20,  /* bytes of a stream that can be resumed */
	REPLAY_MS = 120 * 1000 /* so long after its connection broke */
};

stream *
stream_new(visit *v, uint32_t channel, const char *session, bool resumable)
{
	stream *st = mem_new(NULL, sizeof(*st));
	const char *accept = visit_header(v, "Accept");
	const char *version = visit_header(v, "MCP-Protocol-Version");

	if (st == NULL)
		return NULL;
	*st = (stream){.session = session,
	    .visit = v,
	    .channel = channel,
	    .resumable = resumable,
	    .primes = resumable && version != NULL &&
		      strcmp(version, "2025-11-25") >= 0,
	    .replay = BUF_INIT(NULL, REPLAY_MAX),
	    .takes_events =
		serve_http_accepts(accept, TEXT("text/event-stream")),
	    .takes_json = serve_http_accepts(accept, TEXT("application/json")),
	    .last_ms = monotonic_ms()};
	v->owner = st;
	return st;
}

void
stream_free(stream *st)
{
	if (st->visit != NULL)
		st->visit->owner = NULL;
	buf_fini(&st->replay);
	mem_free(NULL, st, sizeof(*st));
}

/* ---------------------------------------------------------------- writing */

static void
session_header(const stream *st, door_header headers[REPLY_HEADERS])
{
	headers[4] = (door_header){
	    "Mcp-Session-Id", st->session[0] != '\0' ? st->session : NULL};
	headers[5] = (door_header){NULL, NULL};
}

static void
begin_stream(stream *st)
{
	door_header headers[REPLY_HEADERS];

	if (st->begun)
		return;
	st->begun = true;
	http_serve_headers(st->visit, headers);
	headers[3].value = NULL;
	session_header(st, headers);
	visit_stream(st->visit, headers);
}

/* Sends it, or keeps it until the client comes back. */
static void
write_to_stream(stream *st, text bytes)
{
	st->last_ms = monotonic_ms();
	if (st->resumable)
		buf_text(&st->replay, bytes);
	if (st->visit != NULL)
		visit_write(st->visit, bytes);
}

/* Ids tell streams and their events apart: "3-1". */
static void
write_id(stream *st)
{
	buf id = BUF_INIT(NULL, 64);

	if (!st->resumable)
		return;
	buf_printf(&id, "id: %u-%u\n", st->channel, ++st->events);
	write_to_stream(st, buf_view(&id));
	buf_fini(&id);
}

static void
begin_events(stream *st)
{
	if (st->begun)
		return;
	begin_stream(st);
	if (!st->primes)
		return;
	write_id(st);
	write_to_stream(st, TEXT("data:\n\n"));
}

static void
write_event(stream *st, text line)
{
	begin_events(st);
	write_id(st);
	write_to_stream(st, TEXT("event: message\ndata: "));
	write_to_stream(st, line);
	write_to_stream(st, TEXT("\n\n"));
}

static void
reply_json(stream *st, const mcp_said *said)
{
	door_header headers[REPLY_HEADERS];
	unsigned status = serve_http_status(said->error, st->modern);

	http_serve_headers(st->visit, headers);
	session_header(st, headers);
	visit_reply(st->visit, status != 0 ? status : 200, said->line, headers);
	st->answered = true;
}

static size_t
unsent_of(const stream *st)
{
	return st->visit != NULL ? visit_unsent(st->visit) : st->replay.len;
}

void
stream_say(stream *st, const mcp_said *said, bool last)
{
	if (said->answer && last && !st->begun &&
	    (st->takes_json || !st->takes_events))
		reply_json(st, said);
	else if (st->takes_events &&
		 (said->answer || unsent_of(st) < UNREAD_MAX))
		write_event(st, said->line);
}

static void
reply_nothing(stream *st)
{
	door_header headers[REPLY_HEADERS];

	http_serve_headers(st->visit, headers);
	headers[3].value = NULL;
	visit_reply(st->visit, 202, TEXT_NONE, headers);
}

void
stream_finish(stream *st)
{
	if (st->answered)
		return;
	st->answered = true;
	if (st->visit != NULL && st->begun)
		visit_end(st->visit);
	else if (st->visit != NULL)
		reply_nothing(st);
}

void
stream_beat(stream *st)
{
	if (!st->takes_events || st->visit == NULL || st->answered ||
	    unsent_of(st) > 0)
		return;
	begin_events(st);
	visit_write(st->visit, TEXT(":\n\n"));
	st->last_ms = monotonic_ms();
}

void
stream_cut(stream *st)
{
	if (st->visit == NULL || st->answered)
		return;
	if (st->begun)
		visit_end(st->visit);
	else
		http_serve_refuse(
		    st->visit, 404, "Session not found", NULL, NULL);
}

/* --------------------------------------------------------------- resuming */

bool
stream_can_resume(const stream *st)
{
	return st->replay.len > 0 && st->replay.bad == CM_OK;
}

void
stream_break(stream *st)
{
	st->visit = NULL;
	st->last_ms = monotonic_ms();
}

/* What stands behind that event; all of it when there is no such event. */
static text
replay_after(const stream *st, const char *id)
{
	text all = buf_view(&st->replay);
	char line[64];
	size_t at;

	snprintf(line, sizeof(line), "id: %.40s\n", id);
	at = text_find(all, text_of(line), 0);
	if (at == SIZE_MAX)
		return all;
	at = text_find(all, TEXT("\n\n"), at);
	return text_sub(all, at + 2, all.len);
}

void
stream_resume(stream *st, visit *v, const char *id)
{
	if (st->visit != NULL) {
		visit_end(st->visit);
		st->visit->owner = NULL;
	}
	st->visit = v;
	st->begun = false;
	v->owner = st;
	begin_stream(st);
	visit_write(v, replay_after(st, id));
	if (st->answered)
		visit_end(v);
}

bool
stream_is_stale(const stream *st, uint64_t now_ms)
{
	return st->visit == NULL && st->answered &&
	       now_ms - st->last_ms >= REPLAY_MS;
}
