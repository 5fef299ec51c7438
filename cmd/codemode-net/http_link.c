/* SPDX-License-Identifier: MIT */
/*
 * http_link.c -- the link: lines in, its session, its end.
 *
 * All that is done because of time, or because something else was done, is done
 * in one function that the loop calls: 'on_turn'.
 */
#include "http_link.h"

#include "common/monotonic.h"
#include "http_exchange.h"

#include <stdio.h>
#include <stdlib.h>

enum { SESSION_ID_MAX = 4096, ENDPOINT_MAX = 64 << 10 };

static const text initialize = TEXT_INIT("initialize");
static const text initialized = TEXT_INIT("notifications/initialized");
static const text cancelled = TEXT_INIT("notifications/cancelled");

/* ------------------------------------------------------------------- turns */

static bool
may_send(const http_session *l, const exchange *e)
{
	if (e->state != EXCHANGE_QUEUED)
		return false;
	if (e->kind != EXCHANGE_LINE)
		return true;
	if (l->way == WAY_ASK_OLD || l->stream_by > monotonic_ms())
		return false;
	return !l->greeting || text_eq(e->what.method, initialize) ||
	       text_eq(e->what.method, initialized);
}

static bool
wake_due(http_session *l)
{
	uint64_t now = monotonic_ms();
	exchange *e;

	for (e = l->first; e; e = e->next) {
		if (e->due > now)
			continue;
		e->due = UINT64_MAX;
		if (e->state == EXCHANGE_LATER)
			e->state = EXCHANGE_QUEUED;
		else if (e->kind == EXCHANGE_STREAM)
			stream_late(e);
		else
			exchange_drop(e);
		return true;
	}
	return false;
}

/* One at a time: what is sent may fail, which leads anywhere. */
static bool
send_next(http_session *l)
{
	exchange *e;

	for (e = l->first; e; e = e->next) {
		if (may_send(l, e)) {
			exchange_send(e);
			return true;
		}
	}
	return false;
}

/* The session is ended when all that was written is through. */
static void
end_http_session(http_session *l)
{
	if (l->first)
		return;
	if (l->session.len > 0 && exchange_new(l, EXCHANGE_BYE, TEXT_NONE)) {
		send_next(l);
		buf_clear(&l->session);
	} else {
		http_session_end(l, TEXT_NONE);
	}
}

static void on_turn(uv_timer_t *timer);

static void
set_turn(http_session *l)
{
	uint64_t now = monotonic_ms(), due = UINT64_MAX;
	exchange *e;

	if (l->stream_by > now)
		due = l->stream_by;
	if (uv_is_closing((uv_handle_t *)&l->timer))
		return;
	for (e = l->first; e; e = e->next)
		due = e->due < due ? e->due : due;
	if (due == UINT64_MAX)
		uv_timer_stop(&l->timer);
	else
		uv_timer_start(
		    &l->timer, on_turn, due > now ? due - now : 0, 0);
}

static void
on_turn(uv_timer_t *timer)
{
	http_session *l = timer->data;

	while (!l->over && (wake_due(l) || send_next(l)))
		;
	if (uv_is_closing((uv_handle_t *)timer))
		return;
	if (l->hang_up && !l->over)
		end_http_session(l);
	if (l->over) {
		l->link.ended = true;
		l->link.hooks->ended(l->link.ctx);
		return;
	}
	set_turn(l);
	if (l->full && l->count < EXCHANGES_MAX) {
		l->full = false;
		l->link.hooks->writable(l->link.ctx);
	}
}

void
http_session_turn(http_session *l)
{
	if (l->link.ended || uv_is_closing((uv_handle_t *)&l->timer))
		return;
	uv_update_time(l->loop);
	uv_timer_start(&l->timer, on_turn, 0, 0);
}

/* ----------------------------------------------------------- the session */

void
http_session_begin(http_session *l, text id)
{
	buf_clear(&l->session);
	buf_text(&l->session, id);
	if (id.len > 0)
		l->sessions++;
}

void
http_session_greeted(http_session *l)
{
	if (!l->greeting)
		return;
	l->greeting = false;
	if (l->way == WAY_STREAMABLE && l->listens && !l->hang_up)
		stream_open(l);
	http_session_turn(l);
}

static void
drop_kind(http_session *l, exchange_kind kind)
{
	exchange *e = l->first;

	while (e) {
		exchange *next = e->next;

		if (e->kind == kind)
			exchange_drop(e);
		e = next;
	}
}

bool
http_session_lost(http_session *l, exchange *e)
{
	if (e->session == 0 || e->greeted_again || l->hang_up)
		return false;
	e->greeted_again = true;
	e->state = EXCHANGE_QUEUED;
	http_session_turn(l);
	if (e->session == l->sessions && l->session.len > 0) {
		buf_clear(&l->session);
		l->greeting = true;
		drop_kind(l, EXCHANGE_STREAM);
		l->link.hooks->session_lost(l->link.ctx);
	}
	return true;
}

/* -------------------------------------------------------------------- lines */

/* Requests whose reply the machine no longer wants. Of the legacy era: the
 * server is told by a notification, and its stream may stay open. */
static void
drop_unwanted(http_session *l)
{
	exchange *e = l->first;

	while (e) {
		exchange *next = e->next;

		if (e->kind == EXCHANGE_LINE &&
		    e->what.kind == MCP_LINE_REQUEST && !e->answered &&
		    !mcp_client_waits(l->client, e->what.id))
			exchange_drop(e);
		e = next;
	}
}

static bool
take_line(http_session *l, text line)
{
	mcp_line what = mcp_client_line_kind(l->client, line);
	exchange *e;

	if (what.kind == MCP_LINE_CANCEL) {
		e = exchange_of_id(l, what.id);
		if (e)
			exchange_drop(e);
		return true;
	}
	if (text_eq(what.method, cancelled))
		drop_unwanted(l);
	if (l->count >= EXCHANGES_MAX) {
		l->full = true;
		return false;
	}
	if (!exchange_new(l, EXCHANGE_LINE, line)) {
		http_session_end(l, TEXT("out of memory"));
		return false;
	}
	if (text_eq(what.method, initialized))
		l->greeting = true;
	return true;
}

static size_t
write_lines(server_link *link, text bytes)
{
	http_session *l = (http_session *)link;
	size_t done = 0, end;

	while (!l->over && !l->hang_up && !l->link.ended) {
		end = text_find(bytes, TEXT("\n"), done);
		if (end == SIZE_MAX ||
		    !take_line(l, text_sub(bytes, done, end)))
			break;
		done = end + 1;
	}
	if (done > 0)
		http_session_turn(l);
	return done;
}

/* ------------------------------------------------------------------ the end */

void
http_session_end(http_session *l, text why)
{
	if (l->over)
		return;
	l->over = true;
	snprintf(l->why, sizeof(l->why), "%.*s", TEXT_ARG(why));
	http_session_turn(l);
}

static void
drop_all(http_session *l)
{
	while (l->first)
		exchange_drop(l->first);
}

/* Notifications that were written still go out, and the end of the session. */
static void
hang_up_session(server_link *link)
{
	http_session *l = (http_session *)link;
	exchange *e = l->first;

	if (l->hang_up)
		return;
	l->hang_up = true;
	while (e) {
		exchange *next = e->next;

		if (e->kind != EXCHANGE_LINE ||
		    e->what.kind == MCP_LINE_REQUEST ||
		    !(e->state == EXCHANGE_SENT || may_send(l, e)))
			exchange_drop(e);
		e = next;
	}
	http_session_turn(l);
}

static void
break_off_session(server_link *link)
{
	http_session *l = (http_session *)link;

	drop_all(l);
	http_session_end(l, TEXT_NONE);
}

static void
on_session_closed(uv_handle_t *timer)
{
	http_session *l = timer->data;

	l->link.hooks->closed(l->link.ctx);
}

static void
close_http_session(server_link *link)
{
	http_session *l = (http_session *)link;

	drop_all(l);
	credentials_free(l->token);
	l->token = NULL;
	http_release(l->h);
	uv_close((uv_handle_t *)&l->timer, on_session_closed);
}

static void
free_session(server_link *link)
{
	http_session *l = (http_session *)link;

	buf_fini(&l->session);
	buf_fini(&l->endpoint);
	free(l);
}

static size_t
no_last_words(const server_link *link, char *out, size_t n)
{
	(void)link, (void)out, (void)n;
	return 0;
}

static text
session_cause(const server_link *link, char *out, size_t n)
{
	const http_session *l = (const http_session *)link;

	snprintf(out, n, "%s", l->why[0] ? l->why : "its connection ended");
	return text_of(out);
}

static const link_ops http_ops = {
    .write = write_lines,
    .hang_up = hang_up_session,
    .term = break_off_session,
    .kill = break_off_session,
    .close = close_http_session,
    .free = free_session,
    .last_words = no_last_words,
    .cause = session_cause,
};

/* -------------------------------------------------------------------- start */

server_link *
http_link(uv_loop_t *loop, const link_hooks *hooks, void *ctx,
    const server_config *server, const mcp_client *client)
{
	http_session *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->h = http_hold(loop);
	if (l->h)
		l->token = credentials_new(loop, server);
	if (!l->token) {
		if (l->h)
			http_release(l->h);
		free(l);
		return NULL;
	}
	l->link.ops = &http_ops;
	l->link.hooks = hooks;
	l->link.ctx = ctx;
	l->loop = loop;
	l->server = server;
	l->client = client;
	l->session = BUF_INIT(NULL, SESSION_ID_MAX);
	l->endpoint = BUF_INIT(NULL, ENDPOINT_MAX);
	uv_timer_init(loop, &l->timer);
	l->timer.data = l;
	if (server->reach == REACH_SSE)
		stream_ask_old(l, NULL, 0);
	return &l->link;
}
