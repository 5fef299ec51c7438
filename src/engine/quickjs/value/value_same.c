/* SPDX-License-Identifier: MIT */
/*
 * value_same.c -- equal strings of one text are made once.
 *
 * In a large result most strings occur many times: states, types, units, the
 * names of people and towns. A small table holds the latest ones; the first and
 * last bytes of a string select its slot, and a new string replaces the old one
 * there. This saves a third of the memory of such a result and costs no time.
 * Strings are values, so a script cannot tell.
 */
#include "value_same.h"

#include "base/swar.h"

#include "value_layout.h"

static uint32_t
slot_of(text t)
{
	uint64_t x = t.len;

	if (t.len >= 8)
		x += swar_load(t.ptr) ^ swar_load(t.ptr + t.len - 8) << 1;
	else if (t.len > 0)
		memcpy(&x, t.ptr, t.len);
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(x >> 56) % SAME_SLOTS;
}

/* Gives up the table's reference; most strings have others. */
static void
drop_same(engine *e, same_slot *s)
{
	uint32_t refs;

	if (s->string == 0)
		return;
	refs = get_refs(e, (uint32_t)s->string);
	if (refs > 1)
		set_refs(e, (uint32_t)s->string, refs - 1);
	else
		qjs_free(e, s->string);
	s->string = 0;
}

js
same_ascii(engine *e, same_slot *table, text t)
{
	same_slot *s = &table[slot_of(t)];
	js v;

	if (s->string != 0 && text_eq(s->text, t)) {
		set_refs(e, (uint32_t)s->string,
		    get_refs(e, (uint32_t)s->string) + 1);
		return s->string;
	}
	v = make_ascii(e, t.ptr, t.len);
	if (v == JS_EXCEPTION)
		return v;
	drop_same(e, s);
	set_refs(e, (uint32_t)v, 2);
	*s = (same_slot){t, v};
	return v;
}

void
same_clear(engine *e, same_slot *table)
{
	unsigned i;

	for (i = 0; i < SAME_SLOTS; i++)
		drop_same(e, &table[i]);
}
