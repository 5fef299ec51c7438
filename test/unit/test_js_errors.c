/* SPDX-License-Identifier: MIT */
/*
 * test_js_errors.c -- what is wrong with a script: the code, the place, and
 * that the message says what to do.
 */
#include "js_fixture.h"

static void
characters(void **state)
{
	(void)state;
	assert_error("a\n @b", "UNEXPECTED", 2, 2, "@");
	assert_error("a \x01", "CHARACTER", 1, 3, "U+0001");
	assert_error("x = “y”", "CHARACTER", 1, 5, "“");
	assert_error("/* a", "COMMENT_OPEN", 1, 1, "*/");
	assert_error("a\nx = \"line one\nline two\"", "STRING_OPEN", 2, 5,
	    "template literal");
	assert_error("x = 'a", "STRING_OPEN", 1, 5, "quoted string");
	assert_error("x = `a${b}", "TEMPLATE_OPEN", 1, 10, "`");
	assert_error("x = /a\n/", "REGEX_OPEN", 1, 5, "/");
	assert_error("'\\x4'", "ESCAPE", 1, 2, "\\x");
	assert_error("`\\u{}`", "ESCAPE", 1, 2, "\\\\");
	assert_error("1__0", "NUMBER", 1, 1, "between two digits");
	assert_error("3in []", "NUMBER_TAIL", 1, 2, "number");
	assert_error("v\\u{20}", "IDENTIFIER_ESCAPE", 1, 2, "name");
	parse_end();
}

static void
html_comments(void **state)
{
	(void)state;
	assert_error(
	    "const x = 5;\nreturn x<!--y\n;", "HTML_COMMENT", 2, 9, "comment");
	assert_error("a\n--> b", "HTML_COMMENT", 2, 1, "//");
	assert_int_equal(
	    parse("while (n-->0) '<!--';", &body_goal)->error_count, 0);
	assert_int_equal(
	    parse("a <!-- b\n --> c", &script_goal)->error_count, 0);
	parse_end();
}

static void
await_places(void **state)
{
	(void)state;
	assert_error(
	    "x.map(i => await f(i))", "AWAIT_PLACE", 1, 12, "write async");
	assert_error("function f() {\n  const a = await g();\n}", "AWAIT_PLACE",
	    2, 13, "async");
	assert_error(
	    "() => { for await (a of b); }", "AWAIT_PLACE", 1, 13, "async");
	assert_int_equal(
	    parse("() => { var await; await(1) }", &body_goal)->error_count, 0);
	parse_end();
}

static void
grammar(void **state)
{
	(void)state;
	assert_error("a b", "UNEXPECTED", 1, 3, "unexpected b");
	assert_error("f(a", "EXPECTED", 1, 4, ") before the end");
	assert_error("if (a { }", "EXPECTED", 1, 7, ") before {");
	assert_error("()", "EMPTY_PARENS", 1, 2, "=>");
	assert_error("(a)\n=> b", "ARROW_LINE", 2, 1, "=>");
	assert_error("throw\na", "THROW_LINE", 1, 1, "throw");
	assert_error("a ?? b || c", "MIXED_COALESCE", 1, 1, "parentheses");
	assert_error("-a ** b", "POW_UNARY", 1, 1, "parentheses");
	assert_error("1 = 2", "TARGET", 1, 1, "assigned");
	assert_error("if (a) let b = 1", "STATEMENT_DECLARATION", 1, 8, "{ }");
	assert_error(
	    "while (a) function b() {}", "FUNCTION_STATEMENT", 1, 11, "block");
	assert_error("import fs from 'fs'", "MODULE_IMPORT", 1, 1, "tools");
	assert_error("export const a = 1", "MODULE_EXPORT", 1, 1, "return");
	assert_error("/a(/", "REGEX", 1, 4, "not closed");
	assert_error("/a/gg", "REGEX_FLAGS", 1, 4, "at most once");
	parse_end();
}

/* All early errors of a script come at once, in the order of the text. */
static void
all_at_once(void **state)
{
	js_tree *t = parse("1 = 2;\na ?? b || c", &body_goal);

	(void)state;
	assert_int_equal(t->error_count, 2);
	assert_int_equal(t->errors[0].code, JS_E_TARGET);
	assert_int_equal(t->errors[1].code, JS_E_MIXED_COALESCE);
	assert_non_null(t->root);
	t = parse("1 = 2; a b", &body_goal);
	assert_int_equal(t->error_count, 2);
	assert_null(t->root);
	parse_end();
}

static void
modules(void **state)
{
	const js_options o = {.modules = true};

	(void)state;
	tree_is_at("import a, {b as c} from 'd'; export default a", &o,
	    "(body async (import (string 'd') (import-name (-) (bind a)) "
	    "(import-name (key b) (bind c))) (export-default (name a)))",
	    __FILE__, __LINE__);
	error_is_at("{ import a from 'a' }", &o, "MODULE_IMPORT", 1, 3, "tools",
	    __FILE__, __LINE__);
	parse_end();
}

/* As deep as it says and no deeper, whatever nests. */
static void
depth(void **state)
{
	static const char *const open[] = {"(", "[", "{", "!", "a=>", "a**",
	    "`${", "[...", "new ", "a?b:", "async(x)=>", "if(a)",
	    "a:", "({a:", "class{[", "function f(){",
	    "/((((((((((((((((((((((((((((("};
	char *source = malloc(2000 * 40);

	(void)state;
	assert_non_null(source);
	for (size_t i = 0; i < sizeof(open) / sizeof(*open); i++) {
		size_t len = strlen(open[i]);
		js_tree *t;

		for (size_t k = 0; k < 2000; k++)
			memcpy(source + k * len, open[i], len);
		source[2000 * len] = 0;
		t = parse(source, &body_goal);
		assert_int_not_equal(t->error_count, 0);
		if (open[i][0] != '/' && open[i][0] != 'a')
			assert_int_equal(t->errors[0].code, JS_E_DEPTH);
	}
	memset(source, '(', 400);
	strcpy(source + 400, "a");
	memset(source + 401, ')', 400);
	source[801] = 0;
	assert_int_equal(parse(source, &body_goal)->error_count, 0);
	free(source);
	parse_end();
}

/* Whatever the arena gives, the answer is a status, and nothing is lost. */
static void
memory_runs_out(void **state)
{
	static const char source[] =
	    "const f = async <T>(a: T, [b]: any = {}): Promise<T> => {"
	    "class A { #x = /(?<n>a)\\k<n>/u; m(y) { return `${this.#x}`} }"
	    "for (const { c, ...d } of e!) { let c1 = c as string; var g }"
	    "type B = string; interface C {} return a ? (b): c => d : e };";
	cm_status status = CM_ELIMIT;

	(void)state;
	for (size_t limit = 0; status != CM_OK; limit += 40) {
		arena a = ARENA_INIT(NULL, limit);
		js_tree t;

		status = js_parse(text_of(source), &types_goal, &a, &t);
		assert_true(status == CM_OK || status == CM_ELIMIT);
		if (status == CM_OK)
			assert_int_equal(t.error_count, 0);
		else
			assert_null(t.root);
		arena_fini(&a);
		assert_true(limit < 200000);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(characters),
	    cmocka_unit_test(html_comments),
	    cmocka_unit_test(await_places),
	    cmocka_unit_test(grammar),
	    cmocka_unit_test(all_at_once),
	    cmocka_unit_test(modules),
	    cmocka_unit_test(depth),
	    cmocka_unit_test(memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
