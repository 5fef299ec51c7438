/* SPDX-License-Identifier: MIT */
/*
 * claims.h -- what a header says, tried: a table of its sentences, each with
 * the function that tries it, the file that does, or the reason why no test
 * can. A sentence that is new in the header fails the program until the table
 * has it; so does a line of the table that the header no longer says.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "base/json.h"

typedef struct claim {
	const char *sentence;
	void (*test)(void); /* or NULL */
	const char *where;  /* a file that tests it, or NULL */
	const char *why;    /* no test can, or NULL */
} claim;

/* For the lines of a table. */
#define TESTED(test, sentence)    {sentence, test, NULL, NULL},
#define TESTED_IN(file, sentence) {sentence, NULL, file, NULL},
#define NO_TEST(why, sentence)    {sentence, NULL, NULL, why},

/* Counts a failure unless x holds, and prints it with the sentence. */
#define EXPECT(x) claims_expect((x), #x, __FILE__, __LINE__)
void claims_expect(bool holds, const char *what, const char *file, int line);

bool says(text t, const char *want);
bool has(text t, const char *part);

/* Compares and tries; argv[1] is the folder that has include/ and test/.
 * Returns the exit code. */
int claims_try(int argc, char **argv, const char *header, const claim *claims,
    size_t n);

#endif
