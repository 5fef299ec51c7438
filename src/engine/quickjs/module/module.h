/* SPDX-License-Identifier: MIT */
/*
 * module.h -- the generated C of quickjs.wasm, and the three things of it that
 * its own header keeps to itself.
 *
 * wasm2c turns the module into one C file; module.c includes that file, so
 * that its statics (the function table, the types) can be reached, and two of
 * its functions be replaced, without changing a line of it.
 */
#ifndef QUICKJS_MODULE_H
#define QUICKJS_MODULE_H

#include "quickjs_wasm.h" /* generated */

typedef Z_quickjs_instance_t wasm_instance;

/* Registers the module's function types; once per process, before any use. */
void module_init(void);

/* Fills the function table of an instance; the entries hold its address.
 * Behind the module's own entries there is room for MODULE_HOST_SLOTS more. */
void module_table(wasm_instance *instance);

/* Copies the module's data segments into its linear memory (bake.c only). */
void module_data(wasm_instance *instance);

/* Sets the globals to their first values. */
void module_globals(wasm_instance *instance);

/* memmove. That of a C library may take a string instruction, which is slow
 * between places a few bytes apart: the module's `shift` moves all elements of
 * an array by one. */
void module_move(void *to, const void *from, size_t len);

#define MODULE_HOST_SLOTS 4

/* What JS_NewCFunctionData calls: (ctx, this, argc, argv, magic, data). */
typedef uint64_t module_host_fn(void *instance, uint32_t ctx, uint64_t this,
    uint32_t argc, uint32_t argv, uint32_t magic, uint32_t data);

/* Puts fn into host slot i of the table; returns the index that the engine
 * calls it by, the same in every instance. */
uint32_t module_host_function(
    wasm_instance *instance, unsigned i, module_host_fn *fn);

#endif
