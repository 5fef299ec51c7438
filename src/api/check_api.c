/* SPDX-License-Identifier: MIT */
/*
 * check_api.c -- the functions of <codemode/check.h>, each on src/source.
 */
#include <codemode/check.h>

#include "base/json.h"
#include "catalog_tools.h"
#include "handle.h"
#include "source/excerpt.h"

struct cm_check {
	const cm_alloc *alloc; /* &own, or NULL: malloc */
	cm_alloc own;
	char *script; /* a copy, which prepared borrows */
	size_t script_len;
	source_prepared prepared;
	arena memory; /* of report, and of all texts in problem */
	source_report report;
	cm_problem *problem; /* report.problems of them */
	buf json, tree;      /* empty until first asked for */
};

/* ---------------------------------------------------------------- problems */

/* Bytes around a problem that its excerpt is made of: an excerpt shows fewer, and
 * a line may be as long as the script. */
#define AROUND 512u

static bool
is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The excerpt, in the check's own memory. */
static text
excerpt_of(cm_check *c, const source_problem *p)
{
	text all = c->prepared.text, rest, line = TEXT_NONE, t = TEXT_NONE;
	size_t at = p->start < all.len ? p->start : all.len, from = at;
	size_t to = all.len - at > AROUND ? at + AROUND : all.len;
	buf b = BUF_INIT(c->alloc, 4096);
	char *kept;

	while (from > 0 && all.ptr[from - 1] != '\n' &&
	       (at - from < AROUND || is_continuation(all.ptr[from])))
		from--;
	while (to < all.len && is_continuation(all.ptr[to]))
		to++;
	rest = text_sub(all, from, to);
	text_line(&rest, &line);
	excerpt_put(line, p->line, p->start - (uint32_t)from + 1, &b);
	kept = arena_take(&c->memory, b.len + 1);
	if (kept != NULL && b.len > 0) {
		memcpy(kept, b.ptr, b.len);
		t = (text){kept, b.len};
	}
	buf_fini(&b);
	return t;
}

static void
fill_problem(cm_check *c, bool placed, const source_problem *p, cm_problem *out)
{
	*out = (cm_problem){.code = text_of(p->code),
	    .level = (cm_level)p->level,
	    .message = p->message};
	if (!placed)
		return;
	out->line = p->line;
	out->column = p->column;
	out->end_line = p->end_line;
	out->end_column = p->end_column;
	out->excerpt = excerpt_of(c, p);
}

static cm_status
fill_problems(cm_check *c)
{
	size_t n = c->report.problems;
	bool placed = utf8_bad(c->prepared.text) == SIZE_MAX;

	c->problem = arena_take(&c->memory, (n + 1) * sizeof(*c->problem));
	for (size_t i = 0; i < n && c->problem; i++)
		fill_problem(c, placed, &c->report.problem[i], &c->problem[i]);
	return c->memory.bad;
}

cm_status
cm_check_problem(const cm_check *check, size_t i, cm_problem *out)
{
	if (i >= check->report.problems)
		return CM_EMISUSE;
	*out = check->problem[i];
	return CM_OK;
}

/* ------------------------------------------------------------------- sites */

static const struct {
	unsigned from, to;
} flags_of_sites[] = {
    {SOURCE_CALL_LOOP, CM_SITE_LOOP},
    {SOURCE_CALL_MAP, CM_SITE_CALLBACK},
    {SOURCE_CALL_COMPUTED, CM_SITE_COMPUTED},
    {SOURCE_CALL_LITERAL, CM_SITE_LITERAL},
    {SOURCE_CALL_AWAITED, CM_SITE_AWAITED},
    {SOURCE_CALL_NAMED, CM_SITE_NAMED},
    {SOURCE_CALL_KNOWN, CM_SITE_KNOWN},
};

enum { SITE_FLAGS = sizeof(flags_of_sites) / sizeof(*flags_of_sites) };

cm_status
cm_check_site(const cm_check *check, size_t i, cm_site *out)
{
	const source_call *s;

	if (i >= check->report.calls)
		return CM_EMISUSE;
	s = &check->report.call[i];
	*out = (cm_site){.path = s->path,
	    .args = s->args,
	    .line = s->line,
	    .column = s->column};
	for (size_t f = 0; f < SITE_FLAGS; f++)
		if (s->flags & flags_of_sites[f].from)
			out->flags |= flags_of_sites[f].to;
	return CM_OK;
}

/* -------------------------------------------------------------------- JSON */

static const char *const level_names[] = {
    [CM_LEVEL_ERROR] = "error",
    [CM_LEVEL_WARNING] = "warning",
    [CM_LEVEL_NOTE] = "note",
};

static void
write_problem(buf *b, const cm_problem *p)
{
	json_element(b);
	buf_byte(b, '{');
	json_member_text(b, "level", text_of(level_names[p->level]));
	json_member_text(b, "code", p->code);
	json_member_text(b, "message", p->message);
	if (p->line > 0) {
		json_member_uint(b, "line", p->line);
		json_member_uint(b, "column", p->column);
		json_member_uint(b, "endLine", p->end_line);
		json_member_uint(b, "endColumn", p->end_column);
	}
	if (p->excerpt.len > 0)
		json_member_text(b, "excerpt", p->excerpt);
	buf_byte(b, '}');
}

static bool
has_errors(const cm_check *c)
{
	for (size_t i = 0; i < c->report.problems; i++)
		if (c->problem[i].level == CM_LEVEL_ERROR)
			return true;
	return false;
}

/* After a refused allocation the text is empty again, so that the next call can
 * make it. */
static cm_status
lost_text(buf *b)
{
	cm_status r = b->bad;

	buf_clear(b);
	return r;
}

cm_status
cm_check_json(cm_check *check, cm_text *out)
{
	buf *b = &check->json;
	cm_problem p;

	if (b->len == 0) {
		buf_byte(b, '{');
		json_member_bool(b, "ok", !has_errors(check));
		if (check->report.incomplete)
			json_member_bool(b, "incomplete", true);
		json_member(b, "problems");
		buf_byte(b, '[');
		for (size_t i = 0; cm_check_problem(check, i, &p) == CM_OK; i++)
			write_problem(b, &p);
		buf_byte(b, ']');
		json_member(b, "calls");
		source_put_calls(&check->report, b);
		buf_byte(b, '}');
	}
	if (b->bad != CM_OK)
		return lost_text(b);
	*out = buf_view(b);
	return CM_OK;
}

/* ------------------------------------------------------------- code and tree */

cm_text
cm_check_code(const cm_check *check)
{
	return check->prepared.fault.code == NULL ? check->prepared.code
						  : TEXT_NONE;
}

cm_status
cm_check_tree(cm_check *check, cm_text *tree)
{
	static const js_options o = {.goal = JS_ASYNC_BODY};
	text code = cm_check_code(check);
	arena a = ARENA_INIT(check->alloc, code.len * 256 + (1 << 20));
	js_tree t;
	cm_status r = CM_OK;

	if (check->tree.len == 0 && code.len > 0) {
		r = js_parse(code, &o, &a, &t);
		if (r == CM_OK && t.error_count == 0)
			js_print(&t, &check->tree);
	}
	arena_fini(&a);
	if (r == CM_OK && check->tree.bad != CM_OK)
		r = lost_text(&check->tree);
	if (r == CM_OK)
		*tree = buf_view(&check->tree);
	return r;
}

/* -------------------------------------------------------- making and freeing */

/* Asks the engine: runs the code behind a return, and behind the directive
 * that it begins with. */
static cm_status
compile_code(void *ctx, text code, uint32_t *line, uint32_t *column, buf *why)
{
	static const cm_driver nothing = {0};
	text start = text_sub(text_trim(code), 0, TEXT("'use strict'").len);
	buf b = BUF_INIT(why->alloc, code.len + 64);
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *run = NULL;
	cm_done done;
	cm_status r;

	(void)ctx;
	if (text_find(start, TEXT("use strict"), 0) == 1)
		buf_text(&b, start);
	buf_str(&b, ";return;\n");
	buf_text(&b, code);
	o.flags = CM_RUN_RAW;
	r = b.bad == CM_OK ? cm_run_new(NULL, buf_view(&b), &o, &run) : b.bad;
	if (r == CM_OK)
		r = cm_run_drive(run, &nothing, &done);
	if (r == CM_OK && text_eq(done.fault.code, TEXT("SyntaxError"))) {
		buf_text(why, done.fault.message);
		*line = done.fault.line > 1 ? done.fault.line - 1 : 0;
		*column = done.fault.column;
	}
	cm_run_free(run);
	buf_fini(&b);
	return r == CM_ENOMEM ? r : CM_OK;
}

static cm_status
run_checks(cm_check *c, cm_catalog *cat, unsigned flags)
{
	source_options o = {.limit = UINT32_MAX,
	    .budget = SOURCE_STEPS,
	    .raw = (flags & CM_RUN_RAW) != 0,
	    .plain_last = (flags & CM_RUN_RETURN_ONLY) != 0};
	source_tools tools = {0};
	cm_status r = CM_OK;

	if (cat != NULL)
		r = handle_seal(cat);
	if (r != CM_OK)
		return r;
	if (cat != NULL)
		tools = catalog_tools(cat->inner);
	tools.compile = flags & CM_CHECK_QUICK ? NULL : compile_code;
	r = source_prepare(
	    (text){c->script, c->script_len}, &o, c->alloc, &c->prepared);
	if (r == CM_OK)
		r = source_check(&c->prepared, &tools, &c->memory, &c->report);
	return r == CM_OK ? fill_problems(c) : r;
}

static cm_check *
new_check(const cm_alloc *alloc, text script)
{
	cm_check *c = mem_new(alloc, sizeof(*c));

	if (c == NULL)
		return NULL;
	if (alloc != NULL) {
		c->own = *alloc;
		c->alloc = &c->own;
	}
	c->memory = ARENA_INIT(c->alloc, script.len * 512 + (4u << 20));
	c->json = c->tree = BUF_INIT(c->alloc, script.len * 64 + (64u << 20));
	c->script_len = script.len;
	c->script = mem_resize(c->alloc, NULL, 0, script.len + 1);
	if (c->script == NULL) {
		cm_check_free(c);
		return NULL;
	}
	if (script.len > 0)
		memcpy(c->script, script.ptr, script.len);
	c->script[script.len] = 0;
	return c;
}

cm_status
cm_source_check(cm_catalog *cat, cm_text script, unsigned flags, cm_check **out)
{
	cm_check *c = new_check(cat ? &cat->inner->alloc : NULL, script);
	cm_status r;

	if (c == NULL)
		return CM_ENOMEM;
	if ((r = run_checks(c, cat, flags)) != CM_OK) {
		cm_check_free(c);
		return r;
	}
	*out = c;
	return CM_OK;
}

void
cm_check_free(cm_check *check)
{
	cm_alloc own;
	const cm_alloc *alloc;

	if (check == NULL)
		return;
	own = check->own;
	alloc = check->alloc ? &own : NULL;
	source_prepared_fini(&check->prepared);
	arena_fini(&check->memory);
	buf_fini(&check->json);
	buf_fini(&check->tree);
	if (check->script != NULL)
		mem_free(alloc, check->script, check->script_len + 1);
	mem_free(alloc, check, sizeof(*check));
}

const char *
cm_source_grammar(void)
{
	return source_grammar;
}
