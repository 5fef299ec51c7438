/* SPDX-License-Identifier: MIT */
/*
 * upstream.h -- the servers of a configuration: started, waited for, made into
 * catalogs, called and stopped, on the loop of the command.
 */
#ifndef CMD_UPSTREAM_H
#define CMD_UPSTREAM_H

#include "common/cmd.h"
#include "common/main_loop.h"
#include "common/opt.h"
#include "config/config.h"
#include "control/learning.h"
#include "control/permit.h"
#include "control/secrets.h"
#include "saved.h"

#include <codemode/codemode.h>

/* The options that say which servers. Members of a command's own struct. */
typedef struct upstream_options {
	opt_values servers;
	const char *scripts; /* see saved_open */
	uint64_t startup_ms; /* 0: 30 000 */
	bool unchecked; /* calls are not checked against the tools' schemas */
	bool learn;     /* see learning.h */
	bool quiet;
	bool recall; /* tools of servers that are not up yet are those of the
	                last time (list_cache.h) */
	permit_options permit;
	const text *script; /* which servers it can name decides whether this
	                       program can reach them; NULL: all */
} upstream_options;

#define UPSTREAM_OPTS(type, member)                                           \
	{"mcp", 0, OPT_FILES, "FILE|URL|CMD",                                 \
	    "MCP servers: a file, a URL, a command, or none",                 \
	    "A configuration file of any MCP client. May be given many "      \
	    "times; a server in a later file replaces the one of the same "   \
	    "name. Without it servers are looked for where MCP clients keep " \
	    "them, see codemode-config(1); none: there are no servers.",      \
	    offsetof(type, member.servers)},                                  \
	    {"mcp-server", 0, OPT_TEXTS, "NAME=COMMAND",                      \
		"one MCP server, by its command",                             \
		"For example --mcp-server files='npx some-server .'.",        \
		offsetof(type, member.servers)},                              \
	    {"scripts", 0, OPT_FILE, "DIR",                                   \
		"saved scripts, which scripts call as tools.scripts.NAME",    \
		"Each NAME.js or NAME.ts of the folder is one; the comment "  \
		"in front of its code says what it takes. Without it the "    \
		"folder is ~/.config/codemode/scripts; none: there are "      \
		"none.",                                                      \
		offsetof(type, member.scripts)},                              \
	    {"startup-timeout", 0, OPT_COUNT, "MS",                           \
		"how long a server may take to come up (30000)",              \
		"The command goes on with the servers that are up by then.",  \
		offsetof(type, member.startup_ms)},                           \
	    {"no-check", 0, OPT_FLAG, NULL,                                   \
		"do not check calls against the schemas of the tools",        \
		"Arguments that do not fit go to the server all the same. "   \
		"For one server or some tools: uncheckedTools in the "        \
		"configuration, true or an array of names.",                  \
		offsetof(type, member.unchecked)},                            \
	    {"learn", 0, OPT_FLAG, NULL,                                      \
		"learn from calls what tools return, and which are used",     \
		"Of results the types and the names of members, never a "     \
		"value, for tools that declare none; of tools how often "     \
		"they are called. Both are kept for 30 days, in "             \
		"$XDG_CACHE_HOME/codemode (~/.cache/codemode), and shown by " \
		"commands that have this option.",                            \
		offsetof(type, member.learn)},                                \
	    PERMIT_OPTS(type, member.permit),                                 \
	{                                                                     \
		"quiet", 'q', OPT_FLAG, NULL,                                 \
		    "no progress and no summary on stderr", NULL,             \
		    offsetof(type, member.quiet)                              \
	}

void upstream_options_fini(upstream_options *o);

/* Where messages about servers go. */
typedef struct upstream_sink {
	void (*line)(void *ctx, text message);
	void *ctx;
} upstream_sink;

/* What a server wants to know for the sake of a call. Borrowed. */
typedef struct upstream_question {
	size_t server;
	uint64_t asked;
	text method; /* "elicitation/create", "sampling/createMessage" */
	json params; /* an object */
} upstream_question;

/* The hooks of the caller, a script. Called from the loop, with the number of a
 * call. */
typedef struct upstream_caller {
	void *ctx;
	/* It has ended. */
	void (*answered)(void *ctx, uint32_t number, const mcp_answer *answer);
	/* Progress of the call (kind MCP_PROGRESS). */
	void (*progress)(void *ctx, uint32_t number, const mcp_event *event);
	/* Its server asks something: upstream_reply is due. False: there
	 * is no answer. NULL: there never is. */
	bool (*asked)(void *ctx, uint32_t number, const upstream_question *q);
	/* The call is one of a saved script: start it with that data. The hook
	 * must cause 'answered', but not before it returns. NULL: no saved
	 * script can be called. */
	cm_status (*begin)(
	    void *ctx, uint32_t number, const saved_script *script, json data);
	/* Stop that saved script: its call was cancelled. */
	void (*end)(void *ctx, uint32_t number);
	/* Writes the traceparent that the call sends to its server. False:
	 * none. NULL: no call sends one. */
	bool (*parent)(void *ctx, uint32_t number, char out[MCP_PARENT_MAX]);
} upstream_caller;

/* Called from the loop; any pointer may be NULL. */
typedef struct upstream_hooks {
	void *ctx;
	/* upstream_catalog is another one now: a server came up for the first
	 * time, or its list of tools changed. Many changes at once are told
	 * once. */
	void (*catalog_changed)(void *ctx);
	/* The server of that name logs something: event->level, ->message. */
	void (*log)(void *ctx, text server, const mcp_event *event);
} upstream_hooks;

typedef struct upstream {
	main_loop *loop; /* borrowed */
	say *say;
	config config;
	servers *servers; /* NULL: there are none */
	size_t *entry;    /* of each server: its config entry */
	bool *late;       /* of each: that it is late was told */
	char **lists;     /* of each: the path of its cached lists; NULL: none
	                     are cached, or there is no place for them */
	size_t count;     /* servers that can be started */
	text *names;      /* of the config entries; .named: see upstream.c */
	bool *named;
	bool unchecked; /* see upstream_options */
	saved saved;
	permit permit;
	learning learning;
	redactor *secrets; /* owned; NULL: the configuration was not read */
	server_secrets learner; /* of .secrets */
	bool ending;            /* servers are being ended on purpose */
	bool stopped;           /* no process of a server is left */
	upstream_hooks hooks;   /* set by the command */
	unsigned offers;        /* see upstream_offer */
	upstream_caller caller; /* all NULL: no call is made */
	upstream_sink sink; /* what a server does while scripts run; line NULL:
	                       the messages are printed */
	uint64_t began_ms;
	cm_catalog *catalog; /* of the lists as they were; NULL: none yet */
	unsigned made;       /* catalogs so far */
	bool asks;           /* a tool of .catalog is asked about */
	unsigned redefined;  /* how often catalogs had other tools by old
	                        names */
	buf before;          /* a line for each such tool, as it was first */
	cm_catalog *direct;  /* the same, see upstream_direct */
	bool exposes;        /* see upstream_expose */
	bool stale;          /* lists have changed since .catalog was made */
	uv_timer_t debounce; /* until hooks.catalog_changed is called */
} upstream;

/* Reads the configuration; no server is started yet. codemode executes
 * codemode-net here when o->script can name a server at a URL. CLI_OK, or the exit code of
 * the command (the reason was printed); upstream_fini is due in any case. */
cli_exit upstream_start(
    upstream *u, main_loop *loop, const upstream_options *o, say *s);
/* Runs the loop until the handles are closed. */
void upstream_fini(upstream *u);

/* Starts each server that script can name (missing: each server) and that was
 * never up. Once for each script. */
void upstream_want(upstream *u, const text *script);
/* Starts each server whose tools are not known. */
void upstream_want_unlisted(upstream *u);
/* Is none of them starting any more? A late server does not count as
 * starting. */
bool upstream_ready(upstream *u, const text *script);

/* Are the tools of each starting server known? */
bool upstream_listed(const upstream *u);

/* upstream_want, then runs the loop until upstream_ready. CLI_NO_SERVER when no
 * server is left that is up or may still come up, CLI_ABORTED after a signal;
 * both were printed. */
cli_exit upstream_wait(upstream *u, const text *script);

/* Tells sink of each server that script can name (missing: each server) and
 * that is not there. A script that may name any server, because it uses tools in
 * another way than by name, is told of each only if no other one was. */
void upstream_absent(upstream *u, const text *script, upstream_sink sink);

/* A sink whose ctx is a cm_run: the message becomes a warning of its result. */
void upstream_warn_run(void *run, text message);

/* The tools of all servers as their lists are now, which a script that begins
 * now can call. A snapshot: it is never changed, runs that were made from it
 * keep it, and later lists make another one. Lives until the next call. NULL:
 * no memory. */
cm_catalog *upstream_catalog(upstream *u);

/* Of a server below .count. */
text upstream_name(const upstream *u, size_t server);
/* Appends the instructions of the server called space, without secrets. */
void upstream_about(const upstream *u, text space, buf *out);
/* Limits upstream_catalog to the tools that their configuration exposes to
 * scripts. */
void upstream_expose(upstream *u);
/* The tools that are exposed to clients directly, as in upstream_catalog; NULL:
 * there are none, or no memory. With such tools answers have .result. */
cm_catalog *upstream_direct(upstream *u);

/* The saved script of that call has ended: with value, or it failed (value is
 * missing). */
void upstream_saved_over(upstream *u, uint32_t number, json value);
/* How often that tool of a catalog was called, by --learn; 0: not known. */
uint32_t upstream_used(const upstream *u, const cm_tool *t);
/* What servers may ask for from now on: MCP_OFFERS_*, added to what it was. */
void upstream_offer(upstream *u, unsigned offers);
/* The answer to a question; result missing: it failed. */
void upstream_reply(upstream *u, size_t server, uint64_t asked, json result);

/* Is it the namespace of saved scripts? */
bool upstream_is_saved(const upstream *u, text space);
/* The server called space, which must be one of the configuration; for that of
 * saved scripts, a number of its own. */
size_t upstream_server(const upstream *u, text space);
/* Calls each for every tool of all servers, denied ones too. */
void upstream_each_tool(upstream *u,
    void (*each)(void *ctx, const cm_tool *t, policy_decision d), void *ctx);

/* Is that call only noted (--dry-run)? */
bool upstream_is_dry(const upstream *u, const cm_call *call);
/* The same; if so, value gets the answer and words the note for the person. */
bool upstream_dry(
    const upstream *u, const cm_call *call, buf *value, buf *words);

/* May that call be made? */
policy_decision upstream_permits(const upstream *u, const cm_call *call);
/* The tool of that path in the catalog, as a call without id and arguments.
 * False: there is none. */
bool upstream_call_of(const upstream *u, text path, cm_call *out);
/* Appends what the server has changed since the tool was first seen or got the
 * answer "always"; nothing: no change. */
void upstream_changes(const upstream *u, const cm_call *call, buf *out);
/* A number that changes when the lists of tools change. */
unsigned upstream_version(upstream *u);
/* A number that changes when a tool is redefined. */
unsigned upstream_redefined(upstream *u);
/* Do the rules ask about any tool? */
bool upstream_asks(const upstream *u);
/* Allows its tool without asking from now on, and keeps that; a write error is
 * printed. */
void upstream_always(upstream *u, const cm_call *call);
/* number: not in flight already. CM_OK: 'answered' is called with it later,
 * never before this returns. */
cm_status upstream_call(
    upstream *u, size_t server, uint32_t number, const cm_call *call);
/* The server is told; no answer comes. */
void upstream_cancel(upstream *u, size_t server, uint32_t number);

/* Runs the loop until no process of a server is left. A signal meanwhile kills
 * them at once. hurry: they get a shorter time, because they have nothing to
 * finish (no call was made) or what they do is not wanted any more. */
void upstream_stop(upstream *u, bool hurry);

#endif
