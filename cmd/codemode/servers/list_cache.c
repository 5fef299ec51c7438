/* SPDX-License-Identifier: MIT */
/* list_cache.c -- see list_cache.h. */
#include "list_cache.h"

#include "common/own_file.h"

#include "base/map.h"

#include <codemode/codemode.h>

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------- names */

/* Adds a text and a byte that no text has, so that "a", "b" differs from
 * "ab". */
static void
put_key_text(buf *key, const char *t)
{
	buf_str(key, t != NULL ? t : "");
	buf_byte(key, '\0');
}

static void
put_key_texts(buf *key, char *const *list)
{
	for (; list != NULL && *list != NULL; list++)
		put_key_text(key, *list);
	buf_byte(key, '\1');
}

/* Adds the names of "NAME=value" and "Name: value". */
static void
put_key_names(buf *key, char *const *list, const char *ends)
{
	for (; list != NULL && *list != NULL; list++) {
		buf_add(key, *list, strcspn(*list, ends));
		buf_byte(key, '\0');
	}
	buf_byte(key, '\1');
}

char *
list_cache_path(pool *p, const server_config *c)
{
	buf key = BUF_INIT(NULL, SIZE_MAX / 2);
	char *path = NULL;

	put_key_text(&key, CM_VERSION);
	put_key_text(&key, c->name);
	put_key_texts(&key, c->argv);
	put_key_text(&key, c->cwd);
	put_key_text(&key, c->url);
	put_key_names(&key, c->env, "=");
	put_key_names(&key, c->headers, ":");
	if (key.bad == CM_OK)
		path = own_file(p, OWN_CACHE,
		    pool_printf(p, "tools/%016" PRIx64 "%016" PRIx64 ".json",
			text_hash(buf_view(&key), 0),
			text_hash(buf_view(&key), 1)));
	buf_fini(&key);
	return path;
}

/* ------------------------------------------------------------------- files */

bool
list_cache_read(const char *path, buf *lists)
{
	return path != NULL && own_file_read(path, lists) == NULL;
}

/* Counts the files of the folder and finds the oldest. */
static size_t
count_files(DIR *folder, char *oldest, size_t size)
{
	struct timespec first = {0};
	struct dirent *e;
	struct stat st;
	size_t n = 0;

	while ((e = readdir(folder)) != NULL) {
		if (e->d_name[0] == '.' ||
		    fstatat(dirfd(folder), e->d_name, &st, 0) != 0)
			continue;
		if (n++ > 0 && (st.st_mtim.tv_sec > first.tv_sec ||
				   (st.st_mtim.tv_sec == first.tv_sec &&
				       st.st_mtim.tv_nsec >= first.tv_nsec)))
			continue;
		first = st.st_mtim;
		snprintf(oldest, size, "%s", e->d_name);
	}
	return n;
}

static void
make_room_beside(const char *path)
{
	char above[4096], oldest[256];
	const char *slash = strrchr(path, '/');
	DIR *folder;

	snprintf(above, sizeof(above), "%.*s", (int)(slash - path), path);
	folder = opendir(above);
	if (folder == NULL)
		return;
	if (count_files(folder, oldest, sizeof(oldest)) > LIST_CACHE_FILES)
		unlinkat(dirfd(folder), oldest, 0);
	closedir(folder);
}

void
list_cache_write(const char *path, text lists)
{
	if (path == NULL || lists.len > LIST_CACHE_BYTES ||
	    own_file_write(path, lists) != NULL)
		return;
	make_room_beside(path);
}
