/* SPDX-License-Identifier: MIT */
/*
 * check_h.c -- what check.h says, tried once (claims.h).
 */
#include "claims.h"

#include <codemode/check.h>

#include <string.h>

/* -------------------------------------------------------- how it is tried */

static cm_catalog *
catalog_of_github(void)
{
	static const char *const names[] = {"list", "get"};
	cm_catalog *cat = NULL;

	EXPECT(cm_catalog_new(NULL, &cat) == CM_OK);
	for (size_t i = 0; i < 2; i++) {
		cm_tool t = {
		    .space = TEXT_INIT("github"), .name = text_of(names[i])};

		EXPECT(cm_catalog_add(cat, &t) == CM_OK);
	}
	return cat;
}

static cm_check *
check_of(const char *script, bool tools)
{
	cm_catalog *cat = tools ? catalog_of_github() : NULL;
	cm_check *check = NULL;

	EXPECT(cm_source_check(cat, text_of(script), 0, &check) == CM_OK);
	cm_catalog_free(cat);
	return check;
}

/* The first problem has this code, level and line. */
static void
first_problem(
    const char *script, const char *code, cm_level level, uint32_t line)
{
	cm_check *check = check_of(script, true);
	cm_problem p = {.line = 0};

	EXPECT(cm_check_problem(check, 0, &p) == CM_OK);
	EXPECT(says(p.code, code) && p.level == level && p.line == line);
	EXPECT(p.message.len > 0);
	EXPECT(has(p.excerpt, "^"));
	cm_check_free(check);
}

/* The first site has this path and arguments, and at least these flags. */
static void
first_site(
    const char *script, const char *path, const char *args, unsigned flags)
{
	cm_check *check = check_of(script, true);
	cm_site s = {.flags = 0};

	EXPECT(cm_check_site(check, 0, &s) == CM_OK);
	EXPECT(says(s.path, path) && says(s.args, args));
	EXPECT((s.flags & flags) == flags);
	EXPECT(s.line == 1 && s.column > 0);
	cm_check_free(check);
}

/* ------------------------------------------------------------- the sentences */

static void
problems_are_found(void)
{
	first_problem(
	    "const a = 1\nreturn (", "SyntaxError", CM_LEVEL_ERROR, 2);
	first_problem(
	    "await tools.github.listt()", "UnknownTool", CM_LEVEL_ERROR, 1);
	first_problem("await Promise.all([1]);\nrequire('fs')", "NotHere",
	    CM_LEVEL_ERROR, 2);
	first_problem("const a = tools.github.list();\nreturn a.length",
	    "MissingAwait", CM_LEVEL_WARNING, 2);
	first_problem("async function main() { await tools.github.list() }\n"
		      "main()",
	    "AwaitedLast", CM_LEVEL_NOTE, 2);
}

static void
places_are_from_one(void)
{
	cm_check *check =
	    check_of("const s = '\xf0\x9f\x98\x80'; await tools.nope()", true);
	cm_problem p = {.line = 0};

	EXPECT(cm_check_problem(check, 0, &p) == CM_OK);
	/* The emoji has two UTF-16 units. */
	EXPECT(p.line == 1 && p.column == 23);
	EXPECT(p.end_line == 1 && p.end_column > p.column);
	cm_check_free(check);
}

static void
sites_are_found(void)
{
	first_site("await tools.github.list({ a: 1 })", "github.list",
	    "{\"a\":1}", CM_SITE_LITERAL | CM_SITE_AWAITED | CM_SITE_KNOWN);
	first_site("for (;;) await tools.github.list(x)", "github.list", "x",
	    CM_SITE_LOOP);
	first_site("[1].map((i) => tools.github.list())", "github.list", "",
	    CM_SITE_CALLBACK);
	first_site(
	    "await tools.github[name]()", "github.*", "", CM_SITE_COMPUTED);
	first_site("await tools[name]()", "*", "", CM_SITE_COMPUTED);
	first_site(
	    "return tools.github.list", "github.list", "", CM_SITE_NAMED);
	first_site("eval(code)", "*", "", CM_SITE_COMPUTED);
}

static void
without_a_catalog(void)
{
	cm_check *check = check_of("await tools.any.thing()", false);
	cm_problem p;
	cm_site s = {.flags = 0};

	EXPECT(cm_check_problem(check, 0, &p) == CM_EMISUSE);
	EXPECT(cm_check_site(check, 0, &s) == CM_OK);
	EXPECT(says(s.path, "any.thing"));
	EXPECT(cm_check_site(check, 1, &s) == CM_EMISUSE);
	cm_check_free(check);
	cm_check_free(NULL);
	check = NULL;
	EXPECT(cm_source_check(NULL, TEXT("const a: number = 1"), CM_RUN_RAW,
		   &check) == CM_OK);
	EXPECT(cm_check_problem(check, 0, &p) == CM_OK);
	EXPECT(says(p.code, "SyntaxError"));
	cm_check_free(check);
}

static void
in_the_order_of_the_text(void)
{
	cm_check *check =
	    check_of("await tools.b.x(); await tools.a.y()", false);
	cm_site s[2];

	EXPECT(cm_check_site(check, 0, &s[0]) == CM_OK);
	EXPECT(cm_check_site(check, 1, &s[1]) == CM_OK);
	EXPECT(says(s[0].path, "b.x") && says(s[1].path, "a.y"));
	cm_check_free(check);
}

static void
one_json_object(void)
{
	cm_check *check = check_of("await tools.github.listt({ a: 1 })", true);
	cm_text all = TEXT_NONE;

	EXPECT(cm_check_json(check, &all) == CM_OK);
	EXPECT(json_check(all, JSON_DEPTH, &all, NULL));
	EXPECT(says(json_get(all, TEXT("ok")), "false"));
	EXPECT(json_len(json_get(all, TEXT("problems"))) == 1);
	EXPECT(json_len(json_get(all, TEXT("calls"))) == 1);
	cm_check_free(check);
}

static void
code_and_tree(void)
{
	cm_check *check = check_of("const a: number = 1; return a", false);
	cm_text tree = TEXT_NONE;

	EXPECT(has(cm_check_code(check), "const a         = 1;"));
	EXPECT(cm_check_tree(check, &tree) == CM_OK);
	EXPECT(text_starts(tree, TEXT("(")));
	cm_check_free(check);
	check = check_of("return (", false);
	EXPECT(cm_check_code(check).len == 0);
	EXPECT(cm_check_tree(check, &tree) == CM_OK && tree.len == 0);
	cm_check_free(check);
}

static void
engine_is_not_asked(void)
{
	static const char script[] = "let a; let a; tools.github.list()";

	for (unsigned quick = 0; quick < 2; quick++) {
		cm_check *check = NULL;
		cm_problem p = {.line = 0};
		cm_site site;
		size_t errors = 0;

		EXPECT(cm_source_check(NULL, text_of(script),
			   quick ? CM_CHECK_QUICK : 0, &check) == CM_OK);
		for (size_t i = 0; cm_check_problem(check, i, &p) == CM_OK; i++)
			errors += p.level == CM_LEVEL_ERROR;
		EXPECT(errors == (quick ? 0 : 1));
		EXPECT(cm_check_site(check, 0, &site) == CM_OK);
		EXPECT(says(site.path, "github.list"));
		cm_check_free(check);
	}
}

static const claim claims[] = {
#include "check_h.def"
};

int
main(int argc, char **argv)
{
	return claims_try(
	    argc, argv, "check.h", claims, sizeof(claims) / sizeof(*claims));
}
