/* SPDX-License-Identifier: MIT */
/*
 * http_serve_door.c -- libmicrohttpd on the loop.
 *
 * Its epoll descriptor is watched by the loop, and its time limits are a timer
 * of the loop. A visit that has nothing to send is suspended. libmicrohttpd does
 * not watch a suspended connection, so a client that goes away is noticed by a
 * poll of our own, on a copy of the descriptor.
 */
#include "http_serve_door.h"

#include <fcntl.h>
#include <microhttpd.h>
#include <unistd.h>

enum {
	STREAM_BLOCK = 32 << 10,    /* bytes that are sent at a time */
	STREAM_MAX = 256 << 20,     /* bytes that wait in one visit */
	IDLE_S = 120,               /* of a connection without a request */
	CONNECTION_BYTES = 64 << 10 /* for the headers of one request */
};

struct door {
	main_loop *loop;
	door_options options;
	door_hooks hooks;
	struct MHD_Daemon *daemon;
	uv_poll_t poll;
	uv_timer_t timer;
	size_t bodies; /* bytes of all that are being read */
	visit *visits;
	unsigned handles; /* that the loop knows */
	bool due;
};

/* Notices that the client of a suspended visit goes away. */
typedef struct visit_watch {
	uv_poll_t poll;
	int fd; /* a copy of the connection's */
	door *door;
	visit *visit; /* NULL: it is over */
} visit_watch;

/* --------------------------------------------------------------- the loop */

static void
make_door_due(door *d)
{
	d->due = true;
	main_loop_due(&d->loop->uv);
}

static void
on_door_readable(uv_poll_t *poll, int status, int events)
{
	(void)status, (void)events;
	make_door_due(poll->data);
}

static void
on_door_timer(uv_timer_t *timer)
{
	make_door_due(timer->data);
}

static void
on_handle_closed(uv_handle_t *handle)
{
	door *d = handle->data;

	d->handles--;
}

/* libmicrohttpd says when it wants to be called without an event. */
static void
set_door_timer(door *d)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (MHD_get_timeout(d->daemon, &ms) != MHD_YES)
		uv_timer_stop(&d->timer);
	else if (ms == 0)
		make_door_due(d);
	else
		uv_timer_start(&d->timer, on_door_timer, ms, 0);
}

void
door_turn(door *d)
{
	if (!d->due)
		return;
	d->due = false;
	uv_update_time(&d->loop->uv);
	MHD_run(d->daemon);
	set_door_timer(d);
}

/* ----------------------------------------------------------- suspending */

static void
wake_visit(visit *v)
{
	if (!v->suspended)
		return;
	v->suspended = false;
	MHD_resume_connection(v->connection);
	make_door_due(v->door);
}

static void
on_client_gone(uv_poll_t *poll, int status, int events)
{
	visit_watch *w = poll->data;

	(void)status, (void)events;
	uv_poll_stop(poll);
	if (w->visit == NULL)
		return;
	w->visit->peer_gone = true;
	wake_visit(w->visit);
}

static void
on_watch_closed(uv_handle_t *handle)
{
	visit_watch *w = handle->data;

	w->door->handles--;
	close(w->fd);
	mem_free(NULL, w, sizeof(*w));
}

/* Without memory or descriptors for it, a client that goes away is noticed when
 * something is written to it. */
static void
watch_client(visit *v)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
	    v->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	visit_watch *w;

	if (v->watch != NULL || info == NULL ||
	    (w = mem_new(NULL, sizeof(*w))) == NULL)
		return;
	*w = (visit_watch){.door = v->door, .visit = v};
	w->fd = fcntl(info->connect_fd, F_DUPFD_CLOEXEC, 3);
	if (w->fd < 0 ||
	    uv_poll_init(&v->door->loop->uv, &w->poll, w->fd) != 0) {
		if (w->fd >= 0)
			close(w->fd);
		mem_free(NULL, w, sizeof(*w));
		return;
	}
	w->poll.data = w;
	v->door->handles++;
	v->watch = w;
	uv_poll_start(&w->poll, UV_DISCONNECT, on_client_gone);
}

static void
suspend_visit(visit *v)
{
	watch_client(v);
	v->suspended = true;
	MHD_suspend_connection(v->connection);
}

/* -------------------------------------------------------------- responses */

void
visit_drop_body(visit *v)
{
	v->door->bodies -= v->body.len;
	buf_fini(&v->body);
}

const char *
visit_header(const visit *v, const char *name)
{
	return MHD_lookup_connection_value(
	    v->connection, MHD_HEADER_KIND, name);
}

static void
set_response(visit *v, unsigned status, struct MHD_Response *response,
    const door_header *headers)
{
	must(v->response == NULL);
	v->status = status;
	v->response = response;
	for (; response != NULL && headers != NULL && headers->name != NULL;
	     headers++)
		if (headers->value != NULL)
			MHD_add_response_header(
			    response, headers->name, headers->value);
	/* No memory for a response: the connection is cut. */
	v->peer_gone = v->peer_gone || response == NULL;
	wake_visit(v);
}

size_t
door_unsent(const door *d)
{
	size_t n = 0;

	for (const visit *v = d->visits; v != NULL; v = v->next)
		n += v->replied + visit_unsent(v);
	return n;
}

void
visit_reply(visit *v, unsigned status, text body, const door_header *headers)
{
	static char nothing[1];

	v->replied = body.len;
	set_response(v, status,
	    MHD_create_response_from_buffer(body.len,
		body.len > 0 ? (void *)(uintptr_t)body.ptr : nothing,
		MHD_RESPMEM_MUST_COPY),
	    headers);
}

static ssize_t
read_visit_stream(void *cls, uint64_t at, char *room, size_t max)
{
	visit *v = cls;
	size_t n = visit_unsent(v);

	(void)at;
	n = n < max ? n : max;
	if (v->peer_gone)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	if (n > 0) {
		memcpy(room, v->out.ptr + v->out_at, n);
		buf_sent(&v->out, &v->out_at, n);
		return (ssize_t)n;
	}
	if (v->ended)
		return MHD_CONTENT_READER_END_OF_STREAM;
	suspend_visit(v);
	return 0;
}

void
visit_stream(visit *v, const door_header *headers)
{
	struct MHD_Response *r = MHD_create_response_from_callback(
	    MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_visit_stream, v, NULL);

	v->streaming = true;
	if (r != NULL) {
		MHD_add_response_header(r, "Content-Type", "text/event-stream");
		MHD_add_response_header(r, "Cache-Control", "no-cache");
		MHD_add_response_header(r, "X-Accel-Buffering", "no");
	}
	set_response(v, MHD_HTTP_OK, r, headers);
}

bool
visit_write(visit *v, text bytes)
{
	size_t before = v->out.len;

	buf_text(&v->out, bytes);
	if (v->out.bad != CM_OK) {
		v->out.len = before;
		v->out.bad = CM_OK;
		return false;
	}
	wake_visit(v);
	return true;
}

size_t
visit_unsent(const visit *v)
{
	return v->out.len - v->out_at;
}

void
visit_end(visit *v)
{
	v->ended = true;
	wake_visit(v);
}

/* --------------------------------------------------------------- requests */

static visit *
new_visit(door *d, struct MHD_Connection *connection, const char *path,
    const char *method)
{
	visit *v = mem_new(NULL, sizeof(*v));

	if (v == NULL)
		return NULL;
	*v = (visit){.door = d,
	    .connection = connection,
	    .method = method,
	    .path = path,
	    .body = BUF_INIT(NULL, d->options.body_max),
	    .out = BUF_INIT(NULL, STREAM_MAX),
	    .next = d->visits,
	    .at = &d->visits};
	if (v->next != NULL)
		v->next->at = &v->next;
	d->visits = v;
	return v;
}

static enum MHD_Result
queue_response(visit *v)
{
	if (v->response == NULL)
		return MHD_NO;
	return MHD_queue_response(v->connection, v->status, v->response);
}

static void
append_visit_body(visit *v, const char *bytes, size_t len)
{
	door *d = v->door;
	size_t before;

	if (v->body_fault != 0 || v->response != NULL)
		return;
	if (len > d->options.body_max - v->body.len)
		v->body_fault = 413;
	else if (len > d->options.bodies_max - d->bodies)
		v->body_fault = 503;
	if (v->body_fault != 0)
		return;
	before = v->body.len;
	buf_add(&v->body, bytes, len);
	d->bodies += v->body.len - before;
	if (v->body.bad != CM_OK)
		v->body_fault = 503;
}

static enum MHD_Result
on_request(void *cls, struct MHD_Connection *connection, const char *path,
    const char *method, const char *version, const char *bytes, size_t *len,
    void **con_cls)
{
	door *d = cls;
	visit *v = *con_cls;

	(void)version;
	if (v == NULL) {
		*con_cls = v = new_visit(d, connection, path, method);
		if (v == NULL)
			return MHD_NO;
		d->hooks.headers(d->hooks.ctx, v);
		return v->response != NULL ? queue_response(v) : MHD_YES;
	}
	if (*len > 0) {
		append_visit_body(v, bytes, *len);
		*len = 0;
		return MHD_YES;
	}
	if (v->peer_gone)
		return MHD_NO;
	if (!v->asked) {
		v->asked = true;
		if (v->body_fault != 0)
			visit_reply(v, v->body_fault,
			    TEXT("There is no room for the request\n"), NULL);
		else
			d->hooks.request(d->hooks.ctx, v);
	}
	if (v->response != NULL)
		return queue_response(v);
	suspend_visit(v);
	return MHD_YES;
}

static void
on_completed(void *cls, struct MHD_Connection *connection, void **con_cls,
    enum MHD_RequestTerminationCode code)
{
	door *d = cls;
	visit *v = *con_cls;

	(void)connection;
	if (v == NULL)
		return;
	v->complete = code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
	*con_cls = NULL;
	d->hooks.over(d->hooks.ctx, v);
	visit_drop_body(v);
	if (v->watch != NULL) {
		v->watch->visit = NULL;
		uv_close((uv_handle_t *)&v->watch->poll, on_watch_closed);
	}
	if (v->response != NULL)
		MHD_destroy_response(v->response);
	*v->at = v->next;
	if (v->next != NULL)
		v->next->at = v->at;
	buf_fini(&v->out);
	mem_free(NULL, v, sizeof(*v));
}

void
door_ask_again(door *d)
{
	for (visit *v = d->visits; v != NULL; v = v->next)
		if (v->asked && v->response == NULL && v->owner == NULL &&
		    !v->peer_gone)
			d->hooks.request(d->hooks.ctx, v);
}

/* ----------------------------------------------------- making and freeing */

static bool
start_daemon(door *d)
{
	const unsigned flags =
	    MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO;
	const union MHD_DaemonInfo *info;

	d->daemon = MHD_start_daemon(flags, 0, NULL, NULL, on_request, d,
	    MHD_OPTION_LISTEN_SOCKET, d->options.fd,
	    MHD_OPTION_NOTIFY_COMPLETED, on_completed, d,
	    MHD_OPTION_CONNECTION_LIMIT, d->options.connections,
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
	    MHD_OPTION_END);
	if (d->daemon == NULL)
		return false;
	info = MHD_get_daemon_info(d->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	uv_timer_init(&d->loop->uv, &d->timer);
	d->timer.data = d->poll.data = d;
	d->handles = 1;
	if (info == NULL ||
	    uv_poll_init(&d->loop->uv, &d->poll, info->epoll_fd) != 0)
		return false;
	d->handles++;
	uv_poll_start(&d->poll, UV_READABLE, on_door_readable);
	make_door_due(d);
	return true;
}

door *
door_open(main_loop *l, const door_options *o, door_hooks hooks)
{
	door *d = mem_new(NULL, sizeof(*d));

	if (d == NULL) {
		close(o->fd);
		return NULL;
	}
	*d = (door){.loop = l, .options = *o, .hooks = hooks};
	if (start_daemon(d))
		return d;
	if (d->daemon == NULL)
		close(o->fd);
	door_close(d);
	return NULL;
}

void
door_close(door *d)
{
	for (visit *v = d->visits; v != NULL; v = v->next) {
		v->peer_gone = true;
		wake_visit(v);
	}
	if (d->handles > 1) {
		uv_poll_stop(&d->poll);
		uv_close((uv_handle_t *)&d->poll, on_handle_closed);
	}
	if (d->handles > 0)
		uv_close((uv_handle_t *)&d->timer, on_handle_closed);
	if (d->daemon != NULL) {
		MHD_run(d->daemon);
		MHD_stop_daemon(d->daemon);
	}
	while (d->handles > 0)
		uv_run(&d->loop->uv, UV_RUN_ONCE);
	mem_free(NULL, d, sizeof(*d));
}
