/* SPDX-License-Identifier: MIT */
/*
 * audit.h -- the file of --log: which script called which tool with which
 * arguments, the decision about the call, and its result.
 *
 * One JSON object a line (doc/format/log.md), in a file that its owner alone
 * can read (rotating.h). The first write error is printed; scripts go on.
 */
#ifndef CMD_AUDIT_H
#define CMD_AUDIT_H

#include "watch.h"

enum { AUDIT_TEXT_MAX = 16 << 10 }; /* bytes of arguments, or of a message */

typedef struct audit audit;

/* path NULL: *out is NULL. max: bytes of a file, 0: ROTATING_FILE_BYTES. False:
 * the file cannot be written, which was printed. secrets is borrowed and may be
 * NULL. */
bool audit_open(const char *path, uint64_t max, main_loop *loop,
    redactor *secrets, say *s, audit **out);
/* NULL is allowed. The loop must turn once more. */
void audit_close(audit *a);
/* Is there a line about events of that kind? */
bool audit_takes(watch_kind kind);
/* The line is in the file 50 ms later, and sooner when a script ends. */
void audit_write(audit *a, const watch_event *e);

#endif
