/* SPDX-License-Identifier: MIT */
/*
 * program.c -- looks a command up before it is started, so that "not found" is
 * reported with the line of the configuration, and this program is not started
 * as a server of itself.
 */
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* Variables about the machine and its user. A name that ends with * stands for
 * all names that begin so. None of them is made for keys or tokens. */
static const char *const inherited[] = {"HOME", "LOGNAME", "PATH", "SHELL",
    "TERM", "USER", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "XDG_*",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy",
    "https_proxy", "no_proxy", "all_proxy", "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE", "SSL_CERT_DIR", NULL};

static bool
is_inherited_variable(const char *entry)
{
	size_t len = strcspn(entry, "=");

	/* Bash keeps functions in variables; they are code, not settings. */
	if (entry[len] == '\0' || strncmp(entry + len + 1, "()", 2) == 0)
		return false;
	for (size_t i = 0; inherited[i] != NULL; i++) {
		size_t n = strlen(inherited[i]);

		if (inherited[i][n - 1] == '*') {
			if (strncmp(entry, inherited[i], n - 1) == 0)
				return true;
		} else if (n == len && memcmp(entry, inherited[i], n) == 0) {
			return true;
		}
	}
	return false;
}

char **
program_env(pool *p, size_t extra)
{
	size_t n = 0, kept = 0;
	char **env;

	while (environ[n] != NULL)
		n++;
	env = pool_new(p, (n + extra + 1) * sizeof(*env));
	for (size_t i = 0; i < n; i++)
		if (is_inherited_variable(environ[i]))
			env[kept++] = environ[i];
	return env;
}

static size_t
env_index(char *const *env, const char *name)
{
	size_t len = strlen(name), i = 0;

	while (env[i] != NULL &&
	       (strncmp(env[i], name, len) != 0 || env[i][len] != '='))
		i++;
	return i;
}

void
program_env_set(char **env, const char *name, const char *value, pool *p)
{
	size_t at = env_index(env, name), last = at;

	if (value != NULL) {
		env[at] = pool_printf(p, "%s=%s", name, value);
		return;
	}
	if (env[at] == NULL)
		return;
	while (env[last + 1] != NULL)
		last++;
	env[at] = env[last];
	env[last] = NULL;
}

static bool
is_runnable(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(file, X_OK) == 0;
}

/* folder/command, where a folder that is not absolute is seen from cwd. */
static const char *
join_folder(text folder, const char *command, const char *cwd, pool *p)
{
	if (folder.len > 0 && folder.ptr[0] == '/')
		return pool_printf(p, "%.*s/%s", TEXT_ARG(folder), command);
	return pool_printf(p, "%s/%.*s/%s", cwd, TEXT_ARG(folder), command);
}

const char *
program_find(const char *command, char *const *env, const char *cwd, pool *p)
{
	size_t at = env_index(env, "PATH");
	text rest = env[at] ? text_of(env[at] + strlen("PATH="))
			    : TEXT("/usr/local/bin:/usr/bin:/bin");

	if (*command == '/')
		return is_runnable(command) ? command : NULL;
	if (strchr(command, '/') != NULL) {
		const char *file = join_folder(TEXT("."), command, cwd, p);

		return is_runnable(file) ? file : NULL;
	}
	for (;;) {
		size_t colon = text_find(rest, TEXT(":"), 0);
		const char *file =
		    join_folder(text_sub(rest, 0, colon), command, cwd, p);

		if (is_runnable(file))
			return file;
		if (colon == SIZE_MAX)
			return NULL;
		rest = text_sub(rest, colon + 1, rest.len);
	}
}

const char *
program_missing(const char *command, const char *cwd, pool *p)
{
	const char *file = command;
	struct stat st;

	if (strchr(command, '/') == NULL)
		return pool_printf(
		    p, "there is no program \"%s\" in PATH", command);
	if (*command != '/')
		file = join_folder(TEXT("."), command, cwd, p);
	if (stat(file, &st) != 0)
		return pool_printf(p, "there is no program \"%s\"", command);
	if (!S_ISREG(st.st_mode))
		return pool_printf(p, "%s is no file", command);
	return pool_printf(p,
	    "%s cannot be executed: it has no permission for that (chmod +x)",
	    command);
}

/* The first line of file without "#!"; empty: it has none. */
static text
interpreter_line(const char *file, char *line, size_t size)
{
	FILE *f = fopen(file, "re");
	text t = TEXT_NONE;

	if (f == NULL)
		return t;
	if (fgets(line, (int)size, f) != NULL && strncmp(line, "#!", 2) == 0)
		t = text_of(line + 2);
	fclose(f);
	/* Not CR: the kernel takes it for a part of the name. */
	while (t.len > 0 && (t.ptr[0] == ' ' || t.ptr[0] == '\t'))
		t = text_sub(t, 1, t.len);
	if (text_ends(t, TEXT("\n")))
		t.len--;
	return t;
}

/* "/usr/bin/env NAME" asks for NAME in PATH. */
const char *
program_interpreter(
    const char *file, char *const *env, const char *cwd, pool *p)
{
	char line[256];
	text rest = interpreter_line(file, line, sizeof(line));
	size_t blank = text_find(rest, TEXT(" "), 0);
	const char *name = pool_copy(p, text_sub(rest, 0, blank));

	if (*name != '/')
		return NULL;
	if (is_runnable(name) && text_ends(text_of(name), TEXT("/env"))) {
		rest = text_trim(text_sub(rest, blank, rest.len));
		blank = text_find(rest, TEXT(" "), 0);
		if (rest.len > 0 && rest.ptr[0] != '-' &&
		    text_find(rest, TEXT("="), 0) == SIZE_MAX)
			name = pool_copy(p, text_sub(rest, 0, blank));
	}
	if (program_find(name, env, cwd, p) != NULL)
		return NULL;
	return pool_printf(p,
	    "the first line of %s asks for the interpreter %s, which is not "
	    "there",
	    file, name);
}

bool
program_is_us(const char *file)
{
	struct stat us, it;

	return stat("/proc/self/exe", &us) == 0 && stat(file, &it) == 0 &&
	       us.st_dev == it.st_dev && us.st_ino == it.st_ino;
}
