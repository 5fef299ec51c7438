/* SPDX-License-Identifier: MIT */
/*
 * cmd_replay.c -- `codemode replay`: a recorded run, made again without its
 * servers.
 */
#include "common/cmd.h"
#include "common/file.h"
#include "common/place_option.h"
#include "scripts/replaying.h"
#include "scripts/show.h"

enum { SHORT = 300 }; /* bytes of a line of the record that are shown */

typedef struct options {
	const char *script;
	bool diff;
	bool quiet;
	place_options place;
} options;

static const opt opts[] = {
    {"diff", 0, OPT_FLAG, NULL, "print the lines that differ, whole",
	"On standard output, with - before that of the record and + before "
	"that of the new run, and nothing else.",
	offsetof(options, diff)},
    {"script", 0, OPT_FILE, "FILE",
	"run this script instead of the recorded one",
	"It gets the answers of the record as long as it makes the same calls.",
	offsetof(options, script)},
    PLACE_OPTS(options, place),
    {"quiet", 'q', OPT_FLAG, NULL, "no summary on stderr", NULL,
	offsetof(options, quiet)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

typedef struct job {
	options options;
	say say;
	show show;
	buf file;
	recording record;
	replaying replaying;
	pool words;
	cm_place *place;
} job;

static void
on_replay_print(void *ctx, const cm_print *print)
{
	job *j = ctx;

	if (!j->options.diff)
		show_print(&j->show, print);
}

/* ---------------------------------------------------------- what differs */

/* "call 3 of tools.files.read {"path":"a"} (line 4)" */
static void
describe_call(json line, buf *out)
{
	json where = json_get(line, TEXT("line"));

	buf_str(out, "call ");
	buf_text(out, json_get(line, TEXT("call")));
	buf_str(out, " of tools.");
	json_unescape(json_get(line, TEXT("tool")), out);
	buf_byte(out, ' ');
	buf_text(out, text_head(json_get(line, TEXT("args")), SHORT));
	if (!text_eq(where, TEXT("0"))) {
		buf_str(out, " (line ");
		buf_text(out, where);
		buf_byte(out, ')');
	}
}

/* One line of a record, for people. */
static void
describe_line(json line, buf *out)
{
	json print = json_get(line, TEXT("print"));

	if (json_get(line, TEXT("call")).len > 0) {
		describe_call(line, out);
	} else if (print.len > 0) {
		json_unescape(print, out);
		buf_byte(out, ' ');
		buf_text(out, text_head(json_get(line, TEXT("text")), SHORT));
	} else if (line.len > 0) {
		buf_text(out, text_head(line, SHORT));
	} else {
		buf_str(out, "nothing more: it waits for an answer");
	}
}

/* The lines of calls among the first n of the record: the last one. */
static json
last_call(const recording *r, size_t n)
{
	while (n-- > 0)
		if (json_get(r->line[n], TEXT("call")).len > 0)
			return r->line[n];
	return TEXT_NONE;
}

static void
say_difference(job *j)
{
	replaying *p = &j->replaying;
	json want =
	    p->heard < j->record.len ? j->record.line[p->heard] : TEXT_NONE;
	json call = last_call(&j->record, p->heard);
	buf recorded = BUF_INIT(NULL, 16u << 10);
	buf got = BUF_INIT(NULL, 16u << 10);
	buf after = BUF_INIT(NULL, 16u << 10);

	describe_line(want, &recorded);
	describe_line(buf_view(&p->got), &got);
	if (call.len > 0)
		describe_call(call, &after);
	say_line(&j->say,
	    "the run is another from line %zu of the record on%s%.*s",
	    p->heard + 2, after.len > 0 ? ", after " : "",
	    TEXT_ARG(buf_view(&after)));
	say_line(&j->say, "record: %.*s", TEXT_ARG(buf_view(&recorded)));
	say_line(&j->say, "replay: %.*s", TEXT_ARG(buf_view(&got)));
	if (j->options.diff) {
		printf("-%.*s\n", TEXT_ARG(want));
		if (p->got.len > 0)
			printf("+%.*s\n", TEXT_ARG(buf_view(&p->got)));
	}
	buf_fini(&recorded);
	buf_fini(&got);
	buf_fini(&after);
}

/* ------------------------------------------------------------------ the run */

/* The part of a fingerprint that is about the engine. */
static text
engine_part(text fingerprint)
{
	return text_sub(
	    fingerprint, 0, text_find(fingerprint, TEXT(", flags"), 0));
}

static void
compare_engines(job *j)
{
	buf then = BUF_INIT(NULL, 4096);
	text now = cm_run_fingerprint(j->replaying.run);

	json_unescape(json_get(j->record.head, TEXT("fingerprint")), &then);
	if (!text_eq(engine_part(buf_view(&then)), engine_part(now)))
		say_line(&j->say,
		    "another engine made the record: %.*s; this one: %.*s",
		    TEXT_ARG(engine_part(buf_view(&then))),
		    TEXT_ARG(engine_part(now)));
	buf_fini(&then);
}

static cli_exit
judge_replay(job *j, const cm_done *done)
{
	const replaying *p = &j->replaying;
	json result;

	if (p->diverged) {
		compare_engines(j);
		say_difference(j);
		return CLI_DIVERGED;
	}
	if (!p->cut && !j->options.diff &&
	    cm_run_result(p->run, &result) == CM_OK)
		show_done(&j->show, done, result, NULL);
	if (!j->options.quiet)
		say_line(&j->say, "the same run%s: %llu call%s, %llu answer%s",
		    p->cut ? ", up to where it was stopped" : "",
		    (unsigned long long)p->calls, p->calls == 1 ? "" : "s",
		    (unsigned long long)p->answers, p->answers == 1 ? "" : "s");
	return CLI_OK;
}

static cli_exit
replay_record(job *j)
{
	cm_done done = {0};
	cm_status r = replaying_run(&j->replaying, j->place, &done);
	cli_exit code;

	if (r != CM_OK) {
		say_line(&j->say, "the run could not be made again: %s",
		    cm_status_text(r));
		return CLI_SANDBOX;
	}
	code = judge_replay(j, &done);
	return show_flush(&j->show) ? CLI_OUTPUT : code;
}

/* The script of --script takes the place of the recorded one. */
static const char *
read_other_script(job *j)
{
	buf *script = &j->replaying.given.script;

	if (j->options.script == NULL)
		return NULL;
	buf_clear(script);
	return file_read(j->options.script, script);
}

static cli_exit
read_and_replay(job *j, const char *path)
{
	char room[160];
	const char *why = file_read(path, &j->file);

	if (why == NULL)
		why = recording_read(&j->record, buf_view(&j->file), room);
	if (why == NULL)
		why = replaying_init(&j->replaying, &j->record);
	if (why != NULL) {
		say_line(&j->say, "replay: %s: %s", path, why);
		return CLI_USAGE;
	}
	j->replaying.print = on_replay_print;
	j->replaying.ctx = j;
	if ((why = read_other_script(j)) != NULL) {
		say_line(
		    &j->say, "replay: --script %s: %s", j->options.script, why);
		return CLI_USAGE;
	}
	return replay_record(j);
}

static cli_exit
replay_file(job *j, int argc, char **argv)
{
	cli_exit code =
	    place_options_check(&j->options.place, "replay", &j->say);

	if (code == CLI_OK && argc != 1) {
		say_line(&j->say, "replay: name one file that codemode run "
				  "--record wrote");
		code = CLI_USAGE;
	}
	if (code == CLI_OK)
		code = place_options_open(
		    &j->options.place, true, &j->words, &j->say, &j->place);
	if (code == CLI_OK)
		code = read_and_replay(j, argv[0]);
	return code;
}

static int
replay_main(const cmd *self, int argc, char **argv)
{
	job j = {.file = BUF_INIT(NULL, RECORDING_MAX)};
	opt_outcome parsed;
	cli_exit code = CLI_OK;

	say_init(&j.say);
	parsed = opt_parse(self, &argc, argv, &j.options, &j.say);
	j.say.quiet = j.options.quiet;
	show_init(&j.show, &j.say, false);
	if (parsed == OPT_GO)
		code = replay_file(&j, argc, argv);
	else if (parsed == OPT_BAD)
		code = CLI_USAGE;
	replaying_fini(&j.replaying);
	cm_place_free(j.place);
	recording_fini(&j.record);
	buf_fini(&j.file);
	pool_fini(&j.words);
	return code;
}

const cmd cmd_replay = {
    .name = "replay",
    .args = "FILE",
    .does = "make a recorded run again, without servers, and compare",
    .opts = opts,
    .main = replay_main,
};
