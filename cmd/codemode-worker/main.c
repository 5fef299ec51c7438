/* SPDX-License-Identifier: MIT */
/*
 * main.c -- codemode-worker: holds the engine for codemode, and nothing else.
 */
#include "try.h"

#include <stdio.h>

enum { USAGE = 2 };

int
main(int argc, char **argv)
{
	int tried = try_main(argc, argv);

	if (tried >= 0)
		return tried;
	fprintf(stderr,
	    "codemode-worker is started by codemode.\n"
	    "By hand: codemode-worker --try [NAME] [--bare|--behind]\n");
	return USAGE;
}
