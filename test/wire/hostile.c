/* SPDX-License-Identifier: MIT */
/*
 * hostile.c -- a worker that a script has taken over entirely.
 *
 * It is started as codemode-worker is, template or relay and fences included,
 * and then
 * says what no honest worker says. How, its own file name tells: hostile.PART
 * does PART of hostile.def. "fuzz" is not in that list: what it says comes from
 * the seed that its script holds.
 */
#define _GNU_SOURCE
#include "place/worker_serve.h"
#include "relay.h"
#include "template.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The tools of owner.h, in the order of their names. */
enum { BIG, ECHO_TOOL, FAIL, HANG };

static int in_fd, out_fd;
static text fences;
static buf heard, script;
static size_t taken;

/* ------------------------------------------------------------- the basics */

static void
put_bytes(const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len > 0) {
		ssize_t n = write(out_fd, p, len);

		if (n <= 0)
			_exit(0); /* the run is over */
		p += n;
		len -= (size_t)n;
	}
}

static void
say(const wire_msg *m)
{
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);

	wire_put(&b, m);
	put_bytes(b.ptr, b.len);
	buf_fini(&b);
}

#define SAY(...) say(&(wire_msg){__VA_ARGS__})

static void
put_length(uint32_t n)
{
	unsigned char b[4] = {(unsigned char)n, (unsigned char)(n >> 8),
	    (unsigned char)(n >> 16), (unsigned char)(n >> 24)};

	put_bytes(b, 4);
}

static void
put_kind(wire_kind kind)
{
	unsigned char b = (unsigned char)kind;

	put_bytes(&b, 1);
}

static wire_msg
hear(void)
{
	enum { CHUNK = 64 << 10 };
	const char *why;
	wire_msg m;
	size_t used;

	for (;;) {
		text rest = text_sub(buf_view(&heard), taken, heard.len);
		char *room;
		ssize_t n;

		if (wire_get(rest, WIRE_DOWN, WIRE_MAX, &m, &used, &why) ==
		    WIRE_READ) {
			taken += used;
			return m;
		}
		room = buf_room(&heard, CHUNK);
		n = room ? recv(in_fd, room, CHUNK, 0) : 0;
		if (n <= 0)
			_exit(0);
		heard.len += (size_t)n;
	}
}

static void
hello(void)
{
	SAY(WIRE_HELLO, {WIRE_VERSION}, {fences, TEXT("hostile")});
}

static void
start(void)
{
	wire_msg m;

	hello();
	m = hear();
	buf_text(&script, m.t[0]);
	SAY(WIRE_PREPARED, {UINT64_MAX, UINT64_MAX});
}

static _Noreturn void
silence(void)
{
	char byte;

	while (recv(in_fd, &byte, 1, 0) > 0)
		;
	_exit(0);
}

static _Noreturn void
compute(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}

static void
done(void)
{
	SAY(WIRE_DONE, {0}, {TEXT("42"), TEXT("[]")});
}

static text
many(char c, size_t n)
{
	char *p = malloc(n);

	if (p == NULL)
		_exit(99);
	memset(p, c, n);
	return (text){p, n};
}

/* A JSON string of n bytes. */
static text
long_json(size_t n)
{
	text t = many('x', n);
	char *p = (char *)(uintptr_t)t.ptr;

	p[0] = p[n - 1] = '"';
	return t;
}

/* ----------------------------------------------------------- before START */

static void
act_garbage(void)
{
	put_bytes("GET / HTTP/1.1\r\n\r\n", 18);
	silence();
}

static void
act_length_zero(void)
{
	put_length(0);
	silence();
}

static void
act_length_2_gib(void)
{
	put_length(1u << 31);
	silence();
}

static void
act_length_4_gib(void)
{
	put_length(UINT32_MAX);
	silence();
}

static void
act_length_over(void)
{
	put_length((64u << 10) + 1);
	silence();
}

static void
act_no_such_kind(void)
{
	put_length(9);
	put_bytes("\xee\0\0\0\0\0\0\0\0", 9);
	silence();
}

static void
act_wrong_direction(void)
{
	SAY(WIRE_START, {0}, {TEXT("return 1")});
	silence();
}

static void
act_other_version(void)
{
	SAY(WIRE_HELLO, {WIRE_VERSION + 1}, {fences, TEXT("hostile")});
	silence();
}

static void
act_no_fences(void)
{
	SAY(WIRE_HELLO, {WIRE_VERSION}, {TEXT("environment up\n"), TEXT("x")});
	silence();
}

/* An honest worker on a kernel that lacks a fence: a warning, and it runs. */
static void
act_fence_down(void)
{
	const text up = TEXT("landlock up"), down = TEXT("landlock down 38");
	size_t at = text_find(fences, up, 0);
	buf report = BUF_INIT(NULL, 4096);

	if (at == SIZE_MAX) { /* so it is here */
		start();
	} else {
		buf_text(&report, text_sub(fences, 0, at));
		buf_text(&report, down);
		buf_text(&report, text_sub(fences, at + up.len, fences.len));
		SAY(WIRE_HELLO, {WIRE_VERSION},
		    {buf_view(&report), TEXT("hostile")});
		(void)hear();
		SAY(WIRE_PREPARED, {UINT64_MAX, UINT64_MAX});
	}
	done();
	silence();
}

static void
act_hello_twice(void)
{
	hello();
	hello();
	silence();
}

/* What only a script that runs can say. */
static void
act_call_unprepared(void)
{
	hello();
	(void)hear();
	SAY(WIRE_CALL, {1, 0, UINT64_MAX});
	silence();
}

static void
act_call_first(void)
{
	SAY(WIRE_CALL, {1, 0, UINT64_MAX});
	silence();
}

static void
act_done_first(void)
{
	done();
	silence();
}

static void
act_exit_0_first(void)
{
	_exit(0);
}

static void
act_exit_3_first(void)
{
	_exit(3);
}

static void
half_hello(void)
{
	buf b = BUF_INIT(NULL, 65536);

	wire_put(
	    &b, &(wire_msg){WIRE_HELLO, {WIRE_VERSION}, {fences, TEXT("x")}});
	put_bytes(b.ptr, b.len / 2);
	buf_fini(&b);
}

static void
act_half_hello(void)
{
	half_hello();
	_exit(4);
}

static void
act_silent_first(void)
{
	silence();
}

static void
act_half_hello_silent(void)
{
	half_hello();
	silence();
}

/* ------------------------------------------------------- calls and timers */

static void
call(uint64_t id, text args)
{
	SAY(WIRE_CALL, {id, ECHO_TOOL, UINT64_MAX}, {args});
}

static void
act_sites_again(void)
{
	start();
	SAY(WIRE_SITES, {0}, {TEXT("[]")});
	SAY(WIRE_SITES, {0}, {TEXT("[]")});
	silence();
}

/* The list of calls says one thing; what is called is another. */
static void
act_calls_unlisted(void)
{
	start();
	SAY(WIRE_SITES, {0}, {TEXT("[{\"tool\":\"echo\",\"args\":1}]")});
	call(1, TEXT("2"));
	call(2, TEXT("1"));
	SAY(WIRE_CALL, {3, ECHO_TOOL + 1, UINT64_MAX}, {TEXT("1")});
	call(4, TEXT_NONE);
	SAY(WIRE_IDLE, {0, 0});
	for (int i = 0; i < 4; i++)
		(void)hear();
	done();
	silence();
}

static void
act_call_twice(void)
{
	start();
	call(1, TEXT("1"));
	call(1, TEXT("1"));
	silence();
}

static void
act_call_flood(void)
{
	uint64_t id;

	start();
	for (id = 1;; id++)
		call(id, TEXT("1"));
}

static void
act_call_large(void)
{
	start();
	call(1, long_json(5u << 20));
	silence();
}

static void
act_call_deep(void)
{
	start();
	call(1, many('[', 3u << 20));
	silence();
}

static void
act_cancel_again(void)
{
	int i;

	start();
	call(1, TEXT("1"));
	for (i = 0; i < 1000; i++)
		SAY(WIRE_CANCEL, {1});
	done();
	silence();
}

/* A call that is in a group already: the run does not hear of it. */
static void
act_group_again(void)
{
	uint64_t id;

	start();
	for (id = 1; id <= 4; id++)
		call(id, TEXT("1"));
	SAY(WIRE_GROUP, {1}, {TEXT("[1,2]")});
	SAY(WIRE_GROUP, {0}, {TEXT("[2,3]")});
	done();
	silence();
}

static void
act_group_flood(void)
{
	start();
	call(1, TEXT("1"));
	call(2, TEXT("1"));
	for (;;)
		SAY(WIRE_GROUP, {0}, {TEXT("[1,2]")});
}

static void
act_timer_flood(void)
{
	uint64_t id;

	start();
	for (id = 1;; id++)
		SAY(WIRE_TIMER, {id, 100000});
}

/* Timers of every length, also those that no clock can count. */
static void
act_timer_for_ever(void)
{
	static const uint64_t ms[] = {
	    UINT64_MAX, UINT64_MAX - 1, INT64_MAX, 1ull << 53};
	uint64_t id;

	start();
	for (id = 1; id <= 4; id++)
		SAY(WIRE_TIMER, {id, ms[id - 1]});
	SAY(WIRE_CALL, {1, HANG, UINT64_MAX - 1}, {TEXT("1")});
	SAY(WIRE_IDLE, {0, 0});
	silence();
}

static void
act_clear_again(void)
{
	int i;

	start();
	SAY(WIRE_TIMER, {1, 100000});
	for (i = 0; i < 1000; i++)
		SAY(WIRE_CLEAR, {1});
	done();
	silence();
}

/* ----------------------------------------------------------------- output */

static void
act_print_flood(void)
{
	text t = many('x', 1u << 20);

	start();
	for (;;)
		SAY(WIRE_PRINT, {0}, {t});
}

static void
act_print_items(void)
{
	start();
	for (;;)
		SAY(WIRE_PRINT, {1});
}

/* More than the run's limit of output in one frame. */
static void
act_print_longest(void)
{
	start();
	SAY(WIRE_PRINT, {0}, {many('x', 20u << 20)});
	silence();
}

static void
act_print_half(void)
{
	text t = many('x', 1000);

	start();
	put_length(40u << 20);
	put_kind(WIRE_PRINT);
	put_bytes(t.ptr, t.len);
	silence();
}

static void
act_warn_spaces(void)
{
	start();
	SAY(WIRE_WARN, {0}, {TEXT("{\"stack\":\"at codemode.js:1:1\"} \n\t")});
	silence();
}

/* Places that are nowhere, members twice. */
static void
act_warn_placed(void)
{
	start();
	SAY(WIRE_WARN, {0},
	    {TEXT("{\"stack\":\"codemode.js:4294967295:0\",\"line\":1}")});
	SAY(WIRE_WARN, {0}, {TEXT("{\"stack\":[\"codemode.js:\"]}")});
	done();
	silence();
}

static void
act_warn_large(void)
{
	text t = many(' ', 1u << 20);
	char *p = (char *)(uintptr_t)t.ptr;

	start();
	p[0] = '{';
	p[t.len - 1] = '}';
	SAY(WIRE_WARN, {0}, {t});
	silence();
}

static void
act_warn_flood(void)
{
	text t = many(' ', 400000);
	char *p = (char *)(uintptr_t)t.ptr;

	start();
	p[0] = '{';
	p[t.len - 1] = '}';
	for (;;)
		SAY(WIRE_WARN, {0}, {t});
}

/* -------------------------------------------------------------- questions */

static void
flood(const wire_msg *m)
{
	start();
	for (;;)
		say(m);
}

static void
act_find_flood(void)
{
	flood(&(wire_msg){WIRE_FIND, {UINT64_MAX}, {TEXT("echo")}});
}

static void
act_names_flood(void)
{
	flood(&(wire_msg){WIRE_NAMES, {UINT64_MAX}, {TEXT_NONE}});
}

static void
act_list_flood(void)
{
	flood(&(wire_msg){WIRE_LIST, {0}, {TEXT_NONE}});
}

static void
act_unknown_flood(void)
{
	flood(&(wire_msg){WIRE_UNKNOWN, {UINT64_MAX}, {TEXT("ehco")}});
}

static void
act_search_flood(void)
{
	flood(&(wire_msg){WIRE_SEARCH, {10}, {TEXT("echo"), TEXT_NONE}});
}

static void
act_zone_flood(void)
{
	flood(&(wire_msg){WIRE_ZONE, {0}, {TEXT_NONE}});
}

static void
act_list_politely(void)
{
	start();
	for (;;) {
		SAY(WIRE_LIST);
		(void)hear();
	}
}

/* Honest in form, and about things that are not. */
static void
act_questions_odd(void)
{
	static const uint64_t odd[] = {0, 1, 99, INT32_MAX, UINT32_MAX,
	    1ull << 31, 1ull << 32, INT64_MAX, 1ull << 63, UINT64_MAX - 1,
	    UINT64_MAX};
	text names[] = {TEXT_NONE, TEXT("\xff"), TEXT("a\0b"),
	    many('x', 1 << 20), TEXT("constructor"), TEXT(".")};
	size_t i, j;

	start();
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		SAY(WIRE_NAMES, {odd[i]});
		(void)hear();
		SAY(WIRE_ZONE, {odd[i]});
		(void)hear();
		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++) {
			SAY(WIRE_FIND, {odd[i]}, {names[j]});
			(void)hear();
			SAY(WIRE_UNKNOWN, {odd[i]}, {names[j]});
			(void)hear();
			SAY(WIRE_SEARCH, {odd[i]}, {names[j], names[i % 6]});
			(void)hear();
			SAY(WIRE_ABOUT, {0}, {names[j]});
			(void)hear();
		}
	}
	done();
	silence();
}

/* ------------------------------------------------------------------ state */

static void
act_idle_twice(void)
{
	start();
	SAY(WIRE_IDLE, {0, 0});
	SAY(WIRE_IDLE, {0, 0});
	silence();
}

static void
act_idle_and_speak(void)
{
	start();
	SAY(WIRE_IDLE, {0, 0});
	SAY(WIRE_PRINT, {0}, {TEXT("x")});
	silence();
}

/* An answer has come, and it claims for ever that it has not. */
static void
act_idle_for_ever(void)
{
	start();
	call(1, TEXT("1"));
	SAY(WIRE_IDLE, {0, 0});
	(void)hear();
	for (;;)
		SAY(WIRE_IDLE, {0, UINT64_MAX});
}

/* An honest conversation, and then the same once more. */
static void
act_replay(void)
{
	int i;

	start();
	for (i = 0; i < 2; i++) {
		call(1, TEXT("[1]"));
		SAY(WIRE_TIMER, {1, 1});
		SAY(WIRE_PRINT, {0}, {TEXT("x")});
		SAY(WIRE_IDLE, {(uint64_t)i * 2, 0});
		(void)hear();
		SAY(WIRE_IDLE, {(uint64_t)i * 2 + 1, 0});
		(void)hear();
	}
	silence();
}

static void
act_long_frame(void)
{
	start();
	put_length(10);
	put_kind(WIRE_CANCEL);
	put_bytes("\1\0\0\0\0\0\0\0\0", 9); /* and a byte more */
	silence();
}

static void
act_short_frame(void)
{
	start();
	put_length(8);
	put_kind(WIRE_CANCEL);
	put_bytes("\1\0\0\0\0\0\0", 7);
	silence();
}

static void
act_lying_text(void)
{
	start();
	put_length(9);
	put_kind(WIRE_WARN);
	put_bytes("\0\0\0\x80{}{}", 8); /* a text of 2 GiB */
	silence();
}

/* ---------------------------------------------------------------- the end */

static void
act_done_large(void)
{
	start();
	SAY(WIRE_DONE, {0}, {long_json(17u << 20), TEXT("[]")});
	silence();
}

static void
act_done_twice(void)
{
	start();
	done();
	SAY(WIRE_DONE, {0}, {TEXT("43"), TEXT("[]")});
	silence();
}

static void
act_done_and_flood(void)
{
	start();
	done();
	for (;;)
		SAY(WIRE_CALL, {1, 0, 0}, {TEXT("{")});
}

/* A byte, a while, a byte. */
static void
act_done_slowly(void)
{
	buf b = BUF_INIT(NULL, 4096);
	volatile unsigned wait;
	size_t i;

	start();
	wire_put(
	    &b, &(wire_msg){WIRE_DONE, {0}, {TEXT("42"), TEXT("[[\"k\",1]]")}});
	for (i = 0; i < b.len; i++) {
		put_bytes(b.ptr + i, 1);
		for (wait = 0; wait < 200000; wait++)
			;
	}
	silence();
}

static void
act_done_with_calls(void)
{
	uint64_t id;

	start();
	for (id = 1; id <= 40; id++)
		SAY(WIRE_CALL, {id, HANG, UINT64_MAX}, {TEXT("1")});
	SAY(WIRE_TIMER, {1, 100000});
	done();
	silence();
}

/* Members of any type, and a place that is nowhere. */
static void
act_fail_odd(void)
{
	start();
	SAY(WIRE_FAIL, {0},
	    {TEXT("{\"message\":7,\"name\":[],\"code\":null,\"stack\":\"at "
		  "codemode.js:4294967295:4294967295\",\"line\":-1,\"column\":"
		  "99999999999999999999,\"tool\":{},\"cause\":\"\\ud800\"}")});
	silence();
}

static void
act_fail_large(void)
{
	text t = many(' ', 33u << 20);
	char *p = (char *)(uintptr_t)t.ptr;

	start();
	p[0] = '{';
	p[t.len - 1] = '}';
	SAY(WIRE_FAIL, {0}, {t});
	silence();
}

static void
act_exit_0(void)
{
	start();
	_exit(0);
}

static void
act_exit_9(void)
{
	start();
	call(1, TEXT("1"));
	_exit(9);
}

static void
act_segfault(void)
{
	volatile char *nowhere = (volatile char *)16;

	start();
	call(1, TEXT("1"));
	*nowhere = 1;
}

static void
act_forbidden(void)
{
	struct stat st;

	start();
	(void)stat("/etc/passwd", &st);
	silence();
}

static void
act_spin(void)
{
	start();
	compute();
}

static void
act_silent(void)
{
	start();
	silence();
}

/* Calls whose answers are large, and never a look at one. */
static void
act_never_reads(void)
{
	uint64_t id;

	start();
	for (id = 1; id <= 900; id++)
		SAY(WIRE_CALL, {id, BIG, UINT64_MAX}, {TEXT("1")});
	SAY(WIRE_IDLE, {0, 0});
	compute();
}

/* It wants more large answers than fit, and reads them slowly, so that some of
 * them wait at all times: what was read already must not take memory. */
static void
act_reads_slowly(void)
{
	volatile unsigned wait;
	uint64_t id;

	start();
	for (id = 1; id <= 300; id++)
		SAY(WIRE_CALL, {id, BIG, UINT64_MAX}, {TEXT("1")});
	SAY(WIRE_IDLE, {0, 0}, {TEXT_NONE});
	for (id = 9; id <= 300; id++) {
		for (wait = 0; wait < 1000000; wait++)
			;
		(void)hear();
		buf_drop(&heard, taken);
		taken = 0;
	}
	done();
	silence();
}

static void
act_eats_memory(void)
{
	start();
	for (;;)
		(void)many('x', 1u << 20);
}

/* ------------------------------------------------------------------- fuzz */

static uint64_t seed;

static uint64_t
chance(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

static uint64_t
odd_number(void)
{
	static const uint64_t odd[] = {0, 1, 2, 3, 5, 16, 255, INT32_MAX,
	    UINT32_MAX, 1ull << 32, INT64_MAX, UINT64_MAX};

	return chance(4) == 0 ? odd[chance(12)] : chance(6);
}

static text
odd_text(void)
{
	static const text odd[] = {{NULL, 0}, {"1", 1}, {"{}", 2}, {"[]", 2},
	    {"[[\"k\",1]]", 9}, {"{\"message\":\"m\"}", 15}, {"{", 1},
	    {"\xff", 1}, {"image/png", 9}, {"echo", 4}, {"\0", 1},
	    {"{\"stack\":\"codemode.js:2:3\"}", 27}};

	return odd[chance(12)];
}

/* Mostly a message that could be, sometimes bytes changed or cut. */
static void
say_something(buf *b)
{
	wire_msg m = {.kind = (wire_kind)chance(WIRE_KINDS)};
	unsigned i;

	if (wire_shape_of(m.kind)->direction != WIRE_UP && chance(20) != 0)
		return;
	if ((m.kind == WIRE_HELLO || m.kind == WIRE_DONE ||
		m.kind == WIRE_FAIL || m.kind == WIRE_END) &&
	    chance(30) != 0)
		return;
	for (i = 0; i < WIRE_NUMBERS; i++)
		m.n[i] = odd_number();
	for (i = 0; i < WIRE_TEXTS; i++)
		m.t[i] = odd_text();
	buf_clear(b);
	wire_put(b, &m);
	if (chance(25) == 0)
		b->ptr[chance(b->len)] = (char)chance(256);
	if (chance(60) == 0)
		b->len = (size_t)chance(b->len);
	put_bytes(b->ptr, b->len);
}

static void
act_fuzz(void)
{
	buf b = BUF_INIT(NULL, 65536);
	unsigned i, calls = 0, timers = 0;

	start();
	seed = strtoull(script.ptr + 2, NULL, 10) * 0x9e3779b97f4a7c15u + 1;
	for (i = (unsigned)chance(60); i > 0; i--) {
		switch (chance(12)) {
		case 0:
			say_something(&b);
			break;
		case 1:
			SAY(WIRE_FIND, {odd_number()}, {odd_text()});
			(void)hear();
			break;
		case 2:
		case 3:
			SAY(WIRE_TIMER, {++timers, chance(50)});
			break;
		case 4:
			SAY(WIRE_PRINT, {chance(2)}, {TEXT("printed")});
			break;
		default:
			SAY(WIRE_CALL, {++calls, chance(3), UINT64_MAX},
			    {TEXT("[1]")});
		}
	}
	if (chance(2) == 0)
		done();
	_exit((int)chance(5));
}

/* -------------------------------------------------------------------- main */

static const wire_msg *one;

static void
say_one(void)
{
	start();
	say(one);
	silence();
}

#define ONE(name, end, words, ...)                       \
	static void act_##name(void)                     \
	{                                                \
		static const wire_msg m = {__VA_ARGS__}; \
                                                         \
		one = &m;                                \
		say_one();                               \
	}
#define ACT(name, end, words)
#include "hostile.def"
#undef ONE
#undef ACT

static const struct part {
	const char *name;
	void (*act)(void);
} parts[] = {
#define ONE(name, end, words, ...) {#name, act_##name},
#define ACT(name, end, words)      {#name, act_##name},
#include "hostile.def"
#undef ONE
#undef ACT
    {"fuzz", act_fuzz},
};

static const struct part *part;

/* In the place of the honest one (src/place/worker_serve.c). */
void
serve_prepare(void)
{
}

int
serve(int in, int out, text report)
{
	in_fd = in;
	out_fd = out;
	fences = report;
	heard = BUF_INIT(NULL, SIZE_MAX / 2);
	script = BUF_INIT(NULL, SIZE_MAX / 2);
	part->act();
	return 0;
}

int
main(int argc, char **argv)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *name;

	path[n > 0 ? n : 0] = 0;
	name = strrchr(path, '.');
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (name != NULL && strcmp(name + 1, parts[i].name) == 0)
			part = &parts[i];
	if (part == NULL) {
		fprintf(
		    stderr, "hostile: %s is no part of hostile.def\n", path);
		return 2;
	}
	if (argc > 1 && strcmp(argv[1], "--stdio") == 0)
		return relay_main(0, NULL);
	if (argc > 1 && strcmp(argv[1], "--once") == 0)
		return once_main(argc > 2 ? argv[2] : NULL);
	return template_main();
}
