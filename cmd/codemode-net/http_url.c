/* SPDX-License-Identifier: MIT */
/*
 * http_url.c -- what is asked of a URL or an address before a connection is
 * made. libcurl reads the URLs, so that both read them in the same way.
 */
#include "http_url.h"

#include "http.h"

#include <curl/curl.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>

static const text unix_scheme = TEXT_INIT("unix://");

bool
url_split_socket(const char *url, buf *path_out, buf *url_out)
{
	text t = text_of(url), path;
	size_t mark;

	if (!text_starts(t, unix_scheme))
		return false;
	t = text_sub(t, unix_scheme.len, t.len);
	mark = text_find(t, TEXT("#"), 0);
	path = mark == SIZE_MAX ? TEXT_NONE : text_sub(t, mark + 1, t.len);
	buf_text(path_out, text_sub(t, 0, mark));
	buf_byte(path_out, '\0');
	buf_str(url_out, "http://localhost");
	if (!text_starts(path, TEXT("/")))
		buf_byte(url_out, '/');
	buf_text(url_out, path);
	buf_byte(url_out, '\0');
	return true;
}

/* A part of a URL, freed by the caller; NULL: it has none, or is no URL. */
static char *
url_part(const char *url, CURLUPart part)
{
	CURLU *u = curl_url();
	char *value = NULL;

	if (u && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK)
		curl_url_get(u, part, &value, CURLU_DEFAULT_PORT);
	curl_url_cleanup(u);
	return value;
}

static bool
same_part(const char *a, const char *b, CURLUPart part)
{
	char *of_a = url_part(a, part), *of_b = url_part(b, part);
	bool same = of_a && of_b && curl_strequal(of_a, of_b);

	curl_free(of_a);
	curl_free(of_b);
	return same;
}

static text
socket_of(const char *url)
{
	text t = text_of(url);

	return text_starts(t, unix_scheme)
		   ? text_sub(t, 0, text_find(t, TEXT("#"), 0))
		   : TEXT_NONE;
}

bool
http_same_origin(const char *a, const char *b)
{
	text path = socket_of(a);

	if (path.len > 0 || socket_of(b).len > 0)
		return text_eq(path, socket_of(b));
	return same_part(a, b, CURLUPART_SCHEME) &&
	       same_part(a, b, CURLUPART_HOST) &&
	       same_part(a, b, CURLUPART_PORT);
}

void
http_printable(const char *url, buf *out)
{
	static const CURLUPart secret[] = {CURLUPART_USER, CURLUPART_PASSWORD,
	    CURLUPART_OPTIONS, CURLUPART_QUERY, CURLUPART_FRAGMENT};
	CURLU *u = curl_url();
	char *shown = NULL;
	size_t i;

	if (socket_of(url).len > 0) {
		buf_str(out, url);
	} else if (u && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK) {
		for (i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
			curl_url_set(u, secret[i], NULL, 0);
		curl_url_get(u, CURLUPART_URL, &shown, 0);
	}
	buf_str(out, shown ? shown : "");
	curl_free(shown);
	curl_url_cleanup(u);
}

static bool
resolve_by_curl(const char *base, const char *reference, buf *out)
{
	CURLU *u = curl_url();
	char *whole = NULL;
	bool ok = u && curl_url_set(u, CURLUPART_URL, base, 0) == CURLUE_OK &&
		  curl_url_set(u, CURLUPART_URL, reference, 0) == CURLUE_OK &&
		  curl_url_get(u, CURLUPART_URL, &whole, 0) == CURLUE_OK;

	if (ok)
		buf_str(out, whole);
	curl_free(whole);
	curl_url_cleanup(u);
	return ok;
}

bool
http_resolve(const char *base, text reference, buf *out)
{
	buf r = BUF_INIT(NULL, 1 << 16);
	bool ok;

	buf_text(&r, reference);
	buf_byte(&r, '\0');
	if (socket_of(base).len > 0) { /* the other part is a path */
		buf_text(out, socket_of(base));
		buf_byte(out, '#');
		buf_text(out, reference);
		ok = r.bad == CM_OK && text_starts(reference, TEXT("/"));
	} else {
		ok = r.bad == CM_OK && resolve_by_curl(base, r.ptr, out);
	}
	buf_fini(&r);
	return ok;
}

/* --------------------------------------------------------------- addresses */

oauth_reach
address_reach(const struct sockaddr *address)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (address->sa_family == AF_INET) {
		memcpy(&v4, address, sizeof(v4));
		return reach_of_ipv4(ntohl(v4.sin_addr.s_addr));
	}
	if (address->sa_family == AF_INET6) {
		memcpy(&v6, address, sizeof(v6));
		return reach_of_ipv6(v6.sin6_addr.s6_addr);
	}
	return REACH_LINK_LOCAL;
}

static bool
is_loopback_host(const char *host)
{
	struct in6_addr v6;
	struct in_addr v4;
	text name = text_of(host);
	char inner[INET6_ADDRSTRLEN];

	if (curl_strequal(host, "localhost") ||
	    (name.len > 10 &&
		curl_strequal(host + name.len - 10, ".localhost")))
		return true;
	if (inet_pton(AF_INET, host, &v4) == 1)
		return reach_of_ipv4(ntohl(v4.s_addr)) == REACH_LOOPBACK;
	name = text_sub(name, 1, name.len - 1); /* "[::1]" */
	if (name.len >= sizeof(inner))
		return false;
	memcpy(inner, name.ptr, name.len);
	inner[name.len] = '\0';
	return inet_pton(AF_INET6, inner, &v6) == 1 &&
	       reach_of_ipv6(v6.s6_addr) == REACH_LOOPBACK;
}

bool
http_is_loopback(const char *url)
{
	char *host = url_part(url, CURLUPART_HOST);
	bool loopback =
	    socket_of(url).len > 0 || (host && is_loopback_host(host));

	curl_free(host);
	return loopback;
}
