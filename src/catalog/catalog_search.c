/* SPDX-License-Identifier: MIT */
/*
 * catalog_search.c -- the index of a sealed catalog, made when it is first
 * asked. As with compiled schemas, of two threads that make one at once the
 * first publishes its own, and the other frees its own.
 */
#include "catalog.h"

static search_doc
doc_of_tool(const void *docs, size_t i)
{
	const tool *t = catalog_at(docs, i);

	return (search_doc){.space = t->space,
	    .name = t->name,
	    .description = t->description,
	    .input = t->input,
	    .reads = t->reads};
}

static cm_status
index_once(
    const catalog *c, _Atomic(search_index *) *place, const search_index **out)
{
	search_index *s = atomic_load_explicit(place, memory_order_acquire);
	search_index *made, *none = NULL;
	cm_status r;

	if (s != NULL) {
		*out = s;
		return CM_OK;
	}
	if ((r = search_new(&c->alloc, doc_of_tool, c, c->len, &made)) != CM_OK)
		return r;
	if (atomic_compare_exchange_strong(place, &none, made)) {
		*out = made;
		return CM_OK;
	}
	search_free(made);
	*out = none;
	return CM_OK;
}

cm_status
catalog_search(catalog *c, text question, text space, search_hit *out,
    size_t limit, size_t *found)
{
	size_t first = 0, n = c->len;
	const search_index *s;
	cm_status r;

	if (space.len > 0 && (n = catalog_space(c, space, &first)) == 0)
		return CM_EINPUT;
	if ((r = index_once(c, &c->index, &s)) != CM_OK)
		return r;
	return search_query(s, question, first, n, out, limit, found);
}

cm_status
catalog_nearest_words(catalog *c, text question, buf *out)
{
	const search_index *s;
	cm_status r = index_once(c, &c->index, &s);

	if (r == CM_OK)
		search_nearest_words(s, question, out);
	return r;
}

void
catalog_drop_search(catalog *c)
{
	search_free(atomic_load(&c->index));
	atomic_store(&c->index, NULL);
}
