/* SPDX-License-Identifier: MIT */
/*
 * upstream.c -- between a configuration and the servers that it names.
 *
 * A server that fails is reported with the reason at the moment it fails; the
 * others go on. Of a script only its text is used here, to find the servers
 * that it can name.
 */
#include "upstream_parts.h"

#include "common/monotonic.h"
#include "common/net.h"
#include "common/signals.h"
#include "config/named_servers.h"
#include "config/network_need.h"
#include "servers/list_cache.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
	STARTUP_MS = 30 * 1000,
	DAY_MS = 24 * 3600 * 1000,
	HURRY_MS = 250,
	LINE_MAX_BYTES = 64 * 1024,
	DEBOUNCE_MS = 100,
	BEFORE_MAX = 1 << 20
};

/* ------------------------------------------------------------------- hooks */

void __attribute__((format(printf, 3, 4)))
upstream_tell(upstream *u, upstream_sink sink, const char *format, ...)
{
	buf line = BUF_INIT(NULL, LINE_MAX_BYTES), plain;
	va_list args;
	text t;

	va_start(args, format);
	say_format(&line, format, args);
	va_end(args);
	t = without_secrets(u->secrets, buf_view(&line), &plain);
	if (sink.line != NULL)
		sink.line(sink.ctx, t);
	else
		say_line(u->say, "%.*s", TEXT_ARG(t));
	buf_fini(&plain);
	buf_fini(&line);
}

/* A person gets the end of the server's stderr as well, a model one line. */
void
upstream_tell_failed(upstream *u, upstream_sink sink, size_t server)
{
	const server_config *c = config_of_server(u, server);
	text why = servers_why(u->servers, server);
	text said = TEXT_NONE;

	if (sink.line == NULL)
		said = servers_stderr(u->servers, server);
	upstream_tell(u, sink, "server %s (%s): %.*s%s%.*s", c->name, c->where,
	    TEXT_ARG(why), said.len > 0 ? "\nits stderr ends with: " : "",
	    TEXT_ARG(said));
}

static void
server_changed(void *ctx, size_t server)
{
	upstream *u = ctx;
	server_state state = servers_state(u->servers, server);

	main_loop_due(&u->loop->uv);
	if (state == SERVER_UP)
		u->config.entry[u->entry[server]].told = false;
	if (!u->ending && (state == SERVER_LATE ||
			      (state == SERVER_FAILED && !u->late[server])))
		upstream_tell_failed(u, u->sink, server);
	u->late[server] = state == SERVER_LATE;
}

static void
on_debounce_over(uv_timer_t *debounce)
{
	upstream *u = debounce->data;

	main_loop_due(debounce->loop);
	if (u->hooks.catalog_changed != NULL)
		u->hooks.catalog_changed(u->hooks.ctx);
}

/* Its lists as they are cached. */
static void
write_plain_lists(upstream *u, size_t server, buf *out)
{
	buf all = BUF_INIT(NULL, SIZE_MAX / 2), plain;

	servers_write_lists(u->servers, server, &all);
	buf_text(out, all.bad == CM_OK ? json_without_secrets(
					     u->secrets, buf_view(&all), &plain)
				       : TEXT_NONE);
	if (all.bad == CM_OK)
		buf_fini(&plain);
	buf_fini(&all);
}

/* Writes the lists of a server to its file, unless the file has them already. */
static void
cache_lists(upstream *u, size_t server)
{
	buf now = BUF_INIT(NULL, LIST_CACHE_BYTES);
	buf before = BUF_INIT(NULL, LIST_CACHE_BYTES);
	const char *path = u->lists[server];

	if (path == NULL || u->ending)
		return;
	write_plain_lists(u, server, &now);
	if (now.bad == CM_OK && now.len > 0 &&
	    !(list_cache_read(path, &before) &&
		text_eq(buf_view(&now), buf_view(&before))))
		list_cache_write(path, buf_view(&now));
	buf_fini(&before);
	buf_fini(&now);
}

/* The catalog is made again when it is asked for. */
static void
server_tools_changed(void *ctx, size_t server)
{
	upstream *u = ctx;

	cache_lists(u, server);
	u->stale = true;
	if (!uv_is_active((uv_handle_t *)&u->debounce))
		uv_timer_start(&u->debounce, on_debounce_over, DEBOUNCE_MS, 0);
}

static void
server_answered(
    void *ctx, size_t server, uint32_t number, const mcp_answer *answer)
{
	upstream *u = ctx;
	mcp_answer a = *answer;
	buf value, message, members, result = BUF_INIT(NULL, 0);

	(void)server;
	main_loop_due(&u->loop->uv);
	a.value = json_without_secrets(u->secrets, a.value, &value);
	a.message = without_secrets(u->secrets, a.message, &message);
	a.members = json_without_secrets(u->secrets, a.members, &members);
	if (u->direct != NULL)
		a.result =
		    answer_without_secrets(u->secrets, a.result, &result);
	else
		a.result = TEXT_NONE;
	if (value.bad != CM_OK || message.bad != CM_OK ||
	    members.bad != CM_OK || result.bad != CM_OK)
		a = (mcp_answer){.message = TEXT("out of memory")};
	learning_answered(&u->learning, number, a.ok ? a.value : TEXT_NONE);
	if (u->caller.answered != NULL)
		u->caller.answered(u->caller.ctx, number, &a);
	buf_fini(&value);
	buf_fini(&message);
	buf_fini(&members);
	buf_fini(&result);
}

void
upstream_offer(upstream *u, unsigned offers)
{
	u->offers |= offers;
	if (u->servers != NULL)
		servers_offer(u->servers, u->offers);
}

void
upstream_reply(upstream *u, size_t server, uint64_t asked, json result)
{
	static const text failed =
	    TEXT_INIT("{\"code\":-32000,\"message\":\"The client gave no "
		      "answer\"}");

	servers_reply(
	    u->servers, server, asked, result, result.len ? TEXT_NONE : failed);
}

static void
server_asked(upstream *u, size_t server, const mcp_event *e)
{
	static const text refused = TEXT_INIT(
	    "{\"code\":-32601,\"message\":\"The client that this is for does "
	    "not take such questions\"}");
	buf plain;
	const upstream_question q = {server, e->asked, e->method,
	    json_without_secrets(
		u->secrets, e->params.len ? e->params : TEXT("{}"), &plain)};

	if (plain.bad != CM_OK || u->caller.asked == NULL ||
	    !u->caller.asked(u->caller.ctx, e->call, &q))
		servers_reply(u->servers, server, e->asked, TEXT_NONE, refused);
	buf_fini(&plain);
}

static void
server_told(void *ctx, size_t server, const mcp_event *event)
{
	upstream *u = ctx;
	mcp_event e = *event;
	buf plain;

	main_loop_due(&u->loop->uv);
	if (e.kind == MCP_ASKED) {
		server_asked(u, server, &e);
		return;
	}
	e.message = without_secrets(u->secrets, e.message, &plain);
	if (e.kind == MCP_PROGRESS && u->caller.progress != NULL)
		u->caller.progress(u->caller.ctx, e.call, &e);
	if (e.kind == MCP_LOG && u->hooks.log != NULL)
		u->hooks.log(u->hooks.ctx,
		    text_of(config_of_server(u, server)->name), &e);
	buf_fini(&plain);
}

static void
server_warned(void *ctx, size_t server, text message)
{
	upstream *u = ctx;

	if (!u->ending)
		upstream_tell(u, u->sink, "server %s: %.*s",
		    config_of_server(u, server)->name, TEXT_ARG(message));
}

static bool
parent_of_call(void *ctx, uint32_t number, char out[MCP_PARENT_MAX])
{
	const upstream_caller *caller = &((upstream *)ctx)->caller;

	return caller->parent != NULL &&
	       caller->parent(caller->ctx, number, out);
}

/* --------------------------------------------------------------- starting */

/* A given option is the upper limit for the value of an entry. */
static uint64_t
startup_limit(uint64_t entry, uint64_t option)
{
	uint64_t ms = entry ? entry : STARTUP_MS;

	if (option != 0)
		ms = entry != 0 && entry < option ? entry : option;
	return ms < DAY_MS ? ms : DAY_MS;
}

static void
recall_lists(upstream *u)
{
	for (size_t i = 0; i < u->count; i++) {
		buf lists = BUF_INIT(NULL, LIST_CACHE_BYTES);

		u->lists[i] =
		    list_cache_path(&u->config.pool, config_of_server(u, i));
		if (list_cache_read(u->lists[i], &lists))
			servers_recall(u->servers, i, buf_view(&lists));
		buf_fini(&lists);
	}
}

static bool
start_servers(upstream *u, const upstream_options *o)
{
	servers_hooks hooks = {u, server_changed, server_tools_changed,
	    server_answered, server_told, server_warned, parent_of_call};
	size_t n = config_count(&u->config, CONFIG_START);
	server_config *list =
	    pool_new(&u->config.pool, (n + 1) * sizeof(*list));

	u->learner = (server_secrets){secrets_learn, u->secrets};
	u->entry = pool_new(&u->config.pool, (n + 1) * sizeof(*u->entry));
	u->late = pool_new(&u->config.pool, n + 1);
	memset(u->late, 0, n + 1);
	u->lists = pool_new(&u->config.pool, (n + 1) * sizeof(*u->lists));
	memset(u->lists, 0, (n + 1) * sizeof(*u->lists));
	for (size_t i = 0; i < u->config.len; i++) {
		config_entry *e = &u->config.entry[i];

		if (e->fate != CONFIG_START)
			continue;
		e->start.startup_ms =
		    startup_limit(e->start.startup_ms, o->startup_ms);
		e->start.secrets = &u->learner;
		u->entry[u->count] = i;
		list[u->count++] = e->start;
	}
	u->servers = servers_new(&u->loop->uv, list, n, &hooks);
	if (u->servers != NULL && o->recall)
		recall_lists(u);
	return u->servers != NULL;
}

/* Were we started by a server of codemode? Then our servers could start us
 * again, without end. */
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

/* Does not read the default folder for a script that cannot name "scripts". If
 * a server is called so, the name means the server. */
static bool
open_saved(upstream *u, const upstream_options *o)
{
	const text space = TEXT(SAVED_SPACE);
	bool named = true;

	if (o->scripts == NULL && o->script != NULL &&
	    o->script->len <= SEARCHED_MAX)
		names_needed(*o->script, &space, 1, &named);
	if (named && !saved_open(&u->saved, o->scripts, u->say))
		return false;
	for (size_t i = 0; i < u->config.len; i++)
		if (u->saved.len > 0 &&
		    strcmp(u->config.entry[i].start.name, SAVED_SPACE) == 0) {
			say_line(u->say, "saved scripts are left out: a server "
					 "is called " SAVED_SPACE);
			u->saved.len = 0;
		}
	return true;
}

cli_exit
upstream_start(upstream *u, main_loop *loop, const upstream_options *o, say *s)
{
	size_t ready;

	*u = (upstream){.loop = loop,
	    .say = s,
	    .unchecked = o->unchecked,
	    .began_ms = monotonic_ms(),
	    .before = BUF_INIT(NULL, BEFORE_MAX),
	    .stale = true};
	uv_timer_init(&loop->uv, &u->debounce);
	u->debounce.data = u;
	config_init(&u->config, s);
	learning_open(&u->learning, o->learn, s);
	if (permit_open(&u->permit, &o->permit, s) != CLI_OK)
		return CLI_USAGE;
	if (!config_options(&u->config, &o->servers) || !open_saved(u, o))
		return CLI_USAGE;
	u->secrets = secrets_of(&u->config);
	if (u->secrets == NULL) {
		say_line(s, "out of memory");
		return CLI_NO_SERVER;
	}
	ready = config_count(&u->config, CONFIG_START);
	if (ready + config_count(&u->config, CONFIG_WRONG) == 0 ||
	    (ready == 0 && u->config.found))
		return CLI_OK;
	if (ready == 0 || is_nested(u)) {
		say_line(s, "no server came up");
		return CLI_NO_SERVER;
	}
	if (net_parts() == NULL && network_needed(&u->config, o->script))
		return net_execute(s, "a server at a URL");
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
	uv_close((uv_handle_t *)&u->debounce, NULL);
	uv_run(&u->loop->uv, UV_RUN_NOWAIT);
	cm_catalog_free(u->catalog);
	buf_fini(&u->before);
	cm_catalog_free(u->direct);
	redactor_free(u->secrets);
	permit_fini(&u->permit);
	saved_fini(&u->saved);
	learning_close(&u->learning);
	config_fini(&u->config);
}

void
upstream_options_fini(upstream_options *o)
{
	opt_values_fini(&o->servers);
	opt_values_fini(&o->permit.rules);
}

/* ----------------------------------------------------------------- ending */

static void
servers_stopped(void *ctx)
{
	upstream *u = ctx;

	main_loop_due(&u->loop->uv);
	u->stopped = true;
}

void
upstream_stop(upstream *u, bool hurry)
{
	unsigned seen = signals_count();

	u->ending = true;
	if (u->servers == NULL)
		return;
	servers_stop(u->servers, hurry ? HURRY_MS : 0, servers_stopped);
	while (!u->stopped) {
		if (signals_count() > seen) {
			seen = UINT32_MAX;
			servers_kill(u->servers);
		}
		main_loop_turn(u->loop);
	}
}
