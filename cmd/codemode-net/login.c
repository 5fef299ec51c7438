/* SPDX-License-Identifier: MIT */
/* login.c -- a person logs in at a server. */
#include "login.h"

#include "auth.h"
#include "common/main_loop.h"
#include "common/signals.h"
#include "common/split.h"
#include "login_listen.h"
#include "tokens.h"

#include "oauth/oauth.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 16 << 10, KEPT_MAX = 512 << 10 };

typedef struct login {
	const login_ask *ask;
	main_loop loop;
	auth *auth;
	auth_wait wait;
	login_listener *listener;
	uv_poll_t input; /* stdin, for what is pasted */
	bool reading;    /* .input is open */
	buf pasted;      /* of a line that is not whole yet */
	bool over;
	cli_exit code;
} login;

/* ------------------------------------------------------------ what is kept */

/* The port that a client was registered with. */
static unsigned
kept_port(const char *url)
{
	buf bytes = BUF_INIT(NULL, KEPT_MAX);
	token_file f;
	json kept = TEXT_NONE;
	unsigned port;

	if (tokens_open(&f, url) == NULL)
		tokens_read(&f, &bytes, &kept);
	port = oauth_kept_port(kept);
	buf_fini(&bytes);
	return port;
}

/* --------------------------------------------------------------- the person */

/* The program that opens a page; the environment may name another one. */
static void
open_browser(login *l, text url)
{
	const char *browser = getenv("BROWSER");
	pool p = {.max = SIZE_MAX / 2};
	const char *why;
	size_t n = 0;
	char **words = split_words(
	    text_of(browser && *browser ? browser : "xdg-open"), &p, &n, &why);
	char **argv = pool_new(&p, (n + 2) * sizeof(*argv));
	uv_stdio_container_t none[3] = {
	    {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}};
	uv_process_options_t options = {.args = argv,
	    .flags = UV_PROCESS_DETACHED,
	    .stdio = none,
	    .stdio_count = 3};
	static uv_process_t process; /* outlives this login */

	if (words != NULL && n > 0) {
		memcpy(argv, words, n * sizeof(*argv));
		argv[n] = pool_copy(&p, url);
		options.file = argv[0];
		if (uv_spawn(&l->loop.uv, &process, &options) != 0)
			say_line(l->ask->say,
			    "there is no browser here: open the page on "
			    "another machine");
		uv_close((uv_handle_t *)&process, NULL);
	}
	pool_fini(&p);
}

static void
warned(void *ctx, text message)
{
	login *l = ctx;

	say_line(l->ask->say, "%.*s", TEXT_ARG(message));
}

static bool
came_back(void *ctx, text url)
{
	login *l = ctx;

	return auth_returned(l->auth, url);
}

/* ------------------------------------------------------------------ pasting */

static void
stop_reading(login *l)
{
	if (l->reading)
		uv_close((uv_handle_t *)&l->input, NULL);
	l->reading = false;
}

static void
end_login(login *l, cli_exit code)
{
	l->over = true;
	l->code = code;
	main_loop_due(&l->loop.uv);
}

static void
take_lines(login *l)
{
	text rest = buf_view(&l->pasted), line;
	size_t end;

	while ((end = text_find(rest, TEXT("\n"), 0)) != SIZE_MAX) {
		line = text_trim(text_sub(rest, 0, end));
		rest = text_sub(rest, end + 1, rest.len);
		if (line.len > 0 && !auth_returned(l->auth, line))
			say_line(l->ask->say,
			    "that is not the answer to this login: paste the "
			    "whole address");
	}
	buf_drop(&l->pasted, l->pasted.len - rest.len);
}

/* False: nothing more comes. */
static bool
read_input(login *l)
{
	char bytes[4096];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

	if (n > 0)
		buf_add(&l->pasted, bytes, (size_t)n);
	else if (l->pasted.len > 0)
		buf_byte(&l->pasted, '\n');
	take_lines(l);
	return n > 0 && l->pasted.bad == CM_OK;
}

static void
input_ready(uv_poll_t *input, int status, int events)
{
	login *l = input->data;

	(void)status;
	(void)events;
	if (!read_input(l))
		stop_reading(l);
}

/* A file is always ready, so that it cannot be waited for: it is read when the
 * login waits for it. */
static void
start_reading(login *l)
{
	if (uv_poll_init(&l->loop.uv, &l->input, STDIN_FILENO) != 0) {
		while (read_input(l))
			;
		return;
	}
	l->input.data = l;
	l->reading = uv_poll_start(&l->input, UV_READABLE, input_ready) == 0;
	if (!l->reading)
		uv_close((uv_handle_t *)&l->input, NULL);
}

static void
browse(void *ctx, auth *a, text url)
{
	login *l = ctx;

	(void)a;
	say_line(l->ask->say, "open this page to log in:\n%.*s", TEXT_ARG(url));
	if (!l->ask->no_browser)
		open_browser(l, url);
	if (!l->ask->no_browser && !isatty(STDIN_FILENO))
		return;
	say_line(l->ask->say,
	    "a browser on another machine ends at an address that it cannot "
	    "open: paste that address here, or the code in it");
	start_reading(l);
}

/* ---------------------------------------------------------------- the login */

static void
logged_in(auth_wait *w, bool ok, text why)
{
	login *l = w->ctx;
	const server_config *s = l->ask->server;

	if (ok)
		say_line(l->ask->say, "%s: logged in", s->name);
	else
		say_line(l->ask->say, "%s: %.*s", s->name, TEXT_ARG(why));
	end_login(l, ok ? CLI_OK : CLI_NO_SERVER);
}

/* On the port that is asked for, or else the one of last time, or a free one. */
static const char *
listen_for_browser(login *l)
{
	const char *redirect = NULL;
	unsigned port = (unsigned)l->ask->port;
	int why = 0;

	if (port == 0)
		port = kept_port(l->ask->server->url);
	l->listener =
	    login_listen(&l->loop.uv, port, came_back, l, &redirect, &why);
	if (l->listener == NULL && l->ask->port == 0 && port != 0)
		l->listener =
		    login_listen(&l->loop.uv, 0, came_back, l, &redirect, &why);
	if (l->listener != NULL)
		return redirect;
	say_line(l->ask->say, "the port %u of 127.0.0.1: %s", port,
	    uv_strerror(why));
	return NULL;
}

static void
log_in(login *l, const char *redirect)
{
	const auth_options options = {.browse = browse,
	    .ctx = l,
	    .redirect = redirect,
	    .warning = warned};

	l->auth = auth_new(&l->loop.uv, l->ask->server, &options);
	if (l->auth == NULL) {
		say_line(l->ask->say, "there is no memory");
		return;
	}
	l->wait = (auth_wait){.done = logged_in, .ctx = l};
	auth_login(l->auth, text_of(l->ask->scope), &l->wait);
	while (!l->over && signals_count() == 0)
		main_loop_turn(&l->loop);
	if (!l->over)
		l->code = CLI_ABORTED;
}

cli_exit
login_run(const login_ask *ask)
{
	login l = {.ask = ask,
	    .pasted = BUF_INIT(NULL, LINE_MAX_BYTES),
	    .code = CLI_SANDBOX};
	const char *instead = login_instead(ask->server);
	const char *redirect;

	if (instead != NULL) {
		say_line(ask->say, "%s: %s", ask->server->name, instead);
		return CLI_USAGE;
	}
	if (main_loop_open(&l.loop, ask->say)) {
		redirect = listen_for_browser(&l);
		if (redirect != NULL)
			log_in(&l, redirect);
		stop_reading(&l);
		auth_free(l.auth);
		login_listen_close(l.listener);
	}
	main_loop_close(&l.loop);
	buf_fini(&l.pasted);
	return l.code;
}
