/* SPDX-License-Identifier: MIT */
/* net.c -- see net.h. */
#include "net.h"

#include "beside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const net *own_parts;
static char **own_argv;

/* A copy: reading the options moves words of the list. */
static char **
copy_list(char **list)
{
	size_t n = 1;
	char **copy;

	while (list[n - 1] != NULL)
		n++;
	copy = malloc(n * sizeof(*copy));
	if (copy != NULL)
		memcpy(copy, list, n * sizeof(*copy));
	return copy ? copy : list;
}

void
net_init(const net *parts, char **argv)
{
	own_parts = parts;
	own_argv = parts ? argv : copy_list(argv);
}

const net *
net_parts(void)
{
	return own_parts;
}

static bool
write_all_to(int fd, text t)
{
	while (t.len > 0) {
		ssize_t n = write(fd, t.ptr, t.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		t = text_sub(t, (size_t)n, t.len);
	}
	return true;
}

/* Makes t what stdin holds. */
static bool
replace_stdin(text t)
{
	int fd = memfd_create("stdin", MFD_CLOEXEC);
	bool ok = fd >= 0 && write_all_to(fd, t) &&
		  lseek(fd, 0, SEEK_SET) == 0 && dup2(fd, 0) == 0;

	if (fd > 0)
		close(fd);
	return ok;
}

cli_exit
net_execute(say *s, const char *what, const text *input)
{
	char path[BESIDE_MAX];
	const char *program = beside(path, sizeof(path), "codemode-net");

	if (input == NULL || replace_stdin(*input))
		execv(program, own_argv);
	say_line(s, "%s needs the program codemode-net: %s: %s", what, program,
	    strerror(errno));
	return CLI_USAGE;
}
