/* SPDX-License-Identifier: MIT */
/*
 * schema_say.c -- where and why a value does not fit, in words that a model can
 * act on: "labels[0] must be one of "bug", "docs", not "bugs"".
 */
#include "schema_checker.h"

#include "base/nearest.h"

#include <stdarg.h>
#include <stdio.h>

enum {
	VALUE_SHOWN = 60, /* bytes of one value */
	NAME_SHOWN = 100, /* bytes of a name */
	CHOICES_SHOWN = 12,
	NAMES_SHOWN = 12,
	STRANGERS_MAX = 32 /* unknown members that may have been meant */
};

/* ------------------------------------------------------------------ faults */

static unsigned
path_length(const schema_path *p)
{
	unsigned n = 0;

	for (; p != NULL; p = p->up)
		n++;
	return n;
}

static bool
is_plain_name(text t)
{
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];
		bool letter = c >= 0x80 || c == '_' || c == '$' ||
			      ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');

		if (!letter && (i == 0 || c < '0' || c > '9'))
			return false;
	}
	return t.len > 0;
}

/* "a.b[0]["c d"]" */
static void
write_path(buf *out, const schema_path *p)
{
	text name;

	if (p == NULL)
		return;
	write_path(out, p->up); /* at most DEPTH_MAX deep */
	if (p->key.len == 0) {
		buf_printf(out, "[%zu]", p->index);
		return;
	}
	name = text_sub(p->key, 1, p->key.len - 1);
	if (!is_plain_name(name)) {
		buf_printf(
		    out, "[\"%.*s\"]", TEXT_ARG(text_head(name, NAME_SHOWN)));
		return;
	}
	buf_str(out, p->up != NULL ? "." : "");
	buf_text(out, text_head(name, NAME_SHOWN));
}

/* The buffer for the words of a fault, with its path in it; NULL: there is no
 * report, or it is full. */
static buf *
open_fault(checker *c, bool weak)
{
	schema_report *r = c->report;
	unsigned length = path_length(c->path);

	if (r == NULL)
		return NULL;
	if (r->faults == REPORT_FAULTS) {
		r->more = true;
		return NULL;
	}
	r->weak |= weak;
	if (length > r->deepest)
		r->deepest = length;
	if (r->faults++ > 0)
		buf_str(&r->words, "; ");
	if (c->path == NULL)
		buf_str(&r->words, "the argument");
	write_path(&r->words, c->path);
	buf_byte(&r->words, ' ');
	return &r->words;
}

bool
say_fault(checker *c, const char *format, ...)
{
	char line[512];
	buf *b = open_fault(c, false);
	va_list args;

	if (b == NULL)
		return false;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	buf_str(b, line);
	return false;
}

/* ------------------------------------------------------------------ values */

void
say_schema_value(buf *out, json v)
{
	json_kind kind = json_kind_of(v);

	if (kind == JSON_ARRAY)
		buf_str(out, "an array");
	else if (kind == JSON_OBJECT)
		buf_str(out, "an object");
	else if (v.len <= VALUE_SHOWN)
		buf_text(out, v);
	else
		buf_printf(out, "%.*s\xe2\x80\xa6%s",
		    TEXT_ARG(text_head(v, VALUE_SHOWN)),
		    kind == JSON_STRING ? "\"" : "");
}

static void
say_not(buf *b, json v)
{
	buf_str(b, ", not ");
	say_schema_value(b, v);
}

static const struct {
	unsigned kinds;
	const char *name;
} kind_names[] = {
    {KIND_STRING, "a string"},
    {KIND_INTEGER | KIND_FRACTION, "a number"},
    {KIND_INTEGER, "a whole number"},
    {KIND_BOOLEAN, "true or false"},
    {KIND_OBJECT, "an object"},
    {KIND_ARRAY, "an array"},
    {KIND_NULL, "null"},
};

static void
write_kinds(buf *b, unsigned kinds)
{
	const char *between = "";

	for (size_t i = 0; i < sizeof(kind_names) / sizeof(*kind_names); i++) {
		if ((kinds & kind_names[i].kinds) != kind_names[i].kinds)
			continue;
		kinds &= ~kind_names[i].kinds;
		buf_str(b, between);
		buf_str(b, kind_names[i].name);
		between = kinds ? ", " : "";
	}
}

static const char *
commas_to_or(unsigned kinds)
{
	return (kinds & (kinds - 1)) ? "must be one of: " : "must be ";
}

bool
say_kinds(checker *c, unsigned kinds, json v)
{
	buf *b = open_fault(c, false);

	if (b == NULL)
		return false;
	/* A number is two kinds, but one name. */
	buf_str(b, kinds == (KIND_INTEGER | KIND_FRACTION)
		       ? "must be "
		       : commas_to_or(kinds));
	write_kinds(b, kinds);
	if (value_kind(v) & KIND_STRING &&
	    (kinds & (KIND_ARRAY | KIND_OBJECT)) != 0)
		buf_str(b, ", not a string");
	else
		say_not(b, v);
	return false;
}

/* ------------------------------------------------------------------ choices */

static text
string_choice(const void *names, size_t i)
{
	const schema_choice *choice = names;
	json v = choice->value[i];

	return json_kind_of(v) == JSON_STRING ? text_sub(v, 1, v.len - 1)
					      : TEXT_NONE;
}

bool
say_choice(checker *c, const schema_choice *choice, json v)
{
	buf *b = open_fault(c, choice->len == 1);
	size_t near[NEAREST_MAX], i;

	if (b == NULL)
		return false;
	buf_str(b, choice->len == 1 ? "must be " : "must be one of ");
	for (i = 0; i < choice->len && i < CHOICES_SHOWN; i++) {
		buf_str(b, i > 0 ? ", " : "");
		say_schema_value(b, choice->value[i]);
	}
	if (i < choice->len)
		buf_printf(b, " and %zu more", choice->len - i);
	say_not(b, v);
	if (json_kind_of(v) == JSON_STRING && choice->len > 1 &&
	    nearest(text_sub(v, 1, v.len - 1), string_choice, choice,
		choice->len, near) > 0) {
		buf_str(b, ": did you mean ");
		say_schema_value(b, choice->value[near[0]]);
		buf_byte(b, '?');
	}
	return false;
}

/* The shortest way to write it. */
static void
write_decimal(buf *b, decimal d)
{
	buf_printf(
	    b, "%s%llu", d.negative ? "-" : "", (unsigned long long)d.digits);
	if (d.exponent > 0 && d.exponent < 16)
		for (int64_t i = 0; i < d.exponent; i++)
			buf_byte(b, '0');
	else if (d.exponent != 0)
		buf_printf(b, "e%lld", (long long)d.exponent);
}

bool
say_bound(checker *c, const char *what, const decimal *bound, json v)
{
	buf *b = open_fault(c, false);

	if (b == NULL)
		return false;
	buf_str(b, what);
	write_decimal(b, *bound);
	say_not(b, v);
	return false;
}

bool
say_pattern(checker *c, text source, json v)
{
	buf *b = open_fault(c, false);

	if (b == NULL)
		return false;
	buf_str(b, "must match /");
	buf_utf8(b, source, 200);
	buf_byte(b, '/');
	say_not(b, v);
	return false;
}

/* -------------------------------------------------------------------- names */

/* The members of v that the schema does not know. */
typedef struct strangers {
	text name[STRANGERS_MAX];
	size_t len;
} strangers;

static text
stranger_name(const void *names, size_t i)
{
	return ((const strangers *)names)->name[i];
}

static bool
knows_name(const schema_object *o, text name)
{
	for (size_t i = 0; i < o->names; i++)
		if (text_eq(o->name[i].name, name))
			return true;
	return false;
}

static void
find_strangers(const schema_object *o, json v, strangers *s)
{
	json_iter it = json_each(v);
	json key, member;

	for (s->len = 0;
	     s->len < STRANGERS_MAX && json_next(&it, &key, &member);) {
		text name = text_sub(key, 1, key.len - 1);

		if (!knows_name(o, name))
			s->name[s->len++] = name;
	}
}

/* The path of a member is that of the object and its name. */
static buf *
open_member_fault(checker *c, json key)
{
	schema_path step = {c->path, key, 0};
	buf *b;

	c->path = &step;
	b = open_fault(c, false);
	c->path = step.up;
	return b;
}

bool
say_missing(checker *c, const schema_object *o, text name, json v)
{
	buf quoted = BUF_INIT(c->alloc, 4096);
	size_t near[NEAREST_MAX];
	strangers s;
	buf *b;

	json_string(&quoted, text_head(name, NAME_SHOWN));
	b = open_member_fault(c, buf_view(&quoted));
	if (b != NULL) {
		buf_str(b, "is missing");
		find_strangers(o, v, &s);
		if (nearest(name, stranger_name, &s, s.len, near) > 0)
			buf_printf(b, " (you wrote %.*s)",
			    TEXT_ARG(text_head(s.name[near[0]], NAME_SHOWN)));
	}
	buf_fini(&quoted);
	return false;
}

static text
known_name(const void *names, size_t i)
{
	return ((const schema_object *)names)->name[i].name;
}

static void
list_known(buf *b, const schema_object *o)
{
	size_t i;

	buf_str(b, o->names == 0 ? "; there are no members" : "; known: ");
	for (i = 0; i < o->names && i < NAMES_SHOWN; i++) {
		buf_str(b, i > 0 ? ", " : "");
		buf_text(b, text_head(o->name[i].name, NAME_SHOWN));
	}
	if (i < o->names)
		buf_printf(b, " and %zu more", o->names - i);
}

bool
say_unknown_member(checker *c, const schema_object *o, json key)
{
	size_t near[NEAREST_MAX];
	buf *b = open_member_fault(c, key);

	if (b == NULL)
		return false;
	buf_str(b, "is not known");
	if (nearest(text_sub(key, 1, key.len - 1), known_name, o, o->names,
		near) > 0)
		buf_printf(b, ": did you mean %.*s?",
		    TEXT_ARG(text_head(o->name[near[0]].name, NAME_SHOWN)));
	else
		list_known(b, o);
	return false;
}

/* -------------------------------------------------------------------- forms */

/* A fault deep inside of the value tells of a form that was meant; a value that
 * marks another form tells the opposite. */
static unsigned
likelihood(const schema_report *r)
{
	return 2 * r->deepest + !r->weak;
}

static void
take_report(schema_report *to, schema_report *from)
{
	buf_fini(&to->words);
	*to = *from;
}

/* What the form itself is, seen through references. */
static unsigned
form_kinds(const schema_node *n)
{
	for (int hops = 0; hops < 8 && n->logic != NULL &&
			   n->logic->ref != NULL && n->kinds == KIND_ANY;
	     hops++)
		n = n->logic->ref;
	return n->never ? 0 : n->kinds;
}

/* Adds the faults of the likeliest form to the report of c. */
static void
say_nearest_form(checker *c, const schema_nodes *forms, json v)
{
	schema_report *whole = c->report;
	schema_report best = {.words = BUF_INIT(c->alloc, 65536)};
	unsigned kind = value_kind(v);
	bool found = false;

	for (size_t i = 0; i < forms->len; i++) {
		schema_report r = {.words = BUF_INIT(c->alloc, 65536)};

		if ((form_kinds(forms->node[i]) & kind) == 0)
			continue;
		c->report = &r;
		fits_node(c, forms->node[i], v, NULL);
		if (r.faults > 0 &&
		    (!found || likelihood(&r) > likelihood(&best))) {
			take_report(&best, &r);
			found = true;
		} else {
			buf_fini(&r.words);
		}
	}
	c->report = whole;
	if (found) {
		buf_str(&whole->words, whole->faults > 0 ? "; " : "");
		buf_text(&whole->words, buf_view(&best.words));
		whole->weak |= best.weak;
		whole->faults += best.faults;
		if (whole->faults > REPORT_FAULTS)
			whole->faults = REPORT_FAULTS;
		whole->more |= best.more;
		if (best.deepest > whole->deepest)
			whole->deepest = best.deepest;
	}
	buf_fini(&best.words);
}

bool
say_none_fits(checker *c, const schema_nodes *forms, json v)
{
	unsigned kinds = 0;

	if (c->report == NULL)
		return false;
	if (c->report->faults == REPORT_FAULTS) {
		c->report->more = true;
		return false;
	}
	for (size_t i = 0; i < forms->len; i++)
		kinds |= form_kinds(forms->node[i]);
	if ((kinds & value_kind(v)) == 0)
		return say_kinds(c, kinds, v);
	say_nearest_form(c, forms, v);
	return false;
}
