/* SPDX-License-Identifier: MIT */
/*
 * test_place.c -- a place for one script: its process is a child of this one,
 * and all that holds of a template's children holds of it.
 */
#include "unit.h"

#include <codemode/place.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define T(literal) ((cm_text){"" literal, sizeof(literal) - 1})

static cm_place *
place_for_one(void)
{
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;
	cm_place *p;

	o.worker = WORKER;
	o.single = 1;
	o.spares = CM_NO_SPARES;
	o.require_fences = 1;
	assert_int_equal(cm_place_process(NULL, &o, &p), CM_OK);
	return p;
}

static cm_run *
run_in(cm_place *p, cm_text script, uint64_t wall_ms)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_catalog *catalog;
	cm_run *r;

	o.place = p;
	o.limits.wall_ms = wall_ms;
	assert_int_equal(cm_catalog_new(NULL, &catalog), CM_OK);
	assert_int_equal(cm_run_new(catalog, script, &o, &r), CM_OK);
	cm_catalog_free(catalog);
	return r;
}

/* Its only child that has not been waited for yet; 0: there is none. */
static pid_t
child(void)
{
	char path[64];
	FILE *f;
	int pid = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	f = fopen(path, "r");
	assert_non_null(f);
	if (fscanf(f, "%d", &pid) != 1)
		pid = 0;
	fclose(f);
	return pid;
}

static void
nobody_is_left(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void
driven_ends_with(const cm_driver *driver, cm_run *r, cm_end end, cm_text value)
{
	cm_done done;

	assert_int_equal(cm_run_drive(r, driver, &done), CM_OK);
	if (done.end != end)
		print_error("%.*s\n", TEXT_ARG(done.fault.message));
	assert_int_equal(done.end, end);
	if (end == CM_END_OK)
		assert_text(done.value, value);
	else if (text_find(done.fault.message, value, 0) == SIZE_MAX)
		assert_text(done.fault.message, value);
	cm_run_free(r);
}

static void
ends_with(cm_run *r, cm_end end, cm_text value)
{
	driven_ends_with(&(cm_driver){0}, r, end, value);
}

static void
one_script_has_no_template(void **state)
{
	cm_place *p = place_for_one();
	pid_t only = child();
	cm_run *r = run_in(p, T("return 6 * 7"), 10000);

	(void)state;
	assert_int_not_equal(only, 0);
	ends_with(r, CM_END_OK, T("42"));
	assert_int_equal(child(), only);
	cm_place_free(p);
	nobody_is_left();
}

static void
more_scripts_find_one(void **state)
{
	cm_place *p = place_for_one();
	cm_run *a = run_in(p, T("return 'a'"), 10000);
	cm_run *b = run_in(p, T("return 'b'"), 10000);

	(void)state;
	ends_with(b, CM_END_OK, T("\"b\""));
	ends_with(a, CM_END_OK, T("\"a\""));
	ends_with(run_in(p, T("return 'c'"), 10000), CM_END_OK, T("\"c\""));
	cm_place_free(p);
	nobody_is_left();
}

/* It prints: so it runs. */
static void
kill_child(void *ctx, const cm_print *print)
{
	(void)ctx, (void)print;
	assert_int_equal(kill(child(), SIGKILL), 0);
}

static void
its_death_is_told(void **state)
{
	cm_place *p = place_for_one();
	cm_run *r = run_in(p, T("text('it runs'); while (true);"), 10000);

	(void)state;
	driven_ends_with(&(cm_driver){.print = kill_child}, r, CM_END_SANDBOX,
	    T("killed by signal 9"));
	cm_place_free(p);
	nobody_is_left();
}

/* The system waits for the children of this process: how the worker ended is
 * not known, and nothing is made up. */
static void
its_death_is_told_without_a_status(void **state)
{
	cm_run *r;
	cm_place *p;

	(void)state;
	assert_ptr_not_equal(signal(SIGCHLD, SIG_IGN), SIG_ERR);
	p = place_for_one();
	r = run_in(p, T("text('it runs'); while (true);"), 10000);
	driven_ends_with(&(cm_driver){.print = kill_child}, r, CM_END_SANDBOX,
	    T("the sandbox process closed its connection"));
	cm_place_free(p);
	nobody_is_left();
	signal(SIGCHLD, SIG_DFL);
}

/* No run had got the worker yet: another one does the work. */
static void
a_death_before_that_is_mended(void **state)
{
	cm_place *p = place_for_one();
	pid_t only = child();

	(void)state;
	assert_int_equal(kill(only, SIGKILL), 0);
	assert_int_equal(
	    waitid(P_PID, (id_t)only, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
	ends_with(run_in(p, T("return 1"), 10000), CM_END_OK, T("1"));
	cm_place_free(p);
	nobody_is_left();
}

static void
its_deadline_holds(void **state)
{
	cm_place *p = place_for_one();

	(void)state;
	ends_with(run_in(p, T("while (true);"), 200), CM_END_TIMEOUT, T("200"));
	cm_place_free(p);
	nobody_is_left();
}

static void
nothing_was_run(void **state)
{
	cm_place *p = place_for_one();

	(void)state;
	cm_place_free(p);
	nobody_is_left();
	p = place_for_one();
	cm_run_free(run_in(p, T("while (true);"), 10000));
	cm_place_free(p);
	nobody_is_left();
}

static void
all_its_fences_stand(void **state)
{
	cm_place *p = place_for_one();
	cm_text report;

	(void)state;
	assert_int_equal(cm_place_fences(p, &report), CM_OK);
	assert_int_equal(text_find(report, T(" down"), 0), SIZE_MAX);
	assert_int_not_equal(text_find(report, T("syscalls up"), 0), SIZE_MAX);
	cm_place_free(p);
	nobody_is_left();
}

/* Stands before open(2), by --wrap: while proc_is_hidden, as on a machine whose
 * /proc shows no processes of others. */
static bool proc_is_hidden;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int
__wrap_open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list more;

	if (proc_is_hidden && strncmp(path, "/proc/", 6) == 0) {
		errno = ENOENT;
		return -1;
	}
	va_start(more, flags);
	if ((flags & O_CREAT) != 0)
		mode = va_arg(more, mode_t);
	va_end(more);
	return __real_open(path, flags, mode);
}

static bool
warns_of_memory(cm_place *p)
{
	cm_run *r = run_in(p, T("return 1"), 10000);
	cm_text result;
	cm_done done;
	bool warns;

	assert_int_equal(cm_run_drive(r, &(cm_driver){0}, &done), CM_OK);
	assert_int_equal(done.end, CM_END_OK);
	assert_int_equal(cm_run_result(r, &result), CM_OK);
	warns = text_find(result, T("memory was not watched"), 0) != SIZE_MAX;
	cm_run_free(r);
	return warns;
}

static void
memory_that_is_not_watched_is_told(void **state)
{
	cm_place *p = place_for_one();

	(void)state;
	proc_is_hidden = true;
	assert_true(warns_of_memory(p));
	assert_true(warns_of_memory(p));
	proc_is_hidden = false;
	assert_false(warns_of_memory(p));
	cm_place_free(p);
	nobody_is_left();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_script_has_no_template),
	    cmocka_unit_test(more_scripts_find_one),
	    cmocka_unit_test(its_death_is_told),
	    cmocka_unit_test(its_death_is_told_without_a_status),
	    cmocka_unit_test(a_death_before_that_is_mended),
	    cmocka_unit_test(its_deadline_holds),
	    cmocka_unit_test(nothing_was_run),
	    cmocka_unit_test(all_its_fences_stand),
	    cmocka_unit_test(memory_that_is_not_watched_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
