/* SPDX-License-Identifier: MIT */
/*
 * learned.c -- see learned.h, and doc/format/learned.md for the file.
 */
#include "learned.h"

#include "shapes.h"

#include "base/sort.h"

#include <inttypes.h>

enum {
	VERSION = 1,
	KEY_MAX = 4096, /* bytes of both names */
	COUNT_MAX = 1000 * 1000 * 1000
};

void
learned_fini(learned *l)
{
	for (size_t i = 0; i < l->len; i++) {
		buf_fini(&l->tool[i].shape);
		mem_free(l->alloc, l->tool[i].block, l->tool[i].size);
	}
	mem_free(l->alloc, l->tool, l->cap * sizeof(*l->tool));
	map_fini(&l->by_key);
	*l = LEARNED_INIT(l->alloc);
}

/* -------------------------------------------------------------- the set */

/* Appends "0123456789abcdef 5 files read", a key that is unique for each
 * tool. */
static void
put_learned_key(buf *out, const learned_key *key)
{
	buf_printf(
	    out, "%016" PRIx64 " %zu ", key->definition, key->server.len);
	buf_text(out, key->server);
	buf_byte(out, ' ');
	buf_text(out, key->tool);
}

static uint32_t
learned_place(const learned *l, const learned_key *key)
{
	buf name = BUF_INIT(l->alloc, KEY_MAX + 100);
	uint32_t at = MAP_NONE;

	put_learned_key(&name, key);
	if (name.bad == CM_OK)
		at = map_get(&l->by_key, buf_view(&name));
	buf_fini(&name);
	return at;
}

const learned_tool *
learned_find(const learned *l, const learned_key *key)
{
	uint32_t at = learned_place(l, key);

	return at != MAP_NONE ? &l->tool[at] : NULL;
}

/* name: made by put_learned_key; the new entry owns it. */
static cm_status
enter_learned(learned *l, const learned_key *key, buf *name)
{
	void *array = l->tool;
	size_t len;
	learned_tool t = {
	    .key = *key, .shape = BUF_INIT(l->alloc, SHAPES_TEXT_MAX)};

	if (l->len == LEARNED_TOOLS_MAX)
		return CM_ELIMIT;
	if (!mem_grow(l->alloc, &array, &l->cap, l->len, sizeof(t)))
		return CM_ENOMEM;
	l->tool = array;
	t.block = buf_take(name, &len, &t.size);
	t.key.tool.ptr = t.block + len - key->tool.len;
	t.key.server.ptr = t.key.tool.ptr - 1 - key->server.len;
	if (map_set(&l->by_key, (text){t.block, len}, (uint32_t)l->len) !=
	    CM_OK) {
		mem_free(l->alloc, t.block, t.size);
		return CM_ENOMEM;
	}
	l->tool[l->len++] = t;
	return CM_OK;
}

/* Finds the tool, or adds it. NULL: *r says why not. */
static learned_tool *
tool_to_change(learned *l, const learned_key *key, cm_status *r)
{
	uint32_t at = learned_place(l, key);
	buf name = BUF_INIT(l->alloc, KEY_MAX + 100);

	*r = CM_OK;
	if (at != MAP_NONE)
		return &l->tool[at];
	put_learned_key(&name, key);
	*r = name.bad != CM_OK ? name.bad : enter_learned(l, key, &name);
	buf_fini(&name);
	return *r == CM_OK ? &l->tool[l->len - 1] : NULL;
}

static void
add_count(uint32_t *count, uint32_t *day, uint32_t more, uint32_t when)
{
	*count = more < COUNT_MAX - *count ? *count + more : COUNT_MAX;
	if (*day < when)
		*day = when;
}

cm_status
learned_use(learned *l, const learned_key *key, uint32_t day)
{
	cm_status r;
	learned_tool *t = tool_to_change(l, key, &r);

	if (t != NULL)
		add_count(&t->used, &t->used_day, 1, day);
	return r;
}

/* Sets the shape of the tool to made, if r is CM_OK. */
static cm_status
change_shape(learned_tool *t, buf *made, cm_status r, uint32_t n, uint32_t day)
{
	if (r == CM_OK) {
		buf_fini(&t->shape);
		t->shape = *made;
		add_count(&t->observed, &t->observed_day, n, day);
	} else {
		buf_fini(made);
	}
	return r;
}

cm_status
learned_result(learned *l, const learned_key *key, json value, uint32_t day)
{
	cm_status r;
	learned_tool *t = tool_to_change(l, key, &r);
	buf made = BUF_INIT(l->alloc, SHAPES_TEXT_MAX);

	if (t == NULL)
		return r;
	r = shapes_add(buf_view(&t->shape), value, &made);
	return change_shape(t, &made, r, 1, day);
}

static cm_status
merge_tool(learned *l, const learned_tool *from)
{
	cm_status r;
	learned_tool *t = tool_to_change(l, &from->key, &r);
	buf made = BUF_INIT(l->alloc, SHAPES_TEXT_MAX);

	if (t == NULL)
		return r;
	add_count(&t->used, &t->used_day, from->used, from->used_day);
	if (from->shape.len == 0)
		return CM_OK;
	r = shapes_merge(buf_view(&t->shape), buf_view(&from->shape), &made);
	return change_shape(t, &made, r, from->observed, from->observed_day);
}

cm_status
learned_merge(learned *l, const learned *from)
{
	cm_status r = CM_OK;

	for (size_t i = 0; i < from->len && r != CM_ENOMEM; i++)
		r = merge_tool(l, &from->tool[i]);
	return r == CM_ENOMEM ? r : CM_OK;
}

/* -------------------------------------------------------------- the file */

static bool
read_whole_number(json entry, const char *name, uint32_t max, uint32_t *out)
{
	json v = json_get(entry, text_of(name));
	int64_t n = 0;

	*out = 0;
	if (v.len == 0)
		return true;
	if (!json_int(v, &n) || n < 0 || n > max)
		return false;
	*out = (uint32_t)n;
	return true;
}

static bool
read_definition(json v, uint64_t *out)
{
	static const char digits[] = "0123456789abcdef";

	*out = 0;
	if (json_kind_of(v) != JSON_STRING || v.len != 18)
		return false;
	for (size_t i = 1; i < 17; i++) {
		const char *at = memchr(digits, v.ptr[i], 16);

		if (at == NULL)
			return false;
		*out = *out << 4 | (uint64_t)(at - digits);
	}
	return true;
}

static bool
says_something(const learned_tool *t)
{
	return t->used > 0 || t->shape.len > 0;
}

static bool
is_old(uint32_t day, uint32_t today)
{
	return day + LEARNED_DAYS < today;
}

/* Reads the entry as a tool with borrowed texts. False: it is invalid or too
 * old. */
static bool
read_learned_entry(json entry, uint32_t today, learned_tool *t)
{
	json shape = json_get(entry, TEXT("shape"));

	if (!read_definition(
		json_get(entry, TEXT("definition")), &t->key.definition) ||
	    !read_whole_number(entry, "used", COUNT_MAX, &t->used) ||
	    !read_whole_number(entry, "usedDay", today, &t->used_day) ||
	    !read_whole_number(entry, "observed", COUNT_MAX, &t->observed) ||
	    !read_whole_number(entry, "observedDay", today, &t->observed_day))
		return false;
	if (is_old(t->used_day, today))
		t->used = 0;
	if (!is_old(t->observed_day, today) && shape.len <= SHAPES_TEXT_MAX)
		buf_text(&t->shape, shape);
	return says_something(t);
}

static cm_status
add_learned_entry(learned *l, json entry, uint32_t today, buf *names)
{
	learned_tool t = {.shape = BUF_INIT(l->alloc, SHAPES_TEXT_MAX)};
	json server = json_get(entry, TEXT("server"));
	json tool = json_get(entry, TEXT("tool"));
	cm_status r = CM_OK;
	size_t len;

	buf_clear(names);
	if (server.len + tool.len > KEY_MAX || !json_unescape(server, names))
		return CM_OK;
	len = names->len;
	if (json_unescape(tool, names) &&
	    read_learned_entry(entry, today, &t)) {
		t.key.server = text_sub(buf_view(names), 0, len);
		t.key.tool = text_sub(buf_view(names), len, names->len);
		r = merge_tool(l, &t);
	}
	if (names->bad == CM_ENOMEM || t.shape.bad == CM_ENOMEM)
		r = CM_ENOMEM;
	buf_fini(&t.shape);
	return r;
}

cm_status
learned_read(learned *l, text file, uint32_t today)
{
	buf names = BUF_INIT(l->alloc, KEY_MAX);
	cm_status r = CM_OK;
	uint32_t version;
	json all, entry;
	json_iter it;

	if (file.len > LEARNED_FILE_MAX ||
	    !json_check(file, JSON_DEPTH, &all, NULL) ||
	    !read_whole_number(all, "version", VERSION, &version) ||
	    version != VERSION)
		return CM_EINPUT;
	it = json_each(json_get(all, TEXT("tools")));
	while (r != CM_ENOMEM && json_next(&it, NULL, &entry))
		r = add_learned_entry(l, entry, today, &names);
	buf_fini(&names);
	return r == CM_ENOMEM ? r : CM_OK;
}

static void
put_learned_entry(buf *out, const learned_tool *t)
{
	buf_byte(out, '{');
	json_member_text(out, "server", t->key.server);
	json_member_text(out, "tool", t->key.tool);
	json_member(out, "definition");
	buf_printf(out, "\"%016" PRIx64 "\"", t->key.definition);
	json_member_uint(out, "used", t->used);
	json_member_uint(out, "usedDay", t->used_day);
	if (t->shape.len > 0) {
		json_member_uint(out, "observed", t->observed);
		json_member_uint(out, "observedDay", t->observed_day);
		json_member_json(out, "shape", buf_view(&t->shape));
	}
	buf_byte(out, '}');
}

static uint32_t
latest_day(const learned_tool *t)
{
	return t->used_day > t->observed_day ? t->used_day : t->observed_day;
}

/* Compares pointers to tools: the latest first, then by name. */
static int
compare_learned(const void *pa, const void *pb)
{
	const learned_tool *a = *(learned_tool *const *)pa;
	const learned_tool *b = *(learned_tool *const *)pb;
	uint32_t day_a = latest_day(a), day_b = latest_day(b);
	int order;

	if (day_a != day_b)
		return day_a > day_b ? -1 : 1;
	order = text_cmp(a->key.server, b->key.server);
	if (order == 0)
		order = text_cmp(a->key.tool, b->key.tool);
	if (order == 0)
		order = a->key.definition < b->key.definition ? -1 : 1;
	return order;
}

/* Appends the tools that fit, and keeps room for the end. */
static void
put_learned_entries(buf *out, learned_tool **tool, size_t n)
{
	enum { ENTRY_MAX = 2 * SHAPES_TEXT_MAX, END_MAX = 16 };
	size_t begun = out->len;

	for (size_t i = 0; i < n && out->bad == CM_OK; i++) {
		buf entry = BUF_INIT(out->alloc, ENTRY_MAX);

		put_learned_entry(&entry, tool[i]);
		if (entry.bad == CM_ENOMEM)
			out->bad = CM_ENOMEM;
		if (entry.bad == CM_OK &&
		    out->len - begun + entry.len + END_MAX < LEARNED_FILE_MAX) {
			json_element(out);
			buf_byte(out, '\n');
			buf_text(out, buf_view(&entry));
		}
		buf_fini(&entry);
	}
}

cm_status
learned_write(const learned *l, buf *out)
{
	size_t size = (l->len + 1) * sizeof(learned_tool *);
	learned_tool **tool = mem_new(l->alloc, size);
	size_t n = 0;

	if (tool == NULL)
		return CM_ENOMEM;
	for (size_t i = 0; i < l->len; i++)
		if (says_something(&l->tool[i]))
			tool[n++] = &l->tool[i];
	sort(tool, n, sizeof(*tool), compare_learned);
	buf_printf(out, "{\"version\":%d,\"tools\":[", VERSION);
	put_learned_entries(out, tool, n);
	buf_str(out, "\n]}\n");
	mem_free(l->alloc, tool, size);
	return out->bad;
}

/* --------------------------------------------------------------- the day */

void
learned_put_day(buf *out, uint32_t day)
{
	/* Years that begin in March: Howard Hinnant, "chrono-compatible
	 * low-level date algorithms". */
	uint32_t z = day + 719468, era = z / 146097, of_era = z % 146097;
	uint32_t year =
	    (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	uint32_t of_year = of_era - (365 * year + year / 4 - year / 100);
	uint32_t month = (5 * of_year + 2) / 153;
	uint32_t d = of_year - (153 * month + 2) / 5 + 1;

	month = month < 10 ? month + 3 : month - 9;
	buf_printf(out, "%04u-%02u-%02u",
	    (unsigned)(year + era * 400 + (month <= 2)), (unsigned)month,
	    (unsigned)d);
}
