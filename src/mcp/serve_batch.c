/* SPDX-License-Identifier: MIT */
/*
 * serve_batch.c -- lists of messages, which one revision has: the answers to
 * one list are sent as one list, once the last of them is there.
 */
#include "serve_machine.h"

enum { ANSWERS_MAX = 256 << 20 };

static batch *
batch_numbered(mcp_server *s, uint32_t number)
{
	for (size_t i = 0; i < s->batch_len; i++)
		if (s->batch[i].number == number)
			return &s->batch[i];
	return NULL;
}

bool
serve_batch_begin(mcp_server *s, json list)
{
	if (!mem_grow(s->alloc, (void **)&s->batch, &s->batch_cap, s->batch_len,
		sizeof(*s->batch))) {
		serve_say_error(
		    s, TEXT_NONE, SERVE_BROKEN, TEXT("Out of memory"));
		return false;
	}
	s->unread = json_each(list);
	s->batch[s->batch_len++] = (batch){.number = ++s->last_batch,
	    .channel = s->to.channel,
	    .answers = BUF_INIT(s->alloc, ANSWERS_MAX)};
	return true;
}

/* Sends the answers of a batch that nothing more comes to. */
static void
end_batch(mcp_server *s, batch *b)
{
	buf *out = &s->out.bytes;
	size_t before = out->len;

	if (!b->read || b->open > 0)
		return;
	if (b->answers.len > 0) {
		buf_byte(out, '[');
		buf_text(out, buf_view(&b->answers));
		buf_str(out, "]\n");
	}
	if (out->bad != CM_OK) {
		out->len = before;
		out->bad = CM_OK;
	}
	serve_mark(s, before, b->channel, true);
	buf_fini(&b->answers);
	s->batch_len--;
	memmove(b, b + 1, (size_t)(s->batch + s->batch_len - b) * sizeof(*b));
}

bool
serve_batch_next(mcp_server *s, json *message)
{
	batch *b = batch_numbered(s, s->last_batch);

	if (b == NULL || b->read)
		return false;
	s->to = (serve_where){b->channel, b->number};
	if (json_next(&s->unread, NULL, message))
		return true;
	b->read = true;
	s->to.batch = 0;
	end_batch(s, b);
	return false;
}

void
serve_batch_opened(mcp_server *s, uint32_t number)
{
	if (number)
		batch_numbered(s, number)->open++;
}

void
serve_batch_closed(mcp_server *s, uint32_t number)
{
	batch *b = number ? batch_numbered(s, number) : NULL;

	if (b == NULL)
		return;
	b->open--;
	end_batch(s, b);
}

cm_status
serve_batch_take(mcp_server *s, size_t opened)
{
	batch *b = s->to.batch ? batch_numbered(s, s->to.batch) : NULL;
	buf *out = &s->out.bytes;
	size_t before;
	cm_status r;

	if (b == NULL)
		return CM_OK;
	before = b->answers.len;
	if (before > 0)
		buf_byte(&b->answers, ',');
	buf_text(&b->answers, text_sub(buf_view(out), opened, out->len - 1));
	out->len = opened;
	if ((r = b->answers.bad) != CM_OK) {
		b->answers.len = before;
		b->answers.bad = CM_OK;
	}
	return r;
}

void
serve_batch_fini(mcp_server *s)
{
	for (size_t i = 0; i < s->batch_len; i++)
		buf_fini(&s->batch[i].answers);
	mem_free(s->alloc, s->batch, s->batch_cap * sizeof(*s->batch));
}
