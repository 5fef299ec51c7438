/* SPDX-License-Identifier: MIT */
/*
 * schema_pattern.c -- a pattern becomes a program of a few instructions, and
 * all of its threads walk through the text together (Thompson's construction).
 *
 * A counted repetition is compiled once for each round, so the length of the
 * program bounds the work. Lazy and greedy are the same here: whether a pattern
 * matches does not depend on them.
 */
#include "schema_pattern.h"

enum {
	PROGRAM_MAX = 2048,
	RANGES_MAX = 128, /* of one class */
	GROUPS_DEEP = 64,
	PARSE_STEPS = 20000, /* atoms read, those of further rounds included */
	NO_CHAR = 0x7fffffff /* before the first character, behind the last */
};

typedef enum pattern_op {
	OP_CHAR,  /* .x: the code point */
	OP_CLASS, /* .x: where its ranges begin, .y: how many; .out: not in it */
	OP_SPLIT, /* go on at .x and at .y */
	OP_JUMP,  /* go on at .x */
	OP_START,
	OP_END,
	OP_EDGE, /* of a word; .out: no edge */
	OP_MATCH
} pattern_op;

typedef struct instruction {
	uint8_t op;
	bool out;
	uint32_t x, y;
} instruction;

typedef struct range {
	uint32_t from, to;
} range;

struct pattern {
	const instruction *code;
	size_t len;
	const range *ranges;
};

/* ------------------------------------------------------------- compiling */

typedef struct parser {
	text source;
	size_t at;
	const char *why; /* since the first thing that is not known */
	size_t steps, depth;
	instruction code[PROGRAM_MAX];
	size_t len;
	range *ranges; /* of all classes; in the arena */
	size_t ranges_len, ranges_cap;
	arena *arena;
} parser;

static void
pattern_refuse(parser *p, const char *why)
{
	if (p->why == NULL)
		p->why = why;
	p->at = p->source.len;
}

static bool
pattern_peek(const parser *p, char c)
{
	return p->at < p->source.len && p->source.ptr[p->at] == c;
}

static bool
pattern_skip(parser *p, const char *word)
{
	text t = text_of(word);

	if (!text_starts(text_sub(p->source, p->at, p->source.len), t))
		return false;
	p->at += t.len;
	return true;
}

static uint32_t
pattern_char(parser *p)
{
	if (p->at < p->source.len)
		return utf8_next(p->source, &p->at);
	pattern_refuse(p, "it ends too early");
	return 0;
}

static size_t
emit(parser *p, pattern_op op, uint32_t x, uint32_t y)
{
	if (p->len == PROGRAM_MAX) {
		pattern_refuse(p, "it is too long");
		return 0;
	}
	p->code[p->len] = (instruction){(uint8_t)op, false, x, y};
	return p->len++;
}

static void
add_range(parser *p, uint32_t from, uint32_t to)
{
	range *r = p->ranges;

	if (p->ranges_len == p->ranges_cap)
		r = arena_grow(p->arena, p->ranges, &p->ranges_cap,
		    p->ranges_len, sizeof(*r));
	if (r == NULL) {
		pattern_refuse(p, "it is too long");
		return;
	}
	p->ranges = r;
	p->ranges[p->ranges_len++] = (range){from, to};
}

/* Ranges in rising order, without overlaps. */
static const range digits[] = {{'0', '9'}};
static const range letters[] = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
static const range blanks[] = {{0x09, 0x0d}, {0x20, 0x20}, {0xa0, 0xa0},
    {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f},
    {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}};
static const range breaks[] = {{0x0a, 0x0a}, {0x0d, 0x0d}, {0x2028, 0x2029}};

static void
add_ranges(parser *p, const range *r, size_t n, bool out)
{
	uint32_t from = 0;

	for (size_t i = 0; i < n; i++) {
		if (!out)
			add_range(p, r[i].from, r[i].to);
		else if (r[i].from > from)
			add_range(p, from, r[i].from - 1);
		from = r[i].to + 1;
	}
	if (out)
		add_range(p, from, 0x10ffff);
}

#define ADD_RANGES(p, list, out) \
	add_ranges((p), (list), sizeof(list) / sizeof(*(list)), (out))

/* \d and its like: adds the ranges of the letter c; false: it is another. */
static bool
class_escape(parser *p, uint32_t c)
{
	bool out = c >= 'A' && c <= 'Z';

	switch (c | 0x20) {
	case 'd':
		ADD_RANGES(p, digits, out);
		return true;
	case 'w':
		ADD_RANGES(p, letters, out);
		return true;
	case 's':
		ADD_RANGES(p, blanks, out);
		return true;
	default:
		return false;
	}
}

static uint32_t
hex_digits(parser *p, unsigned n)
{
	uint32_t v = 0;

	for (; n > 0; n--) {
		uint32_t c = pattern_char(p), low = c | 0x20;

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if (low >= 'a' && low <= 'f')
			v = v << 4 | (low - 'a' + 10);
		else
			pattern_refuse(p, "it has a faulty escape");
	}
	return v;
}

static uint32_t
unicode_escape(parser *p)
{
	uint32_t c, low;
	size_t behind;

	if (pattern_skip(p, "{")) {
		c = 0;
		while (p->at < p->source.len && !pattern_skip(p, "}"))
			c = (c & 0xffffff) << 4 | hex_digits(p, 1);
		return c;
	}
	c = hex_digits(p, 4);
	behind = p->at;
	if (c >= 0xd800 && c < 0xdc00 && pattern_skip(p, "\\u")) {
		low = hex_digits(p, 4);
		if (low >= 0xdc00 && low < 0xe000)
			return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		p->at = behind;
	}
	return c;
}

/* The character that an escape stands for; c is the one behind the \. */
static uint32_t
escaped_code_point(parser *p, uint32_t c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'n':
		return '\n';
	case 'v':
		return '\v';
	case 'f':
		return '\f';
	case 'r':
		return '\r';
	case 'c':
		return pattern_char(p) & 0x1f;
	case 'x':
		return hex_digits(p, 2);
	case 'u':
		return unicode_escape(p);
	case '0':
		return 0;
	case 'p':
	case 'P':
		pattern_refuse(p, "it asks for a Unicode property");
		return 0;
	case 'k':
		pattern_refuse(p, "it has a backreference");
		return 0;
	default:
		if (c >= '1' && c <= '9')
			pattern_refuse(p, "it has a backreference");
		return c;
	}
}

/* A character of a class. False: it was a set, which was added. */
static bool
pattern_class_char(parser *p, uint32_t *c)
{
	*c = pattern_char(p);
	if (*c != '\\')
		return true;
	*c = pattern_char(p);
	if (class_escape(p, *c))
		return false;
	*c = *c == 'b' ? '\b' : escaped_code_point(p, *c);
	return true;
}

/* Behind the [. */
static void
parse_class(parser *p)
{
	size_t from = p->ranges_len, at;
	bool out = pattern_skip(p, "^");
	uint32_t low, high;

	while (p->why == NULL && !pattern_skip(p, "]")) {
		if (!pattern_class_char(p, &low))
			continue;
		high = low;
		if (pattern_peek(p, '-') && p->source.len - p->at > 1 &&
		    p->source.ptr[p->at + 1] != ']') {
			p->at++;
			if (!pattern_class_char(p, &high)) {
				add_range(p, '-', '-');
				high = low;
			}
		}
		if (high < low)
			pattern_refuse(p, "it has a range out of order");
		add_range(p, low, high);
	}
	if (p->ranges_len - from > RANGES_MAX)
		pattern_refuse(p, "it is too long");
	at =
	    emit(p, OP_CLASS, (uint32_t)from, (uint32_t)(p->ranges_len - from));
	p->code[at].out = out;
}

static void
emit_set(parser *p, uint32_t letter)
{
	size_t from = p->ranges_len;

	if (letter == '.')
		ADD_RANGES(p, breaks, true);
	else
		class_escape(p, letter);
	emit(p, OP_CLASS, (uint32_t)from, (uint32_t)(p->ranges_len - from));
}

static void
parse_escape(parser *p)
{
	uint32_t c = pattern_char(p);

	if (c == 'b' || c == 'B')
		p->code[emit(p, OP_EDGE, 0, 0)].out = c == 'B';
	else if (c < 0x80 && strchr("dDwWsS", (int)c) != NULL && c != 0)
		emit_set(p, c);
	else
		emit(p, OP_CHAR, escaped_code_point(p, c), 0);
}

static void parse_choice(parser *p);

/* Behind the (. */
static void
parse_group(parser *p)
{
	if (pattern_skip(p, "?") && !pattern_skip(p, ":")) {
		if (!pattern_skip(p, "<") || pattern_peek(p, '=') ||
		    pattern_peek(p, '!')) {
			pattern_refuse(p, "it looks ahead or behind");
			return;
		}
		while (p->why == NULL && pattern_char(p) != '>')
			;
	}
	if (++p->depth > GROUPS_DEEP)
		pattern_refuse(p, "it is nested too deeply");
	parse_choice(p);
	p->depth--;
	if (!pattern_skip(p, ")"))
		pattern_refuse(p, "a bracket is not closed");
}

static void
parse_atom(parser *p)
{
	uint32_t c = pattern_char(p);

	if (++p->steps > PARSE_STEPS)
		pattern_refuse(p, "it is too long");
	switch (c) {
	case '^':
		emit(p, OP_START, 0, 0);
		break;
	case '$':
		emit(p, OP_END, 0, 0);
		break;
	case '.':
		emit_set(p, c);
		break;
	case '[':
		parse_class(p);
		break;
	case '(':
		parse_group(p);
		break;
	case '\\':
		parse_escape(p);
		break;
	case '*':
	case '+':
	case '?':
		pattern_refuse(p, "it repeats nothing");
		break;
	default:
		emit(p, OP_CHAR, c, 0);
	}
}

/* {n}, {n,} or {n,m} at p->at, which moves behind it; false: it is none, and
 * the { stands for itself. */
static bool
parse_counts(parser *p, uint64_t *least, uint64_t *most)
{
	size_t at = p->at + 1, digits_at = at;

	*least = text_decimal(p->source, &at);
	if (at == digits_at)
		return false;
	*most = *least;
	if (at < p->source.len && p->source.ptr[at] == ',') {
		digits_at = ++at;
		*most = text_decimal(p->source, &at);
		if (at == digits_at)
			*most = UINT64_MAX;
	}
	if (at == p->source.len || p->source.ptr[at] != '}')
		return false;
	p->at = at + 1;
	return true;
}

static bool
parse_repeat(parser *p, uint64_t *least, uint64_t *most)
{
	*least = 0;
	*most = UINT64_MAX;
	if (pattern_skip(p, "*"))
		return true;
	if (pattern_skip(p, "+")) {
		*least = 1;
		return true;
	}
	if (pattern_skip(p, "?")) {
		*most = 1;
		return true;
	}
	return pattern_peek(p, '{') && parse_counts(p, least, most);
}

/* Reads the atom at `from` once more. */
static void
parse_again(parser *p, size_t from)
{
	size_t behind = p->at;

	p->at = from;
	parse_atom(p);
	if (p->why == NULL)
		p->at = behind;
}

/* The atom at `from` was compiled to the code at `code` and is repeated. */
static void
repeat_atom(parser *p, size_t from, size_t code, uint64_t least, uint64_t most)
{
	size_t split, rounds = 0;

	if (least > PROGRAM_MAX || (most != UINT64_MAX && most > PROGRAM_MAX)) {
		pattern_refuse(p, "it is too long");
		return;
	}
	p->len = code; /* all rounds are compiled anew */
	for (; rounds < least && p->why == NULL; rounds++)
		parse_again(p, from);
	if (most == UINT64_MAX) {
		split = emit(p, OP_SPLIT, 0, 0);
		parse_again(p, from);
		emit(p, OP_JUMP, (uint32_t)split, 0);
		p->code[split].x = (uint32_t)split + 1;
		p->code[split].y = (uint32_t)p->len;
		return;
	}
	for (; rounds < most && p->why == NULL; rounds++) {
		split = emit(p, OP_SPLIT, 0, 0);
		parse_again(p, from);
		p->code[split].x = (uint32_t)split + 1;
		p->code[split].y = (uint32_t)p->len;
	}
}

static void
parse_sequence(parser *p)
{
	uint64_t least, most;

	while (p->at < p->source.len && !pattern_peek(p, '|') &&
	       !pattern_peek(p, ')')) {
		size_t from = p->at, code = p->len;

		parse_atom(p);
		if (!parse_repeat(p, &least, &most))
			continue;
		if (most < least)
			pattern_refuse(p, "a repetition is out of order");
		pattern_skip(p, "?");
		repeat_atom(p, from, code, least, most);
	}
}

/* Alternatives: SPLIT a b; a ... JUMP end; b ... */
static void
parse_choice(parser *p)
{
	size_t start = p->len, jump;

	parse_sequence(p);
	while (p->why == NULL && pattern_skip(p, "|")) {
		if (emit(p, OP_SPLIT, 0, 0) == 0 && p->why != NULL)
			return;
		/* The split goes before what was compiled so far, whose jumps
		 * move with it. */
		memmove(&p->code[start + 1], &p->code[start],
		    (p->len - 1 - start) * sizeof(*p->code));
		for (size_t i = start + 1; i < p->len; i++) {
			if (p->code[i].op == OP_SPLIT)
				p->code[i].y++;
			if (p->code[i].op == OP_SPLIT ||
			    p->code[i].op == OP_JUMP)
				p->code[i].x++;
		}
		jump = emit(p, OP_JUMP, 0, 0);
		p->code[start] = (instruction){
		    OP_SPLIT, false, (uint32_t)start + 1, (uint32_t)p->len};
		parse_sequence(p);
		p->code[jump].x = (uint32_t)p->len;
	}
}

static const pattern *
finish_pattern(parser *p)
{
	size_t size = p->len * sizeof(instruction);
	pattern *made = arena_take(p->arena, sizeof(*made));
	instruction *code = arena_take(p->arena, size);

	if (made == NULL || code == NULL)
		return NULL;
	memcpy(code, p->code, size);
	*made = (pattern){code, p->len, p->ranges};
	return made;
}

const pattern *
pattern_compile(arena *a, text source, const char **why)
{
	parser *p = mem_new(a->alloc, sizeof(*p));
	const pattern *made = NULL;

	*why = NULL;
	if (p == NULL) {
		a->bad = CM_ENOMEM;
		return NULL;
	}
	p->source = source;
	p->arena = a;
	parse_choice(p);
	if (p->at < p->source.len)
		pattern_refuse(p, "a bracket is closed that was not opened");
	emit(p, OP_MATCH, 0, 0);
	if ((*why = p->why) == NULL)
		made = finish_pattern(p);
	mem_free(a->alloc, p, sizeof(*p));
	return made;
}

size_t
pattern_len(const pattern *p)
{
	return p->len;
}

/* -------------------------------------------------------------- matching */

/* The instructions at which threads wait for a character; each at most once. */
typedef struct threads {
	uint16_t at[PROGRAM_MAX];    /* the instructions          */
	uint16_t place[PROGRAM_MAX]; /* of each of them in .at    */
	size_t len;
} threads;

typedef struct matcher {
	const pattern *p;
	uint32_t before, next; /* the characters around; NO_CHAR: none */
	bool matched;
} matcher;

static bool
holds_here(const matcher *m, const instruction *i)
{
	switch (i->op) {
	case OP_START:
		return m->before == NO_CHAR;
	case OP_END:
		return m->next == NO_CHAR;
	default:
		return (is_ascii_word(m->before) != is_ascii_word(m->next)) !=
		       i->out;
	}
}

/* Adds a thread; false: the instruction has one. */
static bool
add_thread(threads *t, size_t at)
{
	if (t->place[at] < t->len && t->at[t->place[at]] == at)
		return false;
	t->place[at] = (uint16_t)t->len;
	t->at[t->len++] = (uint16_t)at;
	return true;
}

/* Adds threads at `at`, and wherever they go without a character. Those that
 * are not followed yet are behind `done`: the list is its own queue. */
static void
follow(matcher *m, threads *t, size_t at)
{
	size_t done = t->len;

	add_thread(t, at);
	for (; done < t->len; done++) {
		const instruction *i = &m->p->code[t->at[done]];

		switch (i->op) {
		case OP_SPLIT:
			add_thread(t, i->y);
			add_thread(t, i->x);
			break;
		case OP_JUMP:
			add_thread(t, i->x);
			break;
		case OP_START:
		case OP_END:
		case OP_EDGE:
			if (holds_here(m, i))
				add_thread(t, (size_t)t->at[done] + 1);
			break;
		case OP_MATCH:
			m->matched = true;
			break;
		}
	}
}

static bool
in_class(const pattern *p, const instruction *i, uint32_t c)
{
	for (uint32_t k = 0; k < i->y; k++)
		if (c >= p->ranges[i->x + k].from &&
		    c <= p->ranges[i->x + k].to)
			return !i->out;
	return i->out;
}

/* Moves the threads that take the character c to *to. */
static void
step_threads(matcher *m, const threads *t, threads *to, uint32_t c)
{
	to->len = 0;
	for (size_t k = 0; k < t->len && !m->matched; k++) {
		const instruction *i = &m->p->code[t->at[k]];

		if ((i->op == OP_CHAR && i->x == c) ||
		    (i->op == OP_CLASS && in_class(m->p, i, c)))
			follow(m, to, (size_t)t->at[k] + 1);
	}
}

static uint32_t
next_char(text raw, size_t *at)
{
	return *at < raw.len ? json_code_point(raw, at) : NO_CHAR;
}

bool
pattern_matches(const pattern *p, text raw)
{
	threads lists[2]; /* .place of what has no thread is never trusted */
	threads *now = &lists[0], *then = &lists[1], *swap;
	size_t at = 0;
	matcher m = {p, NO_CHAR, next_char(raw, &at), false};
	uint32_t c;

	memset(lists[0].place, 0, p->len * sizeof(uint16_t));
	memset(lists[1].place, 0, p->len * sizeof(uint16_t));
	now->len = 0;
	follow(&m, now, 0);
	while (!m.matched && m.next != NO_CHAR) {
		c = m.next;
		m.before = c;
		m.next = next_char(raw, &at);
		step_threads(&m, now, then, c);
		swap = now;
		now = then;
		then = swap;
		if (!m.matched)
			follow(&m, now, 0); /* a match may begin here */
	}
	return m.matched;
}
