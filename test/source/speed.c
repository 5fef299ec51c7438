/* SPDX-License-Identifier: MIT */
/*
 * speed.c -- how fast scripts are parsed.
 *
 *	speed [--ts] [--body] [--modules] [--once] FILE...
 *
 * For each file: bytes, the least time of a parse in microseconds, MB/s, and
 * the arena it took. Exits 1 when a file has an error.
 */
#include "files.h"
#include "tree_tools.h"

#include <time.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static bool
measure(const char *path, const js_options *o, int rounds)
{
	text source = file_read(path);
	double best = 1e12, begun = now();
	size_t used = 0;
	bool ok = true;

	for (int i = 0; i < rounds && now() - begun < 1e6; i++) {
		double start = now(), end;
		parsed p;

		parsed_init(&p, source, o);
		end = now();
		ok = parsed_ok(&p);
		if (!ok && i == 0) {
			js_place at =
			    js_position(source, p.tree.errors[0].start);

			printf("%s:%u:%u: %.*s\n", path, at.line, at.column,
			    TEXT_ARG(p.tree.errors[0].message));
		}
		used = p.memory.used;
		parsed_fini(&p);
		if (end - start < best)
			best = end - start;
		if (!ok)
			break;
	}
	printf("%s: %zu bytes, %.1f us, %.1f MB/s, %.1f bytes of arena each\n",
	    path, source.len, best, (double)source.len / best,
	    (double)used / (double)(source.len ? source.len : 1));
	free((char *)(uintptr_t)source.ptr);
	return ok;
}

int
main(int argc, char **argv)
{
	js_options o = {.goal = JS_SCRIPT};
	int rounds = 2000;
	bool ok = true;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--ts"))
			o.typescript = true;
		else if (!strcmp(argv[i], "--modules"))
			o.modules = true;
		else if (!strcmp(argv[i], "--once"))
			rounds = 1;
		else if (!strcmp(argv[i], "--body"))
			o.goal = JS_ASYNC_BODY;
		else
			ok &= measure(argv[i], &o, rounds);
	}
	return !ok;
}
