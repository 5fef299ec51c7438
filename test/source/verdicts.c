/* SPDX-License-Identifier: MIT */
/*
 * verdicts.c -- scripts, and whether they are any.
 *
 *	verdicts FILE [PERCENT]
 *
 * Each begins with + or -; the rest must parse, or must not. Behind each is a
 * NUL, or, if the file has none, a line end. With PERCENT it is enough that so
 * many of those that must not parse do not: the engine refuses the others.
 */
#include "files.h"

static bool
agrees(text line, bool quiet)
{
	const js_options o = {.goal = JS_ASYNC_BODY};
	bool want = line.ptr[0] == '+', agree;
	parsed p;

	parsed_init(&p, text_sub(line, 1, line.len), &o);
	agree = parsed_ok(&p) == want;
	if (!agree && (want || !quiet))
		printf("%.*s: %.*s\n", TEXT_ARG(line),
		    TEXT_ARG(parsed_ok(&p) ? TEXT("accepted")
					   : p.tree.errors[0].message));
	parsed_fini(&p);
	return agree;
}

/* The next script; false: there is none. */
static bool
next_script(text *rest, text *out)
{
	size_t end = text_find(*rest, (text){"", 1}, 0);

	if (end == SIZE_MAX)
		return text_line(rest, out);
	*out = text_sub(*rest, 0, end);
	*rest = text_sub(*rest, end + 1, SIZE_MAX);
	return true;
}

int
main(int argc, char **argv)
{
	/* [1]: of those that must parse. */
	unsigned lines[2] = {0, 0}, wrong[2] = {0, 0};
	unsigned least = argc == 3 ? (unsigned)atoi(argv[2]) : 100;
	text all, rest, line;

	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: verdicts FILE [PERCENT]\n");
		return 2;
	}
	all = rest = file_read(argv[1]);
	while (next_script(&rest, &line)) {
		bool want = line.len > 0 && line.ptr[0] == '+';

		lines[want] += line.len > 0;
		if (line.len > 0 && !agrees(line, least < 100))
			wrong[want]++;
	}
	printf("verdicts: %u of %u refused wrongly, %u of %u accepted\n",
	    wrong[1], lines[1], wrong[0], lines[0]);
	free((char *)(uintptr_t)all.ptr);
	return wrong[1] > 0 || lines[1] == 0 ||
	       (uint64_t)(lines[0] - wrong[0]) * 100 <
		   (uint64_t)least * lines[0];
}
