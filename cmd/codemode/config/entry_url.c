/* SPDX-License-Identifier: MIT */
/*
 * entry_url.c -- a server at a URL: where it is, its headers, how to log in.
 */
#include "entry_reader.h"

#include <stdlib.h>

static bool
read_url(entry_reader *r)
{
	static const char *const schemes[] = {
	    "http://", "https://", "unix:", NULL};
	const found_member *m = &r->found[MEANS_HTTP_URL];

	if (m->value.len == 0)
		m = &r->found[MEANS_URL];
	if (m->value.len == 0)
		return refuse_entry(r, r->value, "", "has no \"url\"");
	if (!read_config_string(
		r, m->value, m->key, EXPAND_USUAL, &r->entry.start.url))
		return false;
	for (size_t i = 0; schemes[i] != NULL; i++)
		if (text_starts(
			text_of(r->entry.start.url), text_of(schemes[i])))
			return true;
	return refuse_entry(
	    r, m->value, m->key, "must begin with http://, https:// or unix:");
}

/* ------------------------------------------------------------------ headers */

static bool
is_header_name(const char *name)
{
	static const char joins[] = "!#$%&'*+-.^_`|~";

	if (*name == '\0')
		return false;
	for (; *name != '\0'; name++)
		if (!is_ascii_word((unsigned char)*name) &&
		    strchr(joins, *name) == NULL)
			return false;
	return true;
}

static bool
put_config_header(entry_reader *r, json at, const char *key, const char *name,
    const char *value, size_t *n)
{
	if (!is_header_name(name))
		return refuse_entry(
		    r, at, key, "\"%s\" is no name of a header", name);
	if (strpbrk(value, "\r\n") != NULL)
		return refuse_entry(
		    r, at, key, "%s has a line break in it", name);
	r->entry.start.headers[(*n)++] =
	    pool_printf(&r->config->pool, "%s: %s", name, value);
	return true;
}

/* The members of one object of headers. by_variable: its values are names of
 * variables. */
static bool
read_header_object(
    entry_reader *r, const found_member *m, bool by_variable, size_t *n)
{
	json_iter it = json_each(m->value);
	json name, v;

	if (m->value.len > 0 && json_kind_of(m->value) != JSON_OBJECT)
		return refuse_entry(
		    r, m->value, m->key, "must be an object of strings");
	while (json_next(&it, &name, &v)) {
		const char *header = copy_config_name(r, name, m->key);
		const char *value = NULL;

		if (header == NULL ||
		    !read_config_string(r, v, m->key, EXPAND_BARE, &value))
			return false;
		if (by_variable && getenv(value) == NULL)
			return refuse_entry(
			    r, v, m->key, "the variable %s is not set", value);
		if (!put_config_header(r, v, m->key, header,
			by_variable ? getenv(value) : value, n))
			return false;
	}
	return true;
}

static bool
read_headers(entry_reader *r)
{
	const found_member *plain = &r->found[MEANS_HEADERS];
	const found_member *by_variable = &r->found[MEANS_ENV_HEADERS];
	size_t most = json_len(plain->value) + json_len(by_variable->value);
	size_t n = 0;

	if (plain->value.len + by_variable->value.len == 0)
		return true;
	r->entry.start.headers =
	    pool_new(&r->config->pool, (most + 1) * sizeof(char *));
	return read_header_object(r, plain, false, &n) &&
	       read_header_object(r, by_variable, true, &n);
}

/* -------------------------------------------------------------------- login */

static bool
read_token(entry_reader *r)
{
	const found_member *given = &r->found[MEANS_TOKEN];
	const found_member *variable = &r->found[MEANS_TOKEN_ENV];
	const found_member *command = &r->found[MEANS_TOKEN_COMMAND];
	server_auth *auth = &r->entry.start.auth;
	const char *token = NULL, *name;

	if (command->value.len > 0 &&
	    !read_words(r, command, &auth->token_command))
		return false;
	if (given->value.len > 0 && !read_config_string(r, given->value,
					given->key, EXPAND_BARE, &token))
		return false;
	if (variable->value.len > 0) {
		name = copy_config_name(r, variable->value, variable->key);
		if (name == NULL)
			return false;
		token = getenv(name);
		if (token == NULL || *token == '\0')
			return refuse_entry(r, variable->value, variable->key,
			    "the variable %s is not set", name);
	}
	if (token != NULL)
		auth->token = pool_copy(&r->config->pool, text_of(token));
	return true;
}

static bool
read_login_text(entry_reader *r, member_means means, const char **out)
{
	const found_member *m = &r->found[means];

	return m->value.len == 0 ||
	       read_config_string(r, m->value, m->key, EXPAND_BARE, out);
}

/* A string, or an array of scopes, which are joined by blanks. */
static bool
read_scopes(entry_reader *r)
{
	const found_member *m = &r->found[MEANS_SCOPES];
	json_iter it = json_each(m->value);
	const char *all = "", *one;
	json v;

	if (json_kind_of(m->value) != JSON_ARRAY)
		return read_login_text(
		    r, MEANS_SCOPES, &r->entry.start.auth.scope);
	while (json_next(&it, NULL, &v)) {
		if (!read_config_string(r, v, m->key, EXPAND_USUAL, &one))
			return false;
		all = pool_printf(
		    &r->config->pool, "%s%s%s", all, *all ? " " : "", one);
	}
	r->entry.start.auth.scope = *all ? all : NULL;
	return true;
}

bool
read_remote(entry_reader *r)
{
	server_auth *auth = &r->entry.start.auth;

	if (json_kind_of(r->found[MEANS_LOGIN].value) == JSON_FALSE)
		auth->off = true;
	return read_url(r) && read_headers(r) && read_token(r) &&
	       read_login_text(r, MEANS_CLIENT_ID, &auth->client_id) &&
	       read_login_text(r, MEANS_CLIENT_SECRET, &auth->client_secret) &&
	       read_login_text(r, MEANS_CLIENT_KEY, &auth->client_key) &&
	       read_scopes(r);
}
