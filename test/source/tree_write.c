/* SPDX-License-Identifier: MIT */
/*
 * tree_write.c -- a tree as a script again: one statement a line, parentheses
 * where the tree needs them and nowhere else.
 *
 * What each kind looks like is a template. In it stand for the next child:
 *	%e %a %u %l %m   an expression: any, no comma, operand of a unary
 *	                 operator, of a call, of new; else in parentheses
 *	%<  %>           left and right operand of this operator
 *	%s               anything that never needs them
 *	%-               nothing: it is skipped
 * and for more of them:
 *	%[ ... %]        only when the next child is there
 *	%, %;            all that are left, with commas; as statements
 *	%t               all that are left, alternating with ${ }
 * and for the node itself:
 *	%@ %$ %# %f      its operator, its text, its name, its first child's text
 *	%A %G %S         "async ", "*", "static " when it is so
 *
 * The walk keeps its own stack: a chain of a million operators is no deeper
 * for it than for anybody else.
 */
#include "tree_tools.h"

/* How tightly an expression holds together. */
enum {
	COMMA,
	ASSIGN,
	CONDITIONAL,
	BINARY, /* + precedence, 1 to 12 */
	UNARY = BINARY + 13,
	POSTFIX,
	LEFT_HAND_SIDE,
	NEW_CALLEE,
	PRIMARY
};

static const uint8_t precedence[T_COUNT] = {
#define TOKEN(kind, spelling)
#define BINARY(kind, spelling, level) [T_##kind] = (level),
#define ASSIGN(kind, spelling)
#define WORD(kind, spelling)
#define RESERVED(kind, spelling)
#include "source/token.def"
#undef TOKEN
#undef BINARY
#undef ASSIGN
#undef WORD
#undef RESERVED
    [T_IN] = 8,
    [T_INSTANCEOF] = 8,
};

static const char *const templates[JS_KINDS] = {
    [JS_NONE] = "",
    [JS_BODY] = "{\n%;}",
    [JS_BLOCK] = "{\n%;}",
    [JS_DECLARATOR] = "%s%[ = %a%]",
    [JS_FUNCTION_DECL] = "%Afunction%G %s%s %s",
    [JS_CLASS_DECL] = "class %s%[ extends %l%] {\n%;}",
    [JS_EMPTY] = ";",
    [JS_IF] = "if (%e) %s%[ else %s%]",
    [JS_FOR] = "for (%e; %e; %e) %s",
    [JS_FOR_IN] = "for (%l in %e) %s",
    [JS_FOR_OF] = "for (%l of %a) %s",
    [JS_WHILE] = "while (%e) %s",
    [JS_DO] = "do %s while (%e);",
    [JS_CONTINUE] = "continue%[ %s%];",
    [JS_BREAK] = "break%[ %s%];",
    [JS_RETURN] = "return%[ %e%];",
    [JS_THROW] = "throw %e;",
    [JS_TRY] = "try %s%[ %s%]%[ finally %s%]",
    [JS_CATCH] = "catch %[(%s) %]%s",
    [JS_SWITCH] = "switch (%e) {\n%;}",
    [JS_LABEL] = "%s: %s",
    [JS_WITH] = "with (%e) %s",
    [JS_DEBUGGER] = "debugger;",
    [JS_NAME] = "%#",
    [JS_BIND] = "%#",
    [JS_KEY] = "%#",
    [JS_PRIVATE] = "#%#",
    [JS_NULL] = "null",
    [JS_TRUE] = "true",
    [JS_FALSE] = "false",
    [JS_NUMBER] = "%$",
    [JS_BIGINT] = "%$",
    [JS_STRING] = "%$",
    [JS_REGEX] = "%$",
    [JS_TEMPLATE] = "`%t`",
    [JS_CHUNK] = "%$",
    [JS_ARRAY] = "[%,]",
    [JS_OBJECT] = "{%,}",
    [JS_SPREAD] = "...%a",
    [JS_FUNCTION] = "%Afunction%G %s%s %s",
    [JS_ARROW] = "%A%s => %a",
    [JS_PARAMS] = "(%,)",
    [JS_CLASS] = "class %s%[ extends %l%] {\n%;}",
    [JS_FIELD] = "%S%s%[ = %a%];",
    [JS_STATIC_BLOCK] = "static %s",
    [JS_THIS] = "this",
    [JS_SUPER] = "super",
    [JS_SEQUENCE] = "%,",
    [JS_ASSIGN] = "%l %@ %a",
    [JS_CONDITIONAL] = "%> ? %a : %a",
    [JS_BINARY] = "%< %@ %>",
    [JS_UNARY] = "%@ %u",
    [JS_UPDATE] = "%l%@",
    [JS_AWAIT] = "await %u",
    [JS_YIELD] = "yield%G%[ %a%]",
    [JS_CALL] = "%l(%,)",
    [JS_NEW] = "new %m(%,)",
    [JS_IMPORT_CALL] = "import(%,)",
    [JS_MEMBER] = "%l.%s",
    [JS_INDEX] = "%l[%e]",
    [JS_CHAIN] = "%l",
    [JS_TAGGED] = "%l%s",
    [JS_META] = "new.target",
    [JS_ARRAY_PATTERN] = "[%,]",
    [JS_OBJECT_PATTERN] = "{%,}",
    [JS_DEFAULT] = "%l = %a",
    [JS_REST] = "...%l",
    [JS_EXPORT] = "export %s",
    [JS_EXPORT_DEFAULT] = "export default %a;",
    [JS_EXPORT_NAME] = "%s%[ as %s%]",
    [JS_EXPORT_ALL] = "export *%-%[ as %s%] from %f;",
};

/* a, * as b, {c as d, e as f}: the braces belong to the first and last. */
static const char *
import_name(const js_node *n)
{
	const js_node *first = n->parent->child->next;

	if (n->child->kind == JS_NONE)
		return n->child->op == T_MUL ? "* as %-%s" : "%-%s";
	if (first->child->kind == JS_NONE)
		first = first->next;
	if (n == first)
		return n->next ? "{%s as %s" : "{%s as %s}";
	return n->next ? "%s as %s" : "%s as %s}";
}

/* Only the head of a for takes the semicolon for its own. */
static const char *
var_template(const js_node *n)
{
	const js_node *up = n->parent;
	bool head = n->next && (up->kind == JS_FOR || up->kind == JS_FOR_IN ||
				   up->kind == JS_FOR_OF);

	if (n->op == T_AWAIT)
		return head ? "await using %," : "await using %,;";
	return head ? "%@ %," : "%@ %,;";
}

/* The kinds whose template depends on more. */
static const char *
template_of(const js_node *n)
{
	bool optional = n->flags & JS_OPTIONAL;
	bool computed = n->flags & JS_COMPUTED;

	switch (n->kind) {
	case JS_BODY:
		return n->parent ? templates[JS_BODY] : "%;";
	case JS_VAR:
		return var_template(n);
	case JS_CASE:
		return n->child->kind == JS_NONE ? "default:%-\n%;"
						 : "case %e:\n%;";
	case JS_FUNCTION:
		return n->parent->kind == JS_METHOD && n->parent->child != n
			   ? "%-%s %s"
			   : templates[JS_FUNCTION];
	case JS_PROPERTY:
		if (n->flags & JS_SHORTHAND)
			return "%-%s";
		return computed ? "[%a]: %a" : "%s: %a";
	case JS_METHOD:
		return computed ? "%S%A%G%@[%a]%s" : "%S%A%G%@%s%s";
	case JS_FIELD:
		return computed ? "%S[%a]%[ = %a%];" : templates[JS_FIELD];
	case JS_CALL:
		return optional ? "%l?.(%,)" : templates[JS_CALL];
	case JS_MEMBER:
		return optional ? "%l?.%s" : templates[JS_MEMBER];
	case JS_INDEX:
		return optional ? "%l?.[%e]" : templates[JS_INDEX];
	case JS_UPDATE:
		return n->flags & JS_PREFIX ? "%@%l" : templates[JS_UPDATE];
	case JS_FOR_OF:
		return n->flags & JS_ASYNC ? "for await (%l of %a) %s"
					   : templates[JS_FOR_OF];
	case JS_META:
		return n->op == T_IMPORT ? "import.meta" : "new.target";
	case JS_EXPR:
		return "%e;";
	case JS_IMPORT:
		return n->child->next ? "import %-%, from %f;" : "import %s;";
	case JS_IMPORT_NAME:
		return import_name(n);
	case JS_EXPORT_NAMES:
		return n->child->kind == JS_NONE ? "export {%-%,};"
						 : "export {%-%,} from %f;";
	default:
		return templates[n->kind] ? templates[n->kind] : "";
	}
}

/* ---------------------------------------------------------- parentheses */

static unsigned
level_of(const js_node *n)
{
	switch (n->kind) {
	case JS_SEQUENCE:
		return COMMA;
	case JS_ASSIGN:
	case JS_ARROW:
	case JS_YIELD:
		return ASSIGN;
	case JS_CONDITIONAL:
		return CONDITIONAL;
	case JS_BINARY:
		return BINARY + precedence[n->op];
	case JS_UNARY:
	case JS_AWAIT:
		return UNARY;
	case JS_UPDATE:
		return n->flags & JS_PREFIX ? UNARY : POSTFIX;
	case JS_CALL:
	case JS_IMPORT_CALL:
	case JS_CHAIN:
	case JS_SUPER:
		return LEFT_HAND_SIDE;
	default:
		return PRIMARY;
	}
}

/* The child that an expression begins with; NULL: a token of its own. */
static const js_node *
leftmost(const js_node *n)
{
	switch (n->kind) {
	case JS_UPDATE:
		return n->flags & JS_PREFIX ? NULL : n->child;
	case JS_SEQUENCE:
	case JS_ASSIGN:
	case JS_CONDITIONAL:
	case JS_BINARY:
	case JS_CALL:
	case JS_MEMBER:
	case JS_INDEX:
	case JS_CHAIN:
	case JS_TAGGED:
		return n->child;
	default:
		return NULL;
	}
}

static bool
begins_with(const js_node *n, js_kind kind)
{
	for (; n; n = leftmost(n))
		if (n->kind == (unsigned)kind)
			return true;
	return false;
}

static bool
begins_with_brace(const js_node *n)
{
	return begins_with(n, JS_OBJECT) || begins_with(n, JS_OBJECT_PATTERN);
}

/* Would a statement that begins so be taken for another one? */
static bool
begins_like_statement(const js_node *n)
{
	return begins_with_brace(n) || begins_with(n, JS_FUNCTION) ||
	       begins_with(n, JS_CLASS) || n->kind == JS_STRING;
}

/* Words that mean something else where an expression begins. */
static bool
is_doubtful_name(const js_node *n)
{
	unsigned word = n->name ? n->name->word : T_NAME;
	const js_node *up = n->parent;

	if (word != T_LET && word != T_ASYNC && word != T_USING)
		return false;
	if (up->kind == JS_DEFAULT)
		up = up->parent;
	return up->kind != JS_LABEL && up->kind != JS_BREAK &&
	       up->kind != JS_CONTINUE && !(up->flags & JS_SHORTHAND);
}

/* new takes the first ( for its own arguments. */
static bool
has_call(const js_node *n)
{
	return begins_with(n, JS_CALL) || begins_with(n, JS_IMPORT_CALL) ||
	       begins_with(n, JS_CHAIN);
}

static bool
is_mixed(const js_node *n, const js_node *up)
{
	bool a = n->op == T_COALESCE, b = up->op == T_COALESCE;

	return n->kind == JS_BINARY && up->kind == JS_BINARY && a != b &&
	       (a || n->op == T_AND || n->op == T_OR) &&
	       (b || up->op == T_AND || up->op == T_OR);
}

static bool
by_parent(const js_node *n)
{
	const js_node *up = n->parent;
	bool first = up && up->child == n;

	switch (up ? up->kind : JS_NONE) {
	case JS_EXPR:
		return !(up->flags & JS_DIRECTIVE) && begins_like_statement(n);
	case JS_EXPORT_DEFAULT:
		return begins_like_statement(n);
	case JS_ARROW:
		return !first && n->kind != JS_BODY && begins_with_brace(n);
	case JS_MEMBER:
	case JS_CALL:
	case JS_INDEX:
	case JS_TAGGED:
		return first && (n->kind == JS_CHAIN || n->kind == JS_NUMBER);
	case JS_NEW:
		return first && has_call(n);
	case JS_BINARY:
		return is_mixed(n, up);
	default:
		return false;
	}
}

static bool
needs_parens(const js_node *n, unsigned least)
{
	if (n->kind == JS_NAME && is_doubtful_name(n))
		return true;
	if (n->kind == JS_BINARY && n->op == T_IN)
		return true; /* in the head of a for it must have them */
	return level_of(n) < least || by_parent(n);
}

static unsigned
left_level(const js_node *n)
{
	if (n->op == T_POW)
		return POSTFIX;
	return BINARY + precedence[n->op];
}

static unsigned
right_level(const js_node *n)
{
	if (n->kind == JS_CONDITIONAL)
		return BINARY;
	if (n->op == T_POW)
		return BINARY + precedence[T_POW];
	return BINARY + precedence[n->op] + 1u;
}

/* ---------------------------------------------------------------- walk */

/* A node that is being written. */
typedef struct step {
	const js_node *node, *child; /* child: the next one */
	const char *rest;            /* of the template */
	bool parens;
} step;

typedef struct writer {
	const js_tree *t;
	buf *out;
	step *stack;
	size_t depth, cap;
} writer;

static bool
push(writer *w, const js_node *n, unsigned least)
{
	bool parens = needs_parens(n, least);

	if (w->depth == w->cap) {
		size_t cap = w->cap;
		void *stack = w->stack;

		if (!mem_grow(w->t->arena->alloc, &stack, &cap, w->depth,
			sizeof(*w->stack)))
			return false;
		w->stack = stack;
		w->cap = cap;
	}
	if (parens)
		buf_byte(w->out, '(');
	w->stack[w->depth++] = (step){n, n->child, template_of(n), parens};
	return true;
}

static void
put_op(writer *w, const js_node *n)
{
	if (n->kind != JS_METHOD)
		buf_str(w->out, js_token_text(n->op));
	else if (n->op == T_GET)
		buf_str(w->out, "get ");
	else if (n->op == T_SET_WORD)
		buf_str(w->out, "set ");
}

/* What stands for the node itself. */
static void
put_own(writer *w, const js_node *n, char what)
{
	switch (what) {
	case '@':
		put_op(w, n);
		break;
	case '$':
		buf_text(w->out, js_text(w->t, n));
		break;
	case '#':
		buf_text(w->out, n->name ? n->name->text : TEXT_NONE);
		break;
	case 'f':
		buf_text(w->out, js_text(w->t, n->child));
		break;
	case 'A':
		if (n->flags & JS_ASYNC)
			buf_str(w->out, "async ");
		break;
	case 'G':
		if (n->flags & JS_GENERATOR)
			buf_byte(w->out, '*');
		break;
	case 'S':
		if (n->flags & JS_STATIC)
			buf_str(w->out, "static ");
		break;
	default:
		break;
	}
}

static unsigned
level_for(const js_node *n, char what)
{
	switch (what) {
	case 'a':
		return ASSIGN;
	case 'u':
		return UNARY;
	case 'l':
		return LEFT_HAND_SIDE;
	case 'm':
		return NEW_CALLEE;
	case '<':
		return left_level(n);
	case '>':
		return right_level(n);
	default:
		return COMMA;
	}
}

/* Behind %]. */
static const char *
skip_optional(const char *p)
{
	while (!(p[0] == '%' && p[1] == ']'))
		p++;
	return p + 2;
}

/* %, and %; and %t: one more child, and the code again; false: none left.
 * before: the child that was written last. */
static bool
list(writer *w, step *s, char what)
{
	const js_node *n = s->child, *first = s->node->child;
	bool chunk = n && n->kind == JS_CHUNK;

	if (what == 't' && n && n != first)
		buf_str(w->out, chunk ? "}" : "${");
	if (!n)
		return false;
	s->child = n->next;
	s->rest -= 2;
	return push(w, n, what == ',' ? ASSIGN : COMMA);
}

static void
after_item(writer *w, const js_node *n, const step *up)
{
	if (up->rest[0] != '%')
		return;
	if (up->rest[1] == ';')
		buf_byte(w->out, '\n');
	else if (up->rest[1] == ',' && (n->next || n->kind == JS_NONE))
		buf_str(w->out, ", ");
}

static void
pop(writer *w)
{
	step s = w->stack[--w->depth];

	if (s.parens)
		buf_byte(w->out, ')');
	if (w->depth)
		after_item(w, s.node, &w->stack[w->depth - 1]);
}

/* A code of the template; false: no memory. */
static bool
code(writer *w, step *s, char what)
{
	const js_node *n = s->child;

	switch (what) {
	case '[':
		if (n && n->kind == JS_NONE)
			s->child = n->next;
		if (!n || n->kind == JS_NONE)
			s->rest = skip_optional(s->rest);
		return true;
	case ']':
		return true;
	case '-':
		s->child = n->next;
		return true;
	case ',':
	case ';':
	case 't':
		return !n || list(w, s, what);
	default:
		break;
	}
	if (!memchr("eaulm<>s", what, 8)) {
		put_own(w, s->node, what);
		return true;
	}
	if (!n)
		return true;
	s->child = n->next;
	return push(w, n, level_for(s->node, what));
}

void
js_write(const js_tree *t, buf *out)
{
	writer w = {.t = t, .out = out};
	bool ok = t->root && push(&w, t->root, COMMA);

	while (ok && w.depth && out->bad == CM_OK) {
		step *s = &w.stack[w.depth - 1];
		size_t run = 0;

		while (s->rest[run] && s->rest[run] != '%')
			run++;
		buf_add(out, s->rest, run);
		s->rest += run;
		if (!*s->rest) {
			pop(&w);
			continue;
		}
		s->rest += 2;
		ok = code(&w, s, s->rest[-1]);
	}
	if (!ok && t->root && out->bad == CM_OK)
		out->bad = CM_ENOMEM;
	mem_free(t->arena->alloc, w.stack, w.cap * sizeof(*w.stack));
}
