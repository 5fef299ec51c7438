/* SPDX-License-Identifier: MIT */
/* store.c -- see store.h. */
#include "store.h"

static text
entry_key(const store_entry *e)
{
	return (text){e->key, e->key_len};
}

static json
entry_json(const store_entry *e)
{
	return (json){e->json, e->json_len};
}

/* One byte longer than the text, so that an empty text has a block, too. */
static char *
copy_kept(const store *s, text t)
{
	char *p = mem_resize(s->alloc, NULL, 0, t.len + 1);

	if (p != NULL && t.len > 0)
		memcpy(p, t.ptr, t.len);
	return p;
}

static cm_status
add_key(store *s, text key, uint32_t *at)
{
	store_entry e = {.key_len = key.len};
	cm_status r;

	if (!mem_grow(s->alloc, (void **)&s->entry, &s->cap, s->len, sizeof(e)))
		return CM_ENOMEM;
	if ((e.key = copy_kept(s, key)) == NULL)
		return CM_ENOMEM;
	if ((r = map_set(&s->index, entry_key(&e), (uint32_t)s->len)) !=
	    CM_OK) {
		mem_free(s->alloc, e.key, key.len + 1);
		return r;
	}
	*at = (uint32_t)s->len;
	s->entry[s->len++] = e;
	return CM_OK;
}

static void
drop_json(store *s, store_entry *e)
{
	if (e->json != NULL)
		mem_free(s->alloc, e->json, e->json_len + 1);
	e->json = NULL;
	e->json_len = 0;
}

static cm_status
keep_value(store *s, uint32_t at, json value)
{
	store_entry *e = &s->entry[at];
	char *block = NULL;

	if (value.len > 0 && (block = copy_kept(s, value)) == NULL)
		return CM_ENOMEM;
	drop_json(s, e);
	e->json = block;
	e->json_len = value.len;
	s->units -= e->units;
	e->units = text_starts(entry_key(e), TEXT(CM_RESULT_KEY))
		       ? 0
		       : utf16_len(entry_key(e)) + utf16_len(value);
	s->units += e->units;
	return CM_OK;
}

static cm_status
keep_all(store *s, json values)
{
	json_iter it = json_each(values);
	buf name = BUF_INIT(s->alloc, values.len + 1);
	json key, value;
	cm_status r = CM_OK;
	uint32_t at;

	while (r == CM_OK && json_next(&it, &key, &value)) {
		buf_clear(&name);
		json_unescape(key, &name);
		at = map_get(&s->index, buf_view(&name));
		if (at == MAP_NONE)
			r = add_key(s, buf_view(&name), &at);
		if (r == CM_OK)
			r = keep_value(s, at, value);
	}
	buf_fini(&name);
	return r;
}

cm_status
store_init(store *s, const cm_alloc *alloc, json values)
{
	cm_status r;

	*s = (store){.alloc = alloc, .index = MAP_INIT(alloc)};
	r = keep_all(s, values);
	if (r != CM_OK)
		store_fini(s);
	return r;
}

void
store_fini(store *s)
{
	size_t i;

	for (i = 0; i < s->len; i++) {
		drop_json(s, &s->entry[i]);
		mem_free(s->alloc, s->entry[i].key, s->entry[i].key_len + 1);
	}
	mem_resize(s->alloc, s->entry, s->cap * sizeof(*s->entry), 0);
	map_fini(&s->index);
	*s = (store){.alloc = s->alloc, .index = MAP_INIT(s->alloc)};
}

json
store_get(const store *s, text key)
{
	uint32_t at = map_get(&s->index, key);

	return at == MAP_NONE ? TEXT_NONE : entry_json(&s->entry[at]);
}

static void
add_call(buf *why, text key)
{
	buf_str(why, "store(");
	json_string(why, key);
	buf_str(why, ")");
}

static bool
value_fits(text key, json value, buf *why)
{
	size_t units = utf16_len(value);
	json checked;

	if (units > STORE_VALUE_MAX) {
		add_call(why, key);
		buf_printf(why,
		    " value is %zu characters of JSON, the limit is %u: store "
		    "a part of it, or what you need of it",
		    units, STORE_VALUE_MAX);
		return false;
	}
	if (value.len == 0 ||
	    json_check(value, STORE_DEPTH - 1, &checked, NULL))
		return true;
	add_call(why, key);
	buf_printf(why,
	    " value is nested too deep, the limit is %u levels: store a part "
	    "of it, or a flat list",
	    STORE_DEPTH - 1);
	return false;
}

/* A store that is full may change as long as it does not grow. */
static bool
store_has_room(const store *s, uint32_t at, text key, json value, buf *why)
{
	size_t old = at == MAP_NONE ? 0 : s->entry[at].units;
	size_t total = s->units - old + utf16_len(key) + utf16_len(value);

	if (total <= STORE_TOTAL_MAX || total <= s->units)
		return true;
	buf_printf(why,
	    "store is full: %zu characters of keys and JSON, the limit is %u: "
	    "delete keys with store(key, undefined), or store less",
	    total, STORE_TOTAL_MAX);
	return false;
}

cm_status
store_set(store *s, text key, json value, buf *why)
{
	uint32_t at = map_get(&s->index, key);
	cm_status r;

	if (!value_fits(key, value, why) ||
	    !store_has_room(s, at, key, value, why))
		return CM_ELIMIT;
	if (at == MAP_NONE && (r = add_key(s, key, &at)) != CM_OK)
		return r;
	r = keep_value(s, at, value);
	if (r == CM_OK)
		s->entry[at].written = true;
	return r;
}

void
store_writes(const store *s, buf *out)
{
	const char *comma = "";
	size_t i;

	buf_byte(out, '[');
	for (i = 0; i < s->len; i++) {
		const store_entry *e = &s->entry[i];

		if (!e->written)
			continue;
		buf_str(out, comma);
		buf_byte(out, '[');
		json_string(out, entry_key(e));
		if (e->json != NULL)
			buf_byte(out, ',');
		buf_text(out, entry_json(e));
		buf_byte(out, ']');
		comma = ",";
	}
	buf_byte(out, ']');
}
