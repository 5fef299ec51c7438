/* SPDX-License-Identifier: MIT */
/*
 * call.c -- calls, and how they end.
 *
 *	     +-- reply ---------------------------> answer of the tool
 *	open +-- timeout, closed, refused at once -> answer in our words
 *	     +-- cancelled -----------------------> nothing
 *
 * Each ends once: its entry leaves the list in the same step in which its
 * answer is handed out, and a reply that comes later finds no entry. A call
 * that cannot even be sent enters the list as over, so that its answer takes
 * the same way as all others.
 *
 * A call has its time limit anew with each progress that its server tells, and
 * while the owner answers a question of the server, up to a last deadline.
 */
#include "machine.h"
#include "value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum {
	CALL_STRETCH =
	    4,          /* times its limit is how long progress keeps a call */
	TELL_MS = 100,  /* from one MCP_PROGRESS of a call to the next */
	WORDS_LEN = 600 /* of an error in our words */
};

/* ------------------------------------------------------------ beginning */

/* What stands in the way of a call; WAIT_OPEN: nothing. */
static wait_end
obstacle(const mcp_client *c, json args)
{
	if (c->phase == PHASE_CLOSED)
		return WAIT_CLOSED;
	if (c->phase != PHASE_UP)
		return WAIT_UNBORN;
	if (args.len && json_kind_of(args) != JSON_OBJECT)
		return WAIT_ARGS;
	return WAIT_OPEN;
}

/* How long a call with this limit may last at most. */
static uint64_t
longest(const mcp_client *c, uint64_t timeout_ms)
{
	uint64_t most = c->call_max_ms;

	if (most == 0)
		most = timeout_ms > UINT64_MAX / CALL_STRETCH
			   ? UINT64_MAX
			   : CALL_STRETCH * timeout_ms;
	return most > timeout_ms ? most : timeout_ms;
}

/* Enters w with its times; NULL: *r says why not. */
static waiting *
enter_call(mcp_client *c, waiting *w, uint64_t timeout_ms, cm_status *r)
{
	waiting *entry;

	*r = CM_EMISUSE;
	if (waitlist_by_call(&c->waits, w->call))
		return NULL;
	w->kind = WAIT_CALL;
	w->timeout_ms = timeout_ms ? timeout_ms : c->call_ms;
	w->begun = c->now_ms;
	w->deadline = machine_later(c, w->timeout_ms);
	w->last_deadline = machine_later(c, longest(c, w->timeout_ms));
	entry = waitlist_add(&c->waits, w);
	*r = entry ? CM_OK : CM_ENOMEM;
	return entry;
}

/* What the server may ask to be sent again is kept. */
static cm_status
keep_params(mcp_client *c, waiting *entry, text tool, json args, text uri)
{
	wait_more *more = waitlist_more(&c->waits, entry);

	if (!more)
		return CM_ENOMEM;
	if (entry->reads)
		json_member_text(&more->params, "uri", uri);
	else
		talk_tool_params(&more->params, tool, args);
	return more->params.bad;
}

static cm_status
send_mcp_call(mcp_client *c, waiting *entry, text tool, json args, text uri)
{
	uint64_t task_ms = 0;
	cm_status r = CM_OK;

	if (c->era == ERA_MODERN) {
		r = args.len > MCP_OUT_MAX
			? CM_ELIMIT
			: keep_params(c, entry, tool, args, uri);
		return r == CM_OK ? talk_call_again(c, entry) : r;
	}
	if (entry->reads)
		return talk_read(c, entry, uri);
	entry->as_task = c->caps.tasks && entry->tool != MAP_NONE &&
			 c->tools.block[entry->tool].needs_task;
	if (entry->as_task)
		task_ms = entry->last_deadline == UINT64_MAX
			      ? UINT64_MAX
			      : entry->last_deadline - c->now_ms;
	return talk_call(c, entry, tool, args, task_ms);
}

/* Sends what w stands for, or lets it fail at once. */
static cm_status
begin_mcp_call(mcp_client *c, waiting *w, text tool, json args, text uri,
    uint64_t timeout_ms)
{
	cm_status r;
	waiting *entry = enter_call(c, w, timeout_ms, &r);

	if (entry && w->end == WAIT_OPEN &&
	    send_mcp_call(c, entry, tool, args, uri) != CM_OK)
		waitlist_end(&c->waits, entry, WAIT_FULL);
	ping_calls_began(c);
	return r;
}

cm_status
mcp_client_read(mcp_client *c, uint32_t call, text uri, uint64_t timeout_ms)
{
	waiting w = {.call = call,
	    .end = obstacle(c, TEXT_NONE),
	    .tool = MAP_NONE,
	    .reads = true};

	return begin_mcp_call(c, &w, TEXT_NONE, TEXT_NONE, uri, timeout_ms);
}

/* By the tool of ours that stands in the server's list. */
static cm_status
read_by_tool(mcp_client *c, uint32_t call, json args, uint64_t timeout_ms)
{
	waiting w = {.call = call, .tool = MAP_NONE, .reads = true};
	buf uri = BUF_INIT(c->alloc, MCP_OUT_MAX);
	cm_status r;
	waiting *entry;

	if (json_unescape(json_get(args, TEXT("uri")), &uri)) {
		r = uri.bad;
		if (r == CM_OK)
			r = mcp_client_read(
			    c, call, buf_view(&uri), timeout_ms);
	} else {
		entry = enter_call(c, &w, timeout_ms, &r);
		if (entry)
			call_refuse(c, entry, "readResource takes { uri }");
	}
	buf_fini(&uri);
	return r;
}

cm_status
mcp_client_call(
    mcp_client *c, uint32_t call, text tool, json args, uint64_t timeout_ms)
{
	waiting w = {.call = call,
	    .end = obstacle(c, args),
	    .tool = tools_find(&c->tools, tool)};

	if (w.end == WAIT_OPEN && w.tool != MAP_NONE &&
	    c->tools.block[w.tool].reads)
		return read_by_tool(c, call, args, timeout_ms);
	return begin_mcp_call(c, &w, tool, args, TEXT_NONE, timeout_ms);
}

/* ------------------------------------------------------------ more time */

void
call_extend(mcp_client *c, waiting *entry)
{
	uint64_t deadline = machine_later(c, entry->timeout_ms);

	if (deadline > entry->last_deadline)
		deadline = entry->last_deadline;
	if (deadline > entry->deadline)
		entry->deadline = deadline;
}

/* A number that may be missing. */
static double
number_or_0(json v)
{
	double d = 0;

	return json_double(v, &d) ? d : 0;
}

bool
call_tell(mcp_client *c, waiting *entry, double progress, double total,
    json message, mcp_event *out)
{
	bool first = !entry->progress;

	entry->progress = true;
	entry->done = progress;
	entry->total = total;
	call_extend(c, entry);
	if (!first && c->now_ms - entry->told_at < TELL_MS)
		return false;
	entry->told_at = c->now_ms;
	buf_clear(&c->words);
	json_unescape(message, &c->words);
	*out = (mcp_event){.kind = MCP_PROGRESS,
	    .call = entry->call,
	    .progress = progress,
	    .total = total,
	    .message = buf_view(&c->words)};
	return true;
}

bool
call_progress(mcp_client *c, json params, mcp_event *out)
{
	json token = json_get(params, TEXT("progressToken"));
	uint64_t id = rpc_number(token);
	waiting *entry = id ? waitlist_by_token(&c->waits, id) : NULL;

	if (!entry || entry->kind != WAIT_CALL || entry->end != WAIT_OPEN)
		return false;
	return call_tell(c, entry,
	    number_or_0(json_get(params, TEXT("progress"))),
	    number_or_0(json_get(params, TEXT("total"))),
	    json_get(params, TEXT("message")), out);
}

/* --------------------------------------------------------------- endings */

static void
drop_waiting_call(mcp_client *c, waiting *entry)
{
	asked_drop_call(c, entry->call);
	waitlist_drop(&c->waits, entry);
}

static void
tell_cancelled(mcp_client *c, waiting *entry, text reason)
{
	if (c->phase != PHASE_UP)
		return;
	if (entry->more && entry->more->task.len)
		rounds_cancel(c, entry);
	else if (!entry->asleep)
		machine_sent(c, talk_cancelled(c, entry->id, reason));
}

void
mcp_client_cancel(mcp_client *c, uint32_t call, text reason)
{
	waiting *entry = waitlist_by_call(&c->waits, call);

	if (!entry)
		return;
	if (entry->end == WAIT_OPEN) {
		tell_cancelled(c, entry, reason);
		entry = waitlist_by_call(&c->waits, call);
	}
	drop_waiting_call(c, entry);
}

void
call_due(mcp_client *c, waiting *entry)
{
	uint32_t call = entry->call;

	if (c->now_ms < entry->deadline) {
		rounds_wake(c, entry);
		return;
	}
	if (asked_open(c, call) && c->now_ms < entry->last_deadline) {
		call_extend(c, entry);
		return;
	}
	tell_cancelled(c, entry, TEXT("timeout"));
	waitlist_end(
	    &c->waits, waitlist_by_call(&c->waits, call), WAIT_TIMEOUT);
}

void
call_refuse(mcp_client *c, waiting *entry, const char *format, ...)
{
	wait_more *more = waitlist_more(&c->waits, entry);
	char line[WORDS_LEN];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (more)
		buf_utf8(&more->words, text_of(line), WORDS_LEN);
	waitlist_end(&c->waits, entry, WAIT_REFUSED);
}

void
call_end_all(mcp_client *c, wait_end end)
{
	size_t i = 0;

	while (i < c->waits.len) {
		waiting *entry = &c->waits.at[i];

		if (entry->kind == WAIT_CALL && entry->end == WAIT_OPEN)
			waitlist_end(&c->waits, entry, end);
		if (entry->kind == WAIT_CALL || c->phase != PHASE_CLOSED)
			i++;
		else
			waitlist_drop(&c->waits, entry);
	}
}

/* --------------------------------------------------------------- answers */

/* Codes as the protocol's own libraries give them for these. */
static const struct {
	int code;
	const char *words;
} endings[] = {
    [WAIT_TIMEOUT] = {-32001, "The tool did not answer within "},
    [WAIT_ARGS] = {-32602, "A tool of an MCP server takes one object as its "
			   "argument"},
    [WAIT_FULL] = {-32000, "The server does not read what it is sent; too "
			   "much waits for it already"},
    [WAIT_UNBORN] = {-32000, "The server is not up yet"},
    [WAIT_CLOSED] = {-32000, "The server is gone: "},
    [WAIT_TOO_LONG] = {-32000, "The tool's answer is larger than "},
    [WAIT_REFUSED] = {-32000, ""},
};

/* After how long, and what the server was doing until then. */
static void
say_timeout(mcp_client *c, const waiting *entry)
{
	uint64_t ms = entry->timeout_ms;

	if (entry->deadline > entry->begun + ms)
		ms = entry->deadline - entry->begun;
	buf_printf(&c->words, "%" PRIu64 " ms", ms);
	if (entry->progress)
		buf_printf(&c->words, "; its progress was %.15g", entry->done);
	if (entry->progress && entry->total > 0)
		buf_printf(&c->words, " of %.15g", entry->total);
	if (asked_open(c, entry->call))
		buf_str(&c->words, "; a question of its server is open");
	if (c->silent)
		buf_str(
		    &c->words, "; its server does not answer a ping either");
}

static void
say_why(mcp_client *c, const waiting *entry)
{
	buf_clear(&c->words);
	buf_str(&c->words, endings[entry->end].words);
	if (entry->end == WAIT_TIMEOUT)
		say_timeout(c, entry);
	else if (entry->end == WAIT_CLOSED)
		buf_text(&c->words, buf_view(&c->why));
	else if (entry->end == WAIT_TOO_LONG)
		buf_printf(&c->words, "%zu MiB", c->frame.max >> 20);
	else if (entry->end == WAIT_REFUSED && entry->more)
		buf_text(&c->words, buf_view(&entry->more->words));
}

/* An answer that needs no memory. */
static mcp_answer
no_memory(void)
{
	return (mcp_answer){.message = TEXT("out of memory")};
}

static void
fail_with(mcp_client *c, text words, int code, mcp_event *out)
{
	if (words.len == 0 ||
	    value_of_failure(words, code, &c->scratch, &out->answer) != CM_OK)
		out->answer = no_memory();
}

bool
call_next_over(mcp_client *c, mcp_event *out)
{
	waiting *entry = waitlist_over(&c->waits);
	wait_end end;

	if (!entry)
		return false;
	end = entry->end;
	*out = (mcp_event){.kind = MCP_ANSWER, .call = entry->call};
	say_why(c, entry);
	drop_waiting_call(c, entry);
	fail_with(c, buf_view(&c->words), endings[end].code, out);
	return true;
}

static void
fail_broken(mcp_client *c, const char *why, mcp_event *out)
{
	buf_clear(&c->words);
	buf_printf(&c->words, "The server's reply is broken: %s", why);
	fail_with(c, buf_view(&c->words), -32000, out);
}

static void
answer_result(mcp_client *c, uint32_t tool, json result, mcp_event *out)
{
	bool known = tool != MAP_NONE;
	bool declared = known && c->tools.tool[tool].output_schema.len > 0;
	value_verdict v;

	if (value_of_result(result, declared, &c->scratch, &v) != CM_OK) {
		out->answer = no_memory();
		return;
	}
	out->answer = v.answer;
	out->answer.result = result;
	if (!v.odd || !known || c->tools.block[tool].odd)
		return;
	c->tools.block[tool].odd = true;
	machine_warn(c, "tool %.*s: %s",
	    TEXT_ARG(text_sub(c->tools.tool[tool].name, 0, 100)), v.odd);
}

void
call_settle(mcp_client *c, waiting *entry, json result, json error,
    size_t bytes, mcp_event *out)
{
	uint32_t tool = entry->tool;
	bool reads = entry->reads;

	*out = (mcp_event){.kind = MCP_ANSWER, .call = entry->call};
	drop_waiting_call(c, entry);
	if (result.len && !reads)
		answer_result(c, tool, result, out);
	else if ((result.len
			 ? value_of_contents(result, &c->scratch, &out->answer)
			 : value_of_error(error, &c->scratch, &out->answer)) !=
		 CM_OK)
		out->answer = no_memory();
	out->answer.bytes = bytes;
}

bool
call_reply(mcp_client *c, waiting *entry, const incoming *m, mcp_event *out)
{
	bool answered;

	if (m->spoilt || m->rpc.broken) {
		*out = (mcp_event){.kind = MCP_ANSWER, .call = entry->call};
		drop_waiting_call(c, entry);
		fail_broken(c, m->spoilt ? m->spoilt : m->rpc.broken, out);
		out->answer.bytes = m->bytes;
		return true;
	}
	if (rounds_step(c, entry, m, out, &answered))
		return answered;
	call_settle(c, entry, m->rpc.result, m->rpc.error, m->bytes, out);
	return true;
}
