/* SPDX-License-Identifier: MIT */
/*
 * expand.c -- the variables of all dialects: ${VAR}, ${VAR:-default},
 * ${env:VAR}, ${input:id}, the names of places that editors know, {env:VAR},
 * {file:path}, and ~ for HOME at the beginning. What is not closed is text.
 */
#include "expand.h"

#include "common/file.h"

#include <stdio.h>
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

/* ------------------------------------------------------ VS Code's inputs */

static json
input_of_id(json inputs, text id)
{
	json_iter it = json_each(inputs);
	json v;

	while (json_next(&it, NULL, &v))
		if (json_is(json_get(v, TEXT("id")), id))
			return v;
	return TEXT_NONE;
}

/* CODEMODE_INPUT_ and the id in capital letters. */
static void
input_variable(text id, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, "CODEMODE_INPUT_");

	for (size_t i = 0; i < id.len && n < size - 1; i++) {
		char c = id.ptr[i];

		if (c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		out[n++] = is_ascii_word((unsigned char)c) ? c : '_';
	}
	out[n] = '\0';
}

/* An editor asks its user for it; here it comes from the environment. */
static bool
put_input(text id, json inputs, buf *out, expand_fault *fault)
{
	char variable[128];
	json input = input_of_id(inputs, id);
	const char *value;

	input_variable(id, variable, sizeof(variable));
	value = getenv(variable);
	if (value != NULL)
		buf_str(out, value);
	else if (!json_unescape(json_get(input, TEXT("default")), out)) {
		snprintf(fault->why, sizeof(fault->why),
		    "is asked for by the editor: give it as %s in the "
		    "environment",
		    variable);
		return false;
	}
	return true;
}

/* ------------------------------------------------------------- variables */

/* inside: what stands between ${ and }. */
static bool
put_variable(
    text inside, const expand_places *places, buf *out, expand_fault *fault)
{
	size_t dash = text_find(inside, TEXT(":-"), 0);
	text name = dash == SIZE_MAX ? inside : text_sub(inside, 0, dash);
	const place_name *place = find_place_name(name);
	text env = TEXT("env:"), input = TEXT("input:");
	const char *value;

	if (text_starts(name, input))
		return put_input(text_sub(name, input.len, name.len),
		    places->inputs, out, fault);
	if (text_starts(name, env))
		name = text_sub(name, env.len, name.len);
	value = place ? place->where(places) : environment_value(name);
	if (dash != SIZE_MAX && (value == NULL || *value == '\0'))
		buf_text(out, text_sub(inside, dash + 2, inside.len));
	else if (value != NULL)
		buf_str(out, value);
	else
		snprintf(fault->why, sizeof(fault->why), "%s",
		    text_find(name, TEXT(":"), 0) == SIZE_MAX
			? "is not set"
			: "is of a kind that codemode does not know");
	return value != NULL || dash != SIZE_MAX;
}

/* The text of a file, without white space around it. */
static bool
put_file(text path, const expand_places *places, buf *out, expand_fault *fault)
{
	buf name = BUF_INIT(NULL, 4096), b = BUF_INIT(NULL, 1 << 20);
	const char *why = "its name is too long";

	if (text_starts(path, TEXT("~/")) && getenv("HOME") != NULL) {
		buf_str(&name, getenv("HOME"));
		path = text_sub(path, 1, path.len);
	} else if (!text_starts(path, TEXT("/"))) {
		buf_printf(&name, "%s/", places->folder);
	}
	buf_text(&name, path);
	buf_byte(&name, '\0');
	if (name.bad == CM_OK)
		why = file_read(name.ptr, &b);
	if (why == NULL)
		buf_text(out, text_trim(buf_view(&b)));
	else
		snprintf(fault->why, sizeof(fault->why),
		    "names a file that cannot be read: %s", why);
	buf_fini(&name);
	buf_fini(&b);
	return why == NULL;
}

/* inside: what stands between { and }, after "env:" or "file:". */
static bool
put_env(text inside, const expand_places *places, buf *out, expand_fault *fault)
{
	const char *value = environment_value(inside);

	(void)places;
	if (value != NULL)
		buf_str(out, value);
	else
		snprintf(fault->why, sizeof(fault->why), "is not set");
	return value != NULL;
}

static const struct form {
	text opens;
	bool (*put)(text inside, const expand_places *places, buf *out,
	    expand_fault *fault);
} forms[] = {
    {TEXT_INIT("${"), put_variable},
    {TEXT_INIT("{env:"), put_env},
    {TEXT_INIT("{file:"), put_file},
};

/* How long the word $NAME at t.ptr[at] is, in capital letters; 0: there is no
 * such word. So "pa$$word" and "5$" stay as they are. */
static size_t
bare_variable(text t, size_t at)
{
	size_t end = at + 1;

	if (t.ptr[at] != '$' || (at > 0 && t.ptr[at - 1] != ' '))
		return 0;
	while (end < t.len && is_ascii_word((unsigned char)t.ptr[end]) &&
	       !(t.ptr[end] >= 'a' && t.ptr[end] <= 'z'))
		end++;
	if (end == at + 1 || (end < t.len && t.ptr[end] != ' ') ||
	    (t.ptr[at + 1] >= '0' && t.ptr[at + 1] <= '9'))
		return 0;
	return end - at;
}

/* What stands at t.ptr[at], if that is a variable; *len is its length, 0: it is
 * none. False: it cannot be replaced. */
static bool
put_expansion(text t, size_t at, const expand_places *places, buf *out,
    size_t *len, expand_fault *fault)
{
	text rest = text_sub(t, at, t.len);

	*len = places->bare ? bare_variable(t, at) : 0;
	fault->variable = text_sub(rest, 0, *len);
	if (*len > 0)
		return put_env(text_sub(rest, 1, *len), places, out, fault);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		size_t close;

		if (!text_starts(rest, forms[i].opens))
			continue;
		close = text_find(rest, TEXT("}"), 0);
		if (close == SIZE_MAX)
			continue;
		*len = close + 1;
		fault->variable = text_sub(rest, 0, *len);
		return forms[i].put(text_sub(rest, forms[i].opens.len, close),
		    places, out, fault);
	}
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

	while (at < t.len) {
		size_t len;

		if (!put_expansion(t, at, places, out, &len, fault))
			return false;
		if (len == 0)
			buf_byte(out, t.ptr[at]);
		at += len > 0 ? len : 1;
	}
	return true;
}
