/* SPDX-License-Identifier: MIT */
/*
 * schema_compile.c -- a schema becomes nodes that a checker walks.
 *
 * A keyword that refers to a schema gets that schema's node at once. The node
 * is filled later, from a list, so depth and loops of references do not matter.
 */
#include "schema_parts.h"

enum {
	COMPILED_MAX = 16 << 20, /* bytes */
	SCRATCH_MAX = 128 << 20
};

/* ------------------------------------------------------- what goes wrong */

/* "$.properties.a" */
static void
write_place(const compiler *c, uint32_t at, buf *out)
{
	const tree_node *t = &c->tree[at];
	size_t number = 0;

	if (at == 0) {
		buf_byte(out, '$');
		return;
	}
	write_place(c, t->parent, out); /* at most DEEP_MAX deep */
	if (t->key.len > 0) {
		buf_byte(out, '.');
		json_unescape(t->key, out);
		return;
	}
	for (uint32_t i = c->tree[t->parent].first; i != at;
	     i = c->tree[i].next)
		number++;
	buf_printf(out, "[%zu]", number);
}

static text
keep_text(compiler *c, buf *b)
{
	char *copy = schema_take(c, b->len + 1);
	text t = {copy, b->len};

	if (copy != NULL && b->bad == CM_OK && b->len > 0)
		memcpy(copy, b->ptr, b->len);
	else
		t = TEXT_NONE;
	buf_fini(b);
	return t;
}

void
schema_refuse(compiler *c, uint32_t at, const char *what)
{
	buf b = BUF_INIT(c->alloc, 4096);

	if (c->made->why.len > 0)
		return;
	write_place(c, at, &b);
	buf_printf(&b, " %s", what);
	c->made->why = keep_text(c, &b);
	c->failed = true;
}

void
schema_note_gap(compiler *c, uint32_t at, const char *what, text which)
{
	buf b = BUF_INIT(c->alloc, 4096);

	if (c->made->gap.len > 0)
		return;
	write_place(c, at, &b);
	buf_str(&b, ": ");
	buf_utf8(&b, which, 200);
	buf_printf(&b, " %s", what);
	c->made->gap = keep_text(c, &b);
}

void *
schema_take(compiler *c, size_t size)
{
	void *p = arena_take(&c->made->arena, size);

	if (p == NULL)
		c->failed = true;
	else
		memset(p, 0, size);
	return p;
}

/* ------------------------------------------------------------------ nodes */

static const schema_node anything = {.kinds = KIND_ANY};

const schema_node *
schema_want_node(compiler *c, uint32_t at)
{
	uint32_t *todo = c->todo;

	if (c->tree[at].node != NULL)
		return c->tree[at].node;
	if (c->todo_len == c->todo_cap)
		todo = arena_grow(&c->scratch, todo, &c->todo_cap, c->todo_len,
		    sizeof(*todo));
	c->tree[at].node = schema_take(c, sizeof(schema_node));
	if (todo == NULL || c->tree[at].node == NULL) {
		c->failed = true;
		return &anything;
	}
	c->todo = todo;
	todo[c->todo_len++] = at;
	return c->tree[at].node;
}

static void
fill_node(compiler *c, uint32_t at)
{
	schema_node *n = c->tree[at].node;
	json_kind kind = tree_kind(c, at);
	uint32_t ref = tree_get(c, at, "$ref"), i;
	bool alone = c->draft7 && ref != SCHEMA_NONE;

	n->kinds = KIND_ANY;
	n->never = kind == JSON_FALSE;
	n->resource = ids_resource(c, at);
	if (kind != JSON_OBJECT && kind != JSON_TRUE && kind != JSON_FALSE)
		schema_refuse(c, at, "is no schema");
	if (kind != JSON_OBJECT)
		return;
	for (i = alone ? ref : c->tree[at].first;
	     i != SCHEMA_NONE && !c->failed;
	     i = alone ? SCHEMA_NONE : c->tree[i].next)
		schema_use_keyword(
		    &(keyword_use){c, n, at, i, c->tree[i].value});
}

/* -------------------------------------------------------------- all of it */

/* Draft-07 and older; 2019-09 is near enough to 2020-12. */
static bool
is_draft7(json source)
{
	static const text old[] = {TEXT_INIT("draft-03"), TEXT_INIT("draft-04"),
	    TEXT_INIT("draft-06"), TEXT_INIT("draft-07")};
	json dialect = json_get(source, TEXT("$schema"));

	for (size_t i = 0; i < sizeof(old) / sizeof(*old); i++)
		if (text_find(dialect, old[i], 0) != SIZE_MAX)
			return true;
	return false;
}

static void
keep_dynamic_anchors(compiler *c)
{
	schema_program *s = c->made;
	schema_anchor *list =
	    schema_take(c, (c->anchors_len + 1) * sizeof(*list));

	for (size_t i = 0; i < c->anchors_len && list != NULL; i++) {
		const named_place *a = &c->anchors[i];

		if (a->dynamic)
			list[s->dynamics++] = (schema_anchor){
			    a->resource, a->name, schema_want_node(c, a->at)};
	}
	s->dynamic = list;
}

static void
compile_schema_source(compiler *c, json source)
{
	tree_build(c, source);
	if (!c->failed)
		ids_collect(c);
	if (!c->failed)
		c->made->root = schema_want_node(c, 0);
	if (!c->failed)
		keep_dynamic_anchors(c);
	for (size_t done = 0; done < c->todo_len && !c->failed; done++)
		fill_node(c, c->todo[done]);
}

cm_status
schema_compile(const cm_alloc *alloc, json source, schema_program **out)
{
	schema_program *s = mem_new(alloc, sizeof(*s));
	compiler c = {.made = s,
	    .alloc = alloc,
	    .scratch = ARENA_INIT(alloc, SCRATCH_MAX),
	    .draft7 = is_draft7(source)};
	cm_status r;

	if (s == NULL)
		return CM_ENOMEM;
	s->arena = ARENA_INIT(alloc, COMPILED_MAX);
	compile_schema_source(&c, source);
	r = s->arena.bad != CM_OK ? s->arena.bad : c.scratch.bad;
	if (c.failed && s->why.len == 0) /* no place was refused */
		s->why = TEXT("$ is too large to be checked");
	if (c.failed)
		s->root = &anything;
	arena_fini(&c.scratch);
	if (r == CM_ENOMEM) {
		schema_free(s);
		return r;
	}
	*out = s;
	return CM_OK;
}

void
schema_free(schema_program *s)
{
	if (s == NULL)
		return;
	arena_fini(&s->arena);
	/* The arena holds a pointer to the allocator, which outlives it. */
	mem_free(s->arena.alloc, s, sizeof(*s));
}

text
schema_why(const schema_program *s)
{
	return s->why;
}

text
schema_gap(const schema_program *s)
{
	return s->gap;
}
