/* SPDX-License-Identifier: MIT */
/*
 * linear.c -- what a script costs to read grows as it does.
 *
 *	linear FILE
 *
 * FILE is what sources.mjs wrote: each construct as a script of 10 kB, 100 kB
 * and 1 MB. Ten times the text may take at most twelve times the steps; and a
 * megabyte at most five seconds of this thread's time. It takes a tenth of one:
 * the bound is far off, so that it finds only work that grows faster than the
 * text and is not counted in steps.
 */
#include "files.h"

#include <time.h>

#include "source/prepare.h"

enum { SECONDS = 5 };

static double
seconds_used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The next text with a NUL behind it; false: there is none. */
static bool
next_text(text *rest, text *out)
{
	size_t end = text_find(*rest, (text){"", 1}, 0);

	if (end == SIZE_MAX)
		return false;
	*out = text_sub(*rest, 0, end);
	*rest = text_sub(*rest, end + 1, SIZE_MAX);
	return true;
}

/* Steps that reading takes. */
static uint64_t
read_script(text script, double *seconds)
{
	const source_options o = {.limit = 1 << 24};
	source_prepared p;
	uint64_t steps;

	*seconds = -seconds_used();
	must(source_prepare(script, &o, NULL, &p) == CM_OK);
	*seconds += seconds_used();
	steps = p.steps;
	source_prepared_fini(&p);
	return steps;
}

int
main(int argc, char **argv)
{
	text all, rest, name, before = TEXT_NONE, script;
	uint64_t steps, last = 0;
	unsigned wrong = 0, count = 0;
	double seconds;

	if (argc != 2) {
		fprintf(stderr, "usage: linear FILE\n");
		return 2;
	}
	all = rest = file_read(argv[1]);
	while (next_text(&rest, &name) && next_text(&rest, &script)) {
		steps = read_script(script, &seconds);
		if (seconds > SECONDS ||
		    (text_eq(name, before) && steps > last * 12 + 1000)) {
			printf("%.*s, %zu bytes: %llu steps after %llu, "
			       "%.1f s\n",
			    TEXT_ARG(name), script.len,
			    (unsigned long long)steps, (unsigned long long)last,
			    seconds);
			wrong++;
		}
		if (getenv("SHOW"))
			printf("%8llu %6.1f ms %.*s\n",
			    (unsigned long long)steps, seconds * 1e3,
			    TEXT_ARG(name));
		last = steps;
		before = name;
		count++;
	}
	printf("linear: %u scripts, %u wrong\n", count, wrong);
	free((char *)(uintptr_t)all.ptr);
	return wrong > 0 || count == 0;
}
