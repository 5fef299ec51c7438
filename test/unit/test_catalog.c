/* SPDX-License-Identifier: MIT */
/*
 * test_catalog.c -- what may be added, what each tool is called whatever order
 * it came in, and every way to find it again.
 */
#include "unit.h"

#include "catalog/declare.h"

static cm_status
add(catalog *c, const char *space, const char *name)
{
	tool_given g = {.space = text_of(space), .name = text_of(name)};

	return catalog_add(c, &g);
}

static catalog *
catalog_of(const char *const (*tools)[2], size_t n)
{
	catalog *c;

	assert_int_equal(catalog_new(NULL, &c), CM_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(add(c, tools[i][0], tools[i][1]), CM_OK);
	assert_int_equal(catalog_seal(c), CM_OK);
	return c;
}

/* ---------------------------------------------------------------- adding */

static void
texts_are_copied(void **state)
{
	char name[] = "read", schema[] = " {\"type\":\"object\"} ";
	tool_given g = {.space = TEXT("fs"),
	    .name = text_of(name),
	    .description = TEXT("reads"),
	    .input_schema = text_of(schema),
	    .output_schema = TEXT("true"),
	    .flags = 5};
	const tool *t;
	catalog *c;

	(void)state;
	assert_int_equal(catalog_new(NULL, &c), CM_OK);
	assert_int_equal(catalog_add(c, &g), CM_OK);
	memset(name, 'x', sizeof(name));
	memset(schema, 'x', sizeof(schema));
	assert_int_equal(catalog_seal(c), CM_OK);
	t = catalog_at(c, 0);
	assert_str(t->space, "fs");
	assert_str(t->name, "read");
	assert_str(t->description, "reads");
	assert_str(t->input, "{\"type\":\"object\"}");
	assert_str(t->output, "true");
	assert_int_equal(t->flags, 5);
	assert_str(t->path, "fs.read");
	assert_str(t->space_ident, "fs");
	assert_str(t->ident, "read");
	catalog_drop(c);
}

static void
bad_tools_are_refused_and_harm_no_other(void **state)
{
	static char big[CATALOG_NAME_MAX + 1];
	const struct {
		tool_given given;
		cm_status status;
	} bad[] = {
	    {{.space = TEXT("s")}, CM_EINPUT},
	    {{.name = TEXT("\xff")}, CM_EINPUT},
	    {{.name = TEXT("n"), .space = TEXT("\xc0\x80")}, CM_EINPUT},
	    {{.name = TEXT("n"), .description = TEXT("\xed\xa0\x80")},
		CM_EINPUT},
	    {{.name = TEXT("n"), .input_schema = TEXT("{")}, CM_EINPUT},
	    {{.name = TEXT("n"), .input_schema = TEXT(" ")}, CM_EINPUT},
	    {{.name = TEXT("n"), .output_schema = TEXT("{'a':1}")}, CM_EINPUT},
	    {{.name = {big, sizeof(big)}}, CM_ELIMIT},
	    {{.name = TEXT("n"), .space = {big, sizeof(big)}}, CM_ELIMIT},
	    {{.name = TEXT("good")}, CM_EEXISTS},
	};
	catalog *c;

	(void)state;
	memset(big, 'a', sizeof(big));
	assert_int_equal(catalog_new(NULL, &c), CM_OK);
	assert_int_equal(add(c, "", "good"), CM_OK);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(catalog_add(c, &bad[i].given), bad[i].status);
	assert_int_equal(add(c, "s", "good"), CM_OK);
	assert_int_equal(add(c, "", "sgood"), CM_OK);
	assert_int_equal(add(c, "s", "good"), CM_EEXISTS);
	assert_int_equal(catalog_seal(c), CM_OK);
	assert_int_equal(c->len, 3);
	assert_str(catalog_at(c, 0)->path, "good");
	assert_str(catalog_at(c, 1)->path, "s.good");
	assert_str(catalog_at(c, 2)->path, "sgood");
	catalog_drop(c);
}

static void
a_catalog_in_use_is_not_changed(void **state)
{
	catalog *c;

	(void)state;
	assert_int_equal(catalog_new(NULL, &c), CM_OK);
	catalog_hold(c);
	assert_int_equal(add(c, "", "a"), CM_EMISUSE);
	catalog_drop(c);
	assert_int_equal(add(c, "", "a"), CM_OK);
	catalog_drop(c);
	catalog_drop(NULL);
}

static void
it_can_be_sealed_again(void **state)
{
	static const char *const one[][2] = {{"", "a-b"}};
	catalog *c = catalog_of(one, 1);

	(void)state;
	assert_str(catalog_at(c, 0)->path, "a_b");
	assert_int_equal(catalog_seal(c), CM_OK);
	assert_int_equal(add(c, "", "a_b"), CM_OK);
	assert_int_equal(catalog_seal(c), CM_OK);
	assert_str(catalog_at(c, catalog_find(c, TEXT("a_b")))->name, "a_b");
	assert_str(
	    catalog_at(c, catalog_find(c, TEXT("a-b")))->path, "a_b_644883");
	catalog_drop(c);
}

/* --------------------------------------------------------------- any order */

/* Everything that can be asked, as one text. */
static void
tell(const catalog *c, buf *out)
{
	for (size_t i = 0; i < c->len; i++) {
		const tool *t = catalog_at(c, i);

		buf_printf(out, "%.*s=%.*s/%.*s\n", TEXT_ARG(t->path),
		    TEXT_ARG(t->space), TEXT_ARG(t->name));
		assert_int_equal(catalog_find(c, t->path), i);
	}
	catalog_declare(c, TEXT_NONE, out);
}

static void
tell_in_order(
    const char *const (*tools)[2], const size_t *order, size_t n, buf *out)
{
	const char *sorted[8][2];
	catalog *c;

	for (size_t i = 0; i < n; i++)
		memcpy(sorted[i], tools[order[i]], sizeof(sorted[i]));
	c = catalog_of((const char *const(*)[2])sorted, n);
	buf_clear(out);
	tell(c, out);
	catalog_drop(c);
}

/* Heap's way through all orders. */
static void
every_order(const char *const (*tools)[2], size_t n)
{
	size_t order[8] = {0}, count[8] = {0}, i = 0, keep;
	buf first = BUF_INIT(NULL, 1 << 16), other = BUF_INIT(NULL, 1 << 16);

	for (size_t k = 0; k < n; k++)
		order[k] = k;
	tell_in_order(tools, order, n, &first);
	while (i < n) {
		if (count[i] >= i) {
			count[i++] = 0;
			continue;
		}
		size_t from = i % 2 ? count[i] : 0;

		keep = order[from];
		order[from] = order[i];
		order[i] = keep;
		tell_in_order(tools, order, n, &other);
		assert_text(buf_view(&other), buf_view(&first));
		count[i]++;
		i = 0;
	}
	buf_fini(&first);
	buf_fini(&other);
}

static void
order_leaves_no_trace(void **state)
{
	static const char *const clashes[][2] = {{"", "a-b"}, {"", "a_b"},
	    {"", "a.b"}, {"a b", "x"}, {"a.b", "x"}, {"", "a_b_644883"}};
	static const char *const spaces[][2] = {{"git-hub", "x-y"},
	    {"git_hub", "x_y"}, {"git.hub", "x.y"}, {"git-hub", "x.y"},
	    {"", "git_hub"}, {"", "git-hub.x-y"}};
	static const char *const deep[][2] = {
	    {"a", "b.c"}, {"a.b", "c"}, {"", "a.b.c"}, {"a_b", "c"}, {"", "a"}};

	(void)state;
	every_order(clashes, 6);
	every_order(spaces, 6);
	every_order(deep, 5);
}

/* ------------------------------------------------------------- finding */

static void
is_found(
    const catalog *c, const char *written, const char *space, const char *name)
{
	uint32_t i = catalog_find(c, text_of(written));

	if (i == CATALOG_NONE)
		fail_msg("not found: %s", written);
	assert_str(catalog_at(c, i)->space, space);
	assert_str(catalog_at(c, i)->name, name);
}

static void
every_way_to_write_a_tool(void **state)
{
	static const char *const tools[][2] = {{"git-hub", "create-issue"},
	    {"git-hub", "list"}, {"", "top.level"}, {"", "then"},
	    {"", "git_hub"}};
	catalog *c = catalog_of(tools, 5);

	(void)state;
	is_found(c, "git_hub.create_issue", "git-hub", "create-issue");
	is_found(c, "git-hub.create-issue", "git-hub", "create-issue");
	is_found(c, "git_hub.create-issue", "git-hub", "create-issue");
	is_found(c, "git-hub.create_issue", "git-hub", "create-issue");
	is_found(c, "top.level", "", "top.level");
	is_found(c, "top_level", "", "top.level");
	is_found(c, "git_hub", "", "git_hub"); /* its suffix is needed for
						  tools.git_hub only */
	assert_int_equal(catalog_find(c, TEXT("git_hub.")), CATALOG_NONE);
	assert_int_equal(catalog_find(c, TEXT("create_issue")), CATALOG_NONE);
	assert_int_equal(catalog_find(c, TEXT("")), CATALOG_NONE);
	catalog_drop(c);
}

/* 'await tools.x' calls the member "then" of tools.x when there is one. Other
 * names that objects have are names like all others. */
static void
then_is_found_by_its_path_only(void **state)
{
	static const char *const tools[][2] = {{"", "then"}, {"s", "then"},
	    {"then", "x"}, {"s", "constructor"}, {"s", "__proto__"},
	    {"s", "toString"}, {"s", "hasOwnProperty"}, {"s", "catch"}};
	catalog *c = catalog_of(tools, 8);
	size_t first;

	(void)state;
	for (size_t i = 0; i < c->len; i++) {
		const tool *t = catalog_at(c, i);

		assert_int_equal(catalog_find(c, t->path), i);
		assert_false(text_eq(t->ident, TEXT("then")));
		assert_false(text_eq(t->space_ident, TEXT("then")));
		if (!text_eq(t->name, TEXT("then")))
			assert_text(t->ident, t->name);
	}
	is_found(c, "s.then_3d0d96", "s", "then");
	is_found(c, "then_3d0d96.x", "then", "x");
	assert_int_equal(catalog_find(c, TEXT("then")), CATALOG_NONE);
	assert_int_equal(catalog_find(c, TEXT("s.then")), CATALOG_NONE);
	assert_int_equal(catalog_find(c, TEXT("then.x")), CATALOG_NONE);
	assert_int_equal(catalog_space(c, TEXT("then"), &first), 1);
	catalog_drop(c);
}

static void
a_tool_gives_way_to_a_namespace(void **state)
{
	static const char *const tools[][2] = {{"", "fs"}, {"fs", "read"}};
	catalog *c = catalog_of(tools, 2);

	(void)state;
	assert_str(catalog_at(c, 0)->path, "fs.read");
	assert_true(text_starts(catalog_at(c, 1)->path, TEXT("fs_")));
	assert_int_equal(catalog_at(c, 1)->path.len, 3 + 6);
	catalog_drop(c);
}

/* Three tools, one original name: each keeps its path, and the name itself
 * goes to the same one always. */
static void
paths_win_over_names(void **state)
{
	static const char *const tools[][2] = {
	    {"a", "b.c"}, {"a.b", "c"}, {"", "a.b.c"}, {"a_b", "c"}};
	catalog *c = catalog_of(tools, 4);

	(void)state;
	is_found(c, "a.b_c", "a", "b.c");
	is_found(c, "a_b.c", "a_b", "c");
	is_found(c, "a_b_c", "", "a.b.c");
	is_found(c, "a.b.c", "a", "b.c");
	catalog_drop(c);
}

static void
spaces_stand_together(void **state)
{
	static const char *const tools[][2] = {
	    {"a-b", "x"}, {"a_b", "y"}, {"a-b", "z"}, {"", "a"}, {"c.d", "w"}};
	catalog *c = catalog_of(tools, 5);
	size_t first;

	(void)state;
	assert_int_equal(catalog_space(c, TEXT("a-b"), &first), 2);
	assert_str(catalog_at(c, first)->name, "x");
	assert_str(catalog_at(c, first + 1)->name, "z");
	assert_int_equal(catalog_space(c, TEXT("a_b"), &first), 1);
	assert_str(catalog_at(c, first)->name, "y");
	assert_int_equal(catalog_space(c, TEXT("c_d"), &first), 1);
	assert_int_equal(catalog_space(c, TEXT("c"), &first), 0);
	assert_int_equal(catalog_space(c, TEXT(""), &first), 0);
	catalog_drop(c);
}

static void
the_nearest_are_named(void **state)
{
	static const char *const tools[][2] = {
	    {"fs", "read_file"}, {"fs", "write_file"}, {"", "weather"}};
	catalog *c = catalog_of(tools, 3);
	size_t out[NEAREST_MAX];

	(void)state;
	assert_int_equal(catalog_nearest(c, TEXT("fs.raed_file"), out), 1);
	assert_str(catalog_at(c, out[0])->path, "fs.read_file");
	assert_int_equal(catalog_nearest(c, TEXT("readFile"), out), 1);
	assert_str(catalog_at(c, out[0])->path, "fs.read_file");
	assert_int_equal(catalog_nearest(c, TEXT("xyzzy"), out), 0);
	catalog_drop(c);
}

static void
no_tools_at_all(void **state)
{
	catalog *c = catalog_of(NULL, 0);
	buf b = BUF_INIT(NULL, 100);
	size_t out[NEAREST_MAX];

	(void)state;
	assert_int_equal(catalog_find(c, TEXT("a")), CATALOG_NONE);
	assert_int_equal(catalog_nearest(c, TEXT("a"), out), 0);
	catalog_declare(c, TEXT_NONE, &b);
	assert_str(buf_view(&b), "");
	catalog_drop(c);
}

/* Whichever request for memory fails: a clean error, a catalog that goes on,
 * and nothing lost. */
static void
memory_runs_out(void **state)
{
	static const char *const tools[][2] = {
	    {"a-b", "x-y"}, {"a_b", "x"}, {"", "x-y"}, {"", "x.y"}};
	cm_status r = CM_ENOMEM;

	(void)state;
	for (size_t left = 0; r != CM_OK; left++) {
		struct hoard h = {0, left};
		cm_alloc alloc = HOARD_ALLOC(&h);
		catalog *c = NULL;

		assert_true(left < 200);
		r = catalog_new(&alloc, &c);
		for (size_t i = 0; i < 4 && r == CM_OK; i++)
			r = add(c, tools[i][0], tools[i][1]);
		if (r == CM_OK) {
			r = catalog_seal(c);
			for (size_t i = 0; i < 4 && r != CM_OK; i++)
				assert_str(c->list[i].name, tools[i][1]);
		}
		assert_true(r == CM_OK || r == CM_ENOMEM);
		h.left = SIZE_MAX;
		if (c && r != CM_OK) {
			assert_int_equal(catalog_seal(c), CM_OK);
			for (size_t i = 0; i < c->len; i++)
				assert_true(catalog_find(c,
						catalog_at(c, i)->path) == i);
		}
		catalog_drop(c);
		assert_int_equal(h.bytes, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_are_copied),
	    cmocka_unit_test(bad_tools_are_refused_and_harm_no_other),
	    cmocka_unit_test(a_catalog_in_use_is_not_changed),
	    cmocka_unit_test(it_can_be_sealed_again),
	    cmocka_unit_test(order_leaves_no_trace),
	    cmocka_unit_test(every_way_to_write_a_tool),
	    cmocka_unit_test(a_tool_gives_way_to_a_namespace),
	    cmocka_unit_test(paths_win_over_names),
	    cmocka_unit_test(spaces_stand_together),
	    cmocka_unit_test(the_nearest_are_named),
	    cmocka_unit_test(then_is_found_by_its_path_only),
	    cmocka_unit_test(no_tools_at_all),
	    cmocka_unit_test(memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
