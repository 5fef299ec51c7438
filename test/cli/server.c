/* SPDX-License-Identifier: MIT */
/*
 * server.c -- an MCP server for the tests of the command: small, and bad in
 * the one way that a test asks for.
 *
 *	server [OPTION...]
 *	  --tag TEXT     ignored: finds the process in a listing
 *	  --log FILE     every line that was received is appended there
 *	  --gate FILE    "hold" answers when this file is there; a line "most N"
 *	                 in the log says how many calls waited at once so far
 *	  --slow MS      waits that long before it answers initialize
 *	  --wait FILE    answers initialize when this file is there; its text is
 *	                 the description of echo
 *	  --die-if FILE  exits 3 when this file is there
 *	  --says TEXT    its instructions
 *	  --die TEXT     says TEXT on stderr and exits 3
 *	  --last-words   "die" exits 3 and says two lines on stderr
 *	  --progress     "sleep" says that it is half done, before it sleeps
 *	  --stubborn     ignores SIGTERM and the end of its stdin
 *	  --child        has a child that leaves its group, and sleeps
 *	  --destroys     its tools say that they destroy, not that they read
 *	  --turns        says so, and that its list has changed, after an echo
 *	  --leaves       has no echo after an echo, and then has it again
 *
 * Tools: echo (gives its arguments back), env (a variable of its own), cwd,
 * fail, big (so many bytes of text), bad (is not UTF-8), sleep (ms), hang (no
 * answer, ever), hold (see --gate), with --last-words also die.
 */
#include "base/json.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MESSAGE_MAX = 80 << 20, HELD_MAX = 256, ID_MAX = 32, POLL_MS = 10 };

typedef struct server {
	const char *log;
	const char *gate;
	char held[HELD_MAX][ID_MAX]; /* ids of calls that wait for .gate */
	size_t holds;
	const char *die;
	unsigned slow_ms;
	const char *wait;
	char about[256]; /* what .wait had */
	const char *says;
	const char *die_if;
	bool stubborn;
	bool child;
	bool destroys;
	bool turns;
	bool leaves, away;
	bool last_words;
	bool progress;
} server;

#define SCHEMA(properties) "{\"type\":\"object\",\"properties\":" properties "}"

static const struct {
	const char *name, *description, *schema;
} tools[] = {
    {"echo", "Gives its arguments back.\\nAll of them.",
	SCHEMA("{\"text\":{\"type\":\"string\"}}")},
    {"env", "One variable of this process.",
	SCHEMA("{\"name\":{\"type\":\"string\"}}")},
    {"cwd", "Where this process runs.", SCHEMA("{}")},
    {"fail", "Fails.", SCHEMA("{\"text\":{\"type\":\"string\"}}")},
    {"big", "So many bytes.", SCHEMA("{\"bytes\":{\"type\":\"integer\"}}")},
    {"bad", "Is not UTF-8.", SCHEMA("{}")},
    {"sleep", "Answers later.", SCHEMA("{\"ms\":{\"type\":\"integer\"}}")},
    {"hang", "Never answers.", SCHEMA("{}")},
    {"hold", "Answers when it is let go.", SCHEMA("{}")},
};

static void
wait_ms(unsigned ms)
{
	usleep(ms * 1000);
}

/* ---------------------------------------------------------------- answers */

static void
reply(json id, const char *what, text body)
{
	printf("{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"%s\":", TEXT_ARG(id), what);
	fwrite(body.ptr, 1, body.len, stdout);
	puts("}");
	fflush(stdout);
}

/* A result of one text. */
static void
say(json id, text t, bool error)
{
	buf b = BUF_INIT(NULL, MESSAGE_MAX);

	buf_str(&b, "{\"content\":[{\"type\":\"text\",\"text\":");
	json_string(&b, t);
	buf_printf(&b, "}],\"isError\":%s}", error ? "true" : "false");
	reply(id, "result", buf_view(&b));
	buf_fini(&b);
}

/* What it holds becomes the description of echo. */
static void
await_file(server *s)
{
	FILE *f;

	while ((f = fopen(s->wait, "r")) == NULL)
		wait_ms(POLL_MS);
	if (fgets(s->about, sizeof(s->about), f) == NULL)
		s->about[0] = '\0';
	fclose(f);
}

static void
initialize(server *s, json id)
{
	buf b = BUF_INIT(NULL, MESSAGE_MAX);

	wait_ms(s->slow_ms);
	if (s->wait)
		await_file(s);
	buf_str(&b, "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":"
		    "{\"tools\":{\"listChanged\":true}},\"serverInfo\":"
		    "{\"name\":\"test\",\"version\":\"1\"}");
	if (s->says)
		json_member_text(&b, "instructions", text_of(s->says));
	buf_byte(&b, '}');
	reply(id, "result", buf_view(&b));
	buf_fini(&b);
}

static void
tell_list_changed(void)
{
	puts("{\"jsonrpc\":\"2.0\",\"method\":"
	     "\"notifications/tools/list_changed\"}");
	fflush(stdout);
}

static void
list(server *s, json id)
{
	buf b = BUF_INIT(NULL, MESSAGE_MAX);

	buf_str(&b, "{\"tools\":[");
	for (size_t i = s->away; i < sizeof(tools) / sizeof(*tools); i++)
		buf_printf(&b,
		    "%s{\"name\":\"%s\",\"description\":\"%s\","
		    "\"inputSchema\":%s,\"annotations\":{\"%s\":true}}",
		    i > s->away ? "," : "", tools[i].name,
		    i == 0 && s->about[0] ? s->about : tools[i].description,
		    tools[i].schema,
		    s->destroys ? "destructiveHint" : "readOnlyHint");
	if (s->last_words)
		buf_str(&b, ",{\"name\":\"die\",\"inputSchema\":{}}");
	buf_str(&b, "]}");
	reply(id, "result", buf_view(&b));
	buf_fini(&b);
	if (s->away)
		tell_list_changed();
	s->away = false;
}

static int64_t
number(json args, const char *name)
{
	int64_t n = 0;

	json_int(json_get(args, text_of(name)), &n);
	return n;
}

static void
big(json id, int64_t bytes)
{
	buf b = BUF_INIT(NULL, MESSAGE_MAX);

	while ((int64_t)b.len < bytes && b.bad == CM_OK)
		buf_byte(&b, 'x');
	say(id, buf_view(&b), false);
	buf_fini(&b);
}

static void
note(const server *s, const char *line)
{
	FILE *f = s->log ? fopen(s->log, "a") : NULL;

	if (f == NULL)
		return;
	fputs(line, f);
	fclose(f);
}

static void
hold(server *s, json id)
{
	char line[32];

	if (s->holds == HELD_MAX || id.len >= ID_MAX)
		exit(4);
	memcpy(s->held[s->holds], id.ptr, id.len);
	s->held[s->holds++][id.len] = '\0';
	snprintf(line, sizeof(line), "most %zu\n", s->holds);
	note(s, line);
}

static void
answer_held(server *s)
{
	if (s->gate == NULL || access(s->gate, F_OK) != 0)
		return;
	while (s->holds > 0)
		say(text_of(s->held[--s->holds]), TEXT("held"), false);
}

static void
say_half_done(json params)
{
	json token =
	    json_get(json_get(params, TEXT("_meta")), TEXT("progressToken"));

	if (token.len == 0)
		return;
	printf("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
	       "\"params\":{\"progressToken\":%.*s,\"progress\":1,\"total\":"
	       "2,\"message\":\"half\"}}\n",
	    TEXT_ARG(token));
	fflush(stdout);
}

/* The tools are redefined, and the client is told. */
static void
turn(server *s)
{
	s->destroys = s->turns;
	s->away = s->leaves;
	s->turns = s->leaves = false;
	tell_list_changed();
}

static void
call(server *s, json id, json params)
{
	json name = json_get(params, TEXT("name"));
	json args = json_get(params, TEXT("arguments"));
	buf b = BUF_INIT(NULL, MESSAGE_MAX);
	char here[4096];

	if (json_is(name, TEXT("echo"))) {
		say(id, args.len ? args : TEXT("{}"), false);
		if (s->turns || s->leaves)
			turn(s);
	} else if (json_is(name, TEXT("env"))) {
		json_unescape(json_get(args, TEXT("name")), &b);
		buf_byte(&b, '\0');
		say(id, text_of(getenv(b.ptr) ? getenv(b.ptr) : "(unset)"),
		    false);
	} else if (json_is(name, TEXT("cwd"))) {
		say(id, text_of(getcwd(here, sizeof(here))), false);
	} else if (json_is(name, TEXT("fail"))) {
		json_unescape(json_get(args, TEXT("text")), &b);
		say(id, buf_view(&b), true);
	} else if (json_is(name, TEXT("big"))) {
		big(id, number(args, "bytes"));
	} else if (json_is(name, TEXT("bad"))) {
		reply(id, "result",
		    TEXT("{\"content\":[{\"type\":\"text\",\"text\":"
			 "\"\377\"}]}"));
	} else if (json_is(name, TEXT("sleep"))) {
		if (s->progress)
			say_half_done(params);
		wait_ms((unsigned)number(args, "ms"));
		say(id, TEXT("slept"), false);
	} else if (json_is(name, TEXT("hold"))) {
		hold(s, id);
	} else if (json_is(name, TEXT("die"))) {
		fputs("secret one\nsecret two\n", stderr);
		exit(3);
	}
	buf_fini(&b);
}

/* As servers do: what a client tries first is answered at once. */
static void
refuse_method(json id)
{
	printf("{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":"
	       "{\"code\":-32601,\"message\":\"Method not found\"}}\n",
	    TEXT_ARG(id));
	fflush(stdout);
}

static void
hear(server *s, text line)
{
	json message, id;

	if (!json_check(line, JSON_DEPTH, &message, NULL))
		return;
	id = json_get(message, TEXT("id"));
	if (json_is(json_get(message, TEXT("method")), TEXT("initialize")))
		initialize(s, id);
	else if (json_is(json_get(message, TEXT("method")), TEXT("tools/list")))
		list(s, id);
	else if (json_is(json_get(message, TEXT("method")), TEXT("tools/call")))
		call(s, id, json_get(message, TEXT("params")));
	else if (id.len > 0 && json_get(message, TEXT("method")).len > 0)
		refuse_method(id);
}

/* ------------------------------------------------------------------- main */

/* A descendant that no signal to our group reaches. */
static void
have_child(void)
{
	if (fork() != 0)
		return;
	setsid();
	for (unsigned i = 0; i < 60; i++)
		sleep(1);
	_exit(0);
}

static void
parse(server *s, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (strcmp(argv[i], "--log") == 0)
			s->log = value;
		else if (strcmp(argv[i], "--gate") == 0)
			s->gate = value;
		else if (strcmp(argv[i], "--die") == 0)
			s->die = value;
		else if (strcmp(argv[i], "--wait") == 0)
			s->wait = value;
		else if (strcmp(argv[i], "--die-if") == 0)
			s->die_if = value;
		else if (strcmp(argv[i], "--says") == 0)
			s->says = value;
		else if (strcmp(argv[i], "--slow") == 0)
			s->slow_ms = (unsigned)atoi(value);
		else if (strcmp(argv[i], "--stubborn") == 0)
			s->stubborn = true;
		else if (strcmp(argv[i], "--last-words") == 0)
			s->last_words = true;
		else if (strcmp(argv[i], "--child") == 0)
			s->child = true;
		else if (strcmp(argv[i], "--progress") == 0)
			s->progress = true;
		else if (strcmp(argv[i], "--destroys") == 0)
			s->destroys = true;
		else if (strcmp(argv[i], "--turns") == 0)
			s->turns = true;
		else if (strcmp(argv[i], "--leaves") == 0)
			s->leaves = true;
	}
}

int
main(int argc, char **argv)
{
	server s = {0};
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	parse(&s, argc, argv);
	if (s.die != NULL) {
		fprintf(stderr, "%s\n", s.die);
		return 3;
	}
	if (s.die_if != NULL && access(s.die_if, F_OK) == 0)
		return 3;
	if (s.child)
		have_child();
	if (s.stubborn)
		signal(SIGTERM, SIG_IGN);
	/* Unbuffered: then poll sees every line that getline has not read. */
	if (s.gate != NULL)
		setvbuf(stdin, NULL, _IONBF, 0);
	for (;;) {
		struct pollfd in = {.fd = 0, .events = POLLIN};

		answer_held(&s);
		if (s.holds > 0 && poll(&in, 1, POLL_MS) == 0)
			continue;
		if ((n = getline(&line, &cap, stdin)) <= 0)
			break;
		note(&s, line);
		hear(&s, (text){line, (size_t)n});
	}
	/* Stubborn, but not for ever: nothing is left behind if a test dies. */
	for (unsigned i = 0; s.stubborn && i < 60; i++)
		sleep(1);
	free(line);
	return 0;
}
