/* SPDX-License-Identifier: MIT */
/*
 * main_loop.c -- the one event loop of a command.
 *
 * libuv does not wait while an idle handle is active.
 */
#include "main_loop.h"

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { TICK_MS = 100 };

/* libuv calls abort() when its first loop does not find the descriptors that it
 * needs: try it first. */
static int
probe_descriptors(void)
{
	int pairs[2][2] = {{-1, -1}, {-1, -1}}, r = 0;

	for (int i = 0; i < 2 && r == 0; i++)
		if (pipe2(pairs[i], O_CLOEXEC) != 0)
			r = uv_translate_sys_error(errno);
	for (int i = 0; i < 4; i++)
		if (pairs[i / 2][i % 2] >= 0)
			close(pairs[i / 2][i % 2]);
	return r;
}

static void
close_own_handles(main_loop *l)
{
	uv_close((uv_handle_t *)&l->due, NULL);
	uv_close((uv_handle_t *)&l->tick, NULL);
	uv_run(&l->uv, UV_RUN_DEFAULT);
	uv_loop_close(&l->uv);
}

bool
main_loop_open(main_loop *l, say *s)
{
	int r = probe_descriptors();

	l->open = false;
	if (r == 0)
		r = uv_loop_init(&l->uv);
	if (r == 0) {
		l->uv.data = l;
		uv_idle_init(&l->uv, &l->due);
		uv_timer_init(&l->uv, &l->tick);
		r = signals_init(&l->uv);
		l->open = r == 0;
		if (r != 0)
			close_own_handles(l);
	}
	if (r != 0)
		say_line(
		    s, "the event loop cannot be set up: %s", uv_strerror(r));
	return r == 0;
}

void
main_loop_close(main_loop *l)
{
	if (!l->open)
		return;
	signals_fini();
	close_own_handles(l);
	l->open = false;
}

void
main_loop_turn(main_loop *l)
{
	uv_run(&l->uv, UV_RUN_ONCE);
	uv_idle_stop(&l->due);
}

static void
on_loop_due(uv_idle_t *due)
{
	(void)due;
}

void
main_loop_due(uv_loop_t *uv)
{
	main_loop *l = uv->data;

	uv_idle_start(&l->due, on_loop_due);
}

static void
on_tick(uv_timer_t *tick)
{
	main_loop_due(tick->loop);
}

void
main_loop_tick(main_loop *l, const say *s)
{
	if (s != NULL && s->terminal && !s->quiet)
		uv_timer_start(&l->tick, on_tick, TICK_MS, TICK_MS);
	else
		uv_timer_stop(&l->tick);
}
