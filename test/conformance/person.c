/* SPDX-License-Identifier: MIT */
/*
 * person.c -- see person.h.
 *
 * The page of the suite's authorization server sends the browser back at once.
 * So it is asked for without following that, and the address is the answer.
 */
#include "person.h"

#include "auth.h"
#include "http.h"

#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>

static http *person_http;
static auth *person_waits; /* for the page that is asked for */
static char client[3][8192];

static void
page_came(void *ctx, const http_reply *reply)
{
	buf location = BUF_INIT(NULL, 1 << 20);
	text to = http_header(reply->head, "location", &location);

	(void)ctx;
	if (!auth_returned(person_waits, to))
		fprintf(stderr, "the login page answered with status %d\n",
		    reply->status);
	buf_fini(&location);
}

static void
person_browse(void *ctx, auth *a, text url)
{
	static const http_hooks hooks = {.done = page_came};
	char target[8192];
	http_ask ask = {.method = "GET", .url = target, .timeout_ms = 10000};

	(void)ctx;
	snprintf(target, sizeof(target), "%.*s", TEXT_ARG(url));
	person_waits = a;
	http_start(person_http, &ask, &hooks, NULL);
}

/* A member of the scenario's context; NULL: it has none. */
static const char *
context_member(const char *name, char out[8192])
{
	const char *given = getenv("MCP_CONFORMANCE_CONTEXT");
	buf b = BUF_INIT(NULL, 8191);
	json context = TEXT_NONE;
	bool found;

	json_check(text_of(given), JSON_DEPTH, &context, NULL);
	found = json_unescape(json_get(context, text_of(name)), &b);
	snprintf(out, 8192, "%.*s", TEXT_ARG(buf_view(&b)));
	buf_fini(&b);
	return found ? out : NULL;
}

void
person_begin(uv_loop_t *loop, server_config *server)
{
	static const auth_options options = {.browse = person_browse,
	    .redirect = "http://127.0.0.1:5000/callback"};

	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	person_http = http_hold(loop);
	must(person_http != NULL);
	auth_set_person(&options);
	server->auth.client_id = context_member("client_id", client[0]);
	server->auth.client_secret = context_member("client_secret", client[1]);
	server->auth.client_key = context_member("private_key_pem", client[2]);
	/* Used where the scenario knows documents of clients. */
	if (server->auth.client_id == NULL)
		server->auth.client_id =
		    "https://conformance-test.local/client-metadata.json";
}

void
person_end(void)
{
	http_release(person_http);
}
