/* SPDX-License-Identifier: MIT */
/*
 * script_say.c -- passes on what the engine says to the run, with errors and
 * warnings put in terms of the script.
 */
#include "script_parts.h"

void
script_pass(engine *e, const said *m, verdict *v)
{
	v->code = NULL;
	e->start.sink.say(e->start.sink.ctx, m, v);
}

static void
pass_fault(engine *e, const buf *fault, verdict *v)
{
	v->code = NULL;
	if (fault->bad != CM_OK)
		e->no_memory = true;
	else
		script_pass(e,
		    &(said){.kind = SAID_FAIL, .u.fail.json = buf_view(fault)},
		    v);
}

void
script_refuse(engine *e, const char *code, const char *name, text message,
    uint32_t line, uint32_t column)
{
	buf fault = BUF_INIT(e->start.alloc, 64u << 10);
	buf told = BUF_INIT(e->start.alloc, 128u << 10);
	verdict v;

	buf_byte(&fault, '{');
	json_member_text(&fault, "code", text_of(code));
	json_member_text(&fault, "name", text_of(name));
	json_member_text(&fault, "message", message);
	if (line > 0) {
		json_member_uint(&fault, "line", line);
		json_member_uint(&fault, "column", column);
	}
	buf_byte(&fault, '}');
	if (fault.bad == CM_OK)
		script_explain(e, buf_view(&fault), &told, &line);
	pass_fault(e, fault.bad == CM_OK ? &told : &fault, &v);
	buf_fini(&fault);
	buf_fini(&told);
	e->state = ENGINE_ENDED;
}

static void
say_call(engine *e, const said *m, verdict *v)
{
	said placed = *m;
	uint32_t column;

	if (!mem_grow(e->start.alloc, (void **)&e->tool, &e->calls_cap,
		e->calls, sizeof(*e->tool))) {
		e->no_memory = true;
		return;
	}
	script_place(e, m->u.call.stack, &placed.u.call.line, &column);
	placed.u.call.stack = TEXT_NONE;
	script_pass(e, &placed, v);
	if (v->code == NULL)
		e->tool[e->calls++] = m->u.call.tool;
}

/* A warning with a stack gets the line of its first frame. */
static void
say_warning(engine *e, const said *m, verdict *v)
{
	json warning = m->u.warn.json;
	buf b = BUF_INIT(e->start.alloc, SIZE_MAX / 2);
	said with_line = {.kind = SAID_WARN};
	uint32_t line, column;

	if (json_get(warning, TEXT("left")).len > 0) {
		script_note_left(e, warning);
		return;
	}
	script_place(e, json_get(warning, TEXT("stack")), &line, &column);
	if (line == 0) {
		script_pass(e, m, v);
		return;
	}
	buf_text(&b, text_sub(warning, 0, warning.len - 1));
	buf_printf(&b, ",\"line\":%u}", line);
	with_line.u.warn.json = buf_view(&b);
	script_pass(e, b.bad == CM_OK ? &with_line : m, v);
	buf_fini(&b);
}

static void
say_unseen(engine *e, const said *m, verdict *v)
{
	said placed = *m;
	uint32_t column;

	script_place(e, m->u.unseen.stack, &placed.u.unseen.line, &column);
	script_pass(e, &placed, v);
}

static void
say_fail(engine *e, const said *m, verdict *v)
{
	buf told = BUF_INIT(e->start.alloc, SIZE_MAX / 2);
	script_end end = {.failed = true};

	script_explain(e, m->u.fail.json, &told, &end.line);
	script_check(e, &end);
	pass_fault(e, &told, v);
	buf_fini(&told);
}

void
script_say(void *ctx, const said *m, verdict *v)
{
	engine *e = ctx;

	/* A call was lost, and its number with it: say nothing more. */
	v->code = NULL;
	if (e->no_memory)
		return;
	switch ((int)m->kind) {
	case SAID_CALL:
		say_call(e, m, v);
		break;
	case SAID_WARN:
		say_warning(e, m, v);
		break;
	case SAID_UNSEEN:
		say_unseen(e, m, v);
		break;
	case SAID_FAIL:
		say_fail(e, m, v);
		break;
	case SAID_DONE:
		script_check(
		    e, &(script_end){.value = m->u.done.value.len > 0});
		script_pass(e, m, v);
		break;
	case SAID_PRINT:
		e->printed = true;
		script_pass(e, m, v);
		break;
	default:
		script_pass(e, m, v);
	}
}
