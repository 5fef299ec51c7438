/* SPDX-License-Identifier: MIT */
/*
 * asking.h -- the words of the questions about calls, and the calls that a yes
 * covers.
 *
 * The words contain texts of scripts and servers. Control characters, ends of
 * code blocks, and markup are escaped in them.
 */
#ifndef CMD_ASKING_H
#define CMD_ASKING_H

#include "upstream.h"

/* further calls are not listed; they are asked about when they happen */
enum { LISTED_MAX = 30 };

typedef struct listed_call {
	text path;
	json args;    /* empty: any */
	json written; /* in the script, where they are computed */
} listed_call;

typedef struct ask_list {
	listed_call
	    call[LISTED_MAX]; /* texts are borrowed from the run's list */
	size_t len;
} ask_list;

/* Takes the calls that the rules ask about from the list of a script's calls
 * (cm_run_sites), and appends the question. version: of the lists of tools when
 * the script began. False: there is nothing to ask, also when the version is no
 * longer the current one. */
bool ask_list_read(
    ask_list *list, upstream *u, unsigned version, json sites, buf *words);
/* Appends the question about one call. */
void ask_about_call(const upstream *u, const cm_call *call, buf *words);
/* Appends at most max bytes of t, escaped as said above. */
void ask_plain(text t, size_t max, buf *words);

#endif
