/* SPDX-License-Identifier: MIT */
/*
 * damage.c -- every prefix of every script of FILE.cases..., and every script
 * with one byte changed, through the whole front end.
 *
 * What comes out must keep the laws: the engine's text parses as plain
 * JavaScript, has the lines of the text given, and stays as it is when it is
 * prepared again. Checks and explanations of whatever place must end. Run it
 * under the address and undefined-behaviour sanitizers.
 */
#include "../cases.h"
#include "source/explain.h"

typedef struct count {
	size_t texts, scripts, wrong;
} count;

static const char *const words[] = {"not a function", "value is not iterable",
    "cannot read property 'a' of undefined", "a is not defined",
    "Cannot convert undefined or null to object", "'a' is read-only",
    "a is not initialized", "circular reference", "empty array"};

static void
complain(count *c, const char *what, text given, text got)
{
	if (c->wrong++ < 10)
		printf("---- %s\n%.*s\n=>\n%.*s\n", what, TEXT_ARG(given),
		    TEXT_ARG(got));
}

static size_t
lines_of(text t)
{
	size_t n = 0;

	for (size_t i = 0; i < t.len; i++)
		n += t.ptr[i] == '\n';
	return n;
}

static bool
parses(text code)
{
	static const js_options o = {.goal = JS_ASYNC_BODY};
	parsed p;
	bool ok;

	parsed_init(&p, code, &o);
	ok = parsed_ok(&p);
	parsed_fini(&p);
	return ok;
}

static void
explain_everywhere(const source_prepared *p)
{
	buf out = BUF_INIT(NULL, 1 << 16);

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		source_error e = {.name = TEXT("TypeError"),
		    .message = text_of(words[i]),
		    .line = 1 + (uint32_t)(i % 3),
		    .column = (uint32_t)(i * 7)};

		source_explain(p, NULL, NULL, &e, &out);
		buf_clear(&out);
	}
	buf_fini(&out);
}

static void
check_laws(count *c, text given, const source_prepared *p)
{
	static const source_options o = {.limit = 1 << 20};
	source_prepared again;

	if (lines_of(p->text) != lines_of(p->code))
		complain(c, "another number of lines", given, p->code);
	if (!parses(p->code))
		complain(c, "does not parse", given, p->code);
	must(source_prepare(p->code, &o, NULL, &again) == CM_OK);
	if (again.fault.code || !text_eq(again.code, p->code))
		complain(c, "another text when done again", given, p->code);
	source_prepared_fini(&again);
}

static void
put_through(count *c, text given)
{
	static const source_options o = {.limit = 1 << 20};
	arena a = ARENA_INIT(NULL, 64 << 20);
	source_prepared p;
	source_report r;

	c->texts++;
	must(source_prepare(given, &o, NULL, &p) == CM_OK);
	must(source_check(&p, NULL, &a, &r) == CM_OK);
	if (p.fault.code == NULL) {
		c->scripts++;
		check_laws(c, given, &p);
		explain_everywhere(&p);
	}
	arena_fini(&a);
	source_prepared_fini(&p);
}

static void
damage(count *c, text script)
{
	static const char bytes[] = "{}()[]\"'`\n;/\\=.*,a0 ";
	char *copy = malloc(script.len + 1);

	must(copy != NULL);
	for (size_t i = 0; i <= script.len; i++)
		put_through(c, text_sub(script, 0, i));
	for (size_t i = 0; i < script.len; i++) {
		memcpy(copy, script.ptr, script.len);
		copy[i] = bytes[(i * 31 + script.len) % (sizeof(bytes) - 1)];
		put_through(c, (text){copy, script.len});
		memmove(copy + i, script.ptr + i + 1, script.len - i - 1);
		put_through(c, (text){copy, script.len - 1});
	}
	free(copy);
}

int
main(int argc, char **argv)
{
	count c = {0};

	for (int i = 1; i < argc; i++) {
		text all = file_read(argv[i]), rest = all, title, body;

		while (cases_block(&rest, &title, &body))
			damage(&c, cases_given(&body));
		free((char *)(uintptr_t)all.ptr);
	}
	printf("%zu texts, %zu of them scripts, %zu wrong\n", c.texts,
	    c.scripts, c.wrong);
	return c.wrong > 0 || c.scripts == 0;
}
