/* SPDX-License-Identifier: MIT */
/*
 * store_file.h -- what scripts keep from run to run, in a JSON file.
 *
 * A run gets the file's object and ends with a list of changes. Only the
 * changes are put into the file, so that keys that another run wrote in the
 * meantime stay.
 */
#ifndef CMD_STORE_FILE_H
#define CMD_STORE_FILE_H

#include "base/json.h"
#include "common/say_line.h"

/* Bytes of a store file that is read. The library lets scripts keep 1,048,576
 * characters; a file may need several bytes for each. */
enum { STORE_FILE_MAX = 64 << 20 };

/* Can this path hold a store? It must be a regular file or nothing yet, in a
 * folder that files can be made in. False: the reason was printed. */
bool store_file_check(const char *path, say *s);

/* *values gets the object in the file, borrowed from *bytes; {} when there is
 * no file or nothing in it. False: the reason was printed. */
bool store_file_read(const char *path, buf *bytes, json *values, say *s);

/*
 * Appends the object old with changes made: {"set": {...}, "delete": [...]}.
 * One key a line; bytes of values stay as they are. NULL, or why it cannot be
 * kept (static): then the content of out is not to be used.
 */
const char *store_merge(json old, json changes, buf *out);

/* Merges changes into what the file holds now, under a lock. No changes: the
 * file is not touched. NULL, or why it could not be written; static or from
 * strerror. */
const char *store_file_merge(const char *path, json changes, say *s);

#endif
