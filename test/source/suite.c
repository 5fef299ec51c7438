/* SPDX-License-Identifier: MIT */
/*
 * suite.c -- test262-parser-tests: every file of script goal.
 *
 *	suite FOLDER EXCEPTIONS
 *
 * pass and pass-explicit must parse without an error, to the same tree; what
 * js_write makes of it must parse to that tree again. early and fail must have
 * an error, of the parser or of the engine that compiles what it accepts.
 * EXCEPTIONS has a line "folder/file reason" for each file whose verdict the
 * language has changed since; it must then be the other one.
 */
#include "files.h"
#include "tree_tools.h"

#include <dirent.h>

typedef struct suite {
	const char *folder;
	text exceptions;
	unsigned files, wrong, excepted;
} suite;

static const js_options script = {.goal = JS_SCRIPT};

static int
is_script(const struct dirent *e)
{
	text name = text_of(e->d_name);

	return text_ends(name, TEXT(".js")) &&
	       !text_ends(name, TEXT(".module.js"));
}

static bool
is_exception(const suite *s, const char *kind, const char *name)
{
	text rest = s->exceptions, line;
	char key[128];

	snprintf(key, sizeof(key), "%s/%s ", kind, name);
	while (text_line(&rest, &line))
		if (text_starts(line, text_of(key)))
			return true;
	return false;
}

static void
complain(
    suite *s, const char *kind, const char *name, const char *what, text detail)
{
	printf("%s/%s: %s %.*s\n", kind, name, what, TEXT_ARG(detail));
	s->wrong++;
}

static text
load(const suite *s, const char *kind, const char *name)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s/%s", s->folder, kind, name);
	return file_read(path);
}

static void
check_verdict(suite *s, const char *kind, const char *name, bool want)
{
	text source = load(s, kind, name);
	bool excepted = is_exception(s, kind, name), good;
	parsed p;

	parsed_init(&p, source, &script);
	good = parsed_ok(&p) && (want || source_compiles(source));
	s->files++;
	s->excepted += excepted;
	if (good != (want != excepted))
		complain(s, kind, name, good ? "accepted" : "refused:",
		    parsed_ok(&p) ? TEXT_NONE : p.tree.errors[0].message);
	parsed_fini(&p);
	free((char *)(uintptr_t)source.ptr);
}

/* What two files of a pair have in common: pass-explicit writes names,
 * numbers and keys in its own way, and (a, b, c) as ((a, b), c). */
static void
put_shape(const js_node *n, buf *out)
{
	bool key =
	    n->parent && n->parent->child == n &&
	    (n->kind == JS_KEY || n->kind == JS_STRING || n->kind == JS_NUMBER);

	if (n->kind == JS_EMPTY ||
	    (n->kind == JS_SEQUENCE && n->parent->kind == JS_SEQUENCE &&
		n->parent->child == n))
		return;
	buf_printf(out, "%s ", key ? "key" : js_kind_name(n->kind));
	buf_str(out, js_token_text(n->op));
	buf_byte(out, '\n');
}

static void
shape(const js_tree *t, buf *out)
{
	for (const js_node *n = t->root; n; n = js_next(n, t->root))
		put_shape(n, out);
}

static void
check_pair(suite *s, const char *name)
{
	text a = load(s, "pass", name), b = load(s, "pass-explicit", name);
	buf one = BUF_INIT(NULL, 1 << 20), two = BUF_INIT(NULL, 1 << 20);
	parsed p, q;

	parsed_init(&p, a, &script);
	parsed_init(&q, b, &script);
	shape(&p.tree, &one);
	shape(&q.tree, &two);
	if (!text_eq(buf_view(&one), buf_view(&two)))
		complain(
		    s, "pass", name, "differs from pass-explicit", TEXT_NONE);
	buf_fini(&one);
	buf_fini(&two);
	parsed_fini(&p);
	parsed_fini(&q);
	free((char *)(uintptr_t)a.ptr);
	free((char *)(uintptr_t)b.ptr);
}

static void
check_written(suite *s, const char *name)
{
	text source = load(s, "pass", name);
	buf out = BUF_INIT(NULL, 1 << 20);
	const js_node *where = NULL;
	parsed p, q;

	parsed_init(&p, source, &script);
	if (parsed_ok(&p)) {
		js_write(&p.tree, &out);
		parsed_init(&q, buf_view(&out), &script);
		if (!parsed_ok(&q))
			complain(s, "pass", name,
			    "written, is refused:", buf_view(&out));
		else if (!js_same(&p.tree, &q.tree, &where))
			complain(s, "pass", name,
			    "written, is another:", buf_view(&out));
		parsed_fini(&q);
	}
	buf_fini(&out);
	parsed_fini(&p);
	free((char *)(uintptr_t)source.ptr);
}

static void
check_folder(suite *s, const char *kind, bool want)
{
	char path[1024];
	struct dirent **list;
	int count;

	snprintf(path, sizeof(path), "%s/%s", s->folder, kind);
	count = scandir(path, &list, is_script, alphasort);
	if (count < 0) {
		perror(path);
		exit(2);
	}
	for (int i = 0; i < count; i++) {
		const char *name = list[i]->d_name;

		check_verdict(s, kind, name, want);
		if (!strcmp(kind, "pass") && !is_exception(s, kind, name)) {
			check_pair(s, name);
			check_written(s, name);
		}
		free(list[i]);
	}
	free(list);
}

int
main(int argc, char **argv)
{
	suite s = {0};

	if (argc != 3) {
		fprintf(stderr, "usage: suite FOLDER EXCEPTIONS\n");
		return 2;
	}
	s.folder = argv[1];
	s.exceptions = file_read(argv[2]);
	check_folder(&s, "pass", true);
	check_folder(&s, "pass-explicit", true);
	check_folder(&s, "early", false);
	check_folder(&s, "fail", false);
	printf("suite: %u files, %u wrong, %u by exception\n", s.files, s.wrong,
	    s.excepted);
	free((char *)(uintptr_t)s.exceptions.ptr);
	return s.wrong > 0;
}
