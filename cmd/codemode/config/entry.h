/* SPDX-License-Identifier: MIT */
/*
 * entry.h -- what one entry of a configuration says about its server.
 */
#ifndef CMD_ENTRY_H
#define CMD_ENTRY_H

#include "config.h"
#include "config_text.h"

/* The file that an entry stands in, and what that says about all entries. */
typedef struct entry_source {
	const config_text *text;
	const char *workspace;  /* where its servers run */
	const char *folder;     /* where the file lies */
	json inputs;            /* VS Code's array of inputs, or missing */
	json allowed, excluded; /* arrays of names of servers, or missing */
	json tools;             /* opencode's switches of tools, or missing */
	size_t entries;         /* that stand in the file */
	bool seconds;           /* a plain "timeout" is in seconds */
} entry_source;

/* key (with quotes) and value are spans of source->text. Faults are told to c;
 * the name and the fate of the result are right in any case. */
config_entry entry_read(
    json key, json value, const entry_source *source, config *c);

/* A server given on the command line, by that option: its command is split into
 * words and not expanded (the shell did that); it runs in the current folder. */
config_entry entry_command(
    text name, text command, const char *option, config *c);
config_entry entry_url(
    text name, const char *url, const char *option, config *c);

#endif
