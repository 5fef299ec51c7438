/* SPDX-License-Identifier: MIT */
/* trace_folder.c -- see trace_folder.h. */
#include "trace_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *
trace_folder_make(const char *folder)
{
	if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		return strerror(errno);
	return access(folder, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

static int
is_trace(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name), tail = strlen(TRACE_SUFFIX);

	return len > tail && entry->d_name[0] >= '0' &&
	       entry->d_name[0] <= '9' &&
	       strcmp(entry->d_name + len - tail, TRACE_SUFFIX) == 0;
}

/* Compares by bytes, which is by time: the names begin with it. */
static int
compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void
delete_oldest(int at, const char *folder, size_t keep)
{
	struct dirent **list = NULL;
	int n = scandir(folder, &list, is_trace, compare_entries);

	for (int i = 0; i < n; i++) {
		if ((size_t)(n - i) > keep)
			(void)unlinkat(at, list[i]->d_name, 0);
		free(list[i]);
	}
	free(list);
}

enum { TIME_MAX = 32 };

static void
write_time(char *out)
{
	struct timespec t;
	struct tm utc;
	size_t n = 0;

	clock_gettime(CLOCK_REALTIME, &t);
	if (gmtime_r(&t.tv_sec, &utc) != NULL)
		n = strftime(out, TIME_MAX, "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(out + n, TIME_MAX - n, ".%03ldZ", t.tv_nsec / 1000000);
}

static const char *
make_trace_file(int at, const char *name, FILE **out)
{
	int fd =
	    openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	*out = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && *out == NULL)
		close(fd);
	return *out == NULL ? strerror(errno) : NULL;
}

const char *
trace_folder_add(const char *folder, uint32_t number, size_t keep,
    char name[TRACE_NAME_MAX], FILE **out)
{
	char time[TIME_MAX];
	const char *why;
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		return strerror(errno);
	write_time(time);
	snprintf(name, TRACE_NAME_MAX, "%s-%ld-%" PRIu32 TRACE_SUFFIX, time,
	    (long)getpid(), number);
	delete_oldest(at, folder, keep - 1);
	why = make_trace_file(at, name, out);
	close(at);
	return why;
}
