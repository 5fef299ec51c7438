/* SPDX-License-Identifier: MIT */
/*
 * entry.h -- what one entry of a configuration says about its server.
 */
#ifndef CMD_ENTRY_H
#define CMD_ENTRY_H

#include "config.h"

/* The file that an entry stands in. */
typedef struct entry_source {
	const char *path;
	text content;          /* checked, comments blanked */
	const char *workspace; /* where its servers run     */
} entry_source;

/* key (with quotes) and value are spans of source->content. Faults are printed
 * with c->say; the name and the fate of the result are right in any case. */
config_entry entry_read(json key, json value, const entry_source *source,
    config *c);

/* A server given on the command line: its command is split into words and not
 * expanded (the shell did that); it runs in the current folder. */
config_entry entry_command(text name, text command, config *c);

#endif
