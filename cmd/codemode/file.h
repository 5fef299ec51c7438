/* SPDX-License-Identifier: MIT */
/*
 * file.h -- whole files in, whole files out.
 *
 * A file is read up to the maximum of the buffer that receives it, and written
 * so that a reader, or a machine that loses power, finds the old content or
 * the new one and never a part.
 */
#ifndef CMD_FILE_H
#define CMD_FILE_H

#include "base/buf.h"

/* What is wrong with a file, for a person; static or from strerror. NULL: it
 * went well. "-" is stdin. */
const char *file_read(const char *path, buf *out);

/* Makes the file anew: a temporary one beside it, synced, then renamed. */
const char *file_write(const char *path, text content);

/* Is there nothing at that path? */
bool file_missing(const char *path);

#endif
