/* SPDX-License-Identifier: MIT */
/* place_port.c -- see place_port.h. */
#include "place_port.h"

#include "host/system.h"
#include "wire/wire.h"

#include <errno.h>
#include <sys/socket.h>

void
place_init(place *p, const place_port *port, const char *starts,
    const cm_alloc *alloc, bool require_fences)
{
	p->port = port;
	p->starts = starts;
	p->alloc = alloc ? *alloc : mem_system;
	p->require_fences = require_fences;
	p->fences = BUF_INIT(&p->alloc, 64u << 10);
	pthread_mutex_init(&p->lock, NULL);
}

void
place_fini(place *p)
{
	pthread_mutex_destroy(&p->lock);
	buf_fini(&p->fences);
}

ssize_t
worker_recv(const worker *w, void *room, size_t size)
{
	return w->far != NULL ? channel_read(w->far, room, size)
			      : recv(w->fd, room, size, MSG_DONTWAIT);
}

ssize_t
worker_send(const worker *w, const void *bytes, size_t len)
{
	return w->far != NULL
		   ? channel_write(w->far, bytes, len)
		   : send(w->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* The report in a worker's first message, appended to *out. */
static cm_status
read_hello(const worker *w, uint64_t patience_ms, buf *out)
{
	enum { ROUND_MS = 100, HELLO_MAX = 64 << 10 };
	engine_host host = system_host();
	uint64_t until = host.now_ms(host.ctx) + patience_ms;
	buf in = BUF_INIT(out->alloc, HELLO_MAX);
	const char *why;
	wire_msg m;
	size_t used;
	cm_status r = CM_EENGINE;
	char bytes[4096];
	ssize_t n;

	while (host.now_ms(host.ctx) < until) {
		system_wait(w->fd, 0, ROUND_MS);
		n = worker_recv(w, bytes, sizeof(bytes));
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			break;
		if (n > 0)
			buf_add(&in, bytes, (size_t)n);
		if (wire_get(buf_view(&in), WIRE_UP, HELLO_MAX, &m, &used,
			&why) != WIRE_READ)
			continue;
		if (m.kind == WIRE_HELLO) {
			buf_text(out, m.t[0]);
			r = out->bad;
		}
		break;
	}
	buf_fini(&in);
	return r;
}

/* The first report is kept until place_free: the text is lent. */
cm_status
place_fences(place *p, text *report)
{
	buf hello = BUF_INIT(&p->alloc, 64u << 10);
	cm_status r = CM_EENGINE;
	worker w;

	if (p->port->take(p, &w)) {
		r = read_hello(&w, p->port->hello_ms, &hello);
		p->port->drop(p, &w);
	}
	pthread_mutex_lock(&p->lock);
	if (r == CM_OK && p->fences.len == 0) {
		buf_fini(&p->fences);
		p->fences = hello;
		hello = BUF_INIT(&p->alloc, 0);
	}
	if (r == CM_OK)
		*report = buf_view(&p->fences);
	pthread_mutex_unlock(&p->lock);
	buf_fini(&hello);
	return r;
}
