/* SPDX-License-Identifier: MIT */
/*
 * test_signals.c -- a host that has signal handlers, forks and threads.
 *
 * Signals come from timers that count the processor time of the thread, so
 * that they find a script that computes, however busy the machine is.
 */
#include "unit.h"

#include <codemode/codemode.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { ROUNDS = 10 };

/* Both compute without end; the second one in a built-in. */
static const char *const endless[] = {"for (;;);",
    "const n = 'a'.repeat(1 << 19) + 'b'; "
    "return 'a'.repeat(1 << 21).lastIndexOf(n)"};

static uint64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static cm_run *
new_run(const char *script, uint64_t wall_ms)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *r;

	if (wall_ms > 0)
		o.limits.wall_ms = wall_ms;
	assert_int_equal(cm_run_new(NULL, text_of(script), &o, &r), CM_OK);
	return r;
}

static cm_end
turn_to_end(cm_run *r)
{
	cm_step s;

	do {
		if (cm_run_next(r, now_ms(), &s) != CM_OK)
			return CM_END_SANDBOX;
	} while (s.kind != CM_STEP_DONE);
	return s.u.done.end;
}

/* -------------------------------------------------- handlers of the host */

static cm_run *to_interrupt;
static volatile sig_atomic_t entered, finished;

static void
interrupt_run(int sig)
{
	(void)sig;
	entered++;
	cm_run_interrupt(to_interrupt);
	finished++;
}

static int64_t
processor_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Takes three quarters of the thread's time, when it is called each 4 ms. */
static void
compute_3_ms(int sig)
{
	int64_t end = processor_ns() + 3000000;

	(void)sig;
	entered++;
	while (processor_ns() < end)
		;
	finished++;
}

/* SIGUSR1 after that much processor time of this thread, and again then. */
static timer_t
start_signals(void (*handler)(int), long first_ms, long then_ms)
{
	struct sigaction act = {.sa_handler = handler};
	struct sigevent event = {
	    .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	struct itimerspec when = {
	    {0, then_ms * 1000000}, {0, first_ms * 1000000}};
	timer_t timer;

	entered = finished = 0;
	assert_int_equal(sigaction(SIGUSR1, &act, NULL), 0);
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	assert_int_equal(
	    timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer), 0);
	assert_int_equal(timer_settime(timer, 0, &when, NULL), 0);
	return timer;
}

static void
handler_has_finished(timer_t timer)
{
	sigset_t blocked;

	timer_delete(timer);
	assert_int_equal(entered, finished);
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	assert_false(sigismember(&blocked, SIGUSR1));
	assert_false(sigismember(&blocked, SIGURG));
}

static void
a_handler_interrupts_and_goes_on(void **state)
{
	timer_t timer;
	int i;

	(void)state;
	for (i = 0; i < 2 * ROUNDS; i++) {
		to_interrupt = new_run(endless[i % 2], 0);
		timer = start_signals(interrupt_run, 20, 0);
		assert_int_equal(turn_to_end(to_interrupt), CM_END_ABORTED);
		assert_int_equal(entered, 1);
		handler_has_finished(timer);
		cm_run_free(to_interrupt);
	}
}

static void
a_deadline_lets_handlers_finish(void **state)
{
	timer_t timer;
	cm_run *r;
	int i;

	(void)state;
	for (i = 0; i < 2 * ROUNDS; i++) {
		r = new_run(endless[i % 2], 20);
		timer = start_signals(compute_3_ms, 1, 4);
		assert_int_equal(turn_to_end(r), CM_END_TIMEOUT);
		handler_has_finished(timer);
		cm_run_free(r);
	}
}

/* ------------------------------------------------- handlers that chain */

static struct sigaction before;

/* A crash reporter: hands the signal on to the handler that was there. */
static void
report_crash(int sig, siginfo_t *info, void *context)
{
	if (++entered > 10)
		_exit(3);
	if ((before.sa_flags & SA_SIGINFO) != 0)
		before.sa_sigaction(sig, info, context);
	else
		signal(sig, SIG_DFL);
}

static _Noreturn void
crash_after_runs(void)
{
	struct sigaction act = {
	    .sa_sigaction = report_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	cm_run *r = new_run("return 1", 0);

	turn_to_end(r);
	cm_run_free(r);
	sigaction(SIGSEGV, &act, &before);
	r = new_run("return 1", 0);
	turn_to_end(r);
	cm_run_free(r);
	entered = 0;
	*(volatile int *)8 = 1;
	_exit(4);
}

static void
a_handler_that_chains_is_called_once(void **state)
{
	int status;
	pid_t child = fork();

	(void)state;
	if (child == 0)
		crash_after_runs();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
}

/* --------------------------------------------------- forks and threads */

/* The parent's timer is armed for an earlier moment than the child's deadline. */
static void
a_deadline_holds_in_a_child_of_fork(void **state)
{
	cm_run *r = new_run("return 1", 400);
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(turn_to_end(r), CM_END_OK);
	cm_run_free(r);
	if ((child = fork()) == 0) {
		alarm(100); /* it computes for hours otherwise */
		_exit((int)turn_to_end(new_run(endless[1], 800)));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), CM_END_TIMEOUT);
}

static atomic_bool ended;

static void *
run_in_thread(void *run)
{
	turn_to_end(run);
	return NULL;
}

static void *
interrupt_in_thread(void *run)
{
	while (!atomic_load(&ended))
		cm_run_interrupt(run);
	return NULL;
}

/* The run outlives the thread that turned it, and may be interrupted then. */
static void
a_thread_may_end_while_its_run_is_interrupted(void **state)
{
	pthread_t runs, interrupts;
	cm_run *r;
	int i;

	(void)state;
	for (i = 0; i < 10 * ROUNDS; i++) {
		r = new_run(endless[0], 0);
		atomic_store(&ended, false);
		assert_int_equal(
		    pthread_create(&runs, NULL, run_in_thread, r), 0);
		assert_int_equal(
		    pthread_create(&interrupts, NULL, interrupt_in_thread, r),
		    0);
		pthread_join(runs, NULL);
		cm_run_interrupt(r);
		atomic_store(&ended, true);
		pthread_join(interrupts, NULL);
		cm_run_free(r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_handler_interrupts_and_goes_on),
	    cmocka_unit_test(a_deadline_lets_handlers_finish),
	    cmocka_unit_test(a_handler_that_chains_is_called_once),
	    cmocka_unit_test(a_deadline_holds_in_a_child_of_fork),
	    cmocka_unit_test(a_thread_may_end_while_its_run_is_interrupted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
