/* SPDX-License-Identifier: MIT */
/*
 * http_loop.c -- libcurl's sockets and its timer on a libuv loop.
 *
 * There is one `http` for each loop that has a user; the last one that releases
 * it ends it.
 */
#include "http_loop.h"

#include <stdlib.h>

/* A socket that libcurl waits for. */
typedef struct http_socket {
	uv_poll_t poll;
	http *h;
	curl_socket_t fd;
} http_socket;

static http *open_loops;

void
http_enter(http *h)
{
	h->in_curl = true;
}

void
http_leave(http *h)
{
	h->in_curl = false;
}

static void
on_http_closed(uv_handle_t *handle)
{
	http *h = handle->data;

	if (--h->handles == 0)
		free(h);
}

/* ----------------------------------------------------------------- sockets */

static void
on_socket_ready(uv_poll_t *poll, int status, int events)
{
	http_socket *s = poll->data;
	http *h = s->h;
	int flags = 0, running;

	/* With an error there are no events, and libcurl looks by itself: it
	 * knows how to tell what happened, or to take another connection. */
	(void)status;
	if (events & UV_READABLE)
		flags |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE)
		flags |= CURL_CSELECT_OUT;
	http_enter(h);
	curl_multi_socket_action(h->multi, s->fd, flags, &running);
	http_leave(h);
	http_work(h);
}

static void
on_socket_closed(uv_handle_t *poll)
{
	http_socket *s = poll->data;
	http *h = s->h;

	free(s);
	if (--h->handles == 0)
		free(h);
}

static http_socket *
watch_socket(http *h, curl_socket_t fd)
{
	http_socket *s = calloc(1, sizeof(*s));

	if (!s || uv_poll_init_socket(h->loop, &s->poll, fd) != 0) {
		free(s);
		return NULL;
	}
	s->poll.data = s;
	s->h = h;
	s->fd = fd;
	h->handles++;
	curl_multi_assign(h->multi, fd, s);
	return s;
}

static int
on_curl_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *known)
{
	http *h = ctx;
	http_socket *s = known;
	int events = 0;

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (s)
			uv_close((uv_handle_t *)&s->poll, on_socket_closed);
		curl_multi_assign(h->multi, fd, NULL);
		return 0;
	}
	if (!s)
		s = watch_socket(h, fd);
	if (!s)
		return -1;
	if (what & CURL_POLL_IN)
		events |= UV_READABLE;
	if (what & CURL_POLL_OUT)
		events |= UV_WRITABLE;
	uv_poll_start(&s->poll, events, on_socket_ready);
	return 0;
}

/* ------------------------------------------------------------------- timer */

static void
on_timeout(uv_timer_t *timer)
{
	http *h = timer->data;
	int running;

	http_enter(h);
	curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	http_leave(h);
	http_work(h);
}

static int
on_curl_timer(CURLM *multi, long ms, void *ctx)
{
	http *h = ctx;

	(void)multi;
	if (uv_is_closing((uv_handle_t *)&h->timer))
		return 0;
	if (ms < 0) {
		uv_timer_stop(&h->timer);
	} else {
		uv_update_time(h->loop);
		uv_timer_start(&h->timer, on_timeout, (uint64_t)ms, 0);
	}
	return 0;
}

static void
on_errand(uv_timer_t *timer)
{
	http_work(timer->data);
}

void
http_note(http *h)
{
	h->noted = true;
	if (!h->in_curl)
		uv_timer_start(&h->errand, on_errand, 0, 0);
}

/* ------------------------------------------------------------------- users */

static http *
open_http(uv_loop_t *loop)
{
	http *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->multi = curl_multi_init();
	if (!h->multi) {
		free(h);
		return NULL;
	}
	h->loop = loop;
	uv_timer_init(loop, &h->timer);
	uv_timer_init(loop, &h->errand);
	h->timer.data = h->errand.data = h;
	h->handles = 2;
	curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, on_curl_socket);
	curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
	curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, on_curl_timer);
	curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
	h->next = open_loops;
	open_loops = h;
	return h;
}

http *
http_hold(uv_loop_t *loop)
{
	static bool begun;
	http *h;

	if (!begun && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return NULL;
	begun = true;
	for (h = open_loops; h && h->loop != loop;)
		h = h->next;
	if (!h)
		h = open_http(loop);
	if (h)
		h->holds++;
	return h;
}

/* Requests that were cancelled while libcurl called us back are ended by then. */
void
http_close_unused(http *h)
{
	http **at = &open_loops;

	if (h->holds > 0 || h->in_curl || h->working)
		return;
	while (*at != h)
		at = &(*at)->next;
	*at = h->next;
	must(!h->first);
	curl_multi_cleanup(h->multi);
	uv_close((uv_handle_t *)&h->timer, on_http_closed);
	uv_close((uv_handle_t *)&h->errand, on_http_closed);
}

void
http_release(http *h)
{
	must(h->holds > 0);
	h->holds--;
	http_close_unused(h);
}
