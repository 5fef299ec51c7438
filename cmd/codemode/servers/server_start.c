/* SPDX-License-Identifier: MIT */
/*
 * server_start.c -- the link of a server's new life.
 */
#include "server.h"

#include "child.h"
#include "common/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The environment that is asked for, and the mark by which a codemode that is
 * started as a server of codemode knows that it should not start its own. */
static char **
marked_env(char **env)
{
	static char mark[] = "CODEMODE_DEPTH=1";
	size_t n = 0, to = 0, i;
	char **all;

	while (env[n])
		n++;
	all = calloc(n + 2, sizeof(*all));
	if (!all)
		return NULL;
	for (i = 0; i < n; i++) {
		if (strncmp(env[i], mark, sizeof("CODEMODE_DEPTH=") - 1) != 0)
			all[to++] = env[i];
	}
	all[to] = mark;
	return all;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return !path || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static void
explain_start(server *s, int error)
{
	char words[SERVER_WHY_MAX / 2];

	if (is_folder(s->config.cwd))
		snprintf(words, sizeof(words), "it cannot be started: %s",
		    uv_strerror(error));
	else
		snprintf(words, sizeof(words),
		    "it cannot be started: there is no directory %s",
		    s->config.cwd);
	server_explain(s, text_of(words), true);
}

static void
start_process(server *s)
{
	const server_config *c = &s->config;
	char **env = marked_env(c->env);
	const child_spec spec = {c->argv, env ? env : c->env, c->cwd};
	int error = 0;

	s->link =
	    child_link(s->all->loop, &server_link_hooks, s, &spec, &error);
	free(env);
	if (error)
		explain_start(s, error);
}

void
server_open_link(server *s)
{
	const net *parts = net_parts();

	if (s->config.reach == REACH_PROCESS) {
		start_process(s);
	} else if (parts) {
		s->link = parts->link(
		    s->all->loop, &server_link_hooks, s, &s->config, s->client);
	} else {
		server_explain(
		    s, TEXT("a server at a URL needs codemode-net"), true);
		return;
	}
	if (!s->link)
		server_explain(s, TEXT("out of memory"), true);
}
