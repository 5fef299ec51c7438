/* SPDX-License-Identifier: MIT */
/*
 * cmd_tools.c -- `codemode tools` and `codemode types`: what a script could
 * call, as a list for people, as JSON for programs, as TypeScript for models;
 * all of it, or what fits a question.
 */
#include "common/cmd.h"
#include "scripts/show.h"
#include "scripts/upstream.h"

#include <stdio.h>

typedef struct options {
	upstream_options upstream;
	bool json;
	buf question; /* of `tools`; empty: all tools */
} options;

static const opt tools_opts[] = {UPSTREAM_OPTS(options, upstream),
    {"json", 0, OPT_FLAG, NULL, "print an array of objects, with all schemas",
	NULL, offsetof(options, json)},
    {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

static const opt types_opts[] = {
    UPSTREAM_OPTS(options, upstream), {NULL, 0, OPT_FLAG, NULL, NULL, NULL, 0}};

enum {
	PRINT_MAX_BYTES = 512 << 20,
	DESCRIPTION_MAX = 100,
	SIGNATURE_MAX = 300,
	QUESTION_MAX = 4 << 10,
	HITS_MAX = 10
};

/* Writes what stands in the catalog to out. */
typedef cm_status printer(cm_catalog *cat, buf *out);

/* Writes tool i to out; score 0: it is not an answer to a question. */
typedef cm_status tool_printer(
    cm_catalog *cat, size_t i, uint32_t score, buf *out);

/* ---------------------------------------------------------------- a list */

static size_t
count_space_tools(cm_catalog *cat, text space, size_t from)
{
	size_t n = 0;
	cm_tool t;

	while (from + n < cm_catalog_len(cat) &&
	       cm_catalog_get(cat, from + n, &t, NULL) == CM_OK &&
	       text_eq(t.space, space))
		n++;
	return n;
}

static text
summary_line(text description)
{
	text rest = text_trim(description), line = TEXT_NONE;

	text_line(&rest, &line);
	return text_head(line, DESCRIPTION_MAX);
}

static cm_status
print_lines(cm_catalog *cat, size_t i, uint32_t score, buf *out)
{
	cm_tool t;
	text path, call, line;
	cm_status r = cm_catalog_get(cat, i, &t, &path);

	(void)score;
	if (r == CM_OK)
		r = cm_catalog_signature(cat, i, &call);
	if (r != CM_OK)
		return r;
	line = summary_line(t.description);
	buf_printf(out, "  tools.%.*s%.*s%s\n", TEXT_ARG(path),
	    TEXT_ARG(text_head(call, SIGNATURE_MAX)),
	    call.len > SIGNATURE_MAX ? " ..." : "");
	if (line.len > 0)
		buf_printf(out, "      %.*s\n", TEXT_ARG(line));
	return CM_OK;
}

static cm_status
print_list(cm_catalog *cat, buf *out)
{
	text space = TEXT_NONE;
	cm_status r = CM_OK;

	for (size_t i = 0; i < cm_catalog_len(cat) && r == CM_OK; i++) {
		cm_tool t;

		if ((r = cm_catalog_get(cat, i, &t, NULL)) != CM_OK)
			return r;
		if (i == 0 || !text_eq(t.space, space)) {
			size_t n = count_space_tools(cat, t.space, i);

			space = t.space;
			buf_printf(out, "%s%.*s: %zu tool%s\n",
			    i > 0 ? "\n" : "", TEXT_ARG(space), n,
			    n == 1 ? "" : "s");
		}
		r = print_lines(cat, i, 0, out);
	}
	return r;
}

/* ------------------------------------------------------------------ JSON */

static const struct {
	unsigned flag;
	const char *name;
} annotations[] = {
    {CM_TOOL_READS, "readOnlyHint"},
    {CM_TOOL_REPEATABLE, "idempotentHint"},
    {CM_TOOL_DESTROYS, "destructiveHint"},
};

static void
put_schema(buf *out, const char *name, json schema)
{
	if (schema.len == 0)
		return;
	json_member(out, name);
	json_compact(out, schema);
}

static void
put_tool(buf *out, const cm_tool *t, text path, uint32_t score)
{
	buf_byte(out, '{');
	json_member_text(out, "name", t->name);
	json_member_text(out, "space", t->space);
	json_member_text(out, "path", path);
	json_member_text(out, "description", t->description);
	put_schema(out, "inputSchema", t->input_schema);
	put_schema(out, "outputSchema", t->output_schema);
	json_member(out, "annotations");
	buf_byte(out, '{');
	for (size_t i = 0; i < sizeof(annotations) / sizeof(*annotations); i++)
		json_member_bool(
		    out, annotations[i].name, t->flags & annotations[i].flag);
	buf_byte(out, '}');
	if (score > 0)
		json_member_uint(out, "score", score);
	buf_byte(out, '}');
}

static cm_status
print_object(cm_catalog *cat, size_t i, uint32_t score, buf *out)
{
	cm_tool t;
	text path;
	cm_status r = cm_catalog_get(cat, i, &t, &path);

	if (r != CM_OK)
		return r;
	buf_str(out, out->len > 1 ? ",\n " : "");
	put_tool(out, &t, path, score);
	return CM_OK;
}

static cm_status
print_tools_json(cm_catalog *cat, buf *out)
{
	cm_status r = CM_OK;

	buf_byte(out, '[');
	for (size_t i = 0; i < cm_catalog_len(cat) && r == CM_OK; i++)
		r = print_object(cat, i, 0, out);
	buf_str(out, "]\n");
	return r;
}

/* ------------------------------------------------------------ a question */

static void
say_no_hit(cm_catalog *cat, text question, say *s)
{
	char near[200];

	if (cm_catalog_nearest(cat, question, near, sizeof(near)) != CM_OK)
		near[0] = 0;
	say_line(s, "nothing matches in %zu tools%s%s", cm_catalog_len(cat),
	    near[0] != 0 ? "; nearest words are " : "", near);
}

static cm_status
print_hits(cm_catalog *cat, const options *o, say *s, buf *out)
{
	cm_hit hit[HITS_MAX];
	size_t n = 0;
	tool_printer *print = o->json ? print_object : print_lines;
	text question = buf_view(&o->question);
	cm_status r =
	    cm_catalog_search(cat, question, TEXT_NONE, HITS_MAX, hit, &n);

	buf_str(out, o->json ? "[" : "");
	for (size_t i = 0; i < n && r == CM_OK; i++)
		r = print(cat, hit[i].tool, hit[i].score, out);
	buf_str(out, o->json ? "]\n" : "");
	if (r == CM_OK && n == 0)
		say_no_hit(cat, question, s);
	return r;
}

/* ------------------------------------------------------------ TypeScript */

static cm_status
print_types(cm_catalog *cat, buf *out)
{
	text declared;
	cm_status r = cm_catalog_declare(cat, TEXT_NONE, &declared);

	if (r != CM_OK)
		return r;
	buf_text(out, declared);
	if (!text_ends(declared, TEXT("\n")))
		buf_byte(out, '\n');
	return CM_OK;
}

/* --------------------------------------------------------------- command */

static cli_exit
print_catalog(upstream *u, const options *o, printer *print, show *w)
{
	buf out = BUF_INIT(NULL, PRINT_MAX_BYTES);
	cm_catalog *cat = upstream_catalog(u);
	cm_status r = CM_ENOMEM;

	if (cat != NULL)
		r = o->question.len > 0 ? print_hits(cat, o, u->say, &out)
					: print(cat, &out);
	if (r == CM_OK)
		r = out.bad;
	if (r == CM_OK)
		say_text(stdout, w->terminal && !w->json, buf_view(&out));
	else
		say_line(u->say, "%s", cm_status_text(r));
	w->answered = r == CM_OK;
	buf_fini(&out);
	return r == CM_OK ? CLI_OK : CLI_SANDBOX;
}

static cli_exit
list_servers(const options *o, main_loop *loop, printer *print, show *w)
{
	upstream u;
	cli_exit code = upstream_start(&u, loop, &o->upstream, w->say);

	if (code == CLI_OK)
		code = upstream_wait(&u, NULL);
	if (code == CLI_OK && u.config.found && u.config.len == 0 &&
	    u.saved.len == 0) {
		say_line(w->say, "no servers were found: give --mcp FILE");
		code = CLI_USAGE;
	} else if (code == CLI_OK && u.count + u.saved.len == 0) {
		say_line(w->say, "no server came up");
		code = CLI_NO_SERVER;
	}
	if (code == CLI_OK)
		code = print_catalog(&u, o, print, w);
	upstream_stop(&u, true);
	upstream_fini(&u);
	return code;
}

static cli_exit
list_on_loop(const options *o, printer *print, show *w)
{
	main_loop loop;
	cli_exit code = CLI_SANDBOX;

	if (main_loop_open(&loop, w->say))
		code = list_servers(o, &loop, print, w);
	main_loop_close(&loop);
	return code;
}

/* The words behind `tools`, with blanks between them. False: they are too long
 * or not UTF-8. */
static bool
read_question(options *o, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		buf_str(&o->question, i > 0 ? " " : "");
		buf_str(&o->question, argv[i]);
	}
	return o->question.bad == CM_OK &&
	       utf8_bad(buf_view(&o->question)) == SIZE_MAX;
}

static int
list_main(const cmd *self, int argc, char **argv)
{
	options o = {.question = BUF_INIT(NULL, QUESTION_MAX)};
	say s;
	opt_outcome parsed;
	cli_exit code;
	printer *print;
	show w;

	say_init(&s);
	parsed = opt_parse(self, &argc, argv, &o, &s);
	s.quiet = o.upstream.quiet;
	show_init(&w, &s, o.json);
	code = parsed == OPT_SHOWN ? CLI_OK : CLI_USAGE;
	print = self == &cmd_types ? print_types
		: o.json           ? print_tools_json
				   : print_list;
	if (parsed == OPT_GO && argc > 0 && self == &cmd_types)
		say_line(&s, "%s: what is \"%s\"? There are only options here",
		    self->name, argv[0]);
	else if (parsed == OPT_GO && !read_question(&o, argc, argv))
		say_line(&s, "%s: the question is too long, or no UTF-8",
		    self->name);
	else if (parsed == OPT_GO)
		code = list_on_loop(&o, print, &w);
	upstream_options_fini(&o.upstream);
	buf_fini(&o.question);
	if (parsed != OPT_SHOWN)
		code = show_failure(&w, code);
	return code;
}

const cmd cmd_tools = {
    .name = "tools",
    .args = "[QUESTION]",
    .does = "list the tools that a script could call, or find some",
    .opts = tools_opts,
    .main = list_main,
};

const cmd cmd_types = {
    .name = "types",
    .args = "",
    .does = "declare those tools in TypeScript",
    .opts = types_opts,
    .main = list_main,
};
