/* SPDX-License-Identifier: MIT */
/*
 * upstream.h -- the servers of a configuration: started, waited for, made into
 * a catalog, and ended again, on a loop of their own. What `run`, `tools` and `types` have in common.
 */
#ifndef CMD_UPSTREAM_H
#define CMD_UPSTREAM_H

#include "cmd.h"
#include "config.h"
#include "opt.h"

#include <codemode/codemode.h>

/* The options that say which servers. Members of a command's own struct. */
typedef struct upstream_options {
	opt_values servers;
	uint64_t startup_ms; /* 0: 30 000 */
	bool quiet;
} upstream_options;

#define UPSTREAM_OPTS(type, member)                                            \
	{"mcp", 0, OPT_FILES, "FILE", "MCP servers from a configuration file", \
	    "The JSON that MCP clients share: mcpServers with command, args, " \
	    "env and cwd; comments are allowed. May be given many times; a "   \
	    "server in a later file replaces the one of the same name.",       \
	    offsetof(type, member.servers)},                                   \
	    {"mcp-server", 0, OPT_TEXTS, "NAME=COMMAND",                       \
		"one MCP server, by its command",                              \
		"For example --mcp-server files='npx some-server .'.",         \
		offsetof(type, member.servers)},                               \
	    {"startup-timeout", 0, OPT_COUNT, "MS",                            \
		"how long a server may take to come up (30000)",               \
		"The command goes on with the servers that are up by then.",   \
		offsetof(type, member.startup_ms)},                            \
	{                                                                      \
		"quiet", 'q', OPT_FLAG, NULL,                                  \
		    "no progress and no summary on stderr", NULL,              \
		    offsetof(type, member.quiet)                               \
	}

/* What happens while a script runs. */
typedef struct upstream_hooks {
	void *ctx;
	void (*answer)(void *ctx, uint32_t call, const mcp_answer *answer);
	/* Something about a server that belongs into the result of the run. */
	void (*warn)(void *ctx, text message);
} upstream_hooks;

typedef struct upstream {
	uv_loop_t loop;
	say *say;
	config config;
	servers *servers;    /* NULL: none was started             */
	size_t *entry;       /* of each server: its config entry   */
	size_t count;        /* servers that were started          */
	uint32_t *server_of; /* of each call, by its id         */
	size_t calls;
	bool ending; /* what ends now was meant to      */
	upstream_hooks hooks;
	uint64_t began_ms;
	uv_timer_t tick; /* redraws the live line while waiting */
} upstream;

/* Reads the configuration and starts all servers. CLI_OK, or the exit code of
 * the command (it was told why); upstream_fini is due in any case. */
cli_exit upstream_start(upstream *u, const upstream_options *o, say *s);
void upstream_fini(upstream *u);

/* Were servers asked for at all? */
bool upstream_wanted(const upstream *u);

/* Runs the loop until each server that script can name (missing: each server)
 * is up or has failed. CLI_NO_SERVER when not one is left that is up or may
 * still come up, CLI_ABORTED after a signal; both were told. */
cli_exit upstream_wait(upstream *u, const text *script);

/* Is no server still starting? */
bool upstream_settled(const upstream *u);

/* Warns of each server that was asked for and is not there. */
void upstream_absent(
    upstream *u, void (*warn)(void *ctx, text message), void *ctx);
/* Only of those that script can name. */
void upstream_absent_for(upstream *u, const text *script,
    void (*warn)(void *ctx, text message), void *ctx);

/* A catalog of the tools of all that are up. */
cm_status upstream_catalog(upstream *u, cm_catalog **out);

/* The call goes to the server called space; hooks.answer hears of its end. */
void upstream_call(upstream *u, const cm_call *call);
void upstream_cancel(upstream *u, cm_call_id id);

/* Runs the loop until no process of a server is left. A signal meanwhile kills
 * them at once. In a hurry they get a shorter time: after an abort, and when
 * they were never called, so that they have nothing to bring to an end. */
void upstream_stop(upstream *u, bool hurry);

#endif
