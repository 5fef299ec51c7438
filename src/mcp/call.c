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
 */
#include "machine.h"
#include "value.h"

#include <inttypes.h>

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

static uint64_t
later(uint64_t now_ms, uint64_t ms)
{
	return ms > UINT64_MAX - now_ms ? UINT64_MAX : now_ms + ms;
}

cm_status
mcp_client_call(
    mcp_client *c, uint32_t call, text tool, json args, uint64_t timeout_ms)
{
	waiting w = {.kind = WAIT_CALL, .call = call};
	waiting *entry;

	if (waitlist_by_call(&c->waits, call))
		return CM_EMISUSE;
	w.end = obstacle(c, args);
	w.tool = tools_find(&c->tools, tool);
	w.timeout_ms = timeout_ms ? timeout_ms : c->call_ms;
	w.deadline = later(c->now_ms, w.timeout_ms);
	entry = waitlist_add(&c->waits, &w);
	if (!entry)
		return CM_ENOMEM;
	if (w.end == WAIT_OPEN && talk_call(c, entry->id, tool, args) != CM_OK)
		waitlist_end(&c->waits, entry, WAIT_FULL);
	return CM_OK;
}

/* --------------------------------------------------------------- endings */

static void
tell_cancelled(mcp_client *c, const waiting *entry, text reason)
{
	if (c->phase != PHASE_UP)
		return;
	if (talk_cancelled(c, entry->id, reason) != CM_OK)
		c->counts.unsent++;
}

void
mcp_client_cancel(mcp_client *c, uint32_t call, text reason)
{
	waiting *entry = waitlist_by_call(&c->waits, call);

	if (!entry)
		return;
	if (entry->end == WAIT_OPEN)
		tell_cancelled(c, entry, reason);
	waitlist_drop(&c->waits, entry);
}

void
call_expire(mcp_client *c)
{
	waiting *entry;

	while ((entry = waitlist_due(&c->waits, c->now_ms)) != NULL) {
		tell_cancelled(c, entry, TEXT("timeout"));
		waitlist_end(&c->waits, entry, WAIT_TIMEOUT);
	}
}

void
call_end_all(mcp_client *c, wait_end end)
{
	size_t i = 0;

	while (i < c->waits.len) {
		waiting *entry = &c->waits.at[i];

		if (entry->kind != WAIT_CALL) {
			waitlist_drop(&c->waits, entry);
			continue;
		}
		if (entry->end == WAIT_OPEN)
			waitlist_end(&c->waits, entry, end);
		i++;
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
    [WAIT_BROKEN] = {-32000, "The server's reply is broken: it is not JSON"},
};

static void
say_why(mcp_client *c, const waiting *entry)
{
	buf_clear(&c->words);
	buf_str(&c->words, endings[entry->end].words);
	if (entry->end == WAIT_TIMEOUT)
		buf_printf(&c->words, "%" PRIu64 " ms", entry->timeout_ms);
	else if (entry->end == WAIT_CLOSED)
		buf_text(&c->words, buf_view(&c->why));
	else if (entry->end == WAIT_TOO_LONG)
		buf_printf(&c->words, "%zu MiB", c->frame.max >> 20);
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
	waiting w;

	if (!entry)
		return false;
	w = *entry;
	waitlist_drop(&c->waits, entry);
	*out = (mcp_event){.kind = MCP_ANSWER, .call = w.call};
	say_why(c, &w);
	fail_with(c, buf_view(&c->words), endings[w.end].code, out);
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
	bool plain = !known || c->tools.tool[tool].output_schema.len == 0;
	value_verdict v;

	if (value_of_result(result, plain, &c->scratch, &v) != CM_OK) {
		out->answer = no_memory();
		return;
	}
	out->answer = v.answer;
	if (!v.odd || !known || c->tools.block[tool].odd)
		return;
	c->tools.block[tool].odd = true;
	machine_warn(c, "tool %.*s: %s",
	    TEXT_ARG(text_sub(c->tools.tool[tool].name, 0, 100)), v.odd);
}

void
call_reply(mcp_client *c, waiting *entry, const incoming *m, mcp_event *out)
{
	uint32_t tool = entry->tool;

	*out = (mcp_event){.kind = MCP_ANSWER, .call = entry->call};
	waitlist_drop(&c->waits, entry);
	if (m->spoilt || m->rpc.broken)
		fail_broken(c, m->spoilt ? m->spoilt : m->rpc.broken, out);
	else if (m->rpc.result.len)
		answer_result(c, tool, m->rpc.result, out);
	else if (value_of_error(m->rpc.error, &c->scratch, &out->answer) !=
		 CM_OK)
		out->answer = no_memory();
	out->answer.bytes = m->bytes;
}
