/* SPDX-License-Identifier: MIT */
/*
 * regexp_translate.c -- from the tree of a regular expression to patterns of
 * PCRE2: see regexp.h.
 *
 * Everything that does not depend on a state of PCRE2 is written out: classes
 * have all their members, those that the flag i adds, too. What JavaScript
 * does otherwise is left to callouts, (?Cn):
 *
 *	(?:X)*   where X has groups: X's groups are unset in each repetition;
 *	         where X can be empty: a mark, (), stands before X, and behind it
 *	         a callout that fails where the mark is. PCRE2 would go on behind
 *	         the repetition instead of trying X's other ways.
 *	(?<=X)   X is matched backward, which is: forward in the reversed
 *	         subject. Unless X is of one length and has no groups.
 *
 * Each part is written twice: the second time it is known which groups of
 * PCRE2 are a group of JavaScript (copies of a repetition, groups of one name).
 */
#include "regexp.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 1 << 20, BEHIND_MAX = 200 };

typedef struct writer {
	arena *arena;
	const rx_tree *tree;
	rx_translation *t;
	rx_part *part;
	unsigned flags;
	bool narrow, unicode, backward;
	bool known;   /* the second time: all owners are known */
	bool icase;   /* (?i) is on, for letters of ASCII */
	uint32_t max; /* the last character that the subject can have */
	size_t next_group, next_part, first_call;
	const rx_part *before; /* the same part, as written the first time */
	rx_set digits, words, all;
} writer;

static void write_node(writer *w, const rx_node *n);
static void write_inside(writer *w, const rx_node *n);

static void
refuse(writer *w, const char *why)
{
	if (w->t->error == NULL)
		w->t->error = why;
}

/* -------------------------------------------------------------------- text */

static void
put_pattern_bytes(writer *w, const char *bytes, size_t n)
{
	rx_part *p = w->part;

	if (w->t->error != NULL)
		return;
	if (p->len + n > TEXT_MAX) {
		refuse(w, "is too large");
		return;
	}
	while (p->len + n > p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 64;
		char *grown = arena_take(w->arena, cap);

		if (grown == NULL) {
			refuse(w, "is too large");
			return;
		}
		if (p->len > 0)
			memcpy(grown, p->text, p->len);
		p->text = grown;
		p->cap = cap;
	}
	memcpy(p->text + p->len, bytes, n);
	p->len += n;
}

__attribute__((format(printf, 2, 3))) static void
put_pattern(writer *w, const char *format, ...)
{
	char out[64];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(out, sizeof(out), format, args);
	va_end(args);
	put_pattern_bytes(w, out, (size_t)n);
}

static bool
is_letter(uint32_t c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static void
put_char(writer *w, uint32_t c)
{
	if (is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == ' ')
		put_pattern(w, "%c", (char)c);
	else
		put_pattern(w, "\\x{%x}", (unsigned)c);
}

/* A group of PCRE2's own: the next number, which is group `owner` of ours, or
 * (0) a mark. */
static size_t
new_group(writer *w, uint32_t owner)
{
	rx_part *p = w->part;
	uint32_t *grown =
	    arena_grow(w->arena, p->owner, &p->owner_cap, p->groups, 4);

	if (grown == NULL) {
		refuse(w, "is too large");
		return 1;
	}
	p->owner = grown;
	p->owner[p->groups++] = owner;
	return p->groups;
}

static void
put_callout(writer *w, rx_call call)
{
	if (w->t->calls == RX_CALLS) {
		refuse(w, "is too complex");
		return;
	}
	put_pattern(w, "(?C%d)", (int)w->t->calls);
	w->t->call[w->t->calls++] = call;
}

/* ------------------------------------------------------------------ classes */

static void
put_ranges(writer *w, const rx_set *s)
{
	for (size_t i = 0; i < s->len; i++) {
		put_char(w, s->r[i].low);
		if (s->r[i].high > s->r[i].low) {
			put_pattern(w, "-");
			put_char(w, s->r[i].high);
		}
	}
}

/* As the subject has them: lone surrogates are moved, and without u they are
 * units like others. */
static rx_set
as_subject(writer *w, const rx_set *s)
{
	rx_set all = {NULL, 0, 0}, out;

	rx_add_set(w->arena, &all, &w->all);
	if (w->t->utf) {
		rx_set high = {NULL, 0, 0}, lone;

		rx_add(w->arena, &high, 0xd800, 0xdfff);
		lone = rx_intersect(w->arena, s, &high);
		rx_add(w->arena, &high, 0xd800 + RX_LONE, 0xdfff + RX_LONE);
		high = rx_complement(w->arena, &high, w->max);
		out = rx_intersect(w->arena, s, &high);
		for (size_t i = 0; i < lone.len; i++)
			rx_add(w->arena, &out, lone.r[i].low + RX_LONE,
			    lone.r[i].high + RX_LONE);
		return out;
	}
	return rx_intersect(w->arena, s, &all);
}

/* The properties of a class as a set: of Latin-1 that is quickly known. */
static rx_set
with_properties(writer *w, const rx_node *n)
{
	rx_set s = {NULL, 0, 0}, one;
	char name[40];

	rx_add_set(w->arena, &s, &n->set);
	for (const char *p = n->properties; *p != '\0';
	     p = strchr(p, '}') + 1) {
		size_t len = (size_t)(strchr(p, '}') + 1 - p);

		one = (rx_set){NULL, 0, 0};
		snprintf(name, sizeof(name), "%.*s", (int)len, p);
		if (!rx_property_set(w->arena, name, w->max, &one))
			refuse(w, "has an unsupported property");
		rx_add_set(w->arena, &s, &one);
	}
	return n->negated ? rx_complement(w->arena, &s, w->max) : s;
}

static bool
is_letter_pair(const rx_set *s)
{
	return s->len == 2 && s->r[0].low == s->r[0].high &&
	       s->r[1].low == s->r[1].high && is_letter(s->r[0].low) &&
	       s->r[1].low == (s->r[0].low | 32);
}

static void
put_set(writer *w, const rx_set *given)
{
	rx_set s = as_subject(w, given), rest;

	rest = rx_complement(w->arena, &s, w->max);
	if (w->t->utf) {
		/* What would be a surrogate is never there. */
		rx_set none = {NULL, 0, 0};

		rx_add(w->arena, &none, 0xd800, 0xdfff);
		none = rx_complement(w->arena, &none, w->max);
		rest = rx_intersect(w->arena, &rest, &none);
	}
	if (rest.len == 0) {
		put_pattern(w, ".");
	} else if (s.len == 0) {
		put_pattern(w, "[^\\x00-\\x{%x}]", (unsigned)w->max);
	} else if (rx_same(&s, &w->digits)) {
		put_pattern(w, "\\d");
	} else if (rx_same(&s, &w->words)) {
		put_pattern(w, "\\w");
	} else if (rx_same(&rest, &w->digits)) {
		put_pattern(w, "\\D");
	} else if (rx_same(&rest, &w->words)) {
		put_pattern(w, "\\W");
	} else if (s.len == 1 && s.r[0].low == s.r[0].high &&
		   !(w->icase && is_letter(s.r[0].low))) {
		put_char(w, s.r[0].low);
	} else if (w->icase && is_letter_pair(&s)) {
		put_char(w, s.r[1].low);
	} else {
		bool negated = s.r[s.len - 1].high == w->max;

		put_pattern(w, negated ? "[^" : "[");
		put_ranges(w, negated ? &rest : &s);
		put_pattern(w, "]");
	}
}

static void
write_class(writer *w, const rx_node *n)
{
	rx_set s;

	if (n->properties == NULL) {
		put_set(w, &n->set);
		return;
	}
	if (!w->t->utf) {
		s = with_properties(w, n);
		put_set(w, &s);
		return;
	}
	s = as_subject(w, &n->set);
	put_pattern(w, n->negated ? "[^" : "[");
	put_ranges(w, &s);
	put_pattern_bytes(w, n->properties, strlen(n->properties));
	put_pattern(w, "]");
}

static void
write_char(writer *w, uint32_t c)
{
	rx_set one = {NULL, 0, 0};

	rx_add(w->arena, &one, c, c);
	put_set(w, &one);
}

/* -------------------------------------------------------------- assertions */

static void
write_edge(writer *w, const rx_node *n)
{
	bool start = (n->kind == RX_START) != w->backward;

	if (!n->multiline)
		put_pattern(w, start ? "\\A" : "\\z");
	else
		put_pattern(w, "(?%s[^\\n\\r%s])", start ? "<!" : "!",
		    w->narrow ? "" : "\\x{2028}\\x{2029}");
}

/* With u and i, two more characters are letters of words. */
static void
write_word(writer *w, const rx_node *n)
{
	static const char wide[] = "[\\w\\x{17f}\\x{212a}]";

	if (w->narrow || !w->unicode || !n->icase) {
		put_pattern(w, n->negated ? "\\B" : "\\b");
		return;
	}
	put_pattern(w, "(?:(?<=%s)(?%s%s)", wide, n->negated ? "=" : "!", wide);
	put_pattern(w, "|(?<!%s)(?%s%s))", wide, n->negated ? "!" : "=", wide);
}

/* How many characters it matches: -1 when that is not one number, or when
 * PCRE2 could not look behind for it as it stands. */
static int
fixed_width(const rx_node *n)
{
	int sum = 0, one;

	switch (n->kind) {
	case RX_CHAR:
	case RX_CLASS:
		return 1;
	case RX_START:
	case RX_END:
	case RX_WORD:
		return 0;
	case RX_SEQUENCE:
	case RX_MODIFIED:
		for (n = n->child; n != NULL; n = n->next) {
			one = fixed_width(n);
			if (one < 0 || sum + one > BEHIND_MAX)
				return -1;
			sum += one;
		}
		return sum;
	case RX_CHOICE:
		sum = fixed_width(n->child);
		for (n = n->child->next; n != NULL; n = n->next)
			if (fixed_width(n) != sum)
				return -1;
		return sum;
	case RX_REPEAT:
		one = fixed_width(n->child);
		if (n->min != n->max || one <= 0 || n->min > BEHIND_MAX ||
		    one * (int)n->min > BEHIND_MAX)
			return -1;
		return one * (int)n->min;
	default:
		return -1;
	}
}

static bool
can_look_behind(const rx_node *n)
{
	if (n->kind != RX_CHOICE)
		return fixed_width(n) >= 0;
	for (n = n->child; n != NULL; n = n->next)
		if (fixed_width(n) < 0)
			return false;
	return true;
}

static bool
refers_outside(const rx_node *n, uint32_t first, uint32_t last)
{
	for (; n != NULL; n = n->next)
		if ((n->kind == RX_BACK &&
			(n->name.at != NULL || n->c < first || n->c >= last)) ||
		    refers_outside(n->child, first, last))
			return true;
	return false;
}

static void
write_look(writer *w, const rx_node *n)
{
	rx_part *part;
	size_t base;
	bool here = n->ahead != w->backward;

	if (here || can_look_behind(n->child)) {
		put_pattern(
		    w, "(?%s%s", here ? "" : "<", n->negated ? "!" : "=");
		write_inside(w, n->child);
		put_pattern(w, ")");
		return;
	}
	if (w->next_part == RX_PARTS) {
		refuse(w, "is too complex");
		return;
	}
	if (w->next_part == w->t->parts) {
		part = &w->t->part[w->t->parts++];
		*part = (rx_part){.body = n,
		    .backward = !w->backward,
		    .outside = (uint16_t)(w->part - w->t->part)};
	}
	put_pattern(w, "(?:");
	base = w->part->groups + 1;
	for (uint32_t g = n->first; g < n->last && !n->negated; g++) {
		new_group(w, g);
		put_pattern(w, "()");
	}
	put_callout(w, (rx_call){.kind = RX_CALL_LOOK,
			   .negated = n->negated,
			   .part = (uint16_t)w->next_part++,
			   .first = n->first,
			   .last = n->negated ? n->first : n->last,
			   .base = (uint32_t)base});
	put_pattern(w, ")");
}

/* -------------------------------------------------------------- references */

static bool
is_name_of(const rx_tree *tree, uint32_t group, rx_units name)
{
	for (const rx_name *n = tree->names; n != NULL; n = n->next)
		if (n->group == group && n->name.len == name.len &&
		    memcmp(n->name.at, name.at, name.len * 2) == 0)
			return true;
	return false;
}

/* One of PCRE2's groups at most is set; those that are not match nothing. */
static void
write_back(writer *w, const rx_node *n)
{
	put_pattern(w, n->icase ? "(?i:" : "(?-i:");
	w->t->folds |= n->icase && !w->t->utf;
	for (size_t i = 0; w->known && i < w->before->groups; i++) {
		uint32_t g = w->before->owner[i];

		if (g != 0 &&
		    (n->name.at ? is_name_of(w->tree, g, n->name) : g == n->c))
			put_pattern(w, "\\g{%zu}", i + 1);
	}
	put_pattern(w, ")");
}

/* ------------------------------------------------------------- repetitions */

static bool
can_be_empty(const rx_node *n)
{
	switch (n->kind) {
	case RX_CHAR:
	case RX_CLASS:
		return false;
	case RX_GROUP:
	case RX_MODIFIED:
		return can_be_empty(n->child);
	case RX_SEQUENCE:
		for (n = n->child; n != NULL; n = n->next)
			if (!can_be_empty(n))
				return false;
		return true;
	case RX_CHOICE:
		for (n = n->child; n != NULL; n = n->next)
			if (can_be_empty(n))
				return true;
		return false;
	case RX_REPEAT:
		return n->min == 0 || can_be_empty(n->child);
	default:
		return true;
	}
}

/* How many groups inside get a value whenever it matches. */
static uint32_t
always_set(const rx_node *n)
{
	uint32_t sum = 0;

	switch (n->kind) {
	case RX_GROUP:
		return 1 + always_set(n->child);
	case RX_SEQUENCE:
	case RX_MODIFIED:
		for (n = n->child; n != NULL; n = n->next)
			sum += always_set(n);
		return sum;
	case RX_REPEAT:
		if (n->min == 0 || (can_be_empty(n->child) && n->min != n->max))
			return 0; /* or they are written twice */
		return always_set(n->child);
	case RX_LOOK:
		return n->negated || !n->ahead ? n->last - n->first
					       : always_set(n->child);
	default:
		return 0;
	}
}

static bool
has_back_inside(const rx_node *n)
{
	for (; n != NULL; n = n->next)
		if (n->kind == RX_BACK || has_back_inside(n->child))
			return true;
	return false;
}

static void
put_quantifier(writer *w, uint32_t min, uint32_t max, bool lazy)
{
	if (max == RX_INFINITE && min <= 1)
		put_pattern(w, min == 0 ? "*" : "+");
	else if (min == 0 && max == 1)
		put_pattern(w, "?");
	else if (min == max)
		put_pattern(w, "{%u}", (unsigned)min);
	else if (max == RX_INFINITE)
		put_pattern(w, "{%u,}", (unsigned)min);
	else
		put_pattern(w, "{%u,%u}", (unsigned)min, (unsigned)max);
	if (lazy && min != max)
		put_pattern(w, "?");
}

/* One repetition, in a group of its own; moves: it must not be empty. */
static void
write_repetition(writer *w, const rx_node *n, bool resets, bool moves)
{
	size_t mark = 0;

	put_pattern(w, "(?:");
	if (moves) {
		mark = new_group(w, 0);
		put_pattern(w, "()");
	}
	if (resets)
		put_callout(w, (rx_call){.kind = RX_CALL_RESET,
				   .first = n->first,
				   .last = n->last});
	write_node(w, n->child);
	if (moves)
		put_callout(w,
		    (rx_call){.kind = RX_CALL_MOVED, .first = (uint32_t)mark});
	put_pattern(w, ")");
}

static void
write_repeat(writer *w, const rx_node *n)
{
	bool empty = can_be_empty(n->child), resets, simple;
	uint32_t min = n->min, max = n->max;

	if (max == 0)
		return;
	/* No string is longer than 2^29. */
	if (!empty && min >= 1u << 29) {
		put_pattern(w, "(?!)");
		return;
	}
	if (max >= 1u << 29)
		max = RX_INFINITE;
	if (empty && min > 65535 && n->first == n->last)
		min = 1; /* the others can be empty, too */
	if (min > 65535 || (max > 65535 && max != RX_INFINITE)) {
		refuse(w, "has too many repetitions");
		return;
	}
	resets = n->first < n->last && max > 1 &&
		 (has_back_inside(n->child) ||
		     always_set(n->child) < n->last - n->first);
	simple = n->child->kind == RX_CHAR || n->child->kind == RX_CLASS;
	if (!empty || min == max) {
		if (simple)
			write_node(w, n->child);
		else
			write_repetition(w, n, resets, false);
		if (min != 1 || max != 1)
			put_quantifier(w, min, max, n->lazy);
		return;
	}
	if (min > 0) {
		write_repetition(w, n, resets, false);
		if (min > 1)
			put_quantifier(w, min, min, false);
		max = max == RX_INFINITE ? max : max - min;
	}
	write_repetition(w, n, n->first < n->last && (resets || min > 0), true);
	put_quantifier(w, 0, max, n->lazy);
}

/* ------------------------------------------------------------------- nodes */

static void
write_sequence(writer *w, const rx_node *first)
{
	const rx_node **list;
	size_t n = 0;

	if (!w->backward) {
		for (; first != NULL; first = first->next)
			write_node(w, first);
		return;
	}
	for (const rx_node *c = first; c != NULL; c = c->next)
		n++;
	list = arena_take(w->arena, (n + 1) * sizeof(*list));
	if (list == NULL) {
		refuse(w, "is too large");
		return;
	}
	for (size_t i = n; i > 0; i--, first = first->next)
		list[i - 1] = first;
	for (size_t i = 0; i < n; i++)
		write_node(w, list[i]);
}

static void
write_choice(writer *w, const rx_node *n)
{
	put_pattern(w, "(?:");
	for (const rx_node *c = n->child; c != NULL; c = c->next) {
		write_node(w, c);
		if (c->next != NULL)
			put_pattern(w, "|");
	}
	put_pattern(w, ")");
}

static void
write_modified(writer *w, const rx_node *n)
{
	bool saved = w->icase;

	w->icase = n->icase && !w->t->utf;
	put_pattern(w, w->icase ? "(?i:" : "(?-i:");
	write_node(w, n->child);
	put_pattern(w, ")");
	w->icase = saved;
}

/* A disjunction directly inside of parentheses needs none of its own. */
static void
write_inside(writer *w, const rx_node *n)
{
	if (n->kind == RX_CHOICE) {
		for (const rx_node *c = n->child; c != NULL; c = c->next) {
			write_node(w, c);
			if (c->next != NULL)
				put_pattern(w, "|");
		}
		return;
	}
	write_node(w, n);
}

static void
write_node(writer *w, const rx_node *n)
{
	if (w->t->error != NULL)
		return;
	switch ((rx_kind)n->kind) {
	case RX_SEQUENCE:
		write_sequence(w, n->child);
		break;
	case RX_CHOICE:
		write_choice(w, n);
		break;
	case RX_CHAR:
		write_char(w, n->c);
		break;
	case RX_CLASS:
		write_class(w, n);
		break;
	case RX_GROUP:
		new_group(w, n->c);
		put_pattern(w, "(");
		write_inside(w, n->child);
		put_pattern(w, ")");
		break;
	case RX_MODIFIED:
		write_modified(w, n);
		break;
	case RX_LOOK:
		write_look(w, n);
		break;
	case RX_BACK:
		write_back(w, n);
		break;
	case RX_START:
	case RX_END:
		write_edge(w, n);
		break;
	case RX_WORD:
		write_word(w, n);
		break;
	case RX_REPEAT:
		write_repeat(w, n);
		break;
	}
}

/* Groups that are set outside and referred to inside. */
static void
write_outer(writer *w, const rx_node *look)
{
	if (!refers_outside(look->child, look->first, look->last))
		return;
	for (uint32_t g = 1; g < w->tree->groups; g++)
		if (g < look->first || g >= look->last) {
			new_group(w, g);
			put_pattern(w, "()");
		}
	put_callout(w, (rx_call){.kind = RX_CALL_OUTER,
			   .first = look->first,
			   .last = look->last});
}

static void
write_part(writer *w, rx_part *part)
{
	const rx_node *body = part->body;

	w->part = part;
	w->backward = part->backward;
	w->icase = w->flags & RX_ICASE && !w->t->utf;
	if (w->icase)
		put_pattern(w, "(?i)");
	if (part == w->t->part) {
		put_callout(w, (rx_call){.kind = RX_CALL_STEP});
		if (body->kind == RX_CHOICE)
			write_choice(w, body);
		else
			write_node(w, body);
		return;
	}
	write_outer(w, body);
	write_node(w, body->child);
}

void
rx_translate(arena *a, const rx_tree *tree, unsigned flags, rx_translation *out)
{
	bool narrow = flags & RX_NARROW;
	bool unicode = flags & (RX_UNICODE | RX_SETS);
	writer w = {.arena = a,
	    .tree = tree,
	    .t = out,
	    .flags = flags,
	    .narrow = narrow,
	    .unicode = unicode,
	    .max = narrow    ? 0xff
		   : unicode ? 0x10ffff
			     : 0xffff};
	rx_part first;

	memset(out, 0, sizeof(*out));
	out->utf = unicode && !narrow;
	out->part[0].body = tree->root;
	out->parts = 1;
	rx_add(a, &w.all, 0, w.max);
	rx_add(a, &w.digits, '0', '9');
	rx_add(a, &w.words, '0', '9');
	rx_add(a, &w.words, 'A', 'Z');
	rx_add(a, &w.words, '_', '_');
	rx_add(a, &w.words, 'a', 'z');
	for (size_t i = 0; i < out->parts && out->error == NULL; i++) {
		size_t calls = out->calls, parts = out->parts;

		first = out->part[i];
		w.known = !tree->has_back;
		w.next_part = parts;
		w.before = &first;
		write_part(&w, &out->part[i]);
		if (w.known)
			continue;
		w.known = true;
		w.next_part = parts;
		out->calls = calls;
		first = out->part[i];
		out->part[i] = (rx_part){.body = first.body,
		    .backward = first.backward,
		    .outside = first.outside};
		write_part(&w, &out->part[i]);
	}
	if (out->error == NULL && a->bad != CM_OK)
		out->error = "is too large";
}
