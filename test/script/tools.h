/* SPDX-License-Identifier: MIT */
/*
 * tools.h -- the tools that test scripts call.
 *
 * Each is the smallest thing that shows one way in which a call can end:
 *
 *	echo      its arguments
 *	add       a + b
 *	fail      fails with arguments.message ("boom"), .name and .members
 *	slow      after arguments.ms: .value, else how many calls were running
 *	          when it began; or fails then with .fail
 *	hang      never answers
 *	nothing   undefined
 *	nil       null
 *	big       arguments.n small rows
 *	deep      arrays in arrays, arguments.n of them
 *	odd       bytes that are no answer: arguments.kind "json", "utf8", "empty"
 *
 * Tools that a script adds by name answer {"tool": name, "args": arguments}.
 */
#ifndef TEST_SCRIPT_TOOLS_H
#define TEST_SCRIPT_TOOLS_H

#include <codemode/codemode.h>

#include "base/json.h"

/* What a tool decided to answer, and when. */
typedef struct answer {
	bool never;
	bool fails;
	uint64_t after_ms;
	buf body;    /* JSON, or the message of the failure */
	buf name;    /* of the failure */
	json members; /* of the failure; borrowed from the arguments */
} answer;

/* Adds the tools above, then those that with (a JSON array) names. */
cm_status tools_declare(cm_catalog *cat, json with);

/* running counts the calls in flight, this one included. */
void tools_answer(const cm_call *call, unsigned running, answer *a);
void answer_fini(answer *a);

#endif
