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

/* One line per exit code: the enum, the manual and the error objects of --json
 * come from here. The code is what such an object says; NULL: it never does. */
#define CLI_EXIT_MAP(X)                                                        \
	X(CLI_OK, 0, NULL, "The script returned; the command did its work.")   \
	X(CLI_SCRIPT, 1, NULL, "The script threw, or did not parse.")          \
	X(CLI_USAGE, 2, "Usage",                                               \
	    "A wrong option, or a file that cannot be used.")                  \
	X(CLI_TIMEOUT, 3, NULL, "The script ran out of time.")                 \
	X(CLI_ABORTED, 4, "Aborted", "Stopped by a signal.")                   \
	X(CLI_SANDBOX, 5, "Sandbox",                                           \
	    "The sandbox broke, or cannot be set up: never the script's "      \
	    "doing.")                                                          \
	X(CLI_NO_SERVER, 6, "NoServer",                                        \
	    "Servers were asked for and none came up.")                        \
	X(CLI_OUTPUT, 7, "Output",                                             \
	    "Standard output, the store or the record could not be written.")  \
	X(CLI_DIVERGED, 8, "Diverged",                                         \
	    "A run that was made again did something else.")

typedef enum cli_exit {
#define CLI_EXIT_ENUM(name, number, code, meaning) name = number,
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
extern const cmd cmd_replay;
extern const cmd cmd_check;
extern const cmd cmd_serve;
extern const cmd cmd_tools;
extern const cmd cmd_types;
extern const cmd cmd_call;
extern const cmd cmd_config;
extern const cmd cmd_login;
extern const cmd cmd_logout;
extern const cmd cmd_status;
extern const cmd cmd_policy;
extern const cmd cmd_stats;
extern const cmd cmd_view;
extern const cmd cmd_doctor;

/* All of them, ended by NULL. */
extern const cmd *const cmd_list[];

#endif
