/* SPDX-License-Identifier: MIT */
/*
 * reach.h -- the network from which an IP address can be reached.
 *
 * Used for addresses in URLs (oauth_url.h) and for addresses of host names.
 */
#ifndef OAUTH_REACH_H
#define OAUTH_REACH_H

#include <stdint.h>

typedef enum oauth_reach {
	REACH_PUBLIC,
	REACH_PRIVATE,    /* 10.0.0.0/8 and the like, names in .internal */
	REACH_LINK_LOCAL, /* 169.254.0.0/16, which is also what clouds tell
	                     machines; and what no server has, as multicast */
	REACH_LOOPBACK    /* this machine */
} oauth_reach;

/* address: the first byte is the highest. */
oauth_reach reach_of_ipv4(uint32_t address);
/* A mapped IPv4 address (::ffff:0:0/96) counts as that IPv4 address. Any other
 * address that contains an IPv4 address is public if that one is, otherwise
 * link-local. */
oauth_reach reach_of_ipv6(const unsigned char address[16]);

#endif
