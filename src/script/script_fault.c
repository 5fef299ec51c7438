/* SPDX-License-Identifier: MIT */
/*
 * script_fault.c -- puts an engine's error in terms of the script. Its place is
 * the first frame of the stack that lies in the script.
 */
#include "script_parts.h"

#include "source/excerpt.h"

#define FRAME TEXT("codemode.js:")

/* Reads the decimal number at *at, and moves *at behind it. */
static uint32_t
frame_number(text t, size_t *at)
{
	uint32_t n = 0;

	while (*at < t.len && t.ptr[*at] >= '0' && t.ptr[*at] <= '9' &&
	       n < 100000000)
		n = n * 10 + (uint32_t)(t.ptr[(*at)++] - '0');
	return n;
}

void
script_place(const engine *e, text stack, uint32_t *line, uint32_t *column)
{
	size_t at = text_find(stack, FRAME, 0);

	*line = *column = 0;
	if (at == SIZE_MAX)
		return;
	at += FRAME.len;
	*line = frame_number(stack, &at);
	if (at < stack.len && stack.ptr[at] == ':') {
		at++;
		*column = frame_number(stack, &at);
	}
	source_origin(&e->source, *line, column);
}

text
script_line(const engine *e, uint32_t n)
{
	text rest = e->source.text, line;

	while (text_line(&rest, &line))
		if (--n == 0)
			return line;
	return TEXT_NONE;
}

/* Only an error that the engine made has neither code nor tool. Of the others,
 * `Stalled` and `UnknownTool` have explanations. */
static bool
can_be_explained(json fault)
{
	json code = json_get(fault, TEXT("code"));

	if (code.len > 0)
		return json_is(code, TEXT("Stalled")) ||
		       json_is(code, TEXT("UnknownTool"));
	return json_get(fault, TEXT("tool")).len == 0;
}

/* A better message for the engine's error, if there is one. */
static void
explain_fault(engine *e, json fault, source_error *s, buf *better)
{
	source_tools tools = script_tools_of(e);
	source_seen seen = script_seen_of(e);

	if (json_is(json_get(fault, TEXT("code")), TEXT("Stalled")))
		source_explain_stall(&e->source, &tools, s, better);
	else
		source_explain(&e->source, &tools, &seen, s, better);
}

/* Reads name, message and stack into 'texts', which *s borrows from. */
static void
read_error(const engine *e, json fault, buf *texts, source_error *s)
{
	size_t name, message;
	text all, stack;
	int64_t n;

	json_unescape(json_get(fault, TEXT("name")), texts);
	name = texts->len;
	json_unescape(json_get(fault, TEXT("message")), texts);
	message = texts->len;
	json_unescape(json_get(fault, TEXT("stack")), texts);
	all = buf_view(texts);
	stack = text_sub(all, message, all.len);
	*s = (source_error){.name = text_sub(all, 0, name),
	    .message = text_sub(all, name, message),
	    .native = source_native(stack)};
	script_place(e, stack, &s->line, &s->column);
	if (json_int(json_get(fault, TEXT("line")), &n))
		s->line = (uint32_t)n;
	if (json_int(json_get(fault, TEXT("column")), &n))
		s->column = (uint32_t)n;
}

/* Appends members that replace those of the fault: of two members with one name
 * 'json_get' reads the last. */
static void
put_place(const engine *e, const source_error *s, text better, buf *out)
{
	buf excerpt = BUF_INIT(e->start.alloc, 64u << 10);
	uint32_t column;

	if (better.len > 0)
		json_member_text(out, "message", better);
	if (s->line > 0) {
		column = excerpt_put(
		    script_line(e, s->line), s->line, s->column, &excerpt);
		json_member_uint(out, "line", s->line);
		json_member_uint(out, "column", column);
		if (excerpt.len > 0)
			json_member_text(out, "excerpt", buf_view(&excerpt));
	}
	buf_fini(&excerpt);
}

void
script_explain(engine *e, json fault, buf *out, uint32_t *line)
{
	buf texts = BUF_INIT(e->start.alloc, SIZE_MAX / 2);
	buf better = BUF_INIT(e->start.alloc, 64u << 10);
	source_error s;

	read_error(e, fault, &texts, &s);
	if (texts.bad == CM_OK && can_be_explained(fault))
		explain_fault(e, fault, &s, &better);
	if (s.line == 0 && json_get(fault, TEXT("stack")).len == 0 &&
	    json_get(fault, TEXT("code")).len == 0)
		source_place_thrown(&e->source, &s);
	if (better.bad != CM_OK)
		buf_clear(&better);
	buf_text(out, text_sub(fault, 0, fault.len - 1));
	put_place(e, &s, buf_view(&better), out);
	buf_byte(out, '}');
	*line = s.line;
	buf_fini(&texts);
	buf_fini(&better);
}
