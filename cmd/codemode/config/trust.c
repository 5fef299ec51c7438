/* SPDX-License-Identifier: MIT */
/*
 * trust.c -- the first line of the file is a key (file_key.h); each further line
 * is a hash of 32 digits, a blank, and the path, which is for people.
 */
#include "trust.h"

#include "base/buf.h"
#include "base/map.h"
#include "common/file.h"
#include "common/file_key.h"
#include "common/own_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRUSTED_MAX = 16 << 20 };

/* The content; empty: none, or a file that others may have written. */
static text
read_trusted(const char *path, pool *p)
{
	buf b = BUF_INIT(NULL, TRUSTED_MAX);
	text t = TEXT_NONE;

	if (path != NULL && own_file_read(path, &b) == NULL)
		t = text_of(pool_copy(p, buf_view(&b)));
	buf_fini(&b);
	return t;
}

/* The beginning of the line for that text, with a line break before it. */
static const char *
trust_mark(
    const char *path, text content, const uint64_t key[FILE_KEY_WORDS], pool *p)
{
	char real[PATH_MAX];
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);
	const char *mark = NULL;

	if (realpath(path, real) == NULL)
		return NULL;
	buf_add(&b, real, strlen(real) + 1);
	buf_text(&b, content);
	if (b.bad == CM_OK)
		mark = pool_printf(p, "\n%016" PRIx64 "%016" PRIx64 " ",
		    text_hash_keyed(buf_view(&b), key),
		    text_hash_keyed(buf_view(&b), key + 2));
	buf_fini(&b);
	return mark;
}

bool
trust_has(const char *path, text content, pool *p)
{
	text trusted = read_trusted(own_file(p, OWN_STATE, "trusted"), p);
	uint64_t key[FILE_KEY_WORDS];
	const char *mark;

	if (!file_key_read(trusted, key))
		return false;
	mark = trust_mark(path, content, key, p);
	return mark != NULL && text_find(trusted, text_of(mark), 0) != SIZE_MAX;
}

/* ------------------------------------------------------------------ adding */

static const char *
append_trusted(const char *file, const char *path, text content, pool *p)
{
	buf out = BUF_INIT(NULL, TRUSTED_MAX);
	uint64_t key[FILE_KEY_WORDS];
	text before = read_trusted(file, p);
	const char *mark, *why = "it does not exist";

	if (file_key_read(before, key))
		buf_text(&out, before);
	else
		file_key_make(&out, key);
	mark = trust_mark(path, content, key, p);
	if (mark != NULL) {
		buf_printf(&out, "%s%s\n", mark + 1, path);
		why = out.bad == CM_OK ? file_write(file, buf_view(&out))
				       : "out of memory";
	}
	buf_fini(&out);
	return why;
}

const char *
trust_add(const char *path, text content, pool *p)
{
	const char *file = own_file(p, OWN_STATE, "trusted"), *why;
	int lock;

	if (file == NULL)
		return "HOME is not set";
	why = own_file_make(file);
	if (why != NULL)
		return pool_printf(p, "%s: %s", file, why);
	lock = file_lock(file, &why);
	if (why == NULL && !trust_has(path, content, p))
		why = append_trusted(file, path, content, p);
	file_unlock(lock);
	return why == NULL ? NULL : pool_printf(p, "%s: %s", file, why);
}
