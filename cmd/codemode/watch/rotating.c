/* SPDX-License-Identifier: MIT */
/* rotating.c -- see rotating.h. */
#include "rotating.h"

#include "base/buf.h"
#include "common/monotonic.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 1 << 16, CHECK_MS = 100, CHECKS_OF_A_FILE = 64 };

static bool
reopen_file(rotating *f)
{
	rotating_close(f);
	f->fd = open(f->path,
	    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
	return f->fd >= 0;
}

/* Is the open file still the one of that name? *size: its bytes. */
static bool
is_current(const rotating *f, uint64_t *size)
{
	struct stat open_one, named;

	*size = 0;
	if (f->fd < 0 || fstat(f->fd, &open_one) != 0 ||
	    stat(f->path, &named) != 0)
		return false;
	*size = S_ISREG(open_one.st_mode) ? (uint64_t)open_one.st_size : 0;
	return open_one.st_dev == named.st_dev &&
	       open_one.st_ino == named.st_ino;
}

/* Renames FILE.2 to FILE.3, FILE.1 to FILE.2, and last FILE to FILE.1. */
static void
shift_names(const rotating *f)
{
	for (int i = ROTATING_FILES - 1; i > 0; i--) {
		buf from = BUF_INIT(NULL, PATH_BYTES);
		buf to = BUF_INIT(NULL, PATH_BYTES);

		buf_str(&from, f->path);
		if (i > 1)
			buf_printf(&from, ".%d", i - 1);
		buf_printf(&to, "%s.%d", f->path, i);
		buf_byte(&from, '\0');
		buf_byte(&to, '\0');
		if (from.bad == CM_OK && to.bad == CM_OK)
			(void)rename(from.ptr, to.ptr);
		buf_fini(&from);
		buf_fini(&to);
	}
}

/* Locks the full file. A process that gets the lock later finds that the name
 * has a new file. */
static bool
rotate_file(rotating *f)
{
	uint64_t size;

	if (flock(f->fd, LOCK_EX) == 0 && is_current(f, &size))
		shift_names(f);
	return reopen_file(f);
}

/* A check costs as much as writing a line, so not every line is checked. */
static bool
is_check_due(const rotating *f, size_t len)
{
	return f->fd < 0 || f->unchecked + len > f->max / CHECKS_OF_A_FILE ||
	       monotonic_ms() - f->checked_ms >= CHECK_MS;
}

/* Makes sure that the open file is the one of that name, and that the line
 * fits. */
static bool
check_file(rotating *f, size_t len)
{
	uint64_t size;

	while (!is_current(f, &size))
		if (!reopen_file(f))
			return false;
	f->checked_ms = monotonic_ms();
	f->unchecked = 0;
	return size == 0 || size + len <= f->max || rotate_file(f);
}

bool
rotating_append(rotating *f, text line)
{
	if (is_check_due(f, line.len) && !check_file(f, line.len))
		return false;
	f->unchecked += line.len;
	return write(f->fd, line.ptr, line.len) == (ssize_t)line.len;
}

bool
rotating_open(rotating *f, const char *path, uint64_t max)
{
	*f = (rotating){
	    .path = path, .max = max ? max : ROTATING_FILE_BYTES, .fd = -1};
	return reopen_file(f);
}

void
rotating_close(rotating *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}
