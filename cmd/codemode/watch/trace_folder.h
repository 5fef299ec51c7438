/* SPDX-License-Identifier: MIT */
/*
 * trace_folder.h -- the folder of traces: makes a file for each script and
 * deletes old ones.
 */
#ifndef CMD_TRACE_FOLDER_H
#define CMD_TRACE_FOLDER_H

#include <stdint.h>
#include <stdio.h>

#define TRACE_SUFFIX ".trace.json"

enum { TRACE_NAME_MAX = 128 };

/* Makes the folder, for its owner alone, if there is none. NULL, or why it
 * cannot be used. */
const char *trace_folder_make(const char *folder);

/*
 * A new file, named (in name) by the time, the process and number:
 * 2026-01-31T12:00:00.000Z-PROCESS-NUMBER.trace.json. Deletes the oldest files,
 * so that at most `keep` stay. NULL, or why no file could be made.
 */
const char *trace_folder_add(const char *folder, uint32_t number, size_t keep,
    char name[TRACE_NAME_MAX], FILE **out);

#endif
