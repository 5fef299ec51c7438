/* SPDX-License-Identifier: MIT */
/* http_exchange.c -- one request: when it is sent, and again. */
#include "http_exchange.h"

#include "common/monotonic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { REQUEST_HEAD_MAX = 1 << 20, RETRY_MAX_MS = 3600 * 1000, BYE_MS = 1000 };

/* -------------------------------------------------------------------- life */

static void on_token(auth_wait *w, bool ok, text why);

static void
init_exchange(exchange *e, http_session *l, exchange_kind kind)
{
	e->l = l;
	e->kind = kind;
	e->due = UINT64_MAX;
	e->wait.done = on_token;
	e->wait.ctx = e;
	e->line = BUF_INIT(NULL, MCP_OUT_MAX + MCP_FRAME_MAX);
	e->token = BUF_INIT(NULL, REQUEST_HEAD_MAX);
	e->body = BUF_INIT(NULL, MCP_FRAME_MAX);
	sse_init(&e->events, NULL, MCP_FRAME_MAX);
}

static void
free_exchange(exchange *e)
{
	buf_fini(&e->line);
	buf_fini(&e->token);
	buf_fini(&e->body);
	sse_fini(&e->events);
	free(e);
}

static void
append_exchange(http_session *l, exchange *e)
{
	exchange **at = &l->first;

	while (*at)
		at = &(*at)->next;
	*at = e;
	l->count++;
}

exchange *
exchange_new(http_session *l, exchange_kind kind, text line)
{
	exchange *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	init_exchange(e, l, kind);
	buf_text(&e->line, line);
	if (e->line.bad != CM_OK) {
		free_exchange(e);
		return NULL;
	}
	if (kind == EXCHANGE_LINE)
		e->what = mcp_client_line_kind(l->client, buf_view(&e->line));
	append_exchange(l, e);
	return e;
}

static void
unlink_exchange(exchange *e)
{
	exchange **at = &e->l->first;

	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	e->l->count--;
}

void
exchange_drop(exchange *e)
{
	if (e->dropped)
		return;
	e->dropped = true;
	unlink_exchange(e);
	if (e->request)
		http_cancel(e->request);
	if (e->state == EXCHANGE_WAIT_TOKEN)
		credentials_leave(e->l->token, &e->wait);
	if (e->l->full || e->l->hang_up)
		http_session_turn(e->l);
	if (e->holds == 0)
		free_exchange(e);
}

void
exchange_hold(exchange *e)
{
	e->holds++;
}

void
exchange_release(exchange *e)
{
	if (--e->holds == 0 && e->dropped)
		free_exchange(e);
}

exchange *
exchange_of_id(http_session *l, uint64_t id)
{
	exchange *e;

	for (e = l->first; e; e = e->next)
		if (e->kind == EXCHANGE_LINE &&
		    e->what.kind == MCP_LINE_REQUEST && e->what.id == id)
			return e;
	return NULL;
}

void
exchange_later(exchange *e, uint64_t ms)
{
	e->state = EXCHANGE_LATER;
	e->due = monotonic_ms() + (ms < RETRY_MAX_MS ? ms : RETRY_MAX_MS);
	http_session_turn(e->l);
}

/* A notification that fails changes nothing, but the greeting must end. */
void
exchange_fail(exchange *e, int status, text body, const char *format, ...)
{
	http_session *l = e->l;
	buf words = BUF_INIT(NULL, 4096);
	char line[600];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	buf_utf8(&words, text_of(line), 600);
	exchange_hold(e);
	if (e->kind == EXCHANGE_STREAM) {
		stream_lost(e, buf_view(&words));
	} else if (e->kind == EXCHANGE_LINE &&
		   e->what.kind == MCP_LINE_REQUEST) {
		const mcp_failure why = {status, body, buf_view(&words)};

		l->link.hooks->request_failed(l->link.ctx, e->what.id, &why);
		exchange_drop(e);
	} else {
		if (text_eq(e->what.method, TEXT("notifications/initialized")))
			http_session_greeted(l);
		exchange_drop(e);
	}
	exchange_release(e);
	buf_fini(&words);
}

/* ------------------------------------------------------------------ headers */

static void
add_config_headers(const http_session *l, buf *out)
{
	char **h = l->server->headers;

	for (; h && *h; h++) {
		if (strpbrk(*h, "\r\n"))
			continue;
		buf_str(out, *h);
		buf_byte(out, '\n');
	}
}

static void
add_line_of(buf *out, const char *name, text value)
{
	if (value.len > 0)
		buf_printf(out, "%s: %.*s\n", name, TEXT_ARG(value));
}

static bool
is_post(const exchange *e)
{
	return e->kind == EXCHANGE_LINE && !e->resuming;
}

static const char *
http_method_of(const exchange *e)
{
	if (is_post(e))
		return "POST";
	return e->kind == EXCHANGE_BYE ? "DELETE" : "GET";
}

static void
make_headers(const exchange *e, text token, const char *url, buf *out)
{
	const http_session *l = e->l;

	if (is_post(e))
		buf_str(out, "Content-Type: application/json\n"
			     "Accept: application/json, text/event-stream\n");
	else if (e->kind != EXCHANGE_BYE)
		buf_str(out, "Accept: text/event-stream\n");
	mcp_client_headers(l->client, buf_view(&e->line), out);
	if (!text_eq(e->what.method, TEXT("initialize")))
		add_line_of(out, "MCP-Session-Id", buf_view(&l->session));
	if (!is_post(e))
		add_line_of(out, "Last-Event-ID", buf_view(&e->events.last_id));
	add_config_headers(l, out);
	if (token.len > 0)
		buf_printf(out, "%.*s\n", TEXT_ARG(token));
	credentials_add_proof(l->token, token, http_method_of(e), url, out);
}

/* ------------------------------------------------------------------ sending */

static void
post_exchange(exchange *e, text token)
{
	http_session *l = e->l;
	buf headers = BUF_INIT(NULL, REQUEST_HEAD_MAX);
	http_ask ask = {.method = http_method_of(e),
	    .url = l->way == WAY_OLD && is_post(e) ? l->endpoint.ptr
						   : l->server->url,
	    .follow = true};

	buf_clear(&e->token);
	buf_text(&e->token, token);
	make_headers(e, token, ask.url, &headers);
	ask.headers = buf_view(&headers);
	if (is_post(e))
		ask.body = buf_view(&e->line);
	buf_clear(&e->body);
	sse_restart(&e->events);
	e->heard = 0;
	e->form = REPLY_NONE;
	e->session = l->session.len > 0 ? l->sessions : 0;
	e->state = EXCHANGE_SENT;
	e->due = e->kind == EXCHANGE_BYE ? monotonic_ms() + BYE_MS : UINT64_MAX;
	if (headers.bad == CM_OK)
		e->request = http_start(l->h, &ask, &exchange_hooks, e);
	buf_fini(&headers);
	if (!e->request)
		exchange_fail(e, 0, TEXT_NONE, "out of memory");
}

void
exchange_send(exchange *e)
{
	text token;

	e->state = EXCHANGE_WAIT_TOKEN;
	if (credentials_header(e->l->token, &e->wait, &token))
		post_exchange(e, token);
}

static void
on_token(auth_wait *w, bool ok, text why)
{
	exchange *e = w->ctx;

	e->state = EXCHANGE_QUEUED;
	if (ok)
		http_session_turn(e->l);
	else
		exchange_fail(e, 401, TEXT_NONE, "%.*s", TEXT_ARG(why));
}
