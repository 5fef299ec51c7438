/* SPDX-License-Identifier: MIT */
/*
 * command.h -- the command, of which two programs are made: codemode and
 * codemode-net (see net.h).
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include "common/net.h"

/* What main() does and returns. parts: what this program has of the network;
 * NULL: nothing. */
int command_main(int argc, char **argv, const net *parts);

#endif
