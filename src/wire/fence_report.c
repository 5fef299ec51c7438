/* SPDX-License-Identifier: MIT */
/* fence_report.c -- see fence_report.h. */
#include "fence_report.h"

#include <errno.h>

static const struct {
	const char *name, *about;
} fences[FENCE_COUNT] = {
#define FENCE(name, when, about) {#name, about},
#include "wire/fences.def"
#undef FENCE
};

/* The usual refusals in words. */
static const struct {
	int state;
	const char *why;
} reasons[] = {
    {FENCE_UP, "up"},
    {FENCE_UNTRIED, "not tried"},
    {ENOSYS, "not in this kernel"},
    {EOPNOTSUPP, "switched off in this kernel"},
    {EINVAL, "this kernel does not know it"},
    {EPERM, "not allowed here"},
    {EACCES, "not allowed here"},
    {ENOSPC, "no more of them allowed here"},
    {EUSERS, "no more of them allowed here"},
    {ENOMEM, "out of memory"},
    {EEXIST, "it was not started empty"},
};

enum { ERRNO_DIGITS = 5 };

void
fence_report_init(fence_report *r)
{
	for (unsigned i = 0; i < FENCE_COUNT; i++)
		r->state[i] = FENCE_UNTRIED;
}

const char *
fence_name(fence f)
{
	return fences[f].name;
}

const char *
fence_about(fence f)
{
	return fences[f].about;
}

unsigned
fence_report_down(const fence_report *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < FENCE_COUNT; i++)
		n += r->state[i] != FENCE_UP;
	return n;
}

const char *
fence_why(int state)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].state == state)
			return reasons[i].why;
	return "refused by this kernel";
}

void
fence_report_write(const fence_report *r, buf *out)
{
	for (unsigned i = 0; i < FENCE_COUNT; i++) {
		if (r->state[i] == FENCE_UP)
			buf_printf(out, "%s up\n", fences[i].name);
		else
			buf_printf(
			    out, "%s down %d\n", fences[i].name, r->state[i]);
	}
}

/* ------------------------------------------------------------- reading */

static bool
skip_prefix(text *t, text prefix)
{
	if (!text_starts(*t, prefix))
		return false;
	*t = text_sub(*t, prefix.len, t->len);
	return true;
}

/* A positive errno, or FENCE_UNTRIED. */
static bool
read_state(text t, int *state)
{
	int n = 0;

	if (text_eq(t, TEXT("-1"))) {
		*state = FENCE_UNTRIED;
		return true;
	}
	if (t.len == 0 || t.len > ERRNO_DIGITS || t.ptr[0] == '0')
		return false;
	for (size_t i = 0; i < t.len; i++) {
		if (t.ptr[i] < '0' || t.ptr[i] > '9')
			return false;
		n = n * 10 + (t.ptr[i] - '0');
	}
	*state = n;
	return true;
}

static bool
read_fence(text line, fence f, int *state)
{
	if (!skip_prefix(&line, text_of(fences[f].name)))
		return false;
	*state = FENCE_UP;
	return text_eq(line, TEXT(" up")) ||
	       (skip_prefix(&line, TEXT(" down ")) && read_state(line, state));
}

bool
fence_report_read(text t, fence_report *r)
{
	text line;

	fence_report_init(r);
	for (unsigned i = 0; i < FENCE_COUNT; i++)
		if (!text_line(&t, &line) ||
		    !read_fence(line, (fence)i, &r->state[i]))
			return false;
	return t.len == 0;
}

void
fence_report_say(const fence_report *r, buf *out)
{
	const char *between = "";

	for (unsigned i = 0; i < FENCE_COUNT; i++) {
		if (r->state[i] == FENCE_UP)
			continue;
		buf_printf(out, "%s%s (%s)", between, fences[i].name,
		    fence_why(r->state[i]));
		between = ", ";
	}
}
