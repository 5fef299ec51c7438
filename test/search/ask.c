/* SPDX-License-Identifier: MIT */
/*
 * ask.c -- asks an index of tools.
 *
 *	search_ask FILE [TIMES]
 *
 * FILE is JSON: {"tools": [{space, name, description, input, reads}],
 * "questions": [...]}. Prints a line for each question: the numbers of the hits,
 * best first. With TIMES also, as the last line, the milliseconds of CPU time
 * that the index and a question took: the least of so many.
 */
#include "base/arena.h"
#include "base/json.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { HITS = 10, FILE_MAX = 256 << 20 };

typedef struct tools {
	search_doc *doc;
	size_t len, cap;
} tools;

static arena kept = {.max = SIZE_MAX / 2};

/* Moves the bytes of b to what lives as long as the program. */
static text
keep_bytes(buf *b)
{
	size_t n = b->len;
	char *p = arena_take(&kept, n + 1);

	must(b->bad == CM_OK && p != NULL);
	memcpy(p, n ? b->ptr : "", n);
	buf_fini(b);
	return (text){p, n};
}

static text
string_of(json v)
{
	buf b = BUF_INIT(NULL, FILE_MAX);

	json_unescape(v, &b);
	return keep_bytes(&b);
}

static text
read_file(const char *path)
{
	buf b = BUF_INIT(NULL, FILE_MAX);
	char part[65536];
	FILE *f = fopen(path, "rb");
	size_t n;

	must(f != NULL);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&b, part, n);
	fclose(f);
	return keep_bytes(&b);
}

static void
read_tools(json list, tools *t)
{
	json_iter it = json_each(list);
	json v;

	while (json_next(&it, NULL, &v)) {
		must(mem_grow(
		    NULL, (void **)&t->doc, &t->cap, t->len, sizeof(*t->doc)));
		t->doc[t->len++] = (search_doc){
		    .space = string_of(json_get(v, TEXT("space"))),
		    .name = string_of(json_get(v, TEXT("name"))),
		    .description = string_of(json_get(v, TEXT("description"))),
		    .input = json_get(v, TEXT("input")),
		    .reads = json_bool(json_get(v, TEXT("reads")), false)};
	}
}

static search_doc
doc_at(const void *docs, size_t i)
{
	const tools *t = docs;

	return t->doc[i];
}

static search_index *
index_of(const tools *t)
{
	search_index *s = NULL;

	must(search_new(NULL, doc_at, t, t->len, &s) == CM_OK);
	return s;
}

static void
print_answers(const search_index *s, const tools *t, json questions)
{
	json_iter it = json_each(questions);
	search_hit hit[HITS];
	size_t found;
	json v;

	while (json_next(&it, NULL, &v)) {
		must(search_query(s, string_of(v), 0, t->len, hit, HITS,
			 &found) == CM_OK);
		for (size_t i = 0; i < found; i++)
			printf("%s%u", i > 0 ? " " : "", hit[i].doc);
		puts("");
	}
}

static double
cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double
time_index(const tools *t)
{
	double from = cpu_ms(), ms;
	search_index *s = index_of(t);

	ms = cpu_ms() - from;
	search_free(s);
	return ms;
}

static double
time_question(const search_index *s, const tools *t, json questions)
{
	size_t n = json_len(questions), found;
	text *asked = calloc(n, sizeof(*asked));
	json_iter it = json_each(questions);
	search_hit hit[HITS];
	double from;
	json v;

	for (size_t i = 0; json_next(&it, NULL, &v); i++)
		asked[i] = string_of(v);
	from = cpu_ms();
	for (size_t i = 0; i < n; i++)
		must(search_query(s, asked[i], 0, t->len, hit, HITS, &found) ==
		     CM_OK);
	from = cpu_ms() - from;
	free(asked);
	return from / (double)n;
}

static void
print_times(const search_index *s, const tools *t, json questions, int times)
{
	double index = 1e9, question = 1e9, ms;

	while (times-- > 0) {
		if ((ms = time_index(t)) < index)
			index = ms;
		if ((ms = time_question(s, t, questions)) < question)
			question = ms;
	}
	printf("%.3f %.5f\n", index, question);
}

int
main(int argc, char **argv)
{
	tools t = {NULL, 0, 0};
	json all, questions;
	search_index *s;

	must(argc > 1);
	must(json_check(read_file(argv[1]), JSON_DEPTH, &all, NULL));
	read_tools(json_get(all, TEXT("tools")), &t);
	questions = json_get(all, TEXT("questions"));
	s = index_of(&t);
	print_answers(s, &t, questions);
	if (argc > 2)
		print_times(s, &t, questions, atoi(argv[2]));
	search_free(s);
	mem_free(NULL, t.doc, t.cap * sizeof(*t.doc));
	arena_fini(&kept);
	return 0;
}
