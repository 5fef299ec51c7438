/* SPDX-License-Identifier: MIT */
/*
 * cmd.h -- what every command of the program has in common.
 *
 * A command is one const struct in a file of its own, built around the table
 * of its options. The list of commands, --help, the option sections of the
 * manual and the completion of the shell are all read from these structs.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "opt.h"

/* One line per exit code: the enum and the manual come from here. */
#define CLI_EXIT_MAP(X)                                                    \
	X(CLI_OK, 0, "The script returned; the command did its work.")     \
	X(CLI_SCRIPT, 1, "The script failed: it threw, or did not parse.") \
	X(CLI_USAGE, 2, "A wrong option, or a file that cannot be used.")  \
	X(CLI_TIMEOUT, 3, "The script ran out of time.")                   \
	X(CLI_ABORTED, 4, "The script was stopped by a signal.")           \
	X(CLI_SANDBOX, 5, "The sandbox broke: never the script's doing.")  \
	X(CLI_NO_SERVER, 6, "Servers were asked for and none came up.")

typedef enum cli_exit {
#define CLI_EXIT_ENUM(name, number, meaning) name = number,
	CLI_EXIT_MAP(CLI_EXIT_ENUM)
#undef CLI_EXIT_ENUM
} cli_exit;

typedef struct cmd {
	const char *name;
	const char *args; /* what stands behind the options: "[FILE|-]" */
	const char *does; /* one line for the list of commands          */
	const opt *opts;  /* ends with a row whose name is NULL         */
	int (*main)(const struct cmd *self, int argc, char **argv);
} cmd;

extern const cmd cmd_run;
extern const cmd cmd_check;
extern const cmd cmd_serve;
extern const cmd cmd_tools;
extern const cmd cmd_types;
extern const cmd cmd_doctor;

/* All of them, ended by NULL. */
extern const cmd *const cmd_list[];

#endif
