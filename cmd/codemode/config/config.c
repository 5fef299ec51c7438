/* SPDX-License-Identifier: MIT */
/*
 * config.c -- the list of servers: which options, files and filters make it.
 *
 * Where servers stand in a file is known by config_roots.c, what one entry says
 * by entry.c.
 */
#include "config.h"

#include "config_find.h"
#include "entry.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 64 * 1024 };

void
config_init(config *c, say *s)
{
	char here[PATH_MAX];

	*c = (config){.say = s};
	if (getcwd(here, sizeof(here)) == NULL)
		here[0] = '\0';
	c->cwd = pool_copy(&c->pool, text_of(*here ? here : "/"));
	c->last_note = &c->notes;
	c->last_source = &c->sources;
}

void
config_fini(config *c)
{
	mem_free(NULL, c->entry, c->cap * sizeof(*c->entry));
	pool_fini(&c->pool);
}

config_source *
config_add_source(config *c, const char *path)
{
	config_source *s = pool_new(&c->pool, sizeof(*s));

	s->path = pool_copy(&c->pool, text_of(path));
	*c->last_source = s;
	c->last_source = &s->next;
	return s;
}

void
config_say(config *c, const char *format, ...)
{
	buf line = BUF_INIT(NULL, LINE_MAX_BYTES);
	config_note *note = pool_new(&c->pool, sizeof(*note));
	va_list args;

	va_start(args, format);
	say_format(&line, format, args);
	va_end(args);
	note->line = pool_copy(&c->pool, buf_view(&line));
	*c->last_note = note;
	c->last_note = &note->next;
	if (!c->silent)
		say_line(c->say, "%s", note->line);
	buf_fini(&line);
}

size_t
config_count(const config *c, config_fate fate)
{
	size_t n = 0;

	for (size_t i = 0; i < c->len; i++)
		n += c->entry[i].fate == fate;
	return n;
}

/* All names that fit are used, not the first alone. */
static bool
lists_tool(config_names *names, text tool)
{
	bool any = false;

	for (; names != NULL; names = names->next) {
		bool fits = text_glob(names->name, tool);

		names->used = names->used || fits;
		any = any || fits;
	}
	return any;
}

bool
config_tool(const config_entry *e, text tool)
{
	bool wanted = lists_tool(e->only, tool) || !e->filtered;

	return !lists_tool(e->except, tool) && wanted;
}

bool
config_checks(const config_entry *e, text tool)
{
	return !e->unchecked && !lists_tool(e->unchecked_tools, tool);
}

void
config_unused_names(config *c, config_entry *e)
{
	config_names *const lists[] = {e->only, e->except, e->unchecked_tools};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (config_names *n = lists[i]; n != NULL; n = n->next) {
			if (n->used || n->where == NULL)
				continue;
			n->used = true;
			config_say(c, "%s: the server has no tool \"%.*s\"",
			    n->where, TEXT_ARG(n->name));
		}
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

void
config_put(config *c, const config_entry *e)
{
	config_entry *place = find_config_entry(c, e->start.name);

	if (place != NULL)
		*place = *e;
}

/* ------------------------------------------------------ from the command line */

static bool
is_url(const char *word)
{
	return text_starts(text_of(word), TEXT("http://")) ||
	       text_starts(text_of(word), TEXT("https://"));
}

static void
put_word(config *c, text name, const char *word, const char *option)
{
	config_entry e = is_url(word)
			     ? entry_url(name, word, option, c)
			     : entry_command(name, text_of(word), option, c);

	config_put(c, &e);
}

bool
config_command(config *c, const char *word)
{
	const char *equals = strchr(word, '=');

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
	put_word(c, text_sub(text_of(word), 0, (size_t)(equals - word)),
	    equals + 1, "--mcp-server");
	return true;
}

/* A file that is there is a command if it can be executed and its name does not
 * end like that of a configuration. */
static bool
is_command_line(const char *word)
{
	struct stat st;

	if (stat(word, &st) != 0)
		return strchr(word, ' ') != NULL;
	return S_ISREG(st.st_mode) && access(word, X_OK) == 0 &&
	       !config_text_named(word);
}

/* The value of --mcp: a file, a URL, a command, or "none". */
static bool
read_mcp_word(config *c, const char *word)
{
	if (strcmp(word, "none") == 0)
		return true;
	if (utf8_bad(text_of(word)) == SIZE_MAX &&
	    (is_url(word) || is_command_line(word))) {
		put_word(c, text_of(config_word_name(c, word)), word, "--mcp");
		return true;
	}
	return config_file(c, word);
}

/* What CODEMODE_MCP says in place of --mcp: one word. A codemode that was
 * started by a server of codemode looks for nothing: it could start that server
 * again, without end. */
static bool
read_default(config *c)
{
	const char *word = getenv("CODEMODE_MCP");
	const char *depth = getenv("CODEMODE_DEPTH");
	bool none = word != NULL && strcmp(word, "none") == 0;

	if (word != NULL && *word != '\0' && !none)
		return read_mcp_word(c, word);
	c->found = true;
	if (!none && (depth == NULL || *depth == '\0'))
		config_find(c);
	return true;
}

/* The same process may read it all again as codemode-net (net.h), which says
 * nothing twice. */
static bool
was_config_told(void)
{
	const char *told = getenv("CODEMODE_TOLD");

	return told != NULL && strtol(told, NULL, 10) == getpid();
}

static void
note_config_told(void)
{
	char pid[24];

	snprintf(pid, sizeof(pid), "%ld", (long)getpid());
	setenv("CODEMODE_TOLD", pid, 1);
}

bool
config_options(config *c, const opt_values *given)
{
	bool ok = true;

	c->silent = c->silent || was_config_told();
	if (given->len == 0)
		ok = read_default(c);
	for (size_t i = 0; i < given->len; i++) {
		const opt_value *v = &given->value[i];

		ok = (v->opt->kind == OPT_FILES ? read_mcp_word(c, v->text)
						: config_command(c, v->text)) &&
		     ok;
	}
	note_config_told();
	return ok;
}
