/* SPDX-License-Identifier: MIT */
/*
 * cmd_check.c -- `codemode check`: what is wrong with a script and what it can
 * call, without running it.
 */
#include "common/cmd.h"
#include "common/script_text.h"
#include "scripts/show.h"
#include "scripts/upstream.h"

#include <codemode/check.h>

#include <stdio.h>

enum { PRINT_MAX_BYTES = 512 << 20 };

typedef struct options {
	upstream_options upstream;
	const char *code;
	bool raw, json, tree, grammar;
} options;

static const opt opts[] = {
    {"eval", 'e', OPT_TEXT, "CODE", "check this code instead of a file", NULL,
	offsetof(options, code)},
    UPSTREAM_OPTS(options, upstream),
    {"json", 0, OPT_FLAG, NULL, "print one JSON object: problems and calls",
	NULL, offsetof(options, json)},
    {"tree", 0, OPT_FLAG, NULL,
	"print the script's syntax tree, in parentheses",
	"Of the text that an engine would get.", offsetof(options, tree)},
    {"raw", 0, OPT_FLAG, NULL, "take the text letter for letter",
	"No fence, type or export is taken off.", offsetof(options, raw)},
    {"grammar", 0, OPT_FLAG, NULL, "print the grammar of scripts, for Lark",
	"For providers that let a model write only what a grammar allows: an "
	"options line that is right, or none, and some text. No script is "
	"read.",
	offsetof(options, grammar)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

/* Empty at first, so that one exit frees it all. */
typedef struct job {
	options options;
	say say;
	show show;
	const char *name; /* of the script, in front of each problem */
	buf script;
	main_loop loop;
	upstream upstream;
	cm_catalog *catalog; /* of .upstream; NULL: no servers are given */
	cm_check *check;
} job;

/* ------------------------------------------------------------- for people */

/* Each line of an excerpt a little to the right. */
static void
put_indented(buf *out, text excerpt)
{
	text line;

	while (text_line(&excerpt, &line))
		buf_printf(out, "    %.*s\n", TEXT_ARG(line));
}

static void
put_problem_lines(const job *j, const cm_problem *p, buf *out)
{
	buf_str(out, j->name);
	if (p->line > 0)
		buf_printf(out, ":%u:%u", p->line, p->column);
	buf_printf(out, ": %s: %.*s: %.*s\n",
	    p->level == CM_LEVEL_ERROR     ? "error"
	    : p->level == CM_LEVEL_WARNING ? "warning"
					   : "note",
	    TEXT_ARG(p->code), TEXT_ARG(p->message));
	put_indented(out, p->excerpt);
}

static const struct {
	unsigned flag;
	const char *says;
} remarks[] = {
    {CM_SITE_LOOP, "in a loop"},
    {CM_SITE_CALLBACK, "for each element"},
    {CM_SITE_COMPUTED, "any of them: which one is decided at run time"},
    {CM_SITE_NAMED, "named, not called here"},
};

static void
put_site_line(const cm_site *s, buf *out)
{
	const char *between = "  -- ";

	buf_printf(out, "  line %u: tools.", s->line);
	buf_text(out, s->path);
	if (!(s->flags & CM_SITE_NAMED)) {
		buf_byte(out, '(');
		buf_text(out, s->args);
		buf_byte(out, ')');
	}
	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++) {
		if (!(s->flags & remarks[i].flag))
			continue;
		buf_str(out, between);
		buf_str(out, remarks[i].says);
		between = ", ";
	}
	buf_byte(out, '\n');
}

static void
put_report(const job *j, buf *out)
{
	cm_problem p;
	cm_site s;

	for (size_t i = 0; cm_check_problem(j->check, i, &p) == CM_OK; i++)
		put_problem_lines(j, &p, out);
	if (cm_check_site(j->check, 0, &s) != CM_OK)
		buf_str(out, "It can call no tools.\n");
	else
		buf_str(out, "It can call:\n");
	for (size_t i = 0; cm_check_site(j->check, i, &s) == CM_OK; i++)
		put_site_line(&s, out);
}

/* ------------------------------------------------------------------ output */

static cm_status
put_text_line(cm_status r, text t, buf *out)
{
	if (r == CM_OK)
		buf_text(out, t);
	buf_byte(out, '\n');
	return r;
}

static cm_status
put_check_output(const job *j, buf *out)
{
	text t = TEXT_NONE;

	if (j->options.tree)
		return put_text_line(cm_check_tree(j->check, &t), t, out);
	if (j->options.json)
		return put_text_line(cm_check_json(j->check, &t), t, out);
	put_report(j, out);
	return CM_OK;
}

static cli_exit
verdict_of(const job *j)
{
	cm_problem p;

	for (size_t i = 0; cm_check_problem(j->check, i, &p) == CM_OK; i++)
		if (p.level == CM_LEVEL_ERROR)
			return CLI_SCRIPT;
	return CLI_OK;
}

static cli_exit
print_check(job *j)
{
	buf out = BUF_INIT(NULL, PRINT_MAX_BYTES);
	cli_exit code = verdict_of(j);
	cm_status r = put_check_output(j, &out);

	if (r == CM_OK)
		r = out.bad;
	if (r == CM_OK) {
		say_text(stdout, j->show.terminal && !j->options.json,
		    buf_view(&out));
		j->show.answered = true;
	} else {
		say_line(&j->say, "%s", cm_status_text(r));
		code = CLI_SANDBOX;
	}
	buf_fini(&out);
	return code;
}

/* ----------------------------------------------------------------- command */

/* Without servers nothing is known of tools, and none is called unknown. */
static cli_exit
read_tools(job *j)
{
	cli_exit code;

	if (j->options.upstream.servers.len == 0)
		return CLI_OK;
	if (!main_loop_open(&j->loop, &j->say))
		return CLI_SANDBOX;
	code = upstream_start(
	    &j->upstream, &j->loop, &j->options.upstream, &j->say);
	if (code == CLI_OK)
		code = upstream_wait(&j->upstream, NULL);
	if (code == CLI_OK &&
	    (j->catalog = upstream_catalog(&j->upstream)) == NULL)
		code = CLI_USAGE;
	upstream_stop(&j->upstream, true);
	return code;
}

static cli_exit
check_script(job *j)
{
	unsigned flags = j->options.raw ? CM_RUN_RAW : 0;
	cm_status r =
	    cm_source_check(j->catalog, buf_view(&j->script), flags, &j->check);

	if (r == CM_OK)
		return print_check(j);
	say_line(
	    &j->say, "the script could not be checked: %s", cm_status_text(r));
	return CLI_USAGE;
}

static int
check_main(const cmd *self, int argc, char **argv)
{
	job j = {.script = BUF_INIT(NULL, SCRIPT_TEXT_MAX)};
	opt_outcome parsed;
	cli_exit code;

	say_init(&j.say);
	parsed = opt_parse(self, &argc, argv, &j.options, &j.say);
	j.say.quiet = j.options.upstream.quiet;
	show_init(&j.show, &j.say, j.options.json);
	code = parsed == OPT_SHOWN ? CLI_OK : CLI_USAGE;
	j.name = argc > 0 && strcmp(argv[0], "-") != 0 ? argv[0] : "script";
	if (parsed == OPT_GO && j.options.grammar) {
		fputs(cm_source_grammar(), stdout);
		parsed = OPT_SHOWN;
		code = CLI_OK;
	}
	if (parsed == OPT_GO)
		code = script_text_read(
		    self, j.options.code, argc, argv, &j.script, &j.say);
	if (parsed == OPT_GO && code == CLI_OK)
		code = read_tools(&j);
	if (parsed == OPT_GO && code == CLI_OK)
		code = check_script(&j);
	if (parsed != OPT_SHOWN)
		code = show_failure(&j.show, code);
	cm_check_free(j.check);
	if (j.upstream.loop != NULL)
		upstream_fini(&j.upstream);
	main_loop_close(&j.loop);
	buf_fini(&j.script);
	upstream_options_fini(&j.options.upstream);
	return code;
}

const cmd cmd_check = {
    .name = "check",
    .args = "[FILE|-]",
    .does = "say what is wrong with a script and what it can call",
    .opts = opts,
    .main = check_main,
};
