/* SPDX-License-Identifier: MIT */
/* own_file.c -- see own_file.h. */
#include "own_file.h"

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *variable, *below_home;
} places[] = {
    [OWN_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    [OWN_STATE] = {"XDG_STATE_HOME", ".local/state"},
    [OWN_CACHE] = {"XDG_CACHE_HOME", ".cache"},
};

char *
own_file(pool *p, own_place place, const char *name)
{
	const char *above = getenv(places[place].variable);
	const char *home = getenv("HOME");

	if (above != NULL && *above == '/')
		return pool_printf(p, "%s/codemode/%s", above, name);
	if (home == NULL || *home != '/')
		return NULL;
	return pool_printf(
	    p, "%s/%s/codemode/%s", home, places[place].below_home, name);
}

/* NULL, or why what is in the file is not for us to use. */
static const char *
check_rights(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return strerror(errno);
	if (st.st_uid != geteuid())
		return "it belongs to another user";
	if ((st.st_mode & 077) != 0)
		return "others can read or write it: chmod 600";
	return NULL;
}

const char *
own_file_read(const char *path, buf *out)
{
	const char *why = check_rights(path);

	return why != NULL ? why : file_read(path, out);
}

static int
make_own_folders(char *path)
{
	for (char *at = path + 1; (at = strchr(at, '/')) != NULL; at++) {
		int r;

		*at = '\0';
		r = mkdir(path, 0700);
		*at = '/';
		if (r != 0 && errno != EEXIST)
			return errno;
	}
	return 0;
}

const char *
own_file_make(const char *path)
{
	char *copy = strdup(path);
	int r = copy != NULL ? make_own_folders(copy) : ENOMEM;
	int fd;

	free(copy);
	if (r != 0)
		return strerror(r);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return strerror(errno);
	close(fd);
	return check_rights(path);
}

const char *
own_file_write(const char *path, text content)
{
	const char *why = own_file_make(path);

	return why != NULL ? why : file_write(path, content);
}
