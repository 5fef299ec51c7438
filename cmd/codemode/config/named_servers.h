/* SPDX-License-Identifier: MIT */
/*
 * named_servers.h -- which servers a script can name, from a look at its text.
 *
 * Only for waiting: a server that starts slowly need not hold up a script that
 * cannot reach it. When in doubt the answer is "all of them", so a wrong guess
 * costs time and nothing else.
 */
#ifndef CMD_NAMED_SERVERS_H
#define CMD_NAMED_SERVERS_H

#include "base/text.h"

/* needed[i] becomes: can this script reach the tools of servers[i]? A script
 * that names a server that is not there needs all of them: the message about
 * it can then say what there is. */
void names_needed(text script, const text *servers, size_t n, bool *needed);

#endif
