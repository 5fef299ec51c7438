/* SPDX-License-Identifier: MIT */
/*
 * nearest.c -- names compared as people (and models) mix them up.
 *
 * Only letters and digits count, case does not: list_issues, listIssues and
 * list-issues are one. Names of more than 96 letters are compared by their
 * beginnings. The work is counted in steps of a few nanoseconds, so that a
 * question has a bound however many names there are.
 */
#include "nearest.h"

#include "distance.h"

enum {
	LETTERS_MAX = TEXT_DISTANCE_MAX,
	CONTAINED_MIN = 3,
	STEPS_MAX = 2000000
};

/* A name without what does not count. */
struct letters {
	size_t len;
	uint64_t set; /* which of the 36 occur */
	char at[LETTERS_MAX];
};

/* A name, and what stands behind its last dot. */
struct spelling {
	struct letters whole;
	struct letters tail;
};

/* Bit of a letter or digit; *c becomes lower case. 0: does not count. */
static uint64_t
letter_bit(char *c)
{
	if (*c >= 'A' && *c <= 'Z')
		*c = (char)(*c | 0x20);
	if (*c >= 'a' && *c <= 'z')
		return UINT64_C(1) << (*c - 'a');
	if (*c >= '0' && *c <= '9')
		return UINT64_C(1) << (26 + (*c - '0'));
	return 0;
}

static void
read_letters(struct letters *l, text t)
{
	l->len = 0;
	l->set = 0;
	for (size_t i = 0; i < t.len && l->len < LETTERS_MAX; i++) {
		char c = t.ptr[i];
		uint64_t bit = letter_bit(&c);

		l->set |= bit;
		if (bit)
			l->at[l->len++] = c;
	}
}

static text
behind_last_dot(text t)
{
	for (size_t i = t.len; i-- > 0;)
		if (t.ptr[i] == '.')
			return text_sub(t, i + 1, t.len);
	return t;
}

/* Returns how many steps it took. */
static size_t
spell(struct spelling *s, text name)
{
	read_letters(&s->whole, name);
	read_letters(&s->tail, behind_last_dot(name));
	return name.len + s->tail.len + 1;
}

static text
letters_view(const struct letters *l)
{
	return (text){l->at, l->len};
}

static bool
same_letters(const struct letters *a, const struct letters *b)
{
	return a->set == b->set && text_eq(letters_view(a), letters_view(b));
}

static bool
contains_letters(const struct letters *whole, const struct letters *part)
{
	return part->len >= CONTAINED_MIN && (part->set & ~whole->set) == 0 &&
	       text_find(letters_view(whole), letters_view(part), 0) !=
		   SIZE_MAX;
}

static size_t
difference(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

static bool
has_at_most(uint64_t set, size_t most)
{
	for (; set && most; most--)
		set &= set - 1;
	return set == 0;
}

/* Each letter that only one of them has takes an edit of its own. */
static bool
may_be_within(const struct letters *a, const struct letters *b, size_t most)
{
	return difference(a->len, b->len) <= most &&
	       has_at_most(a->set & ~b->set, most) &&
	       has_at_most(b->set & ~a->set, most);
}

enum {
	UNLIKE = 10000,
	SAME = 0,
	SAME_TAIL = 1,
	SLIPPED = 100,
	CONTAINED = 1000
};

/* Slips are forgiven up to a third of the letters. */
static unsigned
slipped(const struct letters *a, const struct letters *b, size_t *steps)
{
	size_t most = (a->len > b->len ? a->len : b->len) / 3, n;

	if (!may_be_within(a, b, most))
		return UNLIKE;
	*steps += (2 * most + 1) * a->len;
	n = text_distance(letters_view(a), letters_view(b), most);
	return n <= most ? SLIPPED + (unsigned)n : UNLIKE;
}

/* How unlike two names are; less is likelier. */
static unsigned
unlike(const struct spelling *a, const struct spelling *b, size_t *steps)
{
	unsigned whole, tail;

	if (a->whole.len == 0 || b->whole.len == 0)
		return UNLIKE;
	if (same_letters(&a->whole, &b->whole))
		return SAME;
	if (a->tail.len && same_letters(&a->tail, &b->tail))
		return SAME_TAIL;
	whole = slipped(&a->whole, &b->whole, steps);
	tail = slipped(&a->tail, &b->tail, steps);
	if (whole < UNLIKE || tail < UNLIKE)
		return whole < tail ? whole : tail;
	if (contains_letters(&b->whole, &a->tail) ||
	    contains_letters(&a->tail, &b->tail))
		return CONTAINED +
		       (unsigned)difference(a->whole.len, b->whole.len);
	return UNLIKE;
}

size_t
nearest(text wanted, nearest_name *name, const void *names, size_t n,
    size_t out[NEAREST_MAX])
{
	unsigned score[NEAREST_MAX], s;
	struct spelling a, b;
	size_t found = 0, steps = spell(&a, wanted), at;

	for (size_t i = 0; i < n && steps < STEPS_MAX; i++) {
		steps += spell(&b, name(names, i));
		s = unlike(&a, &b, &steps);
		if (s >= UNLIKE)
			continue;
		if (found == NEAREST_MAX && s >= score[NEAREST_MAX - 1])
			continue;
		at = found < NEAREST_MAX ? found++ : NEAREST_MAX - 1;
		for (; at > 0 && score[at - 1] > s; at--) {
			score[at] = score[at - 1];
			out[at] = out[at - 1];
		}
		score[at] = s;
		out[at] = i;
	}
	return found;
}
