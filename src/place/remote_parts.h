/* SPDX-License-Identifier: MIT */
/*
 * remote_parts.h -- what remote.c and remote_ask.c share.
 */
#ifndef PLACE_REMOTE_PARTS_H
#define PLACE_REMOTE_PARTS_H

#include "place/process.h"
#include "place/remote.h"
#include "place/spin.h"
#include "wire/wire.h"

#include <stdatomic.h>

typedef enum phase { NEW, BUSY, IDLE, OVER } phase;

struct engine {
	engine_start start;
	place *place;
	const gate_limits *limits; /* of the worker's gate */
	worker worker;
	phase phase;
	engine_state state;
	buf in, out;
	uint32_t frame_max; /* bytes of one message from the worker */
	size_t sent;        /* bytes of out that are sent              */
	size_t owed;        /* where in out the last question's answer ends */
	int write_errno;    /* of the first failed write; 0: none */
	uint64_t answers;   /* RESOLVE, REJECT and FIRE sent          */
	bool answered;      /* since one of them was queued, until a poll */
	spin spin;
	uint64_t memory; /* bytes: as the worker says, or a sample above it */
	uint64_t sampled_ms, born_ms; /* last sample; worker taken */
	uint64_t sent_ms;             /* when START was sent */
	uint32_t count[WIRE_KINDS];   /* messages received, where bounded */
	bool started;
	atomic_bool stopped;
	int wake; /* eventfd for 'stop', where only the owner's turn can end
		     the worker; -1: none */
	char why[200 + CHANNEL_SAID];
};

/* The worker broke a rule or is gone: the run ends as a broken sandbox. */
void remote_fail(engine *e, const char *why);
/* Appends the frame to what is sent. */
void remote_queue(engine *e, const wire_msg *m);

/* ---------------------------------------------------------- remote_ask.c */

/* An engine reads the answer to one question before it asks the next. Refuses a
 * second question, so that unread answers cannot fill the buffer: false. */
bool remote_may_ask(engine *e);
void remote_got_find(engine *e, const wire_msg *m);
void remote_got_names(engine *e, const wire_msg *m);
void remote_got_list(engine *e, const wire_msg *m);
void remote_got_unknown(engine *e, const wire_msg *m);
void remote_got_schema(engine *e, const wire_msg *m);
void remote_got_search(engine *e, const wire_msg *m);
void remote_got_about(engine *e, const wire_msg *m);
void remote_got_zone(engine *e, const wire_msg *m);
void remote_got_tzdata(engine *e, const wire_msg *m);

#endif
