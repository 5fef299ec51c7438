/* SPDX-License-Identifier: MIT */
/*
 * check.c -- see check.h: the parse, the parts one after the other, the report
 * in the order of the text.
 *
 * What is looked at is the engine's text, so that a script is judged as it will
 * run; places are told in the text that was given.
 */
#include "check_parts.h"
#include "known.h"

#include <stdarg.h>
#include <stdio.h>

enum {
	PROBLEMS_MAX = 100,
	SHOWN_MAX = 60,
	STEPS_MAX = 8000000,
	COMPILED_MAX = 64 << 10 /* bytes: an engine takes seconds for more */
};

static const struct {
	const char *name;
	source_level level;
} codes[] = {
#define CHECK(code, name, level, when) {name, level},
#include "check.def"
#undef CHECK
};

const char *
source_code_name(source_check_code code)
{
	return codes[code].name;
}

/* ------------------------------------------------------------------- tools */

bool
is_one_of(text t, const char *const *list)
{
	for (; *list && t.len > 0; list++)
		if (**list == t.ptr[0] && text_eq(t, text_of(*list)))
			return true;
	return false;
}

bool
node_is(const js_node *n, const char *name)
{
	return n->name && text_eq(n->name->text, text_of(name));
}

text
call_method(const js_node *call)
{
	const js_node *callee = js_unchained(call->child);

	return callee->kind == JS_MEMBER && callee->child->next->name
		   ? callee->child->next->name->text
		   : TEXT_NONE;
}

const js_node *
call_argument(const js_node *call, unsigned i)
{
	return js_field(call, i + 1);
}

source_found
analysis_tool(const analysis *a, text path)
{
	buf ignored = BUF_INIT(a->arena->alloc, 4096);
	source_found f = SOURCE_NOTHING;

	if (a->tools && a->tools->find)
		f = a->tools->find(a->tools->ctx, path, &ignored);
	buf_fini(&ignored);
	return f;
}

bool
analysis_global(const analysis *a, const js_node *name)
{
	return a->tools && a->tools->global &&
	       !known_global(name->name->text) &&
	       a->tools->global(a->tools->ctx, name->name->text);
}

unsigned
analysis_line(const analysis *a, const js_node *n, unsigned *column)
{
	unsigned line;

	text_position(a->p->text, source_offset(a->p, n->start), &line, column);
	return line;
}

text
analysis_keep(analysis *a, text t)
{
	char *p = arena_take(a->arena, t.len + 1);

	if (!p)
		return TEXT_NONE;
	if (t.len > 0)
		memcpy(p, t.ptr, t.len);
	return (text){p, t.len};
}

text
analysis_printf(analysis *a, const char *format, ...)
{
	va_list args;
	char *room;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	room = len < 0 ? NULL : arena_take(a->arena, (size_t)len + 1);
	if (!room)
		return TEXT_NONE;
	va_start(args, format);
	vsnprintf(room, (size_t)len + 1, format, args);
	va_end(args);
	return (text){room, (size_t)len};
}

text
analysis_text(analysis *a, const js_node *n)
{
	text t = js_text(&a->tree, n), line = t;

	text_line(&t, &line);
	if (line.len <= SHOWN_MAX && t.len == 0)
		return line;
	return analysis_printf(
	    a, "%.*s...", TEXT_ARG(text_head(line, SHOWN_MAX)));
}

/* ---------------------------------------------------------------- problems */

bool
analysis_is_full(const analysis *a)
{
	return a->out->problems >= PROBLEMS_MAX;
}

static source_problem *
new_problem(analysis *a)
{
	source_report *r = a->out;
	source_problem *list;

	if (analysis_is_full(a))
		return NULL;
	list = arena_grow(
	    a->arena, r->problem, &a->problems_cap, r->problems, sizeof(*list));
	if (!list)
		return NULL;
	r->problem = list;
	return &r->problem[r->problems++];
}

void
analysis_add(analysis *a, source_check_code code, const js_node *n,
    const char *format, ...)
{
	source_problem *p = new_problem(a);
	char message[SOURCE_MESSAGE];
	va_list args;
	int len;

	if (!p)
		return;
	va_start(args, format);
	len = vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (len >= (int)sizeof(message))
		len = (int)sizeof(message) - 1;
	while (len > 0 && utf8_bad((text){message, (size_t)len}) != SIZE_MAX)
		len--;
	*p = (source_problem){.code = codes[code].name,
	    .level = codes[code].level,
	    .promise = code == CHECK_MISSING_AWAIT ||
		       code == CHECK_UNAWAITED_CALL ||
		       code == CHECK_ASYNC_CALLBACK,
	    .start = source_offset(a->p, n->start),
	    .end = source_offset(a->p, n->end),
	    .message = analysis_keep(a, (text){message, (size_t)len})};
}

/* Few, and nearly in order within each part. */
static void
sort_problems(source_report *r)
{
	for (size_t i = 1; i < r->problems; i++) {
		source_problem moved = r->problem[i];
		size_t to = i;

		for (; to > 0 && r->problem[to - 1].start > moved.start; to--)
			r->problem[to] = r->problem[to - 1];
		r->problem[to] = moved;
	}
}

/* ------------------------------------------------------------------ places */

/* A place in a text, which is mostly moved forwards. */
typedef struct cursor {
	text text;
	size_t at;
	uint32_t line, column;
} cursor;

static void
move_cursor(cursor *c, size_t to)
{
	if (to > c->text.len)
		to = c->text.len;
	if (to < c->at || c->line == 0)
		*c = (cursor){c->text, 0, 1, 1};
	for (; c->at < to; c->at++) {
		unsigned char byte = (unsigned char)c->text.ptr[c->at];

		c->column += byte < 0x80 || byte >= 0xc0;
		c->column += byte >= 0xf0;
		if (byte == '\n') {
			c->line++;
			c->column = 1;
		}
	}
}

static void
place_report(const analysis *a)
{
	cursor start = {.text = a->p->text}, end;

	for (size_t i = 0; i < a->out->problems; i++) {
		source_problem *p = &a->out->problem[i];

		move_cursor(&start, p->start);
		end = start;
		move_cursor(&end, p->end);
		p->line = start.line;
		p->column = start.column;
		p->end_line = end.line;
		p->end_column = end.column;
	}
	for (size_t i = 0; i < a->out->calls; i++) {
		move_cursor(&start, a->out->call[i].start);
		a->out->call[i].line = start.line;
		a->out->call[i].column = start.column;
	}
}

/* ------------------------------------------------------------ syntax errors */

size_t
analysis_offset(text t, uint32_t line, uint32_t column)
{
	size_t at = 0, end;

	for (; line > 1; line--) {
		end = text_find(t, TEXT("\n"), at);
		if (end == SIZE_MAX)
			return t.len;
		at = end + 1;
	}
	return at + (column > 0 ? column - 1 : 0);
}

static void
add_error(
    analysis *a, const char *code, uint32_t start, uint32_t end, text message)
{
	source_problem *p = new_problem(a);

	if (p)
		*p = (source_problem){.code = code,
		    .level = SOURCE_ERROR,
		    .start = start,
		    .end = end,
		    .message = analysis_keep(a, message)};
}

/* The one that a run would tell, and then the others. */
static cm_status
report_refusal(analysis *a)
{
	const source_refusal *f = &a->p->fault;
	uint32_t at = (uint32_t)analysis_offset(a->p->text, f->line, f->column);
	arena other = ARENA_INIT(a->arena->alloc, a->arena->max);
	js_tree t = {0};
	cm_status r = CM_OK;

	add_error(a, f->code, at, at + 1, text_of(f->message));
	if (!f->foreign && text_eq(text_of(f->code), TEXT("SyntaxError")))
		r = source_parse(a->p, &other, &t);
	for (size_t i = 0; i < t.error_count; i++)
		if (t.errors[i].start > at)
			add_error(a, "SyntaxError", t.errors[i].start,
			    t.errors[i].end, t.errors[i].message);
	arena_fini(&other);
	return r;
}

/* The byte at a line, and at a column of UTF-16 units. */
static size_t
utf16_offset(text t, uint32_t line, uint32_t column)
{
	size_t at = analysis_offset(t, line, 1);

	while (column > 1 && at < t.len) {
		uint32_t units = utf8_next(t, &at) < 0x10000 ? 1 : 2;

		column -= column > units ? units : 1;
	}
	return at;
}

/* What the parser accepts and the engine does not. */
static cm_status
report_compiled(analysis *a)
{
	text code = a->p->code;
	buf why = BUF_INIT(a->arena->alloc, SOURCE_MESSAGE);
	uint32_t line = 0, column = 0, at = 0;
	cm_status r = CM_OK;

	if (a->tools && a->tools->compile && code.len <= COMPILED_MAX)
		r = a->tools->compile(
		    a->tools->ctx, code, &line, &column, &why);
	if (line > 0)
		at = source_offset(
		    a->p, (uint32_t)utf16_offset(code, line, column));
	if (why.len > 0)
		add_error(a, "SyntaxError", at, at + 1, buf_view(&why));
	buf_fini(&why);
	return r;
}

/* -------------------------------------------------------------------- door */

/* Notes what the uses of names tell of the whole script. */
static void
look_at_uses(analysis *a)
{
	for (size_t i = 0; i < a->names.uses; i++) {
		const name_use *u = &a->names.use[i];

		if (node_is(u->node, "arguments"))
			a->has_arguments = true;
		if (!u->binding && (u->node->flags & JS_TARGET))
			u->node->name->scratch[ANALYSIS_SET] = u->node->name;
	}
}

bool
analysis_init(analysis *a, const source_prepared *p, const source_tools *tools,
    arena *memory)
{
	static const js_options o = {.goal = JS_ASYNC_BODY};

	*a = (analysis){.p = p,
	    .tools = tools,
	    .arena = memory,
	    .steps = STEPS_MAX,
	    .budget = &a->steps};
	if (js_parse(p->code, &o, memory, &a->tree) != CM_OK ||
	    a->tree.error_count > 0 || names_read(&a->tree, &a->names) != CM_OK)
		return false;
	look_at_uses(a);
	return true;
}

cm_status
source_check(const source_prepared *p, const source_tools *tools, arena *memory,
    source_report *out)
{
	analysis a = {.p = p, .tools = tools, .arena = memory, .out = out};
	cm_status r;

	*out = (source_report){0};
	if (p->fault.code != NULL) {
		report_refusal(&a);
		place_report(&a);
		return memory->bad;
	}
	if (!analysis_init(&a, p, tools, memory))
		return memory->bad;
	a.out = out;
	calls_find(&a);
	check_tools(&a);
	check_names(&a);
	check_flow(&a);
	check_promises(&a);
	check_ending(&a);
	if ((r = report_compiled(&a)) != CM_OK)
		return r;
	sort_problems(out);
	calls_report(&a);
	out->steps = STEPS_MAX - a.steps;
	out->incomplete = a.steps == 0;
	if (memory->bad == CM_OK)
		place_report(&a);
	return memory->bad;
}
