/* SPDX-License-Identifier: MIT */
/*
 * help.h -- what is made from the tables of options: help, manual sections and
 * the completion of the shell. Written to stdout unless another is named.
 */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd.h"

#include <stdio.h>

/* The commands; to is stderr when none was given. */
void help_program(FILE *to);
void help_command(const cmd *c);

/* Sections of manual pages in the language of scdoc: the options of a
 * command; all commands and what they exit with. */
void help_manual(const cmd *c);
void help_manual_program(void);

/* A completion script for bash. */
void help_completion(void);

#endif
