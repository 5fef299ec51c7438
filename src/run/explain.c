/* SPDX-License-Identifier: MIT */
/*
 * explain.c -- what the front end can say once a run is over: a better message
 * for the engine's error, and warnings about promises that were taken for
 * values.
 *
 * For the shapes of values the beginning of each tool's last answer is kept.
 * The checks are made at the end, not before: a run that goes well without a
 * call pays nothing for them. A promise in the place of a value is told in any
 * case. When the script failed, so is every other error in it, so that one
 * round tells all; and when it did nothing at all, that nothing calls its
 * functions. Mere suspicions are left to codemode check.
 */
#include "run.h"
#include "script_tools.h"

enum { SEEN_BYTES = 2048, SEEN_TOOLS = 16, WARNINGS_MAX = 10 };

typedef struct seen_result {
	uint32_t tool;
	uint32_t len;
	char text[SEEN_BYTES];
} seen_result;

/* ------------------------------------------------------------ what was seen */

static seen_result *
seen_of(const cm_run *r, uint32_t t)
{
	for (size_t i = 0; i < r->seens; i++)
		if (r->seen[i].tool == t)
			return &r->seen[i];
	return NULL;
}

void
run_note_result(cm_run *r, uint32_t t, json value)
{
	seen_result *s = seen_of(r, t);

	if (s == NULL) {
		if (r->seens == SEEN_TOOLS ||
		    !mem_grow(r->alloc, (void **)&r->seen, &r->seen_cap,
			r->seens, sizeof(*s)))
			return;
		s = &r->seen[r->seens++];
		s->tool = t;
	}
	s->len = value.len < SEEN_BYTES ? (uint32_t)value.len : SEEN_BYTES;
	if (s->len > 0)
		memcpy(s->text, value.ptr, s->len);
}

void
run_forget_results(cm_run *r)
{
	mem_free(r->alloc, r->seen, r->seen_cap * sizeof(*r->seen));
}

static text
result_of(void *ctx, text path)
{
	const cm_run *r = ctx;
	uint32_t t = r->catalog ? catalog_find(r->catalog, path) : CATALOG_NONE;
	const seen_result *s = t == CATALOG_NONE ? NULL : seen_of(r, t);

	return s ? (text){s->text, s->len} : TEXT_NONE;
}

/* -------------------------------------------------------------- the message */

void
run_explain(cm_run *r, text code, source_error *e, buf *out)
{
	source_tools tools = script_tools(r->catalog);
	source_seen seen = {r, result_of};

	if (text_eq(code, TEXT("Stalled")))
		source_explain_stall(&r->source, &tools, e, out);
	else
		source_explain(&r->source, &tools, &seen, e, out);
}

/* ------------------------------------------------------------- the warnings */

static bool
has_code(const source_problem *p, source_check_code code)
{
	return p->code == source_code_name(code);
}

/* It ran, and there is nothing to show for it. */
static bool
came_to_nothing(const cm_run *r)
{
	return r->end == CM_END_OK && r->value.len == 0 && r->items == 0 &&
	       r->sched.issued == 0;
}

/* Calls that nobody waits for are told by the environment, which knows whether
 * they were stopped. */
static bool
is_told(const cm_run *r, const source_problem *p, unsigned line)
{
	if (r->end == CM_END_SCRIPT && line == r->error.line)
		return false;
	if (has_code(p, CHECK_MISSING_AWAIT) ||
	    has_code(p, CHECK_ASYNC_CALLBACK))
		return true;
	if (has_code(p, CHECK_NOTHING_HAPPENS))
		return came_to_nothing(r);
	return r->end == CM_END_SCRIPT && p->level == SOURCE_ERROR;
}

static void
warn(cm_run *r, const source_problem *p, unsigned line, unsigned column)
{
	buf b = BUF_INIT(r->alloc, 64u << 10);

	buf_str(&b, "{\"code\":");
	json_string(&b, text_of(p->code));
	buf_str(&b, ",\"message\":");
	json_string(&b, p->message);
	buf_printf(&b, ",\"line\":%u,\"column\":%u}", line, column);
	if (b.bad == CM_OK)
		record_warning(r, buf_view(&b));
	buf_fini(&b);
}

static void
warn_all(cm_run *r, const source_report *report)
{
	size_t told = 0;

	for (size_t i = 0; i < report->problems && told < WARNINGS_MAX; i++) {
		const source_problem *p = &report->problem[i];

		if (!is_told(r, p, p->line))
			continue;
		warn(r, p, p->line, p->column);
		told++;
	}
}

/* Calls were made, or something failed in the script itself. */
static bool
is_worth_checking(const cm_run *r)
{
	return r->begun && r->source.fault.code == NULL &&
	       (r->flags & CM_RUN_RAW) == 0 &&
	       (r->sched.issued > 0 || r->end == CM_END_SCRIPT ||
		   came_to_nothing(r));
}

void
run_check(cm_run *r)
{
	arena a = ARENA_INIT(r->alloc, r->source.code.len * 400 + (1 << 20));
	source_tools tools = script_tools(r->catalog);
	source_report report;

	if (!is_worth_checking(r))
		return;
	if (source_check(&r->source, &tools, &a, &report) == CM_OK)
		warn_all(r, &report);
	arena_fini(&a);
}
