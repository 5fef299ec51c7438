/* SPDX-License-Identifier: MIT */
/*
 * test_oauth.c -- the machine that gets tokens, in a world of pages that each
 * test writes, and that lie in most of them.
 */
#include "unit.h"

#include "base/base64.h"
#include "oauth/oauth.h"

enum { PAGES_MAX = 24 };

typedef struct page {
	const char *url; /* NULL: the end */
	int status;
	const char *body; /* or the place of a redirect */
} page;

/* One attempt, and all that it did: a line for each request. */
typedef struct world {
	page pages[PAGES_MAX];
	oauth_options opts;
	const char *challenge; /* of the server itself */
	const char *nonce;     /* DPoP-Nonce of each answer */
	const char *back;      /* the query that the browser comes back with,
	                          without its state; NULL: a good one */
	char kept[8192];
	buf log;
	buf end; /* "token x", or "login needed: ..." */
	text browsed;
	char browsed_url[4096];
	const cm_alloc *alloc;
	uint64_t now_s;
} world;

#define SERVER "https://mcp.example/mcp"
#define AS     "https://as.example"

#define RESOURCE_PAGE                                                   \
	"{\"resource\":\"" SERVER "\",\"authorization_servers\":[\"" AS \
	"\"],\"scopes_supported\":[\"a\",\"b\"]}"
#define ISSUER_START                                              \
	"{\"issuer\":\"" AS "\",\"authorization_endpoint\":\"" AS \
	"/authorize\",\"token_endpoint\":\"" AS "/token\","
#define ISSUER_PAGE                                                       \
	ISSUER_START "\"registration_endpoint\":\"" AS                    \
		     "/register\",\"code_challenge_methods_supported\":[" \
		     "\"S256\"]}"
#define CLIENT_PAGE "{\"client_id\":\"c1\"}"
#define TOKEN_PAGE                                            \
	"{\"access_token\":\"t1\",\"token_type\":\"Bearer\"," \
	"\"expires_in\":60,\"refresh_token\":\"r1\"}"

#define RESOURCE_URL \
	"https://mcp.example/.well-known/oauth-protected-resource/mcp"
#define ISSUER_URL AS "/.well-known/oauth-authorization-server"

/* All as it should be. */
static const page good[] = {
    {RESOURCE_URL, 200, RESOURCE_PAGE},
    {ISSUER_URL, 200, ISSUER_PAGE},
    {AS "/register", 201, CLIENT_PAGE},
    {AS "/token", 200, TOKEN_PAGE},
    {NULL, 0, NULL},
};

/* Not SHA-256: its first bytes are those of the text, so that it can be seen
 * what was hashed. */
static void
first_bytes(text bytes, unsigned char digest[32])
{
	for (size_t i = 0; i < 32; i++)
		digest[i] = i < bytes.len ? (unsigned char)bytes.ptr[i] : 0;
}

static bool
sign_with_name(text key, const char *algorithm, text bytes, buf *out)
{
	(void)bytes;
	if (!text_eq(key, text_of(algorithm)))
		return false;
	buf_str(out, "signed");
	return true;
}

static bool
make_fixed_key(buf *out)
{
	buf_str(out, "ES256");
	return true;
}

static bool
write_public_key(text key, buf *out)
{
	buf_str(out, "{\"public\":1}");
	return text_eq(key, TEXT("ES256"));
}

static void
world_open(world *w)
{
	memset(w, 0, sizeof(*w));
	memcpy(w->pages, good, sizeof(good));
	w->log = BUF_INIT(NULL, 1 << 20);
	w->end = BUF_INIT(NULL, 1 << 20);
	w->challenge = "Bearer";
	w->opts.purpose = OAUTH_ANSWER;
	w->opts.status = 401;
	w->opts.server = TEXT(SERVER);
	w->opts.name = TEXT("s");
	w->opts.redirect = TEXT("http://127.0.0.1:5000/callback");
	w->opts.now_s = w->now_s = 1000;
	w->opts.crypto.sha256 = first_bytes;
	w->opts.crypto.sign = sign_with_name;
	w->opts.crypto.make_key = make_fixed_key;
	w->opts.crypto.public_key = write_public_key;
	for (size_t i = 0; i < sizeof(w->opts.random); i++)
		w->opts.random[i] = (unsigned char)i;
}

static void
world_close(world *w)
{
	buf_fini(&w->log);
	buf_fini(&w->end);
}

/* Puts a page in front of those that are there. */
static void
put_page(world *w, const char *url, int status, const char *body)
{
	memmove(w->pages + 1, w->pages, sizeof(*w->pages) * (PAGES_MAX - 1));
	w->pages[0] = (page){url, status, body};
}

/* What the proof of a request says; it is written as " +proof {...}". */
static void
log_proof(world *w, text headers)
{
	size_t at = text_find(headers, TEXT("DPoP: "), 0), dot;

	if (at == SIZE_MAX)
		return;
	dot = text_find(headers, TEXT("."), at);
	buf_str(&w->log, " +proof ");
	assert_true(base64_read_url(
	    text_sub(headers, dot + 1, text_find(headers, TEXT("."), dot + 1)),
	    &w->log));
}

static void
answer_fetch(world *w, oauth *o, const oauth_step *step)
{
	oauth_response r = {.status = 404, .now_s = w->now_s};
	const page *p = w->pages;

	buf_printf(&w->log, "%s %.*s", step->method, TEXT_ARG(step->url));
	if (step->body.len > 0 && !text_eq(step->url, w->opts.server))
		buf_printf(&w->log, " %.*s", TEXT_ARG(step->body));
	if (text_find(step->headers, TEXT("Authorization"), 0) != SIZE_MAX)
		buf_str(&w->log, " +auth");
	log_proof(w, step->headers);
	buf_byte(&w->log, '\n');
	while (p->url && !text_eq(text_of(p->url), step->url))
		p++;
	if (p->url) {
		r.status = p->status;
		r.body = text_of(p->body);
		if (p->status >= 300 && p->status < 400)
			r.location = r.body;
		if (p->status == 0)
			r.why = r.body;
	}
	r.www_authenticate = text_of(w->challenge);
	r.dpop_nonce = text_of(w->nonce);
	oauth_answered(o, &r);
}

static void
answer_browse(world *w, oauth *o, const oauth_step *step)
{
	char back[1000];
	text url = step->url;
	size_t at = text_find(url, TEXT("state="), 0) + 6;
	text state = text_sub(url, at, text_find(url, TEXT("&"), at));

	snprintf(w->browsed_url, sizeof(w->browsed_url), "%.*s", TEXT_ARG(url));
	buf_str(&w->log, "BROWSE\n");
	snprintf(back, sizeof(back),
	    "http://127.0.0.1:5000/callback?%s&state=%.*s",
	    w->back ? w->back : "code=x%2Fy", TEXT_ARG(state));
	assert_true(oauth_returned(o, text_of(back)));
}

static void
play(world *w)
{
	static const char *const failures[] = {
	    [OAUTH_LOGIN_NEEDED] = "login needed",
	    [OAUTH_TRY_LATER] = "later",
	    [OAUTH_REFUSED] = "refused",
	};
	oauth_step step = {.kind = OAUTH_FETCH};
	oauth *o;

	w->opts.challenge = text_of(w->challenge);
	w->opts.alloc = w->alloc;
	buf_clear(&w->log);
	buf_clear(&w->end);
	o = oauth_new(&w->opts);
	if (o == NULL)
		return;
	for (int steps = 0; steps < 30; steps++) {
		oauth_next(o, &step);
		if (step.kind == OAUTH_FETCH)
			answer_fetch(w, o, &step);
		else if (step.kind == OAUTH_BROWSE)
			answer_browse(w, o, &step);
		else
			break;
	}
	if (step.kind == OAUTH_DONE)
		buf_printf(&w->end, "token %.*s", TEXT_ARG(step.token));
	else if (step.kind == OAUTH_FAILED)
		buf_printf(&w->end, "%s: %.*s", failures[step.failure],
		    TEXT_ARG(step.message));
	if (oauth_credentials(o).len > 0) {
		assert_true(
		    json_check(oauth_credentials(o), 9, &w->opts.kept, NULL));
		snprintf(w->kept, sizeof(w->kept), "%.*s",
		    TEXT_ARG(oauth_credentials(o)));
		w->opts.kept = text_of(w->kept);
	}
	oauth_free(o);
}

static bool
has(text t, const char *part)
{
	if (text_find(t, text_of(part), 0) != SIZE_MAX)
		return true;
	print_error("no \"%s\" in:\n%.*s\n", part, TEXT_ARG(t));
	return false;
}

static bool
lacks(text t, const char *part)
{
	if (text_find(t, text_of(part), 0) == SIZE_MAX)
		return true;
	print_error("\"%s\" is in:\n%.*s\n", part, TEXT_ARG(t));
	return false;
}

#define assert_end(w, text)       assert_str(buf_view(&(w)->end), text)
#define assert_end_has(w, part)   assert_true(has(buf_view(&(w)->end), part))
#define assert_log_has(w, part)   assert_true(has(buf_view(&(w)->log), part))
#define assert_log_lacks(w, part) assert_true(lacks(buf_view(&(w)->log), part))
#define assert_browsed(w, part) \
	assert_true(has(text_of((w)->browsed_url), part))

/* --------------------------------------------------------- the whole way */

static void
logs_in(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	play(&w);
	assert_end(&w, "token t1");
	assert_str(buf_view(&w.log),
	    "GET " RESOURCE_URL "\n"
	    "GET " ISSUER_URL "\n"
	    "POST " AS "/register {\"client_name\":\"codemode\","
	    "\"redirect_uris\":[\"http://127.0.0.1:5000/callback\"],"
	    "\"grant_types\":[\"authorization_code\",\"refresh_token\"],"
	    "\"response_types\":[\"code\"],"
	    "\"token_endpoint_auth_method\":\"none\","
	    "\"application_type\":\"native\"}\n"
	    "BROWSE\n"
	    "POST " AS "/token grant_type=authorization_code&code=x%2Fy&"
	    "redirect_uri=http%3A%2F%2F127.0.0.1%3A5000%2Fcallback&"
	    "code_verifier=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8&"
	    "resource=https%3A%2F%2Fmcp.example%2Fmcp&client_id=c1\n");
	assert_str(text_of(w.browsed_url),
	    AS "/authorize?response_type=code&client_id=c1&"
	       "redirect_uri=http%3A%2F%2F127.0.0.1%3A5000%2Fcallback&"
	       "state=ICEiIyQlJicoKSorLC0uLw&"
	       "code_challenge=QUFFQ0F3UUZCZ2NJQ1FvTERBME9EeEFSRWhNVUZSWVg&"
	       "code_challenge_method=S256&scope=a%20b&"
	       "resource=https%3A%2F%2Fmcp.example%2Fmcp");
	assert_str(oauth_kept_token(w.opts.kept), "t1");
	assert_int_equal(oauth_kept_expiry(w.opts.kept), 1060);
	assert_true(oauth_kept_renews(w.opts.kept));
	assert_int_equal(oauth_kept_port(w.opts.kept), 5000);
	world_close(&w);
}

#define DPOP_ISSUER_PAGE                                                  \
	ISSUER_START "\"registration_endpoint\":\"" AS                    \
		     "/register\",\"code_challenge_methods_supported\":[" \
		     "\"S256\"],\"dpop_signing_alg_values_supported\":["  \
		     "\"RS256\",\"ES256\"]}"
#define BOUND_PAGE                                          \
	"{\"access_token\":\"t2\",\"token_type\":\"DPoP\"," \
	"\"refresh_token\":\"r2\"}"

/* Both sides must have bound tokens, and the answer must be one. */
static void
tokens_are_bound_to_a_key(void **state)
{
	buf key = BUF_INIT(NULL, 100);
	world w;

	(void)state;
	world_open(&w);
	put_page(&w, ISSUER_URL, 200, DPOP_ISSUER_PAGE);
	play(&w);
	assert_log_lacks(&w, "+proof");
	w.challenge = "DPoP algs=\"ES256\"";
	play(&w);
	assert_end(&w, "token t1");
	assert_log_has(&w, " +proof {\"jti\":\"");
	assert_log_has(
	    &w, "\"htm\":\"POST\",\"htu\":\"" AS "/token\",\"iat\":1000}\n");
	oauth_kept_key(w.opts.kept, &key);
	assert_int_equal(key.len, 0);
	put_page(&w, AS "/token", 200, BOUND_PAGE);
	play(&w);
	assert_end(&w, "token t2");
	oauth_kept_key(w.opts.kept, &key);
	assert_str(buf_view(&key), "ES256");
	/* Renewed with the same key, and without what the server says. */
	w.opts.purpose = OAUTH_RENEW;
	play(&w);
	assert_log_has(&w, "grant_type=refresh_token&refresh_token=r2&");
	assert_log_has(&w, " +proof ");
	world_close(&w);
	/* A bound token that was not asked for is of no use. */
	world_open(&w);
	put_page(&w, AS "/token", 200, BOUND_PAGE);
	play(&w);
	assert_end_has(&w, "of a type that is not known here");
	world_close(&w);
	buf_fini(&key);
}

/* Asked for again once, with the nonce and another proof. */
static void
a_proof_gets_its_nonce(void **state)
{
	text log, first, second;
	world w;

	(void)state;
	world_open(&w);
	w.challenge = "DPoP";
	w.nonce = "n1";
	put_page(&w, ISSUER_URL, 200, DPOP_ISSUER_PAGE);
	put_page(&w, AS "/token", 400, "{\"error\":\"use_dpop_nonce\"}");
	play(&w);
	assert_end_has(&w, "refused: no token from " AS "/token (status 400");
	log = buf_view(&w.log);
	first = text_sub(log, text_find(log, TEXT("+proof"), 0), log.len);
	second = text_sub(first, text_find(first, TEXT("+proof"), 1), log.len);
	assert_true(lacks(text_sub(first, 0, first.len - second.len), "nonce"));
	assert_true(has(second, "\"iat\":1000,\"nonce\":\"n1\"}\n"));
	assert_true(lacks(text_sub(second, 1, second.len), "+proof"));
	assert_false(text_eq(text_sub(first, 0, 30), text_sub(second, 0, 30)));
	world_close(&w);
}

/* A client that is registered is used again, but not with another redirect. */
static void
registers_once(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	play(&w);
	w.opts.purpose = OAUTH_LOGIN;
	w.opts.status = 0;
	put_page(&w, SERVER, 401, "");
	play(&w);
	assert_end(&w, "token t1");
	assert_log_has(&w, "POST " SERVER "\n");
	assert_log_lacks(&w, "/register");
	assert_browsed(&w, "client_id=c1&");
	w.opts.redirect = TEXT("http://127.0.0.1:5001/callback");
	play(&w);
	assert_end(&w, "token t1");
	assert_log_has(&w, "/register");
	world_close(&w);
}

static void
renews(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	play(&w);
	w.opts.redirect = TEXT_NONE;
	w.opts.purpose = OAUTH_RENEW;
	w.opts.status = 0;
	put_page(&w, AS "/token", 200,
	    "{\"access_token\":\"t2\",\"token_type\":\"bearer\"}");
	play(&w);
	assert_end(&w, "token t2");
	assert_str(buf_view(&w.log),
	    "POST " AS "/token grant_type=refresh_token&refresh_token=r1&"
	    "resource=https%3A%2F%2Fmcp.example%2Fmcp&client_id=c1\n");
	/* It named no other refresh token: the old one stays. */
	assert_true(oauth_kept_renews(w.opts.kept));
	assert_int_equal(oauth_kept_expiry(w.opts.kept), 0);
	w.opts.purpose = OAUTH_ANSWER;
	w.opts.status = 401;
	play(&w);
	assert_end(&w, "token t2");
	assert_log_has(
	    &w, "GET " ISSUER_URL "\nPOST " AS "/token grant_type=refr");
	world_close(&w);
}

static void
what_is_kept_of_an_answer(void **state)
{
	static const struct {
		const char *page;
		uint64_t expiry;
	} lives[] = {
	    {"{\"access_token\":\"t\",\"expires_in\":\"60\"}", 1060},
	    {"{\"access_token\":\"t\",\"expires_in\":1.5}", 1001},
	    {"{\"access_token\":\"t\",\"expires_in\":0}", 0},
	    {"{\"access_token\":\"t\",\"expires_in\":-5}", 0},
	    {"{\"access_token\":\"t\",\"expires_in\":1e300}", 0},
	    {"{\"access_token\":\"t\",\"expires_in\":null}", 0},
	};
	world w;

	(void)state;
	world_open(&w);
	for (size_t i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		put_page(&w, AS "/token", 201, lives[i].page);
		play(&w);
		assert_end(&w, "token t");
		assert_int_equal(
		    oauth_kept_expiry(w.opts.kept), lives[i].expiry);
		assert_false(oauth_kept_renews(w.opts.kept));
	}
	put_page(&w, AS "/token", 200, TOKEN_PAGE);
	play(&w);
	w.opts.purpose = OAUTH_RENEW;
	put_page(&w, AS "/token", 200,
	    "{\"access_token\":\"t2\",\"refresh_token\":\"r2\","
	    "\"scope\":\"b c\"}");
	play(&w);
	assert_log_has(&w, "refresh_token=r1&");
	assert_true(has(w.opts.kept, "\"scope\":\"a b c\""));
	play(&w);
	assert_log_has(&w, "refresh_token=r2&");
	world_close(&w);
}

static void
a_refused_refresh_token_needs_a_login(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	play(&w);
	w.opts.redirect = TEXT_NONE;
	put_page(&w, AS "/token", 400, "{\"error\":\"invalid_grant\"}");
	play(&w);
	assert_end(&w, "login needed: it wants a login: run codemode login s");
	assert_false(oauth_kept_renews(w.opts.kept));
	assert_int_equal(oauth_kept_token(w.opts.kept).len, 0);
	assert_true(has(w.opts.kept, "\"client_id\":\"c1\""));
	world_close(&w);
}

static void
a_client_that_is_unknown_is_forgotten(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	play(&w);
	put_page(&w, AS "/token", 401, "{\"error\":\"invalid_client\"}");
	w.opts.redirect = TEXT_NONE;
	play(&w);
	assert_end_has(&w, "login needed");
	assert_true(has(w.opts.kept, "\"clients\":{}"));
	world_close(&w);
}

/* What does not answer says nothing about the tokens. */
static void
tokens_outlive_a_bad_moment(void **state)
{
	static const page bad[] = {
	    {AS "/token", 0, "no route to host"},
	    {AS "/token", 503, "<html>"},
	    {AS "/token", 429, "{\"error\":\"slow_down\"}"},
	};
	world w;

	(void)state;
	world_open(&w);
	play(&w);
	w.opts.redirect = TEXT_NONE;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		put_page(&w, bad[i].url, bad[i].status, bad[i].body);
		play(&w);
		assert_end_has(&w, "later: no token from " AS "/token (status");
		assert_true(oauth_kept_renews(w.opts.kept));
	}
	world_close(&w);
}

static void
nobody_is_there_to_log_in(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.opts.redirect = TEXT_NONE;
	w.challenge = "Bearer scope=a";
	play(&w);
	assert_end(&w, "login needed: it wants a login: run codemode login s");
	assert_int_equal(w.log.len, 0);
	world_close(&w);
}

/* ------------------------------------------------------------- discovery */

static void
metadata_is_looked_for_in_order(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.challenge = "Bearer resource_metadata=\"https://mcp.example/m\"";
	play(&w);
	assert_log_has(&w, "GET https://mcp.example/m\nGET " RESOURCE_URL "\n");
	put_page(&w, RESOURCE_URL, 404, "");
	put_page(&w, "https://mcp.example/.well-known/oauth-protected-resource",
	    200,
	    "{\"resource\":\"https://mcp.example\","
	    "\"authorization_servers\":[\"" AS "/t/1\"]}");
	put_page(&w, AS "/t/1/.well-known/openid-configuration", 200,
	    "{\"issuer\":\"" AS "/t/1\",\"authorization_endpoint\":\"" AS
	    "/authorize\",\"token_endpoint\":\"" AS
	    "/token\",\"registration_endpoint\":\"" AS
	    "/register\",\"code_challenge_methods_supported\":[\"S256\"]}");
	w.challenge = "Bearer";
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_end(&w, "token t1");
	assert_log_has(&w,
	    "GET " RESOURCE_URL "\n"
	    "GET https://mcp.example/.well-known/oauth-protected-resource\n"
	    "GET " AS "/.well-known/oauth-authorization-server/t/1\n"
	    "GET " AS "/.well-known/openid-configuration/t/1\n"
	    "GET " AS "/t/1/.well-known/openid-configuration\n");
	assert_browsed(&w, "resource=https%3A%2F%2Fmcp.example");
	world_close(&w);
}

/* Servers of revision 2025-03-26. */
static void
servers_without_metadata(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	memset(w.pages, 0, sizeof(w.pages));
	put_page(&w, "https://mcp.example/register", 201, CLIENT_PAGE);
	put_page(&w, "https://mcp.example/token", 200, TOKEN_PAGE);
	play(&w);
	assert_end(&w, "token t1");
	assert_browsed(&w, "https://mcp.example/authorize?");
	assert_true(lacks(text_of(w.browsed_url), "resource="));
	put_page(&w,
	    "https://mcp.example/.well-known/oauth-authorization-server", 200,
	    "{\"issuer\":\"https://mcp.example\",\"authorization_endpoint\":"
	    "\"https://mcp.example/o/a\",\"token_endpoint\":"
	    "\"https://mcp.example/token\",\"registration_endpoint\":"
	    "\"https://mcp.example/register\"}");
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_end(&w, "token t1");
	assert_browsed(&w, "https://mcp.example/o/a?");
	world_close(&w);
}

static void
a_server_without_a_login(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	memset(w.pages, 0, sizeof(w.pages));
	w.opts.purpose = OAUTH_LOGIN;
	w.opts.status = 0;
	put_page(&w, SERVER, 200, "{}");
	play(&w);
	assert_end(
	    &w, "refused: it asks for no login, and has no metadata for one");
	world_close(&w);
}

/* Its place is at the root then, once. */
static void
servers_without_a_path(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.opts.server = TEXT("https://mcp.example/");
	put_page(&w, "https://mcp.example/.well-known/oauth-protected-resource",
	    200, "[]");
	play(&w);
	assert_str(text_sub(buf_view(&w.log), 0,
		       text_find(buf_view(&w.log), TEXT("GET"), 10)),
	    "GET https://mcp.example/.well-known/oauth-protected-resource\n");
	assert_log_has(&w,
	    "GET https://mcp.example/.well-known/oauth-authorization-server\n"
	    "GET https://mcp.example/.well-known/openid-configuration\n"
	    "POST https://mcp.example/register");
	assert_end_has(&w, "did not register");
	world_close(&w);
}

static void
metadata_without_an_issuer(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	put_page(&w, RESOURCE_URL, 200, "{\"resource\":\"" SERVER "\"}");
	play(&w);
	assert_log_has(&w,
	    "GET https://mcp.example/.well-known/oauth-authorization-server\n"
	    "GET https://mcp.example/.well-known/openid-configuration\n");
	assert_end(&w, "refused: its authorization server https://mcp.example "
		       "has no metadata");
	world_close(&w);
}

/* A slash that stands for no path makes no other issuer; any other one does. */
static void
slashes_of_issuers(void **state)
{
	static const struct {
		const char *named, *issuer, *end;
	} ways[] = {
	    {AS "/", AS,
		"refused: its authorization server " AS
		" registers no new clients"},
	    {AS, AS "/",
		"refused: its authorization server " AS
		"/ registers no new clients"},
	    {AS "/t", AS "/t/", "is for another issuer"},
	    {AS, AS "x", "is for another issuer"},
	    {AS, "x" AS "/", "is for another issuer"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		char resource[1000], issuer[1000];
		world w;

		world_open(&w);
		snprintf(resource, sizeof(resource),
		    "{\"resource\":\"" SERVER
		    "\",\"authorization_servers\":[\"%s\"]}",
		    ways[i].named);
		snprintf(issuer, sizeof(issuer),
		    "{\"issuer\":\"%s\",\"authorization_endpoint\":\"" AS
		    "/a\",\"token_endpoint\":\"" AS
		    "/t\",\"code_challenge_methods_supported\":[\"S256\"]}",
		    ways[i].issuer);
		put_page(&w, RESOURCE_URL, 200, resource);
		put_page(&w, ISSUER_URL, 200, issuer);
		put_page(&w, ISSUER_URL "/t", 200, issuer);
		play(&w);
		assert_end_has(&w, ways[i].end);
		world_close(&w);
	}
}

/* ---------------------------------------------------- documents that lie */

typedef struct lie {
	const char *url;
	int status;
	const char *body;
	const char *end;
} lie;

static const lie lies[] = {
    {RESOURCE_URL, 200,
	"{\"resource\":\"https://evil.example/mcp\","
	"\"authorization_servers\":[\"" AS "\"]}",
	"refused: its metadata is for the resource "
	"\"https://evil.example/mcp\", not for " SERVER},
    {RESOURCE_URL, 200,
	"{\"resource\":\"" SERVER "/deeper\",\"authorization_servers\":[\"" AS
	"\"]}",
	"refused: its metadata is for the resource"},
    {RESOURCE_URL, 200, "{\"authorization_servers\":[\"" AS "\"]}",
	"refused: its metadata is for the resource \"\""},
    {RESOURCE_URL, 200,
	"{\"resource\":\"" SERVER
	"\",\"authorization_servers\":[\"http://169.254.169.254/latest\"]}",
	"refused: the authorization server \"http://169.254.169.254/latest\" "
	"is not used: it is at an address that is not public"},
    {RESOURCE_URL, 200,
	"{\"resource\":\"" SERVER
	"\",\"authorization_servers\":[\"https://localhost:8080\"]}",
	"is not used: it is at an address that is not public"},
    {RESOURCE_URL, 200,
	"{\"resource\":\"" SERVER
	"\",\"authorization_servers\":[\"http://as.example\"]}",
	"is not used: it is not https"},
    {RESOURCE_URL, 200,
	"{\"resource\":\"" SERVER
	"\",\"authorization_servers\":[\"file:///etc/passwd\"]}",
	"is not used: its scheme is not https"},
    {RESOURCE_URL, 500, "", "later: " RESOURCE_URL " answers with status 500"},
    {RESOURCE_URL, 0, "connection refused",
	"later: " RESOURCE_URL " does not answer: connection refused"},
    {ISSUER_URL, 200,
	"{\"issuer\":\"https://evil.example\",\"token_endpoint\":\"" AS
	"/token\"}",
	"refused: the metadata of the authorization server " AS
	" is for another issuer, \"https://evil.example\""},
    {ISSUER_URL, 200, "{\"token_endpoint\":\"" AS "/token\"}",
	"is for another issuer, \"\""},
    {ISSUER_URL, 200, ISSUER_START "\"x\":1}",
	"refused: its authorization server " AS " has no PKCE with S256"},
    {ISSUER_URL, 200,
	ISSUER_START "\"code_challenge_methods_supported\":[\"plain\"]}",
	"refused: its authorization server " AS " has no PKCE with S256"},
    {ISSUER_URL, 200,
	"{\"issuer\":\"" AS "\",\"authorization_endpoint\":"
	"\"javascript:alert(1)\",\"token_endpoint\":\"" AS "/token\"}",
	"refused: authorization_endpoint \"javascript:alert(1)\" is not used"},
    {ISSUER_URL, 200,
	"{\"issuer\":\"" AS "\",\"token_endpoint\":\"https://127.0.0.1/\"}",
	"refused: token_endpoint \"https://127.0.0.1/\" is not used"},
    {ISSUER_URL, 200, "{\"issuer\":\"" AS "\"}",
	"refused: the metadata of the authorization server " AS
	" names no token endpoint"},
    {ISSUER_URL, 404, "",
	"refused: its authorization server " AS " has no metadata"},
    {ISSUER_URL, 200, "<html>",
	"refused: its authorization server " AS " has no metadata"},
    {ISSUER_URL, 200,
	ISSUER_START "\"code_challenge_methods_supported\":[\"S256\"]}",
	"refused: its authorization server " AS " registers no new clients"},
    {AS "/register", 400,
	"{\"error\":\"invalid_redirect_uri\",\"error_description\":\"a\\nb\"}",
	"(" AS "/register: status 400, a b)"},
    {AS "/register", 201, "{\"client_secret\":\"x\"}",
	"did not register a client"},
    {AS "/token", 200, "{\"access_token\":\"a\\r\\nX: y\"}",
	"refused: no token from " AS "/token (status 200, its answer has no "
	"token)"},
    {AS "/token", 200, "{\"access_token\":\"a\\\"b\"}",
	"its answer has no token"},
    {AS "/token", 200, "{\"access_token\":\"a\",\"token_type\":\"DPoP\"}",
	"its tokens are of a type that is not known here"},
    {AS "/token", 200, "{\"error\":\"bad_verification_code\"}",
	"(status 200, bad_verification_code)"},
    {AS "/token", 400,
	"{\"error\":\"invalid_grant\",\"error_description\":\"no\"}",
	"(status 400, invalid_grant: no)"},
};

static void
documents_that_lie(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		world w;

		world_open(&w);
		put_page(&w, lies[i].url, lies[i].status, lies[i].body);
		play(&w);
		assert_end_has(&w, lies[i].end);
		world_close(&w);
	}
}

static void
a_challenge_that_lies(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.challenge = "Bearer resource_metadata=\"http://10.0.0.1/x\"";
	play(&w);
	assert_end_has(&w, "refused: the metadata at \"http://10.0.0.1/x\" is "
			   "not used: it is at an address that is not public");
	assert_int_equal(w.log.len, 0);
	world_close(&w);
}

static void
redirects_stay_at_their_origin(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	put_page(&w, RESOURCE_URL, 302, "/moved");
	put_page(
	    &w, "https://mcp.example/moved", 301, "https://mcp.example/again");
	put_page(&w, "https://mcp.example/again", 200, RESOURCE_PAGE);
	play(&w);
	assert_end(&w, "token t1");
	put_page(&w, "https://mcp.example/again", 302, "http://10.0.0.1/");
	put_page(&w, AS "/token", 302, "/elsewhere");
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_log_lacks(&w, "10.0.0.1");
	put_page(&w, "https://mcp.example/again", 302, "/again");
	play(&w);
	assert_end_has(&w, "refused");
	put_page(&w, RESOURCE_URL, 200, RESOURCE_PAGE);
	play(&w);
	assert_end_has(&w, "status 302");
	assert_log_lacks(&w, "elsewhere");
	world_close(&w);
}

static void
no_token_over_http(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.opts.server = TEXT("http://mcp.example/mcp");
	play(&w);
	assert_end(&w, "refused: no login at \"http://mcp.example/mcp\": a "
		       "token is sent over https only");
	world_close(&w);
}

/* ------------------------------------------------- the browser comes back */

static const struct {
	const char *metadata; /* of RFC 9207 */
	const char *back;
	const char *end;
} returns[] = {
    {"true", "code=x&iss=https%3A%2F%2Fas.example", "token t1"},
    {"false", "code=x&iss=https%3A%2F%2Fas.example", "token t1"},
    {"false", "code=x", "token t1"},
    {"true", "code=x",
	"refused: the answer of the login is from \"\", not from " AS},
    {"true", "code=x&iss=https%3A%2F%2Fas.example%2F",
	"refused: the answer of the login is from \"https://as.example/\", "
	"not from " AS},
    {"false", "code=x&iss=https://evil.example",
	"refused: the answer of the login is from \"https://evil.example\", "
	"not from " AS},
    {"true", "error=access_denied&error_description=click+here",
	"refused: the answer of the login is from \"\", not from " AS},
    {"true",
	"error=access_denied&error_description=not+today&iss=https%3A%2F%"
	"2Fas.example",
	"refused: the login was refused: access_denied: not today"},
};

static void
answers_of_the_login(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(returns) / sizeof(*returns); i++) {
		char page_text[1000];
		world w;

		world_open(&w);
		snprintf(page_text, sizeof(page_text),
		    ISSUER_START
		    "\"registration_endpoint\":\"" AS
		    "/register\",\"code_challenge_methods_supported\":[\"S256\""
		    "],\"authorization_response_iss_parameter_supported\":%s}",
		    returns[i].metadata);
		put_page(&w, ISSUER_URL, 200, page_text);
		w.back = returns[i].back;
		play(&w);
		assert_end(&w, returns[i].end);
		world_close(&w);
	}
}

/* Brings an attempt to the browser. */
static oauth *
at_the_browser(world *w)
{
	oauth *o = oauth_new(&w->opts);
	oauth_step step;

	assert_non_null(o);
	for (oauth_next(o, &step); step.kind == OAUTH_FETCH;
	     oauth_next(o, &step))
		answer_fetch(w, o, &step);
	assert_int_equal(step.kind, OAUTH_BROWSE);
	return o;
}

static void
what_a_person_pastes(void **state)
{
	world w;
	oauth_step step;
	oauth *o;

	(void)state;
	world_open(&w);
	o = at_the_browser(&w);
	assert_false(oauth_returned(o, TEXT("")));
	assert_false(oauth_returned(o, TEXT("https://x/?code=a")));
	assert_false(oauth_returned(o, TEXT("https://x/?code=a&state=b")));
	assert_false(oauth_returned(o, TEXT("http://127.0.0.1:5000/")));
	assert_false(oauth_returned(o, TEXT("http://127.0.0.1:5000/?state="
					    "ICEiIyQlJicoKSorLC0uLw")));
	oauth_next(o, &step);
	assert_int_equal(step.kind, OAUTH_BROWSE);
	assert_true(oauth_returned(o, TEXT(" the/code \n")));
	oauth_next(o, &step);
	assert_true(has(step.body, "code=the%2Fcode&"));
	assert_false(oauth_returned(o, TEXT("again")));
	oauth_free(o);
	o = at_the_browser(&w);
	assert_true(oauth_returned(
	    o, TEXT("code=c&state=ICEiIyQlJicoKSorLC0uLw#frag")));
	oauth_next(o, &step);
	assert_true(has(step.body, "code=c&"));
	oauth_free(o);
	/* Where the answer must name its issuer, the code alone is none. */
	put_page(&w, ISSUER_URL, 200,
	    ISSUER_START
	    "\"registration_endpoint\":\"" AS
	    "/register\",\"code_challenge_methods_supported\":[\"S256\"],"
	    "\"authorization_response_iss_parameter_supported\":true}");
	o = at_the_browser(&w);
	assert_false(oauth_returned(o, TEXT("the/code")));
	oauth_free(o);
	world_close(&w);
}

/* ---------------------------------------------------------------- clients */

#define METHODS(list)                                                        \
	ISSUER_START "\"registration_endpoint\":\"" AS                       \
		     "/register\",\"code_challenge_methods_supported\":"     \
		     "[\"S256\"],\"token_endpoint_auth_methods_supported\":" \
		     "[" list "]}"

static void
clients_show_who_they_are(void **state)
{
	static const struct {
		const char *issuer;
		const char *client;
		const char *asked;
		const char *token;
	} ways[] = {
	    {METHODS("\"none\""),
		"{\"client_id\":\"c\",\"client_secret\":"
		"\"s\"}",
		"\"token_endpoint_auth_method\":\"none\"", "&client_id=c\n"},
	    {METHODS("\"client_secret_basic\""),
		"{\"client_id\":\"c\",\"client_secret\":\"s\"}",
		"\"token_endpoint_auth_method\":\"client_secret_basic\"",
		"mcp +auth\n"},
	    {METHODS("\"client_secret_post\""),
		"{\"client_id\":\"c\",\"client_secret\":\"s\"}",
		"\"token_endpoint_auth_method\":\"client_secret_post\"",
		"&client_id=c&client_secret=s\n"},
	    {METHODS("\"client_secret_basic\",\"client_secret_post\""),
		"{\"client_id\":\"c\",\"client_secret\":\"s\","
		"\"token_endpoint_auth_method\":\"client_secret_post\"}",
		"\"token_endpoint_auth_method\":\"client_secret_basic\"",
		"&client_id=c&client_secret=s\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		world w;

		world_open(&w);
		put_page(&w, ISSUER_URL, 200, ways[i].issuer);
		put_page(&w, AS "/register", 200, ways[i].client);
		play(&w);
		assert_end(&w, "token t1");
		assert_log_has(&w, ways[i].asked);
		assert_log_has(&w, ways[i].token);
		/* The refresh does the same, without asking for metadata. */
		w.opts.purpose = OAUTH_RENEW;
		play(&w);
		assert_end(&w, "token t1");
		assert_log_has(&w, ways[i].token);
		world_close(&w);
	}
}

static void
clients_of_the_configuration(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.opts.client_id = TEXT("mine");
	w.opts.client_secret = TEXT("s:1");
	play(&w);
	assert_end(&w, "token t1");
	assert_log_lacks(&w, "/register");
	assert_log_has(&w, " +auth");
	assert_browsed(&w, "client_id=mine&");
	/* A document is used where it is known what that is. */
	w.opts.client_id = TEXT("https://me.example/client.json");
	w.opts.client_secret = TEXT_NONE;
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_browsed(&w, "client_id=c1&");
	put_page(&w, ISSUER_URL, 200,
	    ISSUER_START "\"code_challenge_methods_supported\":[\"S256\"],"
			 "\"client_id_metadata_document_supported\":true}");
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_end(&w, "token t1");
	assert_browsed(&w, "client_id=https%3A%2F%2Fme.example%2Fclient.json&");
	world_close(&w);
}

/* The middle part of the assertion that was sent. */
static void
assert_claims(world *w, const char *claims)
{
	buf b = BUF_INIT(NULL, 1000);

	buf_byte(&b, '.');
	base64_add_url(&b, text_of(claims));
	buf_str(&b, ".c2lnbmVk");
	buf_byte(&b, '\0');
	assert_log_has(w, b.ptr);
	buf_fini(&b);
}

static void
machines_have_tokens_of_their_own(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.opts.redirect = TEXT_NONE;
	w.opts.client_id = TEXT("m");
	w.opts.client_secret = TEXT("s");
	play(&w);
	assert_end_has(&w, "login needed");
	put_page(&w, ISSUER_URL, 200,
	    ISSUER_START "\"grant_types_supported\":[\"client_credentials\"]}");
	play(&w);
	assert_end(&w, "token t1");
	assert_log_has(&w, "grant_type=client_credentials&scope=a%20b&resource="
			   "https%3A%2F%2Fmcp.example%2Fmcp +auth\n");
	w.opts.client_secret = TEXT_NONE;
	w.opts.client_key = TEXT("RS256");
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_end(&w, "token t1");
	assert_log_has(&w, "&client_assertion=eyJhbGciOiJSUzI1NiIsInR5cCI6Ikp"
			   "XVCJ9.eyJpc3MiOiJtIiwic3ViIjoibSIsImF1ZCI6Imh0dHB"
			   "zOi8vYXMuZXhhbXBsZSIs");
	assert_log_has(&w, ".c2lnbmVk\n");
	assert_claims(&w,
	    "{\"iss\":\"m\",\"sub\":\"m\",\"aud\":\"" AS "\",\"jti\":"
	    "\"MDEyMzQ1Njc4OTo7PD0-Pw\",\"iat\":1000,\"exp\":1300}");
	w.opts.client_key = TEXT("HS256");
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_end_has(&w, "refused: its client's key cannot sign");
	world_close(&w);
}

/* The person's client is not made a machine's because it could be one. */
static void
who_is_no_machine(void **state)
{
	static const struct {
		const char *issuer;
		const char *end;
	} ways[] = {
	    {ISSUER_START "\"code_challenge_methods_supported\":[\"S256\"]}",
		"login needed"},
	    {ISSUER_START "\"code_challenge_methods_supported\":[\"S256\"],"
			  "\"grant_types_supported\":[\"client_credentials\","
			  "\"authorization_code\"]}",
		"login needed"},
	    {ISSUER_START "\"code_challenge_methods_supported\":[\"S256\"],"
			  "\"grant_types_supported\":[\"refresh_token\"]}",
		"login needed"},
	    {"{\"issuer\":\"" AS "\",\"token_endpoint\":\"" AS
	     "/token\",\"grant_types_supported\":[\"client_credentials\"]}",
		"token t1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		world w;

		world_open(&w);
		w.opts.redirect = TEXT_NONE;
		w.opts.client_id = TEXT("m");
		w.opts.client_secret = TEXT("s");
		put_page(&w, ISSUER_URL, 200, ways[i].issuer);
		play(&w);
		assert_end_has(&w, ways[i].end);
		world_close(&w);
	}
}

static void
methods_of_a_configured_client(void **state)
{
	static const struct {
		const char *issuer;
		const char *token;
	} ways[] = {
	    {METHODS("\"client_secret_basic\",\"client_secret_post\""),
		"mcp +auth\n"},
	    {METHODS("\"client_secret_post\",\"none\""),
		"&client_id=mine&client_secret=s\n"},
	    {METHODS("\"none\""), "&client_id=mine\n"},
	    {METHODS("\"tls_client_auth\""), "mcp +auth\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		world w;

		world_open(&w);
		w.opts.client_id = TEXT("mine");
		w.opts.client_secret = TEXT("s");
		put_page(&w, ISSUER_URL, 200, ways[i].issuer);
		play(&w);
		assert_end(&w, "token t1");
		assert_log_has(&w, ways[i].token);
		world_close(&w);
	}
}

static void
clients_that_cannot_be_registered(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	put_page(&w, ISSUER_URL, 200, METHODS("\"private_key_jwt\""));
	play(&w);
	assert_end_has(&w, "refused: its authorization server " AS
			   " knows clients by no method that is known here");
	put_page(&w, ISSUER_URL, 200, ISSUER_PAGE);
	put_page(&w, AS "/register", 500, "{}");
	play(&w);
	assert_end_has(&w, "later: its authorization server did not register");
	world_close(&w);
}

/* A secret that expires takes its client with it. */
static void
registered_clients_expire(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	put_page(&w, AS "/register", 201,
	    "{\"client_id\":\"c1\",\"client_secret\":\"s\","
	    "\"client_secret_expires_at\":1001}");
	play(&w);
	w.opts.purpose = OAUTH_LOGIN;
	w.opts.status = 0;
	put_page(&w, SERVER, 401, "");
	play(&w);
	assert_log_lacks(&w, "/register");
	w.opts.now_s = 1001;
	w.now_s = 1001;
	play(&w);
	assert_log_has(&w, "/register");
	world_close(&w);
}

/* Another authorization server knows neither the client nor the tokens. */
static void
credentials_belong_to_an_issuer(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	play(&w);
	put_page(&w, RESOURCE_URL, 200,
	    "{\"resource\":\"" SERVER
	    "\",\"authorization_servers\":[\"https://new.example/\"]}");
	put_page(&w,
	    "https://new.example/.well-known/oauth-authorization-server", 200,
	    "{\"issuer\":\"https://new.example\",\"authorization_endpoint\":"
	    "\"https://new.example/a\",\"token_endpoint\":\"https://"
	    "new.example/t\",\"registration_endpoint\":\"https://"
	    "new.example/r\",\"code_challenge_methods_supported\":[\"S256\"]"
	    "}");
	put_page(&w, "https://new.example/r", 201, "{\"client_id\":\"c2\"}");
	put_page(&w, "https://new.example/t", 200, "{\"access_token\":\"t2\"}");
	play(&w);
	assert_end(&w, "token t2");
	assert_log_lacks(&w, "r1");
	assert_log_lacks(&w, "client_id=c1");
	assert_browsed(&w, "client_id=c2&");
	assert_true(has(w.opts.kept, "\"https://as.example\":{\"client_id\":"
				     "\"c1\""));
	assert_true(has(w.opts.kept, "\"https://new.example\":{\"client_id\":"
				     "\"c2\""));
	assert_false(oauth_kept_renews(w.opts.kept));
	world_close(&w);
}

/* ----------------------------------------------------------------- scopes */

static void
scopes_that_are_asked_for(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.challenge = "Bearer scope=\"c d\"";
	play(&w);
	assert_browsed(&w, "&scope=c%20d&");
	put_page(&w, ISSUER_URL, 200,
	    ISSUER_START "\"registration_endpoint\":\"" AS
			 "/register\",\"scopes_supported\":[\"a\",\"offline_"
			 "access\"],\"code_challenge_methods_supported\":["
			 "\"S256\"]}");
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_browsed(&w, "&scope=c%20d%20offline_access&prompt=consent&");
	w.opts.scope = TEXT("e");
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_browsed(&w, "&scope=e%20offline_access&");
	put_page(&w, RESOURCE_URL, 200,
	    "{\"resource\":\"" SERVER "\",\"authorization_servers\":[\"" AS
	    "\"]}");
	w.opts.scope = TEXT_NONE;
	w.challenge = "Bearer";
	w.opts.kept = TEXT_NONE;
	play(&w);
	assert_true(lacks(text_of(w.browsed_url), "scope="));
	world_close(&w);
}

/* More is asked for together with what was there, and never twice. */
static void
steps_up_once(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.challenge = "Bearer scope=a";
	play(&w);
	w.challenge = "Bearer error=\"insufficient_scope\", scope=\"w\"";
	w.opts.status = 403;
	play(&w);
	assert_end(&w, "token t1");
	assert_browsed(&w, "&scope=a%20w&");
	assert_log_lacks(&w, "refresh_token=");
	play(&w);
	assert_end(&w, "refused: it refuses a token with the scope \"a w\", "
		       "and asks for no other");
	assert_int_equal(w.log.len, 0);
	world_close(&w);
}

/* Without a person, the next login asks for it. */
static void
a_scope_waits_for_the_next_login(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	w.challenge = "Bearer scope=a";
	play(&w);
	w.challenge = "Bearer error=\"insufficient_scope\", scope=\"w\"";
	w.opts.status = 403;
	w.opts.redirect = TEXT_NONE;
	play(&w);
	assert_end(&w, "login needed: it wants the scope \"w\" too: run "
		       "codemode login s");
	assert_true(oauth_kept_renews(w.opts.kept));
	w.challenge = "Bearer scope=c";
	w.opts.status = 0;
	w.opts.purpose = OAUTH_LOGIN;
	w.opts.redirect = TEXT("http://127.0.0.1:5000/callback");
	put_page(&w, SERVER, 401, "");
	play(&w);
	assert_end(&w, "token t1");
	assert_browsed(&w, "&scope=c%20a%20w&");
	assert_true(lacks(w.opts.kept, "\"wanted\""));
	world_close(&w);
}

/* -------------------------------------------------------- memory runs out */

static void
memory_runs_out(void **state)
{
	size_t left;

	(void)state;
	for (left = 0; left < 400; left++) {
		struct hoard h = {.left = left};
		cm_alloc alloc = HOARD_ALLOC(&h);
		world w;
		bool done;

		world_open(&w);
		w.alloc = &alloc;
		play(&w);
		assert_int_equal(h.bytes, 0);
		done = text_eq(buf_view(&w.end), TEXT("token t1"));
		world_close(&w);
		if (done && h.left > 0)
			break;
	}
	assert_in_range(left, 5, 399);
}

/* ------------------------------- the list of faults that are known of others */

/* Its path goes behind what is well known, not in front of it. */
static void
row_28_metadata_is_asked_for_where_the_path_of_the_issuer_belongs(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	put_page(&w, RESOURCE_URL, 200,
	    "{\"resource\":\"https://mcp.example/mcp\","
	    "\"authorization_servers\":[\"" AS "/t/1\"]}");
	play(&w);
	assert_log_has(&w, "GET " RESOURCE_URL "\nGET " AS
			   "/.well-known/oauth-authorization-server/t/1\n");
	assert_log_lacks(&w, "GET " AS "/.well-known/oauth-authorization-server"
			     "\n");
	world_close(&w);
}

/* Servers refuse members that they do not know. */
static void
row_29_a_registration_says_who_we_are_and_names_no_resource(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	play(&w);
	assert_log_has(&w, "/register {\"client_name\":");
	assert_log_has(&w, "\"token_endpoint_auth_method\":\"none\"");
	assert_log_lacks(&w, "\"resource\":");
	world_close(&w);
}

static void
row_30_metadata_of_another_resource_is_refused_with_both_urls(void **state)
{
	world w;

	(void)state;
	world_open(&w);
	put_page(&w, RESOURCE_URL, 200,
	    "{\"resource\":\"https://other.example/mcp\","
	    "\"authorization_servers\":[\"" AS "\"]}");
	play(&w);
	assert_end_has(&w, "https://other.example/mcp");
	assert_end_has(&w, "https://mcp.example/mcp");
	world_close(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(logs_in),
	    cmocka_unit_test(tokens_are_bound_to_a_key),
	    cmocka_unit_test(a_proof_gets_its_nonce),
	    cmocka_unit_test(registers_once),
	    cmocka_unit_test(renews),
	    cmocka_unit_test(what_is_kept_of_an_answer),
	    cmocka_unit_test(a_refused_refresh_token_needs_a_login),
	    cmocka_unit_test(a_client_that_is_unknown_is_forgotten),
	    cmocka_unit_test(tokens_outlive_a_bad_moment),
	    cmocka_unit_test(nobody_is_there_to_log_in),
	    cmocka_unit_test(metadata_is_looked_for_in_order),
	    cmocka_unit_test(servers_without_metadata),
	    cmocka_unit_test(slashes_of_issuers),
	    cmocka_unit_test(metadata_without_an_issuer),
	    cmocka_unit_test(servers_without_a_path),
	    cmocka_unit_test(a_server_without_a_login),
	    cmocka_unit_test(documents_that_lie),
	    cmocka_unit_test(a_challenge_that_lies),
	    cmocka_unit_test(redirects_stay_at_their_origin),
	    cmocka_unit_test(no_token_over_http),
	    cmocka_unit_test(answers_of_the_login),
	    cmocka_unit_test(what_a_person_pastes),
	    cmocka_unit_test(clients_show_who_they_are),
	    cmocka_unit_test(clients_of_the_configuration),
	    cmocka_unit_test(registered_clients_expire),
	    cmocka_unit_test(clients_that_cannot_be_registered),
	    cmocka_unit_test(methods_of_a_configured_client),
	    cmocka_unit_test(machines_have_tokens_of_their_own),
	    cmocka_unit_test(who_is_no_machine),
	    cmocka_unit_test(credentials_belong_to_an_issuer),
	    cmocka_unit_test(scopes_that_are_asked_for),
	    cmocka_unit_test(steps_up_once),
	    cmocka_unit_test(a_scope_waits_for_the_next_login),
	    cmocka_unit_test(memory_runs_out),
	    cmocka_unit_test(
		row_28_metadata_is_asked_for_where_the_path_of_the_issuer_belongs),
	    cmocka_unit_test(
		row_29_a_registration_says_who_we_are_and_names_no_resource),
	    cmocka_unit_test(
		row_30_metadata_of_another_resource_is_refused_with_both_urls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
