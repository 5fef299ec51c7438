/* SPDX-License-Identifier: MIT */
/* schema_uri.c -- a reference seen from a base (RFC 3986, section 5.2.2). */
#include "schema_parts.h"

/* scheme: and //authority with their marks, so that they can be joined. */
typedef struct uri {
	text scheme, authority, path, query;
} uri;

static size_t
uri_until(text t, size_t from, const char *stops)
{
	while (from < t.len && strchr(stops, t.ptr[from]) == NULL)
		from++;
	return from;
}

static uri
uri_split(text t)
{
	uri u = {TEXT_NONE, TEXT_NONE, TEXT_NONE, TEXT_NONE};
	size_t at = uri_until(t, 0, ":/?"), end;

	if (at > 0 && at < t.len && t.ptr[at] == ':')
		u.scheme = text_sub(t, 0, ++at);
	else
		at = 0;
	if (text_starts(text_sub(t, at, t.len), TEXT("//"))) {
		end = uri_until(t, at + 2, "/?");
		u.authority = text_sub(t, at, end);
		at = end;
	}
	end = uri_until(t, at, "?");
	u.path = text_sub(t, at, end);
	u.query = text_sub(t, end, t.len);
	return u;
}

/* Where the last segment of out begins, behind its /. */
static size_t
last_segment(const char *out, size_t n)
{
	while (n > 0 && out[n - 1] != '/')
		n--;
	return n;
}

/* Writes the path without . and .. to out; returns its length. */
static size_t
remove_dots(text path, char *out)
{
	size_t n = 0, at = 0, end;

	while (at < path.len) {
		text segment;
		bool last;

		end = uri_until(path, at, "/");
		last = end == path.len;
		segment = text_sub(path, at, end);
		at = last ? end : end + 1;
		if (text_eq(segment, TEXT("."))) {
			continue;
		}
		if (text_eq(segment, TEXT(".."))) {
			n = last_segment(out, n > 1 ? n - 1 : n);
			continue;
		}
		if (segment.len > 0)
			memcpy(out + n, segment.ptr, segment.len);
		n += segment.len;
		if (!last)
			out[n++] = '/';
	}
	return n;
}

static size_t
uri_append(char *out, size_t n, text t)
{
	if (t.len > 0)
		memcpy(out + n, t.ptr, t.len);
	return n + t.len;
}

/* The path of ref seen from that of base. */
static size_t
merge_paths(const uri *base, text path, char *joined)
{
	size_t n = 0;

	if (path.len == 0 || path.ptr[0] != '/') {
		if (base->authority.len > 0 && base->path.len == 0)
			joined[n++] = '/';
		n = uri_append(joined, n,
		    text_sub(base->path, 0,
			last_segment(base->path.ptr, base->path.len)));
	}
	return uri_append(joined, n, path);
}

text
uri_resolve(arena *a, text base, text ref)
{
	uri b = uri_split(base), r = uri_split(ref);
	size_t size = base.len + ref.len + 2, n;
	char *out = arena_take(a, size), *joined = arena_take(a, size);

	if (out == NULL || joined == NULL)
		return TEXT_NONE;
	if (r.scheme.len > 0)
		b = (uri){r.scheme, r.authority, TEXT_NONE, TEXT_NONE};
	else if (r.authority.len > 0)
		b = (uri){b.scheme, r.authority, TEXT_NONE, TEXT_NONE};
	n = uri_append(out, 0, b.scheme);
	n = uri_append(out, n, b.authority);
	if (r.path.len == 0 && r.scheme.len + r.authority.len == 0) {
		n = uri_append(out, n, b.path);
		n = uri_append(out, n, r.query.len > 0 ? r.query : b.query);
		return (text){out, n};
	}
	size = merge_paths(&b, r.path, joined);
	n += remove_dots((text){joined, size}, out + n);
	n = uri_append(out, n, r.query);
	return (text){out, n};
}
