/* SPDX-License-Identifier: MIT */
/*
 * test_ident.c -- names as identifiers: the rule for one name, and which of
 * several that come out the same keeps it.
 */
#include "unit.h"

#include "catalog/tool_ident.h"

static void
comes_out_as(const char *name, const char *want)
{
	char out[100];
	size_t n = ident_from(text_of(name), out);

	assert_str(((text){out, n}), want);
	assert_true(ident_ok((text){out, n}));
	assert_int_equal(ident_ok(text_of(name)), !strcmp(name, want));
}

static void
one_name(void **state)
{
	(void)state;
	comes_out_as("list_issues", "list_issues");
	comes_out_as("$a1_", "$a1_");
	comes_out_as("class", "class");
	comes_out_as("", "_");
	comes_out_as("1abc", "_1abc");
	comes_out_as("1st page", "_1st_page");
	comes_out_as("a1", "a1");
	comes_out_as("a.b", "a_b");
	comes_out_as("a-b c", "a_b_c");
	comes_out_as("\xc3\xa9", "\xc3\xa9");
	/* letters of all scripts; a combining accent cannot be the first */
	comes_out_as(
	    "\xe5\xa4\x87\xe4\xbb\xbd-a", "\xe5\xa4\x87\xe4\xbb\xbd_a");
	comes_out_as("\xcc\x81x", "_\xcc\x81x");
	comes_out_as("x\xcc\x81", "x\xcc\x81");
	comes_out_as("a\xf0\x9f\x98\x80"
		     "b",
	    "a_b");
	comes_out_as("@[`{/:", "______");
	comes_out_as("AZaz09", "AZaz09");
}

/* Settles names (NULL-ended) and gives the identifier of each as text. */
static void
settles_to(const char *const *names, const map *taken, ident_claim *claim)
{
	size_t n = 0;

	for (; names[n]; n++)
		claim[n] = (ident_claim){.name = text_of(names[n])};
	assert_int_equal(ident_settle(NULL, claim, n, taken), CM_OK);
	for (size_t i = 0; i < n; i++) {
		assert_true(ident_ok(claim[i].ident));
		assert_true(
		    i == 0 || text_cmp(claim[i - 1].name, claim[i].name) < 0);
		for (size_t k = 0; k < i; k++)
			assert_false(text_eq(claim[i].ident, claim[k].ident));
	}
}

static text
ident_of(const ident_claim *claim, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (text_eq(claim[i].name, text_of(name)))
			return claim[i].ident;
	fail_msg("no claim for %s", name);
	return TEXT_NONE;
}

static void
alone_a_name_needs_no_suffix(void **state)
{
	const char *const names[] = {"a-b", "c", "1", NULL};
	ident_claim c[3];

	(void)state;
	settles_to(names, NULL, c);
	assert_str(ident_of(c, 3, "a-b"), "a_b");
	assert_str(ident_of(c, 3, "c"), "c");
	assert_str(ident_of(c, 3, "1"), "_1");
	ident_release(NULL, c, 3);
}

static void
an_identifier_keeps_its_name(void **state)
{
	const char *const names[] = {"a_b", "a.b", "a-b", NULL};
	ident_claim c[3];

	(void)state;
	settles_to(names, NULL, c);
	assert_str(ident_of(c, 3, "a_b"), "a_b");
	/* Suffixes are for ever: scripts were written with them. */
	assert_str(ident_of(c, 3, "a-b"), "a_b_644883");
	assert_str(ident_of(c, 3, "a.b"), "a_b_66522c");
	ident_release(NULL, c, 3);
}

static void
without_an_owner_all_give_way(void **state)
{
	const char *const names[] = {"a-b", "a.b", NULL};
	ident_claim c[2];

	(void)state;
	settles_to(names, NULL, c);
	assert_str(ident_of(c, 2, "a-b"), "a_b_644883");
	assert_str(ident_of(c, 2, "a.b"), "a_b_66522c");
	ident_release(NULL, c, 2);
}

/* A tool may be called like the suffixed one. */
static void
a_suffix_never_lands_on_a_name(void **state)
{
	const char *const names[] = {"a-b", "a_b", "a_b_644883", NULL};
	ident_claim c[3];

	(void)state;
	settles_to(names, NULL, c);
	assert_str(ident_of(c, 3, "a_b"), "a_b");
	assert_str(ident_of(c, 3, "a_b_644883"), "a_b_644883");
	assert_true(text_starts(ident_of(c, 3, "a-b"), TEXT("a_b_")));
	ident_release(NULL, c, 3);
}

static void
taken_identifiers_are_not_given(void **state)
{
	const char *const names[] = {"github", "git-hub", "other", NULL};
	map taken = MAP_INIT(NULL);
	ident_claim c[3];

	(void)state;
	assert_int_equal(map_set(&taken, TEXT("github"), 1), CM_OK);
	assert_int_equal(map_set(&taken, TEXT("git_hub"), 1), CM_OK);
	settles_to(names, &taken, c);
	assert_true(text_starts(ident_of(c, 3, "github"), TEXT("github_")));
	assert_true(text_starts(ident_of(c, 3, "git-hub"), TEXT("git_hub_")));
	assert_str(ident_of(c, 3, "other"), "other");
	ident_release(NULL, c, 3);
	map_fini(&taken);
}

static void
memory_runs_out(void **state)
{
	(void)state;
	for (size_t left = 0;; left++) {
		struct hoard h = {0, left};
		cm_alloc alloc = HOARD_ALLOC(&h);
		ident_claim c[2] = {
		    {.name = TEXT("a-b")}, {.name = TEXT("a.b")}};
		cm_status r = ident_settle(&alloc, c, 2, NULL);

		if (r == CM_OK)
			ident_release(&alloc, c, 2);
		assert_int_equal(h.bytes, 0);
		if (r == CM_OK)
			break;
		assert_int_equal(r, CM_ENOMEM);
		assert_true(left < 10);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_name),
	    cmocka_unit_test(alone_a_name_needs_no_suffix),
	    cmocka_unit_test(an_identifier_keeps_its_name),
	    cmocka_unit_test(without_an_owner_all_give_way),
	    cmocka_unit_test(a_suffix_never_lands_on_a_name),
	    cmocka_unit_test(taken_identifiers_are_not_given),
	    cmocka_unit_test(memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
