/* SPDX-License-Identifier: MIT */
/*
 * ask_terminal.h -- a person at the terminal decides about calls.
 */
#ifndef CMD_ASK_TERMINAL_H
#define CMD_ASK_TERMINAL_H

#include "control/permit.h"

/* Shows the words (about a call, or about a whole script) and waits for an
 * answer. A signal, and any letter that is not offered, means no.
 * PERMIT_UNASKED: there is no terminal. Blocks the loop. */
permit_answer ask_terminal(say *s, text words, bool whole);

#endif
