/* SPDX-License-Identifier: MIT */
/*
 * fake.c -- an MCP server that misbehaves, each tool and each option in a way
 * of its own.
 *
 *	fake [OPTION]...     how it is as a process (see `options`)
 *	tools/call NAME      how it answers         (see `acts`)
 *
 * An act is called with the id of the request and writes the reply itself, so
 * that it can write it wrongly.
 */
#include "base/json.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool ignore_eof, mute, looping, bad_tools, no_reader, talkative, strict;
static const char *revision = "2025-06-18";
static const char *line_end = "\n";
static text cancelled_id; /* what the client cancelled last */
static char cancelled_buf[64];

/* ----------------------------------------------------------------- writing */

static void
put(const char *bytes, size_t n)
{
	while (n) {
		ssize_t did = write(1, bytes, n);

		if (did <= 0)
			_exit(9);
		bytes += did;
		n -= (size_t)did;
	}
}

static void
put_str(const char *s)
{
	put(s, strlen(s));
}

static void
begin_reply(buf *b, json id)
{
	buf_clear(b);
	buf_printf(
	    b, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":", TEXT_ARG(id));
}

static void
end_reply(buf *b)
{
	buf_byte(b, '}');
	buf_str(b, line_end);
	put(b->ptr, b->len);
}

static void
reply(json id, const char *result)
{
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);

	begin_reply(&b, id);
	buf_str(&b, result);
	end_reply(&b);
	buf_fini(&b);
}

/* A reply of one text block. */
static void
reply_text(json id, text words)
{
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);

	begin_reply(&b, id);
	buf_str(&b, "{\"content\":[{\"type\":\"text\",\"text\":");
	json_string(&b, words);
	buf_str(&b, "}]}");
	end_reply(&b);
	buf_fini(&b);
}

/* -------------------------------------------------------------------- acts */

static void
act_echo(json id, json args)
{
	reply_text(id, args);
}

static void
act_silent(json id, json args)
{
	(void)id;
	(void)args;
}

static void
act_twice(json id, json args)
{
	(void)args;
	reply_text(id, TEXT("first"));
	reply_text(id, TEXT("second"));
}

static void
act_long(json id, json args)
{
	size_t n = (size_t)20 << 20;
	char *filler = malloc(n);

	(void)args;
	memset(filler, 'x', n);
	reply_text(id, (text){filler, n});
	free(filler);
}

static void
act_separators(json id, json args)
{
	char line[200];

	(void)args;
	snprintf(line, sizeof(line),
	    "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"content\":[{"
	    "\"type\":"
	    "\"text\",\"text\":\"a\xE2\x80\xA8"
	    "b\xE2\x80\xA9"
	    "c\xC2\x85\"}]}}\n",
	    TEXT_ARG(id));
	put_str(line);
}

/* Cut inside of a character, with a pause that makes two reads of it. */
static void
act_split(json id, json args)
{
	char line[200];
	size_t cut;

	(void)args;
	snprintf(line, sizeof(line),
	    "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"content\":[{"
	    "\"type\":"
	    "\"text\",\"text\":\"\xE2\x82\xAC\"}]}}\n",
	    TEXT_ARG(id));
	cut = (size_t)(strchr(line, '\xE2') - line) + 1;
	put(line, cut);
	usleep(30000);
	put_str(line + cut);
}

static void
act_crlf(json id, json args)
{
	(void)args;
	line_end = "\r\n";
	reply_text(id, TEXT("crlf"));
	line_end = "\n";
}

static void
act_noise(json id, json args)
{
	put_str("DEBUG: looking that up\n\n{\"level\":30,\"msg\":\"x\"}\n");
	act_echo(id, args);
}

/* 300 KiB: more than a pipe holds while it is not read. */
static void
shout(void)
{
	char line[100];
	int i;

	for (i = 0; i < 3072; i++) {
		memset(line, 'e', sizeof(line));
		line[99] = '\n';
		(void)!write(2, line, sizeof(line));
	}
}

static void
act_stderr(json id, json args)
{
	shout();
	act_echo(id, args);
}

static void
act_die(json id, json args)
{
	(void)id;
	(void)args;
	fputs("\x1b[31mfatal:\x1b[0m the disk is full\n", stderr);
	_exit(3);
}

/* Ends in the middle of its reply. */
static void
act_cut(json id, json args)
{
	char line[100];

	(void)args;
	snprintf(line, sizeof(line),
	    "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"content\":[",
	    TEXT_ARG(id));
	put_str(line);
	_exit(3);
}

/* Byte by byte. */
static void
act_slow(json id, json args)
{
	char line[200];

	(void)args;
	snprintf(line, sizeof(line),
	    "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"content\":[{"
	    "\"type\":\"text\",\"text\":\"slow\"}]}}\n",
	    TEXT_ARG(id));
	for (const char *c = line; *c; c++) {
		put(c, 1);
		usleep(2000);
	}
}

static void
act_storm(json id, json args)
{
	int i;

	for (i = 0; i < 1000; i++)
		put_str("{\"jsonrpc\":\"2.0\",\"method\":"
			"\"notifications/tools/list_changed\"}\n");
	act_echo(id, args);
}

static void
act_not_utf8(json id, json args)
{
	(void)args;
	reply(id, "{\"content\":[{\"type\":\"text\",\"text\":\"\xFF\"}]}");
}

/* What the client cancelled last. */
static void
act_cancelled(json id, json args)
{
	(void)args;
	reply_text(id, cancelled_id);
}

/* Answers the call that the client cancelled last, and then this one. */
static void
act_answer_cancelled(json id, json args)
{
	reply_text(cancelled_id, TEXT("too late"));
	act_echo(id, args);
}

static void
act_close_stdout(json id, json args)
{
	(void)id;
	(void)args;
	close(1);
}

/* One line of /proc/self/status, without its name. */
static void
add_status(buf *b, const char *name)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[200];

	while (f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, name, strlen(name)))
			buf_printf(b, "%s=%llx ", name,
			    strtoull(line + strlen(name) + 1, NULL, 16));
	}
	if (f)
		fclose(f);
}

/* What it was born with. */
static void
act_born(json id, json args)
{
	buf b = BUF_INIT(NULL, 10000);
	char cwd[1000] = "";
	int fd;

	(void)args;
	for (fd = 0; fd < 1000; fd++) {
		if (fcntl(fd, F_GETFD) != -1)
			buf_printf(&b, "%d ", fd);
	}
	add_status(&b, "SigIgn");
	add_status(&b, "SigBlk");
	buf_printf(&b, "leader=%d depth=%s cwd=%s", getpgrp() == getpid(),
	    getenv("CODEMODE_DEPTH"), getcwd(cwd, sizeof(cwd)));
	reply_text(id, buf_view(&b));
	buf_fini(&b);
}

/* Asks the client back, and tells what it answered. */
static void
act_ask_back(json id, json args)
{
	char *line = NULL;
	size_t cap = 0;
	buf b = BUF_INIT(NULL, 10000);
	int i;

	(void)args;
	put_str("{\"jsonrpc\":\"2.0\",\"id\":\"q1\",\"method\":\"ping\"}\n"
		"{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"roots/list\"}\n");
	for (i = 0; i < 2; i++) {
		ssize_t n = getline(&line, &cap, stdin);

		if (n > 0)
			buf_add(&b, line, (size_t)n - 1);
	}
	reply_text(id, buf_view(&b));
	buf_fini(&b);
	free(line);
}

static const struct act {
	const char *name;
	void (*play)(json id, json args);
} acts[] = {
    {"echo", act_echo},
    {"silent", act_silent},
    {"twice", act_twice},
    {"long", act_long},
    {"separators", act_separators},
    {"split", act_split},
    {"crlf", act_crlf},
    {"noise", act_noise},
    {"stderr", act_stderr},
    {"die", act_die},
    {"cut", act_cut},
    {"slow", act_slow},
    {"storm", act_storm},
    {"not_utf8", act_not_utf8},
    {"cancelled", act_cancelled},
    {"answer_cancelled", act_answer_cancelled},
    {"close_stdout", act_close_stdout},
    {"born", act_born},
    {"ask_back", act_ask_back},
};

/* ---------------------------------------------------------------- protocol */

static void
answer_greeting(json id)
{
	char result[300];

	snprintf(result, sizeof(result),
	    "{\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},"
	    "\"serverInfo\":{\"name\":\"fake\",\"version\":\"1\"}}",
	    revision);
	reply(id, result);
}

static void
answer_list(json id)
{
	buf b = BUF_INIT(NULL, 100000);
	size_t i;

	buf_str(&b, "{\"tools\":[");
	for (i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		buf_printf(&b,
		    "%s{\"name\":\"%s\",\"inputSchema\":{\"type\":"
		    "\"object\"}}",
		    i ? "," : "", acts[i].name);
	if (bad_tools)
		buf_str(&b, ",{\"name\":7},null,{\"name\":\"crooked\","
			    "\"inputSchema\":[1,{\"$ref\":\"#\"}]}");
	buf_str(&b, "]");
	if (looping)
		buf_str(&b, ",\"nextCursor\":\"again\"");
	buf_str(&b, "}");
	buf_byte(&b, '\0');
	reply(id, b.ptr);
	buf_fini(&b);
}

static void
answer_call(json id, json params)
{
	size_t i;

	for (i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		if (json_is(json_get(params, TEXT("name")),
			text_of(acts[i].name))) {
			acts[i].play(id, json_get(params, TEXT("arguments")));
			return;
		}
	}
	reply(id, "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":"
		  "\"no such tool\"}]}");
}

static void
refuse_method(json id)
{
	buf b = BUF_INIT(NULL, 1000);

	buf_printf(&b,
	    "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":-32601,"
	    "\"message\":\"Method not found\"}}%s",
	    TEXT_ARG(id), line_end);
	put(b.ptr, b.len);
	buf_fini(&b);
}

static void
note_cancelled(json params)
{
	json id = json_get(params, TEXT("requestId"));

	snprintf(cancelled_buf, sizeof(cancelled_buf), "%.*s", TEXT_ARG(id));
	cancelled_id = text_of(cancelled_buf);
}

static void
answer(text line)
{
	json m, method, id, params;

	if (!json_check(line, JSON_DEPTH, &m, NULL))
		_exit(8);
	method = json_get(m, TEXT("method"));
	id = json_get(m, TEXT("id"));
	params = json_get(m, TEXT("params"));
	if (strict && !json_is(method, TEXT("initialize"))) {
		fputs("expected initialize\n", stderr);
		exit(5);
	}
	strict = false;
	if (json_is(method, TEXT("initialize")) && !mute)
		answer_greeting(id);
	else if (json_is(method, TEXT("tools/list")))
		answer_list(id);
	else if (json_is(method, TEXT("tools/call")))
		answer_call(id, params);
	else if (json_is(method, TEXT("notifications/cancelled")))
		note_cancelled(params);
	else if (id.len && !mute)
		refuse_method(id);
}

/* ----------------------------------------------------------------- options */

static void
be_ignoring_term(void)
{
	signal(SIGTERM, SIG_IGN);
}

static void
be_ignoring_eof(void)
{
	ignore_eof = true;
}

static void
be_mute(void)
{
	mute = true;
}

/* Nothing is read before the test has made the file that is named after its
 * mark. */
static void
be_slow(void)
{
	const struct timespec pause = {.tv_nsec = 10 * 1000000};
	char path[200];

	snprintf(path, sizeof(path), "/tmp/%s", getenv("RIG_MARK"));
	while (access(path, F_OK) != 0)
		nanosleep(&pause, NULL);
}

/* Ends when it is not greeted first. */
static void
be_strict(void)
{
	strict = true;
}

static void
be_looping(void)
{
	looping = true;
}

static void
be_listing_badly(void)
{
	bad_tools = true;
}

static void
be_from_the_future(void)
{
	revision = "2099-01-01";
}

static void
be_talkative(void)
{
	talkative = true;
}

/* As a language server frames them; it gets no header and waits. */
static void
be_framed(void)
{
	put_str("Content-Length: 36\r\n\r\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}");
	mute = true;
}

static void
be_a_failure(void)
{
	fputs("cannot find my configuration\n", stderr);
	exit(4);
}

static void
be_loud(void)
{
	shout();
}

static void
be_without_reader(void)
{
	no_reader = true;
}

/* Sleeps for ever, and does not listen to SIGTERM. */
static _Noreturn void
linger(void)
{
	signal(SIGTERM, SIG_IGN);
	for (;;)
		pause();
}

/* A child, a grandchild, and one that left the family: none ends by itself. */
static void
be_a_parent(void)
{
	if (fork() == 0) {
		if (fork() == 0)
			linger();
		if (fork() == 0) {
			setsid();
			if (fork() == 0)
				linger();
			_exit(0);
		}
		linger();
	}
}

static const struct option {
	const char *name;
	void (*be)(void);
} options[] = {
    {"ignore-term", be_ignoring_term},
    {"ignore-eof", be_ignoring_eof},
    {"mute", be_mute},
    {"strict", be_strict},
    {"slow", be_slow},
    {"looping", be_looping},
    {"bad-tools", be_listing_badly},
    {"future", be_from_the_future},
    {"talkative", be_talkative},
    {"framed", be_framed},
    {"fail", be_a_failure},
    {"loud", be_loud},
    {"no-reader", be_without_reader},
    {"parent", be_a_parent},
};

static void
be(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!strcmp(name, options[i].name)) {
			options[i].be();
			return;
		}
	}
	fprintf(stderr, "fake: there is no option %s\n", name);
	exit(2);
}

int
main(int argc, char **argv)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	int i;

	for (i = 1; i < argc; i++)
		be(argv[i]);
	if (talkative)
		put_str("fake is ready\n");
	if (no_reader)
		linger();
	while ((n = getline(&line, &cap, stdin)) > 0)
		answer((text){line, (size_t)n});
	free(line);
	while (ignore_eof)
		pause();
	return 0;
}
