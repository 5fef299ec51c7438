/* SPDX-License-Identifier: MIT */
/*
 * 05-many-runs.c -- a hundred scripts in one thread, one poll loop.
 *
 * Each script waits for a tool. A call is a descriptor that becomes readable
 * when the answer is there (a timer here; a socket or a pipe elsewhere), so
 * poll waits for all of them, and no longer than the first run wants.
 */
#define _POSIX_C_SOURCE 200809L

#include <codemode/codemode.h>

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 100, WAIT_MS = 50 };

typedef struct job {
	cm_run *run;
	cm_call_id call;   /* the one that is being done            */
	uint64_t until_ms; /* when the run wants to be looked at    */
} job;

/* poll wants them in a row: fds[i] belongs to jobs[i]; fd -1: no call. */
static job jobs[RUNS];
static struct pollfd fds[RUNS];
static unsigned finished, right;

static cm_text
text(const char *s)
{
	cm_text t = {s, strlen(s)};

	return t;
}

static uint64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void
start(size_t i, cm_call_id id)
{
	struct itimerspec in = {{0, 0}, {0, WAIT_MS * 1000000L}};

	jobs[i].call = id;
	fds[i].fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	fds[i].events = POLLIN;
	timerfd_settime(fds[i].fd, 0, &in, NULL);
}

static void
finish(size_t i, const cm_done *done)
{
	finished++;
	right += done->end == CM_END_OK && done->value.len == 2 &&
		 memcmp(done->value.ptr, "42", 2) == 0;
	cm_run_free(jobs[i].run);
	jobs[i].run = NULL;
	jobs[i].until_ms = UINT64_MAX;
}

/* Lets a run advance as far as it can. */
static void
turn(size_t i)
{
	cm_step step;

	while (cm_run_next(jobs[i].run, now_ms(), &step) == CM_OK) {
		if (step.kind == CM_STEP_CALL) {
			start(i, step.u.call.id);
		} else if (step.kind == CM_STEP_WAIT) {
			jobs[i].until_ms = step.u.wait.until_ms;
			return;
		} else if (step.kind == CM_STEP_DONE) {
			finish(i, &step.u.done);
			return;
		}
	}
}

static void
answer(size_t i)
{
	close(fds[i].fd);
	fds[i].fd = -1;
	cm_run_resolve(jobs[i].run, jobs[i].call, text("41"));
	turn(i);
}

/* How long poll may sleep: until the first run wants to be looked at. */
static int
patience(void)
{
	uint64_t until = UINT64_MAX, now = now_ms();
	size_t i;

	for (i = 0; i < RUNS; i++)
		if (jobs[i].until_ms < until)
			until = jobs[i].until_ms;
	if (until <= now)
		return 0;
	return until - now < 1000 ? (int)(until - now) : 1000;
}

int
main(void)
{
	cm_catalog *tools;
	cm_tool slow = {0};
	uint64_t started = now_ms();
	size_t i;

	slow.name = text("slow");
	if (cm_catalog_new(NULL, &tools) != CM_OK ||
	    cm_catalog_add(tools, &slow) != CM_OK)
		return 1;
	for (i = 0; i < RUNS; i++) {
		fds[i].fd = -1;
		if (cm_run_new(tools, text("return 1 + await tools.slow()"),
			NULL, &jobs[i].run) != CM_OK)
			return 1;
		turn(i);
	}
	while (finished < RUNS) {
		poll(fds, RUNS, patience());
		for (i = 0; i < RUNS; i++) {
			if (fds[i].fd >= 0 && fds[i].revents & POLLIN)
				answer(i);
			else if (jobs[i].run && jobs[i].until_ms <= now_ms())
				turn(i);
		}
	}
	cm_catalog_free(tools);
	printf("%u runs, %u right, %s\n", finished, right,
	    now_ms() - started < RUNS * WAIT_MS / 2 ? "side by side"
						    : "one after the other");
	return right == RUNS ? 0 : 1;
}
