/* SPDX-License-Identifier: MIT */
/*
 * swar.h -- looking at eight bytes at a time, without any machine's vectors.
 *
 * A mask has the high bit of each byte that was found; the lowest one is
 * exact, the ones above it may be wrong (a borrow runs upwards), so only
 * swar_first is of use.
 */
#ifndef BASE_SWAR_H
#define BASE_SWAR_H

#include <stdint.h>
#include <string.h>

#define SWAR_ONES  UINT64_C(0x0101010101010101)
#define SWAR_HIGHS UINT64_C(0x8080808080808080)

/* Eight bytes, the first of them lowest, on any machine. */
static inline uint64_t
swar_load(const void *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	return x;
}

/* Bytes equal to c (below 0x80), or with their high bit set; the caller masks
 * with SWAR_HIGHS. */
static inline uint64_t
swar_is(uint64_t x, unsigned char c)
{
	return (x ^ SWAR_ONES * c) - SWAR_ONES;
}

/* Bytes of a JSON string that do not simply stand for themselves: a quote, a
 * backslash, a control character, anything beyond ASCII. */
static inline uint64_t
swar_string_stops(uint64_t x)
{
	uint64_t low = swar_is(x, '"') | swar_is(x, '\\') |
	    (x - SWAR_ONES * 0x20);

	return ((low & ~x) | x) & SWAR_HIGHS;
}

/* The quotes and backslashes alone. */
static inline uint64_t
swar_quotes(uint64_t x)
{
	return (swar_is(x, '"') | swar_is(x, '\\')) & ~x & SWAR_HIGHS;
}

/* Quotes and brackets of either kind: [ and {, ] and } differ in one bit. */
static inline uint64_t
swar_brackets(uint64_t x)
{
	uint64_t folded = x | SWAR_ONES * 0x20;

	return (swar_is(folded, '{') | swar_is(folded, '}') | swar_is(x, '"')) &
	    ~x & SWAR_HIGHS;
}

/* Index (0 to 7) of the first byte found; the mask is not 0. */
static inline unsigned
swar_first(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask) / 8;
}

#endif
