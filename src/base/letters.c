/* SPDX-License-Identifier: MIT */
/*
 * letters.c -- the tables of letters.def, searched by halves.
 */
#include "letters.h"

#include <stddef.h>

typedef struct range {
	uint32_t low, high;
} range;

static const range starts[] =
    {
#define START(low, high) {low, high},
#define PART(low, high)
#include "letters.def"
#undef START
#undef PART
},
		   parts[] = {
#define START(low, high)
#define PART(low, high) {low, high},
#include "letters.def"
#undef START
#undef PART
};

static bool
in_ranges(const range *list, size_t count, uint32_t c)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c > list[middle].high)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && c >= list[low].low;
}

static bool
is_ascii_name(uint32_t c)
{
	return (c | 0x20) - 'a' < 26 || c == '_' || c == '$';
}

bool
starts_name(uint32_t c)
{
	if (c < 0x80)
		return is_ascii_name(c);
	return in_ranges(starts, sizeof(starts) / sizeof(*starts), c);
}

bool
continues_name(uint32_t c)
{
	if (c < 0x80)
		return is_ascii_name(c) || c - '0' < 10;
	return c == 0x200c || c == 0x200d ||
	       in_ranges(parts, sizeof(parts) / sizeof(*parts), c);
}
