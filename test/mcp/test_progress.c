/* SPDX-License-Identifier: MIT */
/*
 * test_progress.c -- a client of serve that waits for a script hears something
 * every two seconds: by a clock that the test moves on, with the service and a
 * session of serve in this program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>

#include <cmocka.h>

#include "serve/session.h"
#include "skewed_clock.h"

typedef struct hall {
	main_loop loop;
	say say;
	upstream upstream;
	service_options options;
	cm_place *place;
	service service;
	session *client;
	buf heard; /* all lines that the client was sent */
} hall;

static void
open_hall(hall *h)
{
	const upstream_options none = {.quiet = true};

	setenv("CODEMODE_MCP", "none", 1);
	say_init(&h->say);
	h->heard = BUF_INIT(NULL, 64 << 20);
	assert_true(main_loop_open(&h->loop, &h->say));
	assert_int_equal(
	    upstream_start(&h->upstream, &h->loop, &none, &h->say), CLI_OK);
	h->options = (service_options){.limits.wall_ms = 3600 * 1000};
	service_init(&h->service, &h->options, &h->upstream, NULL);
	h->client = session_new(&h->service, false);
	assert_non_null(h->client);
}

static void
close_hall(hall *h)
{
	session_free(h->client);
	service_fini(&h->service);
	upstream_stop(&h->upstream, true);
	upstream_fini(&h->upstream);
	main_loop_close(&h->loop);
	buf_fini(&h->heard);
}

static void
tell_server(hall *h, const char *line)
{
	while (*line) {
		size_t n;
		char *room = mcp_server_room(h->client->machine, &n);
		size_t len = strlen(line) < n ? strlen(line) : n;

		memcpy(room, line, len);
		mcp_server_fed(h->client->machine, len);
		session_obey(h->client);
		line += len;
	}
}

/* What happens within these ms, and no time of the machine's. */
static void
pass_time(hall *h, uint64_t ms)
{
	text out;

	ahead_ms += ms;
	for (int i = 0; i < 3; i++) {
		main_loop_due(&h->loop.uv);
		main_loop_turn(&h->loop);
		service_turn(&h->service);
	}
	out = mcp_server_out(h->client->machine);
	buf_text(&h->heard, out);
	mcp_server_sent(h->client->machine, out.len);
}

static size_t
count_progress(const hall *h)
{
	static const text word = TEXT_INIT("notifications/progress");
	size_t n = 0, at = 0;

	while ((at = text_find(buf_view(&h->heard), word, at)) != SIZE_MAX) {
		at += word.len;
		n++;
	}
	return n;
}

static void
something_is_told_every_two_seconds(void **state)
{
	hall h = {0};
	size_t before;

	(void)state;
	open_hall(&h);
	tell_server(&h, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
			"call\",\"params\":{\"name\":\"codemode\","
			"\"arguments\":{\"code\":\"await codemode.sleep("
			"120000); return 7\",\"timeoutMs\":200000},\"_meta\":"
			"{\"progressToken\":1}}}\n");
	pass_time(&h, 0);
	before = count_progress(&h);
	for (size_t i = 1; i <= 50; i++) {
		pass_time(&h, 2000);
		assert_int_equal(count_progress(&h), before + i);
	}
	assert_true(
	    text_find(buf_view(&h.heard), TEXT("\"result\""), 0) == SIZE_MAX);
	while (text_find(buf_view(&h.heard), TEXT("\"text\":\"7\""), 0) ==
	       SIZE_MAX)
		pass_time(&h, 1000);
	before = count_progress(&h);
	pass_time(&h, 60000);
	assert_int_equal(count_progress(&h), before);
	close_hall(&h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(something_is_told_every_two_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
