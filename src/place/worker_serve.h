/* SPDX-License-Identifier: MIT */
/*
 * worker_serve.h -- the far side of a wire: an engine that runs one script for a run
 * in another process.
 *
 * Knows two descriptors and the messages of wire.def; no processes, no fences.
 */
#ifndef PLACE_WORKER_SERVE_H
#define PLACE_WORKER_SERVE_H

#include "base/text.h"

/*
 * Says hello with this report of fences, takes one script, runs it to its end.
 * in is a socket, and out may be the same. Returns when the script is over or the
 * other side is gone; 0: all was well.
 */
int serve(int in, int out, text fences);

/* In a process that will be forked for scripts: what each of them would do
 * first is done once. It opens files and closes them again. */
void serve_prepare(void);

#endif
