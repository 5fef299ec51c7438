/* SPDX-License-Identifier: MIT */
/*
 * oauth.c -- the machine: what goes in, what comes out, and which part of the
 * attempt is next.
 */
#include "oauth_flow.h"

#include <stdarg.h>
#include <stdio.h>

enum {
	ARENA_MAX = 4 << 20,
	REDIRECTS_MAX = 3,
	CHALLENGE_MAX = 8192,
	MESSAGE_MAX = 2000
};

/* ------------------------------------------------------ for all the parts */

void
flow_fail_as(oauth *o, oauth_failure f, const char *format, ...)
{
	char line[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	/* It quotes what servers wrote, which shall stay on the line. */
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	buf_clear(&o->message);
	buf_utf8(&o->message, text_of(line), MESSAGE_MAX);
	o->failure = f;
	o->phase = PHASE_FAILED;
}

void
flow_request(oauth *o, const char *method, text url)
{
	o->method = method;
	buf_clear(&o->url);
	buf_text(&o->url, url);
	buf_clear(&o->headers);
	buf_str(&o->headers, "Accept: application/json\n");
	buf_clear(&o->body);
}

text
flow_keep(oauth *o, buf *b)
{
	text t = oauth_keep(&o->arena, buf_view(b));

	if (b->bad != CM_OK && o->arena.bad == CM_OK)
		o->arena.bad = b->bad;
	buf_fini(b);
	return t;
}

text
flow_string(oauth *o, json object, const char *key)
{
	buf b = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	json_unescape(json_get(object, text_of(key)), &b);
	return flow_keep(o, &b);
}

text
flow_words(oauth *o, json list)
{
	buf b = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	json_iter it = json_each(list);
	json word;

	if (json_kind_of(list) == JSON_ARRAY)
		while (json_next(&it, NULL, &word)) {
			if (b.len > 0)
				buf_byte(&b, ' ');
			json_unescape(word, &b);
		}
	return flow_keep(o, &b);
}

bool
flow_url(oauth *o, const char *what, text t, oauth_url *out)
{
	const char *why = oauth_url_read(t, out);

	if (why == NULL)
		why = oauth_url_refused(out, &o->server);
	if (why != NULL)
		flow_fail_as(o, OAUTH_REFUSED, "%s \"%.*s\" is not used: %s",
		    what, TEXT_ARG(text_head(t, 200)), why);
	return why == NULL;
}

/* -------------------------------------------------- which part is next */

/* Would a refresh be of any use? */
static bool
may_refresh(const oauth *o)
{
	return o->kept.refresh.len > 0 && o->kept.token_endpoint.len > 0 &&
	       !o->refresh_refused && o->opt.purpose != OAUTH_LOGIN &&
	       o->opt.status != 403 &&
	       (o->issuer.name.len == 0 ||
		   text_eq(o->issuer.name, o->kept.issuer));
}

static bool
has_login_person(const oauth *o)
{
	return o->opt.redirect.len > 0;
}

static bool
has_client_key(const oauth *o)
{
	return o->opt.client_secret.len > 0 || o->opt.client_key.len > 0;
}

/* What was asked for stays known, so that the next login asks for it. */
static void
note_wanted(oauth *o)
{
	buf b = BUF_INIT(o->alloc, OAUTH_BODY_MAX);

	oauth_add_scopes(&b, o->kept.scope);
	oauth_add_scopes(&b, o->challenge.scope);
	o->kept.wanted = flow_keep(o, &b);
	credentials_write(o);
}

static void
ask_for_login(oauth *o)
{
	text scope = o->challenge.scope;

	if (o->opt.status != 403 || scope.len == 0) {
		flow_fail_as(o, OAUTH_LOGIN_NEEDED,
		    "it wants a login: run codemode login %.*s",
		    TEXT_ARG(o->opt.name));
		return;
	}
	note_wanted(o);
	flow_fail_as(o, OAUTH_LOGIN_NEEDED,
	    "it wants the scope \"%.*s\" too: run codemode login %.*s",
	    TEXT_ARG(text_head(scope, 200)), TEXT_ARG(o->opt.name));
}

void
flow_get_token(oauth *o)
{
	if (may_refresh(o))
		token_refresh(o);
	else if (!has_login_person(o) && !has_client_key(o))
		ask_for_login(o);
	else if (o->issuer.name.len == 0)
		discover_resource(o);
	else if (client_is_machine(o))
		token_own(o);
	else if (!has_login_person(o))
		ask_for_login(o);
	else if (client_ready(o))
		token_browse(o);
}

/* A token with all that is asked for was refused: another one would be, too. */
static bool
is_in_vain(const oauth *o)
{
	return o->opt.status == 403 &&
	       oauth_has_scopes(o->kept.scope, o->challenge.scope);
}

static void
answer_challenge(oauth *o)
{
	o->challenge = oauth_read_challenge(
	    text_head(o->opt.challenge, CHALLENGE_MAX), &o->arena);
	if (is_in_vain(o))
		flow_fail_as(o, OAUTH_REFUSED,
		    "it refuses a token with the scope \"%.*s\", and asks for "
		    "no other",
		    TEXT_ARG(text_head(o->kept.scope, 200)));
	else if (!has_login_person(o) && !has_client_key(o) && !may_refresh(o))
		ask_for_login(o);
	else
		discover_resource(o);
}

static void
begin_attempt(oauth *o)
{
	const char *why = oauth_url_read(o->opt.server, &o->server);

	if (why == NULL && !o->server.https &&
	    o->server.reach != REACH_LOOPBACK)
		why = "a token is sent over https only";
	if (why != NULL)
		flow_fail_as(o, OAUTH_REFUSED, "no login at \"%.*s\": %s",
		    TEXT_ARG(text_head(o->opt.server, 200)), why);
	else if (o->opt.purpose == OAUTH_LOGIN)
		discover_probe(o);
	else if (o->opt.purpose == OAUTH_ANSWER)
		answer_challenge(o);
	else
		flow_get_token(o);
}

/* ------------------------------------------------------------ in and out */

static void
keep_options(oauth *o, const oauth_options *opts)
{
	text *const texts[] = {&o->opt.server, &o->opt.name, &o->opt.kept,
	    &o->opt.client_id, &o->opt.client_secret, &o->opt.client_key,
	    &o->opt.scope, &o->opt.redirect, &o->opt.challenge};

	o->opt = *opts;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		*texts[i] = oauth_keep(&o->arena, *texts[i]);
}

oauth *
oauth_new(const oauth_options *opts)
{
	oauth *o = mem_new(opts->alloc, sizeof(*o));

	if (o == NULL)
		return NULL;
	o->alloc = opts->alloc;
	o->arena = ARENA_INIT(o->alloc, ARENA_MAX);
	o->url = o->headers = o->body = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	o->message = BUF_INIT(o->alloc, MESSAGE_MAX + 4);
	o->credentials = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	o->now_s = opts->now_s;
	keep_options(o, opts);
	credentials_read(o, o->opt.kept);
	begin_attempt(o);
	return o;
}

void
oauth_free(oauth *o)
{
	if (o == NULL)
		return;
	buf_fini(&o->url);
	buf_fini(&o->headers);
	buf_fini(&o->body);
	buf_fini(&o->message);
	buf_fini(&o->credentials);
	arena_fini(&o->arena);
	mem_free(o->alloc, o, sizeof(*o));
}

static bool
lacks_memory(const oauth *o)
{
	return o->arena.bad != CM_OK || o->url.bad != CM_OK ||
	       o->headers.bad != CM_OK || o->body.bad != CM_OK ||
	       o->credentials.bad != CM_OK;
}

void
oauth_next(oauth *o, oauth_step *out)
{
	if (lacks_memory(o))
		flow_fail_as(o, OAUTH_TRY_LATER,
		    "its login needs more memory than there is");
	*out = (oauth_step){.kind = OAUTH_FETCH,
	    .method = o->method,
	    .url = buf_view(&o->url),
	    .headers = buf_view(&o->headers),
	    .body = buf_view(&o->body),
	    .token = o->token,
	    .failure = o->failure,
	    .message = buf_view(&o->message)};
	if (o->phase == PHASE_BROWSE)
		out->kind = OAUTH_BROWSE;
	else if (o->phase == PHASE_DONE)
		out->kind = OAUTH_DONE;
	else if (o->phase == PHASE_FAILED)
		out->kind = OAUTH_FAILED;
}

json
oauth_credentials(const oauth *o)
{
	return lacks_memory(o) ? TEXT_NONE : buf_view(&o->credentials);
}

/* Asks again where a GET was sent to, within its origin. */
static bool
flow_follow_redirect(oauth *o, const oauth_response *r)
{
	oauth_url from, to;
	buf target = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	bool follows = false;

	if (r->status < 300 || r->status > 399 || r->location.len == 0 ||
	    strcmp(o->method, "GET") != 0 || o->redirects == REDIRECTS_MAX)
		return false;
	if (oauth_url_read(buf_view(&o->url), &from) != NULL)
		return false;
	if (text_starts(r->location, TEXT("/")) &&
	    !text_starts(r->location, TEXT("//")))
		buf_text(&target, from.origin);
	buf_text(&target, r->location);
	if (oauth_url_read(buf_view(&target), &to) == NULL &&
	    oauth_url_same_origin(&from, &to)) {
		buf_clear(&o->url);
		buf_text(&o->url, to.whole);
		o->redirects++;
		follows = true;
	}
	buf_fini(&target);
	return follows;
}

void
oauth_answered(oauth *o, const oauth_response *r)
{
	static void (*const parts[])(oauth *, const oauth_response *) = {
	    [PHASE_PROBE] = discover_probed,
	    [PHASE_RESOURCE] = discover_resource_answered,
	    [PHASE_ISSUER] = discover_issuer_answered,
	    [PHASE_REFRESH] = token_refreshed,
	    [PHASE_OWN_TOKEN] = token_answered,
	    [PHASE_REGISTER] = client_registered,
	    [PHASE_BROWSE] = NULL,
	    [PHASE_REDEEM] = token_answered,
	    [PHASE_DONE] = NULL,
	    [PHASE_FAILED] = NULL,
	};

	if (parts[o->phase] == NULL || flow_follow_redirect(o, r))
		return;
	o->now_s = r->now_s;
	o->redirects = 0;
	parts[o->phase](o, r);
}

bool
oauth_returned(oauth *o, text pasted)
{
	return o->phase == PHASE_BROWSE && token_redeem(o, pasted);
}
