/* SPDX-License-Identifier: MIT */
/*
 * outgoing.c -- one list of calls in the order in which they came, and the
 * lanes that they take a place in.
 *
 * A call that waits owns a copy of its texts, because those of a step live
 * only until the next function of the run is called.
 */
#include "outgoing.h"

typedef struct outgoing_call {
	uint32_t number; /* as the server knows it */
	bool sent;       /* otherwise it waits */
	void *owner;
	cm_call call; /* waits: texts are in .copy; sent: only the id */
	buf copy;
	size_t server;    /* of the upstream */
	uint32_t lane[2]; /* of server and tool; OUTGOING_NONE: no limit */
} outgoing_call;

typedef struct outgoing_lane {
	buf name;
	uint64_t limit; /* calls */
	uint64_t sent;  /* calls in flight */
} outgoing_lane;

static bool
is_limit(uint64_t limit)
{
	return limit != 0 && limit != CM_NO_LIMIT;
}

/* ------------------------------------------------------------------- lanes */

/* The lane of that name, a new one if there is none. */
static cm_status
find_lane(outgoing *o, buf *name, uint64_t limit, uint32_t *lane)
{
	void *array = o->lane;
	cm_status r;

	*lane = map_get(&o->lane_of, buf_view(name));
	if (*lane != MAP_NONE)
		return CM_OK;
	if (name->bad != CM_OK ||
	    !mem_grow(NULL, &array, &o->lane_cap, o->lanes, sizeof(*o->lane)))
		return CM_ENOMEM;
	o->lane = array;
	r = map_set(&o->lane_of, buf_view(name), (uint32_t)o->lanes);
	if (r != CM_OK)
		return r;
	*lane = (uint32_t)o->lanes;
	o->lane[o->lanes++] = (outgoing_lane){.name = *name, .limit = limit};
	*name = BUF_INIT(NULL, name->max);
	return CM_OK;
}

static cm_status
find_lanes(outgoing *o, outgoing_call *c, const cm_call *call)
{
	buf name = BUF_INIT(NULL, SIZE_MAX / 2);
	cm_status r = CM_OK;

	c->lane[0] = c->lane[1] = OUTGOING_NONE;
	buf_text(&name, call->space);
	if (is_limit(o->server_limit))
		r = find_lane(o, &name, o->server_limit, &c->lane[0]);
	if (r == CM_OK && is_limit(o->tool_limit)) {
		buf_clear(&name);
		buf_text(&name, call->space);
		buf_byte(&name, '\0');
		buf_text(&name, call->name);
		r = find_lane(o, &name, o->tool_limit, &c->lane[1]);
	}
	buf_fini(&name);
	return r;
}

static bool
has_place(const outgoing *o, const outgoing_call *c)
{
	for (int i = 0; i < 2; i++)
		if (c->lane[i] != OUTGOING_NONE &&
		    o->lane[c->lane[i]].sent >= o->lane[c->lane[i]].limit)
			return false;
	return true;
}

static void
count_sent(outgoing *o, const outgoing_call *c, bool begins)
{
	for (int i = 0; i < 2; i++)
		if (c->lane[i] != OUTGOING_NONE)
			o->lane[c->lane[i]].sent += begins ? 1 : UINT64_MAX;
}

/* ------------------------------------------------------------------- calls */

static cm_status
send_outgoing(outgoing *o, outgoing_call *c)
{
	cm_status r =
	    upstream_call(o->upstream, c->server, c->number, &c->call);

	if (r != CM_OK)
		return r;
	c->sent = true;
	c->call = (cm_call){.id = c->call.id};
	buf_fini(&c->copy);
	count_sent(o, c, true);
	if (o->sent != NULL)
		o->sent(c->owner, c->call.id);
	return CM_OK;
}

static cm_status
copy_texts(outgoing_call *c)
{
	cm_call *call = &c->call;

	/* All the room at once: the texts borrow from .copy. */
	if (buf_room(&c->copy, call->name.len + call->args.len + 1) == NULL)
		return CM_ENOMEM;
	*call = (cm_call){.id = call->id,
	    .name = buf_copied(&c->copy, call->name),
	    .args = buf_copied(&c->copy, call->args)};
	return CM_OK;
}

/* Sends each call that waits and has a place now. One that cannot be sent for
 * want of memory waits for the next answer. */
static void
send_waiting(outgoing *o)
{
	for (size_t i = 0; i < o->calls; i++)
		if (!o->call[i].sent && has_place(o, &o->call[i]))
			(void)send_outgoing(o, &o->call[i]);
}

static void
remove_at(outgoing *o, size_t i)
{
	outgoing_call *c = &o->call[i];

	if (c->sent)
		count_sent(o, c, false);
	buf_fini(&c->copy);
	memmove(c, c + 1, (--o->calls - i) * sizeof(*c));
}

cm_status
outgoing_add(outgoing *o, void *owner, const cm_call *call)
{
	void *array = o->call;
	outgoing_call *c;
	cm_status r;

	if (!mem_grow(NULL, &array, &o->call_cap, o->calls, sizeof(*o->call)))
		return CM_ENOMEM;
	o->call = array;
	c = &o->call[o->calls++];
	*c = (outgoing_call){.number = o->next_number++,
	    .owner = owner,
	    .call = *call,
	    .copy = BUF_INIT(NULL, SIZE_MAX / 2),
	    .server = upstream_server(o->upstream, call->space)};
	r = find_lanes(o, c, call);
	if (r == CM_OK)
		r = has_place(o, c) ? send_outgoing(o, c) : copy_texts(c);
	if (r != CM_OK)
		remove_at(o, o->calls - 1);
	return r;
}

bool
outgoing_remove(outgoing *o, const void *owner, cm_call_id id)
{
	bool found = false;

	for (size_t i = o->calls; i-- > 0;) {
		const outgoing_call *c = &o->call[i];

		if ((owner != NULL && c->owner != owner) ||
		    (id != 0 && c->call.id != id))
			continue;
		if (c->sent)
			upstream_cancel(o->upstream, c->server, c->number);
		remove_at(o, i);
		found = true;
	}
	send_waiting(o);
	return found;
}

/* The place of that call; o->calls: there is none. */
static size_t
find_number(const outgoing *o, uint32_t number)
{
	size_t i = 0;

	while (i < o->calls && o->call[i].number != number)
		i++;
	return i;
}

void *
outgoing_owner(const outgoing *o, uint32_t number, cm_call_id *id)
{
	size_t i = find_number(o, number);

	if (i == o->calls)
		return NULL;
	*id = o->call[i].call.id;
	return o->call[i].owner;
}

void *
outgoing_answered(outgoing *o, uint32_t number, cm_call_id *id)
{
	size_t i = find_number(o, number);
	void *owner;

	must(i < o->calls && o->call[i].sent);
	owner = o->call[i].owner;
	*id = o->call[i].call.id;
	remove_at(o, i);
	send_waiting(o);
	return owner;
}

void
outgoing_init(outgoing *o, upstream *u, uint64_t server_limit,
    uint64_t tool_limit, outgoing_sent *sent)
{
	*o = (outgoing){.upstream = u,
	    .sent = sent,
	    .server_limit = server_limit,
	    .tool_limit = tool_limit,
	    .lane_of = MAP_INIT(NULL)};
}

void
outgoing_fini(outgoing *o)
{
	for (size_t i = 0; i < o->lanes; i++)
		buf_fini(&o->lane[i].name);
	map_fini(&o->lane_of);
	mem_free(NULL, o->lane, o->lane_cap * sizeof(*o->lane));
	mem_free(NULL, o->call, o->call_cap * sizeof(*o->call));
}
