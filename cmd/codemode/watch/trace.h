/* SPDX-License-Identifier: MIT */
/*
 * trace.h -- a file about each script with its events and their times, in the
 * Trace Event format, for `codemode view` and Perfetto (doc/format/trace.md).
 *
 * The script is one thread of the trace, and each lane of a server (one call at
 * a time) is another. The folder is made if it is missing. Only their owner can
 * read the files, and their names sort by time. The first write error is
 * printed; scripts go on.
 */
#ifndef CMD_TRACE_H
#define CMD_TRACE_H

#include "watch.h"

enum {
	TRACE_FILES = 1000,           /* files kept; the oldest are deleted */
	TRACE_FILE_BYTES = 32 << 20,  /* later events are only counted */
	TRACE_SOURCE_BYTES = 1 << 20, /* of the script */
	TRACE_TEXT_BYTES =
	    8 << 10, /* bytes of arguments, of a result, of a text */
	TRACE_END_BYTES =
	    1 << 20 /* bytes of the error, the warnings, the figures */
};

typedef struct trace trace;

/* folder NULL: *out is NULL. False: it cannot be written to, which was printed.
 * folder and secrets are borrowed; secrets may be NULL. */
bool trace_open(const char *folder, redactor *secrets, say *s, trace **out);
/* NULL is allowed. */
void trace_close(trace *t);
void trace_write(trace *t, const watch_event *e);

#endif
