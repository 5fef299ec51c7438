/* SPDX-License-Identifier: MIT */
/*
 * entry_reader.c -- what the members of an entry mean, in all dialects.
 *
 * The table has one name for each spelling: names are compared without case,
 * "_" and "-", so enabledTools is enabled_tools.
 */
#include "entry_reader.h"

#include "base/nearest.h"
#include "expand.h"

#include <codemode/codemode.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

enum { VALUE_MAX_BYTES = 1 << 20, KEY_MAX = 128 };

typedef enum member_place {
	IN_ENTRY = 1,
	IN_LOGIN = 2,   /* in an object about OAuth */
	IN_COMMAND = 4, /* in a command that is an object */
	IN_KIND = 8     /* in a transport that is an object */
} member_place;

static const struct member_row {
	const char *name;
	member_means means;
	unsigned places;
} members[] = {
    {"command", MEANS_COMMAND, IN_ENTRY | IN_KIND},
    {"cmd", MEANS_COMMAND, IN_ENTRY},
    {"path", MEANS_COMMAND, IN_COMMAND},
    {"args", MEANS_ARGS, IN_ENTRY | IN_COMMAND | IN_KIND},
    {"env", MEANS_ENV, IN_ENTRY | IN_COMMAND | IN_KIND},
    {"envs", MEANS_ENV, IN_ENTRY},
    {"environment", MEANS_ENV, IN_ENTRY},
    {"envVars", MEANS_ENV_NAMES, IN_ENTRY},
    {"envKeys", MEANS_ENV_NAMES, IN_ENTRY},
    {"envFile", MEANS_ENV_FILE, IN_ENTRY},
    {"cwd", MEANS_CWD, IN_ENTRY | IN_KIND},
    {"workingDirectory", MEANS_CWD, IN_ENTRY},
    {"sandboxEnabled", MEANS_SANDBOX, IN_ENTRY},
    {"type", MEANS_KIND, IN_ENTRY | IN_KIND},
    {"transport", MEANS_KIND, IN_ENTRY},
    {"transportType", MEANS_KIND, IN_ENTRY},
    {"source", MEANS_SOURCE, IN_ENTRY},
    {"url", MEANS_URL, IN_ENTRY | IN_KIND},
    {"uri", MEANS_URL, IN_ENTRY},
    {"serverUrl", MEANS_URL, IN_ENTRY},
    {"baseUrl", MEANS_URL, IN_ENTRY},
    {"httpUrl", MEANS_HTTP_URL, IN_ENTRY},
    {"headers", MEANS_HEADERS, IN_ENTRY | IN_KIND},
    {"httpHeaders", MEANS_HEADERS, IN_ENTRY},
    {"envHttpHeaders", MEANS_ENV_HEADERS, IN_ENTRY},
    {"bearerToken", MEANS_TOKEN, IN_ENTRY},
    {"bearerTokenEnvVar", MEANS_TOKEN_ENV, IN_ENTRY},
    {"bearerTokenEnv", MEANS_TOKEN_ENV, IN_ENTRY},
    {"tokenCommand", MEANS_TOKEN_COMMAND, IN_ENTRY},
    {"oauth", MEANS_LOGIN, IN_ENTRY},
    {"auth", MEANS_LOGIN, IN_ENTRY},
    {"enabled", MEANS_ENABLED, IN_LOGIN},
    {"clientId", MEANS_CLIENT_ID, IN_ENTRY | IN_LOGIN},
    {"clientSecret", MEANS_CLIENT_SECRET, IN_ENTRY | IN_LOGIN},
    {"clientKey", MEANS_CLIENT_KEY, IN_ENTRY | IN_LOGIN},
    {"scope", MEANS_SCOPES, IN_ENTRY | IN_LOGIN},
    {"scopes", MEANS_SCOPES, IN_ENTRY | IN_LOGIN},
    {"callbackPort", MEANS_NOTHING, IN_LOGIN},
    {"redirectUri", MEANS_NOTHING, IN_LOGIN},
    {"era", MEANS_ERA, IN_ENTRY},
    {"expose", MEANS_EXPOSE, IN_ENTRY},
    {"disabled", MEANS_DISABLED, IN_ENTRY},
    {"enabled", MEANS_ENABLED, IN_ENTRY},
    {"isActive", MEANS_ENABLED, IN_ENTRY},
    {"startupTimeoutSec", MEANS_STARTUP_SEC, IN_ENTRY},
    {"startupTimeoutMs", MEANS_STARTUP_MS, IN_ENTRY},
    {"toolTimeoutSec", MEANS_CALL_SEC, IN_ENTRY},
    {"toolTimeoutMs", MEANS_CALL_MS, IN_ENTRY},
    {"timeout", MEANS_TIMEOUT, IN_ENTRY},
    {"idleTimeout", MEANS_IDLE_MS, IN_ENTRY},
    {"enabledTools", MEANS_ONLY, IN_ENTRY},
    {"includeTools", MEANS_ONLY, IN_ENTRY},
    {"allowedTools", MEANS_ONLY, IN_ENTRY},
    {"allowTools", MEANS_ONLY, IN_ENTRY},
    {"availableTools", MEANS_AVAILABLE, IN_ENTRY},
    {"disabledTools", MEANS_EXCEPT, IN_ENTRY},
    {"excludeTools", MEANS_EXCEPT, IN_ENTRY},
    {"excludedTools", MEANS_EXCEPT, IN_ENTRY},
    {"blockedTools", MEANS_EXCEPT, IN_ENTRY},
    {"deniedTools", MEANS_EXCEPT, IN_ENTRY},
    {"denyTools", MEANS_EXCEPT, IN_ENTRY},
    {"tools", MEANS_TOOLS, IN_ENTRY},
    {"uncheckedTools", MEANS_UNCHECKED, IN_ENTRY},
    /* Whether the other client asks before a call is that client's matter. */
    {"alwaysAllow", MEANS_NOTHING, IN_ENTRY},
    {"alwaysAllowTools", MEANS_NOTHING, IN_ENTRY},
    {"autoApprove", MEANS_NOTHING, IN_ENTRY},
    {"autoApproveTools", MEANS_NOTHING, IN_ENTRY},
    {"autoApprovedTools", MEANS_NOTHING, IN_ENTRY},
    {"trust", MEANS_NOTHING, IN_ENTRY},
    {"defaultToolsApprovalMode", MEANS_NOTHING, IN_ENTRY},
    {"authProviderType", MEANS_NOTHING, IN_ENTRY},
    {"supportsParallelToolCalls", MEANS_NOTHING, IN_ENTRY},
    {"required", MEANS_NOTHING, IN_ENTRY},
    {"$schema", MEANS_NOTHING, IN_ENTRY},
    {"bundled", MEANS_NOTHING, IN_ENTRY},
    {"comment", MEANS_NOTHING, IN_ENTRY},
    {"description", MEANS_NOTHING, IN_ENTRY},
    {"dev", MEANS_NOTHING, IN_ENTRY},
    {"displayName", MEANS_NOTHING, IN_ENTRY},
    {"gallery", MEANS_NOTHING, IN_ENTRY},
    {"icon", MEANS_NOTHING, IN_ENTRY},
    {"icons", MEANS_NOTHING, IN_ENTRY},
    {"name", MEANS_NOTHING, IN_ENTRY},
    {"settings", MEANS_NOTHING, IN_ENTRY},
    {"tags", MEANS_NOTHING, IN_ENTRY},
    {"title", MEANS_NOTHING, IN_ENTRY},
    {"version", MEANS_NOTHING, IN_ENTRY},
};

enum { MEMBERS = sizeof(members) / sizeof(*members) };

/* Parts of names, in small letters, that say that something is not allowed. */
static const char *const restricting[] = {"allow", "block", "deny", "denied",
    "disab", "exclu", "filter", "forbid", "hidden", "hide", "permi", "policy",
    "readonly", "restrict", "sandbox", "tools", "whitelist"};

/* ---------------------------------------------------------------- messages */

static void
say_about_key(
    entry_reader *r, json at, const char *key, const char *format, va_list args)
{
	config *c = r->config;
	char what[1024];
	const char *dot = *key ? "." : "";

	vsnprintf(what, sizeof(what), format, args);
	if (r->entry.why == NULL)
		r->entry.why = pool_printf(
		    &c->pool, "%s%s%s", key, *key ? ": " : "", what);
	if (r->source == NULL)
		config_say(c, "%s %s: %s", r->entry.start.where,
		    r->entry.start.name, what);
	else
		config_say(c, "%s:%u: %s%s%s: %s", r->source->text->path,
		    config_text_line(r->source->text, at.ptr),
		    r->entry.start.name, dot, key, what);
}

bool
refuse_entry(entry_reader *r, json at, const char *key, const char *format, ...)
{
	va_list args;

	r->entry.why = NULL;
	va_start(args, format);
	say_about_key(r, at, key, format, args);
	va_end(args);
	r->entry.fate = CONFIG_WRONG;
	return false;
}

void
warn_about_key(
    entry_reader *r, json at, const char *key, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_about_key(r, at, key, format, args);
	va_end(args);
}

/* ------------------------------------------------------------------- names */

/* key in small letters, without what joins words. */
static void
plain_name(text key, char out[KEY_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < key.len && n < KEY_MAX - 1; i++)
		if (key.ptr[i] != '_' && key.ptr[i] != '-')
			out[n++] = (char)tolower((unsigned char)key.ptr[i]);
	out[n] = '\0';
}

static const struct member_row *
find_member_row(text key, unsigned place)
{
	char wanted[KEY_MAX], name[KEY_MAX];

	plain_name(key, wanted);
	for (size_t i = 0; i < MEMBERS; i++) {
		plain_name(text_of(members[i].name), name);
		if (members[i].places & place && strcmp(name, wanted) == 0)
			return &members[i];
	}
	return NULL;
}

member_means
meaning_of(text key)
{
	const struct member_row *row = find_member_row(key, IN_ENTRY);

	return row != NULL ? row->means : MEANS_COUNT;
}

static bool
is_restriction(text key)
{
	char name[KEY_MAX];

	plain_name(key, name);
	for (size_t i = 0; i < sizeof(restricting) / sizeof(*restricting); i++)
		if (strstr(name, restricting[i]) != NULL)
			return true;
	return false;
}

static text
member_name_at(const void *rows, size_t i)
{
	return text_of(((const struct member_row *)rows)[i].name);
}

static bool
report_unknown(entry_reader *r, json value, const char *key)
{
	size_t near[NEAREST_MAX];

	if (is_restriction(text_of(key)))
		return refuse_entry(r, value, key,
		    "may restrict the server, in a way that codemode does not "
		    "know: the server is left out. Which tools there are is "
		    "said by includeTools and excludeTools");
	if (nearest(text_of(key), member_name_at, members, MEMBERS, near) > 0)
		warn_about_key(r, value, key,
		    "is not known to codemode and has no effect; did you mean "
		    "%s?",
		    members[near[0]].name);
	else
		warn_about_key(r, value, key,
		    "is not known to codemode and has no effect");
	return true;
}

static bool find_members_in(entry_reader *r, json v, unsigned place);

/* A member whose value is an object that has members of an entry itself. */
static bool
find_inner_members(entry_reader *r, member_means means, json value)
{
	if (json_kind_of(value) != JSON_OBJECT)
		return true;
	switch (means) {
	case MEANS_COMMAND:
		return find_members_in(r, value, IN_COMMAND);
	case MEANS_KIND:
		return find_members_in(r, value, IN_KIND);
	case MEANS_LOGIN:
		return find_members_in(r, value, IN_LOGIN);
	default:
		return true;
	}
}

static bool
find_members_in(entry_reader *r, json v, unsigned place)
{
	json_iter it = json_each(v);
	json name, value;

	while (json_next(&it, &name, &value)) {
		buf b = BUF_INIT(NULL, VALUE_MAX_BYTES);
		const struct member_row *row;
		const char *key;

		json_unescape(name, &b);
		key = pool_copy(&r->config->pool, buf_view(&b));
		buf_fini(&b);
		row = find_member_row(text_of(key), place);
		if (json_kind_of(value) == JSON_NULL)
			continue;
		if (row == NULL && r->reporting &&
		    !report_unknown(r, name, key))
			return false;
		if (row == NULL)
			continue;
		/* The enabled of an object about OAuth is not the server's. */
		if (place == IN_LOGIN && row->means == MEANS_ENABLED) {
			r->entry.start.auth.off = !json_bool(value, true);
			continue;
		}
		r->found[row->means] = (found_member){value, key};
		if (!find_inner_members(r, row->means, value))
			return false;
	}
	return true;
}

void
find_members(entry_reader *r)
{
	find_members_in(r, r->value, IN_ENTRY);
}

bool
report_unknown_members(entry_reader *r)
{
	r->reporting = true;
	return find_members_in(r, r->value, IN_ENTRY);
}

/* ------------------------------------------------------------------ values */

bool
expand_value(entry_reader *r, json at, const char *key, text t, expand_how how,
    const char **out)
{
	const entry_source *s = r->source;
	expand_places places = {.workspace = s ? s->workspace : r->config->cwd,
	    .cwd = r->config->cwd,
	    .folder = s ? s->folder : r->config->cwd,
	    .inputs = s ? s->inputs : TEXT_NONE,
	    .bare = how == EXPAND_BARE};
	buf b = BUF_INIT(NULL, VALUE_MAX_BYTES);
	expand_fault fault = {TEXT_NONE, ""};
	bool ok = expand(t, &places, &b, &fault);

	if (!ok)
		refuse_entry(r, at, key, "the variable %.*s %s",
		    TEXT_ARG(fault.variable), fault.why);
	else if (b.bad != CM_OK)
		ok = refuse_entry(r, at, key, "%s", cm_status_text(b.bad));
	else if (b.len > 0 && memchr(b.ptr, 0, b.len) != NULL)
		ok = refuse_entry(r, at, key, "has a NUL byte in it");
	else
		*out = pool_copy(&r->config->pool, buf_view(&b));
	buf_fini(&b);
	return ok;
}

bool
read_config_string(
    entry_reader *r, json v, const char *key, expand_how how, const char **out)
{
	buf b = BUF_INIT(NULL, VALUE_MAX_BYTES);
	bool ok;

	if (!json_unescape(v, &b))
		return refuse_entry(r, v, key, "must be a string");
	ok = expand_value(r, v, key, buf_view(&b), how, out);
	buf_fini(&b);
	return ok;
}

const char *
copy_config_name(entry_reader *r, json v, const char *key)
{
	buf b = BUF_INIT(NULL, VALUE_MAX_BYTES);
	const char *name = NULL;

	if (json_unescape(v, &b) && b.len > 0 &&
	    memchr(b.ptr, 0, b.len) == NULL)
		name = pool_copy(&r->config->pool, buf_view(&b));
	else
		refuse_entry(r, v, key, "must be a name");
	buf_fini(&b);
	return name;
}

bool
read_config_bool(entry_reader *r, member_means means, bool otherwise, bool *out)
{
	static const char *const words[][2] = {
	    {"false", "true"}, {"no", "yes"}, {"off", "on"}, {"0", "1"}};
	const found_member *m = &r->found[means];
	const char *word;

	*out = json_bool(m->value, otherwise);
	if (m->value.len == 0 || json_kind_of(m->value) == JSON_TRUE ||
	    json_kind_of(m->value) == JSON_FALSE)
		return true;
	if (json_kind_of(m->value) != JSON_STRING)
		return refuse_entry(
		    r, m->value, m->key, "must be true or false");
	if (!read_config_string(r, m->value, m->key, EXPAND_USUAL, &word))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		for (size_t k = 0; k < 2; k++)
			if (strcasecmp(word, words[i][k]) == 0) {
				*out = k;
				return true;
			}
	return refuse_entry(r, m->value, m->key, "must be true or false");
}
