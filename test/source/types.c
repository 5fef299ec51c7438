/* SPDX-License-Identifier: MIT */
/*
 * types.c -- TypeScript that only needs erasing, against typescript and amaro.
 *
 *	types ORACLE EXCEPTIONS
 *
 * ORACLE is what oracle.mjs wrote. For each snippet: it parses; what
 * js_blank_types leaves has the same bytes wherever it is not blank, the same
 * line ends and the same width; it is plain JavaScript; and it parses to the
 * tree that the output of the other two parses to. A line "name tool reason"
 * of EXCEPTIONS says that the tool (typescript or amaro) differs there.
 */
#include "files.h"
#include "tree_tools.h"

#include "source/prepare.h"

typedef struct run {
	text exceptions;
	unsigned snippets, wrong, refused, excepted;
} run;

/* One snippet and what was made of it. */
typedef struct sample {
	text name, source, typescript, amaro;
} sample;

static const text before = TEXT_INIT("async function f() {");
static const text after = TEXT_INIT("\n}");

static bool
is_exception(run *r, text name, const char *tool)
{
	text rest = r->exceptions, line;
	char key[160];

	snprintf(key, sizeof(key), "%.*s %s ", TEXT_ARG(name), tool);
	while (text_line(&rest, &line))
		if (text_starts(line, text_of(key))) {
			r->excepted++;
			return true;
		}
	return false;
}

static void
complain(run *r, const sample *s, const char *what, text detail)
{
	printf("---- %.*s: %s\n%.*s\n=> %.*s\n", TEXT_ARG(s->name), what,
	    TEXT_ARG(s->source), TEXT_ARG(detail));
	r->wrong++;
}

static bool
is_module(const sample *s)
{
	return text_starts(s->name, TEXT("modules."));
}

/* Is every byte of blank that of given, or a blank, or a mark? */
static bool
same_layout(text given, text blank)
{
	size_t i = 0, j = 0;

	if (given.len != blank.len || utf16_len(given) != utf16_len(blank))
		return false;
	while (i < given.len) {
		uint32_t a = utf8_next(given, &i), b = utf8_next(blank, &j);
		bool white = b == ' ' || b == 0xa0 || b == 0x3000;

		if (a > 0xffff && b == 0xa0)
			b = utf8_next(blank, &j); /* two for one */
		if (i != j || ((a == '\n') != (b == '\n')))
			return false;
		if (a != b && !white && b != ';' && b != '(' && b != ')')
			return false;
	}
	return true;
}

/* As the other tools saw it. */
static text
wrapped(const sample *s, text blank, buf *out)
{
	if (is_module(s))
		return blank;
	buf_text(out, before);
	buf_text(out, blank);
	buf_text(out, after);
	return buf_view(out);
}

static void
compare(run *r, const sample *s, text ours, const char *tool, text theirs)
{
	/* accessor is nothing in JavaScript yet: the types mode drops it. */
	js_goal goal = is_module(s) ? JS_ASYNC_BODY : JS_SCRIPT;
	const js_options plain = {.goal = goal, .modules = true};
	const js_options typed = {
	    .goal = goal, .modules = true, .typescript = true};
	const js_node *where = NULL;
	parsed p, q;

	parsed_init(&p, ours, &plain);
	parsed_init(&q, theirs,
	    text_find(s->source, TEXT("accessor"), 0) == SIZE_MAX ? &plain
								  : &typed);
	if (!parsed_ok(&p))
		complain(r, s, "ours is refused:", p.tree.errors[0].message);
	else if (!parsed_ok(&q))
		complain(r, s, "theirs is refused:", theirs);
	else if (!js_same(&p.tree, &q.tree, &where))
		complain(r, s, tool, theirs);
	parsed_fini(&p);
	parsed_fini(&q);
}

static void
check_blank(run *r, const sample *s, text blank)
{
	buf out = BUF_INIT(NULL, 1 << 20);
	text ours = wrapped(s, blank, &out);

	if (!same_layout(s->source, blank))
		complain(r, s, "the layout changed", blank);
	if (!is_exception(r, s->name, "typescript"))
		compare(r, s, ours, "differs from typescript", s->typescript);
	if (s->amaro.len && s->amaro.ptr[0] == '!')
		r->refused++;
	else if (!is_exception(r, s->name, "amaro"))
		compare(r, s, ours, "differs from amaro", s->amaro);
	buf_fini(&out);
}

/* The same as a script of a user. Only types: nothing would run, which is told.
 * Modules are put right first; what comes of them is tested elsewhere. */
static void
check_door(run *r, const sample *s, text blank)
{
	const source_options o = {.limit = 1 << 20, .plain_last = true};
	source_prepared p;

	if (is_module(s))
		return;
	must(source_prepare(s->source, &o, NULL, &p) == CM_OK);
	if (p.fault.code != NULL) {
		if (strcmp(p.fault.code, "EmptySource") != 0)
			complain(r, s,
			    "refused at the door:", text_of(p.fault.message));
	} else if (!text_eq(p.code, blank) &&
		   !is_exception(r, s->name, "door")) {
		complain(r, s, "read as another at the door:", p.code);
	}
	source_prepared_fini(&p);
}

static void
check(run *r, const sample *s)
{
	const js_options o = {
	    .goal = JS_ASYNC_BODY, .modules = true, .typescript = true};
	buf blank = BUF_INIT(NULL, 1 << 20);
	parsed p;

	r->snippets++;
	parsed_init(&p, s->source, &o);
	if (parsed_ok(&p)) {
		js_blank_types(&p.tree, &blank);
		if (getenv("SHOW"))
			printf("---- %.*s\n%.*s\n", TEXT_ARG(s->name),
			    TEXT_ARG(buf_view(&blank)));
		check_blank(r, s, buf_view(&blank));
		check_door(r, s, buf_view(&blank));
	} else {
		complain(r, s, "refused:", p.tree.errors[0].message);
	}
	parsed_fini(&p);
	buf_fini(&blank);
}

/* The next text with a NUL behind it; false: there is none. */
static bool
next_record(text *rest, text *out)
{
	size_t end = text_find(*rest, (text){"", 1}, 0);

	if (end == SIZE_MAX)
		return false;
	*out = text_sub(*rest, 0, end);
	*rest = text_sub(*rest, end + 1, SIZE_MAX);
	return true;
}

int
main(int argc, char **argv)
{
	run r = {0};
	text oracle, rest;
	sample s;

	if (argc != 3) {
		fprintf(stderr, "usage: types ORACLE EXCEPTIONS\n");
		return 2;
	}
	oracle = rest = file_read(argv[1]);
	r.exceptions = file_read(argv[2]);
	while (next_record(&rest, &s.name) && next_record(&rest, &s.source) &&
	       next_record(&rest, &s.typescript) &&
	       next_record(&rest, &s.amaro))
		check(&r, &s);
	printf("types: %u snippets, %u wrong, %u by exception, %u that amaro "
	       "refuses\n",
	    r.snippets, r.wrong, r.excepted, r.refused);
	free((char *)(uintptr_t)oracle.ptr);
	free((char *)(uintptr_t)r.exceptions.ptr);
	return r.wrong > 0 || r.snippets < 400;
}
