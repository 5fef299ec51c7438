/* SPDX-License-Identifier: MIT */
/*
 * test_oauth_text.c -- forms, scopes and challenges.
 */
#include "unit.h"

#include "oauth/oauth_text.h"

static void
forms(void **state)
{
	buf b = BUF_INIT(NULL, 1000);
	arena a = ARENA_INIT(NULL, 1 << 20);
	text t;

	(void)state;
	oauth_form_add(&b, "a", TEXT("x y&z=\xc3\xa4"));
	oauth_form_add(&b, "b", TEXT("-._~"));
	assert_str(buf_view(&b), "a=x%20y%26z%3D%C3%A4&b=-._~");
	assert_true(oauth_form_get(buf_view(&b), "a", &a, &t));
	assert_str(t, "x y&z=\xc3\xa4");
	assert_true(oauth_form_get(buf_view(&b), "b", &a, &t));
	assert_str(t, "-._~");
	assert_false(oauth_form_get(buf_view(&b), "c", &a, &t));
	assert_true(oauth_form_get(TEXT("x&y=&z=a+b%2"), "x", &a, &t));
	assert_int_equal(t.len, 0);
	assert_true(oauth_form_get(TEXT("x&y=&z=a+b%2"), "y", &a, &t));
	assert_int_equal(t.len, 0);
	assert_true(oauth_form_get(TEXT("x&y=&z=a+b%2"), "z", &a, &t));
	assert_str(t, "a b%2");
	buf_clear(&b);
	buf_str(&b, "https://x?");
	oauth_form_add(&b, "a", TEXT("1"));
	assert_str(buf_view(&b), "https://x?a=1");
	arena_fini(&a);
	buf_fini(&b);
}

static void
scopes(void **state)
{
	buf b = BUF_INIT(NULL, 100);

	(void)state;
	oauth_add_scopes(&b, TEXT(" a  b "));
	oauth_add_scopes(&b, TEXT("b ab a c"));
	assert_str(buf_view(&b), "a b ab c");
	assert_true(oauth_has_scopes(TEXT("a b"), TEXT("b a")));
	assert_true(oauth_has_scopes(TEXT(""), TEXT("")));
	assert_false(oauth_has_scopes(TEXT("ab"), TEXT("a")));
	buf_clear(&b);
	oauth_add_scopes(&b, TEXT("\xff \xc3\xa4 a\tb c\"d \\ x:/y.z "));
	assert_str(buf_view(&b), "x:/y.z");
	buf_fini(&b);
}

static void
challenge_is(const char *header, bool bearer, const char *metadata,
    const char *scope, const char *error)
{
	arena a = ARENA_INIT(NULL, 1 << 20);
	char *exact = exact_copy(text_of(header));
	oauth_challenge c =
	    oauth_read_challenge((text){exact, strlen(header)}, &a);

	assert_int_equal(c.bearer, bearer);
	assert_str(c.resource_metadata, metadata);
	assert_str(c.scope, scope);
	assert_str(c.error, error);
	free(exact);
	arena_fini(&a);
}

static void
challenges(void **state)
{
	(void)state;
	challenge_is("", false, "", "", "");
	challenge_is("Bearer", true, "", "", "");
	challenge_is("Basic realm=\"x, Bearer scope=y\"", false, "", "", "");
	challenge_is("bearer resource_metadata=\"https://x/\", scope=\"a b\", "
		     "error=invalid_token",
	    true, "https://x/", "a b", "invalid_token");
	challenge_is("Basic realm=\"q\\\"\", error=\"no\", Bearer error = "
		     "\"in\\\"s\\\\\" , scope=a, Digest scope=c",
	    true, "", "a", "in\"s\\");
	challenge_is("Bearer scope=a, scope=b", true, "", "a", "");
	challenge_is("Negotiate abc==, Bearer scope=\"a", true, "", "a", "");
	challenge_is("Bearer scope=\"a\\", true, "", "a\\", "");
	challenge_is("Bearer,,=,\x01,scope", true, "", "", "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(forms),
	    cmocka_unit_test(scopes),
	    cmocka_unit_test(challenges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
