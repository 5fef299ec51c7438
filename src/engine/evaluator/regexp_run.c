/* SPDX-License-Identifier: MIT */
/*
 * regexp_run.c -- patterns are compiled by PCRE2, kept, and matched: see
 * regexp_run.h, and regexp_translate.c for what the callouts mean.
 *
 * PCRE2 has the state of its groups, which a way back restores, in the vector
 * that a callout is shown. Callouts write there: a group that is unset is one
 * that has never been set.
 */
#include "regexp_run.h"

#define PCRE2_CODE_UNIT_WIDTH 16
#include <pcre2.h>

enum {
	KEPT = 256,           /* patterns */
	TREE_MAX = 32 << 20,  /* bytes while one is translated */
	MATCH_MAX = 10000000, /* of PCRE2's steps, from one place of a text */
	MATCH_KB = 512 << 10, /* memory for ways back */
	MATCH_KEPT =
	    64 << 10, /* bytes of it that are kept for the next match */
	NEST_MAX = 1000,
	TEXT_KEPT = 1 << 20 /* units of a text's copy that stay */
};

typedef struct compiled_part {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	uint32_t *owner;
	size_t groups;
	bool backward;
} compiled_part;

typedef struct compiled_regexp {
	compiled_part *part;
	size_t parts;
	rx_call *call;
	bool utf, folds, modifies_case;
} compiled_regexp;

/* How the units of a text are changed for PCRE2. */
typedef enum text_way { WAY_PLAIN, WAY_FOLDED, WAY_LONE } text_way;

/* A text in UTF-16, and reversed: that of the last match. */
typedef struct text_copy {
	ref of;           /* the string, since .epoch; 0: none */
	uint64_t epoch;   /* the heap's collections */
	bool ascii, lone; /* lone: it has surrogates without the other */
	text_way way;
	uint16_t *units;
	size_t len, cap;
	bool is_reversed;
	bool reversed_pairs; /* pairs of surrogates have kept their order */
	uint16_t *reversed;
	size_t reversed_cap;
	uint32_t *origin; /* WAY_LONE: the place of each in the string */
	size_t origin_cap;
} text_copy;

struct regexps {
	regexp *kept[KEPT];
	text_copy text;
	rx_pool pool;
	pcre2_general_context *general;
	pcre2_compile_context *compile;
};

/* ------------------------------------------------------------------ memory */

static struct regexps *
regexps_of(vm *m)
{
	struct regexps *all = m->regexps;

	if (all != NULL)
		return all;
	all = mem_new(m->alloc, sizeof(*all));
	if (all == NULL)
		return NULL;
	m->regexps = all;
	all->pool.alloc = m->alloc;
	all->general =
	    pcre2_general_context_create(rx_memory, rx_memory_free, &all->pool);
	all->compile =
	    all->general ? pcre2_compile_context_create(all->general) : NULL;
	if (all->compile == NULL) {
		regexps_free(m);
		return NULL;
	}
	pcre2_set_parens_nest_limit(all->compile, NEST_MAX);
	return all;
}

static void
drop_compiled(compiled_regexp *c)
{
	for (size_t i = 0; c != NULL && i < c->parts; i++) {
		pcre2_match_data_free(c->part[i].data);
		pcre2_match_context_free(c->part[i].context);
		pcre2_code_free(c->part[i].code);
	}
}

static void
drop_regexp(vm *m, regexp *e)
{
	if (e == NULL)
		return;
	drop_compiled(e->narrow);
	drop_compiled(e->wide);
	arena_fini(&e->keep);
	mem_free(m->alloc, e, sizeof(*e));
}

static void
drop_subject(vm *m, text_copy *t)
{
	mem_free(m->alloc, t->units, t->cap * 2);
	mem_free(m->alloc, t->reversed, t->reversed_cap * 2);
	mem_free(m->alloc, t->origin, t->origin_cap * 4);
	*t = (text_copy){0};
}

void
regexps_free(vm *m)
{
	struct regexps *all = m->regexps;

	if (all == NULL)
		return;
	for (size_t i = 0; i < KEPT; i++)
		drop_regexp(m, all->kept[i]);
	drop_subject(m, &all->text);
	pcre2_compile_context_free(all->compile);
	pcre2_general_context_free(all->general);
	mem_free(m->alloc, all, sizeof(*all));
	m->regexps = NULL;
}

/* ------------------------------------------------------------------ lookup */

static bool
is_source(const regexp *e, const cell_string *s)
{
	if (e->source.len != s->len)
		return false;
	if (s->head.flags & CELL_WIDE)
		return memcmp(e->source.at, s->u.wide, s->len * 2) == 0;
	for (uint32_t i = 0; i < s->len; i++)
		if (e->source.at[i] != s->u.narrow[i])
			return false;
	return true;
}

/* The names of groups, out of the tree that is dropped. */
static bool
keep_names(regexp *e, const rx_name *from)
{
	rx_name **last = &e->names;

	for (; from != NULL; from = from->next, last = &(*last)->next) {
		uint16_t *units = arena_take(&e->keep, from->name.len * 2);

		*last = arena_take(&e->keep, sizeof(**last));
		if (units == NULL || *last == NULL) {
			*last = NULL;
			return false;
		}
		memcpy(units, from->name.at, from->name.len * 2);
		**last = (rx_name){
		    .name = {units, from->name.len}, .group = from->group};
	}
	return true;
}

static bool
copy_source(regexp *e, const cell_string *s)
{
	uint16_t *units = arena_take(&e->keep, (size_t)s->len * 2 + 2);

	if (units == NULL)
		return false;
	for (uint32_t i = 0; i < s->len; i++)
		units[i] = str_unit(s, i);
	e->source = (rx_units){units, s->len};
	return true;
}

static regexp *
new_regexp(vm *m, const value *source, unsigned flags)
{
	regexp *e = mem_new(m->alloc, sizeof(*e));
	arena temp = ARENA_INIT(m->alloc, TREE_MAX);
	rx_tree tree = {.error = NULL};
	bool copied = false;

	if (e != NULL) {
		e->keep = ARENA_INIT(m->alloc, TREE_MAX);
		e->flags = flags;
		copied = copy_source(e, STR(m, *source));
	}
	if (copied) {
		tree = rx_parse(&temp, e->source, flags);
		e->groups = tree.groups;
		e->found = arena_take(&e->keep, (size_t)tree.groups * 8);
		copied = e->found != NULL && keep_names(e, tree.names);
	}
	arena_fini(&temp);
	if (copied && tree.error == NULL)
		return e;
	drop_regexp(m, e);
	if (tree.error != NULL)
		vm_throw(m, ERROR_SYNTAX, "%s", tree.error);
	else
		vm_throw_memory(m);
	return NULL;
}

regexp *
regexp_find(vm *m, value *source, unsigned flags)
{
	struct regexps *all = regexps_of(m);
	regexp *e, **at;
	uint32_t hash;

	if (all == NULL || !str_flatten(H(m), source)) {
		vm_throw_memory(m);
		return NULL;
	}
	hash = str_hash(STR(m, *source)) + flags * 0x9e3779b1u;
	at = &all->kept[hash % KEPT];
	e = *at;
	if (e != NULL && e->hash == hash && e->flags == flags &&
	    is_source(e, STR(m, *source)))
		return e;
	e = new_regexp(m, source, flags);
	if (e == NULL)
		return NULL;
	e->hash = hash;
	drop_regexp(m, *at);
	*at = e;
	return e;
}

/* A RangeError that names the pattern. */
static void
refuse_regexp(vm *m, const regexp *e, const char *why)
{
	buf shown = BUF_INIT(m->alloc, 4096);

	for (size_t i = 0; i < e->source.len && i < 200; i++) {
		uint16_t u = e->source.at[i];

		if (u < 128)
			buf_byte(&shown, (char)u);
		else
			buf_printf(&shown, "\\u%04x", u);
	}
	buf_byte(&shown, '\0');
	vm_throw(m, ERROR_RANGE, "regular expression /%s/ %s",
	    shown.bad == CM_OK ? shown.ptr : "", why);
	buf_fini(&shown);
}

/* ------------------------------------------------------------- compilation */

static int on_call(pcre2_callout_block *block, void *ctx);

static bool
compile_part(struct regexps *all, const rx_translation *t, const rx_part *p,
    arena *temp, arena *keep, compiled_part *out)
{
	uint32_t options = PCRE2_DOTALL | PCRE2_MATCH_UNSET_BACKREF |
			   PCRE2_NEVER_BACKSLASH_C | PCRE2_NO_UTF_CHECK;
	uint16_t *pattern = arena_take(temp, p->len * 2 + 2);
	size_t where;
	int error;

	out->backward = p->backward;
	out->groups = p->groups;
	out->owner = arena_take(keep, p->groups * 4 + 4);
	if (pattern == NULL || out->owner == NULL)
		return false;
	memcpy(out->owner, p->owner ? p->owner : out->owner, p->groups * 4);
	for (size_t i = 0; i < p->len; i++)
		pattern[i] = (uint8_t)p->text[i];
	if (t->utf)
		options |= PCRE2_UTF;
	/* What callouts decide, PCRE2 does not see. */
	if (t->calls > 1)
		options |= PCRE2_NO_AUTO_POSSESS | PCRE2_NO_DOTSTAR_ANCHOR;
	out->code = pcre2_compile(
	    pattern, p->len, options, &error, &where, all->compile);
	if (out->code == NULL)
		return false;
	out->data = pcre2_match_data_create_from_pattern(out->code, NULL);
	out->context = pcre2_match_context_create(all->general);
	if (out->data == NULL || out->context == NULL)
		return false;
	pcre2_set_match_limit(out->context, MATCH_MAX);
	pcre2_set_heap_limit(out->context, MATCH_KB);
	return true;
}

static compiled_regexp *
compile_regexp(vm *m, regexp *e, bool narrow)
{
	arena temp = ARENA_INIT(m->alloc, TREE_MAX);
	rx_tree tree = rx_parse(&temp, e->source, e->flags);
	rx_translation *t = arena_take(&temp, sizeof(*t));
	compiled_regexp *c = arena_take(&e->keep, sizeof(*c));
	const char *error = "is too large";

	if (t != NULL && c != NULL && tree.error == NULL) {
		*c = (compiled_regexp){0};
		rx_translate(
		    &temp, &tree, e->flags | (narrow ? RX_NARROW : 0), t);
		c->utf = t->utf;
		c->folds = t->folds;
		c->modifies_case = tree.modifies_case;
		c->part = arena_take(&e->keep, t->parts * sizeof(*c->part));
		c->call = arena_take(&e->keep, t->calls * sizeof(*c->call));
		if (t->error != NULL)
			error = t->error;
		else if (c->part != NULL && c->call != NULL)
			error = NULL;
	}
	if (error == NULL)
		memcpy(c->call, t->call, t->calls * sizeof(*c->call));
	for (size_t i = 0; error == NULL && i < t->parts; i++) {
		c->part[c->parts++] = (compiled_part){0};
		if (!compile_part(m->regexps, t, &t->part[i], &temp, &e->keep,
			&c->part[i]))
			error = "is too large";
	}
	arena_fini(&temp);
	if (error == NULL)
		return c;
	drop_compiled(c);
	refuse_regexp(m, e, error);
	return NULL;
}

/* ------------------------------------------------------------------- texts */

static bool
make_units_room(vm *m, void **p, size_t *cap, size_t want, size_t size)
{
	void *grown;

	if (want <= *cap)
		return true;
	want += want / 4 + 64;
	grown = mem_resize(m->alloc, *p, *cap * size, want * size);
	if (grown == NULL)
		return false;
	*p = grown;
	*cap = want;
	return true;
}

#define ROOM(m, array, cap, want) \
	make_units_room(m, (void **)&(array), &(cap), want, sizeof(*(array)))

static bool
is_high(unsigned u)
{
	return (u & 0xfc00) == 0xd800;
}

static bool
is_low(unsigned u)
{
	return (u & 0xfc00) == 0xdc00;
}

static void
look_at_text(text_copy *t)
{
	unsigned all = 0;

	for (size_t i = 0; i < t->len; i++)
		all |= t->units[i];
	t->ascii = all < 128;
	t->lone = false;
	for (size_t i = 0; all >= 0xd800 && i < t->len; i++) {
		if (is_high(t->units[i]) && i + 1 < t->len &&
		    is_low(t->units[i + 1]))
			i++;
		else if ((t->units[i] & 0xf800) == 0xd800)
			t->lone = true;
	}
}

/* Lone surrogates become characters of their own. */
static bool
move_lone(vm *m, text_copy *t, const cell_string *s)
{
	size_t n = 0;

	if (!ROOM(m, t->units, t->cap, 2 * (size_t)s->len) ||
	    !ROOM(m, t->origin, t->origin_cap, 2 * (size_t)s->len + 1))
		return false;
	for (uint32_t i = 0; i < s->len; i++) {
		uint32_t c = str_unit(s, i);
		bool pair =
		    is_high(c) && i + 1 < s->len && is_low(str_unit(s, i + 1));

		t->origin[n] = i;
		if (pair) {
			t->units[n++] = (uint16_t)c;
			t->origin[n] = ++i;
			t->units[n++] = str_unit(s, i);
		} else if ((c & 0xf800) == 0xd800) {
			c += RX_LONE;
			t->units[n++] = (uint16_t)(0xd7c0 + (c >> 10));
			t->origin[n] = i;
			t->units[n++] = (uint16_t)(0xdc00 + (c & 0x3ff));
		} else {
			t->units[n++] = (uint16_t)c;
		}
	}
	t->origin[n] = s->len;
	t->len = n;
	return true;
}

static bool
copy_subject(vm *m, text_copy *t, const cell_string *s)
{
	if (t->cap > TEXT_KEPT && s->len < t->cap / 4)
		drop_subject(m, t);
	if (!ROOM(m, t->units, t->cap, (size_t)s->len + 1))
		return false;
	if (s->head.flags & CELL_WIDE)
		memcpy(t->units, s->u.wide, (size_t)s->len * 2);
	else
		for (uint32_t i = 0; i < s->len; i++)
			t->units[i] = s->u.narrow[i];
	t->len = s->len;
	return true;
}

static text_way
way_of(const regexp *e, const compiled_regexp *c, const text_copy *t)
{
	if (c->folds && !t->ascii)
		return WAY_FOLDED;
	(void)e;
	return c->utf && t->lone ? WAY_LONE : WAY_PLAIN;
}

/* The subject as the pattern wants it. False: no memory. */
static bool
take_subject(vm *m, regexp *e, const compiled_regexp *c, value subject)
{
	text_copy *t = &m->regexps->text;
	const cell_string *s = STR(m, subject);
	bool unicode = e->flags & (RX_UNICODE | RX_SETS);
	text_way way;

	if (t->of != v_ref(subject) || t->epoch != H(m)->collections ||
	    t->way != WAY_PLAIN || t->of == 0) {
		t->of = 0;
		if (!copy_subject(m, t, s))
			return false;
		look_at_text(t);
		t->way = WAY_PLAIN;
		t->is_reversed = false;
		t->of = v_ref(subject);
		t->epoch = H(m)->collections;
	}
	way = way_of(e, c, t);
	if (way == WAY_PLAIN)
		return true;
	t->of = 0;
	t->is_reversed = false;
	if (way == WAY_LONE && !move_lone(m, t, s))
		return false;
	for (size_t i = 0; way == WAY_FOLDED && i < t->len; i++)
		t->units[i] = (uint16_t)rx_canonical(t->units[i], unicode);
	t->way = way;
	t->of = v_ref(subject);
	return true;
}

static bool
reverse_text(vm *m, text_copy *t, bool pairs)
{
	if (t->is_reversed && t->reversed_pairs == pairs)
		return true;
	if (!ROOM(m, t->reversed, t->reversed_cap, t->len + 1))
		return false;
	for (size_t i = 0, k = t->len; i < t->len; i++) {
		if (pairs && is_high(t->units[i]) && i + 1 < t->len) {
			t->reversed[--k] = t->units[i + 1];
			t->reversed[--k] = t->units[i++];
		} else {
			t->reversed[--k] = t->units[i];
		}
	}
	t->is_reversed = true;
	t->reversed_pairs = pairs;
	return true;
}

/* ---------------------------------------------------------------- callouts */

/* A match that is under way. */
typedef struct matching {
	vm *m;
	const compiled_regexp *c;
	text_copy *text;
	size_t part;
	struct matching *outside;      /* NULL: this is the first part */
	const pcre2_callout_block *at; /* where that one stands */
} matching;

/* Where a group of ours is, of those with numbers below count. */
static bool
find_group(const compiled_part *p, const size_t *ovector, size_t count,
    uint32_t group, size_t *from, size_t *to)
{
	for (size_t i = 1; i <= p->groups && i < count; i++)
		if (p->owner[i - 1] == group && ovector[2 * i] != PCRE2_UNSET) {
			*from = ovector[2 * i];
			*to = ovector[2 * i + 1];
			return true;
		}
	*from = *to = PCRE2_UNSET;
	return false;
}

/* The same of a part that is matched the other way. */
static void
find_mirrored(const compiled_part *p, const size_t *ovector, size_t count,
    uint32_t group, size_t len, size_t *out)
{
	size_t from, to;

	out[0] = out[1] = PCRE2_UNSET;
	if (find_group(p, ovector, count, group, &from, &to)) {
		out[0] = len - to;
		out[1] = len - from;
	}
}

static void
reset_groups(const matching *r, const rx_call *c, pcre2_callout_block *b)
{
	const compiled_part *p = &r->c->part[r->part];

	for (size_t i = 1; i <= p->groups && i < b->capture_top; i++)
		if (p->owner[i - 1] >= c->first && p->owner[i - 1] < c->last)
			b->offset_vector[2 * i] = b->offset_vector[2 * i + 1] =
			    PCRE2_UNSET;
}

static void
set_outer(const matching *r, const rx_call *c, pcre2_callout_block *b)
{
	const compiled_part *p = &r->c->part[r->part];
	const compiled_part *outer = &r->c->part[r->outside->part];

	for (size_t i = 1; i <= p->groups && i < b->capture_top; i++)
		if (p->owner[i - 1] < c->first || p->owner[i - 1] >= c->last)
			find_mirrored(outer, r->at->offset_vector,
			    r->at->capture_top, p->owner[i - 1], r->text->len,
			    &b->offset_vector[2 * i]);
}

static int
look(matching *r, const rx_call *c, pcre2_callout_block *b)
{
	const compiled_part *p = &r->c->part[c->part];
	matching inside = {r->m, r->c, r->text, c->part, r, b};
	text_copy *t = r->text;
	int found;

	if (p->backward && !reverse_text(r->m, t, r->c->utf))
		return PCRE2_ERROR_NOMEMORY;
	pcre2_set_callout(p->context, on_call, &inside);
	found = pcre2_match(p->code, p->backward ? t->reversed : t->units,
	    t->len, t->len - b->current_position,
	    PCRE2_ANCHORED | PCRE2_NO_UTF_CHECK, p->data, p->context);
	if (found < 0 && found != PCRE2_ERROR_NOMATCH)
		return found;
	if ((found > 0) == c->negated)
		return 1;
	for (uint32_t g = c->first; g < c->last; g++)
		find_mirrored(p, pcre2_get_ovector_pointer(p->data),
		    (size_t)found, g, t->len,
		    &b->offset_vector[2 * (size_t)(c->base + g - c->first)]);
	return 0;
}

/* 0: goes on; 1: this is no match; below 0: ends with that error. */
static int
on_call(pcre2_callout_block *b, void *ctx)
{
	matching *r = ctx;
	const rx_call *c = &r->c->call[b->callout_number];

	switch ((rx_call_kind)c->kind) {
	case RX_CALL_STEP:
		return vm_steps(r->m, 1) ? 0 : PCRE2_ERROR_CALLOUT;
	case RX_CALL_RESET:
		reset_groups(r, c, b);
		return 0;
	case RX_CALL_MOVED:
		return b->offset_vector[2 * (size_t)c->first] ==
		       b->current_position;
	case RX_CALL_LOOK:
		if (!vm_steps(r->m, 1))
			return PCRE2_ERROR_CALLOUT;
		return look(r, c, b);
	case RX_CALL_OUTER:
		set_outer(r, c, b);
		return 0;
	}
	return 0;
}

/* ----------------------------------------------------------------- matches */

/* The place in PCRE2's text of one in the string, and back. */
static size_t
to_text(const text_copy *t, size_t at)
{
	size_t low = 0, high = t->len;

	if (t->way != WAY_LONE)
		return at;
	while (low < high) {
		size_t mid = (low + high) / 2;

		if (t->origin[mid] < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static uint32_t
from_text(const text_copy *t, size_t at)
{
	return t->way == WAY_LONE ? t->origin[at] : (uint32_t)at;
}

static void
tell_found(
    regexp *e, const compiled_regexp *c, const text_copy *t, size_t count)
{
	const compiled_part *p = c->part;
	const size_t *ovector = pcre2_get_ovector_pointer(p->data);

	for (size_t i = 0; i < 2 * (size_t)e->groups; i++)
		e->found[i] = REGEXP_UNSET;
	for (size_t i = 0; i < count && i <= p->groups; i++) {
		uint32_t g = i == 0 ? 0 : p->owner[i - 1];

		if ((i > 0 && g == 0) || ovector[2 * i] == PCRE2_UNSET)
			continue;
		e->found[2 * g] = from_text(t, ovector[2 * i]);
		e->found[2 * g + 1] = from_text(t, ovector[2 * i + 1]);
	}
}

static int
match_failed(vm *m, regexp *e, int error)
{
	if (error == PCRE2_ERROR_CALLOUT)
		return -1; /* the run ends */
	if (error == PCRE2_ERROR_NOMEMORY) {
		vm_throw_memory(m);
		return -1;
	}
	refuse_regexp(m, e, "needs too many steps or too much memory");
	return -1;
}

/* What a match took for its ways back is not kept when it was much. */
static void
renew_data(compiled_regexp *c)
{
	for (size_t i = 0; i < c->parts; i++) {
		compiled_part *p = &c->part[i];
		pcre2_match_data *fresh =
		    pcre2_match_data_create_from_pattern(p->code, NULL);

		if (fresh == NULL)
			return;
		pcre2_match_data_free(p->data);
		p->data = fresh;
	}
}

int
regexp_run(vm *m, regexp *e, value *subject, uint32_t start, bool sticky)
{
	compiled_regexp **c;
	matching r = {.m = m, .text = &m->regexps->text};
	compiled_part *p;
	size_t at, used;
	bool narrow, grown;
	int found;

	if (!str_flatten(H(m), subject)) {
		vm_throw_memory(m);
		return -1;
	}
	narrow = !(STR(m, *subject)->head.flags & CELL_WIDE);
	c = narrow ? &e->narrow : &e->wide;
	if (*c == NULL)
		*c = compile_regexp(m, e, narrow);
	if (*c == NULL)
		return -1;
	if (!take_subject(m, e, *c, *subject)) {
		vm_throw_memory(m);
		return -1;
	}
	if (r.text->way == WAY_FOLDED && (*c)->modifies_case) {
		refuse_regexp(m, e, "has an unsupported back reference");
		return -1;
	}
	at = to_text(r.text, start);
	if ((*c)->utf && at > 0 && at < r.text->len &&
	    is_low(r.text->units[at]))
		at--;
	r.c = *c;
	p = r.c->part;
	pcre2_set_callout(p->context, on_call, &r);
	used = m->regexps->pool.used;
	found = pcre2_match(p->code, r.text->units, r.text->len, at,
	    PCRE2_NO_UTF_CHECK | (sticky ? PCRE2_ANCHORED : 0), p->data,
	    p->context);
	grown = m->regexps->pool.used > used + MATCH_KEPT;
	if (found < 0 && grown)
		renew_data(*c);
	if (found < 0 && found != PCRE2_ERROR_NOMATCH)
		return match_failed(m, e, found);
	if (found > 0)
		tell_found(e, *c, r.text, (size_t)found);
	if (found > 0 && grown)
		renew_data(*c);
	at = found > 0 ? e->found[1] : STR(m, *subject)->len;
	if (at > start && !vm_steps(m, (at - start) / 16))
		return -1;
	return found > 0;
}
