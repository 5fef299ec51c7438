/* SPDX-License-Identifier: MIT */
/* tokens.c -- see tokens.h. */
#include "tokens.h"

#include "common/file.h"
#include "common/own_file.h"
#include "crypto.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

enum { FILE_MAX_BYTES = 512 << 10, HOST_MAX = 60 };

/* -------------------------------------------------------------- its place */

static const char *
find_folder(char *out, size_t n)
{
	pool p = {0};
	const char *folder = own_file(&p, OWN_STATE, "tokens");
	int len = snprintf(out, n, "%s", folder != NULL ? folder : "");

	pool_fini(&p);
	if (len == 0)
		return "neither XDG_STATE_HOME nor HOME is set";
	return (size_t)len < n ? NULL : strerror(ENAMETOOLONG);
}

/* Letters and digits of the URL's host, for people who look. */
static void
name_host(const char *url, char out[HOST_MAX + 1])
{
	const char *p = strstr(url, "://");
	size_t n = 0;

	for (p = p ? p + 3 : url; *p && *p != '/' && n < HOST_MAX; p++)
		out[n++] =
		    is_ascii_word((unsigned char)*p) || *p == '.' ? *p : '-';
	out[n] = '\0';
}

const char *
tokens_open(token_file *f, const char *url)
{
	char folder[PATH_MAX - 200], host[HOST_MAX + 1];
	unsigned char digest[32];
	const char *why = find_folder(folder, sizeof(folder));
	int len;

	if (why != NULL)
		return why;
	if (strlen(url) >= sizeof(f->url))
		return "its URL is too long";
	strcpy(f->url, url);
	name_host(url, host);
	crypto_sha256(text_of(url), digest);
	len = snprintf(f->path, sizeof(f->path), "%s/%s-", folder, host);
	for (size_t i = 0; i < 16; i++)
		len += sprintf(f->path + len, "%02x", digest[i]);
	strcpy(f->path + len, ".json");
	return NULL;
}

/* ------------------------------------------------------------ its content */

const char *
tokens_read(const token_file *f, buf *bytes, json *kept)
{
	const char *why;

	*kept = TEXT_NONE;
	buf_clear(bytes);
	if (file_missing(f->path))
		return NULL;
	why = own_file_read(f->path, bytes);
	if (why != NULL)
		return why;
	if (!json_check(buf_view(bytes), 64, kept, NULL) ||
	    json_kind_of(*kept) != JSON_OBJECT) {
		*kept = TEXT_NONE;
		return "it is no JSON object";
	}
	if (*f->url != '\0' &&
	    !json_is(json_get(*kept, TEXT("server")), text_of(f->url)))
		*kept = TEXT_NONE;
	return NULL;
}

const char *
tokens_write(const token_file *f, json kept)
{
	buf pretty = BUF_INIT(NULL, FILE_MAX_BYTES);
	const char *why;

	json_pretty(&pretty, kept);
	buf_byte(&pretty, '\n');
	why = pretty.bad == CM_OK ? own_file_write(f->path, buf_view(&pretty))
				  : "there is no memory";
	buf_fini(&pretty);
	return why;
}

/* The lock file stays: another process may wait for it. */
const char *
tokens_remove(const token_file *f, bool *found)
{
	*found = unlink(f->path) == 0;
	return *found || errno == ENOENT ? NULL : strerror(errno);
}

/* ---------------------------------------------------------------- locking */

int
tokens_lock(const token_file *f, const char **why)
{
	char lock[PATH_MAX + 8];
	int fd;

	snprintf(lock, sizeof(lock), "%s.lock", f->path);
	*why = own_file_make(lock);
	if (*why != NULL)
		return -1;
	fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	if (fd < 0 || errno != EWOULDBLOCK)
		*why = strerror(errno);
	if (fd >= 0)
		close(fd);
	return -1;
}

void
tokens_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

/* ------------------------------------------------------------ all of them */

const char *
tokens_each(void (*each)(void *ctx, const token_file *f), void *ctx)
{
	char folder[PATH_MAX - 300];
	const char *why = find_folder(folder, sizeof(folder));
	struct dirent **names;
	int n;

	if (why != NULL)
		return why;
	n = scandir(folder, &names, NULL, alphasort);
	if (n < 0)
		return errno == ENOENT ? NULL : strerror(errno);
	for (int i = 0; i < n; i++) {
		token_file f = {.url = ""};

		if (text_ends(text_of(names[i]->d_name), TEXT(".json"))) {
			snprintf(f.path, sizeof(f.path), "%s/%s", folder,
			    names[i]->d_name);
			each(ctx, &f);
		}
		free(names[i]);
	}
	free(names);
	return NULL;
}
