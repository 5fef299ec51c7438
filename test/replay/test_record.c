/* SPDX-License-Identifier: MIT */
/*
 * test_record.c -- the file of a record: written and read back, cut, changed,
 * of another version; and runs that do something else than it says.
 */
#include "unit.h"

#include "recorded.h"

static const char SCRIPT[] = "const a = await tools.a({ n: 1 });\n"
			     "text(`one ${a.id}`);\n"
			     "const b = await tools.a({ n: 2, a });\n"
			     "return [a, b, Math.random(), Date.now()];\n";

/* An owner that answers each call at once with {"id": …}. */
static recorded
record_text(const char *script, cm_run_options opts)
{
	cm_tool tool = {.name = TEXT("a"),
	    .description = TEXT("one\n\"two\""),
	    .signature = TEXT("(n: number): Promise<{ id: number }>"),
	    .flags = CM_TOOL_GLOBAL | CM_TOOL_READS};
	cm_start start = {.epoch_ms = 1, .seed = {1, 2, 255}};
	recorder rec = {0};
	recorded r = {NULL, 0};
	uint64_t now = 5;
	cm_catalog *cat;
	cm_step step;
	cm_run *run;
	char value[32];

	start.log = recorder_line;
	start.ctx = &rec;
	opts.start = &start;
	rec.to = open_memstream(&r.bytes, &r.len);
	must(cm_catalog_new(NULL, &cat) == CM_OK);
	must(cm_catalog_add(cat, &tool) == CM_OK);
	must(cm_run_new(cat, text_of(script), &opts, &run) == CM_OK);
	must(recorder_begin(&rec, run, cat, text_of(script), &opts) == NULL);
	do {
		must(cm_run_next(run, now, &step) == CM_OK);
		if (step.kind == CM_STEP_CALL) {
			snprintf(value, sizeof(value), "{\"id\":%u}",
			    step.u.call.id);
			cm_run_resolve(run, step.u.call.id, text_of(value));
		} else if (step.kind == CM_STEP_WAIT) {
			now = step.u.wait.until_ms;
		}
	} while (step.kind != CM_STEP_DONE);
	must(recorder_close(&rec, true) == NULL);
	cm_run_free(run);
	cm_catalog_free(cat);
	return r;
}

/* The last line of a file that was changed, made anew. */
static void
sum_again(buf *file)
{
	FILE *nowhere = fopen("/dev/null", "w");
	recorder rec = {.to = nowhere};
	text rest = buf_view(file), line;
	buf whole = BUF_INIT(NULL, 1 << 20);

	while (
	    text_line(&rest, &line) && !text_starts(line, TEXT("{\"lines\""))) {
		recorder_line(&rec, line);
		buf_text(&whole, line);
		buf_byte(&whole, '\n');
	}
	buf_printf(&whole, "{\"lines\":%llu,\"fnv1a\":\"%016llx\"}\n",
	    (unsigned long long)rec.lines, (unsigned long long)rec.sum);
	fclose(nowhere);
	buf_fini(file);
	*file = whole;
}

static buf
replaced(text file, const char *from, const char *to)
{
	size_t at = text_find(file, text_of(from), 0);
	buf b = BUF_INIT(NULL, 1 << 20);

	must(at != SIZE_MAX);
	buf_text(&b, text_sub(file, 0, at));
	buf_str(&b, to);
	buf_text(&b, text_sub(file, at + strlen(from), file.len));
	return b;
}

static const char *
why_not(text file)
{
	static char why[160];
	recording r;
	const char *wrong = recording_read(&r, file, why);

	recording_fini(&r);
	return wrong;
}

static void
a_cut_record_is_refused(void **state)
{
	recorded r = record_text(SCRIPT, (cm_run_options)CM_RUN_OPTIONS_INIT);
	text file = recorded_text(&r);

	(void)state;
	assert_null(why_not(file));
	for (size_t n = 0; n < file.len; n++)
		assert_non_null(why_not(text_sub(file, 0, n)));
	assert_string_equal(why_not(text_sub(file, 0, file.len - 1)),
	    "it was cut: its last line is missing");
	assert_string_equal(
	    why_not(TEXT("")), "it is no record of codemode run");
	assert_string_equal(
	    why_not(TEXT("return 1\n")), "it is no record of codemode run");
	free(r.bytes);
}

static void
a_changed_record_is_refused(void **state)
{
	recorded r = record_text(SCRIPT, (cm_run_options)CM_RUN_OPTIONS_INIT);
	text file = recorded_text(&r);
	buf b = replaced(file, "{\"id\":1}", "{\"id\":7}");

	(void)state;
	assert_string_equal(why_not(buf_view(&b)),
	    "it was changed: the checksum is of another text");
	buf_fini(&b);
	for (size_t i = 0; i < file.len; i++) {
		r.bytes[i] ^= 1;
		assert_non_null(why_not(file));
		r.bytes[i] ^= 1;
	}
	assert_null(why_not(file));
	free(r.bytes);
}

static void
another_version_is_named(void **state)
{
	recorded r = record_text(SCRIPT, (cm_run_options)CM_RUN_OPTIONS_INIT);
	buf b = replaced(
	    recorded_text(&r), "\"codemodeRecord\":1", "\"codemodeRecord\":2");

	(void)state;
	sum_again(&b);
	assert_string_equal(why_not(buf_view(&b)),
	    "it is of version 2, and this codemode reads version 1");
	buf_fini(&b);
	free(r.bytes);
}

static void
what_a_run_was_given_comes_back(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	recorded_run run;
	recording rec;
	char why[160];
	cm_tool tool;
	recorded r;

	(void)state;
	o.store = TEXT("{ \"k\":\n[1] }");
	o.data = TEXT("\"\\u2028\"");
	o.flags = CM_RUN_RAW;
	o.limits.calls = 7;
	o.limits.polls = 100000;
	o.limits.value = CM_NO_LIMIT;
	r = record_text("// \"\\ \xe2\x80\xa8 \xf0\x9f\x98\x80\nreturn 1", o);
	assert_null(recording_read(&rec, recorded_text(&r), why));
	assert_null(recorded_run_read(&run, rec.head));
	assert_text(buf_view(&run.script),
	    TEXT("// \"\\ \xe2\x80\xa8 \xf0\x9f\x98\x80\nreturn 1"));
	assert_text(run.options.store, o.store);
	assert_text(run.options.data, o.data);
	assert_int_equal(run.options.flags, CM_RUN_RAW);
	assert_memory_equal(&run.options.limits, &o.limits, sizeof(o.limits));
	assert_int_equal(run.start.epoch_ms, 1);
	assert_int_equal(run.start.seed[2], 255);
	assert_int_equal(cm_catalog_len(run.catalog), 1);
	assert_int_equal(cm_catalog_get(run.catalog, 0, &tool, NULL), CM_OK);
	assert_text(tool.description, TEXT("one\n\"two\""));
	assert_text(
	    tool.signature, TEXT("(n: number): Promise<{ id: number }>"));
	assert_int_equal(tool.flags, CM_TOOL_GLOBAL | CM_TOOL_READS);
	recorded_run_fini(&run);
	recording_fini(&rec);
	free(r.bytes);
}

/* Makes the run of the file again, with another script if there is one.
 * Returns the number of the line from which on it is another, 0: none; *got is
 * what the new run did there. */
static size_t
line_that_differs(text file, const char *script, buf *got)
{
	cm_done done;
	replaying p;
	recording rec;
	char why[160];
	size_t line;

	*got = BUF_INIT(NULL, 1 << 20);
	assert_null(recording_read(&rec, file, why));
	assert_null(replaying_init(&p, &rec));
	if (script != NULL) {
		buf_clear(&p.given.script);
		buf_str(&p.given.script, script);
	}
	assert_int_equal(replaying_run(&p, NULL, &done), CM_OK);
	line = p.diverged ? p.heard + 2 : 0;
	buf_text(got, buf_view(&p.got));
	replaying_fini(&p);
	recording_fini(&rec);
	return line;
}

/* The answer waits for its turn when the time of the call is over: what the
 * owner says then is no second answer. */
static void
a_call_is_answered_once(void **state)
{
	const cm_tool tool = {.name = TEXT("f")};
	cm_start start = {.epoch_ms = 0};
	cm_run_options opts = CM_RUN_OPTIONS_INIT;
	cm_catalog *cat;
	cm_call_id id = 0;
	cm_step step;
	cm_run *run;
	uint64_t now = 5;
	unsigned stops = 0;

	(void)state;
	opts.start = &start;
	must(cm_catalog_new(NULL, &cat) == CM_OK);
	must(cm_catalog_add(cat, &tool) == CM_OK);
	must(cm_run_new(cat,
		 TEXT("await tools.f({}, { timeoutMs: 3 }).catch(() => 1);\n"
		      "await codemode.sleep(9)"),
		 &opts, &run) == CM_OK);
	do {
		must(cm_run_next(run, now, &step) == CM_OK);
		if (step.kind == CM_STEP_CALL) {
			id = step.u.call.id;
		} else if (step.kind == CM_STEP_ABORT) {
			stops++;
			assert_int_equal(cm_run_stopped(run, id), CM_ENOCALL);
		} else if (step.kind == CM_STEP_WAIT) {
			now = step.u.wait.until_ms;
			if (now != 8)
				continue;
			assert_int_equal(
			    cm_run_resolve(run, id, TEXT("1")), CM_OK);
			assert_int_equal(
			    cm_run_resolve(run, id, TEXT("2")), CM_ENOCALL);
		}
	} while (step.kind != CM_STEP_DONE);
	assert_int_equal(stops, 1);
	assert_int_equal(step.u.done.end, CM_END_OK);
	cm_run_free(run);
	cm_catalog_free(cat);
}

static void
a_changed_answer_shows_where_it_matters(void **state)
{
	recorded r = record_text(SCRIPT, (cm_run_options)CM_RUN_OPTIONS_INIT);
	buf b = replaced(
	    recorded_text(&r), "\"value\":{\"id\":1}", "\"value\":{\"id\":9}");
	buf got;

	(void)state;
	sum_again(&b);
	/* Head, call 1, its answer, and then the text: line 4. */
	assert_int_equal(line_that_differs(buf_view(&b), NULL, &got), 4);
	assert_text(buf_view(&got),
	    TEXT("{\"ms\":0,\"print\":\"text\",\"text\":\"one 9\"}"));
	buf_fini(&got);
	buf_fini(&b);
	free(r.bytes);
}

static void
a_changed_script_is_told_by_call_and_line(void **state)
{
	recorded r = record_text(SCRIPT, (cm_run_options)CM_RUN_OPTIONS_INIT);
	buf got;

	(void)state;
	assert_int_equal(line_that_differs(recorded_text(&r), SCRIPT, &got), 0);
	buf_fini(&got);
	assert_int_equal(line_that_differs(recorded_text(&r),
			     "const a = await tools.a({ n: 1 });\n"
			     "text(`one ${a.id}`);\n\n"
			     "return tools.a({ n: 3, a });\n",
			     &got),
	    5);
	assert_text(buf_view(&got),
	    TEXT("{\"ms\":0,\"call\":2,\"tool\":\"a\","
		 "\"args\":{\"n\":3,\"a\":{\"id\":1}},\"line\":4}"));
	buf_fini(&got);
	free(r.bytes);
}

/* The script waits for what the record does not have. */
static void
a_missing_answer_is_told(void **state)
{
	recorded r = record_text(
	    "await tools.a(); return 1", (cm_run_options)CM_RUN_OPTIONS_INIT);
	buf b = replaced(recorded_text(&r),
	    "{\"ms\":0,\"answer\":1,\"value\":{\"id\":1}}\n", "");
	buf got;

	(void)state;
	sum_again(&b);
	assert_int_equal(line_that_differs(buf_view(&b), NULL, &got), 3);
	buf_fini(&got);
	buf_fini(&b);
	free(r.bytes);
}

/* A record may say anything: no bytes are read that are not there. */
static void
a_length_is_not_believed(void **state)
{
	recorded r = record_text(SCRIPT, (cm_run_options)CM_RUN_OPTIONS_INIT);
	static const char *const length[] = {"\"tooLong\":5", "\"tooLong\":-1",
	    "\"tooLong\":67108865", "\"failure\":{\"tooLong\":9000}"};
	buf got;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		buf b = replaced(
		    recorded_text(&r), "\"value\":{\"id\":1}", length[i]);

		sum_again(&b);
		assert_int_not_equal(
		    line_that_differs(buf_view(&b), NULL, &got), 0);
		buf_fini(&got);
		buf_fini(&b);
	}
	free(r.bytes);
}

/* It gets less far, or further, than that of the record. */
static void
a_script_that_computed_is_compared_up_to_its_stop(void **state)
{
	static const char *printed =
	    "{\"ms\":0,\"print\":\"text\",\"text\":\"a\"}\n";
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	recorded r;
	buf got, b;

	(void)state;
	o.limits.wall_ms = 100;
	r = record_text("text('a'); for (;;);", o);
	assert_int_equal(line_that_differs(recorded_text(&r), NULL, &got), 0);
	buf_fini(&got);
	b = replaced(recorded_text(&r), printed, "");
	sum_again(&b);
	assert_int_equal(line_that_differs(buf_view(&b), NULL, &got), 0);
	buf_fini(&got);
	assert_int_equal(
	    line_that_differs(recorded_text(&r), "for (;;);", &got), 0);
	buf_fini(&got);
	assert_int_equal(
	    line_that_differs(recorded_text(&r), "text('b'); for (;;);", &got),
	    2);
	buf_fini(&got);
	buf_fini(&b);
	free(r.bytes);
}

static void
a_timeout_while_it_waits_is_the_same_again(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	recorded r;
	buf got;

	(void)state;
	o.limits.wall_ms = 1000;
	r = record_text("text(1); await codemode.sleep(5000); text(2)", o);
	assert_true(text_find(recorded_text(&r), TEXT("\"kind\":\"timeout\""),
			0) != SIZE_MAX);
	assert_int_equal(line_that_differs(recorded_text(&r), NULL, &got), 0);
	buf_fini(&got);
	free(r.bytes);
}

/* Answers wait for the next cm_run_next, and what they find wrong is said to
 * the script alone. */
static void
a_start_needs_a_clock_of_its_own(void **state)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_start start = {.epoch_ms = -1};
	cm_host host = {0};
	cm_run *run;

	(void)state;
	o.start = &start;
	assert_int_equal(cm_run_new(NULL, TEXT("1"), &o, &run), CM_EINPUT);
	start.epoch_ms = 18000000000001;
	assert_int_equal(cm_run_new(NULL, TEXT("1"), &o, &run), CM_EINPUT);
	start.epoch_ms = 0;
	o.host = &host;
	assert_int_equal(cm_run_new(NULL, TEXT("1"), &o, &run), CM_EMISUSE);
	o.host = NULL;
	assert_int_equal(cm_run_new(NULL, TEXT("1"), &o, &run), CM_OK);
	cm_run_free(run);
}

/* The same inputs have the same fingerprint, each other input another one. */
static void
a_fingerprint_is_of_all_that_acts(void **state)
{
	static const text script[] = {TEXT_INIT("1"), TEXT_INIT("2")};
	static const text json_of[] = {TEXT_INIT("{}"), TEXT_INIT("{\"a\":1}")};
	char seen[7][512];
	unsigned i, k;

	(void)state;
	for (i = 0; i < 7; i++) {
		cm_run_options o = CM_RUN_OPTIONS_INIT;
		cm_start start = {.epoch_ms = i == 1, .seed = {i == 2}};
		cm_run *run;

		o.start = &start;
		o.store = json_of[i == 3];
		o.data = json_of[i == 4];
		o.limits.calls = i == 5;
		must(cm_run_new(NULL, script[i == 6], &o, &run) == CM_OK);
		snprintf(seen[i], sizeof(seen[i]), "%s",
		    cm_run_fingerprint(run).ptr);
		cm_run_free(run);
		for (k = 0; k < i; k++)
			assert_string_not_equal(seen[k], seen[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_cut_record_is_refused),
	    cmocka_unit_test(a_changed_record_is_refused),
	    cmocka_unit_test(another_version_is_named),
	    cmocka_unit_test(what_a_run_was_given_comes_back),
	    cmocka_unit_test(a_call_is_answered_once),
	    cmocka_unit_test(a_changed_answer_shows_where_it_matters),
	    cmocka_unit_test(a_changed_script_is_told_by_call_and_line),
	    cmocka_unit_test(a_missing_answer_is_told),
	    cmocka_unit_test(a_length_is_not_believed),
	    cmocka_unit_test(a_script_that_computed_is_compared_up_to_its_stop),
	    cmocka_unit_test(a_timeout_while_it_waits_is_the_same_again),
	    cmocka_unit_test(a_start_needs_a_clock_of_its_own),
	    cmocka_unit_test(a_fingerprint_is_of_all_that_acts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
