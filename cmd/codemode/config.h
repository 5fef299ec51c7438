/* SPDX-License-Identifier: MIT */
/*
 * config.h -- which MCP servers a person wants, from the files that other
 * programs have already made them write.
 *
 * One wrong entry harms no other: it is told with file, line and key, and the
 * server counts as one that did not come up. A file that cannot be read at all
 * is told too, and then the command ends.
 */
#ifndef CMD_CONFIG_H
#define CMD_CONFIG_H

#include "base/json.h"
#include "pool.h"
#include "say_line.h"
#include "servers.h"

typedef enum config_fate {
	CONFIG_START, /* start is complete                          */
	CONFIG_WRONG, /* asked for, but cannot be started: was told */
	CONFIG_OFF    /* disabled, or it is this program itself     */
} config_fate;

typedef struct config_entry {
	config_fate fate;
	server_config start;
	json only;   /* array: the tools that are wanted; missing: all of them */
	json except; /* array: tools that are not wanted; or missing           */
	bool told;   /* that it is absent, to the reader of a result           */
} config_entry;

typedef struct config {
	pool pool;
	say *say;
	const char *cwd; /* absolute */
	config_entry *entry;
	size_t len;
	size_t cap;
} config;

void config_init(config *c, say *s);
void config_fini(config *c);

/* The servers of a file. A name that is there already is replaced. */
bool config_file(config *c, const char *path);
/* "name=command with arguments", from the command line. */
bool config_command(config *c, const char *text);

/* How many entries have that fate. */
size_t config_count(const config *c, config_fate fate);
/* May a script see this tool of the server? */
bool config_tool(const config_entry *e, text tool);

#endif
