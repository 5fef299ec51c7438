/* SPDX-License-Identifier: MIT */
/*
 * test_random.c -- the randomness of a run is ChaCha20, whatever the pieces that
 * it is asked for.
 */
#include "unit.h"

#include "engine/random.h"

/* RFC 8439, A.1: the first and the second block of the key 0 and the nonce 0. */
static void
follows_rfc_8439(void **state)
{
	static const uint8_t first[] = {0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1,
	    0x3d, 0x90, 0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28};
	static const uint8_t second[] = {0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51,
	    0x38, 0x7a, 0x98, 0xba, 0x97, 0x7c, 0x73, 0x2d, 0x08, 0x0d};
	random_source r = {.left = 0};
	uint8_t bytes[80];

	(void)state;
	random_bytes(&r, bytes, sizeof(bytes));
	assert_memory_equal(bytes, first, sizeof(first));
	assert_memory_equal(bytes + 64, second, sizeof(second));
}

static void
pieces_are_the_whole(void **state)
{
	random_source a = {.seed = {1, 2, 3}}, b = a;
	uint8_t whole[300], pieces[300];
	size_t at = 0, n;

	(void)state;
	random_bytes(&a, whole, sizeof(whole));
	for (n = 1; at < sizeof(pieces); at += n, n = n % 97 + 7) {
		if (n > sizeof(pieces) - at)
			n = sizeof(pieces) - at;
		random_bytes(&b, pieces + at, n);
	}
	assert_memory_equal(whole, pieces, sizeof(whole));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(follows_rfc_8439),
	    cmocka_unit_test(pieces_are_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
