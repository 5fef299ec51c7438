/* SPDX-License-Identifier: MIT */
/*
 * steps.c -- the checks take work in proportion to the script, and give up
 * quietly when there is too much.
 *
 * The work is counted in steps, not in time. Each unit below is repeated up to
 * a size, and then to twice that; # stands for the number of the repetition.
 */
#include "../cases.h"
#include "source/check.h"

#include <stdio.h>

enum { SIZE = 100000 };

static const struct {
	const char *head, *unit, *tail;
} scripts[] = {
    {"", "await tools.a.b({ x: # });\n", ""},
    {"return 0", " + tools.a.b()", ""},
    {"return tools.a.b()", ".then(x)", ""},
    {"const x0 = tools;", "const x#1 = x#;", ""},
    {"const x0 = tools;", "const x#1 = x#.a;", ""},
    {"", "f(tools);\n", ""},
    {"", "const v# = #;\n", ""},
    {"", "n#;\n", ""},
    {"", "const abcdef# = n#xyzw;\n", ""},
    {"", "function f#() { return f#1() }\n", ""},
    {"function f0() {\n", "tools.a.b();\n",
	"} function f1() { f0(); f0() } function f2() { f1(); f1() } null.x"},
    {"const p = [", "tools.a.b(),", "]; p; p; p"},
    {"const p = [tools.a.b()];", "p.map(1);", ""},
    {"const o = { a: 1 };", "o.a.b();\n", ""},
    {"return `", "${tools.a.b()}", "`"},
    {"const {", "a#,", "} = tools"},
    {"function f(a) { } f(", "tools,", "1)"},
    {"return (", "tools, ", "1)"},
    {"", "this.a;", ""},
    {"", "o[k];", ""},
    {"", "{ let z# = 1 } z#;\n", ""},
    {"", "if (1) { return 1; x() }\n", ""},
    {"", "try { x } catch { e }\n", ""},
    {"class A { ", "m#() { return tools.a.b() } ", "}"},
    {"switch (1) { ", "case #: tools.a.b(); ", "}"},
    {"const c = 1;", "c = 2;\n", ""},
};

/* #1 is the number after. */
static void
put_unit(const char *unit, unsigned number, buf *out)
{
	for (; *unit; unit++) {
		if (*unit != '#') {
			buf_byte(out, *unit);
			continue;
		}
		if (unit[1] == '1') {
			buf_printf(out, "%u", number + 1);
			unit++;
		} else {
			buf_printf(out, "%u", number);
		}
	}
}

static void
put_script(size_t i, size_t size, buf *out)
{
	buf_clear(out);
	buf_str(out, scripts[i].head);
	for (unsigned n = 0; out->len < size; n++)
		put_unit(scripts[i].unit, n, out);
	buf_str(out, scripts[i].tail);
}

static source_report
check_text(text given, arena *memory)
{
	static const source_options o = {.limit = UINT32_MAX};
	source_prepared p;
	source_report r;

	must(source_prepare(given, &o, NULL, &p) == CM_OK);
	must(p.fault.code == NULL);
	must(source_check(&p, NULL, memory, &r) == CM_OK);
	source_prepared_fini(&p);
	return r;
}

static uint64_t
steps_of(size_t i, size_t size)
{
	buf script = BUF_INIT(NULL, 1 << 26);
	arena memory = ARENA_INIT(NULL, 1 << 30);
	source_report r;

	put_script(i, size, &script);
	r = check_text(buf_view(&script), &memory);
	must(!r.incomplete);
	arena_fini(&memory);
	buf_fini(&script);
	return r.steps;
}

/* Arguments are counted up to each parameter: n * n steps. */
static bool
gives_up(void)
{
	buf script = BUF_INIT(NULL, 1 << 26);
	arena memory = ARENA_INIT(NULL, 1 << 30);
	source_report r;
	bool any = false;

	buf_str(&script, "function f(");
	for (unsigned n = 0; n < 20000; n++)
		put_unit("a#,", n, &script);
	buf_str(&script, "b) { } f(");
	for (unsigned n = 0; n < 20000; n++)
		buf_str(&script, "tools,");
	buf_str(&script, "1)");
	r = check_text(buf_view(&script), &memory);
	for (size_t i = 0; i < r.calls; i++)
		any |= text_eq(r.call[i].path, TEXT("*"));
	arena_fini(&memory);
	buf_fini(&script);
	return r.incomplete && any;
}

int
main(void)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++) {
		uint64_t once = steps_of(i, SIZE),
			 twice = steps_of(i, 2 * SIZE);

		if (twice <= 2 * once + once / 4)
			continue;
		printf("%s: %llu steps, and %llu for twice as much\n",
		    scripts[i].unit, (unsigned long long)once,
		    (unsigned long long)twice);
		wrong++;
	}
	if (!gives_up()) {
		printf("it does not give up\n");
		wrong++;
	}
	printf("%u wrong\n", wrong);
	return wrong > 0;
}
