/* SPDX-License-Identifier: MIT */
/*
 * channel.h -- one end of a pair of byte streams between a run and a worker
 * elsewhere: over ssh, into a container, to another machine.
 *
 *	run ── channel ══ any pair of streams ══ channel ── relay ── worker
 *
 * The bytes of the wire (wire/wire.h) travel in frames, so that both ends can
 * say that they are alive and where one script ends and the next begins
 * (doc/format/stream.md):
 *
 *	frame = length (4 bytes, little-endian), kind (1 byte), bytes
 *	DATA    bytes of the wire
 *	BEAT    nothing; sent when nothing else was for a third of the silence
 *	OVER    this end has finished the script; why, when it was not the
 *	        script's own end
 *
 * A script is over when both ends have said OVER. What the other end sent
 * before its OVER, and after ours, is dropped.
 */
#ifndef PLACE_CHANNEL_H
#define PLACE_CHANNEL_H

#include "base/text.h"

#include <sys/types.h>

#define CHANNEL_HEAD 5
#define CHANNEL_DATA (32u << 10) /* bytes of the longest DATA  */
#define CHANNEL_WHY  200         /* bytes of the longest OVER  */
#define CHANNEL_SAID 300         /* bytes that are kept of 'errors' */

typedef struct channel {
	int in, out; /* may be the same; non-blocking */
	int watch;   /* readable when channel_read or channel_flush may do
	                more */
	int errors;  /* what the command prints for people; -1: none */
	bool out_is_socket;
	bool wants_out;           /* watch waits for room in out, too */
	bool said_over, got_over; /* of this script */
	bool lost;                /* the stream was closed, or is in error */
	bool stale; /* what comes until the next OVER is of the last script */
	uint64_t silence_ms;        /* after that without a byte it is lost */
	uint64_t heard_ms, said_ms; /* clock of the last byte in, and out */
	uint32_t data_left;         /* bytes of the DATA frame to come */
	size_t have, taken;         /* bytes in 'bytes', and handled ones */
	size_t queued, sent;        /* bytes in 'queue', and sent ones */
	char why[CHANNEL_WHY + 1];  /* of the other end's OVER, or our error */
	size_t said_len;
	char said[CHANNEL_SAID + 1]; /* the first bytes of 'errors'; no control
	                                characters */
	char bytes[CHANNEL_HEAD + CHANNEL_DATA];
	char queue[CHANNEL_HEAD + CHANNEL_DATA + CHANNEL_HEAD + CHANNEL_WHY];
} channel;

/* Makes both descriptors non-blocking; they stay the caller's. Returns an
 * errno; EPERM: in is a file and no stream. */
int channel_open(channel *c, int in, int out, uint64_t silence_ms);
void channel_close(channel *c);

/* Passes what can be read from fd on to this process's standard error, as far
 * as that takes it, and keeps the first bytes. fd becomes the channel's, also
 * on an error. Returns an errno. */
int channel_hear_errors(channel *c, int fd);
/* Does that; channel_read does, too. */
void channel_pass_errors(channel *c);

/* Says OVER. why: at most CHANNEL_WHY bytes of it are sent. False: the stream
 * is lost, or takes no more at present, so that no other script can follow. */
bool channel_over(channel *c, text why);
/* Begins the next script after that; the other end's OVER may still be on its
 * way. False: the other end has closed the stream. */
bool channel_begin(channel *c);

/* Bytes of the wire, as recv gives them with MSG_DONTWAIT: -1 and EAGAIN when
 * there are none yet; 0 when the other end said OVER or closed the stream, and
 * c->why has the reason or is empty. EPROTO: it sent no frames. */
ssize_t channel_read(channel *c, void *room, size_t size);
/* Takes some bytes of the wire, as send does: -1 and EAGAIN while the stream
 * takes no more. */
ssize_t channel_write(channel *c, const void *bytes, size_t len);
/* Sends what was taken. Returns an errno; 0 also when some waits for room. */
int channel_flush(channel *c);

/* Sends BEAT when it is time. False: nothing was heard for too long. */
bool channel_beat(channel *c);
/* Milliseconds until channel_beat has something to do. */
uint64_t channel_rest_ms(const channel *c);

/* Makes 'watch' readable also while fd is, until fd is closed. Returns an
 * errno. */
int channel_watch_also(const channel *c, int fd);

#endif
