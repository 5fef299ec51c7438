/* SPDX-License-Identifier: MIT */
/*
 * serve_fault.c -- an error for a reader: all that the script's error had.
 */
#include "serve_tool.h"

#include "shrink/shrink.h"

enum {
	MESSAGE_MAX = 4000,
	FIELDS_MAX = 2000,
	FRAMES_MAX = 10,
	ERRORS_MAX = 11, /* as many as the environment describes */
	INDENT_MAX = 40, /* blanks: errors of errors of errors ... */
};

void
serve_put_head(buf *out, text t, size_t max)
{
	text head = text_head(t, max);

	buf_text(out, head);
	if (head.len < t.len)
		buf_str(out, " ...");
}

/* "TypeError: it is gone (tools.a.b)"; the tool only where the message does not
 * begin with it. */
static void
put_words(buf *out, text name, text message, text tool)
{
	text rest = text_starts(message, TEXT("tools."))
			? text_sub(message, 6, message.len)
			: (text){NULL, 0};

	buf_text(out, name);
	if (name.len > 0 && message.len > 0)
		buf_str(out, ": ");
	serve_put_head(out, message, MESSAGE_MAX);
	if (tool.len > 0 && !text_starts(rest, tool))
		buf_printf(out, " (tools.%.*s)", TEXT_ARG(tool));
}

/* On a new line, after so many blanks. What is too long is cut as values are. */
static void
put_fields(buf *out, json fields, text message, int indent)
{
	buf notes = BUF_INIT(out->alloc, 1000);

	if (fields.len == 0 || text_eq(fields, message))
		return;
	buf_printf(out, "\n%*s", indent, "");
	buf_str(out, "with ");
	if (json_shrink(out, fields, FIELDS_MAX, &notes) > 0)
		buf_printf(
		    out, " (left out: %.*s)", TEXT_ARG(buf_view(&notes)));
	buf_fini(&notes);
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

static void put_errors(buf *out, json errors, int indent);

/* A cause, or one error of several, as a result tells it: what is below it is
 * indented by so many blanks. */
static void
put_inner(buf *out, json error, int indent)
{
	buf name = BUF_INIT(out->alloc, out->max);
	buf message = BUF_INIT(out->alloc, out->max);
	buf tool = BUF_INIT(out->alloc, out->max);
	json cause = json_get(error, TEXT("cause"));

	json_unescape(json_get(error, TEXT("name")), &name);
	json_unescape(json_get(error, TEXT("message")), &message);
	json_unescape(json_get(error, TEXT("tool")), &tool);
	put_words(out, buf_view(&name), buf_view(&message), buf_view(&tool));
	put_fields(out, json_get(error, TEXT("fields")), buf_view(&message),
	    indent + 2);
	buf_fini(&name);
	buf_fini(&message);
	buf_fini(&tool);
	put_errors(out, json_get(error, TEXT("errors")), indent + 2);
	if (cause.len > 0 && indent <= INDENT_MAX) {
		buf_printf(out, "\n%*scaused by ", indent, "");
		put_inner(out, cause, indent);
	}
}

/* Each on a line of its own, numbered. */
static void
put_errors(buf *out, json errors, int indent)
{
	json_iter it = json_each(errors);
	json error;
	size_t n = 0;

	while (n < ERRORS_MAX && indent <= INDENT_MAX &&
	       json_next(&it, NULL, &error)) {
		buf_printf(out, "\n%*s%zu. ", indent, "", ++n);
		put_inner(out, error, indent + 3);
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
	put_fields(out, f->fields, f->message, 2);
	put_errors(out, f->errors, 2);
	if (f->cause.len > 0) {
		buf_str(out, "\ncaused by ");
		put_inner(out, f->cause, 0);
	}
}
