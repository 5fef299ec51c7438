/* SPDX-License-Identifier: MIT */
/*
 * said.h -- the messages that an engine sends to the run, and the verdict that
 * the gate gives on each.
 */
#ifndef GATE_SAID_H
#define GATE_SAID_H

#include "base/text.h"

typedef enum said_kind {
	SAID_CALL,   /* a tool is called                     */
	SAID_CANCEL, /* nobody waits for that call any more  */
	SAID_GROUP,  /* these calls belong together          */
	SAID_TIMER,  /* wake the script in a while           */
	SAID_CLEAR,  /* never mind that timer                */
	SAID_PRINT,  /* text(), console.*(), image()         */
	SAID_WARN,   /* something the model should know      */
	SAID_DONE,   /* the script returned or called exit() */
	SAID_FAIL    /* the script threw, or broke a limit   */
} said_kind;

#define SAID_GROUP_MAX 10000 /* calls; more of them are on their own */

typedef enum print_kind { PRINT_TEXT, PRINT_CONSOLE, PRINT_IMAGE } print_kind;

/* One message; its texts live until the sink returns. */
typedef struct said {
	said_kind kind;
	union {
		struct {
			uint32_t id;   /* 1, 2, 3 ...                        */
			uint32_t tool; /* index in engine_tools              */
			text args;     /* JSON; empty: nothing was passed    */
			uint64_t timeout_ms; /* UINT64_MAX: none      */
		} call;
		uint32_t cancel; /* a call that was issued and not answered */
		struct {
			bool all;   /* in their order; or the first one wins */
			text calls; /* JSON array of their numbers, rising   */
		} group;
		struct {
			uint32_t id; /* 1, 2, 3 … */
			uint64_t ms;
		} timer;
		uint32_t clear; /* a timer that has not fired */
		struct {
			print_kind kind;
			text text; /* base64 for images */
			text mime; /* of images         */
		} print;
		text warn; /* JSON {message, stack?, tool?} */
		struct {
			text value;  /* JSON; empty: undefined                  */
			text writes; /* JSON array of [key, value] and [key]    */
		} done;
		text fail; /* JSON {message, name?, stack?, code?, tool?, …} */
	} u;
} said;

/* Whether the message was taken. A refusal names the limit: the environment
 * tells the script, and the run ends or goes on as the engine's text says. */
typedef struct verdict {
	const char *code; /* NULL: taken; else "OutputLimit", "CallLimit" … */
	char why[160];
} verdict;

#endif
