/* SPDX-License-Identifier: MIT */
/* catalog_tools.c -- see catalog_tools.h. */
#include "catalog_tools.h"

static source_found
find_in_catalog(void *ctx, text written, buf *path)
{
	catalog *c = ctx;
	size_t first;
	uint32_t found;

	if (c == NULL)
		return SOURCE_NOTHING;
	found = catalog_find(c, written);
	if (found != CATALOG_NONE) {
		buf_text(path, catalog_at(c, found)->path);
		return SOURCE_TOOL;
	}
	return written.len > 0 && catalog_space(c, written, &first) > 0
		   ? SOURCE_SPACE
		   : SOURCE_NOTHING;
}

static void
say_unknown_tool(void *ctx, text written, buf *out)
{
	catalog *c = ctx;
	size_t near[NEAREST_MAX], n = c ? catalog_nearest(c, written, near) : 0;

	buf_printf(out, "tools.%.*s does not exist.",
	    TEXT_ARG(text_sub(written, 0, 200)));
	if (c == NULL || c->len == 0) {
		buf_str(out, " There are no tools.");
		return;
	}
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%stools.%.*s",
		    i == 0 ? " Did you mean " : ", ",
		    TEXT_ARG(catalog_at(c, near[i])->path));
	buf_str(out, n > 0 ? "?" : " codemode types shows what there is.");
}

static void
list_catalog_members(void *ctx, buf *out)
{
	catalog *c = ctx;
	text last = TEXT_NONE;

	buf_byte(out, '[');
	for (uint32_t i = 0; c != NULL && i < c->len; i++) {
		const tool *t = catalog_at(c, i);

		if (t->space.len > 0 && text_eq(t->space, last))
			continue;
		last = t->space;
		json_element(out);
		json_string(out, t->space.len > 0 ? t->space_ident : t->ident);
	}
	buf_byte(out, ']');
}

static bool
is_catalog_global(void *ctx, text name)
{
	return catalog_global(ctx, name);
}

source_tools
catalog_tools(catalog *c)
{
	return (source_tools){.ctx = c,
	    .global = c != NULL && c->globals > 0 ? is_catalog_global : NULL,
	    .find = find_in_catalog,
	    .unknown = say_unknown_tool,
	    .members = list_catalog_members};
}
