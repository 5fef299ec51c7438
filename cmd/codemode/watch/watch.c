/* SPDX-License-Identifier: MIT */
/* watch.c -- see watch.h. */
#include "watch.h"

#include "audit.h"
#include "common/monotonic.h"
#include "common/net.h"
#include "spans.h"
#include "trace.h"

enum { NAME_MAX_BYTES = 64 };

bool
watch_open(watch *w, const watch_options *o, bool serving, main_loop *loop,
    redactor *secrets, say *s)
{
	*w = (watch){0};
	return audit_open(o->log, o->log_bytes, loop, secrets, s, &w->audit) &&
	       trace_open(o->trace, secrets, s, &w->trace) &&
	       spans_open(o->otlp, serving, loop, secrets, s, &w->spans);
}

cli_exit
watch_network(const watch_options *o, say *s)
{
	cli_exit code;

	if (net_parts() != NULL || !spans_wanted(o->otlp))
		return CLI_OK;
	code = net_execute(s, "a collector of OpenTelemetry");
	return o->otlp != NULL ? code : CLI_OK;
}

void
watch_close(watch *w)
{
	audit_close(w->audit);
	trace_close(w->trace);
	spans_close(w->spans);
}

bool
watch_on(const watch *w)
{
	return w != NULL &&
	       (w->audit != NULL || w->trace != NULL || w->spans != NULL);
}

unsigned
watch_flags(const watch *w)
{
	return w != NULL && (w->trace != NULL || w->spans != NULL)
		   ? CM_RUN_CALL_LINES
		   : 0;
}

void
watch_parent_read(text t, char out[WATCH_PARENT_MAX])
{
	otlp_context parent;

	memset(out, 0, WATCH_PARENT_MAX);
	if (otlp_parent_read(t, &parent))
		otlp_parent_write(&parent, out);
}

bool
watch_parent(const watch *w, uint32_t script, cm_call_id call,
    char out[WATCH_PARENT_MAX])
{
	return w != NULL && w->spans != NULL &&
	       spans_parent(w->spans, script, call, out);
}

void
watch_tell(const watch *w, watch_event e)
{
	if (!watch_on(w) ||
	    (w->trace == NULL && w->spans == NULL && !audit_takes(e.kind)))
		return;
	e.now_us = monotonic_us();
	if (w->audit != NULL)
		audit_write(w->audit, &e);
	if (w->trace != NULL)
		trace_write(w->trace, &e);
	if (w->spans != NULL)
		spans_write(w->spans, &e);
}

/* ------------------------------------------------------------ for writers */

/* Looks for secrets a little beyond the end of the shown text, so that a secret
 * across that end is found. */
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
	buf plain;

	if (v.len > max) {
		snprintf(head, sizeof(head), "%sHead", name);
		watch_put_text(line, secrets, head, v, max);
		return;
	}
	v = json_without_secrets(secrets, v, &plain);
	if (v.len > 0) {
		json_member(line, name);
		if (memchr(v.ptr, '\n', v.len))
			json_compact(line, v);
		else
			buf_text(line, v);
	}
	buf_fini(&plain);
}
