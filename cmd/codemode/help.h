/* SPDX-License-Identifier: MIT */
/*
 * help.h -- what is derived from the tables of options: help, manual sections
 * and the completion of the shell. All of it goes to stdout, unless said otherwise.
 */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd.h"

#include <stdio.h>

/* How it is called, in short: what a lone "codemode" gets on stderr. */
void help_usage(FILE *to);
void help_program(void);
void help_command(const cmd *c);

/* The sections OPTIONS and EXIT STATUS of a command's manual page, in the
 * language of scdoc. */
void help_manual(const cmd *c);

/* A completion script for bash. */
void help_completion(void);

#endif
