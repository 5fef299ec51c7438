/* SPDX-License-Identifier: MIT */
/*
 * errors.c -- every faulty script of FILE.cases: what QuickJS says of it, and
 * what we say.
 *
 *	errors FILE.cases          compares with the parts of each case
 *	errors --fill FILE.cases   writes the file with those parts as they are
 *	                           (not the part "mended", which is checked only)
 *	errors --doc FILE.cases    writes doc/errors.md
 *
 * QuickJS is asked inside a script: eval of a text that does not parse, or a
 * catch around one that runs. Then source_explain has its words and its place;
 * then the whole script runs, and its result must say the same.
 *
 * A message that says what to write must be true: its case has the script with
 * that done in the part "mended". It has the form that the message names, runs,
 * and has no error. Each phrase of explain.def must be the engine's in a case.
 */
#include "../cases.h"
#include "api/catalog_tools.h"
#include "source/explain.h"

#include <codemode/check.h>
#include <codemode/codemode.h>

typedef struct tally {
	text title;
	unsigned cases, wrong;
	bool said[32]; /* of each line of explain.def */
} tally;

/* What is known of one script. */
typedef struct facts {
	buf engine; /* "TypeError: not a function" */
	buf ours;   /* the message */
	uint32_t line, column;
} facts;

static const struct {
	const char *space, *name, *answer;
} tools[] = {
    {"github", "list_prs",
	"{\"items\":[{\"id\":1,\"title\":\"a\",\"user\":{\"login\":\"ann\"}},"
	"{\"id\":2,\"title\":\"b\"}],\"total\":2}"},
    {"github", "count", "3"},
    {"github", "nothing", "null"},
    {"github", "fails", NULL},
    {"files", "read_file", "\"first\\nsecond\""},
    {"files", "folder", "{\"content\":\"a.js\\nb.js\"}"},
};

static cm_catalog *
catalog_of_tools(void)
{
	cm_catalog *c;

	must(cm_catalog_new(NULL, &c) == CM_OK);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		cm_tool t = {.space = text_of(tools[i].space),
		    .name = text_of(tools[i].name)};

		must(cm_catalog_add(c, &t) == CM_OK);
	}
	return c;
}

/* The same, as the front end asks for it. */
static catalog *
known_tools(void)
{
	catalog *c;

	must(catalog_new(NULL, &c) == CM_OK);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		tool_given t = {.space = text_of(tools[i].space),
		    .name = text_of(tools[i].name)};

		must(catalog_add(c, &t) == CM_OK);
	}
	must(catalog_seal(c) == CM_OK);
	return c;
}

static void
answer(void *ctx, cm_run *run, const cm_call *call)
{
	static const cm_failure failure = {
	    .message = TEXT_INIT("the tool says no")};

	(void)ctx;
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		if (!text_eq(call->name, text_of(tools[i].name)))
			continue;
		if (tools[i].answer)
			cm_run_resolve(run, call->id, text_of(tools[i].answer));
		else
			cm_run_reject(run, call->id, &failure);
	}
}

static text
seen(void *ctx, text path)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		if (text_ends(path, text_of(tools[i].name)))
			return text_of(tools[i].answer);
	return TEXT_NONE;
}

/* Runs a script; what it gave lives until cm_run_free(*run). */
static cm_done
run_script(cm_catalog *c, text script, unsigned flags, cm_run **run)
{
	static const cm_driver driver = {.call = answer};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_done done;

	o.flags = flags;
	must(cm_run_new(c, script, &o, run) == CM_OK);
	must(cm_run_drive(*run, &driver, &done) == CM_OK);
	return done;
}

/* ------------------------------------------------------------ what QuickJS says */

static void
put_in_quotes(text t, buf *out)
{
	json_string(out, t);
}

/* [name, message, stack] of what the text throws, or null. */
static void
ask_engine(cm_catalog *c, const source_prepared *p, bool parses, buf *out)
{
	buf b = BUF_INIT(NULL, 1 << 20);
	cm_run *run;
	cm_done done;

	buf_str(&b, "try { ");
	if (parses) {
		buf_str(&b, "await (async (tools, console) => {\n");
		buf_text(&b, p->code);
		buf_str(&b, "\n})(tools, console)");
	} else {
		buf_str(&b, "eval(\"(async () => {\\n\" + ");
		put_in_quotes(p->text, &b);
		buf_str(&b, " + \"\\n})\")");
	}
	buf_str(&b, " } catch (e) { return [e.name, e.message, "
		    "String(e.stack)] } return null");
	done = run_script(c, buf_view(&b), CM_RUN_RAW, &run);
	if (done.end != CM_END_OK)
		printf("%.*s\n", TEXT_ARG(done.fault.message));
	must(done.end == CM_END_OK);
	buf_text(out, done.value);
	cm_run_free(run);
	buf_fini(&b);
}

/* "at f (codemode.js:3:12)": the script began on line 2. */
static void
read_place(text stack, source_error *e)
{
	size_t at = text_find(stack, TEXT("codemode.js:"), 0);

	if (at == SIZE_MAX)
		return;
	e->line = (uint32_t)strtoul(stack.ptr + at + 12, NULL, 10);
	at = text_find(stack, TEXT(":"), at + 12);
	e->column = (uint32_t)strtoul(stack.ptr + at + 1, NULL, 10);
	if (e->line <= 1)
		e->line = e->column = 1; /* no place: where the script begins */
	else
		e->line--;
}

static void
explain(const source_prepared *p, json said, facts *f)
{
	catalog *known = known_tools();
	source_tools t = catalog_tools(known);
	source_seen s = {NULL, seen};
	buf name = BUF_INIT(NULL, 1 << 16), words = BUF_INIT(NULL, 1 << 16),
	    stack = BUF_INIT(NULL, 1 << 20);
	source_error e = {0};

	json_unescape(json_at(said, 0), &name);
	json_unescape(json_at(said, 1), &words);
	json_unescape(json_at(said, 2), &stack);
	buf_byte(&stack, 0);
	buf_printf(&f->engine, "%.*s: %.*s", TEXT_ARG(buf_view(&name)),
	    TEXT_ARG(buf_view(&words)));
	e.name = buf_view(&name);
	e.message = buf_view(&words);
	e.native = source_native(buf_view(&stack));
	read_place(buf_view(&stack), &e);
	if (f->ours.len == 0) {
		source_origin(p, e.line, &e.column);
		source_explain(p, &t, &s, &e, &f->ours);
		f->line = e.line;
		f->column = e.column;
	}
	if (f->ours.len == 0)
		buf_text(&f->ours, e.message);
	buf_fini(&name);
	buf_fini(&words);
	buf_fini(&stack);
	catalog_drop(known);
}

/* What the parser accepts and the engine does not compile is told by the check
 * alone. True: it compiles. */
static bool
compile(cm_catalog *c, text script, facts *f)
{
	cm_check *check;
	cm_problem p = {0};
	bool compiles;

	must(cm_source_check(c, script, 0, &check) == CM_OK);
	for (size_t i = 0; cm_check_problem(check, i, &p) == CM_OK; i++)
		if (text_eq(p.code, TEXT("SyntaxError")))
			break;
	compiles = !text_eq(p.code, TEXT("SyntaxError"));
	if (!compiles) {
		buf_text(&f->ours, p.message);
		f->line = p.line;
		f->column = p.column;
	}
	cm_check_free(check);
	return compiles;
}

static void
learn(cm_catalog *c, text script, facts *f)
{
	static const source_options o = {.limit = 1 << 20};
	buf said = BUF_INIT(NULL, 1 << 20);
	source_prepared p;
	bool compiles = false;

	*f = (facts){
	    .engine = BUF_INIT(NULL, 1 << 20), .ours = BUF_INIT(NULL, 1 << 20)};
	must(source_prepare(script, &o, NULL, &p) == CM_OK);
	if (p.fault.code) {
		buf_str(&f->ours, p.fault.message);
		f->line = p.fault.line;
		f->column = p.fault.column;
	} else {
		compiles = compile(c, script, f);
	}
	ask_engine(c, &p, compiles, &said);
	explain(&p, buf_view(&said), f);
	source_prepared_fini(&p);
	buf_fini(&said);
}

static void
forget(facts *f)
{
	buf_fini(&f->engine);
	buf_fini(&f->ours);
}

/* ------------------------------------------------------------------ the table */

static void
complain(tally *t, const char *what, text got)
{
	printf("%.*s: %s %.*s\n", TEXT_ARG(t->title), what, TEXT_ARG(got));
	t->wrong++;
}

/* The result of the whole run must have the same words. */
static void
check_run(tally *t, cm_catalog *c, text script, const facts *f)
{
	cm_run *run;
	cm_done done = run_script(c, script, 0, &run);

	if (done.end != CM_END_SCRIPT)
		complain(t, "the run did not fail:", done.value);
	else if (!text_eq(done.fault.message, buf_view(&f->ours)))
		complain(t, "the run says:", done.fault.message);
	else if (f->line > 0 && done.fault.line != f->line)
		complain(t, "the run is at another line:", done.fault.excerpt);
	cm_run_free(run);
}

/* ----------------------------------------------------------- is it true? */

static const char *const advice[] = {
    "write ", "Did you mean ", "drop ", "declare it ", "; call "};

static bool
gives_advice(text message)
{
	for (size_t i = 0; i < sizeof(advice) / sizeof(*advice); i++)
		if (text_find(message, text_of(advice[i]), 0) != SIZE_MAX)
			return true;
	return false;
}

/* The code that a message names, up to where it says what may vary. */
static text
named_code(text message)
{
	static const char *const ends[] = {
	    "...", "value", ", or ", " in front of", NULL};
	text code = TEXT_NONE;
	size_t at = text_find(message, TEXT("; write "), 0);

	if (at != SIZE_MAX)
		code = text_sub(message, at + 8, message.len);
	at = text_find(message, TEXT("Did you mean "), 0);
	if (at != SIZE_MAX)
		code = text_sub(message, at + 13, message.len - 1);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends) - 1; i++) {
		at = text_find(code, text_of(ends[i]), 0);
		code = text_sub(code, 0, at);
	}
	return code;
}

static void
check_mended(tally *t, cm_catalog *c, text message, text mended)
{
	text code = named_code(message);
	cm_run *run;
	cm_done done;

	if (!gives_advice(message))
		return;
	if (mended.len == 0) {
		complain(t, "nothing shows that this helps:", message);
		return;
	}
	if (text_find(mended, code, 0) == SIZE_MAX)
		complain(t, "the mended script has not:", code);
	done = run_script(c, mended, 0, &run);
	if (done.end != CM_END_OK)
		complain(t, "mended, it says:", done.fault.message);
	cm_run_free(run);
}

/* What of explain.def the engine said in some case. */
static const struct {
	const char *begins, *ends;
} phrases[] = {
#define RULE(begins, ends, name) {begins, ends},
#include "source/explain.def"
#undef RULE
};

enum { PHRASES = sizeof(phrases) / sizeof(*phrases) };

static void
note_phrase(tally *t, text engine)
{
	text words =
	    text_sub(engine, text_find(engine, TEXT(": "), 0) + 2, engine.len);

	for (size_t i = 0; i < PHRASES; i++)
		if (text_starts(words, text_of(phrases[i].begins)) &&
		    text_ends(words, text_of(phrases[i].ends)))
			t->said[i] = true;
}

static void
check_phrases(tally *t)
{
	t->title = TEXT("explain.def");
	for (size_t i = 0; i < PHRASES; i++)
		if (!t->said[i])
			complain(t, "the engine never says:",
			    text_of(phrases[i].begins));
}

static void
check_case(tally *t, cm_catalog *c, text body)
{
	text script = cases_given(&body), name, lines, mended = TEXT_NONE;
	facts f;

	t->cases++;
	learn(c, script, &f);
	note_phrase(t, buf_view(&f.engine));
	while (cases_part(&body, &name, &lines)) {
		if (text_starts(name, TEXT("mended"))) {
			mended = lines;
			continue;
		}
		text got = text_starts(name, TEXT("quickjs"))
			       ? buf_view(&f.engine)
			       : buf_view(&f.ours);

		if (!text_starts(name, TEXT("v8")) && !text_eq(lines, got))
			complain(t,
			    name.ptr[0] == 'q' ? "QuickJS says:" : "we say:",
			    got);
	}
	check_run(t, c, script, &f);
	check_mended(t, c, buf_view(&f.ours), mended);
	forget(&f);
}

static void
fill_case(cm_catalog *c, text title, text body)
{
	text script = cases_given(&body), name, lines, mended = TEXT_NONE;
	facts f;

	printf("=== %.*s\n%.*s\n", TEXT_ARG(title), TEXT_ARG(script));
	while (cases_part(&body, &name, &lines))
		if (text_starts(name, TEXT("v8")))
			printf("--- v8\n%.*s\n", TEXT_ARG(lines));
		else if (text_starts(name, TEXT("mended")))
			mended = lines;
	learn(c, script, &f);
	printf("--- quickjs\n%.*s\n--- ours %u:%u\n%.*s\n",
	    TEXT_ARG(buf_view(&f.engine)), f.line, f.column,
	    TEXT_ARG(buf_view(&f.ours)));
	if (mended.len > 0)
		printf("--- mended\n%.*s\n", TEXT_ARG(mended));
	forget(&f);
}

static void
doc_case(text title, text body)
{
	static const struct {
		const char *part, *called;
	} parts[] = {
	    {"v8", "V8"}, {"quickjs", "QuickJS"}, {"ours", "codemode"}};
	text script = cases_given(&body), name, lines, line;

	printf("\n## %c%.*s\n\n", title.ptr[0] & ~0x20,
	    TEXT_ARG(text_sub(title, 1, title.len)));
	while (text_line(&script, &line))
		printf("    %.*s\n", TEXT_ARG(line));
	printf("\n");
	while (cases_part(&body, &name, &lines))
		for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
			if (text_starts(name, text_of(parts[i].part)))
				printf("- %s: `` %.*s ``\n", parts[i].called,
				    TEXT_ARG(lines));
}

static const char doc_head[] =
    "# Errors, as scripts meet them\n"
    "\n"
    "What V8 says of a faulty script, what the engine behind codemode says, "
    "and what\n"
    "codemode makes of it: the thing at fault by its name, and what it is as "
    "far as\n"
    "the answer of a tool tells that. The scripts are the cases of a test\n"
    "(test/source/errors), which also makes this page. The tools are\n"
    "`github.list_prs`, which gives `{ items: [...], total }`, `github.count` "
    "(a\n"
    "number), `github.nothing` (null), `github.fails`, `files.read_file` (a "
    "text of\n"
    "two lines) and `files.folder` (the same as `content` of an object).\n";

int
main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[1] : "";
	text all = file_read(argv[argc - 1]), rest = all, body;
	cm_catalog *c = catalog_of_tools();
	tally t = {0};

	if (strcmp(mode, "--doc") == 0)
		printf("%s", doc_head);
	if (strcmp(mode, "--fill") == 0)
		printf("%.*s",
		    TEXT_ARG(text_sub(all, 0, text_find(all, TEXT("==="), 0))));
	while (cases_block(&rest, &t.title, &body)) {
		if (strcmp(mode, "--fill") == 0)
			fill_case(c, t.title, body);
		else if (strcmp(mode, "--doc") == 0)
			doc_case(t.title, body);
		else
			check_case(&t, c, body);
	}
	if (*mode == 0)
		check_phrases(&t);
	if (*mode == 0)
		printf("%u scripts, %u wrong\n", t.cases, t.wrong);
	cm_catalog_free(c);
	free((char *)(uintptr_t)all.ptr);
	return t.wrong > 0 || (*mode == 0 && t.cases < 80);
}
