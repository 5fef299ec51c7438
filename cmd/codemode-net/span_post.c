/* SPDX-License-Identifier: MIT */
/* span_post.c -- spans to a collector: one POST at a time. */
#include "span_post.h"

#include "http.h"

enum { REPLY_BYTES = 64 << 10, POST_MS = 10000 };

struct span_sender {
	http *http;
	http_request *request; /* NULL: none is under way */
	buf url, headers;
	span_done *done;
	void *ctx;
};

static span_fate
fate_of(const http_reply *r)
{
	if (r->error == HTTP_REFUSED || r->error == HTTP_TLS)
		return SPAN_REFUSED;
	if (r->error != HTTP_DONE)
		return SPAN_LATER;
	if (r->status >= 200 && r->status < 300)
		return SPAN_TAKEN;
	return r->status == 429 || (r->status >= 502 && r->status <= 504)
		   ? SPAN_LATER
		   : SPAN_REFUSED;
}

static void
on_post_done(void *ctx, const http_reply *r)
{
	span_sender *s = ctx;
	buf why = BUF_INIT(NULL, 256);
	span_fate fate = fate_of(r);

	s->request = NULL;
	if (fate != SPAN_TAKEN && r->words.len > 0)
		buf_text(&why, text_head(r->words, 200));
	else if (fate != SPAN_TAKEN)
		buf_printf(&why, "the collector answered %d", r->status);
	s->done(s->ctx, fate, buf_view(&why));
	buf_fini(&why);
}

static span_sender *
open_post(uv_loop_t *loop, const char *url, text headers)
{
	span_sender *s = mem_new(NULL, sizeof(*s));

	if (s == NULL)
		return NULL;
	*s = (span_sender){.http = http_hold(loop),
	    .url = BUF_INIT(NULL, SIZE_MAX / 2),
	    .headers = BUF_INIT(NULL, SIZE_MAX / 2)};
	buf_str(&s->url, url);
	buf_byte(&s->url, '\0');
	buf_str(&s->headers, "Content-Type: application/json\n");
	buf_text(&s->headers, headers);
	if (s->http != NULL && s->url.bad == CM_OK && s->headers.bad == CM_OK)
		return s;
	if (s->http != NULL)
		http_release(s->http);
	buf_fini(&s->url);
	buf_fini(&s->headers);
	mem_free(NULL, s, sizeof(*s));
	return NULL;
}

static bool
send_post(span_sender *s, text body, span_done *done, void *ctx)
{
	static const http_hooks hooks = {.done = on_post_done};
	const http_ask ask = {.method = "POST",
	    .url = s->url.ptr,
	    .headers = buf_view(&s->headers),
	    .body = body,
	    .body_max = REPLY_BYTES,
	    .timeout_ms = POST_MS,
	    .follow = true};

	s->done = done;
	s->ctx = ctx;
	s->request = http_start(s->http, &ask, &hooks, s);
	return s->request != NULL;
}

static void
close_post(span_sender *s)
{
	if (s->request != NULL)
		http_cancel(s->request);
	http_release(s->http);
	buf_fini(&s->url);
	buf_fini(&s->headers);
	mem_free(NULL, s, sizeof(*s));
}

const span_sender_parts span_post_functions = {
    .open = open_post, .send = send_post, .close = close_post};
