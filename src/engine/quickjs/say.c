/* SPDX-License-Identifier: MIT */
/*
 * say.c -- what leaves the engine.
 *
 * The end is kept until the turn is over: warnings come before it, and it is
 * reported even when a trap ends the turn first.
 */
#include "qjs.h"

#include "base/json.h"

#define OUT_OF_MEMORY                                           \
	"{\"code\":\"MemoryLimit\",\"name\":\"InternalError\"," \
	"\"message\":\"out of memory\"}"

void
qjs_say(engine *e, const said *m, verdict *v)
{
	v->code = NULL;
	e->start.sink.say(e->start.sink.ctx, m, v);
}

void
qjs_say_observed(engine *e, uint32_t id)
{
	said m = {.kind = SAID_OBSERVED};
	verdict v;

	m.u.observed.id = id;
	qjs_say(e, &m, &v);
}

static void
keep_outcome(engine *e, said_kind kind, text t)
{
	if (e->ended)
		return;
	e->ended = true;
	e->end = kind;
	buf_clear(&e->last);
	buf_text(&e->last, t);
}

void
qjs_done(engine *e, text value)
{
	keep_outcome(e, SAID_DONE, value);
}

void
qjs_fail(engine *e, text fault)
{
	keep_outcome(e, SAID_FAIL, fault);
}

void
qjs_fail_memory(engine *e)
{
	qjs_fail(e, TEXT(OUT_OF_MEMORY));
}

/* {"code":…,"name":…,"message":…} */
static text
fault_json(engine *e, const char *code, const char *name, const char *message)
{
	buf *b = qjs_buf(e);

	buf_str(b, "{\"code\":");
	json_string(b, text_of(code));
	buf_str(b, ",\"name\":");
	json_string(b, text_of(name));
	buf_str(b, ",\"message\":");
	json_string(b, text_of(message));
	buf_byte(b, '}');
	return b->bad == CM_OK ? buf_view(b) : TEXT(OUT_OF_MEMORY);
}

void
qjs_fail_with(
    engine *e, const char *code, const char *name, const char *message)
{
	qjs_fail(e, fault_json(e, code, name, message));
}

static void
say_failure(engine *e, text fault)
{
	said m = {.kind = SAID_FAIL};
	verdict v;

	m.u.fail.json = fault;
	qjs_say(e, &m, &v);
	if (v.code == NULL)
		return;
	m.u.fail.json = fault_json(e, v.code, "RangeError", v.why);
	qjs_say(e, &m, &v);
}

static void
say_no_room(engine *e)
{
	say_failure(e, TEXT(OUT_OF_MEMORY));
}

static void
say_value(engine *e)
{
	said m = {.kind = SAID_DONE};
	buf *writes = qjs_buf(e);
	verdict v;

	store_writes(&e->store, writes);
	if (writes->bad != CM_OK) {
		say_no_room(e);
		return;
	}
	m.u.done.value = buf_view(&e->last);
	m.u.done.writes = buf_view(writes);
	qjs_say(e, &m, &v);
	if (v.code != NULL)
		say_failure(e, fault_json(e, v.code, "RangeError", v.why));
}

void
qjs_report(engine *e)
{
	if (!e->ended || e->reported)
		return;
	e->reported = true;
	if (e->last.bad != CM_OK)
		say_no_room(e);
	else if (e->end == SAID_DONE)
		say_value(e);
	else
		say_failure(e, buf_view(&e->last));
}
