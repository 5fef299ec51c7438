/* SPDX-License-Identifier: MIT */
/*
 * main.c -- the list of commands, and which of them was meant.
 */
#include "help.h"
#include "supervise.h"

#include <codemode/codemode.h>
#include <stdio.h>
#include <string.h>

enum { COMMANDS_MAX = 32 };

const cmd *const cmd_list[] = {&cmd_run, &cmd_check, &cmd_serve, &cmd_tools,
    &cmd_types, &cmd_doctor, NULL};

static const cmd *
command_named(const char *name)
{
	for (const cmd *const *c = cmd_list; *c != NULL; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

static int
unknown(const char *word)
{
	const char *names[COMMANDS_MAX], *near;
	size_t n = 0;

	for (const cmd *const *c = cmd_list; *c != NULL && n < COMMANDS_MAX;
	     c++)
		names[n++] = (*c)->name;
	near = opt_nearest(word, names, n);
	fprintf(stderr, "codemode: there is no %s %s",
	    *word == '-' ? "option" : "command", word);
	if (near != NULL)
		fprintf(stderr, "; did you mean %s?", near);
	fprintf(stderr, "\nTry: codemode --help\n");
	return CLI_USAGE;
}

/* For the build: pages and completion from the tables. True: it was asked. */
static bool
derived(int argc, char **argv)
{
	const cmd *c = argc > 2 ? command_named(argv[2]) : NULL;

	if (strcmp(argv[1], "__completion") == 0)
		help_completion();
	else if (strcmp(argv[1], "__manual") == 0 && argc == 2)
		help_manual_program();
	else if (strcmp(argv[1], "__manual") == 0 && c != NULL)
		help_manual(c);
	else
		return false;
	return true;
}

static bool
is_one_of(const char *word, const char *name, const char *letter)
{
	return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

int
main(int argc, char **argv)
{
	int supervised = supervise_main(argc, argv);
	const cmd *c;

	if (supervised >= 0)
		return supervised;
	clean_start();
	if (argc < 2) {
		help_program(stderr);
		return CLI_USAGE;
	}
	if (is_one_of(argv[1], "--help", "-h") ||
	    is_one_of(argv[1], "help", "-h")) {
		help_program(stdout);
		return CLI_OK;
	}
	if (is_one_of(argv[1], "--version", "-V")) {
		printf("codemode %s\n", cm_version());
		return CLI_OK;
	}
	if (derived(argc, argv))
		return CLI_OK;
	c = command_named(argv[1]);
	return c ? c->main(c, argc - 2, argv + 2) : unknown(argv[1]);
}
