/* SPDX-License-Identifier: MIT */
/*
 * nearest.c -- names compared as people (and models) mix them up.
 *
 * Only letters and digits count, case does not: list_issues, listIssues and
 * list-issues are one. Slips are counted as Damerau and Levenshtein do: a
 * letter too many, too few, another one, or two neighbours swapped. Very long
 * names are compared by their beginnings, so that the cost has a bound.
 */
#include "nearest.h"

enum { LETTERS_MAX = 96, CONTAINED_MIN = 3 };

/* A name without what does not count. */
struct letters {
	size_t len;
	char at[LETTERS_MAX];
};

static struct letters
letters_of(text t)
{
	struct letters l = {0};

	for (size_t i = 0; i < t.len && l.len < LETTERS_MAX; i++) {
		char c = t.ptr[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			l.at[l.len++] = c;
	}
	return l;
}

static text
view(const struct letters *l)
{
	return (text){l->at, l->len};
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* One row of the table: how far each beginning of b is from the first i
 * letters of a. rows[i % 3] is written, the two before it are read. */
static void
fill_row(unsigned rows[3][LETTERS_MAX + 1], size_t i, const struct letters *a,
    const struct letters *b)
{
	unsigned *row = rows[i % 3];
	const unsigned *above = rows[(i + 2) % 3], *older = rows[(i + 1) % 3];

	row[0] = (unsigned)i;
	for (size_t j = 1; j <= b->len; j++) {
		bool same = a->at[i - 1] == b->at[j - 1];

		row[j] = least(above[j], row[j - 1]) + 1;
		row[j] = least(row[j], above[j - 1] + !same);
		if (i > 1 && j > 1 && a->at[i - 1] == b->at[j - 2] &&
		    a->at[i - 2] == b->at[j - 1])
			row[j] = least(row[j], older[j - 2] + 1);
	}
}

static unsigned
slips(const struct letters *a, const struct letters *b)
{
	unsigned rows[3][LETTERS_MAX + 1];

	for (size_t j = 0; j <= b->len; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a->len; i++)
		fill_row(rows, i, a, b);
	return rows[a->len % 3][b->len];
}

static text
behind_last_dot(text t)
{
	for (size_t i = t.len; i-- > 0;)
		if (t.ptr[i] == '.')
			return text_sub(t, i + 1, t.len);
	return t;
}

static bool
contains(const struct letters *whole, const struct letters *part)
{
	return part->len >= CONTAINED_MIN &&
	       text_find(view(whole), view(part), 0) != SIZE_MAX;
}

static size_t
difference(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
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
slipped(const struct letters *a, const struct letters *b)
{
	size_t most = (a->len > b->len ? a->len : b->len) / 3;
	unsigned n;

	if (difference(a->len, b->len) > most)
		return UNLIKE;
	n = slips(a, b);
	return n <= most ? SLIPPED + n : UNLIKE;
}

/* How unlike two names are; less is likelier. */
static unsigned
unlike(text wanted, text name)
{
	struct letters a = letters_of(wanted), b = letters_of(name);
	struct letters a_tail = letters_of(behind_last_dot(wanted));
	struct letters b_tail = letters_of(behind_last_dot(name));
	unsigned slip;

	if (a.len == 0 || b.len == 0)
		return UNLIKE;
	if (text_eq(view(&a), view(&b)))
		return SAME;
	if (text_eq(view(&a_tail), view(&b_tail)) && a_tail.len)
		return SAME_TAIL;
	slip = least(slipped(&a, &b), slipped(&a_tail, &b_tail));
	if (slip < UNLIKE)
		return slip;
	if (contains(&b, &a_tail) || contains(&a_tail, &b_tail))
		return CONTAINED + (unsigned)difference(a.len, b.len);
	return UNLIKE;
}

size_t
nearest(text wanted, nearest_name *name, const void *names, size_t n,
    size_t out[NEAREST_MAX])
{
	unsigned score[NEAREST_MAX];
	size_t found = 0, at;

	for (size_t i = 0; i < n; i++) {
		unsigned s = unlike(wanted, name(names, i));

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
