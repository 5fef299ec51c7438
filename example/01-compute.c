/* SPDX-License-Identifier: MIT */
/*
 * 01-compute.c -- the smallest host: no tools, one script, one value.
 */
#include <codemode/codemode.h>

#include <stdio.h>
#include <string.h>

int
main(void)
{
	const char *script =
	    "const squares = [1, 2, 3, 4].map((n) => n * n);\n"
	    "return { squares, sum: squares.reduce((a, b) => a + b) };\n";
	cm_text source = {script, strlen(script)};
	cm_driver driver = {0};
	cm_done done;
	cm_run *run;

	if (cm_run_new(NULL, source, NULL, &run) != CM_OK)
		return 1;
	if (cm_run_drive(run, &driver, &done) == CM_OK && done.end == CM_END_OK)
		printf("%.*s\n", (int)done.value.len, done.value.ptr);
	cm_run_free(run);
	return 0;
}
