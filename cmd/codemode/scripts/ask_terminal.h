/* SPDX-License-Identifier: MIT */
/*
 * ask_terminal.h -- a person at the terminal decides about calls.
 */
#ifndef CMD_ASK_TERMINAL_H
#define CMD_ASK_TERMINAL_H

#include "control/permit.h"

/* Shows the words, of a call or of a whole script, and waits for an answer;
 * what is none of the letters that are offered, and a signal, is no.
 * PERMIT_UNASKED: there is no terminal. The loop stands still meanwhile. */
permit_answer ask_terminal(say *s, text words, bool whole);

#endif
