/* SPDX-License-Identifier: MIT */
/*
 * library.c -- the libraries: JavaScript that a script gets when it first looks
 * at a global that needs it.
 *
 * The program holds each one as bytecode outside of the image, so a run that
 * does not use them pays nothing and the collector does not walk them. The
 * bytecode is trusted: the bake made it (bake/bake_library.c).
 */
#include "qjs.h"

static const qjs_library *
find_library(text name)
{
	size_t i;

	for (i = 0; i < qjs_image_baked.libraries_len; i++)
		if (text_eq(name, text_of(qjs_image_baked.libraries[i].name)))
			return &qjs_image_baked.libraries[i];
	return NULL;
}

static js
evaluate_bytecode(engine *e, text code)
{
	enum { READ_BYTECODE = 1 };
	uint32_t at = qjs_copy(e, code);
	js compiled;

	if (at == 0)
		return CALL(e, JS_ThrowOutOfMemory, e->ctx);
	compiled = CALL(
	    e, JS_ReadObject, e->ctx, at, (uint32_t)code.len, READ_BYTECODE);
	CALL(e, js_free, e->ctx, at);
	if (compiled == JS_EXCEPTION)
		return compiled;
	return CALL(e, JS_EvalFunction, e->ctx, compiled);
}

js
qjs_load_library(engine *e, text name)
{
	const qjs_library *found = find_library(name);

	if (found == NULL)
		return JS_UNDEFINED;
	return evaluate_bytecode(
	    e, (text){(const char *)qjs_image_baked.libraries_code + found->at,
		   found->len});
}
