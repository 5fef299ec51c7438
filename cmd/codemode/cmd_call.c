/* SPDX-License-Identifier: MIT */
/*
 * cmd_call.c -- `codemode call`: one call of one tool, from the shell.
 *
 * No script and no sandbox: the server of the tool is started, and its answer
 * is what a script would get. A saved script runs as when a script calls it.
 */
#include "common/call_args.h"
#include "common/cmd.h"
#include "common/file.h"
#include "common/place_option.h"
#include "common/signals.h"
#include "scripts/ask_terminal.h"
#include "scripts/asking.h"
#include "scripts/scripts.h"
#include "scripts/show.h"

#include "base/nearest.h"
#include "catalog/tool_ident.h"
#include "schema/schema.h"

#include <stdio.h>

enum { CALL_ARGS_MAX = 64 << 20, CALL_NUMBER = 1 };

typedef struct options {
	upstream_options upstream;
	bool json;
} options;

static const opt opts[] = {UPSTREAM_OPTS(options, upstream),
    {"json", 0, OPT_FLAG, NULL, "print one JSON object",
	"ok, and value or error; nothing else goes to stdout.",
	offsetof(options, json)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

typedef struct one_call {
	const options *options;
	say *say;
	show *show;
	main_loop loop;
	upstream upstream;
	const char *wanted; /* SERVER.TOOL */
	cm_tool tool;
	text path;
	buf args;
	pool pool;
	cm_place *place; /* of a saved script */
	scripts scripts;
	bool answered;
	cli_exit code;
} one_call;

/* ----------------------------------------------------------------- the tool */

/* Does word begin with name, or with what a script writes for it, and a dot? */
static bool
is_call_of_server(text word, text name)
{
	char ident[256];
	text id;

	if (name.len >= sizeof(ident))
		return false;
	id = (text){ident, ident_from(name, ident)};
	return (text_starts(word, name) && word.len > name.len &&
		   word.ptr[name.len] == '.') ||
	       (text_starts(word, id) && word.len > id.len &&
		   word.ptr[id.len] == '.');
}

/* A script that names the server of the call and no other; NULL: there is no
 * such server, which was printed. */
static const char *
script_of_call(one_call *c)
{
	const config *all = &c->upstream.config;
	text word = text_of(c->wanted);
	const char *names = "";
	char ident[256];

	if (c->upstream.saved.len > 0 &&
	    is_call_of_server(word, TEXT(SAVED_SPACE)))
		return "tools." SAVED_SPACE;
	for (size_t i = 0; i < all->len; i++) {
		text name = text_of(all->entry[i].start.name);

		if (is_call_of_server(word, name))
			return pool_printf(&c->pool, "tools.%.*s",
			    (int)ident_from(name, ident), ident);
		names = pool_printf(&c->pool, "%s%s%s", names,
		    *names ? ", " : "", all->entry[i].start.name);
	}
	if (*names == '\0')
		say_line(c->say, "no servers were found: give --mcp FILE");
	else
		say_line(c->say,
		    "call: %s: there is no such server; there are: %s",
		    c->wanted, names);
	return NULL;
}

static bool
is_wanted(const one_call *c, const cm_tool *t, text path)
{
	text word = text_of(c->wanted);

	return text_eq(path, word) ||
	       (word.len == t->space.len + 1 + t->name.len &&
		   text_starts(word, t->space) && text_ends(word, t->name) &&
		   word.ptr[t->space.len] == '.');
}

static text
catalog_path_at(const void *catalog, size_t i)
{
	text path = TEXT_NONE;

	/* Reading a catalog does not change it, though its type says so. */
	cm_catalog_get((cm_catalog *)(uintptr_t)catalog, i, NULL, &path);
	return path;
}

static cli_exit
find_wanted_tool(one_call *c)
{
	cm_catalog *cat = upstream_catalog(&c->upstream);
	size_t n = cat ? cm_catalog_len(cat) : 0, near[NEAREST_MAX];

	for (size_t i = 0; i < n; i++)
		if (cm_catalog_get(cat, i, &c->tool, &c->path) == CM_OK &&
		    is_wanted(c, &c->tool, c->path))
			return CLI_OK;
	if (n == 0) {
		say_line(c->say,
		    "the server of %s has no tools, or did not "
		    "come up",
		    c->wanted);
		return CLI_NO_SERVER;
	}
	if (nearest(text_of(c->wanted), catalog_path_at, cat, n, near) > 0)
		say_line(c->say,
		    "call: there is no tool %s; did you mean %.*s?", c->wanted,
		    TEXT_ARG(catalog_path_at(cat, near[0])));
	else
		say_line(c->say, "call: there is no tool %s", c->wanted);
	return CLI_USAGE;
}

/* ------------------------------------------------------------ the arguments */

static cli_exit
check_args(one_call *c)
{
	schema_program *schema = NULL;
	buf why = BUF_INIT(NULL, 4096);
	cli_exit code = CLI_OK;

	if (c->tool.flags & CM_TOOL_UNCHECKED || c->tool.input_schema.len == 0)
		return CLI_OK;
	if (schema_compile(NULL, c->tool.input_schema, &schema) == CM_OK &&
	    schema_check(schema, buf_view(&c->args)) == SCHEMA_MISFIT) {
		schema_explain(schema, buf_view(&c->args), &why);
		say_line(c->say, "call: %s: %.*s", c->wanted,
		    TEXT_ARG(buf_view(&why)));
		code = CLI_USAGE;
	}
	schema_free(schema);
	buf_fini(&why);
	return code;
}

/* "-": an object on stdin. */
static cli_exit
read_call_args(one_call *c, int n, char **words)
{
	buf given = BUF_INIT(NULL, CALL_ARGS_MAX);
	const char *why = NULL;
	char *word;

	if (n == 1 && strcmp(words[0], "-") == 0) {
		why = file_read("-", &given);
		word = pool_copy(&c->pool, buf_view(&given));
		words = &word;
	}
	if (why == NULL)
		why = call_args(
		    c->tool.input_schema, n, words, &c->args, &c->pool);
	if (why == NULL && c->args.bad != CM_OK)
		why = cm_status_text(c->args.bad);
	if (why != NULL)
		say_line(c->say, "call: %s", why);
	buf_fini(&given);
	return why == NULL ? check_args(c) : CLI_USAGE;
}

/* ----------------------------------------------------------------- the call */

static void
print_call_json(one_call *c, const mcp_answer *a, buf *out)
{
	buf_byte(out, '{');
	json_member_bool(out, "ok", a->ok);
	if (a->ok) {
		json_member_json(out, "value", a->value);
	} else {
		json_member(out, "error");
		buf_byte(out, '{');
		json_member_text(out, "kind", TEXT("tool"));
		json_member_text(out, "tool", c->path);
		json_member_text(out, "message", a->message);
		buf_byte(out, '}');
	}
	buf_str(out, "}\n");
}

/* A string is printed as it is, anything else as JSON. */
static void
print_call_value(one_call *c, json value, buf *out)
{
	if (json_unescape(value, out)) {
		if (!text_ends(buf_view(out), TEXT("\n")))
			buf_byte(out, '\n');
		return;
	}
	if (c->show->terminal)
		json_pretty(out, value);
	else
		json_compact(out, value);
	buf_byte(out, '\n');
}

static void
on_call_answer(void *ctx, uint32_t number, const mcp_answer *a)
{
	one_call *c = ctx;
	buf out = BUF_INIT(NULL, SIZE_MAX / 2);

	(void)number;
	say_clear(c->say);
	c->answered = true;
	c->code = a->ok ? CLI_OK : CLI_SCRIPT;
	if (c->options->json)
		print_call_json(c, a, &out);
	else if (a->ok)
		print_call_value(c, a->value, &out);
	else
		say_line(c->say, "%.*s: %.*s", TEXT_ARG(c->path),
		    TEXT_ARG(a->message));
	say_text(
	    stdout, c->show->terminal && !c->options->json, buf_view(&out));
	c->show->answered = c->options->json;
	buf_fini(&out);
}

/* The person's rules hold here as they do for scripts. False: told why not. */
static bool
is_call_allowed(one_call *c, const cm_call *call)
{
	const policy_decision d = upstream_permits(&c->upstream, call);
	permit_answer answer = PERMIT_NO;
	buf words = BUF_INIT(NULL, 1 << 20);

	if (d.verdict == POLICY_ALLOW)
		return true;
	if (d.verdict == POLICY_ASK) {
		ask_about_call(&c->upstream, call, &words);
		answer = ask_terminal(c->say, buf_view(&words), false);
		buf_clear(&words);
	}
	if (answer == PERMIT_YES_ALWAYS)
		upstream_always(&c->upstream, call);
	if (answer < PERMIT_YES) {
		permit_refusal(&d, call, answer, &words);
		say_line(c->say, "%.*s", TEXT_ARG(buf_view(&words)));
	}
	buf_fini(&words);
	return answer >= PERMIT_YES;
}

/* --dry-run: the call is told, and answered with a value of its schema. */
static bool
is_call_dry(one_call *c, const cm_call *call)
{
	buf value = BUF_INIT(NULL, CALL_ARGS_MAX);
	buf words = BUF_INIT(NULL, CALL_ARGS_MAX);
	bool dry = upstream_dry(&c->upstream, call, &value, &words);

	if (dry) {
		say_line(c->say, "%.*s", TEXT_ARG(buf_view(&words)));
		on_call_answer(c, CALL_NUMBER,
		    &(mcp_answer){.ok = true, .value = buf_view(&value)});
	}
	buf_fini(&words);
	buf_fini(&value);
	return dry;
}

/* ---------------------------------------------------------- a saved script */

static void
on_saved_ask(
    void *ctx, uint32_t number, uint32_t caller, cm_call_id call, text words)
{
	one_call *c = ctx;

	(void)number;
	scripts_decide(
	    &c->scripts, caller, call, ask_terminal(c->say, words, call == 0));
}

static void
on_saved_over(void *ctx, uint32_t number, cm_run *run, const cm_done *done,
    cm_status status)
{
	mcp_answer a = {.message = text_of(cm_status_text(status))};

	(void)run;
	if (done != NULL) {
		a.ok = done->end == CM_END_OK;
		a.value = done->value.len > 0 ? done->value : TEXT("null");
		a.message = done->fault.message;
	}
	on_call_answer(ctx, number, &a);
}

/* Starts a script that only calls the saved script. */
static cm_status
start_saved(one_call *c)
{
	const scripts_hooks hooks = {
	    .ctx = c, .over = on_saved_over, .ask = on_saved_ask};
	const char *code = pool_printf(
	    &c->pool, "return await tools.%.*s(data)", TEXT_ARG(c->path));
	const cm_limits limits = {0};
	cm_run_options o;
	cm_run *run = NULL;
	cm_status r;

	scripts_init(&c->scripts, &c->upstream, &limits, c->place, hooks);
	o = scripts_run_options(&c->scripts);
	o.data = buf_view(&c->args);
	r = cm_run_new(upstream_catalog(&c->upstream), text_of(code), &o, &run);
	if (r == CM_OK && !scripts_start(&c->scripts, CALL_NUMBER, run,
			      text_of(code), TEXT_NONE)) {
		cm_run_free(run);
		r = CM_ENOMEM;
	}
	return r;
}

static cli_exit
run_saved(one_call *c)
{
	const place_options place = {.where = NULL};
	cli_exit code =
	    place_options_open(&place, false, &c->pool, c->say, &c->place);
	cm_status r;

	if (code != CLI_OK)
		return code;
	r = start_saved(c);
	while (r == CM_OK && !c->answered) {
		if (signals_count() > 0)
			scripts_cancel(&c->scripts, CALL_NUMBER, TEXT_NONE);
		scripts_turn(&c->scripts);
		if (scripts_due(&c->scripts))
			main_loop_due(&c->loop.uv);
		if (!c->answered)
			main_loop_turn(&c->loop);
	}
	scripts_fini(&c->scripts);
	cm_place_free(c->place);
	if (r != CM_OK)
		say_line(c->say, "call: %s", cm_status_text(r));
	if (r == CM_OK && signals_count() > 0)
		return CLI_ABORTED;
	return r == CM_OK ? c->code : CLI_SANDBOX;
}

static cli_exit
make_call(one_call *c)
{
	cm_call call = {.id = CALL_NUMBER,
	    .space = c->tool.space,
	    .name = c->tool.name,
	    .path = c->path,
	    .args = buf_view(&c->args)};

	if (is_call_dry(c, &call))
		return CLI_OK;
	if (!is_call_allowed(c, &call))
		return CLI_SCRIPT;
	if (upstream_is_saved(&c->upstream, call.space))
		return run_saved(c);
	c->upstream.caller =
	    (upstream_caller){.ctx = c, .answered = on_call_answer};
	if (upstream_call(&c->upstream,
		upstream_server(&c->upstream, call.space), CALL_NUMBER,
		&call) != CM_OK) {
		say_line(c->say, "out of memory");
		return CLI_SANDBOX;
	}
	while (!c->answered && signals_count() == 0)
		main_loop_turn(&c->loop);
	if (c->answered)
		return c->code;
	upstream_cancel(&c->upstream, upstream_server(&c->upstream, call.space),
	    CALL_NUMBER);
	say_line(c->say, "stopped by a signal");
	return CLI_ABORTED;
}

static cli_exit
call_on_loop(one_call *c, int n, char **words)
{
	text script = TEXT_NONE;
	cli_exit code = upstream_start(
	    &c->upstream, &c->loop, &c->options->upstream, c->say);

	if (code == CLI_OK) {
		script = text_of(script_of_call(c));
		code = script.ptr != NULL ? upstream_wait(&c->upstream, &script)
					  : CLI_USAGE;
	}
	if (code == CLI_OK)
		code = find_wanted_tool(c);
	if (code == CLI_OK)
		code = read_call_args(c, n, words);
	if (code == CLI_OK)
		code = make_call(c);
	upstream_stop(&c->upstream, !c->answered);
	upstream_fini(&c->upstream);
	return code;
}

static int
call_main(const cmd *self, int argc, char **argv)
{
	options o = {.json = false};
	say s;
	show w;
	one_call c = {.options = &o,
	    .say = &s,
	    .show = &w,
	    .args = BUF_INIT(NULL, CALL_ARGS_MAX)};
	opt_outcome parsed;
	cli_exit code;

	say_init(&s);
	parsed = opt_parse(self, &argc, argv, &o, &s);
	s.quiet = o.upstream.quiet;
	show_init(&w, &s, o.json);
	code = parsed == OPT_SHOWN ? CLI_OK : CLI_USAGE;
	if (parsed == OPT_GO && argc == 0) {
		say_line(&s, "call: which tool? codemode call SERVER.TOOL, "
			     "such as codemode call github.list_issues "
			     "repo=me/it");
	} else if (parsed == OPT_GO) {
		c.wanted = argv[0];
		code = CLI_SANDBOX;
		if (main_loop_open(&c.loop, &s))
			code = call_on_loop(&c, argc - 1, argv + 1);
		main_loop_close(&c.loop);
	}
	if (parsed != OPT_SHOWN)
		code = show_failure(&w, code);
	buf_fini(&c.args);
	pool_fini(&c.pool);
	upstream_options_fini(&o.upstream);
	return code;
}

const cmd cmd_call = {
    .name = "call",
    .args = "SERVER.TOOL [JSON | - | KEY=VALUE...]",
    .does = "call one tool and print its result",
    .opts = opts,
    .main = call_main,
};
