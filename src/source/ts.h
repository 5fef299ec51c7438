/* SPDX-License-Identifier: MIT */
/*
 * ts.h -- where the parser meets TypeScript: types are read, noted as spans to
 * be blanked, and leave nothing in the tree.
 *
 * All of these are for parser.ts only. Blanking must not move the end of a
 * statement. What was ended by a line break may not be ended by it any more
 * when the types after it are gone; then a span begins with a semicolon. And
 * where JavaScript allows no line break (after return, before =>), a
 * parenthesis moves into the span (js_span.first, .last).
 *
 * "try" functions read ahead and come back when it was none. What is read in
 * vain is counted and limited, so that the whole parse stays linear.
 */
#ifndef SOURCE_TS_H
#define SOURCE_TS_H

#include "parse.h"

/* ts_span.c: notes that [start, end) is types; spans inside it are forgotten.
 * Never NULL. */
js_span *ts_blank(parser *p, uint32_t start, uint32_t end);
/* Did a line break end what stands before the token? */
bool ts_open(const parser *p);
/* A whole statement or member from start to here goes; open: see ts_open. */
void ts_erase(parser *p, uint32_t start, bool open);
/* Back to m; what was read since then was in vain. */
void ts_give_up(parser *p, const mark *m);

/* ts_type.c: these read and note nothing. */
void ts_type(parser *p);
/* At <: type parameters, type arguments. */
void ts_parameters(parser *p);
void ts_arguments(parser *p);
/* What stands behind a function's colon: also x is T, asserts x. */
void ts_return_type(parser *p);
/* ts_object.c: the { } of an interface; ( ) of a function's type. */
void ts_object(parser *p);
/* A part of ( ) or [ ] in a type: [...] [name[?]:] type. What it can be: */
typedef enum ts_role { TS_TYPE, TS_EITHER, TS_PARAMETER } ts_role;
ts_role ts_element(parser *p);

/* ts_expr.c */
/* : type, blanked if it is there. */
bool ts_annotation(parser *p);
/* The same behind a function's parameters. */
void ts_return_annotation(parser *p);
/* <T>, blanked if it is there. */
void ts_opt_parameters(parser *p);
void ts_opt_arguments(parser *p);
/* The same in expressions, where < may also compare. */
bool ts_try_arguments(parser *p);
/* Behind an operand: x!, f<T>(x). True: something was eaten. */
bool ts_member_tail(parser *p);
/* A mark like ? or !, blanked if it is there. */
bool ts_mark(parser *p, unsigned kind);
/* as T, satisfies T behind left; false: it is none, or not of this level. */
bool ts_as(parser *p, js_node *left, bool allowed);
/* Is the token an operator that binds tighter than n does? (expr.c) */
bool js_binds_tighter(const parser *p, const js_node *n);

/* ts_arrow.c */
/* At ?: is it the mark of an optional parameter? */
bool ts_at_optional_mark(parser *p);
/* What may follow a parameter in parentheses; true: only => can follow. */
bool ts_parameter_tail(parser *p);
/* At : behind the ) at close: is it the type of an arrow function? Then it is
 * blanked. */
bool ts_try_arrow_type(parser *p, uint32_t close);
/* <T>(x) => and async <T>(x) =>; NULL: it is none. */
js_node *ts_generic_arrow(parser *p);
/* this: T, and the comma, at the beginning of parameters. */
void ts_this_parameter(parser *p);
/* Modifiers before a parameter: an error that says what to write. */
void ts_parameter_modifiers(parser *p);

/* ts_decl.c */
/* A statement that is types only, or an error; false: an ordinary one. */
bool ts_statement(parser *p);
/* At ; or a line end behind a function's head: blanked as an overload. */
bool ts_overload(parser *p, uint32_t start);
/* implements A, B. */
void ts_implements(parser *p);

/* ts_module.c. start: where import or export stands. True: all types. */
bool ts_export(parser *p, uint32_t start);
bool ts_export_default(parser *p, uint32_t start);
bool ts_import(parser *p, uint32_t start);
/* In the { } of import and export: type name. True: it was blanked. */
bool ts_type_specifier(parser *p);

/* ts_class.c */
typedef struct ts_member {
	uint32_t start; /* where the member began, modifiers too */
	bool open;      /* a line break ended the member before it */
	bool erased;    /* declare, abstract: the whole member goes */
} ts_member;
/* Modifiers that stand before a member; static is eaten too and told. */
ts_member ts_modifiers(parser *p, bool *is_static);
/* [key: type]: type; */
bool ts_index_signature(parser *p, const ts_member *m);
/* ? or ! behind a member's name. */
void ts_member_mark(parser *p);

#endif
