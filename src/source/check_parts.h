/* SPDX-License-Identifier: MIT */
/*
 * check_parts.h -- what the parts of the checks share: one parse of the
 * engine's text, its names, its calls of tools, and the report in the making.
 */
#ifndef SOURCE_CHECK_PARTS_H
#define SOURCE_CHECK_PARTS_H

#include "check.h"
#include "names.h"

/* A place that reaches a tool, while the tree is there. */
typedef struct reach {
	const js_node *node; /* the call; or what names the tool */
	text path;           /* as written: "github.list", "github.*", "*" */
	unsigned flags;      /* source_call.flags */
} reach;

typedef struct analysis {
	const source_prepared *p;
	const source_tools *tools; /* may be NULL */
	arena *arena;              /* of the tree and of the report */
	js_tree tree;
	names names;
	reach *reach; /* in the order of the text */
	size_t reaches, reaches_cap;
	source_report *out;
	size_t problems_cap;
	uint64_t steps; /* that are left; 0: give up quietly */
	uint64_t *
	    budget; /* &steps; functions that take a const analysis spend, too */
	unsigned dialects;  /* times that a dialect was looked for */
	bool has_arguments; /* some function uses "arguments" */
	bool open_world;    /* names may be there that no declaration makes */
} analysis;

/* Patterns in patterns that are looked into. */
enum { PATTERNS_DEEP = 40 };

/* What .scratch of a name is for, once names_read is done; NULL: no. */
enum {
	ANALYSIS_TOLD = 0,   /* whether it is defined was looked at */
	ANALYSIS_SET = 1,    /* x = 1 or globalThis.x = 1, and no declaration */
	ANALYSIS_WRITTEN = 2 /* calls_code.c */
};

/* Takes steps from the budget; false: it is used up. */
static inline bool
analysis_spend(const analysis *a, uint64_t steps)
{
	*a->budget = *a->budget > steps ? *a->budget - steps : 0;
	return *a->budget > 0;
}

/* Parses p's code. False: there is no tree (memory; or it did not parse). */
bool analysis_init(analysis *a, const source_prepared *p,
    const source_tools *tools, arena *memory);
/* Has the report as many problems as it can have? Then none need be made. */
bool analysis_is_full(const analysis *a);
/* What a path stands for in the catalog; SOURCE_NOTHING without one. */
source_found analysis_tool(const analysis *a, text path);
/* Is a name that nothing declares a global that stands for a tool or a space? */
bool analysis_global(const analysis *a, const js_node *name);
/* Adds a problem at a node. */
void analysis_add(analysis *a, source_check_code code, const js_node *n,
    const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The text of a node, shortened for a message. */
text analysis_text(analysis *a, const js_node *n);
/* Where a node begins in the text that was given. */
unsigned analysis_line(const analysis *a, const js_node *n, unsigned *column);
/* From a line and a column of bytes, both from 1, or 0: the beginning. */
size_t analysis_offset(text t, uint32_t line, uint32_t column);
/* A copy that lives as long as the report. */
text analysis_keep(analysis *a, text t);
/* The same of a text in the making. */
text analysis_printf(analysis *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Is it in the list, which ends with NULL? */
bool is_one_of(text t, const char *const *list);
/* A name's text is this. */
bool node_is(const js_node *n, const char *name);
/* x.key(...): the call's method, or empty. */
text call_method(const js_node *call);
/* The i-th argument of a call, or NULL. */
const js_node *call_argument(const js_node *call, unsigned i);

/* -------------------------------------- calls_follow.c and its like */

/* Finds every place that can reach a tool. */
void calls_find(analysis *a);
/* Is this call one of a tool? NULL: no. */
const reach *calls_at(const analysis *a, const js_node *call);
/* What a JS_STRING or a JS_CHUNK stands for. */
text calls_string(analysis *a, const js_node *n);
/* The arguments of a call; SOURCE_CALL_LITERAL is set when they are JSON. */
text calls_arguments(analysis *a, const js_node *call, unsigned *flags);
/* Puts the list into the report. */
void calls_report(analysis *a);

/* ------------------------------------------------------------- check_*.c */

void check_tools(analysis *a);
void check_names(analysis *a);
void check_flow(analysis *a);
void check_promises(analysis *a);
/* How the script ends; after all others, since its errors are more important. */
void check_ending(analysis *a);

/* Why a name means nothing here, and what was meant. */
source_check_code names_tell(analysis *a, const js_node *n, buf *out);

/* What an expression gives, as far as an await is concerned. */
typedef enum promise_kind {
	PROMISE_NOT,
	PROMISE_ONE,   /* a promise              */
	PROMISE_MANY,  /* an array of promises   */
	PROMISE_RESULT /* what a promise gave: awaited */
} promise_kind;
promise_kind promise_of(const analysis *a, const js_node *n);
/* The function that an expression is, or is the name of; NULL: neither. */
const js_node *function_of(const analysis *a, const js_node *n);
/* Calling it gives a promise. */
bool is_async(const js_node *function);
/* The name of what makes the promise, for messages: "tools.github.list()". */
text promise_name(analysis *a, const js_node *n);

#endif
