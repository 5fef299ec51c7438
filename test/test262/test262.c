/* SPDX-License-Identifier: MIT */
/*
 * test262.c -- runs the tests of ECMAScript's own suite as scripts.
 *
 *	test262 [-e] [-n COUNT] [-j JOBS] [-f FILE] [-c MORE] CLAIMS KNOWN DIR
 *
 * DIR is a checkout of tc39/test262. Each test is joined with the harness files
 * that it names and runs inline, as the body of an async function like any
 * script. CLAIMS (claims.conf) says which tests are claimed to pass, KNOWN
 * (known.txt) lists claimed ones that are known to fail. Prints how many passed
 * and how many failed for which reason.
 *
 *	-e        runs them on the evaluator
 *	-c MORE   a file with further lines of CLAIMS
 *	-n COUNT  runs a sample of that many of the claimed tests, evenly spread
 *	-j JOBS   runs in that many processes
 *	-f FILE   writes the paths of all that failed to FILE
 *
 * Exit status: 0, or 1 when a test failed that is not listed, or a listed one
 * passed; 77 when DIR has no tests.
 */
#include "base/buf.h"
#include "base/map.h"

#include <codemode/codemode.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOURCE_MAX  (8u << 20)
#define RULES_MAX   400
#define REASONS_MAX 200
#define SHOWN_MAX   40
#define JOBS_MAX    64

/* A line of CLAIMS: KIND WORD REASON. */
typedef struct rule {
	text kind, word, reason;
} rule;

typedef struct reason {
	text name;
	unsigned count;
} reason;

typedef struct suite {
	text dir;
	rule rule[RULES_MAX];
	size_t rules;
	map known, harness;
	buf harness_file[512];
	unsigned harness_files;
	reason failed[REASONS_MAX], left_out[REASONS_MAX];
	unsigned passed, known_failed, fresh, mended;
	FILE *failures;
	bool evaluator;
} suite;

/* A test and its front matter. */
typedef struct test {
	text path; /* below DIR/test */
	text source, front;
} test;

static text *paths;
static size_t paths_len, paths_cap;

static void
die(const char *what, const char *which)
{
	fprintf(stderr, "test262: %s: %s\n", what, which);
	exit(2);
}

static text
copy_of(text t)
{
	char *p = malloc(t.len + 1);

	if (p == NULL)
		die("out of memory", "paths");
	memcpy(p, t.ptr, t.len);
	p[t.len] = 0;
	return (text){p, t.len};
}

static bool
read_whole(const char *path, buf *out)
{
	char piece[65536];
	FILE *f = fopen(path, "r");
	size_t n;

	if (f == NULL)
		return false;
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(out, piece, n);
	fclose(f);
	return out->bad == CM_OK;
}

/* ------------------------------------------------------- lists of the user */

static text
first_word(text *rest)
{
	size_t n = 0;
	text word;

	*rest = text_trim(*rest);
	while (n < rest->len && rest->ptr[n] != ' ' && rest->ptr[n] != '\t')
		n++;
	word = text_sub(*rest, 0, n);
	*rest = text_trim(text_sub(*rest, n, rest->len));
	return word;
}

static void
read_claims(suite *s, const char *path)
{
	static buf file;
	text rest, line;

	file = BUF_INIT(NULL, 1u << 20);
	if (!read_whole(path, &file))
		die("cannot read", path);
	for (rest = buf_view(&file); text_line(&rest, &line);) {
		rule r;

		line = text_trim(line);
		if (line.len == 0 || line.ptr[0] == '#')
			continue;
		r.kind = first_word(&line);
		r.word = first_word(&line);
		r.reason = line;
		if (s->rules == RULES_MAX)
			die("too many lines", path);
		s->rule[s->rules++] = r;
	}
}

static void
read_known(suite *s, const char *path)
{
	static buf file;
	text rest, line;

	file = BUF_INIT(NULL, 8u << 20);
	if (!read_whole(path, &file))
		die("cannot read", path);
	for (rest = buf_view(&file); text_line(&rest, &line);)
		if (line.len > 0 && line.ptr[0] != '#')
			map_set(&s->known, text_trim(line), 1);
}

static void
count_reason(reason *list, text name)
{
	size_t i = 0;

	while (i < REASONS_MAX - 1 && list[i].count > 0 &&
	       !text_eq(list[i].name, name))
		i++;
	list[i].name = name;
	list[i].count++;
}

/* ------------------------------------------------------------ front matter */

/* The text behind "KEY:" up to the next key. */
static text
front_value(const test *t, const char *key)
{
	text rest = t->front, line;
	const char *from = NULL;
	size_t len = strlen(key);

	while (text_line(&rest, &line)) {
		bool is_key = line.len > 0 && line.ptr[0] != ' ' &&
			      line.ptr[0] != '\t' && line.ptr[0] != '-';

		if (from != NULL && is_key)
			return (text){from, (size_t)(line.ptr - from)};
		if (is_key && text_starts(line, text_of(key)) &&
		    line.len > len && line.ptr[len] == ':')
			from = line.ptr + len + 1;
	}
	return from == NULL
		   ? TEXT_NONE
		   : (text){from, (size_t)(t->front.ptr + t->front.len - from)};
}

/* The next word of a list in either notation of YAML. */
static bool
next_item(text *list, text *item)
{
	static const char between[] = "[],\n\r \t";
	size_t from = 0, to;

	while (from < list->len &&
	       (memchr(between, list->ptr[from], 7) ||
		   (list->ptr[from] == '-' && from + 1 < list->len &&
		       list->ptr[from + 1] == ' ')))
		from++;
	for (to = from; to < list->len && !memchr(between, list->ptr[to], 7);)
		to++;
	*item = text_sub(*list, from, to);
	*list = text_sub(*list, to, list->len);
	return item->len > 0;
}

static bool
front_has(const test *t, const char *key, text word)
{
	text list = front_value(t, key), item;

	while (next_item(&list, &item))
		if (text_eq(item, word))
			return true;
	return false;
}

static text
negative_part(const test *t, const char *key)
{
	text list = front_value(t, "negative"), item;

	while (next_item(&list, &item))
		if (text_eq(item, text_of(key)) && next_item(&list, &item))
			return item;
	return TEXT_NONE;
}

static void
read_front(test *t)
{
	size_t from = text_find(t->source, TEXT("/*---"), 0);
	size_t to = text_find(t->source, TEXT("---*/"), 0);

	t->front = from < to && to < t->source.len
		       ? text_sub(t->source, from + 5, to)
		       : TEXT_NONE;
}

/* ----------------------------------------------------------------- claims */

static bool
rule_matches(const rule *r, const test *t)
{
	if (text_eq(r->kind, TEXT("path")))
		return text_starts(t->path, r->word);
	if (text_eq(r->kind, TEXT("flag")))
		return front_has(t, "flags", r->word);
	if (text_eq(r->kind, TEXT("feature")))
		return front_has(t, "features", r->word);
	if (text_eq(r->kind, TEXT("include")))
		return front_has(t, "includes", r->word);
	if (text_eq(r->kind, TEXT("word")))
		return text_find(t->source, r->word, 0) != SIZE_MAX;
	die("a line begins with an unknown word", "CLAIMS");
	return false;
}

/* Why the test is not claimed; NULL: it is. */
static const rule *
left_out_by(const suite *s, const test *t)
{
	size_t i;

	for (i = 0; i < s->rules; i++)
		if (rule_matches(&s->rule[i], t))
			return &s->rule[i];
	return NULL;
}

/* ------------------------------------------------------------ running one */

static text
harness_text(suite *s, text name)
{
	uint32_t at = map_get(&s->harness, name);
	char path[4096];
	buf *file;

	if (at == MAP_NONE) {
		if (s->harness_files == 512)
			die("too many harness files", "harness");
		at = s->harness_files++;
		file = &s->harness_file[at];
		*file = BUF_INIT(NULL, 1u << 20);
		snprintf(path, sizeof(path), "%.*s/harness/%.*s",
		    TEXT_ARG(s->dir), TEXT_ARG(name));
		if (!read_whole(path, file))
			die("cannot read", path);
		map_set(&s->harness, copy_of(name), at);
	}
	return buf_view(&s->harness_file[at]);
}

/* $DONE resolves what the end of the script awaits. */
static const char done_head[] =
    "var $ended = Promise.withResolvers();\n"
    "function $DONE(error) { if (error) $ended.reject(error); "
    "else $ended.resolve(); }\n";
static const char done_tail[] = "\nawait $ended.promise;\n";

static void
join_source(suite *s, const test *t, buf *out)
{
	bool async = front_has(t, "flags", TEXT("async"));
	text list = front_value(t, "includes"), item;

	buf_clear(out);
	if (front_has(t, "flags", TEXT("onlyStrict")))
		buf_str(out, "\"use strict\";\n");
	buf_text(out, harness_text(s, TEXT("assert.js")));
	buf_text(out, harness_text(s, TEXT("sta.js")));
	if (async)
		buf_str(out, done_head);
	while (next_item(&list, &item))
		if (!text_eq(item, TEXT("doneprintHandle.js")))
			buf_text(out, harness_text(s, item));
	buf_text(out, t->source);
	if (async)
		buf_str(out, done_tail);
}

static text
end_reason(const cm_done *d)
{
	static char name[100];

	switch (d->end) {
	case CM_END_OK:
		return TEXT_NONE;
	case CM_END_TIMEOUT:
		return TEXT("timed out");
	case CM_END_SANDBOX:
		return TEXT("the sandbox broke");
	default:
		snprintf(name, sizeof(name), "%.*s", TEXT_ARG(d->fault.name));
		return text_of(name);
	}
}

/* Empty: the test passed. Otherwise why not; static or the allocator's. */
static text
judge(const test *t, const cm_done *d)
{
	text wanted = negative_part(t, "type:"), got = end_reason(d);
	bool parse = text_eq(negative_part(t, "phase:"), TEXT("parse"));

	if (wanted.len == 0)
		return got;
	if (got.len == 0)
		return parse ? TEXT("ran, though it should not parse")
			     : TEXT("ended well, though it should throw");
	return text_eq(got, wanted) ? TEXT_NONE
				    : TEXT("failed with another error");
}

static text
run_test(suite *s, const test *t)
{
	static buf source;
	cm_run_options o = CM_RUN_OPTIONS_INIT;
	cm_driver driver = {0};
	cm_done done;
	cm_run *run;
	text why;
	static char kept[100];

	if (source.max == 0)
		source = BUF_INIT(NULL, SOURCE_MAX);
	join_source(s, t, &source);
	o.flags = CM_RUN_RAW | (s->evaluator ? CM_RUN_EVALUATOR : 0u);
	o.limits.source = SOURCE_MAX;
	o.limits.polls = 20000;
	o.limits.wall_ms = 60000;
	if (cm_run_new(NULL, buf_view(&source), &o, &run) != CM_OK)
		return TEXT("is no UTF-8");
	if (cm_run_drive(run, &driver, &done) != CM_OK)
		die("out of memory", "run");
	why = judge(t, &done);
	snprintf(kept, sizeof(kept), "%.*s", TEXT_ARG(why));
	if (getenv("TEST262_SHOW") != NULL && why.len > 0)
		printf("%.*s: %.*s: %.*s\n", TEXT_ARG(t->path), TEXT_ARG(why),
		    TEXT_ARG(done.fault.message));
	cm_run_free(run);
	return text_of(kept);
}

/* --------------------------------------------------------------- the suite */

static size_t root_len;

static int
add_path(const char *path, const struct stat *st, int flag, struct FTW *at)
{
	text t = text_of(path);

	(void)st, (void)at;
	if (flag != FTW_F || !text_ends(t, TEXT(".js")) ||
	    text_ends(t, TEXT("_FIXTURE.js")))
		return 0;
	if (paths_len == paths_cap) {
		paths_cap = paths_cap * 2 + 1024;
		paths = realloc(paths, paths_cap * sizeof(*paths));
		if (paths == NULL)
			die("out of memory", "paths");
	}
	paths[paths_len++] = copy_of(text_sub(t, root_len, t.len));
	return 0;
}

static int
by_path(const void *a, const void *b)
{
	return text_cmp(*(const text *)a, *(const text *)b);
}

static void
find_tests(suite *s)
{
	char root[4096];

	snprintf(root, sizeof(root), "%.*s/test/", TEXT_ARG(s->dir));
	root_len = strlen(root);
	nftw(root, add_path, 32, FTW_PHYS);
	if (paths_len == 0) {
		printf("test262: skipped, there are no tests in %s\n", root);
		exit(77);
	}
	qsort(paths, paths_len, sizeof(*paths), by_path);
}

static void
load_test(suite *s, text path, test *t)
{
	static buf file;
	char name[4096];

	file.len = 0;
	if (file.max == 0)
		file = BUF_INIT(NULL, SOURCE_MAX);
	snprintf(name, sizeof(name), "%.*s/test/%.*s", TEXT_ARG(s->dir),
	    TEXT_ARG(path));
	if (!read_whole(name, &file))
		die("cannot read", name);
	*t = (test){.path = path, .source = buf_view(&file)};
	read_front(t);
}

static void
note_result(suite *s, text path, text why)
{
	bool listed = map_get(&s->known, path) != MAP_NONE;

	if (why.len == 0) {
		s->passed++;
		if (listed && s->mended++ < SHOWN_MAX)
			printf("passes, though known.txt lists it: %.*s\n",
			    TEXT_ARG(path));
		return;
	}
	count_reason(s->failed, copy_of(why));
	if (s->failures != NULL)
		fprintf(s->failures, "%.*s\n", TEXT_ARG(path));
	if (listed)
		s->known_failed++;
	else if (s->fresh++ < SHOWN_MAX)
		printf("fails: %.*s: %.*s\n", TEXT_ARG(path), TEXT_ARG(why));
}

/* Keeps the claimed tests, or an evenly spread sample of them, in paths. */
static void
choose_tests(suite *s, size_t sample)
{
	size_t i, claimed = 0;
	const rule *out;
	test t;

	for (i = 0; i < paths_len; i++) {
		load_test(s, paths[i], &t);
		if ((out = left_out_by(s, &t)) != NULL)
			count_reason(s->left_out, out->reason);
		else
			paths[claimed++] = paths[i];
	}
	if (sample == 0 || sample > claimed)
		sample = claimed;
	for (i = 0; i < sample; i++)
		paths[i] = paths[i * claimed / sample];
	paths_len = sample;
}

/* A child: runs every test whose number is `part` modulo `parts`, and writes a
 * line for each. */
static void
run_part(suite *s, size_t part, size_t parts, FILE *results)
{
	size_t i;
	test t;

	for (i = part; i < paths_len; i += parts) {
		text why;

		load_test(s, paths[i], &t);
		why = run_test(s, &t);
		fprintf(
		    results, "%.*s\t%.*s\n", TEXT_ARG(paths[i]), TEXT_ARG(why));
	}
	if (fclose(results) != 0)
		_exit(2);
	_exit(0);
}

static void
note_results(suite *s, FILE *results)
{
	char line[8192], *why;

	rewind(results);
	while (fgets(line, sizeof(line), results) != NULL) {
		line[strcspn(line, "\n")] = 0;
		why = strchr(line, '\t');
		*why++ = 0;
		note_result(s, copy_of(text_of(line)), text_of(why));
	}
	fclose(results);
}

static void
run_suite(suite *s, size_t jobs)
{
	FILE *results[JOBS_MAX];
	int status;
	size_t i;

	fflush(stdout);
	for (i = 0; i < jobs; i++) {
		if ((results[i] = tmpfile()) == NULL)
			die("cannot make", "a temporary file");
		if (fork() == 0)
			run_part(s, i, jobs, results[i]);
	}
	while (wait(&status) > 0)
		if (status != 0)
			die("a process", "died");
	for (i = 0; i < jobs; i++)
		note_results(s, results[i]);
}

static void
print_reasons(const char *title, const reason *list)
{
	size_t i;

	for (i = 0; i < REASONS_MAX && list[i].count > 0; i++)
		printf("%s%8u  %.*s\n", i == 0 ? title : "", list[i].count,
		    TEXT_ARG(list[i].name));
}

static int
report(const suite *s)
{
	print_reasons("not claimed:\n", s->left_out);
	print_reasons("failed:\n", s->failed);
	printf("test262: %u passed, %u failed as known, %u failed anew, %u "
	       "listed ones passed\n",
	    s->passed, s->known_failed, s->fresh, s->mended);
	return s->fresh > 0 || s->mended > 0;
}

int
main(int argc, char **argv)
{
	static suite s;
	size_t sample = 0, jobs = 1;
	int c;

	while ((c = getopt(argc, argv, "en:j:f:c:")) != -1)
		if (c == 'n')
			sample = strtoul(optarg, NULL, 10);
		else if (c == 'j')
			jobs = strtoul(optarg, NULL, 10);
		else if (c == 'e')
			s.evaluator = true;
		else if (c == 'c')
			read_claims(&s, optarg);
		else if (c != 'f' || (s.failures = fopen(optarg, "w")) == NULL)
			die("bad option", argv[optind - 1]);
	if (argc - optind != 3 || jobs < 1 || jobs > JOBS_MAX)
		die("usage",
		    "test262 [-e] [-n COUNT] [-j JOBS] [-f FILE] [-c MORE] "
		    "CLAIMS KNOWN DIR");
	s.known = s.harness = MAP_INIT(NULL);
	read_claims(&s, argv[optind]);
	read_known(&s, argv[optind + 1]);
	s.dir = text_of(argv[optind + 2]);
	find_tests(&s);
	choose_tests(&s, sample);
	run_suite(&s, jobs);
	return report(&s);
}
