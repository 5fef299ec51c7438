/* SPDX-License-Identifier: MIT */
/* family.c -- see family.h. */
#include "family.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROCESSES_MAX = 8192 };

typedef struct process {
	pid_t pid, parent;
} process;

/* "PID (name) STATE PPID": the name may hold anything, also brackets. */
static bool
read_process(const char *name, process *p)
{
	char path[64], said[512], *end;
	char state = 0;
	long parent = 0;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", name);
	if ((f = fopen(path, "r")) == NULL)
		return false;
	n = fread(said, 1, sizeof(said) - 1, f);
	fclose(f);
	said[n] = 0;
	if ((end = strrchr(said, ')')) == NULL ||
	    sscanf(end + 1, " %c %ld", &state, &parent) != 2 || state == 'Z' ||
	    state == 'X')
		return false;
	*p = (process){(pid_t)strtol(name, NULL, 10), (pid_t)parent};
	return true;
}

static unsigned
read_all(process *all)
{
	DIR *d = opendir("/proc");
	struct dirent *entry;
	unsigned n = 0;

	while (d != NULL && (entry = readdir(d)) != NULL && n < PROCESSES_MAX)
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    read_process(entry->d_name, &all[n]))
			n++;
	if (d != NULL)
		closedir(d);
	return n;
}

static void
add(family *f, pid_t pid, unsigned depth)
{
	if (f->len == FAMILY_MAX)
		return;
	f->member[f->len].pid = pid;
	f->member[f->len++].depth = depth;
}

void
family_of(pid_t pid, family *f)
{
	static process all[PROCESSES_MAX];
	unsigned n = read_all(all), at = 0, i;

	f->len = 0;
	for (i = 0; i < n; i++)
		if (all[i].parent == pid)
			add(f, all[i].pid, 1);
	for (; at < f->len; at++)
		for (i = 0; i < n; i++)
			if (all[i].parent == f->member[at].pid)
				add(f, all[i].pid, f->member[at].depth + 1);
}

pid_t
family_at(pid_t pid, unsigned depth)
{
	family f;
	unsigned i;

	family_of(pid, &f);
	for (i = 0; i < f.len; i++)
		if (f.member[i].depth == depth)
			return f.member[i].pid;
	return 0;
}

bool
family_ends(pid_t pid, unsigned keep, unsigned patience_ms)
{
	const struct timespec moment = {0, 2000000};
	unsigned waited;

	for (waited = 0; waited <= patience_ms; waited += 2) {
		family f;
		unsigned i, left = 0;

		family_of(pid, &f);
		for (i = 0; i < f.len; i++)
			left += f.member[i].depth >= keep;
		if (left == 0)
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}
