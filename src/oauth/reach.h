/* SPDX-License-Identifier: MIT */
/*
 * reach.h -- from where an address of the internet protocol can be reached.
 *
 * One list for what a URL says (oauth_url.h) and for what a name leads to.
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
/* An address that holds one of IPv4 is public if that is; otherwise it is
 * link-local, unless it is only mapped (::ffff:0:0/96): then it is that one. */
oauth_reach reach_of_ipv6(const unsigned char address[16]);

#endif
