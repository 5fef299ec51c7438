/* SPDX-License-Identifier: MIT */
/*
 * place.c -- the public place.h on the rooms below.
 */
#include <codemode/place.h>

#include "place/process.h"

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
	    opts->require_fences != 0, opts->single != 0, out);
}

void
cm_place_free(cm_place *p)
{
	if (p != NULL)
		place_free(p);
}

cm_status
cm_place_fences(cm_place *p, cm_text *report)
{
	return place_fences(p, report);
}
