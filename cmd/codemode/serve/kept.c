/* SPDX-License-Identifier: MIT */
/* kept.c -- see kept.h. The file is STORE.results: {"ID": [SECONDS, VALUE]}. */
#include "kept.h"

#include "common/file.h"

#include <codemode/codemode.h>

#include <stdio.h>

static void
drop_oldest(kept *k)
{
	buf_fini(&k->result[0].value);
	k->len--;
	memmove(&k->result[0], &k->result[1], k->len * sizeof(*k->result));
}

void
kept_fini(kept *k)
{
	while (k->len > 0)
		drop_oldest(k);
}

static size_t
kept_bytes(const kept *k)
{
	size_t sum = 0;

	for (size_t i = 0; i < k->len; i++)
		sum += k->result[i].value.len;
	return sum;
}

static void
keep_result(kept *k, uint32_t id, json value, int64_t at_s)
{
	buf copy = BUF_INIT(NULL, KEPT_BYTES);

	buf_text(&copy, value);
	if (copy.bad != CM_OK) {
		buf_fini(&copy);
		return;
	}
	while (k->len == KEPT_RESULTS ||
	       (k->len > 0 && kept_bytes(k) + value.len > KEPT_BYTES))
		drop_oldest(k);
	k->result[k->len++] = (kept_result){id, at_s, copy};
}

uint32_t
kept_add(kept *k, json value, int64_t now_s)
{
	size_t before = k->len;
	uint32_t id = k->last + 1;

	keep_result(k, id, value, now_s);
	if (k->len == 0 || k->result[k->len - 1].id != id) {
		k->len = before;
		return 0;
	}
	return k->last = id;
}

void
kept_drop_old(kept *k, int64_t now_s)
{
	while (k->len > 0 && now_s - k->result[0].at_s > KEPT_SECONDS)
		drop_oldest(k);
}

void
kept_write_store(kept *k, json store, int64_t now_s, buf *out)
{
	kept_drop_old(k, now_s);
	if (store.len == 0)
		store = TEXT("{}");
	buf_text(out, text_sub(store, 0, store.len - 1));
	for (size_t i = 0; i < k->len; i++) {
		bool first = i == 0 && json_len(store) == 0;

		buf_printf(out, "%s\"" CM_RESULT_KEY "%u\":", first ? "" : ",",
		    k->result[i].id);
		buf_text(out, buf_view(&k->result[i].value));
	}
	buf_byte(out, '}');
}

/* ---------------------------------------------------------------- the file */

static void
name_results(const char *path, char *out, size_t size)
{
	snprintf(out, size, "%s.results", path);
}

void
kept_load(kept *k, const char *path, say *s)
{
	buf bytes = BUF_INIT(NULL, 2 * KEPT_BYTES);
	json all, key, member;
	char name[4096];
	json_iter it;
	const char *why;

	name_results(path, name, sizeof(name));
	if (file_missing(name))
		return;
	if ((why = file_read(name, &bytes)) != NULL)
		say_line(
		    s, "%s: the kept results cannot be read: %s", name, why);
	else if (json_check(buf_view(&bytes), JSON_DEPTH, &all, NULL)) {
		it = json_each(all);
		while (json_next(&it, &key, &member)) {
			size_t at = 1;
			uint32_t id = (uint32_t)text_decimal(key, &at);
			int64_t when = 0;

			json_int(json_at(member, 0), &when);
			keep_result(k, id, json_at(member, 1), when);
			k->last = id > k->last ? id : k->last;
		}
	}
	buf_fini(&bytes);
}

const char *
kept_save(const kept *k, const char *path)
{
	buf out = BUF_INIT(NULL, 2 * KEPT_BYTES);
	char name[4096];
	const char *why;

	name_results(path, name, sizeof(name));
	for (size_t i = 0; i < k->len; i++)
		buf_printf(&out, "%c\n\"%u\": [%lld, %.*s]", i ? ',' : '{',
		    k->result[i].id, (long long)k->result[i].at_s,
		    TEXT_ARG(buf_view(&k->result[i].value)));
	buf_str(&out, "\n}\n");
	why = out.bad != CM_OK ? cm_status_text(out.bad)
			       : file_write(name, buf_view(&out));
	buf_fini(&out);
	return why;
}
