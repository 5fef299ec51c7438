/* SPDX-License-Identifier: MIT */
/*
 * place_port.h -- what every kind of place does: it gives workers, and takes
 * them back. 'process' (process.h) and 'stream' (stream.c) are kinds.
 */
#ifndef PLACE_PLACE_PORT_H
#define PLACE_PLACE_PORT_H

#include "base/buf.h"
#include "place/channel.h"

#include <pthread.h>
#include <sys/types.h>

typedef struct cm_place place;

/* A worker that waits for its script, or runs it. */
typedef struct worker {
	int fd;    /* non-blocking; -1: none. A process: its socket; elsewhere:
		      becomes readable when the channel has something to do */
	pid_t pid; /* 0: it is no process below this one */
	channel *far; /* NULL: the socket has the bytes of the wire */
} worker;

/* How long describe_end waits for each answer about a worker's end. */
#define PLACE_EXIT_MS 200

/* A descriptor of no worker. */
#define NO_WORKER ((worker){-1, 0, NULL})

typedef struct place_port {
	const char *name;  /* "process" or "stream", as in the result */
	uint64_t hello_ms; /* within which a worker sends HELLO */
	uint64_t grace_ms; /* past the deadline, for the worker's END */

	/* A worker without a script so far. False: errno says why. */
	bool (*take)(place *p, worker *w);
	/* Ends the worker, or lets it have the next script. */
	void (*drop)(place *p, worker *w);
	/* Makes workers ahead. */
	void (*refill)(place *p);
	/* Ends the worker soon; drop is certain. Async-signal-safe. NULL: only
	 * drop does so. */
	void (*kill)(const place *p, const worker *w);
	/* Writes how the worker ended; waits a moment for its exit status. */
	void (*describe_end)(place *p, const worker *w, char *why, size_t size);
	/* Why the memory of this live worker is not watched; NULL: it is, or
	 * the other end does so. */
	const char *(*unseen)(place *p, const worker *w);
	void (*free)(place *p);
} place_port;

/* What places have in common; each kind's struct begins with it. */
struct cm_place {
	const place_port *port;
	const char *starts; /* what 'take' starts, for messages; borrowed */
	cm_alloc alloc;
	pthread_mutex_t lock;
	uint64_t resident; /* bytes that a worker may have in memory */
	bool require_fences;
	buf fences; /* a worker's report; written once, because it is lent */
};

void place_init(place *p, const place_port *port, const char *starts,
    const cm_alloc *alloc, bool require_fences);
void place_fini(place *p);

/* The report of fences in a worker's first message, which it waits for, the
 * port's hello_ms at most. Lives until the place is freed. */
cm_status place_fences(place *p, text *report);

/* As recv and send with MSG_DONTWAIT. */
ssize_t worker_recv(const worker *w, void *room, size_t size);
ssize_t worker_send(const worker *w, const void *bytes, size_t len);

#endif
