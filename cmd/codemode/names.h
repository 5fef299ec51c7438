/* SPDX-License-Identifier: MIT */
/*
 * names.h -- which servers a script can name, from a look at its text.
 *
 * Only for waiting: a server that starts slowly need not hold up a script that
 * cannot reach it. When in doubt the answer is "all of them", so a wrong guess
 * costs time and nothing else.
 */
#ifndef CMD_NAMES_H
#define CMD_NAMES_H

#include "base/text.h"

/* Can this script reach the tools of the server with that name? */
bool names_server(text script, text server);

#endif
