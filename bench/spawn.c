/* SPDX-License-Identifier: MIT */
/*
 * spawn.c -- how long a whole process takes, and how much memory.
 *
 *	spawn PROGRAM ARGUMENTS...
 *
 * Runs the program with its output thrown away and prints "MILLISECONDS
 * PEAK_KILOBYTES EXIT CPU_MILLISECONDS". The processor time includes the
 * children that the program waited for. spawn is a small program of its own,
 * because a child's peak begins with what its parent held.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double
in_ms(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static _Noreturn void
become(char **argv)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (nowhere >= 0) {
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
	execvp(argv[0], argv);
	_exit(127);
}

int
main(int argc, char **argv)
{
	struct rusage used;
	double began = now();
	int status;
	pid_t child;

	if (argc < 2)
		return EXIT_FAILURE;
	child = fork();
	if (child < 0)
		return EXIT_FAILURE;
	if (child == 0)
		become(argv + 1);
	if (wait4(child, &status, 0, &used) != child)
		return EXIT_FAILURE;
	printf("%.4f %ld %d %.3f\n", now() - began, used.ru_maxrss,
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128,
	    in_ms(used.ru_utime) + in_ms(used.ru_stime));
	return EXIT_SUCCESS;
}
