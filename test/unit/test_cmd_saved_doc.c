/* SPDX-License-Identifier: MIT */
/*
 * The comment in front of a saved script says what the tool is; what is not
 * understood is said with its line.
 */
#include "scripts/saved_doc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
check_text(const buf *b, const char *want)
{
	text got = buf_view(b), t = text_of(want);

	if (!text_eq(got, t))
		print_message("got:  %.*s\nwant: %s\n", TEXT_ARG(got), want);
	assert_true(text_eq(got, t));
	assert_int_equal(b->bad, CM_OK);
}

static void
check(const char *code, const char *description, const char *input,
    const char *output, const char *defaults)
{
	saved_doc d;
	buf why = BUF_INIT(NULL, 4096);
	unsigned line = 0;
	json v;

	if (!saved_doc_read(text_of(code), &d, &line, &why))
		print_message(
		    "line %u: %.*s\n", line, TEXT_ARG(buf_view(&why)));
	assert_int_equal(why.len, 0);
	check_text(&d.description, description);
	check_text(&d.input, input);
	check_text(&d.output, output);
	check_text(&d.defaults, defaults);
	assert_true(json_check(buf_view(&d.input), JSON_DEPTH, &v, NULL));
	assert_true(json_check(buf_view(&d.defaults), JSON_DEPTH, &v, NULL));
	if (d.output.len > 0)
		assert_true(
		    json_check(buf_view(&d.output), JSON_DEPTH, &v, NULL));
	saved_doc_fini(&d);
	buf_fini(&why);
}

#define EMPTY "{\"type\":\"object\"}"

static void
comments(void **state)
{
	(void)state;
	check("return 1", "", EMPTY, "", "{}");
	check("/* plain */ return 1", "", EMPTY, "", "{}");
	check("const x = 1;\n/** late */", "", EMPTY, "", "{}");
	check("/** One line. */ return 1", "One line.", EMPTY, "", "{}");
	check("// @options: {}\n\n/**\r\n * Two\r\n * lines.\r\n */\nreturn 1",
	    "Two\nlines.", EMPTY, "", "{}");
	check("/** never closed", "", EMPTY, "", "{}");
}

static void
parameters(void **state)
{
	(void)state;
	check("/**\n * Late issues.\n * @param {string} repo owner/name,\n *   "
	      "as "
	      "on the page\n * @param {integer} [days=7] - how old\n"
	      " * @param {\"a\" | 'b'} [kind=b]\n * @param [free]\n */",
	    "Late issues.",
	    "{\"type\":\"object\",\"properties\":{"
	    "\"repo\":{\"description\":\"owner/name, as on the page\","
	    "\"type\":\"string\"},"
	    "\"days\":{\"description\":\"how old\",\"default\":7,"
	    "\"type\":\"integer\"},"
	    "\"kind\":{\"default\":\"b\",\"enum\":[\"a\",\"b\"]},"
	    "\"free\":{}},\"required\":[\"repo\"],"
	    "\"additionalProperties\":false}",
	    "", "{\"days\":7,\"kind\":\"b\"}");
}

static void
returns(void **state)
{
	(void)state;
	check("/** @returns {{ n: integer, at?: string }[]} newest first */",
	    "Returns newest first", EMPTY,
	    "{\"type\":\"array\",\"items\":{\"type\":\"object\","
	    "\"properties\":{\"n\":{\"type\":\"integer\"},"
	    "\"at\":{\"type\":\"string\"}},\"required\":[\"n\"]}}",
	    "{}");
	check("/** @return {Record<string, Array<number | null>>} */", "",
	    EMPTY,
	    "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"array\","
	    "\"items\":{\"anyOf\":[{\"type\":\"number\"},"
	    "{\"type\":\"null\"}]}}}",
	    "{}");
	check("/** @returns {(?string)[]} */", "", EMPTY,
	    "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"type\":\"string\"},"
	    "{\"type\":\"null\"}]}}",
	    "{}");
	check("/** @returns {1 | -2.5 | true | string} */", "", EMPTY,
	    "{\"anyOf\":[{\"type\":\"string\"},{\"enum\":[1,-2.5,true]}]}",
	    "{}");
}

static void
refused(void **state)
{
	static const struct {
		const char *code;
		unsigned line;
	} cases[] = {
	    {"/** @param {strnig} a */", 1},
	    {"/**\n * Text.\n * @param {Map<string, number>} a\n */", 3},
	    {"/**\n * @param {string} a-b\n */", 2},
	    {"/**\n * @param {string}\n */", 2},
	    {"/**\n * @param {{ a: string} x\n */", 2},
	    {"/** @returns {string number} */", 1},
	    {"/** @returns {{a b}} */", 1},
	    {"/** @returns {\"open} */", 1},
	    {"/** @returns {string |} */", 1},
	    {"/**\n * @expose all\n */", 2},
	    {"/** @expose */", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		saved_doc d;
		buf why = BUF_INIT(NULL, 4096);
		unsigned line = 0;

		if (saved_doc_read(text_of(cases[i].code), &d, &line, &why))
			print_message("%s\n", cases[i].code);
		assert_true(why.len > 0);
		assert_int_equal(line, cases[i].line);
		saved_doc_fini(&d);
		buf_fini(&why);
	}
}

/* No comment, however deep or long, does harm. */
static void
hostile(void **state)
{
	buf code = BUF_INIT(NULL, 1 << 20), why = BUF_INIT(NULL, 4096);
	saved_doc d;
	unsigned line;

	(void)state;
	buf_str(&code, "/** @param {");
	for (int i = 0; i < 100000; i++)
		buf_byte(&code, "({?["[i % 4]);
	buf_str(&code, "} a */");
	assert_false(saved_doc_read(buf_view(&code), &d, &line, &why));
	saved_doc_fini(&d);
	buf_clear(&code);
	buf_clear(&why);
	buf_str(&code, "/** ");
	for (int i = 0; i < 100000; i++)
		buf_byte(&code, 'x');
	buf_str(&code, "*/");
	assert_false(saved_doc_read(buf_view(&code), &d, &line, &why));
	saved_doc_fini(&d);
	buf_fini(&code);
	buf_fini(&why);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(comments),
	    cmocka_unit_test(parameters), cmocka_unit_test(returns),
	    cmocka_unit_test(refused), cmocka_unit_test(hostile)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
