/* SPDX-License-Identifier: MIT */
/*
 * expect.h -- what a golden script expects, and whether it came.
 */
#ifndef TEST_SCRIPT_EXPECT_H
#define TEST_SCRIPT_EXPECT_H

#include "host.h"

#define FILE_MAX ((size_t)16 << 20) /* bytes of a file of scripts */

/* One script and what is expected of it. */
typedef struct script {
	text file;
	unsigned line; /* of its "////" in the file */
	text name;
	text source;
	json options;
	buf own_source; /* when the marks spell it */
	host_end end;
	size_t printed;    /* items of output that were checked  */
	size_t warned;     /* warnings that were checked         */
	uint64_t may_take; /* milliseconds; 0: as long as it likes */
	bool judged;       /* it says => or !!                   */
	bool any_output;   /* output is none of this case's ideas */
	text or_kind;      /* an error of this kind will do as well */
	unsigned failures;
} script;

/*
 * Does what the marks among these lines say: those that set the run up, or
 * (after) those that look at its end.
 */
void each_mark(script *s, text lines, bool after);
/* What no mark mentioned has not happened, and something was expected. */
void want_silence(script *s);
/* Do these lines say "// quickjs: reason", and does another engine run them? */
bool left_out_here(text lines);
/* Counts a failure and says it. */
void failed(script *s, const char *what, text wanted, text got);

#endif
