/* SPDX-License-Identifier: MIT */
/*
 * imports.c -- the twelve functions that the module imports: six of QuickJS, six
 * of WASI. Time and randomness come from the run's host; there are no files.
 */
#include "qjs.h"

#define BADF 8u /* WASI: bad file descriptor */

typedef struct Z_env_instance_t env_instance;
typedef struct Z_wasi_snapshot_preview1_instance_t wasi_instance;

/* qjs.c hands the engine itself as both instances. */
static engine *
engine_of(void *instance)
{
	return instance;
}

int
qjs_poll(engine *e)
{
	const engine_host *host = &e->start.host;

	if (e->cut != 0 || (e->ended && !e->finishing))
		return 1;
	e->polls++;
	if (atomic_load_explicit(&e->wall.stop, memory_order_relaxed))
		e->cut = ENGINE_STOPPED;
	else if (e->polls > e->start.polls)
		e->cut = ENGINE_TIMEOUT;
	else if (e->start.deadline_ms != UINT64_MAX &&
		 host->now_ms(host->ctx) >= e->start.deadline_ms)
		e->cut = ENGINE_TIMEOUT;
	return e->cut != 0;
}

/* Polled every 10,000 or so operations; not 0: stop, uncatchably. */
u32
Z_envZ_host_interrupt(env_instance *env)
{
	engine *e = engine_of(env);
	int stop;

	stop = qjs_poll(e);
	return (u32)stop;
}

/* Seconds east of UTC at that second (its upper and lower half). */
u32
Z_envZ_host_get_timezone_offset(env_instance *env, u32 high, u32 low)
{
	engine *e = engine_of(env);
	int64_t at = (int64_t)((uint64_t)high << 32 | low);
	int32_t east;

	east = e->start.host.zone(e->start.host.ctx, at);
	return (u32)east;
}

static void
note_rejection(engine *e, uint32_t promise, uint32_t reason)
{
	bool room =
	    (e->failing != 0 || e->rejections < QJS_REJECTIONS_MAX) &&
	    mem_grow(e->start.alloc, (void **)&e->rejection, &e->rejections_cap,
		e->rejections, sizeof(*e->rejection));

	if (room) {
		e->rejection[e->rejections++] =
		    (qjs_rejection){promise, reason, e->failing};
		e->unseen = true;
		return;
	}
	CALL(e, qjs_free_value, promise);
	CALL(e, qjs_free_value, reason);
}

/* The script has added a handler to this promise. */
static void
drop_rejection(engine *e, uint32_t promise)
{
	js value = qjs_read64(e, promise);
	size_t i;

	for (i = 0; i < e->rejections; i++) {
		qjs_rejection r = e->rejection[i];

		if (qjs_read64(e, r.promise) != value)
			continue;
		memmove(&e->rejection[i], &e->rejection[i + 1],
		    (e->rejections - i - 1) * sizeof(r));
		e->rejections--;
		CALL(e, qjs_free_value, r.promise);
		CALL(e, qjs_free_value, r.reason);
		if (r.call != 0)
			qjs_say_observed(e, r.call);
		return;
	}
}

/* Both are boxes on the module's heap, ours to free. */
void
Z_envZ_host_promise_rejection(
    env_instance *env, u32 promise, u32 reason, u32 is_handled)
{
	engine *e = engine_of(env);

	if (!is_handled) {
		note_rejection(e, promise, reason);
	} else {
		drop_rejection(e, promise);
		CALL(e, qjs_free_value, promise);
		CALL(e, qjs_free_value, reason);
	}
}

/* WASI counts nanoseconds since 1970 in 64 bits, so until 2554: times outside
 * are the nearest that it has. */
static uint64_t
wasi_ns(int64_t us)
{
	if (us < 0)
		return 0;
	return (uint64_t)us > UINT64_MAX / 1000 ? UINT64_MAX
						: (uint64_t)us * 1000;
}

u32
Z_wasi_snapshot_preview1Z_clock_time_get(
    wasi_instance *wasi, u32 clock, u64 precision, u32 at)
{
	engine *e = engine_of(wasi);

	(void)clock, (void)precision;
	qjs_write64(e, at, wasi_ns(e->start.host.epoch_us(e->start.host.ctx)));
	return 0;
}

u32
Z_wasi_snapshot_preview1Z_random_get(wasi_instance *wasi, u32 at, u32 len)
{
	engine *e = engine_of(wasi);
	uint8_t *p = wall_bytes(&e->wall, at, len);

	if (p != NULL)
		random_bytes(&e->random, p, len);
	return 0;
}

/* Discards the engine's own messages: a script has no standard output. */
u32
Z_wasi_snapshot_preview1Z_fd_write(
    wasi_instance *wasi, u32 fd, u32 iov, u32 n, u32 written)
{
	engine *e = engine_of(wasi);
	uint64_t total = 0;
	uint8_t *p;
	u32 i;

	(void)fd;
	for (i = 0; i < n && i < 1024; i++)
		total += qjs_read32(e, iov + i * 8 + 4);
	if ((p = wall_bytes(&e->wall, written, 4)) != NULL)
		memcpy(p, &total, 4);
	return 0;
}

u32
Z_wasi_snapshot_preview1Z_fd_close(wasi_instance *wasi, u32 fd)
{
	(void)wasi, (void)fd;
	return BADF;
}

u32
Z_wasi_snapshot_preview1Z_fd_fdstat_get(wasi_instance *wasi, u32 fd, u32 at)
{
	(void)wasi, (void)fd, (void)at;
	return BADF;
}

u32
Z_wasi_snapshot_preview1Z_fd_seek(
    wasi_instance *wasi, u32 fd, u64 offset, u32 whence, u32 at)
{
	(void)wasi, (void)fd, (void)offset, (void)whence, (void)at;
	return BADF;
}

/* Not used: host functions are table entries (ops.c), and there are no
 * modules. */
u32
Z_envZ_host_call(
    env_instance *env, u32 name, u32 len, u32 this, u32 argc, u32 argv)
{
	(void)env, (void)name, (void)len, (void)this, (void)argc, (void)argv;
	return 0;
}

u32
Z_envZ_host_module_normalize(env_instance *env, u32 base, u32 name)
{
	(void)env, (void)base, (void)name;
	return 0;
}

u32
Z_envZ_host_module_load(env_instance *env, u32 name, u32 len)
{
	(void)env, (void)name, (void)len;
	return 0;
}
