/* SPDX-License-Identifier: MIT */
/*
 * prepare.c -- see prepare.h: text checks, the options line, the reading of the
 * text, its edits; or a refusal.
 */
#include "prepare.h"

#include "refuse.h"

/* A tree wants about thirty bytes for a byte of text; what is not a script can
 * have more tokens than any script, and a short one may be read in vain many
 * times (ts_give_up), which takes as much each time. */
enum { TREE_FACTOR = 256, TREE_ROOM = 32 << 20 };

/* Is it text at all, and what does its first line ask for? */
static bool
read_head(source_prepared *p, text t, uint64_t limit)
{
	source_fault fault;

	source_read(t, limit, &p->head, &fault);
	if (fault.code == NULL)
		return true;
	p->fault.code = fault.code;
	memcpy(p->fault.message, fault.message, sizeof(fault.message));
	p->fault.line = fault.line;
	p->fault.column = fault.column;
	return false;
}

static void
make_edits(normal *n, source_prepared *out)
{
	edits e = {n->arena, NULL, 0, 0};
	exported x = {NULL, TEXT_NONE};

	if (n->fenced && refuse_foreign(n, &out->fault))
		return;
	if (n->tree.error_count > 0) {
		if (n->options->plain_last || !main_unnamed(n, &e)) {
			refuse_syntax(n, &out->fault);
			return;
		}
	} else {
		if (refuse_types_only(n, &out->fault) ||
		    !module_edit(n, &e, &x))
			return;
		if (refuse_parameters(n, &out->fault))
			return;
		if (!n->options->plain_last)
			main_edit(n, &e, &x);
	}
	if (n->changed || e.len > 0 || n->tree.span_count > 0 ||
	    n->tree.hashbang > 0)
		normal_write(n, &e, out);
}

static cm_status
prepare_text(const source_options *o, arena *a, source_prepared *p)
{
	uint64_t most = o->budget > 0 ? o->budget : UINT64_MAX, left = most;
	buf own_base = BUF_INIT(p->own_text.alloc, p->own_text.max);
	normal n = {.options = o,
	    .steps = &left,
	    .arena = a,
	    .text = p->text,
	    .base = p->text,
	    .own_text = &p->own_text,
	    .own_base = &own_base,
	    .fault = &p->fault};
	cm_status r = o->raw ? normal_parse(&n) : normal_unwrap(&n);

	if (r != CM_OK)
		goto out;
	p->text = p->code = n.text;
	if (n.changed && !read_head(p, n.base, UINT64_MAX))
		goto out;
	if (n.unescaped && p->head.warning == NULL) {
		p->head.warning =
		    "the script came as HTML writes it (&lt; for <): it was "
		    "read with <, >, & and quotes";
		p->head.warning_line = 1;
	}
	if (!o->raw)
		make_edits(&n, p);
	else if (n.tree.error_count > 0)
		refuse_syntax(&n, &p->fault);
	else
		refuse_parameters(&n, &p->fault);
	r = a->bad == CM_OK ? p->own_code.bad : a->bad;
out:
	p->steps = most - left;
	buf_fini(&own_base);
	return r;
}

cm_status
source_prepare(text given, const source_options *o, const cm_alloc *alloc,
    source_prepared *out)
{
	size_t most = given.len * TREE_FACTOR + TREE_ROOM;
	arena a = ARENA_INIT(alloc, most);
	cm_status r = CM_OK;

	*out = (source_prepared){.text = given,
	    .code = given,
	    .raw = o->raw,
	    .own_text = BUF_INIT(alloc, given.len * 2 + 4096),
	    .own_code = BUF_INIT(alloc, given.len * 2 + 4096)};
	if (read_head(out, given, o->limit))
		r = prepare_text(o, &a, out);
	arena_fini(&a);
	if (r != CM_OK)
		source_prepared_fini(out);
	return r;
}

void
source_prepared_fini(source_prepared *p)
{
	buf_fini(&p->own_text);
	buf_fini(&p->own_code);
	*p =
	    (source_prepared){.own_text = p->own_text, .own_code = p->own_code};
}

cm_status
source_parse(const source_prepared *p, arena *a, js_tree *out)
{
	buf text_of_it = BUF_INIT(a->alloc, p->own_text.max);
	buf base_of_it = BUF_INIT(a->alloc, p->own_text.max);
	source_refusal fault;
	source_options o = {.limit = UINT64_MAX, .raw = p->raw};
	normal n = {.options = &o,
	    .arena = a,
	    .text = p->text,
	    .base = p->text,
	    .own_text = &text_of_it,
	    .own_base = &base_of_it,
	    .fault = &fault};
	cm_status r = o.raw ? normal_parse(&n) : normal_unwrap(&n);

	*out = n.tree;
	buf_fini(&text_of_it);
	buf_fini(&base_of_it);
	return r;
}

/* ------------------------------------------------------------------ places */

uint32_t
source_offset(const source_prepared *p, uint32_t at)
{
	uint32_t off = 0;

	for (size_t i = 0; i < p->shifts; i++) {
		const source_shift *s = &p->shift[i];

		if (s->at <= at)
			off += at - s->at < s->len ? at - s->at : s->len;
	}
	return at - off;
}

static size_t
line_start(text t, uint32_t line)
{
	size_t at = 0;

	while (line > 1 && at < t.len) {
		at = text_find(t, TEXT("\n"), at);
		if (at == SIZE_MAX)
			return t.len;
		at++;
		line--;
	}
	return at;
}

void
source_origin(const source_prepared *p, uint32_t line, uint32_t *column)
{
	size_t start = line_start(p->code, line), at = start + *column - 1;
	uint32_t off = 0;

	if (*column == 0)
		return;
	for (size_t i = 0; i < p->shifts; i++) {
		const source_shift *s = &p->shift[i];

		if (s->at < start || s->at > at)
			continue;
		off += at - s->at < s->len ? (uint32_t)(at - s->at) : s->len;
	}
	*column -= off;
}
