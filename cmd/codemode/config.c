/* SPDX-License-Identifier: MIT */
/*
 * config.c -- finds the servers in a file and keeps the list of them.
 *
 * The file is JSON with comments and trailing commas. Where the servers stand
 * in it differs from program to program; the list of roots is below. What one
 * entry says is read by entry.c.
 */
#include "config.h"

#include "entry.h"
#include "file.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILE_MAX_BYTES = 4 << 20 };

/* The first that is found counts; the last is the whole file. */
static const char *const roots[][2] = {
    {"mcpServers", NULL},
    {"servers", NULL},
    {"mcp", "servers"},
    {"mcp", NULL},
    {"context_servers", NULL},
    {"mcp_servers", NULL},
    {NULL, NULL},
};

/* Folders with an editor's settings: the project is the folder above. */
static const char *const settings_folders[] = {
    ".vscode", ".cursor", ".gemini", ".roo", ".kiro", ".zed", ".codex", NULL};

void
config_init(config *c, say *s)
{
	char here[PATH_MAX];

	*c = (config){.say = s};
	if (getcwd(here, sizeof(here)) == NULL)
		here[0] = '\0';
	c->cwd = pool_copy(&c->pool, text_of(*here ? here : "/"));
}

void
config_fini(config *c)
{
	mem_free(NULL, c->entry, c->cap * sizeof(*c->entry));
	pool_fini(&c->pool);
}

size_t
config_count(const config *c, config_fate fate)
{
	size_t n = 0;

	for (size_t i = 0; i < c->len; i++)
		n += c->entry[i].fate == fate;
	return n;
}

static bool
lists_tool(json names, text tool)
{
	json_iter it = json_each(names);
	json name;

	while (json_next(&it, NULL, &name))
		if (json_is(name, tool))
			return true;
	return false;
}

bool
config_tool(const config_entry *e, text tool)
{
	if (e->only.len > 0 && !lists_tool(e->only, tool))
		return false;
	return !lists_tool(e->except, tool);
}

bool
config_checks(const config_entry *e, text tool)
{
	return !json_bool(e->unchecked, false) &&
	       !lists_tool(e->unchecked, tool);
}

/* The entry with that name, a new one if there is none. */
static config_entry *
find_config_entry(config *c, const char *name)
{
	void *array = c->entry;

	for (size_t i = 0; i < c->len; i++)
		if (strcmp(c->entry[i].start.name, name) == 0)
			return &c->entry[i];
	if (!mem_grow(NULL, &array, &c->cap, c->len, sizeof(*c->entry)))
		return NULL;
	c->entry = array;
	return &c->entry[c->len++];
}

static void
put_config_entry(config *c, const config_entry *e)
{
	config_entry *place = find_config_entry(c, e->start.name);

	if (place != NULL)
		*place = *e;
}

/* An object of objects of which one has a command or a URL. */
static bool
is_bare_server_map(json v)
{
	json_iter it = json_each(v);
	json entry;

	while (json_next(&it, NULL, &entry))
		if (json_get(entry, TEXT("command")).len > 0 ||
		    json_get(entry, TEXT("url")).len > 0)
			return true;
	return false;
}

static json
find_server_map(json document)
{
	for (size_t i = 0; roots[i][0] != NULL; i++) {
		json v = json_get(document, text_of(roots[i][0]));

		if (roots[i][1] != NULL)
			v = json_get(v, text_of(roots[i][1]));
		if (json_kind_of(v) == JSON_OBJECT)
			return v;
	}
	return is_bare_server_map(document) ? document : TEXT_NONE;
}

/* The folder that the file's relative paths and servers belong to. */
static const char *
workspace_of_file(config *c, const char *path)
{
	char real[PATH_MAX];
	char *folder, *name;

	if (realpath(path, real) == NULL)
		return c->cwd;
	folder = pool_copy(&c->pool, text_of(dirname(real)));
	name = strrchr(folder, '/') + 1;
	for (size_t i = 0; settings_folders[i] != NULL; i++)
		if (strcmp(name, settings_folders[i]) == 0 && name - folder > 1)
			name[-1] = '\0';
	return folder;
}

static void
read_config_entries(config *c, json root, const entry_source *source)
{
	json_iter it = json_each(root);
	json key, value;

	if (json_len(root) == 0)
		say_line(c->say, "%s: there is no server in it", source->path);
	while (json_next(&it, &key, &value)) {
		config_entry e = entry_read(key, value, source, c);

		put_config_entry(c, &e);
	}
}

/* A copy of the file without comments, that lives as long as c. */
static bool
load_config_text(config *c, const char *path, text *out)
{
	buf raw = BUF_INIT(NULL, FILE_MAX_BYTES);
	buf blanked = BUF_INIT(NULL, FILE_MAX_BYTES);
	const char *why = file_read(path, &raw);

	if (why == NULL) {
		json_blank_comments(buf_view(&raw), &blanked);
		out->ptr = pool_copy(&c->pool, buf_view(&blanked));
		out->len = blanked.len;
		if (blanked.bad != CM_OK)
			why = cm_status_text(blanked.bad);
	}
	if (why != NULL)
		say_line(c->say, "%s: cannot be read: %s", path, why);
	buf_fini(&blanked);
	buf_fini(&raw);
	return why == NULL;
}

bool
config_file(config *c, const char *path)
{
	entry_source source = {path, TEXT_NONE, NULL};
	json document, root;
	json_fault fault;
	unsigned line, column;

	if (!load_config_text(c, path, &source.content))
		return false;
	if (!json_check(source.content, JSON_DEPTH, &document, &fault)) {
		text_position(source.content, fault.at, &line, &column);
		say_line(c->say, "%s:%u:%u: not JSON: %s", path, line, column,
		    fault.why);
		return false;
	}
	root = find_server_map(document);
	if (json_kind_of(document) == JSON_OBJECT && json_len(document) == 0)
		root = document;
	if (json_kind_of(root) != JSON_OBJECT) {
		say_line(c->say,
		    "%s:1: there is no \"mcpServers\" in it, nor any other "
		    "list of MCP servers that codemode knows",
		    path);
		return false;
	}
	source.workspace = workspace_of_file(c, path);
	read_config_entries(c, root, &source);
	return true;
}

bool
config_command(config *c, const char *word)
{
	const char *equals = strchr(word, '=');
	config_entry e;

	if (equals == NULL || equals == word || equals[1] == '\0') {
		say_line(c->say,
		    "--mcp-server %s: must be NAME=COMMAND, as in "
		    "--mcp-server files='npx some-server'",
		    word);
		return false;
	}
	if (utf8_bad(text_of(word)) != SIZE_MAX) {
		say_line(c->say, "--mcp-server %s: is not UTF-8", word);
		return false;
	}
	e = entry_command(text_sub(text_of(word), 0, (size_t)(equals - word)),
	    text_of(equals + 1), c);
	put_config_entry(c, &e);
	return true;
}

bool
config_options(config *c, const opt_values *given)
{
	bool ok = true;

	for (size_t i = 0; i < given->len; i++) {
		const opt_value *v = &given->value[i];

		ok = (v->opt->kind == OPT_FILES ? config_file(c, v->text)
						: config_command(c, v->text)) &&
		     ok;
	}
	return ok;
}
