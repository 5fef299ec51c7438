/* SPDX-License-Identifier: MIT */
/*
 * spans.h -- scripts and their calls as spans of OpenTelemetry, sent to a
 * collector by OTLP over HTTP, with the names of the semantic conventions for
 * GenAI and MCP. They say which tools were called when and how that ended, never
 * with what.
 *
 * A span that finds no room, or that the collector does not take, is counted,
 * and told at the end. No script waits for it.
 */
#ifndef CMD_SPANS_H
#define CMD_SPANS_H

#include "watch.h"

#include "common/main_loop.h"
#include "otlp/otlp.h"

enum {
	SPANS_MAX = 2048,      /* that wait to be sent */
	SPANS_EVERY_MS = 1000, /* so often are they sent */
	SPANS_TRIES = 4,       /* of one request, 1, 2 and 4 s apart */
	SPANS_FLUSH_MS = 2000  /* at the end they have so much time */
};

typedef struct spans spans;

/* Is a collector named: by url, which is what --otlp says and may be NULL, or by
 * the environment? */
bool spans_wanted(const char *url);
/* *out is NULL when none is, and in a program without the network. serving: scripts are calls of an MCP tool. False:
 * it cannot be used, which was printed. secrets is borrowed and may be NULL. */
bool spans_open(const char *url, bool serving, main_loop *loop,
    redactor *secrets, say *s, spans **out);
/* Sends what waits, and says what could not be sent. NULL is allowed. */
void spans_close(spans *all);
void spans_write(spans *all, const watch_event *e);
/* The traceparent of that call. False: it has no span. */
bool spans_parent(const spans *all, uint32_t script, cm_call_id call,
    char out[WATCH_PARENT_MAX]);

#endif
