/* SPDX-License-Identifier: MIT */
/*
 * beside.h -- where the other programs of codemode are.
 */
#ifndef CMD_BESIDE_H
#define CMD_BESIDE_H

#include <stddef.h>

enum { BESIDE_MAX = 4096 };

/* The path of the program called name in the folder of this one, written to
 * path (of size bytes); the bare name when that folder is not known. Whether
 * the file exists is found out when it is started. */
const char *beside(char *path, size_t size, const char *name);

#endif
