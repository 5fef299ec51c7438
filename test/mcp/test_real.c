/* SPDX-License-Identifier: MIT */
/*
 * test_real.c -- four real servers from npm, started together: what they
 * answer comes out as the value that a script wants, and nothing of them is
 * left. Without the packages (npm ci in test/npm) it says so and is skipped.
 */
#include "rig.h"

#include "servers/supervise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODE NPM "/node22"
#define BIN  NPM "/node_modules/.bin/"

enum { FILES, MEMORY, EVERYTHING, GIT };

static char folder[] = "/tmp/codemode-real-XXXXXX";
static char memory_file[100];
static rig d;

static int
start_all(void **state)
{
	(void)state;
	rig_init(&d);
	snprintf(memory_file, sizeof(memory_file),
	    "MEMORY_FILE_PATH=%s/memory.jsonl", folder);
	d.env[3] = memory_file;
	rig_add(&d, "files", NODE, BIN "mcp-server-filesystem", folder, NULL);
	rig_add(&d, "memory", NODE, BIN "mcp-server-memory", NULL);
	rig_add(&d, "all", NODE, BIN "mcp-server-everything", NULL);
	rig_add(&d, "git", NODE, BIN "git-mcp-server", NULL);
	rig_start(&d);
	buf_clear(&d.log);
	return 0;
}

static int
end_all(void **state)
{
	(void)state;
	rig_stop(&d, 0);
	rig_fini(&d);
	return 0;
}

/* Calls with %s in args standing for the folder. */
static void
ask(size_t server, uint32_t call, const char *tool, const char *args)
{
	buf b = BUF_INIT(NULL, 10000);
	const char *mark = strstr(args, "%s");

	if (mark) {
		buf_add(&b, args, (size_t)(mark - args));
		buf_str(&b, folder);
		args = mark + 2;
	}
	buf_str(&b, args);
	buf_byte(&b, '\0');
	rig_ask(&d, server, call, tool, b.ptr);
	buf_fini(&b);
}

static void
all_are_up_with_their_tools(void **state)
{
	static const size_t least[] = {14, 9, 13, 28};
	const mcp_tool *tool;
	size_t i, n;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_int_equal(servers_state(d.s, i), SERVER_UP);
		tool = servers_tools(d.s, i, &n);
		assert_true(n >= least[i]);
		assert_true(
		    json_is(json_get(tool[0].input_schema, TEXT("type")),
			TEXT("object")));
	}
	tool = servers_tools(d.s, FILES, &n);
	assert_true(text_eq(tool[1].name, TEXT("read_text_file")));
	assert_int_equal(tool[1].flags, CM_TOOL_READS);
	assert_true(text_eq(tool[4].name, TEXT("write_file")));
	assert_int_equal(tool[4].flags, CM_TOOL_REPEATABLE | CM_TOOL_DESTROYS);
}

static void
files_are_written_and_read(void **state)
{
	(void)state;
	ask(FILES, 1, "write_file",
	    "{\"path\":\"%s/a.txt\",\"content\":\"one\\ntwo\"}");
	ask(FILES, 2, "read_text_file", "{\"path\":\"%s/a.txt\"}");
	assert_true(text_ends(buf_view(&d.log),
	    TEXT("/a.txt\"}\n2={\"content\":\"one\\ntwo\"}\n")));
	buf_clear(&d.log);
	ask(FILES, 3, "read_text_file", "{\"path\":\"/etc/passwd\"}");
	rig_expect_start(&d, "3!Access denied - path outside allowed");
	ask(FILES, 4, "read_text_file", "{}");
	rig_expect_start(&d, "4!MCP error -32602: Input validation error");
}

static void
memory_keeps_what_it_is_told(void **state)
{
	static const char entity[] =
	    "{\"entities\":[{\"name\":\"n\",\"entityType\":\"t\","
	    "\"observations\":[\"o\"]}]}";

	(void)state;
	ask(MEMORY, 1, "create_entities", entity);
	buf_clear(&d.log);
	ask(MEMORY, 2, "read_graph", "{}");
	rig_expect(&d, "2={\"entities\":[{\"name\":\"n\",\"entityType\":\"t\","
		       "\"observations\":[\"o\"]}],\"relations\":[]}\n");
}

static void
every_kind_of_content_has_its_value(void **state)
{
	(void)state;
	ask(EVERYTHING, 1, "echo", "{\"message\":\"hi\"}");
	rig_expect(&d, "1=\"Echo: hi\"\n");
	ask(EVERYTHING, 2, "get-sum", "{\"a\":2,\"b\":3}");
	rig_expect(&d, "2=\"The sum of 2 and 3 is 5.\"\n");
	ask(EVERYTHING, 3, "get-structured-content",
	    "{\"location\":\"New York\"}");
	rig_expect(&d, "3={\"temperature\":33,\"conditions\":\"Cloudy\","
		       "\"humidity\":82}\n");
	ask(EVERYTHING, 4, "get-tiny-image", "{}");
	rig_expect_start(&d, "4={\"text\":\"Here's the image you requested:\\n"
			     "The image above is the MCP logo.\",\"content\":"
			     "[{\"type\":\"text\",");
	ask(EVERYTHING, 5, "get-resource-links", "{\"count\":2}");
	assert_true(text_find(buf_view(&d.log),
			TEXT("\"type\":\"resource_link\""), 0) != SIZE_MAX);
	buf_clear(&d.log);
}

static void
a_slow_call_ends_at_its_time(void **state)
{
	(void)state;
	assert_int_equal(servers_call(d.s, EVERYTHING, 1,
			     TEXT("trigger-long-running-operation"),
			     TEXT("{\"duration\":2,\"steps\":2}"), 200),
	    CM_OK);
	rig_answers(&d, 1);
	rig_expect(&d, "1!The tool did not answer within 200 ms\n");
	ask(EVERYTHING, 2, "echo", "{\"message\":\"still here\"}");
	rig_expect(&d, "2=\"Echo: still here\"\n");
}

static void
only_the_given_environment_is_there(void **state)
{
	(void)state;
	ask(EVERYTHING, 1, "get-env", "{}");
	assert_true(text_find(buf_view(&d.log),
			TEXT("\"CODEMODE_DEPTH\": \"1\""), 0) != SIZE_MAX);
	assert_true(text_find(buf_view(&d.log), TEXT("CMOCKA"), 0) == SIZE_MAX);
	buf_clear(&d.log);
}

static void
git_tells_of_a_repository(void **state)
{
	(void)state;
	ask(GIT, 1, "git_init", "{\"path\":\"%s\"}");
	rig_expect_start(&d, "1={\"success\":true,");
	ask(GIT, 2, "git_status", "{\"path\":\"%s\"}");
	assert_true(text_find(buf_view(&d.log), TEXT("\"isClean\":false"), 0) !=
		    SIZE_MAX);
	buf_clear(&d.log);
	ask(GIT, 3, "git_log", "{\"path\":\"%s\"}");
	rig_expect_start(&d, "3!Error: Git log failed");
}

static void
all_may_be_asked_at_once(void **state)
{
	size_t server, n = 0;
	uint32_t call;

	(void)state;
	for (call = 1; call <= 50; call++) {
		for (server = 0; server < 2; server++, n++)
			servers_call(d.s, server, call,
			    server == FILES ? TEXT("list_allowed_directories")
					    : TEXT("read_graph"),
			    TEXT("{}"), 0);
	}
	rig_answers(&d, n);
	assert_true(text_find(buf_view(&d.log), TEXT("!"), 0) == SIZE_MAX);
	buf_clear(&d.log);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_are_up_with_their_tools),
	    cmocka_unit_test(files_are_written_and_read),
	    cmocka_unit_test(memory_keeps_what_it_is_told),
	    cmocka_unit_test(every_kind_of_content_has_its_value),
	    cmocka_unit_test(a_slow_call_ends_at_its_time),
	    cmocka_unit_test(only_the_given_environment_is_there),
	    cmocka_unit_test(git_tells_of_a_repository),
	    cmocka_unit_test(all_may_be_asked_at_once),
	};
	int r = supervise_main(argc, argv);
	char command[200];

	if (r >= 0)
		return r;
	clean_start();
	if (access(BIN "git-mcp-server", X_OK)) {
		puts("skipped: the packages of test/npm are not installed");
		return 77;
	}
	if (!mkdtemp(folder))
		return 1;
	r = cmocka_run_group_tests(tests, start_all, end_all);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command) || r;
}
