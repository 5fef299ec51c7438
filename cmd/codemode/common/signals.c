/* SPDX-License-Identifier: MIT */
/*
 * signals.c -- the one place where the program has state of its own: a signal
 * handler gets no argument.
 *
 * The command that runs the loop acts on the first two signals. The third one
 * does not rely on the loop: it ends the process. Then the supervisors of the
 * servers see the end of their line and kill what is left.
 */
#include "signals.h"

#include "cmd.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_uint count;
static _Atomic(cm_run *) target;
static uv_async_t wake;

static void
on_wake(uv_async_t *async)
{
	(void)async;
}

static void
on_stop_signal(int number)
{
	int before = errno;
	cm_run *run = atomic_load(&target);

	(void)number;
	if (atomic_fetch_add(&count, 1) >= 2)
		_exit(CLI_ABORTED);
	if (run != NULL)
		cm_run_interrupt(run);
	uv_async_send(&wake);
	errno = before;
}

static bool
is_signal_ignored(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

int
signals_init(uv_loop_t *loop)
{
	struct sigaction act = {
	    .sa_handler = on_stop_signal, .sa_flags = SA_RESTART};
	int r = uv_async_init(loop, &wake, on_wake);

	if (r != 0)
		return r;
	uv_unref((uv_handle_t *)&wake);
	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	if (!is_signal_ignored(SIGHUP))
		sigaction(SIGHUP, &act, NULL);
	return 0;
}

void
signals_fini(void)
{
	struct sigaction act = {.sa_handler = SIG_DFL};

	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	if (!is_signal_ignored(SIGHUP))
		sigaction(SIGHUP, &act, NULL);
	uv_close((uv_handle_t *)&wake, NULL);
}

unsigned
signals_count(void)
{
	return atomic_load(&count);
}

void
signals_target(cm_run *run)
{
	atomic_store(&target, run);
	if (run != NULL && signals_count() > 0)
		cm_run_interrupt(run);
}
