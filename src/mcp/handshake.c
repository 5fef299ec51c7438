/* SPDX-License-Identifier: MIT */
/*
 * handshake.c -- which era a server is of, and the greeting of the legacy one.
 *
 *	           +- a DiscoverResult --------------------------> modern
 *	discover --+- -32022, and we speak none of its versions -> down
 *	           +- anything else, or nothing in PROBE_MS -----> initialize
 *	initialize +- a known revision ----> initialized --------> legacy
 *	           +- an error of the modern era, not probed ----> discover
 *	           +- anything else -----------------------------> down
 *
 * Then the list of tools is read (mcp_list.c). A server that does not know the
 * probe may answer it in any way, or not at all, so only a true DiscoverResult
 * counts. One that starts slowly finds both questions in its pipe: whichever it
 * can answer first decides.
 */
#include "machine.h"
#include "value.h"

#include <inttypes.h>

enum {
	PROBE_MS = 1000, /* for a server that does not answer the probe */
	ABOUT_MAX = 64 << 10,
	PROGRAM_MAX = 200 /* bytes of a name with its version */
};

static const text revisions[] = {
    TEXT_INIT("2025-11-25"),
    TEXT_INIT("2025-06-18"),
    TEXT_INIT("2025-03-26"),
    TEXT_INIT("2024-11-05"),
    TEXT_INIT("2024-10-07"),
};

/* The one of ours that this is; empty: none. */
static text
known_revision(json revision)
{
	size_t i;

	for (i = 0; i < sizeof(revisions) / sizeof(revisions[0]); i++) {
		if (json_is(revision, revisions[i]))
			return revisions[i];
	}
	return TEXT_NONE;
}

/* Sends the first request of a phase. */
static void
begin_phase(mcp_client *c, machine_phase phase, wait_kind kind,
    uint64_t deadline, cm_status (*ask)(mcp_client *c, uint64_t id))
{
	uint64_t id = machine_expect(c, kind, deadline);

	c->phase = phase;
	if (id == 0 || ask(c, id) != CM_OK)
		machine_down(c, "out of memory");
}

static void
greet(mcp_client *c)
{
	c->era = ERA_LEGACY;
	begin_phase(
	    c, PHASE_GREETING, WAIT_GREETING, UINT64_MAX, talk_initialize);
}

void
handshake_greet_again(mcp_client *c)
{
	begin_phase(c, PHASE_UP, WAIT_GREETING, machine_later(c, c->startup_ms),
	    talk_initialize);
}

static void
send_probe(mcp_client *c)
{
	bool may_not_answer = c->known != ERA_MODERN && !c->over_http;
	uint64_t half = c->startup_ms / 2;
	uint64_t ms = half < PROBE_MS ? half : PROBE_MS;

	c->probed = true;
	c->era = ERA_MODERN;
	begin_phase(c, PHASE_PROBING, WAIT_DISCOVER,
	    may_not_answer ? machine_later(c, ms) : UINT64_MAX, talk_discover);
}

void
handshake_begin(mcp_client *c)
{
	c->probed = false;
	if (c->known == ERA_LEGACY)
		greet(c);
	else
		send_probe(c);
}

/* ------------------------------------------------------ what it offers */

static bool
is_object(json v)
{
	return json_kind_of(v) == JSON_OBJECT;
}

/* Its name and version, wherever its era tells them. */
static void
read_program(mcp_client *c, json result)
{
	json info = json_get(result, TEXT("serverInfo"));
	json meta = json_get(result, TEXT("_meta"));
	size_t before;

	if (!is_object(info))
		info =
		    json_get(meta, TEXT("io.modelcontextprotocol/serverInfo"));
	buf_clear(&c->program);
	json_unescape(json_get(info, TEXT("name")), &c->program);
	before = c->program.len;
	buf_byte(&c->program, ' ');
	if (!json_unescape(json_get(info, TEXT("version")), &c->program))
		c->program.len = before;
	c->program.len = text_head(buf_view(&c->program), PROGRAM_MAX).len;
}

static void
read_capabilities(mcp_client *c, json result)
{
	json caps = json_get(result, TEXT("capabilities"));

	c->caps = (machine_caps){
	    .list_changed =
		json_bool(json_path(caps, "tools", "listChanged", NULL), false),
	    .resources = is_object(json_get(caps, TEXT("resources"))),
	    .tasks = is_object(
		json_path(caps, "tasks", "requests", "tools", "call", NULL)),
	};
	buf_clear(&c->about);
	json_unescape(json_get(result, TEXT("instructions")), &c->about);
	c->about.len = text_head(buf_view(&c->about), ABOUT_MAX).len;
	read_program(c, result);
	if (c->log_level.len && c->era == ERA_LEGACY &&
	    is_object(json_get(caps, TEXT("logging"))))
		machine_sent(
		    c, talk_set_level(c, machine_expect(c, WAIT_IGNORED,
					     machine_later(c, c->startup_ms))));
}

/* ------------------------------------------------------------- the modern */

/* Of a list of versions: is one of them ours? */
static bool
has_legacy(json versions)
{
	json_iter it = json_each(versions);
	json v;

	while (json_next(&it, NULL, &v)) {
		if (known_revision(v).len)
			return true;
	}
	return false;
}

static bool
has_modern(json versions)
{
	json_iter it = json_each(versions);
	json v;

	while (json_next(&it, NULL, &v)) {
		if (json_is(v, MACHINE_MODERN))
			return true;
	}
	return false;
}

/* The reply of the greeting, if it is still to come, is of no use. */
static void
ignore_waiting(mcp_client *c, wait_kind kind)
{
	waiting *entry = waitlist_by_kind(&c->waits, kind);

	if (entry)
		machine_ignore(c, entry);
}

static void
go_modern(mcp_client *c, json result)
{
	ignore_waiting(c, WAIT_GREETING);
	c->era = ERA_MODERN;
	c->revision = MACHINE_MODERN;
	read_capabilities(c, result);
	c->phase = PHASE_LISTING;
	list_begin(c);
}

/* By the versions that a modern server names. */
static void
choose_version(mcp_client *c, json versions, json result)
{
	if (has_modern(versions))
		go_modern(c, result);
	else if (!has_legacy(versions))
		machine_down(c,
		    "it speaks MCP revisions %.*s, which are not known here "
		    "(known: 2024-10-07 to 2026-07-28)",
		    TEXT_ARG(text_sub(versions, 0, 200)));
	else if (c->phase == PHASE_PROBING)
		greet(c);
}

void
handshake_discovered(mcp_client *c, const incoming *m)
{
	json versions = TEXT_NONE;
	int64_t code = 0;

	if (m && m->rpc.result.len)
		versions = json_get(m->rpc.result, TEXT("supportedVersions"));
	else if (m && json_int(json_get(m->rpc.error, TEXT("code")), &code) &&
		 code == -32022)
		versions = json_path(m->rpc.error, "data", "supported", NULL);
	if (json_kind_of(versions) == JSON_ARRAY)
		choose_version(c, versions, m->rpc.result);
	else if (c->phase == PHASE_PROBING)
		greet(c);
}

/* ------------------------------------------------------------- the legacy */

static void
refuse_revision(mcp_client *c, json revision)
{
	if (json_kind_of(revision) != JSON_STRING)
		machine_down(c, "its answer to initialize names no protocol "
				"version");
	else
		machine_down(c,
		    "it speaks MCP revision %.*s, which is not known here "
		    "(known: 2024-10-07 to 2026-07-28)",
		    TEXT_ARG(text_sub(revision, 0, 100)));
}

/* An error that only servers of the modern era send to initialize. */
static bool
is_modern_error(json error)
{
	int64_t code = 0;

	return json_int(json_get(error, TEXT("code")), &code) &&
	       (code == -32601 || (code <= -32020 && code >= -32022));
}

void
handshake_greeting(mcp_client *c, const incoming *m)
{
	json revision = json_get(m->rpc.result, TEXT("protocolVersion"));

	if (m->rpc.result.len == 0 && !c->probed && c->phase != PHASE_UP &&
	    is_modern_error(m->rpc.error)) {
		send_probe(c);
		return;
	}
	if (m->rpc.result.len == 0) {
		machine_down(c, "it refused initialize: %.*s",
		    TEXT_ARG(machine_complaint(c, m)));
		return;
	}
	c->revision = known_revision(revision);
	if (c->revision.len == 0) {
		refuse_revision(c, revision);
		return;
	}
	ignore_waiting(c, WAIT_DISCOVER);
	if (c->phase == PHASE_GREETING)
		c->phase = PHASE_LISTING;
	if (talk_initialized(c) != CM_OK) {
		machine_down(c, "out of memory");
		return;
	}
	read_capabilities(c, m->rpc.result);
	list_begin(c);
}

void
handshake_late(mcp_client *c)
{
	if (c->phase == PHASE_LISTING && c->fetched.len)
		list_cut(c, "no answer came in time");
	else
		machine_down(c, "no answer to %s within %" PRIu64 " ms",
		    c->phase == PHASE_LISTING    ? "tools/list"
		    : c->phase == PHASE_GREETING ? "initialize"
						 : "server/discover",
		    c->startup_ms);
}
