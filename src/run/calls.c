/* SPDX-License-Identifier: MIT */
/*
 * calls.c -- one call from its issue to its answer: what the engine says and
 * the gate lets pass, and what the owner answers.
 *
 * The scheduler decides which answer is delivered. Each function that the owner
 * or the engine calls asserts the scheduler's invariant ('sched_ok').
 */
#include "run.h"

#include <stdio.h>

/* ------------------------------------------------------- from the engine */

/* Gives the scheduler a table of twice the size. False: no memory. */
static bool
sched_grow(cm_run *r)
{
	sched_call *old = r->calls.table, *table;
	uint32_t was = r->sched.cap, cap = was ? was * 2 : 16;

	table = mem_resize(r->alloc, NULL, 0, cap * sizeof(*table));
	if (table == NULL)
		return false;
	if (was > 0)
		memcpy(table, old, was * sizeof(*table));
	sched_table(&r->sched, table, cap);
	r->calls.table = table;
	mem_free(r->alloc, old, was * sizeof(*table));
	return true;
}

/* Makes room for one more call in both tables. False: no memory. */
static bool
grow_call_tables(cm_run *r)
{
	return mem_grow(r->alloc, (void **)&r->calls.record, &r->calls.cap,
		   r->sched.issued, sizeof(*r->calls.record)) &&
	       (sched_has_room(&r->sched) || sched_grow(r));
}

static void
issue_call(cm_run *r, const said *m)
{
	call_record c = {.tool = m->u.call.tool,
	    .timeout_ms = m->u.call.timeout_ms,
	    .line = m->u.call.line,
	    .issued_ms = r->clock.now_ms};
	block args;
	uint32_t i;

	if (!grow_call_tables(r)) {
		r->status = CM_ENOMEM;
		return;
	}
	args = run_copy(r, m->u.call.args);
	c.args = args.ptr;
	c.arg_bytes = args.len;
	i = lanes_issue(r, c.tool);
	must(i + 1 == m->u.call.id);
	r->calls.record[i] = c;
	log_call(r, i + 1, m);
}

static void
drop_args(cm_run *r, call_record *c)
{
	if (c->args == NULL)
		return;
	mem_free(r->alloc, c->args, c->arg_bytes + 1);
	c->args = NULL;
	gate_call_over(&r->gate, c->arg_bytes);
}

/* The call is over for the script. A call that never ran stays unstarted. */
static void
end_record(cm_run *r, uint32_t i, call_status status)
{
	call_record *c = &r->calls.record[i];

	drop_args(r, c);
	if (status == CALL_CANCELLED && c->status != CALL_RUNNING) {
		c->given_up = true;
		return;
	}
	c->status = status;
	c->end_ms = r->clock.now_ms;
}

/* The script cancelled this call, and has settled its promise itself. */
static void
cancel_for_script(cm_run *r, uint32_t i)
{
	if (sched_cancelled(&r->sched, i, false).what != SCHED_DELIVER)
		return;
	end_record(r, i, CALL_CANCELLED);
	groups_settled(r, i, true);
}

/* The script has not handled this failure so far. If it never does, a warning
 * tells the line of the call. */
static void
note_unseen(cm_run *r, const said *m)
{
	uint32_t i = m->u.unseen.id - 1;

	sched_unseen(&r->sched, i);
	r->calls.record[i].line = m->u.unseen.line;
}

/* How many of the calls never began, and were stopped. Those that the owner
 * has answered and numbers that no call has are left out. */
typedef struct lost_calls {
	uint32_t unstarted, stopped;
	text path;  /* of one of them */
	bool mixed; /* others are of other tools */
} lost_calls;

static lost_calls
count_lost(const cm_run *r, json calls)
{
	json_iter it = json_each(calls);
	lost_calls lost = {0};
	json call;
	int64_t id;

	while (json_next(&it, NULL, &call)) {
		const call_record *c;
		text path;

		if (!json_int(call, &id) || id < 1 || id > r->sched.issued)
			continue;
		c = &r->calls.record[id - 1];
		if (c->status != CALL_RUNNING && c->status != CALL_UNSTARTED)
			continue;
		path = catalog_at(r->catalog, c->tool)->path;
		lost.mixed |= lost.path.len > 0 && !text_eq(path, lost.path);
		lost.path = path;
		lost.stopped += c->status == CALL_RUNNING;
		lost.unstarted += c->status == CALL_UNSTARTED;
	}
	return lost;
}

/* "2 calls of tools.a.b never began: " */
static void
put_lost(const lost_calls *lost, buf *out)
{
	uint32_t n = lost->unstarted + lost->stopped;

	if (n == 0)
		return;
	buf_printf(out, "%u call%s of tools.%.*s%s ", n, n == 1 ? "" : "s",
	    TEXT_ARG(lost->path), lost->mixed ? " and others" : "");
	if (lost->stopped == 0)
		buf_str(out, "never began: ");
	else if (lost->unstarted == 0)
		buf_printf(
		    out, "%s stopped halfway: ", n == 1 ? "was" : "were");
	else
		buf_printf(out,
		    "were lost (%u never began, %u stopped "
		    "halfway): ",
		    lost->unstarted, lost->stopped);
}

/* A warning that names calls which the script did not wait for gets in front of
 * its message what became of them: the engine cannot know. If the owner has
 * answered them, and the warning is of nothing else, it is dropped. */
static void
take_warning(cm_run *r, json warning)
{
	lost_calls lost = count_lost(r, json_get(warning, TEXT("calls")));
	json_iter it = json_each(warning);
	buf words = BUF_INIT(r->alloc, WORDS_MAX);
	buf b = BUF_INIT(r->alloc, SIZE_MAX / 2);
	json key, value;

	if (lost.path.len == 0 &&
	    json_is(json_get(warning, TEXT("code")), TEXT("LostCall")))
		return;
	put_lost(&lost, &words);
	while (words.len > 0 && json_next(&it, &key, &value)) {
		buf_byte(&b, b.len == 0 ? '{' : ',');
		buf_text(&b, key);
		buf_byte(&b, ':');
		if (json_is(key, TEXT("message")) &&
		    json_unescape(value, &words))
			json_string(&b, buf_view(&words));
		else
			buf_text(&b, value);
	}
	buf_byte(&b, '}');
	if (words.bad == CM_OK && b.bad == CM_OK)
		record_warning(r, words.len > 0 ? buf_view(&b) : warning);
	run_keep_status(r, &words);
	run_keep_status(r, &b);
	buf_fini(&words);
	buf_fini(&b);
}

static void
record_end(cm_run *r, const said *m)
{
	if (m->kind == SAID_DONE) {
		r->outcome.end = CM_END_OK;
		r->outcome.value = run_copy(r, m->u.done.value);
		r->outcome.writes = run_copy(r, m->u.done.writes);
	} else {
		r->outcome.end = CM_END_SCRIPT;
		r->fault.json = run_copy(r, m->u.fail.json);
	}
}

static void
take_said(cm_run *r, const said *m)
{
	switch (m->kind) {
	case SAID_PREPARED:
		run_prepared(r, m->u.prepared.timeout_ms);
		r->output_tokens = m->u.prepared.output_tokens;
		break;
	case SAID_SITES:
		r->sites = run_copy(r, m->u.sites.json);
		break;
	case SAID_CALL:
		issue_call(r, m);
		break;
	case SAID_CANCEL:
		cancel_for_script(r, m->u.cancel.id - 1);
		break;
	case SAID_GROUP:
		groups_add(r, m->u.group.all, m->u.group.calls);
		break;
	case SAID_TIMER:
		timers_set(r, m->u.timer.ms);
		break;
	case SAID_CLEAR:
		timers_clear(r, m->u.clear.id);
		break;
	case SAID_PRINT:
		record_item(r, m);
		log_print(r, m);
		break;
	case SAID_WARN:
		take_warning(r, m->u.warn.json);
		break;
	case SAID_UNSEEN:
		note_unseen(r, m);
		break;
	case SAID_OBSERVED:
		sched_observed(&r->sched, m->u.observed.id - 1);
		break;
	case SAID_DONE:
	case SAID_FAIL:
		record_end(r, m);
		break;
	case SAID_KINDS:
		break;
	}
}

void
run_said(void *run, const said *m, verdict *v)
{
	cm_run *r = run;
	gate_answer a;

	must(sched_ok(&r->sched) && gate_ok(&r->gate));
	v->code = NULL;
	if (r->broken.code != NULL || r->status != CM_OK)
		return; /* the run ends at the next step */
	a = gate_check(&r->gate, m, v);
	if (a == GATE_BROKEN)
		r->broken = *v;
	else if (a == GATE_PASS)
		take_said(r, m);
}

/* -------------------------------------------------------- from the owner */

/* Does the script wait for the answer to this call? */
static bool
is_answer_due(const cm_run *r, cm_call_id id)
{
	must(sched_ok(&r->sched));
	return id > 0 && sched_delivers(&r->sched, (uint32_t)(id - 1));
}

/* The script does not wait for this answer. The call is over for the owner, so
 * its places are free. */
static cm_status
end_late(cm_run *r, cm_call_id id)
{
	if (id > 0)
		sched_finished(&r->sched, (uint32_t)(id - 1), false);
	return CM_ENOCALL;
}

/* The answer came after the last 'run_next', at a time that the run does not
 * know: the next 'run_next' sets end_ms. */
static void
end_at_next(cm_run *r, uint32_t i)
{
	if (r->given.fixed) /* the answer has a time */
		return;
	r->calls.record[i].unstamped = true;
	if (r->calls.unstamped_from == r->calls.unstamped_to)
		r->calls.unstamped_from = r->calls.unstamped_to = i;
	if (i < r->calls.unstamped_from)
		r->calls.unstamped_from = i;
	if (i >= r->calls.unstamped_to)
		r->calls.unstamped_to = i + 1;
}

void
run_stamp_answers(cm_run *r)
{
	uint32_t i;

	for (i = r->calls.unstamped_from; i < r->calls.unstamped_to; i++) {
		if (r->calls.record[i].unstamped)
			r->calls.record[i].end_ms = r->clock.now_ms;
		r->calls.record[i].unstamped = false;
	}
	r->calls.unstamped_from = r->calls.unstamped_to = 0;
}

/* The engine has copied the answer to call i. Only now the arguments are freed:
 * an owner may answer with them. */
static void
answer_taken(cm_run *r, uint32_t i, sched_todo todo, call_status status)
{
	must(todo.what == SCHED_DELIVER);
	end_record(r, i, status);
	if (status != CALL_CANCELLED)
		end_at_next(r, i);
	r->turns.due = true;
}

/* A failure on its way to the script. */
typedef struct call_failure {
	text name, message;
	json members;     /* the tool's own, or empty */
	const char *code; /* of a failure of the run's own; else NULL */
	call_status status;
	bool loses; /* in a group: no warning if the script ignores it */
} call_failure;

/* The members of the Error, and `tool`: the path of the tool that failed. The
 * run's own code goes last: 'engine_port.reject' knows it by that. */
static void
put_error_members(buf *b, const call_failure *f, text path)
{
	json_iter it = json_each(f->members);
	json key, value;

	buf_byte(b, '{');
	while (json_next(&it, &key, &value)) {
		buf_text(b, key);
		buf_byte(b, ':');
		buf_text(b, value);
		buf_byte(b, ',');
	}
	buf_str(b, "\"tool\":");
	json_string(b, path);
	if (f->code != NULL) {
		buf_str(b, ",\"code\":");
		json_string(b, text_of(f->code));
	}
	buf_byte(b, '}');
}

/* Keeps the message for the result, and gives the failure to the engine. */
static cm_status
hand_failure(cm_run *r, uint32_t i, const call_failure *f)
{
	call_record *c = &r->calls.record[i];
	buf members = BUF_INIT(r->alloc, SIZE_MAX / 2);
	char *error = mem_resize(r->alloc, NULL, 0, f->message.len + 1);
	cm_status s = CM_ENOMEM;

	put_error_members(&members, f, catalog_at(r->catalog, c->tool)->path);
	if (error != NULL && members.bad == CM_OK)
		s = r->port->reject(
		    r->engine, i + 1, f->name, f->message, buf_view(&members));
	buf_fini(&members);
	if (s == CM_ENOMEM) {
		mem_free(r->alloc, error, f->message.len + 1);
		return s;
	}
	if (f->message.len > 0)
		memcpy(error, f->message.ptr, f->message.len);
	error[f->message.len] = 0;
	c->error = error;
	c->error_len = f->message.len;
	return CM_OK;
}

/* Call i, which the script waits for, has failed or is cancelled. */
static cm_status
fail_call(cm_run *r, uint32_t i, const call_failure *f)
{
	cm_status s = hand_failure(r, i, f);
	sched_todo todo;

	if (s != CM_OK)
		return s;
	todo = f->status == CALL_CANCELLED
		   ? sched_cancelled(&r->sched, i, !f->loses)
		   : sched_finished(&r->sched, i, true);
	answer_taken(r, i, todo, f->status);
	if (!f->loses)
		groups_settled(r, i, true);
	return CM_OK;
}

void
run_lose(cm_run *r, uint32_t i, const char *why)
{
	cm_status s = fail_call(r, i,
	    &(call_failure){.name = TEXT("AbortError"),
		.message = text_of(why),
		.status = CALL_CANCELLED,
		.loses = true});

	if (s != CM_OK)
		r->status = s;
}

void
run_refuse_call(cm_run *r, uint32_t i, const char *code, text message)
{
	cm_status s = fail_call(r, i,
	    &(call_failure){.name = TEXT("TypeError"),
		.message = message,
		.code = code,
		.status = CALL_CANCELLED});

	if (s != CM_OK)
		r->status = s;
}

/* The answer cannot be used. The script gets an error that says why, the owner
 * gets the status `why`. */
static cm_status
refuse_answer(cm_run *r, cm_call_id id, cm_status why, const char *message)
{
	cm_status s;

	if (!is_answer_due(r, id))
		return end_late(r, id);
	s = fail_call(r, (uint32_t)(id - 1),
	    &(call_failure){.name = TEXT("TypeError"),
		.message = text_of(message),
		.code = "InvalidResult",
		.status = CALL_ERROR});
	return s == CM_OK ? why : s;
}

static cm_status
refuse_size(cm_run *r, cm_call_id id, const char *what, size_t bytes)
{
	char message[200];

	snprintf(message, sizeof(message),
	    "the tool's %s has %zu bytes, the limit is %llu: ask the tool for "
	    "less",
	    what, bytes, (unsigned long long)r->given.limits.result);
	return refuse_answer(r, id, CM_ELIMIT, message);
}

cm_status
run_resolve(cm_run *r, cm_call_id id, text given)
{
	uint32_t i = (uint32_t)(id - 1);
	json value = TEXT_NONE;
	json_fault why;
	cm_status s;

	if (!is_answer_due(r, id))
		return end_late(r, id);
	if (given.len > r->given.limits.result)
		return refuse_size(r, id, "result", given.len);
	if (given.len > 0 && !json_check(given, RESULT_DEPTH, &value, &why)) {
		char message[200];

		snprintf(message, sizeof(message),
		    "the tool's result is not JSON in UTF-8: at byte %zu, %s",
		    why.at, why.why);
		return refuse_answer(r, id, CM_EINPUT, message);
	}
	if ((s = r->port->resolve(r->engine, id, value)) == CM_ENOMEM)
		return s;
	r->calls.record[i].result_bytes = value.len;
	run_check_result(r, i, value);
	answer_taken(r, i, sched_finished(&r->sched, i, false), CALL_OK);
	groups_settled(r, i, false);
	return CM_OK;
}

cm_status
run_reject(cm_run *r, cm_call_id id, const cm_failure *f)
{
	size_t bytes = f->name.len + f->message.len + f->members.len;
	json members = TEXT_NONE;
	text message = f->message;

	if (!is_answer_due(r, id))
		return end_late(r, id);
	if (bytes > r->given.limits.result)
		return refuse_size(r, id, "error", bytes);
	if (utf8_bad(message) != SIZE_MAX)
		message = TEXT("the tool failed with a message that is not "
			       "UTF-8");
	if (utf8_bad(f->name) != SIZE_MAX)
		return refuse_answer(r, id, CM_EINPUT, "the tool failed");
	if (f->members.len > 0 &&
	    (!json_check(f->members, RESULT_DEPTH, &members, NULL) ||
		json_kind_of(members) != JSON_OBJECT))
		members = TEXT_NONE;
	return fail_call(r, (uint32_t)(id - 1),
	    &(call_failure){.name = f->name,
		.message = message,
		.members = members,
		.status = CALL_ERROR});
}

cm_status
run_stopped(cm_run *r, cm_call_id id)
{
	must(sched_ok(&r->sched));
	if (id == 0 || id > r->sched.issued ||
	    r->sched.call[id - 1].state != SCHED_STOPPED)
		return CM_ENOCALL;
	sched_finished(&r->sched, (uint32_t)(id - 1), false);
	return CM_OK;
}

/* The scheduler says that the script never handled this failure (L7). */
void
run_report(cm_run *r, uint32_t i)
{
	const call_record *c = &r->calls.record[i];
	buf words = BUF_INIT(r->alloc, SIZE_MAX / 2);
	buf b = BUF_INIT(r->alloc, SIZE_MAX / 2);

	if (r->gate.warnings++ >= GATE_WARNINGS)
		return;
	buf_str(&words, "a promise was rejected and nothing awaited it: ");
	buf_text(&words, (text){c->error, c->error_len});
	buf_str(&b, "{\"message\":");
	json_string(&b, buf_view(&words));
	buf_str(&b, ",\"tool\":");
	json_string(&b, catalog_at(r->catalog, c->tool)->path);
	if (c->line > 0)
		buf_printf(&b, ",\"line\":%u", c->line);
	buf_byte(&b, '}');
	if (words.bad == CM_OK && b.bad == CM_OK)
		record_warning(r, buf_view(&b));
	else
		r->status = CM_ENOMEM;
	buf_fini(&words);
	buf_fini(&b);
}

/* ------------------------------------------------------ calls' own time */

/* When the call's own time ends; UINT64_MAX: never. */
static uint64_t
timeout_at(const call_record *c)
{
	if (c->status != CALL_RUNNING ||
	    c->timeout_ms > UINT64_MAX - c->start_ms)
		return UINT64_MAX;
	return c->start_ms + c->timeout_ms;
}

void
run_note_timeout(cm_run *r, const call_record *c)
{
	if (timeout_at(c) < r->calls.next_timeout_ms)
		r->calls.next_timeout_ms = timeout_at(c);
}

static void
time_out_call(cm_run *r, uint32_t i)
{
	char message[120];
	cm_status s;

	snprintf(message, sizeof(message),
	    "the call timed out after %llu ms (its timeoutMs)",
	    (unsigned long long)r->calls.record[i].timeout_ms);
	s = fail_call(r, i,
	    &(call_failure){.name = TEXT("TimeoutError"),
		.message = text_of(message),
		.code = "CallTimeout",
		.status = CALL_CANCELLED});
	if (s != CM_OK)
		r->status = s;
}

void
run_time_out_calls(cm_run *r)
{
	uint32_t i;

	if (r->clock.now_ms < r->calls.next_timeout_ms)
		return;
	r->calls.next_timeout_ms = UINT64_MAX;
	for (i = 0; i < r->sched.issued; i++) {
		if (timeout_at(&r->calls.record[i]) <= r->clock.now_ms)
			time_out_call(r, i);
		else
			run_note_timeout(r, &r->calls.record[i]);
	}
}
