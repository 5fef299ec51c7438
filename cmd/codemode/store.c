/* SPDX-License-Identifier: MIT */
/*
 * store.c -- changes a JSON object in a file without rebuilding its values.
 *
 * Two runs that end at once take turns: the folder is locked while the file is
 * read, changed and replaced (a lock on the file itself would be lost with the
 * file, one in a file of its own would lie about for ever).
 */
#include "store.h"

#include "base/map.h"
#include "file.h"
#include "pool.h"

#include <codemode/codemode.h>

#include <fcntl.h>
#include <libgen.h>
#include <sys/file.h>
#include <unistd.h>

enum { STORE_MAX_BYTES = 256 << 20 };

bool
store_load(const char *path, buf *out, say *s)
{
	const char *why = file_missing(path) ? NULL : file_read(path, out);
	json_fault fault;
	unsigned line, column;
	json v;

	if (why != NULL) {
		say_line(s, "%s: the store cannot be read: %s", path, why);
		return false;
	}
	if (text_trim(buf_view(out)).len == 0) {
		buf_clear(out);
		buf_str(out, "{}");
	}
	if (!json_check(buf_view(out), JSON_DEPTH, &v, &fault)) {
		text_position(buf_view(out), fault.at, &line, &column);
		say_line(s, "%s:%u:%u: the store is not JSON: %s", path, line,
		    column, fault.why);
		return false;
	}
	if (json_kind_of(v) != JSON_OBJECT) {
		say_line(s, "%s: the store must be a JSON object", path);
		return false;
	}
	return true;
}

/* The text that a JSON string stands for; lives as long as the pool. */
static text
unescaped(json string, pool *p)
{
	buf b = BUF_INIT(NULL, STORE_MAX_BYTES);
	text t;

	json_unescape(string, &b);
	t = (text){pool_copy(p, buf_view(&b)), b.len};
	buf_fini(&b);
	return t;
}

static void
add_member(buf *out, json key, json value, bool *first)
{
	buf_str(out, *first ? "\n  " : ",\n  ");
	buf_text(out, key);
	buf_str(out, ": ");
	buf_text(out, value);
	*first = false;
}

/* Every key that changes: the old members with one of them go. */
static void
changed_keys(json changes, map *keys, pool *p)
{
	json_iter set = json_each(json_get(changes, TEXT("set")));
	json_iter gone = json_each(json_get(changes, TEXT("delete")));
	json key, value;

	while (json_next(&set, &key, &value))
		map_set(keys, unescaped(key, p), 1);
	while (json_next(&gone, NULL, &value))
		map_set(keys, unescaped(value, p), 1);
}

void
store_change(json old, json changes, buf *out)
{
	json_iter was = json_each(old);
	json_iter set = json_each(json_get(changes, TEXT("set")));
	map keys = MAP_INIT(NULL);
	pool p = {NULL};
	bool first = true;
	json key, value;

	changed_keys(changes, &keys, &p);
	buf_byte(out, '{');
	while (json_next(&was, &key, &value))
		if (map_get(&keys, unescaped(key, &p)) == MAP_NONE)
			add_member(out, key, value, &first);
	while (json_next(&set, &key, &value))
		add_member(out, key, value, &first);
	buf_str(out, first ? "}\n" : "\n}\n");
	map_fini(&keys);
	pool_fini(&p);
}

static int
lock_folder(const char *path)
{
	pool p = {NULL};
	int fd = open(dirname(pool_copy(&p, text_of(path))),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		flock(fd, LOCK_EX);
	pool_fini(&p);
	return fd;
}

bool
store_save(const char *path, json changes, say *s)
{
	buf old = BUF_INIT(NULL, STORE_MAX_BYTES);
	buf made = BUF_INIT(NULL, STORE_MAX_BYTES);
	int lock = lock_folder(path);
	bool ok = store_load(path, &old, s);
	const char *why = NULL;

	if (ok) {
		store_change(text_trim(buf_view(&old)), changes, &made);
		why = made.bad == CM_OK ? file_write(path, buf_view(&made))
					: cm_status_text(made.bad);
	}
	if (why != NULL)
		say_line(s, "%s: the store cannot be written: %s", path, why);
	if (lock >= 0)
		close(lock);
	buf_fini(&made);
	buf_fini(&old);
	return ok && why == NULL;
}
