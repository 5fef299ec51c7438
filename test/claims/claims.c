/* SPDX-License-Identifier: MIT */
/* claims.c -- see claims.h. */
#include "claims.h"

#include "sentences.h"

#include <stdio.h>
#include <unistd.h>

static const char *saying; /* the sentence that is tried */
static int failures;

void
claims_expect(bool holds, const char *what, const char *file, int line)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: %s\n  of: %s\n", file, line, what, saying);
	failures++;
}

bool
says(text t, const char *want)
{
	return text_eq(t, text_of(want));
}

bool
has(text t, const char *part)
{
	return text_find(t, text_of(part), 0) != SIZE_MAX;
}

static bool
is_claimed(text sentence, const claim *claims, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_eq(sentence, text_of(claims[i].sentence)))
			return true;
	return false;
}

/* Every sentence has its line, and every line its sentence. */
static void
compare(text header, const claim *claims, size_t n)
{
	buf all = BUF_INIT(NULL, 1 << 20);
	text rest, one;

	sentences(header, &all);
	for (rest = buf_view(&all); text_line(&rest, &one);) {
		if (is_claimed(one, claims, n))
			continue;
		fprintf(
		    stderr, "no line of the table has: %.*s\n", TEXT_ARG(one));
		failures++;
	}
	for (size_t i = 0; i < n; i++) {
		bool found = false;

		for (rest = buf_view(&all); text_line(&rest, &one);)
			found |= text_eq(one, text_of(claims[i].sentence));
		if (found)
			continue;
		fprintf(stderr, "the header does not say: %s\n",
		    claims[i].sentence);
		failures++;
	}
	buf_fini(&all);
}

static void
try_all(const char *root, const claim *claims, size_t n)
{
	char path[4096];

	for (size_t i = 0; i < n; i++) {
		const claim *c = &claims[i];
		bool again = false;

		saying = c->sentence;
		for (size_t k = 0; k < i; k++)
			again |= c->test && claims[k].test == c->test;
		if (c->test && !again)
			c->test();
		if (!c->where)
			continue;
		snprintf(path, sizeof(path), "%s/%s", root, c->where);
		EXPECT(access(path, R_OK) == 0);
	}
}

int
claims_try(
    int argc, char **argv, const char *header, const claim *claims, size_t n)
{
	static char source[1 << 20];
	char path[4096];
	FILE *f;
	size_t len;

	if (argc != 2)
		return 2;
	snprintf(path, sizeof(path), "%s/include/codemode/%s", argv[1], header);
	if (!(f = fopen(path, "r")))
		return 2;
	len = fread(source, 1, sizeof(source), f);
	fclose(f);
	compare((text){source, len}, claims, n);
	try_all(argv[1], claims, n);
	printf("%zu sentences, %d failures\n", n, failures);
	return failures ? 1 : 0;
}
