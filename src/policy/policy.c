/* SPDX-License-Identifier: MIT */
/* policy.c -- see policy.h. */
#include "policy.h"

#include <codemode/codemode.h>

void
policy_fini(policy *p)
{
	arena_fini(&p->arena);
	mem_free(NULL, p->rule, p->cap * sizeof(*p->rule));
	*p = POLICY_INIT;
}

/* ----------------------------------------------------------------- patterns */

static const text classes[] = {
    TEXT_INIT("@reads"),
    TEXT_INIT("@destroys"),
    TEXT_INIT("@unknown"),
};

/* The class that a pattern names, with or without @; empty: none. */
static text
class_named(text pattern)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (text_eq(pattern, classes[i]) ||
		    text_eq(pattern, text_sub(classes[i], 1, classes[i].len)))
			return classes[i];
	return TEXT_NONE;
}

static const char *
pattern_fault(text pattern)
{
	if (pattern.len == 0)
		return "a pattern is empty: write server.tool, server, "
		       "*.delete_* or @destroys";
	if (pattern.len > POLICY_PATTERN_MAX || utf8_bad(pattern) != SIZE_MAX)
		return "a pattern is too long, or is not UTF-8";
	if (pattern.ptr[0] == '@' && class_named(pattern).len == 0)
		return "there is no such class: write @reads, @destroys or "
		       "@unknown";
	return NULL;
}

static policy_names
what_it_names(text pattern)
{
	text rest = pattern;

	if (class_named(pattern).len > 0)
		return POLICY_CLASS;
	if (text_ends(pattern, TEXT(".*")))
		rest.len -= 2;
	if (text_find(rest, TEXT("*"), 0) != SIZE_MAX)
		return POLICY_PATTERN;
	return rest.len < pattern.len ||
		       text_find(pattern, TEXT("."), 0) == SIZE_MAX
		   ? POLICY_SERVER
		   : POLICY_TOOL;
}

static unsigned
count_letters(text pattern)
{
	unsigned n = 0;

	for (size_t i = 0; i < pattern.len; i++)
		n += pattern.ptr[i] != '*';
	return n;
}

cm_status
policy_add(policy *p, policy_verdict verdict, text pattern, const char *where,
    const char **why)
{
	void *array = p->rule;
	char *copy;

	pattern = text_trim(pattern);
	*why = pattern_fault(pattern);
	if (*why)
		return CM_EINPUT;
	if (p->len >= POLICY_RULES_MAX)
		return CM_ELIMIT;
	copy = arena_take(&p->arena, pattern.len);
	if (!copy || !mem_grow(NULL, &array, &p->cap, p->len, sizeof(*p->rule)))
		return CM_ENOMEM;
	p->rule = array;
	memcpy(copy, pattern.ptr, pattern.len);
	p->rule[p->len++] = (policy_rule){.verdict = verdict,
	    .names = what_it_names(pattern),
	    .pattern = {copy, pattern.len},
	    .where = where,
	    .letters = count_letters(pattern)};
	return CM_OK;
}

/* ----------------------------------------------------------------- deciding */

text
policy_class(const policy_tool *t)
{
	if (t->trusted && (t->flags & CM_TOOL_READS))
		return classes[0];
	if (t->flags & CM_TOOL_DESTROYS)
		return classes[1];
	return classes[2];
}

typedef struct whole_name {
	char bytes[POLICY_PATTERN_MAX];
	text text; /* "server.tool"; empty: longer than any pattern */
} whole_name;

static void
join_name(const policy_tool *t, whole_name *n)
{
	size_t len = 0;

	n->text = TEXT_NONE;
	if (t->server.len + 1 + t->name.len > sizeof(n->bytes))
		return;
	if (t->server.len > 0) {
		memcpy(n->bytes, t->server.ptr, t->server.len);
		len = t->server.len;
		n->bytes[len++] = '.';
	}
	memcpy(n->bytes + len, t->name.ptr, t->name.len);
	n->text = (text){n->bytes, len + t->name.len};
}

static bool
rule_names(const policy_rule *r, const policy_tool *t, text whole)
{
	text server = r->pattern;

	switch (r->names) {
	case POLICY_CLASS:
		return text_eq(class_named(r->pattern), policy_class(t));
	case POLICY_SERVER:
		if (text_ends(server, TEXT(".*")))
			server.len -= 2;
		return text_eq(server, t->server.len ? t->server : t->name);
	case POLICY_PATTERN:
	case POLICY_TOOL:
		break;
	}
	return whole.len > 0 && text_glob(r->pattern, whole);
}

bool
policy_rule_names(const policy_rule *r, const policy_tool *t)
{
	whole_name n;

	join_name(t, &n);
	return rule_names(r, t, n.text);
}

/* Does a win over b, when both name the tool? b may be NULL. */
static bool
wins_over(const policy_rule *a, const policy_rule *b)
{
	if (!b)
		return true;
	if ((a->verdict == POLICY_DENY) != (b->verdict == POLICY_DENY))
		return a->verdict == POLICY_DENY;
	if (a->names != b->names)
		return a->names > b->names;
	if (a->letters != b->letters)
		return a->letters > b->letters;
	return a->verdict > b->verdict;
}

policy_decision
policy_decide(const policy *p, const policy_tool *t)
{
	policy_decision d = {.named = policy_class(t),
	    .distrusted = !t->trusted && (t->flags & CM_TOOL_READS) != 0};
	whole_name n;

	join_name(t, &n);
	for (size_t i = 0; i < p->len; i++)
		if (rule_names(&p->rule[i], t, n.text) &&
		    wins_over(&p->rule[i], d.rule))
			d.rule = &p->rule[i];
	if (d.rule)
		d.verdict = d.rule->verdict;
	else
		d.verdict =
		    text_eq(d.named, classes[1]) ? POLICY_ASK : POLICY_ALLOW;
	return d;
}
