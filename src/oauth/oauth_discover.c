/* SPDX-License-Identifier: MIT */
/*
 * oauth_discover.c -- from the server's URL to the endpoints of its login.
 *
 * The server's own metadata (RFC 9728) names an issuer, the issuer's metadata
 * (RFC 8414, or OpenID Connect's) names the endpoints. Both stand at well-known
 * places, which are tried in order. A server of revision 2025-03-26 has no
 * metadata of its own: it is its own issuer, and may have none of that either.
 */
#include "oauth_flow.h"

#include <codemode/words.h>

/* Is there an object in the answer's body? */
static bool
read_document(const oauth_response *r, json *out)
{
	return r->status == 200 && r->body.len <= OAUTH_BODY_MAX &&
	       json_check(r->body, 64, out, NULL) &&
	       json_kind_of(*out) == JSON_OBJECT;
}

/* No answer at all says nothing about what is there. */
static bool
failed_to_answer(oauth *o, const oauth_response *r)
{
	if (r->status == 0)
		flow_fail_as(o, OAUTH_TRY_LATER, "%.*s does not answer: %.*s",
		    TEXT_ARG(text_head(buf_view(&o->url), 200)),
		    TEXT_ARG(text_head(r->why, 200)));
	else if (r->status >= 500 || r->status == 429)
		flow_fail_as(o, OAUTH_TRY_LATER, "%.*s answers with status %d",
		    TEXT_ARG(text_head(buf_view(&o->url), 200)), r->status);
	return o->phase == PHASE_FAILED;
}

/* ---------------------------------------------------------- the challenge */

void
discover_probe(oauth *o)
{
	flow_request(o, "POST", o->server.whole);
	buf_clear(&o->headers);
	buf_str(&o->headers, "Accept: application/json, text/event-stream\n"
			     "Content-Type: application/json\n");
	buf_str(&o->body,
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
	    "\"params\":{\"protocolVersion\":\"2025-11-25\","
	    "\"capabilities\":{},\"clientInfo\":{\"name\":\"codemode\","
	    "\"version\":\"" CM_VERSION "\"}}}");
	o->phase = PHASE_PROBE;
}

void
discover_probed(oauth *o, const oauth_response *r)
{
	if (failed_to_answer(o, r))
		return;
	o->open = r->status != 401;
	if (!o->open)
		o->challenge = oauth_read_challenge(
		    text_head(r->www_authenticate, 8192), &o->arena);
	discover_resource(o);
}

/* ------------------------------------------------ the server's metadata */

/* Candidates: what the challenge names, the place with the path, the root. */
static void
ask_resource(oauth *o)
{
	text path = oauth_url_path(&o->server);
	text named = o->challenge.resource_metadata;
	oauth_url u;

	o->phase = PHASE_RESOURCE;
	if (o->candidate == 0 && named.len > 0) {
		if (flow_url(o, "the metadata at", named, &u))
			flow_request(o, "GET", u.whole);
		return;
	}
	if (o->candidate == 0)
		o->candidate = 1;
	if (o->candidate == 1 && path.len == 0)
		o->candidate = 2;
	flow_request(o, "GET", o->server.origin);
	buf_str(&o->url, OAUTH_RESOURCE_PLACE);
	if (o->candidate == 1)
		buf_text(&o->url, path);
}

void
discover_resource(oauth *o)
{
	o->candidate = 0;
	ask_resource(o);
}

static bool ask_issuer(oauth *o);

/* A server without metadata of its own is its own issuer. */
static void
use_server_as_issuer(oauth *o)
{
	if (o->open) {
		flow_fail_as(o, OAUTH_REFUSED,
		    "it asks for no login, and has no metadata for one");
		return;
	}
	o->issuer_name = o->server.origin;
	o->candidate = 0;
	ask_issuer(o);
}

/* The issuer of the tokens that are kept, if it is still named; else the first
 * one. */
static text
choose_issuer(oauth *o, json document)
{
	json list = json_get(document, TEXT("authorization_servers"));
	text names = flow_words(o, list), name;
	text rest = names;

	while (oauth_next_scope(&rest, &name))
		if (text_eq(name, o->kept.issuer))
			return name;
	oauth_next_scope(&names, &name);
	return name;
}

static bool
take_resource(oauth *o, json document)
{
	oauth_url u;

	o->resource = flow_string(o, document, "resource");
	if (oauth_url_read(o->resource, &u) == NULL &&
	    oauth_url_below(&o->server, &u))
		return true;
	flow_fail_as(o, OAUTH_REFUSED,
	    "its metadata is for the resource \"%.*s\", not for %.*s",
	    TEXT_ARG(text_head(o->resource, 200)),
	    TEXT_ARG(text_head(o->server.whole, 200)));
	return false;
}

void
discover_resource_answered(oauth *o, const oauth_response *r)
{
	json document;

	if (failed_to_answer(o, r))
		return;
	if (!read_document(r, &document)) {
		if (o->candidate++ < 2)
			ask_resource(o);
		else
			use_server_as_issuer(o);
		return;
	}
	if (!take_resource(o, document))
		return;
	o->has_metadata = true;
	o->resource_scopes =
	    flow_words(o, json_get(document, TEXT("scopes_supported")));
	o->issuer_name = choose_issuer(o, document);
	if (o->issuer_name.len == 0)
		o->issuer_name = o->server.origin;
	o->candidate = 0;
	ask_issuer(o);
}

/* ------------------------------------------------ the issuer's metadata */

/* False: there are no more places to ask. */
static bool
ask_issuer(oauth *o)
{
	oauth_url u;

	o->phase = PHASE_ISSUER;
	if (!flow_url(o, "the authorization server", o->issuer_name, &u))
		return true;
	flow_request(o, "GET", TEXT_NONE);
	return oauth_metadata_url(&u, o->candidate, &o->url);
}

static text
join_url(oauth *o, text origin, const char *path)
{
	buf b = BUF_INIT(o->alloc, OAUTH_BODY_MAX);

	buf_text(&b, origin);
	buf_str(&b, path);
	return flow_keep(o, &b);
}

static void
use_issuer(oauth *o, text name)
{
	o->issuer.name = name;
	if (o->kept.access.len > 0 && !text_eq(name, o->kept.issuer))
		credentials_drop_tokens(o);
	flow_get_token(o);
}

/* As revision 2025-03-26 has it for servers without any metadata. */
static void
use_usual_endpoints(oauth *o)
{
	text origin = o->server.origin;

	o->issuer.authorize = join_url(o, origin, "/authorize");
	o->issuer.token = join_url(o, origin, "/token");
	o->issuer.enroll = join_url(o, origin, "/register");
	use_issuer(o, origin);
}

static bool
take_endpoint(oauth *o, json document, const char *key, text *out)
{
	oauth_url u;

	*out = flow_string(o, document, key);
	return out->len == 0 || flow_url(o, key, *out, &u);
}

/* A proof key is what keeps a stolen code from being used. A list is missing
 * only where revision 2025-03-26 is spoken. */
static bool
check_proof_keys(oauth *o, json document)
{
	json list =
	    json_get(document, TEXT("code_challenge_methods_supported"));

	if (oauth_has_scopes(flow_words(o, list), TEXT("S256")) ||
	    o->issuer.authorize.len == 0 || client_is_machine(o) ||
	    (!o->has_metadata && !json_present(list)))
		return true;
	flow_fail_as(o, OAUTH_REFUSED,
	    "its authorization server %.*s has no PKCE with S256",
	    TEXT_ARG(text_head(o->issuer_name, 200)));
	return false;
}

static void
take_issuer(oauth *o, json document)
{
	text name = flow_string(o, document, "issuer");

	if (o->has_metadata && !oauth_same_issuer(name, o->issuer_name)) {
		flow_fail_as(o, OAUTH_REFUSED,
		    "the metadata of the authorization server %.*s is for "
		    "another issuer, \"%.*s\"",
		    TEXT_ARG(text_head(o->issuer_name, 200)),
		    TEXT_ARG(text_head(name, 200)));
		return;
	}
	o->issuer.metadata = oauth_keep(&o->arena, document);
	if (!take_endpoint(
		o, document, "authorization_endpoint", &o->issuer.authorize) ||
	    !take_endpoint(o, document, "token_endpoint", &o->issuer.token) ||
	    !take_endpoint(
		o, document, "registration_endpoint", &o->issuer.enroll) ||
	    !check_proof_keys(o, document))
		return;
	if (o->issuer.token.len == 0)
		flow_fail_as(o, OAUTH_REFUSED,
		    "the metadata of the authorization server %.*s names no "
		    "token endpoint",
		    TEXT_ARG(text_head(o->issuer_name, 200)));
	else
		use_issuer(o, name.len > 0 ? name : o->issuer_name);
}

void
discover_issuer_answered(oauth *o, const oauth_response *r)
{
	json document;

	if (failed_to_answer(o, r))
		return;
	if (read_document(r, &document)) {
		take_issuer(o, document);
		return;
	}
	o->candidate++;
	if (ask_issuer(o))
		return;
	if (!o->has_metadata)
		use_usual_endpoints(o);
	else
		flow_fail_as(o, OAUTH_REFUSED,
		    "its authorization server %.*s has no metadata",
		    TEXT_ARG(text_head(o->issuer_name, 200)));
}
