/* SPDX-License-Identifier: MIT */
/* native_replace.c -- replace, match and split, for strings and for plain
 * regexps: see natives_regexp.def. */
#include "native_regexp.h"

#define PIECE (&m->temp[29])

/* --------------------------------------------------------------------- hits */

/* Matches: 2 * groups places of each. */
typedef struct hits {
	uint32_t *at;
	size_t len, cap; /* places */
	uint32_t groups;
} hits;

static bool
add_hit(vm *m, hits *all, const uint32_t *found)
{
	for (size_t i = 0; i < 2 * (size_t)all->groups; i++) {
		if (!mem_grow(m->alloc, (void **)&all->at, &all->cap, all->len,
			sizeof(*all->at)))
			return vm_throw_memory(m), false;
		all->at[all->len++] = found[i];
	}
	return true;
}

static size_t
hit_count(const hits *all)
{
	return all->len / (2 * (size_t)all->groups);
}

static void
drop_hits(vm *m, hits *all)
{
	mem_free(m->alloc, all->at, all->cap * sizeof(*all->at));
}

/* AdvanceStringIndex */
static uint32_t
next_index(const cell_string *s, uint32_t i, bool unicode)
{
	if (unicode && i + 1 < s->len && (str_unit(s, i) & 0xfc00) == 0xd800 &&
	    (str_unit(s, i + 1) & 0xfc00) == 0xdc00)
		return i + 2;
	return i + 1;
}

/* What a plain regexp matches: all of it with g, else one. False: thrown. */
static bool
find_hits(vm *m, value *rx, value *subject, hits *all)
{
	unsigned flags = regexp_flags(m, *rx);
	bool unicode = flags & (RX_UNICODE | RX_SETS);
	regexp *e;
	value *last = object_slot(H(m), v_ref(*rx), 0);
	int found;

	if (flags & RX_GLOBAL)
		*last = v_of_int(0);
	do {
		found = regexp_step(m, rx, subject, &e);
		if (found <= 0)
			return found == 0;
		all->groups = e->groups;
		if (!add_hit(m, all, e->found))
			return false;
		if (e->found[1] == e->found[0] && flags & RX_GLOBAL)
			*object_slot(H(m), v_ref(*rx), 0) =
			    v_of_int((int32_t)next_index(
				STR(m, *subject), e->found[1], unicode));
	} while (flags & RX_GLOBAL);
	return true;
}

/* Where a string is in another one; UINT32_MAX: nowhere from there on. */
static uint32_t
find_text(const cell_string *s, const cell_string *what, uint32_t from)
{
	if (what->len > s->len)
		return UINT32_MAX;
	for (uint32_t i = from; i <= s->len - what->len; i++) {
		uint32_t k = 0;

		while (k < what->len && str_unit(s, i + k) == str_unit(what, k))
			k++;
		if (k == what->len)
			return i;
	}
	return UINT32_MAX;
}

static bool
find_text_hits(vm *m, value subject, value what, bool every, hits *all)
{
	const cell_string *s = STR(m, subject), *w = STR(m, what);
	uint32_t at = find_text(s, w, 0), step = w->len ? w->len : 1;

	all->groups = 1;
	while (at != UINT32_MAX) {
		uint32_t found[2] = {at, at + w->len};

		if (!add_hit(m, all, found))
			return false;
		if (!every || at + step > s->len)
			break;
		at = find_text(s, w, at + step);
	}
	return vm_steps(m, s->len / 16);
}

/* ------------------------------------------------------------------- output */

/* A string that is measured first (.to NULL), then written. */
typedef struct output {
	cell_string *to;
	uint64_t len;
	bool wide;
} output;

static void
put_part(output *o, const cell_string *s, uint32_t from, uint32_t to)
{
	bool wide = s->head.flags & CELL_WIDE;

	if (o->to == NULL) {
		o->wide |= wide && to > from;
	} else if (!o->wide) {
		memcpy(o->to->u.narrow + o->len,
		    wide ? s->u.narrow : s->u.narrow + from, to - from);
	} else if (wide) {
		memcpy(o->to->u.wide + o->len, s->u.wide + from,
		    (size_t)(to - from) * 2);
	} else {
		for (uint32_t i = from; i < to; i++)
			o->to->u.wide[o->len + i - from] = s->u.narrow[i];
	}
	o->len += to - from;
}

typedef struct template
{
	const cell_string *text, *subject;
	const rx_name *names;
	bool plain; /* no $ in it */
}
template;

static void
put_group(output *o, const template *t, const uint32_t *hit, uint32_t g)
{
	if (hit[2 * g] != REGEXP_UNSET)
		put_part(o, t->subject, hit[2 * g], hit[2 * g + 1]);
}

/* The number of a group behind $ at i, and its digits; 0: none. */
static uint32_t
group_number(
    const cell_string *s, uint32_t i, uint32_t groups, uint32_t *digits)
{
	uint32_t one = 10, two = 10, n;

	if (i + 1 < s->len)
		one = str_unit(s, i + 1) - '0';
	if (i + 2 < s->len)
		two = str_unit(s, i + 2) - '0';
	if (one > 9)
		return 0;
	n = one * 10 + two;
	*digits = 2;
	if (two <= 9 && n > 0 && n < groups)
		return n;
	*digits = 1;
	return one < groups ? one : 0;
}

/* $<name> at i: where it ends; 0: it does not. */
static uint32_t
put_named(output *o, const template *t, uint32_t i, const uint32_t *hit)
{
	const cell_string *s = t->text;
	uint32_t end = i + 2;

	while (end < s->len && str_unit(s, end) != '>')
		end++;
	if (end >= s->len)
		return 0;
	for (const rx_name *n = t->names; n != NULL; n = n->next) {
		uint32_t k = 0;

		if (n->name.len != end - i - 2)
			continue;
		while (
		    k < n->name.len && n->name.at[k] == str_unit(s, i + 2 + k))
			k++;
		if (k == n->name.len)
			put_group(o, t, hit, n->group);
	}
	return end + 1;
}

/* GetSubstitution */
static void
put_template(output *o, const template *t, const uint32_t *hit, uint32_t groups)
{
	const cell_string *s = t->text;
	uint32_t from = 0, i = 0, digits, n;

	while (!t->plain && i + 1 < s->len) {
		unsigned next = str_unit(s, i) == '$' ? str_unit(s, i + 1) : 0;

		digits = 1;
		n = next ? group_number(s, i, groups, &digits) : 0;
		if (next != '$' && next != '&' && next != '`' && next != '\'' &&
		    n == 0 && (next != '<' || t->names == NULL)) {
			i++;
			continue;
		}
		put_part(o, s, from, i);
		if (next == '$')
			put_part(o, s, i, i + 1);
		else if (next == '&')
			put_group(o, t, hit, 0);
		else if (next == '`')
			put_part(o, t->subject, 0, hit[0]);
		else if (next == '\'')
			put_part(o, t->subject, hit[1], t->subject->len);
		else if (n > 0)
			put_group(o, t, hit, n);
		from = i;
		if (next == '<') {
			from = put_named(o, t, i, hit);
			if (from == 0) {
				put_part(o, s, i, i + 1);
				from = i + 1;
			}
			i = from;
			continue;
		}
		i += 1 + digits;
		from = i;
	}
	put_part(o, s, from, s->len);
}

static void
put_replaced(output *o, const template *t, const hits *all)
{
	uint32_t from = 0;

	for (size_t i = 0; i < hit_count(all); i++) {
		const uint32_t *hit = &all->at[i * 2 * all->groups];

		if (hit[0] < from)
			continue;
		put_part(o, t->subject, from, hit[0]);
		put_template(o, t, hit, all->groups);
		from = hit[1];
	}
	put_part(o, t->subject, from, t->subject->len);
}

/* subject and text are flat roots. */
static value
replace_hits(
    vm *m, value *subject, value *chars, const rx_name *names, const hits *all)
{
	template t = {STR(m, *chars), STR(m, *subject), names, true};
	output o = {NULL, 0, false};
	ref r;

	if (all->len == 0)
		return *subject;
	for (uint32_t i = 0; i < t.text->len; i++)
		t.plain &= str_unit(t.text, i) != '$';
	put_replaced(&o, &t, all);
	if (o.len > STR_MAX)
		return vm_throw(m, ERROR_RANGE, "invalid string length");
	if (!heap_reserve(H(m), str_bytes((uint32_t)o.len, o.wide)))
		return vm_throw_memory(m);
	r = str_raw(H(m), (uint32_t)o.len, o.wide);
	t.text = STR(m, *chars);
	t.subject = STR(m, *subject);
	o = (output){CELL(H(m), r, cell_string), 0, o.wide};
	put_replaced(&o, &t, all);
	return vm_steps(m, o.len / 16) ? v_of_string(r) : V_THROWN;
}

/* ------------------------------------------------------------------ replace */

static value
replace_regexp(vm *m, value *rx, value *subject, value *chars)
{
	hits all = {NULL, 0, 0, 1};
	value v = V_THROWN;
	regexp *e;

	if (!str_flatten(H(m), subject) || !str_flatten(H(m), chars))
		return vm_throw_memory(m);
	if (find_hits(m, rx, subject, &all)) {
		e = regexp_of(m, *rx);
		if (e != NULL)
			v = replace_hits(m, subject, chars, e->names, &all);
	}
	drop_hits(m, &all);
	return v;
}

value
native_regexp_replace(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return replace_regexp(m, &a[0], &a[1], &a[2]);
}

static value
replace_string(vm *m, value *a, bool every)
{
	hits all = {NULL, 0, 0, 1};
	value v = V_THROWN;

	if (!v_is_string(a[-1]) || !v_is_string(a[1]))
		return V_FALLBACK;
	if (regexp_is_plain(m, a[0])) {
		if (every && !(regexp_flags(m, a[0]) & RX_GLOBAL))
			return V_FALLBACK;
		return replace_regexp(m, &a[0], &a[-1], &a[1]);
	}
	if (!v_is_string(a[0]))
		return V_FALLBACK;
	for (int i = -1; i < 2; i++)
		if (!str_flatten(H(m), &a[i]))
			return vm_throw_memory(m);
	if (find_text_hits(m, a[-1], a[0], every, &all))
		v = replace_hits(m, &a[-1], &a[1], NULL, &all);
	drop_hits(m, &all);
	return v;
}

value
native_string_replace(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return replace_string(m, a, false);
}

value
native_string_replace_all(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return replace_string(m, a, true);
}

/* -------------------------------------------------------------------- match */

/* An array of the matches' texts, or of the arguments for each; a plain regexp. */
static value
all_matches(vm *m, value *rx, value *subject, bool texts, value *list)
{
	hits all = {NULL, 0, 0, 1};
	bool good;

	if (!str_flatten(H(m), subject))
		return vm_throw_memory(m);
	*list = array_make(m, 0, 0);
	good = *list != V_THROWN && find_hits(m, rx, subject, &all);
	for (size_t i = 0; good && i < hit_count(&all); i++) {
		const uint32_t *hit = &all.at[i * 2 * all.groups];
		regexp *e;

		if (texts) {
			*PIECE = regexp_part(m, subject, hit[0], hit[1]);
		} else {
			e = regexp_of(m, *rx);
			if (e == NULL) {
				good = false;
				break;
			}
			memcpy(e->found, hit, 8 * (size_t)all.groups);
			*PIECE = regexp_arguments(m, e, subject);
			m->temp[33] = *PIECE;
		}
		good = *PIECE != V_THROWN &&
		       array_push_value(m, list, texts ? PIECE : &m->temp[33]);
	}
	drop_hits(m, &all);
	return good ? *list : V_THROWN;
}

value
native_regexp_all(vm *m, value *a, uint32_t argc)
{
	(void)argc;
	return all_matches(m, &a[0], &a[1], false, &a[2]);
}

value
native_string_match(vm *m, value *a, uint32_t argc)
{
	value v;
	regexp *e;
	int found;

	(void)argc;
	if (!v_is_string(a[-1]) || !regexp_is_plain(m, a[0]))
		return V_FALLBACK;
	if (regexp_flags(m, a[0]) & RX_GLOBAL) {
		v = all_matches(m, &a[0], &a[-1], true, &a[1]);
		return v != V_THROWN && OBJ(m, v)->extra == 0 ? V_NULL : v;
	}
	if (!str_flatten(H(m), &a[-1]))
		return vm_throw_memory(m);
	found = regexp_step(m, &a[0], &a[-1], &e);
	if (found <= 0)
		return found < 0 ? V_THROWN : V_NULL;
	return regexp_result(m, e, &a[-1]);
}

/* -------------------------------------------------------------------- split */

static bool
push_part(vm *m, value *list, value *s, uint32_t from, uint32_t to)
{
	*PIECE =
	    from == REGEXP_UNSET ? V_UNDEFINED : regexp_part(m, s, from, to);
	return *PIECE != V_THROWN && array_push_value(m, list, PIECE);
}

/* The next match of a regexp that is not empty at the end of the last one.
 * 1, 0, -1: thrown. */
static int
next_separator(vm *m, value *rx, value *s, uint32_t from, regexp **out)
{
	unsigned flags = regexp_flags(m, *rx);
	uint32_t at = from;

	for (;;) {
		regexp *e = *out = regexp_of(m, *rx);
		int found = e && at < STR(m, *s)->len
				? regexp_run(m, e, s, at, false)
			    : e ? 0
				: -1;

		if (found <= 0 || e->found[1] != from)
			return found > 0 && e->found[0] >= STR(m, *s)->len
				   ? 0
				   : found;
		at = next_index(STR(m, *s), at, flags & (RX_UNICODE | RX_SETS));
	}
}

static value
split_regexp(vm *m, value *rx, value *s, uint32_t limit, value *list)
{
	uint32_t from = 0;
	regexp *e;
	int found;

	if (STR(m, *s)->len == 0) {
		e = regexp_of(m, *rx);
		found = e ? regexp_run(m, e, s, 0, true) : -1;
		if (found != 0)
			return found < 0 ? V_THROWN : *list;
	}
	for (;;) {
		found = next_separator(m, rx, s, from, &e);
		if (found <= 0)
			break;
		if (!push_part(m, list, s, from, e->found[0]))
			return V_THROWN;
		if (OBJ(m, *list)->extra == limit)
			return *list;
		from = e->found[1];
		for (uint32_t g = 1; g < e->groups; g++) {
			if (!push_part(m, list, s, e->found[2 * g],
				e->found[2 * g + 1]))
				return V_THROWN;
			if (OBJ(m, *list)->extra == limit)
				return *list;
		}
	}
	if (found < 0 || !push_part(m, list, s, from, STR(m, *s)->len))
		return V_THROWN;
	return *list;
}

static value
split_string(vm *m, value *what, value *s, uint32_t limit, value *list)
{
	uint32_t from = 0, at, step = STR(m, *what)->len;

	if (step == 0) {
		for (; from < STR(m, *s)->len && from < limit; from++) {
			*PIECE = vm_unit(m, str_unit(STR(m, *s), from));
			if (*PIECE == V_THROWN ||
			    !array_push_value(m, list, PIECE))
				return V_THROWN;
		}
		return vm_steps(m, from / 16) ? *list : V_THROWN;
	}
	for (;;) {
		at = find_text(STR(m, *s), STR(m, *what), from);
		if (!push_part(m, list, s, from,
			at == UINT32_MAX ? STR(m, *s)->len : at))
			return V_THROWN;
		if (at == UINT32_MAX || OBJ(m, *list)->extra == limit)
			break;
		from = at + step;
	}
	return vm_steps(m, STR(m, *s)->len / 16) ? *list : V_THROWN;
}

value
native_string_split(vm *m, value *a, uint32_t argc)
{
	bool plain = regexp_is_plain(m, a[0]);
	uint32_t limit = UINT32_MAX;

	(void)argc;
	if (!v_is_string(a[-1]) || !(plain || v_is_string(a[0])) ||
	    !(a[1] == V_UNDEFINED || (v_is_int(a[1]) && v_int(a[1]) >= 0)))
		return V_FALLBACK;
	if (v_is_int(a[1]))
		limit = (uint32_t)v_int(a[1]);
	if (!str_flatten(H(m), &a[-1]) || !(plain || str_flatten(H(m), &a[0])))
		return vm_throw_memory(m);
	a[2] = array_make(m, 0, 0);
	if (a[2] == V_THROWN || limit == 0)
		return a[2];
	if (plain)
		return split_regexp(m, &a[0], &a[-1], limit, &a[2]);
	return split_string(m, &a[0], &a[-1], limit, &a[2]);
}
