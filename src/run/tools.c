/* SPDX-License-Identifier: MIT */
/*
 * tools.c -- the run's answers to the engine's questions about the catalog. The
 * number of a space is that of its first tool.
 */
#include "run.h"

static const tool *
tool_at(const cm_run *r, uint32_t i)
{
	return catalog_at(r->catalog, i);
}

static bool
find_space(const cm_run *r, text name, uint32_t *index)
{
	size_t first = 0;

	if (name.len == 0 || catalog_space(r->catalog, name, &first) == 0)
		return false;
	*index = (uint32_t)first;
	return true;
}

/* The number of the tool that a script writes like this in a space (-1: in
 * none); CATALOG_NONE: there is no such tool. */
static uint32_t
find_tool(cm_run *r, int32_t space, text name)
{
	buf path = BUF_INIT(r->alloc, 16u << 10);
	uint32_t found = CATALOG_NONE;

	if (space >= 0) {
		buf_text(&path, tool_at(r, (uint32_t)space)->space_ident);
		buf_byte(&path, '.');
	}
	buf_text(&path, name);
	if (path.bad == CM_OK)
		found = catalog_find(r->catalog, buf_view(&path));
	run_keep_status(r, &path);
	buf_fini(&path);
	return found;
}

/* The number comes from an engine, which may send any. */
static bool
is_space(const cm_run *r, int32_t space)
{
	return space < 0 ||
	       (r->catalog != NULL && (size_t)space < r->catalog->len);
}

static engine_found
view_find(void *ctx, int32_t space, text name, uint32_t *index, buf *path)
{
	cm_run *r = ctx;
	uint32_t found;

	if (r->catalog == NULL || !is_space(r, space) ||
	    (space == ENGINE_GLOBALS && !catalog_global(r->catalog, name)))
		return FOUND_NOTHING;
	if (space < 0 && find_space(r, name, index))
		return FOUND_SPACE;
	if ((found = find_tool(r, space, name)) == CATALOG_NONE)
		return FOUND_NOTHING;
	*index = found;
	buf_text(path, tool_at(r, found)->path);
	return tool_at(r, found)->spread ? FOUND_SPREAD : FOUND_TOOL;
}

/* Is tool i the first of its space, or one without a space? */
static bool
is_top(const cm_run *r, uint32_t i)
{
	const tool *t = tool_at(r, i);

	return t->space.len == 0 || i == 0 ||
	       !text_eq(t->space, tool_at(r, i - 1)->space);
}

/* Member i of `tools`; false behind the last. The engine asks for one after the
 * other, so a cursor stands where the last search ended. */
static bool
top_member(cm_run *r, uint32_t i, text *name)
{
	const tool *t;

	if (i == 0) {
		r->view.member_at = 0;
		r->view.member_tool = 0;
	}
	for (; r->view.member_tool < r->catalog->len; r->view.member_tool++) {
		if (!is_top(r, r->view.member_tool))
			continue;
		if (r->view.member_at++ < i)
			continue;
		t = tool_at(r, r->view.member_tool++);
		*name = t->space.len > 0 ? t->space_ident : t->ident;
		return true;
	}
	return false;
}

/* Name of member i of a space; false behind the last. */
static bool
space_member(cm_run *r, int32_t space, uint32_t i, text *name)
{
	const tool *first, *t;
	uint32_t at;

	if (r->catalog == NULL || !is_space(r, space))
		return false;
	if (space < 0)
		return top_member(r, i, name);
	at = (uint32_t)space + i;
	first = tool_at(r, (uint32_t)space);
	if (at >= r->catalog->len ||
	    !text_eq((t = tool_at(r, at))->space, first->space))
		return false;
	*name = t->ident;
	return true;
}

static void
put_globals(const cm_run *r, buf *out)
{
	for (uint32_t i = 0; r->catalog != NULL && i < r->catalog->len; i++) {
		const tool *t = tool_at(r, i);

		if (!is_top(r, i) || !catalog_global_at(r->catalog, i))
			continue;
		json_element(out);
		json_string(out, t->space.len > 0 ? t->space_ident : t->ident);
	}
}

static void
view_names(void *ctx, int32_t space, buf *out)
{
	uint32_t i;
	text name;

	buf_byte(out, '[');
	if (space == ENGINE_GLOBALS)
		put_globals(ctx, out);
	for (i = 0;
	     space != ENGINE_GLOBALS && space_member(ctx, space, i, &name);
	     i++) {
		if (i > 0)
			buf_byte(out, ',');
		json_string(out, name);
	}
	buf_byte(out, ']');
}

static void
view_list(void *ctx, buf *out)
{
	const cm_run *r = ctx;
	size_t n = r->catalog ? r->catalog->len : 0, i;

	buf_byte(out, '[');
	for (i = 0; i < n; i++) {
		const tool *t = catalog_at(r->catalog, i);

		json_element(out);
		buf_byte(out, '{');
		json_member_text(out, "name", t->path);
		json_member_text(out, "description", t->description);
		buf_byte(out, '}');
	}
	buf_byte(out, ']');
}

static void
say_near(const cm_run *r, const size_t *near, size_t n, buf *out)
{
	size_t i;

	buf_str(out, " Did you mean ");
	for (i = 0; i < n; i++) {
		buf_str(out, i == 0 ? "tools." : ", tools.");
		buf_text(out, tool_at(r, (uint32_t)near[i])->path);
	}
	buf_byte(out, '?');
}

static void
say_members(cm_run *r, int32_t space, buf *out)
{
	enum { FEW = 20 };
	uint32_t i, n = 0;
	text name;

	while (space_member(r, space, n, &name))
		n++;
	if (n == 0) {
		buf_str(out, " There are no tools.");
	} else if (n > FEW) {
		buf_printf(out,
		    " There are %u; codemode.search(\"what it does\") finds "
		    "them, ALL_TOOLS lists them.",
		    n);
	} else {
		buf_str(out, " Available: ");
		for (i = 0; space_member(r, space, i, &name); i++) {
			buf_str(out, i == 0 ? "" : ", ");
			buf_text(out, name);
		}
		buf_byte(out, '.');
	}
}

static void
view_unknown(void *ctx, int32_t space, text name, buf *out)
{
	cm_run *r = ctx;
	size_t near[NEAREST_MAX], n = 0, at;

	buf_str(out, "tools.");
	at = out->len;
	if (space >= 0 && is_space(r, space)) {
		buf_text(out, tool_at(r, (uint32_t)space)->space_ident);
		buf_byte(out, '.');
	}
	buf_text(out, text_sub(name, 0, 200));
	if (r->catalog != NULL && out->bad == CM_OK &&
	    r->view.near_asked++ < NEAR_MAX)
		n = catalog_nearest(
		    r->catalog, text_sub(buf_view(out), at, out->len), near);
	buf_str(out, " does not exist.");
	if (n > 0)
		say_near(r, near, n, out);
	else
		say_members(r, space, out);
}

/* The number comes from an engine, which may send any. */
static void
view_schema(void *ctx, uint32_t number, buf *out)
{
	const cm_run *r = ctx;

	if (r->catalog != NULL && number < r->catalog->len)
		buf_text(out, tool_at(r, number)->input);
}

engine_tools
run_tools(cm_run *r)
{
	return (engine_tools){r, view_find, view_names, view_list, view_unknown,
	    view_schema, run_search_tools, run_describe_tool};
}
