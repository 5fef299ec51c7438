/* SPDX-License-Identifier: MIT */
/*
 * entry.c -- reads one entry: command, arguments, environment, folder, times.
 *
 * MCP clients agree on command, args and env, and differ in the rest; all their
 * forms are read here. Each part has one function, which reports what is wrong
 * and where; the first wrong part makes the entry wrong.
 */
#include "entry.h"

#include "expand.h"
#include "program.h"
#include "split.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VALUE_MAX_BYTES = 1 << 20, SECONDS_BELOW = 1000 };

typedef struct reader {
	config *config;
	const entry_source *source; /* NULL: the command line */
	json value;
	config_entry entry;
} reader;

/* ------------------------------------------------------ what goes wrong */

static void
say_about_key(
    reader *r, json at, const char *key, const char *format, va_list args)
{
	char what[512];
	unsigned line = 0, column = 0;
	const char *dot = *key ? "." : "";

	vsnprintf(what, sizeof(what), format, args);
	if (r->source == NULL) {
		say_line(r->config->say, "--mcp-server %s: %s",
		    r->entry.start.name, what);
		return;
	}
	text_position(r->source->content,
	    (size_t)(at.ptr - r->source->content.ptr), &line, &column);
	say_line(r->config->say, "%s:%u: %s%s%s: %s", r->source->path, line,
	    r->entry.start.name, dot, key, what);
}

/* Reports a fault; the server will not be started. Always false. */
static bool __attribute__((format(printf, 4, 5)))
refuse_entry(reader *r, json at, const char *key, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_about_key(r, at, key, format, args);
	va_end(args);
	r->entry.fate = CONFIG_WRONG;
	return false;
}

/* Reports something odd; the server is started all the same. */
static void __attribute__((format(printf, 4, 5)))
warn_about_key(reader *r, json at, const char *key, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_about_key(r, at, key, format, args);
	va_end(args);
}

static json
entry_member(const reader *r, const char *key)
{
	return json_get(r->value, text_of(key));
}

/* The first of these members that is there. */
static json
first_member_of(const reader *r, const char *const *keys, const char **key)
{
	json v = TEXT_NONE;

	for (; *keys != NULL && v.len == 0; keys++) {
		v = entry_member(r, *keys);
		*key = *keys;
	}
	return v;
}

/* ---------------------------------------------------------------- texts */

static bool
expand_value(reader *r, json at, const char *key, text t, const char **out)
{
	expand_places places = {
	    r->source ? r->source->workspace : r->config->cwd, r->config->cwd};
	buf b = BUF_INIT(NULL, VALUE_MAX_BYTES);
	expand_fault fault = {TEXT_NONE, NULL};
	bool ok = expand(t, &places, &b, &fault);

	if (!ok)
		refuse_entry(r, at, key, "the variable %.*s %s",
		    TEXT_ARG(fault.variable), fault.why);
	else if (b.bad != CM_OK)
		ok = refuse_entry(r, at, key, "%s", cm_status_text(b.bad));
	else if (b.len > 0 && memchr(b.ptr, 0, b.len) != NULL)
		ok = refuse_entry(r, at, key, "has a NUL byte in it");
	else
		*out = pool_copy(&r->config->pool, buf_view(&b));
	buf_fini(&b);
	return ok;
}

/* A string, unescaped and with its variables replaced. */
static bool
read_config_string(reader *r, json v, const char *key, const char **out)
{
	buf b = BUF_INIT(NULL, VALUE_MAX_BYTES);
	bool ok;

	if (!json_unescape(v, &b))
		return refuse_entry(r, v, key, "must be a string");
	ok = expand_value(r, v, key, buf_view(&b), out);
	buf_fini(&b);
	return ok;
}

/* -------------------------------------------------------------- command */

/* The elements of list behind argv[at], which has room for them. */
static bool
append_strings(reader *r, json list, const char *key, char **argv, size_t at)
{
	json_iter it = json_each(list);
	json v;

	for (size_t i = 0; json_next(&it, NULL, &v); i++) {
		char place[64];
		const char *s = NULL;

		snprintf(place, sizeof(place), "%s[%zu]", key, i);
		if (!read_config_string(r, v, place, &s))
			return false;
		argv[at + i] = pool_copy(&r->config->pool, text_of(s));
	}
	return true;
}

static bool
argv_from_list(reader *r, json command, json args)
{
	size_t n = json_len(command), m = json_len(args);
	char **argv = pool_new(&r->config->pool, (n + m + 1) * sizeof(*argv));

	if (n == 0)
		return refuse_entry(r, command, "command", "is empty");
	r->entry.start.argv = argv;
	return append_strings(r, command, "command", argv, 0) &&
	       append_strings(r, args, "args", argv, n);
}

/* "npx some-server" with no args: the words of a line, unless such a file
 * exists. Variables are replaced afterwards, so their blanks split nothing. */
static bool
argv_from_line(reader *r, json command, text line)
{
	pool *p = &r->config->pool;
	const char *why = NULL;
	size_t n = 0;
	char **argv = split_words(line, p, &n, &why);

	if (argv == NULL)
		return refuse_entry(r, command, "command", "%s", why);
	if (n > 1)
		warn_about_key(r, command, "command",
		    "has blanks and there are no args: taken apart into %zu "
		    "words",
		    n);
	for (size_t i = 0; i < n; i++) {
		const char *s = NULL;

		if (!expand_value(r, command, "command", text_of(argv[i]), &s))
			return false;
		argv[i] = pool_copy(p, text_of(s));
	}
	r->entry.start.argv = argv;
	return true;
}

static bool
argv_from_string(reader *r, json command, json args)
{
	pool *p = &r->config->pool;
	size_t n = json_len(args);
	char **argv = pool_new(p, (n + 2) * sizeof(*argv));
	const char *file = "";
	buf line = BUF_INIT(NULL, VALUE_MAX_BYTES);
	bool ok;

	if (!read_config_string(r, command, "command", &file))
		return false;
	if (*file == '\0')
		return refuse_entry(r, command, "command", "is empty");
	if (n == 0 && strpbrk(file, " \t") != NULL && access(file, X_OK) != 0) {
		json_unescape(command, &line);
		ok = argv_from_line(r, command, buf_view(&line));
		buf_fini(&line);
		return ok;
	}
	argv[0] = pool_copy(p, text_of(file));
	r->entry.start.argv = argv;
	return append_strings(r, args, "args", argv, 1);
}

static bool
read_command(reader *r)
{
	json command = entry_member(r, "command"),
	     args = entry_member(r, "args");

	if (args.len > 0 && json_kind_of(args) == JSON_NULL)
		args = TEXT_NONE;
	if (args.len > 0 && json_kind_of(args) != JSON_ARRAY)
		return refuse_entry(
		    r, args, "args", "must be an array of strings");
	switch (json_kind_of(command)) {
	case JSON_ARRAY:
		return argv_from_list(r, command, args);
	case JSON_STRING:
		return argv_from_string(r, command, args);
	case JSON_MISSING:
		return refuse_entry(r, r->value, "", "has no \"command\"");
	default:
		return refuse_entry(r, command, "command",
		    "must be a string or an array of strings");
	}
}

/* ------------------------------------------------------- its environment */

/* Values are strings; numbers and booleans are taken as they are written. */
static bool
env_value(reader *r, json v, const char *key, const char **out)
{
	switch (json_kind_of(v)) {
	case JSON_STRING:
		return read_config_string(r, v, key, out);
	case JSON_NUMBER:
	case JSON_TRUE:
	case JSON_FALSE:
		*out = pool_copy(&r->config->pool, v);
		return true;
	case JSON_NULL:
		*out = NULL;
		return true;
	default:
		return refuse_entry(
		    r, v, key, "must be a string, or null to unset");
	}
}

static bool
env_entry(reader *r, json key, json value)
{
	pool *p = &r->config->pool;
	buf name = BUF_INIT(NULL, VALUE_MAX_BYTES);
	const char *is = NULL, *place, *copy;

	json_unescape(key, &name);
	copy = pool_copy(p, buf_view(&name));
	buf_fini(&name);
	place = pool_printf(p, "env.%s", copy);
	if (*copy == '\0' || strchr(copy, '=') != NULL)
		return refuse_entry(
		    r, value, place, "is no name of a variable");
	if (!env_value(r, value, place, &is))
		return false;
	program_env_set(r->entry.start.env, copy, is, p);
	return true;
}

static bool
read_env(reader *r)
{
	static const char *const keys[] = {"env", "environment", NULL};
	const char *key = NULL;
	json env = first_member_of(r, keys, &key), name, value;
	json_iter it = json_each(env);

	r->entry.start.env = program_env(&r->config->pool, json_len(env));
	if (entry_member(r, "envFile").len > 0)
		warn_about_key(r, entry_member(r, "envFile"), "envFile",
		    "not supported: the variables in it are not set");
	if (env.len == 0 || json_kind_of(env) == JSON_NULL)
		return true;
	if (json_kind_of(env) != JSON_OBJECT)
		return refuse_entry(
		    r, env, key, "must be an object of strings");
	while (json_next(&it, &name, &value))
		if (!env_entry(r, name, value))
			return false;
	return true;
}

/* ----------------------------------------------------- folder and times */

static bool
read_cwd(reader *r)
{
	json v = entry_member(r, "cwd");
	const char *folder = "";
	struct stat st;

	r->entry.start.cwd = r->source->workspace;
	if (v.len == 0 || json_kind_of(v) == JSON_NULL)
		return true;
	if (!read_config_string(r, v, "cwd", &folder))
		return false;
	if (*folder != '/')
		folder = pool_printf(
		    &r->config->pool, "%s/%s", r->source->workspace, folder);
	if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))
		return refuse_entry(r, v, "cwd", "%s is no folder", folder);
	r->entry.start.cwd = folder;
	return true;
}

typedef struct time_key {
	const char *key, *inner; /* inner: a member of it, or NULL */
	unsigned unit;           /* milliseconds; 0: see read_time */
	bool startup;            /* else: of each call             */
} time_key;

static const time_key time_keys[] = {
    {"startup_timeout_sec", NULL, 1000, true},
    {"startup_timeout_ms", NULL, 1, true},
    {"tool_timeout_sec", NULL, 1000, false},
    {"timeout", "startup", 1, true},
    {"timeout", "request", 1, false},
    {"timeout", NULL, 0, false},
};

/* A plain "timeout" is in milliseconds, or in seconds with some programs. Below
 * SECONDS_BELOW it is taken as seconds: a limit of less than a second on every
 * call is hardly meant. */
static bool
read_time(reader *r, const time_key *k, json v)
{
	double n;
	unsigned ms = k->unit;

	if (!json_double(v, &n) || n <= 0 || n > 1e9)
		return refuse_entry(r, v, k->key, "must be a number above 0");
	if (ms == 0) {
		ms = n < SECONDS_BELOW ? 1000 : 1;
		if (ms == 1000)
			warn_about_key(
			    r, v, k->key, "%g is taken as seconds", n);
	}
	n = n * ms < 1 ? 1 : n * ms;
	*(k->startup ? &r->entry.start.startup_ms : &r->entry.start.call_ms) =
	    (uint64_t)n;
	return true;
}

static bool
read_times(reader *r)
{
	for (size_t i = 0; i < sizeof(time_keys) / sizeof(*time_keys); i++) {
		const time_key *k = &time_keys[i];
		json v = entry_member(r, k->key);

		if (k->inner != NULL)
			v = json_get(v, text_of(k->inner));
		else if (json_kind_of(v) == JSON_OBJECT)
			continue;
		if (v.len > 0 && json_kind_of(v) != JSON_NULL &&
		    !read_time(r, k, v))
			return false;
	}
	return true;
}

/* --------------------------------------------------------------- filters */

static bool
read_filter(reader *r, const char *const *keys, json *out)
{
	const char *key = NULL;
	json v = first_member_of(r, keys, &key);

	if (v.len > 0 && json_kind_of(v) != JSON_ARRAY &&
	    json_kind_of(v) != JSON_NULL)
		return refuse_entry(
		    r, v, key, "must be an array of tool names");
	*out = json_kind_of(v) == JSON_ARRAY ? v : TEXT_NONE;
	return true;
}

/* uncheckedTools: true for all tools of the server, or an array of names. */
static bool
read_unchecked(reader *r)
{
	static const char *const keys[] = {"uncheckedTools", NULL};
	const char *key = NULL;
	json v = first_member_of(r, keys, &key);

	if (json_kind_of(v) != JSON_TRUE && json_kind_of(v) != JSON_FALSE)
		return read_filter(r, keys, &r->entry.unchecked);
	r->entry.unchecked = v;
	return true;
}

static bool
read_filters(reader *r)
{
	static const char *const only[] = {
	    "enabled_tools", "includeTools", NULL};
	static const char *const except[] = {
	    "disabled_tools", "excludeTools", "disabledTools", NULL};

	return read_filter(r, only, &r->entry.only) &&
	       read_filter(r, except, &r->entry.except) && read_unchecked(r);
}

/* -------------------------------------------------------- what kind it is */

static bool
is_switched_off(const reader *r)
{
	return json_bool(entry_member(r, "disabled"), false) ||
	       !json_bool(entry_member(r, "enabled"), true);
}

/* Clients name the transport in three ways, or not at all. */
static bool
is_local_server(reader *r)
{
	static const char *const kinds[] = {
	    "type", "transport", "transportType", NULL};
	static const char *const urls[] = {"url", "httpUrl", "serverUrl", NULL};
	const char *key = "type", *url_key = "url";
	json kind = first_member_of(r, kinds, &key);
	json url = first_member_of(r, urls, &url_key);
	bool local =
	    json_is(kind, TEXT("stdio")) || json_is(kind, TEXT("local"));

	if (kind.len > 0 && json_kind_of(kind) != JSON_STRING)
		return refuse_entry(r, kind, key, "must be \"stdio\"");
	if (local || (kind.len == 0 && url.len == 0))
		return true;
	if (kind.len == 0 && entry_member(r, "command").len > 0)
		return true;
	if (kind.len == 0)
		return refuse_entry(r, url, url_key,
		    "servers over HTTP are not supported yet: left out");
	return refuse_entry(r, kind, key,
	    "%.*s is not supported yet (\"stdio\" is): left out",
	    TEXT_ARG(kind));
}

/* Looks the command up now, so that a missing program is reported with its
 * line. A configuration that lists this program must not start it again. */
static bool
check_program(reader *r, json at)
{
	server_config *s = &r->entry.start;
	const char *file = program_find(s->argv[0], s->env,
	    s->cwd ? s->cwd : r->config->cwd, &r->config->pool);

	if (file == NULL)
		return refuse_entry(r, at, "command",
		    "there is no program \"%s\"%s", s->argv[0],
		    strchr(s->argv[0], '/') ? "" : " in PATH");
	if (program_is_us(file)) {
		warn_about_key(r, at, "command",
		    "is codemode itself, which is not started again");
		r->entry.fate = CONFIG_OFF;
	}
	return true;
}

static void
read_where(reader *r, json key)
{
	unsigned line, column;

	text_position(r->source->content,
	    (size_t)(key.ptr - r->source->content.ptr), &line, &column);
	r->entry.start.where =
	    pool_printf(&r->config->pool, "%s:%u", r->source->path, line);
}

config_entry
entry_read(json key, json value, const entry_source *source, config *c)
{
	reader r = {c, source, value, {.fate = CONFIG_START}};
	buf name = BUF_INIT(NULL, VALUE_MAX_BYTES);

	json_unescape(key, &name);
	r.entry.start.name = pool_copy(&c->pool, buf_view(&name));
	buf_fini(&name);
	read_where(&r, key);
	if (json_kind_of(value) != JSON_OBJECT) {
		refuse_entry(&r, value, "", "must be an object");
	} else if (*r.entry.start.name == 0) {
		refuse_entry(&r, key, "", "a server must have a name");
	} else if (is_switched_off(&r)) {
		r.entry.fate = CONFIG_OFF;
	} else if (is_local_server(&r) && read_command(&r) && read_env(&r) &&
		   read_cwd(&r) && read_times(&r) && read_filters(&r)) {
		check_program(&r, entry_member(&r, "command"));
	}
	return r.entry;
}

config_entry
entry_command(text name, text command, config *c)
{
	reader r = {c, NULL, TEXT_NONE, {.fate = CONFIG_START}};
	const char *why = NULL;
	size_t n = 0;

	r.entry.start.name = pool_copy(&c->pool, name);
	r.entry.start.where = "--mcp-server";
	r.entry.start.env = program_env(&c->pool, 0);
	r.entry.start.argv = split_words(command, &c->pool, &n, &why);
	if (r.entry.start.argv == NULL)
		refuse_entry(&r, TEXT_NONE, "", "the command %s", why);
	else
		check_program(&r, TEXT_NONE);
	return r.entry;
}
