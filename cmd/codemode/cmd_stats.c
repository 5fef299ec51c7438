/* SPDX-License-Identifier: MIT */
/*
 * cmd_stats.c -- `codemode stats`: the sums of the files of --log: scripts, calls,
 * what they received and how much of it stayed out, by server.
 */
#include "common/cmd.h"
#include "common/file.h"
#include "scripts/show.h"

#include "base/json.h"
#include "base/map.h"
#include "base/mem.h"

#include <inttypes.h>

typedef struct options {
	bool json;
} options;

static const opt opts[] = {{"json", 0, OPT_FLAG, NULL, "print one JSON object",
			       NULL, offsetof(options, json)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

enum { LOG_MAX = 1 << 30, PRINT_MAX = 64 << 20, TOKEN_BYTES = 4 };

/* The sums of one server, or of all. */
typedef struct totals {
	text server;            /* its name as JSON; borrowed from the log */
	uint64_t calls, failed; /* failed: of the calls */
	uint64_t ms;            /* all answers together */
	uint64_t received;      /* bytes of the answers */
} totals;

typedef struct stats {
	uint64_t scripts, scripts_failed;
	uint64_t given; /* bytes that scripts printed and returned */
	totals all;
	totals *server;
	size_t servers, cap;
	map by_call; /* "process script call" -> its server */
	uint64_t bad_lines;
} stats;

/* ------------------------------------------------------------------ reading */

static uint64_t
log_number(json line, const char *name)
{
	int64_t n = 0;

	return json_int(json_get(line, text_of(name)), &n) && n > 0
		   ? (uint64_t)n
		   : 0;
}

/* The sums of that server, new ones if it is new; NULL: no memory. */
static totals *
totals_of(stats *s, text server)
{
	void *array = s->server;

	for (size_t i = 0; i < s->servers; i++)
		if (text_eq(s->server[i].server, server))
			return &s->server[i];
	if (!mem_grow(NULL, &array, &s->cap, s->servers, sizeof(*s->server)))
		return NULL;
	s->server = array;
	s->server[s->servers] = (totals){.server = server};
	return &s->server[s->servers++];
}

/* Names a call by its process, script and number. */
static text
call_key(json line, char *out, size_t size)
{
	int n = snprintf(out, size, "%" PRIu64 " %" PRIu64 " %" PRIu64,
	    log_number(line, "process"), log_number(line, "script"),
	    log_number(line, "call"));

	return (text){out, (size_t)n};
}

static void
count_logged_call(stats *s, json line)
{
	totals *t = totals_of(s, json_get(line, TEXT("server")));
	char key[80];
	text k = call_key(line, key, sizeof(key));
	char *copy = mem_new(NULL, k.len);

	if (t == NULL || copy == NULL)
		return;
	t->calls++;
	s->all.calls++;
	memcpy(copy, k.ptr, k.len);
	map_set(&s->by_call, (text){copy, k.len}, (uint32_t)(t - s->server));
}

static void
count_answer(stats *s, json line)
{
	char key[80];
	uint32_t at = map_get(&s->by_call, call_key(line, key, sizeof(key)));
	bool failed = !json_is(json_get(line, TEXT("how")), TEXT("ok"));
	totals none = {0}, *one = at != MAP_NONE ? &s->server[at] : &none;
	totals *both[] = {one, &s->all};

	for (int i = 0; i < 2; i++) {
		both[i]->failed += failed;
		both[i]->ms += log_number(line, "ms");
		both[i]->received += log_number(line, "bytes");
	}
}

static void
count_line(stats *s, json line)
{
	json event = json_get(line, TEXT("event"));

	if (json_is(event, TEXT("call"))) {
		count_logged_call(s, line);
	} else if (json_is(event, TEXT("answer"))) {
		count_answer(s, line);
	} else if (json_is(event, TEXT("end"))) {
		s->scripts++;
		s->scripts_failed +=
		    !json_is(json_get(line, TEXT("how")), TEXT("ok"));
		s->given += log_number(line, "given");
	} else if (event.len == 0) {
		s->bad_lines++;
	}
}

static void
count_log(stats *s, text log)
{
	text line;

	while (text_line(&log, &line)) {
		json v;

		if (json_check(line, JSON_DEPTH, &v, NULL))
			count_line(s, v);
		else
			s->bad_lines += text_trim(line).len > 0;
	}
}

/* ----------------------------------------------------------------- printing */

static uint64_t
bytes_kept_out(const stats *s)
{
	return s->all.received > s->given ? s->all.received - s->given : 0;
}

static void
put_totals_line(buf *out, text name, const totals *t)
{
	buf_printf(out,
	    "%-20.*s %8" PRIu64 " %8" PRIu64 " %10" PRIu64 " %10s %10" PRIu64
	    "\n",
	    TEXT_ARG(name), t->calls, t->failed,
	    t->calls ? t->ms / t->calls : 0, show_bytes(t->received).text,
	    t->received / TOKEN_BYTES);
}

static void
put_stats_text(const stats *s, buf *out)
{
	buf_printf(out,
	    "%" PRIu64 " script%s, of which %" PRIu64 " failed\n"
	    "%s received from tools, %s given back: about %" PRIu64
	    " tokens stayed out\n\n",
	    s->scripts, s->scripts == 1 ? "" : "s", s->scripts_failed,
	    show_bytes(s->all.received).text, show_bytes(s->given).text,
	    bytes_kept_out(s) / TOKEN_BYTES);
	buf_printf(out, "%-20s %8s %8s %10s %10s %10s\n", "server", "calls",
	    "failed", "mean ms", "received", "tokens");
	for (size_t i = 0; i < s->servers; i++) {
		buf name = BUF_INIT(NULL, 1 << 16);

		json_unescape(s->server[i].server, &name);
		put_totals_line(out, buf_view(&name), &s->server[i]);
		buf_fini(&name);
	}
	put_totals_line(out, TEXT("all"), &s->all);
}

static void
put_totals_json(buf *out, const totals *t)
{
	buf_printf(out,
	    "\"calls\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"ms\":%" PRIu64
	    ",\"received\":%" PRIu64 ",\"tokens\":%" PRIu64,
	    t->calls, t->failed, t->ms, t->received, t->received / TOKEN_BYTES);
}

static void
put_stats_json(const stats *s, buf *out)
{
	buf_printf(out,
	    "{\"scripts\":%" PRIu64 ",\"scriptsFailed\":%" PRIu64
	    ",\"given\":%" PRIu64 ",\"tokensKeptOut\":%" PRIu64 ",",
	    s->scripts, s->scripts_failed, s->given,
	    bytes_kept_out(s) / TOKEN_BYTES);
	put_totals_json(out, &s->all);
	buf_str(out, ",\"servers\":[");
	for (size_t i = 0; i < s->servers; i++) {
		buf_str(out, i > 0 ? ",{\"server\":" : "{\"server\":");
		buf_text(out, s->server[i].server);
		buf_byte(out, ',');
		put_totals_json(out, &s->server[i]);
		buf_byte(out, '}');
	}
	buf_str(out, "]}\n");
}

/* ------------------------------------------------------------------ command */

static void
fini_stats(stats *s)
{
	for (size_t i = 0; i < s->by_call.cap; i++) {
		text k = s->by_call.entry[i].key;

		mem_free(NULL, (char *)(uintptr_t)k.ptr, k.len);
	}
	map_fini(&s->by_call);
	mem_free(NULL, s->server, s->cap * sizeof(*s->server));
}

/* logs: all of them, one behind the other; lives as long as the result. */
static cli_exit
print_stats(const options *o, text logs, say *s)
{
	stats all = {.by_call = MAP_INIT(NULL)};
	buf out = BUF_INIT(NULL, PRINT_MAX);

	count_log(&all, logs);
	(o->json ? put_stats_json : put_stats_text)(&all, &out);
	if (all.bad_lines > 0)
		say_line(s, "stats: %" PRIu64 " line%s left out: not of a log",
		    all.bad_lines, all.bad_lines == 1 ? "" : "s");
	say_text(stdout, false, buf_view(&out));
	buf_fini(&out);
	fini_stats(&all);
	return CLI_OK;
}

static cli_exit
read_logs(const options *o, int argc, char **argv, say *s)
{
	buf logs = BUF_INIT(NULL, LOG_MAX);
	cli_exit code = CLI_OK;

	for (int i = 0; i < argc && code == CLI_OK; i++) {
		const char *why = file_read(argv[i], &logs);

		buf_byte(&logs, '\n');
		if (why == NULL)
			continue;
		say_line(s, "stats: %s: %s", argv[i], why);
		code = CLI_USAGE;
	}
	if (code == CLI_OK)
		code = print_stats(o, buf_view(&logs), s);
	buf_fini(&logs);
	return code;
}

static int
stats_main(const cmd *self, int argc, char **argv)
{
	options o = {.json = false};
	opt_outcome parsed;
	say s;

	say_init(&s);
	parsed = opt_parse(self, &argc, argv, &o, &s);
	if (parsed == OPT_SHOWN)
		return CLI_OK;
	if (parsed == OPT_GO && argc > 0)
		return (int)read_logs(&o, argc, argv, &s);
	if (parsed == OPT_GO)
		say_line(&s, "stats: name a file that --log has written");
	return CLI_USAGE;
}

const cmd cmd_stats = {
    .name = "stats",
    .args = "FILE...",
    .does = "sum up what --log wrote, by server",
    .opts = opts,
    .main = stats_main,
};
