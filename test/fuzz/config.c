/* SPDX-License-Identifier: MIT */
/*
 * config.c -- fuzz target: the reader of configuration files. Whatever a file
 * holds, each server in it either can be started or was told about.
 */

#include "fuzz.h"

#include "cmd/codemode/config/config.h"

#include <codemode/codemode.h>

#include <sys/mman.h>
#include <unistd.h>

/* The library's own is in a file that brings the engine with it. */
const char *
cm_status_text(cm_status s)
{
	(void)s;
	return "something is wrong";
}

static FILE *nowhere;

static void
look_at(const config *c)
{
	size_t i;

	for (i = 0; i < c->len; i++) {
		const config_entry *e = &c->entry[i];

		HOLDS(e->start.name != NULL);
		if (e->fate != CONFIG_START)
			continue;
		if (e->start.reach == REACH_PROCESS)
			HOLDS(e->start.argv != NULL &&
			      e->start.argv[0] != NULL && e->start.env != NULL);
		else
			HOLDS(e->start.url != NULL);
		(void)config_tool(e, TEXT("tool"));
	}
	HOLDS(config_count(c, CONFIG_START) + config_count(c, CONFIG_WRONG) +
		  config_count(c, CONFIG_OFF) ==
	      c->len);
}

static void
read_file(config *c, text in)
{
	int fd = memfd_create("config", 0);
	char path[64];

	HOLDS(fd >= 0);
	if (in.len > 0)
		HOLDS(write(fd, in.ptr, in.len) == (ssize_t)in.len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	(void)config_file(c, path);
	close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	text in = {(const char *)bytes, len};
	say s;
	config c;

	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	say_init(&s);
	s.quiet = true;
	s.to = nowhere;
	config_init(&c, &s);
	read_file(&c, in);
	look_at(&c);
	if (len > 0 && len < 200 && memchr(bytes, 0, len) == NULL) {
		char *command = strndup((const char *)bytes, len);

		(void)config_command(&c, command);
		free(command);
		look_at(&c);
	}
	config_fini(&c);
	return 0;
}
