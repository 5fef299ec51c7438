/* SPDX-License-Identifier: MIT */
/*
 * user.c -- another program: runs one script and prints its value.
 * sched_step is a name inside the library, too; here it is the user's own.
 */
#include <codemode/codemode.h>

#include <stdio.h>
#include <string.h>

int sched_step(void);

int
sched_step(void)
{
	return 0;
}

int
main(void)
{
	const char *script = "return 6 * 7";
	cm_text text;
	cm_driver driver;
	cm_done done;
	cm_run *run = NULL;
	int status = 1;

	text.ptr = script;
	text.len = strlen(script);
	memset(&driver, 0, sizeof(driver));
	if (cm_run_new(NULL, text, NULL, &run) == CM_OK &&
	    cm_run_drive(run, &driver, &done) == CM_OK &&
	    done.end == CM_END_OK) {
		printf("%.*s\n", (int)done.value.len, done.value.ptr);
		status = sched_step();
	}
	cm_run_free(run);
	return status;
}
