/* SPDX-License-Identifier: MIT */
/*
 * session.h -- one client of `serve`: its conversation, and what its scripts
 * keep for later ones.
 *
 * How its bytes come and go is its owner's: those of stdin and stdout, or
 * requests of HTTP. The owner gives them to the machine (mcp_serve.h), calls
 * session_obey, and writes what the machine has to say.
 */
#ifndef CMD_SESSION_H
#define CMD_SESSION_H

#include "kept.h"
#include "service.h"
#include "store_file.h"

#include "base/map.h"
#include "mcp/mcp_serve.h"

struct question;

typedef struct session {
	struct session *next; /* of the service */
	service *service;     /* borrowed */
	mcp_server *machine;  /* owned */
	buf store; /* what scripts keep: a checked and trimmed JSON object */
	kept own;
	kept *kept; /* whole results of answers that were cut: .own, or with a
	               store in a file that of the service */
	map told;   /* names of servers whose instructions it was sent; borrowed
	             from the configuration */
	bool shared;   /* stands for many clients, see session_new */
	bool has_news; /* .kept has a new value since the last answer */
	struct question *questions; /* that its person has not answered yet */
} session;

/* shared: it stands for all clients of the era without greeting, each message of
 * which is posted. NULL: no memory. */
session *session_new(service *s, bool shared);
/* Ends its scripts, too. NULL is allowed. */
void session_free(session *c);

/* Does what the client asked for so far. */
void session_obey(session *c);

/* Called by the service: the list of tools has changed. */
cm_status session_offer(session *c);
/* How far that script is, for a client that wants to know. */
void session_progress(
    session *c, uint32_t request, double progress, double total, text message);
/* The script of that request prints. */
void session_log(session *c, uint32_t request, text line);
/* A server logs something. A client that does not read is not sent it. */
void session_server_log(session *c, text server, const mcp_event *event);
/* Makes the client ask its person about that call of the request's script (call
 * 0: about the whole script), in these words; scripts_decide for caller
 * follows. False: the client cannot ask. */
bool session_ask(
    session *c, uint32_t request, uint32_t caller, cm_call_id call, text words);
/* Has the client answer a question of a server, for the sake of the script of
 * that request: upstream_reply follows. False: it cannot be asked. */
bool session_pass_on(session *c, uint32_t request, const upstream_question *q);
/* The store as a script is given it; out: room for it. */
text session_store(session *c, buf *out);
/* The script of that request has ended as done says. done NULL: it could not
 * be run, status says why. */
void session_script_over(session *c, uint32_t request, cm_run *run,
    const cm_done *done, cm_status status);
/* Answers the request: the tool that it names does not exist. */
void session_unknown_tool(session *c, uint32_t request, text name);
/* The same for a direct call; result is passed on as its server sent it.
 * Missing: there is no result of the server. */
void session_direct_over(session *c, uint32_t request, json result,
    const cm_done *done, cm_status status);

#endif
