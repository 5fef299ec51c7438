/* SPDX-License-Identifier: MIT */
/*
 * test_globals.c -- tools that are globals, too: which names they may have, what
 * a script finds, what the owner is asked, what a model is shown. In both
 * places.
 */
#include "unit.h"

#include "api/both_places.h"
#include "base/json.h"

#include <codemode/check.h>

#include <poll.h>

static cm_catalog *
catalog_of_globals(void)
{
	static const cm_tool tools[] = {
	    {.name = {"lookup", 6}, .flags = CM_TOOL_GLOBAL},
	    {.name = {"join", 4},
		.flags = CM_TOOL_GLOBAL | CM_TOOL_SPREAD,
		.signature =
		    TEXT_INIT("(...parts: string[]): Promise<string>")},
	    {.space = {"models", 6},
		.name = {"classify", 8},
		.description = TEXT_INIT("Names it"),
		.input_schema = TEXT_INIT("{\"type\":\"object\",\"properties\":"
					  "{\"a\":{\"type\":\"number\"}}}"),
		.flags = CM_TOOL_GLOBAL},
	    {.space = {"models", 6}, .name = {"then", 4}},
	    {.space = {"git", 3}, .name = {"log", 3}, .flags = CM_TOOL_SPREAD},
	};
	cm_catalog *cat;

	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		assert_int_equal(cm_catalog_add(cat, &tools[i]), CM_OK);
		assert_string_equal(cm_catalog_why(cat), "");
	}
	return cat;
}

/* Runs the script; each call gets its own path and arguments. The value, as
 * JSON, or the error's message in quotes is in *out. */
static void
play(cm_place *place, const char *script, buf *out)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_catalog *cat = catalog_of_globals();
	cm_step s = {.kind = CM_STEP_WAIT};
	cm_run *run;

	o.place = place;
	assert_int_equal(cm_run_new(cat, text_of(script), &o, &run), CM_OK);
	cm_catalog_free(cat);
	while (s.kind != CM_STEP_DONE) {
		struct pollfd fd = {-1, POLLIN, 0};

		assert_int_equal(cm_run_next(run, now(), &s), CM_OK);
		if (s.kind == CM_STEP_CALL) {
			buf b = BUF_INIT(NULL, 1 << 16);

			buf_printf(&b, "[\"%.*s\",%s]", TEXT_ARG(s.u.call.path),
			    s.u.call.args.len ? "" : "null");
			b.len -= s.u.call.args.len ? 1 : 0;
			buf_text(&b, s.u.call.args);
			buf_str(&b, s.u.call.args.len ? "]" : "");
			cm_run_resolve(run, s.u.call.id, buf_view(&b));
			buf_fini(&b);
		}
		if (s.kind != CM_STEP_WAIT)
			continue;
		fd.fd = s.u.wait.handle;
		fd.events |= s.u.wait.writable ? POLLOUT : 0;
		poll(&fd, 1, 20);
	}
	buf_clear(out);
	if (s.u.done.end == CM_END_OK)
		buf_text(out, s.u.done.value);
	else
		json_string(out, s.u.done.fault.message);
	cm_run_free(run);
}

static void
what_scripts_find(void **state)
{
	static const struct {
		const char *script, *gives;
	} rows[] = {
	    {"return await lookup({ a: 1 })", "[\"lookup\",{\"a\":1}]"},
	    {"return await lookup()", "[\"lookup\",null]"},
	    {"return await join('a', 2, undefined, [3])",
		"[\"join\",[\"a\",2,null,[3]]]"},
	    {"return await join()", "[\"join\",[]]"},
	    {"return await join(...Array(300).fill(1)).then((r) => "
	     "r[1].length)",
		"300"},
	    {"return await models.classify({ a: 2 })",
		"[\"models.classify\",{\"a\":2}]"},
	    {"return await tools.git.log(1, 2)", "[\"git.log\",[1,2]]"},
	    {"return [await tools.lookup(), tools.models === models, "
	     "globalThis.lookup === lookup, lookup.name]",
		"[[\"lookup\",null],true,true,\"lookup\"]"},
	    {"return [typeof git, Object.isFrozen(models), "
	     "Object.keys(globalThis).includes('models')]",
		"[\"undefined\",true,true]"},
	    {"const lookup = (x) => x + 1; return lookup(1)", "2"},
	    {"lookup = 5; return typeof lookup", "\"function\""},
	    {"'use strict'; try { lookup = 5 } catch (e) { return e.name }",
		"\"TypeError\""},
	    {"try { Object.defineProperty(globalThis, 'lookup', { value: 1 }) "
	     "} "
	     "catch (e) { return e.name }",
		"\"TypeError\""},
	    {"const { classify } = models; return (await classify())[0]",
		"\"models.classify\""},
	    {"models.clssify()",
		"\"tools.models.clssify does not exist. Did you mean "
		"tools.models.classify?\""},
	    {"models.classify({ a: 'x' })", NULL},
	};
	cm_place *places[] = {NULL, process};
	buf out = BUF_INIT(NULL, 1 << 16);

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(*rows); i++) {
		play(places[i % 2], rows[i / 2].script, &out);
		if (rows[i / 2].gives == NULL)
			assert_true(
			    text_find(buf_view(&out),
				TEXT("a must be a number"), 0) != SIZE_MAX);
		else
			assert_str(buf_view(&out), rows[i / 2].gives);
	}
	buf_fini(&out);
}

static void
names_that_are_refused(void **state)
{
	static const struct {
		const char *space, *name, *why;
		cm_status status;
	} rows[] = {
	    {"", "Math", "a built-in of JavaScript", CM_EINPUT},
	    {"JSON", "x", "a built-in of JavaScript", CM_EINPUT},
	    {"", "undefined", "a built-in of JavaScript", CM_EINPUT},
	    {"", "arguments", "a built-in of JavaScript", CM_EINPUT},
	    {"", "Intl", "a built-in of JavaScript", CM_EINPUT},
	    {"", "tools", "the environment has", CM_EINPUT},
	    {"console", "x", "the environment has", CM_EINPUT},
	    {"", "data", "the environment has", CM_EINPUT},
	    {"", "file", "the environment has", CM_EINPUT},
	    {"", "class", "a reserved word", CM_EINPUT},
	    {"", "await", "a reserved word", CM_EINPUT},
	    {"let", "x", "a reserved word", CM_EINPUT},
	    {"", "a-b", "an identifier", CM_EINPUT},
	    {"1a", "x", "an identifier", CM_EINPUT},
	    {"", "\xff", "an identifier", CM_EINPUT},
	    {"", "then", "a promise", CM_EINPUT},
	    {"", "models", "already", CM_EEXISTS},
	    {"lookup", "x", "already", CM_EEXISTS},
	    {"", "lookup", "already", CM_EEXISTS},
	};
	cm_catalog *cat = catalog_of_globals();
	size_t len = cm_catalog_len(cat);
	cm_tool t = {.name = TEXT_INIT("x"), .space = TEXT_INIT("lookup")};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cm_tool g = {.space = text_of(rows[i].space),
		    .name = text_of(rows[i].name),
		    .flags = CM_TOOL_GLOBAL};

		if (cm_catalog_add(cat, &g) != rows[i].status ||
		    strstr(cm_catalog_why(cat), rows[i].why) == NULL)
			fail_msg("%s, %s: %s", rows[i].space, rows[i].name,
			    cm_catalog_why(cat));
	}
	/* A space that is none of its own would hide the function. */
	assert_int_equal(cm_catalog_add(cat, &t), CM_EEXISTS);
	assert_int_equal(cm_catalog_len(cat), len);
	t = (cm_tool){.name = TEXT_INIT("Math")};
	assert_int_equal(cm_catalog_add(cat, &t), CM_OK); /* tools.Math */
	assert_string_equal(cm_catalog_why(cat), "");
	cm_catalog_free(cat);
}

static void
what_a_model_is_shown(void **state)
{
	cm_catalog *cat = catalog_of_globals();
	cm_tool got;
	cm_text t;

	(void)state;
	assert_int_equal(cm_catalog_declare(cat, TEXT_NONE, &t), CM_OK);
	assert_str(t,
	    "declare const tools: {\n"
	    "  git: {\n"
	    "    log(...args: unknown[]): Promise<unknown>;\n"
	    "  };\n"
	    "};\n"
	    "declare function join(...parts: string[]): Promise<string>;\n"
	    "declare function lookup(args?: unknown): Promise<unknown>;\n"
	    "declare const models: {\n"
	    "  /** Names it */\n"
	    "  classify(args?: { a?: number; }): Promise<unknown>;\n"
	    "  then_3d0d96(args?: unknown): Promise<unknown>;\n"
	    "};\n");
	assert_int_equal(cm_catalog_declare(cat, TEXT("models"), &t), CM_OK);
	assert_true(text_starts(t, TEXT("declare const models: {\n")));
	assert_int_equal(cm_catalog_get(cat, 1, &got, &t), CM_OK);
	assert_str(t, "join");
	assert_str(got.signature, "(...parts: string[]): Promise<string>");
	assert_int_equal(cm_catalog_signature(cat, 1, &t), CM_OK);
	assert_str(t, "(...parts: string[]): Promise<string>");
	assert_int_equal(cm_catalog_signature(cat, 0, &t), CM_OK);
	assert_str(t, "(...args: unknown[]): Promise<unknown>");
	cm_catalog_free(cat);
}

/* The places that can call a tool, "path line:column" each. */
static void
list_sites(const char *script, buf *out)
{
	cm_catalog *cat = catalog_of_globals();
	cm_check *check;
	cm_problem p;
	cm_site s;

	buf_clear(out);
	assert_int_equal(
	    cm_source_check(cat, text_of(script), 0, &check), CM_OK);
	for (size_t i = 0; cm_check_problem(check, i, &p) == CM_OK; i++)
		if (p.level == CM_LEVEL_ERROR)
			fail_msg("%s: %.*s", script, TEXT_ARG(p.message));
	for (size_t i = 0; cm_check_site(check, i, &s) == CM_OK; i++)
		buf_printf(
		    out, "%s%.*s", out->len ? " " : "", TEXT_ARG(s.path));
	cm_check_free(check);
	cm_catalog_free(cat);
}

static void
the_list_of_calls_has_them(void **state)
{
	static const struct {
		const char *script, *sites;
	} rows[] = {
	    {"return await lookup({})", "lookup"},
	    {"return await models.classify({})", "models.classify"},
	    {"const m = models; return m.classify()", "models.classify"},
	    {"const f = lookup; return [1].map((x) => f(x))", "lookup"},
	    {"return [1, 2].map(lookup)", "lookup"},
	    {"return globalThis.lookup()", "lookup"},
	    {"return globalThis['models'].classify()", "models.classify"},
	    {"return models[load('k')]()", "models.*"},
	    {"return run(models); function run(m) { return m.classify(); }",
		"models.classify"},
	    {"return [models].map((m) => Object.values(m)[0]())", "models.*"},
	    {"const lookup = (x) => x; return lookup(1)", ""},
	    {"return typeof lookup", ""},
	};
	buf out = BUF_INIT(NULL, 1 << 16);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		list_sites(rows[i].script, &out);
		assert_str(buf_view(&out), rows[i].sites);
	}
	buf_fini(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_scripts_find),
	    cmocka_unit_test(names_that_are_refused),
	    cmocka_unit_test(what_a_model_is_shown),
	    cmocka_unit_test(the_list_of_calls_has_them),
	};

	return cmocka_run_group_tests_name(
	    "globals", tests, open_process, close_process);
}
