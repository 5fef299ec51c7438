/* SPDX-License-Identifier: MIT */
/*
 * escape.c -- runs attacks, one script a file, and a clean script after each.
 *
 *	escape FILE...
 *
 * The first line of a file names the fence that must stop it. What must come
 * out stands in the script as in a golden one (test/script/README.md), with a
 * few marks more (README.md here). Four things hold for every attack: it ends
 * not later than its deadline says, this process has not grown beyond bounds,
 * no descriptor is left, and a clean script that runs next, in this thread,
 * answers what it answered before there was any attack.
 */
#define _GNU_SOURCE
#include "../script/expect.h"
#include "../self.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	/* Past the deadline. A script that nothing stops computes for hours,
	 * and a busy machine must not be taken for one. */
	PATIENCE_MS = 60000,
	/* What a host may grow to: the script's heap at its default limit, its
	 * output as JSON, and the arguments of calls that wait. */
	HOST_MAX_MB = 1500
};

static const char *const fences[] = {"wall", "engine", "lockdown",
    "environment", "gate", "limits", "clock", "process"};

/* A bit of everything that an attack might have left different. */
static const char clean_script[] =
    "const seen = [];\n"
    "for (const k of Reflect.ownKeys(globalThis)) {\n"
    "  const v = globalThis[k];\n"
    "  const p = typeof v === 'function' && v.prototype || v;\n"
    "  seen.push(String(k), p === Object(p) ? Reflect.ownKeys(p).length : 0);\n"
    "}\n"
    "const late = [];\n"
    "setTimeout(() => late.push('timer'), 1);\n"
    "text({ a: [1, new Map([['k', 1]])] });\n"
    "console.log('said', [1, { b: 2 }]);\n"
    "const c = new AbortController();\n"
    "const p = tools.hang(1, { signal: c.signal }).catch((e) => e.name);\n"
    "await codemode.sleep(2);\n"
    "c.abort();\n"
    "let told;\n"
    "try { await tools.fail({ message: 'm' }); } catch (e) { told = [e.stack, "
    "e.tool, e.message]; }\n"
    "store('k', { n: 1 });\n"
    "return [seen, late, told, await p, load('before'), load('k'),\n"
    "  await Promise.all([tools.echo('x'), tools.add({ a: 1, b: 2 })]),\n"
    "  'aXbX'.replace(/x/gi, '-'), [3, 1, 2].sort(), new Date(0).toJSON(),\n"
    "  JSON.stringify({ u: undefined, d: new Date(0) }), 2n ** 70n + '',\n"
    "  Object.getOwnPropertyNames(Object.prototype).join(),\n"
    "  Reflect.ownKeys(tools), ALL_TOOLS.length, typeof "
    "Error.stackTraceLimit,\n"
    "  performance.now() < 5000]";

/* ------------------------------------------------------------ this process */

static void
forget_peak(void)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "5", 1);
	close(fd);
}

/* --------------------------------------------------------- the clean script */

/* What it came to, as bytes that are the same each time. */
static void
clean_run(buf *out)
{
	static const char *const parts[] = {
	    "ok", "value", "output", "storeWrites", "warnings", "error"};
	json options = TEXT("{\"store\":{\"before\":[1]}}");
	host_end end;

	buf_clear(out);
	if (host_run(text_of(clean_script), options, &end) != CM_OK)
		buf_str(out, "the library failed");
	else if (end.broken != NULL)
		buf_str(out, end.broken);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		buf_str(out, "\n");
		buf_text(out, json_get(end.result, text_of(parts[i])));
	}
	host_end_fini(&end);
}

/* ------------------------------------------------------------------- marks */

static bool
has_word(text words, text word)
{
	while (words.len > 0) {
		size_t at = text_find(words, TEXT(" "), 0);

		if (text_eq(text_sub(words, 0, at), word))
			return true;
		words = at == SIZE_MAX ? TEXT_NONE
				       : text_sub(words, at + 1, SIZE_MAX);
	}
	return false;
}

/* "// kind-of: ok script": any of these ends will do. */
static void
want_kind_of(script *s, text words)
{
	json kind = json_path(s->end.result, "error", "kind", NULL);
	text got = kind.len > 2 ? text_sub(kind, 1, kind.len - 1) : TEXT("ok");

	s->judged = true;
	if (!has_word(words, got))
		failed(s, "how it ended", words, s->end.result);
}

/* "// warnings: any", or how many there are at most. */
static void
want_warnings(script *s, text most)
{
	json all = json_get(s->end.result, TEXT("warnings"));
	int64_t n = 0;

	s->warned = json_len(all);
	if (text_eq(most, TEXT("any")))
		return;
	if (!json_int(most, &n) || s->warned > (size_t)n)
		failed(s, "number of warnings", most, all);
}

/* "// hides: word": the whole result does not contain it. */
static void
want_hidden(script *s, text word)
{
	json copy = s->end.result;

	if (text_find(copy, word, 0) != SIZE_MAX)
		failed(s, "must not be told", word, copy);
}

static void
own_marks(script *s, text lines)
{
	static const struct {
		const char *begin;
		void (*act)(script *, text);
	} marks[] = {
	    {"// kind-of: ", want_kind_of},
	    {"// warnings: ", want_warnings},
	    {"// hides: ", want_hidden},
	};
	text line;

	while (text_line(&lines, &line))
		for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
			text begin = text_of(marks[i].begin);

			if (text_starts(line, begin))
				marks[i].act(
				    s, text_sub(line, begin.len, SIZE_MAX));
		}
}

/* ------------------------------------------------------------------ attacks */

static uint64_t
deadline_of(json options)
{
	int64_t ms = HOST_WALL_MS;

	json_int(json_path(options, "limits", "wall_ms", NULL), &ms);
	return (uint64_t)ms;
}

static void
names_fence(script *s, text lines)
{
	text begin = TEXT("// fence: "), line = TEXT_NONE;
	size_t i, n = sizeof(fences) / sizeof(fences[0]);

	text_line(&lines, &line);
	line = text_starts(line, begin) ? text_sub(line, begin.len, SIZE_MAX)
					: TEXT_NONE;
	line = text_sub(line, 0, text_find(line, TEXT(" -- "), 0));
	for (i = 0; i < n && !text_eq(line, text_of(fences[i])); i++)
		;
	if (i == n)
		failed(s, "the first line names a fence", TEXT("// fence: "),
		    line);
}

static void
want_bounds(script *s, unsigned fds_before)
{
	uint64_t most = deadline_of(s->options) + PATIENCE_MS;
	char got[64];

	snprintf(got, sizeof(got), "%" PRIu64 " ms", s->end.ms);
	if (s->end.ms > most ||
	    (s->may_take > 0 && s->end.ms > s->may_take + PATIENCE_MS))
		failed(s, "it ends by its deadline", TEXT_NONE, text_of(got));
	snprintf(got, sizeof(got), "%u MB", peak_mb());
#if !defined(__SANITIZE_ADDRESS__)
	if (peak_mb() > HOST_MAX_MB)
		failed(
		    s, "the host's memory is bounded", TEXT_NONE, text_of(got));
#endif
	snprintf(
	    got, sizeof(got), "%u instead of %u", descriptors(), fds_before);
	if (descriptors() > fds_before)
		failed(s, "no descriptor is left", TEXT_NONE, text_of(got));
}

static void
attack(script *s)
{
	text lines = s->source;
	unsigned fds = descriptors();
	cm_status r;

	s->own_source = BUF_INIT(NULL, FILE_MAX);
	names_fence(s, lines);
	each_mark(s, lines, false);

	forget_peak();
	r = host_run(s->source, s->options, &s->end);
	if (r == CM_OK) {
		each_mark(s, lines, true);
		own_marks(s, lines);
		want_silence(s);
	} else {
		failed(s, "the library failed", TEXT("CM_OK"),
		    text_of(cm_status_name(r)));
	}
	want_bounds(s, fds);
	host_end_fini(&s->end);
	buf_fini(&s->own_source);
}

static bool
file_read(const char *path, buf *all)
{
	FILE *f = fopen(path, "rb");
	char block[65536];
	size_t n;

	if (f == NULL)
		return false;
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		buf_add(all, block, n);
	fclose(f);
	return all->bad == CM_OK;
}

static bool
file_passes(const char *path, const buf *clean)
{
	script s = {.file = text_of(path), .line = 1, .name = text_of(path)};
	buf all = BUF_INIT(NULL, FILE_MAX), now = BUF_INIT(NULL, FILE_MAX);

	if (!file_read(path, &all)) {
		printf("%s: cannot be read\n", path);
		return false;
	}
	s.source = buf_view(&all);
	if (left_out_here(s.source)) {
		buf_fini(&all);
		return true;
	}
	attack(&s);
	clean_run(&now);
	if (!text_eq(buf_view(&now), buf_view(clean)))
		failed(&s, "a clean script afterwards", buf_view(clean),
		    buf_view(&now));
	buf_fini(&now);
	buf_fini(&all);
	return s.failures == 0;
}

int
main(int argc, char **argv)
{
	buf clean = BUF_INIT(NULL, FILE_MAX), again = BUF_INIT(NULL, FILE_MAX);
	int failures = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	clean_run(&clean);
	clean_run(&again); /* what the first run of a process opens stays */
	if (!text_eq(buf_view(&clean), buf_view(&again)) ||
	    !text_starts(buf_view(&clean), TEXT("\ntrue"))) {
		printf("the clean script is not: %.*s\n%.*s\n",
		    TEXT_ARG(buf_view(&clean)), TEXT_ARG(buf_view(&again)));
		return EXIT_FAILURE;
	}
	for (int i = 1; i < argc; i++)
		failures += !file_passes(argv[i], &clean);
	printf("%d attacks, %d of them had an effect\n", argc - 1, failures);
	buf_fini(&again);
	buf_fini(&clean);
	return failures > 0 || argc < 2 ? EXIT_FAILURE : EXIT_SUCCESS;
}
