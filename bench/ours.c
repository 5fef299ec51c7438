/* SPDX-License-Identifier: MIT */
/*
 * ours.c -- this library as a contestant of the bench.
 *
 * Reads one line for each measurement,
 *
 *	AT_ONCE WALL_MS MEGABYTES PATH
 *
 * runs the script in PATH so many times at once in this one thread, with that
 * deadline and with tools.people giving so many megabytes, and answers
 *
 *	MILLISECONDS PEAK_KILOBYTES VALUE
 *
 * VALUE is the JSON that one of the runs returned, or "!" and how it failed.
 * Reading the script and making the people are not in the time. peer.mjs is
 * the same for the others. Only the public headers are used.
 *
 * With CODEMODE_WORKER in the environment each script has a process of its
 * own; PEAK_KILOBYTES is then the proportional share (PSS) of this process and
 * all those, while all of them wait.
 */
#include <codemode/place.h>

#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define RUNS     1024
#define SLEEP_MS 200

/* One run, and the call of tools.sleep that it may wait for. */
typedef struct slot {
	cm_run *run;
	cm_call_id sleeper;
	double wakes; /* 0: it does not sleep */
	double due;   /* when the run wants to be turned */
	int handle;   /* of its process, or -1           */
	short events; /* that it waits for there         */
	bool done;
} slot;

typedef struct bench {
	cm_catalog *catalog;
	cm_place *place; /* NULL: inline */
	long shared_kb;  /* PSS while all waited */
	char *people;
	size_t people_len;
	unsigned people_mb;
	char *script;
	size_t script_len;
	slot slots[RUNS];
	unsigned len;
	char said[4096]; /* VALUE */
} bench;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static _Noreturn void
give_up(const char *why)
{
	fprintf(stderr, "bench: %s\n", why);
	exit(EXIT_FAILURE);
}

static cm_text
text_of(const char *s)
{
	return (cm_text){s, strlen(s)};
}

static bool
is(cm_text t, const char *s)
{
	return t.len == strlen(s) && !memcmp(t.ptr, s, t.len);
}

/* ---------------------------------------------------------------- tools */

/* The number behind "key": in a small JSON object. */
static long long
number_in(cm_text args, const char *key)
{
	for (size_t i = 0; i + 4 < args.len; i++)
		if (args.ptr[i] == '"' && args.ptr[i + 1] == *key &&
		    args.ptr[i + 2] == '"')
			return strtoll(args.ptr + i + 4, NULL, 10);
	return 0;
}

static void
on_call(bench *b, slot *s, const cm_call *call)
{
	char sum[32];
	int n;

	if (is(call->name, "sleep")) {
		s->sleeper = call->id;
		s->wakes = now() + SLEEP_MS;
		return;
	}
	if (is(call->name, "people")) {
		cm_run_resolve(
		    s->run, call->id, (cm_text){b->people, b->people_len});
		return;
	}
	n = snprintf(sum, sizeof(sum), "%lld",
	    number_in(call->args, "a") + number_in(call->args, "b"));
	cm_run_resolve(s->run, call->id, (cm_text){sum, (size_t)n});
}

/* The same rows as peopleOf() in peer.mjs. */
static void
make_people(bench *b, unsigned mb)
{
	size_t max = (size_t)mb * 1000000;
	FILE *f;

	if (mb == b->people_mb)
		return;
	free(b->people);
	b->people_mb = mb;
	f = open_memstream(&b->people, &b->people_len);
	if (!f)
		give_up("no memory");
	fputc('[', f);
	for (int i = 0; (size_t)ftell(f) < max; i++)
		fprintf(f,
		    "%s{\"id\":%d,\"name\":\"person "
		    "%d\",\"mail\":\"p%d@example."
		    "org\",\"town\":\"Town %d\",\"score\":%g,\"active\":%s,"
		    "\"tags\":[\"red\",\"green\"],\"note\":\"met at the "
		    "harbour on a rainy day, likes long letters and short "
		    "meetings\"}",
		    i ? "," : "", i, i, i, i % 97, i * 1.5,
		    i % 2 ? "false" : "true");
	fputc(']', f);
	fclose(f);
}

/* -------------------------------------------------------------- running */

static void
on_done(bench *b, slot *s, const cm_done *done)
{
	const cm_text *m = &done->fault.message;

	s->done = true;
	if (done->end == CM_END_OK)
		snprintf(b->said, sizeof(b->said), "%.*s", (int)done->value.len,
		    done->value.ptr);
	else
		snprintf(b->said, sizeof(b->said), "!%.*s", (int)m->len,
		    m->len ? m->ptr : "");
}

/* Turns a run until it waits or is done. */
static void
turn(bench *b, slot *s)
{
	cm_step step;

	for (;;) {
		if (cm_run_next(s->run, (uint64_t)now(), &step) != CM_OK)
			give_up("a run failed");
		if (step.kind == CM_STEP_CALL)
			on_call(b, s, &step.u.call);
		if (step.kind == CM_STEP_DONE) {
			on_done(b, s, &step.u.done);
			return;
		}
		if (step.kind == CM_STEP_WAIT) {
			s->due = (double)step.u.wait.until_ms;
			s->handle = step.u.wait.handle;
			s->events = POLLIN;
			if (step.u.wait.writable)
				s->events |= POLLOUT;
			return;
		}
	}
}

static void
wake(bench *b, slot *s)
{
	s->wakes = 0;
	cm_run_resolve(s->run, s->sleeper, text_of("1"));
	turn(b, s);
}

/* ---------------------------------------------------------------- memory */

static long
field(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	char line[256];
	long n = 0;

	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, name, strlen(name)) == 0)
			n = strtol(line + strlen(name), NULL, 10);
	if (f)
		fclose(f);
	return n;
}

/* Is that process of our family: a child, or a child's child? */
static bool
is_family(long pid)
{
	char path[64];
	int up;

	for (up = 0; up < 3 && pid > 1; up++) {
		if (pid == getpid())
			return true;
		snprintf(path, sizeof(path), "/proc/%ld/status", pid);
		pid = field(path, "PPid:");
	}
	return false;
}

/* Kilobytes of memory that are this process's and its family's share. */
static long
family_pss(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	char path[64];
	long sum = 0, pid;

	while (proc && (e = readdir(proc)) != NULL) {
		if ((pid = strtol(e->d_name, NULL, 10)) <= 0 || !is_family(pid))
			continue;
		snprintf(path, sizeof(path), "/proc/%ld/smaps_rollup", pid);
		sum += field(path, "Pss:");
	}
	if (proc)
		closedir(proc);
	return sum;
}

/* Once in a measurement, when all its runs wait for their tool. */
static void
weigh(bench *b)
{
	for (unsigned i = 0; i < b->len; i++)
		if (b->slots[i].done || b->slots[i].wakes == 0)
			return;
	if (b->place && b->shared_kb == 0)
		b->shared_kb = family_pss();
}

/* ---------------------------------------------------------------- rounds */

/* Sleeps until then, or until one of the processes has news. */
static void
wait_until(bench *b, double when)
{
	static struct pollfd fds[RUNS];
	double ms = when - now();
	nfds_t n = 0;

	for (unsigned i = 0; i < b->len; i++)
		if (!b->slots[i].done && b->slots[i].handle >= 0)
			fds[n++] = (struct pollfd){
			    b->slots[i].handle, b->slots[i].events, 0};
	poll(fds, n, ms > 0 ? (int)(ms + 0.999) : 0);
}

static bool
has_news(const slot *s)
{
	struct pollfd fd = {s->handle, s->events, 0};

	return s->handle >= 0 && poll(&fd, 1, 0) > 0;
}

/* One round over all runs; false when all are done. */
static bool
round_of(bench *b)
{
	double first = 0;
	bool open = false;

	for (unsigned i = 0; i < b->len; i++) {
		slot *s = &b->slots[i];
		double due;

		if (!s->done && s->wakes > 0 && s->wakes <= now())
			wake(b, s);
		else if (!s->done && (s->due <= now() || has_news(s)))
			turn(b, s);
		if (s->done)
			continue;
		due = s->wakes > 0 && s->wakes < s->due ? s->wakes : s->due;
		first = !open || due < first ? due : first;
		open = true;
	}
	weigh(b);
	if (open)
		wait_until(b, first);
	return open;
}

static double
measure(bench *b, unsigned at_once, uint64_t wall_ms)
{
	cm_run_options opts = CM_RUN_OPTIONS_INIT;
	double began;

	opts.limits.wall_ms = wall_ms;
	opts.limits.calls = 1000000;
	opts.place = b->place;
	if (getenv("CODEMODE_ENGINE") &&
	    strcmp(getenv("CODEMODE_ENGINE"), "evaluator") == 0)
		opts.flags |= CM_RUN_EVALUATOR;
	b->shared_kb = 0;
	b->len = at_once < RUNS ? at_once : RUNS;
	began = now();
	for (unsigned i = 0; i < b->len; i++) {
		b->slots[i] = (slot){.handle = -1};
		if (cm_run_new(b->catalog, (cm_text){b->script, b->script_len},
			&opts, &b->slots[i].run) != CM_OK)
			give_up("a run could not be made");
	}
	while (round_of(b))
		;
	for (unsigned i = 0; i < b->len; i++)
		cm_run_free(b->slots[i].run);
	return now() - began;
}

/* ---------------------------------------------------------------- lines */

static void
read_script(bench *b, const char *path)
{
	FILE *f = fopen(path, "rb");
	char block[4096];
	size_t n;
	FILE *all;

	free(b->script);
	b->script = NULL;
	all = open_memstream(&b->script, &b->script_len);
	if (!f || !all)
		give_up("a script cannot be read");
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		fwrite(block, 1, n, all);
	fclose(all);
	fclose(f);
}

static void
answer(bench *b, char *line)
{
	unsigned at_once, mb;
	uint64_t wall_ms;
	struct rusage used;
	double ms;
	int at = 0;

	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "%u %" SCNu64 " %u %n", &at_once, &wall_ms, &mb, &at) <
		3 ||
	    !at)
		give_up("that is no line of a measurement");
	read_script(b, line + at);
	make_people(b, mb);
	ms = measure(b, at_once, wall_ms);
	getrusage(RUSAGE_SELF, &used);
	printf("%.4f %ld %s\n", ms,
	    b->shared_kb ? b->shared_kb : used.ru_maxrss, b->said);
	fflush(stdout);
}

static void
open_place(bench *b)
{
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;

	o.worker = getenv("CODEMODE_WORKER");
	if (o.worker && cm_place_process(NULL, &o, &b->place) != CM_OK)
		give_up("codemode-worker cannot be started");
}

static void
declare(bench *b, const char *name)
{
	cm_tool tool = {0};

	tool.name = text_of(name);
	if (cm_catalog_add(b->catalog, &tool) != CM_OK)
		give_up("a tool was refused");
}

int
main(void)
{
	static bench b; /* large, and there is one */
	char line[2048];

	if (cm_catalog_new(NULL, &b.catalog) != CM_OK)
		give_up("no memory");
	declare(&b, "add");
	declare(&b, "people");
	declare(&b, "sleep");
	open_place(&b);
	while (fgets(line, sizeof(line), stdin))
		answer(&b, line);
	cm_place_free(b.place);
	cm_catalog_free(b.catalog);
	free(b.people);
	free(b.script);
	return EXIT_SUCCESS;
}
