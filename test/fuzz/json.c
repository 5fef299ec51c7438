/* SPDX-License-Identifier: MIT */
/*
 * json.c -- fuzz target: the JSON reader and its writers. What is JSON stays
 * the same JSON, however it is written; everything in it can be read.
 */
#include "fuzz.h"

#include "base/json.h"

enum { DEPTH = 200, MOST = 1 << 26 };

static bool
inside(text part, text whole)
{
	return part.len == 0 ||
	       (part.ptr >= whole.ptr &&
		   part.ptr + part.len <= whole.ptr + whole.len);
}

/* Reads every value in every way. */
static void
read_all(json v, buf *words)
{
	json_iter it = json_each(v);
	json key, value;
	size_t n = 0;
	int64_t whole;
	double d = 0;

	HOLDS(json_kind_of(v) != JSON_MISSING);
	buf_clear(words);
	HOLDS(json_unescape(v, words) == (json_kind_of(v) == JSON_STRING));
	HOLDS(utf8_bad(buf_view(words)) == SIZE_MAX);
	if (json_kind_of(v) == JSON_STRING)
		HOLDS(json_is(v, buf_view(words)) ||
		      text_find(v, TEXT("\\u"), 0) != SIZE_MAX);
	if (json_int(v, &whole))
		HOLDS(json_double(v, &d));
	while (json_next(&it, &key, &value)) {
		HOLDS(inside(value, v) && inside(key, v));
		if (n < 3)
			HOLDS(it.object || text_eq(json_at(v, n), value));
		read_all(value, words);
		n++;
	}
	HOLDS(n == json_len(v));
}

static void
write_again(json v)
{
	buf compact = BUF_INIT(NULL, MOST), pretty = BUF_INIT(NULL, MOST),
	    again = BUF_INIT(NULL, MOST);
	json read;

	json_compact(&compact, v);
	json_pretty(&pretty, v);
	HOLDS(compact.bad == CM_OK && pretty.bad == CM_OK);
	HOLDS(json_check(buf_view(&pretty), DEPTH, &read, NULL));
	json_compact(&again, read);
	HOLDS(text_eq(buf_view(&again), buf_view(&compact)));
	HOLDS(json_check(buf_view(&compact), DEPTH, &read, NULL));
	buf_fini(&again);
	buf_fini(&pretty);
	buf_fini(&compact);
}

/* As people write it. */
static void
read_with_comments(text in)
{
	buf blank = BUF_INIT(NULL, MOST);
	json v;

	json_blank_comments(in, &blank);
	HOLDS(blank.len == in.len);
	if (json_check(in, DEPTH, &v, NULL))
		HOLDS(json_check(buf_view(&blank), DEPTH, &v, NULL));
	buf_fini(&blank);
}

static void
write_string(text in)
{
	buf b = BUF_INIT(NULL, MOST), back = BUF_INIT(NULL, MOST);
	json v;

	if (utf8_bad(in) == SIZE_MAX) {
		json_string(&b, in);
		HOLDS(json_check(buf_view(&b), 1, &v, NULL));
		HOLDS(json_unescape(v, &back));
		HOLDS(text_eq(buf_view(&back), in));
	}
	buf_fini(&back);
	buf_fini(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	buf words = BUF_INIT(NULL, MOST);
	json_fault why = {SIZE_MAX, NULL};
	json v;

	if (json_check(in, DEPTH, &v, &why)) {
		HOLDS(inside(v, in) && v.len > 0);
		read_all(v, &words);
		write_again(v);
	} else {
		HOLDS(why.why != NULL && why.at <= len);
	}
	read_with_comments(in);
	write_string(in);
	buf_fini(&words);
	return 0;
}
