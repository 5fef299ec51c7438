/* SPDX-License-Identifier: MIT */
/*
 * rotating.h -- a file of lines that several processes append to, of which only
 * the latest bytes are kept.
 *
 * FILE becomes FILE.1 when it is full, what that was FILE.2, and so on; the
 * oldest is deleted. A process notices by the file's inode that another one has
 * done so; it looks ten times a second, and oftener when it writes much. Lines are
 * whole, and none is lost but with the oldest file.
 */
#ifndef CMD_ROTATING_H
#define CMD_ROTATING_H

#include "base/text.h"

enum {
	ROTATING_FILE_BYTES = 64 << 20, /* of one file, unless set */
	ROTATING_FILES = 4              /* FILE, and FILE.1 to FILE.3 */
};

typedef struct rotating {
	const char *path;    /* borrowed */
	uint64_t max;        /* bytes of a file */
	int fd;              /* -1: it could not be opened */
	uint64_t checked_ms; /* when the file was last looked at, monotonic */
	uint64_t unchecked;  /* bytes that were written since */
} rotating;

/* Makes the file, for its owner alone. max 0: ROTATING_FILE_BYTES. False: errno
 * says why not. */
bool rotating_open(rotating *f, const char *path, uint64_t max);
/* Appends lines, which end with LF, in one write. False: errno. */
bool rotating_append(rotating *f, text line);
void rotating_close(rotating *f);

#endif
