/* SPDX-License-Identifier: MIT */
/*
 * upstream.h -- the servers of a configuration: started, waited for, made into
 * a catalog, called and stopped, on the loop of the command.
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
	bool unchecked;      /* calls are not held against the tools' schemas */
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
	    {"no-check", 0, OPT_FLAG, NULL,                                    \
		"do not check calls against the schemas of the tools",         \
		"Arguments that do not fit go to the server all the same. "    \
		"For one server or some tools: uncheckedTools in the "         \
		"configuration, true or an array of names.",                   \
		offsetof(type, member.unchecked)},                             \
	{                                                                      \
		"quiet", 'q', OPT_FLAG, NULL,                                  \
		    "no progress and no summary on stderr", NULL,              \
		    offsetof(type, member.quiet)                               \
	}

/* Where messages about servers go. */
typedef struct upstream_sink {
	void (*line)(void *ctx, text message);
	void *ctx;
} upstream_sink;

/* Called from the loop: the call of that number has ended. */
typedef void upstream_answered(
    void *ctx, uint32_t number, const mcp_answer *answer);

typedef struct upstream {
	uv_loop_t loop;
	say *say;
	config config;
	servers *servers; /* NULL: none was started */
	size_t *entry;    /* of each server: its config entry */
	size_t count;     /* servers that were started */
	text *names;      /* of the config entries; .named: see upstream.c */
	bool *named;
	bool unchecked;              /* see upstream_options */
	bool open;                   /* the loop and the signals are set up */
	bool ending;                 /* servers that end now are meant to */
	upstream_answered *answered; /* NULL: no call is made */
	void *answered_ctx;
	upstream_sink sink; /* what a server does while scripts run; line NULL:
	                       the messages are printed */
	uint64_t began_ms;
	uv_timer_t tick; /* redraws the live line */
} upstream;

/* Reads the configuration and starts all servers. CLI_OK, or the exit code of
 * the command (the reason was printed); upstream_fini is due in any case. */
cli_exit upstream_start(upstream *u, const upstream_options *o, say *s);
void upstream_fini(upstream *u);

/* Runs the loop until each server that script can name (missing: each server)
 * is up or has failed. CLI_NO_SERVER when none is left that is up or may still
 * come up, CLI_ABORTED after a signal; both were printed. */
cli_exit upstream_wait(upstream *u, const text *script);

/* Is no server still starting? */
bool upstream_settled(const upstream *u);

/* Tells sink of each server that script can name (missing: each server) and
 * that is not there; of each server once. */
void upstream_absent(upstream *u, const text *script, upstream_sink sink);

/* A sink whose ctx is a cm_run: the message becomes a warning of its result. */
void upstream_warn_run(void *run, text message);

/* A catalog of the tools of all servers that are up. */
cm_status upstream_catalog(upstream *u, cm_catalog **out);

/* The server called space, which must have been started. */
size_t upstream_server(const upstream *u, text space);
/* number: not in flight already. CM_OK: 'answered' is called with it later,
 * never before this returns. */
cm_status upstream_call(
    upstream *u, size_t server, uint32_t number, const cm_call *call);
/* The server is told; no answer comes. */
void upstream_cancel(upstream *u, size_t server, uint32_t number);

/* On a terminal: makes the loop return every 100 ms. */
void upstream_tick(upstream *u, bool on);

/* Runs the loop until no process of a server is left. A signal meanwhile kills
 * them at once. hurry: they get a shorter time, because they have nothing to
 * finish (no call was made) or what they do is not wanted any more. */
void upstream_stop(upstream *u, bool hurry);

#endif
