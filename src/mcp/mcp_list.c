/* SPDX-License-Identifier: MIT */
/*
 * mcp_list.c -- the list of a server's tools, and that it stays right.
 *
 *	changed --(calm_ms)--> first page -> next page ... -> the list is swapped
 *
 * The list is read into a second one beside that which is in use, and takes its
 * place when it is whole, so half of it is never used. A change that is told
 * while pages come leads to one more reading after it, so a storm of them costs
 * one reading each calm_ms; a reading that finds nothing new doubles that time.
 *
 * At the start, pages that fail or do not come are missed: what came before
 * them is used. Later, a list that cannot be read leaves the old one in use.
 * In the modern era changes are told on a stream that must be asked for; when
 * it ends it is asked for again, ever more slowly, and the list is read anew.
 */
#include "machine.h"

enum {
	CALM_MS = 200,
	CALM_MAX_MS = 10000,
	CALM_AGAIN_MS = 60000, /* without a change: CALM_MS holds again */
	PAGE_MS = 10000,       /* for one page behind the first */
	BARREN_MAX = 20,       /* pages in a row without a new tool */
	SHOWN_MAX = 5,         /* tools that are named with the same fault */
	LISTEN_MS = 1000,
	LISTEN_MAX_MS = 60000
};

static void
ask_for_page(mcp_client *c, json cursor)
{
	bool by_start = c->phase == PHASE_LISTING && cursor.len == 0;
	uint64_t id = machine_expect(
	    c, WAIT_LIST, by_start ? UINT64_MAX : machine_later(c, PAGE_MS));

	if (id == 0 || talk_list(c, id, cursor) != CM_OK)
		machine_down(c, "out of memory");
}

void
list_begin(mcp_client *c)
{
	c->changed_at = UINT64_MAX;
	c->dirty = c->list_ready = false;
	c->barren = 0;
	memset(c->verdicts, 0, sizeof(c->verdicts));
	tools_fini(&c->fetched);
	ask_for_page(c, TEXT_NONE);
}

void
list_changed(mcp_client *c)
{
	bool reading = waitlist_by_kind(&c->waits, WAIT_LIST) || c->list_ready;

	if (c->phase != PHASE_LISTING && c->phase != PHASE_UP)
		return;
	if (c->now_ms - c->listed_at > CALM_AGAIN_MS)
		c->calm_ms = CALM_MS;
	if (reading)
		c->dirty = true;
	else if (c->changed_at == UINT64_MAX)
		c->changed_at = machine_later(c, c->calm_ms);
}

/* ------------------------------------------------------------- one page */

static const char *const verdicts[] = {
    [TOOLS_ADDED] = NULL,
    [TOOLS_TWICE] = "is named twice; the first one counts",
    [TOOLS_NAMELESS] = "is skipped: it has no name",
    [TOOLS_TOO_MANY] = NULL, /* warned about once, with their number */
    [TOOLS_HIDDEN] = NULL,   /* it is not for us */
    [TOOLS_LONG_NAME] = "is skipped: its name is longer than 1,024 bytes",
    [TOOLS_LARGE_SCHEMA] = "takes anything: its schema is larger than 1 MiB",
    [TOOLS_ODD_SCHEMA] = "takes anything: its inputSchema describes no object",
    [TOOLS_ODD_HEADER] = "is skipped: its x-mcp-header is not valid",
    [TOOLS_NO_MEMORY] = "is skipped: out of memory",
};

static void
add_entry(mcp_client *c, json entry, size_t number)
{
	bool headers = c->over_http && c->era == ERA_MODERN;
	tools_verdict v = tools_add(&c->fetched, entry, headers);
	json name = json_get(entry, TEXT("name"));

	if (c->verdicts[v]++ >= SHOWN_MAX || verdicts[v] == NULL)
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
	if (c->barren == BARREN_MAX || !tools_follow(&c->fetched, cursor)) {
		machine_warn(c,
		    "its list of tools does not end: cursor %.*s "
		    "leads nowhere new",
		    TEXT_ARG(text_sub(cursor, 0, 100)));
		return false;
	}
	ask_for_page(c, cursor);
	return true;
}

/* A server with resources gets a tool by which scripts read them, unless it has
 * one of that name. */
static void
add_reader(mcp_client *c)
{
	static const text reader = TEXT_INIT(
	    "{\"name\":\"readResource\",\"description\":\"Reads a resource of "
	    "this server.\",\"inputSchema\":{\"type\":\"object\","
	    "\"properties\":{\"uri\":{\"type\":\"string\"}},\"required\":["
	    "\"uri\"],\"additionalProperties\":false},\"annotations\":{"
	    "\"readOnlyHint\":true}}");

	if (c->caps.resources &&
	    tools_add(&c->fetched, reader, false) == TOOLS_ADDED)
		c->fetched.block[c->fetched.len - 1].reads = true;
}

static void
list_done(mcp_client *c)
{
	int v;

	add_reader(c);
	if (c->verdicts[TOOLS_TOO_MANY] > 0)
		machine_warn(c,
		    "it has %zu tools more than the %d that are taken",
		    c->verdicts[TOOLS_TOO_MANY], TOOLS_MAX);
	for (v = 0; v < TOOLS_VERDICTS; v++) {
		if (verdicts[v] && c->verdicts[v] > SHOWN_MAX)
			machine_warn(c, "so it is with %zu tools more: it %s",
			    c->verdicts[v] - SHOWN_MAX, verdicts[v]);
	}
	c->list_ready = true;
}

/* ---------------------------------------------------- lists that fail */

/* The list in use stays; the calls that wait for another go on by it. */
static void
keep_old(mcp_client *c, text why)
{
	machine_warn(c,
	    "its list of tools changed, but cannot be read: %.*s; the old list "
	    "stays in use",
	    TEXT_ARG(why));
	tools_fini(&c->fetched);
	c->listed_at = c->now_ms;
	if (c->dirty)
		c->changed_at = machine_later(c, c->calm_ms);
	c->dirty = false;
	rounds_listed(c);
}

/* A server without tools says so by not knowing the method. */
static void
list_failed(mcp_client *c, const incoming *m)
{
	int64_t code = 0;
	text why = machine_complaint(c, m);
	bool unknown = json_int(json_get(m->rpc.error, TEXT("code")), &code) &&
		       code == -32601;

	if (c->phase == PHASE_UP) {
		keep_old(c, why);
		return;
	}
	if (c->fetched.len == 0 && !unknown) {
		machine_down(c, "it refused tools/list: %.*s", TEXT_ARG(why));
		return;
	}
	machine_warn(c, "%s: %.*s",
	    c->fetched.len ? "the rest of its list of tools is missing"
			   : "it has no tools",
	    TEXT_ARG(why));
	list_done(c);
}

void
list_cut(mcp_client *c, const char *why)
{
	waiting *entry = waitlist_by_kind(&c->waits, WAIT_LIST);

	if (entry)
		machine_ignore(c, entry);
	if (c->phase == PHASE_UP) {
		keep_old(c, text_of(why));
	} else if (c->fetched.len == 0) {
		machine_down(c, "its list of tools cannot be read: %s", why);
	} else {
		machine_warn(
		    c, "the rest of its list of tools is missing: %s", why);
		list_done(c);
	}
}

void
list_page(mcp_client *c, const incoming *m)
{
	json list = json_get(m->rpc.result, TEXT("tools"));
	json_iter it = json_each(list);
	size_t number = 0, had = c->fetched.len;
	json entry;

	if (m->rpc.result.len == 0) {
		list_failed(c, m);
		return;
	}
	if (json_kind_of(list) != JSON_ARRAY)
		machine_warn(c, "its answer to tools/list holds no list");
	else
		while (json_next(&it, NULL, &entry))
			add_entry(c, entry, ++number);
	c->barren = c->fetched.len > had ? 0 : c->barren + 1;
	if (!next_page(c, m->rpc.result))
		list_done(c);
}

/* -------------------------------------------------------------- the swap */

/* Calls in flight know their tool by its place in the list. */
static void
swap_lists(mcp_client *c)
{
	const tools old = c->tools;
	size_t i;

	c->tools = c->fetched;
	for (i = 0; i < c->waits.len; i++) {
		waiting *entry = &c->waits.at[i];

		if (entry->tool != MAP_NONE)
			entry->tool =
			    tools_find(&c->tools, old.tool[entry->tool].name);
	}
	c->fetched = old;
	tools_fini(&c->fetched);
}

bool
list_take(mcp_client *c, mcp_event *out)
{
	bool first = c->phase == PHASE_LISTING;
	bool same;

	if (!c->list_ready || c->phase == PHASE_CLOSED)
		return false;
	c->list_ready = false;
	same = !first && tools_same(&c->tools, &c->fetched);
	c->calm_ms = !same                      ? CALM_MS
		     : c->calm_ms < CALM_MAX_MS ? 2 * c->calm_ms
						: CALM_MAX_MS;
	c->listed_at = c->now_ms;
	if (same)
		tools_fini(&c->fetched);
	else
		swap_lists(c);
	if (c->dirty)
		c->changed_at = machine_later(c, c->calm_ms);
	c->dirty = false;
	c->phase = PHASE_UP;
	c->known = c->era;
	rounds_listed(c);
	if (first && c->era == ERA_MODERN && c->caps.list_changed)
		list_listen(c);
	*out = (mcp_event){.kind = first ? MCP_UP : MCP_CHANGED};
	return !same;
}

/* ------------------------------------------------- listening for changes */

void
list_listen(mcp_client *c)
{
	uint64_t id = machine_expect(c, WAIT_LISTEN, UINT64_MAX);

	if (id)
		machine_sent(c, talk_listen(c, id));
}

void
list_heard(mcp_client *c)
{
	/* Changes of the time in which it did not listen were not told. */
	if (c->listen_ms > LISTEN_MS)
		list_changed(c);
	c->listen_ms = LISTEN_MS;
}

void
list_listen_ended(mcp_client *c, waiting *entry, bool again)
{
	if (!again) {
		waitlist_drop(&c->waits, entry);
		return;
	}
	waitlist_wake(&c->waits, entry, machine_later(c, c->listen_ms));
	c->listen_ms =
	    c->listen_ms < LISTEN_MAX_MS / 2 ? 2 * c->listen_ms : LISTEN_MAX_MS;
}

/* ------------------------------------- lists that outlive their reader */

void
mcp_client_write_lists(const mcp_client *c, buf *out)
{
	buf_byte(out, '{');
	json_member_text(out, "instructions", buf_view(&c->about));
	json_member(out, "tools");
	tools_write(&c->tools, out);
	buf_byte(out, '}');
}

mcp_client *
mcp_client_recall(text lists)
{
	json all, list, entry;
	json_iter it;
	mcp_client *c;

	if (!json_check(lists, MACHINE_DEPTH, &all, NULL))
		return NULL;
	list = json_get(all, TEXT("tools"));
	if (json_kind_of(list) != JSON_ARRAY ||
	    (c = mcp_client_new(NULL)) == NULL)
		return NULL;
	c->phase = PHASE_CLOSED;
	c->told = true;
	outbox_sent(&c->out, outbox_waiting(&c->out).len);
	json_unescape(json_get(all, TEXT("instructions")), &c->about);
	it = json_each(list);
	while (json_next(&it, NULL, &entry))
		tools_add(&c->tools, entry, false);
	return c;
}
