/* SPDX-License-Identifier: MIT */
/*
 * main.c -- codemode-worker: holds the engine for codemode, and nothing else.
 */
#include "template.h"
#include "try.h"

#include <stdio.h>
#include <string.h>

enum { USAGE = 2 };

int
main(int argc, char **argv)
{
	int tried = try_main(argc, argv);

	if (tried >= 0)
		return tried;
	if (argc == 2 && strcmp(argv[1], "--template") == 0)
		return template_main();
	if (argc == 2 && strcmp(argv[1], "--once") == 0)
		return once_main();
	fprintf(stderr,
	    "codemode-worker is started by codemode.\n"
	    "By hand: codemode-worker --try [NAME] [--bare|--behind]\n");
	return USAGE;
}
