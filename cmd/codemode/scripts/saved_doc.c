/* SPDX-License-Identifier: MIT */
/*
 * saved_doc.c -- a JSDoc comment read line by line, its types by recursive
 * descent.
 */
#include "saved_doc.h"

#include "config/config.h"

typedef struct doc_reader {
	saved_doc *out;
	text code;   /* the script */
	buf *why;    /* the first fault; empty: none so far */
	size_t line; /* offset in .code of the current tag */
	buf properties, required;
} doc_reader;

/* A type while it is read. */
typedef struct doc_type {
	doc_reader *r;
	text t;
	size_t at;
	unsigned depth;
} doc_type;

static const char too_long[] = "the comment is too long";

/* Keeps the first fault only. */
static void
blame(doc_reader *r, const char *why)
{
	if (r->why->len == 0)
		buf_str(r->why, why);
}

/* Appends a comma before each element or member but the first. */
static void
begin_item(buf *out)
{
	if (out->len > 0 && out->ptr[out->len - 1] != '{')
		buf_byte(out, ',');
}

/* ------------------------------------------------------------------- types */

static void read_union(doc_type *d, buf *out);

static void
skip_type_blanks(doc_type *d)
{
	while (d->at < d->t.len && json_is_space(d->t.ptr[d->at]))
		d->at++;
}

static bool
takes_char(doc_type *d, char c)
{
	skip_type_blanks(d);
	if (d->at == d->t.len || d->t.ptr[d->at] != c)
		return false;
	d->at++;
	return true;
}

static void
not_understood(doc_type *d)
{
	if (d->r->why->len == 0)
		buf_printf(d->r->why,
		    "the type {%.*s} is not understood; write string, number, "
		    "integer, boolean, object, any, \"a\" | \"b\", T[], "
		    "Record<string, T> or { name: T }",
		    TEXT_ARG(text_head(d->t, 100)));
	d->at = d->t.len;
}

static void
expect_char(doc_type *d, char c)
{
	if (!takes_char(d, c))
		not_understood(d);
}

/* A name, or an empty text. */
static text
read_type_word(doc_type *d)
{
	size_t from;

	skip_type_blanks(d);
	from = d->at;
	while (d->at < d->t.len &&
	       (is_ascii_word((unsigned char)d->t.ptr[d->at]) ||
		   d->t.ptr[d->at] == '$'))
		d->at++;
	return text_sub(d->t, from, d->at);
}

/* A text in quotes, as JSON. */
static void
read_quoted(doc_type *d, buf *out)
{
	char quote = d->t.ptr[d->at++];
	size_t from = d->at;

	while (d->at < d->t.len && d->t.ptr[d->at] != quote)
		d->at++;
	json_string(out, text_sub(d->t, from, d->at));
	expect_char(d, quote);
}

/* { a: T, b?: T } behind its brace. */
static void
read_members(doc_type *d, buf *out)
{
	buf required = BUF_INIT(NULL, SAVED_DOC_MAX);

	buf_str(out, "{\"type\":\"object\",\"properties\":{");
	while (!takes_char(d, '}') && d->at < d->t.len) {
		text name;

		skip_type_blanks(d);
		name = read_type_word(d);
		if (name.len == 0)
			not_understood(d);
		if (!takes_char(d, '?')) {
			begin_item(&required);
			json_string(&required, name);
		}
		expect_char(d, ':');
		begin_item(out);
		json_string(out, name);
		buf_byte(out, ':');
		read_union(d, out);
		if (!takes_char(d, ','))
			takes_char(d, ';');
	}
	buf_printf(
	    out, "},\"required\":[%.*s]}", TEXT_ARG(buf_view(&required)));
	buf_fini(&required);
}

/* Array<T> or Record<string, T>, behind the word. */
static void
read_generic(doc_type *d, bool array, buf *out)
{
	expect_char(d, '<');
	if (!array && !text_eq(read_type_word(d), TEXT("string")))
		not_understood(d);
	if (!array)
		expect_char(d, ',');
	buf_str(out, array ? "{\"type\":\"array\",\"items\":"
			   : "{\"type\":\"object\",\"additionalProperties\":");
	read_union(d, out);
	buf_byte(out, '}');
	expect_char(d, '>');
}

static void
read_named(doc_type *d, buf *out)
{
	static const text plain[] = {TEXT_INIT("string"), TEXT_INIT("number"),
	    TEXT_INIT("integer"), TEXT_INIT("boolean"), TEXT_INIT("null"),
	    TEXT_INIT("object")};
	text word = read_type_word(d);

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (text_eq(word, plain[i])) {
			buf_printf(out, "{\"type\":\"%.*s\"}", TEXT_ARG(word));
			return;
		}
	if (text_eq(word, TEXT("any")) || text_eq(word, TEXT("unknown")))
		buf_str(out, "{}");
	else if (text_eq(word, TEXT("Array")))
		read_generic(d, true, out);
	else if (text_eq(word, TEXT("Record")))
		read_generic(d, false, out);
	else
		not_understood(d);
}

/* Appends the value of a literal; false: there is none here. */
static bool
read_type_literal(doc_type *d, buf *out)
{
	size_t from;
	text word;
	json value;

	skip_type_blanks(d);
	if (d->at == d->t.len)
		return false;
	if (d->t.ptr[d->at] == '"' || d->t.ptr[d->at] == '\'') {
		read_quoted(d, out);
		return true;
	}
	from = d->at;
	while (d->at < d->t.len &&
	       (is_ascii_word((unsigned char)d->t.ptr[d->at]) ||
		   d->t.ptr[d->at] == '-' || d->t.ptr[d->at] == '.'))
		d->at++;
	word = text_sub(d->t, from, d->at);
	if (word.len > 0 && !text_eq(word, TEXT("null")) &&
	    json_check(word, 1, &value, NULL)) {
		buf_text(out, word);
		return true;
	}
	d->at = from;
	return false;
}

static void
read_primary(doc_type *d, buf *out)
{
	if (takes_char(d, '{')) {
		read_members(d, out);
	} else if (takes_char(d, '(')) {
		read_union(d, out);
		expect_char(d, ')');
	} else if (takes_char(d, '?')) {
		buf_str(out, "{\"anyOf\":[");
		read_primary(d, out);
		buf_str(out, ",{\"type\":\"null\"}]}");
	} else if (takes_char(d, '*')) {
		buf_str(out, "{}");
	} else {
		read_named(d, out);
	}
}

/* A type and any number of [] behind it. */
static void
read_arrays(doc_type *d, buf *out)
{
	buf one = BUF_INIT(NULL, SAVED_DOC_MAX);
	unsigned arrays = 0;

	read_primary(d, &one);
	while (takes_char(d, '[')) {
		expect_char(d, ']');
		buf_str(out, "{\"type\":\"array\",\"items\":");
		arrays++;
	}
	buf_text(out, buf_view(&one));
	while (arrays-- > 0)
		buf_byte(out, '}');
	buf_fini(&one);
}

/* Alternatives: those that are literals become one enum. */
static void
read_union(doc_type *d, buf *out)
{
	buf types = BUF_INIT(NULL, SAVED_DOC_MAX);
	buf literals = BUF_INIT(NULL, SAVED_DOC_MAX);
	unsigned n = 0;

	if (d->depth++ == SAVED_DOC_DEPTH)
		not_understood(d);
	do {
		size_t len = literals.len;

		begin_item(&literals);
		if (read_type_literal(d, &literals))
			continue;
		literals.len = len;
		begin_item(&types);
		read_arrays(d, &types);
		n++;
	} while (takes_char(d, '|'));
	if (literals.len > 0) {
		begin_item(&types);
		buf_printf(
		    &types, "{\"enum\":[%.*s]}", TEXT_ARG(buf_view(&literals)));
		n++;
	}
	buf_printf(out, n > 1 ? "{\"anyOf\":[%.*s]}" : "%.*s",
	    TEXT_ARG(buf_view(&types)));
	d->depth--;
	buf_fini(&types);
	buf_fini(&literals);
}

/* The schema of a type; an empty type is any. */
static void
read_type(doc_reader *r, text type, buf *out)
{
	doc_type d = {.r = r, .t = text_trim(type)};

	if (d.t.len == 0) {
		buf_str(out, "{}");
		return;
	}
	read_union(&d, out);
	skip_type_blanks(&d);
	if (d.at < d.t.len)
		not_understood(&d);
}

/* -------------------------------------------------------------------- tags */

/* Removes the text between open and its close from the front of *rest. */
static text
take_braced(text *rest, char open, char close)
{
	size_t depth = 0, at = 0;
	text inside = TEXT_NONE;
	char quote = 0;

	*rest = text_trim(*rest);
	if (rest->len == 0 || rest->ptr[0] != open)
		return inside;
	do {
		char c = rest->ptr[at++];

		if (quote != 0)
			quote = c == quote ? 0 : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else
			depth += c == open ? 1u : c == close ? SIZE_MAX : 0u;
	} while (depth > 0 && at < rest->len);
	inside = text_sub(*rest, 1, at - (depth == 0));
	*rest = text_trim(text_sub(*rest, at, rest->len));
	return inside;
}

static void
add_property(doc_reader *r, text name, text type, text fallback, text about)
{
	buf schema = BUF_INIT(NULL, SAVED_DOC_MAX);
	buf *p = &r->properties;

	read_type(r, type, &schema);
	begin_item(p);
	json_string(p, name);
	/* The schema's members behind those of ours. */
	buf_str(p, ":{");
	if (about.len > 0)
		json_member_text(p, "description", about);
	if (fallback.len > 0) {
		json_member(p, "default");
		json_or_string(p, fallback);
		begin_item(&r->out->defaults);
		json_string(&r->out->defaults, name);
		buf_byte(&r->out->defaults, ':');
		json_or_string(&r->out->defaults, fallback);
	}
	if (schema.len > 2) {
		begin_item(p);
		buf_text(p, text_sub(buf_view(&schema), 1, schema.len - 1));
	}
	buf_byte(p, '}');
	buf_fini(&schema);
}

/* {type} name about, {type} [name] about, {type} [name=value] about */
static void
read_param(doc_reader *r, text rest)
{
	text type = take_braced(&rest, '{', '}');
	text optional = take_braced(&rest, '[', ']');
	text name = optional, fallback = TEXT_NONE;
	size_t end = 0;

	if (optional.len > 0) {
		end = text_find(optional, TEXT("="), 0);
		name = text_trim(text_sub(optional, 0, end));
		if (end != SIZE_MAX)
			fallback = text_trim(
			    text_sub(optional, end + 1, optional.len));
	} else {
		while (end < rest.len && !json_is_space(rest.ptr[end]))
			end++;
		name = text_sub(rest, 0, end);
		rest = text_trim(text_sub(rest, end, rest.len));
	}
	for (size_t i = 0; i < name.len; i++)
		if (!is_ascii_word((unsigned char)name.ptr[i]))
			name.len = 0;
	if (name.len == 0) {
		blame(
		    r, "@param needs a name: @param {string} name what it is");
		return;
	}
	if (text_starts(rest, TEXT("- ")))
		rest = text_sub(rest, 2, rest.len);
	if (optional.len == 0) {
		begin_item(&r->required);
		json_string(&r->required, name);
	}
	add_property(r, name, type, fallback, rest);
}

/* Reads the text of one tag; empty tag: the text before the first tag. */
static void
end_tag(doc_reader *r, text tag, buf *body)
{
	text rest = text_trim(buf_view(body));
	bool returns =
	    text_eq(tag, TEXT("returns")) || text_eq(tag, TEXT("return"));

	if (body->bad != CM_OK) {
		blame(r, too_long);
	} else if (tag.len == 0) {
		buf_text(&r->out->description, rest);
	} else if (text_eq(tag, TEXT("param")) || text_eq(tag, TEXT("arg"))) {
		read_param(r, rest);
	} else if (text_eq(tag, TEXT("expose"))) {
		r->out->expose = expose_bits(rest);
		if (r->out->expose == 0)
			blame(r, "@expose needs script, direct or both");
	} else if (returns) {
		text type = take_braced(&rest, '{', '}');

		if (type.len > 0 && r->out->output.len == 0)
			read_type(r, type, &r->out->output);
		if (rest.len > 0)
			buf_printf(&r->out->description, "%s%s %.*s",
			    r->out->description.len ? "\n" : "", "Returns",
			    TEXT_ARG(rest));
	}
	buf_clear(body);
}

/* Removes the asterisk at the beginning of a comment line. */
static text
inner_line(text line)
{
	line = text_trim(line);
	if (text_starts(line, TEXT("*")))
		line = text_trim(text_sub(line, 1, line.len));
	return line;
}

static void
read_comment(doc_reader *r, text comment)
{
	buf body = BUF_INIT(NULL, SAVED_DOC_MAX);
	text line, tag = TEXT_NONE;

	while (r->why->len == 0 && text_line(&comment, &line)) {
		text words = inner_line(line);

		if (words.len > 1 && words.ptr[0] == '@') {
			size_t end = 1;

			end_tag(r, tag, &body);
			r->line = (size_t)(words.ptr - r->code.ptr);
			while (end < words.len &&
			       is_ascii_word((unsigned char)words.ptr[end]))
				end++;
			tag = text_sub(words, 1, end);
			words = text_sub(words, end, words.len);
		}
		buf_text(&body, words);
		buf_byte(&body, tag.len == 0 ? '\n' : ' ');
	}
	if (r->why->len == 0)
		end_tag(r, tag, &body);
	buf_fini(&body);
}

/* The text of the first JSDoc comment, if only blanks and // lines precede it.
 * Missing: there is none. */
static text
find_comment(text code)
{
	text rest = code, line;

	while (text_line(&rest, &line)) {
		text words = text_trim(line);
		size_t from = (size_t)(words.ptr - code.ptr);
		size_t end;

		if (words.len == 0 || text_starts(words, TEXT("//")) ||
		    text_starts(words, TEXT("#!")))
			continue;
		end = text_find(code, TEXT("*/"), from + 3);
		return text_starts(words, TEXT("/**")) && end != SIZE_MAX
			   ? text_sub(code, from + 3, end)
			   : TEXT_NONE;
	}
	return TEXT_NONE;
}

bool
saved_doc_read(text code, saved_doc *out, unsigned *line, buf *why)
{
	doc_reader r = {.out = out,
	    .code = code,
	    .why = why,
	    .properties = BUF_INIT(NULL, SAVED_DOC_MAX),
	    .required = BUF_INIT(NULL, SAVED_DOC_MAX)};
	text comment = find_comment(code);
	unsigned column;

	*out = (saved_doc){BUF_INIT(NULL, SAVED_DOC_MAX),
	    BUF_INIT(NULL, 4 * SAVED_DOC_MAX), BUF_INIT(NULL, SAVED_DOC_MAX),
	    BUF_INIT(NULL, SAVED_DOC_MAX), EXPOSE_SCRIPT};
	buf_byte(&out->defaults, '{');
	read_comment(&r, comment);
	buf_byte(&out->defaults, '}');
	buf_str(&out->input, "{\"type\":\"object\"");
	if (r.properties.len > 0)
		buf_printf(&out->input,
		    ",\"properties\":{%.*s},\"required\":[%.*s],"
		    "\"additionalProperties\":false",
		    TEXT_ARG(buf_view(&r.properties)),
		    TEXT_ARG(buf_view(&r.required)));
	buf_byte(&out->input, '}');
	text_position(code, r.line, line, &column);
	if ((r.properties.bad | out->input.bad | out->description.bad) != CM_OK)
		blame(&r, too_long);
	buf_fini(&r.properties);
	buf_fini(&r.required);
	return why->len == 0;
}

void
saved_doc_fini(saved_doc *d)
{
	buf_fini(&d->description);
	buf_fini(&d->input);
	buf_fini(&d->output);
	buf_fini(&d->defaults);
}
