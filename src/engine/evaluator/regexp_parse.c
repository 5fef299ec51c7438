/* SPDX-License-Identifier: MIT */
/* regexp_parse.c -- the syntax of regular expressions, ECMA-262 §22.2.1 with
 * Annex B.1.2: see regexp.h. Classes are in regexp_class.c. */
#include "regexp_parts.h"

#include <string.h>

enum {
	DEPTH_MAX = 200, /* groups in groups: the reader calls itself */
	CHECK_MAX = 32 << 20
};

/* An alternative of a disjunction: groups of one name may stand in two. */
typedef struct rx_branch {
	const struct rx_branch *outer;
	const void *choice; /* which disjunction */
	uint32_t number;
} rx_branch;

void *
rx_fail(rx_reader *r, const char *why)
{
	if (r->tree.error == NULL)
		r->tree.error = why;
	r->at = r->end;
	return NULL;
}

/* -------------------------------------------------------------- characters */

uint32_t
rx_peek(const rx_reader *r, size_t ahead)
{
	return (size_t)(r->end - r->at) > ahead ? r->at[ahead] : RX_NO_CHAR;
}

bool
rx_eat(rx_reader *r, char c)
{
	if (rx_peek(r, 0) != (uint8_t)c)
		return false;
	r->at++;
	return true;
}

bool
rx_eat_text(rx_reader *r, const char *chars)
{
	size_t n = strlen(chars);

	for (size_t i = 0; i < n; i++)
		if (rx_peek(r, i) != (uint8_t)chars[i])
			return false;
	r->at += n;
	return true;
}

/* The next code point; pairs: two surrogates are one. */
uint32_t
rx_next(rx_reader *r, bool pairs)
{
	uint32_t c = rx_peek(r, 0), low = rx_peek(r, 1);

	if (c == RX_NO_CHAR)
		return c;
	r->at++;
	if (pairs && (c & 0xfc00) == 0xd800 && low != RX_NO_CHAR &&
	    (low & 0xfc00) == 0xdc00) {
		r->at++;
		return 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
	}
	return c;
}

static int
regexp_hex_digit(uint32_t c)
{
	if (c >= '0' && c <= '9')
		return (int)(c - '0');
	if ((c | 32) >= 'a' && (c | 32) <= 'f')
		return (int)((c | 32) - 'a') + 10;
	return -1;
}

/* Exactly n hexadecimal digits, or nothing is read. */
static bool
eat_hex(rx_reader *r, size_t n, uint32_t *out)
{
	*out = 0;
	for (size_t i = 0; i < n; i++) {
		int digit = regexp_hex_digit(rx_peek(r, i));

		if (digit < 0)
			return false;
		*out = *out * 16 + (uint32_t)digit;
	}
	r->at += n;
	return true;
}

/* {H...} behind \u. */
static bool
eat_braced_hex(rx_reader *r, uint32_t *out)
{
	const uint16_t *from = r->at;
	uint32_t c = 0;

	if (!rx_eat(r, '{'))
		return false;
	for (; regexp_hex_digit(rx_peek(r, 0)) >= 0 && c <= 0x10ffff; r->at++)
		c = c * 16 + (uint32_t)regexp_hex_digit(rx_peek(r, 0));
	if (r->at == from + 1 || c > 0x10ffff || !rx_eat(r, '}')) {
		r->at = from;
		return false;
	}
	*out = c;
	return true;
}

/* Behind \u. */
bool
rx_eat_unicode(rx_reader *r, bool unicode, uint32_t *out)
{
	const uint16_t *from;
	uint32_t low;

	if (unicode && eat_braced_hex(r, out))
		return true;
	if (!eat_hex(r, 4, out))
		return false;
	from = r->at;
	if (unicode && (*out & 0xfc00) == 0xd800 && rx_eat_text(r, "\\u") &&
	    eat_hex(r, 4, &low) && (low & 0xfc00) == 0xdc00)
		*out = 0x10000 + ((*out & 0x3ff) << 10 | (low & 0x3ff));
	else
		r->at = from;
	return true;
}

/* A number; it stays below 2^32. */
static bool
eat_decimal(rx_reader *r, uint32_t *out)
{
	uint64_t n = 0;
	const uint16_t *from = r->at;

	for (; rx_peek(r, 0) >= '0' && rx_peek(r, 0) <= '9'; r->at++)
		if (n < RX_INFINITE)
			n = n * 10 + rx_peek(r, 0) - '0';
	*out = n < RX_INFINITE ? (uint32_t)n : RX_INFINITE - 1;
	return r->at > from;
}

static uint32_t
legacy_octal(rx_reader *r)
{
	uint32_t n = 0;

	for (size_t i = 0; i < 3; i++) {
		uint32_t c = rx_peek(r, 0);

		if (c < '0' || c > '7' || n * 8 + c - '0' > 255)
			break;
		n = n * 8 + c - '0';
		r->at++;
	}
	return n;
}

/* An escape that is one character, at what follows the backslash. */
uint32_t
rx_char_escape(rx_reader *r, bool in_class)
{
	static const char controls[] = "t\tn\nv\vf\fr\r";
	uint32_t c = rx_peek(r, 0), n;
	const char *hit;

	if (c == RX_NO_CHAR) {
		rx_fail(r, "unexpected end");
		return 0;
	}
	hit = c < 128 && c > ' ' ? strchr(controls, (int)c) : NULL;
	if (hit != NULL) {
		r->at++;
		return (uint8_t)hit[1];
	}
	if (c == 'c') {
		n = rx_peek(r, 1);
		if (((n | 32) >= 'a' && (n | 32) <= 'z') ||
		    (in_class && !r->unicode &&
			((n >= '0' && n <= '9') || n == '_'))) {
			r->at += 2;
			return n & 31;
		}
		if (!r->unicode)
			return '\\'; /* and the c is read again */
	} else if (c == '0' && !(rx_peek(r, 1) - '0' <= 9)) {
		r->at++;
		return 0;
	} else if (c >= '0' && c <= '7' && !r->unicode) {
		return legacy_octal(r);
	} else if (c == 'x' || c == 'u') {
		r->at++;
		if (c == 'x' ? eat_hex(r, 2, &n)
			     : rx_eat_unicode(r, r->unicode, &n))
			return n;
		if (!r->unicode)
			return c;
	} else if (r->unicode
		       ? c < 128 && c > 0 && strchr("^$\\.*+?()[]{}|/", (int)c)
		       : c != 'k' || !r->named) {
		return rx_next(r, r->unicode);
	} else if (r->unicode && in_class && c == '-') {
		r->at++;
		return c;
	}
	rx_fail(r, "invalid escape sequence in regular expression");
	return 0;
}

/* ------------------------------------------------------------------- nodes */

rx_node *
rx_make(rx_reader *r, rx_kind kind)
{
	rx_node *n = arena_take(r->arena, sizeof(*n));

	if (n == NULL)
		return rx_fail(r, "regular expression too large");
	memset(n, 0, sizeof(*n));
	n->kind = (uint8_t)kind;
	n->first = n->last = r->tree.groups;
	n->icase = r->icase;
	n->multiline = r->multiline;
	return n;
}

/* With the flag i, all that are the same as one of the set. */
rx_node *
rx_make_class(rx_reader *r, rx_set set)
{
	rx_node *n = rx_make(r, RX_CLASS);

	if (n != NULL)
		n->set = r->icase ? rx_fold(r->arena, &set, r->unicode) : set;
	return n;
}

rx_node *
rx_make_char(rx_reader *r, uint32_t c)
{
	rx_set one = {NULL, 0, 0};
	rx_node *n;

	if (!r->icase) {
		n = rx_make(r, RX_CHAR);
		if (n != NULL)
			n->c = c;
		return n;
	}
	rx_add(r->arena, &one, c, c);
	return rx_make_class(r, one);
}

/* ------------------------------------------------------------------ groups */

static bool
same_units(rx_units a, rx_units b)
{
	return a.len == b.len && memcmp(a.at, b.at, a.len * 2) == 0;
}

/* Do they stand in two alternatives of one disjunction? */
static bool
exclude_each_other(const rx_branch *a, const rx_branch *b)
{
	for (; a != NULL; a = a->outer)
		for (const rx_branch *c = b; c != NULL; c = c->outer)
			if (a->choice == c->choice && a->number != c->number)
				return true;
	return false;
}

/* name> behind < */
static bool
read_group_name(rx_reader *r, rx_units *name)
{
	uint16_t *out = arena_take(r->arena, (size_t)(r->end - r->at) * 2 + 2);
	size_t n = 0;

	while (out != NULL && r->at < r->end && !rx_eat(r, '>')) {
		uint32_t c = rx_next(r, true);

		if (c == '\\' &&
		    (!rx_eat(r, 'u') || !rx_eat_unicode(r, true, &c)))
			break;
		if (!(c == '$' || (n == 0 ? starts_name(c)
					  : continues_name(c) || c == 0x200c ||
						c == 0x200d)))
			break;
		if (c > 0xffff) {
			out[n++] = (uint16_t)(0xd7c0 + (c >> 10));
			c = 0xdc00 + (c & 0x3ff);
		}
		out[n++] = (uint16_t)c;
	}
	*name = (rx_units){out, n};
	if (out != NULL && n > 0 && r->at[-1] == '>')
		return true;
	rx_fail(r, "invalid group name");
	return false;
}

static void
add_group_name(rx_reader *r, rx_units name, uint32_t group)
{
	rx_name *n = arena_take(r->arena, sizeof(*n)), **last;

	for (last = &r->tree.names; *last != NULL; last = &(*last)->next)
		if (same_units((*last)->name, name) &&
		    !exclude_each_other((*last)->branch, r->branch)) {
			rx_fail(r, "duplicate group name");
			return;
		}
	if (n == NULL)
		return;
	*n = (rx_name){name, group, r->branch, NULL};
	*last = n;
}

/* Counts groups and looks for names, before anything is read. */
static void
count_all_groups(rx_reader *r)
{
	bool class = false;

	for (const uint16_t *p = r->at; p < r->end; p++)
		if (*p == '\\') {
			p++;
		} else if (class) {
			class = *p != ']';
		} else if (*p == '[') {
			class = true;
		} else if (*p == '(') {
			bool special = r->end - p > 1 && p[1] == '?';
			bool name = special && r->end - p > 3 && p[2] == '<' &&
				    p[3] != '=' && p[3] != '!';

			r->named |= name;
			r->all_groups += !special || name;
		}
}

static rx_node *read_disjunction(rx_reader *r);

static rx_node *
read_group_inside(rx_reader *r, rx_node *n)
{
	if (n == NULL)
		return NULL;
	if (r->depth++ >= DEPTH_MAX)
		return rx_fail(r, "regular expression too deeply nested");
	n->child = read_disjunction(r);
	r->depth--;
	n->last = r->tree.groups;
	if (!rx_eat(r, ')'))
		return rx_fail(r, "expecting ')'");
	return n;
}

/* ims-ims: behind (? */
static rx_node *
read_modified(rx_reader *r)
{
	bool saved[3] = {r->icase, r->multiline, r->dotall}, minus = false;
	unsigned seen = 0;
	size_t count = 0;
	rx_node *n;

	for (; !rx_eat(r, ':'); count++) {
		uint32_t c = rx_next(r, true);
		unsigned bit = c == 'i' ? 1 : c == 'm' ? 2 : c == 's' ? 4 : 0;

		if (c == '-' && !minus) {
			minus = true;
			continue;
		}
		if (bit == 0 || seen & bit)
			return rx_fail(r, "invalid modifiers");
		seen |= bit;
		r->icase = bit == 1 ? !minus : r->icase;
		r->multiline = bit == 2 ? !minus : r->multiline;
		r->dotall = bit == 4 ? !minus : r->dotall;
	}
	if (minus && count == 1)
		return rx_fail(r, "invalid modifiers");
	r->tree.modifies_case |= r->icase != saved[0];
	n = read_group_inside(r, rx_make(r, RX_MODIFIED));
	r->icase = saved[0];
	r->multiline = saved[1];
	r->dotall = saved[2];
	return n;
}

/* Behind (; *look: lookahead, lookbehind. */
static rx_node *
read_group(rx_reader *r)
{
	rx_node *n;
	rx_units name;
	bool ahead, named;

	if (rx_peek(r, 0) == '?' && rx_peek(r, 1) != '<') {
		r->at++;
		ahead = rx_peek(r, 0) == '=' || rx_peek(r, 0) == '!';
		if (!ahead)
			return read_modified(r);
		n = rx_make(r, RX_LOOK);
		if (n != NULL)
			n->ahead = true;
	} else if (rx_peek(r, 0) == '?' &&
		   (rx_peek(r, 2) == '=' || rx_peek(r, 2) == '!')) {
		r->at += 2;
		n = rx_make(r, RX_LOOK);
	} else {
		named = rx_eat_text(r, "?<");
		if (named && !read_group_name(r, &name))
			return NULL;
		n = rx_make(r, RX_GROUP);
		if (n == NULL)
			return NULL;
		n->c = r->tree.groups++;
		if (named)
			add_group_name(r, name, n->c);
		return read_group_inside(r, n);
	}
	if (n != NULL)
		n->negated = rx_peek(r, 0) == '!';
	r->at++;
	return read_group_inside(r, n);
}

/* ------------------------------------------------------------------- terms */

static rx_node *
read_back(rx_reader *r)
{
	rx_node *n = rx_make(r, RX_BACK);

	if (n == NULL)
		return NULL;
	r->tree.has_back = true;
	if (!rx_eat(r, 'k')) {
		eat_decimal(r, &n->c);
		return n;
	}
	if (!rx_eat(r, '<') || !read_group_name(r, &n->name))
		return rx_fail(r, "expecting group name");
	return n;
}

/* Is there a decimal escape that is a reference? */
static bool
is_back(const rx_reader *r)
{
	rx_reader copy = *r;
	uint32_t n;

	if (rx_peek(r, 0) == 'k')
		return r->unicode || r->named;
	if (rx_peek(r, 0) < '1' || rx_peek(r, 0) > '9')
		return false;
	eat_decimal(&copy, &n);
	return r->unicode || n < r->all_groups;
}

static rx_node *
read_atom_escape(rx_reader *r)
{
	rx_node *n;
	rx_set set = {NULL, 0, 0};
	uint32_t c = rx_peek(r, 0);

	if (c == 'b' || c == 'B') {
		r->at++;
		n = rx_make(r, RX_WORD);
		if (n != NULL)
			n->negated = c == 'B';
		return n;
	}
	if (is_back(r)) {
		n = read_back(r);
		if (n != NULL && n->name.at == NULL && n->c >= r->all_groups)
			return rx_fail(r, "back reference out of range in "
					  "regular expression");
		return n;
	}
	n = rx_class_escape(r, &set);
	if (n != NULL || r->tree.error != NULL)
		return n;
	if (set.r != NULL)
		return rx_make_class(r, set);
	return rx_make_char(r, rx_char_escape(r, false));
}

/* Is {n}, {n,} or {n,m} next? Reads it. */
static bool
eat_braces(rx_reader *r, uint32_t *min, uint32_t *max)
{
	const uint16_t *from = r->at;

	if (rx_eat(r, '{') && eat_decimal(r, min)) {
		*max = *min;
		if (rx_eat(r, ',') && !eat_decimal(r, max))
			*max = RX_INFINITE;
		if (rx_eat(r, '}'))
			return true;
	}
	r->at = from;
	return false;
}

static bool
eat_quantifier(rx_reader *r, uint32_t *min, uint32_t *max)
{
	*min = 0;
	*max = RX_INFINITE;
	if (rx_eat(r, '*'))
		return true;
	if (rx_eat(r, '+'))
		*min = 1;
	else if (rx_eat(r, '?'))
		*max = 1;
	else
		return eat_braces(r, min, max);
	return true;
}

static rx_node *
read_regexp_atom(rx_reader *r)
{
	uint32_t min, max, c = rx_peek(r, 0);
	rx_set set = {NULL, 0, 0}, none = {NULL, 0, 0};

	switch (c) {
	case '^':
	case '$':
		r->at++;
		return rx_make(r, c == '^' ? RX_START : RX_END);
	case '(':
		r->at++;
		return read_group(r);
	case '.':
		r->at++;
		if (!r->dotall)
			rx_add_lines(r->arena, &set);
		set = rx_complement(r->arena, r->dotall ? &none : &set, r->max);
		return rx_make_class(r, set);
	case '[':
		r->at++;
		return rx_read_class(r);
	case '\\':
		r->at++;
		return read_atom_escape(r);
	case '*':
	case '+':
	case '?':
		return rx_fail(r, "nothing to repeat");
	case '{':
		if (r->unicode)
			return rx_fail(r, "syntax error");
		if (eat_braces(r, &min, &max))
			return rx_fail(r, "nothing to repeat");
		break;
	case ']':
	case '}':
		if (r->unicode)
			return rx_fail(r, "syntax error");
		break;
	default:
		break;
	}
	return rx_make_char(r, rx_next(r, r->unicode));
}

/* A lookahead may be repeated without u; nothing else that matches no
 * characters may. */
static rx_node *
read_regexp_term(rx_reader *r)
{
	uint32_t first = r->tree.groups, min, max;
	rx_node *atom = read_regexp_atom(r), *n;
	bool fixed;

	if (atom == NULL || r->tree.error != NULL)
		return NULL;
	fixed = atom->kind == RX_START || atom->kind == RX_END ||
		atom->kind == RX_WORD ||
		(atom->kind == RX_LOOK && (r->unicode || !atom->ahead));
	if (!eat_quantifier(r, &min, &max))
		return atom;
	if (fixed)
		return rx_fail(r, "nothing to repeat");
	if (min > max)
		return rx_fail(r, "invalid repetition count");
	n = rx_make(r, RX_REPEAT);
	if (n == NULL)
		return NULL;
	n->lazy = rx_eat(r, '?');
	n->min = min;
	n->max = max;
	n->child = atom;
	n->first = first;
	n->last = r->tree.groups;
	return n;
}

static rx_node *
read_alternative(rx_reader *r)
{
	rx_node *n = rx_make(r, RX_SEQUENCE), **last;

	if (n == NULL)
		return NULL;
	for (last = &n->child;
	     r->at < r->end && rx_peek(r, 0) != '|' && rx_peek(r, 0) != ')';
	     last = &(*last)->next) {
		*last = read_regexp_term(r);
		if (*last == NULL)
			return NULL;
	}
	n->last = r->tree.groups;
	return n;
}

static rx_node *
read_disjunction(rx_reader *r)
{
	rx_node *n = rx_make(r, RX_CHOICE), **last;
	const rx_branch *outer = r->branch;

	if (n == NULL)
		return NULL;
	last = &n->child;
	for (uint32_t number = 0;; number++) {
		rx_branch *branch = arena_take(r->arena, sizeof(*branch));

		if (branch == NULL)
			return rx_fail(r, "regular expression too large");
		*branch = (rx_branch){outer, n, number};
		r->branch = branch;
		*last = read_alternative(r);
		if (*last == NULL || !rx_eat(r, '|'))
			break;
		last = &(*last)->next;
	}
	r->branch = outer;
	n->last = r->tree.groups;
	return n->child != NULL && n->child->next == NULL ? n->child : n;
}

/* Names of references must be those of groups. */
static void
check_back_names(rx_reader *r, const rx_node *n)
{
	const rx_name *name;

	for (; n != NULL && r->tree.error == NULL; n = n->next) {
		check_back_names(r, n->child);
		if (n->kind != RX_BACK || n->name.at == NULL)
			continue;
		for (name = r->tree.names; name != NULL; name = name->next)
			if (same_units(name->name, n->name))
				break;
		if (name == NULL)
			rx_fail(r, "group name not defined");
	}
}

rx_tree
rx_parse(arena *a, rx_units pattern, unsigned flags)
{
	rx_reader r = {.arena = a,
	    .at = pattern.at,
	    .end = pattern.at + pattern.len,
	    .unicode = flags & (RX_UNICODE | RX_SETS),
	    .sets = flags & RX_SETS,
	    .icase = flags & RX_ICASE,
	    .multiline = flags & RX_MULTILINE,
	    .dotall = flags & RX_DOTALL,
	    .all_groups = 1,
	    .tree = {.groups = 1}};

	r.max = r.unicode ? 0x10ffff : 0xffff;
	count_all_groups(&r);
	r.tree.root = read_disjunction(&r);
	if (r.tree.error == NULL && r.at < r.end)
		rx_fail(&r, "extraneous characters at the end");
	if (r.tree.error == NULL)
		check_back_names(&r, r.tree.root);
	if (a->bad != CM_OK)
		r.tree.error = "regular expression too large";
	return r.tree;
}

int
rx_flags(rx_units chars)
{
	static const char letters[] = "dgimsuvy";
	int flags = 0;

	for (size_t i = 0; i < chars.len; i++) {
		const char *hit = chars.at[i] < 128 && chars.at[i] > 0
				      ? strchr(letters, chars.at[i])
				      : NULL;
		int bit = hit ? 1 << (hit - letters) : 0;

		if (bit == 0 || flags & bit)
			return -1;
		flags |= bit;
	}
	return (flags & (RX_UNICODE | RX_SETS)) == (RX_UNICODE | RX_SETS)
		   ? -1
		   : flags;
}

/* UTF-16 of a text in UTF-8. */
static rx_units
units_of(arena *a, text t)
{
	uint16_t *out = arena_take(a, t.len * 2 + 2);
	size_t n = 0;

	for (size_t at = 0; out != NULL && at < t.len;) {
		uint32_t c = utf8_next(t, &at);

		if (c > 0xffff) {
			out[n++] = (uint16_t)(0xd7c0 + (c >> 10));
			c = 0xdc00 + (c & 0x3ff);
		}
		out[n++] = (uint16_t)c;
	}
	return (rx_units){out, n};
}

const char *
rx_check(const cm_alloc *alloc, text pattern, text flags)
{
	arena a = ARENA_INIT(alloc, CHECK_MAX);
	int bits = rx_flags(units_of(&a, flags));
	const char *error = "invalid regular expression flags";

	if (bits >= 0)
		error =
		    rx_parse(&a, units_of(&a, pattern), (unsigned)bits).error;
	arena_fini(&a);
	return error;
}
