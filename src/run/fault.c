/* SPDX-License-Identifier: MIT */
/*
 * fault.c -- what went wrong, told in terms of the script: a code, a place,
 * and the line itself with a caret under it.
 *
 * The engine reports an error as JSON; its place is the first frame of the
 * stack that lies in the script.
 */
#include "run.h"
#include "source/excerpt.h"

#define FRAME TEXT("codemode.js:")

void
run_fail(
    cm_run *r, cm_end end, const char *code, const char *name, text message)
{
	buf words = BUF_INIT(r->alloc, WORDS_MAX);
	buf b = BUF_INIT(r->alloc, SIZE_MAX / 2);

	buf_utf8(&words, message, WORDS_MAX);
	buf_str(&b, "{\"code\":");
	json_string(&b, text_of(code));
	buf_str(&b, ",\"name\":");
	json_string(&b, text_of(name));
	buf_str(&b, ",\"message\":");
	json_string(&b, buf_view(&words));
	buf_byte(&b, '}');
	run_drop(r, &r->fault);
	r->fault = run_copy(r, buf_view(&b));
	run_keep_status(r, &words);
	run_keep_status(r, &b);
	buf_fini(&words);
	buf_fini(&b);
	r->end = end;
}

text
run_line(const cm_run *r, uint32_t n)
{
	text rest = r->source.text, line;

	while (text_line(&rest, &line))
		if (--n == 0)
			return line;
	return TEXT_NONE;
}

/* A decimal number at *at, which moves behind it. */
static uint32_t
number(text t, size_t *at)
{
	uint32_t n = 0;

	while (*at < t.len && t.ptr[*at] >= '0' && t.ptr[*at] <= '9' &&
	       n < 100000000)
		n = n * 10 + (uint32_t)(t.ptr[(*at)++] - '0');
	return n;
}

void
run_place(const cm_run *r, text stack, uint32_t *line, uint32_t *column)
{
	size_t at = text_find(stack, FRAME, 0);

	*line = *column = 0;
	if (at == SIZE_MAX)
		return;
	at += FRAME.len;
	*line = number(stack, &at);
	if (at < stack.len && stack.ptr[at] == ':') {
		at++;
		*column = number(stack, &at);
	}
	source_origin(&r->source, *line, column);
}

/* Where the texts of r->error are while error_text still grows. */
typedef struct part {
	size_t at, len;
} part;

static part
add_member(buf *b, json fault, text key)
{
	part p = {b->len, 0};

	json_unescape(json_get(fault, key), b);
	p.len = b->len - p.at;
	return p;
}

static text
text_of_part(const buf *b, part p)
{
	return text_sub(buf_view(b), p.at, p.at + p.len);
}

/* The finer code: said by whoever made the error, or seen from it. */
static text
code_of(const cm_fault *f)
{
	if (f->code.len > 0)
		return f->code;
	if (f->tool.len > 0)
		return TEXT("ToolError");
	if (text_eq(f->name, TEXT("SyntaxError")))
		return f->name;
	if (text_eq(f->name, TEXT("InternalError")) &&
	    text_eq(f->message, TEXT("out of memory")))
		return TEXT("MemoryLimit");
	return TEXT("ScriptError");
}

/* An error that the engine made itself has neither code nor tool; a stall is
 * nobody's, and has no place yet. */
static bool
is_explained(json fault, const cm_fault *f)
{
	json code = json_get(fault, TEXT("code"));

	if (code.len > 0)
		return json_is(code, TEXT("Stalled"));
	return json_get(fault, TEXT("tool")).len == 0 && f->line > 0;
}

/* The message in terms of the script, in the place of the engine's. */
static part
explained(
    cm_run *r, part code, part name, part message, part stack, cm_fault *f)
{
	buf *b = &r->error_text;
	buf better = BUF_INIT(r->alloc, 64u << 10);
	source_error e = {.name = text_of_part(b, name),
	    .message = text_of_part(b, message),
	    .native = source_native(text_of_part(b, stack)),
	    .line = f->line,
	    .column = f->column};

	run_explain(r, text_of_part(b, code), &e, &better);
	if (better.bad == CM_OK && better.len > 0) {
		message = (part){b->len, better.len};
		buf_text(b, buf_view(&better));
		f->line = e.line;
		f->column = e.column;
	}
	buf_fini(&better);
	return message;
}

void
run_read_fault(cm_run *r)
{
	json fault = block_text(r->fault);
	buf *b = &r->error_text;
	part code, name, message, path, stack, shown;
	cm_fault *f = &r->error;
	int64_t n;

	if (fault.len == 0)
		return;
	code = add_member(b, fault, TEXT("code"));
	name = add_member(b, fault, TEXT("name"));
	message = add_member(b, fault, TEXT("message"));
	path = add_member(b, fault, TEXT("tool"));
	stack = add_member(b, fault, TEXT("stack"));
	run_place(r, text_of_part(b, stack), &f->line, &f->column);
	if (json_int(json_get(fault, TEXT("line")), &n))
		f->line = (uint32_t)n;
	if (json_int(json_get(fault, TEXT("column")), &n))
		f->column = (uint32_t)n;
	if (r->end == CM_END_SCRIPT && is_explained(fault, f))
		message = explained(r, code, name, message, stack, f);
	shown.at = b->len;
	if (f->line > 0)
		f->column =
		    excerpt_put(run_line(r, f->line), f->line, f->column, b);
	shown.len = b->len - shown.at;
	f->name = text_of_part(b, name);
	f->message = text_of_part(b, message);
	f->tool = text_of_part(b, path);
	f->stack = text_of_part(b, stack);
	f->excerpt = text_of_part(b, shown);
	f->code = text_of_part(b, code);
	f->code = code_of(f);
	run_keep_status(r, b);
}
