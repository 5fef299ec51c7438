/* SPDX-License-Identifier: MIT */
/* sched.c -- see sched.h, which is the manual. */
#include "sched.h"

void
sched_init(sched *s, uint32_t at_once, uint32_t budget)
{
	s->state = 0;
	s->cap = 0;
	s->issued = 0;
	s->next = 0;
	s->told = 0;
	s->running = 0;
	s->at_once = at_once;
	s->budget = budget;
	s->over = false;
}

void
sched_table(sched *s, uint8_t *state, uint32_t cap)
{
	s->state = state;
	s->cap = cap;
}

bool
sched_allows(const sched *s)
{
	return !s->over && s->issued < s->budget;
}

bool
sched_has_room(const sched *s)
{
	return s->issued < s->cap;
}

uint32_t
sched_issued(sched *s)
{
	s->state[s->issued] = SCHED_QUEUED;
	return s->issued++;
}

bool
sched_finished(sched *s, uint32_t call)
{
	if (call >= s->issued || s->state[call] != SCHED_RUNNING)
		return false;
	s->state[call] = SCHED_SETTLED;
	s->running--;
	return true;
}

void
sched_drop(sched *s, uint32_t call)
{
	if (call < s->issued && s->state[call] == SCHED_QUEUED)
		s->state[call] = SCHED_CLOSED;
}

static void
stop(sched *s, uint32_t call)
{
	if (s->state[call] == SCHED_RUNNING) {
		s->state[call] = SCHED_STOPPING;
		s->running--;
	} else if (s->state[call] == SCHED_QUEUED) {
		s->state[call] = SCHED_CLOSED;
	}
}

void
sched_over(sched *s)
{
	uint32_t i;

	if (s->over)
		return;
	s->over = true;
	for (i = 0; i < s->issued; i++)
		stop(s, i);
	s->next = s->issued;
}

static sched_todo
start_next(sched *s)
{
	while (s->next < s->issued && s->state[s->next] == SCHED_CLOSED)
		s->next++;
	if (s->next == s->issued || s->running >= s->at_once)
		return (sched_todo){SCHED_NOTHING, 0};
	s->state[s->next] = SCHED_RUNNING;
	s->running++;
	return (sched_todo){SCHED_START, s->next++};
}

static sched_todo
interrupt_next(sched *s)
{
	uint32_t call;

	while (s->told < s->issued) {
		call = s->told++;
		if (s->state[call] == SCHED_STOPPING) {
			s->state[call] = SCHED_CLOSED;
			return (sched_todo){SCHED_INTERRUPT, call};
		}
	}
	return (sched_todo){SCHED_NOTHING, 0};
}

sched_todo
sched_next(sched *s)
{
	return s->over ? interrupt_next(s) : start_next(s);
}

bool
sched_started(const sched *s, uint32_t call)
{
	return call < s->next && s->state[call] != SCHED_QUEUED;
}
