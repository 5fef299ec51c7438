/* SPDX-License-Identifier: MIT */
/* str.c -- see str.h. */
#include "str.h"

enum { ROPE_MIN = 24 }; /* shorter ones are copied at once */

#define ATOM_GONE UINT32_MAX

ref
str_raw(heap *h, uint32_t len, bool wide)
{
	ref r = heap_new(h, CELL_STRING, str_bytes(len, wide) - 8);
	cell_string *s = CELL(h, r, cell_string);

	s->head.flags = wide ? CELL_WIDE : 0;
	s->len = len;
	s->hash = 0;
	return r;
}

ref
str_of_latin1(heap *h, const char *bytes, uint32_t len)
{
	ref r;

	if (!heap_reserve(h, str_bytes(len, false)))
		return 0;
	r = str_raw(h, len, false);
	if (len > 0)
		memcpy(CELL(h, r, cell_string)->u.narrow, bytes, len);
	return r;
}

ref
str_of_unit(heap *h, uint16_t unit)
{
	ref r;

	if (!heap_reserve(h, str_bytes(1, true)))
		return 0;
	r = str_raw(h, 1, unit > 0xff);
	if (unit > 0xff)
		CELL(h, r, cell_string)->u.wide[0] = unit;
	else
		CELL(h, r, cell_string)->u.narrow[0] = (uint8_t)unit;
	return r;
}

/* Code units of a text, and whether each fits a byte. Three bytes of a lone
 * surrogate are one unit, as in WTF-8. */
static size_t
measure(text t, bool *narrow)
{
	size_t units = 0;

	*narrow = true;
	for (size_t i = 0; i < t.len; units++) {
		unsigned char c = (unsigned char)t.ptr[i];

		if (c > 0xc3)
			*narrow = false;
		units += c >= 0xf0;
		i += c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	}
	return units;
}

static uint32_t
next_point(text t, size_t *at)
{
	const unsigned char *p = (const unsigned char *)t.ptr + *at;

	if (p[0] < 0x80)
		return *at += 1, p[0];
	if (p[0] < 0xe0)
		return *at += 2, (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
	if (p[0] < 0xf0)
		return *at += 3, (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 |
				     (p[2] & 0x3fu);
	return *at += 4, (p[0] & 7u) << 18 | (p[1] & 0x3fu) << 12 |
			     (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
}

ref
str_of_utf8(heap *h, text t)
{
	bool narrow;
	size_t units = measure(t, &narrow), n = 0;
	cell_string *s;
	ref r;

	if (units > STR_MAX ||
	    !heap_reserve(h, str_bytes((uint32_t)units, !narrow)))
		return 0;
	r = str_raw(h, (uint32_t)units, !narrow);
	s = CELL(h, r, cell_string);
	for (size_t i = 0; i < t.len;) {
		uint32_t c = next_point(t, &i);

		if (narrow) {
			s->u.narrow[n++] = (uint8_t)c;
		} else if (c < 0x10000) {
			s->u.wide[n++] = (uint16_t)c;
		} else {
			s->u.wide[n++] =
			    (uint16_t)(0xd800 + ((c - 0x10000) >> 10));
			s->u.wide[n++] =
			    (uint16_t)(0xdc00 + ((c - 0x10000) & 0x3ff));
		}
	}
	return r;
}

/* ------------------------------------------------------------------- ropes */

static void
copy_units(cell_string *to, uint32_t at, const cell_string *from,
    uint32_t first, uint32_t len)
{
	bool wide = to->head.flags & CELL_WIDE;

	if (wide && from->head.flags & CELL_WIDE)
		memcpy(to->u.wide + at, from->u.wide + first, (size_t)len * 2);
	else if (!wide)
		memcpy(to->u.narrow + at, from->u.narrow + first, len);
	else
		for (uint32_t i = 0; i < len; i++)
			to->u.wide[at + i] = from->u.narrow[first + i];
}

/* A rope that was made flat is its left side. */
static ref
without_ropes(const heap *h, ref r)
{
	const cell_string *s = CELL(h, r, cell_string);

	return s->head.kind == CELL_ROPE && s->u.rope.right == 0
		   ? s->u.rope.left
		   : r;
}

ref
str_concat(heap *h, value *left, value *right)
{
	uint32_t a = str_len(h, v_ref(*left)), b = str_len(h, v_ref(*right));
	cell_string *s, *l, *m;
	bool wide;
	ref r;

	if (a == 0 || b == 0)
		return a == 0 ? v_ref(*right) : v_ref(*left);
	if ((uint64_t)a + b > STR_MAX ||
	    !heap_reserve(h, str_bytes(ROPE_MIN, true)))
		return 0;
	l = CELL(h, v_ref(*left), cell_string);
	m = CELL(h, v_ref(*right), cell_string);
	wide = (l->head.flags | m->head.flags) & CELL_WIDE;
	if (a + b < ROPE_MIN && l->head.kind == CELL_STRING &&
	    m->head.kind == CELL_STRING) {
		r = str_raw(h, a + b, wide);
		s = CELL(h, r, cell_string);
		copy_units(s, 0, CELL(h, v_ref(*left), cell_string), 0, a);
		copy_units(s, a, CELL(h, v_ref(*right), cell_string), 0, b);
		return r;
	}
	r = heap_new(h, CELL_ROPE, sizeof(cell_string));
	s = CELL(h, r, cell_string);
	s->head.flags = wide ? CELL_WIDE : 0;
	s->len = a + b;
	s->hash = 0;
	s->u.rope.left = without_ropes(h, v_ref(*left));
	s->u.rope.right = without_ropes(h, v_ref(*right));
	return r;
}

/*
 * Written from the end: the right side of each rope first. What is left of it
 * waits in the rope's own .hash, chained, so that no depth of ropes needs a
 * stack.
 */
static void
write_rope(heap *h, ref rope, cell_string *to)
{
	uint32_t at = to->len;
	ref r = rope, waiting = 0;

	for (;;) {
		cell_string *s = CELL(h, r, cell_string);

		if (s->head.kind == CELL_ROPE && s->u.rope.right != 0) {
			s->hash = waiting;
			waiting = r;
			r = s->u.rope.right;
			continue;
		}
		if (s->head.kind == CELL_ROPE) {
			r = s->u.rope.left;
			continue;
		}
		at -= s->len;
		copy_units(to, at, s, 0, s->len);
		if (waiting == 0)
			return;
		s = CELL(h, waiting, cell_string);
		waiting = s->hash;
		s->hash = 0;
		r = s->u.rope.left;
	}
}

bool
str_flatten(heap *h, value *v)
{
	cell_string *s = CELL(h, v_ref(*v), cell_string);
	bool wide = s->head.flags & CELL_WIDE;
	ref flat;

	if (s->head.kind == CELL_STRING)
		return true;
	if (s->u.rope.right == 0) {
		*v = v_of_string(s->u.rope.left);
		return true;
	}
	if (!heap_reserve(h, str_bytes(s->len, wide)))
		return false;
	s = CELL(h, v_ref(*v), cell_string);
	flat = str_raw(h, s->len, wide);
	write_rope(h, v_ref(*v), CELL(h, flat, cell_string));
	s = CELL(h, v_ref(*v), cell_string);
	s->u.rope.left = flat;
	s->u.rope.right = 0;
	*v = v_of_string(flat);
	return true;
}

static bool
all_narrow(const cell_string *s, uint32_t from, uint32_t to)
{
	if (!(s->head.flags & CELL_WIDE))
		return true;
	while (from < to && s->u.wide[from] <= 0xff)
		from++;
	return from == to;
}

ref
str_sub(heap *h, value *v, uint32_t from, uint32_t to)
{
	cell_string *s, *sub;
	bool wide;
	ref r;

	s = CELL(h, v_ref(*v), cell_string);
	if (from == 0 && to == s->len)
		return v_ref(*v);
	if (!heap_reserve(h, str_bytes(to - from, true)))
		return 0;
	s = CELL(h, v_ref(*v), cell_string);
	wide = !all_narrow(s, from, to);
	r = str_raw(h, to - from, wide);
	s = CELL(h, v_ref(*v), cell_string);
	sub = CELL(h, r, cell_string);
	if (wide || !(s->head.flags & CELL_WIDE))
		copy_units(sub, 0, s, from, to - from);
	else
		for (uint32_t i = from; i < to; i++)
			sub->u.narrow[i - from] = (uint8_t)s->u.wide[i];
	return r;
}

/* --------------------------------------------------------------- comparing */

static uint32_t
hash_end(uint32_t x)
{
	x ^= x >> 15;
	return x ? x : 1;
}

static uint32_t
hash_bytes(const uint8_t *bytes, uint32_t len)
{
	uint32_t x = 2166136261u;

	for (uint32_t i = 0; i < len; i++)
		x = (x ^ bytes[i]) * 16777619u;
	return hash_end(x);
}

uint32_t
str_hash(cell_string *s)
{
	uint32_t x = 2166136261u;

	if (s->hash != 0)
		return s->hash;
	if (!(s->head.flags & CELL_WIDE))
		return s->hash = hash_bytes(s->u.narrow, s->len);
	for (uint32_t i = 0; i < s->len; i++)
		x = (x ^ s->u.wide[i]) * 16777619u;
	return s->hash = hash_end(x);
}

bool
str_equal(const cell_string *a, const cell_string *b)
{
	if (a->len != b->len)
		return false;
	if ((a->head.flags & CELL_WIDE) == (b->head.flags & CELL_WIDE))
		return memcmp(a->u.narrow, b->u.narrow,
			   (size_t)a->len *
			       (a->head.flags & CELL_WIDE ? 2 : 1)) == 0;
	for (uint32_t i = 0; i < a->len; i++)
		if (str_unit(a, i) != str_unit(b, i))
			return false;
	return true;
}

int
str_compare(const cell_string *a, const cell_string *b)
{
	uint32_t n = a->len < b->len ? a->len : b->len;

	for (uint32_t i = 0; i < n; i++)
		if (str_unit(a, i) != str_unit(b, i))
			return str_unit(a, i) < str_unit(b, i) ? -1 : 1;
	return a->len < b->len ? -1 : a->len > b->len;
}

bool
str_index(const cell_string *s, uint32_t *index)
{
	uint64_t n = 0;

	if (s->len == 0 || s->len > 10 || (s->len > 1 && str_unit(s, 0) == '0'))
		return false;
	for (uint32_t i = 0; i < s->len; i++) {
		uint16_t c = str_unit(s, i);

		if (c < '0' || c > '9')
			return false;
		n = n * 10 + (c - '0');
	}
	*index = (uint32_t)n;
	return n < UINT32_MAX;
}

void
str_put(const cell_string *s, bool wtf8, buf *out)
{
	for (uint32_t i = 0; i < s->len; i++) {
		uint32_t c = str_unit(s, i), d;
		char bytes[4];

		if (c < 0x80) {
			buf_byte(out, (char)c);
			continue;
		}
		d = i + 1 < s->len ? str_unit(s, i + 1) : 0;
		if (c >= 0xd800 && c < 0xdc00 && d >= 0xdc00 && d < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00);
			i++;
		} else if (c >= 0xd800 && c < 0xe000 && !wtf8) {
			c = 0xfffd;
		}
		if (c >= 0xd800 && c < 0xe000) {
			bytes[0] = (char)(0xe0 | c >> 12);
			bytes[1] = (char)(0x80 | (c >> 6 & 0x3f));
			bytes[2] = (char)(0x80 | (c & 0x3f));
			buf_add(out, bytes, 3);
		} else {
			buf_add(out, bytes, utf8_put(c, bytes));
		}
	}
}

/* ------------------------------------------------------------------- atoms */

static bool
grow_atoms(heap *h, atoms *all)
{
	uint32_t cap = all->cap ? all->cap * 2 : 64, len = 0;
	ref *at = mem_new(h->alloc, cap * sizeof(*at));

	if (at == NULL)
		return false;
	for (uint32_t i = 0; i < all->cap; i++) {
		uint32_t k;

		if (all->at[i] == 0 || all->at[i] == ATOM_GONE)
			continue;
		len++;
		k = str_hash(CELL(h, all->at[i], cell_string)) & (cap - 1);
		while (at[k] != 0)
			k = (k + 1) & (cap - 1);
		at[k] = all->at[i];
	}
	mem_free(h->alloc, all->at, all->cap * sizeof(*at));
	all->at = at;
	all->cap = cap;
	all->len = len;
	return true;
}

ref
atom_of(heap *h, atoms *all, value *v)
{
	cell_string *s = CELL(h, v_ref(*v), cell_string);
	uint32_t k, index;

	if (s->head.flags & CELL_ATOM)
		return v_ref(*v);
	if (!str_flatten(h, v) ||
	    (all->len * 2 >= all->cap && !grow_atoms(h, all)))
		return 0;
	s = CELL(h, v_ref(*v), cell_string);
	k = str_hash(s) & (all->cap - 1);
	while (all->at[k] != 0) {
		const cell_string *have;

		if (all->at[k] == ATOM_GONE) {
			k = (k + 1) & (all->cap - 1);
			continue;
		}
		have = CELL(h, all->at[k], cell_string);
		if (have->hash == s->hash && str_equal(have, s))
			return all->at[k];
		k = (k + 1) & (all->cap - 1);
	}
	s->head.flags |= CELL_ATOM;
	if (str_index(s, &index) && index <= INT32_MAX)
		s->head.flags |= CELL_INDEX;
	all->at[k] = v_ref(*v);
	all->len++;
	return v_ref(*v);
}

ref
atom_lookup(const heap *h, const atoms *all, cell_string *s)
{
	uint32_t k;

	if (all->cap == 0)
		return 0;
	k = str_hash(s) & (all->cap - 1);
	for (; all->at[k] != 0; k = (k + 1) & (all->cap - 1)) {
		const cell_string *have;

		if (all->at[k] == ATOM_GONE)
			continue;
		have = CELL(h, all->at[k], cell_string);
		if (have->hash == s->hash && str_equal(have, s))
			return all->at[k];
	}
	return 0;
}

ref
atom_known(const heap *h, const atoms *all, const uint8_t *bytes, uint32_t len)
{
	uint32_t x = hash_bytes(bytes, len), k = x & (all->cap - 1);

	if (all->cap == 0)
		return 0;
	for (; all->at[k] != 0; k = (k + 1) & (all->cap - 1)) {
		const cell_string *have;

		if (all->at[k] == ATOM_GONE)
			continue;
		have = CELL(h, all->at[k], cell_string);
		if (have->hash == x && have->len == len &&
		    !(have->head.flags & CELL_WIDE) &&
		    memcmp(have->u.narrow, bytes, len) == 0)
			return all->at[k];
	}
	return 0;
}

ref
atom_of_text(heap *h, atoms *all, text t)
{
	ref r = str_of_latin1(h, t.ptr, (uint32_t)t.len);
	value v = v_of_string(r);

	return r ? atom_of(h, all, &v) : 0;
}

/* The place of one that died stays taken, so that those behind it are found. */
void
atoms_sweep(heap *h, atoms *all)
{
	for (uint32_t i = 0; i < all->cap; i++) {
		if (all->at[i] == 0 || all->at[i] == ATOM_GONE)
			continue;
		if (heap_is_dead(h, all->at[i]))
			all->at[i] = ATOM_GONE;
		else
			heap_visit_ref(h, &all->at[i]);
	}
}

void
atoms_fini(heap *h, atoms *all)
{
	mem_free(h->alloc, all->at, all->cap * sizeof(*all->at));
	*all = (atoms){NULL, 0, 0};
}
