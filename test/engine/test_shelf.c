/* SPDX-License-Identifier: MIT */
/*
 * test_shelf.c -- nothing of a run is left in the memory that the next one
 * gets, however it ended.
 *
 * Each script runs and is freed; a memory opened after that must be the image,
 * byte for byte, and zeros around it.
 */
#include "unit.h"

#include "engine/quickjs/qjs.h"

#include <codemode/codemode.h>
#include <pthread.h>
#include <unistd.h>

typedef struct job {
	const char *script;
	uint64_t wall_ms;
	cm_end end;
} job;

static const job jobs[] = {
    {"return 1", 0, CM_END_OK},
    {"return 'secret '.repeat(20000).length", 0, CM_END_OK},
    {"return new Array(1000000).fill('secret').length", 0, CM_END_OK},
    {"globalThis.left = ['secret']; throw new Error('secret')", 0,
	CM_END_SCRIPT},
    {"const f = (n) => n > 0 ? f(n - 1) + 1 : 0; return f(300)", 0, CM_END_OK},
    {"const f = (n) => n > 0 ? f(n - 1) + 1 : 0; return f(8000)", 0, CM_END_OK},
    {"function f() { return f() + 1 } f()", 0, CM_END_SCRIPT},
    {"for (;;);", 20, CM_END_TIMEOUT},
    {"const s = 'c'.repeat(2e6); for (;;) s.lastIndexOf('d')", 20,
	CM_END_TIMEOUT},
    {"const a = []; for (;;) a.push(new Uint8Array(4e6).fill(1))", 0,
	CM_END_SCRIPT},
    {"return Math.random() + Date.now() > 0", 0, CM_END_OK},
    {"Promise.reject(new Error('not looked at')); return 1", 0, CM_END_OK},
    {"await new Promise(() => {})", 0, CM_END_SCRIPT},
};
#define JOBS (sizeof(jobs) / sizeof(jobs[0]))

static cm_run *
run(const job *j)
{
	cm_run_options opts = CM_RUN_OPTIONS_INIT;
	cm_driver d = {0};
	cm_done done;
	cm_run *r;

	opts.limits.wall_ms = j->wall_ms;
	opts.limits.heap = 32u << 20;
	assert_int_equal(
	    cm_run_new(NULL, text_of(j->script), &opts, &r), CM_OK);
	assert_int_equal(cm_run_drive(r, &d, &done), CM_OK);
	if (done.end != j->end)
		fail_msg("%s: ended %d", j->script, (int)done.end);
	return r;
}

static bool
all_zero(const uint8_t *p, size_t len)
{
	return p[0] == 0 && memcmp(p, p + 1, len - 1) == 0;
}

/* A memory as wall_open gives it is the image. */
static uint8_t *
open_and_look(const char *after)
{
	const wall_image *image = &qjs_image_baked.memory;
	uint32_t grown;
	uint8_t *base;
	wall w;

	assert_true(wall_open(&w, image, 8u << 20));
	base = w.base;
	assert_int_equal(wall_size(&w), image->to);
	if (!all_zero(base + image->to + 65536, WALL_SHADOW - 65536))
		fail_msg("the stack is not clean after: %s", after);
	if (memcmp(base + image->from, image->bytes, image->to - image->from))
		fail_msg("the image is not clean after: %s", after);
	grown = wasm_rt_grow_memory(&w.wasm.w2c_memory, 16);
	assert_int_equal(grown, wall_stack_top(image) / 65536);
	if (!all_zero(base + wall_stack_top(image), 16u << 16))
		fail_msg("what was grown is not clean after: %s", after);
	memset(base + wall_stack_top(image), 1, 16u << 16);
	wall_close(&w);
	return base;
}

static void
test_clean_after_each_end(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < 3 * JOBS; i++) {
		cm_run_free(run(&jobs[i % JOBS]));
		open_and_look(jobs[i % JOBS].script);
	}
}

static void
test_memories_are_used_again(void **state)
{
	uint8_t *first, *second;
	bool kept = access("/proc/self/pagemap", R_OK) == 0;

	(void)state;
	cm_run_free(run(&jobs[0]));
	first = open_and_look("the first");
	second = open_and_look("the second");
	/* Where the kernel does not say what was written, none is. */
	if (kept)
		assert_ptr_equal(first, second);
}

static void *
free_elsewhere(void *r)
{
	cm_run_free(r);
	cm_run_free(run(&jobs[1]));
	open_and_look("a run of another thread");
	return NULL;
}

static void
test_freed_by_another_thread(void **state)
{
	pthread_t t;
	int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		assert_int_equal(pthread_create(&t, NULL, free_elsewhere,
				     run(&jobs[i % 2 ? 1 : 3])),
		    0);
		assert_int_equal(pthread_join(t, NULL), 0);
		open_and_look("a run that another thread freed");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_clean_after_each_end),
	    cmocka_unit_test(test_memories_are_used_again),
	    cmocka_unit_test(test_freed_by_another_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
