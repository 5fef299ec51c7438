/* SPDX-License-Identifier: MIT */
/*
 * config_add.c -- `codemode config add-to`.
 *
 * The text of the client's file is edited (config_edit.h), read again and
 * compared: all that is not a server must be what it was. Otherwise nothing is
 * written, and the lines to add are shown instead.
 */
#include "config_add.h"

#include "common/file.h"
#include "common/program.h"
#include "config_edit.h"
#include "config_find.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ADD_MAX_BYTES = 16 << 20, BACKUPS = 9 };

const char config_add_words[] =
    "claude|codex|cursor|vscode|gemini|opencode|zed|goose";

/* The entry is before, the program as a string, after. */
static const struct add_client {
	const char *word, *root;
	config_format format;
	const char *before, *after;
} clients[] = {
    {"claude", "mcpServers", CONFIG_JSON,
	"{ \"type\": \"stdio\", \"command\": ", ", \"args\": [\"serve\"] }"},
    {"cursor", "mcpServers", CONFIG_JSON,
	"{ \"command\": ", ", \"args\": [\"serve\"] }"},
    {"gemini", "mcpServers", CONFIG_JSON,
	"{ \"command\": ", ", \"args\": [\"serve\"] }"},
    {"vscode", "servers", CONFIG_JSON,
	"{ \"type\": \"stdio\", \"command\": ", ", \"args\": [\"serve\"] }"},
    {"opencode", "mcp", CONFIG_JSON, "{ \"type\": \"local\", \"command\": [",
	", \"serve\"], \"enabled\": true }"},
    {"zed", "context_servers", CONFIG_JSON,
	"{ \"source\": \"custom\", \"command\": ",
	", \"args\": [\"serve\"], \"env\": {} }"},
    {"codex", "mcp_servers", CONFIG_TOML,
	"command = ", "\nargs = [\"serve\"]\n"},
    {"goose", "extensions", CONFIG_YAML,
	"name: codemode\ntype: stdio\nenabled: true\ntimeout: 300\ncmd: ",
	"\nargs: [\"serve\"]\n"},
};

typedef struct addition {
	config *config;
	const config_add *options;
	const struct add_client *client;
	const char *path;
	bool is_new;      /* there is no such file yet */
	config_text text; /* as it is */
	json servers;     /* the root's value in it; may be missing */
	const char *entry;
	buf out; /* as it shall be */
} addition;

static bool __attribute__((format(printf, 2, 3)))
refuse_addition(addition *a, const char *format, ...)
{
	buf line = BUF_INIT(NULL, 64 << 10);
	va_list args;

	va_start(args, format);
	say_format(&line, format, args);
	va_end(args);
	say_line(
	    a->config->say, "%s: %.*s", a->path, TEXT_ARG(buf_view(&line)));
	buf_fini(&line);
	return false;
}

/* ----------------------------------------------------------------- our entry */

/* "codemode" if PATH leads here, otherwise where this program lies. */
static const char *
name_of_program(config *c)
{
	char here[PATH_MAX];
	const char *found = program_find(
	    "codemode", program_env(&c->pool, 0), c->cwd, &c->pool);

	if (found != NULL && program_is_us(found))
		return "codemode";
	if (realpath("/proc/self/exe", here) == NULL)
		return "codemode";
	return pool_copy(&c->pool, text_of(here));
}

static const char *
entry_of_client(config *c, const struct add_client *client)
{
	buf b = BUF_INIT(NULL, 64 << 10);
	const char *entry;

	buf_str(&b, client->before);
	json_string(&b, text_of(name_of_program(c)));
	buf_str(&b, client->after);
	entry = pool_copy(&c->pool, buf_view(&b));
	buf_fini(&b);
	return entry;
}

/* The file as it is; one that is missing is an empty one. */
static bool
open_addition(addition *a)
{
	const char *why, *folder;
	struct stat st;
	pool *p = &a->config->pool;

	if (stat(a->path, &st) == 0 && st.st_size > 0) {
		if (config_text_read(&a->text, a->path, p, &why))
			return json_kind_of(a->text.document) == JSON_OBJECT ||
			       refuse_addition(a, "it is no object");
		say_line(a->config->say, "%s", why);
		return false;
	}
	folder = dirname(pool_copy(p, text_of(a->path)));
	if (stat(folder, &st) != 0)
		return refuse_addition(a,
		    "there is no folder %s: is the client installed? --file "
		    "names another file",
		    folder);
	a->is_new = access(a->path, F_OK) != 0;
	a->text = (config_text){.path = a->path,
	    .format = a->client->format,
	    .raw = a->client->format == CONFIG_JSON ? TEXT("{}\n") : TEXT("")};
	if (a->client->format == CONFIG_YAML)
		a->text.raw = TEXT("{}\n");
	if (!config_text_parse(&a->text, p, &why))
		return refuse_addition(a, "%s", why);
	if (a->client->format == CONFIG_YAML)
		a->text.raw = TEXT("");
	return true;
}

/* ------------------------------------------------------------------ the edit */

/* Some of Goose's extensions are parts of Goose itself: they stay. */
static bool
is_server_extension(json name, json value)
{
	return json_is(name, TEXT("codemode")) ||
	       json_get(value, TEXT("cmd")).len > 0 ||
	       json_get(value, TEXT("uri")).len > 0;
}

/* Formats with an entry on lines of its own. */
static void
edit_lines(addition *a)
{
	const char *root = a->client->root;
	bool yaml = a->client->format == CONFIG_YAML;
	config_text source = a->text;
	buf rest = BUF_INIT(NULL, ADD_MAX_BYTES);

	if (a->options->move) {
		if (yaml)
			edit_yaml_cut(
			    &a->text, root, is_server_extension, &rest);
		else
			edit_toml_cut(&a->text, root, &rest);
		source.raw = buf_view(&rest);
	}
	(yaml ? edit_yaml_add : edit_toml_add)(
	    &source, root, "codemode", a->entry, &a->out);
	buf_fini(&rest);
}

static void
edit_addition(addition *a)
{
	const struct add_client *client = a->client;
	const char *whole =
	    pool_printf(&a->config->pool, "{ \"codemode\": %s }", a->entry);

	if (client->format != CONFIG_JSON)
		edit_lines(a);
	else if (json_kind_of(a->servers) != JSON_OBJECT)
		edit_json_add(
		    &a->text, a->text.document, client->root, whole, &a->out);
	else if (a->options->move)
		edit_json_replace(&a->text, a->servers, whole, &a->out);
	else
		edit_json_add(
		    &a->text, a->servers, "codemode", a->entry, &a->out);
}

/* Does --move move that server of the client? */
static bool
is_moved(const addition *a, json name, json value)
{
	return a->options->move && (a->client->format != CONFIG_YAML ||
				       is_server_extension(name, value));
}

/* Appends all members of an object but one, as compact JSON; of: its moved
 * servers are left out. */
static void
put_others(json object, const char *but, const addition *of, buf *out)
{
	json_iter it = json_each(object);
	json name, value;

	while (json_next(&it, &name, &value)) {
		if (json_is(name, text_of(but)) ||
		    (of != NULL && is_moved(of, name, value)))
			continue;
		json_compact(out, name);
		buf_byte(out, ':');
		json_compact(out, value);
		buf_byte(out, '\n');
	}
}

static bool
is_same_but(json before, const addition *of, json after, const char *but)
{
	buf b = BUF_INIT(NULL, ADD_MAX_BYTES),
	    n = BUF_INIT(NULL, ADD_MAX_BYTES);
	bool same;

	put_others(before, but, of, &b);
	put_others(after, but, NULL, &n);
	same = b.bad == CM_OK && n.bad == CM_OK &&
	       text_eq(buf_view(&b), buf_view(&n));
	buf_fini(&b);
	buf_fini(&n);
	return same;
}

/* Does the new text say what the old one did, with our server? */
static bool
check_addition(addition *a)
{
	config_text new = {.path = a->path,
	    .format = a->text.format,
	    .raw = buf_view(&a->out)};
	text root = text_of(a->client->root);
	const char *why;
	json list;

	if (a->out.bad != CM_OK)
		return refuse_addition(a, "%s", cm_status_text(a->out.bad));
	if (config_text_parse(&new, &a->config->pool, &why)) {
		list = json_get(new.document, root);
		if (json_present(json_get(list, TEXT("codemode"))) &&
		    is_same_but(a->text.document, NULL, new.document,
			a->client->root) &&
		    is_same_but(a->servers, a, list, "codemode"))
			return true;
	}
	return refuse_addition(a,
	    "cannot be edited without changing more of it. Write by hand, as "
	    "\"codemode\" in %s:\n%.*s",
	    a->client->root, TEXT_ARG(text_trim(text_of(a->entry))));
}

/* ----------------------------------------------------------------- writing */

/* A copy beside the file, with its rights; its name goes to *bak. */
static const char *
keep_backup(addition *a, const char **bak)
{
	struct stat st;
	int fd = -1;

	if (stat(a->path, &st) != 0)
		return strerror(errno);
	for (unsigned i = 1; fd < 0 && i <= BACKUPS; i++) {
		*bak = i == 1 ? pool_printf(&a->config->pool, "%s.bak", a->path)
			      : pool_printf(
				    &a->config->pool, "%s.bak%u", a->path, i);
		fd = open(*bak, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    st.st_mode & 0777);
		if (fd < 0 && errno != EEXIST)
			return strerror(errno);
	}
	if (fd < 0)
		return "there are too many backups beside it";
	close(fd);
	return file_write(*bak, a->text.raw);
}

static bool
write_addition(addition *a)
{
	const char *bak = NULL, *why = NULL;

	if (!a->is_new)
		why = keep_backup(a, &bak);
	if (why == NULL)
		why = file_write(a->path, buf_view(&a->out));
	if (why != NULL)
		return refuse_addition(a, "cannot be written: %s", why);
	printf("%s: codemode is added%s%s\n", a->path,
	    bak ? "; what it was: " : "", bak ? bak : "");
	if (!a->options->move && json_len(a->servers) > 0)
		printf("it has other servers, too: with --move they are "
		       "reached through codemode alone\n");
	return true;
}

/* ------------------------------------------------------------------- moving */

/* ~/.claude.json: does a project switch servers off? */
static bool
projects_disable_servers(json projects)
{
	json_iter it = json_each(projects);
	json name, value;

	while (json_next(&it, &name, &value))
		if (json_len(json_get(value, TEXT("disabledMcpServers"))) > 0)
			return true;
	return false;
}

/* What stands beside the servers and changes what they mean would be lost. */
static bool
can_move(addition *a)
{
	json document = a->text.document;
	bool lists =
	    json_path(document, "mcp", "allowed", NULL).len > 0 ||
	    json_path(document, "mcp", "excluded", NULL).len > 0 ||
	    json_get(document, TEXT("tools")).len > 0 ||
	    projects_disable_servers(json_get(document, TEXT("projects")));

	if (lists || text_find(a->servers, TEXT("${input:"), 0) != SIZE_MAX)
		return refuse_addition(a,
		    "has more beside its servers that belongs to them (lists "
		    "of servers or tools, inputs), so --move leaves it alone");
	return true;
}

/* codemode's own file, which may be missing yet. */
static bool
open_own_file(addition *a, config_text *own)
{
	pool *p = &a->config->pool;
	const char *path = config_user_file(a->config, "codemode"), *why;
	char *folder = path ? pool_copy(p, text_of(path)) : NULL;

	*own = (config_text){.path = path,
	    .format = CONFIG_JSON,
	    .raw = TEXT("{\n  \"mcpServers\": {}\n}\n")};
	if (path == NULL)
		return refuse_addition(a, "HOME is not set");
	for (char *at = folder + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		if (mkdir(folder, 0700) != 0 && errno != EEXIST)
			return refuse_addition(
			    a, "%s: %s", folder, strerror(errno));
		*at = '/';
	}
	if (access(path, F_OK) == 0 ? config_text_read(own, path, p, &why)
				    : config_text_parse(own, p, &why))
		return true;
	say_line(a->config->say, "%s", why);
	return false;
}

/* Appends a server in the form of our own file, where "timeout" is in
 * milliseconds; Goose has seconds. */
static void
put_own_server(const addition *a, json value, buf *out)
{
	json_iter it = json_each(value);
	json name, member;

	if (a->client->format != CONFIG_YAML) {
		json_compact(out, value);
		return;
	}
	buf_byte(out, '{');
	while (json_next(&it, &name, &member)) {
		if (!text_ends(buf_view(out), TEXT("{")))
			buf_byte(out, ',');
		if (json_is(name, TEXT("timeout")))
			buf_str(out, "\"toolTimeoutSec\"");
		else
			buf_text(out, name);
		buf_byte(out, ':');
		json_compact(out, member);
	}
	buf_byte(out, '}');
}

/* One server more in own, whose text becomes another one. */
static bool
add_to_own(addition *a, config_text *own, json name, json value)
{
	json servers_of_own = json_get(own->document, TEXT("mcpServers"));
	pool *p = &a->config->pool;
	buf out = BUF_INIT(NULL, ADD_MAX_BYTES), b = BUF_INIT(NULL, 4096);
	buf line = BUF_INIT(NULL, ADD_MAX_BYTES);
	const char *key, *why = "out of memory";
	bool ok = false;

	json_unescape(name, &b);
	key = pool_copy(p, buf_view(&b));
	put_own_server(a, value, &line);
	if (json_kind_of(servers_of_own) != JSON_OBJECT) {
		why = "has no mcpServers";
	} else if (json_get(servers_of_own, buf_view(&b)).len > 0) {
		why = pool_printf(p, "has a server %s already", key);
	} else {
		edit_json_add(own, servers_of_own, key,
		    pool_copy(p, buf_view(&line)), &out);
		own->raw = (text){pool_copy(p, buf_view(&out)), out.len};
		ok = out.bad == CM_OK && config_text_parse(own, p, &why);
	}
	buf_fini(&out);
	buf_fini(&line);
	buf_fini(&b);
	return ok ||
	       refuse_addition(a, "nothing is moved: %s %s", own->path, why);
}

/* Each server of the client goes to codemode's own file. */
static bool
move_servers(addition *a)
{
	json_iter it = json_each(a->servers);
	json name, value;
	config_text own;
	size_t n = 0;
	const char *why;

	if (!open_own_file(a, &own))
		return false;
	while (json_next(&it, &name, &value)) {
		if (json_is(name, TEXT("codemode")) ||
		    !is_moved(a, name, value))
			continue;
		if (!add_to_own(a, &own, name, value))
			return false;
		n++;
	}
	why = file_write(own.path, own.raw);
	if (why != NULL)
		return refuse_addition(a, "%s: %s", own.path, why);
	printf("%s: %zu server%s moved here\n", own.path, n, n == 1 ? "" : "s");
	return true;
}

static bool
do_addition(addition *a)
{
	a->servers = json_get(a->text.document, text_of(a->client->root));
	if (json_present(json_get(a->servers, TEXT("codemode"))) &&
	    !a->options->move) {
		printf("%s: codemode is there already\n", a->path);
		return true;
	}
	if (a->options->move && !can_move(a))
		return false;
	edit_addition(a);
	if (!check_addition(a))
		return false;
	if (a->options->print) {
		fwrite(a->out.ptr, 1, a->out.len, stdout);
		return true;
	}
	return (!a->options->move || move_servers(a)) && write_addition(a);
}

static const struct add_client *
client_named(const char *word)
{
	for (size_t i = 0; i < sizeof(clients) / sizeof(*clients); i++)
		if (strcmp(clients[i].word, word) == 0)
			return &clients[i];
	return NULL;
}

cli_exit
config_add_to(config *c, const char *client, const config_add *o)
{
	addition a = {.config = c,
	    .options = o,
	    .client = client_named(client),
	    .path = o->file,
	    .out = BUF_INIT(NULL, ADD_MAX_BYTES)};
	bool ok;

	if (a.client != NULL && a.path == NULL)
		a.path = config_user_file(c, client);
	if (a.client == NULL || a.path == NULL) {
		say_line(c->say, "config: add-to %s: %s%s", client,
		    a.client ? "HOME is not set" : "it must be one of ",
		    a.client ? "" : config_add_words);
		return CLI_USAGE;
	}
	a.entry = entry_of_client(c, a.client);
	ok = open_addition(&a) && do_addition(&a);
	buf_fini(&a.out);
	return ok ? CLI_OK : CLI_USAGE;
}
