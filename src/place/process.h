/* SPDX-License-Identifier: MIT */
/*
 * process.h -- worker processes: one for each script, forked from a template.
 *
 *   this process                codemode-worker --template
 *     place  ── control ─────────── template
 *       │                              │ fork
 *       └── one socket a script ────── worker
 *
 * Where one script is expected, its worker is started for it: sooner than a
 * template and a fork of that.
 *
 *   this process ── the script's socket ── codemode-worker --once
 *
 * The template is the parent of the workers: they end with it, and only it
 * reaps them, so that their pids are valid while it says so. The template ends
 * when the control socket is closed, which the kernel does however this process
 * ends.
 */
#ifndef PLACE_PROCESS_H
#define PLACE_PROCESS_H

#include "base/buf.h"

#include <pthread.h>
#include <sys/types.h>

/* A worker that waits for its script, or runs it. */
typedef struct worker {
	int fd; /* non-blocking; -1: none */
	pid_t pid;
} worker;

#define PLACE_SPARES_MAX 16
#define PLACE_EXITS      64 /* how many ended workers are remembered */

typedef struct cm_place {
	cm_alloc alloc;
	pthread_mutex_t lock;
	const char *path; /* of codemode-worker */
	int control;      /* socket to the template; keeps its number;
			     -1: there was no template so far */
	pid_t template_pid;
	pid_t only;     /* a worker that is a child of this process; 0: none */
	uint32_t forks; /* FORK packets sent: the serial of the last */
	unsigned spares_wanted, spares;
	worker spare[PLACE_SPARES_MAX];
	uint64_t resident; /* bytes that a worker may have in memory */
	bool sees_memory;  /* since a worker's memory could be read */
	bool require_fences;
	struct {
		pid_t pid;
		int status;
	} exited[PLACE_EXITS];
	unsigned exits;
	buf fences; /* a worker's report; written once, because it is lent */
} place;

/* single: for one script; the second one starts a template. CM_EENGINE: errno
 * says why. */
cm_status place_new(const cm_alloc *alloc, const char *worker_path,
    unsigned spares, uint64_t resident, bool require_fences, bool single,
    place **out);
/* Waits for the template to end; kills it after 500 ms. */
void place_free(place *p);

/* A worker without a script so far. Starts a template where that has ended.
 * False: errno says why. */
bool place_take(place *p, worker *w);
/* Makes new spares where some were taken. Waits up to 5 s for the template's
 * answer to each, and stops at the first that fails. */
void place_refill(place *p);
/* Kills the worker unless the template's socket is full; place_drop is certain.
 * Async-signal-safe. */
void place_kill(const place *p, pid_t pid);
/* Closes the socket and kills the process, for certain. Waits while another
 * thread uses the template, and up to 5 s while the template takes no
 * packet. */
void place_drop(place *p, worker *w);
/* How the worker ended, as waitpid gives it. Waits wait_ms at most for each
 * packet. False: not known. */
bool place_status(place *p, pid_t pid, int wait_ms, int *status);

/* The report of fences in a worker's first message. Lives until place_free. */
cm_status place_fences(place *p, text *report);

/* Why the memory of this live worker cannot be read; NULL when it can. Asked
 * of /proc until it can. */
const char *place_memory_unseen(place *p, pid_t pid);
/* Bytes of memory that the process has resident; 0: not known. */
uint64_t process_resident(pid_t pid);

#endif
