/* SPDX-License-Identifier: MIT */
/*
 * approvals.c -- which calls the owner has approved, of a run with CM_RUN_ASK.
 *
 * The scheduler starts a call as it does in any run. If no approval covers it,
 * the owner gets CM_STEP_ASK in the place of CM_STEP_CALL, and the call waits
 * with the owner until it is approved, answered or stopped. What covers a call
 * is decided here, from what the gate let pass: neither the list of calls nor
 * the engine can change that.
 */
#include "run.h"

#include "schema/schema_value.h"

/* ---------------------------------------------------------------- covering */

/* Does "x.y", "x.*" or "*" cover the path? "x.*" covers x, too: check.h. */
static bool
covers_path(text approved, text path)
{
	text space = text_sub(approved, 0, approved.len - 1);

	if (text_eq(approved, TEXT("*")) || text_eq(approved, path))
		return true;
	return text_ends(approved, TEXT(".*")) &&
	       (text_starts(path, space) ||
		   text_eq(path, text_sub(space, 0, space.len - 1)));
}

/* No arguments are {}: that is what a server gets. */
static bool
covers_args(text approved, json args)
{
	int64_t left = APPROVAL_MAX * 2;

	return approved.len == 0 ||
	       value_equal(approved, args.len ? args : TEXT("{}"), &left);
}

bool
approvals_cover(const cm_run *r, uint32_t i)
{
	const call_record *c = &r->calls.record[i];
	text path = catalog_at(r->catalog, c->tool)->path;
	size_t k = 0;

	if ((r->given.flags & CM_RUN_ASK) == 0)
		return true;
	while (k < r->approvals.len &&
	       !(covers_path(block_text(r->approvals.list[k].path), path) &&
		   covers_args(block_text(r->approvals.list[k].args),
		       (json){c->args, c->arg_bytes})))
		k++;
	return k < r->approvals.len;
}

/* ------------------------------------------------------------ calls waiting */

/* Does call i wait for the owner's approval? */
static bool
is_asked(const cm_run *r, uint32_t i)
{
	return r->calls.record[i].asked && !run_is_over(r) &&
	       r->sched.call[i].state == SCHED_RUNNING;
}

static void
release_call(cm_run *r, uint32_t i)
{
	r->calls.record[i].asked = false;
	r->calls.record[i].approved = true;
	if (i < r->approvals.from)
		r->approvals.from = i;
}

bool
approvals_next(cm_run *r, uint32_t *call)
{
	uint32_t i = r->approvals.from;

	for (; i < r->sched.issued; i++) {
		bool due = r->calls.record[i].approved &&
			   r->sched.call[i].state == SCHED_RUNNING;

		r->calls.record[i].approved = false;
		if (!due)
			continue;
		r->approvals.from = i + 1;
		*call = i;
		return true;
	}
	r->approvals.from = UINT32_MAX;
	return false;
}

/* ----------------------------------------------------------- from the owner */

void
approvals_free(cm_run *r)
{
	run_approvals *a = &r->approvals;

	while (a->len > 0) {
		run_drop(r, &a->list[--a->len].path);
		run_drop(r, &a->list[a->len].args);
	}
	mem_free(r->alloc, a->list, a->cap * sizeof(*a->list));
	a->list = NULL;
	a->cap = 0;
}

static cm_status
add_approval(cm_run *r, text path, json args)
{
	run_approvals *a = &r->approvals;
	run_approval one;

	if (a->len == APPROVALS_MAX)
		return CM_ELIMIT;
	if (!mem_grow(
		r->alloc, (void **)&a->list, &a->cap, a->len, sizeof(*a->list)))
		return CM_ENOMEM;
	one = (run_approval){block_copy(r, path), block_copy(r, args)};
	if (one.path.ptr == NULL || one.args.ptr == NULL) {
		run_drop(r, &one.path);
		run_drop(r, &one.args);
		return CM_ENOMEM;
	}
	a->list[a->len++] = one;
	return CM_OK;
}

cm_status
run_approve(cm_run *r, const cm_approval *given)
{
	json args = TEXT_NONE;
	cm_status s;

	if ((r->given.flags & CM_RUN_ASK) == 0)
		return CM_EMISUSE;
	if (given == NULL) {
		approvals_free(r);
		return CM_OK;
	}
	if (given->path.len > APPROVAL_MAX || given->args.len > APPROVAL_MAX)
		return CM_ELIMIT;
	if (given->path.len == 0 ||
	    (given->args.len > 0 &&
		!json_check(given->args, RESULT_DEPTH, &args, NULL)))
		return CM_EINPUT;
	if ((s = add_approval(r, given->path, args)) != CM_OK)
		return s;
	for (uint32_t i = 0; i < r->sched.issued; i++)
		if (is_asked(r, i) && approvals_cover(r, i))
			release_call(r, i);
	return CM_OK;
}

cm_status
run_approve_call(cm_run *r, cm_call_id id)
{
	if (id == 0 || id > r->sched.issued || !is_asked(r, id - 1))
		return CM_ENOCALL;
	release_call(r, id - 1);
	return CM_OK;
}
