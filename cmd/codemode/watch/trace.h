/* SPDX-License-Identifier: MIT */
/*
 * trace.h -- a file about each script that shows when what happened: in the
 * Trace Event format, for `codemode view` and Perfetto (doc/format/trace.md).
 *
 * The script is one thread of the trace, and each call at one time of a server
 * is another. The folder is made if need be; files are for their owner alone,
 * and their names sort by time. A file that cannot be written is told once and
 * stops nothing.
 */
#ifndef CMD_TRACE_H
#define CMD_TRACE_H

#include "watch.h"

enum {
	TRACE_FILES = 1000,           /* the oldest are deleted */
	TRACE_FILE_BYTES = 32 << 20,  /* events that come later are counted */
	TRACE_SOURCE_BYTES = 1 << 20, /* of the script */
	TRACE_TEXT_BYTES = 8 << 10,   /* of arguments, of a result, of a text */
	TRACE_END_BYTES = 1 << 20 /* of the error, the warnings, the figures */
};

typedef struct trace trace;

/* folder NULL: *out is NULL. False: it cannot be written to, which was printed.
 * folder and secrets are borrowed; secrets may be NULL. */
bool trace_open(const char *folder, redactor *secrets, say *s, trace **out);
/* NULL is allowed. */
void trace_close(trace *t);
void trace_write(trace *t, const watch_event *e);

#endif
