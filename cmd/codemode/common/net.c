/* SPDX-License-Identifier: MIT */
/* net.c -- see net.h. */
#include "net.h"

#include "beside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const net *own_parts;
static char **own_argv;
static off_t read_of_stdin; /* bytes of a file that were read from it */

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

/* Makes t what the descriptor holds, also for a program that is executed. */
static void
replace_input(int fd, text t)
{
	int memory = memfd_create("input", MFD_CLOEXEC);

	/* Not executable, or it would be taken for a command. */
	if (memory >= 0 && write_all_to(memory, t) &&
	    lseek(memory, 0, SEEK_SET) == 0 && fchmod(memory, 0600) == 0)
		dup2(memory, fd);
	if (memory >= 0)
		close(memory);
}

/* The descriptor that a path stands for; -1: it is another path. */
static int
descriptor_of_path(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	size_t i;

	if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0)
		return STDIN_FILENO;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return atoi(path + strlen(folders[i]));
	return -1;
}

void
net_input_read(const char *path, int fd, text bytes)
{
	int named = descriptor_of_path(path);

	if (own_argv == NULL || own_parts != NULL || named < 0)
		return;
	if (lseek(fd, 0, SEEK_CUR) < 0)
		replace_input(named, bytes);
	else if (fd == STDIN_FILENO)
		read_of_stdin += (off_t)bytes.len;
}

cli_exit
net_execute(say *s, const char *what)
{
	char path[BESIDE_MAX];
	const char *program = beside(path, sizeof(path), "codemode-net");

	lseek(STDIN_FILENO, -read_of_stdin, SEEK_CUR);
	execv(program, own_argv);
	say_line(s, "%s needs the program codemode-net: %s: %s", what, program,
	    strerror(errno));
	return CLI_USAGE;
}
