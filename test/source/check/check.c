/* SPDX-License-Identifier: MIT */
/*
 * check.c -- every case of FILE.cases...: a script, what is wrong with it, and
 * which tools it can call.
 *
 *	=== what it is about
 *	the script
 *	--- problems
 *	CODE LINE:COLUMN words of the message    all of them, in this order
 *	--- calls
 *	PATH LINE:COLUMN flags ARGUMENTS         the same; flags like lma, or -
 *
 * The flags: l in a loop, m in a callback that runs for each element, c
 * computed, j the arguments are JSON, a awaited, n only named, k known. A part
 * that a case does not have is not looked at. The catalog has the tools below.
 */
#include "source/check.h"
#include "../cases.h"
#include "../tree_tools.h"

typedef struct tally {
	const char *file;
	text title;
	unsigned cases, wrong;
} tally;

static const char *const catalog[] = {"github.list_issues", "github.get_issue",
    "github.create_issue", "files.read_file", "srv.get", "srv.then", "echo",
    NULL};

static source_found
find(void *ctx, text written, buf *path)
{
	(void)ctx;
	for (const char *const *c = catalog; *c; c++) {
		text t = text_of(*c);

		if (text_eq(t, written)) {
			buf_text(path, t);
			return SOURCE_TOOL;
		}
		if (text_starts(t, written) && t.ptr[written.len] == '.')
			return SOURCE_SPACE;
	}
	return SOURCE_NOTHING;
}

static void
unknown(void *ctx, text written, buf *out)
{
	(void)ctx;
	buf_printf(out, "tools.%.*s does not exist", TEXT_ARG(written));
}

static const source_tools tools = {.find = find, .unknown = unknown};

/* ---------------------------------------------------------------- reports */

static void
put_place(const source_prepared *p, uint32_t at, buf *out)
{
	js_place where = js_position(p->text, at);

	buf_printf(out, " %u:%u ", where.line, where.column);
}

static void
put_problem(const source_prepared *p, const source_problem *problem, buf *out)
{
	buf_str(out, problem->code);
	put_place(p, problem->start, out);
	buf_text(out, problem->message);
}

static void
put_call(const source_prepared *p, const source_call *c, buf *out)
{
	static const struct {
		unsigned flag;
		char letter;
	} letters[] = {{SOURCE_CALL_LOOP, 'l'}, {SOURCE_CALL_MAP, 'm'},
	    {SOURCE_CALL_COMPUTED, 'c'}, {SOURCE_CALL_LITERAL, 'j'},
	    {SOURCE_CALL_AWAITED, 'a'}, {SOURCE_CALL_NAMED, 'n'},
	    {SOURCE_CALL_KNOWN, 'k'}};

	buf_text(out, c->path);
	put_place(p, c->start, out);
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (c->flags & letters[i].flag)
			buf_byte(out, letters[i].letter);
	if (c->flags == 0)
		buf_byte(out, '-');
	if (c->args.len > 0)
		buf_byte(out, ' ');
	buf_text(out, c->args);
}

/* ---------------------------------------------------------------- comparing */

static void
complain(tally *t, const char *what, text got)
{
	printf("%s: %.*s: %s %.*s\n", t->file, TEXT_ARG(t->title), what,
	    TEXT_ARG(got));
	t->wrong++;
}

/* "CODE L:C words": the head must be equal, the words must occur. */
static bool
problem_is(text wanted, text got)
{
	size_t head = text_find(wanted, TEXT(" "), 0);

	head = head == SIZE_MAX ? head : text_find(wanted, TEXT(" "), head + 1);
	if (head == SIZE_MAX)
		return text_starts(got, wanted);
	return text_starts(got, text_sub(wanted, 0, head + 1)) &&
	       text_find(got, text_sub(wanted, head + 1, wanted.len), head) !=
		   SIZE_MAX;
}

static void
compare(tally *t, text *wanted, text got, bool exact)
{
	text line;

	if (!text_line(wanted, &line))
		complain(t, "too much:", got);
	else if (exact ? !text_eq(line, got) : !problem_is(line, got))
		complain(t, "other:", got);
}

static void
check_part(tally *t, const source_prepared *p, const source_report *r,
    text name, text wanted)
{
	bool calls = text_eq(name, TEXT("calls"));
	size_t n = calls ? r->calls : r->problems;
	buf b = BUF_INIT(NULL, 1 << 20);

	for (size_t i = 0; i < n; i++) {
		buf_clear(&b);
		if (calls)
			put_call(p, &r->call[i], &b);
		else
			put_problem(p, &r->problem[i], &b);
		compare(t, &wanted, buf_view(&b), calls);
	}
	if (wanted.len > 0)
		complain(t, "missing:", wanted);
	buf_fini(&b);
}

static void
check_case(tally *t, text body)
{
	static const source_options o = {.limit = 1 << 20};
	arena a = ARENA_INIT(NULL, 64 << 20);
	text given = cases_given(&body), name, lines;
	source_prepared p;
	source_report r;

	t->cases++;
	must(source_prepare(given, &o, NULL, &p) == CM_OK);
	must(source_check(&p, &tools, &a, &r) == CM_OK);
	while (cases_part(&body, &name, &lines))
		check_part(t, &p, &r, name, lines);
	arena_fini(&a);
	source_prepared_fini(&p);
}

int
main(int argc, char **argv)
{
	tally t = {0};

	for (int i = 1; i < argc; i++) {
		text all = file_read(argv[i]), rest = all, body;

		t.file = argv[i];
		while (cases_block(&rest, &t.title, &body))
			check_case(&t, body);
		free((char *)(uintptr_t)all.ptr);
	}
	printf("%u cases, %u wrong\n", t.cases, t.wrong);
	return t.wrong > 0 || t.cases == 0;
}
