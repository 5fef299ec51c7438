/* SPDX-License-Identifier: MIT */
/*
 * permit_form.h -- the question whether a call may be made, as a form of MCP's
 * elicitation: a client shows it to its person.
 */
#ifndef CMD_PERMIT_FORM_H
#define CMD_PERMIT_FORM_H

#include "scripts/upstream.h"

/* Appends the params of elicitation/create. */
void permit_form(const upstream *u, const cm_call *call, buf *out);
/* What its result says: nothing but an accepted form with one of our words is a
 * yes. result missing: the client failed. */
permit_answer permit_form_answer(json result);

#endif
