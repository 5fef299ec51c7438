/* SPDX-License-Identifier: MIT */
/*
 * explore.c -- every sequence of the scheduler's events, of any length, for
 * small bounds.
 *
 *   explore CALLS AT_ONCE [FLAGS]
 *
 * The machines' states are finite, so walking from each state over each event
 * until no new state turns up has seen all sequences there are. The watchers
 * of world.h look at each single step. Events and questions are mixed freely,
 * as if a shell fetched todos when it likes; or, with d, they are all fetched
 * before the next event, which goes further in calls.
 *
 * FLAGS are letters: f failures, c cancelled calls, o observed calls, l lanes
 * (one for tools with one place, one for servers with two), b a budget one
 * below CALLS, d as above. Prints the path to the first law that is broken.
 */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CALLS 8
#define KEY       40
#define NOWHERE   UINT32_MAX

typedef struct key {
	uint8_t byte[KEY];
} key;

typedef struct options {
	uint32_t calls, lanes, budget;
	int64_t limit[3];
	bool failures, cancels, observes, drained;
} options;

/* All states found, in the order found, and a table of where they are. */
typedef struct states {
	key *at;
	uint32_t *parent;
	uint32_t len, cap;
	uint32_t *slot; /* number of a state + 1 */
	size_t slots;
} states;

/* ------------------------------------------------- a world as some bytes */

static uint8_t *
put(uint8_t *p, uint32_t v)
{
	*p = (uint8_t)v;
	return p + 1;
}

static const uint8_t *
get(const uint8_t *p, uint32_t *v)
{
	*v = *p;
	return p + 1;
}

static uint8_t *
pack_call(uint8_t *p, const sched_call *c, const seen *n)
{
	p = put(p, (uint32_t)c->state | (uint32_t)c->promise << 3 |
		       (uint32_t)c->failure << 4);
	p = put(p, n->started | n->interrupted << 1 | n->closed << 2 |
		       n->settled << 3 | n->cancelled << 4 |
		       n->told_failed << 5 | n->unseen << 6);
	return put(
	    p, n->reported | (uint32_t)n->tool << 1 | (uint32_t)n->server << 4);
}

static const uint8_t *
unpack_call(const uint8_t *p, sched_call *c, seen *n)
{
	uint32_t a, b, d;

	p = get(get(get(p, &a), &b), &d);
	c->state = a & 7;
	c->promise = (int8_t)(a >> 3 & 1);
	c->failure = (int16_t)(a >> 4);
	*n = (seen){b & 1, b >> 1 & 1, b >> 2 & 1, b >> 3 & 1, b >> 4 & 1,
	    b >> 5 & 1, b >> 6 & 1, d & 1, d >> 1 & 7, (uint16_t)(d >> 4)};
	c->tool = n->tool;
	c->server = n->server;
	return p;
}

static void
pack(key *k, const world *w)
{
	uint8_t *p = k->byte;
	uint32_t i;

	memset(k, 0, sizeof(*k));
	p = put(p, w->s.issued);
	p = put(p, w->s.queue | w->s.scan << 4);
	p = put(p, w->s.stop | w->s.closed << 4);
	p = put(p,
	    w->s.phase | (uint32_t)w->over << 2 | (uint32_t)w->end_told << 3);
	for (i = 0; i < w->lanes; i++)
		p = put(p, (uint32_t)w->lane[i].used);
	for (i = 0; i < w->issued; i++)
		p = pack_call(p, &w->call[i], &w->seen[i]);
	if (p > k->byte + KEY)
		abort();
}

static void
unpack(world *w, const key *k, const options *o)
{
	const uint8_t *p = k->byte;
	uint32_t a, b, c, i, used;

	world_init(w, o->calls, o->budget, o->lanes, o->limit);
	p = get(get(get(get(p, &w->issued), &a), &b), &c);
	w->s.issued = w->issued;
	w->s.queue = a & 15;
	w->s.scan = a >> 4;
	w->s.stop = b & 15;
	w->s.closed = b >> 4;
	w->s.phase = c & 3;
	w->over = c >> 2 & 1;
	w->end_told = c >> 3 & 1;
	for (i = 0; i < w->lanes; i++) {
		p = get(p, &used);
		w->lane[i].used = (int32_t)used;
	}
	for (i = 0; i < w->issued; i++)
		p = unpack_call(p, &w->call[i], &w->seen[i]);
}

/* ----------------------------------------------------------- the states */

static size_t
hash(const key *k)
{
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15), word;
	size_t i;

	for (i = 0; i < KEY; i += sizeof(word)) {
		memcpy(&word, k->byte + i, sizeof(word));
		h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	return (size_t)h;
}

static void *
grown(void *p, size_t bytes)
{
	p = realloc(p, bytes);
	if (p == NULL) {
		fputs("explore: out of memory\n", stderr);
		exit(2);
	}
	return p;
}

static size_t
find(const states *all, const key *k)
{
	size_t i = hash(k) & (all->slots - 1);

	while (all->slot[i] != 0 &&
	       memcmp(&all->at[all->slot[i] - 1], k, sizeof(*k)) != 0)
		i = (i + 1) & (all->slots - 1);
	return i;
}

static void
grow(states *all)
{
	uint32_t i;

	all->cap = all->cap ? all->cap * 2 : 1u << 12;
	all->slots = (size_t)all->cap * 2;
	all->at = grown(all->at, all->cap * sizeof(*all->at));
	all->parent = grown(all->parent, all->cap * sizeof(*all->parent));
	free(all->slot);
	all->slot = grown(NULL, all->slots * sizeof(*all->slot));
	memset(all->slot, 0, all->slots * sizeof(*all->slot));
	for (i = 0; i < all->len; i++)
		all->slot[find(all, &all->at[i])] = i + 1;
}

static void
add(states *all, const world *w, uint32_t parent)
{
	key k;
	size_t slot;

	pack(&k, w);
	if (all->len == all->cap)
		grow(all);
	slot = find(all, &k);
	if (all->slot[slot] != 0)
		return;
	all->at[all->len] = k;
	all->parent[all->len] = parent;
	all->slot[slot] = ++all->len;
}

/* ----------------------------------------------------------- the events */

typedef struct event_list {
	sim_event e[400];
	uint32_t len;
} event_list;

static void
event(event_list *all, sim_event e)
{
	all->e[all->len++] = e;
}

static void
add_issues(event_list *all, const world *w, const options *o)
{
	uint16_t tool, server;

	if (w->issued > w->cap)
		return;
	for (tool = 0; tool < (o->lanes > 1 ? 2 : 1); tool++)
		for (server = 0; server < (o->lanes > 1 ? 3 : 1); server += 2)
			event(all, (sim_event){.kind = SIM_ISSUED,
				       .tool = tool,
				       .server = server});
}

/* One call more than there are: nothing must come of it. */
static void
add_calls(event_list *all, const world *w, const options *o)
{
	uint32_t i;
	int failed;

	for (i = 0; i <= w->issued; i++) {
		for (failed = 0; failed <= o->failures; failed++) {
			event(all, (sim_event){.kind = SIM_FINISHED,
				       .i = i,
				       .failed = failed});
			if (o->cancels)
				event(all, (sim_event){.kind = SIM_CANCELLED,
					       .i = i,
					       .failed = failed});
		}
		if (!o->observes)
			continue;
		event(all, (sim_event){.kind = SIM_UNSEEN, .i = i});
		event(all, (sim_event){.kind = SIM_OBSERVED, .i = i});
	}
}

static void
all_events(event_list *all, const world *w, const options *o)
{
	uint32_t ready;

	all->len = 0;
	for (ready = 0; ready <= w->issued; ready++)
		event(all, (sim_event){.kind = SIM_NEXT, .i = ready});
	event(all, (sim_event){.kind = SIM_OVER});
	add_issues(all, w, o);
	add_calls(all, w, o);
}

/* ----------------------------------------------------------- the search */

static void
show_call(const world *w, uint32_t i)
{
	const seen *n = &w->seen[i];

	printf("    call %u: state %u promise %d failure %d;%s%s%s%s%s\n", i,
	    w->call[i].state, w->call[i].promise, w->call[i].failure,
	    n->started ? " started" : "", n->interrupted ? " interrupted" : "",
	    n->closed ? " closed" : "", n->settled ? " settled" : "",
	    n->cancelled ? " cancelled" : "");
}

static void
show(const states *all, uint32_t at, const options *o)
{
	world w;
	uint32_t i;

	if (all->parent[at] != NOWHERE)
		show(all, all->parent[at], o);
	unpack(&w, &all->at[at], o);
	printf("  issued %u, phase %u\n", w.issued, w.s.phase);
	for (i = 0; i < w.issued; i++)
		show_call(&w, i);
}

/* Fetches what the scheduler wants done, until that is nothing. */
static const char *
drain(world *w)
{
	const char *law = NULL;
	sim_answer a;

	do
		law = world_do(
		    w, &(sim_event){.kind = SIM_NEXT, .i = w->issued}, &a);
	while (law == NULL && a.todo.what != SCHED_NOTHING);
	return law;
}

static const char *
step(world *w, const sim_event *e, const options *o)
{
	sim_answer a;
	const char *law = world_do(w, e, &a);

	return law == NULL && o->drained ? drain(w) : law;
}

static int
explore(const options *o)
{
	states all = {0};
	event_list events;
	uint64_t steps = 0;
	uint32_t from, i;
	world w;

	world_init(&w, o->calls, o->budget, o->lanes, o->limit);
	add(&all, &w, NOWHERE);
	for (from = 0; from < all.len; from++) {
		unpack(&w, &all.at[from], o);
		all_events(&events, &w, o);
		for (i = 0; i < events.len; i++) {
			const char *law;

			unpack(&w, &all.at[from], o);
			law = step(&w, &events.e[i], o);
			steps++;
			if (law == NULL) {
				add(&all, &w, from);
				continue;
			}
			show(&all, from, o);
			printf("then event %d (%u): %s\n", events.e[i].kind,
			    events.e[i].i, law);
			return 1;
		}
	}
	printf("%u states, %llu steps: every law holds\n", all.len,
	    (unsigned long long)steps);
	free(all.at);
	free(all.parent);
	free(all.slot);
	return 0;
}

int
main(int argc, char **argv)
{
	const char *flags = argc > 3 ? argv[3] : "";
	options o = {.lanes = 1};

	if (argc < 3) {
		fputs("usage: explore CALLS AT_ONCE [fcolbd]\n", stderr);
		return 2;
	}
	o.calls = (uint32_t)atoi(argv[1]);
	o.limit[0] = atoi(argv[2]);
	if (o.calls > MAX_CALLS)
		return 2;
	o.failures = strchr(flags, 'f') != NULL;
	o.cancels = strchr(flags, 'c') != NULL;
	o.observes = strchr(flags, 'o') != NULL;
	if (strchr(flags, 'l') != NULL) {
		o.lanes = 3;
		o.limit[1] = 1;
		o.limit[2] = 2;
	}
	o.drained = strchr(flags, 'd') != NULL;
	o.budget = strchr(flags, 'b') != NULL ? o.calls - 1 : o.calls + 1;
	printf("%s calls, %s at once %s: ", argv[1], argv[2], flags);
	fflush(stdout);
	return explore(&o);
}
