/* SPDX-License-Identifier: MIT */
/*
 * schema.c -- how long the check of a call's arguments takes.
 *
 *	schema FILE
 *
 * FILE holds {"schema": ..., "value": ...}. Prints the microseconds of one
 * check, of the schema once compiled and the value as text: one line for each
 * of 15 samples. ajv.mjs is the same for the other contestant.
 */
#include "schema/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLES = 15, CHECKS = 100000 };

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double
sample_us(const schema_program *s, json value)
{
	double began = now_us();

	for (int i = 0; i < CHECKS; i++)
		if (schema_check(s, value) != SCHEMA_FITS)
			exit(EXIT_FAILURE);
	return (now_us() - began) / CHECKS;
}

int
main(int argc, char **argv)
{
	static char bytes[65536];
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	schema_program *s;
	json all, schema, value;

	if (f == NULL)
		return EXIT_FAILURE;
	all = (text){bytes, fread(bytes, 1, sizeof(bytes), f)};
	fclose(f);
	if (!json_check(all, JSON_DEPTH, &all, NULL))
		return EXIT_FAILURE;
	schema = json_get(all, TEXT("schema"));
	value = json_get(all, TEXT("value"));
	if (schema_compile(NULL, schema, &s) != CM_OK)
		return EXIT_FAILURE;
	for (int i = 0; i < SAMPLES; i++)
		printf("%.4f\n", sample_us(s, value));
	schema_free(s);
	return EXIT_SUCCESS;
}
