/* SPDX-License-Identifier: MIT */
/*
 * say.h -- everything that is meant for people: one line after the other on
 * stderr, and on a terminal one live line below them that changes in place.
 *
 * stdout belongs to results. What comes from servers and scripts is shown with
 * its control characters made visible on a terminal: a tool's error message
 * must not move the cursor.
 */
#ifndef CMD_SAY_H
#define CMD_SAY_H

#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct say {
	FILE *to;
	bool terminal; /* to is one that can rewrite a line  */
	bool quiet;    /* no live line and no summary        */
	bool live;     /* a live line stands below           */
} say;

void say_init(say *s, bool quiet);

/* A line: "codemode: ..." with a line break behind it. */
void say_line(say *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends what vprintf would write. */
void say_format(buf *out, const char *format, va_list args);
/* Lines as they are, each with a line break. */
void say_lines(say *s, text lines);

/* Replaces the live line; nothing unless on a terminal and not quiet. */
void say_live(say *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Takes the live line away, before anything else is written. */
void say_clear(say *s);

/* Writes t; control characters other than LF and tab become ^X when shown. */
void say_text(FILE *to, bool shown, text t);

#endif
