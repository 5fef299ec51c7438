/* SPDX-License-Identifier: MIT */
/* main.c -- codemode: the command, without the network. */
#include "command.h"

int
main(int argc, char **argv)
{
	return command_main(argc, argv, NULL);
}
