/* SPDX-License-Identifier: MIT */
/* stack.c -- see stack.h. */
#define _GNU_SOURCE /* pthread_getattr_np */
#include "stack.h"

#include <pthread.h>

/* The calling thread's own stack; top 0: not asked yet. */
static _Thread_local struct {
	uintptr_t floor, top;
} own __attribute__((tls_model("initial-exec")));

static void
ask_stack(uintptr_t here)
{
	pthread_attr_t attributes;
	void *floor;
	size_t size;

	own.floor = here - STACK_UNKNOWN;
	own.top = UINTPTR_MAX;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &floor, &size) == 0) {
		own.floor = (uintptr_t)floor;
		own.top = own.floor + size;
	}
	pthread_attr_destroy(&attributes);
}

uintptr_t
stack_floor(void)
{
	uintptr_t here = stack_here();

	if (own.top == 0)
		ask_stack(here);
	return here > own.floor && here < own.top ? own.floor
						  : here - STACK_UNKNOWN;
}

void
stack_declare(size_t bytes)
{
	own.floor = stack_here() - bytes;
	own.top = UINTPTR_MAX;
}
