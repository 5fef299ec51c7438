/* SPDX-License-Identifier: MIT */
/*
 * calls.c -- the two directions of traffic: what the engine says, through the
 * gate, and what the owner answers.
 */
#include "run.h"

#include <stdio.h>

#define RESULT_DEPTH 20000 /* nesting of a tool's JSON */

/* ------------------------------------------------------- from the engine */

/* The scheduler asks for a table that holds what the old one still holds. */
static bool
sched_grow(cm_run *r)
{
	sched_call *old = r->sched_table, *table;
	uint32_t was = r->sched.cap, cap = was ? was * 2 : 16;

	table = mem_resize(r->alloc, NULL, 0, cap * sizeof(*table));
	if (table == NULL)
		return false;
	if (was > 0)
		memcpy(table, old, was * sizeof(*table));
	sched_table(&r->sched, table, cap);
	r->sched_table = table;
	mem_free(r->alloc, old, was * sizeof(*table));
	return true;
}

/* Room for one more call in both tables. */
static bool
calls_grow(cm_run *r)
{
	return mem_grow(r->alloc, (void **)&r->call, &r->calls_cap,
		   r->sched.issued, sizeof(*r->call)) &&
	       (sched_has_room(&r->sched) || sched_grow(r));
}

static void
issue(cm_run *r, const said *m)
{
	call_record c = {
	    .tool = m->u.call.tool, .timeout_ms = m->u.call.timeout_ms};
	block args;
	uint32_t i;

	if (!calls_grow(r)) {
		r->status = CM_ENOMEM;
		return;
	}
	args = run_copy(r, m->u.call.args);
	c.args = args.ptr;
	c.arg_bytes = args.len;
	/* The gate has the same budget, and lets nothing pass after the end. */
	i = lanes_issue(r, c.tool);
	r->call[i] = c;
	/* Which failures nobody handled, the engine says itself. */
	sched_observed(&r->sched, i);
}

static void
forget_args(cm_run *r, call_record *c)
{
	if (c->args == NULL)
		return;
	mem_free(r->alloc, c->args, c->arg_bytes + 1);
	c->args = NULL;
	gate_call_over(&r->gate, c->arg_bytes);
}

/* A call that never ran is unstarted for good. */
static void
note_end(cm_run *r, call_record *c, call_status status)
{
	if (status == CALL_CANCELLED && c->status != CALL_RUNNING) {
		c->given_up = true;
		return;
	}
	c->status = status;
	c->end_ms = r->now_ms;
}

/* The script wants no answer any more, and knows it. */
static void
cancel(cm_run *r, uint32_t i)
{
	sched_todo todo = sched_cancelled(&r->sched, i, false);

	if (todo.what != SCHED_DELIVER)
		return;
	forget_args(r, &r->call[i]);
	note_end(r, &r->call[i], CALL_CANCELLED);
	groups_settled(r, i);
}

static void
end(cm_run *r, const said *m)
{
	if (m->kind == SAID_DONE) {
		r->end = CM_END_OK;
		r->value = run_copy(r, m->u.done.value);
		r->writes = run_copy(r, m->u.done.writes);
	} else {
		r->end = CM_END_SCRIPT;
		r->fault = run_copy(r, m->u.fail.json);
	}
}

static void
take(cm_run *r, const said *m)
{
	switch (m->kind) {
	case SAID_CALL:
		issue(r, m);
		break;
	case SAID_CANCEL:
		cancel(r, m->u.cancel.id - 1);
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
		break;
	case SAID_WARN:
		record_warning(r, m->u.warn.json);
		break;
	case SAID_DONE:
	case SAID_FAIL:
		end(r, m);
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

	v->code = NULL;
	if (r->broken.code != NULL || r->status != CM_OK)
		return; /* nothing more is believed, or could be kept */
	a = gate_check(&r->gate, m, v);
	if (a == GATE_BROKEN)
		r->broken = *v;
	else if (a == GATE_PASS)
		take(r, m);
}

/* -------------------------------------------------------- from the owner */

/* The engine may borrow *out until its next turn is over; *b is empty then. */
static bool
lend(cm_run *r, block *b, text *out)
{
	if (b->ptr == NULL || !mem_grow(r->alloc, (void **)&r->answer,
				  &r->answers_cap, r->answers, sizeof(block))) {
		r->status = CM_ENOMEM;
		return false;
	}
	*out = block_text(*b);
	r->answer[r->answers++] = *b;
	*b = (block){NULL, 0};
	return true;
}

/* The members of the Error, and `tool`: the path of the tool that failed. */
static block
members_of(cm_run *r, const call_record *c, json members)
{
	buf b = BUF_INIT(r->alloc, SIZE_MAX / 2);
	block copy = {NULL, 0};

	if (members.len > 2) {
		buf_text(&b, text_sub(members, 0, members.len - 1));
		buf_byte(&b, ',');
	} else {
		buf_byte(&b, '{');
	}
	buf_str(&b, "\"tool\":");
	json_string(&b, catalog_at(r->catalog, c->tool)->path);
	buf_byte(&b, '}');
	if (b.bad == CM_OK)
		copy = run_copy(r, buf_view(&b));
	buf_fini(&b);
	return copy;
}

void
run_give(cm_run *r, uint32_t call)
{
	call_record *c = &r->call[call];
	held *h = &c->held;
	text value, name, members;
	uint32_t id = call + 1;
	cm_status s;

	if (!h->is)
		return; /* the script gave it up itself */
	h->is = false;
	r->held -= h->value.len;
	if (h->failed
		? !lend(r, &h->name, &name) || !lend(r, &h->members, &members)
		: !lend(r, &h->value, &value))
		return;
	s = h->failed ? r->port->reject(r->engine, id, name,
			    (text){c->error, c->error_len}, members)
		      : r->port->resolve(r->engine, id, value);
	/* An answer that was taken and does not reach the engine is no
	 * harmless loss: the script would wait for it. */
	if (s == CM_ENOMEM)
		r->status = s;
}

/* The call's answer, which the engine gets now or in its turn. */
static cm_status
answer(cm_run *r, uint32_t call, const held *h)
{
	r->call[call].held = *h;
	r->call[call].held.is = true;
	r->held += h->value.len;
	if (!groups_hold(r, call))
		run_give(r, call);
	groups_settled(r, call);
	return r->status;
}

static call_record *
settle(cm_run *r, cm_call_id id, call_status status)
{
	call_record *c;
	sched_todo todo;

	if (id == 0 || r->over)
		return NULL;
	if (status == CALL_CANCELLED)
		todo = sched_cancelled(&r->sched, id - 1, true);
	else
		todo = sched_finished(&r->sched, id - 1, status == CALL_ERROR);
	if (todo.what != SCHED_DELIVER)
		return NULL;
	c = &r->call[id - 1];
	note_end(r, c, status);
	r->turn_due = true;
	return c;
}

static cm_status
reject(cm_run *r, cm_call_id id, call_status status, text name, text message,
    text members)
{
	call_record *c = settle(r, id, status);
	held h = {.failed = true};
	block b;

	if (c == NULL)
		return CM_ENOCALL;
	b = run_copy(r, message);
	c->error = b.ptr;
	c->error_len = b.len;
	h.name = run_copy(r, name);
	h.members = members_of(r, c, members);
	forget_args(r, c); /* last: an owner may answer with the arguments */
	return answer(r, (uint32_t)(id - 1), &h);
}

void
run_lose(cm_run *r, uint32_t call)
{
	reject(r, call + 1, CALL_CANCELLED, TEXT("AbortError"),
	    TEXT("another call won the race"), TEXT_NONE);
}

/* The owner's answer is no answer: the script hears why, and so does he. */
static cm_status
refuse(cm_run *r, cm_call_id id, cm_status why, const char *message)
{
	cm_status s = reject(r, id, CALL_ERROR, TEXT("TypeError"),
	    text_of(message), TEXT("{\"code\":\"InvalidResult\"}"));

	return s == CM_OK ? why : s;
}

/* ------------------------------------------------------ calls' own time */

/* When its time is over; UINT64_MAX: never. */
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
	if (timeout_at(c) < r->next_timeout_ms)
		r->next_timeout_ms = timeout_at(c);
}

static void
time_out(cm_run *r, uint32_t i)
{
	char message[120];

	snprintf(message, sizeof(message),
	    "the call timed out after %llu ms (its timeoutMs)",
	    (unsigned long long)r->call[i].timeout_ms);
	reject(r, i + 1, CALL_CANCELLED, TEXT("TimeoutError"), text_of(message),
	    TEXT("{\"code\":\"CallTimeout\"}"));
}

void
run_time_out_calls(cm_run *r)
{
	uint32_t i;

	if (r->now_ms < r->next_timeout_ms)
		return;
	r->next_timeout_ms = UINT64_MAX;
	for (i = 0; i < r->sched.issued; i++) {
		if (timeout_at(&r->call[i]) <= r->now_ms)
			time_out(r, i);
		else
			run_note_timeout(r, &r->call[i]);
	}
}

/* Answers that wait are kept here, whoever asked for that: not without end. */
static bool
holds_too_much(const cm_run *r, cm_call_id id, size_t more)
{
	return id > 0 && id <= r->sched.issued &&
	       groups_wait(r, (uint32_t)(id - 1)) &&
	       (r->held > r->limits.result ||
		   (r->held > 0 && more > r->limits.result - r->held));
}

cm_status
run_resolve(cm_run *r, cm_call_id id, text given)
{
	char message[200];
	json value = TEXT_NONE;
	json_fault why;
	call_record *c;
	held h = {0};

	if (given.len > r->limits.result) {
		snprintf(message, sizeof(message),
		    "the tool's result has %zu bytes of JSON, the limit is "
		    "%llu: ask the tool for less",
		    given.len, (unsigned long long)r->limits.result);
		return refuse(r, id, CM_ELIMIT, message);
	}
	if (given.len > 0 && !json_check(given, RESULT_DEPTH, &value, &why)) {
		snprintf(message, sizeof(message),
		    "the tool's result is not JSON in UTF-8: at byte %zu, %s",
		    why.at, why.why);
		return refuse(r, id, CM_EINPUT, message);
	}
	if (holds_too_much(r, id, value.len)) {
		snprintf(message, sizeof(message),
		    "the answers that wait for an earlier one are too large "
		    "together: the limit is %llu bytes; await the calls one by "
		    "one, or with Promise.all",
		    (unsigned long long)r->limits.result);
		return refuse(r, id, CM_ELIMIT, message);
	}
	if ((c = settle(r, id, CALL_OK)) == NULL)
		return CM_ENOCALL;
	c->result_bytes = value.len;
	run_note_result(r, c->tool, value);
	h.value = run_copy(r, value);
	forget_args(r, c);
	return answer(r, (uint32_t)(id - 1), &h);
}

cm_status
run_reject(cm_run *r, cm_call_id id, const cm_failure *f)
{
	json members = TEXT_NONE;
	text message = f->message;

	if (utf8_bad(message) != SIZE_MAX)
		message = TEXT("the tool failed with a message that is not "
			       "UTF-8");
	if (utf8_bad(f->name) != SIZE_MAX)
		return refuse(r, id, CM_EINPUT, "the tool failed");
	if (f->members.len > 0 &&
	    (!json_check(f->members, RESULT_DEPTH, &members, NULL) ||
		json_kind_of(members) != JSON_OBJECT))
		members = TEXT_NONE;
	return reject(r, id, CALL_ERROR, f->name, message, members);
}
