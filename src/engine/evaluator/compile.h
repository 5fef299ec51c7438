/* SPDX-License-Identifier: MIT */
/*
 * compile.h -- a unit while it is made: for compile*.c alone.
 *
 *	compile_scope.c    which declaration a name means, and who uses it from
 *	                   a function inside
 *	compile_early.c    what the grammar allows and the standard does not
 *	compile.c          registers, instructions, jumps, constants
 *	compile_expr.c     expressions
 *	compile_take.c     patterns, and what can stand left of =
 *	compile_stmt.c     statements
 *	compile_function.c functions and classes
 *	compile_leave.c    break, continue, return, finally, using
 *	compile_pause.c    await, yield, iterators of for await
 *	compile_lib.c      what only files of lib/ can say
 */
#ifndef EVALUATOR_COMPILE_H
#define EVALUATOR_COMPILE_H

#include "code.h"

#include "base/map.h"

#define REG_ANY ((uint16_t)0xffff) /* where the compiler likes */
#define NO_PC   UINT32_MAX

typedef enum variable_kind {
	VARIABLE_VAR,
	VARIABLE_FUNCTION,
	VARIABLE_PARAMETER,
	VARIABLE_LET,
	VARIABLE_CONST,
	VARIABLE_CLASS,
	VARIABLE_CAUGHT,
	VARIABLE_SELF, /* the name of a function expression */
	VARIABLE_ARGUMENTS,
	VARIABLE_PRIVATE, /* #name: holds its symbol */
	/* Of a function, for arrow functions inside: */
	VARIABLE_THIS,   /* of a derived constructor; V_HOLE before super() */
	VARIABLE_CALLEE, /* the function itself */
	VARIABLE_TARGET, /* new.target */
	VARIABLE_MEMBER  /* of a class: the computed key of the field .made, or
			   * the function of the private method .made */
} variable_kind;

typedef struct variable {
	js_name *name;
	struct variable *next;  /* of the same scope, as declared */
	struct variable *outer; /* of the same name, while names are resolved */
	struct scope *scope;
	const js_node *made;     /* the JS_BIND; NULL: the compiler made it */
	const js_node *function; /* what a function declaration declares */
	variable_kind kind;
	bool captured; /* a function inside uses it: it is in a scope */
	bool set;      /* there is an assignment to it */
	bool early;    /* there is a use that may come before it is set */
	bool hoisted;  /* a var, only because a function in a block is one */
	bool copied;   /* begins as the parameter of its name */
	uint16_t at;   /* register, or place in the scope */
} variable;

/* A var in a block inside, which this block must not declare. */
struct passed {
	struct passed *next;
	const js_name *name;
};

typedef struct scope {
	const js_node *node;
	struct passed *passed;
	struct scope *outer;
	variable *first, *last;
	bool function;      /* var stops here */
	uint16_t captured;  /* variables that are in a scope at run time */
	uint16_t reg;       /* of the scope that is current inside */
	uint16_t outer_reg; /* of the one around */
	bool expressions; /* of a function: its parameters have defaults ... */
	uint16_t mark;    /* registers in use outside of it */
	struct function_state *mine; /* while that is compiled */
} scope;

/* A way out of a statement that does something when it is left (finally, an
 * iterator): where it goes on after that. */
typedef struct way {
	struct target *to; /* NULL: return */
	bool continues;
	uint32_t list; /* jumps that take it */
} way;

/* A statement that break, continue or return leaves. */
typedef struct target {
	struct target *outer;
	const js_node *node;        /* labels stand around it */
	uint32_t breaks, continues; /* jumps; NO_PC: none yet */
	bool loop;                  /* can be continued */
	bool plain;                 /* break needs a label */
	bool closes;                /* an iterator is closed when it is left */
	bool finally;               /* another statement runs when it is left */
	uint16_t how;  /* finally: register: which way; 0: goes on, 1: throws,
			    * from 2: .way */
	uint16_t what; /* closes, finally: register of the value */
	way *way;
	unsigned ways;
	size_t way_cap;
} target;

typedef struct function_state {
	struct function_state *outer;
	code *out;
	const js_node *node;
	scope *scope; /* the current one */
	target *target;
	uint16_t top; /* registers in use */
	size_t op_cap;
	size_t handler_cap, line_cap;
	uint32_t latest_at; /* of the source */
	uint32_t *chain; /* jumps out of the optional chain around; or NULL */
	uint16_t outer_scope; /* register of the scope that it was made in */
	uint16_t resources; /* register: what `using` has to dispose of here */
} function_state;

typedef struct compiler {
	const js_tree *tree;
	arena *arena; /* of the unit */
	arena work;   /* freed at the end */
	unit *unit;
	function_state *f;
	size_t function_cap, constant_cap, template_cap;
	map texts; /* of string constants, to their numbers */
	struct scope_slot {
		const js_node *node;
		scope *scope;
	} * scope_of; /* by the node's address */
	size_t scope_places, scopes;
	/* Names that no script can write. */
	js_name this_name, callee_name, target_name, member_name;
	bool lib;
	uintptr_t stack_floor;
	compile_fault *fault;
	cm_status bad;
} compiler;

/* ------------------------------------------------------------------ scopes */

cm_status scopes_read(compiler *c);
/* Refuses what the grammar allows and the standard does not. */
void check_early(compiler *c);
/* { __proto__: value } sets the prototype. */
bool is_proto_member(const compiler *c, const js_node *p);
/* The scope that node opens; NULL: it opens none. */
scope *scope_opened(const compiler *c, const js_node *node);
/* While the compiler is inside a scope its names mean what it declares. */
void scope_open_names(scope *s);
void scope_close_names(scope *s);
/* What a name means here; NULL: a global. */
static inline variable *
variable_find(const js_name *name)
{
	return name->scratch[0];
}

/* Can n, a use of it, be reached before the declaration? */
bool may_come_before(const js_node *n, const variable *v);
/* The symbol of #name, into a register. */
void load_private(compiler *c, const js_node *n, uint16_t dst);
bool function_is_strict(const js_node *n);
/* What n (JS_THIS, JS_SUPER, JS_META) is about: the function that is no arrow
 * function; NULL: a field, a static block, the script. */
const js_node *function_of_this(const js_node *n);
/* Is it the function of a method, not its computed key? */
bool is_method_function(const js_node *function);
variable *private_variable(const js_node *n);
bool is_derived_constructor(const js_node *function);

/* ------------------------------------------------------- instructions (compile.c) */

void emit_op(compiler *c, op_code op, ...); /* its operands, but for jumps */
/* Notes where in the source what follows comes from. */
void emit_at(compiler *c, const js_node *n);
/* A jump whose place is not known: a list of one. */
uint32_t emit_jump(compiler *c, op_code op, ...);
/* A place without an instruction: one of a SWITCH. */
uint32_t emit_place(compiler *c);
void jump_join(compiler *c, uint32_t *list, uint32_t jump);
/* All jumps of that list come here. */
void jump_here(compiler *c, uint32_t list);
void jump_back(compiler *c, op_code op, uint32_t to);
void add_handler(
    compiler *c, uint32_t from, uint32_t to, uint32_t pc, uint16_t reg);
uint32_t constant_text(compiler *c, text t);
uint32_t constant_number(compiler *c, double d);
uint32_t constant_of_name(compiler *c, const js_name *n);
uint32_t constant_bigint(compiler *c, text t);
uint16_t reg_new(compiler *c);
uint16_t regs_new(compiler *c, unsigned n); /* one behind the other */
void regs_free(compiler *c, uint16_t from);
void refuse_node(compiler *c, const js_node *n, const char *why);
/* Is there stack for one more level? False: refused. */
bool compile_has_room(compiler *c, const js_node *n);

/* -------------------------------------------------------------- expressions */

/* Compiles n; its value is in the register that is returned: in dst, unless
 * that is REG_ANY. */
uint16_t expr(compiler *c, const js_node *n, uint16_t dst);
void expr_drop(compiler *c, const js_node *n);
/* Jumps, into the list, when n is true (or false); goes on otherwise. */
void expr_jump(compiler *c, const js_node *n, bool when, uint32_t *list);
void load_name(compiler *c, const js_node *at, js_name *name, uint16_t dst);
/* The variable itself, or one of those that have no name. */
void load_variable(compiler *c, const variable *v, uint16_t dst);
void store_variable(compiler *c, const variable *v, uint16_t from);
void set_name(compiler *c, const js_node *at, js_name *name, uint16_t from,
    bool declares);
uint16_t key_reg(compiler *c, const js_node *key, bool computed);
void load_this(compiler *c, uint16_t dst);
bool has_spread(const js_node *arg);
/* Arguments in new registers, one behind the other: how many. */
unsigned arguments(compiler *c, const js_node *arg);
/* Arguments as an array in a register. */
void argument_list(compiler *c, const js_node *arg, uint16_t all);
/* super(...): the arguments as an array are in base + 2; the new object is in
 * base. base to base + 2 are the last registers in use. */
void construct_super(compiler *c, uint16_t base);
/* The function that runs, and new.target, outside of arrow functions. */
void load_callee(compiler *c, uint16_t dst);
/* In lib/: a native's name, as a function object; a call of a native, or of
 * $call and its like, into base, where two registers are reserved. False: it is
 * none. */
bool lib_name(compiler *c, const js_node *n, uint16_t dst);
bool lib_call(compiler *c, const js_node *n, uint16_t base);
/* An anonymous function or class gets that name: a word, a constant, or
 * the key in a register (REG_ANY: none). */
uint16_t expr_named(compiler *c, const js_node *n, js_name *name, uint16_t dst);
uint16_t expr_named_text(
    compiler *c, const js_node *n, uint32_t name, uint16_t dst);
uint16_t expr_keyed(compiler *c, const js_node *n, uint16_t key, uint16_t dst);
/* The value of a literal as a constant. */
uint32_t string_constant(compiler *c, const js_node *n);
/* The left one of two operands, where the right one cannot change it. */
uint16_t left_expr(compiler *c, const js_node *n, const js_node *right);
bool may_be_unset(const js_node *at, const variable *v);
/* GET of a name, of an object in a register. */
void get_named(compiler *c, uint16_t dst, uint16_t o, const char *name);

/* Takes the value in from apart into a target or a binding. */
void take_apart(
    compiler *c, const js_node *pattern, uint16_t from, bool declares);
/* An argument; its register may change. */
void take_parameter(compiler *c, const js_node *n, uint16_t r);
uint16_t assign_expr(compiler *c, const js_node *n, uint16_t dst);
void update_expr(compiler *c, const js_node *n, uint16_t dst, bool used);

/* ------------------------------------------------------------------- pauses */

uint16_t await_expr(compiler *c, const js_node *n, uint16_t dst);
uint16_t yield_expr(compiler *c, const js_node *n, uint16_t dst);
void emit_await(compiler *c, uint16_t r);
/* Of the iterator at `it`, as NEXT and CLOSE do it for ordinary ones. */
void next_later(compiler *c, uint16_t item, uint16_t it, uint32_t *end);
void close_later(compiler *c, uint16_t it, bool quiet);

/* ------------------------------------------------------------------ leaving */

void open_target(compiler *c, target *t, const js_node *n);
void compile_jump(compiler *c, const js_node *n);
/* The handler of an iterator's loop or pattern, and its ways out: it began at
 * `begin`; later: of for await. */
void end_closing(
    compiler *c, target *t, uint32_t begin, uint16_t it, bool later);
/* try { ... } finally: open_finally before what is tried, begin_finally before
 * what is done in any case, end_finally behind it. `what` is the register of the
 * error. */
void open_finally(compiler *c, target *t, const js_node *n, uint16_t what);
void begin_finally(compiler *c, target *t, uint32_t begin);
void end_finally(compiler *c, target *t);
/* A block with declarations of using. */
typedef struct using_block {
	target target;
	uint32_t begin;
	uint16_t list, mark, outer;
	bool later; /* await using is among them */
} using_block;
void open_using(compiler *c, using_block *u, const js_node *n, bool later);
void close_using(compiler *c, using_block *u);
/* Statements, among them declarations with using. */
void statements_using(compiler *c, const js_node *n, const js_node *first);
bool declares_using(const js_node *statement);
/* The value is disposed of at the end of the block. */
void use_resource(compiler *c, const js_node *n, uint16_t value, bool later);

/* -------------------------------------------------------- statements, functions */

void statements(compiler *c, const js_node *first);
void statement(compiler *c, const js_node *n);
/* Enters the scope of node: registers, a new scope, its functions. */
scope *enter_scope(compiler *c, const js_node *node);
/* The same for s, before what it declares begins. */
void open_scope(compiler *c, scope *s);
/* A new scope at run time in the place of the one of s, as it begins. */
void renew_scope(compiler *c, scope *s);
void leave_scope(compiler *c, scope *s);
void return_value(compiler *c, uint16_t from);
/* RETURN; a constructor whose arrow functions may have called super() returns
 * what they set instead of undefined. */
void emit_return(compiler *c, uint16_t from);
/* The variable of a derived constructor that holds this; NULL: no arrow function
 * uses it. */
variable *this_variable(const compiler *c);

/* name: a constant; UINT32_MAX: none. */
uint32_t function_code(compiler *c, const js_node *n, uint32_t name,
    unsigned flags, const js_node *fields);
void function_expr(compiler *c, const js_node *n, uint32_t name, uint16_t dst);
/* The function of a method of the object in `on`; key: the register of its
 * key. */
void method_expr(
    compiler *c, const js_node *m, uint16_t on, uint16_t key, uint16_t dst);
/* An anonymous one gets the name: a constant, or that in the register key. */
void class_expr(
    compiler *c, const js_node *n, uint32_t name, uint16_t key, uint16_t dst);
/* The register with the scope in which closures are made now. */
uint16_t scope_reg(const compiler *c);

#endif
