/* SPDX-License-Identifier: MIT */
/*
 * module.c -- compiles the generated C. See module.h.
 *
 * This file is built without our warnings and without sanitizers: 260,000
 * lines of generated code are the object of neither. It takes a while, so the
 * build keeps the result under the hash of everything that goes into it.
 */
#include "quickjs_wasm.c" /* generated */

#include "module.h"

void
module_init(void)
{
	Z_quickjs_init_module();
}

void
module_globals(wasm_instance *instance)
{
	init_globals(instance);
}

void
module_table(wasm_instance *instance)
{
	init_tables(instance);
}

uint32_t
module_host_function(wasm_instance *instance, unsigned i, module_host_fn *fn)
{
	wasm_rt_funcref_table_t *table =
	    &instance->w2c___indirect_function_table;
	uint32_t at = table->size - MODULE_HOST_SLOTS + i;

	table->data[at] =
	    (wasm_rt_funcref_t){wasm_rt_register_func_type(6, 1, WASM_RT_I32,
				    WASM_RT_I64, WASM_RT_I32, WASM_RT_I32,
				    WASM_RT_I32, WASM_RT_I32, WASM_RT_I64),
		(wasm_rt_function_ptr_t)fn, instance};
	return at;
}

/* Fills the linear memory with the module's data segments (bake.c). */
void
module_data(wasm_instance *instance)
{
	init_memories(instance);
	init_data_instances(instance);
}
