/* SPDX-License-Identifier: MIT */
/* direct.c -- see direct.h. */
#include "direct.h"

#include "base/map.h"
#include "mcp/serve_tool.h"

#include <inttypes.h>

enum { NAME_MAX_BYTES = 64, HASH_BYTES = 9, NAMES_MAX_BYTES = 16 << 20 };

void
direct_fini(direct *d)
{
	buf_fini(&d->names);
}

/* ------------------------------------------------------------------- names */

typedef struct direct_names {
	buf all; /* plain names, one after another; never reallocated */
	text *name;
	size_t len;
	map first; /* plain name -> the first tool of that name */
	bool *twice;
} direct_names;

static void
put_direct_part(buf *out, text part)
{
	for (size_t i = 0; i < part.len; i++) {
		unsigned char c = (unsigned char)part.ptr[i];

		buf_byte(out, is_ascii_word(c) || c == '-' ? (char)c : '_');
	}
}

static text
joined_name(const cm_tool *t, buf *out)
{
	size_t from = out->len;

	put_direct_part(out, t->space);
	buf_byte(out, '_');
	put_direct_part(out, t->name);
	return text_sub(buf_view(out), from, out->len);
}

static cm_status
read_direct_names(direct_names *n, cm_catalog *cat)
{
	size_t room = 0;
	cm_status r = CM_OK;
	cm_tool t;
	text path;

	for (size_t i = 0; i < n->len && r == CM_OK; i++) {
		r = cm_catalog_get(cat, i, &t, &path);
		room += t.space.len + t.name.len + 1;
	}
	if (r == CM_OK && buf_room(&n->all, room + 1) == NULL)
		r = CM_ENOMEM;
	if (r == CM_OK)
		r = map_set(&n->first, TEXT(SERVE_TOOL), UINT32_MAX - 1);
	for (size_t i = 0; i < n->len && r == CM_OK; i++) {
		uint32_t other;

		cm_catalog_get(cat, i, &t, &path);
		n->name[i] = joined_name(&t, &n->all);
		other = map_get(&n->first, n->name[i]);
		n->twice[i] = other != MAP_NONE;
		if (other < n->len)
			n->twice[other] = true;
		else if (other == MAP_NONE)
			r = map_set(&n->first, n->name[i], (uint32_t)i);
	}
	return r;
}

/* The name of tool i. */
static void
put_direct_name(const direct_names *n, size_t i, const cm_tool *t, buf *out)
{
	uint64_t hash = text_hash(t->name, text_hash(t->space, 0));

	if (!n->twice[i] && n->name[i].len <= NAME_MAX_BYTES) {
		buf_text(out, n->name[i]);
		return;
	}
	buf_text(out, text_sub(n->name[i], 0, NAME_MAX_BYTES - HASH_BYTES));
	buf_printf(out, "_%08" PRIx32, (uint32_t)(hash ^ hash >> 32));
}

/* ------------------------------------------------------------------- tools */

static bool
describes_object(json schema)
{
	return json_is(json_get(schema, TEXT("type")), TEXT("object"));
}

/* Appends the annotations of the tool. */
static void
put_annotations(const cm_tool *t, buf *out)
{
	static const struct {
		unsigned flag;
		const char *name;
	} hints[] = {
	    {CM_TOOL_READS, "readOnlyHint"},
	    {CM_TOOL_REPEATABLE, "idempotentHint"},
	    {CM_TOOL_DESTROYS, "destructiveHint"},
	};

	json_member(out, "annotations");
	buf_byte(out, '{');
	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++)
		if (t->flags & hints[i].flag)
			json_member_bool(out, hints[i].name, true);
	buf_byte(out, '}');
}

/* Appends JSON without line breaks: a server's schema may have some. */
static void
put_direct_tool(const cm_tool *t, text name, buf *tools)
{
	buf all = BUF_INIT(NULL, NAMES_MAX_BYTES), *out = &all;

	buf_byte(out, '{');
	json_member_text(out, "name", name);
	json_member_text(out, "description", t->description);
	json_member_json(out, "inputSchema",
	    describes_object(t->input_schema) ? t->input_schema
					      : TEXT("{\"type\":\"object\"}"));
	if (describes_object(t->output_schema) &&
	    !(t->flags & CM_TOOL_OBSERVED))
		json_member_json(out, "outputSchema", t->output_schema);
	put_annotations(t, out);
	buf_byte(out, '}');
	buf_byte(tools, ',');
	json_compact(tools, buf_view(out));
	if (tools->bad == CM_OK)
		tools->bad = all.bad;
	buf_fini(&all);
}

static cm_status
add_direct_tool(
    direct *d, const direct_names *n, cm_catalog *cat, size_t i, buf *out)
{
	buf name = BUF_INIT(NULL, 2 * NAME_MAX_BYTES);
	text path;
	cm_tool t;
	cm_status r = cm_catalog_get(cat, i, &t, &path);

	if (r != CM_OK)
		return r;
	put_direct_name(n, i, &t, &name);
	/* The hashed name may already be the name of another server's tool. */
	if (name.bad == CM_OK && !direct_find(d, buf_view(&name), &path)) {
		put_direct_tool(&t, buf_view(&name), out);
		buf_text(&d->names, buf_view(&name));
		buf_byte(&d->names, ' ');
		buf_text(&d->names, path);
		buf_byte(&d->names, '\n');
	}
	r = name.bad != CM_OK ? name.bad : d->names.bad;
	buf_fini(&name);
	return r;
}

cm_status
direct_make(direct *d, cm_catalog *cat, buf *out)
{
	size_t len = cm_catalog_len(cat);
	direct_names n = {.all = BUF_INIT(NULL, NAMES_MAX_BYTES),
	    .len = len,
	    .first = MAP_INIT(NULL)};
	cm_status r = CM_ENOMEM;

	buf_clear(&d->names);
	n.name = mem_new(NULL, (len + 1) * sizeof(*n.name));
	n.twice = mem_new(NULL, (len + 1) * sizeof(*n.twice));
	if (n.name != NULL && n.twice != NULL)
		r = read_direct_names(&n, cat);
	for (size_t i = 0; i < len && r == CM_OK; i++)
		r = add_direct_tool(d, &n, cat, i, out);
	map_fini(&n.first);
	mem_free(NULL, n.twice, (len + 1) * sizeof(*n.twice));
	mem_free(NULL, n.name, (len + 1) * sizeof(*n.name));
	buf_fini(&n.all);
	return r;
}

/* ------------------------------------------------------------------- calls */

bool
direct_find(const direct *d, text name, text *path)
{
	text rest = buf_view(&d->names), line;

	while (text_line(&rest, &line)) {
		size_t blank = text_find(line, TEXT(" "), 0);

		if (!text_eq(text_sub(line, 0, blank), name))
			continue;
		*path = text_sub(line, blank + 1, line.len);
		return true;
	}
	return false;
}

#define CALL "return await tools."

void
direct_script(text path, buf *out)
{
	buf_str(out, CALL);
	buf_text(out, path);
	buf_str(out, "(data)");
}

bool
direct_is_within(text code, text space)
{
	text path = text_sub(code, TEXT(CALL).len, code.len);

	return text_starts(path, space) && path.len > space.len &&
	       path.ptr[space.len] == '.';
}
