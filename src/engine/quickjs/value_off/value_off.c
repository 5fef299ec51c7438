/* SPDX-License-Identifier: MIT */
/*
 * value_off.c -- what value/ does, by the functions of the module.
 *
 * In a build with CODEMODE_OWN_VALUES=OFF this folder stands in the place of
 * value/. It knows nothing of the module's private structures, and it is
 * slower. It rounds integers that a double does not hold, and does not tell.
 */
#include "engine/quickjs/qjs.h"

void
qjs_value_boot(engine *e)
{
	(void)e;
}

js
qjs_parse(engine *e, json t, qjs_integers integers)
{
	(void)integers;
	return t.len == 0 ? JS_UNDEFINED : qjs_module_parse(e, t);
}

void
qjs_parse_forget(engine *e)
{
	(void)e;
}

void
qjs_parse_fini(engine *e)
{
	(void)e;
}

bool
qjs_write(engine *e, js v, text *out)
{
	(void)e, (void)v, (void)out;
	return false;
}

bool
qjs_unshift(engine *e, js this, uint32_t argc, uint32_t argv, js *result)
{
	(void)e, (void)this, (void)argc, (void)argv, (void)result;
	return false;
}

bool
qjs_splice(engine *e, js this, uint32_t argc, uint32_t argv, js *result)
{
	(void)e, (void)this, (void)argc, (void)argv, (void)result;
	return false;
}

js
qjs_site_here(engine *e)
{
	return CALL(e, JS_NewError, e->ctx);
}
