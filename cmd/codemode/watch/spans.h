/* SPDX-License-Identifier: MIT */
/*
 * spans.h -- scripts and their calls as spans of OpenTelemetry, sent to a
 * collector by OTLP over HTTP, with the names of the semantic conventions for
 * GenAI and MCP. They have the names, times and outcomes of calls, but neither
 * arguments nor results.
 *
 * Spans that find no room, or that the collector does not accept, are counted,
 * and the count is printed at the end. No script waits for spans.
 */
#ifndef CMD_SPANS_H
#define CMD_SPANS_H

#include "watch.h"

#include "common/main_loop.h"
#include "otlp/otlp.h"

enum {
	SPANS_MAX = 2048,      /* spans that wait to be sent */
	SPANS_EVERY_MS = 1000, /* ms between requests */
	SPANS_TRIES = 4,       /* tries of one request, 1, 2 and 4 s apart */
	SPANS_FLUSH_MS = 2000  /* ms for the last requests, at the end */
};

typedef struct spans spans;

/* Is a collector named, by url (of --otlp, may be NULL) or by the
 * environment? */
bool spans_wanted(const char *url);
/* *out is NULL when none is, and in a program without the network. serving: scripts are calls of an MCP tool. False:
 * it cannot be used, which was printed. secrets is borrowed and may be NULL. */
bool spans_open(const char *url, bool serving, main_loop *loop,
    redactor *secrets, say *s, spans **out);
/* Sends the waiting spans, and prints how many could not be sent. NULL is
 * allowed. */
void spans_close(spans *all);
void spans_write(spans *all, const watch_event *e);
/* The traceparent of that call. False: it has no span. */
bool spans_parent(const spans *all, uint32_t script, cm_call_id call,
    char out[WATCH_PARENT_MAX]);

#endif
