/* SPDX-License-Identifier: MIT */
/* http_serve_issuer.c -- see http_serve_issuer.h. */
#include "http_serve_issuer.h"

#include "common/monotonic.h"
#include "crypto.h"
#include "http.h"

#include "oauth/oauth.h"
#include "oauth/oauth_text.h"
#include "oauth/oauth_url.h"

#include <time.h>

enum {
	ISSUER_FETCH_MS = 10000, /* timeout of a request to the issuer */
	ISSUER_RETRY_MS = 10000, /* pause after a failed request */
	KEYS_AGAIN_MS = 60000, /* least time between fetches for unknown keys */
	KEYS_OLD_MS = 15 * 60000, /* age at which keys are fetched again */
	VERDICT_MS =
	    60000, /* how long an accepted token is not checked again */
	REFUSAL_MS = 10000,     /* that the issuer is not asked again of a
	                              token, at least */
	VERDICTS = 512,         /* verdicts that are kept */
	ASKED_AT_ONCE = 16,     /* questions to the issuer at a time */
	ISSUER_TEXT = 16 << 10, /* bytes of a URL, or of a list of scopes */
	TOKEN_ARENA = 256 << 10 /* bytes for the claims of a token */
};

/* The verdict on a token, or the question about it. */
typedef struct token_entry {
	http_serve_issuer *issuer;
	unsigned char digest[TOKEN_DIGEST];
	token_verdict verdict;
	uint64_t checked_ms;
	uint64_t expires_s;    /* 0: not known */
	http_request *request; /* the question to the issuer; NULL: none */
} token_entry;

struct http_serve_issuer {
	main_loop *loop;
	say *say;
	http *http;
	const http_serve_oauth *options;
	oauth_url issuer;
	buf resource; /* the URL of this server */
	text audience;
	buf scopes;
	buf place;       /* the URL of this server's metadata */
	size_t place_at; /* its path begins there */
	buf challenge;   /* the latest */
	/* Results of the fetches. */
	bool known;         /* the metadata was read */
	unsigned candidate; /* number of the next place of the metadata */
	buf keys_url,
	    question_url; /* with a zero byte; empty: the issuer has none */
	buf keys;
	json jwks; /* in .keys; missing: not fetched yet */
	http_request *fetch;
	uint64_t fetched_ms, again_ms; /* the latest; for an unknown key */
	bool failed;                   /* the latest fetch failed */
	bool news;
	unsigned asking; /* questions under way */
	token_entry entries[VERDICTS];
};

static void
make_news(http_serve_issuer *i)
{
	i->news = true;
	main_loop_due(&i->loop->uv);
}

bool
issuer_has_news(http_serve_issuer *i)
{
	bool had = i->news;

	i->news = false;
	return had;
}

static token_verdict
token_verdict_of(unsigned status, const char *why)
{
	return (token_verdict){.status = status, .why = why};
}

/* -------------------------------------------------------- what is fetched */

static void start_fetch(http_serve_issuer *i);

/* Prints a failure, once until a fetch succeeds. */
static void
fail_fetch(http_serve_issuer *i, const char *what, text why)
{
	if (!i->failed)
		say_line(i->say, "--oauth-issuer %s: %s%s%.*s",
		    i->options->issuer, what, why.len > 0 ? ": " : "",
		    TEXT_ARG(why));
	i->failed = true;
	i->candidate = 0;
	make_news(i);
}

/* The JSON object of an answer with status 200; otherwise missing. */
static json
object_of_reply(const http_reply *r)
{
	json v = TEXT_NONE;

	if (r->error != HTTP_DONE || r->status != 200 ||
	    !json_check(r->body, 64, &v, NULL) ||
	    json_kind_of(v) != JSON_OBJECT)
		return TEXT_NONE;
	return v;
}

static void
on_keys(void *ctx, const http_reply *r)
{
	http_serve_issuer *i = ctx;
	json v = object_of_reply(r);

	i->fetch = NULL;
	if (json_kind_of(json_get(v, TEXT("keys"))) != JSON_ARRAY) {
		fail_fetch(i, "its keys cannot be fetched", r->words);
		return;
	}
	buf_clear(&i->keys);
	i->jwks = buf_copied(&i->keys, v);
	i->failed = false;
	make_news(i);
}

/* A URL from the metadata, with a zero byte; empty: the URL is not allowed. */
static void
take_issuer_url(http_serve_issuer *i, json document, const char *name, buf *out)
{
	oauth_url u;

	buf_clear(out);
	if (!json_unescape(json_get(document, text_of(name)), out))
		return;
	if (oauth_url_read(buf_view(out), &u) != NULL ||
	    oauth_url_refused(&u, &i->issuer) != NULL)
		buf_clear(out);
	else
		buf_byte(out, '\0');
}

static void
on_metadata(void *ctx, const http_reply *r)
{
	http_serve_issuer *i = ctx;
	json v = object_of_reply(r);
	buf name = BUF_INIT(NULL, OAUTH_BODY_MAX);

	i->fetch = NULL;
	json_unescape(json_get(v, TEXT("issuer")), &name);
	if (v.len == 0 && r->error == HTTP_DONE && r->status < 500) {
		i->candidate++;
		start_fetch(i);
	} else if (v.len == 0) {
		fail_fetch(i, "its metadata cannot be fetched", r->words);
	} else if (!oauth_same_issuer(buf_view(&name), i->issuer.whole)) {
		fail_fetch(i, "its metadata is for another issuer",
		    text_head(buf_view(&name), 200));
	} else {
		take_issuer_url(i, v, "jwks_uri", &i->keys_url);
		take_issuer_url(
		    i, v, "introspection_endpoint", &i->question_url);
		i->known = true;
		start_fetch(i);
	}
	buf_fini(&name);
}

/* Fetches the metadata, or the keys if the metadata is known. */
static void
start_fetch(http_serve_issuer *i)
{
	static const http_hooks metadata = {.done = on_metadata},
				keys = {.done = on_keys};
	buf url = BUF_INIT(NULL, ISSUER_TEXT);
	http_ask ask = {.method = "GET",
	    .headers = TEXT("Accept: application/json\n"),
	    .body_max = OAUTH_BODY_MAX,
	    .timeout_ms = ISSUER_FETCH_MS};

	i->fetched_ms = monotonic_ms();
	if (i->known) {
		ask.url = i->keys_url.ptr;
	} else if (oauth_metadata_url(&i->issuer, i->candidate, &url)) {
		buf_byte(&url, '\0');
		ask.url = url.bad == CM_OK ? url.ptr : NULL;
	}
	if (i->known && i->keys_url.len == 0) {
		i->jwks = TEXT("{}");
		i->failed = false;
		make_news(i);
	} else if (ask.url != NULL) {
		i->fetch =
		    http_start(i->http, &ask, i->known ? &keys : &metadata, i);
	}
	if (i->fetch == NULL && i->jwks.len == 0)
		fail_fetch(i, "it has no metadata", TEXT_NONE);
	buf_fini(&url);
}

/* Are metadata and keys there? If not, *out says whether to wait for them. */
static bool
has_fetched(http_serve_issuer *i, token_verdict *out)
{
	uint64_t now = monotonic_ms();

	if (i->fetch == NULL &&
	    now - i->fetched_ms >=
		(uint64_t)(i->failed ? ISSUER_RETRY_MS : KEYS_OLD_MS))
		start_fetch(i);
	*out = i->fetch != NULL
		   ? token_verdict_of(0, NULL)
		   : token_verdict_of(
			 503, "The authorization server does not answer");
	return i->jwks.len > 0;
}

/* ------------------------------------------------------------ verdicts */

static token_entry *
entry_of_digest(http_serve_issuer *i, const unsigned char *digest)
{
	for (size_t k = 0; k < VERDICTS; k++)
		if (i->entries[k].issuer != NULL &&
		    memcmp(i->entries[k].digest, digest, TOKEN_DIGEST) == 0)
			return &i->entries[k];
	return NULL;
}

static bool
is_fresh_entry(const token_entry *e)
{
	uint64_t age = monotonic_ms() - e->checked_ms;

	if (e->request != NULL)
		return true;
	if (e->verdict.status == 401 || e->verdict.status == 503)
		return age < REFUSAL_MS;
	return age < VERDICT_MS &&
	       (e->expires_s == 0 ||
		   (uint64_t)time(NULL) < e->expires_s + ACCESS_SKEW_S);
}

/* Should a be dropped rather than b? No question about either is under way. */
static bool
is_lesser_entry(const token_entry *a, const token_entry *b)
{
	bool good_a = a->verdict.status == 200,
	     good_b = b->verdict.status == 200;

	return good_a != good_b ? good_b : a->checked_ms < b->checked_ms;
}

/* Replaces an entry without a question; there are always some, because
 * ASKED_AT_ONCE < VERDICTS. */
static token_entry *
new_entry(http_serve_issuer *i, const unsigned char *digest)
{
	token_entry *e = NULL;

	for (size_t k = 0; k < VERDICTS; k++)
		if (i->entries[k].request == NULL &&
		    (e == NULL || is_lesser_entry(&i->entries[k], e)))
			e = &i->entries[k];
	*e = (token_entry){.issuer = i, .checked_ms = monotonic_ms()};
	memcpy(e->digest, digest, TOKEN_DIGEST);
	return e;
}

static access_rules
rules_of(const http_serve_issuer *i)
{
	return (access_rules){.issuer = i->issuer.whole,
	    .audience = i->audience,
	    .scopes = buf_view(&i->scopes),
	    .now_s = (uint64_t)time(NULL)};
}

static token_verdict
verdict_of_grant(const access_grant *g, const char *why)
{
	token_verdict v = {.status = why != NULL      ? 401
				     : g->lacks_scope ? 403
						      : 200,
	    .why = why != NULL ? why : "it lacks a scope"};

	if (why == NULL)
		crypto_sha256(g->subject, v.subject);
	return v;
}

/* ---------------------------------------------------------------- a JWT */

static bool
is_signed_by_issuer(const http_serve_issuer *i, const access_jwt *j, arena *a)
{
	json_iter keys = access_keys(i->jwks);
	access_key key;

	for (unsigned n = 0;
	     n < ACCESS_KEYS_TRIED && access_next_key(&keys, j, a, &key); n++)
		if (crypto_verify(j, &key))
			return true;
	return false;
}

/* The issuer may have a new key. */
static token_verdict
doubt_keys(http_serve_issuer *i)
{
	uint64_t now = monotonic_ms();

	if (i->fetch == NULL &&
	    (i->again_ms == 0 || now - i->again_ms >= KEYS_AGAIN_MS)) {
		i->again_ms = now;
		start_fetch(i);
	}
	return i->fetch != NULL
		   ? token_verdict_of(0, NULL)
		   : token_verdict_of(401, "it is not signed by its issuer");
}

static token_verdict
check_jwt(http_serve_issuer *i, text token, const unsigned char *digest)
{
	arena a = ARENA_INIT(NULL, TOKEN_ARENA);
	access_rules rules = rules_of(i);
	token_verdict v = {.status = 0};
	access_grant grant = {.expires_s = 0};
	access_jwt j;
	const char *why = access_read_jwt(token, &a, &j);
	token_entry *e;

	if (why == NULL)
		why = access_check_jwt(j.claims, &rules, &a, &grant);
	if (why != NULL)
		v = token_verdict_of(401, why);
	else if (has_fetched(i, &v))
		v = is_signed_by_issuer(i, &j, &a) && a.bad == CM_OK
			? verdict_of_grant(&grant, NULL)
			: doubt_keys(i);
	if (v.status == 200) {
		e = new_entry(i, digest);
		e->verdict = v;
		e->expires_s = grant.expires_s;
	}
	arena_fini(&a);
	return v;
}

/* --------------------------------------------------------- another token */

static void
on_introspected(void *ctx, const http_reply *r)
{
	token_entry *e = ctx;
	http_serve_issuer *i = e->issuer;
	arena a = ARENA_INIT(NULL, OAUTH_BODY_MAX);
	access_rules rules = rules_of(i);
	access_grant grant = {.expires_s = 0};
	json v = object_of_reply(r);
	const char *why;

	e->request = NULL;
	i->asking--;
	e->checked_ms = monotonic_ms();
	if (v.len == 0) {
		say_line(i->say,
		    "--oauth-issuer %s: it does not say what a token is: "
		    "status %d%s%.*s",
		    i->options->issuer, r->status, r->words.len ? ", " : "",
		    TEXT_ARG(r->words));
		e->verdict = token_verdict_of(
		    503, "The authorization server does not answer");
	} else {
		why = access_check_answer(v, &rules, &a, &grant);
		e->verdict = verdict_of_grant(&grant, why);
		e->expires_s = grant.expires_s;
	}
	arena_fini(&a);
	make_news(i);
}

static http_request *
ask_issuer_of(http_serve_issuer *i, text token, token_entry *e)
{
	static const http_hooks hooks = {.done = on_introspected};
	buf head = BUF_INIT(NULL, ISSUER_TEXT),
	    body = BUF_INIT(NULL, INT32_MAX);
	http_ask ask = {.method = "POST",
	    .url = i->question_url.ptr,
	    .body_max = OAUTH_BODY_MAX,
	    .timeout_ms = ISSUER_FETCH_MS};
	http_request *r = NULL;

	buf_str(&head, "Accept: application/json\n"
		       "Content-Type: application/x-www-form-urlencoded\n");
	oauth_basic_header(
	    &head, text_of(i->options->client), text_of(i->options->secret));
	oauth_form_add(&body, "token", token);
	oauth_form_add(&body, "token_type_hint", TEXT("access_token"));
	ask.headers = buf_view(&head);
	ask.body = buf_view(&body);
	if (head.bad == CM_OK && body.bad == CM_OK)
		r = http_start(i->http, &ask, &hooks, e);
	buf_fini(&head);
	buf_fini(&body);
	return r;
}

static token_verdict
check_opaque(http_serve_issuer *i, text token, const unsigned char *digest)
{
	token_verdict v;
	token_entry *e;

	if (!has_fetched(i, &v))
		return v;
	if (i->question_url.len == 0 || i->options->client == NULL)
		return token_verdict_of(401, "it is no JWT");
	if (i->asking >= ASKED_AT_ONCE)
		return token_verdict_of(0, NULL);
	e = new_entry(i, digest);
	e->request = ask_issuer_of(i, token, e);
	i->asking += e->request != NULL;
	if (e->request == NULL)
		e->verdict = token_verdict_of(503, "Out of memory");
	return e->verdict;
}

token_verdict
issuer_check(http_serve_issuer *i, text token)
{
	unsigned char digest[TOKEN_DIGEST];
	token_entry *e;

	if (token.len > ACCESS_TOKEN_MAX)
		return token_verdict_of(401, "it is too long");
	crypto_sha256(token, digest);
	e = entry_of_digest(i, digest);
	if (e != NULL && is_fresh_entry(e))
		return e->verdict;
	if (e != NULL)
		*e = (token_entry){.issuer = NULL};
	return access_is_jwt(token) ? check_jwt(i, token, digest)
				    : check_opaque(i, token, digest);
}

/* ------------------------------------------------- what clients are told */

const char *
issuer_challenge(http_serve_issuer *i, const char *error, const char *why)
{
	buf *b = &i->challenge;

	buf_clear(b);
	buf_str(b, "Bearer ");
	if (error != NULL)
		buf_printf(
		    b, "error=\"%s\", error_description=\"%s\", ", error, why);
	if (i->scopes.len > 0)
		buf_printf(
		    b, "scope=\"%.*s\", ", TEXT_ARG(buf_view(&i->scopes)));
	buf_printf(
	    b, "resource_metadata=\"%.*s\"", TEXT_ARG(buf_view(&i->place)));
	buf_byte(b, '\0');
	return b->bad == CM_OK ? b->ptr : "Bearer";
}

bool
issuer_metadata(const http_serve_issuer *i, const char *path, buf *document)
{
	static const text root = TEXT_INIT(OAUTH_RESOURCE_PLACE);
	text rest = buf_view(&i->scopes), scope;

	if (!text_eq(text_of(path), root) &&
	    strcmp(path, OAUTH_RESOURCE_PLACE "/mcp") != 0 &&
	    !text_eq(text_of(path),
		text_sub(buf_view(&i->place), i->place_at, i->place.len)))
		return false;
	buf_byte(document, '{');
	json_member_text(document, "resource", buf_view(&i->resource));
	json_member(document, "authorization_servers");
	buf_byte(document, '[');
	json_string(document, i->issuer.whole);
	buf_byte(document, ']');
	if (i->scopes.len > 0) {
		json_member(document, "scopes_supported");
		buf_byte(document, '[');
		while (oauth_next_scope(&rest, &scope)) {
			json_element(document);
			json_string(document, scope);
		}
		buf_byte(document, ']');
	}
	json_member(document, "bearer_methods_supported");
	buf_str(document, "[\"header\"]");
	json_member_text(document, "resource_name", TEXT("codemode"));
	buf_byte(document, '}');
	return true;
}

/* ---------------------------------------------------- making and freeing */

/* False: an option is invalid, which was printed. */
static bool
read_issuer_options(http_serve_issuer *i, const char *url, say *s)
{
	const http_serve_oauth *o = i->options;
	const char *resource = o->resource != NULL ? o->resource : url;
	const char *why = oauth_url_read(text_of(o->issuer), &i->issuer);
	oauth_url u;

	if (why == NULL)
		why = oauth_url_refused(&i->issuer, &i->issuer);
	if (why != NULL) {
		say_line(s, "--oauth-issuer %s: %s", o->issuer, why);
		return false;
	}
	why = oauth_url_read(text_of(resource), &u);
	if (why != NULL) {
		say_line(s, "--oauth-resource %s: %s", resource, why);
		return false;
	}
	buf_text(&i->resource, u.whole);
	i->audience =
	    o->audience ? text_of(o->audience) : buf_view(&i->resource);
	buf_text(&i->place, u.origin);
	i->place_at = i->place.len;
	buf_str(&i->place, OAUTH_RESOURCE_PLACE);
	buf_text(&i->place, oauth_url_path(&u));
	for (size_t k = 0; k < o->scopes->len; k++) {
		text rest = text_of(o->scopes->value[k].text), scope;

		if (!oauth_next_scope(&rest, &scope) ||
		    scope.len != strlen(o->scopes->value[k].text)) {
			say_line(s, "--oauth-scope %s: it is no scope",
			    o->scopes->value[k].text);
			return false;
		}
		oauth_add_scopes(&i->scopes, scope);
	}
	return true;
}

http_serve_issuer *
issuer_open(main_loop *l, const http_serve_options *o, const char *url, say *s)
{
	http_serve_issuer *i = mem_new(NULL, sizeof(*i));

	if (i == NULL) {
		say_line(s, "out of memory");
		return NULL;
	}
	*i = (http_serve_issuer){.loop = l, .say = s, .options = &o->oauth};
	i->resource = i->scopes = i->place = i->challenge = i->keys_url =
	    i->question_url = BUF_INIT(NULL, ISSUER_TEXT);
	i->keys = BUF_INIT(NULL, OAUTH_BODY_MAX);
	if (read_issuer_options(i, url, s)) {
		i->http = http_hold(&l->uv);
		if (i->http != NULL) {
			start_fetch(i);
			return i;
		}
		say_line(s, "out of memory");
	}
	issuer_close(i);
	return NULL;
}

void
issuer_close(http_serve_issuer *i)
{
	if (i == NULL)
		return;
	if (i->fetch != NULL)
		http_cancel(i->fetch);
	for (size_t k = 0; k < VERDICTS; k++)
		if (i->entries[k].request != NULL)
			http_cancel(i->entries[k].request);
	if (i->http != NULL)
		http_release(i->http);
	buf_fini(&i->resource);
	buf_fini(&i->scopes);
	buf_fini(&i->place);
	buf_fini(&i->challenge);
	buf_fini(&i->keys_url);
	buf_fini(&i->question_url);
	buf_fini(&i->keys);
	mem_free(NULL, i, sizeof(*i));
}
