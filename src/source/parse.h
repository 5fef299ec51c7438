/* SPDX-License-Identifier: MIT */
/*
 * parse.h -- what the parts of the parser share. Only js_parse is called
 * from outside.
 *
 * How it fails: the first thing that no rule of the grammar can read is a
 * fault (js_unexpected and its like). From then on every token is the end of
 * the script, so that each function comes to its end. No function has to look
 * whether another one failed, and each gives a node, also when that is useless.
 * A loop over tokens must end at T_EOF, and a loop over children at a fault:
 * when memory is refused, all nodes are one (parser.spare), whose .next is
 * itself.
 *
 * How deep it goes: every function that can call itself, also through others,
 * passes js_enter or js_room first, which compare the stack that is left with
 * JS_STACK_RESERVE. test/source/cycles derives from the call graph that no
 * cycle goes around them, and that the reserve is enough for what runs between
 * two of them.
 */
#ifndef SOURCE_PARSE_H
#define SOURCE_PARSE_H

#include "lex.h"

enum { /* parser.ctx: what is allowed at the token */
	CTX_ASYNC = 1 << 0,     /* await is an operator */
	CTX_GENERATOR = 1 << 1, /* yield is an operator */
	CTX_STRICT = 1 << 2,
	CTX_NO_IN = 1 << 3,     /* head of a for: "in" is no operator */
	CTX_TOP = 1 << 4,       /* statements of the script itself */
	CTX_THEN = 1 << 5,      /* TypeScript: between ? and : */
	CTX_DECLARE = 1 << 6,   /* TypeScript: inside "declare" */
	CTX_OVERLOAD = 1 << 7,  /* TypeScript: a body may be missing */
	CTX_NAMESPACE = 1 << 8, /* TypeScript: in a namespace's { } */
	CTX_NO_CONDITIONAL = 1 << 9, /* TypeScript: no A extends B ? C : D */
	/* What an arrow function takes over from around it. */
	CTX_ARROW = CTX_STRICT | CTX_NO_IN | CTX_THEN | CTX_DECLARE
};

/* Does a : follow the body of the arrow function at arrow? */
enum { TS_DECISIONS = 64 };
typedef struct ts_decision {
	uint32_t arrow;
	bool known, yes;
} ts_decision;

typedef struct parser {
	lexer l;
	unsigned ctx;
	unsigned depth;
	bool ts;
	bool too_deep; /* js_room or js_enter refused */
	const js_options *options;
	arena *arena;
	js_node spare; /* given when there is no memory */
	js_span *spans;
	size_t span_count, span_cap;
	uint32_t plain_await; /* where an await ended that is only a name */
	uint32_t asi;       /* the last statement ended here, by a line break */
	/* For TypeScript only. */
	js_span spare_span;
	bool open;          /* what stood before this statement: ts_open */
	size_t reread;      /* bytes that were read in vain (ts_give_up) */
	ts_decision decisions[TS_DECISIONS];
} parser;

/* ------------------------------------------------------------- tokens */

static inline bool
at(const parser *p, unsigned kind)
{
	return p->l.tok.kind == kind;
}

static inline void
next(parser *p)
{
	lex_next(&p->l);
}

static inline bool
eat(parser *p, unsigned kind)
{
	if (!at(p, kind))
		return false;
	next(p);
	return true;
}

/* Does a line break stand before the token? */
static inline bool
line_before(const parser *p)
{
	return p->l.tok.flags & TOK_LINE;
}

/* Any word, reserved or not. */
static inline bool
is_word(unsigned kind)
{
	return kind >= T_NAME;
}

/* A word that can name a variable, as far as the grammar goes. */
static inline bool
is_name(unsigned kind)
{
	return kind >= T_NAME && kind < T_ESCAPED;
}

static inline uint32_t
here(const parser *p)
{
	return p->l.tok.start;
}

/* The token must be this one; it is eaten. */
void js_need(parser *p, unsigned kind);
/* A fault at the token. */
void js_unexpected(parser *p);
/* An early error; the parse goes on. */
void js_err(parser *p, js_code code, const js_node *n);
void js_err_at(parser *p, js_code code, uint32_t start, uint32_t end);
/* A fault with a code of its own. */
void js_fault(parser *p, js_code code, uint32_t start, uint32_t end);
/* Ends a statement: ; or what stands for it. */
void js_semicolon(parser *p);
/* Is there stack for one more level? False is a fault. */
bool js_room(parser *p);
/* The same, and no deeper than JS_DEPTH levels; js_leave must follow in both
 * cases. */
bool js_enter(parser *p);
static inline void
js_leave(parser *p)
{
	p->depth--;
}

/* Where the lexer is, to come back to it. */
typedef struct mark {
	js_token tok;
	uint32_t prev_end;
	const char *at;
	open_bracket *open;
	size_t errors, spans;
	unsigned ctx, depth;
	uint32_t asi;
} mark;
mark js_mark(const parser *p);
/* Back to m, faults after it forgotten. */
void js_rewind(parser *p, const mark *m);

/* -------------------------------------------------------------- nodes */

js_node *js_new(parser *p, js_kind kind, uint32_t start);
/* A node that is the token, which is eaten. */
js_node *js_leaf(parser *p, js_kind kind);
/* Nodes that end where the last token ended. */
js_node *js_node1(parser *p, js_kind kind, uint32_t start, js_node *a);
js_node *js_node2(parser *p, js_kind kind, uint32_t start, js_node *a,
    js_node *b);
js_node *js_none(parser *p);

/* The list of children that is being built. */
typedef struct kids {
	js_node *parent;
	js_node **tail;
} kids;

static inline kids
kids_of(js_node *parent)
{
	return (kids){parent, &parent->child};
}

static inline void
add(kids *k, js_node *n)
{
	n->parent = k->parent;
	n->next = NULL;
	*k->tail = n;
	k->tail = &n->next;
}

/* n ends where the last token ended. */
static inline js_node *
done(const parser *p, js_node *n)
{
	n->end = p->l.prev_end;
	return n;
}

/* ------------------------------------------- expr.c, primary.c, literal.c */

js_node *js_expression(parser *p);
/* The same; "in" is allowed also in the head of a for. */
js_node *js_expression_in(parser *p);
js_node *js_assign(parser *p);
js_node *js_assign_in(parser *p);
js_node *js_left_hand_side(parser *p);
js_node *js_primary(parser *p);
js_node *js_array(parser *p);
js_node *js_object(parser *p);
js_node *js_template(parser *p, bool tagged);
js_node *js_string_leaf(parser *p);
/* Arguments in parentheses, added to k. */
void js_arguments(parser *p, kids *k);

/* What stands before the name of a method. */
typedef struct js_head {
	uint32_t start;
	unsigned op;    /* T_FUNCTION, T_GET, T_SET_WORD */
	unsigned flags; /* JS_ASYNC, JS_GENERATOR */
	bool method;    /* any of them was there */
} js_head;
js_head js_member_head(parser *p);
/* A property's name, with its JS_COMPUTED (or 0) in *flags. */
js_node *js_key(parser *p, unsigned *flags);

/* --------------------------------------------------------- pattern.c */

/* The expression becomes what can be assigned to. */
void js_to_target(parser *p, js_node *n);
/* The children of a JS_COVER become parameters. */
void js_to_parameters(parser *p, js_node *cover);
/* What ++, --, += can have: no pattern. */
void js_to_simple_target(parser *p, js_node *n);
/* name, { } or [ ], as declarations have it. */
js_node *js_binding(parser *p);
js_node *js_binding_name(parser *p);
/* A binding and its default. */
js_node *js_binding_element(parser *p);
js_node *js_binding_rest(parser *p);

/* ---------------------------------------------------------- func.c */

/* At "function" (async was eaten; start is where it stood). */
js_node *js_function(parser *p, js_kind kind, uint32_t start, unsigned flags);
/* The same where declarations stand. NULL: an overload, which is types. */
js_node *js_function_declaration(parser *p, uint32_t start, unsigned flags);
/* Parameters and body of a method. NULL: an overload, which has no body. */
js_node *js_method_function(parser *p, unsigned flags, bool overload);
/* Parameters in parentheses. */
js_node *js_params(parser *p);
/* At =>, behind a JS_COVER or a lone name. */
js_node *js_arrow(parser *p, uint32_t start, js_node *cover);
/* The statements of a body up to close (T_EOF, or T_RBRACE, not eaten). */
void js_body(parser *p, js_node *body, unsigned close);

/* class.c */
js_node *js_class(parser *p, js_kind kind, uint32_t start);

/* ---------------------------------------------------------- stmt.c, loop.c */

/* Statements and declarations up to close, added to k. */
void js_statements(parser *p, kids *k, unsigned close);
/* NULL: it was all types. */
js_node *js_statement_or_declaration(parser *p);
/* Where only a statement may stand: body of if, for ... */
js_node *js_statement(parser *p);
js_node *js_block(parser *p);
js_node *js_var(parser *p, unsigned op);
/* Which declaration begins here: T_VAR, T_LET, T_CONST, T_USING, T_AWAIT;
 * T_EOF for none. */
unsigned js_at_var(parser *p);
js_node *js_while(parser *p);
js_node *js_do(parser *p);
js_node *js_for(parser *p);
/* import_export.c */
js_node *js_import(parser *p);
js_node *js_export(parser *p);

#endif
