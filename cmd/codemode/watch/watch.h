/* SPDX-License-Identifier: MIT */
/*
 * watch.h -- passes the events of scripts to each writer that the options ask
 * for: the log (audit.h), the trace (trace.h) and OpenTelemetry (spans.h).
 */
#ifndef CMD_WATCH_H
#define CMD_WATCH_H

#include "common/cmd.h"
#include "common/main_loop.h"
#include "control/secrets.h"

#include "base/json.h"

#include <codemode/codemode.h>

typedef enum watch_kind {
	WATCH_SCRIPT, /* the script begins: .code, .parent */
	WATCH_TURN,   /* it begins to compute */
	WATCH_REST,   /* it waits again */
	WATCH_CALL, /* it makes a call: .made; .how: the decision, .words: why */
	WATCH_SENT,     /* the call leaves for its server */
	WATCH_DECISION, /* a person answered: .how */
	WATCH_ANSWER,   /* .how; .bytes of the reply; .value or .words */
	WATCH_PRINT,    /* .print */
	WATCH_CUT,      /* .how: what was too long; .bytes of the whole */
	WATCH_END /* .how; .bytes printed and returned; .value: the result */
} watch_kind;

enum { WATCH_PARENT_MAX = 56 }; /* bytes of a traceparent, with its zero */

/* Texts live until watch_tell returns. */
typedef struct watch_event {
	watch_kind kind;
	uint32_t script; /* its number in this process */
	cm_call_id call; /* 0: the event is of the script itself */
	uint64_t now_us; /* monotonic; set by watch_tell */
	const char *how;
	uint64_t bytes;
	text code, words;
	text parent; /* a traceparent; empty: the client sent none */
	/* Of a saved script: the script that called it, and the call. 0: it is
	 * not a saved one. */
	uint32_t caller;
	cm_call_id caller_call;
	json value;
	const cm_call *made;
	const cm_print *print;
} watch_event;

typedef struct watch_options {
	const char *log;
	uint64_t log_bytes; /* 0: ROTATING_FILE_BYTES */
	const char *trace;
	const char *otlp;
} watch_options;

#define WATCH_OPTS(type, member)                                              \
	{"log", 0, OPT_FILE, "FILE", "append what scripts call to this file", \
	    "A JSON object a line: scripts, calls with their "                \
	    "arguments, decisions about them, answers. Secrets "              \
	    "of the configuration are left out. See "                         \
	    "codemode-stats(1).",                                             \
	    offsetof(type, member.log)},                                      \
	    {"log-size", 0, OPT_BYTES, "BYTES",                               \
		"size at which the log becomes FILE.1 (64M)",                 \
		"FILE.1 becomes FILE.2, FILE.2 becomes FILE.3, and "          \
		"the old FILE.3 is deleted. Several processes may "           \
		"write one log.",                                             \
		offsetof(type, member.log_bytes)},                            \
	    {"trace", 0, OPT_FILE, "DIR",                                     \
		"write a file about each script to this folder",              \
		"For codemode-view(1) and Perfetto: when the "                \
		"script computed, its calls with their arguments "            \
		"and results, what waited, failed or was cut. "               \
		"Secrets of the configuration are left out. The "             \
		"latest 1,000 files are kept.",                               \
		offsetof(type, member.trace)},                                \
	{                                                                     \
		"otlp", 0, OPT_TEXT, "URL",                                   \
		    "send a span for each script and call there",             \
		    "To a collector of OpenTelemetry, by OTLP over HTTP in "  \
		    "JSON; /v1/traces is put behind it. Without "             \
		    "this option OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or "      \
		    "OTEL_EXPORTER_OTLP_ENDPOINT names it; none is none. "    \
		    "OTEL_EXPORTER_OTLP_HEADERS is a list of headers "        \
		    "NAME=VALUE. Spans have no arguments and no results. A "  \
		    "script never waits for them: what the collector does "   \
		    "not take is counted and told.",                          \
		    offsetof(type, member.otlp)                               \
	}

/* All NULL: nothing is written. */
typedef struct watch {
	struct audit *audit;
	struct trace *trace;
	struct spans *spans;
} watch;

/* Executes codemode-net if spans are to be sent. If it cannot be executed, that
 * is printed; the result is an error when --otlp asks for spans, otherwise
 * CLI_OK. */
cli_exit watch_network(const watch_options *o, say *s);

/* False: a file cannot be written, which was printed; watch_close is due in any
 * case. secrets is borrowed and may be NULL. serving: scripts are calls of an MCP
 * tool. */
bool watch_open(watch *w, const watch_options *o, bool serving, main_loop *loop,
    redactor *secrets, say *s);
void watch_close(watch *w);

/* Is there any writer? w may be NULL. */
bool watch_on(const watch *w);
/* The flags that runs need for the writers: CM_RUN_... w may be NULL. */
unsigned watch_flags(const watch *w);
/* Copies t if it is a traceparent; otherwise out is an empty string. */
void watch_parent_read(text t, char out[WATCH_PARENT_MAX]);
/* Writes the traceparent that a call sends to its server. False: none. w may be
 * NULL. */
bool watch_parent(const watch *w, uint32_t script, cm_call_id call,
    char out[WATCH_PARENT_MAX]);
/* w may be NULL. */
void watch_tell(const watch *w, watch_event e);

/* ------------------------------------------------------------ for writers */

/* "name": t without secrets, cut behind max bytes. */
void watch_put_text(
    buf *line, redactor *secrets, const char *name, text t, size_t max);
/* "name": v without secrets; or, when v has more than max bytes, "nameHead": the
 * beginning of its text. */
void watch_put_json(
    buf *line, redactor *secrets, const char *name, json v, size_t max);

#endif
