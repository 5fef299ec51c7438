/* SPDX-License-Identifier: MIT */
/*
 * wire.h -- messages as bytes (doc/format/wire.md).
 *
 *	frame = length (4 bytes), kind (1 byte), fields
 *	n     = 8 bytes       t = length (4 bytes), bytes
 *
 * All numbers little-endian. The reader believes nothing: a length is checked
 * before anything is made of it, and a frame must be used up to its last byte.
 */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include "base/buf.h"

#define WIRE_VERSION 2
/* Longest frame: the largest tool result, and room for the fields around. */
#define WIRE_MAX ((128u << 20) + 4096)
#define WIRE_NUMBERS 10
#define WIRE_TEXTS 3

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
} wire_shape;

/* kind < WIRE_KINDS. */
const wire_shape *wire_shape_of(wire_kind kind);

typedef struct wire_msg {
	wire_kind kind;
	uint64_t n[WIRE_NUMBERS];
	text t[WIRE_TEXTS]; /* borrowed from the bytes that were read */
} wire_msg;

/* Appends the frame; on too little memory out->bad says so. */
void wire_put(buf *out, const wire_msg *m);

typedef enum wire_got {
	WIRE_MORE, /* not a whole frame yet      */
	WIRE_READ, /* *m, and *used bytes are it */
	WIRE_WRONG /* *why says what is wrong    */
} wire_got;

/* Reads the first frame of in, which must travel in this direction. */
wire_got wire_get(text in, wire_direction direction, wire_msg *m, size_t *used,
    const char **why);

#endif
