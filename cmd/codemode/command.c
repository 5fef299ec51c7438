/* SPDX-License-Identifier: MIT */
/*
 * command.c -- the list of commands, and the choice of one.
 */
#include "command.h"

#include "common/help.h"
#include "servers/supervise.h"

#include <codemode/codemode.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { COMMANDS_MAX = 32 };

const cmd *const cmd_list[] = {&cmd_run, &cmd_replay, &cmd_check, &cmd_serve,
    &cmd_tools, &cmd_types, &cmd_call, &cmd_config, &cmd_login, &cmd_logout,
    &cmd_status, &cmd_policy, &cmd_stats, &cmd_view, &cmd_doctor, NULL};

static const cmd *
command_of_name(const char *name)
{
	for (const cmd *const *c = cmd_list; *c != NULL; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

static int
refuse_word(const char *word)
{
	const char *names[COMMANDS_MAX];
	size_t n = 0;
	say s;

	for (const cmd *const *c = cmd_list; *c && n < COMMANDS_MAX; c++)
		names[n++] = (*c)->name;
	say_init(&s);
	opt_unknown(
	    &s, *word == '-' ? "option" : "command", word, names, n, "");
	return CLI_USAGE;
}

/* For the build: pages and completion from the tables. True: it was asked. */
static bool
print_derived(int argc, char **argv)
{
	const cmd *c = argc > 2 ? command_of_name(argv[2]) : NULL;

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
is_either_word(const char *word, const char *name, const char *letter)
{
	return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

static int
run_command(int argc, char **argv)
{
	const cmd *c;

	if (argc < 2) {
		help_program(stderr);
		return CLI_USAGE;
	}
	if (is_either_word(argv[1], "--help", "-h") ||
	    is_either_word(argv[1], "help", "-h")) {
		help_program(stdout);
		return CLI_OK;
	}
	if (is_either_word(argv[1], "--version", "-V")) {
		printf("codemode %s\n", cm_version());
		return CLI_OK;
	}
	if (print_derived(argc, argv))
		return CLI_OK;
	c = command_of_name(argv[1]);
	return c ? c->main(c, argc - 2, argv + 2) : refuse_word(argv[1]);
}

/* The last word on stdout, for every command: what is still buffered is
 * written, and a write that failed is an exit code. */
static int
check_stdout(int code)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	/* No errno: the write that failed was an earlier one. */
	if (code != CLI_OUTPUT) /* otherwise it was printed already */
		fprintf(stderr, "codemode: stdout cannot be written%s%s\n",
		    errno ? ": " : "", errno ? strerror(errno) : "");
	return CLI_OUTPUT;
}

int
command_main(int argc, char **argv, const net *parts)
{
	int supervised = supervise_main(argc, argv);

	if (supervised >= 0)
		return supervised;
	clean_start();
	net_init(parts, argv);
	return check_stdout(run_command(argc, argv));
}
