/* SPDX-License-Identifier: MIT */
/* record.c -- blocks of memory, and what the result will repeat: output items
 * and warnings. */
#include "run.h"

block
block_copy(const cm_run *r, text t)
{
	block b = {NULL, t.len};

	/* One byte more, so that an empty text has a block too. */
	b.ptr = mem_resize(r->alloc, NULL, 0, t.len + 1);
	if (b.ptr == NULL)
		return (block){NULL, 0};
	if (t.len > 0)
		memcpy(b.ptr, t.ptr, t.len);
	b.ptr[t.len] = 0;
	return b;
}

block
run_copy(cm_run *r, text t)
{
	block b = block_copy(r, t);

	if (b.ptr == NULL)
		r->status = CM_ENOMEM;
	return b;
}

void
run_drop(cm_run *r, block *b)
{
	if (b->ptr != NULL)
		mem_free(r->alloc, b->ptr, b->len + 1);
	*b = (block){NULL, 0};
}

void
run_keep_status(cm_run *r, const buf *b)
{
	if (b->bad == CM_ENOMEM)
		r->status = CM_ENOMEM;
}

text
block_text(block b)
{
	return (text){b.ptr, b.len};
}

/* One byte more, so that an empty text has a block too. */
static size_t
item_size(const cm_print *item)
{
	return item->text.len + item->mime_type.len + item->extra.len + 1;
}

/* Copies *t to *place, which moves behind it. */
static void
move_text(text *t, char **place)
{
	if (t->len > 0)
		memcpy(*place, t->ptr, t->len);
	t->ptr = *place;
	*place += t->len;
}

void
record_item(cm_run *r, const said *m)
{
	cm_print item = {(cm_print_kind)m->u.print.kind, m->u.print.text,
	    m->u.print.mime, m->u.print.extra};
	char *place = NULL;

	if (!mem_grow(r->alloc, (void **)&r->record.item, &r->record.items_cap,
		r->record.items, sizeof(item)) ||
	    (place = mem_resize(r->alloc, NULL, 0, item_size(&item))) == NULL) {
		r->status = CM_ENOMEM;
		return;
	}
	move_text(&item.text, &place);
	move_text(&item.mime_type, &place);
	move_text(&item.extra, &place);
	r->record.item[r->record.items++] = item;
}

cm_status
record_warning(cm_run *r, text warning)
{
	block b = block_copy(r, warning);

	if (b.ptr == NULL ||
	    !mem_grow(r->alloc, (void **)&r->record.warning,
		&r->record.warnings_cap, r->record.warnings, sizeof(b))) {
		run_drop(r, &b);
		return CM_ENOMEM;
	}
	r->record.warning[r->record.warnings++] = b;
	return CM_OK;
}

cm_status
record_words(cm_run *r, text message)
{
	buf words = BUF_INIT(r->alloc, WORDS_MAX);
	buf b = BUF_INIT(r->alloc, SIZE_MAX / 2);
	cm_status s;

	buf_utf8(&words, message, WORDS_MAX);
	buf_str(&b, "{\"message\":");
	json_string(&b, buf_view(&words));
	buf_byte(&b, '}');
	s = words.bad != CM_OK ? words.bad : b.bad;
	if (s == CM_OK)
		s = record_warning(r, buf_view(&b));
	buf_fini(&words);
	buf_fini(&b);
	return s;
}

void
record_free(cm_run *r)
{
	size_t i;

	for (i = 0; i < r->record.items; i++)
		mem_free(r->alloc, (char *)r->record.item[i].text.ptr,
		    item_size(&r->record.item[i]));
	mem_free(r->alloc, r->record.item,
	    r->record.items_cap * sizeof(*r->record.item));
	for (i = 0; i < r->record.warnings; i++)
		run_drop(r, &r->record.warning[i]);
	mem_free(r->alloc, r->record.warning,
	    r->record.warnings_cap * sizeof(block));
	for (i = 0; i < r->sched.issued; i++) {
		call_record *c = &r->calls.record[i];

		if (c->args != NULL)
			mem_free(r->alloc, c->args, c->arg_bytes + 1);
		if (c->error != NULL)
			mem_free(r->alloc, c->error, c->error_len + 1);
	}
	mem_free(
	    r->alloc, r->calls.record, r->calls.cap * sizeof(*r->calls.record));
	mem_free(
	    r->alloc, r->calls.table, r->sched.cap * sizeof(*r->calls.table));
	mem_free(r->alloc, r->timers.timer,
	    r->timers.cap * sizeof(*r->timers.timer));
}
