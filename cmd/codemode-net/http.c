/* SPDX-License-Identifier: MIT */
/*
 * http.c -- one request of HTTP: what libcurl is asked, and what it says.
 *
 * A request goes to libcurl, which calls back with headers and body, and says at
 * the end how it went. A redirect that may be followed is the same request once
 * more, with another URL. libcurl does not follow redirects itself: it would
 * take the headers of the request to any origin.
 */
#include "http.h"

#include "http_loop.h"
#include "http_url.h"

#include <codemode/codemode.h>

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	HTTP_CONNECT_MS = 30000,
	/* Seconds after which an idle connection is not used again: many
	 * servers close it after 5 s, and a request that is sent at that time
	 * is lost. */
	HTTP_IDLE_S = 3,
	HTTP_HOPS_MAX = 5,
	HTTP_HEAD_MAX = 256 << 10, /* bytes of headers that are kept */
	HTTP_BODY_MAX = 16 << 20,  /* of a body that is collected */
	HTTP_CHUNK = 64 << 10      /* bytes that libcurl reads at a time */
};

struct http_request {
	http *h;
	http_request *next, *before; /* of all requests of h */
	const http_hooks *hooks;
	void *ctx;

	CURL *easy;
	struct curl_slist *headers;
	char *method;
	buf url;    /* ends with a zero byte, as .socket does */
	buf socket; /* empty: none */
	buf body;   /* of the request */
	size_t body_max;
	uint64_t timeout_ms;
	bool public_only;
	bool follow;
	unsigned hops;

	buf head;      /* of the reply */
	buf collected; /* its body */
	size_t got;    /* bytes of its body */
	int status;
	bool head_over; /* its headers are complete */
	bool redirects; /* its body is dropped, it may be followed */

	http_error error; /* found here rather than by libcurl */
	bool running;     /* libcurl has it */
	bool sent;        /* a POST, and libcurl has begun to send it */
	bool cancelled;   /* noted: it is to be freed */
	bool waiting;     /* noted: libcurl is to get it */
	char why[CURL_ERROR_SIZE];
};

/* ----------------------------------------------------- what libcurl says */

static void
report_head(http_request *r)
{
	const http_reply reply = {
	    .status = r->status, .head = buf_view(&r->head)};

	if (r->hooks->head)
		r->hooks->head(r->ctx, &reply);
}

static bool
may_be_followed(const http_request *r)
{
	int s = r->status;

	return r->follow && (s == 301 || s == 302 || s == 307 || s == 308);
}

/* The empty line behind the headers of one of the replies: those before the
 * last one (100, those of a proxy) do not count. */
static void
end_head(http_request *r)
{
	long status = 0;

	curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status < 200)
		return;
	r->status = (int)status;
	r->head_over = true;
	r->redirects = may_be_followed(r);
	if (!r->redirects && !r->cancelled)
		report_head(r);
}

static size_t
on_curl_header(char *bytes, size_t one, size_t n, void *ctx)
{
	http_request *r = ctx;
	text line = text_trim((text){bytes, n});

	(void)one;
	if (r->cancelled)
		return 0;
	if (r->head_over)
		return n; /* behind the body */
	if (line.len == 0) {
		end_head(r);
	} else if (text_starts(line, TEXT("HTTP/"))) {
		buf_clear(&r->head);
	} else {
		buf_text(&r->head, line);
		buf_byte(&r->head, '\n');
	}
	return r->cancelled ? 0 : n;
}

static void
take_body(http_request *r, const char *bytes, size_t n)
{
	r->got += n;
	if (r->body_max > 0 && r->got > r->body_max)
		r->error = HTTP_TOO_LARGE;
	else if (r->hooks->body)
		r->hooks->body(r->ctx, bytes, n);
	else
		buf_add(&r->collected, bytes, n);
	if (r->collected.bad != CM_OK)
		r->error = r->collected.bad == CM_ELIMIT ? HTTP_TOO_LARGE
							 : HTTP_NO_MEMORY;
}

static size_t
on_curl_body(char *bytes, size_t one, size_t n, void *ctx)
{
	http_request *r = ctx;

	(void)one;
	if (r->cancelled)
		return 0;
	if (!r->redirects)
		take_body(r, bytes, n);
	return r->cancelled || r->error ? 0 : n;
}

/*
 * Runs before libcurl sends the request. When a kept connection ends before the
 * reply, libcurl would send the request again on a new one, and a tool would be
 * called twice. So the second time is refused.
 */
static int
on_curl_send(void *ctx, char *to, char *from, int to_port, int from_port)
{
	http_request *r = ctx;

	(void)to;
	(void)from;
	(void)to_port;
	(void)from_port;
	if (r->sent)
		return CURL_PREREQFUNC_ABORT;
	r->sent = true;
	return CURL_PREREQFUNC_OK;
}

/* Its connection is not for programs that are started meanwhile. */
static curl_socket_t
on_curl_open(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
	http_request *r = ctx;

	(void)purpose;
	if (r->public_only && address_reach(&address->addr) != REACH_PUBLIC) {
		r->error = HTTP_REFUSED;
		return CURL_SOCKET_BAD;
	}
	return socket(address->family, address->socktype | SOCK_CLOEXEC,
	    address->protocol);
}

/* ---------------------------------------------------------- how it ended */

/* "host:port" of where the connection went, for messages. */
static void
add_place(const http_request *r, buf *out)
{
	CURLU *u = curl_url();
	char *host = NULL, *port = NULL;

	if (u && curl_url_set(u, CURLUPART_URL, r->url.ptr, 0) == CURLUE_OK) {
		curl_url_get(u, CURLUPART_HOST, &host, 0);
		curl_url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT);
	}
	if (r->socket.len > 0)
		buf_str(out, r->socket.ptr);
	else if (host && port)
		buf_printf(out, "%s:%s", host, port);
	else
		buf_str(out, "the server");
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(u);
}

static http_error
error_of_curl(CURLcode code)
{
	switch (code) {
	case CURLE_OK:
		return HTTP_DONE;
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_URL_MALFORMAT:
		return HTTP_REFUSED;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_PROXY:
		return HTTP_UNREACHABLE;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
		return HTTP_TLS;
	case CURLE_OPERATION_TIMEDOUT:
		return HTTP_TIMEOUT;
	case CURLE_OUT_OF_MEMORY:
		return HTTP_NO_MEMORY;
	default:
		return HTTP_CUT;
	}
}

/* A time limit that passed before there was a connection is that of the
 * connection. */
static http_error
which_timeout(const http_request *r)
{
	curl_off_t connected = 0;

	curl_easy_getinfo(r->easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
	return connected > 0 ? HTTP_TIMEOUT : HTTP_UNREACHABLE;
}

/* Did the connection of a sent request end? libcurl wanted to send it again, or
 * could not connect for that. */
static bool
ended_unanswered(CURLcode code)
{
	http_error error = error_of_curl(code);

	return code == CURLE_ABORTED_BY_CALLBACK || error == HTTP_UNREACHABLE ||
	       error == HTTP_TLS;
}

/* How a request with this result of libcurl ended. */
static http_error
find_error(const http_request *r, CURLcode code)
{
	if (r->error)
		return r->error;
	if (r->sent && ended_unanswered(code))
		return HTTP_CUT;
	return code == CURLE_OPERATION_TIMEDOUT ? which_timeout(r)
						: error_of_curl(code);
}

static void
say_unreachable(const http_request *r, CURLcode code, buf *out)
{
	long error = 0;

	curl_easy_getinfo(r->easy, CURLINFO_OS_ERRNO, &error);
	buf_str(out, "no connection to ");
	add_place(r, out);
	if (code == CURLE_COULDNT_RESOLVE_HOST)
		buf_str(out, ": there is no host of that name");
	else if (code == CURLE_OPERATION_TIMEDOUT)
		buf_printf(out, " within %d s", HTTP_CONNECT_MS / 1000);
	else if (error)
		buf_printf(out, ": %s", strerror((int)error));
	else if (r->why[0])
		buf_printf(out, ": %s", r->why);
}

static void
say_error(const http_request *r, http_error error, CURLcode code, buf *out)
{
	const char *why = r->why[0] ? r->why : curl_easy_strerror(code);

	if (error == HTTP_CUT && ended_unanswered(code))
		why = "it was closed before a reply came";
	switch (error) {
	case HTTP_DONE:
		break;
	case HTTP_UNREACHABLE:
		say_unreachable(r, code, out);
		break;
	case HTTP_TLS:
		buf_str(out, "no safe connection to ");
		add_place(r, out);
		buf_printf(out, ": %s", why);
		break;
	case HTTP_CUT:
		buf_str(out, "the connection to ");
		add_place(r, out);
		buf_printf(out, " broke off: %s", why);
		break;
	case HTTP_TIMEOUT:
		buf_printf(out, "no reply within %llu ms",
		    (unsigned long long)r->timeout_ms);
		break;
	case HTTP_TOO_LARGE:
		buf_str(out, "the reply is too large");
		break;
	case HTTP_REDIRECT:
		buf_str(out, "it redirects to ");
		break;
	case HTTP_REFUSED:
		if (r->public_only && code == CURLE_COULDNT_CONNECT) {
			add_place(r, out);
			buf_str(out, " is an address of an internal network");
		} else {
			buf_printf(out, "its URL is not usable: %s", why);
		}
		break;
	case HTTP_NO_MEMORY:
		buf_str(out, "out of memory");
		break;
	}
}

/* ------------------------------------------------------------ the request */

static void
unlink_request(http_request *r)
{
	if (r->before)
		r->before->next = r->next;
	else
		r->h->first = r->next;
	if (r->next)
		r->next->before = r->before;
}

static void
free_unlinked(http_request *r)
{
	curl_easy_cleanup(r->easy);
	curl_slist_free_all(r->headers);
	free(r->method);
	buf_fini(&r->url);
	buf_fini(&r->socket);
	buf_fini(&r->body);
	buf_fini(&r->head);
	buf_fini(&r->collected);
	free(r);
}

static void
free_request(http_request *r)
{
	if (r->running)
		curl_multi_remove_handle(r->h->multi, r->easy);
	unlink_request(r);
	free_unlinked(r);
}

static void
finish_request(http_request *r, http_error error, CURLcode code)
{
	buf words = BUF_INIT(NULL, 4096);
	http_reply reply = {.status = r->status,
	    .head = buf_view(&r->head),
	    .body = buf_view(&r->collected),
	    .error = error};
	char *to = NULL;

	say_error(r, error, code, &words);
	if (error == HTTP_REDIRECT) {
		curl_easy_getinfo(r->easy, CURLINFO_REDIRECT_URL, &to);
		buf_utf8(&words, text_of(to ? to : "nowhere"), 300);
	}
	reply.words = buf_view(&words);
	unlink_request(r);
	r->hooks->done(r->ctx, &reply);
	buf_fini(&words);
	free_unlinked(r);
}

static void
give_to_curl(http_request *r)
{
	r->running = curl_multi_add_handle(r->h->multi, r->easy) == CURLM_OK;
	if (!r->running) {
		r->error = HTTP_NO_MEMORY;
		r->waiting = true;
		http_note(r->h);
	}
}

/* True: the request is under way once more. */
static bool
follow_http_redirect(http_request *r)
{
	char *to = NULL;

	curl_easy_getinfo(r->easy, CURLINFO_REDIRECT_URL, &to);
	if (!to || r->hops++ == HTTP_HOPS_MAX ||
	    !http_same_origin(r->url.ptr, to))
		return false;
	buf_clear(&r->url);
	buf_str(&r->url, to);
	buf_byte(&r->url, '\0');
	curl_easy_setopt(r->easy, CURLOPT_URL, r->url.ptr);
	r->head_over = r->redirects = r->sent = false;
	give_to_curl(r);
	return true;
}

static void
end_transfer(http_request *r, CURLcode code)
{
	http_error error = find_error(r, code);

	curl_multi_remove_handle(r->h->multi, r->easy);
	r->running = false;
	if (r->redirects && error == HTTP_DONE) {
		if (follow_http_redirect(r))
			return;
		error = HTTP_REDIRECT;
	}
	finish_request(r, error, code);
}

/* -------------------------------------------------------------- what waits */

static void
do_noted(http_request *r)
{
	if (r->cancelled) {
		free_request(r);
	} else if (r->waiting && r->error) {
		finish_request(r, r->error, CURLE_URL_MALFORMAT);
	} else if (r->waiting) {
		r->waiting = false;
		give_to_curl(r);
	}
}

/* Hooks may note more, and end any request: so it begins again after each. */
static void
do_all_noted(http *h)
{
	http_request *r;

	while (h->noted) {
		h->noted = false;
		for (r = h->first; r; r = r->next) {
			if (r->cancelled || r->waiting) {
				h->noted = true;
				do_noted(r);
				break;
			}
		}
	}
}

void
http_work(http *h)
{
	http_request *r;
	CURLMsg *m;
	int left;

	h->working = true;
	do_all_noted(h);
	while ((m = curl_multi_info_read(h->multi, &left)) != NULL) {
		CURLcode code = m->data.result;

		if (m->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &r);
		end_transfer(r, code);
	}
	h->working = false;
	http_close_unused(h);
}

/* -------------------------------------------------------------------- start */

/* Adds certificates to those that curl has loaded. */
static CURLcode
on_curl_tls(CURL *easy, void *tls, void *file)
{
	(void)easy;
	/* As in Node, a file that cannot be read is ignored. */
	if (SSL_CTX_load_verify_file(tls, file) != 1)
		ERR_clear_error();
	return CURLE_OK;
}

static void
set_certificates(CURL *easy)
{
	const char *file = getenv("CURL_CA_BUNDLE"),
		   *folder = getenv("SSL_CERT_DIR");
	char *extra = getenv("NODE_EXTRA_CA_CERTS");

	if (!file || !*file)
		file = getenv("SSL_CERT_FILE");
	if (file && *file)
		curl_easy_setopt(easy, CURLOPT_CAINFO, file);
	if (folder && *folder)
		curl_easy_setopt(easy, CURLOPT_CAPATH, folder);
	if (extra && *extra) {
		curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, on_curl_tls);
		curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, extra);
	}
}

static void
set_options(http_request *r)
{
	CURL *e = r->easy;

	curl_easy_setopt(e, CURLOPT_PRIVATE, r);
	curl_easy_setopt(e, CURLOPT_ERRORBUFFER, r->why);
	curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(e, CURLOPT_URL, r->url.ptr);
	if (r->socket.len > 0)
		curl_easy_setopt(e, CURLOPT_UNIX_SOCKET_PATH, r->socket.ptr);
	if (r->socket.len > 0 || http_is_loopback(r->url.ptr))
		curl_easy_setopt(e, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_curl_header);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, r);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_curl_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, r);
	curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, on_curl_open);
	curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, r);
	curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(e, CURLOPT_USERAGENT, "codemode/" CM_VERSION);
	curl_easy_setopt(e, CURLOPT_BUFFERSIZE, (long)HTTP_CHUNK);
	curl_easy_setopt(e, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(e, CURLOPT_MAXAGE_CONN, (long)HTTP_IDLE_S);
	/* Over TLS a connection says at once whether it takes several. */
	curl_easy_setopt(e, CURLOPT_PIPEWAIT,
	    text_starts(buf_view(&r->url), TEXT("https:")) ? 1L : 0L);
	curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, (long)HTTP_CONNECT_MS);
	curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)r->timeout_ms);
	curl_easy_setopt(e, CURLOPT_HTTPHEADER, r->headers);
	set_certificates(e);
}

static void
set_method(http_request *r)
{
	CURL *e = r->easy;

	if (strcmp(r->method, "POST") == 0) {
		curl_easy_setopt(e, CURLOPT_POST, 1L);
		curl_easy_setopt(
		    e, CURLOPT_POSTFIELDS, r->body.len > 0 ? r->body.ptr : "");
		curl_easy_setopt(e, CURLOPT_PREREQFUNCTION, on_curl_send);
		curl_easy_setopt(e, CURLOPT_PREREQDATA, r);
		curl_easy_setopt(
		    e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body.len);
	} else if (strcmp(r->method, "GET") != 0) {
		curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, r->method);
	}
}

/* For libcurl "Name:" takes a header away, and "Name;" is one without value. */
static bool
add_header(http_request *r, text line)
{
	buf copy = BUF_INIT(NULL, HTTP_HEAD_MAX);
	struct curl_slist *list = NULL;

	line = text_trim(line);
	buf_text(&copy, line);
	if (text_ends(line, TEXT(":")))
		copy.ptr[copy.len - 1] = ';';
	buf_byte(&copy, '\0');
	if (copy.bad == CM_OK)
		list = curl_slist_append(r->headers, copy.ptr);
	buf_fini(&copy);
	if (list)
		r->headers = list;
	return list != NULL;
}

static bool
copy_ask(http_request *r, const http_ask *ask)
{
	text rest = ask->headers, line;
	bool ok;

	r->headers = curl_slist_append(NULL, "Expect:");
	ok = r->headers != NULL;
	while (ok && text_line(&rest, &line))
		ok = line.len == 0 || add_header(r, line);
	if (!url_split_socket(ask->url, &r->socket, &r->url)) {
		buf_str(&r->url, ask->url);
		buf_byte(&r->url, '\0');
	}
	buf_text(&r->body, ask->body);
	r->method = strdup(ask->method);
	r->body_max = ask->body_max;
	r->timeout_ms = ask->timeout_ms;
	r->public_only = ask->public_only;
	r->follow = ask->follow;
	return ok && r->method && r->url.bad == CM_OK &&
	       r->socket.bad == CM_OK && r->body.bad == CM_OK;
}

static http_request *
new_request(http *h)
{
	http_request *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->h = h;
	r->url = r->socket = BUF_INIT(NULL, HTTP_HEAD_MAX);
	r->head = BUF_INIT(NULL, HTTP_HEAD_MAX);
	r->body = BUF_INIT(NULL, SIZE_MAX);
	r->collected = BUF_INIT(NULL, HTTP_BODY_MAX);
	r->next = h->first;
	if (h->first)
		h->first->before = r;
	h->first = r;
	r->easy = curl_easy_init();
	return r;
}

http_request *
http_start(http *h, const http_ask *ask, const http_hooks *hooks, void *ctx)
{
	http_request *r = new_request(h);

	if (!r)
		return NULL;
	if (!r->easy || !copy_ask(r, ask)) {
		free_request(r);
		return NULL;
	}
	r->hooks = hooks;
	r->ctx = ctx;
	set_options(r);
	set_method(r);
	if (h->in_curl) {
		r->waiting = true;
		http_note(h);
	} else {
		give_to_curl(r);
	}
	return r;
}

void
http_cancel(http_request *r)
{
	if (!r->h->in_curl) {
		free_request(r);
		return;
	}
	r->cancelled = true;
	http_note(r->h);
}

/* ------------------------------------------------------------------ headers */

text
http_header(text head, const char *name, buf *out)
{
	size_t n = strlen(name);
	text line;

	buf_clear(out);
	while (text_line(&head, &line)) {
		if (line.len <= n || line.ptr[n] != ':' ||
		    !curl_strnequal(line.ptr, name, n))
			continue;
		if (out->len > 0)
			buf_str(out, ", ");
		buf_text(out, text_trim(text_sub(line, n + 1, line.len)));
	}
	return buf_view(out);
}

bool
http_retry_after(text head, uint64_t *ms)
{
	buf value = BUF_INIT(NULL, 256);
	text after = http_header(head, "Retry-After", &value);
	size_t at = 0;
	uint64_t seconds = text_decimal(after, &at);
	time_t date = -1, now = time(NULL);

	buf_byte(&value, '\0');
	if (at < after.len && value.bad == CM_OK)
		date = curl_getdate(value.ptr, NULL);
	if (date >= 0)
		seconds = date > now ? (uint64_t)(date - now) : 0;
	*ms = seconds < UINT64_MAX / 1000 ? seconds * 1000 : UINT64_MAX;
	buf_fini(&value);
	return after.len > 0 && (at == after.len || date >= 0);
}
