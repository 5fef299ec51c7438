/* SPDX-License-Identifier: MIT */
/*
 * schema_parts.h -- what the files of this room share: the compiled form of a
 * schema, and the checker that walks it.
 *
 *   source ─ schema_tree.c ─► tree ─ schema_ids.c ─► places ─ schema_compile.c
 *                                                                    │
 *   value ─────────────────────────────► schema_check.c ◄── nodes ◄──┘
 */
#ifndef SCHEMA_PARTS_H
#define SCHEMA_PARTS_H

#include "schema.h"
#include "schema_pattern.h"
#include "schema_value.h"

#include "base/arena.h"

/* ------------------------------------------------------------ compiled form */

/* Kinds of value, as "type" names them. */
enum {
	KIND_NULL = 1 << 0,
	KIND_BOOLEAN = 1 << 1,
	KIND_INTEGER = 1 << 2,
	KIND_FRACTION = 1 << 3,
	KIND_STRING = 1 << 4,
	KIND_ARRAY = 1 << 5,
	KIND_OBJECT = 1 << 6,
	KIND_ANY = (1 << 7) - 1
};

typedef struct schema_node schema_node;

typedef struct schema_nodes {
	const schema_node **node;
	size_t len;
} schema_nodes;

/* enum and const: a value must be one of these. */
typedef struct schema_choice {
	struct schema_choice *next; /* another one that must hold, too */
	const json *value;
	const uint64_t *hash; /* of each value, rising; NULL: they are few */
	size_t len;
} schema_choice;

typedef struct schema_number {
	const decimal *least, *most;  /* NULL: no bound */
	const decimal *above, *below; /* NULL: no bound */
	const decimal *multiple;      /* NULL: of any number */
} schema_number;

typedef struct schema_pattern {
	const pattern *program; /* NULL: not known, matches anything */
	text source;
	const schema_node *node; /* in patternProperties */
} schema_pattern;

typedef struct schema_string {
	uint64_t least, most;          /* code points */
	const schema_pattern *pattern; /* NULL: none */
} schema_string;

typedef struct schema_array {
	schema_nodes prefix;
	const schema_node *rest;     /* behind the prefix; NULL: anything */
	const schema_node *contains; /* NULL: none */
	const schema_node *unevaluated;
	uint64_t contains_least, contains_most;
	uint64_t least, most; /* items */
	bool unique;
} schema_array;

/* A name that the schema knows of members. */
typedef struct schema_name {
	text name;               /* unescaped */
	const schema_node *node; /* NULL: only required */
	uint32_t required;       /* number among the required ones, or NONE */
} schema_name;

#define SCHEMA_NONE UINT32_MAX

/* Shorter names first: most searches end at the lengths. */
static inline int
schema_name_order(text a, text b)
{
	if (a.len != b.len)
		return a.len < b.len ? -1 : 1;
	return a.len > 0 ? memcmp(a.ptr, b.ptr, a.len) : 0;
}

/* When a member of that name is there. */
typedef struct schema_depends {
	text name;
	const text *required; /* names that must be there, too */
	size_t len;
	const schema_node *node; /* that must fit, too; NULL: none */
} schema_depends;

typedef struct schema_object {
	schema_name *name; /* in schema_name_order */
	size_t names;
	size_t required;
	const schema_pattern *pattern;
	size_t patterns;
	const schema_depends *depends;
	size_t dependents;
	const schema_node *additional; /* NULL: anything */
	const schema_node *property_names;
	const schema_node *unevaluated;
	uint64_t least, most; /* members */
} schema_object;

typedef struct schema_logic {
	schema_nodes all, any, one;
	const schema_node *ref;
	const schema_node *dynamic; /* where $dynamicRef leads to by its text */
	text dynamic_name;          /* empty: it is like $ref */
	const schema_node *no;      /* "not" */
	const schema_node *when, *then, *otherwise;
} schema_logic;

/* One schema, true and false included. Members that are NULL assert nothing. */
struct schema_node {
	uint8_t kinds;
	bool never;        /* it is false */
	bool opaque;       /* it lies elsewhere: fits, but that is not known */
	bool watches;      /* it asks which items or members others looked at */
	uint32_t resource; /* number of the $id that it belongs to */
	const schema_choice *choice;
	const schema_number *number;
	const schema_string *string;
	const schema_array *array;
	const schema_object *object;
	const schema_logic *logic;
};

/* A $dynamicAnchor. */
typedef struct schema_anchor {
	uint32_t resource;
	text name;
	const schema_node *node;
} schema_anchor;

struct schema_program {
	arena arena; /* of everything below */
	const schema_node *root;
	const schema_anchor *dynamic;
	size_t dynamics;
	text why, gap;
};

/* --------------------------------------------------------- while compiling */

/* One value of the source. Number 0 is the root. */
typedef struct tree_node {
	json value, key;      /* key: with quotes; missing in arrays */
	uint32_t parent;      /* of the root: itself */
	uint32_t first, next; /* child and sibling; SCHEMA_NONE: none */
	uint32_t resource;    /* SCHEMA_NONE: that of the parent */
	schema_node *node;    /* once something refers to it */
} tree_node;

typedef struct schema_resource {
	text uri; /* absolute, or as far as it is known; no fragment */
	uint32_t at;
} schema_resource;

typedef struct named_place {
	text name;
	uint32_t resource, at;
	bool dynamic;
} named_place;

typedef struct compiler {
	schema_program *made;
	const cm_alloc *alloc;
	arena scratch;
	bool draft7; /* and older: what stands beside $ref does not count */
	bool failed; /* .made->why says why, or an arena is full */
	uint32_t steps;
	tree_node *tree;
	size_t tree_len, tree_cap;
	schema_resource *resources;
	size_t resources_len, resources_cap;
	named_place *anchors;
	size_t anchors_len, anchors_cap;
	uint32_t *todo; /* nodes of the tree that are to be compiled */
	size_t todo_len, todo_cap;
} compiler;

/* Notes the first fault: where it is and what is wrong. */
void schema_refuse(compiler *c, uint32_t at, const char *what);
/* Notes the first thing that is not checked. */
void schema_note_gap(compiler *c, uint32_t at, const char *what, text which);
/* Memory that lives as long as the schema, zeroed; NULL: the compiler failed. */
void *schema_take(compiler *c, size_t size);
/* The node of the schema at `at`, filled before schema_compile returns. */
const schema_node *schema_want_node(compiler *c, uint32_t at);

/* schema_keywords.c */
/* A keyword whose value is at `at`, of the node n. */
typedef struct keyword_use {
	compiler *c;
	schema_node *n;
	uint32_t schema; /* that the keyword stands in */
	uint32_t at;
	json value;
} keyword_use;
/* Writes the keyword's rule into the node; an unknown keyword has none. */
void schema_use_keyword(const keyword_use *u);

/* schema_tree.c */
void tree_build(compiler *c, json source);
/* Child of that name (unescaped); the last one, as for json_get. */
uint32_t tree_get(compiler *c, uint32_t at, const char *name);
uint32_t tree_step(compiler *c, uint32_t at, text name);
size_t tree_count(const compiler *c, uint32_t at);
json_kind tree_kind(const compiler *c, uint32_t at);
/* What a string stands for, in the schema's memory. */
text tree_text(compiler *c, json string);

/* schema_ids.c */
void ids_collect(compiler *c);
uint32_t ids_resource(const compiler *c, uint32_t at);
/* Where the reference leads to; SCHEMA_NONE: elsewhere, or the schema is
 * refused. *fragment is what stood behind #. */
uint32_t ids_find(compiler *c, uint32_t at, text ref, text *fragment);
bool ids_is_dynamic(const compiler *c, uint32_t at, text name);

/* schema_uri.c: RFC 3986, section 5.2, in memory of a. No fragments. */
text uri_resolve(arena *a, text base, text ref);

#endif
