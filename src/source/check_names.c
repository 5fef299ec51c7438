/* SPDX-License-Identifier: MIT */
/*
 * check_names.c -- names that nothing declares, are used above their
 * declaration, or are changed although they cannot be.
 */
#include "check_parts.h"

#include "base/distance.h"
#include "dialect.h"
#include "foreign.h"
#include "known.h"
#include "normal.h"

/* ------------------------------------------------------------- not defined */

/* typeof x is how one asks whether x is there. */
static bool
is_asked_for(const js_node *n)
{
	return n->parent->kind == JS_UNARY && n->parent->op == T_TYPEOF;
}

/* Inside a function that is no arrow, arguments is there. */
static bool
is_arguments(const analysis *a, const js_node *n)
{
	if (!node_is(n, "arguments"))
		return false;
	for (const js_node *f = n->parent; f; f = f->parent)
		if (!analysis_spend(a, 1) || f->kind == JS_FUNCTION ||
		    f->kind == JS_FUNCTION_DECL)
			return true;
	return false;
}

/* The declared name that was probably meant. */
static text
nearest_binding(const analysis *a, text wanted)
{
	size_t most = wanted.len < 4 ? 1 : 2;
	text found = TEXT_NONE;

	for (size_t i = 0; i < a->names.bindings && most > 0; i++) {
		text name = a->names.all[i]->name->text;
		size_t n;

		if (name.len > wanted.len + most ||
		    wanted.len > name.len + most)
			continue;
		if (!analysis_spend(a, 5 * wanted.len))
			break;
		n = text_distance(wanted, name, most);
		if (n > 0 && n <= most) {
			most = n - 1;
			found = name;
		}
	}
	return found;
}

/* `ls -la` is a subtraction, `cd /srv` a division: code by accident. */
static bool
tell_other_language(const analysis *a, const js_node *n, buf *out)
{
	foreign kind;

	if (text_trim(text_sub(a->p->text, 0, source_offset(a->p, n->start)))
		.len > 0)
		return false;
	kind = foreign_look(a->p->text);
	if (kind != FOREIGN_NOT)
		foreign_tell(kind, a->p->text, out);
	return kind != FOREIGN_NOT;
}

/* The error of a catch that does not name it. */
static bool
is_caught(const js_node *n)
{
	if (!node_is(n, "e") && !node_is(n, "err") && !node_is(n, "error"))
		return false;
	for (; n->parent; n = n->parent)
		if (n->parent->kind == JS_CATCH &&
		    n->parent->child->kind == JS_NONE)
			return true;
	return false;
}

/* Declared in a block or function that this place is not in. */
static bool
tell_elsewhere(const analysis *a, const js_node *n, buf *out)
{
	unsigned line, column;

	for (size_t i = 0; i < a->names.bindings; i++) {
		const binding *b = a->names.all[i];

		if (b->name != n->name)
			continue;
		line = analysis_line(a, b->node, &column);
		buf_printf(out,
		    " here: the one of line %u lives in another "
		    "block or function",
		    line);
		return true;
	}
	return false;
}

/* The lt of a &lt; b, which is code by accident. */
static bool
tell_entity(const analysis *a, const js_node *n, buf *out)
{
	size_t at = source_offset(a->p, n->start);
	text from = at > 0 ? text_sub(a->p->text, at - 1, SIZE_MAX) : TEXT_NONE;

	if (entity_at(from) == SIZE_MAX)
		return false;
	buf_str(out, ": write <, >, & and \" themselves, not as HTML does");
	return true;
}

source_check_code
names_tell(analysis *a, const js_node *n, buf *out)
{
	text name = n->name->text, near;
	const char *use = known_absent(name);

	if (tell_other_language(a, n, out))
		return CHECK_NOT_DEFINED;
	if (dialect_tell(a, n, out))
		return CHECK_NOT_HERE;
	if (use && analysis_tool(a, name) == SOURCE_NOTHING) {
		buf_printf(
		    out, "%.*s does not exist here: %s", TEXT_ARG(name), use);
		return CHECK_NOT_HERE;
	}
	buf_printf(out, "%.*s is not defined", TEXT_ARG(name));
	if (is_caught(n)) {
		buf_printf(out, ": write catch (%.*s)", TEXT_ARG(name));
		return CHECK_NOT_DEFINED;
	}
	if (tell_entity(a, n, out) || tell_elsewhere(a, n, out))
		return CHECK_NOT_DEFINED;
	near = nearest_binding(a, name);
	if (analysis_tool(a, name) != SOURCE_NOTHING)
		buf_printf(out, ": write tools.%.*s", TEXT_ARG(name));
	else if (near.len > 0)
		buf_printf(out, ". Did you mean %.*s?", TEXT_ARG(near));
	else if (n->flags & JS_TARGET)
		buf_str(out, ": declare it with let");
	else
		buf_str(out, ": declare it with const, or put quotes around "
			     "it if it is a text");
	return CHECK_NOT_DEFINED;
}

static void
not_defined(analysis *a, const js_node *n)
{
	buf b = BUF_INIT(a->arena->alloc, SOURCE_MESSAGE);
	source_check_code code = names_tell(a, n, &b);

	analysis_add(a, code, n, "%.*s", TEXT_ARG(buf_view(&b)));
	buf_fini(&b);
}

static void
check_free(analysis *a, const js_node *n)
{
	if (n->name->scratch[ANALYSIS_TOLD] || a->open_world ||
	    (n->flags & JS_TARGET) || n->name->scratch[ANALYSIS_SET] ||
	    is_asked_for(n) || is_arguments(a, n))
		return;
	n->name->scratch[ANALYSIS_TOLD] = n->name; /* once */
	/* data is there when it was given beside the script. */
	if (!known_global(n->name->text) && !node_is(n, "data") &&
	    !analysis_global(a, n))
		not_defined(a, n);
}

/* ------------------------------------------------------------- too early */

static bool
is_hoisted_name(const binding *b)
{
	return b->kind != BINDING_LET && b->kind != BINDING_CONST &&
	       b->kind != BINDING_CLASS;
}

/* In the function that declares it, above the declaration or inside its own
 * value; a use inside another function may run later. */
static void
check_order(analysis *a, const js_node *n, const binding *b)
{
	uint32_t from = b->node->start;

	if (is_hoisted_name(b) || is_asked_for(n))
		return;
	if (b->init && b->kind != BINDING_CLASS)
		from = b->init->end;
	if (n->start >= from || names_function(n) != b->function)
		return;
	analysis_add(a, CHECK_USED_TOO_EARLY, n,
	    n->start > b->node->start
		? "%.*s is used in its own value, before it has one"
		: "%.*s is used above its declaration: move the declaration "
		  "up",
	    TEXT_ARG(n->name->text));
}

/* ----------------------------------------------------------- const, methods */

static void
check_const(analysis *a, const js_node *n, const binding *b)
{
	if (b->kind == BINDING_CONST && (n->flags & JS_TARGET))
		analysis_add(a, CHECK_CONST_CHANGED, n,
		    "%.*s is a const and cannot be changed: declare it with "
		    "let",
		    TEXT_ARG(n->name->text));
}

/* console.table, codemode.search: what these objects do not have. */
static void
check_method(analysis *a, const js_node *n)
{
	const js_node *up = n->parent, *key;
	buf b = BUF_INIT(a->arena->alloc, SOURCE_MESSAGE);

	if (up->kind != JS_MEMBER || up->child != n)
		return;
	key = n->next;
	if (key->kind != JS_KEY || !known_lacks(n->name->text, key->name->text))
		return;
	if (!dialect_tell(a, n, &b)) {
		buf_printf(&b, "%.*s.%.*s does not exist here: there are ",
		    TEXT_ARG(n->name->text), TEXT_ARG(key->name->text));
		known_put_methods(&b, n->name->text);
	}
	analysis_add(a, CHECK_NOT_HERE, up, "%.*s", TEXT_ARG(buf_view(&b)));
	buf_fini(&b);
}

void
check_names(analysis *a)
{
	for (size_t i = 0; i < a->names.uses && !analysis_is_full(a); i++) {
		const js_node *n = a->names.use[i].node;
		const binding *b = a->names.use[i].binding;

		if (b) {
			check_order(a, n, b);
			check_const(a, n, b);
		} else {
			check_free(a, n);
			check_method(a, n);
		}
	}
}
