/* SPDX-License-Identifier: MIT */
/*
 * run.c -- `codemode run`: one script, the servers it may call, its answer.
 */
#include "cmd.h"
#include "drive.h"
#include "file.h"
#include "signals.h"
#include "store_file.h"
#include "worker.h"

#include <codemode/place.h>

#include <errno.h>
#include <unistd.h>

enum { SCRIPT_MAX_BYTES = 64 << 20 };

typedef struct options {
	upstream_options upstream;
	const char *code;
	const char *store;
	const char *place;
	bool require_fences;
	bool raw;
	bool json;
	cm_limits limits;
} options;

static const opt opts[] = {
    {"eval", 'e', OPT_TEXT, "CODE", "run this code instead of a file", NULL,
	offsetof(options, code)},
    UPSTREAM_OPTS(options, upstream),
    {"json", 0, OPT_FLAG, NULL, "print the whole result as one JSON object",
	"Value, output, calls, changes to the store, warnings, error and "
	"figures; nothing else goes to stdout.",
	offsetof(options, json)},
    {"store", 0, OPT_FILE, "FILE", "what load() finds and store() keeps",
	"A JSON object in a regular file; a file that does not exist is an "
	"empty one. What a script that succeeds has changed is merged into "
	"what the file holds by then. A file that cannot be written is told "
	"before the script begins.",
	offsetof(options, store)},
    {"place", 0, OPT_TEXT, "PLACE",
	"where it runs: process (default) or inline",
	"process: in a process of its own, behind every fence that this "
	"machine has. inline: in this process, behind the wall of its own "
	"memory.",
	offsetof(options, place)},
    {"require-fences", 0, OPT_FLAG, NULL,
	"do not run unless every fence stands", "See codemode doctor.",
	offsetof(options, require_fences)},
    {"raw", 0, OPT_FLAG, NULL, "run the text as it stands",
	"Without it Markdown fences, types, export default, a lone function "
	"and a last expression are understood.",
	offsetof(options, raw)},
    {"timeout", 0, OPT_COUNT, "MS", "time for the script (300000)", NULL,
	offsetof(options, limits.wall_ms)},
    {"memory", 0, OPT_BYTES, "BYTES", "memory for its values (256M)", NULL,
	offsetof(options, limits.heap)},
    {"max-calls", 0, OPT_COUNT, "N", "tool calls in all (10000)", NULL,
	offsetof(options, limits.calls)},
    {"concurrency", 0, OPT_COUNT, "N", "tool calls at a time (16)", NULL,
	offsetof(options, limits.calls_at_once)},
    {"server-concurrency", 0, OPT_COUNT, "N",
	"tool calls at a time on one server (none)", NULL,
	offsetof(options, limits.space_calls_at_once)},
    {"tool-concurrency", 0, OPT_COUNT, "N",
	"calls of one tool at a time (none)", NULL,
	offsetof(options, limits.tool_calls_at_once)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

/* Everything that a run needs; born empty, so that one exit frees it all. */
typedef struct job {
	options options;
	say say;
	show show;
	buf script;
	buf store;   /* bytes of the store file, or empty */
	json values; /* the object in .store */
	upstream upstream;
	cm_catalog *catalog;
	cm_place *place;
	cm_run *run;
	drive_counts counts;
	bool aborted;
} job;

static const struct {
	cm_end end;
	cli_exit code;
} exits[] = {
    {CM_END_OK, CLI_OK},
    {CM_END_SCRIPT, CLI_SCRIPT},
    {CM_END_TIMEOUT, CLI_TIMEOUT},
    {CM_END_ABORTED, CLI_ABORTED},
    {CM_END_SANDBOX, CLI_SANDBOX},
};

static cli_exit
exit_of(cm_end end)
{
	for (size_t i = 0; i < sizeof(exits) / sizeof(*exits); i++)
		if (exits[i].end == end)
			return exits[i].code;
	return CLI_SANDBOX;
}

/* Which file: the one named; stdin for "-" and when it is no terminal. */
static cli_exit
read_script(job *j, int argc, char **argv)
{
	const char *path = argc > 0 ? argv[0] : "-", *why;

	if (argc > 1 || (argc > 0 && j->options.code != NULL)) {
		say_line(&j->say,
		    "run: one script at a time, please: \"%s\" "
		    "is one too many",
		    argv[argc - 1]);
		return CLI_USAGE;
	}
	if (j->options.code != NULL) {
		buf_str(&j->script, j->options.code);
		return CLI_OK;
	}
	if (argc == 0 && isatty(STDIN_FILENO)) {
		say_line(&j->say, "run: no script: name a file, or give code "
				  "with -e, or on stdin");
		return CLI_USAGE;
	}
	why = file_read(path, &j->script);
	if (why == NULL)
		return CLI_OK;
	say_line(&j->say, "%s: the script cannot be read: %s",
	    strcmp(path, "-") == 0 ? "stdin" : path, why);
	return CLI_USAGE;
}

static cli_exit
check_place(job *j)
{
	const char *place = j->options.place;

	if (place == NULL || strcmp(place, "process") == 0)
		return CLI_OK;
	if (strcmp(place, "inline") != 0) {
		say_line(&j->say,
		    "run: --place takes process or inline, not \"%s\"", place);
		return CLI_USAGE;
	}
	if (!j->options.require_fences)
		return CLI_OK;
	say_line(&j->say, "run: --require-fences asks for --place process: "
			  "inline has none");
	return CLI_SANDBOX;
}

/* The script's process starts beside the servers. */
static cli_exit
open_place(job *j)
{
	cm_process_options o = CM_PROCESS_OPTIONS_INIT;
	char path[WORKER_PATH_MAX];

	if (j->options.place != NULL && strcmp(j->options.place, "inline") == 0)
		return CLI_OK;
	o.worker = worker_path(path, sizeof(path));
	o.spares = CM_NO_SPARES;
	o.single = 1;
	o.require_fences = j->options.require_fences;
	if (cm_place_process(NULL, &o, &j->place) == CM_OK)
		return CLI_OK;
	say_line(&j->say,
	    "%s cannot be started: %s; --place inline does without it",
	    o.worker, strerror(errno));
	return CLI_SANDBOX;
}

static cm_status
new_run(job *j)
{
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_status r = upstream_catalog(&j->upstream, &j->catalog);

	if (r != CM_OK)
		return r;
	o.limits = j->options.limits;
	o.flags = j->options.raw ? CM_RUN_RAW : 0;
	o.place = j->place;
	o.store = j->values;
	return cm_run_new(j->catalog, buf_view(&j->script), &o, &j->run);
}

static void
summary(job *j)
{
	const drive_counts *c = &j->counts;
	uint64_t shown = j->show.written;
	uint64_t rest = c->received > shown ? c->received - shown : 0;
	char took[32];

	if (j->say.quiet)
		return;
	if (c->ms < 1000)
		snprintf(took, sizeof(took), "%u ms", (unsigned)c->ms);
	else
		snprintf(took, sizeof(took), "%.1f s", (double)c->ms / 1000);
	if (c->calls == 0)
		say_line(&j->say, "no calls, %s", took);
	else
		say_line(&j->say,
		    "%u call%s, %s; %s received from tools, %s "
		    "of it stayed out of the output",
		    c->calls, c->calls == 1 ? "" : "s", took,
		    show_bytes(c->received).text, show_bytes(rest).text);
}

/* After the script: its result, the store, the summary. */
static cli_exit
finish(job *j, const cm_done *done)
{
	cli_exit code = exit_of(done->end);
	json result = TEXT_NONE;

	if (cm_run_result(j->run, &result) != CM_OK)
		return CLI_SANDBOX;
	show_done(&j->show, done, result);
	show_flush(&j->show);
	if (done->end == CM_END_OK && j->options.store != NULL &&
	    store_file_merge(j->options.store,
		json_get(result, TEXT("storeWrites")), &j->say) != NULL)
		code = CLI_USAGE;
	if (j->show.failed != 0) {
		say_line(&j->say, "stdout cannot be written: %s",
		    strerror(j->show.failed));
		code = CLI_USAGE;
	}
	summary(j);
	return code;
}

static cli_exit
run_script(job *j)
{
	cm_done done;
	cm_status r = new_run(j);

	/* People were told already; the reader of the result was not. */
	if (r == CM_OK && j->options.json)
		upstream_absent(&j->upstream, drive_warn, j->run);
	if (r == CM_OK)
		r = drive_run(
		    j->run, &j->upstream, &j->show, &done, &j->counts);
	if (r != CM_OK) {
		say_line(&j->say, "the script could not be run: %s",
		    cm_status_text(r));
		return CLI_SANDBOX;
	}
	j->aborted = done.end == CM_END_ABORTED;
	return finish(j, &done);
}

static cli_exit
run_job(job *j)
{
	text script = buf_view(&j->script);
	cli_exit code;

	code = upstream_start(&j->upstream, &j->options.upstream, &j->say);
	if (code == CLI_OK)
		code = open_place(j);
	if (code == CLI_OK)
		code = upstream_wait(&j->upstream, &script);
	if (code == CLI_OK)
		code = run_script(j);
	upstream_stop(&j->upstream, j->aborted || j->counts.calls == 0);
	cm_run_free(j->run);
	cm_place_free(j->place);
	cm_catalog_free(j->catalog);
	upstream_fini(&j->upstream);
	return code;
}

/* Before any server starts: a store that cannot be written later would lose
 * what the calls of the script have done. */
static cli_exit
read_store(job *j)
{
	const char *path = j->options.store;

	if (path == NULL)
		return CLI_OK;
	return store_file_check(path, &j->say) &&
		       store_file_read(path, &j->store, &j->values, &j->say)
		   ? CLI_OK
		   : CLI_USAGE;
}

static int
run_main(const cmd *self, int argc, char **argv)
{
	job j = {.script = BUF_INIT(NULL, SCRIPT_MAX_BYTES),
	    .store = BUF_INIT(NULL, STORE_FILE_MAX)};
	opt_outcome parsed = opt_parse(self, &argc, argv, &j.options);
	cli_exit code = parsed == OPT_SHOWN ? CLI_OK : CLI_USAGE;

	say_init(&j.say, j.options.upstream.quiet);
	show_init(&j.show, &j.say, j.options.json);
	if (parsed == OPT_GO)
		code = check_place(&j);
	if (parsed == OPT_GO && code == CLI_OK)
		code = read_script(&j, argc, argv);
	if (parsed == OPT_GO && code == CLI_OK)
		code = read_store(&j);
	if (parsed == OPT_GO && code == CLI_OK)
		code = run_job(&j);
	buf_fini(&j.store);
	buf_fini(&j.script);
	opt_values_fini(&j.options.upstream.servers);
	return code;
}

const cmd cmd_run = {
    .name = "run",
    .args = "[FILE|-]",
    .does = "run a script and print what it says and returns",
    .opts = opts,
    .main = run_main,
};
