/* SPDX-License-Identifier: MIT */
/*
 * store_file.c -- changes a JSON object in a file without rebuilding its
 * values.
 *
 * Runs that end at the same time take turns: the file's folder is locked while
 * the file is read, changed and replaced. A lock on the file itself would be
 * lost when the file is replaced; a lock file would stay behind.
 */
#include "store_file.h"

#include "base/map.h"
#include "common/file.h"

#include <codemode/codemode.h>

/* Characters of keys and JSON that a script may keep in all; the library's own
 * limit (doc/result.md). A merge of two runs can pass it. */
enum { KEPT_MAX = 1 << 20 };

static bool
store_failed(const char *path, const char *verb, const char *why, say *s)
{
	if (why != NULL)
		say_line(s, "%s: the store cannot be %s: %s", path, verb, why);
	return why != NULL;
}

bool
store_file_check(const char *path, say *s)
{
	return !store_failed(path, "written", file_check_writable(path), s);
}

bool
store_file_read(const char *path, buf *bytes, json *values, say *s)
{
	const char *why = file_missing(path) ? NULL : file_read(path, bytes);
	text bom = TEXT("\xef\xbb\xbf");
	json_fault fault;
	unsigned line, column;

	if (store_failed(path, "read", why, s))
		return false;
	if (text_starts(buf_view(bytes), bom))
		buf_drop(bytes, bom.len);
	*values = TEXT("{}");
	if (text_trim(buf_view(bytes)).len == 0)
		return true;
	if (!json_check(buf_view(bytes), JSON_DEPTH, values, &fault)) {
		text_position(buf_view(bytes), fault.at, &line, &column);
		say_line(s, "%s:%u:%u: the store is not JSON: %s", path, line,
		    column, fault.why);
		return false;
	}
	if (json_kind_of(*values) == JSON_OBJECT)
		return true;
	say_line(s, "%s: the store must be a JSON object", path);
	return false;
}

/* ------------------------------------------------------------------ merging */

/* The object that is being written, and the text of all keys that change. */
typedef struct merge {
	buf *out;
	buf names; /* unescaped, one behind the other; borrowed by .keys */
	map keys;
	size_t kept;  /* UTF-16 units of keys and values in out */
	size_t had;   /* the same of the old object */
	bool refused; /* no memory for .keys */
} merge;

/* The text of a key, at the end of m->names. */
static text
key_text(merge *m, json key)
{
	size_t from = m->names.len;

	json_unescape(key, &m->names);
	return text_sub(buf_view(&m->names), from, m->names.len);
}

/* m->names must not move while m->keys borrows from it: its memory is taken
 * before the first key. Escapes are never shorter than what they stand for. */
static void
note_keys(merge *m, json changes)
{
	json_iter set = json_each(json_get(changes, TEXT("set")));
	json_iter removed = json_each(json_get(changes, TEXT("delete")));
	json key, value;

	while (json_next(&set, &key, &value))
		m->refused |= map_set(&m->keys, key_text(m, key), 1) != CM_OK;
	while (json_next(&removed, NULL, &value))
		m->refused |= map_set(&m->keys, key_text(m, value), 1) != CM_OK;
}

static void
merge_member(merge *m, json key, json value, size_t units)
{
	buf_str(m->out, m->kept == 0 ? "\n  " : ",\n  ");
	buf_text(m->out, key);
	buf_str(m->out, ": ");
	buf_text(m->out, value);
	m->kept += units;
}

/* Writes members, without those that change when old. */
static void
merge_members(merge *m, json members, bool old)
{
	json_iter it = json_each(members);
	json key, value;

	while (json_next(&it, &key, &value)) {
		size_t mark = m->names.len;
		text name = key_text(m, key);
		size_t units = utf16_len(name) + utf16_len(value);

		m->had += old ? units : 0;
		if (!old || map_get(&m->keys, name) == MAP_NONE)
			merge_member(m, key, value, units);
		m->names.len = mark;
	}
}

static const char *
merge_fault(const merge *m)
{
	json checked;

	if (m->refused || m->names.bad != CM_OK)
		return cm_status_text(CM_ENOMEM);
	if (m->out->bad != CM_OK)
		return cm_status_text(m->out->bad);
	if (m->kept > KEPT_MAX && m->kept > m->had)
		return "it would hold more than 1048576 characters of keys "
		       "and JSON";
	if (!json_check(buf_view(m->out), JSON_DEPTH, &checked, NULL))
		return "a value is nested too deep to be read back";
	return NULL;
}

const char *
store_merge(json old, json changes, buf *out)
{
	merge m = {.out = out,
	    .names = BUF_INIT(NULL, SIZE_MAX / 2),
	    .keys = MAP_INIT(NULL)};
	const char *why;

	buf_room(&m.names, old.len + changes.len + 1);
	note_keys(&m, changes);
	buf_byte(out, '{');
	merge_members(&m, old, true);
	merge_members(&m, json_get(changes, TEXT("set")), false);
	buf_str(out, m.kept == 0 ? "}" : "\n}");
	why = merge_fault(&m);
	map_fini(&m.keys);
	buf_fini(&m.names);
	return why;
}

const char *
store_file_merge(const char *path, json changes, say *s)
{
	buf bytes = BUF_INIT(NULL, STORE_FILE_MAX);
	buf merged = BUF_INIT(NULL, STORE_FILE_MAX);
	const char *why = NULL;
	json old;
	int lock;

	if (json_len(json_get(changes, TEXT("set"))) +
		json_len(json_get(changes, TEXT("delete"))) ==
	    0)
		return NULL;
	lock = file_lock(path, &why);
	if (why == NULL && !store_file_read(path, &bytes, &old, s))
		why = "it cannot be read any more";
	if (why == NULL)
		why = store_merge(old, changes, &merged);
	buf_byte(&merged, '\n');
	if (why == NULL)
		why = file_write(path, buf_view(&merged));
	store_failed(path, "written", why, s);
	file_unlock(lock);
	buf_fini(&merged);
	buf_fini(&bytes);
	return why;
}
