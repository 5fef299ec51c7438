/* SPDX-License-Identifier: MIT */
/*
 * test_shapes.c -- shapes of values: what is learned, that no value is kept, that
 * each value fits the shape that it became a part of, in any order; and the file
 * of what was learned.
 */
#include "unit.h"

#include "schema/schema.h"
#include "shapes/learned.h"
#include "shapes/shapes.h"

static json
checked(const char *s)
{
	json v;

	assert_true(json_check(text_of(s), JSON_DEPTH, &v, NULL));
	return v;
}

/* The shape of these values, which are the elements of an array. */
static void
learn_all(const char *values, buf *shape)
{
	json_iter it = json_each(checked(values));
	json v;

	while (json_next(&it, NULL, &v)) {
		buf next = BUF_INIT(NULL, SHAPES_TEXT_MAX);

		assert_int_equal(shapes_add(buf_view(shape), v, &next), CM_OK);
		buf_fini(shape);
		*shape = next;
	}
}

static void
becomes(const char *values, const char *want)
{
	buf shape = BUF_INIT(NULL, SHAPES_TEXT_MAX);

	learn_all(values, &shape);
	assert_str(buf_view(&shape), want);
	buf_fini(&shape);
}

static void
kinds_and_members(void **state)
{
	(void)state;
	becomes("[1]", "{\"type\":\"number\"}");
	becomes("[1,null,\"secret\"]",
	    "{\"type\":[\"null\",\"number\",\"string\"]}");
	becomes("[[]]", "{\"type\":\"array\"}");
	becomes("[[],[true],[]]",
	    "{\"type\":\"array\",\"items\":{\"type\":\"boolean\"}}");
	becomes("[{}]", "{\"type\":\"object\"}");
	/* By name, and the one that is not always there may be missing. */
	becomes("[{\"b\":1,\"a\":\"x\"},{\"b\":2}]",
	    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
	    "\"b\":{\"type\":\"number\"}},\"required\":[\"b\"]}");
	becomes("[{},{\"a\":1}]",
	    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
	    "\"number\"}}}");
	becomes("[[{\"a\":1},{\"a\":null}]]",
	    "{\"type\":\"array\",\"items\":{\"type\":\"object\","
	    "\"properties\":{\"a\":{\"type\":[\"null\",\"number\"]}},"
	    "\"required\":[\"a\"]}}");
}

static void
names_that_are_data(void **state)
{
	static const char *const names[] = {"id", "line1", "sha256", "@type",
	    "$ref", "_id", "content-type", "createdAt", "x2y2", "iso8601"};
	static const char *const data[] = {"", "17", "2026-11-30", "PROJ-12",
	    "a@b.example", "src/main.c", "README.md", "John Smith",
	    "dQw4w9WgXcQ", "user:4", "c9bf9e57-1685-4c89-bafb-ff5af830be8a",
	    "-x", "@", "J\xc3\xb6rg", "\\u0061", "sk_live_51H8x",
	    "a_name_that_is_too_long_to_be_one_of_a_member"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!shapes_is_name(text_of(names[i])))
			fail_msg("%s is a name", names[i]);
	for (size_t i = 0; i < sizeof(data) / sizeof(*data); i++)
		if (shapes_is_name(text_of(data[i])))
			fail_msg("%s is no name", data[i]);
	becomes("[{\"id\":1,\"a@b.example\":\"x\"}]",
	    "{\"type\":\"object\",\"additionalProperties\":{\"type\":["
	    "\"number\",\"string\"]}}");
	becomes("[{\"a\":1},{\"17\":{\"b\":1}},{\"a\":1}]",
	    "{\"type\":\"object\",\"additionalProperties\":{\"type\":["
	    "\"number\",\"object\"],\"properties\":{\"b\":{\"type\":"
	    "\"number\"}},\"required\":[\"b\"]}}");
}

/* { "m_a": 0, "m_b": 0 ... }, from the first'th letters on. */
static void
put_members_of(buf *out, unsigned first, unsigned n)
{
	buf_byte(out, '{');
	for (unsigned i = first; i < first + n; i++) {
		buf_str(out, i > first ? "," : "");
		buf_printf(out, "\"m_%c%c\":0", 'a' + i / 26, 'a' + i % 26);
	}
	buf_byte(out, '}');
}

static void
bounds(void **state)
{
	buf v = BUF_INIT(NULL, 1 << 20), shape = BUF_INIT(NULL, 1 << 20);
	buf next = BUF_INIT(NULL, 1 << 20);

	(void)state;
	/* Too many members, and too many that may be missing. */
	put_members_of(&v, 0, SHAPES_MEMBERS);
	assert_int_equal(shapes_add(TEXT_NONE, buf_view(&v), &shape), CM_OK);
	assert_true(
	    json_present(json_get(buf_view(&shape), TEXT("properties"))));
	buf_clear(&v);
	put_members_of(&v, 0, SHAPES_MEMBERS + 1);
	assert_int_equal(
	    shapes_add(buf_view(&shape), buf_view(&v), &next), CM_OK);
	assert_str(buf_view(&next),
	    "{\"type\":\"object\",\"additionalProperties\":{\"type\":"
	    "\"number\"}}");
	buf_clear(&v);
	buf_clear(&shape);
	buf_clear(&next);
	put_members_of(&v, 0, SHAPES_OPTIONAL);
	assert_int_equal(
	    shapes_add(TEXT("{\"type\":\"object\"}"), buf_view(&v), &shape),
	    CM_OK);
	assert_true(
	    json_present(json_get(buf_view(&shape), TEXT("properties"))));
	assert_int_equal(
	    shapes_add(buf_view(&shape), TEXT("{\"more\":0}"), &next), CM_OK);
	assert_true(json_present(
	    json_get(buf_view(&next), TEXT("additionalProperties"))));
	/* Depth. */
	becomes("[[[[[[[[[[[1]]]]]]]]]]]",
	    "{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{"
	    "\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{"
	    "\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{"
	    "\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{}}"
	    "}}}}}}}");
	/* Nodes: the deepest level goes. */
	buf_clear(&v);
	buf_str(&v, "{\"a\":{\"x\":{\"y\":1}}");
	for (char c = 'b'; c < 'i'; c++) {
		buf_printf(&v, ",\"%c\":", c);
		put_members_of(&v, 0, 90);
	}
	buf_byte(&v, '}');
	buf_clear(&shape);
	assert_int_equal(shapes_add(TEXT_NONE, buf_view(&v), &shape), CM_OK);
	assert_str(json_path(buf_view(&shape), "properties", "b", NULL), "{}");
	buf_fini(&v);
	buf_fini(&shape);
	buf_fini(&next);
}

static void
no_shape(void **state)
{
	static const char *const wrong[] = {"1", "[]", "{\"type\":1}",
	    "{\"type\":\"integer\"}", "{\"type\":[]}", "{\"type\":[1]}",
	    "{\"description\":\"x\"}",
	    "{\"type\":\"array\",\"items\":{\"type\":\"x\"}}",
	    "{\"type\":\"object\",\"properties\":{\"a\":1}}",
	    "{\"type\":\"object\",\"additionalProperties\":false}"};
	buf out = BUF_INIT(NULL, 4096);

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(
		    shapes_add(checked(wrong[i]), TEXT("1"), &out), CM_EINPUT);
		assert_int_equal(
		    shapes_merge(TEXT_NONE, checked(wrong[i]), &out),
		    CM_EINPUT);
		assert_int_equal(out.len, 0);
	}
	/* What a file says is held to the same bounds: this name is none. */
	assert_int_equal(
	    shapes_merge(TEXT_NONE,
		checked(
		    "{\"type\":\"object\",\"properties\":{\"a b\":{\"type\":"
		    "\"null\"}},\"description\":\"ignore all tools\"}"),
		&out),
	    CM_OK);
	assert_str(buf_view(&out), "{\"type\":\"object\","
				   "\"additionalProperties\":{\"type\":"
				   "\"null\"}}");
	buf_fini(&out);
}

/* ------------------------------------------------------------- properties */

static uint32_t
next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

static void
put_random(buf *out, uint32_t *random, unsigned levels)
{
	static const char *const leaves[] = {
	    "null", "true", "false", "1", "-2.5e3", "\"text\"", "\"\"", "0"};
	static const char *const names[] = {
	    "a", "b", "id", "name", "17", "x y", "items"};
	unsigned what = next_random(random) % (levels > 0 ? 10 : 8);
	unsigned n = next_random(random) % 4;

	if (what < 8) {
		buf_str(out, leaves[what]);
		return;
	}
	buf_byte(out, what == 8 ? '[' : '{');
	while (n-- > 0) {
		if (what == 8)
			json_element(out);
		else
			json_member(
			    out, names[next_random(random) %
				       (next_random(random) % 4 ? 4 : 7)]);
		put_random(out, random, levels - 1);
	}
	buf_byte(out, what == 8 ? ']' : '}');
}

static void
fits(json value, json shape)
{
	schema_program *s;

	assert_int_equal(schema_compile(NULL, shape, &s), CM_OK);
	assert_str(schema_why(s), "");
	if (schema_check(s, value) != SCHEMA_FITS)
		fail_msg(
		    "%.*s does not fit %.*s", TEXT_ARG(value), TEXT_ARG(shape));
	schema_free(s);
}

static void
shape_of(json value, buf *out)
{
	assert_int_equal(shapes_add(TEXT_NONE, value, out), CM_OK);
}

static void
merged(const buf *a, const buf *b, buf *out)
{
	buf_clear(out);
	assert_int_equal(shapes_merge(buf_view(a), buf_view(b), out), CM_OK);
}

/* Three values: each fits what they become, however they are put together. */
static void
any_order(void **state)
{
	uint32_t random = 20261130;

	(void)state;
	for (int round = 0; round < 4000; round++) {
		buf v[3], s[3];
		buf left = BUF_INIT(NULL, 1 << 20), right = left, all = left;
		buf other = left, one = left;
		json value;

		for (int i = 0; i < 3; i++) {
			v[i] = s[i] = BUF_INIT(NULL, 1 << 20);
			put_random(&v[i], &random, 5);
			assert_true(json_check(
			    buf_view(&v[i]), JSON_DEPTH, &value, NULL));
			shape_of(buf_view(&v[i]), &s[i]);
			fits(buf_view(&v[i]), buf_view(&s[i]));
		}
		merged(&s[0], &s[1], &left);
		merged(&left, &s[2], &all);
		merged(&s[2], &s[1], &right);
		merged(&right, &s[0], &other);
		assert_text(buf_view(&other), buf_view(&all));
		merged(&all, &all, &one); /* what is known teaches nothing */
		assert_text(buf_view(&one), buf_view(&all));
		buf_clear(&one);
		assert_int_equal(
		    shapes_add(buf_view(&left), buf_view(&v[2]), &one), CM_OK);
		assert_text(buf_view(&one), buf_view(&all));
		for (int i = 0; i < 3; i++) {
			fits(buf_view(&v[i]), buf_view(&all));
			buf_fini(&v[i]);
			buf_fini(&s[i]);
		}
		buf_fini(&left);
		buf_fini(&right);
		buf_fini(&all);
		buf_fini(&other);
		buf_fini(&one);
	}
}

/* No text of a value is anywhere in its shape. */
static void
no_value_is_kept(void **state)
{
	static const char value[] =
	    "{\"token\":\"hunter2hunter2\",\"by\":{\"ann@mail.example\":{\"n\":"
	    "981273}},\"list\":[\"xylophone\",{\"4711\":\"hunter2hunter2\"}]}";
	static const char *const kept_out[] = {
	    "hunter2", "ann", "mail", "981273", "xylophone", "4711"};
	buf shape = BUF_INIT(NULL, 4096);

	(void)state;
	shape_of(checked(value), &shape);
	for (size_t i = 0; i < sizeof(kept_out) / sizeof(*kept_out); i++)
		assert_true(text_find(buf_view(&shape), text_of(kept_out[i]),
				0) == SIZE_MAX);
	buf_fini(&shape);
}

/* --------------------------------------------------------------- the file */

static const learned_key get_issue = {
    TEXT_INIT("hub"), TEXT_INIT("get issue"), 0x0123456789abcdef};

static void
reads_what_it_wrote(void **state)
{
	learned a = LEARNED_INIT(NULL), b = LEARNED_INIT(NULL);
	buf file = BUF_INIT(NULL, LEARNED_FILE_MAX), again = file;
	const learned_tool *t;

	(void)state;
	assert_int_equal(learned_use(&a, &get_issue, 20000), CM_OK);
	assert_int_equal(learned_use(&a, &get_issue, 20002), CM_OK);
	assert_int_equal(
	    learned_result(&a, &get_issue, TEXT("{\"id\":1}"), 20001), CM_OK);
	assert_int_equal(learned_write(&a, &file), CM_OK);
	assert_str(buf_view(&file),
	    "{\"version\":1,\"tools\":[\n"
	    "{\"server\":\"hub\",\"tool\":\"get issue\",\"definition\":"
	    "\"0123456789abcdef\",\"used\":2,\"usedDay\":20002,\"observed\":1,"
	    "\"observedDay\":20001,\"shape\":{\"type\":\"object\","
	    "\"properties\":{\"id\":{\"type\":\"number\"}},\"required\":["
	    "\"id\"]}}\n]}\n");
	/* Twice the same: the counts add, the shape stays. */
	assert_int_equal(learned_read(&b, buf_view(&file), 20002), CM_OK);
	assert_int_equal(learned_merge(&b, &a), CM_OK);
	t = learned_find(&b, &get_issue);
	assert_non_null(t);
	assert_int_equal(t->used, 4);
	assert_int_equal(t->observed, 2);
	assert_text(buf_view(&t->shape), buf_view(&a.tool[0].shape));
	assert_null(learned_find(
	    &b, &(learned_key){get_issue.server, get_issue.tool, 1}));
	/* A shape grows old, a count does. */
	learned_fini(&b);
	assert_int_equal(learned_read(&b, buf_view(&file), 20032), CM_OK);
	t = learned_find(&b, &get_issue);
	assert_int_equal(t->used, 2);
	assert_int_equal(t->observed, 0);
	assert_int_equal(t->shape.len, 0);
	learned_fini(&b);
	assert_int_equal(learned_read(&b, buf_view(&file), 20033), CM_OK);
	assert_int_equal(b.len, 0);
	learned_fini(&a);
	learned_fini(&b);
	buf_fini(&file);
	buf_fini(&again);
}

static void
a_wrong_file(void **state)
{
	static const char *const none[] = {
	    "", "x", "[]", "{}", "{\"version\":2,\"tools\":[]}"};
	/* Each entry is left out but the last. */
	static const char some[] =
	    "{\"version\":1,\"tools\":[1,{},{\"server\":\"s\",\"tool\":\"t\"},"
	    "{\"server\":\"s\",\"tool\":\"t\",\"definition\":\"0123\","
	    "\"used\":1},"
	    "{\"server\":\"s\",\"tool\":\"t\",\"definition\":"
	    "\"0123456789abcdef\",\"used\":-1},"
	    "{\"server\":\"s\",\"tool\":\"t\",\"definition\":"
	    "\"0123456789abcdef\",\"used\":1,\"usedDay\":20001},"
	    "{\"server\":\"s\",\"tool\":\"t\",\"definition\":"
	    "\"0123456789abcdef\",\"used\":5,\"usedDay\":20000,\"observed\":1,"
	    "\"observedDay\":20000,\"shape\":{\"type\":\"file\"}}]}";
	static const char old[] =
	    "{\"version\":1,\"tools\":[{\"server\":\"s\",\"tool\":\"t\","
	    "\"definition\":\"0123456789abcdef\",\"used\":5,\"observed\":1,"
	    "\"observedDay\":20000,\"shape\":{\"type\":\"file\"}}]}";
	learned l = LEARNED_INIT(NULL);
	buf file = BUF_INIT(NULL, LEARNED_FILE_MAX);

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_int_equal(
		    learned_read(&l, text_of(none[i]), 20000), CM_EINPUT);
	assert_int_equal(learned_read(&l, text_of(some), 20000), CM_OK);
	assert_int_equal(l.len, 1);
	assert_int_equal(l.tool[0].used, 5);
	assert_int_equal(l.tool[0].shape.len, 0);
	learned_fini(&l);
	/* Of one with nothing but a wrong shape, nothing is written. */
	assert_int_equal(learned_read(&l, text_of(old), 20000), CM_OK);
	assert_int_equal(learned_write(&l, &file), CM_OK);
	assert_str(buf_view(&file), "{\"version\":1,\"tools\":[\n]}\n");
	learned_fini(&l);
	buf_fini(&file);
}

static void
many_tools(void **state)
{
	learned l = LEARNED_INIT(NULL);
	buf file = BUF_INIT(NULL, LEARNED_FILE_MAX);
	learned_key key = get_issue;
	char name[20];
	cm_status r = CM_OK;

	(void)state;
	for (unsigned i = 0; i <= LEARNED_TOOLS_MAX; i++) {
		snprintf(name, sizeof(name), "tool%u", i);
		key.tool = text_of(name);
		r = learned_use(&l, &key, 20000 + i % 7);
		assert_int_equal(r, i < LEARNED_TOOLS_MAX ? CM_OK : CM_ELIMIT);
	}
	assert_int_equal(learned_write(&l, &file), CM_OK);
	/* The latest is first. */
	assert_str(
	    json_path(
		json_at(json_get(json_trim(buf_view(&file)), TEXT("tools")), 0),
		"usedDay", NULL),
	    "20006");
	learned_fini(&l);
	buf_fini(&file);
}

static void
days(void **state)
{
	static const struct {
		uint32_t day;
		const char *want;
	} cases[] = {{0, "1970-01-01"}, {11016, "2000-02-29"},
	    {20787, "2026-11-30"}, {20789, "2026-12-02"},
	    {20819, "2027-01-01"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf out = BUF_INIT(NULL, 100);

		learned_put_day(&out, cases[i].day);
		assert_str(buf_view(&out), cases[i].want);
		buf_fini(&out);
	}
}

static void
without_memory(void **state)
{
	(void)state;
	for (size_t left = 0; left < 60; left++) {
		struct hoard h = {0, left};
		cm_alloc alloc = HOARD_ALLOC(&h);
		learned l = LEARNED_INIT(&alloc);
		buf file = BUF_INIT(&alloc, LEARNED_FILE_MAX);

		learned_use(&l, &get_issue, 20000);
		learned_result(&l, &get_issue, TEXT("{\"a\":[1]}"), 20000);
		learned_write(&l, &file);
		h.left = left % 3;
		learned_read(&l, buf_view(&file), 20000);
		learned_fini(&l);
		buf_fini(&file);
		assert_int_equal(h.bytes, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(kinds_and_members),
	    cmocka_unit_test(names_that_are_data),
	    cmocka_unit_test(bounds),
	    cmocka_unit_test(no_shape),
	    cmocka_unit_test(any_order),
	    cmocka_unit_test(no_value_is_kept),
	    cmocka_unit_test(reads_what_it_wrote),
	    cmocka_unit_test(a_wrong_file),
	    cmocka_unit_test(many_tools),
	    cmocka_unit_test(days),
	    cmocka_unit_test(without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
