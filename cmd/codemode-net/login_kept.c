/* SPDX-License-Identifier: MIT */
/* login_kept.c -- `logout` and `status`: what is kept of logins. */
#include "login.h"

#include "auth.h"
#include "tokens.h"

#include "oauth/oauth.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

enum { KEPT_MAX = 512 << 10, STATUS_MAX = 64 << 20 };

const char *
login_instead(const server_config *server)
{
	if (auth_applies(server))
		return NULL;
	return server->auth.off ? "its configuration says that it has no login"
				: "its configuration has a token";
}

cli_exit
login_forget(const login_ask *ask)
{
	bool found = false;
	token_file f;
	const char *why = tokens_open(&f, ask->server->url);

	if (why == NULL)
		why = tokens_remove(&f, &found);
	if (why != NULL)
		say_line(ask->say, "%s: %s", ask->server->name, why);
	else
		say_line(ask->say,
		    found ? "%s: logged out" : "%s: there was no login",
		    ask->server->name);
	return why == NULL ? CLI_OK : CLI_OUTPUT;
}

/* ------------------------------------------------------------------- status */

typedef struct status {
	const login_ask *ask;
	buf out;
	size_t rows;
} status;

/* What is known of one server. */
typedef struct status_row {
	const char *name;
	const char *url;
	json kept;
	const char *instead; /* of a login; NULL: nothing */
	const char *why;     /* the file cannot be used; NULL: it can */
} status_row;

static text
kept_text(json kept, const char *name)
{
	json v = json_get(kept, text_of(name));

	return json_kind_of(v) == JSON_STRING ? text_sub(v, 1, v.len - 1)
					      : TEXT_NONE;
}

static void
put_expiry(buf *out, json kept)
{
	uint64_t at = oauth_kept_expiry(kept), now = (uint64_t)time(NULL);

	if (oauth_kept_token(kept).len == 0)
		buf_str(out, ", no token");
	else if (at == 0)
		buf_str(out, ", a token");
	else if (at <= now)
		buf_str(out, ", an expired token");
	else
		buf_printf(
		    out, ", a token for %" PRIu64 " min", (at - now + 59) / 60);
	if (oauth_kept_renews(kept))
		buf_str(out, " that is renewed by itself");
}

static void
put_login(buf *out, json kept)
{
	text scope = kept_text(kept, "scope");

	buf_printf(
	    out, "logged in at %.*s", TEXT_ARG(kept_text(kept, "issuer")));
	put_expiry(out, kept);
	if (scope.len > 0)
		buf_printf(out, ", scope \"%.*s\"", TEXT_ARG(scope));
}

static void
put_status_line(buf *out, const status_row *row)
{
	buf_str(out, row->name);
	if (strcmp(row->name, row->url) != 0)
		buf_printf(out, " (%s)", row->url);
	buf_str(out, ": ");
	if (row->instead != NULL)
		buf_str(out, row->instead);
	else if (row->why != NULL)
		buf_str(out, row->why);
	else if (row->kept.len == 0)
		buf_str(out, "no login");
	else
		put_login(out, row->kept);
	buf_byte(out, '\n');
}

static void
put_status_object(buf *out, const status_row *row)
{
	json kept = row->kept;

	json_element(out);
	buf_byte(out, '{');
	json_member_text(out, "name", text_of(row->name));
	json_member_text(out, "url", text_of(row->url));
	json_member_bool(out, "token", oauth_kept_token(kept).len > 0);
	json_member_bool(out, "renewed", oauth_kept_renews(kept));
	json_member_json(out, "issuer", json_get(kept, TEXT("issuer")));
	json_member_json(out, "scope", json_get(kept, TEXT("scope")));
	json_member_json(out, "expires", json_get(kept, TEXT("expires")));
	if (row->instead != NULL)
		json_member_text(out, "instead", text_of(row->instead));
	if (row->why != NULL)
		json_member_text(out, "error", text_of(row->why));
	buf_byte(out, '}');
}

static void
put_status_row(status *st, const status_row *row)
{
	st->rows++;
	if (st->ask->json)
		put_status_object(&st->out, row);
	else
		put_status_line(&st->out, row);
}

static void
put_configured(status *st, const server_config *server)
{
	buf bytes = BUF_INIT(NULL, KEPT_MAX);
	token_file f;
	status_row row = {.name = server->name,
	    .url = server->url,
	    .instead = login_instead(server),
	    .why = tokens_open(&f, server->url)};

	if (row.why == NULL)
		row.why = tokens_read(&f, &bytes, &row.kept);
	put_status_row(st, &row);
	buf_fini(&bytes);
}

static bool
is_configured(const login_ask *ask, const token_file *f)
{
	for (size_t i = 0; i < ask->servers; i++) {
		token_file of_server;

		if (tokens_open(&of_server, ask->server[i].url) == NULL &&
		    strcmp(of_server.path, f->path) == 0)
			return true;
	}
	return false;
}

/* A file of a server that no configuration names; it has the URL in it. */
static void
put_other(void *ctx, const token_file *f)
{
	status *st = ctx;
	buf bytes = BUF_INIT(NULL, KEPT_MAX), url = BUF_INIT(NULL, KEPT_MAX);
	status_row row = {.name = f->path};

	if (!is_configured(st->ask, f)) {
		row.why = tokens_read(f, &bytes, &row.kept);
		json_unescape(json_get(row.kept, TEXT("server")), &url);
		buf_byte(&url, '\0');
		if (url.len > 1)
			row.name = url.ptr;
		row.url = row.name;
		put_status_row(st, &row);
	}
	buf_fini(&url);
	buf_fini(&bytes);
}

cli_exit
login_status(const login_ask *ask)
{
	status st = {.ask = ask, .out = BUF_INIT(NULL, STATUS_MAX)};
	const char *why = NULL;

	buf_str(&st.out, ask->json ? "[" : "");
	for (size_t i = 0; i < ask->servers; i++)
		put_configured(&st, &ask->server[i]);
	if (!ask->one)
		why = tokens_each(put_other, &st);
	buf_str(&st.out, ask->json ? "]\n" : "");
	if (why != NULL)
		say_line(ask->say, "%s", why);
	else if (st.rows == 0 && !ask->json)
		say_line(ask->say, "no server has a login");
	say_text(stdout, isatty(STDOUT_FILENO), buf_view(&st.out));
	buf_fini(&st.out);
	return CLI_OK;
}
