/* SPDX-License-Identifier: MIT */
/*
 * type_union.c -- unions of types, each member once; enums are unions of
 * literals.
 */
#include "type_write.h"

#include "base/mem.h"

type_union
type_union_start(const typing *t)
{
	return (type_union){.start = t->out->len};
}

size_t
type_union_open(typing *t, const type_union *u)
{
	if (u->len)
		buf_str(t->out, " | ");
	return t->out->len;
}

static bool
union_has(const typing *t, const type_union *u, text member)
{
	text all = buf_view(t->out);

	for (size_t i = 0; i < u->len; i++)
		if (text_eq(
			text_sub(all, u->list[i].from, u->list[i].to), member))
			return true;
	return false;
}

bool
type_union_close(typing *t, type_union *u, size_t from)
{
	text member = text_sub(buf_view(t->out), from, SIZE_MAX);

	if (text_eq(member, TEXT("unknown"))) {
		type_take_back(t, u->start);
		type_word(t, "unknown");
		u->len = u->width = 1;
		return false;
	}
	if (union_has(t, u, member)) {
		type_take_back(t, from - (u->len ? 3 : 0));
		return true;
	}
	if (!mem_grow(t->out->alloc, (void **)&u->list, &u->cap, u->len,
		sizeof(*u->list))) {
		t->out->bad = CM_ENOMEM;
		return false;
	}
	u->list[u->len++] = (type_span){from, t->out->len};
	u->width += t->width;
	return true;
}

type_shape
type_union_end(typing *t, type_union *u)
{
	type_shape shape = u->len > 1 ? TS_OR : TS_ATOM;

	if (u->len == 0)
		type_word(t, "never");
	else
		t->width = u->width;
	mem_free(t->out->alloc, u->list, u->cap * sizeof(*u->list));
	return shape;
}

/* -------------------------------------------------------------- enums */

/* The kinds of the values that are not listed, and how many these are. */
static void
write_unlisted(typing *t, type_union *u, json_iter it, size_t count)
{
	json v;

	while (!t->out->bad && json_next(&it, NULL, &v)) {
		size_t from = type_union_open(t, u);

		type_word(t, type_wide(v));
		type_union_close(t, u, from);
	}
	buf_printf(t->out, " /* \xe2\x80\xa6 %zu more */", count);
}

type_shape
type_enum(typing *t, json values)
{
	size_t count = json_len(values), listed = t->detail->enums;
	json_iter it = json_each(values);
	type_union u = type_union_start(t);
	json v;

	/* A comment that saves less than it takes is not worth it. */
	if (count < listed + 3)
		listed = count;
	for (size_t i = 0; i < listed && json_next(&it, NULL, &v); i++) {
		size_t from = type_union_open(t, &u);

		type_literal(t->out, v);
		t->width = 1;
		type_union_close(t, &u, from);
		if (t->out->bad)
			break;
	}
	if (listed < count)
		write_unlisted(t, &u, it, count - listed);
	return type_union_end(t, &u);
}
