/* SPDX-License-Identifier: MIT */
/*
 * place_option.h -- where scripts run: the options of 'run' and 'serve'.
 */
#ifndef CMD_PLACE_OPTION_H
#define CMD_PLACE_OPTION_H

#include "cmd.h"
#include "pool.h"

#include <codemode/place.h>

typedef struct place_options {
	const char *where;  /* NULL: process */
	const char *engine; /* NULL: auto */
	bool require_fences;
	bool session;
} place_options;

#define PLACE_OPTS(type, member)                                               \
	{"place", 0, OPT_TEXT, "PLACE",                                        \
	    "where scripts run: process, inline or cmd:COMMAND",               \
	    "process, the default: each in a process of its own, behind "      \
	    "every fence that this machine has. inline: in this process, "     \
	    "behind the wall of its own memory. cmd:COMMAND: at the other "    \
	    "end of the command's standard input and output, for example "     \
	    "'cmd:ssh host codemode-worker --stdio'.",                         \
	    offsetof(type, member.where)},                                     \
	    {"session", 0, OPT_FLAG, NULL,                                     \
		"scripts take the command of --place in turn",                 \
		"Without it each script starts a command of its own.",         \
		offsetof(type, member.session)},                               \
	    {"engine", 0, OPT_TEXT, "ENGINE",                                  \
		"what runs scripts: quickjs, evaluator or auto",               \
		"auto, the default, is quickjs: QuickJS behind a wall of its " \
		"own memory. evaluator: our own engine, which is not yet "     \
		"known to agree with it in everything.",                       \
		offsetof(type, member.engine)},                                \
	{                                                                      \
		"require-fences", 0, OPT_FLAG, NULL,                           \
		    "do not run scripts unless every fence stands",            \
		    "See codemode doctor.",                                    \
		    offsetof(type, member.require_fences)                      \
	}

/* The flags of a run (CM_RUN_*) that they mean. */
unsigned place_options_flags(const place_options *o);

/* Says what is wrong with them. */
cli_exit place_options_check(
    const place_options *o, const char *verb, say *out);

/*
 * Opens the place; *p is NULL inline. single: one script is expected. words
 * keeps the command's words, which the place borrows until it is freed. Says
 * what failed.
 */
cli_exit place_options_open(const place_options *o, bool single, pool *words,
    say *out, cm_place **p);

#endif
