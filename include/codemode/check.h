/* SPDX-License-Identifier: MIT */
/*
 * check.h -- what is wrong with a script, and what it can call, told without
 * running it.
 *
 *	if (cm_source_check(cat, script, 0, &check) == CM_OK) {
 *		while (cm_check_problem(check, i++, &problem) == CM_OK)
 *			...
 *		cm_check_free(check);
 *	}
 *
 * Every error of syntax is found, and much that would fail or go wrong at run
 * time: unknown tools, names that do not exist here, calls without await. In
 * more than 64 KiB of code, errors that only the engine knows are not looked
 * for: it would take seconds.
 *
 * The list of sites covers every call of a tool that a run can make: a call of
 * tools.x.y, also as the global x.y, is made only if the list has a site with
 * the path "x.y", "x.*" or "*". So an approval can be asked for before the
 * first of them. A "*" stands where the name is computed, and also where tools,
 * or code made of strings, is used in a way that is not followed: any tool (of
 * that namespace) may be called then. test/source/check/covered.c compares the
 * list with what runs.
 */
#ifndef CODEMODE_CHECK_H
#define CODEMODE_CHECK_H

#include <codemode/codemode.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_check cm_check;

/* A flag of cm_source_check: skip the errors that only the engine finds, which
 * take most of its time. The list of sites is the same. */
#define CM_CHECK_QUICK (1u << 31)

typedef enum cm_level {
	CM_LEVEL_ERROR,   /* the script cannot do what it says        */
	CM_LEVEL_WARNING, /* it probably does not mean what it says  */
	CM_LEVEL_NOTE     /* it is read in a way that it does not say */
} cm_level;

typedef struct cm_problem {
	cm_text code; /* "SyntaxError", "UnknownTool", "MissingAwait" ... */
	cm_level level;
	cm_text message; /* what is wrong, and the form to write            */
	cm_text excerpt; /* the line, and a caret under the place           */
	uint32_t line, column;         /* from 1, column in UTF-16 units    */
	uint32_t end_line, end_column; /* behind the last character         */
} cm_problem;

enum {                             /* cm_site.flags */
	CM_SITE_LOOP = 1 << 0,     /* inside a loop                         */
	CM_SITE_CALLBACK = 1 << 1, /* in a callback of map, forEach ...     */
	CM_SITE_COMPUTED = 1 << 2, /* path has a *: decided at run time     */
	CM_SITE_LITERAL = 1 << 3,  /* args is JSON: they stand in the text  */
	CM_SITE_AWAITED = 1 << 4,
	CM_SITE_NAMED = 1 << 5, /* not called here: passed on, returned  */
	CM_SITE_KNOWN = 1 << 6  /* the catalog has it                    */
};

/* A place in the script that can call a tool. */
typedef struct cm_site {
	cm_text path; /* behind "tools.": "github.list"; "github.*", "*": any;
		       * github.* covers a tool that is called github, too */
	cm_text args; /* JSON, or as written; empty: none. What is written is
		       * cut at 2,000 bytes, and ends with U+2026 then */
	unsigned flags;
	uint32_t line, column;
} cm_site;

/*
 * cat may be NULL: then nothing is known of tools, none is unknown and none is
 * a global. flags: as in cm_run_options, and CM_CHECK_QUICK. Fails only without
 * memory: a faulty script is a success with problems.
 */
CM_API cm_status cm_source_check(
    cm_catalog *cat, cm_text script, unsigned flags, cm_check **out);
CM_API void cm_check_free(cm_check *check);

/* Number i from 0, in the order of the text; CM_EMISUSE: there are no more.
 * Texts live until cm_check_free. */
CM_API cm_status cm_check_problem(
    const cm_check *check, size_t i, cm_problem *out);
CM_API cm_status cm_check_site(const cm_check *check, size_t i, cm_site *out);

/* All of it as one JSON object: ok, problems, calls (codemode-check(1)).
 * Lives until cm_check_free. */
CM_API cm_status cm_check_json(cm_check *check, cm_text *json);

/* The text that an engine would be given, and its tree in parentheses; empty
 * when it does not parse. Live until cm_check_free. */
CM_API cm_text cm_check_code(const cm_check *check);
CM_API cm_status cm_check_tree(cm_check *check, cm_text *tree);

/* The form of a script's text as a grammar in the language of Lark, for
 * providers that let a model write only what a grammar allows: an options line
 * that is right, or none, and some text. Fences around a script, which are taken
 * off before it is read, are not in it. Static. */
CM_API const char *cm_source_grammar(void);

#ifdef __cplusplus
}
#endif
#endif
