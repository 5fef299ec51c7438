/* SPDX-License-Identifier: MIT */
/*
 * check.h -- what a script that parses will stumble over, and which tools it
 * can call, told without running it.
 *
 * Nothing here stops a run. A problem is an error when the script cannot do
 * what it says (a tool that does not exist); a warning when it probably does
 * not mean what it says (a call without await). check.def lists them all.
 */
#ifndef SOURCE_CHECK_H
#define SOURCE_CHECK_H

#include "source/prepare.h"

/* The tools that a script may call; all of it may be NULL: then any exists. */
typedef enum source_found {
	SOURCE_NOTHING,
	SOURCE_SPACE,
	SOURCE_TOOL
} source_found;

typedef struct source_tools {
	void *ctx;
	/* What "space", "space.name" or "name" stands for behind "tools."; the
	 * path that the catalog gives it is appended to *path. */
	source_found (*find)(void *ctx, text written, buf *path);
	/* Is the name a global that stands for tools.NAME? NULL: there are
	 * none. */
	bool (*global)(void *ctx, text name);
	/* Appends why there is no such thing, and what is nearest, as a script
	 * would be told at run time. */
	void (*unknown)(void *ctx, text written, buf *out);
	/* Appends a JSON array: the names of all spaces, and of tools without
	 * one. */
	void (*members)(void *ctx, buf *out);
	/* Appends why this code does not compile, and sets its place: a line
	 * from 1 (0: none) and a column in UTF-16 units. Appends nothing when
	 * it does. CM_ENOMEM. */
	cm_status (*compile)(void *ctx, text code, uint32_t *line,
	    uint32_t *column, buf *why);
} source_tools;

typedef enum source_check_code {
#define CHECK(code, name, level, about) CHECK_##code,
#include "source/check.def"
#undef CHECK
	CHECK_CODES
} source_check_code;

/* As cm_level. */
typedef enum source_level {
	SOURCE_ERROR,
	SOURCE_WARNING,
	SOURCE_NOTE
} source_level;

typedef struct source_problem {
	const char *code; /* "UnknownTool"; of a syntax error "SyntaxError" */
	source_level level;
	bool promise; /* an await is missing: worth telling in any case */
	uint32_t start, end;                         /* bytes of .text */
	uint32_t line, column, end_line, end_column; /* from 1, UTF-16 units */
	text message;
} source_problem;

enum {                                 /* source_call.flags */
	SOURCE_CALL_LOOP = 1 << 0,     /* inside a loop                      */
	SOURCE_CALL_MAP = 1 << 1,      /* inside a callback: once an element */
	SOURCE_CALL_COMPUTED = 1 << 2, /* the name is made at run time       */
	SOURCE_CALL_LITERAL = 1 << 3,  /* args is JSON                       */
	SOURCE_CALL_AWAITED = 1 << 4,
	SOURCE_CALL_NAMED = 1 << 5, /* named, not called here             */
	SOURCE_CALL_KNOWN = 1 << 6  /* the catalog has it                 */
};

/* A place that can call a tool. */
typedef struct source_call {
	text path;             /* behind "tools.", as far as it is known */
	text args;             /* JSON when they are literal, else as written */
	uint32_t start, end;   /* bytes of .text */
	uint32_t line, column; /* from 1, UTF-16 units */
	unsigned flags;
} source_call;

typedef struct source_report {
	source_problem *problem; /* in the order of the text */
	size_t problems;
	source_call *call;
	size_t calls;
	uint64_t steps;  /* that were taken */
	bool incomplete; /* too much work: problems are missing, and the list of
			  * calls has a "*" */
} source_report;

/* Everything in *out lives in *a, which the caller frees. tools may be NULL:
 * nothing is known about them. CM_ENOMEM. */
cm_status source_check(const source_prepared *p, const source_tools *tools,
    arena *a, source_report *out);

/* Appends a JSON array of its calls, as codemode-check(1) says it. */
void source_put_calls(const source_report *r, buf *out);

const char *source_code_name(source_check_code code);

#endif
