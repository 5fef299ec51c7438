/* SPDX-License-Identifier: MIT */
/*
 * normal.c -- every case of FILE.cases...: what comes in, what an engine gets.
 *
 *	=== what it is about (raw) or (plain last)
 *	the text
 *	--- as it is
 *	--- gives             with the engine's text behind it
 *	--- refused CODE LINE:COLUMN words of the message
 *
 * Blanks at the ends of lines do not count in what is expected. Whatever comes
 * out must also have as many lines as its text, parse as plain JavaScript, stay
 * as it is when it is prepared again, and give each of its letters back to the
 * place where it stood.
 */
#include "../cases.h"
#include "source/prepare.h"

typedef struct block {
	text title, given, verdict, wanted;
} block;

typedef struct tally {
	const char *file;
	unsigned cases, wrong;
} tally;

static void
complain(tally *t, const block *b, const char *what, text got)
{
	printf("%s: %.*s: %s\n%.*s\n", t->file, TEXT_ARG(b->title), what,
	    TEXT_ARG(got));
	t->wrong++;
}

static source_options
options_of(text title)
{
	return (source_options){.limit = 1 << 20,
	    .raw = text_ends(title, TEXT("(raw)")),
	    .plain_last = text_ends(title, TEXT("(plain last)"))};
}

/* ------------------------------------------------------------- comparing */

static text
trim_end(text t)
{
	while (
	    t.len > 0 && (t.ptr[t.len - 1] == ' ' || t.ptr[t.len - 1] == '\r'))
		t.len--;
	return t;
}

static bool
same_lines(text a, text b)
{
	text x, y;

	while (a.len > 0 || b.len > 0) {
		x = y = TEXT_NONE;
		text_line(&a, &x);
		text_line(&b, &y);
		if (!text_eq(trim_end(x), trim_end(y)))
			return false;
	}
	return true;
}

static size_t
lines_of(text t)
{
	size_t n = 1;

	for (size_t i = 0; i < t.len; i++)
		n += t.ptr[i] == '\n';
	return n;
}

static bool
is_ours(const source_prepared *p, size_t at)
{
	for (size_t i = 0; i < p->shifts; i++)
		if (at >= p->shift[i].at &&
		    at - p->shift[i].at < p->shift[i].len)
			return true;
	return false;
}

/* Each letter of the code that was not put there stands, in the text, where
 * source_origin says; a blank may stand for anything. */
static bool
columns_hold(const source_prepared *p)
{
	text given = p->text, code = p->code, x, y;
	uint32_t line = 0;

	while (text_line(&code, &y)) {
		x = TEXT_NONE;
		text_line(&given, &x);
		line++;
		if (text_find(y, TEXT("$default=("), 0) != SIZE_MAX)
			continue;
		for (size_t i = 0; i < y.len; i++) {
			uint32_t column = (uint32_t)i + 1;

			if (is_ours(p, (size_t)(y.ptr - p->code.ptr) + i) ||
			    y.ptr[i] == ' ' || y.ptr[i] == ';')
				continue;
			source_origin(p, line, &column);
			if (column > x.len || x.ptr[column - 1] != y.ptr[i])
				return false;
		}
	}
	return true;
}

static bool
parses(text code, bool raw)
{
	static const js_options o = {.goal = JS_ASYNC_BODY};
	parsed p;
	bool ok;

	(void)raw;
	parsed_init(&p, code, &o);
	ok = parsed_ok(&p);
	parsed_fini(&p);
	return ok;
}

static void
check_laws(
    tally *t, const block *b, const source_prepared *p, const source_options *o)
{
	source_prepared again;

	if (lines_of(p->text) != lines_of(p->code))
		complain(t, b, "another number of lines:", p->code);
	if (!parses(p->code, o->raw))
		complain(t, b, "what comes out does not parse:", p->code);
	if (!columns_hold(p))
		complain(t, b, "a column does not come back:", p->code);
	must(source_prepare(p->code, o, NULL, &again) == CM_OK);
	if (again.fault.code || !text_eq(again.code, p->code))
		complain(t, b, "not the same when done again:", again.code);
	source_prepared_fini(&again);
}

/* -------------------------------------------------------------- verdicts */

static void
check_refused(tally *t, const block *b, const source_prepared *p)
{
	char said[1024];
	text want = text_sub(b->verdict, 8, b->verdict.len), words = want;

	/* CODE LINE:COLUMN, then words that the message has. */
	snprintf(said, sizeof(said), "%s %u:%u ",
	    p->fault.code ? p->fault.code : "nothing", p->fault.line,
	    p->fault.column);
	if (!text_starts(want, text_of(said))) {
		complain(t, b, said, text_of(p->fault.message));
		return;
	}
	words = text_sub(want, strlen(said), want.len);
	if (text_find(text_of(p->fault.message), words, 0) == SIZE_MAX)
		complain(t, b, "other words:", text_of(p->fault.message));
}

static void
check_block(tally *t, const block *b)
{
	source_options o = options_of(b->title);
	source_prepared p;

	t->cases++;
	must(source_prepare(b->given, &o, NULL, &p) == CM_OK);
	if (text_starts(b->verdict, TEXT("refused "))) {
		check_refused(t, b, &p);
	} else if (p.fault.code) {
		complain(t, b, "refused:", text_of(p.fault.message));
	} else {
		bool same = text_eq(b->verdict, TEXT("as it is"));

		if (same ? !text_eq(p.code, b->given) || p.changed
			 : !same_lines(p.code, b->wanted) || !p.changed)
			complain(t, b, "gives:", p.code);
		check_laws(t, b, &p, &o);
	}
	source_prepared_fini(&p);
}

static void
check_file(tally *t, const char *path)
{
	text all = file_read(path), rest = all, body;
	block b;

	t->file = path;
	while (cases_block(&rest, &b.title, &body)) {
		b.given = cases_given(&body);
		cases_part(&body, &b.verdict, &b.wanted);
		check_block(t, &b);
	}
	free((char *)(uintptr_t)all.ptr);
}

int
main(int argc, char **argv)
{
	tally t = {0};

	for (int i = 1; i < argc; i++)
		check_file(&t, argv[i]);
	printf("%u cases, %u wrong\n", t.cases, t.wrong);
	return t.wrong > 0 || t.cases < 150;
}
