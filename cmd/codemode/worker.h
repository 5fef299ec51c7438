/* SPDX-License-Identifier: MIT */
/*
 * worker.h -- where the program is that runs scripts behind fences.
 */
#ifndef CMD_WORKER_H
#define CMD_WORKER_H

#include <stddef.h>

enum { WORKER_PATH_MAX = 4096 };

/* The path of codemode-worker in the folder of this program, written to path
 * (of size bytes); the bare name when that folder is not known. Whether the
 * file exists is found out when it is started. */
const char *worker_path(char *path, size_t size);

#endif
