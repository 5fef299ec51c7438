/* SPDX-License-Identifier: MIT */
/*
 * test_buf.c -- buffers and growing arrays: contents, maximum, and what is
 * left when memory runs out.
 */
#include "unit.h"

static void
appends_in_order(void **state)
{
	buf b = BUF_INIT(NULL, 1000);

	(void)state;
	buf_str(&b, "one");
	buf_byte(&b, ' ');
	buf_text(&b, TEXT("two"));
	buf_text(&b, TEXT_NONE);
	buf_printf(&b, " %d %s", 3, "four");
	assert_str(buf_view(&b), "one two 3 four");
	buf_drop(&b, 4);
	assert_str(buf_view(&b), "two 3 four");
	buf_drop(&b, 99);
	assert_int_equal(b.len, 0);
	assert_int_equal(b.bad, CM_OK);
	buf_fini(&b);
	assert_null(b.ptr);
}

static void
never_passes_its_maximum(void **state)
{
	buf b = BUF_INIT(NULL, 5);

	(void)state;
	buf_str(&b, "abc");
	buf_str(&b, "def");
	assert_int_equal(b.bad, CM_ELIMIT);
	buf_byte(&b, 'x'); /* would fit, but the buffer is bad already */
	assert_str(buf_view(&b), "abc");
	assert_null(buf_room(&b, 0));
	buf_clear(&b);
	buf_printf(&b, "%s", "12345"); /* the whole maximum, without the NUL */
	assert_int_equal(b.bad, CM_OK);
	assert_str(buf_view(&b), "12345");
	buf_byte(&b, '6');
	assert_int_equal(b.bad, CM_ELIMIT);
	assert_str(buf_view(&b), "12345");
	buf_fini(&b);
}

static void
a_maximum_of_nothing(void **state)
{
	buf b = BUF_INIT(NULL, 0);

	(void)state;
	buf_str(&b, "");
	buf_printf(&b, "%s", "");
	assert_int_equal(b.bad, CM_OK);
	buf_byte(&b, 'x');
	assert_int_equal(b.bad, CM_ELIMIT);
	buf_fini(&b);
}

static void
sizes_that_overflow_are_refused(void **state)
{
	buf b = BUF_INIT(NULL, SIZE_MAX);

	(void)state;
	buf_byte(&b, 'x');
	assert_null(buf_room(&b, SIZE_MAX));
	assert_int_equal(b.bad, CM_ELIMIT);
	buf_fini(&b);
}

static void
room_is_written_by_hand(void **state)
{
	buf b = BUF_INIT(NULL, 1 << 20);
	char *p = buf_room(&b, 100000);

	(void)state;
	memset(p, 'a', 100000);
	b.len += 100000;
	buf_byte(&b, 'b');
	assert_int_equal(b.len, 100001);
	assert_int_equal(b.ptr[100000], 'b');
	buf_fini(&b);
}

static void
taken_bytes_belong_to_the_taker(void **state)
{
	struct hoard h = {0, SIZE_MAX};
	cm_alloc alloc = HOARD_ALLOC(&h);
	buf b = BUF_INIT(&alloc, 1000);
	size_t len, size;
	char *p;

	(void)state;
	buf_str(&b, "mine");
	p = buf_take(&b, &len, &size);
	assert_int_equal(len, 4);
	assert_memory_equal(p, "mine", 4);
	assert_int_equal(h.bytes, size);
	buf_str(&b, "next");
	assert_str(buf_view(&b), "next");
	mem_free(&alloc, p, size);
	buf_fini(&b);
	assert_int_equal(h.bytes, 0);
}

/* Whichever request fails, what was there stays and nothing leaks. */
static void
memory_runs_out(void **state)
{
	(void)state;
	for (size_t left = 0; left <= 6; left++) {
		struct hoard h = {0, left};
		cm_alloc alloc = HOARD_ALLOC(&h);
		buf b = BUF_INIT(&alloc, 1 << 20);
		size_t whole = 0;

		for (int i = 0; i < 200 && !b.bad; i++, whole += !b.bad)
			buf_str(&b, "0123456789");
		assert_int_equal(b.bad, left < 6 ? CM_ENOMEM : CM_OK);
		assert_int_equal(b.len, whole * 10);
		buf_fini(&b);
		assert_int_equal(h.bytes, 0);
	}
}

static void
arrays_double(void **state)
{
	struct hoard h = {0, 3};
	cm_alloc alloc = HOARD_ALLOC(&h);
	size_t cap = 0, len = 0;
	int *list = NULL;

	(void)state;
	for (; mem_grow(&alloc, (void **)&list, &cap, len, sizeof(*list));
	     len++)
		list[len] = (int)len;
	assert_int_equal(len, 32); /* 8, 16, 32, then the memory is gone */
	assert_int_equal(cap, 32);
	for (size_t i = 0; i < len; i++)
		assert_int_equal(list[i], i);
	mem_free(&alloc, list, cap * sizeof(*list));
	assert_int_equal(h.bytes, 0);
	/* sizes that would wrap around are refused before any memory is asked */
	cap = SIZE_MAX / 2 + 1;
	assert_false(mem_grow(&alloc, (void **)&list, &cap, cap, 1));
	h.left = 9;
	cap = SIZE_MAX / 16 + 1;
	assert_false(mem_grow(&alloc, (void **)&list, &cap, cap, 16));
	assert_int_equal(h.left, 9);
}

static void
new_memory_is_zero(void **state)
{
	static const char zero[64];
	char *p = mem_new(NULL, 64);

	(void)state;
	assert_memory_equal(p, zero, 64);
	memset(p, 1, 64);
	p = mem_resize(NULL, p, 64, 128);
	assert_int_equal(p[63], 1);
	mem_free(NULL, p, 128);
	mem_free(NULL, NULL, 0);
}

/* A reader that takes little at a time from a buffer that never empties. */
static void
sent_bytes_are_dropped(void **state)
{
	buf b = BUF_INIT(NULL, 1 << 20);
	size_t sent = 0;

	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		buf_str(&b, "0123456789");
		if (i >= 10) {
			assert_int_equal(b.ptr[sent], '0');
			buf_sent(&b, &sent, 10);
		}
		assert_true(b.len < 300);
	}
	assert_int_equal(b.len - sent, 100);
	buf_sent(&b, &sent, 100);
	assert_int_equal(b.len, 0);
	assert_int_equal(sent, 0);
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sent_bytes_are_dropped),
	    cmocka_unit_test(appends_in_order),
	    cmocka_unit_test(never_passes_its_maximum),
	    cmocka_unit_test(a_maximum_of_nothing),
	    cmocka_unit_test(sizes_that_overflow_are_refused),
	    cmocka_unit_test(room_is_written_by_hand),
	    cmocka_unit_test(taken_bytes_belong_to_the_taker),
	    cmocka_unit_test(memory_runs_out),
	    cmocka_unit_test(arrays_double),
	    cmocka_unit_test(new_memory_is_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
