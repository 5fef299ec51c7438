/* SPDX-License-Identifier: MIT */
/*
 * relay.h -- codemode-worker --stdio: scripts that come over a stream.
 */
#ifndef CODEMODE_WORKER_RELAY_H
#define CODEMODE_WORKER_RELAY_H

/* The program with its arguments behind --stdio: scripts come on standard
 * input, one after the other, until that is closed. Returns an exit status. */
int relay_main(int argc, char **argv);

#endif
