/* SPDX-License-Identifier: MIT */
/*
 * cmd_serve.c -- `codemode serve`: an MCP server with one tool, behind which
 * the tools of all other servers are.
 *
 * One loop has everything: the clients, the servers, and the scripts, each in a
 * process of its own. There is one client on stdin and stdout, or with --http
 * there are many. A client is greeted at once; what needs the servers waits
 * until each of them is up or has failed.
 */
#include "common/cmd.h"
#include "common/ends.h"
#include "common/file.h"
#include "common/net.h"
#include "common/place_option.h"
#include "common/signals.h"
#include "serve/http_serve.h"
#include "serve/menu.h"
#include "serve/session.h"

#include <errno.h>
#include <stdlib.h>

enum {
	GRACE_MS = 1500,      /* to end what was asked before the end */
	UNREAD_MAX = 8 << 20, /* bytes the client may leave unread   */
	TOKEN_MAX = 4096,
	INSTRUCTIONS_MAX = 64 << 10,
	DESCRIPTION_MAX = 16 << 20
};

typedef struct options {
	upstream_options upstream;
	place_options place;
	service_options service;
	http_serve_options http; /* .address NULL: stdin and stdout */
	opt_values http_names;
	opt_values oauth_scopes;
	const char *token_file, *secret_file;
	watch_options watch;
	const char *instructions; /* a file */
	bool print_description;
} options;

static const opt opts[] = {UPSTREAM_OPTS(options, upstream),
    PLACE_OPTS(options, place), WATCH_OPTS(options, watch),
    {"timeout", 0, OPT_COUNT, "MS", "time for a script (300000)",
	"A call may ask for less, with timeoutMs.",
	offsetof(options, service.limits.wall_ms)},
    {"memory", 0, OPT_BYTES, "BYTES", "memory for its values (256M)", NULL,
	offsetof(options, service.limits.heap)},
    {"max-calls", 0, OPT_COUNT, "N", "tool calls of a script in all (10000)",
	NULL, offsetof(options, service.limits.calls)},
    {"concurrency", 0, OPT_COUNT, "N", "tool calls of a script at a time (16)",
	NULL, offsetof(options, service.limits.calls_at_once)},
    {"server-concurrency", 0, OPT_COUNT, "N",
	"tool calls at a time on one server, of all scripts (none)", NULL,
	offsetof(options, service.limits.space_calls_at_once)},
    {"tool-concurrency", 0, OPT_COUNT, "N",
	"calls of one tool at a time, of all scripts (none)", NULL,
	offsetof(options, service.limits.tool_calls_at_once)},
    {"max-output-tokens", 0, OPT_COUNT, "N",
	"text of one answer, at 4 bytes a token (6000)",
	"What is longer is cut so that JSON stays JSON, the largest parts "
	"first. A script may ask for less, with max_output_tokens in its "
	"options line.",
	offsetof(options, service.output_tokens)},
    {"store", 0, OPT_FILE, "FILE",
	"what scripts keep with store(), as a JSON file",
	"It outlives serve; all clients share it, so it is not for "
	"--oauth-issuer. Whole results of answers that were cut are kept in "
	"FILE.results.",
	offsetof(options, service.store)},
    {"catalog-tokens", 0, OPT_COUNT, "N",
	"tokens of the description that tell of tools (2000)",
	"At 3.6 bytes a token. Tools that only read are shown first, those "
	"that "
	"destroy last; scripts find all others with codemode.search.",
	offsetof(options, service.catalog_tokens)},
    {"instructions", 0, OPT_FILE, "FILE",
	"what models read in place of the description",
	"In the text {{catalog}} stands for the tools, which follow it "
	"otherwise, and {{example}} for a call of one of them.",
	offsetof(options, instructions)},
    {"print-description", 0, OPT_FLAG, NULL,
	"print the description of the tool, as models read it, and end", NULL,
	offsetof(options, print_description)},
    {"http", 0, OPT_TEXT, "ADDRESS:PORT",
	"serve many clients by HTTP, at the path /mcp",
	"In place of stdin and stdout; a port of 0 is any free one. Each "
	"client "
	"has a session and a store of its own; those of revision 2026-07-28, "
	"which has no sessions, share one.",
	offsetof(options, http.address)},
    {"http-token-file", 0, OPT_FILE, "FILE",
	"the bearer token that clients must send",
	"The environment variable CODEMODE_HTTP_TOKEN may hold it instead. One "
	"is needed when other machines can reach the address.",
	offsetof(options, token_file)},
    {"oauth-issuer", 0, OPT_TEXT, "URL",
	"the authorization server whose tokens clients must send",
	"In place of a token that all share: each client logs in there, and "
	"has sessions of its own. Tokens are JWTs with the signature of one of "
	"its keys (RS256, ES256 or EdDSA), or of another kind with "
	"--oauth-client.",
	offsetof(options, http.oauth.issuer)},
    {"oauth-resource", 0, OPT_TEXT, "URL",
	"the URL by which clients reach this server (where it listens)",
	"Clients compare it with the URL that they have been given.",
	offsetof(options, http.oauth.resource)},
    {"oauth-audience", 0, OPT_TEXT, "NAME",
	"what a token must be for (the URL of --oauth-resource)", NULL,
	offsetof(options, http.oauth.audience)},
    {"oauth-scope", 0, OPT_TEXTS, "SCOPE",
	"a scope that a token must have (none)", "May be given many times.",
	offsetof(options, oauth_scopes)},
    {"oauth-client", 0, OPT_TEXT, "ID",
	"the client that asks the issuer about tokens that are no JWT",
	"By token introspection (RFC 7662).",
	offsetof(options, http.oauth.client)},
    {"oauth-secret-file", 0, OPT_FILE, "FILE", "the secret of --oauth-client",
	"The environment variable CODEMODE_OAUTH_SECRET may hold it instead.",
	offsetof(options, secret_file)},
    {"http-open", 0, OPT_FLAG, NULL, "other machines need no token", NULL,
	offsetof(options, http.open)},
    {"http-name", 0, OPT_TEXTS, "NAME",
	"a name of this machine that clients may use",
	"Requests whose Host or Origin header has another name than this, the "
	"address, localhost, 127.0.0.1 or [::1] are refused. May be given many "
	"times.",
	offsetof(options, http_names)},
    {"http-sessions", 0, OPT_COUNT, "N", "clients at a time (100)", NULL,
	offsetof(options, http.sessions)},
    {"http-idle", 0, OPT_COUNT, "MS",
	"when a session that is not used ends (1800000)",
	"The client begins a new one; what its scripts stored is lost.",
	offsetof(options, http.idle_ms)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

typedef struct serve {
	options options;
	say say;
	watch watch;
	main_loop loop;
	upstream upstream;
	cm_place *place;
	pool words; /* of the place's command */
	service service;
	session *client; /* that of stdin and stdout; NULL: --http */
	ends io;
	uv_timer_t grace;        /* runs since the end of stdin */
	buf token, oauth_secret; /* empty: none */
	buf instructions;        /* empty: the built-in text */
	bool over;               /* the loop ends, with .code */
	cli_exit code;
} serve;

/* ------------------------------------------------------------------ client */

/* A client that does not read its answers is not listened to: they would pile
 * up. */
static bool
may_listen(const serve *s)
{
	return mcp_server_out(s->client->machine).len < UNREAD_MAX;
}

static void
on_grace_over(uv_timer_t *grace)
{
	serve *s = grace->data;

	s->over = true;
	main_loop_due(grace->loop);
}

/* The client has closed stdin. What it asked for is still answered if that
 * takes less than GRACE_MS. */
static void
begin_grace(serve *s)
{
	mcp_server_end(s->client->machine);
	session_obey(s->client);
	uv_update_time(&s->loop.uv);
	uv_timer_start(&s->grace, on_grace_over, GRACE_MS, 0);
}

static void
read_client(serve *s)
{
	size_t len, n;
	char *room;

	if (s->io.ended || !may_listen(s))
		return;
	room = mcp_server_room(s->client->machine, &len);
	if (room == NULL) {
		say_line(&s->say, "out of memory");
		s->over = true;
		return;
	}
	n = ends_read(&s->io, room, len);
	mcp_server_fed(s->client->machine, n);
	session_obey(s->client);
	if (s->io.ended)
		begin_grace(s);
}

static void
write_client(serve *s)
{
	text out = mcp_server_out(s->client->machine);

	mcp_server_sent(s->client->machine, ends_write(&s->io, out));
}

/* Says whether the service or a signal ends the loop. */
static bool
is_stopped(serve *s)
{
	if (signals_count() > 0) {
		say_line(&s->say, "stopped by a signal");
		s->code = CLI_ABORTED;
		return true;
	}
	if (s->service.broken)
		s->code = CLI_SANDBOX;
	return s->service.broken;
}

static bool
is_over(serve *s)
{
	if (is_stopped(s) || s->over || s->io.broken)
		return true;
	return s->io.ended && mcp_server_pending(s->client->machine) == 0 &&
	       mcp_server_out(s->client->machine).len == 0;
}

/* Is there something to do that the loop would not return for? */
static bool
has_work_now(const serve *s)
{
	return service_has_work(&s->service) ||
	       (s->io.in.ready && !s->io.ended && may_listen(s));
}

static void
serve_until_over(serve *s)
{
	for (;;) {
		read_client(s);
		write_client(s); /* a ping does not wait for the scripts */
		service_turn(&s->service);
		write_client(s);
		ends_listen(&s->io, may_listen(s));
		if (is_over(s))
			return;
		if (has_work_now(s))
			main_loop_due(&s->loop.uv);
		main_loop_turn(&s->loop);
	}
}

static void
serve_client(serve *s)
{
	uv_timer_init(&s->loop.uv, &s->grace);
	s->grace.data = s;
	serve_until_over(s);
	uv_close((uv_handle_t *)&s->grace, NULL);
}

static void
serve_stdio(serve *s)
{
	s->client = session_new(&s->service, false);
	if (s->client == NULL) {
		say_line(&s->say, "out of memory");
		s->code = CLI_SANDBOX;
		return;
	}
	if (ends_open(&s->io, &s->loop.uv)) {
		serve_client(s);
	} else {
		say_line(&s->say, "stdin and stdout cannot be used: %s",
		    strerror(errno));
		s->code = CLI_USAGE;
	}
	ends_close(&s->io);
	session_free(s->client);
}

/* -------------------------------------------------------------------- HTTP */

static void *
open_session(void *ctx, bool shared)
{
	return session_new(ctx, shared);
}

static mcp_server *
session_machine(void *client)
{
	return ((session *)client)->machine;
}

static void
obey_session(void *client)
{
	session_obey(client);
}

static void
drop_session(void *client)
{
	session_free(client);
}

static void
serve_http(serve *s)
{
	const http_serve_parts *parts = net_parts()->serve;
	const http_serve_hooks hooks = {&s->service, open_session,
	    session_machine, obey_session, drop_session};
	http_serve *h =
	    parts->open(&s->loop, &s->options.http, &hooks, &s->say);

	if (h == NULL) {
		s->code = CLI_USAGE;
		return;
	}
	for (;;) {
		parts->turn(h);
		service_turn(&s->service);
		parts->turn(h);
		if (is_stopped(s))
			break;
		if (service_has_work(&s->service))
			main_loop_due(&s->loop.uv);
		main_loop_turn(&s->loop);
	}
	parts->close(h);
}

/* Reads the text of a file, or else of an environment variable, into out, and
 * points *secret to it. False: the file cannot be used, and the reason was
 * printed. */
static bool
read_secret(say *s, const char *option, const char *path, const char *variable,
    buf *out, const char **secret)
{
	const char *why = NULL, *given = getenv(variable);
	buf raw = BUF_INIT(NULL, TOKEN_MAX);
	text value;

	if (path != NULL)
		why = file_read(path, &raw);
	else if (given != NULL)
		buf_str(&raw, given);
	value = text_trim(buf_view(&raw));
	if (path != NULL && why == NULL && value.len == 0)
		why = "it is empty";
	if (why != NULL)
		say_line(s, "%s %s: %s", option, path, why);
	buf_text(out, value);
	buf_byte(out, '\0');
	if (value.len > 0)
		*secret = out->ptr;
	buf_fini(&raw);
	return why == NULL && out->bad == CM_OK;
}

/* False: a secret cannot be read, or the options exclude each other, and the
 * reason was printed. */
static bool
read_client_secrets(serve *s)
{
	http_serve_options *o = &s->options.http;

	if (!read_secret(&s->say, "--http-token-file", s->options.token_file,
		"CODEMODE_HTTP_TOKEN", &s->token, &o->token) ||
	    !read_secret(&s->say, "--oauth-secret-file", s->options.secret_file,
		"CODEMODE_OAUTH_SECRET", &s->oauth_secret, &o->oauth.secret))
		return false;
	if (o->oauth.issuer == NULL || o->token == NULL)
		return true;
	say_line(&s->say, "--oauth-issuer and a token that all clients share "
			  "(--http-token-file, CODEMODE_HTTP_TOKEN) exclude "
			  "each other");
	return false;
}

/* False: the instructions cannot be used, and the reason was printed. */
static bool
read_instructions(serve *s)
{
	const char *path = s->options.instructions;
	const char *why =
	    path != NULL ? file_read(path, &s->instructions) : NULL;
	text read = buf_view(&s->instructions);

	if (path != NULL && why == NULL && text_trim(read).len == 0)
		why = "it is empty";
	if (why == NULL && utf8_bad(read) != SIZE_MAX)
		why = "it is not UTF-8";
	if (why != NULL)
		say_line(&s->say, "--instructions %s: %s", path, why);
	s->options.service.instructions = read;
	return why == NULL;
}

/* False: the store cannot be used, and the reason was printed. */
static bool
check_store(serve *s)
{
	const char *path = s->options.service.store;

	s->options.service.persons = s->options.http.oauth.issuer != NULL;
	if (path != NULL && s->options.service.persons) {
		say_line(&s->say, "--store: clients of several persons would "
				  "share the file; it is not for "
				  "--oauth-issuer");
		return false;
	}
	return path == NULL || store_file_check(path, &s->say);
}

/* ------------------------------------------------------- making and freeing */

/* What a model reads before it writes a script, once all servers are known. */
static void
print_description(serve *s)
{
	service *p = &s->service;
	buf words = BUF_INIT(NULL, DESCRIPTION_MAX);
	json about;

	while (p->tool.len == 0 && !p->broken && signals_count() == 0) {
		service_turn(p);
		if (p->tool.len == 0)
			main_loop_turn(&s->loop);
	}
	about = json_get(
	    text_sub(buf_view(&p->tool), 0, p->own), TEXT("description"));
	if (json_unescape(about, &words)) {
		say_text(stdout, false, buf_view(&words));
		say_line(&s->say, "%zu bytes, about %zu tokens", words.len,
		    10 * words.len / MENU_TEN_TOKENS);
	}
	s->code = words.len > 0 ? CLI_OK : CLI_ABORTED;
	buf_fini(&words);
}

static void
serve_clients(serve *s)
{
	service_init(&s->service, &s->options.service, &s->upstream, s->place);
	s->service.scripts.watch = &s->watch;
	s->service.scripts.flags = place_options_flags(&s->options.place);
	if (s->options.print_description)
		print_description(s);
	else if (s->options.http.address != NULL)
		serve_http(s);
	else
		serve_stdio(s);
	service_fini(&s->service);
}

static void
serve_all(serve *s)
{
	s->options.http.names = &s->options.http_names;
	s->options.http.oauth.scopes = &s->options.oauth_scopes;
	if (s->options.http.address != NULL && net_parts() == NULL) {
		s->code = net_execute(&s->say, "serve --http");
		return;
	}
	if (watch_network(&s->options.watch, &s->say) != CLI_OK)
		return;
	if (!read_client_secrets(s) || !read_instructions(s) || !check_store(s))
		return;
	s->code = place_options_open(
	    &s->options.place, false, &s->words, &s->say, &s->place);
	if (s->code != CLI_OK)
		return;
	s->code = CLI_SANDBOX;
	if (!main_loop_open(&s->loop, &s->say))
		return;
	s->options.upstream.recall = !s->options.print_description;
	s->code = upstream_start(
	    &s->upstream, &s->loop, &s->options.upstream, &s->say);
	if (s->code == CLI_OK && !watch_open(&s->watch, &s->options.watch, true,
				     &s->loop, s->upstream.secrets, &s->say))
		s->code = CLI_USAGE;
	if (s->code == CLI_OK)
		serve_clients(s);
	watch_close(&s->watch);
	upstream_stop(&s->upstream, true);
	upstream_fini(&s->upstream);
	main_loop_close(&s->loop);
}

static int
serve_main(const cmd *self, int argc, char **argv)
{
	serve s = {.code = CLI_USAGE,
	    .token = BUF_INIT(NULL, TOKEN_MAX),
	    .oauth_secret = BUF_INIT(NULL, TOKEN_MAX),
	    .instructions = BUF_INIT(NULL, INSTRUCTIONS_MAX)};
	opt_outcome parsed;

	say_init(&s.say);
	parsed = opt_parse(self, &argc, argv, &s.options, &s.say);
	s.say.quiet = s.options.upstream.quiet;
	if (parsed == OPT_SHOWN)
		s.code = CLI_OK;
	else if (parsed == OPT_GO && argc > 0)
		say_line(&s.say,
		    "serve: what is \"%s\"? There are only "
		    "options here",
		    argv[0]);
	else if (parsed == OPT_GO)
		serve_all(&s);
	cm_place_free(s.place);
	pool_fini(&s.words);
	buf_fini(&s.token);
	buf_fini(&s.oauth_secret);
	buf_fini(&s.instructions);
	opt_values_fini(&s.options.http_names);
	opt_values_fini(&s.options.oauth_scopes);
	upstream_options_fini(&s.options.upstream);
	return s.code;
}

const cmd cmd_serve = {
    .name = "serve",
    .args = "",
    .does = "be an MCP server whose one tool runs scripts",
    .opts = opts,
    .main = serve_main,
};
