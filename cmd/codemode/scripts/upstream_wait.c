/* SPDX-License-Identifier: MIT */
/*
 * upstream_wait.c -- which servers a script can name, and the wait for them.
 */
#include "upstream_parts.h"

#include "common/monotonic.h"
#include "common/signals.h"
#include "config/named_servers.h"
#include "config/network_need.h"

/* The server did not come up in time, and its tools are not known. */
static bool
is_absent(const upstream *u, size_t server)
{
	server_state state = servers_state(u->servers, server);
	size_t tools;

	servers_tools(u->servers, server, &tools);
	return tools == 0 && (state == SERVER_FAILED || state == SERVER_LATE);
}

static bool
all_absent(const upstream *u)
{
	size_t n = 0;

	while (n < u->count && is_absent(u, n))
		n++;
	return n == u->count;
}

/* The names of all servers and, behind them, of the saved scripts. */
static void
list_names(upstream *u)
{
	size_t n = u->config.len;

	u->names = pool_new(&u->config.pool, (n + 1) * sizeof(*u->names));
	u->named = pool_new(&u->config.pool, 2 * (n + 1));
	for (size_t i = 0; i < n; i++)
		u->names[i] = text_of(u->config.entry[i].start.name);
	u->names[n] = TEXT(SAVED_SPACE);
}

static void
name_servers(upstream *u, text script, bool *named)
{
	names_needed(
	    script, u->names, u->config.len + (u->saved.len > 0), named);
}

/* A script that calls saved scripts reaches all servers that any of them
 * names. */
static void
add_named_by_saved(upstream *u)
{
	size_t n = u->config.len;
	bool *more = u->named + n + 1;

	for (size_t i = 0; i < u->saved.len; i++) {
		name_servers(u, u->saved.list[i].code, more);
		for (size_t k = 0; k < n; k++)
			u->named[k] = u->named[k] || more[k];
	}
}

/* Which config entries the script can name; until the next call. A long script
 * is not searched: it may name all. */
static const bool *
entries_named_by(upstream *u, const text *script)
{
	if (u->named == NULL)
		list_names(u);
	for (size_t i = 0; i <= u->config.len; i++)
		u->named[i] = true;
	if (script != NULL && script->len <= SEARCHED_MAX)
		name_servers(u, *script, u->named);
	if (u->saved.len > 0 && u->named[u->config.len])
		add_named_by_saved(u);
	return u->named;
}

/* How many of those servers are still starting; names (NULL: not wanted) gets
 * theirs. */
static size_t
count_starting(const upstream *u, const bool *named, buf *names)
{
	size_t n = 0;

	for (size_t i = 0; i < u->count; i++) {
		if (!named[u->entry[i]] ||
		    servers_state(u->servers, i) != SERVER_STARTING)
			continue;
		if (names != NULL)
			buf_printf(names, "%s%s", n > 0 ? ", " : "",
			    config_of_server(u, i)->name);
		n++;
	}
	return n;
}

static void
wait_for_servers(upstream *u, const bool *named)
{
	buf names = BUF_INIT(NULL, 4096);

	main_loop_tick(u->loop, u->say);
	while (signals_count() == 0 && count_starting(u, named, &names) > 0) {
		uint64_t ms = monotonic_ms() - u->began_ms;

		say_live(u->say, "waiting for %.*s (%u s)",
		    TEXT_ARG(buf_view(&names)), (unsigned)(ms / 1000));
		main_loop_turn(u->loop);
		buf_clear(&names);
	}
	main_loop_tick(u->loop, NULL);
	say_clear(u->say);
	buf_fini(&names);
}

void
upstream_want(upstream *u, const text *script)
{
	const bool *named = entries_named_by(u, script);

	for (size_t i = 0; i < u->count; i++)
		if (named[u->entry[i]])
			servers_want(u->servers, i);
}

void
upstream_want_unlisted(upstream *u)
{
	for (size_t i = 0; i < u->count; i++)
		if (!servers_recalled(u->servers, i))
			servers_want(u->servers, i);
}

bool
upstream_ready(upstream *u, const text *script)
{
	return count_starting(u, entries_named_by(u, script), NULL) == 0;
}

bool
upstream_listed(const upstream *u)
{
	size_t i = 0;

	while (
	    i < u->count && (servers_state(u->servers, i) != SERVER_STARTING ||
				servers_recalled(u->servers, i)))
		i++;
	return i == u->count;
}

cli_exit
upstream_wait(upstream *u, const text *script)
{
	upstream_want(u, script);
	wait_for_servers(u, entries_named_by(u, script));
	if (signals_count() > 0) {
		say_line(u->say, "stopped by a signal");
		return CLI_ABORTED;
	}
	if (u->count > 0 && !u->config.found && all_absent(u)) {
		say_line(u->say, "no server came up");
		return CLI_NO_SERVER;
	}
	return CLI_OK;
}

/* May the script name any server, which can mean that nothing is known of it? */
static bool
may_name_all(const upstream *u, const bool *named)
{
	size_t n = 0;

	while (n < u->config.len && named[n])
		n++;
	return n > 1 && n == u->config.len;
}

void
upstream_absent(upstream *u, const text *script, upstream_sink sink)
{
	const bool *named = entries_named_by(u, script);
	bool once = may_name_all(u, named);

	for (size_t i = 0; i < u->config.len; i++) {
		config_entry *e = &u->config.entry[i];

		if (e->fate != CONFIG_WRONG || !named[i] || (once && e->told))
			continue;
		e->told = true;
		upstream_tell(u, sink,
		    "server %s (%s): its configuration is wrong: %s",
		    e->start.name, e->start.where, e->why);
	}
	for (size_t i = 0; i < u->count; i++) {
		config_entry *e = &u->config.entry[u->entry[i]];

		if (!named[u->entry[i]] || (once && e->told) ||
		    !is_absent(u, i))
			continue;
		e->told = true;
		upstream_tell_failed(u, sink, i);
	}
}

void
upstream_warn_run(void *run, text message)
{
	cm_run_warn(run, message);
}
