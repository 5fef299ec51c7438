/* SPDX-License-Identifier: MIT */
/*
 * cmd_login.c -- `codemode login`, `logout` and `status`: which server is
 * meant. What is done then needs the network (net.h).
 */
#include "cmd_login.h"

#include "common/net.h"
#include "config/config.h"

#include <string.h>

typedef struct options {
	opt_values servers;
	const char *scope;
	uint64_t port;
	bool no_browser;
	bool json;
} options;

#define SERVERS_OPTION                                                       \
	{                                                                    \
		"mcp", 0, OPT_FILES, "FILE",                                 \
		    "the configuration that the server is in",               \
		    "As for codemode run; may be given many times. Without " \
		    "it: the files that codemode run finds.",                \
		    offsetof(options, servers)                               \
	}

static const opt login_opts[] = {SERVERS_OPTION,
    {"no-browser", 0, OPT_FLAG, NULL,
	"print the address to open, and read the code that it gives",
	"For a machine without a browser: open the address on another one, "
	"log in there, and paste the address that the browser ends at, or the "
	"code in it.",
	offsetof(options, no_browser)},
    {"scope", 0, OPT_TEXT, "SCOPES",
	"ask for these scopes, not for what the server names",
	"Names with blanks between them.", offsetof(options, scope)},
    {"port", 0, OPT_COUNT, "PORT",
	"the port of 127.0.0.1 that the browser comes back to",
	"For clients that are registered with one. Without it: the one of "
	"last time, or one that is free.",
	offsetof(options, port)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

static const opt logout_opts[] = {
    SERVERS_OPTION, {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

static const opt status_opts[] = {SERVERS_OPTION,
    {"json", 0, OPT_FLAG, NULL, "print an array of objects", NULL,
	offsetof(options, json)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

/* ------------------------------------------------------- which server it is */

static bool
is_url_word(const char *word)
{
	return strncmp(word, "https://", 8) == 0 ||
	       strncmp(word, "http://", 7) == 0;
}

/* The entry with that name or URL; NULL: there is none. */
static const server_config *
entry_of_word(const config *c, const char *word)
{
	for (size_t i = 0; i < c->len; i++) {
		const server_config *s = &c->entry[i].start;

		if (strcmp(s->name, word) == 0 ||
		    (s->url != NULL && strcmp(s->url, word) == 0))
			return s;
	}
	return NULL;
}

/* False: the reason was printed. */
static bool
find_server(
    const config *c, const cmd *self, const char *word, server_config *out)
{
	const server_config *s = entry_of_word(c, word);

	if (s == NULL && !is_url_word(word)) {
		say_line(
		    c->say, "%s: no server is called \"%s\"", self->name, word);
		return false;
	}
	*out = s ? *s : (server_config){.name = word, .url = word};
	if (out->url == NULL)
		say_line(c->say,
		    "%s: %s is a program on this machine, not at a URL: it "
		    "has no login",
		    self->name, word);
	return out->url != NULL;
}

/* All servers at URLs, for `status`. */
static size_t
list_remote(const config *c, server_config *out)
{
	size_t n = 0;

	for (size_t i = 0; i < c->len; i++)
		if (c->entry[i].start.url != NULL)
			out[n++] = c->entry[i].start;
	return n;
}

/* ---------------------------------------------------------------- the way */

static login_function *
login_function_of(const cmd *self)
{
	if (self == &cmd_login)
		return net_parts()->login;
	return self == &cmd_logout ? net_parts()->logout : net_parts()->status;
}

static cli_exit
do_with_servers(const cmd *self, const options *o, const char *word, say *s)
{
	server_config one, *all;
	config c;
	login_ask ask = {.say = s,
	    .server = &one,
	    .servers = 1,
	    .one = word != NULL,
	    .scope = o->scope,
	    .port = o->port,
	    .no_browser = o->no_browser,
	    .json = o->json};
	cli_exit code = CLI_USAGE;

	config_init(&c, s);
	/* A URL needs no configuration, but may have an entry in one. */
	if (word != NULL && is_url_word(word) && o->servers.len == 0)
		c.silent = true;
	if (!config_options(&c, &o->servers)) {
		config_fini(&c);
		return code;
	}
	if (word == NULL) {
		all = pool_new(&c.pool, (c.len + 1) * sizeof(*all));
		ask.servers = list_remote(&c, all);
		ask.server = all;
		code = login_function_of(self)(&ask);
	} else if (find_server(&c, self, word, &one)) {
		code = login_function_of(self)(&ask);
	}
	config_fini(&c);
	return code;
}

static int
login_main(const cmd *self, int argc, char **argv)
{
	options o = {.json = false};
	say s;
	opt_outcome parsed;
	cli_exit code = CLI_USAGE;

	say_init(&s);
	parsed = opt_parse(self, &argc, argv, &o, &s);
	if (parsed == OPT_SHOWN)
		code = CLI_OK;
	else if (parsed == OPT_GO && argc > 1)
		say_line(&s, "%s: one server at a time", self->name);
	else if (parsed == OPT_GO && argc == 0 && self != &cmd_status)
		say_line(&s, "%s: which server? Give its name or its URL",
		    self->name);
	else if (parsed == OPT_GO && o.port > 65535 && o.port != UINT64_MAX)
		say_line(&s, "%s: --port: the highest is 65535", self->name);
	else if (parsed == OPT_GO && net_parts() == NULL)
		code = net_execute(&s, self->name);
	else if (parsed == OPT_GO)
		code = do_with_servers(self, &o, argc > 0 ? argv[0] : NULL, &s);
	opt_values_fini(&o.servers);
	return code;
}

const cmd cmd_login = {
    .name = "login",
    .args = "NAME|URL",
    .does = "log in at an MCP server, for run and serve",
    .opts = login_opts,
    .main = login_main,
};

const cmd cmd_logout = {
    .name = "logout",
    .args = "NAME|URL",
    .does = "forget what login has kept",
    .opts = logout_opts,
    .main = login_main,
};

const cmd cmd_status = {
    .name = "status",
    .args = "[NAME|URL]",
    .does = "show which logins are kept, without their secrets",
    .opts = status_opts,
    .main = login_main,
};
