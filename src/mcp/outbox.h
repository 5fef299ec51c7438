/* SPDX-License-Identifier: MIT */
/*
 * outbox.h -- messages that wait to be written, a line each.
 *
 * A message is queued whole or not at all.
 */
#ifndef MCP_OUTBOX_H
#define MCP_OUTBOX_H

#include "base/json.h"

typedef struct outbox {
	buf bytes;
	size_t sent; /* bytes of it that were written */
} outbox;

#define OUTBOX_INIT(allocator, maximum) \
	((outbox){BUF_INIT((allocator), (maximum)), 0})

void outbox_fini(outbox *o);
/* Opens a message, an object of JSON-RPC 2.0; what it returns goes to
 * outbox_close. The caller appends members to o->bytes. */
size_t outbox_open(outbox *o);
/* Closes the object. CM_ELIMIT, CM_ENOMEM: the message is taken back. */
cm_status outbox_close(outbox *o, size_t opened);
/* Bytes that wait; borrowed until the next change. */
text outbox_waiting(const outbox *o);
/* The first n of them were written. */
void outbox_sent(outbox *o, size_t n);

#endif
