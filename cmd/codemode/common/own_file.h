/* SPDX-License-Identifier: MIT */
/*
 * own_file.h -- files of codemode itself in a person's home, which only they
 * may read: configuration, answers, lists of tools, and what --learn keeps.
 */
#ifndef CMD_OWN_FILE_H
#define CMD_OWN_FILE_H

#include "pool.h"

#include "base/buf.h"

typedef enum own_place {
	OWN_CONFIG, /* $XDG_CONFIG_HOME/codemode, or ~/.config/codemode */
	OWN_STATE,  /* $XDG_STATE_HOME/codemode, or ~/.local/state/codemode */
	OWN_CACHE   /* $XDG_CACHE_HOME/codemode, or ~/.cache/codemode */
} own_place;

/* The path of the file called name there; NULL: there is no HOME. */
char *own_file(pool *p, own_place place, const char *name);

/* NULL, or why not: also a file that others may read or write. */
const char *own_file_read(const char *path, buf *out);

/* Makes the folders above it with mode 0700, and the file with 0600. NULL, or why
 * not. */
const char *own_file_make(const char *path);
/* Makes it and writes it. */
const char *own_file_write(const char *path, text content);

#endif
