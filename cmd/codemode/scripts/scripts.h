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
	/* The script of that number prints; may be NULL: the result has it too.
	 * Without secrets; some prints come later, together (scripts_prints.c).
	 */
	void (*print)(void *ctx, uint32_t number, const cm_print *print);
	/* The run has ended as done says. done NULL: it could not go on, status
	 * says why. The run lives until this returns. */
	void (*over)(void *ctx, uint32_t number, cm_run *run,
	    const cm_done *done, cm_status status);
	/* A call of that script (not of a saved script) is answered. May be
	 * NULL. */
	void (*answered)(void *ctx, uint32_t number, const mcp_answer *answer);
	/* A server reports the progress of a call of that script; total 0: not
	 * known. message may be empty. May be NULL. */
	void (*progress)(void *ctx, uint32_t number, cm_call_id call,
	    double progress, double total, text message);
	/* The server of a call of that script asks something: upstream_reply is
	 * due. False: there is no answer. May be NULL. */
	bool (*asked)(void *ctx, uint32_t number, const upstream_question *q);
	/* Ask the person in these words whether that call may be made (call 0:
	 * all calls that the words list). The owner must call scripts_decide,
	 * which it may do at once. caller: the script that calls, which is
	 * number or a saved script that runs for it. NULL: there is no person
	 * to ask. */
	void (*ask)(void *ctx, uint32_t number, uint32_t caller,
	    cm_call_id call, text words);
	/* A call of that script has begun or ended: how many have so far. May
	 * be NULL. */
	void (*calls)(
	    void *ctx, uint32_t number, uint32_t begun, uint32_t ended);
} scripts_hooks;

/* Sums over all scripts since the start. */
typedef struct scripts_counts {
	uint32_t calls;    /* begun */
	uint32_t running;  /* begun and not ended */
	uint64_t received; /* bytes of the servers' replies */
} scripts_counts;

typedef struct scripts {
	upstream *upstream; /* borrowed; its loop and its answers are used */
	scripts_hooks hooks;
	cm_limits limits;
	cm_place *place; /* borrowed; NULL: inline */
	unsigned flags;  /* of each run: CM_RUN_*, besides our own */
	outgoing outgoing;
	struct script *first, *last; /* in the order in which they began */
	size_t len;
	scripts_counts counts;
	unsigned redefined;    /* upstream_redefined at the last withdrawal */
	bool approves;         /* some script has approvals, or had */
	bool value_is_printed; /* on stdout, behind what the script prints */
	unsigned closing;      /* handles that the loop still knows */
	uint32_t saved;        /* saved scripts begun so far */
	const watch *watch;    /* borrowed; NULL: nothing is written */
} scripts;

/* Numbers of the owner's scripts are below this. */
#define SCRIPTS_SAVED 0x80000000u

/* The limits of a server and of a tool hold for all scripts together. Saved
 * scripts have the others each for itself, in that place. */
void scripts_init(scripts *all, upstream *u, const cm_limits *limits,
    cm_place *place, scripts_hooks hooks);
/* Ends the scripts; only their servers are told. Runs the loop. */
void scripts_fini(scripts *all);

/* Takes ownership of the run; code, its text, is for .watch. parent: the
 * traceparent of its client, or empty. False: no memory; the caller keeps the
 * run. */
bool scripts_start(
    scripts *all, uint32_t number, cm_run *run, text code, text parent);
/* The script that was just started makes one call, and its arguments are this
 * JSON as it stands: JavaScript would round numbers beyond 2^53. Takes the bytes
 * of args, which is empty then. */
void scripts_give_args(scripts *all, uint32_t number, buf *args);
/* Ends the script of that number, if there is one, at the next turn. */
void scripts_cancel(scripts *all, uint32_t number, text reason);

/* The answer of the person to hooks.ask. Does nothing when that call is
 * over. */
void scripts_decide(
    scripts *all, uint32_t caller, cm_call_id call, permit_answer answer);

/* With which a run is made for scripts_start. The owner adds what is its own. */
cm_run_options scripts_run_options(const scripts *all);

/* Turns each script that has something to do, oldest first. */
void scripts_turn(scripts *all);
/* Has any script something to do? */
bool scripts_due(const scripts *all);

#endif
