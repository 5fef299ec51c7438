/* SPDX-License-Identifier: MIT */
/*
 * servers.c -- all MCP servers of a program: they end together; in between each
 * is turned by itself (server.c).
 *
 * Hooks are only called from the loop. A stop without a server that lives has
 * no event that could call them: then a timer of 0 ms does, the errand.
 */
#include "server.h"

#include <signal.h>
#include <stdlib.h>

enum { GRACE_MS = 2000, FREE_MS = 2000 };

/* ------------------------------------------------------------------- start */

/* libuv needs SIGCHLD to see that a process ended, and a write to a closed pipe
 * must give EPIPE. The parent of this process may have set both otherwise. */
static void
set_server_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

servers *
servers_new(uv_loop_t *loop, const server_config *config, size_t n,
    const servers_hooks *hooks)
{
	servers *all = calloc(1, sizeof(*all) + n * sizeof(all->at[0]));
	size_t i;

	if (!all)
		return NULL;
	all->loop = loop;
	all->count = n;
	all->open = (unsigned)n + 1;
	if (hooks)
		all->hooks = *hooks;
	set_server_signals();
	uv_timer_init(loop, &all->errand);
	all->errand.data = all;
	for (i = 0; i < n; i++)
		server_init(&all->at[i], all, i, &config[i]);
	return all;
}

void
servers_want(servers *all, size_t i)
{
	must(i < all->count);
	server_want(&all->at[i]);
}

void
servers_offer(servers *all, unsigned offers)
{
	size_t i;

	all->offers = offers;
	for (i = 0; i < all->count; i++)
		if (all->at[i].client)
			mcp_client_offer(all->at[i].client, offers);
}

void
servers_reply(servers *all, size_t i, uint64_t asked, json result, json error)
{
	server *s = &all->at[i];

	must(i < all->count);
	if (!s->client || !s->link)
		return;
	mcp_client_answer(s->client, asked, result, error);
	server_turn_soon(s);
}

/* ----------------------------------------------------------------- looking */

static const server *
get_server(const servers *all, size_t i)
{
	must(i < all->count);
	return &all->at[i];
}

server_state
servers_state(const servers *all, size_t i)
{
	return get_server(all, i)->state;
}

text
servers_why(const servers *all, size_t i)
{
	return buf_view(&get_server(all, i)->why);
}

text
servers_stderr(const servers *all, size_t i)
{
	return buf_view(&get_server(all, i)->said);
}

const mcp_tool *
servers_tools(const servers *all, size_t i, size_t *n)
{
	const mcp_client *lists = get_server(all, i)->lists;

	*n = 0;
	return lists ? mcp_client_tools(lists, n) : NULL;
}

text
servers_instructions(const servers *all, size_t i)
{
	const mcp_client *lists = get_server(all, i)->lists;

	return lists ? mcp_client_instructions(lists) : TEXT_NONE;
}

text
servers_program(const servers *all, size_t i)
{
	const mcp_client *lists = get_server(all, i)->lists;

	return lists ? mcp_client_program(lists) : TEXT_NONE;
}

text
servers_revision(const servers *all, size_t i)
{
	const mcp_client *lists = get_server(all, i)->lists;

	return lists ? mcp_client_revision(lists) : TEXT_NONE;
}

void
servers_write_lists(const servers *all, size_t i, buf *out)
{
	const mcp_client *lists = get_server(all, i)->lists;

	if (lists)
		mcp_client_write_lists(lists, out);
}

bool
servers_recall(servers *all, size_t i, text lists)
{
	server *s = &all->at[i];

	must(i < all->count && !s->lists);
	s->lists = mcp_client_recall(lists);
	s->recalled = s->lists != NULL;
	return s->recalled;
}

bool
servers_recalled(const servers *all, size_t i)
{
	return get_server(all, i)->recalled;
}

/* ----------------------------------------------------------------- the end */

static bool
any_lives(const servers *all)
{
	size_t i;

	for (i = 0; i < all->count; i++) {
		if (all->at[i].link)
			return true;
	}
	return false;
}

static void
on_stop_errand(uv_timer_t *errand)
{
	servers *all = errand->data;
	void (*done)(void *ctx) = all->done;

	all->done = NULL;
	if (done)
		done(all->hooks.ctx);
}

void
servers_note_end(servers *all)
{
	if (!all->stopping || any_lives(all) || !all->done)
		return;
	uv_timer_start(&all->errand, on_stop_errand, 0, 0);
}

void
servers_stop(servers *all, uint64_t grace_ms, void (*done)(void *ctx))
{
	size_t i;

	all->stopping = true;
	if (done)
		all->done = done;
	for (i = 0; i < all->count; i++)
		server_stop(&all->at[i], grace_ms ? grace_ms : GRACE_MS);
	servers_note_end(all);
}

void
servers_kill(servers *all)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		server_kill(&all->at[i]);
}

static void
on_free_late(uv_timer_t *errand)
{
	servers *all = errand->data;
	size_t i;

	for (i = 0; i < all->count; i++) {
		if (all->at[i].link)
			server_close_link(&all->at[i]);
	}
}

static void
on_timer_closed(uv_handle_t *timer)
{
	unsigned *open = timer->data;

	--*open;
}

static void
close_timer(servers *all, uv_timer_t *timer)
{
	timer->data = &all->open;
	uv_close((uv_handle_t *)timer, on_timer_closed);
}

void
servers_free(servers *all)
{
	size_t i;

	if (!all)
		return;
	all->hooks = (servers_hooks){0};
	all->done = NULL;
	all->stopping = true;
	servers_kill(all);
	uv_timer_start(&all->errand, on_free_late, FREE_MS, 0);
	while (any_lives(all))
		uv_run(all->loop, UV_RUN_ONCE);
	for (i = 0; i < all->count; i++)
		close_timer(all, &all->at[i].timer);
	close_timer(all, &all->errand);
	while (all->open > 0)
		uv_run(all->loop, UV_RUN_ONCE);
	for (i = 0; i < all->count; i++)
		server_fini(&all->at[i]);
	free(all);
}
