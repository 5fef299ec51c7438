/* SPDX-License-Identifier: MIT */
/*
 * handshake.c -- from the first byte until the tools are known.
 *
 *	initialize -> initialized, tools/list -> tools/list ... -> MCP_UP
 *
 * We offer our newest revision and take whichever known one the server names;
 * for tools and calls they are all alike. Nothing is offered to the server in
 * return, since a capability is a promise to answer. A list whose later pages
 * fail is used as far as it came.
 */
#include "machine.h"
#include "value.h"

#include <inttypes.h>

static const text revisions[] = {
    {"2025-11-25", 10},
    {"2025-06-18", 10},
    {"2025-03-26", 10},
    {"2024-11-05", 10},
    {"2024-10-07", 10},
};

/* Enters the request that follows; 0: no memory for it. */
static uint64_t
expect(mcp_client *c, wait_kind kind)
{
	const waiting w = {
	    .kind = kind, .tool = MAP_NONE, .deadline = UINT64_MAX};
	waiting *entry = waitlist_add(&c->waits, &w);

	return entry ? entry->id : 0;
}

void
handshake_begin(mcp_client *c)
{
	uint64_t id = expect(c, WAIT_GREETING);

	if (id == 0 || talk_initialize(c, id) != CM_OK)
		machine_down(c, "out of memory");
}

static void
ask_for_page(mcp_client *c, json cursor)
{
	uint64_t id = expect(c, WAIT_LIST);

	if (id == 0 || talk_list(c, id, cursor) != CM_OK)
		machine_down(c, "out of memory");
}

/* Why the reply to our request is of no use, as a text in c->scratch. */
static text
complaint(mcp_client *c, const incoming *m)
{
	mcp_answer a;

	if (m->rpc.broken)
		return text_of(m->rpc.broken);
	if (value_of_error(m->rpc.error, &c->scratch, &a) != CM_OK)
		return TEXT("out of memory");
	return a.message;
}

/* --------------------------------------------------------- the greeting */

static bool
is_known(json revision)
{
	size_t i;

	for (i = 0; i < sizeof(revisions) / sizeof(revisions[0]); i++) {
		if (json_is(revision, revisions[i]))
			return true;
	}
	return false;
}

static void
refuse_revision(mcp_client *c, json revision)
{
	if (json_kind_of(revision) != JSON_STRING)
		machine_down(c, "its answer to initialize names no protocol "
				"version");
	else
		machine_down(c,
		    "it speaks MCP revision %.*s, which is not known here "
		    "(known: 2024-10-07 to 2025-11-25)",
		    TEXT_ARG(text_sub(revision, 0, 100)));
}

void
handshake_greeting(mcp_client *c, const incoming *m)
{
	json revision = json_get(m->rpc.result, TEXT("protocolVersion"));

	if (m->rpc.result.len == 0) {
		machine_down(c, "it refused initialize: %.*s",
		    TEXT_ARG(complaint(c, m)));
		return;
	}
	if (!is_known(revision)) {
		refuse_revision(c, revision);
		return;
	}
	c->phase = PHASE_LISTING;
	if (talk_initialized(c) != CM_OK)
		machine_down(c, "out of memory");
	else
		ask_for_page(c, TEXT_NONE);
}

/* ------------------------------------------------------------- the list */

static const char *const verdicts[] = {
    [TOOLS_ADDED] = NULL,
    [TOOLS_TWICE] = "is named twice; the first one counts",
    [TOOLS_NAMELESS] = "is skipped: it has no name",
    [TOOLS_TOO_MANY] = NULL, /* warned about once, with their number */
    [TOOLS_LONG_NAME] = "is skipped: its name is longer than 1,024 bytes",
    [TOOLS_LARGE_SCHEMA] = "takes anything: its schema is larger than 1 MiB",
    [TOOLS_ODD_SCHEMA] = "takes anything: its inputSchema describes no object",
    [TOOLS_NO_MEMORY] = "is skipped: out of memory",
};

static void
add_entry(mcp_client *c, json entry, size_t number)
{
	tools_verdict v = tools_add(&c->tools, entry);
	json name = json_get(entry, TEXT("name"));

	if (v == TOOLS_TOO_MANY)
		c->left_out++;
	if (verdicts[v] == NULL)
		return;
	if (json_kind_of(name) == JSON_STRING && name.len > 2)
		machine_warn(c, "tool %.*s %s",
		    TEXT_ARG(text_sub(name, 0, 100)), verdicts[v]);
	else
		machine_warn(c, "tool %zu of a list %s", number, verdicts[v]);
}

/* Asks for the page behind this one; false: this was the last. */
static bool
next_page(mcp_client *c, json result)
{
	json cursor = json_get(result, TEXT("nextCursor"));
	json_kind kind = json_kind_of(cursor);

	if (kind == JSON_MISSING || kind == JSON_NULL)
		return false;
	if (!tools_follow(&c->tools, cursor)) {
		machine_warn(c,
		    "its list of tools does not end: cursor %.*s "
		    "leads nowhere new",
		    TEXT_ARG(text_sub(cursor, 0, 100)));
		return false;
	}
	ask_for_page(c, cursor);
	return true;
}

static bool
up(mcp_client *c, mcp_event *out)
{
	if (c->phase != PHASE_LISTING)
		return false;
	if (c->left_out > 0)
		machine_warn(c,
		    "it has %zu tools more than the %d that are taken",
		    c->left_out, TOOLS_MAX);
	c->phase = PHASE_UP;
	out->kind = MCP_UP;
	return true;
}

/* A server without tools says so by not knowing the method; when some pages
 * came already, those count. */
static bool
list_failed(mcp_client *c, const incoming *m, mcp_event *out)
{
	int64_t code = 0;
	text why = complaint(c, m);
	bool unknown = json_int(json_get(m->rpc.error, TEXT("code")), &code) &&
		       code == -32601;

	if (c->tools.len == 0 && !unknown) {
		machine_down(c, "it refused tools/list: %.*s", TEXT_ARG(why));
		return false;
	}
	machine_warn(c, "%s: %.*s",
	    c->tools.len ? "the rest of its list of tools is missing"
			 : "it has no tools",
	    TEXT_ARG(why));
	return up(c, out);
}

bool
handshake_list(mcp_client *c, const incoming *m, mcp_event *out)
{
	json list = json_get(m->rpc.result, TEXT("tools"));
	json_iter it = json_each(list);
	size_t number = 0;
	json entry;

	if (m->rpc.result.len == 0)
		return list_failed(c, m, out);
	if (json_kind_of(list) != JSON_ARRAY)
		machine_warn(c, "its answer to tools/list holds no list");
	else
		while (json_next(&it, NULL, &entry))
			add_entry(c, entry, ++number);
	return !next_page(c, m->rpc.result) && up(c, out);
}

void
handshake_late(mcp_client *c)
{
	machine_down(c, "no answer to %s within %" PRIu64 " ms",
	    c->phase == PHASE_GREETING ? "initialize" : "tools/list",
	    c->startup_ms);
}
