/* SPDX-License-Identifier: MIT */
/*
 * upstream.c -- between a configuration and the servers that it names.
 *
 * A server that fails is told once, with the reason, at the moment it fails;
 * the others go on. Nothing here knows of scripts but the text that says whom
 * to wait for.
 */
#include "upstream.h"

#include "names.h"
#include "signals.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
	STARTUP_MS = 30 * 1000,
	DAY_MS = 24 * 3600 * 1000,
	HURRY_MS = 250,
	LINE_MAX_BYTES = 64 * 1024,
	TICK_MS = 100
};

static const server_config *
config_of(const upstream *u, size_t server)
{
	return &u->config.entry[u->entry[server]].start;
}

/* --------------------------------------------------------------- hooks */

/*
 * News for whoever runs the loop by UV_RUN_ONCE. That runs the timers that are
 * due and then sleeps until something else happens, so what a timer brings
 * would lie there unseen; a loop that is told to stop does not go to sleep.
 */
static void
wake(upstream *u)
{
	uv_stop(&u->loop);
}

/* Told at once, or by the run in its result. */
static void __attribute__((format(printf, 2, 3)))
tell(upstream *u, const char *format, ...)
{
	buf line = BUF_INIT(NULL, LINE_MAX_BYTES);
	va_list args;

	va_start(args, format);
	say_format(&line, format, args);
	va_end(args);
	if (u->hooks.warn != NULL)
		u->hooks.warn(u->hooks.ctx, buf_view(&line));
	else
		say_line(u->say, "%.*s", TEXT_ARG(buf_view(&line)));
	buf_fini(&line);
}

static void
tell_failed(upstream *u, size_t server)
{
	const server_config *c = config_of(u, server);
	text why = servers_why(u->servers, server);

	tell(u, "server %s (%s): %.*s", c->name, c->where, TEXT_ARG(why));
}

static void
changed(void *ctx, size_t server)
{
	upstream *u = ctx;

	wake(u);
	if (!u->ending && servers_state(u->servers, server) == SERVER_FAILED)
		tell_failed(u, server);
}

static void
answered(void *ctx, size_t server, uint32_t call, const mcp_answer *answer)
{
	upstream *u = ctx;

	(void)server;
	wake(u);
	if (u->hooks.answer != NULL)
		u->hooks.answer(u->hooks.ctx, call, answer);
}

static void
warned(void *ctx, size_t server, text message)
{
	upstream *u = ctx;

	if (!u->ending)
		tell(u, "server %s: %.*s", config_of(u, server)->name,
		    TEXT_ARG(message));
}

/* --------------------------------------------------------------- starting */

static bool
read_config(upstream *u, const opt_values *given)
{
	bool ok = true;

	for (size_t i = 0; i < given->len; i++) {
		const opt_value *v = &given->value[i];

		ok = (v->opt->kind == OPT_FILES
			     ? config_file(&u->config, v->text)
			     : config_command(&u->config, v->text)) &&
		     ok;
	}
	return ok;
}

/* An option that was given bounds what the entries ask for. */
static uint64_t
startup_ms(uint64_t entry, uint64_t option)
{
	uint64_t ms = entry ? entry : STARTUP_MS;

	if (option != 0)
		ms = entry != 0 && entry < option ? entry : option;
	return ms < DAY_MS ? ms : DAY_MS;
}

static bool
start_servers(upstream *u, const upstream_options *o)
{
	servers_hooks hooks = {u, changed, answered, warned};
	size_t n = config_count(&u->config, CONFIG_START);
	server_config *list =
	    pool_new(&u->config.pool, (n + 1) * sizeof(*list));

	u->entry = pool_new(&u->config.pool, (n + 1) * sizeof(*u->entry));
	for (size_t i = 0; i < u->config.len; i++) {
		config_entry *e = &u->config.entry[i];

		if (e->fate != CONFIG_START)
			continue;
		e->start.startup_ms =
		    startup_ms(e->start.startup_ms, o->startup_ms);
		u->entry[u->count] = i;
		list[u->count++] = e->start;
	}
	u->servers = servers_new(&u->loop, list, n, &hooks);
	return u->servers != NULL;
}

/* A server of ours that starts us, which starts the server: stop it here. */
static bool
is_nested(const upstream *u)
{
	const char *depth = getenv("CODEMODE_DEPTH");

	if (depth == NULL || *depth == '\0')
		return false;
	say_line(u->say, "no server is started: this codemode was itself "
			 "started by a server of codemode (CODEMODE_DEPTH is "
			 "set)");
	return true;
}

cli_exit
upstream_start(upstream *u, const upstream_options *o, say *s)
{
	size_t ready;

	*u = (upstream){.say = s, .began_ms = uv_hrtime() / 1000000};
	config_init(&u->config, s);
	uv_loop_init(&u->loop);
	signals_init(&u->loop);
	uv_timer_init(&u->loop, &u->tick);
	if (!read_config(u, &o->servers))
		return CLI_USAGE;
	ready = config_count(&u->config, CONFIG_START);
	if (ready + config_count(&u->config, CONFIG_WRONG) == 0)
		return CLI_OK;
	if (ready == 0 || is_nested(u)) {
		say_line(s, "no server came up");
		return CLI_NO_SERVER;
	}
	if (!start_servers(u, o)) {
		say_line(s, "out of memory");
		return CLI_NO_SERVER;
	}
	return CLI_OK;
}

void
upstream_fini(upstream *u)
{
	say_clear(u->say);
	servers_free(u->servers);
	signals_fini();
	uv_close((uv_handle_t *)&u->tick, NULL);
	uv_run(&u->loop, UV_RUN_DEFAULT);
	uv_loop_close(&u->loop);
	free(u->server_of);
	config_fini(&u->config);
}

/* ---------------------------------------------------------------- waiting */

static size_t
count_state(const upstream *u, server_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < u->count; i++)
		n += servers_state(u->servers, i) == state;
	return n;
}

/* How many of the needed are still starting; names gets theirs. */
static size_t
waiting_for(const upstream *u, const bool *needed, buf *names)
{
	size_t n = 0;

	for (size_t i = 0; i < u->count; i++) {
		if (!needed[i] ||
		    servers_state(u->servers, i) != SERVER_STARTING)
			continue;
		buf_printf(
		    names, "%s%s", n++ ? ", " : "", config_of(u, i)->name);
	}
	return n;
}

static void
ticked(uv_timer_t *timer)
{
	uv_stop(timer->loop);
}

static void
wait_for(upstream *u, const bool *needed)
{
	buf names = BUF_INIT(NULL, 4096);

	if (u->say->terminal)
		uv_timer_start(&u->tick, ticked, TICK_MS, TICK_MS);
	while (signals_count() == 0 && waiting_for(u, needed, &names) > 0) {
		uint64_t ms = uv_hrtime() / 1000000 - u->began_ms;

		say_live(u->say, "waiting for %.*s (%u s)",
		    TEXT_ARG(buf_view(&names)), (unsigned)(ms / 1000));
		uv_run(&u->loop, UV_RUN_ONCE);
		buf_clear(&names);
	}
	uv_timer_stop(&u->tick);
	say_clear(u->say);
	buf_fini(&names);
}

/* Which servers to wait for; lives as long as the configuration. */
static bool *
needed_by(upstream *u, const text *script)
{
	text *names =
	    pool_new(&u->config.pool, (u->count + 1) * sizeof(*names));
	bool *needed = pool_new(&u->config.pool, u->count + 1);

	for (size_t i = 0; i < u->count; i++) {
		names[i] = text_of(config_of(u, i)->name);
		needed[i] = true;
	}
	if (script != NULL)
		names_needed(*script, names, u->count, needed);
	return needed;
}

cli_exit
upstream_wait(upstream *u, const text *script)
{
	bool *needed = needed_by(u, script);

	if (u->count > 0)
		wait_for(u, needed);
	if (signals_count() > 0) {
		say_line(u->say, "stopped by a signal");
		return CLI_ABORTED;
	}
	if (u->count > 0 && count_state(u, SERVER_FAILED) == u->count) {
		say_line(u->say, "no server came up");
		return CLI_NO_SERVER;
	}
	return CLI_OK;
}

bool
upstream_settled(const upstream *u)
{
	return count_state(u, SERVER_STARTING) == 0;
}

/* Warns of the entries that needed marks and that are not there. */
static void
tell_absent(upstream *u, const bool *needed)
{
	for (size_t i = 0; i < u->config.len; i++) {
		const config_entry *e = &u->config.entry[i];

		if (e->fate == CONFIG_WRONG && needed[i])
			tell(u, "server %s (%s): its configuration is wrong",
			    e->start.name, e->start.where);
	}
	for (size_t i = 0; i < u->count; i++)
		if (needed[u->entry[i]] &&
		    servers_state(u->servers, i) == SERVER_FAILED)
			tell_failed(u, i);
}

void
upstream_absent_for(upstream *u, const text *script,
    void (*warn)(void *ctx, text message), void *ctx)
{
	size_t n = u->config.len;
	text *names = mem_new(NULL, (n + 1) * sizeof(*names));
	bool *needed = mem_new(NULL, n + 1);
	upstream_hooks before = u->hooks;

	u->hooks = (upstream_hooks){.ctx = ctx, .warn = warn};
	for (size_t i = 0; names && needed && i < n; i++) {
		names[i] = text_of(u->config.entry[i].start.name);
		needed[i] = true;
	}
	if (names && needed && script != NULL)
		names_needed(*script, names, n, needed);
	if (names && needed)
		tell_absent(u, needed);
	u->hooks = before;
	mem_free(NULL, needed, n + 1);
	mem_free(NULL, names, (n + 1) * sizeof(*names));
}

void
upstream_absent(upstream *u, void (*warn)(void *ctx, text message), void *ctx)
{
	upstream_absent_for(u, NULL, warn, ctx);
}

/* ---------------------------------------------------------------- catalog */

static cm_status
add_tool(upstream *u, cm_catalog *cat, size_t server, const mcp_tool *t)
{
	const char *space = config_of(u, server)->name;
	cm_tool tool = {text_of(space), t->name, t->description,
	    t->input_schema, t->output_schema, t->flags};
	cm_status r;

	if (!config_tool(&u->config.entry[u->entry[server]], t->name))
		return CM_OK;
	r = cm_catalog_add(cat, &tool);
	if (r == CM_OK || r == CM_ENOMEM)
		return r;
	say_line(u->say, "server %s: the tool \"%.*s\" is left out: %s", space,
	    TEXT_ARG(t->name), cm_status_text(r));
	return CM_OK;
}

cm_status
upstream_catalog(upstream *u, cm_catalog **out)
{
	cm_status r = cm_catalog_new(NULL, out);

	for (size_t i = 0; i < u->count && r == CM_OK; i++) {
		size_t n = 0;
		const mcp_tool *t = NULL;

		if (servers_state(u->servers, i) == SERVER_UP)
			t = servers_tools(u->servers, i, &n);
		for (size_t k = 0; k < n && r == CM_OK; k++)
			r = add_tool(u, *out, i, &t[k]);
	}
	return r;
}

/* ------------------------------------------------------------------ calls */

static size_t
server_named(const upstream *u, text space)
{
	size_t i = 0;

	while (i < u->count && !text_eq(text_of(config_of(u, i)->name), space))
		i++;
	return i;
}

/* Remembers which server has the call. */
static bool
note_call(upstream *u, cm_call_id id, size_t server)
{
	void *array = u->server_of;

	while (u->calls <= id) {
		if (!mem_grow(NULL, &array, &u->calls, u->calls,
			sizeof(*u->server_of)))
			return false;
		u->server_of = array;
	}
	u->server_of[id] = (uint32_t)server;
	return true;
}

void
upstream_call(upstream *u, const cm_call *call)
{
	size_t server = server_named(u, call->space);
	mcp_answer failed = {.message = TEXT("out of memory")};

	if (server < u->count && note_call(u, call->id, server))
		servers_call(
		    u->servers, server, call->id, call->name, call->args, 0);
	else
		u->hooks.answer(u->hooks.ctx, call->id, &failed);
}

void
upstream_cancel(upstream *u, cm_call_id id)
{
	if (id < u->calls)
		servers_cancel(u->servers, u->server_of[id], id, TEXT_NONE);
}

/* ----------------------------------------------------------------- ending */

static void
stopped(void *ctx)
{
	upstream *u = ctx;

	wake(u);
	u->count = 0;
}

void
upstream_stop(upstream *u, bool hurry)
{
	unsigned seen = signals_count();

	u->ending = true;
	if (u->servers == NULL)
		return;
	if (u->count > 0)
		servers_stop(u->servers, hurry ? HURRY_MS : 0, stopped);
	while (u->count > 0) {
		if (signals_count() > seen) {
			seen = UINT32_MAX;
			servers_kill(u->servers);
		}
		uv_run(&u->loop, UV_RUN_ONCE);
	}
}
