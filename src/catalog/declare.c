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

static void
add_about(buf *about, const char *tag, json description)
{
	if (description.len <= 2 || json_kind_of(description) != JSON_STRING)
		return;
	buf_str(about, about->len ? "\n" : "");
	buf_str(about, tag);
	json_unescape(description, about);
}

/* What the tool is for, and what its arguments and its result as a whole are
 * about. */
static void
write_document(const tool *t, uint32_t n, buf *out)
{
	buf about = BUF_INIT(out->alloc, 8 * CATALOG_SCHEMA_MAX);

	buf_text(&about, text_trim(t->description));
	add_about(
	    &about, "@param args ", json_get(t->input, TEXT("description")));
	add_about(
	    &about, "@returns ", json_get(t->output, TEXT("description")));
	add_about(&about, "@returns each: ",
	    json_path(t->output, "items", "description", NULL));
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

static void
begin_signature(const tool *t, buf *out)
{
	buf_str(out, t->spread                             ? "(...args: "
		     : type_may_be_left_out(out, t->input) ? "(args?: "
							   : "(args: ");
}

static void
begin_result(const tool *t, buf *out)
{
	buf_str(out, "): Promise<");
	if (t->observed && t->output.len > 0)
		buf_str(out, "/* observed */ ");
}

/* A rest parameter has to be an array. */
static json
args_schema(const tool *t)
{
	return t->spread &&
		       !json_is(json_get(t->input, TEXT("type")), TEXT("array"))
		   ? TEXT("{\"type\":\"array\"}")
		   : t->input;
}

/* On one line, a tool that takes nothing has no parameter. */
void
catalog_signature(const tool *t, buf *out)
{
	size_t from = out->len, args;

	if (t->signature.len > 0) {
		buf_text(out, t->signature);
		return;
	}
	begin_signature(t, out);
	args = out->len;
	type_on_one_line(out, args_schema(t));
	if (text_eq(text_sub(buf_view(out), args, out->len), TEXT("{}"))) {
		out->len = from;
		buf_byte(out, '(');
	}
	begin_result(t, out);
	type_on_one_line(out, t->output);
	buf_byte(out, '>');
}

static void
write_type(const tool *t, json schema, const char *which, uint32_t n,
    type_names *names, buf *out)
{
	char storage[2 * CATALOG_NAME_MAX];
	buf what = BUF_INIT(NULL, sizeof(storage));

	what.ptr = storage;
	what.cap = sizeof(storage);
	buf_text(&what, t->ident);
	buf_str(&what, which);
	type_of_schema(out, schema, n, names, buf_view(&what));
}

/* before: what stands in front of a function that is no member. */
static void
write_tool(
    const tool *t, const char *before, uint32_t n, type_names *names, buf *out)
{
	write_document(t, n, out);
	indent(out, n);
	buf_str(out, before);
	method_name(out, t->ident);
	if (t->signature.len > 0) {
		buf_text(out, t->signature);
		buf_str(out, ";\n");
		return;
	}
	begin_signature(t, out);
	write_type(t, args_schema(t), ".args", n, names, out);
	begin_result(t, out);
	write_type(t, t->output, ".result", n, names, out);
	buf_str(out, ">;\n");
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

/* The tools from first on that are members of `tools` only. */
static void
declare_members(
    const catalog *c, size_t first, size_t n, type_names *names, buf *out)
{
	text inside = TEXT_NONE;
	size_t from = out->len;

	buf_str(out, "declare const tools: {\n");
	for (size_t i = first; i < first + n && !out->bad; i++) {
		const tool *t = catalog_at(c, i);

		if (catalog_global_at(c, i))
			continue;
		from = SIZE_MAX;
		change_space(inside, t->space_ident, out);
		inside = t->space_ident;
		write_tool(t, "", inside.len ? 4 : 2, names, out);
	}
	change_space(inside, TEXT_NONE, out);
	buf_str(out, "};\n");
	if (from != SIZE_MAX)
		out->len = from;
}

/* Those that are globals, each with its own name, or in that of its space. */
static void
declare_globals(
    const catalog *c, size_t first, size_t n, type_names *names, buf *out)
{
	text inside = TEXT_NONE;

	for (size_t i = first; i < first + n && !out->bad; i++) {
		const tool *t = catalog_at(c, i);

		if (!catalog_global_at(c, i))
			continue;
		if (!text_eq(inside, t->space_ident)) {
			buf_str(out, inside.len ? "};\n" : "");
			if (t->space_ident.len)
				buf_printf(out, "declare const %.*s: {\n",
				    TEXT_ARG(t->space_ident));
		}
		inside = t->space_ident;
		write_tool(t, inside.len ? "" : "declare function ",
		    inside.len ? 2 : 0, names, out);
	}
	buf_str(out, inside.len ? "};\n" : "");
}

static void
declare_tools(const catalog *c, size_t first, size_t n, buf *out)
{
	type_names names;

	if (n == 0)
		return;
	type_names_init(&names, out->alloc);
	declare_members(c, first, n, &names, out);
	if (c->globals > 0)
		declare_globals(c, first, n, &names, out);
	if (names.len > 0) {
		buf_str(out, "declare namespace tools {");
		buf_text(out, buf_view(&names.text));
		buf_str(out, "\n}\n");
	}
	type_names_fini(&names);
}

void
catalog_declare(const catalog *c, text space, buf *out)
{
	size_t first = 0, n = c->len;

	if (space.len)
		n = catalog_space(c, space, &first);
	declare_tools(c, first, n, out);
}

void
catalog_declare_tool(const catalog *c, size_t i, buf *out)
{
	declare_tools(c, i, 1, out);
}
