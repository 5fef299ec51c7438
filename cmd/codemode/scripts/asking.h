/* SPDX-License-Identifier: MIT */
/*
 * asking.h -- what a person is asked before calls are made, in words, and what
 * a yes to it covers.
 *
 * The words hold texts of scripts and servers, made harmless: no control
 * characters, no end of a block of code, no markup that a reader would follow.
 */
#ifndef CMD_ASKING_H
#define CMD_ASKING_H

#include "upstream.h"

/* Further calls are not listed: they are asked about when they happen. */
enum { LISTED_MAX = 30 };

typedef struct listed_call {
	text path;
	json args; /* empty: any */
} listed_call;

typedef struct ask_list {
	listed_call call[LISTED_MAX]; /* borrows from the run's list */
	size_t len;
} ask_list;

/* Takes from the list of a script's calls (cm_run_sites) those that the rules
 * ask about, and appends the question. version: of the lists of tools when the
 * script began; they are others now: nothing is taken. False: there is nothing
 * to ask. */
bool ask_list_read(ask_list *list, upstream *u, unsigned version, json sites,
    buf *words);
/* Appends the question about one call. */
void ask_about_call(const upstream *u, const cm_call *call, buf *words);
/* Appends t, at most max bytes of it, made harmless. */
void ask_plain(text t, size_t max, buf *words);

#endif
