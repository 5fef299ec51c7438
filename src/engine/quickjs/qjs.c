/* SPDX-License-Identifier: MIT */
/*
 * qjs.c -- QuickJS as an engine of the port: opened from the image, turned by
 * its owner, closed.
 *
 *   engine.turn ─► wall_enter ─► turn_main: start the script, or deliver
 *                                answers; run promise jobs until none is left
 *
 * Between turns nothing of the script stays on a native stack; a suspended
 * run is its linear memory and this struct.
 */
#include "qjs.h"

#include "base/json.h"

#define JOBS_PER_POLL 50
/* Recursion of built-in functions that the engine does not check itself. */
#define TOO_DEEP                                \
	"{\"name\":\"RangeError\",\"message\":" \
	"\"Maximum call stack size exceeded\"}"
/* Bytes between two collections of cycles: most scripts end before the first. */
#define GC_THRESHOLD (8u << 20)
/* Texts whose values are held: from 64 KiB to this part of the heap. */
#define HOLD_LEAST (64u << 10)
#define HOLD_MOST  16u
/* Bytes above the limit that describing an out-of-memory error may take. */
#define LAST_WORDS       (1u << 20)
#define ROUNDED_PATH_MAX 1000 /* bytes of a path in a warning */

/* The script becomes the body of this function, which stands on line 0: lines
 * and columns of the script keep their numbers. (The engine takes a first line 0
 * for 1, so there is one more before.) */
#define WRAPPER_BEFORE TEXT("\n(async () => {\n")
#define WRAPPER_AFTER  TEXT("\n})")
#define FIRST_LINE     (-1)

/* ------------------------------------------------------------ starting */

static void
set_heap(engine *e, uint64_t extra)
{
	uint64_t limit = e->start.heap;

	if (limit > UINT32_MAX - qjs_image_baked.used - extra)
		limit = UINT32_MAX - qjs_image_baked.used - extra;
	e->heap_most = limit + qjs_image_baked.used + extra;
}

static void
prepare_vm(engine *e)
{
	uint64_t seed = 0;

	e->start.host.random(e->start.host.ctx, e->random.seed, ENGINE_SEED);
	random_bytes(&e->random, (uint8_t *)&seed, sizeof(seed));
	qjs_write64(e, qjs_image_baked.random_at, seed | 1); /* 0 would stick */
	e->epoch_us = e->start.host.epoch_us(e->start.host.ctx);
	set_heap(e, 0);
	CALL(e, JS_UpdateStackTop, e->rt);
	e->stack_most = QJS_STACK_MOST;
	CALL(e, JS_SetMaxStackSize, e->rt, QJS_STACK_MOST);
	CALL(e, JS_SetGCThreshold, e->rt, GC_THRESHOLD);
}

static void
put_text(uint8_t **at, text t)
{
	memcpy(*at, t.ptr, t.len);
	*at += t.len;
}

/* The wrapped source in linear memory, NUL behind it; 0: out of memory. */
static uint32_t
wrap_script(engine *e, uint32_t *len)
{
	text code = e->start.code;
	uint8_t *p;
	uint32_t at;

	*len = (uint32_t)(WRAPPER_BEFORE.len + code.len + WRAPPER_AFTER.len);
	at = CALL(e, js_malloc, e->ctx, *len + 1);
	p = at == 0 ? NULL : wall_bytes(&e->wall, at, *len + 1);
	if (p == NULL)
		return 0;
	put_text(&p, WRAPPER_BEFORE);
	if (code.len > 0)
		put_text(&p, code);
	put_text(&p, WRAPPER_AFTER);
	*p = 0;
	return at;
}

void
qjs_fail_thrown(engine *e, js thrown)
{
	js described;
	text t = TEXT_NONE;

	if (e->cut != 0)
		return;
	set_heap(e, LAST_WORDS);
	described = qjs_env(e, ENV_describe, 1, &thrown);
	if (described != JS_EXCEPTION)
		t = qjs_text(e, described);
	if (t.ptr != NULL)
		qjs_fail(e, t);
	else
		qjs_fail_memory(e);
}

static void
fail_thrown(engine *e)
{
	qjs_fail_thrown(e, CALL(e, JS_GetException, e->ctx));
}

static js
compile_script(engine *e)
{
	uint32_t len, source = wrap_script(e, &len);
	uint32_t name = qjs_copy(e, TEXT("codemode.js"));
	js main;

	if (source == 0 || name == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	/* JSEvalOptions: version, flags, file name, first line. */
	qjs_write64(e, e->scratch, 1);
	qjs_write64(
	    e, e->scratch + 8, (uint64_t)(uint32_t)FIRST_LINE << 32 | name);
	main = CALL(e, JS_Eval2, e->ctx, source, len, e->scratch);
	CALL(e, js_free, e->ctx, source);
	CALL(e, js_free, e->ctx, name);
	return main;
}

static void
begin_script(engine *e)
{
	js main, r, data = JS_UNDEFINED;

	e->started = true;
	prepare_vm(e);
	if (e->start.data.len > 0)
		data = qjs_parse(e, e->start.data, QJS_KEEP);
	main = data == JS_EXCEPTION ? data : compile_script(e);
	if (main == JS_EXCEPTION) {
		fail_thrown(e);
		return;
	}
	r = qjs_env(e, ENV_run, 4,
	    (js[]){main, data, e->start.globals ? JS_TRUE : JS_FALSE,
		e->start.host.fixed ? JS_TRUE : JS_FALSE});
	qjs_free(e, main);
	qjs_free(e, data);
	if (r == JS_EXCEPTION)
		fail_thrown(e);
	qjs_free(e, r);
}

/* ---------------------------------------------------------- delivering */

static void
define_value(engine *e, js object, text name, js value, uint32_t flags)
{
	uint32_t atom, at = qjs_copy(e, name);

	if (at == 0)
		return;
	atom = CALL(e, JS_NewAtomLen, e->ctx, at, (uint32_t)name.len);
	CALL(e, js_free, e->ctx, at);
	CALL(e, JS_DefinePropertyValue, e->ctx, object, atom, value,
	    flags | JS_CONFIGURABLE | JS_WRITABLE);
	CALL(e, JS_FreeAtom, e->ctx, atom);
}

static void
define_text(engine *e, js object, text name, text value, uint32_t flags)
{
	js v = qjs_string(e, value);

	if (v != JS_EXCEPTION)
		define_value(e, object, name, v, flags);
}

/* The members that the owner gave, except those that every Error has. Returns
 * the last one if it is `code`: the failure is the run's own. */
static json
define_members(engine *e, js error, json members)
{
	static const text own[] = {{"name", 4}, {"message", 7}, {"stack", 5}};
	json_iter it = json_each(members);
	json key, value, code = TEXT_NONE;
	bool skip;
	size_t i;
	js v;

	while (json_next(&it, &key, &value)) {
		code = json_is(key, TEXT("code")) ? value : TEXT_NONE;
		for (skip = false, i = 0; i < 3; i++)
			skip = skip || json_is(key, own[i]);
		if (skip || (v = qjs_parse(e, value, QJS_KEEP)) == JS_EXCEPTION)
			continue;
		buf *name = qjs_buf(e);

		json_unescape(key, name);
		define_value(e, error, buf_view(name), v, JS_ENUMERABLE);
	}
	return code;
}

/*
 * The Error that the script's await throws. It is made without a stack: the
 * engine writes the stack of an Error that has none where it is thrown, and
 * that is the line of the script that awaited the call.
 */
static js
failure_error(engine *e, const qjs_call *c, const engine_answer *a)
{
	js error = CALL(e, JS_NewObjectClass, e->ctx, JS_CLASS_ERROR);
	js code = JS_UNDEFINED;
	json own;

	if (error == JS_EXCEPTION)
		return error;
	define_text(e, error, TEXT("message"), a->message, 0);
	if (a->name.len > 0 && !text_eq(a->name, TEXT("Error")))
		define_text(e, error, TEXT("name"), a->name, 0);
	own = define_members(e, error, a->members);
	if (own.len > 0 && (code = qjs_parse(e, own, QJS_KEEP)) == JS_EXCEPTION)
		code = JS_UNDEFINED;
	qjs_free(e, qjs_env(e, ENV_called_at, 3, (js[]){error, c->site, code}));
	qjs_free(e, code);
	return error;
}

/*
 * To free a large result, value by value, takes half as long as to read it. So
 * the latest one is held until the next one comes; mostly the end of the run
 * comes first, and drops the memory as a whole. It must be small beside the
 * heap, of which its values take two or three times the length of the text.
 */
static void
hold_result(engine *e, js value, size_t len)
{
	if (len < HOLD_LEAST || len > e->start.heap / HOLD_MOST)
		return;
	qjs_free(e, e->held);
	e->held = qjs_dup(e, value);
}

void
qjs_settle(engine *e, uint32_t failing, js settle, js value)
{
	qjs_write64(e, e->scratch + 16, value);
	e->failing = failing;
	e->unseen = false;
	qjs_free(e,
	    CALL(e, JS_Call, e->ctx, settle, JS_UNDEFINED, 1, e->scratch + 16));
	e->failing = 0;
}

/* Tells the run that the script does not look at the failure of this call. */
static void
qjs_say_unseen(engine *e, uint32_t id, js site)
{
	said m = {.kind = SAID_UNSEEN};
	verdict v;
	js stack = qjs_env(e, ENV_stack_of, 1, &site);

	m.u.unseen.id = id;
	m.u.unseen.stack = qjs_text(e, stack);
	if (m.u.unseen.stack.ptr != NULL) {
		qjs_say(e, &m, &v);
		qjs_text_free(e, m.u.unseen.stack);
	}
	qjs_free(e, stack);
}

/* Warns, once a tool, of an integer that a number cannot hold. */
static void
warn_rounded(engine *e, const engine_answer *a, uint32_t tool, js site)
{
	buf path = BUF_INIT(e->start.alloc, ROUNDED_PATH_MAX);
	js args[4] = {site, JS_INT(tool)};

	json_path_to(a->json, e->rounded.ptr, &path);
	args[2] = qjs_string(e, buf_view(&path));
	args[3] = qjs_string(e, e->rounded);
	buf_fini(&path);
	qjs_free(e, qjs_env(e, ENV_warn_rounded, 4, args));
	qjs_free(e, args[2]);
	qjs_free(e, args[3]);
}

static js
read_result(
    engine *e, const engine_answer *a, bool exact, uint32_t tool, js site)
{
	js v = qjs_parse(e, a->json, exact ? QJS_EXACT : QJS_ROUND);

	hold_result(e, v, a->json.len);
	if (e->rounded.len > 0 && tool + 1 != e->rounded_tool) {
		e->rounded_tool = tool + 1;
		warn_rounded(e, a, tool, site);
	}
	return v;
}

static void
deliver_answer(engine *e, const engine_answer *a)
{
	qjs_call *c = &e->call[a->id - 1];
	js resolve = c->resolve, reject = c->reject, settle = resolve, value;
	js site = c->site;

	if (resolve == 0)
		return;
	c->resolve = c->reject = 0;
	e->pending--;
	if (a->kind == ANSWER_RESOLVE) {
		value = read_result(e, a, c->exact, c->tool, site);
	} else {
		value = failure_error(e, c, a);
		settle = reject;
	}
	if (value == JS_EXCEPTION) {
		value = CALL(e, JS_GetException, e->ctx);
		settle = reject;
	}
	qjs_settle(e, a->kind == ANSWER_REJECT ? a->id : 0, settle, value);
	if (a->kind == ANSWER_REJECT && e->unseen)
		qjs_say_unseen(e, a->id, site);
	qjs_free(e, value);
	qjs_free(e, resolve);
	qjs_free(e, reject);
	qjs_free(e, site);
}

static void
fire_timer(engine *e, uint32_t timer)
{
	js id = JS_INT(timer);

	/* The script may have cleared it after the run fired it. */
	if (qjs_env(e, ENV_fire, 1, &id) == JS_TRUE && e->ticking > 0)
		e->ticking--;
}

/* -------------------------------------------------------------- turning */

static void
run_jobs(engine *e)
{
	unsigned jobs = 0;
	int32_t r;

	while (!e->ended && e->cut == 0) {
		if (++jobs % JOBS_PER_POLL == 0 && qjs_poll(e))
			return;
		r = (int32_t)CALL(e, JS_ExecutePendingJob, e->rt, e->scratch);
		if (r == 0)
			return;
		if (r < 0)
			qjs_free(e, CALL(e, JS_GetException, e->ctx));
	}
}

/*
 * Does the script await this pending call? The engine reports a promise that is
 * rejected without a handler, so this one is rejected now, when no job runs any
 * more.
 */
static bool
has_handler(engine *e, const qjs_call *c)
{
	qjs_rejection r;

	qjs_settle(e, 0, c->reject, JS_UNDEFINED);
	if (!e->unseen)
		return true;
	r = e->rejection[--e->rejections];
	CALL(e, qjs_free_value, r.promise);
	CALL(e, qjs_free_value, r.reason);
	return false;
}

/* Tells, before the end, what the script left undone: calls without an answer,
 * and whether timers or promise jobs are pending, which may be anybody's. */
static void
say_left_undone(engine *e)
{
	bool undone = e->ticking > 0 || CALL(e, JS_IsJobPending, e->rt) != 0;
	size_t i, told = 0;
	js args[3] = {JS_UNDEFINED, JS_INT(0), JS_FALSE};

	if (undone)
		qjs_free(e, qjs_env(e, ENV_warn_left, 3, args));
	for (i = 0; i < e->calls && told < QJS_LEFT_MAX; i++) {
		if (e->call[i].resolve == 0)
			continue;
		args[0] = e->call[i].site;
		args[1] = JS_INT(i + 1);
		args[2] = has_handler(e, &e->call[i]) ? JS_TRUE : JS_FALSE;
		qjs_free(e, qjs_env(e, ENV_warn_left, 3, args));
		told++;
	}
}

/* Warns, before the end, of rejections without a handler. The run reports those
 * of failed calls. */
static void
warn_rejections(engine *e)
{
	size_t i;
	js reason;

	for (i = 0; i < e->rejections; i++) {
		if (e->rejection[i].call != 0)
			continue;
		reason = qjs_read64(e, e->rejection[i].reason);
		qjs_free(e, qjs_env(e, ENV_warn_rejection, 1, &reason));
	}
	e->rejections = 0;
}

/* A full heap may have kept the script from going on. */
static void
fail_stalled(engine *e)
{
	if (e->reserve_to != 0)
		qjs_fail_memory(e);
	else
		qjs_fail_with(e, "Stalled", "Error",
		    "the script waits for a promise that nothing can settle: "
		    "no tool call and no timer is pending");
}

static void
turn_main(void *p)
{
	engine *e = p;
	size_t i;

	e->wall.wasm.w2c___stack_pointer =
	    wall_stack_top(&qjs_image_baked.memory);
	if (!e->started) {
		begin_script(e);
		run_jobs(e);
	}
	/* The owner may answer a call at once: the list grows meanwhile. */
	for (i = 0; i < e->answers.len && !e->ended && e->cut == 0; i++) {
		engine_answer a = e->answers.at[i];

		if (a.kind == ANSWER_FIRE)
			fire_timer(e, a.id);
		else
			deliver_answer(e, &a);
		run_jobs(e);
	}
	if (!e->ended && e->cut == 0 && e->pending == 0 && e->ticking == 0)
		fail_stalled(e);
	if (!e->ended)
		return;
	e->finishing = true;
	if (e->end == SAID_DONE)
		say_left_undone(e);
	warn_rejections(e);
}

static const char *const trap_text[] = {
    [WALL_MEMORY] = "the engine reached outside its memory",
    [WALL_ENGINE] = "the engine stopped at an impossible place",
    [WALL_NO_THREAD] = "no stack for the engine: out of memory, or called "
		       "from inside another run",
};

static engine_state
state_after(engine *e, wall_trap trap)
{
	if (e->ended)
		return ENGINE_ENDED;
	switch (trap) {
	case WALL_RETURNED:
		return e->cut != 0 ? (engine_state)e->cut : ENGINE_WAITS;
	case WALL_TIMEOUT:
		return ENGINE_TIMEOUT;
	case WALL_STOPPED:
		return ENGINE_STOPPED;
	default:
		e->why = trap_text[trap];
		return ENGINE_BROKEN;
	}
}

static engine_state
qjs_turn(engine *e)
{
	wall_trap trap;

	if (e->state != ENGINE_WAITS)
		return e->state;
	trap = wall_enter(&e->wall, turn_main, e);
	if (trap == WALL_STACK)
		qjs_fail(e, TEXT(TOO_DEEP));
	/* The module's compiler does not survive that memory is refused: it
	 * reaches outside the memory, or one of its assertions fails. */
	if ((trap == WALL_MEMORY || trap == WALL_ENGINE) && e->refused)
		qjs_fail_memory(e);
	answers_drop(&e->answers, e->start.alloc);
	e->state = state_after(e, trap);
	qjs_report(e);
	return e->state;
}

/* ------------------------------------------------------- open and close */

static void
qjs_close(engine *e)
{
	const cm_alloc *a;

	if (e == NULL)
		return;
	a = e->start.alloc;
	wall_close(&e->wall);
	store_fini(&e->store);
	answers_fini(&e->answers, a);
	qjs_parse_fini(e);
	buf_fini(&e->text);
	buf_fini(&e->last);
	mem_free(a, e->call, e->calls_cap * sizeof(*e->call));
	mem_free(a, e->rejection, e->rejections_cap * sizeof(*e->rejection));
	mem_free(a, e, sizeof(*e));
}

/* Linear memory for that much heap: the allocator needs room beside it. */
static uint64_t
memory_for(uint64_t heap)
{
	uint64_t most = UINT32_MAX;

	return heap > most / 2 ? most
			       : wall_stack_top(&qjs_image_baked.memory) +
				     heap + heap / 4 + (4u << 20);
}

static void
qjs_prepare(void)
{
	wall_prepare(&qjs_image_baked.memory);
}

static cm_status
qjs_open(const engine_start *start, engine **out)
{
	engine *e = mem_new(start->alloc, sizeof(*e));
	cm_status r;

	if (e == NULL)
		return CM_ENOMEM;
	if (!wall_open(
		&e->wall, &qjs_image_baked.memory, memory_for(start->heap))) {
		mem_free(start->alloc, e, sizeof(*e));
		return CM_EENGINE;
	}
	e->start = *start;
	e->text = BUF_INIT(start->alloc, 256u << 20);
	e->last = BUF_INIT(start->alloc, SIZE_MAX / 2);
	if ((r = store_init(&e->store, start->alloc, start->store)) != CM_OK) {
		qjs_close(e);
		return r;
	}
	e->rt = qjs_image_baked.rt;
	e->ctx = qjs_image_baked.ctx;
	e->scratch = qjs_image_baked.scratch;
	e->array_shape = qjs_image_baked.array_shape;
	e->object_prototype = qjs_image_baked.object_prototype;
	e->constructor_atom = qjs_image_baked.constructor_atom;
	e->species_atom = qjs_image_baked.species_atom;
	e->array_class = qjs_image_baked.array_class;
	e->env = qjs_image_baked.env;
	e->heap_most = UINT32_MAX; /* until the script starts */
	e->wall.wasm.Z_env_instance = (void *)e;
	e->wall.wasm.Z_wasi_snapshot_preview1_instance = (void *)e;
	if (start->host.real && start->deadline_ms < UINT64_MAX / 1000000)
		e->wall.deadline_ns = start->deadline_ms * 1000000;
	qjs_host_functions(e);
	*out = e;
	return CM_OK;
}

static bool
waits_for(const engine *e, uint32_t id)
{
	return id > 0 && id <= e->calls && e->call[id - 1].resolve != 0;
}

static cm_status
queue_answer(engine *e, engine_answer a)
{
	return waits_for(e, a.id) ? answers_add(&e->answers, e->start.alloc, a)
				  : CM_ENOCALL;
}

static cm_status
qjs_resolve(engine *e, uint32_t id, text value)
{
	return queue_answer(e,
	    (engine_answer){.kind = ANSWER_RESOLVE, .id = id, .json = value});
}

static cm_status
qjs_reject(engine *e, uint32_t id, text name, text message, text members)
{
	return queue_answer(e, (engine_answer){.kind = ANSWER_REJECT,
				   .id = id,
				   .name = name,
				   .message = message,
				   .members = members});
}

static cm_status
qjs_fire(engine *e, uint32_t timer)
{
	return answers_add(&e->answers, e->start.alloc,
	    (engine_answer){.kind = ANSWER_FIRE, .id = timer});
}

static void
qjs_stop(engine *e)
{
	wall_stop(&e->wall);
}

/* It runs only inside 'qjs_turn', so there is nothing to wait for. */
static uint64_t
qjs_wait(const engine *e, int *handle, int *writable)
{
	(void)e;
	*handle = -1;
	*writable = 0;
	return UINT64_MAX;
}

/* It computes only inside of turn, and takes every answer there. */
static bool
qjs_busy(const engine *e)
{
	(void)e;
	return false;
}

static uint64_t
qjs_behind(const engine *e)
{
	(void)e;
	return 0;
}

static const char *
qjs_why(const engine *e)
{
	return e->why;
}

static uint64_t
qjs_memory(const engine *e)
{
	return wall_size(&e->wall);
}

static const char *
qjs_fingerprint(void)
{
	return qjs_image_baked.fingerprint;
}

const engine_port engine_quickjs = {
    .name = "quickjs",
    .prepare = qjs_prepare,
    .open = qjs_open,
    .resolve = qjs_resolve,
    .reject = qjs_reject,
    .fire = qjs_fire,
    .turn = qjs_turn,
    .stop = qjs_stop,
    .wait = qjs_wait,
    .busy = qjs_busy,
    .behind = qjs_behind,
    .why = qjs_why,
    .memory = qjs_memory,
    .close = qjs_close,
    .fingerprint = qjs_fingerprint,
};
