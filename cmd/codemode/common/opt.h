/* SPDX-License-Identifier: MIT */
/*
 * opt.h -- options as a table: a row says all that is known of an option.
 *
 * A row names the option, the kind of value that it takes, what it is for and
 * the member of the command's own struct that receives it. Parsing is here;
 * help.h makes help, manual and completion from the same rows.
 */
#ifndef CMD_OPT_H
#define CMD_OPT_H

#include "say_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cmd;

typedef enum opt_kind {
	OPT_FLAG,  /* bool                                        */
	OPT_TEXT,  /* const char *; at most once                  */
	OPT_FILE,  /* the same; the shell completes a file's name */
	OPT_COUNT, /* uint64_t from 1; "none" is UINT64_MAX       */
	OPT_BYTES, /* the same; K, M and G may stand behind       */
	OPT_TEXTS, /* opt_values: every one is kept, in order     */
	OPT_FILES  /* the same; the shell completes a file's name */
} opt_kind;

typedef struct opt {
	const char *name;  /* written --name                              */
	char letter;       /* written -e; 0: there is none                */
	opt_kind kind;
	const char *value; /* stands for the value in help; NULL for flags */
	const char *does;  /* one line for help                           */
	const char *more;  /* further sentences for the manual, or NULL   */
	size_t at;         /* offsetof() in the struct that receives it   */
} opt;

/* Values of options that may be given many times. Several rows may share one
 * list: it keeps the order they were given in. */
typedef struct opt_value {
	const opt *opt;
	const char *text;
} opt_value;

typedef struct opt_values {
	opt_value *value; /* NULL when len is 0 */
	size_t len;
	size_t cap;
} opt_values;

void opt_values_fini(opt_values *v);

typedef enum opt_outcome {
	OPT_GO,    /* all is parsed                        */
	OPT_SHOWN, /* --help was given and is answered     */
	OPT_BAD    /* every wrong option was printed       */
} opt_outcome;

/*
 * Parses the words behind the command's name into *into. Words that are no
 * options are moved to the front of argv, *argc says how many there are.
 */
opt_outcome opt_parse(const struct cmd *c, int *argc, char **argv, void *into,
    say *s);

/* Reports that there is no such thing (an "option" or a "command"), with the
 * nearest of the n names that there are, if one is near. */
void opt_unknown(say *s, const char *what, const char *word,
    const char *const *names, size_t n, const char *help);

#endif
