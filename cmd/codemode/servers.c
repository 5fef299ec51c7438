/* SPDX-License-Identifier: MIT */
/*
 * servers.c -- all MCP servers of a program: they start together and end
 * together; in between each is turned by itself (server.c).
 *
 * Hooks are only called from the loop. When the server that a hook is about has
 * no timer any more (a call that comes too late, a stop without servers), a
 * timer of 0 ms calls it: the errand.
 */
#include "server.h"

#include "monotonic.h"

#include <signal.h>
#include <stdlib.h>

enum { GRACE_MS = 2000, FREE_MS = 2000 };

/* ----------------------------------------------------------------- errands */

/* For servers that have no timer any more: calls to them are still answered. */
static void
on_errand_timer(uv_timer_t *timer)
{
	servers *all = timer->data;
	size_t i;

	for (i = 0; i < all->count; i++) {
		if (all->at[i].closing)
			server_events(&all->at[i]);
	}
	if (all->done_due && all->done)
		all->done(all->hooks.ctx);
	all->done_due = false;
}

void
servers_errand(servers *all)
{
	uv_timer_start(&all->errand, on_errand_timer, 0, 0);
}

/* ------------------------------------------------------------------- start */

static void
free_servers(servers *s)
{
	size_t i;

	for (i = 0; i < s->count; i++) {
		mcp_client_free(s->at[i].client);
		link_free(s->at[i].link);
	}
	free(s);
}

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
	servers *s = calloc(1, sizeof(*s) + n * sizeof(s->at[0]));
	size_t i;

	if (!s)
		return NULL;
	s->loop = loop;
	s->count = s->left = n;
	if (hooks)
		s->hooks = *hooks;
	for (i = 0; i < n; i++) {
		if (!server_prepare(&s->at[i], s, i, &config[i])) {
			free_servers(s);
			return NULL;
		}
	}
	set_server_signals();
	uv_timer_init(loop, &s->errand);
	s->errand.data = s;
	for (i = 0; i < n; i++)
		server_launch(&s->at[i], &config[i]);
	return s;
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
	return (text){get_server(all, i)->why, get_server(all, i)->why_len};
}

text
servers_stderr(const servers *all, size_t i, char *out, size_t n)
{
	return (text){out, link_last_words(get_server(all, i)->link, out, n)};
}

const mcp_tool *
servers_tools(const servers *all, size_t i, size_t *n)
{
	return mcp_client_tools(get_server(all, i)->client, n);
}

/* ------------------------------------------------------------------- calls */

cm_status
servers_call(servers *all, size_t i, uint32_t call, text tool, json args,
    uint64_t timeout_ms)
{
	server *s = &all->at[i];
	cm_status r;

	must(i < all->count);
	mcp_client_tick(s->client, monotonic_ms());
	r = mcp_client_call(s->client, call, tool, args, timeout_ms);
	if (r != CM_OK)
		return r;
	server_say(s);
	server_turn_soon(s);
	return CM_OK;
}

void
servers_cancel(servers *all, size_t i, uint32_t call, text reason)
{
	server *s = &all->at[i];

	must(i < all->count);
	mcp_client_cancel(s->client, call, reason);
	server_say(s);
	server_turn_soon(s);
}

/* ----------------------------------------------------------------- the end */

void
servers_stop(servers *all, uint64_t grace_ms, void (*done)(void *ctx))
{
	size_t i;

	if (done)
		all->done = done;
	if (all->left == 0) {
		all->done_due = true;
		servers_errand(all);
	}
	for (i = 0; i < all->count; i++)
		server_stop(&all->at[i], grace_ms ? grace_ms : GRACE_MS);
}

void
servers_kill(servers *all)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		server_kill(&all->at[i]);
}

static void
on_errand_closed(uv_handle_t *timer)
{
	servers *s = timer->data;

	s->errand_closed = true;
}

static void
on_free_late(uv_timer_t *timer)
{
	servers *s = timer->data;
	size_t i;

	for (i = 0; i < s->count; i++) {
		if (!s->at[i].closing)
			server_go(&s->at[i]);
	}
}

void
servers_free(servers *all)
{
	if (!all)
		return;
	all->hooks = (servers_hooks){0};
	all->done = NULL;
	servers_kill(all);
	uv_timer_start(&all->errand, on_free_late, FREE_MS, 0);
	while (all->left)
		uv_run(all->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&all->errand, on_errand_closed);
	while (!all->errand_closed)
		uv_run(all->loop, UV_RUN_ONCE);
	free_servers(all);
}
