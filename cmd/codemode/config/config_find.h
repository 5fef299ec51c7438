/* SPDX-License-Identifier: MIT */
/*
 * config_find.h -- the files where other MCP clients keep their servers, and
 * which of them may start something.
 *
 * A project's files were written by its authors. They start nothing
 * until the person at this machine has trusted exactly that text once
 * (trust.h): asked on the terminal, or by `codemode config trust`.
 */
#ifndef CMD_CONFIG_FIND_H
#define CMD_CONFIG_FIND_H

#include "config.h"

/* Is called for each file that there is, in the order in which they count:
 * those of the project, in this folder and above it up to the one with .git,
 * then the person's own. client: whose file it is, e.g. "Claude Code".
 * project: its folder; NULL: the file is the person's own. */
typedef void config_place(
    void *ctx, const char *path, const char *client, const char *project);
void config_places(config *c, config_place *place, void *ctx);

/* Reads those files. A name that was read before is not replaced. Says what was
 * taken, in one line, and which files wait for trust. */
void config_find(config *c);

/* The file of a client that a person has, without asking whether it exists;
 * client: the word of `config add-to`. NULL: no such word, or no HOME. */
const char *config_user_file(config *c, const char *client);

/* A name for the server at a URL or behind a command: "linear" for
 * https://mcp.linear.app/sse. */
const char *config_word_name(config *c, const char *word);

/* What entry e starts: its words, or its URL. */
const char *config_starts(config *c, const config_entry *e);

#endif
