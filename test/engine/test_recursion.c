/* SPDX-License-Identifier: MIT */
/*
 * test_recursion.c -- how deep a script may go, on a thread with a small stack.
 *
 * A script has stacks of its own, so the host's does not count. Each script here
 * returns true, or is ended by the run; after each one the engine is sound.
 */
#include "unit.h"

#include <codemode/codemode.h>
#include <pthread.h>

#define SMALL_STACK (128u << 10)

/* Frames that a script has at least; doc/engine.md promises them. */
#define USEFUL \
	"const f = (n) => n === 0 ? 0 : 1 + f(n - 1); return f(8000) === 8000"
#define CAUGHT(expression)                                                     \
	"try { " expression "; } catch (e) { return e instanceof RangeError; " \
	"}"

static const char *const scripts[] = {
    USEFUL,
    "function f(n) { return n === 0 ? 0 : 1 + f(n - 1); }"
    "return f(8000) === 8000",
    /* Recursion through functions of the engine. */
    CAUGHT("const f = () => f(); f()"),
    CAUGHT("const o = { toJSON() { return JSON.stringify(o); } };"
	   "JSON.stringify(o)"),
    CAUGHT("const f = () => [2, 1].sort(f); f()"),
    CAUGHT("const o = { get a() { return o.a; } }; o.a"),
    CAUGHT("const p = new Proxy({}, { get: (t, k) => p[k] }); p.x"),
    CAUGHT("let p = {}; for (let i = 0; i < 2e5; i++) p = new Proxy(p, {});"
	   "p.x"),
    CAUGHT("let v = 1; for (let i = 0; i < 2e5; i++) v = [v];"
	   "JSON.stringify(v)"),
    CAUGHT("const f = () => 'a'.replace(/a/, f); f()"),
    CAUGHT("let f = [1].values();"
	   "for (let i = 0; i < 5e5; i++) f = f.map((x) => x); f.next()"),
    "try { return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('') }"
    "catch (e) { return e instanceof SyntaxError || e instanceof RangeError }",
    "return /^(?:a|b)*$/.test('ab'.repeat(1e5))",
    /* JSON.stringify takes time with the square of the depth, so it has less of
     * the stack; what is around it has all of it afterwards. */
    "let v = 1; for (let i = 0; i < 5000; i++) v = [v];"
    "const text = JSON.stringify(v);" USEFUL " && text.length === 10001",
};
#define SCRIPTS (sizeof(scripts) / sizeof(scripts[0]))

static void
run_alone(const char *script, char *value, size_t max)
{
	cm_run_options opts = CM_RUN_OPTIONS_INIT;
	cm_driver d = {0};
	cm_done done;
	cm_run *r;

	assert_int_equal(cm_run_new(NULL, text_of(script), &opts, &r), CM_OK);
	assert_int_equal(cm_run_drive(r, &d, &done), CM_OK);
	snprintf(value, max, "%.*s", (int)done.value.len,
	    done.value.len ? done.value.ptr : "");
	if (done.end != CM_END_OK)
		snprintf(value, max, "%.*s", (int)done.fault.message.len,
		    done.fault.message.ptr);
	cm_run_free(r);
}

static void *
run_all(void *unused)
{
	char value[200];
	size_t i;

	(void)unused;
	for (i = 0; i < SCRIPTS; i++) {
		run_alone(scripts[i], value, sizeof(value));
		/* What the engine does not check itself ends the run. */
		if (strcmp(value, "true") != 0 &&
		    strcmp(value, "Maximum call stack size exceeded") != 0)
			fail_msg("%s: %s", scripts[i], value);
		run_alone(USEFUL, value, sizeof(value));
		assert_string_equal(value, "true");
	}
	return NULL;
}

static void
test_small_thread(void **state)
{
	pthread_attr_t attr;
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_attr_init(&attr), 0);
	assert_int_equal(pthread_attr_setstacksize(&attr, SMALL_STACK), 0);
	assert_int_equal(pthread_create(&t, &attr, run_all, NULL), 0);
	assert_int_equal(pthread_join(t, NULL), 0);
	pthread_attr_destroy(&attr);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_small_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
