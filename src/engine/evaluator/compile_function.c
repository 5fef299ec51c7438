/* SPDX-License-Identifier: MIT */
/*
 * compile_function.c -- functions and classes: see compile.h.
 *
 * A class is a function (its constructor), a prototype, and a function that sets
 * the fields of a new object, which the constructor calls. Names of private
 * members are variables of the class's scope, each with a symbol.
 */
#include "compile.h"

#include "object.h"

bool
function_is_strict(const js_node *n)
{
	for (; n != NULL; n = n->parent)
		if ((js_is_function(n) || n->kind == JS_CLASS ||
			n->kind == JS_CLASS_DECL || n->parent == NULL) &&
		    n->flags & JS_STRICT)
			return true;
	return false;
}

/* ---------------------------------------------------------------- functions */

static code *
new_code(compiler *c, uint32_t *number)
{
	unit *u = c->unit;
	code *f = arena_take(c->arena, sizeof(*f));
	code **list = arena_grow(c->arena, u->function, &c->function_cap,
	    u->functions, sizeof(*list));

	*number = 0;
	if (f == NULL || list == NULL)
		return NULL;
	*f = (code){.name = UINT32_MAX};
	u->function = list;
	*number = u->functions;
	u->function[u->functions++] = f;
	return f;
}

/* A parameter that is a name, used in no function inside and not before it is
 * set, is the register that the argument comes in. */
static void
place_parameters(compiler *c, scope *s, const js_node *params)
{
	uint16_t i = 0;

	for (variable *v = s->first; v != NULL; v = v->next)
		v->at = REG_ANY;
	for (const js_node *p = params->child; p != NULL; p = p->next, i++) {
		variable *v =
		    p->kind == JS_BIND ? variable_find(p->name) : NULL;

		if (p->kind == JS_DEFAULT && p->child->kind == JS_BIND)
			v = variable_find(p->child->name);
		if (v != NULL && !v->captured && !v->early &&
		    v->kind == VARIABLE_PARAMETER)
			v->at = i;
	}
	for (variable *v = s->first; v != NULL; v = v->next) {
		if (v->kind != VARIABLE_PARAMETER)
			continue;
		if (v->captured)
			v->at = s->captured++;
		else if (v->at == REG_ANY)
			v->at = reg_new(c);
	}
}

static void
hide_parameters(compiler *c, const scope *s)
{
	for (const variable *v = s->first; v != NULL; v = v->next)
		if (v->kind == VARIABLE_PARAMETER && v->early && !v->captured)
			emit_op(c, OP_LOAD_MISC, v->at, 4);
}

static void
take_parameters(compiler *c, const js_node *params)
{
	uint16_t i = 0, r;

	for (const js_node *p = params->child; p != NULL; p = p->next, i++) {
		if (p->kind == JS_REST) {
			r = reg_new(c);
			emit_op(c, OP_ARGUMENTS, r, i);
			take_apart(c, p->child, r, true);
			regs_free(c, r);
		} else {
			take_parameter(c, p, i);
		}
	}
}

static void
measure_parameters(code *f, const js_node *params)
{
	bool counts = true;

	for (const js_node *p = params->child; p != NULL; p = p->next) {
		if (p->kind == JS_REST) {
			f->flags |= CODE_EXTRA;
			break;
		}
		f->params++;
		counts = counts && p->kind != JS_DEFAULT;
		f->length += counts;
	}
}

/* The function object itself, and its arguments, where they are named. */
static void
begin_special(compiler *c, scope *s)
{
	for (variable *v = s->first; v != NULL; v = v->next) {
		uint16_t r;

		if (v->kind != VARIABLE_SELF && v->kind != VARIABLE_ARGUMENTS &&
		    v->kind != VARIABLE_CALLEE && v->kind != VARIABLE_TARGET)
			continue;
		r = reg_new(c);
		if (v->kind == VARIABLE_TARGET) {
			emit_op(c, OP_NEW_TARGET, r);
		} else if (v->kind != VARIABLE_ARGUMENTS) {
			emit_op(c, OP_FUNCTION_SELF, r);
		} else {
			c->f->out->flags |= CODE_EXTRA;
			emit_op(c, OP_ARGUMENTS, r, -1);
		}
		store_variable(c, v, r);
		regs_free(c, r);
	}
}

static void
function_body(compiler *c, const js_node *body, bool concise)
{
	uint16_t r;
	scope *s;

	if (concise) {
		r = expr(c, body, REG_ANY);
		emit_op(c, OP_RETURN, r);
		return;
	}
	s = enter_scope(c, body);
	statements_using(c, body, body->child);
	r = reg_new(c);
	emit_op(c, OP_LOAD_MISC, r, 0);
	emit_return(c, r);
	leave_scope(c, s);
}

static void set_fields(compiler *c, const js_node *members, bool of_class);

/* Of the script, too. */
static void
compile_static_block(compiler *c, const js_node *n)
{
	function_body(c, n->kind == JS_STATIC_BLOCK ? n->child : n, false);
}

static void
open_function(compiler *c, const js_node *params)
{
	code *f = c->f->out;

	if (params != NULL)
		measure_parameters(f, params);
	c->f->top = 0;
	c->f->resources = REG_ANY;
	regs_new(c, params ? f->params + 1u : 1u);
	f->scope_reg = c->f->outer_scope = (uint16_t)(c->f->top - 1);
}

static void
compile_function(compiler *c, const js_node *n)
{
	const js_node *params = n->child;
	scope *s = scope_opened(c, n);

	while (params->kind != JS_PARAMS)
		params = params->next;
	open_function(c, params);
	/* What open_scope does, with the parameters first. */
	scope_open_names(s);
	place_parameters(c, s, params);
	scope_close_names(s);
	open_scope(c, s);
	begin_special(c, s);
	hide_parameters(c, s);
	take_parameters(c, params);
	if (c->f->out->flags & CODE_GENERATOR)
		emit_op(c, OP_GENERATE);
	function_body(c, params->next, n->flags & JS_CONCISE);
	leave_scope(c, s);
}

/* A plain function of lib/ is a constructor. */
static unsigned
lib_flags(const compiler *c, const js_node *n)
{
	bool plain = (n->kind == JS_FUNCTION || n->kind == JS_FUNCTION_DECL) &&
		     !is_method_function(n) &&
		     (n->flags & (JS_ASYNC | JS_GENERATOR)) == 0;

	if (!c->lib)
		return 0;
	return CODE_LIB | CODE_STRICT | (plain ? (unsigned)CODE_MAKES : 0u);
}

static bool
is_constructor_of(const js_node *n)
{
	return n->parent != NULL && n->parent->kind == JS_METHOD &&
	       n->parent->op == T_CONSTRUCTOR;
}

/* Behind the blanks and comments at that place of the source. */
static uint32_t
behind_blanks(text source, uint32_t at)
{
	while (at + 1 < source.len) {
		char c = source.ptr[at], d = source.ptr[at + 1];
		const char *end;

		if (c == '/' && d == '*')
			end = memmem(
			    source.ptr + at + 2, source.len - at - 2, "*/", 2);
		else if (c == '/' && d == '/')
			end = memchr(source.ptr + at, '\n', source.len - at);
		else if (c == ' ' || (c >= '\t' && c <= '\r'))
			end = source.ptr + at;
		else
			return at;
		if (end == NULL)
			return at;
		at = (uint32_t)(end - source.ptr) +
		     (d == '*' && c == '/' ? 2 : 1);
	}
	return at;
}

/* Where the text begins that toString() of the function shows: a method's at
 * its name or what modifies it, a constructor's at its class. */
static uint32_t
text_start(const compiler *c, const js_node *n)
{
	const js_node *m = n->parent;

	if (m == NULL || m->kind != JS_METHOD || m->child->next != n)
		return n->start;
	if (is_constructor_of(n))
		return m->parent->start;
	if (!(m->flags & JS_STATIC))
		return m->start;
	return behind_blanks(
	    c->tree->text, m->start + (uint32_t)strlen("static"));
}

/* A function that is compiled from now on; false: no memory. */
static bool
begin_function(compiler *c, function_state *f, const js_node *n, uint32_t name,
    unsigned flags, uint32_t *number)
{
	*f = (function_state){.outer = c->f,
	    .node = n,
	    .scope = c->f ? c->f->scope : NULL,
	    .out = new_code(c, number),
	    .latest_at = UINT32_MAX};
	if (f->out == NULL)
		return false;
	f->out->flags =
	    flags | lib_flags(c, n) | (function_is_strict(n) ? CODE_STRICT : 0);
	f->out->unit = c->lib ? UNIT_LIB : UNIT_SCRIPT;
	f->out->start = text_start(c, n);
	f->out->end = is_constructor_of(n) ? n->parent->parent->end : n->end;
	f->out->name = name;
	c->f = f;
	return true;
}

static void
end_function(compiler *c)
{
	c->f->out->first_cache = c->unit->caches;
	c->unit->caches += c->f->out->caches;
	c->f = c->f->outer;
}

uint32_t
function_code(compiler *c, const js_node *n, uint32_t name, unsigned flags,
    const js_node *fields)
{
	function_state f;
	uint32_t number;
	bool of_class = flags & CODE_CLASS;

	if (fields != NULL)
		flags &= ~(unsigned)CODE_CLASS;
	else
		flags |= (n->flags & JS_ASYNC ? CODE_ASYNC : 0) |
			 (n->flags & JS_GENERATOR ? CODE_GENERATOR : 0);
	if (!begin_function(c, &f, n, name, flags, &number))
		return 0;
	if (fields != NULL) {
		open_function(c, NULL);
		set_fields(c, fields, of_class);
	} else if (n->parent == NULL || n->kind == JS_STATIC_BLOCK) {
		open_function(c, NULL);
		compile_static_block(c, n);
	} else {
		compile_function(c, n);
	}
	end_function(c);
	return number;
}

void
function_expr(compiler *c, const js_node *n, uint32_t name, uint16_t dst)
{
	unsigned flags = n->kind == JS_ARROW ? CODE_ARROW : 0;

	if (is_method_function(n))
		flags |= CODE_METHOD;
	if (n->kind != JS_ARROW && n->child->kind == JS_BIND)
		name = constant_of_name(c, n->child->name);
	emit_at(c, n);
	emit_op(c, OP_CLOSURE, dst, function_code(c, n, name, flags, NULL),
	    scope_reg(c));
}

/* ------------------------------------------------------------------ methods */

static int
method_prefix(const js_node *m)
{
	return m->op == T_GET ? 1 : m->op == T_SET_WORD ? 2 : 0;
}

static int
method_how(const js_node *m)
{
	return m->op == T_GET        ? DEFINE_GETTER
	       : m->op == T_SET_WORD ? DEFINE_SETTER
				     : DEFINE_METHOD;
}

static uint32_t
private_name(compiler *c, const js_name *name)
{
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);
	uint32_t k;

	buf_byte(&b, '#');
	buf_text(&b, name->text);
	k = constant_text(c, buf_view(&b));
	if (b.bad != CM_OK)
		c->bad = b.bad;
	buf_fini(&b);
	return k;
}

/* Of a word, a string or a private name. */
static uint32_t
constant_of_key(compiler *c, const js_node *key)
{
	return key->kind == JS_PRIVATE ? private_name(c, key->name)
				       : string_constant(c, key);
}

/* The name of a method whose key is a word or a string; UINT32_MAX: it must be
 * made of the key. */
static uint32_t
constant_of_method(compiler *c, const js_node *m)
{
	static const char *const before[] = {"", "get ", "set "};
	buf b = BUF_INIT(NULL, SIZE_MAX / 2);
	uint32_t name;

	if (m->flags & JS_COMPUTED || m->child->kind == JS_NUMBER ||
	    m->child->kind == JS_BIGINT)
		return UINT32_MAX;
	buf_text(&b, text_of(before[method_prefix(m)]));
	if (m->child->kind == JS_PRIVATE)
		buf_byte(&b, '#');
	js_string(c->tree, m->child, &b);
	name = constant_text(c, buf_view(&b));
	if (b.bad != CM_OK)
		c->bad = b.bad;
	buf_fini(&b);
	return name;
}

void
method_expr(
    compiler *c, const js_node *m, uint16_t on, uint16_t key, uint16_t dst)
{
	uint32_t name = constant_of_method(c, m);

	function_expr(c, m->child->next, name, dst);
	if (name == UINT32_MAX)
		emit_op(c, OP_NAME_OF, dst, key, method_prefix(m));
	emit_op(c, OP_METHOD_OF, dst, on);
}

/* ------------------------------------------------------------------ classes */

/* What the class keeps of a member in a variable of its scope. */
static const variable *
member_variable(const compiler *c, const js_node *m)
{
	const variable *v = scope_opened(c, m->parent)->first;

	while (v != NULL && (v->kind != VARIABLE_MEMBER || v->made != m))
		v = v->next;
	return v;
}

/* The key of a member into a new register: computed already, or not yet. */
static uint16_t
member_key(compiler *c, const js_node *m)
{
	const variable *v = member_variable(c, m);
	uint16_t k;

	if (m->child->kind != JS_PRIVATE && v == NULL)
		return key_reg(c, m->child, m->flags & JS_COMPUTED);
	k = reg_new(c);
	if (m->child->kind == JS_PRIVATE)
		load_private(c, m->child, k);
	else
		load_variable(c, v, k);
	return k;
}

/* In the function that sets the fields: this.name = value. */
static void
set_field(compiler *c, const js_node *m, uint16_t this)
{
	const js_node *key = m->child, *init = key->next;
	uint16_t k = member_key(c, m), r;

	if (init == NULL || init->kind == JS_NONE) {
		r = reg_new(c);
		emit_op(c, OP_LOAD_MISC, r, 0);
	} else if (m->flags & JS_COMPUTED || key->kind == JS_NUMBER ||
		   key->kind == JS_BIGINT) {
		r = expr_keyed(c, init, k, REG_ANY);
	} else {
		r = expr_named_text(c, init, constant_of_key(c, key), REG_ANY);
	}
	emit_at(c, m);
	emit_op(c, key->kind == JS_PRIVATE ? OP_PRIVATE_ADD : OP_DEFINE_AT,
	    this, k, r, P_PLAIN);
}

static void
run_static_block(compiler *c, const js_node *m, uint16_t this)
{
	uint16_t r = regs_new(c, 2);

	emit_op(c, OP_CLOSURE, r,
	    function_code(c, m, UINT32_MAX, CODE_METHOD, NULL), scope_reg(c));
	emit_op(c, OP_METHOD_OF, r, this);
	emit_op(c, OP_MOVE, r + 1, this);
	emit_op(c, OP_CALL, r, r, 0);
}

static bool
is_private_method(const js_node *m)
{
	return m->kind == JS_METHOD && m->child->kind == JS_PRIVATE;
}

/* Private methods first: fields may call them. */
static void
add_private_methods(compiler *c, const js_node *members, uint16_t this)
{
	uint16_t mark = c->f->top, k, r;

	for (const js_node *m = members; m != NULL; m = m->next) {
		if (!is_private_method(m) || m->flags & JS_STATIC)
			continue;
		k = member_key(c, m);
		r = reg_new(c);
		load_variable(c, member_variable(c, m), r);
		emit_op(c, OP_PRIVATE_ADD, this, k, r, method_how(m));
		regs_free(c, mark);
	}
}

static void
set_fields(compiler *c, const js_node *members, bool of_class)
{
	uint16_t this = reg_new(c), mark = c->f->top, r;

	emit_op(c, OP_THIS, this);
	if (!of_class)
		add_private_methods(c, members, this);
	for (const js_node *m = members; m != NULL; m = m->next) {
		if (m->kind == JS_STATIC_BLOCK && of_class)
			run_static_block(c, m, this);
		else if (m->kind == JS_FIELD &&
			 ((m->flags & JS_STATIC) != 0) == of_class)
			set_field(c, m, this);
		regs_free(c, mark);
	}
	r = reg_new(c);
	emit_op(c, OP_LOAD_MISC, r, 0);
	emit_op(c, OP_RETURN, r);
}

/* class: register of the class; its prototype is in the next one. */
static void
define_method(compiler *c, const js_node *m, uint16_t class)
{
	uint16_t on = (uint16_t)(class + !(m->flags & JS_STATIC));
	uint16_t r, k;

	if (is_private_method(m)) {
		r = reg_new(c);
		method_expr(c, m, on, REG_ANY, r);
		store_variable(c, member_variable(c, m), r);
		return;
	}
	k = member_key(c, m);
	r = reg_new(c);
	method_expr(c, m, on, k, r);
	emit_at(c, m);
	emit_op(c, OP_DEFINE_AT, on, k, r, method_how(m));
}

static void
add_static_private(compiler *c, const js_node *m, uint16_t class)
{
	uint16_t k = member_key(c, m), r = reg_new(c);

	method_expr(c, m, class, k, r);
	emit_op(c, OP_PRIVATE_ADD, class, k, r, method_how(m));
}

/* Methods are defined, and keys of fields computed, in the order of the text. */
static void
compile_member(compiler *c, const js_node *m, uint16_t class)
{
	const variable *v = member_variable(c, m);
	bool is_static = m->flags & JS_STATIC;

	if (m->kind == JS_FIELD && v != NULL)
		store_variable(c, v, key_reg(c, m->child, true));
	else if (m->kind == JS_METHOD && m->op != T_CONSTRUCTOR &&
		 !(is_private_method(m) && is_static))
		define_method(c, m, class);
}

static bool
has_fields(const js_node *m, bool of_class)
{
	for (; m != NULL; m = m->next)
		if (((m->kind == JS_FIELD || is_private_method(m)) &&
			((m->flags & JS_STATIC) != 0) == of_class) ||
		    (m->kind == JS_STATIC_BLOCK && of_class))
			return true;
	return false;
}

/* A constructor that is not written. */
static uint32_t
default_constructor(
    compiler *c, const js_node *n, uint32_t name, unsigned flags)
{
	function_state f;
	uint32_t number;
	uint16_t r;

	if (!begin_function(c, &f, n, name, flags | CODE_EXTRA, &number))
		return 0;
	open_function(c, NULL);
	r = regs_new(c, 3);
	if (flags & CODE_DERIVED) {
		emit_op(c, OP_FUNCTION_SELF, r);
		emit_op(c, OP_SUPER_CLASS, r, r);
		emit_op(c, OP_ARGUMENTS, r + 2, 0);
		construct_super(c, r);
	}
	emit_op(c, OP_LOAD_MISC, r, 0);
	emit_op(c, OP_RETURN, r);
	end_function(c);
	return number;
}

/* The names of private members get their symbols. */
static void
begin_private(compiler *c, const scope *s)
{
	uint16_t r = reg_new(c);

	for (const variable *v = s->first; v != NULL; v = v->next) {
		if (v->kind != VARIABLE_PRIVATE)
			continue;
		emit_op(c, OP_SYMBOL_NEW, r, private_name(c, v->name));
		store_variable(c, v, r);
	}
	regs_free(c, r);
}

static void
add_fields(
    compiler *c, const js_node *n, const js_node *members, uint16_t class)
{
	uint16_t mark = c->f->top, r;

	for (int of_class = 0; of_class < 2; of_class++) {
		if (!has_fields(members, of_class))
			continue;
		r = regs_new(c, 2);
		emit_op(c, OP_CLOSURE, r,
		    function_code(c, n, UINT32_MAX,
			CODE_METHOD | (of_class ? (unsigned)CODE_CLASS : 0u),
			members),
		    scope_reg(c));
		emit_op(c, OP_METHOD_OF, r, class + !of_class);
		if (of_class) {
			emit_op(c, OP_MOVE, r + 1, class);
			emit_op(c, OP_CALL, r, r, 0);
		} else {
			emit_op(c, OP_CLASS_FIELDS, class, r);
		}
		regs_free(c, mark);
	}
}

static void
compile_members(compiler *c, const js_node *members, uint16_t class)
{
	uint16_t mark = c->f->top;

	for (const js_node *m = members; m != NULL; m = m->next) {
		compile_member(c, m, class);
		regs_free(c, mark);
	}
}

static void
add_all_static_private(compiler *c, const js_node *members, uint16_t class)
{
	uint16_t mark = c->f->top;

	for (const js_node *m = members; m != NULL; m = m->next) {
		if (is_private_method(m) && m->flags & JS_STATIC)
			add_static_private(c, m, class);
		regs_free(c, mark);
	}
}

/* The constructor that is written, or one that is not. */
static uint32_t
constructor_code(compiler *c, const js_node *n, const js_node *members,
    uint32_t name, unsigned flags)
{
	for (const js_node *m = members; m != NULL; m = m->next)
		if (m->kind == JS_METHOD && m->op == T_CONSTRUCTOR)
			return function_code(
			    c, m->child->next, name, flags, NULL);
	return default_constructor(c, n, name, flags);
}

/* What the class extends and its prototype, into super and the next register. */
static void
extend_class(compiler *c, const js_node *parent, uint16_t super)
{
	uint32_t null;

	expr(c, parent, super);
	emit_at(c, parent);
	null = emit_jump(c, OP_CHECK_PARENT, super);
	get_named(c, (uint16_t)(super + 1), super, "prototype");
	jump_here(c, null);
}

void
class_expr(
    compiler *c, const js_node *n, uint32_t name, uint16_t key, uint16_t dst)
{
	const js_node *first = n->child, *parent, *members;
	scope *s = enter_scope(c, n);
	uint16_t class = regs_new(c, 2), super = regs_new(c, 2);
	unsigned flags = CODE_CLASS | CODE_METHOD;

	if (first->kind == JS_BIND)
		name = constant_of_name(c, first->name);
	parent =
	    first->next && first->next->kind != JS_NONE ? first->next : NULL;
	members = first->next ? first->next->next : NULL;
	begin_private(c, s);
	if (parent != NULL) {
		extend_class(c, parent, super);
		flags |= CODE_DERIVED;
	} else {
		emit_op(c, OP_LOAD_MISC, super, 4);
	}
	emit_at(c, n);
	emit_op(c, OP_CLASS_NEW, class, super, scope_reg(c),
	    constructor_code(c, n, members, name, flags));
	if (key != REG_ANY)
		emit_op(c, OP_NAME_OF, class, key, 0);
	compile_members(c, members, class);
	if (first->kind == JS_BIND)
		set_name(c, n, first->name, class, true);
	add_all_static_private(c, members, class);
	add_fields(c, n, members, class);
	leave_scope(c, s);
	emit_op(c, OP_MOVE, dst, class);
}
