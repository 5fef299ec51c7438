/* SPDX-License-Identifier: MIT */
/*
 * http_serve_parts.h -- what the files of `serve --http` share.
 */
#ifndef HTTP_SERVE_PARTS_H
#define HTTP_SERVE_PARTS_H

#include "http_serve_door.h"
#include "http_serve_issuer.h"
#include "serve/http_serve.h"

extern const http_serve_parts http_serve_functions;

enum {
	HTTP_SERVE_NAME = 80,
	HTTP_SERVE_URL = 128,
	HTTP_SERVE_NAMES = 64,
	REPLY_HEADERS = 6
};

/* The checks of a request before it is accepted. */
typedef struct http_serve_guard {
	const char *token;            /* NULL: none is wanted */
	http_serve_issuer *issuer;    /* the issuer of tokens; NULL: no OAuth */
	text names[HTTP_SERVE_NAMES]; /* that Host and Origin may have */
	size_t count;
} http_serve_guard;

/* Refuses the visit, or does nothing. */
void http_serve_admit(const http_serve_guard *h, visit *v);
/* Gives the subject of the visit's token; without OAuth it is the same for all.
 * False: the visit was refused, or waits for the issuer. */
bool http_serve_subject(
    const http_serve_guard *h, visit *v, unsigned char subject[TOKEN_DIGEST]);
/* A JSON-RPC error as the response. header NULL: no further one. */
void http_serve_refuse(visit *v, unsigned status, const char *why,
    const char *header, const char *value);
/* The headers of each response: four, then the end. The fourth is the type. */
void http_serve_headers(const visit *v, door_header out[REPLY_HEADERS]);
bool http_serve_is_method(const visit *v, const char *name);

/* The address on which a socket listens. */
typedef struct http_serve_place {
	char name[HTTP_SERVE_NAME]; /* as in a Host header, without port */
	char url[HTTP_SERVE_URL];
} http_serve_place;

/* Opens a socket that listens on o->address. -1: the reason was printed. */
int http_serve_listen(
    const http_serve_options *o, http_serve_place *place, say *s);

#endif
