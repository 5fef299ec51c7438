/* SPDX-License-Identifier: MIT */
/*
 * expand.c -- ${VAR}, ${VAR:-default}, ${env:VAR}, the names of places that
 * editors know, and ~ for HOME at the beginning. "$VAR" without braces and an unclosed "${" are ordinary text.
 */
#include "expand.h"

#include <stdlib.h>

typedef struct place_name {
	const char *name;
	const char *(*where)(const expand_places *p);
} place_name;

static const char *
place_workspace(const expand_places *p)
{
	return p->workspace;
}

static const char *
place_workspace_base(const expand_places *p)
{
	const char *slash = strrchr(p->workspace, '/');

	return slash ? slash + 1 : p->workspace;
}

static const char *
place_home(const expand_places *p)
{
	(void)p;
	return getenv("HOME");
}

static const char *
place_cwd(const expand_places *p)
{
	return p->cwd;
}

static const char *
place_separator(const expand_places *p)
{
	(void)p;
	return "/";
}

static const place_name place_names[] = {
    {"workspaceFolder", place_workspace},
    {"workspaceFolderBasename", place_workspace_base},
    {"userHome", place_home},
    {"cwd", place_cwd},
    {"pathSeparator", place_separator},
    {"/", place_separator},
};

static const place_name *
find_place_name(text name)
{
	for (size_t i = 0; i < sizeof(place_names) / sizeof(*place_names); i++)
		if (text_eq(text_of(place_names[i].name), name))
			return &place_names[i];
	return NULL;
}

static const char *
environment_value(text name)
{
	char copy[256];

	if (name.len == 0 || name.len >= sizeof(copy))
		return NULL;
	memcpy(copy, name.ptr, name.len);
	copy[name.len] = '\0';
	return getenv(copy);
}

/* The value of what stands between the braces. NULL when there is none. */
static const char *
variable_value(text name, const expand_places *places, const char **why)
{
	const place_name *place = find_place_name(name);
	text env = TEXT("env:");

	*why = "is not set";
	if (place != NULL)
		return place->where(places);
	if (text_starts(name, env))
		return environment_value(text_sub(name, env.len, name.len));
	if (text_find(name, TEXT(":"), 0) != SIZE_MAX)
		*why = "is of a kind that codemode does not know";
	return environment_value(name);
}

/* inside: what stands between ${ and }. */
static bool
put_variable(
    text inside, const expand_places *places, buf *out, const char **why)
{
	size_t dash = text_find(inside, TEXT(":-"), 0);
	text name = dash == SIZE_MAX ? inside : text_sub(inside, 0, dash);
	const char *value = variable_value(name, places, why);

	if (dash != SIZE_MAX && (value == NULL || *value == '\0'))
		buf_text(out, text_sub(inside, dash + 2, inside.len));
	else if (value != NULL)
		buf_str(out, value);
	else
		return false;
	return true;
}

/* ~ and ~/..., as a shell has them; returns how much of t was read. */
static size_t
put_home(text t, buf *out)
{
	const char *home = getenv("HOME");

	if (home == NULL ||
	    (!text_eq(t, TEXT("~")) && !text_starts(t, TEXT("~/"))))
		return 0;
	buf_str(out, home);
	return 1;
}

bool
expand(text t, const expand_places *places, buf *out, expand_fault *fault)
{
	size_t at = put_home(t, out);

	for (;;) {
		size_t open = text_find(t, TEXT("${"), at), close;

		if (open == SIZE_MAX)
			break;
		close = text_find(t, TEXT("}"), open);
		if (close == SIZE_MAX)
			break;
		buf_text(out, text_sub(t, at, open));
		if (!put_variable(text_sub(t, open + 2, close), places, out,
			&fault->why)) {
			fault->variable = text_sub(t, open, close + 1);
			return false;
		}
		at = close + 1;
	}
	buf_text(out, text_sub(t, at, t.len));
	return true;
}
