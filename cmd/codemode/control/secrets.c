/* SPDX-License-Identifier: MIT */
/* secrets.c -- see secrets.h. */
#include "secrets.h"

#include <ctype.h>
#include <stdlib.h>

/* Words in the name of a variable whose value is a secret: GITHUB_TOKEN, but
 * not TOKENIZER. */
static const char *const secret_words[] = {"TOKEN", "TOKENS", "SECRET",
    "SECRETS", "KEY", "APIKEY", "PASSWORD", "PASSWD", "PASS", "PASSPHRASE",
    "PWD", "CREDENTIAL", "CREDENTIALS", "AUTH", "AUTHORIZATION", "BEARER",
    "COOKIE", "PAT", "DSN", "PRIVATE", "WEBHOOK"};

/* Headers whose values are no secrets. */
static const char *const plain_headers[] = {
    "accept", "accept-language", "content-type", "user-agent"};

static bool
is_secret_word(text word)
{
	for (size_t i = 0; i < sizeof(secret_words) / sizeof(*secret_words);
	     i++) {
		const char *w = secret_words[i];
		size_t n = 0;

		while (n < word.len && w[n] &&
		       toupper((unsigned char)word.ptr[n]) == w[n])
			n++;
		if (n == word.len && w[n] == '\0')
			return true;
	}
	return false;
}

static bool
names_a_secret(text name)
{
	size_t from = 0;

	if (text_eq(name, TEXT("PWD")) || text_eq(name, TEXT("OLDPWD")) ||
	    text_starts(name, TEXT("SSH_AUTH")))
		return false;
	while (from <= name.len) {
		size_t to = text_find(name, TEXT("_"), from);

		to = to == SIZE_MAX ? name.len : to;
		if (is_secret_word(text_sub(name, from, to)))
			return true;
		from = to + 1;
	}
	return false;
}

/* Names in URLs have many spellings: api_key, apiKey, tavilyApiKey. */
static bool
ends_as_secret(text name)
{
	static const char *const ends[] = {
	    "key", "token", "secret", "password", "auth", "pat"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t n = strlen(ends[i]);

		if (name.len >= n &&
		    strncasecmp(name.ptr + name.len - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

static bool
is_plain_header(text name)
{
	for (size_t i = 0; i < sizeof(plain_headers) / sizeof(*plain_headers);
	     i++)
		if (name.len == strlen(plain_headers[i]) &&
		    strncasecmp(name.ptr, plain_headers[i], name.len) == 0)
			return true;
	return false;
}

/* Receives each secret that is found. */
typedef struct secret_sink {
	cm_status (*secret)(void *ctx, text name, text value);
	void *ctx;
} secret_sink;

/* The password of "scheme://user:password@host", and the values in its query
 * whose names say that they are secrets. */
static cm_status
add_url_secrets(secret_sink add, text name, text url)
{
	size_t from = text_find(url, TEXT("://"), 0), at;
	text rest =
	    from != SIZE_MAX ? text_sub(url, from + 3, url.len) : TEXT_NONE;
	text who = text_sub(rest, 0, text_find(rest, TEXT("/"), 0));
	cm_status s = CM_OK;

	while (who.len > 0 && who.ptr[who.len - 1] != '@')
		who.len--;
	who = text_sub(who, 0, who.len > 0 ? who.len - 1 : 0);
	from = text_find(who, TEXT(":"), 0);
	if (from != SIZE_MAX)
		s = add.secret(add.ctx, name, text_sub(who, from + 1, who.len));
	for (at = text_find(rest, TEXT("?"), 0); s == CM_OK && at < rest.len;) {
		size_t to = text_find(rest, TEXT("&"), at + 1), is;
		text pair =
		    text_sub(rest, at + 1, to == SIZE_MAX ? rest.len : to);

		is = text_find(pair, TEXT("="), 0);
		if (is != SIZE_MAX && ends_as_secret(text_sub(pair, 0, is)))
			s = add.secret(
			    add.ctx, name, text_sub(pair, is + 1, pair.len));
		at = to;
	}
	return s;
}

/* Adds the secrets in this process's proxy variables. */
static cm_status
add_proxy_secrets(secret_sink add)
{
	static const char *const names[] = {"http_proxy", "https_proxy",
	    "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"};
	cm_status s = CM_OK;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);

		if (value != NULL && s == CM_OK)
			s = add_url_secrets(
			    add, text_of(names[i]), text_of(value));
	}
	return s;
}

static cm_status
add_env_secrets(secret_sink add, char **env)
{
	cm_status s = CM_OK;

	for (; env != NULL && *env != NULL && s == CM_OK; env++) {
		text all = text_of(*env);
		size_t at = text_find(all, TEXT("="), 0);

		if (at == SIZE_MAX)
			continue;
		if (text_find(all, TEXT("://"), at) != SIZE_MAX)
			s = add_url_secrets(add, text_sub(all, 0, at),
			    text_sub(all, at + 1, all.len));
		if (s == CM_OK && names_a_secret(text_sub(all, 0, at)))
			s = add.secret(add.ctx, text_sub(all, 0, at),
			    text_sub(all, at + 1, all.len));
	}
	return s;
}

/* Adds the value, and also the part after its first word: "Bearer TOKEN". */
static cm_status
add_header_secrets(secret_sink add, char **header)
{
	cm_status s = CM_OK;

	for (; header != NULL && *header != NULL && s == CM_OK; header++) {
		text all = text_of(*header);
		size_t at = text_find(all, TEXT(":"), 0);
		text name = text_sub(all, 0, at);
		text value = text_trim(text_sub(all, at + 1, all.len));
		size_t blank = text_find(value, TEXT(" "), 0);

		if (at == SIZE_MAX || is_plain_header(name))
			continue;
		s = add.secret(add.ctx, name, value);
		if (s == CM_OK && blank != SIZE_MAX)
			s = add.secret(add.ctx, name,
			    text_sub(value, blank + 1, value.len));
	}
	return s;
}

static cm_status
add_entry_secrets(secret_sink add, const server_config *c)
{
	cm_status s = add_env_secrets(add, c->env);

	if (s == CM_OK)
		s = add_header_secrets(add, c->headers);
	if (s == CM_OK && c->url != NULL)
		s = add_url_secrets(add, TEXT("URL"), text_of(c->url));
	if (s == CM_OK && c->auth.token != NULL)
		s = add.secret(add.ctx, TEXT("token"), text_of(c->auth.token));
	if (s == CM_OK && c->auth.client_secret != NULL)
		s = add.secret(add.ctx, TEXT("client secret"),
		    text_of(c->auth.client_secret));
	if (s == CM_OK && c->auth.client_key != NULL)
		s = add.secret(
		    add.ctx, TEXT("client key"), text_of(c->auth.client_key));
	return s;
}

/* Adds the secrets of all servers that can be started. */
static cm_status
each_secret(const config *c, secret_sink add)
{
	cm_status s = add_proxy_secrets(add);

	for (size_t i = 0; i < c->len && s == CM_OK; i++)
		if (c->entry[i].fate == CONFIG_START)
			s = add_entry_secrets(add, &c->entry[i].start);
	return s;
}

static cm_status
add_to_redactor(void *r, text name, text value)
{
	return redactor_add(r, name, value);
}

redactor *
secrets_of(const config *c)
{
	redactor *r = redactor_new(NULL);
	const secret_sink add = {add_to_redactor, r};

	if (r != NULL && each_secret(c, add) == CM_OK)
		return r;
	redactor_free(r);
	return NULL;
}

static cm_status
put_if_short(void *names, text name, text value)
{
	if (value.len > 0 && value.len < REDACT_SHORTEST) {
		buf_str(names, ((buf *)names)->len > 0 ? ", " : "");
		buf_text(names, name);
	}
	return CM_OK;
}

void
secrets_too_short(const server_config *c, buf *names)
{
	const secret_sink add = {put_if_short, names};

	add_entry_secrets(add, c);
}

void
secrets_learn(void *r, text before, text value)
{
	redactor_forget(r, TEXT("login token"), before);
	redactor_add(r, TEXT("login token"), value);
}

static text
cleaned(
    redactor *r, text t, buf *b, size_t (*clean)(redactor *r, text t, buf *out))
{
	*b = BUF_INIT(NULL, SIZE_MAX / 2);
	if (r == NULL || redactor_empty(r) ||
	    (clean(r, t, b) == 0 && b->bad == CM_OK))
		return t;
	return b->bad == CM_OK ? buf_view(b) : TEXT_NONE;
}

text
without_secrets(redactor *r, text t, buf *b)
{
	return cleaned(r, t, b, redact);
}

json
json_without_secrets(redactor *r, json v, buf *b)
{
	return cleaned(r, v, b, redact_json);
}

json
answer_without_secrets(redactor *r, json v, buf *b)
{
	buf whole;
	json first = json_without_secrets(r, v, &whole);
	json second = cleaned(r, first, b, redact_joined);

	if (second.ptr != first.ptr) {
		buf_fini(&whole);
		return second;
	}
	*b = whole;
	return first;
}

text
lines_without_secrets(redactor *r, text t, buf *b)
{
	buf quoted = BUF_INIT(NULL, SIZE_MAX / 2), plain;
	json shown;

	*b = quoted;
	if (r == NULL || redactor_empty(r))
		return t;
	json_string(&quoted, t);
	shown = answer_without_secrets(r, buf_view(&quoted), &plain);
	if (quoted.bad == CM_OK)
		json_unescape(shown, b);
	buf_fini(&plain);
	buf_fini(&quoted);
	return b->bad == CM_OK ? buf_view(b) : TEXT_NONE;
}
