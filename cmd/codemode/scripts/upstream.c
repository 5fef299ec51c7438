/* SPDX-License-Identifier: MIT */
/*
 * upstream.c -- between a configuration and the servers that it names.
 *
 * A server that fails is reported with the reason at the moment it fails; the
 * others go on. Of a script only its text is used here, to find the servers
 * that it can name.
 */
#include "upstream.h"

#include "common/monotonic.h"
#include "common/net.h"
#include "common/signals.h"
#include "config/named_servers.h"
#include "config/network_need.h"
#include "servers/list_cache.h"

#include "schema/schema_sample.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
	STARTUP_MS = 30 * 1000,
	DAY_MS = 24 * 3600 * 1000,
	HURRY_MS = 250,
	LINE_MAX_BYTES = 64 * 1024,
	SCHEMA_MAX_BYTES = 1 << 20,
	DEBOUNCE_MS = 100,
	BEFORE_MAX = 1 << 20
};

static const server_config *
config_of_server(const upstream *u, size_t server)
{
	return &u->config.entry[u->entry[server]].start;
}

/* ------------------------------------------------------------------- hooks */

static void __attribute__((format(printf, 3, 4)))
sink_line(upstream *u, upstream_sink sink, const char *format, ...)
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
static void
sink_failed(upstream *u, upstream_sink sink, size_t server)
{
	const server_config *c = config_of_server(u, server);
	text why = servers_why(u->servers, server);
	text said = TEXT_NONE;

	if (sink.line == NULL)
		said = servers_stderr(u->servers, server);
	sink_line(u, sink, "server %s (%s): %.*s%s%.*s", c->name, c->where,
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
		sink_failed(u, u->sink, server);
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

/* A file that has them already is left alone. */
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
		a.result = json_without_secrets(u->secrets, a.result, &result);
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
		sink_line(u, u->sink, "server %s: %.*s",
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

/* An option that was given bounds what the entries ask for. */
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

/* The usual folder is not read for a script that cannot name it. A server of
 * that name is what scripts mean by it. */
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

/* ----------------------------------------------------------------- waiting */

/* It did not come up in time, and no tools of it are known. */
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

/* Of all servers and, behind them, of saved scripts. */
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

/* A script that calls saved scripts reaches what any of them names. */
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
		sink_line(u, sink,
		    "server %s (%s): its configuration is wrong: %s",
		    e->start.name, e->start.where, e->why);
	}
	for (size_t i = 0; i < u->count; i++) {
		config_entry *e = &u->config.entry[u->entry[i]];

		if (!named[u->entry[i]] || (once && e->told) ||
		    !is_absent(u, i))
			continue;
		e->told = true;
		sink_failed(u, sink, i);
	}
}

void
upstream_warn_run(void *run, text message)
{
	cm_run_warn(run, message);
}

/* ---------------------------------------------------------------- catalog */

bool
upstream_is_saved(const upstream *u, text space)
{
	return u->saved.len > 0 && text_eq(space, TEXT(SAVED_SPACE));
}

static cm_tool
as_cm_tool(text space, const mcp_tool *t)
{
	return (cm_tool){.space = space,
	    .name = t->name,
	    .description = t->description,
	    .input_schema = t->input_schema,
	    .output_schema = t->output_schema,
	    .flags = t->flags};
}

/* Takes secrets out of the texts, which plain receives then. */
static void
hide_secrets(const upstream *u, cm_tool *t, buf plain[3])
{
	t->description = without_secrets(u->secrets, t->description, &plain[0]);
	t->input_schema =
	    json_without_secrets(u->secrets, t->input_schema, &plain[1]);
	t->output_schema =
	    json_without_secrets(u->secrets, t->output_schema, &plain[2]);
}

static cm_status
add_server_tool(upstream *u, cm_catalog *cat, size_t server, const mcp_tool *t,
    unsigned exposed)
{
	const char *space = config_of_server(u, server)->name;
	cm_tool tool = as_cm_tool(text_of(space), t);
	const config_entry *e = &u->config.entry[u->entry[server]];
	buf plain[3], observed = BUF_INIT(NULL, SCHEMA_MAX_BYTES);
	policy_verdict verdict = permit_tool(&u->permit, &tool).verdict;
	cm_status r;

	if (u->exposes &&
	    ((e->expose ? e->expose : EXPOSE_SCRIPT) & exposed) == 0)
		return CM_OK;
	if (!config_tool(e, t->name) || verdict == POLICY_DENY)
		return CM_OK;
	u->asks = u->asks || verdict == POLICY_ASK;
	if (u->unchecked || !config_checks(e, t->name))
		tool.flags |= CM_TOOL_UNCHECKED;
	hide_secrets(u, &tool, plain);
	learning_show(&u->learning, &tool, &observed);
	r = cm_catalog_add(cat, &tool);
	for (int i = 0; i < 3; i++)
		buf_fini(&plain[i]);
	buf_fini(&observed);
	if (r == CM_OK || r == CM_ENOMEM)
		return r;
	say_line(u->say, "server %s: the tool \"%.*s\" is left out: %s", space,
	    TEXT_ARG(t->name), cm_status_text(r));
	return CM_OK;
}

void
upstream_each_tool(upstream *u,
    void (*each)(void *ctx, const cm_tool *t, policy_decision d), void *ctx)
{
	for (size_t i = 0; i < u->count; i++) {
		text space = text_of(config_of_server(u, i)->name);
		const config_entry *e = &u->config.entry[u->entry[i]];
		size_t n = 0;
		const mcp_tool *t = servers_tools(u->servers, i, &n);

		for (size_t k = 0; k < n; k++) {
			cm_tool tool = as_cm_tool(space, &t[k]);

			if (config_tool(e, t[k].name))
				each(
				    ctx, &tool, permit_tool(&u->permit, &tool));
		}
	}
	for (size_t i = 0; i < u->saved.len; i++) {
		cm_tool tool = saved_tool(&u->saved.list[i]);

		each(ctx, &tool, permit_tool(&u->permit, &tool));
	}
}

/* exposed: EXPOSE_*, one of which each server must have. */
static cm_status
catalog_of_servers(upstream *u, unsigned exposed, cm_catalog **out)
{
	cm_status r = cm_catalog_new(NULL, out);

	u->asks = false;
	u->made++;
	for (size_t i = 0; i < u->count && r == CM_OK; i++) {
		size_t n = 0;
		const mcp_tool *t = servers_tools(u->servers, i, &n);

		for (size_t k = 0; k < n && r == CM_OK; k++)
			r = add_server_tool(u, *out, i, &t[k], exposed);
		if (n > 0 && !servers_recalled(u->servers, i))
			config_unused_names(
			    &u->config, &u->config.entry[u->entry[i]]);
	}
	return r;
}

/* What a saved script may do is known once the tools of the servers are. */
static cm_status
look_at_saved(upstream *u)
{
	cm_catalog *others = NULL;
	cm_status r = catalog_of_servers(u, EXPOSE_SCRIPT, &others);

	if (r == CM_OK)
		saved_look(&u->saved, others);
	cm_catalog_free(others);
	return r;
}

static cm_status
make_catalog(upstream *u, cm_catalog **out)
{
	cm_status r = u->saved.len > 0 ? look_at_saved(u) : CM_OK;

	u->asks = false;
	u->made++;
	if (r == CM_OK)
		r = catalog_of_servers(u, EXPOSE_SCRIPT, out);
	for (size_t i = 0; i < u->saved.len && r == CM_OK; i++) {
		cm_tool t = saved_tool(&u->saved.list[i]);

		policy_verdict v = permit_tool(&u->permit, &t).verdict;

		u->asks = u->asks || v == POLICY_ASK;
		if (v != POLICY_DENY)
			r = cm_catalog_add(*out, &t);
	}
	return r;
}

static bool
is_same_definition(const cm_tool *a, const cm_tool *b)
{
	return a->flags == b->flags &&
	       text_eq(a->description, b->description) &&
	       text_eq(a->input_schema, b->input_schema) &&
	       text_eq(a->output_schema, b->output_schema);
}

/* Notes tools that have the name of another one before, or that are gone: what
 * comes back under that name may be another one. Both catalogs are in the order
 * of paths. */
static void
note_redefined(upstream *u, cm_catalog *old, cm_catalog *new)
{
	size_t i = 0, k = 0;
	cm_tool a, b;
	text pa, pb;
	bool any = false;

	while (cm_catalog_get(old, i, &a, &pa) == CM_OK) {
		bool more = cm_catalog_get(new, k, &b, &pb) == CM_OK;
		int order = more ? text_cmp(pa, pb) : -1;

		if (order < 0 || (order == 0 && !is_same_definition(&a, &b))) {
			permit_put_definition(&u->permit, &a, &u->before);
			any = true;
		}
		i += order <= 0;
		k += order >= 0;
	}
	u->redefined += any;
}

static bool
exposes_directly(const upstream *u)
{
	for (size_t i = 0; u->exposes && i < u->count; i++)
		if (u->config.entry[u->entry[i]].expose & EXPOSE_DIRECT)
			return true;
	return false;
}

cm_catalog *
upstream_catalog(upstream *u)
{
	cm_catalog *made = NULL, *direct = NULL;
	cm_status r;

	if (!u->stale)
		return u->catalog;
	r = make_catalog(u, &made);
	if (r == CM_OK && exposes_directly(u))
		r = catalog_of_servers(u, EXPOSE_DIRECT, &direct);
	if (r != CM_OK) {
		cm_catalog_free(made);
		cm_catalog_free(direct);
		return NULL;
	}
	if (u->catalog != NULL)
		note_redefined(u, u->catalog, made);
	if (u->direct != NULL && direct != NULL)
		note_redefined(u, u->direct, direct);
	cm_catalog_free(u->catalog);
	cm_catalog_free(u->direct);
	u->catalog = made;
	u->direct = direct;
	u->stale = false;
	return made;
}

void
upstream_expose(upstream *u)
{
	u->exposes = true;
}

cm_catalog *
upstream_direct(upstream *u)
{
	return upstream_catalog(u) != NULL ? u->direct : NULL;
}

/* ------------------------------------------------------------------- calls */

size_t
upstream_server(const upstream *u, text space)
{
	size_t i = 0;

	while (i < u->count &&
	       !text_eq(text_of(config_of_server(u, i)->name), space))
		i++;
	must(i < u->count || upstream_is_saved(u, space));
	return i;
}

/* The tool of that name, as its server defines it now. */
static cm_tool
tool_of_server(const upstream *u, size_t server, text name)
{
	size_t n = 0;
	const mcp_tool *t;
	text space;

	if (server == u->count)
		return saved_tool(saved_find(&u->saved, name));
	t = servers_tools(u->servers, server, &n);
	space = text_of(config_of_server(u, server)->name);
	for (size_t i = 0; i < n; i++)
		if (text_eq(t[i].name, name))
			return as_cm_tool(space, &t[i]);
	return (cm_tool){.space = space, .name = name};
}

static cm_tool
tool_of_call(const upstream *u, const cm_call *call)
{
	return tool_of_server(u, upstream_server(u, call->space), call->name);
}

text
upstream_name(const upstream *u, size_t server)
{
	return text_of(config_of_server(u, server)->name);
}

void
upstream_about(const upstream *u, text space, buf *out)
{
	size_t server = upstream_server(u, space);
	buf plain;

	if (server == u->count) {
		buf_str(out, "Scripts that the person has saved.");
		return;
	}
	buf_text(out, without_secrets(u->secrets,
			  servers_instructions(u->servers, server), &plain));
	buf_fini(&plain);
}

bool
upstream_is_dry(const upstream *u, const cm_call *call)
{
	cm_tool tool;

	if (!u->permit.dry || upstream_is_saved(u, call->space))
		return false;
	tool = tool_of_call(u, call);
	return permit_dry(&u->permit, &tool);
}

bool
upstream_dry(const upstream *u, const cm_call *call, buf *value, buf *words)
{
	cm_tool tool;

	if (!upstream_is_dry(u, call))
		return false;
	tool = tool_of_call(u, call);
	schema_sample(tool.output_schema, value);
	buf_printf(words, "dry run: %.*s(%.*s) was not called",
	    TEXT_ARG(call->path), TEXT_ARG(call->args));
	return true;
}

policy_decision
upstream_permits(const upstream *u, const cm_call *call)
{
	cm_tool tool = tool_of_call(u, call);

	return permit_tool(&u->permit, &tool);
}

/* The number of the tool of that path; the length of the catalog: none has it. */
static size_t
tool_number(const upstream *u, text path)
{
	size_t from = 0, to = u->catalog ? cm_catalog_len(u->catalog) : 0;
	size_t none = to;

	while (from < to) {
		size_t mid = from + (to - from) / 2;
		text at = TEXT_NONE;
		int order;

		cm_catalog_get(u->catalog, mid, NULL, &at);
		order = text_cmp(at, path);
		if (order == 0)
			return mid;
		if (order < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return none;
}

bool
upstream_call_of(const upstream *u, text path, cm_call *out)
{
	cm_tool t;
	text at;

	if (u->catalog == NULL ||
	    cm_catalog_get(u->catalog, tool_number(u, path), &t, &at) != CM_OK)
		return false;
	*out = (cm_call){.space = t.space, .name = t.name, .path = at};
	return true;
}

void
upstream_changes(const upstream *u, const cm_call *call, buf *out)
{
	size_t from = out->len;
	cm_tool now = tool_of_call(u, call), t;

	permit_put_changes(&u->permit, u->permit.always, &now, out);
	if (out->len == from && u->catalog != NULL &&
	    cm_catalog_get(u->catalog, tool_number(u, call->path), &t, NULL) ==
		CM_OK)
		permit_put_changes(&u->permit, buf_view(&u->before), &t, out);
}

unsigned
upstream_version(upstream *u)
{
	upstream_catalog(u);
	return u->made;
}

unsigned
upstream_redefined(upstream *u)
{
	upstream_catalog(u);
	return u->redefined;
}

bool
upstream_asks(const upstream *u)
{
	return u->asks;
}

void
upstream_always(upstream *u, const cm_call *call)
{
	cm_tool tool = tool_of_call(u, call);
	const char *why = permit_always(&u->permit, &tool);

	if (why != NULL)
		say_line(u->say, "\"always\" is not kept: %s", why);
}

static cm_status
begin_saved_script(upstream *u, uint32_t number, const cm_call *call)
{
	const saved_script *script = saved_find(&u->saved, call->name);
	buf data = BUF_INIT(NULL, SIZE_MAX / 2);
	cm_status r;

	saved_data(script, call->args, &data);
	r = data.bad != CM_OK ? data.bad
			      : u->caller.begin(u->caller.ctx, number, script,
				    buf_view(&data));
	buf_fini(&data);
	return r;
}

static void
learn_call(upstream *u, size_t server, uint32_t number, text name)
{
	cm_tool tool = tool_of_server(u, server, name);
	buf plain[3];

	hide_secrets(u, &tool, plain);
	learning_called(&u->learning, number, &tool);
	for (int i = 0; i < 3; i++)
		buf_fini(&plain[i]);
}

cm_status
upstream_call(upstream *u, size_t server, uint32_t number, const cm_call *call)
{
	cm_status r;

	if (server == u->count)
		return begin_saved_script(u, number, call);
	r = servers_call(u->servers, server, number, call->name, call->args, 0);
	if (r == CM_OK && learning_is_on(&u->learning))
		learn_call(u, server, number, call->name);
	return r;
}

uint32_t
upstream_used(const upstream *u, const cm_tool *t)
{
	return learning_used(&u->learning, t);
}

void
upstream_cancel(upstream *u, size_t server, uint32_t number)
{
	learning_cancelled(&u->learning, number);
	if (server == u->count)
		u->caller.end(u->caller.ctx, number);
	else
		servers_cancel(u->servers, server, number, TEXT_NONE);
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
