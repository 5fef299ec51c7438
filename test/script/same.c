/* SPDX-License-Identifier: MIT */
/*
 * same.c -- compares JSON by meaning, not by bytes.
 *
 * Equal bytes are equal at once; so a value that is nested very deep costs no
 * stack unless it was spelled in two ways.
 */
#include "same.h"

#define STRING_MAX ((size_t)256 << 20)

static bool
same_string(json a, json b)
{
	buf x = BUF_INIT(NULL, STRING_MAX);
	buf y = BUF_INIT(NULL, STRING_MAX);
	bool same = json_unescape(a, &x) && json_unescape(b, &y) &&
		    text_eq(buf_view(&x), buf_view(&y));

	buf_fini(&x);
	buf_fini(&y);
	return same;
}

static bool
same_number(json a, json b)
{
	double x = 0, y = 0;

	return json_double(a, &x) && json_double(b, &y) && x <= y && x >= y;
}

static bool
same_elements(json a, json b)
{
	json_iter in_a = json_each(a);
	json_iter in_b = json_each(b);
	json key_a, key_b, x, y;

	for (;;) {
		bool more = json_next(&in_a, &key_a, &x);

		if (json_next(&in_b, &key_b, &y) != more)
			return false;
		if (!more)
			return true;
		if (in_a.object && !same_string(key_a, key_b))
			return false;
		if (!json_same(x, y))
			return false;
	}
}

bool
json_same(json a, json b)
{
	json_kind kind = json_kind_of(a);

	if (text_eq(a, b))
		return true;
	if (json_kind_of(b) != kind)
		return false;
	if (kind == JSON_STRING)
		return same_string(a, b);
	if (kind == JSON_NUMBER)
		return same_number(a, b);
	if (kind == JSON_ARRAY || kind == JSON_OBJECT)
		return same_elements(a, b);
	return true;
}
