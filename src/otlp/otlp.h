/* SPDX-License-Identifier: MIT */
/*
 * otlp.h -- spans of OpenTelemetry as OTLP's JSON, and the header traceparent of
 * W3C Trace Context.
 *
 * A request is: otlp_open, otlp_put for each span, otlp_close.
 */
#ifndef OTLP_OTLP_H
#define OTLP_OTLP_H

#include "base/buf.h"

enum {
	OTLP_TRACE_ID = 16,  /* bytes */
	OTLP_SPAN_ID = 8,    /* bytes */
	OTLP_PARENT_LEN = 55 /* characters of a traceparent */
};

/* A position in a trace: the parent of a span. */
typedef struct otlp_context {
	unsigned char trace[OTLP_TRACE_ID];
	unsigned char span[OTLP_SPAN_ID];
	bool sampled;
} otlp_context;

/* False: t is not a valid traceparent; *out is unchanged. */
bool otlp_parent_read(text t, otlp_context *out);
/* Writes OTLP_PARENT_LEN characters and a zero byte. */
void otlp_parent_write(const otlp_context *c, char out[OTLP_PARENT_LEN + 1]);

/* As OTLP numbers them. */
typedef enum otlp_kind {
	OTLP_INTERNAL = 1,
	OTLP_SERVER = 2,
	OTLP_CLIENT = 3
} otlp_kind;

typedef struct otlp_attribute {
	const char *key;
	text words; /* a string; empty: .number */
	uint64_t number;
} otlp_attribute;

typedef struct otlp_span {
	otlp_context id;
	const unsigned char *parent; /* OTLP_SPAN_ID bytes; NULL: a root */
	text name;
	otlp_kind kind;
	uint64_t began_ns, ended_ns; /* since 1970 */
	const otlp_attribute *attribute;
	size_t attributes;
	bool failed;
	text message; /* of a failure; may be empty */
} otlp_span;

/* Texts are valid UTF-8. */
void otlp_open(buf *out, text service, text version);
void otlp_put(buf *out, const otlp_span *span);
void otlp_close(buf *out);

#endif
