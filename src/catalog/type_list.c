/* SPDX-License-Identifier: MIT */
/*
 * type_list.c -- arrays and tuples. Lengths never unfold into tuples: a list
 * of up to 1,000 elements is an array.
 */
#include "type_write.h"

/* T[] for a plain word, Array<T> for the rest. */
static void
make_array(typing *t, size_t at)
{
	text item = text_sub(buf_view(t->out), at, SIZE_MAX);
	bool plain = true;

	for (size_t i = 0; i < item.len; i++)
		plain = plain && item.ptr[i] >= 'a' && item.ptr[i] <= 'z';
	if (plain) {
		buf_str(t->out, "[]");
		return;
	}
	type_insert(t, at, "Array<");
	buf_byte(t->out, '>');
}

static void
write_list(typing *t, json items)
{
	size_t at = t->out->len;

	if (json_kind_of(items) == JSON_FALSE) {
		buf_str(t->out, "[]");
		return;
	}
	type_write(t, items);
	make_array(t, at);
}

/* An element that may be missing: T?, with brackets where T needs them. */
static void
write_optional(typing *t, json item)
{
	size_t at = t->out->len;
	type_shape shape = type_write(t, item);

	if (shape != TS_ATOM) {
		type_insert(t, at, "(");
		buf_byte(t->out, ')');
	}
	buf_byte(t->out, '?');
}

static int64_t
bound_of(json schema, const char *key, int64_t otherwise)
{
	json_int(json_get(schema, text_of(key)), &otherwise);
	return otherwise;
}

/* rest: what may follow the fixed elements; false: nothing. A compiler needs the
 * types of optional and further elements as a whole, as if no array were around
 * them. */
static void
write_tuple(typing *t, json schema, json fixed, json rest)
{
	int64_t least = bound_of(schema, "minItems", 0), n = 0;
	int64_t most = bound_of(schema, "maxItems", INT64_MAX);
	unsigned outside = t->guards;
	json_iter it = json_each(fixed);
	json item;

	buf_byte(t->out, '[');
	for (; n < most && !t->out->bad && json_next(&it, NULL, &item); n++) {
		buf_str(t->out, n ? ", " : "");
		t->guards = outside + (n < least);
		if (n >= least)
			write_optional(t, item);
		else
			type_write(t, item);
	}
	t->guards = outside;
	if (n < most && json_kind_of(rest) != JSON_FALSE) {
		buf_str(t->out, n ? ", ..." : "...");
		write_list(t, rest);
	}
	buf_byte(t->out, ']');
}

static void
write_guarded_list(typing *t, json items)
{
	t->guards++;
	write_list(t, items);
	t->guards--;
}

/* Draft 2020-12 says prefixItems and items, earlier ones items (a list) and
 * additionalItems. */
type_shape
type_array(typing *t, json schema)
{
	json items = json_get(schema, TEXT("items"));
	json prefix = json_get(schema, TEXT("prefixItems"));

	if (json_kind_of(prefix) == JSON_ARRAY && json_len(prefix))
		write_tuple(t, schema, prefix, items);
	else if (json_kind_of(items) == JSON_ARRAY)
		write_tuple(t, schema, items,
		    json_get(schema, TEXT("additionalItems")));
	else
		write_guarded_list(t, items);
	t->width = 1;
	return TS_ATOM;
}
