/* SPDX-License-Identifier: MIT */
/*
 * permit.h -- what the person allows: the rules of the line and of the policy
 * file, and which tools they answered "always" for.
 *
 * Tools that say that they destroy are asked about, and all others are allowed,
 * unless a rule says otherwise (policy.h has the order).
 */
#ifndef CMD_PERMIT_H
#define CMD_PERMIT_H

#include "common/cmd.h"
#include "common/file_key.h"
#include "common/pool.h"

#include "base/json.h"
#include "policy/policy.h"

#include <codemode/codemode.h>

/* Members of a command's own struct. */
typedef struct permit_options {
	opt_values rules;
	const char *file;
	bool read_only;
	bool yes;
	bool each;
	bool dry;
} permit_options;

#define PERMIT_OPTS(type, member)                                             \
	{"allow", 0, OPT_TEXTS, "PATTERN",                                    \
	    "these tools may be called without asking",                       \
	    "server.tool, server, a pattern with *, or one of reads, "        \
	    "destroys and unknown, which is what a tool says of itself. "     \
	    "A rule that denies wins, otherwise the one that names most, "    \
	    "otherwise asking. Without a rule that names them, tools that "   \
	    "say that they destroy are asked about, others are allowed.",     \
	    offsetof(type, member.rules)},                                    \
	    {"ask", 0, OPT_TEXTS, "PATTERN",                                  \
		"the person is asked before such a call",                     \
		"On the terminal; in serve, through the client if it can. "   \
		"Without anybody to ask, the call is refused.",               \
		offsetof(type, member.rules)},                                \
	    {"deny", 0, OPT_TEXTS, "PATTERN",                                 \
		"these tools do not exist for a script", NULL,                \
		offsetof(type, member.rules)},                                \
	    {"read-only", 0, OPT_FLAG, NULL,                                  \
		"only tools that say that they only read", NULL,              \
		offsetof(type, member.read_only)},                            \
	    {"yes", 0, OPT_FLAG, NULL, "allow what would be asked about",     \
		NULL, offsetof(type, member.yes)},                            \
	    {"ask-each", 0, OPT_FLAG, NULL, "ask at each call",               \
		"Without it the person is asked once for a script, before "   \
		"its first call, about all calls that it can make.",          \
		offsetof(type, member.each)},                                 \
	    {"dry-run", 0, OPT_FLAG, NULL,                                    \
		"call only tools that say that they only read",               \
		"What else would be called is a warning of the result, in "   \
		"order and with arguments, and its script gets a value that " \
		"the tool's output schema describes, or null.",               \
		offsetof(type, member.dry)},                                  \
	{                                                                     \
		"policy", 0, OPT_FILE, "FILE", "rules from a file",           \
		    "A JSON object of allow, ask and deny (arrays of "        \
		    "patterns) and trust (false for a server whose word "     \
		    "that a tool only reads does not count). Without it, "    \
		    "policy.json of the folder codemode below "               \
		    "XDG_CONFIG_HOME or ~/.config is read, if it is there.",  \
		    offsetof(type, member.file)                               \
	}

typedef struct permit {
	say *say;
	pool pool;
	policy policy;
	json trust; /* object: server ("*": others) -> boolean, or missing */
	bool yes;
	bool each; /* --ask-each: no question covers a whole script */
	bool dry; /* tools that do not say that they only read are not called */
	const char *kept; /* path of the answers; NULL: there is no place */
	text always;      /* its content: a key, a line for each tool */
	uint64_t key[FILE_KEY_WORDS]; /* that one */
} permit;

/* CLI_OK, or CLI_USAGE: a rule is wrong, which was printed. permit_fini is due
 * in any case. */
cli_exit permit_open(permit *p, const permit_options *o, say *s);
void permit_fini(permit *p);

/* Is a call of t only noted, and answered with a sample of its schema? */
bool permit_dry(const permit *p, const cm_tool *t);
/* The rule that decides for a tool which rule (below .policy.len) names. NULL:
 * that rule does not name the tool. */
const policy_rule *permit_rule_of(
    const permit *p, size_t rule, const cm_tool *t);
/* The decision about a tool, as it is offered to scripts. */
policy_decision permit_tool(const permit *p, const cm_tool *t);

/* The answer of a person about a call. */
typedef enum permit_answer {
	PERMIT_NO,
	PERMIT_UNASKED, /* no person could be asked */
	PERMIT_YES,
	PERMIT_YES_SCRIPT, /* also to later calls of the tool by this script */
	PERMIT_YES_ALWAYS  /* also to later calls of the tool by any script */
} permit_answer;

/* Appends which call is not allowed, why, and how to allow it. */
void permit_refusal(const policy_decision *d, const cm_call *call,
    permit_answer answer, buf *out);

/* Appends a line with hashes of the definition of a tool. */
void permit_put_definition(const permit *p, const cm_tool *t, buf *out);
/* If lines have only other definitions of that tool: appends which parts
 * differ. */
void permit_put_changes(
    const permit *p, text lines, const cm_tool *t, buf *out);

/* Why, for people: "--deny files", "policy.json: deny", "it says that it may
 * overwrite or delete", "always, as answered". */
void permit_reason(const policy_decision *d, buf *out);

/* From now on the tool is allowed without asking, as long as its definition
 * stays what it is. NULL, or why that cannot be kept. */
const char *permit_always(permit *p, const cm_tool *t);

#endif
