/* SPDX-License-Identifier: MIT */
/*
 * refuse.c -- see refuse.h.
 *
 * What is no script at all is told as that. Otherwise the first error counts:
 * the parser's words, and what can be added from the text around it, which is
 * mostly the bracket that is still open.
 */
#include "refuse.h"

#include "foreign.h"

#include <stdio.h>

static void
place_at(const normal *n, size_t at, source_refusal *f)
{
	text_position(n->text, at, &f->line, &f->column);
}

/* A message for which there was no memory is no message. */
static void
set_message(const normal *n, source_refusal *f, const buf *b)
{
	text head = text_head(buf_view(b), sizeof(f->message) - 1);

	if (head.len > 0)
		memcpy(f->message, head.ptr, head.len);
	f->message[head.len] = 0;
	if (b->bad != CM_OK)
		n->arena->bad = b->bad;
}

/* ---------------------------------------------------------------- foreign */

static size_t
first_word_at(text t)
{
	return (size_t)(text_trim(t).ptr - t.ptr);
}

/* One or more fences, and no script among them. */
static bool
tell_fences(normal *n, source_refusal *f, buf *b)
{
	text language, body;
	size_t scripts = fence_count(n->text);
	foreign kind;

	if (scripts > 0) {
		if (scripts > 1)
			buf_printf(b,
			    "there are %zu fenced scripts in this text: send "
			    "one",
			    scripts);
		else
			buf_str(b, "there is nothing between the fences: send "
				   "a script");
		place_at(n, first_word_at(n->text), f);
		return true;
	}
	if (!fence_foreign(n->text, &language, &body))
		return false;
	kind = foreign_look(body);
	foreign_tell(kind ? kind : foreign_language(language), body, b);
	place_at(n, (size_t)(body.ptr - n->text.ptr), f);
	return true;
}

static bool
tell_foreign(normal *n, source_refusal *f, buf *b)
{
	foreign kind;

	if ((n->fenced || fence_first(n->base)) && tell_fences(n, f, b))
		return true;
	kind = foreign_look(n->base);
	if (kind == FOREIGN_NOT)
		return false;
	foreign_tell(kind, n->base, b);
	place_at(n, first_word_at(n->base), f);
	return true;
}

bool
refuse_foreign(normal *n, source_refusal *f)
{
	buf b = BUF_INIT(n->own_text->alloc, 64u << 10);
	bool told = tell_foreign(n, f, &b);

	if (told) {
		f->code = "SyntaxError";
		f->foreign = true;
		set_message(n, f, &b);
	}
	buf_fini(&b);
	return told;
}

/* ------------------------------------------------------------------- hints */

/* The bracket that is still open where the error is, when that is news. */
static void
tell_open_bracket(const normal *n, const js_error *e, buf *b)
{
	unsigned line, column, error_line;

	if (e->open == JS_NO_OPEN)
		return;
	text_position(n->text, e->open, &line, &column);
	text_position(n->text, e->start, &error_line, &column);
	if (line == error_line && e->start < n->base.len)
		return;
	buf_printf(
	    b, "; the %c of line %u is still open", n->base.ptr[e->open], line);
}

static bool
closes_nothing(const js_error *e)
{
	return e->code == JS_E_UNEXPECTED && e->open == JS_NO_OPEN &&
	       (e->found == T_RPAREN || e->found == T_RBRACKET ||
		   e->found == T_RBRACE);
}

typedef struct hint {
	const char *found; /* the text at the error begins with it */
	const char *says;
} hint;

static const hint hints[] = {
    {"\xe2\x80\x9c", "write straight quotes: \"...\""},
    {"\xe2\x80\x9d", "write straight quotes: \"...\""},
    {"\xe2\x80\x98", "write straight quotes: '...'"},
    {"\xe2\x80\x99", "write straight quotes: '...'"},
    {"# ", "a comment begins with //"},
    {"...", "write the code itself where ... stands for it"},
    {"\\n", "write line breaks, not \\n, outside of strings"},
    {"None", "write null"},
    {"elif", "write else if"},
    {"then", "write { } around the statements of an if"},
    {"import", "imports do not work here: everything is reached through "
	       "tools"},
};

/* x &lt; y: the semicolon is what no rule can read, or the & is. */
static bool
is_entity(const normal *n, const js_error *e)
{
	text before = text_sub(n->base, 0, e->end);
	size_t at = before.len;

	while (at > 0 && before.len - at < 7 && before.ptr[at - 1] != '&')
		at--;
	return (at > 0 && text_ends(before, TEXT(";")) &&
		   entity_at(text_sub(before, at - 1, before.len)) !=
		       SIZE_MAX) ||
	       entity_at(text_sub(n->base, e->start, n->base.len)) != SIZE_MAX;
}

/* What stands in front of the error, without blanks behind it. */
static text
text_before(const normal *n, const js_error *e)
{
	text t = text_sub(n->base, 0, e->start);

	while (t.len > 0 && strchr(" \t\r\n", t.ptr[t.len - 1]))
		t.len--;
	return t;
}

static bool
stands_before(const normal *n, const js_error *e, const char *word)
{
	return text_ends(text_before(n, e), text_of(word));
}

/* Is the word at the error followed by a colon, as a key is? */
static bool
is_key_at(const normal *n, const js_error *e)
{
	text rest = text_trim(text_sub(n->base, e->end, n->base.len));

	return rest.len > 0 && rest.ptr[0] == ':';
}

/* { a: 1 b: 2 }, f(1 2): a word, number or string where a list should end. On
 * a new line a word begins a statement, if it is no key; then the bracket is
 * what is missing. So it is before a reserved word, and before the { behind
 * if ( ... */
static bool
lacks_comma(const normal *n, const js_error *e)
{
	if (e->code != JS_E_EXPECTED || e->open == JS_NO_OPEN ||
	    !text_starts(e->message, TEXT("expected ")) ||
	    !strchr(")]}", e->message.ptr[9]))
		return false;
	switch (e->found) {
	case T_STRING:
	case T_NUMBER:
	case T_BIGINT:
	case T_TEMPLATE:
		return true;
	case T_LBRACE:
		return e->message.ptr[9] != ')';
	case T_LBRACKET:
		return !e->on_new_line;
	default:
		return e->found >= T_NAME && e->found < T_ESCAPED &&
		       (!e->on_new_line ||
			   (e->message.ptr[9] == '}' && is_key_at(n, e)));
	}
}

static void
tell_hint(const normal *n, const js_error *e, buf *b)
{
	text at = text_sub(n->base, e->start, n->base.len);

	if (closes_nothing(e)) {
		buf_str(b, ": nothing is open that it could close");
		return;
	}
	if (is_entity(n, e)) {
		buf_str(b, ": write <, >, & and \" themselves, not as HTML");
		return;
	}
	if (stands_before(n, e, "...")) {
		buf_str(b, ": write the code itself where ... stands for it");
		return;
	}
	if (lacks_comma(n, e)) {
		buf_str(b, ": is a comma missing?");
		return;
	}
	/* A message that begins with the word speaks of it already. */
	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++)
		if (text_starts(at, text_of(hints[i].found)) &&
		    !text_starts(e->message, text_of(hints[i].found))) {
			buf_printf(b, ": %s", hints[i].says);
			return;
		}
	if (e->code == JS_E_EXPECTED || e->code == JS_E_UNEXPECTED)
		tell_open_bracket(n, e, b);
}

/* In a function that is not async await is a name like any other. */
static bool
is_stray_await(const normal *n, const js_error *e)
{
	return (e->code == JS_E_EXPECTED || e->code == JS_E_UNEXPECTED) &&
	       (stands_before(n, e, " await") ||
		   stands_before(n, e, "(await") ||
		   stands_before(n, e, "=await"));
}

void
refuse_syntax(normal *n, source_refusal *f)
{
	buf b = BUF_INIT(n->own_text->alloc, 64u << 10);
	const js_error *e = &n->tree.errors[0];

	bool limit = e->code == JS_E_DEPTH || e->code == JS_E_STEPS;

	f->code = e->code == JS_E_STEPS ? "SourceLimit" : "SyntaxError";
	f->foreign = !limit && tell_foreign(n, f, &b);
	if (!f->foreign && is_stray_await(n, e)) {
		place_at(n, text_before(n, e).len - 5, f);
		buf_str(&b, "await works only directly inside an async "
			    "function: write async before the function around "
			    "it");
	} else if (!f->foreign) {
		place_at(n, e->start, f);
		buf_text(&b, e->message);
		tell_hint(n, e, &b);
	}
	set_message(n, f, &b);
	buf_fini(&b);
}

bool
refuse_types_only(normal *n, source_refusal *f)
{
	bool types = n->tree.span_count > 0;

	if (n->tree.root->child || (!types && n->tree.hashbang == 0))
		return false;
	f->code = "EmptySource";
	snprintf(f->message, sizeof(f->message),
	    types ? "there are only types here, or functions without a body { "
		    "}: nothing would run"
		  : "the script is empty");
	place_at(n, types ? n->tree.spans[0].start : 0, f);
	return true;
}

/* -------------------------------------------------------------- parameters */

/* What stands around the script and cannot be declared again in it. */
static bool
is_parameter(const js_name *name)
{
	return name && (text_eq(name->text, TEXT("tools")) ||
			   text_eq(name->text, TEXT("console")));
}

static const js_node *
redeclared(const js_node *declaration)
{
	const js_node *n = declaration;

	for (; n; n = js_next(n, declaration)) {
		if (n->kind == JS_BIND && is_parameter(n->name))
			return n;
		if (js_is_function(n) || n->kind == JS_CLASS)
			return NULL;
	}
	return NULL;
}

bool
refuse_parameters(normal *n, source_refusal *f)
{
	const js_node *s, *d, *bind = NULL;

	for (s = n->tree.root->child; s && !bind; s = s->next) {
		d = s->kind == JS_EXPORT ? s->child : s;
		if (d->kind == JS_CLASS_DECL)
			bind = d->child && d->child->kind == JS_BIND &&
				       is_parameter(d->child->name)
				   ? d->child
				   : NULL;
		if (d->kind != JS_VAR || d->op == T_VAR)
			continue;
		for (d = d->child; d && !bind; d = d->next)
			bind = redeclared(d->child);
	}
	if (!bind)
		return false;
	f->code = "SyntaxError";
	snprintf(f->message, sizeof(f->message),
	    "%.*s is there already and cannot be declared again: drop this "
	    "declaration, or choose another name",
	    TEXT_ARG(bind->name->text));
	place_at(n, bind->start, f);
	return true;
}
