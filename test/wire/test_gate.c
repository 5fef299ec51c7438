/* SPDX-License-Identifier: MIT */
/*
 * test_gate.c -- what the gate lets through, refuses and calls broken; one
 * table line a message.
 */
#include "unit/unit.h"

#include "gate/gate.h"

static const gate_limits few = {
    .tools = 2, .calls = 3, .output = 10, .items = 3, .value = 20, .args = 8};

/* One message after those before it in the same row, and the answer to it. */
typedef struct row {
	gate_answer want;
	const char *code; /* of a refusal, or words of what is broken */
	said m;
} row;

#define CALL_OF(i, which, json)                 \
	{                                       \
		.kind = SAID_CALL, .u.call = {  \
			.id = i,                \
			.tool = which,          \
			.args = TEXT_INIT(json) \
		}                               \
	}
#define PRINT_WITH(k, words, mime_type, beside)  \
	{                                        \
		.kind = SAID_PRINT, .u.print = { \
			(uint32_t)(k),           \
			TEXT_INIT(words),        \
			TEXT_INIT(mime_type),    \
			TEXT_INIT(beside)        \
		}                                \
	}
#define PRINT_OF(k, words, mime_type) PRINT_WITH(k, words, mime_type, "")
#define TIMER_OF(i)                                     \
	{                                               \
		.kind = SAID_TIMER, .u.timer = { i, 1 } \
	}
#define WARN_OF(json)                                                     \
	{                                                                 \
		.kind = SAID_WARN, .u.warn = { {json, sizeof(json) - 1} } \
	}
#define FAIL_OF(json)                                                     \
	{                                                                 \
		.kind = SAID_FAIL, .u.fail = { {json, sizeof(json) - 1} } \
	}
#define DONE_OF(json, w)                          \
	{                                         \
		.kind = SAID_DONE, .u.done = {    \
			{json, sizeof(json) - 1}, \
			{w, sizeof(w) - 1}        \
		}                                 \
	}

/* A gate that has let PREPARED through. */
static void
begin(gate *g, const gate_limits *limits)
{
	said m = {.kind = SAID_PREPARED};
	verdict v;

	gate_init(g, limits);
	assert_int_equal(gate_check(g, &m, &v), GATE_PASS);
	assert_int_equal(gate_check(g, &m, &v), GATE_BROKEN);
}

static void
play(const gate_limits *limits, const row *rows, size_t n)
{
	gate g;
	verdict v;

	begin(&g, limits);
	for (size_t i = 0; i < n; i++) {
		gate_answer got = gate_check(&g, &rows[i].m, &v);

		if (got != rows[i].want)
			fail_msg("row %zu: %d: %s", i, got,
			    v.code ? v.why : "passed");
		if (rows[i].want == GATE_REFUSED)
			assert_string_equal(v.code, rows[i].code);
		if (rows[i].want == GATE_BROKEN)
			assert_non_null(strstr(v.why, rows[i].code));
		if (rows[i].want == GATE_PASS)
			assert_null(v.code);
	}
}

#define PLAY_IN(limits, ...)                                        \
	do {                                                        \
		static const row rows[] = {__VA_ARGS__};            \
		play(limits, rows, sizeof(rows) / sizeof(rows[0])); \
	} while (0)
#define PLAY(...) PLAY_IN(&few, __VA_ARGS__)

static void
calls(void **state)
{
	(void)state;
	PLAY({GATE_BROKEN, "out of order", CALL_OF(0, 0, "")},
	    {GATE_BROKEN, "out of order", CALL_OF(2, 0, "")},
	    {GATE_BROKEN, "not there", CALL_OF(1, 2, "")},
	    {GATE_BROKEN, "not there", CALL_OF(1, UINT32_MAX, "")},
	    {GATE_BROKEN, "not JSON", CALL_OF(1, 0, "{")},
	    {GATE_BROKEN, "not JSON", CALL_OF(1, 0, "\"\xff\"")},
	    {GATE_REFUSED, "ArgumentLimit", CALL_OF(1, 0, "123456789")},
	    {GATE_PASS, NULL, CALL_OF(1, 0, "12345678")},
	    {GATE_BROKEN, "out of order", CALL_OF(1, 0, "")},
	    {GATE_PASS, NULL, CALL_OF(2, 1, "")},
	    {GATE_PASS, NULL, CALL_OF(3, 1, "null")},
	    {GATE_REFUSED, "CallLimit", CALL_OF(4, 1, "")});
}

static void
calls_say_no_stack(void **state)
{
	said m = CALL_OF(1, 0, "");
	verdict v;
	gate g;

	(void)state;
	begin(&g, &few);
	m.u.call.stack = TEXT("f");
	assert_int_equal(gate_check(&g, &m, &v), GATE_BROKEN);
	assert_non_null(strstr(v.why, "a call with a stack"));
}

/* Each counter at its limit, and one over it. */
static void
counters_have_limits(void **state)
{
	const gate full = {.limits = few,
	    .calls = few.calls,
	    .output = few.output,
	    .items = few.items,
	    .args = few.args * GATE_ARGS,
	    .grouped = few.calls,
	    .timers = GATE_TIMERS + 7,
	    .timers_over = 7};
	gate g = full;

	(void)state;
	assert_true(gate_ok(&full));
#define OVER(member)                       \
	do {                               \
		g.member++;                \
		assert_false(gate_ok(&g)); \
		g = full;                  \
	} while (0)
	OVER(output);
	OVER(items);
	OVER(args);
	OVER(grouped);
	OVER(timers);
	g.grouped = 0;
	g.calls++;
	assert_false(gate_ok(&g));
	g = full;
	g.timers_over = g.timers;
	assert_true(gate_ok(&g));
	g.timers_over++;
	assert_false(gate_ok(&g));
	g = full;
	g.limits.args = UINT64_MAX / GATE_ARGS;
	g.args = g.limits.args * GATE_ARGS;
	assert_true(gate_ok(&g));
	g.args++;
	assert_false(gate_ok(&g));
	g.limits.args++;
	g.args = UINT64_MAX;
	assert_true(gate_ok(&g));
}

static void
longest_print(void **state)
{
	gate_limits l = few;

	(void)state;
	assert_int_equal(gate_print_max(&l), 3 * few.output);
	l.output = GATE_TEXT_MAX / 3;
	assert_int_equal(gate_print_max(&l), 3 * l.output);
	l.output++;
	assert_int_equal(gate_print_max(&l), GATE_TEXT_MAX);
	l.output = UINT64_MAX;
	assert_int_equal(gate_print_max(&l), GATE_TEXT_MAX);
}

/* `open`, spaces and `close`, of n bytes. Freed by the caller. */
static text
long_json(char open, char close, size_t n)
{
	char *p = malloc(n);

	assert_non_null(p);
	memset(p, ' ', n);
	p[0] = open;
	p[n - 1] = close;
	return (text){p, n};
}

static gate_answer
check_alone(const said *m)
{
	verdict v;
	gate g;

	begin(&g, &few);
	g.calls = 1;
	return gate_check(&g, m, &v);
}

/* Each text with as many bytes as it may have, and with one more. */
static void
longest_texts(void **state)
{
	said m = {.kind = SAID_FAIL};
	text t = long_json('{', '}', GATE_FAULT_MAX);

	(void)state;
	m.u.fail.json = t;
	assert_int_equal(check_alone(&m), GATE_PASS);
	m.u.fail.json.len++;
	assert_int_equal(check_alone(&m), GATE_REFUSED);
	free((char *)(uintptr_t)t.ptr);

	t = long_json('[', ']', GATE_WRITES_MAX);
	m = (said){.kind = SAID_DONE, .u.done = {TEXT("1"), t}};
	assert_int_equal(check_alone(&m), GATE_PASS);
	m.u.done.writes.len++;
	assert_int_equal(check_alone(&m), GATE_BROKEN);
	free((char *)(uintptr_t)t.ptr);

	t = long_json('{', '}', GATE_WARN_MAX);
	m = (said){.kind = SAID_WARN, .u.warn = {t}};
	assert_int_equal(check_alone(&m), GATE_PASS);
	m = (said){.kind = SAID_UNSEEN, .u.unseen = {1, 0, t}};
	assert_int_equal(check_alone(&m), GATE_PASS);
	m.u.unseen.stack.len++;
	assert_int_equal(check_alone(&m), GATE_BROKEN);
	free((char *)(uintptr_t)t.ptr);
}

static void
arguments_that_wait(void **state)
{
	const gate_limits l = {.tools = 1, .calls = 100, .args = 8};
	said m = CALL_OF(0, 0, "12345678");
	verdict v;
	gate g;

	(void)state;
	begin(&g, &l);
	for (m.u.call.id = 1; m.u.call.id <= GATE_ARGS; m.u.call.id++)
		assert_int_equal(gate_check(&g, &m, &v), GATE_PASS);
	assert_int_equal(gate_check(&g, &m, &v), GATE_REFUSED);
	assert_string_equal(v.code, "ArgumentLimit");
	gate_call_over(&g, 7);
	assert_int_equal(gate_check(&g, &m, &v), GATE_REFUSED);
	gate_call_over(&g, 1);
	assert_int_equal(gate_check(&g, &m, &v), GATE_PASS);
	m.u.call.id++;
	assert_int_equal(gate_check(&g, &m, &v), GATE_REFUSED);
}

static void
no_limit_on_arguments(void **state)
{
	const gate_limits l = {.tools = 1, .calls = 9, .args = UINT64_MAX};
	said m = CALL_OF(1, 0, "12345678");
	verdict v;
	gate g;

	(void)state;
	begin(&g, &l);
	assert_int_equal(gate_check(&g, &m, &v), GATE_PASS);
	assert_int_equal(g.args, 8);
}

#define GROUP_OF(list)                           \
	{                                        \
		.kind = SAID_GROUP, .u.group = { \
			true,                    \
			{list, sizeof(list) - 1} \
		}                                \
	}

static void
groups(void **state)
{
	(void)state;
	PLAY({GATE_BROKEN, "no calls", GROUP_OF("[1]")},
	    {GATE_PASS, NULL, CALL_OF(1, 0, "")},
	    {GATE_PASS, NULL, CALL_OF(2, 0, "")},
	    {GATE_PASS, NULL, CALL_OF(3, 0, "")},
	    {GATE_BROKEN, "no known kind",
		{.kind = SAID_GROUP, .u.group = {2, {"[1,2]", 5}}}},
	    {GATE_BROKEN, "no calls", GROUP_OF("")},
	    {GATE_BROKEN, "no calls", GROUP_OF("[]")},
	    {GATE_BROKEN, "no calls", GROUP_OF("[0,1]")},
	    {GATE_BROKEN, "no calls", GROUP_OF("[1,1]")},
	    {GATE_BROKEN, "no calls", GROUP_OF("[2,1]")},
	    {GATE_BROKEN, "no calls", GROUP_OF("[1,4]")},
	    {GATE_BROKEN, "no calls", GROUP_OF("[1,1.5]")},
	    {GATE_BROKEN, "no calls", GROUP_OF("[1,4294967298]")},
	    {GATE_BROKEN, "no calls", GROUP_OF("[1,\"2\"]")},
	    {GATE_BROKEN, "no calls", GROUP_OF("{\"1\":2}")},
	    {GATE_PASS, NULL, GROUP_OF("[1,3]")},
	    {GATE_BROKEN, "than there are", GROUP_OF("[1,2]")});
}

/* The numbers 1 to n, as JSON. */
static void
count_up(buf *out, unsigned n)
{
	buf_byte(out, '[');
	for (unsigned i = 1; i <= n; i++)
		buf_printf(out, i == 1 ? "%u" : ",%u", i);
	buf_byte(out, ']');
}

static void
largest_group(void **state)
{
	const gate_limits l = {.calls = SAID_GROUP_MAX + 1};
	said m = {.kind = SAID_GROUP, .u.group.all = 1};
	verdict v;
	gate g;

	(void)state;
	for (unsigned over = 0; over < 2; over++) {
		buf list = BUF_INIT(NULL, 1 << 20);

		begin(&g, &l);
		g.calls = l.calls;
		count_up(&list, SAID_GROUP_MAX + over);
		m.u.group.calls = buf_view(&list);
		assert_int_equal(
		    gate_check(&g, &m, &v), over ? GATE_BROKEN : GATE_PASS);
		assert_int_equal(g.grouped, over ? 0 : SAID_GROUP_MAX);
		buf_fini(&list);
	}
}

static void
cancels_and_timers(void **state)
{
	(void)state;
	PLAY(
	    {GATE_BROKEN, "never was", {.kind = SAID_CANCEL, .u.cancel.id = 0}},
	    {GATE_BROKEN, "never was", {.kind = SAID_CANCEL, .u.cancel.id = 1}},
	    {GATE_PASS, NULL, CALL_OF(1, 0, "")},
	    {GATE_PASS, NULL, {.kind = SAID_CANCEL, .u.cancel.id = 1}},
	    {GATE_BROKEN, "never was", {.kind = SAID_CANCEL, .u.cancel.id = 2}},
	    {GATE_BROKEN, "never was",
		{.kind = SAID_OBSERVED, .u.observed.id = 0}},
	    {GATE_BROKEN, "never was",
		{.kind = SAID_OBSERVED, .u.observed.id = 2}},
	    {GATE_PASS, NULL, {.kind = SAID_OBSERVED, .u.observed.id = 1}},
	    {GATE_BROKEN, "never was", {.kind = SAID_UNSEEN, .u.unseen.id = 0}},
	    {GATE_BROKEN, "never was", {.kind = SAID_UNSEEN, .u.unseen.id = 2}},
	    {GATE_BROKEN, "no text",
		{.kind = SAID_UNSEEN, .u.unseen = {1, 0, {"\xff", 1}}}},
	    {GATE_PASS, NULL,
		{.kind = SAID_UNSEEN, .u.unseen = {1, 0, {"at f", 4}}}},
	    {GATE_BROKEN, "out of order", TIMER_OF(0)},
	    {GATE_BROKEN, "out of order", TIMER_OF(2)},
	    {GATE_BROKEN, "never was", {.kind = SAID_CLEAR, .u.clear.id = 1}},
	    {GATE_PASS, NULL, TIMER_OF(1)},
	    {GATE_PASS, NULL, {.kind = SAID_CLEAR, .u.clear.id = 1}},
	    {GATE_BROKEN, "never was", {.kind = SAID_CLEAR, .u.clear.id = 0}},
	    {GATE_BROKEN, "never was", {.kind = SAID_CLEAR, .u.clear.id = 2}});
}

static void
timers_have_a_limit(void **state)
{
	said m = TIMER_OF(1);
	verdict v;
	gate g;

	(void)state;
	begin(&g, &few);
	for (; m.u.timer.id <= GATE_TIMERS; m.u.timer.id++)
		assert_int_equal(gate_check(&g, &m, &v), GATE_PASS);
	assert_int_equal(gate_check(&g, &m, &v), GATE_REFUSED);
	assert_string_equal(v.code, "TimerLimit");
	g.timers_over++;
	assert_int_equal(gate_check(&g, &m, &v), GATE_PASS);
}

static void
prints(void **state)
{
	(void)state;
	PLAY({GATE_BROKEN, "not UTF-8", PRINT_OF(PRINT_TEXT, "\xc0\x80", "")},
	    {GATE_BROKEN, "no known kind", PRINT_OF(5, "x", "")},
	    {GATE_BROKEN, "no known kind", PRINT_OF(PRINT_TEXT, "x", "m")},
	    {GATE_BROKEN, "no known kind", PRINT_OF(PRINT_IMAGE, "x", "")},
	    {GATE_BROKEN, "no known kind",
		PRINT_OF(PRINT_IMAGE, "x", "image/svg+xml")},
	    {GATE_BROKEN, "no known kind",
		PRINT_OF(PRINT_IMAGE, "", "image/png")},
	    {GATE_BROKEN, "no known kind",
		PRINT_OF(PRINT_IMAGE, "a<", "image/png")},
	    {GATE_PASS, NULL, PRINT_OF(PRINT_IMAGE, "aA+/=", "image/png")},
	    {GATE_REFUSED, "OutputLimit", PRINT_OF(PRINT_TEXT, "123456", "")},
	    {GATE_PASS, NULL, PRINT_OF(PRINT_CONSOLE, "12345", "")},
	    {GATE_PASS, NULL, PRINT_OF(PRINT_TEXT, "", "")},
	    {GATE_REFUSED, "OutputLimit", PRINT_OF(PRINT_TEXT, "", "")});
}

static const gate_limits roomy = {.output = 1000, .items = 100};

/* What a block has besides its data. */
static void
beside_media(void **state)
{
	(void)state;
#define BESIDE(json) PRINT_WITH(PRINT_IMAGE, "aA", "image/png", json)
	PLAY_IN(&roomy, {GATE_PASS, NULL, BESIDE("{}")},
	    {GATE_PASS, NULL,
		BESIDE("{\"annotations\":{},\"_meta\":{\"a\":[1]}}")},
	    {GATE_PASS, NULL, PRINT_WITH(PRINT_AUDIO, "aA", "audio/wav", "{}")},
	    {GATE_BROKEN, "no known kind", BESIDE("{\"data\":{}}")},
	    {GATE_BROKEN, "no known kind", BESIDE("{\"_meta\":[]}")},
	    {GATE_BROKEN, "no known kind", BESIDE("{\"_meta\":{}")},
	    {GATE_BROKEN, "no known kind",
		BESIDE("{\"_meta\":{\"a\":\"\xc0\"}}")},
	    {GATE_BROKEN, "no known kind",
		PRINT_WITH(PRINT_TEXT, "a", "", "{}")},
	    {GATE_BROKEN, "no known kind",
		PRINT_WITH(PRINT_RESOURCE,
		    "{\"type\":\"resource_link\",\"uri\":\"x\","
		    "\"name\":\"y\"}",
		    "", "{}")});
	PLAY({GATE_REFUSED, "OutputLimit", BESIDE("{\"_meta\":{}}")},
	    {GATE_PASS, NULL, BESIDE("{}")});
}

static void
media(void **state)
{
	(void)state;
#define NO_MEDIUM(k, words, mime) \
	{GATE_BROKEN, "no known kind", PRINT_OF(k, words, mime)}
#define MEDIUM(k, words, mime)                            \
	{                                                 \
		GATE_PASS, NULL, PRINT_OF(k, words, mime) \
	}
	PLAY_IN(&roomy, MEDIUM(PRINT_IMAGE, "AZaz09+/=", "image/png"),
	    MEDIUM(PRINT_IMAGE, "aA", "image/jpeg"),
	    MEDIUM(PRINT_IMAGE, "aA", "image/gif"),
	    MEDIUM(PRINT_IMAGE, "aA", "image/webp"),
	    NO_MEDIUM(PRINT_IMAGE, "@", "image/png"),
	    NO_MEDIUM(PRINT_IMAGE, "[", "image/png"),
	    NO_MEDIUM(PRINT_IMAGE, "`", "image/png"),
	    NO_MEDIUM(PRINT_IMAGE, "{", "image/png"),
	    NO_MEDIUM(PRINT_IMAGE, ":", "image/png"),
	    NO_MEDIUM(PRINT_IMAGE, ".", "image/png"),
	    MEDIUM(PRINT_AUDIO, "aA+/=", "audio/wav"),
	    MEDIUM(PRINT_AUDIO, "aA", "audio/ ~"),
	    NO_MEDIUM(PRINT_AUDIO, "aA", "audio/\x1f"),
	    NO_MEDIUM(PRINT_AUDIO, "aA", "audio/\x7f"),
	    NO_MEDIUM(PRINT_AUDIO, "aA<", "audio/wav"),
	    MEDIUM(PRINT_AUDIO, "aA+/=", "audio/pcm; rate=24000"),
	    NO_MEDIUM(PRINT_AUDIO, "", "audio/wav"),
	    NO_MEDIUM(PRINT_AUDIO, "aA+<", "audio/wav"),
	    NO_MEDIUM(PRINT_AUDIO, "aA", ""),
	    NO_MEDIUM(PRINT_AUDIO, "aA", "image/png"),
	    NO_MEDIUM(PRINT_AUDIO, "aA", "audio/\n"),
	    NO_MEDIUM(PRINT_IMAGE, "aA", "audio/wav"),
	    MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource_link\",\"uri\":\"x\",\"name\":\"y\"}",
		""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource_link\",\"uri\":\"x\",\"name\":\"y\"}",
		"m"),
	    NO_MEDIUM(PRINT_RESOURCE,
		" {\"type\":\"resource_link\",\"uri\":\"x\",\"name\":\"y\"}",
		""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource_link\",\"uri\":\"x\"}", ""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource_link\",\"uri\":5,\"name\":\"y\"}", ""),
	    MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"x\","
		"\"text\":\"t\"}}",
		""),
	    MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"x\","
		"\"blob\":\"AA==\"}}",
		""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"x\","
		"\"blob\":\"A\\u0041==\"}}",
		""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"x\",\"blob\":"
		"7777}}",
		""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"x\",\"text\":7}"
		"}",
		""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource_link\",\"uri\":\"x\",\"name\":5}", ""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource\",\"resource\":{\"uri\":\"x\"}}", ""),
	    NO_MEDIUM(PRINT_RESOURCE,
		"{\"type\":\"resource\",\"resource\":{\"text\":\"x\"}}", ""),
	    NO_MEDIUM(PRINT_RESOURCE, "{\"type\":\"image\"}", ""),
	    NO_MEDIUM(PRINT_RESOURCE, "[]", ""),
	    NO_MEDIUM(PRINT_RESOURCE, "x", ""));
}

static void
longest_audio_type(void **state)
{
	static char mime[GATE_MIME_MAX + 1];
	said m = PRINT_OF(PRINT_AUDIO, "aA", "");

	(void)state;
	memset(mime, 'x', sizeof(mime));
	memcpy(mime, "audio/", 6);
	m.u.print.mime = (text){mime, GATE_MIME_MAX};
	assert_int_equal(check_alone(&m), GATE_PASS);
	m.u.print.mime.len++;
	assert_int_equal(check_alone(&m), GATE_BROKEN);
}

static void
warnings(void **state)
{
	static char huge[GATE_WARN_MAX + 3];
	said m = WARN_OF("{}");
	verdict v;
	gate g;
	int i;

	(void)state;
	PLAY({GATE_BROKEN, "no JSON object", WARN_OF("[]")},
	    {GATE_BROKEN, "no JSON object", WARN_OF("")},
	    {GATE_BROKEN, "no JSON object", WARN_OF("{} {}")},
	    {GATE_BROKEN, "no JSON object", WARN_OF("{} ")},
	    {GATE_BROKEN, "no JSON object", WARN_OF(" {}")},
	    {GATE_PASS, NULL, WARN_OF("{\"message\":\"m\"}")});
	begin(&g, &few);
	for (i = 0; i < GATE_WARNINGS; i++)
		assert_int_equal(gate_check(&g, &m, &v), GATE_PASS);
	assert_int_equal(gate_check(&g, &m, &v), GATE_DROP);
	memset(huge, ' ', sizeof(huge));
	huge[0] = '{';
	huge[sizeof(huge) - 1] = '}';
	m.u.warn.json = (text){huge, sizeof(huge)};
	assert_int_equal(gate_check(&g, &m, &v), GATE_BROKEN);
}

static void
ends(void **state)
{
	(void)state;
	PLAY({GATE_REFUSED, "ValueLimit",
		 DONE_OF("\"123456789012345678901\"", "[]")},
	    {GATE_REFUSED, "ValueLimit",
		DONE_OF("\"1234567890123456789\"", "[]")},
	    {GATE_BROKEN, "no keys", DONE_OF("\"123456789012345678\"", "")},
	    {GATE_BROKEN, "not JSON", DONE_OF("nul", "[]")},
	    {GATE_BROKEN, "no keys", DONE_OF("1", "{}")},
	    {GATE_BROKEN, "no keys", DONE_OF("1", "")},
	    {GATE_BROKEN, "no keys", DONE_OF("1", "[1]")},
	    {GATE_BROKEN, "no keys", DONE_OF("1", "[[]]")},
	    {GATE_BROKEN, "no keys", DONE_OF("1", "[[1,2]]")},
	    {GATE_BROKEN, "no keys", DONE_OF("1", "[[\"k\",1,2]]")},
	    {GATE_BROKEN, "no keys", DONE_OF("1", "[[\"k\",1],{}]")},
	    {GATE_PASS, NULL, DONE_OF("", "[[\"k\",1],[\"l\"]]")},
	    {GATE_BROKEN, "after the end", DONE_OF("1", "[]")},
	    {GATE_BROKEN, "after the end", CALL_OF(1, 0, "")});
	PLAY({GATE_BROKEN, "no JSON object", FAIL_OF("1")},
	    {GATE_BROKEN, "no JSON object", FAIL_OF("")},
	    {GATE_PASS, NULL, FAIL_OF("{}")},
	    {GATE_BROKEN, "after the end", FAIL_OF("{}")},
	    {GATE_BROKEN, "after the end", WARN_OF("{}")});
	PLAY({GATE_BROKEN, "no known kind", {.kind = (said_kind)(SAID_KINDS)}});
}

/* Before the script was read there are warnings, of fences that do not stand,
 * and that it is refused. */
static void
before_it_was_read(void **state)
{
	said m = {.kind = SAID_FAIL, .u.fail = {{"{}", 2}}};
	said warning = WARN_OF("{}");
	unsigned kind;
	verdict v;
	gate g;

	(void)state;
	for (kind = 0; kind < SAID_KINDS; kind++) {
		said one = {.kind = (said_kind)kind};

		if (kind == SAID_PREPARED || kind == SAID_WARN ||
		    kind == SAID_FAIL)
			continue;
		gate_init(&g, &few);
		assert_int_equal(gate_check(&g, &one, &v), GATE_BROKEN);
		assert_non_null(strstr(v.why, "before the script was read"));
	}
	gate_init(&g, &few);
	assert_int_equal(gate_check(&g, &warning, &v), GATE_PASS);
	assert_int_equal(gate_check(&g, &m, &v), GATE_PASS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(calls),
	    cmocka_unit_test(calls_say_no_stack),
	    cmocka_unit_test(counters_have_limits),
	    cmocka_unit_test(longest_print),
	    cmocka_unit_test(longest_texts),
	    cmocka_unit_test(longest_audio_type),
	    cmocka_unit_test(largest_group),
	    cmocka_unit_test(arguments_that_wait),
	    cmocka_unit_test(no_limit_on_arguments),
	    cmocka_unit_test(groups),
	    cmocka_unit_test(cancels_and_timers),
	    cmocka_unit_test(timers_have_a_limit),
	    cmocka_unit_test(prints),
	    cmocka_unit_test(media),
	    cmocka_unit_test(beside_media),
	    cmocka_unit_test(warnings),
	    cmocka_unit_test(ends),
	    cmocka_unit_test(before_it_was_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
