/* SPDX-License-Identifier: MIT */
/*
 * say_line.h -- everything that is meant for people: one line after the other
 * on stderr, and on a terminal one live line below them that changes in place.
 *
 * stdout belongs to results. Text of servers and scripts that goes to a
 * terminal has its control characters made visible, so that a tool's error
 * message cannot move the cursor or turn the direction of the text.
 */
#ifndef CMD_SAY_LINE_H
#define CMD_SAY_LINE_H

#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

enum { SAY_KEPT_MAX = 4096 };

typedef struct say {
	FILE *to;
	bool shown;    /* to is a terminal: control characters made visible */
	bool terminal; /* to is one that can rewrite a line */
	bool quiet;    /* no live line and no summary */
	bool live;     /* a live line stands below */
	char kept[SAY_KEPT_MAX]; /* the first bytes of all lines so far */
	size_t kept_len;
} say;

/* Not quiet. */
void say_init(say *s);

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

/* What say_line has written so far, valid UTF-8, without the program's name:
 * for the reader of a result. */
text say_kept(const say *s);

/* Writes t. When shown, control characters other than LF and tab become ^X, and
 * those of C1 and of the direction of text <U+XXXX>. */
void say_text(FILE *to, bool shown, text t);

#endif
