/* SPDX-License-Identifier: MIT */
/*
 * type_ref.c -- $ref within one schema: # and #/a/b, nothing from elsewhere.
 */
#include "type_write.h"

enum { REF_MAX = 512 };

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Undoes %XX (the ref is a URI), in place. */
static text
undo_percent(char *p, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		int high = len - i > 2 && p[i] == '%' ? hex(p[i + 1]) : -1;
		int low = high >= 0 ? hex(p[i + 2]) : -1;

		p[n] = p[i];
		if (low >= 0) {
			p[n] = (char)(unsigned char)(high << 4 | low);
			i += 2;
		}
		n++;
	}
	return (text){p, n};
}

/* Undoes ~1 and ~0 (the pointer's own escapes), in place. */
static text
undo_tilde(char *p, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		p[n] = p[i];
		if (p[i] == '~' && i + 1 < len &&
		    (p[i + 1] == '0' || p[i + 1] == '1'))
			p[n] = p[++i] == '0' ? '~' : '/';
		n++;
	}
	return (text){p, n};
}

static json
element(json array, text number)
{
	size_t i = 0;

	if (number.len == 0 || number.len > 6)
		return TEXT_NONE;
	for (size_t at = 0; at < number.len; at++) {
		if (number.ptr[at] < '0' || number.ptr[at] > '9')
			return TEXT_NONE;
		i = i * 10 + (size_t)(number.ptr[at] - '0');
	}
	return json_at(array, i);
}

/* Follows /a/b from v; the bytes of path are used up. */
static json
follow(json v, char *path, size_t len)
{
	while (len > 0 && v.len) {
		const char *slash = memchr(path + 1, '/', len - 1);
		size_t n = slash ? (size_t)(slash - path) : len;
		text step = undo_tilde(path + 1, n - 1);

		v = json_kind_of(v) == JSON_ARRAY ? element(v, step)
						  : json_get(v, step);
		path += n;
		len -= n;
	}
	return v;
}

json
type_target(json root, json ref)
{
	char storage[REF_MAX];
	buf raw = BUF_INIT(NULL, REF_MAX);
	text path;

	/* Unescaping shrinks: what fits in quotes fits the storage. */
	if (json_kind_of(ref) != JSON_STRING || ref.len > REF_MAX)
		return TEXT_NONE;
	raw.ptr = storage;
	raw.cap = REF_MAX;
	json_unescape(ref, &raw);
	path = undo_percent(storage, raw.len);
	if (!text_starts(path, TEXT("#")))
		return TEXT_NONE;
	if (path.len > 1 && path.ptr[1] != '/')
		return TEXT_NONE; /* an anchor */
	return follow(root, storage + 1, path.len - 1);
}

/* The only branch of anyOf or oneOf that is not null; missing otherwise. */
static json
only_branch(json schema)
{
	static const char *const unions[] = {"anyOf", "oneOf"};
	json only = TEXT_NONE, branch;
	size_t n = 0;

	for (size_t i = 0; i < 2; i++) {
		json_iter it = json_each(json_get(schema, text_of(unions[i])));

		while (!it.object && json_next(&it, NULL, &branch)) {
			if (json_is(
				json_get(branch, TEXT("type")), TEXT("null")))
				continue;
			only = branch;
			n++;
		}
	}
	return n == 1 ? only : TEXT_NONE;
}

json
type_facet(json root, json schema, const char *key)
{
	enum { HOPS = 8 };
	json found = TEXT_NONE;

	for (int i = 0; i < HOPS && schema.len; i++) {
		json ref = json_get(schema, TEXT("$ref"));

		found = json_get(schema, text_of(key));
		if (found.len)
			break;
		schema = ref.len ? type_target(root, ref) : only_branch(schema);
	}
	return found;
}
