/* SPDX-License-Identifier: MIT */
/* worker.c -- see worker.h. */
#include "worker.h"

#include <string.h>
#include <unistd.h>

static const char name[] = "codemode-worker";

const char *
worker_path(char *path, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", path, size);
	char *slash = NULL;

	if (len > 0 && (size_t)len < size) {
		path[len] = '\0';
		slash = strrchr(path, '/');
	}
	if (slash == NULL || (size_t)(slash + 1 - path) + sizeof(name) > size)
		return name;
	memcpy(slash + 1, name, sizeof(name));
	return path;
}
