/* SPDX-License-Identifier: MIT */
/*
 * schema_ids.c -- which places of a schema have names ($id, $anchor,
 * $dynamicAnchor), and where a reference leads to.
 *
 * Only what is a schema can have a name: values in const and enum, and members
 * that no keyword knows, are not looked at.
 */
#include "schema_parts.h"

/* What a keyword holds. */
typedef enum holding {
	HOLDS_SCHEMA,
	HOLDS_LIST,
	HOLDS_EITHER,
	HOLDS_MAP
} holding;

static const struct {
	text name;
	holding holds;
} keywords[] = {
    {TEXT_INIT("additionalItems"), HOLDS_SCHEMA},
    {TEXT_INIT("additionalProperties"), HOLDS_SCHEMA},
    {TEXT_INIT("allOf"), HOLDS_LIST},
    {TEXT_INIT("anyOf"), HOLDS_LIST},
    {TEXT_INIT("contains"), HOLDS_SCHEMA},
    {TEXT_INIT("$defs"), HOLDS_MAP},
    {TEXT_INIT("definitions"), HOLDS_MAP},
    {TEXT_INIT("dependencies"), HOLDS_MAP},
    {TEXT_INIT("dependentSchemas"), HOLDS_MAP},
    {TEXT_INIT("else"), HOLDS_SCHEMA},
    {TEXT_INIT("if"), HOLDS_SCHEMA},
    {TEXT_INIT("items"), HOLDS_EITHER},
    {TEXT_INIT("not"), HOLDS_SCHEMA},
    {TEXT_INIT("oneOf"), HOLDS_LIST},
    {TEXT_INIT("patternProperties"), HOLDS_MAP},
    {TEXT_INIT("prefixItems"), HOLDS_LIST},
    {TEXT_INIT("properties"), HOLDS_MAP},
    {TEXT_INIT("propertyNames"), HOLDS_SCHEMA},
    {TEXT_INIT("then"), HOLDS_SCHEMA},
    {TEXT_INIT("unevaluatedItems"), HOLDS_SCHEMA},
    {TEXT_INIT("unevaluatedProperties"), HOLDS_SCHEMA},
};

static uint32_t
add_resource(compiler *c, text uri, uint32_t at)
{
	schema_resource *r = c->resources;

	if (c->resources_len == c->resources_cap)
		r = arena_grow(&c->scratch, r, &c->resources_cap,
		    c->resources_len, sizeof(*r));
	if (r == NULL) {
		c->failed = true;
		return 0;
	}
	c->resources = r;
	r[c->resources_len] = (schema_resource){uri, at};
	return (uint32_t)c->resources_len++;
}

static void
add_anchor(compiler *c, text name, uint32_t resource, uint32_t at, bool dynamic)
{
	named_place *a = c->anchors;

	if (c->anchors_len == c->anchors_cap)
		a = arena_grow(&c->scratch, a, &c->anchors_cap, c->anchors_len,
		    sizeof(*a));
	if (a == NULL) {
		c->failed = true;
		return;
	}
	c->anchors = a;
	a[c->anchors_len++] = (named_place){name, resource, at, dynamic};
}

/* The member as text; empty: there is none, or it is no string. */
static text
string_member_of(compiler *c, uint32_t at, const char *name)
{
	uint32_t i = tree_get(c, at, name);

	return tree_kind(c, i) == JSON_STRING ? tree_text(c, c->tree[i].value)
					      : TEXT_NONE;
}

/* The schema at `at`, which belongs to the resource of that number so far. */
static uint32_t
collect_own(compiler *c, uint32_t at, uint32_t resource)
{
	text id = string_member_of(c, at, "$id"), name;
	size_t hash = text_find(id, TEXT("#"), 0);
	text before = text_sub(id, 0, hash);

	if (c->draft7 && tree_get(c, at, "$ref") != SCHEMA_NONE)
		return resource;
	if (before.len > 0)
		resource = add_resource(c,
		    uri_resolve(
			&c->scratch, c->resources[resource].uri, before),
		    at);
	if (c->draft7 && hash != SIZE_MAX && hash + 1 < id.len)
		add_anchor(
		    c, text_sub(id, hash + 1, id.len), resource, at, false);
	if (c->draft7)
		return resource;
	if ((name = string_member_of(c, at, "$anchor")).len > 0)
		add_anchor(c, name, resource, at, false);
	if ((name = string_member_of(c, at, "$dynamicAnchor")).len > 0)
		add_anchor(c, name, resource, at, true);
	return resource;
}

static void collect_schema(compiler *c, uint32_t at, uint32_t resource);

static void
collect_children(compiler *c, uint32_t at, uint32_t resource)
{
	for (at = c->tree[at].first; at != SCHEMA_NONE && !c->failed;
	     at = c->tree[at].next)
		collect_schema(c, at, resource);
}

/* Recursion ends: the tree is at most DEEP_MAX deep. */
static void
collect_schema(compiler *c, uint32_t at, uint32_t resource)
{
	uint32_t i;

	if (tree_kind(c, at) != JSON_OBJECT)
		return;
	resource = collect_own(c, at, resource);
	c->tree[at].resource = resource;
	for (i = c->tree[at].first; i != SCHEMA_NONE; i = c->tree[i].next) {
		json_kind kind = tree_kind(c, i);

		for (size_t k = 0; k < sizeof(keywords) / sizeof(*keywords);
		     k++) {
			holding holds = keywords[k].holds;

			if (!json_is(c->tree[i].key, keywords[k].name))
				continue;
			if (holds == HOLDS_MAP ? kind == JSON_OBJECT
					       : kind == JSON_ARRAY)
				collect_children(c, i, resource);
			else
				collect_schema(c, i, resource);
			break;
		}
	}
}

void
ids_collect(compiler *c)
{
	add_resource(c, TEXT(""), 0);
	if (!c->failed)
		collect_schema(c, 0, 0);
}

uint32_t
ids_resource(const compiler *c, uint32_t at)
{
	while (c->tree[at].resource == SCHEMA_NONE && at != 0)
		at = c->tree[at].parent;
	return c->tree[at].resource == SCHEMA_NONE ? 0 : c->tree[at].resource;
}

/* ------------------------------------------------------------ references */

static int
hex_digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The fragment without its %XX. */
static text
undo_percents(compiler *c, text t)
{
	char *out = arena_take(&c->scratch, t.len + 1);
	size_t n = 0;

	if (out == NULL) {
		c->failed = true;
		return TEXT_NONE;
	}
	for (size_t i = 0; i < t.len; i++) {
		int high = t.len - i > 2 ? hex_digit_of(t.ptr[i + 1]) : -1;
		int low = t.len - i > 2 ? hex_digit_of(t.ptr[i + 2]) : -1;

		out[n] = t.ptr[i];
		if (t.ptr[i] == '%' && high >= 0 && low >= 0) {
			out[n] = (char)(unsigned char)(high << 4 | low);
			i += 2;
		}
		n++;
	}
	return (text){out, n};
}

/* One step of a JSON pointer: ~1 is /, ~0 is ~. */
static uint32_t
pointer_step(compiler *c, uint32_t at, text step)
{
	char *out = arena_take(&c->scratch, step.len + 1);
	size_t n = 0;

	if (out == NULL) {
		c->failed = true;
		return SCHEMA_NONE;
	}
	for (size_t i = 0; i < step.len; i++) {
		out[n] = step.ptr[i];
		if (step.ptr[i] == '~' && i + 1 < step.len)
			out[n] = step.ptr[++i] == '1' ? '/' : '~';
		n++;
	}
	return tree_step(c, at, (text){out, n});
}

static uint32_t
follow_steps(compiler *c, uint32_t at, text pointer)
{
	size_t from = 1, end;

	while (from <= pointer.len && at != SCHEMA_NONE) {
		end = text_find(pointer, TEXT("/"), from);
		if (end == SIZE_MAX)
			end = pointer.len;
		at = pointer_step(c, at, text_sub(pointer, from, end));
		from = end + 1;
	}
	return at;
}

static uint32_t
find_anchor(const compiler *c, uint32_t resource, text name)
{
	for (size_t i = 0; i < c->anchors_len; i++)
		if (c->anchors[i].resource == resource &&
		    text_eq(c->anchors[i].name, name))
			return c->anchors[i].at;
	return SCHEMA_NONE;
}

/* SCHEMA_NONE: it is not part of this schema. */
static uint32_t
find_resource(compiler *c, uint32_t from, text uri)
{
	if (uri.len == 0)
		return from;
	uri = uri_resolve(&c->scratch, c->resources[from].uri, uri);
	for (uint32_t i = 0; i < c->resources_len; i++)
		if (text_eq(c->resources[i].uri, uri))
			return i;
	return SCHEMA_NONE;
}

uint32_t
ids_find(compiler *c, uint32_t at, text ref, text *fragment)
{
	size_t hash = text_find(ref, TEXT("#"), 0);
	uint32_t r =
	    find_resource(c, ids_resource(c, at), text_sub(ref, 0, hash));
	uint32_t found;

	*fragment = hash == SIZE_MAX
			? TEXT_NONE
			: undo_percents(c, text_sub(ref, hash + 1, ref.len));
	if (c->failed)
		return SCHEMA_NONE;
	if (r == SCHEMA_NONE) {
		schema_note_gap(c, at, "lies elsewhere", ref);
		return SCHEMA_NONE;
	}
	found = c->resources[r].at;
	if (fragment->len > 0)
		found = fragment->ptr[0] == '/'
			    ? follow_steps(c, found, *fragment)
			    : find_anchor(c, r, *fragment);
	if (found == SCHEMA_NONE)
		schema_refuse(c, at, "refers to nothing");
	return found;
}

bool
ids_is_dynamic(const compiler *c, uint32_t at, text name)
{
	for (size_t i = 0; i < c->anchors_len; i++)
		if (c->anchors[i].at == at && c->anchors[i].dynamic &&
		    text_eq(c->anchors[i].name, name))
			return true;
	return false;
}
