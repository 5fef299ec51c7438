/* SPDX-License-Identifier: MIT */
/*
 * show.h -- a run's results: on stdout what the script says, on stderr what a
 * person should know about it.
 */
#ifndef CMD_SHOW_H
#define CMD_SHOW_H

#include "base/json.h"
#include "say.h"

#include <codemode/codemode.h>

typedef struct show {
	say *say;
	bool json;        /* stdout gets the one result object, at the end */
	bool terminal;    /* stdout is one                                 */
	uint64_t written; /* bytes to stdout                               */
	int failed;       /* errno of a write to stdout that failed        */
} show;

void show_init(show *s, say *to, bool json);

/* What the script prints, when it prints it; nothing in JSON mode. */
void show_print(show *s, const cm_print *p);
/* What is buffered becomes visible: call it before sleeping. */
void show_flush(show *s);

/* The end: value or error, and the warnings in the run's result. */
void show_done(show *s, const cm_done *done, json result);

/* "1.2 MB", for people. */
typedef struct show_size {
	char text[16];
} show_size;
show_size show_bytes(uint64_t n);

#endif
