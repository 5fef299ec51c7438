/* SPDX-License-Identifier: MIT */
/*
 * Each message of error.def is one that a script can get: the table has a
 * script for each code, which goes through the same door as a user's. A code
 * without a row fails, so that no message stays that nothing raises.
 */
#include "unit.h"

#include "source/prepare.h"

static const struct {
	const char *code, *message;
} errors[] = {
#define ERROR(code, message) {#code, message},
#include "source/error.def"
#undef ERROR
};

/* The first error of each script has the code's message. */
static const char *const scripts[JS_CODES] = {
    [JS_E_CHARACTER] = "return a \x01 b",
    [JS_E_COMMENT_OPEN] = "return 1 /* and so on",
    [JS_E_HTML_COMMENT] = "const a = 1; <!-- a\nreturn a",
    [JS_E_STRING_OPEN] = "const a = 'it;\nreturn a",
    [JS_E_TEMPLATE_OPEN] = "return `abc",
    [JS_E_REGEX_OPEN] = "return /abc",
    [JS_E_ESCAPE] = "return \"\\xyz\"",
    [JS_E_NUMBER] = "return 0x",
    [JS_E_NUMBER_TAIL] = "return 3px",
    [JS_E_IDENTIFIER_ESCAPE] = "return \\u0020a",
    [JS_E_PRIVATE_NAME] = "class A { # }; return 1",
    [JS_E_REGEX] = "return /(/.test('a')",
    [JS_E_REGEX_FLAGS] = "return /a/x",
    [JS_E_UNEXPECTED] = "return 1 +* 2",
    [JS_E_EXPECTED] = "if (a { return 1 }",
    [JS_E_DEPTH] = "[",               /* written 2,000 times */
    [JS_E_STEPS] = "return 1",        /* with a budget of one step */
    [JS_E_AMBIGUOUS] = "a?(b):c=>d?", /* 300 times, behind a type */
    [JS_E_RESERVED] = "const class = 1; return 1",
    [JS_E_AWAIT_PLACE] = "function f() { return await g() }\nreturn f()",
    [JS_E_TARGET] = "f() = 1; return 1",
    [JS_E_PATTERN] = "({ a() {} } = b); return 1",
    [JS_E_PARAMETER] = "return (a.b) => 1",
    [JS_E_REST_LAST] = "const [...a, b] = c; return a",
    [JS_E_ARROW_LINE] = "return (a)\n=> a",
    [JS_E_EMPTY_PARENS] = "return ()",
    [JS_E_MIXED_COALESCE] = "return a ?? b || c",
    [JS_E_POW_UNARY] = "return -a ** 2",
    [JS_E_MODULE_IMPORT] = "{ import a from 'a' }",
    [JS_E_MODULE_EXPORT] = "{ export const a = 1 }",
    [JS_E_THROW_LINE] = "throw\nnew Error('a')",
    [JS_E_CATCH_MISSING] = "try { f() } return 1",
    [JS_E_NAME_MISSING] = "function () { g() }\nclass {}",
    [JS_E_STATEMENT_DECLARATION] = "if (a) const b = 1",
    [JS_E_FUNCTION_STATEMENT] = "while (a) function f() {}",
    [JS_E_TYPE] = "let a: ) = 1",
    [JS_E_TS_ENUM] = "const enum E { A, B }\nreturn E.A",
    [JS_E_TS_NAMESPACE] = "namespace A { export const b = 1 }\nreturn A.b",
    [JS_E_TS_PARAMETER_PROPERTY] =
	"class A { constructor(private b: string) {} }\nreturn new A('c')",
    [JS_E_TS_DECORATOR] = "@log class A {}\nreturn A",
    [JS_E_TS_IMPORT_EQUALS] = "import fs = require(\"fs\")\nreturn fs",
    [JS_E_TS_EXPORT_EQUALS] = "const a = 1\nexport = a",
    [JS_E_TS_CAST] = "const a = <any>b\nreturn a",
    [JS_E_TS_PRECEDENCE] = "const c = a + b as number * 2\nreturn c",
    [JS_E_TS_JSX] = "const a = <div className=\"b\">c</div>\nreturn a",
};

/* Does the message have the parts of the code's that stand around its %s? */
static bool
has_parts_of(const char *message, const char *pattern)
{
	text rest = text_of(message), parts = text_of(pattern);

	while (parts.len > 0) {
		size_t slot = text_find(parts, TEXT("%s"), 0), at;
		text part = text_sub(parts, 0, slot);

		at = text_find(rest, part, 0);
		if (at == SIZE_MAX)
			return false;
		rest = text_sub(rest, at + part.len, rest.len);
		parts = text_sub(
		    parts, slot == SIZE_MAX ? slot : slot + 2, parts.len);
	}
	return true;
}

static text
script_of(size_t code, buf *memory)
{
	if (code != JS_E_DEPTH && code != JS_E_AMBIGUOUS)
		return text_of(scripts[code]);
	if (code == JS_E_AMBIGUOUS)
		buf_str(memory, "let x: T; ");
	for (int i = 0; i < (code == JS_E_DEPTH ? 2000 : 300); i++)
		buf_str(memory, scripts[code]);
	return buf_view(memory);
}

static void
every_message_is_raised(void **state)
{
	source_options o = {.limit = 1 << 20};
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < JS_CODES; i++) {
		buf memory = BUF_INIT(NULL, 1 << 20);
		source_prepared p;

		if (!scripts[i]) {
			print_error("%s has no script\n", errors[i].code);
			wrong++;
			continue;
		}
		o.budget = i == JS_E_STEPS;
		assert_int_equal(
		    source_prepare(script_of(i, &memory), &o, NULL, &p), CM_OK);
		if (p.fault.code == NULL ||
		    !has_parts_of(p.fault.message, errors[i].message)) {
			print_error("%s: %s\n  => %s\n", errors[i].code,
			    scripts[i], p.fault.message);
			wrong++;
		}
		source_prepared_fini(&p);
		buf_fini(&memory);
	}
	assert_int_equal(wrong, 0);
}

/* What both languages can read, and which of them is meant. */
static void
javascript_or_typescript(void **state)
{
	static const struct {
		const char *script;
		bool typescript;
	} cases[] = {
	    {"return new Set<Number>([1, 2, 3])", true},
	    {"const seen = new Set<string>(['a']); return seen", true},
	    {"return [{id: 1}].reduce<Map>((m, x) => m.set(x.id, x), new "
	     "Map())",
		true},
	    {"return await Promise.all<Array>([1, 2])", true},
	    {"const r = await tools.s.a<Object>({x: 1}); return r", true},
	    {"return [1].reduce<number>((a, b) => a + b, 0)", true},
	    {"return Object.entries<number>(counts)", true},
	    {"return await tools.s.a<any>({})", true},
	    {"return new Map<string, number>([['a', 1]])", true},
	    {"return f(new Map<K, V>(a), 1)", true},
	    {"return new Map<string, Array<number>>(a)", true},
	    {"return Array<Array<T>>(3)", true},
	    {"return f(g<string, T>(1))", true},
	    {"return f(a?.b<T>(1))", true},
	    {"return sql<Row>`select 1`", true},
	    {"return f<A | B>(x)", true},
	    {"return f(a < b, c > (d))", false},
	    {"return (a < b) > (c)", false},
	    {"return 0 < x < 10", false},
	    {"return a < b && c > (d)", false},
	    {"return a < b ? c > (d) : e", false},
	    {"const number = 3; return f(a < number, c > (d))", false},
	    {"for (let i = 0; i < string.length; i++) f(i > (j))", false},
	    {"return new Date() < a, b > (c)", false},
	    {"return a >> b < c >> d", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		static const source_options o = {.limit = 1 << 20};
		source_prepared p;

		assert_int_equal(
		    source_prepare(text_of(cases[i].script), &o, NULL, &p),
		    CM_OK);
		if (p.fault.code != NULL || p.changed != cases[i].typescript) {
			print_error("%s\n => %.*s %s\n", cases[i].script,
			    TEXT_ARG(p.code), p.fault.message);
			fail();
		}
		source_prepared_fini(&p);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_message_is_raised),
	    cmocka_unit_test(javascript_or_typescript),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
