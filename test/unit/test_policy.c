/* SPDX-License-Identifier: MIT */
/*
 * test_policy.c -- what a policy says about a tool, each rule of policy.h once,
 * and that the order of the rules never matters.
 */
#include "unit.h"

#include "policy/policy.h"

#include <codemode/codemode.h>

typedef struct given {
	policy_verdict verdict;
	const char *pattern;
} given;

enum { GIVEN_MAX = 6 };

#define A POLICY_ALLOW
#define Q POLICY_ASK
#define D POLICY_DENY

typedef struct decision_case {
	given rule[GIVEN_MAX]; /* a pattern that is NULL ends them */
	const char *server, *name;
	unsigned flags;
	policy_verdict want;
} decision_case;

#define ONE(v, p)            \
	{                    \
		{            \
			v, p \
		}            \
	}

static const decision_case cases[] = {
    /* no rule */
    {{{0}}, "s", "t", CM_TOOL_READS, A},
    {{{0}}, "s", "t", 0, A},
    {{{0}}, "s", "t", CM_TOOL_DESTROYS, Q},
    /* each kind of pattern */
    {ONE(D, "s.t"), "s", "t", 0, D},
    {ONE(D, "s.t"), "s", "u", 0, A},
    {ONE(D, "s"), "s", "t", 0, D},
    {ONE(D, "s.*"), "s", "t", 0, D},
    {ONE(D, "s"), "s2", "t", 0, A},
    {ONE(D, "*.t"), "s", "t", 0, D},
    {ONE(D, "*.delete_*"), "s", "delete_all", 0, D},
    {ONE(D, "*.delete_*"), "s", "undelete_all", 0, A},
    {ONE(D, "*"), "s", "t", CM_TOOL_READS, D},
    {ONE(Q, "@unknown"), "s", "t", 0, Q},
    {ONE(Q, "@unknown"), "s", "t", CM_TOOL_READS, A},
    {ONE(A, "@destroys"), "s", "t", CM_TOOL_DESTROYS, A},
    {ONE(D, "@reads"), "s", "t", CM_TOOL_READS, D},
    {ONE(Q, "unknown"), "s", "t", 0, Q},
    {ONE(Q, "unknown"), "unknown", "t", CM_TOOL_READS, A},
    {ONE(Q, "unknown.*"), "unknown", "t", CM_TOOL_READS, Q},
    /* without a server, its own name is all there is */
    {ONE(D, "t"), "", "t", 0, D},
    /* names with dots are the server's, as they stand */
    {ONE(D, "s.a.b"), "s", "a.b", 0, D},
    /* a rule that denies wins over one that names more */
    {{{A, "s.t"}, {D, "s"}}, "s", "t", 0, D},
    {{{A, "s.t"}, {D, "@destroys"}}, "s", "t", CM_TOOL_DESTROYS, D},
    /* of the others, the one that names most */
    {{{Q, "@destroys"}, {A, "s"}}, "s", "t", CM_TOOL_DESTROYS, A},
    {{{A, "@destroys"}, {Q, "s"}}, "s", "t", CM_TOOL_DESTROYS, Q},
    {{{Q, "s"}, {A, "*.t*"}}, "s", "t", 0, A},
    {{{Q, "*.t*"}, {A, "s.t"}}, "s", "t", 0, A},
    {{{Q, "*.t*"}, {A, "*.ta*"}}, "s", "tab", 0, A},
    /* of two that name as much, asking */
    {{{A, "*.ta"}, {Q, "s*ta"}}, "s", "ta", 0, Q},
    {{{A, "s.t"}, {Q, "s.t"}}, "s", "t", 0, Q},
    /* "s.*" is a server, however many letters it has; so is "s" */
    {{{A, "s.*"}, {Q, "*"}}, "s", "t", 0, Q},
    {{{A, "s"}, {Q, "s.*"}}, "s", "t", 0, Q},
    {{{A, "s*.*"}, {Q, "s"}}, "s", "t", 0, A},
    /* a pattern with as many letters as the tool names less than it */
    {{{A, "s.t"}, {Q, "s.t*"}}, "s", "t", 0, A},
    /* a dot at the beginning makes the name of a tool, too */
    {{{A, ".t"}, {Q, "*t"}}, "", ".t", 0, A},
    {ONE(D, "t*"), "", "t", 0, D},
};

static policy_verdict
decide(const given *rule, size_t n, bool backwards, const policy_tool *t)
{
	policy p = POLICY_INIT;
	policy_verdict v;
	const char *why;

	for (size_t i = 0; i < n; i++) {
		const given *g = &rule[backwards ? n - 1 - i : i];

		assert_int_equal(policy_add(&p, g->verdict, text_of(g->pattern),
				     "test", &why),
		    CM_OK);
	}
	v = policy_decide(&p, t).verdict;
	policy_fini(&p);
	return v;
}

static void
every_rule_of_the_header(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const decision_case *c = &cases[i];
		const policy_tool t = {
		    text_of(c->server), text_of(c->name), c->flags, true};
		size_t n = 0;

		while (n < GIVEN_MAX && c->rule[n].pattern)
			n++;
		for (int backwards = 0; backwards < 2; backwards++)
			if (decide(c->rule, n, backwards, &t) != c->want)
				fail_msg("case %zu", i);
	}
}

static void
an_untrusted_server_is_believed_only_that_it_destroys(void **state)
{
	const given asks = {POLICY_ASK, "@unknown"};
	const policy_tool t = {TEXT("s"), TEXT("t"), CM_TOOL_READS, false};
	const policy_tool d = {TEXT("s"), TEXT("t"), CM_TOOL_DESTROYS, false};

	(void)state;
	assert_int_equal(decide(&asks, 1, false, &t), POLICY_ASK);
	assert_int_equal(decide(&asks, 0, false, &d), POLICY_ASK);
	assert_text(policy_class(&d), TEXT("@destroys"));
}

static void
patterns_that_are_none(void **state)
{
	static char *const bad[] = {"", "  ", "@write", "@", "\xff"};
	policy p = POLICY_INIT;
	const char *why;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(
		    policy_add(&p, POLICY_DENY, text_of(bad[i]), "test", &why),
		    CM_EINPUT);
		assert_non_null(why);
	}
	assert_int_equal(p.len, 0);
	policy_fini(&p);
}

/* The pattern has no byte behind it: the sanitizers see what reads further. */
static void
longest_pattern_and_name(void **state)
{
	char *bytes = malloc(POLICY_PATTERN_MAX);
	policy p = POLICY_INIT;
	policy_tool t = {TEXT("s"), {bytes, POLICY_PATTERN_MAX - 2}, 0, true};
	const char *why;

	(void)state;
	memset(bytes, 'a', POLICY_PATTERN_MAX);
	assert_int_equal(policy_add(&p, POLICY_DENY,
			     (text){bytes, POLICY_PATTERN_MAX}, "test", &why),
	    CM_OK);
	assert_int_equal(policy_decide(&p, &t).verdict, POLICY_ALLOW);
	assert_int_equal(
	    policy_add(&p, POLICY_DENY, TEXT("*a"), "test", &why), CM_OK);
	assert_int_equal(policy_decide(&p, &t).verdict, POLICY_DENY);
	t.name.len++;
	assert_int_equal(policy_decide(&p, &t).verdict, POLICY_ALLOW);
	policy_fini(&p);
	free(bytes);

	bytes = malloc(POLICY_PATTERN_MAX + 1);
	memset(bytes, 'a', POLICY_PATTERN_MAX + 1);
	assert_int_equal(
	    policy_add(&p, POLICY_DENY, (text){bytes, POLICY_PATTERN_MAX + 1},
		"test", &why),
	    CM_EINPUT);
	policy_fini(&p);
	free(bytes);
}

static void
most_rules(void **state)
{
	policy p = POLICY_INIT;
	const char *why;

	(void)state;
	for (size_t i = 0; i < POLICY_RULES_MAX; i++)
		assert_int_equal(
		    policy_add(&p, POLICY_DENY, TEXT("s"), "test", &why),
		    CM_OK);
	assert_int_equal(
	    policy_add(&p, POLICY_DENY, TEXT("s"), "test", &why), CM_ELIMIT);
	assert_int_equal(p.len, POLICY_RULES_MAX);
	policy_fini(&p);
	assert_int_equal(p.len, 0);
}

/* The rule that is reported: of two that say the same, the first. */
static void
first_of_equal_rules_is_reported(void **state)
{
	const policy_tool t = {TEXT("s"), TEXT("t"), 0, true};
	policy p = POLICY_INIT;
	const char *why;

	(void)state;
	policy_add(&p, POLICY_ASK, TEXT("s"), "first", &why);
	policy_add(&p, POLICY_ASK, TEXT("s"), "second", &why);
	assert_ptr_equal(policy_decide(&p, &t).rule, &p.rule[0]);
	policy_fini(&p);
}

/* Many stars: the time is the product of the lengths, not a power. */
static void
stars_are_cheap(void **state)
{
	char stars[1001], name[2001];
	policy p = POLICY_INIT;
	policy_tool t = {TEXT_NONE, {name, 1000}, 0, true};
	const char *why;

	(void)state;
	for (size_t i = 0; i < 500; i++)
		memcpy(stars + 2 * i, "*a", 2);
	stars[1000] = 'b';
	memset(name, 'a', sizeof(name));
	assert_int_equal(
	    policy_add(&p, POLICY_DENY, (text){stars, 1001}, "test", &why),
	    CM_OK);
	for (int i = 0; i < 100; i++)
		assert_int_equal(policy_decide(&p, &t).verdict, POLICY_ALLOW);
	policy_fini(&p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_rule_of_the_header),
	    cmocka_unit_test(
		an_untrusted_server_is_believed_only_that_it_destroys),
	    cmocka_unit_test(patterns_that_are_none),
	    cmocka_unit_test(longest_pattern_and_name),
	    cmocka_unit_test(most_rules),
	    cmocka_unit_test(first_of_equal_rules_is_reported),
	    cmocka_unit_test(stars_are_cheap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
