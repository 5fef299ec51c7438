/* SPDX-License-Identifier: MIT */
/*
 * cmd_run.c -- `codemode run`: one script, the servers it may call, its answer.
 */
#include "common/cmd.h"
#include "common/data_words.h"
#include "common/file.h"
#include "common/monotonic.h"
#include "common/place_option.h"
#include "common/script_text.h"
#include "common/signals.h"
#include "scripts/ask_terminal.h"
#include "scripts/recording.h"
#include "scripts/scripts.h"
#include "scripts/show.h"
#include "serve/kept.h"
#include "serve/store_file.h"

#include "mcp/serve_tool.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SCRIPT_NUMBER = 1, DATA_MAX = 1 << 30, NOTE_MAX = 4096 };

typedef struct options {
	upstream_options upstream;
	const char *code;
	const char *store;
	const char *data;
	place_options place;
	bool raw;
	bool json;
	uint64_t output_tokens; /* 0: no limit */
	const char *record;
	watch_options watch;
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
    {"data", 0, OPT_TEXT, "FILE|JSON|-", "what the script finds as `data`",
	"JSON, or a file that holds some, or - for standard input. So nothing "
	"needs quoting inside the code. Words NAME=VALUE behind the script "
	"are an object of data, too.",
	offsetof(options, data)},
    {"record", 0, OPT_FILE, "FILE", "write what happens to this file",
	"codemode replay makes the run again from it. The script's clock then "
	"stands still while it computes, its time zone is UTC, and it has "
	"neither WeakRef nor FinalizationRegistry. The file holds the script, "
	"the store, the data, the tools, and all that they answered.",
	offsetof(options, record)},
    WATCH_OPTS(options, watch), PLACE_OPTS(options, place),
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
    {"max-output-tokens", 0, OPT_COUNT, "N",
	"text that is shown, at 4 bytes a token (all)",
	"What is longer is cut so that JSON stays JSON, the largest parts "
	"first. A script may ask for less, with max_output_tokens in its "
	"options line.",
	offsetof(options, output_tokens)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

/* Everything that a run needs; empty at first, so that one exit frees it all. */
typedef struct job {
	options options;
	say say;
	show show;
	buf script;
	buf store;   /* bytes of the store file, or empty */
	json values; /* the object in .store */
	buf data;    /* JSON, or empty */
	kept kept;   /* results beside that file */
	recorder recorder;
	main_loop loop;
	upstream upstream;
	cm_place *place;
	pool words; /* of the place's command */
	scripts scripts;
	watch watch;
	cm_run *run; /* borrowed from .scripts; NULL: not yet or no more */
	buf note;    /* what a tool said last of its progress; may be empty */
	uint64_t began_ms; /* of the script */
	bool aborted;
	bool finished; /* the script is over, .code says how */
	cli_exit code;
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

static void
print_summary(job *j)
{
	const scripts_counts *c = &j->scripts.counts;
	uint64_t ms = monotonic_ms() - j->began_ms;
	uint64_t shown = j->show.written;
	uint64_t rest = c->received > shown ? c->received - shown : 0;
	char took[32], stopped[40] = "", unstarted[40] = "", bytes[160] = "";

	if (j->say.quiet)
		return;
	if (j->show.stopped > 0)
		snprintf(stopped, sizeof(stopped), " (%u stopped halfway)",
		    j->show.stopped);
	if (j->show.unstarted > 0)
		snprintf(unstarted, sizeof(unstarted), ", %u never began",
		    j->show.unstarted);
	if (c->received > 0)
		snprintf(bytes, sizeof(bytes),
		    "; %s received from tools, %s of it stayed out of the "
		    "output",
		    show_bytes(c->received).text, show_bytes(rest).text);
	if (ms < 1000)
		snprintf(took, sizeof(took), "%u ms", (unsigned)ms);
	else
		snprintf(took, sizeof(took), "%.1f s", (double)ms / 1000);
	if (c->calls == 0 && j->show.unstarted == 0)
		say_line(&j->say, "no calls, %s", took);
	else
		say_line(&j->say, "%u call%s%s%s, %s%s", c->calls,
		    c->calls == 1 ? "" : "s", stopped, unstarted, took, bytes);
}

/* The sandbox needs address space that it never uses. */
static void
hint_address_space(job *j)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return;
	say_line(&j->say,
	    "the address space is limited to %llu kB (ulimit -v): the "
	    "sandbox may need more",
	    (unsigned long long)limit.rlim_cur / 1024);
}

/* --------------------------------------------------------------- the script */

/* What the script asks for, capped by --max-output-tokens. */
static uint64_t
tokens_of_run(const job *j, const cm_run *run)
{
	uint64_t most = j->options.output_tokens, asked;

	if (most == 0)
		most = CM_NO_LIMIT;
	asked = cm_run_output_tokens(run);
	return asked < most ? asked : most;
}

static void
on_run_print(void *ctx, uint32_t number, const cm_print *print)
{
	job *j = ctx;

	(void)number;
	show_limit(&j->show, tokens_of_run(j, j->run));
	show_print(&j->show, print);
	if (j->show.failed != 0)
		cm_run_cancel(j->run, TEXT("stdout cannot be written"));
}

/* Keeps what was cut, for a later script, and says how to read it. */
static void
save_whole(job *j, const char *what, json whole)
{
	uint32_t id = kept_add(&j->kept, whole, time(NULL));
	const char *why;

	if (id == 0)
		return;
	if ((why = kept_save(&j->kept, j->options.store)) == NULL)
		say_line(&j->say,
		    "all of %s is codemode.result(%u) in a later script", what,
		    id);
	else
		say_line(&j->say, "%s cannot be kept: %s", what, why);
}

static void
watch_cut(const job *j, const char *what, uint64_t bytes)
{
	watch_tell(&j->watch, (watch_event){.kind = WATCH_CUT,
				  .script = SCRIPT_NUMBER,
				  .how = what,
				  .bytes = bytes});
}

/* What was cut is kept beside the store. */
static void
keep_cut(job *j, const cm_done *done, json result)
{
	buf texts = BUF_INIT(NULL, SIZE_MAX / 2);

	if (j->show.cut > 0)
		watch_cut(j, "the printed text", 0);
	if (j->show.value_cut)
		watch_cut(j, "the value", done->value.len);
	if (j->options.store == NULL)
		return;
	if (j->show.cut > 0)
		serve_printed(&texts, json_get(result, TEXT("output")));
	if (texts.len > 0 && texts.bad == CM_OK)
		save_whole(j, "the printed text", buf_view(&texts));
	if (j->show.value_cut)
		save_whole(j, "the value", done->value);
	buf_fini(&texts);
}

/* Shows the result with secrets replaced: a script may have joined the parts of
 * one. */
static void
show_plain(job *j, const cm_done *done, json result, const char *lost)
{
	/* Else only the warnings, which are searched there. */
	const bool is_shown = j->options.json || j->options.store != NULL;
	cm_done shown = *done;
	buf value, whole;

	shown.value =
	    answer_without_secrets(j->upstream.secrets, done->value, &value);
	result = answer_without_secrets(
	    is_shown ? j->upstream.secrets : NULL, result, &whole);
	if (value.bad != CM_OK || whole.bad != CM_OK)
		say_line(&j->say, "out of memory");
	show_done(&j->show, &shown, result, lost);
	keep_cut(j, &shown, result);
	buf_fini(&value);
	buf_fini(&whole);
}

/* After the script: the store, its result, the summary. */
static void
on_run_over(void *ctx, uint32_t number, cm_run *run, const cm_done *done,
    cm_status status)
{
	job *j = ctx;
	json result = TEXT_NONE;
	const char *lost = NULL, *why;

	(void)number;
	signals_target(NULL);
	j->run = NULL;
	j->finished = true;
	say_clear(&j->say);
	if (status == CM_OK)
		status = cm_run_result(run, &result);
	if (status != CM_OK) {
		say_line(&j->say, "the script could not be run: %s",
		    cm_status_text(status));
		j->code = CLI_SANDBOX;
		return;
	}
	j->aborted = done->end == CM_END_ABORTED;
	j->code = exit_of(done->end);
	if (done->end == CM_END_OK && j->options.store != NULL)
		lost = store_file_merge(j->options.store,
		    json_get(result, TEXT("storeWrites")), &j->say);
	j->show.secrets = j->upstream.secrets;
	show_limit(&j->show, tokens_of_run(j, run));
	show_plain(j, done, result, lost);
	if ((why = recorder_close(&j->recorder, true)) != NULL)
		say_line(&j->say, "--record %s cannot be written: %s",
		    j->options.record, why);
	if (lost != NULL || why != NULL || show_flush(&j->show))
		j->code = CLI_OUTPUT;
	if (done->end == CM_END_SANDBOX)
		hint_address_space(j);
	print_summary(j);
}

static void
on_run_progress(void *ctx, uint32_t number, cm_call_id call, double progress,
    double total, text message)
{
	job *j = ctx;

	(void)number, (void)call;
	buf_clear(&j->note);
	buf_printf(&j->note, "; %.15g", progress);
	if (total > 0)
		buf_printf(&j->note, " of %.15g", total);
	if (message.len > 0)
		buf_printf(&j->note, ": %.*s", TEXT_ARG(message));
}

/* Now, and a seed of the machine's. */
static const cm_start *
begin_record(cm_start *start)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	start->epoch_ms = (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
	must(getentropy(start->seed, sizeof(start->seed)) == 0);
	return start;
}

static void
record_head(job *j, cm_catalog *catalog, const cm_run_options *o)
{
	const char *why = recorder_begin(
	    &j->recorder, j->run, catalog, buf_view(&j->script), o);

	if (why != NULL)
		say_line(&j->say, "--record %s: %s", j->options.record, why);
}

static void
on_run_ask(
    void *ctx, uint32_t number, uint32_t caller, cm_call_id call, text words)
{
	job *j = ctx;

	(void)number;
	scripts_decide(
	    &j->scripts, caller, call, ask_terminal(&j->say, words, call == 0));
}

static cm_status
start_run(job *j)
{
	const scripts_hooks hooks = {.ctx = j,
	    .print = on_run_print,
	    .over = on_run_over,
	    .progress = on_run_progress,
	    .ask = on_run_ask};
	cm_run_options o;
	cm_start start = {.log = recorder_line, .ctx = &j->recorder};
	buf store = BUF_INIT(NULL, STORE_FILE_MAX);
	cm_catalog *catalog = upstream_catalog(&j->upstream);
	cm_status r;

	scripts_init(
	    &j->scripts, &j->upstream, &j->options.limits, j->place, hooks);
	j->scripts.watch = &j->watch;
	j->scripts.flags = place_options_flags(&j->options.place);
	j->scripts.value_is_printed = !j->options.json;
	if (catalog == NULL)
		return CM_ENOMEM;
	o = scripts_run_options(&j->scripts);
	o.flags |= j->options.raw ? (unsigned)CM_RUN_RAW : 0;
	o.store = j->values;
	o.data = buf_view(&j->data);
	kept_write_store(&j->kept, j->values, time(NULL), &store);
	if (j->kept.len > 0 && store.bad == CM_OK)
		o.store = buf_view(&store);
	if (j->recorder.to != NULL)
		o.start = begin_record(&start);
	r = cm_run_new(catalog, buf_view(&j->script), &o, &j->run);
	if (r == CM_OK && j->recorder.to != NULL)
		record_head(j, catalog, &o);
	buf_fini(&store);
	if (r == CM_OK && !scripts_start(&j->scripts, SCRIPT_NUMBER, j->run,
			      buf_view(&j->script), TEXT_NONE)) {
		cm_run_free(j->run);
		r = CM_ENOMEM;
	}
	return r;
}

static void
show_progress(job *j)
{
	const scripts_counts *c = &j->scripts.counts;
	text note = c->running > 0 ? buf_view(&j->note) : TEXT_NONE;

	if (show_flush(&j->show))
		scripts_cancel(&j->scripts, SCRIPT_NUMBER,
		    TEXT("stdout cannot be written"));
	if (c->calls > 0)
		say_live(&j->say, "calls: %u running, %u done, %s received%.*s",
		    c->running, c->calls - c->running,
		    show_bytes(c->received).text, TEXT_ARG(note));
}

static void
turn_until_over(job *j)
{
	unsigned seen = signals_count();

	signals_target(j->run);
	main_loop_tick(&j->loop, &j->say);
	for (;;) {
		scripts_turn(&j->scripts);
		if (j->finished)
			break;
		show_progress(j);
		if (scripts_due(&j->scripts))
			main_loop_due(&j->loop.uv);
		main_loop_turn(&j->loop);
		if (signals_count() > seen)
			scripts_cancel(&j->scripts, SCRIPT_NUMBER, TEXT_NONE);
		seen = signals_count();
	}
	main_loop_tick(&j->loop, NULL);
}

static cli_exit
run_script(job *j)
{
	cm_status r;

	j->began_ms = monotonic_ms();
	r = start_run(j);
	if (r == CM_OK) {
		j->upstream.sink = (upstream_sink){upstream_warn_run, j->run};
		/* It was printed; the reader of the result must know, too. */
		if (j->options.json)
			upstream_absent(&j->upstream, NULL, j->upstream.sink);
		turn_until_over(j);
		j->upstream.sink = (upstream_sink){NULL, NULL};
	} else {
		say_line(&j->say, "the script could not be run: %s",
		    cm_status_text(r));
		j->code = CLI_SANDBOX;
	}
	scripts_fini(&j->scripts);
	return j->code;
}

static cli_exit
run_job(job *j)
{
	text script = buf_view(&j->script);
	cli_exit code;

	j->options.upstream.script = &script;
	code = upstream_start(
	    &j->upstream, &j->loop, &j->options.upstream, &j->say);
	if (code == CLI_OK)
		code = place_options_open(
		    &j->options.place, true, &j->words, &j->say, &j->place);
	if (code == CLI_OK && !watch_open(&j->watch, &j->options.watch, false,
				  &j->loop, j->upstream.secrets, &j->say))
		code = CLI_USAGE;
	if (code == CLI_OK)
		code = upstream_wait(&j->upstream, &script);
	if (code == CLI_OK)
		code = run_script(j);
	upstream_stop(&j->upstream, j->aborted || j->scripts.counts.calls == 0);
	cm_place_free(j->place);
	watch_close(&j->watch);
	upstream_fini(&j->upstream);
	return code;
}

static cli_exit
run_on_loop(job *j)
{
	cli_exit code = CLI_SANDBOX;

	if (main_loop_open(&j->loop, &j->say))
		code = run_job(j);
	main_loop_close(&j->loop);
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
	kept_load(&j->kept, path, &j->say);
	return store_file_check(path, &j->say) &&
		       store_file_read(path, &j->store, &j->values, &j->say)
		   ? CLI_OK
		   : CLI_USAGE;
}

/* Takes the words name=value off the end of the line: they are the data. */
static cli_exit
read_data_words(job *j, int *argc, char **argv)
{
	int script = j->options.code == NULL, n = *argc;
	const char *bad;

	while (n > script && is_data_word(argv[n - 1]))
		n--;
	if (n == *argc)
		return CLI_OK;
	bad = j->options.data != NULL
		  ? argv[n]
		  : data_of_words(*argc - n, argv + n, &j->data);
	*argc = n;
	if (bad == NULL)
		return CLI_OK;
	say_line(&j->say,
	    j->options.data != NULL
		? "run: %.80s and --data: only one of them can be the data"
		: "run: %.80s: that name is there twice, or is not UTF-8",
	    bad);
	return CLI_USAGE;
}

/* What is no JSON is the path of a file that holds some. */
static cli_exit
read_data(job *j)
{
	const char *given = j->options.data, *why = NULL;
	json_fault fault;
	json value;

	if (given == NULL)
		return CLI_OK;
	if (json_check(text_of(given), JSON_DEPTH, &value, NULL)) {
		buf_str(&j->data, given);
		return CLI_OK;
	}
	if ((why = file_read(given, &j->data)) == NULL &&
	    json_check(buf_view(&j->data), JSON_DEPTH, &value, &fault))
		return CLI_OK;
	if (why != NULL)
		say_line(&j->say,
		    "run: --data takes JSON or a file with JSON, and %.80s is "
		    "neither: %s",
		    given, why);
	else
		say_line(&j->say,
		    "run: --data: %.80s is not JSON: byte %zu: %s", given,
		    fault.at, fault.why);
	return CLI_USAGE;
}

static cli_exit
open_record(job *j)
{
	const char *path = j->options.record, *why;

	if (path == NULL)
		return CLI_OK;
	why = utf8_bad(buf_view(&j->script)) != SIZE_MAX
		  ? "the script is not UTF-8"
		  : recorder_open(&j->recorder, path);
	if (why == NULL)
		return CLI_OK;
	say_line(&j->say, "run: --record %s: %s", path, why);
	return CLI_USAGE;
}

static cli_exit
prepare_and_run(job *j, int argc, char **argv)
{
	cli_exit code = place_options_check(&j->options.place, "run", &j->say);

	if (code == CLI_OK)
		code = watch_network(&j->options.watch, &j->say);
	if (code == CLI_OK)
		code = read_data_words(j, &argc, argv);
	if (code == CLI_OK)
		code = script_text_read(
		    &cmd_run, j->options.code, argc, argv, &j->script, &j->say);
	if (code == CLI_OK)
		code = read_store(j);
	if (code == CLI_OK)
		code = read_data(j);
	if (code == CLI_OK)
		code = open_record(j);
	return code == CLI_OK ? run_on_loop(j) : code;
}

static int
run_main(const cmd *self, int argc, char **argv)
{
	job j = {.script = BUF_INIT(NULL, SCRIPT_TEXT_MAX),
	    .store = BUF_INIT(NULL, STORE_FILE_MAX),
	    .data = BUF_INIT(NULL, DATA_MAX),
	    .note = BUF_INIT(NULL, NOTE_MAX)};
	opt_outcome parsed;
	cli_exit code = CLI_OK;

	say_init(&j.say);
	parsed = opt_parse(self, &argc, argv, &j.options, &j.say);
	j.say.quiet = j.options.upstream.quiet;
	show_init(&j.show, &j.say, j.options.json);
	if (parsed == OPT_GO)
		code = prepare_and_run(&j, argc, argv);
	else if (parsed == OPT_BAD)
		code = CLI_USAGE;
	if (j.options.json && !j.finished && parsed != OPT_SHOWN)
		code = show_failure(&j.show, code);
	recorder_close(&j.recorder, false);
	buf_fini(&j.store);
	buf_fini(&j.note);
	buf_fini(&j.data);
	kept_fini(&j.kept);
	buf_fini(&j.script);
	upstream_options_fini(&j.options.upstream);
	pool_fini(&j.words);
	return code;
}

const cmd cmd_run = {
    .name = "run",
    .args = "[FILE|-] [NAME=VALUE]...",
    .does = "run a script and print what it says and returns",
    .opts = opts,
    .main = run_main,
};
