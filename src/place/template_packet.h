/* SPDX-License-Identifier: MIT */
/*
 * template_packet.h -- what the place and its template process say to each other, on
 * a socket of whole packets (SOCK_SEQPACKET).
 *
 *	FORK   serial, with one descriptor: the child's end of its socket
 *	FORKED serial of the FORK, pid, or 0 and an errno
 *	KILL   pid
 *	EXITED pid, status as waitpid gives it
 */
#ifndef PLACE_TEMPLATE_PACKET_H
#define PLACE_TEMPLATE_PACKET_H

#include <stdint.h>

typedef enum template_op {
	TEMPLATE_FORK = 1,
	TEMPLATE_FORKED,
	TEMPLATE_KILL,
	TEMPLATE_EXITED
} template_op;

typedef struct template_packet {
	uint32_t op;
	uint32_t serial;
	int32_t pid;
	int32_t value; /* errno of FORKED, status of EXITED */
} template_packet;

/* The control socket and, in a child, the script's socket. */
#define TEMPLATE_FD 3

#endif
