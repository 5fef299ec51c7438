/* SPDX-License-Identifier: MIT */
/*
 * covered.c -- is every call that a script really makes in the list of calls?
 *
 *	covered FILE...           the scripts of files of cases; each must call
 *	covered --grow N SEED     N scripts that grow.c makes up
 *	covered --show N SEED     prints the last of them
 *	covered --globals N SEED  the same scripts, whose tools are globals, too,
 *	                          and are called so
 *	covered --plain FILE...   ordinary scripts: how many have an exact list?
 *
 * A script runs inline with a few tools that answer at once. Each call that it
 * makes must be covered by the list, made with a catalog and without.
 */
#include "../cases.h"
#include "grow.h"

#include <codemode/check.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct tally {
	unsigned scripts, calling, calls, exact, wrong;
} tally;

/* One script, while it runs. */
typedef struct trial {
	cm_check *known, *unknown; /* with a catalog, and without (NULL: what is
	                              a global is not known then) */
	bool called, bad;
} trial;

static const struct {
	const char *space, *name;
} tools[] = {{"s", "a"}, {"s", "b"}, {"z", "a"}, {"", "solo"}};

static cm_catalog *
make_catalog(unsigned flags)
{
	cm_catalog *c;

	must(cm_catalog_new(NULL, &c) == CM_OK);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		cm_tool t = {.space = text_of(tools[i].space),
		    .name = text_of(tools[i].name),
		    .flags = flags};

		must(cm_catalog_add(c, &t) == CM_OK);
	}
	return c;
}

/* "s.a", "s.*" or "*" covers s.a; "solo" and "solo.*" cover solo. */
static bool
covers_tool(text path, const cm_call *call)
{
	text space = call->space, rest = path;

	if (text_eq(path, TEXT("*")))
		return true;
	if (space.len > 0) {
		if (!text_starts(path, space) || path.len < space.len + 2 ||
		    path.ptr[space.len] != '.')
			return false;
		rest = text_sub(path, space.len + 1, path.len);
		return text_eq(rest, call->name) || text_eq(rest, TEXT("*"));
	}
	if (text_ends(path, TEXT(".*")))
		rest = text_sub(path, 0, path.len - 2);
	return text_eq(rest, call->name);
}

static bool
list_covers(const cm_check *check, const cm_call *call)
{
	cm_site s;

	for (size_t i = 0; cm_check_site(check, i, &s) == CM_OK; i++)
		if (covers_tool(s.path, call))
			return true;
	return false;
}

static void
check_call(void *ctx, cm_run *run, const cm_call *call)
{
	trial *t = ctx;

	t->called = true;
	if (!list_covers(t->known, call) ||
	    (t->unknown && !list_covers(t->unknown, call)))
		t->bad = true;
	cm_run_resolve(run, call->id, TEXT("{\"id\":1,\"k\":\"a\"}"));
}

static bool
is_exact(const cm_check *check)
{
	cm_site s;

	for (size_t i = 0; cm_check_site(check, i, &s) == CM_OK; i++)
		if (text_ends(s.path, TEXT("*")))
			return false;
	return true;
}

static void
run_script(cm_catalog *c, text script, trial *t)
{
	cm_driver driver = {.ctx = t, .call = check_call};
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_run *run;
	cm_done done;

	o.limits.wall_ms = 20000;
	must(cm_run_new(c, script, &o, &run) == CM_OK);
	must(cm_run_drive(run, &driver, &done) == CM_OK);
	if (!t->called && getenv("SHOW_ERRORS") != NULL)
		printf("%.*s\n", TEXT_ARG(done.fault.message));
	cm_run_free(run);
}

/* False: it called nothing. */
static bool
try_script(tally *all, cm_catalog *c, bool globals, text script)
{
	trial t = {0};

	must(cm_source_check(c, script, 0, &t.known) == CM_OK);
	if (!globals)
		must(cm_source_check(NULL, script, 0, &t.unknown) == CM_OK);
	run_script(c, script, &t);
	all->scripts++;
	all->calling += t.called;
	all->exact += t.called && is_exact(t.known);
	if (t.bad) {
		all->wrong++;
		printf("not covered:\n%.*s\n", TEXT_ARG(script));
	}
	cm_check_free(t.known);
	cm_check_free(t.unknown);
	return t.called;
}

static void
try_file(tally *all, cm_catalog *c, const char *path)
{
	text whole = file_read(path), rest = whole, title, body;

	while (cases_block(&rest, &title, &body)) {
		if (try_script(all, c, false, cases_given(&body)))
			continue;
		printf("%.*s: it calls nothing\n", TEXT_ARG(title));
		all->wrong++;
	}
	free((char *)(uintptr_t)whole.ptr);
}

/* ------------------------------------------------------------- precision */

/* Ordinary scripts are not run; 95 in 100 of those with calls must have a list
 * without any "*". */
static void
weigh_script(tally *all, text script)
{
	cm_check *check;
	cm_site s;

	must(cm_source_check(NULL, script, 0, &check) == CM_OK);
	if (cm_check_site(check, 0, &s) == CM_OK) {
		all->calling++;
		all->exact += is_exact(check);
		if (!is_exact(check) && getenv("SHOW_ERRORS") != NULL)
			printf("----\n%.*s\n", TEXT_ARG(script));
	}
	all->scripts++;
	cm_check_free(check);
}

/* "=== title" or "//// title" begins a script; else the file is one. */
static void
weigh_file(tally *all, const char *path)
{
	text whole = file_read(path), rest = whole, line, script = TEXT_NONE;

	while (text_line(&rest, &line)) {
		bool title = text_starts(line, TEXT("=== ")) ||
			     text_starts(line, TEXT("//// "));

		if (title || text_starts(line, TEXT("--- "))) {
			if (script.len > 0)
				weigh_script(all, script);
			script = TEXT_NONE;
		}
		if (title)
			script = (text){rest.ptr, 0};
		else if (script.ptr != NULL)
			script.len = (size_t)(line.ptr + line.len - script.ptr);
	}
	weigh_script(all, script.ptr != NULL ? script : whole);
	free((char *)(uintptr_t)whole.ptr);
}

static int
weigh_files(int n, char **paths)
{
	tally t = {0};

	for (int i = 0; i < n; i++)
		weigh_file(&t, paths[i]);
	printf("%u scripts, %u of them call, %u with an exact list\n",
	    t.scripts, t.calling, t.exact);
	return t.calling < 200 || t.exact * 100 < t.calling * 95;
}

/* ------------------------------------------------------------------ scripts */

/* A member of tools is a global of its name: tools.s becomes s, and tools the
 * global object, which has that member, too. */
static void
name_globals(text script, buf *out)
{
	const text word = TEXT("tools");
	size_t at = 0, found;

	while ((found = text_find(script, word, at)) != SIZE_MAX) {
		text rest = text_sub(script, found + word.len, script.len);
		bool member = found > 0 && script.ptr[found - 1] == '.';

		buf_text(out, text_sub(script, at, found));
		at = found + word.len;
		if (!member && (text_starts(rest, TEXT(".s")) ||
				   text_starts(rest, TEXT(".z"))))
			at++;
		else
			buf_str(out, member ? "tools" : "globalThis");
	}
	buf_text(out, text_sub(script, at, script.len));
}

static void
try_grown(tally *all, cm_catalog *c, unsigned long n, uint64_t seed, bool show,
    bool globals)
{
	buf script = BUF_INIT(NULL, 1 << 20), grown = script;

	for (unsigned long i = 0; i < n; i++) {
		buf_clear(&script);
		buf_clear(&grown);
		grow_script(seed + i, globals ? &grown : &script);
		if (globals)
			name_globals(buf_view(&grown), &script);
		if (!show || i + 1 == n)
			try_script(all, c, globals, buf_view(&script));
	}
	if (show)
		printf("%.*s\n", TEXT_ARG(buf_view(&script)));
	buf_fini(&script);
	buf_fini(&grown);
}

int
main(int argc, char **argv)
{
	cm_catalog *c;
	bool show = argc > 1 && strcmp(argv[1], "--show") == 0;
	bool globals = argc > 1 && strcmp(argv[1], "--globals") == 0;
	tally t = {0};

	if (argc > 1 && strcmp(argv[1], "--plain") == 0)
		return weigh_files(argc - 2, argv + 2);
	c = make_catalog(globals ? CM_TOOL_GLOBAL : 0);
	if (argc == 4 && (show || globals || strcmp(argv[1], "--grow") == 0)) {
		try_grown(&t, c, strtoul(argv[2], NULL, 10),
		    strtoull(argv[3], NULL, 10), show, globals);
		/* A grammar whose scripts call nothing proves nothing. */
		t.wrong += !show && t.calling * 2 < t.scripts;
	} else {
		for (int i = 1; i < argc; i++)
			try_file(&t, c, argv[i]);
		t.wrong += t.scripts < 120;
	}
	printf("%u scripts, %u of them call, %u with an exact list, %u wrong\n",
	    t.scripts, t.calling, t.exact, t.wrong);
	cm_catalog_free(c);
	return t.wrong > 0;
}
