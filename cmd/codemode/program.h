/* SPDX-License-Identifier: MIT */
/*
 * program.h -- which file a command is, and what it inherits from us.
 */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include "pool.h"

/* The file that would be run, by PATH of env and seen from cwd; NULL: there
 * is none that can be run. */
const char *program_find(const char *command, char *const *env,
    const char *cwd, pool *p);

/* Is that file this very program? */
bool program_is_us(const char *file);

/*
 * The environment of a server before its own entries: a fixed list of names,
 * so that secrets in ours stay ours. Ends with NULL; extra places are free
 * behind it for the entries of the server.
 */
char **program_env(pool *p, size_t extra);
/* Sets name (value NULL: removes it). There must be a free place. */
void program_env_set(char **env, const char *name, const char *value,
    pool *p);

#endif
