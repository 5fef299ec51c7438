/* SPDX-License-Identifier: MIT */
/*
 * bytes.c -- text to bytes and back for the libraries, and random bytes. In
 * JavaScript, a megabyte of this takes half a second.
 */
#include "vm.h"

static js
bytes_array(engine *e, uint32_t at, uint32_t len)
{
	if (at == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	return CALL(e, JS_NewUint8ArrayCopy, e->ctx, at, len);
}

js
vm_encode(engine *e, js string)
{
	text t = vm_text(e, string);
	js made;

	if (t.ptr == NULL)
		return JS_EXCEPTION;
	made = bytes_array(e, (uint32_t)((const uint8_t *)t.ptr - e->wall.base),
	    (uint32_t)t.len);
	vm_text_free(e, t);
	return made;
}

js
vm_random_array(engine *e, uint32_t len)
{
	uint32_t at = CALL(e, js_malloc, e->ctx, len + 1);
	uint8_t *p = at == 0 ? NULL : wall_bytes(&e->wall, at, len);
	js made;

	if (p != NULL)
		vm_random_bytes(&e->random, p, len);
	made = bytes_array(e, p == NULL ? 0 : at, len);
	CALL(e, js_free, e->ctx, at);
	return made;
}

/* How many bytes one U+FFFD stands for (the Encoding Standard, "UTF-8 decoder"):
 * as many as begin a valid sequence, and at least one. */
static size_t
bad_bytes(text t, size_t at)
{
	uint8_t lead = (uint8_t)t.ptr[at], least = 0x80, most = 0xbf;
	size_t need = lead < 0xc2   ? 0
		      : lead < 0xe0 ? 1
		      : lead < 0xf0 ? 2
		      : lead < 0xf5 ? 3
				    : 0;
	size_t n = 1;

	if (lead == 0xe0 || lead == 0xf0)
		least = lead == 0xe0 ? 0xa0 : 0x90;
	if (lead == 0xed || lead == 0xf4)
		most = lead == 0xed ? 0x9f : 0x8f;
	for (; n <= need && at + n < t.len; n++) {
		uint8_t c = (uint8_t)t.ptr[at + n];

		if (c < least || c > most)
			break;
		least = 0x80;
		most = 0xbf;
	}
	return n;
}

static js
mended_text(engine *e, text t)
{
	buf *b = vm_buf(e);
	size_t bad;

	while ((bad = utf8_bad(t)) != SIZE_MAX) {
		buf_text(b, text_sub(t, 0, bad));
		buf_text(b, TEXT("\xef\xbf\xbd"));
		t = text_sub(t, bad + bad_bytes(t, bad), t.len);
	}
	buf_text(b, t);
	if (b->bad != CM_OK)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	return vm_string(e, buf_view(b));
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
	uint32_t at = vm_copy(e, t);
	js made;

	if (at == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	made = CALL(e, JS_NewStringUTF16, e->ctx, at, (uint32_t)(t.len / 2));
	CALL(e, js_free, e->ctx, at);
	return made;
}

js
vm_decode(engine *e, vm_encoding encoding, js bytes)
{
	uint32_t at = CALL(e, JS_GetUint8Array, e->ctx, e->scratch, bytes);
	uint32_t len = vm_read32(e, e->scratch);
	const uint8_t *p = wall_bytes(&e->wall, at, len);
	text t = {(const char *)p, len};

	if (at == 0 || p == NULL)
		return JS_EXCEPTION;
	if (encoding == VM_UTF16)
		return utf16_text(e, t);
	return utf8_text(e, at, t, encoding == VM_UTF8_FATAL);
}
