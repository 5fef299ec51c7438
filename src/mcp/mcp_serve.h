/* SPDX-License-Identifier: MIT */
/*
 * mcp_serve.h -- an MCP server, seen from its client: bytes in, bytes out.
 *
 * The other end of client.h, and a machine like it: what the client wrote goes
 * in with mcp_server_room and mcp_server_fed, what it must be sent is in
 * mcp_server_out, and what it asks for comes out of mcp_server_next. It never
 * touches the system and needs no clock.
 *
 *	mcp_server_fed(s, n);
 *	while (mcp_server_next(s, &asked))
 *		...
 *	write mcp_server_out(s), then mcp_server_sent(s, n)
 *
 * The protocol is JSON-RPC in lines, of both eras: with `initialize`,
 * revisions 2024-11-05 to 2025-11-25, and without it, 2026-07-28, where each
 * request says by itself what it speaks. The greeting is answered at once; a
 * list that is asked for before mcp_server_offer is answered by that. Each
 * request is answered once, or never when its client has cancelled it.
 *
 * Over HTTP each message of the client comes alone (mcp_server_post) and has a
 * stream of its own back: a channel. Each line that goes out says which channel
 * it belongs to; what belongs to no request goes to channel 0.
 */
#ifndef MCP_SERVE_H
#define MCP_SERVE_H

#include "base/json.h"

#include <codemode/codemode.h>

#define MCP_ASKED_MAX ((size_t)16 << 20) /* bytes of one request */

typedef struct mcp_server mcp_server;

/* Severities, as syslog has them. */
typedef enum mcp_level {
	MCP_LOG_DEBUG,
	MCP_LOG_INFO,
	MCP_LOG_NOTICE,
	MCP_LOG_WARNING,
	MCP_LOG_ERROR,
	MCP_LOG_CRITICAL,
	MCP_LOG_ALERT,
	MCP_LOG_EMERGENCY,
	MCP_LOG_SILENT /* nothing is this severe */
} mcp_level;

/* MCP_LOG_SILENT: there is no level of that name. */
mcp_level mcp_level_named(text name);

/* Lists whose changes a client can be told. Bits. */
typedef enum mcp_topic {
	MCP_TOOLS = 1,
	MCP_PROMPTS = 2,
	MCP_RESOURCES = 4
} mcp_topic;

/* Texts are borrowed. */
typedef struct mcp_server_options {
	const cm_alloc *alloc; /* NULL: malloc */
	text tool;         /* the name of the one tool; missing: many tools */
	json capabilities; /* missing: MCP_CAPABILITIES */
	unsigned topics;   /* 0: MCP_TOOLS */
	mcp_level
	    level; /* of the log, until the client sets one; 0: all of it */
	/* Makes random bytes. NULL: clients of the era without greeting are
	 * asked nothing, and a requestState of theirs is in .params. */
	void (*random)(void *bytes, size_t len);
	bool others; /* methods that the machine does not know are asked for */
	bool
	    shared; /* many clients of the era without greeting, each message of
	                which is posted: none can cancel what another one asked */
} mcp_server_options;

#define MCP_CAPABILITIES "{\"tools\":{\"listChanged\":true},\"logging\":{}}"

typedef enum mcp_asked_kind {
	MCP_ASKED_CALL,  /* arguments; answer with mcp_server_answer */
	MCP_ASKED_STOP,  /* the client no longer waits for that request */
	MCP_ASKED_OTHER, /* method and params; mcp_server_reply or _refuse */
	MCP_ASKED_REPLY  /* what mcp_server_ask asked: result or error */
} mcp_asked_kind;

/* Texts live until the next mcp_server_ call. */
typedef struct mcp_asked {
	mcp_asked_kind kind;
	uint32_t request; /* 1, 2, 3 ...: ours, not the client's id; of a reply:
	                     what mcp_server_ask returned */
	bool modern;      /* the era without greeting */
	bool progress;    /* the client wants mcp_server_progress */
	json name;        /* of the tool that is called, a string */
	json arguments;   /* an object, or missing */
	text reason;      /* of a stop, as a JSON string, or missing */
	json method;      /* a string */
	json params;      /* of a call too: an object, or missing */
	json can;         /* capabilities of the client, or missing */
	json result;      /* of a reply; missing: it failed */
} mcp_asked;

/* NULL when there is no memory. */
mcp_server *mcp_server_new(const mcp_server_options *opts);
void mcp_server_free(mcp_server *s);

/* Place for *len bytes that the client wrote, at least 1; NULL: no memory. Not
 * before mcp_server_next said that nothing more is there. */
char *mcp_server_room(mcp_server *s, size_t *len);
/* n bytes were put there. */
void mcp_server_fed(mcp_server *s, size_t n);
/* Nothing more will come: what stands there without a line break is a line. */
void mcp_server_end(mcp_server *s);
/* In place of bytes: one message, which stays where it is until
 * mcp_server_next has said that nothing more is there. Its answers go to
 * channel, which is not 0. */
void mcp_server_post(mcp_server *s, text message, uint32_t channel);
/* That channel is closed: what was asked there is no longer waited for. */
void mcp_server_hang_up(mcp_server *s, uint32_t channel);
/* The next thing that the client wants; false: nothing more for now. */
bool mcp_server_next(mcp_server *s, mcp_asked *out);

/* Bytes to write; they live until the next mcp_server_ call. */
text mcp_server_out(const mcp_server *s);
/* The first n of them were written. */
void mcp_server_sent(mcp_server *s, size_t n);

/* A message of them, without its line break. */
typedef struct mcp_said {
	text line;
	uint32_t channel;
	bool answer;
	int error; /* the code, when it is an error; else 0 */
} mcp_said;
/* The first one; false: none waits. After it mcp_server_sent is due, with one
 * byte more than .line has. */
bool mcp_server_line(const mcp_server *s, mcp_said *out);
/* Requests of that channel that were not answered yet. */
size_t mcp_server_waits(const mcp_server *s, uint32_t channel);

/* The tool as tools/list shows it, an object on one line (with many tools:
 * objects, with commas between them); copied. From now on lists are answered,
 * and those that waited are. Clients that have seen another text are told.
 * CM_ENOMEM: nothing changed. */
cm_status mcp_server_offer(mcp_server *s, json tool);
/* Clients that want to know are told that one of these lists has changed. */
void mcp_server_changed(mcp_server *s, mcp_topic topic);

/* The answer to a call: content is an array of blocks on one line. CM_ENOCALL:
 * the client does not wait for it (any more), which is harmless. CM_ELIMIT, CM_ENOMEM: the
 * client was told that there is no room for the answer. */
cm_status mcp_server_answer(
    mcp_server *s, uint32_t request, json content, bool failed);
/* The same, not failed, with the object that the content says in text. */
cm_status mcp_server_answer_object(
    mcp_server *s, uint32_t request, json content, json object);
/* The answer to any request: the members of the result, without braces. Those
 * that each result of the client's era has are written in front of them, unless
 * they begin with "resultType". */
cm_status mcp_server_reply(mcp_server *s, uint32_t request, text members);
/* An error as the answer; data: missing: none. */
cm_status mcp_server_refuse(
    mcp_server *s, uint32_t request, int code, text message, json data);

/* How far a request is; total 0: not known; message may be empty. Sent when the
 * client has asked for it and progress is larger than the last time. */
void mcp_server_progress(mcp_server *s, uint32_t request, double progress,
    double total, text message);
/* A line of the log: of a request, or 0. logger: missing: none. Sent when the
 * client has asked for lines of that level. */
void mcp_server_log(
    mcp_server *s, uint32_t request, mcp_level level, text logger, text words);
/* Asks the client something for the sake of a request, or of none (0). Returns
 * what a MCP_ASKED_REPLY will have as .request; 0: no memory, or the client's
 * era does not have it. In the era without greeting the call is answered with the
 * question; it stays open here until the client makes it again. */
uint32_t mcp_server_ask(
    mcp_server *s, uint32_t request, const char *method, json params);

/* What the client's revision of the protocol lacks; its readers refuse a whole
 * answer for a block that they do not know. */
typedef struct mcp_lacks {
	bool audio, links;
} mcp_lacks;
mcp_lacks mcp_server_lacks(const mcp_server *s);

/* Is that a revision that the server speaks? */
bool mcp_server_speaks(text revision);
/* The one without greeting. */
#define MCP_MODERN "2026-07-28"

/* Requests that were not answered yet; those that only listen aside. */
size_t mcp_server_pending(const mcp_server *s);

#endif
