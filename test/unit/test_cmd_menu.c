/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_menu.c -- what a model is told of the tools: real types for schemas
 * as servers send them, and a budget.
 */
#include "unit.h"

#include "serve/menu.h"

static void
add_tool_to(cm_catalog *cat, const char *space, const char *name,
    const char *input, const char *output)
{
	cm_tool t = {.space = text_of(space),
	    .name = text_of(name),
	    .description = TEXT("Does it.\nMore."),
	    .input_schema = text_of(input),
	    .output_schema = text_of(output)};

	assert_int_equal(cm_catalog_add(cat, &t), CM_OK);
}

static void
composed_schemas_have_real_types(void **state)
{
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 1 << 16);

	(void)state;
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	add_tool_to(cat, "s", "create",
	    "{\"type\":\"object\",\"properties\":{"
	    "\"item\":{\"$ref\":\"#/$defs/Item\"},"
	    "\"items\":{\"type\":\"array\",\"items\":"
	    "{\"$ref\":\"#/$defs/Item\"}},"
	    "\"note\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]},"
	    "\"opt\":{\"allOf\":[{\"$ref\":\"#/$defs/Item\"}]}},"
	    "\"required\":[\"item\"],\"$defs\":{\"Item\":{\"type\":\"object\","
	    "\"properties\":{\"id\":{\"type\":\"integer\"}},"
	    "\"required\":[\"id\"]}}}",
	    "{\"type\":\"string\"}");
	add_tool_to(cat, "", "new", "", "");
	assert_int_equal(menu(cat, MENU_TOKENS, NULL, NULL, &b), CM_OK);
	assert_str(buf_view(&b),
	    "COMPLETE: all 2 tools.\n"
	    "tools: 1 tool\n"
	    "  new(args?: unknown) // Does it.\n"
	    "tools.s: 1 tool\n"
	    "  .create(args: { item: { id: number; }; "
	    "items?: Array<{ id: number; }>; note?: string | null; "
	    "opt?: { id: number; }; }): Promise<string> // Does it.\n");
	buf_fini(&b);
	cm_catalog_free(cat);
}

static void
many_tools_fit_the_budget(void **state)
{
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 1 << 16);
	char name[32];

	(void)state;
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	for (int i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "tool_%d", i);
		add_tool_to(cat, i % 2 ? "a" : "b", name, "", "");
	}
	assert_int_equal(menu(cat, MENU_TOKENS, NULL, NULL, &b), CM_OK);
	assert_true(b.len <= MENU_TOKENS * MENU_TOKEN_BYTES);
	assert_true(b.len > MENU_TOKENS * MENU_TOKEN_BYTES / 2);
	assert_true(text_find(buf_view(&b), TEXT("tools.a: 1000 tools, "), 0) !=
		    SIZE_MAX);
	buf_fini(&b);
	cm_catalog_free(cat);
}

/* Whatever they are called and however long their lines. */
static void
tools_that_read_come_first(void **state)
{
	const struct {
		const char *name;
		unsigned flags;
	} given[] = {
	    {"aa_delete", CM_TOOL_DESTROYS},
	    {"bb_write", 0},
	    {"zz_read_something_long", CM_TOOL_READS},
	};
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 1 << 16);

	(void)state;
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	for (size_t i = 0; i < 3; i++) {
		cm_tool t = {.space = TEXT("s"),
		    .name = text_of(given[i].name),
		    .flags = given[i].flags};

		assert_int_equal(cm_catalog_add(cat, &t), CM_OK);
	}
	assert_int_equal(menu(cat, 115, NULL, NULL, &b), CM_OK);
	assert_true(text_starts(
	    buf_view(&b), TEXT("PARTIAL: 2 of 3 tools are shown.\n"
			       "tools.s: 3 tools, 2 shown\n"
			       "  .bb_write(args?: unknown)\n"
			       "  .zz_read_something_long(args?: unknown)\n"
			       "Find the rest")));
	assert_true(b.len <= 115 * MENU_TOKEN_BYTES);
	buf_fini(&b);
	cm_catalog_free(cat);
}

static void
say_hello(void *ctx, text space, buf *out)
{
	(void)ctx;
	if (text_eq(space, TEXT("s")))
		buf_str(out, "# Head\n\n  Log in\tfirst.\nMore.");
}

static void
a_server_says_one_line(void **state)
{
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 1 << 16);

	(void)state;
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	add_tool_to(cat, "r", "a", "", "");
	add_tool_to(cat, "s", "a", "", "");
	assert_int_equal(menu(cat, MENU_TOKENS, say_hello, NULL, &b), CM_OK);
	assert_str(buf_view(&b), "COMPLETE: all 2 tools.\n"
				 "tools.r: 1 tool\n"
				 "  .a(args?: unknown) // Does it.\n"
				 "tools.s: 1 tool // Log in first.\n"
				 "  .a(args?: unknown) // Does it.\n");
	buf_fini(&b);
	cm_catalog_free(cat);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(composed_schemas_have_real_types),
	    cmocka_unit_test(many_tools_fit_the_budget),
	    cmocka_unit_test(tools_that_read_come_first),
	    cmocka_unit_test(a_server_says_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
