/* SPDX-License-Identifier: MIT */
/*
 * oauth_url.c -- reads URLs strictly: what could be read in two ways is none.
 */
#include "oauth_url.h"

#include "oauth_text.h"

#include <arpa/inet.h>

static bool
ends_caseless(text t, text suffix)
{
	return t.len >= suffix.len &&
	       oauth_same_caseless(
		   text_sub(t, t.len - suffix.len, t.len), suffix);
}

/* ------------------------------------------------------------ addresses */

static bool
read_ipv4(text host, uint32_t *address)
{
	size_t at = 0;

	*address = 0;
	for (int i = 0; i < 4; i++) {
		size_t from = at;
		uint64_t part = text_decimal(host, &at);

		if (at == from || at - from > 3 || part > 255 ||
		    (at - from > 1 && host.ptr[from] == '0'))
			return false;
		if (i < 3 && (at == host.len || host.ptr[at++] != '.'))
			return false;
		*address = *address << 8 | (uint32_t)part;
	}
	return at == host.len;
}

static bool
read_ipv6(text host, unsigned char address[16])
{
	char copy[INET6_ADDRSTRLEN];

	if (host.len >= sizeof(copy))
		return false;
	memcpy(copy, host.ptr, host.len);
	copy[host.len] = '\0';
	return inet_pton(AF_INET6, copy, address) == 1;
}

static oauth_reach
reach_of_name(text host)
{
	static const struct {
		text suffix;
		oauth_reach reach;
	} special[] = {
	    {TEXT_INIT(".localhost"), REACH_LOOPBACK},
	    {TEXT_INIT(".internal"), REACH_PRIVATE},
	    {TEXT_INIT(".local"), REACH_PRIVATE},
	    {TEXT_INIT(".home.arpa"), REACH_PRIVATE},
	};

	if (text_ends(host, TEXT(".")))
		host.len--;
	if (oauth_same_caseless(host, TEXT("localhost")))
		return REACH_LOOPBACK;
	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
		if (ends_caseless(host, special[i].suffix))
			return special[i].reach;
	return REACH_PUBLIC;
}

/* Is it a name that some resolver reads as a number: 127.1, 0x7f.1, 2130706433?
 * Then its last label begins with a digit. */
static bool
is_numeric(text host)
{
	size_t at = host.len;

	if (at > 0 && host.ptr[at - 1] == '.')
		at--;
	while (at > 0 && host.ptr[at - 1] != '.')
		at--;
	return at < host.len && host.ptr[at] >= '0' && host.ptr[at] <= '9';
}

static const char *
read_host(oauth_url *u)
{
	unsigned char v6[16];
	text h = u->host;
	uint32_t v4;
	size_t i;

	if (text_starts(h, TEXT("["))) {
		if (!read_ipv6(text_sub(h, 1, h.len - 1), v6))
			return "its host is no address";
		u->reach = reach_of_ipv6(v6);
		return NULL;
	}
	for (i = 0; i < h.len; i++)
		if (!is_ascii_word((unsigned char)h.ptr[i]) &&
		    h.ptr[i] != '-' && h.ptr[i] != '.')
			return "its host is no name";
	if (h.len == 0)
		return "it has no host";
	if (read_ipv4(h, &v4))
		u->reach = reach_of_ipv4(v4);
	else if (is_numeric(h))
		return "its host is a number in an odd form";
	else
		u->reach = reach_of_name(h);
	return NULL;
}

/* ----------------------------------------------------------------- URLs */

/* Splits "host:port" off t at *at, which moves behind it. */
static const char *
read_authority(text t, size_t *at, oauth_url *u)
{
	size_t from = *at, end = from, digits;
	uint64_t port = u->https ? 443 : 80;

	while (end < t.len && t.ptr[end] != '/' && t.ptr[end] != '?')
		end++;
	if (text_find(text_sub(t, from, end), TEXT("@"), 0) != SIZE_MAX)
		return "it has a user name";
	*at = from;
	if (from < end && t.ptr[from] == '[') {
		while (*at < end && t.ptr[*at] != ']')
			++*at;
		if (*at == end)
			return "its host is no address";
		++*at;
	} else {
		while (*at < end && t.ptr[*at] != ':')
			++*at;
	}
	u->host = text_sub(t, from, *at);
	if (*at < end) {
		digits = *at + 1;
		port = text_decimal(t, &digits);
		if (t.ptr[*at] != ':' || digits != end || digits == *at + 1)
			return "its port is no number";
	}
	if (port == 0 || port > 65535)
		return "its port is no number";
	u->port = (unsigned)port;
	*at = end;
	return read_host(u);
}

static bool
has_odd_bytes(text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.ptr[i] <= ' ' || t.ptr[i] > '~' || t.ptr[i] == '\\' ||
		    t.ptr[i] == '"' || t.ptr[i] == '<' || t.ptr[i] == '>')
			return true;
	return false;
}

const char *
oauth_url_read(text t, oauth_url *out)
{
	size_t at = text_find(t, TEXT("://"), 0), question;
	const char *why;

	*out = (oauth_url){.whole = t};
	if (has_odd_bytes(t))
		return "it has characters that must be escaped";
	if (at == SIZE_MAX)
		return "it has no scheme";
	out->https = oauth_same_caseless(text_sub(t, 0, at), TEXT("https"));
	if (!out->https &&
	    !oauth_same_caseless(text_sub(t, 0, at), TEXT("http")))
		return "its scheme is not https";
	t = out->whole = text_sub(t, 0, text_find(t, TEXT("#"), 0));
	at += 3;
	why = read_authority(t, &at, out);
	if (why)
		return why;
	out->origin = text_sub(t, 0, at);
	question = text_find(t, TEXT("?"), at);
	out->path = text_sub(t, at, question);
	if (question != SIZE_MAX)
		out->query = text_sub(t, question + 1, t.len);
	return NULL;
}

text
oauth_url_path(const oauth_url *u)
{
	text path = u->path;

	if (text_ends(path, TEXT("/")))
		path.len--;
	return path;
}

bool
oauth_url_same_origin(const oauth_url *a, const oauth_url *b)
{
	return a->https == b->https && a->port == b->port &&
	       oauth_same_caseless(a->host, b->host);
}

bool
oauth_url_below(const oauth_url *inner, const oauth_url *outer)
{
	text above = oauth_url_path(outer);

	return oauth_url_same_origin(inner, outer) &&
	       text_starts(inner->path, above) &&
	       (inner->path.len == above.len ||
		   inner->path.ptr[above.len] == '/');
}

const char *
oauth_url_refused(const oauth_url *u, const oauth_url *server)
{
	if (u->reach != REACH_PUBLIC && u->reach != server->reach)
		return "it is at an address that is not public, and the "
		       "server is not";
	if (!u->https && u->reach != REACH_LOOPBACK)
		return "it is not https";
	return NULL;
}

/* ------------------------------------------------------------- issuers */

static const struct {
	const char *place;
	bool behind; /* the path, or before it */
} issuer_places[] = {
    {"/.well-known/oauth-authorization-server", false},
    {"/.well-known/openid-configuration", false},
    {"/.well-known/openid-configuration", true},
};

bool
oauth_metadata_url(const oauth_url *issuer, unsigned candidate, buf *out)
{
	text path = oauth_url_path(issuer);

	/* Without a path the last place is that before it. */
	if (candidate >= (path.len > 0 ? 3 : 2))
		return false;
	buf_text(out, issuer->origin);
	if (issuer_places[candidate].behind)
		buf_text(out, path);
	buf_str(out, issuer_places[candidate].place);
	if (!issuer_places[candidate].behind)
		buf_text(out, path);
	return true;
}

bool
oauth_same_issuer(text a, text b)
{
	oauth_url u;

	if (text_eq(a, b))
		return true;
	if (a.len < b.len)
		return oauth_same_issuer(b, a);
	return a.len == b.len + 1 && text_starts(a, b) &&
	       oauth_url_read(a, &u) == NULL && text_eq(u.path, TEXT("/"));
}
