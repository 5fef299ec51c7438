/* SPDX-License-Identifier: MIT */
/*
 * http_exchange.h -- what the files of a link over HTTP share.
 *
 *	http_link.c      the link: lines in, its session, its end
 *	http_exchange.c  one request: when it is sent, and again
 *	http_answer.c    what its reply is, and what that leads to
 *	http_stream.c    the streams that no line asked for
 *
 *	         link_write                 reply complete
 *	QUEUED ------------> SENT --------------------------------> dropped
 *	  ^  ^                | |
 *	  |  '-- WAIT_TOKEN <-' '-> LATER (Retry-After; a stream that broke off
 *	  |         401, 403          |      is asked for again)
 *	  '---------------------------'
 */
#ifndef NET_HTTP_EXCHANGE_H
#define NET_HTTP_EXCHANGE_H

#include "credentials.h"
#include "http.h"
#include "servers/link.h"

#include "mcp/sse.h"

enum {
	EXCHANGES_MAX = 256, /* lines that are under way */
	EXCHANGE_ERROR_MAX = 64
			     << 10 /* bytes kept of a reply that is an error */
};

typedef enum exchange_state {
	EXCHANGE_QUEUED,     /* sent when the link's state allows it */
	EXCHANGE_WAIT_TOKEN, /* .wait is with the credentials */
	EXCHANGE_LATER,      /* QUEUED again at .due */
	EXCHANGE_SENT        /* .request */
} exchange_state;

typedef enum exchange_kind {
	EXCHANGE_LINE,   /* POST of a line */
	EXCHANGE_STREAM, /* GET of the server's own messages */
	EXCHANGE_BYE     /* DELETE of the session */
} exchange_kind;

/* What the body of the reply is. */
typedef enum reply_form {
	REPLY_NONE,  /* empty, or not to be read */
	REPLY_JSON,  /* one message */
	REPLY_SSE,   /* a stream of messages */
	REPLY_ERROR, /* what stands there explains the status */
	REPLY_ODD    /* of a type that is no message */
} reply_form;

typedef struct http_session http_session;

typedef struct exchange {
	http_session *l;
	struct exchange *next;
	exchange_kind kind;
	exchange_state state;
	buf line;      /* the message that is sent */
	mcp_line what; /* spans of it */

	http_request *request;
	uint64_t due; /* ms; of LATER, and of SENT: it is dropped */
	auth_wait wait;
	buf token;        /* the Authorization header that was sent */
	unsigned session; /* the number of the session that it was sent in */

	reply_form form;
	buf body; /* JSON, or an error */
	sse events;
	size_t heard; /* events of the present connection */

	unsigned challenges; /* how often a token was refused */
	unsigned delays;     /* how often the server asked for time */
	unsigned resumes;    /* in vain, one after the other */
	bool resuming;       /* it is a GET now */
	bool greeted_again;  /* it was refused for its session once */
	bool answered;       /* its reply was delivered */
	unsigned holds;      /* of functions that work with it */
	bool dropped;        /* freed when it is not held */
} exchange;

/* How messages travel. */
typedef enum http_way {
	WAY_STREAMABLE,
	WAY_ASK_OLD, /* the stream was asked for that names the endpoint */
	WAY_OLD      /* replies come by that stream alone */
} http_way;

struct http_session {
	server_link link; /* first: a link is one */
	uv_loop_t *loop;
	http *h;
	const server_config *server;
	const mcp_client *client;
	credentials *token;
	uv_timer_t timer;

	http_way way;
	buf endpoint;      /* where lines go in WAY_OLD */
	buf session;       /* its id; empty: none */
	unsigned sessions; /* the number of the present one */
	bool listens;      /* the server may have messages of its own for us */
	bool asked;        /* among them requests */
	uint64_t
	    stream_by; /* ms; lines wait for the stream until then; 0: no */
	bool greeting; /* all but the greeting waits until it is complete */
	exchange
	    *greeted_by;  /* initialize, while WAY_ASK_OLD tries the old way */
	int first_status; /* of the POST before that */

	exchange *first; /* oldest first */
	size_t count;
	bool full; /* link_write took less than it was given */
	bool hang_up;
	bool over; /* .ended is due, for the reason in .why */
	char why[300];
};

/* -------------------------------------------------------- http_link.c */

/* Ends the link from the loop. */
void http_session_end(http_session *l, text why);
/* What may be sent now is sent, from the loop. */
void http_session_turn(http_session *l);
/* The reply to initialize named a session; empty: it has none. */
void http_session_begin(http_session *l, text id);
/* The greeting is complete: what waited goes on, and the stream is opened if
 * there is a use for it. */
void http_session_greeted(http_session *l);
/* The server does not know the session of this exchange. False: it was sent in
 * another one, or without. */
bool http_session_lost(http_session *l, exchange *e);

/* ---------------------------------------------------- http_exchange.c */

/* NULL: no memory. line: empty but for EXCHANGE_LINE. */
exchange *exchange_new(http_session *l, exchange_kind kind, text line);
void exchange_send(exchange *e);
/* Again at the end of so many ms. */
void exchange_later(exchange *e, uint64_t ms);
/* Out of the list, and freed when it is not held. */
void exchange_drop(exchange *e);
/* Between these two it may be dropped, but stays in memory. */
void exchange_hold(exchange *e);
void exchange_release(exchange *e);
/* Its request gets no reply: the machine is told, and it is dropped. */
void exchange_fail(exchange *e, int status, text body, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The exchange of the request with this id, or NULL. */
exchange *exchange_of_id(http_session *l, uint64_t id);

/* ------------------------------------------------------ http_answer.c */

extern const http_hooks exchange_hooks;

/* -------------------------------------------------------- http_stream.c */

/* Asks for the stream of the server's own messages. Lines wait for it when it
 * may bring requests: a server without it drops them. */
void stream_open(http_session *l);
/* The headers of its reply came. */
void stream_head(exchange *e);
/* An event of it that is no message. */
void stream_event(exchange *e, const sse_event *event);
/* It ended, or was refused. */
void stream_done(exchange *e, const http_reply *r);
/* It cannot be had, for that reason. */
void stream_lost(exchange *e, text words);
/* The event that names the endpoint did not come in time. */
void stream_late(exchange *e);
/* initialize was refused with this status, or the configuration says that the
 * server is an old one: its stream is asked for. */
void stream_ask_old(http_session *l, exchange *e, int status);

#endif
