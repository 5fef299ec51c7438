/* SPDX-License-Identifier: MIT */
/*
 * mcp_tools.c -- the tools that a server named, page by page.
 *
 * Each tool is kept on its own: what is wrong with one does not affect another.
 * Schemas stay the bytes that were sent, since keywords that are not known here
 * may matter to the reader of a declaration. Arguments are always an object,
 * so a schema that describes anything else says nothing and is left out.
 */
#include "mcp_tools.h"

#include "param.h"

void
tools_init(tools *t, const cm_alloc *alloc)
{
	*t = (tools){.alloc = alloc, .by_name = MAP_INIT(alloc)};
}

void
tools_fini(tools *t)
{
	size_t i;

	for (i = 0; i < t->len; i++)
		mem_free(t->alloc, t->block[i].ptr, t->block[i].size);
	mem_free(t->alloc, t->tool, t->tool_cap * sizeof(*t->tool));
	mem_free(t->alloc, t->block, t->block_cap * sizeof(*t->block));
	mem_free(t->alloc, t->cursor, t->cursor_cap * sizeof(*t->cursor));
	map_fini(&t->by_name);
	tools_init(t, t->alloc);
}

uint32_t
tools_find(const tools *t, text name)
{
	return map_get(&t->by_name, name);
}

/* ----------------------------------------------------------- one entry */

static const struct hint {
	text key;
	unsigned flag;
} hints[] = {
    {{"readOnlyHint", 12}, CM_TOOL_READS},
    {{"idempotentHint", 14}, CM_TOOL_REPEATABLE},
    {{"destructiveHint", 15}, CM_TOOL_DESTROYS},
};

/* Only what is said counts: hints that are not there are not guessed. */
static unsigned
flags_of(json entry)
{
	json notes = json_get(entry, TEXT("annotations"));
	unsigned flags = 0;
	size_t i;

	for (i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		if (json_bool(json_get(notes, hints[i].key), false))
			flags |= hints[i].flag;
	}
	if (flags & CM_TOOL_READS)
		flags &= ~(unsigned)CM_TOOL_DESTROYS;
	return flags;
}

static json
description_of(json entry)
{
	json d = json_get(entry, TEXT("description"));

	if (json_kind_of(d) != JSON_STRING || d.len <= 2)
		d = json_get(entry, TEXT("title"));
	if (json_kind_of(d) != JSON_STRING)
		d = json_path(entry, "annotations", "title", NULL);
	return d;
}

/* The schema when it describes an object, else nothing. */
static json
input_schema_of(json entry)
{
	json schema = json_get(entry, TEXT("inputSchema"));
	json type = json_get(schema, TEXT("type"));

	if (json_kind_of(schema) != JSON_OBJECT)
		return TEXT_NONE;
	if (json_kind_of(type) == JSON_STRING && !json_is(type, TEXT("object")))
		return TEXT_NONE;
	return schema;
}

static json
output_schema_of(json entry)
{
	json schema = json_get(entry, TEXT("outputSchema"));

	return json_kind_of(schema) == JSON_OBJECT &&
		       schema.len <= TOOLS_TEXT_MAX
		   ? schema
		   : TEXT_NONE;
}

/* The texts of a tool one behind the other, and where each of them ends. */
typedef struct layout {
	buf bytes;
	size_t name, description, input;
} layout;

static void
lay_out(layout *l, json entry, json input)
{
	text about;

	json_unescape(json_get(entry, TEXT("name")), &l->bytes);
	l->name = l->bytes.len;
	json_unescape(description_of(entry), &l->bytes);
	about = text_sub(buf_view(&l->bytes), l->name, l->bytes.len);
	l->bytes.len = l->name + text_head(about, TOOLS_TEXT_MAX).len;
	l->description = l->bytes.len;
	buf_text(&l->bytes, input);
	l->input = l->bytes.len;
	buf_text(&l->bytes, output_schema_of(entry));
}

static mcp_tool
tool_of(const layout *l, unsigned flags)
{
	text all = buf_view(&l->bytes);

	return (mcp_tool){.name = text_sub(all, 0, l->name),
	    .description = text_sub(all, l->name, l->description),
	    .input_schema = text_sub(all, l->description, l->input),
	    .output_schema = text_sub(all, l->input, all.len),
	    .flags = flags};
}

/* Room for one more in both lists. */
static bool
grow_lists(tools *t)
{
	return mem_grow(t->alloc, (void **)&t->tool, &t->tool_cap, t->len,
		   sizeof(*t->tool)) &&
	       mem_grow(t->alloc, (void **)&t->block, &t->block_cap, t->len,
		   sizeof(*t->block));
}

/* Tools that only the app of the server may call. */
static bool
is_hidden(json entry)
{
	json to = json_path(entry, "_meta", "ui", "visibility", NULL);
	json_iter it = json_each(to);
	json who;

	while (json_next(&it, NULL, &who)) {
		if (json_is(who, TEXT("model")))
			return false;
	}
	return json_len(to) > 0;
}

static tools_verdict
keep_tool(tools *t, layout *l, json entry)
{
	json task = json_path(entry, "execution", "taskSupport", NULL);
	mcp_tool tool = tool_of(l, flags_of(entry));
	size_t len;

	if (tool.name.len > TOOLS_NAME_MAX)
		return TOOLS_LONG_NAME;
	if (tools_find(t, tool.name) != MAP_NONE)
		return TOOLS_TWICE;
	if (t->len == TOOLS_MAX)
		return TOOLS_TOO_MANY;
	if (l->bytes.bad || !grow_lists(t))
		return TOOLS_NO_MEMORY;
	if (map_set(&t->by_name, tool.name, (uint32_t)t->len) != CM_OK)
		return TOOLS_NO_MEMORY;
	t->tool[t->len] = tool;
	t->block[t->len] =
	    (tool_block){.needs_task = json_is(task, TEXT("required"))};
	t->block[t->len].ptr =
	    buf_take(&l->bytes, &len, &t->block[t->len].size);
	t->len++;
	return TOOLS_ADDED;
}

tools_verdict
tools_add(tools *t, json entry, bool headers)
{
	json input = input_schema_of(entry);
	bool odd = input.len == 0 && json_get(entry, TEXT("inputSchema")).len;
	layout l = {.bytes = BUF_INIT(t->alloc, MCP_FRAME_MAX)};
	bool large = input.len > TOOLS_TEXT_MAX;
	tools_verdict v;

	if (is_hidden(entry))
		return TOOLS_HIDDEN;
	if (headers && !param_headers_valid(input))
		return TOOLS_ODD_HEADER;
	lay_out(&l, entry, large ? TEXT_NONE : input);
	v = l.name == 0 ? TOOLS_NAMELESS : keep_tool(t, &l, entry);
	buf_fini(&l.bytes);
	if (v == TOOLS_ADDED && (odd || large))
		v = odd ? TOOLS_ODD_SCHEMA : TOOLS_LARGE_SCHEMA;
	return v;
}

static void
write_listed_tool(const mcp_tool *t, buf *out)
{
	buf_byte(out, '{');
	json_member_text(out, "name", t->name);
	if (t->description.len > 0)
		json_member_text(out, "description", t->description);
	if (t->input_schema.len > 0)
		json_member_json(out, "inputSchema", t->input_schema);
	if (t->output_schema.len > 0)
		json_member_json(out, "outputSchema", t->output_schema);
	json_member(out, "annotations");
	buf_byte(out, '{');
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (t->flags & hints[i].flag)
			json_member_bool(out, hints[i].key.ptr, true);
	buf_str(out, "}}");
}

void
tools_write(const tools *t, buf *out)
{
	buf_byte(out, '[');
	for (size_t i = 0; i < t->len; i++) {
		json_element(out);
		write_listed_tool(&t->tool[i], out);
	}
	buf_byte(out, ']');
}

static bool
is_same_tool(const mcp_tool *a, const mcp_tool *b)
{
	return a->flags == b->flags && text_eq(a->name, b->name) &&
	       text_eq(a->description, b->description) &&
	       text_eq(a->input_schema, b->input_schema) &&
	       text_eq(a->output_schema, b->output_schema);
}

bool
tools_same(const tools *a, const tools *b)
{
	size_t i;

	if (a->len != b->len)
		return false;
	for (i = 0; i < a->len; i++) {
		if (!is_same_tool(&a->tool[i], &b->tool[i]))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------- the pages */

bool
tools_follow(tools *t, json cursor)
{
	uint64_t hash;
	size_t i;

	if (json_kind_of(cursor) != JSON_STRING ||
	    t->cursors == TOOLS_PAGES_MAX)
		return false;
	hash = text_hash(cursor, 0);
	for (i = 0; i < t->cursors; i++) {
		if (t->cursor[i] == hash)
			return false;
	}
	if (!mem_grow(t->alloc, (void **)&t->cursor, &t->cursor_cap, t->cursors,
		sizeof(*t->cursor)))
		return false;
	t->cursor[t->cursors++] = hash;
	return true;
}
