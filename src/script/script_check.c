/* SPDX-License-Identifier: MIT */
/*
 * script_check.c -- warnings at the end of a script, and what warnings and
 * explanations know about tools.
 *
 * The check comes at the end, so that a script which succeeds without a call
 * does not pay for it. It warns of a promise used as a value, or dropped while
 * something was pending; if the script failed, of every other error in it as
 * well, so that one run tells all; if it gave nothing, of a last assignment that
 * was meant as the value, and of functions that are never called.
 * 'codemode check' alone tells suspicions.
 */
#include "script_parts.h"

#include "gate/gate.h"
#include "source/excerpt.h"

enum {
	WARNINGS_MAX = 10,
	QUESTIONS_MAX = 1000 /* to the run, about one script's tools */
};

/* ------------------------------------------------------ what was answered */

static seen_result *
seen_of(const engine *e, uint32_t tool)
{
	for (size_t i = 0; i < e->seens; i++)
		if (e->seen[i].tool == tool)
			return &e->seen[i];
	return NULL;
}

/* Without memory the answer is not kept, and explanations lack it. */
void
script_note_result(engine *e, uint32_t call, text value)
{
	seen_result *s;

	if (call == 0 || call > e->calls)
		return;
	if ((s = seen_of(e, e->tool[call - 1])) == NULL) {
		if (e->seens == SEEN_TOOLS ||
		    !mem_grow(e->start.alloc, (void **)&e->seen, &e->seen_cap,
			e->seens, sizeof(*s)))
			return;
		s = &e->seen[e->seens++];
		s->tool = e->tool[call - 1];
	}
	s->len = value.len < SEEN_BYTES ? (uint32_t)value.len : SEEN_BYTES;
	if (s->len > 0)
		memcpy(s->text, value.ptr, s->len);
}

/* ------------------------------------------------------------- the tools */

/* After QUESTIONS_MAX questions every tool counts as existing, so that no
 * warning is false. */
static source_found
find_written(void *ctx, text written, buf *path)
{
	engine *e = ctx;
	const engine_tools *t = &e->start.tools;
	uint32_t index;

	if (e->questions++ >= QUESTIONS_MAX) {
		buf_text(path, written);
		return SOURCE_TOOL;
	}
	switch (t->find(t->ctx, -1, written, &index, path)) {
	case FOUND_TOOL:
	case FOUND_SPREAD:
		return SOURCE_TOOL;
	case FOUND_SPACE:
		return SOURCE_SPACE;
	default:
		return SOURCE_NOTHING;
	}
}

static void
say_unknown(void *ctx, text written, buf *out)
{
	engine *e = ctx;

	e->start.tools.unknown(e->start.tools.ctx, -1, written, out);
}

static void
list_written_members(void *ctx, buf *out)
{
	engine *e = ctx;

	e->start.tools.names(e->start.tools.ctx, -1, out);
}

/* After too many questions every name counts as one. */
static bool
is_written_global(void *ctx, text name)
{
	engine *e = ctx;
	const engine_tools *t = &e->start.tools;
	buf path = BUF_INIT(e->start.alloc, 64u << 10);
	uint32_t index;
	bool found = e->questions++ >= QUESTIONS_MAX ||
		     t->find(t->ctx, ENGINE_GLOBALS, name, &index, &path) !=
			 FOUND_NOTHING;

	buf_fini(&path);
	return found;
}

source_tools
script_tools_of(engine *e)
{
	return (source_tools){.ctx = e,
	    .find = find_written,
	    .global = e->start.globals ? is_written_global : NULL,
	    .unknown = say_unknown,
	    .members = list_written_members};
}

static text
result_seen(void *ctx, text written)
{
	engine *e = ctx;
	const engine_tools *t = &e->start.tools;
	buf path = BUF_INIT(e->start.alloc, 64u << 10);
	const seen_result *s = NULL;
	engine_found found;
	uint32_t index;

	found = t->find(t->ctx, ENGINE_TOOLS, written, &index, &path);
	if (found == FOUND_TOOL || found == FOUND_SPREAD)
		s = seen_of(e, index);
	buf_fini(&path);
	return s ? (text){s->text, s->len} : TEXT_NONE;
}

source_seen
script_seen_of(engine *e)
{
	return (source_seen){e, result_seen};
}

/* ------------------------------------------------------------ the warnings */

static bool
has_check_code(const source_problem *p, source_check_code code)
{
	return p->code == source_code_name(code);
}

/* The script succeeded without an output or a value. */
static bool
gave_nothing(const engine *e, const script_end *end)
{
	return !end->failed && !end->value && !e->printed;
}

static bool
is_worth_telling(
    const engine *e, const script_end *end, const source_problem *p)
{
	if (end->failed && p->line == end->line)
		return false;
	if (has_check_code(p, CHECK_UNAWAITED_CALL))
		return e->undone && !e->exited;
	if (p->promise)
		return true;
	if (has_check_code(p, CHECK_NOTHING_HAPPENS))
		return gave_nothing(e, end) && e->calls == 0;
	if (has_check_code(p, CHECK_NOTHING_RETURNED))
		return gave_nothing(e, end);
	if (p->level == SOURCE_NOTE)
		return !end->failed && e->calls > 0;
	return end->failed && p->level == SOURCE_ERROR;
}

/* The line, as an error shows it. */
static void
put_excerpt(engine *e, const source_problem *p, buf *out)
{
	buf excerpt = BUF_INIT(e->start.alloc, 64u << 10);

	excerpt_put(script_line(e, p->line), p->line, 0, &excerpt);
	if (excerpt.len > 0)
		json_member_text(out, "excerpt", buf_view(&excerpt));
	buf_fini(&excerpt);
}

void
script_warn(engine *e, const source_problem *p, json calls)
{
	buf b = BUF_INIT(e->start.alloc, 64u << 10);
	verdict v;

	buf_byte(&b, '{');
	json_member_text(&b, "code", text_of(p->code));
	json_member_text(&b, "message", p->message);
	if (p->line > 0)
		json_member_uint(&b, "line", p->line);
	if (p->column > 0)
		json_member_uint(&b, "column", p->column);
	if (p->promise && p->line > 0)
		put_excerpt(e, p, &b);
	if (p->level == SOURCE_NOTE)
		json_member_text(&b, "level", TEXT("note"));
	json_member_json(&b, "calls", calls);
	buf_byte(&b, '}');
	if (b.bad == CM_OK)
		script_pass(e,
		    &(said){.kind = SAID_WARN, .u.warn.json = buf_view(&b)},
		    &v);
	buf_fini(&b);
}

static void
say_problem(engine *e, const source_problem *p, bool only)
{
	buf calls = BUF_INIT(e->start.alloc, 4096);

	if (p->promise)
		script_take_left(e, p, only, &calls);
	script_warn(e, p, buf_view(&calls));
	buf_fini(&calls);
}

/* Returns how many of them are about promises. */
static size_t
say_problems(engine *e, const script_end *end, const source_report *report)
{
	size_t told = 0, promises = 0, i;

	for (i = 0; i < report->problems; i++)
		promises += report->problem[i].promise &&
			    is_worth_telling(e, end, &report->problem[i]);
	for (i = 0; i < report->problems && told < WARNINGS_MAX; i++) {
		const source_problem *p = &report->problem[i];

		if (!is_worth_telling(e, end, p))
			continue;
		say_problem(e, p, promises == 1 && !e->exited);
		told++;
	}
	return promises;
}

void
script_list_calls(engine *e)
{
	arena a =
	    ARENA_INIT(e->start.alloc, e->source.code.len * 400 + (1 << 20));
	buf list = BUF_INIT(e->start.alloc, GATE_SITES_MAX);
	source_tools tools = script_tools_of(e);
	source_report report = {0};
	said m = {.kind = SAID_SITES};
	verdict v;

	if (source_check(&e->source, &tools, &a, &report) == CM_OK)
		source_put_calls(&report, &list);
	m.u.sites.json = list.len > 0 && list.bad == CM_OK
			     ? buf_view(&list)
			     : TEXT("[{\"tool\":\"*\"}]");
	script_pass(e, &m, &v);
	buf_fini(&list);
	arena_fini(&a);
}

void
script_check(engine *e, const script_end *end)
{
	arena a =
	    ARENA_INIT(e->start.alloc, e->source.code.len * 400 + (1 << 20));
	source_tools tools = script_tools_of(e);
	source_report report = {0};
	size_t promises = 0;

	if (e->checked || (e->calls == 0 && !end->failed && !e->undone &&
			      !gave_nothing(e, end)))
		return;
	e->checked = true;
	if (!e->start.raw &&
	    source_check(&e->source, &tools, &a, &report) == CM_OK)
		promises = say_problems(e, end, &report);
	script_say_left(e,
	    e->exited      ? "exit() ended the script first"
	    : promises > 0 ? "the script ended first"
			   : "the script ended first: await what makes this "
			     "call, or stop it with codemode.race or a signal");
	arena_fini(&a);
}
