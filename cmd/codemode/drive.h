/* SPDX-License-Identifier: MIT */
/*
 * drive.h -- turns a run until it is done: does what its steps ask for.
 */
#ifndef CMD_DRIVE_H
#define CMD_DRIVE_H

#include "show.h"
#include "upstream.h"

typedef struct drive_counts {
	uint32_t calls;    /* that were begun            */
	uint32_t running;  /* of them, not answered yet  */
	uint64_t received; /* bytes of tools' replies    */
	uint64_t ms;       /* that the script took       */
} drive_counts;

/* A warning about a server, into the result of the run ctx. */
void drive_warn(void *ctx, text message);

/* CM_OK: *done is the outcome, its texts live until cm_run_free. What else
 * can come are the failures of cm_run_next. */
cm_status drive_run(
    cm_run *run, upstream *u, show *s, cm_done *done, drive_counts *counts);

#endif
