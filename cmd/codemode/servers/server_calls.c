/* SPDX-License-Identifier: MIT */
/*
 * server_calls.c -- the calls of one server: to its client, or held until the
 * server is up.
 *
 * A call that was given to the client is never made again, because it may have
 * had effects. One that is held was not sent.
 */
#include "server.h"

#include "common/monotonic.h"

#include "mcp/value.h"

#include <stdlib.h>

/* A call that waits until the server is up. */
typedef struct held_call {
	struct held_call *next;
	uint32_t call;
	uint64_t timeout_ms;
	size_t tool_len;
	size_t args_len;
	char bytes[]; /* tool, then args */
} held_call;

/* -------------------------------------------------------------------- held */

static cm_status
hold_call(server *s, uint32_t call, text tool, json args, uint64_t timeout_ms)
{
	held_call *h = malloc(sizeof(*h) + tool.len + args.len);
	held_call **at = &s->held;

	if (!h)
		return CM_ENOMEM;
	*h = (held_call){.call = call,
	    .timeout_ms = timeout_ms,
	    .tool_len = tool.len,
	    .args_len = args.len};
	memcpy(h->bytes, tool.ptr, tool.len);
	if (args.len > 0)
		memcpy(h->bytes + tool.len, args.ptr, args.len);
	while (*at)
		at = &(*at)->next;
	*at = h;
	return CM_OK;
}

/* The oldest, which is the caller's now. NULL: there is none. */
static held_call *
take_held(server *s)
{
	held_call *h = s->held;

	if (h)
		s->held = h->next;
	return h;
}

static bool
drop_held(server *s, uint32_t call)
{
	held_call **at = &s->held, *found;

	while (*at && (*at)->call != call)
		at = &(*at)->next;
	if ((found = *at) == NULL)
		return false;
	*at = found->next;
	free(found);
	return true;
}

static void
fail_held_call(server *s, uint32_t call, text message)
{
	const servers_hooks *h = &s->all->hooks;
	buf scratch = BUF_INIT(NULL, 4 * SERVER_WHY_MAX);
	mcp_answer a;

	if (value_of_failure(message, -32000, &scratch, &a) != CM_OK)
		a = (mcp_answer){.message = TEXT("out of memory")};
	if (h->answer)
		h->answer(h->ctx, s->index, call, &a);
	buf_fini(&scratch);
}

void
server_fail_held(server *s, const char *why)
{
	buf message = BUF_INIT(NULL, 2 * SERVER_WHY_MAX);
	held_call *h, *all = s->held;

	/* What a hook adds meanwhile is not part of it. */
	s->held = NULL;
	buf_str(&message, why);
	buf_text(&message, buf_view(&s->why));
	while ((h = all) != NULL) {
		all = h->next;
		fail_held_call(s, h->call, buf_view(&message));
		free(h);
	}
	buf_fini(&message);
}

void
server_drop_held(server *s)
{
	held_call *h;

	while ((h = take_held(s)) != NULL)
		free(h);
}

/* ------------------------------------------------------------------- calls */

static cm_status
give_call(server *s, uint32_t call, text tool, json args, uint64_t timeout_ms)
{
	cm_status r;

	mcp_client_tick(s->client, monotonic_ms());
	r = mcp_client_call(s->client, call, tool, args, timeout_ms);
	s->in_flight += r == CM_OK;
	return r;
}

void
server_send_held(server *s)
{
	held_call *h;

	while ((h = take_held(s)) != NULL) {
		text tool = {h->bytes, h->tool_len};
		json args = {h->bytes + h->tool_len, h->args_len};
		cm_status r = give_call(s, h->call, tool, args, h->timeout_ms);

		if (r != CM_OK)
			fail_held_call(s, h->call, text_of(cm_status_text(r)));
		free(h);
	}
}

cm_status
servers_call(servers *all, size_t i, uint32_t call, text tool, json args,
    uint64_t timeout_ms)
{
	server *s = &all->at[i];
	cm_status r;

	must(i < all->count);
	r = server_takes_calls(s) && !s->held
		? give_call(s, call, tool, args, timeout_ms)
		: hold_call(s, call, tool, args, timeout_ms);
	if (r != CM_OK)
		return r;
	server_say(s);
	server_turn_soon(s);
	return CM_OK;
}

void
servers_cancel(servers *all, size_t i, uint32_t call, text reason)
{
	server *s = &all->at[i];

	must(i < all->count);
	if (drop_held(s, call))
		return;
	mcp_client_cancel(s->client, call, reason);
	if (--s->in_flight == 0)
		server_note_idle(s);
	server_say(s);
	server_turn_soon(s);
}
