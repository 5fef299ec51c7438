/* SPDX-License-Identifier: MIT */
/*
 * store.h -- what scripts keep from run to run, in a JSON file.
 *
 * A run gets the file's object and ends with a list of changes; only those are
 * put into the file, so that keys written by somebody else meanwhile stay.
 */
#ifndef CMD_STORE_H
#define CMD_STORE_H

#include "base/json.h"
#include "say.h"

/* The object in the file; a file that does not exist holds {}. False: it was
 * told what is wrong. */
bool store_load(const char *path, buf *out, say *s);

/* old with the changes {"set": {...}, "delete": [...]} made, one key a line. */
void store_change(json old, json changes, buf *out);

/* Reads the file again, makes the changes, replaces it. */
bool store_save(const char *path, json changes, say *s);

#endif
