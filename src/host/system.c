/* SPDX-License-Identifier: MIT */
/* system.c -- see system.h. */
#define _GNU_SOURCE
#include "system.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ZONE_NAME_MAX 64
#define ZONE_FILE_MAX 6144 /* bytes; the largest has 3,600 */

static uint64_t
system_now_ms(void *ctx)
{
	struct timespec t;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int64_t
system_epoch_us(void *ctx)
{
	struct timespec t;

	(void)ctx;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void
system_random(void *ctx, void *bytes, size_t len)
{
	char *p = bytes;

	(void)ctx;
	while (len > 0) {
		size_t n = len < 256 ? len : 256;

		must(getentropy(p, n) == 0);
		p += n;
		len -= n;
	}
}

static int32_t
system_zone(void *ctx, int64_t epoch_s)
{
	time_t at = (time_t)epoch_s;
	struct tm tm;

	(void)ctx;
	return localtime_r(&at, &tm) == NULL ? 0 : (int32_t)tm.tm_gmtoff;
}

static bool
is_zone_name(text name)
{
	size_t i;

	for (i = 0; i < name.len; i++)
		if (!is_ascii_word((unsigned char)name.ptr[i]) &&
		    (name.ptr[i] == 0 || strchr("+-/", name.ptr[i]) == NULL))
			return false;
	return name.len > 0 && name.len <= ZONE_NAME_MAX && name.ptr[0] != '/';
}

/* The name of the zone that localtime uses: $TZ, or where /etc/localtime leads. */
static void
local_zone_name(buf *out)
{
	const char *tz = getenv("TZ"), *name;
	char path[256];
	ssize_t n;

	if (tz != NULL && *tz != 0) {
		name = *tz == ':' ? tz + 1 : tz;
	} else {
		n = readlink("/etc/localtime", path, sizeof(path) - 1);
		path[n < 0 ? 0 : n] = 0;
		name = strstr(path, "zoneinfo/");
		if (name == NULL)
			return;
		name += strlen("zoneinfo/");
	}
	if (is_zone_name(text_of(name)))
		buf_str(out, name);
}

/* False: there is no such file, or it is no zone's. */
static bool
read_zone(const char *path, unsigned char *bytes, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = read(fd, bytes, *len);
	close(fd);
	if (n < 4 || memcmp(bytes, "TZif", 4) != 0)
		return false;
	*len = (size_t)n;
	return true;
}

void
system_zone_file(void *ctx, text name, buf *out)
{
	const char *folder = getenv("TZDIR");
	unsigned char bytes[ZONE_FILE_MAX];
	char path[512], utf8[4];
	size_t i, len = sizeof(bytes);
	int n;

	(void)ctx;
	if (name.len == 0)
		local_zone_name(out);
	if (!is_zone_name(name))
		return;
	n = snprintf(path, sizeof(path), "%s/%.*s",
	    folder != NULL ? folder : "/usr/share/zoneinfo", TEXT_ARG(name));
	if (n < 0 || (size_t)n >= sizeof(path) || !read_zone(path, bytes, &len))
		return;
	for (i = 0; i < len; i++)
		buf_add(out, utf8, utf8_put(bytes[i], utf8));
}

engine_host
system_host(void)
{
	return (engine_host){NULL, system_now_ms, system_epoch_us,
	    system_random, system_zone, system_zone_file, true, false};
}

void
system_wait(int handle, int writable, uint64_t ms)
{
	struct pollfd fd = {handle, POLLIN, 0};

	if (writable)
		fd.events |= POLLOUT;
	poll(&fd, 1, ms > INT_MAX ? -1 : (int)ms);
}
