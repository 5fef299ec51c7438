/* SPDX-License-Identifier: MIT */
/*
 * worker.h -- where the program is that runs scripts behind fences.
 */
#ifndef CMD_WORKER_H
#define CMD_WORKER_H

#include <stddef.h>

enum { WORKER_PATH_MAX = 4096 };

/* codemode-worker beside this very program, written into path (of that many
 * bytes); the bare name when there is no telling. Whether it is there shows
 * when it is started. */
const char *worker_path(char *path, size_t size);

#endif
