/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_menu.c -- what a model is told of the tools: real types for schemas
 * as servers send them, and a budget.
 */
#include "unit.h"

#include "serve/menu.h"

static const menu_facts no_facts = {0};

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
	assert_int_equal(menu(cat, MENU_TOKENS, &no_facts, &b), CM_OK);
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
	assert_int_equal(menu(cat, MENU_TOKENS, &no_facts, &b), CM_OK);
	assert_true(b.len <= MENU_TOKENS * MENU_TEN_TOKENS / 10);
	assert_true(b.len > MENU_TOKENS * MENU_TEN_TOKENS / 20);
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
	assert_int_equal(menu(cat, 128, &no_facts, &b), CM_OK);
	assert_true(text_starts(
	    buf_view(&b), TEXT("PARTIAL: 2 of 3 tools are shown.\n"
			       "tools.s: 3 tools, 2 shown\n"
			       "  .bb_write(args?: unknown)\n"
			       "  .zz_read_something_long(args?: unknown)\n"
			       "Find the rest")));
	assert_true(b.len <= 128 * MENU_TEN_TOKENS / 10);
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
	const menu_facts facts = {.about = say_hello};
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 1 << 16);

	(void)state;
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	add_tool_to(cat, "r", "a", "", "");
	add_tool_to(cat, "s", "a", "", "");
	assert_int_equal(menu(cat, MENU_TOKENS, &facts, &b), CM_OK);
	assert_str(buf_view(&b), "COMPLETE: all 2 tools.\n"
				 "tools.r: 1 tool\n"
				 "  .a(args?: unknown) // Does it.\n"
				 "tools.s: 1 tool // Log in first.\n"
				 "  .a(args?: unknown) // Does it.\n");
	buf_fini(&b);
	cm_catalog_free(cat);
}

static uint32_t
uses_of(void *ctx, const cm_tool *t)
{
	(void)ctx;
	return text_eq(t->name, TEXT("zz")) ? 3 : 0;
}

/* Use counts behind what a tool does, and before its name. */
static void
used_tools_come_first(void **state)
{
	const menu_facts facts = {.used = uses_of};
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 1 << 16);
	cm_tool t = {
	    .space = TEXT("s"), .name = TEXT("mm"), .flags = CM_TOOL_READS};

	(void)state;
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	assert_int_equal(cm_catalog_add(cat, &t), CM_OK);
	add_tool_to(cat, "s", "aa", "", "");
	add_tool_to(cat, "s", "zz", "", "");
	assert_int_equal(menu(cat, 126, &facts, &b), CM_OK);
	assert_true(text_starts(
	    buf_view(&b), TEXT("PARTIAL: 2 of 3 tools are shown.\n"
			       "tools.s: 3 tools, 2 shown\n"
			       "  .mm(args?: unknown)\n"
			       "  .zz(args?: unknown) // Does it.\n")));
	buf_fini(&b);
	cm_catalog_free(cat);
}

static void
put_wide_schema(buf *out, int members)
{
	buf_str(out, "{\"type\":\"object\",\"properties\":{");
	for (int i = 0; i < members; i++)
		buf_printf(out, "%s\"member_%d\":{\"type\":\"string\"}",
		    i > 0 ? "," : "", i);
	buf_str(out, "}}");
}

/* The reading tool has the longest line: it is shown all the same. */
static void
long_lines_are_cut_and_not_left_out(void **state)
{
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 1 << 16), wide = BUF_INIT(NULL, 1 << 16);
	cm_tool t = {.space = TEXT("s"),
	    .name = TEXT("read"),
	    .flags = CM_TOOL_READS,
	    .description = TEXT("Reads.")};

	(void)state;
	put_wide_schema(&wide, 40);
	t.input_schema = t.output_schema = buf_view(&wide);
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	assert_int_equal(cm_catalog_add(cat, &t), CM_OK);
	add_tool_to(cat, "s", "cheap", "", "");
	/* Without the type of its result ... */
	assert_int_equal(menu(cat, MENU_TOKENS, &no_facts, &b), CM_OK);
	assert_true(
	    text_find(buf_view(&b), TEXT("; member_9?: string; }) // Reads.\n"),
		0) != SIZE_MAX);
	assert_true(
	    text_starts(buf_view(&b), TEXT("COMPLETE: all 2 tools.\n")));
	/* ... and with its name alone, before the cheap one. */
	buf_clear(&b);
	assert_int_equal(menu(cat, 118, &no_facts, &b), CM_OK);
	assert_true(
	    text_starts(buf_view(&b), TEXT("PARTIAL: 1 of 2 tools are shown.\n"
					   "tools.s: 2 tools, 1 shown\n"
					   "  .read(...) // Reads.\n")));
	buf_fini(&b);
	buf_fini(&wide);
	cm_catalog_free(cat);
}

/* ------------------------------------------------------------- any order */

enum { SERVERS = 5, TOOLS_EACH = 8, TOOLS = SERVERS * TOOLS_EACH };

static uint32_t
next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

static void
add_numbered_tool(cm_catalog *cat, unsigned i)
{
	static const unsigned flags[] = {0, CM_TOOL_READS, CM_TOOL_DESTROYS};
	char space[20], name[20];
	cm_tool t = {.description = TEXT("Does it."),
	    .input_schema =
		TEXT("{\"type\":\"object\",\"properties\":{\"id\":{\"type\":"
		     "\"integer\"}},\"required\":[\"id\"]}"),
	    .flags = flags[i % 3]};

	snprintf(space, sizeof(space), "server-%u", i / TOOLS_EACH);
	snprintf(name, sizeof(name), "tool %u", i % TOOLS_EACH);
	t.space = text_of(space);
	t.name = text_of(name);
	assert_int_equal(cm_catalog_add(cat, &t), CM_OK);
}

/* The menu and the example of these tools, which are added in this order. */
static void
describe_tools(const unsigned *order, size_t n, uint64_t tokens, buf *out)
{
	cm_catalog *cat;

	buf_clear(out);
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	for (size_t i = 0; i < n; i++)
		add_numbered_tool(cat, order[i]);
	assert_int_equal(menu(cat, tokens, &no_facts, out), CM_OK);
	assert_int_equal(menu_example(cat, out), CM_OK);
	cm_catalog_free(cat);
}

static void
the_order_of_servers_makes_no_difference(void **state)
{
	unsigned order[TOOLS];
	buf first = BUF_INIT(NULL, 1 << 16), again = first;
	uint32_t random = 7;

	(void)state;
	for (unsigned i = 0; i < TOOLS; i++)
		order[i] = i;
	for (int round = 0; round < 50; round++) {
		uint64_t tokens = 150 + next_random(&random) % 600;

		describe_tools(order, TOOLS, tokens, &first);
		for (size_t i = TOOLS; i-- > 1;) {
			size_t k = next_random(&random) % (i + 1);
			unsigned swapped = order[i];

			order[i] = order[k];
			order[k] = swapped;
		}
		describe_tools(order, TOOLS, tokens, &again);
		assert_text(buf_view(&again), buf_view(&first));
	}
	buf_fini(&first);
	buf_fini(&again);
}

/* While all tools fit, the lines of the others stay as they were. */
static void
a_server_that_leaves_takes_its_lines(void **state)
{
	unsigned order[TOOLS], left[TOOLS - TOOLS_EACH];
	buf all = BUF_INIT(NULL, 1 << 16), less = all;
	text rest, line;

	(void)state;
	for (unsigned i = 0; i < TOOLS; i++)
		order[i] = i;
	for (unsigned i = 0; i < TOOLS - TOOLS_EACH; i++)
		left[i] =
		    i < TOOLS_EACH ? i : i + TOOLS_EACH; /* not server-1 */
	describe_tools(order, TOOLS, MENU_TOKENS, &all);
	describe_tools(left, TOOLS - TOOLS_EACH, MENU_TOKENS, &less);
	rest = buf_view(&less);
	assert_true(text_line(&rest, &line));
	assert_text(line, TEXT("COMPLETE: all 32 tools."));
	while (text_line(&rest, &line))
		assert_true(text_find(buf_view(&all), line, 0) != SIZE_MAX);
	assert_int_equal(all.len - less.len,
	    strlen("tools.server_1: 8 tools\n") +
		TOOLS_EACH * strlen("  .tool_0(args: { id: number; }) // Does "
				    "it.\n"));
	buf_fini(&all);
	buf_fini(&less);
}

/* --------------------------------------------------------------- examples */

static void
example_of(
    const char *name, const char *input, unsigned flags, const char *want)
{
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 1 << 16);
	cm_tool t = {.space = TEXT("s"),
	    .name = text_of(name),
	    .input_schema = text_of(input),
	    .flags = flags};

	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	add_tool_to(cat, "a", "write", "", "");
	assert_int_equal(cm_catalog_add(cat, &t), CM_OK);
	assert_int_equal(menu_example(cat, &b), CM_OK);
	assert_str(buf_view(&b), want);
	buf_fini(&b);
	cm_catalog_free(cat);
}

static void
examples(void **state)
{
	(void)state;
	example_of("get",
	    "{\"properties\":{\"id\":{\"type\":\"integer\"},\"by\":"
	    "{\"enum\":[\"me\"]},\"q\":{\"type\":\"string\"}},"
	    "\"required\":[\"id\",\"by\",\"q\"]}",
	    CM_TOOL_READS, "tools.s.get({ id: 1, by: \"me\", q: \"...\" })");
	example_of("list", "", CM_TOOL_READS, "tools.s.list({})");
	/* One with an argument is better than one without. */
	example_of("add",
	    "{\"properties\":{\"x\":{\"type\":\"boolean\"}},\"required\":["
	    "\"x\"]}",
	    0, "tools.s.add({ x: false })");
	/* Not plain, or not harmless: another tool. */
	example_of("add",
	    "{\"properties\":{\"x\":{\"type\":\"object\"}},\"required\":["
	    "\"x\"]}",
	    CM_TOOL_READS, "tools.a.write({})");
	example_of("add",
	    "{\"properties\":{\"a b\":{\"type\":\"string\"}},\"required\":["
	    "\"a b\"]}",
	    CM_TOOL_READS, "tools.a.write({})");
	example_of("add",
	    "{\"properties\":{\"x\":{\"type\":\"string\"}},\"required\":["
	    "\"x\"]}",
	    CM_TOOL_DESTROYS, "tools.a.write({})");
}

static void
no_example(void **state)
{
	cm_catalog *cat;
	buf b = BUF_INIT(NULL, 100);

	(void)state;
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	assert_int_equal(menu_example(cat, &b), CM_OK);
	assert_str(buf_view(&b), "tools.SERVER.TOOL({ ... })");
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
	    cmocka_unit_test(used_tools_come_first),
	    cmocka_unit_test(long_lines_are_cut_and_not_left_out),
	    cmocka_unit_test(the_order_of_servers_makes_no_difference),
	    cmocka_unit_test(a_server_that_leaves_takes_its_lines),
	    cmocka_unit_test(examples),
	    cmocka_unit_test(no_example),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
