/* SPDX-License-Identifier: MIT */
/*
 * http_loop.h -- libcurl's requests on a libuv loop, for http.c only.
 *
 * libcurl may not be asked anything while it calls us back. So what a hook asks
 * for then is noted, and done when libcurl has returned.
 */
#ifndef NET_HTTP_LOOP_H
#define NET_HTTP_LOOP_H

#include "http.h"

#include <curl/curl.h>

struct http {
	uv_loop_t *loop;
	struct http *next; /* of another loop */
	CURLM *multi;
	uv_timer_t timer;    /* libcurl's */
	uv_timer_t errand;   /* what was noted outside of libcurl */
	http_request *first; /* of all requests */
	unsigned holds;
	unsigned handles; /* of libuv, open or closing */
	bool in_curl;     /* libcurl is calling us back */
	bool working;     /* http_work is under way */
	bool noted;       /* a request has something noted */
};

/* Ends it when all have released it and libcurl does not call us back. */
void http_close_unused(http *h);

/* http.c: does what was noted, and ends what libcurl has finished. */
void http_work(http *h);

/* Something was noted: http_work is called from the loop. */
void http_note(http *h);
/* Calls of libcurl that may call us back stand between these two. */
void http_enter(http *h);
void http_leave(http *h);

#endif
