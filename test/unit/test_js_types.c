/* SPDX-License-Identifier: MIT */
/*
 * test_js_types.c -- types are blanked to the letter, and what needs code is
 * refused with words that say what to write.
 */
#include "js_fixture.h"

static void
blank_is_at(const char *source, const char *want, const char *file, int line)
{
	buf out = BUF_INIT(NULL, 10000);
	js_tree *t = parse(source, &types_goal);

	if (t->error_count) {
		print_error(
		    "%s\n%.*s\n", source, TEXT_ARG(t->errors[0].message));
		_fail(file, line);
	}
	js_blank_types(t, &out);
	text_is_at(buf_view(&out), text_of(want), file, line);
	buf_fini(&out);
}

#define assert_blank(source, want) \
	blank_is_at((source), (want), __FILE__, __LINE__)

static void
to_the_letter(void **state)
{
	(void)state;
	assert_blank(
	    "let x: number = y as number;", "let x         = y          ;");
	assert_blank("f<T>(a!, b?.c!)", "f   (a , b?.c )");
	assert_blank(
	    "class A { private x?: T = 1 }", "class A {         x     = 1 }");
	assert_blank(
	    "type A = {\n  b: string;\n}\nx", "          \n            \n \nx");
	assert_blank("import type A from 'a'; x", "                        x");
}

/* A blank is as wide as what it covers. */
static void
width(void **state)
{
	(void)state;
	assert_blank("x as Ünï; y", "x    \xc2\xa0 \xc2\xa0; y");
	assert_blank("x as '字😀'; y", "x     \xe3\x80\x80\xc2\xa0\xc2\xa0 ; y");
	assert_blank("x as\r\n\xe2\x80\xa8T", "x   \r\n\xe2\x80\xa8 ");
}

/* What a line break ended stays ended; what it may not part stays whole. */
static void
line_ends(void **state)
{
	(void)state;
	assert_blank("a\ntype B = 1\n(c)", "a\n;         \n(c)");
	assert_blank("a as B\n(c)", "a ;   \n(c)");
	assert_blank("class A { x = 1\n declare y\n ['z'] }",
	    "class A { x = 1\n ;        \n ['z'] }");
	assert_blank("class A { x = 1\n public ['z'] = 2 }",
	    "class A { x = 1\n ;      ['z'] = 2 }");
	assert_blank(
	    "class A { get?: T\n x() {} }", "class A { get ;  \n x() {} }");
	assert_blank("return <T,>\n(x: T) => x", "return (   \n x   ) => x");
	assert_blank("(x): {\n a: B\n} => x", "(x    \n     \n) => x");
	parse_end();
}

static void
hashbang(void **state)
{
	(void)state;
	assert_blank("#!/usr/bin/env node\nx", "                   \nx");
	assert_int_equal(parse("#!a", &body_goal)->hashbang, 3);
	assert_error(" #!a", "PRIVATE_NAME", 1, 2, "#");
	parse_end();
}

static void
needs_code(void **state)
{
	(void)state;
	assert_type_error(
	    "x;\nenum Color { Red }", "TS_ENUM", 2, 1, "const Color = {");
	assert_type_error("const enum E {}", "TS_ENUM", 1, 1, "const E");
	assert_type_error(
	    "namespace N { const a = 1 }", "TS_NAMESPACE", 1, 1, "const N = {");
	assert_type_error("class A { constructor(private x: B) {} }",
	    "TS_PARAMETER_PROPERTY", 1, 31, "this.x = x");
	assert_type_error(
	    "@log class A {}", "TS_DECORATOR", 1, 1, "call the function");
	assert_type_error(
	    "class A { @log m() {} }", "TS_DECORATOR", 1, 11, "decorators");
	assert_type_error(
	    "import a = require('a')", "TS_IMPORT_EQUALS", 1, 1, "const a =");
	assert_type_error("export = a", "TS_EXPORT_EQUALS", 1, 1, "return");
	assert_type_error("x = <T>y", "TS_CAST", 1, 5, "as T");
	assert_type_error(
	    "x = a + b as number * 2", "TS_PRECEDENCE", 1, 5, "parentheses");
	parse_end();
}

/* Plain JavaScript is not touched, and types are none of its own. */
static void
plain(void **state)
{
	(void)state;
	assert_error("let x: number", "UNEXPECTED", 1, 6, ":");
	assert_error("x as y", "UNEXPECTED", 1, 3, "as");
	assert_int_equal(
	    parse("type = declare; f(a < b, c > (d))", &body_goal)->span_count,
	    0);
	assert_int_equal(parse_tree.error_count, 0);
	assert_blank("let as = type / of", "let as = type / of");
	parse_end();
}

/* Reading ahead again and again has a bound. */
static void
entangled(void **state)
{
	enum { TIMES = 300 };
	char source[TIMES * 12 + 10];
	size_t len = 0;

	(void)state;
	for (int i = 0; i < TIMES; i++, len += 11)
		memcpy(source + len, "a?(b):c=>d?", 11);
	strcpy(source + len, "e");
	assert_int_not_equal(parse(source, &types_goal)->error_count, 0);
	assert_true(parse_memory.used < 16 << 20);
	parse_end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(to_the_letter),
	    cmocka_unit_test(width),
	    cmocka_unit_test(line_ends),
	    cmocka_unit_test(hashbang),
	    cmocka_unit_test(needs_code),
	    cmocka_unit_test(plain),
	    cmocka_unit_test(entangled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
