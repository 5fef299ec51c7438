/* SPDX-License-Identifier: MIT */
/*
 * main_loop.h -- the one event loop of a command, and when it sleeps.
 *
 * A command owns it and lends it to the servers, the scripts and the ends of
 * its conversation. Callbacks only note what happened; the command acts on that
 * between two turns:
 *
 *	for (;;) {
 *		do what is due
 *		main_loop_turn(l);
 *	}
 *
 * A turn waits until a callback was called. A callback of a timer may run
 * before the turn starts to wait, so a callback whose change the command acts
 * on calls 'main_loop_due'.
 */
#ifndef CMD_MAIN_LOOP_H
#define CMD_MAIN_LOOP_H

#include "say_line.h"

#include <uv.h>

typedef struct main_loop {
	uv_loop_t uv;
	uv_idle_t due;   /* active: this turn does not wait */
	uv_timer_t tick; /* see main_loop_tick */
	bool open;
} main_loop;

/* Signals are caught from here on (signals.h). False: the reason was printed;
 * main_loop_close is allowed all the same. */
bool main_loop_open(main_loop *l, say *s);
/* All handles of others must be closing. */
void main_loop_close(main_loop *l);

/* Waits for events and calls their callbacks, once. */
void main_loop_turn(main_loop *l);
/* The turn that goes on, or else the next one, does not wait. uv is the loop of
 * a handle: a main_loop's. */
void main_loop_due(uv_loop_t *uv);

/* If s has a live line, a turn waits 100 ms at most from now on, so that it can
 * be drawn again. NULL: no more. */
void main_loop_tick(main_loop *l, const say *s);

#endif
