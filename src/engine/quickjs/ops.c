/* SPDX-License-Identifier: MIT */
/*
 * ops.c -- the host functions: one that calls a tool, and one for each line of
 * ops.def.
 *
 * They are entries of the module's own function table, so the engine calls
 * them as it calls its own C functions. Arguments are borrowed; the result is
 * the engine's. What calls back into the module holds nothing of the host (W2).
 */
#include "vm.h"

#include "base/json.h"

typedef struct args {
	uint32_t at; /* in linear memory */
	uint32_t len;
} args;

/* Argument i, borrowed; undefined when it was not passed. */
static js
arg(engine *e, const args *a, uint32_t i)
{
	return i < a->len ? vm_read64(e, a->at + i * 8) : JS_UNDEFINED;
}

static int32_t
arg_int(engine *e, const args *a, uint32_t i)
{
	js v = arg(e, a, i);

	return js_tag(v) == 0 ? (int32_t)(uint32_t)v : -1;
}

/* ---------------------------------------------------------- tool calls */

static bool
calls_grow(engine *e)
{
	return mem_grow(e->start.alloc, (void **)&e->call, &e->calls_cap,
	    e->calls, sizeof(*e->call));
}

/* The promise of a call that cannot be made: rejected with what was thrown. */
static js
reject_thrown(engine *e, js promise, vm_call *c)
{
	js error = CALL(e, JS_GetException, e->ctx);

	vm_write64(e, e->scratch + 16, error);
	vm_free(e, CALL(e, JS_Call, e->ctx, c->reject, JS_UNDEFINED, 1,
		       e->scratch + 16));
	vm_free(e, error);
	vm_free(e, c->resolve);
	vm_free(e, c->reject);
	return promise;
}

static js
new_promise(engine *e, vm_call *c)
{
	js promise = CALL(e, JS_NewPromiseCapability, e->ctx, e->scratch);

	if (promise != JS_EXCEPTION) {
		c->resolve = vm_read64(e, e->scratch);
		c->reject = vm_read64(e, e->scratch + 8);
	}
	return promise;
}

static void
say_call(engine *e, const vm_call *c, text arguments, verdict *v)
{
	said m = {.kind = SAID_CALL};

	m.u.call.id = (uint32_t)e->calls + 1;
	m.u.call.tool = c->tool;
	m.u.call.args = arguments;
	m.u.call.timeout_ms = c->timeout_ms;
	vm_say(e, &m, v);
}

/* The options of a call, { timeoutMs }: false when something was thrown. */
static bool
read_options(engine *e, js options, vm_call *c)
{
	uint32_t name;
	double ms = 0;
	js v;

	c->timeout_ms = UINT64_MAX;
	if (options == JS_UNDEFINED)
		return true;
	if ((name = vm_copy(e, TEXT("timeoutMs"))) == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx) == 0;
	v = CALL(e, JS_GetPropertyStr, e->ctx, options, name);
	CALLV(e, js_free, e->ctx, name);
	if (v == JS_EXCEPTION || v == JS_UNDEFINED)
		return v == JS_UNDEFINED;
	if (CALL(e, JS_ToFloat64, e->ctx, e->scratch, v) == 0) {
		uint64_t bits = vm_read64(e, e->scratch);

		memcpy(&ms, &bits, sizeof(ms));
	}
	vm_free(e, v);
	if (ms > 0 && ms <= 9007199254740991.0) {
		c->timeout_ms = ms < 1 ? 1 : (uint64_t)ms;
		return true;
	}
	vm_free(e, CALL(e, JS_GetException, e->ctx));
	vm_throw(e, "InvalidArguments", 1,
	    TEXT("timeoutMs must be a number of milliseconds above 0"));
	return false;
}

/* tools.x(args, options): JSON out, a promise back. */
static js
tool_called(engine *e, uint32_t tool, js value, js options)
{
	vm_call c = {.tool = tool};
	js promise, string = JS_UNDEFINED;
	text t = TEXT_NONE;
	verdict v;

	if ((promise = new_promise(e, &c)) == JS_EXCEPTION)
		return promise;
	if (e->ended) /* nobody will answer */
		return promise;
	if (!read_options(e, options, &c))
		return reject_thrown(e, promise, &c);
	if (value != JS_UNDEFINED)
		string = CALL(e, JS_JSONStringify, e->ctx, value, JS_UNDEFINED,
		    JS_UNDEFINED);
	if (string == JS_EXCEPTION)
		return reject_thrown(e, promise, &c);
	if (string != JS_UNDEFINED && (t = vm_text(e, string)).ptr == NULL) {
		vm_free(e, string);
		return reject_thrown(e, promise, &c);
	}
	if (calls_grow(e)) {
		say_call(e, &c, t, &v);
	} else {
		v = (verdict){"MemoryLimit", "out of memory"};
	}
	vm_text_free(e, t);
	vm_free(e, string);
	if (v.code != NULL) {
		vm_throw(e, v.code, 0, text_of(v.why));
		return reject_thrown(e, promise, &c);
	}
	c.site = CALL(e, JS_NewError, e->ctx);
	e->call[e->calls++] = c;
	e->pending++;
	return promise;
}

static uint64_t
call_tool(void *instance, uint32_t ctx, uint64_t this, uint32_t argc,
    uint32_t argv, uint32_t magic, uint32_t data)
{
	engine *e = instance;
	args a = {argv, argc};
	js result;

	(void)ctx, (void)this, (void)magic;
	wall_host(&e->wall);
	result = tool_called(
	    e, (uint32_t)vm_read64(e, data), arg(e, &a, 0), arg(e, &a, 1));
	wall_engine(&e->wall);
	return result;
}

/* ------------------------------------------------------------ printing */

static js
op_print(engine *e, const args *a)
{
	said m = {.kind = SAID_PRINT};
	text mime = TEXT_NONE;
	verdict v = {0};
	js thrown;

	if (e->ended)
		return JS_UNDEFINED;
	m.u.print.kind = (print_kind)arg_int(e, a, 0);
	m.u.print.text = vm_text(e, arg(e, a, 1));
	if (m.u.print.text.ptr == NULL)
		return JS_EXCEPTION;
	if (a->len > 2)
		mime = vm_text(e, arg(e, a, 2));
	m.u.print.mime = mime;
	vm_say(e, &m, &v);
	vm_text_free(e, m.u.print.text);
	vm_text_free(e, mime);
	if (v.code == NULL)
		return JS_UNDEFINED;
	/* Too much output ends the run, whether or not the script catches. */
	vm_throw(e, v.code, 2, text_of(v.why));
	thrown = CALL(e, JS_GetException, e->ctx);
	vm_fail_thrown(e, thrown);
	return CALL(e, JS_Throw, e->ctx, thrown);
}

static js
op_exit(engine *e, const args *a)
{
	(void)a;
	vm_done(e, TEXT_NONE);
	return JS_UNDEFINED;
}

static js
op_done(engine *e, const args *a)
{
	js value = arg(e, a, 0);
	text t = TEXT_NONE;

	if (value != JS_UNDEFINED && (t = vm_text(e, value)).ptr == NULL)
		return JS_EXCEPTION;
	vm_done(e, t);
	vm_text_free(e, t);
	return JS_UNDEFINED;
}

static js
op_fail(engine *e, const args *a)
{
	text t = vm_text(e, arg(e, a, 0));

	if (t.ptr == NULL)
		return JS_EXCEPTION;
	vm_fail(e, t);
	vm_text_free(e, t);
	return JS_UNDEFINED;
}

/* The engine throws null when not even the error fits into memory. */
static js
op_full(engine *e, const args *a)
{
	uint64_t grown = wall_size(&e->wall) - vm_image_baked.memory.to;

	(void)a;
	return grown >= e->start.heap / 4 * 3 ? JS_TRUE : JS_FALSE;
}

static js
op_warn(engine *e, const args *a)
{
	said m = {.kind = SAID_WARN};
	verdict v;

	m.u.warn = vm_text(e, arg(e, a, 0));
	if (m.u.warn.ptr == NULL)
		return JS_EXCEPTION;
	vm_say(e, &m, &v);
	vm_text_free(e, m.u.warn);
	return JS_UNDEFINED;
}

/* --------------------------------------------------------------- store */

static js
op_store(engine *e, const args *a)
{
	text key = vm_text(e, arg(e, a, 0)), value = TEXT_NONE;
	buf *why = vm_buf(e);
	cm_status r;
	js thrown = JS_UNDEFINED;

	if (e->ended)
		return thrown;
	if (a->len > 1)
		value = vm_text(e, arg(e, a, 1));
	if (key.ptr == NULL || (a->len > 1 && value.ptr == NULL))
		return JS_EXCEPTION;
	r = store_set(&e->store, key, value, why);
	vm_text_free(e, key);
	vm_text_free(e, value);
	if (r == CM_ENOMEM)
		thrown = CALL(e, JS_ThrowOutOfMemory, e->ctx);
	else if (r != CM_OK)
		thrown = vm_throw(e, "StoreLimit", 2, buf_view(why));
	return thrown;
}

static js
op_load(engine *e, const args *a)
{
	text key = vm_text(e, arg(e, a, 0));
	json found;

	if (key.ptr == NULL)
		return JS_EXCEPTION;
	found = store_get(&e->store, key);
	vm_text_free(e, key);
	return vm_parse(e, found);
}

/* --------------------------------------------------------------- tools */

static js
op_find(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	text name = vm_text(e, arg(e, a, 1));
	uint32_t index = 0;
	int kind;

	if (name.ptr == NULL)
		return JS_EXCEPTION;
	kind = tools->find(tools->ctx, arg_int(e, a, 0), name, &index);
	vm_text_free(e, name);
	return kind == 1   ? JS_INT(index)
	       : kind == 2 ? JS_INT(-1 - (int32_t)index)
			   : JS_UNDEFINED;
}

static js
parse(engine *e, const buf *b)
{
	return b->bad == CM_OK ? vm_parse(e, buf_view(b))
			       : CALL(e, JS_ThrowOutOfMemory, e->ctx);
}

static js
op_names(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	buf *b = vm_buf(e);
	text name;
	uint32_t i;

	buf_byte(b, '[');
	for (i = 0; tools->member(tools->ctx, arg_int(e, a, 0), i, &name);
	     i++) {
		if (i > 0)
			buf_byte(b, ',');
		json_string(b, name);
	}
	buf_byte(b, ']');
	return parse(e, b);
}

static js
op_unknown(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	text name = vm_text(e, arg(e, a, 1));
	buf *b = vm_buf(e);
	js v;

	if (name.ptr == NULL)
		return JS_EXCEPTION;
	tools->unknown(tools->ctx, arg_int(e, a, 0), name, b);
	v = vm_string(e, buf_view(b));
	vm_text_free(e, name);
	return v;
}

static engine_tool
tool_of(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	uint32_t i = (uint32_t)arg_int(e, a, 0);
	engine_tool t = {0};

	if (i < tools->len)
		tools->get(tools->ctx, i, &t);
	return t;
}

/* The table index that a host function is called by. */
static uint32_t
host_slot(engine *e, unsigned i)
{
	return e->wall.wasm.w2c___indirect_function_table.size -
	       MODULE_HOST_SLOTS + i;
}

static js
op_tool(engine *e, const args *a)
{
	vm_write64(e, e->scratch, JS_INT(arg_int(e, a, 0)));
	return CALL(e, JS_NewCFunctionData, e->ctx, host_slot(e, 0), 1, 0, 1,
	    e->scratch);
}

static js
op_name(engine *e, const args *a)
{
	return vm_string(e, tool_of(e, a).name);
}

static js
op_tools(engine *e, const args *a)
{
	const engine_tools *tools = &e->start.tools;
	buf *b = vm_buf(e);
	engine_tool t;
	uint32_t i;

	(void)a;
	buf_byte(b, '[');
	for (i = 0; i < tools->len; i++) {
		tools->get(tools->ctx, i, &t);
		buf_str(b, i > 0 ? ",{\"name\":" : "{\"name\":");
		json_string(b, t.path);
		buf_str(b, ",\"description\":");
		json_string(b, t.description);
		buf_byte(b, '}');
	}
	buf_byte(b, ']');
	return parse(e, b);
}

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

static uint64_t
call_op(void *instance, uint32_t ctx, uint64_t this, uint32_t argc,
    uint32_t argv, uint32_t magic, uint32_t data)
{
	engine *e = instance;
	args a = {argv, argc};
	js result = JS_UNDEFINED;

	(void)ctx, (void)this, (void)data;
	wall_host(&e->wall);
	if (magic < OP_LEN)
		result = op[magic](e, &a);
	wall_engine(&e->wall);
	return result;
}

void
vm_host_functions(engine *e)
{
	module_host_function(&e->wall.wasm, 0, call_tool);
	module_host_function(&e->wall.wasm, 1, call_op);
}

js
vm_host_object(engine *e)
{
	js host = CALL(e, JS_NewObject, e->ctx);
	uint32_t i, name;
	js f;

	for (i = 0; i < OP_LEN; i++) {
		f = CALL(e, JS_NewCFunctionData, e->ctx, host_slot(e, 1), 0, i,
		    0, 0);
		name = vm_copy(e, text_of(op_title[i]));
		CALL(e, JS_DefinePropertyValueStr, e->ctx, host, name, f,
		    JS_ENUMERABLE);
		CALLV(e, js_free, e->ctx, name);
	}
	return host;
}
