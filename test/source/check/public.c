/* SPDX-License-Identifier: MIT */
/*
 * public.c -- the checks as <codemode/check.h> has them, and known.def beside
 * what the engine really has.
 */
#include "base/json.h"
#include "source/known.h"

#include <codemode/check.h>

#include <stdio.h>
#include <stdlib.h>

static unsigned wrong;

static void
expect(bool holds, const char *what)
{
	if (!holds) {
		printf("not so: %s\n", what);
		wrong++;
	}
}

static cm_catalog *
catalog_of_one(void)
{
	cm_tool t = {.space = TEXT("github"), .name = TEXT("list_issues")};
	cm_catalog *c;

	must(cm_catalog_new(NULL, &c) == CM_OK);
	must(cm_catalog_add(c, &t) == CM_OK);
	return c;
}

static cm_check *
check_script(cm_catalog *c, const char *script, unsigned flags)
{
	cm_check *check;

	must(cm_source_check(c, text_of(script), flags, &check) == CM_OK);
	return check;
}

/* ------------------------------------------------------------------ reports */

static void
test_problems(void)
{
	cm_catalog *c = catalog_of_one();
	cm_check *check = check_script(c,
	    "const \xc3\xa4 = 1; const r = "
	    "tools.github.list_isues({});\nreturn r.x",
	    0);
	cm_problem p;

	expect(cm_check_problem(check, 0, &p) == CM_OK, "a first problem");
	expect(text_eq(p.code, TEXT("UnknownTool")), "an unknown tool");
	expect(p.level == CM_LEVEL_ERROR, "an error");
	expect(p.line == 1 && p.column == 24, "columns count UTF-16 units");
	expect(p.end_line == 1 && p.end_column == 51, "the end of the place");
	expect(text_find(p.message, TEXT("tools.github.list_issues"), 0) !=
		   SIZE_MAX,
	    "the nearest tool");
	expect(
	    text_starts(p.excerpt, TEXT("1 | const \xc3\xa4")), "an excerpt");
	expect(cm_check_problem(check, 1, &p) == CM_OK, "a second problem");
	expect(text_eq(p.code, TEXT("MissingAwait")), "a missing await");
	expect(p.level == CM_LEVEL_WARNING && p.line == 2, "a warning");
	expect(cm_check_problem(check, 2, &p) == CM_EMISUSE, "no more");
	cm_check_free(check);
	cm_catalog_free(c);
}

static void
test_sites(void)
{
	cm_catalog *c = catalog_of_one();
	cm_check *check = check_script(c,
	    "for (const p of [1, 2])\n"
	    "  await tools.github.list_issues({ page: 3 });\n"
	    "[1].map((x) => tools[x](x))",
	    0);
	cm_site s;

	expect(cm_check_site(check, 0, &s) == CM_OK, "a first site");
	expect(text_eq(s.path, TEXT("github.list_issues")), "its path");
	expect(text_eq(s.args, TEXT("{\"page\":3}")), "its arguments");
	expect(s.flags == (CM_SITE_LOOP | CM_SITE_LITERAL | CM_SITE_AWAITED |
			      CM_SITE_KNOWN),
	    "its flags");
	expect(s.line == 2 && s.column == 9, "its place");
	expect(cm_check_site(check, 1, &s) == CM_OK, "a second site");
	expect(text_eq(s.path, TEXT("*")), "any tool");
	expect((s.flags & CM_SITE_COMPUTED) && (s.flags & CM_SITE_CALLBACK),
	    "computed, for each element");
	expect(cm_check_site(check, 2, &s) == CM_EMISUSE, "no more sites");
	cm_check_free(check);
	cm_catalog_free(c);
}

/* Long arguments are cut, and say so. */
static void
test_long_arguments(void)
{
	buf b = BUF_INIT(NULL, 1 << 20);
	cm_check *check;
	cm_site s;

	buf_str(&b, "await tools.a.b({ x: '");
	for (unsigned i = 0; i < 3000; i++)
		buf_str(&b, "\xc3\xa4");
	buf_str(&b, "' })");
	buf_byte(&b, 0);
	check = check_script(NULL, b.ptr, 0);
	expect(cm_check_site(check, 0, &s) == CM_OK, "a call");
	expect(!(s.flags & CM_SITE_LITERAL), "not as JSON");
	expect(text_starts(s.args, TEXT("{ x: '")) && s.args.len <= 2000 &&
		   text_ends(s.args, TEXT("\xe2\x80\xa6")),
	    "cut behind a character, with a mark");
	cm_check_free(check);
	buf_fini(&b);
}

static void
test_json(void)
{
	cm_check *check = check_script(NULL, "tools.a.b({}); x", 0);
	cm_text t;
	json v;

	expect(cm_check_json(check, &t) == CM_OK, "JSON");
	expect(json_check(t, JSON_DEPTH, &v, NULL), "it is JSON");
	expect(!json_bool(json_get(v, TEXT("ok")), true), "not ok");
	expect(json_len(json_get(v, TEXT("problems"))) == 2, "two problems");
	expect(json_is(json_get(json_at(json_get(v, TEXT("calls")), 0),
			   TEXT("tool")),
		   TEXT("a.b")),
	    "a call");
	cm_check_free(check);
}

static void
test_flags(void)
{
	cm_check *check = check_script(NULL, "1 + 1", 0);
	cm_problem p;

	expect(text_eq(cm_check_code(check), TEXT("return (1 + 1)")),
	    "the engine's text");
	cm_check_free(check);
	check = check_script(NULL, "1 + 1", CM_RUN_RETURN_ONLY);
	expect(text_eq(cm_check_code(check), TEXT("1 + 1")), "return only");
	cm_check_free(check);
	check = check_script(NULL, "let a: b = 1", CM_RUN_RAW);
	expect(cm_check_problem(check, 0, &p) == CM_OK &&
		   text_eq(p.code, TEXT("SyntaxError")),
	    "raw has no types");
	expect(cm_check_code(check).len == 0, "no text for an engine");
	cm_check_free(check);
	cm_check_free(NULL);
}

/* ------------------------------------------------------ memory that runs out */

typedef struct meter {
	size_t left; /* requests that are granted */
	size_t held;
} meter;

static void *
metered(void *ctx, void *p, size_t old_size, size_t new_size)
{
	meter *m = ctx;
	void *moved;

	if (new_size == 0) {
		m->held -= old_size;
		free(p);
		return NULL;
	}
	if (m->left == 0)
		return NULL;
	m->left--;
	moved = realloc(p, new_size);
	m->held += moved ? new_size - old_size : 0;
	return moved;
}

static cm_status
check_with(meter *m, const char *script)
{
	cm_alloc alloc = {metered, m};
	cm_catalog *c = NULL;
	cm_check *check = NULL;
	cm_status r = cm_catalog_new(&alloc, &c);
	cm_text t;

	if (r == CM_OK)
		r = cm_source_check(c, text_of(script), 0, &check);
	if (r == CM_OK)
		r = cm_check_json(check, &t);
	cm_check_free(check);
	cm_catalog_free(c);
	return r;
}

/* Each request refused once, and every one after it: CM_ENOMEM, nothing kept. */
static void
test_memory(void)
{
	static const char script[] =
	    "```ts\nconst r: any = tools.a.b({ x: [1] });\n"
	    "for (const i of r) fetch(i.y);\nr.map((p) => p.z)\n```";
	cm_status r = CM_ENOMEM;
	size_t n;

	for (n = 0; r == CM_ENOMEM && n < 1000; n++) {
		meter m = {n, 0};

		r = check_with(&m, script);
		expect(m.held == 0, "nothing is kept");
	}
	expect(r == CM_OK, "in the end there is enough");
	expect(n > 5, "memory was refused in many places");
}

/* A text that found no memory can be asked for again. */
static void
test_memory_comes_back(void)
{
	meter m = {1000, 0};
	cm_alloc alloc = {metered, &m};
	cm_catalog *c;
	cm_check *check;
	cm_text t;

	must(cm_catalog_new(&alloc, &c) == CM_OK);
	must(cm_source_check(c, TEXT("const a = 1; a = 2; tools.x.y({})"), 0,
		 &check) == CM_OK);
	m.left = 0;
	expect(cm_check_json(check, &t) == CM_ENOMEM, "no memory for JSON");
	expect(cm_check_tree(check, &t) == CM_ENOMEM, "no memory for a tree");
	m.left = 1;
	expect(cm_check_json(check, &t) == CM_ENOMEM || m.left == 0,
	    "it takes memory");
	m.left = 1000;
	expect(cm_check_json(check, &t) == CM_OK, "JSON, once there is memory");
	expect(
	    text_starts(t, TEXT("{\"ok\":false,")) && text_ends(t, TEXT("]}")),
	    "it is whole");
	expect(
	    cm_check_tree(check, &t) == CM_OK && t.len > 0, "so is the tree");
	cm_check_free(check);
	cm_catalog_free(c);
	expect(m.held == 0, "nothing is kept");
}

/* --------------------------------------------------------------- known names */

/* The names of the engine's global object, as JSON. */
static void
read_names(text script, buf *out)
{
	static const cm_driver driver = {0};
	cm_run *run;
	cm_done done;

	must(cm_run_new(NULL, script, NULL, &run) == CM_OK);
	must(cm_run_drive(run, &driver, &done) == CM_OK);
	must(done.end == CM_END_OK);
	buf_text(out, done.value);
	cm_run_free(run);
}

static void
test_globals(void)
{
	buf names = BUF_INIT(NULL, 1 << 20), name = BUF_INIT(NULL, 4096);
	json_iter it;
	json v;

	read_names(
	    TEXT("return Object.getOwnPropertyNames(globalThis)"), &names);
	it = json_each(buf_view(&names));
	expect(json_len(buf_view(&names)) > 60, "an engine has globals");
	while (json_next(&it, NULL, &v)) {
		buf_clear(&name);
		json_unescape(v, &name);
		if (!known_global(buf_view(&name)) ||
		    known_absent(buf_view(&name)))
			printf("known.def: %.*s is there\n",
			    TEXT_ARG(buf_view(&name)));
		expect(known_global(buf_view(&name)), "each is in known.def");
		expect(!known_absent(buf_view(&name)),
		    "none is said not to be there");
	}
	buf_fini(&names);
	buf_fini(&name);
}

/* known.def has the methods that there are, and no others. */
static void
test_methods(void)
{
	static const text objects[] = {
	    TEXT_INIT("console"), TEXT_INIT("codemode")};

	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		buf names = BUF_INIT(NULL, 1 << 16),
		    known = BUF_INIT(NULL, 4096), script = BUF_INIT(NULL, 4096);

		buf_printf(&script,
		    "return Object.getOwnPropertyNames(%.*s).filter((k) => "
		    "typeof %.*s[k] === 'function').join(', ')",
		    TEXT_ARG(objects[i]), TEXT_ARG(objects[i]));
		read_names(buf_view(&script), &names);
		buf_byte(&known, '"');
		known_put_methods(&known, objects[i]);
		buf_byte(&known, '"');
		expect(text_eq(buf_view(&names), buf_view(&known)),
		    "the methods are those of known.def");
		buf_fini(&names);
		buf_fini(&known);
		buf_fini(&script);
	}
}

int
main(void)
{
	test_problems();
	test_sites();
	test_json();
	test_long_arguments();
	test_flags();
	test_memory();
	test_memory_comes_back();
	test_globals();
	test_methods();
	printf("%u wrong\n", wrong);
	return wrong > 0;
}
