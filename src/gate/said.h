/* SPDX-License-Identifier: MIT */
/*
 * said.h -- the messages that an engine sends to the run, and the verdict that
 * the gate gives on each. said.def lists them.
 */
#ifndef GATE_SAID_H
#define GATE_SAID_H

#include "base/text.h"

typedef enum said_kind {
#define SAID(KIND, member, most, about, fields) SAID_##KIND,
#include "gate/said.def"
#undef SAID
	SAID_KINDS
} said_kind;

#define SAID_GROUP_MAX 10000 /* calls in a group; more make no group */

/* In the order of cm_print_kind. */
typedef enum print_kind {
	PRINT_TEXT,
	PRINT_CONSOLE,
	PRINT_IMAGE,
	PRINT_AUDIO,
	PRINT_RESOURCE
} print_kind;

/* One message: u.call for SAID_CALL, and so on. Its texts live until the sink
 * returns. */
typedef struct said {
	said_kind kind;
	union {
#define N32(member, field) uint32_t field;
#define N64(member, field) uint64_t field;
#define TXT(member, field) text field;
#define SAID(KIND, member, most, about, fields) \
	struct {                                \
		fields                          \
	} member;
#include "gate/said.def"
#undef SAID
#undef N32
#undef N64
#undef TXT
	} u;
} said;

/* The verdict on a message. A refusal names the limit: the script gets it as an
 * error. */
typedef struct verdict {
	const char *code; /* NULL: passed; else "OutputLimit", "CallLimit" … */
	char why[160];
} verdict;

#endif
