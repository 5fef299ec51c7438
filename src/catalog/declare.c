/* SPDX-License-Identifier: MIT */
/*
 * declare.c -- tools as members of one constant, a namespace for each space.
 *
 * The tools come in the order of their paths, so those of one space stand
 * together. The same catalog gives the same bytes: prompts are cached by them.
 */
#include "declare.h"

#include "tool_ident.h"
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
write_comment(buf *out, text about, uint32_t n)
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
write_document(const tool *t, uint32_t n, buf *out)
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
		write_comment(out, text_trim(buf_view(&about)), n);
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

/* On one line, a tool that takes nothing has no parameter. */
static void
write_call(const tool *t, uint32_t n, buf *out)
{
	size_t from = out->len, args;

	buf_str(out, type_may_be_left_out(t->input) ? "(args?: " : "(args: ");
	args = out->len;
	type_of_schema(out, t->input, n);
	if (n == TS_ONE_LINE &&
	    text_eq(text_sub(buf_view(out), args, out->len), TEXT("{}"))) {
		out->len = from;
		buf_byte(out, '(');
	}
	buf_str(out, "): Promise<");
	type_of_schema(out, t->output, n);
	buf_byte(out, '>');
}

void
catalog_signature(const tool *t, buf *out)
{
	write_call(t, TS_ONE_LINE, out);
}

static void
write_tool(const tool *t, uint32_t n, buf *out)
{
	write_document(t, n, out);
	indent(out, n);
	method_name(out, t->ident);
	write_call(t, n, out);
	buf_str(out, ";\n");
}

/* Closes the namespace 'from' and opens the namespace 'to'. */
static void
change_space(text from, text to, buf *out)
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

		change_space(inside, t->space_ident, out);
		inside = t->space_ident;
		write_tool(t, inside.len ? 4 : 2, out);
	}
	change_space(inside, TEXT_NONE, out);
	buf_str(out, "};\n");
}
