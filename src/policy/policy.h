/* SPDX-License-Identifier: MIT */
/*
 * policy.h -- which tools may be called, which a person is asked about, and
 * which do not exist for a script.
 *
 * A policy is a list of rules. What it says about a tool depends on the tool
 * and the rules alone, never on their order:
 *
 *   1. A rule that denies wins.
 *   2. Of the others the one that names most wins: a tool, a pattern (the one
 *      with more letters beside *), a server, a class.
 *   3. Of two that name as much, asking wins.
 *   4. No rule: tools that say that they destroy are asked about, all others
 *      are allowed.
 *
 * A class is read from the annotations of a tool, which are its server's claim.
 * If the server is not trusted, its claim that a tool only reads does not
 * count. Its claim that a tool destroys always counts.
 */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include "base/arena.h"
#include "base/text.h"

typedef enum policy_verdict {
	POLICY_ALLOW,
	POLICY_ASK,
	POLICY_DENY
} policy_verdict;

enum {
	POLICY_RULES_MAX = 10000,
	/* Bytes of a pattern, and of "server.tool" where a pattern names it. A
	 * catalog takes no names that are longer together. */
	POLICY_PATTERN_MAX = 2100
};

/* What a pattern names. */
typedef enum policy_names {
	POLICY_CLASS,   /* @reads, @destroys, @unknown; @ may be left out */
	POLICY_SERVER,  /* "github", "github.*" */
	POLICY_PATTERN, /* "*.delete_*" */
	POLICY_TOOL     /* "github.create_issue" */
} policy_names;

typedef struct policy_rule {
	policy_verdict verdict;
	policy_names names;
	text pattern;      /* as it was written */
	const char *where; /* "--deny", "file:3": for messages; borrowed */
	unsigned letters;  /* of the pattern beside * */
} policy_rule;

typedef struct policy {
	arena arena; /* of the patterns */
	policy_rule *rule;
	size_t len, cap;
} policy;

#define POLICY_INIT ((policy){ARENA_INIT(NULL, 64 << 20), NULL, 0, 0})

void policy_fini(policy *p);

/* CM_EINPUT: the pattern is none; *why says so, a static sentence. CM_ELIMIT,
 * CM_ENOMEM. where is borrowed until policy_fini. */
cm_status policy_add(policy *p, policy_verdict verdict, text pattern,
    const char *where, const char **why);

/* A tool as a policy sees it, with the names that its server gives. */
typedef struct policy_tool {
	text server; /* may be empty */
	text name;
	unsigned flags; /* CM_TOOL_* */
	bool trusted;   /* the claim of its server that it only reads counts */
} policy_tool;

typedef struct policy_decision {
	policy_verdict verdict;
	const policy_rule *rule; /* NULL: the default */
	text named;              /* the class of the tool */
	bool distrusted;         /* its claim that it only reads was ignored */
} policy_decision;

/* Does the rule name that tool? */
bool policy_rule_names(const policy_rule *r, const policy_tool *t);
policy_decision policy_decide(const policy *p, const policy_tool *t);

/* "@reads", "@destroys" or "@unknown". */
text policy_class(const policy_tool *t);

#endif
