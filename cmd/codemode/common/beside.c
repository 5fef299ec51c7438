/* SPDX-License-Identifier: MIT */
/* beside.c -- see beside.h. */
#include "beside.h"

#include <string.h>
#include <unistd.h>

const char *
beside(char *path, size_t size, const char *name)
{
	ssize_t len = readlink("/proc/self/exe", path, size);
	char *slash = NULL;

	if (len > 0 && (size_t)len < size) {
		path[len] = '\0';
		slash = strrchr(path, '/');
	}
	if (slash == NULL ||
	    (size_t)(slash + 1 - path) + strlen(name) + 1 > size)
		return name;
	strcpy(slash + 1, name);
	return path;
}
