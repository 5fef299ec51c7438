/* SPDX-License-Identifier: MIT */
/*
 * recording.h -- the file of a run that can be made again
 * (doc/format/record.md): written line by line while the run goes on, read as
 * a whole.
 */
#ifndef CMD_RECORDING_H
#define CMD_RECORDING_H

#include "base/json.h"

#include <codemode/codemode.h>

#include <stdio.h>

#define RECORDING_MAX ((size_t)1 << 31) /* bytes of a file that is read */

/* ---------------------------------------------------------------- writing */

typedef struct recorder {
	FILE *to; /* NULL: nothing is recorded */
	uint64_t lines;
	uint64_t sum; /* of the bytes so far */
} recorder;

/* Makes the file, for its owner alone, or empties it. NULL, or why not. */
const char *recorder_open(recorder *r, const char *path);
/* The first line: all that the new run was given. NULL, or why it cannot be
 * recorded (static). */
const char *recorder_begin(recorder *r, cm_run *run, cm_catalog *cat,
    text script, const cm_run_options *o);
/* For cm_start.log, with the recorder as its ctx. */
void recorder_line(void *recorder, text line);
/* whole: the run has ended, so the last line is written. NULL, or why the file
 * cannot be written. */
const char *recorder_close(recorder *r, bool whole);

/* ---------------------------------------------------------------- reading */

/* A record; its texts are borrowed from the bytes of the file. */
typedef struct recording {
	json head;  /* the first line */
	json *line; /* the others but the last, owned */
	size_t len, cap;
} recording;

/* NULL, or why it is no whole record, in a text of .why. */
const char *recording_read(recording *r, text file, char why[160]);
void recording_fini(recording *r);

/* What the run was given, read from .head. */
typedef struct recorded_run {
	cm_start start; /* without log */
	cm_run_options options;
	buf script, store, data;
	cm_catalog *catalog;
} recorded_run;

/* NULL, or what is wrong with the record (static). recorded_run_fini is due in
 * any case. */
const char *recorded_run_read(recorded_run *run, json head);
void recorded_run_fini(recorded_run *run);

#endif
