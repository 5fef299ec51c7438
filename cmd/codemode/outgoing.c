/* SPDX-License-Identifier: MIT */
/*
 * outgoing.c -- a table of calls, a table of lanes and one queue.
 *
 *	free -> waiting -> sent -> free
 *	  `----------------^
 *
 * A call that waits owns a copy of its texts, because those of a step live
 * only until the next function of the run is called.
 */
#include "outgoing.h"

typedef enum call_state { CALL_FREE, CALL_WAITING, CALL_SENT } call_state;

typedef struct outgoing_call {
	call_state state;
	void *owner;
	cm_call call; /* waiting: texts are in .copy; sent: only the id */
	buf copy;
	size_t server;    /* of the upstream */
	uint32_t lane[2]; /* of server and tool; OUTGOING_NONE: no limit */
	uint32_t next; /* free: the next free one; waiting: the next in line */
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
new_number(outgoing *o, uint32_t *number)
{
	void *array = o->call;

	*number = o->first_free;
	if (*number != OUTGOING_NONE) {
		o->first_free = o->call[*number].next;
		return CM_OK;
	}
	if (!mem_grow(NULL, &array, &o->call_cap, o->calls, sizeof(*o->call)))
		return CM_ENOMEM;
	o->call = array;
	*number = (uint32_t)o->calls++;
	return CM_OK;
}

static void
free_number(outgoing *o, uint32_t number)
{
	buf_fini(&o->call[number].copy);
	o->call[number] = (outgoing_call){.next = o->first_free};
	o->first_free = number;
}

static cm_status
send_call(outgoing *o, uint32_t number)
{
	outgoing_call *c = &o->call[number];
	cm_status r = upstream_call(o->upstream, c->server, number, &c->call);

	if (r == CM_OK) {
		c->state = CALL_SENT;
		c->call = (cm_call){.id = c->call.id};
		count_sent(o, c, true);
	}
	return r;
}

static text
copy_behind(buf *copy, text t)
{
	size_t from = copy->len;

	buf_text(copy, t);
	return text_sub(buf_view(copy), from, copy->len);
}

static cm_status
wait_in_line(outgoing *o, uint32_t number)
{
	outgoing_call *c = &o->call[number];

	/* All the room at once: the texts borrow from .copy. */
	c->copy = BUF_INIT(NULL, SIZE_MAX / 2);
	if (buf_room(&c->copy, c->call.name.len + c->call.args.len + 1) == NULL)
		return CM_ENOMEM;
	c->call.name = copy_behind(&c->copy, c->call.name);
	c->call.args = copy_behind(&c->copy, c->call.args);
	c->call.space = c->call.path = TEXT_NONE;
	c->state = CALL_WAITING;
	c->next = OUTGOING_NONE;
	if (o->first_waiting == OUTGOING_NONE)
		o->first_waiting = number;
	else
		o->call[o->last_waiting].next = number;
	o->last_waiting = number;
	return CM_OK;
}

/* Takes the call behind before (OUTGOING_NONE: the first) out of the line. */
static void
leave_line(outgoing *o, uint32_t before, uint32_t number)
{
	uint32_t next = o->call[number].next;

	if (before == OUTGOING_NONE)
		o->first_waiting = next;
	else
		o->call[before].next = next;
	if (o->last_waiting == number)
		o->last_waiting = before;
}

/* Sends each call in line that has a place now. One that cannot be sent for
 * want of memory stays in line, for the next answer. */
static void
send_waiting(outgoing *o)
{
	uint32_t before = OUTGOING_NONE, number = o->first_waiting;

	while (number != OUTGOING_NONE) {
		outgoing_call *c = &o->call[number];
		uint32_t next = c->next;

		if (has_place(o, c) && send_call(o, number) == CM_OK) {
			leave_line(o, before, number);
			buf_fini(&c->copy);
		} else {
			before = number;
		}
		number = next;
	}
}

cm_status
outgoing_add(outgoing *o, void *owner, const cm_call *call)
{
	uint32_t number;
	outgoing_call *c;
	cm_status r = new_number(o, &number);

	if (r != CM_OK)
		return r;
	c = &o->call[number];
	*c = (outgoing_call){.owner = owner, .call = *call};
	c->server = upstream_server(o->upstream, call->space);
	r = find_lanes(o, c, call);
	if (r == CM_OK)
		r = has_place(o, c) ? send_call(o, number)
				    : wait_in_line(o, number);
	if (r != CM_OK)
		free_number(o, number);
	return r;
}

static void
remove_waiting(outgoing *o, uint32_t number)
{
	uint32_t before = OUTGOING_NONE, at = o->first_waiting;

	while (at != number) {
		before = at;
		at = o->call[at].next;
	}
	leave_line(o, before, number);
}

void
outgoing_remove(outgoing *o, const void *owner, cm_call_id id)
{
	for (uint32_t number = 0; number < o->calls; number++) {
		outgoing_call *c = &o->call[number];

		if (c->state == CALL_FREE ||
		    (owner != NULL && c->owner != owner) ||
		    (id != 0 && c->call.id != id))
			continue;
		if (c->state == CALL_WAITING) {
			remove_waiting(o, number);
		} else {
			upstream_cancel(o->upstream, c->server, number);
			count_sent(o, c, false);
		}
		free_number(o, number);
	}
	send_waiting(o);
}

void *
outgoing_answered(outgoing *o, uint32_t number, cm_call_id *id)
{
	outgoing_call *c = &o->call[number];
	void *owner = c->owner;

	must(number < o->calls && c->state == CALL_SENT);
	*id = c->call.id;
	count_sent(o, c, false);
	free_number(o, number);
	send_waiting(o);
	return owner;
}

void
outgoing_init(
    outgoing *o, upstream *u, uint64_t server_limit, uint64_t tool_limit)
{
	*o = (outgoing){.upstream = u,
	    .server_limit = server_limit,
	    .tool_limit = tool_limit,
	    .lane_of = MAP_INIT(NULL),
	    .first_free = OUTGOING_NONE,
	    .first_waiting = OUTGOING_NONE,
	    .last_waiting = OUTGOING_NONE};
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
