/* SPDX-License-Identifier: MIT */
/*
 * test_hostile.c -- the parent of a worker that misbehaves.
 *
 *	hostile_test [--stream] [PART]
 *
 * --stream: the worker is at the other end of a stream, below a relay. PART:
 * that one alone, and no fuzzed worker.
 *
 * For each part of hostile.def: the run ends as the list says, with a message
 * that names the cause, within its time and in bounded memory; every call is
 * closed (owner.h looks at that); no process and no descriptor is left; and an
 * honest place, which is used in between, gives its answer. Then a number of
 * seeds of the fuzzed worker: any end will do, the rest holds as well.
 */
#define _GNU_SOURCE
#include "self.h"
#include "sim/family.h"
#include "sim/owner.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The address sanitizer keeps freed memory for a while, and takes a worker's
 * SIGSEGV first, to open files. */
#if defined(__SANITIZE_ADDRESS__)
#define SPARED        300
#define SEGFAULT_ENDS "signal 31"
#else
#define SPARED        0
#define SEGFAULT_ENDS "signal 11"
#endif

enum {
	WALL_MS = 300,       /* of a part that is to be stopped           */
	AMPLE_MS = 600000,   /* of one that ends before: never the reason */
	PATIENCE_MS = 60000, /* past the deadline; a loaded machine       */
	/* The longest frame, 48 MiB, and what it is read into; or the answers
	 * of sixteen calls, 2 MiB each, behind 4 MiB that wait already. */
	LARGEST_MB = 160 + SPARED
};

static const struct part {
	const char *name;
	cm_end end;
	const char *words;
} parts[] = {
#define ONE(name, end, words, ...) {#name, CM_END_##end, words},
#define ACT(name, end, words)      {#name, CM_END_##end, words},
#include "hostile.def"
#undef ONE
#undef ACT
};

static bool over_stream;
static int failures;
static cm_place *honest;
static owner o;

static void
failed(const char *part, const char *what, const char *got)
{
	failures++;
	printf("%s: %s: %s\n", part, what, got);
}

/* ------------------------------------------------------------ this process */

static void
forget_peak(void)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "5", 1);
	close(fd);
}

/* ---------------------------------------------------------------- one part */

/* The hostile program under the name that says what it shall do, and whose it
 * is. */
static void
set_path(char path[PATH_MAX], const char *part)
{
	snprintf(path, PATH_MAX, "%s.%d.%s", HOSTILE, (int)getpid(), part);
}

static cm_place *
place_of(const char *part)
{
	static char path[PATH_MAX];
	static const char *const command[] = {path, "--stdio", NULL};
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	cm_stream_options stream = CM_STREAM_OPTIONS_INIT;
	cm_place *place = NULL;

	set_path(path, part);
	unlink(path);
	if (link(HOSTILE, path) != 0)
		perror(path);
	if (over_stream) {
		stream.command = command;
		stream.session = 1;
		if (cm_place_stream(NULL, &stream, &place) != CM_OK)
			perror("cm_place_stream");
		return place;
	}
	opts.worker = path;
	opts.spares = CM_NO_SPARES;
	opts.resident = 300u << 20;
	if (cm_place_process(NULL, &opts, &place) != CM_OK)
		perror("cm_place_process");
	return place;
}

static void
leave(const char *part, cm_place *place)
{
	char path[PATH_MAX];

	o.place = NULL;
	o.approves = NULL;
	cm_place_free(place);
	set_path(path, part);
	unlink(path);
}

static void
honest_run(const char *after)
{
	owner_end end;

	o.place = honest;
	o.limits.wall_ms = AMPLE_MS;
	owner_run(&o, "return (await tools.echo([6])) * 7", &end);
	if (end.status != CM_OK || end.end != CM_END_OK ||
	    strcmp(end.value, "42") != 0 || end.broken != NULL)
		failed(after, "an honest run afterwards",
		    end.broken ? end.broken : end.message);
}

static void
look_at_bounds(const char *part, const owner_end *end, unsigned fds)
{
	char got[64];

	snprintf(got, sizeof(got), "%lu ms", end->ms);
	if (end->ms > o.limits.wall_ms + PATIENCE_MS)
		failed(part, "it ends in time", got);
	snprintf(got, sizeof(got), "%u MB", peak_mb());
	if (peak_mb() > LARGEST_MB)
		failed(part, "the parent's memory is bounded", got);
	if (end->broken != NULL)
		failed(part, "a promise", end->broken);
	/* The template of the part is a child, of the honest place as well. */
	if (!family_ends(getpid(), 3, PATIENCE_MS))
		failed(part, "no process is left", "one is");
	snprintf(got, sizeof(got), "%u instead of %u", descriptors(), fds);
	if (descriptors() > fds)
		failed(part, "no descriptor is left", got);
}

static void
run_part(const char *name, const char *script, owner_end *end)
{
	unsigned fds = descriptors();

	forget_peak();
	o.place = place_of(name);
	if (o.place == NULL)
		exit(1);
	owner_run(&o, script, end);
	leave(name, o.place);
	look_at_bounds(name, end, fds);
	honest_run(name);
}

/* The other end of a stream does not say how much memory its worker had: the
 * kernel lets it have no more. */
static void
play(const struct part *p)
{
	static const struct part eaten = {
	    "eats_memory", CM_END_SANDBOX, "ended with status 99"};
	static const cm_approval only = {{"echo", 4}, {"1", 1}};
	bool asks = strcmp(p->name, "calls_unlisted") == 0;
	owner_end end;

	if (over_stream && strcmp(p->name, eaten.name) == 0)
		p = &eaten;

	o.limits.wall_ms = p->end == CM_END_TIMEOUT ? WALL_MS : AMPLE_MS;
	o.approves = asks ? &only : NULL;
	run_part(p->name, "return 1", &end);
	if (asks && (end.calls != 1 || end.asked != 3))
		failed(p->name, "only what is approved is handed over", "no");
	if (end.status != CM_OK)
		failed(p->name, "the library", cm_status_name(end.status));
	else if (end.end != p->end || strstr(end.message, p->words) == NULL)
		failed(p->name, "how it ended", end.message);
	/* Nine hundred were asked for, sixteen may run at once. */
	if (strcmp(p->name, "never_reads") == 0 && end.calls > 40)
		failed(p->name, "no more is started for it", "much is");
}

/* ---------------------------------------------------------------- fuzzing */

static void
fuzz(unsigned seeds)
{
	unsigned i, ends[5] = {0}, fds = descriptors();
	char script[32];
	owner_end end;

	o.limits.wall_ms = WALL_MS;
	o.place = place_of("fuzz");
	for (i = 1; i <= seeds; i++) {
		snprintf(script, sizeof(script), "//%u", i);
		owner_run(&o, script, &end);
		if (end.status != CM_OK || end.broken != NULL)
			failed(script, "the library",
			    end.broken ? end.broken
				       : cm_status_name(end.status));
		else
			ends[end.end]++;
	}
	leave("fuzz", o.place);
	look_at_bounds("fuzz", &end, fds);
	printf("%u fuzzed workers: %u ok, %u script, %u timeout, %u aborted, "
	       "%u sandbox\n",
	    seeds, ends[0], ends[1], ends[2], ends[3], ends[4]);
	if (ends[CM_END_OK] == 0 || ends[CM_END_SANDBOX] == 0)
		failed(
		    "fuzz", "it says too little", "one kind of end is missing");
}

int
main(int argc, char **argv)
{
	cm_process_options opts = CM_PROCESS_OPTIONS_INIT;
	unsigned i, n = 0;
	const char *part;

	over_stream = argc > 1 && strcmp(argv[1], "--stream") == 0;
	part = argc > 1 + over_stream ? argv[1 + over_stream] : NULL;
	setvbuf(stdout, NULL, _IOLBF, 0);
	opts.worker = WORKER;
	if (owner_init(&o, NULL) != CM_OK ||
	    cm_place_process(NULL, &opts, &honest) != CM_OK) {
		perror(WORKER);
		return EXIT_FAILURE;
	}
	o.big = 2u << 20;
	o.limits.result = 4u << 20;
	honest_run("the first run");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (part != NULL && strcmp(part, parts[i].name) != 0)
			continue;
#ifdef __SANITIZE_ADDRESS__
		/* The kernel's limit is not set for a program with this
		 * sanitizer. */
		if (over_stream && strcmp(parts[i].name, "eats_memory") == 0)
			continue;
#endif
		play(&parts[i]);
		n++;
	}
	if (part == NULL)
		fuzz(over_stream ? thorough(20, 300) : thorough(60, 1000));
	cm_place_free(honest);
	owner_fini(&o);
	printf("%u hostile workers, %d failures\n", n, failures);
	return failures > 0 || n == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
