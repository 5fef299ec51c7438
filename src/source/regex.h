/* SPDX-License-Identifier: MIT */
/*
 * regex.h -- what the parts of the check of a regular expression share.
 *
 * The pattern is read once, after a first look that counts its groups. The
 * first thing wrong stops it: regex_fail moves to the end, and the rest runs
 * out, as in the parser.
 */
#ifndef SOURCE_REGEX_H
#define SOURCE_REGEX_H

#include "lex.h"

/* A capture group's name. */
typedef struct group {
	js_name *name;
	bool active; /* may match together with what is being read */
} group;

typedef struct regex {
	lexer *l;
	const char *base, *at, *end;
	uint32_t start;     /* where base is in the script */
	bool unicode;       /* u or v */
	bool sets;          /* v */
	bool named;         /* there are named groups, or it is unicode */
	bool failed;
	unsigned depth;
	uint32_t captures;  /* in the whole pattern */
	group *groups;      /* the named ones, read so far */
	size_t group_count, group_cap;
	js_name **wanted;   /* names that \k asked for */
	size_t wanted_count, wanted_cap;
} regex;

void regex_fail(regex *r, const char *why);
/* Before a group or class in another; false: a failure. r->depth-- must
 * follow in both cases. */
bool regex_enter(regex *r);
bool regex_eat(regex *r, char c);
static inline bool
regex_at(const regex *r, char c)
{
	return r->at < r->end && *r->at == c;
}
static inline char
regex_peek(const regex *r, size_t ahead)
{
	return (size_t)(r->end - r->at) > ahead ? r->at[ahead] : '\0';
}
/* The next code point; a pattern without u or v still gets whole ones. */
uint32_t regex_char(regex *r);

/* regex_escape.c */
enum { REGEX_SET = 0x110000, REGEX_STRINGS }; /* no single character */
/* Behind a backslash: the character that it stands for, REGEX_SET for \d and
 * its like, REGEX_STRINGS for a property of strings. */
uint32_t regex_escape(regex *r, bool in_class);
/* <name>, at <. NULL after a failure. */
js_name *regex_group_name(regex *r);
void regex_want(regex *r, js_name *name);
/* regex_class.c: at [. */
void regex_class(regex *r);

#endif
