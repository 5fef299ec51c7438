/* SPDX-License-Identifier: MIT */
/*
 * code.h -- what a script is compiled to: functions of instructions (code.def)
 * on registers, constants, and where an exception goes on.
 *
 * A unit never changes and belongs to no run: runs of the same text may share
 * it. What a run keeps beside it (constants as values, caches) is in the run.
 *
 * Registers of a function: its parameters, then its variables, then what an
 * expression needs on the way. A variable that a function inside uses is not in
 * a register but in a scope, and a register has the scope.
 */
#ifndef EVALUATOR_CODE_H
#define EVALUATOR_CODE_H

#include "js_value.h"

#include "base/arena.h"
#include "source/js.h"

typedef enum op_code {
#define OP(name, operands, does) OP_##name,
#include "code.def"
#undef OP
	OPS
} op_code;

enum { /* code.flags */
	CODE_ASYNC = 1 << 0,
	CODE_GENERATOR = 1 << 1,
	CODE_ARROW = 1 << 2, /* this, new.target and arguments are outside */
	CODE_STRICT = 1 << 3,
	CODE_METHOD = 1 << 4, /* cannot be constructed */
	CODE_CLASS = 1 << 5,  /* can only be constructed */
	CODE_DERIVED = 1 << 6,
	CODE_EXTRA = 1 << 7, /* looks at arguments beyond its parameters */
	CODE_LIB = 1 << 8,   /* of lib/: no stack shows it, no source */
	CODE_MAKES = 1 << 9  /* constructor of lib/: makes its object itself */
};

enum { /* the last operand of DEFINE_AT and PRIVATE_ADD, when it is no P_* */
	DEFINE_GETTER = 16, /* | P_ENUM: of a literal; a setter stays */
	DEFINE_SETTER = 32,
	DEFINE_METHOD = 64, /* hidden in a class, | P_ENUM in a literal;
			     * private: it cannot be set */
	DEFINE_PROTO = 128  /* __proto__: v, of a literal */
};

/* code.unit. Those of engine/library stand behind, from UNIT_LIBRARY on. */
enum { UNIT_LIB, UNIT_SCRIPT, UNIT_LIBRARY, UNIT_BITS = 5, UNITS = 1 << UNIT_BITS };

typedef enum constant_kind {
	CONSTANT_NUMBER,
	CONSTANT_STRING, /* WTF-8 */
	CONSTANT_BIGINT  /* as written, without n */
} constant_kind;

typedef struct constant {
	constant_kind kind;
	double number;
	text text;
} constant;

/* An exception at from <= pc < to goes on at pc with the value in a register. */
typedef struct handler {
	uint32_t from, to, pc;
	uint16_t reg;
} handler;

typedef struct code_line {
	uint32_t pc;
	uint32_t at; /* byte of the source */
} code_line;

typedef struct code {
	uint16_t *op;
	uint32_t len;
	uint32_t name;      /* constant; UINT32_MAX: none */
	uint16_t params;    /* registers that arguments go into */
	uint16_t length;    /* of the function object */
	uint16_t registers; /* in all */
	uint16_t scope_reg; /* where its own scope, or the outer one, is */
	unsigned flags;
	handler *handler; /* the inner ones first */
	uint32_t handlers;
	code_line *line; /* by pc */
	uint32_t lines;
	uint32_t start, end; /* of the source: toString */
	uint32_t caches;     /* of this function, from .first_cache on */
	uint32_t first_cache;
	uint8_t unit; /* UNIT_LIB, UNIT_SCRIPT */
} code;

typedef struct template_strings {
	uint32_t *cooked; /* constants; UINT32_MAX: undefined */
	uint32_t *raw;
	uint32_t len;
} template_strings;

typedef struct unit {
	text source;
	code **function; /* 0: the script */
	uint32_t functions;
	constant *constant;
	uint32_t constants;
	template_strings *template;
	uint32_t templates;
	uint32_t caches;
	arena arena; /* all of it */
} unit;

/* What compiling refuses, with the place. */
typedef struct compile_fault {
	const char *why; /* NULL: nothing */
	uint32_t start, end;
} compile_fault;

/* Compiles a tree without errors; lib: a file of lib/, whose names with $ are
 * natives, and whose function 0 is not async. CM_ENOMEM, CM_ELIMIT; fault->why: the language
 * has more than this engine (then CM_OK, and *out is empty). */
cm_status unit_compile(const js_tree *t, bool lib, const cm_alloc *alloc,
    unit **out, compile_fault *fault);
void unit_free(unit *u);
/* What of a unit the machine must not run; NULL: nothing. */
const char *unit_check(const unit *u, const cm_alloc *alloc);
/* For people: one instruction a line. */
void unit_print(const unit *u, buf *out);

/* Instructions by number: name and operands. */
extern const char *const op_names[OPS];
extern const char *const op_operands[OPS];

#endif
