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

/* Replaces the content of a regular file, or makes the file: a temporary file
 * beside it is written, synced and renamed. Symbolic links are followed. */
const char *file_write(const char *path, text content);

/* Would file_write succeed, as far as can be told before there is content? */
const char *file_check_writable(const char *path);

/* Is there nothing at that path? */
bool file_missing(const char *path);

/* Waits until no other process holds the lock of the file, then holds it until
 * file_unlock. -1 and *why: there is no lock. */
int file_lock(const char *path, const char **why);
void file_unlock(int lock);

#endif
