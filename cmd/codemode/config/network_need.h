/* SPDX-License-Identifier: MIT */
/*
 * network_need.h -- does a command need the program that has the network?
 */
#ifndef CMD_NETWORK_NEED_H
#define CMD_NETWORK_NEED_H

#include "config.h"

/* Is a server that the script can name (missing: any) at a URL? A script longer
 * than SEARCHED_MAX may name all. */
bool network_needed(config *c, const text *script);

enum { SEARCHED_MAX = 64 << 10 }; /* bytes of a script that is searched */

#endif
