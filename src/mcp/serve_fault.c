/* SPDX-License-Identifier: MIT */
/*
 * serve_fault.c -- an error for a reader: all that the script's error had.
 */
#include "serve_tool.h"

enum {
	MESSAGE_MAX = 4000,
	FIELDS_MAX = 2000,
	FRAMES_MAX = 10,
	ERRORS_MAX = 10, /* as many as the environment describes */
};

void
serve_put_head(buf *out, text t, size_t max)
{
	text head = text_head(t, max);

	buf_text(out, head);
	if (head.len < t.len)
		buf_str(out, " ...");
}

/* "TypeError: it is gone (tools.a.b)" */
static void
put_words(buf *out, text name, text message, text tool)
{
	buf_text(out, name);
	if (name.len > 0 && message.len > 0)
		buf_str(out, ": ");
	serve_put_head(out, message, MESSAGE_MAX);
	if (tool.len > 0)
		buf_printf(out, " (tools.%.*s)", TEXT_ARG(tool));
}

static void
put_fields(buf *out, json fields)
{
	if (fields.len == 0)
		return;
	buf_str(out, "\n  with ");
	serve_put_head(out, fields, FIELDS_MAX);
}

/* The frames below the first, which the excerpt shows. */
static void
put_frames(buf *out, text stack)
{
	text line;
	size_t frames = 0;

	while (text_line(&stack, &line)) {
		line = text_trim(line);
		if (!text_starts(line, TEXT("at ")) || frames++ > FRAMES_MAX ||
		    frames == 1)
			continue;
		if (frames > FRAMES_MAX)
			buf_str(out, "\n  ...");
		else
			buf_printf(out, "\n  called %.*s", TEXT_ARG(line));
	}
}

/* A cause, or one error of several, as a result tells it; on one line, and its
 * fields on another. */
static void
put_inner(buf *out, json error)
{
	buf name = BUF_INIT(out->alloc, out->max);
	buf message = BUF_INIT(out->alloc, out->max);
	buf tool = BUF_INIT(out->alloc, out->max);

	json_unescape(json_get(error, TEXT("name")), &name);
	json_unescape(json_get(error, TEXT("message")), &message);
	json_unescape(json_get(error, TEXT("tool")), &tool);
	put_words(out, buf_view(&name), buf_view(&message), buf_view(&tool));
	if (!text_eq(buf_view(&message), json_get(error, TEXT("fields"))))
		put_fields(out, json_get(error, TEXT("fields")));
	buf_fini(&name);
	buf_fini(&message);
	buf_fini(&tool);
}

static void
put_errors(buf *out, json errors)
{
	json_iter it = json_each(errors);
	json error;
	size_t n = 0;

	while (n < ERRORS_MAX && json_next(&it, NULL, &error)) {
		buf_printf(out, "\n  %zu. ", ++n);
		put_inner(out, error);
	}
}

void
serve_put_fault(buf *out, const cm_fault *f)
{
	put_words(out, f->name, f->message, f->tool);
	if (f->excerpt.len > 0) {
		buf_byte(out, '\n');
		buf_text(out, f->excerpt);
	}
	put_frames(out, f->stack);
	if (!text_eq(f->message, f->fields))
		put_fields(out, f->fields);
	put_errors(out, f->errors);
	for (json c = f->cause; c.len > 0; c = json_get(c, TEXT("cause"))) {
		buf_str(out, "\ncaused by ");
		put_inner(out, c);
		put_errors(out, json_get(c, TEXT("errors")));
	}
}
