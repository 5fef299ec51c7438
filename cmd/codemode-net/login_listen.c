/* SPDX-License-Identifier: MIT */
/* login_listen.c -- see login_listen.h. */
#include "login_listen.h"

#include <stdio.h>
#include <stdlib.h>

enum { REQUEST_MAX = 16 << 10 };

struct login_listener {
	uv_tcp_t tcp;
	login_came_back *came_back; /* NULL: it is closing */
	void *ctx;
	char redirect[60];
	struct visit *first;
};

/* One connection of a browser. */
typedef struct visit {
	uv_tcp_t tcp;
	uv_write_t write;
	login_listener *listener; /* NULL: it is gone */
	struct visit *next;
	buf request;
} visit;

/* ---------------------------------------------------------------- one visit */

static void
free_visit(uv_handle_t *tcp)
{
	visit *v = tcp->data;

	buf_fini(&v->request);
	free(v);
}

static void
end_visit(visit *v)
{
	visit **at = v->listener ? &v->listener->first : NULL;

	while (at != NULL && *at != v)
		at = &(*at)->next;
	if (at != NULL)
		*at = v->next;
	v->listener = NULL;
	if (!uv_is_closing((uv_handle_t *)&v->tcp))
		uv_close((uv_handle_t *)&v->tcp, free_visit);
}

static void
page_written(uv_write_t *write, int status)
{
	visit *v = write->data;

	(void)status;
	end_visit(v);
}

#define PAGE(status, words)                                                 \
	"HTTP/1.1 " status "\r\nContent-Type: text/html; charset=utf-8\r\n" \
	"Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"       \
	"Connection: close\r\n\r\n<!doctype "                               \
	"html><title>codemode</title><p>" words "\n"

static void
show_page(visit *v, const char *page)
{
	uv_buf_t bytes =
	    uv_buf_init((char *)(uintptr_t)page, (unsigned)strlen(page));

	uv_read_stop((uv_stream_t *)&v->tcp);
	v->write.data = v;
	if (uv_write(&v->write, (uv_stream_t *)&v->tcp, &bytes, 1,
		page_written) != 0)
		end_visit(v);
}

/* The whole head of the request is there. */
static void
read_request(visit *v)
{
	text line = buf_view(&v->request), target;
	login_listener *l = v->listener;
	buf url = BUF_INIT(NULL, 2 * REQUEST_MAX);
	bool answer = false;

	line = text_sub(line, 0, text_find(line, TEXT("\r\n"), 0));
	target = text_sub(line, 4, text_find(line, TEXT(" "), 4));
	if (text_starts(line, TEXT("GET /callback?"))) {
		buf_str(&url, l->redirect);
		buf_text(&url, text_sub(target, 9, target.len));
		answer = l->came_back != NULL &&
			 l->came_back(l->ctx, buf_view(&url));
	}
	buf_fini(&url);
	show_page(
	    v, answer ? PAGE("200 OK", "The rest is told where codemode runs. "
				       "This page can be closed.")
		      : PAGE("400 Bad Request",
			    "This is not the answer to a login that codemode "
			    "waits for."));
}

static void
request_room(uv_handle_t *tcp, size_t suggested, uv_buf_t *out)
{
	visit *v = tcp->data;
	char *room = buf_room(&v->request, 2048);

	(void)suggested;
	*out = uv_buf_init(room, room ? 2048 : 0);
}

static void
request_read(uv_stream_t *tcp, ssize_t n, const uv_buf_t *bytes)
{
	visit *v = tcp->data;

	(void)bytes;
	if (n < 0) {
		end_visit(v);
		return;
	}
	v->request.len += (size_t)n;
	if (text_find(buf_view(&v->request), TEXT("\r\n\r\n"), 0) != SIZE_MAX)
		read_request(v);
}

static void
visitor_came(uv_stream_t *server, int status)
{
	login_listener *l = server->data;
	visit *v = status == 0 ? calloc(1, sizeof(*v)) : NULL;

	if (v == NULL)
		return;
	v->request = BUF_INIT(NULL, REQUEST_MAX);
	uv_tcp_init(server->loop, &v->tcp);
	v->tcp.data = v;
	v->listener = l;
	v->next = l->first;
	l->first = v;
	if (uv_accept(server, (uv_stream_t *)&v->tcp) != 0 ||
	    uv_read_start((uv_stream_t *)&v->tcp, request_room, request_read) !=
		0)
		end_visit(v);
}

/* ------------------------------------------------------------ the listener */

static void
free_listener(uv_handle_t *tcp)
{
	free(tcp->data);
}

static int
bind_port(login_listener *l, unsigned port)
{
	struct sockaddr_in address;
	int n = sizeof(address);
	int r = uv_ip4_addr("127.0.0.1", (int)port, &address);

	if (r == 0)
		r = uv_tcp_bind(
		    &l->tcp, (const struct sockaddr *)(void *)&address, 0);
	if (r == 0)
		r = uv_listen((uv_stream_t *)&l->tcp, 8, visitor_came);
	if (r == 0)
		r = uv_tcp_getsockname(
		    &l->tcp, (struct sockaddr *)(void *)&address, &n);
	if (r == 0)
		snprintf(l->redirect, sizeof(l->redirect),
		    "http://127.0.0.1:%u/callback", ntohs(address.sin_port));
	return r;
}

login_listener *
login_listen(uv_loop_t *loop, unsigned port, login_came_back *came_back,
    void *ctx, const char **redirect, int *why)
{
	login_listener *l = calloc(1, sizeof(*l));

	*why = UV_ENOMEM;
	if (l == NULL)
		return NULL;
	l->came_back = came_back;
	l->ctx = ctx;
	*redirect = l->redirect;
	uv_tcp_init(loop, &l->tcp);
	l->tcp.data = l;
	*why = bind_port(l, port);
	if (*why == 0)
		return l;
	uv_close((uv_handle_t *)&l->tcp, free_listener);
	return NULL;
}

void
login_listen_close(login_listener *l)
{
	if (l == NULL)
		return;
	/* A page that is being written is written to its end. */
	for (visit *v = l->first, *next; v != NULL; v = next) {
		next = v->next;
		v->listener = NULL;
		if (!uv_is_active((uv_handle_t *)&v->tcp) ||
		    uv_stream_get_write_queue_size((uv_stream_t *)&v->tcp) == 0)
			end_visit(v);
	}
	uv_close((uv_handle_t *)&l->tcp, free_listener);
}
