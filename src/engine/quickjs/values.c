/* SPDX-License-Identifier: MIT */
/*
 * values.c -- text and JSON into the engine and out of it, by the functions of
 * the module.
 *
 * All of this runs under wall_enter, and a trap may leave it at any call into
 * the module (W2).
 */
#include "qjs.h"

uint32_t
qjs_read32(engine *e, uint32_t at)
{
	uint32_t v = 0;
	const uint8_t *p = wall_bytes(&e->wall, at, 4);

	if (p != NULL)
		memcpy(&v, p, 4);
	return v;
}

uint64_t
qjs_read64(engine *e, uint32_t at)
{
	uint64_t v = 0;
	const uint8_t *p = wall_bytes(&e->wall, at, 8);

	if (p != NULL)
		memcpy(&v, p, 8);
	return v;
}

void
qjs_write64(engine *e, uint32_t at, uint64_t v)
{
	uint8_t *p = wall_bytes(&e->wall, at, 8);

	if (p != NULL)
		memcpy(p, &v, 8);
}

buf *
qjs_buf(engine *e)
{
	buf_clear(&e->text);
	return &e->text;
}

void
qjs_free(engine *e, js v)
{
	if (js_tag(v) < 0)
		CALL(e, JS_FreeValue, e->ctx, v);
}

js
qjs_dup(engine *e, js v)
{
	return js_tag(v) < 0 ? CALL(e, JS_DupValue, e->ctx, v) : v;
}

uint32_t
qjs_copy(engine *e, text t)
{
	uint32_t at;
	uint8_t *p;

	if (t.len >= UINT32_MAX - 1)
		return 0;
	at = CALL(e, js_malloc, e->ctx, (uint32_t)t.len + 1);
	p = at == 0 ? NULL : wall_bytes(&e->wall, at, (uint32_t)t.len + 1);
	if (p == NULL)
		return 0;
	if (t.len > 0)
		memcpy(p, t.ptr, t.len);
	p[t.len] = 0;
	return at;
}

/* The module writes a lone surrogate as ED A0..BF xx, which is not UTF-8.
 * U+FFFD has as many bytes. True: there was one. */
static bool
mend_surrogates(uint8_t *p, size_t len)
{
	uint8_t *end = p + len;
	bool mended = false;

	while ((p = memchr(p, 0xed, (size_t)(end - p))) != NULL) {
		if (end - p >= 3 && p[1] >= 0xa0) {
			memcpy(p, "\xef\xbf\xbd", 3);
			mended = true;
		}
		p++;
	}
	return mended;
}

text
qjs_text(engine *e, js string)
{
	uint32_t at, len;
	uint8_t *p;

	at = CALL(e, JS_ToCStringLen2, e->ctx, e->scratch, string, 0);
	if (at == 0)
		return TEXT_NONE;
	len = qjs_read32(e, e->scratch);
	p = wall_bytes(&e->wall, at, len);
	if (p == NULL)
		wall_leave(&e->wall, WALL_ENGINE);
	e->mended = mend_surrogates(p, len);
	return (text){(const char *)p, len};
}

void
qjs_text_free(engine *e, text t)
{
	if (t.ptr != NULL)
		CALL(e, JS_FreeCString, e->ctx,
		    (uint32_t)((const uint8_t *)t.ptr - e->wall.base));
}

js
qjs_string(engine *e, text t)
{
	uint32_t at = qjs_copy(e, t);
	js v;

	if (at == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	v = CALL(e, JS_NewStringLen, e->ctx, at, (uint32_t)t.len);
	CALL(e, js_free, e->ctx, at);
	return v;
}

js
qjs_module_parse(engine *e, text t)
{
	uint32_t at = qjs_copy(e, t), name = qjs_copy(e, TEXT("json"));
	js v = JS_EXCEPTION;

	if (at != 0 && name != 0)
		v = CALL(e, JS_ParseJSON, e->ctx, at, (uint32_t)t.len, name);
	else
		CALL(e, JS_ThrowOutOfMemory, e->ctx);
	CALL(e, js_free, e->ctx, at);
	CALL(e, js_free, e->ctx, name);
	return v;
}

js
qjs_env(engine *e, unsigned which, unsigned argc, const js *argv)
{
	/* Arguments lie in the scratch block; a callee copies what it keeps,
	 * and the block is free again as soon as the call has begun. */
	uint32_t args = e->scratch + 16;
	unsigned i;

	for (i = 0; i < argc; i++)
		qjs_write64(e, args + i * 8, argv[i]);
	return CALL(
	    e, JS_Call, e->ctx, e->env[which], JS_UNDEFINED, argc, args);
}

js
qjs_throw(engine *e, const char *code, int class, text message)
{
	js args[3], error;

	args[0] = qjs_string(e, text_of(code));
	args[1] = JS_INT(class);
	args[2] = qjs_string(e, message);
	error = qjs_env(e, ENV_fault, 3, args);
	qjs_free(e, args[0]);
	qjs_free(e, args[2]);
	if (error == JS_EXCEPTION)
		return error;
	return CALL(e, JS_Throw, e->ctx, error);
}
