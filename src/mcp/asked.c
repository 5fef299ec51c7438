/* SPDX-License-Identifier: MIT */
/*
 * asked.c -- requests of the server that the owner answers.
 *
 * In the legacy era they are requests of JSON-RPC, in the modern one entries of
 * inputRequests in a result (rounds.c); the owner sees no difference. Only what
 * the owner offered is handed on.
 */
#include "machine.h"

enum {
	ASKED_MAX = 100,       /* open at once, of one server */
	ASKED_BYTES = 16 << 20 /* of each text */
};

unsigned
mcp_offer_of(text method, json params)
{
	if (text_eq(method, TEXT("sampling/createMessage")))
		return MCP_OFFERS_SAMPLING;
	if (text_eq(method, TEXT("roots/list")))
		return MCP_OFFERS_ROOTS;
	if (!text_eq(method, TEXT("elicitation/create")))
		return 0;
	return json_is(json_get(params, TEXT("mode")), TEXT("url"))
		   ? MCP_OFFERS_ELICIT_URL
		   : MCP_OFFERS_ELICITATION;
}

bool
asked_offered(const mcp_client *c, json method, json params)
{
	text name = text_sub(method, 1, method.len - 1);

	return method.len > 1 && (mcp_offer_of(name, params) & c->offers) != 0;
}

static void
drop_asked(mcp_client *c, asked *a)
{
	buf_fini(&a->id);
	buf_fini(&a->method);
	buf_fini(&a->params);
	c->asked_len--;
	memmove(a, a + 1, (c->asked_len - (size_t)(a - c->asked)) * sizeof(*a));
}

bool
asked_add(
    mcp_client *c, uint32_t call, bool round, json id, json method, json params)
{
	const buf empty = BUF_INIT(c->alloc, ASKED_BYTES);
	asked *a;

	if (c->asked_len == ASKED_MAX ||
	    !mem_grow(c->alloc, (void **)&c->asked, &c->asked_cap, c->asked_len,
		sizeof(*c->asked)))
		return false;
	a = &c->asked[c->asked_len++];
	*a = (asked){++c->last_asked, call, false, round, empty, empty, empty};
	buf_text(&a->id, id);
	buf_text(&a->method, text_sub(method, 1, method.len - 1));
	buf_text(&a->params, params);
	if (a->id.bad == CM_OK && a->method.bad == CM_OK &&
	    a->params.bad == CM_OK)
		return true;
	drop_asked(c, a);
	return false;
}

bool
asked_take(mcp_client *c, mcp_event *out)
{
	size_t i;

	for (i = 0; i < c->asked_len; i++) {
		asked *a = &c->asked[i];

		if (a->told)
			continue;
		a->told = true;
		*out = (mcp_event){.kind = MCP_ASKED,
		    .asked = a->number,
		    .call = a->call,
		    .method = buf_view(&a->method),
		    .params = buf_view(&a->params)};
		return true;
	}
	return false;
}

bool
asked_open(const mcp_client *c, uint32_t call)
{
	size_t i;

	for (i = 0; i < c->asked_len; i++) {
		if (c->asked[i].call == call || c->asked[i].call == MCP_NO_CALL)
			return true;
	}
	return false;
}

/* ------------------------------------------------------------- the ends */

static const text call_is_over = TEXT_INIT(
    "{\"code\":-32000,\"message\":\"The call that it was for is over\"}");

void
asked_drop_call(mcp_client *c, uint32_t call)
{
	size_t i = 0;

	while (i < c->asked_len) {
		asked *a = &c->asked[i];

		if (a->call != call) {
			i++;
			continue;
		}
		if (!a->round && c->phase == PHASE_UP)
			machine_sent(c, talk_answer(c, buf_view(&a->id),
					    TEXT_NONE, call_is_over));
		drop_asked(c, a);
	}
}

void
asked_drop_id(mcp_client *c, json id)
{
	size_t i;

	for (i = 0; i < c->asked_len; i++) {
		asked *a = &c->asked[i];

		if (a->round || !text_eq(buf_view(&a->id), id))
			continue;
		drop_asked(c, a);
		return;
	}
}

void
asked_drop_all(mcp_client *c)
{
	while (c->asked_len)
		drop_asked(c, &c->asked[c->asked_len - 1]);
	mem_free(c->alloc, c->asked, c->asked_cap * sizeof(*c->asked));
	c->asked = NULL;
	c->asked_cap = 0;
}

/* The answer to a question that a result asked. */
static void
answer_round(mcp_client *c, asked *a, json result, json error)
{
	waiting *entry = waitlist_by_call(&c->waits, a->call);
	wait_more *more = entry ? entry->more : NULL;

	if (!more || entry->end != WAIT_OPEN)
		return;
	if (error.len) {
		call_refuse(c, entry,
		    "The tool asks for %.*s, which failed: %.*s",
		    TEXT_ARG(buf_view(&a->method)),
		    TEXT_ARG(text_sub(error, 0, 300)));
		return;
	}
	json_element(&more->responses);
	buf_text(&more->responses, buf_view(&a->id));
	buf_byte(&more->responses, ':');
	buf_text(&more->responses, result);
	more->open--;
	call_extend(c, entry);
	if (more->open == 0)
		rounds_answered(c, entry);
}

void
mcp_client_answer(mcp_client *c, uint64_t number, json result, json error)
{
	asked *a = c->asked;
	size_t i;

	for (i = 0; i < c->asked_len && c->asked[i].number != number; i++)
		;
	if (i == c->asked_len)
		return;
	a = &c->asked[i];
	if (a->round)
		answer_round(c, a, result, error);
	else
		machine_sent(
		    c, talk_answer(c, buf_view(&a->id), result, error));
	drop_asked(c, &c->asked[i]);
}
