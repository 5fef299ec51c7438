/* SPDX-License-Identifier: MIT */
/*
 * cmd_config.c -- `codemode config`: which files were found, what their servers
 * mean, what is left out and why; and the trust of a project's files.
 */
#include "common/cmd.h"
#include "config/config_add.h"
#include "config/config_find.h"
#include "config/config_text.h"
#include "config/trust.h"
#include "control/secrets.h"

#include <stdio.h>
#include <string.h>

extern char **environ;

enum { CONFIG_PRINT_MAX = 64 << 20 };

typedef struct options {
	opt_values servers;
	bool json;
	config_add add;
} options;

static const opt opts[] = {
    {"json", 0, OPT_FLAG, NULL, "print it as one JSON object",
	"Files, servers and notes. Values of variables and headers are not in "
	"it, only their names.",
	offsetof(options, json)},
    {"mcp", 0, OPT_FILES, "FILE", "this file in place of those that are found",
	NULL, offsetof(options, servers)},
    {"mcp-server", 0, OPT_TEXTS, "NAME=COMMAND", "this server", NULL,
	offsetof(options, servers)},
    {"print", 0, OPT_FLAG, NULL, "add-to: show the new text, write nothing",
	NULL, offsetof(options, add.print)},
    {"move", 0, OPT_FLAG, NULL, "add-to: take the servers behind codemode",
	"They are removed there and written to codemode's own file, "
	"~/.config/codemode/mcp.json.",
	offsetof(options, add.move)},
    {"file", 0, OPT_FILE, "FILE", "add-to: this file of the client", NULL,
	offsetof(options, add.file)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

static const char *const taken_names[] = {
    [TAKEN_READ] = "read",
    [TAKEN_NONE] = "none",
    [TAKEN_UNTRUSTED] = "untrusted",
    [TAKEN_BAD] = "bad",
};

static const char *const fate_names[] = {
    [CONFIG_START] = "start",
    [CONFIG_WRONG] = "wrong",
    [CONFIG_OFF] = "off",
};

/* Does the entry itself set this variable of its environment? */
static bool
is_own_variable(const char *entry)
{
	for (char **e = environ; *e != NULL; e++)
		if (*e == entry)
			return false;
	return true;
}

/* ----------------------------------------------------------------- people */

static void
print_names(buf *out, const char *what, const config_names *names)
{
	if (names == NULL)
		return;
	buf_printf(out, "      %s:", what);
	for (; names != NULL; names = names->next)
		buf_printf(out, " %.*s", TEXT_ARG(names->name));
	buf_byte(out, '\n');
}

static void
print_variables(buf *out, const config_entry *e)
{
	const char *before = "      environment: ";

	for (char **v = e->start.env; v != NULL && *v != NULL; v++) {
		if (!is_own_variable(*v))
			continue;
		buf_printf(out, "%s%.*s", before, (int)strcspn(*v, "="), *v);
		before = ", ";
	}
	if (*before == ',')
		buf_byte(out, '\n');
	before = "      headers: ";
	for (char **h = e->start.headers; h != NULL && *h != NULL; h++) {
		buf_printf(out, "%s%.*s", before, (int)strcspn(*h, ":"), *h);
		before = ", ";
	}
	if (*before == ',')
		buf_byte(out, '\n');
}

static void
print_entry(buf *out, config *c, const config_entry *e)
{
	buf_printf(out, "  %s", e->start.name);
	if (e->fate == CONFIG_OFF)
		buf_printf(out, ": off: %s", e->why ? e->why : "");
	else if (e->fate == CONFIG_WRONG)
		buf_printf(out, ": cannot be started: %s", e->why);
	else
		buf_printf(out, ": %s", config_starts(c, e));
	buf_printf(out, " (%s)\n", e->start.where);
	if (e->fate != CONFIG_START)
		return;
	print_variables(out, e);
	if (e->filtered && e->only == NULL)
		buf_str(out, "      no tools\n");
	print_names(out, "only the tools", e->only);
	print_names(out, "not the tools", e->except);
}

static void
print_source(buf *out, config *c, const config_source *s)
{
	buf_str(out, s->path);
	if (s->client != NULL)
		buf_printf(out, " (%s%s)", s->client,
		    s->project ? ", of the project" : "");
	switch (s->taken) {
	case TAKEN_READ:
		buf_str(out, ":\n");
		break;
	case TAKEN_NONE:
		buf_str(out, ": no servers\n");
		break;
	case TAKEN_UNTRUSTED:
		buf_printf(out,
		    ": not trusted yet; to start its servers: codemode config "
		    "trust %s\n  %s\n",
		    s->path, s->why);
		break;
	case TAKEN_BAD:
		buf_printf(out, ": cannot be used: %s\n", s->why ? s->why : "");
	}
	for (size_t i = 0; i < c->len; i++)
		if (c->entry[i].path == s->path)
			print_entry(out, c, &c->entry[i]);
}

static void
print_config(buf *out, config *c)
{
	for (config_source *s = c->sources; s != NULL; s = s->next)
		print_source(out, c, s);
	if (c->sources == NULL)
		buf_str(out, "no file was found\n");
	if (c->notes != NULL)
		buf_str(out, "notes:\n");
	for (config_note *n = c->notes; n != NULL; n = n->next)
		buf_printf(out, "  %s\n", n->line);
}

/* ------------------------------------------------------------------- JSON */

static void
member_string(buf *out, const char *name, const char *value)
{
	if (value != NULL)
		json_member_text(out, name, text_of(value));
}

/* The beginnings of the strings, up to one of the bytes of until. own: only
 * variables that the entry itself sets. Nothing when there are none. */
static void
put_strings(
    buf *out, const char *name, char **list, const char *until, bool own)
{
	size_t n = 0;

	for (; list != NULL && *list != NULL; list++) {
		if (own && !is_own_variable(*list))
			continue;
		if (n++ == 0) {
			json_member(out, name);
			buf_byte(out, '[');
		}
		json_element(out);
		json_string(out, (text){*list, strcspn(*list, until)});
	}
	if (n > 0)
		buf_byte(out, ']');
}

static void
put_tool_names(buf *out, const char *name, const config_names *list)
{
	json_member(out, name);
	buf_byte(out, '[');
	for (; list != NULL; list = list->next) {
		json_element(out);
		json_string(out, list->name);
	}
	buf_byte(out, ']');
}

static void
put_server_start(buf *out, const config_entry *e)
{
	static const char *const reaches[] = {"process", "http", "sse"};
	static const char *const eras[] = {NULL, "legacy", "modern"};
	const server_config *s = &e->start;
	const char *login = s->auth.token           ? "token"
			    : s->auth.token_command ? "tokenCommand"
			    : s->auth.off           ? "off"
						    : NULL;

	json_member_text(out, "reach", text_of(reaches[s->reach]));
	put_strings(out, "command", s->argv, "", false);
	member_string(out, "url", s->url);
	member_string(out, "cwd", s->cwd);
	put_strings(out, "env", s->env, "=", true);
	put_strings(out, "headers", s->headers, ":", false);
	member_string(out, "login", login);
	member_string(out, "clientId", s->auth.client_id);
	member_string(out, "scope", s->auth.scope);
	member_string(out, "era", eras[s->era]);
	if (s->startup_ms > 0)
		json_member_uint(out, "startupMs", s->startup_ms);
	if (s->call_ms > 0)
		json_member_uint(out, "callMs", s->call_ms);
	if (s->idle_ms > 0)
		json_member_uint(out, "idleMs", s->idle_ms);
	if (e->filtered)
		put_tool_names(out, "only", e->only);
	if (e->except != NULL)
		put_tool_names(out, "except", e->except);
	if (e->unchecked)
		json_member_bool(out, "unchecked", true);
}

static void
put_config_json(buf *out, config *c)
{
	buf_str(out, "{\"files\":[");
	for (config_source *s = c->sources; s != NULL; s = s->next) {
		json_element(out);
		buf_byte(out, '{');
		member_string(out, "path", s->path);
		member_string(out, "client", s->client);
		json_member_bool(out, "project", s->project);
		member_string(out, "state", taken_names[s->taken]);
		member_string(out, "why", s->why);
		buf_byte(out, '}');
	}
	buf_str(out, "],\"servers\":[");
	for (size_t i = 0; i < c->len; i++) {
		const config_entry *e = &c->entry[i];

		json_element(out);
		buf_byte(out, '{');
		member_string(out, "name", e->start.name);
		member_string(out, "where", e->start.where);
		member_string(out, "state", fate_names[e->fate]);
		member_string(out, "why", e->why);
		if (e->fate == CONFIG_START)
			put_server_start(out, e);
		buf_byte(out, '}');
	}
	buf_str(out, "],\"notes\":[");
	for (config_note *n = c->notes; n != NULL; n = n->next) {
		json_element(out);
		json_string(out, text_of(n->line));
	}
	buf_str(out, "]}\n");
}

/* ------------------------------------------------------------------ trust */

static cli_exit
trust_file(config *c, const char *path)
{
	config_text t;
	const char *why;

	if (config_text_read(&t, path, &c->pool, &why)) {
		why = trust_add(path, t.raw, &c->pool);
		if (why == NULL) {
			printf("%s is trusted as it stands now\n", path);
			return CLI_OK;
		}
		why = pool_printf(&c->pool, "%s: %s", path, why);
	}
	say_line(c->say, "%s", why);
	return CLI_USAGE;
}

/* Without names: all files of the project that are not trusted yet. */
static cli_exit
trust_files(config *c, int n, char **paths)
{
	cli_exit code = CLI_OK;

	for (int i = 0; i < n; i++)
		if (trust_file(c, paths[i]) != CLI_OK)
			code = CLI_USAGE;
	if (n > 0)
		return code;
	config_find(c);
	for (config_source *s = c->sources; s != NULL; s = s->next) {
		if (s->taken != TAKEN_UNTRUSTED)
			continue;
		n++;
		if (trust_file(c, s->path) != CLI_OK)
			code = CLI_USAGE;
	}
	if (n == 0)
		printf("no file of this project waits for trust\n");
	return code;
}

/* ---------------------------------------------------------------- command */

/* A token may also stand among the arguments of a server. */
static void
print_without_secrets(config *c, bool shown, text t)
{
	buf plain = BUF_INIT(NULL, CONFIG_PRINT_MAX);
	redactor *secrets = secrets_of(c);

	if (secrets != NULL)
		say_text(stdout, shown, without_secrets(secrets, t, &plain));
	redactor_free(secrets);
	buf_fini(&plain);
}

static cli_exit
show_config(config *c, const options *o)
{
	buf out = BUF_INIT(NULL, CONFIG_PRINT_MAX);
	bool ok;

	c->silent = true;
	ok = config_options(c, &o->servers);
	if (o->json)
		put_config_json(&out, c);
	else
		print_config(&out, c);
	if (out.bad == CM_OK)
		print_without_secrets(
		    c, c->say->shown && !o->json, buf_view(&out));
	buf_fini(&out);
	return ok ? CLI_OK : CLI_USAGE;
}

static cli_exit
choose_verb(config *c, options *o, int argc, char **argv)
{
	if (argc == 0)
		return show_config(c, o);
	if (strcmp(argv[0], "trust") == 0)
		return trust_files(c, argc - 1, argv + 1);
	if (strcmp(argv[0], "add-to") == 0 && argc == 2)
		return config_add_to(c, argv[1], &o->add);
	say_line(c->say,
	    "config: write it as: codemode config, codemode config trust "
	    "[FILE...], or codemode config add-to %s",
	    config_add_words);
	return CLI_USAGE;
}

static int
config_main(const cmd *self, int argc, char **argv)
{
	options o = {.json = false};
	say s;
	config c;
	opt_outcome parsed;
	cli_exit code;

	say_init(&s);
	config_init(&c, &s);
	c.inspecting = true;
	parsed = opt_parse(self, &argc, argv, &o, &s);
	code = parsed == OPT_SHOWN ? CLI_OK : CLI_USAGE;
	if (parsed == OPT_GO)
		code = choose_verb(&c, &o, argc, argv);
	config_fini(&c);
	opt_values_fini(&o.servers);
	return code;
}

const cmd cmd_config = {
    .name = "config",
    .args = "[trust [FILE...] | add-to CLIENT]",
    .does = "say which servers are configured where, and what that means",
    .opts = opts,
    .main = config_main,
};
