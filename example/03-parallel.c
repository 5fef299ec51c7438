/* SPDX-License-Identifier: MIT */
/*
 * 03-parallel.c -- calls side by side: cm_run_next, turned by hand.
 *
 * The script starts three calls at once. Each takes its time; we answer each
 * when it is done, in whatever order that is, and sleep when the run says that
 * there is nothing to do.
 */
#define _POSIX_C_SOURCE 200809L

#include <codemode/codemode.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

/* A call that is being done: its answer is ready at due_ms. */
typedef struct pending {
	cm_call_id id;
	uint64_t due_ms;
	char answer[32];
} pending;

static pending busy[16]; /* the default of limits.calls_at_once */
static size_t busy_len;

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
sleep_until(uint64_t when_ms)
{
	struct timespec t;

	t.tv_sec = (time_t)(when_ms / 1000);
	t.tv_nsec = (long)(when_ms % 1000) * 1000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* Each call says in its arguments, a number of milliseconds, how long it takes. */
static void
start(const cm_call *c)
{
	pending *p = &busy[busy_len++];
	unsigned ms = 0;
	size_t i;

	for (i = 0; i < c->args.len; i++)
		ms = ms * 10 + (unsigned)(c->args.ptr[i] - '0');
	p->id = c->id;
	p->due_ms = now_ms() + ms;
	snprintf(p->answer, sizeof(p->answer), "\"%u ms\"", ms);
	printf("started call %u, %u ms\n", (unsigned)c->id, ms);
}

/* The busy call that is done first. */
static pending *
first(void)
{
	pending *best = &busy[0];
	size_t i;

	for (i = 1; i < busy_len; i++)
		if (busy[i].due_ms < best->due_ms)
			best = &busy[i];
	return best;
}

/* Sleeps until a call is done, or the run wants to be looked at. */
static void
wait(cm_run *run, uint64_t until_ms)
{
	pending *p = first();

	if (busy_len == 0 || p->due_ms > until_ms) {
		sleep_until(until_ms);
		return;
	}
	sleep_until(p->due_ms);
	printf("finished call %u\n", (unsigned)p->id);
	cm_run_resolve(run, p->id, text(p->answer));
	*p = busy[--busy_len];
}

int
main(void)
{
	cm_catalog *tools;
	cm_tool job = {0};
	cm_run *run;
	cm_step step;

	job.name = text("job");
	if (cm_catalog_new(NULL, &tools) != CM_OK ||
	    cm_catalog_add(tools, &job) != CM_OK ||
	    cm_run_new(tools,
		text("return Promise.all([150, 10, 80].map((ms) => "
		     "tools.job(ms)))"),
		NULL, &run) != CM_OK)
		return 1;
	do {
		if (cm_run_next(run, now_ms(), &step) != CM_OK)
			return 1;
		if (step.kind == CM_STEP_CALL)
			start(&step.u.call);
		else if (step.kind == CM_STEP_WAIT)
			wait(run, step.u.wait.until_ms);
	} while (step.kind != CM_STEP_DONE);
	printf("%.*s\n", (int)step.u.done.value.len, step.u.done.value.ptr);
	cm_run_free(run);
	cm_catalog_free(tools);
	return 0;
}
