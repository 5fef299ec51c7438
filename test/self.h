/* SPDX-License-Identifier: MIT */
/*
 * self.h -- what a test can see of its own process, and how much it is to do.
 */
#ifndef TEST_SELF_H
#define TEST_SELF_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* How many random cases a test tries. tool/check sets CODEMODE_THOROUGH for the
 * dev build. */
static inline unsigned
thorough(unsigned quick, unsigned full)
{
	return getenv("CODEMODE_THOROUGH") != NULL ? full : quick;
}

/* Open descriptors, the one that looks included. */
static inline unsigned
descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n;
}

/* The most memory it had at once, in MB. */
static inline unsigned
peak_mb(void)
{
	char line[256];
	unsigned kb = 0;
	FILE *f = fopen("/proc/self/status", "r");

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "VmHWM: %u", &kb) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return kb / 1024;
}

#endif
