/* SPDX-License-Identifier: MIT */
/*
 * span_sender.h -- sends spans by HTTP; only codemode-net has it (net.h).
 */
#ifndef CMD_SPAN_SENDER_H
#define CMD_SPAN_SENDER_H

#include "base/text.h"

#include <uv.h>

typedef struct span_sender span_sender;

typedef enum span_fate {
	SPAN_TAKEN,  /* the collector accepted them */
	SPAN_LATER,  /* it may accept them when they are sent again */
	SPAN_REFUSED /* it will never accept them */
} span_fate;

/* why: words for a message; empty with SPAN_TAKEN. */
typedef void span_done(void *ctx, span_fate fate, text why);

typedef struct span_sender_parts {
	/* Headers: "Name: value\n" each. The texts are copied. NULL: no
	 * memory. */
	span_sender *(*open)(uv_loop_t *loop, const char *url, text headers);
	/* One request at a time; done is called from the loop, once, unless
	 * .close comes before. False: no memory. */
	bool (*send)(span_sender *s, text body, span_done *done, void *ctx);
	/* Cancels the request under way. The loop must turn once more. */
	void (*close)(span_sender *s);
} span_sender_parts;

#endif
