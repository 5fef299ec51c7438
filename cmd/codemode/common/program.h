/* SPDX-License-Identifier: MIT */
/*
 * program.h -- which file a command is, and the environment that it gets.
 */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include "pool.h"

/* The file that would be run, by PATH of env and seen from cwd; NULL: there
 * is none that can be run. */
const char *program_find(const char *command, char *const *env,
    const char *cwd, pool *p);

/* Why program_find found none, in words. */
const char *program_missing(const char *command, const char *cwd, pool *p);
/* What is wrong with the interpreter that the first line of a script names;
 * NULL: nothing. */
const char *program_interpreter(
    const char *file, char *const *env, const char *cwd, pool *p);

/* Is that file the program that runs now? */
bool program_is_us(const char *file);

/*
 * The environment of a server before its own entries: variables of this process
 * from a fixed list, so that secrets in others are not passed on. Ends with
 * NULL; there is room for extra entries behind it.
 */
char **program_env(pool *p, size_t extra);
/* Sets name (value NULL: removes it). There must be room for one entry. */
void program_env_set(char **env, const char *name, const char *value,
    pool *p);

#endif
