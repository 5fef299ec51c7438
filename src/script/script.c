/* SPDX-License-Identifier: MIT */
/* script.c -- the engine_port of this room: it prepares the script, then
 * forwards to the engine behind the wall. */
#include "script_parts.h"

/* The engine inside. */
static const engine_port *
inner_port(const engine *e)
{
	return e->start.evaluator ? &engine_evaluator : &engine_quickjs;
}

/* ------------------------------------------------------ the first turn */

static void
say_prepared(engine *e)
{
	said m = {.kind = SAID_PREPARED};
	verdict v;

	m.u.prepared.timeout_ms = e->source.head.timeout_ms;
	m.u.prepared.output_tokens = e->source.head.output_tokens;
	script_pass(e, &m, &v);
}

static void
warn_of_options(engine *e)
{
	buf b = BUF_INIT(e->start.alloc, 512);
	verdict v;

	buf_str(&b, "{\"message\":");
	json_string(&b, text_of(e->source.head.warning));
	buf_printf(&b, ",\"line\":%u}", e->source.head.warning_line);
	if (b.bad == CM_OK)
		script_pass(e,
		    &(said){.kind = SAID_WARN, .u.warn.json = buf_view(&b)},
		    &v);
	buf_fini(&b);
}

static bool
refuse_source(engine *e, cm_status s)
{
	const source_refusal *f = &e->source.fault;

	if (s == CM_OK && f->code == NULL)
		return false;
	if (s == CM_ENOMEM)
		e->no_memory = true;
	else if (s != CM_OK)
		script_refuse(e, "SourceLimit", "SyntaxError",
		    TEXT("the script cannot be read: write it in simpler "
			 "parts"),
		    0, 0);
	else
		script_refuse(e, f->code, "SyntaxError", text_of(f->message),
		    f->line, f->column);
	return true;
}

static bool
prepare_script(engine *e)
{
	const source_options o = {.limit = e->start.source_max,
	    .budget = SOURCE_STEPS,
	    .raw = e->start.raw,
	    .plain_last = e->start.plain_last};
	cm_status s =
	    source_prepare(e->start.code, &o, e->start.alloc, &e->source);

	e->prepared = s == CM_OK;
	if (refuse_source(e, s))
		return false;
	say_prepared(e);
	if (e->start.sites)
		script_list_calls(e);
	if (e->source.head.warning != NULL)
		warn_of_options(e);
	return true;
}

/* The deadline of the run, or the time that the options line allows from now
 * on, whichever is earlier. */
static uint64_t
deadline_of(const engine *e)
{
	uint64_t now = e->start.host.now_ms(e->start.host.ctx);
	uint64_t allowed = e->source.head.timeout_ms, own = UINT64_MAX;

	if (allowed < UINT64_MAX - now - 1)
		own = now + allowed + e->start.host.real;
	return own < e->start.deadline_ms ? own : e->start.deadline_ms;
}

static bool
open_inner(engine *e)
{
	engine_start start = e->start;
	cm_status s;

	start.code = e->source.code;
	start.sink = (engine_sink){e, script_say};
	start.deadline_ms = deadline_of(e);
	s = inner_port(e)->open(&start, &e->inner);
	if (s != CM_OK) {
		e->no_memory = s == CM_ENOMEM;
		e->state = ENGINE_BROKEN;
		e->why = "the engine could not be set up: no memory";
		return false;
	}
	/* 'script_stop' sets the flag before it reads 'running'; here the order
	 * is reversed, so that one of the two sees what the other set. */
	atomic_store(&e->running, e->inner);
	if (atomic_load(&e->stopped))
		inner_port(e)->stop(e->inner);
	return true;
}

static void
turn_inner(engine *e)
{
	if (e->inner == NULL && (!prepare_script(e) || !open_inner(e)))
		return;
	e->state = inner_port(e)->turn(e->inner);
	if (e->state == ENGINE_TIMEOUT)
		script_check(e, &(script_end){.value = true});
}

static engine_state
script_turn(engine *e)
{
	if (e->state == ENGINE_WAITS)
		turn_inner(e);
	if (e->no_memory)
		e->state = ENGINE_NO_MEMORY;
	return e->state;
}

/* ----------------------------------------------------------- the port */

static cm_status
script_open(const engine_start *start, engine **out)
{
	engine *e = mem_new(start->alloc, sizeof(*e));

	if (e == NULL)
		return CM_ENOMEM;
	e->start = *start;
	*out = e;
	return CM_OK;
}

static void
script_close(engine *e)
{
	const cm_alloc *a;

	if (e == NULL)
		return;
	a = e->start.alloc;
	if (e->inner != NULL)
		inner_port(e)->close(e->inner);
	if (e->prepared)
		source_prepared_fini(&e->source);
	mem_free(a, e->tool, e->calls_cap * sizeof(*e->tool));
	mem_free(a, e->seen, e->seen_cap * sizeof(*e->seen));
	mem_free(a, e->left, e->lefts_cap * sizeof(*e->left));
	mem_free(a, e, sizeof(*e));
}

static cm_status
script_resolve(engine *e, uint32_t id, text value)
{
	script_note_result(e, id, value);
	return inner_port(e)->resolve(e->inner, id, value);
}

static cm_status
script_reject(engine *e, uint32_t id, text name, text message, text members)
{
	return inner_port(e)->reject(e->inner, id, name, message, members);
}

static cm_status
script_fire(engine *e, uint32_t timer)
{
	return inner_port(e)->fire(e->inner, timer);
}

static void
script_stop(engine *e)
{
	engine *inner;

	atomic_store(&e->stopped, true);
	if ((inner = atomic_load(&e->running)) != NULL)
		inner_port(e)->stop(inner);
}

static const char *
script_why(const engine *e)
{
	return e->why != NULL || e->inner == NULL
		   ? e->why
		   : inner_port(e)->why(e->inner);
}

static uint64_t
script_wait(const engine *e, int *handle, int *writable)
{
	return inner_port(e)->wait(e->inner, handle, writable);
}

static bool
script_busy(const engine *e)
{
	(void)e;
	return false;
}

static uint64_t
script_behind(const engine *e)
{
	(void)e;
	return 0;
}

static uint64_t
script_memory(const engine *e)
{
	return e->inner == NULL ? 0 : inner_port(e)->memory(e->inner);
}

static uint64_t
script_grace(const engine *e)
{
	(void)e;
	return 0;
}

static void
script_prepare(void)
{
	engine_quickjs.prepare();
}

static const char *
script_fingerprint(void)
{
	return engine_quickjs.fingerprint();
}

const engine_port engine_script = {
    .name = "quickjs",
    .prepare = script_prepare,
    .open = script_open,
    .resolve = script_resolve,
    .reject = script_reject,
    .fire = script_fire,
    .turn = script_turn,
    .stop = script_stop,
    .why = script_why,
    .wait = script_wait,
    .busy = script_busy,
    .behind = script_behind,
    .grace = script_grace,
    .memory = script_memory,
    .close = script_close,
    .fingerprint = script_fingerprint,
};
