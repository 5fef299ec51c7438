/* SPDX-License-Identifier: MIT */
/*
 * sse.c -- see sse.h. Bytes of a value are copied once, in runs up to the end of
 * the line, however large the value is.
 */
#include "sse.h"

static const char sse_bom[3] = {'\xEF', '\xBB', '\xBF'};

void
sse_init(sse *s, const cm_alloc *alloc, size_t max)
{
	*s = (sse){.retry_ms = UINT64_MAX};
	s->data = BUF_INIT(alloc, max);
	s->type = BUF_INIT(alloc, SSE_NAME_MAX);
	s->id = BUF_INIT(alloc, SSE_ID_MAX);
	s->value = BUF_INIT(alloc, SSE_ID_MAX);
	s->last_id = BUF_INIT(alloc, SSE_ID_MAX);
}

void
sse_fini(sse *s)
{
	buf_fini(&s->data);
	buf_fini(&s->type);
	buf_fini(&s->id);
	buf_fini(&s->value);
	buf_fini(&s->last_id);
}

/* Memory of a large event is given back. */
static void
forget_event(sse *s)
{
	enum { SSE_KEEP = 1 << 20 };

	if (s->data.cap > SSE_KEEP)
		buf_fini(&s->data);
	buf_clear(&s->data);
	buf_clear(&s->type);
	s->delivered = s->has_data = false;
}

static void
begin_sse_line(sse *s)
{
	s->place = SSE_LINE;
	s->field_len = 0;
	buf_clear(&s->value);
}

void
sse_restart(sse *s)
{
	forget_event(s);
	begin_sse_line(s);
	buf_clear(&s->id);
	buf_text(&s->id, buf_view(&s->last_id));
	s->after_cr = false;
	s->bom = 0;
}

/* ------------------------------------------------------------------ fields */

static bool
is_field(const sse *s, text name)
{
	return text_eq((text){s->field, s->field_len}, name);
}

/* Another line of data: a line break stands between them. */
static void
begin_data(sse *s)
{
	if (s->has_data)
		buf_byte(&s->data, '\n');
	s->has_data = true;
}

static void
begin_value(sse *s)
{
	if (is_field(s, TEXT("data")))
		begin_data(s);
	else if (is_field(s, TEXT("event")))
		buf_clear(&s->type);
}

static void
add_value(sse *s, text run)
{
	if (is_field(s, TEXT("data"))) {
		buf_text(&s->data, run);
	} else if (is_field(s, TEXT("event"))) {
		buf_text(
		    &s->type, text_sub(run, 0, SSE_NAME_MAX - s->type.len));
	} else if (s->field_len > 0) {
		buf_text(&s->value, run);
	}
}

static void
set_retry(sse *s, text value)
{
	size_t at = 0;
	uint64_t ms = text_decimal(value, &at);

	if (at > 0 && at == value.len)
		s->retry_ms = ms;
}

static void
end_field(sse *s)
{
	text value = buf_view(&s->value);

	if (s->value.bad != CM_OK)
		return;
	if (is_field(s, TEXT("retry")))
		set_retry(s, value);
	if (!is_field(s, TEXT("id")) ||
	    text_find(value, (text){"", 1}, 0) != SIZE_MAX)
		return;
	buf_clear(&s->id);
	buf_text(&s->id, value);
}

/* ------------------------------------------------------------------- lines */

/* An empty line ends the event. True: it had data. */
static bool
end_event(sse *s, sse_event *e)
{
	buf_clear(&s->last_id);
	buf_text(&s->last_id, buf_view(&s->id));
	if (s->data.len == 0 && s->data.bad == CM_OK) {
		forget_event(s);
		return false;
	}
	s->delivered = true;
	*e = (sse_event){
	    buf_view(&s->type), s->data.ptr, s->data.len, s->data.bad};
	if (e->type.len == 0)
		e->type = TEXT("message");
	if (e->bad != CM_OK)
		e->len = 0;
	return true;
}

static bool
end_sse_line(sse *s, sse_event *e)
{
	bool event = false;

	if (s->place == SSE_LINE && s->field_len > 0)
		begin_value(s);
	if (s->place == SSE_LINE && s->field_len == 0)
		event = end_event(s, e);
	else
		end_field(s);
	begin_sse_line(s);
	return event;
}

/* The name of a field, byte for byte; of a long one, enough to differ from all
 * that are known. */
static void
add_name(sse *s, char c)
{
	if (c == ':') {
		s->place = SSE_VALUE;
		begin_value(s);
	} else if (s->field_len < sizeof(s->field)) {
		s->field[s->field_len++] = c;
	}
}

/* Takes the bytes up to the end of the line. */
static void
take_sse_text(sse *s, text *in)
{
	const char *end = memchr(in->ptr, '\n', in->len);
	size_t n = end ? (size_t)(end - in->ptr) : in->len;

	end = memchr(in->ptr, '\r', n);
	n = end ? (size_t)(end - in->ptr) : n;
	add_value(s, text_sub(*in, 0, n));
	*in = text_sub(*in, n, in->len);
}

/* True: c was part of a byte order mark at the very start. */
static bool
skip_mark(sse *s, char c)
{
	if (s->bom == sizeof(sse_bom))
		return false;
	if (c == sse_bom[s->bom]) {
		s->bom++;
		return true;
	}
	/* What looked like its start is the name of a field that is unknown. */
	while (s->bom > 0 && s->field_len < s->bom)
		s->field[s->field_len++] = '?';
	s->bom = sizeof(sse_bom);
	return false;
}

/* One byte that is not in the middle of a value. */
static bool
take_byte(sse *s, char c, sse_event *e)
{
	bool paired = s->after_cr && c == '\n';

	s->after_cr = c == '\r';
	if (paired || skip_mark(s, c))
		return false;
	if (c == '\n' || c == '\r')
		return end_sse_line(s, e);
	if (s->place == SSE_LINE) {
		add_name(s, c);
		return false;
	}
	s->place = SSE_TEXT;
	if (c != ' ')
		add_value(s, (text){&c, 1});
	return false;
}

bool
sse_next(sse *s, text *in, sse_event *e)
{
	if (s->delivered)
		forget_event(s);
	while (in->len > 0) {
		char c = *in->ptr;

		if (s->place == SSE_TEXT && c != '\n' && c != '\r') {
			take_sse_text(s, in);
			continue;
		}
		*in = text_sub(*in, 1, in->len);
		if (take_byte(s, c, e))
			return true;
	}
	return false;
}
