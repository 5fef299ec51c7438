/* SPDX-License-Identifier: MIT */
/*
 * signature.c -- JSON Schema in a few words: only what a line has room for.
 *
 * A schema that says something this does not follow (references, unions of
 * objects, conditions) is "any" here, never something wrong.
 */
#include "signature.h"

/* How much of a schema is written; what is left out shows as "...". */
typedef struct limits {
	unsigned nested;
	size_t members;
	size_t choices;
} limits;

static const limits for_a_line = {2, 8, 6};
static const limits for_a_call = {4, 64, 32};

static void type(json schema, unsigned depth, const limits *l, buf *out);

static bool
is_required(json schema, text key)
{
	json_iter it = json_each(json_get(schema, TEXT("required")));
	json name;

	while (json_next(&it, NULL, &name))
		if (json_is(name, key))
			return true;
	return false;
}

static bool
is_identifier(text t)
{
	for (size_t i = 0; i < t.len; i++) {
		char c = t.ptr[i];
		bool letter = (c >= 'a' && c <= 'z') ||
			      (c >= 'A' && c <= 'Z') || c == '_' || c == '$';

		if (!letter && (i == 0 || c < '0' || c > '9'))
			return false;
	}
	return t.len > 0;
}

static void
member(json schema, json key, json value, unsigned depth, const limits *l,
    buf *out)
{
	buf name = BUF_INIT(NULL, 4096);

	json_unescape(key, &name);
	if (is_identifier(buf_view(&name)))
		buf_text(out, buf_view(&name));
	else
		buf_text(out, key);
	if (!is_required(schema, buf_view(&name)))
		buf_byte(out, '?');
	buf_str(out, ": ");
	type(value, depth, l, out);
	buf_fini(&name);
}

static void
object(json schema, unsigned depth, const limits *l, buf *out)
{
	json properties = json_get(schema, TEXT("properties"));
	json_iter it = json_each(properties);
	json key, value;

	if (json_len(properties) == 0 || depth >= l->nested) {
		buf_str(out, json_len(properties) == 0 ? "{}" : "{ ... }");
		return;
	}
	buf_str(out, "{ ");
	for (size_t i = 0; json_next(&it, &key, &value); i++) {
		if (i > 0)
			buf_str(out, ", ");
		if (i == l->members) {
			buf_str(out, "...");
			break;
		}
		member(schema, key, value, depth + 1, l, out);
	}
	buf_str(out, " }");
}

/* Values, or types, with | between them. */
static void
choices(json list, bool schemas, unsigned depth, const limits *l, buf *out)
{
	json_iter it = json_each(list);
	json v;

	for (size_t i = 0; json_next(&it, NULL, &v); i++) {
		if (i > 0)
			buf_str(out, " | ");
		if (i == l->choices) {
			buf_str(out, "...");
			return;
		}
		if (schemas)
			type(v, depth, l, out);
		else
			json_compact(out, v);
	}
}

static void
array(json schema, unsigned depth, const limits *l, buf *out)
{
	json items = json_get(schema, TEXT("items"));
	bool many =
	    json_len(json_get(items, TEXT("enum"))) > 1 ||
	    json_len(json_get(items, TEXT("type"))) > 1 ||
	    json_kind_of(json_get(items, TEXT("anyOf"))) == JSON_ARRAY ||
	    json_kind_of(json_get(items, TEXT("oneOf"))) == JSON_ARRAY;

	if (many)
		buf_byte(out, '(');
	type(items, depth, l, out);
	buf_str(out, many ? ")[]" : "[]");
}

static void
named_type(json schema, json name, unsigned depth, const limits *l, buf *out)
{
	if (json_is(name, TEXT("object")))
		object(schema, depth, l, out);
	else if (json_is(name, TEXT("array")))
		array(schema, depth, l, out);
	else if (json_is(name, TEXT("integer")))
		buf_str(out, "number");
	else if (json_is(name, TEXT("string")) ||
		 json_is(name, TEXT("number")) ||
		 json_is(name, TEXT("boolean")) || json_is(name, TEXT("null")))
		json_unescape(name, out);
	else
		buf_str(out, "any");
}

static void
type(json schema, unsigned depth, const limits *l, buf *out)
{
	json one = json_get(schema, TEXT("const"));
	json values = json_get(schema, TEXT("enum"));
	json any_of = json_get(schema, TEXT("anyOf"));
	json name = json_get(schema, TEXT("type"));
	json_iter it = json_each(name);
	json part;

	if (any_of.len == 0)
		any_of = json_get(schema, TEXT("oneOf"));
	if (one.len > 0)
		json_compact(out, one);
	else if (json_len(values) > 0)
		choices(values, false, depth, l, out);
	else if (json_len(any_of) > 0)
		choices(any_of, true, depth, l, out);
	else if (json_kind_of(name) == JSON_ARRAY)
		for (size_t i = 0; json_next(&it, NULL, &part); i++) {
			buf_str(out, i > 0 ? " | " : "");
			named_type(schema, part, depth, l, out);
		}
	else if (name.len == 0 &&
		 json_len(json_get(schema, TEXT("properties"))) > 0)
		object(schema, depth, l, out);
	else
		named_type(schema, name, depth, l, out);
}

/* Is more said of the arguments than the properties that there are not? */
static bool
is_composed(json schema)
{
	static const char *const parts[] = {"$ref", "allOf", "anyOf", "oneOf"};
	bool composed = false;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		composed |= json_get(schema, text_of(parts[i])).len > 0;
	return composed;
}

static void
describe(const cm_tool *tool, text path, const limits *l, buf *out)
{
	json properties = json_get(tool->input_schema, TEXT("properties"));

	buf_text(out, path);
	buf_byte(out, '(');
	if (json_len(properties) > 0)
		type(tool->input_schema, 0, l, out);
	else if (is_composed(tool->input_schema))
		buf_str(out, "any");
	buf_str(out, "): Promise<");
	if (tool->output_schema.len > 0)
		type(tool->output_schema, 1, l, out);
	else
		buf_str(out, "any");
	buf_byte(out, '>');
}

void
signature(const cm_tool *tool, text path, buf *out)
{
	describe(tool, path, &for_a_line, out);
}

void
signature_whole(const cm_tool *tool, text path, buf *out)
{
	describe(tool, path, &for_a_call, out);
}
