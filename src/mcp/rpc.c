/* SPDX-License-Identifier: MIT */
/*
 * rpc.c -- JSON-RPC: what a message is, and which requests wait for a reply.
 *
 * Our ids are 1, 2, 3 ... and never come back, so the list of what waits stays
 * ordered by itself, and an id below the last one that is not in the list
 * belongs to a call that is over. A server may send the number as a string;
 * anything else that is not exactly an id of ours settles nothing.
 */
#include "rpc.h"

#include "pick.h"

/* -------------------------------------------------------- what came in */

enum { ID, METHOD, PARAMS, RESULT, ERROR, JSONRPC, MEMBERS };

enum { MORE_MAX = 64 << 20 }; /* bytes of each text of a wait_more */

static const char *const names[MEMBERS] = {
    [ID] = "id",
    [METHOD] = "method",
    [PARAMS] = "params",
    [RESULT] = "result",
    [ERROR] = "error",
    [JSONRPC] = "jsonrpc",
};

/* Old servers send the other member as null: then it is not there. */
static void
read_reply(rpc_message *m, const json *member)
{
	m->kind = RPC_REPLY;
	if (json_present(member[RESULT]) && json_present(member[ERROR]))
		m->broken = "it holds both a result and an error";
	else if (json_present(member[ERROR]))
		m->error = member[ERROR];
	else if (json_kind_of(member[RESULT]) != JSON_MISSING)
		m->result = member[RESULT];
	else
		m->broken = "it holds neither a result nor an error";
}

/* A log line may be JSON and have an id; it does not say jsonrpc. */
static bool
is_reply(const json *member)
{
	return json_kind_of(member[RESULT]) != JSON_MISSING ||
	       json_present(member[ERROR]) ||
	       (json_kind_of(member[ID]) != JSON_MISSING &&
		   json_kind_of(member[JSONRPC]) != JSON_MISSING);
}

rpc_message
rpc_read(json line)
{
	rpc_message m = {.kind = RPC_NONE};
	json member[MEMBERS];

	pick(line, names, member, MEMBERS);
	m.id = member[ID];
	m.method = member[METHOD];
	m.params = member[PARAMS];
	if (json_kind_of(m.method) == JSON_STRING)
		m.kind = json_present(m.id) ? RPC_REQUEST : RPC_NOTIFICATION;
	else if (is_reply(member))
		read_reply(&m, member);
	return m;
}

/* The id that these digits are; 0: none that we gave out. */
static uint64_t
id_of_digits(text digits)
{
	size_t at = 0;
	uint64_t n = text_decimal(digits, &at);

	if (at == 0 || at < digits.len || at > 18 || digits.ptr[0] == '0')
		return 0;
	return n;
}

uint64_t
rpc_number(json id)
{
	int64_t n;

	if (json_kind_of(id) == JSON_STRING)
		return id_of_digits(text_sub(id, 1, id.len - 1));
	return json_int(id, &n) && n > 0 ? (uint64_t)n : 0;
}

/* The string or number that follows "id" at the start of t, if it is whole. */
static json
value_after_key(text t)
{
	size_t at = 4, from;
	json id;

	while (at < t.len && (json_is_space(t.ptr[at]) || t.ptr[at] == ':'))
		at++;
	from = at;
	if (at < t.len && t.ptr[at] == '"') {
		for (at++; at < t.len && t.ptr[at] != '"'; at++)
			at += t.ptr[at] == '\\';
		at++;
	} else {
		while (at < t.len && !memchr(" \t\r\n,}", t.ptr[at], 6))
			at++;
	}
	if (at >= t.len || !json_check(text_sub(t, from, at), 1, &id, NULL))
		return TEXT_NONE;
	return json_kind_of(id) == JSON_STRING ||
		       json_kind_of(id) == JSON_NUMBER
		   ? id
		   : TEXT_NONE;
}

static bool
has_text(text t, text part)
{
	return text_find(t, part, 0) != SIZE_MAX;
}

json
rpc_id_in_ends(text head, text tail)
{
	const text key = TEXT("\"id\""), version = TEXT("\"jsonrpc\"");
	size_t at = text_find(head, key, 0), last = SIZE_MAX, i;

	if (!has_text(head, version) && !has_text(tail, version))
		return TEXT_NONE;
	if (at != SIZE_MAX && text_find(head, TEXT("{"), 1) > at)
		return value_after_key(text_sub(head, at, head.len));
	for (i = text_find(tail, key, 0); i != SIZE_MAX;
	     i = text_find(tail, key, i + 1))
		last = i;
	if (last == SIZE_MAX)
		return TEXT_NONE;
	tail = text_sub(tail, last, tail.len);
	i = text_find(tail, TEXT("}"), 0);
	if (i == SIZE_MAX || text_trim(text_sub(tail, i + 1, tail.len)).len)
		return TEXT_NONE;
	return value_after_key(tail);
}

/* ----------------------------------------------------- what waits for it */

void
waitlist_init(waitlist *w, const cm_alloc *alloc)
{
	*w = (waitlist){.alloc = alloc, .deadline = UINT64_MAX};
}

static void
free_more(waitlist *w, waiting *entry)
{
	wait_more *m = entry->more;

	if (!m)
		return;
	buf_fini(&m->params);
	buf_fini(&m->responses);
	buf_fini(&m->state);
	buf_fini(&m->task);
	buf_fini(&m->seen);
	buf_fini(&m->words);
	mem_free(w->alloc, m, sizeof(*m));
	entry->more = NULL;
}

wait_more *
waitlist_more(waitlist *w, waiting *entry)
{
	const buf empty = BUF_INIT(w->alloc, MORE_MAX);

	if (!entry->more)
		entry->more = mem_new(w->alloc, sizeof(*entry->more));
	else
		return entry->more;
	if (entry->more)
		*entry->more =
		    (wait_more){empty, empty, empty, empty, empty, empty, 0, 0};
	return entry->more;
}

void
waitlist_fini(waitlist *w)
{
	size_t i;

	for (i = 0; i < w->len; i++)
		free_more(w, &w->at[i]);
	mem_free(w->alloc, w->at, w->cap * sizeof(*w->at));
	waitlist_init(w, w->alloc);
}

waiting *
waitlist_add(waitlist *w, const waiting *w0)
{
	waiting *entry;

	if (!mem_grow(
		w->alloc, (void **)&w->at, &w->cap, w->len, sizeof(*w->at)))
		return NULL;
	entry = &w->at[w->len++];
	*entry = *w0;
	entry->id = ++w->last_id;
	entry->token = entry->id;
	entry->wake_at = UINT64_MAX;
	if (entry->end != WAIT_OPEN)
		w->over++;
	else if (entry->deadline < w->deadline)
		w->deadline = entry->deadline;
	return entry;
}

waiting *
waitlist_by_id(waitlist *w, uint64_t id)
{
	size_t low = 0, high = w->len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (w->at[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low < w->len && w->at[low].id == id ? &w->at[low] : NULL;
}

waiting *
waitlist_by_call(waitlist *w, uint32_t call)
{
	size_t i;

	for (i = 0; i < w->len; i++) {
		if (w->at[i].kind == WAIT_CALL && w->at[i].call == call)
			return &w->at[i];
	}
	return NULL;
}

waiting *
waitlist_by_token(waitlist *w, uint64_t token)
{
	size_t i;

	for (i = 0; i < w->len; i++) {
		if (w->at[i].token == token)
			return &w->at[i];
	}
	return NULL;
}

waiting *
waitlist_by_kind(waitlist *w, wait_kind kind)
{
	size_t i;

	for (i = 0; i < w->len; i++) {
		if (w->at[i].kind == kind && w->at[i].end == WAIT_OPEN)
			return &w->at[i];
	}
	return NULL;
}

waiting *
waitlist_renew(waitlist *w, waiting *entry)
{
	size_t i = (size_t)(entry - w->at);
	waiting moved = *entry;

	must(i < w->len);
	memmove(entry, entry + 1, (w->len - i - 1) * sizeof(*entry));
	moved.id = ++w->last_id;
	moved.asleep = moved.after_list = false;
	moved.wake_at = UINT64_MAX;
	w->at[w->len - 1] = moved;
	return &w->at[w->len - 1];
}

void
waitlist_wake(waitlist *w, waiting *entry, uint64_t at)
{
	entry->asleep = true;
	entry->wake_at = at;
	if (at < w->deadline)
		w->deadline = at;
}

void
waitlist_drop(waitlist *w, waiting *entry)
{
	size_t i = (size_t)(entry - w->at);

	must(i < w->len);
	free_more(w, entry);
	if (entry->end != WAIT_OPEN)
		w->over--;
	w->len--;
	memmove(entry, entry + 1, (w->len - i) * sizeof(*entry));
}

void
waitlist_end(waitlist *w, waiting *entry, wait_end end)
{
	must(end != WAIT_OPEN);
	if (entry->end == WAIT_OPEN)
		w->over++;
	entry->end = end;
}

waiting *
waitlist_over(waitlist *w)
{
	size_t i;

	if (w->over == 0)
		return NULL;
	for (i = 0; w->at[i].end == WAIT_OPEN; i++)
		must(i + 1 < w->len);
	return &w->at[i];
}

waiting *
waitlist_due(waitlist *w, uint64_t now_ms)
{
	uint64_t first = UINT64_MAX;
	size_t i;

	if (now_ms < w->deadline)
		return NULL;
	for (i = 0; i < w->len; i++) {
		waiting *entry = &w->at[i];
		uint64_t due = entry->deadline < entry->wake_at
				   ? entry->deadline
				   : entry->wake_at;

		if (entry->end != WAIT_OPEN)
			continue;
		if (due <= now_ms)
			return entry;
		if (due < first)
			first = due;
	}
	w->deadline = first;
	return NULL;
}
