/* SPDX-License-Identifier: MIT */
/*
 * sentences.h -- the sentences of a header's comments, one by one.
 *
 * White space is one blank each; the stars at the beginnings of lines, lines of
 * example code (those behind a tab) and section rules are left out. A sentence
 * ends at a full stop, question or exclamation mark before a capital letter,
 * and at the end of its comment.
 */
#ifndef CLAIMS_SENTENCES_H
#define CLAIMS_SENTENCES_H

#include "base/buf.h"

/* Appends the sentences of source to out, a line each, each one once. */
void sentences(text source, buf *out);

#endif
