/* SPDX-License-Identifier: MIT */
/*
 * spin.h -- when to look again and again instead of going to sleep.
 *
 * To be woken takes two switches and, on a virtual machine, the sleep of a
 * whole processor: 20 µs each way where the answer took 3. So both ends of the
 * wire look a number of times before they wait, as long as that is worth it:
 * one look in vain, and the next wait goes to sleep at once; a second one, and
 * the next 3 do, then 7, at most 63. Who waits for a slow tool, or shares one
 * processor with the other side, hardly looks.
 */
#ifndef PLACE_SPIN_H
#define PLACE_SPIN_H

#include <stdbool.h>

#define SPIN_DOUBLINGS 6

typedef struct spin {
	unsigned vain, skip;
} spin;

static inline bool
spin_is_worth(spin *s)
{
	if (s->skip == 0)
		return true;
	s->skip--;
	return false;
}

static inline void
spin_was(spin *s, bool worth)
{
	if (worth)
		s->vain = 0;
	else if (s->vain < SPIN_DOUBLINGS)
		s->vain++;
	s->skip = (1u << s->vain) - 1;
}

#endif
