/* SPDX-License-Identifier: MIT */
/*
 * type_ref.c -- $ref within one schema: # and #/a/b, nothing from elsewhere.
 *
 * A schema may have thousands of $refs to thousands of definitions. So the
 * members of the object that the last $ref pointed into are kept in a map, and
 * the next $ref into that object is one lookup. Whatever is scanned is charged
 * to a budget; when that is used up, no $ref is followed.
 */
#include "type_write.h"

#include "base/mem.h"

static int
hex_value(char c)
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
		int high =
		    len - i > 2 && p[i] == '%' ? hex_value(p[i + 1]) : -1;
		int low = high >= 0 ? hex_value(p[i + 2]) : -1;

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
element_of(json array, text number)
{
	size_t at = 0;
	uint64_t i = text_decimal(number, &at);

	return at > 0 && at == number.len ? json_at(array, (size_t)i)
					  : TEXT_NONE;
}

static json
step_into(json v, text step)
{
	return json_kind_of(v) == JSON_ARRAY ? element_of(v, step)
					     : json_get(v, step);
}

/* Follows /a/b from v; the bytes of path are used up. */
static json
follow_pointer(json v, char *path, size_t len)
{
	while (len > 0 && v.len) {
		const char *slash = memchr(path + 1, '/', len - 1);
		size_t n = slash ? (size_t)(slash - path) : len;

		v = step_into(v, undo_tilde(path + 1, n - 1));
		path += n;
		len -= n;
	}
	return v;
}

/* ------------------------------------------------- what was followed last */

void
type_refs_init(type_refs *r, const cm_alloc *alloc, json root)
{
	text dialect = json_get(root, TEXT("$schema"));

	*r = (type_refs){.alloc = alloc,
	    .root = root,
	    .lone = text_find(dialect, TEXT("/draft-0"), 0) != SIZE_MAX,
	    .number = MAP_INIT(alloc),
	    .made = ARENA_INIT(alloc, TS_BYTES)};
}

void
type_refs_fini(type_refs *r)
{
	map_fini(&r->number);
	mem_free(r->alloc, r->member, r->cap * sizeof(*r->member));
	mem_free(r->alloc, r->def, r->def_cap * sizeof(*r->def));
	mem_free(r->alloc, r->edge, r->edge_cap * sizeof(*r->edge));
	arena_fini(&r->made);
}

/* Takes n bytes from the budget; false: so many are not left. */
static bool
charge_bytes(type_refs *r, size_t n)
{
	if (n > r->bytes_left)
		return false;
	r->bytes_left -= n;
	return true;
}

static bool
keep_member(type_refs *r, json key, json value)
{
	key = text_sub(key, 1, key.len - 1);
	if (text_find(key, TEXT("\\"), 0) != SIZE_MAX) {
		r->escaped = true;
		return true;
	}
	if (!mem_grow(r->alloc, (void **)&r->member, &r->cap, r->len,
		sizeof(*r->member)) ||
	    map_set(&r->number, key, (uint32_t)r->len) != CM_OK) {
		r->bad = CM_ENOMEM;
		return false;
	}
	r->member[r->len++] = value;
	return true;
}

/* Makes the object that prefix points to in base the one whose members are
 * kept. False: no memory, or the budget is used up. */
static bool
keep_holder(type_refs *r, json base, text prefix)
{
	char path[TS_REF_MAX];
	json_iter it;
	json key, value;

	if (!charge_bytes(r, 2 * base.len))
		return false;
	map_fini(&r->number);
	r->len = 0;
	r->escaped = r->kept = false;
	memcpy(r->prefix, prefix.ptr, prefix.len);
	r->prefix_len = prefix.len;
	r->base = base.ptr;
	memcpy(path, prefix.ptr, prefix.len);
	r->holder = follow_pointer(base, path, prefix.len);
	it = json_each(r->holder);
	while (it.object && json_next(&it, &key, &value))
		if (!keep_member(r, key, value))
			return false;
	return r->kept = true;
}

static bool
keeps_holder(const type_refs *r, json base, text prefix)
{
	return r->kept && r->base == base.ptr &&
	       text_eq(prefix, (text){r->prefix, r->prefix_len});
}

/* What pointer, which begins with /, leads to in base. */
static json
find_target(type_refs *r, json base, char *pointer, size_t len)
{
	size_t last = len - 1;
	text prefix, step;
	uint32_t number;

	while (pointer[last] != '/')
		last--;
	prefix = (text){pointer, last};
	if (!keeps_holder(r, base, prefix) && !keep_holder(r, base, prefix))
		return TEXT_NONE;
	step = undo_tilde(pointer + last + 1, len - last - 1);
	number = map_get(&r->number, step);
	if (number != MAP_NONE && !r->escaped)
		return r->member[number];
	/* An array, or an object whose keys have escapes. */
	if (json_kind_of(r->holder) == JSON_OBJECT && !r->escaped)
		return TEXT_NONE;
	return charge_bytes(r, r->holder.len) ? step_into(r->holder, step)
					      : TEXT_NONE;
}

json
type_target(type_refs *r, json base, json ref)
{
	char storage[TS_REF_MAX];
	buf raw = BUF_INIT(NULL, TS_REF_MAX);
	text path;

	/* Unescaping shrinks: what fits in quotes fits the storage. */
	if (json_kind_of(ref) != JSON_STRING || ref.len > TS_REF_MAX)
		return TEXT_NONE;
	raw.ptr = storage;
	raw.cap = TS_REF_MAX;
	json_unescape(ref, &raw);
	path = undo_percent(storage, raw.len);
	if (text_eq(path, TEXT("#")))
		return base;
	/* What does not begin with #/ is an anchor, or lies elsewhere. */
	return text_starts(path, TEXT("#/"))
		   ? find_target(r, base, storage + 1, path.len - 1)
		   : TEXT_NONE;
}

/* ------------------------------------------------------------- facets */

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
type_facet(typing *t, json schema, const char *key)
{
	enum { HOPS = 8 };
	json found = TEXT_NONE;

	for (int i = 0; i < HOPS && schema.len; i++) {
		const type_def *def;
		json ref;

		if (!charge_bytes(t->refs, schema.len))
			return TEXT_NONE;
		found = json_get(schema, text_of(key));
		if (found.len)
			break;
		ref = json_get(schema, TEXT("$ref"));
		schema = ref.len ? type_target(t->refs, t->base, ref)
				 : only_branch(schema);
		def = ref.len ? type_def_of(t->refs, schema) : NULL;
		if (def && def->named && t->detail->names)
			return TEXT_NONE;
	}
	return found;
}
