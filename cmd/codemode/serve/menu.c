/* SPDX-License-Identifier: MIT */
/*
 * menu.c -- a catalog in so many tokens.
 *
 * First the tools to show are chosen, by what they do, their use and their
 * names; then their lines are written in the order of their paths. So equal
 * tools give equal texts, and a prompt with the text can be cached.
 */
#include "menu.h"

#include "base/sort.h"
#include "schema/schema_sample.h"

#include <limits.h>

enum {
	LINE_MAX_BYTES = 64 << 10,
	ABOUT_MAX = 80, /* bytes of a description               */
	TEXT_TOKENS_MAX = 1 << 20,
	LINE_PART = 8, /* most of the menu for a line with a result: 1/8 */
	REST_MAX = 350 /* bytes kept for the words at the end  */
};

typedef struct line {
	buf text;  /* "  .get_issue(args: { ... }) // Get one issue\n" */
	buf brief; /* "  .get_issue(...) // Get one issue\n" */
	size_t space;
	size_t index;  /* in the catalog */
	int rank;      /* lower ranks are shown first */
	uint32_t used; /* calls; in a rank, higher counts are shown first */
	enum { NOT_SHOWN, SHOWN_WHOLE, SHOWN_BRIEF } shown;
} line;

typedef struct space {
	text name;
	text ident; /* as a script writes it */
	size_t tools;
	size_t next; /* among its lines, by rank: the next to be tried */
	size_t shown;
	size_t first;
	bool full;
	buf about; /* " // Log in first", or empty */
} space;

typedef struct sheet {
	cm_catalog *cat;
	const menu_facts *facts;
	line *line; /* one for each tool */
	size_t len;
	space *space;
	size_t spaces;
	size_t max;  /* bytes of the text */
	size_t left; /* of them */
	size_t shown;
} sheet;

/* ------------------------------------------------------------- what there is */

/* The first line of a description, without what would break ours. */
static void
put_about(buf *out, text description, size_t max)
{
	text rest = description, first = TEXT_NONE;

	while (
	    (first.len == 0 || first.ptr[0] == '#') && text_line(&rest, &first))
		first = text_trim(first);
	if (first.len == 0)
		return;
	buf_str(out, " // ");
	buf_text(out, text_head(first, max));
	if (first.len > max)
		buf_str(out, " ...");
}

static void
blank_controls(buf *b)
{
	for (size_t i = 0; i < b->len; i++)
		if ((unsigned char)b->ptr[i] < 0x20)
			b->ptr[i] = ' ';
}

/* Behind the name of its space, as in "  .get_issue(args: { id: number; })". */
static text
path_behind_space(text path, text of)
{
	size_t dot = text_find(path, TEXT("."), 0);

	return of.len > 0 && dot != SIZE_MAX ? text_sub(path, dot, path.len)
					     : path;
}

/* max: bytes of a line with a result type. */
static void
write_tool_line(buf *out, const cm_tool *t, text path, text call, size_t max)
{
	text nothing = TEXT(": Promise<unknown>");
	size_t result = text_find(call, TEXT("): Promise<"), 0);

	if (text_ends(call, nothing))
		call.len -= nothing.len;
	else if (call.len > max && result != SIZE_MAX)
		call.len = result + 1;
	buf_str(out, "  ");
	buf_text(out, path_behind_space(path, t->space));
	buf_text(out, call);
	put_about(out, t->description, ABOUT_MAX);
	blank_controls(out);
	buf_byte(out, '\n');
}

/* github of github.create_issue; nothing when the tool has no space. */
static text
space_ident(text path, text of)
{
	size_t dot = text_find(path, TEXT("."), 0);

	return of.len > 0 && dot != SIZE_MAX ? text_sub(path, 0, dot)
					     : TEXT_NONE;
}

static void
ask_server_about(const sheet *s, space *of)
{
	buf all = BUF_INIT(NULL, SIZE_MAX / 2);

	if (s->facts->about != NULL && of->name.len > 0)
		s->facts->about(s->facts->ctx, of->name, &all);
	put_about(&of->about, buf_view(&all), MENU_ABOUT_MAX);
	blank_controls(&of->about);
	buf_fini(&all);
}

static void
enter_tool(sheet *s, size_t i, const cm_tool *t, text path)
{
	space *last = s->spaces > 0 ? &s->space[s->spaces - 1] : NULL;

	if (last == NULL || !text_eq(last->name, t->space)) {
		last = &s->space[s->spaces++];
		*last = (space){.name = t->space,
		    .ident = space_ident(path, t->space),
		    .first = i,
		    .about = BUF_INIT(NULL, LINE_MAX_BYTES)};
		ask_server_about(s, last);
	}
	last->tools++;
	s->line[i].space = (size_t)(last - s->space);
	s->line[i].index = i;
}

static int
rank_of_tool(const cm_tool *t)
{
	if (t->flags & CM_TOOL_READS)
		return 0;
	return t->flags & CM_TOOL_DESTROYS ? 2 : 1;
}

static cm_status
read_menu_tool(sheet *s, size_t i)
{
	line *l = &s->line[i];
	cm_tool t;
	text path, call;
	cm_status r = cm_catalog_get(s->cat, i, &t, &path);

	if (r == CM_OK)
		r = cm_catalog_signature(s->cat, i, &call);
	if (r != CM_OK)
		return r;
	enter_tool(s, i, &t, path);
	l->rank = rank_of_tool(&t);
	if (s->facts->used != NULL)
		l->used = s->facts->used(s->facts->ctx, &t);
	l->text = l->brief = BUF_INIT(NULL, LINE_MAX_BYTES);
	write_tool_line(&l->text, &t, path, call, s->max / LINE_PART);
	write_tool_line(&l->brief, &t, path, TEXT("(...)"), SIZE_MAX);
	return l->text.bad == CM_ENOMEM ? CM_ENOMEM : l->brief.bad;
}

/* ------------------------------------------------------------ what is shown */

/* The lines of a space stand together, in the order in which they are shown. */
static int
compare_ranks(const void *pa, const void *pb)
{
	const line *a = pa, *b = pb;

	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->used != b->used)
		return a->used > b->used ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int
compare_indexes(const void *pa, const void *pb)
{
	const line *a = pa, *b = pb;

	return a->index < b->index ? -1 : a->index > b->index;
}

static text
shown_text(const line *l)
{
	if (l->shown == NOT_SHOWN)
		return TEXT_NONE;
	return buf_view(l->shown == SHOWN_WHOLE ? &l->text : &l->brief);
}

static bool
fits_menu(const sheet *s, const buf *written)
{
	return written->bad == CM_OK && written->len <= s->left;
}

/* Chooses the next line of a space; false: there is none, or it does not
 * fit. */
static bool
show_next_line(sheet *s, space *of)
{
	line *l = &s->line[of->first + of->next];

	if (of->next == of->tools)
		return false;
	if (fits_menu(s, &l->text))
		l->shown = SHOWN_WHOLE;
	else if (fits_menu(s, &l->brief))
		l->shown = SHOWN_BRIEF;
	else
		return false;
	of->next++;
	s->left -= shown_text(l).len;
	s->shown++;
	of->shown++;
	return true;
}

static void
choose_lines(sheet *s)
{
	bool more = true;

	sort(s->line, s->len, sizeof(*s->line), compare_ranks);
	while (more) {
		more = false;
		for (size_t i = 0; i < s->spaces; i++)
			if (!s->space[i].full &&
			    show_next_line(s, &s->space[i]))
				more = true;
			else
				s->space[i].full = true;
	}
	sort(s->line, s->len, sizeof(*s->line), compare_indexes);
}

/* ------------------------------------------------------------------- paper */

static void
put_space_head(buf *out, const space *of)
{
	buf_printf(out, "tools%s%.*s: %zu tool%s", of->ident.len ? "." : "",
	    TEXT_ARG(of->ident), of->tools, of->tools == 1 ? "" : "s");
	if (of->shown < of->tools)
		buf_printf(out, ", %zu shown", of->shown);
	buf_text(out, buf_view(&of->about));
	buf_byte(out, '\n');
}

static void
put_space_lines(buf *out, const sheet *s, const space *of)
{
	put_space_head(out, of);
	for (size_t i = of->first; i < of->first + of->tools; i++)
		buf_text(out, shown_text(&s->line[i]));
}

/* What the heads take, each with the longest words that it can have. */
static size_t
space_heads_size(const sheet *s)
{
	buf heads = BUF_INIT(NULL, s->max);
	size_t size;

	for (size_t i = 0; i < s->spaces; i++)
		put_space_head(&heads, &s->space[i]);
	size = heads.bad == CM_OK ? heads.len : s->max;
	buf_fini(&heads);
	return size;
}

static void
put_menu(buf *out, sheet *s)
{
	size_t heads = space_heads_size(s) + REST_MAX, from = out->len, i = 0;

	s->left = heads < s->max ? s->max - heads : 0;
	choose_lines(s);
	if (s->len > 0)
		buf_printf(out,
		    s->shown < s->len ? "PARTIAL: %zu of %zu tools are shown.\n"
				      : "COMPLETE: all %zu tools.\n",
		    s->shown, s->len);
	while (i < s->spaces && out->len - from + REST_MAX < s->max)
		put_space_lines(out, s, &s->space[i++]);
	if (i < s->spaces)
		buf_printf(out, "... and %zu more servers.\n", s->spaces - i);
	if (s->shown < s->len)
		buf_str(out, "Find the rest inside of a script: "
			     "codemode.search(\"close an issue\") gives [{ "
			     "path, description, signature }], "
			     "codemode.describe(path) the types; ALL_TOOLS is "
			     "the whole list.\n");
	if (s->len == 0)
		buf_str(out, "There are no tools: a script can only "
			     "compute.\n");
}

cm_status
menu(cm_catalog *cat, uint64_t tokens, const menu_facts *facts, buf *out)
{
	sheet s = {.cat = cat,
	    .max =
		(size_t)(tokens < TEXT_TOKENS_MAX ? tokens : TEXT_TOKENS_MAX) *
		MENU_TEN_TOKENS / 10,
	    .facts = facts,
	    .len = cm_catalog_len(cat)};
	size_t lines = (s.len + 1) * sizeof(*s.line);
	size_t spaces = (s.len + 1) * sizeof(*s.space);
	cm_status r = CM_OK;

	s.line = mem_new(NULL, lines);
	s.space = mem_new(NULL, spaces);
	if (s.line == NULL || s.space == NULL)
		r = CM_ENOMEM;
	for (size_t i = 0; i < s.len && r == CM_OK; i++)
		r = read_menu_tool(&s, i);
	if (r == CM_OK)
		put_menu(out, &s);
	if (r == CM_OK)
		r = out->bad;
	for (size_t i = 0; s.line != NULL && i < s.len; i++) {
		buf_fini(&s.line[i].text);
		buf_fini(&s.line[i].brief);
	}
	for (size_t i = 0; s.space != NULL && i < s.spaces; i++)
		buf_fini(&s.space[i].about);
	mem_free(NULL, s.space, spaces);
	mem_free(NULL, s.line, lines);
	return r;
}

/* ----------------------------------------------------------------- example */

enum { EXAMPLE_ARGUMENTS = 3, EXAMPLE_VALUE_MAX = 40 };

typedef struct example {
	size_t index; /* in the catalog */
	int rank;     /* INT_MAX: none was found */
} example;

static bool
is_example_name(text name)
{
	bool plain = name.len > 0 && (name.ptr[0] < '0' || name.ptr[0] > '9');

	for (size_t i = 0; i < name.len; i++)
		plain &= is_ascii_word((unsigned char)name.ptr[i]);
	return plain;
}

/* Appends a sample value of a plain type; false: the type is not plain. */
static bool
put_plain_value(json schema, buf *out)
{
	buf sample = BUF_INIT(NULL, LINE_MAX_BYTES);
	json v;
	json_kind kind;

	schema_sample(schema, &sample);
	v = json_trim(buf_view(&sample));
	kind = json_kind_of(v);
	if (kind == JSON_STRING && (v.len == 2 || v.len > EXAMPLE_VALUE_MAX))
		buf_str(out, "\"...\"");
	else if (text_eq(v, TEXT("0")))
		buf_byte(out, '1');
	else
		buf_text(out, v);
	buf_fini(&sample);
	return kind == JSON_STRING || kind == JSON_NUMBER ||
	       kind == JSON_TRUE || kind == JSON_FALSE;
}

/* Appends the required arguments, as { number: 1 }; false: one has no plain
 * type. */
static bool
put_example_arguments(json schema, buf *out)
{
	json members = json_get(schema, TEXT("properties")), one;
	json_iter it = json_each(json_get(schema, TEXT("required")));
	size_t n = 0;
	bool plain = true;

	buf_byte(out, '{');
	for (; plain && json_next(&it, NULL, &one); n++) {
		text name = text_sub(one, 1, one.len > 0 ? one.len - 1 : 0);

		plain = is_example_name(name);
		buf_str(out, n > 0 ? ", " : " ");
		buf_text(out, name);
		buf_str(out, ": ");
		plain = plain && put_plain_value(json_get(members, name), out);
	}
	buf_str(out, n > 0 ? " }" : "}");
	return plain;
}

/* Rates a tool as the example: lower is better, INT_MAX is unusable. One or two
 * arguments are best to show how arguments are passed. */
static int
rank_of_example(const cm_tool *t)
{
	static const int by_arguments[] = {3, 0, 1, 2};
	size_t n = json_len(json_get(t->input_schema, TEXT("required")));
	buf arguments = BUF_INIT(NULL, LINE_MAX_BYTES);
	bool fit = n <= EXAMPLE_ARGUMENTS && rank_of_tool(t) < 2 &&
		   put_example_arguments(t->input_schema, &arguments) &&
		   arguments.bad == CM_OK;

	buf_fini(&arguments);
	return fit ? rank_of_tool(t) * 4 + by_arguments[n] : INT_MAX;
}

cm_status
menu_example(cm_catalog *cat, buf *out)
{
	example best = {0, INT_MAX};
	cm_status r = CM_OK;
	cm_tool t;
	text path;

	for (size_t i = 0; r == CM_OK && i < cm_catalog_len(cat); i++) {
		r = cm_catalog_get(cat, i, &t, &path);
		if (r == CM_OK && rank_of_example(&t) < best.rank)
			best = (example){i, rank_of_example(&t)};
	}
	if (r == CM_OK && best.rank == INT_MAX)
		buf_str(out, "tools.SERVER.TOOL({ ... })");
	else if (r == CM_OK)
		r = cm_catalog_get(cat, best.index, &t, &path);
	if (r == CM_OK && best.rank != INT_MAX) {
		buf_str(out, "tools.");
		buf_text(out, path);
		buf_byte(out, '(');
		put_example_arguments(t.input_schema, out);
		buf_byte(out, ')');
	}
	return r == CM_OK ? out->bad : r;
}
