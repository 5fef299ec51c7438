/* SPDX-License-Identifier: MIT */
/*
 * http_answer.c -- what the reply to a request is, and what that leads to.
 *
 * A request ends when the machine has the reply to it. What ends before that is
 * sent again when the server asks for that (it lost the session, it wants a
 * token or time, it ended a stream that can be resumed), and fails otherwise.
 */
#include "http_exchange.h"

#include "common/monotonic.h"

#include <strings.h>

enum {
	CHALLENGES_MAX = 5,
	DELAYS_MAX = 5,
	DELAY_MAX_MS = 60000, /* a longer one is not waited for */
	DELAY_MS = 1000,      /* when the server names none */
	RESUMES_MAX = 5,
	RESUME_MS = 1000,
	LINGER_MS = 2000 /* a stream may stay open behind its reply */
};

static bool
is_request(const exchange *e)
{
	return e->kind == EXCHANGE_LINE && e->what.kind == MCP_LINE_REQUEST;
}

static bool
reply_is_awaited(const exchange *e)
{
	return is_request(e) && mcp_client_waits(e->l->client, e->what.id);
}

static void
fail_with_status(exchange *e, int status)
{
	buf url = BUF_INIT(NULL, 4096);

	http_printable(e->l->server->url, &url);
	exchange_fail(e, status, buf_view(&e->body), "HTTP %d from %.*s",
	    status, TEXT_ARG(buf_view(&url)));
	buf_fini(&url);
}

/* ------------------------------------------------------------- the headers */

static bool
is_content_type(text head, const char *type)
{
	buf value = BUF_INIT(NULL, 1024);
	text t = http_header(head, "Content-Type", &value);
	size_t end = text_find(t, TEXT(";"), 0);
	bool same;

	t = text_trim(text_sub(t, 0, end));
	same = t.len == strlen(type) && strncasecmp(t.ptr, type, t.len) == 0;
	buf_fini(&value);
	return same;
}

static bool
has_content_type(text head)
{
	buf value = BUF_INIT(NULL, 1024);
	bool has = http_header(head, "Content-Type", &value).len > 0;

	buf_fini(&value);
	return has;
}

static reply_form
form_of_reply(const http_reply *r)
{
	if (r->status >= 300)
		return REPLY_ERROR;
	if (r->status == 202 || r->status == 204)
		return REPLY_NONE;
	if (is_content_type(r->head, "text/event-stream"))
		return REPLY_SSE;
	if (is_content_type(r->head, "application/json") ||
	    !has_content_type(r->head))
		return REPLY_JSON;
	return REPLY_ODD;
}

static void
fail_for_type(exchange *e, const http_reply *r)
{
	buf value = BUF_INIT(NULL, 1024);
	text type = http_header(r->head, "Content-Type", &value);

	exchange_fail(e, r->status, TEXT_NONE,
	    "its reply is of type %.*s rather than a message",
	    TEXT_ARG(text_head(type, 100)));
	buf_fini(&value);
}

static void
note_session(exchange *e, text head)
{
	buf value = BUF_INIT(NULL, 8192);

	http_session_begin(e->l, http_header(head, "MCP-Session-Id", &value));
	buf_fini(&value);
}

static void
note_nonce(exchange *e, text head)
{
	buf value = BUF_INIT(NULL, 8192);

	credentials_set_nonce(
	    e->l->token, http_header(head, "DPoP-Nonce", &value));
	buf_fini(&value);
}

static void
on_reply_head(void *ctx, const http_reply *r)
{
	exchange *e = ctx;

	exchange_hold(e);
	note_nonce(e, r->head);
	e->form = form_of_reply(r);
	if (r->status < 300 && text_eq(e->what.method, TEXT("initialize")) &&
	    !e->resuming)
		note_session(e, r->head);
	if (e->kind == EXCHANGE_STREAM)
		stream_head(e);
	else if (e->form == REPLY_ODD && e->l->way == WAY_OLD)
		e->form = REPLY_NONE; /* "Accepted": the stream has the reply */
	else if (e->form == REPLY_ODD)
		fail_for_type(e, r);
	exchange_release(e);
}

/* ---------------------------------------------------------------- the body */

/* Does the server say that it notifies, or did we say that we answer requests?
 * Otherwise nothing would come by a stream of its own messages. */
static void
note_greeting(const exchange *e, json greeting)
{
	json can = json_path(greeting, "result", "capabilities", NULL);
	json offered =
	    json_path(buf_view(&e->line), "params", "capabilities", NULL);
	json of;
	json_iter it = json_each(can);
	bool speaks =
	    json_len(offered) > 0 || json_get(can, TEXT("logging")).len > 0;

	while (json_next(&it, NULL, &of))
		speaks |= json_bool(json_get(of, TEXT("listChanged")), false);
	e->l->asked = json_len(offered) > 0;
	e->l->listens = speaks || e->l->asked;
}

static void
hand_over(exchange *e, char *message, size_t len)
{
	http_session *l = e->l;
	json greeting;

	if (text_eq(e->what.method, TEXT("initialize")) &&
	    json_check((text){message, len}, JSON_DEPTH, &greeting, NULL))
		note_greeting(e, greeting);
	l->link.hooks->message(l->link.ctx, message, len);
	if (e->dropped || !is_request(e) || e->answered || reply_is_awaited(e))
		return;
	e->answered = true;
	if (e->form == REPLY_SSE) {
		e->due = monotonic_ms() + LINGER_MS;
		http_session_turn(l);
	}
}

static void
take_event(exchange *e, const sse_event *event)
{
	e->heard++;
	if (event->bad == CM_ELIMIT && is_request(e))
		exchange_fail(e, 0, TEXT_NONE,
		    "it sent a message larger than %zu MiB",
		    MCP_FRAME_MAX >> 20);
	else if (event->bad != CM_OK)
		return;
	else if (text_eq(event->type, TEXT("message")))
		hand_over(e, event->data, event->len);
	else if (e->kind == EXCHANGE_STREAM)
		stream_event(e, event);
}

static void
read_events(exchange *e, text bytes)
{
	size_t id = e->events.last_id.len;
	sse_event event;

	while (!e->dropped && sse_next(&e->events, &bytes, &event))
		take_event(e, &event);
	if (e->heard > 0 || e->events.last_id.len != id)
		e->resumes = 0;
}

static void
on_reply_body(void *ctx, const char *bytes, size_t n)
{
	exchange *e = ctx;

	exchange_hold(e);
	if (e->form == REPLY_SSE)
		read_events(e, (text){bytes, n});
	else if (e->form == REPLY_JSON)
		buf_add(&e->body, bytes, n);
	else if (e->form == REPLY_ERROR)
		buf_text(&e->body, text_sub((text){bytes, n}, 0,
				       EXCHANGE_ERROR_MAX - e->body.len));
	if (!e->dropped && e->body.bad == CM_ELIMIT)
		exchange_fail(e, 0, TEXT_NONE,
		    "it sent a message larger than %zu MiB",
		    MCP_FRAME_MAX >> 20);
	else if (!e->dropped && e->body.bad != CM_OK)
		exchange_fail(e, 0, TEXT_NONE, "out of memory");
	exchange_release(e);
}

/* --------------------------------------------------------- it is sent again */

/* The server refused the token, or wants one. */
static bool
renew_token(exchange *e, const http_reply *r)
{
	buf value = BUF_INIT(NULL, 64 << 10);
	text want = http_header(r->head, "WWW-Authenticate", &value);
	bool renew =
	    r->status == 401 ||
	    (r->status == 403 &&
		text_find(want, TEXT("insufficient_scope"), 0) != SIZE_MAX);

	if (renew && e->challenges++ >= CHALLENGES_MAX)
		renew = false;
	else if (renew &&
		 text_find(want, TEXT("use_dpop_nonce"), 0) != SIZE_MAX)
		exchange_later(e, 0); /* the proof needs the new nonce */
	else if (renew) {
		e->state = EXCHANGE_WAIT_TOKEN;
		credentials_challenged(e->l->token, buf_view(&e->token),
		    r->status, want, &e->wait);
	}
	buf_fini(&value);
	return renew;
}

/* Some servers say 400, and that there is no such session. */
static bool
find_session_lost(exchange *e, const http_reply *r)
{
	text said = buf_view(&e->body);
	bool lost = r->status == 404 ||
		    (r->status == 400 &&
			(text_find(said, TEXT("session"), 0) != SIZE_MAX ||
			    text_find(said, TEXT("Session"), 0) != SIZE_MAX));

	return lost && http_session_lost(e->l, e);
}

static bool
wait_as_told(exchange *e, const http_reply *r)
{
	uint64_t ms = DELAY_MS;
	bool told = http_retry_after(r->head, &ms);
	bool wait = r->status == 429 || (r->status == 503 && told);

	if (!told)
		ms = DELAY_MS;
	wait = wait && ms <= DELAY_MAX_MS && e->delays++ < DELAYS_MAX;
	if (wait)
		exchange_later(e, ms);
	return wait;
}

/* A server of the first revision: its stream names where lines go. */
static bool
try_old_way(exchange *e, int status)
{
	if (!text_eq(e->what.method, TEXT("initialize")) ||
	    e->l->way != WAY_STREAMABLE || e->l->sessions > 0 ||
	    (status != 400 && status != 404 && status != 405))
		return false;
	stream_ask_old(e->l, e, status);
	return true;
}

/* The stream ended before the reply. */
static bool
resume_stream(exchange *e)
{
	uint64_t ms = RESUME_MS;

	if (!is_request(e) || e->events.last_id.len == 0 ||
	    mcp_client_era(e->l->client) == ERA_MODERN ||
	    e->resumes++ == RESUMES_MAX)
		return false;
	if (e->events.retry_ms != UINT64_MAX)
		ms = e->events.retry_ms;
	e->resuming = true;
	exchange_later(e, ms);
	return true;
}

/* -------------------------------------------------------------- its end */

static bool
is_sent_again(exchange *e, const http_reply *r)
{
	return renew_token(e, r) || find_session_lost(e, r) ||
	       wait_as_told(e, r) || try_old_way(e, r->status);
}

static void
end_error(exchange *e, const http_reply *r)
{
	if (!e->resuming && is_sent_again(e, r))
		return;
	if (e->resuming)
		exchange_fail(e, 0, TEXT_NONE,
		    "the stream of its reply broke off, and is not "
		    "resumed (HTTP %d)",
		    r->status);
	else
		fail_with_status(e, r->status);
}

static void
end_stream(exchange *e, const http_reply *r)
{
	if (!reply_is_awaited(e))
		exchange_drop(e);
	else if (resume_stream(e))
		return;
	else if (r->error != HTTP_DONE)
		exchange_fail(e, 0, TEXT_NONE, "%.*s", TEXT_ARG(r->words));
	else
		exchange_fail(e, 0, TEXT_NONE,
		    "the stream of its reply ended before the reply");
}

static void
end_reply(exchange *e)
{
	if (e->form == REPLY_JSON && text_trim(buf_view(&e->body)).len > 0)
		hand_over(e, e->body.ptr, e->body.len);
	if (e->dropped)
		return;
	if (text_eq(e->what.method, TEXT("notifications/initialized")))
		http_session_greeted(e->l);
	if (reply_is_awaited(e) && e->l->way != WAY_OLD)
		exchange_fail(e, 0, TEXT_NONE,
		    e->body.len > 0 ? "its reply answers another request"
				    : "it took the request and sent no reply");
	else
		exchange_drop(e);
}

static void
end_post(exchange *e, const http_reply *r)
{
	if (e->form == REPLY_SSE)
		end_stream(e, r);
	else if (r->error == HTTP_REDIRECT)
		exchange_fail(e, 0, TEXT_NONE,
		    "%.*s: its configuration must name the URL that is meant",
		    TEXT_ARG(r->words));
	else if (r->error != HTTP_DONE)
		exchange_fail(e, 0, TEXT_NONE, "%.*s", TEXT_ARG(r->words));
	else if (r->status >= 300)
		end_error(e, r);
	else
		end_reply(e);
}

static void
on_reply_done(void *ctx, const http_reply *r)
{
	exchange *e = ctx;

	e->request = NULL;
	e->due = UINT64_MAX;
	exchange_hold(e);
	if (e->kind == EXCHANGE_STREAM)
		stream_done(e, r);
	else if (e->kind == EXCHANGE_BYE)
		exchange_drop(e);
	else
		end_post(e, r);
	exchange_release(e);
}

const http_hooks exchange_hooks = {
    .head = on_reply_head,
    .body = on_reply_body,
    .done = on_reply_done,
};
