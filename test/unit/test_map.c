/* SPDX-License-Identifier: MIT */
/*
 * test_map.c -- the map, held against plain arithmetic on its keys.
 */
#include "unit.h"

#include "base/map.h"

static void
many_keys(void **state)
{
	enum { KEYS = 5000 };
	static char key[KEYS][8];
	map m = MAP_INIT(NULL);

	(void)state;
	for (uint32_t i = 0; i < KEYS; i++) {
		snprintf(key[i], sizeof(key[i]), "k%u", i);
		assert_int_equal(map_get(&m, text_of(key[i])), MAP_NONE);
		assert_int_equal(map_set(&m, text_of(key[i]), i * 3), CM_OK);
	}
	assert_int_equal(m.len, KEYS);
	for (uint32_t i = 0; i < KEYS; i++)
		assert_int_equal(map_get(&m, text_of(key[i])), i * 3);
	assert_int_equal(map_get(&m, TEXT("k5000")), MAP_NONE);
	map_fini(&m);
	assert_int_equal(map_get(&m, TEXT("k1")), MAP_NONE);
}

static void
keys_are_bytes(void **state)
{
	map m = MAP_INIT(NULL);

	(void)state;
	assert_int_equal(map_set(&m, TEXT("a"), 1), CM_OK);
	assert_int_equal(map_set(&m, TEXT("a\0"), 2), CM_OK);
	assert_int_equal(map_set(&m, TEXT_NONE, 3), CM_OK);
	assert_int_equal(map_set(&m, TEXT("a"), 4), CM_OK);
	assert_int_equal(m.len, 3);
	assert_int_equal(map_get(&m, TEXT("a")), 4);
	assert_int_equal(map_get(&m, TEXT("a\0")), 2);
	assert_int_equal(map_get(&m, TEXT("")), 3);
	map_fini(&m);
}

static void
memory_runs_out(void **state)
{
	struct hoard h = {0, 1};
	cm_alloc alloc = HOARD_ALLOC(&h);
	map m = MAP_INIT(&alloc);
	static char key[20][4];
	size_t n = 0;

	(void)state;
	for (; n < 20; n++) {
		snprintf(key[n], sizeof(key[n]), "%zu", n);
		if (map_set(&m, text_of(key[n]), (uint32_t)n) != CM_OK)
			break;
	}
	assert_int_equal(n, 12); /* three quarters of the first 16 */
	assert_int_equal(m.len, 12);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(map_get(&m, text_of(key[i])), i);
	map_fini(&m);
	assert_int_equal(h.bytes, 0);
}

/* How many other entries a search for key looks at. */
static size_t
entries_before(const map *m, text key)
{
	size_t i = 0;

	while (!text_eq(m->entry[i].key, key))
		i++;
	return (i - (size_t)text_hash_keyed(key, m->key)) & (m->cap - 1);
}

/* Keys whose FNV-1a hashes all end in the same 12 bits were found by trying; no
 * search may look at more entries for them than chance explains. */
static void
chosen_keys_are_like_others(void **state)
{
	enum { KEYS = 1000 };
	static char key[KEYS][12];
	map m = MAP_INIT(NULL);
	size_t found = 0, total = 0;

	(void)state;
	for (uint32_t i = 0; found < KEYS; i++) {
		snprintf(key[found], sizeof(key[found]), "%x", i);
		if ((text_hash(text_of(key[found]), 0) & 0xfff) == 0)
			found++;
	}
	for (size_t i = 0; i < KEYS; i++)
		assert_int_equal(
		    map_set(&m, text_of(key[i]), (uint32_t)i), CM_OK);
	for (size_t i = 0; i < KEYS; i++)
		total += entries_before(&m, text_of(key[i]));
	assert_true(total < KEYS * 10);
	map_fini(&m);
}

/* Values of another implementation: Python's, whose key is 0 when its
 * PYTHONHASHSEED is. */
static void
the_keyed_hash_is_siphash(void **state)
{
	static const struct {
		text of;
		uint64_t hash;
	} known[] = {{TEXT_INIT("a"), UINT64_C(0x407448d2b89b1813)},
	    {TEXT_INIT("12345678"), UINT64_C(0x3489982430560a87)},
	    {TEXT_INIT("123456789"), UINT64_C(0x0fbc0f0007965fcf)},
	    {TEXT_INIT("a longer text than that"),
		UINT64_C(0x3c911bfca92a947c)}};
	const uint64_t zero[2] = {0, 0}, one[2] = {0, 1};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		assert_true(
		    text_hash_keyed(known[i].of, zero) == known[i].hash);
		assert_true(text_hash_keyed(known[i].of, one) != known[i].hash);
	}
}

/* Published values of FNV-1a, so that fingerprints never drift. */
static void
the_hash_is_fnv(void **state)
{
	(void)state;
	assert_true(text_hash(TEXT(""), 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(text_hash(TEXT("a"), 0) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(
	    text_hash(TEXT("foobar"), 0) == UINT64_C(0x85944171f73967e8));
	assert_true(text_hash(TEXT("a"), 1) != text_hash(TEXT("a"), 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(many_keys),
	    cmocka_unit_test(keys_are_bytes),
	    cmocka_unit_test(memory_runs_out),
	    cmocka_unit_test(chosen_keys_are_like_others),
	    cmocka_unit_test(the_keyed_hash_is_siphash),
	    cmocka_unit_test(the_hash_is_fnv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
