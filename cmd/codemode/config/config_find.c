/* SPDX-License-Identifier: MIT */
/*
 * config_find.c -- a table of the usual places, and the trust that a project's
 * file needs.
 */
#include "config_find.h"

#include "config_text.h"
#include "trust.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Below the folder of the project. */
static const struct project_place {
	const char *client, *path;
} project_places[] = {
    {"Claude Code", ".mcp.json"},
    {"Cursor", ".cursor/mcp.json"},
    {"VS Code", ".vscode/mcp.json"},
    {"Codex", ".codex/config.toml"},
    {"opencode", "opencode.json"},
    {"opencode", "opencode.jsonc"},
    {"Gemini CLI", ".gemini/settings.json"},
    {"Zed", ".zed/settings.json"},
    {"Roo Code", ".roo/mcp.json"},
    {"Kiro", ".kiro/settings/mcp.json"},
};

/* Below the folder that the variable names, or else below HOME/folder. word: of
 * `config add-to`; NULL: it does not write there. */
static const struct user_place {
	const char *client, *word, *variable, *folder, *path;
} user_places[] = {
    {"codemode", "codemode", "XDG_CONFIG_HOME", ".config", "codemode/mcp.json"},
    {"Claude Code", "claude", "CLAUDE_CONFIG_DIR", "", ".claude.json"},
    {"Claude Desktop", NULL, "XDG_CONFIG_HOME", ".config",
	"Claude/claude_desktop_config.json"},
    {"Cursor", "cursor", NULL, ".cursor", "mcp.json"},
    {"VS Code", "vscode", "XDG_CONFIG_HOME", ".config", "Code/User/mcp.json"},
    {"Codex", "codex", "CODEX_HOME", ".codex", "config.toml"},
    {"opencode", "opencode", "XDG_CONFIG_HOME", ".config",
	"opencode/opencode.json"},
    {"opencode", NULL, "XDG_CONFIG_HOME", ".config", "opencode/opencode.jsonc"},
    {"Gemini CLI", "gemini", NULL, ".gemini", "settings.json"},
    {"Zed", "zed", "XDG_CONFIG_HOME", ".config", "zed/settings.json"},
    {"Goose", "goose", "XDG_CONFIG_HOME", ".config", "goose/config.yaml"},
    {"Windsurf", NULL, NULL, ".codeium", "windsurf/mcp_config.json"},
    {"Copilot CLI", NULL, NULL, ".copilot", "mcp-config.json"},
    {"Cline", NULL, "XDG_CONFIG_HOME", ".config",
	"Code/User/globalStorage/saoudrizwan.claude-dev/settings/"
	"cline_mcp_settings.json"},
};

enum {
	PROJECT_PLACES = sizeof(project_places) / sizeof(*project_places),
	USER_PLACES = sizeof(user_places) / sizeof(*user_places)
};

/* ------------------------------------------------------------------- where */

static const char *
user_path(config *c, const struct user_place *at)
{
	const char *base = at->variable ? getenv(at->variable) : NULL;
	const char *home = getenv("HOME");

	if (base != NULL && *base == '/')
		return pool_printf(&c->pool, "%s/%s", base, at->path);
	if (home == NULL || *home != '/')
		return NULL;
	return pool_printf(&c->pool, "%s/%s%s%s", home, at->folder,
	    *at->folder ? "/" : "", at->path);
}

const char *
config_user_file(config *c, const char *client)
{
	for (size_t i = 0; i < USER_PLACES; i++)
		if (user_places[i].word != NULL &&
		    strcmp(user_places[i].word, client) == 0)
			return user_path(c, &user_places[i]);
	return NULL;
}

/* A file in the current folder is called by its name alone. */
static void
offer_project(config *c, const char *folder, config_place *place, void *ctx)
{
	for (size_t i = 0; i < PROJECT_PLACES; i++) {
		const char *path = pool_printf(
		    &c->pool, "%s/%s", folder, project_places[i].path);

		if (access(path, F_OK) == 0)
			place(ctx,
			    strcmp(folder, c->cwd) == 0 ? project_places[i].path
							: path,
			    project_places[i].client, folder);
	}
}

/* HOME is no project: its files are the person's. */
static void
walk_projects(config *c, config_place *place, void *ctx)
{
	char home[PATH_MAX], *folder = pool_copy(&c->pool, text_of(c->cwd));

	if (getenv("HOME") == NULL || realpath(getenv("HOME"), home) == NULL)
		*home = '\0';
	while (*folder != '\0' && strcmp(folder, home) != 0) {
		offer_project(c, folder, place, ctx);
		if (access(pool_printf(&c->pool, "%s/.git", folder), F_OK) == 0)
			break;
		*strrchr(folder, '/') = '\0';
	}
}

void
config_places(config *c, config_place *place, void *ctx)
{
	walk_projects(c, place, ctx);
	for (size_t i = 0; i < USER_PLACES; i++) {
		const char *path = user_path(c, &user_places[i]);

		if (path != NULL && access(path, F_OK) == 0)
			place(ctx, path, user_places[i].client, NULL);
	}
}

/* ------------------------------------------------------------------- trust */

const char *
config_starts(config *c, const config_entry *e)
{
	const char *line = "";

	if (e->start.reach != REACH_PROCESS)
		return e->start.url ? e->start.url : "";
	for (char **word = e->start.argv; word && *word; word++)
		line = pool_printf(
		    &c->pool, "%s%s%s", line, *line ? " " : "", *word);
	return line;
}

/* The servers of an untrusted file, for people: read, not started. */
static void
read_apart(config *apart, config *c, const config_text *t)
{
	config_init(apart, c->say);
	apart->silent = true;
	apart->found = true;
	config_read(apart, t);
}

static bool
ask_for_trust(config *c, config *apart, const char *path)
{
	char first = 'n', last = '\0';

	say_line(c->say, "%s wants to start:", path);
	for (size_t i = 0; i < apart->len; i++)
		say_line(c->say, "  %s: %s", apart->entry[i].start.name,
		    config_starts(c, &apart->entry[i]));
	fprintf(c->say->to, "Trust this text of the file from now on? [y/N] ");
	fflush(c->say->to);
	/* Not a byte more than the line: a script may follow. */
	if (read(STDIN_FILENO, &first, 1) != 1)
		return false;
	for (last = first; last != '\n';)
		if (read(STDIN_FILENO, &last, 1) != 1)
			break;
	return first == 'y' || first == 'Y';
}

/* "a: npx some-server; b: ..." */
static const char *
list_untrusted(config *c, config *apart)
{
	const char *list = "";

	for (size_t i = 0; i < apart->len; i++)
		list = pool_printf(&c->pool, "%s%s%s: %s", list,
		    *list ? "; " : "", apart->entry[i].start.name,
		    config_starts(c, &apart->entry[i]));
	return list;
}

/* May the servers of this file be started? False: s->why lists them. */
static bool
is_trusted(config *c, config_source *s, const config_text *t)
{
	config apart;
	bool yes, quiet = c->inspecting || c->silent;
	bool ask = !quiet && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
	const char *why = NULL;

	if (trust_has(t->path, t->raw, &c->pool))
		return true;
	read_apart(&apart, c, t);
	yes = apart.len == 0 || (ask && ask_for_trust(c, &apart, t->path));
	s->why = list_untrusted(c, &apart);
	if (yes && ask && apart.len > 0)
		why = trust_add(t->path, t->raw, &c->pool);
	if (why != NULL)
		say_line(c->say, "this cannot be remembered: %s", why);
	if (!yes && !quiet)
		say_line(c->say,
		    "%s is not trusted yet, so its servers are left out (%s): "
		    "see codemode config trust",
		    t->path, s->why);
	config_fini(&apart);
	return yes;
}

/* ----------------------------------------------------------------- reading */

/* The servers of .mcp.json that Claude Code was told to leave out here. */
static json
excluded_by_claude(config *c)
{
	const char *path = config_user_file(c, "claude"), *why;
	config_text t;

	if (path == NULL || access(path, F_OK) != 0 ||
	    !config_text_read(&t, path, &c->pool, &why))
		return TEXT_NONE;
	return json_get(config_claude_project(c, t.document),
	    TEXT("disabledMcpjsonServers"));
}

static void
read_found(void *ctx, const char *path, const char *client, const char *project)
{
	config *c = ctx;
	config_source *s = config_add_source(c, path);
	config_text t;
	const char *why;
	bool silent = c->silent;

	s->client = client;
	s->project = project != NULL;
	c->workspace =
	    project != NULL ? pool_copy(&c->pool, text_of(project)) : c->cwd;
	if (!config_text_read(&t, s->path, &c->pool, &why)) {
		s->taken = TAKEN_BAD;
		s->why = why;
		return;
	}
	c->excluded =
	    project != NULL && text_ends(text_of(path), TEXT(".mcp.json"))
		? excluded_by_claude(c)
		: TEXT_NONE;
	if (project != NULL && !is_trusted(c, s, &t)) {
		s->taken = TAKEN_UNTRUSTED;
		return;
	}
	c->silent = true;
	s->taken = config_read(c, &t) ? TAKEN_READ : TAKEN_NONE;
	c->silent = silent;
}

/* One line: how many servers of which files there are; and one for each file
 * that is broken. */
static void
say_taken(config *c)
{
	const char *list = "";
	size_t wrong = config_count(c, CONFIG_WRONG);

	for (config_source *s = c->sources; s != NULL; s = s->next) {
		size_t n = 0;

		if (s->taken == TAKEN_BAD)
			say_line(c->say, "%s: the file is left out", s->why);
		for (size_t i = 0; i < c->len; i++)
			n += c->entry[i].fate == CONFIG_START &&
			     c->entry[i].path == s->path;
		if (n > 0)
			list = pool_printf(&c->pool, "%s%s%zu of %s", list,
			    *list ? ", " : "", n, s->path);
	}
	if (*list != '\0')
		say_line(c->say, "servers: %s%s", list,
		    wrong > 0 ? "; codemode config says what is left out" : "");
}

void
config_find(config *c)
{
	c->found = true;
	config_places(c, read_found, c);
	if (!c->silent && !c->inspecting && !c->say->quiet)
		say_taken(c);
}
