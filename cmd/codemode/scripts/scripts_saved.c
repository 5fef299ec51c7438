/* SPDX-License-Identifier: MIT */
/* scripts_saved.c -- saved scripts that run for calls of other scripts. */
#include "scripts_parts.h"

/* Counts the saved scripts that run on behalf of the same script. */
static size_t
count_saved_beside(script *s)
{
	const script *start = script_started(s);
	size_t n = 0;

	for (script *one = s->all->first; one != NULL; one = one->next)
		n += one->depth > 0 && script_started(one) == start;
	return n;
}

/* NULL, or why the saved script cannot be called now. */
const char *
script_refuses_saved(script *s, const cm_call *call)
{
	if (!upstream_is_saved(s->all->upstream, call->space))
		return NULL;
	if (s->depth == SAVED_DEPTH)
		return "saved scripts call each other more than 8 deep";
	if (count_saved_beside(s) >= SAVED_RUNS)
		return "more than 64 saved scripts of one script run at once";
	return NULL;
}

/* It has no store. */
static cm_status
new_saved_run(scripts *all, text code, json data, cm_run **out)
{
	cm_run_options o = scripts_run_options(all);
	cm_catalog *catalog = upstream_catalog(all->upstream);

	o.data = data;
	return catalog != NULL ? cm_run_new(catalog, code, &o, out) : CM_ENOMEM;
}

cm_status
scripts_begin_saved(
    void *ctx, uint32_t number, const saved_script *what, json data)
{
	scripts *all = ctx;
	saved_call of = {.number = number};
	char parent[WATCH_PARENT_MAX];
	cm_run *run = NULL;
	cm_status r = new_saved_run(all, what->code, data, &run);

	if (r != CM_OK)
		return r;
	of.caller = outgoing_owner(&all->outgoing, number, &of.id);
	if (scripts_link(all, SCRIPTS_SAVED + all->saved++, run, what->code,
		scripts_parent_of(all, number, parent) ? text_of(parent)
						       : TEXT_NONE,
		&of) == NULL) {
		cm_run_free(run);
		return CM_ENOMEM;
	}
	main_loop_due(&all->upstream->loop->uv);
	return CM_OK;
}

/* Ends the script at its next turn, and its calls with it. */
void
scripts_end_saved(void *ctx, uint32_t number)
{
	scripts *all = ctx;

	for (script *s = all->first; s != NULL; s = s->next) {
		if (s->caller == NULL || s->call != number)
			continue;
		s->caller = NULL;
		s->due = true;
		cm_run_cancel(s->run, TEXT_NONE);
		main_loop_due(&all->upstream->loop->uv);
	}
}

/* Answers the call with the value or the error of the saved script. */
void
script_answer_caller(script *s, const cm_done *done, cm_status status)
{
	mcp_answer a = {.message = text_of(cm_status_text(status))};

	if (s->caller == NULL)
		return;
	if (done != NULL) {
		a.ok = done->end == CM_END_OK;
		a.value = done->value.len > 0 ? done->value : TEXT("null");
		a.message = done->fault.message;
	}
	upstream_saved_over(
	    s->all->upstream, s->call, a.ok ? a.value : TEXT_NONE);
	scripts_answered(s->all, s->call, &a);
}
