/* SPDX-License-Identifier: MIT */
/*
 * entry.c -- reads one entry: what kind of server it is, times, filters.
 *
 * MCP clients agree on command, args and env, and differ in the rest; the names
 * that they give to members are a table in entry_reader.c. Each part has one
 * function here or in the files beside it, which reports what is wrong and
 * where; the first wrong part makes the entry wrong.
 */
#include "entry_reader.h"

#include "common/program.h"
#include "common/split.h"

#include <stdio.h>

enum { SECONDS_BELOW = 1000 };

/* ------------------------------------------------------------------- times */

typedef struct time_member {
	member_means means;
	const char *inner; /* a member of it, or NULL */
	unsigned unit;     /* milliseconds; 0: see read_time */
	size_t at;         /* in server_config */
} time_member;

static const time_member times[] = {
    {MEANS_STARTUP_SEC, NULL, 1000, offsetof(server_config, startup_ms)},
    {MEANS_STARTUP_MS, NULL, 1, offsetof(server_config, startup_ms)},
    {MEANS_CALL_SEC, NULL, 1000, offsetof(server_config, call_ms)},
    {MEANS_CALL_MS, NULL, 1, offsetof(server_config, call_ms)},
    {MEANS_TIMEOUT, "startup", 1, offsetof(server_config, startup_ms)},
    {MEANS_TIMEOUT, "request", 1, offsetof(server_config, call_ms)},
    {MEANS_TIMEOUT, NULL, 0, offsetof(server_config, call_ms)},
    {MEANS_IDLE_MS, NULL, 1, offsetof(server_config, idle_ms)},
};

/* A plain "timeout" is in milliseconds, or in seconds with some programs. Below
 * SECONDS_BELOW it is taken as seconds: a limit of less than a second on every
 * call is hardly meant. */
static bool
read_time(entry_reader *r, const time_member *t, const char *key, json v)
{
	double n;
	unsigned ms = t->unit;

	if (!json_double(v, &n) || n <= 0 || n > 1e9)
		return refuse_entry(r, v, key, "must be a number above 0");
	if (ms == 0)
		ms = r->source->seconds || n < SECONDS_BELOW ? 1000 : 1;
	if (t->unit == 0 && ms == 1000 && !r->source->seconds)
		warn_about_key(r, v, key, "%g is taken as seconds", n);
	n = n * ms < 1 ? 1 : n * ms;
	*(uint64_t *)(void *)((char *)&r->entry.start + t->at) = (uint64_t)n;
	return true;
}

static bool
read_times(entry_reader *r)
{
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		const time_member *t = &times[i];
		const found_member *m = &r->found[t->means];
		json v = m->value;

		if (t->inner != NULL)
			v = json_get(v, text_of(t->inner));
		else if (json_kind_of(v) == JSON_OBJECT)
			continue;
		if (v.len > 0 && !read_time(r, t, m->key, v))
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------- filters */

static void
add_tool_name(pool *p, const char *name, const char *where, config_names **list)
{
	config_names *node = pool_new(p, sizeof(*node));

	*node = (config_names){text_of(name), where, false, NULL};
	while (*list != NULL)
		list = &(*list)->next;
	*list = node;
}

static bool
add_tool_names(entry_reader *r, const found_member *m, config_names **list)
{
	json_iter it = json_each(m->value);
	json v;

	if (json_kind_of(m->value) != JSON_ARRAY)
		return refuse_entry(
		    r, m->value, m->key, "must be an array of tool names");
	while (json_next(&it, NULL, &v)) {
		const char *name = copy_config_name(r, v, m->key);

		if (name == NULL)
			return false;
		add_tool_name(&r->config->pool, name,
		    pool_printf(&r->config->pool, "%s:%u: %s.%s",
			r->source->text->path,
			config_text_line(r->source->text, v.ptr),
			r->entry.start.name, m->key),
		    list);
	}
	return true;
}

/* { "delete": false, "read": true, "list": { "enabled": false } } */
static bool
read_tool_switches(entry_reader *r, const found_member *m)
{
	json_iter it = json_each(m->value);
	json name, v;

	while (json_next(&it, &name, &v)) {
		const char *tool = copy_config_name(r, name, m->key);
		json on = json_get(v, TEXT("enabled"));

		if (tool == NULL)
			return false;
		if (!json_bool(v, true) || !json_bool(on, true))
			add_tool_name(&r->config->pool, tool,
			    pool_printf(&r->config->pool, "%s:%u: %s.%s",
				r->source->text->path,
				config_text_line(r->source->text, v.ptr),
				r->entry.start.name, m->key),
			    &r->entry.except);
	}
	return true;
}

static bool
read_filter(entry_reader *r, member_means means, const found_member *m)
{
	config_entry *e = &r->entry;

	if (means == MEANS_TOOLS && json_kind_of(m->value) == JSON_OBJECT)
		return read_tool_switches(r, m);
	if (means == MEANS_AVAILABLE && json_len(m->value) == 0)
		return true;
	if (means == MEANS_EXCEPT)
		return add_tool_names(r, m, &e->except);
	e->filtered = true;
	return add_tool_names(r, m, &e->only);
}

/* uncheckedTools: true for all tools of the server, or an array of names. */
static bool
read_unchecked(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_UNCHECKED];

	if (json_kind_of(m->value) == JSON_TRUE) {
		r->entry.unchecked = true;
		return true;
	}
	return m->value.len == 0 || json_kind_of(m->value) == JSON_FALSE ||
	       add_tool_names(r, m, &r->entry.unchecked_tools);
}

/* All of them count, also when one entry has a filter in two spellings. */
static bool
read_filters(entry_reader *r)
{
	json_iter it = json_each(r->value);
	json name, v;

	while (json_next(&it, &name, &v)) {
		const char *key;
		member_means means;

		if (json_kind_of(v) == JSON_NULL)
			continue;
		key = copy_config_name(r, name, "");
		means = key ? meaning_of(text_of(key)) : MEANS_NOTHING;
		if (means >= MEANS_ONLY && means <= MEANS_TOOLS &&
		    !read_filter(r, means, &(found_member){v, key}))
			return false;
	}
	return read_unchecked(r);
}

/* opencode: { "tools": { "server_tool": false, "server_*": false } } beside the
 * servers. */
static void
read_outer_tools(entry_reader *r)
{
	json_iter it = json_each(r->source->tools);
	pool *p = &r->config->pool;
	const char *prefix = pool_printf(p, "%s_", r->entry.start.name);
	json name, v;

	while (json_next(&it, &name, &v)) {
		const char *tool = copy_config_name(r, name, "tools");

		if (tool == NULL || json_bool(v, true))
			continue;
		if (text_starts(text_of(tool), text_of(prefix)))
			add_tool_name(
			    p, tool + strlen(prefix), NULL, &r->entry.except);
		else if (text_glob(text_of(tool), text_of(prefix)))
			add_tool_name(p, "*", NULL, &r->entry.except);
	}
}

/* -------------------------------------------------------- what kind it is */

static const struct {
	const char *name;
	bool ours; /* false: a part of the other client */
	server_reach reach;
} kinds[] = {
    {"stdio", true, REACH_PROCESS},
    {"local", true, REACH_PROCESS},
    {"http", true, REACH_HTTP},
    {"remote", true, REACH_HTTP},
    {"streamable-http", true, REACH_HTTP},
    {"streamableHttp", true, REACH_HTTP},
    {"streamable_http", true, REACH_HTTP},
    {"sse", true, REACH_SSE},
    {"builtin", false, REACH_PROCESS},
    {"platform", false, REACH_PROCESS},
    {"frontend", false, REACH_PROCESS},
    {"inline_python", false, REACH_PROCESS},
};

/* Clients name the transport in three ways, or not at all. */
static bool
read_kind(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_KIND];
	server_reach *reach = &r->entry.start.reach;

	*reach = r->found[MEANS_COMMAND].value.len == 0 &&
			 r->found[MEANS_URL].value.len +
				 r->found[MEANS_HTTP_URL].value.len >
			     0
		     ? REACH_HTTP
		     : REACH_PROCESS;
	if (m->value.len == 0 || json_kind_of(m->value) == JSON_OBJECT)
		return true;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!json_is(m->value, text_of(kinds[i].name)))
			continue;
		*reach = kinds[i].reach;
		if (!kinds[i].ours) {
			r->entry.fate = CONFIG_OFF;
			r->entry.why = "is a part of the other program";
		}
		return true;
	}
	return refuse_entry(
	    r, m->value, m->key, "must be \"stdio\", \"http\" or \"sse\"");
}

/* Gemini: { "mcp": { "allowed": [...], "excluded": [...] } }. */
static bool
lists_server(json list, const char *name)
{
	json_iter it = json_each(list);
	json v;

	while (json_next(&it, NULL, &v))
		if (json_is(v, text_of(name)))
			return true;
	return false;
}

/* Entries that are off are not read any further. False: reported. */
static bool
read_switches(entry_reader *r)
{
	const char *name = r->entry.start.name;
	json allowed = r->source->allowed;
	bool disabled, enabled;

	if (!read_config_bool(r, MEANS_DISABLED, false, &disabled) ||
	    !read_config_bool(r, MEANS_ENABLED, true, &enabled))
		return false;
	if (disabled || !enabled)
		r->entry.why = "is switched off in the file";
	else if (json_is(r->found[MEANS_SOURCE].value, TEXT("extension")))
		r->entry.why = "is an extension of the other program";
	else if (lists_server(r->source->excluded, name) ||
		 (allowed.len > 0 && !lists_server(allowed, name)))
		r->entry.why =
		    "is left out by the lists of servers in the file";
	else
		return true;
	r->entry.fate = CONFIG_OFF;
	return true;
}

static bool
read_config_era(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_ERA];

	if (json_is(m->value, TEXT("legacy")))
		r->entry.start.era = ERA_LEGACY;
	else if (json_is(m->value, TEXT("modern")))
		r->entry.start.era = ERA_MODERN;
	else if (m->value.len > 0)
		return refuse_entry(r, m->value, m->key,
		    "must be \"legacy\" (up to 2025-11-25) or \"modern\" "
		    "(2026-07-28)");
	return true;
}

unsigned
expose_bits(text word)
{
	static const struct {
		text word;
		unsigned bits;
	} words[] = {
	    {TEXT_INIT("script"), EXPOSE_SCRIPT},
	    {TEXT_INIT("direct"), EXPOSE_DIRECT},
	    {TEXT_INIT("both"), EXPOSE_SCRIPT | EXPOSE_DIRECT},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (text_eq(word, words[i].word))
			return words[i].bits;
	return 0;
}

static bool
read_expose(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_EXPOSE];
	buf word = BUF_INIT(NULL, SIZE_MAX / 2);

	if (m->value.len == 0)
		return true;
	json_unescape(m->value, &word);
	r->entry.expose = expose_bits(buf_view(&word));
	buf_fini(&word);
	return r->entry.expose != 0 ||
	       refuse_entry(r, m->value, m->key,
		   "must be \"script\", \"direct\" or \"both\"");
}

static bool
read_server(entry_reader *r)
{
	find_members(r);
	if (!read_switches(r) || !read_kind(r))
		return false;
	if (r->entry.fate == CONFIG_OFF)
		return true;
	if (!report_unknown_members(r))
		return false;
	read_outer_tools(r);
	return read_times(r) && read_config_era(r) && read_expose(r) &&
	       read_filters(r) &&
	       (r->entry.start.reach == REACH_PROCESS ? read_process(r)
						      : read_remote(r));
}

config_entry
entry_read(json key, json value, const entry_source *source, config *c)
{
	entry_reader r = {.config = c,
	    .source = source,
	    .value = value,
	    .entry = {.fate = CONFIG_START, .path = source->text->path}};
	buf name = BUF_INIT(NULL, 1 << 20);

	json_unescape(key, &name);
	r.entry.start.name = pool_copy(&c->pool, buf_view(&name));
	buf_fini(&name);
	r.entry.start.where = pool_printf(&c->pool, "%s:%u", source->text->path,
	    config_text_line(source->text, key.ptr));
	if (json_kind_of(value) != JSON_OBJECT)
		refuse_entry(&r, value, "", "must be an object");
	else if (*r.entry.start.name == 0)
		refuse_entry(&r, key, "", "a server must have a name");
	else
		read_server(&r);
	return r.entry;
}

config_entry
entry_command(text name, text command, const char *option, config *c)
{
	entry_reader r = {.config = c, .entry = {.fate = CONFIG_START}};
	const char *why = NULL;
	size_t n = 0;

	r.entry.start.name = pool_copy(&c->pool, name);
	r.entry.start.where = option;
	r.entry.start.env = program_env(&c->pool, 0);
	r.entry.start.argv = split_words(command, &c->pool, &n, &why);
	if (r.entry.start.argv == NULL)
		refuse_entry(&r, TEXT_NONE, "", "the command %s", why);
	else
		check_program(&r, TEXT_NONE);
	return r.entry;
}

config_entry
entry_url(text name, const char *url, const char *option, config *c)
{
	return (config_entry){.fate = CONFIG_START,
	    .start = {.name = pool_copy(&c->pool, name),
		.reach = REACH_HTTP,
		.url = url,
		.where = option}};
}
