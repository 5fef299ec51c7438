/* SPDX-License-Identifier: MIT */
/*
 * file_key.h -- the first line of a file whose other lines have hashes of what
 * others wrote: the key of these hashes, 64 hex digits. Without it, two texts
 * with one hash cannot be made.
 */
#ifndef CMD_FILE_KEY_H
#define CMD_FILE_KEY_H

#include "base/buf.h"

enum { FILE_KEY_WORDS = 4 };

/* False: content does not begin with such a line. */
bool file_key_read(text content, uint64_t key[FILE_KEY_WORDS]);
/* Appends the line of a new key. */
void file_key_make(buf *out, uint64_t key[FILE_KEY_WORDS]);

#endif
