/* SPDX-License-Identifier: MIT */
/*
 * tool_call.c -- a script calls a tool: its options are read, its arguments
 * become JSON, the run gets the call, and the script gets a promise.
 *
 * A call that cannot be made rejects its promise and sends no message.
 */
#include "qjs.h"

static bool
calls_grow(engine *e)
{
	return mem_grow(e->start.alloc, (void **)&e->call, &e->calls_cap,
	    e->calls, sizeof(*e->call));
}

/* The environment refused the call: gives its error the place of the call. */
static void
place_thrown(engine *e)
{
	js error = CALL(e, JS_GetException, e->ctx), site = qjs_site_here(e);

	qjs_free(e, qjs_env(e, ENV_called_at, 2, (js[]){error, site}));
	qjs_free(e, site);
	CALL(e, JS_Throw, e->ctx, error);
}

/* Rejects the promise of a call that cannot be made, with the pending error. */
static js
reject_thrown(engine *e, js promise, qjs_call *c)
{
	js error = CALL(e, JS_GetException, e->ctx);

	qjs_write64(e, e->scratch + 16, error);
	qjs_free(e, CALL(e, JS_Call, e->ctx, c->reject, JS_UNDEFINED, 1,
			e->scratch + 16));
	qjs_free(e, error);
	qjs_free(e, c->resolve);
	qjs_free(e, c->reject);
	return promise;
}

static js
new_promise(engine *e, qjs_call *c)
{
	js promise = CALL(e, JS_NewPromiseCapability, e->ctx, e->scratch);

	if (promise != JS_EXCEPTION) {
		c->resolve = qjs_read64(e, e->scratch);
		c->reject = qjs_read64(e, e->scratch + 8);
	}
	return promise;
}

static void
say_tool_call(engine *e, const qjs_call *c, text arguments, verdict *v)
{
	said m = {.kind = SAID_CALL};
	js stack = JS_UNDEFINED;

	m.u.call.id = (uint32_t)e->calls + 1;
	m.u.call.tool = c->tool;
	m.u.call.args = arguments;
	m.u.call.timeout_ms = c->timeout_ms;
	if (e->start.host.fixed || e->start.call_lines) {
		stack = qjs_env(e, ENV_stack_of, 1, &c->site);
		m.u.call.stack = qjs_text(e, stack);
	}
	qjs_say(e, &m, v);
	qjs_text_free(e, m.u.call.stack);
	qjs_free(e, stack);
}

static js
get_member(engine *e, js object, text member)
{
	uint32_t name = qjs_copy(e, member);
	js v;

	if (name == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	v = CALL(e, JS_GetPropertyStr, e->ctx, object, name);
	CALL(e, js_free, e->ctx, name);
	return v;
}

/* False: an error about an unknown option is pending. */
static bool
check_options(engine *e, js options)
{
	js r = qjs_env(e, ENV_check_options, 1, &options);

	qjs_free(e, r);
	return r != JS_EXCEPTION;
}

/* False: it is no AbortSignal, or it is aborted: an error is pending, and the
 * signal was freed. */
static bool
check_signal(engine *e, js signal)
{
	if (signal == JS_UNDEFINED ||
	    qjs_env(e, ENV_check_signal, 1, &signal) != JS_EXCEPTION)
		return true;
	qjs_free(e, signal);
	return false;
}

static bool
read_signal(engine *e, js options, js *signal)
{
	*signal = get_member(e, options, TEXT("signal"));
	return *signal != JS_EXCEPTION && check_signal(e, *signal);
}

static bool
read_timeout(engine *e, js options, qjs_call *c)
{
	double ms = 0;
	js v;

	v = get_member(e, options, TEXT("timeoutMs"));
	if (v == JS_EXCEPTION || v == JS_UNDEFINED)
		return v == JS_UNDEFINED;
	if (CALL(e, JS_ToFloat64, e->ctx, e->scratch, v) == 0) {
		uint64_t bits = qjs_read64(e, e->scratch);

		memcpy(&ms, &bits, sizeof(ms));
	}
	qjs_free(e, v);
	if (ms > 0 && ms <= 9007199254740991.0) {
		c->timeout_ms = ms < 1 ? 1 : (uint64_t)ms;
		return true;
	}
	qjs_free(e, CALL(e, JS_GetException, e->ctx));
	qjs_throw(e, "InvalidArguments", 1,
	    TEXT("timeoutMs must be a number of milliseconds above 0"));
	return false;
}

/* Reads { integers: "exact" }. False: an error is pending. */
static bool
read_integers(engine *e, js options, qjs_call *c)
{
	js v = get_member(e, options, TEXT("integers"));
	text t;

	if (v == JS_EXCEPTION || v == JS_UNDEFINED)
		return v == JS_UNDEFINED;
	t = js_tag(v) < -1 ? qjs_text(e, v) : TEXT_NONE;
	c->exact = text_eq(t, TEXT("exact"));
	qjs_text_free(e, t);
	qjs_free(e, v);
	if (!c->exact)
		qjs_throw(e, "InvalidArguments", 1,
		    TEXT("integers must be \"exact\": then integers that a "
			 "number cannot hold are BigInts"));
	return c->exact;
}

/* Reads { signal, timeoutMs, integers }. False: an error is pending. */
static bool
read_options(engine *e, js options, qjs_call *c, js *signal)
{
	*signal = JS_UNDEFINED;
	c->timeout_ms = UINT64_MAX;
	if (options == JS_UNDEFINED || options == JS_NULL)
		return true;
	return check_options(e, options) && read_timeout(e, options, c) &&
	       read_integers(e, options, c) && read_signal(e, options, signal);
}

/* Lets the environment cancel the call when the signal is aborted. */
static void
watch_signal(engine *e, js signal, uint32_t id)
{
	js pass[2] = {signal, JS_INT(id)};

	if (signal == JS_UNDEFINED)
		return;
	qjs_free(e, qjs_env(e, ENV_watch_signal, 2, pass));
	qjs_free(e, signal);
}

js
qjs_call_tool(engine *e, uint32_t tool, js value, js options)
{
	qjs_call c = {.tool = tool};
	js promise, signal, string = JS_UNDEFINED;
	text t = TEXT_NONE;
	verdict v;

	if ((promise = new_promise(e, &c)) == JS_EXCEPTION)
		return promise;
	if (e->ended) /* no answer will come */
		return promise;
	if (!read_options(e, options, &c, &signal))
		return reject_thrown(e, promise, &c);
	if (value != JS_UNDEFINED && !qjs_write(e, value, &t))
		string =
		    qjs_env(e, ENV_argument, 2, (js[]){value, JS_INT(tool)});
	if (string == JS_EXCEPTION) {
		place_thrown(e);
		return reject_thrown(e, promise, &c);
	}
	if (e->ended) /* a getter among the arguments has called exit() */
		return promise;
	/* A getter may have aborted the signal, too, which is not watched yet. */
	if (string != JS_UNDEFINED && !check_signal(e, signal)) {
		qjs_free(e, string);
		return reject_thrown(e, promise, &c);
	}
	if (string != JS_UNDEFINED && (t = qjs_text(e, string)).ptr == NULL) {
		qjs_free(e, string);
		return reject_thrown(e, promise, &c);
	}
	c.site = qjs_site_here(e);
	if (calls_grow(e)) {
		say_tool_call(e, &c, t, &v);
	} else {
		v = (verdict){"MemoryLimit", "out of memory"};
	}
	if (string != JS_UNDEFINED)
		qjs_text_free(e, t);
	qjs_free(e, string);
	if (v.code != NULL) {
		qjs_free(e, c.site);
		qjs_throw(e, v.code, 0, text_of(v.why));
		return reject_thrown(e, promise, &c);
	}
	c.promise = promise;
	e->call[e->calls++] = c;
	e->pending++;
	watch_signal(e, signal, (uint32_t)e->calls);
	return promise;
}
