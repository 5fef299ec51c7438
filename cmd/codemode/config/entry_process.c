/* SPDX-License-Identifier: MIT */
/*
 * entry_process.c -- a server that is a process: command, arguments,
 * environment, folder.
 */
#include "entry_reader.h"

#include "common/program.h"
#include "common/split.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* -------------------------------------------------------------- command */

/* The elements of list behind argv[at], which has room for them. */
static bool
append_strings(
    entry_reader *r, json list, const char *key, char **argv, size_t at)
{
	json_iter it = json_each(list);
	json v;

	for (size_t i = 0; json_next(&it, NULL, &v); i++) {
		char place[64];
		const char *s = NULL;

		snprintf(place, sizeof(place), "%.32s[%zu]", key, i);
		if (!read_config_string(r, v, place, EXPAND_USUAL, &s))
			return false;
		argv[at + i] = pool_copy(&r->config->pool, text_of(s));
	}
	return true;
}

static bool
argv_from_list(
    entry_reader *r, const found_member *command, json args, char ***out)
{
	size_t n = json_len(command->value), m = json_len(args);

	if (n == 0)
		return refuse_entry(
		    r, command->value, command->key, "is empty");
	*out = pool_new(&r->config->pool, (n + m + 1) * sizeof(**out));
	return append_strings(r, command->value, command->key, *out, 0) &&
	       append_strings(r, args, "args", *out, n);
}

/* "npx some-server" with no args: the words of a line, unless such a file
 * exists. Variables are replaced afterwards, so their blanks split nothing. */
static bool
argv_from_line(
    entry_reader *r, const found_member *command, size_t *n, char ***out)
{
	pool *p = &r->config->pool;
	const char *why = NULL;
	buf line = BUF_INIT(NULL, 1 << 20);
	char **argv;

	json_unescape(command->value, &line);
	argv = split_words(buf_view(&line), p, n, &why);
	buf_fini(&line);
	if (argv == NULL)
		return refuse_entry(r, command->value, command->key, "%s", why);
	for (size_t i = 0; i < *n; i++) {
		const char *s = NULL;

		if (!expand_value(r, command->value, command->key,
			text_of(argv[i]), EXPAND_USUAL, &s))
			return false;
		argv[i] = pool_copy(p, text_of(s));
	}
	*out = argv;
	return true;
}

bool
read_words(entry_reader *r, const found_member *m, char ***out)
{
	size_t n = 0;

	switch (json_kind_of(m->value)) {
	case JSON_ARRAY:
		return argv_from_list(r, m, TEXT_NONE, out);
	case JSON_STRING:
		return argv_from_line(r, m, &n, out);
	default:
		return refuse_entry(r, m->value, m->key,
		    "must be a string or an array of strings");
	}
}

static bool
argv_from_string(entry_reader *r, const found_member *command, json args)
{
	pool *p = &r->config->pool;
	size_t n = json_len(args), words = 0;
	const char *file = "";
	char ***argv = &r->entry.start.argv;

	if (!read_config_string(
		r, command->value, command->key, EXPAND_USUAL, &file))
		return false;
	if (*file == '\0')
		return refuse_entry(
		    r, command->value, command->key, "is empty");
	if (n == 0 && strpbrk(file, " \t") != NULL && access(file, X_OK) != 0) {
		if (!argv_from_line(r, command, &words, argv))
			return false;
		if (words > 1)
			warn_about_key(r, command->value, command->key,
			    "has blanks and there are no args: taken apart "
			    "into %zu words",
			    words);
		return true;
	}
	*argv = pool_new(p, (n + 2) * sizeof(**argv));
	(*argv)[0] = pool_copy(p, text_of(file));
	return append_strings(r, args, "args", *argv, 1);
}

static bool
read_command(entry_reader *r)
{
	const found_member *command = &r->found[MEANS_COMMAND];
	const found_member *args = &r->found[MEANS_ARGS];

	if (args->value.len > 0 && json_kind_of(args->value) != JSON_ARRAY)
		return refuse_entry(
		    r, args->value, args->key, "must be an array of strings");
	switch (json_kind_of(command->value)) {
	case JSON_ARRAY:
		return argv_from_list(
		    r, command, args->value, &r->entry.start.argv);
	case JSON_STRING:
		return argv_from_string(r, command, args->value);
	case JSON_MISSING:
		return refuse_entry(r, r->value, "", "has no \"command\"");
	default:
		return refuse_entry(r, command->value, command->key,
		    "must be a string or an array of strings");
	}
}

/* A file that is shared with Windows: read "cmd /c npx ..." as "npx ...". */
static void
skip_windows_shell(entry_reader *r)
{
	char **argv = r->entry.start.argv;

	if ((strcasecmp(argv[0], "cmd") == 0 ||
		strcasecmp(argv[0], "cmd.exe") == 0) &&
	    argv[1] != NULL && strcasecmp(argv[1], "/c") == 0 &&
	    argv[2] != NULL)
		r->entry.start.argv += 2;
}

/* ------------------------------------------------------- its environment */

/* Values are strings; numbers and booleans are taken as they are written. */
static bool
env_value(entry_reader *r, json v, const char *key, const char **out)
{
	switch (json_kind_of(v)) {
	case JSON_STRING:
		return read_config_string(r, v, key, EXPAND_BARE, out);
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
env_entry(entry_reader *r, json key, json value)
{
	pool *p = &r->config->pool;
	buf name = BUF_INIT(NULL, 1 << 20);
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

/* Codex's names may be objects: { "name": ..., "source": "local" }. */
static bool
hand_on_variables(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_ENV_NAMES];
	json_iter it = json_each(m->value);
	json v;

	if (m->value.len > 0 && json_kind_of(m->value) != JSON_ARRAY)
		return refuse_entry(
		    r, m->value, m->key, "must be an array of names");
	while (json_next(&it, NULL, &v)) {
		json named = json_get(v, TEXT("name"));
		const char *name =
		    copy_config_name(r, named.len > 0 ? named : v, m->key);

		if (name == NULL)
			return false;
		if (getenv(name) != NULL)
			program_env_set(r->entry.start.env, name, getenv(name),
			    &r->config->pool);
		else
			warn_about_key(r, v, m->key,
			    "the variable %s is not set, so the server does "
			    "not get it",
			    name);
	}
	return true;
}

/* The lines of the file; with none, an empty list. */
static bool
open_env_file(entry_reader *r, char ***lines)
{
	const found_member *m = &r->found[MEANS_ENV_FILE];
	pool *p = &r->config->pool;
	const char *path = "", *why;

	*lines = pool_new(p, sizeof(**lines));
	if (m->value.len == 0)
		return true;
	if (!read_config_string(r, m->value, m->key, EXPAND_USUAL, &path))
		return false;
	if (*path != '/')
		path = pool_printf(p, "%s/%s", r->source->workspace, path);
	why = read_env_file(path, p, lines);
	return why == NULL ||
	       refuse_entry(r, m->value, m->key, "%s: %s", path, why);
}

static bool
read_env(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_ENV];
	pool *p = &r->config->pool;
	json_iter it = json_each(m->value);
	json name, value;
	char **lines;
	size_t n = 0;

	if (!open_env_file(r, &lines))
		return false;
	if (m->value.len > 0 && json_kind_of(m->value) != JSON_OBJECT)
		return refuse_entry(
		    r, m->value, m->key, "must be an object of strings");
	while (lines[n] != NULL)
		n++;
	r->entry.start.env = program_env(p,
	    n + json_len(m->value) + json_len(r->found[MEANS_ENV_NAMES].value));
	for (size_t i = 0; i < n; i++) {
		char *equals = strchr(lines[i], '=');

		*equals = '\0';
		program_env_set(r->entry.start.env, lines[i], equals + 1, p);
	}
	if (!hand_on_variables(r))
		return false;
	while (json_next(&it, &name, &value))
		if (!env_entry(r, name, value))
			return false;
	return true;
}

/* ------------------------------------------------------------- the folder */

static bool
read_cwd(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_CWD];
	const char *folder = "";
	struct stat st;

	r->entry.start.cwd = r->source->workspace;
	if (m->value.len == 0)
		return true;
	if (!read_config_string(r, m->value, m->key, EXPAND_USUAL, &folder))
		return false;
	if (*folder != '/')
		folder = pool_printf(
		    &r->config->pool, "%s/%s", r->source->workspace, folder);
	if (stat(folder, &st) != 0)
		return refuse_entry(
		    r, m->value, m->key, "there is no folder %s", folder);
	if (!S_ISDIR(st.st_mode))
		return refuse_entry(
		    r, m->value, m->key, "%s is no folder", folder);
	r->entry.start.cwd = folder;
	return true;
}

bool
check_program(entry_reader *r, json at)
{
	server_config *s = &r->entry.start;
	const char *key = r->source == NULL ? "" : "command";
	const char *cwd = s->cwd ? s->cwd : r->config->cwd;
	pool *p = &r->config->pool;
	const char *file = program_find(s->argv[0], s->env, cwd, p);
	const char *why;

	if (file == NULL)
		return refuse_entry(
		    r, at, key, "%s", program_missing(s->argv[0], cwd, p));
	why = program_interpreter(file, s->env, cwd, p);
	if (why != NULL)
		return refuse_entry(r, at, key, "%s", why);
	if (program_is_us(file)) {
		warn_about_key(r, at, key,
		    "is codemode itself, which is not started again");
		r->entry.fate = CONFIG_OFF;
	}
	return true;
}

bool
read_process(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_SANDBOX];
	bool sandbox;

	if (!read_config_bool(r, MEANS_SANDBOX, false, &sandbox))
		return false;
	if (sandbox)
		return refuse_entry(r, m->value, m->key,
		    "codemode does not fence servers in: the server is left "
		    "out");
	if (!read_command(r))
		return false;
	skip_windows_shell(r);
	return read_env(r) && read_cwd(r) &&
	       check_program(r, r->found[MEANS_COMMAND].value);
}
