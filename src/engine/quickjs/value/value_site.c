/* SPDX-License-Identifier: MIT */
/*
 * site.c -- where a call was made.
 *
 * An Error is made at each call of a tool, for its stack: most are never looked
 * at, and writing the stack's text took a quarter of the whole call. A loop
 * calls from the same place each time, so the last Error is kept with the
 * frames it was made in, and serves again when these are the same: the same
 * functions, at the same instructions.
 */
#include "value_layout.h"

/* The frames that lead to the call that is being made, the innermost first:
 * the tool's own, then those of the script. 0: there are too many. */
static unsigned
site_frames(engine *e, qjs_frame *frame)
{
	uint32_t at = get32(e, e->rt + RT_FRAME);
	unsigned n;

	for (n = 0; at != 0 && n < QJS_FRAMES; n++) {
		frame[n].function = qjs_read64(e, at + FRAME_FUNCTION);
		frame[n].pc = n > 0 ? get32(e, at + FRAME_PC) : 0;
		at = get32(e, at + FRAME_PREVIOUS);
	}
	return at == 0 ? n : 0;
}

static bool
same_frames(const qjs_site *s, const qjs_frame *frame, unsigned n)
{
	unsigned i;

	if (s->frames != n || n == 0)
		return false;
	for (i = 0; i < n; i++)
		if (s->frame[i].function != frame[i].function ||
		    s->frame[i].pc != frame[i].pc)
			return false;
	return true;
}

/* The functions are kept, too: while they live, nothing else has their
 * addresses or those of their code. */
static void
keep_site(engine *e, js error, const qjs_frame *frame, unsigned n)
{
	qjs_site *s = &e->site;
	unsigned i;

	s->error = qjs_dup(e, error);
	for (i = 0; i < n; i++) {
		s->frame[i].function = qjs_dup(e, frame[i].function);
		s->frame[i].pc = frame[i].pc;
		s->frames = i + 1;
	}
}

static void
forget_site(engine *e)
{
	qjs_site old = e->site;

	e->site.frames = 0;
	if (old.frames == 0)
		return;
	qjs_free(e, old.error);
	while (old.frames > 0)
		qjs_free(e, old.frame[--old.frames].function);
}

js
qjs_site_here(engine *e)
{
	qjs_frame frame[QJS_FRAMES];
	unsigned n = site_frames(e, frame);
	js error;

	if (same_frames(&e->site, frame, n))
		return qjs_dup(e, e->site.error);
	forget_site(e);
	error = CALL(e, JS_NewError, e->ctx);
	if (error != JS_EXCEPTION && n > 0)
		keep_site(e, error, frame, n);
	return error;
}
