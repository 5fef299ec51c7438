/* SPDX-License-Identifier: MIT */
/*
 * distance.c -- the edit distance of two texts.
 *
 * The table of Damerau and Levenshtein, of which three rows are kept and only
 * the cells near the diagonal are filled: a cell that is more than 'most'
 * columns off it stands for more than 'most' edits.
 */
#include "distance.h"

/* The row of a byte that is i-th in a, from the two rows above it. */
struct rows {
	size_t *row;
	const size_t *above;
	const size_t *older;
};

static size_t
fewer(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t
cell(const struct rows *r, text a, text b, size_t i, size_t j)
{
	size_t edits = fewer(r->above[j], r->row[j - 1]) + 1;

	edits = fewer(edits, r->above[j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]));
	if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] &&
	    a.ptr[i - 2] == b.ptr[j - 1])
		edits = fewer(edits, r->older[j - 2] + 1);
	return edits;
}

/* Fills the cells of row i that are at most 'most' off the diagonal, and one
 * on either side for the next row to read; returns the least of them. */
static size_t
fill_row(const struct rows *r, text a, text b, size_t i, size_t most)
{
	size_t from = i > most ? i - most : 1;
	size_t to = fewer(i + most, b.len), least;

	r->row[from - 1] = from == 1 ? i : most + 1;
	least = r->row[from - 1];
	for (size_t j = from; j <= to; j++) {
		r->row[j] = cell(r, a, b, i, j);
		least = fewer(least, r->row[j]);
	}
	if (to < b.len)
		r->row[to + 1] = most + 1;
	return least;
}

size_t
text_distance(text a, text b, size_t most)
{
	size_t rows[3][TEXT_DISTANCE_MAX + 1];
	size_t apart = a.len > b.len ? a.len - b.len : b.len - a.len;

	if (text_eq(a, b))
		return 0;
	if (apart > most || a.len > TEXT_DISTANCE_MAX ||
	    b.len > TEXT_DISTANCE_MAX)
		return most + 1;
	for (size_t j = 0; j <= b.len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		struct rows r = {
		    rows[i % 3], rows[(i + 2) % 3], rows[(i + 1) % 3]};

		if (fill_row(&r, a, b, i, most) > most)
			return most + 1;
	}
	return fewer(rows[a.len % 3][b.len], most + 1);
}
