/* SPDX-License-Identifier: MIT */
/*
 * permit_form.h -- the question whether calls may be made, as a form of MCP's
 * elicitation, which a client shows to its person.
 */
#ifndef CMD_PERMIT_FORM_H
#define CMD_PERMIT_FORM_H

#include "base/json.h"
#include "control/permit.h"

/* Appends the params of elicitation/create. whole: the question is about a
 * script, not about one call. persons: there are several, so none says
 * "always", which would hold for the others. */
void permit_form(text words, bool whole, bool persons, buf *out);
/* Reads the result. Only an accepted form with one of the offered words is a
 * yes. result missing: the client failed. */
permit_answer permit_form_answer(json result, bool whole, bool persons);

#endif
