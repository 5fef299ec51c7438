/* SPDX-License-Identifier: MIT */
/*
 * value_off.c -- what value/ does, by the functions of the module.
 *
 * In a build with CODEMODE_OWN_VALUES=OFF this folder stands in the place of
 * value/. It knows nothing of the module's private structures, and it is
 * slower. It rounds integers that a double does not hold, and does not tell.
 */
#include "engine/quickjs/vm.h"

void
vm_value_boot(engine *e)
{
	(void)e;
}

js
vm_parse(engine *e, json t, vm_integers integers)
{
	(void)integers;
	return t.len == 0 ? JS_UNDEFINED : vm_module_parse(e, t);
}

void
vm_parse_forget(engine *e)
{
	(void)e;
}

void
vm_parse_fini(engine *e)
{
	(void)e;
}

bool
vm_write(engine *e, js v, text *out)
{
	(void)e, (void)v, (void)out;
	return false;
}

bool
vm_unshift(engine *e, js this, uint32_t argc, uint32_t argv, js *result)
{
	(void)e, (void)this, (void)argc, (void)argv, (void)result;
	return false;
}

bool
vm_splice(engine *e, js this, uint32_t argc, uint32_t argv, js *result)
{
	(void)e, (void)this, (void)argc, (void)argv, (void)result;
	return false;
}

js
vm_site_here(engine *e)
{
	return CALL(e, JS_NewError, e->ctx);
}
