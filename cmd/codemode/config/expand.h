/* SPDX-License-Identifier: MIT */
/*
 * expand.h -- ${VARIABLES} in a configuration, replaced once.
 *
 * A value is not expanded again: one that contains ${...} stays as it is. A
 * variable that is not set and has no default is an error: a server that
 * receives "${TOKEN}" as its token fails later and less clearly.
 */
#ifndef CMD_EXPAND_H
#define CMD_EXPAND_H

#include "base/json.h"

typedef struct expand_places {
	const char *workspace; /* ${workspaceFolder}: an absolute path */
	const char *cwd;       /* ${cwd}                               */
	const char *folder;    /* of the file: paths of {file:...}     */
	json inputs;           /* VS Code's: ${input:id}; or missing   */
	bool bare;             /* a word that is $NAME is a variable   */
} expand_places;

/* What stopped an expansion: the variable as it is written there, and why. */
typedef struct expand_fault {
	text variable;
	char why[300];
} expand_fault;

/* Appends t to out, its variables replaced, and a ~ or ~/ at its beginning. */
bool expand(text t, const expand_places *places, buf *out, expand_fault *fault);

#endif
