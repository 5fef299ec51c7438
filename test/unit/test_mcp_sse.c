/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_sse.c -- streams of events, each read in one piece and cut between
 * any two bytes: what comes out is the same.
 */
#include "unit.h"

#include "mcp/sse.h"

enum { MOST = 4096 };

/* All events of a stream: "[type|data]" each. */
static void
read_events(sse *s, text in, buf *out)
{
	sse_event e;

	while (sse_next(s, &in, &e)) {
		buf_printf(out, "[%.*s|", TEXT_ARG(e.type));
		if (e.bad)
			buf_str(out, "too large");
		else
			buf_add(out, e.data, e.len);
		buf_str(out, "]");
	}
	assert_int_equal(in.len, 0);
}

static void
note_rest(const sse *s, buf *out)
{
	buf_printf(out, " id=%.*s", TEXT_ARG(buf_view(&s->last_id)));
	if (s->retry_ms != UINT64_MAX)
		buf_printf(out, " retry=%u", (unsigned)s->retry_ms);
}

static void
read_cut(text stream, size_t a, size_t b, buf *out)
{
	sse s;

	sse_init(&s, NULL, MOST);
	read_events(&s, text_sub(stream, 0, a), out);
	read_events(&s, text_sub(stream, a, b), out);
	read_events(&s, text_sub(stream, b, stream.len), out);
	note_rest(&s, out);
	sse_fini(&s);
}

/* One cut, two cuts next to each other (a piece of one byte), and two far
 * apart. */
static void
holds(text stream, const char *want)
{
	buf out = BUF_INIT(NULL, 1 << 20);
	size_t cut;

	for (cut = 0; cut <= stream.len; cut++) {
		read_cut(stream, cut, cut, &out);
		assert_str(buf_view(&out), want);
		buf_clear(&out);
		read_cut(stream, cut, cut + 1, &out);
		assert_str(buf_view(&out), want);
		buf_clear(&out);
		read_cut(stream, cut / 2, cut, &out);
		assert_str(buf_view(&out), want);
		buf_clear(&out);
	}
	buf_fini(&out);
}

#define HOLDS(stream, want) holds(TEXT(stream), want)

static void
any_line_end_ends_a_line(void **state)
{
	(void)state;
	HOLDS("data: a\n\ndata: b\n\n", "[message|a][message|b] id=");
	HOLDS("data: a\r\n\r\ndata: b\r\n\r\n", "[message|a][message|b] id=");
	HOLDS("data: a\r\rdata: b\r\r", "[message|a][message|b] id=");
	HOLDS("data: a\r\n\ndata: b\r\r\n", "[message|a][message|b] id=");
	HOLDS("data: a\n\r\ndata: b\n\r", "[message|a][message|b] id=");
}

static void
lines_of_data_are_one_text(void **state)
{
	(void)state;
	HOLDS(
	    "data: {\ndata:  \"a\"\ndata: }\n\n", "[message|{\n \"a\"\n}] id=");
	HOLDS("data\ndata\n\n", "[message|\n] id=");
	HOLDS("data:a\n: no\ndata:b\n\n", "[message|a\nb] id=");
}

static void
only_one_space_belongs_to_the_colon(void **state)
{
	(void)state;
	HOLDS("data:a\n\ndata: a\n\ndata:  a\n\ndata :a\n\n",
	    "[message|a][message|a][message| a] id=");
}

static void
comments_and_unknown_fields_are_skipped(void **state)
{
	(void)state;
	HOLDS(":\n: keep-alive\n\n:data: x\n\n", " id=");
	HOLDS("dat: a\ndata1: b\ndatabases: c\nDATA: d\ndata: e\n\n",
	    "[message|e] id=");
}

static void
an_event_has_a_type_for_itself_alone(void **state)
{
	(void)state;
	HOLDS("event: endpoint\ndata: /m?s=1\n\ndata: x\n\n",
	    "[endpoint|/m?s=1][message|x] id=");
	HOLDS("event: ping\n\ndata: x\n\n", "[message|x] id=");
	HOLDS("event: a\nevent: b\ndata: x\n\n", "[b|x] id=");
	HOLDS("event\ndata: x\n\n", "[message|x] id=");
}

static void
priming_events_give_an_id_and_no_message(void **state)
{
	(void)state;
	HOLDS("id: 7\ndata:\n\n", " id=7");
	HOLDS("id: 7\ndata: \nretry: 500\n\n", " id=7 retry=500");
	HOLDS("id: 7\n\n", " id=7");
	HOLDS("id: 7\nretry: 1\n\ndata: x\n\n", "[message|x] id=7 retry=1");
}

static void
an_id_counts_when_its_event_is_whole(void **state)
{
	(void)state;
	HOLDS("id: 1\ndata: a\n\nid: 2\ndata: b\n", "[message|a] id=1");
	HOLDS(
	    "id: 1\ndata: a\n\nid\ndata: b\n\n", "[message|a][message|b] id=");
	HOLDS("id: 1\n\nid: 2\0\n\n", " id=1");
}

static void
a_retry_is_a_number(void **state)
{
	(void)state;
	HOLDS("retry: 500\n", " id= retry=500");
	HOLDS("retry: 5s\nretry: -1\nretry:\nretry: 1.5\n", " id=");
}

static void
a_byte_order_mark_stands_at_the_start_alone(void **state)
{
	(void)state;
	HOLDS("\xEF\xBB\xBF"
	      "data: a\n\n",
	    "[message|a] id=");
	HOLDS("data: a\n\n\xEF\xBB\xBF"
	      "data: b\n\n",
	    "[message|a] id=");
	HOLDS("\xEF\xBB"
	      "data: a\n\ndata: b\n\n",
	    "[message|b] id=");
	HOLDS("\xEF"
	      "data: a\n\ndata: b\n\n",
	    "[message|b] id=");
}

static void
text_stays_as_it_is(void **state)
{
	(void)state;
	HOLDS("data: \xE2\x80\xA8 \xC2\x85 : \xF0\x9F\x98\x80\n\n",
	    "[message|\xE2\x80\xA8 \xC2\x85 : \xF0\x9F\x98\x80] id=");
}

static void
what_the_end_cuts_off_is_no_event(void **state)
{
	(void)state;
	HOLDS("data: a\n\ndata: b\n", "[message|a] id=");
	HOLDS("data: a\n\ndata: b", "[message|a] id=");
	HOLDS("", " id=");
}

/* In pieces of 7 bytes, so that the maximum is passed in the middle of one. */
static void
a_larger_event_is_skipped(void **state)
{
	enum { LEN = 3 * MOST };
	buf in = BUF_INIT(NULL, 1 << 20), out = BUF_INIT(NULL, 1 << 20);
	size_t i;
	sse s;

	(void)state;
	buf_str(&in, "id: 1\ndata: ");
	for (i = 0; i < LEN; i++)
		buf_byte(&in, 'x');
	buf_str(&in, "\ndata: y\n\nid: 2\ndata: z\n\n");
	sse_init(&s, NULL, MOST);
	for (i = 0; i < in.len; i += 7)
		read_events(&s, text_sub(buf_view(&in), i, i + 7), &out);
	note_rest(&s, &out);
	assert_str(buf_view(&out), "[message|too large][message|z] id=2");
	sse_fini(&s);
	buf_fini(&in);
	buf_fini(&out);
}

static void
another_stream_goes_on_behind_the_last_id(void **state)
{
	buf out = BUF_INIT(NULL, MOST);
	sse s;

	(void)state;
	sse_init(&s, NULL, MOST);
	read_events(&s, TEXT("id: 4\nretry: 9\n\nid: 5\ndata: lost"), &out);
	sse_restart(&s);
	read_events(&s,
	    TEXT("\xEF\xBB\xBF"
		 "data: a\n\n"),
	    &out);
	note_rest(&s, &out);
	assert_str(buf_view(&out), "[message|a] id=4 retry=9");
	sse_fini(&s);
	buf_fini(&out);
}

static void
memory_that_runs_out_is_told_with_the_event(void **state)
{
	struct hoard h = {0, 0};
	const cm_alloc alloc = HOARD_ALLOC(&h);
	text in = TEXT("data: a\n\n");
	sse_event e;
	sse s;

	(void)state;
	sse_init(&s, &alloc, MOST);
	assert_true(sse_next(&s, &in, &e));
	assert_int_equal(e.bad, CM_ENOMEM);
	h.left = 100;
	in = TEXT("data: b\n\n");
	assert_true(sse_next(&s, &in, &e));
	assert_int_equal(e.bad, CM_OK);
	sse_fini(&s);
	assert_int_equal(h.bytes, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(any_line_end_ends_a_line),
	    cmocka_unit_test(lines_of_data_are_one_text),
	    cmocka_unit_test(only_one_space_belongs_to_the_colon),
	    cmocka_unit_test(comments_and_unknown_fields_are_skipped),
	    cmocka_unit_test(an_event_has_a_type_for_itself_alone),
	    cmocka_unit_test(priming_events_give_an_id_and_no_message),
	    cmocka_unit_test(an_id_counts_when_its_event_is_whole),
	    cmocka_unit_test(a_retry_is_a_number),
	    cmocka_unit_test(a_byte_order_mark_stands_at_the_start_alone),
	    cmocka_unit_test(text_stays_as_it_is),
	    cmocka_unit_test(what_the_end_cuts_off_is_no_event),
	    cmocka_unit_test(a_larger_event_is_skipped),
	    cmocka_unit_test(another_stream_goes_on_behind_the_last_id),
	    cmocka_unit_test(memory_that_runs_out_is_told_with_the_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
