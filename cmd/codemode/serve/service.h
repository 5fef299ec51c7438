/* SPDX-License-Identifier: MIT */
/*
 * service.h -- what all clients of `serve` share: the servers' tools, and the
 * scripts that run or wait for their turn.
 *
 * A client is a session (session.h). It orders a script with service_order and is
 * told of its end by session_script_over. The owner runs the loop and calls
 * service_turn whenever it returns.
 */
#ifndef CMD_SERVICE_H
#define CMD_SERVICE_H

#include "direct.h"
#include "kept.h"

#include "scripts/scripts.h"

struct session;

/* Options of `serve`; borrowed. */
typedef struct service_options {
	cm_limits limits;       /* wall_ms 0: 300 000 */
	uint64_t output_tokens; /* the most in one answer; 0: SERVE_TOKENS */
	const char *store; /* path of the file for store(); NULL: memory only */
	uint64_t catalog_tokens; /* of the tools in the description; 0:
				    MENU_TOKENS */
	text
	    instructions; /* text of the description; empty: the built-in one */
	bool persons;     /* clients of several persons: no answer is kept */
} service_options;

typedef struct service {
	const service_options *options;
	say *say;
	upstream *upstream; /* borrowed; its hooks are used */
	cm_place *place;    /* borrowed */
	kept kept;          /* of all sessions, with .options->store */
	buf tool;   /* as tools/list shows it, and the direct ones behind it;
		       empty: servers still start */
	size_t own; /* bytes of our own tool, at the beginning of .tool */
	direct direct;
	bool stale; /* .tool may be of an older catalog */
	scripts scripts;
	struct order *orders;     /* in the order in which they came */
	struct session *sessions; /* any order */
	size_t session_count;
	uint32_t last_order; /* the latest number given out */
	uint32_t ending;     /* the script that is ending */
	uv_timer_t beat;     /* when progress is told next */
	uint64_t rest_at; /* when the servers start that are not needed for the
	                     first list of tools; UINT64_MAX: they were started */
	bool beats;       /* .beat is a handle that the loop knows */
	bool broken;      /* the tool could not be offered; it was printed */
} service;

/* A script that a client asks for. The buffers are taken over. */
typedef struct service_script {
	buf code, data;   /* data: JSON, or empty */
	uint64_t wall_ms; /* its time limit in ms */
	bool progress;    /* the client wants session_progress */
	bool can_ask;     /* the client can ask its person: session_ask */
	unsigned takes;   /* questions of servers: MCP_OFFERS_* */
	char parent[WATCH_PARENT_MAX]; /* the client's traceparent, or empty */
	bool direct; /* it is direct_script: session_direct_over */
	bool named;  /* .code is the name of a direct tool, which the service
			did not know yet */
} service_script;

void service_init(
    service *s, const service_options *o, upstream *u, cm_place *place);
/* All sessions must have been freed. Runs the loop. */
void service_fini(service *s);

/* The most time that a script gets. */
uint64_t service_wall_ms(const service *s);

/* Queues a script. It ends with session_script_over or service_cancel. False: no
 * memory; the script is the caller's still. */
bool service_order(service *s, struct session *client, uint32_t request,
    service_script *script);
/* The client does not want that script any more; request 0: none of its
 * scripts, and it is never told of one again. */
void service_cancel(
    service *s, struct session *client, uint32_t request, text reason);

/* Sets how many bytes were cut from the answer of the script that
 * session_script_over is about. */
void service_tell_cut(const service *s, uint64_t bytes);

/* Finds the tool with that client name; false: there is none. */
bool service_direct(const service *s, text name, text *path);

/* Offers the tools once they are known, begins scripts and turns those that
 * have something to do. */
void service_turn(service *s);
/* Is there something to do that the loop would not return for? */
bool service_has_work(const service *s);

#endif
