/* SPDX-License-Identifier: MIT */
/*
 * http_serve_guard.c -- which requests come in, by their headers alone.
 *
 * A page in a browser can send requests to this machine. Names in Host and
 * Origin tell them apart, and a type of content that pages cannot send without
 * asking first.
 */
#include "http_serve_parts.h"

#include "mcp/serve_http.h"
#include "oauth/oauth_text.h"

/* ---------------------------------------------------------------- refusals */

bool
http_serve_is_method(const visit *v, const char *name)
{
	return strcmp(v->method, name) == 0;
}

void
http_serve_headers(const visit *v, door_header out[REPLY_HEADERS])
{
	const char *origin = visit_header(v, "Origin");

	out[0] = (door_header){"Access-Control-Allow-Origin", origin};
	out[1] = (door_header){"Access-Control-Expose-Headers",
	    origin ? "Mcp-Session-Id, WWW-Authenticate" : NULL};
	out[2] = (door_header){"Vary", origin ? "Origin" : NULL};
	out[3] = (door_header){"Content-Type", "application/json"};
	out[4] = (door_header){NULL, NULL};
}

void
http_serve_refuse(visit *v, unsigned status, const char *why,
    const char *header, const char *value)
{
	door_header headers[REPLY_HEADERS];
	buf body = BUF_INIT(NULL, 4096);

	http_serve_headers(v, headers);
	if (status == 403 && header == NULL)
		headers[0].value = headers[1].value = NULL;
	headers[4] = (door_header){header, value};
	headers[5] = (door_header){NULL, NULL};
	serve_http_error(&body, TEXT_NONE, -32000, text_of(why));
	visit_reply(v, status, buf_view(&body), headers);
	buf_fini(&body);
}

/* -------------------------------------------------- which requests are let in */

static bool
is_own_host(const http_serve_guard *h, const char *host)
{
	return host != NULL &&
	       serve_http_is_host(text_of(host), h->names, h->count);
}

static bool
is_own_origin(const http_serve_guard *h, const char *origin)
{
	const char *host = strstr(origin, "://");

	return host != NULL && is_own_host(h, host + 3);
}

/* Takes the same time wherever the two differ. */
static bool
is_secret(text given, text secret)
{
	unsigned differ = given.len != secret.len;

	for (size_t i = 0; i < given.len && secret.len > 0; i++)
		differ |= (unsigned char)given.ptr[i] ^
			  (unsigned char)secret.ptr[i % secret.len];
	return differ == 0;
}

/* Empty: the visit has no bearer token. */
static text
token_of_visit(const visit *v)
{
	static const text scheme = TEXT_INIT("bearer ");
	const char *given = visit_header(v, "Authorization");
	text t = given != NULL ? text_of(given) : TEXT_NONE;

	if (!oauth_same_caseless(text_sub(t, 0, scheme.len), scheme))
		return TEXT_NONE;
	return text_trim(text_sub(t, scheme.len, t.len));
}

static void
refuse_token(
    const http_serve_guard *h, visit *v, const token_verdict *t, bool given)
{
	const char *error =
	    t->status == 403 ? "insufficient_scope" : "invalid_token";
	buf words = BUF_INIT(NULL, 256);

	buf_printf(&words, "The bearer token is refused: %s%c", t->why, '\0');
	if (t->status == 503)
		http_serve_refuse(v, 503, t->why, "Retry-After", "10");
	else if (!given)
		http_serve_refuse(v, 401, "A bearer token is wanted",
		    "WWW-Authenticate",
		    issuer_challenge(h->issuer, NULL, NULL));
	else
		http_serve_refuse(v, t->status, words.ptr, "WWW-Authenticate",
		    issuer_challenge(h->issuer, error, t->why));
	buf_fini(&words);
}

bool
http_serve_subject(
    const http_serve_guard *h, visit *v, unsigned char subject[TOKEN_DIGEST])
{
	token_verdict t = {.status = 401};
	text token;

	memset(subject, 0, TOKEN_DIGEST);
	if (h->issuer == NULL)
		return true;
	token = token_of_visit(v);
	if (token.len > 0)
		t = issuer_check(h->issuer, token);
	if (t.status == 200)
		memcpy(subject, t.subject, TOKEN_DIGEST);
	else if (t.status != 0)
		refuse_token(h, v, &t, token.len > 0);
	return t.status == 200;
}

/* False: the visit was refused. If the issuer must be asked first, the visit
 * goes on, and is checked again when it was read. */
static bool
bears_token(const http_serve_guard *h, visit *v)
{
	unsigned char subject[TOKEN_DIGEST];

	if (h->issuer != NULL)
		return http_serve_subject(h, v, subject) || v->response == NULL;
	if (h->token == NULL || is_secret(token_of_visit(v), text_of(h->token)))
		return true;
	http_serve_refuse(
	    v, 401, "A bearer token is wanted", "WWW-Authenticate", "Bearer");
	return false;
}

/* Answers a request for the metadata that names the issuer. False: the request
 * is for something else. */
static bool
answer_metadata(const http_serve_guard *h, visit *v)
{
	door_header headers[REPLY_HEADERS];
	buf document = BUF_INIT(NULL, 64 << 10);
	bool asked = h->issuer != NULL && http_serve_is_method(v, "GET") &&
		     issuer_metadata(h->issuer, v->path, &document);

	http_serve_headers(v, headers);
	if (asked)
		visit_reply(v, 200, buf_view(&document), headers);
	buf_fini(&document);
	return asked;
}

static void
answer_preflight(visit *v)
{
	door_header headers[REPLY_HEADERS];

	http_serve_headers(v, headers);
	headers[3] =
	    (door_header){"Access-Control-Allow-Methods", "POST, GET, DELETE"};
	headers[4] = (door_header){"Access-Control-Allow-Headers",
	    "Authorization, Content-Type, Accept, Mcp-Session-Id, "
	    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID"};
	headers[5] = (door_header){NULL, NULL};
	visit_reply(v, 204, TEXT_NONE, headers);
}

static bool
is_json_type(const char *type)
{
	return type != NULL &&
	       serve_http_accepts(type, TEXT("application/json"));
}

void
http_serve_admit(const http_serve_guard *h, visit *v)
{
	const char *origin = visit_header(v, "Origin");
	const char *length = visit_header(v, "Content-Length");
	size_t at = 0;

	if (!is_own_host(h, visit_header(v, "Host")))
		http_serve_refuse(v, 403,
		    "This server does not go by the name in Host "
		    "(codemode serve --http-name)",
		    NULL, NULL);
	else if (origin != NULL && !is_own_origin(h, origin))
		http_serve_refuse(v, 403,
		    "Pages of this Origin may not come here (codemode serve "
		    "--http-name)",
		    NULL, NULL);
	else if (answer_metadata(h, v))
		return;
	else if (strcmp(v->path, "/mcp") != 0)
		http_serve_refuse(v, 404, "The path is /mcp", NULL, NULL);
	else if (http_serve_is_method(v, "OPTIONS"))
		answer_preflight(v);
	else if (!bears_token(h, v))
		return;
	else if (!http_serve_is_method(v, "POST") &&
		 !http_serve_is_method(v, "GET") &&
		 !http_serve_is_method(v, "DELETE"))
		http_serve_refuse(v, 405, "Not a method of MCP", "Allow",
		    "POST, GET, DELETE");
	else if (length != NULL &&
		 text_decimal(text_of(length), &at) > MCP_ASKED_MAX)
		http_serve_refuse(
		    v, 413, "The request is larger than 16 MiB", NULL, NULL);
	else if (http_serve_is_method(v, "POST") &&
		 !is_json_type(visit_header(v, "Content-Type")))
		http_serve_refuse(v, 415,
		    "Content-Type must be application/json", NULL, NULL);
}
