/* SPDX-License-Identifier: MIT */
/* regexp_class.c -- classes of characters in regular expressions, with the
 * operations of the flag v, and properties: see regexp.h. */
#include "regexp_parts.h"

#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------- known sets */

void
rx_add_lines(arena *a, rx_set *s)
{
	rx_add(a, s, '\n', '\n');
	rx_add(a, s, '\r', '\r');
	rx_add(a, s, 0x2028, 0x2029);
}

void
rx_add_words(arena *a, rx_set *s)
{
	rx_add(a, s, '0', '9');
	rx_add(a, s, 'A', 'Z');
	rx_add(a, s, '_', '_');
	rx_add(a, s, 'a', 'z');
}

static void
add_spaces(arena *a, rx_set *s)
{
	static const rx_range rows[] = {{9, 13}, {32, 32}, {0xa0, 0xa0},
	    {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029},
	    {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
	    {0xfeff, 0xfeff}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		rx_add(a, s, rows[i].low, rows[i].high);
}

/* -------------------------------------------------------------- properties */

typedef enum property_kind {
	CATEGORY_NAME,
	SCRIPT_NAME,
	BINARY_NAME
} property_kind;

static const struct property_row {
	property_kind kind;
	const char *names;
} property_rows[] = {
#define CATEGORY(names) {CATEGORY_NAME, names},
#define SCRIPT(names)   {SCRIPT_NAME, names},
#define BINARY(names)   {BINARY_NAME, names},
#include "regexp_property.def"
#undef CATEGORY
#undef SCRIPT
#undef BINARY
};

static bool
has_property_name(const char *names, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = names; n > 0 && p != NULL; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (strncmp(p, name, n) == 0 && (p[n] == ' ' || p[n] == '\0'))
			return true;
	}
	return false;
}

/* The first name of a property; NULL: there is none of that name. */
static const char *
find_property(property_kind kind, const char *name, int *len)
{
	size_t n = sizeof(property_rows) / sizeof(*property_rows);

	for (size_t i = 0; i < n; i++)
		if (property_rows[i].kind == kind &&
		    has_property_name(property_rows[i].names, name)) {
			*len = (int)strcspn(property_rows[i].names, " ");
			return property_rows[i].names;
		}
	return NULL;
}

typedef struct property {
	char pcre[40]; /* as PCRE2 writes it; "": the set is all there is */
	rx_set set;
	bool with_surrogates;
	bool exact; /* .pcre is right for lone surrogates, too */
} property;

static bool
is_category_with(const char *short_name, int len, const char *list)
{
	for (const char *p = list; *p != '\0'; p += 3)
		if (strncmp(p, short_name, (size_t)len) == 0 &&
		    (p[len] == ' ' || len == 2))
			return true;
	return false;
}

/* name, or name=value. */
static bool
look_up_property(rx_reader *r, const char *name, const char *val, property *p)
{
	static const char sc[] = "sc Script", scx[] = "scx Script_Extensions";
	const char *found;
	int len = 0;
	bool script = val != NULL && has_property_name(sc, name);

	*p = (property){.exact = true};
	if (val != NULL && !script && !has_property_name(scx, name) &&
	    !has_property_name("gc General_Category", name))
		return false;
	if (script || (val != NULL && has_property_name(scx, name))) {
		found = find_property(SCRIPT_NAME, val, &len);
		if (found == NULL)
			return false;
		snprintf(p->pcre, sizeof(p->pcre), "\\p{%s:%.*s}",
		    script ? "sc" : "scx", len, found);
		p->with_surrogates = strncmp(found, "Zzzz", 4) == 0;
		return true;
	}
	found = find_property(CATEGORY_NAME, val ? val : name, &len);
	if (found != NULL) {
		snprintf(p->pcre, sizeof(p->pcre), "\\p{%.*s}", len,
		    strncmp(found, "LC", 2) == 0 ? "L&" : found);
		p->with_surrogates = is_category_with(found, len, "C  Cs ");
		p->exact = !is_category_with(found, len, "Cs Cn ");
		return true;
	}
	if (val != NULL)
		return false;
	if (strcmp(name, "Any") == 0 || strcmp(name, "ASCII") == 0) {
		rx_add(r->arena, &p->set, 0, name[1] == 'n' ? 0x10ffff : 127);
		return true;
	}
	if (strcmp(name, "Assigned") == 0) {
		snprintf(p->pcre, sizeof(p->pcre), "\\P{Cn}");
		p->with_surrogates = true;
		p->exact = false;
		return true;
	}
	found = find_property(BINARY_NAME, name, &len);
	if (found != NULL)
		snprintf(p->pcre, sizeof(p->pcre), "\\p{%.*s}", len, found);
	return found != NULL;
}

/* {name} or {name=value}, of letters, digits and _. */
static bool
read_unicode_property(rx_reader *r, property *p)
{
	char chars[64], *val;
	size_t n = 0;

	if (!rx_eat(r, '{'))
		return false;
	for (; n < sizeof(chars) - 1 && rx_peek(r, 0) < 128 &&
	       rx_peek(r, 0) != '}';
	     n++)
		chars[n] = (char)rx_next(r, false);
	chars[n] = '\0';
	if (!rx_eat(r, '}'))
		return false;
	val = strchr(chars, '=');
	if (val != NULL)
		*val++ = '\0';
	return look_up_property(r, chars, val, p);
}

/* All its characters. */
static rx_set
property_members(rx_reader *r, const property *p)
{
	rx_set s = {NULL, 0, 0};

	rx_add_set(r->arena, &s, &p->set);
	if (p->pcre[0] != '\0' &&
	    !rx_property_set(r->arena, p->pcre, 0x10ffff, &s))
		rx_fail(r, "unsupported unicode property");
	if (p->with_surrogates)
		rx_add(r->arena, &s, 0xd800, 0xdfff);
	return s;
}

static const char *
join_properties(rx_reader *r, const char *first, const char *pcre, bool negated)
{
	size_t n = first ? strlen(first) : 0, more = strlen(pcre);
	char *out = arena_take(r->arena, n + more + 1);

	if (out == NULL)
		return rx_fail(r, "regular expression too large");
	if (n > 0)
		memcpy(out, first, n);
	memcpy(out + n, pcre, more + 1);
	if (negated)
		out[n + 1] ^= 'p' ^ 'P';
	return out;
}

/* A property goes into a set, or, where the set need not be known, into a list
 * of properties for PCRE2. */
static void
add_unicode_property(rx_reader *r, bool negated, rx_set *set, const char **list)
{
	property p;
	rx_set s;

	if (!read_unicode_property(r, &p)) {
		rx_fail(r, "unknown unicode property name");
		return;
	}
	if (list != NULL && !r->icase && p.pcre[0] != '\0' && p.exact) {
		*list = join_properties(r, *list, p.pcre, negated);
		return;
	}
	s = property_members(r, &p);
	if (r->icase && r->sets)
		s = rx_fold(r->arena, &s, true);
	if (negated)
		s = rx_complement(r->arena, &s, r->max);
	rx_add_set(r->arena, set, &s);
}

/* ----------------------------------------------------------------- escapes */

/* \d and so on. False: it is none of these. */
static bool
eat_class_escape(rx_reader *r, rx_set *set, const char **list)
{
	uint32_t c = rx_peek(r, 0);
	rx_set s = {NULL, 0, 0};

	if (c == 'd' || c == 'D') {
		rx_add(r->arena, &s, '0', '9');
	} else if (c == 's' || c == 'S') {
		add_spaces(r->arena, &s);
	} else if (c == 'w' || c == 'W') {
		rx_add_words(r->arena, &s);
		if (r->unicode && r->icase)
			s = rx_fold(r->arena, &s, true);
	} else if (r->unicode && (c == 'p' || c == 'P')) {
		r->at++;
		add_unicode_property(r, c == 'P', set, list);
		return true;
	} else {
		return false;
	}
	r->at++;
	if (c < 'a')
		s = rx_complement(r->arena, &s, r->max);
	rx_add_set(r->arena, set, &s);
	return true;
}

/* ------------------------------------------------------- classes without v */

/* One member, or what an escape stands for (false). */
static bool
read_class_member(rx_reader *r, rx_set *set, const char **list, uint32_t *c)
{
	if (!rx_eat(r, '\\')) {
		*c = rx_next(r, r->unicode);
		return true;
	}
	if (eat_class_escape(r, set, list))
		return false;
	if (rx_eat(r, 'b'))
		*c = 8;
	else if (r->unicode && rx_eat(r, '-'))
		*c = '-';
	else
		*c = rx_char_escape(r, true);
	return true;
}

static void
read_class_members(rx_reader *r, rx_set *set, const char **list)
{
	uint32_t low, high;

	while (r->at < r->end && rx_peek(r, 0) != ']') {
		bool is_low = read_class_member(r, set, list, &low), is_high;

		if (is_low)
			rx_add(r->arena, set, low, low);
		if (rx_peek(r, 0) != '-' || rx_peek(r, 1) == ']' ||
		    rx_peek(r, 1) == RX_NO_CHAR)
			continue;
		r->at++;
		is_high = read_class_member(r, set, list, &high);
		if (is_high)
			rx_add(r->arena, set, high, high);
		if (!is_low || !is_high) {
			if (r->unicode)
				rx_fail(r, "invalid class range");
			rx_add(r->arena, set, '-', '-');
		} else if (low > high) {
			rx_fail(r, "invalid class range");
		} else {
			rx_add(r->arena, set, low, high);
		}
	}
}

/* ---------------------------------------------------------- classes with v */

/* A string that is a member of a class, longer ones first. */
typedef struct class_string {
	const uint32_t *at;
	size_t len; /* not 1 */
	struct class_string *next;
} class_string;

typedef struct operand {
	rx_set set;
	class_string *strings;
} operand;

static uint32_t
same_char(const rx_reader *r, uint32_t c)
{
	return r->icase ? rx_canonical(c, true) : c;
}

static bool
same_string(const rx_reader *r, const class_string *a, const class_string *b)
{
	if (a->len != b->len)
		return false;
	for (size_t i = 0; i < a->len; i++)
		if (same_char(r, a->at[i]) != same_char(r, b->at[i]))
			return false;
	return true;
}

static bool
has_string(const rx_reader *r, const class_string *list, const class_string *s)
{
	for (; list != NULL; list = list->next)
		if (same_string(r, list, s))
			return true;
	return false;
}

static void
add_class_string(rx_reader *r, operand *o, const uint32_t *at, size_t len)
{
	class_string *s = arena_take(r->arena, sizeof(*s)), **p;

	if (s == NULL)
		return;
	*s = (class_string){at, len, NULL};
	if (has_string(r, o->strings, s))
		return;
	for (p = &o->strings; *p != NULL && (*p)->len >= len;)
		p = &(*p)->next;
	s->next = *p;
	*p = s;
}

/* Those of a that are in b, or not. */
static class_string *
pick_strings(rx_reader *r, class_string *a, class_string *b, bool in)
{
	operand out = {{NULL, 0, 0}, NULL};

	for (; a != NULL; a = a->next)
		if (has_string(r, b, a) == in)
			add_class_string(r, &out, a->at, a->len);
	return out.strings;
}

static void
add_folded(rx_reader *r, operand *o, uint32_t low, uint32_t high)
{
	rx_set one = {NULL, 0, 0};

	rx_add(r->arena, &one, low, high);
	if (r->icase)
		one = rx_fold(r->arena, &one, true);
	rx_add_set(r->arena, &o->set, &one);
}

static bool
is_double(const rx_reader *r)
{
	uint32_t c = rx_peek(r, 0);

	return c < 128 && c > 0 && c == rx_peek(r, 1) &&
	       strchr("&!#$%*+,.:;<=>?@^`~", (int)c) != NULL;
}

static uint32_t
set_char(rx_reader *r)
{
	uint32_t c = rx_peek(r, 0);

	if (rx_eat(r, '\\')) {
		c = rx_peek(r, 0);
		if (rx_eat(r, 'b'))
			return 8;
		if (c < 128 && c > 0 && strchr("&-!#%,:;<=>@`~", (int)c)) {
			r->at++;
			return c;
		}
		return rx_char_escape(r, true);
	}
	if (is_double(r) || (c < 128 && c > 0 && strchr("()[]{}/-|", (int)c)))
		rx_fail(r, "invalid character in class in regular expression");
	return rx_next(r, true);
}

/* {a|bc} behind \q */
static void
read_class_strings(rx_reader *r, operand *o)
{
	uint32_t *at;
	size_t n = 0;

	if (!rx_eat(r, '{')) {
		rx_fail(r, "invalid escape sequence in regular expression");
		return;
	}
	at = arena_take(r->arena, (size_t)(r->end - r->at) * 4 + 4);
	while (at != NULL && r->tree.error == NULL) {
		uint32_t c = rx_peek(r, 0);

		if (c != '|' && c != '}') {
			if (c == RX_NO_CHAR) {
				rx_fail(r, "unexpected end");
				return;
			}
			at[n++] = set_char(r);
			continue;
		}
		r->at++;
		if (n == 1)
			add_folded(r, o, at[0], at[0]);
		else
			add_class_string(r, o, at, n);
		at += n;
		n = 0;
		if (c == '}')
			return;
	}
}

/* The only property of strings that is known by a rule, not by a long list. */
static bool
eat_keycaps(rx_reader *r, const char *escape, operand *o)
{
	static const char keys[] = "0123456789#*";

	if (!r->sets || !rx_eat_text(r, escape))
		return false;
	for (size_t i = 0; keys[i] != '\0'; i++) {
		uint32_t *at = arena_take(r->arena, 3 * sizeof(*at));

		if (at == NULL)
			break;
		at[0] = (uint8_t)keys[i];
		at[1] = 0xfe0f;
		at[2] = 0x20e3;
		add_class_string(r, o, at, 3);
	}
	return true;
}

static operand read_sets(rx_reader *r);

static operand
read_nested(rx_reader *r)
{
	bool negated = rx_eat(r, '^');
	operand o = {{NULL, 0, 0}, NULL};

	if (r->depth++ >= 200)
		rx_fail(r, "regular expression too deeply nested");
	else
		o = read_sets(r);
	r->depth--;
	if (!rx_eat(r, ']'))
		rx_fail(r, "unexpected end");
	if (negated && o.strings != NULL)
		rx_fail(r, "a negated class has no strings");
	if (negated)
		o.set = rx_complement(r->arena, &o.set, r->max);
	return o;
}

/* A class, an escape, \q{}, or (true) one character, not added yet. */
static bool
read_class_operand(rx_reader *r, operand *o, uint32_t *c)
{
	*o = (operand){{NULL, 0, 0}, NULL};
	if (rx_eat(r, '[')) {
		*o = read_nested(r);
		return false;
	}
	if (eat_keycaps(r, "\\p{Emoji_Keycap_Sequence}", o))
		return false;
	if (rx_eat_text(r, "\\q")) {
		read_class_strings(r, o);
		return false;
	}
	if (rx_peek(r, 0) == '\\') {
		r->at++;
		if (eat_class_escape(r, &o->set, NULL))
			return false;
		r->at--;
	}
	*c = set_char(r);
	return true;
}

static void
add_operand(rx_reader *r, operand *to, const operand *o)
{
	rx_add_set(r->arena, &to->set, &o->set);
	for (const class_string *s = o->strings; s != NULL; s = s->next)
		add_class_string(r, to, s->at, s->len);
}

static void
read_operator(rx_reader *r, operand *left, const char *op)
{
	operand o;
	uint32_t c;
	rx_set others;

	while (r->tree.error == NULL && rx_peek(r, 0) != ']') {
		if (!rx_eat_text(r, op) ||
		    (*op == '&' && rx_peek(r, 0) == '&')) {
			rx_fail(r, "invalid operation in regular expression");
			return;
		}
		if (read_class_operand(r, &o, &c))
			add_folded(r, &o, c, c);
		if (*op == '&') {
			left->set = rx_intersect(r->arena, &left->set, &o.set);
		} else {
			others = rx_complement(r->arena, &o.set, r->max);
			left->set = rx_intersect(r->arena, &left->set, &others);
		}
		left->strings =
		    pick_strings(r, left->strings, o.strings, *op == '&');
	}
}

static operand
read_sets(rx_reader *r)
{
	operand all = {{NULL, 0, 0}, NULL}, o;
	uint32_t c = 0, high = 0;

	for (bool first = true;
	     r->tree.error == NULL && r->at < r->end && rx_peek(r, 0) != ']';
	     first = false) {
		bool is_char = read_class_operand(r, &o, &c);

		if (is_char && rx_peek(r, 0) == '-' && rx_peek(r, 1) != '-') {
			r->at++;
			high = set_char(r);
			if (c > high)
				rx_fail(r, "invalid class range");
			add_folded(r, &all, c, high);
			continue;
		}
		if (is_char)
			add_folded(r, &o, c, c);
		add_operand(r, &all, &o);
		if (first && rx_peek(r, 0) == '&' && rx_peek(r, 1) == '&')
			read_operator(r, &all, "&&");
		else if (first && rx_peek(r, 0) == '-' && rx_peek(r, 1) == '-')
			read_operator(r, &all, "--");
	}
	return all;
}

/* Strings are alternatives, the longest first; the characters come before the
 * empty one. */
static rx_node *
strings_choice(rx_reader *r, const operand *o)
{
	rx_node *n = rx_make(r, RX_CHOICE), **last, *one, **c;
	bool characters = o->set.len == 0;
	const class_string *s = o->strings;

	if (n == NULL)
		return NULL;
	for (last = &n->child; s != NULL || !characters; last = &one->next) {
		if (!characters && (s == NULL || s->len == 0)) {
			characters = true;
			one = *last = rx_make_class(r, o->set);
			if (one == NULL)
				return NULL;
			continue;
		}
		one = *last = rx_make(r, RX_SEQUENCE);
		if (one == NULL)
			return NULL;
		c = &one->child;
		for (size_t i = 0; i < s->len; i++, c = &(*c)->next) {
			*c = rx_make_char(r, s->at[i]);
			if (*c == NULL)
				return NULL;
		}
		s = s->next;
	}
	return n;
}

rx_node *
rx_read_class(rx_reader *r)
{
	rx_node *n;
	rx_set set = {NULL, 0, 0};
	const char *list = NULL;
	operand o;
	bool negated;

	if (r->sets) {
		o = read_nested(r);
		if (r->tree.error != NULL)
			return NULL;
		return o.strings ? strings_choice(r, &o)
				 : rx_make_class(r, o.set);
	}
	negated = rx_eat(r, '^');
	read_class_members(r, &set, &list);
	if (!rx_eat(r, ']'))
		return rx_fail(r, "unexpected end");
	n = rx_make_class(r, set);
	if (n == NULL)
		return NULL;
	n->properties = list;
	n->negated = negated && list != NULL;
	if (negated && list == NULL)
		n->set = rx_complement(r->arena, &n->set, r->max);
	return n;
}

rx_node *
rx_class_escape(rx_reader *r, rx_set *set)
{
	const char *list = NULL;
	operand strings = {{NULL, 0, 0}, NULL};
	rx_node *n;

	if (eat_keycaps(r, "p{Emoji_Keycap_Sequence}", &strings))
		return strings_choice(r, &strings);
	if (!eat_class_escape(r, set, &list))
		return NULL;
	n = rx_make_class(r, *set);
	if (n != NULL)
		n->properties = list;
	return n;
}
