/* SPDX-License-Identifier: MIT */
/*
 * fault.h -- what the fault tests share: the cases, and what a run may come to
 * when something went wrong in it.
 */
#ifndef TEST_FAULT_H
#define TEST_FAULT_H

#include "sim/owner.h"

/* A run's deadline, far beyond what any case needs: a run that lasts as long
 * has waited for something that never comes. */
#define FAULT_WALL_MS 120000

typedef struct fault_case {
	const char *name, *value, *script;
} fault_case;

extern const fault_case fault_cases[];
extern const unsigned fault_cases_len;

/* The run must have kept every promise and either ended as the case says, or
 * have said that it did not: a refusal by the library, or an end that is not
 * OK and has a message. Counts and says what is wrong. */
bool fault_sound(
    const fault_case *c, const owner_end *end, const char *what, unsigned n);
/* It ended as the case says. */
bool fault_unharmed(const fault_case *c, const owner_end *end);

extern unsigned fault_failures;

#endif
