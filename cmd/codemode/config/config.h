/* SPDX-License-Identifier: MIT */
/*
 * config.h -- the MCP servers to start, from the configuration files that other
 * MCP clients use.
 *
 * A wrong entry does not affect the others: it is reported with file, line and
 * key, and its server counts as one that did not come up. A file that is named
 * and cannot be read is reported, and the command ends. Files that are found
 * (config_find.h) are reported in one line.
 */
#ifndef CMD_CONFIG_H
#define CMD_CONFIG_H

#include "base/json.h"
#include "common/opt.h"
#include "common/pool.h"
#include "common/say_line.h"
#include "servers/servers.h"

typedef enum config_fate {
	CONFIG_START, /* start is complete                          */
	CONFIG_WRONG, /* cannot be started; that was printed        */
	CONFIG_OFF    /* disabled, or this program itself           */
} config_fate;

/* Names of tools; * in one stands for any characters. */
typedef struct config_names {
	text name;
	const char *where; /* "file:line: server.key"; NULL: not told of */
	bool used;         /* there is such a tool, or it was told */
	struct config_names *next;
} config_names;

typedef struct config_entry {
	config_fate fate;
	server_config start;
	const char *path;     /* the file; NULL: the command line      */
	const char *why;      /* why it is wrong or off, or what is odd */
	bool filtered;        /* .only counts, also when it is empty   */
	config_names *only;   /* wanted tools                          */
	config_names *except; /* unwanted tools                        */
	bool unchecked;       /* calls are not held against schemas    */
	config_names *unchecked_tools; /* those of these tools are not  */
	unsigned expose; /* EXPOSE_*; 0: EXPOSE_SCRIPT             */
	bool told;       /* a result has reported that the server is not up */
} config_entry;

/* Bits: how `serve` offers the tools of a server. */
enum {
	EXPOSE_SCRIPT = 1, /* scripts call them */
	EXPOSE_DIRECT = 2  /* clients call them, under names of their own */
};

/* The bits that "script", "direct" or "both" stands for; 0: it is none of
 * these. */
unsigned expose_bits(text word);

/* A line that was said about the configuration. */
typedef struct config_note {
	const char *line;
	struct config_note *next;
} config_note;

/* What became of a file. */
typedef enum config_taken {
	TAKEN_READ,
	TAKEN_NONE,      /* has no servers                           */
	TAKEN_UNTRUSTED, /* its text was not trusted yet             */
	TAKEN_BAD        /* cannot be read: .why says more           */
} config_taken;

typedef struct config_source {
	const char *path;
	const char *client; /* whose file it is; NULL: it was given */
	config_taken taken;
	const char *why;
	bool project; /* found in the folder or above, not the user's */
	struct config_source *next;
} config_source;

typedef struct config {
	pool pool;
	say *say;
	const char *cwd;       /* absolute */
	const char *workspace; /* of the file that is read; NULL: by its path */
	json excluded; /* names of its servers that another file switches off */
	config_entry *entry;
	size_t len;
	size_t cap;
	bool found;      /* the files were found, not given */
	bool silent;     /* notes are kept and not printed  */
	bool inspecting; /* nothing will be started: no question     */
	config_note *notes, **last_note;
	config_source *sources, **last_source; /* in the order of reading */
} config;

void config_init(config *c, say *s);
void config_fini(config *c);

struct config_text;

/* ~/.claude.json: what it says of the folder, or of the nearest above it. */
json config_claude_project(const config *c, json document);

/* Adds the entry, or replaces the one of the same name. */
void config_put(config *c, const config_entry *e);
/* The servers of a file that was read. False: it can have none, as reported. */
bool config_read(config *c, const struct config_text *t);
/* The servers of a file. A name that is there already is replaced. */
bool config_file(config *c, const char *path);
/* "name=command with arguments", from the command line. */
bool config_command(config *c, const char *text);

/* The servers of all --mcp and --mcp-server, in their order. None given: those
 * that are found by themselves. False: one cannot be read; that was printed. */
bool config_options(config *c, const opt_values *given);

/* Adds a file to .sources; path is copied. */
config_source *config_add_source(config *c, const char *path);
/* A message about the configuration: kept, and printed unless .silent. */
void config_say(config *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How many entries have that fate. */
size_t config_count(const config *c, config_fate fate);
/* May a script see this tool of the server? */
bool config_tool(const config_entry *e, text tool);
/* Are calls of this tool held against its schemas? */
bool config_checks(const config_entry *e, text tool);
/* Reports names in the filters that no tool had: once, after config_tool was
 * asked for each tool of a complete list. */
void config_unused_names(config *c, config_entry *e);

#endif
