/* SPDX-License-Identifier: MIT */
/*
 * scripts.h -- many runs on one loop, each in a process of its own.
 *
 * What drive.h does for one script that the program waits for, this does for
 * any number of them beside everything else that the loop has to do. The
 * owner runs the loop and calls scripts_turn whenever it returns.
 */
#ifndef CMD_SCRIPTS_H
#define CMD_SCRIPTS_H

#include "upstream.h"

/* A run is over, as done says, or done is NULL: it could not go on, status
 * says why. The run lives until this returns. */
typedef void scripts_over(void *ctx, uint32_t number, cm_run *run,
    const cm_done *done, cm_status status);

/* A call of a script, by the number that the servers know it by. */
typedef struct scripts_call {
	struct script *of; /* NULL: free */
	cm_call_id id;
	uint32_t next_free;
} scripts_call;

typedef struct scripts {
	upstream *upstream;
	void *ctx;
	scripts_over *over;
	struct script *first;
	size_t len;
	scripts_call *call;
	size_t calls;
	size_t cap;
	uint32_t free_call; /* the first of them, or calls: there is none */
	unsigned closing;   /* handles that the loop still knows */
} scripts;

/* Takes the hooks of u. */
void scripts_init(scripts *all, upstream *u, scripts_over *over, void *ctx);
/* Stops what runs, without a word to anybody but the servers. Runs the loop. */
void scripts_fini(scripts *all);

/* The run is ours now. False: there is no memory, it is the caller's still. */
bool scripts_start(scripts *all, uint32_t number, cm_run *run);
/* It is over soon; nothing when there is none of that number. */
void scripts_cancel(scripts *all, uint32_t number, text reason);

/* Lets those go on that have a reason to. */
void scripts_turn(scripts *all);
/* Has one of them a reason? */
bool scripts_due(const scripts *all);

#endif
