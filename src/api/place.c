/* SPDX-License-Identifier: MIT */
/*
 * place.c -- the public place.h on the rooms below.
 */
#include <codemode/place.h>

#include "place/fence_report.h"
#include "place/process.h"
#include "place/system.h"
#include "wire/wire.h"

#include <unistd.h>

#define SPARES   2
#define RESIDENT (512ull * 1000 * 1000)

#ifndef CODEMODE_WORKER
#define CODEMODE_WORKER "/usr/local/libexec/codemode/codemode-worker"
#endif

cm_status
cm_place_process(
    const cm_alloc *alloc, const cm_process_options *opts, cm_place **out)
{
	static const cm_process_options none = CM_PROCESS_OPTIONS_INIT;

	if (opts == NULL)
		opts = &none;
	if (opts->size != sizeof(*opts))
		return CM_EMISUSE;
	return place_new(alloc, opts->worker ? opts->worker : CODEMODE_WORKER,
	    opts->spares == CM_NO_SPARES ? 0
	    : opts->spares == 0          ? SPARES
					 : opts->spares,
	    opts->resident ? opts->resident : RESIDENT,
	    opts->require_fences != 0, out);
}

void
cm_place_free(cm_place *p)
{
	if (p != NULL)
		place_free(p);
}

/* The report in a worker's first message. */
static cm_status
read_hello(place *p, const worker *w)
{
	enum { ROUNDS = 100, ROUND_MS = 100 };
	buf in = BUF_INIT(&p->alloc, 64u << 10);
	const char *why;
	wire_msg m;
	size_t used;
	cm_status r = CM_EENGINE;
	char bytes[4096];
	ssize_t n;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		system_wait(w->fd, 0, ROUND_MS);
		if ((n = read(w->fd, bytes, sizeof(bytes))) == 0)
			break;
		if (n > 0)
			buf_add(&in, bytes, (size_t)n);
		if (wire_get(buf_view(&in), WIRE_UP, &m, &used, &why) !=
		    WIRE_READ)
			continue;
		buf_clear(&p->fences);
		buf_text(&p->fences, m.t[0]);
		r = m.kind == WIRE_HELLO ? p->fences.bad : CM_EENGINE;
		break;
	}
	buf_fini(&in);
	return r;
}

cm_status
cm_place_fences(cm_place *p, cm_text *report)
{
	worker w;
	cm_status r;

	if (!place_take(p, &w))
		return CM_EENGINE;
	r = read_hello(p, &w);
	place_drop(p, &w);
	if (r == CM_OK)
		*report = buf_view(&p->fences);
	return r;
}
