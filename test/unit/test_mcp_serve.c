/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_serve.c -- the server machine without a process: bytes that come in
 * any pieces, memory that runs out anywhere, text that is no protocol at all.
 * What each request is answered with is test/cli/serve.mjs.
 */
#include "unit.h"

#include "mcp/mcp_serve.h"
#include "mcp/serve_tool.h"

static const char talk[] =
    "\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
    "\"params\":{\"protocolVersion\":\"2025-03-26\"}}\r\n"
    "\n"
    "{\"jsonrpc\":\"2.0\",\"id\":2.0,\"method\":\"tools/list\"}\n"
    "[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"},"
    "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"tools/call\",\"params\":"
    "{\"name\":\"t\",\"arguments\":{\"code\":\"1\"}}}]\n"
    "{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"tools/call\",\"params\":"
    "{\"name\":\"t\"}}\n"
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
    "{\"requestId\":\"\\u0063\",\"reason\":\"no\"}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}";

static const char answers[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
    "\"2025-03-26\",\"capabilities\":{\"tools\":{\"listChanged\":true},"
    "\"logging\":{}},"
    "\"serverInfo\":{\"name\":"
    "\"codemode\",\"title\":\"codemode\",\"version\":\"" CM_VERSION "\"}}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":2.0,\"result\":{\"tools\":[{\"x\":1}]}}\n"
    "[{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}},"
    "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"result\":{\"content\":[7],"
    "\"isError\":true}}]\n";

/* What was asked for, in the words of the test. */
static void
note_asked(mcp_server *s, buf *log)
{
	mcp_asked a;

	while (mcp_server_next(s, &a))
		buf_printf(log, "%s %u %.*s\n",
		    a.kind == MCP_ASKED_CALL ? "call" : "stop", a.request,
		    TEXT_ARG(
			a.kind == MCP_ASKED_CALL ? a.arguments : a.reason));
}

static bool
feed(mcp_server *s, text bytes, size_t piece, buf *log)
{
	while (bytes.len > 0) {
		size_t room, n = piece < bytes.len ? piece : bytes.len;
		char *p = mcp_server_room(s, &room);

		if (!p)
			return false;
		n = n < room ? n : room;
		memcpy(p, bytes.ptr, n);
		mcp_server_fed(s, n);
		bytes = text_sub(bytes, n, bytes.len);
		note_asked(s, log);
	}
	mcp_server_end(s);
	note_asked(s, log);
	return true;
}

static mcp_server *
born(const cm_alloc *alloc)
{
	const mcp_server_options o = {
	    .alloc = alloc, .tool = TEXT("t"), .level = MCP_LOG_SILENT};

	return mcp_server_new(&o);
}

static void
pieces_of_any_size(void **state)
{
	static const size_t sizes[] = {1, 2, 3, 7, 64, sizeof(talk)};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct hoard h = {0, SIZE_MAX};
		cm_alloc alloc = HOARD_ALLOC(&h);
		mcp_server *s = born(&alloc);
		buf log = BUF_INIT(NULL, 4096);

		assert_true(feed(s, text_of(talk), sizes[i], &log));
		assert_str(buf_view(&log),
		    "call 2 {\"code\":\"1\"}\ncall 3 \nstop 3 \"no\"\n");
		assert_int_equal(mcp_server_pending(s), 2);
		assert_int_equal(mcp_server_offer(s, TEXT("{\"x\":1}")), CM_OK);
		assert_int_equal(
		    mcp_server_answer(s, 2, TEXT("[7]"), true), CM_OK);
		assert_int_equal(
		    mcp_server_answer(s, 2, TEXT("[7]"), true), CM_ENOCALL);
		assert_int_equal(
		    mcp_server_answer(s, 3, TEXT("[7]"), true), CM_ENOCALL);
		assert_str(mcp_server_out(s), answers);
		mcp_server_sent(s, 10);
		assert_str(mcp_server_out(s), answers + 10);
		assert_int_equal(mcp_server_pending(s), 0);
		mcp_server_free(s);
		assert_int_equal(h.bytes, 0);
		buf_fini(&log);
	}
}

/* A message, or a list of them, on one line. */
static void
is_answer(text line)
{
	json_iter it;
	json v, one;

	assert_true(json_check(line, JSON_DEPTH, &v, NULL));
	if (json_kind_of(v) != JSON_ARRAY) {
		assert_true(json_is(json_get(v, TEXT("jsonrpc")), TEXT("2.0")));
		return;
	}
	assert_true(json_len(v) > 0);
	for (it = json_each(v); json_next(&it, NULL, &one);)
		assert_true(
		    json_is(json_get(one, TEXT("jsonrpc")), TEXT("2.0")));
}

/* Whatever request for memory fails: nothing is lost, and what is sent are
 * whole lines of JSON. */
static void
memory_that_runs_out(void **state)
{
	(void)state;
	for (size_t left = 0; left < 60; left++) {
		struct hoard h = {0, left};
		cm_alloc alloc = HOARD_ALLOC(&h);
		mcp_server *s = born(&alloc);
		buf log = BUF_INIT(NULL, 4096);
		text out, line;

		if (s == NULL)
			continue;
		feed(s, text_of(talk), 50, &log);
		mcp_server_offer(s, TEXT("{\"x\":1}"));
		mcp_server_answer(s, 2, TEXT("[7]"), true);
		out = mcp_server_out(s);
		assert_true(out.len == 0 || text_ends(out, TEXT("\n")));
		while (text_line(&out, &line))
			is_answer(line);
		mcp_server_free(s);
		assert_int_equal(h.bytes, 0);
		buf_fini(&log);
	}
}

static uint32_t
chance(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* Damaged talk: every answer is still a line of JSON that names its version. */
static void
damaged(void **state)
{
	uint32_t seed = 1;

	(void)state;
	for (size_t round = 0; round < 3000; round++) {
		mcp_server *s = born(NULL);
		buf log = BUF_INIT(NULL, 1 << 20);
		char spoilt[sizeof(talk)];
		text out, line;

		memcpy(spoilt, talk, sizeof(talk));
		for (uint32_t n = 1 + chance(&seed, 8); n > 0; n--)
			spoilt[chance(&seed, sizeof(talk) - 1)] =
			    (char)chance(&seed, 256);
		assert_true(feed(s, (text){spoilt, sizeof(talk) - 1},
		    1 + chance(&seed, 200), &log));
		mcp_server_offer(s, TEXT("{}"));
		out = mcp_server_out(s);
		while (text_line(&out, &line))
			is_answer(line);
		mcp_server_free(s);
		buf_fini(&log);
	}
}

static void
many_bytes(buf *b, const char *begin, const char *end)
{
	buf_clear(b);
	buf_str(b, begin);
	while (b->len <= MCP_ASKED_MAX)
		buf_str(b, "0123456789abcdef");
	buf_str(b, end);
}

static void
refused_with(mcp_server *s, const char *id)
{
	buf want = BUF_INIT(NULL, 1 << 10);

	buf_printf(&want,
	    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32700,"
	    "\"message\":\"Parse error: the request is larger than 16 "
	    "MiB\"}}\n",
	    id);
	assert_text(mcp_server_out(s), buf_view(&want));
	mcp_server_sent(s, mcp_server_out(s).len);
	buf_fini(&want);
}

static void
more_than_it_takes(void **state)
{
	mcp_server *s = born(NULL);
	buf log = BUF_INIT(NULL, 1 << 20);
	buf many = BUF_INIT(NULL, 64 << 20);

	(void)state;
	for (unsigned i = 0; i < 1001; i++)
		buf_printf(&many,
		    "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"tools/call\","
		    "\"params\":{\"name\":\"t\"}}\n",
		    i);
	feed(s, buf_view(&many), 1 << 16, &log);
	assert_int_equal(mcp_server_pending(s), 1000);
	assert_str(mcp_server_out(s),
	    "{\"jsonrpc\":\"2.0\",\"id\":1000,\"error\":{\"code\":-32000,"
	    "\"message\":\"Too many requests wait for an answer\"}}\n");
	mcp_server_sent(s, mcp_server_out(s).len);
	buf_clear(&many);
	many_bytes(&many, "{\"jsonrpc\":\"2.0\",", "}\n");
	feed(s, buf_view(&many), 1 << 16, &log);
	refused_with(s, "null");
	/* The id stands before what is long, or behind it. */
	many_bytes(&many,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"method\":\"tools/call\","
	    "\"params\":{\"id\":7,\"name\":\"",
	    "\"}}\n");
	feed(s, buf_view(&many), 1 << 16, &log);
	refused_with(s, "\"a\\\"b\"");
	many_bytes(&many,
	    "{\"method\":\"tools/call\",\"params\":{\"id\":7,\"name\":\"",
	    "\"},\"jsonrpc\":\"2.0\",\"id\":12.0}\n");
	feed(s, buf_view(&many), 1 << 16, &log);
	refused_with(s, "12.0");
	mcp_server_free(s);
	buf_fini(&many);
	buf_fini(&log);
}

/* Ten thousand calls of a hundred tools make a short answer, soon. */
static void
long_lists_of_calls(void **state)
{
	buf result = BUF_INIT(NULL, 64 << 20), out = BUF_INIT(NULL, 1 << 20);
	cm_done done = {.end = CM_END_SCRIPT,
	    .fault = {.message = TEXT_INIT("gone"), .line = 2, .column = 3}};

	(void)state;
	buf_str(&result, "{\"output\":[],\"warnings\":[],\"calls\":[");
	for (unsigned i = 0; i < 10000; i++)
		buf_printf(&result,
		    "%s{\"tool\":\"s.t%u\",\"status\":\"%s\","
		    "\"safeToRetry\":%s}",
		    i ? "," : "", i % 100, i % 100 == 7 ? "error" : "ok",
		    i % 2 ? "true" : "false");
	buf_str(&result, "]}");
	serve_content(
	    &out, &done, buf_view(&result), SERVE_TOKENS, (mcp_lacks){0}, NULL);
	assert_int_equal(out.bad, CM_OK);
	assert_true(out.len < 4000);
	assert_true(text_starts(buf_view(&out),
	    TEXT("[{\"type\":\"text\",\"text\":\"The script failed at line 2, "
		 "column 3: gone\\nCalls done: s.t0 (100 times), s.t1 (100")));
	assert_true(text_find(buf_view(&out),
			TEXT("\\nOf these, not safe to repeat: s.t0 (100 "
			     "times), s.t2 (100"),
			0) != SIZE_MAX);
	assert_true(text_find(buf_view(&out),
			TEXT("\\nCalls that failed: s.t7 (100 times)\\n6000 "
			     "calls of further tools"),
			0) != SIZE_MAX);
	buf_fini(&out);
	buf_fini(&result);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pieces_of_any_size),
	    cmocka_unit_test(memory_that_runs_out),
	    cmocka_unit_test(damaged),
	    cmocka_unit_test(more_than_it_takes),
	    cmocka_unit_test(long_lists_of_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
