/* SPDX-License-Identifier: MIT */
/*
 * lex_names.c -- each name of a script is one js_name, and knows its keyword.
 */
#include "lex.h"

enum { FIRST_NAMES = 256 };

static const struct word {
	const char *text;
	uint8_t len;
	uint8_t kind;
} words[] =
    {
#define TOKEN(kind, spelling)
#define BINARY(kind, spelling, precedence)
#define ASSIGN(kind, spelling)
#define WORD(kind, spelling) {spelling, sizeof(spelling) - 1, T_##kind},
#define RESERVED(kind, spelling)
#include "token.def"
#undef WORD
#undef RESERVED
},
  reserved[] = {
#define WORD(kind, spelling)
#define RESERVED(kind, spelling) {spelling, sizeof(spelling) - 1, T_##kind},
#include "token.def"
#undef TOKEN
#undef BINARY
#undef ASSIGN
#undef WORD
#undef RESERVED
};

static int
compare_keyword(text t, const struct word *w)
{
	size_t n = t.len < w->len ? t.len : w->len;
	int order = memcmp(t.ptr, w->text, n);

	return order ? order : (t.len > w->len) - (t.len < w->len);
}

static uint8_t
find_keyword(const struct word *list, size_t count, text t)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = compare_keyword(t, &list[middle]);

		if (order == 0)
			return list[middle].kind;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return T_NAME;
}

static uint8_t
word_kind(text t)
{
	uint8_t kind;

	if (t.len < 2 || t.len > 11 || t.ptr[0] < 'a' || t.ptr[0] > 'y')
		return T_NAME;
	kind = find_keyword(reserved, sizeof(reserved) / sizeof(*reserved), t);
	if (kind == T_NAME)
		kind = find_keyword(words, sizeof(words) / sizeof(*words), t);
	return kind;
}

static void
grow_names(lexer *l)
{
	size_t cap = l->name_cap * 4;
	js_name **larger = arena_take(l->arena, cap * sizeof(js_name *));

	if (!larger)
		return;
	memset(larger, 0, cap * sizeof(js_name *));
	for (size_t i = 0; i < l->name_cap; i++) {
		js_name *n = l->names[i], *next;

		for (; n; n = next) {
			js_name **to = &larger[(n->hash >> 8) & (cap - 1)];

			next = n->same;
			n->same = *to;
			*to = n;
		}
	}
	l->names = larger;
	l->name_cap = cap;
}

static js_name *
new_name(lexer *l, text t, uint32_t hash)
{
	js_name *n = arena_take(l->arena, sizeof(*n));
	js_name **chain;

	if (!n)
		return NULL;
	if (l->name_count++ == l->name_cap)
		grow_names(l);
	chain = &l->names[(hash >> 8) & (l->name_cap - 1)];
	*n = (js_name){
	    .text = t, .same = *chain, .hash = hash, .word = word_kind(t)};
	*chain = n;
	return n;
}

js_name *
lex_intern(lexer *l, text t, uint32_t hash)
{
	js_name *n = l->names[(hash >> 8) & (l->name_cap - 1)];

	for (; n; n = n->same)
		if (n->hash == hash && n->text.len == t.len &&
		    !memcmp(n->text.ptr, t.ptr, t.len))
			return n;
	return new_name(l, t, hash);
}

js_name *
lex_name(lexer *l, text t)
{
	uint32_t h = l->hash_key;

	for (size_t i = 0; i < t.len; i++)
		h = lex_hash_step(l, h, t.ptr[i]);
	return lex_intern(l, t, h);
}

bool
lex_names_init(lexer *l)
{
	l->name_cap = FIRST_NAMES;
	l->names = arena_take(l->arena, l->name_cap * sizeof(js_name *));
	if (!l->names)
		return false;
	memset(l->names, 0, l->name_cap * sizeof(js_name *));
	l->hash_key = (uint32_t)((uintptr_t)l->names >> 4) * 2654435769u | 1;
	return true;
}
