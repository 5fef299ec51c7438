/* SPDX-License-Identifier: MIT */
/*
 * rounds.c -- calls that take more than one request; the caller sees one.
 *
 *	input_required  the server asks something first (2026-07-28): the owner
 *	                answers, and the call is sent again with the answers and
 *	                the state that the server gave
 *	task            the server answers by a task, which is asked for until it
 *	                is over: of itself (the tasks extension), or because the
 *	                tool wants to be called so (2025-11-25)
 *	-32020          the headers of the call do not fit the server's list of
 *	                tools: the list is read again, then the call is sent again
 *
 * In each state one request is under way, or none (asleep) and something wakes
 * the call: its time to poll, the last answer of the owner, the list.
 */
#include "machine.h"

enum {
	ROUNDS_MAX = 16, /* that a call is sent again */
	POLL_MS = 1000,  /* for a task that names no interval */
	POLL_MIN_MS = 20,
	POLL_MAX_MS = 30000
};

/* ------------------------------------------------------------ sending */

/* Is all that the call keeps whole? */
static bool
is_whole(const wait_more *more)
{
	return more->params.bad == CM_OK && more->responses.bad == CM_OK &&
	       more->state.bad == CM_OK && more->task.bad == CM_OK;
}

static cm_status
send_step(mcp_client *c, const waiting *entry)
{
	switch (entry->step) {
	case STEP_TASK_GET:
		return talk_task(c, entry->id, "tasks/get", entry->more);
	case STEP_TASK_RESULT:
		return talk_task(c, entry->id, "tasks/result", entry->more);
	case STEP_CALL:
		break;
	}
	return talk_call_again(c, entry);
}

static void
send_again(mcp_client *c, waiting *entry)
{
	cm_status r = CM_ENOMEM;

	entry = waitlist_renew(&c->waits, entry);
	if (entry->step == STEP_CALL)
		entry->token = entry->id;
	if (is_whole(entry->more))
		r = send_step(c, entry);
	if (r != CM_OK)
		waitlist_end(&c->waits, entry, WAIT_FULL);
}

void
rounds_wake(mcp_client *c, waiting *entry)
{
	send_again(c, entry);
}

/* A request about the task of a call, of which only the reply counts. */
static void
tell_task(mcp_client *c, waiting *entry, const char *method)
{
	wait_more *more = entry->more;
	uint64_t id = machine_expect_nothing(c);

	if (id)
		machine_sent(c, talk_task(c, id, method, more));
}

void
rounds_cancel(mcp_client *c, waiting *entry)
{
	buf_clear(&entry->more->responses);
	tell_task(c, entry, "tasks/cancel");
}

void
rounds_answered(mcp_client *c, waiting *entry)
{
	uint32_t call = entry->call;

	if (entry->step == STEP_CALL) {
		send_again(c, entry);
		return;
	}
	tell_task(c, entry, "tasks/update");
	entry = waitlist_by_call(&c->waits, call);
	buf_clear(&entry->more->responses);
}

void
rounds_listed(mcp_client *c)
{
	size_t i = 0;

	while (i < c->waits.len) {
		waiting *entry = &c->waits.at[i];

		if (entry->after_list && entry->end == WAIT_OPEN)
			send_again(c, entry); /* moves it to the end */
		else
			i++;
	}
}

/* -------------------------------------------------- what the server asks */

/* Notes one question; false: the call ended. */
static bool
take_input(mcp_client *c, waiting *entry, json key, json request)
{
	json method = json_get(request, TEXT("method"));
	json params = json_get(request, TEXT("params"));

	if (!asked_offered(c, method, params)) {
		call_refuse(c, entry,
		    "The tool asks for %.*s, which is not offered to it here",
		    TEXT_ARG(text_sub(method, 0, 100)));
		return false;
	}
	if (!asked_add(c, entry->call, true, key, method, params)) {
		call_refuse(c, entry, "The tool asks for too much at once");
		return false;
	}
	entry->more->open++;
	return true;
}

/* True the first time that a task asks by this key. */
static bool
is_new_key(wait_more *more, json key)
{
	text seen = buf_view(&more->seen), line;

	while (text_line(&seen, &line))
		if (text_eq(line, key))
			return false;
	buf_text(&more->seen, key);
	buf_byte(&more->seen, '\n');
	return true;
}

/* False: the call ended. */
static bool
take_inputs(mcp_client *c, waiting *entry, json requests)
{
	bool of_task = entry->step != STEP_CALL;
	json_iter it = json_each(requests);
	json key, request;

	while (json_next(&it, &key, &request)) {
		if (of_task && !is_new_key(entry->more, key))
			continue;
		if (!take_input(c, entry, key, request))
			return false;
	}
	return true;
}

static void
require_input(mcp_client *c, waiting *entry, json result)
{
	json state = json_get(result, TEXT("requestState"));
	wait_more *more = entry->more;

	if (more->rounds++ == ROUNDS_MAX) {
		call_refuse(c, entry,
		    "The tool asked for more input %d times, without an end",
		    ROUNDS_MAX);
		return;
	}
	buf_clear(&more->responses);
	buf_clear(&more->state);
	if (json_kind_of(state) == JSON_STRING)
		buf_text(&more->state, state);
	waitlist_wake(&c->waits, entry, UINT64_MAX);
	if (!take_inputs(c, entry, json_get(result, TEXT("inputRequests"))))
		return;
	if (more->open == 0)
		send_again(c, entry);
}

/* ---------------------------------------------------------------- tasks */

static void
sleep_until_poll(mcp_client *c, waiting *entry, json task)
{
	json interval = json_get(task, TEXT("pollIntervalMs"));
	int64_t ms = POLL_MS;

	if (!json_int(interval, &ms))
		json_int(json_get(task, TEXT("pollInterval")), &ms);
	if (ms < POLL_MIN_MS)
		ms = POLL_MIN_MS;
	if (ms > POLL_MAX_MS)
		ms = POLL_MAX_MS;
	waitlist_wake(&c->waits, entry, machine_later(c, (uint64_t)ms));
}

static void
begin_task(mcp_client *c, waiting *entry, json task)
{
	json id = json_get(task, TEXT("taskId"));
	wait_more *more = waitlist_more(&c->waits, entry);

	if (!more || json_kind_of(id) != JSON_STRING) {
		call_refuse(c, entry,
		    "The server's reply is broken: it "
		    "promises a task without an id");
		return;
	}
	buf_text(&more->task, id);
	buf_clear(&more->responses);
	buf_clear(&more->state);
	entry->step = STEP_TASK_GET;
	sleep_until_poll(c, entry, task);
}

static bool
is_status(json task, const char *word)
{
	return json_is(json_get(task, TEXT("status")), text_of(word));
}

/* The task of the tasks extension is over; its outcome stands in it. */
static void
end_modern_task(
    mcp_client *c, waiting *entry, const incoming *m, mcp_event *out)
{
	json task = m->rpc.result;
	json error = json_get(task, TEXT("error"));
	json result = json_get(task, TEXT("result"));

	if (is_status(task, "completed") && result.len)
		call_settle(c, entry, result, TEXT_NONE, m->bytes, out);
	else
		call_settle(c, entry, TEXT_NONE, error, m->bytes, out);
}

static bool
task_over(json task)
{
	return is_status(task, "completed") || is_status(task, "failed") ||
	       is_status(task, "cancelled");
}

/* The server says how the task is; true: *out is an event. */
static bool
task_state(mcp_client *c, waiting *entry, const incoming *m, mcp_event *out)
{
	json task = m->rpc.result;
	json words = json_get(task, TEXT("statusMessage"));
	bool input = is_status(task, "input_required");

	if (is_status(task, "cancelled") && c->era == ERA_MODERN) {
		call_refuse(c, entry, "The server cancelled the call: %.*s",
		    TEXT_ARG(text_sub(words, 0, 300)));
		return false;
	}
	if (task_over(task) && c->era == ERA_MODERN) {
		end_modern_task(c, entry, m, out);
		return true;
	}
	if (task_over(task) || (input && c->era == ERA_LEGACY)) {
		entry->step = STEP_TASK_RESULT;
		send_again(c, entry);
		return false;
	}
	if (input &&
	    !take_inputs(c, entry, json_get(task, TEXT("inputRequests")))) {
		rounds_cancel(c, entry);
		return false;
	}
	sleep_until_poll(c, entry, task);
	entry->more->rounds++;
	if (json_kind_of(words) == JSON_STRING)
		return call_tell(c, entry, entry->more->rounds, 0, words, out);
	call_extend(c, entry);
	return false;
}

/* --------------------------------------------------------- which step it is */

/* The headers of a call that a stale list led to. */
static bool
is_header_mismatch(const mcp_client *c, const waiting *entry, json error)
{
	int64_t code = 0;

	return c->over_http && entry->more && entry->more->rounds == 0 &&
	       json_int(json_get(error, TEXT("code")), &code) && code == -32020;
}

static bool
step_of_modern(mcp_client *c, waiting *entry, const incoming *m)
{
	json type = json_get(m->rpc.result, TEXT("resultType"));

	if (is_header_mismatch(c, entry, m->rpc.error)) {
		entry->more->rounds++;
		entry->after_list = true;
		waitlist_wake(&c->waits, entry, UINT64_MAX);
		if (!waitlist_by_kind(&c->waits, WAIT_LIST) && !c->list_ready)
			list_begin(c);
		return true;
	}
	if (!json_present(type) || json_is(type, TEXT("complete")))
		return false;
	if (json_is(type, TEXT("input_required")))
		require_input(c, entry, m->rpc.result);
	else if (json_is(type, TEXT("task")) && !entry->reads)
		begin_task(c, entry, m->rpc.result);
	else
		call_refuse(c, entry,
		    "The server's reply is broken: its resultType %.*s is not "
		    "known here",
		    TEXT_ARG(text_sub(type, 0, 100)));
	return true;
}

bool
rounds_step(mcp_client *c, waiting *entry, const incoming *m, mcp_event *out,
    bool *answered)
{
	json task;

	*answered = false;
	if (entry->step == STEP_TASK_GET && m->rpc.result.len) {
		*answered = task_state(c, entry, m, out);
		return true;
	}
	if (entry->step != STEP_CALL)
		return false;
	if (c->era == ERA_MODERN)
		return step_of_modern(c, entry, m);
	task =
	    entry->as_task ? json_get(m->rpc.result, TEXT("task")) : TEXT_NONE;
	if (json_kind_of(task) != JSON_OBJECT)
		return false;
	begin_task(c, entry, task);
	return true;
}
