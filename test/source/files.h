/* SPDX-License-Identifier: MIT */
/*
 * files.h -- what the tests of the parser share: files, folders, a parse.
 */
#ifndef TEST_SOURCE_FILES_H
#define TEST_SOURCE_FILES_H

#include <codemode/check.h>

#include "source/js.h"

#include <stdio.h>
#include <stdlib.h>

/* The whole file, NUL behind it; free() it. Exits when it cannot be read. */
static inline text
file_read(const char *path)
{
	FILE *f = fopen(path, "rb");
	long size;
	char *p;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 ||
	    fseek(f, 0, SEEK_SET) || !(p = malloc((size_t)size + 1)) ||
	    fread(p, 1, (size_t)size, f) != (size_t)size) {
		perror(path);
		exit(2);
	}
	fclose(f);
	p[size] = 0;
	return (text){p, (size_t)size};
}

/* A parse and the arena that it lives in. */
typedef struct parsed {
	arena memory;
	js_tree tree;
} parsed;

static inline void
parsed_init(parsed *p, text script, const js_options *o)
{
	cm_status r;

	p->memory = ARENA_INIT(NULL, (size_t)1 << 30);
	r = js_parse(script, o, &p->memory, &p->tree);

	must(r == CM_OK || r == CM_EINPUT);
}

static inline void
parsed_fini(parsed *p)
{
	arena_fini(&p->memory);
}

static inline bool
parsed_ok(const parsed *p)
{
	return p->tree.root != NULL && p->tree.error_count == 0;
}

/* Does the engine compile it, too? As the body of a function, which may return,
 * and where await is a word. */
static inline bool
source_compiles(text script)
{
	cm_check *check;
	cm_problem p;
	bool good = true;

	must(cm_source_check(NULL, script, CM_RUN_RAW, &check) == CM_OK);
	for (size_t i = 0; cm_check_problem(check, i, &p) == CM_OK; i++)
		good = good && !text_eq(p.code, TEXT("SyntaxError"));
	cm_check_free(check);
	return good;
}

#endif
