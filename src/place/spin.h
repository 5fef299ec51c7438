/* SPDX-License-Identifier: MIT */
/*
 * spin.h -- whether to poll the socket for a while before sleeping on it.
 *
 * Sleeping and waking takes two switches of context and, on a virtual machine,
 * may put a processor to sleep: 20 µs each way where the answer took 3. So both
 * ends of the wire poll before they sleep, as long as that succeeds. After one
 * poll in vain the next wait sleeps at once; after two in a row the next 3
 * waits do, then 7, at most 63. So an end that waits for a slow tool, or shares
 * one processor with the other end, polls rarely.
 */
#ifndef PLACE_SPIN_H
#define PLACE_SPIN_H

#include <stdbool.h>

#define SPIN_DOUBLINGS 6

typedef struct spin {
	unsigned vain; /* polls in vain in a row, at most SPIN_DOUBLINGS */
	unsigned skip; /* waits that are to sleep at once                */
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
