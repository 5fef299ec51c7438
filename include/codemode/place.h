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

/* Two ends of byte streams; the same number for one that goes both ways. */
typedef struct cm_stream {
	int in;      /* what the worker sends is read from here */
	int out;     /* what it is sent is written here */
	void *owner; /* for 'disconnect' */
} cm_stream;

typedef struct cm_stream_options {
	size_t size; /* sizeof(cm_stream_options); grows as cm_run_options does */
	/* A program and its arguments, ended by NULL, that starts
	 * "codemode-worker --stdio" somewhere and passes its standard input
	 * and output on: ssh, docker exec -i, kubectl exec -i. Found in PATH.
	 * What it writes to standard error goes to this process's, and its
	 * first 300 bytes into the message of a run that fails by it. Borrowed
	 * until cm_place_free. NULL: 'connect' makes the stream. */
	const char *const *command;
	/* Makes a stream to such a program. Returns 0 or an errno, which is in
	 * the run's message. The descriptors become non-blocking. Called with
	 * the place locked: it makes no run of this place. */
	int (*connect)(void *ctx, cm_stream *stream);
	/* The stream is used no more: closes it. NULL: nothing is done. */
	void (*disconnect)(void *ctx, cm_stream *stream);
	void *ctx;
	/* After so many milliseconds without a byte from the other end the
	 * connection is lost; 0: 15000. Both ends send something each third of
	 * it, so cm_run_next has to be called when cm_wait says so. */
	uint64_t silence_ms;
	/* Not 0: as in cm_process_options, of the other end's fences. */
	int require_fences;
	/* Not 0: the next script takes the connection of one that is over.
	 * Scripts that run at one time have one each. The other end makes a
	 * process for each script. */
	int session;
} cm_stream_options;

#define CM_STREAM_OPTIONS_INIT                                                 \
	{                                                                      \
		sizeof(cm_stream_options), NULL, NULL, NULL, NULL, 0, 0, 0      \
	}

/*
 * A place at the other end of byte streams, one for each script. A program
 * "codemode-worker --stdio" is there: it starts a process for the script,
 * behind the same fences, and lowers the script's limits of time, memory and
 * interrupts to its own. The run's gate is here, as for a process below this
 * one. A stream that is cut or silent ends its run with CM_END_SANDBOX; the
 * run's calls are cancelled. A worker that has not said hello after 60 seconds
 * ends it, too. Nothing is started before the first run. CM_EMISUSE: neither
 * command nor connect.
 */
CM_API cm_status cm_place_stream(const cm_alloc *alloc,
    const cm_stream_options *opts, cm_place **out);

/* Kills what still runs there. No run may use it any more. Waits for the
 * template or the commands to end, which takes a moment; one that is stopped is
 * killed after half a second. */
CM_API void cm_place_free(cm_place *place);

/* Which fences stand, as a worker reported: one "name up" or "name down ERRNO"
 * a line. Starts a worker to ask, and waits for its answer: 10 seconds at most,
 * at the other end of a stream 60. CM_EENGINE: there was none. The text lives
 * until cm_place_free. */
CM_API cm_status cm_place_fences(cm_place *place, cm_text *report);

#ifdef __cplusplus
}
#endif
#endif
