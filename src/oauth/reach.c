/* SPDX-License-Identifier: MIT */
/* reach.c -- see reach.h. The blocks are those of RFC 6890. */
#include "reach.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

oauth_reach
reach_of_ipv4(uint32_t address)
{
	static const struct {
		uint32_t net, mask;
		oauth_reach reach;
	} blocks[] = {
	    {0x00000000, 0xff000000, REACH_LOOPBACK}, /* this host */
	    {0x7f000000, 0xff000000, REACH_LOOPBACK},
	    {0x0a000000, 0xff000000, REACH_PRIVATE},
	    {0xac100000, 0xfff00000, REACH_PRIVATE},
	    {0xc0a80000, 0xffff0000, REACH_PRIVATE},
	    {0x64400000, 0xffc00000, REACH_PRIVATE}, /* a carrier's customers */
	    {0xc0000000, 0xffffff00, REACH_PRIVATE}, /* protocol assignments */
	    {0xc6120000, 0xfffe0000, REACH_PRIVATE}, /* benchmarks */
	    {0xa9fe0000, 0xffff0000, REACH_LINK_LOCAL},
	    {0xe0000000, 0xe0000000, REACH_LINK_LOCAL}, /* multicast and up */
	};

	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
		if ((address & blocks[i].mask) == blocks[i].net)
			return blocks[i].reach;
	return REACH_PUBLIC;
}

static oauth_reach
reach_of_embedded(const unsigned char b[4])
{
	return reach_of_ipv4((uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
			     (uint32_t)b[2] << 8 | b[3]);
}

oauth_reach
reach_of_ipv6(const unsigned char address[16])
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	static const unsigned char nat64[12] = {0, 0x64, 0xff, 0x9b};
	static const unsigned char loopback[16] = {[15] = 1};
	const unsigned char *b = address;
	bool public;

	if (memcmp(b, loopback, sizeof(loopback)) == 0)
		return REACH_LOOPBACK;
	if (memcmp(b, mapped, sizeof(mapped)) == 0)
		return reach_of_embedded(b + 12);
	if (memcmp(b, nat64, sizeof(nat64)) == 0)
	public = reach_of_embedded(b + 12) == REACH_PUBLIC;
	else if (b[0] == 0x20 && b[1] == 0x02) /* 6to4 */
	    public = reach_of_embedded(b + 2) == REACH_PUBLIC;
	else if ((b[0] & 0xfe) == 0xfc) return REACH_PRIVATE;
	else public = (b[0] & 0xe0) == 0x20; /* global unicast */
	return public ? REACH_PUBLIC : REACH_LINK_LOCAL;
}
