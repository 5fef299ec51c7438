/* SPDX-License-Identifier: MIT */
/*
 * Many scripts on one loop: they begin, and so end here, in the order in which
 * they came. Inline, so that no process has a say in it.
 */
#include "scripts/scripts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
note_over(void *ctx, uint32_t number, cm_run *run, const cm_done *done,
    cm_status status)
{
	buf *log = ctx;

	(void)run;
	assert_int_equal(status, CM_OK);
	buf_printf(log, "%u=%.*s ", number, TEXT_ARG(done->value));
}

static void
note_print(void *ctx, uint32_t number, const cm_print *print)
{
	(void)number;
	buf_printf(ctx, "%.*s ", TEXT_ARG(print->text));
}

static void
start_script(scripts *all, uint32_t number, const char *code)
{
	cm_run *run = NULL;

	assert_int_equal(cm_run_new(NULL, text_of(code), NULL, &run), CM_OK);
	assert_true(scripts_start(all, number, run, TEXT_NONE, TEXT_NONE));
}

static void
begin_in_the_order_in_which_they_came(void **state)
{
	buf log = BUF_INIT(NULL, 4096);
	const scripts_hooks hooks = {
	    .ctx = &log, .print = note_print, .over = note_over};
	const upstream_options none = {0};
	const cm_limits limits = {0};
	main_loop loop;
	upstream u;
	scripts all;
	say s;

	(void)state;
	say_init(&s);
	assert_true(main_loop_open(&loop, &s));
	assert_int_equal(upstream_start(&u, &loop, &none, &s), CLI_OK);
	scripts_init(&all, &u, &limits, NULL, hooks);
	start_script(&all, 7, "text('a'); return 1");
	start_script(&all, 3, "text('b'); await new Promise(() => {})");
	start_script(&all, 9, "text('c'); return 2");
	assert_true(scripts_due(&all));
	while (scripts_due(&all))
		scripts_turn(&all);
	start_script(&all, 8, "return 3");
	scripts_turn(&all);
	buf_byte(&log, '\0');
	assert_string_equal(log.ptr, "a 7=1 b 3= c 9=2 8=3 ");
	assert_int_equal(all.len, 0);
	assert_null(all.last);
	scripts_fini(&all);
	upstream_stop(&u, true);
	upstream_fini(&u);
	main_loop_close(&loop);
	buf_fini(&log);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(begin_in_the_order_in_which_they_came),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
