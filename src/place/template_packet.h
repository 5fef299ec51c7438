/* SPDX-License-Identifier: MIT */
/*
 * template_packet.h -- the packets between a place and its template process,
 * on a socket that keeps them whole (SOCK_SEQPACKET).
 *
 *	FORK   serial, with one descriptor: the worker's end of its socket
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

/* The descriptor of the control socket in the template, and of the run's socket
 * in a worker. */
#define TEMPLATE_FD 3

#endif
