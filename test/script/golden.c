/* SPDX-License-Identifier: MIT */
/*
 * golden.c -- runs scripts that say what they expect.
 *
 *	golden FILE... [-- CASE]
 *
 * A file holds cases, each under a line "//// name". The lines below it are
 * the script, exactly, with marks among them that say what must come out
 * (expect.c). Exit 1: some case failed; each says what it wanted and what it
 * got.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"

enum { PATIENCE_MS = 60000 };

/* A busy machine does less in the same time, so what counts is how long this
 * process computed. The clock on the wall finds a script that waits for ever,
 * and one in a process of its own that is not stopped. */
static void
want_in_time(script *s)
{
	char may[24], took[60];

	if (s->may_take == 0 || (s->end.cpu_ms <= s->may_take &&
				    s->end.ms <= s->may_take + PATIENCE_MS))
		return;
	snprintf(may, sizeof(may), "%" PRIu64, s->may_take);
	snprintf(took, sizeof(took), "%" PRIu64 ", computing %" PRIu64,
	    s->end.ms, s->end.cpu_ms);
	failed(s, "milliseconds it took", text_of(may), text_of(took));
}

static void
run_once(script *s, text lines)
{
	cm_status r;

	s->printed = s->warned = 0;
	r = host_run(s->source, s->options, &s->end);
	if (r == CM_OK) {
		each_mark(s, lines, true);
		want_silence(s);
	} else {
		failed(s, "the library failed", TEXT("CM_OK"),
		    text_of(cm_status_name(r)));
	}
}

static bool
script_passes(script *s)
{
	text lines = s->source;

	s->own_source = BUF_INIT(NULL, FILE_MAX);
	each_mark(s, lines, false);
	run_once(s, lines);
	want_in_time(s);
	host_end_fini(&s->end);
	buf_fini(&s->own_source);
	return !s->failures;
}

/* Takes the next case off *rest; *line is the number of its first line. */
static bool
script_next(text *rest, unsigned *line, script *s)
{
	text here, at;

	do {
		if (!text_line(rest, &here))
			return false;
		++*line;
	} while (!text_starts(here, TEXT("//// ")));
	s->line = *line;
	s->name = text_sub(here, 5, SIZE_MAX);
	s->source = *rest;
	for (at = *rest;
	     text_line(&at, &here) && !text_starts(here, TEXT("//// "));
	     ++*line)
		*rest = at;
	s->source.len -= rest->len;
	return true;
}

static bool
file_read(const char *path, buf *all)
{
	FILE *f = fopen(path, "rb");
	char block[65536];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		buf_add(all, block, n);
	fclose(f);
	return all->bad == CM_OK;
}

static unsigned
file_run(const char *path, text only)
{
	buf all = BUF_INIT(NULL, FILE_MAX);
	unsigned cases = 0, failures = 0, line = 0;
	text rest;

	if (!file_read(path, &all)) {
		printf("%s: cannot be read\n", path);
		buf_fini(&all);
		return 1;
	}
	rest = buf_view(&all);
	for (;;) {
		script s = {.file = text_of(path)};

		if (!script_next(&rest, &line, &s))
			break;
		if ((only.len && !text_eq(only, s.name)) ||
		    left_out_here(s.source))
			continue;
		cases++;
		failures += !script_passes(&s);
	}
	printf("%s: %u cases, %u failed\n", path, cases, failures);
	buf_fini(&all);
	return failures + !cases;
}

int
main(int argc, char **argv)
{
	text only = TEXT_NONE;
	unsigned failures = 0;
	int files = argc;

	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], "--")) {
			files = i;
			only = text_of(argv[i + 1]);
		}
	for (int i = 1; i < files; i++)
		failures += file_run(argv[i], only);
	return failures || files < 2 ? EXIT_FAILURE : EXIT_SUCCESS;
}
