/* SPDX-License-Identifier: MIT */
/*
 * schema_check.c -- walks a value along the nodes of a schema.
 *
 * The steps are counted: one for each node, and one for some bytes that are
 * looked at. So neither a schema whose branches multiply nor a reference that
 * leads to itself takes long; the depth is bounded, and so is the stack.
 */
#include "schema_checker.h"

#include "base/sort.h"
#include "base/stack.h"

enum {
	STEPS_FREE = 200000,
	BYTES_A_STEP = 32,
	DEPTH_MAX = 1000,
	STACK_KEPT = 64 << 10,
	HASH_LEVELS = 16
};

bool
check_spend(checker *c, uint64_t n)
{
	c->steps -= n < INT32_MAX ? (int64_t)n : INT32_MAX;
	return c->steps >= 0;
}

static bool
spend_bytes(checker *c, size_t bytes)
{
	return check_spend(c, bytes / BYTES_A_STEP + 1);
}

/* ------------------------------------------------------------------ marks */

bool
marks_init(checker *c, schema_marks *m, size_t n)
{
	m->words = n / 64 + 1;
	m->bits = m->few;
	memset(m->few, 0, sizeof(m->few));
	if (m->words > sizeof(m->few) / sizeof(*m->few))
		m->bits = mem_new(c->alloc, m->words * sizeof(*m->bits));
	if (m->bits == NULL || !check_spend(c, m->words)) {
		c->steps = -1;
		m->bits = m->few;
		return false;
	}
	return true;
}

void
marks_fini(checker *c, schema_marks *m)
{
	if (m->bits != m->few)
		mem_free(c->alloc, m->bits, m->words * sizeof(*m->bits));
}

void
marks_add(schema_marks *m, const schema_marks *more)
{
	for (size_t i = 0; i < m->words; i++)
		m->bits[i] |= more->bits[i];
}

/* ---------------------------------------------------------------- scalars */

static const uint8_t kinds[] = {
    [JSON_NULL] = KIND_NULL,
    [JSON_FALSE] = KIND_BOOLEAN,
    [JSON_TRUE] = KIND_BOOLEAN,
    [JSON_STRING] = KIND_STRING,
    [JSON_ARRAY] = KIND_ARRAY,
    [JSON_OBJECT] = KIND_OBJECT,
};

unsigned
value_kind(json v)
{
	json_kind kind = json_kind_of(v);

	if (kind != JSON_NUMBER)
		return kinds[kind];
	return decimal_is_whole(decimal_read(v)) ? KIND_INTEGER : KIND_FRACTION;
}

static bool
is_among(checker *c, const schema_choice *choice, json v)
{
	uint64_t hash;
	size_t low = 0, high = choice->len;

	if (!spend_bytes(c, v.len))
		return true;
	if (choice->hash != NULL) {
		hash = value_hash(v, HASH_LEVELS);
		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (choice->hash[middle] < hash)
				low = middle + 1;
			else
				high = middle;
		}
		for (high = low;
		     high < choice->len && choice->hash[high] == hash; high++)
			;
	}
	for (; low < high; low++) {
		int64_t bytes = c->steps * BYTES_A_STEP, left = bytes;

		if (value_equal(choice->value[low], v, &left))
			return true;
		if (!spend_bytes(c, (size_t)(bytes - left)))
			return true;
	}
	return false;
}

static bool
fits_choice(checker *c, const schema_choice *choice, json v)
{
	for (; choice != NULL; choice = choice->next)
		if (!is_among(c, choice, v))
			return say_choice(c, choice, v);
	return true;
}

static bool
fits_number(checker *c, const schema_number *r, json v)
{
	decimal d = decimal_read(v);

	if (r->least != NULL && decimal_compare(d, *r->least) < 0)
		return say_bound(c, "must be at least ", r->least, v);
	if (r->above != NULL && decimal_compare(d, *r->above) <= 0)
		return say_bound(c, "must be more than ", r->above, v);
	if (r->most != NULL && decimal_compare(d, *r->most) > 0)
		return say_bound(c, "must be at most ", r->most, v);
	if (r->below != NULL && decimal_compare(d, *r->below) >= 0)
		return say_bound(c, "must be less than ", r->below, v);
	if (r->multiple != NULL && !decimal_divides(*r->multiple, d))
		return say_bound(c, "must be a multiple of ", r->multiple, v);
	return true;
}

/* True as well where the pattern is not known, which is a doubt. */
static bool
string_matches(checker *c, const schema_pattern *p, json string)
{
	text raw = text_sub(string, 1, string.len - 1);

	if (p->program == NULL) {
		c->doubt = true;
		return true;
	}
	if (!check_spend(c, (raw.len + 1) * (pattern_len(p->program) + 1) / 8))
		return true;
	return pattern_matches(p->program, raw);
}

static bool
fits_string(checker *c, const schema_string *r, json v)
{
	if (r->least > 0 || r->most < v.len - 2) {
		uint64_t n = value_length(v);

		if (n < r->least)
			return say_fault(c,
			    "must have at least %llu character%s, not %llu",
			    (unsigned long long)r->least,
			    r->least == 1 ? "" : "s", (unsigned long long)n);
		if (n > r->most)
			return say_fault(c,
			    "must have at most %llu character%s, not %llu",
			    (unsigned long long)r->most,
			    r->most == 1 ? "" : "s", (unsigned long long)n);
	}
	if (r->pattern != NULL && !string_matches(c, r->pattern, v))
		return say_pattern(c, r->pattern->source, v);
	return true;
}

/* ------------------------------------------------------------- containers */

bool
fits_child(checker *c, const schema_node *n, json key, size_t index, json v)
{
	schema_path step = {c->path, key, index};
	bool fits;

	c->path = &step;
	fits = fits_node(c, n, v, NULL);
	c->path = step.up;
	return fits;
}

static bool
fits_count(checker *c, uint64_t least, uint64_t most, size_t n, const char *one,
    const char *many)
{
	if (n < least)
		return say_fault(c, "must have at least %llu %s, not %zu",
		    (unsigned long long)least, least == 1 ? one : many, n);
	if (n > most)
		return say_fault(c, "must have at most %llu %s, not %zu",
		    (unsigned long long)most, most == 1 ? one : many, n);
	return true;
}

typedef struct hashed_item {
	uint64_t hash;
	size_t index;
	json value;
} hashed_item;

static int
by_hash_and_index(const void *a, const void *b)
{
	const hashed_item *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Are two of the n hashed items equal? Only those of the same hash can be. */
static bool
find_equal(checker *c, const hashed_item *item, size_t n, size_t pair[2])
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && item[k].hash == item[i].hash;
		     k++) {
			int64_t bytes = c->steps * BYTES_A_STEP, left = bytes;
			bool same =
			    value_equal(item[i].value, item[k].value, &left);

			if (!spend_bytes(c, (size_t)(bytes - left)))
				return false;
			if (!same)
				continue;
			pair[0] = item[i].index;
			pair[1] = item[k].index;
			return true;
		}
	return false;
}

static bool
fits_unique(checker *c, json v)
{
	size_t n = json_len(v), i = 0, pair[2];
	hashed_item *item;
	json_iter it = json_each(v);
	bool equal;

	if (n < 2 || !spend_bytes(c, 2 * v.len))
		return true;
	if ((item = mem_new(c->alloc, n * sizeof(*item))) == NULL) {
		c->steps = -1;
		return true;
	}
	for (; i < n && json_next(&it, NULL, &item[i].value); i++) {
		item[i].index = i;
		item[i].hash = value_hash(item[i].value, HASH_LEVELS);
	}
	sort(item, n, sizeof(*item), by_hash_and_index);
	equal = find_equal(c, item, n, pair);
	mem_free(c->alloc, item, n * sizeof(*item));
	return !equal || say_fault(c, "has equal items: [%zu] and [%zu]",
			     pair[0], pair[1]);
}

/* Does the item fit, without a word about it if not? */
static bool
fits_quietly(checker *c, const schema_node *n, json v, schema_marks *marks)
{
	schema_report *report = c->report;
	bool fits;

	c->report = NULL;
	fits = fits_node(c, n, v, marks);
	c->report = report;
	return fits;
}

static bool
fits_contains(checker *c, const schema_array *a, json v, schema_marks *marks)
{
	json_iter it = json_each(v);
	uint64_t found = 0;
	json item;

	for (size_t i = 0; json_next(&it, NULL, &item); i++)
		if (fits_quietly(c, a->contains, item, NULL)) {
			marks_set(marks, i);
			found++;
		}
	if (found >= a->contains_least && found <= a->contains_most)
		return true;
	return say_fault(c, "has %llu item%s of the kind it must contain",
	    (unsigned long long)found, found == 1 ? "" : "s");
}

bool
fits_array(checker *c, const schema_array *a, json v, schema_marks *marks)
{
	json_iter it = json_each(v);
	bool fits = true;
	size_t i = 0;
	json item;

	if (!spend_bytes(c, v.len))
		return true;
	for (; json_next(&it, NULL, &item); i++) {
		const schema_node *n =
		    i < a->prefix.len ? a->prefix.node[i] : a->rest;

		if (n == NULL)
			continue;
		marks_set(marks, i);
		fits &= fits_child(c, n, TEXT_NONE, i, item);
		if (!fits && check_is_quick(c))
			return false;
	}
	fits &= fits_count(c, a->least, a->most, i, "item", "items");
	if (fits && a->contains != NULL)
		fits = fits_contains(c, a, v, marks);
	if (fits && a->unique)
		fits = fits_unique(c, v);
	return fits;
}

/* ---------------------------------------------------------------- objects */

static const schema_name *
find_schema_name(const schema_object *o, text name)
{
	size_t low = 0, high = o->names;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = schema_name_order(o->name[middle].name, name);

		if (order == 0)
			return &o->name[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* The key as it stands in an object. */
static const schema_name *
find_key(checker *c, const schema_object *o, json key)
{
	text raw = text_sub(key, 1, key.len - 1);
	const schema_name *found;
	buf b;

	if (raw.len == 0 || memchr(raw.ptr, '\\', raw.len) == NULL)
		return find_schema_name(o, raw);
	b = BUF_INIT(c->alloc, raw.len);
	json_unescape(key, &b);
	found = find_schema_name(o, buf_view(&b));
	if (b.bad != CM_OK)
		c->steps = -1;
	buf_fini(&b);
	return found;
}

/* One member, along everything that knows its name. */
static bool
fits_member(checker *c, const schema_object *o, const schema_name *name,
    json key, size_t i, json v, schema_marks *marks)
{
	bool known = name != NULL && name->node != NULL, fits = true;

	if (o->property_names != NULL)
		fits = fits_child(c, o->property_names, key, i, key);
	if (known)
		fits &= fits_child(c, name->node, key, i, v);
	for (size_t k = 0; k < o->patterns; k++)
		if (string_matches(c, &o->pattern[k], key)) {
			known = true;
			if (o->pattern[k].program != NULL)
				fits &= fits_child(
				    c, o->pattern[k].node, key, i, v);
		}
	if (known || o->additional != NULL)
		marks_set(marks, i);
	if (known || o->additional == NULL)
		return fits;
	if (o->additional->never)
		return say_unknown_member(c, o, key);
	return fits_child(c, o->additional, key, i, v) && fits;
}

static bool
fits_required(
    checker *c, const schema_object *o, json v, const schema_marks *seen)
{
	bool fits = true;

	for (size_t i = 0; i < o->names; i++)
		if (o->name[i].required != SCHEMA_NONE &&
		    !marks_has(seen, o->name[i].required)) {
			fits = say_missing(c, o, o->name[i].name, v);
			if (check_is_quick(c))
				return false;
		}
	return fits;
}

static bool fits_in_place(
    checker *c, const schema_node *n, json v, schema_marks *marks);

static bool
fits_depends(checker *c, const schema_depends *d, json v, schema_marks *marks)
{
	if (!spend_bytes(c, v.len) || json_get(v, d->name).len == 0)
		return true;
	if (d->node != NULL)
		return fits_in_place(c, d->node, v, marks);
	for (size_t i = 0; i < d->len; i++) {
		if (!spend_bytes(c, v.len))
			return true;
		if (json_get(v, d->required[i]).len == 0)
			return say_fault(c,
			    "lacks %.*s, which must come with %.*s",
			    TEXT_ARG(text_head(d->required[i], 100)),
			    TEXT_ARG(text_head(d->name, 100)));
	}
	return true;
}

static bool
fits_members(checker *c, const schema_object *o, json v, schema_marks *seen,
    schema_marks *marks)
{
	json_iter it = json_each(v);
	bool fits = true;
	size_t i = 0;
	json key, member;

	for (; json_next(&it, &key, &member); i++) {
		const schema_name *name = find_key(c, o, key);

		if (name != NULL && name->required != SCHEMA_NONE)
			marks_set(seen, name->required);
		fits &= fits_member(c, o, name, key, i, member, marks);
		if (!fits && check_is_quick(c))
			return false;
	}
	if (!fits_required(c, o, v, seen))
		return false;
	return fits_count(c, o->least, o->most, i, "member", "members") && fits;
}

bool
fits_object(checker *c, const schema_object *o, json v, schema_marks *marks)
{
	schema_marks seen;
	bool fits;

	if (!spend_bytes(c, v.len) || !marks_init(c, &seen, o->required))
		return true;
	fits = fits_members(c, o, v, &seen, marks);
	marks_fini(c, &seen);
	for (size_t i = 0; i < o->dependents; i++) {
		if (!fits && check_is_quick(c))
			return false;
		fits &= fits_depends(c, &o->depends[i], v, marks);
	}
	return fits;
}

/* What no other keyword has looked at. */
bool
fits_unevaluated(checker *c, const schema_node *n, json v, schema_marks *marks)
{
	json_iter it = json_each(v);
	const schema_node *rest =
	    it.object  ? n->object ? n->object->unevaluated : NULL
	    : n->array ? n->array->unevaluated
		       : NULL;
	bool fits = true;
	json key, member;

	if (rest == NULL || !spend_bytes(c, v.len))
		return true;
	for (size_t i = 0; json_next(&it, &key, &member); i++) {
		if (marks_has(marks, i))
			continue;
		marks_set(marks, i);
		if (it.object && rest->never)
			fits = say_unknown_member(c, n->object, key);
		else
			fits &= fits_child(c, rest, key, i, member);
		if (!fits && check_is_quick(c))
			return false;
	}
	return fits;
}

/* ------------------------------------------------------------------ logic */

/* A schema for the same value: what it has looked at counts if it fits. */
static bool
fits_in_place(checker *c, const schema_node *n, json v, schema_marks *marks)
{
	schema_marks own;
	bool fits;

	if (marks == NULL)
		return fits_node(c, n, v, NULL);
	if (!marks_init(c, &own, marks->words * 64 - 1))
		return true;
	fits = fits_node(c, n, v, &own);
	if (fits)
		marks_add(marks, &own);
	marks_fini(c, &own);
	return fits;
}

static bool
quiet_in_place(checker *c, const schema_node *n, json v, schema_marks *marks)
{
	schema_report *report = c->report;
	bool fits;

	c->report = NULL;
	fits = fits_in_place(c, n, v, marks);
	c->report = report;
	return fits;
}

/* Where $dynamicRef leads to: the outermost anchor of that name. */
static const schema_node *
dynamic_target(const checker *c, const schema_logic *l)
{
	const schema_node *found = l->dynamic;

	if (l->dynamic_name.len == 0)
		return found;
	for (const schema_scope *s = c->scope; s != NULL; s = s->up)
		for (size_t i = 0; i < c->s->dynamics; i++)
			if (c->s->dynamic[i].resource == s->resource &&
			    text_eq(c->s->dynamic[i].name, l->dynamic_name))
				found = c->s->dynamic[i].node;
	return found;
}

static bool
fits_any_of(checker *c, const schema_nodes *forms, json v, schema_marks *marks)
{
	bool fits = false;

	for (size_t i = 0; i < forms->len; i++) {
		fits |= quiet_in_place(c, forms->node[i], v, marks);
		if (fits && marks == NULL)
			return true;
	}
	return fits || say_none_fits(c, forms, v);
}

static bool
fits_one_of(checker *c, const schema_nodes *forms, json v, schema_marks *marks)
{
	size_t found = 0, first = 0;
	bool before = c->doubt;

	c->doubt = false;
	for (size_t i = 0; i < forms->len; i++) {
		if (!quiet_in_place(c, forms->node[i], v, marks))
			continue;
		if (found++ == 0)
			first = i;
		else if (!c->doubt)
			return say_fault(c,
			    "fits forms %zu and %zu, of which it must fit one",
			    first + 1, i + 1);
	}
	c->doubt |= before;
	return found > 0 || say_none_fits(c, forms, v);
}

/* The opposite of what is not known is not known either. */
static bool
fits_not(checker *c, const schema_node *n, json v)
{
	bool before = c->doubt, fits;

	c->doubt = false;
	fits = fits_quietly(c, n, v, NULL);
	if (fits && !c->doubt && c->steps >= 0) {
		c->doubt = before;
		return say_fault(c, "must not be of that form");
	}
	c->doubt |= before;
	return true;
}

static bool
fits_if(checker *c, const schema_logic *l, json v, schema_marks *marks)
{
	bool before = c->doubt, holds, known;
	const schema_node *next;

	c->doubt = false;
	holds = quiet_in_place(c, l->when, v, marks);
	known = !c->doubt;
	c->doubt |= before;
	next = holds ? l->then : l->otherwise;
	return !known || next == NULL || fits_in_place(c, next, v, marks);
}

static bool
fits_logic(checker *c, const schema_logic *l, json v, schema_marks *marks)
{
	bool fits = true;

	if (l->ref != NULL)
		fits &= fits_in_place(c, l->ref, v, marks);
	if (l->dynamic != NULL && (fits || !check_is_quick(c)))
		fits &= fits_in_place(c, dynamic_target(c, l), v, marks);
	for (size_t i = 0; i < l->all.len; i++) {
		if (!fits && check_is_quick(c))
			return false;
		fits &= fits_in_place(c, l->all.node[i], v, marks);
	}
	if (!fits)
		return false;
	return (l->any.node == NULL || fits_any_of(c, &l->any, v, marks)) &&
	       (l->one.node == NULL || fits_one_of(c, &l->one, v, marks)) &&
	       (l->no == NULL || fits_not(c, l->no, v)) &&
	       (l->when == NULL || fits_if(c, l, v, marks));
}

/* ------------------------------------------------------------------ nodes */

static bool
fits_rules(checker *c, const schema_node *n, json v, schema_marks *marks)
{
	unsigned kind = value_kind(v);
	bool fits = true;

	if ((n->kinds & kind) == 0)
		return say_kinds(c, n->kinds, v);
	if (n->choice != NULL && !fits_choice(c, n->choice, v))
		return false;
	if (kind & (KIND_INTEGER | KIND_FRACTION))
		fits = n->number == NULL || fits_number(c, n->number, v);
	else if (kind == KIND_STRING)
		fits = n->string == NULL || fits_string(c, n->string, v);
	else if (kind == KIND_ARRAY)
		fits = n->array == NULL || fits_array(c, n->array, v, marks);
	else if (kind == KIND_OBJECT)
		fits = n->object == NULL || fits_object(c, n->object, v, marks);
	if (n->logic != NULL && (fits || !check_is_quick(c)))
		fits &= fits_logic(c, n->logic, v, marks);
	if (n->watches && (fits || !check_is_quick(c)))
		fits &= fits_unevaluated(c, n, v, marks);
	return fits;
}

/* Marks all: what lies elsewhere may have looked at anything. */
static bool
fits_elsewhere(checker *c, schema_marks *marks)
{
	c->doubt = true;
	if (marks != NULL)
		memset(marks->bits, 0xff, marks->words * sizeof(*marks->bits));
	return true;
}

static bool
fits_watching(checker *c, const schema_node *n, json v, schema_marks *marks)
{
	schema_marks own;
	bool fits;

	if (!n->watches || marks != NULL)
		return fits_rules(c, n, v, marks);
	if (!spend_bytes(c, v.len) || !marks_init(c, &own, json_len(v)))
		return true;
	fits = fits_rules(c, n, v, &own);
	marks_fini(c, &own);
	return fits;
}

static bool
has_no_room(const checker *c)
{
	return c->depth >= DEPTH_MAX ||
	       stack_here() - stack_floor() < STACK_KEPT;
}

bool
fits_node(checker *c, const schema_node *n, json v, schema_marks *marks)
{
	schema_scope entered = {c->scope, n->resource};
	bool fits;

	if (!check_spend(c, 1) || has_no_room(c)) {
		c->steps = -1;
		return true;
	}
	if (n->opaque)
		return fits_elsewhere(c, marks);
	if (n->never)
		return say_fault(c, "must not be there");
	if (c->scope == NULL || c->scope->resource != n->resource)
		c->scope = &entered;
	c->depth++;
	fits = fits_watching(c, n, v, marks);
	c->depth--;
	c->scope = entered.up;
	return fits;
}

static checker
checker_for(const schema_program *s, json v, schema_report *report)
{
	return (checker){.s = s,
	    .alloc = s->arena.alloc,
	    .steps = STEPS_FREE + (int64_t)v.len,
	    .report = report};
}

schema_verdict
schema_check(const schema_program *s, json value)
{
	checker c = checker_for(s, value, NULL);
	bool fits = fits_node(&c, s->root, value, NULL);

	if (c.steps < 0)
		return SCHEMA_UNKNOWN;
	return fits ? SCHEMA_FITS : SCHEMA_MISFIT;
}

enum { WORDS_LIMIT = 4000 };

void
schema_explain(const schema_program *s, json value, buf *out)
{
	schema_report report = {.words = BUF_INIT(s->arena.alloc, 65536)};
	checker c = checker_for(s, value, &report);

	if (schema_check(s, value) != SCHEMA_MISFIT)
		return;
	fits_node(&c, s->root, value, NULL);
	if (report.faults == 0)
		buf_str(out, "the value does not fit the schema");
	buf_utf8(out, buf_view(&report.words), WORDS_LIMIT);
	if (report.more)
		buf_str(out, "; and more");
	buf_fini(&report.words);
}
