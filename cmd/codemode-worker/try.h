/* SPDX-License-Identifier: MIT */
/*
 * try.h -- tries the fences of a worker from inside.
 *
 *	codemode-worker --try [NAME] [--bare|--behind]
 *
 * prints one JSON object: the fences as they stand around a process that was
 * fenced exactly as for a script, and for each attempt of attempt.def (or the
 * named one) whether it was refused. --bare makes the attempts without fences:
 * the control. --behind leaves the list of system calls away, to see what
 * stands behind it. Exits with 0 when every attempt was refused.
 */
#ifndef WORKER_TRY_H
#define WORKER_TRY_H

/* The exit status, or -1 when argv asks for something else. */
int try_main(int argc, char **argv);

#endif
