/* SPDX-License-Identifier: MIT */
/*
 * ends.h -- stdin and stdout as two ends of a conversation, on a loop.
 *
 * They may be pipes, sockets, files or a terminal. A terminal or a pipe does
 * not block the loop. stdout belongs to the conversation alone: what other
 * code of this process prints goes to stderr instead.
 */
#ifndef CMD_ENDS_H
#define CMD_ENDS_H

#include "base/text.h"

#include <uv.h>

typedef struct one_end {
	uv_poll_t poll;
	int fd;
	int flags;  /* as we found them */
	bool polls; /* a file does not: it is always ready */
	bool ready;
} one_end;

typedef struct ends {
	one_end in;
	one_end out;
	bool ended;  /* nothing more comes in */
	bool broken; /* stdout has no reader any more */
} ends;

/* False: errno says why. */
bool ends_open(ends *s, uv_loop_t *loop);
/* The loop has to run once more. */
void ends_close(ends *s);

/* The loop returns when stdout has no reader any more (.broken) and, if wanted,
 * when something comes in. Call it before each turn of the loop. */
void ends_listen(ends *s, bool wanted);
/* Up to len bytes; 0: none for now, or none any more (ended). */
size_t ends_read(ends *s, char *bytes, size_t len);
/* Writes what can be written at once; the loop returns when there is room for
 * the rest. How much it was. */
size_t ends_write(ends *s, text bytes);
#endif
