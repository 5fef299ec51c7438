/* SPDX-License-Identifier: MIT */
/*
 * js.h -- a script as a tree: parsed whole, checked whole, before any of it
 * runs.
 *
 * js_parse reads ECMAScript 2025 (and `using`), by hand-written descent, in
 * linear time, at most JS_DEPTH levels deep and no deeper than the stack of the
 * calling thread allows. Text that no rule of the grammar can read ends the
 * parse; of other errors those are collected that need an own message or that
 * the reading depends on. The rest (names declared twice, labels, strict mode
 * ...) the engine finds when it compiles the script. Annex B of the standard
 * holds, as in an engine, except for comments that look like HTML.
 *
 * The tree is made of one kind of node (node.def lists what they are): a node
 * knows its first child, the node after it and its parent, so that any walk is a
 * loop (js_next) and no walk uses the stack, however long a chain of
 * operators is. Everything lives in one arena, the tree's own copy of the text
 * too: nothing is freed one by one, nothing points outside.
 *
 *	arena a = ARENA_INIT(NULL, 64 << 20);
 *	js_tree t;
 *	if (js_parse(text, &(js_options){.goal = JS_ASYNC_BODY}, &a, &t) == CM_OK
 *	    && t.error_count == 0)
 *		for (js_node *n = t.root; n; n = js_next(n, t.root))
 *			...
 *	arena_fini(&a);
 */
#ifndef SOURCE_JS_H
#define SOURCE_JS_H

#include "base/arena.h"
#include "base/buf.h"

#define JS_DEPTH 1000 /* levels of nesting */
#define JS_ERRORS 50  /* more are not collected */
#define JS_NO_OPEN UINT32_MAX

typedef enum js_kind {
#define NODE(kind, name, fields) JS_##kind,
#include "node.def"
#undef NODE
	JS_KINDS
} js_kind;

/* Tokens are public because they name operators. */
typedef enum js_token_kind {
#define TOKEN(kind, spelling) T_##kind,
#define BINARY(kind, spelling, precedence) T_##kind,
#define ASSIGN(kind, spelling) T_##kind,
#define WORD(kind, spelling) T_##kind,
#define RESERVED(kind, spelling) T_##kind,
#include "token.def"
#undef TOKEN
#undef BINARY
#undef ASSIGN
#undef WORD
#undef RESERVED
	T_COUNT
} js_token_kind;

typedef enum js_code {
#define ERROR(code, message) JS_E_##code,
#include "error.def"
#undef ERROR
	JS_CODES
} js_code;

enum { /* .flags of a node */
	JS_PAREN = 1 << 0,     /* stood in parentheses */
	JS_ASYNC = 1 << 1,     /* function, method; for await */
	JS_GENERATOR = 1 << 2, /* function; yield* */
	JS_STRICT = 1 << 3,    /* function, class, root: strict inside */
	JS_STATIC = 1 << 4,    /* class member */
	JS_COMPUTED = 1 << 5,  /* [key] */
	JS_SHORTHAND = 1 << 6, /* { name } */
	JS_OPTIONAL = 1 << 7,  /* ?. */
	JS_PREFIX = 1 << 8,    /* ++x */
	JS_CONCISE = 1 << 9,   /* x => x: the body is an expression */
	JS_DIRECTIVE = 1 << 10, /* "use strict" and its like */
	JS_TARGET = 1 << 11,   /* a name that is set, not only read */
	JS_ESCAPED = 1 << 12,  /* word or string written with escapes */
	JS_TYPED = 1 << 13,    /* had "as" or "satisfies" around it */
	JS_COMMA = 1 << 14     /* spread: a comma stands behind it */
};

/* A word that occurs in the text, each only once: equal names, equal
 * pointers. */
typedef struct js_name {
	text text;           /* escapes undone */
	struct js_name *same; /* for the table */
	uint32_t hash;
	uint8_t word;        /* its js_token_kind; T_NAME: nothing special */
	void *scratch[3];    /* for a walk over the tree; NULL between walks */
} js_name;

typedef struct js_node {
	uint8_t kind;
	uint8_t op;      /* js_token_kind, see node.def */
	uint32_t flags;
	uint32_t start, end; /* bytes of the text; without its parentheses */
	struct js_node *parent, *child, *next;
	js_name *name;   /* names; labels; NULL otherwise */
} js_node;

typedef struct js_error {
	js_code code;
	uint32_t start, end; /* bytes */
	uint32_t open; /* the innermost ( [ { or ${ that is open there; JS_NO_OPEN */
	uint8_t found; /* the token at start, as the lexer had it */
	bool on_new_line; /* a line break stands before that token */
	text message;
} js_error;

/* A stretch of TypeScript that an engine must not see. */
typedef struct js_span {
	uint32_t start, end;
	char first, last; /* written in its first and last byte; 0: a blank */
} js_span;

typedef struct js_tree {
	text text;           /* a copy, with zeros behind it */
	js_node *root;       /* JS_BODY; NULL when the grammar was left */
	js_error *errors;    /* in the order they were found */
	size_t error_count;
	js_span *spans;      /* types, in the order of the text */
	size_t span_count;
	uint32_t hashbang;   /* bytes of a first line #!...; 0 */
	arena *arena;
} js_tree;

typedef enum js_goal {
	JS_ASYNC_BODY, /* the body of an async arrow function: what we run */
	JS_SCRIPT      /* a plain script, HTML comments too (Annex B) */
} js_goal;

typedef struct js_options {
	js_goal goal;
	bool typescript; /* types are read, and noted in .spans */
	bool modules;    /* import and export become nodes, not errors */
	uint64_t *steps; /* tokens that may still be read, counted down; NULL: no
			 * bound. With 0 left the parse ends with JS_E_STEPS */
} js_options;

/*
 * Parses at most 2^31 bytes of text. CM_OK also when there are errors: then
 * t->error_count says so. CM_EINPUT: the text is not valid UTF-8; CM_ENOMEM,
 * CM_ELIMIT: the arena refused; then *t is empty. Wants 15 to 25 bytes of arena
 * for a byte of ordinary text.
 */
cm_status js_parse(text source, const js_options *options, arena *a,
    js_tree *t);

/* Looking at nodes. */
const char *js_kind_name(js_kind kind);     /* "if" */
const char *js_token_text(js_token_kind op); /* "+", "typeof" */
/* The text from start to end. */
text js_text(const js_tree *t, const js_node *n);
/* Child i, counted from 0; NULL when it is missing (JS_NONE too). */
js_node *js_field(const js_node *n, unsigned i);
/* What follows n when root is walked from outside in, left to right: its
 * first child, or what follows js_over(n). NULL: the walk is over. */
js_node *js_next(const js_node *n, const js_node *root);
/* The same without going into n. */
js_node *js_over(const js_node *n, const js_node *root);
/* Is this a function of any form? */
bool js_is_function(const js_node *n);
/* Does a var inside stop here: a function, a static block, the root? */
bool js_opens_function(const js_node *n);
/* Does let stop here? Cases of a switch are left to the caller. */
bool js_opens_scope(const js_node *n);
/* n, without the JS_CHAINs around it. */
const js_node *js_unchained(const js_node *n);
bool js_is_pattern(const js_node *n);
/* What declares the name of a JS_BIND: the parent of its outermost pattern. */
const js_node *js_declared_by(const js_node *bind);
/* The element whose node is n, of a list in the order of the text whose
 * elements of size bytes begin with a node's address; NULL: there is none. */
const void *js_find(const void *list, size_t len, size_t size, const js_node *n);

/* Values of literals. */
/* Appends what a JS_STRING, a JS_CHUNK or a JS_KEY stands for. A lone
 * surrogate comes as the three bytes that UTF-8 would give it (WTF-8). */
void js_string(const js_tree *t, const js_node *n, buf *out);
/* Of a JS_NUMBER. */
double js_number(const js_tree *t, const js_node *n);

/* The tree as a list in parentheses, one line: (body (expr (name x))). */
void js_print(const js_tree *t, buf *out);

/* The text with its types blanked: same lines, same columns, plain
 * JavaScript. Only for a tree without errors. */
void js_blank_types(const js_tree *t, buf *out);

#endif
