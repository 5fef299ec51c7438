/* SPDX-License-Identifier: MIT */
/*
 * test_js_tree.c -- what a tree looks like, what its literals stand for, where
 * its nodes are.
 */
#include "js_fixture.h"

#include <math.h>

static void
statements(void **state)
{
	(void)state;
	assert_tree("return await x", "(body async (return (await (name x))))");
	assert_tree("if (a) b; else c",
	    "(body async (if (name a) (expr (name b)) (expr (name c))))");
	assert_tree("for (;;) break", "(body async (for (-) (-) (-) (break)))");
	assert_tree("for await (const [a] of b) ;",
	    "(body async (for-of async (var const (declarator "
	    "(array-pattern (bind a)))) (name b) (empty)))");
	assert_tree(
	    "try {} finally {}", "(body async (try (block) (-) (block)))");
	assert_tree("x: for (a in b) continue x",
	    "(body async (label (name x) (for-in (name a) (name b) "
	    "(continue (name x)))))");
	assert_tree("await using a = b, c = d",
	    "(body async (var await (declarator (bind a) (name b)) "
	    "(declarator (bind c) (name d))))");
	assert_tree("'use strict'; 'a'",
	    "(body async strict "
	    "(expr directive (string 'use strict')) "
	    "(expr directive (string 'a')))");
	assert_tree("", "(body async)");
	parse_end();
}

static void
expressions(void **state)
{
	(void)state;
	assert_tree("a + b * c - d",
	    "(body async (expr (binary - (binary + (name a) "
	    "(binary * (name b) (name c))) (name d))))");
	assert_tree("a ** b ** c", "(body async (expr (binary ** (name a) "
				   "(binary ** (name b) (name c)))))");
	assert_tree("a?.b[0](...c).d",
	    "(body async (expr (chain (member (call (index (member ?. "
	    "(name a) (key b)) (number 0)) (spread (name c))) (key d)))))");
	assert_tree("new a.b(c)()",
	    "(body async (expr (call (new (member (name a) (key b)) "
	    "(name c)))))");
	assert_tree("[a, b = 1, ...c] = d",
	    "(body async (expr (assign = (array-pattern (name a) "
	    "(default (name b) (number 1)) (rest (name c))) (name d))))");
	assert_tree("({a, b: c = 1, [d]: e, ...f}) => a",
	    "(body async (expr (arrow (params (object-pattern "
	    "(property shorthand (key a) (bind a)) (property (key b) "
	    "(default (bind c) (number 1))) (property [] (name d) (bind e)) "
	    "(rest (bind f)))) (name a))))");
	assert_tree("async x => await x",
	    "(body async (expr (arrow async (params (bind x)) "
	    "(await (name x)))))");
	assert_tree("`a${b}c`",
	    "(body async (expr (template (chunk a) (name b) (chunk c))))");
	assert_tree("a / b / c, /d/g",
	    "(body async (expr (sequence (binary / (binary / (name a) "
	    "(name b)) (name c)) (regex /d/g))))");
	assert_tree("[, a,,]", "(body async (expr (array (-) (name a) (-))))");
	parse_end();
}

static void
classes(void **state)
{
	(void)state;
	assert_tree("class A extends B { static #x = 1; get y() {} "
		    "async *[z]() {} static {} constructor() {} }",
	    "(body async (class-declaration strict (bind A) (name B) "
	    "(field static (private x) (number 1)) "
	    "(method get (key y) (function strict (-) (params) "
	    "(body strict))) "
	    "(method function async * [] (name z) (function async * strict "
	    "(-) (params) (body strict))) "
	    "(static-block (body strict)) "
	    "(method constructor (key constructor) (function strict (-) "
	    "(params) (body strict)))))");
	parse_end();
}

/* A tree never needs a stack: an operator chain is as deep as it is long. */
static void
long_chains(void **state)
{
	enum { TERMS = 100000 };
	char *source = malloc(TERMS * 2 + 2);
	buf out = BUF_INIT(NULL, 64 << 20);
	size_t names = 0;
	js_tree *t;

	(void)state;
	assert_non_null(source);
	for (int i = 0; i < TERMS; i++)
		memcpy(source + 2 * i, "a+", 2);
	strcpy(source + 2 * TERMS, "a");
	t = parse(source, &body_goal);
	assert_int_equal(t->error_count, 0);
	for (js_node *n = t->root; n; n = js_next(n, t->root))
		names += n->kind == JS_NAME;
	assert_int_equal(names, TERMS + 1);
	js_print(t, &out);
	assert_int_equal(out.bad, CM_OK);
	buf_clear(&out);
	js_write(t, &out);
	assert_int_equal(out.len, TERMS * 4 + 3); /* " + ", ";\n" */
	buf_fini(&out);
	free(source);
	parse_end();
}

static void
fields(void **state)
{
	js_tree *t = parse("for (; a;) ;", &body_goal);
	const js_node *loop = t->root->child;

	(void)state;
	assert_null(js_field(loop, 0));
	assert_int_equal(js_field(loop, 1)->kind, JS_NAME);
	assert_null(js_field(loop, 2));
	assert_int_equal(js_field(loop, 3)->kind, JS_EMPTY);
	assert_null(js_field(loop, 4));
	assert_ptr_equal(js_field(loop, 1)->parent, loop);
	assert_text(js_text(t, js_field(loop, 1)), TEXT("a"));
	assert_string_equal(js_kind_fields(JS_IF), "test then else?");
	assert_ptr_equal(
	    js_over(js_field(loop, 1), t->root), loop->child->next->next);
	parse_end();
}

static void
string_is(const char *source, text want)
{
	buf out = BUF_INIT(NULL, 1000);
	js_tree *t = parse(source, &body_goal);
	const js_node *n = t->root->child->child;

	assert_int_equal(t->error_count, 0);
	js_string(t, n->kind == JS_TEMPLATE ? n->child : n, &out);
	assert_text(buf_view(&out), want);
	buf_fini(&out);
}

static void
strings(void **state)
{
	(void)state;
	string_is(
	    "'a\\n\\x41\\u0042\\u{1F600}\\0'", TEXT("a\nAB\xf0\x9f\x98\x80\0"));
	string_is("\"it's \\\"\\q\\'\"", TEXT("it's \"q'"));
	string_is("'a\\\nb\\\r\nc'", TEXT("abc"));
	string_is("'\\ud83d\\ude00'", TEXT("\xf0\x9f\x98\x80"));
	string_is("'\\ud83dx\\ude00'", TEXT("\xed\xa0\xbdx\xed\xb8\x80"));
	string_is("'\\101\\8\\07'", TEXT("A8\a"));
	string_is("'\xe2\x80\xa8'", TEXT("\xe2\x80\xa8"));
	string_is("`a\r\nb\rc\\t`", TEXT("a\nb\nc\t"));
	string_is("''", TEXT(""));
	parse_end();
}

static double
number_of(const char *source)
{
	js_tree *t = parse(source, &body_goal);

	assert_int_equal(t->error_count, 0);
	return js_number(t, t->root->child->child);
}

#define assert_number(source, want) assert_true(number_of(source) == (want))

static void
numbers(void **state)
{
	(void)state;
	assert_number("0", 0);
	assert_number("1.5e3", 1500);
	assert_number(".5", 0.5);
	assert_number("5.", 5);
	assert_number("5.e1", 50);
	assert_number("1_000.000_1", 1000.0001);
	assert_number("0xfF", 255);
	assert_number("0b101", 5);
	assert_number("0o17", 15);
	assert_number("017", 15);
	assert_number("019", 19);
	assert_number("09.5", 9.5);
	assert_number("9007199254740993", 9007199254740992.0);
	assert_number("0x20000000000001", 9007199254740992.0);
	assert_number("0x20000000000003", 9007199254740996.0);
	assert_number("0x200000000000010000001", 0x1.0000000000001p+81);
	assert_number("1e400", INFINITY);
	assert_number("5e-324", 5e-324);
	parse_end();
}

static void
positions(void **state)
{
	text s = TEXT("a\r\n\xc3\xa9\xf0\x9f\x98\x80x\xe2\x80\xa8y\rz");
	js_place p;

	(void)state;
	p = js_position(s, 0);
	assert_int_equal(p.line, 1);
	assert_int_equal(p.column, 1);
	p = js_position(s, 9); /* x, behind one of 1 and one of 2 units */
	assert_int_equal(p.line, 2);
	assert_int_equal(p.column, 4);
	assert_int_equal(p.characters, 3);
	p = js_position(s, 13); /* y, behind U+2028 */
	assert_int_equal(p.line, 3);
	assert_int_equal(p.column, 1);
	p = js_position(s, 15);
	assert_int_equal(p.line, 4);
	p = js_position(s, 1000);
	assert_int_equal(p.line, 4);
	assert_int_equal(p.column, 2);
}

static void
written(void **state)
{
	buf out = BUF_INIT(NULL, 1000);
	js_tree *t =
	    parse("(a,b)=>{({}).x;(function(){})()}\nlet[c]=d\n-e", &body_goal);

	(void)state;
	js_write(t, &out);
	assert_str(buf_view(&out), "(a, b) => {\n({}.x);\n"
				   "(function () {\n}());\n};\n"
				   "let [c] = d - e;\n");
	buf_fini(&out);
	parse_end();
}

static void
same(void **state)
{
	arena memory = ARENA_INIT(NULL, 1 << 20);
	const js_node *where = NULL;
	js_tree other;

	(void)state;
	assert_int_equal(
	    js_parse(TEXT("a  = ('x'); ; b"), &body_goal, &memory, &other),
	    CM_OK);
	assert_true(
	    js_same(parse("a = \"\\x78\"\nb", &body_goal), &other, &where));
	assert_false(js_same(parse("a = 'x'; c", &body_goal), &other, &where));
	assert_text(js_text(&parse_tree, where), TEXT("c"));
	assert_false(js_same(parse("a = 'x'", &body_goal), &other, &where));
	assert_false(
	    js_same(parse("a = 'x'; b; c", &body_goal), &other, &where));
	assert_false(js_same(parse("a += 'x'; b", &body_goal), &other, &where));
	arena_fini(&memory);
	parse_end();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(statements),
	    cmocka_unit_test(expressions),
	    cmocka_unit_test(classes),
	    cmocka_unit_test(long_chains),
	    cmocka_unit_test(fields),
	    cmocka_unit_test(strings),
	    cmocka_unit_test(numbers),
	    cmocka_unit_test(positions),
	    cmocka_unit_test(written),
	    cmocka_unit_test(same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
