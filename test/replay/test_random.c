/* SPDX-License-Identifier: MIT */
/*
 * test_random.c -- random scripts, recorded with random answers in a random
 * order, and made again in the other place, another thread and another time
 * zone.
 */
#include "unit.h"

#include "recorded.h"
#include "self.h"

#include <pthread.h>

static cm_catalog *catalog_of_tools;
static cm_place *process;

/* ------------------------------------------------------------- the scripts */

static void put_block(buf *b, unsigned depth);

static void
put_call(buf *b)
{
	static const char *const tool[] = {
	    "tools.a.x", "tools.a.y", "tools.b.x", "tools.c", "c"};
	static const char *const options[] = {"", "", "", ", { timeoutMs: 3 }",
	    ", { timeoutMs: 40 }", ", { signal: s }"};

	buf_printf(b, "%s({ n: %u, r: Math.random(), t: Date.now() }%s)",
	    tool[chance(5)], chance(100), options[chance(6)]);
}

static void
put_calls(buf *b)
{
	for (unsigned i = 0, n = 1 + chance(4); i < n; i++) {
		buf_str(b, i > 0 ? ", " : "[");
		put_call(b);
	}
	buf_byte(b, ']');
}

static void
put_group(buf *b)
{
	static const char *const group[] = {"Promise.all", "Promise.race",
	    "Promise.allSettled", "codemode.all", "codemode.race"};

	buf_printf(b, "log(await %s(", group[chance(5)]);
	put_calls(b);
	buf_str(b, "));");
}

static void
put_statement(buf *b, unsigned depth)
{
	switch (chance(depth > 0 ? 15 : 11)) {
	case 0:
	case 1:
		buf_str(b, "log(await ");
		put_call(b);
		buf_str(b, ");");
		break;
	case 2:
		put_group(b);
		break;
	case 3:
		put_call(b);
		buf_str(b, ";");
		break;
	case 4:
		buf_printf(b, "await codemode.sleep(%u);", chance(30));
		break;
	case 5:
		buf_str(b, "log(Date.now(), performance.now(), Math.random(), "
			   "new Date().toString());");
		break;
	case 6:
		buf_str(b, "text(crypto.randomUUID());");
		break;
	case 7:
		buf_str(b, "store('n', load('n') + 1); log(load('n'), data);");
		break;
	case 8:
		buf_str(b,
		    "log(typeof WeakRef, typeof FinalizationRegistry, "
		    "Intl.DateTimeFormat().resolvedOptions().timeZone);");
		break;
	case 9:
		buf_printf(b, "if (Math.random() < 0.1) control.abort();");
		break;
	case 10:
		buf_printf(b, "if (Math.random() < 0.02) %s;",
		    chance(2) ? "exit()" : "throw new Error('end')");
		break;
	case 11:
		buf_str(b, "try {");
		put_block(b, depth - 1);
		buf_str(b, "} catch (e) { log(String(e), e.code, e.stack); }");
		break;
	case 12:
		buf_str(b, "(async () => {");
		put_block(b, depth - 1);
		buf_str(b, "})();");
		break;
	case 13:
		buf_str(b, "setTimeout(async () => {");
		put_block(b, depth - 1);
		buf_printf(b, "}, %u);", chance(20));
		break;
	case 14:
		buf_str(b, "await Promise.all([0, 1, 2].map(async (i) => {");
		put_block(b, depth - 1);
		buf_str(b, "}));");
		break;
	}
	buf_byte(b, '\n');
}

static void
put_block(buf *b, unsigned depth)
{
	for (unsigned i = 0, n = 1 + chance(4); i < n; i++)
		put_statement(b, depth);
}

static void
write_script(buf *b)
{
	buf_str(b,
	    "const control = new AbortController(), s = control.signal;\n"
	    "const log = (...v) => console.log(...v);\n");
	for (unsigned i = 0, n = 2 + chance(4); i < n; i++)
		put_block(b, 3);
	buf_str(b, "return [Date.now(), Math.random()];\n");
}

/* ----------------------------------------------------------------- replays */

typedef struct again {
	const recording *record;
	cm_place *place;
	replaying replaying;
	cm_status status;
} again;

static void *
make_again(void *arg)
{
	again *a = arg;
	cm_done done;

	must(replaying_init(&a->replaying, a->record) == NULL);
	a->status = replaying_run(&a->replaying, a->place, &done);
	return NULL;
}

static bool
is_same_run(const recording *record, cm_place *place)
{
	again a = {.record = record, .place = place};
	pthread_t thread;
	bool same;

	must(pthread_create(&thread, NULL, make_again, &a) == 0);
	must(pthread_join(thread, NULL) == 0);
	same = a.status == CM_OK && !a.replaying.diverged;
	if (!same)
		printf("line %zu\n- %.*s\n+ %.*s\n", a.replaying.heard + 2,
		    TEXT_ARG(a.replaying.heard < record->len
				 ? record->line[a.replaying.heard]
				 : TEXT_NONE),
		    TEXT_ARG(buf_view(&a.replaying.got)));
	replaying_fini(&a.replaying);
	return same;
}

static void
set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void
one_script(uint64_t seed)
{
	cm_place *first = seed % 2 ? process : NULL;
	cm_place *second = seed % 2 ? NULL : process;
	buf script = BUF_INIT(NULL, 1 << 20);
	recording read;
	recorded r;
	char why[160];

	chance_state = seed * 7919 + 1;
	write_script(&script);
	set_zone("America/New_York");
	r = record_script(catalog_of_tools, buf_view(&script), first);
	assert_null(recording_read(&read, recorded_text(&r), why));
	set_zone("Asia/Tokyo");
	if (!is_same_run(&read, second) ||
	    (seed % 8 < 2 && !is_same_run(&read, first))) {
		printf("seed %llu, recorded %s:\n%.*s\n%.*s",
		    (unsigned long long)seed, first ? "process" : "inline",
		    TEXT_ARG(buf_view(&script)), TEXT_ARG(recorded_text(&r)));
		fail();
	}
	recording_fini(&read);
	free(r.bytes);
	buf_fini(&script);
}

static void
every_script_is_the_same_in_the_other_place(void **state)
{
	const char *only = getenv("REPLAY_SEED");

	(void)state;
	if (only != NULL) {
		one_script(strtoull(only, NULL, 10));
		return;
	}
	for (uint64_t seed = 1; seed <= thorough(100, 2000); seed++)
		one_script(seed);
}

/* Inline the owner's numbers come in the same order each time. */
static void
recorded_twice_it_is_the_same_file(void **state)
{
	buf script = BUF_INIT(NULL, 1 << 20);
	recorded r[2];

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		buf_clear(&script);
		chance_state = seed;
		write_script(&script);
		for (int i = 0; i < 2; i++) {
			chance_state = seed;
			r[i] = record_script(
			    catalog_of_tools, buf_view(&script), NULL);
		}
		assert_true(
		    text_eq(recorded_text(&r[0]), recorded_text(&r[1])));
		free(r[0].bytes);
		free(r[1].bytes);
	}
	buf_fini(&script);
}

static int
open_all(void **state)
{
	static const cm_tool tool[] = {
	    {{"a", 1}, {"x", 1}, {"the first", 9}, {"", 0}, {"", 0}, 0,
		{"", 0}},
	    {{"a", 1}, {"y", 1}, {"", 0}, {"{ \"type\":\n\"object\" }", 20},
		{"", 0}, CM_TOOL_READS, {"", 0}},
	    {{"b", 1}, {"x", 1}, {"", 0}, {"", 0},
		{"{\"type\":\"number\"}", 17}, 0, {"", 0}},
	    {{"", 0}, {"c", 1}, {"", 0}, {"", 0}, {"", 0}, CM_TOOL_GLOBAL,
		{"", 0}},
	};
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;

	(void)state;
	o.worker = WORKER;
	must(cm_place_process(NULL, &o, &process) == CM_OK);
	must(cm_catalog_new(NULL, &catalog_of_tools) == CM_OK);
	for (size_t i = 0; i < sizeof(tool) / sizeof(*tool); i++)
		must(cm_catalog_add(catalog_of_tools, &tool[i]) == CM_OK);
	return 0;
}

static int
close_all(void **state)
{
	(void)state;
	cm_catalog_free(catalog_of_tools);
	cm_place_free(process);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(recorded_twice_it_is_the_same_file),
	    cmocka_unit_test(every_script_is_the_same_in_the_other_place),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
