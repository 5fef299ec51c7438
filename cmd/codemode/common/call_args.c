/* SPDX-License-Identifier: MIT */
#include "call_args.h"

/* One word: key=value. */
typedef struct pair {
	text key, value;
} pair;

/* Is that one of the types that the schema names? With no "type" at all, each
 * one may be. */
static bool
may_be(json schema, text type)
{
	json types = json_get(schema, TEXT("type")), v;
	json_iter it = json_each(types);

	if (json_kind_of(types) == JSON_STRING)
		return json_is(types, type);
	while (json_next(&it, NULL, &v))
		if (json_is(v, type))
			return true;
	return types.len == 0;
}

static bool
is_array_only(json schema)
{
	return json_get(schema, TEXT("type")).len > 0 &&
	       may_be(schema, TEXT("array")) && !may_be(schema, TEXT("string"));
}

/* What is JSON is taken as that, unless the schema wants a string there. A
 * schema without a type wants anything: "5" is then a number. */
static void
put_call_value(buf *out, json schema, text value)
{
	bool typed = json_get(schema, TEXT("type")).len > 0;

	if (typed && may_be(schema, TEXT("string")))
		json_string(out, value);
	else
		json_or_string(out, value);
}

/* The values of pair i and of all that have its key. */
static void
put_values(buf *out, json schema, const pair *pairs, size_t n, size_t i)
{
	json items = json_get(schema, TEXT("items")), whole;
	size_t same = 0;

	for (size_t k = i; k < n; k++)
		same += text_eq(pairs[k].key, pairs[i].key);
	if (same == 1 &&
	    (!is_array_only(schema) ||
		(json_check(pairs[i].value, JSON_DEPTH, &whole, NULL) &&
		    json_kind_of(whole) == JSON_ARRAY))) {
		put_call_value(out, schema, pairs[i].value);
		return;
	}
	buf_byte(out, '[');
	for (size_t k = i; k < n; k++) {
		if (!text_eq(pairs[k].key, pairs[i].key))
			continue;
		json_element(out);
		put_call_value(out, items, pairs[k].value);
	}
	buf_byte(out, ']');
}

static bool
is_first_of_key(const pair *pairs, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (text_eq(pairs[k].key, pairs[i].key))
			return false;
	return true;
}

const char *
call_args(json schema, int n, char *const *words, buf *out, pool *p)
{
	json properties = json_get(schema, TEXT("properties")), whole;
	size_t len = (size_t)n;
	pair *pairs = pool_new(p, (len + 1) * sizeof(*pairs));

	if (n == 1 && json_check(text_of(words[0]), JSON_DEPTH, &whole, NULL) &&
	    json_kind_of(whole) == JSON_OBJECT) {
		buf_text(out, whole);
		return NULL;
	}
	for (size_t i = 0; i < len; i++) {
		text word = text_of(words[i]);
		size_t equals = text_find(word, TEXT("="), 0);

		if (equals == SIZE_MAX || equals == 0)
			return pool_printf(p,
			    "\"%.80s\" is neither key=value nor a JSON object",
			    words[i]);
		if (utf8_bad(word) != SIZE_MAX)
			return pool_printf(
			    p, "\"%.80s\" is not UTF-8", words[i]);
		pairs[i] = (pair){text_sub(word, 0, equals),
		    text_sub(word, equals + 1, word.len)};
	}
	buf_byte(out, '{');
	for (size_t i = 0; i < len; i++) {
		if (!is_first_of_key(pairs, i))
			continue;
		buf_str(out, i > 0 ? "," : "");
		json_string(out, pairs[i].key);
		buf_byte(out, ':');
		put_values(
		    out, json_get(properties, pairs[i].key), pairs, len, i);
	}
	buf_byte(out, '}');
	return NULL;
}
