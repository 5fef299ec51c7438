/* SPDX-License-Identifier: MIT */
/*
 * rotating.h -- a file of lines that several processes append to, of which only
 * the latest bytes are kept.
 *
 * A full FILE is renamed to FILE.1, FILE.1 to FILE.2, and so on; the oldest is
 * deleted. Each process compares the inode of its open file with that of the
 * name ten times a second, and more often when it writes much, to notice when
 * another process has renamed the file. Lines are whole, and only those of the
 * oldest file are lost.
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
