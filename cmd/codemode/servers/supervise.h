/* SPDX-License-Identifier: MIT */
/*
 * supervise.h -- the small process between us and each server.
 *
 * A server may be `npx` or `sh -c`, with children of its own that outlive it
 * and leave its group. So each server runs under a supervisor, which is this
 * same program started with a hidden first argument. It adopts the processes
 * that the server leaves behind. When its line to this program ends, also by
 * kill -9, it kills them all and exits.
 */
#ifndef CODEMODE_SUPERVISE_H
#define CODEMODE_SUPERVISE_H

#include <stdint.h>

/* The hidden first argument; the server's own argv follows it. */
#define SUPERVISE_WORD "__supervise"

/* Descriptor of the line: a stream socket. Orders go down, reports come up. */
#define SUPERVISE_LINE 3

/* Orders, one byte each. The end of the stream means SUPERVISE_KILL. */
#define SUPERVISE_TERM 'T' /* SIGTERM to everything */
#define SUPERVISE_KILL 'K' /* SIGKILL to everything, then the end */

/* Reports: a kind and a number. The end of the stream: nothing is left. */
typedef struct supervise_report {
	uint32_t kind;
	int32_t number;
} supervise_report;

enum {
	SUPERVISE_STARTED = 1, /* number: pid of the server, also its group   */
	SUPERVISE_REFUSED = 2, /* number: errno of fork or exec               */
	SUPERVISE_EXITED = 3   /* number: its status, as waitpid gives it     */
};

/* -1 when argv does not ask for a supervisor (nothing was done); otherwise it
 * supervises, and the result is what main must return. To be called first. */
int supervise_main(int argc, char **argv);

/* Undoes what the parent process may have left: no signal is blocked, SIGCHLD
 * has its default, SIGPIPE is ignored, 0 to 2 are open, all other descriptors
 * close when a child starts. For main, after supervise_main. */
void clean_start(void);

#endif
