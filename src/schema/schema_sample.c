/* SPDX-License-Identifier: MIT */
/* schema_sample.c -- see schema_sample.h. */
#include "schema_sample.h"

#include <inttypes.h>

enum {
	SAMPLE_DEPTH = 24,
	SAMPLE_STEPS = 2000,
	SAMPLE_ITEMS = 3,
	TEXT_LEAST = 1000
};

typedef struct sampler {
	json root;
	buf *out;
	unsigned steps; /* schemas that may still be read */
} sampler;

static void put_sample(sampler *s, json schema, unsigned depth);

/* What a reference into the document means; missing: it lies elsewhere. */
static json
referred(const sampler *s, json ref)
{
	buf pointer = BUF_INIT(NULL, 4096);
	text rest, step;
	json at = s->root;

	json_unescape(ref, &pointer);
	rest = buf_view(&pointer);
	if (!text_starts(rest, TEXT("#")) ||
	    text_find(rest, TEXT("~"), 0) != SIZE_MAX)
		at = TEXT_NONE;
	rest = text_sub(rest, 1, rest.len);
	while (at.len > 0 && rest.len > 1) {
		size_t end = text_find(rest, TEXT("/"), 1);

		step = text_sub(rest, 1, end);
		at = json_kind_of(at) == JSON_ARRAY
			 ? json_at(at, text_decimal(step, &(size_t){0}))
			 : json_get(at, step);
		rest = text_sub(rest, end, rest.len);
	}
	buf_fini(&pointer);
	return at;
}

/* A value that the schema itself has; missing: none. */
static json
named_value(json schema)
{
	json v = json_get(schema, TEXT("const"));

	if (v.len == 0)
		v = json_get(schema, TEXT("default"));
	if (v.len == 0)
		v = json_at(json_get(schema, TEXT("examples")), 0);
	return v.len > 0 ? v : json_at(json_get(schema, TEXT("enum")), 0);
}

static void
put_text_sample(sampler *s, json schema)
{
	static const struct {
		const char *format, *value;
	} formats[] = {
	    {"date-time", "1970-01-01T00:00:00Z"},
	    {"date", "1970-01-01"},
	    {"time", "00:00:00Z"},
	    {"uri", "https://example.com/"},
	    {"email", "someone@example.com"},
	    {"uuid", "00000000-0000-4000-8000-000000000000"},
	};
	json format = json_get(schema, TEXT("format"));
	int64_t least = 0;

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (json_is(format, text_of(formats[i].format))) {
			json_string(s->out, text_of(formats[i].value));
			return;
		}
	json_int(json_get(schema, TEXT("minLength")), &least);
	buf_byte(s->out, '"');
	for (; least > 0 && least <= TEXT_LEAST; least--)
		buf_byte(s->out, 'x');
	buf_byte(s->out, '"');
}

static void
put_number_sample(sampler *s, json schema)
{
	json least = json_get(schema, TEXT("minimum"));
	int64_t above = 0;

	if (json_int(json_get(schema, TEXT("exclusiveMinimum")), &above) &&
	    above < INT64_MAX)
		buf_printf(s->out, "%" PRId64, above + 1);
	else
		buf_text(s->out,
		    json_kind_of(least) == JSON_NUMBER ? least : TEXT("0"));
}

static void
put_array_sample(sampler *s, json schema, unsigned depth)
{
	json first = json_get(schema, TEXT("prefixItems"));
	json items = json_get(schema, TEXT("items"));
	int64_t least = 0;

	json_int(json_get(schema, TEXT("minItems")), &least);
	buf_byte(s->out, '[');
	for (int64_t i = 0; i < least && i < SAMPLE_ITEMS; i++) {
		json one = json_at(first, (size_t)i);

		buf_str(s->out, i > 0 ? "," : "");
		put_sample(s, one.len > 0 ? one : items, depth);
	}
	buf_byte(s->out, ']');
}

static void
put_object_sample(sampler *s, json schema, unsigned depth)
{
	json properties = json_get(schema, TEXT("properties"));
	json_iter it = json_each(json_get(schema, TEXT("required")));
	json name;
	bool more = false;

	buf_byte(s->out, '{');
	while (json_next(&it, NULL, &name)) {
		buf plain = BUF_INIT(NULL, 4096);

		if (json_unescape(name, &plain)) {
			buf_str(s->out, more ? "," : "");
			buf_text(s->out, name);
			buf_byte(s->out, ':');
			put_sample(
			    s, json_get(properties, buf_view(&plain)), depth);
			more = true;
		}
		buf_fini(&plain);
	}
	buf_byte(s->out, '}');
}

/* The type that a value shall have: the first that is not null. */
static json
wanted_type(json schema)
{
	json type = json_get(schema, TEXT("type")), one;
	json_iter it = json_each(type);

	if (json_kind_of(type) == JSON_ARRAY)
		while (json_next(&it, NULL, &one))
			if (!json_is(one, TEXT("null")))
				return one;
	if (type.len == 0 && json_present(json_get(schema, TEXT("properties"))))
		return TEXT("\"object\"");
	return type;
}

static void
put_typed_sample(sampler *s, json schema, unsigned depth)
{
	json type = wanted_type(schema);

	if (json_is(type, TEXT("object")))
		put_object_sample(s, schema, depth);
	else if (json_is(type, TEXT("array")))
		put_array_sample(s, schema, depth);
	else if (json_is(type, TEXT("string")))
		put_text_sample(s, schema);
	else if (json_is(type, TEXT("number")) ||
		 json_is(type, TEXT("integer")))
		put_number_sample(s, schema);
	else
		buf_str(
		    s->out, json_is(type, TEXT("boolean")) ? "false" : "null");
}

/* The first of the schemas that this one is made of; missing: it is whole. */
static json
first_part(const sampler *s, json schema)
{
	static const text lists[] = {
	    TEXT_INIT("oneOf"), TEXT_INIT("anyOf"), TEXT_INIT("allOf")};
	json ref = json_get(schema, TEXT("$ref"));

	if (ref.len > 0)
		return referred(s, ref);
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		json part = json_at(json_get(schema, lists[i]), 0);

		if (part.len > 0 && wanted_type(schema).len == 0)
			return part;
	}
	return TEXT_NONE;
}

static void
put_sample(sampler *s, json schema, unsigned depth)
{
	json v, part;

	if (depth == SAMPLE_DEPTH || s->steps == 0 ||
	    json_kind_of(schema) != JSON_OBJECT) {
		buf_str(s->out, "null");
		return;
	}
	s->steps--;
	v = named_value(schema);
	part = first_part(s, schema);
	if (v.len > 0)
		buf_text(s->out, v);
	else if (part.len > 0)
		put_sample(s, part, depth + 1);
	else
		put_typed_sample(s, schema, depth + 1);
}

void
schema_sample(json schema, buf *out)
{
	sampler s = {schema, out, SAMPLE_STEPS};

	put_sample(&s, schema, 0);
}
