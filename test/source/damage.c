/* SPDX-License-Identifier: MIT */
/*
 * damage.c -- every prefix and every change of one byte: no crash, no hang.
 *
 *	damage [--every N] FILE-OR-FOLDER...
 *
 * Texts are read in each mode. What still parses is put through everything
 * that takes a tree: printed, blanked, and written, which must give the same
 * tree again. Files may hold several texts, with a NUL behind each. Run it
 * under the address and undefined-behaviour sanitizers.
 */
#include "files.h"
#include "tree_tools.h"

#include <dirent.h>
#include <sys/stat.h>

enum { LONGEST = 400 }; /* longer texts are damaged in fewer places */

static const js_options modes[] = {
    {.goal = JS_ASYNC_BODY},
    {.goal = JS_SCRIPT},
    {.goal = JS_ASYNC_BODY, .typescript = true, .modules = true},
};

typedef struct count {
	size_t texts, parses, trees, wrong;
} count;

static void
complain(count *c, const char *what, text source, text written)
{
	if (c->wrong++ < 20)
		printf("---- %s\n%.*s\n=>\n%.*s\n", what, TEXT_ARG(source),
		    TEXT_ARG(written));
}

/* The tree, written, gives the same tree. */
static void
check_written(count *c, const parsed *p, js_options mode)
{
	buf out = BUF_INIT(NULL, p->tree.text.len * 20 + 1000);
	const js_node *where;
	parsed q;

	mode.typescript = false;
	js_write(&p->tree, &out);
	parsed_init(&q, buf_view(&out), &mode);
	if (!parsed_ok(&q))
		complain(
		    c, "written, is refused", p->tree.text, buf_view(&out));
	else if (!js_same(&p->tree, &q.tree, &where))
		complain(
		    c, "written, is another", p->tree.text, buf_view(&out));
	parsed_fini(&q);
	buf_fini(&out);
}

/* The tree without its types is the tree. */
static void
check_blank(count *c, const parsed *p, js_options mode)
{
	buf out = BUF_INIT(NULL, p->tree.text.len + 1000);
	const js_node *where;
	parsed q;

	mode.typescript = false;
	js_blank_types(&p->tree, &out);
	must(out.len == p->tree.text.len);
	parsed_init(&q, buf_view(&out), &mode);
	if (!parsed_ok(&q))
		complain(
		    c, "blanked, is refused", p->tree.text, buf_view(&out));
	else if (!js_same(&p->tree, &q.tree, &where))
		complain(
		    c, "blanked, is another", p->tree.text, buf_view(&out));
	parsed_fini(&q);
	buf_fini(&out);
}

/* Only every so many places are damaged. */
static size_t every = 1;

static void
try_mode(count *c, text source, const js_options *mode)
{
	buf out = BUF_INIT(NULL, source.len * 60 + 1000);
	parsed p;

	parsed_init(&p, source, mode);
	c->parses++;
	if (parsed_ok(&p)) {
		c->trees++;
		js_print(&p.tree, &out);
		must(out.bad == CM_OK);
		check_written(c, &p, *mode);
		if (mode->typescript)
			check_blank(c, &p, *mode);
	}
	buf_fini(&out);
	parsed_fini(&p);
}

static void
try_all(count *c, text source)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		try_mode(c, source, &modes[i]);
}

static void
change_bytes(count *c, text source)
{
	static const char bytes[] =
	    "\0\n a0({[)}]\"'`/\\<>=:;?!.,*+-#@$\x80\xe2";
	char *copy = malloc(source.len);
	size_t step = (source.len / LONGEST + 1) * every;

	must(copy);
	for (size_t i = 0; i < source.len; i += step) {
		memcpy(copy, source.ptr, source.len);
		copy[i] = bytes[(i + source.len) % (sizeof(bytes) - 1)];
		try_all(c, (text){copy, source.len});
		copy[i] = bytes[(i * 7 + 3) % (sizeof(bytes) - 1)];
		try_all(c, (text){copy, source.len});
	}
	free(copy);
}

static void
damage(count *c, text source)
{
	size_t step = (source.len / LONGEST + 1) * every;

	c->texts++;
	try_all(c, source);
	for (size_t i = 0; i < source.len; i += step)
		try_all(c, text_sub(source, 0, i));
	if (source.len)
		change_bytes(c, source);
}

static void
damage_file(count *c, const char *path)
{
	text all = file_read(path), rest = all;
	size_t end;

	while ((end = text_find(rest, (text){"", 1}, 0)) != SIZE_MAX) {
		damage(c, text_sub(rest, 0, end));
		rest = text_sub(rest, end + 1, SIZE_MAX);
	}
	if (rest.len)
		damage(c, rest);
	free((char *)(uintptr_t)all.ptr);
}

static void
damage_folder(count *c, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	char file[1024];

	if (!dir) {
		perror(path);
		exit(2);
	}
	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, e->d_name);
		damage_file(c, file);
	}
	closedir(dir);
}

int
main(int argc, char **argv)
{
	count c = {0};
	struct stat st;

	if (argc > 2 && strcmp(argv[1], "--every") == 0) {
		every = strtoul(argv[2], NULL, 10);
		argv += 2;
		argc -= 2;
	}
	must(every > 0);
	for (int i = 1; i < argc; i++) {
		if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
			damage_folder(&c, argv[i]);
		else
			damage_file(&c, argv[i]);
	}
	printf("damage: %zu texts, %zu parses, %zu trees, %zu wrong\n", c.texts,
	    c.parses, c.trees, c.wrong);
	return c.wrong > 0 || c.texts == 0;
}
