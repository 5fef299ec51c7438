/* SPDX-License-Identifier: MIT */
/*
 * bytes.c -- text to bytes and back for the libraries, and random bytes. In
 * JavaScript, a megabyte of this takes half a second.
 */
#include "qjs.h"

static js
bytes_array(engine *e, uint32_t at, uint32_t len)
{
	if (at == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	return CALL(e, JS_NewUint8ArrayCopy, e->ctx, at, len);
}

js
qjs_encode(engine *e, js string)
{
	text t = qjs_text(e, string);
	js made;

	if (t.ptr == NULL)
		return JS_EXCEPTION;
	made = bytes_array(e, (uint32_t)((const uint8_t *)t.ptr - e->wall.base),
	    (uint32_t)t.len);
	qjs_text_free(e, t);
	return made;
}

js
qjs_random_array(engine *e, uint32_t len)
{
	uint32_t at = CALL(e, js_malloc, e->ctx, len + 1);
	uint8_t *p = at == 0 ? NULL : wall_bytes(&e->wall, at, len);
	js made;

	if (p != NULL)
		random_bytes(&e->random, p, len);
	made = bytes_array(e, p == NULL ? 0 : at, len);
	CALL(e, js_free, e->ctx, at);
	return made;
}

static js
mended_text(engine *e, text t)
{
	buf *b = qjs_buf(e);

	buf_decoded(b, t);
	if (b->bad != CM_OK)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	return qjs_string(e, buf_view(b));
}

static js
utf8_text(engine *e, uint32_t at, text t, bool fatal)
{
	if (utf8_bad(t) == SIZE_MAX)
		return CALL(e, JS_NewStringLen, e->ctx, at, (uint32_t)t.len);
	return fatal ? JS_UNDEFINED : mended_text(e, t);
}

/* The units must be at an even address. */
static js
utf16_text(engine *e, text t)
{
	uint32_t at = qjs_copy(e, t);
	js made;

	if (at == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	made = CALL(e, JS_NewStringUTF16, e->ctx, at, (uint32_t)(t.len / 2));
	CALL(e, js_free, e->ctx, at);
	return made;
}

js
qjs_decode(engine *e, qjs_encoding encoding, js bytes)
{
	uint32_t at = CALL(e, JS_GetUint8Array, e->ctx, e->scratch, bytes);
	uint32_t len = qjs_read32(e, e->scratch);
	const uint8_t *p = wall_bytes(&e->wall, at, len);
	text t = {(const char *)p, len};

	if (at == 0 || p == NULL)
		return JS_EXCEPTION;
	if (encoding == QJS_UTF16)
		return utf16_text(e, t);
	return utf8_text(e, at, t, encoding == QJS_UTF8_FATAL);
}
