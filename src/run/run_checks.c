/* SPDX-License-Identifier: MIT */
/*
 * run_checks.c -- calls held against the schemas of their tools.
 *
 * Arguments are checked when the turn that made the call is over: what does not
 * fit is never offered to the owner, and the script's promise is rejected with
 * the place, what was wanted and the tool's signature. Results are delivered in
 * any case; what does not fit is a warning, once a tool.
 */
#include "run.h"

#include "catalog/declare.h"

/* Has the run warned about this tool? If not, it counts as told from now on. */
static bool
is_told(cm_run *r, uint32_t number)
{
	for (size_t i = 0; i < r->checks.len; i++)
		if (r->checks.told[i] == number)
			return true;
	if (!mem_grow(r->alloc, (void **)&r->checks.told, &r->checks.cap,
		r->checks.len, sizeof(*r->checks.told))) {
		r->status = CM_ENOMEM;
		return true;
	}
	r->checks.told[r->checks.len++] = number;
	return false;
}

/* A warning about one of the two schemas of a tool: their numbers are even and
 * odd. */
static void
warn_of_schema(cm_run *r, uint32_t i, bool output, const char *what, text why)
{
	uint32_t number = r->calls.record[i].tool;
	buf b = BUF_INIT(r->alloc, WORDS_MAX);

	if (is_told(r, 2 * number + output) ||
	    r->gate.warnings >= GATE_WARNINGS)
		return;
	buf_printf(&b, "tools.%.*s: %s",
	    TEXT_ARG(catalog_at(r->catalog, number)->path),
	    output ? "its results " : "its arguments ");
	buf_str(&b, what);
	buf_text(&b, why);
	if (record_words(r, buf_view(&b)) == CM_OK)
		r->gate.warnings++;
	else
		r->status = CM_ENOMEM;
	buf_fini(&b);
}

static void
warn_of_gaps(cm_run *r, uint32_t i, bool output, const schema_program *s)
{
	if (schema_why(s).len > 0)
		warn_of_schema(r, i, output,
		    "are not checked, because the schema is none: ",
		    schema_why(s));
	else if (schema_gap(s).len > 0)
		warn_of_schema(
		    r, i, output, "are not checked in full: ", schema_gap(s));
}

static void
refuse_arguments(cm_run *r, uint32_t i, const schema_program *s, json args)
{
	const tool *t = catalog_at(r->catalog, r->calls.record[i].tool);
	buf b = BUF_INIT(r->alloc, WORDS_MAX);

	buf_printf(&b, "tools.%.*s was not called: ", TEXT_ARG(t->path));
	schema_explain(s, args, &b);
	buf_printf(&b, ". It is tools.%.*s", TEXT_ARG(t->path));
	catalog_signature(t, &b);
	run_refuse_call(r, i, "InvalidArguments", buf_view(&b));
	buf_fini(&b);
}

static void
check_call_arguments(cm_run *r, uint32_t i)
{
	const call_record *c = &r->calls.record[i];
	json args = {c->args, c->arg_bytes};
	const schema_program *s;

	if (r->sched.call[i].state != SCHED_QUEUED)
		return; /* the script has cancelled it */
	if (catalog_input_schema(r->catalog, c->tool, &s) != CM_OK) {
		r->status = CM_ENOMEM;
		return;
	}
	if (s == NULL)
		return;
	if (args.len == 0)
		args = TEXT("{}"); /* what a server gets then */
	warn_of_gaps(r, i, false, s);
	switch (schema_check(s, args)) {
	case SCHEMA_FITS:
		break;
	case SCHEMA_MISFIT:
		refuse_arguments(r, i, s, args);
		break;
	case SCHEMA_UNKNOWN:
		warn_of_schema(r, i, false,
		    "were not checked to the end: that would take too long",
		    TEXT_NONE);
		break;
	}
}

void
run_check_arguments(cm_run *r, uint32_t from)
{
	for (; from < r->sched.issued && r->status == CM_OK; from++)
		check_call_arguments(r, from);
}

void
run_check_result(cm_run *r, uint32_t i, json value)
{
	const schema_program *s;
	buf b;

	if (catalog_output_schema(r->catalog, r->calls.record[i].tool, &s) !=
	    CM_OK) {
		r->status = CM_ENOMEM;
		return;
	}
	if (s == NULL || value.len == 0)
		return;
	warn_of_gaps(r, i, true, s);
	if (schema_check(s, value) != SCHEMA_MISFIT)
		return;
	b = BUF_INIT(r->alloc, WORDS_MAX);
	schema_explain(s, value, &b);
	warn_of_schema(r, i, true,
	    "do not fit the outputSchema that the tool declares: ",
	    buf_view(&b));
	buf_fini(&b);
}

void
run_checks_free(cm_run *r)
{
	mem_free(
	    r->alloc, r->checks.told, r->checks.cap * sizeof(*r->checks.told));
}
