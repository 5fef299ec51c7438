/* SPDX-License-Identifier: MIT */
/*
 * config_word.c -- a name for a server that was given by a URL or a command.
 */
#include "config_find.h"

#include "common/split.h"

/* Programs that start what their first argument names. */
static const char *const starters[] = {"npx", "bunx", "pnpx", "uvx", "pipx",
    "node", "python", "python3", "deno", "docker", "podman", "run", "exec",
    "dlx", "pnpm", "uv", "bun"};

static const char *const name_starts[] = {
    "mcp-server-", "server-", "mcp-", "mcp.", "api.", "www."};
static const char *const name_ends[] = {
    "-mcp-server", "-mcp", "-server", ".js", ".mjs", ".py", ".ts"};

static text
strip_ends(text t)
{
	for (size_t i = 0; i < sizeof(name_starts) / sizeof(*name_starts);
	     i++) {
		text start = text_of(name_starts[i]);

		if (text_starts(t, start) && t.len > start.len)
			t = text_sub(t, start.len, t.len);
	}
	for (size_t i = 0; i < sizeof(name_ends) / sizeof(*name_ends); i++) {
		text end = text_of(name_ends[i]);

		if (text_ends(t, end) && t.len > end.len)
			t = text_sub(t, 0, t.len - end.len);
	}
	return t;
}

/* "linear" of "https://mcp.linear.app/sse". */
static text
name_of_url(text url)
{
	text host = text_sub(url, text_find(url, TEXT("//"), 0) + 2, url.len);
	size_t dot;

	host = text_sub(host, 0, text_find(host, TEXT("/"), 0));
	host = text_sub(host, 0, text_find(host, TEXT(":"), 0));
	if (host.len == 0 || (host.ptr[0] >= '0' && host.ptr[0] <= '9') ||
	    host.ptr[0] == '[')
		return TEXT("server");
	host = strip_ends(host);
	dot = text_find(host, TEXT("."), 0);
	return text_sub(host, 0, dot);
}

static bool
is_starter(const char *word)
{
	for (size_t i = 0; i < sizeof(starters) / sizeof(*starters); i++)
		if (strcmp(word, starters[i]) == 0)
			return true;
	return *word == '-';
}

static const char *
path_end(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "filesystem" of "npx -y @modelcontextprotocol/server-filesystem@1.2 .". */
static text
name_of_command(text line, pool *p)
{
	const char *why, *word = "server";
	size_t n;
	char **words = split_words(line, p, &n, &why);

	if (words == NULL)
		return text_of(word);
	word = path_end(*words);
	while (is_starter(word) && *++words != NULL)
		word = path_end(*words);
	line = text_of(word);
	return strip_ends(text_sub(line, 0, text_find(line, TEXT("@"), 1)));
}

const char *
config_word_name(config *c, const char *word)
{
	text t = text_of(word);
	bool url = text_starts(t, TEXT("http"));
	char *name;

	t = url && text_find(t, TEXT("://"), 0) != SIZE_MAX
		? name_of_url(t)
		: name_of_command(t, &c->pool);
	name = pool_copy(&c->pool, t.len > 0 ? t : TEXT("server"));
	for (char *at = name; *at != '\0'; at++)
		if (!is_ascii_word((unsigned char)*at))
			*at = '_';
	return name;
}
