/* SPDX-License-Identifier: MIT */
/*
 * script.h -- an engine that takes a script as it was given.
 *
 *	            ┌────────────────── script ──────────────────┐
 *	 text ────► │ prepare ─► code ─► engine ─► its messages  │ ─► sink
 *	            │  PREPARED          FAIL: what it means     │
 *	            │  or FAIL           end: WARN of mistakes   │
 *	            └────────────────────────────────────────────┘
 *
 * The first turn reads the text, says in PREPARED what the options line asks
 * for, and gives the code to an engine behind the wall. Errors of the engine
 * get a place, an excerpt and a better message. A script that failed or called
 * tools is checked for mistakes when it ends. When a script runs in a worker,
 * all this is done there, and the owner's process does not read the script.
 *
 *	script_parts.h  what the files of this room share
 *	script.c        the engine_port: prepare, turn, answers
 *	script_say.c    what the engine says, on its way to the sink
 *	script_fault.c  an error's place, excerpt and message
 *	script_check.c  warnings at the end
 *	script_left.c   calls without an answer at the end
 */
#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H

#include "engine/engine.h"

extern const engine_port engine_script; /* QuickJS inside */

#endif
