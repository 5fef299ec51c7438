/* SPDX-License-Identifier: MIT */
/* learning.c -- see learning.h. */
#include "learning.h"

#include "common/file.h"
#include "common/own_file.h"

#include "shapes/shapes.h"

#include <time.h>

enum { DAY_S = 24 * 3600, UNSAVED_MAX = 100 /* calls */ };

static learned_key
learned_key_of(const cm_tool *t)
{
	return (learned_key){t->space, t->name,
	    text_hash(t->input_schema, text_hash(t->description, 0))};
}

/* ---------------------------------------------------------------- the file */

/* Adds the content of the file; an invalid or missing file is empty. */
static void
read_learned_file(const learning *l, learned *into)
{
	buf file = BUF_INIT(NULL, LEARNED_FILE_MAX);

	if (own_file_read(l->path, &file) == NULL)
		(void)learned_read(into, buf_view(&file), l->day);
	buf_fini(&file);
}

static const char *
write_learned_file(const learning *l, const learned *all)
{
	buf file = BUF_INIT(NULL, LEARNED_FILE_MAX + 1000);
	cm_status r = learned_write(all, &file);
	const char *why = r == CM_OK ? own_file_write(l->path, buf_view(&file))
				     : cm_status_text(r);

	buf_fini(&file);
	return why;
}

/* Other processes may have written meanwhile: read the file again and add .news
 * to it. */
static void
save_news(learning *l)
{
	learned all = LEARNED_INIT(NULL);
	const char *why = own_file_make(l->path);
	int lock = why == NULL ? file_lock(l->path, &why) : -1;

	if (why == NULL) {
		read_learned_file(l, &all);
		why = learned_merge(&all, &l->news) == CM_OK
			  ? write_learned_file(l, &all)
			  : "out of memory";
	}
	file_unlock(lock);
	learned_fini(&all);
	if (why != NULL && !l->told)
		say_line(l->say, "what was learned is not kept: %s", why);
	l->told |= why != NULL;
}

void
learning_open(learning *l, bool on, say *s)
{
	*l = (learning){.say = s,
	    .day = (uint32_t)(time(NULL) / DAY_S),
	    .known = LEARNED_INIT(NULL),
	    .news = LEARNED_INIT(NULL)};
	if (!on)
		return;
	l->path = own_file(&l->pool, OWN_CACHE, "learned.json");
	if (l->path != NULL)
		read_learned_file(l, &l->known);
	else
		say_line(s, "nothing is learned: there is no HOME");
}

void
learning_close(learning *l)
{
	if (l->unsaved > 0)
		save_news(l);
	mem_free(NULL, l->call, l->call_cap * sizeof(*l->call));
	learned_fini(&l->known);
	learned_fini(&l->news);
	pool_fini(&l->pool);
}

/* ---------------------------------------------------------- use and shapes */

uint32_t
learning_used(const learning *l, const cm_tool *t)
{
	const learned_key key = learned_key_of(t);
	const learned_tool *known =
	    learning_is_on(l) ? learned_find(&l->known, &key) : NULL;

	return known != NULL ? known->used : 0;
}

void
learning_show(const learning *l, cm_tool *t, buf *schema)
{
	const learned_key key = learned_key_of(t);
	const learned_tool *known = NULL;
	text rest;

	if (learning_is_on(l) && t->output_schema.len == 0)
		known = learned_find(&l->known, &key);
	if (known == NULL || known->shape.len == 0)
		return;
	buf_printf(schema, "{\"description\":\"observed in %u call%s, last on ",
	    (unsigned)known->observed, known->observed == 1 ? "" : "s");
	learned_put_day(schema, known->observed_day);
	rest = text_sub(buf_view(&known->shape), 1, SIZE_MAX);
	buf_str(schema, rest.len > 1 ? "\"," : "\"");
	buf_text(schema, rest);
	if (schema->bad != CM_OK)
		return;
	t->output_schema = buf_view(schema);
	t->flags |= CM_TOOL_OBSERVED;
}

/* -------------------------------------------------------------------- calls */

static void
await_result(learning *l, uint32_t number, const learned_key *key)
{
	const learned_tool *t = learned_find(&l->news, key);
	void *array = l->call;

	if (t == NULL ||
	    !mem_grow(NULL, &array, &l->call_cap, l->calls, sizeof(*l->call)))
		return;
	l->call = array;
	l->call[l->calls++] =
	    (struct learning_call){number, (uint32_t)(t - l->news.tool)};
}

void
learning_called(learning *l, uint32_t number, const cm_tool *t)
{
	const learned_key key = learned_key_of(t);

	if (!learning_is_on(l))
		return;
	l->unsaved += learned_use(&l->news, &key, l->day) == CM_OK;
	if (t->output_schema.len == 0)
		await_result(l, number, &key);
}

/* Removes the call and returns its tool; NULL: there is no such call. */
static const learned_tool *
awaited_tool(learning *l, uint32_t number)
{
	size_t i = 0;
	uint32_t tool;

	while (i < l->calls && l->call[i].number != number)
		i++;
	if (i == l->calls)
		return NULL;
	tool = l->call[i].tool;
	l->call[i] = l->call[--l->calls];
	return &l->news.tool[tool];
}

void
learning_answered(learning *l, uint32_t number, json value)
{
	const learned_tool *t = awaited_tool(l, number);

	if (t != NULL && value.len > 0)
		(void)learned_result(&l->news, &t->key, value, l->day);
	/* Wait while calls refer to .news. */
	if (l->unsaved < UNSAVED_MAX || l->calls > 0)
		return;
	save_news(l);
	learned_fini(&l->news);
	l->unsaved = 0;
}

void
learning_cancelled(learning *l, uint32_t number)
{
	(void)awaited_tool(l, number);
}
