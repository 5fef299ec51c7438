/* SPDX-License-Identifier: MIT */
/*
 * tool_search.c -- codemode.search and codemode.describe: what they give, as
 * JSON.
 */
#include "run.h"

#include "catalog/declare.h"

#include <inttypes.h>

/* A search of a large catalog takes milliseconds of the owner's time, so a run
 * has so many of them. */
enum { SEARCHES_MAX = 1000, HITS_MAX = 100, TEXT_MAX = 64 << 10 };

/* "tools.a.b(args: { ... }): Promise<...>" */
static void
put_signature(const tool *t, buf *out)
{
	buf call = BUF_INIT(out->alloc, TEXT_MAX);

	buf_str(&call, "tools.");
	buf_text(&call, t->path);
	catalog_signature(t, &call);
	if (call.bad == CM_OK)
		json_member_text(out, "signature", buf_view(&call));
	else if (call.bad == CM_ENOMEM)
		out->bad = CM_ENOMEM;
	buf_fini(&call);
}

static void
put_hit_names(const tool *t, buf *out)
{
	json_member_text(out, "name", t->name);
	json_member_text(out, "path", t->path);
	if (t->space.len > 0)
		json_member_text(out, "namespace", t->space_ident);
}

static void
put_hit(const cm_run *r, const search_hit *hit, buf *out)
{
	const tool *t = catalog_at(r->catalog, hit->doc);
	text about = text_trim(t->description), line = TEXT_NONE;

	text_line(&about, &line);
	json_element(out);
	buf_byte(out, '{');
	put_hit_names(t, out);
	json_member_text(out, "description", line);
	put_signature(t, out);
	json_member(out, "score");
	buf_printf(out, "%" PRIu32 ".%02" PRIu32 "}", hit->score >> 16,
	    (hit->score & 0xffff) * 100 >> 16);
}

/* Which words there are instead. */
static void
say_nearest_words(cm_run *r, text question, buf *note)
{
	size_t before;

	buf_str(note, "nothing matches; nearest words are ");
	before = note->len;
	if (r->view.near_asked++ < NEAR_MAX &&
	    catalog_nearest_words(r->catalog, question, note) != CM_OK)
		note->bad = CM_ENOMEM;
	if (note->len > before || note->bad != CM_OK)
		return;
	buf_clear(note);
	buf_printf(note, "nothing matches in %zu tools; ALL_TOOLS lists them",
	    r->catalog->len);
}

static void
put_hits(cm_run *r, text question, text space, uint32_t limit, buf *hits,
    buf *note, buf *error)
{
	search_hit hit[HITS_MAX];
	size_t n = 0;
	cm_status status;

	if (r->catalog == NULL) {
		buf_str(note, "there are no tools");
		return;
	}
	if (r->view.searches++ >= SEARCHES_MAX) {
		buf_str(error, "a script may search 1,000 times");
		return;
	}
	status = catalog_search(r->catalog, question, space, hit,
	    limit < HITS_MAX ? limit : HITS_MAX, &n);
	if (status == CM_EINPUT)
		buf_str(error, "there is no such namespace");
	else if (status != CM_OK)
		hits->bad = status;
	else if (n == 0)
		say_nearest_words(r, question, note);
	for (size_t i = 0; i < n; i++)
		put_hit(r, &hit[i], hits);
}

void
run_search_tools(void *ctx, text question, text space, uint32_t limit, buf *out)
{
	buf note = BUF_INIT(out->alloc, TEXT_MAX);
	buf error = BUF_INIT(out->alloc, TEXT_MAX);

	buf_str(out, "{\"hits\":[");
	put_hits(ctx, question, space, limit, out, &note, &error);
	buf_byte(out, ']');
	json_member_text(out, "note", buf_view(&note));
	json_member_text(out, "error", buf_view(&error));
	buf_byte(out, '}');
	if (note.bad == CM_ENOMEM || error.bad == CM_ENOMEM)
		out->bad = CM_ENOMEM;
	buf_fini(&note);
	buf_fini(&error);
}

static void
put_schema_or_null(buf *out, const char *name, json schema)
{
	json_member_json(out, name, schema.len > 0 ? schema : TEXT("null"));
}

void
run_describe_tool(void *ctx, text written, buf *out)
{
	const cm_run *r = ctx;
	buf declared = BUF_INIT(out->alloc, 8u << 20);
	uint32_t i = CATALOG_NONE;
	const tool *t;

	if (r->catalog != NULL)
		i = catalog_find(r->catalog, written);
	if (i == CATALOG_NONE)
		return;
	t = catalog_at(r->catalog, i);
	catalog_declare_tool(r->catalog, i, &declared);
	if (declared.bad != CM_OK)
		out->bad = declared.bad;
	buf_byte(out, '{');
	put_hit_names(t, out);
	json_member_text(out, "description", t->description);
	put_signature(t, out);
	json_member_text(out, "declaration", buf_view(&declared));
	put_schema_or_null(out, "inputSchema", t->input);
	put_schema_or_null(out, "outputSchema", t->output);
	buf_byte(out, '}');
	buf_fini(&declared);
}
