/* SPDX-License-Identifier: MIT */
/*
 * server.c -- the life of one MCP server, on a libuv loop.
 *
 * A life is a protocol machine (mcp/client.h) and a link (link.h), with one
 * timer for both. 'turn_server' connects them: it fetches the events of the
 * machine, writes what the machine wants to send, takes the next step of the
 * shutdown when that is due, starts a new life when that is wanted and due, and
 * sets the timer.
 *
 *	RUNNING -> stdin closed -> SIGTERM -> SIGKILL -> ended -> closed
 *
 * A shutdown starts when the owner asks for it, when the server is idle, and
 * when it is of no more use: it broke the protocol, did not come up or closed
 * its stdout.
 */
#include "server.h"

#include "common/monotonic.h"
#include "server_why.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	STARTUP_MS = 30 * 1000,
	LATE_FACTOR = 4, /* so much of its startup time a late server gets */
	IDLE_GRACE_MS = 2000,
	USELESS_GRACE_MS = 500,  /* for one that cannot be talked to any more */
	UNGREETED_GRACE_MS = 250 /* from SIGTERM to SIGKILL, for a server that
	                            was never up: it has nothing to finish */
};

/* --------------------------------------------------------------- messages */

void
server_explain(server *s, text reason, bool final)
{
	char words[LINK_WORDS_MAX];
	size_t n = link_last_words(s->link, words, sizeof(words));

	buf_clear(&s->why);
	why_write(
	    &s->why, text_head(reason, SERVER_WHY_MAX / 2), (text){words, n});
	n = link_last_words(s->link, words, SERVER_STDERR_MAX);
	buf_clear(&s->said);
	buf_add(&s->said, words, n);
	s->explained = final;
}

static void
explain_once(server *s, text reason)
{
	if (!s->explained)
		server_explain(s, reason, true);
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

static bool
is_starting(const server *s)
{
	return s->state == SERVER_STARTING || s->state == SERVER_LATE;
}

bool
server_takes_calls(const server *s)
{
	return s->state == SERVER_UP && s->stage == STAGE_RUNNING;
}

void
server_note_idle(server *s)
{
	uint64_t ms = s->config.idle_ms;

	s->idle_at = ms > 0 ? monotonic_ms() + ms : UINT64_MAX;
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

static void
replace_lists(server *s, mcp_client *lists)
{
	const servers_hooks *h = &s->all->hooks;

	if (s->lists != s->client)
		mcp_client_free(s->lists);
	s->lists = lists;
	s->recalled = false;
	if (h->tools_changed)
		h->tools_changed(h->ctx, s->index);
}

/* The new list is complete: use it. */
static void
take_lists(server *s)
{
	replace_lists(s, s->client);
}

static void
on_up(server *s)
{
	s->era = mcp_client_era(s->client);
	server_note_idle(s);
	take_lists(s);
	set_state(s, SERVER_UP);
	server_send_held(s);
}

static mcp_era
configured_era(const server_config *c)
{
	return c->reach == REACH_SSE ? ERA_LEGACY : c->era;
}

/* It will not be started again for a while: the next call is told why. */
static void
explain_spent(server *s)
{
	buf why = BUF_INIT(NULL, 2 * SERVER_WHY_MAX);

	buf_printf(&why,
	    "it ended %d times within ten minutes and is not started again "
	    "for now; the last time: ",
	    REVIVALS_MAX + 1);
	buf_text(&why, buf_view(&s->why));
	buf_fini(&s->why);
	s->why = why;
}

/* Servers that know only the legacy era may end by the question that finds out
 * the era: such a one is started once more, and greeted. */
static bool
ended_by_probe(const server *s)
{
	return s->era == ERA_FIND_OUT && s->link && s->link->ended &&
	       !s->all->stopping && mcp_client_era(s->client) == ERA_LEGACY;
}

static void
on_down(server *s, text message)
{
	bool starting = is_starting(s);

	if (s->stage == STAGE_RUNNING)
		shut_down(s, USELESS_GRACE_MS);
	if (s->meant) {
		set_state(s, SERVER_OFF);
		return;
	}
	if (starting && ended_by_probe(s)) {
		s->era = ERA_LEGACY;
		s->wanted = true;
		return;
	}
	explain_once(s, message);
	revival_note_end(&s->revival, monotonic_ms());
	if (revival_is_spent(&s->revival, monotonic_ms()))
		explain_spent(s);
	set_state(s, SERVER_FAILED);
	if (s->recalled)
		replace_lists(s, NULL);
	if (!starting)
		return;
	s->era =
	    configured_era(&s->config); /* another program may answer now */
	server_fail_held(s, "The server is gone: ");
}

static void
on_answer(server *s, const mcp_event *e)
{
	const servers_hooks *h = &s->all->hooks;

	if (--s->in_flight == 0)
		server_note_idle(s);
	if (h->answer)
		h->answer(h->ctx, s->index, e->call, &e->answer);
}

static void
warn_owner(server *s, text message)
{
	const servers_hooks *h = &s->all->hooks;

	if (h->warning)
		h->warning(h->ctx, s->index, message);
}

static void
handle_event(server *s, const mcp_event *e)
{
	const servers_hooks *h = &s->all->hooks;

	switch (e->kind) {
	case MCP_UP:
		on_up(s);
		break;
	case MCP_ANSWER:
		on_answer(s, e);
		break;
	case MCP_CHANGED:
		take_lists(s);
		break;
	case MCP_PROGRESS:
	case MCP_LOG:
	case MCP_ASKED:
		if (h->event)
			h->event(h->ctx, s->index, e);
		break;
	case MCP_WARNING:
		warn_owner(s, e->message);
		break;
	case MCP_DOWN:
		on_down(s, e->message);
		break;
	}
}

/* -------------------------------------------------------------- one life */

void
server_say(server *s)
{
	if (!s->link || s->closing)
		return;
	mcp_client_sent(
	    s->client, link_write(s->link, mcp_client_out(s->client)));
	if (s->link->input_closed && s->stage == STAGE_RUNNING)
		shut_down(s, USELESS_GRACE_MS);
	if (s->stage != STAGE_RUNNING && mcp_client_out(s->client).len == 0)
		link_hang_up(s->link);
}

static void
next_stage(server *s)
{
	/* It did not exit, so this is the reason. */
	if (s->link->silent)
		explain_once(s, TEXT("it closed its stdout"));
	if (s->link->input_closed)
		explain_once(s, TEXT("it closed its stdin"));
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

/* The link has ended: all calls in flight fail with its cause. */
static void
close_client(server *s)
{
	char words[200];

	explain_once(s, link_cause(s->link, words, sizeof(words)));
	mcp_client_close(s->client, buf_view(&s->why));
}

static void
fetch_events(server *s)
{
	mcp_event e;

	mcp_client_tick(s->client, monotonic_ms());
	while (mcp_client_next(s->client, &e))
		handle_event(s, &e);
}

static uint64_t
startup_ms(const server *s)
{
	return s->config.startup_ms > 0 ? s->config.startup_ms : STARTUP_MS;
}

static void
note_late(server *s)
{
	char words[80];

	snprintf(words, sizeof(words), "it did not come up within %llu ms",
	    (unsigned long long)startup_ms(s));
	server_explain(s, text_of(words), false);
	set_state(s, SERVER_LATE);
}

static bool
is_idle(const server *s)
{
	return server_takes_calls(s) && s->in_flight == 0 && !s->held;
}

static void
end_idle(server *s)
{
	s->meant = true;
	mcp_client_close(s->client, TEXT("it was idle"));
	shut_down(s, IDLE_GRACE_MS);
	s->again = true;
}

void
server_close_link(server *s)
{
	if (s->closing)
		return;
	s->closing = true;
	link_close(s->link);
}

static void
turn_life(server *s)
{
	uint64_t now = monotonic_ms();

	if (s->link->ended)
		close_client(s);
	fetch_events(s);
	if (s->closing)
		return;
	if (s->state == SERVER_STARTING && s->late_at <= now)
		note_late(s);
	if (s->state == SERVER_LATE)
		server_fail_held(s, "The server is still starting: ");
	if (is_idle(s) && s->idle_at <= now)
		end_idle(s);
	while (!s->link->ended && s->stage != STAGE_RUNNING &&
	       s->stage_ends <= now)
		next_stage(s);
	server_say(s);
	if (s->link->ended)
		server_close_link(s);
}

/* ------------------------------------------------------------------- lives */

static mcp_client *
make_client(const server *s)
{
	const mcp_client_options opts = {.now_ms = monotonic_ms(),
	    .startup_ms = LATE_FACTOR * startup_ms(s),
	    .call_ms = s->config.call_ms,
	    .era = s->era,
	    .offers = s->all->offers,
	    .parent = s->all->hooks.parent,
	    .parent_ctx = s->all->hooks.ctx,
	    .over_http = s->config.reach != REACH_PROCESS};

	return mcp_client_new(&opts);
}

static void
forget_client(server *s)
{
	if (s->client != s->lists)
		mcp_client_free(s->client);
	s->client = NULL;
}

static void
start_life(server *s)
{
	forget_client(s);
	s->wanted = s->meant = s->explained = false;
	buf_clear(&s->why);
	buf_clear(&s->said);
	s->stage = STAGE_RUNNING;
	s->in_flight = 0;
	s->late_at = monotonic_ms() + startup_ms(s);
	set_state(s, SERVER_STARTING);
	s->client = make_client(s);
	if (!s->client) {
		on_down(s, TEXT("out of memory"));
		return;
	}
	server_open_link(s);
	if (!s->link) {
		mcp_client_close(s->client, buf_view(&s->why));
		fetch_events(s);
	}
	s->again = true;
}

/* It does not live. When shall it be started? */
static uint64_t
start_due(server *s)
{
	uint64_t now = monotonic_ms();

	if (s->all->stopping || (!s->held && !s->wanted))
		return UINT64_MAX;
	if (!revival_is_spent(&s->revival, now))
		return revival_due(&s->revival, now);
	s->wanted = false;
	return UINT64_MAX;
}

void
server_want(server *s)
{
	bool down = s->state == SERVER_OFF || s->state == SERVER_FAILED;

	if ((s->lists && !s->recalled) || !down || s->wanted ||
	    s->all->stopping)
		return;
	s->wanted = true;
	if (!s->link && start_due(s) <= monotonic_ms())
		s->state = SERVER_STARTING;
	server_turn_soon(s);
}

static void
free_link(server *s)
{
	link_free(s->link);
	s->link = NULL;
	s->closing = s->closed = false;
	servers_note_end(s->all);
}

static void
turn_dead(server *s)
{
	if (start_due(s) <= monotonic_ms())
		start_life(s);
	else if (s->all->stopping ||
		 revival_is_spent(&s->revival, monotonic_ms()))
		server_fail_held(s, "The server is gone: ");
}

static void
on_server_timer(uv_timer_t *timer)
{
	turn_server(timer->data);
}

static uint64_t
turn_due(server *s)
{
	uint64_t due;

	if (s->again)
		return 0;
	if (!s->link)
		return start_due(s);
	due = mcp_client_deadline(s->client);
	if (s->stage != STAGE_RUNNING && s->stage_ends < due)
		due = s->stage_ends;
	if (s->state == SERVER_STARTING && s->late_at < due)
		due = s->late_at;
	if (is_idle(s) && s->idle_at < due)
		due = s->idle_at;
	return s->closing ? UINT64_MAX : due;
}

static void
set_server_timer(server *s)
{
	uint64_t due = turn_due(s), now = monotonic_ms();

	if (uv_is_closing((uv_handle_t *)&s->timer))
		return;
	if (due == UINT64_MAX)
		uv_timer_stop(&s->timer);
	else
		uv_timer_start(
		    &s->timer, on_server_timer, due > now ? due - now : 0, 0);
}

static void
turn_server(server *s)
{
	if (s->turning)
		return;
	s->turning = true;
	s->again = false;
	if (s->closed)
		free_link(s);
	if (s->link)
		turn_life(s);
	else
		turn_dead(s);
	set_server_timer(s);
	s->turning = false;
}

/* For callers that must not be called back before they return. */
void
server_turn_soon(server *s)
{
	s->again = true;
	if (!s->turning) {
		uv_update_time(s->all->loop);
		set_server_timer(s);
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
on_link_event(void *ctx)
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
on_link_closed(void *ctx)
{
	server *s = ctx;

	s->closed = true;
	server_turn_soon(s);
}

const link_hooks server_link_hooks = {
    .room = on_link_room,
    .output = on_link_output,
    .silent = on_link_silent,
    .writable = on_link_event,
    .ended = on_link_event,
    .closed = on_link_closed,
    .message = on_link_message,
    .request_failed = on_request_failed,
    .session_lost = on_session_lost,
};

/* ----------------------------------------------------- making and freeing */

void
server_init(server *s, servers *all, size_t index, const server_config *c)
{
	*s = (server){.all = all,
	    .index = index,
	    .config = *c,
	    .era = configured_era(c),
	    .why = BUF_INIT(NULL, 2 * SERVER_WHY_MAX),
	    .said = BUF_INIT(NULL, SERVER_STDERR_MAX)};
	uv_timer_init(all->loop, &s->timer);
	s->timer.data = s;
}

void
server_fini(server *s)
{
	server_drop_held(s);
	forget_client(s);
	mcp_client_free(s->lists);
	link_free(s->link);
	buf_fini(&s->why);
	buf_fini(&s->said);
}

void
server_stop(server *s, uint64_t grace_ms)
{
	bool ungreeted = is_starting(s);

	server_turn_soon(s);
	if (!s->link)
		return;
	if (ungreeted && grace_ms > UNGREETED_GRACE_MS)
		grace_ms = UNGREETED_GRACE_MS;
	mcp_client_close(s->client, TEXT("it was stopped"));
	shut_down(s, grace_ms);
	if (ungreeted && s->stage == STAGE_CLOSING)
		s->stage_ends = monotonic_ms();
}

void
server_kill(server *s)
{
	server_turn_soon(s);
	if (!s->link)
		return;
	mcp_client_close(s->client, TEXT("it was killed"));
	link_kill(s->link);
	s->stage = STAGE_KILL;
	s->stage_ends = UINT64_MAX;
}
