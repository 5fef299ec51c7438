/* SPDX-License-Identifier: MIT */
/*
 * test_redact.c -- secrets in every form and at every place, JSON that stays
 * JSON, random texts held against a search written the slow way, and memory
 * that runs out.
 */
#include "../self.h"
#include "unit.h"

#include "redact/redact.h"

#include "base/base64.h"

static const char secret[] = "s3cr\"t/\xc3\xa9+value";

static redactor *
one_secret(void)
{
	redactor *r = redactor_new(NULL);

	assert_non_null(r);
	assert_int_equal(
	    redactor_add(r, TEXT("TOKEN"), text_of(secret)), CM_OK);
	return r;
}

static void
becomes(redactor *r, const char *t, const char *want)
{
	buf out = BUF_INIT(NULL, 1 << 20);

	if (redact(r, text_of(t), &out) == 0)
		buf_str(&out, t);
	assert_str(buf_view(&out), want);
	buf_fini(&out);
}

static void
each_form(void **state)
{
	redactor *r = one_secret();

	(void)state;
	becomes(r, "a s3cr\"t/\xc3\xa9+value b", "a [secret TOKEN] b");
	becomes(r, "{\"a\":\"s3cr\\\"t/\xc3\xa9+value\"}",
	    "{\"a\":\"[secret TOKEN]\"}");
	becomes(r, "?q=s3cr%22t%2F%C3%A9%2Bvalue&", "?q=[secret TOKEN]&");
	becomes(r, "?q=s3cr%22t%2f%c3%a9%2bvalue&", "?q=[secret TOKEN]&");
	becomes(r, "733363722274 2fc3a92b76616c7565",
	    "733363722274 2fc3a92b76616c7565");
	becomes(r, "0x7333637222742fc3a92b76616c7565.", "0x[secret TOKEN].");
	becomes(r, "7333637222742FC3A92B76616C7565", "[secret TOKEN]");
	/* Base64 of it alone, and behind "x:" and "y", whose last bits share a
	 * character with its first. */
	becomes(r, "czNjciJ0L8OpK3ZhbHVl", "[secret TOKEN]");
	becomes(r, "eDpzM2NyInQvw6krdmFsdWU=", "eDp[secret TOKEN]U=");
	becomes(r, "eXMzY3IidC/DqSt2YWx1ZQ==", "eX[secret TOKEN]Q==");
	becomes(r, "eXMzY3IidC_DqSt2YWx1ZQ", "eX[secret TOKEN]Q");
	becomes(r, "s3cr\"t/\xc3\xa9+v", "s3cr\"t/\xc3\xa9+v");
	redactor_free(r);
}

/* Tokens come and go: what is forgotten leaves nothing behind. */
static void
what_is_forgotten(void **state)
{
	redactor *r = one_secret();
	char value[32];

	(void)state;
	for (int i = 0; i < 3 * REDACT_SECRETS_MAX; i++) {
		snprintf(value, sizeof(value), "token-%d-value", i);
		assert_int_equal(
		    redactor_add(r, TEXT("login"), text_of(value)), CM_OK);
		if (i % 1000 == 0)
			becomes(r, value, "[secret login]");
		redactor_forget(r, TEXT("login"), text_of(value));
		if (i % 1000 == 0)
			becomes(r, value, value);
	}
	/* One that another name has stays, and the other secret. */
	assert_int_equal(
	    redactor_add(r, TEXT("login"), text_of(secret)), CM_OK);
	redactor_forget(r, TEXT("login"), text_of(secret));
	redactor_forget(r, TEXT("login"), TEXT("what never was"));
	redactor_forget(r, TEXT("login"), TEXT(""));
	becomes(r, secret, "[secret TOKEN]");
	becomes(r, "czNjciJ0L8OpK3ZhbHVl", "[secret TOKEN]");
	redactor_free(r);
}

/* Texts that are looked for have a number, and forgetting one makes room. */
static void
secrets_have_a_number(void **state)
{
	redactor *r = redactor_new(NULL);
	char value[32];

	(void)state;
	for (int i = 0; i <= REDACT_SECRETS_MAX; i++) {
		snprintf(value, sizeof(value), "value %d of many", i);
		assert_int_equal(redactor_add(r, TEXT("T"), text_of(value)),
		    i < REDACT_SECRETS_MAX ? CM_OK : CM_ELIMIT);
	}
	becomes(r, "value 4095 of many", "[secret T]");
	becomes(r, "value 4096 of many", "value 4096 of many");
	redactor_forget(r, TEXT("T"), TEXT("value 17 of many"));
	assert_int_equal(
	    redactor_add(r, TEXT("U"), TEXT("value 4096 of many")), CM_OK);
	becomes(r, "value 4096 of many", "[secret U]");
	becomes(r, "value 17 of many", "value 17 of many");
	becomes(r, "value 18 of many", "[secret T]");
	redactor_free(r);
}

/* Of a long value that many bytes are looked for, in each form. */
static void
long_values_are_known_by_their_beginning(void **state)
{
	enum { LEN = REDACT_LONGEST + 1 };
	redactor *r = redactor_new(NULL);
	char *value = test_malloc(LEN);
	buf quoted = BUF_INIT(NULL, 6 * LEN + 2), out = quoted;

	(void)state;
	/* Six bytes each in JSON, which is the longest form. */
	memset(value, 1, LEN);
	assert_int_equal(redactor_add(r, TEXT("T"), (text){value, LEN}), CM_OK);
	assert_int_equal(redact(r, (text){value, LEN - 2}, &out), 0);
	assert_int_equal(redact(r, (text){value, LEN}, &out), 1);
	assert_str(buf_view(&out), "[secret T]\1");
	buf_clear(&out);
	json_string(&quoted, (text){value, LEN - 1});
	assert_int_equal(redact_json(r, buf_view(&quoted), &out), 1);
	assert_str(buf_view(&out), "\"[secret T]\"");
	redactor_forget(r, TEXT("T"), (text){value, LEN});
	assert_true(redactor_empty(r));
	buf_fini(&quoted);
	buf_fini(&out);
	test_free(value);
	redactor_free(r);
}

/* A secret in a number: all of its digits and signs go. */
static void
a_number_is_replaced_whole(void **state)
{
	static const char *const numbers[] = {"9012345678", "-9.012345678e+90",
	    "0912345678.90E-09", "12345678", "123456780", "123456789"};
	redactor *r = redactor_new(NULL);

	(void)state;
	redactor_add(r, TEXT("T"), TEXT("12345678"));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		buf out = BUF_INIT(NULL, 4096);

		assert_int_equal(redact_json(r, text_of(numbers[i]), &out), 1);
		assert_str(buf_view(&out), "\"[secret T]\"");
		buf_fini(&out);
	}
	redactor_free(r);
}

/* What a name may hold stands in JSON and in a terminal as it is. */
static void
names_are_plain(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	redactor_add(r, TEXT("A_b9 .:-\"\\\n\0]\xc3\xa9"), TEXT("the value"));
	becomes(r, "the value", "[secret A_b9 .:-_______]");
	redactor_free(r);
}

static void
characters_that_percent_encoding_leaves(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	redactor_add(r, TEXT("T"), TEXT("a-b.c~d_e f/1"));
	becomes(r, "a-b.c~d_e f/1", "[secret T]");
	becomes(r, "a-b.c~d_e%20f%2F1", "[secret T]");
	becomes(r, "a-b.c~d_e%20f%2f1", "[secret T]");
	redactor_free(r);
}

/* A secret that is no text has no form in JSON. */
static void
bytes_that_are_no_text(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	redactor_add(r, TEXT("T"), TEXT("\"bcdefg\xff"));
	becomes(r, "\"bcdefg\xff", "[secret T]");
	becomes(r, "\\\"bcdefg\xff", "\\[secret T]");
	redactor_free(r);
}

static void
short_values_stay(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	assert_int_equal(redactor_add(r, TEXT("FLAG"), TEXT("true")), CM_OK);
	assert_true(redactor_empty(r));
	becomes(r, "it is true", "it is true");
	redactor_free(r);
}

static void
the_longest_wins(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	redactor_add(r, TEXT("SHORT"), TEXT("password"));
	/* What is added later is found, too. */
	becomes(r, "password-of-the-house", "[secret SHORT]-of-the-house");
	redactor_add(r, TEXT("LONG"), TEXT("password-of-the-house"));
	redactor_add(r, TEXT("SAME"), TEXT("password"));
	becomes(r, "password-of-the-house, password",
	    "[secret LONG], [secret SHORT]");
	becomes(r, "passpassword", "pass[secret SHORT]");
	redactor_free(r);
}

static void
json_becomes(redactor *r, const char *v, const char *want)
{
	buf out = BUF_INIT(NULL, 1 << 20);
	json checked;

	if (redact_json(r, text_of(v), &out) == 0)
		buf_str(&out, v);
	assert_str(buf_view(&out), want);
	assert_true(json_check(buf_view(&out), JSON_DEPTH, &checked, NULL));
	buf_fini(&out);
}

static void
json_stays_json(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	redactor_add(r, TEXT("PIN \"1\""), TEXT("1234567890"));
	redactor_add(r, TEXT("NEW"), TEXT("nabcdefgh"));
	redactor_add(r, TEXT("HEX"), TEXT("0041bcdef"));
	redactor_add(r, TEXT("END"), TEXT("endendend\\"));
	json_becomes(r, "[-12345678901.5e3,1]", "[\"[secret PIN _1_]\",1]");
	json_becomes(r, "{\"1234567890\":\"a1234567890b\"}",
	    "{\"[secret PIN _1_]\":\"a[secret PIN _1_]b\"}");
	json_becomes(r, "\"\\\"1234567890\"", "\"\\\"[secret PIN _1_]\"");
	/* What only looks like one, because of an escape. */
	json_becomes(r, "\"\\nabcdefgh\"", "\"\\nabcdefgh\"");
	json_becomes(r, "\"\\u0041bcdef\"", "\"\\u0041bcdef\"");
	json_becomes(r, "\"endendend\\\"\"", "\"endendend\\\"\"");
	json_becomes(r, "\"endendend\\\\\"", "\"[secret END]\"");
	redactor_free(r);
}

/* Whether a place is inside of a string is known behind any number of quotes
 * and escapes. */
static void
strings_are_counted(void **state)
{
	redactor *r = redactor_new(NULL);
	char v[256], want[256];

	(void)state;
	redactor_add(r, TEXT("PIN"), TEXT("1234567890"));
	for (int quotes = 0; quotes < 30; quotes++)
		for (int spaces = 0; spaces < 9; spaces++) {
			char head[128] = "[";

			for (int i = 0; i < quotes; i++)
				strcat(head, i % 3 ? "\"\"," : "\"\\\"\",");
			snprintf(v, sizeof(v),
			    "%s%*s1234567890,\"1234567890\"]", head, spaces,
			    "");
			snprintf(want, sizeof(want),
			    "%s%*s\"[secret PIN]\",\"[secret PIN]\"]", head,
			    spaces, "");
			json_becomes(r, v, want);
		}
	redactor_free(r);
}

/* ------------------------------------------------------ the slow way, too */

static uint32_t
next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void
put_letters(buf *out, size_t n, uint32_t *random)
{
	for (size_t i = 0; i < n; i++)
		buf_byte(out, "abc"[next_random(random) % 3]);
}

/* Where the text is replaced when each place and each secret is tried. */
static void
slow_redact(const buf *secrets, size_t n, text t, buf *out)
{
	for (size_t at = 0; at < t.len;) {
		size_t best = 0, which = 0;

		for (size_t i = 0; i < n; i++) {
			text s = buf_view(&secrets[i]);

			if (s.len > best && s.len <= t.len - at &&
			    memcmp(s.ptr, t.ptr + at, s.len) == 0) {
				best = s.len;
				which = i;
			}
		}
		if (best)
			buf_printf(out, "[secret %zu]", which);
		else
			buf_byte(out, t.ptr[at]);
		at += best ? best : 1;
	}
}

static void
random_texts(void **state)
{
	enum { TEXTS = 500, SECRETS = 4 };
	uint32_t random = 7;

	(void)state;
	for (int i = 0; i < TEXTS; i++) {
		buf s[SECRETS], t = BUF_INIT(NULL, 4096);
		buf fast = BUF_INIT(NULL, 1 << 16), slow = fast;
		redactor *r = redactor_new(NULL);

		for (size_t k = 0; k < SECRETS; k++) {
			char name[2] = {(char)('0' + k), 0};

			s[k] = BUF_INIT(NULL, 4096);
			put_letters(
			    &s[k], 8 + next_random(&random) % 4, &random);
			redactor_add(r, text_of(name), buf_view(&s[k]));
		}
		for (int k = 0; k < 120; k++) {
			put_letters(&t, next_random(&random) % 9, &random);
			buf_text(
			    &t, buf_view(&s[next_random(&random) % SECRETS]));
		}
		slow_redact(s, SECRETS, buf_view(&t), &slow);
		redact(r, buf_view(&t), &fast);
		assert_text(buf_view(&fast), buf_view(&slow));
		for (size_t k = 0; k < SECRETS; k++)
			buf_fini(&s[k]);
		buf_fini(&t);
		buf_fini(&fast);
		buf_fini(&slow);
		redactor_free(r);
	}
}

static void
joins(redactor *r, const char *t, const char *want)
{
	buf out = BUF_INIT(NULL, 1 << 20);

	if (redact_joined(r, text_of(t), &out) == 0)
		buf_str(&out, t);
	assert_str(buf_view(&out), want);
	assert_true(json_check(buf_view(&out), JSON_DEPTH, &(json){0}, NULL));
	buf_fini(&out);
}

/* A secret that several prints or results hold part by part. */
static void
divided_secrets(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	redactor_add(r, TEXT("T"), TEXT("hunter2-hunter2"));
	joins(r, "[\"a hunter2-\\nhunter2 b\"]", "[\"a [secret T]\\n b\"]");
	joins(r, "[\"hunter2- hunt er2\"]", "[\"[secret T]  \"]");
	joins(r,
	    "[{\"type\":\"text\",\"text\":\"x hunter2\"},{\"type\":\"text\","
	    "\"text\":\"-hunter2 y\"}]",
	    "[{\"type\":\"text\",\"text\":\"x [secret T]\"},{\"type\":"
	    "\"text\",\"text\":\" y\"}]");
	joins(r, "[\"[\\\"hunter2\\\",\\\"-hunter2\\\"]\"]",
	    "[\"[\\\"[secret T]\\\",\\\"\\\"]\"]");
	/* Base64 of it, broken into lines. */
	joins(r, "[\"aHVudGVyMi1o\\ndW50ZXIy\"]", "[\"[secret T]\\n\"]");
	/* An escaped backslash in front of an n divides nothing. */
	joins(r, "[\"hunter2-\\\\nhunter2\"]", "[\"hunter2-\\\\nhunter2\"]");
	joins(r, "[\"hunter2-\",\"hunter2\"]", "[\"[secret T]\",\"\"]");
	joins(
	    r, "[\"hunter2-\",7,\"hunter2\"]", "[\"hunter2-\",7,\"hunter2\"]");
	joins(r,
	    "[{\"type\":\"text\",\"text\":\"hunter2-\",\"console\":true},"
	    "{\"type\":\"text\",\"text\":\"hunter2\",\"console\":true}]",
	    "[{\"type\":\"text\",\"text\":\"[secret T]\",\"console\":true},"
	    "{\"type\":\"text\",\"text\":\"\",\"console\":true}]");
	joins(r, "{\"n\": 7, \"a b\": [ ]}", "{\"n\": 7, \"a b\": [ ]}");
	redactor_free(r);
}

/* A secret of several words or lines, which a script prints one by one. */
static void
divided_words(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	redactor_add(r, TEXT("W"), TEXT("correct horse\nbattery"));
	becomes(r, "a correct horse\nbattery b", "a [secret W] b");
	joins(r, "[\"correct\",\"horse\",\"battery\"]",
	    "[\"[secret W]\",\"\",\"\"]");
	joins(r, "[\"correct  horse battery\"]", "[\"[secret W]   \"]");
	joins(r, "[\"correct\\thorse\\r\\nbattery\"]",
	    "[\"[secret W]\\t\\r\\n\"]");
	redactor_free(r);
}

static void
is_open(redactor *r, const char *strings, bool want)
{
	if (redact_is_open(r, text_of(strings)) != want)
		fail_msg("%s", strings);
}

static void
open_ends(void **state)
{
	redactor *r = redactor_new(NULL);

	(void)state;
	is_open(r, "[\"hunter2-\"]", false);
	redactor_add(r, TEXT("T"), TEXT("hunter2-hunter2"));
	is_open(r, "[\"hunter2-\"]", true);
	is_open(r, "[\"x\",\"h\",\"\"]", true);
	is_open(r, "[\"hunt\",\"er\\n\",\" \"]", true);
	is_open(r, "[\"[secret T]\"]", false);
	is_open(r, "[\"hunter2-hunter3\"]", false);
	is_open(r, "[\"hunter2-\",\"x\"]", false);
	is_open(r, "[\"6875\"]", true);
	is_open(r, "[\"aHVud\"]", true);
	is_open(r, "[]", false);
	is_open(r, "[\"\"]", false);
	redactor_free(r);
}

/* A form of the secret number n, as programs write it. */
static void
put_any_form(buf *out, text s, uint32_t n)
{
	static const char *const digits[] = {
	    "0123456789abcdef", "0123456789ABCDEF"};

	if (n % 5 == 0)
		base64_add(out, s);
	else if (n % 5 == 1)
		base64_add_url(out, s);
	else if (n % 5 == 2)
		buf_text(out, s);
	for (size_t i = 0; i < s.len && n % 5 > 2; i++)
		if (n % 5 == 3 && is_ascii_word((unsigned char)s.ptr[i]))
			buf_byte(out, s.ptr[i]);
		else
			buf_printf(out, "%s%c%c", n % 5 == 3 ? "%" : "",
			    digits[n & 1][s.ptr[i] >> 4],
			    digits[n & 1][s.ptr[i] & 15]);
}

/* Whatever the secret, the form and the places where it is divided: it is not
 * in the text, also not when a reader joins it. */
static void
random_divided_secrets(void **state)
{
	static const char *const dividers[] = {"", "", "", " ", "\\n",
	    "\"},{\"type\":\"text\",\"text\":\"", "\\\",\\\""};
	uint32_t random = 11;

	(void)state;
	for (unsigned i = 0; i < thorough(500, 3000); i++) {
		redactor *r = redactor_new(NULL);
		buf s = BUF_INIT(NULL, 4096), form = s, t = s, out = s;
		uint32_t kind = next_random(&random);

		for (uint32_t k = 8 + next_random(&random) % 30; k > 0; k--)
			buf_byte(&s, (char)('0' + next_random(&random) % 75));
		for (size_t k = 0; k < s.len; k++)
			if (s.ptr[k] == '\\')
				s.ptr[k] = '_';
		redactor_add(r, TEXT("T"), buf_view(&s));
		put_any_form(&form, buf_view(&s), kind);
		buf_str(&t, "[{\"type\":\"text\",\"text\":\"before: ");
		for (size_t k = 0; k < form.len; k++) {
			if (k > 0)
				buf_str(&t, dividers[next_random(&random) % 7]);
			buf_byte(&t, form.ptr[k]);
		}
		buf_str(&t, "; behind\"}]");
		assert_true(
		    json_check(buf_view(&t), JSON_DEPTH, &(json){0}, NULL));
		assert_int_equal(redact_joined(r, buf_view(&t), &out), 1);
		assert_true(
		    json_check(buf_view(&out), JSON_DEPTH, &(json){0}, NULL));
		assert_true(text_find(buf_view(&out), TEXT("[secret T]"), 0) !=
			    SIZE_MAX);
		assert_true(
		    text_find(buf_view(&out), TEXT("behind"), 0) != SIZE_MAX);
		buf_fini(&s);
		buf_fini(&form);
		buf_fini(&t);
		buf_fini(&out);
		redactor_free(r);
	}
}

/* One request for memory fails, and those after it are met. */
typedef struct one_failure {
	size_t at, made;
	struct hoard hoard;
} one_failure;

static void *
fail_once(void *ctx, void *block, size_t old_size, size_t new_size)
{
	one_failure *f = ctx;

	if (new_size > old_size && f->made++ == f->at)
		return NULL;
	return hoard_resize(&f->hoard, block, old_size, new_size);
}

/* Does a redactor with one secret come about when request number `at` fails?
 * Then it is freed. */
static bool
comes_about(one_failure *f, size_t at)
{
	const cm_alloc alloc = {fail_once, f};
	redactor *r;
	bool whole;

	*f = (one_failure){.at = at, .hoard.left = SIZE_MAX};
	r = redactor_new(&alloc);
	whole = r && redactor_add(r, TEXT("T"), TEXT("01 \"456789")) == CM_OK;
	redactor_free(r);
	assert_int_equal(f->hoard.bytes, 0);
	return whole;
}

static void
each_request_for_memory_fails_once(void **state)
{
	one_failure f;
	size_t needed;

	(void)state;
	assert_true(comes_about(&f, SIZE_MAX));
	needed = f.made;
	for (size_t at = 0; at < needed; at++)
		assert_false(comes_about(&f, at));
	redactor_free(NULL);
}

static void
without_memory_for_the_table(void **state)
{
	struct hoard h = {0, SIZE_MAX};
	const cm_alloc alloc = HOARD_ALLOC(&h);
	redactor *r = redactor_new(&alloc);

	(void)state;
	redactor_add(r, TEXT("T"), TEXT("0123456789"));
	for (size_t left = 0; left < 2; left++) {
		buf out = BUF_INIT(NULL, 4096);

		h.left = left;
		assert_int_equal(redact(r, TEXT("0123456789"), &out), left);
		assert_int_equal(out.bad, left ? CM_OK : CM_ENOMEM);
		buf_fini(&out);
	}
	redactor_free(r);
	assert_int_equal(h.bytes, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_form),
	    cmocka_unit_test(characters_that_percent_encoding_leaves),
	    cmocka_unit_test(what_is_forgotten),
	    cmocka_unit_test(secrets_have_a_number),
	    cmocka_unit_test(long_values_are_known_by_their_beginning),
	    cmocka_unit_test(names_are_plain),
	    cmocka_unit_test(a_number_is_replaced_whole),
	    cmocka_unit_test(bytes_that_are_no_text),
	    cmocka_unit_test(short_values_stay),
	    cmocka_unit_test(the_longest_wins),
	    cmocka_unit_test(json_stays_json),
	    cmocka_unit_test(strings_are_counted),
	    cmocka_unit_test(random_texts),
	    cmocka_unit_test(divided_secrets),
	    cmocka_unit_test(divided_words),
	    cmocka_unit_test(open_ends),
	    cmocka_unit_test(random_divided_secrets),
	    cmocka_unit_test(each_request_for_memory_fails_once),
	    cmocka_unit_test(without_memory_for_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
