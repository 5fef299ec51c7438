/* SPDX-License-Identifier: MIT */
/*
 * config_find.h -- the files where other MCP clients keep their servers, and
 * which of them may start something.
 *
 * A project's files belong to whoever wrote the project. They start nothing
 * until the person at this machine has trusted exactly that text once.
 */
#ifndef CMD_CONFIG_FIND_H
#define CMD_CONFIG_FIND_H

#include "config.h"

/* Reads the files that there are: first those of the project, in this folder
 * and above it up to the one with .git, then the person's own. A name that was
 * read before is not replaced. Says what was taken, in one line. */
void config_find(config *c);

/* A name for the server at a URL or behind a command: "linear" for
 * https://mcp.linear.app/sse. */
const char *config_word_name(config *c, const char *word);

#endif
