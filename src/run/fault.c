/* SPDX-License-Identifier: MIT */
/*
 * fault.c -- what ended a run that failed: the engine's error, which src/script
 * has put in terms of the script, or one of the run's own. Both are JSON.
 */
#include "run.h"

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
	run_drop(r, &r->fault.json);
	r->fault.json = run_copy(r, buf_view(&b));
	run_keep_status(r, &words);
	run_keep_status(r, &b);
	buf_fini(&words);
	buf_fini(&b);
	r->outcome.end = end;
}

/* Where a text of fault.read lies while fault.texts still grows. */
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

/* The code that the error came with, or one that its name tells. */
static text
fault_code_of(const cm_fault *f)
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

/* A line or column; 0: the member is missing or out of range. */
static uint32_t
place_member(json fault, text key)
{
	int64_t n = 0;

	return json_int(json_get(fault, key), &n) && n > 0 && n <= UINT32_MAX
		   ? (uint32_t)n
		   : 0;
}

void
run_read_fault(cm_run *r)
{
	json fault = block_text(r->fault.json);
	buf *b = &r->fault.texts;
	part code, name, message, path, stack, excerpt;
	cm_fault *f = &r->fault.read;

	if (fault.len == 0)
		return;
	code = add_member(b, fault, TEXT("code"));
	name = add_member(b, fault, TEXT("name"));
	message = add_member(b, fault, TEXT("message"));
	path = add_member(b, fault, TEXT("tool"));
	stack = add_member(b, fault, TEXT("stack"));
	excerpt = add_member(b, fault, TEXT("excerpt"));
	f->fields = json_get(fault, TEXT("fields"));
	f->cause = json_get(fault, TEXT("cause"));
	f->errors = json_get(fault, TEXT("errors"));
	f->line = place_member(fault, TEXT("line"));
	f->column = place_member(fault, TEXT("column"));
	f->name = text_of_part(b, name);
	f->message = text_of_part(b, message);
	f->tool = text_of_part(b, path);
	f->stack = text_of_part(b, stack);
	f->excerpt = text_of_part(b, excerpt);
	f->code = text_of_part(b, code);
	f->code = fault_code_of(f);
	run_keep_status(r, b);
}
