/* SPDX-License-Identifier: MIT */
/*
 * config_roots.c -- finds the servers in a file.
 *
 * Where they stand differs from program to program: the table of places is
 * below. What one entry says is read by entry.c.
 */
#include "entry_reader.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>

/* Where servers stand in a file; all of these are read. */
typedef struct config_root {
	const char *name, *inner; /* inner: a member of it, or NULL */
	bool mixed;   /* other things stand there too: what does not look like
	                 a server is skipped */
	bool seconds; /* a plain "timeout" is in seconds */
} config_root;

static const config_root roots[] = {
    {"mcpServers", NULL, false, false},
    {"servers", NULL, false, false},
    {"mcp", "servers", false, false},
    {"mcp", NULL, true, false},
    {"context_servers", NULL, false, false},
    {"mcp_servers", NULL, false, false},
    {"amp.mcpServers", NULL, false, false},
    {"extensions", NULL, true, true},
};

/* Folders with an editor's settings: the project is the folder above. */
static const char *const settings_folders[] = {
    ".vscode", ".cursor", ".gemini", ".roo", ".kiro", ".zed", ".codex", NULL};

/* any: a type or a switch is enough. */
static bool
looks_like_server(json v, bool any)
{
	json_iter it = json_each(v);
	json name, value;

	while (json_next(&it, &name, &value)) {
		text key = text_sub(name, 1, name.len - 1);
		member_means means = meaning_of(key);

		if (means == MEANS_COMMAND || means == MEANS_URL ||
		    means == MEANS_HTTP_URL ||
		    (any && (means == MEANS_ENABLED || means == MEANS_KIND)))
			return true;
	}
	return false;
}

/* An object of objects of which one looks like a server. */
static bool
is_bare_server_map(json v)
{
	json_iter it = json_each(v);
	json entry;

	while (json_next(&it, NULL, &entry))
		if (json_kind_of(entry) == JSON_OBJECT &&
		    looks_like_server(entry, false))
			return true;
	return false;
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

/* Is there an entry of this name that counts more: an earlier one of this file,
 * or of a file that was found before it? map: entries before this object. */
static bool
is_config_taken(config *c, json key, const entry_source *source, size_t map)
{
	for (size_t i = 0; i < c->len; i++) {
		const config_entry *e = &c->entry[i];

		if (!json_is(key, text_of(e->start.name)) ||
		    (!c->found && e->path != source->text->path))
			continue;
		if (i >= map || e->path != source->text->path)
			config_say(c,
			    "%s:%u: %s: the server of this name at %s counts",
			    source->text->path,
			    config_text_line(source->text, key.ptr),
			    e->start.name, e->start.where);
		return true;
	}
	return false;
}

static void
read_config_entries(
    config *c, json list, const config_root *root, entry_source *source)
{
	json_iter it = json_each(list);
	size_t map = c->len;
	json key, value;

	source->seconds = root->seconds;
	source->entries += json_len(list);
	while (json_next(&it, &key, &value)) {
		config_entry e;

		if (root->mixed && (json_kind_of(value) != JSON_OBJECT ||
				       !looks_like_server(value, true)))
			continue;
		if (is_config_taken(c, key, source, map))
			continue;
		e = entry_read(key, value, source, c);
		config_put(c, &e);
	}
}

json
config_claude_project(const config *c, json document)
{
	json_iter it = json_each(json_get(document, TEXT("projects")));
	json key, value, best = TEXT_NONE;
	text cwd = text_of(c->cwd);
	size_t longest = 0;

	while (json_next(&it, &key, &value)) {
		text path = text_sub(key, 1, key.len - 1);

		if (path.len >= longest && text_starts(cwd, path) &&
		    (path.len == cwd.len || cwd.ptr[path.len] == '/' ||
			text_ends(path, TEXT("/")))) {
			longest = path.len;
			best = value;
		}
	}
	return best;
}

/* Reads the entries of all places; false: there is none. */
static bool
read_config_roots(config *c, json document, entry_source *source)
{
	json project = config_claude_project(c, document);
	json local = json_get(project, TEXT("mcpServers"));
	static const config_root plain = {NULL, NULL, false, false};
	bool any =
	    json_kind_of(local) == JSON_OBJECT ||
	    (json_kind_of(document) == JSON_OBJECT && json_len(document) == 0);

	source->excluded = json_get(project, TEXT("disabledMcpServers"));
	read_config_entries(c, local, &plain, source);
	if (json_len(source->excluded) == 0)
		source->excluded = json_path(document, "mcp", "excluded", NULL);
	if (json_len(source->excluded) == 0)
		source->excluded = c->excluded;
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		json v = json_get(document, text_of(roots[i].name));

		if (roots[i].inner != NULL)
			v = json_get(v, text_of(roots[i].inner));
		if (json_present(v) && json_kind_of(v) != JSON_OBJECT &&
		    !roots[i].mixed) {
			config_say(c,
			    "%s:%u: %s: must be an object of servers; if it "
			    "is the path of another file, give that to --mcp",
			    source->text->path,
			    config_text_line(source->text, v.ptr),
			    roots[i].name);
			any = true;
		}
		any = any || json_kind_of(v) == JSON_OBJECT;
		read_config_entries(c, v, &roots[i], source);
	}
	if (!any && is_bare_server_map(document)) {
		read_config_entries(c, document, &plain, source);
		any = true;
	}
	return any;
}

static const char *
folder_of_path(config *c, const char *path)
{
	char real[PATH_MAX];

	if (realpath(path, real) == NULL)
		return c->cwd;
	return pool_copy(&c->pool, text_of(dirname(real)));
}

bool
config_read(config *c, const config_text *t)
{
	json document = t->document;
	entry_source source = {.text = t,
	    .workspace =
		c->workspace ? c->workspace : workspace_of_file(c, t->path),
	    .folder = folder_of_path(c, t->path),
	    .inputs = json_get(document, TEXT("inputs")),
	    .allowed = json_path(document, "mcp", "allowed", NULL),
	    .tools = json_get(document, TEXT("tools"))};

	if (source.inputs.len == 0)
		source.inputs = json_path(document, "mcp", "inputs", NULL);
	if (!read_config_roots(c, document, &source)) {
		if (!c->found)
			config_say(c,
			    "%s:1: there is no \"mcpServers\" in it, nor any "
			    "other "
			    "list of MCP servers that codemode knows",
			    t->path);
		return false;
	}
	if (!c->found && source.entries == 0)
		config_say(c, "%s: there is no server in it", t->path);
	return true;
}

bool
config_file(config *c, const char *path)
{
	config_source *s = config_add_source(c, path);
	config_text t;
	const char *why;
	bool ok = config_text_read(&t, s->path, &c->pool, &why);

	if (!ok)
		config_say(c, "%s", why);
	ok = ok && config_read(c, &t);
	s->taken = ok ? TAKEN_READ : TAKEN_BAD;
	return ok;
}
