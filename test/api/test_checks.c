/* SPDX-License-Identifier: MIT */
/*
 * test_checks.c -- calls held against the schemas of their tools, from the
 * outside: what the owner is never offered, what the script gets, what the
 * result says. In both places.
 */
#include "unit.h"

#include "api/both_places.h"
#include "base/json.h"

#include <poll.h>

#define INPUT                                                               \
	"{\"type\":\"object\",\"properties\":{\"title\":{\"type\":\"string" \
	"\"}},\"required\":[\"title\"],\"additionalProperties\":false}"
#define OUTPUT "{\"type\":\"object\",\"required\":[\"id\"]}"

/* A run of script with one tool `f`, which gives `gives`. */
typedef struct trial {
	const char *input, *output, *script, *gives;
	unsigned flags;
	cm_place *place;

	unsigned calls; /* that the owner was offered */
	cm_run *run;
	text result;
} trial;

static void
try(trial *t)
{
	cm_tool tool = {.name = {"f", 1},
	    .input_schema = text_of(t->input),
	    .output_schema = text_of(t->output),
	    .flags = t->flags};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_catalog *cat;
	cm_step s = {.kind = CM_STEP_WAIT};

	o.place = t->place;
	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	assert_int_equal(cm_catalog_add(cat, &tool), CM_OK);
	assert_int_equal(
	    cm_run_new(cat, text_of(t->script), &o, &t->run), CM_OK);
	cm_catalog_free(cat);
	for (t->calls = 0; s.kind != CM_STEP_DONE;) {
		struct pollfd fd = {-1, POLLIN, 0};

		assert_int_equal(cm_run_next(t->run, now(), &s), CM_OK);
		if (s.kind == CM_STEP_CALL) {
			t->calls++;
			cm_run_resolve(t->run, s.u.call.id, text_of(t->gives));
		}
		if (s.kind != CM_STEP_WAIT)
			continue;
		fd.fd = s.u.wait.handle;
		fd.events |= s.u.wait.writable ? POLLOUT : 0;
		poll(&fd, 1, 20);
	}
	assert_int_equal(cm_run_result(t->run, &t->result), CM_OK);
}

static json
result_path(const trial *t, const char *a, const char *b)
{
	return json_path(t->result, a, b, NULL);
}

#define IN_BOTH_PLACES(t)                                          \
	for (cm_place * places[] = {NULL, process}, **p_ = places; \
	     p_ < places + 2 && ((t).place = *p_, true); p_++)

static const char said[] =
    "tools.f was not called: title must be a string, not 5. It is "
    "tools.f(args: { title: string; }): Promise<unknown>";

static void
test_wrong_call_is_not_made(void **state)
{
	trial t = {INPUT, "", "\n  await tools.f({ title: 5 })", "1", 0, NULL,
	    0, NULL, {0}};
	json call;

	(void)state;
	IN_BOTH_PLACES(t)
	{
		try(&t);
		assert_int_equal(t.calls, 0);
		assert_true(json_is(
		    result_path(&t, "error", "message"), text_of(said)));
		assert_true(json_is(result_path(&t, "error", "code"),
		    TEXT("InvalidArguments")));
		assert_str(result_path(&t, "error", "line"), "2");
		call = json_at(json_get(t.result, TEXT("calls")), 0);
		assert_true(
		    json_is(json_get(call, TEXT("status")), TEXT("unstarted")));
		assert_true(
		    json_is(json_get(call, TEXT("error")), text_of(said)));
		cm_run_free(t.run);
	}
}

static void
test_script_catches_it_and_goes_on(void **state)
{
	trial t = {INPUT, "",
	    "const bad = await Promise.allSettled([tools.f({ titl: 'a' }), "
	    "tools.f({ title: 'b' }), tools.f()]);\n"
	    "const names = bad.map((b) => b.reason?.code ?? b.value);\n"
	    "try { await tools.f([]) } catch (e) { names.push(e.name, "
	    "e.tool) }\n"
	    "return names",
	    "7", 0, NULL, 0, NULL, {0}};

	(void)state;
	IN_BOTH_PLACES(t)
	{
		try(&t);
		assert_int_equal(t.calls, 1);
		assert_str(json_get(t.result, TEXT("value")),
		    "[\"InvalidArguments\",7,\"InvalidArguments\","
		    "\"TypeError\",\"f\"]");
		assert_str(json_get(t.result, TEXT("warnings")), "[]");
		cm_run_free(t.run);
	}
}

/* A group ends with its member that was refused, as with one that failed. */
static void
test_groups(void **state)
{
	trial t = {INPUT, "",
	    "try { await codemode.all([tools.f({}), tools.f({ title: 'a' })]) }"
	    " catch (e) { return e.code }",
	    "7", 0, NULL, 0, NULL, {0}};

	(void)state;
	IN_BOTH_PLACES(t)
	{
		try(&t);
		assert_int_equal(t.calls, 0);
		assert_str(
		    json_get(t.result, TEXT("value")), "\"InvalidArguments\"");
		cm_run_free(t.run);
	}
}

/* It counts as unseen where nothing looks at it. */
static void
test_refusal_that_nothing_awaits(void **state)
{
	trial t = {INPUT, "",
	    "tools.f({}); await tools.f({ title: 'a' }); return 1", "7", 0,
	    NULL, 0, NULL, {0}};
	json warning;

	(void)state;
	IN_BOTH_PLACES(t)
	{
		try(&t);
		assert_int_equal(t.calls, 1);
		warning = json_at(json_get(t.result, TEXT("warnings")), 0);
		assert_true(text_find(warning, TEXT("title is missing"), 0) !=
			    SIZE_MAX);
		cm_run_free(t.run);
	}
}

static void
test_result_that_does_not_fit(void **state)
{
	trial t = {"", OUTPUT, "await tools.f(); await tools.f(); return 1",
	    "{\"ID\":1}", 0, NULL, 0, NULL, {0}};
	json warnings;

	(void)state;
	IN_BOTH_PLACES(t)
	{
		try(&t);
		warnings = json_get(t.result, TEXT("warnings"));
		assert_int_equal(json_len(warnings), 1);
		assert_true(
		    json_is(json_get(json_at(warnings, 0), TEXT("message")),
			TEXT("tools.f: its results do not fit the "
			     "outputSchema that the tool declares: id is "
			     "missing (you wrote ID)")));
		assert_str(json_get(t.result, TEXT("value")), "1");
		cm_run_free(t.run);
	}
}

static void
test_schema_that_is_none(void **state)
{
	trial t = {"{\"type\":\"thing\"}", "{\"$ref\":\"a.json\"}",
	    "await tools.f(); await tools.f(1); return 1", "1", 0, NULL, 0,
	    NULL, {0}};
	json warnings;

	(void)state;
	try(&t);
	assert_int_equal(t.calls, 2);
	warnings = json_get(t.result, TEXT("warnings"));
	assert_int_equal(json_len(warnings), 2);
	assert_true(json_is(json_get(json_at(warnings, 0), TEXT("message")),
	    TEXT("tools.f: its arguments are not checked, because the schema "
		 "is none: $.type is no type")));
	assert_true(json_is(json_get(json_at(warnings, 1), TEXT("message")),
	    TEXT("tools.f: its results are not checked in full: $: a.json "
		 "lies elsewhere")));
	cm_run_free(t.run);
}

static void
test_switched_off(void **state)
{
	trial t = {INPUT, OUTPUT, "await tools.f(5); return 1", "1",
	    CM_TOOL_UNCHECKED, NULL, 0, NULL, {0}};

	(void)state;
	IN_BOTH_PLACES(t)
	{
		try(&t);
		assert_int_equal(t.calls, 1);
		assert_str(json_get(t.result, TEXT("warnings")), "[]");
		cm_run_free(t.run);
	}
}

/* The arguments are still held against their schema. */
static void
test_observed_result_promises_nothing(void **state)
{
	trial t = {INPUT, OUTPUT, "await tools.f({ title: 'a' }); return 1",
	    "1", CM_TOOL_OBSERVED, NULL, 0, NULL, {0}};

	(void)state;
	IN_BOTH_PLACES(t)
	{
		try(&t);
		assert_int_equal(t.calls, 1);
		assert_str(json_get(t.result, TEXT("warnings")), "[]");
		cm_run_free(t.run);
	}
	t.script = "return await tools.f({ title: 5 })";
	t.place = NULL;
	try(&t);
	assert_int_equal(t.calls, 0);
	cm_run_free(t.run);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_wrong_call_is_not_made),
	    cmocka_unit_test(test_script_catches_it_and_goes_on),
	    cmocka_unit_test(test_groups),
	    cmocka_unit_test(test_refusal_that_nothing_awaits),
	    cmocka_unit_test(test_result_that_does_not_fit),
	    cmocka_unit_test(test_schema_that_is_none),
	    cmocka_unit_test(test_switched_off),
	    cmocka_unit_test(test_observed_result_promises_nothing),
	};

	return cmocka_run_group_tests_name(
	    "checks", tests, open_process, close_process);
}
