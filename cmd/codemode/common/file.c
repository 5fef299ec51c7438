/* SPDX-License-Identifier: MIT */
/*
 * file.c -- reads and replaces whole files with plain system calls, so that
 * every failure has an errno that tells a person what to do.
 */
#include "file.h"

#include "net.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

bool
file_missing(const char *path)
{
	return access(path, F_OK) != 0 && errno == ENOENT;
}

static const char *
read_whole(int fd, buf *out)
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
	size_t from = out->len;
	const char *why;

	if (fd < 0)
		return strerror(errno);
	why = read_whole(fd, out);
	if (why == NULL)
		net_input_read(
		    path, fd, text_sub(buf_view(out), from, out->len));
	if (!in)
		close(fd);
	return why;
}

static bool
write_bytes(int fd, text t)
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

/* --------------------------------------------------------------- replacing */

/* The path without symbolic links, and what is there: st->st_mode is 0 when
 * there is nothing. NULL, or why no store can be there. */
static const char *
resolve_target(const char *path, char real[PATH_MAX], struct stat *st)
{
	*st = (struct stat){0};
	if (strcmp(path, "-") == 0)
		return "it must be a file";
	if (realpath(path, real) == NULL) {
		if (errno != ENOENT || strlen(path) >= PATH_MAX)
			return strerror(errno);
		strcpy(real, path);
		return NULL;
	}
	if (stat(real, st) != 0)
		return strerror(errno);
	return S_ISREG(st->st_mode) ? NULL : "it is not a regular file";
}

/* A new file beside real; temp gets its path. -1: errno says why. */
static int
make_temporary(const char *real, char temp[PATH_MAX])
{
	if (snprintf(temp, PATH_MAX, "%s.XXXXXX", real) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return mkostemp(temp, O_CLOEXEC);
}

static int
open_folder(const char *real)
{
	char copy[PATH_MAX];

	strcpy(copy, real);
	return open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

const char *
file_check_writable(const char *path)
{
	char real[PATH_MAX], temp[PATH_MAX];
	struct stat st;
	const char *why = resolve_target(path, real, &st);
	int fd;

	if (why != NULL)
		return why;
	file_unlock(file_lock(path, &why));
	if (why != NULL)
		return why;
	fd = make_temporary(real, temp);
	if (fd < 0)
		return strerror(errno);
	close(fd);
	unlink(temp);
	return NULL;
}

/* The content and the rights that path has; 0 or an errno. */
static int
fill_temporary(int fd, text content, const struct stat *st)
{
	int failed = 0;

	/* Another owner's file stays theirs where that is allowed. */
	(void)!fchown(fd, st->st_uid, st->st_gid);
	if (!write_bytes(fd, content) || fchmod(fd, st->st_mode & 07777) != 0 ||
	    fsync(fd) != 0)
		failed = errno;
	if (close(fd) != 0 && failed == 0)
		failed = errno;
	return failed;
}

/* The rename is content of the folder: sync that too. */
static void
sync_folder(const char *real)
{
	int fd = open_folder(real);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

const char *
file_write(const char *path, text content)
{
	char real[PATH_MAX], temp[PATH_MAX];
	struct stat st;
	const char *why = resolve_target(path, real, &st);
	int fd, failed;

	/* Make an empty file first: that follows a link to a missing file, and
	 * gives the new file the rights that a new file has here. */
	if (why == NULL && st.st_mode == 0) {
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0)
			return strerror(errno);
		close(fd);
		why = resolve_target(path, real, &st);
	}
	if (why != NULL)
		return why;
	fd = make_temporary(real, temp);
	if (fd < 0)
		return strerror(errno);
	failed = fill_temporary(fd, content, &st);
	if (failed == 0 && rename(temp, real) != 0)
		failed = errno;
	if (failed != 0) {
		unlink(temp);
		return strerror(failed);
	}
	sync_folder(real);
	return NULL;
}

/* ----------------------------------------------------------------- locking */

int
file_lock(const char *path, const char **why)
{
	char real[PATH_MAX];
	struct stat st;
	int fd;

	*why = resolve_target(path, real, &st);
	if (*why != NULL)
		return -1;
	fd = open_folder(real);
	while (fd >= 0 && flock(fd, LOCK_EX) != 0) {
		if (errno == EINTR)
			continue;
		*why = strerror(errno);
		close(fd);
		return -1;
	}
	if (fd < 0)
		*why = strerror(errno);
	return fd;
}

void
file_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}
