/* SPDX-License-Identifier: MIT */
/*
 * server_why.h -- how the end of a server is told: the reason, and the lines of
 * its stderr in which the cause stands. Pure.
 */
#ifndef CODEMODE_SERVER_WHY_H
#define CODEMODE_SERVER_WHY_H

#include "base/buf.h"

/* Appends one line: reason, and behind it what said, the server's stderr, has
 * about it: its last line, and the first line that tells of an error. */
void why_write(buf *out, text reason, text said);

#endif
