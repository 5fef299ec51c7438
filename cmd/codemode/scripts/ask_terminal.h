/* SPDX-License-Identifier: MIT */
/*
 * ask_terminal.h -- a person at the terminal decides about a call.
 */
#ifndef CMD_ASK_TERMINAL_H
#define CMD_ASK_TERMINAL_H

#include "upstream.h"

/* Shows the call and why it is asked about, and waits for an answer: y, s (all
 * of this script), a (always); anything else, and a signal, is no.
 * PERMIT_UNASKED: there is no terminal. The loop stands still meanwhile. */
permit_answer ask_terminal(say *s, const upstream *u, const cm_call *call);

#endif
