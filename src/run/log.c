/* SPDX-License-Identifier: MIT */
/*
 * log.c -- the lines of a record (doc/format/record.md): what the script did,
 * and what it was told, each with the time on the run's clock.
 */
#include "run.h"

static bool
is_logged(const cm_run *r)
{
	return r->given.start.log != NULL;
}

static buf
begin_line(const cm_run *r)
{
	buf b = BUF_INIT(r->alloc, SIZE_MAX / 2);

	buf_byte(&b, '{');
	json_member_uint(&b, "ms", r->clock.now_ms - r->clock.first_ms);
	return b;
}

/* A line break in JSON is white space between tokens: a blank does as well, and
 * the length of the value, which the result tells, stays. */
static void
end_line(cm_run *r, buf *b)
{
	size_t i;

	buf_byte(b, '}');
	for (i = 0; i < b->len; i++)
		if (b->ptr[i] == '\n' || b->ptr[i] == '\r')
			b->ptr[i] = ' ';
	run_keep_status(r, b);
	if (b->bad == CM_OK)
		r->given.start.log(r->given.start.ctx, buf_view(b));
	buf_fini(b);
}

/* Text that may be no UTF-8: a character for each byte, then. */
static void
bytes_member(buf *b, const char *name, const char *name_of_bytes, text t)
{
	char utf8[4];
	size_t i;

	if (utf8_bad(t) == SIZE_MAX) {
		json_member_text(b, name, t);
		return;
	}
	buf wide = BUF_INIT(b->alloc, SIZE_MAX / 2);

	for (i = 0; i < t.len; i++)
		buf_add(&wide, utf8, utf8_put((unsigned char)t.ptr[i], utf8));
	json_member_text(b, name_of_bytes, buf_view(&wide));
	if (wide.bad != CM_OK)
		b->bad = wide.bad;
	buf_fini(&wide);
}

void
log_call(cm_run *r, cm_call_id id, const said *m)
{
	buf b;

	if (!is_logged(r))
		return;
	b = begin_line(r);
	json_member_uint(&b, "call", id);
	json_member_text(
	    &b, "tool", catalog_at(r->catalog, m->u.call.tool)->path);
	json_member_json(&b, "args", m->u.call.args);
	json_member_uint(&b, "line", m->u.call.line);
	end_line(r, &b);
}

void
log_print(cm_run *r, const said *m)
{
	static const char *const name[] = {
	    "text", "console", "image", "audio", "resource"};
	buf b;

	if (!is_logged(r))
		return;
	b = begin_line(r);
	json_member_text(&b, "print", text_of(name[m->u.print.kind]));
	json_member_text(&b, "text", m->u.print.text);
	if (m->u.print.mime.len > 0)
		json_member_text(&b, "mimeType", m->u.print.mime);
	json_member_json(&b, "extra", m->u.print.extra);
	end_line(r, &b);
}

/* Is it JSON, as far as 'run_resolve' takes it? */
static bool
is_usable(text t, json *value)
{
	return json_check(t, RESULT_DEPTH, value, NULL);
}

static void
put_answer(buf *b, const run_event *e)
{
	text t = block_text(e->text[0]);
	json value;

	if (e->too_long > 0)
		json_member_uint(b, "tooLong", e->too_long);
	else if (is_usable(t, &value))
		json_member_json(b, "value", value);
	else if (t.len > 0)
		bytes_member(b, "notJson", "notUtf8", t);
}

static void
put_failure(buf *b, const run_event *e)
{
	text members = block_text(e->text[2]);
	json value;

	json_member(b, "failure");
	buf_byte(b, '{');
	if (e->too_long > 0)
		json_member_uint(b, "tooLong", e->too_long);
	bytes_member(b, "name", "nameBytes", block_text(e->text[0]));
	bytes_member(b, "message", "messageBytes", block_text(e->text[1]));
	if (is_usable(members, &value))
		json_member_json(b, "members", value);
	buf_byte(b, '}');
}

void
log_event(cm_run *r, const run_event *e)
{
	buf b;

	if (!is_logged(r))
		return;
	b = begin_line(r);
	if (e->kind == EVENT_WARN) {
		bytes_member(&b, "warn", "warnBytes", block_text(e->text[0]));
	} else if (e->kind == EVENT_STOPPED) {
		json_member_uint(&b, "stopped", e->call);
	} else {
		json_member_uint(&b, "answer", e->call);
		if (e->kind == EVENT_RESOLVE)
			put_answer(&b, e);
		else
			put_failure(&b, e);
	}
	end_line(r, &b);
}

void
log_cancel(cm_run *r, text reason)
{
	buf b;

	if (!is_logged(r))
		return;
	b = begin_line(r);
	bytes_member(&b, "cancel", "cancelBytes", reason);
	end_line(r, &b);
}

void
log_result(cm_run *r)
{
	buf b;

	if (!is_logged(r))
		return;
	b = begin_line(r);
	json_member(&b, "result");
	buf_byte(&b, '{');
	result_members(&b, r, false);
	buf_byte(&b, '}');
	end_line(r, &b);
}
