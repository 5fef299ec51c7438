/* SPDX-License-Identifier: MIT */
/*
 * ops.c -- the host functions: those of tools (tool_call.c has what they do),
 * and one for each line of ops.def.
 *
 * They are entries of the module's function table, so the module calls them
 * like its own C functions. A host function borrows its arguments; the module
 * owns the result. A function that calls back into the module holds no resource
 * of the host meanwhile, because a trap would jump over its release (W2).
 */
#include "qjs.h"

#include "base/json.h"

#define STACK_PART (256u << 10)

typedef struct args {
	uint32_t at; /* in linear memory */
	uint32_t len;
} args;

/* Argument i, borrowed; undefined when it was not passed. */
static js
argument(engine *e, const args *a, uint32_t i)
{
	return i < a->len ? qjs_read64(e, a->at + i * 8) : JS_UNDEFINED;
}

static int32_t
arg_int(engine *e, const args *a, uint32_t i)
{
	js v = argument(e, a, i);

	return js_tag(v) == 0 ? (int32_t)(uint32_t)v : -1;
}

/* ------------------------------------------------------------ printing */

/* False: an exception is pending. */
static bool
get_print_texts(engine *e, const args *a, text *const t[3])
{
	uint32_t i;

	for (i = 0; i < 3 && i + 1 < a->len; i++) {
		*t[i] = qjs_text(e, argument(e, a, i + 1));
		if (t[i]->ptr == NULL)
			return false;
	}
	return true;
}

static js
op_print(engine *e, const args *a)
{
	said m = {.kind = SAID_PRINT};
	text *const t[3] = {&m.u.print.text, &m.u.print.mime, &m.u.print.extra};
	bool ready;
	verdict v = {0};
	js thrown;

	if (e->ended)
		return JS_UNDEFINED;
	m.u.print.kind = (uint32_t)arg_int(e, a, 0);
	ready = get_print_texts(e, a, t);
	if (ready)
		qjs_say(e, &m, &v);
	qjs_text_free(e, *t[0]);
	qjs_text_free(e, *t[1]);
	qjs_text_free(e, *t[2]);
	if (!ready)
		return JS_EXCEPTION;
	if (v.code == NULL)
		return JS_UNDEFINED;
	/* Too much output ends the run, also if the script catches the error. */
	qjs_throw(e, v.code, 2, text_of(v.why));
	thrown = CALL(e, JS_GetException, e->ctx);
	qjs_fail_thrown(e, thrown);
	return CALL(e, JS_Throw, e->ctx, thrown);
}

static js
op_exit(engine *e, const args *a)
{
	(void)a;
	qjs_done(e, TEXT_NONE);
	return JS_UNDEFINED;
}

static js
op_done(engine *e, const args *a)
{
	js value = argument(e, a, 0);
	text t = TEXT_NONE;

	if (value != JS_UNDEFINED && (t = qjs_text(e, value)).ptr == NULL)
		return JS_EXCEPTION;
	qjs_done(e, t);
	qjs_text_free(e, t);
	return JS_UNDEFINED;
}

static js
op_fail(engine *e, const args *a)
{
	text t = qjs_text(e, argument(e, a, 0));

	if (t.ptr == NULL)
		return JS_EXCEPTION;
	qjs_fail(e, t);
	qjs_text_free(e, t);
	return JS_UNDEFINED;
}

static js
op_warn(engine *e, const args *a)
{
	said m = {.kind = SAID_WARN};
	verdict v;

	m.u.warn.json = qjs_text(e, argument(e, a, 0));
	if (m.u.warn.json.ptr == NULL)
		return JS_EXCEPTION;
	qjs_say(e, &m, &v);
	qjs_text_free(e, m.u.warn.json);
	return JS_UNDEFINED;
}

/* ------------------------------------------------------- stopping, time */

static js
op_cancel(engine *e, const args *a)
{
	uint32_t id = (uint32_t)arg_int(e, a, 0);
	said m = {.kind = SAID_CANCEL};
	qjs_call was;
	verdict v;

	if (e->ended || id == 0 || id > e->calls ||
	    e->call[id - 1].resolve == 0)
		return JS_UNDEFINED;
	was = e->call[id - 1];
	e->call[id - 1] = (qjs_call){0};
	e->pending--;
	m.u.cancel.id = id;
	qjs_say(e, &m, &v);
	qjs_free(e,
	    qjs_env(e, ENV_called_at, 2, (js[]){argument(e, a, 1), was.site}));
	qjs_settle(e, id, was.reject, argument(e, a, 1));
	qjs_free(e, was.resolve);
	qjs_free(e, was.reject);
	qjs_free(e, was.site);
	return JS_UNDEFINED;
}

/* The first call after call number `behind` whose promise this is; 0: none. */
static uint32_t
call_of(const engine *e, js promise, uint32_t behind)
{
	size_t i;

	for (i = behind; i < e->calls; i++)
		if (e->call[i].resolve != 0 && e->call[i].promise == promise)
			return (uint32_t)i + 1;
	return 0;
}

static js
op_call(engine *e, const args *a)
{
	return JS_INT(call_of(e, argument(e, a, 0), 0));
}

/* Element i of one of our arrays, borrowed. */
static js
array_element(engine *e, js array, uint32_t i)
{
	js v = CALL(e, JS_GetPropertyUint32, e->ctx, array, i);

	qjs_free(e, v); /* the array has it */
	return v;
}

/* Writes the numbers of the calls of these promises, rising, as a JSON array.
 * False: a promise is of no call, is there twice, or its call is in a group. */
static bool
write_group(engine *e, js array, uint32_t len, buf *out)
{
	uint32_t i, id, last = 0;

	for (i = 0; i < len; i++) {
		id = call_of(e, array_element(e, array, i), last);
		if (id == 0 || e->call[id - 1].grouped)
			return false;
		buf_printf(out, "%c%u", i == 0 ? '[' : ',', id);
		last = id;
	}
	buf_byte(out, ']');
	return out->bad == CM_OK;
}

static js
op_group(engine *e, const args *a)
{
	js array = argument(e, a, 1);
	uint32_t len = (uint32_t)arg_int(e, a, 2), i, id = 0;
	said m = {.kind = SAID_GROUP};
	buf *out = qjs_buf(e);
	verdict v;

	if (e->ended || len < 2 || len > SAID_GROUP_MAX ||
	    !write_group(e, array, len, out))
		return JS_UNDEFINED;
	for (i = 0; i < len; i++) {
		id = call_of(e, array_element(e, array, i), id);
		e->call[id - 1].grouped = true;
	}
	m.u.group.all = arg_int(e, a, 0) == 1;
	m.u.group.calls = buf_view(out);
	qjs_say(e, &m, &v);
	return JS_UNDEFINED;
}

static js
op_error(engine *e, const args *a)
{
	(void)a;
	return CALL(e, JS_NewObjectClass, e->ctx, JS_CLASS_ERROR);
}

static js
op_timer(engine *e, const args *a)
{
	said m = {.kind = SAID_TIMER};
	verdict v = {0};
	double ms = 0;

	if (CALL(e, JS_ToFloat64, e->ctx, e->scratch, argument(e, a, 0)) == 0) {
		uint64_t bits = qjs_read64(e, e->scratch);

		memcpy(&ms, &bits, sizeof(ms));
	}
	if (e->ended)
		return JS_INT(0);
	m.u.timer.id = e->timers + 1;
	/* Rounded up: a timer is never early. */
	m.u.timer.ms = ms > 0 && ms < 1e15 ? (uint64_t)(ms + 0.999999) : 0;
	qjs_say(e, &m, &v);
	if (v.code != NULL)
		return qjs_throw(e, v.code, 2, text_of(v.why));
	e->ticking++;
	return JS_INT(++e->timers);
}

static js
op_clear(engine *e, const args *a)
{
	said m = {.kind = SAID_CLEAR};
	verdict v;

	m.u.clear.id = (uint32_t)arg_int(e, a, 0);
	if (e->ended || m.u.clear.id == 0 || m.u.clear.id > e->timers)
		return JS_UNDEFINED;
	if (e->ticking > 0)
		e->ticking--;
	qjs_say(e, &m, &v);
	return JS_UNDEFINED;
}

/* --------------------------------------------------------------- store */

static js
op_store(engine *e, const args *a)
{
	text key = qjs_text(e, argument(e, a, 0)), value = TEXT_NONE;
	buf *why = qjs_buf(e);
	cm_status r;
	js thrown = JS_UNDEFINED;

	if (e->ended)
		return thrown;
	if (a->len > 1)
		value = qjs_text(e, argument(e, a, 1));
	if (key.ptr == NULL || (a->len > 1 && value.ptr == NULL))
		return JS_EXCEPTION;
	r = store_set(&e->store, key, value, why);
	qjs_text_free(e, key);
	qjs_text_free(e, value);
	if (r == CM_ENOMEM)
		thrown = CALL(e, JS_ThrowOutOfMemory, e->ctx);
	else if (r != CM_OK)
		thrown = qjs_throw(e, "StoreLimit", 2, buf_view(why));
	return thrown;
}

static js
op_load(engine *e, const args *a)
{
	text key = qjs_text(e, argument(e, a, 0));
	json found;

	if (key.ptr == NULL)
		return JS_EXCEPTION;
	found = store_get(&e->store, key);
	qjs_text_free(e, key);
	return qjs_parse(e, found, QJS_KEEP);
}

/* --------------------------------------------------------------- tools */

/* The magic of the host functions that have no line in ops.def. */
enum { MAGIC_TOOL = OP_LEN, MAGIC_SPREAD, MAGIC_INSTEAD };

static js
tool_function(engine *e, uint32_t tool, bool spread, text path)
{
	js f, name = qjs_string(e, path);
	uint32_t key;

	if (name == JS_EXCEPTION)
		return name;
	qjs_write64(e, e->scratch, JS_INT(tool));
	f = CALL(e, JS_NewCFunctionData, e->ctx, qjs_host_slot(e, 0), 1,
	    spread ? MAGIC_SPREAD : MAGIC_TOOL, 1, e->scratch);
	key = f == JS_EXCEPTION ? 0 : qjs_copy(e, TEXT("name"));
	if (key == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	CALL(e, JS_DefinePropertyValueStr, e->ctx, f, key, name, 0);
	CALL(e, js_free, e->ctx, key);
	CALL(e, JS_FreezeObject, e->ctx, f);
	return f;
}

static js
op_member(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	text name = qjs_text(e, argument(e, a, 1));
	buf *path = qjs_buf(e);
	engine_found found;
	uint32_t index = 0;

	if (name.ptr == NULL)
		return JS_EXCEPTION;
	found = tools->find(tools->ctx, arg_int(e, a, 0), name, &index, path);
	qjs_text_free(e, name);
	if (found == FOUND_TOOL || found == FOUND_SPREAD)
		return tool_function(
		    e, index, found == FOUND_SPREAD, buf_view(path));
	return found == FOUND_SPACE ? JS_INT(index) : JS_UNDEFINED;
}

static js
parse_buf(engine *e, const buf *b)
{
	return b->bad == CM_OK ? qjs_parse(e, buf_view(b), QJS_ROUND)
			       : CALL(e, JS_ThrowOutOfMemory, e->ctx);
}

static js
op_names(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	buf *b = qjs_buf(e);

	tools->names(tools->ctx, arg_int(e, a, 0), b);
	return parse_buf(e, b);
}

static js
op_tools(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	buf *b = qjs_buf(e);

	(void)a;
	tools->list(tools->ctx, b);
	return parse_buf(e, b);
}

static js
op_search(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	text question = qjs_text(e, argument(e, a, 0));
	text space = qjs_text(e, argument(e, a, 1));
	buf *b = qjs_buf(e);

	if (question.ptr != NULL && space.ptr != NULL)
		tools->search(
		    tools->ctx, question, space, (uint32_t)arg_int(e, a, 2), b);
	if (question.ptr != NULL)
		qjs_text_free(e, question);
	if (space.ptr != NULL)
		qjs_text_free(e, space);
	if (question.ptr == NULL || space.ptr == NULL)
		return JS_EXCEPTION;
	return b->len > 0 || b->bad != CM_OK ? parse_buf(e, b) : JS_UNDEFINED;
}

static js
op_about(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	text written = qjs_text(e, argument(e, a, 0));
	buf *b = qjs_buf(e);

	if (written.ptr == NULL)
		return JS_EXCEPTION;
	tools->describe(tools->ctx, written, b);
	qjs_text_free(e, written);
	return b->len > 0 || b->bad != CM_OK ? parse_buf(e, b) : JS_UNDEFINED;
}

static js
op_unknown(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	text name = qjs_text(e, argument(e, a, 1));
	buf *b = qjs_buf(e);

	if (name.ptr == NULL)
		return JS_EXCEPTION;
	tools->unknown(tools->ctx, arg_int(e, a, 0), name, b);
	qjs_text_free(e, name);
	return b->bad == CM_OK ? qjs_string(e, buf_view(b))
			       : CALL(e, JS_ThrowOutOfMemory, e->ctx);
}

static js
op_schema(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	buf *b = qjs_buf(e);

	tools->schema(tools->ctx, (uint32_t)arg_int(e, a, 0), b);
	return parse_buf(e, b);
}

/* -------------------------------------------------------------- values */

static js
op_plain(engine *e, const args *a)
{
	text t;

	return qjs_write(e, argument(e, a, 0), &t) ? qjs_string(e, t)
						   : JS_UNDEFINED;
}

static js
op_kind(engine *e, const args *a)
{
	return JS_INT(CALL(e, JS_GetClassID, argument(e, a, 0)));
}

/* ---------------------------------------------------------------- time */

static js
op_now(engine *e, const args *a)
{
	int64_t now = e->start.host.epoch_us(e->start.host.ctx);
	double ms = (double)(now - e->epoch_us) / 1000.0;

	if (arg_int(e, a, 0) == 1)
		return CALL(
		    e, JS_NewNumber, e->ctx, (double)e->epoch_us / 1000.0);
	if (ms < e->last_ms)
		ms = e->last_ms;
	e->last_ms = ms;
	return CALL(e, JS_NewNumber, e->ctx, ms);
}

static js
op_load_library(engine *e, const args *a)
{
	text name = qjs_text(e, argument(e, a, 0));
	js found;

	if (name.ptr == NULL)
		return JS_EXCEPTION;
	found = qjs_load_library(e, name);
	qjs_text_free(e, name);
	return found;
}

static js
op_random(engine *e, const args *a)
{
	int32_t len = arg_int(e, a, 0);

	return qjs_random_array(e, len < 0 || len > 65536 ? 0 : (uint32_t)len);
}

static js
op_encode(engine *e, const args *a)
{
	return qjs_encode(e, argument(e, a, 0));
}

static js
op_decode(engine *e, const args *a)
{
	return qjs_decode(e, (qjs_encoding)arg_int(e, a, 0), argument(e, a, 1));
}

static js
op_zone(engine *e, const args *a)
{
	const engine_host *host = &e->start.host;
	text name = qjs_text(e, argument(e, a, 0));
	buf *b = qjs_buf(e);

	if (name.ptr == NULL)
		return JS_EXCEPTION;
	host->zone_file(host->ctx, name, b);
	qjs_text_free(e, name);
	return b->len == 0 ? JS_UNDEFINED : qjs_string(e, buf_view(b));
}

/* -------------------------------------------------------------- arrays */

/* A function that stands in the place of one of the module's has MAGIC_INSTEAD
 * and more for its magic, and the module's own function for its data. */
enum { UNSHIFT, SPLICE, ON_PART_OF_STACK };

static js
op_instead(engine *e, const args *a)
{
	qjs_write64(e, e->scratch, argument(e, a, 0));
	return CALL(e, JS_NewCFunctionData, e->ctx, qjs_host_slot(e, 0),
	    (uint32_t)arg_int(e, a, 1),
	    MAGIC_INSTEAD + (uint32_t)arg_int(e, a, 2), 1, e->scratch);
}

/* The function may use STACK_PART bytes of the module's stack. */
static js
call_on_part_of_stack(engine *e, js f, js this, const args *a)
{
	uint32_t most = e->stack_most;
	uint32_t part = wall_stack_top(e->wall.image) -
			e->wall.wasm.w2c___stack_pointer + STACK_PART;
	js result;

	e->stack_most = part < most ? part : most;
	CALL(e, JS_SetMaxStackSize, e->rt, e->stack_most);
	result = CALL(e, JS_Call, e->ctx, f, this, a->len, a->at);
	e->stack_most = most;
	CALL(e, JS_SetMaxStackSize, e->rt, most);
	return result;
}

static js
call_instead(engine *e, uint32_t which, js this, const args *a, js original)
{
	js result;

	if (which == ON_PART_OF_STACK)
		return call_on_part_of_stack(e, original, this, a);
	if (which == SPLICE ? qjs_splice(e, this, a->len, a->at, &result)
			    : qjs_unshift(e, this, a->len, a->at, &result))
		return result;
	return CALL(e, JS_Call, e->ctx, original, this, a->len, a->at);
}

/* ------------------------------------------------------------ dispatch */

static js (*const op[OP_LEN])(engine *, const args *) = {
#define OP(name, about) op_##name,
#include "engine/ops.def"
#undef OP
};

static const char *const op_title[OP_LEN] = {
#define OP(name, about) #name,
#include "engine/ops.def"
#undef OP
};

static js
tool_spread(engine *e, uint32_t tool, const args *a)
{
	js list, result;

	for (uint32_t i = 0; i < a->len; i++)
		qjs_dup(e, argument(e, a, i)); /* the array takes them */
	list = CALL(e, JS_NewArrayFrom, e->ctx, a->len, a->at);
	if (list == JS_EXCEPTION)
		return list;
	result = qjs_call_tool(e, tool, list, JS_UNDEFINED);
	qjs_free(e, list);
	return result;
}

/* The module calls this for each host function. The magic says which one; the
 * data of a tool's function is the number of the tool. */
static uint64_t
call_host(void *instance, uint32_t ctx, uint64_t this, uint32_t argc,
    uint32_t argv, uint32_t magic, uint32_t data)
{
	engine *e = instance;
	args a = {argv, argc};
	js result = JS_UNDEFINED;

	(void)ctx;
	if (magic < OP_LEN)
		result = op[magic](e, &a);
	else if (magic == MAGIC_SPREAD)
		result = tool_spread(e, (uint32_t)qjs_read64(e, data), &a);
	else if (magic == MAGIC_TOOL)
		result = qjs_call_tool(e, (uint32_t)qjs_read64(e, data),
		    argument(e, &a, 0), argument(e, &a, 1));
	else
		result = call_instead(
		    e, magic - MAGIC_INSTEAD, this, &a, qjs_read64(e, data));
	return result;
}

uint32_t
qjs_host_slot(engine *e, unsigned i)
{
	return e->wall.wasm.w2c___indirect_function_table.size -
	       MODULE_HOST_SLOTS + i;
}

void
qjs_host_functions(engine *e)
{
	module_host_function(&e->wall.wasm, 0, call_host);
	qjs_heap_functions(e);
}

js
qjs_host_object(engine *e)
{
	js host = CALL(e, JS_NewObject, e->ctx);
	uint32_t i, name;
	js f;

	for (i = 0; i < OP_LEN; i++) {
		f = CALL(e, JS_NewCFunctionData, e->ctx, qjs_host_slot(e, 0), 0,
		    i, 0, 0);
		name = qjs_copy(e, text_of(op_title[i]));
		CALL(e, JS_DefinePropertyValueStr, e->ctx, host, name, f,
		    JS_ENUMERABLE);
		CALL(e, js_free, e->ctx, name);
	}
	return host;
}
