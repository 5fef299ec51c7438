/* SPDX-License-Identifier: MIT */
/*
 * test_approvals.c -- an approval is a capability: a run with CM_RUN_ASK hands
 * over the calls that its owner approved and no other one, in both places.
 */
#include "unit.h"

#include "api/both_places.h"
#include "base/json.h"

#include <codemode/codemode.h>

#include <poll.h>

static cm_catalog *
files_and_git(void)
{
	static const cm_tool tools[] = {
	    {.space = {"files", 5}, .name = {"delete", 6}},
	    {.space = {"files", 5}, .name = {"read", 4}},
	    {.space = {"git", 3}, .name = {"push", 4}},
	    {.name = {"git_push", 8}},
	};
	cm_catalog *cat;

	assert_int_equal(cm_catalog_new(NULL, &cat), CM_OK);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		assert_int_equal(cm_catalog_add(cat, &tools[i]), CM_OK);
	return cat;
}

static cm_run *
asking_run(cm_place *place, const char *script)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_catalog *cat = files_and_git();
	cm_run *r;

	o.flags = CM_RUN_ASK | CM_RUN_SITES;
	o.place = place;
	assert_int_equal(cm_run_new(cat, text_of(script), &o, &r), CM_OK);
	cm_catalog_free(cat);
	return r;
}

/* The next step beside waits for the worker. */
static cm_step
next_of(cm_run *r, cm_step_kind kind)
{
	cm_step s;

	for (;;) {
		struct pollfd fd = {.events = POLLIN};

		assert_int_equal(cm_run_next(r, now(), &s), CM_OK);
		if (s.kind != CM_STEP_WAIT || kind == CM_STEP_WAIT)
			break;
		assert_true(s.u.wait.handle >= 0);
		fd.fd = s.u.wait.handle;
		poll(&fd, 1, 1000);
	}
	assert_int_equal(s.kind, kind);
	return s;
}

static void
ends_as(cm_run *r, const char *value)
{
	cm_step s = next_of(r, CM_STEP_DONE);

	assert_int_equal(s.u.done.end, CM_END_OK);
	assert_str(s.u.done.value, value);
	cm_run_free(r);
}

static void
approve(cm_run *r, const char *path, const char *args)
{
	const cm_approval a = {text_of(path), text_of(args)};

	assert_int_equal(cm_run_approve(r, &a), CM_OK);
}

static void
each_place(void (*test)(cm_place *place))
{
	test(NULL);
	test(process);
}

/* ------------------------------------------------------------------- tests */

static void
asked_then_approved(cm_place *place)
{
	cm_run *r = asking_run(place, "return tools.files.read({ a: 1 })");
	cm_step s = next_of(r, CM_STEP_ASK);

	assert_str(s.u.call.path, "files.read");
	assert_str(s.u.call.args, "{\"a\":1}");
	assert_int_equal(cm_run_approve_call(r, 2), CM_ENOCALL);
	assert_int_equal(cm_run_approve_call(r, s.u.call.id), CM_OK);
	assert_int_equal(cm_run_approve_call(r, s.u.call.id), CM_ENOCALL);
	s = next_of(r, CM_STEP_CALL);
	assert_str(s.u.call.args, "{\"a\":1}");
	assert_int_equal(cm_run_resolve(r, s.u.call.id, TEXT("7")), CM_OK);
	assert_int_equal(cm_run_approve_call(r, s.u.call.id), CM_ENOCALL);
	ends_as(r, "7");
}

static void
a_call_is_asked_about_and_then_made(void **state)
{
	(void)state;
	each_place(asked_then_approved);
}

static void
rejected_or_answered(cm_place *place)
{
	const cm_failure no = {.message = TEXT("no"),
	    .members = TEXT("{\"code\":\"NotAllowed\"}")};
	cm_run *r = asking_run(place,
	    "const no = await tools.files.read({}).catch((e) => e.code);"
	    "return [no, await tools.files.read({})]");
	cm_step s = next_of(r, CM_STEP_ASK);

	assert_int_equal(cm_run_reject(r, s.u.call.id, &no), CM_OK);
	s = next_of(r, CM_STEP_ASK);
	assert_int_equal(cm_run_resolve(r, s.u.call.id, TEXT("1")), CM_OK);
	ends_as(r, "[\"NotAllowed\",1]");
}

static void
what_is_asked_about_may_be_answered_without_being_made(void **state)
{
	(void)state;
	each_place(rejected_or_answered);
}

/* Which of the calls are handed over, in the order in which they are made. */
static void
handed_over(const char *path, const char *args, const char *want)
{
	cm_run *r = asking_run(NULL,
	    "await Promise.allSettled([tools.files.delete({ p: 'a', n: 1 }),"
	    "tools.files.delete({ n: 1.0, p: '\\x61' }),"
	    "tools.files.delete({ p: 'b', n: 1 }), tools.files.delete(),"
	    "tools.files.delete({}), tools.files.read({ p: 'a', n: 1 }),"
	    "tools.git.push({}), tools.git_push({})])");
	char got[16] = "";
	size_t n = 0;
	cm_step s;

	approve(r, path, args);
	for (;;) {
		assert_int_equal(cm_run_next(r, now(), &s), CM_OK);
		if (s.kind != CM_STEP_CALL && s.kind != CM_STEP_ASK)
			break;
		got[n++] = s.kind == CM_STEP_CALL ? 'x' : '-';
	}
	assert_string_equal(got, want);
	cm_run_free(r);
}

static void
what_an_approval_covers(void **state)
{
	(void)state;
	handed_over("files.delete", "", "xxxxx---");
	handed_over("files.delete", "{\"n\":1,\"p\":\"a\"}", "xx------");
	/* {n:1} is not {n:1,n:1}: a member that is there twice stands for
	 * no other one. */
	handed_over("files.delete", "{\"n\":1,\"n\":1}", "--------");
	handed_over("files.delete", "{}", "---xx---");
	handed_over("files.*", "", "xxxxxx--");
	handed_over("*", "", "xxxxxxxx");
	handed_over("*", "{}", "---xx-xx");
	handed_over("git.*", "", "------x-");
	handed_over("git_push.*", "", "-------x"); /* as check.h says */
	handed_over("files", "", "--------");
	handed_over("files.del*", "", "--------");
}

static void
withdrawn(cm_place *place)
{
	cm_run *r = asking_run(
	    place, "await tools.files.read({}); return tools.files.read({})");
	cm_step s;

	approve(r, "files.read", "");
	s = next_of(r, CM_STEP_CALL);
	assert_int_equal(cm_run_approve(r, NULL), CM_OK);
	assert_int_equal(cm_run_resolve(r, s.u.call.id, TEXT("1")), CM_OK);
	s = next_of(r, CM_STEP_ASK);
	approve(r, "files.read", ""); /* covers the one that waits */
	s = next_of(r, CM_STEP_CALL);
	assert_int_equal(cm_run_resolve(r, s.u.call.id, TEXT("2")), CM_OK);
	ends_as(r, "2");
}

static void
approvals_come_and_go(void **state)
{
	(void)state;
	each_place(withdrawn);
}

/* Approved a moment too late: the script has stopped waiting. */
static void
stopped_meanwhile(cm_place *place)
{
	cm_run *r = asking_run(place,
	    "await codemode.race([tools.files.read({}), tools.git.push({})])"
	    ".catch(() => 0); return 1");
	cm_call_id read, push;
	cm_step s = next_of(r, CM_STEP_ASK);

	read = s.u.call.id;
	push = next_of(r, CM_STEP_ASK).u.call.id;
	assert_int_equal(cm_run_approve_call(r, push), CM_OK);
	assert_int_equal(cm_run_resolve(r, read, TEXT("1")), CM_OK);
	s = next_of(r, CM_STEP_ABORT);
	assert_int_equal(s.u.abort, push);
	assert_int_equal(cm_run_approve_call(r, push), CM_ENOCALL);
	ends_as(r, "1");
}

static void
a_call_that_is_not_waited_for_is_not_made(void **state)
{
	(void)state;
	each_place(stopped_meanwhile);
}

static void
listed(cm_place *place)
{
	cm_run *r = asking_run(place,
	    "const s = 'files'; await tools.files.read({ p: 'a' });"
	    "return await tools[s].delete({ p: s })");
	text sites;
	cm_step s;

	s = next_of(r, CM_STEP_ASK);
	sites = cm_run_sites(r);
	assert_int_equal(json_len(sites), 2);
	assert_true(json_is(
	    json_get(json_at(sites, 0), TEXT("tool")), TEXT("files.read")));
	assert_str(json_get(json_at(sites, 0), TEXT("args")), "{\"p\":\"a\"}");
	cm_run_resolve(r, s.u.call.id, TEXT("1"));
	s = next_of(r, CM_STEP_ASK);
	cm_run_resolve(r, s.u.call.id, TEXT("1"));
	ends_as(r, "1");
}

static void
calls_are_listed_before_the_first(void **state)
{
	(void)state;
	each_place(listed);
}

static void
what_is_refused(void **state)
{
	static char big[(64 << 10) + 2];
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_approval a = {TEXT("x"), TEXT("{")};
	cm_run *r;

	(void)state;
	assert_int_equal(cm_run_new(NULL, TEXT("1"), &o, &r), CM_OK);
	assert_int_equal(cm_run_approve(r, &a), CM_EMISUSE);
	assert_int_equal(cm_run_sites(r).len, 0);
	cm_run_free(r);
	r = asking_run(NULL, "1");
	assert_int_equal(cm_run_approve(r, &a), CM_EINPUT);
	a = (cm_approval){.path = TEXT_NONE};
	assert_int_equal(cm_run_approve(r, &a), CM_EINPUT);
	memset(big, 'x', sizeof(big) - 1);
	a.path = text_of(big);
	assert_int_equal(cm_run_approve(r, &a), CM_ELIMIT);
	for (int i = 0; i < 10000; i++)
		approve(r, "x", "");
	a.path = TEXT("x");
	assert_int_equal(cm_run_approve(r, &a), CM_ELIMIT);
	cm_run_free(r);
}

static void
the_driver_refuses(void **state)
{
	cm_run *r = asking_run(
	    NULL, "return tools.files.read({}).catch((e) => e.code)");
	const cm_driver d = {0};
	cm_done done;

	(void)state;
	assert_int_equal(cm_run_drive(r, &d, &done), CM_OK);
	assert_str(done.value, "\"NotAllowed\"");
	cm_run_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_call_is_asked_about_and_then_made),
	    cmocka_unit_test(
		what_is_asked_about_may_be_answered_without_being_made),
	    cmocka_unit_test(what_an_approval_covers),
	    cmocka_unit_test(approvals_come_and_go),
	    cmocka_unit_test(a_call_that_is_not_waited_for_is_not_made),
	    cmocka_unit_test(calls_are_listed_before_the_first),
	    cmocka_unit_test(what_is_refused),
	    cmocka_unit_test(the_driver_refuses),
	};

	return cmocka_run_group_tests(tests, open_process, close_process);
}
