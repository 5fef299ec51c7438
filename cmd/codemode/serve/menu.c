/* SPDX-License-Identifier: MIT */
/*
 * menu.c -- a catalog in so many tokens.
 *
 * Which tools are shown is decided first, by what they do and their names; then the
 * lines are written in the order of their paths. So the text depends on the
 * tools alone, and a prompt that holds it can be cached.
 */
#include "menu.h"

#include "base/sort.h"

enum {
	LINE_MAX_BYTES = 64 << 10,
	ABOUT_MAX = 80,         /* bytes of a description               */
	SERVER_ABOUT_MAX = 160, /* of what a server says about its use */
	TEXT_TOKENS_MAX = 1 << 20,
	REST_MAX = 350 /* bytes kept for the words at the end  */
};

typedef struct line {
	buf text; /* "  .get_issue({ ... }) // Get one issue\n" */
	size_t space;
	size_t index; /* in the catalog */
	int rank;     /* those with the lowest are shown first */
	bool shown;
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
	menu_about *about;
	void *ctx;
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

static void
write_tool_line(buf *out, const cm_tool *t, text path, text call)
{
	text nothing = TEXT(": Promise<unknown>");

	if (text_ends(call, nothing))
		call.len -= nothing.len;
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

	if (s->about != NULL && of->name.len > 0)
		s->about(s->ctx, of->name, &all);
	put_about(&of->about, buf_view(&all), SERVER_ABOUT_MAX);
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

static cm_status
read_menu_tool(sheet *s, size_t i)
{
	buf *written = &s->line[i].text;
	cm_tool t;
	text path, call;
	cm_status r = cm_catalog_get(s->cat, i, &t, &path);

	if (r == CM_OK)
		r = cm_catalog_signature(s->cat, i, &call);
	if (r != CM_OK)
		return r;
	enter_tool(s, i, &t, path);
	s->line[i].rank = t.flags & CM_TOOL_READS      ? 0
			  : t.flags & CM_TOOL_DESTROYS ? 2
						       : 1;
	*written = BUF_INIT(NULL, LINE_MAX_BYTES);
	write_tool_line(written, &t, path, call);
	/* A line that is too long even for a buf is never shown. */
	return written->bad == CM_ENOMEM ? CM_ENOMEM : CM_OK;
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
	return a->index < b->index ? -1 : a->index > b->index;
}

static int
compare_indexes(const void *pa, const void *pb)
{
	const line *a = pa, *b = pb;

	return a->index < b->index ? -1 : a->index > b->index;
}

/* Shows the next line of a space that fits; false: there is none. */
static bool
show_next_line(sheet *s, space *of)
{
	while (of->next < of->tools) {
		line *l = &s->line[of->first + of->next++];

		if (l->text.bad != CM_OK || l->text.len > s->left)
			continue;
		l->shown = true;
		s->left -= l->text.len;
		s->shown++;
		of->shown++;
		return true;
	}
	return false;
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
		if (s->line[i].shown)
			buf_text(out, buf_view(&s->line[i].text));
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
menu(cm_catalog *cat, uint64_t tokens, menu_about *about, void *ctx, buf *out)
{
	sheet s = {.cat = cat,
	    .max =
		(size_t)(tokens < TEXT_TOKENS_MAX ? tokens : TEXT_TOKENS_MAX) *
		MENU_TOKEN_BYTES,
	    .about = about,
	    .ctx = ctx,
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
	for (size_t i = 0; s.line != NULL && i < s.len; i++)
		buf_fini(&s.line[i].text);
	for (size_t i = 0; s.space != NULL && i < s.spaces; i++)
		buf_fini(&s.space[i].about);
	mem_free(NULL, s.space, spaces);
	mem_free(NULL, s.line, lines);
	return r;
}
