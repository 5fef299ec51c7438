/* SPDX-License-Identifier: MIT */
/*
 * moved_clock.c -- a clock that a test moves on, for a whole program.
 *
 * The environment variable CODEMODE_TEST_CLOCK names a file with two numbers of
 * 64 bits: how many milliseconds the program's clock is ahead of the machine's,
 * and how often free memory was to be given back to the kernel. Without the
 * variable the clock is the machine's. Only programs of tests are linked with
 * this.
 */
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 5 }; /* so often a program that waits looks at the file */

typedef struct moved_clock {
	volatile uint64_t ahead_ms;
	volatile uint64_t trims;
} moved_clock;

static moved_clock machine_clock;
static moved_clock *moved = &machine_clock;

__attribute__((constructor)) static void
map_clock(void)
{
	const char *path = getenv("CODEMODE_TEST_CLOCK");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *at;

	if (fd < 0)
		return;
	at = mmap(NULL, sizeof(*moved), PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (at != MAP_FAILED)
		moved = at;
}

/* For the libraries, too: their calls lead here. */
int
clock_gettime(clockid_t id, struct timespec *t)
{
	int r = (int)syscall(SYS_clock_gettime, id, t);
	uint64_t ms = moved->ahead_ms;

	if (id != CLOCK_MONOTONIC && id != CLOCK_MONOTONIC_COARSE)
		return r;
	t->tv_sec += (time_t)(ms / 1000);
	t->tv_nsec += (long)(ms % 1000) * 1000000;
	if (t->tv_nsec >= 1000000000) {
		t->tv_nsec -= 1000000000;
		t->tv_sec++;
	}
	return r;
}

static uint64_t
moved_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void
trim_when_asked(void)
{
	static uint64_t trims;

	if (moved->trims == trims)
		return;
	trims = moved->trims;
	malloc_trim(0);
}

/* Waits in slices, so that a clock that was moved on ends the wait. */
int
epoll_pwait(int fd, struct epoll_event *events, int max, int wait_ms,
    const sigset_t *mask)
{
	uint64_t from = moved_now_ms();

	for (;;) {
		uint64_t gone = moved_now_ms() - from;
		int slice = LOOK_MS, r;

		trim_when_asked();
		if (wait_ms >= 0 && gone >= (uint64_t)wait_ms)
			slice = 0;
		r = (int)syscall(
		    SYS_epoll_pwait, fd, events, max, slice, mask, (size_t)8);
		if (r != 0 || slice == 0)
			return r;
	}
}

int
epoll_wait(int fd, struct epoll_event *events, int max, int wait_ms)
{
	return epoll_pwait(fd, events, max, wait_ms, NULL);
}
