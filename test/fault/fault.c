/* SPDX-License-Identifier: MIT */
/* fault.c -- see fault.h. */
#include "fault.h"

#include <stdio.h>
#include <string.h>

const fault_case fault_cases[] = {
#define CASE(name, value, script) {#name, value, script},
#include "cases.def"
#undef CASE
};
const unsigned fault_cases_len = sizeof(fault_cases) / sizeof(fault_cases[0]);

unsigned fault_failures;

static void
failed(const fault_case *c, const char *what, unsigned n, const owner_end *end,
    const char *how)
{
	fault_failures++;
	printf("%s: %s %u: %s (%s, end %d: %s %s, value %s)\n", c->name, what,
	    n, how, cm_status_name(end->status), (int)end->end, end->code,
	    end->message, end->value);
}

/* Cases without a value fail, or end by exit(). */
bool
fault_unharmed(const fault_case *c, const owner_end *end)
{
	if (end->status != CM_OK || strcmp(end->value, c->value) != 0)
		return false;
	if (c->value[0] != 0 || strcmp(c->name, "exited") == 0)
		return end->end == CM_END_OK;
	return end->end == CM_END_SCRIPT &&
	       strcmp(end->code, "MemoryLimit") != 0;
}

bool
fault_sound(
    const fault_case *c, const owner_end *end, const char *what, unsigned n)
{
	unsigned before = fault_failures;

	if (end->broken != NULL)
		failed(c, what, n, end, end->broken);
	if (end->ms >= FAULT_WALL_MS)
		failed(c, what, n, end, "it waited for its deadline");
	if (end->status == CM_OK && end->end == CM_END_OK &&
	    !fault_unharmed(c, end))
		failed(c, what, n, end, "a wrong answer");
	if (end->status == CM_OK && end->end != CM_END_OK &&
	    end->message[0] == 0)
		failed(c, what, n, end, "it ended without a word");
	if (strstr(end->message, "said something wrong") != NULL)
		failed(c, what, n, end, "the gate found it dishonest");
	if (end->status == CM_OK && end->end == CM_END_TIMEOUT)
		failed(c, what, n, end, "it hung");
	return fault_failures == before;
}
