/* SPDX-License-Identifier: MIT */
/*
 * file.c -- reads and replaces whole files with plain system calls, so that
 * every failure has an errno that tells a person what to do.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

bool
file_missing(const char *path)
{
	return access(path, F_OK) != 0 && errno == ENOENT;
}

static const char *
read_all(int fd, buf *out)
{
	for (;;) {
		char *room = buf_room(out, CHUNK);
		size_t want = CHUNK;
		ssize_t n;
		char last;

		if (room == NULL) {
			/* Full, or nearly: go on byte by byte to the brim. */
			out->bad = CM_OK;
			room = &last;
			want = 1;
		}
		n = read(fd, room, want);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return strerror(errno);
		if (n == 0)
			return NULL;
		if (room == &last)
			buf_byte(out, last);
		else
			out->len += (size_t)n;
		if (out->bad != CM_OK)
			return out->bad == CM_ELIMIT ? "it is too large"
						     : "out of memory";
	}
}

const char *
file_read(const char *path, buf *out)
{
	bool in = strcmp(path, "-") == 0;
	int fd = in ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	const char *why;

	if (fd < 0)
		return strerror(errno);
	why = read_all(fd, out);
	if (!in)
		close(fd);
	return why;
}

static bool
write_all(int fd, text t)
{
	while (t.len > 0) {
		ssize_t n = write(fd, t.ptr, t.len);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			t = text_sub(t, (size_t)n, t.len);
	}
	return true;
}

/* The rename itself lives in the folder: sync that too. */
static void
sync_folder(const char *path)
{
	char copy[PATH_MAX];
	int fd;

	snprintf(copy, sizeof(copy), "%s", path);
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

/* The new file has the rights of the one it replaces, 0666 & ~umask if none. */
static mode_t
rights(const char *path)
{
	struct stat st;
	mode_t mask;

	if (stat(path, &st) == 0)
		return st.st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

const char *
file_write(const char *path, text content)
{
	char real[PATH_MAX], temp[PATH_MAX];
	int fd, failed = 0;

	/* A symbolic link stays one: its target is what is replaced. */
	if (realpath(path, real) == NULL)
		snprintf(real, sizeof(real), "%s", path);
	if (snprintf(temp, sizeof(temp), "%s.XXXXXX", real) >=
	    (int)sizeof(temp))
		return strerror(ENAMETOOLONG);
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0)
		return strerror(errno);
	if (!write_all(fd, content) || fchmod(fd, rights(real)) != 0 ||
	    fsync(fd) != 0)
		failed = errno;
	if (close(fd) != 0 && failed == 0)
		failed = errno;
	if (failed == 0 && rename(temp, real) != 0)
		failed = errno;
	if (failed != 0) {
		unlink(temp);
		return strerror(failed);
	}
	sync_folder(real);
	return NULL;
}
