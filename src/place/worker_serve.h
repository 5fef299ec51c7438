/* SPDX-License-Identifier: MIT */
/*
 * worker_serve.h -- the worker's end of the wire: an engine that runs one
 * script for a run in another process.
 *
 * It uses two descriptors and the messages of wire.def; it knows neither
 * processes nor fences.
 */
#ifndef PLACE_WORKER_SERVE_H
#define PLACE_WORKER_SERVE_H

#include "base/text.h"

/*
 * Sends HELLO with this report of fences, reads one script, and runs it to its
 * end. in is a socket, and out may be the same. Returns when the script is over
 * or the socket is closed; 0: the script ended, and its end was sent.
 */
int serve(int in, int out, text fences);

/* Does once, in a process that is to be forked for scripts, what each of its
 * children would do first. Opens files and closes them. */
void serve_prepare(void);

#endif
