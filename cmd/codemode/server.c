/* SPDX-License-Identifier: MIT */
/*
 * server.c -- one MCP server as a child process, on a libuv loop.
 *
 * A server is a protocol machine (mcp/client.h), a child process (child.h) and
 * one timer for both. 'turn_server' connects the three: it fetches the events of
 * the machine, writes what the machine wants to send, takes the next step of
 * the shutdown when that is due, and sets the timer.
 *
 *	RUNNING -> stdin closed -> SIGTERM -> SIGKILL -> ended -> closed
 *
 * A shutdown starts when the owner asks for it, and when the server is of no
 * more use: it broke the protocol, missed its deadline or closed its stdout.
 */
#include "server.h"

#include "child.h"
#include "monotonic.h"
#include "net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	USELESS_GRACE_MS = 500, /* for one that cannot be talked to any more */
	UNGREETED_GRACE_MS = 250, /* from SIGTERM to SIGKILL, for a server that
	                             was never up: it has nothing to finish */
	TAIL_SHOWN = 1000
};

/* --------------------------------------------------------------- messages */

/* The last line of t that says something. */
static text
last_line(text t)
{
	text line, last = TEXT_NONE;

	while (text_line(&t, &line))
		if (text_trim(line).len > 0)
			last = text_trim(line);
	return last;
}

/* Keeps the reason, and the last line of the server's stderr, where the cause
 * often stands. One line: a model reads it. */
static void
set_reason(server *s, text reason)
{
	char tail[TAIL_SHOWN];
	size_t n = link_last_words(s->link, tail, sizeof(tail));
	text last = last_line((text){tail, n});
	buf why = BUF_INIT(NULL, SERVER_WHY_MAX);

	buf_text(&why, text_head(reason, SERVER_WHY_MAX / 2));
	if (last.len > 0)
		buf_printf(
		    &why, " (its last words on stderr: %.*s)", TEXT_ARG(last));
	memcpy(s->why, why.ptr ? why.ptr : "", why.len);
	s->why_len = why.len;
	buf_fini(&why);
}

/* ------------------------------------------------------------------ events */

static void turn_server(server *s);

static void
set_state(server *s, server_state state)
{
	const servers_hooks *h = &s->all->hooks;

	if (s->state == state)
		return;
	s->state = state;
	if (h->changed)
		h->changed(h->ctx, s->index);
}

/* Starts the orderly end, or hurries it. */
static void
shut_down(server *s, uint64_t grace_ms)
{
	uint64_t ends = monotonic_ms() + grace_ms;

	if (s->stage == STAGE_KILL)
		return;
	if (s->stage == STAGE_RUNNING) {
		s->stage = STAGE_CLOSING;
		s->stage_ends = UINT64_MAX;
		s->grace_ms = grace_ms;
	}
	if (grace_ms < s->grace_ms)
		s->grace_ms = grace_ms;
	if (ends < s->stage_ends)
		s->stage_ends = ends;
}

void
server_stop(server *s, uint64_t grace_ms)
{
	bool ungreeted = s->state == SERVER_STARTING;

	if (ungreeted && grace_ms > UNGREETED_GRACE_MS)
		grace_ms = UNGREETED_GRACE_MS;
	mcp_client_close(s->client, TEXT("it was stopped"));
	shut_down(s, grace_ms);
	if (ungreeted && s->stage == STAGE_CLOSING)
		s->stage_ends = monotonic_ms();
	server_turn_soon(s);
}

static void
on_down(server *s, text message)
{
	if (s->why_len == 0)
		set_reason(s, message);
	if (s->stage == STAGE_RUNNING)
		shut_down(s, USELESS_GRACE_MS);
	set_state(s, SERVER_FAILED);
}

static void
on_answer(server *s, const mcp_event *e)
{
	const servers_hooks *h = &s->all->hooks;

	if (h->answer)
		h->answer(h->ctx, s->index, e->call, &e->answer);
}

static void
on_warning(server *s, text message)
{
	const servers_hooks *h = &s->all->hooks;

	if (h->warning)
		h->warning(h->ctx, s->index, message);
}

static void
handle_event(server *s, const mcp_event *e)
{
	switch (e->kind) {
	case MCP_UP:
		set_state(s, SERVER_UP);
		break;
	case MCP_ANSWER:
		on_answer(s, e);
		break;
	case MCP_WARNING:
		on_warning(s, e->message);
		break;
	case MCP_CHANGED: /* not acted on: a catalog is made once */
	case MCP_PROGRESS:
	case MCP_LOG:
	case MCP_ASKED:
		break;
	case MCP_DOWN:
		on_down(s, e->message);
		break;
	}
}

/* -------------------------------------------------------------- one server */

void
server_say(server *s)
{
	text out = mcp_client_out(s->client);

	if (!s->link)
		return;
	mcp_client_sent(s->client, link_write(s->link, out));
	if (s->link->input_closed && s->stage == STAGE_RUNNING)
		shut_down(s, USELESS_GRACE_MS);
	if (s->stage != STAGE_RUNNING && mcp_client_out(s->client).len == 0)
		link_hang_up(s->link);
}

static void
next_stage(server *s)
{
	/* It did not exit, so this is the reason. */
	if (s->link->silent && s->why_len == 0)
		set_reason(s, TEXT("it closed its stdout"));
	if (s->link->input_closed && s->why_len == 0)
		set_reason(s, TEXT("it closed its stdin"));
	s->stage++;
	if (s->stage == STAGE_TERM) {
		link_hang_up(s->link);
		link_term(s->link);
		s->stage_ends = monotonic_ms() + s->grace_ms;
	} else {
		link_kill(s->link);
		s->stage_ends = UINT64_MAX;
	}
}

static void
on_server_timer(uv_timer_t *timer)
{
	turn_server(timer->data);
}

static void
set_server_timer(server *s)
{
	uint64_t due = mcp_client_deadline(s->client), now = monotonic_ms();

	if (s->stage != STAGE_RUNNING && s->stage_ends < due)
		due = s->stage_ends;
	if (uv_is_closing((uv_handle_t *)&s->timer))
		return;
	if (due == UINT64_MAX)
		uv_timer_stop(&s->timer);
	else
		uv_timer_start(
		    &s->timer, on_server_timer, due > now ? due - now : 0, 0);
}

static void on_timer_closed(uv_handle_t *timer);

/* The link has ended: all calls in flight fail with its cause. */
static void
fail_calls(server *s)
{
	char words[200];

	if (s->why_len == 0)
		set_reason(s, link_cause(s->link, words, sizeof(words)));
	mcp_client_close(s->client, (text){s->why, s->why_len});
}

void
server_go(server *s)
{
	s->closing = true;
	link_close(s->link);
	uv_close((uv_handle_t *)&s->timer, on_timer_closed);
}

void
server_events(server *s)
{
	mcp_event e;

	mcp_client_tick(s->client, monotonic_ms());
	while (mcp_client_next(s->client, &e))
		handle_event(s, &e);
}

static void
turn_server(server *s)
{
	bool over;

	if (s->turning || s->closing)
		return;
	s->turning = true;
	over = !s->link || s->link->ended;
	if (over)
		fail_calls(s);
	server_events(s);
	while (!over && s->stage != STAGE_RUNNING &&
	       s->stage_ends <= monotonic_ms())
		next_stage(s);
	server_say(s);
	if (over)
		server_go(s);
	else
		set_server_timer(s);
	s->turning = false;
}

/* For callers that must not be called back before they return. */
void
server_turn_soon(server *s)
{
	if (s->closing) {
		servers_errand(s->all);
	} else if (!s->turning) {
		uv_update_time(s->all->loop);
		uv_timer_start(&s->timer, on_server_timer, 0, 0);
	}
}

/* ------------------------------------------------------- hooks of the link */

static char *
on_link_room(void *ctx, size_t *len)
{
	server *s = ctx;

	return mcp_client_room(s->client, len);
}

static void
on_link_output(void *ctx, size_t n)
{
	server *s = ctx;

	mcp_client_fed(s->client, n);
	turn_server(s);
}

/* Most often the server is exiting: wait for its status before the reason is
 * set. */
static void
on_link_silent(void *ctx)
{
	server *s = ctx;

	if (s->stage == STAGE_RUNNING)
		shut_down(s, USELESS_GRACE_MS);
	turn_server(s);
}

static void
on_link_writable(void *ctx)
{
	turn_server(ctx);
}

static void
on_link_ended(void *ctx)
{
	turn_server(ctx);
}

static void
on_link_message(void *ctx, char *message, size_t len)
{
	server *s = ctx;

	if (s->closing)
		return;
	mcp_client_line(s->client, message, len);
	turn_server(s);
}

static void
on_request_failed(void *ctx, uint64_t id, const mcp_failure *why)
{
	server *s = ctx;

	mcp_client_failed(s->client, id, why);
	turn_server(s);
}

static void
on_session_lost(void *ctx)
{
	server *s = ctx;

	mcp_client_again(s->client);
	turn_server(s);
}

static void
on_link_warning(void *ctx, text message)
{
	on_warning(ctx, message);
}

static void
handle_gone(server *s)
{
	servers *all = s->all;

	if (--s->handles)
		return;
	if (--all->left == 0 && all->done)
		all->done(all->hooks.ctx);
}

static void
on_link_closed(void *ctx)
{
	handle_gone(ctx);
}

static void
on_timer_closed(uv_handle_t *timer)
{
	handle_gone(timer->data);
}

static const link_hooks hooks_of_link = {
    .room = on_link_room,
    .output = on_link_output,
    .silent = on_link_silent,
    .writable = on_link_writable,
    .ended = on_link_ended,
    .closed = on_link_closed,
    .message = on_link_message,
    .request_failed = on_request_failed,
    .session_lost = on_session_lost,
    .warning = on_link_warning,
};

/* ------------------------------------------------------------------- start */

/* The environment that is asked for, and the mark by which a codemode that is
 * started as a server of codemode knows that it should not start its own. */
static char **
marked_env(char **env)
{
	static char mark[] = "CODEMODE_DEPTH=1";
	size_t n = 0, to = 0, i;
	char **all;

	while (env[n])
		n++;
	all = calloc(n + 2, sizeof(*all));
	if (!all)
		return NULL;
	for (i = 0; i < n; i++) {
		if (strncmp(env[i], mark, sizeof("CODEMODE_DEPTH=") - 1) != 0)
			all[to++] = env[i];
	}
	all[to] = mark;
	return all;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return !path || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static void
set_start_error(server *s, const server_config *config, int error)
{
	char words[SERVER_WHY_MAX / 2];

	if (is_folder(config->cwd))
		snprintf(words, sizeof(words), "it cannot be started: %s",
		    uv_strerror(error));
	else
		snprintf(words, sizeof(words),
		    "it cannot be started: there is no directory %s",
		    config->cwd);
	set_reason(s, text_of(words));
}

static void
start_process(server *s, const server_config *config)
{
	char **env = marked_env(config->env);
	const child_spec spec = {
	    config->argv, env ? env : config->env, config->cwd};
	int error = 0;

	s->link = child_link(s->all->loop, &hooks_of_link, s, &spec, &error);
	free(env);
	if (error)
		set_start_error(s, config, error);
}

/* If the start fails, 'turn_server' finds a link that ended, or none. */
static void
start_link(server *s, const server_config *config)
{
	const net *parts = net_parts();

	if (config->reach == REACH_PROCESS) {
		start_process(s, config);
	} else if (parts) {
		s->link = parts->link(
		    s->all->loop, &hooks_of_link, s, config, s->client);
	} else {
		set_reason(s, TEXT("a server at a URL needs codemode-net"));
		return;
	}
	if (!s->link)
		set_reason(s, TEXT("out of memory"));
}

/* False: no memory; nothing was started. */
bool
server_prepare(
    server *s, servers *all, size_t index, const server_config *config)
{
	const mcp_client_options opts = {.now_ms = monotonic_ms(),
	    .startup_ms = config->startup_ms,
	    .call_ms = config->call_ms,
	    .era = config->reach == REACH_SSE ? ERA_LEGACY : config->era,
	    .over_http = config->reach != REACH_PROCESS};

	s->all = all;
	s->index = index;
	s->client = mcp_client_new(&opts);
	return s->client != NULL;
}

void
server_launch(server *s, const server_config *config)
{
	uv_timer_init(s->all->loop, &s->timer);
	s->timer.data = s;
	start_link(s, config);
	s->handles = s->link ? 2 : 1;
	server_say(s);
	server_turn_soon(s);
}

/* -------------------------------------------------------------------- kill */

void
server_kill(server *s)
{
	mcp_client_close(s->client, TEXT("it was killed"));
	link_kill(s->link);
	s->stage = STAGE_KILL;
	s->stage_ends = UINT64_MAX;
	server_turn_soon(s);
}
