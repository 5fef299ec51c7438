/* SPDX-License-Identifier: MIT */
/*
 * fence_report.h -- which fences stand around a worker, and why not the rest.
 *
 * A worker sends it once, as text, before it gets a script; see
 * doc/guide/sandbox.md. One line a fence, in the order of fences.def:
 *
 *	environment up
 *	landlock down 38
 *
 * The number is the errno that the kernel gave. Pure: no system calls here.
 */
#ifndef WIRE_FENCE_REPORT_H
#define WIRE_FENCE_REPORT_H

#include "base/buf.h"

typedef enum fence {
#define FENCE(name, when, about) FENCE_##name,
#include "wire/fences.def"
#undef FENCE
	FENCE_COUNT
} fence;

enum {
	FENCE_UP = 0,
	FENCE_UNTRIED = -1,       /* the worker did not try it */
	FENCE_REPORT_BYTES = 1024 /* most bytes of the text    */
};

/* FENCE_UP, FENCE_UNTRIED, or the errno that says why it is down. */
typedef struct fence_report {
	int state[FENCE_COUNT];
} fence_report;

/* All untried. */
void fence_report_init(fence_report *r);

const char *fence_name(fence f);
const char *fence_about(fence f);

/* How many do not stand. */
unsigned fence_report_down(const fence_report *r);
/* "not in this kernel", "not allowed", ... Static. */
const char *fence_why(int state);

void fence_report_write(const fence_report *r, buf *out);
/* Strict: every fence once, in order, nothing else. False: it is no report. */
bool fence_report_read(text t, fence_report *r);

/* For people, one line: "landlock (not in this kernel), network (not allowed)";
 * nothing when all stand. */
void fence_report_say(const fence_report *r, buf *out);

#endif
