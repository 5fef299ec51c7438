/* SPDX-License-Identifier: MIT */
/*
 * kill.c -- kill -9 at any moment, in histories that a seed decides.
 *
 *	kill workers COUNT WORKER          a worker, a spare or the template
 *	kill hosts COUNT WORKER            the process that owns the runs
 *	kill commands COUNT COMMAND SERVER the command, its worker, its server
 *	kill crowd COUNT WORKER            so many deaf workers in one moment
 *
 * A worker that is killed ends its run with a message that says so, every call
 * settled once (owner.h); the next run is as good as any. When the owner
 * itself is killed nothing below it is left: this process is the reaper of all
 * orphans below it, so that none can hide.
 */
#include "sim/family.h"
#include "sim/owner.h"

#include "place/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A slow machine plays fewer histories. */
enum { SECONDS_MAX = 45, COUNT_LEAST = 1000 };

static unsigned failures, seed;

static const char *const scripts[] = {
    "return 1",
    "return await tools.echo([1])",
    "let n = 0; for (let i = 0; i < 6; i++) n += await tools.echo(i); return n",
    "await Promise.all(Array.from({ length: 12 }, (_, i) => tools.echo(i)));\n"
    "text('all'); return 2",
    "const t = Date.now(); while (Date.now() - t < 3); return 3",
    "tools.hang(1); await codemode.sleep(2); return 4",
    "try { await tools.fail() } catch {} store('k', 1); return 5",
    "return JSON.stringify(await tools.big()).length",
};

enum { SCRIPTS = sizeof(scripts) / sizeof(scripts[0]) };

static unsigned
chance(unsigned below)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 16) % below;
}

static void
failed(unsigned history, const char *what, const char *got)
{
	failures++;
	printf("history %u: %s: %s\n", history, what, got);
}

/* The children of a process, cheaply; how many. */
static unsigned
children_of(pid_t pid, pid_t *child, unsigned most)
{
	char path[64];
	long one;
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid,
	    (int)pid);
	f = fopen(path, "r");
	while (f != NULL && n < most && fscanf(f, "%ld", &one) == 1)
		child[n++] = (pid_t)one;
	if (f != NULL)
		fclose(f);
	return n;
}

static void
reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/* No process is left below us, at the latest after a while. */
static void
want_nobody(unsigned history)
{
	unsigned i;

	for (i = 0; i < 40; i++) {
		reap();
		if (family_ends(getpid(), 1, 100))
			return;
	}
	failed(history, "no process is left", "one is");
}

/* ---------------------------------------------------------------- workers */

/* What is to be killed in this history, and before which step. */
typedef struct plan {
	unsigned step;
	pid_t template;
	bool whole; /* the template itself */
	bool done;
} plan;

static void
strike(owner *o, unsigned step)
{
	plan *p = o->ctx;
	pid_t victim[32];
	unsigned n;

	if (step != p->step || p->done)
		return;
	p->done = true;
	n = children_of(p->template, victim, 32);
	if (p->whole)
		kill(p->template, SIGKILL);
	else if (n > 0)
		kill(victim[chance(n)], SIGKILL);
}

static bool
names_the_cause(const owner_end *end)
{
	return strstr(end->message, "killed by signal 9") != NULL ||
	       strstr(end->message, "closed its connection") != NULL ||
	       strstr(end->message, "no process could be made") != NULL;
}

static void
look_at_end(unsigned history, const owner_end *end)
{
	if (end->status != CM_OK)
		failed(history, "the library", cm_status_name(end->status));
	else if (end->broken != NULL)
		failed(history, "a promise", end->broken);
	else if (end->end != CM_END_OK && end->end != CM_END_SANDBOX)
		failed(history, "how it ended", end->message);
	else if (end->end == CM_END_SANDBOX && !names_the_cause(end))
		failed(history, "the message names the cause", end->message);
}

/* One place has spares, the other one's only worker is the one that is hit. */
static cm_place *
new_place(const char *program, unsigned spares)
{
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	cm_place *p = NULL;

	opts.worker = program;
	opts.spares = spares;
	if (cm_place_process(NULL, &opts, &p) != CM_OK)
		exit(EXIT_FAILURE);
	return p;
}

static bool
history(owner *o, unsigned i, cm_place *const both[2], plan *p)
{
	owner_end end;

	seed = o->seed = i;
	o->place = both[chance(4) == 0];
	*p = (plan){.step = chance(8),
	    .template = process_template(o->place),
	    .whole = chance(100) == 0};
	owner_run(o, scripts[chance(SCRIPTS)], &end);
	look_at_end(i, &end);
	return end.end == CM_END_SANDBOX;
}

static void
want_honest_runs(owner *o, unsigned i, cm_place *const both[2])
{
	owner_end end;
	int k;

	o->before = NULL;
	for (k = 0; k < 4; k++) {
		/* A spare that was hit last may be on its way out. */
		o->place = both[k / 2];
		owner_run(o, scripts[0], &end);
		if (k % 2 == 1 && end.end != CM_END_OK)
			failed(i, "an honest run afterwards", end.message);
	}
}

static int
kill_workers(unsigned count, char **argv)
{
	cm_place *both[2] = {
	    new_place(argv[0], CM_NO_SPARES), new_place(argv[0], 2)};
	unsigned i, lost = 0, struck = 0;
	time_t began = time(NULL);
	plan p;
	owner o;

	if (owner_init(&o, NULL) != CM_OK)
		return EXIT_FAILURE;
	o.limits.wall_ms = 20000;
	o.ctx = &p;
	o.before = strike;
	for (i = 1; i <= count && failures < 20; i++) {
		if (time(NULL) - began > SECONDS_MAX && i > COUNT_LEAST)
			break;
		lost += history(&o, i, both, &p);
		struck += p.done;
	}
	want_honest_runs(&o, i, both);
	cm_place_free(both[0]);
	cm_place_free(both[1]);
	owner_fini(&o);
	want_nobody(i);
	printf("%u histories, %u struck, %u runs lost, %u failures\n", i - 1,
	    struck, lost, failures);
	return lost > i / 5 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ------------------------------------------------------------------ hosts */

static _Noreturn void
be_host(const char *program)
{
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	owner_end end;
	owner o;

	opts.worker = program;
	if (owner_init(&o, NULL) != CM_OK ||
	    cm_place_process(NULL, &opts, &o.place) != CM_OK)
		_exit(1);
	o.seed = seed;
	for (;;)
		owner_run(&o, scripts[chance(SCRIPTS)], &end);
}

static void
sleep_us(unsigned us)
{
	nanosleep(&(struct timespec){us / 1000000, (long)(us % 1000000) * 1000},
	    NULL);
}

static int
kill_hosts(unsigned count, char **argv)
{
	unsigned i;
	pid_t pid;

	for (i = 1; i <= count && failures < 20; i++) {
		seed = i;
		pid = fork();
		if (pid == 0)
			be_host(argv[0]);
		sleep_us(chance(15000));
		kill(pid, SIGKILL);
		want_nobody(i);
	}
	printf("%u hosts killed, %u failures\n", count, failures);
	return EXIT_SUCCESS;
}

/* --------------------------------------------------------------- commands */

static const char command_script[] =
    "for (let i = 0; i < 20; i++) await tools.s.echo({ text: 'x' + i });\n"
    "try { await tools.s.sleep({ ms: 30 }) } catch {}\n"
    "return (await tools.s.big({ bytes: 100000 })).length";

static pid_t
start_command(char **argv)
{
	char server[4096];
	pid_t pid;

	snprintf(server, sizeof(server), "s=%s", argv[1]);
	pid = fork();
	if (pid == 0) {
		int nowhere = open("/dev/null", O_RDWR);

		dup2(nowhere, 0);
		dup2(nowhere, 1);
		dup2(nowhere, 2);
		execl(argv[0], "codemode", "run", "-q", "--mcp-server", server,
		    "-e", command_script, (char *)NULL);
		_exit(127);
	}
	return pid;
}

/* Kills the command itself, or anybody below it. */
static void
strike_family(pid_t command)
{
	family f;

	family_of(command, &f);
	if (f.len == 0 || chance(3) == 0)
		kill(command, SIGKILL);
	else
		kill(f.member[chance(f.len)].pid, SIGKILL);
}

/* Whichever process was killed, the command comes to an end and leaves none behind. */
static void
wait_for(unsigned history, pid_t command)
{
	unsigned ms;

	for (ms = 0; ms < 15000; ms += 2) {
		if (waitpid(command, NULL, WNOHANG) == command)
			return;
		sleep_us(2000);
	}
	failed(history, "the command ends", "it hangs");
	kill(command, SIGKILL);
}

static int
kill_commands(unsigned count, char **argv)
{
	unsigned i;
	pid_t pid;

	for (i = 1; i <= count && failures < 20; i++) {
		seed = i;
		pid = start_command(argv);
		sleep_us(chance(110000));
		strike_family(pid);
		wait_for(i, pid);
		want_nobody(i);
	}
	printf("%u commands struck, %u failures\n", count, failures);
	return EXIT_SUCCESS;
}

/* ------------------------------------------------------------------ crowd */

/* Stopped, a worker is as deaf as one that computes, and costs nothing. */
static unsigned
stop_all(pid_t template)
{
	static pid_t worker_pid[FAMILY_MAX];
	unsigned i, n = children_of(template, worker_pid, FAMILY_MAX);

	for (i = 0; i < n; i++)
		kill(worker_pid[i], SIGSTOP);
	return n;
}

/* More than the template's socket holds packets: none of them may be lost,
 * since a worker that is deaf would not notice anything else. */
static int
kill_crowd(unsigned count, char **argv)
{
	cm_place *p = new_place(argv[0], CM_NO_SPARES);
	cm_run_options opts = CM_RUN_OPTIONS_INIT;
	cm_text script = {"await codemode.sleep(1e6)", 25};
	cm_run **run = calloc(count, sizeof(*run));
	cm_step step;
	unsigned i;

	opts.place = p;
	for (i = 0; run != NULL && i < count; i++)
		if (cm_run_new(NULL, script, &opts, &run[i]) != CM_OK ||
		    cm_run_next(run[i], 1, &step) != CM_OK ||
		    step.kind != CM_STEP_WAIT)
			failed(i, "a run", "cannot be had");
	if (stop_all(process_template(p)) < count)
		failed(count, "every run has a process", "one has none");
	for (i = 0; run != NULL && i < count; i++)
		cm_run_free(run[i]);
	free(run);
	if (!family_ends(getpid(), 2, 20000))
		failed(count, "every worker is killed", "one is left");
	cm_place_free(p);
	want_nobody(count);
	printf("%u deaf workers, %u failures\n", count, failures);
	return EXIT_SUCCESS;
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int args;
		int (*run)(unsigned count, char **argv);
	} modes[] = {
	    {"workers", 1, kill_workers},
	    {"hosts", 1, kill_hosts},
	    {"commands", 2, kill_commands},
	    {"crowd", 1, kill_crowd},
	};
	int r = EXIT_FAILURE;

	setvbuf(stdout, NULL, _IOLBF, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (argc == 3 + modes[i].args &&
		    strcmp(argv[1], modes[i].name) == 0)
			r = modes[i].run(
			    (unsigned)strtoul(argv[2], NULL, 10), argv + 3);
	return failures > 0 ? EXIT_FAILURE : r;
}
