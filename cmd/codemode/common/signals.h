/* SPDX-License-Identifier: MIT */
/*
 * signals.h -- Ctrl-C and its kin, for a loop and for a script that computes.
 *
 * A real signal handler, because a script in an endless loop keeps the event
 * loop from running: the handler interrupts the run itself, and wakes the loop
 * in case it sleeps. The callers of 'signals_count' decide what a first and a
 * second signal mean.
 */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include <codemode/codemode.h>
#include <uv.h>

/* SIGINT and SIGTERM are caught from now on, SIGHUP unless it is ignored. 0, or
 * a uv error: nothing was done. */
int signals_init(uv_loop_t *loop);
/* Needs the loop to run once more. */
void signals_fini(void);

/* How many came so far. */
unsigned signals_count(void);
/* The run to interrupt; NULL before it is freed. */
void signals_target(cm_run *run);

#endif
