/* SPDX-License-Identifier: MIT */
/*
 * config.h -- the MCP servers to start, from the configuration files that other
 * MCP clients use.
 *
 * A wrong entry does not affect the others: it is reported with file, line and
 * key, and its server counts as one that did not come up. A file that cannot be
 * read is reported, and the command ends.
 */
#ifndef CMD_CONFIG_H
#define CMD_CONFIG_H

#include "base/json.h"
#include "opt.h"
#include "pool.h"
#include "say_line.h"
#include "servers.h"

typedef enum config_fate {
	CONFIG_START, /* start is complete                          */
	CONFIG_WRONG, /* cannot be started; that was printed        */
	CONFIG_OFF    /* disabled, or this program itself           */
} config_fate;

typedef struct config_entry {
	config_fate fate;
	server_config start;
	json only;      /* array of wanted tools; missing: all of them */
	json except;    /* array of unwanted tools, or missing */
	json unchecked; /* array of tools whose calls are not held against
	                   their schemas, true: all tools; or missing */
	bool told;      /* a result has said that the server is absent */
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

/* The servers of all --mcp and --mcp-server, in their order. None given: those
 * that are found by themselves. False: one cannot be read; that was printed. */
bool config_options(config *c, const opt_values *given);

/* How many entries have that fate. */
size_t config_count(const config *c, config_fate fate);
/* May a script see this tool of the server? */
bool config_tool(const config_entry *e, text tool);
/* Are calls of this tool held against its schemas? */
bool config_checks(const config_entry *e, text tool);

#endif
