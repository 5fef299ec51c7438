/* SPDX-License-Identifier: MIT */
/*
 * place.c -- the functions of place.h, each a call of src/place.
 */
#include <codemode/place.h>

#include "options.h"
#include "place/process.h"
#include "place/stream.h"

#define SPARES     2
#define RESIDENT   (512ull * 1000 * 1000)
#define SILENCE_MS 15000

#ifndef CODEMODE_WORKER
#define CODEMODE_WORKER "/usr/local/libexec/codemode/codemode-worker"
#endif

cm_status
cm_place_process(
    const cm_alloc *alloc, const cm_process_options *opts, cm_place **out)
{
	cm_process_options o = {.size = 0};

	if (opts != NULL &&
	    !options_read(&o, sizeof(o), opts, opts->size,
		offsetof(cm_process_options, single) + sizeof(o.single)))
		return CM_EMISUSE;
	return process_place_new(alloc, o.worker ? o.worker : CODEMODE_WORKER,
	    o.spares == CM_NO_SPARES ? 0
	    : o.spares == 0          ? SPARES
				     : o.spares,
	    o.resident ? o.resident : RESIDENT, o.require_fences != 0,
	    o.single != 0, out);
}

cm_status
cm_place_stream(
    const cm_alloc *alloc, const cm_stream_options *opts, cm_place **out)
{
	cm_stream_options o = {.size = 0};

	if (opts == NULL ||
	    !options_read(&o, sizeof(o), opts, opts->size,
		offsetof(cm_stream_options, session) + sizeof(o.session)) ||
	    (o.command != NULL ? o.command[0] == NULL : o.connect == NULL))
		return CM_EMISUSE;
	if (o.silence_ms == 0)
		o.silence_ms = SILENCE_MS;
	return stream_place_new(alloc, &o, out);
}

void
cm_place_free(cm_place *p)
{
	if (p != NULL)
		p->port->free(p);
}

cm_status
cm_place_fences(cm_place *p, cm_text *report)
{
	return place_fences(p, report);
}
