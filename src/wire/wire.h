/* SPDX-License-Identifier: MIT */
/*
 * wire.h -- messages as bytes (doc/format/wire.md).
 *
 *	frame = length (4 bytes), kind (1 byte), fields
 *	n     = 8 bytes       t = length (4 bytes), bytes
 *
 * All numbers little-endian. The reader checks each length before it uses
 * it, and refuses a frame with bytes after its last field.
 */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include "base/buf.h"
#include "gate/said.h"

#define WIRE_VERSION 14
#define WIRE_MAX     UINT32_MAX /* longest frame, without its length */
#define WIRE_NUMBERS 12
#define WIRE_TEXTS   4

typedef enum wire_kind {
#define WIRE(name, direction, fields, most, about) WIRE_##name,
#include "wire/wire.def"
#undef WIRE
	WIRE_KINDS
} wire_kind;

typedef enum wire_direction { WIRE_UP, WIRE_DOWN } wire_direction;

/* One line of wire.def. */
typedef struct wire_shape {
	const char *name;
	wire_direction direction;
	const char *fields;
	uint32_t most;
	const char *about;
} wire_shape;

/* kind < WIRE_KINDS. */
const wire_shape *wire_shape_of(wire_kind kind);

typedef struct wire_msg {
	wire_kind kind;
	uint64_t n[WIRE_NUMBERS];
	text t[WIRE_TEXTS]; /* borrowed from the bytes that were read */
} wire_msg;

/* Appends the frame. out->bad: CM_ENOMEM, or CM_ELIMIT above WIRE_MAX bytes. */
void wire_put(buf *out, const wire_msg *m);

/* START's numbers, in the order of wire.def. */
enum {
	START_HEAP,
	START_POLLS,
	START_LEFT_MS,
	START_SOURCE,
	START_READING,
	START_CALLS,
	START_OUTPUT,
	START_ITEMS,
	START_VALUE,
	START_ARGS,
	START_TOOLS,
	START_EPOCH_US
};

/* Of START_READING. */
enum {
	READ_RAW = 1,
	READ_PLAIN_LAST = 2, /* the last expression is not the value */
	READ_CAPPED_MS = 4,  /* START_LEFT_MS was lowered on the way: PREPARED
	                        tells it */
	READ_GLOBALS = 8,    /* some tools are globals, too */
	READ_CALL_LINES = 16, /* each call says its line */
	READ_SITES = 32,      /* SITES is wanted */
	READ_EVALUATOR = 64   /* that engine runs the script */
};

typedef enum wire_got {
	WIRE_MORE, /* not a whole frame yet      */
	WIRE_READ, /* *m, and *used bytes are it */
	WIRE_WRONG /* *why says what is wrong    */
} wire_got;

/* Reads the first frame of in, which must travel in this direction and have at
 * most max bytes behind its length. */
wire_got wire_get(text in, wire_direction direction, uint32_t max, wire_msg *m,
    size_t *used, const char **why);

/* A message of said.def as one of the wire, and back. False: it is none of
 * said.def, or a number does not fit. Texts are borrowed. */
wire_msg wire_of_said(const said *s);
bool wire_to_said(const wire_msg *m, said *s);

#endif
