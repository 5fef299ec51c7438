/* SPDX-License-Identifier: MIT */
/* watch.c -- see watch.h. */
#include "watch.h"

#include "audit.h"
#include "common/monotonic.h"
#include "trace.h"

enum { NAME_MAX_BYTES = 64 };

bool
watch_open(watch *w, const watch_options *o, redactor *secrets, say *s)
{
	*w = (watch){0};
	return audit_open(o->log, o->log_bytes, secrets, s, &w->audit) &&
	       trace_open(o->trace, secrets, s, &w->trace);
}

void
watch_close(watch *w)
{
	audit_close(w->audit);
	trace_close(w->trace);
}

bool
watch_on(const watch *w)
{
	return w != NULL && (w->audit != NULL || w->trace != NULL);
}

unsigned
watch_flags(const watch *w)
{
	return w != NULL && w->trace != NULL ? CM_RUN_CALL_LINES : 0;
}

void
watch_tell(const watch *w, watch_event e)
{
	if (!watch_on(w))
		return;
	e.now_us = monotonic_us();
	if (w->audit != NULL)
		audit_write(w->audit, &e);
	if (w->trace != NULL)
		trace_write(w->trace, &e);
}

/* ------------------------------------------------------------ for writers */

/* Secrets are looked for a little beyond what is shown, so that none is cut
 * where it would be missed. */
static text
beginning_of(text t, size_t max)
{
	return text_head(t, max + 8 * (size_t)REDACT_LONGEST);
}

void
watch_put_text(
    buf *line, redactor *secrets, const char *name, text t, size_t max)
{
	buf plain, cut = BUF_INIT(NULL, SIZE_MAX / 2);

	t = without_secrets(secrets, beginning_of(t, max), &plain);
	buf_utf8(&cut, t, max);
	json_member_text(line, name, buf_view(&cut));
	buf_fini(&cut);
	buf_fini(&plain);
}

void
watch_put_json(
    buf *line, redactor *secrets, const char *name, json v, size_t max)
{
	char head[NAME_MAX_BYTES];
	buf plain, one_line = BUF_INIT(NULL, SIZE_MAX / 2);

	if (v.len > max) {
		snprintf(head, sizeof(head), "%sHead", name);
		watch_put_text(line, secrets, head, v, max);
		return;
	}
	v = json_without_secrets(secrets, v, &plain);
	json_compact(&one_line, v);
	json_member_json(line, name, buf_view(&one_line));
	buf_fini(&one_line);
	buf_fini(&plain);
}
