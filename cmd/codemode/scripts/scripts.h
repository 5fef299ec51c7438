/* SPDX-License-Identifier: MIT */
/*
 * scripts.h -- any number of runs on one loop.
 *
 * The owner runs the loop and calls scripts_turn whenever it returns. `run`
 * has one script at a time, `serve` many.
 */
#ifndef CMD_SCRIPTS_H
#define CMD_SCRIPTS_H

#include "outgoing.h"
#include "watch/watch.h"

typedef struct scripts_hooks {
	void *ctx;
	/* The script of that number prints; may be NULL: the result has it too. */
	void (*print)(void *ctx, uint32_t number, const cm_print *print);
	/* The run has ended as done says. done NULL: it could not go on, status
	 * says why. The run lives until this returns. */
	void (*over)(void *ctx, uint32_t number, cm_run *run,
	    const cm_done *done, cm_status status);
	/* A call of that script, no saved one, is answered. May be NULL. */
	void (*answered)(void *ctx, uint32_t number, const mcp_answer *answer);
	/* A server says how far a call of that script is; total 0: not known.
	 * message may be empty. May be NULL. */
	void (*progress)(void *ctx, uint32_t number, cm_call_id call,
	    double progress, double total, text message);
	/* The server of a call of that script asks something: upstream_reply is
	 * due. False: there is no answer. May be NULL. */
	bool (*asked)(void *ctx, uint32_t number, const upstream_question *q);
	/* The person must be asked in these words whether that call may be made
	 * (0: all that the words list): scripts_decide is due, which may be
	 * called at once. caller: which script calls, number itself or a saved
	 * one that runs for it. May be NULL: there is no person to ask. */
	void (*ask)(void *ctx, uint32_t number, uint32_t caller,
	    cm_call_id call, text words);
	/* Makes the run of a saved script, with scripts_flags, for the sake of
	 * that script, with what remains of its time. May be NULL: none can be
	 * called. */
	cm_status (*new_run)(void *ctx, uint32_t number, text code, json data,
	    cm_run **out);
	/* A call of that script has begun or ended: how many did so far. May be
	 * NULL. */
	void (*calls)(
	    void *ctx, uint32_t number, uint32_t begun, uint32_t ended);
} scripts_hooks;

/* Of all scripts since the beginning. */
typedef struct scripts_counts {
	uint32_t calls;    /* begun */
	uint32_t running;  /* begun and not ended */
	uint64_t received; /* bytes of the servers' replies */
} scripts_counts;

typedef struct scripts {
	upstream *upstream; /* borrowed; its loop and its answers are used */
	scripts_hooks hooks;
	outgoing outgoing;
	struct script *first, *last; /* in the order in which they began */
	size_t len;
	scripts_counts counts;
	unsigned redefined; /* tools, when approvals were withdrawn last */
	bool approves;      /* some script has approvals, or had */
	unsigned closing;   /* handles that the loop still knows */
	uint32_t saved;     /* saved scripts that were begun */
	const watch *watch; /* borrowed; NULL: nothing is written */
} scripts;

/* Numbers of the owner's scripts are below this. */
#define SCRIPTS_SAVED 0x80000000u

/* Of limits, those of a server and of a tool hold for all scripts together. */
void scripts_init(
    scripts *all, upstream *u, const cm_limits *limits, scripts_hooks hooks);
/* Ends the scripts; only their servers are told. Runs the loop. */
void scripts_fini(scripts *all);

/* Takes the run over; code, its text, is for .watch. parent: the traceparent that
 * its client sent, or empty. False: no memory; the run
 * is the caller's still. */
bool scripts_start(
    scripts *all, uint32_t number, cm_run *run, text code, text parent);
/* The script of that number, if there is one, ends at the next turn. */
void scripts_cancel(scripts *all, uint32_t number, text reason);

/* What the person says: the answer to hooks.ask. Does nothing when that call is
 * over. */
void scripts_decide(
    scripts *all, uint32_t caller, cm_call_id call, permit_answer answer);

/* Flags of the runs that begin now: scripts_start takes no others. */
unsigned scripts_flags(const scripts *all);

/* Turns each script that has something to do, oldest first. */
void scripts_turn(scripts *all);
/* Is there one that has? */
bool scripts_due(const scripts *all);

#endif
