/* SPDX-License-Identifier: MIT */
/*
 * normal_quote.c -- a script that came inside quotes.
 *
 * As one JSON string, as an object with that string as its one member, or with
 * the escapes of a string but without its quotes. A string is also an
 * expression, so it is only opened when what it holds is clearly a script.
 */
#include "normal.h"

static bool
has_nul(const buf *b)
{
	return b->len > 0 && memchr(b->ptr, 0, b->len) != NULL;
}

static const char *const members[] = {
    "code", "script", "source", "javascript", "js", "typescript", NULL};

/* The string itself, or the one member of an object that is its code. */
static json
quoted_member(json v)
{
	json_iter it = json_each(v);
	json key, value;

	if (json_kind_of(v) == JSON_STRING)
		return v;
	if (json_kind_of(v) != JSON_OBJECT || json_len(v) != 1 ||
	    !json_next(&it, &key, &value) || json_kind_of(value) != JSON_STRING)
		return TEXT_NONE;
	for (const char *const *m = members; *m; m++)
		if (json_is(key, text_of(*m)))
			return value;
	return TEXT_NONE;
}

/* Does something happen in it that no plain text does? */
static bool
does_something(const js_tree *t)
{
	const js_node *n;

	for (n = t->root; n; n = js_next(n, t->root))
		if (n->kind == JS_RETURN || n->kind == JS_AWAIT ||
		    n->kind == JS_VAR || js_is_function(n) ||
		    n->kind == JS_FOR_OF || n->kind == JS_EXPORT_DEFAULT)
			return true;
	return false;
}

static bool
is_script(const normal *n, text t, bool sure)
{
	const js_options o = {.goal = JS_ASYNC_BODY,
	    .typescript = true,
	    .modules = true,
	    .steps = n->steps};
	arena a = ARENA_INIT(n->arena->alloc, (t.len + 1024) * 256);
	js_tree tree;
	bool is;

	if (text_trim(t).len == 0)
		return false;
	if (fence_first(t) && fence_count(t) == 1)
		return true;
	is = js_parse(t, &o, &a, &tree) == CM_OK && tree.error_count == 0 &&
	     (sure || does_something(&tree));
	arena_fini(&a);
	return is;
}

bool
quote_open(const normal *n, bool sure, buf *out)
{
	text body = text_trim(n->base);
	json v;

	if (body.len < 2 || (body.ptr[0] != '"' && body.ptr[0] != '{'))
		return false;
	/* A semicolon behind the string is no part of it. */
	if (body.ptr[0] == '"' && text_ends(body, TEXT(";")))
		body = text_trim(text_sub(body, 0, body.len - 1));
	if (!json_check(body, JSON_DEPTH, &v, NULL))
		return false;
	sure = sure || json_kind_of(v) == JSON_OBJECT;
	if (!json_unescape(quoted_member(v), out) ||
	    utf8_bad(buf_view(out)) != SIZE_MAX || has_nul(out) ||
	    !is_script(n, buf_view(out), sure)) {
		buf_clear(out);
		return false;
	}
	return true;
}

bool
escapes_open(const normal *n, buf *out)
{
	text body = text_trim(n->base);
	buf string = BUF_INIT(out->alloc, out->max);
	json v;
	bool is = false;

	if (memchr(body.ptr, '\n', body.len) ||
	    text_find(body, TEXT("\\n"), 0) == SIZE_MAX)
		return false;
	buf_byte(&string, '"');
	buf_text(&string, body);
	buf_byte(&string, '"');
	if (json_check(buf_view(&string), JSON_DEPTH, &v, NULL) &&
	    json_unescape(v, out) && !has_nul(out))
		is = is_script(n, buf_view(out), true);
	if (!is)
		buf_clear(out);
	if (string.bad != CM_OK)
		out->bad = string.bad;
	buf_fini(&string);
	return is;
}

static const struct {
	const char *entity;
	char stands_for;
} entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'},
    {"&#34;", '"'}, {"&#39;", '\''}, {"&#x27;", '\''}, {"&apos;", '\''}};

enum { ENTITIES = sizeof(entities) / sizeof(*entities) };

size_t
entity_at(text t)
{
	for (size_t i = 0; i < ENTITIES; i++)
		if (text_starts(t, text_of(entities[i].entity)))
			return i;
	return SIZE_MAX;
}

bool
entities_open(const normal *n, buf *out)
{
	text rest = n->base;
	size_t at, which;

	if (memchr(rest.ptr, '&', rest.len) == NULL)
		return false;
	while ((at = text_find(rest, TEXT("&"), 0)) != SIZE_MAX) {
		buf_text(out, text_sub(rest, 0, at));
		rest = text_sub(rest, at, rest.len);
		which = entity_at(rest);
		buf_byte(
		    out, which < ENTITIES ? entities[which].stands_for : '&');
		at = which < ENTITIES ? strlen(entities[which].entity) : 1;
		rest = text_sub(rest, at, rest.len);
	}
	buf_text(out, rest);
	if (out->bad == CM_OK && !text_eq(buf_view(out), n->base) &&
	    is_script(n, buf_view(out), true))
		return true;
	buf_clear(out);
	return false;
}
