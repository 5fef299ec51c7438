/* SPDX-License-Identifier: MIT */
/* rotating.c -- see rotating.h. */
#include "rotating.h"

#include "base/buf.h"
#include "common/monotonic.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

<<<<<<< HEAD
enum { PATH_BYTES = 1 << 16, CHECK_MS = 100, CHECKS_OF_A_FILE = 64 };
=======
enum {
	PATH_BYTES = 1 << 16,
	LOOK_MS = 100,
	LOOKS = 64 /* while one file is filled */
};
>>>>>>> ef28583 (The log is written once before the command waits, not once a line)

static bool
reopen_file(rotating *f)
{
	struct stat opened;

	rotating_close(f);
	f->fd = open(f->path,
	    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
	if (f->fd < 0 || fstat(f->fd, &opened) != 0)
		return false;
	f->device = opened.st_dev;
	f->inode = opened.st_ino;
	return true;
}

/* Is the open file still the one of that name? *size: its bytes. */
static bool
is_current(const rotating *f, uint64_t *size)
{
	struct stat named;

	*size = 0;
	if (f->fd < 0 || stat(f->path, &named) != 0)
		return false;
	*size = S_ISREG(named.st_mode) ? (uint64_t)named.st_size : 0;
	return f->device == named.st_dev && f->inode == named.st_ino;
}

/* FILE.2 becomes FILE.3, and so on; FILE, which has no number, goes last. */
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

/* The lock is on the full file: a process that gets it second finds that the
 * name stands for another file already. */
static bool
rotate_file(rotating *f)
{
	uint64_t size;

	if (flock(f->fd, LOCK_EX) == 0 && is_current(f, &size))
		shift_names(f);
	return reopen_file(f);
}

<<<<<<< HEAD
/* Looking costs as much as writing a line, so it is not done for each. */
static bool
is_check_due(const rotating *f, size_t len)
{
	return f->fd < 0 || f->unchecked + len > f->max / CHECKS_OF_A_FILE ||
	       monotonic_ms() - f->checked_ms >= CHECK_MS;
}

/* Makes sure that the line goes to the file of that name, and that it fits. */
static bool
check_file(rotating *f, size_t len)
=======
static uint64_t
coarse_ms(void)
>>>>>>> ef28583 (The log is written once before the command waits, not once a line)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Opens the file of that name when it is another one now. */
static bool
look_at_name(rotating *f, uint64_t now_ms)
{
	while (!is_current(f, &f->size))
		if (!reopen_file(f))
			return false;
<<<<<<< HEAD
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
=======
	f->looked_ms = now_ms;
	f->unseen = 0;
	return true;
}

bool
rotating_append(rotating *f, text lines)
{
	uint64_t now_ms = coarse_ms();
	bool look = f->fd < 0 || now_ms - f->looked_ms >= LOOK_MS ||
		    f->unseen + lines.len >= f->max / LOOKS;

	if (look && !look_at_name(f, now_ms))
		return false;
	if (f->size > 0 && f->size + lines.len > f->max) {
		if (!rotate_file(f))
			return false;
		f->size = 0;
	}
	f->size += lines.len;
	f->unseen += lines.len;
	return write(f->fd, lines.ptr, lines.len) == (ssize_t)lines.len;
>>>>>>> ef28583 (The log is written once before the command waits, not once a line)
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
