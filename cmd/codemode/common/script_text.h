/* SPDX-License-Identifier: MIT */
/*
 * script_text.h -- the script that a command is given: code on the command line
 * (-e), a file, or standard input.
 */
#ifndef CMD_SCRIPT_TEXT_H
#define CMD_SCRIPT_TEXT_H

#include "cmd.h"

enum { SCRIPT_TEXT_MAX = 64 << 20 }; /* bytes */

/* Appends the script to out: code, or the file that the only word of argv names
 * ("-": stdin), or stdin when there is no word and stdin is no terminal.
 * CLI_USAGE: the reason was printed. */
cli_exit script_text_read(const cmd *c, const char *code, int argc, char **argv,
    buf *out, say *s);

#endif
