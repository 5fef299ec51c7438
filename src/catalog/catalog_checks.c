/* SPDX-License-Identifier: MIT */
/*
 * catalog_checks.c -- the schemas of tools, compiled when they are first used.
 *
 * Of two threads that compile the same schema at once, one publishes it and the
 * other frees its own: a compiled schema never changes.
 */
#include "catalog.h"

static cm_status
compile_once(const catalog *c, _Atomic(schema_program *) *place, json source,
    const schema_program **out)
{
	schema_program *s = atomic_load_explicit(place, memory_order_acquire);
	schema_program *made, *none = NULL;
	cm_status r;

	if (s != NULL) {
		*out = s;
		return CM_OK;
	}
	if ((r = schema_compile(&c->alloc, source, &made)) != CM_OK)
		return r;
	if (atomic_compare_exchange_strong(place, &none, made)) {
		*out = made;
		return CM_OK;
	}
	schema_free(made);
	*out = none;
	return CM_OK;
}

static bool
is_unchecked(const tool *t, json source)
{
	return source.len == 0 || t->unchecked;
}

cm_status
catalog_input_schema(const catalog *c, size_t i, const schema_program **out)
{
	const tool *t = catalog_at(c, i);

	*out = NULL;
	return is_unchecked(t, t->input)
		   ? CM_OK
		   : compile_once(c, &c->checks[i].input, t->input, out);
}

cm_status
catalog_output_schema(const catalog *c, size_t i, const schema_program **out)
{
	const tool *t = catalog_at(c, i);

	*out = NULL;
	return t->observed || is_unchecked(t, t->output)
		   ? CM_OK
		   : compile_once(c, &c->checks[i].output, t->output, out);
}

void
catalog_drop_checks(catalog *c)
{
	for (size_t i = 0; i < c->checks_len; i++) {
		schema_free(atomic_load(&c->checks[i].input));
		schema_free(atomic_load(&c->checks[i].output));
	}
	mem_free(&c->alloc, c->checks, c->checks_len * sizeof(*c->checks));
	c->checks = NULL;
	c->checks_len = 0;
}
