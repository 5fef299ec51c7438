/* SPDX-License-Identifier: MIT */
/*
 * oauth_token.c -- the token endpoint, and the browser that leads to it.
 */
#include "dpop.h"
#include "oauth_flow.h"

#include "base/base64.h"

enum { TOKEN_MAX = 64 << 10 };

/* ------------------------------------------------------------- requests */

/* Begins a request of that grant. */
static void
ask_token(oauth *o, text endpoint, const char *grant)
{
	flow_request(o, "POST", endpoint);
	buf_str(
	    &o->headers, "Content-Type: application/x-www-form-urlencoded\n");
	oauth_form_add(&o->body, "grant_type", text_of(grant));
}

/* Tokens are bound to a key when the server asks for that and the authorization
 * server supports it, and when they renew a bound token. */
static void
choose_proof_key(oauth *o)
{
	buf key = BUF_INIT(o->alloc, TOKEN_MAX);

	if (o->opt.crypto.make_key == NULL || o->proof_key.len > 0)
		return;
	if (o->phase == PHASE_REFRESH && o->kept.dpop_key.len > 0)
		o->proof_key = o->kept.dpop_key;
	else if (o->challenge.dpop &&
		 client_issuer_lists(
		     o, "dpop_signing_alg_values_supported", "ES256") &&
		 o->opt.crypto.make_key(&key))
		o->proof_key = flow_keep(o, &key);
	buf_fini(&key);
}

static void
add_token_proof(oauth *o)
{
	unsigned char digest[32];
	buf id = BUF_INIT(o->alloc, 128), seed = id;
	dpop_proof p = {.crypto = o->opt.crypto,
	    .key = o->proof_key,
	    .method = o->method,
	    .url = buf_view(&o->url),
	    .nonce = o->proof_nonce,
	    .now_s = o->now_s};

	o->proof_at = o->headers.len;
	if (o->proof_key.len == 0)
		return;
	buf_printf(&seed, "%u ", o->proofs++);
	buf_add(&seed, o->opt.random, sizeof(o->opt.random));
	o->opt.crypto.sha256(buf_view(&seed), digest);
	base64_add_url(&id, (text){(const char *)digest, 16});
	p.id = buf_view(&id);
	if (!dpop_add_header(&o->headers, &p))
		flow_fail_as(o, OAUTH_REFUSED,
		    "its tokens are bound to a key, and ours cannot sign");
	buf_fini(&seed);
	buf_fini(&id);
}

/* Adds the identity of the client and the proof of the key. */
static void
sign_token_request(oauth *o)
{
	client_sign_request(o);
	choose_proof_key(o);
	if (o->phase != PHASE_FAILED)
		add_token_proof(o);
}

/* The token endpoint wants its nonce in the proof: repeat the request. */
static bool
proves_again(oauth *o, const oauth_response *r, json document)
{
	if (o->proof_key.len == 0 || o->proved_again ||
	    r->dpop_nonce.len == 0 ||
	    !json_is(json_get(document, TEXT("error")), TEXT("use_dpop_nonce")))
		return false;
	o->proved_again = true;
	o->proof_nonce = oauth_keep(&o->arena, r->dpop_nonce);
	o->headers.len = o->proof_at;
	add_token_proof(o);
	return true;
}

static void
add_token_resource(oauth *o, buf *out)
{
	text resource = o->issuer.name.len > 0 ? o->resource : o->kept.resource;

	if (resource.len > 0)
		oauth_form_add(out, "resource", resource);
}

/* The phase is set first: signing may fail the attempt. */
void
token_refresh(oauth *o)
{
	bool found = o->issuer.name.len > 0;
	oauth_url u;

	o->phase = PHASE_REFRESH;
	if (!flow_url(o, "the token endpoint",
		found ? o->issuer.token : o->kept.token_endpoint, &u))
		return;
	client_of_tokens(o);
	ask_token(o, u.whole, "refresh_token");
	oauth_form_add(&o->body, "refresh_token", o->kept.refresh);
	add_token_resource(o, &o->body);
	sign_token_request(o);
}

/* The scopes to ask for; more than the server named only for a refresh. */
static void
choose_scope(oauth *o)
{
	buf b = BUF_INIT(o->alloc, OAUTH_BODY_MAX);
	text listed = flow_words(
	    o, json_get(o->issuer.metadata, TEXT("scopes_supported")));

	if (o->opt.status == 403)
		oauth_add_scopes(&b, o->kept.scope);
	if (o->opt.scope.len > 0)
		oauth_add_scopes(&b, o->opt.scope);
	if (o->opt.scope.len == 0 || o->opt.status == 403)
		oauth_add_scopes(&b, o->challenge.scope);
	if (o->opt.scope.len == 0)
		oauth_add_scopes(&b, o->kept.wanted);
	if (b.len == 0)
		oauth_add_scopes(&b, o->resource_scopes);
	if (b.len > 0 && !client_is_machine(o) &&
	    oauth_has_scopes(listed, TEXT("offline_access")))
		oauth_add_scopes(&b, TEXT("offline_access"));
	o->asked_scope = flow_keep(o, &b);
}

void
token_own(oauth *o)
{
	o->phase = PHASE_OWN_TOKEN;
	o->client = (oauth_client){
	    .id = o->opt.client_id, .secret = o->opt.client_secret};
	client_choose_method(o);
	choose_scope(o);
	ask_token(o, o->issuer.token, "client_credentials");
	if (o->asked_scope.len > 0)
		oauth_form_add(&o->body, "scope", o->asked_scope);
	add_token_resource(o, &o->body);
	sign_token_request(o);
}

/* ----------------------------------------------------------- the browser */

static text
random_text(oauth *o, size_t from, size_t len)
{
	buf b = BUF_INIT(o->alloc, 128);

	base64_add_url(&b, (text){(const char *)o->opt.random + from, len});
	return flow_keep(o, &b);
}

static void
add_proof_key(oauth *o)
{
	unsigned char digest[32];
	buf b = BUF_INIT(o->alloc, 128);

	o->verifier = random_text(o, 0, 32);
	o->opt.crypto.sha256(o->verifier, digest);
	base64_add_url(&b, (text){(const char *)digest, sizeof(digest)});
	oauth_form_add(&o->url, "code_challenge", flow_keep(o, &b));
	oauth_form_add(&o->url, "code_challenge_method", TEXT("S256"));
}

void
token_browse(oauth *o)
{
	buf *url = &o->url;

	if (o->issuer.authorize.len == 0) {
		flow_fail_as(o, OAUTH_REFUSED,
		    "its authorization server %.*s has no page to log in",
		    TEXT_ARG(text_head(o->issuer.name, 200)));
		return;
	}
	choose_scope(o);
	flow_request(o, "GET", o->issuer.authorize);
	if (text_find(o->issuer.authorize, TEXT("?"), 0) == SIZE_MAX)
		buf_byte(url, '?');
	oauth_form_add(url, "response_type", TEXT("code"));
	oauth_form_add(url, "client_id", o->client.id);
	oauth_form_add(url, "redirect_uri", o->opt.redirect);
	o->state = random_text(o, 32, 16);
	oauth_form_add(url, "state", o->state);
	add_proof_key(o);
	if (o->asked_scope.len > 0)
		oauth_form_add(url, "scope", o->asked_scope);
	/* Without a new consent, OpenID Connect gives no refresh token. */
	if (oauth_has_scopes(o->asked_scope, TEXT("offline_access")))
		oauth_form_add(url, "prompt", TEXT("consent"));
	add_token_resource(o, url);
	o->phase = PHASE_BROWSE;
}

static void
ask_code(oauth *o, text code)
{
	o->phase = PHASE_REDEEM;
	ask_token(o, o->issuer.token, "authorization_code");
	oauth_form_add(&o->body, "code", code);
	oauth_form_add(&o->body, "redirect_uri", o->opt.redirect);
	oauth_form_add(&o->body, "code_verifier", o->verifier);
	add_token_resource(o, &o->body);
	sign_token_request(o);
}

static bool
must_name_issuer(const oauth *o)
{
	return json_bool(
	    json_get(o->issuer.metadata,
		TEXT("authorization_response_iss_parameter_supported")),
	    false);
}

/* RFC 9207: an answer that names its issuer names ours, letter by letter, and
 * one that must name it does. */
static bool
check_issuer(oauth *o, text form)
{
	text name = TEXT_NONE;
	bool named = oauth_form_get(form, "iss", &o->arena, &name);

	if (named ? text_eq(name, o->issuer.name) : !must_name_issuer(o))
		return true;
	flow_fail_as(o, OAUTH_REFUSED,
	    "the answer of the login is from \"%.*s\", not from %.*s",
	    TEXT_ARG(text_head(name, 200)),
	    TEXT_ARG(text_head(o->issuer.name, 200)));
	return false;
}

/* A person may copy the code alone, which has neither state nor issuer; the
 * proof key still binds it to this login. */
static text
form_of(text pasted)
{
	size_t question = text_find(pasted, TEXT("?"), 0);

	if (question != SIZE_MAX)
		pasted = text_sub(pasted, question + 1, pasted.len);
	else if (text_find(pasted, TEXT("code="), 0) != 0 &&
		 text_find(pasted, TEXT("&code="), 0) == SIZE_MAX &&
		 text_find(pasted, TEXT("://"), 0) == SIZE_MAX)
		return TEXT_NONE;
	return text_sub(pasted, 0, text_find(pasted, TEXT("#"), 0));
}

bool
token_redeem(oauth *o, text pasted)
{
	text form, state = TEXT_NONE, code = TEXT_NONE, error, more;

	pasted = text_trim(pasted);
	form = form_of(pasted);
	if (form.len == 0) {
		if (pasted.len == 0 || must_name_issuer(o))
			return false;
		ask_code(o, pasted);
		return true;
	}
	if (!oauth_form_get(form, "state", &o->arena, &state) ||
	    !text_eq(state, o->state))
		return false;
	if (!check_issuer(o, form))
		return true;
	if (oauth_form_get(form, "error", &o->arena, &error)) {
		more = TEXT_NONE;
		oauth_form_get(form, "error_description", &o->arena, &more);
		flow_fail_as(o, OAUTH_REFUSED,
		    "the login was refused: %.*s%s%.*s",
		    TEXT_ARG(text_head(error, 200)), more.len ? ": " : "",
		    TEXT_ARG(text_head(more, 500)));
	} else if (oauth_form_get(form, "code", &o->arena, &code)) {
		ask_code(o, code);
	} else {
		return false;
	}
	return true;
}

/* -------------------------------------------------------------- answers */

/* It becomes part of a header, and of JSON without an escape. */
static bool
is_sendable(text token)
{
	for (size_t i = 0; i < token.len; i++)
		if (token.ptr[i] <= ' ' || token.ptr[i] > '~' ||
		    token.ptr[i] == '"' || token.ptr[i] == '\\')
			return false;
	return token.len > 0 && token.len <= TOKEN_MAX;
}

/* Is it a type of token that was asked for? A server may return an unbound
 * token in the place of a bound one. */
static bool
is_known_type(const oauth *o, text type)
{
	return type.len == 0 || oauth_same_caseless(type, TEXT("bearer")) ||
	       (o->proof_key.len > 0 &&
		   oauth_same_caseless(type, TEXT("dpop")));
}

static uint64_t
read_expiry(oauth *o, json document)
{
	json v = json_get(document, TEXT("expires_in"));
	text t = flow_string(o, document, "expires_in");
	size_t at = 0;
	double seconds = 0;

	if (t.len > 0)
		seconds = (double)text_decimal(t, &at);
	else
		json_double(v, &seconds);
	if (!(seconds >= 1) || seconds > 1e9)
		return 0;
	return o->now_s + (uint64_t)seconds;
}

/* What was granted, and what was asked for: a scope that the person did not
 * grant is not asked for again by itself. */
static void
note_scope(oauth *o, text granted)
{
	buf b = BUF_INIT(o->alloc, OAUTH_BODY_MAX);

	oauth_add_scopes(
	    &b, o->phase == PHASE_REFRESH ? o->kept.scope : o->asked_scope);
	oauth_add_scopes(&b, granted);
	o->kept.scope = flow_keep(o, &b);
}

/* Takes the tokens of a good answer. NULL, or what is wrong with it. */
static const char *
take_tokens(oauth *o, json document)
{
	text access = flow_string(o, document, "access_token");
	text refresh = flow_string(o, document, "refresh_token");
	text type = flow_string(o, document, "token_type");

	if (!is_known_type(o, type))
		return "its tokens are of a type that is not known here";
	if (!is_sendable(access))
		return "its answer has no token";
	note_scope(o, flow_string(o, document, "scope"));
	o->kept.access = o->token = access;
	if (refresh.len > 0 || o->phase != PHASE_REFRESH)
		o->kept.refresh = refresh;
	o->kept.expires_s = read_expiry(o, document);
	o->kept.wanted = TEXT_NONE;
	o->kept.dpop_key =
	    oauth_same_caseless(type, TEXT("dpop")) ? o->proof_key : TEXT_NONE;
	o->kept.client_id = o->client.id;
	o->kept.method = o->client.method;
	if (o->issuer.name.len > 0) {
		o->kept.issuer = o->issuer.name;
		o->kept.token_endpoint = o->issuer.token;
		o->kept.resource = o->resource;
	}
	credentials_write(o);
	o->phase = PHASE_DONE;
	return NULL;
}

/* The object in the body, also of an error; missing: none. */
static json
answer_document(const oauth_response *r)
{
	json document = TEXT_NONE;

	if (r->body.len > OAUTH_BODY_MAX ||
	    !json_check(r->body, 64, &document, NULL))
		return TEXT_NONE;
	return document;
}

static void
fail_token(oauth *o, const oauth_response *r, json document, const char *why)
{
	text error = flow_string(o, document, "error");
	text more = flow_string(o, document, "error_description");

	if (r->status == 0)
		error = r->why;
	else if (why != NULL)
		error = text_of(why);
	flow_fail_as(o,
	    r->status == 0 || r->status >= 500 || r->status == 429
		? OAUTH_TRY_LATER
		: OAUTH_REFUSED,
	    "no token from %.*s (status %d%s%.*s%s%.*s)",
	    TEXT_ARG(text_head(buf_view(&o->url), 200)), r->status,
	    error.len ? ", " : "", TEXT_ARG(text_head(error, 200)),
	    more.len ? ": " : "", TEXT_ARG(text_head(more, 500)));
}

static bool
is_good(const oauth_response *r, json document)
{
	return r->status >= 200 && r->status < 300 &&
	       json_kind_of(document) == JSON_OBJECT &&
	       !json_present(json_get(document, TEXT("error")));
}

void
token_answered(oauth *o, const oauth_response *r)
{
	json document = answer_document(r);
	const char *why = NULL;

	if (proves_again(o, r, document))
		return;
	if (is_good(r, document)) {
		why = take_tokens(o, document);
		if (why == NULL)
			return;
	}
	fail_token(o, r, document, why);
}

/* Refused for good: the tokens are worth nothing any more, and perhaps neither
 * is the client. */
void
token_refreshed(oauth *o, const oauth_response *r)
{
	json document = answer_document(r);
	json error = json_get(document, TEXT("error"));

	if (proves_again(o, r, document))
		return;
	if (r->status == 0 || r->status >= 500 || r->status == 429 ||
	    is_good(r, document)) {
		token_answered(o, r);
		return;
	}
	if (json_is(error, TEXT("invalid_client")) ||
	    json_is(error, TEXT("unauthorized_client")))
		credentials_set_client(o, o->kept.issuer, TEXT_NONE);
	credentials_drop_tokens(o);
	o->refresh_refused = true;
	flow_get_token(o);
}
