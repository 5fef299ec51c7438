/* SPDX-License-Identifier: MIT */
/* answers.c -- see answers.h. */
#include "answers.h"

#include <string.h>

/* Moves t to a copy at *at, which then points behind it. */
static void
keep_answer_text(text *t, char **at)
{
	if (t->len > 0)
		memcpy(*at, t->ptr, t->len);
	t->ptr = *at;
	*at += t->len;
}

cm_status
answers_add(answers *list, const cm_alloc *a, engine_answer one)
{
	void *array = list->at;
	char *at;

	if (!mem_grow(a, &array, &list->cap, list->len, sizeof(*list->at)))
		return CM_ENOMEM;
	list->at = array;
	if (one.kind != ANSWER_FIRE) {
		one.bytes = one.json.len + one.name.len + one.message.len +
			    one.members.len + 1;
		at = one.own = mem_resize(a, NULL, 0, one.bytes);
		if (one.own == NULL)
			return CM_ENOMEM;
		keep_answer_text(&one.json, &at);
		keep_answer_text(&one.name, &at);
		keep_answer_text(&one.message, &at);
		keep_answer_text(&one.members, &at);
	}
	list->at[list->len++] = one;
	return CM_OK;
}

void
answers_drop(answers *list, const cm_alloc *a)
{
	while (list->len > 0) {
		engine_answer *last = &list->at[--list->len];

		mem_free(a, last->own, last->bytes);
	}
}

void
answers_fini(answers *list, const cm_alloc *a)
{
	answers_drop(list, a);
	mem_free(a, list->at, list->cap * sizeof(*list->at));
}
