/* SPDX-License-Identifier: MIT */
/*
 * nesting.c -- no text overflows the stack, however small that is.
 *
 * Each production of the grammar that may contain itself is written 20 times
 * in itself, which must be read, and up to 200,000 times, which must be refused
 * as nested too deeply: on threads with stacks of 64 KiB to 8 MiB, by the checks
 * that a host calls.
 */
#include <codemode/check.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

enum { FEW = 20, MANY = 20000, MOST = 200000 };

typedef struct production {
	const char *before, *open, *middle, *close, *after;
} production;

static const production productions[] = {
    {"x = ", "(", "1", ")", ""},
    {"x = ", "[", "1", "]", ""},
    {"x = ", "[...", "y", "]", ""},
    {"x = ", "{a: ", "1", "}", ""},
    {"x = ", "{[", "1", "]: 1}", ""},
    {"x = ", "{...", "y", "}", ""},
    {"x = ", "{a() { return ", "1", "}}", ""},
    {"x = ", "{get a() { return ", "1", "}}", ""},
    {"x = ", "`${", "1", "}`", ""},
    {"x = ", "y`${", "1", "}`", ""},
    {"x = ", "y(", "1", ")", ""},
    {"x = ", "y(...", "z", ")", ""},
    {"x = ", "y[", "1", "]", ""},
    {"x = ", "y?.[", "1", "]", ""},
    {"x = ", "new y(", "1", ")", ""},
    {"x = ", "new ", "y", "", ""},
    {"x = ", "import(", "1", ")", ""},
    {"x = ", "- ", "1", "", ""},
    {"x = ", "!", "1", "", ""},
    {"x = ", "typeof ", "1", "", ""},
    {"x = ", "await ", "1", "", ""},
    {"x = ", "y ** ", "1", "", ""},
    {"x = ", "1 + (", "1", ")", ""},
    {"x = ", "y = ", "1", "", ""},
    {"x = ", "y ? ", "1", " : 2", ""},
    {"x = ", "y ? 1 : ", "2", "", ""},
    {"x = ", "y => ", "1", "", ""},
    {"x = ", "async y => ", "1", "", ""},
    {"x = ", "(y, z) => ", "1", "", ""},
    {"x = ", "(y = ", "1", ") => 1", ""},
    {"x = ", "({y = ", "1", "}) => 1", ""},
    {"x = ", "() => {return ", "1", "}", ""},
    {"x = ", "function () {return ", "1", "}", ""},
    {"x = ", "function (y = ", "1", ") {}", ""},
    {"x = ", "function* () {yield ", "1", "}", ""},
    {"x = function* () {", "yield ", "1", "", "}"},
    {"x = ", "class {a = ", "1", "}", ""},
    {"x = ", "class {[", "1", "]() {}}", ""},
    {"x = ", "class {static {x = ", "1", "}}", ""},
    {"x = ", "class extends ", "Y", " {}", ""},
    {"x = ", "class Y extends ", "Y", " {}", ""},
    {"", "class Y extends (", "Z", ") {}", ""},
    {"", "{", ";", "}", ""},
    {"", "if (y) ", ";", "", ""},
    {"", "if (y) {} else ", ";", "", ""},
    {"", "for (;;) ", "y", "", ""},
    {"", "for (y of z) ", ";", "", ""},
    {"", "for (y in z) ", ";", "", ""},
    {"", "while (y) ", ";", "", ""},
    {"", "do ", ";", " while (y)", ""},
    {"", "with (y) ", ";", "", ""},
    {"", "try {", ";", "} catch {}", ""},
    {"", "try {} catch {", ";", "}", ""},
    {"", "try {} finally {", ";", "}", ""},
    {"", "switch (1) {case 1: ", ";", "}", ""},
    {"", "function y() {", ";", "}", ""},
    {"", "class Y {static {", ";", "}}", ""},
    {"let ", "[", "y", "]", " = 1"},
    {"let ", "[y = ", "1", "]", " = 1"},
    {"let ", "{a: ", "y", "}", " = 1"},
    {"", "[", "y", "]", " = 1"},
    {"(", "{a: ", "y", "}", " = 1)"},
    {"(", "[", "y", "]", ") => 1"},
    {"const f = (z, ", "{a: ", "y", "}", ") => 1"},
    /* TypeScript. */
    {"let y: ", "A<", "B", ">", " = 1"},
    {"let y: ", "(", "B", ")", " = 1"},
    {"let y: ", "[", "B", "]", " = 1"},
    {"let y: ", "{a: ", "B", "}", " = 1"},
    {"let y: ", "{a(b: ", "B", "): 1}", " = 1"},
    {"let y: ", "{[a: string]: ", "B", "}", " = 1"},
    {"let y: ", "A[", "B", "]", " = 1"},
    {"let y: ", "`${", "B", "}`", " = 1"},
    {"let y: ", "() => ", "B", "", " = 1"},
    {"let y: ", "new () => ", "B", "", " = 1"},
    {"let y: ", "(a: ", "B", ") => 1", " = 1"},
    {"let y: ", "<T extends ", "B", ">() => 1", " = 1"},
    {"let y: ", "A extends B ? ", "C", " : D", " = 1"},
    {"let y: ", "A extends (", "B", ") ? C : D", " = 1"},
    {"let y: ", "import(", "\"a\"", ")", " = 1"},
    {"type Y = ", "A extends infer X extends (", "B", ") ? 1 : 2", ""},
    {"x = y as ", "(A | ", "B", ")", ""},
    {"x = ", "<T>(y: T) => ", "1", "", ""},
    {"x = ", "(y): T => ", "1", "", ""},
    {"x = ", "z ? (y): T => ", "1", " : 2", ""},
    {"", "namespace a {", "", "}", "; let x: T"},
    {"", "module a {", "", "}", "; let x: T"},
    {"", "declare namespace a {", "", "}", "; let x: T"},
    {"", "declare global {", "", "}", "; let x = 1"},
    {"declare namespace a {", "export namespace a {", "", "}", "}; let x = 1"},
};

static char *
write_nested(const production *r, unsigned times, bool closed, size_t *len)
{
	buf b = BUF_INIT(NULL, (size_t)1 << 26);

	buf_str(&b, r->before);
	for (unsigned i = 0; i < times; i++)
		buf_str(&b, r->open);
	if (closed) {
		buf_str(&b, r->middle);
		for (unsigned i = 0; i < times; i++)
			buf_str(&b, r->close);
		buf_str(&b, r->after);
	}
	must(b.bad == CM_OK);
	*len = b.len;
	return b.ptr;
}

static unsigned wrong;

static void
complain(const production *r, const char *what, cm_text message)
{
	printf("%s%s...%s%s: %s: %.*s\n", r->before, r->open, r->close,
	    r->after, what, TEXT_ARG(message));
	wrong++;
}

static void
check_one(const production *r, unsigned times, bool closed)
{
	size_t len;
	char *script = write_nested(r, times, closed, &len);
	cm_check *check;
	cm_problem p = {0};

	must(cm_source_check(NULL, (cm_text){script, len}, 0, &check) == CM_OK);
	for (size_t i = 0; cm_check_problem(check, i, &p) == CM_OK; i++) {
		if (p.level == CM_LEVEL_ERROR &&
		    text_eq(p.code, TEXT("SyntaxError")))
			break;
		p = (cm_problem){0};
	}
	if (times == FEW && p.code.len > 0)
		complain(r, "is refused", p.message);
	else if (times != FEW &&
		 text_find(p.message, TEXT("too deep"), 0) == SIZE_MAX)
		complain(r, closed ? "is not refused" : "open, is not refused",
		    p.message);
	cm_check_free(check);
	free(script);
}

static void *
check_all(void *times)
{
	unsigned many = *(const unsigned *)times;

	for (size_t i = 0; i < sizeof(productions) / sizeof(*productions);
	     i++) {
		const production *r = &productions[i];

		check_one(r, FEW, true);
		check_one(r, many, true);
		/* A regular expression that does not end is not looked at. */
		if (text_find(text_of(r->before), TEXT("/"), 0) == SIZE_MAX)
			check_one(r, many, false);
	}
	return NULL;
}

int
main(void)
{
	static const struct {
		size_t stack; /* KiB; 0: the main thread's */
		unsigned times;
	} ways[] = {{64, MOST}, {256, MANY}, {8192, MANY}, {0, MANY}};
	unsigned times;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		pthread_attr_t attributes;
		pthread_t thread;

		times = ways[i].times;
		if (ways[i].stack == 0) {
			check_all(&times);
			continue;
		}
		pthread_attr_init(&attributes);
		must(pthread_attr_setstacksize(
			 &attributes, ways[i].stack << 10) == 0);
		must(pthread_create(&thread, &attributes, check_all, &times) ==
		     0);
		pthread_join(thread, NULL);
		pthread_attr_destroy(&attributes);
	}
	printf("nesting: %zu productions, %u wrong\n",
	    sizeof(productions) / sizeof(*productions), wrong);
	return wrong > 0;
}
