/* SPDX-License-Identifier: MIT */
/*
 * auth.c -- tokens for the requests to one server, and their renewal.
 *
 *	         auth_header, auth_challenged, auth_login
 *	                         |
 *	  IDLE ---> LOCKING ---> LOOKING ---> ASKING ---> IDLE, waits are told
 *	              | ^          the server's   | ^
 *	              +-+ another  addresses      +-+ a request (oauth.h)
 *	                  process
 *
 * A renewal belongs to one process at a time: most servers take a refresh token
 * once. With the lock the file is read again, since the process before may have
 * renewed what this one wants to renew.
 */
#include "auth.h"

#include "crypto.h"
#include "http.h"
#include "http_url.h"
#include "tokens.h"

#include "base/base64.h"
#include "oauth/dpop.h"
#include "oauth/oauth.h"
#include "oauth/oauth_url.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	EARLY_S = 30, /* renewed so long before it expires */
	LOCK_RETRY_MS = 50,
	LOCK_TRIES = 1200, /* a minute */
	FETCH_MS = 30 * 1000,
	ROUNDS_MAX = 3,
	KEPT_MAX = 512 << 10
};

static const oauth_crypto own_crypto = {.sha256 = crypto_sha256,
    .sign = crypto_sign,
    .make_key = crypto_make_key,
    .public_key = crypto_public_key};

typedef enum auth_state {
	AUTH_IDLE,
	AUTH_LOCKING,
	AUTH_LOOKING,
	AUTH_ASKING
} auth_state;

struct auth {
	uv_loop_t *loop;
	const server_config *server; /* borrowed */
	auth_options opt;
	http *http;
	uv_timer_t locker; /* waits for the lock */
	uv_timer_t teller; /* tells .told */
	unsigned handles;  /* of these two, open or closing */
	uv_getaddrinfo_t lookup;
	bool looking; /* .lookup is under way */
	bool closing;
	token_file file;
	const char *no_file; /* why there is none */
	buf bytes, kept_now; /* of .kept; see read_kept and keep */
	json kept;
	bool loaded; /* .kept is what the file holds, or did */
	bool
	    unkept; /* .kept could not be written: the file is not read again */
	buf header; /* of .kept's token; empty: there is none */
	buf key;    /* the key (PEM) of the token; empty: a bearer token */
	buf nonce;  /* the server's nonce for proofs; empty: none */
	uint64_t renew_s; /* when the token is renewed; 0: never */
	/* The attempt. */
	auth_state state;
	oauth_purpose purpose;
	int status;
	buf challenge, scope;
	unsigned lock_tries;
	int lock; /* -1: not held */
	bool looked;
	bool inside; /* none of the server's addresses is public */
	oauth *machine;
	http_request *request;
	auth_wait *waits;
	/* Those that are to be told what came of it. */
	auth_wait *told;
	buf why;
};

bool
auth_applies(const server_config *server)
{
	const server_auth *a = &server->auth;
	char *const *h = server->headers;

	if (server->url == NULL || a->off || a->token || a->token_command)
		return false;
	for (; h != NULL && *h != NULL; h++)
		if (strncasecmp(*h, "authorization:", 14) == 0)
			return false;
	return true;
}

/* ---------------------------------------------------------- what is kept */

static void
warn_of(auth *a, const char *what, const char *why)
{
	char line[PATH_MAX + 300];

	snprintf(line, sizeof(line), "%s %s: %s", what, a->file.path, why);
	if (a->opt.warning != NULL)
		a->opt.warning(a->opt.ctx, text_of(line));
}

/* A token is renewed before it expires, when half of a short life or all but
 * half a minute of a long one is over. */
static uint64_t
time_to_renew(uint64_t expiry, uint64_t now)
{
	uint64_t left = expiry > now ? expiry - now : 0;

	return expiry - (left > 2 * EARLY_S ? EARLY_S : left / 2);
}

static void
set_header(auth *a)
{
	text token = oauth_kept_token(a->kept);
	uint64_t expiry = oauth_kept_expiry(a->kept);

	a->renew_s = 0;
	if (expiry > 0 && oauth_kept_renews(a->kept))
		a->renew_s = time_to_renew(expiry, (uint64_t)time(NULL));
	buf_clear(&a->header);
	buf_clear(&a->key);
	if (token.len == 0)
		return;
	oauth_kept_key(a->kept, &a->key);
	buf_printf(&a->header, "Authorization: %s ",
	    a->key.len > 0 ? "DPoP" : "Bearer");
	buf_text(&a->header, token);
}

void
auth_set_nonce(auth *a, text nonce)
{
	if (nonce.len == 0)
		return;
	buf_clear(&a->nonce);
	buf_text(&a->nonce, nonce);
}

void
auth_add_proof(
    auth *a, text header, const char *method, const char *url, buf *out)
{
	static const text scheme = TEXT_INIT("Authorization: DPoP ");
	unsigned char random[16];
	buf id = BUF_INIT(NULL, 64);
	dpop_proof p = {.crypto = own_crypto,
	    .key = buf_view(&a->key),
	    .method = method,
	    .url = text_of(url),
	    .token = text_sub(header, scheme.len, header.len),
	    .nonce = buf_view(&a->nonce),
	    .now_s = (uint64_t)time(NULL)};

	if (a->key.len == 0 || !text_starts(header, scheme))
		return;
	crypto_random(random, sizeof(random));
	base64_add_url(&id, (text){(const char *)random, sizeof(random)});
	p.id = buf_view(&id);
	dpop_add_header(out, &p);
	buf_fini(&id);
}

static void
read_kept(auth *a)
{
	const char *why;

	if (!a->loaded && a->no_file != NULL)
		warn_of(a, "no tokens from", a->no_file);
	a->loaded = true;
	if (a->unkept || a->no_file != NULL)
		return;
	why = tokens_read(&a->file, &a->bytes, &a->kept);
	if (why != NULL)
		warn_of(a, "no tokens from", why);
	buf_clear(&a->kept_now);
	set_header(a);
}

/* Takes what the machine wants to be kept. */
static void
keep_credentials(auth *a)
{
	json now = oauth_credentials(a->machine);
	const char *why = a->no_file;

	if (now.len == 0 || text_eq(now, buf_view(&a->kept_now)))
		return;
	buf_clear(&a->kept_now);
	buf_text(&a->kept_now, now);
	a->kept = buf_view(&a->kept_now);
	set_header(a);
	if (why == NULL)
		why = tokens_write(&a->file, a->kept);
	if (why != NULL && !a->unkept)
		warn_of(a, "tokens cannot be kept in", why);
	a->unkept = why != NULL;
}

/* ---------------------------------------------------------------- the end */

static void
tell_waits(uv_timer_t *timer)
{
	auth *a = timer->data;

	while (a->told != NULL && !a->closing) {
		auth_wait *w = a->told;

		a->told = w->next;
		w->done(w, w->ok, buf_view(&a->why));
	}
}

/* Waits are told from the loop: they may not be ready yet. */
static void
tell_later(auth *a, auth_wait *w, bool ok, text why)
{
	w->ok = ok;
	w->next = a->told;
	a->told = w;
	if (!ok) {
		buf_clear(&a->why);
		buf_text(&a->why, why);
	}
	uv_timer_start(&a->teller, tell_waits, 0, 0);
}

static void
end_renewal(auth *a, bool ok, text why)
{
	while (a->waits != NULL) {
		auth_wait *w = a->waits;

		a->waits = w->next;
		tell_later(a, w, ok, why);
	}
	tokens_unlock(a->lock);
	a->lock = -1;
	oauth_free(a->machine);
	a->machine = NULL;
	a->state = AUTH_IDLE;
}

/* ------------------------------------------------------------- a request */

static void turn_machine(auth *a);

static void
note_response(oauth_response *r, const http_reply *reply, buf *scratch)
{
	r->status = reply->status;
	r->why = reply->words;
	r->body = reply->body;
	r->now_s = (uint64_t)time(NULL);
	r->location = http_header(reply->head, "location", scratch);
	/* A reply that did not come whole is none. */
	if (reply->error != HTTP_DONE)
		r->status = 0;
}

static void
fetched(void *ctx, const http_reply *reply)
{
	auth *a = ctx;
	oauth_response r = {.status = 0};
	buf location = BUF_INIT(NULL, OAUTH_BODY_MAX);
	buf challenge = BUF_INIT(NULL, OAUTH_BODY_MAX);
	buf nonce = BUF_INIT(NULL, OAUTH_BODY_MAX);

	a->request = NULL;
	note_response(&r, reply, &location);
	r.www_authenticate =
	    http_header(reply->head, "www-authenticate", &challenge);
	r.dpop_nonce = http_header(reply->head, "dpop-nonce", &nonce);
	oauth_answered(a->machine, &r);
	buf_fini(&nonce);
	buf_fini(&challenge);
	buf_fini(&location);
	turn_machine(a);
}

static bool
start_auth_request(auth *a, const oauth_step *step)
{
	static const http_hooks hooks = {.done = fetched};
	buf url = BUF_INIT(NULL, OAUTH_BODY_MAX);
	http_ask ask = {.method = step->method,
	    .headers = step->headers,
	    .body = step->body,
	    .body_max = OAUTH_BODY_MAX,
	    .timeout_ms = FETCH_MS};

	buf_text(&url, step->url);
	buf_byte(&url, '\0');
	if (url.bad == CM_OK) {
		ask.url = url.ptr;
		ask.public_only =
		    !a->inside && !http_same_origin(url.ptr, a->server->url);
		a->request = http_start(a->http, &ask, &hooks, a);
	}
	buf_fini(&url);
	return a->request != NULL;
}

/* A renewal that something kept from going on, while the token is still good,
 * has time. */
static bool
can_wait(const auth *a, const oauth_step *step)
{
	return a->purpose == OAUTH_RENEW && step->failure == OAUTH_TRY_LATER &&
	       oauth_kept_expiry(a->kept) > (uint64_t)time(NULL);
}

static void
turn_machine(auth *a)
{
	oauth_step step;

	oauth_next(a->machine, &step);
	keep_credentials(a);
	if (step.kind == OAUTH_FETCH) {
		if (!start_auth_request(a, &step))
			end_renewal(a, false, TEXT("there is no memory"));
	} else if (step.kind == OAUTH_BROWSE) {
		/* A person takes time that other processes need not. */
		tokens_unlock(a->lock);
		a->lock = -1;
		a->opt.browse(a->opt.ctx, a, step.url);
	} else if (step.kind == OAUTH_FAILED && can_wait(a, &step)) {
		a->renew_s = oauth_kept_expiry(a->kept);
		end_renewal(a, true, TEXT_NONE);
	} else {
		end_renewal(a, step.kind == OAUTH_DONE, step.message);
	}
}

/* ------------------------------------------------------------ the attempt */

/* What `codemode login` knows the server by: a name on the command line is gone
 * with that command. */
static text
login_word(const server_config *server)
{
	text where = text_of(server->where);

	return text_of(
	    text_starts(where, TEXT("--")) ? server->url : server->name);
}

static void
make_machine(auth *a)
{
	const server_auth *conf = &a->server->auth;
	oauth_options o = {.purpose = a->purpose,
	    .server = text_of(a->server->url),
	    .name = login_word(a->server),
	    .kept = a->kept,
	    .client_id = text_of(conf->client_id),
	    .client_secret = text_of(conf->client_secret),
	    .client_key = text_of(conf->client_key),
	    .scope = a->scope.len ? buf_view(&a->scope) : text_of(conf->scope),
	    .redirect = text_of(a->opt.redirect),
	    .status = a->status,
	    .challenge = buf_view(&a->challenge),
	    .now_s = (uint64_t)time(NULL),
	    .crypto = own_crypto};

	crypto_random(o.random, sizeof(o.random));
	a->state = AUTH_ASKING;
	a->machine = oauth_new(&o);
	if (a->machine == NULL)
		end_renewal(a, false, TEXT("there is no memory"));
	else
		turn_machine(a);
}

static void release_auth(auth *a);

static void
looked_up(uv_getaddrinfo_t *lookup, int status, struct addrinfo *list)
{
	auth *a = lookup->data;

	a->inside = status == 0 && list != NULL;
	for (struct addrinfo *i = status == 0 ? list : NULL; i; i = i->ai_next)
		a->inside =
		    a->inside && address_reach(i->ai_addr) != REACH_PUBLIC;
	uv_freeaddrinfo(list);
	a->looking = false;
	a->looked = true;
	if (a->closing)
		release_auth(a);
	else
		make_machine(a);
}

/* Is the server at an address that is not public? Then what it names may be,
 * too. */
static void
look_up_server(auth *a)
{
	char host[256];
	oauth_url u;

	a->looked |= oauth_url_read(text_of(a->server->url), &u) != NULL ||
		     u.host.len >= sizeof(host);
	if (!a->looked && u.reach != REACH_PUBLIC)
		a->looked = a->inside = true;
	if (!a->looked) {
		memcpy(host, u.host.ptr, u.host.len);
		host[u.host.len] = '\0';
		a->lookup.data = a;
		a->state = AUTH_LOOKING;
		a->looking = uv_getaddrinfo(a->loop, &a->lookup, looked_up,
				 host, NULL, NULL) == 0;
	}
	if (!a->looking)
		make_machine(a);
}

/* Did another process renew it since it was read here? */
static bool
renewed_elsewhere(auth *a)
{
	buf before = BUF_INIT(NULL, KEPT_MAX);
	bool differs;

	buf_text(&before, buf_view(&a->header));
	read_kept(a);
	differs = a->header.len > 0 &&
		  !text_eq(buf_view(&before), buf_view(&a->header));
	buf_fini(&before);
	return differs && a->purpose != OAUTH_LOGIN;
}

static void
take_lock(uv_timer_t *timer)
{
	auth *a = timer->data;
	const char *why = a->no_file;

	if (why == NULL)
		a->lock = tokens_lock(&a->file, &why);
	if (a->lock < 0 && why == NULL && ++a->lock_tries < LOCK_TRIES) {
		uv_timer_start(timer, take_lock, LOCK_RETRY_MS, 0);
		return;
	}
	/* Without a lock it is tried all the same: the worst that can come of it
	 * is another login. */
	if (renewed_elsewhere(a))
		end_renewal(a, true, TEXT_NONE);
	else
		look_up_server(a);
}

static void
begin_renewal(auth *a, oauth_purpose purpose, int status, text challenge)
{
	a->purpose = purpose;
	a->status = status;
	buf_clear(&a->challenge);
	buf_text(&a->challenge, challenge);
	a->state = AUTH_LOCKING;
	a->lock_tries = 0;
	uv_timer_start(&a->locker, take_lock, 0, 0);
}

/* ------------------------------------------------------------------- waits */

static void
queue_auth_wait(auth *a, auth_wait *w)
{
	w->next = a->waits;
	a->waits = w;
}

bool
auth_header(auth *a, auth_wait *w, text *header)
{
	if (a->state == AUTH_IDLE && !a->loaded)
		read_kept(a);
	if (a->state == AUTH_IDLE && a->renew_s > 0 &&
	    a->renew_s <= (uint64_t)time(NULL))
		begin_renewal(a, OAUTH_RENEW, 0, TEXT_NONE);
	*header = buf_view(&a->header);
	if (a->state == AUTH_IDLE)
		return true;
	queue_auth_wait(a, w);
	return false;
}

void
auth_challenged(
    auth *a, text header, int status, text www_authenticate, auth_wait *w)
{
	if (a->state != AUTH_IDLE) {
		queue_auth_wait(a, w);
	} else if (++w->rounds > ROUNDS_MAX) {
		tell_later(
		    a, w, false, TEXT("it refuses each token that it gets"));
	} else if (!text_eq(header, buf_view(&a->header))) {
		tell_later(a, w, true, TEXT_NONE);
	} else {
		queue_auth_wait(a, w);
		begin_renewal(a, OAUTH_ANSWER, status, www_authenticate);
	}
}

void
auth_login(auth *a, text scope, auth_wait *w)
{
	buf_clear(&a->scope);
	buf_text(&a->scope, scope);
	queue_auth_wait(a, w);
	begin_renewal(a, OAUTH_LOGIN, 0, TEXT_NONE);
}

static void
unlink_wait(auth_wait **list, auth_wait *w)
{
	for (; *list != NULL; list = &(*list)->next)
		if (*list == w) {
			*list = w->next;
			return;
		}
}

void
auth_leave(auth *a, auth_wait *w)
{
	unlink_wait(&a->waits, w);
	unlink_wait(&a->told, w);
}

bool
auth_returned(auth *a, text pasted)
{
	if (a->machine == NULL || !oauth_returned(a->machine, pasted))
		return false;
	turn_machine(a);
	return true;
}

/* ------------------------------------------------------------ its lifetime */

static const auth_options *person;

void
auth_set_person(const auth_options *options)
{
	person = options;
}

auth *
auth_new(
    uv_loop_t *loop, const server_config *server, const auth_options *options)
{
	auth *a = calloc(1, sizeof(*a));

	if (a == NULL)
		return NULL;
	a->http = http_hold(loop);
	if (a->http == NULL) {
		free(a);
		return NULL;
	}
	/* Cannot fail: a timer needs nothing of the system. */
	uv_timer_init(loop, &a->locker);
	uv_timer_init(loop, &a->teller);
	a->locker.data = a->teller.data = a;
	a->handles = 2;
	a->loop = loop;
	a->server = server;
	a->lock = -1;
	a->bytes = a->kept_now = a->header = a->key = a->nonce = a->challenge =
	    a->scope = a->why = BUF_INIT(NULL, KEPT_MAX);
	if (options == NULL)
		options = person;
	if (options != NULL)
		a->opt = *options;
	if (a->opt.browse == NULL)
		a->opt.redirect = NULL;
	a->no_file = tokens_open(&a->file, server->url);
	return a;
}

static void
handle_closed(uv_handle_t *timer)
{
	auth *a = timer->data;
	buf *const bufs[] = {&a->bytes, &a->kept_now, &a->header, &a->key,
	    &a->nonce, &a->challenge, &a->scope, &a->why};

	if (--a->handles > 0)
		return;
	for (size_t i = 0; i < sizeof(bufs) / sizeof(*bufs); i++)
		buf_fini(bufs[i]);
	free(a);
}

static void
release_auth(auth *a)
{
	http_release(a->http);
	uv_close((uv_handle_t *)&a->locker, handle_closed);
	uv_close((uv_handle_t *)&a->teller, handle_closed);
}

void
auth_free(auth *a)
{
	if (a == NULL)
		return;
	a->closing = true;
	uv_timer_stop(&a->locker);
	uv_timer_stop(&a->teller);
	if (a->request != NULL)
		http_cancel(a->request);
	oauth_free(a->machine);
	tokens_unlock(a->lock);
	if (a->looking)
		uv_cancel((uv_req_t *)&a->lookup); /* looked_up goes on */
	else
		release_auth(a);
}
