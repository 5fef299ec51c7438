/* SPDX-License-Identifier: MIT */
/*
 * ts_class.c -- what only TypeScript has in a class: modifiers, index
 * signatures, members without a body.
 */
#include "ts.h"

static bool
can_follow_modifier(unsigned kind)
{
	return is_word(kind) || kind == T_STRING || kind == T_NUMBER ||
	       kind == T_BIGINT || kind == T_PRIVATE || kind == T_LBRACKET ||
	       kind == T_LBRACE || kind == T_MUL;
}

static bool
is_member_modifier(unsigned kind)
{
	switch (kind) {
	case T_ABSTRACT:
	case T_ACCESSOR:
	case T_DECLARE:
	case T_OVERRIDE:
	case T_PRIVATE_WORD:
	case T_PROTECTED:
	case T_PUBLIC:
	case T_READONLY:
	case T_STATIC:
		return true;
	default:
		return false;
	}
}

/* Only static may be followed by a line break. */
static bool
at_member_modifier(parser *p)
{
	js_token after;

	if (!is_member_modifier(p->l.tok.kind))
		return false;
	after = lex_peek(&p->l);
	return can_follow_modifier(after.kind) &&
	       (at(p, T_STATIC) || !(after.flags & TOK_LINE));
}

ts_member
ts_modifiers(parser *p, bool *is_static)
{
	ts_member m = {here(p), ts_open(p), false};

	while (at_member_modifier(p)) {
		uint32_t start = here(p);
		unsigned kind = p->l.tok.kind;

		if (kind == T_STATIC && *is_static)
			break;
		next(p);
		if (kind == T_STATIC) {
			*is_static = true;
			continue;
		}
		if (kind == T_ABSTRACT || kind == T_DECLARE)
			m.erased = true;
		ts_erase(p, start, m.open && start == m.start);
	}
	return m;
}

static bool
at_index_signature(parser *p)
{
	mark m = js_mark(p);
	bool yes;

	next(p);
	yes = is_name(p->l.tok.kind);
	next(p);
	yes = yes && at(p, T_COLON);
	js_rewind(p, &m);
	return yes;
}

bool
ts_index_signature(parser *p, const ts_member *m)
{
	if (!at(p, T_LBRACKET) || !at_index_signature(p))
		return false;
	next(p);
	next(p);
	next(p);
	ts_type(p);
	js_need(p, T_RBRACKET);
	ts_annotation(p);
	if (!eat(p, T_COMMA))
		js_semicolon(p);
	ts_erase(p, m->start, m->open);
	return true;
}

void
ts_member_mark(parser *p)
{
	if (at(p, T_QUESTION) || (at(p, T_NOT) && !line_before(p)))
		ts_mark(p, p->l.tok.kind);
}
