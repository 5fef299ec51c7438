/* SPDX-License-Identifier: MIT */
/*
 * test_store.c -- a store can be opened, read and made smaller, however full it
 * is.
 */
#include "unit.h"

#include "engine/store.h"

static store
store_of(const char *values)
{
	json v;
	store s;

	assert_true(json_check(text_of(values), STORE_DEPTH, &v, NULL));
	assert_int_equal(store_init(&s, NULL, v), CM_OK);
	return s;
}

static cm_status
set(store *s, const char *key, text value)
{
	buf why = BUF_INIT(NULL, 4096);
	cm_status r = store_set(s, text_of(key), value, &why);

	assert_int_equal(why.len > 0, r == CM_ELIMIT);
	buf_fini(&why);
	return r;
}

static void
assert_writes(const store *s, const char *wanted)
{
	buf out = BUF_INIT(NULL, 1u << 24);

	store_writes(s, &out);
	assert_str(buf_view(&out), wanted);
	buf_fini(&out);
}

static void
what_is_written_is_told(void **state)
{
	store s = store_of(" {\"a\": [1, 2], \"b\": 2, \"a\": 3} ");

	(void)state;
	assert_str(store_get(&s, TEXT("a")), "3");
	assert_int_equal(set(&s, "c", TEXT("\"x\"")), CM_OK);
	assert_int_equal(set(&s, "a", TEXT_NONE), CM_OK);
	assert_int_equal(store_get(&s, TEXT("a")).len, 0);
	assert_int_equal(set(&s, "none", TEXT_NONE), CM_OK);
	assert_writes(&s, "[[\"a\"],[\"c\",\"x\"],[\"none\"]]");
	store_fini(&s);
}

/* {"k0":"xx...","k1":"xx...", ...}: n values of len characters. */
static store
full_store(unsigned n, unsigned len)
{
	buf b = BUF_INIT(NULL, 1u << 26);
	store s;
	unsigned i;

	for (i = 0; i < n; i++)
		buf_printf(&b, "%s\"k%u\":\"%0*d\"", i ? "," : "{", i, len, 7);
	buf_byte(&b, '}');
	assert_int_equal(store_init(&s, NULL, buf_view(&b)), CM_OK);
	buf_fini(&b);
	return s;
}

static void
a_store_that_is_too_full_can_be_emptied(void **state)
{
	store s = full_store(10, 200000);

	(void)state;
	assert_true(s.units > STORE_TOTAL_MAX);
	assert_int_equal(store_get(&s, TEXT("k9")).len, 200002);
	assert_int_equal(set(&s, "more", TEXT("1")), CM_ELIMIT);
	assert_int_equal(set(&s, "absent", TEXT_NONE), CM_ELIMIT);
	assert_int_equal(set(&s, "k0", TEXT("\"smaller\"")), CM_OK);
	assert_int_equal(set(&s, "k0", TEXT("\"no longer so\"")), CM_ELIMIT);
	for (char key[] = "k1"; key[1] <= '9'; key[1]++)
		assert_int_equal(set(&s, key, TEXT_NONE), CM_OK);
	assert_int_equal(set(&s, "more", TEXT("1")), CM_OK);
	assert_writes(&s,
	    "[[\"k0\",\"smaller\"],[\"k1\"],[\"k2\"],[\"k3\"],[\"k4\"],"
	    "[\"k5\"],[\"k6\"],[\"k7\"],[\"k8\"],[\"k9\"],[\"more\",1]]");
	store_fini(&s);
}

/* What can be written can be read in the object of all keys. */
static void
nesting_has_one_limit(void **state)
{
	char deep[2 * STORE_DEPTH + 1], all[2 * STORE_DEPTH + 8];
	store s = store_of("{}");
	text t = {deep, 2 * (STORE_DEPTH - 1)};
	json v;

	(void)state;
	memset(deep, '[', STORE_DEPTH);
	memset(deep + STORE_DEPTH - 1, ']', STORE_DEPTH);
	assert_int_equal(set(&s, "k", t), CM_OK);
	snprintf(all, sizeof(all), "{\"k\":%.*s}", TEXT_ARG(t));
	assert_true(json_check(text_of(all), STORE_DEPTH, &v, NULL));
	memset(deep, '[', STORE_DEPTH);
	memset(deep + STORE_DEPTH, ']', STORE_DEPTH);
	t.len = 2 * STORE_DEPTH;
	assert_int_equal(set(&s, "k", t), CM_ELIMIT);
	store_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_written_is_told),
	    cmocka_unit_test(a_store_that_is_too_full_can_be_emptied),
	    cmocka_unit_test(nesting_has_one_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
