/* SPDX-License-Identifier: MIT */
/* outbox.c -- see outbox.h. */
#include "outbox.h"

enum { OUTBOX_KEEP = 1 << 20 }; /* a larger buffer is freed when empty */

void
outbox_fini(outbox *o)
{
	buf_fini(&o->bytes);
	o->sent = 0;
}

size_t
outbox_open(outbox *o)
{
	size_t opened = o->bytes.len;

	buf_str(&o->bytes, "{\"jsonrpc\":\"2.0\"");
	return opened;
}

cm_status
outbox_close(outbox *o, size_t opened)
{
	cm_status r;

	buf_str(&o->bytes, "}\n");
	r = o->bytes.bad;
	if (r != CM_OK) {
		o->bytes.len = opened;
		o->bytes.bad = CM_OK;
	}
	return r;
}

text
outbox_waiting(const outbox *o)
{
	return text_sub(buf_view(&o->bytes), o->sent, o->bytes.len);
}

void
outbox_sent(outbox *o, size_t n)
{
	must(n <= o->bytes.len - o->sent);
	buf_sent(&o->bytes, &o->sent, n);
	if (o->bytes.len == 0 && o->bytes.cap > OUTBOX_KEEP)
		buf_fini(&o->bytes);
}
