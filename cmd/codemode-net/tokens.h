/* SPDX-License-Identifier: MIT */
/*
 * tokens.h -- the credentials of each server in a file of its own, which its
 * owner alone can read.
 *
 * They are in $XDG_STATE_HOME/codemode/tokens, or else in
 * ~/.local/state/codemode/tokens. A file has the server's host and the SHA-256
 * of its URL in its name, and the URL inside.
 */
#ifndef NET_TOKENS_H
#define NET_TOKENS_H

#include "base/json.h"

#include <limits.h>

typedef struct token_file {
	char path[PATH_MAX];
	char url[4096]; /* of the server; "": not known yet (tokens_each) */
} token_file;

/* NULL, or why there can be no such file: static or from strerror. */
const char *tokens_open(token_file *f, const char *url);

/* The object in the file, borrowed from bytes; missing: there is none. NULL, or
 * why it cannot be used. */
const char *tokens_read(const token_file *f, buf *bytes, json *kept);
/* Makes the folders, too. */
const char *tokens_write(const token_file *f, json kept);
/* *found: there was one. */
const char *tokens_remove(const token_file *f, bool *found);

/* A lock that processes share; does not wait. -1 and NULL in *why: another one
 * has it. */
int tokens_lock(const token_file *f, const char **why);
void tokens_unlock(int lock);

/* Calls each for every file that there is. */
const char *tokens_each(
    void (*each)(void *ctx, const token_file *f), void *ctx);

#endif
