/* SPDX-License-Identifier: MIT */
/*
 * ping.c -- is a server that is silent during a call still there?
 *
 * In the era of greetings a client may ask. What comes of it changes nothing
 * but the words of a call whose time is over: a server that computes in its
 * loop reads nothing either, and is not to be ended for that.
 */
#include "machine.h"

enum {
	PING_MS = 30 * 1000,   /* of silence, until it is asked */
	ANSWER_MS = 10 * 1000, /* it has to answer */
};

static bool
has_open_calls(const mcp_client *c)
{
	for (size_t i = 0; i < c->waits.len; i++)
		if (c->waits.at[i].kind == WAIT_CALL &&
		    c->waits.at[i].end == WAIT_OPEN)
			return true;
	return false;
}

void
ping_calls_began(mcp_client *c)
{
	if (c->era == ERA_LEGACY && c->ping_at == UINT64_MAX)
		c->ping_at = machine_later(c, PING_MS);
}

void
ping_heard(mcp_client *c)
{
	c->silent = false;
	if (c->ping_at != UINT64_MAX)
		c->ping_at = machine_later(c, PING_MS);
}

void
ping_due(mcp_client *c)
{
	uint64_t id;

	c->ping_at = UINT64_MAX;
	if (!has_open_calls(c))
		return;
	c->ping_at = machine_later(c, PING_MS);
	id = machine_expect(c, WAIT_PING, machine_later(c, ANSWER_MS));
	if (id)
		machine_sent(c, talk_ping(c, id));
}

void
ping_unanswered(mcp_client *c, waiting *entry)
{
	waitlist_drop(&c->waits, entry);
	c->silent = true;
	if (!has_open_calls(c))
		c->ping_at = UINT64_MAX;
}
