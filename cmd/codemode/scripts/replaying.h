/* SPDX-License-Identifier: MIT */
/*
 * replaying.h -- a recorded run, made again: its answers come from the record,
 * and what it does is held against it.
 */
#ifndef CMD_REPLAYING_H
#define CMD_REPLAYING_H

#include "recording.h"

typedef struct replaying {
	recorded_run given;
	const recording *record; /* borrowed */
	/* Gets what the script prints; may be NULL. */
	void (*print)(void *ctx, const cm_print *print);
	void *ctx;
	cm_run *run;  /* owned; the result can be read from it */
	size_t heard; /* lines that the new run has written and that were like
	                 those of the record */
	size_t
	    told; /* lines up to the last one of the owner's that was given */
	uint64_t now_ms;
	bool cut; /* the run was stopped where that of the record was, whose
			  script computed then */
	bool diverged; /* line .heard of the record is another, or missing */
	buf got;       /* that line of the new run; empty: it waits for an
			  answer that the record does not have */
	uint64_t calls, answers;
} replaying;

/* Reads the head of the record. NULL, or what is wrong with it (static).
 * replaying_fini is due in any case. */
const char *replaying_init(replaying *p, const recording *record);
/* Makes the run again, in that place (NULL: inline), until it ends or .cut or
 * .diverged is set. *done is set at the end only. */
cm_status replaying_run(replaying *p, cm_place *place, cm_done *done);
void replaying_fini(replaying *p);

#endif
