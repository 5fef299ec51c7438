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

/* ---------------------------------------------------------------- refusals */

void
http_serve_headers(const visit *v, door_header out[REPLY_HEADERS])
{
	const char *origin = visit_header(v, "Origin");

	out[0] = (door_header){"Access-Control-Allow-Origin", origin};
	out[1] = (door_header){
	    "Access-Control-Expose-Headers", origin ? "Mcp-Session-Id" : NULL};
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
	if (status == 403)
		headers[0].value = headers[1].value = NULL;
	headers[4] = (door_header){header, value};
	headers[5] = (door_header){NULL, NULL};
	serve_http_error(&body, TEXT_NONE, -32000, text_of(why));
	visit_reply(v, status, buf_view(&body), headers);
	buf_fini(&body);
}

/* ------------------------------------------------------------ who may come */

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

static bool
bears_token(const http_serve_guard *h, const visit *v)
{
	static const text scheme = TEXT_INIT("bearer ");
	const char *given = visit_header(v, "Authorization");
	text t = given != NULL ? text_of(given) : TEXT_NONE;
	char head[8] = "";

	if (h->token == NULL)
		return true;
	if (t.len < scheme.len)
		return false;
	for (size_t i = 0; i < scheme.len; i++)
		head[i] = (char)(t.ptr[i] | 0x20);
	return text_eq(text_of(head), scheme) &&
	       is_secret(text_trim(text_sub(t, scheme.len, t.len)),
		   text_of(h->token));
}

bool
http_serve_is_method(const visit *v, const char *name)
{
	return strcmp(v->method, name) == 0;
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
	else if (strcmp(v->path, "/mcp") != 0)
		http_serve_refuse(v, 404, "The path is /mcp", NULL, NULL);
	else if (http_serve_is_method(v, "OPTIONS"))
		answer_preflight(v);
	else if (!bears_token(h, v))
		http_serve_refuse(v, 401, "A bearer token is wanted",
		    "WWW-Authenticate", "Bearer");
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
