/* SPDX-License-Identifier: MIT */
/*
 * http_stream.c -- the streams that no line asked for.
 *
 * A legacy server may send requests and notifications of its own by a stream
 * that is asked for with GET. Most have none, in many ways; that breaks nothing.
 * A stream that ended is asked for again, later each time, until a message comes
 * by it.
 *
 * A server of the first revision sends everything by such a stream, which names
 * at its beginning where lines are to be sent.
 */
#include "http_exchange.h"

#include "common/monotonic.h"

enum {
	STREAM_FIRST_MS = 1000,
	STREAM_LAST_MS = 300000,
	STREAM_TRIES = 10,
	STREAM_STEADY_MS = 30000, /* one that held so long counts as none */
	STREAM_WAIT_MS = 1000,    /* for its headers */
	ENDPOINT_MS = 5000        /* for the event that names the endpoint */
};

void
stream_open(http_session *l)
{
	exchange *e;

	for (e = l->first; e; e = e->next)
		if (e->kind == EXCHANGE_STREAM)
			return;
	if (exchange_new(l, EXCHANGE_STREAM, TEXT_NONE) && l->asked)
		l->stream_by = monotonic_ms() + STREAM_WAIT_MS;
}

/* It is there, or will not be. */
static void
end_wait_for_stream(http_session *l)
{
	l->stream_by = 0;
	http_session_turn(l);
}

void
stream_ask_old(http_session *l, exchange *e, int status)
{
	l->way = WAY_ASK_OLD;
	l->greeted_by = e;
	l->first_status = status;
	if (e)
		e->state = EXCHANGE_QUEUED;
	if (!exchange_new(l, EXCHANGE_STREAM, TEXT_NONE))
		http_session_end(l, TEXT("out of memory"));
	http_session_turn(l);
}

/* The first error is the one that explains. */
static void
end_old_way(exchange *e, text words)
{
	http_session *l = e->l;
	exchange *greeting = l->greeted_by;
	buf url = BUF_INIT(NULL, 4096);

	exchange_drop(e);
	l->greeted_by = NULL;
	http_printable(l->server->url, &url);
	if (l->way == WAY_OLD || !greeting) {
		http_session_end(l, words);
	} else {
		l->way = WAY_STREAMABLE;
		exchange_fail(greeting, l->first_status,
		    buf_view(&greeting->body), "HTTP %d from %.*s",
		    l->first_status, TEXT_ARG(buf_view(&url)));
	}
	buf_fini(&url);
}

static void
try_again(exchange *e)
{
	uint64_t ms = (uint64_t)STREAM_FIRST_MS << e->resumes;

	if (e->resumes++ == STREAM_TRIES) {
		exchange_drop(e);
		return;
	}
	if (ms > STREAM_LAST_MS)
		ms = STREAM_LAST_MS;
	if (e->events.retry_ms != UINT64_MAX && e->events.retry_ms > ms)
		ms = e->events.retry_ms;
	exchange_later(e, ms);
}

void
stream_lost(exchange *e, text words)
{
	if (e->l->way == WAY_STREAMABLE)
		exchange_drop(e);
	else
		end_old_way(e, words);
}

void
stream_late(exchange *e)
{
	stream_lost(e, TEXT("its event stream names no endpoint"));
}

void
stream_head(exchange *e)
{
	end_wait_for_stream(e->l);
	if (e->form == REPLY_SSE && e->l->way == WAY_ASK_OLD) {
		e->due = monotonic_ms() + ENDPOINT_MS;
	} else if (e->form != REPLY_SSE && e->form != REPLY_ERROR) {
		stream_lost(e, TEXT("its URL gives no event stream"));
	}
}

void
stream_event(exchange *e, const sse_event *event)
{
	http_session *l = e->l;

	if (l->way != WAY_ASK_OLD || !text_eq(event->type, TEXT("endpoint")))
		return;
	buf_clear(&l->endpoint);
	if (!http_resolve(l->server->url, (text){event->data, event->len},
		&l->endpoint)) {
		stream_lost(e, TEXT("its event stream names no endpoint"));
		return;
	}
	buf_byte(&l->endpoint, '\0');
	if (l->endpoint.bad != CM_OK ||
	    !http_same_origin(l->server->url, l->endpoint.ptr)) {
		stream_lost(e, TEXT("its event stream names an endpoint of "
				    "another origin"));
		return;
	}
	l->way = WAY_OLD;
	l->greeted_by = NULL;
	e->due = UINT64_MAX;
	http_session_turn(l);
}

static void
end_old_stream(exchange *e, const http_reply *r)
{
	buf words = BUF_INIT(NULL, 4096);

	if (r->error != HTTP_DONE)
		buf_printf(
		    &words, "its event stream ended: %.*s", TEXT_ARG(r->words));
	else if (r->status >= 300)
		buf_printf(&words, "HTTP %d for its event stream", r->status);
	else
		buf_str(&words, "its event stream ended");
	end_old_way(e, buf_view(&words));
	buf_fini(&words);
}

void
stream_done(exchange *e, const http_reply *r)
{
	end_wait_for_stream(e->l);
	if (e->l->way != WAY_STREAMABLE)
		end_old_stream(e, r);
	else if (r->error == HTTP_REDIRECT ||
		 (r->error == HTTP_DONE && r->status >= 300 && r->status < 500))
		exchange_drop(e);
	else
		try_again(e);
}
