/* SPDX-License-Identifier: MIT */
/*
 * image_file.c -- a file that holds the image, so that memories can map it.
 *
 * A program that has the library linked in is such a file itself: its pages
 * are in the system's cache already, and shared by all that run it. Otherwise
 * (in a shared library, whose file may have been replaced since) the image is
 * written into a memfd, once per process.
 */
#define _GNU_SOURCE
#include "wall_parts.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* Constant after the first search. */
static struct {
	pthread_once_t once;
	int fd; /* -1: there is none */
	off_t at;
} file = {PTHREAD_ONCE_INIT, -1, 0};

static struct {
	pthread_once_t once;
	int fd;    /* -1: there is none; then no memory is used twice */
	pid_t pid; /* of the opener: a child of fork maps anew */
} pagemap = {PTHREAD_ONCE_INIT, -1, 0};

/* There is one image: every thread that writes this writes the same. */
static const wall_image *_Atomic image_to_find;

static size_t
image_length(const wall_image *image)
{
	return image->to - image->from;
}

/* Looks at the program, which is the first object, and at no library. */
static int
look_at_program(struct dl_phdr_info *info, size_t size, void *at)
{
	const wall_image *image = image_to_find;
	uintptr_t wanted = (uintptr_t)image->bytes;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && (p->p_flags & PF_W) == 0 &&
		    wanted >= start && wanted - start < p->p_filesz &&
		    p->p_filesz - (wanted - start) >= image_length(image))
			*(off_t *)at = (off_t)(p->p_offset + (wanted - start));
	}
	return 1;
}

static int
open_program(off_t *at)
{
	*at = -1;
	dl_iterate_phdr(look_at_program, at);
	if (*at < 0 || *at % sysconf(_SC_PAGESIZE) != 0)
		return -1;
	return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static bool
write_all(int fd, const uint8_t *p, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static int
make_file(const wall_image *image)
{
	int fd = memfd_create("codemode-image", MFD_CLOEXEC);

	if (fd >= 0 && !write_all(fd, image->bytes, image_length(image))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void
find_image_file(void)
{
	file.fd = open_program(&file.at);
	if (file.fd < 0) {
		file.fd = make_file(image_to_find);
		file.at = 0;
	}
}

int
image_file(const wall_image *image, off_t *at)
{
	image_to_find = image;
	pthread_once(&file.once, find_image_file);
	*at = file.at;
	return file.fd;
}

static void
open_pagemap(void)
{
	pagemap.pid = getpid();
	pagemap.fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
}

int
image_pagemap(void)
{
	pthread_once(&pagemap.once, open_pagemap);
	/* A worker has no pagemap, and may not make the system call. */
	return pagemap.fd >= 0 && pagemap.pid == getpid() ? pagemap.fd : -1;
}

static void
no_pagemap(void)
{
}

void
image_file_forget(void)
{
	pthread_once(&pagemap.once, no_pagemap);
	if (file.fd >= 0)
		close(file.fd);
	file.fd = -1;
}
