/* SPDX-License-Identifier: MIT */
/*
 * show.h -- a run's results: on stdout what the script prints and returns, on
 * stderr what a person should know about it.
 */
#ifndef CMD_SHOW_H
#define CMD_SHOW_H

#include "base/json.h"
#include "common/cmd.h"
#include "common/say_line.h"
#include "control/secrets.h"

#include <codemode/codemode.h>

typedef struct show {
	say *say;
	redactor *secrets; /* borrowed; left out of errors and warnings; NULL:
	                      none */
	bool json;         /* stdout gets one object, at the end */
	bool terminal;     /* stdout is one */
	bool answered;     /* that object was written */
	uint64_t written;  /* bytes to stdout */
	uint64_t tokens;   /* of output that are shown; CM_NO_LIMIT: all */
	uint64_t spent;    /* bytes of printed text that were shown */
	uint64_t cut;      /* bytes of printed text that were left out */
	char where[200];   /* of the first such text: what was cut */
	bool value_cut;
	int failed; /* errno of a write to stdout that failed; 0: none */
	bool told;  /* the failure was printed */
	unsigned unstarted, stopped; /* calls that the run did not finish */
} show;

void show_init(show *s, say *to, bool json);

/* From now on at most so many tokens of output are shown; CM_NO_LIMIT: all. */
void show_limit(show *s, uint64_t tokens);
/* What the script prints, when it prints it; nothing in JSON mode. */
void show_print(show *s, const cm_print *p);
/* What is buffered becomes visible. False: stdout can be written. True: it
 * cannot, which was printed once. */
bool show_flush(show *s);

/* The end: value or error, and the warnings in the run's result; counts the
 * calls that the run did not finish. lost: why the store was not written, or
 * NULL. */
void show_done(show *s, const cm_done *done, json result, const char *lost);

/* The command ended before there was a result: in JSON mode prints an object
 * with what was said on stderr. Returns code, or CLI_OUTPUT. */
cli_exit show_failure(show *s, cli_exit code);

/* "1.2 MB", for people. */
typedef struct show_size {
	char text[16];
} show_size;
show_size show_bytes(uint64_t n);

#endif
