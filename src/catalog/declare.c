/* SPDX-License-Identifier: MIT */
/*
 * declare.c -- tools as members of one constant, a namespace for each space.
 *
 * The tools come in the order of their paths, so those of one space stand
 * together. The same catalog gives the same bytes: prompts are cached by them.
 */
#include "declare.h"

#include "ident.h"
#include "type.h"

static void
indent(buf *out, uint32_t n)
{
	while (n-- > 0)
		buf_byte(out, ' ');
}

/* ------------------------------------------------------------- comments */

/* One line of a comment: what would end it is broken apart, control characters
 * are blanks. */
static void
comment_text(buf *out, text line)
{
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.ptr[i];

		if (c == '/' && i > 0 && line.ptr[i - 1] == '*')
			buf_byte(out, '\\');
		buf_byte(out, c < 0x20 || c == 0x7f ? ' ' : line.ptr[i]);
	}
}

static text
trim_end(text line)
{
	while (line.len && (line.ptr[line.len - 1] == ' ' ||
			       line.ptr[line.len - 1] == '\t'))
		line.len--;
	return line;
}

static void
comment(buf *out, text about, uint32_t n)
{
	text rest = about, line;

	if (text_find(about, TEXT("\n"), 0) == SIZE_MAX) {
		indent(out, n);
		buf_str(out, "/** ");
		comment_text(out, about);
		buf_str(out, " */\n");
		return;
	}
	indent(out, n);
	buf_str(out, "/**\n");
	while (text_line(&rest, &line)) {
		line = trim_end(line);
		indent(out, n);
		buf_str(out, line.len ? " * " : " *");
		comment_text(out, line);
		buf_byte(out, '\n');
	}
	indent(out, n);
	buf_str(out, " */\n");
}

/* What the tool is for, and what its arguments as a whole are about. */
static void
document(const tool *t, uint32_t n, buf *out)
{
	buf about = BUF_INIT(out->alloc, 2 * CATALOG_SCHEMA_MAX);
	json args = json_get(t->input, TEXT("description"));

	buf_text(&about, text_trim(t->description));
	if (args.len > 2 && json_kind_of(args) == JSON_STRING) {
		buf_str(&about, about.len ? "\n@param args " : "@param args ");
		json_unescape(args, &about);
	}
	if (about.bad)
		out->bad = about.bad;
	else if (text_trim(buf_view(&about)).len)
		comment(out, text_trim(buf_view(&about)), n);
	buf_fini(&about);
}

/* -------------------------------------------------------------- members */

/* In a type, new(...) would be a constructor and not a method. */
static void
method_name(buf *out, text ident)
{
	if (text_eq(ident, TEXT("new")))
		buf_str(out, "\"new\"");
	else
		buf_text(out, ident);
}

static void
signature(const tool *t, uint32_t n, buf *out)
{
	method_name(out, t->ident);
	buf_str(out, type_may_be_left_out(t->input) ? "(args?: " : "(args: ");
	type_of_schema(out, t->input, n);
	buf_str(out, "): Promise<");
	type_of_schema(out, t->output, n);
	buf_byte(out, '>');
}

void
catalog_signature(const tool *t, buf *out)
{
	signature(t, TS_ONE_LINE, out);
}

static void
member(const tool *t, uint32_t n, buf *out)
{
	document(t, n, out);
	indent(out, n);
	signature(t, n, out);
	buf_str(out, ";\n");
}

/* Opens and closes the namespaces while the list is walked. */
static void
enter(text from, text to, buf *out)
{
	if (text_eq(from, to))
		return;
	if (from.len)
		buf_str(out, "  };\n");
	if (to.len) {
		buf_str(out, "  ");
		buf_text(out, to);
		buf_str(out, ": {\n");
	}
}

void
catalog_declare(const catalog *c, text space, buf *out)
{
	size_t first = 0, n = c->len;
	text inside = TEXT_NONE;

	if (space.len)
		n = catalog_space(c, space, &first);
	if (n == 0)
		return;
	buf_str(out, "declare const tools: {\n");
	for (size_t i = first; i < first + n && !out->bad; i++) {
		const tool *t = catalog_at(c, i);

		enter(inside, t->space_ident, out);
		inside = t->space_ident;
		member(t, inside.len ? 4 : 2, out);
	}
	enter(inside, TEXT_NONE, out);
	buf_str(out, "};\n");
}
