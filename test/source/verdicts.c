/* SPDX-License-Identifier: MIT */
/*
 * verdicts.c -- scripts, and whether they are any.
 *
 *	verdicts FILE
 *
 * Each begins with + or -. Behind + is a script that the parser must accept;
 * behind - one that the parser, or else the engine, must refuse. Behind each is
 * a NUL, or, if the file has none, a line end.
 */
#include "files.h"

static bool
agrees(text line)
{
	const js_options o = {.goal = JS_ASYNC_BODY};
	text script = text_sub(line, 1, line.len);
	bool want = line.ptr[0] == '+', agree;
	parsed p;

	parsed_init(&p, script, &o);
	agree = want == (parsed_ok(&p) && (want || source_compiles(script)));
	if (!agree)
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
	unsigned lines = 0, wrong = 0;
	text all, rest, line;

	if (argc != 2) {
		fprintf(stderr, "usage: verdicts FILE\n");
		return 2;
	}
	all = rest = file_read(argv[1]);
	for (; next_script(&rest, &line); lines++)
		if (line.len && !agrees(line))
			wrong++;
	printf("verdicts: %u scripts, %u wrong\n", lines, wrong);
	free((char *)(uintptr_t)all.ptr);
	return wrong > 0 || lines == 0;
}
