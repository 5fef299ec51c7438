/* SPDX-License-Identifier: MIT */
/*
 * catalog.h -- the tools that a script may call, and what each is called.
 *
 * Filled, then sealed, then only read: sealing gives every tool its path
 * (what a script writes behind "tools.") and sorts the tools by path. The
 * result depends on the set of tools, not on the order in which they came.
 * Schemas are checked JSON from catalog_add on. One thread at a time, until
 * the catalog is sealed; many threads may read a sealed one.
 */
#ifndef CATALOG_CATALOG_H
#define CATALOG_CATALOG_H

#include "base/arena.h"
#include "base/json.h"
#include "base/map.h"
#include "base/nearest.h"
#include "schema/schema.h"
#include "search/search.h"

#include <stdatomic.h>

/* What is given: see cm_tool. */
typedef struct tool_given {
	text space;
	text name;
	text description;
	text input_schema;
	text output_schema;
	text signature;
	unsigned flags;
	bool unchecked;
	bool global; /* its space, or else its name, is free (the API checks) */
	bool spread;
	bool observed;
	bool reads;
} tool_given;

/* Texts up to .output live as long as the catalog. */
typedef struct tool {
	text space; /* empty: the tool stands directly behind "tools." */
	text name;
	text description;
	json input;     /* missing: takes anything */
	json output;    /* missing: gives anything */
	text signature; /* TypeScript, or empty: made of the schemas */
	unsigned flags;
	bool unchecked; /* nothing is held against the schemas */
	bool global;    /* it, or its space, is a global, too */
	bool spread;    /* its argument is the array of all arguments */
	bool observed;  /* .output was seen, and is not promised */
	bool reads;     /* it says that it changes nothing */
	char *given;    /* the block of the texts above */
	size_t given_size;

	/* From catalog_seal until the next catalog_add that succeeds. */
	text space_ident; /* empty without a space */
	text ident;
	text path; /* space_ident.ident, or ident */
} tool;

/* The compiled schemas of a tool, each since it was first asked for. */
typedef struct catalog_checks {
	_Atomic(schema_program *) input, output;
} catalog_checks;

typedef struct catalog {
	cm_alloc alloc;
	atomic_uint holds;
	tool *list; /* sealed: in the order of .path, bytewise */
	size_t len;
	size_t cap;
	map given;      /* space and name -> 1: no tool twice */
	size_t globals; /* tools with .global */

	/* What sealing makes. */
	bool sealed;
	catalog_checks *checks; /* one for each tool that was there */
	size_t checks_len;
	_Atomic(search_index *) index; /* since it was first searched */
	arena made;   /* paths, and the other keys of by_name */
	map by_name;  /* every way to write a tool -> its number */
	map by_space; /* a space's name or identifier -> its first tool */
} catalog;

/* Bounds on what is given; over them it is CM_ELIMIT. */
enum {
	CATALOG_NAME_MAX = 1024,
	CATALOG_DESCRIPTION_MAX = 1 << 20,
	CATALOG_SCHEMA_MAX = 1 << 20,
	CATALOG_TOOLS_MAX = 100000
};

#define CATALOG_NONE MAP_NONE

/* The caller holds it once. A copy of *alloc is kept; NULL: mem_system. */
cm_status catalog_new(const cm_alloc *alloc, catalog **out);
/* From any thread; the last drop frees it. NULL is allowed. */
void catalog_hold(catalog *c);
void catalog_drop(catalog *c);

/* CM_EEXISTS: space and name are there. CM_EINPUT: no name, not UTF-8, a
 * schema that is not JSON. CM_EMISUSE: others hold it too. CM_ELIMIT: too long
 * or too many. On success the catalog is no longer sealed; on failure nothing
 * changes. */
cm_status catalog_add(catalog *c, const tool_given *given);

/* Does nothing when it is sealed. CM_ENOMEM: the catalog is as it was. */
cm_status catalog_seal(catalog *c);

/* All functions below read a sealed catalog. */

/* Tool i, 0 to len - 1. */
const tool *catalog_at(const catalog *c, size_t i);
/*
 * The number of the tool that is written so: its path, "space.name" with the
 * original names, or one of each; CATALOG_NONE when there is none. When one
 * writing fits two tools, paths win over original names, and then the earlier
 * path wins. A tool or space named "then" is found by its path only.
 */
uint32_t catalog_find(const catalog *c, text written);
/* Numbers of the tools that were most likely meant; returns how many. */
size_t catalog_nearest(const catalog *c, text written, size_t out[NEAREST_MAX]);
/* The compiled schema of the arguments of tool i, or of its results; *out NULL:
 * it has none, or is not to be checked. From any thread; CM_ENOMEM. */
cm_status catalog_input_schema(
    const catalog *c, size_t i, const schema_program **out);
cm_status catalog_output_schema(
    const catalog *c, size_t i, const schema_program **out);
/* Frees them all. */
void catalog_drop_checks(catalog *c);
/* The tools that fit a question, best first: see search_query; .doc is the
 * number of the tool. Of one space when it is not empty (its name or its
 * identifier). From any thread; CM_ENOMEM; CM_EINPUT: there is no such space. */
cm_status catalog_search(catalog *c, text question, text space, search_hit *out,
    size_t limit, size_t *found);
/* See search_nearest_words. */
cm_status catalog_nearest_words(catalog *c, text question, buf *out);
/* Frees the index. */
void catalog_drop_search(catalog *c);
/* The tools of one space stand together: the first, and how many. The space
 * may be given by its name or its identifier; 0 tools when there is none. */
size_t catalog_space(const catalog *c, text space, size_t *first);
/* Is it the identifier of a space or tool that is a global, too? */
bool catalog_global(const catalog *c, text ident);
/* The same of tool i, or its space. */
bool catalog_global_at(const catalog *c, size_t i);

#endif
