/* SPDX-License-Identifier: MIT */
/*
 * main.c -- codemode-worker: the program of the template and of the workers.
 */
#include <sys/resource.h>

#include "base/stack.h"
#include "relay.h"
#include "template.h"
#include "try.h"

#include <stdio.h>
#include <string.h>

enum { USAGE = 2 };

/* How deep a script may be nested depends on the stack (base/stack.h). The C
 * library would count only what the kernel has mapped so far. */
static void
declare_stack(void)
{
	struct rlimit limit;
	size_t bytes = 1 << 20;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur / 2 < bytes)
		bytes = (size_t)limit.rlim_cur / 2;
	stack_declare(bytes);
}

int
main(int argc, char **argv)
{
	int tried = try_main(argc, argv);

	if (tried >= 0)
		return tried;
	declare_stack();
	if (argc == 2 && strcmp(argv[1], "--template") == 0)
		return template_main();
	if ((argc == 2 || argc == 3) && strcmp(argv[1], "--once") == 0)
		return once_main(argv[2]);
	if (argc >= 2 && strcmp(argv[1], "--stdio") == 0)
		return relay_main(argc - 2, argv + 2);
	fprintf(stderr,
	    "codemode-worker is started by codemode.\n"
	    "For scripts from elsewhere: codemode-worker --stdio "
	    "[--max-memory BYTES] [--max-polls N] [--max-time MS] "
	    "[--silence MS]\n"
	    "By hand: codemode-worker --try [NAME] [--bare|--behind]\n");
	return USAGE;
}
