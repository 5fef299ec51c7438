/* SPDX-License-Identifier: MIT */
/*
 * place.h -- where scripts run.
 *
 * Without a place a script runs inline: on the caller's thread, behind the
 * wall of its own linear memory. A process place runs each script in a process
 * of its own that has nothing: no environment, no file, no network, no system
 * call that it does not need (doc/guide/sandbox.md). The run is turned by the
 * same functions; only its steps wait for a descriptor now (cm_wait.handle).
 */
#ifndef CODEMODE_PLACE_H
#define CODEMODE_PLACE_H

#include <codemode/codemode.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CM_NO_SPARES ((unsigned)-1)

typedef struct cm_process_options {
	size_t size; /* sizeof(cm_process_options); grows as cm_run_options does */
	/* Path of codemode-worker. NULL: where it was installed. Borrowed
	 * until cm_place_free. */
	const char *worker;
	unsigned spares; /* processes kept ready; 0: the default, 2;
	                    CM_NO_SPARES: each is made when it is wanted */
	/* Bytes a process may have in memory; 0: 512 MB. Where /proc does not
	 * show the process, the result has a warning that this limit was not
	 * watched. */
	uint64_t resident;
	/* Not 0: a script does not run unless every fence stands. */
	int require_fences;
	/* Not 0: one script is expected, as in a command that ends with it. Its
	 * process is started at once and for it alone, sooner than a template
	 * and a fork of that; it ends
	 * with the thread that made the place. More scripts find a template,
	 * made then. */
	int single;
} cm_process_options;

#define CM_PROCESS_OPTIONS_INIT                                                \
	{                                                                      \
		sizeof(cm_process_options), NULL, 0, 0, 0, 0                     \
	}

/*
 * Starts the template process that scripts' processes are forked from. It and
 * all of them end with cm_place_free, and when this process ends, however it
 * ends. May be used by runs in many threads. opts may be NULL.
 * CM_EENGINE: it could not be started, errno says why; EPROTO: the program is
 * no codemode-worker (with 'single' a run tells that).
 */
CM_API cm_status cm_place_process(const cm_alloc *alloc,
    const cm_process_options *opts, cm_place **out);

/* Kills what still runs there. No run may use it any more. Waits for the
 * template to end, which takes a moment; one that is stopped is killed after
 * half a second. */
CM_API void cm_place_free(cm_place *place);

/* Which fences stand, as a worker reported: one "name up" or "name down ERRNO"
 * a line. Starts a worker to ask. Lives until cm_place_free. */
CM_API cm_status cm_place_fences(cm_place *place, cm_text *report);

#ifdef __cplusplus
}
#endif
#endif
