/* SPDX-License-Identifier: MIT */
/* test_base64.c -- the examples of RFC 4648, and both alphabets. */
#include "unit.h"

#include "base/base64.h"

static void
base64_is(const char *bytes, const char *plain, const char *url)
{
	buf b = BUF_INIT(NULL, 100);

	base64_add(&b, text_of(bytes));
	assert_str(buf_view(&b), plain);
	buf_clear(&b);
	base64_add_url(&b, text_of(bytes));
	assert_str(buf_view(&b), url);
	buf_clear(&b);
	assert_true(base64_read_url(text_of(url), &b));
	assert_str(buf_view(&b), bytes);
	buf_fini(&b);
}

static void
what_base64_is_not(void **state)
{
	static const char *const texts[] = {
	    "Z", "Zg==", "Zh", "Zm9=", "Zm 9v", "/+++", "Zm9v\n", "_-_"};
	buf b = BUF_INIT(NULL, 100);

	(void)state;
	buf_str(&b, "x");
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_false(base64_read_url(text_of(texts[i]), &b));
		assert_str(buf_view(&b), "x");
	}
	buf_fini(&b);
}

static void
base64(void **state)
{
	(void)state;
	base64_is("", "", "");
	base64_is("f", "Zg==", "Zg");
	base64_is("fa", "ZmE=", "ZmE");
	base64_is("foo", "Zm9v", "Zm9v");
	base64_is("foob", "Zm9vYg==", "Zm9vYg");
	base64_is("\xff\xef\xbe", "/+++", "_---");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(base64),
	    cmocka_unit_test(what_base64_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
